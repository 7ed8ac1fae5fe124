// What one step is made of: the contact of a pair, the contact with walls, the drift. PairsOnce.cuh
// and DriftPacks.cuh run pairs and drift on the CPU, StepWarps.cuh all of it on CUDA.
#pragma once

#include "Physics/ContactLaw.cuh"
#include "Core/Algorithms.h"
#include "Core/Atomic.cuh"
#include "NeighborList/ListView.cuh"
#include "Particles/State.cuh"
#include "Walls/WallElement.cuh"

namespace dem
{

/// All that a force needs besides the state.
template <class Real>
struct LawView
{
  LawParameters<Real> law;
  const PairCoefficients<Real>* pairs; // materials x materials
  int materials;
  Periodic box;
  PairCoefficients<Real> first{}; // of the first material with itself

  DEM_HD const PairCoefficients<Real>& pair(Real a, Real b) const
  {
    return pairs[materials == 1 ? 0 : static_cast<int>(a) * materials + static_cast<int>(b)];
  }
};

/// A contact's history as it lies in columns: tangential spring, rolling spring, statistics, as far
/// as the law has them. read(c) gives its value in column c.
template <class Real, class Scalar, class Read>
DEM_HD ContactHistory<Real> readHistory(const LawParameters<Scalar>& law, const Read& read)
{
  ContactHistory<Real> h;
  if (law.history)
    h.xi = { read(0), read(1), read(2) };
  if (law.rolling == RollingModel::EPSD)
  {
    const int c = law.rollColumn();
    h.roll = { read(c), read(c + 1), read(c + 2) };
  }
  if (law.statistics)
  {
    const int c = law.statisticsColumn();
    h.age = read(c);
    h.slip = read(c + 1);
    h.dissipated = read(c + 2);
  }
  return h;
}

/// write(c, value) takes the value of column c.
template <class Real, class Scalar, class Write>
DEM_HD void writeHistory(
  const LawParameters<Scalar>& law, const ContactHistory<Real>& h, const Write& write)
{
  if (law.history)
  {
    write(0, h.xi.x);
    write(1, h.xi.y);
    write(2, h.xi.z);
  }
  if (law.rolling == RollingModel::EPSD)
  {
    const int c = law.rollColumn();
    write(c, h.roll.x);
    write(c + 1, h.roll.y);
    write(c + 2, h.roll.z);
  }
  if (law.statistics)
  {
    const int c = law.statisticsColumn();
    write(c, h.age);
    write(c + 1, h.slip);
    write(c + 2, h.dissipated);
  }
}

template <class Real>
DEM_HD ContactHistory<Real> loadHistory(
  const LawParameters<Real>& law, const HistoryColumns<Real>& columns, std::size_t contact)
{
  return readHistory<Real>(law, [&](int c) { return columns.at(c, contact); });
}

template <class Real>
DEM_HD void storeHistory(const LawParameters<Real>& law, const HistoryColumns<Real>& columns,
  std::size_t contact, const ContactHistory<Real>& h)
{
  writeHistory(law, h, [&](int c, Real value) { columns.at(c, contact) = value; });
}

/// What a contact leaves for its particle b; zero while they do not touch.
template <class Real>
struct PairRecord
{
  Vec4<Real> on_a, torque_b;
};

/// A choice by value: a choice between references would put both in memory on a device.
template <class T>
DEM_HD Vec4<T> pick(bool first, const Vec4<T>& a, const Vec4<T>& b)
{
  return { first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z, first ? a.w : b.w };
}

/// The contact of a pair as seen from the particle with the lower Id, a: so both sides compute the
/// same numbers.
template <class Real>
struct PairGeometry
{
  Vec3d apart; // from a to b
  double distance2;
  double reach;

