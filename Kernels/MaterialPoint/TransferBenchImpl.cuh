// The body of MpmTransfers.h. Places are in cells; node i of an axis lies at i. A point in bin b
// sees nodes b - 1 .. b + 2 (cubic; bin = floor(x)) or b - 1 .. b + 1 (quadratic; bin = floor(x +
// 1/2)).
#pragma once

#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Atomic.cuh"
#include "Core/FixedSum.cuh"
#include "MaterialPoint/MpmTransfers.h"
#include "MaterialPoint/SmallMatrix.cuh"
#include "MaterialPoint/SplineWeights.cuh"
#include "MaterialPoint/detail/Team.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <type_traits>

namespace mpm
{

class TransferBench::Body
{
public:
  virtual ~Body() = default;
  virtual void choose(const TransferOptions& options) = 0;
  virtual void prepare() = 0;
  virtual double run(TransferStage stage, int times) = 0;
  virtual TransferTotals ofPoints() = 0;
  virtual TransferTotals ofGrid() = 0;
  virtual std::vector<double> grid() = 0;
  virtual std::vector<double> velocities() = 0;
  virtual bool sorted() = 0;
  virtual double reduced() = 0;
  virtual std::vector<double> mapped(int which) = 0;
  virtual std::vector<std::uint32_t> scanned() = 0;
};

namespace detail
{

/// Adds in the order of arrival: only these methods do.
DEM_HD void atomicSum(float* to, float x)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(to, x);
#else
  unsigned seen, next;
  __atomic_load(reinterpret_cast<unsigned*>(to), &seen, __ATOMIC_RELAXED);
  do
  {
    float sum;
    std::memcpy(&sum, &seen, sizeof sum);
    sum += x;
    std::memcpy(&next, &sum, sizeof sum);
  }
  while (!__atomic_compare_exchange(
    reinterpret_cast<unsigned*>(to), &seen, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#endif
}
DEM_HD void atomicSum(double* to, double x)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(to, x);
#else
  unsigned long long seen, next;
  __atomic_load(reinterpret_cast<unsigned long long*>(to), &seen, __ATOMIC_RELAXED);
  do
  {
    double sum;
    std::memcpy(&sum, &seen, sizeof sum);
    sum += x;
    std::memcpy(&next, &sum, sizeof sum);
  }
  while (!__atomic_compare_exchange(reinterpret_cast<unsigned long long*>(to), &seen, &next, true,
    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#endif
}
template <class Real>
DEM_HD void atomicSum(Vec4<Real>* to, const Vec4<Real>& x)
{
  atomicSum(&to->x, x.x);
  atomicSum(&to->y, x.y);
  atomicSum(&to->z, x.z);
  atomicSum(&to->w, x.w);
}

/// Columns of the points: place and mass | velocity | C by columns (3) | three more that ride
/// along.
template <class Real>
struct BenchPoints
{
  static constexpr int kColumns = 8;
  Vec4<Real>* column[kColumns];
};

/// Bins in blocks of 2^sx x 4 x 4, nodes x fastest.
struct BenchGrid
{
  int cells, blocks[3], sx;

  DEM_HD int edge(int axis) const { return axis == 0 ? 1 << sx : 4; }
  DEM_HD std::uint32_t bins() const { return 16u << sx; }
  DEM_HD std::uint32_t count() const
  {
    return static_cast<std::uint32_t>(blocks[0]) * blocks[1] * blocks[2];
  }
  DEM_HD std::uint32_t bin(int x, int y, int z) const
  {
    const std::uint32_t block =
      (static_cast<std::uint32_t>(z >> 2) * blocks[1] + (y >> 2)) * blocks[0] + (x >> sx);
    return block * bins() + ((((z & 3) << 2 | (y & 3)) << sx) | (x & ((1 << sx) - 1)));
  }
  DEM_HD std::uint32_t node(int x, int y, int z) const
  {
    return (static_cast<std::uint32_t>(z) * cells + y) * cells + x;
  }
  DEM_HD void corner(std::uint32_t block, int (&at)[3]) const
  {
    at[0] = static_cast<int>(block % blocks[0]) << sx;
    at[1] = static_cast<int>(block / blocks[0] % blocks[1]) << 2;
    at[2] = static_cast<int>(block / blocks[0] / blocks[1]) << 2;
  }
};

template <Spline spline, class Real>
DEM_HD void binOf(const Vec4<Real>& p, int (&bin)[3], Vec3<Real>& f)
{
  using std::floor;
  const Real shift = spline == Spline::Cubic ? Real(0) : Real(0.5);
  const Vec3<Real> u{ p.x + shift, p.y + shift, p.z + shift };
  for (int k = 0; k < 3; ++k)
  {
    const Real whole = floor(u[k]);
    bin[k] = static_cast<int>(whole);
    f[k] = u[k] - whole;
  }
}

/// A point and its weights, in registers.
template <Spline spline, class Real>
struct HeldPoint
{
  static constexpr int N = SplineTraits<spline>::kNodes;
  SplineWeights<spline, Real> x, y, z;
  int bin[3];
  Vec4<Real> load; // momentum, mass
  Matrix3<Real> c; // mass times C

  DEM_HD HeldPoint(const BenchPoints<Real>& p, std::uint32_t i, bool affine)
    : x(Real(0))
    , y(Real(0))
    , z(Real(0))
    , c{}
  {
    const Vec4<Real> place = p.column[0][i], v = p.column[1][i];
    Vec3<Real> f;
    binOf<spline>(place, bin, f);
    x = SplineWeights<spline, Real>(f.x);
    y = SplineWeights<spline, Real>(f.y);
    z = SplineWeights<spline, Real>(f.z);
    load = vec4(place.w * v.xyz(), place.w);
    if (affine)
      for (int k = 0; k < 3; ++k)
        c.c[k] = place.w * p.column[2 + k][i].xyz();
  }
  DEM_HD Vec4<Real> at(int i, int j, int k, bool affine) const
  {
    const Real w = x.w[i] * y.w[j] * z.w[k];
    Vec3<Real> m = load.xyz();
    if (affine)
      m = m + c * Vec3<Real>{ x.d[i], y.d[j], z.d[k] };
    return vec4(w * m, w * load.w);
  }
};

template <Spline spline, class Real>
struct CountBins
{
  BenchGrid grid;
  const Vec4<Real>* place;
  std::uint32_t *count, *offset;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int b[3];
    Vec3<Real> f;
    binOf<spline>(place[i], b, f);
    offset[i] = dem::atomicGrow(&count[grid.bin(b[0], b[1], b[2])], 1u);
  }
};

template <Spline spline, class Real>
struct Reorder
{
  BenchGrid grid;
  BenchPoints<Real> from, to;
  const std::uint32_t *start, *offset, *id;
  std::uint32_t *order, *id_to;
  bool deep;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int b[3];
    Vec3<Real> f;
    binOf<spline>(from.column[0][i], b, f);
    const std::uint32_t k = start[grid.bin(b[0], b[1], b[2])] + offset[i];
    if (!deep)
    {
      order[k] = i;
      return;
    }
    for (int c = 0; c < BenchPoints<Real>::kColumns; ++c)
      to.column[c][k] = from.column[c][i];
    id_to[k] = id[i];
  }
};

struct BlockCounts
{
  BenchGrid grid;
  const std::uint32_t* count;
  std::uint32_t *most, *active; // fullest bin of the block; 1 where it has any

