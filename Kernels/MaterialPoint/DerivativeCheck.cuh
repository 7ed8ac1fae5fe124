// Compares the derivatives that an implicit sub-step uses with differences of the energy. For
// tests.
#pragma once

#include "MaterialPoint/ConjugateGradients.cuh"
#include "MaterialPoint/MpmSimulation.h"

#include <cmath>

namespace mpm
{

/// Independent random velocities between -size and size, in free directions.
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

template <class Exec, class Real>
class DerivativeCheck
{
public:
  using Field = dem::Array<Vec4<Real>, Exec>;

  /// `energy` must have begun a sub-step, and `holds` must hold nodes for it.
  DerivativeCheck(Exec& exec, MaterialTable<Exec, Real>& materials, PointOrder<Exec>& order,
    GridNodes<Exec, Real>& nodes, NodeHolds<Exec, Real>& holds, MidpointEnergy<Exec, Real>& energy)
    : exec_(exec)
    , materials_(materials)
    , order_(order)
    , nodes_(nodes)
    , holds_(holds)
    , energy_(energy)
  {
    for (Field* f : { &at_, &way_, &other_, &trial_, &high_, &low_, &product_ })
      f->resize(nodes_.size());
    solve_.resize(1);
    exec_.forEach(1, BeginSolve{ 1., 0.5, solve_.data() });
  }

  /// Differences along random directions of nodal velocities up to `speed`, m/s.
  template <Spline spline>
  DerivativeErrors run(double dt, double speed)
  {
    const HeldNodes<Real> held = holds_.held();
    Field &before = energy_.before(), &slope = energy_.slope();
    noise(1, speed, way_);
    energy_.combine(1, before, 1, way_, {}, held, at_);
    noise(2, speed, way_);
    noise(3, speed, other_);
    const double e = sizeof(Real) == 8 ? 1e-5 : 1e-2;
    energy_.combine(1, at_, e, way_, {}, held, trial_);
    const double high = energy_.template potential<spline>(trial_, dt);
    energy_.combine(1, slope, 0, slope, {}, held, high_);
    energy_.combine(1, at_, -e, way_, {}, held, trial_);
    const double low = energy_.template potential<spline>(trial_, dt);
    energy_.combine(1, slope, 0, slope, {}, held, low_);
    // l^2 dt H way, by differences
    const double share = energy_.lambda() * energy_.lambda() * dt;
    energy_.combine(0.5 / e, high_, -0.5 / e, low_, {}, {}, low_);
    energy_.template potential<spline>(at_, dt);
    DerivativeErrors errors;
    const double along = share * energy_.dot(way_, slope, 0),
                 by_difference = (high - low) / (2 * e);
    errors.gradient = std::fabs(by_difference / along - 1);
    multiply<spline>(way_);
    const double one = energy_.dot(product_, other_, 0);
    energy_.combine(share, product_, -1, low_, {}, {}, high_);
    const double defect = energy_.dot(high_, high_, 0), whole = energy_.dot(low_, low_, 0);
    errors.product = std::sqrt(defect / whole);
    multiply<spline>(other_);
    errors.symmetry = std::fabs(energy_.dot(product_, way_, 0) / one - 1);
    return errors;
  }

private:
  void noise(unsigned seed, double speed, Field& out)
  {
    exec_.forEach(nodes_.size(),
      NodeNoise<Real>{
        energy_.before().data(), holds_.held(), seed, static_cast<Real>(speed), out.data() });
  }
  /// product_ = H p in free directions.
  template <Spline spline>
  void multiply(const Field& p)
  {
    Field& slope = energy_.slope();
    exec_.forEachBlock(order_.blocks(),
      BendChange<spline, Real>{ order_.grid(), p.data(), order_.start(), energy_.bent(),
        materials_.data(), nodes_.tiles(), solve_.data() });
    nodes_.template gather<spline, 3>(false, slope);
    energy_.combine(1, slope, 0, slope, {}, holds_.held(), product_);
  }

  Exec& exec_;
  MaterialTable<Exec, Real>& materials_;
  PointOrder<Exec>& order_;
  GridNodes<Exec, Real>& nodes_;
  NodeHolds<Exec, Real>& holds_;
  MidpointEnergy<Exec, Real>& energy_;
  Field at_{ exec_ }, way_{ exec_ }, other_{ exec_ }, trial_{ exec_ }, high_{ exec_ },
    low_{ exec_ }, product_{ exec_ };
  dem::Array<Solve, Exec> solve_{ exec_ };
};

} // namespace mpm
