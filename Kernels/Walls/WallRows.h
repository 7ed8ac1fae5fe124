// Properties of walls and of their motions: one row for each (Core/Row.h). Used by the descriptions
// of the scenes of all methods.
#pragma once

#include "Core/Row.h"
#include "Walls/Wall.h"

namespace dem
{

/// validateWall() checks these properties.
template <>
struct Description<Motion>
{
  static constexpr auto rows = std::make_tuple( //
    row(&Motion::kind, "kind").named(kMotionKindNames).inFingerprint().inPanelAs("Motion"),
    row(&Motion::origin, "origin", "", "m").checkedElsewhere().inFingerprint().inPanelAs("Origin"),
    row(&Motion::axis, "axis").checkedElsewhere().inFingerprint().inPanelAs("Axis"),
    row(&Motion::rate, "rate", "WallRate", "rad/s")
      .checkedElsewhere()
      .steered()
      .inFingerprint()
      .inPanelAs("RotationRate", "degrees/s")
      .panelDefault("360"),
    row(&Motion::velocity, "velocity", "WallVelocity", "m/s")
      .checkedElsewhere()
      .steered()
      .inFingerprint()
      .inPanelAs("Velocity")
      .panelDefault("0 0 0.1"),
    row(&Motion::amplitude, "amplitude", "", "m")
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("Amplitude")
      .panelDefault("0.001"),
    row(&Motion::frequency, "frequency", "", "Hz")
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("Frequency")
      .panelDefault("10"),
    row(&Motion::phase, "phase", "", "degrees") // degrees in files; radians in the solver
      .readElsewhere()
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("Phase"),
    row(&Motion::start, "start", "", "s").checkedElsewhere().inFingerprint().inPanelAs("StartTime"),
    row(&Motion::stop, "stop", "", "s")
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("StopTime")
      .panelDefault("1e9"),
    // changed by steering only
    row(&Motion::angle_before).notCompared(), row(&Motion::shift_before).notCompared());
};

template <>
struct Description<WallHeat>
{
  static constexpr bool hasTemperature(const WallHeat& heat)
  {
    return heat.condition == ThermalCondition::Temperature;
  }
  static constexpr bool hasFlux(const WallHeat& heat)
  {
    return heat.condition == ThermalCondition::HeatFlux;
  }

  static constexpr auto rows = std::make_tuple( //
    row(&WallHeat::condition, "condition", "ThermalCondition")
      .named(kThermalConditionNames)
      .inFingerprint(),
    row(&WallHeat::temperature, "", "WallTemperature", "K")
      .atLeast(0)
      .onlyIf(hasTemperature)
      .steered()
      .inFingerprint()
      .inPanelAs("Temperature"),
    row(&WallHeat::heat_flux, "", "WallHeatFlux", "W/m^2")
      .onlyIf(hasFlux)
      .steered()
      .inFingerprint()
      .inPanelAs("HeatFlux"));
};

/// Meshes come from the pipeline; the panel has the numbers of the other kinds. validateWall()
/// checks these rows.
template <>
struct Description<Wall>
{
  static constexpr auto rows = std::make_tuple( //
    row(&Wall::name, "name").readElsewhere(),
    row(&Wall::kind, "kind").named(kWallKindNames).inFingerprint().inPanelAs("Kind"),
    row(&Wall::material, "material").readElsewhere().checkedElsewhere().inFingerprint(),
    row(&Wall::radius, "radius", "", "m")
      .atLeast(0)
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("Radius")
      .panelDefault("0.1"),
    row(&Wall::end_radius, "end_radius", "", "m")
      .atLeast(0)
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("EndRadius")
      .panelDefault("0.2"),
    row(&Wall::origin, "origin", "", "m").checkedElsewhere().inFingerprint().inPanelAs("Point1"),
    row(&Wall::normal, "normal").checkedElsewhere().inFingerprint().inPanelAs("Normal"),
    row(&Wall::edge_u, "edge_u", "", "m")
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("EdgeU")
      .panelDefault("0.4 0 0"),
    row(&Wall::edge_v, "edge_v", "", "m")
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("EdgeV")
      .panelDefault("0 0.4 0"),
    row(&Wall::end, "end", "", "m")
      .checkedElsewhere()
      .inFingerprint()
      .inPanelAs("Point2")
      .panelDefault("0 0 0.3"),
    row(&Wall::points, "points", "", "m").readElsewhere().inFingerprint(),
    row(&Wall::triangles, "triangles").readElsewhere().inFingerprint(),
    row(&Wall::motion, "motion").readElsewhere().inFingerprint(),
    row(&Wall::further_motions, "motions").readElsewhere().inFingerprintUnlessDefault(),
    row(&Wall::heat, "thermal").readElsewhere().inFingerprintUnlessDefault(),
    row(&Wall::permeable, "permeable").inFingerprintUnlessDefault().inPanelAs("Permeable"));
};

static_assert(
  eachMemberHasARow<Motion, WallHeat, Wall>(), "a member of a wall or of its motion has no row");

} // namespace dem
