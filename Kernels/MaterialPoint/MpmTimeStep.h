// The time step of an MPM run: bounds, advice, and the plan of its outputs.
#pragma once

#include "MaterialPoint/MpmScene.h"

#include <cstdint>

namespace mpm
{

/// The steps of a run. The time step divides the output interval: time_step = output_interval /
/// steps_per_output.
struct StepPlan
{
  double time_step = 0;
  std::uint64_t steps_per_output = 1;
  std::uint64_t outputs = 1; ///< number of output times, including 0
};

/// The bound of an explicit step, h / (c + |v|): within it no sound passes a cell and no point
/// moves by a cell (Meyer 2019, 4.5.4, eq. 92-93).
struct TimeStepAdvice
{
  double sound_speed = 0;     ///< m/s, the fastest of the materials at rest
  double fastest = 0;         ///< m/s, of the points and walls
  double largest_allowed = 0; ///< s
  double recommended =
    0; ///< s: cfl times the bound; implicit: the time in which the fastest point moves cfl cells
};

TimeStepAdvice adviseTimeStep(const Scene& scene);
/// Throws dem::Error if a given TimeStep is beyond the bound of explicit steps.
StepPlan planSteps(const Scene& scene);
/// Number of output times from 0 to end_time; 1 if end_time is 0. Throws dem::Error if a time is
/// not valid or there are too many.
std::uint64_t countOutputs(const Scene& scene);

} // namespace mpm
