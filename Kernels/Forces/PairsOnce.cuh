// Pair forces of spheres on the CPU. Used by SpheresOnCpu.cuh. Each pair is evaluated once, by its
// particle a of lower Id, in packs of contacts. The force is added to a, in ascending Id of b, and
// stored in a record. Then each particle adds the records of its neighbours with lower Ids, also
// ascending. Each sum follows the order of the Ids, so its bits do not depend on packs, ranges or
// lists.
#pragma once

#include "Core/PackRows.h"
#include "Forces/MeasuredPair.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"

#include <utility>

namespace dem
{

/// Particles of each contact, a with the lower Id. ListView::kAhead zeros follow the last contact
/// in each array, for prefetches.
struct ContactEnds
{
  std::uint32_t *a, *b;
};

/// Kernel functor that fills ContactEnds from the rows of the list.
template <class Exec>
struct ListEnds
{
  ListView list;
  ContactEnds ends;

  void operator()(std::uint32_t i) const
  {
    const std::uint32_t* entries = list.entries + list.start(i) + list.lower(i);
    const std::uint32_t last = list.first_owned[i + 1];
    for (std::uint32_t c = list.first_owned[i]; c < last; ++c, ++entries)
    {
      ends.a[c] = i;
      ends.b[c] = *entries;
    }
  }
};

/// Evaluates the contacts that a range of particles owns, a chunk of the list at a time. It tests
/// packs of candidates, stores the touching ones side by side, and evaluates packs of those.
template <class Real>
struct OwnedPairs
{
  using Reals = Pack<Real>;
  using Places = Pack<double>;
  static constexpr int kLanes = Reals::kLanes;
  static constexpr int kPlaces = Places::kLanes;
  // Contacts per chunk. A batch of this size stays in the first-level cache.
  static constexpr std::uint32_t kChunk = 256;
  static constexpr int kRoom = kChunk + 16; // packs are written completely
  static constexpr int kColumns = kMostHistoryColumns;

  template <class T>
  struct alignas(64) Lanes
  {
    T at[kLanes];
    T& operator[](int k) { return at[k]; }
    const T& operator[](int k) const { return at[k]; }
  };

  /// Contacts to evaluate, in the order of the list.
  struct Batch
  {
    int size = 0;
    alignas(64) std::uint32_t a[kRoom], b[kRoom], contact[kRoom];
    alignas(64) Real apart_x[kRoom], apart_y[kRoom], apart_z[kRoom], gap2[kRoom], radius_a[kRoom],
      radius_b[kRoom];
    alignas(64) Real history[kColumns][kRoom];
    alignas(64) typename Reals::Lane flags[kRoom]; // before the evaluation, then after it
  };

  StateView<Real> state;
  LawView<Real> law;
  ContactEnds ends;
  const std::uint32_t* first_owned;
  ContactSlots<Real> slots;

  /// Calls keep(c, left, touching) for each pack of contacts, from c on. `left`: contacts of the
  /// chunk from c on. `touching`: bits of those that touch. keep() returns the bits of the contacts
  /// to evaluate. Then calls use(batch) with the contacts of each chunk.
  template <class Keep, class Use>
  void forEachChunk(std::uint32_t begin, std::uint32_t end, const Keep& keep, const Use& use) const
  {
    const bool periodic = law.box.any();
    Batch batch;
    const std::uint32_t last = first_owned[end];
    for (std::uint32_t c = first_owned[begin]; c < last; c += kChunk)
    {
      const std::uint32_t until = last - c < kChunk ? last : c + kChunk;
      if (periodic)
        find<true>(c, until, keep, batch);
      else
        find<false>(c, until, keep, batch);
      if (batch.size == 0)
        continue;
      fillUp(batch);
      for (int k = 0; k < filled(batch); ++k)
        batch.flags[k] = slots.flags[batch.contact[k]];
      for (int column = 0; column < historyColumns(law.law); ++column)
      {
        const Real* from = &slots.history.at(column, 0);
        for (int k = 0; k < filled(batch); ++k)
          batch.history[column][k] = from[batch.contact[k]];
      }
      use(batch);
    }
  }

