// Properties of a scene: one row for each property. Validation, the reader of .dem files, the
// comparison of scenes, the fingerprints of saved states, steering and the tables of materials are
// derived from the rows. Tests compare the schema of .dem files, the panels and the setters of the
// VTK classes with them.
//
// Rows of walls and their motions are in Walls/WallRows.h, rows of nozzles in Spray/NozzleRows.h.
//
// To add a property: add the member with its initializer to the struct, and its row here. The tests
// House.Properties and Kernels.Describe then list what is missing in panel, VTK class and schema. A
// member without a row is a compile-time error.
//
// Fingerprints hash the rows in their order, so a new row comes last. It uses
// inFingerprintUnlessDefault(), so that older saved states remain valid.
#pragma once

#include "Core/Row.h"
#include "Scene/Names.h"
#include "Scene/Scene.h"
#include "Spray/NozzleRows.h"
#include "Walls/WallRows.h"

namespace dem
{

template <>
struct PairOf<Material>
{
  using Type = MaterialPair;
};
template <>
struct FallbackOf<ParticleInput>
{
  using Type = Scene;
};

template <>
struct Description<Material>
{
  static constexpr auto rows = std::make_tuple(row(&Material::name, "name", "Name").readElsewhere(),
    row(&Material::youngs_modulus, "youngs_modulus", "YoungsModulus", "Pa")
      .above(0)
      .steered()
      .inFingerprint()
      .panelDefault("5e6"), // soft enough for large time steps
    row(&Material::poissons_ratio, "poissons_ratio", "PoissonsRatio")
      .above(-1)
      .atMost(0.5)
      .steered()
      .inFingerprint(),
    row(&Material::density, "density", "Density", "kg/m^3").above(0).inFingerprint(),
    row(&Material::restitution, "restitution", "Restitution")
      .above(0)
      .atMost(1)
      .steered()
      .inFingerprint()
      .mixed(Mixing::GeometricMeanOrWall, &MaterialPair::restitution),
    row(&Material::friction, "friction", "Friction")
      .atLeast(0)
      .steered()
      .inFingerprint()
      .mixed(Mixing::GeometricMeanOrWall, &MaterialPair::friction),
    row(&Material::rolling_friction, "rolling_friction", "RollingFriction")
      .atLeast(0)
      .steered()
      .inFingerprint()
      .mixed(Mixing::GeometricMeanOrWall, &MaterialPair::rolling_friction),
    row(&Material::surface_energy, "surface_energy", "SurfaceEnergy", "J/m^2")
      .atLeast(0)
      .steered()
      .inFingerprintUnlessDefault()
      .mixed(Mixing::GeometricMean, &MaterialPair::surface_energy),
    row(&Material::heat_capacity, "heat_capacity", "HeatCapacity", "J/kg/K")
      .above(0)
      .inFingerprintUnlessDefault(),
    row(&Material::thermal_conductivity, "thermal_conductivity", "ThermalConductivity", "W/m/K")
      .above(0)
      .steered()
      .inFingerprintUnlessDefault(),
    row(&Material::true_youngs_modulus, "true_youngs_modulus", "TrueYoungsModulus", "Pa")
      .atLeast(0)
      .zeroIs("YoungsModulus")
      .steered()
      .inFingerprintUnlessDefault());
};

/// Key, range and use of a coefficient are stated in the row of Material with the same coefficient.
template <>
struct Description<MaterialPair>
{
  static constexpr auto rows = std::make_tuple( //
    row(&MaterialPair::first).inFingerprint(), row(&MaterialPair::second).inFingerprint(),
    row(&MaterialPair::restitution).inFingerprint(), row(&MaterialPair::friction).inFingerprint(),
    row(&MaterialPair::rolling_friction).inFingerprint(),
    row(&MaterialPair::surface_energy).inFingerprintUnlessDefault());
};

template <>
struct Description<ContactModel>
{
  static constexpr bool isLinear(const ContactModel& model)
  {
    return model.law == NormalLaw::LinearSpringDashpot;
  }

