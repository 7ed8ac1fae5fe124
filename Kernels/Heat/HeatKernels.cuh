// Kernels of one step of the temperatures: heat that flows to each particle through its contacts,
// then the new temperatures of the grains. Used by HeatStage.cuh.
#pragma once

#include "Core/Atomic.cuh"
#include "Heat/HeatBooks.cuh"
#include "Measure/MeasureBodies.cuh"
#include "NeighborList/GhostBits.h"
#include "Particles/Columns.h"
#include "Physics/Heat/Conduction.cuh"
#include "Physics/Heat/GasGap.cuh"

#include <cstdint>

namespace dem
{

/// Thermal condition of a wall, as kernels read it.
struct HeatOfWall
{
  ThermalCondition condition;
  double temperature; // K
  double power;       // W that the wall gives in total, if its flux is given
};

/// Everything that the flow of heat depends on.
template <class Real>
struct HeatView
{
  BodyMeasureView<Real> bodies; // and the parts, which are the particles if all are spheres
  const HeatCoefficients* pairs;
  const double* capacity;  // J/kg/K, by material
  const HeatOfWall* walls; // scene's walls, then the borders of the domain
  ContactAreaModel area;
  GasGap gas;
  double* temperature; // K, by particle
  double dt;           // s, from the last step of the temperatures

  DEM_HD int materialOf(std::uint32_t i) const
  {
    return static_cast<int>(bodies.parts.state.spin[i].w);
  }
  DEM_HD const HeatCoefficients& pair(int a, int b) const
  {
    return pairs[a * bodies.parts.law.materials + b];
  }
  /// m c of the grain of particle i, J/K.
  DEM_HD double capacityOf(std::uint32_t i) const
  {
    return static_cast<double>(bodies.parts.state.velocity[i].w) * capacity[materialOf(i)];
  }

  /// Conductance of the touching pair of particles i and j, W/K. `lower`: j has the lower Id. Both
  /// sides compute the same bits.
  DEM_HD double ofPair(std::uint32_t i, std::uint32_t j, bool lower) const
  {
    const MeasureView<Real>& parts = bodies.parts;
    const std::uint32_t a = lower ? j : i, b = lower ? i : j;
    const HeatCoefficients& coefficients = pair(materialOf(a), materialOf(b));
    const ShapeLaw<Real>& shapes = bodies.shapes;
    if (shapes.any &&
      (shapes.shapeOf(parts.state, a) != kSphereShape ||
        shapes.shapeOf(parts.state, b) != kSphereShape))
    {
      Vec3<Real> apart;
      const ContactGeometry<Real> g = shapes.geometry(parts.state, parts.law.box, a, b, apart);
      const bool flat = shapes.isPolyhedron(shapes.shapeOf(parts.state, a)) &&
        shapes.isPolyhedron(shapes.shapeOf(parts.state, b));
      return ofShapes(coefficients, g.radius, g.overlap, flat);
    }
    const PairGeometry<Real> g = parts.geometry(i, j, lower);
    const double overlap = g.gap2() / (g.reach + sqrt(g.distance2));
    const double ra = parts.state.position[a].w, rb = parts.state.position[b].w;
    const double reduced = ra * rb / (ra + rb);
    const double size = sticks(parts.state.spin[a].w, parts.state.spin[b].w)
      ? ofSticking(coefficients, parts.state.spin[a].w, parts.state.spin[b].w, reduced, overlap)
      : Conduction::ofSpheres(area, ra, rb, coefficients.overlap * overlap);
    return ofRound(coefficients, size, ra, rb, reduced);
  }

  /// Conductance of the contact of particle i with a wall element, W/K.
  DEM_HD double ofWall(std::uint32_t i, std::uint32_t index) const
  {
    const MeasureView<Real>& parts = bodies.parts;
    const WallElement& element = parts.walls.elements[index];
    const WallBody& body = parts.walls.bodies[element.wall];
    const HeatCoefficients& coefficients = pair(materialOf(i), body.material);
    const ShapeLaw<Real>& shapes = bodies.shapes;
    const int shape = shapes.any ? shapes.shapeOf(parts.state, i) : kSphereShape;
    if (shape != kSphereShape)
    {
      const ContactGeometry<double> g = shapes.wallGeometry(parts.state, parts.walls, i, index);
      return ofShapes(coefficients, g.radius, g.overlap, shapes.isPolyhedron(shape));
    }
    const Vec4<double> x = parts.state.position[i];
    const Vec3d local = body.toLocal(x.xyz());
    const double overlap = x.w - signedDistance(element, local, closestOnElement(element, local));
    const Real material = parts.state.spin[i].w, of_wall = static_cast<Real>(body.material);
    const double size = sticks(material, of_wall)
      ? ofSticking(coefficients, material, of_wall, x.w, overlap)
      : Conduction::ofSphereAndWall(area, x.w, coefficients.overlap * overlap);
    return ofRound(coefficients, size, x.w, 0, x.w);
  }

