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

/// Shares of grains in cells, found once an exchange: slot s of grain i is entry s * grains + i.
struct GrainShares
{
  static constexpr int kSlots = 8;
  static constexpr std::uint32_t kEnd = 0xffffffffu;     // of a list with fewer cells
  static constexpr std::uint32_t kTooMany = 0xfffffffeu; // in the first slot: not stored
  std::uint32_t* entry;                                  // of the grid
  double* share;
  std::uint32_t grains;
};

/// Cells with fluid, and how far a grain acts.
struct ExchangeCells
{
  FlowGrid grid;
  const std::uint8_t* has_fluid; // by entry
  double least_radius;           // m: smaller grains are spread over a sphere of this radius
  GrainShares stored;

  /// Calls visit(entry, share) for the cells with fluid that grain i overlaps; the shares add up to
  /// 1. Returns false if there are none. Requires store().
  template <class Visit>
  DEM_HD bool forShares(std::uint32_t i, const Vec3d& x, double radius, const Visit& visit) const
  {
    if (stored.entry[i] == GrainShares::kTooMany)
    {
      const double sum = sumOfParts(x, radius);
      forParts(x, radius, [&](std::uint32_t entry, double part) { visit(entry, part / sum); });
      return true;
    }
    if (stored.entry[i] == GrainShares::kEnd)
      return false;
    for (int s = 0; s < GrainShares::kSlots; ++s)
    {
      const std::size_t at = std::size_t(s) * stored.grains + i;
      if (stored.entry[at] == GrainShares::kEnd)
        break;
      visit(stored.entry[at], stored.share[at]);
    }
    return true;
  }

  /// Finds and stores the shares of grain i.
  DEM_HD void store(std::uint32_t i, const Vec3d& x, double radius) const
  {
    const Window window(*this, x, radius);
    if (window.count[0] > 2 || window.count[1] > 2 || window.count[2] > 2)
    {
      stored.entry[i] = sumOfParts(x, radius) > kLeast ? GrainShares::kTooMany : GrainShares::kEnd;
      return;
    }
    double part[GrainShares::kSlots] = {};
    std::uint32_t entry[GrainShares::kSlots];
    window.forPieces(
      [&](const int(&c)[3], double piece) { part[c[0] + 2 * c[1] + 4 * c[2]] += piece; });
    double sum = 0;
    for (int s = 0; s < GrainShares::kSlots; ++s)
    {
      const int c[3] = { s & 1, s >> 1 & 1, s >> 2 };
      entry[s] = c[0] < window.count[0] && c[1] < window.count[1] && c[2] < window.count[2]
        ? window.entryOf(c)
        : GrainShares::kEnd;
      sum += entry[s] != GrainShares::kEnd && part[s] > 0 ? part[s] : 0;
    }
    int next = 0;
    for (int s = 0; s < GrainShares::kSlots && sum > kLeast; ++s)
      if (entry[s] != GrainShares::kEnd && part[s] > 0)
      {
        const std::size_t at = std::size_t(next++) * stored.grains + i;
        stored.entry[at] = entry[s];
        stored.share[at] = part[s] / sum;
      }
    if (next < GrainShares::kSlots)
      stored.entry[std::size_t(next) * stored.grains + i] = GrainShares::kEnd;
  }

private:
  static constexpr double kLeast = 1e-9 * kUnitSphere;

  // Cells around the sphere that acts for a grain.
  struct Window
  {
    const ExchangeCells& cells;
    const Vec3d& x;
    double r;
    int first[3], count[3];

    DEM_HD Window(const ExchangeCells& of, const Vec3d& at, double radius)
      : cells(of)
      , x(at)
      , r(radius > of.least_radius ? radius : of.least_radius)
    {
      using std::floor;
      for (int k = 0; k < 3; ++k)
      {
        const double from = x[k] - of.grid.origin[k];
        first[k] = static_cast<int>(floor((from - r) / of.grid.size[k]));
        count[k] = static_cast<int>(floor((from + r) / of.grid.size[k])) - first[k] + 1;
      }
    }
    /// Calls add(cell, piece): the pieces of a cell add up to the volume of the unit sphere in it.
    template <class Add>
    DEM_HD void forPieces(const Add& add) const
    {
      const auto plane = [&](int k, int p) {
        return (cells.grid.origin[k] + (first[k] + p) * cells.grid.size[k] - x[k]) / r;
      };
      unitSphereInCells(count, plane, add);
    }
    /// Entry of a cell; kEnd outside of the fluid.
    DEM_HD std::uint32_t entryOf(const int (&cell)[3]) const
    {
      int at[3];
      for (int k = 0; k < 3; ++k)
      {
        const int n = cells.grid.count[k];
        at[k] = first[k] + cell[k];
        if (cells.grid.periodic[k])
          at[k] = (at[k] % n + n) % n;
        else if (at[k] < 0 || at[k] >= n)
          return GrainShares::kEnd;
      }
      const std::uint32_t entry = cells.grid.index(at);
      return cells.has_fluid[entry] ? entry : GrainShares::kEnd;
    }
  };

