// Overlaps of grains with each other and with walls at the start of a run: check and relaxation.
// Used by Simulation and Solver/InitialOverlapCheck.cuh.
#pragma once

#include "Scene/Scene.h"

#include <cstddef>

namespace dem
{

/// Number of pairs of grains with more than the accepted overlap, and the largest overlap as a
/// fraction of the smaller radius.
struct InitialOverlaps
{
  std::size_t pairs = 0;
  double worst = 0;
};

/// Accepted overlap as a fraction of the radius. It exceeds the scene's tolerance by 1e-9 of it, so
/// that an overlap equal to the tolerance is accepted in spite of rounding.
inline double acceptedOverlap(const Scene& scene)
{
  return scene.initial_overlap_tolerance * (1 + 1e-9);
}

/// Throws dem::Error if a grain of any shape overlaps a wall or a border of the domain by more than
/// the accepted fraction. The message names the deepest grain.
void checkWallOverlaps(const Scene& scene);

/// Moves overlapping grains apart, and out of walls and borders, until no overlap exceeds half of
/// the tolerance. The method is geometric, without forces and time. Grains are shifted, not
/// rotated. Throws dem::Error if 2000 rounds are not enough. The same scene gives the same bits.
void relaxOverlaps(Scene& scene);

} // namespace dem
