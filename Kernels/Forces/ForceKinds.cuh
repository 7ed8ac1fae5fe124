// Force loops of the list kinds (Kureck 2016, chapter 5; Nakahara and Washizawa), for host and
// device. Used by KindLists.cuh; ShapePairs.cuh uses the row sums. Except for sums by atomics
// (NeighborListOptions::addsByAtomics), loads are summed as in the default: those from lower Ids,
// ascending, plus those from higher Ids, ascending. So the results have the same bits.
#pragma once

#include "NeighborList/SlotList.cuh"
#include "NeighborList/StepSearch.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"

namespace dem
{

/// Adds to a sum that many threads update. The order of the additions is not deterministic, so only
/// lists with addsByAtomics() use it; their options document this.
template <class T>
DEM_HD void atomicSum(T* address, T value)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(address, value);
#else
  T seen = *static_cast<volatile T*>(address), sum = seen + value;
  while (!__atomic_compare_exchange(address, &seen, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    sum = seen + value;
#endif
}

/// Load of one entry on the particle of its row. The w components hold the contact's dissipated
/// energy and stiffness work (J) in the row of the lower Id, else 0.
template <class Real>
struct EntryLoad
{
  Vec4<Real> force, torque;
};

/// Energies that the contacts of a particle book in a step. They are summed in the precision of the
/// default's loops (PairsOnce.cuh, StepWarps.cuh).
template <class Real>
struct RowEnergy
{
  Real dissipated{}, stiffness_work{};
  EnergySum dissipated_sum, stiffness_work_sum;

  DEM_HD void add(const EnergyBooks& books, Real d, Real w)
  {
#if defined(__CUDA_ARCH__)
    dissipated += d;
    stiffness_work += w;
    (void)books;
#else
    dissipated_sum.add(d * books.per_joule);
    stiffness_work_sum.add(w * books.per_joule);
#endif
  }
  DEM_HD void close(const EnergyBooks& books, std::uint32_t i)
  {
#if defined(__CUDA_ARCH__)
    dissipated_sum.add(dissipated * books.per_joule);
    stiffness_work_sum.add(stiffness_work * books.per_joule);
#endif
    books.book(i / 128, BookedEnergy::Dissipated, dissipated_sum);
    books.book(i / 128, BookedEnergy::StiffnessWork, stiffness_work_sum);
  }
};

/// Sums of a row, in the order of the default.
template <class Real>
struct RowSum
{
  Load<Real> lower, higher;

  DEM_HD void add(bool is_lower, const Vec4<Real>& force, const Vec4<Real>& torque)
  {
    // selecting a reference would put both in local memory on a device
    if (is_lower)
    {
      lower.force += force.xyz();
      lower.torque += torque.xyz();
    }
    else
    {
      higher.force += force.xyz();
      higher.torque += torque.xyz();
    }
  }
  DEM_HD void write(const StateView<Real>& state, std::uint32_t i) const
  {
    state.force[i] = vec4(lower.force + higher.force, Real(0));
    state.torque[i] = vec4(lower.torque + higher.torque, Real(0));
  }
};

/// Evaluation of one entry, common to all loops: geometry, law, history, and the report of overlaps
/// that are too large. With `kPlain` the options of the law are compile-time constants.
template <class Real, bool kPlain>
struct EntryContact
{
  StateView<Real> state;
  StepControl* control;
  LawView<Real> law;
  Real dt;
  unsigned batch_step;

  DEM_HD LawView<Real> knownLaw() const
  {
    LawView<Real> view = law;
    if constexpr (kPlain)
      view.law.knowPlain();
    return view;
  }

  DEM_HD PairGeometry<Real> geometry(const Vec4<double>& x, const Vec4<double>& y, bool lower) const
  {
    return pairGeometry<Real>(law.box, pick(lower, y, x), pick(lower, x, y));
  }

  /// Whether the contact of particles i and j acts; `touched`: it did in the previous step.
  DEM_HD bool touches(std::uint32_t i, const Vec4<double>& x, std::uint32_t j,
    const Vec4<double>& y, const PairGeometry<Real>& g, bool touched) const
  {
    return touching(knownLaw(), state.spin, i, j, g, x.w, y.w, touched);
  }

  /// Evaluates the contact of particle i at x with its touching neighbour j at y, and advances its
  /// history. `lower`: j has the lower Id. Both sides of a pair compute the same bits.
  DEM_HD PairContact<Real> advance(std::uint32_t i, const Vec4<double>& x, std::uint32_t j,
    const Vec4<double>& y, bool lower, const PairGeometry<Real>& g, bool begins,
    ContactHistory<Real>& history) const
  {
    const Vec4<Real> vi = state.velocity[i], wi = state.spin[i], vj = state.velocity[j],
                     wj = state.spin[j];
    const PairContact<Real> c =
      pairContact<true>(knownLaw(), g, pick(lower, y, x), pick(lower, x, y), pick(lower, vj, vi),
        pick(lower, vi, vj), pick(lower, wj, wi), pick(lower, wi, wj), dt, begins, history);
    const double smaller = x.w < y.w ? x.w : y.w;
    if (!(c.overlap < 0.5 * smaller))
      atomicLower(
        &control->error, packError(batch_step, FailureKind::Overlap, state.id[lower ? j : i]));
    return c;
  }

  DEM_HD static std::uint8_t flagsOf(const ContactHistory<Real>& history)
  {
    return static_cast<std::uint8_t>(kTouching | (history.sliding ? kSliding : 0));
  }
  DEM_HD static EntryLoad<Real> loadOf(const PairContact<Real>& c, bool lower)
  {
    if (lower)
      return { vec4(-c.on_a, Real(0)), vec4(c.torque_b, Real(0)) };
    return { vec4(c.on_a, c.force.dissipated), vec4(c.torque_a, c.force.stiffness_work) };
  }
};

/// Entries of a slot list, with their histories.
template <class Real, bool kPlain>
struct ListedContacts
{
  EntryContact<Real, kPlain> contact;
  SlotList list;
  ContactSlots<Real> slots;

  /// If the entry at `place` of row i touches, advances its history and calls touching(neighbour,
  /// lower, contact). Otherwise clears its flags.
  template <class Touching>
  DEM_HD void evaluate(
    std::uint32_t i, const Vec4<double>& x, std::uint32_t place, const Touching& touching) const
  {
    const std::uint32_t entry = list.entries[place], j = entry & ListView::kIndex;
    const bool lower = entry & ListView::kLowerId;
    const std::uint8_t flags = slots.flags[place];
    const Vec4<double> y = contact.state.position[j];
    const PairGeometry<Real> g = contact.geometry(x, y, lower);
    if (isGone(x.x) || !contact.touches(i, x, j, y, g, flags & kTouching))
    {
      if (flags)
        slots.flags[place] = 0;
      return;
    }
    const LawParameters<Real> law = contact.knownLaw().law;
    ContactHistory<Real> history;
    if (flags & kTouching)
      history = loadHistory(law, slots.history, place);
    const PairContact<Real> c =
      contact.advance(i, x, j, y, lower, g, !(flags & kTouching), history);
    storeHistory(law, slots.history, place, history);
    slots.flags[place] = contact.flagsOf(history);
    touching(j, lower, c);
  }
};

/// Adds a force and a torque to particle i by atomics.
template <class Real>
DEM_HD void addLoad(
  const StateView<Real>& state, std::uint32_t i, const Vec3<Real>& force, const Vec3<Real>& torque)
{
  atomicSum(&state.force[i].x, force.x);
  atomicSum(&state.force[i].y, force.y);
  atomicSum(&state.force[i].z, force.z);
  atomicSum(&state.torque[i].x, torque.x);
  atomicSum(&state.torque[i].y, torque.y);
  atomicSum(&state.torque[i].z, torque.z);
}

/// Sets all loads to zero, before a loop that adds by atomics.
template <class Real>
struct ClearLoads
{
  StateView<Real> state;
  StepControl* control;
  unsigned batch_step;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (!control->forceHalted(batch_step))
      state.force[i] = state.torque[i] = {};
  }
};

/// One thread per particle (Kureck 5.1, 5.2). In a symmetric list the loads on neighbours are added
/// by atomics (5.3). `slots_only`: pairs beyond the slots are left to EvaluateEntries, and the sum
/// is added by atomics.
template <class Real, bool kPlain>
struct EvaluateRows
{
  ListedContacts<Real, kPlain> pairs;
  bool symmetric, slots_only = false;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const StateView<Real>& state = pairs.contact.state;
    if (pairs.contact.control->forceHalted(pairs.contact.batch_step))
      return;
    const Vec4<double> x = state.position[i];
    RowSum<Real> sum;
    RowEnergy<Real> booked;
    std::uint32_t count = pairs.list.count[i];
    if (slots_only && count > pairs.list.size)
      count = pairs.list.size;
    for (std::uint32_t s = 0; s < count; ++s)
      pairs.evaluate(
        i, x, pairs.list.place(i, s), [&](std::uint32_t j, bool lower, const PairContact<Real>& c) {
          const EntryLoad<Real> load = EntryContact<Real, kPlain>::loadOf(c, lower);
          sum.add(lower, load.force, load.torque);
          if (!lower)
            booked.add(state.books, load.force.w, load.torque.w);
          if (symmetric)
            addLoad(state, j, -c.on_a, c.torque_b);
        });
    if (isGone(x.x))
      return;
    booked.close(state.books, i);
    if (symmetric || slots_only)
      addLoad(state, i, sum.lower.force + sum.higher.force, sum.lower.torque + sum.higher.torque);
    else
      sum.write(state, i);
  }
};

