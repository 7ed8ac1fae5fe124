// Whether grains of a frame touch an automatic domain.
#pragma once

#include "Measure/Frame.h"
#include "Scene/Scene.h"

#include <string>

namespace dem
{

/// A sentence about a grain that touches a border of the automatic domain in this frame, or about
/// those that left through one; else empty. With gravity only the top is told: grains may rest on
/// the other borders. Linear in the number of grains.
std::string automaticDomainMet(const Scene& scene, const Frame& frame);

} // namespace dem
