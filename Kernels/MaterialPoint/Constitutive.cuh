// Constitutive models on host and device: Kirchhoff stress, return mapping, energy; for elastic kinds the first Piola-Kirchhoff stress and its
// differential. Stresses in Pa, energies per volume at rest. F is the elastic part of the deformation gradient.
//
// Isotropic stresses need only the left vectors and the singular values of F = U diag(s) V^T: tau = P F^T = U diag(s_i dpsi/ds_i) U^T.
#pragma once

#include "MaterialPoint/MpmScene.h"
#include "MaterialPoint/SmallMatrix.cuh"

namespace mpm
{

template <class T>
struct MaterialParameters
{
  MaterialKind kind;
  T lambda, mu;       // Lame, Pa
  SandYield surface;
  T cone;             // Drucker-Prager: Frobenius norm of the deviatoric Kirchhoff stress over minus the trace, on the cone
  T cone_cohesion;    // Pa: that norm at zero pressure
  T sine, shear;      // Mohr-Coulomb: sin(phi), Pa: yield shear stress at zero pressure
  T tip;              // trace of the Hencky strain at the cone's tip
  T yield, hardening; // von Mises, Pa
  T bulk, gamma, viscosity;
  T density;          // kg/m^3 at rest
};

inline double lameLambda(const Material& m)
{
  return m.youngs_modulus * m.poissons_ratio / ((1 + m.poissons_ratio) * (1 - 2 * m.poissons_ratio));
}
inline double lameMu(const Material& m)
{
  return m.youngs_modulus / (2 * (1 + m.poissons_ratio));
}

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
  const double cone = m.sand_yield == SandYield::CompressionCone ? std::sqrt(2. / 3) * 2 * s / (3 - s) : std::sqrt(2.) / 3 * s;
  p.surface = m.sand_yield;
  p.sine = static_cast<T>(s);
  p.shear = static_cast<T>(m.cohesion);
  p.cone = static_cast<T>(cone);
  p.cone_cohesion = static_cast<T>(cohesion);
  p.tip = static_cast<T>(cone > 0 ? cohesion / (cone * (3 * lambda + 2 * mu)) : (cohesion > 0 ? 1e30 : 0.));
  p.yield = static_cast<T>(m.yield_stress);
  p.hardening = static_cast<T>(m.hardening_modulus);
  return p;
}

/// Whether a state of this kind exists only for det F > 0.
DEM_HD bool needsPositive(MaterialKind kind)
{
  return kind != MaterialKind::Corotated && kind != MaterialKind::FixedCorotated;
}

