// Other ways in which points add to the nodes of the sparse grid (Meyer 2019, 5.4.2), as choices of
// a run (Scene::grid_transfer). The default is Tiles.cuh. They agree with it to rounding.
#pragma once

#include "MaterialPoint/Tiles.cuh"
#include "MaterialPoint/detail/FloatAtomics.cuh"
#include "MaterialPoint/detail/GiveByWarps.cuh"

namespace mpm
{

/// What a point adds to node (i, j, k) of its support: momentum and mass.
template <Spline spline, class Real>
struct PointShare
{
  SplineWeights<spline, Real> x, y, z;
  PointLoad<Real> p;

  /// Adds nothing.
  DEM_HD PointShare()
    : PointShare(PointLoad<Real>{}, Vec3<Real>{})
  {
  }
  DEM_HD PointShare(const PointLoad<Real>& load, const Vec3<Real>& f)
    : x(f.x)
    , y(f.y)
    , z(f.z)
    , p(load)
  {
  }
  DEM_HD Vec4<Real> at(int i, int j, int k) const
  {
    const Real wx = pick(x.w, i), wy = pick(y.w, j), wz = pick(z.w, k), w = wx * wy * wz;
    Vec3<Real> v = multiplyAdd(pick(z.d, k), p.mc.c[2],
      multiplyAdd(pick(y.d, j), p.mc.c[1], multiplyAdd(pick(x.d, i), p.mc.c[0], p.mv)));
    v = w * v;
    v = multiplyAdd(pick(x.g, i) * wy * wz, p.t.c[0], v);
    v = multiplyAdd(pick(y.g, j) * wx * wz, p.t.c[1], v);
    v = multiplyAdd(pick(z.g, k) * wx * wy, p.t.c[2], v);
    return vec4(v, w * p.m);
  }
};

/// The nodes that a bin sees, in the array of the nodes of touched blocks.
struct SeenNodes
{
  std::uint32_t block[8];
  int x, y, z; // of the bin in its block

  SeenNodes() = default;
  DEM_HD SeenNodes(const BlockGrid& grid, BinKey key)
    : x(key & 3)
    , y(key >> 2 & 3)
    , z(key >> 4 & 3)
  {
    int at[3];
    grid.split(key / kBlockBins, at[0], at[1], at[2]);
    for (int k = 0; k < 8; ++k)
      block[k] = grid.find(at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2));
  }
  /// Index of node (i, j, k) of the support; BlockGrid::kNone outside the domain.
  DEM_HD std::uint32_t at(int i, int j, int k) const
  {
    const int a = x + i, b = y + j, c = z + k;
    const std::uint32_t of = block[(a >> 2) | (b >> 2) << 1 | (c >> 2) << 2];
    return of == BlockGrid::kNone ? of : of * kBlockBins + ((a & 3) | (b & 3) << 2 | (c & 3) << 4);
  }
};

/// GridTransfer::Global: a point a thread, one atomic addition a node and component.
template <Spline spline, class Real, class Load>
struct GiveToNodes
{
  static constexpr int N = SplineTraits<spline>::kNodes;
  BlockGrid grid;
  PointsView<Real> points;
  Load load;
  Vec4<Real>* sum;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const BinKey key = points.key[i];
    if (key == kGone)
      return;
    const SeenNodes nodes(grid, key);
    const PointShare<spline, Real> share(load(i), points.column[0][i].xyz());
    for (int z = 0; z < N; ++z)
      for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
        {
          const std::uint32_t n = nodes.at(x, y, z);
          if (n != BlockGrid::kNone)
            detail::atomicSum(&sum[n], share.at(x, y, z));
        }
  }
};

/// GridTransfer::GlobalSupport: a point and one of its nodes a thread.
template <Spline spline, class Real, class Load>
struct GiveToNode
{
  static constexpr std::uint32_t N = SplineTraits<spline>::kNodes, kSupport = N * N * N;
  BlockGrid grid;
  PointsView<Real> points;
  Load load;
  Vec4<Real>* sum;
  std::uint32_t first; // point

