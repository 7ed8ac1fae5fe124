// Checks of all parts of a scene, with the messages for faults.
#include "Scene/Validate.h"

#include "Core/RowRange.h"
#include "Core/RowSteering.h"
#include "Scene/AutomaticDomain.h"
#include "Scene/AveragesGrid.h"
#include "Scene/CohesionLimits.h"
#include "Scene/Describe.h"
#include "Scene/StepPlan.h"
#include "Scene/Steering.h"
#include "Scene/detail/BodySet.h"
#include "Scene/detail/FluidFromScene.h"
#include "Scene/detail/LawFromScene.h"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace dem
{
namespace
{

void validatePairs(const Scene& scene)
{
  const int materials = static_cast<int>(scene.materials.size());
  for (const MaterialPair& pair : scene.pairs)
  {
    const std::string who =
      "Material pair (" + std::to_string(pair.first) + ", " + std::to_string(pair.second) + "): ";
    require(
      pair.first >= 0 && pair.first < materials && pair.second >= 0 && pair.second < materials,
      who + "the scene has materials 0 to " + std::to_string(materials - 1) + ".");
    forRows<Material>([&](const auto& row) {
      if (row.pair && pair.*row.pair)
        require(
          isInRange(row, *(pair.*row.pair)), who + row.property + " must " + rangeText(row) + ".");
    });
  }
}

// `may_be_empty`: a computed flow has a run without grains.
void validateParticleSizes(const ParticleInput& p, bool may_be_empty)
{
  const std::size_t n = p.size();
  require(n > 0 || p.position.empty(),
    "The particles have " + std::to_string(p.position.size()) + " positions but no Radius.");
  require(n > 0 || may_be_empty,
    "There are no particles: the Particles input is empty. Check the packing, or the filter in "
    "front of the simulation.");
  require(n < 0x7fffffffu, std::to_string(n) + " particles pass the limit of 2^31 - 2.");
  const auto sized = [&](std::size_t size, const char* what) {
    require(size == 0 || size == n,
      std::string("The particles have ") + std::to_string(n) + " radii but " +
        std::to_string(size) + " " + what + ".");
  };
  require(p.position.size() == n,
    "The particles have " + std::to_string(n) + " radii but " + std::to_string(p.position.size()) +
      " positions.");
  sized(p.velocity.size(), "velocities");
  sized(p.angular_velocity.size(), "angular velocities");
  sized(p.orientation.size(), "orientations");
  sized(p.id.size(), "Ids");
  sized(p.material.size(), "materials");
  sized(p.shape.size(), "shapes");
  forNumbersOfParticles([&](const auto& row) {
    sized((p.*row.member).size(), (std::string("values of ") + row.property).c_str());
  });
}

void validateIds(const std::vector<std::int64_t>& ids)
{
  std::unordered_set<std::int64_t> seen;
  seen.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i)
  {
    if (ids[i] < 0 || ids[i] >= (std::int64_t(1) << 42))
      throw Error("Particle " + std::to_string(i) + ": Id is " + std::to_string(ids[i]) +
        "; it must lie in [0, 2^42).");
    if (!seen.insert(ids[i]).second)
      throw Error("Id " + std::to_string(ids[i]) +
        " is used twice. Ids must be unique: when two inputs are appended, drop the Id array of "
        "one.");
  }
}

void validateParticles(const Scene& scene)
{
  const ParticleInput& p = scene.particles;
  const std::size_t n = p.size();
  validateParticleSizes(p, scene.fluid.model == FluidModel::VolumeAveraged);
  for (std::size_t i = 0; i < n; ++i)
  {
    const std::string who = "Particle " + std::to_string(i) + ": ";
    if (!(p.radius[i] > 0 && std::isfinite(p.radius[i])))
      throw Error(
        who + "Radius is " + number(p.radius[i]) + " m; it must be a finite number above 0.");
    if (!isFinite(p.position[i]))
      throw Error(who + "its position is not finite.");
    if (!p.velocity.empty() && !isFinite(p.velocity[i]))
      throw Error(who + "Velocity is not finite.");
    if (!p.angular_velocity.empty() && !isFinite(p.angular_velocity[i]))
      throw Error(who + "AngularVelocity is not finite.");
    if (!p.orientation.empty())
    {
      const auto& q = p.orientation[i];
      const double q2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
      if (!(q2 > 1e-12 && std::isfinite(q2)))
        throw Error(who + "Orientation is not a quaternion (w x y z) of a length above 0.");
    }
    if (!p.material.empty() &&
      (p.material[i] < 0 || p.material[i] >= static_cast<int>(scene.materials.size())))
      throw Error(who + "Material is " + std::to_string(p.material[i]) +
        "; the scene has materials 0 to " + std::to_string(scene.materials.size() - 1) + ".");
  }
  for (std::size_t i = 0; i < p.shape.size(); ++i)
    if (p.shape[i] < 0 || p.shape[i] >= static_cast<int>(scene.shapes.size()))
      throw Error("Particle " + std::to_string(i) + ": Shape is " + std::to_string(p.shape[i]) +
        "; the scene has shapes 0 to " + std::to_string(scene.shapes.size() - 1) + ".");
  forNumbersOfParticles([&](const auto& row) {
    for (std::size_t i = 0; i < (p.*row.member).size(); ++i)
      if (!isInRange(row, (p.*row.member)[i]) || !std::isfinite((p.*row.member)[i]))
        checkValue(row, (p.*row.member)[i], "Particle " + std::to_string(i) + ": ");
  });
  validateIds(p.id);
}

double largestReach(const Scene& scene)
{
  const BodyShapes shapes = scene.particles.shape.empty() ? BodyShapes{} : bodyShapes(scene);
  double reach = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i)
    reach = std::max(reach, reachOf(scene, shapes, i));
  return reach;
}

