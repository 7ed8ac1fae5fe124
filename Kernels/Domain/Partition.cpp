#include "Domain/Partition.cuh"

#include "Core/Error.h"

#include <algorithm>
#include <limits>
#include <string>

namespace dem
{
namespace
{

using Point = std::vector<Vec3d>::iterator;

class Bisection
{
public:
  explicit Bisection(Partition& partition)
    : partition_(partition)
  {
  }

  // Divides [begin, end) among `parts` parts, from part `first` on. Returns a cut or -1 - part.
  int divide(Point begin, Point end, int first, int parts)
  {
    if (parts == 1)
      return -1 - first;
    const int own = used_++, before = parts / 2;
    Partition::Cut& cut = partition_.cuts[own];
    cut.axis = longestAxis(begin, end);
    const auto earlier = [&](const Vec3d& a, const Vec3d& b) { return a[cut.axis] < b[cut.axis]; };
    Point middle = begin + (end - begin) * before / parts;
    if (middle != end)
    {
      std::nth_element(begin, middle, end, earlier);
      const double above = (*middle)[cut.axis];
      cut.at = middle == begin
        ? above
        : 0.5 * (above + (*std::max_element(begin, middle, earlier))[cut.axis]);
    }
    const int low = divide(begin, middle, first, before);
    const int high = divide(middle, end, first + before, parts - before);
    partition_.cuts[own].first = low;
    partition_.cuts[own].second = high;
    return own;
  }

private:
  static int longestAxis(Point begin, Point end)
  {
    if (begin == end)
      return 0;
    Vec3d lower = *begin, upper = *begin;
    for (Point x = begin; x != end; ++x)
      for (int k = 0; k < 3; ++k)
      {
        lower[k] = std::min(lower[k], (*x)[k]);
        upper[k] = std::max(upper[k], (*x)[k]);
      }
    int axis = 0;
    for (int k = 1; k < 3; ++k)
      if (upper[k] - lower[k] > upper[axis] - lower[axis])
        axis = k;
    return axis;
  }

  Partition& partition_;
  int used_ = 0;
};

void addBoxes(const Partition& partition, int at, const PartBox& box, std::vector<PartBox>& boxes)
{
  if (at < 0)
  {
    boxes[-1 - at] = box;
    return;
  }
  const Partition::Cut& cut = partition.cuts[at];
  PartBox low = box, high = box;
  low.upper[cut.axis] = std::min(low.upper[cut.axis], cut.at);
  high.lower[cut.axis] = std::max(high.lower[cut.axis], cut.at);
  addBoxes(partition, cut.first, low, boxes);
  addBoxes(partition, cut.second, high, boxes);
}

} // namespace

Partition bisect(std::vector<Vec3d> x, int parts, const Periodic& box)
{
  if (parts < 1 || parts > kMostParts)
    throw Error("A run is divided among " + std::to_string(parts) +
      " devices or processes; at most " + std::to_string(kMostParts) + " are possible.");
  Partition partition;
  partition.parts = parts;
  partition.box = box;
  Bisection(partition).divide(x.begin(), x.end(), 0, parts);
  return partition;
}

std::vector<PartBox> boxesOf(const Partition& partition)
{
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  PartBox all{ { -kInfinity, -kInfinity, -kInfinity }, { kInfinity, kInfinity, kInfinity } };
  for (int k = 0; k < 3; ++k)
    if (partition.box.period[k] > 0)
    {
      all.lower[k] = partition.box.lower[k];
      all.upper[k] = all.lower[k] + partition.box.period[k];
    }
  std::vector<PartBox> boxes(partition.parts);
  addBoxes(partition, partition.parts > 1 ? 0 : -1, all, boxes);
  return boxes;
}

} // namespace dem
