// Scenes and frames with heat transfer.
#pragma once

#include "TestSupport.h"

namespace test
{

/// All arrays, with temperatures and heat flows.
inline dem::FrameSelection withTemperature()
{
  dem::FrameSelection f;
  f.passive[dem::kTemperature] = f.passive[dem::kHeatFlow] = true;
  return f;
}

/// A wall of this temperature, K.
inline dem::Wall heated(dem::Wall wall, double temperature)
{
  wall.heat = { dem::ThermalCondition::Temperature, temperature, 0 };
  return wall;
}
/// A wall that gives this flux, W/m^2.
inline dem::Wall withFlux(dem::Wall wall, double flux)
{
  wall.heat = { dem::ThermalCondition::HeatFlux, 293.15, flux };
  return wall;
}

} // namespace test
