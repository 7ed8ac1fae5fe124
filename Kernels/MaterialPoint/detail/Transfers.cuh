// From points to nodes and back (Meyer 2019, 4.5.3, 4.6.2-4.6.3), block by block.
//
// Points to nodes: all points of a bin see the same nodes. What points give is first put side by
// side, a thread a point; then N threads a bin (one a layer of nodes) add it up in registers, in
// ascending place in memory; then each node of the block's tile adds the sums of its bins, in
// ascending bin; then each node of the grid adds the tiles of up to eight blocks, in ascending
// block (UpdateNodes). No atomics, and an order that knows neither threads nor devices.
#pragma once

#include "Core/Atomic.cuh"
#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/SplineWeights.cuh"
#include "MaterialPoint/detail/Blocks.cuh"
#include "MaterialPoint/detail/Team.cuh"

#include <cstring>

namespace mpm
{

/// What a point gives to the node at distance d (cells) with weight w and its gradient g: mass w m,
/// momentum w (mv + mc d) + t g.
template <class Real>
struct PointLoad
{
  Real m;
  Vec3<Real> mv;
  Matrix3<Real> mc, t;
};

/// Momentum after the stresses have acted for dt: f = -sum V0 tau grad w (Meyer 2019, eq. 86 and
/// 106).
template <class Real>
struct MomentumLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 6; // numbers of it: 0, 6 (symmetric) or 9
  PointsView<Real> points;
  Real spacing, dt_over_h;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Vec4<Real> a = points.column[0][i], b = points.column[1][i];
    return { a.w, a.w * b.xyz(), (a.w * spacing) * points.affine(i),
      (-dt_over_h * points.volume[i]) * points.stress(i).full() };
  }
};

/// Momentum without forces.
template <class Real>
struct PlainLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 0;
  PointsView<Real> points;
  Real spacing;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Vec4<Real> a = points.column[0][i], b = points.column[1][i];
    return { a.w, a.w * b.xyz(), (a.w * spacing) * points.affine(i), {} };
  }
};

/// Mass times the way from the point to the node (cells): where a node's mass lies, for what is
/// thin.
template <class Real>
struct CentroidLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 0;
  PointsView<Real> points;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Real m = points.column[0][i].w;
    return { m, {}, Matrix3<Real>::diagonal(m, m, m), {} };
  }
};

/// Volume, and volume times pressure in x.
template <class Real>
struct PressureLoad
{
  static constexpr bool kMomentum = true;
  static constexpr int kStress = 0;
  PointsView<Real> points;

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const
  {
    const Symmetric3<Real> t = points.stress(i);
    const Real j = determinant(points.deformation(i)), v = points.volume[i];
    return { v * j, { -v * (t.xx + t.yy + t.zz) / 3, 0, 0 }, {}, {} };
  }
};

/// Adds a point to the nodes of one layer: sum[component][x + kNodes y], momentum first, then mass.
template <bool kMomentum, int kStress, Spline spline, class Real>
DEM_HD void addToLayer(const PointLoad<Real>& p, const Vec3<Real>& f, int layer,
  Real (&sum)[4][SplineTraits<spline>::kNodes * SplineTraits<spline>::kNodes])
{
  constexpr int N = SplineTraits<spline>::kNodes;
  const SplineWeights<spline, Real> x(f.x), y(f.y), z(f.z);
  const Real wz = pick(z.w, layer), gz = pick(z.g, layer), dz = pick(z.d, layer);
  Vec3<Real> base{};
  if constexpr (kMomentum)
    base = multiplyAdd(dz, p.mc.c[2], p.mv);
  MPM_UNROLL
  for (int j = 0; j < N; ++j)
  {
    const Real w = y.w[j] * wz;
    Vec3<Real> row{}, slope{}, push{};
    if constexpr (kMomentum)
    {
      row = w * multiplyAdd(y.d[j], p.mc.c[1], base);
      slope = w * p.mc.c[0];
    }
    if constexpr (kStress > 0)
    {
      row = multiplyAdd(y.w[j] * gz, p.t.c[2], multiplyAdd(y.g[j] * wz, p.t.c[1], row));
      push = w * p.t.c[0];
    }
    const Real mass = w * p.m;
    MPM_UNROLL
    for (int i = 0; i < N; ++i)
    {
      Real(&s)[4][N * N] = sum;
      const int k = i + N * j;
      const Real wx = x.w[i], wd = wx * x.d[i], g = x.g[i];
      Vec3<Real> v{ s[0][k], s[1][k], s[2][k] };
      v = multiplyAdd(wx, row, v);
      if constexpr (kMomentum)
      {
        v = multiplyAdd(wd, slope, v);
        s[3][k] = multiplyAdd(wx, mass, s[3][k]);
      }
      if constexpr (kStress > 0)
        v = multiplyAdd(g, push, v);
      s[0][k] = v.x;
      s[1][k] = v.y;
      s[2][k] = v.z;
    }
  }
}

