#include "vtkDEMMaterialTable.h"

#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"

#include "vtkAbstractArray.h"
#include "vtkDoubleArray.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkStringArray.h"
#include "vtkTable.h"
#include "vtkVariant.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace
{

using vtkDEMMaterialTable::TableNames;

//------------------------------------------------------------------------------
std::string Where(const TableNames& what, vtkIdType row)
{
  return what.Row + std::to_string(row + what.FirstRow);
}

//------------------------------------------------------------------------------
std::string Columns(vtkTable* table)
{
  std::string text;
  for (vtkIdType i = 0; i < table->GetNumberOfColumns(); ++i)
  {
    text += (i ? ", " : "") +
      std::string(table->GetColumnName(i) ? table->GetColumnName(i) : "(unnamed)");
  }
  return text.empty() ? "none" : text;
}

//------------------------------------------------------------------------------
std::string Text(vtkTable* table, vtkIdType row, const char* column, const TableNames& what)
{
  if (!table->GetColumnByName(column))
  {
    throw dem::Error(
      what.Table + " has no column \"" + column + "\". Its columns are: " + Columns(table) + ".");
  }
  return table->GetValueByName(row, column).ToString();
}

//------------------------------------------------------------------------------
// False when there is no such column or no value in it.
bool Number(
  vtkTable* table, vtkIdType row, const char* column, const TableNames& what, double& value)
{
  if (!table->GetColumnByName(column))
  {
    return false;
  }
  const vtkVariant cell = table->GetValueByName(row, column);
  if (cell.IsString() && cell.ToString().empty())
  {
    return false;
  }
  bool valid = false;
  const double number = cell.ToDouble(&valid);
  if (!valid)
  {
    throw dem::Error(Where(what, row) + ", column \"" + column + "\": \"" +
      std::string(cell.ToString()) + "\" is no number.");
  }
  if (std::isnan(number))
  {
    return false;
  }
  value = number;
  return true;
}

//------------------------------------------------------------------------------
int Find(const std::vector<dem::Material>& materials, const std::string& name, vtkIdType row)
{
  std::string known;
  for (std::size_t i = 0; i < materials.size(); ++i)
  {
    if (materials[i].name == name)
    {
      return static_cast<int>(i);
    }
    known += (i ? ", " : "") + materials[i].name;
  }
  throw dem::Error("TableOfPairs, row " + std::to_string(row) + ": unknown material \"" + name +
    "\". Known are: " + known + ".");
}

//------------------------------------------------------------------------------
bool IsPositive(double value) { return value > 0 && std::isfinite(value); }

//------------------------------------------------------------------------------
bool IsNotNegative(double value) { return value >= 0 && std::isfinite(value); }

// The columns of numbers of a table of materials, with the values that are allowed.
struct Column
{
  const char* Name;
  double dem::Material::*Value;
  bool (*IsValid)(double);
  const char* Valid;
};
constexpr Column MaterialColumns[] = {
  { "YoungsModulus", &dem::Material::youngs_modulus, IsPositive, "be above 0 Pa" },
  { "PoissonsRatio", &dem::Material::poissons_ratio,
    [](double value) { return value > -1 && value <= 0.5; }, "lie in (-1, 0.5]" },
  { "Density", &dem::Material::density, IsPositive, "be above 0 kg/m^3" },
  { "Restitution", &dem::Material::restitution,
    [](double value) { return value > 0 && value <= 1; }, "lie in (0, 1]" },
  { "Friction", &dem::Material::friction, IsNotNegative, "be at least 0" },
  { "RollingFriction", &dem::Material::rolling_friction, IsNotNegative, "be at least 0" },
};

} // namespace

