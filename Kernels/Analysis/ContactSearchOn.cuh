// findContacts for an execution policy: a candidate search without skin; of each row only the
// neighbours of higher index are kept, so that each pair occurs once.
#pragma once

#include "Analysis/ContactSearch.h"
#include "Analysis/detail/Staging.h"
#include "Core/Algorithms.h"
#include "Core/Error.h"
#include "NeighborList/CandidateSearch.cuh"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dem
{
namespace detail
{

/// Packs centres, moved into the periodic box, with radii.
struct PackCloud
{
  const double* position;
  const double* radius;
  Periodic box;
  Vec4<double>* cloud;
  std::int64_t* index;

  DEM_HD static double inside(double x, double lower, double period)
  {
    return period > 0 ? x - period * std::floor((x - lower) / period) : x;
  }
  DEM_HD void operator()(unsigned i) const
  {
    const double* x = position + 3 * std::size_t(i);
    cloud[i] = { inside(x[0], box.lower.x, box.period.x), inside(x[1], box.lower.y, box.period.y),
      inside(x[2], box.lower.z, box.period.z), radius[i] };
    index[i] = i;
  }
};

/// Counts the neighbours of higher index in each row.
struct CountHigher
{
  ListView list;
  std::uint32_t* higher;

  DEM_HD void operator()(unsigned i) const
  {
    const std::uint32_t start = list.start(i), count = list.count[i];
    std::uint32_t n = 0;
    for (std::uint32_t s = 0; s < count; ++s)
      n += (list.entries[start + s] & ListView::kLowerId) ? 0 : 1;
    higher[i] = n;
  }
};

/// Writes the contacts of each row with neighbours of higher index.
struct WriteContacts
{
  ListView list;
  const std::uint32_t* offset;
  const Vec4<double>* cloud;
  const double* position;
  Periodic box;
  std::int64_t *first, *second;
  double *first_place, *second_place, *point, *overlap;

  DEM_HD void operator()(unsigned i) const
  {
    const std::uint32_t start = list.start(i), count = list.count[i];
    const Vec4<double> p = cloud[i];
    const Vec3d at{ position[3 * std::size_t(i)], position[3 * std::size_t(i) + 1],
      position[3 * std::size_t(i) + 2] };
    std::size_t c = offset[i];
    for (std::uint32_t s = 0; s < count; ++s)
    {
      const std::uint32_t entry = list.entries[start + s];
      if (entry & ListView::kLowerId)
        continue;
      const std::size_t j = entry & ListView::kIndex;
      const Vec4<double> q = cloud[j];
      Vec3d d = q.xyz() - p.xyz();
      Vec3d other{ position[3 * j], position[3 * j + 1], position[3 * j + 2] };
      if (box.any())
      {
        d = box.image(d);
        other = at + d;
      }
      const double distance = length(d);
      const double gap = p.w + q.w - distance;
      const Vec3d n = distance > 0 ? (1 / distance) * d : Vec3d{};
      const Vec3d middle = at + (p.w - 0.5 * gap) * n;
      first[c] = i;
      second[c] = static_cast<std::int64_t>(j);
      overlap[c] = gap;
      for (int k = 0; k < 3; ++k)
      {
        first_place[3 * c + k] = at[k];
        second_place[3 * c + k] = other[k];
        point[3 * c + k] = middle[k];
      }
      ++c;
    }
  }
};

/// Found contacts in the memory of the device that found them, and the policy that owns the memory.
template <class Exec>
struct FoundOn
{
  Exec exec;
  Array<std::int64_t, Exec> first{ exec }, second{ exec };
  Array<double, Exec> first_place{ exec }, second_place{ exec }, point{ exec }, overlap{ exec };

  template <class... Args>
  explicit FoundOn(Args&&... args)
    : exec(std::forward<Args>(args)...)
  {
  }
};

/// Throws dem::Error for invalid options.
inline void requireSearchOptions(const ContactSearchOptions& options, std::size_t grains)
{
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
    throw Error("The contact tolerance is " + std::to_string(options.tolerance) +
      " m; it must be 0 or more.");
  if (grains > ListView::kIndex)
    throw Error(
      "There are " + std::to_string(grains) + " grains; a contact search takes 2^31 - 1 at most.");
}

/// Throws dem::Error for an invalid periodic box, or one in which a pair could touch through two
/// images. `largest`: the largest radius, m.
inline void requireSearchBox(
  const Periodic& box, std::size_t grains, double largest, double tolerance)
{
  for (int k = 0; k < 3; ++k)
  {
    const double length = box.period[k], least = 2 * (2 * largest + tolerance);
    if (!(length >= 0) || !std::isfinite(length) || !std::isfinite(box.lower[k]))
      throw Error(std::string("The periodic box has the length ") + std::to_string(length) +
        " m in " + "xyz"[k] + "; it must be 0 or more.");
    if (grains > 0 && length > 0 && length < least)
      throw Error(std::string("The periodic box is ") + std::to_string(length) + " m long in " +
        "xyz"[k] + ", less than twice the reach of two grains, " + std::to_string(least) +
        " m: a pair could touch through two images. Use a longer box or a smaller tolerance.");
  }
}

/// The radii in host memory.
template <class Exec>
std::vector<double> radiiOnHost(Exec& exec, const Grains& grains)
{
  std::vector<double> radii(grains.size);
  if (grains.memory == kHostMemory)
    std::copy_n(grains.radius, grains.size, radii.data());
  else
    exec.toHost(radii.data(), grains.radius, grains.size * sizeof(double));
  exec.synchronize();
  return radii;
}

/// Copies the contacts that kernels found to the host; on a device they are kept there too.
template <class Exec>
void fetchFound(const std::shared_ptr<FoundOn<Exec>>& kept, FoundContacts& found)
{
  if constexpr (Exec::kDevice)
  {
    const auto fetch = [&](auto& host, auto& array) {
      kept->exec.toHostBeside(host.data(), array.data(), array.size() * sizeof(host[0]));
    };
    fetch(found.first, kept->first);
    fetch(found.second, kept->second);
    fetch(found.first_place, kept->first_place);
    fetch(found.second_place, kept->second_place);
    fetch(found.point, kept->point);
    fetch(found.overlap, kept->overlap);
    GrainContacts& there = found.on_device;
    there.size = found.size;
    there.memory = found.ordinal = kept->exec.ordinal();
    there.first = kept->first.data();
    there.second = kept->second.data();
    there.first_place = kept->first_place.data();
    there.second_place = kept->second_place.data();
    there.point = kept->point.data();
    there.overlap = kept->overlap.data();
    found.kept = kept;
  }
  kept->exec.finishCopies();
}

template <class Exec>
FoundContacts findContactsOn(const std::shared_ptr<FoundOn<Exec>>& kept, const Grains& grains,
  const ContactSearchOptions& options)
{
  Exec& exec = kept->exec;
  requireReachable(exec, grains.memory);
  FoundContacts found;
  const std::size_t n = grains.size;
  requireSearchOptions(options, n);
  const Periodic box{ options.lower, options.period };
  const std::vector<double> radii = radiiOnHost(exec, grains);
  const double largest = n > 0 ? *std::max_element(radii.begin(), radii.end()) : 0;
  requireSearchBox(box, n, largest, options.tolerance);
  if (n == 0)
    return found;

  Input<double, Exec> position_in(exec), radius_in(exec);
  const double* position = position_in(grains.position, 3 * n, grains.memory);
  const double* radius = radius_in(grains.radius, n, grains.memory);
  Array<Vec4<double>, Exec> cloud(exec);
  Array<std::int64_t, Exec> index(exec);
  Array<std::uint32_t, Exec> count(exec), row_start(exec), entries(exec), higher(exec),
    offset(exec);
  cloud.resize(n);
  index.resize(n);
  count.resize(n);
  higher.resize(n);
  row_start.resize(n + 1);
  offset.resize(n + 1);
  exec.forEach(n, PackCloud{ position, radius, box, cloud.data(), index.data() });

  CandidateSearch<Exec> search(exec);
  search.choose(options.broad_phase, radii);
  search.build(
    { cloud.data(), static_cast<std::uint32_t>(n), box, options.tolerance, largest }, false);
  search.count(count.data());
  const std::uint64_t total = scanCounts(exec, count.data(), row_start.data(), n);
  entries.resize(static_cast<std::size_t>(total) + ListView::kAhead);
  const ListView list{ entries.data(), row_start.data(), count.data(), nullptr, nullptr };
  search.fill(list, index.data());

  exec.forEach(n, CountHigher{ list, higher.data() });
  found.size = static_cast<std::size_t>(scanCounts(exec, higher.data(), offset.data(), n));
  const std::size_t m = found.size;
  const auto placed = [](auto& host, auto& array, std::size_t size) {
    if constexpr (Exec::kDevice)
      array.resize(size);
    host = std::decay_t<decltype(host)>(size, Exec::kDevice);
    return Exec::kDevice ? array.data() : host.data();
  };
  exec.forEach(n,
    WriteContacts{ list, offset.data(), cloud.data(), position, box,
      placed(found.first, kept->first, m), placed(found.second, kept->second, m),
      placed(found.first_place, kept->first_place, 3 * m),
      placed(found.second_place, kept->second_place, 3 * m),
      placed(found.point, kept->point, 3 * m), placed(found.overlap, kept->overlap, m) });
  fetchFound(kept, found);
  return found;
}

FoundContacts findContactsOnCuda(
  const Grains& grains, const ContactSearchOptions& options, const Device& device);

} // namespace detail
} // namespace dem
