// The function that an implicit sub-step minimises (Meyer 2019, 4.6.5-4.6.6, with the signs of eq.
// 129-133 corrected; Jiang, Schroeder and Teran 2017). The unknowns are the velocities v of the
// nodes at the end of the sub-step:
//
//   h(v) = m (v - v*) + dt de/dx (x + l dt (l v + (1 - l) v^n)) = 0,   v* = v^n + dt g,
//   e(x) = sum V0 psi((1 + sum (x_i - x_i^n) grad w^T) F^n),
//
// the gradient of E(v) = sum m/2 |v - v*|^2 + e / l^2. Newton's matrix m + l^2 dt^2 d2e/dx2 is
// applied point by point and never stored. l (lambda of Meyer 2019, eq. 95) is 1/2 for the implicit
// midpoint rule and 1 for backward Euler.
#pragma once

#include "MaterialPoint/BendPoints.cuh"
#include "MaterialPoint/NodeHolds.cuh"
#include "MaterialPoint/NodeSums.cuh"

#include <cmath>

namespace mpm
{

/// out = a x + b y + more, in free directions only. The fourth component is the mass of `like`.
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

/// r = m (v* - v) - dt de/dx, and friction, in free directions.
template <class Real>
struct Residual
{
  const Vec4<Real>*before, *v, *push;
  HeldNodes<Real> held;
  Rubbing<Real> rubbing;
  Vec3<Real> kick;
  Real dt;
  Vec4<Real>*
    r; // the fourth component is the preconditioner: the mass, and what friction adds to it

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

/// r . r in the norm of the preconditioner, of the state that r belongs to or, with `mass`, of
/// another state with that mass and drag.
template <class Real>
struct ResidualNorm
{
  const Vec4<Real>*r, *drag;
  const Vec4<Real>* mass; // of the nodes in another state; null: the state of r

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

template <class Exec, class Real>
class MidpointEnergy
{
public:
  using Field = dem::Array<Vec4<Real>, Exec>;

  MidpointEnergy(Exec& exec, const Scene& scene, MaterialTable<Exec, Real>& materials,
    PointSet<Exec, Real>& points, PointOrder<Exec>& order, GridNodes<Exec, Real>& nodes,
    NodeHolds<Exec, Real>& holds)
    : exec_(exec)
    , scene_(scene)
    , materials_(materials)
    , points_(points)
    , order_(order)
    , nodes_(nodes)
    , holds_(holds)
  {
  }

  /// Makes room for the touched blocks and takes the velocities v^n of the nodes from the points.
  template <Spline spline>
  void begin()
  {
    before_.resize(nodes_.size(), 1.2);
    field_.resize(nodes_.size(), 1.2);
    slope_.resize(nodes_.size(), 1.2);
    residual_.resize(nodes_.size(), 1.2);
    bent_.resize(BentPoints<Real>::kColumns * std::size_t(points_.entries()));
    nodes_.template addToTiles<spline>(
      PlainLoad<Real>{ points_.view(), static_cast<Real>(scene_.grid_spacing) });
    nodes_.template gather<spline>(true, before_);
  }

  // ---- the function  ----

