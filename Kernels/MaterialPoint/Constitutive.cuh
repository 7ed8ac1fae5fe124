// Constitutive models on host and device: Kirchhoff stress, return mapping and energy. For elastic
// kinds also the derivatives of the energy by the singular values, from which the first
// Piola-Kirchhoff stress and its differential follow. Stresses are in Pa, energies are per volume
// at rest. F is the elastic part of the deformation gradient.
//
// Isotropic stresses need only the left vectors and the singular values of F = U diag(s) V^T: tau =
// P F^T = U diag(s_i dpsi/ds_i) U^T.
#pragma once

#include "MaterialPoint/MpmScene.h"
#include "MaterialPoint/SmallMatrix.cuh"

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

/// The rotation next to F by Newton's iteration R <- (R + R^-T) / 2 (Higham 1986, SIAM J. Sci.
/// Stat. Comput. 7, 1160). It takes three or four rounds for moderate strains. Returns false if it
/// does not converge.
template <class T>
DEM_HD bool nearRotation(const Matrix3<T>& f, T j, Matrix3<T>& r)
{
  constexpr T kEnough =
    sizeof(T) == 4 ? T(1e-7) : T(1e-15); // the next round would change r by half of this
  if (!(j > T(0.1) && j < T(10)))
    return false;
  r = f;
  for (int round = 0; round < 6; ++round)
  {
    const Matrix3<T> c = cofactor(r);
    const T half = T(0.5) / dot(r.c[0], c.c[0]);
    T change = 0;
    for (int k = 0; k < 3; ++k)
    {
      const Vec3<T> next = multiplyAdd(half, c.c[k], T(0.5) * r.c[k]), d = next - r.c[k];
      change = change + dot(d, d);
      r.c[k] = next;
    }
    if (change < kEnough)
      return true;
  }
  return false;
}

/// An upper bound of the greatest eigenvalue, at most 0.08 of the deviator's norm above it: m + 2 p
/// x with 4 x^3 - 3 x = det(dev) / (2 p^3), by Newton's method from x = 1, which approaches the
/// root from above.
template <class T>
DEM_HD T greatestEigenvalue(const Symmetric3<T>& b)
{
  using std::sqrt;
  const T m = (b.xx + b.yy + b.zz) / 3, x = b.xx - m, y = b.yy - m, z = b.zz - m;
  const T p = sqrt((x * x + y * y + z * z + 2 * (b.xy * b.xy + b.yz * b.yz + b.xz * b.xz)) / 6);
  if (!(p > T(1e-6) * m))
    return m + 2 * p;
  const T q = 1 / p, u = q * x, v = q * y, w = q * z, xy = q * b.xy, yz = q * b.yz, xz = q * b.xz;
  const T r = (u * (v * w - yz * yz) - xy * (xy * w - yz * xz) + xz * (xy * yz - v * xz)) / 2;
  T c = 1;
  for (int k = 0; k < 4; ++k)
  {
    const T c2 = c * c, slope = 12 * c2 - 3;
    c = c - (slope > T(1e-3) ? (c * (4 * c2 - 3) - r) / slope : T(0));
  }
  return m + 2 * p * (c < 1 ? c : T(1));
}

/// Expanded sand: ln det F is limited to this. Grains that fly apart have no volume that a later
/// contact could depend on.
constexpr double kMostExpansion = 0.69314718055994531; // ln 2

/// By how much the deviator of sand is reduced if its friction grows with the rate: y that solves 2
/// mu (n - y) = 2 (c + q S) / (a + b S) with the sine S = sine + gain y / (slow + y), where y =
/// slow at the inertial number I_0. A quadratic equation with one root above 0 if the sand yields.
template <class T>
DEM_HD T returnAtRate(const MaterialParameters<T>& m, T n, T slow, T c, T q, T a, T b)
{
  using std::sqrt;
  const T fast = m.sine + m.gain;
  const T low = slow * (a + b * m.sine), high = a + b * fast; // a + b S and c + q S, times slow + y
  const T r = slow * (c + q * m.sine), t = c + q * fast;
  const T square = m.mu * high, line = t - m.mu * (n * high - low),
          rest = m.mu * n * low - r; // square y^2 + line y - rest = 0
  const T root = sqrt(line * line + 4 * square * rest);
  return line > 0 ? 2 * rest / (line + root) : (root - line) / (2 * square);
}

