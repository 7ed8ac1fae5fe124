// Properties of an MPM scene: one row for each (Core/Row.h). Validation, the comparison of scenes,
// the fingerprint of saved states, steering and the table of materials are derived from the rows.
// The test House.Properties compares panels and VTK classes with them. A member without a row is a
// compile-time error. Rows of walls and their motions are in Walls/WallRows.h.
//
// A new row that is part of the fingerprint uses inFingerprintUnlessDefault(), so that older saved
// states remain valid.
#pragma once

#include "Core/Row.h"
#include "MaterialPoint/MpmScene.h"
#include "Walls/WallRows.h"

namespace dem
{

/// Members are used by the kinds for which a row applies. Events change the first material.
template <>
struct Description<mpm::Material>
{
  using M = mpm::Material;
  using Kind = mpm::MaterialKind;
  static constexpr double kDegree = 0.017453292519943295; // rad

  static constexpr bool isSolid(const M& m) { return m.kind != Kind::Fluid; }
  static constexpr bool isFluid(const M& m) { return m.kind == Kind::Fluid; }
  static constexpr bool isSand(const M& m) { return m.kind == Kind::DruckerPrager; }
  static constexpr bool isRateSand(const M& m) { return isSand(m) && m.grain_diameter > 0; }
  static constexpr bool isMetal(const M& m) { return m.kind == Kind::VonMises; }