  /// Calls visit(neighbour, lower) for each touching pair of particle i, in ascending Id.
  template <class Visit>
  DEM_HD void forPairs(std::uint32_t i, const Visit& visit) const
  {
    const MeasureView<Real>& parts = bodies.parts;
    const std::uint32_t begin = parts.list.start(i), end = begin + parts.list.count[i];
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      const ListView::Slot here = parts.list.at(i, slot);
      if (parts.pair_slots.flags[here.contact] & kTouching)
        visit(here.entry & ListView::kIndex, (here.entry & ListView::kLowerId) != 0);
    }
  }
  /// Calls visit(element) for each touching element of a wall with a thermal condition.
  template <class Visit>
  DEM_HD void forWalls(std::uint32_t i, const Visit& visit) const
  {
    const MeasureView<Real>& parts = bodies.parts;
    const std::uint32_t row = parts.wall_row_of[i];
    if (row == kNoRow)
      return;
    for (std::uint32_t slot = parts.wall_list.start[row]; slot < parts.wall_list.start[row + 1];
         ++slot)
    {
      const std::uint32_t index = parts.wall_list.entries[slot];
      if ((parts.wall_slots.flags[slot] & kTouching) &&
        walls[parts.walls.elements[index].wall].condition != ThermalCondition::Adiabatic)
        visit(index);
    }
  }

private:
  // Conductance of two spheres, or of a sphere and a wall (radius_b = 0), whose contact has this
  // size (m).
  DEM_HD double ofRound(const HeatCoefficients& coefficients, double size, double radius_a,
    double radius_b, double reduced) const
  {
    const double constriction = Conduction::conductance(coefficients, size);
    if (!gas.on())
      return constriction;
    constexpr double kPi = 3.14159265358979323846;
    const double contact_radius =
      area == ContactAreaModel::ContactRadius ? size : size / sqrt(2 * kPi);
    const double pressure = 2 * coefficients.modulus * contact_radius / (kPi * reduced); // Hertz
    return gas.conductance({ radius_a, radius_b, coefficients.conductivity_a,
      coefficients.conductivity_b, contact_radius, pressure, constriction });
  }
  // The section of two polyhedra does not follow from E* and the force, so it is not corrected.
  DEM_HD double ofShapes(
    const HeatCoefficients& coefficients, double radius, double overlap, bool flat) const
  {
    return Conduction::conductance(coefficients,
      Conduction::ofShapes(area, radius, flat ? overlap : coefficients.overlap * overlap, flat));
  }
  DEM_HD bool sticks(Real a, Real b) const
  {
    const LawView<Real>& law = bodies.parts.law;
    return law.law.cohesion != CohesionModel::None && law.pair(a, b).adhesion > Real(0);
  }
  // Size of a contact with surface energy, m. Its overlap may be below 0.
  DEM_HD double ofSticking(
    const HeatCoefficients& coefficients, Real a, Real b, double radius, double overlap) const
  {
    const double size = static_cast<double>(Jkr::contactRadius(bodies.parts.law.pair(a, b),
                          static_cast<Real>(radius), static_cast<Real>(overlap))) *
      sqrt(coefficients.overlap);
    return area == ContactAreaModel::ContactRadius ? size : sqrt(6.28318530717958648) * size;
  }
};

/// Sums the conductances of the contacts of walls with a given flux, by wall, as whole multiples of
/// a unit, so that their order has no effect.
template <class Real>
struct SumOfFluxWalls
{
  HeatView<Real> view;
  double per_watt;   // units per W/K
  long long* totals; // by wall

  DEM_HD void operator()(std::uint32_t row) const
  {
    const std::uint32_t i = view.bodies.parts.wall_list.particle[row];
    if (isGone(view.bodies.parts.state.position[i].x))
      return;
    view.forWalls(i, [&](std::uint32_t index) {
      const std::uint32_t wall = view.bodies.parts.walls.elements[index].wall;
      if (view.walls[wall].condition == ThermalCondition::HeatFlux)
        atomicSum(&totals[wall], static_cast<long long>(view.ofWall(i, index) * per_watt));
    });
  }
};

/// Heat flow to a particle, W, and the sum of its conductances to particles and walls of given
/// temperature, W/K.
struct HeatSum
{
  double flow, conductance;
};

/// Sums the heat flows to each particle: of pairs in ascending Id, then of walls in ascending
/// element number. Books what walls give.
template <class Real>
struct SumHeat
{
  HeatView<Real> view;
  const long long* of_flux_walls; // SumOfFluxWalls::totals
  double per_watt;
  HeatTotals totals;
  HeatSum* sums; // result, by particle
  bool advances; // false: only the flows of the last step are booked

