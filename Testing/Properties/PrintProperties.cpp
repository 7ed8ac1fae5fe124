// Prints the rows that describe the scenes of all methods, and those of the passive columns of
// Particles/Columns.h, as JSON for check_properties.py: an object with a list for each struct.
#include "MaterialPoint/MpmDescribe.h"
#include "Particles/Columns.h"
#include "Scene/Describe.h"
#include "Scene/Packing/PackingRows.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>

namespace
{

using nlohmann::json;

template <class T>
struct IsArrayOfNames : std::false_type
{
};
template <class T, std::size_t N>
struct IsArrayOfNames<std::array<T, N>> : std::is_enum<T>
{
};

// A value as files state it; null for types without a key of their own.
template <class RowT, class Value>
json valueOf(const RowT& row, const Value& value)
{
  if constexpr (std::is_enum_v<Value>)
    return row.names ? json(row.names[static_cast<int>(value)]) : json();
  else if constexpr (std::is_same_v<Value, double>)
    return value / row.factor;
  else if constexpr (std::is_same_v<Value, dem::Vec3d>)
    return json::array({ value.x, value.y, value.z });
  else if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, std::string> ||
    std::is_same_v<Value, std::array<int, 3>>)
    return value;
  else if constexpr (IsArrayOfNames<Value>::value)
    return valueOf(row, value[0]);
  else
    return nullptr;
}

template <class Value>
const char* typeOf()
{
  if constexpr (std::is_enum_v<Value>)
    return "enumeration";
  else if constexpr (IsArrayOfNames<Value>::value)
    return std::tuple_size_v<Value> == 3 ? "enumeration of each axis"
                                         : "enumeration of each border";
  else if constexpr (std::is_same_v<Value, double>)
    return "number";
  else if constexpr (std::is_same_v<Value, bool>)
    return "boolean";
  else if constexpr (std::is_integral_v<Value>)
    return "integer";
  else if constexpr (std::is_same_v<Value, dem::Vec3d>)
    return "vector";
  else if constexpr (std::is_same_v<Value, std::array<int, 3>>)
    return "integers";
  else
    return "other";
}

// Names of the kinds of MPM material that use a property.
template <class RowT>
json kindsOf(const RowT& row)
{
  json kinds = json::array();
  for (std::size_t k = 0; k < std::size(mpm::kMaterialKindNames); ++k)
  {
    mpm::Material material;
    material.kind = static_cast<mpm::MaterialKind>(k);
    material.grain_diameter = 0.001; // some properties of sand need one
    if (!row.applies || row.applies(material))
      kinds.push_back(mpm::kMaterialKindNames[k]);
  }
  return kinds;
}

template <class Owner>
json rowsOf()
{
  json rows = json::array();
  dem::forRows<Owner>([&](const auto& row) {
    using Value = typename std::decay_t<decltype(row)>::Value;
    const Owner owner{};
    json out;
    out["key"] = row.key;
    out["property"] = row.property;
    out["unit"] = row.unit;
    out["type"] = typeOf<Value>();
    out["default"] = valueOf(row, owner.*row.member);
    out["panel"] = row.panel[0] ? row.panel : row.property;
    out["panel_unit"] = row.panel_unit ? row.panel_unit : row.unit;
    out["in_panel"] = row.is_in_panel && out["panel"] != "";
    out["steered"] = row.is_steered;
    out["fingerprint"] = row.in_fingerprint;
    out["mixed"] = row.pair != nullptr;
    out["zero"] = row.zero;
    out["per_particle"] = row.otherwise != nullptr;
    if (row.panel_default)
      out["panel_default"] = row.panel_default;
    if (std::isfinite(row.lower))
      out[row.lower_is_open ? "above" : "lower"] = row.lower;
    if (std::isfinite(row.upper))
      out["upper"] = row.upper;
    if (row.choices[0] != row.choices[1])
      out["choices"] = row.choices;
    for (std::size_t i = 0; i < row.name_count; ++i)
      out["names"].push_back(row.names[i]);
    if constexpr (std::is_same_v<Owner, mpm::Material>)
      out["kinds"] = kindsOf(row);
    rows.push_back(out);
  });
  return rows;
}

json columns()
{
  json rows = json::array();
  for (const auto& column : dem::kPassiveColumns)
    rows.push_back({ { "name", column.name }, { "unit", column.unit }, { "shown", column.is_shown },
      { "default", column.initial },
      { "input", column.input ? dem::rowOf(column.input).property : "" },
      { "property_default",
        column.property ? json(dem::Scene().*column.property) : json(column.initial) } });
  return rows;
}

} // namespace

int main()
{
  json all;
  all["Material"] = rowsOf<dem::Material>();
  all["ContactModel"] = rowsOf<dem::ContactModel>();
  all["HeatOptions"] = rowsOf<dem::HeatOptions>();
  all["FluidOptions"] = rowsOf<dem::FluidOptions>();
  all["BroadPhaseOptions"] = rowsOf<dem::BroadPhaseOptions>();
  all["NeighborListOptions"] = rowsOf<dem::NeighborListOptions>();
  all["AveragesOptions"] = rowsOf<dem::AveragesOptions>();
  all["Domain"] = rowsOf<dem::Domain>();
  all["Motion"] = rowsOf<dem::Motion>();
  all["WallHeat"] = rowsOf<dem::WallHeat>();
  all["Wall"] = rowsOf<dem::Wall>();
  all["ParticleInput"] = rowsOf<dem::ParticleInput>();
  all["Scene"] = rowsOf<dem::Scene>();
  all["Columns"] = columns();
  all["PackingSpec"] = rowsOf<dem::PackingSpec>();
  all["Nozzle"] = rowsOf<dem::Nozzle>();
  all["SprayOptions"] = rowsOf<dem::SprayOptions>();
  all["StoreOptions"] = rowsOf<dem::StoreOptions>();
  all["MpmMaterial"] = rowsOf<mpm::Material>();
  all["MpmDomain"] = rowsOf<mpm::Domain>();
  all["MpmWallContact"] = rowsOf<mpm::WallContact>();
  all["MpmImplicitOptions"] = rowsOf<mpm::ImplicitOptions>();
  all["MpmScene"] = rowsOf<mpm::Scene>();
  std::puts(all.dump(1).c_str());
}