  static constexpr auto rows = std::make_tuple( //
    row(&M::kind, "law", "Law").named(mpm::kMaterialKindNames).inFingerprint().notInPanel(),
    row(&M::density, "density", "Density", "kg/m^3").above(0).inFingerprint(),
    row(&M::youngs_modulus, "youngs_modulus", "YoungsModulus", "Pa")
      .above(0)
      .onlyIf(isSolid)
      .steered()
      .inFingerprint()
      .panelDefault("1e5"),
    row(&M::poissons_ratio, "poissons_ratio", "PoissonsRatio")
      .atLeast(0)
      .atMost(0.4999)
      .advise("Towards 0.5 the speed of sound grows without limit: use 0.49, or the kind Fluid.")
      .onlyIf(isSolid)
      .steered()
      .inFingerprint(),
    row(&M::friction_angle, "friction_angle", "FrictionAngle")
      .statedIn("degrees", kDegree)
      .atLeast(0)
      .below(90)
      .onlyIf(isSand)
      .steered()
      .inFingerprint()
      .panelDefault("30"),
    row(&M::sand_yield, "yield_surface", "YieldSurface")
      .named(mpm::kSandYieldNames)
      .onlyIf(isSand)
      .inFingerprint(),
    row(&M::cohesion, "cohesion", "Cohesion", "Pa")
      .atLeast(0)
      .onlyIf(isSand)
      .steered()
      .inFingerprint(),
    row(&M::grain_diameter, "grain_diameter", "GrainDiameter", "m")
      .atLeast(0)
      .onlyIf(isSand)
      .inFingerprint(),
    row(&M::fast_friction_angle, "fast_friction_angle", "FastFrictionAngle")
      .statedIn("degrees", kDegree)
      .atLeast(0)
      .below(90)
      .onlyIf(isRateSand)
      .inFingerprint()
      .panelDefault("45"),
    row(&M::inertial_number, "inertial_number", "InertialNumber")
      .above(0)
      .onlyIf(isRateSand)
      .inFingerprint(),
    row(&M::yield_stress, "yield_stress", "YieldStress", "Pa")
      .above(0)
      .onlyIf(isMetal)
      .steered()
      .inFingerprint(),
    row(&M::hardening_modulus, "hardening_modulus", "HardeningModulus", "Pa")
      .atLeast(0)
      .onlyIf(isMetal)
      .steered()
      .inFingerprint(),
    row(&M::bulk_modulus, "bulk_modulus", "BulkModulus", "Pa")
      .above(0)
      .onlyIf(isFluid)
      .steered()
      .inFingerprint(),
    row(&M::gamma, "gamma", "Gamma").atLeast(1).onlyIf(isFluid).steered().inFingerprint(),
    row(&M::viscosity, "viscosity", "Viscosity", "Pa s")
      .atLeast(0)
      .onlyIf(isFluid)
      .steered()
      .inFingerprint());
};

/// validate() checks the arrays of the points, with the Id of a point in its messages.
template <>
struct Description<mpm::PointInput>
{
  using P = mpm::PointInput;
  static constexpr auto rows = std::make_tuple( //
    row(&P::position, "position", "", "m"), row(&P::velocity, "velocity", "", "m/s"),
    row(&P::mass, "mass", "", "kg"), row(&P::volume, "volume", "", "m^3"),
    row(&P::material, "material"), row(&P::id, "id"), row(&P::deformation, "deformation"),
    row(&P::velocity_gradient, "velocity_gradient", "", "1/s"));
};

template <>
struct Description<mpm::Domain>
{
  using D = mpm::Domain;
  static constexpr auto rows = std::make_tuple( //
    row(&D::lower, "lower", "Domain", "m").inFingerprint().panelDefault("-1 1 -1 1 0 2"),
    row(&D::upper, "upper", "Domain", "m").inFingerprint().panelDefault("-1 1 -1 1 0 2"),
    row(&D::border, "border", "Border")
      .named(mpm::kBorderNames)
      .inFingerprint()
      .panelDefault("2"), // Separate
    row(&D::friction, "border_friction", "BorderFriction")
      .atLeast(0)
      .steered()
      .panelDefault("0.3"));
};

template <>
struct Description<mpm::WallContact>
{
  using W = mpm::WallContact;
  static constexpr auto rows = std::make_tuple( //
    row(&W::kind, "wall_contact", "WallContact").named(mpm::kContactNames),
    row(&W::friction, "wall_friction", "WallContactFriction")
      .atLeast(0)
      .steered()
      .inPanelAs("WallFriction")
      .panelDefault("0.3"));
};

template <>
struct Description<mpm::ImplicitOptions>
{
  using O = mpm::ImplicitOptions;
  static constexpr auto rows = std::make_tuple( //
    row(&O::newton_tolerance, "newton_tolerance", "NewtonTolerance").above(0).below(1),
    row(&O::newton_most, "newton_iterations", "NewtonIterations").atLeast(1),
    row(&O::cg_tolerance, "linear_tolerance", "LinearTolerance").above(0).below(1),
    row(&O::cg_most, "linear_iterations", "LinearIterations").atLeast(1), row(&O::hold_points));
};

template <>
struct Description<mpm::Scene>
{
  using S = mpm::Scene;
  static constexpr auto rows = std::make_tuple( //
    row(&S::materials), row(&S::points), row(&S::walls), row(&S::wall_contacts), row(&S::domain),
    row(&S::grid_spacing, "grid_spacing", "GridSpacing", "m")
      .above(0)
      .inFingerprint()
      .panelDefault("0"), // the panel also has an automatic spacing
    row(&S::spline, "kernel", "Kernel").named(mpm::kSplineNames),
    row(&S::transfer, "transfer", "Transfer").named(mpm::kTransferNames),
    row(&S::flip_fraction, "flip_fraction", "FlipFraction").atLeast(0).atMost(1),
    row(&S::grid_transfer, "grid_transfer", "GridTransfer").named(mpm::kGridTransferNames),
    row(&S::batching, "batching", "Batching").oneOf(1, 4),
    row(&S::point_transfer, "point_transfer", "PointTransfer").named(mpm::kPointTransferNames),
    row(&S::point_order, "point_order", "PointOrder").named(mpm::kPointSortingNames),
    row(&S::precision, "precision", "Precision").named(mpm::kPrecisionNames),
    row(&S::integration, "integrator", "Integrator").named(mpm::kTimeIntegrationNames),
    row(&S::implicit), row(&S::equal_bits, "equal_bits", "EqualBits"),
    row(&S::gravity, "gravity", "Gravity", "m/s^2").steered(),
    row(&S::time_step, "time_step", "TimeStep", "s").atLeast(0).zeroIs("the automatic step"),
    row(&S::cfl, "courant_number", "CourantNumber").above(0).atMost(1),
    row(&S::end_time, "end_time", "EndTime", "s")
      .atLeast(0)
      .notCompared(), // a run can be continued
    row(&S::output_interval, "output_interval", "OutputInterval", "s").above(0), row(&S::events),
    row(&S::memory_limit, "memory_limit", "MemoryLimit").statedIn("MiB", 1048576).atLeast(0));
};

static_assert(eachMemberHasARow<mpm::Material, mpm::PointInput, mpm::Domain, mpm::WallContact,
                mpm::ImplicitOptions, mpm::Scene>(),
  "a member of a struct of the MPM scene has no row");

} // namespace dem
