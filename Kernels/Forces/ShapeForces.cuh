// Forces of grains that are tablets, polyhedra, or anything among them. Of the candidates of the
// default list those are kept whose bounding spheres meet; on a device they are set down by the
// kind of their narrow phase (ShapeBlocks.cuh), so that neighbouring threads do the same. Each
// touching contact is evaluated once, from the side of the lower Id, and leaves what it does to
// both; then each part sums its row in the order of the default: lower Ids, then higher, ascending.
// So the bits do not depend on anything but the scene.
#pragma once

#include "Core/DeviceHints.cuh"
#include "NeighborList/BuildList.cuh"
#include "Shapes/ShapeContact.cuh"
#include "Bodies/Bodies.cuh"
#include "Scene/detail/InitialOverlaps.h"
#include "Forces/ForceKinds.cuh"
#include "Walls/WallMesh.h"

#include <algorithm>
#include <memory>

namespace dem
{

// Of ShapeBlocks.cuh, for devices.
template <class Real, bool kSolids>
struct FindShapeBlock;
template <class Real, unsigned kKind, bool kPlain>
struct EvaluateShapeItems;
template <class Items>
struct FewShapeItems;
template <class Real, bool kPlain>
struct FewFacedPairs;
template <class Real>
struct SumShapeBlock;
namespace detail
{
template <class Pairs>
struct PolyhedraBlock;
}

/// A touching pair of parts, a with the lower Id.
template <class Real>
struct ShapePairContact
{
  ContactForce<Real> force;
  Vec3<Real> normal;                   // from a to b
  Vec3<Real> on_a, torque_a, torque_b; // about the centres of the parts
  Vec3<Real> from_a, from_b;           // from the centres to the contact point
  Real overlap;
};

/// Where parts of any shape touch, and what the law makes of it. The shape of a part stands in
/// velocity_rest.w, which bodies do not use: kSphereShape for a sphere.
template <class Real>
struct ShapeLaw
{
  bool any; // shapes besides spheres and clumps of them
  ShapeView<Real> shapes;
  ShapeView<double> exact; // for walls, whose triangles may be large
  const Vec3d*
    beyond; // by wall element and edge: see ContactTriangle::neighbor, in the frame of the wall
  int only; // the shape of all parts, or kManyShapes

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
  /// Overlaps are measured by this radius: of the sphere inside, but corners, which are soft, may
  /// enter as far as the equal sphere would.
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

  /// The pair's values with the rolling friction for an R* of `radius`, so that its lever is that
  /// of `rolling_radius`: R* of a flat contact grows without bound as it opens.
  DEM_HD static PairCoefficients<Real> rollingAs(
    const LawView<Real>& law, PairCoefficients<Real> pair, Real rolling_radius, Real radius)
  {
    if (law.law.rolling != RollingModel::None && rolling_radius != radius)
      pair.rolling *= rolling_radius / radius;
    return pair;
  }

  /// What a flat contact resists beside its point, without springs of its own. Rocking: by the
  /// dashpots spread over it (rockingDamping). Twisting about the normal: by at most 2/3 mu Fn a,
  /// the torque of a uniform pressure on a disk of the contact radius a = sqrt(R d). Each by no
  /// more than takes a quarter of the spin of a body with `inertia` in a step; `share`: of the
  /// patch that this contact is, where the triangles of a wall share one.
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

  /// Of two parts; relative to the centre of a. `apart`: from a to b. `before`: their normal a step
  /// ago, or zero.
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

  /// Of two spheres by what is exact for them.
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

  /// Of a part that is no sphere and a wall element, a plane where all are; relative to the centre
  /// of the part, in space.
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

  /// The same for a part of any shape.
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

/// All that the kernels of one evaluation share.
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

/// What contacts leave for their parts a, and for their parts b.
template <class Real>
struct ShapeRecords
{
  EntryLoad<Real>*of_a, *of_b;
};

/// The row of each wall slot.
struct ListWallRows
{
  WallListView list;
  std::uint32_t* row_of;

  DEM_HD void operator()(std::uint32_t row) const
  {
    for (std::uint32_t slot = list.start[row]; slot < list.start[row + 1]; ++slot)
      row_of[slot] = row;
  }
};

/// Kinds of narrow phase; kRoundKnown begins with the normal of the step before.
enum ShapeKinds : unsigned
{
  kSpherePair,
  kRoundNew,
  kRoundKnown,
  kRoundWithPolyhedron,
  kSolidKinds,
  kFewFaced = kSolidKinds, // by three vertices or more; what is alike goes together
  kFewFacedCorner,         // by one
  kFewFacedEdge,           // by two
  kManyFaced,
  kShapeKinds,
  kShapesApart = kShapeKinds,
  kAnyShapes,
  // not known yet: bodies that did not touch, and polyhedra that did
  kRoundApartBefore,
  kSolidsApartBefore,
  kSolidsMeet
};

/// Kinds that hold until their narrow phase finds no contact.
DEM_HD constexpr bool staysKnown(unsigned kind)
{
  return kind == kSpherePair || kind == kRoundKnown;
}

/// The face of a pair of polyhedra that the other body enters least, in a byte.
struct SolidFront
{
  static constexpr unsigned kOfB = 0x80;
  static_assert(2 * kMaxShapeVertices - 4 <= kOfB, "so many faces a convex body may have");

