// What contact models work on: the coefficients of a pair of materials, the options of the law, and
// history, motion and force of one contact. Numbers may be packs of contacts (Core/Pack.h).
#pragma once

#include "Core/Vec.h"
#include "Physics/ContactModel.h"

#include <cmath>

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

  // Where the history of each model begins among the columns of a contact.
  DEM_HD int rollColumn() const { return history ? 3 : 0; }
  DEM_HD int statisticsColumn() const
  {
    return rollColumn() + (rolling == RollingModel::EPSD ? 3 : 0);
  }
  DEM_HD int directionColumn() const { return statisticsColumn() + (statistics ? 3 : 0); }
  DEM_HD int columns() const { return directionColumn() + (direction ? 3 : 0); }
  static constexpr int kMostColumnsOfSpheres = 9; // directions are of other shapes
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

/// At an overlap: tangent normal stiffness and tangential stiffness, N/m, and the elastic normal
/// force, N.
template <class Real>
struct Stiffness
{
  Real normal, tangential, elastic_force;
};

/// What the models of one contact share, beyond its motion.
template <class Real>
struct ContactTerms
{
  Real dt;
  Vec3<Real> slip_velocity;    // tangential part of the surface velocity, m/s
  Stiffness<Real> now, before; // at the present overlap and a step ago
  Real overlap_before;         // m
  Real tangential_damping;     // N s/m
  Real normal_size;            // |Fn|, N
  Real friction_limit;         // N
  Real opening; // s: the part of the step by which springs have grown when the force acts
};

} // namespace dem
