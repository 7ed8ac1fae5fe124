// Parts of messages, and the tests that lead to them.
#pragma once

#include "Core/Error.h"
#include "Core/Vec.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace dem
{

/// A number with at most `digits` significant digits.
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

/// Throws dem::Error with `what` unless `good`.
inline void require(bool good, const std::string& what)
{
  if (!good)
    throw Error(what);
}

} // namespace dem
