// The benchmark of Barbieri et al., section 3: spheres of Green's soft law fall in a closed box
// that one uniform grid of 64^3 cells covers.
#pragma once

#include "BroadPhase/BroadPhaseOptions.h"
#include "Core/Device.h"
#include "Core/Vec.h"

#include <cstdint>
#include <vector>

namespace bench
{

struct SoftSpheresResult
{
  std::int64_t steps = 0;
  double seconds = 0;        // all steps
  double insert_seconds = 0; // of that, filling the grid
  double slowest_insert = 0; // s, in one step
  double entries = 0;        // neighbours found a particle, at the last step
  double mean_height = 0;    // at the end, in units of the box height
  std::int64_t outside = 0;  // spheres outside the box, or nowhere, at the end
  dem::SearchChoice search;
};

struct SoftState
{
  std::vector<dem::Vec4<double>> position; // w = radius; the box is -1 to 1
  std::vector<dem::Vec3<float>> velocity;
};

/// The spheres as the paper begins, after some steps of falling; their order is that of the
/// beginning.
SoftState softState(std::int64_t n, std::int64_t steps, const dem::Device& device);

/// Runs until `most_steps` or `seconds` have passed.
SoftSpheresResult runSoftSpheres(const SoftState& start, const dem::BroadPhaseOptions& options,
  const dem::Device& device, std::int64_t most_steps, double seconds);

} // namespace bench