#if defined(__CUDACC__)
template <class Real>
__device__ Vec4<Real> fromLane(unsigned mask, const Vec4<Real>& v, int lane, int width)
{
  return { __shfl_sync(mask, v.x, lane, width), __shfl_sync(mask, v.y, lane, width),
    __shfl_sync(mask, v.z, lane, width), __shfl_sync(mask, v.w, lane, width) };
}
#endif

/// One thread per contact with a reduction in the warp (Kureck 5.1, 5.2), on CUDA. Eight lanes take
/// the entries of a particle, eight at a time, and exchange their loads by shuffles. Kureck halves
/// the number of active lanes (EvaluateByHalving); here the loads are added one after another, so
/// that sums keep their order. It is slower than EvaluateEntries with SumRows
/// (docs/notes/PaperTables.md), because a row of more than eight entries takes its warp a second
/// pass.
template <class Real, bool kPlain>
struct EvaluateRowsByLanes
{
  static constexpr std::uint32_t kLanes = 8; // about the length of a row among equal spheres

  ListedContacts<Real, kPlain> pairs;

  DEM_HD void operator()(std::uint32_t thread) const
  {
#if defined(__CUDA_ARCH__)
    const StateView<Real>& state = pairs.contact.state;
    if (pairs.contact.control->forceHalted(pairs.contact.batch_step))
      return;
    const std::uint32_t i = thread / kLanes, lane = thread % kLanes,
                        first = threadIdx.x % 32 - lane;
    const unsigned mask = ((1u << kLanes) - 1) << first;
    const Vec4<double> x = state.position[i];
    RowSum<Real> sum;
    RowEnergy<Real> booked;
    const std::uint32_t count = pairs.list.count[i];
    for (std::uint32_t begin = 0; begin < count; begin += kLanes)
    {
      bool touches = false, is_lower = false;
      EntryLoad<Real> load{};
      if (begin + lane < count)
        pairs.evaluate(i, x, pairs.list.place(i, begin + lane),
          [&](std::uint32_t, bool lower, const PairContact<Real>& c) {
            touches = true;
            is_lower = lower;
            load = EntryContact<Real, kPlain>::loadOf(c, lower);
          });
      const unsigned lowers = __ballot_sync(mask, is_lower) >> first;
      for (unsigned left = __ballot_sync(mask, touches) >> first & ((1u << kLanes) - 1); left;
           left &= left - 1)
      {
        const int k = __ffs(left) - 1;
        const Vec4<Real> force = fromLane(mask, load.force, k, kLanes),
                         torque = fromLane(mask, load.torque, k, kLanes);
        sum.add(lowers >> k & 1, force, torque);
        if (!(lowers >> k & 1))
          booked.add(state.books, force.w, torque.w);
      }
    }
    const bool writes = lane == 0 && !isGone(x.x);
    if (!writes)
      booked = {};
    __syncwarp(mask);
    booked.close(state.books, i); // the lanes of a warp are summed there
    if (writes)
      sum.write(state, i);
#else
    (void)thread;
#endif
  }
};

