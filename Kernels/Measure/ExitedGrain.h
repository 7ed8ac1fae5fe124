// A grain that left a run through a removing border. Entry of ExitList and of saved states.
#pragma once

#include "Core/Vec.h"

#include <cstdint>

namespace dem
{

struct ExitedGrain
{
  std::int64_t id; ///< Id of the scene; for a body its own, not that of a part
  Vec3d position;  ///< m: first position beyond the border
  double energy;   ///< J: kinetic energy and gravity potential, without its contacts
};

} // namespace dem
