// A change while a simulation runs (`Steer`).
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

/// A property by its public name takes a value from `time` on. What can change, and with which
/// numbers, is the scene's to say.
struct Event
{
  double time = 0; ///< s
  std::string property;
  std::vector<double> value;

  bool operator==(const Event& o) const
  {
    return time == o.time && property == o.property && value == o.value;
  }
};

/// The first whole step at or after a time; for a time that no run comes to the largest number
/// there is.
inline std::uint64_t firstStepAt(double time, double time_step)
{
  const double steps = std::ceil(time / time_step - 1e-6);
  if (!(steps < 1e18))
    return ~std::uint64_t(0);
  return steps > 0 ? static_cast<std::uint64_t>(steps) : 0;
}

} // namespace dem
