// Ranges of rows: test of a value, text for messages, and the check of all members of a struct.
// Used by validation, events and the tables of materials.
#pragma once

#include "Core/Row.h"
#include "Core/Text.h"

#include <cmath>
#include <string>
#include <type_traits>

namespace dem
{

/// Returns true if a value is in the range of its row; false for NaN.
template <class RowT>
bool isInRange(const RowT& row, double value)
{
  if (row.choices[0] != row.choices[1])
    return value == row.choices[0] || value == row.choices[1];
  return (row.lower_is_open ? value > row.lower : value >= row.lower) &&
    (row.upper_is_open ? value < row.upper : value <= row.upper);
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
  const std::string end = number(row.upper) + (row.upper_is_open ? ")" : "]") + unit;
  return zero
    ? "lie in [1, " + end + ", or be 0 (" + row.zero + ")"
    : "lie in " + std::string(row.lower_is_open ? "(" : "[") + number(row.lower) + ", " + end;
}

/// Throws dem::Error unless a value is finite and in the range of its row. `who` begins the
/// message.
template <class RowT>
void checkValue(const RowT& row, double value, const std::string& who)
{
  const std::string unit = row.unit[0] ? std::string(" ") + row.unit : "";
  const std::string advice = row.advice[0] ? std::string(" ") + row.advice : "";
  const std::string shown = std::is_integral_v<typename RowT::Value>
    ? std::to_string(static_cast<long long>(value))
    : number(value / row.factor);
  require(isInRange(row, value / row.factor) && std::isfinite(value),
    who + row.property + " is " + shown + unit + "; it must " + rangeText(row) + "." + advice);
}

/// Checks the members of a struct whose rows have a range. `who` begins the messages.
template <class Owner>
void checkRows(const Owner& owner, const std::string& who = "")
{
  forRows<Owner>([&](const auto& row) {
    using Value = typename std::decay_t<decltype(row)>::Value;
    if (!row.is_checked || (row.applies && !row.applies(owner)))
      return;
    if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>)
      checkValue(row, static_cast<double>(owner.*row.member), who);
    else if constexpr (std::is_same_v<Value, Vec3d>)
      require(isFinite(owner.*row.member), who + row.property + " is not finite.");
  });
}

} // namespace dem
