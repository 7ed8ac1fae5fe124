#include "vtkDEMMaterialTable.h"

#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"
#include "Core/RowRange.h"
#include "MaterialPoint/MpmDescribe.h"
#include "Scene/Describe.h"

#include "vtkAbstractArray.h"
#include "vtkDoubleArray.h"
#include "vtkNew.h"
#include "vtkStringArray.h"
#include "vtkTable.h"
#include "vtkVariant.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numeric>
#include <type_traits>

namespace
{

using vtkDEMMaterialTable::TableNames;

//------------------------------------------------------------------------------
std::string Where(const TableNames& what, vtkIdType row)
{
  return what.Row + std::to_string(row + what.FirstRow);
}

//------------------------------------------------------------------------------
std::string ColumnNames(vtkTable* table)
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
// Letters and digits of a name, as lower case, without a unit in brackets.
std::string Plain(const std::string& name)
{
  std::string plain;
  for (const char c : name.substr(0, name.find_first_of("([{")))
  {
    if (std::isalnum(static_cast<unsigned char>(c)))
    {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return plain;
}

//------------------------------------------------------------------------------
// The number of letters to insert, remove, replace or swap with their neighbour to get `b` from
// `a`.
std::size_t Edits(const std::string& a, const std::string& b)
{
  std::vector<std::size_t> before, row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i)
  {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j)
    {
      next[j] = std::min({ row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1]) });
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
      {
        next[j] = std::min(next[j], before[j - 2] + 1);
      }
    }
    before = row;
    row.swap(next);
  }
  return row.back();
}

//------------------------------------------------------------------------------
// Whether a column is likely meant to be the known one: up to letter case, signs and a unit in
// brackets, the names are equal, differ by up to two letters (one of four or five, none of fewer),
// or one begins with the other, which has five letters or more.
bool Resembles(const std::string& column, const std::string& known)
{
  const std::string a = Plain(column), b = Plain(known);
  const std::size_t shorter = std::min(a.size(), b.size());
  const std::size_t most = b.size() < 4 ? 0 : (b.size() < 6 ? 1 : 2);
  return Edits(a, b) <= most || (shorter >= 5 && a.compare(0, shorter, b, 0, shorter) == 0);
}

//------------------------------------------------------------------------------
// Throws dem::Error for a column that resembles one of the `known` columns, if the table does not
// have that one. A warning names other unknown columns. Those of ParaView ("vtk...") are ignored,
// and those of the `others` are never taken for misspelt.
void CheckColumns(vtkTable* table, const std::vector<std::string>& known,
  const std::vector<std::string>& others, const TableNames& what,
  std::vector<std::string>& warnings)
{
  const auto has = [](const std::vector<std::string>& names, const std::string& name)
  { return std::find(names.begin(), names.end(), name) != names.end(); };
  std::string list;
  for (const std::string& name : known)
  {
    list += (list.empty() ? "" : ", ") + name;
  }
  std::string unused;
  for (vtkIdType i = 0; i < table->GetNumberOfColumns(); ++i)
  {
    const std::string name = table->GetColumnName(i) ? table->GetColumnName(i) : "";
    if (has(known, name) || name.compare(0, 3, "vtk") == 0)
    {
      continue;
    }
    unused += (unused.empty() ? "\"" : ", \"") + name + "\"";
    if (has(others, name))
    {
      continue;
    }
    const auto nearer = [&](const std::string& a, const std::string& b)
    { return Edits(Plain(name), Plain(a)) < Edits(Plain(name), Plain(b)); };
    std::vector<std::string> meant;
    std::copy_if(known.begin(), known.end(), std::back_inserter(meant),
      [&](const std::string& other)
      { return !table->GetColumnByName(other.c_str()) && Resembles(name, other); });
    if (!meant.empty())
    {
      throw dem::Error(what.Table + ", column \"" + name + "\": unknown name. The nearest is \"" +
        *std::min_element(meant.begin(), meant.end(), nearer) + "\". Known are: " + list +
        ". Rename the column to one of these, or to a name that resembles none.");
    }
  }
  if (!unused.empty())
  {
    warnings.push_back(
      what.Table + ": not used are the columns " + unused + ". Known are: " + list + ".");
  }
}

//------------------------------------------------------------------------------
// The names of the columns of a table of materials: Name and the properties.
template <class MaterialT>
std::vector<std::string> KnownColumns()
{
  std::vector<std::string> known{ "Name" };
  dem::forRows<MaterialT>(
    [&known](const auto& row)
    {
      const std::string property = row.property;
      if (!property.empty() && property != "Name")
      {
        known.push_back(property);
      }
    });
  return known;
}

