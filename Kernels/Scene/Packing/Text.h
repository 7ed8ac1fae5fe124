// Functions for messages about packings, and the tolerance of lengths.
#pragma once

#include "Core/Text.h"

#include <string>

namespace dem
{
namespace detail
{

constexpr double kTolerance =
  1e-9; ///< relative tolerance of lengths: exact touching is not an overlap

[[noreturn]] inline void failPacking(const std::string& what) { throw Error("Packing: " + what); }

} // namespace detail
} // namespace dem