  /// Evaluates a pack of contacts, from k of the batch on, and sets `history` to their histories.
  /// With `kPlain` the options of the law are compile-time constants.
  template <bool kAdvance, bool kPlain>
  PairContact<Reals> contacts(
    const Batch& batch, int k, Real dt, ContactHistory<Reals>& history) const
  {
    LawParameters<Real> rules = law.law;
    if constexpr (kPlain)
      rules.knowPlain();
    const std::uint32_t *a = batch.a + k, *b = batch.b + k;
    const auto va =
      loadRows<kLanes>([&](int l) -> const Vec4<Real>& { return state.velocity[a[l]]; });
    const auto vb =
      loadRows<kLanes>([&](int l) -> const Vec4<Real>& { return state.velocity[b[l]]; });
    const auto wa = loadRows<kLanes>([&](int l) -> const Vec4<Real>& { return state.spin[a[l]]; });
    const auto wb = loadRows<kLanes>([&](int l) -> const Vec4<Real>& { return state.spin[b[l]]; });
    PairSides<Reals> sides{ {}, {}, Reals::load(batch.radius_a + k),
      Reals::load(batch.radius_b + k), va.w, vb.w, { va.x, va.y, va.z }, { vb.x, vb.y, vb.z },
      { wa.x, wa.y, wa.z }, { wb.x, wb.y, wb.z } };
    touch(sides,
      { Reals::load(batch.apart_x + k), Reals::load(batch.apart_y + k),
        Reals::load(batch.apart_z + k) },
      Reals::load(batch.gap2 + k));

    history =
      readHistory<Reals>(rules, [&](int column) { return Reals::load(batch.history[column] + k); });
    typename Reals::Bits flags;
    std::memcpy(&flags, batch.flags + k, sizeof flags);
    using Mask = typename Reals::Mask;
    if (!kAdvance)
      history.sliding = Mask((flags & typename Reals::Lane(kSliding)) != 0);
    return pairContact<kAdvance>(rules, coefficients(wa.w, wb.w), sides, dt,
      kAdvance ? Mask((flags & typename Reals::Lane(kTouching)) == 0) : Mask(false), history);
  }

  /// Bits of the contacts of a pack, from c on, that have flags. `left`: number of contacts from c
  /// on.
  static unsigned touched(const ContactSlots<Real>& slots, std::uint32_t c, std::uint32_t left)
  {
    if (left >= static_cast<std::uint32_t>(kPlaces))
      return nonZero<kPlaces>(slots.flags + c);
    unsigned ones = 0;
    for (std::uint32_t l = 0; l < left; ++l)
      ones |= static_cast<unsigned>(slots.flags[c + l] != 0) << l;
    return ones;
  }

private:
  template <bool kPeriodic, class Keep>
  void find(std::uint32_t begin, std::uint32_t end, const Keep& keep, Batch& batch) const
  {
    using Rounded = Pack<Real, kPlaces>;
    const bool cohesive = law.law.cohesion != CohesionModel::None;
    int n = 0;
    for (std::uint32_t c = begin; c < end; c += kPlaces)
    {
      const std::uint32_t *a = ends.a + c, *b = ends.b + c;
      for (int l = 0; l < kPlaces; ++l)
        __builtin_prefetch(&state.position[b[l + ListView::kAhead - kPlaces]]);
      const auto x =
        loadRows<kPlaces>([&](int l) -> const Vec4<double>& { return state.position[a[l]]; });
      const auto y =
        loadRows<kPlaces>([&](int l) -> const Vec4<double>& { return state.position[b[l]]; });
      Vec3<Places> apart{ y.x - x.x, y.y - x.y, y.z - x.z };
      if (kPeriodic)
        apart = law.box.image(apart);
      const Places distance2 = dot(apart, apart), reach = x.w + y.w, reach2 = reach * reach;
      // As in PairGeometry, NaN counts as touching. Particles that have left do not touch.
      unsigned touching = (!(distance2 >= reach2) && !(x.x > Places(0.5 * kGone))).ones();
      if (end - c < static_cast<std::uint32_t>(kPlaces))
        touching &= (1u << (end - c)) - 1;
      if (cohesive)
        touching |= stretched(c, touched(slots, c, end - c) & ~touching);
      const unsigned ones = keep(c, end - c, touching);
      if (!ones)
        continue;
      for (int l = 0; l < kPlaces; ++l) // read by contacts()
      {
        __builtin_prefetch(&state.velocity[b[l]]);
        __builtin_prefetch(&state.spin[b[l]]);
      }
      storeSome<kPlaces>(a, ones, batch.a + n);
      storeSome<kPlaces>(b, ones, batch.b + n);
      std::uint32_t contact[kPlaces];
      for (int l = 0; l < kPlaces; ++l)
        contact[l] = c + l;
      storeSome<kPlaces>(contact, ones, batch.contact + n);
      storeSome(Rounded(apart.x), ones, batch.apart_x + n);
      storeSome(Rounded(apart.y), ones, batch.apart_y + n);
      storeSome(Rounded(apart.z), ones, batch.apart_z + n);
      storeSome(Rounded(reach2 - distance2), ones, batch.gap2 + n);
      storeSome(Rounded(x.w), ones, batch.radius_a + n);
      storeSome(Rounded(y.w), ones, batch.radius_b + n);
      n += __builtin_popcount(ones);
    }
    batch.size = n;
  }

