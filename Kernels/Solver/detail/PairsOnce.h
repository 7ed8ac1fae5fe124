// Pair forces on the CPU: each pair is evaluated once, in the row of its lower Id a, a pack of contacts at a time. Its force is added to a
// at once, in ascending Id of b, and left in a record; then each particle adds the records of its lower neighbours, ascending too. The
// order of every sum is that of the Ids, so the bits do not depend on how contacts fall into packs, ranges or lists.
#pragma once

#include "Core/Pack.h"
#include "Solver/detail/Step.cuh"

namespace dem
{

/// A walk over the contacts that ranges of particles own, a pack at a time.
template <class Real>
struct OwnedPairs
{
  using Reals = Pack<Real>;
  static constexpr int kLanes = Reals::kLanes;

  template <class T>
  struct alignas(64) Lanes
  {
    T at[kLanes];
    T& operator[](int k) { return at[k]; }
    const T& operator[](int k) const { return at[k]; }
  };

  struct Batch
  {
    int size = 0;
    Lanes<std::uint32_t> a, b, contact;
    Lanes<Real> apart_x, apart_y, apart_z, gap2, radius_a, radius_b;
  };

  StateView<Real> state;
  LawView<Real> law;
  ListView list;
  ContactSlots<Real> slots;

  /// Calls enter(i, x) for every particle, keep(contact, geometry) for each of its contacts, and evaluate(batch) for packs of those kept.
  template <class Enter, class Keep, class Evaluate>
  void forEachPack(std::uint32_t begin, std::uint32_t end, const Enter& enter, const Keep& keep, const Evaluate& evaluate) const
  {
    Batch batch;
    int n = 0;
    for (std::uint32_t i = begin; i < end; ++i)
    {
      const Vec4<double> x = state.position[i];
      enter(i, x);
      const std::uint32_t first = list.first_owned[i], last = list.first_owned[i + 1];
      const std::uint32_t* entries = list.entries + list.start(i) + list.count[i] - (last - first);
      for (std::uint32_t c = first; c < last; ++c, ++entries)
      {
        // the place is filled in any case and kept where they touch: whether they do is hard to guess
        const int k = n;
        const std::uint32_t j = *entries;
        const std::uint32_t ahead = entries[ListView::kAhead] & ListView::kIndex;
        __builtin_prefetch(&state.position[ahead]);
        __builtin_prefetch(&state.velocity[ahead]);
        __builtin_prefetch(&state.spin[ahead]);
        const Vec4<double> y = state.position[j];
        const PairGeometry<Real> g = pairGeometry<Real>(law.box, x, y);
        batch.a[k] = i;
        batch.b[k] = j;
        batch.contact[k] = c;
        batch.apart_x[k] = static_cast<Real>(g.apart.x);
        batch.apart_y[k] = static_cast<Real>(g.apart.y);
        batch.apart_z[k] = static_cast<Real>(g.apart.z);
        batch.gap2[k] = static_cast<Real>(g.reach * g.reach - g.distance2);
        batch.radius_a[k] = static_cast<Real>(x.w);
        batch.radius_b[k] = static_cast<Real>(y.w);
        n += keep(c, g) ? 1 : 0;
        if (n == kLanes)
        {
          batch.size = n;
          evaluate(batch);
          n = 0;
        }
      }
    }
    if (n > 0)
    {
      batch.size = n;
      fillUp(batch);
      evaluate(batch);
    }
  }

  /// The contacts of a batch and their histories.
  template <bool kAdvance>
  PairContact<Reals> contacts(const Batch& batch, Real dt, ContactHistory<Reals>& history) const
  {
    const PairSides<Reals> sides = gather(batch);
    Lanes<typename Reals::Lane> begins{};
    if (kAdvance)
      for (int k = 0; k < kLanes; ++k)
        begins[k] = !(slots.flags[batch.contact[k]] & kTouching);
    history = readHistory<Reals>(law.law, [&](int column) {
      const Real* from = &slots.history.at(column, 0);
      Lanes<Real> lanes;
      for (int k = 0; k < kLanes; ++k)
        lanes[k] = from[batch.contact[k]];
      return pack(lanes);
    });
    if (!kAdvance)
    {
      Lanes<typename Reals::Lane> sliding;
      for (int k = 0; k < kLanes; ++k)
        sliding[k] = slots.flags[batch.contact[k]] & kSliding;
      history.sliding = Reals::Mask::load(sliding.at);
    }
    return pairContact<kAdvance>(law.law, coefficients(batch), sides, dt, Reals::Mask::load(begins.at), history);
  }

private:
  static Reals pack(const Lanes<Real>& lanes) { return Reals::load(lanes.at); }

  // Lanes to spare repeat the first.
  static void fillUp(Batch& batch)
  {
    for (int k = batch.size; k < kLanes; ++k)
    {
      batch.a[k] = batch.a[0];
      batch.b[k] = batch.b[0];
      batch.contact[k] = batch.contact[0];
      batch.apart_x[k] = batch.apart_x[0];
      batch.apart_y[k] = batch.apart_y[0];
      batch.apart_z[k] = batch.apart_z[0];
      batch.gap2[k] = batch.gap2[0];
      batch.radius_a[k] = batch.radius_a[0];
      batch.radius_b[k] = batch.radius_b[0];
    }
  }