  DEM_HD void operator()(std::uint32_t b) const
  {
    std::uint32_t m = 0;
    for (std::uint32_t k = 0; k < grid.bins(); ++k)
    {
      const std::uint32_t c = count[b * grid.bins() + k];
      m = c > m ? c : m;
    }
    most[b] = m;
    active[b] = m > 0;
  }
};
/// A block that pulls needs the bins around it.
struct HaloCounts
{
  BenchGrid grid;
  const std::uint32_t* most;
  std::uint32_t *halo, *active;

  DEM_HD void operator()(std::uint32_t b) const
  {
    const int x = static_cast<int>(b % grid.blocks[0]),
              y = static_cast<int>(b / grid.blocks[0] % grid.blocks[1]),
              z = static_cast<int>(b / grid.blocks[0] / grid.blocks[1]);
    std::uint32_t m = 0;
    for (int k = z > 0 ? z - 1 : 0; k <= z + 1 && k < grid.blocks[2]; ++k)
      for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < grid.blocks[1]; ++j)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < grid.blocks[0]; ++i)
        {
          const std::uint32_t c =
            most[(static_cast<std::uint32_t>(k) * grid.blocks[1] + j) * grid.blocks[0] + i];
          m = c > m ? c : m;
        }
    halo[b] = m;
    active[b] = m > 0;
  }
};
struct ListActive
{
  const std::uint32_t *active, *place;
  std::uint32_t* list;