/// What a point gives, as a block keeps it: a plane a number, so that neighbours read neighbours.
/// Planes are bent such that bins of eight points lie in different banks.
template <bool kMomentum, int kStress, class Real>
struct PointRecord
{
  static constexpr int kNumbers = 3 + (kMomentum ? 13 : 0) + kStress;

  template <int kStage>
  DEM_HD static void put(Real (&record)[kNumbers][kStage], std::uint32_t slot,
    const Vec3<Real>& place, const PointLoad<Real>& p)
  {
    const std::uint32_t s = bent(slot);
    int n = 0;
    const auto put = [&](const Vec3<Real>& v) {
      record[n++][s] = v.x;
      record[n++][s] = v.y;
      record[n++][s] = v.z;
    };
    put(place);
    if constexpr (kMomentum)
    {
      record[n++][s] = p.m;
      put(p.mv);
      put(p.mc.c[0]);
      put(p.mc.c[1]);
      put(p.mc.c[2]);
    }
    if constexpr (kStress == 6)
    {
      put(p.t.c[0]);
      record[n++][s] = p.t.c[1].y;
      record[n++][s] = p.t.c[1].z;
      record[n++][s] = p.t.c[2].z;
    }
    if constexpr (kStress == 9)
    {
      put(p.t.c[0]);
      put(p.t.c[1]);
      put(p.t.c[2]);
    }
  }
  template <int kStage>
  DEM_HD static PointLoad<Real> get(
    const Real (&record)[kNumbers][kStage], std::uint32_t slot, Vec3<Real>& place)
  {
    const std::uint32_t s = bent(slot);
    int n = 0;
    const auto get = [&]() -> Vec3<Real> {
      n += 3;
      return { record[n - 3][s], record[n - 2][s], record[n - 1][s] };
    };
    PointLoad<Real> p{};
    place = get();
    if constexpr (kMomentum)
    {
      p.m = record[n++][s];
      p.mv = get();
      p.mc.c[0] = get();
      p.mc.c[1] = get();
      p.mc.c[2] = get();
    }
    if constexpr (kStress == 6)
    {
      const Vec3<Real> x = get(), y = get();
      p.t = { { x, { x.y, y.x, y.y }, { x.z, y.y, y.z } } };
    }
    if constexpr (kStress == 9)
    {
      p.t.c[0] = get();
      p.t.c[1] = get();
      p.t.c[2] = get();
    }
    return p;
  }

private:
  DEM_HD static std::uint32_t bent(std::uint32_t slot) { return slot ^ (slot >> 5 & 7); }
};

/// One block a team. tile[(4 block + component) kTile^3 + node]; blocks without points leave theirs
/// as it is, loads without momentum the fourth.
template <Spline spline, class Real, bool kMomentum, int kStress>
struct TileSums
{
  static constexpr int N = SplineTraits<spline>::kNodes, kEdge = SplineTraits<spline>::kTile,
                       kTile = kEdge * kEdge * kEdge;
  static constexpr unsigned kThreads = kBlockBins * N;
  // so that registers leave room for 16 warps and more
  static constexpr unsigned kResidentBlocks = sizeof(Real) == 4 ? (N == 3 ? 3 : 2) : 1;
  static constexpr int kRow = kBlockBins + 1, kComponents = kMomentum ? 4 : 3,
                       kAtOnce = N == 3 ? kComponents : 2;
  static constexpr int kStage = sizeof(Real) == 4 ? 640 : 320;
  using Record = PointRecord<kMomentum, kStress, Real>;
  struct Shared
  {
#if defined(__CUDACC__)
    union
    {
      Real record[Record::kNumbers][kStage];
      Real part[kAtOnce][N * N * N][kRow]; // what the bins give to node (x, y, z) of their own
    };
#else
    Real tile[kComponents][kTile];
#endif
  };

