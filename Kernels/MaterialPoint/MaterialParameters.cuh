// The parameters of a material as kernels read them.
#pragma once

#include "MaterialPoint/MpmScene.h"
#include "MaterialPoint/SmallMatrix.cuh"

#include <cmath>

namespace mpm
{

template <class T>
struct MaterialParameters
{
  MaterialKind kind;
  T lambda, mu; // Lame, Pa
  SandYield surface;
  T cone; // Drucker-Prager: ratio of the Frobenius norm of the deviatoric Kirchhoff stress to minus
          // the trace, on the cone
  T cone_cohesion; // Pa: that norm at zero pressure
  T sine, shear;   // Mohr-Coulomb: sin(phi), and the yield shear stress at zero pressure, Pa
  T rate, gain; // sand: shear rate over sqrt(pressure) at I = I_0, over sqrt(2), sqrt(1/Pa) / s (0:
                // no dependence on the rate), and sin(fast friction angle) - sine
  T tip;        // trace of the Hencky strain at the cone's tip
  T yield, hardening; // von Mises, Pa
  T bulk, gamma, viscosity;
  T density; // kg/m^3 at rest
};

inline double lameLambda(const Material& m)
{
  return m.youngs_modulus * m.poissons_ratio /
    ((1 + m.poissons_ratio) * (1 - 2 * m.poissons_ratio));
}
inline double lameMu(const Material& m) { return m.youngs_modulus / (2 * (1 + m.poissons_ratio)); }

template <class T>
MaterialParameters<T> materialParameters(const Material& m)
{
  MaterialParameters<T> p{};
  p.kind = m.kind;
  p.density = static_cast<T>(m.density);
  if (m.kind == MaterialKind::Fluid)
  {
    p.bulk = static_cast<T>(m.bulk_modulus);
    p.gamma = static_cast<T>(m.gamma);
    p.viscosity = static_cast<T>(m.viscosity);
    return p;
  }
  const double lambda = lameLambda(m), mu = lameMu(m);
  p.lambda = static_cast<T>(lambda);
  p.mu = static_cast<T>(mu);
  const double s = std::sin(m.friction_angle), cohesion = std::sqrt(2.) * m.cohesion;
  const double cone = m.sand_yield == SandYield::CompressionCone
    ? std::sqrt(2. / 3) * 2 * s / (3 - s)
    : std::sqrt(2.) / 3 * s;
  p.surface = m.sand_yield;
  p.sine = static_cast<T>(s);
  p.shear = static_cast<T>(m.cohesion);
  if (m.grain_diameter > 0)
  {
    constexpr double kSolid = 0.6;
    p.rate = static_cast<T>(
      m.inertial_number / (std::sqrt(2.) * m.grain_diameter * std::sqrt(m.density / kSolid)));
    p.gain = static_cast<T>(std::sin(m.fast_friction_angle) - s);
  }
  p.cone = static_cast<T>(cone);
  p.cone_cohesion = static_cast<T>(cohesion);
  p.tip = static_cast<T>(
    cone > 0 ? cohesion / (cone * (3 * lambda + 2 * mu)) : (cohesion > 0 ? 1e30 : 0.));
  p.yield = static_cast<T>(m.yield_stress);
  p.hardening = static_cast<T>(m.hardening_modulus);
  return p;
}

/// Whether this kind is defined only for det F > 0.
DEM_HD bool needsPositive(MaterialKind kind)
{
  return kind != MaterialKind::Corotated && kind != MaterialKind::FixedCorotated &&
    kind != MaterialKind::LinearElastic;
}

} // namespace mpm
