// A change of a property while a simulation runs (`Steer`). Used by scenes, timelines and
// checkpoints.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

/// From `time` on, the property with this public name has this value. The scene defines which
/// properties can change and the number of their values.
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

/// First whole step at or after `time` (s). 2^64 - 1 for times that no run reaches.
inline std::uint64_t firstStepAt(double time, double time_step)
{
  const double steps = std::ceil(time / time_step - 1e-6);
  if (!(steps < 1e18))
    return ~std::uint64_t(0);
  return steps > 0 ? static_cast<std::uint64_t>(steps) : 0;
}

} // namespace dem