/// The yield condition of sand with |dev| = n: mu n (a + b S) = c + q S, where S is the sine of its
/// friction angle.
template <class T>
struct SandLimit
{
  T c, q, a, b;

  DEM_HD SandLimit(const MaterialParameters<T>& m, const Vec3<T>& dev, T n, T pressure)
  {
    c = m.shear;
    q = pressure;
    a = T(1.4142135623730951); // sqrt(2)
    b = 0;
    if (m.surface == SandYield::MohrCoulomb)
    {
      a = (dev.x - dev.z) / n;
      b = (dev.x + dev.z) / n;
    }
    else if (m.surface == SandYield::CompressionCone)
    {
      c = T(2.1213203435596424) * m.shear; // 3 / sqrt(2)
      q = T(2.4494897427831779) * pressure - c / 3;
      a = 3;
      b = -1;
    }
  }
};

/// Growth of the plastic strain in a step of dt that ended with this elastic strain, from the
/// friction that the sand bears. 0 if the friction does not depend on the rate, or is not reached.
template <class T>
DEM_HD T flowOfSand(const MaterialParameters<T>& m, T dt, const Vec3<T>& strain)
{
  using std::sqrt;
  const T third = (strain.x + strain.y + strain.z) / 3,
          pressure = -(3 * m.lambda + 2 * m.mu) * third;
  const Vec3<T> dev{ strain.x - third, strain.y - third, strain.z - third };
  const T n = length(dev);
  if (!(m.rate > 0 && dt > 0 && pressure > 0 && n > 0))
    return 0;
  const SandLimit<T> l(m, dev, n, pressure);
  const T more = (m.mu * n * l.a - l.c) / (l.q - m.mu * n * l.b) - m.sine;
  if (!(more > 0))
    return 0;
  const T left = m.gain - more,
          least = T(1e-3) * m.gain; // the friction of infinite rates is never reached
  return T(0.81649658092772603) * m.rate * dt * sqrt(pressure) * more /
    (left > least ? left : least);
}

/// Sand (Klar et al. 2016, Drucker-Prager elastoplasticity for sand animation, ACM TOG 35, 103,
/// section 6 and its technical document, eq. 27-28), with the surface moved along the pressure axis
/// for cohesion. The strain returns to the surface along the deviator, at constant volume: the sand
/// does not dilate. Beyond the tip the stress is that of the tip, and the strain keeps its volume,
/// so that sand that was torn open bears nothing until it has closed again. This is the volume
/// correction of Tampubolon et al. 2017 (ACM TOG 36, 105, section 4.3.4) without a separate
/// variable. Changes the Hencky strain and sets its elastic part; the plastic strain grows by
/// sqrt(2/3) |change of the deviator|. `flowed`: growth of the plastic strain in this step so far
/// (flowOfSand), which is undone and returned once more. Returns whether the sand flowed.
template <class T>
DEM_HD bool returnSand(
  const MaterialParameters<T>& m, T dt, Vec3<T>& strain, Vec3<T>& elastic, T& plastic, T flowed = 0)
{
  using std::sqrt;
  const T tr = strain.x + strain.y + strain.z, third = tr / 3;
  Vec3<T> dev{ strain.x - third, strain.y - third, strain.z - third };
  T n = length(dev);
  const T root = T(0.81649658092772603); // sqrt(2/3)
  if (flowed > 0 && n > 0)
  {
    const T more = flowed / (root * n);
    strain = strain + more * dev;
    dev = (1 + more) * dev;
    n = (1 + more) * n;
    plastic = plastic - flowed;
  }
  elastic = strain;
  if (tr >= m.tip)
  {
    const T most = m.tip + T(kMostExpansion), kept = (tr < most ? tr : most) / 3, tip = m.tip / 3;
    plastic = plastic + root * n;
    strain = { kept, kept, kept };
    elastic = { tip, tip, tip };
    return n > 0 || tr > most;
  }
  const T bulk = 3 * m.lambda + 2 * m.mu; // ratio of the trace of the stress to that of the strain
  if (!(n > 0))
    return false;
  T limit; // of 2 mu n: where the sand yields
  if (m.surface == SandYield::MohrCoulomb)
  {
    // s1 - s3 = 2 c' - (s1 + s3) sin(phi) along the deviator's direction, c' the yield shear stress
    // at zero pressure
    const T high = dev.x / n, low = dev.z / n;
    limit = 2 * (m.shear - bulk * third * m.sine) / ((high - low) + (high + low) * m.sine);
  }
  else
    limit = m.cone_cohesion - m.cone * bulk * tr;
  T y = n - limit / (2 * m.mu);
  if (!(y > 0))
    return false;
  const T pressure = -bulk * third;
  if (m.rate > 0 && dt > 0 && pressure > 0)
  {
    const SandLimit<T> l(m, dev, n, pressure);
    y = returnAtRate(m, n, m.rate * dt * sqrt(pressure), l.c, l.q, l.a, l.b);
    if (!(y > 0))
      return false;
  }
  strain = strain - (y / n) * dev;
  elastic = strain;
  plastic = plastic + root * y;
  return true;
}

