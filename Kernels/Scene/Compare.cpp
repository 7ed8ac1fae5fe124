// Compares scenes member by member, by the rows of Scene/Describe.h.
#include "Scene/Compare.h"

#include "Core/RowCompare.h"
#include "Scene/Describe.h"
#include "Scene/ShapeText.h"
#include "Walls/CompareWalls.h"

#include <type_traits>

namespace dem
{

/// Compares domains without the borders that setAutomaticDomain() has set.
template <>
struct OwnComparison<Domain> : std::true_type
{
  static bool areSame(const Domain& a, Domain b, Members members)
  {
    for (int k = 0; k < 3; ++k)
      if (a.automatic && !a.given[static_cast<std::size_t>(k)])
      {
        b.lower[k] = a.lower[k];
        b.upper[k] = a.upper[k];
      }
    return areSameRows(a, b, members);
  }
};

template <>
struct OwnComparison<Shape> : std::true_type
{
  static bool areSame(const Shape& a, const Shape& b, Members)
  {
    return shapeText(a) == shapeText(b);
  }
};

bool needsNewRun(const Scene& before, const Scene& after)
{
  if (!areSameRows(before, after, Members::NotSteered))
    return true;
  // Events can change only the first two materials.
  for (std::size_t m = 2; m < before.materials.size(); ++m)
    if (!areSameRows(before.materials[m], after.materials[m], Members::All))
      return true;
  return needsNewRun(before.walls, after.walls);
}

std::vector<Event> steeredDifferences(const Scene& before, const Scene& after)
{
  std::vector<Event> events;
  addEvents(before, after, "", {}, events);
  addEvents(before.fluid, after.fluid, "", {}, events);
  for (std::size_t m = 0; m < before.materials.size() && m < 2; ++m)
    addEvents(before.materials[m], after.materials[m], m == 1 ? "Wall" : "", {}, events);
  for (const Event& event : steeredDifferences(before.walls, after.walls))
    events.push_back(event);
  for (std::size_t k = 0; k < before.nozzles.size(); ++k)
    addEvents(before.nozzles[k], after.nozzles[k], "Nozzle", { static_cast<double>(k) }, events);
  return events;
}

} // namespace dem