  DEM_HD double gap2() const { return reach * reach - distance2; }
  DEM_HD bool touching() const
  {
    return !(distance2 >= reach * reach);
  } // what is not a number touches, and is found out
};

/// `periodic`: some axis of the box is.
template <class Real>
DEM_HD PairGeometry<Real> pairGeometry(
  const Periodic& box, const Vec4<double>& a, const Vec4<double>& b, bool periodic)
{
  PairGeometry<Real> g;
  g.apart = b.xyz() - a.xyz();
  if (periodic)
    g.apart = box.nearImage(g.apart);
  g.distance2 = dot(g.apart, g.apart);
  g.reach = a.w + b.w;
  return g;
}

/// Two touching particles as their contact sees them.
template <class Real>
struct PairSides
{
  Vec3<Real> normal; // from a to b
  Real overlap;
  Real radius_a, radius_b, mass_a, mass_b;
  Vec3<Real> velocity_a, velocity_b, spin_a, spin_b;
};

template <class Real>
struct PairContact
{
  ContactForce<Real> force;
  Vec3<Real> on_a; // force on a
  Vec3<Real>
    lever; // normal x tangential force: with the arms, torques on both but for the rolling one
  Vec3<Real> torque_a, torque_b;
  Vec3<Real> normal;
  Real overlap;
  Real arm_a, arm_b;
};

/// Normal and overlap from numbers that carry the cancellation already: apart = b - a, gap2 =
/// reach^2 - distance^2, both rounded from double. So the overlap, gap2 / (reach + distance), has
/// the relative precision of Real however small it is. Where the centres coincide the normal is
/// `up` along z.
template <class Real>
DEM_HD void touch(
  PairSides<Real>& p, const Vec3<Real>& apart, const Real& gap2, const Real& up = Real(1))
{
  using std::sqrt;
  const Real zero(0), distance2 = dot(apart, apart), distance = sqrt(distance2);
  const Truth<Real> separate = distance2 > zero;
  p.normal = select(separate, (Real(1) / distance) * apart, Vec3<Real>{ zero, zero, up });
  p.overlap = quotient(gap2, p.radius_a + p.radius_b + distance);
}

template <class Real>
DEM_HD PairGeometry<Real> pairGeometry(
  const Periodic& box, const Vec4<double>& a, const Vec4<double>& b)
{
  return pairGeometry<Real>(box, a, b, box.any());
}

template <bool kAdvance, class Scalar, class Real>
DEM_HD PairContact<Real> pairContact(const LawParameters<Scalar>& law,
  const PairCoefficients<Real>& coefficients, const PairSides<Real>& p, Scalar dt,
  const Truth<Real>& begins, ContactHistory<Real>& history)
{
  PairContact<Real> out;
  out.normal = p.normal;
  out.overlap = p.overlap;
  out.arm_a = multiplyAdd(Real(-0.5), p.overlap, p.radius_a);
  out.arm_b = multiplyAdd(Real(-0.5), p.overlap, p.radius_b);

  ContactMotion<Real> m;
  m.normal = p.normal;
  m.overlap = p.overlap;
  m.velocity =
    p.velocity_a - p.velocity_b + cross(out.arm_a * p.spin_a + out.arm_b * p.spin_b, p.normal);
  m.spin = p.spin_a - p.spin_b;
  m.radius = quotient(p.radius_a * p.radius_b, p.radius_a + p.radius_b);
  m.mass = quotient(p.mass_a * p.mass_b, p.mass_a + p.mass_b);
  const Real ia = Real(1.4) * p.mass_a * p.radius_a * p.radius_a,
             ib = Real(1.4) * p.mass_b * p.radius_b * p.radius_b;
  m.rolling_inertia = ia * ib / (ia + ib);
  out.force = contactForce<kAdvance>(law, coefficients, m, dt, begins, history);
  out.on_a = multiplyAdd(-out.force.normal, p.normal, out.force.tangential);
  out.lever = cross(p.normal, out.force.tangential);
  out.torque_a = multiplyAdd(out.arm_a, out.lever, out.force.rolling);
  out.torque_b = multiplyAdd(out.arm_b, out.lever, -out.force.rolling);
  return out;
}

template <bool kAdvance, class Real>
DEM_HD PairContact<Real> pairContact(const LawView<Real>& view, const PairGeometry<Real>& g,
  const Vec4<double>& xa, const Vec4<double>& xb, const Vec4<Real>& va, const Vec4<Real>& vb,
  const Vec4<Real>& wa, const Vec4<Real>& wb, Real dt, bool begins, ContactHistory<Real>& history)
{
  PairSides<Real> sides{ {}, {}, static_cast<Real>(xa.w), static_cast<Real>(xb.w), va.w, vb.w,
    va.xyz(), vb.xyz(), wa.xyz(), wb.xyz() };
  touch(sides, g.apart.template as<Real>(), static_cast<Real>(g.gap2()));
  return pairContact<kAdvance>(view.law, view.pair(wa.w, wb.w), sides, dt, begins, history);
}

template <class Real>
struct WallContact
{
  ContactForce<Real> force;
  Vec3<Real> on_particle, torque;
  Vec3<Real> normal;   // from the particle to the wall
  Vec3d point;         // contact point in mid overlap
  Vec3d wall_velocity; // there
  Real overlap;
};

/// The contact of a sphere with a wall element whose closest point is known (in the wall's frame).
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

/// The load of all walls on a particle near them, in ascending element number.
/// A contact that begins takes over the history of one that ended on a neighbouring triangle in the
/// same step. `kSeams`: elements may meet without common corners (WallSeams.h); what compares their
/// places is compiled apart, since it would slow down all scenes.
template <class Real, bool kSeams = false>
struct WallForces
{
  StepControl* control;
  LawView<Real> law;
  WallView walls;
  WallListView list;
  ContactSlots<Real> slots;
  Real dt;
  unsigned batch_step;
  const std::int64_t* id;
  double per_joule; // of EnergyBooks

