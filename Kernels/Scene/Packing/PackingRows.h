// Properties of a packing: one row for each (Core/Row.h). Used by makePacking() and the reader of
// .dem files. The test House.Properties compares the panel of DEM Packing with them.
#pragma once

#include "Core/Row.h"
#include "Scene/Packing/Packing.h"

namespace dem
{

inline constexpr const char* kPackingKindNames[] = { "Lattice", "Jittered Lattice", "Random" };
inline constexpr const char* kRadiusKindNames[] = { "Single", "Uniform", "Normal", "Log-Normal",
  "Tabulated" };

/// A packing checks its box, the order of the radii and their table itself.
template <>
struct Description<PackingSpec>
{
  using P = PackingSpec;
  static constexpr bool hasLimits(const P& p)
  {
    return p.radius_kind == RadiusKind::Uniform || isNormal(p);
  }
  static constexpr bool isNormal(const P& p)
  {
    return p.radius_kind == RadiusKind::Normal || p.radius_kind == RadiusKind::LogNormal;
  }
  static constexpr bool usesRadius(const P& p)
  {
    return p.radius_kind == RadiusKind::Single || isNormal(p);
  }

  static constexpr auto rows = std::make_tuple( //
    row(&P::kind, "kind", "Arrangement").named(kPackingKindNames),
    row(&P::lower, "lower", "LowerCorner", "m").checkedElsewhere().panelDefault("-0.2 -0.2 0"),
    row(&P::upper, "upper", "UpperCorner", "m")
      .checkedElsewhere()
      .notInPanel(), // the panel has the size of the box
    row(&P::count, "count", "Count").atLeast(0),
    row(&P::spacing, "spacing", "Spacing", "m")
      .atLeast(0)
      .zeroIs("2.02 times the largest radius")
      .panelDefault("0.025"),
    row(&P::jitter, "jitter", "Jitter").atLeast(0).atMost(1),
    row(&P::radius_kind, "radius_distribution", "RadiusDistribution")
      .named(kRadiusKindNames)
      .panelDefault("1"), // Uniform
    row(&P::radius, "radius", "Radius", "m").above(0).onlyIf(usesRadius).panelDefault("0.01"),
    row(&P::radius_min, "radius_min", "MinimumRadius", "m")
      .above(0)
      .onlyIf(hasLimits)
      .panelDefault("0.008"),
    row(&P::radius_max, "radius_max", "MaximumRadius", "m")
      .above(0)
      .onlyIf(hasLimits)
      .panelDefault("0.012"),
    row(&P::radius_deviation, "radius_deviation", "RadiusDeviation", "m") // Log-Normal: no unit
      .atLeast(0)
      .onlyIf(isNormal)
      .panelDefault("0.001"),
    row(&P::table_radius, "table_radius"), row(&P::table_fraction, "table_fraction"),
    row(&P::material, "material").readElsewhere().checkedElsewhere(),
    row(&P::shape, "shape").readElsewhere().checkedElsewhere(),
    row(&P::reach).checkedElsewhere(), // of the shape
    row(&P::turned, "turned", "RandomOrientation"),
    row(&P::velocity, "velocity", "Velocity", "m/s"),
    row(&P::angular_velocity, "angular_velocity", "AngularVelocity", "rad/s")
      .inPanelAs("AngularVelocity", "degrees/s"),
    row(&P::seed, "seed", "Seed").atLeast(0), row(&P::region_points), row(&P::region_triangles));
};

static_assert(eachMemberHasARow<PackingSpec>(), "a member of PackingSpec has no row");

} // namespace dem
