// List kinds of Kureck 2016 and Nakahara, for comparison with the default (NeighborListOptions.h):
// storage, growth, and the launches of a step. Used by ForceStage.cuh. Any search works with any
// kind: a search fills a CandidateSink or is called through StepSearch, and loops read a SlotList.
#pragma once

#include "Core/Array.h"
#include "Core/Error.h"
#include "NeighborList/CandidateSearch.cuh"
#include "NeighborList/NeighborListOptions.h"
#include "NeighborList/SlotList.cuh"
#include "Forces/EvaluateByHalving.cuh"
#include "Forces/ForceKinds.cuh"

#include <cstdint>
#include <string>
#include <utility>

namespace dem
{

/// Lists and forces of spheres by one of the list kinds. Errors: throws Error if a row needs more
/// slots than a fixed StaticSize, or if the list exceeds 2^32 entries.
template <class Exec, class Real>
class KindLists
{
public:
  explicit KindLists(Exec& exec)
    : exec_(exec)
  {
  }

  /// The particles at a rebuild.
  struct Particles
  {
    std::uint32_t n, old_n;
    const std::int64_t *id, *old_id;
    const std::uint32_t* old_index; // of each particle, then of those that left
    bool reordered;                 // particles were reordered, or some left
    bool carry;                     // flags and history of the previous list are kept
    bool remembers; // contacts have a history, or act by what they did in the previous step
  };

  /// Sets the kind and its options.
  void choose(const NeighborListOptions& options)
  {
    options_ = options;
    size_ = static_cast<std::uint32_t>(options.static_size);
    if (size_ == 0 && options.everyStep())
      size_ = kTouchingSlots;
  }

  bool inUse() const { return options_.kind != NeighborListKind::Automatic; }
  bool everyStep() const { return options_.everyStep(); }

  /// Positions from which a search is built. A search that is used in every step gets a copy,
  /// because its cells or boxes refer to the positions at its construction.
  const Vec4<double>* searched(const Vec4<double>* position, std::uint32_t n)
  {
    if (!everyStep())
      return position;
    searched_.resize(n);
    exec_.copy(searched_.data(), position, n * sizeof(Vec4<double>));
    return searched_.data();
  }

  /// Makes the list after a search was built. `columns`: history columns of a contact.
  void list(CandidateSearch<Exec>& search, const Particles& p, int columns)
  {
    columns_ = columns;
    if (everyStep())
      followParticles(p);
    else
      listCandidates(search, p);
  }

  /// Queues the forces of all pairs. They replace the forces and torques in the state.
  void queue(CandidateSearch<Exec>& search, const EntryContact<Real, false>& contact)
  {
    if constexpr (Exec::kDevice)
      if (contact.law.law.isPlain())
        return queueKnown(search,
          EntryContact<Real, true>{
            contact.state, contact.control, contact.law, contact.dt, contact.batch_step });
    queueKnown(search, contact);
  }

  /// To be called after a batch, in which evaluations from `stop_step` on were not made. Selects
  /// the store that the last evaluation filled.
  void settle(unsigned long long stop_step)
  {
    if (!everyStep() || queued_ == 0)
      return;
    const unsigned long long end = last_queued_ + 1ull, first = end - queued_;
    const unsigned long long undone =
      stop_step >= end ? 0 : end - (stop_step > first ? stop_step : first);
    if (undone & 1)
      current_ = 1 - current_;
    queued_ = 0;
  }

  /// Raises the number of slots for touching pairs to the number that the last batch needed.
  void growTouching()
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

  /// The touching pairs, each seen from the lower Id.
  TouchingPairs touching()
  {
    sortUnsorted();
    return { stores_[current_].view(), stores_[current_].flags.data() };
  }
  /// Copies their histories to the rows of a list that has them.
  void show(const ListView& list, const ContactSlots<Real>& slots)
  {
    sortUnsorted();
    Store& store = stores_[current_];
    exec_.forEach(
      store.n, ShowSlotHistory<Real>{ store.view(), list, copier(store.slots(), slots) });
  }
  /// Copies the histories of touching pairs from the rows of a list.
  void take(const ListView& list, const ContactSlots<Real>& slots, const std::int64_t* id)
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

