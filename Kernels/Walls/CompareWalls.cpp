// Compares walls member by member, by the rows of WallRows.h.
#include "Walls/CompareWalls.h"

#include "Core/RowCompare.h"
#include "Walls/SteeredWall.h"
#include "Walls/WallRows.h"

namespace dem
{

bool needsNewRun(const std::vector<Wall>& before, const std::vector<Wall>& after)
{
  if (!isSameColumn(before, after, Members::NotSteered))
    return true;
  for (std::size_t w = 0; w < before.size(); ++w) // no event changes these
    if (!isSameColumn(before[w].further_motions, after[w].further_motions, Members::All))
      return true;
  return false;
}

std::vector<Event> steeredDifferences(
  const std::vector<Wall>& before, const std::vector<Wall>& after)
{
  std::vector<Event> events;
  for (std::size_t w = 0; w < before.size(); ++w)
  {
    std::vector<Event> of_wall;
    addEvents(before[w].motion, after[w].motion, "", { static_cast<double>(w) }, of_wall);
    for (const Event& event : of_wall)
      if (hasSpeed(after[w].motion.kind, event.property))
        events.push_back(event);
    const WallHeat &heat = before[w].heat, &now = after[w].heat;
    if (now.condition == ThermalCondition::Temperature && heat.temperature != now.temperature)
      events.push_back({ 0, "WallTemperature", { static_cast<double>(w), now.temperature } });
    if (now.condition == ThermalCondition::HeatFlux && heat.heat_flux != now.heat_flux)
      events.push_back({ 0, "WallHeatFlux", { static_cast<double>(w), now.heat_flux } });
  }
  return events;
}

} // namespace dem
