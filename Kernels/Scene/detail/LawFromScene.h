// Parameters of the contact law for the kernels, from the scene's materials and options. Used by
// Forces/LawStore.cuh and Scene.
#pragma once

#include "Physics/ContactLaw.cuh"
#include "Scene/Scene.h"

#include <algorithm>
#include <vector>

namespace dem
{

/// Combined values of two materials. Moduli in Pa.
struct PairValues
{
  double youngs, shear, restitution, friction, rolling, surface_energy;
};

/// Returns E*, G* and the combined coefficients of materials a and b (see MaterialPair).
PairValues pairValues(const Scene& scene, int a, int b);

/// Returns true if a wall of the scene or a border of its domain has this material.
bool usedByWalls(const Scene& scene, int material);
/// Whether particles have a material, also if they were released.
bool usedByParticles(const Scene& scene, int material);

/// Damping ratio for a coefficient of restitution e: -ln e / sqrt(ln^2 e + pi^2).
double dampingRatio(double restitution);

/// Parameters that do not depend on the materials.
template <class Real>
LawParameters<Real> lawParameters(const Scene& scene)
{
  const ContactModel& c = scene.contact;
  LawParameters<Real> law{};
  law.law = c.law;
  law.friction_limit = c.friction_limit;
  law.rolling = c.rolling;
  law.cohesion = c.cohesion;
  law.history = c.tangential_history;
  law.clamp = c.clamp_normal_force;
  law.statistics = scene.contact_statistics;
  law.direction = std::any_of(scene.shapes.begin(), scene.shapes.end(),
    [](const Shape& shape) { return shape.kind == ShapeKind::BiConvexTablet; });
  law.heats = scene.heat.on() && scene.heat.dissipation;
  law.collision_time = static_cast<Real>(c.collision_time);
  law.normal_stiffness = static_cast<Real>(c.normal_stiffness);
  law.stiffness_ratio = static_cast<Real>(c.stiffness_ratio);
  law.rolling_damping = static_cast<Real>(c.rolling_damping);
  return law;
}

/// Coefficients of a pair of materials from its combined values.
template <class Real>
PairCoefficients<Real> pairCoefficientsOf(const ContactModel& c, const PairValues& v)
{
  static_assert(PairCoefficients<Real>::kCount == 9, "a new coefficient needs its value below");
  constexpr double kPi = 3.14159265358979323846;
  const bool hertz = c.law == NormalLaw::HertzMindlin;
  const double l = std::log(v.restitution), normal = 2 * v.youngs, tangential = 8 * v.shear;
  double share = 0; // tangential damping / normal damping
  if (c.tangential_damping == TangentialDamping::Mindlin)
    share = std::sqrt(hertz ? tangential / normal : c.stiffness_ratio); // c sqrt(St m*)
  else if (c.tangential_damping == TangentialDamping::EqualToNormal)
    share = 1;
  // A surface energy that single precision cannot resolve beside E* acts as 0.
  const double adhesion = v.surface_energy > 1e-20 * v.youngs ? kPi * v.surface_energy : 0;
  return { static_cast<Real>(normal), static_cast<Real>(tangential),
    static_cast<Real>((hertz ? 2 * std::sqrt(5. / 6) : 2) * dampingRatio(v.restitution)),
    static_cast<Real>(v.friction), static_cast<Real>(v.rolling),
    static_cast<Real>(kPi * kPi + l * l), static_cast<Real>(share), static_cast<Real>(adhesion),
    static_cast<Real>(std::cbrt(adhesion / (4 * v.youngs))) };
}

/// Coefficients of each pair of materials (a, b), at index a * materials + b.
template <class Real>
std::vector<PairCoefficients<Real>> pairCoefficients(const Scene& scene)
{
  const int n = static_cast<int>(scene.materials.size());
  std::vector<PairCoefficients<Real>> out;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      out.push_back(pairCoefficientsOf<Real>(scene.contact, pairValues(scene, a, b)));
  return out;
}

} // namespace dem
