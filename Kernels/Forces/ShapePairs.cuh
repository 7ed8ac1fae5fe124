// Pairs of grains of any shape: the kinds of narrow phase, the evaluation of one contact, and the
// sum over the pairs of a part. Used by ShapeForces.cuh, on CUDA through ShapeBlocks.cuh.
#pragma once

#include "Forces/ShapeLaw.cuh"

namespace dem
{

/// Kinds of narrow phase. "Round" bodies are spheres and tablets. kRoundKnown starts from the
/// normal of the previous step.
enum ShapeKinds : unsigned
{
  kSpherePair,
  kRoundNew,
  kRoundKnown,
  kRoundWithPolyhedron,
  kSolidKinds,
  // Few-faced polyhedra by the number of vertices below the front, so that threads of a warp do
  // similar work: three or more, one, two.
  kFewFaced = kSolidKinds,
  kFewFacedCorner,
  kFewFacedEdge,
  kManyFaced,
  kShapeKinds,
  kShapesApart = kShapeKinds,
  kAnyShapes,
  // candidates that need another test: bodies that did not touch, and polyhedra that did
  kRoundApartBefore,
  kSolidsApartBefore,
  kSolidsMeet
};

/// Whether a kind stays valid until its narrow phase finds no contact.
DEM_HD constexpr bool staysKnown(unsigned kind)
{
  return kind == kSpherePair || kind == kRoundKnown;
}

/// Front of a pair of polyhedra, in a byte: the face that the other body enters least.
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

/// Lists of contacts by kind. Two kinds share an array of n entries: one list grows from the front,
/// the other from the back.
struct ShapeItems
{
  static_assert(kShapesApart <= detail::ShapesKnown::kKind, "bits");

  std::uint32_t* count; // number of entries, by kind
  std::uint32_t* item;  // arrays of n entries, one for two kinds, from kind `first` on
  // SolidFront by contact of polyhedra: the front of the contact, or the face that separated them
  // last.
  std::uint8_t* front;
  std::uint32_t* known; // ShapesKnown, by contact
  const float* path;    // SurfacePaths::path
  std::uint32_t n;      // number of contacts
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

/// Evaluates one contact: the cheap tests, the narrow phase, and the law. Writes its history, flags
/// and records. The result depends on the state and the history alone.
template <class Real>
struct EvaluateShapeContact
{
  ShapeStep<Real> step;
  const std::uint32_t *a, *b;
  ContactSlots<Real> slots;
  ShapeRecords<Real> records;
  GhostBits ghosts;

  struct Poses
  {
    int shape_a, shape_b;
    ShapePose<Real> a, b;
  };

  /// Poses of both parts, relative to the centre of a. `apart` is set to the vector from a to b, m.
  /// `swapped`: a and b are exchanged.
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

  /// Whether the bounding spheres of parts i and j touch.
  DEM_HD bool mayTouch(std::uint32_t i, std::uint32_t j) const
  {
    const Vec4<double> x = step.state.position[i];
    return !isGone(x.x) &&
      pairGeometry<Real>(step.law.box, x, step.state.position[j]).overlapping();
  }

  /// First test of a candidate. Returns kShapesApart if the bounding spheres are separate.
  /// Otherwise returns the kind of narrow phase, if it follows from the shapes and flags, or the
  /// kind of the next test.
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

  /// Distance (m) by which the stored direction separates two round bodies that did not touch; 0 or
  /// less if it does not. The direction is the one that separated them last; new lists store none.
  /// It only proves that the bodies are separate, so results do not depend on when it was found.
  DEM_HD Real roundPartedBy(std::uint32_t contact) const
  {
    const Vec3<Real> n = direction(contact);
    if (!(dot(n, n) > Real(0.5)))
      return Real(0);
    Vec3<Real> apart;
    const Poses p = poses(contact, apart);
    return detail::roundPartedBy(step.shapes.shapes, p.shape_a, p.a, p.shape_b, p.b, n);
  }
  /// Distance (m) by which the front separates two polyhedra (detail::partedBy).
  DEM_HD Real partedBy(std::uint32_t contact, std::uint8_t front) const
  {
    Vec3<Real> apart;
    const Poses p = poses(contact, apart, SolidFront::ofB(front));
    return detail::partedBy(
      step.shapes.shapes, p.shape_a, p.a, p.shape_b, p.b, SolidFront::face(front));
  }
  /// Distance (m) between the bounding spheres, reduced by the possible rounding error.
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

