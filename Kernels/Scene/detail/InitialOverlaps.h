// Overlaps of grains at the start of a run.
#pragma once

#include "Scene/Scene.h"

#include <cstddef>

namespace dem
{

/// The share of a radius that grains and walls may overlap by at the start: 5 % as typed is not
/// more than 5 %.
inline double acceptedOverlap(const Scene& scene)
{
  return scene.initial_overlap_tolerance * (1 + 1e-9);
}

/// Pairs of grains that overlap by more at the start, and the share of the smaller radius by which
/// the worst of them do.
struct InitialOverlaps
{
  std::size_t pairs = 0;
  double worst = 0;
};

} // namespace dem