// Throws dem::Error for options and walls that are not supported with grains other than spheres.
void validateBodies(const Scene& scene)
{
  const std::int32_t first =
    *std::find_if(scene.particles.shape.begin(), scene.particles.shape.end(),
      [&](std::int32_t s) { return scene.shapes[s].kind != ShapeKind::Sphere; });
  const std::string who = "Shape '" + scene.shapes[first].name + "'";
  require(scene.integrator != IntegratorKind::GearPredictorCorrector,
    "Integrator '" + std::string(kIntegratorNames[static_cast<int>(scene.integrator)]) +
      "' does not go with " + who +
      ": it cannot integrate tumbling. Use Velocity Verlet or Semi-Implicit Euler.");
  require(scene.neighbor_list.kind == NeighborListKind::Automatic,
    std::string("NeighborList '") + name(scene.neighbor_list.kind) + "' does not go with " + who +
      ": grains that are not spheres need Automatic; the other kinds are for comparisons of "
      "spheres.");
  const auto solid = std::find_if(scene.particles.shape.begin(), scene.particles.shape.end(),
    [&](std::int32_t s) { return scene.shapes[s].kind == ShapeKind::ConvexPolyhedron; });
  for (std::size_t w = 0; w < scene.walls.size() && solid != scene.particles.shape.end(); ++w)
    require(scene.walls[w].kind != WallKind::Line,
      "Wall " + std::to_string(w) + " ('" + scene.walls[w].name +
        "') is a Line, which does not go with Shape '" + scene.shapes[*solid].name +
        "': polyhedra are pushed by the volume that they share with a wall, and a line has none. "
        "Make it a Cylinder of a small radius, or a Mesh.");
}

