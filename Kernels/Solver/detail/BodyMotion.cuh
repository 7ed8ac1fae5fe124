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

/// Turns a body for a time during which its angular momentum in space stays. H = L^2 / 2B + (1/A - 1/B) Lx^2 / 2 + (1/C - 1/B) Lz^2 / 2: the
/// first part turns the body about L and commutes with the others, which turn it about its own x and z. B is the middle one of the
/// principal moments A, B, C, so that what is split stays small; for bodies with two equal moments nothing is, and the rotation is exact.
DEM_HD void turnFreely(Quaternion<double>& orientation, const Vec3d& momentum, const Vec3d& inertia, double time)
{
  const double about_x = 1 / inertia.x - 1 / inertia.y, about_z = 1 / inertia.z - 1 / inertia.y;
  Vec3d l = toBody(orientation, momentum);
  const auto turnAbout = [&](int axis, double rate, double part) {
    if (rate == 0)
      return;
    Vec3d angle{};
    angle[axis] = rate * l[axis] * part;
    const Quaternion<double> q = smallRotation(angle);
    orientation = orientation * q;
    l = rotate(conjugate(q), l);
  };
  turnAbout(0, about_x, 0.5 * time);
  turnAbout(2, about_z, time);
  turnAbout(0, about_x, 0.5 * time);
  turn(orientation, (time / inertia.y) * momentum);
}

} // namespace dem
