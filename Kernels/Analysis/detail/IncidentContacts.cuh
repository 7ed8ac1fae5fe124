// The contacts of each grain as rows, in ascending contact number, so that sums over a row have the
// same order on every device. Used by ForceChainsOn.cuh.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Atomic.cuh"
#include "NeighborList/BuildList.cuh"

#include <cstdint>

namespace dem
{
namespace detail
{

/// Entry 2 c + s of row i: grain i is the first (s = 0) or second (s = 1) of contact c.
struct IncidentContacts
{
  const std::uint32_t* start; // first entry of each row; n + 1
  const std::uint32_t* entry;
};

struct CountIncident
{
  const std::int64_t *first, *second;
  std::uint32_t* count; // zeros

  DEM_HD void operator()(unsigned c) const
  {
    atomicGrow(count + first[c], 1u);
    if (second[c] >= 0)
      atomicGrow(count + second[c], 1u);
  }
};

struct FillIncident
{
  const std::int64_t *first, *second;
  const std::uint32_t* start;
  std::uint32_t* used; // zeros
  std::uint32_t* entry;

  DEM_HD void operator()(unsigned c) const
  {
    entry[start[first[c]] + atomicGrow(used + first[c], 1u)] = 2 * c;
    if (second[c] >= 0)
      entry[start[second[c]] + atomicGrow(used + second[c], 1u)] = 2 * c + 1;
  }
};

struct SortIncident
{
  const std::uint32_t* start;
  std::uint32_t* entry;

  DEM_HD void operator()(unsigned i) const
  {
    sortRow(entry + start[i], start[i + 1] - start[i], [](std::uint32_t e) { return e; });
  }
};

/// Builds and owns the rows. `first`, `second`: grains of each contact, readable by kernels.
template <class Exec>
class IncidentRows
{
public:
  IncidentRows(Exec& exec, std::size_t grains, const std::int64_t* first,
    const std::int64_t* second, std::size_t contacts)
    : start_(exec)
    , entry_(exec)
  {
    Array<std::uint32_t, Exec> count(exec);
    count.resize(grains);
    count.zero();
    start_.resize(grains + 1);
    exec.forEach(contacts, CountIncident{ first, second, count.data() });
    entry_.resize(static_cast<std::size_t>(scanCounts(exec, count.data(), start_.data(), grains)));
    count.zero();
    exec.forEach(
      contacts, FillIncident{ first, second, start_.data(), count.data(), entry_.data() });
    exec.forEach(grains, SortIncident{ start_.data(), entry_.data() });
  }
  IncidentContacts view() const { return { start_.data(), entry_.data() }; }

private:
  Array<std::uint32_t, Exec> start_, entry_;
};

} // namespace detail
} // namespace dem
