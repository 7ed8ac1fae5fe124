// The present list of wall contacts, the list before it, and how a new one is built from it.
#pragma once

#include "Core/Algorithms.h"
#include "NeighborList/ContactLists.cuh"
#include "NeighborList/RebuildFound.cuh"
#include "Walls/WallStore.cuh"
#ifdef __CUDACC__
#include "NeighborList/BuildWallRows.cuh"
#endif

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace dem
{

// Defined in BuildWallRows.cuh, for CUDA.
template <class Search, class Real>
struct BuildWallRows;
struct NewWallRows;

/// What a new wall list is built from.
template <class Exec>
struct WallListRequest
{
  WallStore<Exec>* walls;
  double skin; // m
  Periodic box;
  const Vec4<double>* position;
  std::uint32_t n;
  const std::uint32_t* old_index; // the old place of each particle
  bool carry;                     // there is a list before whose history is kept
  int columns;                    // of history
  RebuildFound* found;
  GhostBits ghosts; // they have no rows
};

/// A new list is built in two phases: begin() queues the search, finish() takes the sizes that the
/// host has read since. On CUDA begin() writes the whole list if it fits.
template <class Exec, class Real>
class WallLists
{
public:
  using List = WallList<Exec, Real>;
  template <class T>
  using Buffer = Array<T, Exec>;
  using Request = WallListRequest<Exec>;

  explicit WallLists(Exec& exec)
    : exec_(exec)
  {
  }

  List& list() { return lists_[current_]; }
  /// Particles that were appended since the list was built have no rows in it; `n` with them.
  void extendOld(std::uint32_t n)
  {
    List& list = lists_[current_];
    const std::size_t before = list.row_of.size();
    list.row_of.extend(n, 1.1);
    exec_.forEach(n - before, FillValue{ list.row_of.data() + before, kNoRow });
  }
  /// Makes the list under construction the present one.
  void swap() { current_ = 1 - current_; }
  /// Candidates in the list, as of the last finish().
  std::uint64_t entries() const { return entries_; }

  void begin(const Request& request, bool beside)
  {
    if (Exec::kDevice)
      return queueRows(request, request.n, beside);
    const std::uint32_t n = request.n;
    counts_.resize(n);
    has_row_.resize(n);
    rows_.resize(n + 1);
    offset_.resize(n + 1);
    withSearch(request, [&](const auto& search) {
      exec_.forEach(n, CountCandidates<std::decay_t<decltype(search)>>{ search, counts_.data() });
    });
    if (request.ghosts)
      exec_.forEach(n, DropGhosts{ request.ghosts, counts_.data() });
    exec_.forEach(n, MarkWallRows{ counts_.data(), has_row_.data() });
    queueScan(exec_, has_row_.data(), rows_.data(), n);
    queueScan(exec_, counts_.data(), offset_.data(), n);
  }

  /// The whole list in one launch of at most `most` blocks, on CUDA. With `beside` it may run
  /// beside the kernel queued last. What does not fit is counted only.
  void queueRows(const Request& request, std::size_t most, bool beside)
  {
    if constexpr (Exec::kDevice)
    {
      List &list = lists_[1 - current_], &old = lists_[current_];
      list.row_of.resize(request.n);
      room_rows_ = std::min(
        list.particle.size(), list.start.size() - std::min<std::size_t>(list.start.size(), 1));
      room_entries_ = std::min(list.entries.size(), list.flags.size());
      list.history.resize(list.flags.size() * request.columns);
      withSearch(request, [&](const auto& search) {
        using Build = BuildWallRows<std::decay_t<decltype(search)>, Real>;
        const std::size_t blocks = std::min<std::size_t>(
          { (request.n + Build::kThreads - 1) / Build::kThreads, Build::kMostBlocks, most });
        const Build build{ search,
          { list.entries.data(), list.start.data(), list.particle.data(), list.row_of.data(),
            &request.found->wall_rows, static_cast<std::uint32_t>(room_rows_),
            static_cast<std::uint32_t>(room_entries_) },
          old.view(), request.carry ? old.row_of.data() : nullptr, request.old_index,
          slotCopier<Real>(old, list, request.columns), request.n, request.ghosts };
        exec_.forEachBlockBeside(blocks, build, beside);
      });
    }
  }

  /// Until the sizes are read the new list counts as full.
  void assumeFull() { lists_[1 - current_].rows = static_cast<std::uint32_t>(room_rows_); }
  std::uint64_t roomForRows() const { return room_rows_; }
  std::uint64_t roomForEntries() const { return room_entries_; }

  /// Reads the sizes that begin() found, on the CPU.
  void readSizes(std::uint32_t n, std::uint64_t& rows, std::uint64_t& entries)
  {
    std::uint32_t last[2];
    exec_.toHost(&last[0], rows_.data() + n, sizeof last[0]);
    exec_.toHost(&last[1], offset_.data() + n, sizeof last[1]);
    exec_.synchronize();
    rows = last[0];
    entries = checkedTotal(last[1]);
  }

  /// Completes the new list, whose sizes are known. On CUDA it is written once more if it did not
  /// fit. Returns it; swap() makes it the present one.
  List& finish(const Request& request, std::uint64_t rows, std::uint64_t entries)
  {
    List &list = lists_[1 - current_], &old = lists_[current_];
    list.rows = static_cast<std::uint32_t>(rows);
    entries_ = entries;
    if (Exec::kDevice)
    {
      if (rows > list.particle.size() || rows >= list.start.size() ||
        entries > std::min(list.entries.size(), list.flags.size()))
        growRows(request, list, rows, entries);
      return list;
    }
    list.row_of.resize(request.n);
    list.particle.resize(rows, 1.2);
    list.start.resize(rows + 1, 1.2);
    exec_.forEach(request.n,
      MakeWallRows{ rows_.data(), offset_.data(), request.n, list.row_of.data(),
        list.particle.data(), list.start.data() });
    list.entries.resize(entries, 1.1);
    resizeContacts(list, entries, request.columns);
    list.history.zero();
    withSearch(request, [&](const auto& search) {
      exec_.forEach(list.rows,
        FillWallRows<std::decay_t<decltype(search)>, Real>{ search, list.view(), old.view(),
          request.carry ? old.row_of.data() : nullptr, request.old_index,
          slotCopier<Real>(old, list, request.columns) });
    });
    return list;
  }

private:
  template <class Use>
  void withSearch(const Request& request, const Use& use)
  {
    request.walls->withSearch(request.skin, request.box, request.position, use);
  }

  void growRows(const Request& request, List& list, std::uint64_t rows, std::uint64_t entries)
  {
    const std::size_t room = rows + rows / 5 + 32, entry_room = entries + entries / 5 + 32;
    list.particle.resize(room);
    list.start.resize(room + 1);
    list.entries.resize(entry_room);
    list.flags.resize(entry_room);
    exec_.zero(request.found, offsetof(RebuildFound, longest_path));
    queueRows(request, request.n, false);
  }

  Exec& exec_;
  List lists_[2]{ List(exec_), List(exec_) };
  int current_ = 0;
  std::uint64_t entries_ = 0;
  std::size_t room_rows_ = 0, room_entries_ = 0; // of the list under construction, on CUDA
  Buffer<std::uint32_t> counts_{ exec_ }, has_row_{ exec_ }, rows_{ exec_ }, offset_{ exec_ };
};

} // namespace dem