/// One thread per contact (Kureck 5.1, 5.2), for each place of the list from `first` on. The loads
/// are stored, and SumRows adds them in a fixed order; or they are added by atomics.
template <class Real, bool kPlain>
struct EvaluateEntries
{
  ListedContacts<Real, kPlain> pairs;
  bool symmetric;
  EntryLoad<Real>* loads; // by place; null: atomics
  std::uint32_t first = 0;

  DEM_HD void operator()(std::uint32_t thread) const
  {
    const std::uint32_t place = first + thread;
    const StateView<Real>& state = pairs.contact.state;
    if (pairs.contact.control->forceHalted(pairs.contact.batch_step))
      return;
    const SlotList& list = pairs.list;
    const bool in_slots = place < list.slots();
    const std::uint32_t i = in_slots ? place % list.n : list.owner[place - list.slots()];
    if (in_slots && place / list.n >= list.count[i])
      return;
    pairs.evaluate(
      i, state.position[i], place, [&](std::uint32_t j, bool lower, const PairContact<Real>& c) {
        const EntryLoad<Real> load = EntryContact<Real, kPlain>::loadOf(c, lower);
        if (loads)
        {
          loads[place] = load;
          return;
        }
        addLoad(state, i, load.force.xyz(), load.torque.xyz());
        if (symmetric)
          addLoad(state, j, -c.on_a, c.torque_b);
        if (lower)
          return;
        RowEnergy<Real> booked;
        booked.add(state.books, load.force.w, load.torque.w);
        booked.close(state.books, i);
      });
  }
};