  /// Row `row` is that of particle i, which is not gone: far away is on the wrong side of some
  /// planes.
  DEM_HD Load<Real> operator()(std::uint32_t row, std::uint32_t i, const Vec4<double>& x,
    const Vec4<Real>& v, const Vec4<Real>& w, EnergySums& booked) const
  {
    const std::uint32_t begin = list.start[row], end = list.start[row + 1];
    Load<Real> sum;
    std::uint32_t active = 0, touched = end;
    bool any_flag = false;
    ClosestPoint closest_touched{};
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      const std::uint8_t flags = slots.flags[slot];
      any_flag = any_flag || flags != 0;
      ClosestPoint closest;
      if (touches(list.entries[slot], x, closest))
      {
        slots.flags[slot] = static_cast<std::uint8_t>(flags | kActiveNow);
        ++active;
        touched = slot;
        closest_touched = closest;
      }
    }
    if (active == 0 && !any_flag)
      return sum;
    if (active > 1)
      joinSmoothSeams(begin, end, x);
    bool any_new = false;
    for (std::uint32_t slot = begin; slot < end && !any_new; ++slot)
      any_new = (slots.flags[slot] & kActiveNow) && !(slots.flags[slot] & kTouching);
    if (any_new && any_flag)
      handOn(begin, end, x);