  /// `load(k, place)`: what entry k of the order gives, and its place in its bin.
  template <class Load>
  DEM_HD static void add(const std::uint32_t* first, Shared& shared, const Load& load, Real* tile)
  {
#if defined(__CUDA_ARCH__)
    const unsigned bin = threadIdx.x / N, layer = threadIdx.x % N;
    const std::uint32_t begin = first[0], end = first[kBlockBins], own = first[bin],
                        own_end = first[bin + 1];
    Real sum[4][N * N];
    MPM_UNROLL
    for (int c = 0; c < 4; ++c)
      MPM_UNROLL
    for (int k = 0; k < N * N; ++k)
      sum[c][k] = 0;
    for (std::uint32_t stage = begin; stage < end; stage += kStage)
    {
      const std::uint32_t stage_end = end - stage < kStage ? end : stage + kStage;
      for (std::uint32_t k = stage + threadIdx.x; k < stage_end; k += kThreads)
      {
        Vec3<Real> place;
        const PointLoad<Real> p = load(k, place);
        Record::put(shared.record, k - stage, place, p);
      }
      __syncthreads();
      const std::uint32_t to = own_end < stage_end ? own_end : stage_end;
      for (std::uint32_t k = own > stage ? own : stage; k < to; ++k)
      {
        Vec3<Real> place;
        const PointLoad<Real> p = Record::get(shared.record, k - stage, place);
        addToLayer<kMomentum, kStress, spline>(p, place, static_cast<int>(layer), sum);
      }
      __syncthreads();
    }
    MPM_UNROLL
    for (int pass = 0; pass < (kComponents + kAtOnce - 1) / kAtOnce; ++pass)
    {
      if (pass > 0)
        __syncthreads();
      MPM_UNROLL
      for (int a = 0; a < kAtOnce; ++a)
        if (pass * kAtOnce + a < kComponents)
        {
          MPM_UNROLL
          for (int k = 0; k < N * N; ++k)
            shared.part[a][layer * (N * N) + k][bin] = sum[pass * kAtOnce + a][k];
        }
      __syncthreads();
      for (int node = threadIdx.x; node < kTile; node += kThreads)
      {
        const int z = node / (kEdge * kEdge), y = node / kEdge % kEdge, x = node % kEdge;
        Real total[kAtOnce] = {};
        for (int k = z < N ? z : N - 1; k >= 0 && z - k < kBlockEdge; --k)
          for (int j = y < N ? y : N - 1; j >= 0 && y - j < kBlockEdge; --j)
            for (int i = x < N ? x : N - 1; i >= 0 && x - i < kBlockEdge; --i)
            {
              const int from = (k * N + j) * N + i,
                        bin_of = ((z - k) * kBlockEdge + (y - j)) * kBlockEdge + (x - i);
              MPM_UNROLL
              for (int a = 0; a < kAtOnce; ++a)
                total[a] += shared.part[a][from][bin_of];
            }
        MPM_UNROLL
        for (int a = 0; a < kAtOnce; ++a)
          if (pass * kAtOnce + a < kComponents)
            tile[(pass * kAtOnce + a) * kTile + node] = total[a];
      }
    }
#elif !defined(__CUDACC__)
    std::memset(&shared, 0, sizeof shared);
    for (int bin = 0; bin < kBlockBins; ++bin)
    {
      if (first[bin] == first[bin + 1])
        continue;
      Real sum[N][4][N * N] = {};
      for (std::uint32_t k = first[bin]; k < first[bin + 1]; ++k)
      {
        Vec3<Real> place;
        const PointLoad<Real> p = load(k, place);
        for (int layer = 0; layer < N; ++layer)
          addToLayer<kMomentum, kStress, spline>(p, place, layer, sum[layer]);
      }
      for (int c = 0; c < kComponents; ++c)
        for (int layer = 0; layer < N; ++layer)
          for (int j = 0; j < N; ++j)
            for (int i = 0; i < N; ++i)
              shared.tile[c][(((bin >> 4) + layer) * kEdge + (bin >> 2 & 3) + j) * kEdge +
                (bin & 3) + i] += sum[layer][c][j * N + i];
    }
    std::memcpy(tile, &shared, sizeof shared);
#endif
  }
};