void validateDomain(const Scene& scene)
{
  const Domain& d = scene.domain;
  if (!d.limited)
    return;
  require(d.wall_material >= 0 && d.wall_material < static_cast<int>(scene.materials.size()),
    "Domain: its wall material " + std::to_string(d.wall_material) +
      " is not in the scene, which has materials 0 to " +
      std::to_string(scene.materials.size() - 1) + ".");
  static const char* axis_name[3] = { "X", "Y", "Z" };
  const double radius_max = largestReach(scene);
  for (int k = 0; k < 3; ++k)
  {
    require(std::isfinite(d.lower[k]) && std::isfinite(d.upper[k]) && d.upper[k] > d.lower[k],
      std::string("Domain: on axis ") + axis_name[k] + " the upper border " + number(d.upper[k]) +
        " must lie above the lower " + number(d.lower[k]) + ".");
    if (d.exit[k] == Exit::Periodic)
      require(d.upper[k] - d.lower[k] >= 4.4 * radius_max,
        std::string("Domain: the period on axis ") + axis_name[k] + " is " +
          number(d.upper[k] - d.lower[k]) + " m, too short for grains of radius " +
          number(radius_max) +
          " m: it must be at least 4.4 radii, so that no grain meets another twice.");
  }
  std::size_t out = 0, first = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i)
    for (int k = 0; k < 3; ++k)
    {
      const double x = scene.particles.position[i][k];
      if (d.exit[k] != Exit::Periodic && (x < d.lower[k] || x > d.upper[k]))
      {
        if (!out++)
          first = i;
        break;
      }
    }
  if (out)
  {
    const Vec3d& x = scene.particles.position[first];
    throw Error(domainName(d) + " leaves out " + std::to_string(out) +
      " particles, the first is number " + std::to_string(first) + " at (" + number(x.x) + ", " +
      number(x.y) + ", " + number(x.z) + "). Enlarge Domain, or switch Automatic Domain on.");
  }
}

void validateBroadPhase(const BroadPhaseOptions& o)
{
  checkRows(o);
  require(o.cell_sort == CellSort::Counting || o.kind == BroadPhaseKind::SortedGrid ||
      o.kind == BroadPhaseKind::HierarchicalGrid,
    std::string("CellSort 'Radix' does not go with BroadPhase '") + name(o.kind) +
      "': only Sorted Grid and Hierarchical Grid sort particles by cell. Choose one of them, or "
      "set CellSort to Counting.");
  constexpr int kCells = BroadPhaseOptions{}.cells_per_particle;
  require(o.cells_per_particle == kCells || o.kind == BroadPhaseKind::SortedGrid ||
      o.kind == BroadPhaseKind::LinkedCells || o.kind == BroadPhaseKind::FixedCells,
    "CellsPerParticle " + std::to_string(o.cells_per_particle) + " does not go with BroadPhase '" +
      name(o.kind) +
      "': only Sorted Grid, Linked Cells and Fixed Cells take their number of cells from it. "
      "Choose one of them, or set CellsPerParticle to " +
      std::to_string(kCells) + ".");
  require(o.hash_order == HashOrder::Curve || o.kind == BroadPhaseKind::HashedGrid,
    std::string("HashOrder 'Bucket' does not go with BroadPhase '") + name(o.kind) +
      "': only Hashed Infinite Grid has buckets. Choose it, or set HashOrder to Z-Order Curve.");
  if (!o.half_search)
    return;
  require(o.kind == BroadPhaseKind::SortedGrid || o.kind == BroadPhaseKind::Bvh,
    std::string("HalfSearch does not go with BroadPhase '") + name(o.kind) +
      "': only Sorted Grid and BVH find a pair from one side. Choose one of them, or switch "
      "HalfSearch off.");
  require(o.kind == BroadPhaseKind::Bvh || o.cell_order != CellOrder::Morton,
    "HalfSearch does not go with CellOrder 'Morton': it reads rows of cells. Use Row Major or "
    "Tiles.");
}

