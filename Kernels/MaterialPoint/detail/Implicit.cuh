// Kernels of the implicit midpoint rule (Meyer 2019, 4.6.5-4.6.6, with the signs of eq. 129-133 put
// right; Jiang, Schroeder and Teran 2017). The unknowns are the velocities v of the nodes at the
// end of the step:
//
//   h(v) = m (v - v* ) + dt de/dx (x + dt/4 (v + v^n)) = 0,   v* = v^n + dt g,   e(x) = sum V0
//   psi((1 + sum (x_i - x_i^n) grad w^T) F^n),
//
// the gradient of E(v) = sum m/2 |v - v*|^2 + 4/dt dt e. Newton's matrix m + dt^2/4 d2e/dx2 is
// applied point by point and never stored. psi is not convex: where conjugate gradients meet a
// direction of no or negative curvature they stop with what they have, and a line search takes care
// of the rest. All of their sums stay on the device. They are preconditioned by the mass alone, so
// that a step that is stopped early still keeps momentum.
#pragma once

#include "MaterialPoint/detail/HeldNodes.cuh"
#include "MaterialPoint/detail/HessianProduct.cuh"
#include "MaterialPoint/detail/Transfers.cuh"

namespace mpm
{

/// A field of nodes seen as displacements: what the points bent by it push the nodes with, de/dx,
/// as tiles; their energy by blocks; and `bent`.
template <Spline spline, class Real>
struct BendPoints
{
  using Sums = TileSums<spline, Real, false, 9>;
  static constexpr unsigned kThreads = Sums::kThreads,
                            kResidentBlocks = sizeof(Real) == 4 ? (Sums::N == 3 ? 3 : 2) : 1;
  struct Shared
  {
    NodeTile<spline, Real> tile;
    typename Sums::Shared sums;
    double scratch[32];
  };
  BlockGrid grid;
  const Vec4<Real>* way; // of nodes, m
  PointsView<Real> points;
  const std::uint32_t *start, *order;
  const MaterialParameters<Real>* materials;
  Real spacing;
  BentPoints<Real> bent;
  Real* tiles;
  double* energy; // of blocks

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t* first = start + std::size_t(block) * kBlockBins;
    double sum = 0;
    if (first[0] != first[kBlockBins])
    {
      shared.tile.load(grid, block, way);
      Sums::add(
        first, shared.sums,
        [&](std::uint32_t k, Vec3<Real>& place) { return bend(k, place, shared, sum); },
        tiles + std::size_t(block) * 4 * Sums::kTile);
    }
    sum = teamSum(sum, shared.scratch);
    if (teamFirst())
      energy[block] = sum;
  }

private:
  DEM_HD PointLoad<Real> bend(
    std::uint32_t k, Vec3<Real>& place, const Shared& shared, double& sum) const
  {
    using std::sqrt;
    const std::uint32_t i = order[k];
    const BinKey key = points.key[i];
    place = points.column[0][i].xyz();
    const Matrix3<Real> before = points.deformation(i);
    const Real volume = points.volume[i], rate = 1 / spacing;
    const std::uint8_t material = points.material[i];
    const MaterialParameters<Real>& m = materials[material];
    const Matrix3<Real> gradient = seeField<spline>(shared.tile.node, key, place).gradient;
    const Matrix3<Real> f = before + (rate * gradient) * before;
    PointLoad<Real> p{};
    const Svd3<Real> d = svd(f);
    if (d.s.z > 0 || !needsPositive(m.kind))
    {
      const Vec3<Real> first = principalTangent(m, d.s).first;
      const Matrix3<Real> side = before * d.v;
      const Real q = volume * rate;
      const Matrix3<Real> u{ { (q * first.x) * d.u.c[0], (q * first.y) * d.u.c[1],
        (q * first.z) * d.u.c[2] } };
      p.t = timesTransposed(u, side);
      bent.put(k, place, key, material, d.s, d.u, sqrt(q * rate) * side);
      double e;
      if (m.kind == MaterialKind::Fluid)
        e = energyDensity(m, Matrix3<Real>::diagonal(determinant(f), 1, 1));
      else
        e = m.kind == MaterialKind::NeoHookean ? energyDensity(m, f) : stretchEnergy(m, d.s);
      sum += static_cast<double>(volume) * e;
    }
    else
    {
      // a trial that inverts the point: the line search sees an energy beyond all
      bent.putNothing(k, place, key, material);
      sum += 1e300;
    }
    return p;
  }
};

