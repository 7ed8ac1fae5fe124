// Steps of the temperatures, and coefficients of heat transfer, from a scene. Used by the solver.
#pragma once

#include "Physics/Heat/Conduction.cuh"
#include "Physics/Heat/GasGap.cuh"
#include "Core/StepPlan.h"
#include "Scene/Scene.h"

#include <vector>

namespace dem
{

/// Largest number of time steps in an automatic interval: with the automatic time step less than
/// half of the shortest contact, which lasts 40 time steps.
constexpr unsigned kMostStepsOfHeat = 16;

/// Number of time steps from one step of the temperatures to the next. With an automatic interval
/// it is at most kMostStepsOfHeat, and a tenth of the shortest m c / sum of the conductances that
/// grains with 12 contacts of 1 % overlap would have; if possible, so that outputs fall on steps of
/// the temperatures. Throws dem::Error if ThermalInterval is below a time
/// step or above EndTime.
unsigned stepsOfHeat(const Scene& scene, const StepPlan& plan);

/// Coefficients of each pair of materials (a, b), at index a * materials + b.
std::vector<HeatCoefficients> heatCoefficients(const Scene& scene);

/// Gas and roughness of all contacts.
GasGap gasGap(const HeatOptions& heat);

/// Upper bound of the conductance of the gas around a contact of a sphere of this radius (m), W/K.
double mostOfGas(const GasGap& gas, double radius);

/// Largest m c of a grain, J/K; 0 without grains.
double largestHeatCapacity(const Scene& scene);

} // namespace dem