/// Von Mises with linear isotropic hardening: radial return in Hencky strain (Simo 1992, Comput.
/// Methods Appl. Mech. Eng. 99, 61). Returns whether the material flowed.
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

/// The response of a point to its deformation.
template <class T>
struct PointStress
{
  Symmetric3<T> tau; ///< Kirchhoff, Pa
  T stiffness;       ///< Pa: density at rest times the squared speed of the fastest wave in space
  bool good; ///< false: the point is not finite, or inverted while its kind allows no inversion
};

namespace detail
{
// The kinds of material, one function each. They are parts of respond().

/// p = K / gamma (J^-gamma - 1) (Cole 1948; Tampubolon et al. 2017, eq. 7), tau = -J p + J 2 eta
/// dev(sym L).
template <class T>
DEM_HD void respondFluid(const MaterialParameters<T>& m, const Matrix3<T>& velocity_gradient,
  const Matrix3<T>& f, PointStress<T>& out)
{
  using std::pow;
  const T j = f.c[0].x;
  out.good = j > 0 && j < T(1e30);
  if (!out.good)
    return;
  const T power = pow(j, -m.gamma);
  const T pressure = m.bulk / m.gamma * (power - 1);
  const Matrix3<T>& l = velocity_gradient;
  const T eta = j * m.viscosity, mean = T(2) / 3 * trace(l), p = -j * pressure;
  out.tau = { p + eta * (2 * l.c[0].x - mean), p + eta * (2 * l.c[1].y - mean),
    p + eta * (2 * l.c[2].z - mean), eta * (l.c[0].y + l.c[1].x), eta * (l.c[1].z + l.c[2].y),
    eta * (l.c[0].z + l.c[2].x) };
  out.stiffness = m.bulk * power * j;
}

/// tau = mu (F F^T - 1) + lambda ln J (Bonet and Wood 2008, eq. 6.28-6.29).
template <class T>
DEM_HD void respondNeoHookean(
  const MaterialParameters<T>& m, const Matrix3<T>& f, PointStress<T>& out)
{
  using std::log;
  const T j = determinant(f);
  out.good = j > 0 && j < T(1e30);
  if (!out.good)
    return;
  const T volume = m.lambda * log(j) - m.mu;
  const Vec3<T> x{ f.c[0].x, f.c[1].x, f.c[2].x }, y{ f.c[0].y, f.c[1].y, f.c[2].y },
    z{ f.c[0].z, f.c[1].z, f.c[2].z };
  const T xx = dot(x, x), yy = dot(y, y), zz = dot(z, z);
  out.tau = { m.mu * xx + volume, m.mu * yy + volume, m.mu * zz + volume, m.mu * dot(x, y),
    m.mu * dot(y, z), m.mu * dot(x, z) };
  out.stiffness = m.mu * (xx + yy + zz) + 2 * m.mu + m.lambda - m.lambda * log(j);
}

/// The corotated kinds by the rotation r next to F, without singular values: tau = 2 mu (F - R) F^T
/// + ...
template <class T>
DEM_HD void respondRotated(const MaterialParameters<T>& m, const Matrix3<T>& f, T j,
  const Matrix3<T>& r, PointStress<T>& out)
{
  const Matrix3<T> ft = transpose(f), rt = transpose(r);
  Vec3<T> d[3];
  for (int k = 0; k < 3; ++k)
    d[k] = (2 * m.mu) * (ft.c[k] - rt.c[k]);
  out.tau = { dot(d[0], ft.c[0]), dot(d[1], ft.c[1]), dot(d[2], ft.c[2]), dot(d[0], ft.c[1]),
    dot(d[1], ft.c[2]), dot(d[0], ft.c[2]) };
  const T s2 =
    detail::greatestEigenvalue(Symmetric3<T>{ dot(ft.c[0], ft.c[0]), dot(ft.c[1], ft.c[1]),
      dot(ft.c[2], ft.c[2]), dot(ft.c[0], ft.c[1]), dot(ft.c[1], ft.c[2]), dot(ft.c[0], ft.c[2]) });
  if (m.kind == MaterialKind::FixedCorotated)
  {
    const T volume = m.lambda * (j - 1) * j;
    out.tau.xx = out.tau.xx + volume;
    out.tau.yy = out.tau.yy + volume;
    out.tau.zz = out.tau.zz + volume;
    out.stiffness = 2 * m.mu * s2 + m.lambda * j * j;
  }
  else
  {
    const T volume = m.lambda * (inner(r, f) - 3);
    out.tau = { multiplyAdd(volume, dot(rt.c[0], ft.c[0]), out.tau.xx),
      multiplyAdd(volume, dot(rt.c[1], ft.c[1]), out.tau.yy),
      multiplyAdd(volume, dot(rt.c[2], ft.c[2]), out.tau.zz),
      multiplyAdd(volume, dot(rt.c[0], ft.c[1]), out.tau.xy),
      multiplyAdd(volume, dot(rt.c[1], ft.c[2]), out.tau.yz),
      multiplyAdd(volume, dot(rt.c[0], ft.c[2]), out.tau.xz) };
    out.stiffness = (2 * m.mu + m.lambda) * s2;
  }
}

/// Corotated, by the singular values s of F: the principal stresses.
template <class T>
DEM_HD void respondCorotated(
  const MaterialParameters<T>& m, const Vec3<T>& s, Vec3<T>& principal, PointStress<T>& out)
{
  const T volume = m.lambda * (s.x + s.y + s.z - 3);
  principal = { (2 * m.mu * (s.x - 1) + volume) * s.x, (2 * m.mu * (s.y - 1) + volume) * s.y,
    (2 * m.mu * (s.z - 1) + volume) * s.z };
  out.stiffness = (2 * m.mu + m.lambda) * s.x * s.x;
  out.good = s.x < T(1e15);
}

/// Fixed corotated, by the singular values s of F: the principal stresses.
template <class T>
DEM_HD void respondFixedCorotated(
  const MaterialParameters<T>& m, const Vec3<T>& s, Vec3<T>& principal, PointStress<T>& out)
{
  const T j = s.x * s.y * s.z, volume = m.lambda * (j - 1) * j;
  principal = { 2 * m.mu * (s.x - 1) * s.x + volume, 2 * m.mu * (s.y - 1) * s.y + volume,
    2 * m.mu * (s.z - 1) * s.z + volume };
  out.stiffness = 2 * m.mu * s.x * s.x + m.lambda * j * j;
  out.good = s.x < T(1e10);
}

/// The plastic kinds by F = U diag(s) V^T, which is returned to the yield surface: the principal
/// stresses. False if the point is inverted or not finite.
template <class T>
DEM_HD bool respondPlastic(const MaterialParameters<T>& m, const Svd3<T>& d, Matrix3<T>& f,
  T& plastic, T dt, T flowed, Vec3<T>& principal, PointStress<T>& out)
{
  const Vec3<T>& s = d.s;
  out.good = s.z > 0 && s.x < T(1e10);
  if (!out.good)
    return false;
  Vec3<T> strain = mapLog(s), elastic;
  bool flows;
  if (m.kind == MaterialKind::DruckerPrager)
    flows = returnSand(m, dt, strain, elastic, plastic, flowed);
  else
  {
    flows = returnVonMises(m, strain, plastic);
    elastic = strain;
  }
  if (flows)
  {
    // F = U S' V^T = U S' S^-1 U^T F
    const Vec3<T> e = mapExp(strain);
    f = turned(d.u, Vec3<T>{ e.x / s.x, e.y / s.y, e.z / s.z }).full() * f;
  }
  const T volume = m.lambda * (elastic.x + elastic.y + elastic.z);
  principal = { 2 * m.mu * elastic.x + volume, 2 * m.mu * elastic.y + volume,
    2 * m.mu * elastic.z + volume };
  const T low = -principal.z, high = principal.x;
  out.stiffness = m.lambda + 2 * m.mu + 2 * greatest(T(0), greatest(low, high));
  return true;
}
} // namespace detail

