// What grains and the computed flow exchange: volume, drag, force. Used by AveragedFlow.cuh.
//
// A grain acts on the cells that its sphere overlaps, by the exact volumes, and feels the same
// cells by the same weights: what a grain gets from a face of the grid, the fluid loses there. Sums
// over grains are whole units, so that their order has no effect.
#pragma once

#include "Analysis/SphereBoxOverlap.cuh"
#include "Core/Atomic.cuh"
#include "Fluid/FlowGrid.h"
#include "Fluid/FlowPressure.cuh"
#include "Particles/State.cuh"
#include "Physics/Drag/DragLaws.cuh"

#include <cmath>
#include <cstdint>

namespace dem
{

/// Cells with fluid, and how far a grain acts.
struct ExchangeCells
{
  FlowGrid grid;
  const std::uint8_t* has_fluid; // by entry
  double least_radius;           // m: of the sphere that acts for a grain

  /// Calls visit(entry, share) for the cells with fluid that a grain at x overlaps; the shares add
  /// up to 1. Returns false if there are none.
  template <class Visit>
  DEM_HD bool forShares(const Vec3d& x, double radius, const Visit& visit) const
  {
    double sum = 0;
    forParts(x, radius, [&](std::uint32_t, double part) { sum += part; });
    if (!(sum > 1e-9 * kUnitSphere))
      return false;
    forParts(x, radius, [&](std::uint32_t entry, double part) { visit(entry, part / sum); });
    return true;
  }

private:
  template <class Visit>
  DEM_HD void forParts(const Vec3d& x, double radius, const Visit& visit) const
  {
    using std::floor;
    const double r = radius > least_radius ? radius : least_radius;
    int first[3], window[3];
    for (int k = 0; k < 3; ++k)
    {
      const double from = x[k] - grid.origin[k];
      first[k] = static_cast<int>(floor((from - r) / grid.size[k]));
      window[k] = static_cast<int>(floor((from + r) / grid.size[k])) - first[k] + 1;
    }
    const auto plane = [&](int k, int p) {
      return (grid.origin[k] + (first[k] + p) * grid.size[k] - x[k]) / r;
    };
    unitSphereInCells(window, plane, [&](const int(&cell)[3], double part) {
      int at[3];
      for (int k = 0; k < 3; ++k)
      {
        at[k] = first[k] + cell[k];
        if (grid.periodic[k])
          at[k] = (at[k] % grid.count[k] + grid.count[k]) % grid.count[k];
        else if (at[k] < 0 || at[k] >= grid.count[k])
          return;
      }
      const std::uint32_t entry = grid.index(at);
      if (has_fluid[entry])
        visit(entry, part);
    });
  }
};

/// Sums over the grains of a cell, in whole units.
struct GrainSums
{
  static constexpr double kUnits = 1099511627776.; // 2^40 of the largest term
  static constexpr int kArrays = 8;
  long long* volume;  // of the cell's volume
  long long* flux[3]; // of the cell's volume times the largest speed
  long long* drag;    // of the largest coefficient
  long long* drag_flow[3];

  DEM_HD static long long units(double part) { return static_cast<long long>(part * kUnits); }
};

/// Largest values of the flow and, as orderedBits, of all grains.
struct FlowLimits
{
  unsigned long long courant;     // see FindCourant
  unsigned long long crossing;    // 1/s: cells that a grain crosses in a second
  unsigned long long relaxation;  // 1/s: B / m
  unsigned long long coefficient; // kg/s: B
  unsigned long long speed;       // m/s, of the grains
};
DEM_HD double fromBits(unsigned long long bits)
{
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class Real>
struct AddGrainVolumes
{
  StateView<Real> state;
  ExchangeCells cells;
  GrainSums sums;
  unsigned* outside; // grains outside of the fluid

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> x = state.position[i];
    if (isGone(x.x))
      return;
    const double part = kUnitSphere * x.w * x.w * x.w / cells.grid.volume();
    if (!cells.forShares(x.xyz(), x.w, [&](std::uint32_t entry, double share) {
          atomicSum(&sums.volume[entry], GrainSums::units(share * part));
        }))
      atomicGrow(outside, 1);
  }
};

/// Void fraction of a cell, at least kSmallest, and how much of the grains' volume counts then.
struct SetVoidFraction
{
  static constexpr double kSmallest = 0.35;
  FlowGrid grid;
  GrainSums sums;
  double *void_fraction, *counted; // by entry

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t entry = grid.entryOfCell(c);
    const double solid = static_cast<double>(sums.volume[entry]) / GrainSums::kUnits;
    void_fraction[entry] = 1 - solid < kSmallest ? kSmallest : 1 - solid;
    counted[entry] = 1 - solid < kSmallest ? (1 - kSmallest) / solid : 1;
  }
};