  template <class Visit>
  DEM_HD void forParts(const Vec3d& x, double radius, const Visit& visit) const
  {
    const Window window(*this, x, radius);
    window.forPieces([&](const int(&cell)[3], double piece) {
      const std::uint32_t entry = window.entryOf(cell);
      if (entry != GrainShares::kEnd)
        visit(entry, piece);
    });
  }
  DEM_HD double sumOfParts(const Vec3d& x, double radius) const
  {
    double sum = 0;
    forParts(x, radius, [&](std::uint32_t, double piece) { sum += piece; });
    return sum;
  }
};

/// Sums over the grains of a cell, in whole units.
struct GrainSums
{
  static constexpr double kUnits = 70368744177664.; // 2^46 of the largest term: room for 2^17 terms
  static constexpr int kArrays = 8;
  long long* volume;  // of the cell's volume
  long long* flux[3]; // of the cell's volume times the largest speed
  long long* drag;    // of the largest coefficient
  long long* drag_flow[3];

  DEM_HD static long long units(double part)
  {
    using std::floor;
    return static_cast<long long>(floor(part * kUnits + 0.5));
  }
};

/// A grain at an exchange. The flow computes its next step with it in this state.
struct ExchangedGrain
{
  Vec4<double> place; // m; w = radius; isGone(place.x): it left
  Vec3d velocity;     // m/s
  double mass;        // kg
};

DEM_HD double fromBits(unsigned long long bits)
{
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Largest values of the flow and, as orderedBits, of all grains.
struct FlowLimits
{
  unsigned long long courant;     // see FindCourant
  unsigned long long crossing;    // 1/s: cells that a grain crosses in a second
  unsigned long long relaxation;  // 1/s: B / (m e^2) with the void fraction e
  unsigned long long coefficient; // kg/s: B
  unsigned long long speed;       // m/s, of the grains

  /// Units of sums, > 0.
  DEM_HD double mostDrag() const { return orOne(fromBits(coefficient)); }
  DEM_HD double mostSpeed() const { return orOne(fromBits(speed)); }

private:
  DEM_HD static double orOne(double value) { return value > 0 ? value : 1; }
};

/// Keeps the grains of this exchange. Holds a force on each until the next exchange: the impulse of
/// the last step of the flow, divided by this time.
template <class Real>
struct KeepGrains
{
  StateView<Real> state;
  const double* impulse[3]; // N s, by index at the last exchange
  double dt;                // s, until the next exchange
  double* index;            // of each particle at the last exchange; result: at this one
  double* force[3];         // N, by particle
  ExchangedGrain* grains;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double> x = state.position[i];
    const Vec4<Real> v = state.velocity[i];
    grains[i] = { x, v.xyz().template as<double>(), static_cast<double>(v.w) };
    const auto before = static_cast<std::uint32_t>(index[i]);
    index[i] = i;
    for (int k = 0; k < 3; ++k)
      force[k][i] = isGone(x.x) ? 0 : impulse[k][before] / dt;
  }
};