/// Kirchhoff stress of F. Plastic kinds first return F to the yield surface, after a step of dt (0:
/// at rest; `flowed` as in returnSand), and add to the plastic strain. A fluid keeps J in F(0, 0)
/// and ones in the rest of the diagonal.
template <class T>
DEM_HD PointStress<T> respond(const MaterialParameters<T>& m, const Matrix3<T>& velocity_gradient,
  Matrix3<T>& f, T& plastic, T dt = 0, T flowed = 0)
{
  PointStress<T> out;
  out.good = true;
  if (m.kind == MaterialKind::Fluid)
  {
    detail::respondFluid(m, velocity_gradient, f, out);
    return out;
  }
  if (m.kind == MaterialKind::NeoHookean)
  {
    detail::respondNeoHookean(m, f, out);
    return out;
  }
  if (m.kind == MaterialKind::Corotated || m.kind == MaterialKind::FixedCorotated)
  {
    const T j = determinant(f);
    Matrix3<T> r;
    if (detail::nearRotation(f, j, r))
    {
      detail::respondRotated(m, f, j, r, out);
      return out;
    }
  }
  const Svd3<T> d = leftDecomposition(f);
  Vec3<T> principal;
  if (m.kind == MaterialKind::Corotated)
    detail::respondCorotated(m, d.s, principal, out);
  else if (m.kind == MaterialKind::FixedCorotated)
    detail::respondFixedCorotated(m, d.s, principal, out);
  else if (!detail::respondPlastic(m, d, f, plastic, dt, flowed, principal, out))
    return out;
  out.tau = turned(d.u, principal);
  return out;
}

