// The contact laws: parameters, history and one function, the same for pairs and walls, host and device.
//
// Hertz-Mindlin with viscous damping: Tsuji, Tanaka, Ishida, Powder Technology 71 (1992) 239; stiffnesses after Mindlin,
// J. Appl. Mech. 16 (1949) 259. Rolling: Ai, Chen, Rotter, Ooi, Powder Technology 206 (2011) 269, models A (CDT) and C (EPSD).
#pragma once

#include "Contact/ContactModel.h"
#include "Core/Vec.h"

#include <cstdint>

namespace dem
{

/// What a pair of materials adds to the law. Symmetric in the materials.
template <class Real>
struct PairCoefficients
{
  Real youngs;   // E*: 1/E* = (1-v1^2)/E1 + (1-v2^2)/E2
  Real shear;    // G*: 1/G* = (2-v1)/G1 + (2-v2)/G2
  Real damping;  // b = -ln e / sqrt(ln^2 e + pi^2): the fraction of critical damping of a linear spring
  Real friction;
  Real rolling;
  Real linear;   // (pi^2 + ln^2 e): kn tc^2 / m* of the linear law
};

/// The law's own options.
template <class Real>
struct LawParameters
{
  NormalLaw law;
  FrictionLimit friction_limit;
  TangentialDamping tangential_damping;
  RollingModel rolling;
  bool history;
  bool clamp;
  bool statistics;
  Real collision_time, normal_stiffness, stiffness_ratio, rolling_damping;

