// State and rotations that all integrators share. An integrator is a struct for one particle and
// for a pack of them. It has:
//
// - kRates: number of vectors that it stores for each particle besides velocity and spin; rate[k]
//   points to the k-th vector of all particles
// - Integrator(step): for the drift that closes step `step`; 0 is the start of the scene
// - closing(step): the fraction of dt * acceleration - rate[0] that is missing in the velocity of a
//   state; a frame adds it
// - operator(): closes the last step, opens the next and moves; returns the angle of the rotation
//   about fixed axes, rad
//
// Drift (Drift.cuh) and DriftPacks run it. Solver/MotionStage.cuh chooses it by kind.
#pragma once

#include "Core/Vec.h"
#include "Particles/State.cuh"

#include <cstdint>

namespace dem
{

/// The part of the state of one particle, or of a pack of them, that a drift changes. R is the
/// number type of velocities, D that of positions.
template <class R, class D>
struct Kinematics
{
  Vec3<D> position; // m; velocities in m/s, spins in rad/s
  Vec3<R> velocity, velocity_rest, spin, spin_rest;
};

/// Adds dv to the integrated velocity, which is the sum of `v` and `rest`. No part of dv is lost to
/// rounding.
template <class R>
DEM_HD void kick(Vec3<R>& v, Vec3<R>& rest, const Vec3<R>& dv)
{
  addCarried(v.x, rest.x, dv.x);
  addCarried(v.y, rest.y, dv.y);
  addCarried(v.z, rest.z, dv.z);
}

/// The rotation about the vector `angle` by its length, rad. Fastest for small angles.
template <class D>
DEM_HD Quaternion<D> smallRotation(const Vec3<D>& angle)
{
  const D h2 = D(0.25) * dot(angle, angle);
  // series of cos(h) and sin(h) / 2h: the first omitted terms are below 1e-16
  D c = D(1) - h2 * (D(0.5) - h2 * D(1. / 24));
  D s = D(0.5) - h2 * (D(1. / 12) - h2 * D(1. / 240));
  const Truth<D> fast = h2 > D(1e-5);
  if (any(fast))
  {
    c = select(
      fast, D(1) - h2 * (D(0.5) - h2 * (D(1. / 24) - h2 * (D(1. / 720) - h2 * D(1. / 40320)))), c);
    s = select(fast, D(0.5) - h2 * (D(1. / 12) - h2 * (D(1. / 240) - h2 * D(1. / 10080))), s);
    const Truth<D> large = h2 > D(1e-3);
    if (any(large))
    {
      c = mapWhere(large, h2, c, [](double x) { return std::cos(std::sqrt(x)); });
      s = mapWhere(
        large, h2, s, [](double x) { return 0.5 * std::sin(std::sqrt(x)) / std::sqrt(x); });
    }
  }
  return { c, s * angle.x, s * angle.y, s * angle.z };
}

/// Rotates an orientation about the vector `angle` in space by its length, rad. The result has unit
/// length.
template <class D>
DEM_HD void turn(Quaternion<D>& orientation, const Vec3<D>& angle)
{
  const Quaternion<D> q = smallRotation(angle) * orientation;
  // one Newton step back to unit length
  const D s = D(1.5) -
    D(0.5) * multiplyAdd(q.w, q.w, dot(Vec3<D>{ q.x, q.y, q.z }, Vec3<D>{ q.x, q.y, q.z }));
  orientation = { s * q.w, s * q.x, s * q.y, s * q.z };
}

/// Adds a rotation by `angle` (rad) to `turned`: x, y, z of the quaternion of a rotation by less
/// than half a turn. Returns false if `angle` or the sum is too large for the series; then `turned`
/// must not be used.
template <class R>
DEM_HD Truth<R> turnSlightly(Vec3<R>& turned, const Vec3<R>& angle)
{
  using std::sqrt;
  const R h2 = R(0.25) * dot(angle, angle);
  // series of 1 - cos(h) and sin(h) / 2h: the first omitted terms are below 1e-16
  const R c = h2 * (R(0.5) - h2 * (R(1. / 24) - h2 * R(1. / 720)));
  const R s = R(0.5) - h2 * (R(1. / 12) - h2 * (R(1. / 240) - h2 * R(1. / 10080)));
  const Vec3<R> more = s * angle;
  const R w = sqrt(R(1) - dot(turned, turned));
  turned += w * more + cross(more, turned) - c * turned;
  return R(1e-3) >= h2 && R(0.25) >= dot(turned, turned);
}

/// The quaternion of a rotation `turned` (see turnSlightly).
template <class R>
DEM_HD Quaternion<double> turnOf(const Vec3<R>& turned)
{
  const Vec3d t = turned.template as<double>();
  return { std::sqrt(1 - dot(t, t)), t.x, t.y, t.z };
}

/// 1 / moment of inertia of a solid sphere, 1/(kg m^2).
template <class R>
DEM_HD R perInertia(const R& mass, const R& radius)
{
  return R(2.5) / (mass * radius * radius);
}

/// Pointers to the vectors that an integrator stores.
template <class Real, int kCount>
struct RatePointers
{
  Vec4<Real>* at[kCount];
  DEM_HD Vec4<Real>* operator[](int k) const { return at[k]; }
};
template <class Real>
struct RatePointers<Real, 0>
{
  DEM_HD Vec4<Real>* operator[](int) const { return nullptr; }
};

} // namespace dem
