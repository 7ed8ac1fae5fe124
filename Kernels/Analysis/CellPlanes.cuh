// The cells of a rectilinear grid for kernels: the cell of a place, its planes and its number. Used
// by CellAverageOn.cuh.
#pragma once

#include "Core/Vec.h"

#include <cmath>
#include <cstdint>

namespace dem
{
namespace detail
{

/// Cells between planes. On a periodic axis cell numbers continue beyond both ends: they number the
/// cells of the images.
struct CellPlanes
{
  const double* edges[3];
  int size[3];
  bool periodic[3];
  double per_meter[3]; // mean number of cells per metre

  DEM_HD static int floorDiv(int a, int b) { return a >= 0 ? a / b : -1 - (-1 - a) / b; }

  /// The cell of coordinate x (m) on an axis. On an axis that is not periodic, -1 is below the grid
  /// and `size` above it.
  DEM_HD int cellOf(double x, int axis) const
  {
    const double* e = edges[axis];
    const int n = size[axis];
    int image = 0;
    if (periodic[axis])
    {
      const double period = e[n] - e[0];
      image = static_cast<int>(std::floor((x - e[0]) / period));
      x -= image * period;
      x = x < e[0] ? e[0] : x; // against rounding
    }
    else if (!(x >= e[0]))
      return -1;
    else if (x > e[n])
      return n;
    int low = 0, high = n; // e[low] <= x, and x < e[high] or high = n
    const int guess =
      static_cast<int>((x - e[0]) * per_meter[axis]); // correct if the cells are equal
    if (guess >= 0 && guess < n && x >= e[guess] && x < e[guess + 1])
    {
      low = guess;
      high = guess + 1;
    }
    while (high - low > 1)
    {
      const int middle = low + (high - low) / 2;
      if (x >= e[middle])
        low = middle;
      else
        high = middle;
    }
    return low + image * n;
  }
  /// The lower plane of a cell, m.
  DEM_HD double edge(int cell, int axis) const
  {
    if (!periodic[axis])
      return edges[axis][cell];
    const int image = floorDiv(cell, size[axis]);
    return edges[axis][cell - image * size[axis]] +
      image * (edges[axis][size[axis]] - edges[axis][0]);
  }
  /// The cell of the grid of which a cell is an image.
  DEM_HD int wrap(int cell, int axis) const
  {
    return periodic[axis] ? cell - floorDiv(cell, size[axis]) * size[axis] : cell;
  }
  DEM_HD std::uint32_t cells() const
  {
    return static_cast<std::uint32_t>(size[0]) * size[1] * size[2];
  }
  /// The number of a cell, x fastest; cells() for a cell outside the grid.
  DEM_HD std::uint32_t key(const int (&cell)[3]) const
  {
    int c[3];
    for (int k = 0; k < 3; ++k)
    {
      c[k] = wrap(cell[k], k);
      if (c[k] < 0 || c[k] >= size[k])
        return cells();
    }
    return (static_cast<std::uint32_t>(c[2]) * size[1] + c[1]) * size[0] + c[0];
  }
  /// The cell with a number.
  DEM_HD void place(std::uint32_t key, int (&cell)[3]) const
  {
    cell[0] = static_cast<int>(key % size[0]);
    cell[1] = static_cast<int>(key / size[0] % size[1]);
    cell[2] = static_cast<int>(key / size[0] / size[1]);
  }
};

} // namespace detail
} // namespace dem
