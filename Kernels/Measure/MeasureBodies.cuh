// Kernels that compute the arrays and energies of a frame from rigid bodies; the counterpart of
// Measure.cuh. Rank = index in ascending Id among the bodies that have not left.
#pragma once

#include "Bodies/Bodies.cuh"
#include "Measure/Measure.cuh"
#include "Forces/ShapeForces.cuh"

namespace dem
{

/// Touching pair of parts, from the view of the part at place i.
template <class Real>
struct MeasuredPartPair
{
  std::uint32_t neighbor;
  bool lower;              // the neighbour has the lower Id
  MeasuredPair<Real> pair; // from the view of the lower Id
  Vec3d point;             // m, contact point relative to the centre of part i
  std::uint32_t contact;
};

/// Everything a kernel that measures bodies reads.
template <class Real>
struct BodyMeasureView
{
  MeasureView<Real> parts;
  BodyView bodies;
  ShapeLaw<Real> shapes;      // narrow phase for parts that are not spheres
  const std::uint32_t* shown; // body of each rank

  /// Velocity, spin and angular momentum of body b at the time of the frame.
  DEM_HD BodyMotion motion(std::uint32_t b) const
  {
    return motionAt(bodies, b, bodies.load(parts.state, b), parts.gravity, closingTime());
  }
  /// Time by which the velocities of the state lag behind its positions, s.
  DEM_HD double closingTime() const { return static_cast<double>(parts.closing) * parts.dt; }
  /// Vector from the centre of body b to the centre of its part at place i, m.
  DEM_HD Vec3d arm(std::uint32_t b, std::uint32_t i) const
  {
    const std::uint32_t n = bodies.parts(b);
    return n > 1
      ? bodies.arm(b, static_cast<std::uint32_t>(parts.state.id[i]) - bodies.first_part[b],
          bodies.orientationOf(b), bodies.inertia[b].w)
      : Vec3d{};
  }

  /// Calls visit(MeasuredPartPair) for every touching pair of the part at place i.
  template <class Visit>
  DEM_HD void pairs(std::uint32_t i, const Visit& visit) const
  {
    const ListView& list = parts.list;
    std::uint32_t slot = list.start(i);
    for (std::uint32_t s = 0; s < list.count[i]; ++s, ++slot)
    {
      const std::uint32_t contact = list.contact(slot);
      if (!(parts.pair_slots.flags[contact] & kTouching))
        continue;
      const std::uint32_t entry = list.entries[slot], j = entry & ListView::kIndex;
      const bool lower = entry & ListView::kLowerId;
      MeasuredPartPair<Real> p{ j, lower, {}, {}, contact };
      if (shapes.any)
      {
        const std::uint32_t a = lower ? j : i, b = lower ? i : j;
        ContactHistory<Real> history =
          loadHistory(parts.law.law, parts.pair_slots.history, contact);
        history.sliding = parts.pair_slots.flags[contact] & kSliding;
        const ShapePairContact<Real> c =
          shapes.template pair<false>(parts.state, parts.law, a, b, parts.dt, false, history);
        p.pair = { c.normal, c.force.tangential, c.force.normal, c.overlap,
          c.force.elastic_energy };
        p.point = (lower ? c.from_b : c.from_a).template as<double>();
      }
      else
      {
        p.pair = parts.evaluate(i, j, lower, contact);
        const Real arm = static_cast<Real>(parts.state.position[i].w) - Real(0.5) * p.pair.overlap;
        p.point = (lower ? -arm * p.pair.normal : arm * p.pair.normal).template as<double>();
      }
      visit(p);
    }
  }

  /// Calls visit(element, contact, slot) for every touching wall element of the part at place i.
  template <class Visit>
  DEM_HD void wallContacts(std::uint32_t i, const Visit& visit) const
  {
    if (!shapes.any)
      return parts.wallContacts(i, visit);
    const std::uint32_t row = parts.wall_row_of[i];
    if (row == kNoRow)
      return;
    for (std::uint32_t slot = parts.wall_list.start[row]; slot < parts.wall_list.start[row + 1];
         ++slot)
    {
      if (!(parts.wall_slots.flags[slot] & kTouching))
        continue;
      const std::uint32_t e = parts.wall_list.entries[slot];
      ContactHistory<Real> history = loadHistory(parts.law.law, parts.wall_slots.history, slot);
      history.sliding = parts.wall_slots.flags[slot] & kSliding;
      visit(e,
        shapes.template wall<false>(
          parts.state, parts.law, parts.walls, i, e, parts.dt, false, history),
        slot);
    }
  }
};

/// Writes per body: energies, number of contacts, Love-Weber stress (Pa) and the number of contacts
/// that it owns (with bodies of higher Ids and walls).
template <class Real>
struct MeasureBodies
{
  BodyMeasureView<Real> view;
  Tally* tally;
  std::int32_t* coordination; // or null
  float* stress;              // 6 per body, or null
  std::uint32_t* owned;       // or null