    double dissipated = 0, stiffness_work = 0, wall_work = 0;
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      const std::uint8_t flags = slots.flags[slot];
      if (!(flags & kActiveNow))
      {
        if (flags)
          forget(slot);
        continue;
      }
      const WallElement& element = walls.elements[list.entries[slot]];
      const ClosestPoint closest = slot == touched
        ? closest_touched
        : closestOnElement(element, walls.bodies[element.wall].toLocal(x.xyz()));
      const OfSlot c = evaluate(slot, flags, i, x, v, w, closest);
      sum.force += c.load.force;
      sum.torque += c.load.torque;
      dissipated += c.dissipated;
      stiffness_work += c.stiffness_work;
      wall_work += c.wall_work;
    }
    book(booked, dissipated, stiffness_work, wall_work);
    return sum;
  }

  /// What one active contact does in the step, J.
  struct OfSlot
  {
    Load<Real> load;
    Real dissipated{}, stiffness_work{};
    double wall_work = 0;
  };

  DEM_HD OfSlot evaluate(std::uint32_t slot, std::uint8_t flags, std::uint32_t i,
    const Vec4<double>& x, const Vec4<Real>& v, const Vec4<Real>& w,
    const ClosestPoint& closest) const
  {
    const WallElement& element = walls.elements[list.entries[slot]];
    const WallBody& body = walls.bodies[element.wall];
    const Vec3d local = body.toLocal(x.xyz());
    ContactHistory<Real> history = loadHistory(law.law, slots.history, slot);
    const WallContact<Real> c = wallContact<true>(
      law, element, body, x, local, closest, v, w, dt, !(flags & kTouching), history);
    storeHistory(law.law, slots.history, slot, history);
    slots.flags[slot] = static_cast<std::uint8_t>(kTouching | (history.sliding ? kSliding : 0));
    if (!(c.overlap < 0.5 * x.w))
      atomicLower(&control->error, packError(batch_step, FailureKind::Overlap, id[i]));
    return { { c.on_particle, c.torque }, c.force.dissipated, c.force.stiffness_work,
      (dot(c.on_particle.template as<double>(), c.wall_velocity) +
        dot(c.force.rolling.template as<double>(), body.spin)) *
        dt };
  }

  DEM_HD void book(
    EnergySums& booked, double dissipated, double stiffness_work, double wall_work) const
  {
    booked[BookedEnergy::Dissipated].add(dissipated * per_joule);
    booked[BookedEnergy::StiffnessWork].add(stiffness_work * per_joule);
    booked[BookedEnergy::WallWork].add(wall_work * per_joule);
  }

  /// Forgets a contact that ended.
  DEM_HD void forget(std::uint32_t slot) const
  {
    slots.flags[slot] = 0;
    slots.history.clear(law.law.columns(), slot);
  }

  /// Gives a contact that begins the history of one that ended on a neighbouring triangle.
  DEM_HD void handOn(std::uint32_t begin, std::uint32_t end, const Vec4<double>& x) const
  {
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      const std::uint8_t flags = slots.flags[slot];
      if (!(flags & kActiveNow) || (flags & kTouching))
        continue;
      for (std::uint32_t donor = begin; donor < end; ++donor)
      {
        const std::uint8_t given = slots.flags[donor];
        if (!(given & kTouching) || (given & (kActiveNow | kHandedOn)) ||
          !isContinuedBy(list.entries[donor], list.entries[slot], x))
          continue;
        for (int c = 0; c < law.law.columns(); ++c)
          slots.history.at(c, slot) = slots.history.at(c, donor);
        slots.flags[donor] = static_cast<std::uint8_t>(given | kHandedOn);
        slots.flags[slot] = static_cast<std::uint8_t>(flags | (given & (kTouching | kSliding)));
        break;
      }
    }
  }

  DEM_HD bool touches(std::uint32_t index, const Vec4<double>& x, ClosestPoint& closest) const
  {
    const WallElement& element = walls.elements[index];
    const Vec3d local = walls.bodies[element.wall].toLocal(x.xyz());
    closest = closestOnElement(element, local);
    if (signedDistance(element, local, closest) >= x.w)
      return false;
    return element.kind != ElementKind::Triangle || walls.isLocalMinimum(index, local, closest);
  }

  /// Of active neighbours across a nearly flat concave seam only the nearest stays; of equals the
  /// lowest number. Of elements that meet without common corners only the nearest stays where they
  /// share a contact point.
  DEM_HD void joinSmoothSeams(std::uint32_t begin, std::uint32_t end, const Vec4<double>& x) const
  {
    if constexpr (kSeams)
      joinSeams(begin, end, x);
    else
      joinRings(begin, end, x);
    for (std::uint32_t slot = begin; slot < end; ++slot)
      slots.flags[slot] = static_cast<std::uint8_t>(slots.flags[slot] & ~kJoined);
  }

