// The time step of an MPM run: bounds, advice, and the plan of its outputs.
#pragma once

#include "MaterialPoint/MpmScene.h"

#include <cstdint>

namespace mpm
{

/// Steps per output and the step that divides the output interval: time_step = output_interval /
/// steps.
struct StepPlan
{
  double time_step = 0;
  std::uint64_t steps_per_output = 1;
  std::uint64_t outputs = 1; ///< number of output times, 0 included
};

/// The bound of an explicit step: no sound passes a cell and no point moves a cell within it, h /
/// (c + |v|) (Meyer 2019, 4.5.4, eq. 92-93).
struct TimeStepAdvice
{
  double sound_speed = 0;     ///< m/s, the fastest of the materials at rest
  double fastest = 0;         ///< m/s, of the points and walls
  double largest_allowed = 0; ///< s
  double recommended =
    0; ///< s: cfl of it; implicit: what lets the fastest point move cfl of a cell
};

TimeStepAdvice adviseTimeStep(const Scene& scene);
/// Throws dem::Error if a given TimeStep is beyond the bound of explicit steps.
StepPlan planSteps(const Scene& scene);
/// Number of output times from 0 to end_time; 1 if end_time is 0. Throws dem::Error if a time is
/// not valid or there are too many.
std::uint64_t countOutputs(const Scene& scene);

} // namespace mpm
