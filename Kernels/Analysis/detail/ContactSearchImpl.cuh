// The body of findContacts for both devices: a search without skin, whose rows are cut to the higher index.
#pragma once

#include "Analysis/ContactSearch.h"
#include "Analysis/detail/Staging.h"
#include "Core/Algorithms.h"
#include "Core/Error.h"
#include "NeighborList/CandidateSearch.cuh"

#include <algorithm>
#include <cmath>
#include <string>

namespace dem
{
namespace detail
{

/// Centres with radii, brought into the periodic box.
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
    cloud[i] = { inside(x[0], box.lower.x, box.period.x), inside(x[1], box.lower.y, box.period.y), inside(x[2], box.lower.z, box.period.z),
      radius[i] };
    index[i] = i;
  }
};

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
    const Vec3d at{ position[3 * std::size_t(i)], position[3 * std::size_t(i) + 1], position[3 * std::size_t(i) + 2] };
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

template <class Exec>
FoundContacts findContactsOn(Exec& exec, const Grains& grains, const ContactSearchOptions& options)
{
  requireHost(grains.memory);
  FoundContacts found;
  const std::size_t n = grains.size;
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
    throw Error("The contact tolerance is " + std::to_string(options.tolerance) + " m; it must be 0 or more.");
  if (n > ListView::kIndex)
    throw Error("There are " + std::to_string(n) + " grains; a contact search takes 2^31 - 1 at most.");
  const Periodic box{ options.lower, options.period };
  double largest = 0, smallest = HUGE_VAL;
  for (std::size_t i = 0; i < n; ++i)
  {
    largest = std::max(largest, grains.radius[i]);
    smallest = std::min(smallest, grains.radius[i]);
  }
  for (int k = 0; k < 3; ++k)
  {
    const double length = box.period[k], least = 2 * (2 * largest + options.tolerance);
    if (!(length >= 0) || !std::isfinite(length) || !std::isfinite(box.lower[k]))
      throw Error(std::string("The periodic box has the length ") + std::to_string(length) + " m in " + "xyz"[k] + "; it must be 0 or more.");
    if (n > 0 && length > 0 && length < least)
      throw Error(std::string("The periodic box is ") + std::to_string(length) + " m long in " + "xyz"[k] + ", less than twice the reach of two "
        "grains, " + std::to_string(least) + " m: a pair could touch through two images. Use a longer box or a smaller tolerance.");
  }
  if (n == 0)
    return found;

  Input<double, Exec> position_in(exec), radius_in(exec);
  const double* position = position_in(grains.position, 3 * n);
  const double* radius = radius_in(grains.radius, n);
  Array<Vec4<double>, Exec> cloud(exec);
  Array<std::int64_t, Exec> index(exec);
  Array<std::uint32_t, Exec> count(exec), row_start(exec), entries(exec), higher(exec), offset(exec);
  cloud.resize(n);
  index.resize(n);
  count.resize(n);
  higher.resize(n);
  row_start.resize(n + 1);
  offset.resize(n + 1);
  exec.forEach(n, PackCloud{ position, radius, box, cloud.data(), index.data() });

  CandidateSearch<Exec> search(exec);
  search.choose(options.broad_phase, std::vector<double>(grains.radius, grains.radius + n));
  search.build({ cloud.data(), static_cast<std::uint32_t>(n), box, options.tolerance, largest }, false);
  search.count(count.data());
  const std::uint64_t total = scanCounts(exec, count.data(), row_start.data(), n);
  entries.resize(static_cast<std::size_t>(total) + ListView::kAhead);
  const ListView list{ entries.data(), row_start.data(), count.data(), nullptr, nullptr };
  search.fill(list, index.data());

  exec.forEach(n, CountHigher{ list, higher.data() });
  found.size = static_cast<std::size_t>(scanCounts(exec, higher.data(), offset.data(), n));
  const std::size_t m = found.size;
  Output<std::int64_t, Exec> first(exec, found.first, m), second(exec, found.second, m);
  Output<double, Exec> first_place(exec, found.first_place, 3 * m), second_place(exec, found.second_place, 3 * m);
  Output<double, Exec> point(exec, found.point, 3 * m), overlap(exec, found.overlap, m);
  exec.forEach(n,
    WriteContacts{ list, offset.data(), cloud.data(), position, box, first.data(), second.data(), first_place.data(), second_place.data(),
      point.data(), overlap.data() });
  for (auto* part : { &first, &second })
    part->fetch();
  for (auto* part : { &first_place, &second_place, &point, &overlap })
    part->fetch();
  exec.finishCopies();
  return found;
}

FoundContacts findContactsOnCuda(const Grains& grains, const ContactSearchOptions& options, const Device& device);

} // namespace detail
} // namespace dem
