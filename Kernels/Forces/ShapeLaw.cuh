// Geometry and force of contacts of grains of any shape, with each other and with walls. Used by
// ShapePairs.cuh and ShapeWalls.cuh.
#pragma once

#include "Bodies/BodyView.cuh"
#include "Core/DeviceHints.cuh"
#include "Forces/ForceKinds.cuh"
#include "NeighborList/BuildList.cuh"
#include "Shapes/ShapeContact.cuh"

namespace dem
{

/// A touching pair of parts, a with the lower Id.
template <class Real>
struct ShapePairContact
{
  ContactForce<Real> force;
  Vec3<Real> normal;                   // from a to b
  Vec3<Real> on_a, torque_a, torque_b; // N; N m, about the centres of the parts
  Vec3<Real> from_a, from_b;           // m, from the centres to the contact point
  Real overlap;                        // m
};

/// Contact geometry and contact law of parts of any shape. The shape of a part is stored in
/// velocity_rest.w, which bodies do not use otherwise; it is kSphereShape for a sphere.
template <class Real>
struct ShapeLaw
{
  bool any; // the scene has shapes other than spheres and clumps
  ShapeView<Real> shapes;
  ShapeView<double> exact; // for walls: their triangles may be large
  // By wall element and edge: ContactTriangle::neighbor, in the frame of the wall.
  const Vec3d* beyond;
  int only; // shape of all parts, or kManyShapes

  static constexpr int kManyShapes = -2;

  DEM_HD int shapeOf(const StateView<Real>& state, std::uint32_t i) const
  {
    return only != kManyShapes ? only : static_cast<int>(state.velocity_rest[i].w);
  }

  template <class Number>
  DEM_HD static ShapePose<Number> pose(
    const Vec3<Number>& centre, const Vec4<double>& q, double scale, int shape)
  {
    if (shape == kSphereShape)
      return { centre, { Number(1), Number(0), Number(0) }, { Number(0), Number(1), Number(0) },
        { Number(0), Number(0), Number(1) }, static_cast<Number>(scale) };
    return shapePose<Number>(centre, { q.x, q.y, q.z, q.w }, static_cast<Number>(scale));
  }

  DEM_HD Real equivalentRadius(int shape, double scale) const
  {
    return static_cast<Real>(scale) *
      (shape == kSphereShape ? Real(1) : shapes.shapes[shape].equivalent_radius);
  }
  DEM_HD bool isPolyhedron(int shape) const
  {
    return shape != kSphereShape && shapes.shapes[shape].kind == ShapeKind::ConvexPolyhedron;
  }
  /// Radius (m) with which overlaps are compared, to report those that are too large. It is the
  /// radius of a sphere inside the body. For polyhedra, whose corners are soft, it is that of the
  /// sphere of equal volume.
  DEM_HD Real depthRadius(int shape, double scale) const
  {
    if (shape == kSphereShape)
      return static_cast<Real>(scale);
    return static_cast<Real>(scale) *
      (isPolyhedron(shape) ? shapes.shapes[shape].equivalent_radius
                           : shapes.shapes[shape].inner_radius);
  }

  /// The least principal moment of inertia of a part of this mass, kg m^2.
  DEM_HD Real leastInertia(int shape, double scale, Real mass) const
  {
    const ShapeNumbers<Real>& n = shapes.shapes[shape];
    const Real least = n.moments.x < n.moments.y ? n.moments.x : n.moments.y,
               s = static_cast<Real>(scale);
    return mass * s * s * (least < n.moments.z ? least : n.moments.z) / n.volume;
  }

  /// Scales the rolling friction of the pair so that, multiplied by `radius` (R* of the contact),
  /// the lever is that of `rolling_radius`. R* of a flat contact grows without bound as the contact
  /// opens.
  DEM_HD static PairCoefficients<Real> rollingAs(
    const LawView<Real>& law, PairCoefficients<Real> pair, Real rolling_radius, Real radius)
  {
    if (law.law.rolling != RollingModel::None && rolling_radius != radius)
      pair.rolling *= rolling_radius / radius;
    return pair;
  }