  // Bits of the contacts from c on, of those in `apart`, that cohesion holds together.
  unsigned stretched(std::uint32_t c, unsigned apart) const
  {
    unsigned held = 0;
    for (; apart; apart &= apart - 1)
    {
      const int l = __builtin_ctz(apart);
      const std::uint32_t a = ends.a[c + l], b = ends.b[c + l];
      const Vec4<double> x = state.position[a], y = state.position[b];
      if (!isGone(x.x) &&
        isStretched(law, state.spin, a, b, pairGeometry<Real>(law.box, x, y),
          static_cast<Real>(x.w), static_cast<Real>(y.w)))
        held |= 1u << l;
    }
    return held;
  }

  static int filled(const Batch& batch) { return (batch.size + kLanes - 1) / kLanes * kLanes; }

  // Unused lanes of the last pack repeat its first contact.
  static void fillUp(Batch& batch)
  {
    const int first = filled(batch) - kLanes;
    for (int k = batch.size; k < filled(batch); ++k)
    {
      batch.a[k] = batch.a[first];
      batch.b[k] = batch.b[first];
      batch.contact[k] = batch.contact[first];
      batch.apart_x[k] = batch.apart_x[first];
      batch.apart_y[k] = batch.apart_y[first];
      batch.apart_z[k] = batch.apart_z[first];
      batch.gap2[k] = batch.gap2[first];
      batch.radius_a[k] = batch.radius_a[first];
      batch.radius_b[k] = batch.radius_b[first];
    }
  }

  PairCoefficients<Reals> coefficients(const Reals& material_a, const Reals& material_b) const
  {
    constexpr int kCount = PairCoefficients<Real>::kCount;
    using Places = std::make_index_sequence<kCount>;
    Real values[kCount];
    if (law.materials == 1)
    {
      std::memcpy(values, &law.pairs[0], sizeof values);
      return packed([&](std::size_t c) { return Reals(values[c]); }, Places{});
    }
    Lanes<Real> lanes[kCount], ma, mb;
    material_a.store(ma.at);
    material_b.store(mb.at);
    for (int k = 0; k < kLanes; ++k)
    {
      std::memcpy(values, &law.pair(ma[k], mb[k]), sizeof values);
      for (int c = 0; c < kCount; ++c)
        lanes[c][k] = values[c];
    }
    return packed([&](std::size_t c) { return Reals::load(lanes[c].at); }, Places{});
  }

