// How a rigid body turns. The free rotation is split into rotations that are each known in closed form, so it is symmetric, of second order,
// and keeps the angular momentum to rounding: Touma and Wisdom, Astron. J. 107 (1994) 1189; Hairer, Lubich, Wanner, Geometric Numerical
// Integration (2006), VII.5.3. The energy does not drift, it swings by what a step of second order misses.
#pragma once

#include "Solver/Integrators/Kinematics.cuh"

namespace dem
{

/// A vector of space in the frame of a body.
DEM_HD Vec3d toBody(const Quaternion<double>& orientation, const Vec3d& v)
{
  return rotate(conjugate(orientation), v);
}

/// The rotation by a vector of angles, radians, of any size: that by a small part of it, squared as often as the part was halved.
DEM_HD Quaternion<double> rotationBy(const Vec3d& angle)
{
  constexpr double kSmall = 1e-3;
  constexpr int kMost = 40; // of what is not a number, which others find out
  double h2 = 0.25 * dot(angle, angle), part = 1;
  int halved = 0;
  for (; h2 > kSmall && halved < kMost; ++halved)
  {
    h2 *= 0.25;
    part *= 0.5;
  }
  // series of cos(h) and sin(h) / h: the first left-out terms are below 1e-16
  double c = 1 - h2 * (0.5 - h2 * (1. / 24 - h2 * (1. / 720 - h2 * (1. / 40320))));
  Vec3d v = (0.5 * part * (1 - h2 * (1. / 6 - h2 * (1. / 120 - h2 * (1. / 5040))))) * angle;
  for (; halved > 0; --halved)
  {
    const double twice = 2 * c;
    c = 1 - 2 * dot(v, v);
    v = twice * v;
  }
  return { c, v.x, v.y, v.z };
}

/// The angular velocity of a body with an angular momentum, both in space; `inertia`: principal moments, `orientation`: of their axes.
DEM_HD Vec3d spinOf(const Quaternion<double>& orientation, const Vec3d& momentum, const Vec3d& inertia)
{
  const Vec3d l = toBody(orientation, momentum);
  return rotate(orientation, { l.x / inertia.x, l.y / inertia.y, l.z / inertia.z });
}

/// The angular momentum of a body that spins.
DEM_HD Vec3d momentumOf(const Quaternion<double>& orientation, const Vec3d& spin, const Vec3d& inertia)
{
  const Vec3d w = toBody(orientation, spin);
  return rotate(orientation, { w.x * inertia.x, w.y * inertia.y, w.z * inertia.z });
}

/// Turns a body by an angle in its own frame, in which a vector of space is then seen otherwise.
DEM_HD void turnInBody(Quaternion<double>& orientation, Vec3d& seen, const Vec3d& angle)
{
  if (angle.x == 0 && angle.y == 0 && angle.z == 0)
    return;
  const Quaternion<double> q = rotationBy(angle);
  orientation = orientation * q;
  seen = rotate(conjugate(q), seen);
}

/// Turns a body for a time during which its angular momentum in space stays. H = L^2 / 2B + sum of (1/I_k - 1/B) L_k^2 / 2, with B the middle
/// one of the principal moments: the first part turns the body about L and commutes with the others, which turn it about its own axes;
/// one of them is none. For bodies with two equal moments two are, and the rotation is exact.
DEM_HD void turnFreely(Quaternion<double>& orientation, const Vec3d& momentum, const Vec3d& inertia, double time)
{
  const Vec3d per{ 1 / inertia.x, 1 / inertia.y, 1 / inertia.z };
  const double low = per.x < per.y ? per.x : per.y, high = per.x < per.y ? per.y : per.x;
  const double middle = per.z < low ? low : (per.z > high ? high : per.z);
  const auto rate = [&](double one) { // moments that differ by rounding are equal
    const double difference = one - middle;
    return std::fabs(difference) > 1e-13 * middle ? difference : 0.;
  };
  const double half = 0.5 * time, x = rate(per.x) * half, y = rate(per.y) * half, z = rate(per.z) * time;
  if (x != 0 || y != 0 || z != 0)
  {
    Vec3d l = toBody(orientation, momentum);
    turnInBody(orientation, l, { x * l.x, 0, 0 });
    turnInBody(orientation, l, { 0, y * l.y, 0 });
    turnInBody(orientation, l, { 0, 0, z * l.z });
    turnInBody(orientation, l, { 0, y * l.y, 0 });
    turnInBody(orientation, l, { x * l.x, 0, 0 });
  }
  const Quaternion<double> q = rotationBy((time * middle) * momentum) * orientation;
  // one Newton step back to unit length
  const double s = 1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  orientation = { s * q.w, s * q.x, s * q.y, s * q.z };
}

} // namespace dem
