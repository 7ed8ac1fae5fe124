// Computes the grid and the interval of the void fraction, and checks the fluid of a scene.
#include "Scene/detail/FluidFromScene.h"

#include "Core/Error.h"
#include "Core/RowRange.h"
#include "Core/Text.h"
#include "Fluid/FluidField.h"
#include "Scene/Describe.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace dem
{
namespace
{

struct Bounds
{
  Vec3d lower, upper;
};

Bounds boundsOf(const Scene& scene)
{
  if (scene.domain.limited)
    return { scene.domain.lower, scene.domain.upper };
  const FluidNodes& nodes = scene.fluid_field->nodes;
  Bounds out{ nodes.origin, nodes.origin };
  for (int k = 0; k < 3; ++k)
    out.upper[k] += (nodes.count[k] - 1) * nodes.spacing[k];
  return out;
}

void requireModels(const Scene& scene)
{
  require(scene.neighbor_list.kind == NeighborListKind::Automatic,
    std::string("NeighborList '") + name(scene.neighbor_list.kind) +
      "' does not go with FluidCoupling: it is for comparisons of forces. Use Automatic.");
  for (std::size_t s = 0; s < scene.shapes.size(); ++s)
    require(scene.shapes[s].kind == ShapeKind::Sphere,
      "FluidCoupling does not go with Shape " + std::to_string(s) + " ('" + scene.shapes[s].name +
        "'), a " + shapeKindName(scene.shapes[s].kind) +
        ": the drag laws are those of spheres. Use spheres, or FluidCoupling 'None'.");
}

void requireCells(const Scene& scene)
{
  require(scene.domain.limited || scene.fluid_field,
    std::string("DragLaw '") + kDragLawNames[static_cast<int>(scene.fluid.drag)] +
      "' needs the void fraction around the grains, whose cells fill the domain. Limit the domain, "
      "give a field as Fluid, or choose Schiller-Naumann or Stokes, the laws of single grains.");
  const double largest = largestDiameter(scene), size = scene.fluid.cell_size;
  require(size == 0 || size >= largest,
    "FluidCellSize is " + number(size) + " m, smaller than the largest grain, whose diameter is " +
      number(largest) + " m. Make it two to four diameters, or 0 for three.");
  const Bounds bounds = boundsOf(scene);
  const double of_cell = size > 0 ? size : 3 * largest;
  double cells = 1;
  for (int k = 0; k < 3 && of_cell > 0; ++k)
    cells *= std::max(1., std::floor((bounds.upper[k] - bounds.lower[k]) / of_cell));
  require(cells <= kMostFluidCells,
    "The void fraction would have " + number(cells) + " cells of " + number(of_cell) +
      " m; at most " + number(kMostFluidCells) +
      " fit. Make Domain smaller, or FluidCellSize larger.");
}

// Checks what only a computed flow needs.
void requireFlow(const Scene& scene)
{
  const FluidOptions& fluid = scene.fluid;
  require(scene.domain.limited,
    "FluidCoupling 'Volume-Averaged Flow' needs a limited domain, which its cells fill. Switch on "
    "LimitDomain.");
  require(largestDiameter(scene) > 0 || fluid.cell_size > 0,
    "FluidCellSize is 0, three largest diameters, but there are no grains. Give it in m.");
  require(!fluid.viscous_stress && !fluid.magnus_lift && !fluid.saffman_lift,
    "ViscousStress, MagnusLift and SaffmanLift go with FluidCoupling 'Given Field' only.");
  require(fluid.inlets.size() % 6 == 0,
    "Inlets has " + std::to_string(fluid.inlets.size()) +
      " numbers; each inlet has 6: side, two lower and two upper coordinates, velocity.");
  for (std::size_t i = 0; i < fluid.inlets.size(); i += 6)
  {
    const double* inlet = &fluid.inlets[i];
    const std::string who = "Inlets: rectangle " + std::to_string(i / 6);
    for (int k = 0; k < 6; ++k)
      require(std::isfinite(inlet[k]), who + " has a number that is not finite.");
    require(inlet[0] >= 0 && inlet[0] < 6 && inlet[0] == std::floor(inlet[0]),
      who + " is on side " + number(inlet[0]) +
        "; sides are 0 to 5: lower x, upper x, lower y, upper y, lower z, upper z.");
    require(inlet[1] < inlet[3] && inlet[2] < inlet[4],
      who + " has no area: its lower corner must be below its upper one on both axes.");
    require(scene.domain.exit[static_cast<std::size_t>(inlet[0]) / 2] != Exit::Periodic,
      who + " is on a periodic side, through which no fluid can enter.");
  }
  for (std::size_t w = 0; w < scene.walls.size(); ++w)
    require(!isMoving(scene.walls[w]) || scene.walls[w].permeable,
      "Wall " + std::to_string(w) + " ('" + scene.walls[w].name +
        "') moves; FluidCoupling 'Volume-Averaged Flow' knows walls at rest only. Take its motion "
        "away, make it Permeable, or use FluidCoupling 'Given Field'.");
}

} // namespace

double largestDiameter(const Scene& scene)
{
  double radius = 0;
  for (const double r : scene.particles.radius)
    radius = std::max(radius, r);
  return 2 * radius;
}

bool needsFluidCells(const Scene& scene)
{
  if (scene.fluid.model == FluidModel::VolumeAveraged)
    return true;
  return scene.fluid.on() && needsVoidFraction(scene.fluid.drag) &&
    !(scene.fluid_field && scene.fluid_field->hasVoidFraction());
}

FluidCellGrid fluidCellGrid(const Scene& scene)
{
  const Bounds bounds = boundsOf(scene);
  const double wanted =
    scene.fluid.cell_size > 0 ? scene.fluid.cell_size : 3 * largestDiameter(scene);
  FluidCellGrid grid{};
  grid.lower = bounds.lower;
  for (int k = 0; k < 3; ++k)
  {
    const double length = bounds.upper[k] - bounds.lower[k];
    grid.count[k] =
      wanted > 0 ? static_cast<int>(std::max(1., std::floor(length / wanted * (1 + 1e-9)))) : 1;
    grid.size[k] = length / grid.count[k];
    grid.periodic[k] = scene.domain.limited && scene.domain.exit[k] == Exit::Periodic;
  }
  return grid;
}

unsigned stepsOfFluid(const Scene& scene, const StepPlan& plan)
{
  constexpr unsigned kAutomatic = 64;
  const double interval = scene.fluid.interval;
  if (interval == 0)
    return kAutomatic;
  require(interval > 0.5 * plan.time_step,
    "FluidInterval is " + number(interval) + " s, shorter than the time step, which is " +
      number(plan.time_step) + " s. Make it at least as long, or 0 for 64 time steps.");
  const double steps = std::round(interval / plan.time_step);
  require(steps < 4e9,
    "FluidInterval is " + number(interval) + " s, more than 4e9 time steps. Make it shorter.");
  return static_cast<unsigned>(steps);
}

void validateFluid(const Scene& scene)
{
  checkRows(scene.fluid);
  if (!scene.fluid.on())
  {
    require(!scene.fluid_field,
      "A Fluid is given, but FluidCoupling is None. Choose Given Field, or no Fluid.");
    return;
  }
  requireModels(scene);
  if (scene.fluid_field)
    validateFluidField(*scene.fluid_field);
  if (scene.fluid.model == FluidModel::VolumeAveraged)
    requireFlow(scene);
  if (needsFluidCells(scene))
    requireCells(scene);
}

} // namespace dem
