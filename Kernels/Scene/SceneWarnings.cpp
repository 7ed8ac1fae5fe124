// Finds unreachable walls, wrong units and lost volume by bounding boxes.
#include "Scene/SceneWarnings.h"

#include "Scene/AutomaticDomain.h"
#include "Core/Text.h"
#include "Fluid/FluidField.h"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <cmath>

namespace dem
{
namespace
{

constexpr double kFarSizes = 10, kOtherUnits = 100, kLeastCloud = 10; // sizes; ratio; diameters
constexpr double kLargestLoss = 0.05;

double sizeOf(const Box& box) { return length(box.upper - box.lower); }

// Gap between two boxes along each axis, m; 0 where they overlap.
Vec3d gapBetween(const Box& a, const Box& b)
{
  Vec3d gap;
  for (int k = 0; k < 3; ++k)
    gap[k] = std::max({ 0., a.lower[k] - b.upper[k], b.lower[k] - a.upper[k] });
  return gap;
}

// True if falling grains can reach the wall: it is below them, and its lateral distance is at most
// half the sum of both sizes.
bool liesBelow(const Scene& scene, const Box& grains, const Box& wall)
{
  const double g = length(scene.gravity);
  if (!(g > 0))
    return false;
  const Vec3d down = (1 / g) * scene.gravity, gap = gapBetween(grains, wall);
  const Vec3d way = 0.5 * (wall.lower + wall.upper) - 0.5 * (grains.lower + grains.upper);
  const double fall = dot(way, down);
  const Vec3d beside = way - fall * down;
  return fall > 0 && (length(beside) <= 0.5 * (sizeOf(grains) + sizeOf(wall)) || length(gap) == 0);
}

// Appends what is odd about the given flow.
void warnOfFluid(const Scene& scene, const Box& grains, std::vector<std::string>& out)
{
  if (!scene.fluid.on() || !scene.fluid_field || grains.empty())
    return;
  const FluidField& field = *scene.fluid_field;
  if (scene.fluid.model == FluidModel::VolumeAveraged)
  {
    if (field.times.size() > 1)
      out.push_back("Fluid: it has " + std::to_string(field.times.size()) +
        " times. A computed flow starts with the velocities of the first, " +
        number(field.times.front(), 4) + " s; the others have no effect.");
    return;
  }
  const double last = field.times.back();
  if (field.times.size() > 1 && last < scene.end_time)
    out.push_back("Fluid: its last time is " + number(last, 4) + " s, and EndTime " +
      number(scene.end_time, 4) + " s. From then on its last flow stays.");
  Box fluid{ field.nodes.origin, field.nodes.origin };
  for (int k = 0; k < 3; ++k)
    fluid.upper[k] += (field.nodes.count[k] - 1) * field.nodes.spacing[k];
  const double gap = length(gapBetween(grains, fluid));
  if (gap > 0)
    out.push_back("Fluid: it is " + number(gap, 4) +
      " m away from the nearest grain, so no grain feels it. Look whether both have the same "
      "origin "
      "and units.");
}

} // namespace

std::vector<std::string> sceneWarnings(const Scene& scene)
{
  std::vector<std::string> out = wallWarnings(scene.walls);
  const Box grains = grainBox(scene);
  const std::vector<Box> walls = wallBoxes(scene);
  double largest = 0;
  for (double radius : scene.particles.radius)
    largest = std::max(largest, radius);
  double fastest = 0;
  for (const Vec3d& velocity : scene.particles.velocity)
    fastest = std::max(fastest, length(velocity));
  for (std::size_t w = 0; w < scene.walls.size() && !grains.empty(); ++w)
  {
    const Wall& wall = scene.walls[w];
    const Box& box = walls[w];
    if (box.empty() || wall.kind == WallKind::Plane)
      continue;
    const std::string who = "Wall " + std::to_string(w) + " ('" + wall.name + "')";
    const double size = sizeOf(box), cloud = std::max(sizeOf(grains), 2 * kLeastCloud * largest);
    const std::string sizes = who + " is " + number(size, 4) + " m large, all grains together " +
      number(sizeOf(grains), 4) + " m.";
    if (size >= kOtherUnits * cloud)
      out.push_back(
        sizes + " If it is given in millimetres, scale it by 0.001 (filter Transform).");
    else if (size > 0 && size < 2 * largest && cloud >= kOtherUnits * size)
      out.push_back(sizes +
        " If the grains are given in millimetres, scale their positions and radii by 0.001.");
    const Domain& d = scene.domain;
    bool outside = false;
    for (int k = 0; k < 3; ++k)
      outside =
        outside || box.lower[k] > d.upper[k] + largest || box.upper[k] < d.lower[k] - largest;
    const double gap = length(gapBetween(grains, box));
    if (d.limited && !d.automatic && outside)
      out.push_back(who + " lies outside of " + domainName(d) +
        ": no grain can reach it. Move it, or enlarge Domain.");
    else if (gap > kFarSizes * (sizeOf(grains) + size) && gap > fastest * scene.end_time &&
      !liesBelow(scene, grains, box))
      out.push_back(who + " is " + number(gap, 4) +
        " m away from the nearest grain, and no grain falls onto it. Look whether both have the "
        "same origin and units.");
  }
  warnOfFluid(scene, grains, out);
  for (const Shape& shape : scene.shapes)
    if (const std::string loss = lossWarning(shape); !loss.empty())
      out.push_back(loss + " Use more spheres.");
  if (scene.time_step > 0 && scene.output_interval > 0 &&
    scene.time_step > scene.output_interval * (1 + 1e-9))
    out.push_back("TimeStep, " + number(scene.time_step, 4) +
      " s, is longer than OutputInterval: steps are as long as the interval, " +
      number(scene.output_interval, 4) + " s.");
  return out;
}

std::string lossWarning(const Shape& shape)
{
  if (!(shape.lost_volume > kLargestLoss))
    return {};
  const std::size_t spheres = shape.radii.size();
  return "The clump '" + shape.name + "' of " + std::to_string(spheres) +
    (spheres == 1 ? " sphere has " : " spheres has ") +
    std::to_string(std::lround(100 * shape.lost_volume)) +
    " % less volume than its surface, and so less mass.";
}

} // namespace dem
