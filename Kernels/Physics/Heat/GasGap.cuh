// Heat through the gas around a contact and through its rough surfaces: resistances of Bahrami,
// Yovanovich and Culham, Int. J. Heat Mass Transfer 49 (2006) 3691, in the network of Beaulieu
// (thesis, Polytechnique Montreal 2020). Used by Heat/.
#pragma once

#include "Core/HostDevice.h"

#include <cmath>

namespace dem
{

/// Inverse of the complementary error function, exact to rounding for y from 1e-12 on. y: in (0,
/// 2).
DEM_HD double inverseErfc(double y)
{
  using std::erfc;
  using std::exp;
  using std::fabs;
  using std::log;
  using std::sqrt;
  // Winitzki's approximation of the inverse error function, to 2e-3, then steps of Halley, each of
  // which triples the number of exact digits.
  constexpr double kA = 0.147, kPi = 3.14159265358979323846;
  const double w = log(y * (2 - y)), h = 2 / (kPi * kA) + 0.5 * w;
  double x = sqrt(sqrt(h * h - w / kA) - h);
  x = y > 1 ? -x : x;
  for (int k = 0; k < 2; ++k)
  {
    const double step = (erfc(x) - y) / (2 / sqrt(kPi) * exp(-x * x));
    x += step / (1 - x * step);
  }
  return x;
}

/// Geometry and state of a contact of two spheres, or of a sphere and a flat wall.
struct HeatedContact
{
  double radius_a, radius_b;             // m; radius_b <= 0: a flat wall
  double conductivity_a, conductivity_b; // W/m/K
  double contact_radius;                 // m, >= 0
  double pressure;                       // Pa, largest one in the contact
  double constriction;                   // W/K: conductance of the contact of smooth surfaces
};

/// Gas in the gaps of contacts, and roughness of their surfaces. The same for all contacts.
struct GasGap
{
  double conductivity; // W/m/K of the gas; 0 = no gas
  double jump;         // m, > 0: added to each gap for the temperature jumps at both surfaces
  double roughness;    // m, root mean square of both surfaces; 0 = smooth
  double slope;        // mean of the slopes of the roughness, of both surfaces
  double hardness;     // Pa, microhardness of the softer surface

  DEM_HD bool on() const { return conductivity > 0 || roughness > 0; }

  /// Conductance of a contact, W/K: surfaces and gas in the small gaps of their roughness, beside
  /// each other and in series with the constriction; beside them the gas around the contact, in
  /// series with the bodies.
  DEM_HD double conductance(const HeatedContact& c) const
  {
    if (!(conductivity > 0))
      return through(c);
    const double gas = around(c);
    const double bodies = ofBody(c.conductivity_a, c.radius_a, c.contact_radius) +
      (c.radius_b > 0 ? ofBody(c.conductivity_b, c.radius_b, c.contact_radius) : 0);
    return through(c) + gas / (1 + gas * bodies);
  }

  /// Conductance of the gas around the contact, W/K: heat flows along parallel lines, each through
  /// its gap and the two jumps of temperature, out to the rim of the smaller sphere. The gap of
  /// spheres of different radii is that of two with their harmonic mean. 0 if the contact is as
  /// wide as the sphere.
  DEM_HD double around(const HeatedContact& c) const
  {
    using std::log1p;
    using std::sqrt;
    constexpr double kPi = 3.14159265358979323846;
    const double r =
      c.radius_b > 0 ? 2 * c.radius_a * c.radius_b / (c.radius_a + c.radius_b) : c.radius_a;
    const double rim = c.radius_b > 0 && c.radius_b < c.radius_a ? c.radius_b : c.radius_a;
    if (!(c.contact_radius < rim))
      return 0;
    // The gap of two spheres is twice that of a sphere and a plane.
    const double sides = c.radius_b > 0 ? 2 : 1;
    const double at_contact = sides * sqrt(r * r - c.contact_radius * c.contact_radius),
                 at_rim = rim < r ? sides * sqrt(r * r - rim * rim) : 0;
    const double widest = at_contact - at_rim; // m, the gap at the rim
    return 2 * kPi * conductivity / (sides * sides) *
      ((at_contact + jump) * log1p(widest / jump) - widest);
  }

private:
  // Conductance of the contact itself, W/K.
  DEM_HD double through(const HeatedContact& c) const
  {
    using std::log;
    using std::pow;
    using std::sqrt;
    constexpr double kPi = 3.14159265358979323846;
    if (!(roughness > 0) || !(c.contact_radius > 0))
      return c.constriction;
    const double area = kPi * c.contact_radius * c.contact_radius;
    // The pressure of Hertz' contact lowers the conductance of the spots towards the rim.
    const double load = c.pressure < hardness ? c.pressure / hardness : 1;
    const double mean =
      2 * c.conductivity_a * c.conductivity_b / (c.conductivity_a + c.conductivity_b);
    const double spots = 1.25 * mean * (slope / roughness) * area * pow(load, 0.96) / 1.48;
    // Distances of the mean planes at the centre of the contact and at its rim, as parts of
    // 2 sqrt(2) times the roughness.
    const double near = load < 0.5 ? inverseErfc(2 * load) : 0;
    const double further = inverseErfc(0.03 * load) - near;
    const double height = 2 * sqrt(2.) * roughness;
    const double gas =
      conductivity * area / (height * further) * log(1 + further / (near + jump / height));
    return 1 / (1 / c.constriction + 1 / (spots + gas));
  }
  // Resistance of a sphere to the heat that flows through the gas at it, K/W: a length of pi r / 4
  // and the cross section.
  DEM_HD static double ofBody(double conductivity, double radius, double contact_radius)
  {
    return radius / (4 * conductivity * (radius * radius - contact_radius * contact_radius));
  }
};

} // namespace dem