  DEM_HD static std::uint8_t of(int face, bool of_b)
  {
    return static_cast<std::uint8_t>(face | (of_b ? kOfB : 0));
  }
  DEM_HD static int face(std::uint8_t front) { return static_cast<int>(front & ~kOfB); }
  DEM_HD static bool ofB(std::uint8_t front) { return front & kOfB; }
};

/// Contacts by kind, in lists that share memory two by two: one grows from the front, one from the
/// back.
struct ShapeItems
{
  static_assert(kShapesApart <= detail::ShapesKnown::kKind, "bits");

  std::uint32_t* count; // by kind
  std::uint32_t* item;  // n for every two kinds, from kind `first` on
  std::uint8_t*
    front; // SolidFront of contacts of polyhedra: where they meet, or what parted them last
  std::uint32_t* known; // ShapesKnown of all
  const float* path;    // SurfacePaths
  std::uint32_t n;      // contacts
  unsigned first;

  DEM_HD std::size_t place(unsigned kind, std::uint32_t k) const
  {
    return std::size_t((kind - first) / 2) * n + (kind % 2 ? n - 1 - k : k);
  }
  DEM_HD std::uint32_t at(unsigned kind, std::uint32_t k) const { return item[place(kind, k)]; }
  DEM_HD void put(unsigned kind, std::uint32_t k, std::uint32_t contact) const
  {
    item[place(kind, k)] = contact;
  }
};

/// One contact: the cheap tests, the narrow phase, the law.
template <class Real>
struct EvaluateShapeContact
{
  ShapeStep<Real> step;
  const std::uint32_t *a, *b;
  ContactSlots<Real> slots;
  ShapeRecords<Real> records;

  struct Poses
  {
    int shape_a, shape_b;
    ShapePose<Real> a, b;
  };

  /// Relative to the centre of a, from where `apart` leads to b. `swapped`: a and b have changed
  /// places.
  DEM_HD Poses poses(std::uint32_t contact, Vec3<Real>& apart, bool swapped = false) const
  {
    const StateView<Real>& state = step.state;
    const std::uint32_t i = swapped ? b[contact] : a[contact],
                        j = swapped ? a[contact] : b[contact];
    const Vec4<double> xi = state.position[i], xj = state.position[j];
    apart = pairGeometry<Real>(step.law.box, xi, xj).apart.template as<Real>();
    const int si = step.shapes.shapeOf(state, i), sj = step.shapes.shapeOf(state, j);
    return { si, sj, step.shapes.template pose<Real>({}, state.orientation[i], xi.w, si),
      step.shapes.template pose<Real>(apart, state.orientation[j], xj.w, sj) };
  }

  /// What comes into question by the bounding spheres.
  DEM_HD bool mayTouch(std::uint32_t i, std::uint32_t j) const
  {
    const Vec4<double> x = step.state.position[i];
    return !isGone(x.x) && pairGeometry<Real>(step.law.box, x, step.state.position[j]).touching();
  }

  /// The first look at a candidate: the narrow phase that it needs, if that is seen at once;
  /// kShapesApart, which forgets; or the closer look that tells.
  template <bool kSolids>
  DEM_HD unsigned firstLook(std::uint32_t i, std::uint32_t j, std::uint8_t flags) const
  {
    if (!mayTouch(i, j))
      return kShapesApart;
    const int sa = step.shapes.shapeOf(step.state, i), sb = step.shapes.shapeOf(step.state, j);
    if (sa == kSphereShape && sb == kSphereShape)
      return kSpherePair;
    if constexpr (kSolids)
    {
      const bool solid_a = step.shapes.isPolyhedron(sa), solid_b = step.shapes.isPolyhedron(sb);
      if (solid_a != solid_b)
        return kRoundWithPolyhedron;
      if (solid_a)
        return flags & kTouching ? kSolidsMeet : kSolidsApartBefore;
    }
    if (!step.law.law.direction)
      return kRoundNew;
    return flags & kTouching ? kRoundKnown : kRoundApartBefore;
  }

