// Pair forces on the CPU: each pair is evaluated once, by its lower Id a, a pack of contacts at a
// time. Its force is added to a at once, in ascending Id of b, and left in a record; then each
// particle adds the records of its lower neighbours, ascending too. The order of every sum is that
// of the Ids, so the bits do not depend on how contacts fall into packs, ranges or lists.
#pragma once

#include "Core/Pack.h"
#include "Forces/MeasuredPair.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"

namespace dem
{

/// The particles of each contact, as long as the list: a has the lower Id. kAhead zeros follow the
/// last of each.
struct ContactEnds
{
  std::uint32_t *a, *b;
};

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

/// The contacts that a range of particles owns, a chunk of the list at a time: what touches is
/// found in packs of places and set down side by side, then evaluated in packs of contacts.
template <class Real>
struct OwnedPairs
{
  using Reals = Pack<Real>;
  using Places = Pack<double>;
  static constexpr int kLanes = Reals::kLanes;
  static constexpr int kPlaces = Places::kLanes;
  static constexpr std::uint32_t kChunk =
    256; // contacts: what is kept of them stays in the first cache
  static constexpr int kRoom = kChunk + 16; // packs are written whole
  static constexpr int kColumns = LawParameters<Real>::kMostColumnsOfSpheres;

  template <class T>
  struct alignas(64) Lanes
  {
    T at[kLanes];
    T& operator[](int k) { return at[k]; }
    const T& operator[](int k) const { return at[k]; }
  };

  /// Contacts that are to be evaluated, in their order.
  struct Batch
  {
    int size = 0;
    alignas(64) std::uint32_t a[kRoom], b[kRoom], contact[kRoom];
    alignas(64) Real apart_x[kRoom], apart_y[kRoom], apart_z[kRoom], gap2[kRoom], radius_a[kRoom],
      radius_b[kRoom];
    alignas(64) Real history[kColumns][kRoom];
    alignas(64) typename Reals::Lane flags[kRoom]; // before, and what the law makes of them
  };

  StateView<Real> state;
  LawView<Real> law;
  ContactEnds ends;
  const std::uint32_t* first_owned;
  ContactSlots<Real> slots;

  /// keep(c, touching) says of each pack of contacts, from c on, which of them are kept, bit by
  /// bit, if it knows which of them touch; use(batch) takes those of a chunk.
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
      for (int column = 0; column < law.law.columns(); ++column)
      {
        const Real* from = &slots.history.at(column, 0);
        for (int k = 0; k < filled(batch); ++k)
          batch.history[column][k] = from[batch.contact[k]];
      }
      use(batch);
    }
  }

  /// Contacts k.. of a batch and their histories. With `kPlain` the options of the law are known to
  /// the compiler.
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

  /// Which contacts of a pack, from c on, have flags, bit by bit; `left` are there.
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
      // as PairGeometry: what is not a number touches; who has left touches nobody
      unsigned touching = (!(distance2 >= reach2) && !(x.x > Places(0.5 * kGone))).ones();
      if (end - c < static_cast<std::uint32_t>(kPlaces))
        touching &= (1u << (end - c)) - 1;
      const unsigned ones = keep(c, end - c, touching);
      if (!ones)
        continue;
      for (int l = 0; l < kPlaces; ++l) // for who takes the chunk
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

  static int filled(const Batch& batch) { return (batch.size + kLanes - 1) / kLanes * kLanes; }

  // Lanes to spare repeat the first contact of their pack.
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
    if (law.materials == 1)
    {
      const PairCoefficients<Real>& p = law.pairs[0];
      return { p.normal, p.tangential, p.damping, p.friction, p.rolling, p.linear,
        p.tangential_damping };
    }
    Lanes<Real> lanes[7], ma, mb;
    material_a.store(ma.at);
    material_b.store(mb.at);
    for (int k = 0; k < kLanes; ++k)
    {
      const PairCoefficients<Real>& p = law.pair(ma[k], mb[k]);
      lanes[0][k] = p.normal;
      lanes[1][k] = p.tangential;
      lanes[2][k] = p.damping;
      lanes[3][k] = p.friction;
      lanes[4][k] = p.rolling;
      lanes[5][k] = p.linear;
      lanes[6][k] = p.tangential_damping;
    }
    const auto pack = [](const Lanes<Real>& l) { return Reals::load(l.at); };
    return { pack(lanes[0]), pack(lanes[1]), pack(lanes[2]), pack(lanes[3]), pack(lanes[4]),
      pack(lanes[5]), pack(lanes[6]) };
  }
};

/// The contacts that a range of particles owns: their histories, their records and what they do to
/// their particles a.
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
        addTerms(dissipated, lost[0], batch.size);
        addTerms(stiffness_work, lost[1], batch.size);
        terms += OwnedPairs<Real>::kChunk;
        if (terms == EnergySum::kTerms)
          close();
      });
    close();
  }

  // Contacts that touched and do so no longer.
  void endOthers(std::uint32_t c, std::uint32_t left, unsigned touching) const
  {
    const ContactSlots<Real>& slots = pairs.slots;
    for (unsigned ended = OwnedPairs<Real>::touched(slots, c, left) & ~touching; ended;
         ended &= ended - 1)
    {
      const std::uint32_t contact = c + __builtin_ctz(ended);
      slots.flags[contact] = 0;
      slots.history.clear(pairs.law.law.columns(), contact);
    }
  }

  // Histories and flags into their slots.
  void putBack(const Batch& batch) const
  {
    const ContactSlots<Real>& slots = pairs.slots;
    for (int column = 0; column < pairs.law.law.columns(); ++column)
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

  // Contacts k.. of the batch; what they lose goes to `dissipated` and `stiffness_work`.
  template <bool kPlain>
  void evaluate(Batch& batch, int k, Real* dissipated, Real* stiffness_work) const
  {
    const int n = batch.size - k < kLanes ? batch.size - k : kLanes;
    const StateView<Real>& state = pairs.state;
    const std::uint32_t *a = batch.a + k, *contact = batch.contact + k;
    ContactHistory<Reals> history;
    const PairContact<Reals> c = pairs.template contacts<true, kPlain>(batch, k, dt, history);

    LawParameters<Real> rules = pairs.law.law;
    if constexpr (kPlain)
      rules.knowPlain();
    writeHistory(rules, history,
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
      records[contact[l]] = { on_a[l], torque_b[l] };
      state.force[a[l]] = state.force[a[l]] + on_a[l];
      state.torque[a[l]] = state.torque[a[l]] + torque_a[l];
    }
    c.force.dissipated.store(dissipated);
    c.force.stiffness_work.store(stiffness_work);
    const Reals radius_a = Reals::load(batch.radius_a + k),
                radius_b = Reals::load(batch.radius_b + k);
    const Reals smaller = select(radius_a < radius_b, radius_a, radius_b);
    if (const unsigned deep = (!(c.overlap < Reals(0.5) * smaller)).ones())
      for (int l = 0; l < n; ++l)
        if (deep >> l & 1)
          atomicLower(&control->error, packError(batch_step, FailureKind::Overlap, state.id[a[l]]));
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

/// Adds what the contacts with lower Ids do to each particle, for ranges of particles. Only records
/// of what touches are read: first they are found for some particles and called into the cache,
/// then added.
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
      if (n == 0) // one with more neighbours than there is room for
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
  using Record = Pack<Real, 8>; // force and torque at once
  static_assert(sizeof(PairRecord<Real>) == sizeof(Record));
  static constexpr std::uint32_t kParticles = 32, kFound = 512;

  // Appends the touching contacts of particle i with lower Ids; gives back how many there are now.
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