  /// Adds the resistance of a flat contact to rocking and twisting. It has no springs of its own.
  /// - Rocking: dashpots distributed over the patch (rockingDamping).
  /// - Twisting about the normal: at most 2/3 mu Fn a. This is the torque of a uniform pressure on
  ///   a disk of the contact radius a = sqrt(R d).
  ///
  /// Each torque is limited so that it removes at most a quarter of the spin of a body with
  /// `inertia` (kg m^2) in a step. `share`: fraction of the patch, if triangles of a wall share it.
  /// Adds to `force.rolling` and `force.dissipated`; does nothing if dt is 0.
  DEM_HD void resistTurning(const LawParameters<Real>& rules, const PairCoefficients<Real>& pair,
    const ContactMotion<Real>& m, Real inertia, Real share, Real dt,
    ContactForce<Real>& force) const
  {
    using std::sqrt;
    if (!(dt > Real(0)))
      return;
    const Real most = Real(0.25) * share * inertia / dt;
    const Real rate = dot(m.spin, m.normal);
    const Vec3<Real> rocking = m.spin - rate * m.normal;
    Real damping =
      rockingDamping(normalDamping(rules, pair, m.radius, m.mass, m.overlap), m.radius, m.overlap) /
      share;
    damping = damping < most ? damping : most;
    force.rolling -= damping * rocking;
    force.dissipated += damping * dot(rocking, rocking) * dt;

    const Real speed = rate < Real(0) ? -rate : rate;
    if (!(speed > Real(0)) || !(force.normal > Real(0)))
      return;
    const Real friction = Real(2. / 3) * pair.friction * force.normal * sqrt(m.radius * m.overlap);
    const Real stopping = most * speed;
    const Real size = friction < stopping ? friction : stopping;
    force.rolling -= (rate < Real(0) ? -size : size) * m.normal;
    force.dissipated += size * speed * dt;
  }

  /// Contact geometry of two parts, relative to the centre of a. `apart` is set to the vector from
  /// a to b, m. `before`: their normal in the previous step, or zero.
  DEM_HD ContactGeometry<Real> geometry(const StateView<Real>& state, const Periodic& box,
    std::uint32_t a, std::uint32_t b, Vec3<Real>& apart, const Vec3<Real>& before = {}) const
  {
    const int sa = shapeOf(state, a), sb = shapeOf(state, b);
    if (sa == kSphereShape && sb == kSphereShape)
      return sphereGeometry(state, box, a, b, apart);
    const Vec4<double> xa = state.position[a], xb = state.position[b];
    apart = pairGeometry<Real>(box, xa, xb).apart.template as<Real>();
    return grainContact(shapes, sa, pose<Real>({}, state.orientation[a], xa.w, sa), sb,
      pose<Real>(apart, state.orientation[b], xb.w, sb), before);
  }

  /// Contact geometry of two spheres, by the same formulas as in scenes of spheres.
  DEM_HD static ContactGeometry<Real> sphereGeometry(const StateView<Real>& state,
    const Periodic& box, std::uint32_t a, std::uint32_t b, Vec3<Real>& apart)
  {
    const Vec4<double> xa = state.position[a], xb = state.position[b];
    const PairGeometry<Real> g = pairGeometry<Real>(box, xa, xb);
    apart = g.apart.template as<Real>();
    PairSides<Real> sides{};
    sides.radius_a = static_cast<Real>(xa.w);
    sides.radius_b = static_cast<Real>(xb.w);
    touch(sides, apart, static_cast<Real>(g.gap2()));
    ContactGeometry<Real> out;
    out.overlap = sides.overlap;
    out.normal = sides.normal;
    out.point = (sides.radius_a - Real(0.5) * sides.overlap) * sides.normal;
    out.radius = out.rolling_radius =
      sides.radius_a * sides.radius_b / (sides.radius_a + sides.radius_b);
    return out;
  }

