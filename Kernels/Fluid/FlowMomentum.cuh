// Momentum of the volume-averaged flow: convection, viscous stress, drag and pressure at the faces.
// Used by FlowSolver.cuh.
//
// Faces of a component are the middles of its own cells, shifted by half a cell. Fluxes between two
// of them are computed alike from both sides, so momentum is kept to rounding. Convection is third
// order upwind with Koren's limiter (Koren 1993), in time two stages: Heun's method.
#pragma once

#include "Core/Team.cuh"
#include "Fluid/FlowView.cuh"

#include <cmath>
#include <cstdint>

namespace dem
{

/// Rates of one component k of the velocity at one open face.
struct FlowRates
{
  const FlowView& v;
  int k;

  /// Velocity at the neighbour of `at` on axis d, and how much of the side between them is closed
  /// by walls that hold the fluid, with the velocity of these walls.
  struct Side
  {
    double neighbor; // m/s; the face's own velocity where there is none
    double sticky;   // share in [0, 1]
    double open;     // share in [0, 1]
    double wall;     // m/s
  };

  DEM_HD double velocity(const int (&at)[3]) const
  {
    const std::uint32_t f = v.grid.index(at);
    const FlowFace face = v.kind[k][f];
    if (face == FlowFace::Inlet)
      return v.inflow_factor * v.inflow[k][f] / v.voidAt(at, k);
    return face == FlowFace::Open || face == FlowFace::Outlet ? v.u[k][f] : 0;
  }

  // Face of axis k beside `at` on axis d; false if there is none.
  DEM_HD bool faceBeside(const int (&at)[3], int d, int step, int (&to)[3]) const
  {
    if (d != k)
      return v.beside(at, d, step, to);
    for (int l = 0; l < 3; ++l)
      to[l] = at[l];
    to[k] += step;
    if (v.grid.periodic[k])
      to[k] = to[k] < 0            ? to[k] + v.grid.count[k]
        : to[k] >= v.grid.count[k] ? to[k] - v.grid.count[k]
                                   : to[k];
    return to[k] >= 0 && to[k] <= v.grid.count[k];
  }

  DEM_HD Side side(const int (&at)[3], int d, int step) const
  {
    Side out{ velocity(at), 0, 0, 0 };
    int to[3];
    const bool has = faceBeside(at, d, step, to);
    if (d == k)
    {
      out.open = 1;
      out.neighbor = has ? velocity(to) : out.neighbor;
      return out;
    }
    if (has)
      out.neighbor = velocity(to);
    // The side is one half each of two faces of axis d: of the cell at `at`, and of the one below.
    int cell[3];
    for (int half = 0; half < 2; ++half)
    {
      for (int l = 0; l < 3; ++l)
        cell[l] = at[l];
      if (half == 1 ? !v.beside(at, k, -1, cell) : at[k] >= v.grid.count[k])
        continue;
      const std::uint32_t f = step > 0 ? v.upperFace(cell, d) : v.grid.index(cell);
      const FlowFace face = v.kind[d][f];
      out.open += face == FlowFace::Open ? 0.5 : 0;
      out.sticky += face == FlowFace::Wall || face == FlowFace::Inlet ? 0.5 : 0;
    }
    if (!has)
      out.wall = v.wall_velocity[2 * d + (step > 0)][k];
    return out;
  }

  /// Volume that leaves the own cell of face `at` through its side, by area and time.
  DEM_HD double outflow(const int (&at)[3], int d, int step) const
  {
    const double* voids = v.void_of_rates;
    int to[3];
    if (d == k)
    {
      const double here = v.flux(at, k, v.u[k], voids);
      return faceBeside(at, k, step, to) ? 0.5 * step * (here + v.flux(to, k, v.u[k], voids))
                                         : step * here;
    }
    double sum = 0;
    for (int half = 0; half < 2; ++half)
    {
      int cell[3] = { at[0], at[1], at[2] };
      if (half == 1 && !v.beside(at, k, -1, cell))
        continue;
      if (step > 0) // the upper face of the cell
        cell[d] = v.grid.periodic[d] && cell[d] + 1 == v.grid.count[d] ? 0 : cell[d] + 1;
      sum += 0.5 * v.flux(cell, d, v.u[d], voids);
    }
    return step * sum;
  }

  /// Velocity that a flow carries from U to D, with the value UU before U.
  DEM_HD static double limited(double before, double up, double down)
  {
    const double slope = down - up;
    if (slope == 0)
      return up;
    const double r = (up - before) / slope;
    double factor = (1 + 2 * r) / 3;
    factor = factor < 2 * r ? factor : 2 * r;
    factor = factor < 2 ? factor : 2;
    return factor > 0 ? up + 0.5 * factor * slope : up;
  }

  /// Velocity carried through a side.
  DEM_HD double carried(const int (&at)[3], int d, int step, double out, const Side& s) const
  {
    const double own = velocity(at);
    if (s.open == 0 && out < 0)
      return s.wall; // fluid that enters has the velocity of the border: usually none
    if (s.open == 0)
      return own;
    int to[3];
    if (!faceBeside(at, d, step, to))
      return own;
    if (out > 0)
      return limited(before(at, d, -step), own, s.neighbor);
    return limited(before(to, d, step), s.neighbor, own);
  }

