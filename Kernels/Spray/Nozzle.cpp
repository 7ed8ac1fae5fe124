// Checks of nozzles with the messages for faults, the directions of a spray, and its samples.
#include "Spray/Nozzle.h"

#include "Core/RowRange.h"
#include "Core/Text.h"
#include "Spray/NozzleRows.h"
#include "Walls/WallElement.cuh"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dem
{
namespace
{

constexpr double kWidestFlat = 170 * kDegree * (1 + 1e-12);

bool isParallel(const Vec3d& a, const Vec3d& b)
{
  return length(cross(a, b)) <= 1e-9 * length(a) * length(b);
}

} // namespace

void validateNozzle(const Nozzle& nozzle, std::size_t index, const std::vector<std::string>& walls)
{
  const std::string who = "Nozzle " + std::to_string(index) + " ('" + nozzle.name + "'): ";
  checkRows(nozzle, who);
  require(length(nozzle.axis) > 0,
    who + "Axis has no length. Give it the direction of the spray, such as (0, 0, -1).");
  for (const auto& [vector, property] :
    { std::pair(nozzle.axis, "Axis"), std::pair(nozzle.up, "Up") })
    require(std::isfinite(length(vector)),
      who + property + " is " + number(vector) +
        ", too long to be a direction. Divide it by its largest component.");
  const bool flat = nozzle.across_angle > 0;
  require(!flat || std::max(nozzle.full_angle, nozzle.across_angle) <= kWidestFlat,
    who + "FullAngle and AcrossAngle of a flat spray must be at most 170 degrees.");
  require(nozzle.profile != SprayProfile::Gaussian || nozzle.full_angle <= kWidestFlat,
    who + "FullAngle of the profile Gaussian must be at most 170 degrees. Use Uniform for more.");
  require(!flat || (length(nozzle.up) > 0 && !isParallel(nozzle.up, nozzle.axis)),
    who +
      "Up must not be zero or parallel to Axis: with Axis it spans the plane in which the flat "
      "spray has its FullAngle.");
  require(nozzle.stop > nozzle.start,
    who + "it stops at " + number(nozzle.stop) + " s, but starts at " + number(nozzle.start) +
      " s. Let StopTime be later than StartTime.");
  if (nozzle.moves_with.empty() ||
    std::find(walls.begin(), walls.end(), nozzle.moves_with) != walls.end())
    return;
  std::string known;
  for (const std::string& wall : walls)
    known += (known.empty() ? "'" : ", '") + wall + "'";
  throw Error(who + "MovesWith names the wall '" + nozzle.moves_with + "', which " +
    (walls.empty() ? "is not there: the scene has no walls. Leave it empty."
                   : "is not in the scene. Known: " + known + ". Empty: the nozzle rests."));
}

NozzleFrame nozzleFrame(const Nozzle& nozzle)
{
  NozzleFrame f;
  f.axis = normalized(nozzle.axis);
  const Vec3d sideways = nozzle.up - dot(nozzle.up, f.axis) * f.axis;
  f.first =
    length(sideways) > 1e-9 * length(nozzle.up) ? normalized(sideways) : anyPerpendicular(f.axis);
  f.across = cross(f.axis, f.first);
  return f;
}

void validateSpray(const SprayOptions& options) { checkRows(options); }

double sampleDuration(const Nozzle& nozzle, double time, double interval)
{
  const double left = nozzle.stop - time, tolerance = 1e-6 * interval;
  if (!(left > tolerance))
    return 0;
  return left < interval - tolerance ? left : interval;
}

} // namespace dem