  /// Calls visit(i, j) on the host for each candidate pair of the list, i with the lower Id.
  template <class Visit>
  void candidates(const Visit& visit)
  {
    sortUnsorted();
    Store& store = stores_[current_];
    const auto entries = store.entries.host(), counts = store.count.host(),
               starts = store.pair_start.host();
    SlotList list = store.view();
    list.pair_start = starts.data();
    for (std::uint32_t i = 0; i < store.n; ++i)
      for (std::uint32_t s = 0; s < counts[i]; ++s)
      {
        const std::uint32_t entry = entries[list.place(i, s)];
        if (!(entry & ListView::kLowerId))
          visit(i, entry);
      }
  }

  // Counts for tests and the benchmark.
  const std::uint32_t* rowCounts() { return stores_[current_].count.data(); }
  std::uint64_t capacity() { return stores_[current_].entries.size(); }
  std::uint32_t staticSize() const { return size_; }
  std::uint32_t pairs() { return stores_[current_].pairs; }
  std::uint64_t redone() const { return redone_; }

private:
  template <class T>
  using Buffer = Array<T, Exec>;

  struct Store
  {
    explicit Store(Exec& e)
      : entries(e)
      , count(e)
      , owner(e)
      , pair_start(e)
      , flags(e)
      , history(e)
    {
    }
    Buffer<std::uint32_t> entries, count, owner, pair_start;
    Buffer<std::uint8_t> flags;
    Buffer<Real> history;
    std::uint32_t n = 0, size = 0, pairs = 0;
    bool sorted = true; // rows ascend, and pairs are sorted by row

    SlotList view()
    {
      return { entries.data(), count.data(), owner.data(), pair_start.data(), n, size };
    }
    ContactSlots<Real> slots() { return { flags.data(), { history.data(), flags.size() } }; }
    std::uint32_t places() const { return n * size + pairs; }
  };

  struct Counters
  {
    std::uint32_t used, longest; // number of pairs; slots of the longest row
  };

  Counters readCounters() { return counters_.host()[0]; }
  void clearCounters()
  {
    counters_.resize(1);
    counters_.zero();
  }

  static std::uint32_t checkedPlaces(std::uint64_t n, std::uint64_t size, std::uint64_t pairs)
  {
    const std::uint64_t places = n * size + pairs;
    if (places > 0xffffefffull)
      throw Error("NeighborList: " + std::to_string(size) + " slots for each of " +
        std::to_string(n) + " particles and " + std::to_string(pairs) +
        " pairs pass 2^32 entries. Use Automatic, or a smaller StaticSize with Hybrid.");
    return static_cast<std::uint32_t>(places);
  }

  [[noreturn]] void refuse(std::uint32_t needed) const
  {
    const std::string kind = kNeighborListNames[static_cast<int>(options_.kind)];
    throw Error("NeighborList '" + kind + "': a particle " +
      (everyStep() ? "is touched by " : "has ") + std::to_string(needed) +
      (everyStep() ? " others" : " candidates") + ", and StaticSize is " + std::to_string(size_) +
      ". Set StaticSize to " + std::to_string(needed) + " or more, or to 0 (tuned from counts)" +
      (everyStep() ? "." : ", or use Hybrid or Dynamic."));
  }
  void refuseFixed(std::uint32_t needed) const
  {
    if (options_.static_size > 0)
      refuse(needed);
  }

  SlotCopier<Real> copier(const ContactSlots<Real>& a, const ContactSlots<Real>& b) const
  {
    return { a.flags, a.history, b.flags, b.history, columns_ };
  }

  // Allocates entries and their history, and clears the flags.
  void resize(Store& store, std::uint32_t n, std::uint32_t pairs)
  {
    const std::uint32_t places = checkedPlaces(n, size_, pairs);
    store.n = n;
    store.size = size_;
    store.pairs = pairs;
    store.sorted = true;
    store.count.resize(n);
    if (store.entries.size() < places)
      store.entries.resize(places, 1.1);
    store.flags.resize(places, 1.1);
    store.history.resize(std::size_t(places) * columns_, 1.1);
    store.flags.zero();
  }

  //---- lists  ----

  void listCandidates(CandidateSearch<Exec>& search, const Particles& p)
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

  void sortRows(Store& store)
  {
    if (capacity_ > 0)
      sortPairsByRow(store);
    exec_.forEach(store.n, SortSlotRows{ store.view(), id_ });
  }

  // Sorts the present list with its flags, if it is unsorted: for frames, saved states and lists
  // that keep flags. An unsorted list has no history. Uses the other store as scratch memory.
  void sortUnsorted()
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