  /// By how much two round bodies that did not touch are parted by the direction that parted them
  /// last, if they are: no more than a proof that they are apart, so it matters to no bit when it
  /// was found. New lists know of nothing.
  DEM_HD Real roundPartedBy(std::uint32_t contact) const
  {
    const Vec3<Real> n = direction(contact);
    if (!(dot(n, n) > Real(0.5)))
      return Real(0);
    Vec3<Real> apart;
    const Poses p = poses(contact, apart);
    return detail::roundPartedBy(step.shapes.shapes, p.shape_a, p.a, p.shape_b, p.b, n);
  }
  /// By how much two polyhedra are (partedBy).
  DEM_HD Real partedBy(std::uint32_t contact, std::uint8_t front) const
  {
    Vec3<Real> apart;
    const Poses p = poses(contact, apart, SolidFront::ofB(front));
    return detail::partedBy(
      step.shapes.shapes, p.shape_a, p.a, p.shape_b, p.b, SolidFront::face(front));
  }
  /// The same by their bounding spheres.
  DEM_HD Real spheresPartedBy(std::uint32_t i, std::uint32_t j) const
  {
    using std::sqrt;
    const PairGeometry<Real> g =
      pairGeometry<Real>(step.law.box, step.state.position[i], step.state.position[j]);
    const Real reach = static_cast<Real>(g.reach),
               gap = static_cast<Real>(g.distance2 - g.reach * g.reach) /
      (sqrt(static_cast<Real>(g.distance2)) + reach);
    return gap - Real(1e-4) * reach;
  }

  /// The narrow phase that two polyhedra need, if any, and the face that it begins with, or that
  /// parts them. What no face parts may still be apart. `room`: roomOfFront().
  DEM_HD unsigned kindOfSolids(std::uint32_t contact, std::uint8_t& front, Real& room) const
  {
    const ShapeView<Real>& shapes = step.shapes.shapes;
    Vec3<Real> apart;
    const Poses p = poses(contact, apart);
    const detail::SolidPair<Real> pair(shapes, p.shape_a, p.a, p.shape_b, p.b);
    Real least, next;
    const detail::FaceOfPair face = pair.template leastEntered<true>(least, next);
    front = SolidFront::of(face.face, face.of_b);
    room = detail::roomOfFront(shapes, p.shape_a, p.a, p.shape_b, p.b, face, least, next);
    if (!face.entered)
      return kShapesApart;
    if (!detail::isFewFaced(shapes.shapes[p.shape_a]) ||
      !detail::isFewFaced(shapes.shapes[p.shape_b]))
      return kManyFaced;
    const int vertices = pair.verticesBelow(face);
    return vertices == 1 ? kFewFacedCorner : (vertices == 2 ? kFewFacedEdge : kFewFaced);
  }

  /// Asks for what conclude() will read: it comes while the geometry is found.
  DEM_HD void expect(std::uint32_t contact) const
  {
    const std::uint32_t i = a[contact], j = b[contact];
    expectRead(&step.state.velocity[i]);
    expectRead(&step.state.velocity[j]);
    expectRead(&step.state.spin[i]);
    expectRead(&step.state.spin[j]);
    expectRead(&slots.flags[contact]);
    if (step.law.law.history)
      for (int c = 0; c < 3; ++c)
        expectRead(&slots.history.at(c, contact));
  }

  /// Says whether they touch.
  template <unsigned kKind>
  DEM_HD bool evaluate(std::uint32_t contact) const
  {
    if constexpr (kKind == kRoundKnown || kKind == kManyFaced) // most of which touch
      expect(contact);
    // of kinds that stay known nobody has asked for the bounding spheres
    const auto may = [&] { return !staysKnown(kKind) || mayTouch(a[contact], b[contact]); };
    Vec3<Real> apart, before{};
    ContactGeometry<Real> g;
    if constexpr (kKind == kRoundNew || kKind == kRoundKnown)
    {
      if (kKind == kRoundKnown)
        before = direction(contact);
      const Poses p = poses(contact, apart);
      if (may())
        g = detail::roundPair(step.shapes.shapes, p.shape_a, p.a, p.shape_b, p.b, before);
      if (kKind == kRoundNew && step.law.law.direction && g.overlap <= Real(0))
        keepDirection(contact, g.normal); // see roundPartedBy
    }
    else if constexpr (kKind == kManyFaced)
    {
      const Poses p = poses(contact, apart);
      g = detail::polyhedronPair(step.shapes.shapes, p.shape_a, p.a, p.shape_b, p.b);
    }
    else if constexpr (kKind == kRoundWithPolyhedron)
    {
      const Poses p = poses(contact, apart);
      const bool first = !step.shapes.isPolyhedron(p.shape_a); // the round one
      g = detail::roundPolyhedron(step.shapes.shapes, first ? p.shape_a : p.shape_b,
        first ? p.a : p.b, first ? p.shape_b : p.shape_a, first ? p.b : p.a);
      if (!first)
        g = detail::mirrored(g);
    }
    else if constexpr (kKind == kSpherePair)
    {
      if (may())
        g = step.shapes.sphereGeometry(step.state, step.law.box, a[contact], b[contact], apart);
    }
    else
    {
      if (remembers(contact))
        before = direction(contact);
      g = step.shapes.geometry(step.state, step.law.box, a[contact], b[contact], apart, before);
    }
    return conclude(contact, g, apart);
  }

