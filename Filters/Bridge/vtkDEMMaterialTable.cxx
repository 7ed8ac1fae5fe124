#include "vtkDEMMaterialTable.h"

#include "Core/Error.h"

#include "vtkAbstractArray.h"
#include "vtkMath.h"
#include "vtkTable.h"
#include "vtkVariant.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace
{

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
std::string Text(vtkTable* table, vtkIdType row, const char* column, const char* what)
{
  if (!table->GetColumnByName(column))
  {
    throw dem::Error(std::string(what) + " has no column \"" + column +
      "\". Its columns are: " + Columns(table) + ".");
  }
  return table->GetValueByName(row, column).ToString();
}

//------------------------------------------------------------------------------
// False when there is no such column or no value in it.
bool Number(vtkTable* table, vtkIdType row, const char* column, const char* what, double& value)
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
    throw dem::Error(std::string(what) + ", row " + std::to_string(row) + ", column \"" + column +
      "\": \"" + std::string(cell.ToString()) + "\" is no number.");
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

} // namespace

namespace vtkDEMMaterialTable
{

//------------------------------------------------------------------------------
std::vector<dem::Material> ReadMaterials(vtkTable* table, const dem::Material& fallback)
{
  constexpr const char* what = "TableOfMaterials";
  std::vector<dem::Material> materials;
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
  {
    dem::Material material = fallback;
    material.name = Text(table, row, "Name", what);
    Number(table, row, "YoungsModulus", what, material.youngs_modulus);
    Number(table, row, "PoissonsRatio", what, material.poissons_ratio);
    Number(table, row, "Density", what, material.density);
    Number(table, row, "Restitution", what, material.restitution);
    Number(table, row, "Friction", what, material.friction);
    Number(table, row, "RollingFriction", what, material.rolling_friction);
    materials.push_back(material);
  }
  return materials;
}

//------------------------------------------------------------------------------
std::vector<dem::MaterialPair> ReadPairs(
  vtkTable* table, const std::vector<dem::Material>& materials)
{
  constexpr const char* what = "TableOfPairs";
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
  constexpr const char* what = "TableOfMaterials";
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
        throw dem::Error(std::string(what) + ", row " + std::to_string(row) + ": unknown law \"" +
          law + "\". Known are: Corotated, Fixed Corotated, Neo-Hookean, Drucker-Prager, Von Mises, Fluid.");
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
        throw dem::Error(std::string(what) + ", row " + std::to_string(row) + ": unknown yield surface \"" +
          surface + "\". Known are: Mohr-Coulomb, Plane Strain Cone, Compression Cone.");
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
