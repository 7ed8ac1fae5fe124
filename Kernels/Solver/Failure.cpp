// Unpacks StepControl::error and writes the message.
#include "Solver/Failure.h"

#include "Particles/State.cuh"

#include <cstdio>

namespace dem
{

std::int64_t failedId(unsigned long long packed)
{
  return static_cast<std::int64_t>(packed & ((1ull << 42) - 1));
}

std::string failureText(
  unsigned long long packed, std::uint64_t first_step, double time_step, std::int64_t user_id)
{
  const std::uint64_t at = first_step + (packed >> 44);
  const auto step = static_cast<unsigned long long>(at);
  const auto kind = static_cast<FailureKind>((packed >> 42) & 3);
  const auto id = static_cast<long long>(user_id);
  const double t = static_cast<double>(at) * time_step;
  char text[500];
  if (kind == FailureKind::NotFinite)
    std::snprintf(text, sizeof text,
      "Particle %lld is no longer at a finite place at t = %.6g s (step %llu). The time step "
      "%.3g s is too large for the stiffness or the "
      "speeds: set TimeStep to 0 (automatic) or lower it, and look for overlapping particles at "
      "the start.",
      id, t, step, time_step);
  else if (kind == FailureKind::Drag)
    std::snprintf(text, sizeof text,
      "Particle %lld at t = %.6g s (step %llu): the time step, %.3g s, is too long for the drag on "
      "it, which would overshoot the velocity of the fluid. It must be below 0.5 (Gear: 0.15) "
      "times mass over coefficient of drag. Lower TimeStep, or check FluidDensity, "
      "FluidViscosity and the radii.",
      id, t, step, time_step);
  else if (at == 0)
    std::snprintf(text, sizeof text,
      "Particle %lld overlaps a neighbour or wall by more than half the smaller radius at the "
      "start. Move particles apart that overlap each other, a wall or a border of Domain, or "
      "enlarge Domain.",
      id);
  else
    std::snprintf(text, sizeof text,
      "Particle %lld overlaps a neighbour or wall by more than half the smaller radius at t = "
      "%.6g s (step %llu). Contacts this deep "
      "are not physical: raise YoungsModulus, lower TimeStep (now %.3g s), or look for particles "
      "that start inside a wall or are squeezed "
      "by one.",
      id, t, step, time_step);
  return text;
}

} // namespace dem
