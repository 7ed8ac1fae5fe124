// Heat conduction through contacts: coefficients of a pair of materials, and the conductance of a
// contact. Used by Heat/.
#pragma once

#include "Core/HostDevice.h"
#include "Physics/HeatModel.h"

#include <cmath>

namespace dem
{

/// Coefficients of conduction for a pair of materials a and b.
struct HeatCoefficients
{
  double conductance; // 4 k1 k2 / (k1 + k2), W/K per metre of the contact's size
  // Squared ratio of the contact radius with true Young's moduli to the simulated one:
  // (E*/E*true)^(2/3) at equal force, (E*/E*true)^(2/5) in equal impacts. Multiplies the overlap.
  double overlap;
  double conductivity_a, conductivity_b; // W/m/K
  double modulus;                        // E* with true Young's moduli, Pa
};

/// Batchelor and O'Brien, Proc. R. Soc. A 355 (1977) 313: two bodies with conductivities k1 and k2
/// exchange Q = H (T2 - T1), H = 4 k1 k2 / (k1 + k2) a, through a circular contact of radius a that
/// is small compared with the bodies.
struct Conduction
{
  /// Conductance of a contact of size `size` (m), W/K.
  DEM_HD static double conductance(const HeatCoefficients& pair, double size)
  {
    return pair.conductance * size;
  }

  /// Size of the contact of two spheres, m. `overlap`: m, already multiplied by
  /// HeatCoefficients::overlap.
  DEM_HD static double ofSpheres(
    ContactAreaModel area, double radius_a, double radius_b, double overlap)
  {
    using std::sqrt;
    if (!(overlap > 0))
      return 0;
    if (area == ContactAreaModel::ContactRadius)
      return sqrt(radius_a * radius_b / (radius_a + radius_b) * overlap);
    const double distance = radius_a + radius_b - overlap;
    return rootOfDisk(overlap * (2 * radius_a - overlap) * (2 * radius_b - overlap) *
      (2 * (radius_a + radius_b) - overlap) / (4 * distance * distance));
  }

  /// Size of the contact of a sphere with a flat wall, m.
  DEM_HD static double ofSphereAndWall(ContactAreaModel area, double radius, double overlap)
  {
    using std::sqrt;
    if (!(overlap > 0))
      return 0;
    return area == ContactAreaModel::ContactRadius ? sqrt(radius * overlap)
                                                   : rootOfDisk(overlap * (2 * radius - overlap));
  }

  /// Size of a contact of other shapes, m. `radius`: R* of the contact, so that sqrt(R* d) is the
  /// contact radius of round bodies. `flat`: the overlap is a volume of a polyhedron, whose section
  /// is S = 2 pi R* d; its radius is sqrt(S / pi). If triangles of a wall share the section, R* d
  /// of each is share^2 of the whole, so their sizes add up to that of the whole.
  DEM_HD static double ofShapes(ContactAreaModel area, double radius, double overlap, bool flat)
  {
    using std::sqrt;
    if (!(overlap > 0))
      return 0;
    const double size2 = (flat ? 2 : 1) * radius * overlap;
    if (area == ContactAreaModel::ContactRadius)
      return sqrt(size2);
    return rootOfDisk(flat ? size2 : 2 * size2);
  }

private:
  // Root of the area of a disk. `radius2`: square of its radius, m^2.
  DEM_HD static double rootOfDisk(double radius2)
  {
    using std::sqrt;
    return sqrt(3.14159265358979323846 * radius2);
  }
};

} // namespace dem
