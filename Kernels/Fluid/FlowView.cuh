// What the kernels of the flow solver read and write. Used by FlowMomentum.cuh and FlowSolver.cuh.
#pragma once

#include "Fluid/FlowGrid.h"

#include <cstdint>

namespace dem
{

/// What the grains are to the fluid, by entry of the grid.
struct FlowGrains
{
  const double* void_fraction; // in the cells; null: 1 everywhere
  const double* void_before;   // of the last step
  const double* drag;          // kg/(m^3 s): sum of the coefficients B by volume; null: 0
  const double* drag_flow[3];  // N/m^3: sum of B v by volume
  const double* solid_flux[3]; // m/s: sum of the volume of the grains times v, by volume
};

struct FlowView
{
  FlowGrid grid;
  const FlowFace* kind[3];
  const double* inflow[3];
  FlowGrains grains;
  double *u[3], *predicted[3]; // m/s, in the voids
  const double* begin[3];      // m/s: u at the begin of the step
  double* rate[3];             // N/m^3: convection and viscous stress at the begin of the step
  const double* void_of_rates; // void fraction at the time of u; null: 1
  bool second;                 // stage of the step, in which u is the velocity of the first
  double* mobility[3];         // m^3 s/kg: change of u over a change of the pressure gradient
  double* pressure;            // Pa, without the weight of the fluid
  double density, viscosity, smagorinsky;
  bool pressure_on_fluid_only; // model B
  Vec3d driving;               // Pa/m: mean fall of the pressure
  Vec3d wall_velocity[6];      // m/s: of the borders, lower x, upper x, lower y, ...
  double inflow_factor;
  double dt; // s

  DEM_HD bool hasGrains() const { return grains.void_fraction != nullptr; }

  /// Place beside `at` on axis k, with periodic borders; returns false outside of the cells.
  DEM_HD bool beside(const int (&at)[3], int k, int step, int (&to)[3]) const
  {
    for (int l = 0; l < 3; ++l)
      to[l] = at[l];
    to[k] += step;
    if (to[k] < 0 || to[k] >= grid.count[k])
    {
      if (!grid.periodic[k])
        return false;
      to[k] += to[k] < 0 ? grid.count[k] : -grid.count[k];
    }
    return true;
  }
  /// Entry of the upper face of a cell.
  DEM_HD std::uint32_t upperFace(const int (&at)[3], int k) const
  {
    int to[3] = { at[0], at[1], at[2] };
    to[k] = grid.periodic[k] && at[k] + 1 == grid.count[k] ? 0 : at[k] + 1;
    return grid.index(to);
  }
  /// Mean of the cells on both sides of a face; at a border the value of its only cell.
  DEM_HD double atFace(const double* cell, const int (&at)[3], int k) const
  {
    int low[3];
    const bool has_low = beside(at, k, -1, low), has_high = at[k] < grid.count[k];
    if (has_low && has_high)
      return 0.5 * (cell[grid.index(low)] + cell[grid.index(at)]);
    return cell[has_low ? grid.index(low) : grid.index(at)];
  }
  DEM_HD double voidAt(const int (&at)[3], int k) const
  {
    return hasGrains() ? atFace(grains.void_fraction, at, k) : 1;
  }
  /// Volume that passes a face by area and time, m/s.
  DEM_HD double flux(const int (&at)[3], int k, const double* velocity, const double* voids) const
  {
    const std::uint32_t f = grid.index(at);
    const FlowFace face = kind[k][f];
    if (face == FlowFace::Inlet)
      return inflow_factor * inflow[k][f];
    if (face != FlowFace::Open && face != FlowFace::Outlet)
      return 0;
    return velocity[f] * (voids ? atFace(voids, at, k) : 1);
  }
  /// Pressure gradient at an open face or outlet, Pa/m, of any field of cells.
  DEM_HD double gradient(const double* cell, const int (&at)[3], int k) const
  {
    int low[3];
    const bool has_low = beside(at, k, -1, low), has_high = at[k] < grid.count[k];
    if (has_low && has_high)
      return (cell[grid.index(at)] - cell[grid.index(low)]) / grid.size[k];
    return has_high ? 2 * cell[grid.index(at)] / grid.size[k]
                    : -2 * cell[grid.index(low)] / grid.size[k];
  }
};

} // namespace dem