  DEM_HD void operator()(std::uint32_t rank) const
  {
    const BodyView& bodies = view.bodies;
    const std::uint32_t b = view.shown[rank];
    const Vec4<double> centre = bodies.centre[b];
    const double mass = bodies.velocity[b].w;
    const BodyMotion m = view.motion(b);
    Tally t;
    t.kinetic = 0.5 * mass * dot(m.velocity, m.velocity) + 0.5 * dot(m.momentum, m.spin);
    t.potential = -mass * dot(view.parts.gravity.template as<double>(), centre.xyz());
    std::int32_t touching = 0;
    std::uint32_t own = 0;
    TensorSum sum;
    for (std::uint32_t part = bodies.first_part[b]; part < bodies.first_part[b + 1]; ++part)
    {
      const std::uint32_t i = bodies.place[part];
      const Vec3d arm = view.arm(b, i);
      const double radius = view.parts.state.position[i].w;
      view.pairs(i, [&](const MeasuredPartPair<Real>& p) {
        ++touching;
        const Vec3<Real> on_lower = p.pair.tangential - p.pair.normal_force * p.pair.normal;
        sum.add((p.lower ? -on_lower : on_lower).template as<double>(), arm + p.point);
        if (!p.lower)
        {
          ++own;
          t.potential += p.pair.elastic_energy;
          const double other = view.parts.state.position[p.neighbor].w;
          const double ratio = p.pair.overlap / (radius < other ? radius : other);
          t.overlap = ratio > t.overlap ? ratio : t.overlap;
        }
      });
      const Vec3d x = view.parts.state.position[i].xyz();
      view.wallContacts(i, [&](std::uint32_t, const WallContact<Real>& c, std::uint32_t) {
        ++touching;
        ++own;
        sum.add(c.on_particle.template as<double>(), arm + (c.point - x));
        t.potential += c.force.elastic_energy;
        const double ratio = c.overlap / radius;
        t.overlap = ratio > t.overlap ? ratio : t.overlap;
      });
    }
    t.contacts = own;
    tally[rank] = t;
    if (coordination)
      coordination[rank] = touching;
    if (owned)
      owned[rank] = own;
    if (stress)
    {
      const double volume = 4. / 3 * 3.14159265358979323846 * centre.w * centre.w * centre.w;
      for (int k = 0; k < 6; ++k)
        stress[6 * std::size_t(rank) + k] = static_cast<float>(sum.value[k] / volume);
    }
  }
};

/// Counts the contacts that each body owns, without evaluating the contact law.
template <class Real>
struct CountBodyContacts
{
  BodyMeasureView<Real> view;
  std::uint32_t* owned;

  DEM_HD void operator()(std::uint32_t rank) const
  {
    const std::uint32_t b = view.shown[rank];
    std::uint32_t own = 0;
    for (std::uint32_t part = view.bodies.first_part[b]; part < view.bodies.first_part[b + 1];
         ++part)
      own += view.parts.ownedContacts(view.bodies.place[part]);
    owned[rank] = own;
  }
};

/// Writes the contacts that each body owns, part after part. The ends of a pair are the centres of
/// its two bodies.
template <class Real>
struct WriteBodyContacts
{
  BodyMeasureView<Real> view;
  const std::uint32_t* offset; // first contact of each rank
  WriteContacts<Real> write;