  DEM_HD void operator()(std::uint32_t i) const
  {
    HeatSum sum{ 0, 0 };
    if (isGone(view.bodies.parts.state.position[i].x))
    {
      sums[i] = sum;
      return;
    }
    const double own = view.temperature[i];
    view.forPairs(i, [&](std::uint32_t j, bool lower) {
      const double conductance = view.ofPair(i, j, lower);
      sum.conductance += conductance;
      sum.flow += conductance * (view.temperature[j] - own);
    });
    view.forWalls(i, [&](std::uint32_t index) {
      const std::uint32_t wall = view.bodies.parts.walls.elements[index].wall;
      const HeatOfWall& w = view.walls[wall];
      const double conductance = view.ofWall(i, index);
      double flow = 0;
      if (w.condition == ThermalCondition::Temperature)
      {
        sum.conductance += conductance;
        flow = conductance * (w.temperature - own);
      }
      else if (of_flux_walls[wall] > 0)
        flow = w.power *
          (static_cast<double>(static_cast<long long>(conductance * per_watt)) /
            static_cast<double>(of_flux_walls[wall]));
      sum.flow += flow;
      if (advances)
        totals.add(HeatTotals::ofElement(index), flow * view.dt);
      totals.add(totals.ofLastStep(index), flow * view.dt);
    });
    sums[i] = sum;
  }
};

/// Faults of a step of the temperatures; the value is part of the error word, whose lower 42 bits
/// hold the Id.
enum class HeatFault : unsigned long long
{
  Unstable = 0, ///< the step is longer than m c / (sum of conductances)
  Cold = 1      ///< the temperature is below 0 K, or not finite
};

/// Changes the temperature of each grain that this part of a run owns. Index: particle, or body if
/// the particles are parts of bodies.
template <class Real, bool kBodies>
struct AdvanceTemperatures
{
  HeatView<Real> view;
  const HeatSum* sums;
  double *rest, *flow; // columns TemperatureRest (K) and HeatFlow (W)
  HeatShare share;     // of dissipated energy; `low` may be null
  HeatTotals totals;
  unsigned long long* error; // atomic minimum of (fault << 42 | Id)
  GhostBits ghosts;
  bool advances; // false: only the flows are stored

  DEM_HD void operator()(std::uint32_t k) const
  {
    if constexpr (kBodies)
    {
      const BodyView& of = view.bodies.bodies;
      const std::uint32_t first = of.firstPart(k), parts = of.parts(k);
      if (of.place[first] == BodyView::kNowhere)
        return;
      change(of.id[k], of.place + first, parts);
    }
    else
    {
      if (ghosts.has(k) || isGone(view.bodies.parts.state.position[k].x))
        return;
      change(view.bodies.parts.state.id[k], &k, 1);
    }
  }

private:
  DEM_HD void change(std::int64_t id, const std::uint32_t* places, std::uint32_t parts) const
  {
    HeatSum sum{ 0, 0 };
    double dissipated = 0;
    for (std::uint32_t p = 0; p < parts; ++p)
    {
      const std::uint32_t i = places[p];
      sum.flow += sums[i].flow;
      sum.conductance += sums[i].conductance;
      if (share.low && advances)
        dissipated += share.take(i);
    }
    const double capacity = view.capacityOf(places[0]);
    double now = view.temperature[places[0]], left = rest[places[0]];
    if (advances)
    {
      if (dissipated != 0)
        totals.add(HeatTotals::kDissipated, dissipated);
      addCarried(now, left, (sum.flow * view.dt + dissipated) / capacity);
      if (!(sum.conductance * view.dt <= capacity))
        report(HeatFault::Unstable, id);
      else if (!(now >= 0 && now < 1e300))
        report(HeatFault::Cold, id);
    }
    for (std::uint32_t p = 0; p < parts; ++p)
    {
      const std::uint32_t i = places[p];
      view.temperature[i] = now;
      rest[i] = left;
      flow[i] = sum.flow;
    }
  }

  DEM_HD void report(HeatFault fault, std::int64_t id) const
  {
    atomicLower(error,
      static_cast<unsigned long long>(fault) << 42 |
        (static_cast<unsigned long long>(id) & ((1ull << 42) - 1)));
  }
};

/// Dissipated energy of each grain that no step of the temperatures has taken yet, J, by rank.
template <class Real, bool kBodies>
struct WaitingHeat
{
  HeatView<Real> view;
  HeatShare share;
  double* each;

  DEM_HD void operator()(std::uint32_t rank) const
  {
    double sum = 0;
    if constexpr (kBodies)
    {
      const BodyView& of = view.bodies.bodies;
      const std::uint32_t body = view.bodies.shown[rank];
      for (std::uint32_t p = 0; p < of.parts(body); ++p)
        sum += share.of(of.place[of.firstPart(body) + p]);
    }
    else
      sum = share.of(view.bodies.parts.order[rank]);
    each[rank] = sum;
  }
};

/// Thermal energy m c T of each grain, J, by rank.
template <class Real, bool kBodies>
struct ThermalEnergies
{
  HeatView<Real> view;
  const double* rest;
  double* each;

  DEM_HD void operator()(std::uint32_t rank) const
  {
    const std::uint32_t i = kBodies
      ? view.bodies.bodies.place[view.bodies.bodies.firstPart(view.bodies.shown[rank])]
      : view.bodies.parts.order[rank];
    each[rank] = view.capacityOf(i) * (view.temperature[i] + rest[i]);
  }
};

} // namespace dem
