// Contact data of a touching pair for a frame. The CPU computes them for all pairs at once
// (PairsOnce.cuh).
#pragma once

#include "Core/Vec.h"

namespace dem
{

/// Contact data of a touching pair, seen from the lower Id.
template <class Real>
struct MeasuredPair
{
  Vec3<Real> normal;                          // from the lower Id to the higher
  Vec3<Real> tangential;                      // force on the lower Id, N
  Real normal_force, overlap, elastic_energy; // N, m, J
};

} // namespace dem
