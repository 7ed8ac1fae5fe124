// Members of ShapeForces that launch kernels. On CUDA, Forces/ShapeForcesCuda.cu instantiates them
// apart from the engine, so that both compile at once.
#pragma once

#include "Forces/ShapeForces.cuh"

#include <algorithm>
#include <memory>
#include <vector>

namespace dem
{

// Defined in ShapeBlocks.cuh, for devices.
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

/// Overlap of each contact at the start, relative to the smaller depthRadius(); 0 if the parts do
/// not overlap, or if the part with the lower Id is a ghost.
template <class Real>
struct MeasureShapeOverlaps
{
  StateView<Real> state;
  Periodic box;
  ShapeLaw<Real> shapes;
  const std::uint32_t *a, *b;
  GhostBits ghosts;
  double* overlap;

  DEM_HD void operator()(std::uint32_t contact) const
  {
    const std::uint32_t i = a[contact], j = b[contact];
    overlap[contact] = 0;
    if (ghosts.has(i) ||
      !pairGeometry<Real>(box, state.position[i], state.position[j]).overlapping())
      return;
    Vec3<Real> apart;
    const ContactGeometry<Real> g = shapes.geometry(state, box, i, j, apart);
    const Real ra = shapes.depthRadius(shapes.shapeOf(state, i), state.position[i].w);
    const Real rb = shapes.depthRadius(shapes.shapeOf(state, j), state.position[j].w);
    if (!(g.overlap <= Real(0)))
      overlap[contact] = g.overlap / (ra < rb ? ra : rb);
  }
};

template <class Exec, class Real>
void ShapeForces<Exec, Real>::use(const std::vector<Shape>& shapes, const WallSet& walls)
{
  table_ = std::make_unique<DeviceShapes<Exec, Real>>(exec_, ShapeTable<Real>(shapes));
  exact_ = std::make_unique<DeviceShapes<Exec, double>>(exec_, ShapeTable<double>(shapes));
  beyond_.assign(normalsBeyond(walls));
  planes_ = std::all_of(walls.elements.begin(), walls.elements.end(),
    [](const WallElement& e) { return e.kind == ElementKind::Plane; });
  item_count_.resize(kShapeKinds);
  item_count_.zero();
}

template <class Exec, class Real>
void ShapeForces<Exec, Real>::useBodies(
  const std::vector<Shape>& shapes, const std::vector<std::int32_t>& shape_of)
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

template <class Exec, class Real>
NumberContacts ShapeForces<Exec, Real>::listPairs(
  const ListView& list, std::uint32_t n, std::size_t contacts, double largest)
{
  if (!table_)
    return { list };
  contacts_ = static_cast<std::uint32_t>(contacts);
  for (Buffer<std::uint32_t>* ends : { &a_, &b_ })
    ends->resize(contacts_ + 1, 1.2); // never empty: a null pointer means "not needed"
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

template <class Exec, class Real>
void ShapeForces<Exec, Real>::listWalls(const WallListView& list, std::size_t entries)
{
  if (!table_)
    return;
  row_of_.resize(entries, 1.2);
  found_.resize(entries, 1.2);
  exec_.forEach(list.rows, ListWallRows{ list, row_of_.data() });
}

template <class Exec, class Real>
void ShapeForces<Exec, Real>::queue(const ShapeStep<Real>& step, const ListView& list,
  const ContactSlots<Real>& slots, std::uint32_t n, const WallForces<Real>& walls,
  const std::uint32_t* wall_row, GhostBits ghosts)
{
  if constexpr (Exec::kDevice)
  {
    wall_loads_.resize(walls.list.rows, 1.2);
    exec_.markBeside(0);
    exec_.beside(0, [&] { queueWalls(step, walls, wall_loads_.data()); });
  }
  const ShapeRecords<Real> records{ of_a_.data(), of_b_.data() };
  const EvaluateShapeContact<Real> contacts{ step, a_.data(), b_.data(), slots, records, ghosts };
  if constexpr (!Exec::kDevice)
    exec_.forEach(contacts_, contacts);
  else
  {
    if (step.law.law.isPlainForShapes())
      queueNarrowPhases<true>(contacts);
    else
      queueNarrowPhases<false>(contacts);
  }
  const SumShapeRows<Real> rows{ step, list, slots.flags, records, ghosts };
  if constexpr (Exec::kDevice)
  {
    exec_.joinBeside(0);
    const SumShapeBlock<Real> sums{ rows, wall_row, wall_loads_.data(), item_count_.data(), n };
    exec_.forEachBlock((n + sums.kThreads - 1) / sums.kThreads, sums);
  }
  else
  {
    exec_.forEach(n, rows);
    queueWalls(step, walls, nullptr);
  }
}

template <class Exec, class Real>
InitialOverlaps ShapeForces<Exec, Real>::overlaps(const StateView<Real>& state, const Periodic& box,
  GhostBits ghosts, double accepted, std::uint32_t& first, std::uint32_t& second)
{
  Buffer<double> overlap(exec_);
  overlap.resize(contacts_);
  exec_.forEach(contacts_,
    MeasureShapeOverlaps<Real>{ state, box, law(), a_.data(), b_.data(), ghosts, overlap.data() });
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

template <class Exec, class Real>
template <bool kPlain>
void ShapeForces<Exec, Real>::queueNarrowPhases(const EvaluateShapeContact<Real>& contacts)
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
    const std::uint32_t threads = (contacts_ + 7) / 8; // usually there are few new contacts
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

template <class Exec, class Real>
void ShapeForces<Exec, Real>::queueWalls(
  const ShapeStep<Real>& step, const WallForces<Real>& walls, Load<Real>* loads)
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

template <class Exec, class Real>
std::vector<Vec3d> ShapeForces<Exec, Real>::normalsBeyond(const WallSet& walls)
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

} // namespace dem
