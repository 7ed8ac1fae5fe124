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
  void use(const std::vector<Shape>& shapes, const WallSet& walls);

  /// Selects the kernels for the shapes that bodies use. `shape_of`: shape of each body.
  void useBodies(const std::vector<Shape>& shapes, const std::vector<std::int32_t>& shape_of);

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
    const ListView& list, std::uint32_t n, std::size_t contacts, double largest);
  /// The paths that the drift updates.
  SurfacePaths paths()
  {
    return { table_ && Exec::kDevice ? path_.data() : nullptr,
      static_cast<float>(SurfacePaths::kReach * largest_) };
  }
  /// Prepares the arrays for a new wall list with `entries` slots.
  void listWalls(const WallListView& list, std::size_t entries);

  /// Queues the forces of all pairs and walls on n parts. `wall_row`: row of each part in the wall
  /// list, or kNoRow. Ghosts get no loads.
  void queue(const ShapeStep<Real>& step, const ListView& list, const ContactSlots<Real>& slots,
    std::uint32_t n, const WallForces<Real>& walls, const std::uint32_t* wall_row,
    GhostBits ghosts);

  /// Counts the pairs that overlap by more than `accepted`, relative to the smaller depthRadius();
  /// in a part of a run, those whose lower Id it owns. `first`, `second`: indices of the two parts
  /// that overlap most, if there are any.
  InitialOverlaps overlaps(const StateView<Real>& state, const Periodic& box, GhostBits ghosts,
    double accepted, std::uint32_t& first, std::uint32_t& second);

private:
  template <class T>
  using Buffer = Array<T, Exec>;

  bool solids() const { return has_.few_faced || has_.many_faced; }
  unsigned firstKind() const { return has_.spheres || has_.tablets ? kSpherePair : kSolidKinds; }

  // Queues the search for touching candidates, then one kernel for each kind of narrow phase that
  // can occur. With `kPlain` the kernels that take longest have the law's options as compile-time
  // constants.
  template <bool kPlain>
  void queueNarrowPhases(const EvaluateShapeContact<Real>& contacts);

  void queueWalls(const ShapeStep<Real>& step, const WallForces<Real>& walls, Load<Real>* loads);

  // Unit normals of the triangles beyond each edge, oriented consistently across the edge; zero if
  // there is none. By element and edge.
  static std::vector<Vec3d> normalsBeyond(const WallSet& walls);

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
