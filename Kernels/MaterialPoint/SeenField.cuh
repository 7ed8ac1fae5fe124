// From nodes to points (Meyer 2019, 4.5.3 and 4.6.3): what a point sees of a field of velocities on
// the nodes around it.
#pragma once

#include "MaterialPoint/Blocks.cuh"
#include "MaterialPoint/SplineWeights.cuh"
#include "MaterialPoint/detail/Team.cuh"

namespace mpm
{

/// The nodes that the points of a block see, in shared memory.
template <Spline spline, class Real>
struct NodeTile
{
  static constexpr int kEdge = SplineTraits<spline>::kTile, kTile = kEdge * kEdge * kEdge;
  Vec4<Real> node[kTile];
  std::uint32_t block[8];

  /// Loads the values of all nodes; contains barriers, so all threads of the team must call it.
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

/// What a point sees of a field of velocities: the value, the gradient (per cell) and the first
/// moment sum w v d^T (cells).
template <class Real>
struct SeenField
{
  Vec3<Real> value{};
  Matrix3<Real> gradient{}, moment{};
};

/// node(i, j, k): value of a node of the support.
template <Spline spline, class Real, class Node>
DEM_HD SeenField<Real> seeNodes(const Vec3<Real>& f, const Node& node)
{
  constexpr int N = SplineTraits<spline>::kNodes;
  const SplineWeights<spline, Real> x(f.x), y(f.y), z(f.z);
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
        const Vec3<Real> n = node(i, j, k);
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

/// From a tile of nodes (NodeTile).
template <Spline spline, class Real>
DEM_HD SeenField<Real> seeField(const Vec4<Real>* node, BinKey key, const Vec3<Real>& f)
{
  constexpr int kEdge = SplineTraits<spline>::kTile;
  const Vec4<Real>* own = node + ((key >> 4 & 3) * kEdge + (key >> 2 & 3)) * kEdge + (key & 3);
  return seeNodes<spline>(
    f, [own](int i, int j, int k) { return own[(k * kEdge + j) * kEdge + i].xyz(); });
}

/// Writes what points see of velocities to arrays in the order of the bins. With `mid`: also C, for
/// velocities `node` at the end of a sub-step in which `mid` moved nodes and points (Meyer 2019,
/// eq. 90): C = (sum w v d^T + 1/2 sum w (v e^T - e v^T)) D^-1 with e = dt (mid_i - mid_p).
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
  bool before; // `node` is the field before the forces: store flip (velocity - seen); otherwise add
               // what is stored
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