  DEM_HD void operator()(std::uint32_t b) const
  {
    if (active[b])
      list[place[b]] = b;
  }
};

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
    const Real w = pick(p.x.w, x) * pick(p.y.w, y) * pick(p.z.w, z);
    Vec3<Real> m = p.load.xyz();
    if (affine)
      m = m + p.c * Vec3<Real>{ pick(p.x.d, x), pick(p.y.d, y), pick(p.z.d, z) };
    const Vec4<Real> value = vec4(w * m, w * p.load.w);
    atomicSum(&node[grid.node(p.bin[0] - 1 + x, p.bin[1] - 1 + y, p.bin[2] - 1 + z)], value);
  }
};

/// What block kernels share: bins, points, an index and a list of blocks, or neither.
template <Spline spline, class Real>
struct BlockInput
{
  BenchGrid grid;
  BenchPoints<Real> points;
  const std::uint32_t *order, *start, *list, *most;
  bool affine;
  Vec4<Real>* node;

  DEM_HD std::uint32_t block(std::uint32_t b) const { return list ? list[b] : b; }
  DEM_HD std::uint32_t point(std::uint32_t k) const { return order ? order[k] : k; }
};

template <Spline spline>
struct BenchTile
{
  static constexpr int N = SplineTraits<spline>::kNodes;
  static constexpr int kEdgeX = 8 + N - 1, kEdge = 4 + N - 1,
                       kNodes = kEdgeX * kEdge * kEdge; // for the wide block
  DEM_HD static int at(int x, int y, int z) { return (z * kEdge + y) * kEdgeX + x; }
  /// visit(place in the tile, node) for the nodes that bins of a block see and that exist.
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

/// kSync: barriers in place of atomic additions.
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
#else
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
#endif
    teamSync();
    Tile::forNodes(grid, block, [&](int n, std::uint32_t node) {
      if (node != 0xffffffffu)
        atomicSum(&in.node[node], shared.tile[n]);
    });
  }
};

template <Spline spline, class Real, int kBins>
struct GivePull
{
  static constexpr unsigned kThreads = kBins;
  static constexpr int N = SplineTraits<spline>::kNodes;
  // bins that reach a node: up to N - 2 above, one below
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

template <class Real>
struct DivideByMass
{
  Vec4<Real>* node;
  Vec4<Real>* velocity;
  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> n = node[i];
    velocity[i] = n.w > 0 ? vec4((1 / n.w) * n.xyz(), n.w) : Vec4<Real>{};
  }
};

