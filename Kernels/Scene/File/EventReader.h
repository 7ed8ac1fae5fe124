// Reads the events of a .dem document, of any method.
#pragma once

#include "Core/Event.h"
#include "Scene/File/ReaderContext.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace dem
{
namespace detail
{

/// What a method can change during a run.
struct EventKinds
{
  std::function<bool(const std::string& property)> of_wall;     ///< has the key "wall"
  std::function<bool(const std::string& property)> of_nozzle;   ///< has the key "nozzle"; or none
  std::function<std::size_t(const std::string& property)> size; ///< of values, with an index
  std::string wall_properties;                                  ///< for messages: "A, B and C"
  /// Index of the nozzle with the name in a JSON string.
  std::function<double(const nlohmann::json& node, const std::string& pointer)> nozzle;
};

/// Returns the events, ascending in time. The walls of `in` must have been read. Throws dem::Error.
std::vector<Event> readEvents(const ReaderContext& in, const EventKinds& kinds);

} // namespace detail
} // namespace dem
