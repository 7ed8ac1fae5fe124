// What reading a scene may cost. The defaults are those of a file that a user opens; fuzzers narrow
// them.
#pragma once

#include "Scene/Scene.h"
#include "Scene/Packing/PackingLimits.h"

#include <string>

namespace dem
{

/// parseScene where all packings together may cost no more than `limits`.
Scene parseScene(const std::string& text, const std::string& directory, const std::string& label,
  const PackingLimits& limits);

} // namespace dem