// Checks the options of lists whose sums have no fixed order.
void validateAtomicSums(const Scene& scene, bool listed, const std::string& kind)
{
  const NeighborListOptions& o = scene.neighbor_list;
  const std::string per =
    std::string("ThreadPer '") + kThreadPerNames[static_cast<int>(o.thread_per)] + "'";
  if (o.thread_per == ThreadPer::ContactHalving)
  {
    require(listed, per + " does not go with " + kind + ". Choose Static, Dynamic or Hybrid.");
    const int size = o.static_size;
    require(
      o.kind == NeighborListKind::Dynamic || (size > 0 && size <= 32 && (size & (size - 1)) == 0),
      per + " needs a StaticSize of 1, 2, 4, 8, 16 or 32 with " + kind +
        ", because the threads of a warp halve the slots of a particle; StaticSize is " +
        std::to_string(size) + ".");
  }
  if (o.order == ListOrder::Sorted)
    return;
  const std::string order = "ListOrder 'Unsorted' does not go with ";
  require(listed, order + kind + ". Choose Static, Dynamic or Hybrid, or set ListOrder to Sorted.");
  require(o.thread_per != ThreadPer::ContactReduced,
    order + per + ", which sums in the order of Ids. Use Contact or Contact, Halving Reduction.");
  require(o.thread_per != ThreadPer::Particle || o.kind != NeighborListKind::Dynamic,
    order + "ThreadPer 'Particle' and " + kind +
      ", because unsorted pairs have no rows. Set ThreadPer to Contact.");
  require(scene.contact.cohesion == CohesionModel::None &&
      historyColumns(lawParameters<double>(scene)) == 0,
    order +
      "contacts that have a history: a contact is found again by its sorted row (Kureck 2016, "
      "5.5). Set ListOrder to Sorted, or switch off TangentialHistory, ContactStatistics, cohesion "
      "and the RollingModel EPSD.");
}

void validateNeighborList(const Scene& scene)
{
  const NeighborListOptions& o = scene.neighbor_list;
  const BroadPhaseOptions& search = scene.broad_phase;
  const std::string kind = std::string("NeighborList '") + name(o.kind) + "'";
  const std::string per =
    std::string("ThreadPer '") + kThreadPerNames[static_cast<int>(o.thread_per)] + "'";
  checkRows(o);
  const bool listed = o.kind == NeighborListKind::Static || o.kind == NeighborListKind::Dynamic ||
    o.kind == NeighborListKind::Hybrid;
  require(o.static_size == 0 ||
      (o.kind != NeighborListKind::Automatic && o.kind != NeighborListKind::Dynamic),
    "StaticSize " + std::to_string(o.static_size) + " does not go with " + kind +
      ", which has no slots. Set it to 0.");
  require(!o.symmetric || listed,
    "SymmetricList does not go with " + kind +
      (o.kind == NeighborListKind::Automatic
          ? ", which chooses itself where a pair is evaluated."
          : ", where each particle visits all of its neighbours.") +
      " Switch SymmetricList off, or choose Static, Dynamic or Hybrid.");
  require(o.thread_per == ThreadPer::Particle ||
      (o.kind != NeighborListKind::Automatic && o.kind != NeighborListKind::None),
    per + " does not go with " + kind +
      (o.kind == NeighborListKind::Automatic
          ? ", which distributes contacts and particles itself."
          : ", where search and force are one loop of a particle.") +
      " Set ThreadPer to Particle.");
  require(o.thread_per != ThreadPer::ContactReduced || !o.symmetric,
    per +
      " does not go with SymmetricList, whose sums are atomics. Use Contact or Contact, "
      "Halving Reduction.");
  validateAtomicSums(scene, listed, kind);
  if (!o.everyStep())
    return;
  require(search.kind == BroadPhaseKind::Automatic || search.kind == BroadPhaseKind::SortedGrid ||
      search.kind == BroadPhaseKind::Bvh,
    kind + " does not go with BroadPhase '" + name(search.kind) +
      "': only Sorted Grid and BVH can be searched in every step. Choose one of them, or another "
      "NeighborList.");
  require(search.kind == BroadPhaseKind::Bvh || search.cell_order == CellOrder::RowMajor,
    kind + " does not go with CellOrder '" + kCellOrderNames[static_cast<int>(search.cell_order)] +
      "': it is searched in rows of cells. Use Row Major.");
  require(!search.half_search,
    kind +
      " does not go with HalfSearch: each particle visits all of its neighbours. Switch "
      "HalfSearch off.");
}

