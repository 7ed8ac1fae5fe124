// Checks given fields and computes their derivatives.
#include "Fluid/FluidField.h"

#include "Core/Error.h"
#include "Core/Text.h"

#include <cmath>
#include <string>

namespace dem
{
namespace
{

void requireSize(const std::vector<double>& values, std::size_t size, const char* name)
{
  require(values.empty() || values.size() == size,
    std::string("Fluid: '") + name + "' has " + std::to_string(values.size()) +
      " numbers, the grid needs " + std::to_string(size) + ".");
}

// `values`: one a node. `lower_is_open`: the lower bound itself is not allowed.
void requireRange(const std::vector<double>& values, const std::vector<std::uint8_t>& inside,
  double upper, const char* name, const char* range)
{
  for (std::size_t i = 0; i < values.size(); ++i)
    require((!inside.empty() && !inside[i]) || (values[i] > 0 && values[i] <= upper),
      std::string("Fluid: '") + name + "' is " + number(values[i]) + " at node " +
        std::to_string(i) + "; it must be " + range + ".");
}

void requireFinite(const std::vector<double>& values, const std::vector<std::uint8_t>& inside,
  std::size_t components, const char* name)
{
  for (std::size_t i = 0; i < values.size(); ++i)
    require((!inside.empty() && !inside[i / components]) || std::isfinite(values[i]),
      std::string("Fluid: '") + name + "' is not finite at node " + std::to_string(i / components) +
        ".");
}

// Differences of values at nodes.
class Differences
{
public:
  Differences(const FluidNodes& nodes, const std::vector<std::uint8_t>& inside)
    : nodes_(nodes)
    , inside_(inside)
    , stride_{ 1, static_cast<std::size_t>(nodes.count[0]),
      static_cast<std::size_t>(nodes.count[0]) * static_cast<std::size_t>(nodes.count[1]) }
  {
  }

  bool hasFluid(std::size_t node) const { return inside_.empty() || inside_[node]; }

  // Derivative on axis k of component c of values with `components` a node. Central where both
  // nodes beside have fluid, else one-sided; 0 if neither has.
  double first(const std::vector<double>& values, std::size_t components, std::size_t c,
    std::size_t node, int k) const
  {
    const bool below = place(node, k) > 0 && hasFluid(node - stride_[k]);
    const bool above = place(node, k) + 1 < nodes_.count[k] && hasFluid(node + stride_[k]);
    const std::size_t from = below ? node - stride_[k] : node,
                      to = above ? node + stride_[k] : node;
    const int steps = (below ? 1 : 0) + (above ? 1 : 0);
    return steps == 0
      ? 0
      : (values[to * components + c] - values[from * components + c]) / (steps * nodes_.spacing[k]);
  }

  // Second derivative, likewise; 0 unless both nodes beside have fluid.
  double second(const std::vector<double>& values, std::size_t components, std::size_t c,
    std::size_t node, int k) const
  {
    const bool below = place(node, k) > 0 && hasFluid(node - stride_[k]);
    const bool above = place(node, k) + 1 < nodes_.count[k] && hasFluid(node + stride_[k]);
    if (!below || !above)
      return 0;
    const double h = nodes_.spacing[k];
    return (values[(node - stride_[k]) * components + c] - 2 * values[node * components + c] +
             values[(node + stride_[k]) * components + c]) /
      (h * h);
  }

private:
  int place(std::size_t node, int k) const
  {
    return static_cast<int>(node / stride_[k] % static_cast<std::size_t>(nodes_.count[k]));
  }

