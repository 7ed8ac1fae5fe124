// Ways in which points add to the nodes of a dense grid.
#pragma once

#include "MaterialPoint/BenchBins.cuh"
#include "MaterialPoint/detail/FloatAtomics.cuh"
#include "MaterialPoint/detail/GiveByWarps.cuh"
#include "MaterialPoint/detail/Team.cuh"

namespace mpm
{

namespace detail
{

template <Spline spline, class Real>
struct GiveGlobal
{
  static constexpr int N = SplineTraits<spline>::kNodes;
  BenchGrid grid;
  BenchPoints<Real> points;
  const std::uint32_t* order; // or null
  bool affine;
  Vec4<Real>* node;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const HeldPoint<spline, Real> p(points, order ? order[k] : k, affine);
    MPM_UNROLL
    for (int z = 0; z < N; ++z)
      MPM_UNROLL
    for (int y = 0; y < N; ++y)
      MPM_UNROLL
    for (int x = 0; x < N; ++x)
      atomicSum(&node[grid.node(p.bin[0] - 1 + x, p.bin[1] - 1 + y, p.bin[2] - 1 + z)],
        p.at(x, y, z, affine));
  }
};

template <Spline spline, class Real>
struct GiveSupport
{
  static constexpr unsigned N = SplineTraits<spline>::kNodes;
  BenchGrid grid;
  BenchPoints<Real> points;
  const std::uint32_t* order;
  bool affine;
  Vec4<Real>* node;

  DEM_HD void operator()(std::uint32_t t) const
  {
    const std::uint32_t k = t / (N * N * N), n = t % (N * N * N);
    const int x = n % N, y = n / N % N, z = n / (N * N);
    const HeldPoint<spline, Real> p(points, order ? order[k] : k, affine);
    atomicSum(&node[grid.node(p.bin[0] - 1 + x, p.bin[1] - 1 + y, p.bin[2] - 1 + z)],
      p.pickAt(x, y, z, affine));
  }
};

/// The points of GiveByWarps.
template <Spline spline, class Real>
struct BenchSource
{
  static constexpr int kNodes = SplineTraits<spline>::kNodes;
  struct Share
  {
    HeldPoint<spline, Real> point;
    bool affine = false;
    DEM_HD Vec4<Real> at(int x, int y, int z) const { return point.pickAt(x, y, z, affine); }
  };
  struct Nodes
  {
    BenchGrid grid;
    int bin[3];
    Vec4<Real>* node;
    DEM_HD void add(int x, int y, int z, const Vec4<Real>& sum) const
    {
      atomicSum(&node[grid.node(bin[0] - 1 + x, bin[1] - 1 + y, bin[2] - 1 + z)], sum);
    }
  };
  BenchGrid grid;
  BenchPoints<Real> points;
  const std::uint32_t* order; // or null
  bool affine;
  Vec4<Real>* node;
  std::uint32_t size;

  DEM_HD std::uint32_t count() const { return size; }
  DEM_HD std::uint32_t key(std::uint32_t k) const
  {
    int b[3];
    Vec3<Real> f;
    binOf<spline>(points.column[0][at(k)], b, f);
    return grid.bin(b[0], b[1], b[2]);
  }
  DEM_HD Share share(std::uint32_t k) const { return { { points, at(k), affine }, affine }; }
  DEM_HD Nodes nodes(std::uint32_t k) const
  {
    Nodes n{ grid, {}, node };
    Vec3<Real> f;
    binOf<spline>(points.column[0][at(k)], n.bin, f);
    return n;
  }

private:
  DEM_HD std::uint32_t at(std::uint32_t k) const { return order ? order[k] : k; }
};

template <Spline spline>
struct BenchTile
{
  static constexpr int N = SplineTraits<spline>::kNodes;
  static constexpr int kEdgeX = 8 + N - 1, kEdge = 4 + N - 1,
                       kNodes = kEdgeX * kEdge * kEdge; // for the wide blocks
  DEM_HD static int at(int x, int y, int z) { return (z * kEdge + y) * kEdgeX + x; }
  /// Calls visit(place in the tile, node) for the nodes that the bins of a block see; node is
  /// 0xffffffff outside the grid.
  template <class Visit>
  DEM_HD static void forNodes(const BenchGrid& grid, std::uint32_t block, const Visit& visit)
  {
    int c[3];
    grid.corner(block, c);
    const std::uint32_t ex = grid.edge(0) + N - 1, total = ex * kEdge * kEdge;
    teamFor(0, total, [&](std::uint32_t n) {
      const int x = n % ex, y = n / ex % kEdge, z = n / (ex * kEdge);
      const int gx = c[0] - 1 + x, gy = c[1] - 1 + y, gz = c[2] - 1 + z;
      const bool there =
        gx >= 0 && gy >= 0 && gz >= 0 && gx < grid.cells && gy < grid.cells && gz < grid.cells;
      visit(at(x, y, z), there ? grid.node(gx, gy, gz) : 0xffffffffu);
    });
  }
};

/// A bin a thread adds to a tile in shared memory. kSync: separated by barriers instead of atomic
/// additions.
template <Spline spline, class Real, bool kSync, int kBatch, int kBins>
struct GiveShared
{
  static constexpr unsigned kThreads = kBins;
  static constexpr int N = SplineTraits<spline>::kNodes;
  using Tile = BenchTile<spline>;
  struct Shared
  {
    Vec4<Real> tile[Tile::kNodes];
  };
  BlockInput<spline, Real> in;