template <Spline spline, class Real, class Load>
struct PointsToTiles
{
  using Sums = TileSums<spline, Real, Load::kMomentum, Load::kStress>;
  using Shared = typename Sums::Shared;
  static constexpr unsigned kThreads = Sums::kThreads, kResidentBlocks = Sums::kResidentBlocks;

  Load load;
  const Vec4<Real>* place;
  const std::uint32_t *start, *order;
  Real* tile;

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t* first = start + std::size_t(block) * kBlockBins;
    if (first[0] == first[kBlockBins])
      return;
    Sums::add(
      first, shared,
      [&](std::uint32_t k, Vec3<Real>& at) {
        const std::uint32_t i = order[k];
        at = place[i].xyz();
        return load(i);
      },
      tile + std::size_t(block) * 4 * Sums::kTile);
  }
};

/// Adds up the tiles at a node: in ascending block. Three components where loads have no momentum.
template <Spline spline, class Real, int kComponents = 4>
struct TileSum
{
  static constexpr int kEdge = SplineTraits<spline>::kTile, kTile = kEdge * kEdge * kEdge;
  BlockGrid grid;
  const std::uint32_t* start;
  const Real* tile;

  /// The node's place on the grid and what all blocks give to it: momentum and mass.
  DEM_HD Vec4<Real> operator()(std::uint32_t node, int (&place)[3]) const
  {
    const std::uint32_t t = node / kBlockBins;
    const int c = static_cast<int>(node % kBlockBins), cx = c & 3, cy = c >> 2 & 3, cz = c >> 4;
    int x, y, z;
    grid.split(grid.list[t], x, y, z);
    place[0] = 4 * x + cx;
    place[1] = 4 * y + cy;
    place[2] = 4 * z + cz;
    Vec4<Real> sum{};
    for (int k = cz + 4 < kEdge ? 1 : 0; k >= 0; --k)
      for (int j = cy + 4 < kEdge ? 1 : 0; j >= 0; --j)
        for (int i = cx + 4 < kEdge ? 1 : 0; i >= 0; --i)
        {
          const std::uint32_t b = k | j | i ? grid.find(x - i, y - j, z - k) : t;
          if (b == BlockGrid::kNone ||
            start[std::size_t(b) * kBlockBins] == start[std::size_t(b + 1) * kBlockBins])
            continue;
          const Real* own = tile + std::size_t(b) * 4 * kTile +
            ((cz + 4 * k) * kEdge + cy + 4 * j) * kEdge + cx + 4 * i;
          sum = sum +
            Vec4<Real>{ own[0], own[kTile], own[2 * kTile],
              kComponents > 3 ? own[3 * kTile] : Real(0) };
        }
    return sum;
  }
};

/// Borders of the domain on nodes: those at or behind the plane obey it.
template <class Real>
struct NodeBorders
{
  int lower, upper[3]; // a node at `lower` or less, at `upper` or more
  Border kind[6];
  Real friction;

  DEM_HD void apply(const int (&place)[3], Vec3<Real>& v) const
  {
    for (int k = 0; k < 3; ++k)
    {
      if (place[k] <= lower)
        obey(kind[2 * k], k, Real(1), v);
      if (place[k] >= upper[k])
        obey(kind[2 * k + 1], k, Real(-1), v);
    }
  }

private:
  DEM_HD void obey(Border border, int axis, Real inward, Vec3<Real>& v) const
  {
    using std::sqrt;
    if (border == Border::Remove)
      return;
    if (border == Border::Stick)
      v = {};
    const Real out = -inward * v[axis];
    if (border == Border::Separate)
    {
      if (!(out > 0))
        return;
      v[axis] = 0;
      if (friction > 0)
      {
        const Real speed = length(v), left = speed - friction * out;
        v = left > 0 ? (left / speed) * v : Vec3<Real>{};
      }
    }
    v[axis] = 0;
  }
};

