// Functions for messages about packings, and the tolerance of lengths.
#pragma once

#include "Scene/detail/Text.h"

#include <string>

namespace dem
{
namespace detail
{

constexpr double kTolerance =
  1e-9; ///< relative tolerance of lengths: exact touching is not an overlap

inline std::string number(const Vec3d& v)
{
  return "(" + dem::number(v.x) + ", " + dem::number(v.y) + ", " + dem::number(v.z) + ")";
}
inline std::string number(double x) { return dem::number(x); }

[[noreturn]] inline void failPacking(const std::string& what) { throw Error("Packing: " + what); }

} // namespace detail
} // namespace dem