template <Spline spline, class Real, class At>
DEM_HD void readPoint(const BenchPoints<Real>& points, std::uint32_t i, bool affine, const At& at)
{
  constexpr int N = SplineTraits<spline>::kNodes;
  int bin[3];
  Vec3<Real> f;
  binOf<spline>(points.column[0][i], bin, f);
  const SplineWeights<spline, Real> x(f.x), y(f.y), z(f.z);
  Vec3<Real> v{};
  Matrix3<Real> b{};
  MPM_UNROLL
  for (int k = 0; k < N; ++k)
    MPM_UNROLL
  for (int j = 0; j < N; ++j)
    MPM_UNROLL
  for (int l = 0; l < N; ++l)
  {
    const Vec3<Real> n = (x.w[l] * y.w[j] * z.w[k]) * at(bin, l, j, k).xyz();
    v += n;
    if (affine)
    {
      b.c[0] += x.d[l] * n;
      b.c[1] += y.d[j] * n;
      b.c[2] += z.d[k] * n;
    }
  }
  points.column[1][i] = vec4(v, points.column[1][i].w);
  if (affine)
    for (int a = 0; a < 3; ++a)
      points.column[2 + a][i] = vec4((1 / Real(SplineTraits<spline>::kD)) * b.c[a], Real(0));
}

template <Spline spline, class Real>
struct ReadGlobal
{
  BenchGrid grid;
  BenchPoints<Real> points;
  const std::uint32_t* order;
  bool affine;
  const Vec4<Real>* velocity;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const BenchGrid g = grid;
    const Vec4<Real>* v = velocity;
    readPoint<spline>(
      points, order ? order[k] : k, affine, [g, v](const int(&bin)[3], int x, int y, int z) {
        return v[g.node(bin[0] - 1 + x, bin[1] - 1 + y, bin[2] - 1 + z)];
      });
  }
};

template <Spline spline, class Real, int kBins>
struct ReadShared
{
  static constexpr unsigned kThreads = kBins;
  using Tile = BenchTile<spline>;
  struct Shared
  {
    Vec4<Real> tile[Tile::kNodes];
  };
  BlockInput<spline, Real> in; // node: velocities

  DEM_HD void operator()(std::uint32_t b, Shared& shared) const
  {
    const std::uint32_t block = in.block(b);
    Tile::forNodes(in.grid, block, [&](int n, std::uint32_t node) {
      shared.tile[n] = node != 0xffffffffu ? in.node[node] : Vec4<Real>{};
    });
    teamSync();
    int corner[3];
    in.grid.corner(block, corner);
    const Vec4<Real>* tile = shared.tile;
    teamFor(0, in.grid.bins(), [&](std::uint32_t t) {
      const std::uint32_t bin = block * in.grid.bins() + t;
      for (std::uint32_t k = in.start[bin]; k < in.start[bin + 1]; ++k)
        readPoint<spline>(
          in.points, in.point(k), in.affine, [&](const int(&at)[3], int x, int y, int z) {
            return tile[Tile::at(
              at[0] - corner[0] + x, at[1] - corner[1] + y, at[2] - corner[2] + z)];
          });
    });
  }
};

/// kEach points a thread, all read before the first is written; neighbouring threads take
/// neighbouring points.
template <class Real, int kEach>
struct MapLengths
{
  const Vec4<Real>* place;
  const Vec4<Real>* velocity;
  int stride, used;
  std::uint32_t n, share; // share: threads
  Real *out, *out2;

  DEM_HD void operator()(std::uint32_t t) const
  {
    Vec4<Real> v[kEach], p[kEach];
    MPM_UNROLL
    for (int k = 0; k < kEach; ++k)
    {
      const std::uint32_t i = t + k * share;
      v[k] = p[k] = {};
      if (i >= n)
        continue;
      v[k] = velocity[std::size_t(stride) * i];
      if (used > 1)
        p[k] = place[std::size_t(stride) * i];
    }
    MPM_UNROLL
    for (int k = 0; k < kEach; ++k)
    {
      const std::uint32_t i = t + k * share;
      if (i >= n)
        continue;
      out[i] = length(v[k].xyz());
      if (used > 1)
        out2[i] = length(p[k].xyz());
    }
  }
};