  DEM_HD void operator()(std::uint32_t b, Shared& shared) const
  {
    const std::uint32_t block = in.block(b);
    const BenchGrid& grid = in.grid;
    teamFor(0, Tile::kNodes, [&](std::uint32_t n) { shared.tile[n] = {}; });
    teamSync();
#if defined(__CUDA_ARCH__)
    addByThreads(block, shared);
#else
    addByOne(block, shared);
#endif
    teamSync();
    Tile::forNodes(grid, block, [&](int n, std::uint32_t node) {
      if (node != 0xffffffffu)
        atomicSum(&in.node[node], shared.tile[n]);
    });
  }

private:
#if defined(__CUDA_ARCH__)
  /// A thread a bin.
  __device__ void addByThreads(std::uint32_t block, Shared& shared) const
  {
    const BenchGrid& grid = in.grid;
    const std::uint32_t bin = block * grid.bins() + threadIdx.x, begin = in.start[bin],
                        end = in.start[bin + 1], most = in.most[block];
    const int bx = threadIdx.x & ((1 << grid.sx) - 1), by = threadIdx.x >> grid.sx & 3,
              bz = threadIdx.x >> (grid.sx + 2);
    const std::uint32_t rounds =
      kSync ? (most + kBatch - 1) / kBatch : (end - begin + kBatch - 1) / kBatch;
    for (std::uint32_t r = 0; r < rounds; ++r)
    {
      Real wx[kBatch][N], wy[kBatch][N], wz[kBatch][N], dx[kBatch][N], dy[kBatch][N], dz[kBatch][N];
      Vec4<Real> load[kBatch];
      Matrix3<Real> c[kBatch];
#pragma unroll
      for (int q = 0; q < kBatch; ++q)
      {
        const std::uint32_t k = begin + r * kBatch + q;
        load[q] = {};
        c[q] = {};
        if (k < end)
        {
          const HeldPoint<spline, Real> p(in.points, in.point(k), in.affine);
          load[q] = p.load;
          c[q] = p.c;
#pragma unroll
          for (int i = 0; i < N; ++i)
          {
            wx[q][i] = p.x.w[i];
            wy[q][i] = p.y.w[i];
            wz[q][i] = p.z.w[i];
            dx[q][i] = p.x.d[i];
            dy[q][i] = p.y.d[i];
            dz[q][i] = p.z.d[i];
          }
        }
        else
#pragma unroll
          for (int i = 0; i < N; ++i)
            wx[q][i] = wy[q][i] = wz[q][i] = dx[q][i] = dy[q][i] = dz[q][i] = 0;
      }
#pragma unroll
      for (int z = 0; z < N; ++z)
#pragma unroll
        for (int y = 0; y < N; ++y)
#pragma unroll
          for (int x = 0; x < N; ++x)
          {
            Vec4<Real> sum{};
#pragma unroll
            for (int q = 0; q < kBatch; ++q)
            {
              const Real w = wx[q][x] * wy[q][y] * wz[q][z];
              Vec3<Real> m = load[q].xyz();
              if (in.affine)
                m = m + c[q] * Vec3<Real>{ dx[q][x], dy[q][y], dz[q][z] };
              sum = sum + vec4(w * m, w * load[q].w);
            }
            Vec4<Real>* to = &shared.tile[Tile::at(bx + x, by + y, bz + z)];
            if constexpr (kSync)
            {
              *to = *to + sum;
              __syncthreads();
            }
            else
              atomicSum(to, sum);
          }
    }
  }
#else
  void addByOne(std::uint32_t block, Shared& shared) const
  {
    const BenchGrid& grid = in.grid;
    for (std::uint32_t t = 0; t < grid.bins(); ++t)
    {
      const std::uint32_t bin = block * grid.bins() + t;
      const int bx = t & ((1u << grid.sx) - 1), by = t >> grid.sx & 3, bz = t >> (grid.sx + 2);
      for (std::uint32_t k = in.start[bin]; k < in.start[bin + 1]; ++k)
      {
        const HeldPoint<spline, Real> p(in.points, in.point(k), in.affine);
        for (int z = 0; z < N; ++z)
          for (int y = 0; y < N; ++y)
            for (int x = 0; x < N; ++x)
            {
              Vec4<Real>& to = shared.tile[Tile::at(bx + x, by + y, bz + z)];
              to = to + p.at(x, y, z, in.affine);
            }
      }
    }
  }
#endif
};

template <Spline spline, class Real, int kBins>
struct GivePull
{
  static constexpr unsigned kThreads = kBins;
  static constexpr int N = SplineTraits<spline>::kNodes;
  // bins that reach a node: up to N - 2 below it, one above
  static constexpr int kBelow = N - 2, kEdgeX = 8 + N - 1, kEdge = 4 + N - 1;
  struct Held
  {
    Vec4<Real> load;
    Vec3<Real> place, c[3];
  };
  struct Shared
  {
    Held held[(kBins == 128 ? kEdgeX : kEdge) * kEdge * kEdge];
  };
  BlockInput<spline, Real> in;