// ---- conjugate gradients: all of a round on the device  ----

/// out = a x + b y, free directions only; the mass of `like` in the fourth place.
template <class Real>
struct CombineNodes
{
  Real a, b;
  const Vec4<Real>*x, *y, *like;
  HeldNodes<Real> held; // or none
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
    if (held.bits)
      v = held.released(i, v);
    out[i] = vec4(v, l.w);
  }
};

/// Velocities between -size and size that know nothing of each other, in free directions: for tests
/// of derivatives.
template <class Real>
struct NodeNoise
{
  const Vec4<Real>* like;
  HeldNodes<Real> held;
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
    out[i] = like[i].w > 0 ? vec4(held.released(i, v), like[i].w) : Vec4<Real>{};
  }
};

/// r = m (v* - v) - dt de/dx, in free directions.
template <class Real>
struct Residual
{
  const Vec4<Real>*before, *v, *push;
  HeldNodes<Real> held;
  Rubbing<Real> rubbing;
  Vec3<Real> kick;
  Real dt;
  Vec4<Real>* r; // beside it what it is preconditioned by: the mass, and what friction adds to it

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> b = before[i];
    if (!(b.w > 0))
    {
      r[i] = {};
      return;
    }
    const Vec3<Real> u = v[i].xyz();
    Vec3<Real> rest = held.released(i, b.w * (b.xyz() + kick - u) - dt * push[i].xyz());
    Real weight = b.w;
    if (rubbing.limit)
    {
      rest = rest + rubbing.push(held, i, u, b.w);
      weight = weight + rubbing.drag[i].w;
    }
    r[i] = vec4(rest, weight);
  }
};

/// each(i) of all nodes, added up by teams of fixed size in double.
constexpr std::uint32_t kNodeTeam = 256;
inline std::size_t nodeTeams(std::size_t nodes) { return (nodes + kNodeTeam - 1) / kNodeTeam; }
template <class Each>
struct NodeSums
{
  static constexpr unsigned kThreads = 256;
  struct Shared
  {
    double scratch[32];
  };
  Each each;
  std::uint32_t nodes;
  double* part;
  const Solve* solve; // or null: nothing to do any more once it is done

  DEM_HD void operator()(std::uint32_t team, Shared& shared) const
  {
    if (solve && solve->done)
      return;
    const std::uint32_t begin = team * kNodeTeam,
                        end = nodes - begin < kNodeTeam ? nodes : begin + kNodeTeam;
    double sum = 0;
    teamFor(begin, end, [&](std::uint32_t i) { sum += each(i); });
    sum = teamSum(sum, shared.scratch);
    if (teamFirst())
      part[team] = sum;
  }
};

/// The sum of the parts goes to `then`.
template <class Then>
struct SumParts
{
  static constexpr unsigned kThreads = 1024;
  struct Shared
  {
    double scratch[32];
  };
  const double* part;
  std::uint32_t parts;
  Then then;

  DEM_HD void operator()(std::uint32_t, Shared& shared) const
  {
    double sum = 0;
    teamFor(0, parts, [&](std::uint32_t i) { sum += part[i]; });
    sum = teamSum(sum, shared.scratch);
    if (teamFirst())
      then(sum);
  }
};

struct KeepSum
{
  double* to;
  DEM_HD void operator()(double sum) const { *to = sum; }
};

/// a . b, or that over or times the mass.
template <class Real>
struct NodeDot
{
  const Vec4<Real>*a, *b;
  int mass_power; // -1, 0, 1

  DEM_HD double operator()(std::uint32_t i) const
  {
    const Vec4<Real> x = a[i];
    const double m = static_cast<double>(x.w);
    if (!(m > 0))
      return 0;
    const double d = dot(x.xyz().template as<double>(), b[i].xyz().template as<double>());
    return mass_power == 0 ? d : (mass_power > 0 ? d * m : d / m);
  }
};