  // Coefficients whose c-th member is of(c).
  template <class Of, std::size_t... kPlacesOf>
  static PairCoefficients<Reals> packed(const Of& of, std::index_sequence<kPlacesOf...>)
  {
    return { of(kPlacesOf)... };
  }
};

/// Evaluates the contacts that a range of particles owns. Writes their histories, flags and
/// records, and the loads on their particles a.
template <class Real>
struct EvaluatePairs
{
  OwnedPairs<Real> pairs;
  StepControl* control;
  PairRecord<Real>* records;
  Real dt;
  unsigned batch_step;
  GhostBits ghosts; // their energies are booked by the part that owns them

  void operator()(std::uint32_t begin, std::uint32_t end) const
  {
    if (control->forceHalted(batch_step))
      return;
    if (pairs.law.law.isPlain())
      evaluateAll<true>(begin, end);
    else
      evaluateAll<false>(begin, end);
  }

private:
  using Reals = typename OwnedPairs<Real>::Reals;
  using Batch = typename OwnedPairs<Real>::Batch;
  static constexpr int kLanes = OwnedPairs<Real>::kLanes;
  template <class T>
  using Lanes = typename OwnedPairs<Real>::template Lanes<T>;

  template <bool kPlain>
  void evaluateAll(std::uint32_t begin, std::uint32_t end) const
  {
    const StateView<Real>& state = pairs.state;
    std::memset(static_cast<void*>(state.force + begin), 0, (end - begin) * sizeof(Vec4<Real>));
    std::memset(static_cast<void*>(state.torque + begin), 0, (end - begin) * sizeof(Vec4<Real>));
    EnergySum dissipated, stiffness_work;
    unsigned terms = 0;
    const auto close = [&] {
      state.books.book(begin / 128, BookedEnergy::Dissipated, dissipated);
      state.books.book(begin / 128, BookedEnergy::StiffnessWork, stiffness_work);
      dissipated = stiffness_work = {};
      terms = 0;
    };
    pairs.forEachChunk(
      begin, end,
      [&](std::uint32_t c, std::uint32_t left, unsigned touching) {
        endOthers(c, left, touching);
        return touching;
      },
      [&](Batch& batch) {
        alignas(64) Real lost[2][OwnedPairs<Real>::kRoom];
        for (int k = 0; k < batch.size; k += kLanes)
          evaluate<kPlain>(batch, k, lost[0] + k, lost[1] + k);
        putBack(batch);
        for (int k = 0; ghosts && k < batch.size; ++k)
          if (ghosts.has(batch.a[k]))
            lost[0][k] = lost[1][k] = 0;
        addTerms(dissipated, lost[0], batch.size);
        addTerms(stiffness_work, lost[1], batch.size);
        terms += OwnedPairs<Real>::kChunk;
        if (terms == EnergySum::kTerms)
          close();
      });
    close();
  }

  // Clears flags and history of contacts that touched before and no longer do.
  void endOthers(std::uint32_t c, std::uint32_t left, unsigned touching) const
  {
    const ContactSlots<Real>& slots = pairs.slots;
    for (unsigned ended = OwnedPairs<Real>::touched(slots, c, left) & ~touching; ended;
         ended &= ended - 1)
    {
      const std::uint32_t contact = c + __builtin_ctz(ended);
      slots.flags[contact] = 0;
      slots.history.clear(historyColumns(pairs.law.law), contact);
    }
  }

  // Writes histories and flags to their slots.
  void putBack(const Batch& batch) const
  {
    const ContactSlots<Real>& slots = pairs.slots;
    for (int column = 0; column < historyColumns(pairs.law.law); ++column)
    {
      Real* to = &slots.history.at(column, 0);
      for (int k = 0; k < batch.size; ++k)
        to[batch.contact[k]] = batch.history[column][k];
    }
    for (int k = 0; k < batch.size; ++k)
      slots.flags[batch.contact[k]] = static_cast<std::uint8_t>(batch.flags[k]);
  }

