// The contact laws: parameters, history and one function, the same for pairs and walls, host and
// device, one contact and a pack of them (Core/Pack.h): choices that contacts make differently are
// `select`ed, choices of the law are branches.
//
// Hertz-Mindlin with viscous damping: Tsuji, Tanaka, Ishida, Powder Technology 71 (1992) 239;
// stiffnesses after Mindlin, J. Appl. Mech. 16 (1949) 259. Rolling: Ai, Chen, Rotter, Ooi, Powder
// Technology 206 (2011) 269, models A (CDT) and C (EPSD).
#pragma once

#include "Physics/ContactModel.h"
#include "Core/Vec.h"

#include <cstdint>

namespace dem
{

/// What a pair of materials adds to the law. Symmetric in the materials.
template <class Real>
struct PairCoefficients
{
  Real normal; // Hertz: 2 E*, the tangent stiffness over the contact radius; 1/E* = (1-v1^2)/E1 +
               // (1-v2^2)/E2
  Real tangential; // Mindlin: 8 G*, the same; 1/G* = (2-v1)/G1 + (2-v2)/G2
  Real damping; // c: c sqrt(S m*) damps normal motion; 2 sqrt(5/6) b for Hertz's tangent stiffness
                // S, 2 b for a linear spring
  Real friction;
  Real rolling;
  Real linear;             // (pi^2 + ln^2 e): kn tc^2 / m* of the linear law
  Real tangential_damping; // over the normal one: what the law's TangentialDamping comes to
};

/// The law's own options.
template <class Real>
struct LawParameters
{
  NormalLaw law;
  FrictionLimit friction_limit;
  RollingModel rolling;
  bool history;
  bool clamp;
  bool statistics;
  bool direction; // contacts keep their normal, for the narrow phase of the next step to begin with
  Real collision_time, normal_stiffness, stiffness_ratio, rolling_damping;

  /// The law that most scenes use; knowPlain() tells the compiler so where isPlain() was true. The
  /// same of shapes, whose contacts may keep directions.
  DEM_HD bool isPlain() const { return isPlainForShapes() && !direction; }
  DEM_HD void knowPlain()
  {
    knowPlainForShapes();
    direction = false;
  }
  DEM_HD bool isPlainForShapes() const
  {
    return law == NormalLaw::HertzMindlin && history && rolling == RollingModel::None &&
      !statistics;
  }
  DEM_HD void knowPlainForShapes()
  {
    law = NormalLaw::HertzMindlin;
    history = true;
    rolling = RollingModel::None;
    statistics = false;
  }

