/**
 * Tables of materials and of pairs of materials to dem::Material, dem::MaterialPair and
 * mpm::Material.
 */

#ifndef vtkDEMMaterialTable_h
#define vtkDEMMaterialTable_h

#include "MaterialPoint/MpmScene.h"
#include "Scene/Scene.h"

#include "vtkSmartPointer.h"

#include <string>
#include <vector>

class vtkTable;

namespace vtkDEMMaterialTable
{

/**
 * How messages name a table and its rows.
 */
struct TableNames
{
  std::string Table = "TableOfMaterials";
  std::string Row = "TableOfMaterials, row "; ///< followed by the number of the row
  int FirstRow = 0;
};

/**
 * The table that the lists of a panel make: Name, and a column for each list of numbers that is not
 * empty. The lists come in the order YoungsModulus, PoissonsRatio, Density, Restitution, Friction,
 * RollingFriction. Null without names and numbers. Throws dem::Error if a list that is not empty
 * has more or fewer values than there are names.
 */
vtkSmartPointer<vtkTable> MakeTable(const std::vector<std::string>& names,
  const std::vector<double> (&numbers)[6], const TableNames& what);

/**
 * One material a row, by the columns Name (needed), YoungsModulus, PoissonsRatio, Density,
 * Restitution, Friction, RollingFriction; what is missing is taken from `fallback`. Names are not
 * empty and differ, values lie in their ranges; the error names the row and the column. Throws
 * dem::Error.
 */
std::vector<dem::Material> ReadMaterials(
  vtkTable* table, const dem::Material& fallback, const TableNames& what = {});

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
