// Functions for messages and checks. Used by Scene, Measure and the packings.
#pragma once

#include "Core/Error.h"
#include "Core/Vec.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace dem
{

/// Returns a number as text with at most `digits` significant digits.
inline std::string number(double x, int digits = 6)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

inline bool isFinite(const Vec3d& v)
{
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Throws dem::Error with the message `what` unless `good`.
inline void require(bool good, const std::string& what)
{
  if (!good)
    throw Error(what);
}

} // namespace dem