  /// What follows from the geometry; whether they touch.
  DEM_HD bool conclude(
    std::uint32_t contact, const ContactGeometry<Real>& g, const Vec3<Real>& apart) const
  {
    if (g.overlap <= Real(0)) // what is not a number touches, and is found out
    {
      forget(contact);
      return false;
    }
    const std::uint32_t i = a[contact], j = b[contact];
    const std::uint8_t flags = slots.flags[contact];
    ContactHistory<Real> history;
    if (flags & kTouching)
      history = loadHistory(step.law.law, slots.history, contact);
    const ShapePairContact<Real> c = step.shapes.template contact<true>(
      step.state, step.law, i, j, g, apart, step.dt, !(flags & kTouching), history);
    storeHistory(step.law.law, slots.history, contact, history);
    if (step.law.law.direction)
      keepDirection(contact, g.normal);
    const std::uint32_t now = kTouching | (history.sliding ? kSliding : 0);
    if (flags != now)
      slots.flags[contact] = static_cast<std::uint8_t>(now);
    records.of_a[contact] = { vec4(c.on_a, c.force.dissipated),
      vec4(c.torque_a, c.force.stiffness_work) };
    records.of_b[contact] = { vec4(-c.on_a, Real(0)), vec4(c.torque_b, Real(0)) };
    const Real ra =
      step.shapes.depthRadius(step.shapes.shapeOf(step.state, i), step.state.position[i].w);
    const Real rb =
      step.shapes.depthRadius(step.shapes.shapeOf(step.state, j), step.state.position[j].w);
    if (!(c.overlap < Real(0.5) * (ra < rb ? ra : rb)))
      atomicLower(
        &step.control->error, packError(step.batch_step, FailureKind::Overlap, step.state.id[i]));
    return true;
  }

  DEM_HD void operator()(std::uint32_t contact) const
  {
    if (step.control->forceHalted(step.batch_step))
      return;
    if (mayTouch(a[contact], b[contact]))
      evaluate<kAnyShapes>(contact);
    else
      forget(contact);
  }

  DEM_HD void forget(std::uint32_t contact) const
  {
    if (slots.flags[contact])
      slots.flags[contact] = 0;
  }

private:
  DEM_HD void keepDirection(std::uint32_t contact, const Vec3<Real>& n) const
  {
    const int column = step.law.law.directionColumn();
    slots.history.at(column, contact) = n.x;
    slots.history.at(column + 1, contact) = n.y;
    slots.history.at(column + 2, contact) = n.z;
  }
  DEM_HD bool remembers(std::uint32_t contact) const
  {
    return step.law.law.direction && (slots.flags[contact] & kTouching);
  }
  DEM_HD Vec3<Real> direction(std::uint32_t contact) const
  {
    const int column = step.law.law.directionColumn();
    return { slots.history.at(column, contact), slots.history.at(column + 1, contact),
      slots.history.at(column + 2, contact) };
  }
};

/// The load of its pairs on each part.
template <class Real>
struct SumShapeRows
{
  ShapeStep<Real> step;
  ListView list;
  const std::uint8_t* flags;
  ShapeRecords<Real> records;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (step.control->forceHalted(step.batch_step) || isGone(step.state.position[i].x))
      return;
    RowSum<Real> sum;
    RowEnergy<Real> booked;
    std::uint32_t slot = list.start(i);
    for (std::uint32_t s = 0; s < list.count[i]; ++s, ++slot)
    {
      const std::uint32_t contact = list.contact(slot);
      if (!(flags[contact] & kTouching))
        continue;
      const bool lower = list.entries[slot] & ListView::kLowerId;
      const EntryLoad<Real> r = (lower ? records.of_b : records.of_a)[contact];
      add(lower, r.force, r.torque, sum, booked);
    }
    booked.close(step.state.books, i);
    sum.write(step.state, i);
  }

  /// What a contact does to one of its parts, `lower` where the other has the lower Id.
  DEM_HD void add(bool lower, const Vec4<Real>& force, const Vec4<Real>& torque, RowSum<Real>& sum,
    RowEnergy<Real>& booked) const
  {
    sum.add(lower, force, torque);
    if (!lower)
      booked.add(step.state.books, force.w, torque.w);
  }
};

/// Where a part and a wall element touch, slot by slot; spheres are left to WallForces. With
/// `kPlanes` all elements are planes, which takes fewer registers.
template <class Real, bool kPlanes>
struct FindShapeWalls
{
  static constexpr unsigned kResidentBlocks = kPlanes && sizeof(Real) == 4 ? 4 : 1;

  ShapeStep<Real> step;
  WallForces<Real> walls;
  const std::uint32_t* row_of;
  ContactGeometry<double>* found;

