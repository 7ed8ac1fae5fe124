// Pressure of the volume-averaged flow: rows of its equation, correction of the velocity, and
// values in the middle of the cells. Used by FlowSolver.cuh.
#pragma once

#include "Core/Atomic.cuh"
#include "Fluid/FlowView.cuh"
#include "Fluid/PoissonLevels.cuh"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace dem
{

/// Bits of a number >= 0, which are in the order of the numbers; those of NaN are larger than all.
DEM_HD unsigned long long orderedBits(double value)
{
  unsigned long long bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Coefficients of the faces of a cell, and the right-hand side: its net inflow, 1/s.
/// Grains carry volume too: the sum of both flows has no divergence.
struct PressureRow
{
  FlowView v;
  PoissonLevel level;

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t entry = v.grid.entryOfCell(c);
    int at[3];
    v.grid.place(entry, at);
    double border = 0, out = 0;
    for (int k = 0; k < 3; ++k)
    {
      const double h = v.grid.size[k];
      level.lower[k][c] = 0;
      for (int upper = 0; upper < 2; ++upper)
      {
        int face[3] = { at[0], at[1], at[2] };
        if (upper)
          face[k] = v.grid.periodic[k] && at[k] + 1 == v.grid.count[k] ? 0 : at[k] + 1;
        const std::uint32_t f = v.grid.index(face);
        const FlowFace kind = v.kind[k][f];
        double flux = v.flux(face, k, v.predicted[k], v.grains.void_fraction);
        if (v.hasGrains() && (kind == FlowFace::Open || kind == FlowFace::Outlet))
          flux += v.atFace(v.grains.solid_flux[k], face, k);
        out += (upper ? flux : -flux) / h;
        const double coefficient = v.voidAt(face, k) * v.mobility[k][f] / (h * h);
        if (kind == FlowFace::Outlet)
          border += 2 * coefficient;
        else if (kind == FlowFace::Open && !upper && v.grid.count[k] > 1)
          level.lower[k][c] = coefficient;
      }
    }
    level.border[c] = border;
    level.right[c] = -out;
  }
};

/// Adds the change of the pressure.
struct AddPressure
{
  FlowView v;
  const double* change; // by cell

  DEM_HD void operator()(std::uint32_t c) const { v.pressure[v.grid.entryOfCell(c)] += change[c]; }
};

/// Velocities of the new pressure. `change`: of the pressure, by entry.
struct CorrectVelocity
{
  FlowView v;
  const double* change;

  DEM_HD void operator()(std::uint32_t entry) const
  {
    int at[3];
    v.grid.place(entry, at);
    for (int k = 0; k < 3; ++k)
    {
      const FlowFace kind = v.kind[k][entry];
      double u = v.predicted[k][entry];
      if (kind == FlowFace::Open || kind == FlowFace::Outlet)
        u -= v.mobility[k][entry] * v.gradient(change, at, k);
      v.u[k][entry] = u;
    }
  }
};

/// Copies values of cells to entries of the grid.
struct SpreadCells
{
  FlowGrid grid;
  const double* from;
  double* to;
  DEM_HD void operator()(std::uint32_t c) const { to[grid.entryOfCell(c)] = from[c]; }
};

/// Velocity of the fluid (m/s) and pressure gradient (Pa/m) in the middle of a cell: the mean of
/// its two faces on each axis.
struct CellFlow
{
  FlowView v;
  double *velocity[3], *gradient[3]; // by entry

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t entry = v.grid.entryOfCell(c);
    int at[3];
    v.grid.place(entry, at);
    for (int k = 0; k < 3; ++k)
    {
      double u = 0, slope = 0;
      for (int upper = 0; upper < 2; ++upper)
      {
        int face[3] = { at[0], at[1], at[2] };
        if (upper)
          face[k] = v.grid.periodic[k] && at[k] + 1 == v.grid.count[k] ? 0 : at[k] + 1;
        u += 0.5 * v.u[k][v.grid.index(face)];
        slope += 0.5 * slopeAt(face, k, entry);
      }
      velocity[k][entry] = u;
      gradient[k][entry] = slope - v.driving[k];
    }
  }

private:
  // At a closed face or inlet the gradient that balances driving force and drag in the cell beside.
  DEM_HD double slopeAt(const int (&face)[3], int k, std::uint32_t cell) const
  {
    const std::uint32_t f = v.grid.index(face);
    const FlowFace kind = v.kind[k][f];
    if (kind == FlowFace::Open || kind == FlowFace::Outlet)
      return v.gradient(v.pressure, face, k);
    if (!v.grains.drag)
      return v.driving[k];
    const double on_fluid = v.pressure_on_fluid_only ? 1 : v.grains.void_fraction[cell];
    return v.driving[k] +
      (v.grains.drag_flow[k][cell] - v.grains.drag[cell] * v.u[k][f]) / on_fluid;
  }
};

/// Void fraction times velocity at an open face of axis k.
struct FaceMomentum
{
  FlowView v;
  int k;

  DEM_HD double operator()(std::uint32_t entry) const
  {
    if (v.kind[k][entry] != FlowFace::Open)
      return 0;
    int at[3];
    v.grid.place(entry, at);
    return v.u[k][entry] * v.voidAt(at, k);
  }
};

/// Area times pressure at an inlet: that of the cell beside, and the drag in half of the cell.
struct InletPressure
{
  FlowView v;
  const InletCell* cells;
  double inflow_factor;

  DEM_HD double operator()(std::uint32_t i) const
  {
    const InletCell& c = cells[i];
    const double voids = v.grains.void_fraction[c.entry];
    const double u = c.inwards * inflow_factor * c.inflow / voids;
    const double drag = v.grains.drag[c.entry] * u - v.grains.drag_flow[c.axis][c.entry];
    const double slope = drag / (v.pressure_on_fluid_only ? 1 : voids) - v.driving[c.axis];
    return c.area * (v.pressure[c.entry] + 0.5 * v.grid.size[c.axis] * c.inwards * slope);
  }
};

/// Largest number of cells that the fluid crosses in a second, and where.
struct FindCourant
{
  FlowView v;
  unsigned long long* courant; // bits of a float, 1/s, and the entry of the grid in the lower half

  static DEM_HD float of(unsigned long long courant)
  {
    const auto bits = static_cast<std::uint32_t>(courant >> 32);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  DEM_HD void operator()(std::uint32_t entry) const
  {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
    {
      const double speed = std::fabs(v.u[k][entry]);
      const double inflow =
        v.kind[k][entry] == FlowFace::Inlet ? std::fabs(v.inflow_factor * v.inflow[k][entry]) : 0;
      sum += (speed < inflow ? inflow : speed) / v.grid.size[k];
    }
    const auto value = static_cast<float>(sum);
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    atomicRaiseOften(courant, static_cast<unsigned long long>(bits) << 32 | entry);
  }
};

} // namespace dem