  DEM_HD int rollColumn() const { return history ? 3 : 0; }
  DEM_HD int statisticsColumn() const { return rollColumn() + (rolling == RollingModel::EPSD ? 3 : 0); }
  DEM_HD int columns() const { return statisticsColumn() + (statistics ? 3 : 0); }
};

/// What one contact remembers. Springs are integrated by the trapezoidal rule: they are kept half a step ahead, as they will be when the
/// next velocity adds its half.
template <class Real>
struct ContactHistory
{
  Vec3<Real> xi{};   // tangential spring, m
  Vec3<Real> roll{}; // rolling spring (EPSD), rad
  Real age{}, slip{}, dissipated{};
  bool sliding = false;
};

/// The geometry and motion of a contact of particle a with b; the normal points from a to b.
template <class Real>
struct ContactMotion
{
  Vec3<Real> normal;
  Real overlap;           // > 0
  Vec3<Real> velocity;    // of a's surface relative to b's at the contact point
  Vec3<Real> spin;        // angular velocity of a relative to b
  Real radius;            // R*
  Real mass;              // m*
  Real rolling_inertia;   // of the relative rolling, both about the contact point
};

template <class Real>
struct ContactForce
{
  Real normal;              // > 0 pushes a away from b, along -normal
  Vec3<Real> tangential;    // on a
  Vec3<Real> rolling;       // rolling torque on a
  Real elastic_energy;      // J, springs of this contact
  Real dissipated;          // J in this step
  Real stiffness_work;      // J in this step: lost as the tangential and rolling stiffness changed under load
};

/// Stiffnesses at overlap d: tangent normal stiffness, tangential stiffness, elastic normal force.
template <class Real>
struct Stiffness
{
  Real normal, tangential, elastic_force;
};

template <class Real>
DEM_HD Stiffness<Real> stiffness(
  const LawParameters<Real>& law, const PairCoefficients<Real>& pair, Real radius, Real mass, Real overlap)
{
  if (law.law == NormalLaw::HertzMindlin)
  {
    const Real a = std::sqrt(radius * overlap); // contact radius
    const Real sn = Real(2) * pair.youngs * a;
    return { sn, Real(8) * pair.shear * a, Real(2. / 3) * sn * overlap };
  }
  const Real kn =
    law.normal_stiffness > Real(0) ? law.normal_stiffness : mass * pair.linear / (law.collision_time * law.collision_time);
  return { kn, law.stiffness_ratio * kn, kn * overlap };
}

template <class Real>
DEM_HD Vec3<Real> turnedIntoPlane(const Vec3<Real>& spring, const Vec3<Real>& normal)
{
  const Vec3<Real> projected = spring - dot(spring, normal) * normal;
  const Real p2 = dot(projected, projected);
  return p2 > Real(0) ? std::sqrt(dot(spring, spring) / p2) * projected : projected;
}

/// The force of one contact. With `kAdvance` the history moves on by `dt`, or, where the contact `begins`, by the part of `dt` since it
/// touched; without, the force of the present history is evaluated again, as the last advance left it.
template <bool kAdvance, class Real>
DEM_HD ContactForce<Real> contactForce(const LawParameters<Real>& law, const PairCoefficients<Real>& pair,
  const ContactMotion<Real>& m, Real dt, bool begins, ContactHistory<Real>& history)
{
  ContactForce<Real> out{};
  const Stiffness<Real> k = stiffness(law, pair, m.radius, m.mass, m.overlap);
  const bool hertz = law.law == NormalLaw::HertzMindlin;
  // c sqrt(S m*), with c = 2 sqrt(5/6) b for Hertz's tangent stiffness and 2 b for a linear spring
  const Real c = (hertz ? Real(1.8257418583505538) : Real(2)) * pair.damping;
  const Real vn = dot(m.velocity, m.normal);
  const Vec3<Real> vt = m.velocity - vn * m.normal;
  const Real damping_n = c * std::sqrt(k.normal * m.mass);

  Real fn = k.elastic_force + damping_n * vn;
  if (law.clamp && fn < Real(0))
    fn = Real(0);
  out.normal = fn;
  out.elastic_energy = (hertz ? Real(0.4) : Real(0.5)) * k.elastic_force * m.overlap;
  out.dissipated = (fn - k.elastic_force) * vn * dt;

  // the stiffness a step ago, for the work of its change
  const Real overlap_before = m.overlap > vn * dt ? m.overlap - vn * dt : Real(0);
  const Stiffness<Real> before = kAdvance ? stiffness(law, pair, m.radius, m.mass, overlap_before) : k;

  const Real fn_size = fn < Real(0) ? -fn : fn;
  const Real limit = pair.friction * (law.friction_limit == FrictionLimit::Total ? fn_size : k.elastic_force);
  Real damping_t = Real(0);
  if (law.tangential_damping == TangentialDamping::Mindlin)
    damping_t = c * std::sqrt(k.tangential * m.mass);
  else if (law.tangential_damping == TangentialDamping::EqualToNormal)
    damping_t = damping_n;

  const Real half = Real(0.5) * dt;
  const Real opening = !begins ? half : (m.overlap < vn * dt ? m.overlap / vn : dt);
  if (law.history)
  {
    Vec3<Real> xi;
    const Vec3<Real> xi_before = begins ? Vec3<Real>{} : history.xi - half * vt;
    if (kAdvance)
      xi = turnedIntoPlane(history.xi + opening * vt, m.normal);
    else
      xi = history.xi - half * vt;
    const Vec3<Real> spring = (-k.tangential) * xi;
    const Real size = length(spring);
    if (kAdvance)
      history.sliding = size > Real(0) && size >= limit;
    if (history.sliding)
    {
      if (kAdvance)
      {
        out.tangential = (limit / size) * spring;
        const Real slip = k.tangential > Real(0) ? (size - limit) / k.tangential : Real(0);
        history.slip += slip;
        const Vec3<Real> stuck = k.tangential > Real(0) ? (limit / size) * xi : Vec3<Real>{};
        // mean of the forces before and after, along what slipped
        if (limit > Real(0))
          out.dissipated += Real(0.5) * dot(before.tangential * xi_before + k.tangential * stuck, xi - stuck);
        xi = stuck;
      }
      else
        out.tangential = spring;
    }
    else
    {
      out.tangential = spring - damping_t * vt;
      const Real total = length(out.tangential);
      if (total > limit)
        out.tangential = (limit / total) * out.tangential;
      out.dissipated -= dot(out.tangential - spring, vt) * dt;
    }
    out.elastic_energy += Real(0.5) * k.tangential * dot(xi, xi);
    if (kAdvance)
    {
      out.stiffness_work -= Real(0.5) * (k.tangential - before.tangential) * dot(xi_before, xi);
      history.xi = xi + half * vt;
    }
  }
  else
  {
    const Real speed = length(vt);
    const Real viscous = damping_t * speed;
    const Real size = viscous < limit ? viscous : limit;
    if (speed > Real(0))
      out.tangential = (-size / speed) * vt;
    history.sliding = speed > Real(0) && viscous >= limit;
    if (kAdvance && history.sliding)
      history.slip += speed * dt;
    out.dissipated += size * speed * dt;
  }

  if (law.rolling != RollingModel::None)
  {
    const Vec3<Real> rolling = m.spin - dot(m.spin, m.normal) * m.normal;
    const Real torque_limit = pair.rolling * m.radius * fn_size;
    if (law.rolling == RollingModel::CDT)
    {
      const Real rate = length(rolling);
      if (rate > Real(0))
      {
        // never more than what would stop the rolling in this step: a constant torque would make a resting grain rattle
        const Real stopping = dt > Real(0) ? m.rolling_inertia * rate / dt : torque_limit;
        const Real size = torque_limit < stopping ? torque_limit : stopping;
        out.rolling = (-size / rate) * rolling;
        // what stops within the step does so from full rate to none
        out.dissipated += size * rate * dt * (stopping > Real(0) ? Real(1) - Real(0.5) * size / stopping : Real(1));
      }
    }
    else
    {
      const Real lever = pair.rolling * m.radius;
      const Real kr = Real(2.25) * (k.elastic_force / m.overlap) * lever * lever;
      const Real kr_before = overlap_before > Real(0) ? Real(2.25) * (before.elastic_force / overlap_before) * lever * lever : kr;
      Vec3<Real> roll;
      if (kAdvance)
      {
        roll = turnedIntoPlane(history.roll + opening * rolling, m.normal);
        out.stiffness_work -= Real(0.5) * dot(history.roll, history.roll) * (kr - kr_before);
      }
      else
        roll = history.roll - half * rolling;
      const Vec3<Real> spring = (-kr) * roll;
      const Real size = length(spring);
      if (size >= torque_limit)
      {
        out.rolling = size > Real(0) ? (torque_limit / size) * spring : spring;
        if (kAdvance && kr > Real(0) && size > Real(0))
        {
          out.dissipated += torque_limit * (size - torque_limit) / kr;
          roll = (torque_limit / size) * roll;
        }
      }
      else
      {
        const Real damping_r = Real(2) * law.rolling_damping * std::sqrt(m.rolling_inertia * kr);
        out.rolling = spring - damping_r * rolling;
        out.dissipated += damping_r * dot(rolling, rolling) * dt;
      }
      out.elastic_energy += Real(0.5) * kr * dot(roll, roll);
      if (kAdvance)
        history.roll = roll + half * rolling;
    }
  }

  if (kAdvance)
  {
    history.age += dt;
    history.dissipated += out.dissipated;
  }
  return out;
}

} // namespace dem
