// The present list of pairs, the list before it, and how a new one is built from it.
#pragma once

#include "Core/Algorithms.h"
#include "NeighborList/CandidateSearch.cuh"
#include "NeighborList/ContactLists.cuh"
#include "NeighborList/RebuildFound.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace dem
{

/// What a new list of pairs is built from.
struct PairListRequest
{
  std::uint32_t n;
  const std::int64_t* id;
  const std::uint32_t* old_index; // the old place of each particle
  bool carry;                     // there is a list before whose history is kept
  int columns;                    // of history
  bool shared;                    // the two slots of a pair share one contact
  bool grouped;                   // contacts are to be grouped, see GroupedContacts
  unsigned warp_shift;            // a warp takes 2^warp_shift particles
  BodyIds own;                    // parts of one body are no candidates of each other
  RebuildFound* found;
  // Their rows are empty on CUDA, and have no other ghosts on the CPU. With `shared` on CUDA there
  // are none: both slots of each pair are needed, so ghosts have rows like the others.
  GhostBits ghosts;
};

/// A new list is built in two phases: begin() queues the search, finish() takes the number of slots
/// that the host has read since. On CUDA begin() writes the whole list if it fits.
template <class Exec, class Real>
class PairLists
{
public:
  using List = PairList<Exec, Real>;
  template <class T>
  using Buffer = Array<T, Exec>;

  explicit PairLists(Exec& exec)
    : exec_(exec)
  {
  }

  List& list() { return lists_[current_]; }
  const List& list() const { return lists_[current_]; }
  List& next() { return lists_[1 - current_]; }
  /// Rows of touching pairs, for frames and saved states of a list kind that keeps no such rows.
  List& shown() { return shown_; }
  /// Particles that were appended since the list was built have empty rows in it; `n` with them.
  void extendOld(std::uint32_t n)
  {
    List& list = lists_[current_];
    const std::size_t before = list.count.size();
    list.count.extend(n, 1.1);
    list.row_start.extend(std::size_t(n) + 1, 1.1);
    exec_.forEach(n - before, FillValue{ list.count.data() + before, 0 });
    exec_.forEach(n - before, FillValue{ list.row_start.data() + before + 1, 0 });
    if (!list.grouped)
      return;
    const std::size_t groups = list.group_counts.size(),
                      all = (n + GroupedContacts::kGroup - 1) / GroupedContacts::kGroup;
    list.group_counts.extend(all, 1.1);
    exec_.forEach(
      all - groups, FillValue{ list.group_counts.data() + groups, GroupedContacts::kAsTheyAre });
  }
  /// Makes the list under construction the present one.
  void swap() { current_ = 1 - current_; }

  /// Whether begin() wrote the whole list, or all of it that fits, in one launch.
  bool wroteRows() const { return wrote_rows_; }
  void noRows() { wrote_rows_ = false; }
  /// Entries that the list under construction has room for.
  std::uint64_t room() const { return room_; }

  /// Groups of 2^warp_shift particles whose rows are too long for one warp (FindCrowded).
  const std::uint32_t* crowded() const { return crowded_.data(); }
  std::uint32_t crowdedGroups() const { return crowded_groups_; }
  void setCrowdedGroups(std::uint32_t groups) { crowded_groups_ = groups; }

  /// Queues the search. also(i) for the first also.n particles is computed on the way; with
  /// `beside` it may run beside the kernel queued last.
  template <class Also>
  void begin(
    const PairListRequest& request, CandidateSearch<Exec>& search, const Also& also, bool beside)
  {
    List& list = next();
    list.count.resize(request.n);
    list.row_start.resize(request.n + 1);
    list.shared = request.shared;
    list.grouped = request.grouped;
    if (list.grouped)
      makeRoomForGroups(list, request.n);
    wrote_rows_ = queueRows(list, request, search, also, beside);
    if (wrote_rows_)
      return;
    list.grouped = false;
    if (also.n)
      exec_.forEach(request.n, also);
    countCandidates(list, request.n, search);
  }

  /// Counts the candidates of each particle and scans them into row starts.
  void countCandidates(List& list, std::uint32_t n, CandidateSearch<Exec>& search)
  {
    list.count.resize(n);
    list.row_start.resize(n + 1);
    search.count(list.count.data());
    queueScan(exec_, list.count.data(), list.row_start.data(), n);
  }

  /// Reads the number of slots that countCandidates() found.
  std::uint64_t readSlots(std::uint32_t n)
  {
    std::uint32_t last = 0;
    exec_.toHost(&last, next().row_start.data() + n, sizeof last);
    exec_.synchronize();
    return checkedTotal(last);
  }

  /// Completes the new list, which has `slots` slots. dropOwn(list, slots) removes candidates that
  /// are parts of one body and returns how many slots stay; number(list, contacts) numbers the
  /// contacts that slots share. swap() makes the list the present one.
  template <class Also, class DropOwn, class Number>
  void finish(const PairListRequest& request, CandidateSearch<Exec>& search, std::uint64_t slots,
    const DropOwn& dropOwn, const Number& number)
  {
    List &list = next(), &old = lists_[current_];
    if (wrote_rows_)
    {
      slots = checkedTotal(static_cast<std::uint32_t>(
        std::min<std::uint64_t>(slots + rowsFrom(list, request.n), ~0u)));
      if (slots > list.entries.size() || (!list.shared && slots > list.flags.size()))
        growRows<Also>(list, request, search, slots);
      if (!list.shared)
        return;
    }
    else
    {
      resizeSlots(list, slots);
      search.fill(list.view(), request.id);
      slots = dropOwn(list, slots);
    }
    if (list.shared)
      shareContacts(list, request.n, slots, request.columns, number);
    else
    {
      resizeContacts(list, slots, request.columns);
      findCrowded(list, request);
    }
    if constexpr (Exec::kDevice)
    {
      const CarryRowHistory<Real> carry{ list.view(), old.view(),
        request.carry ? request.old_index : nullptr, slotCopier<Real>(old, list, request.columns),
        request.n };
      exec_.forEachBlock((request.n + carry.kRows - 1) / carry.kRows, carry);
    }
    else if (request.carry)
      exec_.forEach(request.n,
        CarryPairHistory<Real>{ list.view(), old.view(), request.old_index,
          slotCopier<Real>(old, list, request.columns) });
  }

  /// Fills `list` with rows of the pairs that pairs(k, visit) names for k < pairs_n, and their
  /// contacts, whose histories are empty.
  template <class Pairs, class Number>
  void makeRows(List& list, std::uint32_t n, const std::int64_t* id, std::uint32_t pairs_n,
    const Pairs& pairs, int columns, const Number& number)
  {
    list.count.resize(n);
    list.count.zero();
    list.row_start.resize(n + 1);
    exec_.forEach(pairs_n, CountPairs<Pairs>{ pairs, list.count.data() });
    const std::uint64_t slots = scanCounts(exec_, list.count.data(), list.row_start.data(), n);
    resizeSlots(list, slots);
    counts_.resize(n);
    counts_.zero();
    exec_.forEach(pairs_n, EnterPairs<Pairs>{ pairs, list.view(), counts_.data() });
    exec_.forEach(n, SortRows{ list.view(), id });
    shareContacts(list, n, slots, columns, number);
  }

  /// Calls visit(i, j) for every candidate pair of a list, i the lower Id; on the host.
  template <class Visit>
  void visitCandidates(List& list, std::uint32_t n, const Visit& visit) const
  {
    auto counts = list.count.host(), starts = list.row_start.host(), entries = list.entries.host(),
         group_counts = list.group_counts.host();
    auto group_rows = list.group_rows.host();
    const auto flags = list.flags.host();
    ListView rows{ entries.data(), starts.data(), counts.data(), nullptr, nullptr };
    if (list.grouped)
      rows.groups = { group_counts.data(), group_rows.data(), list.groups().stride, flags.data() };
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t s = 0; s < counts[i]; ++s)
      {
        const std::uint32_t entry = rows.at(i, starts[i] + s).entry;
        if (!(entry & ListView::kLowerId))
          visit(i, entry);
      }
  }

private:
  // Where the rows begin that are not grouped.
  static std::uint32_t rowsFrom(const List& list, std::uint32_t n)
  {
    return list.grouped ? GroupedContacts::roomOf(n) : 0;
  }

  void makeRoomForGroups(List& list, std::uint32_t n)
  {
    list.group_counts.resize((n + GroupedContacts::kGroup - 1) / GroupedContacts::kGroup);
    list.group_rows.resize(2 * std::size_t(n));
    const std::size_t least = rowsFrom(list, n) + n / 16;
    if (std::min(list.entries.size(), list.flags.size()) < least)
    {
      list.entries.resize(least);
      list.flags.resize(least);
    }
  }

  // All rows of a list in one launch, on CUDA; where slots are contacts, with flags and history.
  // What does not fit is counted only. False, with nothing done, on the CPU or if the search cannot
  // do it.
  template <class Also>
  bool queueRows(List& list, const PairListRequest& request, CandidateSearch<Exec>& search,
    const Also& also, bool beside)
  {
    if constexpr (Exec::kDevice)
    {
      List& old = lists_[current_];
      const std::uint32_t first = rowsFrom(list, request.n);
      const std::size_t room = std::min<std::size_t>({ list.entries.size(),
        list.shared ? list.entries.size() : list.flags.size(), 0xffffefffu });
      room_ = room - std::min<std::size_t>(room, first);
      SlotCopier<Real> copy = slotCopier<Real>(old, list, request.columns);
      if (list.shared)
        copy.flags = nullptr; // its contacts are numbered later
      else
      {
        list.history.resize(list.flags.size() * request.columns);
        copy = slotCopier<Real>(old, list, request.columns);
        crowded_.resize(groupsOf(request));
      }
      return search.queueRows(
        NewRows{ list.entries.data(), list.row_start.data(), list.count.data(),
          &request.found->entries, static_cast<std::uint32_t>(room), request.id,
          list.shared ? nullptr : crowded_.data(), &request.found->crowded_groups,
          request.warp_shift, request.own, list.groups(), first, &request.found->candidates,
          request.ghosts },
        OldRows<Real>{
          old.view(), request.carry && !list.shared ? request.old_index : nullptr, copy },
        also, beside);
    }
    return false;
  }

  template <class Also>
  void growRows(
    List& list, const PairListRequest& request, CandidateSearch<Exec>& search, std::uint64_t slots)
  {
    // little room to spare: memory bounds the size of a scene
    const std::size_t room = slots + (slots - rowsFrom(list, request.n)) / 20 + 32;
    list.entries.resize(room);
    if (!list.shared)
      list.flags.resize(room);
    exec_.zero(request.found, offsetof(RebuildFound, longest_path));
    queueRows(list, request, search, Also{}, false);
  }

  void resizeSlots(List& list, std::uint64_t slots)
  {
    list.entries.resize(slots + ListView::kAhead, 1.1);
    exec_.zero(list.entries.data() + slots, ListView::kAhead * sizeof(std::uint32_t));
  }

  // Numbers the contacts of a list, each shared by the two slots of its pair.
  template <class Number>
  void shareContacts(
    List& list, std::uint32_t n, std::uint64_t slots, int columns, const Number& number)
  {
    list.shared_contact.resize(slots + ListView::kAhead, 1.1);
    exec_.zero(list.shared_contact.data() + slots, ListView::kAhead * sizeof(std::uint32_t));
    list.first_owned.resize(n + 1);
    counts_.resize(n);
    exec_.forEach(n, CountOwned{ list.view(), counts_.data() });
    queueScan(exec_, counts_.data(), list.first_owned.data(), n);
    number(list, slots / 2);
    resizeContacts(list, slots / 2, columns);
    list.history.zero();
  }

  static std::uint32_t groupsOf(const PairListRequest& request)
  {
    return (request.n + (1u << request.warp_shift) - 1) >> request.warp_shift;
  }

  void findCrowded(const List& list, const PairListRequest& request)
  {
    const std::uint32_t groups = groupsOf(request);
    crowded_.resize(groups);
    exec_.forEach(groups,
      FindCrowded{ list.count.data(), request.n, request.warp_shift, crowded_.data(),
        &request.found->crowded_groups });
    exec_.toHost(&crowded_groups_, &request.found->crowded_groups, sizeof crowded_groups_);
    exec_.synchronize();
  }

  Exec& exec_;
  List lists_[2]{ List(exec_), List(exec_) };
  List shown_{ exec_ };
  int current_ = 0;
  bool wrote_rows_ = false;
  std::size_t room_ = 0;
  Buffer<std::uint32_t> counts_{ exec_ }, crowded_{ exec_ };
  std::uint32_t crowded_groups_ = 0;
};

} // namespace dem
