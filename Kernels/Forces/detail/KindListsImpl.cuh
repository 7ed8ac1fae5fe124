// Members of KindLists that launch kernels. On CUDA, Forces/KindListsCuda.cu instantiates them
// apart from the engine, so that both compile at once.
#pragma once

#include "Forces/EvaluateByHalving.cuh"
#include "Forces/ForceKinds.cuh"
#include "Forces/KindLists.cuh"

#include <cstdint>
#include <utility>

namespace dem
{

template <class Exec, class Real>
void KindLists<Exec, Real>::list(CandidateSearch<Exec>& search, const Particles& p, int columns)
{
  columns_ = columns;
  if (everyStep())
    followParticles(p);
  else
    listCandidates(search, p);
}

template <class Exec, class Real>
void KindLists<Exec, Real>::queue(
  CandidateSearch<Exec>& search, const EntryContact<Real, false>& contact)
{
  if constexpr (Exec::kDevice)
    if (contact.law.law.isPlain())
      return queueKnown(search,
        EntryContact<Real, true>{
          contact.state, contact.control, contact.law, contact.dt, contact.batch_step });
  queueKnown(search, contact);
}

template <class Exec, class Real>
void KindLists<Exec, Real>::growTouching()
{
  if (!counters_.size())
    return;
  const std::uint32_t longest = readCounters().longest;
  if (longest <= size_)
    return;
  refuseFixed(longest);
  size_ = longest + longest / 4;
  ++redone_;
}

template <class Exec, class Real>
TouchingPairs KindLists<Exec, Real>::touching()
{
  sortUnsorted();
  return { stores_[current_].view(), stores_[current_].flags.data() };
}

template <class Exec, class Real>
void KindLists<Exec, Real>::show(const ListView& list, const ContactSlots<Real>& slots)
{
  sortUnsorted();
  Store& store = stores_[current_];
  exec_.forEach(store.n, ShowSlotHistory<Real>{ store.view(), list, copier(store.slots(), slots) });
}

template <class Exec, class Real>
void KindLists<Exec, Real>::take(
  const ListView& list, const ContactSlots<Real>& slots, const std::int64_t* id)
{
  sortUnsorted();
  Store& store = stores_[current_];
  if (!everyStep())
    return exec_.forEach(
      store.n, TakeHistory<Real>{ store.view(), list, id, copier(slots, store.slots()) });
  clearCounters();
  exec_.forEach(store.n, LongestRow{ list.count, &counters_.data()->longest });
  growTouching();
  clearCounters();
  resize(store, store.n, 0);
  exec_.forEach(store.n, TakeTouching<Real>{ store.view(), list, copier(slots, store.slots()) });
}

template <class Exec, class Real>
void KindLists<Exec, Real>::listCandidates(CandidateSearch<Exec>& search, const Particles& p)
{
  if (options_.kind == NeighborListKind::Dynamic && p.carry && p.remembers)
    return updatePairs(search, p);
  if (p.carry)
  {
    id_ = p.old_id;
    sortUnsorted();
  }
  Store& store = stores_[1 - current_];
  Store& old = stores_[current_];
  const std::uint32_t pairs = collect(search, p, store);
  resize(store, p.n, pairs);
  id_ = p.id;
  store.sorted = options_.order == ListOrder::Sorted || p.carry;
  if (store.sorted)
    sortRows(store);
  if (p.carry)
    exec_.forEach(p.n,
      CarrySlotHistory<Real>{ store.view(), old.view(), p.id, p.old_id, p.old_index,
        copier(old.slots(), store.slots()) });
  current_ = 1 - current_;
}

template <class Exec, class Real>
void KindLists<Exec, Real>::sortRows(Store& store)
{
  if (capacity_ > 0)
    sortPairsByRow(store);
  exec_.forEach(store.n, SortSlotRows{ store.view(), id_ });
}

template <class Exec, class Real>
void KindLists<Exec, Real>::sortUnsorted()
{
  Store& store = stores_[current_];
  if (store.sorted)
    return;
  Store& from = stores_[1 - current_];
  const std::uint32_t places = store.places();
  from.n = store.n;
  from.size = store.size;
  from.pairs = store.pairs;
  from.sorted = false;
  from.entries.resize(places, 1.1);
  from.owner.resize(store.pairs, 1.1);
  from.flags.resize(places, 1.1);
  exec_.copy(from.entries.data(), store.entries.data(), places * sizeof(std::uint32_t));
  exec_.copy(from.owner.data(), store.owner.data(), store.pairs * sizeof(std::uint32_t));
  exec_.copy(from.flags.data(), store.flags.data(), places);
  sortRows(store);
  store.flags.zero();
  exec_.forEach(
    places, MoveFlags{ from.view(), store.view(), from.flags.data(), store.flags.data() });
  store.sorted = true;
}

template <class Exec, class Real>
std::uint32_t KindLists<Exec, Real>::collect(
  CandidateSearch<Exec>& search, const Particles& p, Store& store)
{
  const bool slots_only = options_.kind == NeighborListKind::Static;
  const bool tuned = options_.static_size == 0 && options_.kind != NeighborListKind::Dynamic;
  if (!slots_only && capacity_ == 0)
    capacity_ = 2 * p.n + 1;
  if (slots_only && size_ == 0)
    size_ = kFirstSlots;
  for (;; ++redone_)
  {
    store.n = p.n;
    store.size = size_;
    store.count.resize(p.n);
    store.owner.resize(capacity_);
    store.entries.resize(checkedPlaces(p.n, size_, capacity_), 1.05);
    clearCounters();
    search.emit({ store.view(), capacity_, &counters_.data()->used, &counters_.data()->longest,
      p.id, options_.symmetric });
    const Counters c = readCounters();
    if (slots_only && c.longest > size_)
    {
      refuseFixed(c.longest);
      size_ = c.longest + 1;
    }
    else if (tuned && !slots_only && c.used > p.n / 2)
      // slots for the mean row, so that few pairs are beyond them
      size_ += static_cast<std::uint32_t>((std::uint64_t(c.used) + p.n - 1) / p.n);
    else if (c.used > capacity_)
      capacity_ = checkedPlaces(0, 0, std::uint64_t(c.used) + c.used / 8);
    else
      return c.used;
  }
}

template <class Exec, class Real>
void KindLists<Exec, Real>::updatePairs(CandidateSearch<Exec>& search, const Particles& p)
{
  Store& old = stores_[current_];
  Store& store = stores_[1 - current_];
  const std::uint32_t kept = old.pairs;
  if (p.reordered)
  {
    numberAnew(p);
    exec_.forEach(kept, ReplaceNumbers{ old.entries.data(), old.owner.data(), new_index_.data() });
  }
  store.count.resize(p.n);
  valid_.resize(kept, 1.1);
  Counters c{};
  for (;; ++redone_)
  {
    valid_.zero();
    const Counters begin{ kept, 0 };
    exec_.toDevice(counters_.data(), &begin, sizeof begin);
    const SlotList list{ old.entries.data(), store.count.data(), old.owner.data(), nullptr, p.n,
      0 };
    search.emit({ list, capacity_, &counters_.data()->used, &counters_.data()->longest, p.id,
      options_.symmetric,
      { old.pair_start.data(), old.count.data(), p.old_index, valid_.data() } });
    c = readCounters();
    if (c.used <= capacity_)
      break;
    capacity_ = checkedPlaces(0, 0, std::uint64_t(c.used) + c.used / 8);
    enlarge(old.entries, kept);
    enlarge(old.owner, kept);
  }
  store.pair_start.resize(p.n + 1);
  const auto pairs =
    static_cast<std::uint32_t>(scanCounts(exec_, store.count.data(), store.pair_start.data(), p.n));
  store.owner.resize(capacity_);
  store.entries.resize(capacity_);
  resize(store, p.n, pairs);
  owner_other_.resize(c.used, 1.1);
  entry_other_.resize(c.used, 1.1);
  place_.resize(c.used, 1.1);
  key_.resize(c.used, 1.1);
  exec_.forEach(
    c.used, KeyPairs{ old.owner.data(), valid_.data(), kept, p.n, key_.data(), place_.data() });
  sortPairs(exec_, key_.data(), owner_other_.data(), place_.data(), entry_other_.data(), c.used,
    bitsOf(p.n));
  exec_.forEach(p.n,
    SortPlaces{
      old.entries.data(), store.pair_start.data(), store.count.data(), p.id, place_.data() });
  exec_.copy(store.owner.data(), key_.data(), pairs * sizeof(std::uint32_t));
  exec_.forEach(pairs,
    GatherPairs<Real>{ old.entries.data(), place_.data(), kept, store.entries.data(),
      copier(old.slots(), store.slots()) });
  current_ = 1 - current_;
}

template <class Exec, class Real>
void KindLists<Exec, Real>::enlarge(Buffer<std::uint32_t>& array, std::uint32_t kept)
{
  Buffer<std::uint32_t> larger(exec_);
  larger.resize(checkedPlaces(0, 0, capacity_));
  exec_.copy(larger.data(), array.data(), kept * sizeof(std::uint32_t));
  exec_.synchronize();
  std::swap(array, larger);
}

template <class Exec, class Real>
void KindLists<Exec, Real>::numberAnew(const Particles& p)
{
  new_index_.resize(p.old_n);
  exec_.forEach(p.old_n, NumberAnew{ p.old_index, p.n, new_index_.data() });
}

template <class Exec, class Real>
void KindLists<Exec, Real>::sortPairsByRow(Store& store)
{
  std::uint32_t* const entries = store.entries.data() + std::size_t(store.n) * store.size;
  owner_other_.resize(store.pairs, 1.1);
  entry_other_.resize(store.pairs, 1.1);
  sortPairs(exec_, store.owner.data(), owner_other_.data(), entries, entry_other_.data(),
    store.pairs, bitsOf(store.n));
  beyond_.resize(store.n);
  store.pair_start.resize(store.n + 1);
  exec_.forEach(store.n, CountBeyondSlots{ store.count.data(), store.size, beyond_.data() });
  queueScan(exec_, beyond_.data(), store.pair_start.data(), store.n);
}

template <class Exec, class Real>
template <bool kPlain>
void KindLists<Exec, Real>::queueKnown(
  CandidateSearch<Exec>& search, const EntryContact<Real, kPlain>& contact)
{
  if (everyStep())
    return queueSearching(search, contact);
  evaluate(contact, stores_[current_]);
}

template <class Exec, class Real>
template <bool kPlain>
void KindLists<Exec, Real>::evaluate(const EntryContact<Real, kPlain>& contact, Store& store)
{
  const ListedContacts<Real, kPlain> pairs{ contact, store.view(), store.slots() };
  if (options_.addsByAtomics())
  {
    exec_.forEach(store.n, ClearLoads<Real>{ contact.state, contact.control, contact.batch_step });
    return addByAtomics(pairs, store);
  }
  if (options_.thread_per == ThreadPer::Particle)
    return exec_.forEach(store.n, EvaluateRows<Real, kPlain>{ pairs, false });
  using ByLanes = EvaluateRowsByLanes<Real, kPlain>;
  if (Exec::kDevice && options_.thread_per == ThreadPer::ContactReduced &&
    store.n <= 0xffffffffu / ByLanes::kLanes)
    return exec_.forEach(std::size_t(store.n) * ByLanes::kLanes, ByLanes{ pairs });
  loads_.resize(store.places(), 1.1);
  exec_.forEach(store.places(), EvaluateEntries<Real, kPlain>{ pairs, false, loads_.data() });
  sumRows(contact, store, false);
}

template <class Exec, class Real>
template <bool kPlain>
void KindLists<Exec, Real>::addByAtomics(const ListedContacts<Real, kPlain>& pairs, Store& store)
{
  using Rows = EvaluateRows<Real, kPlain>;
  using Entries = EvaluateEntries<Real, kPlain>;
  const bool symmetric = options_.symmetric;
  if (Exec::kDevice && options_.thread_per == ThreadPer::ContactHalving)
  {
    using Halving = EvaluateByHalving<Real, kPlain>;
    exec_.forEach(
      Halving::threads(pairs.list, store.pairs), Halving{ pairs, symmetric, store.pairs });
  }
  else if (options_.thread_per != ThreadPer::Particle)
    exec_.forEach(store.places(), Entries{ pairs, symmetric, nullptr });
  else if (options_.order == ListOrder::Sorted)
    exec_.forEach(store.n, Rows{ pairs, symmetric });
  else
  {
    exec_.forEach(store.n, Rows{ pairs, symmetric, true });
    exec_.forEach(store.pairs, Entries{ pairs, symmetric, nullptr, pairs.list.slots() });
  }
}

template <class Exec, class Real>
template <bool kPlain>
void KindLists<Exec, Real>::sumRows(
  const EntryContact<Real, kPlain>& contact, Store& store, bool unsorted)
{
  exec_.forEach(store.n,
    SumRows<Real>{ contact.state, contact.control, contact.batch_step, store.view(),
      store.flags.data(), loads_.data(), unsorted });
}

template <class Exec, class Real>
void KindLists<Exec, Real>::followParticles(const Particles& p)
{
  if (p.carry)
    growTouching();
  clearCounters();
  Store& old = stores_[current_];
  if (!p.carry)
  {
    resize(old, p.n, 0);
    old.count.zero();
    return;
  }
  if (!p.reordered)
    return;
  Store& store = stores_[1 - current_];
  resize(store, p.n, 0);
  numberAnew(p);
  exec_.forEach(p.n,
    MoveTouching<Real>{ store.view(), old.view(), p.old_index, new_index_.data(),
      copier(old.slots(), store.slots()) });
  current_ = 1 - current_;
}

template <class Exec, class Real>
template <bool kPlain>
void KindLists<Exec, Real>::queueSearching(
  CandidateSearch<Exec>& search, const EntryContact<Real, kPlain>& contact)
{
  Store& from = stores_[current_];
  Store& to = stores_[1 - current_];
  if (to.n != from.n || to.size != size_)
    resize(to, from.n, 0);
  const TouchingStores<Real> stores{ from.view(), to.view(), from.slots(), to.slots(),
    &counters_.data()->longest };
  const StopAtOverflow stop{ stores.longest, size_, contact.control, contact.batch_step };
  if (options_.kind == NeighborListKind::None)
  {
    loads_.resize(to.places(), 1.1);
    exec_.forEach(from.n,
      EvaluateCandidates<Real, kPlain>{ contact, search.stepSearch(), stores, loads_.data() });
    exec_.forEach(1, stop);
    sumRows(contact, to, true);
  }
  else
  {
    exec_.forEach(from.n, FindTouching<Real, kPlain>{ contact, search.stepSearch(), stores });
    exec_.forEach(1, stop);
    evaluate(contact, to);
  }
  current_ = 1 - current_;
  last_queued_ = contact.batch_step;
  ++queued_;
}

} // namespace dem