/// r . r in the norm of the preconditioner: that of the state of which r is, or of another one,
/// whose drag it then is.
template <class Real>
struct ResidualNorm
{
  const Vec4<Real>*r, *drag;
  const Vec4<Real>* mass; // of nodes, for another state's norm; else null

  DEM_HD double operator()(std::uint32_t i) const
  {
    Vec4<Real> x = r[i];
    if (mass && x.w > 0)
      x.w = mass[i].w + drag[i].w;
    return x.w > 0
      ? dot(x.xyz().template as<double>(), preconditioned(x, drag, i).template as<double>())
      : 0.;
  }
};

struct BeginSolve
{
  double rz, tolerance;
  Solve* solve;
  DEM_HD void operator()(unsigned) const
  {
    const double enough = tolerance * tolerance * rz;
    *solve = { rz, enough, 0, 0, 0, true, false, !(rz > enough) };
  }
};

/// A p = m p + dt^2 / 4 (d2e/dx2) p + c (1 - t t^T) p, and p . A p; beside p stands m + c.
template <Spline spline, class Real>
struct Product
{
  TileSum<spline, Real, 3> push;
  const Vec4<Real>* p;
  HeldNodes<Real> held;
  const Vec4<Real>* drag; // or null
  Real quarter;           // dt^2 / 4
  Vec4<Real>* out;

  DEM_HD double operator()(std::uint32_t i) const
  {
    const Vec4<Real> x = p[i];
    if (!(x.w > 0))
    {
      out[i] = {};
      return 0;
    }
    int place[3];
    Vec3<Real> a = held.released(i, x.w * x.xyz() + quarter * push(i, place).xyz());
    if (drag)
    {
      const Vec4<Real> d = drag[i];
      a = a - (d.w * dot(d.xyz(), x.xyz())) * d.xyz();
    }
    out[i] = vec4(a, x.w);
    return dot(x.xyz().template as<double>(), a.template as<double>());
  }
};

struct TakeCurvature
{
  Solve* solve;
  DEM_HD void operator()(double curvature) const
  {
    Solve& s = *solve;
    if (s.done)
      return;
    s.products += 1;
    if (curvature > 0)
      s.alpha = s.rz / curvature;
    else if (s.first) // downhill at least
    {
      s.alpha = 1;
      s.last = true;
    }
    else
      s.done = true;
    s.first = false;
  }
};

/// x + alpha p, r - alpha A p, and r . r in the norm of the preconditioner.
template <class Real>
struct TakeStep
{
  const Solve* solve;
  const Vec4<Real>*p, *product, *drag;
  Vec4<Real>*x, *r;

  DEM_HD double operator()(std::uint32_t i) const
  {
    const Vec4<Real> d = p[i];
    if (!(d.w > 0))
      return 0;
    const auto alpha = static_cast<Real>(solve->alpha);
    x[i] = vec4(multiplyAdd(alpha, d.xyz(), x[i].xyz()), d.w);
    const Vec3<Real> rest = multiplyAdd(-alpha, product[i].xyz(), r[i].xyz());
    r[i] = vec4(rest, d.w);
    return ResidualNorm<Real>{ r, drag, nullptr }(i);
  }
};

struct TakeResidual
{
  Solve* solve;
  DEM_HD void operator()(double next) const
  {
    Solve& s = *solve;
    if (s.done)
      return;
    s.beta = next / s.rz;
    s.rz = next;
    s.done = s.last || !(next > s.enough);
  }
};

/// p = z + beta p, z as Precondition's.
template <class Real>
struct NextDirection
{
  const Solve* solve;
  const Vec4<Real>*r, *drag;
  Vec4<Real>* p;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (solve->done)
      return;
    const Vec4<Real> x = r[i];
    if (x.w > 0)
      p[i] = vec4(
        multiplyAdd(static_cast<Real>(solve->beta), p[i].xyz(), preconditioned(x, drag, i)), x.w);
  }
};

/// z = r / m, and by friction.
template <class Real>
struct Precondition
{
  const Vec4<Real>*r, *drag;
  Vec4<Real>* z;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> x = r[i];
    z[i] = x.w > 0 ? vec4(preconditioned(x, drag, i), x.w) : Vec4<Real>{};
  }
};

/// Borders on what nodes would do without them: friction, and what the solver let through.
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