  /// e for nodes that moved with v; also stores de/dx and what Hessian products read of the points.
  template <Spline spline>
  double potential(const Field& v, double dt)
  {
    const double l = lambda();
    combine(l * l * dt, v, l * (1 - l) * dt, before_, {}, {}, field_);
    block_energy_.resize(order_.blocks(), 1.2);
    exec_.forEachBlock(order_.blocks(),
      BendPoints<spline, Real>{ order_.grid(), field_.data(), points_.view(), order_.start(),
        order_.order(), materials_.data(), static_cast<Real>(scene_.grid_spacing), bent(),
        nodes_.tiles(), block_energy_.data() });
    nodes_.template gather<spline, 3>(false, slope_);
    return reduction_.sumOf(block_energy_.data(), order_.blocks());
  }
  /// E(v) = sum m/2 |v - v*|^2 + e / l^2, with the potential of friction. For the midpoint rule it
  /// is four times that of Meyer 2019, eq. 126, with gravity.
  template <Spline spline>
  double total(const Field& v, double dt)
  {
    const double potential = this->template potential<spline>(v, dt);
    combine(1, v, -1, before_, -kick(dt), {}, field_);
    double energy = 0.5 * dot(field_, field_, 1) + potential / (lambda() * lambda());
    if (holds_.mayRub())
      energy += reduction_.sum(
        nodes_.size(), RubbingEnergy<Real>{ holds_.rubbing(), holds_.held(), v.data() });
    return energy;
  }
  /// Stores the residual at v and returns its norm.
  double residualAt(const Field& v, double dt)
  {
    exec_.forEach(nodes_.size(),
      Residual<Real>{ before_.data(), v.data(), slope_.data(), holds_.held(), holds_.rubbing(),
        kick(dt), static_cast<Real>(dt), residual_.data() });
    return std::sqrt(residualNorm2());
  }
  /// Square of the stored residual's norm, which is that of the preconditioner.
  double residualNorm2()
  {
    return reduction_.sum(
      nodes_.size(), ResidualNorm<Real>{ residual_.data(), holds_.rubbing().drag, nullptr });
  }
  /// The stored residual in the norm of the state from which a line search starts.
  double residualInKeptNorm()
  {
    return std::sqrt(reduction_.sum(
      nodes_.size(), ResidualNorm<Real>{ residual_.data(), holds_.keptDrag(), before_.data() }));
  }
  /// sum |de/dx|^2 / m
  double slopeNorm2()
  {
    combine(1, slope_, 0, slope_, {}, {}, field_);
    return dot(field_, field_, -1);
  }

  // ---- fields of nodes  ----

  /// Sum of a . b times the mass to the power -1, 0 or 1.
  double dot(const Field& a, const Field& b, int mass_power)
  {
    return reduction_.sum(nodes_.size(), NodeDot<Real>{ a.data(), b.data(), mass_power });
  }
  /// out = a x + b y + more, without the directions that `held` holds.
  void combine(double a, const Field& x, double b, const Field& y, const Vec3<Real>& more,
    const HeldNodes<Real>& held, Field& out)
  {
    exec_.forEach(nodes_.size(),
      CombineNodes<Real>{ static_cast<Real>(a), static_cast<Real>(b), x.data(), y.data(),
        before_.data(), held, more, out.data() });
  }
  double lambda() const { return implicitTime(scene_.integration); }
  /// m/s, what gravity adds in dt.
  Vec3<Real> kick(double dt) const { return (dt * scene_.gravity).template as<Real>(); }

  Field& before() { return before_; }     ///< v^n
  Field& slope() { return slope_; }       ///< de/dx
  Field& residual() { return residual_; } ///< with what preconditions it
  BentPoints<Real> bent() { return { bent_.data(), points_.entries() }; }
  /// Affine fields of the points, in the memory of bent(), which is not read any more by then.
  MatrixField<Real> affineFields()
  {
    return { reinterpret_cast<Real*>(bent_.data()), points_.entries() };
  }
  TeamReduction<Exec>& reduction() { return reduction_; }

private:
  Exec& exec_;
  const Scene& scene_;
  MaterialTable<Exec, Real>& materials_;
  PointSet<Exec, Real>& points_;
  PointOrder<Exec>& order_;
  GridNodes<Exec, Real>& nodes_;
  NodeHolds<Exec, Real>& holds_;
  Field before_{ exec_ }, field_{ exec_ }, slope_{ exec_ }, residual_{ exec_ };
  Field bent_{ exec_ };
  dem::Array<double, Exec> block_energy_{ exec_ };
  TeamReduction<Exec> reduction_{ exec_ };
};

} // namespace mpm