/// Velocities of the nodes after forces, gravity and borders. node = velocity, mass.
template <Spline spline, class Real>
struct UpdateNodes
{
  TileSum<spline, Real> sum;
  NodeBorders<Real> borders;
  Vec3<Real> kick; // gravity times dt
  Real least_mass;
  Vec4<Real>* node;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int place[3];
    const Vec4<Real> s = sum(i, place);
    if (!(s.w > least_mass))
    {
      node[i] = {};
      return;
    }
    Vec3<Real> v = (1 / s.w) * s.xyz() + kick;
    borders.apply(place, v);
    node[i] = vec4(v, s.w);
  }
};

/// Sums alone, or divided by the fourth.
template <Spline spline, class Real, int kComponents = 4>
struct GatherNodes
{
  TileSum<spline, Real, kComponents> sum;
  bool divide;
  Real least;
  Vec4<Real>* node;

  DEM_HD void operator()(std::uint32_t i) const
  {
    int place[3];
    Vec4<Real> s = sum(i, place);
    if (divide)
      s = s.w > least ? vec4((1 / s.w) * s.xyz(), s.w) : Vec4<Real>{};
    node[i] = s;
  }
};

/// The nodes that the points of a block see.
template <Spline spline, class Real>
struct NodeTile
{
  static constexpr int kEdge = SplineTraits<spline>::kTile, kTile = kEdge * kEdge * kEdge;
  Vec4<Real> node[kTile];
  std::uint32_t block[8];

  /// Waits for the team.
  DEM_HD void load(const BlockGrid& grid, std::uint32_t t, const Vec4<Real>* nodes)
  {
    int x, y, z;
    grid.split(grid.list[t], x, y, z);
    teamFor(0, 8,
      [&](std::uint32_t k) { block[k] = grid.find(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)); });
    teamSync();
    teamFor(0, kTile, [&](std::uint32_t n) {
      const int k = n / (kEdge * kEdge), j = n / kEdge % kEdge, i = n % kEdge;
      const std::uint32_t b = block[(i >> 2) | (j >> 2) << 1 | (k >> 2) << 2];
      node[n] = b == BlockGrid::kNone
        ? Vec4<Real>{}
        : nodes[std::size_t(b) * kBlockBins + ((i & 3) | (j & 3) << 2 | (k & 3) << 4)];
    });
    teamSync();
  }
};

/// What a point sees of a field of velocities: its value, gradient (per cell) and first moment sum
/// w v d^T (cells).
template <class Real>
struct SeenField
{
  Vec3<Real> value{};
  Matrix3<Real> gradient{}, moment{};
};

template <Spline spline, class Real>
DEM_HD SeenField<Real> seeField(const Vec4<Real>* node, BinKey key, const Vec3<Real>& f)
{
  constexpr int N = SplineTraits<spline>::kNodes, kEdge = SplineTraits<spline>::kTile;
  const SplineWeights<spline, Real> x(f.x), y(f.y), z(f.z);
  const Vec4<Real>* own = node + ((key >> 4 & 3) * kEdge + (key >> 2 & 3)) * kEdge + (key & 3);
  SeenField<Real> s;
  MPM_UNROLL
  for (int k = 0; k < N; ++k)
  {
    Vec3<Real> v{}, gx{}, bx{}, gy{}, by{};
    MPM_UNROLL
    for (int j = 0; j < N; ++j)
    {
      Vec3<Real> a{}, g{}, b{};
      MPM_UNROLL
      for (int i = 0; i < N; ++i)
      {
        const Vec3<Real> n = own[(k * kEdge + j) * kEdge + i].xyz();
        a = multiplyAdd(x.w[i], n, a);
        g = multiplyAdd(x.g[i], n, g);
        b = multiplyAdd(x.w[i] * x.d[i], n, b);
      }
      v = multiplyAdd(y.w[j], a, v);
      gx = multiplyAdd(y.w[j], g, gx);
      bx = multiplyAdd(y.w[j], b, bx);
      gy = multiplyAdd(y.g[j], a, gy);
      by = multiplyAdd(y.w[j] * y.d[j], a, by);
    }
    s.value = multiplyAdd(z.w[k], v, s.value);
    s.gradient.c[0] = multiplyAdd(z.w[k], gx, s.gradient.c[0]);
    s.gradient.c[1] = multiplyAdd(z.w[k], gy, s.gradient.c[1]);
    s.gradient.c[2] = multiplyAdd(z.g[k], v, s.gradient.c[2]);
    s.moment.c[0] = multiplyAdd(z.w[k], bx, s.moment.c[0]);
    s.moment.c[1] = multiplyAdd(z.w[k], by, s.moment.c[1]);
    s.moment.c[2] = multiplyAdd(z.w[k] * z.d[k], v, s.moment.c[2]);
  }
  return s;
}

