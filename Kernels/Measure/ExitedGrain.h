// A grain that left a run through a removing border.
#pragma once

#include "Core/Vec.h"

#include <cstdint>

namespace dem
{

struct ExitedGrain
{
  std::int64_t id; ///< as users know it
  Vec3d position;  ///< m: the first place beyond the border
  double energy;   ///< J: kinetic and of gravity, not that of its contacts
};

} // namespace dem
