// Properties of nozzles and of the spray: one row for each (Core/Row.h). Used by validation, the
// reader of .dem files and the comparison of scenes. The test House.Properties compares the panel
// of DEM Nozzle with them.
#pragma once

#include "Core/Row.h"
#include "Spray/Nozzle.h"

namespace dem
{

inline constexpr double kDegree = 3.14159265358979323846 / 180; // rad
/// Largest number of rays of a sample: hits take 16 bytes a ray.
inline constexpr int kMostRays = 1 << 27;

template <>
struct Description<Nozzle>
{
  using N = Nozzle;
  static constexpr auto rows = std::make_tuple( //
    row(&N::name, "name").readElsewhere(),
    row(&N::position, "position", "Position", "m").steered().panelDefault("0 0 0.2"),
    row(&N::axis, "axis", "Axis").steered(), row(&N::up, "up", "Up"),
    row(&N::full_angle, "full_angle", "FullAngle", "degrees")
      .statedIn("degrees", kDegree)
      .above(0)
      .atMost(180)
      .advise("180 degrees is half a sphere; for a wider spray use two nozzles."),
    row(&N::across_angle, "across_angle", "AcrossAngle", "degrees")
      .statedIn("degrees", kDegree)
      .atLeast(0)
      .atMost(180)
      .advise("0 makes a round cone."),
    row(&N::profile, "profile", "Profile").named(kSprayProfileNames),
    row(&N::mass_rate, "mass_rate", "MassRate", "kg/s").atLeast(0).zeroIs("no spray").steered(),
    row(&N::rays, "rays_per_sample", "RaysPerSample")
      .atLeast(1)
      .atMost(kMostRays)
      .advise("More rays need more than 2 GiB at once: take samples more often."),
    row(&N::interval, "sample_interval", "SampleInterval", "s").above(0),
    row(&N::start, "start", "StartTime", "s").atLeast(0),
    row(&N::stop, "stop", "StopTime", "s").atLeast(0).panelDefault("1e9"),
    row(&N::seed, "seed", "Seed").atLeast(0),
    row(&N::moves_with, "moves_with", "MovesWith")
      .readElsewhere()
      .notInPanel()); // the panel has a text field
};

template <>
struct Description<SprayOptions>
{
  using O = SprayOptions;
  static constexpr auto rows = std::make_tuple( //
    row(&O::search, "ray_search", "RaySearch").named(kRaySearchNames),
    row(&O::patches, "coating_patches", "CoatingPatches").atLeast(0).atMost(32));
};

static_assert(eachMemberHasARow<Nozzle, SprayOptions>(), "a member of a nozzle has no row");

} // namespace dem