  DEM_HD void operator()(std::uint32_t t) const
  {
    const std::uint32_t i = first + t / kSupport, n = t % kSupport;
    const BinKey key = points.key[i];
    if (key == kGone)
      return;
    const int x = static_cast<int>(n % N), y = static_cast<int>(n / N % N),
              z = static_cast<int>(n / (N * N));
    const std::uint32_t node = SeenNodes(grid, key).at(x, y, z);
    if (node != BlockGrid::kNone)
      detail::atomicSum(
        &sum[node], PointShare<spline, Real>(load(i), points.column[0][i].xyz()).at(x, y, z));
  }
};

/// GridTransfer::WarpSums: the points of detail::GiveByWarps, in the order of their bins.
template <Spline spline, class Real, class Load>
struct OrderedPoints
{
  static constexpr int kNodes = SplineTraits<spline>::kNodes;
  struct Nodes
  {
    SeenNodes seen;
    Vec4<Real>* sum;
    DEM_HD void add(int x, int y, int z, const Vec4<Real>& value) const
    {
      const std::uint32_t n = seen.at(x, y, z);
      if (n != BlockGrid::kNone)
        detail::atomicSum(&sum[n], value);
    }
  };
  BlockGrid grid;
  PointsView<Real> points;
  Load load;
  const std::uint32_t *order, *size; // size: number of entries of the order
  Vec4<Real>* sum;

  DEM_HD std::uint32_t count() const { return *size; }
  DEM_HD std::uint32_t key(std::uint32_t k) const { return points.key[order[k]]; }
  DEM_HD PointShare<spline, Real> share(std::uint32_t k) const
  {
    return PointShare<spline, Real>(load(order[k]), points.column[0][order[k]].xyz());
  }
  DEM_HD Nodes nodes(std::uint32_t k) const { return { SeenNodes(grid, key(k)), sum }; }
};

/// GridTransfer::Pull: a node a thread, which reads the points of the bins that see it in ascending
/// bin and place in memory, from global memory. Meyer 2019 stages the points of a block and its
/// halo in shared memory between barriers (BenchGive.cuh, GivePull).
template <Spline spline, class Real, class Load>
struct PullPoints
{
  static constexpr int N = SplineTraits<spline>::kNodes;
  BlockGrid grid;
  PointsView<Real> points;
  Load load;
  const std::uint32_t *start, *order;
  Vec4<Real>* sum;

  DEM_HD void operator()(std::uint32_t node) const
  {
    int at[3];
    grid.bin(grid.list[node / kBlockBins] * kBlockBins + node % kBlockBins, at[0], at[1], at[2]);
    Vec4<Real> total{};
    for (int z = N - 1; z >= 0; --z)
      for (int y = N - 1; y >= 0; --y)
        for (int x = N - 1; x >= 0; --x)
        {
          const int bx = at[0] - x, by = at[1] - y, bz = at[2] - z;
          if (bx < 0 || by < 0 || bz < 0)
            continue;
          const std::uint32_t block = grid.find(bx >> 2, by >> 2, bz >> 2);
          if (block == BlockGrid::kNone)
            continue;
          const std::uint32_t bin = block * kBlockBins + ((bx & 3) | (by & 3) << 2 | (bz & 3) << 4);
          for (std::uint32_t k = start[bin]; k < start[bin + 1]; ++k)
          {
            const std::uint32_t i = order[k];
            total =
              total + PointShare<spline, Real>(load(i), points.column[0][i].xyz()).at(x, y, z);
          }
        }
    sum[node] = total;
  }
};

