// A contact law that the project does not have: Sneddon's cone, F = (2 / pi) E* tan(a) d^2, a: half
// angle, d: overlap (Sneddon, Int. J. Engng Sci. 3 (1965) 47). Shows what a normal model is: a
// struct with isChosen() and stiffness(), here in a family of its own (Physics/Families.cuh).
//
// Integrates the head-on impact of two spheres. Prints restitution, largest overlap and duration,
// and compares them, within 0.1 %, with the closed forms of x'' + c sqrt(S / m) x' + k / m x^2 = 0,
// S = 2 k x: e = exp(-pi b / sqrt(1 - b^2)), b = c / sqrt(3); for c = 0 d = (3 m v^2 / (2 k))^(1/3)
// and t = 2 sqrt(pi) G(4/3) / G(5/6) d / v, G: gamma function. The same code with the project's own
// models must give the bits of dem::contactForce().
//
// The engine is compiled for the models that Families.cuh lists. To run this law in a simulation,
// follow the recipe "Contact model" of ARCHITECTURE.md: the struct becomes a file of
// Physics/Normal/ and an entry of NormalModels, NormalLaw gets a value that isChosen() tests, and
// pairCoefficientsOf() gets the factor of its damping, sqrt(3).
//
// Run: own_law
#include "Check.h"

#include "Physics/ContactLaw.cuh"

#include <algorithm>

namespace
{

constexpr double kPi = 3.14159265358979323846;

struct SneddonCone
{
  static constexpr double kSlope = 2.75; // -, tan(a), a = 70 degrees

  template <class Law>
  static bool isChosen(const Law&)
  {
    return true;
  }

  // R* and m* are not used. Tangent stiffness 2 E* a, tangential 8 G* a, a: radius of the contact.
  template <class Scalar, class Real>
  static dem::Stiffness<Real> stiffness(const dem::LawParameters<Scalar>&,
    const dem::PairCoefficients<Real>& pair, const Real&, const Real&, const Real& overlap)
  {
    const Real a = Real(2 / kPi * kSlope) * overlap; // m
    const Real sn = pair.normal * a, force = Real(0.5) * sn * overlap;
    return { sn, pair.tangential * a, force, force * overlap / Real(3) };
  }
};

// Normal force, N, with the dashpot: what contactForce() computes from the models in `Normals`.
template <class Normals>
double normalForce(const dem::LawParameters<double>& law, const dem::PairCoefficients<double>& pair,
  const dem::ContactMotion<double>& m)
{
  const dem::Stiffness<double> now = dem::ofChosen(Normals{}, law,
    [&](auto model) { return decltype(model)::stiffness(law, pair, m.radius, m.mass, m.overlap); });
  return pair.damping * std::sqrt(now.normal * m.mass) * dot(m.velocity, m.normal) +
    now.elastic_force;
}

struct Impact
{
  double restitution, overlap, duration; // -, m, s
};

// Impact of two spheres with the reduced mass m.mass at `speed` (m/s), by velocity Verlet.
Impact impact(const dem::PairCoefficients<double>& pair, dem::ContactMotion<double> m, double speed)
{
  const double dt = 1e-7; // s
  double v = speed, time = 0, largest = 0, force = 0;
  for (;;)
  {
    v -= 0.5 * dt / m.mass * force;
    m.overlap += dt * v;
    time += dt;
    if (m.overlap <= 0)
      return { -v / speed, largest, time };
    largest = std::max(largest, m.overlap);
    m.velocity = v * m.normal;
    force = normalForce<dem::Family<SneddonCone>>({}, pair, m);
    v -= 0.5 * dt / m.mass * force;
  }
}

} // namespace

int main()
{
  dem::PairCoefficients<double> pair{};
  pair.normal = 2 * 5e6; // Pa, 2 E*
  dem::ContactMotion<double> m{};
  m.normal = { 0.6, 0, 0.8 };
  m.radius = 0.0025; // m, R* of two spheres of 5 mm
  m.mass = 6.5e-4;   // kg, m* of two spheres of 1.3 g
  const double speed = 1, e = 0.7;
  const double k = SneddonCone::kSlope / kPi * pair.normal; // N/m^2
  const double overlap = std::cbrt(3 * m.mass * speed * speed / (2 * k));
  const double shape = 2 * std::sqrt(kPi) * std::tgamma(4. / 3) / std::tgamma(5. / 6);

  Checks checks;
  const Impact elastic = impact(pair, m, speed);
  checks.near("restitution without damping", elastic.restitution, 1, 1e-3);
  checks.near("largest overlap, m", elastic.overlap, overlap, 1e-3);
  checks.near("duration, s", elastic.duration, shape * overlap / speed, 1e-3);
  pair.damping = -std::sqrt(3) * std::log(e) / std::hypot(kPi, std::log(e)); // sqrt(3) b
  checks.near("restitution", impact(pair, m, speed).restitution, e, 1e-3);

  const dem::LawParameters<double> hertz{};
  dem::ContactHistory<double> history;
  m.overlap = 1e-4;             // m
  m.velocity = { 0.5, 0.2, 0 }; // m/s
  checks.isTrue("Hertz: the bits of contactForce()",
    normalForce<dem::NormalModels>(hertz, pair, m) ==
      dem::contactForce<true>(hertz, pair, m, 1e-6, false, history).normal);
  return checks.status();
}