  DEM_HD void operator()(std::uint32_t rank) const
  {
    const BodyView& bodies = view.bodies;
    const MeasureView<Real>& parts = view.parts;
    const ContactOutput& out = write.out;
    const std::uint32_t b = view.shown[rank];
    const Vec3d centre = bodies.centre[b].xyz();
    std::size_t k = offset[rank];
    for (std::uint32_t part = bodies.first_part[b]; part < bodies.first_part[b + 1]; ++part)
    {
      const std::uint32_t i = bodies.place[part];
      const Vec3d arm = view.arm(b, i);
      view.pairs(i, [&](const MeasuredPartPair<Real>& p) {
        if (p.lower)
          return;
        const std::uint32_t other = bodies.bodyOf(parts.state, p.neighbor);
        out.ids[2 * k] = bodies.id[b];
        out.ids[2 * k + 1] = bodies.id[other];
        write.put(out.ends, 2 * k, centre);
        write.put(out.ends, 2 * k + 1,
          centre + arm + parts.geometry(i, p.neighbor, false).apart - view.arm(other, p.neighbor));
        if (out.point)
          write.put(out.point, k, centre + arm + p.point);
        write.common(k, p.pair.normal_force, p.pair.normal, p.pair.tangential, p.pair.overlap,
          parts.pair_slots.flags[p.contact] & kSliding, parts.pair_slots, p.contact);
        write.cohesion(k, i, p.neighbor, p.pair.overlap, p.pair.normal);
        if (out.element)
          out.element[k] = -1;
        ++k;
      });
      const Vec3d x = parts.state.position[i].xyz();
      view.wallContacts(i, [&](std::uint32_t e, const WallContact<Real>& c, std::uint32_t slot) {
        out.ids[2 * k] = bodies.id[b];
        out.ids[2 * k + 1] = -1 - static_cast<std::int64_t>(parts.walls.elements[e].wall);
        write.put(out.ends, 2 * k, centre);
        write.put(out.ends, 2 * k + 1, centre + arm + (c.point - x));
        if (out.point)
          write.put(out.point, k, centre + arm + (c.point - x));
        write.common(k, c.force.normal, c.normal, c.force.tangential, c.overlap,
          parts.wall_slots.flags[slot] & kSliding, parts.wall_slots, slot);
        write.wallCohesion(k, i, parts.walls.elements[e], c.overlap, c.normal);
        if (out.element)
          out.element[k] = static_cast<std::int32_t>(e);
        ++k;
      });
    }
  }
};

/// Writes a passive column of bodies by rank: the value that all parts of a body hold.
struct WritePassiveOfBodies
{
  BodyView bodies;
  const std::uint32_t* shown; // body of each rank
  WritePassive to;

  DEM_HD void operator()(std::uint32_t rank) const
  {
    to.put(rank, bodies.place[bodies.firstPart(shown[rank])]);
  }
};

/// Writes the arrays of bodies of a frame, by rank; null pointers are not written.
template <class Real>
struct WriteBodies
{
  BodyMeasureView<Real> view;
  WriteParticles<Real> to;
  const Vec4<double>* frame; // by shape: rotation from the axes of its definition to its principal
                             // axes; x y z w = the quaternion's w x y z

  DEM_HD void operator()(std::uint32_t rank) const
  {
    const std::size_t k = rank;
    const BodyView& bodies = view.bodies;
    const std::uint32_t b = view.shown[rank];
    const Vec4<double> x = bodies.centre[b];
    const Load<double> load = bodies.load(view.parts.state, b);
    const BodyMotion m = motionAt(bodies, b, load, view.parts.gravity, view.closingTime());
    to.position[3 * k] = x.x;
    to.position[3 * k + 1] = x.y;
    to.position[3 * k + 2] = x.z;
    to.id[k] = bodies.id[b];
    to.radius[k] = static_cast<float>(x.w);
    if (to.velocity)
      to.put(to.velocity, k, m.velocity);
    if (to.spin)
      to.put(to.spin, k, m.spin);
    if (to.orientation)
    {
      const Vec4<double> f = frame[bodies.shape[b]];
      const Quaternion<double> q =
        bodies.orientationOf(b) * conjugate(Quaternion<double>{ f.x, f.y, f.z, f.w });
      to.orientation[4 * k] = static_cast<float>(q.w);
      to.orientation[4 * k + 1] = static_cast<float>(q.x);
      to.orientation[4 * k + 2] = static_cast<float>(q.y);
      to.orientation[4 * k + 3] = static_cast<float>(q.z);
    }
    const double mass = bodies.velocity[b].w;
    if (to.force)
      to.put(to.force, k, load.force + mass * view.parts.gravity.template as<double>());
    if (to.torque)
      to.put(to.torque, k, load.torque);
    if (to.mass)
      to.mass[k] = static_cast<float>(mass);
    if (to.material)
      to.material[k] = static_cast<std::int32_t>(bodies.momentum[b].w);
    if (to.shape)
      to.shape[k] = bodies.shape[b];
  }
};

} // namespace dem
