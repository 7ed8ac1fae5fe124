// The dense grid and the points of the transfers that are compared (MpmTransfers.h). Places are in
// cells, and node i of an axis lies at i. A point in bin b sees the nodes b - 1 .. b + 2 (cubic
// splines, bin = floor(x)) or b - 1 .. b + 1 (quadratic splines, bin = floor(x + 1/2)).
#pragma once

#include "MaterialPoint/SmallMatrix.cuh"
#include "MaterialPoint/SplineWeights.cuh"
#include "MaterialPoint/detail/Team.cuh"

#include <cstdint>

namespace mpm
{

namespace detail
{

/// Columns of the points: place and mass | velocity | C by columns (3) | three that only the deep
/// sort moves.
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

  /// Adds nothing.
  DEM_HD HeldPoint()
    : x(Real(0))
    , y(Real(0))
    , z(Real(0))
    , bin{}
    , load{}
    , c{}
  {
  }
  DEM_HD HeldPoint(const BenchPoints<Real>& p, std::uint32_t i, bool affine)
    : HeldPoint()
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
    return share(x.w[i] * y.w[j] * z.w[k], { x.d[i], y.d[j], z.d[k] }, affine);
  }
  /// The same for indices that are not known to the compiler.
  DEM_HD Vec4<Real> pickAt(int i, int j, int k, bool affine) const
  {
    return share(pick(x.w, i) * pick(y.w, j) * pick(z.w, k),
      { pick(x.d, i), pick(y.d, j), pick(z.d, k) }, affine);
  }

private:
  /// For a node of weight w at distance d.
  DEM_HD Vec4<Real> share(Real w, const Vec3<Real>& d, bool affine) const
  {
    Vec3<Real> m = load.xyz();
    if (affine)
      m = m + c * d;
    return vec4(w * m, w * load.w);
  }
};

} // namespace detail
} // namespace mpm