  void addTerms(EnergySum& sum, const Real* joule, int n) const
  {
    const double per_joule = pairs.state.books.per_joule;
    long long high = 0, low = 0;
    for (int k = 0; k < n; ++k)
    {
      EnergySum term;
      term.add(joule[k] * per_joule);
      high += term.high;
      low += term.low;
    }
    sum += EnergySum{ high, low };
  }

  // Evaluates a pack of contacts, from k of the batch on. Their energies (J) are written to
  // `dissipated` and `stiffness_work`.
  template <bool kPlain>
  __attribute__((flatten)) void evaluate(
    Batch& batch, int k, Real* dissipated, Real* stiffness_work) const
  {
    const int n = batch.size - k < kLanes ? batch.size - k : kLanes;
    const StateView<Real>& state = pairs.state;
    const std::uint32_t *a = batch.a + k, *contact = batch.contact + k;
    ContactHistory<Reals> history;
    const PairContact<Reals> c = pairs.template contacts<true, kPlain>(batch, k, dt, history);

    LawParameters<Real> rules = pairs.law.law;
    if constexpr (kPlain)
      rules.knowPlain();
    writeHistory<Reals>(rules, history,
      [&](int column, const Reals& value) { value.store(batch.history[column] + k); });
    const typename Reals::Bits flags =
      (history.sliding.bits() & typename Reals::Lane(kSliding)) | typename Reals::Lane(kTouching);
    std::memcpy(batch.flags + k, &flags, sizeof flags);

    using Turned = Rows<Real, kLanes>;
    const Reals zero(0);
    const Turned on_a({ c.on_a.x, c.on_a.y, c.on_a.z, zero }),
      torque_b({ c.torque_b.x, c.torque_b.y, c.torque_b.z, zero }),
      torque_a({ c.torque_a.x, c.torque_a.y, c.torque_a.z, zero });
    for (int l = 0; l < n; ++l)
    {
      std::memcpy(&records[contact[l]].on_a, &on_a[l], sizeof on_a[l]);
      std::memcpy(&records[contact[l]].torque_b, &torque_b[l], sizeof torque_b[l]);
      state.force[a[l]] = state.force[a[l]] + on_a[l];
      state.torque[a[l]] = state.torque[a[l]] + torque_a[l];
    }
    c.force.dissipated.store(dissipated);
    c.force.stiffness_work.store(stiffness_work);
    for (int l = 0; rules.heats && l < n; ++l)
    {
      state.heat.give(a[l], dissipated[l]);
      state.heat.give(batch.b[k + l], dissipated[l]);
    }
    const Reals radius_a = Reals::load(batch.radius_a + k),
                radius_b = Reals::load(batch.radius_b + k);
    const Reals smaller = select(radius_a < radius_b, radius_a, radius_b);
    if (const unsigned deep = (!(c.overlap < Reals(0.5) * smaller)).ones())
      for (int l = 0; l < n; ++l)
        if (deep >> l & 1)
          atomicLower(&control->error, packError(batch_step, FailureKind::Overlap, state.id[a[l]]));
  }
};

/// Computes the values that a frame shows of the contacts that a range of particles owns.
template <class Real>
struct MeasurePairs
{
  OwnedPairs<Real> pairs;
  MeasuredPair<Real>* measured;
  Real dt;

  void operator()(std::uint32_t begin, std::uint32_t end) const
  {
    pairs.forEachChunk(
      begin, end,
      [&](std::uint32_t c, std::uint32_t left, unsigned) {
        return OwnedPairs<Real>::touched(pairs.slots, c, left);
      },
      [&](const typename OwnedPairs<Real>::Batch& batch) {
        for (int k = 0; k < batch.size; k += kLanes)
          evaluate(batch, k);
      });
  }

private:
  using Reals = typename OwnedPairs<Real>::Reals;
  static constexpr int kLanes = OwnedPairs<Real>::kLanes;

