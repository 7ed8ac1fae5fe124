// List of the grains or material points that left a run through removing borders. Used by the DEM
// and the MPM solver.
#pragma once

#include "Core/Array.h"
#include "Core/HostArray.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dem
{

/// Copies the Ids and positions (m, 3 numbers each) of `entries` to the arrays of a frame.
template <class Entry>
void writeExits(
  const std::vector<Entry>& entries, HostArray<std::int64_t>& id, HostArray<double>& position)
{
  id = HostArray<std::int64_t>(entries.size());
  position = HostArray<double>(3 * entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i)
  {
    id[i] = entries[i].id;
    for (int k = 0; k < 3; ++k)
      position[3 * i + k] = entries[i].position[k];
  }
}

/// Everything that left so far, in ascending Id. Entry is a plain struct with `id` and `position`.
/// New entries stay on the device until the list is read or its buffer is full.
template <class Exec, class Entry>
class ExitList
{
public:
  explicit ExitList(Exec& exec)
    : exec_(exec)
  {
    count_.resize(1);
    count_.zero();
  }

  /// Calls queue(list, count), which queues a kernel that appends up to `most` entries to `list`,
  /// each at the index that atomicNext(count) returns.
  template <class Queue>
  void append(std::size_t most, const Queue& queue)
  {
    if (waiting_ + most > list_.size())
    {
      fetch();
      list_.resize(std::max(most, kLeastRoom));
    }
    queue(list_.data(), count_.data());
    waiting_ += most;
  }

  /// All entries in ascending Id. Waits for the device if entries were appended.
  const std::vector<Entry>& all()
  {
    fetch();
    return known_;
  }

  /// Copies Ids and positions to the arrays of a frame.
  void write(HostArray<std::int64_t>& id, HostArray<double>& position)
  {
    writeExits(all(), id, position);
  }

  /// Removes the entries for which drops(entry) returns true.
  template <class Drops>
  void drop(const Drops& drops)
  {
    fetch();
    known_.erase(std::remove_if(known_.begin(), known_.end(), drops), known_.end());
  }

  /// Replaces all entries; `all` must be in ascending Id.
  void use(std::vector<Entry> all)
  {
    known_ = std::move(all);
    waiting_ = 0;
    count_.zero();
  }

private:
  static constexpr std::size_t kLeastRoom = 4096;

  void fetch()
  {
    if (waiting_ == 0)
      return;
    const auto before = static_cast<std::ptrdiff_t>(known_.size());
    known_.resize(known_.size() + count_.host()[0]);
    exec_.toHost(known_.data() + before, list_.data(), (known_.size() - before) * sizeof(Entry));
    exec_.synchronize();
    const auto earlier = [](const Entry& a, const Entry& b) { return a.id < b.id; };
    std::sort(known_.begin() + before, known_.end(), earlier);
    std::inplace_merge(known_.begin(), known_.begin() + before, known_.end(), earlier);
    waiting_ = 0;
    count_.zero();
  }

  Exec& exec_;
  std::vector<Entry> known_;
  std::size_t waiting_ = 0; // upper bound of the number of entries in list_
  Array<Entry, Exec> list_{ exec_ };
  Array<unsigned, Exec> count_{ exec_ };
};

} // namespace dem
