// Members that events can change, found by their rows, and the check of an event. Used by the
// steering of all methods.
#pragma once

#include "Core/Event.h"
#include "Core/Row.h"
#include "Core/Text.h"
#include "Core/Vec.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace dem
{

/// Pointers to the numbers of the steered member with this property; empty if there is none.
template <class Owner>
std::vector<double*> numbersOf(Owner& owner, const std::string& property)
{
  std::vector<double*> numbers;
  forRows<Owner>([&](const auto& row) {
    using Value = typename std::decay_t<decltype(row)>::Value;
    if (!row.is_steered || property != row.property)
      return;
    if constexpr (std::is_same_v<Value, double>)
      numbers = { &(owner.*row.member) };
    else if constexpr (std::is_same_v<Value, Vec3d>)
      numbers = { &(owner.*row.member).x, &(owner.*row.member).y, &(owner.*row.member).z };
  });
  return numbers;
}

/// Appends the names of the steered members to a list in a message.
template <class Owner>
void addSteeredNames(std::string& text, const std::string& prefix = "")
{
  forRows<Owner>([&](const auto& row) {
    if (row.is_steered)
      text += (text.empty() ? "" : ", ") + prefix + row.property;
  });
}

/// Begin of messages about an event.
inline std::string eventText(const Event& event)
{
  return "Event '" + event.property + "' at t = " + number(event.time) + " s";
}

/// Checks the values of an event, which needs `size` finite numbers. `size` is 0 if the property
/// cannot be steered; `known` lists those that can. Throws dem::Error.
inline void checkEvent(const Event& event, std::size_t size, const std::string& known)
{
  require(size > 0,
    "'" + event.property + "' cannot be changed while the simulation runs. Known: " + known + ".");
  require(event.value.size() == size,
    eventText(event) + " needs " + std::to_string(size) + " numbers, it has " +
      std::to_string(event.value.size()) + ".");
  for (double v : event.value)
    require(std::isfinite(v), eventText(event) + " has a value that is not finite.");
}

/// Checks that events ascend in time, from 0 on. Throws dem::Error.
inline void checkEventTimes(const std::vector<Event>& events)
{
  double last = 0;
  for (std::size_t k = 0; k < events.size(); ++k)
  {
    require(events[k].time >= last,
      "Event " + std::to_string(k) + " ('" + events[k].property + "') at t = " +
        number(events[k].time) + " s: events must stand in ascending time, from 0 on.");
    last = events[k].time;
  }
}

} // namespace dem