  DEM_HD void operator()(std::uint32_t slot) const
  {
    if (step.control->forceHalted(step.batch_step))
      return;
    const std::uint32_t i = walls.list.particle[row_of[slot]];
    const Vec4<double> x = step.state.position[i];
    if (isGone(x.x) || step.shapes.shapeOf(step.state, i) == kSphereShape)
      return;
    const std::uint32_t index = walls.list.entries[slot];
    const WallElement& e = walls.walls.elements[index];
    const Vec3d local = walls.walls.bodies[e.wall].toLocal(x.xyz());
    found[slot].overlap = -1;
    if (signedDistance(e, local, closestOnElement(e, local)) < x.w)
      found[slot] = step.shapes.template wallGeometry<kPlanes>(step.state, walls.walls, i, index);
  }
};

/// Adds the load of all walls on a part near them, in ascending element number. A surface of
/// triangles is met as by spheres: a tablet, or a sphere, has one contact with a flat or convex
/// piece of it, that which is deepest; the triangles under a polyhedron share its load.
template <class Real, bool kSeams>
struct AddShapeWallForces
{
  ShapeStep<Real> step;
  WallForces<Real, kSeams> walls;
  const ContactGeometry<double>* found;
  Load<Real>* loads; // of each row, for others to add, or null

  DEM_HD void operator()(std::uint32_t row) const
  {
    const StateView<Real>& state = step.state;
    if (step.control->forceHalted(step.batch_step))
      return;
    const std::uint32_t i = walls.list.particle[row];
    const Vec4<double> x = state.position[i];
    if (isGone(x.x))
      return;
    EnergySums booked;
    const int shape = step.shapes.shapeOf(state, i);
    const Load<Real> load = shape == kSphereShape
      ? walls(row, i, x, state.velocity[i], state.spin[i], booked)
      : evaluate(row, i, shape, booked);
    state.books.book(row / 128, booked);
    if (loads)
    {
      loads[row] = load;
      return;
    }
    state.force[i] = vec4(state.force[i].xyz() + load.force, Real(0));
    state.torque[i] = vec4(state.torque[i].xyz() + load.torque, Real(0));
  }

private:
  DEM_HD Load<Real> evaluate(
    std::uint32_t row, std::uint32_t i, int shape, EnergySums& booked) const
  {
    const WallListView& list = walls.list;
    const ContactSlots<Real>& slots = walls.slots;
    const std::uint32_t begin = list.start[row], end = list.start[row + 1];
    const bool solid = step.shapes.isPolyhedron(shape);
    const Vec4<double> x = step.state.position[i];
    Load<Real> sum;
    bool any_flag = false, any_new = false, any = false;
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      std::uint8_t flags = slots.flags[slot];
      any_flag = any_flag || flags != 0;
      if (found[slot].overlap <= 0 ||
        (solid ? isCovered(begin, end, slot) : isPartOfAnother(begin, end, slot, x)))
        continue;
      any = true;
      any_new = any_new || !(flags & kTouching);
      slots.flags[slot] = static_cast<std::uint8_t>(flags | kActiveNow);
    }
    if (!any && !any_flag)
      return sum;
    if (any_new && any_flag)
      walls.handOn(begin, end, x);

    const Real deepest = Real(0.5) * step.shapes.depthRadius(shape, step.state.position[i].w);
    double dissipated = 0, stiffness_work = 0, wall_work = 0;
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      const std::uint8_t flags = slots.flags[slot];
      if (!(flags & kActiveNow))
      {
        if (flags)
          walls.forget(slot);
        continue;
      }
      const std::uint32_t index = list.entries[slot];
      ContactHistory<Real> history = loadHistory(step.law.law, slots.history, slot);
      const WallContact<Real> c = step.shapes.template wallContactOf<true>(step.state, step.law,
        walls.walls, i, index, found[slot], step.dt, !(flags & kTouching), history);
      storeHistory(step.law.law, slots.history, slot, history);
      slots.flags[slot] = static_cast<std::uint8_t>(kTouching | (history.sliding ? kSliding : 0));
      sum.force += c.on_particle;
      sum.torque += c.torque;
      const WallBody& body = walls.walls.bodies[walls.walls.elements[index].wall];
      dissipated += c.force.dissipated;
      stiffness_work += c.force.stiffness_work;
      wall_work += (dot(c.on_particle.template as<double>(), c.wall_velocity) +
                     dot(c.force.rolling.template as<double>(), body.spin)) *
        step.dt;
      if (!(c.overlap < deepest))
        atomicLower(
          &step.control->error, packError(step.batch_step, FailureKind::Overlap, step.state.id[i]));
    }
    walls.book(booked, dissipated, stiffness_work, wall_work);
    return sum;
  }

  // A contact on the edge or at a corner of a triangle that a neighbour has deeper, and of two
  // across a nearly flat seam the shallower; of equals the higher number.
  DEM_HD bool isPartOfAnother(
    std::uint32_t begin, std::uint32_t end, std::uint32_t slot, const Vec4<double>& x) const
  {
    const WallListView& list = walls.list;
    const std::uint32_t index = list.entries[slot];
    const WallElement& e = walls.walls.elements[index];
    if (e.kind != ElementKind::Triangle && !kSeams)
      return false;
    const ContactGeometry<double>& mine = found[slot];
    for (std::uint32_t other = begin; other < end; ++other)
    {
      const std::uint32_t other_index = list.entries[other];
      const ContactGeometry<double>& theirs = found[other];
      if (other == slot || theirs.overlap <= 0)
        continue;
      if (theirs.overlap < mine.overlap || (theirs.overlap == mine.overlap && other_index > index))
        continue;
      if (!walls.walls.template areNeighbors<kSeams>(index, other_index))
      {
        if constexpr (kSeams)
        {
          const Vec3d at = walls.walls.bodies[e.wall].toLocal(
            x.xyz() + mine.point); // half an overlap behind the surface
          if (walls.walls.passesThrough(other_index, index, closestOnElement(e, at).point))
            return true;
        }
        continue;
      }
      if (dot(mine.normal, theirs.normal) > kSmoothSeamCosine)
        return true;
      if (mine.feature == 7u)
        continue;
      const WallElement& o = walls.walls.elements[other_index];
      bool holds = true;
      for (int v = 0; v < 3; ++v)
        if (mine.feature & (1u << v))
          holds = holds &&
            (o.vertex[0] == e.vertex[v] || o.vertex[1] == e.vertex[v] ||
              o.vertex[2] == e.vertex[v]);
      if (holds)
        return true;
    }
    return false;
  }

  // Of surfaces that lie on each other one bears a polyhedron.
  DEM_HD bool isCovered(std::uint32_t begin, std::uint32_t end, std::uint32_t slot) const
  {
    if constexpr (kSeams)
    {
      const std::uint32_t* entries = walls.list.entries;
      for (std::uint32_t other = begin; other < end; ++other)
        if (found[other].overlap > 0 && walls.walls.isCoveredBy(entries[other], entries[slot]))
          return true;
    }
    return false;
  }
};