/// Sums the loads of each row in ascending Id. `unsorted`: the entries of rows do not ascend, so
/// the next Id is searched each time.
template <class Real>
struct SumRows
{
  StateView<Real> state;
  StepControl* control;
  unsigned batch_step;
  SlotList list;
  const std::uint8_t* flags;
  const EntryLoad<Real>* loads;
  bool unsorted;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (control->forceHalted(batch_step) || isGone(state.position[i].x))
      return;
    RowSum<Real> sum;
    RowEnergy<Real> booked;
    const std::uint32_t count = list.count[i];
    std::int64_t last = -1;
    for (std::uint32_t s = 0; s < count; ++s)
    {
      const std::uint32_t place = unsorted ? nextAbove(i, last) : list.place(i, s);
      if (!(flags[place] & kTouching))
        continue;
      const EntryLoad<Real> load = loads[place];
      const bool lower = list.entries[place] & ListView::kLowerId;
      sum.add(lower, load.force, load.torque);
      if (!lower)
        booked.add(state.books, load.force.w, load.torque.w);
    }
    booked.close(state.books, i);
    sum.write(state, i);
  }

private:
  // Returns the place of the entry with the least Id above `last`, and sets `last` to that Id. The
  // linear search is cheap, because few particles touch one.
  DEM_HD std::uint32_t nextAbove(std::uint32_t i, std::int64_t& last) const
  {
    std::uint32_t found = 0;
    std::int64_t least = 0x7fffffffffffffffll;
    for (std::uint32_t s = 0; s < list.count[i]; ++s)
    {
      const std::uint32_t place = list.place(i, s);
      const std::int64_t id = state.id[list.entries[place] & ListView::kIndex];
      if (id > last && id <= least)
      {
        least = id;
        found = place;
      }
    }
    last = least;
    return found;
  }
};

//---- without a list: candidates come from the search in every step  ----

/// Touching pairs of the previous evaluation (`from`) and of this one (`to`).
template <class Real>
struct TouchingStores
{
  SlotList from, to;
  ContactSlots<Real> from_slots, to_slots;
  std::uint32_t* longest; // result: length of the longest row, if it exceeds the slots

  /// Whether row i of the previous evaluation has this entry.
  DEM_HD bool touched(std::uint32_t i, std::uint32_t entry) const
  {
    for (std::uint32_t t = 0; t < from.count[i]; ++t)
      if (from.entries[from.place(i, t)] == entry)
        return true;
    return false;
  }
};