DEM_HD unsigned bitsOf(float x)
{
#if defined(__CUDA_ARCH__)
  return __float_as_uint(x);
#else
  unsigned b;
  std::memcpy(&b, &x, sizeof b);
  return b;
#endif
}

/// What the host reads after each sub-step. Speeds are bits of floats above 0, which are ordered as
/// their numbers are.
struct Control
{
  unsigned long long fault; // Id rank << 8 | FaultKind, the lowest
  unsigned speed;           // |v| + sound, m/s
  unsigned point_speed;     // |v|, m/s
  unsigned gone;            // points taken out
};

struct ClearControl
{
  Control* control;
  DEM_HD void operator()(unsigned) const { *control = { ~0ull, 0, 0, 0 }; }
};

enum class FaultKind : unsigned
{
  None,
  Inverted, // or not finite
  TooFast   // moved more than a cell
};

/// How places on the grid relate to the domain's borders, in bins.
template <class Real>
struct BinBorders
{
  Real lower, upper[3]; // of bin + f
  bool remove[6];
};

/// Grid to points: velocity, affine field, deformation, stress, place; reads the points in their
/// old order and writes them in the new one, or where they were.
template <Spline spline, class Real>
struct NodesToPoints
{
  static constexpr unsigned kThreads = 128, kResidentBlocks = sizeof(Real) == 4 ? 5 : 1;
  struct Shared
  {
    NodeTile<spline, Real> tile;
    unsigned speed, point_speed, gone;
  };

  BlockGrid grid;
  const Vec4<Real>* node; // velocities that move and deform
  PointsView<Real> from, to;
  const std::uint32_t *start, *order;
  const MaterialParameters<Real>* materials;
  Real dt, spacing;
  bool affine, hold; // hold: points stay where they are
  bool in_place; // points stay where they are in memory: `to` has a column 0 and keys of its own
  /// Where velocity and C come from another field (FLIP, implicit): velocity[i], and C where
  /// `given_affine`.
  const Vec4<Real>* given_velocity;
  MatrixField<Real> given_affine;
  BinBorders<Real> borders;
  Control* control;
  std::uint32_t* mark; // blocks where points are now

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t begin = start[std::size_t(block) * kBlockBins],
                        end = start[std::size_t(block + 1) * kBlockBins];
    if (begin == end)
      return;
    if (teamFirst())
      shared.speed = shared.point_speed = shared.gone = 0;
    shared.tile.load(grid, block, node);
    float speed = 0, point_speed = 0;
    teamFor(begin, end, [&](std::uint32_t k) { move(k, shared, speed, point_speed); });
    dem::atomicRaise(&shared.speed, bitsOf(speed));
    dem::atomicRaise(&shared.point_speed, bitsOf(point_speed));
    teamSync();
    if (teamFirst())
    {
      dem::atomicRaise(&control->speed, shared.speed);
      dem::atomicRaise(&control->point_speed, shared.point_speed);
      if (shared.gone)
        dem::atomicGrow(&control->gone, shared.gone);
    }
  }

