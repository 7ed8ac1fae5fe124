// The flow of a given field: values at the nodes of a uniform grid, at one time or several. Scene
// holds it; GivenFlow.cuh copies it to the device.
#pragma once

#include "Core/Vec.h"
#include "Physics/FluidModel.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dem
{

/// Nodes of a uniform grid, x fastest.
struct FluidNodes
{
  Vec3d origin{};             ///< m, the first node
  Vec3d spacing{ 1, 1, 1 };   ///< m, > 0
  std::array<int, 3> count{}; ///< nodes on each axis, >= 2

  std::size_t size() const
  {
    return static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]) *
      static_cast<std::size_t>(count[2]);
  }
  bool operator==(const FluidNodes& o) const
  {
    return origin == o.origin && spacing == o.spacing && count == o.count;
  }
};

/// Values at the nodes at one time. Empty: not given.
struct FluidValues
{
  std::vector<std::uint8_t> inside; ///< 0: there is no fluid at the node; empty: all have fluid
  std::vector<double> velocity;     ///< m/s, 3 a node; in the voids between the grains
  std::vector<double> pressure;     ///< Pa
  std::vector<double> pressure_gradient; ///< Pa/m, 3 a node; otherwise differences of the pressure
  std::vector<double> void_fraction;     ///< in (0, 1]; otherwise from the grains
  std::vector<double> density;           ///< kg/m^3
  std::vector<double> viscosity;         ///< Pa s
};

/// A given field. Between two times the values are linear in time; before the first and after the
/// last they stay.
struct FluidField
{
  FluidNodes nodes;
  std::vector<double> times;       ///< s, ascending, one at least
  std::vector<FluidValues> values; ///< one for each time

  bool hasVoidFraction() const { return !values.empty() && !values[0].void_fraction.empty(); }
  bool hasPressure() const
  {
    return !values.empty() && !(values[0].pressure.empty() && values[0].pressure_gradient.empty());
  }
};

/// A node as kernels read it.
struct FluidNode
{
  Vec3d velocity;
  Vec3d push;      // N/m^3 on the volume of a grain: -grad p, and the viscous stress
  Vec3d vorticity; // 1/s
  double void_fraction;
  double density; // 0: there is no fluid
  double viscosity;
};

/// Throws dem::Error if the field is broken: sizes, times, values that are not finite or not
/// possible.
void validateFluidField(const FluidField& field);

/// Velocity (m/s) at x at the first time of the field, linear between its nodes; 0 outside of it
/// and where a node beside has no fluid.
Vec3d fieldVelocity(const FluidField& field, const Vec3d& x);

/// Nodes of one time. Derivatives are differences of the nodes beside a node that have fluid.
/// Missing values are those of `options`.
std::vector<FluidNode> fluidNodes(
  const FluidField& field, std::size_t time, const FluidOptions& options);

} // namespace dem