private:
  struct Reached
  {
    Vec3d point, to_point; // in the frame of the wall; from the particle's centre, in space
    double distance;
  };

  DEM_HD Reached reach(std::uint32_t index, const Vec4<double>& x) const
  {
    const WallElement& element = walls.elements[index];
    const WallBody& body = walls.bodies[element.wall];
    const Vec3d local = body.toLocal(x.xyz());
    const ClosestPoint closest = closestOnElement(element, local);
    return { closest.point, body.directionToWorld(closest.point - local),
      signedDistance(element, local, closest) };
  }

  DEM_HD static bool isSmooth(const Reached& a, const Reached& b)
  {
    return dot(a.to_point, b.to_point) >
      kSmoothSeamCosine * std::sqrt(dot(a.to_point, a.to_point) * dot(b.to_point, b.to_point));
  }

  /// Whether a contact with `element` that begins in the step in which one with `ended` ends is the
  /// same contact.
  DEM_HD bool isContinuedBy(std::uint32_t ended, std::uint32_t element, const Vec4<double>& x) const
  {
    if (walls.template areNeighbors<kSeams>(element, ended))
      return true;
    if constexpr (kSeams)
      return continuesSmoothly(ended, element, x);
    return false;
  }

  DEM_HD bool continuesSmoothly(
    std::uint32_t ended, std::uint32_t element, const Vec4<double>& x) const
  {
    return atRestTogether(walls.bodies[walls.elements[ended].wall],
             walls.bodies[walls.elements[element].wall]) &&
      isSmooth(reach(ended, x), reach(element, x));
  }

  /// Whether two elements are neighbours, or have one in common: facets of other sizes along a seam
  /// may lie between.
  DEM_HD bool areJoined(
    std::uint32_t begin, std::uint32_t end, std::uint32_t a, std::uint32_t b) const
  {
    bool joined = walls.template areNeighbors<true>(a, b);
    for (std::uint32_t slot = begin; slot < end && !joined; ++slot)
      joined = walls.template areNeighbors<true>(a, list.entries[slot]) &&
        walls.template areNeighbors<true>(list.entries[slot], b);
    return joined;
  }

  /// A contact point is one of the whole surface only if no other element passes through it and
  /// comes nearer.
  DEM_HD void joinSeams(std::uint32_t begin, std::uint32_t end, const Vec4<double>& x) const
  {
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      if (!(slots.flags[slot] & kActiveNow))
        continue;
      const std::uint32_t index = list.entries[slot];
      const Reached mine = reach(index, x);
      for (std::uint32_t other_slot = begin; other_slot < end; ++other_slot)
      {
        const std::uint32_t other = list.entries[other_slot];
        if (other_slot == slot || !(slots.flags[other_slot] & (kActiveNow | kJoined)))
          continue;
        const Reached theirs = reach(other, x);
        if (theirs.distance > mine.distance || (theirs.distance == mine.distance && other > index))
          continue;
        if (walls.passesThrough(other, index, mine.point) ||
          (isSmooth(mine, theirs) && areJoined(begin, end, index, other)))
        {
          slots.flags[slot] =
            static_cast<std::uint8_t>((slots.flags[slot] & ~kActiveNow) | kJoined);
          break;
        }
      }
    }
  }

  DEM_HD void joinRings(std::uint32_t begin, std::uint32_t end, const Vec4<double>& x) const
  {
    for (std::uint32_t slot = begin; slot < end; ++slot)
    {
      if (!(slots.flags[slot] & kActiveNow) ||
        walls.elements[list.entries[slot]].kind != ElementKind::Triangle)
        continue;
      const std::uint32_t index = list.entries[slot];
      const Vec3d local = walls.bodies[walls.elements[index].wall].toLocal(x.xyz());
      const ClosestPoint mine = closestOnTriangle(walls.elements[index], local);
      const Vec3d to_mine = mine.point - local;
      for (std::uint32_t other = begin; other < end; ++other)
      {
        // those already joined count too: a chain of facets ends at its nearest
        if (other == slot || !(slots.flags[other] & (kActiveNow | kJoined)) ||
          !walls.template areNeighbors<false>(index, list.entries[other]))
          continue;
        const ClosestPoint theirs = closestOnTriangle(walls.elements[list.entries[other]], local);
        const bool nearer = theirs.distance2 < mine.distance2 ||
          (theirs.distance2 == mine.distance2 && list.entries[other] < index);
        if (nearer &&
          dot(to_mine, theirs.point - local) >
            kSmoothSeamCosine * std::sqrt(mine.distance2) * std::sqrt(theirs.distance2))
        {
          slots.flags[slot] =
            static_cast<std::uint8_t>((slots.flags[slot] & ~kActiveNow) | kJoined);
          break;
        }
      }
    }
  }
};

/// The same walls, of a scene in which elements meet without common corners.
template <class Real>
DEM_HD WallForces<Real, true> withSeams(const WallForces<Real>& w)
{
  return { w.control, w.law, w.walls, w.list, w.slots, w.dt, w.batch_step, w.id, w.per_joule };
}

/// Adds the load of walls to the state, one particle near a wall a thread, or a range of them.
template <class Real, bool kSeams = false>
struct AddWallForces
{
  StateView<Real> state;
  WallForces<Real, kSeams> walls;

  DEM_HD void operator()(std::uint32_t row) const
  {
    EnergySums booked;
    add(row, booked);
    state.books.book(row / 128, booked);
  }

  DEM_HD void operator()(std::uint32_t begin, std::uint32_t end) const
  {
    for (std::uint32_t row = begin; row < end;)
    {
      EnergySums booked;
      for (const std::uint32_t close = end - row < EnergySum::kTerms ? end
                                                                     : row + EnergySum::kTerms;
           row < close; ++row)
        add(row, booked);
      state.books.book(begin / 128, booked);
    }
  }

private:
  DEM_HD void add(std::uint32_t row, EnergySums& booked) const
  {
    if (walls.control->forceHalted(walls.batch_step))
      return;
    const std::uint32_t i = walls.list.particle[row];
    const Vec4<double> x = state.position[i];
    if (isGone(x.x))
      return;
    const Load<Real> wall = walls(row, i, x, state.velocity[i], state.spin[i], booked);
    state.force[i] = vec4(state.force[i].xyz() + wall.force, Real(0));
    state.torque[i] = vec4(state.torque[i].xyz() + wall.torque, Real(0));
  }
};

} // namespace dem
