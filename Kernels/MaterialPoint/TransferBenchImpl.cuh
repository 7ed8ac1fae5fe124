// The body of MpmTransfers.h: one case of points and grid on one device, on which all transfers
// run.
#pragma once

#include "MaterialPoint/BenchMaps.cuh"
#include "MaterialPoint/BenchRead.cuh"
#include "MaterialPoint/detail/TransferBody.h"

#include <memory>
#include <string>
#include <vector>

namespace mpm
{

namespace detail
{

/// Throws dem::Error if two options do not go together, and names both.
inline void requireTogether(const TransferOptions& options, bool double_precision)
{
  const std::string to_grid = mpm::name(options.to_grid),
                    batching = std::to_string(options.batching);
  if (options.batching != 1 && options.batching != 2 && options.batching != 4)
    throw dem::Error("Batching is 1, 2 or 4, not " + batching + ".");
  if (options.map_points != 1 && options.map_points != 4)
    throw dem::Error(
      "A thread of a map takes 1 point or 4, not " + std::to_string(options.map_points) + ".");
  const bool batches =
    options.to_grid == ToGridMethod::SharedAtomic || options.to_grid == ToGridMethod::Sync;
  const bool blocks = batches || options.to_grid == ToGridMethod::Pull;
  if (options.sort == SortMethod::None && (blocks || options.to_points == ToPointsMethod::Shared))
    throw dem::Error("The sort none does not go with " +
      (blocks ? "points to grid by " + to_grid : std::string("grid to points by shared")) +
      ", which needs to know the points of a block.");
  if (options.batching > 1 && !batches)
    throw dem::Error("Batching " + batching + " does not go with points to grid by " + to_grid +
      ", whose threads take one point at a time.");
  if (options.to_grid == ToGridMethod::Pull && options.wide_blocks && double_precision)
    throw dem::Error("Double precision does not go with points to grid by pull in blocks of 8 x "
                     "4 x 4: shared memory ends. Use blocks of 4 x 4 x 4.");
}

template <class Exec, Spline spline, class Real>
class TransferBody final : public TransferBench::Body
{
public:
  template <class... Arguments>
  TransferBody(const TransferCase& what, Arguments... arguments)
    : what_(what)
    , exec_(arguments...)
  {
    exec_.inArena([&] {
      points_.fill(what_);
      const std::size_t nodes = std::size_t(what_.cells) * what_.cells * what_.cells;
      node_.resize(nodes);
      velocity_.resize(nodes);
      node_.zero();
      choose(options_);
    });
  }

  void choose(const TransferOptions& options) override
  {
    requireTogether(options, sizeof(Real) == 8);
    options_ = options;
    bins_.setUp(what_.cells, options.wide_blocks);
  }

  void prepare() override
  {
    exec_.inArena([&] {
      if (options_.sort == SortMethod::None)
        return;
      bins_.bin();
      bins_.scan();
      bins_.reorder(deep(), true);
      bins_.filter();
    });
  }

  double run(TransferStage stage, int times) override
  {
    double seconds = 0;
    exec_.inArena([&] {
      typename Exec::Stopwatch watch(exec_);
      exec_.synchronize();
      watch.start();
      for (int k = 0; k < times; ++k)
        once(stage);
      watch.stop();
      exec_.synchronize();
      seconds = watch.seconds() / times;
    });
    return seconds;
  }

  // ---- results  ----