  template <bool kAdvance>
  DEM_HD ShapePairContact<Real> contact(const StateView<Real>& state, const LawView<Real>& law,
    std::uint32_t a, std::uint32_t b, const ContactGeometry<Real>& g, const Vec3<Real>& apart,
    Real dt, bool begins, ContactHistory<Real>& history) const
  {
    const Vec4<Real> va = state.velocity[a], vb = state.velocity[b], wa = state.spin[a],
                     wb = state.spin[b];
    ShapePairContact<Real> out;
    out.normal = g.normal;
    out.overlap = g.overlap;
    out.from_a = g.point;
    out.from_b = g.point - apart;
    ContactMotion<Real> m;
    m.normal = g.normal;
    m.overlap = g.overlap;
    m.velocity = va.xyz() - vb.xyz() + cross(wa.xyz(), out.from_a) - cross(wb.xyz(), out.from_b);
    m.spin = wa.xyz() - wb.xyz();
    m.radius = g.radius;
    m.mass = g.share * (va.w * vb.w / (va.w + vb.w));
    const Real ra = equivalentRadius(shapeOf(state, a), state.position[a].w),
               rb = equivalentRadius(shapeOf(state, b), state.position[b].w);
    const Real ia = Real(1.4) * va.w * ra * ra, ib = Real(1.4) * vb.w * rb * rb;
    m.rolling_inertia = ia * ib / (ia + ib);
    const PairCoefficients<Real> values =
      rollingAs(law, law.pair(wa.w, wb.w), g.rolling_radius, m.radius);
    out.force = contactForce<kAdvance>(law.law, values, m, dt, begins, history);
    if (isPolyhedron(shapeOf(state, a)) && isPolyhedron(shapeOf(state, b)))
    {
      const Real la = leastInertia(shapeOf(state, a), state.position[a].w, va.w),
                 lb = leastInertia(shapeOf(state, b), state.position[b].w, vb.w);
      resistTurning(law.law, values, m, la * lb / (la + lb), Real(1), dt, out.force);
    }
    out.on_a = out.force.tangential - out.force.normal * g.normal;
    out.torque_a = cross(out.from_a, out.on_a) + out.force.rolling;
    out.torque_b = -cross(out.from_b, out.on_a) - out.force.rolling;
    return out;
  }

  template <bool kAdvance>
  DEM_HD ShapePairContact<Real> pair(const StateView<Real>& state, const LawView<Real>& law,
    std::uint32_t a, std::uint32_t b, Real dt, bool begins, ContactHistory<Real>& history) const
  {
    Vec3<Real> apart;
    const ContactGeometry<Real> g = geometry(state, law.box, a, b, apart);
    return contact<kAdvance>(state, law, a, b, g, apart, dt, begins, history);
  }

  /// Contact geometry of a part that is no sphere with a wall element, relative to the centre of
  /// the part, with axes in space. `kPlanes`: all wall elements are planes.
  template <bool kPlanes = false>
  DEM_HD ContactGeometry<double> wallGeometry(
    const StateView<Real>& state, const WallView& walls, std::uint32_t i, std::uint32_t index) const
  {
    const Vec4<double> x = state.position[i], q = state.orientation[i];
    const WallElement& e = walls.elements[index];
    const WallBody& body = walls.bodies[e.wall];
    const Vec3d centre = body.toLocal(x.xyz());
    const int shape = shapeOf(state, i);
    Quaternion<double> turned{ q.x, q.y, q.z, q.w };
    if (body.moving)
      turned = conjugate(body.rotation) * turned;
    const ShapePose<double> pose = shapePose<double>({}, turned, x.w);
    ContactGeometry<double> g;
    if constexpr (kPlanes)
      g = planeContact(exact, shape, pose, dot(e.b, e.a - centre) * e.b, e.b);
    else if (e.kind == ElementKind::Plane)
      g = planeContact(exact, shape, pose, dot(e.b, e.a - centre) * e.b, e.b);
    else if (e.kind == ElementKind::Triangle)
      g = triangleContact(exact, shape, pose,
        { e.a - centre, e.b - centre, e.c - centre,
          { beyond[3 * index], beyond[3 * index + 1], beyond[3 * index + 2] } });
    else
      g = coneContact(exact, shape, pose,
        { e.a - centre, e.b - centre, e.kind == ElementKind::Line ? 0. : e.radius_a,
          e.kind == ElementKind::Line
            ? 0.
            : (e.kind == ElementKind::Cylinder ? e.radius_a : e.radius_b) });
    g.normal = body.directionToWorld(g.normal);
    g.point = body.directionToWorld(g.point);
    return g;
  }

