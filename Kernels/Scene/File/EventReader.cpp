// Reads the events of a .dem document, of any method.
#include "Scene/File/EventReader.h"

#include "Scene/File/JsonText.h"

#include <utility>

namespace dem
{
namespace detail
{

using nlohmann::json;

namespace
{

// Reads the numbers of an event, after the index of its wall or nozzle.
void readValues(const ReaderContext& in, const json& value, const std::string& pointer,
  std::size_t wanted, Event& event)
{
  const std::size_t given = value.is_array() ? value.size() : 1;
  if (given != wanted)
  {
    in.fail(pointer,
      event.property + " takes " + std::to_string(wanted) + (wanted == 1 ? " number" : " numbers") +
        ", found " + std::to_string(given) + ".");
  }
  for (std::size_t k = 0; k < given; ++k)
  {
    event.value.push_back(value.is_array() ? value[k].get<double>() : value.get<double>());
  }
}

} // namespace

std::vector<Event> readEvents(const ReaderContext& in, const EventKinds& kinds)
{
  std::vector<Event> events;
  for (std::size_t i = 0; in.document.contains("events") && i < in.document["events"].size(); ++i)
  {
    const json& node = in.document["events"][i];
    const std::string pointer = "/events/" + std::to_string(i);
    Event event;
    event.time = node["time"].get<double>();
    event.property = node["property"].get<std::string>();
    const bool of_wall = kinds.of_wall(event.property),
               of_nozzle = kinds.of_nozzle && kinds.of_nozzle(event.property);
    if (of_wall != node.contains("wall"))
    {
      in.fail(pointer,
        of_wall ? event.property + " needs the key \"wall\", the name of the wall that it changes."
                : "the key \"wall\" goes with " + kinds.wall_properties + " only.");
    }
    if (of_nozzle != node.contains("nozzle"))
    {
      in.fail(pointer,
        of_nozzle
          ? event.property + " needs the key \"nozzle\", the name of the nozzle that it changes."
          : "the key \"nozzle\" goes with NozzleMassRate, NozzlePosition and NozzleAxis only.");
    }
    if (of_wall)
    {
      event.value.push_back(in.wall(node["wall"], pointer + "/wall"));
    }
    if (of_nozzle)
    {
      event.value.push_back(kinds.nozzle(node["nozzle"], pointer + "/nozzle"));
    }
    readValues(in, node["value"], pointer + "/value",
      kinds.size(event.property) - (of_wall || of_nozzle ? 1 : 0), event);
    if (!events.empty() && event.time < events.back().time)
    {
      in.fail(
        pointer + "/time", "the event is earlier than the one before it. Sort the events by time.");
    }
    events.push_back(std::move(event));
  }
  return events;
}

} // namespace detail
} // namespace dem