namespace detail
{
template <class T>
DEM_HD Vec3<T> mapLog(const Vec3<T>& s)
{
  using std::log;
  return { log(s.x), log(s.y), log(s.z) };
}
template <class T>
DEM_HD Vec3<T> mapExp(const Vec3<T>& s)
{
  using std::exp;
  return { exp(s.x), exp(s.y), exp(s.z) };
}
template <class T>
DEM_HD T greatest(T a, T b)
{
  return a > b ? a : b;
}

/// Expanded sand: det F forgets what is beyond. Grains that fly apart have no volume that a later contact could know.
constexpr double kMostExpansion = 0.69314718055994531; // ln 2

/// Sand (Klar et al. 2016, Drucker-Prager elastoplasticity for sand animation, ACM TOG 35, 103, section 6 and its technical document, eq. 27-28),
/// with the surface moved along the pressure axis for cohesion. All surfaces are returned to along the deviator, at constant volume: the sand
/// does not dilate. Beyond the tip there is no stress but that of the tip, and the strain keeps its volume, so that what was torn open bears nothing
/// until it has closed again: the volume correction of Tampubolon et al. 2017 (ACM TOG 36, 105, section 4.3.4) without a number of its own.
/// Changes the Hencky strain and gives its elastic part; the plastic strain grows by sqrt(2/3) |change of the deviator|.
template <class T>
DEM_HD bool returnSand(const MaterialParameters<T>& m, Vec3<T>& strain, Vec3<T>& elastic, T& plastic)
{
  const T tr = strain.x + strain.y + strain.z, third = tr / 3;
  const Vec3<T> dev{ strain.x - third, strain.y - third, strain.z - third };
  const T n = length(dev);
  const T root = T(0.81649658092772603); // sqrt(2/3)
  elastic = strain;
  if (tr >= m.tip)
  {
    const T most = m.tip + T(kMostExpansion), kept = (tr < most ? tr : most) / 3, tip = m.tip / 3;
    plastic = plastic + root * n;
    strain = { kept, kept, kept };
    elastic = { tip, tip, tip };
    return n > 0 || tr > most;
  }
  const T bulk = 3 * m.lambda + 2 * m.mu; // trace of the stress over that of the strain
  if (!(n > 0))
    return false;
  T limit; // of 2 mu n
  if (m.surface == SandYield::MohrCoulomb)
  {
    // s1 - s3 = 2 c' - (s1 + s3) sin(phi) along the deviator's direction, c' the yield shear stress at zero pressure
    const T high = dev.x / n, low = dev.z / n;
    limit = 2 * (m.shear - bulk * third * m.sine) / ((high - low) + (high + low) * m.sine);
  }
  else
    limit = m.cone_cohesion - m.cone * bulk * tr;
  const T y = n - limit / (2 * m.mu);
  if (!(y > 0))
    return false;
  strain = strain - (y / n) * dev;
  elastic = strain;
  plastic = plastic + root * y;
  return true;
}

/// Von Mises with linear isotropic hardening: radial return in Hencky strain (Simo 1992, Comput. Methods Appl. Mech. Eng. 99, 61).
template <class T>
DEM_HD bool returnVonMises(const MaterialParameters<T>& m, Vec3<T>& strain, T& plastic)
{
  const T third = (strain.x + strain.y + strain.z) / 3;
  const Vec3<T> dev{ strain.x - third, strain.y - third, strain.z - third };
  const T n = length(dev);
  const T root = T(0.81649658092772603); // sqrt(2/3)
  const T beyond = 2 * m.mu * n - root * (m.yield + m.hardening * plastic);
  if (!(beyond > 0))
    return false;
  const T change = beyond / (2 * m.mu + T(2) / 3 * m.hardening);
  strain = strain - (change / n) * dev;
  plastic = plastic + root * change;
  return true;
}
} // namespace detail

/// What a point's deformation gives.
template <class T>
struct PointStress
{
  Symmetric3<T> tau; ///< Kirchhoff, Pa
  T stiffness;       ///< Pa: density at rest times the square of the speed of the fastest wave, as seen in space
  bool good;         ///< false: the point is inverted where its kind allows no inversion, or not finite
};

