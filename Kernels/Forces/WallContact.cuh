// The contact of a sphere with one wall element. Used by WallForces.cuh and ShapeLaw.cuh.
#pragma once

#include "Forces/LawView.cuh"
#include "Particles/State.cuh"
#include "Walls/WallElement.cuh"

#include <cmath>

namespace dem
{

/// Result of a contact with a wall element. SI units.
template <class Real>
struct WallContact
{
  ContactForce<Real> force;
  Vec3<Real> on_particle, torque;
  Vec3<Real> normal;   // from the particle to the wall
  Vec3d point;         // contact point, in the middle of the overlap
  Vec3d wall_velocity; // at the contact point
  Real overlap;
};

/// Force of a wall element on a touching sphere. `local`: its centre, and `closest`: the element's
/// closest point, both in the frame of the wall, m. `kAdvance`, `dt` (s), `begins` and `history`
/// are as in contactForce().
template <bool kAdvance, class Real>
DEM_HD WallContact<Real> wallContact(const LawView<Real>& view, const WallElement& element,
  const WallBody& body, const Vec4<double>& x, const Vec3d& local, const ClosestPoint& closest,
  const Vec4<Real>& v, const Vec4<Real>& w, Real dt, bool begins, ContactHistory<Real>& history)
{
  WallContact<Real> out;
  const double distance = signedDistance(element, local, closest);
  Vec3d n;
  if (element.kind == ElementKind::Plane)
    n = -element.b;
  else
    n = distance > 0 ? (1 / distance) * (closest.point - local) : Vec3d{ 0, 0, -1 };
  n = body.directionToWorld(n);
  const double overlap = x.w - distance;
  out.normal = n.template as<Real>();
  out.overlap = static_cast<Real>(overlap);
  const Real radius = static_cast<Real>(x.w);
  const Real arm = radius - Real(0.5) * out.overlap;
  out.point = x.xyz() + (x.w - 0.5 * overlap) * n;
  out.wall_velocity = body.velocityAt(out.point);

  ContactMotion<Real> m;
  m.normal = out.normal;
  m.overlap = out.overlap;
  m.velocity = v.xyz() - out.wall_velocity.template as<Real>() + cross(arm * w.xyz(), out.normal);
  m.spin = w.xyz() - body.spin.template as<Real>();
  m.radius = radius;
  m.mass = v.w;
  m.rolling_inertia = Real(1.4) * v.w * radius * radius;
  out.force = contactForce<kAdvance>(
    view.law, view.pair(w.w, static_cast<Real>(body.material)), m, dt, begins, history);
  out.on_particle = out.force.tangential - out.force.normal * out.normal;
  out.torque = arm * cross(out.normal, out.force.tangential) + out.force.rolling;
  return out;
}

} // namespace dem