  TransferTotals ofPoints() override
  {
    TransferTotals t;
    const auto place = points_.read(0), velocity = points_.read(1);
    std::vector<Vec4<Real>> c[3];
    for (int k = 0; k < 3; ++k)
      c[k] = points_.read(2 + k);
    const double d = SplineTraits<spline>::kD;
    for (std::size_t i = 0; i < place.size(); ++i)
    {
      const double m = place[i].w;
      const Vec3d x = place[i].xyz().template as<double>(),
                  v = velocity[i].xyz().template as<double>();
      t.mass += m;
      t.momentum += m * v;
      t.angular += m * cross(x, v);
      if (options_.affine)
        t.angular += (m * d) *
          Vec3d{ double(c[1][i].z) - c[2][i].y, double(c[2][i].x) - c[0][i].z,
            double(c[0][i].y) - c[1][i].x };
    }
    return t;
  }
  TransferTotals ofGrid() override
  {
    TransferTotals t;
    const auto node = node_.host();
    for (std::size_t i = 0; i < node.size(); ++i)
    {
      const Vec3d x{ double(i % what_.cells), double(i / what_.cells % what_.cells),
        double(i / what_.cells / what_.cells) };
      const Vec3d p = node[i].xyz().template as<double>();
      t.mass += node[i].w;
      t.momentum += p;
      t.angular += cross(x, p);
    }
    return t;
  }
  std::vector<double> grid() override
  {
    std::vector<double> out;
    for (const Vec4<Real>& n : node_.host())
      out.insert(out.end(), { double(n.x), double(n.y), double(n.z), double(n.w) });
    return out;
  }
  std::vector<double> velocities() override
  {
    const auto v = points_.read(1);
    const auto id = points_.readIds();
    std::vector<double> out(3 * v.size());
    for (std::size_t i = 0; i < v.size(); ++i)
      for (int k = 0; k < 3; ++k)
        out[3 * std::size_t(id[i]) + k] = v[i].xyz()[k];
    return out;
  }
  bool sorted() override
  {
    const auto place = points_.read(0);
    const auto order = bins_.readOrder();
    std::uint32_t last = 0;
    for (std::size_t k = 0; k < place.size(); ++k)
    {
      int b[3];
      Vec3<Real> f;
      binOf<spline>(place[options_.sort == SortMethod::Index ? order[k] : k], b, f);
      const std::uint32_t bin = bins_.grid().bin(b[0], b[1], b[2]);
      if (bin < last)
        return false;
      last = bin;
    }
    return true;
  }
  double reduced() override { return maps_.reduced(); }
  std::vector<double> mapped(int which) override
  {
    const std::vector<Real> v = maps_.mapped(which);
    return std::vector<double>(v.begin(), v.end());
  }
  std::vector<std::uint32_t> scanned() override { return maps_.scanned(); }

private:
  bool deep() const { return options_.sort == SortMethod::Deep; }

  void once(TransferStage stage)
  {
    switch (stage)
    {
      case TransferStage::Bin:
        return bins_.bin();
      case TransferStage::Scan:
        return bins_.scan();
      case TransferStage::Reorder:
        return bins_.reorder(deep(), false);
      case TransferStage::Filter:
        return bins_.filter();
      case TransferStage::ToGrid:
        return toGrid();
      case TransferStage::ToPoints:
        return toPoints();
      case TransferStage::MapSoA1:
        return maps_.map(false, 1, options_.map_points);
      case TransferStage::MapAoS1:
        return maps_.map(true, 1, options_.map_points);
      case TransferStage::MapSoA2:
        return maps_.map(false, 2, options_.map_points);
      case TransferStage::MapAoS2:
        return maps_.map(true, 2, options_.map_points);
      case TransferStage::ReduceLength:
        return maps_.reduceInOrder(options_.map_points);
      case TransferStage::ReduceLibrary:
        return maps_.reduceByLibrary();
      case TransferStage::ScanIntegers:
        return maps_.scanIntegers();
      case TransferStage::CopyIntegers:
        return maps_.copyIntegers();
      case TransferStage::ReduceInterleaved:
        return maps_.reduceByHand(true, 1);
      case TransferStage::ReduceSequential:
        return maps_.reduceByHand(false, 1);
      case TransferStage::ReduceSequential2:
        return maps_.reduceByHand(false, 2);
      case TransferStage::ReduceSequential128:
        return maps_.reduceByHand(false, 128);
      case TransferStage::ScanConflicts:
        return maps_.scanByHand(false, 1);
      case TransferStage::ScanPadded:
        return maps_.scanByHand(true, 1);
      case TransferStage::ScanPadded2:
        return maps_.scanByHand(true, 2);
      case TransferStage::ScanPadded4:
        return maps_.scanByHand(true, 4);
    }
  }

  // ---- transfers  ----

