// Prints the rows of Scene/Describe.h and of the passive columns of Particles/Columns.h as JSON,
// for check_properties.py: an object with a list for each struct.
#include "Particles/Columns.h"
#include "Scene/Describe.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>

namespace
{

using nlohmann::json;

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
  else if constexpr (std::is_same_v<Value, int> || std::is_same_v<Value, bool> ||
    std::is_same_v<Value, std::string> || std::is_same_v<Value, std::array<int, 3>>)
    return value;
  else if constexpr (std::is_same_v<Value, std::array<dem::Exit, 3>>)
    return valueOf(row, value[0]);
  else
    return nullptr;
}

template <class Value>
const char* typeOf()
{
  if constexpr (std::is_enum_v<Value>)
    return "enumeration";
  else if constexpr (std::is_same_v<Value, std::array<dem::Exit, 3>>)
    return "enumeration of each axis";
  else if constexpr (std::is_same_v<Value, double>)
    return "number";
  else if constexpr (std::is_same_v<Value, int>)
    return "integer";
  else if constexpr (std::is_same_v<Value, bool>)
    return "boolean";
  else if constexpr (std::is_same_v<Value, dem::Vec3d>)
    return "vector";
  else if constexpr (std::is_same_v<Value, std::array<int, 3>>)
    return "integers";
  else
    return "other";
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
    out["in_panel"] = row.is_in_panel && row.property[0] != 0;
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
  all["BroadPhaseOptions"] = rowsOf<dem::BroadPhaseOptions>();
  all["NeighborListOptions"] = rowsOf<dem::NeighborListOptions>();
  all["AveragesOptions"] = rowsOf<dem::AveragesOptions>();
  all["Domain"] = rowsOf<dem::Domain>();
  all["Motion"] = rowsOf<dem::Motion>();
  all["Wall"] = rowsOf<dem::Wall>();
  all["ParticleInput"] = rowsOf<dem::ParticleInput>();
  all["Scene"] = rowsOf<dem::Scene>();
  all["Columns"] = columns();
  std::puts(all.dump(1).c_str());
}