  DEM_HD int rollColumn() const { return history ? 3 : 0; }
  DEM_HD int statisticsColumn() const
  {
    return rollColumn() + (rolling == RollingModel::EPSD ? 3 : 0);
  }
  DEM_HD int directionColumn() const { return statisticsColumn() + (statistics ? 3 : 0); }
  DEM_HD int columns() const { return directionColumn() + (direction ? 3 : 0); }
};

/// What one contact remembers. Springs are integrated by the trapezoidal rule: they are kept half a
/// step ahead, as they will be when the next velocity adds its half.
template <class Real>
struct ContactHistory
{
  Vec3<Real> xi{};   // tangential spring, m
  Vec3<Real> roll{}; // rolling spring (EPSD), rad
  Real age{}, slip{}, dissipated{};
  Truth<Real> sliding{ false };
};

/// The geometry and motion of a contact of particle a with b; the normal points from a to b.
template <class Real>
struct ContactMotion
{
  Vec3<Real> normal;
  Real overlap;         // > 0
  Vec3<Real> velocity;  // of a's surface relative to b's at the contact point
  Vec3<Real> spin;      // angular velocity of a relative to b
  Real radius;          // R*
  Real mass;            // m*
  Real rolling_inertia; // of the relative rolling, both about the contact point
};

template <class Real>
struct ContactForce
{
  Real normal;           // > 0 pushes a away from b, along -normal
  Vec3<Real> tangential; // on a
  Vec3<Real> rolling;    // rolling torque on a
  Real elastic_energy;   // J, springs of this contact
  Real dissipated;       // J in this step
  Real stiffness_work; // J in this step: lost as the tangential and rolling stiffness changed under
                       // load
};

/// Stiffnesses at overlap d: tangent normal stiffness, tangential stiffness, elastic normal force.
template <class Real>
struct Stiffness
{
  Real normal, tangential, elastic_force;
};

template <class Scalar, class Real>
DEM_HD Stiffness<Real> stiffness(const LawParameters<Scalar>& law,
  const PairCoefficients<Real>& pair, const Real& radius, const Real& mass, const Real& overlap)
{
  using std::sqrt;
  if (law.law == NormalLaw::HertzMindlin)
  {
    const Real a = sqrt(radius * overlap); // contact radius
    const Real sn = pair.normal * a;
    return { sn, pair.tangential * a, Real(2. / 3) * sn * overlap };
  }
  const Real kn = law.normal_stiffness > Scalar(0)
    ? Real(law.normal_stiffness)
    : mass * pair.linear / Real(law.collision_time * law.collision_time);
  return { kn, law.stiffness_ratio * kn, kn * overlap };
}

/// The coefficient of the normal dashpot, N s/m.
template <class Real>
DEM_HD Real normalDamping(const LawParameters<Real>& law, const PairCoefficients<Real>& pair,
  const Real& radius, const Real& mass, const Real& overlap)
{
  using std::sqrt;
  return pair.damping * sqrt(stiffness(law, pair, radius, mass, overlap).normal * mass);
}

/// A spring turned into the plane of a contact, as long as it was; nothing if it stood upright
/// there.
template <class Real>
struct PlaneSpring
{
  Vec3<Real> spring;
  Real length;
};

template <class Real>
DEM_HD PlaneSpring<Real> turnedIntoPlane(const Vec3<Real>& spring, const Vec3<Real>& normal)
{
  using std::sqrt;
  const Vec3<Real> projected = multiplyAdd(-dot(spring, normal), normal, spring);
  const Real p2 = dot(projected, projected), size = sqrt(dot(spring, spring));
  const Truth<Real> lies = p2 > Real(0);
  return { select(lies, quotient(size, sqrt(p2)), Real(1)) * projected,
    select(lies, size, Real(0)) };
}

/// The force of one contact. With `kAdvance` the history moves on by `dt`, or, where the contact
/// `begins`, by the part of `dt` since it touched; without, the force of the present history is
/// evaluated again, as the last advance left it.
template <bool kAdvance, class Scalar, class Real>
DEM_HD ContactForce<Real> contactForce(const LawParameters<Scalar>& law,
  const PairCoefficients<Real>& pair, const ContactMotion<Real>& m, Scalar step,
  const Truth<Real>& begins, ContactHistory<Real>& history)
{
  using std::sqrt;
  const Real zero(0), dt(step);
  ContactForce<Real> out{};
  const Stiffness<Real> k = stiffness(law, pair, m.radius, m.mass, m.overlap);
  const bool hertz = law.law == NormalLaw::HertzMindlin;
  const Real vn = dot(m.velocity, m.normal);
  const Vec3<Real> vt = multiplyAdd(-vn, m.normal, m.velocity);
  const Real damping_n = pair.damping * sqrt(k.normal * m.mass),
             damping_t = pair.tangential_damping * damping_n;

  Real fn = multiplyAdd(damping_n, vn, k.elastic_force);
  if (law.clamp)
    fn = select(fn < zero, zero, fn);
  out.normal = fn;
  out.elastic_energy = Real(hertz ? 0.4 : 0.5) * k.elastic_force * m.overlap;
  out.dissipated = (fn - k.elastic_force) * vn * dt;

  // the stiffness a step ago, for the work of its change
  const Real went = multiplyAdd(-dt, vn, m.overlap),
             overlap_before = select(went > zero, went, zero);
  const Stiffness<Real> before =
    kAdvance ? stiffness(law, pair, m.radius, m.mass, overlap_before) : k;

  const Real fn_size = magnitude(fn);
  const Real limit =
    pair.friction * (law.friction_limit == FrictionLimit::Total ? fn_size : k.elastic_force);

  const Real half = Real(0.5) * dt;
  Real opening = half;
  if (worthwhile(begins))
    opening = select(begins, select(went < zero, quotient(m.overlap, vn), dt), half);
  if (law.history)
  {
    const Vec3<Real> none{ zero, zero, zero };
    const Vec3<Real> xi_before = select(begins, none, multiplyAdd(-half, vt, history.xi));
    PlaneSpring<Real> turned;
    if (kAdvance)
      turned = turnedIntoPlane(multiplyAdd(opening, vt, history.xi), m.normal);
    else
    {
      turned.spring = multiplyAdd(-half, vt, history.xi);
      turned.length = length(turned.spring);
    }
    Vec3<Real> xi = turned.spring;
    const Vec3<Real> spring = (-k.tangential) * xi;
    const Real size = k.tangential * turned.length;
    if (kAdvance)
      history.sliding = size > zero && size >= limit;
    const Truth<Real> slides = history.sliding;
    out.tangential = spring;
    if (worthwhile(!slides))
    {
      Vec3<Real> sticking = multiplyAdd(-damping_t, vt, spring);
      const Real total = length(sticking);
      const Truth<Real> capped = total > limit;
      if (worthwhile(capped))
        sticking = select(capped, quotient(limit, total), Real(1)) * sticking;
      out.tangential = select(slides, spring, sticking);
      out.dissipated = select(
        slides, out.dissipated, multiplyAdd(-dt, dot(sticking - spring, vt), out.dissipated));
    }
    if (kAdvance && worthwhile(slides))
    {
      const Real kept = quotient(limit, size); // what slides has a spring, so a stiffness
      const Vec3<Real> stuck = kept * xi;
      out.tangential = select(slides, kept * spring, out.tangential);
      history.slip += select(slides, (size - limit) / k.tangential, zero);
      // mean of the forces before and after, along what slipped; none without friction
      const Real lost = Real(0.5) *
        dot(multiplyAdd(before.tangential, xi_before, k.tangential * stuck), xi - stuck);
      out.dissipated += select(slides && limit > zero, lost, zero);
      xi = select(slides, stuck, xi);
    }
    out.elastic_energy += Real(0.5) * k.tangential * dot(xi, xi);
    if (kAdvance)
    {
      out.stiffness_work = Real(-0.5) * (k.tangential - before.tangential) * dot(xi_before, xi);
      history.xi = multiplyAdd(half, vt, xi);
    }
  }
  else
  {
    const Real speed = length(vt);
    const Real viscous = damping_t * speed;
    const Real size = select(viscous < limit, viscous, limit);
    out.tangential = select(speed > zero, -size / speed, zero) * vt;
    history.sliding = speed > zero && viscous >= limit;
    if (kAdvance)
      history.slip += select(history.sliding, speed * dt, zero);
    out.dissipated += size * speed * dt;
  }

  if (law.rolling != RollingModel::None)
  {
    const Vec3<Real> rolling = m.spin - dot(m.spin, m.normal) * m.normal;
    const Real torque_limit = pair.rolling * m.radius * fn_size;
    if (law.rolling == RollingModel::CDT)
    {
      const Real rate = length(rolling);
      const Truth<Real> rolls = rate > zero;
      // never more than what would stop the rolling in this step: a constant torque would make a
      // resting grain rattle
      const Real stopping = step > Scalar(0) ? m.rolling_inertia * rate / dt : torque_limit;
      const Real size = select(torque_limit < stopping, torque_limit, stopping);
      out.rolling = select(rolls, -size / rate, zero) * rolling;
      // what stops within the step does so from full rate to none
      const Real mean = select(stopping > zero, Real(1) - Real(0.5) * size / stopping, Real(1));
      out.dissipated += select(rolls, size * rate * dt * mean, zero);
    }
    else
    {
      const Real lever = pair.rolling * m.radius;
      const Real kr = Real(2.25) * (k.elastic_force / m.overlap) * lever * lever;
      const Real kr_before = select(overlap_before > zero,
        Real(2.25) * (before.elastic_force / overlap_before) * lever * lever, kr);
      Vec3<Real> roll;
      if (kAdvance)
      {
        roll = turnedIntoPlane(history.roll + opening * rolling, m.normal).spring;
        out.stiffness_work -= Real(0.5) * dot(history.roll, history.roll) * (kr - kr_before);
      }
      else
        roll = history.roll - half * rolling;
      const Vec3<Real> spring = (-kr) * roll;
      const Real size = length(spring);
      const Truth<Real> full = size >= torque_limit;
      const Truth<Real> wound = size > zero && kr > zero;
      const Real kept = select(size > zero, torque_limit / size, Real(1));
      const Real damping_r = Real(2) * law.rolling_damping * sqrt(m.rolling_inertia * kr);
      out.rolling = select(full, kept * spring, spring - damping_r * rolling);
      const Real unwound = select(wound, torque_limit * (size - torque_limit) / kr, zero);
      out.dissipated +=
        select(full, kAdvance ? unwound : zero, damping_r * dot(rolling, rolling) * dt);
      if (kAdvance)
        roll = select(full && wound, kept * roll, roll);
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