//------------------------------------------------------------------------------
std::string Text(vtkTable* table, vtkIdType row, const char* column, const TableNames& what)
{
  if (!table->GetColumnByName(column))
  {
    throw dem::Error(what.Table + " has no column \"" + column +
      "\". Its columns are: " + ColumnNames(table) + ".");
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
// Reads an enumeration from the names in a column, if the table has it. `where` begins the message.
template <class RowT, class ValueT>
void ReadName(vtkTable* table, vtkIdType row, const std::string& where, const TableNames& what,
  const RowT& column, ValueT& value)
{
  if (!table->GetColumnByName(column.property))
  {
    return;
  }
  const std::string name = Text(table, row, column.property, what);
  std::string known;
  for (std::size_t i = 0; i < column.name_count; ++i)
  {
    if (name == column.names[i])
    {
      value = static_cast<ValueT>(i);
      return;
    }
    known += (i ? ", " : "") + std::string(column.names[i]);
  }
  throw dem::Error(where + ", column \"" + column.property + "\": unknown \"" + name +
    "\". Known are: " + known + ".");
}

//------------------------------------------------------------------------------
// Reads the members of a material whose properties are columns. `where` begins the messages.
template <class MaterialT>
void ReadRow(vtkTable* table, vtkIdType row, const std::string& where, const TableNames& what,
  MaterialT& material)
{
  dem::forRows<MaterialT>(
    [&](const auto& column)
    {
      using ValueT = typename std::decay_t<decltype(column)>::Value;
      if constexpr (std::is_enum_v<ValueT>)
      {
        ReadName(table, row, where, what, column, material.*column.member);
      }
      else if constexpr (std::is_same_v<ValueT, double>)
      {
        double value = 0;
        if (!Number(table, row, column.property, what, value))
        {
          return;
        }
        material.*column.member = column.factor * value;
        const bool used = !column.applies || column.applies(material);
        if (used && !(dem::isInRange(column, value) && std::isfinite(value)))
        {
          throw dem::Error(where + ", column \"" + column.property +
            "\": " + vtkDEMArrays::Number(value) + " must " + dem::rangeText(column, true) + ".");
        }
      }
    });
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
dem::Material MakeMaterial(const std::string& name, std::map<std::string, double> numbers)
{
  dem::Material material;
  material.name = name;
  dem::forRows<dem::Material>(
    [&](const auto& row)
    {
      if constexpr (std::is_same_v<typename std::decay_t<decltype(row)>::Value, double>)
      {
        const auto found = numbers.find(row.property);
        if (found == numbers.end())
        {
          throw dem::Error("The material " + name + " is made without a " + row.property +
            " (an error in the program).");
        }
        material.*row.member = found->second;
        numbers.erase(found);
      }
    });
  if (!numbers.empty())
  {
    throw dem::Error("A material has no " + numbers.begin()->first + " (an error in the program).");
  }
  return material;
}

//------------------------------------------------------------------------------
vtkSmartPointer<vtkTable> MakeTable(
  const std::vector<std::string>& names, const Columns& numbers, const TableNames& what)
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
  dem::forRows<dem::Material>(
    [&](const auto& row)
    {
      const auto values = numbers.find(row.property);
      if (values != numbers.end() && !values->second.empty())
      {
        vtkNew<vtkDoubleArray> array;
        column(array, row.property, values->second.size());
        std::copy(values->second.begin(), values->second.end(), array->GetPointer(0));
      }
    });
  return table;
}

//------------------------------------------------------------------------------
std::vector<dem::Material> ReadMaterials(vtkTable* table, const dem::Material& fallback,
  std::vector<std::string>& warnings, const TableNames& what)
{
  CheckColumns(table, KnownColumns<dem::Material>(), KnownColumns<mpm::Material>(), what, warnings);
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
    ReadRow(table, row, where + " (\"" + material.name + "\")", what, material);
    materials.push_back(material);
  }
  return materials;
}

//------------------------------------------------------------------------------
std::vector<dem::MaterialPair> ReadPairs(
  vtkTable* table, const std::vector<dem::Material>& materials, std::vector<std::string>& warnings)
{
  const TableNames what{ "TableOfPairs", "TableOfPairs, row " };
  std::vector<std::string> known{ "First", "Second" };
  dem::forRows<dem::Material>(
    [&known](const auto& column)
    {
      if (column.pair)
      {
        known.emplace_back(column.property);
      }
    });
  CheckColumns(table, known, KnownColumns<dem::Material>(), what, warnings);
  std::vector<dem::MaterialPair> pairs;
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
  {
    dem::MaterialPair pair;
    pair.first = Find(materials, Text(table, row, "First", what), row);
    pair.second = Find(materials, Text(table, row, "Second", what), row);
    dem::forRows<dem::Material>(
      [&](const auto& column)
      {
        double value = 0;
        if (column.pair && Number(table, row, column.property, what, value))
        {
          pair.*column.pair = value;
        }
      });
    pairs.push_back(pair);
  }
  return pairs;
}

//------------------------------------------------------------------------------
std::vector<mpm::Material> ReadMaterials(vtkTable* table, const mpm::Material& fallback,
  std::vector<std::string>& warnings, std::vector<std::string>& names)
{
  const TableNames what;
  CheckColumns(table, KnownColumns<mpm::Material>(), KnownColumns<dem::Material>(), what, warnings);
  std::vector<mpm::Material> materials;
  for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
  {
    mpm::Material material = fallback;
    names.push_back(Text(table, row, "Name", what));
    ReadRow(table, row, Where(what, row) + " (\"" + names.back() + "\")", what, material);
    materials.push_back(material);
  }
  return materials;
}

} // namespace vtkDEMMaterialTable
