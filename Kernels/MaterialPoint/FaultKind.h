// How a sub-step can make a point invalid.
#pragma once

namespace mpm
{

enum class FaultKind : unsigned
{
  None,
  Inverted, ///< or not finite
  TooFast   ///< moved more than a cell
};

} // namespace mpm