template <class Real>
struct LengthOf
{
  DEM_HD Real operator()(const Vec4<Real>& v) const { return length(v.xyz()); }
};
/// *sum = the lengths' sum, by the device's library: in an order of its own. TransfersCpu.cpp,
/// TransfersCuda.cu.
template <class Real>
void reduceLengths(dem::CpuExec& exec, const Vec4<Real>* vectors, std::size_t n, Real* sum);
template <class Real>
void reduceLengths(dem::CudaExec& exec, const Vec4<Real>* vectors, std::size_t n, Real* sum);

template <class Exec, Spline spline, class Real>
class TransferBody final : public TransferBench::Body
{
public:
  template <class... Arguments>
  TransferBody(const TransferCase& what, Arguments... arguments)
    : what_(what)
    , exec_(arguments...)
  {
    exec_.inArena([&] { fill(); });
  }

  void choose(const TransferOptions& options) override
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
    if (options.to_grid == ToGridMethod::Pull && options.wide_blocks && sizeof(Real) == 8)
      throw dem::Error("Double precision does not go with points to grid by pull in blocks of 8 x "
                       "4 x 4: shared memory ends. Use blocks of 4 x 4 x 4.");
    options_ = options;
    grid_.sx = options.wide_blocks ? 3 : 2;
    grid_.blocks[0] = (what_.cells + grid_.edge(0) - 1) >> grid_.sx;
    grid_.blocks[1] = grid_.blocks[2] = (what_.cells + 3) / 4;
    const std::size_t bins = std::size_t(grid_.count()) * grid_.bins();
    count_.resize(bins);
    start_.resize(bins + 1);
    for (Buffer<std::uint32_t>* b :
      { &most_, &halo_, &active_, &active_halo_, &list_, &list_halo_ })
      b->resize(grid_.count());
    places_.resize(grid_.count() + 1);
  }

  void prepare() override
  {
    exec_.inArena([&] {
      if (options_.sort == SortMethod::None)
        return;
      bin();
      scan();
      reorder(true);
      filter();
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

  TransferTotals ofPoints() override
  {
    TransferTotals t;
    const auto place = column_[0][now_].host(), velocity = column_[1][now_].host();
    std::vector<Vec4<Real>> c[3];
    for (int k = 0; k < 3; ++k)
      c[k] = column_[2 + k][now_].host();
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
    const auto v = column_[1][now_].host();
    const auto id = id_[now_].host();
    std::vector<double> out(3 * v.size());
    for (std::size_t i = 0; i < v.size(); ++i)
      for (int k = 0; k < 3; ++k)
        out[3 * std::size_t(id[i]) + k] = v[i].xyz()[k];
    return out;
  }
  bool sorted() override
  {
    const auto place = column_[0][now_].host();
    const auto order = order_.host();
    std::uint32_t last = 0;
    for (std::size_t k = 0; k < place.size(); ++k)
    {
      int b[3];
      Vec3<Real> f;
      binOf<spline>(place[options_.sort == SortMethod::Index ? order[k] : k], b, f);
      const std::uint32_t bin = grid_.bin(b[0], b[1], b[2]);
      if (bin < last)
        return false;
      last = bin;
    }
    return true;
  }
  double reduced() override
  {
    return library_reduced_ ? static_cast<double>(sum_.host()[0]) : reduced_;
  }
  std::vector<double> mapped(int which) override
  {
    const std::vector<Real> v = (which == 0 ? out_ : out2_).host();
    return std::vector<double>(v.begin(), v.end());
  }
  std::vector<std::uint32_t> scanned() override { return sums_.host(); }

private:
  template <class T>
  using Buffer = dem::Array<T, Exec>;

  void fill()
  {
    const std::size_t n = what_.points;
    grid_.cells = what_.cells;
    std::mt19937_64 random(what_.seed);
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<Vec3d> at;
    const double size = what_.cells, margin = 3;
    if (what_.arrangement == TransferPoints::Random)
      for (std::size_t i = 0; i < n; ++i)
        at.push_back({ margin + (size - 2 * margin) * u(random),
          margin + (size - 2 * margin) * u(random), margin + (size - 2 * margin) * u(random) });
    else
    {
      const double step = 1 / std::cbrt(what_.per_cell);
      const auto edge = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n))));
      // turned by 10 degrees about z and 5 about x, so that it fits where it fills half of the grid
      const double a = 0.17453292519943295, b = a / 2, ca = std::cos(a), sa = std::sin(a),
                   cb = std::cos(b), sb = std::sin(b);
      const double half = 0.5 * static_cast<double>(edge - 1) * step;
      for (std::size_t i = 0; i < n; ++i)
      {
        const Vec3d p{ static_cast<double>(i % edge) * step - half,
          static_cast<double>(i / edge % edge) * step - half,
          static_cast<double>(i / (edge * edge)) * step - half };
        const Vec3d q{ ca * p.x - sa * p.y, sa * p.x + ca * p.y, p.z };
        const Vec3d r{ q.x + size / 2, cb * q.y - sb * q.z + size / 2,
          sb * q.y + cb * q.z + size / 2 };
        for (int k = 0; k < 3; ++k)
          if (!(r[k] > 2 && r[k] < size - 3))
            throw dem::Error("A turned cube of " + std::to_string(n) +
              " points does not fit into " + std::to_string(what_.cells) + " cells.");
        at.push_back(r);
      }
      std::shuffle(at.begin(), at.end(), random);
    }
    std::vector<Vec4<Real>> place(n), velocity(n), zero(n);
    std::vector<std::uint32_t> id(n);
    std::uniform_real_distribution<double> speed(-1, 1);
    for (std::size_t i = 0; i < n; ++i)
    {
      place[i] = vec4(at[i].as<Real>(), Real(1));
      velocity[i] = { static_cast<Real>(speed(random)), static_cast<Real>(speed(random)),
        static_cast<Real>(speed(random)), 0 };
      id[i] = static_cast<std::uint32_t>(i);
    }
    for (int k = 0; k < BenchPoints<Real>::kColumns; ++k)
      for (int s = 0; s < 2; ++s)
      {
        column_[k].emplace_back(exec_);
        column_[k][s].assign(k == 0 ? place : (k == 1 ? velocity : zero));
      }
    for (int s = 0; s < 2; ++s)
    {
      id_.emplace_back(exec_);
      id_[s].assign(id);
    }
    order_.assign(id);
    offset_.resize(n);
    const std::size_t nodes = std::size_t(what_.cells) * what_.cells * what_.cells;
    node_.resize(nodes);
    velocity_.resize(nodes);
    node_.zero();
    choose(options_);
  }

  BenchPoints<Real> view(int s)
  {
    BenchPoints<Real> p;
    for (int k = 0; k < BenchPoints<Real>::kColumns; ++k)
      p.column[k] = column_[k][s].data();
    return p;
  }

  void bin()
  {
    count_.zero();
    exec_.forEach(what_.points,
      CountBins<spline, Real>{ grid_, column_[0][now_].data(), count_.data(), offset_.data() });
  }
  void scan() { dem::queueScan(exec_, count_.data(), start_.data(), count_.size()); }
  void reorder(bool keep)
  {
    const bool deep = options_.sort == SortMethod::Deep;
    exec_.forEach(what_.points,
      Reorder<spline, Real>{ grid_, view(now_), view(1 - now_), start_.data(), offset_.data(),
        id_[now_].data(), order_.data(), id_[1 - now_].data(), deep });
    if (deep && keep)
      now_ = 1 - now_;
  }
  void filter()
  {
    exec_.forEach(grid_.count(), BlockCounts{ grid_, count_.data(), most_.data(), active_.data() });
    exec_.forEach(
      grid_.count(), HaloCounts{ grid_, most_.data(), halo_.data(), active_halo_.data() });
    active_count_ = dem::scanCounts(exec_, active_.data(), places_.data(), grid_.count());
    exec_.forEach(grid_.count(), ListActive{ active_.data(), places_.data(), list_.data() });
    active_halo_count_ = dem::scanCounts(exec_, active_halo_.data(), places_.data(), grid_.count());
    exec_.forEach(
      grid_.count(), ListActive{ active_halo_.data(), places_.data(), list_halo_.data() });
  }

  BlockInput<spline, Real> input(bool halo, Vec4<Real>* node)
  {
    const std::uint32_t* list =
      !options_.active_blocks ? nullptr : (halo ? list_halo_.data() : list_.data());
    return { grid_, view(now_), order(), start_.data(), list, halo ? halo_.data() : most_.data(),
      options_.affine, node };
  }
  const std::uint32_t* order()
  {
    return options_.sort == SortMethod::Index ? order_.data() : nullptr;
  }
  std::size_t blocks(bool halo) const
  {
    return !options_.active_blocks ? grid_.count() : (halo ? active_halo_count_ : active_count_);
  }

  template <bool kSync, int kBatch>
  void giveShared()
  {
    if (options_.wide_blocks)
      exec_.forEachBlock(
        blocks(false), GiveShared<spline, Real, kSync, kBatch, 128>{ input(false, node_.data()) });
    else
      exec_.forEachBlock(
        blocks(false), GiveShared<spline, Real, kSync, kBatch, 64>{ input(false, node_.data()) });
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

  void toGrid()
  {
    node_.zero();
    constexpr std::size_t N = SplineTraits<spline>::kNodes;
    switch (options_.to_grid)
    {
      case ToGridMethod::Global:
        exec_.forEach(what_.points,
          GiveGlobal<spline, Real>{ grid_, view(now_), order(), options_.affine, node_.data() });
        break;
      case ToGridMethod::GlobalSupport:
        exec_.forEach(what_.points * N * N * N,
          GiveSupport<spline, Real>{ grid_, view(now_), order(), options_.affine, node_.data() });
        break;
      case ToGridMethod::Pull:
        if constexpr (sizeof(Real) == 4) // double precision leaves no room for the wide block
          if (options_.wide_blocks)
          {
            exec_.forEachBlock(
              blocks(true), GivePull<spline, Real, 128>{ input(true, node_.data()) });
            break;
          }
        exec_.forEachBlock(blocks(true), GivePull<spline, Real, 64>{ input(true, node_.data()) });
        break;
      case ToGridMethod::SharedAtomic:
        giveBatched<false>();
        break;
      case ToGridMethod::Sync:
        giveBatched<true>();
        break;
    }
  }
  void toPoints()
  {
    exec_.forEach(node_.size(), DivideByMass<Real>{ node_.data(), velocity_.data() });
    if (options_.to_points == ToPointsMethod::Global)
      exec_.forEach(what_.points,
        ReadGlobal<spline, Real>{ grid_, view(now_), order(), options_.affine, velocity_.data() });
    else if (options_.wide_blocks)
      exec_.forEachBlock(
        blocks(false), ReadShared<spline, Real, 128>{ input(false, velocity_.data()) });
    else
      exec_.forEachBlock(
        blocks(false), ReadShared<spline, Real, 64>{ input(false, velocity_.data()) });
  }

  void maps(bool together, int used)
  {
    const std::size_t n = what_.points;
    out_.resize(n);
    out2_.resize(n);
    const Vec4<Real>*place = column_[0][now_].data(), *velocity = column_[1][now_].data();
    if (together)
    {
      if (pairs_.size() != 2 * n)
      {
        const auto a = column_[0][now_].host(), b = column_[1][now_].host();
        std::vector<Vec4<Real>> both(2 * n);
        for (std::size_t i = 0; i < n; ++i)
        {
          both[2 * i] = a[i];
          both[2 * i + 1] = b[i];
        }
        pairs_.assign(both);
      }
      place = pairs_.data();
      velocity = pairs_.data() + 1;
    }
    const auto map = [&](auto each, std::size_t threads) {
      exec_.forEach(threads,
        MapLengths<Real, decltype(each)::value>{ place, velocity, together ? 2 : 1, used,
          static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(threads), out_.data(),
          out2_.data() });
    };
    if (options_.map_points == 4)
      map(std::integral_constant<int, 4>{}, (n + 3) / 4);
    else
      map(std::integral_constant<int, 1>{}, n);
  }
  void makeIntegers()
  {
    if (integers_.size() == 4 * what_.points)
      return;
    std::vector<std::uint32_t> all(4 * what_.points);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<std::uint32_t>(i % 3);
    integers_.assign(all);
    sums_.resize(all.size() + 1);
  }

  void once(TransferStage stage)
  {
    switch (stage)
    {
      case TransferStage::Bin:
        return bin();
      case TransferStage::Scan:
        return scan();
      case TransferStage::Reorder:
        return reorder(false);
      case TransferStage::Filter:
        return filter();
      case TransferStage::ToGrid:
        return toGrid();
      case TransferStage::ToPoints:
        return toPoints();
      case TransferStage::MapSoA1:
        return maps(false, 1);
      case TransferStage::MapAoS1:
        return maps(true, 1);
      case TransferStage::MapSoA2:
        return maps(false, 2);
      case TransferStage::MapAoS2:
        return maps(true, 2);
      case TransferStage::ReduceLength:
      {
        maps(false, 1);
        partial_.resize(dem::sumBlocks(what_.points));
        exec_.forEach(
          partial_.size(), dem::SumBlocks<Real>{ out_.data(), what_.points, partial_.data() });
        library_reduced_ = false;
        reduced_ = 0;
        for (Real x : partial_.host())
          reduced_ += static_cast<double>(x);
        return;
      }
      case TransferStage::ReduceLibrary:
        library_reduced_ = true;
        sum_.resize(1);
        return reduceLengths(exec_, static_cast<const Vec4<Real>*>(column_[1][now_].data()),
          what_.points, sum_.data());
      case TransferStage::ScanIntegers:
        makeIntegers();
        return dem::queueScan(exec_, integers_.data(), sums_.data(), integers_.size());
      case TransferStage::CopyIntegers:
        makeIntegers();
        return exec_.copy(sums_.data(), integers_.data(), integers_.size() * sizeof(std::uint32_t));
    }
  }

  TransferCase what_;
  TransferOptions options_;
  Exec exec_;
  BenchGrid grid_{};
  std::vector<Buffer<Vec4<Real>>> column_[BenchPoints<Real>::kColumns];
  std::vector<Buffer<std::uint32_t>> id_;
  int now_ = 0;
  Buffer<std::uint32_t> count_{ exec_ }, start_{ exec_ }, offset_{ exec_ }, order_{ exec_ },
    most_{ exec_ }, halo_{ exec_ }, active_{ exec_ }, active_halo_{ exec_ }, list_{ exec_ },
    list_halo_{ exec_ }, places_{ exec_ };
  std::size_t active_count_ = 0, active_halo_count_ = 0;
  Buffer<Vec4<Real>> node_{ exec_ }, velocity_{ exec_ }, pairs_{ exec_ };
  Buffer<Real> out_{ exec_ }, out2_{ exec_ }, partial_{ exec_ }, sum_{ exec_ };
  Buffer<std::uint32_t> integers_{ exec_ }, sums_{ exec_ };
  double reduced_ = 0;
  bool library_reduced_ = false;
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
