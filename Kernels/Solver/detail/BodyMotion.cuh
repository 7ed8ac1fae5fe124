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
  const Quaternion<double> q = smallRotation(angle);
  orientation = orientation * q;
  seen = rotate(conjugate(q), seen);
}

/// Turns a body for a time during which its angular momentum in space stays. H = L^2 / 2B + sum of (1/I_k - 1/B) L_k^2 / 2, with B the middle
/// one of the principal moments: the first part turns the body about L and commutes with the others, which turn it about its own axes;
/// one of them is none. For bodies with two equal moments two are, and the rotation is exact.
DEM_HD void turnFreely(Quaternion<double>& orientation, const Vec3d& momentum, const Vec3d& inertia, double time)
{
  const double low = inertia.x < inertia.y ? inertia.x : inertia.y, high = inertia.x < inertia.y ? inertia.y : inertia.x;
  const double middle = inertia.z < low ? low : (inertia.z > high ? high : inertia.z);
  Vec3d l = toBody(orientation, momentum);
  const double to_middle = 1 / middle, half = 0.5 * time;
  const Vec3d rate{ 1 / inertia.x - to_middle, 1 / inertia.y - to_middle, 1 / inertia.z - to_middle };
  turnInBody(orientation, l, { rate.x * l.x * half, 0, 0 });
  turnInBody(orientation, l, { 0, rate.y * l.y * half, 0 });
  turnInBody(orientation, l, { 0, 0, rate.z * l.z * time });
  turnInBody(orientation, l, { 0, rate.y * l.y * half, 0 });
  turnInBody(orientation, l, { rate.x * l.x * half, 0, 0 });
  turn(orientation, (time / middle) * momentum);
}

} // namespace dem
