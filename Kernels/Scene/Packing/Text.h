// Parts of the messages about packings.
#pragma once

#include "Scene/detail/Text.h"

#include <string>

namespace dem
{
namespace detail
{

constexpr double kTolerance = 1e-9; ///< of a length, so that exactly touching counts as free

inline std::string number(const Vec3d& v)
{
  return "(" + dem::number(v.x) + ", " + dem::number(v.y) + ", " + dem::number(v.z) + ")";
}
inline std::string number(double x) { return dem::number(x); }

[[noreturn]] inline void failPacking(const std::string& what) { throw Error("Packing: " + what); }

} // namespace detail
} // namespace dem