  PairSides<Reals> gather(const Batch& batch) const
  {
    Lanes<Real> va[4], vb[4], wa[4], wb[4];
    const auto scatter = [](Lanes<Real>* lanes, int k, const Vec4<Real>& v) {
      lanes[0][k] = v.x;
      lanes[1][k] = v.y;
      lanes[2][k] = v.z;
      lanes[3][k] = v.w;
    };
    for (int k = 0; k < kLanes; ++k)
    {
      scatter(va, k, state.velocity[batch.a[k]]);
      scatter(vb, k, state.velocity[batch.b[k]]);
      scatter(wa, k, state.spin[batch.a[k]]);
      scatter(wb, k, state.spin[batch.b[k]]);
    }
    const auto vector = [](const Lanes<Real>* lanes) {
      return Vec3<Reals>{ pack(lanes[0]), pack(lanes[1]), pack(lanes[2]) };
    };
    PairSides<Reals> sides{ {}, {}, pack(batch.radius_a), pack(batch.radius_b), pack(va[3]), pack(vb[3]), vector(va), vector(vb),
      vector(wa), vector(wb) };
    touch(sides, { pack(batch.apart_x), pack(batch.apart_y), pack(batch.apart_z) }, pack(batch.gap2));
    return sides;
  }

  PairCoefficients<Reals> coefficients(const Batch& batch) const
  {
    if (law.materials == 1)
    {
      const PairCoefficients<Real>& p = law.pairs[0];
      return { p.youngs, p.shear, p.damping, p.friction, p.rolling, p.linear };
    }
    Lanes<Real> lanes[6];
    for (int k = 0; k < kLanes; ++k)
    {
      const PairCoefficients<Real>& p = law.pair(state.spin[batch.a[k]].w, state.spin[batch.b[k]].w);
      lanes[0][k] = p.youngs;
      lanes[1][k] = p.shear;
      lanes[2][k] = p.damping;
      lanes[3][k] = p.friction;
      lanes[4][k] = p.rolling;
      lanes[5][k] = p.linear;
    }
    return { pack(lanes[0]), pack(lanes[1]), pack(lanes[2]), pack(lanes[3]), pack(lanes[4]), pack(lanes[5]) };
  }
};

/// The contacts that a range of particles owns: their histories, their records and what they do to their particles a.
template <class Real>
struct EvaluatePairs
{
  OwnedPairs<Real> pairs;
  StepControl* control;
  PairRecord<Real>* records;
  Real dt;
  unsigned batch_step;

  void operator()(std::uint32_t begin, std::uint32_t end) const
  {
    if (control->forceHalted(batch_step))
      return;
    const StateView<Real>& state = pairs.state;
    const ContactSlots<Real>& slots = pairs.slots;
    bool gone = false;
    Booked booked;
    pairs.forEachPack(
      begin, end,
      [&](std::uint32_t i, const Vec4<double>& x) {
        gone = isGone(x.x);
        if (!gone)
          state.force[i] = state.torque[i] = {};
      },
      [&](std::uint32_t c, const PairGeometry<Real>& g) {
        const bool touching = !gone && g.touching();
        if (!touching && slots.flags[c])
        {
          slots.flags[c] = 0;
          slots.history.clear(pairs.law.law.columns(), c);
          records[c] = {};
        }
        return touching;
      },
      [&](const Batch& batch) { evaluate(batch, booked); });
    close(booked, begin);
  }

private:
  using Reals = typename OwnedPairs<Real>::Reals;
  using Batch = typename OwnedPairs<Real>::Batch;
  template <class T>
  using Lanes = typename OwnedPairs<Real>::template Lanes<T>;

  // Energies of the contacts since the last booking, a sum a lane.
  struct Booked
  {
    struct Sum
    {
      Lanes<long long> high{}, low{};
    };
    Sum dissipated, stiffness_work;
    unsigned terms = 0;
  };

  void add(typename Booked::Sum& sum, const Lanes<Real>& joule, int n) const
  {
    const double per_joule = pairs.state.books.per_joule;
    for (int k = 0; k < OwnedPairs<Real>::kLanes; ++k)
    {
      EnergySum term;
      term.add(k < n ? joule[k] * per_joule : 0.);
      sum.high[k] += term.high;
      sum.low[k] += term.low;
    }
  }

  void close(Booked& booked, std::uint32_t begin) const
  {
    const auto total = [](const typename Booked::Sum& sum) {
      EnergySum t;
      for (int k = 0; k < OwnedPairs<Real>::kLanes; ++k)
        t += EnergySum{ sum.high[k], sum.low[k] };
      return t;
    };
    pairs.state.books.book(begin / 128, BookedEnergy::Dissipated, total(booked.dissipated));
    pairs.state.books.book(begin / 128, BookedEnergy::StiffnessWork, total(booked.stiffness_work));
    booked = {};
  }

