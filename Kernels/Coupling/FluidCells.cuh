// Void fraction in the cells of a uniform grid, from the exact volumes of spheres in cells. Used by
// GivenFlow.cuh.
#pragma once

#include "Analysis/SphereBoxOverlap.cuh"
#include "Core/Atomic.cuh"
#include "Particles/State.cuh"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace dem
{

/// Cells of the void fraction, x fastest. On periodic axes the last cell is beside the first.
struct FluidCells
{
  Vec3d origin; // m
  Vec3d size;   // m
  int count[3];
  bool periodic[3];

  DEM_HD std::size_t cells() const
  {
    return static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]) *
      static_cast<std::size_t>(count[2]);
  }
  /// Cell beside the grid: -1, or the one on the other side of a periodic axis.
  DEM_HD int place(int k, int i) const
  {
    if (i >= 0 && i < count[k])
      return i;
    if (!periodic[k])
      return -1;
    return i < 0 ? i + count[k] : i - count[k];
  }
  DEM_HD std::size_t index(int i, int j, int k) const
  {
    return static_cast<std::size_t>(i) +
      static_cast<std::size_t>(count[0]) *
      (static_cast<std::size_t>(j) +
        static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(k));
  }
};

/// Adds the volume of each sphere to the cells, in whole units of kUnits of a cell, so that the
/// order of the spheres has no effect.
template <class Real>
struct AddSphereVolumes
{
  StateView<Real> state;
  FluidCells cells;
  long long* volume; // by cell

  static constexpr double kUnits = 1099511627776.; // 2^40 of a cell

  DEM_HD void operator()(std::uint32_t i) const
  {
    using std::floor;
    const Vec4<double> x = state.position[i];
    if (isGone(x.x))
      return;
    const double r = x.w;
    int first[3], window[3];
    for (int k = 0; k < 3; ++k)
    {
      const double from = x.xyz()[k] - cells.origin[k];
      first[k] = static_cast<int>(floor((from - r) / cells.size[k]));
      window[k] = static_cast<int>(floor((from + r) / cells.size[k])) - first[k] + 1;
    }
    const double per_cell = kUnits * r * r * r / (cells.size.x * cells.size.y * cells.size.z);
    const auto plane = [&](int k, int p) {
      return (cells.origin[k] + (first[k] + p) * cells.size[k] - x.xyz()[k]) / r;
    };
    unitSphereInCells(window, plane, [&](const int(&cell)[3], double part) {
      int at[3];
      for (int k = 0; k < 3; ++k)
        at[k] = cells.place(k, first[k] + cell[k]);
      if (at[0] >= 0 && at[1] >= 0 && at[2] >= 0)
        atomicSum(&volume[cells.index(at[0], at[1], at[2])],
          static_cast<long long>(floor(part * per_cell + 0.5)));
    });
  }
};

/// Void fractions from the volumes, at least kSmallest: cells that cut a dense bed badly may hold
/// more.
template <class Real>
struct VoidFractions
{
  const long long* volume;
  double* void_fraction;

  static constexpr double kSmallest = 0.35;

  DEM_HD void operator()(std::uint32_t cell) const
  {
    const double e = 1 - static_cast<double>(volume[cell]) / AddSphereVolumes<Real>::kUnits;
    void_fraction[cell] = e < kSmallest ? kSmallest : e < 1 ? e : 1; // rounding may exceed 1
  }
};

/// Void fraction between the middles of the cells, linear on each axis. Constant beyond the
/// outermost middles.
struct VoidFractionView
{
  FluidCells cells;
  const double* values; // by cell; null: 1 everywhere

  DEM_HD double at(const Vec3d& x) const
  {
    using std::floor;
    if (!values)
      return 1;
    int low[3], high[3];
    double part[3];
    for (int k = 0; k < 3; ++k)
    {
      const double s = (x[k] - cells.origin[k]) / cells.size[k] - 0.5;
      const double whole = floor(s);
      part[k] = s - whole;
      const int i = static_cast<int>(whole);
      low[k] = inside(k, i);
      high[k] = inside(k, i + 1);
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner)
    {
      const bool x1 = corner & 1, y1 = corner >> 1 & 1, z1 = corner >> 2;
      const double weight =
        (x1 ? part[0] : 1 - part[0]) * (y1 ? part[1] : 1 - part[1]) * (z1 ? part[2] : 1 - part[2]);
      sum += weight *
        values[cells.index(x1 ? high[0] : low[0], y1 ? high[1] : low[1], z1 ? high[2] : low[2])];
    }
    return sum;
  }

private:
  DEM_HD int inside(int k, int i) const
  {
    const int at = cells.place(k, i);
    if (at >= 0)
      return at;
    return i < 0 ? 0 : cells.count[k] - 1;
  }
};

} // namespace dem
