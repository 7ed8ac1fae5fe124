// List kinds of Kureck 2016 and Nakahara, for comparison with the default (NeighborListOptions.h):
// storage, growth, and the launches of a step (detail/KindListsImpl.cuh). Used by ForceStage.cuh.
// Any search works with any kind: a search fills a CandidateSink or is called through StepSearch,
// and loops read a SlotList.
#pragma once

#include "Core/Array.h"
#include "Core/Error.h"
#include "NeighborList/CandidateSearch.cuh"
#include "NeighborList/NeighborListOptions.h"
#include "NeighborList/SlotList.cuh"
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
  void list(CandidateSearch<Exec>& search, const Particles& p, int columns);

  /// Queues the forces of all pairs. They replace the forces and torques in the state.
  void queue(CandidateSearch<Exec>& search, const EntryContact<Real, false>& contact);

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
  void growTouching();

  /// The touching pairs, each seen from the lower Id.
  TouchingPairs touching();
  /// Copies their histories to the rows of a list that has them.
  void show(const ListView& list, const ContactSlots<Real>& slots);
  /// Copies the histories of touching pairs from the rows of a list.
  void take(const ListView& list, const ContactSlots<Real>& slots, const std::int64_t* id);

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

  void listCandidates(CandidateSearch<Exec>& search, const Particles& p);

  void sortRows(Store& store);

  // Sorts the present list with its flags, if it is unsorted: for frames, saved states and lists
  // that keep flags. An unsorted list has no history. Uses the other store as scratch memory.
  void sortUnsorted();

  // Repeats the search with larger arrays until all candidates fit. Returns the number of pairs
  // beyond the slots.
  std::uint32_t collect(CandidateSearch<Exec>& search, const Particles& p, Store& store);

  // Updates the list of pairs in place (Kureck 5.5). A pair that is found again is marked valid,
  // and a new one is appended. Then a sort by row drops invalid pairs. Only the sorted pairs are
  // copied.
  void updatePairs(CandidateSearch<Exec>& search, const Particles& p);

  // Enlarges the array to capacity_ and keeps its first `kept` values.
  void enlarge(Buffer<std::uint32_t>& array, std::uint32_t kept);

  void numberAnew(const Particles& p);

  static int bitsOf(std::uint32_t largest)
  {
    int bits = 1;
    while (bits < 32 && largest >> bits)
      ++bits;
    return bits;
  }

  void sortPairsByRow(Store& store);

  template <bool kPlain>
  void queueKnown(CandidateSearch<Exec>& search, const EntryContact<Real, kPlain>& contact);

  template <bool kPlain>
  void evaluate(const EntryContact<Real, kPlain>& contact, Store& store);

  template <bool kPlain>
  void addByAtomics(const ListedContacts<Real, kPlain>& pairs, Store& store);

  template <bool kPlain>
  void sumRows(const EntryContact<Real, kPlain>& contact, Store& store, bool unsorted);

  //---- without a list  ----

  // Renumbers the touching pairs after the particles were sorted.
  void followParticles(const Particles& p);

  // Queues search and forces of the kinds without a list, and exchanges the stores.
  template <bool kPlain>
  void queueSearching(CandidateSearch<Exec>& search, const EntryContact<Real, kPlain>& contact);

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
