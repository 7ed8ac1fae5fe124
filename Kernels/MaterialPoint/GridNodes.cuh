// The nodes of the touched blocks and the tiles through which points add to them.
#pragma once

#include "MaterialPoint/GridMemory.cuh"
#include "MaterialPoint/GridTransfers.cuh"
#include "MaterialPoint/NodeUpdate.cuh"
#include "MaterialPoint/PointSet.cuh"

#include <algorithm>
#include <string>
#include <vector>

namespace mpm
{

template <class Exec, class Real>
class GridNodes
{
public:
  using Field = dem::Array<Vec4<Real>, Exec>;
  /// kg. Lighter nodes have lost their digits and count as empty.
  static constexpr Real kLeastMass = sizeof(Real) == 4 ? Real(1e-36) : Real(1e-290);

  GridNodes(Exec& exec, const Scene& scene, PointSet<Exec, Real>& points, PointOrder<Exec>& order)
    : exec_(exec)
    , scene_(scene)
    , points_(points)
    , order_(order)
  {
  }

  /// Makes room for the touched blocks. Throws if it exceeds MemoryLimit or the device's memory.
  template <Spline spline>
  void resize()
  {
    const std::size_t nodes = order_.nodes();
    const std::size_t tile = std::size_t(order_.blocks()) * 4 * SplineTraits<spline>::kTile *
      SplineTraits<spline>::kTile * SplineTraits<spline>::kTile;
    const std::size_t sums = sumsInTiles() ? 0 : nodes;
    requireWithinLimit(scene_,
      static_cast<double>(tile * sizeof(Real) + (nodes + sums) * sizeof(Vec4<Real>) + nodes * 8) +
        12. * order_.grid().total());
    if (tile > tile_.capacity() || nodes > velocity_.capacity() || sums > sum_.capacity())
      requireMemory<Exec>(1.2 *
            (static_cast<double>(tile) * sizeof(Real) +
              static_cast<double>(nodes + sums) * sizeof(Vec4<Real>)) -
          static_cast<double>(tile_.capacity() * sizeof(Real) +
            (velocity_.capacity() + sum_.capacity()) * sizeof(Vec4<Real>)),
        "A grid of " + std::to_string(order_.blocks()) + " blocks of 4 x 4 x 4 cells of " +
          std::to_string(scene_.grid_spacing) + " m");
    tile_.resize(tile, 1.2);
    velocity_.resize(nodes, 1.2);
    sum_.resize(sums, 1.2);
  }

  /// Adds load(i) of all points to the tiles of their blocks.
  template <Spline spline, class Load>
  void addToTiles(const Load& load)
  {
    exec_.forEachBlock(order_.blocks(),
      PointsToTiles<spline, Real, Load>{
        load, points_.view().column[0], order_.start(), order_.order(), tile_.data() });
  }
  /// Adds the tiles to `out`: sums, or sums divided by the mass.
  template <Spline spline, int kComponents = 4>
  void gather(bool divide, Field& out)
  {
    exec_.forEach(order_.nodes(),
      GatherNodes<TileSum<spline, Real, kComponents>, Real>{
        tileSum<spline, kComponents>(), divide, kLeastMass, out.data() });
  }
  /// Velocities of the nodes after the loads in the tiles, gravity and the domain's borders.
  template <Spline spline>
  void update(double dt, const NodeBorders<Real>& borders)
  {
    exec_.forEach(order_.nodes(),
      UpdateNodes<TileSum<spline, Real>, Real>{ tileSum<spline>(), borders,
        (dt * scene_.gravity).template as<Real>(), kLeastMass, velocity_.data() });
  }

  // ---- the transfers of Scene::grid_transfer other than Tiles  ----

