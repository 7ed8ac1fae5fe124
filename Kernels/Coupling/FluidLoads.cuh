// Force of the fluid on each grain. Used by GivenFlow.cuh.
#pragma once

#include "Coupling/FluidCells.cuh"
#include "Fluid/FluidField.h"
#include "Physics/Drag/DragLaws.cuh"

#include <cmath>
#include <cstdint>

namespace dem
{

/// The given flow at one instant: nodes of two times and the weight of the second.
struct FluidFlowView
{
  Vec3d origin, spacing; // m
  int count[3];
  const FluidNode *now, *next; // null: the same everywhere, `everywhere`
  double weight;               // of `next`, in [0, 1]
  FluidNode everywhere;

  /// Sets the flow at x: linear between the nodes around x; where some of them have no fluid, the
  /// mean of the others. Returns false outside of the grid, and where no node has fluid.
  DEM_HD bool at(const Vec3d& x, FluidNode& flow) const
  {
    using std::floor;
    flow = everywhere;
    if (!now)
      return true;
    int low[3];
    double part[3];
    for (int k = 0; k < 3; ++k)
    {
      const double s = (x[k] - origin[k]) / spacing[k];
      if (!(s >= 0 && s <= count[k] - 1))
        return false;
      low[k] = static_cast<int>(floor(s));
      low[k] = low[k] < count[k] - 1 ? low[k] : count[k] - 2; // the last node itself
      part[k] = s - low[k];
    }
    if (!between(now, low, part, flow))
      return false;
    FluidNode later;
    if (weight > 0 && between(next, low, part, later))
    {
      scale(flow, 1 - weight);
      add(flow, later, weight);
    }
    return true;
  }

private:
  // Mean of the eight nodes around a place, of those with fluid. Returns false if there are none.
  DEM_HD bool between(
    const FluidNode* nodes, const int (&low)[3], const double (&part)[3], FluidNode& mean) const
  {
    mean = FluidNode{ {}, {}, {}, 0, 0, 0 };
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner)
    {
      const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
      const double share =
        (i ? part[0] : 1 - part[0]) * (j ? part[1] : 1 - part[1]) * (k ? part[2] : 1 - part[2]);
      const FluidNode& node = nodes[static_cast<std::size_t>(low[0] + i) +
        static_cast<std::size_t>(count[0]) *
          (static_cast<std::size_t>(low[1] + j) +
            static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(low[2] + k))];
      if (!(node.density > 0) || !(share > 0))
        continue;
      add(mean, node, share);
      sum += share;
    }
    if (!(sum > 0))
      return false;
    scale(mean, 1 / sum);
    return true;
  }
  DEM_HD static void add(FluidNode& sum, const FluidNode& node, double share)
  {
    sum.velocity += share * node.velocity;
    sum.push += share * node.push;
    sum.vorticity += share * node.vorticity;
    sum.void_fraction += share * node.void_fraction;
    sum.density += share * node.density;
    sum.viscosity += share * node.viscosity;
  }
  DEM_HD static void scale(FluidNode& node, double factor)
  {
    const FluidNode before = node;
    node = FluidNode{ {}, {}, {}, 0, 0, 0 };
    add(node, before, factor);
  }
};

/// Force of the fluid on a grain (N), its coefficient of drag (kg/s), and whether the grain is in
/// the fluid at all.
struct FluidForce
{
  Vec3d force{};
  double drag = 0;
  bool inside = false;
};

/// Everything that the force depends on.
template <class Real>
struct FluidView
{
  StateView<Real> state;
  FluidFlowView flow;
  VoidFractionView voids; // of the grains; its values are null if the flow gives the void fraction
  DragLaw law;
  bool buoyancy, magnus, saffman;
  // The flow has no pressure: the drag of a bed then includes the pressure drop that it causes.
  bool drives_pressure;
  Vec3d gravity; // m/s^2

  /// Force on particle i, with the velocity that the forces of the step read.
  DEM_HD FluidForce on(std::uint32_t i) const
  {
    const Vec4<double> x = state.position[i];
    FluidForce out;
    FluidNode f;
    if (!flow.at(x.xyz(), f))
      return out;
    out.inside = true;
    const double d = 2 * x.w, volume = kUnitSphere * x.w * x.w * x.w;
    const Vec3d slip = f.velocity - state.velocity[i].xyz().template as<double>();
    const double given = voids.values ? voids.at(x.xyz()) : f.void_fraction;
    const double void_fraction = given < 1 ? given : 1; // rounding of the weights may exceed 1
    out.drag = dragCoefficient(law, { d, void_fraction, f.density, f.viscosity, length(slip) });
    if (drives_pressure)
      out.drag /= void_fraction;
    out.force = out.drag * slip + volume * f.push;
    if (buoyancy)
      out.force += (-volume * f.density) * gravity;
    if (magnus)
    {
      const Vec3d turn = state.spin[i].xyz().template as<double>() - 0.5 * f.vorticity;
      out.force += (kPi / 8 * d * d * d * f.density) * cross(slip, turn);
    }
    const double vorticity = length(f.vorticity);
    if (saffman && vorticity > 0)
      out.force +=
        (1.615 * d * d * std::sqrt(f.density * f.viscosity / vorticity)) * cross(slip, f.vorticity);
    return out;
  }
};

/// Adds the force of the fluid to the forces of the contacts, and books its work.
template <class Real>
struct AddFluidForces
{
  FluidView<Real> view;
  StepControl* control;
  EnergyBooks work; // the fluid's, as BookedEnergy::WallWork
  double dt;        // s
  double most_drag; // largest dt over m / B
  unsigned batch_step;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (control->forceHalted(batch_step) || isGone(view.state.position[i].x))
      return;
    const FluidForce load = view.on(i);
    if (!load.inside)
      return;
    const StateView<Real>& s = view.state;
    const Vec4<Real> force = s.force[i], velocity = s.velocity[i];
    s.force[i] = vec4(force.xyz() + load.force.template as<Real>(), force.w);
    if (!(load.drag * dt < most_drag * static_cast<double>(velocity.w)))
      atomicLower(&control->error,
        packError(
          batch_step, load.drag < 1e300 ? FailureKind::Drag : FailureKind::NotFinite, s.id[i]));
    EnergySum sum;
    sum.add(dot(load.force, velocity.xyz().template as<double>()) * dt * work.per_joule);
    work.book(i, BookedEnergy::WallWork, sum);
  }
};

/// Writes the force of the fluid by rank, and counts the grains outside of the fluid.
template <class Real>
struct WriteFluidForces
{
  FluidView<Real> view;
  const std::uint32_t* order; // particle of each rank
  float* force;               // 3 a grain; may be null
  unsigned* outside;

  DEM_HD void operator()(std::uint32_t rank) const
  {
    const FluidForce load = view.on(order[rank]);
    if (!load.inside)
      atomicGrow(outside, 1);
    for (int k = 0; force && k < 3; ++k)
      force[3 * std::size_t(rank) + k] = static_cast<float>(load.force[k]);
  }
};

} // namespace dem
