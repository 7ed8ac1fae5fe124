// Grid of the averages, and the messages of checkAverages().
#include "Scene/AveragesGrid.h"

#include "Analysis/CellAverage.h"
#include "Analysis/TimeAverage.h"
#include "Core/Text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace dem
{

AveragesGrid averagesGrid(const Scene& scene)
{
  const AveragesOptions& a = scene.averages;
  const Domain& d = scene.domain;
  AveragesGrid grid{ a.whole_domain ? d.lower : a.lower, a.whole_domain ? d.upper : a.upper,
    a.cells, {} };
  for (int k = 0; k < 3; ++k)
    grid.periodic[k] = d.limited && d.exit[k] == Exit::Periodic && grid.lower[k] == d.lower[k] &&
      grid.upper[k] == d.upper[k];
  return grid;
}

void checkAverages(const Scene& scene)
{
  const AveragesOptions& a = scene.averages;
  if (!a.enabled)
    return;
  require(!a.whole_domain || scene.domain.limited,
    "The averages have no bounds: the domain has no limits. Limit it, or give the averages' grid "
    "lower and upper bounds.");
  const AveragesGrid grid = averagesGrid(scene);
  static constexpr const char* kAxes[] = { "x", "y", "z" };
  double cells = 1;
  for (int k = 0; k < 3; ++k)
  {
    require(
      std::isfinite(grid.lower[k]) && std::isfinite(grid.upper[k]) && grid.lower[k] < grid.upper[k],
      std::string("The averages' grid goes from ") + number(grid.lower[k]) + " m to " +
        number(grid.upper[k]) + " m along " + kAxes[k] +
        ": its upper bound must lie above its lower one.");
    require(a.cells[k] >= 1,
      std::string("The averages' grid has ") + std::to_string(a.cells[k]) + " cells along " +
        kAxes[k] + "; it must have 1 or more.");
    cells *= a.cells[k];
  }
  require(std::isfinite(a.from) && a.from >= 0,
    "The averages begin at " + number(a.from) + " s; that must be 0 or later.");
  require(std::isfinite(a.to) && a.to >= 0,
    "The averages end at " + number(a.to) + " s; that must be 0, the end of the run, or later.");
  require(std::isfinite(a.interval) && a.interval >= 0,
    "The interval between samples of the averages is " + number(a.interval) +
      " s; it must be above 0, or 0 for the output interval.");
  require(a.to == 0 || a.to >= a.from,
    "The averages end at " + number(a.to) + " s, before they begin at " + number(a.from) +
      " s. Let them end later, or at 0, which is the end of the run.");
  const double last = std::max(a.from, a.to);
  require(last <= scene.end_time * (1 + 1e-9),
    "The averages " + std::string(a.to > 0 ? "last until " : "begin at ") + number(last) +
      " s, but the run ends at " + number(scene.end_time) +
      " s. Make the window shorter, or the run longer.");
  const auto species = static_cast<int>(scene.materials.size());
  const std::vector<AveragedField> fields = cellAverageFields(species, scene.heat.on());
  double numbers = 0;
  for (const AveragedField& field : fields)
    numbers += field.components;
  const double sample = CellAverage::bytes(cells, species);
  const double means = (2 * sizeof(double) * numbers + sizeof(std::int32_t)) * cells;
  requireMemory("Averages during the run on " + std::to_string(a.cells[0]) + " x " +
      std::to_string(a.cells[1]) + " x " + std::to_string(a.cells[2]) + " cells",
    sample + means + TimeAverage::bytes(fields, cells), a.memory_limit,
    "Use fewer cells, or raise the averages' memory limit.");
  require(cells <= 4e9,
    "Averages during the run on " + number(cells) + " cells are more than 4e9. Use fewer.");
}

} // namespace dem