  void evaluate(const Batch& batch, Booked& booked) const
  {
    const int n = batch.size;
    const StateView<Real>& state = pairs.state;
    const ContactSlots<Real>& slots = pairs.slots;
    ContactHistory<Reals> history;
    const PairContact<Reals> c = pairs.template contacts<true>(batch, dt, history);

    writeHistory(pairs.law.law, history, [&](int column, const Reals& value) {
      Real* to = &slots.history.at(column, 0);
      Lanes<Real> lanes{};
      value.store(lanes.at);
      for (int k = 0; k < n; ++k)
        to[batch.contact[k]] = lanes[k];
    });
    Lanes<typename Reals::Lane> sliding{};
    history.sliding.store(sliding.at);
    for (int k = 0; k < n; ++k)
      slots.flags[batch.contact[k]] = static_cast<std::uint8_t>(kTouching | (sliding[k] ? kSliding : 0));

    Lanes<Real> out[11], overlap;
    const Reals values[11] = { c.on_a.x, c.on_a.y, c.on_a.z, c.torque_b.x, c.torque_b.y, c.torque_b.z, c.torque_a.x, c.torque_a.y,
      c.torque_a.z, c.force.dissipated, c.force.stiffness_work };
    for (int v = 0; v < 11; ++v)
      values[v].store(out[v].at);
    c.overlap.store(overlap.at);
    for (int k = 0; k < n; ++k)
    {
      const Vec4<Real> on_a{ out[0][k], out[1][k], out[2][k], Real(0) };
      records[batch.contact[k]] = { on_a, { out[3][k], out[4][k], out[5][k], Real(0) } };
      const std::uint32_t a = batch.a[k];
      state.force[a] = state.force[a] + on_a;
      state.torque[a] = state.torque[a] + Vec4<Real>{ out[6][k], out[7][k], out[8][k], Real(0) };
    }
    add(booked.dissipated, out[9], n);
    add(booked.stiffness_work, out[10], n);
    if (++booked.terms == EnergySum::kTerms / OwnedPairs<Real>::kLanes)
      close(booked, batch.a[0]);
    for (int k = 0; k < n; ++k)
    {
      const Real smaller = batch.radius_a[k] < batch.radius_b[k] ? batch.radius_a[k] : batch.radius_b[k];
      if (!(overlap[k] < Real(0.5) * smaller))
        atomicLower(&control->error, packError(batch_step, FailureKind::Overlap, state.id[batch.a[k]]));
    }
  }
};

/// What a frame shows of the contacts that a range of particles owns.
template <class Real>
struct MeasurePairs
{
  OwnedPairs<Real> pairs;
  MeasuredPair<Real>* measured;
  Real dt;

  void operator()(std::uint32_t begin, std::uint32_t end) const
  {
    pairs.forEachPack(
      begin, end, [](std::uint32_t, const Vec4<double>&) {},
      [&](std::uint32_t c, const PairGeometry<Real>&) { return (pairs.slots.flags[c] & kTouching) != 0; },
      [&](const Batch& batch) {
        ContactHistory<Reals> history;
        const PairContact<Reals> c = pairs.template contacts<false>(batch, dt, history);
        Lanes<Real> out[9]{};
        const Reals values[9] = { c.normal.x, c.normal.y, c.normal.z, c.force.tangential.x, c.force.tangential.y, c.force.tangential.z,
          c.force.normal, c.overlap, c.force.elastic_energy };
        for (int v = 0; v < 9; ++v)
          values[v].store(out[v].at);
        for (int k = 0; k < batch.size; ++k)
          measured[batch.contact[k]] = { { out[0][k], out[1][k], out[2][k] }, { out[3][k], out[4][k], out[5][k] }, out[6][k], out[7][k],
            out[8][k] };
      });
  }

private:
  using Reals = typename OwnedPairs<Real>::Reals;
  using Batch = typename OwnedPairs<Real>::Batch;
  template <class T>
  using Lanes = typename OwnedPairs<Real>::template Lanes<T>;
};

/// Adds what the contacts with lower Ids do to each particle.
template <class Real>
struct AddRecords
{
  StateView<Real> state;
  StepControl* control;
  ListView list;
  const PairRecord<Real>* records;
  unsigned batch_step;

  void operator()(std::uint32_t i) const
  {
    if (control->forceHalted(batch_step) || isGone(state.position[i].x))
      return;
    const Load<Real> lower = loadOfLower(i);
    state.force[i] = vec4(lower.force + state.force[i].xyz(), Real(0));
    state.torque[i] = vec4(lower.torque + state.torque[i].xyz(), Real(0));
  }

private:
  Load<Real> loadOfLower(std::uint32_t i) const
  {
    const std::uint32_t lower = list.lower(i);
    const std::uint32_t* contact = list.shared_contact + list.start(i);
    Vec4<Real> force{}, torque{};
    for (std::uint32_t s = 0; s < lower; ++s)
    {
      __builtin_prefetch(&records[contact[s + ListView::kAhead]]);
      const PairRecord<Real> r = records[contact[s]];
      force = force - r.on_a;
      torque = torque + r.torque_b;
    }
    return { force.xyz(), torque.xyz() };
  }
};

} // namespace dem