/// Drag coefficients with the flow of the last step.
template <class Real>
struct FindGrainDrag
{
  StateView<Real> state;
  ExchangeCells cells;
  const double *velocity[3], *void_fraction; // by entry
  DragLaw law;
  double density, viscosity;
  bool drives_pressure; // model B
  double* coefficient;  // kg/s, by particle; 0 outside
  FlowLimits* limits;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> x = state.position[i];
    coefficient[i] = 0;
    if (isGone(x.x))
      return;
    const Vec3d v = state.velocity[i].xyz().template as<double>();
    Vec3d u{};
    double voids = 0, crossing = 0;
    if (!cells.forShares(x.xyz(), x.w, [&](std::uint32_t entry, double share) {
          for (int k = 0; k < 3; ++k)
            u[k] += share * velocity[k][entry];
          voids += share * void_fraction[entry];
        }))
      return;
    voids = voids < 1 ? voids : 1;
    double b = dragCoefficient(law, { 2 * x.w, voids, density, viscosity, length(u - v) });
    if (drives_pressure)
      b /= voids;
    coefficient[i] = b;
    for (int k = 0; k < 3; ++k)
      crossing += std::fabs(v[k]) / cells.grid.size[k];
    raise(&limits->coefficient, b);
    raise(&limits->speed, length(v));
    raise(&limits->crossing, crossing);
    raise(&limits->relaxation, b / static_cast<double>(state.velocity[i].w));
  }

private:
  DEM_HD static void raise(unsigned long long* most, double value)
  {
    const unsigned long long bits = orderedBits(value);
    if (bits > *static_cast<const volatile unsigned long long*>(most))
      atomicRaise(most, bits);
  }
};

/// Drag and flux of the grains, by cell.
template <class Real>
struct AddGrainDrag
{
  StateView<Real> state;
  ExchangeCells cells;
  const double* coefficient;
  double most_drag, most_speed; // > 0: units of the sums
  GrainSums sums;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> x = state.position[i];
    if (isGone(x.x))
      return;
    const Vec3d v = (1 / most_speed) * state.velocity[i].xyz().template as<double>();
    const double b = coefficient[i] / most_drag;
    const double part = kUnitSphere * x.w * x.w * x.w / cells.grid.volume();
    cells.forShares(x.xyz(), x.w, [&](std::uint32_t entry, double share) {
      atomicSum(&sums.drag[entry], GrainSums::units(share * b));
      for (int k = 0; k < 3; ++k)
      {
        atomicSum(&sums.drag_flow[k][entry], GrainSums::units(share * b * v[k]));
        atomicSum(&sums.flux[k][entry], GrainSums::units(share * part * v[k]));
      }
    });
  }
};