void validateContact(const Scene& scene)
{
  const ContactModel& c = scene.contact;
  require(
    scene.integrator != IntegratorKind::GearPredictorCorrector || c.rolling != RollingModel::CDT,
    "Integrator 'Gear Predictor-Corrector' does not go with RollingModel 'CDT', whose torque stops "
    "a rolling grain within one step: the scheme "
    "damps stably over more than three. Use EPSD, or another Integrator.");
  require(c.law != NormalLaw::LinearSpringDashpot || c.normal_stiffness > 0 || c.collision_time > 0,
    "Linear Spring-Dashpot needs a CollisionTime or a NormalStiffness above 0.");
  checkRows(c);
  validateCohesion(scene, sphereRadii(scene));
}

// Checks what gas and roughness of contacts need.
void validateGaps(const Scene& scene)
{
  const char* option = scene.heat.gas_conductivity > 0 ? "GasConductivity" : "SurfaceRoughness";
  for (std::size_t s = 0; s < scene.shapes.size(); ++s)
    require(
      scene.shapes[s].kind == ShapeKind::Sphere || scene.shapes[s].kind == ShapeKind::MultiSphere,
      std::string(option) + " does not go with Shape " + std::to_string(s) + " ('" +
        scene.shapes[s].name + "'), a " + shapeKindName(scene.shapes[s].kind) +
        ": the gaps are those of spheres. Use spheres or clumps of spheres, or set it to 0.");
  require(!(scene.heat.surface_roughness > 0) || scene.contact.cohesion == CohesionModel::None,
    "SurfaceRoughness does not go with Cohesion '" + std::string(name(scene.contact.cohesion)) +
      "': surfaces that stick are smooth. Set it to 0, or Cohesion to 'None'.");
  require(!(scene.heat.surface_roughness > 0) || scene.contact.law == NormalLaw::HertzMindlin,
    std::string("SurfaceRoughness does not go with ") + name(scene.contact.law) +
      ", whose contacts have no pressure. Set it to 0, or choose Hertz-Mindlin.");
}

void validateHeat(const Scene& scene)
{
  checkRows(scene.heat);
  for (std::size_t w = 0; w < scene.walls.size() && !scene.heat.on(); ++w)
    require(scene.walls[w].heat.condition == ThermalCondition::Adiabatic,
      "Wall " + std::to_string(w) + " ('" + scene.walls[w].name + "') has the ThermalCondition '" +
        kThermalConditionNames[static_cast<int>(scene.walls[w].heat.condition)] +
        "', but HeatTransfer is None. Set HeatTransfer to Conduction, or the wall to Adiabatic.");
  require(!scene.heat.on() || scene.neighbor_list.kind == NeighborListKind::Automatic,
    std::string("NeighborList '") + name(scene.neighbor_list.kind) +
      "' does not go with HeatTransfer: it is for comparisons of forces. Use Automatic.");
  require(scene.heat.on() || !scene.heat.dissipation,
    "DissipationHeating needs HeatTransfer. Set it to Conduction.");
  validateTrueModuli(scene);
  if (scene.heat.hasGaps())
    validateGaps(scene);
}