/// Finds the cells of each grain, and adds its volume to theirs.
struct AddGrainVolumes
{
  const ExchangedGrain* grains;
  ExchangeCells cells;
  GrainSums sums;
  unsigned* outside; // grains outside of the fluid

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double>& x = grains[i].place;
    if (isGone(x.x))
      return;
    const double part = kUnitSphere * x.w * x.w * x.w / cells.grid.volume();
    cells.store(i, x.xyz(), x.w);
    if (!cells.forShares(i, x.xyz(), x.w, [&](std::uint32_t entry, double share) {
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
struct FindGrainDrag
{
  const ExchangedGrain* grains;
  ExchangeCells cells;
  const double *velocity[3], *void_fraction; // by entry
  DragLaw law;
  double density, viscosity;
  bool drives_pressure; // model B
  double* coefficient;  // kg/s, by grain; 0 outside
  FlowLimits* limits;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const ExchangedGrain& g = grains[i];
    coefficient[i] = 0;
    if (isGone(g.place.x))
      return;
    const Vec3d& v = g.velocity;
    Vec3d u{};
    double voids = 0, crossing = 0;
    if (!cells.forShares(i, g.place.xyz(), g.place.w, [&](std::uint32_t entry, double share) {
          for (int k = 0; k < 3; ++k)
            u[k] += share * velocity[k][entry];
          voids += share * void_fraction[entry];
        }))
      return;
    voids = voids < 1 ? voids : 1;
    double b = dragCoefficient(law, { 2 * g.place.w, voids, density, viscosity, length(u - v) });
    const double relaxation = b / (g.mass * voids * voids);
    if (drives_pressure)
      b /= voids;
    coefficient[i] = b;
    for (int k = 0; k < 3; ++k)
      crossing += std::fabs(v[k]) / cells.grid.size[k];
    atomicRaiseOften(&limits->coefficient, orderedBits(b));
    atomicRaiseOften(&limits->speed, orderedBits(length(v)));
    atomicRaiseOften(&limits->crossing, orderedBits(crossing));
    atomicRaiseOften(&limits->relaxation, orderedBits(relaxation));
  }
};

/// Drag and flux of the grains, by cell.
struct AddGrainDrag
{
  const ExchangedGrain* grains;
  ExchangeCells cells;
  const double* coefficient;
  const FlowLimits* limits; // units of the sums
  GrainSums sums;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<double>& x = grains[i].place;
    if (isGone(x.x))
      return;
    const Vec3d v = (1 / limits->mostSpeed()) * grains[i].velocity;
    const double b = coefficient[i] / limits->mostDrag();
    const double part = kUnitSphere * x.w * x.w * x.w / cells.grid.volume();
    cells.forShares(i, x.xyz(), x.w, [&](std::uint32_t entry, double share) {
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
  const FlowLimits* limits;
  const double* counted;
  double *drag, *drag_flow[3], *solid_flux[3];

  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::uint32_t entry = grid.entryOfCell(c);
    const double most_speed = limits->mostSpeed();
    const double unit = limits->mostDrag() / GrainSums::kUnits / grid.volume();
    drag[entry] = unit * static_cast<double>(sums.drag[entry]);
    for (int k = 0; k < 3; ++k)
    {
      drag_flow[k][entry] = unit * most_speed * static_cast<double>(sums.drag_flow[k][entry]);
      solid_flux[k][entry] =
        counted[entry] * most_speed / GrainSums::kUnits * static_cast<double>(sums.flux[k][entry]);
    }
  }
};

/// Impulse of the fluid on each grain in a step of the flow. The fluid has lost it in this step.
/// The impulse of buoyancy is added, which the fluid does not lose.
struct FindGrainImpulses
{
  const ExchangedGrain* grains;
  ExchangeCells cells;
  const double* coefficient;                         // by grain
  const double *velocity[3], *gradient[3], *counted; // by entry, after the step
  bool pressure_on_fluid_only;
  Vec3d lift;         // N/m^3: of the displaced fluid
  double dt;          // s, of the step
  double* impulse[3]; // N s, by grain
  EnergyBooks books;  // of the impulses along x, y, z, without the weight of the displaced fluid

  DEM_HD void operator()(std::uint32_t i) const
  {
    const ExchangedGrain& g = grains[i];
    Vec3d f{}, weight{};
    if (!isGone(g.place.x))
    {
      const double volume = kUnitSphere * g.place.w * g.place.w * g.place.w, b = coefficient[i];
      const bool inside =
        cells.forShares(i, g.place.xyz(), g.place.w, [&](std::uint32_t entry, double share) {
          for (int k = 0; k < 3; ++k)
          {
            f[k] += share * b * (velocity[k][entry] - g.velocity[k]);
            if (!pressure_on_fluid_only)
              f[k] -= share * counted[entry] * volume * gradient[k][entry];
          }
        });
      if (inside)
        weight = volume * lift;
    }
    for (int k = 0; k < 3; ++k)
    {
      impulse[k][i] = dt * (f[k] + weight[k]);
      EnergySum sum;
      sum.add(dt * f[k] * books.per_joule);
      books.book(i, static_cast<BookedEnergy>(k), sum);
    }
  }
};

/// Writes impulses by rank.
struct WriteImpulses
{
  const double *impulse, *index; // index of each particle at the last exchange
  const std::uint32_t* order;    // particle of each rank
  double* out;

  DEM_HD void operator()(std::uint32_t rank) const
  {
    out[rank] = impulse[static_cast<std::uint32_t>(index[order[rank]])];
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
