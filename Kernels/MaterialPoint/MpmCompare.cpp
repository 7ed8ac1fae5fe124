#include "MaterialPoint/MpmCompare.h"

#include "Core/RowCompare.h"
#include "MaterialPoint/MpmDescribe.h"
#include "Walls/CompareWalls.h"

#include <cstddef>

namespace mpm
{

bool needsNewRun(const Scene& before, const Scene& after)
{
  if (!dem::areSameRows(before, after, dem::Members::NotSteered))
    return true;
  // Events can change only the first material.
  for (std::size_t m = 1; m < before.materials.size(); ++m)
    if (!dem::areSameRows(before.materials[m], after.materials[m], dem::Members::All))
      return true;
  return dem::needsNewRun(before.walls, after.walls);
}

std::vector<dem::Event> steeredDifferences(const Scene& before, const Scene& after)
{
  std::vector<dem::Event> events;
  dem::addEvents(before, after, "", {}, events);
  if (!before.materials.empty())
    dem::addEvents(before.materials[0], after.materials[0], "", {}, events);
  dem::addEvents(before.domain, after.domain, "", {}, events);
  for (std::size_t w = 0; w < before.wall_contacts.size(); ++w)
    dem::addEvents(
      before.wall_contacts[w], after.wall_contacts[w], "", { static_cast<double>(w) }, events);
  for (const dem::Event& event : dem::steeredDifferences(before.walls, after.walls))
    events.push_back(event);
  return events;
}

} // namespace mpm
