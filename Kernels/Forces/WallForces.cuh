// Wall forces on spheres: finds the touching wall elements of a particle and sums their loads. Used
// by all force loops; WallsOfWarp.cuh does the same with one candidate a lane.
#pragma once

#include "Core/Atomic.cuh"
#include "Forces/WallContact.cuh"

#include <cstdint>

namespace dem
{

/// Computes the load of all walls on a particle, summed in ascending element number. A contact that
/// begins takes over the history of one that ended on a neighbouring triangle in the same step.
/// `kSeams`: elements may meet without common corners (WallSeams.h). The code that compares their
/// positions is a separate instantiation, since it would slow down all scenes.
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
  HeatShare heat;

  /// Returns the load on particle i at x with velocity v and spin w; `row` is its row of the wall
  /// list. Adds its energies to `booked`. The particle must not have left: kGone is on the wrong
  /// side of some planes.
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
      if (touches(list.entries[slot], x, reachOf(list.entries[slot], x, w), closest))
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
      if (!(flags & kActiveNow) || !acts(slot, flags, x))
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

  /// Load of one active contact, and its energies in the step, J.
  struct OfSlot
  {
    Load<Real> load;
    Real dissipated{}, stiffness_work{};
    double wall_work = 0;
  };

  /// Evaluates the law for an active contact, and writes its history and flags. Reports overlaps
  /// that are too large.
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
    if (law.law.heats)
      heat.give(i, c.force.dissipated);
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

  /// Clears flags and history of a contact that ended.
  DEM_HD void forget(std::uint32_t slot) const
  {
    slots.flags[slot] = 0;
    slots.history.clear(historyColumns(law.law), slot);
  }

  /// Copies the history of contacts that end to contacts that begin on a neighbouring triangle.
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
          !isContinuedBy(list.entries[donor], list.entries[slot], x) ||
          !mayTakeOver(list.entries[donor], list.entries[slot], x))
          continue;
        for (int c = 0; c < historyColumns(law.law); ++c)
          slots.history.at(c, slot) = slots.history.at(c, donor);
        slots.flags[donor] = static_cast<std::uint8_t>(given | kHandedOn);
        slots.flags[slot] = static_cast<std::uint8_t>(flags | (given & (kTouching | kSliding)));
        break;
      }
    }
  }

  /// Whether a particle at x touches element `index`, or comes nearer than `reach` (m). `closest`:
  /// closest point of the element, in the frame of the wall.
  DEM_HD bool touches(
    std::uint32_t index, const Vec4<double>& x, double reach, ClosestPoint& closest) const
  {
    const WallElement& element = walls.elements[index];
    const Vec3d local = walls.bodies[element.wall].toLocal(x.xyz());
    closest = closestOnElement(element, local);
    if (signedDistance(element, local, closest) >= x.w + reach)
      return false;
    return element.kind != ElementKind::Triangle || walls.isLocalMinimum(index, local, closest);
  }

  /// Gap up to which a contact of a particle with element `index` acts after it touched, m. `w`:
  /// spin, w = material.
  DEM_HD double reachOf(std::uint32_t index, const Vec4<double>& x, const Vec4<Real>& w) const
  {
    if (law.law.cohesion == CohesionModel::None)
      return 0;
    const int material = walls.bodies[walls.elements[index].wall].material;
    return dem::reachOf(
      law.law, law.pair(w.w, static_cast<Real>(material)), static_cast<Real>(x.w));
  }

  /// Whether an active contact acts: it touched in the previous step, or the particle overlaps the
  /// element. Without cohesion only elements that overlap are active.
  DEM_HD bool acts(std::uint32_t slot, std::uint8_t flags, const Vec4<double>& x) const
  {
    return law.law.cohesion == CohesionModel::None || flags & kTouching ||
      reach(list.entries[slot], x).distance < x.w;
  }

  /// Deactivates contacts that are part of another one. Of active neighbours across a nearly flat
  /// concave seam only the nearest stays; among equals that of the lowest element number. Of
  /// elements that meet without common corners and share a contact point, only the nearest stays.
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
    Vec3d point, to_point; // m: in the frame of the wall; from the particle's centre, in space
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

  /// Whether a contact that begins on `element` continues one that ends on `ended` in the same
  /// step.
  DEM_HD bool isContinuedBy(std::uint32_t ended, std::uint32_t element, const Vec4<double>& x) const
  {
    if (walls.template areNeighbors<kSeams>(element, ended))
      return true;
    if constexpr (kSeams)
      return continuesSmoothly(ended, element, x);
    return false;
  }

  /// Whether a contact on `element` may take over the history of one that ended: always if the
  /// particle overlaps the element. A stretched contact must continue the same contact point;
  /// otherwise a particle would stick to a wall that it never touched.
  DEM_HD bool mayTakeOver(std::uint32_t ended, std::uint32_t element, const Vec4<double>& x) const
  {
    if (law.law.cohesion == CohesionModel::None)
      return true;
    const Reached there = reach(element, x);
    return there.distance < x.w || isSmooth(reach(ended, x), there);
  }

  DEM_HD bool continuesSmoothly(
    std::uint32_t ended, std::uint32_t element, const Vec4<double>& x) const
  {
    return atRestTogether(walls.bodies[walls.elements[ended].wall],
             walls.bodies[walls.elements[element].wall]) &&
      isSmooth(reach(ended, x), reach(element, x));
  }

  /// Whether two elements are neighbours or have a common neighbour in the row: a facet of another
  /// size may lie between them along a seam.
  DEM_HD bool areJoined(
    std::uint32_t begin, std::uint32_t end, std::uint32_t a, std::uint32_t b) const
  {
    bool joined = walls.template areNeighbors<true>(a, b);
    for (std::uint32_t slot = begin; slot < end && !joined; ++slot)
      joined = walls.template areNeighbors<true>(a, list.entries[slot]) &&
        walls.template areNeighbors<true>(list.entries[slot], b);
    return joined;
  }

  /// joinSmoothSeams() for elements without common corners. A contact point is one of the whole
  /// surface only if no other element passes through it and is nearer.
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

  /// joinSmoothSeams() for triangles with common corners.
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
        // Contacts that are already joined count too, so a chain of facets ends at its nearest.
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

/// The same wall forces, for scenes in which elements meet without common corners.
template <class Real>
DEM_HD WallForces<Real, true> withSeams(const WallForces<Real>& w)
{
  return { w.control, w.law, w.walls, w.list, w.slots, w.dt, w.batch_step, w.id, w.per_joule,
    w.heat };
}

/// Adds the wall loads to the state: of one row of the wall list, or of a range of rows.
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
