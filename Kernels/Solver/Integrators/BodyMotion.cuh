// The rotation of rigid bodies. Used by Bodies/. The free rotation is split into rotations with a
// closed form: Touma and Wisdom, Astron. J. 107 (1994) 1189; Hairer, Lubich, Wanner, Geometric
// Numerical Integration (2006), VII.5.3. The method is symmetric, of second order, and conserves
// the angular momentum to rounding. The energy does not drift; it oscillates by the error of a
// second-order step.
#pragma once

#include "Solver/Integrators/Kinematics.cuh"

namespace dem
{

/// Transforms a vector from space to the frame of a body.
DEM_HD Vec3d toBody(const Quaternion<double>& orientation, const Vec3d& v)
{
  return rotate(conjugate(orientation), v);
}

/// For half of an angle of any size, rad: the cosine, and the sine divided by the whole angle.
struct HalfAngle
{
  double cosine, sine;

  /// Computes both from the square of the whole angle: by a series for a small fraction of it, then
  /// by repeated doubling.
  DEM_HD static HalfAngle of(double angle2)
  {
    constexpr double kSmall = 1e-3;
    constexpr int kMost = 40; // ends the loop for infinite angles, which are reported elsewhere
    double h2 = 0.25 * angle2, part = 1;
    int halved = 0;
    for (; h2 > kSmall && halved < kMost; ++halved)
    {
      h2 *= 0.25;
      part *= 0.5;
    }
    // series of cos(h) and sin(h) / h: the first omitted terms are below 1e-16
    double c = 1 - h2 * (0.5 - h2 * (1. / 24 - h2 * (1. / 720 - h2 * (1. / 40320))));
    double s = 0.5 * part * (1 - h2 * (1. / 6 - h2 * (1. / 120 - h2 * (1. / 5040))));
    for (; halved > 0; --halved)
    {
      const double twice = 2 * c;
      c = 1 - 2 * s * s * angle2;
      s = twice * s;
    }
    return { c, s };
  }
};

/// The rotation about the vector `angle` by its length, rad, of any size.
DEM_HD Quaternion<double> rotationBy(const Vec3d& angle)
{
  const HalfAngle half = HalfAngle::of(dot(angle, angle));
  return { half.cosine, half.sine * angle.x, half.sine * angle.y, half.sine * angle.z };
}

/// Angular velocity (rad/s) of a body with angular momentum `momentum` (kg m^2/s), both in space.
/// `inertia`: principal moments, kg m^2; `orientation`: that of their axes.
DEM_HD Vec3d spinOf(
  const Quaternion<double>& orientation, const Vec3d& momentum, const Vec3d& inertia)
{
  const Vec3d l = toBody(orientation, momentum);
  return rotate(orientation, { l.x / inertia.x, l.y / inertia.y, l.z / inertia.z });
}

/// Rotates a body by `angle` (rad) about one of its own axes, and transforms a vector of space to
/// the new frame of the body. `w`, `along`, `next`, `last`: components of the quaternion: its
/// scalar, along the axis, and along the two axes that follow it cyclically. `seen_next`,
/// `seen_last`: components of the vector along the latter two; the one along the axis does not
/// change.
DEM_HD void turnAbout(double angle, double& w, double& along, double& next, double& last,
  double& seen_next, double& seen_last)
{
  if (angle == 0)
    return;
  const HalfAngle half = HalfAngle::of(angle * angle);
  const double c = half.cosine, s = half.sine * angle;
  const double w0 = w, next0 = next, seen0 = seen_next;
  w = multiplyAdd(c, w0, -(s * along));
  along = multiplyAdd(c, along, s * w0);
  next = multiplyAdd(c, next0, s * last);
  last = multiplyAdd(c, last, -(s * next0));
  const double cosine = multiplyAdd(c, c, -(s * s)), sine = 2 * s * c;
  seen_next = multiplyAdd(cosine, seen0, sine * seen_last);
  seen_last = multiplyAdd(cosine, seen_last, -(sine * seen0));
}

/// Largest angle (rad) by which turnFreely() rotates, per unit of angular momentum and time. It is
/// the sum of the rotation with the middle moment and of those by the differences from it.
DEM_HD double mostTurn(const Vec3d& inertia)
{
  const Vec3d per{ 1 / inertia.x, 1 / inertia.y, 1 / inertia.z };
  const double low = per.x < per.y ? per.x : per.y, high = per.x < per.y ? per.y : per.x;
  const double least = per.z < low ? per.z : low, most = per.z > high ? per.z : high;
  const double middle = per.z < low ? low : (per.z > high ? high : per.z);
  return middle + (most - least);
}

/// Rotates a body for `time` (s), with constant angular momentum L in space. The Hamiltonian is
/// split as H = L^2 / 2B + sum of (1/I_k - 1/B) L_k^2 / 2, where B is the middle principal moment.
/// The first term rotates the body about L and commutes with the others. These rotate it about its
/// own axes, and one of them is zero. If two moments are equal, two are zero and the rotation is
/// exact.
DEM_HD void turnFreely(
  Quaternion<double>& orientation, const Vec3d& momentum, const Vec3d& inertia, double time)
{
  const Vec3d per{ 1 / inertia.x, 1 / inertia.y, 1 / inertia.z };
  const double low = per.x < per.y ? per.x : per.y, high = per.x < per.y ? per.y : per.x;
  const double middle = per.z < low ? low : (per.z > high ? high : per.z);
  const auto rate = [&](double one) { // moments that differ only by rounding count as equal
    const double difference = one - middle;
    return std::fabs(difference) > 1e-13 * middle ? difference : 0.;
  };
  const double half = 0.5 * time, x = rate(per.x) * half, y = rate(per.y) * half,
               z = rate(per.z) * time;
  if (x != 0 || y != 0 || z != 0)
  {
    Vec3d l = toBody(orientation, momentum);
    Quaternion<double>& q = orientation;
    turnAbout(x * l.x, q.w, q.x, q.y, q.z, l.y, l.z);
    turnAbout(y * l.y, q.w, q.y, q.z, q.x, l.z, l.x);
    turnAbout(z * l.z, q.w, q.z, q.x, q.y, l.x, l.y);
    turnAbout(y * l.y, q.w, q.y, q.z, q.x, l.z, l.x);
    turnAbout(x * l.x, q.w, q.x, q.y, q.z, l.y, l.z);
  }
  const Quaternion<double> q = rotationBy((time * middle) * momentum) * orientation;
  // one Newton step back to unit length
  const double s = 1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  orientation = { s * q.w, s * q.x, s * q.y, s * q.z };
}

} // namespace dem