  void toGrid()
  {
    node_.zero();
    constexpr std::size_t N = SplineTraits<spline>::kNodes;
    const std::size_t n = what_.points;
    switch (options_.to_grid)
    {
      case ToGridMethod::Global:
        exec_.forEach(n,
          GiveGlobal<spline, Real>{
            bins_.grid(), points_.view(), order(), options_.affine, node_.data() });
        break;
      case ToGridMethod::GlobalSupport:
        exec_.forEach(n * N * N * N,
          GiveSupport<spline, Real>{
            bins_.grid(), points_.view(), order(), options_.affine, node_.data() });
        break;
      case ToGridMethod::WarpSums:
      {
        using Give = GiveByWarps<BenchSource<spline, Real>, Real>;
        exec_.forEachBlock(Give::blocks(n),
          Give{ { bins_.grid(), points_.view(), order(), options_.affine, node_.data(),
            static_cast<std::uint32_t>(n) } });
        break;
      }
      case ToGridMethod::Pull:
        pull();
        break;
      case ToGridMethod::SharedAtomic:
        giveBatched<false>();
        break;
      case ToGridMethod::Sync:
        giveBatched<true>();
        break;
    }
  }
  void pull()
  {
    const BlockInput<spline, Real> input = bins_.input(options_, true, node_.data());
    const std::size_t blocks = bins_.blocks(options_, true);
    if constexpr (sizeof(Real) == 4) // double precision leaves no room for the wide block
      if (options_.wide_blocks)
      {
        exec_.forEachBlock(blocks, GivePull<spline, Real, 128>{ input });
        return;
      }
    exec_.forEachBlock(blocks, GivePull<spline, Real, 64>{ input });
  }
  template <bool kSync>
  void giveBatched()
  {
    if (options_.batching == 4)
      giveShared<kSync, 4>();
    else if (options_.batching == 2)
      giveShared<kSync, 2>();
    else
      giveShared<kSync, 1>();
  }
  template <bool kSync, int kBatch>
  void giveShared()
  {
    const BlockInput<spline, Real> input = bins_.input(options_, false, node_.data());
    const std::size_t blocks = bins_.blocks(options_, false);
    if (options_.wide_blocks)
      exec_.forEachBlock(blocks, GiveShared<spline, Real, kSync, kBatch, 128>{ input });
    else
      exec_.forEachBlock(blocks, GiveShared<spline, Real, kSync, kBatch, 64>{ input });
  }
  void toPoints()
  {
    exec_.forEach(node_.size(), DivideByMass<Real>{ node_.data(), velocity_.data() });
    const BlockInput<spline, Real> input = bins_.input(options_, false, velocity_.data());
    const std::size_t blocks = bins_.blocks(options_, false);
    if (options_.to_points == ToPointsMethod::Global)
      exec_.forEach(what_.points,
        ReadGlobal<spline, Real>{
          bins_.grid(), points_.view(), order(), options_.affine, velocity_.data() });
    else if (options_.wide_blocks)
      exec_.forEachBlock(blocks, ReadShared<spline, Real, 128>{ input });
    else
      exec_.forEachBlock(blocks, ReadShared<spline, Real, 64>{ input });
  }
  const std::uint32_t* order() { return bins_.order(options_); }

  TransferCase what_;
  TransferOptions options_;
  Exec exec_;
  BenchPointSet<Exec, Real> points_{ exec_ };
  BenchBins<Exec, spline, Real> bins_{ exec_, points_ };
  BenchMaps<Exec, Real> maps_{ exec_, points_ };
  dem::Array<Vec4<Real>, Exec> node_{ exec_ };     // momentum and mass
  dem::Array<Vec4<Real>, Exec> velocity_{ exec_ }; // of the nodes, and the mass
};

template <class Exec, class... Arguments>
std::unique_ptr<TransferBench::Body> makeTransferBody(
  const TransferCase& what, Arguments... arguments)
{
  if (what.precision == Precision::Double)
  {
    if (what.spline == Spline::Cubic)
      return std::make_unique<TransferBody<Exec, Spline::Cubic, double>>(what, arguments...);
    return std::make_unique<TransferBody<Exec, Spline::Quadratic, double>>(what, arguments...);
  }
  if (what.spline == Spline::Cubic)
    return std::make_unique<TransferBody<Exec, Spline::Cubic, float>>(what, arguments...);
  return std::make_unique<TransferBody<Exec, Spline::Quadratic, float>>(what, arguments...);
}

} // namespace detail
} // namespace mpm