namespace vtkDEMMaterialTable
{

//------------------------------------------------------------------------------
vtkSmartPointer<vtkTable> MakeTable(const std::vector<std::string>& names,
  const std::vector<double> (&numbers)[6], const TableNames& what)
{
  vtkSmartPointer<vtkTable> table;
  const auto column = [&](vtkAbstractArray* array, const char* name, std::size_t size)
  {
    if (size != names.size())
    {
      throw dem::Error(what.Table + ", column \"" + name + "\": " + std::to_string(size) +
        (size == 1 ? " value" : " values") + " for " + std::to_string(names.size()) +
        (names.size() == 1 ? " name" : " names") +
        ". Give each material a value, or leave the column empty: the materials then have the "
        "value of the grain material.");
    }
    array->SetName(name);
    array->SetNumberOfTuples(static_cast<vtkIdType>(size));
    table = table ? table : vtkSmartPointer<vtkTable>::New();
    table->AddColumn(array);
  };
  if (!names.empty())
  {
    vtkNew<vtkStringArray> array;
    column(array, "Name", names.size());
    std::copy(names.begin(), names.end(), array->GetPointer(0));
  }
  for (std::size_t i = 0; i < std::size(MaterialColumns); ++i)
  {
    if (!numbers[i].empty())
    {
      vtkNew<vtkDoubleArray> array;
      column(array, MaterialColumns[i].Name, numbers[i].size());
      std::copy(numbers[i].begin(), numbers[i].end(), array->GetPointer(0));
    }
  }
  return table;
}

//------------------------------------------------------------------------------
std::vector<dem::Material> ReadMaterials(
  vtkTable* table, const dem::Material& fallback, const TableNames& what)
{
  std::vector<dem::Material> materials;
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
  {
    dem::Material material = fallback;
    material.name = Text(table, row, "Name", what);
    const std::string where = Where(what, row);
    if (material.name.empty())
    {
      throw dem::Error(where + ", column \"Name\": the material has no name.");
    }
    for (std::size_t other = 0; other < materials.size(); ++other)
    {
      if (materials[other].name == material.name)
      {
        throw dem::Error(where + ", column \"Name\": \"" + material.name + "\" is the name of " +
          Where(what, static_cast<vtkIdType>(other)) + " too. Names must differ.");
      }
    }
    for (const Column& column : MaterialColumns)
    {
      double& value = material.*column.Value;
      if (Number(table, row, column.Name, what, value) && !column.IsValid(value))
      {
        throw dem::Error(where + " (\"" + material.name + "\"), column \"" + column.Name +
          "\": " + vtkDEMArrays::Number(value) + " must " + column.Valid + ".");
      }
    }
    materials.push_back(material);
  }
  return materials;
}

//------------------------------------------------------------------------------
std::vector<dem::MaterialPair> ReadPairs(
  vtkTable* table, const std::vector<dem::Material>& materials)
{
  const TableNames what{ "TableOfPairs", "TableOfPairs, row " };
  std::vector<dem::MaterialPair> pairs;
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
  {
    dem::MaterialPair pair;
    pair.first = Find(materials, Text(table, row, "First", what), row);
    pair.second = Find(materials, Text(table, row, "Second", what), row);
    double value = 0;
    if (Number(table, row, "Restitution", what, value))
    {
      pair.restitution = value;
    }
    if (Number(table, row, "Friction", what, value))
    {
      pair.friction = value;
    }
    if (Number(table, row, "RollingFriction", what, value))
    {
      pair.rolling_friction = value;
    }
    pairs.push_back(pair);
  }
  return pairs;
}

//------------------------------------------------------------------------------
std::vector<mpm::Material> ReadMaterials(
  vtkTable* table, const mpm::Material& fallback, std::vector<std::string>& names)
{
  const TableNames what;
  constexpr const char* laws[] = { "Corotated", "Fixed Corotated", "Neo-Hookean", "Drucker-Prager",
    "Von Mises", "Fluid" };
  std::vector<mpm::Material> materials;
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
  {
    mpm::Material m = fallback;
    names.push_back(Text(table, row, "Name", what));
    if (table->GetColumnByName("Law"))
    {
      const std::string law = Text(table, row, "Law", what);
      const auto found = std::find(std::begin(laws), std::end(laws), law);
      if (found == std::end(laws))
      {
        throw dem::Error(Where(what, row) + ": unknown law \"" + law +
          "\". Known are: Corotated, Fixed Corotated, Neo-Hookean, Drucker-Prager, Von Mises, "
          "Fluid.");
      }
      m.kind = static_cast<mpm::MaterialKind>(found - std::begin(laws));
    }
    Number(table, row, "Density", what, m.density);
    Number(table, row, "YoungsModulus", what, m.youngs_modulus);
    Number(table, row, "PoissonsRatio", what, m.poissons_ratio);
    double degrees = 0;
    if (Number(table, row, "FrictionAngle", what, degrees))
    {
      m.friction_angle = vtkMath::RadiansFromDegrees(degrees);
    }
    if (table->GetColumnByName("YieldSurface"))
    {
      const std::string surface = Text(table, row, "YieldSurface", what);
      bool known = false;
      for (mpm::SandYield kind : { mpm::SandYield::MohrCoulomb, mpm::SandYield::PlaneStrainCone,
             mpm::SandYield::CompressionCone })
      {
        if (surface == mpm::name(kind))
        {
          m.sand_yield = kind;
          known = true;
        }
      }
      if (!known)
      {
        throw dem::Error(Where(what, row) + ": unknown yield surface \"" + surface +
          "\". Known are: Mohr-Coulomb, Plane Strain Cone, Compression Cone.");
      }
    }
    Number(table, row, "Cohesion", what, m.cohesion);
    Number(table, row, "GrainDiameter", what, m.grain_diameter);
    if (Number(table, row, "FastFrictionAngle", what, degrees))
    {
      m.fast_friction_angle = vtkMath::RadiansFromDegrees(degrees);
    }
    Number(table, row, "InertialNumber", what, m.inertial_number);
    Number(table, row, "YieldStress", what, m.yield_stress);
    Number(table, row, "HardeningModulus", what, m.hardening_modulus);
    Number(table, row, "BulkModulus", what, m.bulk_modulus);
    Number(table, row, "Gamma", what, m.gamma);
    Number(table, row, "Viscosity", what, m.viscosity);
    materials.push_back(m);
  }
  return materials;
}

} // namespace vtkDEMMaterialTable