/// Energy per volume at rest of the kinds that depend on singular values only.
template <class T>
DEM_HD double stretchEnergy(const MaterialParameters<T>& m, const Vec3<T>& s)
{
  Vec3<T> e{ s.x - 1, s.y - 1, s.z - 1 };
  T volume = e.x + e.y + e.z;
  if (m.kind == MaterialKind::FixedCorotated)
    volume = s.x * s.y * s.z - 1;
  else if (m.kind != MaterialKind::Corotated)
  {
    e = detail::mapLog(s);
    volume = e.x + e.y + e.z;
    if (m.kind == MaterialKind::DruckerPrager &&
      volume > m.tip) // expanded sand has the stress of the tip
    {
      e = { m.tip / 3, m.tip / 3, m.tip / 3 };
      volume = m.tip;
    }
  }
  return m.mu * dot(e, e) + m.lambda / 2 * volume * volume;
}

/// Energy per volume at rest. Differences of large numbers are computed in double precision.
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
  return stretchEnergy(m, leftDecomposition(f).s);
}

/// The first derivatives of psi by the singular values s of F = U diag(s) V^T, and its second
/// derivatives in those axes: for a change E = U^T dF V the stress changes by U X V^T, X_ii = sum_j
/// normal_ij E_jj, X_ij = same E_ij + other E_ji (Stomakhin et al. 2012, Energetically consistent
/// invertible elasticity, section 4 and its technical document). The quotients that are 0 / 0 at
/// equal s do not occur.
template <class T>
struct PrincipalTangent
{
  Vec3<T> first;
  Symmetric3<T> normal;
  Vec3<T> same, other; // of the pairs xy, yz, xz
};