/// Stress of F; plastic kinds first return F to the yield surface. A fluid keeps J in F(0, 0) with ones behind it on the diagonal.
template <class T>
DEM_HD PointStress<T> respond(const MaterialParameters<T>& m, const Matrix3<T>& velocity_gradient, Matrix3<T>& f, T& plastic)
{
  using std::log;
  using std::pow;
  using std::sqrt;
  PointStress<T> out;
  out.good = true;
  if (m.kind == MaterialKind::Fluid)
  {
    const T j = f.c[0].x;
    out.good = j > 0 && j < T(1e30);
    if (!out.good)
      return out;
    // p = K / gamma (J^-gamma - 1) (Cole 1948; Tampubolon et al. 2017, eq. 7), tau = -J p + J 2 eta dev(sym L)
    const T power = pow(j, -m.gamma);
    const T pressure = m.bulk / m.gamma * (power - 1);
    const Matrix3<T>& l = velocity_gradient;
    const T eta = j * m.viscosity, mean = T(2) / 3 * trace(l), p = -j * pressure;
    out.tau = { p + eta * (2 * l.c[0].x - mean), p + eta * (2 * l.c[1].y - mean), p + eta * (2 * l.c[2].z - mean),
      eta * (l.c[0].y + l.c[1].x), eta * (l.c[1].z + l.c[2].y), eta * (l.c[0].z + l.c[2].x) };
    out.stiffness = m.bulk * power * j;
    return out;
  }
  if (m.kind == MaterialKind::NeoHookean)
  {
    // tau = mu (F F^T - 1) + lambda ln J (Bonet and Wood 2008, eq. 6.28-6.29)
    const T j = determinant(f);
    out.good = j > 0 && j < T(1e30);
    if (!out.good)
      return out;
    const T volume = m.lambda * log(j) - m.mu;
    const Vec3<T> x{ f.c[0].x, f.c[1].x, f.c[2].x }, y{ f.c[0].y, f.c[1].y, f.c[2].y }, z{ f.c[0].z, f.c[1].z, f.c[2].z };
    const T xx = dot(x, x), yy = dot(y, y), zz = dot(z, z);
    out.tau = { m.mu * xx + volume, m.mu * yy + volume, m.mu * zz + volume, m.mu * dot(x, y), m.mu * dot(y, z), m.mu * dot(x, z) };
    out.stiffness = m.mu * (xx + yy + zz) + 2 * m.mu + m.lambda - m.lambda * log(j);
    return out;
  }
  const Svd3<T> d = leftDecomposition(f);
  const Vec3<T>& s = d.s;
  Vec3<T> principal;
  if (m.kind == MaterialKind::Corotated)
  {
    const T volume = m.lambda * (s.x + s.y + s.z - 3);
    principal = { (2 * m.mu * (s.x - 1) + volume) * s.x, (2 * m.mu * (s.y - 1) + volume) * s.y, (2 * m.mu * (s.z - 1) + volume) * s.z };
    out.stiffness = (2 * m.mu + m.lambda) * s.x * s.x;
    out.good = s.x < T(1e15);
  }
  else if (m.kind == MaterialKind::FixedCorotated)
  {
    const T j = s.x * s.y * s.z, volume = m.lambda * (j - 1) * j;
    principal = { 2 * m.mu * (s.x - 1) * s.x + volume, 2 * m.mu * (s.y - 1) * s.y + volume, 2 * m.mu * (s.z - 1) * s.z + volume };
    out.stiffness = 2 * m.mu * s.x * s.x + m.lambda * j * j;
    out.good = s.x < T(1e10);
  }
  else
  {
    out.good = s.z > 0 && s.x < T(1e10);
    if (!out.good)
      return out;
    Vec3<T> strain = detail::mapLog(s), elastic;
    bool flows;
    if (m.kind == MaterialKind::DruckerPrager)
      flows = detail::returnSand(m, strain, elastic, plastic);
    else
    {
      flows = detail::returnVonMises(m, strain, plastic);
      elastic = strain;
    }
    if (flows)
    {
      // F = U S' V^T = U S' S^-1 U^T F
      const Vec3<T> e = detail::mapExp(strain);
      f = turned(d.u, Vec3<T>{ e.x / s.x, e.y / s.y, e.z / s.z }).full() * f;
    }
    const T volume = m.lambda * (elastic.x + elastic.y + elastic.z);
    principal = { 2 * m.mu * elastic.x + volume, 2 * m.mu * elastic.y + volume, 2 * m.mu * elastic.z + volume };
    const T low = -principal.z, high = principal.x;
    out.stiffness = m.lambda + 2 * m.mu + 2 * detail::greatest(T(0), detail::greatest(low, high));
  }
  out.tau = turned(d.u, principal);
  return out;
}

/// Energy per volume at rest. What is a difference of large numbers is computed in double.
template <class T>
DEM_HD double energyDensity(const MaterialParameters<T>& m, const Matrix3<T>& f)
{
  using std::log;
  using std::pow;
  if (m.kind == MaterialKind::Fluid)
  {
    const double j = f.c[0].x, bulk = m.bulk, gamma = m.gamma;
    if (gamma == 1)
      return bulk * (j - 1 - log(j));
    return bulk / gamma * (pow(j, 1 - gamma) / (gamma - 1) + j - gamma / (gamma - 1));
  }
  if (m.kind == MaterialKind::NeoHookean)
  {
    const Matrix3<double> g = f.template as<double>();
    const double l = log(determinant(g)), mu = m.mu, lambda = m.lambda;
    return mu / 2 * (inner(g, g) - 3) - mu * l + lambda / 2 * l * l;
  }
  const Vec3<T> s = leftDecomposition(f).s;
  Vec3<T> e{ s.x - 1, s.y - 1, s.z - 1 };
  T volume = e.x + e.y + e.z;
  if (m.kind == MaterialKind::FixedCorotated)
    volume = s.x * s.y * s.z - 1;
  else if (m.kind != MaterialKind::Corotated)
  {
    e = detail::mapLog(s);
    volume = e.x + e.y + e.z;
    if (m.kind == MaterialKind::DruckerPrager && volume > m.tip) // expanded sand bears the tip's stress
    {
      e = { m.tip / 3, m.tip / 3, m.tip / 3 };
      volume = m.tip;
    }
  }
  return m.mu * dot(e, e) + m.lambda / 2 * volume * volume;
}

