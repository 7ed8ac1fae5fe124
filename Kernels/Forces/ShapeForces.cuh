// Forces of tablets, polyhedra, spheres and clumps in one scene, a strategy of ForceStage.cuh. From
// the candidates of the default list, those are kept whose bounding spheres meet. A device sorts
// them by the kind of their narrow phase, so that neighbouring threads run the same code
// (ShapeBlocks.cuh). Each touching contact is evaluated once, from the side of the lower Id, and
// stores its loads on both parts. Then each part sums its row in the order of the default: lower
// Ids, then higher Ids, ascending. So the bits depend on the scene alone.
#pragma once

#include "Core/Array.h"
#include "Forces/ShapePairs.cuh"
#include "Forces/ShapeWalls.cuh"
#include "Scene/InitialOverlaps.h"
#include "Walls/WallMesh.h"

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

/// Launches the kernels of shape contacts and owns their arrays.
template <class Exec, class Real>
class ShapeForces
{
public:
  explicit ShapeForces(Exec& exec)
    : exec_(exec)
  {
  }

  /// Copies the shapes and walls of a scene to the device.
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

  /// Selects the kernels for the shapes that bodies use. `shape_of`: shape of each body.
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

  /// Prepares the arrays for a new list of n parts and `contacts` contacts. Returns the kernel that
  /// numbers the contacts and fills in the parts of each. `largest`: largest bounding radius of the
  /// parts, m.
  NumberContacts listPairs(
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
  /// The paths that the drift updates.
  SurfacePaths paths()
  {
    return { table_ && Exec::kDevice ? path_.data() : nullptr,
      static_cast<float>(SurfacePaths::kReach * largest_) };
  }
  /// Prepares the arrays for a new wall list with `entries` slots.
  void listWalls(const WallListView& list, std::size_t entries)
  {
    if (!table_)
      return;
    row_of_.resize(entries, 1.2);
    found_.resize(entries, 1.2);
    exec_.forEach(list.rows, ListWallRows{ list, row_of_.data() });
  }

  /// Queues the forces of all pairs and walls on n parts. `wall_row`: row of each part in the wall
  /// list, or kNoRow. Ghosts get no loads.
  void queue(const ShapeStep<Real>& step, const ListView& list, const ContactSlots<Real>& slots,
    std::uint32_t n, const WallForces<Real>& walls, const std::uint32_t* wall_row, GhostBits ghosts)
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
    const SumShapeRows<Real> rows{ step, list, slots.flags, records, ghosts };
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

  /// Counts the pairs that overlap by more than `accepted`, relative to the smaller depthRadius();
  /// in a part of a run, those whose lower Id it owns. `first`, `second`: indices of the two parts
  /// that overlap most, if there are any.
  InitialOverlaps overlaps(const StateView<Real>& state, const Periodic& box, GhostBits ghosts,
    double accepted, std::uint32_t& first, std::uint32_t& second)
  {
    Buffer<double> overlap(exec_);
    overlap.resize(contacts_);
    exec_.forEach(contacts_,
      MeasureShapeOverlaps<Real>{
        state, box, law(), a_.data(), b_.data(), ghosts, overlap.data() });
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

  // Queues the search for touching candidates, then one kernel for each kind of narrow phase that
  // can occur. With `kPlain` the kernels that take longest have the law's options as compile-time
  // constants.
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

  // Unit normals of the triangles beyond each edge, oriented consistently across the edge; zero if
  // there is none. By element and edge.
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
  double largest_ = 0;                   // largest bounding radius, m
  struct
  {
    bool spheres, tablets, few_faced, many_faced;
  } has_{}; // kinds of shapes that the parts have
  int only_ = ShapeLaw<Real>::kManyShapes;
  bool planes_ = false; // all wall elements are planes
  Buffer<EntryLoad<Real>> of_a_{ exec_ }, of_b_{ exec_ };
  Buffer<ContactGeometry<double>> found_{ exec_ };
  Buffer<Load<Real>> wall_loads_{ exec_ }; // by wall row, on a device
  std::uint32_t contacts_ = 0;
};

} // namespace dem