  const FluidNodes& nodes_;
  const std::vector<std::uint8_t>& inside_;
  std::size_t stride_[3];
};

Vec3d vectorAt(const std::vector<double>& values, std::size_t node)
{
  return { values[3 * node], values[3 * node + 1], values[3 * node + 2] };
}

Vec3d pushAt(const FluidValues& v, const Differences& differences, std::size_t node,
  double viscosity, bool viscous_stress)
{
  Vec3d push{};
  if (!v.pressure_gradient.empty())
    push = -1. * vectorAt(v.pressure_gradient, node);
  else if (!v.pressure.empty())
    for (int k = 0; k < 3; ++k)
      push[k] = -differences.first(v.pressure, 1, 0, node, k);
  for (int c = 0; viscous_stress && !v.velocity.empty() && c < 3; ++c)
    for (int k = 0; k < 3; ++k)
      push[c] += viscosity * differences.second(v.velocity, 3, c, node, k);
  return push;
}

Vec3d vorticityAt(const FluidValues& v, const Differences& differences, std::size_t node)
{
  if (v.velocity.empty())
    return {};
  const auto d = [&](int c, int k) { return differences.first(v.velocity, 3, c, node, k); };
  return { d(2, 1) - d(1, 2), d(0, 2) - d(2, 0), d(1, 0) - d(0, 1) };
}

} // namespace

void validateFluidField(const FluidField& field)
{
  const FluidNodes& nodes = field.nodes;
  for (int k = 0; k < 3; ++k)
  {
    require(nodes.count[k] >= 2,
      std::string("Fluid: it is flat along ") + "xyz"[k] +
        ". Give it a thickness, for instance by Linear Extrusion or Resample To Image.");
    require(nodes.spacing[k] > 0 && std::isfinite(nodes.spacing[k]),
      "Fluid: the spacing of its grid must be above 0 on each axis.");
  }
  require(!field.times.empty() && field.times.size() == field.values.size(),
    "Fluid: each time needs its values, and there must be one time at least.");
  for (std::size_t t = 0; t < field.times.size(); ++t)
  {
    require(std::isfinite(field.times[t]) && (t == 0 || field.times[t] > field.times[t - 1]),
      "Fluid: its times must ascend.");
    const FluidValues& v = field.values[t];
    const std::size_t n = nodes.size();
    require(
      v.inside.empty() || v.inside.size() == n, "Fluid: the mask of its nodes is incomplete.");
    require(!v.velocity.empty(), "Fluid: it has no Velocity.");
    requireSize(v.velocity, 3 * n, "Velocity");
    requireSize(v.pressure, n, "Pressure");
    requireSize(v.pressure_gradient, 3 * n, "PressureGradient");
    requireSize(v.void_fraction, n, "VoidFraction");
    requireSize(v.density, n, "Density");
    requireSize(v.viscosity, n, "Viscosity");
    require((v.pressure.empty() && v.pressure_gradient.empty()) == !field.hasPressure(),
      "Fluid: the pressure is given at some times only. Give it at all of them, or at none.");
    require(v.void_fraction.empty() == field.values[0].void_fraction.empty(),
      "Fluid: 'VoidFraction' is given at some times only. Give it at all of them, or at none.");
    requireFinite(v.velocity, v.inside, 3, "Velocity");
    requireFinite(v.pressure, v.inside, 1, "Pressure");
    requireFinite(v.pressure_gradient, v.inside, 3, "PressureGradient");
    requireRange(v.void_fraction, v.inside, 1, "VoidFraction", "above 0, at most 1");
    requireRange(v.density, v.inside, 1e300, "Density", "above 0 kg/m^3");
    requireRange(v.viscosity, v.inside, 1e300, "Viscosity", "above 0 Pa s");
  }
}

std::vector<FluidNode> fluidNodes(
  const FluidField& field, std::size_t time, const FluidOptions& options)
{
  const FluidValues& v = field.values[time];
  const Differences differences(field.nodes, v.inside);
  std::vector<FluidNode> nodes(field.nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
  {
    FluidNode& node = nodes[i];
    node = { {}, {}, {}, 1, 0, 1 };
    if (!differences.hasFluid(i))
      continue;
    node.velocity = vectorAt(v.velocity, i);
    node.viscosity = v.viscosity.empty() ? options.viscosity : v.viscosity[i];
    node.density = v.density.empty() ? options.density : v.density[i];
    node.void_fraction = v.void_fraction.empty() ? 1 : v.void_fraction[i];
    node.push = pushAt(v, differences, i, node.viscosity, options.viscous_stress);
    node.vorticity = vorticityAt(v, differences, i);
  }
  return nodes;
}

Vec3d fieldVelocity(const FluidField& field, const Vec3d& x)
{
  const FluidNodes& nodes = field.nodes;
  const FluidValues& values = field.values.front();
  std::size_t low[3];
  double part[3];
  for (int k = 0; k < 3; ++k)
  {
    const double s = (x[k] - nodes.origin[k]) / nodes.spacing[k];
    const int last = nodes.count[static_cast<std::size_t>(k)] - 1;
    if (!(s >= 0 && s <= last))
      return {};
    low[k] = static_cast<std::size_t>(std::fmin(std::floor(s), last - 1));
    part[k] = s - static_cast<double>(low[k]);
  }
  Vec3d sum{};
  for (std::size_t corner = 0; corner < 8; ++corner)
  {
    const std::size_t i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
    const double share =
      (i ? part[0] : 1 - part[0]) * (j ? part[1] : 1 - part[1]) * (k ? part[2] : 1 - part[2]);
    const std::size_t node = low[0] + i +
      static_cast<std::size_t>(nodes.count[0]) *
        (low[1] + j + static_cast<std::size_t>(nodes.count[1]) * (low[2] + k));
    if (!values.inside.empty() && !values.inside[node])
      return {};
    for (int c = 0; c < 3; ++c)
      sum[c] += share * values.velocity[3 * node + static_cast<std::size_t>(c)];
  }
  return sum;
}

} // namespace dem