  // Velocity beside face `at`; its own behind a closed side.
  DEM_HD double before(const int (&at)[3], int d, int step) const
  {
    const Side s = side(at, d, step);
    return s.open > 0 ? s.neighbor : velocity(at);
  }

  /// Convection and viscous stress by volume of the cell, N/m^3. On the device kLanes threads call
  /// this together: 1, or 8 of which 6 compute a side each.
  template <unsigned kLanes>
  DEM_HD double rate(const int (&at)[3]) const
  {
    constexpr unsigned kSides = 6;
    const double own = velocity(at);
    return sumOfLanes<kLanes>(kSides,
      [&](unsigned i) { return rateOfSide(at, own, static_cast<int>(i / 2), i % 2 ? 1 : -1); });
  }

private:
  DEM_HD double rateOfSide(const int (&at)[3], double own, int d, int step) const
  {
    const Side s = side(at, d, step);
    const double h = v.grid.size[d], out = outflow(at, d, step);
    // Each part has its own eddy viscosity, so that both sides of an open part agree.
    const double across = s.neighbor - own, to_wall = 2 * (s.wall - own);
    return voidOfSide(at, d, step) / (h * h) *
      (s.open * viscosity(across / h) * across + s.sticky * viscosity(to_wall / h) * to_wall) -
      v.density * out * carried(at, d, step, out, s) / h;
  }

  DEM_HD double voidOfSide(const int (&at)[3], int d, int step) const
  {
    if (!v.hasGrains())
      return 1;
    int to[3];
    if (d != k)
      return faceBeside(at, d, step, to) ? 0.5 * (v.voidAt(at, k) + v.voidAt(to, k))
                                         : v.voidAt(at, k);
    for (int l = 0; l < 3; ++l)
      to[l] = at[l];
    if (step < 0)
      v.beside(at, k, -1, to);
    return v.grains.void_fraction[v.grid.index(to)];
  }

  // Viscosity (Pa s) with that of the eddies at a shear rate (1/s).
  DEM_HD double viscosity(double shear) const
  {
    if (!(v.smagorinsky > 0))
      return v.viscosity;
    const double mix2 =
      v.smagorinsky * v.smagorinsky * std::cbrt(v.grid.volume() * v.grid.volume());
    return v.viscosity + v.density * mix2 * std::fabs(shear);
  }
};

/// Velocities with the old pressure, and the mobilities: of the faces of one axis after those of
/// another. The first stage takes the rates of the present velocities; the second takes the mean of
/// these and of the rates of the velocities that the first predicted. Each face has kLanes threads:
/// 8 where there are too few faces to fill a device, with the same bits.
template <unsigned kLanes>
struct PredictFlow
{
  FlowView v;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t lane = i % kLanes, of_face = i / kLanes;
    const int k = static_cast<int>(of_face / v.grid.entries());
    const std::uint32_t entry = of_face % v.grid.entries();
    int at[3];
    v.grid.place(entry, at);
    const FlowFace face = v.kind[k][entry];
    const double rate = face == FlowFace::Open ? FlowRates{ v, k }.rate<kLanes>(at) : 0;
    if (lane > 0)
      return;
    v.mobility[k][entry] = 0;
    if (face == FlowFace::Open)
      predict(at, k, entry, rate);
    else if (face == FlowFace::Outlet)
      predict(at, k, entry, outletRate(at, k));
    else
      v.predicted[k][entry] = FlowRates{ v, k }.velocity(at);
  }

private:
  DEM_HD void predict(const int (&at)[3], int k, std::uint32_t entry, double rate) const
  {
    const FlowGrains& g = v.grains;
    const double voids = v.voidAt(at, k);
    const double before = v.hasGrains() ? v.atFace(g.void_before, at, k) : 1;
    const double drag = g.drag ? v.atFace(g.drag, at, k) : 0;
    const double drag_flow = g.drag ? v.atFace(g.drag_flow[k], at, k) : 0;
    const double on_fluid = v.pressure_on_fluid_only ? 1 : voids;
    const double inertia = v.density * voids + v.dt * drag;
    if (!v.second)
      v.rate[k][entry] = rate;
    const double mean = v.second ? 0.5 * (v.rate[k][entry] + rate) : rate;
    const double force =
      mean + drag_flow - on_fluid * (v.gradient(v.pressure, at, k) - v.driving[k]);
    v.predicted[k][entry] = (v.density * before * v.begin[k][entry] + v.dt * force) / inertia;
    v.mobility[k][entry] = v.dt * on_fluid / inertia;
  }

  // At outlets the flow is carried outwards; fluid that comes back was at rest, which damps it.
  DEM_HD double outletRate(const int (&at)[3], int k) const
  {
    const int inwards = at[k] == 0 ? 1 : -1;
    int to[3] = { at[0], at[1], at[2] };
    to[k] += inwards;
    const FlowRates rates{ v, k };
    const double own = rates.velocity(at), flux = v.flux(at, k, v.u[k], v.void_of_rates);
    const double upwind = flux * inwards >= 0 ? 0 : rates.velocity(to);
    return -v.density * std::fabs(flux) * (own - upwind) / v.grid.size[k];
  }
};

} // namespace dem