  /// Returns the kind of narrow phase of two polyhedra, or kShapesApart if a face separates them.
  /// `front`: the face with which the narrow phase begins, or that separates them. `room`: result
  /// of roomOfFront(), m. Bodies that no face separates may still be separate.
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

  /// Prefetches the data that conclude() reads, while the geometry is computed.
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

  /// Runs the narrow phase of `kKind` and conclude(). Returns whether the parts touch.
  template <unsigned kKind>
  DEM_HD bool evaluate(std::uint32_t contact) const
  {
    if constexpr (kKind == kRoundKnown || kKind == kManyFaced) // most of these touch
      expect(contact);
    // The bounding spheres of kinds that stay known have not been tested yet.
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

  /// Evaluates the law for the geometry `g` (relative to a; `apart` from a to b, m). Writes
  /// history, flags and records, and reports overlaps that are too large. Those of two ghosts are
  /// left to their owners. Returns whether the parts touch.
  DEM_HD bool conclude(
    std::uint32_t contact, const ContactGeometry<Real>& g, const Vec3<Real>& apart) const
  {
    if (g.overlap <= Real(0)) // NaN counts as touching, so that it is reported
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
    if (step.law.law.heats)
    {
      step.state.heat.give(i, c.force.dissipated);
      step.state.heat.give(j, c.force.dissipated);
    }
    const Real ra =
      step.shapes.depthRadius(step.shapes.shapeOf(step.state, i), step.state.position[i].w);
    const Real rb =
      step.shapes.depthRadius(step.shapes.shapeOf(step.state, j), step.state.position[j].w);
    if (!(c.overlap < Real(0.5) * (ra < rb ? ra : rb)) && !(ghosts.has(i) && ghosts.has(j)))
      atomicLower(
        &step.control->error, packError(step.batch_step, FailureKind::Overlap, step.state.id[i]));
    return true;
  }

  /// Evaluates a contact of any kind; used on the CPU.
  DEM_HD void operator()(std::uint32_t contact) const
  {
    if (step.control->forceHalted(step.batch_step))
      return;
    if (mayTouch(a[contact], b[contact]))
      evaluate<kAnyShapes>(contact);
    else
      forget(contact);
  }

  /// Clears the flags of a contact that does not touch.
  DEM_HD void forget(std::uint32_t contact) const
  {
    if (slots.flags[contact])
      slots.flags[contact] = 0;
  }

private:
  DEM_HD void keepDirection(std::uint32_t contact, const Vec3<Real>& n) const
  {
    const int column = directionColumn(step.law.law);
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
    const int column = directionColumn(step.law.law);
    return { slots.history.at(column, contact), slots.history.at(column + 1, contact),
      slots.history.at(column + 2, contact) };
  }
};

/// Sums the loads of its pairs on each part: neighbours with lower Ids, then with higher Ids,
/// ascending.
template <class Real>
struct SumShapeRows
{
  ShapeStep<Real> step;
  ListView list;
  const std::uint8_t* flags;
  ShapeRecords<Real> records;
  GhostBits ghosts; // their loads and energies belong to the part that owns them

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (step.control->forceHalted(step.batch_step) || isGone(step.state.position[i].x) ||
      ghosts.has(i))
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

  /// Adds the load of a contact on one of its parts. `lower`: the other part has the lower Id.
  DEM_HD void add(bool lower, const Vec4<Real>& force, const Vec4<Real>& torque, RowSum<Real>& sum,
    RowEnergy<Real>& booked) const
  {
    sum.add(lower, force, torque);
    if (!lower)
      booked.add(step.state.books, force.w, torque.w);
  }
};

} // namespace dem