private:
  static constexpr Real kBeyondBorder = Real(1e-3); // cells: where a point is listed that left

  DEM_HD void move(std::uint32_t k, Shared& shared, float& speed, float& point_speed) const
  {
    using std::fabs;
    using std::floor;
    using std::sqrt;
    // all reads before the work: a step waits for them, and few threads fit
    const std::uint32_t i = order[k], out = in_place ? i : k;
    const BinKey key = from.key[i];
    const Vec4<Real> place = from.column[0][i];
    Matrix3<Real> f = from.deformation(i);
    Real plastic = from.column[1][i].w;
    const Real volume = from.volume[i];
    const std::uint8_t material = from.material[i];
    const SeenField<Real> seen = seeField<spline>(shared.tile.node, key, place.xyz());

    const Real rate = 1 / spacing;
    Matrix3<Real> c{};
    if (given_affine.data)
      c = given_affine[k];
    else if (affine)
      c = (rate / Real(SplineTraits<spline>::kD)) * seen.moment; // B D^-1
    const Real last = to.putAffine(out, c);

    const MaterialParameters<Real>& m = materials[material];
    const Matrix3<Real> gradient = rate * seen.gradient;
    const Matrix3<Real> step = Matrix3<Real>::identity() + dt * gradient; // Meyer 2019, eq. 111
    if (m.kind == MaterialKind::Fluid)
      f.c[0].x = f.c[0].x * determinant(step);
    else
      f = step * f;
    const PointStress<Real> response = respond(m, gradient, f, plastic, dt);
    to.putStress(out, last, response.tau, f);

    const Vec3<Real> velocity = given_velocity ? given_velocity[k].xyz() : seen.value;
    Vec3<Real> way = hold ? Vec3<Real>{} : (dt * rate) * seen.value;
    const bool near = fabs(way.x) < Real(1) && fabs(way.y) < Real(1) && fabs(way.z) < Real(1);
    if (!response.good || !near)
    {
      const FaultKind kind = !near && way.x == way.x && way.y == way.y && way.z == way.z
        ? FaultKind::TooFast
        : FaultKind::Inverted;
      dem::atomicLower(&control->fault,
        static_cast<unsigned long long>(from.id[i]) << 8 | static_cast<unsigned>(kind));
      way = {};
    }

    int bin[3];
    grid.bin(key, bin[0], bin[1], bin[2]);
    Vec3<Real> at = place.xyz() + way;
    bool gone = false;
    MPM_UNROLL
    for (int a = 0; a < 3; ++a)
    {
      Real& x = at[a];
      Real whole = floor(x);
      if (x - whole >= 1) // x a little below 0 rounds to 1 above its floor
        whole = whole + 1;
      x = x - whole;
      x = x > 0 ? x : Real(0);
      bin[a] += static_cast<int>(whole);
      const Real now = Real(bin[a]) + x;
      if (now < borders.lower)
      {
        const bool leaves = borders.remove[2 * a];
        gone = gone || leaves;
        whole = floor(borders.lower);
        bin[a] = static_cast<int>(whole);
        x = borders.lower - whole - (leaves ? kBeyondBorder : Real(0));
      }
      else if (now > borders.upper[a])
      {
        const bool leaves = borders.remove[2 * a + 1];
        gone = gone || leaves;
        whole = floor(borders.upper[a]);
        bin[a] = static_cast<int>(whole);
        x = borders.upper[a] - whole + (leaves ? kBeyondBorder : Real(0));
      }
    }
    const BinKey now = gone ? kGone : grid.key(bin[0], bin[1], bin[2]);
    if (gone) // relative to bin 0: a gone point has no bin key
      at = at + Vec3<Real>{ Real(bin[0]), Real(bin[1]), Real(bin[2]) };
    to.column[0][out] = vec4(at, place.w);
    to.column[1][out] = vec4(velocity, plastic);
    to.key[out] = now;
    if (!in_place)
    {
      to.volume[out] = volume;
      to.id[out] = from.id[i];
      to.material[out] = material;
    }
    if (gone)
      dem::atomicGrow(&shared.gone, 1u);
    else
      dem::atomicPut(&mark[now / kBlockBins], 1u);

    const Real v = length(velocity);
    const Real sound = sqrt(response.stiffness * volume / place.w); // stiffness / density at rest
    const float total = static_cast<float>(v + sound);
    speed = total > speed ? total : speed;
    point_speed = static_cast<float>(v) > point_speed ? static_cast<float>(v) : point_speed;
  }
};

