// Kernels of the implicit midpoint rule (Meyer 2019, 4.6.5-4.6.6, with the signs of eq. 129-133 put right; Jiang, Schroeder and Teran 2017). The
// unknowns are the velocities v of the nodes at the end of the step:
//
//   h(v) = m (v - v* ) + dt de/dx (x + dt/4 (v + v^n)) = 0,   v* = v^n + dt g,   e(x) = sum V0 psi((1 + sum (x_i - x_i^n) grad w^T) F^n),
//
// the gradient of E(v) = sum m/2 |v - v*|^2 + 4/dt dt e. Newton's matrix m + dt^2/4 d2e/dx2 is applied point by point and never stored. psi is not
// convex: where conjugate gradients meet a direction of no or negative curvature they stop with what they have, and a line search takes care of the
// rest. They are preconditioned by the mass alone, so that a step that is stopped early still keeps momentum.
#pragma once

#include "Core/FixedSum.cuh"
#include "MaterialPoint/detail/Transfers.cuh"

namespace mpm
{

/// A field of nodes seen as displacements: F at the middle of the step, its rotation, V0 P F_n^T and the energy of each point.
template <Spline spline, class Real>
struct BendPoints
{
  static constexpr unsigned kThreads = 128;
  struct Shared
  {
    NodeTile<spline, Real> tile;
  };
  BlockGrid grid;
  const Vec4<Real>* way; // of nodes, m
  PointsView<Real> points;
  const std::uint32_t *start, *order;
  const MaterialParameters<Real>* materials;
  Real spacing;
  MatrixField<Real> hat, rotation, push; // of points
  double* energy;
  Control* control;

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t begin = start[std::size_t(block) * kBlockBins], end = start[std::size_t(block + 1) * kBlockBins];
    if (begin == end)
      return;
    shared.tile.load(grid, block, way);
    teamFor(begin, end, [&](std::uint32_t k) {
      const std::uint32_t i = order[k];
      const SeenField<Real> seen = seeField<spline>(shared.tile.node, points.key[i], points.column[0][i].xyz());
      const MaterialParameters<Real>& m = materials[points.material[i]];
      const Matrix3<Real> before = points.deformation(i);
      const Matrix3<Real> f = (Matrix3<Real>::identity() + (1 / spacing) * seen.gradient) * before;
      const bool corotated = m.kind == MaterialKind::Corotated || m.kind == MaterialKind::FixedCorotated;
      const Matrix3<Real> r = corotated ? polar(f).r : Matrix3<Real>{};
      const Real volume = points.volume[i];
      hat.put(i, f);
      rotation.put(i, r);
      const bool good = determinant(f) > 0 || !needsPositive(m.kind);
      if (!good)
      {
        // a trial that inverts the point: the line search sees an energy beyond all
        energy[i] = 1e300;
        push.put(i, {});
        return;
      }
      push.put(i, volume * timesTransposed(piola(m, f, r), before));
      energy[i] = static_cast<double>(volume) *
        (m.kind == MaterialKind::Fluid ? energyDensity(m, Matrix3<Real>::diagonal(determinant(f), 1, 1)) : energyDensity(m, f));
    });
  }
};

/// V0 (dP : dF) F_n^T for the change of F that velocities of nodes make (Meyer 2019, eq. 135).
template <Spline spline, class Real>
struct BendChange
{
  static constexpr unsigned kThreads = 128;
  struct Shared
  {
    NodeTile<spline, Real> tile;
  };
  BlockGrid grid;
  const Vec4<Real>* field;
  PointsView<Real> points;
  const std::uint32_t *start, *order;
  const MaterialParameters<Real>* materials;
  Real spacing;
  MatrixField<Real> hat, rotation, push;

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t begin = start[std::size_t(block) * kBlockBins], end = start[std::size_t(block + 1) * kBlockBins];
    if (begin == end)
      return;
    shared.tile.load(grid, block, field);
    teamFor(begin, end, [&](std::uint32_t k) {
      const std::uint32_t i = order[k];
      const SeenField<Real> seen = seeField<spline>(shared.tile.node, points.key[i], points.column[0][i].xyz());
      const Matrix3<Real> before = points.deformation(i);
      const Matrix3<Real> change = ((1 / spacing) * seen.gradient) * before;
      push.put(i, points.volume[i] * timesTransposed(piolaChange(materials[points.material[i]], hat[i], rotation[i], change), before));
    });
  }
};

/// sum push grad w: minus the force (Meyer 2019, eq. 118, 136).
template <class Real>
struct PushLoad
{
  static constexpr bool kMomentum = false, kStress = true;
  MatrixField<Real> push;
  Real rate; // 1 / spacing

  DEM_HD PointLoad<Real> operator()(std::uint32_t i) const { return { 0, {}, {}, rate * push[i] }; }
};

/// Which axes of a node the borders hold, decided by where it would go by itself.
template <class Real>
struct HoldNodes
{
  BlockGrid grid;
  NodeBorders<Real> borders;
  const Vec4<Real>* node; // v^n, mass
  Vec3<Real> kick;
  std::uint8_t* held; // bits

