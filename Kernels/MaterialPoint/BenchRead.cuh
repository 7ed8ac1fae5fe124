// Ways in which points read from the nodes of a dense grid.
#pragma once

#include "MaterialPoint/BenchGive.cuh"

namespace mpm
{

namespace detail
{

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
  BlockInput<spline, Real> in; // in.node: velocities

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

} // namespace detail
} // namespace mpm