/// Writes the sums in SI units by volume.
struct SetGrainDrag
{
  FlowGrid grid;
  GrainSums sums;
  double most_drag, most_speed;
  const double* counted;
  double *drag, *drag_flow[3], *solid_flux[3];

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t entry = grid.entryOfCell(c);
    const double unit = most_drag / GrainSums::kUnits / grid.volume();
    drag[entry] = unit * static_cast<double>(sums.drag[entry]);
    for (int k = 0; k < 3; ++k)
    {
      drag_flow[k][entry] = unit * most_speed * static_cast<double>(sums.drag_flow[k][entry]);
      solid_flux[k][entry] =
        counted[entry] * most_speed / GrainSums::kUnits * static_cast<double>(sums.flux[k][entry]);
    }
  }
};

/// Force on each grain until the next exchange, and the impulses of all.
template <class Real>
struct HoldFluidForces
{
  StateView<Real> state;
  ExchangeCells cells;
  const double *coefficient, *velocity[3], *gradient[3], *counted;
  bool pressure_on_fluid_only;
  Vec3d lift;          // N/m^3: of the displaced fluid
  double dt;           // s until the next exchange
  double* force[3];    // N, by particle
  EnergyBooks impulse; // N s along x, y, z, without the weight of the displaced fluid

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> x = state.position[i];
    Vec3d f{}, weight{};
    if (!isGone(x.x))
    {
      const Vec3d v = state.velocity[i].xyz().template as<double>();
      const double volume = kUnitSphere * x.w * x.w * x.w, b = coefficient[i];
      const bool inside = cells.forShares(x.xyz(), x.w, [&](std::uint32_t entry, double share) {
        for (int k = 0; k < 3; ++k)
        {
          f[k] += share * b * (velocity[k][entry] - v[k]);
          if (!pressure_on_fluid_only)
            f[k] -= share * counted[entry] * volume * gradient[k][entry];
        }
      });
      if (inside)
        weight = volume * lift;
    }
    for (int k = 0; k < 3; ++k)
    {
      force[k][i] = f[k] + weight[k];
      EnergySum sum;
      sum.add(f[k] * dt * impulse.per_joule);
      impulse.book(i, static_cast<BookedEnergy>(k), sum);
    }
  }
};

/// Adds the held forces to those of the contacts, and books their work.
template <class Real>
struct AddHeldForces
{
  StateView<Real> state;
  StepControl* control;
  const double* held[3];
  EnergyBooks work; // as BookedEnergy::WallWork
  double dt;        // s
  unsigned batch_step;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (control->forceHalted(batch_step) || isGone(state.position[i].x))
      return;
    const Vec3d f{ held[0][i], held[1][i], held[2][i] };
    const Vec4<Real> force = state.force[i], velocity = state.velocity[i];
    state.force[i] = vec4(force.xyz() + f.template as<Real>(), force.w);
    EnergySum sum;
    sum.add(dot(f, velocity.xyz().template as<double>()) * dt * work.per_joule);
    work.book(i, BookedEnergy::WallWork, sum);
  }
};

/// Writes the held forces by rank.
struct WriteHeldForces
{
  const double* held[3];
  const std::uint32_t* order; // particle of each rank
  float* force;               // 3 a grain

  DEM_HD void operator()(std::uint32_t rank) const
  {
    for (int k = 0; k < 3; ++k)
      force[3 * std::size_t(rank) + k] = static_cast<float>(held[k][order[rank]]);
  }
};

/// Writes values of cells x fastest, `width` numbers a cell.
struct WriteFluidImage
{
  FlowGrid grid;
  const std::uint8_t* has_fluid;
  const double *velocity[3], *pressure, *void_fraction, *drag, *drag_flow[3];
  double *out_velocity, *out_pressure, *out_void, *out_drag;

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t entry = grid.entryOfCell(c);
    const bool has = has_fluid[entry] != 0;
    out_pressure[c] = pressure[entry];
    out_void[c] = has ? void_fraction[entry] : 0;
    for (int k = 0; k < 3; ++k)
    {
      const double u = velocity[k][entry];
      out_velocity[3 * std::size_t(c) + k] = u;
      out_drag[3 * std::size_t(c) + k] = drag[entry] * u - drag_flow[k][entry];
    }
  }
};

} // namespace dem