  DEM_HD void operator()(std::uint32_t i) const
  {
    int place[3];
    grid.bin(grid.list[i / kBlockBins] * kBlockBins + i % kBlockBins, place[0], place[1], place[2]);
    const Vec3<Real> v = node[i].xyz() + kick;
    unsigned bits = 0;
    for (int k = 0; k < 3; ++k)
      for (int side = 0; side < 2; ++side)
      {
        if (side == 0 ? place[k] > borders.lower : place[k] < borders.upper[k])
          continue;
        const Border kind = borders.kind[2 * k + side];
        if (kind == Border::Stick)
          bits = 7;
        else if (kind == Border::Slip || (kind == Border::Separate && (side == 0 ? v[k] <= 0 : v[k] >= 0)))
          bits |= 1u << k;
      }
    held[i] = static_cast<std::uint8_t>(bits);
  }
};

template <class Real>
DEM_HD Vec3<Real> released(Vec3<Real> v, unsigned bits)
{
  for (int k = 0; k < 3; ++k)
    if (bits >> k & 1)
      v[k] = 0;
  return v;
}

/// out = a x + b y, free axes only; the mass of `like` in the fourth place.
template <class Real>
struct CombineNodes
{
  Real a, b;
  const Vec4<Real>*x, *y, *like;
  const std::uint8_t* held; // or null
  Vec3<Real> more;
  Vec4<Real>* out;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> l = like[i];
    if (!(l.w > 0))
    {
      out[i] = {};
      return;
    }
    Vec3<Real> v = a * x[i].xyz() + b * y[i].xyz() + more;
    if (held)
      v = released(v, held[i]);
    out[i] = vec4(v, l.w);
  }
};

/// Velocities between -size and size that know nothing of each other, on free axes: for tests of derivatives.
template <class Real>
struct NodeNoise
{
  const Vec4<Real>* like;
  const std::uint8_t* held;
  unsigned seed;
  Real size;
  Vec4<Real>* out;

  DEM_HD void operator()(std::uint32_t i) const
  {
    Vec3<Real> v;
    for (unsigned k = 0; k < 3; ++k)
    {
      unsigned x = (i * 3 + k) * 2654435761u ^ seed * 0x9e3779b9u; // finaliser of MurmurHash3
      x = (x ^ x >> 16) * 0x85ebca6bu;
      x = (x ^ x >> 13) * 0xc2b2ae35u;
      x ^= x >> 16;
      v[k] = size * (Real(x >> 8) / Real(8388608) - 1);
    }
    out[i] = like[i].w > 0 ? vec4(released(v, held[i]), like[i].w) : Vec4<Real>{};
  }
};

/// r = m (v* - v) - dt de/dx, on free axes.
template <class Real>
struct Residual
{
  const Vec4<Real>*before, *v, *push;
  const std::uint8_t* held;
  Vec3<Real> kick;
  Real dt;
  Vec4<Real>* r;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> b = before[i];
    r[i] = b.w > 0 ? vec4(released(b.w * (b.xyz() + kick - v[i].xyz()) - dt * push[i].xyz(), held[i]), b.w) : Vec4<Real>{};
  }
};

/// A p = m p + dt^2 / 4 (d2e/dx2) p.
template <class Real>
struct Product
{
  const Vec4<Real>*p, *push;
  const std::uint8_t* held;
  Real quarter; // dt^2 / 4
  Vec4<Real>* out;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> x = p[i];
    out[i] = x.w > 0 ? vec4(released(x.w * x.xyz() + quarter * push[i].xyz(), held[i]), x.w) : Vec4<Real>{};
  }
};

/// Sums over nodes in blocks of fixed size, in double: a . b, or that over or times the mass.
template <class Real>
struct NodeDots
{
  const Vec4<Real>*a, *b;
  int mass_power; // -1, 0, 1
  std::size_t n;
  double* partial;

  DEM_HD void operator()(unsigned block) const
  {
    double sum = 0;
    const std::size_t begin = block * dem::kSumBlock, end = begin + dem::kSumBlock < n ? begin + dem::kSumBlock : n;
    for (std::size_t i = begin; i < end; ++i)
    {
      const double m = static_cast<double>(a[i].w);
      if (!(m > 0))
        continue;
      const double d = dot(a[i].xyz().template as<double>(), b[i].xyz().template as<double>());
      sum += mass_power == 0 ? d : (mass_power > 0 ? d * m : d / m);
    }
    partial[block] = sum;
  }
};

/// z = r / m.
template <class Real>
struct Precondition
{
  const Vec4<Real>* r;
  Vec4<Real>* z;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> x = r[i];
    z[i] = x.w > 0 ? vec4((1 / x.w) * x.xyz(), x.w) : Vec4<Real>{};
  }
};

/// Borders once more on what the solver found: friction, and what it let through.
template <class Real>
struct ObeyBorders
{
  BlockGrid grid;
  NodeBorders<Real> borders;
  Vec4<Real>* node;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> n = node[i];
    if (!(n.w > 0))
      return;
    int place[3];
    grid.bin(grid.list[i / kBlockBins] * kBlockBins + i % kBlockBins, place[0], place[1], place[2]);
    Vec3<Real> v = n.xyz();
    borders.apply(place, v);
    node[i] = vec4(v, n.w);
  }
};

} // namespace mpm