  void evaluate(const typename OwnedPairs<Real>::Batch& batch, int k) const
  {
    ContactHistory<Reals> history;
    const PairContact<Reals> c = pairs.template contacts<false, false>(batch, k, dt, history);
    typename OwnedPairs<Real>::template Lanes<Real> out[9];
    const Reals values[9] = { c.normal.x, c.normal.y, c.normal.z, c.force.tangential.x,
      c.force.tangential.y, c.force.tangential.z, c.force.normal, c.overlap,
      c.force.elastic_energy };
    for (int v = 0; v < 9; ++v)
      values[v].store(out[v].at);
    for (int l = 0; l < kLanes && k + l < batch.size; ++l)
      measured[batch.contact[k + l]] = { { out[0][l], out[1][l], out[2][l] },
        { out[3][l], out[4][l], out[5][l] }, out[6][l], out[7][l], out[8][l] };
  }
};

/// Adds the loads of contacts with lower Ids to each particle of a range. Only records of touching
/// contacts are read. They are found and prefetched for several particles first, then added.
template <class Real>
struct AddRecords
{
  StateView<Real> state;
  StepControl* control;
  ListView list;
  const std::uint8_t* flags; // of the contacts
  const PairRecord<Real>* records;
  unsigned batch_step;

  void operator()(std::uint32_t begin, std::uint32_t end) const
  {
    if (control->forceHalted(batch_step))
      return;
    std::uint32_t touching[kFound], last[kParticles];
    for (std::uint32_t i = begin; i < end;)
    {
      std::uint32_t n = 0, found = 0;
      for (; n < kParticles && i + n < end && found + list.lower(i + n) <= kFound; ++n)
        last[n] = found = find(i + n, touching, found);
      if (n == 0) // the particle has more than kFound neighbours
      {
        addMany(i++);
        continue;
      }
      for (std::uint32_t k = 0, at = 0; k < n; ++k)
      {
        Record sum(Real(0));
        for (; at < last[k]; ++at)
          sum += recordOf(touching[at]);
        add(i + k, sum);
      }
      i += n;
    }
  }

private:
  using Record = Pack<Real, 8>; // force and torque together
  static_assert(sizeof(PairRecord<Real>) == sizeof(Record));
  static constexpr std::uint32_t kParticles = 32, kFound = 512;

  // Appends the touching contacts of particle i with lower Ids. Returns their new number.
  std::uint32_t find(std::uint32_t i, std::uint32_t* touching, std::uint32_t found) const
  {
    const std::uint32_t* contact = list.shared_contact + list.start(i);
    const std::uint32_t* end = contact + list.lower(i);
    for (; contact != end; ++contact)
    {
      __builtin_prefetch(&flags[contact[ListView::kAhead]]);
      touching[found] = *contact;
      __builtin_prefetch(&records[touching[found]]);
      found += flags[*contact] & kTouching;
    }
    return found;
  }

  Record recordOf(std::uint32_t contact) const
  {
    constexpr Real kSigns[8] = { -1, -1, -1, -1, 1, 1, 1, 1 };
    return Record::load(kSigns) * Record::load(&records[contact].on_a.x);
  }

  void addMany(std::uint32_t i) const
  {
    Record sum(Real(0));
    const std::uint32_t begin = list.start(i), end = begin + list.lower(i);
    for (std::uint32_t slot = begin; slot < end; ++slot)
      if (flags[list.contact(slot)] & kTouching)
        sum += recordOf(list.contact(slot));
    add(i, sum);
  }

  void add(std::uint32_t i, const Record& sum) const
  {
    if (isGone(state.position[i].x))
      return;
    const typename Record::Values v = sum.values();
    state.force[i] = Vec4<Real>{ v[0], v[1], v[2], Real(0) } + state.force[i];
    state.torque[i] = Vec4<Real>{ v[4], v[5], v[6], Real(0) } + state.torque[i];
  }
};

} // namespace dem