// Checks events by applying them to a copy of the properties that they change.
void validateEvents(const Scene& scene)
{
  Scene trial;
  trial.materials = scene.materials;
  trial.pairs = scene.pairs;
  trial.contact = scene.contact;
  trial.shapes = scene.shapes;
  trial.nozzles = scene.nozzles;
  trial.heat = scene.heat;
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
    trial.particle_materials.push_back(usedByParticles(scene, static_cast<int>(m)));
  trial.domain = scene.domain;
  const SphereRadii radii = scene.events.empty() ? SphereRadii{} : sphereRadii(scene);
  trial.walls.resize(scene.walls.size());
  for (std::size_t k = 0; k < scene.walls.size(); ++k)
  {
    trial.walls[k].name = scene.walls[k].name;
    trial.walls[k].motion = scene.walls[k].motion;
    trial.walls[k].heat = scene.walls[k].heat;
    trial.walls[k].material = scene.walls[k].material;
  }
  checkEventTimes(scene.events);
  for (std::size_t k = 0; k < scene.events.size(); ++k)
  {
    const Event& event = scene.events[k];
    applyToScene(trial, event);
    validateCohesion(trial, radii);
    const bool is_last = k + 1 == scene.events.size() || scene.events[k + 1].time > event.time;
    if (is_last) // events of one time act together
      validateTrueModuli(trial);
  }
}

} // namespace

void validateTrueModuli(const Scene& scene)
{
  if (!scene.heat.on())
    return;
  std::vector<bool> conducts;
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
    conducts.push_back(usedByParticles(scene, static_cast<int>(m)));
  for (const Wall& wall : scene.walls)
    if (wall.heat.condition != ThermalCondition::Adiabatic)
      conducts[wall.material] = true;
  const Material *with = nullptr, *without = nullptr;
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
  {
    const Material& material = scene.materials[m];
    const double real = material.true_youngs_modulus;
    if (!conducts[m])
      continue;
    (real > 0 ? with : without) = &material;
    require(real == 0 || real >= material.youngs_modulus,
      "TrueYoungsModulus of material '" + material.name + "' is " + number(real) +
        " Pa, below its YoungsModulus, " + number(material.youngs_modulus) +
        " Pa. Make it at least as large, or 0 for no correction.");
  }
  require(!with || scene.contact.law != NormalLaw::LinearSpringDashpot,
    "TrueYoungsModulus does not go with Linear Spring-Dashpot, whose overlaps do not follow from "
    "Young's moduli. Set it to 0, or choose Hertz-Mindlin.");
  require(!with || !without,
    "Material '" + (with ? with->name : "") + "' has a TrueYoungsModulus, but '" +
      (without ? without->name : "") +
      "', which also conducts heat, has none. Give it one, its YoungsModulus if that is the true "
      "one, or set all to 0.");
}

void validateNozzles(const Scene& scene)
{
  validateSpray(scene.spray);
  std::vector<std::string> walls;
  for (const Wall& wall : scene.walls)
    walls.push_back(wall.name);
  for (std::size_t k = 0; k < scene.nozzles.size(); ++k)
    validateNozzle(scene.nozzles[k], k, walls);
}

void validateMaterial(const Material& material, std::size_t index)
{
  checkRows(material, "Material " + std::to_string(index) + " ('" + material.name + "'): ");
}

void validate(const Scene& scene)
{
  require(!scene.materials.empty(), "The scene has no material.");
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
    validateMaterial(scene.materials[m], m);
  validatePairs(scene);
  validateParticles(scene);
  for (std::size_t w = 0; w < scene.walls.size(); ++w)
  {
    validateWall(scene.walls[w], w);
    const int material = scene.walls[w].material;
    require(material >= 0 && material < static_cast<int>(scene.materials.size()),
      "Wall " + std::to_string(w) + " ('" + scene.walls[w].name + "'): its material " +
        std::to_string(material) + " is not in the scene.");
  }
  validateDomain(scene);
  if (usesBodies(scene))
    validateBodies(scene);
  checkRows(scene);
  checkRows(scene.store);
  countOutputs(scene.end_time, scene.output_interval);
  checkAverages(scene);
  validateNozzles(scene);
  validateFluid(scene);
  validateBroadPhase(scene.broad_phase);
  validateNeighborList(scene);
  validateContact(scene);
  validateHeat(scene);
  validateEvents(scene);
}

} // namespace dem
