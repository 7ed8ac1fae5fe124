// Tangential model: friction with a spring. A model of TangentialModels (Families.cuh).
#pragma once

#include "Physics/ContactState.cuh"

namespace dem
{

/// A spring and a dashpot below the Coulomb limit, after Tsuji, Tanaka, Ishida, Powder Technology
/// 71 (1992) 239. Its history is the spring, history.xi, m. While the contact slides, the spring is
/// shortened to the limit.
struct TangentialSpring
{
  template <class Law>
  DEM_HD static bool isChosen(const Law& law)
  {
    return law.history;
  }

  static constexpr HistoryColumn kHistory[] = { { "tangential_spring_x", true },
    { "tangential_spring_y", true }, { "tangential_spring_z", true } };
  template <class Real>
  DEM_HD static Real& column(ContactHistory<Real>& history, int c)
  {
    return c == 0 ? history.xi.x : (c == 1 ? history.xi.y : history.xi.z);
  }

  /// Sets `out.tangential` and `out.stiffness_work`, adds to the energies of `out`, and advances
  /// `history` with `kAdvance`.
  template <bool kAdvance, class Real>
  DEM_HD static void apply(const ContactMotion<Real>& m, const ContactTerms<Real>& t,
    const Truth<Real>& begins, ContactHistory<Real>& history, ContactForce<Real>& out)
  {
    const Real zero(0), half = Real(0.5) * t.dt;
    const Vec3<Real> none{ zero, zero, zero };
    const Vec3<Real> xi_before =
      select(begins, none, multiplyAdd(-half, t.slip_velocity, history.xi));
    PlaneSpring<Real> turned;
    if (kAdvance)
      turned = turnedIntoPlane(multiplyAdd(t.opening, t.slip_velocity, history.xi), m.normal);
    else
    {
      turned.spring = multiplyAdd(-half, t.slip_velocity, history.xi);
      turned.length = length(turned.spring);
    }
    Vec3<Real> xi = turned.spring;
    const Vec3<Real> spring = (-t.now.tangential) * xi;
    const Real size = t.now.tangential * turned.length;
    if (kAdvance)
      history.sliding = size > zero && size >= t.friction_limit;
    const Truth<Real> slides = history.sliding;
    out.tangential = spring;
    if (worthwhile(!slides))
      stick(t, spring, slides, out);
    if (kAdvance && worthwhile(slides))
    {
      const Real kept = quotient(t.friction_limit, size); // size > 0 if the contact slides
      const Vec3<Real> stuck = kept * xi;
      out.tangential = select(slides, kept * spring, out.tangential);
      history.slip += select(slides, (size - t.friction_limit) / t.now.tangential, zero);
      // mean force before and after, times the slip; zero without friction
      const Real lost = Real(0.5) *
        dot(multiplyAdd(t.before.tangential, xi_before, t.now.tangential * stuck), xi - stuck);
      out.dissipated += select(slides && t.friction_limit > zero, lost, zero);
      xi = select(slides, stuck, xi);
    }
    out.elastic_energy += Real(0.5) * t.now.tangential * dot(xi, xi);
    if (kAdvance)
    {
      out.stiffness_work =
        Real(-0.5) * (t.now.tangential - t.before.tangential) * dot(xi_before, xi);
      history.xi = multiplyAdd(half, t.slip_velocity, xi);
    }
  }

private:
  // Force of spring and dashpot, limited to the Coulomb limit, for contacts that do not slide.
  template <class Real>
  DEM_HD static void stick(const ContactTerms<Real>& t, const Vec3<Real>& spring,
    const Truth<Real>& slides, ContactForce<Real>& out)
  {
    Vec3<Real> sticking = multiplyAdd(-t.tangential_damping, t.slip_velocity, spring);
    const Real total = length(sticking);
    const Truth<Real> capped = total > t.friction_limit;
    if (worthwhile(capped))
      sticking = select(capped, quotient(t.friction_limit, total), Real(1)) * sticking;
    out.tangential = select(slides, spring, sticking);
    out.dissipated = select(slides, out.dissipated,
      multiplyAdd(-t.dt, dot(sticking - spring, t.slip_velocity), out.dissipated));
  }
};

} // namespace dem
