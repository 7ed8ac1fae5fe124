// Return mapping of the plastic kinds: sand (Drucker-Prager, Mohr-Coulomb) and von Mises, in
// principal Hencky strains. Parts of respond() (Constitutive.cuh).
#pragma once

#include "MaterialPoint/MaterialParameters.cuh"

namespace mpm
{
namespace detail
{
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
} // namespace mpm
