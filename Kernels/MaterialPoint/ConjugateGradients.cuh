// Conjugate gradients for a Newton iteration of the implicit integrators. All sums of a round
// stay on the device. The energy is not convex: in a direction without positive curvature the
// iteration stops with what it has, and a line search follows. The preconditioner is the mass (and
// friction) alone, so that a solve that stops early still keeps momentum.
#pragma once

#include "MaterialPoint/MidpointEnergy.cuh"

namespace mpm
{

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

/// A p = m p + l^2 dt^2 (d2e/dx2) p + c (1 - t t^T) p; returns p . A p. The fourth component of p
/// is m + c.
template <Spline spline, class Real>
struct Product
{
  TileSum<spline, Real, 3> push;
  const Vec4<Real>* p;
  HeldNodes<Real> held;
  const Vec4<Real>* drag; // or null
  Real square;            // l^2 dt^2
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
    Vec3<Real> a = held.released(i, x.w * x.xyz() + square * push(i, place).xyz());
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
    else if (s.first) // a downhill direction at least
    {
      s.alpha = 1;
      s.last = true;
    }
    else
      s.done = true;
    s.first = false;
  }
};

/// x + alpha p and r - alpha A p; returns r . r in the norm of the preconditioner.
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

/// p = z + beta p, with z as in Precondition.
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

/// z = r divided by the preconditioner: the mass, and friction.
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

template <class Exec, class Real>
class ConjugateGradients
{
public:
  using Field = dem::Array<Vec4<Real>, Exec>;

  ConjugateGradients(Exec& exec, const Scene& scene, MaterialTable<Exec, Real>& materials,
    PointOrder<Exec>& order, GridNodes<Exec, Real>& nodes, NodeHolds<Exec, Real>& holds,
    MidpointEnergy<Exec, Real>& energy)
    : exec_(exec)
    , scene_(scene)
    , materials_(materials)
    , order_(order)
    , nodes_(nodes)
    , holds_(holds)
    , energy_(energy)
  {
  }

  /// Makes room for the touched blocks.
  void resize()
  {
    change_.resize(nodes_.size(), 1.2);
    direction_.resize(nodes_.size(), 1.2);
    product_.resize(nodes_.size(), 1.2);
    solve_.resize(1);
  }

  /// Solves (m + l^2 dt^2 d2e/dx2) change() = residual of `energy` until the residual is
  /// `tolerance` of its start, or for ImplicitOptions::cg_most rounds. Overwrites the residual.
  /// Returns the number of Hessian products.
  template <Spline spline>
  unsigned solve(double dt, double tolerance)
  {
    energy_.combine(0, energy_.before(), 0, energy_.before(), {}, {}, change_);
    exec_.forEach(nodes_.size(),
      Precondition<Real>{ energy_.residual().data(), holds_.rubbing().drag, direction_.data() });
    const double rz = energy_.residualNorm2();
    Solve* solve = solve_.data();
    exec_.forEach(1, BeginSolve{ rz, tolerance, solve });
    Solve at{};
    for (int k = 0; k < scene_.implicit.cg_most && !at.done;)
    {
      // rounds queued after the end of the solve do nothing
      for (int queued = 0; queued < kRounds && k < scene_.implicit.cg_most; ++queued, ++k)
        queueRound<spline>(dt, solve);
      exec_.toHost(&at, solve, sizeof at);
      exec_.synchronize();
    }
    return at.products;
  }
  Field& change() { return change_; }

private:
  /// Rounds between two reads of the state of the solve.
  static constexpr int kRounds = 4;

  template <Spline spline>
  void queueRound(double dt, Solve* solve)
  {
    Field& residual = energy_.residual();
    const Vec4<Real>* drag = holds_.rubbing().drag;
    const double reach = energy_.lambda() * dt;
    exec_.forEachBlock(order_.blocks(),
      BendChange<spline, Real>{ order_.grid(), direction_.data(), order_.start(), energy_.bent(),
        materials_.data(), nodes_.tiles(), solve });
    energy_.reduction().queue(nodes_.size(),
      Product<spline, Real>{ nodes_.template tileSum<spline, 3>(), direction_.data(), holds_.held(),
        drag, static_cast<Real>(reach * reach), product_.data() },
      &solve->done, TakeCurvature{ solve });
    energy_.reduction().queue(nodes_.size(),
      TakeStep<Real>{
        solve, direction_.data(), product_.data(), drag, change_.data(), residual.data() },
      &solve->done, TakeResidual{ solve });
    exec_.forEach(
      nodes_.size(), NextDirection<Real>{ solve, residual.data(), drag, direction_.data() });
  }

  Exec& exec_;
  const Scene& scene_;
  MaterialTable<Exec, Real>& materials_;
  PointOrder<Exec>& order_;
  GridNodes<Exec, Real>& nodes_;
  NodeHolds<Exec, Real>& holds_;
  MidpointEnergy<Exec, Real>& energy_;
  Field change_{ exec_ }, direction_{ exec_ }, product_{ exec_ };
  dem::Array<Solve, Exec> solve_{ exec_ };
};

} // namespace mpm
