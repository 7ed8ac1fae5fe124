/**
 * Tables of materials and of pairs of materials to dem::Material, dem::MaterialPair and
 * mpm::Material.
 */

#ifndef vtkDEMMaterialTable_h
#define vtkDEMMaterialTable_h

#include "MaterialPoint/MpmScene.h"
#include "Scene/Scene.h"

#include "vtkSmartPointer.h"

#include <map>
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
 * A material from its numbers by property. Throws dem::Error that names a property of a material
 * without a number, or a number that is none of its properties.
 */
dem::Material MakeMaterial(const std::string& name, std::map<std::string, double> numbers);

/**
 * Lists of numbers by the properties of a material, as Scene/Describe.h names them.
 */
using Columns = std::map<std::string, std::vector<double>>;

/**
 * The table that the lists of a panel make: Name, and a column for each list of numbers that is not
 * empty. Null without names and numbers. Throws dem::Error if a list that is not empty has more or
 * fewer values than there are names.
 */
vtkSmartPointer<vtkTable> MakeTable(
  const std::vector<std::string>& names, const Columns& numbers, const TableNames& what);

/**
 * One material a row, by the columns Name (needed) and those of the properties of a material
 * (Scene/Describe.h); what is missing is taken from `fallback`. Names are not empty and differ,
 * values lie in their ranges; the error names the row and the column. Throws dem::Error.
 *
 * An unknown column is an error if it resembles a known one that the table does not have: up to
 * letter case, signs and a unit in brackets, the names are equal, differ by up to two letters (one
 * of four or five, none of fewer), or one begins with the other, which has five letters or more.
 * The error names the column, the nearest known one and all known ones. Other unknown columns, and
 * those of the other method's materials, are left out with a warning; names that begin with vtk
 * without. All readers of this file treat columns so.
 */
std::vector<dem::Material> ReadMaterials(vtkTable* table, const dem::Material& fallback,
  std::vector<std::string>& warnings, const TableNames& what = {});

/**
 * One pair a row, by the columns First and Second (names) and any of the properties of a
 * material that a pair can state (Restitution, Friction, RollingFriction, SurfaceEnergy); NaN or an
 * empty text means "combine". Other properties of a material are left out with a warning. Throws
 * dem::Error.
 */
std::vector<dem::MaterialPair> ReadPairs(
  vtkTable* table, const std::vector<dem::Material>& materials, std::vector<std::string>& warnings);

/**
 * One material of an MPM simulation a row, by the columns Name (needed) and those of the properties
 * of a material (MaterialPoint/MpmDescribe.h); what is missing is taken from `fallback`. Values lie
 * in their ranges. Appends the names. Throws dem::Error.
 */
std::vector<mpm::Material> ReadMaterials(vtkTable* table, const mpm::Material& fallback,
  std::vector<std::string>& warnings, std::vector<std::string>& names);

} // namespace vtkDEMMaterialTable

#endif