/// How much parts overlap at the start, over the smaller depthRadius; 0 where they do not.
template <class Real>
struct MeasureShapeOverlaps
{
  StateView<Real> state;
  Periodic box;
  ShapeLaw<Real> shapes;
  const std::uint32_t *a, *b;
  double* overlap;

  DEM_HD void operator()(std::uint32_t contact) const
  {
    const std::uint32_t i = a[contact], j = b[contact];
    overlap[contact] = 0;
    if (!pairGeometry<Real>(box, state.position[i], state.position[j]).touching())
      return;
    Vec3<Real> apart;
    const ContactGeometry<Real> g = shapes.geometry(state, box, i, j, apart);
    const Real ra = shapes.depthRadius(shapes.shapeOf(state, i), state.position[i].w);
    const Real rb = shapes.depthRadius(shapes.shapeOf(state, j), state.position[j].w);
    if (!(g.overlap <= Real(0)))
      overlap[contact] = g.overlap / (ra < rb ? ra : rb);
  }
};

/// Launches the kernels above and owns what they need.
template <class Exec, class Real>
class ShapeForces
{
public:
  explicit ShapeForces(Exec& exec)
    : exec_(exec)
  {
  }

  void use(const std::vector<Shape>& shapes, const WallSet& walls)
  {
    table_ = std::make_unique<DeviceShapes<Exec, Real>>(exec_, ShapeTable<Real>(shapes));
    exact_ = std::make_unique<DeviceShapes<Exec, double>>(exec_, ShapeTable<double>(shapes));
    beyond_.assign(normalsBeyond(walls));
    planes_ = std::all_of(walls.elements.begin(), walls.elements.end(),
      [](const WallElement& e) { return e.kind == ElementKind::Plane; });
    item_count_.resize(kShapeKinds);
    item_count_.zero();
  }

  /// The shape of each body.
  void useBodies(const std::vector<Shape>& shapes, const std::vector<std::int32_t>& shape_of)
  {
    if (!table_)
      return;
    const ShapeTable<Real> table(shapes);
    std::vector<bool> used(shapes.size());
    for (const std::int32_t shape : shape_of)
      used[shape] = true;
    has_ = {};
    int kinds = 0;
    for (std::size_t s = 0; s < shapes.size(); ++s)
    {
      if (!used[s])
        continue;
      const bool solid = shapes[s].kind == ShapeKind::ConvexPolyhedron,
                 tablet = shapes[s].kind == ShapeKind::BiConvexTablet;
      const bool few = solid && detail::isFewFaced(table.shapes[s]);
      has_.tablets = has_.tablets || tablet;
      has_.few_faced = has_.few_faced || few;
      has_.many_faced = has_.many_faced || (solid && !few);
      has_.spheres = has_.spheres || (!solid && !tablet);
      only_ = solid || tablet ? static_cast<int>(s) : kSphereShape;
      ++kinds;
    }
    if (kinds != 1)
      only_ = ShapeLaw<Real>::kManyShapes;
  }

