// Range of a row of Scene/Describe.h: test of a value, and text for messages. Used by validation
// and the tables of properties.
#pragma once

#include "Scene/detail/Text.h"

#include <string>

namespace dem
{

/// Returns true if a value is in the range of its row; false for NaN.
template <class RowT>
bool isInRange(const RowT& row, double value)
{
  if (row.choices[0] != row.choices[1])
    return value == row.choices[0] || value == row.choices[1];
  return (row.lower_is_open ? value > row.lower : value >= row.lower) && value <= row.upper;
}

/// Returns the text that follows "must" in a message: "be above 0", "be at least 0 s", "lie in (0,
/// 1]". `with_unit` appends the unit to the limits.
template <class RowT>
std::string rangeText(const RowT& row, bool with_unit = false)
{
  const std::string unit = with_unit && row.unit[0] ? std::string(" ") + row.unit : "";
  const bool zero = row.zero[0] != 0;
  if (row.choices[0] != row.choices[1])
    return "be " + std::to_string(row.choices[0]) + " or " + std::to_string(row.choices[1]);
  if (!(row.upper < std::numeric_limits<double>::infinity()))
    return zero ? "be above 0" + unit + ", or 0 for " + row.zero
                : (row.lower_is_open ? "be above " : "be at least ") + number(row.lower) + unit;
  return zero ? "lie in [1, " + number(row.upper) + "]" + unit + ", or be 0 (" + row.zero + ")"
              : "lie in " + std::string(row.lower_is_open ? "(" : "[") + number(row.lower) + ", " +
      number(row.upper) + "]" + unit;
}

} // namespace dem