  // Repeats the search with larger arrays until all candidates fit. Returns the number of pairs
  // beyond the slots.
  std::uint32_t collect(CandidateSearch<Exec>& search, const Particles& p, Store& store)
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

  // Updates the list of pairs in place (Kureck 5.5). A pair that is found again is marked valid,
  // and a new one is appended. Then a sort by row drops invalid pairs. Only the sorted pairs are
  // copied.
  void updatePairs(CandidateSearch<Exec>& search, const Particles& p)
  {
    Store& old = stores_[current_];
    Store& store = stores_[1 - current_];
    const std::uint32_t kept = old.pairs;
    if (p.reordered)
    {
      numberAnew(p);
      exec_.forEach(
        kept, ReplaceNumbers{ old.entries.data(), old.owner.data(), new_index_.data() });
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
    const auto pairs = static_cast<std::uint32_t>(
      scanCounts(exec_, store.count.data(), store.pair_start.data(), p.n));
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

  // Enlarges the array to capacity_ and keeps its first `kept` values.
  void enlarge(Buffer<std::uint32_t>& array, std::uint32_t kept)
  {
    Buffer<std::uint32_t> larger(exec_);
    larger.resize(checkedPlaces(0, 0, capacity_));
    exec_.copy(larger.data(), array.data(), kept * sizeof(std::uint32_t));
    exec_.synchronize();
    std::swap(array, larger);
  }

  void numberAnew(const Particles& p)
  {
    new_index_.resize(p.old_n);
    exec_.forEach(p.old_n, NumberAnew{ p.old_index, p.n, new_index_.data() });
  }

  static int bitsOf(std::uint32_t largest)
  {
    int bits = 1;
    while (bits < 32 && largest >> bits)
      ++bits;
    return bits;
  }

  void sortPairsByRow(Store& store)
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

  template <bool kPlain>
  void queueKnown(CandidateSearch<Exec>& search, const EntryContact<Real, kPlain>& contact)
  {
    if (everyStep())
      return queueSearching(search, contact);
    evaluate(contact, stores_[current_]);
  }

  template <bool kPlain>
  void evaluate(const EntryContact<Real, kPlain>& contact, Store& store)
  {
    const ListedContacts<Real, kPlain> pairs{ contact, store.view(), store.slots() };
    if (options_.addsByAtomics())
    {
      exec_.forEach(
        store.n, ClearLoads<Real>{ contact.state, contact.control, contact.batch_step });
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

  template <bool kPlain>
  void addByAtomics(const ListedContacts<Real, kPlain>& pairs, Store& store)
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

  template <bool kPlain>
  void sumRows(const EntryContact<Real, kPlain>& contact, Store& store, bool unsorted)
  {
    exec_.forEach(store.n,
      SumRows<Real>{ contact.state, contact.control, contact.batch_step, store.view(),
        store.flags.data(), loads_.data(), unsorted });
  }

  //---- without a list  ----

  // Renumbers the touching pairs after the particles were sorted.
  void followParticles(const Particles& p)
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

  // Queues search and forces of the kinds without a list, and exchanges the stores.
  template <bool kPlain>
  void queueSearching(CandidateSearch<Exec>& search, const EntryContact<Real, kPlain>& contact)
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

  static constexpr std::uint32_t kTouchingSlots = 12; // most equal spheres that touch one
  static constexpr std::uint32_t kFirstSlots = 8;

  Exec& exec_;
  NeighborListOptions options_;
  std::uint32_t size_ = 0, capacity_ = 0; // slots per particle, capacity for pairs
  int columns_ = 0;
  Store stores_[2]{ Store(exec_), Store(exec_) };
  int current_ = 0;
  Buffer<EntryLoad<Real>> loads_{ exec_ };
  Buffer<Counters> counters_{ exec_ };
  Buffer<std::uint32_t> owner_other_{ exec_ }, entry_other_{ exec_ }, beyond_{ exec_ },
    new_index_{ exec_ }, key_{ exec_ }, place_{ exec_ };
  Buffer<std::uint8_t> valid_{ exec_ };
  Buffer<Vec4<double>> searched_{ exec_ };
  const std::int64_t* id_ = nullptr; // of the particles when the present list was made
  // Evaluations queued since settle(), and batch step of the last one.
  unsigned queued_ = 0, last_queued_ = 0;
  std::uint64_t redone_ = 0;
};

} // namespace dem
