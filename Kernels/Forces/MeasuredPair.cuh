// What the CPU computes of all touching pairs at once for a frame.
#pragma once

#include "Core/Vec.h"

namespace dem
{

/// What a frame shows of a touching pair, as its lower Id sees it.
template <class Real>
struct MeasuredPair
{
  Vec3<Real> normal;     // from the lower Id to the higher
  Vec3<Real> tangential; // force on the lower Id
  Real normal_force, overlap, elastic_energy;
};

} // namespace dem