template <class T>
DEM_HD PrincipalTangent<T> principalTangent(const MaterialParameters<T>& m, const Vec3<T>& s)
{
  using std::log;
  using std::pow;
  PrincipalTangent<T> t;
  // factors of a symmetric E_ij = E_ji (stretch) and of an antisymmetric one (turn)
  Vec3<T> stretch, turn;
  // q / (s_i + s_j): 0, a fixed rotation, if F is inverted so far that the rotation has no
  // derivative
  const T least = T(1e-4) * (1 + s.x);
  const auto over = [least](T q, T a, T b) { return a + b > least ? q * (1 / (a + b)) : T(0); };
  const T sxy = s.x * s.y, syz = s.y * s.z, sxz = s.x * s.z, j = sxy * s.z;
  switch (m.kind)
  {
    case MaterialKind::Corotated:
    {
      const T volume = m.lambda * (s.x + s.y + s.z - 3);
      t.first = { 2 * m.mu * (s.x - 1) + volume, 2 * m.mu * (s.y - 1) + volume,
        2 * m.mu * (s.z - 1) + volume };
      const T n = 2 * m.mu + m.lambda;
      t.normal = { n, n, n, m.lambda, m.lambda, m.lambda };
      // stretch 2 mu, turn 2 mu - 2 (2 mu - volume) / (s_i + s_j)
      const T q = 2 * m.mu - volume;
      t.other = { over(q, s.x, s.y), over(q, s.y, s.z), over(q, s.x, s.z) };
      t.same = { 2 * m.mu - t.other.x, 2 * m.mu - t.other.y, 2 * m.mu - t.other.z };
      return t;
    }
    case MaterialKind::NeoHookean:
    {
      const T l = m.lambda * log(j), a = m.mu - l;
      const Vec3<T> q{ 1 / s.x, 1 / s.y, 1 / s.z };
      t.first = { m.mu * s.x - a * q.x, m.mu * s.y - a * q.y, m.mu * s.z - a * q.z };
      const T n = a + m.lambda;
      t.normal = { m.mu + n * q.x * q.x, m.mu + n * q.y * q.y, m.mu + n * q.z * q.z,
        m.lambda * q.x * q.y, m.lambda * q.y * q.z, m.lambda * q.x * q.z };
      const Vec3<T> pair{ a * q.x * q.y, a * q.y * q.z, a * q.x * q.z };
      stretch = { m.mu + pair.x, m.mu + pair.y, m.mu + pair.z };
      turn = { m.mu - pair.x, m.mu - pair.y, m.mu - pair.z };
      break;
    }
    case MaterialKind::Fluid:
    {
      const T power = pow(j, -m.gamma), p = -m.bulk / m.gamma * (power - 1), n = m.bulk * power / j;
      t.first = { p * syz, p * sxz, p * sxy };
      t.normal = { n * syz * syz, n * sxz * sxz, n * sxy * sxy, (n * j + p) * s.z,
        (n * j + p) * s.x, (n * j + p) * s.y };
      stretch = { -p * s.z, -p * s.x, -p * s.y };
      turn = -stretch;
      break;
    }
    default:
    {
      const T volume = m.lambda * (j - 1), n = 2 * m.mu;
      t.first = { n * (s.x - 1) + volume * syz, n * (s.y - 1) + volume * sxz,
        n * (s.z - 1) + volume * sxy };
      const T mixed = m.lambda * (2 * j - 1);
      t.normal = { n + m.lambda * syz * syz, n + m.lambda * sxz * sxz, n + m.lambda * sxy * sxy,
        mixed * s.z, mixed * s.x, mixed * s.y };
      // stretch n - volume s_k, turn n - 2 n / (s_i + s_j) + volume s_k
      const Vec3<T> r{ over(n, s.x, s.y), over(n, s.y, s.z), over(n, s.x, s.z) };
      t.same = { n - r.x, n - r.y, n - r.z };
      t.other = { r.x - volume * s.z, r.y - volume * s.x, r.z - volume * s.y };
      return t;
    }
  }
  t.same = T(0.5) * (stretch + turn);
  t.other = T(0.5) * (stretch - turn);
  return t;
}

/// X for a change E, both in the axes of the singular values.
template <class T>
DEM_HD Matrix3<T> change(const PrincipalTangent<T>& t, const Matrix3<T>& e)
{
  const Symmetric3<T>& n = t.normal;
  Matrix3<T> x;
  x.c[0].x = multiplyAdd(n.xz, e.c[2].z, multiplyAdd(n.xy, e.c[1].y, n.xx * e.c[0].x));
  x.c[1].y = multiplyAdd(n.yz, e.c[2].z, multiplyAdd(n.yy, e.c[1].y, n.xy * e.c[0].x));
  x.c[2].z = multiplyAdd(n.zz, e.c[2].z, multiplyAdd(n.yz, e.c[1].y, n.xz * e.c[0].x));
  x.c[1].x = multiplyAdd(t.other.x, e.c[0].y, t.same.x * e.c[1].x);
  x.c[0].y = multiplyAdd(t.other.x, e.c[1].x, t.same.x * e.c[0].y);
  x.c[2].y = multiplyAdd(t.other.y, e.c[1].z, t.same.y * e.c[2].y);
  x.c[1].z = multiplyAdd(t.other.y, e.c[2].y, t.same.y * e.c[1].z);
  x.c[2].x = multiplyAdd(t.other.z, e.c[0].z, t.same.z * e.c[2].x);
  x.c[0].z = multiplyAdd(t.other.z, e.c[2].x, t.same.z * e.c[0].z);
  return x;
}

} // namespace mpm
