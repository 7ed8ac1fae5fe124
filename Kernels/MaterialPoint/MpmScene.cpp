#include "MaterialPoint/MpmScene.h"

#include "Core/Text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace mpm
{

using dem::number;
using dem::require;

std::array<int, 3> gridCells(const Scene& s)
{
  std::array<int, 3> cells{};
  double blocks = 1;
  for (int k = 0; k < 3; ++k)
  {
    const double n =
      std::ceil((s.domain.upper[k] - s.domain.lower[k]) / s.grid_spacing * (1 - 1e-12));
    require(n < 1e8,
      "GridSpacing " + number(s.grid_spacing) + " m makes " + number(n) + " cells along " +
        "xyz"[k] +
        ": the grid is too large for the device. Use a larger spacing or a smaller domain.");
    cells[k] = std::max(1, static_cast<int>(n));
    blocks *= cells[k] / 4 + 2;
  }
  // bins are numbered with 32 bits, 64 of them a block
  require(blocks < (1u << 26) - 1,
    "GridSpacing " + number(s.grid_spacing) + " m makes a grid of " + std::to_string(cells[0]) +
      " x " + std::to_string(cells[1]) + " x " + std::to_string(cells[2]) +
      " cells, too large for the device: at most 4.2e9 are possible. Use a larger spacing or a "
      "smaller domain.");
  return cells;
}

} // namespace mpm