  ShapeLaw<Real> law()
  {
    if (!table_)
      return { false, {}, {}, nullptr, ShapeLaw<Real>::kManyShapes };
    return { true, table_->view(), exact_->view(), beyond_.data(), only_ };
  }

  /// Before the contacts of n parts are numbered, by whom the list's ends are filled in. `largest`:
  /// bounding radius of the parts.
  NumberContacts listPairs(
    const ListView& list, std::uint32_t n, std::size_t contacts, double largest)
  {
    if (!table_)
      return { list };
    contacts_ = static_cast<std::uint32_t>(contacts);
    for (Buffer<std::uint32_t>* ends : { &a_, &b_ })
      ends->resize(contacts_ + 1, 1.2); // null says that nobody asks
    for (Buffer<EntryLoad<Real>>* of : { &of_a_, &of_b_ })
      of->resize(contacts_, 1.2);
    if (Exec::kDevice)
    {
      item_.resize(
        std::size_t(((solids() ? kShapeKinds : kSolidKinds) - firstKind()) / 2) * contacts_, 1.2);
      known_.resize(contacts_, 1.2);
      known_.zero();
      path_.resize(n);
      path_.zero();
      largest_ = largest;
    }
    if (Exec::kDevice && solids())
    {
      front_.resize(contacts_, 1.2);
      front_.zero();
    }
    return { list, a_.data(), b_.data() };
  }
  /// For the drift.
  SurfacePaths paths()
  {
    return { table_ && Exec::kDevice ? path_.data() : nullptr,
      static_cast<float>(SurfacePaths::kReach * largest_) };
  }
  void listWalls(const WallListView& list, std::size_t entries)
  {
    if (!table_)
      return;
    row_of_.resize(entries, 1.2);
    found_.resize(entries, 1.2);
    exec_.forEach(list.rows, ListWallRows{ list, row_of_.data() });
  }

  /// `wall_row`: of each part.
  void queue(const ShapeStep<Real>& step, const ListView& list, const ContactSlots<Real>& slots,
    std::uint32_t n, const WallForces<Real>& walls, const std::uint32_t* wall_row)
  {
    if constexpr (Exec::kDevice)
    {
      wall_loads_.resize(walls.list.rows, 1.2);
      exec_.beside([&] { queueWalls(step, walls, wall_loads_.data()); });
    }
    const ShapeRecords<Real> records{ of_a_.data(), of_b_.data() };
    const EvaluateShapeContact<Real> contacts{ step, a_.data(), b_.data(), slots, records };
    if constexpr (!Exec::kDevice)
      exec_.forEach(contacts_, contacts);
    else
    {
      if (step.law.law.isPlainForShapes())
        queueNarrowPhases<true>(contacts);
      else
        queueNarrowPhases<false>(contacts);
    }
    const SumShapeRows<Real> rows{ step, list, slots.flags, records };
    if constexpr (Exec::kDevice)
    {
      exec_.joinBeside();
      const SumShapeBlock<Real> sums{ rows, wall_row, wall_loads_.data(), item_count_.data(), n };
      exec_.forEachBlock((n + sums.kThreads - 1) / sums.kThreads, sums);
    }
    else
    {
      exec_.forEach(n, rows);
      queueWalls(step, walls, nullptr);
    }
  }

  /// By more than `accepted`; first and second: the places of the two parts that overlap most, if
  /// any do.
  InitialOverlaps overlaps(const StateView<Real>& state, const Periodic& box, double accepted,
    std::uint32_t& first, std::uint32_t& second)
  {
    Buffer<double> overlap(exec_);
    overlap.resize(contacts_);
    exec_.forEach(contacts_,
      MeasureShapeOverlaps<Real>{ state, box, law(), a_.data(), b_.data(), overlap.data() });
    const std::vector<double> of = overlap.host();
    InitialOverlaps found;
    std::size_t worst = 0;
    for (std::size_t c = 0; c < of.size(); ++c)
      if (of[c] > accepted)
      {
        ++found.pairs;
        if (of[c] > found.worst)
        {
          found.worst = of[c];
          worst = c;
        }
      }
    if (found.pairs)
    {
      first = a_.host()[worst];
      second = b_.host()[worst];
    }
    return found;
  }

private:
  template <class T>
  using Buffer = Array<T, Exec>;

  bool solids() const { return has_.few_faced || has_.many_faced; }
  unsigned firstKind() const { return has_.spheres || has_.tablets ? kSpherePair : kSolidKinds; }