/// What points see of velocities: into arrays in the order of the bins. kMoving: also C for
/// velocities `node` of the end of a step in which `mid` moved nodes and points (Meyer 2019, eq.
/// 90): C = (sum w v d^T + 1/2 sum w (v e^T - e v^T)) D^-1 with e = dt (mid_i - mid_p).
template <Spline spline, class Real>
struct SeeNodes
{
  static constexpr unsigned kThreads = 128,
                            kResidentBlocks =
                              sizeof(Real) == 4 && spline == Spline::Quadratic ? 4 : 1;
  static constexpr int N = SplineTraits<spline>::kNodes;
  struct Shared
  {
    NodeTile<spline, Real> tile, mid;
  };
  BlockGrid grid;
  const Vec4<Real>* node;
  const Vec4<Real>* mid; // or null
  PointsView<Real> points;
  const std::uint32_t *start, *order;
  Real dt, spacing;
  Real flip;   // velocity = seen + flip (velocity of the point - seen before)
  bool before; // this is the field before: keep flip (velocity - seen); else add what is kept
  Vec4<Real>* velocity;
  MatrixField<Real> affine; // may be none

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t begin = start[std::size_t(block) * kBlockBins],
                        end = start[std::size_t(block + 1) * kBlockBins];
    if (begin == end)
      return;
    shared.tile.load(grid, block, node);
    if (mid)
      shared.mid.load(grid, block, mid);
    teamFor(begin, end, [&](std::uint32_t k) {
      const std::uint32_t i = order[k];
      const BinKey key = points.key[i];
      const Vec3<Real> f = points.column[0][i].xyz();
      const SeenField<Real> seen = seeField<spline>(shared.tile.node, key, f);
      if (before)
      {
        velocity[k] = vec4(flip * (points.column[1][i].xyz() - seen.value), Real(0));
        return;
      }
      velocity[k] = vec4(seen.value + (flip > 0 ? velocity[k].xyz() : Vec3<Real>{}), Real(0));
      if (affine.data)
      {
        Matrix3<Real> b = spacing * seen.moment;
        if (mid)
          b = b + turn(shared, seen.value, key, f);
        affine.put(k, (1 / (Real(SplineTraits<spline>::kD) * spacing * spacing)) * b);
      }
    });
  }

private:
  DEM_HD Matrix3<Real> turn(
    const Shared& shared, const Vec3<Real>& v_point, BinKey key, const Vec3<Real>& f) const
  {
    constexpr int kEdge = SplineTraits<spline>::kTile;
    const SplineWeights<spline, Real> x(f.x), y(f.y), z(f.z);
    Vec3<Real> seen{};
    Matrix3<Real> outer{};
    const int own = static_cast<int>(((key >> 4 & 3) * kEdge + (key >> 2 & 3)) * kEdge + (key & 3));
    MPM_UNROLL
    for (int k = 0; k < N; ++k)
      MPM_UNROLL
    for (int j = 0; j < N; ++j)
      MPM_UNROLL
    for (int i = 0; i < N; ++i)
    {
      const int at = own + (k * kEdge + j) * kEdge + i;
      const Vec3<Real> m = shared.mid.node[at].xyz(), v = shared.tile.node[at].xyz();
      const Real w = x.w[i] * y.w[j] * z.w[k];
      seen = multiplyAdd(w, m, seen);
      outer.c[0] = multiplyAdd(w * m.x, v, outer.c[0]);
      outer.c[1] = multiplyAdd(w * m.y, v, outer.c[1]);
      outer.c[2] = multiplyAdd(w * m.z, v, outer.c[2]);
    }
    outer.c[0] = outer.c[0] - seen.x * v_point;
    outer.c[1] = outer.c[1] - seen.y * v_point;
    outer.c[2] = outer.c[2] - seen.z * v_point;
    return (dt / 2) * (outer - transpose(outer));
  }
};

} // namespace mpm
