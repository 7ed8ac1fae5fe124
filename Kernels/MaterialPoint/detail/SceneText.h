// Helpers of the checks of a scene: numbers in messages, and refusals.
#pragma once

#include "Core/Vec.h"

#include <string>

namespace mpm
{

std::string text(double x);
std::string text(const dem::Vec3d& p);
bool finite(const dem::Vec3d& p);
/// Throws dem::Error(what) unless `good`.
void require(bool good, const std::string& what);

} // namespace mpm
