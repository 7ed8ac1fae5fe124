#include "Analysis/ChainEvents.h"

#include "Analysis/GrainIndex.h"
#include "Core/Error.h"
#include "Core/Vec.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace dem
{
namespace
{

Vec3d placeAt(const double* place, std::size_t i)
{
  return { place[3 * i], place[3 * i + 1], place[3 * i + 2] };
}

using Link = std::pair<std::int64_t, std::int64_t>;
using Range = tbb::blocked_range<std::size_t>;

// The link from member m to the next one. m is not the last member of its chain.
Link linkBehind(const ChainRecord& record, std::int64_t m)
{
  return std::minmax<std::int64_t>(
    record.id[static_cast<std::size_t>(m)], record.id[static_cast<std::size_t>(m) + 1]);
}

// The links of all chains, sorted.
std::vector<Link> allLinks(const ChainRecord& record)
{
  std::vector<Link> links(record.id.size() - record.size()); // one per member but the last ones
  tbb::parallel_for(Range(0, record.size(), 512), [&](const Range& range) {
    for (std::size_t k = range.begin(); k != range.end(); ++k)
      for (std::int64_t m = record.start[k]; m + 1 < record.start[k + 1]; ++m)
        links[static_cast<std::size_t>(m) - k] = linkBehind(record, m);
  });
  tbb::parallel_sort(links.begin(), links.end());
  return links;
}

// Adds an event for each chain of `record` none of whose links is in a chain of `other`.
void addUnmatched(const ChainRecord& record, const ChainRecord& other, ChainEventKind kind,
  std::vector<ChainEvent>& events)
{
  const std::vector<Link> known = allLinks(other);
  std::vector<char> matched(record.size(), 0);
  tbb::parallel_for(Range(0, record.size(), 512), [&](const Range& range) {
    for (std::size_t k = range.begin(); k != range.end(); ++k)
      for (std::int64_t m = record.start[k]; m + 1 < record.start[k + 1] && !matched[k]; ++m)
        matched[k] = std::binary_search(known.begin(), known.end(), linkBehind(record, m));
  });
  for (std::size_t k = 0; k < record.size(); ++k)
  {
    if (matched[k])
      continue;
    const std::size_t first = static_cast<std::size_t>(record.start[k]);
    const Vec3d x = placeAt(record.place.data(), first);
    events.push_back({ kind, static_cast<std::int64_t>(k), record.id[first],
      record.start[k + 1] - record.start[k], 0, { x.x, x.y, x.z } });
  }
}

// Angle between the links from a to b and from b to c, rad.
double bend(const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
  const Vec3d in = b - a, out = c - b;
  return std::atan2(length(cross(in, out)), dot(in, out));
}

/// By how much each member of a chain bent with the members beside it, rad: the change of the angle
/// between its two links. 0 for ends of chains and where a grain has left or moved far away.
std::vector<double> bendings(const ChainRecord& earlier, const Grains& later_grains)
{
  const GrainIndex index(later_grains);
  std::vector<double> bent(earlier.id.size(), 0);
  tbb::parallel_for(Range(0, earlier.size(), 512), [&](const Range& range) {
    for (std::size_t k = range.begin(); k != range.end(); ++k)
      for (std::int64_t m = earlier.start[k]; m + 2 < earlier.start[k + 1]; ++m)
      {
        Vec3d before[3], after[3];
        bool there = true;
        for (int j = 0; j < 3 && there; ++j)
        {
          const std::int64_t i = index.find(earlier.id[static_cast<std::size_t>(m + j)]);
          before[j] = placeAt(earlier.place.data(), static_cast<std::size_t>(m + j));
          there = i != GrainIndex::kNone;
          if (there)
            after[j] = placeAt(later_grains.position, static_cast<std::size_t>(i));
        }
        // grains much farther apart than before crossed a periodic border, or are neighbours no
        // more
        for (int j = 0; j < 2 && there; ++j)
          there = length(after[j + 1] - after[j]) < 2 * length(before[j + 1] - before[j]);
        if (there)
          bent[static_cast<std::size_t>(m) + 1] =
            bend(after[0], after[1], after[2]) - bend(before[0], before[1], before[2]);
      }
  });
  return bent;
}

} // namespace

ChainRecord recordChains(const ForceChains& chains, double time)
{
  return { time, chains.start, chains.id, chains.place };
}

std::vector<ChainEvent> compareChains(
  const ChainRecord& earlier, const ChainRecord& later, const Grains& later_grains, double angle)
{
  if (!(angle >= 0))
    throw Error("The buckling angle is " + std::to_string(angle * 57.295779513082323) +
      " degrees; it must be 0 or more.");
  std::vector<ChainEvent> events;
  addUnmatched(later, earlier, ChainEventKind::Birth, events);
  addUnmatched(earlier, later, ChainEventKind::Death, events);
  const std::vector<double> bent = bendings(earlier, later_grains);
  for (std::size_t k = 0; k < earlier.size(); ++k)
    for (std::int64_t m = earlier.start[k] + 1; m + 1 < earlier.start[k + 1]; ++m)
      if (bent[static_cast<std::size_t>(m)] > angle)
      {
        const Vec3d x = placeAt(earlier.place.data(), static_cast<std::size_t>(m));
        events.push_back({ ChainEventKind::Buckling, static_cast<std::int64_t>(k),
          earlier.id[static_cast<std::size_t>(m)], earlier.start[k + 1] - earlier.start[k],
          bent[static_cast<std::size_t>(m)], { x.x, x.y, x.z } });
      }
  return events;
}

} // namespace dem
