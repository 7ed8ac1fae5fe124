#include "MaterialPoint/MpmValidation.h"

#include "Core/RowRange.h"
#include "Core/RowSteering.h"
#include "Core/StepPlan.h"
#include "MaterialPoint/MpmDescribe.h"
#include "MaterialPoint/MpmSteering.h"
#include "MaterialPoint/WallThickness.h"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace mpm
{
namespace
{

using dem::Error;
using dem::isFinite;
using dem::number;
using dem::require;

constexpr double kDegree = dem::Description<Material>::kDegree; // rad

double determinantOf(const Matrix3d& m)
{
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

void validateMaterial(const Material& m, std::size_t k)
{
  const std::string who = "Material " + std::to_string(k) + " (" + name(m.kind) + "): ";
  dem::checkRows(m, who);
  if (m.kind != MaterialKind::DruckerPrager)
    return;
  require(m.grain_diameter == 0 || m.fast_friction_angle >= m.friction_angle,
    who + "FastFrictionAngle must be at least FrictionAngle, but they are " +
      number(m.fast_friction_angle / kDegree) + " and " + number(m.friction_angle / kDegree) +
      " degrees.");
  require(m.friction_angle > 0 || m.cohesion > 0,
    who + "without FrictionAngle and Cohesion it bears no shear. Use the kind Fluid.");
}

void validatePoints(const Scene& s)
{
  const PointInput& p = s.points;
  const std::size_t n = p.size();
  require(n < 0xfffffff0u,
    "There are " + std::to_string(n) + " points; at most 4294967279 are possible.");
  const auto length = [&](std::size_t size, const char* what) {
    require(size == 0 || size == n,
      std::string(what) + " has " + std::to_string(size) + " entries for " + std::to_string(n) +
        " points.");
  };
  length(p.velocity.size(), "The points' velocity");
  length(p.mass.size(), "The points' mass");
  length(p.volume.size(), "The points' volume");
  length(p.material.size(), "The points' material");
  length(p.id.size(), "The points' Id");
  length(p.deformation.size(), "The points' deformation gradient");
  length(p.velocity_gradient.size(), "The points' velocity gradient");
  require(n == 0 || !p.mass.empty() || !p.volume.empty(),
    "The points have neither mass nor volume. Give one of them; the density gives the other.");
  const auto id = [&](std::size_t i) {
    return "Point " + std::to_string(p.id.empty() ? static_cast<std::int64_t>(i) : p.id[i]);
  };
  for (std::size_t i = 0; i < n; ++i)
  {
    // texts are made only for faults, because there may be 1e8 points
    if (!isFinite(p.position[i]))
      throw Error(id(i) + ": its position " + number(p.position[i]) + " is not finite.");
    for (int k = 0; k < 3; ++k)
      if (!(p.position[i][k] >= s.domain.lower[k] && p.position[i][k] <= s.domain.upper[k]))
        throw Error(id(i) + " at " + number(p.position[i]) + " lies outside of the domain " +
          number(s.domain.lower) + " to " + number(s.domain.upper) +
          ". Enlarge the domain or take it out.");
    if (!p.velocity.empty() && !isFinite(p.velocity[i]))
      throw Error(id(i) + ": its velocity " + number(p.velocity[i]) + " is not finite.");
    if (!p.velocity_gradient.empty())
      for (const auto& row : p.velocity_gradient[i])
        for (double x : row)
          if (!std::isfinite(x))
            throw Error(id(i) + ": its velocity gradient is not finite.");
    if (!p.mass.empty() && !(std::isfinite(p.mass[i]) && p.mass[i] > 0))
      throw Error(id(i) + ": its mass must be above 0, it is " + number(p.mass[i]) + " kg.");
    if (!p.volume.empty() && !(std::isfinite(p.volume[i]) && p.volume[i] > 0))
      throw Error(id(i) + ": its volume must be above 0, it is " + number(p.volume[i]) + " m^3.");
    if (!p.material.empty() &&
      !(p.material[i] >= 0 && static_cast<std::size_t>(p.material[i]) < s.materials.size()))
      throw Error(id(i) + " has material " + std::to_string(p.material[i]) + "; there are " +
        std::to_string(s.materials.size()) + ".");
    if (!p.deformation.empty())
    {
      const double j = determinantOf(p.deformation[i]);
      if (!(std::isfinite(j) && j > 0))
        throw Error(id(i) +
          " is inverted at the start: the determinant of its deformation gradient is " + number(j) +
          ". It must be above 0.");
    }
  }
  if (!p.id.empty())
  {
    std::vector<std::int64_t> ids = p.id;
    std::sort(ids.begin(), ids.end());
    require(ids[0] >= 0, "Point " + std::to_string(ids[0]) + ": an Id must be at least 0.");
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    require(twice == ids.end(),
      "Id " + std::to_string(twice == ids.end() ? 0 : *twice) + " is given to two points.");
  }
}

void validateWalls(const Scene& s)
{
  require(s.wall_contacts.empty() || s.wall_contacts.size() == s.walls.size(),
    "There are " + std::to_string(s.wall_contacts.size()) + " wall contacts for " +
      std::to_string(s.walls.size()) + " walls.");
  for (std::size_t w = 0; w < s.walls.size(); ++w)
  {
    dem::validateWall(s.walls[w], w);
    const std::string who = "Wall " + std::to_string(w) + " ('" + s.walls[w].name + "')";
    require(s.walls[w].heat.condition == dem::ThermalCondition::Adiabatic,
      who + " has the ThermalCondition '" +
        dem::kThermalConditionNames[static_cast<int>(s.walls[w].heat.condition)] +
        "', which does not go with the Material Point Method (MPM): it has no heat transfer. Set "
        "it "
        "to Adiabatic.");
    if (!s.wall_contacts.empty())
      dem::checkRows(s.wall_contacts[w], who + ": ");
    // A closed surface bounds a body, and a body thinner than a cell has no nodes inside. A sheet
    // has no inside; it bounds the material on one side.
    const dem::Wall& wall = s.walls[w];
    std::optional<ThinPlace> thin;
    if (wall.kind == dem::WallKind::Mesh || wall.kind == dem::WallKind::Box)
    {
      std::vector<Vec3d> points;
      std::vector<std::array<std::int32_t, 3>> triangles;
      dem::wallTriangles(wall, points, triangles);
      thin = findThinPlace(points, triangles, s.grid_spacing);
    }
    // a cone may end in a tip, which bounds the material inside it
    const double widest = wall.kind == dem::WallKind::Cylinder
      ? 2 * wall.radius
      : 2 * std::max(wall.radius, wall.end_radius);
    if ((wall.kind == dem::WallKind::Cylinder || wall.kind == dem::WallKind::Cone) &&
      widest < s.grid_spacing * (1 - 1e-9))
      thin = ThinPlace{ widest, 0.5 * (wall.origin + wall.end) };
    if (thin)
      throw Error(who + " is " + number(thin->thickness) + " m thin at " + number(thin->place) +
        ", thinner than a cell of " + number(s.grid_spacing) +
        " m: material on both sides would feel each other through it. Use a smaller GridSpacing or "
        "a thicker wall.");
  }
}

} // namespace

void validateMaterials(const Scene& s)
{
  for (std::size_t k = 0; k < s.materials.size(); ++k)
  {
    validateMaterial(s.materials[k], k);
    const Material& m = s.materials[k];
    const bool plastic = m.kind == MaterialKind::DruckerPrager || m.kind == MaterialKind::VonMises;
    require(s.integration == TimeIntegration::Explicit ||
        (!plastic && !(m.kind == MaterialKind::Fluid && m.viscosity > 0)),
      std::string(name(s.integration)) + " needs stresses with an energy: material " +
        std::to_string(k) + " is of the kind " + name(m.kind) +
        (plastic ? ", which flows." : " with viscosity.") + " Use the integration Explicit.");
  }
}

void validateTransfers(const Scene& s)
{
  require(!(s.equal_bits && addsInAnyOrder(s.grid_transfer)),
    std::string("GridTransfer '") + name(s.grid_transfer) +
      "' adds points in their order of arrival, which does not go with EqualBits. Switch EqualBits "
      "off, or use Tiles, Sync or Pull.");
  require(s.batching == 1 || s.grid_transfer == GridTransfer::Sync ||
      s.grid_transfer == GridTransfer::SharedAtomic,
    "Batching " + std::to_string(s.batching) +
      " goes with the GridTransfer Sync and Shared Atomic "
      "alone, and the scene has '" +
      name(s.grid_transfer) + "'. Set Batching to 1.");
  require(s.point_transfer == PointTransfer::Shared || s.transfer != Transfer::FLIP,
    "PointTransfer 'Global' does not go with the Transfer FLIP, whose points see the nodes before "
    "the forces from shared memory. Set PointTransfer to Shared, or use APIC or PIC.");
  const bool plain = s.grid_transfer == GridTransfer::Tiles &&
    s.point_transfer == PointTransfer::Shared && s.point_order == PointSorting::Deep;
  require(plain || s.integration == TimeIntegration::Explicit,
    std::string("The integrator ") + name(s.integration) +
      " has the transfers Tiles and Shared and the order Deep alone, and the scene has " +
      name(s.grid_transfer) + ", " + name(s.point_transfer) + " and " + name(s.point_order) +
      ". Use the integration Explicit.");
}

void validate(const Scene& s)
{
  require(!s.materials.empty(), "There are no materials.");
  require(s.materials.size() <= 255,
    "There are " + std::to_string(s.materials.size()) + " materials; at most 255 are possible.");
  validateMaterials(s);
  validateTransfers(s);
  dem::checkRows(s.domain);
  for (int k = 0; k < 3; ++k)
    require(s.domain.upper[k] > s.domain.lower[k],
      "The domain's upper corner " + number(s.domain.upper) + " must lie above its lower corner " +
        number(s.domain.lower) + " on every axis.");
  dem::checkRows(s);
  gridCells(s);
  if (s.integration != TimeIntegration::Explicit)
    dem::checkRows(s.implicit);
  validatePoints(s);
  validateWalls(s);
  dem::countOutputs(s.end_time, s.output_interval);
  if (s.events.empty())
    return;
  dem::checkEventTimes(s.events);
  Scene trial = s;
  trial.points = {};
  for (const dem::Event& event : s.events)
    applyToScene(trial, event);
}

} // namespace mpm
