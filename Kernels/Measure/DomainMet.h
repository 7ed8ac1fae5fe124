// Warning for frames in which grains touch or have left an automatic domain. Used by the filters.
#pragma once

#include "Measure/Frame.h"
#include "Scene/Scene.h"

#include <string>

namespace dem
{

/// Returns a warning with the cure if a grain touches a border of the automatic domain in this
/// frame, or has left through one; otherwise an empty string. With gravity only a touch of the
/// upper border counts, since grains may rest on the others. Cost: linear in the number of grains.
std::string automaticDomainMet(const Scene& scene, const Frame& frame);

} // namespace dem
