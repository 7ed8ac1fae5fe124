// Computes the interval of the temperatures and the coefficients of heat transfer.
#include "Scene/detail/HeatFromScene.h"

#include "Core/Error.h"
#include "Core/Text.h"
#include "Scene/detail/LawFromScene.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dem
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

double heatCapacityOf(const Scene& scene, std::size_t i)
{
  const ParticleInput& p = scene.particles;
  const Material& m = scene.materials[p.material.empty() ? 0 : p.material[i]];
  const double r = p.radius[i];
  return 4. / 3 * kPi * r * r * r * m.density * m.heat_capacity;
}

// 1 / E* of materials a and b with the moduli of(material), Pa.
template <class Of>
double compliance(const Scene& scene, int a, int b, const Of& of)
{
  const auto one = [&](const Material& m) {
    return (1 - m.poissons_ratio * m.poissons_ratio) / of(m);
  };
  return one(scene.materials[a]) + one(scene.materials[b]);
}

} // namespace

std::vector<HeatCoefficients> heatCoefficients(const Scene& scene)
{
  const int n = static_cast<int>(scene.materials.size());
  const double power = scene.heat.correction == ModulusCorrection::EqualForce ? 2. / 3 : 2. / 5;
  std::vector<HeatCoefficients> out;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
    {
      const double k1 = scene.materials[a].thermal_conductivity,
                   k2 = scene.materials[b].thermal_conductivity;
      const double simulated =
        compliance(scene, a, b, [](const Material& m) { return m.youngs_modulus; });
      const double real = compliance(scene, a, b, [](const Material& m) {
        return m.true_youngs_modulus > 0 ? m.true_youngs_modulus : m.youngs_modulus;
      });
      const double ratio = real / simulated; // E* / E*true
      out.push_back(
        { 4 * k1 * k2 / (k1 + k2), ratio == 1 ? 1 : std::pow(ratio, power), k1, k2, 1 / real });
    }
  return out;
}

GasGap gasGap(const HeatOptions& heat)
{
  return { heat.gas_conductivity, heat.temperature_jump, heat.surface_roughness, heat.surface_slope,
    heat.microhardness };
}

double mostOfGas(const GasGap& gas, double radius)
{
  // at a plane and at spheres of all sizes less than the first term of the law
  return 2 * kPi * gas.conductivity * (radius + gas.jump) * std::log1p(radius / gas.jump);
}

double largestHeatCapacity(const Scene& scene)
{
  double most = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i)
    most = std::max(most, heatCapacityOf(scene, i));
  return most;
}

unsigned stepsOfHeat(const Scene& scene, const StepPlan& plan)
{
  const double time_step = plan.time_step;
  if (scene.heat.interval > 0)
  {
    require(scene.heat.interval > 0.5 * time_step,
      "ThermalInterval is " + number(scene.heat.interval) +
        " s, shorter than the time step, which is " + number(time_step) +
        " s. Make it at least as long, or 0 for automatic.");
    require(scene.heat.interval <= scene.end_time,
      "ThermalInterval is " + number(scene.heat.interval) +
        " s, longer than the run, whose EndTime "
        "is " +
        number(scene.end_time) + " s. Make it shorter, or 0 for automatic.");
    const double steps = std::round(scene.heat.interval / time_step);
    require(steps < 4e9,
      "ThermalInterval is " + number(scene.heat.interval) + " s, more than 4e9 time steps.");
    return static_cast<unsigned>(steps);
  }
  const std::vector<HeatCoefficients> pairs = heatCoefficients(scene);
  double conductance = 0; // per metre
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (usedByParticles(scene, static_cast<int>(k / scene.materials.size())))
      conductance = std::max(conductance, pairs[k].conductance * std::sqrt(pairs[k].overlap));
  if (scene.heat.area == ContactAreaModel::Lens)
    conductance *= std::sqrt(2 * kPi);
  const GasGap gas = gasGap(scene.heat);
  double shortest = 1e300;
  for (std::size_t i = 0; i < scene.particles.size(); ++i)
  {
    const double size = 0.1 * scene.particles.radius[i]; // sqrt(R d), d = 0.01 R
    const double most = conductance * size + mostOfGas(gas, scene.particles.radius[i]);
    shortest = std::min(shortest, heatCapacityOf(scene, i) / (12 * most));
  }
  const double steps = std::floor(0.1 * shortest / time_step);
  const auto most = static_cast<unsigned>(std::max(1., std::min<double>(steps, kMostStepsOfHeat)));
  for (unsigned n = most; 2 * n > most; --n)
    if (plan.steps_per_output % n == 0)
      return n;
  return most;
}

} // namespace dem
