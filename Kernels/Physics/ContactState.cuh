// Data of contact models: coefficients of a pair of materials, options of the law, and history,
// motion and force of one contact. Used by all models. Numbers may be packs of contacts
// (Core/Pack.h). The models are listed in Families.cuh.
#pragma once

#include "Core/Vec.h"
#include "Physics/ContactModel.h"

#include <cmath>

namespace dem
{

/// Coefficients of the law for a pair of materials. Symmetric in the materials.
template <class Real>
struct PairCoefficients
{
  // Hertz: tangent stiffness / contact radius = 2 E*, Pa; 1/E* = (1-v1^2)/E1 + (1-v2^2)/E2.
  Real normal;
  // Mindlin: tangential stiffness / contact radius = 8 G*, Pa; 1/G* = (2-v1)/G1 + (2-v2)/G2.
  Real tangential;
  // c: the normal dashpot is c sqrt(S m*). With the damping ratio b, c is 2 sqrt(5/6) b for the
  // tangent stiffness S of Hertz, and 2 b for a linear spring.
  Real damping;
  Real friction;
  Real rolling;
  Real linear;             // pi^2 + ln^2 e = kn tc^2 / m* of the linear law
  Real tangential_damping; // tangential dashpot over the normal one, from TangentialDamping
  Real adhesion{};         // JKR: pi gamma, N/m
  Real adhesive_radius{};  // JKR: (pi gamma / (4 E*))^(1/3), m^(1/3)

  /// Number of coefficients. They may be copied as an array of this length.
  static constexpr int kCount = 9;
};
static_assert(sizeof(PairCoefficients<double>) == PairCoefficients<double>::kCount * sizeof(double),
  "kCount must match the members");

/// Options and parameters of the law that do not depend on materials. SI units.
template <class Real>
struct LawParameters
{
  NormalLaw law;
  FrictionLimit friction_limit;
  RollingModel rolling;
  CohesionModel cohesion;
  bool history;
  bool clamp;
  bool statistics;
  bool direction; // contacts store their normal, with which the next step's narrow phase begins
  bool heats;     // dissipated energy heats the particles (HeatShare)
  Real collision_time, normal_stiffness, stiffness_ratio, rolling_damping;

  /// Whether the options are those that most scenes use. If so, knowPlain() makes them constants
  /// for the compiler. The ...ForShapes() versions allow stored directions.
  DEM_HD bool isPlain() const { return isPlainForShapes() && !direction; }
  DEM_HD void knowPlain()
  {
    knowPlainForShapes();
    direction = false;
  }
  DEM_HD bool isPlainForShapes() const
  {
    return law == NormalLaw::HertzMindlin && history && rolling == RollingModel::None &&
      cohesion == CohesionModel::None && !statistics && !heats;
  }
  DEM_HD void knowPlainForShapes()
  {
    law = NormalLaw::HertzMindlin;
    history = true;
    rolling = RollingModel::None;
    cohesion = CohesionModel::None;
    statistics = false;
    heats = false;
  }
};

/// History of one contact. Springs are integrated by the trapezoidal rule. They are stored half a
/// step ahead; the velocity of the next step adds the other half.
template <class Real>
struct ContactHistory
{
  Vec3<Real> xi{};                  // tangential spring, m
  Vec3<Real> roll{};                // rolling spring (EPSD), rad
  Real age{}, slip{}, dissipated{}; // s, m, J
  Truth<Real> sliding{ false };
};

/// One column of a model's history.
struct HistoryColumn
{
  const char* name;
  bool odd; // changes its sign if the sides of the pair are swapped
};

/// Geometry and motion of a contact of particle a with b. The normal points from a to b. SI units.
template <class Real>
struct ContactMotion
{
  Vec3<Real> normal;
  Real overlap;         // m; below 0 if a cohesive contact is stretched
  Vec3<Real> velocity;  // of a's surface relative to b's at the contact point
  Vec3<Real> spin;      // angular velocity of a relative to b
  Real radius;          // R*
  Real mass;            // m*
  Real rolling_inertia; // reduced moment of inertia of both, about the contact point
};

/// Result of the law: force and torque on particle a, in N and N m, and energies.
template <class Real>
struct ContactForce
{
  Real normal;           // > 0 pushes a away from b, along -normal
  Vec3<Real> tangential; // on a
  Vec3<Real> rolling;    // rolling torque on a
  Real elastic_energy;   // J, stored in the springs of this contact
  Real dissipated;       // J in this step
  // J in this step: energy lost because tangential and rolling stiffness change under load.
  Real stiffness_work;
};

/// A spring rotated into the plane of a contact, with its length kept. Zero if the spring was
/// perpendicular to the plane.
template <class Real>
struct PlaneSpring
{
  Vec3<Real> spring;
  Real length;
};

/// Rotates a spring into the plane perpendicular to `normal`, a unit vector.
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

/// Result of a normal model, and of a cohesion model that changes it, at one overlap.
template <class Real>
struct Stiffness
{
  Real normal, tangential; // N/m; of the normal spring the tangent
  Real elastic_force;      // N, with cohesion; below 0 if it pulls
  Real energy;             // J, of the normal spring; below 0 if bodies stick together
};

/// Intermediate values that the models of one contact share, besides its motion.
template <class Real>
struct ContactTerms
{
  Real dt;
  Vec3<Real> slip_velocity;    // tangential part of the surface velocity, m/s
  Stiffness<Real> now, before; // at the present overlap and a step ago
  Real overlap_before;         // m
  Real tangential_damping;     // N s/m
  Real normal_size;            // |Fn|, N; with cohesion |Fn + 2 Fpo|, Fpo: pull-off force
  Real friction_limit;         // N
  Real opening;                // s: part of the step by which springs grow before the force acts
};

} // namespace dem
