// Wall forces on grains of any shape: the contact geometry, and the sum over the walls of a part.
// Used by ShapeForces.cuh.
#pragma once

#include "Forces/ShapeLaw.cuh"
#include "Forces/WallForces.cuh"

namespace dem
{

/// Writes the row of each slot of the wall list.
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

/// Finds the contact geometry of each slot of the wall list. Slots of spheres are skipped, since
/// WallForces evaluates them. With `kPlanes` all elements are planes, which takes fewer registers.
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

/// Sums the loads of all wall contacts of a part, in ascending element number. A tablet or sphere
/// has one contact with a flat or convex piece of a triangulated surface: the deepest. The
/// triangles under a polyhedron share its load.
template <class Real, bool kSeams>
struct AddShapeWallForces
{
  static constexpr unsigned kResidentBlocks = sizeof(Real) == 4 ? 4 : 1; // 3 if left open

  ShapeStep<Real> step;
  WallForces<Real, kSeams> walls;
  const ContactGeometry<double>* found;
  Load<Real>* loads; // result, by wall row; null: the loads are added to the state

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
      if (step.law.law.heats)
        step.state.heat.give(i, c.force.dissipated);
      if (!(c.overlap < deepest))
        atomicLower(
          &step.control->error, packError(step.batch_step, FailureKind::Overlap, step.state.id[i]));
    }
    walls.book(booked, dissipated, stiffness_work, wall_work);
    return sum;
  }

  // Whether the contact of `slot` is part of the contact with a neighbouring element and is
  // dropped. That is so if both share the edge or corner, or if the seam between them is nearly
  // flat. With `kSeams` it is also so if the deeper element passes through the contact point. The
  // deeper contact stays; if both are equally deep, that of the lower element number.
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

  // Whether another touching surface coincides with that of `slot` and carries the polyhedron.
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

} // namespace dem
