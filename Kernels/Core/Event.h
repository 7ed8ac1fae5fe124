// A change while a simulation runs (`Steer`).
#pragma once

#include <string>
#include <vector>

namespace dem
{

/// A property by its public name takes a value from `time` on. What can change, and with which numbers, is the scene's to say.
struct Event
{
  double time = 0; ///< s
  std::string property;
  std::vector<double> value;

  bool operator==(const Event& o) const { return time == o.time && property == o.property && value == o.value; }
};

} // namespace dem