/// First Piola-Kirchhoff stress and its differential, of the elastic kinds and of a fluid without viscosity; from F and, for the corotated
/// kinds, its rotation R (else unused).
template <class T>
DEM_HD Matrix3<T> piola(const MaterialParameters<T>& m, const Matrix3<T>& f, const Matrix3<T>& r)
{
  using std::log;
  using std::pow;
  switch (m.kind)
  {
    case MaterialKind::Corotated:
      return (2 * m.mu) * (f - r) + (m.lambda * (inner(r, f) - 3)) * r;
    case MaterialKind::NeoHookean:
    {
      const T j = determinant(f);
      return m.mu * f + ((m.lambda * log(j) - m.mu) / j) * cofactor(f);
    }
    case MaterialKind::Fluid:
      return (-m.bulk / m.gamma * (pow(determinant(f), -m.gamma) - 1)) * cofactor(f);
    default:
      return (2 * m.mu) * (f - r) + (m.lambda * (determinant(f) - 1)) * cofactor(f);
  }
}

namespace detail
{
/// How the rotation of F = R S changes with F: R^T dR is the cross product by w, (tr(S) 1 - S) w = axis(R^T dF - dF^T R) (McAdams et al. 2011,
/// Efficient elasticity for character skinning, section 4). Where F is so far inverted that this has no answer the rotation is held.
template <class T>
DEM_HD Matrix3<T> rotationChange(const Matrix3<T>& f, const Matrix3<T>& r, const Matrix3<T>& df)
{
  using std::fabs;
  const Matrix3<T> s = transposedTimes(r, f), a = transposedTimes(r, df);
  const T t = trace(s);
  const T xy = (s.c[0].y + s.c[1].x) / 2, yz = (s.c[1].z + s.c[2].y) / 2, xz = (s.c[0].z + s.c[2].x) / 2;
  const Matrix3<T> g{ { { t - s.c[0].x, -xy, -xz }, { -xy, t - s.c[1].y, -yz }, { -xz, -yz, t - s.c[2].z } } };
  const Vec3<T> axis{ a.c[1].z - a.c[2].y, a.c[2].x - a.c[0].z, a.c[0].y - a.c[1].x };
  const Matrix3<T> cof = cofactor(g); // symmetric as g is
  const T det = dot(g.c[0], cof.c[0]);
  if (!(det > T(1e-9) * (1 + fabs(t * t * t))))
    return {};
  const Vec3<T> w = (1 / det) * (cof * axis);
  return { { cross(w, Vec3<T>{ 1, 0, 0 }), cross(w, Vec3<T>{ 0, 1, 0 }), cross(w, Vec3<T>{ 0, 0, 1 }) } };
}
template <class T>
DEM_HD Matrix3<T> cofactorChange(const Matrix3<T>& f, const Matrix3<T>& d)
{
  return { { cross(d.c[1], f.c[2]) + cross(f.c[1], d.c[2]), cross(d.c[2], f.c[0]) + cross(f.c[2], d.c[0]),
    cross(d.c[0], f.c[1]) + cross(f.c[0], d.c[1]) } };
}
} // namespace detail

template <class T>
DEM_HD Matrix3<T> piolaChange(const MaterialParameters<T>& m, const Matrix3<T>& f, const Matrix3<T>& r, const Matrix3<T>& df)
{
  using std::log;
  using std::pow;
  switch (m.kind)
  {
    case MaterialKind::Corotated:
    {
      const Matrix3<T> dr = r * detail::rotationChange(f, r, df);
      return (2 * m.mu) * (df - dr) + (m.lambda * inner(r, df)) * r + (m.lambda * (inner(r, f) - 3)) * dr;
    }
    case MaterialKind::NeoHookean:
    {
      const Matrix3<T> cof = cofactor(f);
      const T j = determinant(f), l = log(j), dj = inner(cof, df), a = (m.lambda * l - m.mu) / j;
      return m.mu * df + ((m.lambda / j - a) * dj / j) * cof + a * detail::cofactorChange(f, df);
    }
    case MaterialKind::Fluid:
    {
      const Matrix3<T> cof = cofactor(f);
      const T j = determinant(f), power = pow(j, -m.gamma), dj = inner(cof, df);
      return (m.bulk * power / j * dj) * cof + (-m.bulk / m.gamma * (power - 1)) * detail::cofactorChange(f, df);
    }
    default:
    {
      const Matrix3<T> cof = cofactor(f), dr = r * detail::rotationChange(f, r, df);
      return (2 * m.mu) * (df - dr) + (m.lambda * inner(cof, df)) * cof + (m.lambda * (determinant(f) - 1)) * detail::cofactorChange(f, df);
    }
  }
}

} // namespace mpm