  // The candidates that may touch, then a kernel for each kind that there may be. With `kPlain`
  // those that take longest know the law's options.
  template <bool kPlain>
  void queueNarrowPhases(const EvaluateShapeContact<Real>& contacts)
  {
    const ShapeItems items{ item_count_.data(), item_.data(), front_.data(), known_.data(),
      path_.data(), contacts_, firstKind() };
    const auto find = [&](const auto& blocks) { exec_.forEachBlock(blocks.blocks(), blocks); };
    if (solids())
      find(FindShapeBlock<Real, true>{ contacts, items, contacts_ });
    else
      find(FindShapeBlock<Real, false>{ contacts, items, contacts_ });
    if (has_.spheres)
      exec_.forEach(
        contacts_, EvaluateShapeItems<Real, kSpherePair, false>{ contacts, items, contacts_ });
    if (has_.tablets)
    {
      exec_.forEach(
        contacts_, EvaluateShapeItems<Real, kRoundKnown, kPlain>{ contacts, items, contacts_ });
      const std::uint32_t threads = (contacts_ + 7) / 8; // mostly there are few
      const FewShapeItems<EvaluateShapeItems<Real, kRoundNew, false>> others{ { contacts, items,
        threads } };
      exec_.forEachBlockAlongside(others.blocks(), others);
    }
    if ((has_.spheres || has_.tablets) && solids())
      exec_.forEach(contacts_,
        EvaluateShapeItems<Real, kRoundWithPolyhedron, false>{ contacts, items, contacts_ });
    if (has_.few_faced)
    {
      const detail::PolyhedraBlock<FewFacedPairs<Real, kPlain>> polyhedra{ { contacts, items } };
      exec_.forEachBlock(polyhedra.blocks(contacts_), polyhedra);
    }
    if (has_.many_faced)
      exec_.forEach(
        contacts_, EvaluateShapeItems<Real, kManyFaced, false>{ contacts, items, contacts_ });
  }

  void queueWalls(const ShapeStep<Real>& step, const WallForces<Real>& walls, Load<Real>* loads)
  {
    if (planes_)
      exec_.forEach(
        row_of_.size(), FindShapeWalls<Real, true>{ step, walls, row_of_.data(), found_.data() });
    else
      exec_.forEach(
        row_of_.size(), FindShapeWalls<Real, false>{ step, walls, row_of_.data(), found_.data() });
    if (walls.walls.hasSeams())
      exec_.forEach(walls.list.rows,
        AddShapeWallForces<Real, true>{ step, withSeams(walls), found_.data(), loads });
    else
      exec_.forEach(
        walls.list.rows, AddShapeWallForces<Real, false>{ step, walls, found_.data(), loads });
  }

  // The normals of the triangles beyond each edge, turned as if the surface were walked over
  // without a flip.
  static std::vector<Vec3d> normalsBeyond(const WallSet& walls)
  {
    std::vector<Vec3d> out(3 * walls.elements.size());
    for (std::size_t e = 0; e < walls.elements.size(); ++e)
    {
      const WallElement& t = walls.elements[e];
      if (t.kind != ElementKind::Triangle)
        continue;
      for (int k = 0; k < 3; ++k)
      {
        const std::uint32_t u = t.vertex[k], v = t.vertex[(k + 1) % 3];
        for (std::uint32_t r = walls.ring_start[u]; r < walls.ring_start[u + 1]; ++r)
        {
          const std::uint32_t other = walls.ring[r];
          if (other == e)
            continue;
          const WallElement& o = walls.elements[other];
          int direction = 0; // of the edge in the other triangle
          for (int m = 0; m < 3; ++m)
          {
            direction = o.vertex[m] == v && o.vertex[(m + 1) % 3] == u ? 1 : direction;
            direction = o.vertex[m] == u && o.vertex[(m + 1) % 3] == v ? -1 : direction;
          }
          if (direction == 0)
            continue;
          const Vec3d across = cross(o.b - o.a, o.c - o.a);
          out[3 * e + k] = (direction / length(across)) * across;
          break;
        }
      }
    }
    return out;
  }

  Exec& exec_;
  std::unique_ptr<DeviceShapes<Exec, Real>> table_;
  std::unique_ptr<DeviceShapes<Exec, double>> exact_;
  Buffer<Vec3d> beyond_{ exec_ };
  Buffer<std::uint32_t> a_{ exec_ }, b_{ exec_ }, row_of_{ exec_ };
  Buffer<std::uint32_t> item_{ exec_ }, item_count_{ exec_ }; // ShapeItems, on a device
  Buffer<std::uint8_t> front_{ exec_ };
  Buffer<std::uint32_t> known_{ exec_ }; // ShapesKnown, on a device
  Buffer<float> path_{ exec_ };          // SurfacePaths
  double largest_ = 0;                   // bounding radius
  struct
  {
    bool spheres, tablets, few_faced, many_faced;
  } has_{}; // among the parts
  int only_ = ShapeLaw<Real>::kManyShapes;
  bool planes_ = false; // all walls
  Buffer<EntryLoad<Real>> of_a_{ exec_ }, of_b_{ exec_ };
  Buffer<ContactGeometry<double>> found_{ exec_ };
  Buffer<Load<Real>> wall_loads_{ exec_ }; // of the rows of walls, on a device
  std::uint32_t contacts_ = 0;
};

} // namespace dem