  template <bool kAdvance>
  DEM_HD WallContact<Real> wallContactOf(const StateView<Real>& state, const LawView<Real>& law,
    const WallView& walls, std::uint32_t i, std::uint32_t index, const ContactGeometry<double>& g,
    Real dt, bool begins, ContactHistory<Real>& history) const
  {
    const WallBody& body = walls.bodies[walls.elements[index].wall];
    const Vec4<Real> v = state.velocity[i], w = state.spin[i];
    const Vec4<double> x = state.position[i];
    WallContact<Real> out;
    out.normal = g.normal.as<Real>();
    out.overlap = static_cast<Real>(g.overlap);
    out.point = x.xyz() + g.point;
    out.wall_velocity = body.velocityAt(out.point);
    const Vec3<Real> arm = g.point.as<Real>();
    ContactMotion<Real> m;
    m.normal = out.normal;
    m.overlap = out.overlap;
    m.velocity = v.xyz() - out.wall_velocity.template as<Real>() + cross(w.xyz(), arm);
    m.spin = w.xyz() - body.spin.template as<Real>();
    m.radius = static_cast<Real>(g.radius);
    m.mass = static_cast<Real>(g.share) * v.w;
    const Real r = equivalentRadius(shapeOf(state, i), x.w);
    m.rolling_inertia = Real(1.4) * m.mass * r * r;
    const PairCoefficients<Real> values =
      rollingAs(law, law.pair(w.w, static_cast<Real>(body.material)),
        static_cast<Real>(g.rolling_radius), m.radius);
    out.force = contactForce<kAdvance>(law.law, values, m, dt, begins, history);
    if (isPolyhedron(shapeOf(state, i)))
      resistTurning(law.law, values, m, leastInertia(shapeOf(state, i), x.w, v.w),
        static_cast<Real>(g.share), dt, out.force);
    out.on_particle = out.force.tangential - out.force.normal * out.normal;
    out.torque = cross(arm, out.on_particle) + out.force.rolling;
    return out;
  }

  /// Contact of a part of any shape, also a sphere, with a wall element.
  template <bool kAdvance>
  DEM_HD WallContact<Real> wall(const StateView<Real>& state, const LawView<Real>& law,
    const WallView& walls, std::uint32_t i, std::uint32_t index, Real dt, bool begins,
    ContactHistory<Real>& history) const
  {
    if (shapeOf(state, i) != kSphereShape)
      return wallContactOf<kAdvance>(
        state, law, walls, i, index, wallGeometry(state, walls, i, index), dt, begins, history);
    const WallElement& element = walls.elements[index];
    const WallBody& body = walls.bodies[element.wall];
    const Vec4<double> x = state.position[i];
    const Vec3d local = body.toLocal(x.xyz());
    return wallContact<kAdvance>(law, element, body, x, local, closestOnElement(element, local),
      state.velocity[i], state.spin[i], dt, begins, history);
  }
};

/// Arguments that all kernels of one force evaluation share.
template <class Real>
struct ShapeStep
{
  StateView<Real> state;
  StepControl* control;
  LawView<Real> law;
  ShapeLaw<Real> shapes;
  Real dt;
  unsigned batch_step;
};

/// Loads of each contact on its part a, and on its part b.
template <class Real>
struct ShapeRecords
{
  EntryLoad<Real>*of_a, *of_b;
};

} // namespace dem