  bool usesTiles() const { return scene_.grid_transfer == GridTransfer::Tiles; }
  /// Adds the load of all points by the method of the scene.
  template <Spline spline>
  void addByChoice(const AnyMomentumLoad<Real>& load)
  {
    using Load = AnyMomentumLoad<Real>;
    const PointsView<Real> points = points_.view();
    const BlockGrid& grid = order_.grid();
    const std::uint32_t entries = points_.entries();
    if (scene_.grid_transfer == GridTransfer::Global)
    {
      sum_.zero();
      exec_.forEach(entries, GiveToNodes<spline, Real, Load>{ grid, points, load, sum_.data() });
    }
    else if (scene_.grid_transfer == GridTransfer::GlobalSupport)
    {
      using Give = GiveToNode<spline, Real, Load>;
      constexpr std::uint32_t kAtOnce = 1u << 24; // points, so that threads are counted by 32 bits
      sum_.zero();
      for (std::uint32_t first = 0; first < entries; first += kAtOnce)
        exec_.forEach(std::min(kAtOnce, entries - first) * Give::kSupport,
          Give{ grid, points, load, sum_.data(), first });
    }
    else if (scene_.grid_transfer == GridTransfer::WarpSums)
    {
      using Give = detail::GiveByWarps<OrderedPoints<spline, Real, Load>, Real>;
      sum_.zero();
      exec_.forEachBlock(Give::blocks(entries),
        Give{
          { grid, points, load, order_.order(), order_.start() + order_.nodes(), sum_.data() } });
    }
    else if (scene_.grid_transfer == GridTransfer::Pull)
      exec_.forEach(order_.nodes(),
        PullPoints<spline, Real, Load>{
          grid, points, load, order_.start(), order_.order(), sum_.data() });
    else if (scene_.batching == 1)
      addToSharedTiles<spline, 1>(load);
    else
      addToSharedTiles<spline, 4>(load);
  }
  /// gather() of what addByChoice() added, divided by the mass.
  template <Spline spline>
  void gatherByChoice(Field& out)
  {
    if (sumsInTiles())
      gather<spline>(true, out);
    else
      exec_.forEach(order_.nodes(),
        GatherNodes<NodeSum<Real>, Real>{
          { order_.grid(), sum_.data() }, true, kLeastMass, out.data() });
  }
  /// update() of what addByChoice() added.
  template <Spline spline>
  void updateByChoice(double dt, const NodeBorders<Real>& borders)
  {
    if (sumsInTiles())
      update<spline>(dt, borders);
    else
      exec_.forEach(order_.nodes(),
        UpdateNodes<NodeSum<Real>, Real>{ { order_.grid(), sum_.data() }, borders,
          (dt * scene_.gravity).template as<Real>(), kLeastMass, velocity_.data() });
  }

  template <Spline spline, int kComponents = 4>
  TileSum<spline, Real, kComponents> tileSum()
  {
    return { order_.grid(), order_.start(), tile_.data() };
  }
  Real* tiles() { return tile_.data(); }
  Field& velocity() { return velocity_; } ///< m/s, and the mass in kg
  std::size_t size() const { return order_.nodes(); }

private:
  template <Spline spline, int kBatch>
  void addToSharedTiles(const AnyMomentumLoad<Real>& load)
  {
    using Load = AnyMomentumLoad<Real>;
    const Vec4<Real>* place = points_.view().column[0];
    if (scene_.grid_transfer == GridTransfer::Sync)
      exec_.forEachBlock(order_.blocks(),
        PointsToSharedTile<spline, Real, Load, true, kBatch>{
          load, place, order_.start(), order_.order(), tile_.data() });
    else
      exec_.forEachBlock(order_.blocks(),
        PointsToSharedTile<spline, Real, Load, false, kBatch>{
          load, place, order_.start(), order_.order(), tile_.data() });
  }
  bool sumsInTiles() const
  {
    return usesTiles() || scene_.grid_transfer == GridTransfer::Sync ||
      scene_.grid_transfer == GridTransfer::SharedAtomic;
  }

  Exec& exec_;
  const Scene& scene_;
  PointSet<Exec, Real>& points_;
  PointOrder<Exec>& order_;
  Field sum_{ exec_ }; // momentum and mass of the nodes, for some transfers
  dem::Array<Real, Exec> tile_{ exec_ };
  Field velocity_{ exec_ };
};

} // namespace mpm