/// GridTransfer::Sync and SharedAtomic: a bin a thread adds its points to the block's tile in
/// shared memory, kBatch points at once. Sync: all threads add to the same node of their support
/// between two barriers, so no two threads meet. SharedAtomic: with atomic additions, in the order
/// of arrival. Writes tiles as PointsToTiles does.
template <Spline spline, class Real, class Load, bool kSync, int kBatch>
struct PointsToSharedTile
{
  static constexpr int N = SplineTraits<spline>::kNodes, kEdge = SplineTraits<spline>::kTile,
                       kTile = kEdge * kEdge * kEdge;
  static constexpr unsigned kThreads = kBlockBins;
  struct Shared
  {
    Vec4<Real> tile[kTile];
    unsigned most;
  };
  Load load;
  const Vec4<Real>* place;
  const std::uint32_t *start, *order;
  Real* tile;

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t* first = start + std::size_t(block) * kBlockBins;
    if (first[0] == first[kBlockBins])
      return;
    teamFor(0, kTile, [&](std::uint32_t n) { shared.tile[n] = {}; });
    if (teamFirst())
      shared.most = 0;
    teamSync();
#if defined(__CUDA_ARCH__)
    addByThreads(first, shared);
#elif !defined(__CUDACC__)
    for (int bin = 0; bin < kBlockBins; ++bin)
      for (std::uint32_t k = first[bin]; k < first[bin + 1]; k += kBatch)
        add(k, first[bin + 1], bin, shared);
#endif
    teamSync();
    Real* to = tile + std::size_t(block) * 4 * kTile;
    teamFor(0, kTile, [&](std::uint32_t n) {
      const Vec4<Real> v = shared.tile[n];
      to[n] = v.x;
      to[kTile + n] = v.y;
      to[2 * kTile + n] = v.z;
      to[3 * kTile + n] = v.w;
    });
  }

private:
  DEM_HD static int slot(int bin, int x, int y, int z)
  {
    return (((bin >> 4) + z) * kEdge + (bin >> 2 & 3) + y) * kEdge + (bin & 3) + x;
  }
#if defined(__CUDA_ARCH__)
  __device__ void addByThreads(const std::uint32_t* first, Shared& shared) const
  {
    const int bin = static_cast<int>(threadIdx.x);
    const std::uint32_t begin = first[bin], count = first[bin + 1] - begin;
    dem::atomicRaise(&shared.most, count);
    __syncthreads();
    for (std::uint32_t r = 0; r < (kSync ? shared.most : count); r += kBatch)
    {
      PointShare<spline, Real> share[kBatch];
      MPM_UNROLL
      for (int q = 0; q < kBatch; ++q)
        if (r + q < count)
        {
          const std::uint32_t i = order[begin + r + q];
          share[q] = PointShare<spline, Real>(load(i), place[i].xyz());
        }
      for (int z = 0; z < N; ++z)
        for (int y = 0; y < N; ++y)
          for (int x = 0; x < N; ++x)
          {
            Vec4<Real> sum{};
            MPM_UNROLL
            for (int q = 0; q < kBatch; ++q)
              sum = sum + share[q].at(x, y, z);
            Vec4<Real>& to = shared.tile[slot(bin, x, y, z)];
            if constexpr (kSync)
            {
              to = to + sum;
              __syncthreads();
            }
            else
              detail::atomicSum(&to, sum);
          }
    }
  }
#elif !defined(__CUDACC__)
  /// Adds the points at k, k + 1, .. of the order, up to kBatch.
  void add(std::uint32_t k, std::uint32_t end, int bin, Shared& shared) const
  {
    PointShare<spline, Real> share[kBatch];
    for (int q = 0; q < kBatch && k + q < end; ++q)
      share[q] = PointShare<spline, Real>(load(order[k + q]), place[order[k + q]].xyz());
    for (int z = 0; z < N; ++z)
      for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
        {
          Vec4<Real> sum{};
          for (int q = 0; q < kBatch; ++q)
            sum = sum + share[q].at(x, y, z);
          Vec4<Real>& to = shared.tile[slot(bin, x, y, z)];
          to = to + sum;
        }
  }
#endif
};

/// Sums of nodes, with the face of TileSum.
template <class Real>
struct NodeSum
{
  BlockGrid grid;
  const Vec4<Real>* sum;

  DEM_HD Vec4<Real> operator()(std::uint32_t node, int (&place)[3]) const
  {
    grid.bin(
      grid.list[node / kBlockBins] * kBlockBins + node % kBlockBins, place[0], place[1], place[2]);
    return sum[node];
  }
};

} // namespace mpm
