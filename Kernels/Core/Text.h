// Functions for messages and checks. Used by the checks of scenes of all methods.
#pragma once

#include "Core/Error.h"
#include "Core/Vec.h"

#include <cmath>
#include <cstddef>
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

inline std::string number(const Vec3d& v)
{
  return "(" + number(v.x) + ", " + number(v.y) + ", " + number(v.z) + ")";
}

/// Name of an enumerator, `names` in the order of the enumeration; "unknown" for other numbers.
template <class Enum, std::size_t N>
const char* nameOf(const char* const (&names)[N], Enum value)
{
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : "unknown";
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