/// Split Loop, first loop: lists the touching neighbours of each particle in ascending Id, and
/// copies the history of those that touched before (Nakahara 3.4).
template <class Real, bool kPlain>
struct FindTouching
{
  EntryContact<Real, kPlain> contact;
  StepSearch search;
  TouchingStores<Real> stores;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const StateView<Real>& state = contact.state;
    if (contact.control->forceHalted(contact.batch_step))
      return;
    const SlotList& to = stores.to;
    const Vec4<double> x = state.position[i];
    const std::int64_t* ids = state.id;
    const std::int64_t own = ids[i];
    const bool cohesive = contact.knownLaw().law.cohesion != CohesionModel::None;
    std::uint32_t count = 0;
    if (!isGone(x.x))
      search.candidates(i, [&](std::uint32_t j) {
        const bool lower = ids[j] < own;
        const std::uint32_t entry = j | (lower ? ListView::kLowerId : 0u);
        const Vec4<double> y = state.position[j];
        if (!contact.touches(
              i, x, j, y, contact.geometry(x, y, lower), cohesive && stores.touched(i, entry)))
          return;
        if (count < to.size)
          to.entries[to.place(i, count)] = entry;
        ++count;
      });
    if (count > to.size)
    {
      atomicRaise(stores.longest, count);
      count = to.size;
    }
    to.count[i] = count;
    sortRow(SlotRow{ to, i }, count,
      [ids](std::uint32_t entry) { return ids[entry & ListView::kIndex]; });
    const std::uint32_t old_count = stores.from.count[i];
    std::uint32_t t = 0;
    for (std::uint32_t s = 0; s < count; ++s)
    {
      const std::uint32_t place = to.place(i, s), entry = to.entries[place];
      const std::int64_t id = ids[entry & ListView::kIndex];
      while (
        t < old_count && ids[stores.from.entries[stores.from.place(i, t)] & ListView::kIndex] < id)
        ++t;
      stores.to_slots.flags[place] = 0;
      const std::uint32_t old_place = t < old_count ? stores.from.place(i, t) : 0;
      if (t == old_count || stores.from.entries[old_place] != entry)
        continue;
      stores.to_slots.flags[place] = stores.from_slots.flags[old_place];
      for (int c = 0; c < historyColumns(contact.knownLaw().law); ++c)
        stores.to_slots.history.at(c, place) = stores.from_slots.history.at(c, old_place);
    }
  }
};

/// Kind None: search and force in one loop. SumRows then adds the loads in the order of the Ids.
template <class Real, bool kPlain>
struct EvaluateCandidates
{
  EntryContact<Real, kPlain> contact;
  StepSearch search;
  TouchingStores<Real> stores;
  EntryLoad<Real>* loads;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const StateView<Real>& state = contact.state;
    if (contact.control->forceHalted(contact.batch_step))
      return;
    const SlotList& to = stores.to;
    const Vec4<double> x = state.position[i];
    const std::int64_t own = state.id[i];
    const bool cohesive = contact.knownLaw().law.cohesion != CohesionModel::None;
    std::uint32_t count = 0;
    if (!isGone(x.x))
      search.candidates(i, [&](std::uint32_t j) {
        const bool lower = state.id[j] < own;
        const Vec4<double> y = state.position[j];
        const PairGeometry<Real> g = contact.geometry(x, y, lower);
        const std::uint32_t entry = j | (lower ? ListView::kLowerId : 0u);
        if (!contact.touches(i, x, j, y, g, cohesive && stores.touched(i, entry)))
          return;
        const std::uint32_t s = count++;
        if (s >= to.size)
          return;
        const std::uint32_t place = to.place(i, s);
        ContactHistory<Real> history;
        const bool begins = !findHistory(i, entry, history);
        const PairContact<Real> c = contact.advance(i, x, j, y, lower, g, begins, history);
        storeHistory(contact.knownLaw().law, stores.to_slots.history, place, history);
        stores.to_slots.flags[place] = contact.flagsOf(history);
        to.entries[place] = entry;
        loads[place] = contact.loadOf(c, lower);
      });
    if (count > to.size)
    {
      atomicRaise(stores.longest, count);
      count = to.size;
    }
    to.count[i] = count;
  }

private:
  DEM_HD bool findHistory(std::uint32_t i, std::uint32_t entry, ContactHistory<Real>& history) const
  {
    const SlotList& from = stores.from;
    for (std::uint32_t t = 0; t < from.count[i]; ++t)
    {
      const std::uint32_t place = from.place(i, t);
      if (from.entries[place] != entry)
        continue;
      history = loadHistory(contact.knownLaw().law, stores.from_slots.history, place);
      return true;
    }
    return false;
  }
};

/// Stops the batch at a step in which a row needed more slots than it has. The next batch repeats
/// the step with more slots.
struct StopAtOverflow
{
  const std::uint32_t* longest;
  std::uint32_t size;
  StepControl* control;
  unsigned batch_step;

  DEM_HD void operator()(std::uint32_t) const
  {
    if (!control->forceHalted(batch_step) && *longest > size)
      atomicLower(&control->stop_step, batch_step);
  }
};

} // namespace dem
