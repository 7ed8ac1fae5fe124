// Overlaps of grains with each other and with walls at the start of a run.
#pragma once

#include "Scene/Scene.h"

#include <cstddef>

namespace dem
{

/// Pairs of grains that overlap by more than is accepted at the start, and the share of the smaller
/// radius by which the worst of them do.
struct InitialOverlaps
{
  std::size_t pairs = 0;
  double worst = 0;
};

/// The accepted overlap as a share of the radius, a little larger than the scene's tolerance: 5 %
/// as typed is not more than 5 %.
inline double acceptedOverlap(const Scene& scene)
{
  return scene.initial_overlap_tolerance * (1 + 1e-9);
}

/// Throws dem::Error if a grain of any shape overlaps a wall or a border of the domain by more than
/// the accepted share.
void checkWallOverlaps(const Scene& scene);

/// Moves overlapping grains apart and out of walls and borders, until no overlap is larger than
/// half of the tolerance. Geometry only: no forces, no time; grains of other shapes are shifted,
/// not turned. Throws dem::Error if 2000 rounds do not suffice. The same scene gives the same bits.
void relaxOverlaps(Scene& scene);

} // namespace dem