  static constexpr auto rows = std::make_tuple( //
    row(&ContactModel::law, "law", "ContactModel")
      .named(kNormalLawNames)
      .inFingerprint()
      .notInPanel(), // the panel has a list of proxies instead
    row(&ContactModel::tangential_history, "tangential_history", "TangentialHistory")
      .inFingerprint(),
    row(&ContactModel::friction_limit, "friction_limit", "FrictionLimit")
      .named(kFrictionLimitNames)
      .inFingerprint(),
    row(&ContactModel::tangential_damping, "tangential_damping", "TangentialDamping")
      .named(kTangentialDampingNames)
      .inFingerprint(),
    row(&ContactModel::clamp_normal_force, "clamp_normal_force", "ClampNormalForce")
      .inFingerprint(),
    row(&ContactModel::rolling, "rolling_model", "RollingModel")
      .named(kRollingModelNames)
      .inFingerprint()
      .notInPanel(), // the panel has a list of proxies instead
    row(&ContactModel::rolling_damping, "rolling_damping", "RollingDamping")
      .atLeast(0)
      .inFingerprint(),
    row(&ContactModel::collision_time, "collision_time", "CollisionTime", "s")
      .above(0)
      .checkedElsewhere() // a stiffness above 0 replaces it
      .onlyIf(isLinear)
      .inFingerprint(),
    row(&ContactModel::normal_stiffness, "normal_stiffness", "NormalStiffness", "N/m")
      .atLeast(0)
      .onlyIf(isLinear)
      .inFingerprint()
      .panelDefault("10000"), // the panel has a switch for it
    row(&ContactModel::stiffness_ratio, "stiffness_ratio", "StiffnessRatio")
      .atLeast(0)
      .onlyIf(isLinear)
      .inFingerprint(),
    row(&ContactModel::cohesion, "cohesion", "Cohesion")
      .named(kCohesionModelNames)
      .inFingerprintUnlessDefault()
      .notInPanel()); // the panel has a list of proxies instead
};

template <>
struct Description<HeatOptions>
{
  static constexpr auto rows = std::make_tuple( //
    row(&HeatOptions::model, "model", "HeatTransfer")
      .named(kHeatModelNames)
      .inFingerprintUnlessDefault()
      .notInPanel(), // the panel has a list of proxies instead
    row(&HeatOptions::area, "area_model", "AreaModel")
      .named(kContactAreaModelNames)
      .inFingerprintUnlessDefault(),
    row(&HeatOptions::correction, "modulus_correction", "ModulusCorrection")
      .named(kModulusCorrectionNames)
      .inFingerprintUnlessDefault(),
    row(&HeatOptions::dissipation, "dissipation_heating", "DissipationHeating")
      .inFingerprintUnlessDefault(),
    row(&HeatOptions::interval, "thermal_interval", "ThermalInterval", "s")
      .atLeast(0)
      .zeroIs("the automatic interval")
      .inFingerprintUnlessDefault(),
    row(&HeatOptions::gas_conductivity, "gas_conductivity", "GasConductivity", "W/m/K")
      .atLeast(0)
      .zeroIs("no gas")
      .inFingerprintUnlessDefault(),
    row(&HeatOptions::temperature_jump, "temperature_jump", "TemperatureJump", "m")
      .above(0)
      .inFingerprintUnlessDefault(),
    row(&HeatOptions::surface_roughness, "surface_roughness", "SurfaceRoughness", "m")
      .atLeast(0)
      .zeroIs("smooth surfaces")
      .inFingerprintUnlessDefault(),
    row(&HeatOptions::surface_slope, "surface_slope", "SurfaceSlope")
      .above(0)
      .inFingerprintUnlessDefault(),
    row(&HeatOptions::microhardness, "microhardness", "Microhardness", "Pa")
      .above(0)
      .inFingerprintUnlessDefault());
};

template <>
struct Description<FluidOptions>
{
  using F = FluidOptions;
  static constexpr auto rows = std::make_tuple( //
    row(&F::model, "model", "FluidCoupling")
      .named(kFluidModelNames)
      .inFingerprintUnlessDefault()
      .notInPanel(), // the panel has a list of proxies instead
    row(&F::drag, "drag_law", "DragLaw").named(kDragLawNames).inFingerprintUnlessDefault(),
    row(&F::velocity, "velocity", "FluidVelocity", "m/s").inFingerprintUnlessDefault(),
    row(&F::density, "density", "FluidDensity", "kg/m^3").above(0).inFingerprintUnlessDefault(),
    row(&F::viscosity, "viscosity", "FluidViscosity", "Pa s").above(0).inFingerprintUnlessDefault(),
    row(&F::buoyancy, "buoyancy", "Buoyancy").inFingerprintUnlessDefault(),
    row(&F::viscous_stress, "viscous_stress", "ViscousStress").inFingerprintUnlessDefault(),
    row(&F::magnus_lift, "magnus_lift", "MagnusLift").inFingerprintUnlessDefault(),
    row(&F::saffman_lift, "saffman_lift", "SaffmanLift").inFingerprintUnlessDefault(),
    row(&F::cell_size, "cell_size", "FluidCellSize", "m")
      .atLeast(0)
      .zeroIs("three largest diameters")
      .inFingerprintUnlessDefault(),
    row(&F::interval, "interval", "FluidInterval", "s")
      .atLeast(0)
      .zeroIs("64 time steps, or the longest stable step of a computed flow")
      .inFingerprintUnlessDefault(),
    row(&F::equations, "equations", "FluidEquations")
      .named(kFluidEquationsNames)
      .inFingerprintUnlessDefault(),
    row(&F::border, "boundaries", "FluidBoundary")
      .named(kFluidBorderNames)
      .readElsewhere()
      .inFingerprintUnlessDefault()
      .notInPanel(), // the panel has a property for each border
    row(&F::boundary_velocity, "boundary_velocity", "", "m/s")
      .readElsewhere()
      .inFingerprintUnlessDefault()
      .notInPanel(),
    row(&F::inlet_velocity, "inlet_velocity", "InletVelocity", "m/s").inFingerprintUnlessDefault(),
    row(&F::inlet_profile, "inlet_profile", "InletProfile")
      .named(kInletProfileNames)
      .inFingerprintUnlessDefault(),
    row(&F::inlet_ramp, "inlet_ramp", "InletRamp", "s").atLeast(0).inFingerprintUnlessDefault(),
    row(&F::inlet_factor, "inlet_factor", "InletFactor").steered(),
    row(&F::inlets, "inlets", "Inlets")
      .readElsewhere()
      .inFingerprintUnlessDefault()
      .notInPanel(), // the panel has a table
    row(&F::driving_force, "driving_force", "DrivingForce", "N/m^3").inFingerprintUnlessDefault(),
    row(&F::smagorinsky, "smagorinsky", "SmagorinskyConstant")
      .atLeast(0)
      .atMost(1)
      .inFingerprintUnlessDefault(),
    row(&F::exchange_diameter, "exchange_diameter", "ExchangeDiameter", "m")
      .atLeast(0)
      .zeroIs("that of the grain, or three largest diameters in small cells")
      .inFingerprintUnlessDefault(),
    row(&F::tolerance, "tolerance", "FluidTolerance")
      .above(0)
      .atMost(0.01)
      .inFingerprintUnlessDefault());
};

template <>
struct Description<BroadPhaseOptions>
{
  using O = BroadPhaseOptions;
  static constexpr auto rows = std::make_tuple( //
    row(&O::kind, "broad_phase", "BroadPhase").named(kBroadPhaseNames),
    row(&O::cell_order, "cell_order", "CellOrder").named(kCellOrderNames),
    row(&O::cell_sort, "cell_sort", "CellSort").named(kCellSortNames),
    row(&O::cells_per_particle, "cells_per_particle", "CellsPerParticle")
      .atLeast(0)
      .atMost(1000000)
      .zeroIs("no limit but 2e9 cells"),
    row(&O::linked_cells, "linked_cells", "LinkedCells").named(kLinkedCellsNames),
    row(&O::fixed_cells, "fixed_cells", "FixedCells").named(kFixedCellsNames),
    row(&O::cell_capacity, "cell_capacity", "CellCapacity").atLeast(1).atMost(65535),
    row(&O::hash, "hash_function", "HashFunction").named(kHashFunctionNames),
    row(&O::hash_table_factor, "hash_table_factor", "HashTableFactor").atLeast(1).atMost(5),
    row(&O::hash_order, "hash_order", "HashOrder").named(kHashOrderNames),
    row(&O::bvh_key_bits, "bvh_key_bits", "BVHKeyBits").oneOf(30, 63),
    row(&O::half_search, "half_search", "HalfSearch"),
    row(&O::triangles, "triangle_search", "TriangleSearch").named(kTriangleSearchNames),
    row(&O::sort, "sort_particles", "SortParticles").named(kSortNames),
    row(&O::sort_steps, "sort_steps", "SortSteps").atLeast(1),
    row(&O::sort_time, "sort_time", "SortTime", "s").above(0));
};

template <>
struct Description<NeighborListOptions>
{
  using O = NeighborListOptions;
  static constexpr auto rows = std::make_tuple( //
    row(&O::kind, "neighbor_list", "NeighborList").named(kNeighborListNames),
    row(&O::static_size, "static_size", "StaticSize")
      .atLeast(0)
      .atMost(65535)
      .zeroIs("tuned from counts"),
    row(&O::symmetric, "symmetric", "SymmetricList"),
    row(&O::thread_per, "thread_per", "ThreadPer").named(kThreadPerNames),
    row(&O::order, "list_order", "ListOrder").named(kListOrderNames));
};

/// checkAverages() checks these properties, with its own messages.
template <>
struct Description<AveragesOptions>
{
  using O = AveragesOptions;
  static constexpr auto rows = std::make_tuple( //
    row(&O::enabled, "", "AccumulateAverages"), row(&O::whole_domain, "", "AveragesFillDomain"),
    row(&O::lower, "lower", "AveragesBounds", "m")
      .checkedElsewhere()
      .panelDefault("-0.5 0.5 -0.5 0.5 -0.5 0.5"),
    row(&O::upper, "upper", "AveragesBounds", "m")
      .checkedElsewhere()
      .panelDefault("-0.5 0.5 -0.5 0.5 -0.5 0.5"),
    row(&O::cells, "cells", "AveragesDimensions").atLeast(1).checkedElsewhere(),
    row(&O::from, "from", "AveragesFrom", "s").atLeast(0).checkedElsewhere(),
    row(&O::to, "to", "AveragesTo", "s").atLeast(0).checkedElsewhere(),
    row(&O::interval, "interval", "AveragesInterval", "s").atLeast(0).checkedElsewhere(),
    row(&O::memory_limit, "memory_limit", "AveragesMemoryLimit")
      .statedIn("MiB", 1048576)
      .above(0)
      .checkedElsewhere());
};

template <>
struct Description<Domain>
{
  static constexpr bool isLimited(const Domain& domain) { return domain.limited; }

