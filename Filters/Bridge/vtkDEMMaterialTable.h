/**
 * Tables of materials and of pairs of materials to dem::Material, dem::MaterialPair and
 * mpm::Material.
 */

#ifndef vtkDEMMaterialTable_h
#define vtkDEMMaterialTable_h

#include "MaterialPoint/MpmScene.h"
#include "Solver/Scene.h"

#include <string>
#include <vector>

class vtkTable;

namespace vtkDEMMaterialTable
{

/**
 * One material a row, by the columns Name (needed), YoungsModulus, PoissonsRatio, Density,
 * Restitution, Friction, RollingFriction; what is missing is taken from `fallback`. Throws
 * dem::Error.
 */
std::vector<dem::Material> ReadMaterials(vtkTable* table, const dem::Material& fallback);

/**
 * One pair a row, by the columns First and Second (names) and any of Restitution, Friction,
 * RollingFriction; NaN or an empty text means "combine". Throws dem::Error.
 */
std::vector<dem::MaterialPair> ReadPairs(
  vtkTable* table, const std::vector<dem::Material>& materials);

/**
 * One material of an MPM simulation a row, by the columns Name and any of Law (a name), Density,
 * YoungsModulus, PoissonsRatio, FrictionAngle (degrees), YieldSurface, Cohesion, GrainDiameter,
 * FastFrictionAngle (degrees), InertialNumber, YieldStress, HardeningModulus, BulkModulus, Gamma,
 * Viscosity; what is missing is taken from `fallback`. Appends their names. Throws dem::Error.
 */
std::vector<mpm::Material> ReadMaterials(
  vtkTable* table, const mpm::Material& fallback, std::vector<std::string>& names);

} // namespace vtkDEMMaterialTable

#endif