  DEM_HD void operator()(std::uint32_t b, Shared& shared) const
  {
    const std::uint32_t block = in.block(b);
    const BenchGrid& grid = in.grid;
    int corner[3];
    grid.corner(block, corner);
    const int ex = grid.edge(0) + N - 1;
#if defined(__CUDA_ARCH__)
    Vec4<Real> sum{};
#else
    Vec4<Real> sums[kBins] = {};
#endif
    for (std::uint32_t r = 0; r < in.most[block]; ++r)
    {
      teamFor(0, static_cast<std::uint32_t>(ex * kEdge * kEdge), [&](std::uint32_t n) {
        const int x = corner[0] - kBelow + static_cast<int>(n) % ex,
                  y = corner[1] - kBelow + static_cast<int>(n) / ex % kEdge,
                  z = corner[2] - kBelow + static_cast<int>(n) / (ex * kEdge);
        Held& h = shared.held[n];
        h.load = {};
        if (x < 0 || y < 0 || z < 0 || x >= grid.cells || y >= grid.cells || z >= grid.cells)
          return;
        const std::uint32_t bin = grid.bin(x, y, z), k = in.start[bin] + r;
        if (k >= in.start[bin + 1])
          return;
        const std::uint32_t i = in.point(k);
        const Vec4<Real> place = in.points.column[0][i];
        h.place = place.xyz();
        h.load = vec4(place.w * in.points.column[1][i].xyz(), place.w);
        for (int a = 0; a < 3; ++a)
          h.c[a] = in.affine ? place.w * in.points.column[2 + a][i].xyz() : Vec3<Real>{};
      });
      teamSync();
      teamFor(0, grid.bins(), [&](std::uint32_t t) {
        const int nx = t & ((1u << grid.sx) - 1), ny = t >> grid.sx & 3, nz = t >> (grid.sx + 2);
        Vec4<Real> own{};
        for (int z = 0; z < N; ++z)
          for (int y = 0; y < N; ++y)
            for (int x = 0; x < N; ++x)
            {
              const Held& h = shared.held[((nz + z) * kEdge + ny + y) * ex + nx + x];
              if (!(h.load.w > 0))
                continue;
              const Vec3<Real> d{ Real(corner[0] + nx) - h.place.x,
                Real(corner[1] + ny) - h.place.y, Real(corner[2] + nz) - h.place.z };
              const Real w = weight(d.x) * weight(d.y) * weight(d.z);
              Vec3<Real> m = h.load.xyz();
              if (in.affine)
                m = m + d.x * h.c[0] + d.y * h.c[1] + d.z * h.c[2];
              own = own + vec4(w * m, w * h.load.w);
            }
#if defined(__CUDA_ARCH__)
        sum = sum + own;
#else
        sums[t] = sums[t] + own;
#endif
      });
      teamSync();
    }
    teamFor(0, grid.bins(), [&](std::uint32_t t) {
      const int x = corner[0] + (t & ((1u << grid.sx) - 1)), y = corner[1] + (t >> grid.sx & 3),
                z = corner[2] + (t >> (grid.sx + 2));
      if (x < grid.cells && y < grid.cells && z < grid.cells)
#if defined(__CUDA_ARCH__)
        in.node[grid.node(x, y, z)] = sum;
#else
        in.node[grid.node(x, y, z)] = sums[t];
#endif
    });
  }

private:
  DEM_HD static Real weight(Real d)
  {
    using std::fabs;
    const Real x = fabs(d);
    if constexpr (spline == Spline::Cubic)
    {
      const Real r = 2 - x;
      return x < 1 ? (Real(0.5) * x - 1) * x * x + Real(2) / 3 : (x < 2 ? r * r * r / 6 : Real(0));
    }
    else
    {
      const Real r = Real(1.5) - x;
      return x < Real(0.5) ? Real(0.75) - x * x : (x < Real(1.5) ? Real(0.5) * r * r : Real(0));
    }
  }
};

} // namespace detail
} // namespace mpm