  static constexpr auto rows = std::make_tuple( //
    row(&Domain::limited, "limited", "LimitDomain").inFingerprint(),
    row(&Domain::lower, "lower", "Domain", "m")
      .checkedElsewhere()
      .onlyIf(isLimited)
      .inFingerprint() // for states before format 7, which do not store their borders
      .panelDefault("-0.5 0.5 -0.5 0.5 -0.5 0.5"),
    row(&Domain::upper, "upper", "Domain", "m")
      .checkedElsewhere()
      .onlyIf(isLimited)
      .inFingerprint()
      .panelDefault("-0.5 0.5 -0.5 0.5 -0.5 0.5"),
    row(&Domain::wall_material, "wall_material")
      .readElsewhere()
      .checkedElsewhere()
      .onlyIf(isLimited)
      .inFingerprint(),
    row(&Domain::exit, "exit", "Exit")
      .named(kExitNames)
      .readElsewhere()
      .onlyIf(isLimited)
      .inFingerprint(),
    row(&Domain::automatic, "", "AutomaticDomain").panelDefault("1"), row(&Domain::given));
};

template <>
struct Description<ParticleInput>
{
  using P = ParticleInput;
  static constexpr auto rows = std::make_tuple( //
    row(&P::position, "position", "", "m").readElsewhere(),
    row(&P::radius, "radius", "", "m").readElsewhere(),
    row(&P::velocity, "velocity", "", "m/s").readElsewhere(),
    row(&P::angular_velocity, "angular_velocity", "", "rad/s").readElsewhere(),
    row(&P::orientation, "orientation").readElsewhere(), row(&P::id, "id").readElsewhere(),
    row(&P::material, "material").readElsewhere(), row(&P::shape, "shape").readElsewhere(),
    row(&P::temperature, "temperature", "Temperature", "K")
      .atLeast(0)
      .perParticle(&Scene::initial_temperature)
      .readElsewhere()
      .notInPanel());
};

template <>
struct Description<Scene>
{
  static constexpr auto rows = std::make_tuple( //
    row(&Scene::materials), row(&Scene::pairs), row(&Scene::shapes), row(&Scene::particles),
    row(&Scene::particle_materials), row(&Scene::walls), row(&Scene::domain),
    row(&Scene::gravity, "gravity", "Gravity", "m/s^2").steered(), row(&Scene::contact),
    row(&Scene::output_interval, "output_interval", "OutputInterval", "s").above(0),
    row(&Scene::end_time, "end_time", "EndTime", "s")
      .atLeast(0)
      .notCompared(), // a run can be continued
    row(&Scene::time_step, "time_step", "TimeStep", "s").atLeast(0).zeroIs("the automatic step"),
    row(&Scene::precision, "precision", "Precision").named(kPrecisionNames),
    row(&Scene::integrator, "integrator", "Integrator").named(kIntegratorNames),
    row(&Scene::broad_phase), row(&Scene::neighbor_list),
    row(&Scene::skin, "skin", "Skin", "m").atLeast(0).zeroIs("the automatic skin"),
    row(&Scene::contact_statistics, "contact_statistics", "ContactStatistics"),
    row(&Scene::initial_overlap_tolerance, "initial_overlap_tolerance", "InitialOverlapTolerance")
      .atLeast(0)
      .atMost(0.5),
    row(&Scene::relax_initial_overlaps, "relax_initial_overlaps", "RelaxInitialOverlaps"),
    row(&Scene::events), row(&Scene::averages),
    row(&Scene::initial_temperature, "initial_temperature", "InitialTemperature", "K").atLeast(0),
    row(&Scene::heat), row(&Scene::nozzles), row(&Scene::spray), row(&Scene::fluid),
    row(&Scene::store).notCompared(), row(&Scene::fluid_field));
};

/// The panel has these as properties of the run.
template <>
struct Description<StoreOptions>
{
  using O = StoreOptions;
  static constexpr auto rows = std::make_tuple( //
    row(&O::interval, "store_interval", "CheckpointInterval", "s").atLeast(0).notInPanel(),
    row(&O::kept, "stores_kept", "CheckpointsKept").atLeast(0).notInPanel(), row(&O::file),
    row(&O::restart, "restart").readElsewhere().notInPanel());
};

/// Calls visit(row) for the members of ParticleInput with a number for each particle and a property
/// of the scene for particles without one.
template <class Visit>
void forNumbersOfParticles(const Visit& visit)
{
  forRows<ParticleInput>([&](const auto& row) {
    using Value = typename std::decay_t<decltype(row)>::Value;
    if constexpr (std::is_same_v<Value, std::vector<double>>)
      if (row.otherwise)
        visit(row);
  });
}

static_assert(
  eachMemberHasARow<Material, ContactModel, HeatOptions, FluidOptions, BroadPhaseOptions,
    NeighborListOptions, AveragesOptions, Domain, ParticleInput, StoreOptions, Scene>(),
  "a member of a struct of the scene has no row");
static_assert(sizeof(MaterialPair) ==
    2 * sizeof(int) + (rowCount<MaterialPair>() - 2) * sizeof(std::optional<double>),
  "a member of MaterialPair has no row");

} // namespace dem
