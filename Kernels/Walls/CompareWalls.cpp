// Compares walls member by member, by the rows of WallRows.h.
#include "Walls/CompareWalls.h"

#include "Core/RowCompare.h"
#include "Walls/SteeredWall.h"
#include "Walls/WallRows.h"

namespace dem
{

bool needsNewRun(const std::vector<Wall>& before, const std::vector<Wall>& after)
{
  return !isSameColumn(before, after, Members::NotSteered);
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
  }
  return events;
}

} // namespace dem
