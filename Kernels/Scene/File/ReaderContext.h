// Shared data and functions of the readers of a .dem document: the document, the scene, the names
// in it, and conversion of values from JSON.
#pragma once

#include "Scene/Describe.h"
#include "Scene/Packing/Packing.h"
#include "Scene/Scene.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace dem
{
namespace detail
{

using Triangles = std::vector<std::array<std::int32_t, 3>>;

/// The document is already checked against the schema, so values have the right types and names of
/// enumerations are valid. The get functions do not change `out` if the key is missing.
class ReaderContext
{
public:
  ReaderContext(const nlohmann::json& given, const std::string& folder, const std::string& source,
    const PackingLimits& most)
    : document(given)
    , directory(folder)
    , label(source)
    , limits(most)
  {
  }

  const nlohmann::json& document;
  const std::string& directory; ///< base of the paths of STL files
  const std::string& label;     ///< first part of all messages
  const PackingLimits limits;   ///< for all packings together
  Scene scene;
  std::map<std::string, int> materials, walls, shapes; ///< indices by name

  [[noreturn]] void fail(const std::string& pointer, const std::string& what) const;

  /// Index of the material, shape or wall with the name in a JSON string. Throws dem::Error with
  /// the valid names if there is none.
  int material(const nlohmann::json& node, const std::string& pointer) const;
  void getMaterial(
    const nlohmann::json& node, const char* key, const std::string& pointer, int& out) const;
  int shape(const nlohmann::json& node, const std::string& pointer) const;
  int wall(const nlohmann::json& node, const std::string& pointer) const;

  /// Reads the mesh of an STL file and applies `scale` and `offset` of the node. Each file is read
  /// once.
  void readMesh(const nlohmann::json& node, const std::string& pointer, std::vector<Vec3d>& points,
    Triangles& triangles);

  /// Reads a mesh that is stated by "file", or by "points" and "triangles".
  void readAnyMesh(const nlohmann::json& node, const std::string& pointer, const char* what,
    std::vector<Vec3d>& points, Triangles& triangles);

  /// Throws dem::Error for a key that is not in `used`, since it would have no effect. `what` and
  /// `kind` are for the message.
  void checkKeys(const nlohmann::json& node, const std::string& pointer, const char* what,
    const std::string& kind, const std::vector<std::string>& used) const;

  /// The path of a file that the document names relative to its folder.
  std::string pathOf(const nlohmann::json& name, const std::string& pointer) const;

private:
  struct Mesh
  {
    std::vector<Vec3d> points;
    Triangles triangles;
  };

  std::map<std::string, Mesh> meshes_;
};

inline Vec3d vectorOf(const nlohmann::json& node)
{
  return { node[0].get<double>(), node[1].get<double>(), node[2].get<double>() };
}

template <class T>
void get(const nlohmann::json& node, const char* key, T& out)
{
  const auto found = node.find(key);
  if (found == node.end())
    return;
  if constexpr (std::is_same_v<T, Vec3d>)
    out = vectorOf(*found);
  else
    out = found->template get<T>();
}

/// Reads an enumeration by its name. `names`: `count` names, in the order of the enumeration.
template <class T>
void get(
  const nlohmann::json& node, const char* key, const char* const* names, std::size_t count, T& out)
{
  const auto found = node.find(key);
  for (std::size_t k = 0; found != node.end() && k < count; ++k)
    if (*found == names[k])
      out = static_cast<T>(k);
}

/// Reads the members of `owner` whose rows have a key of the node. Other keys are ignored.
template <class Owner>
void readRows(const nlohmann::json& node, Owner& owner)
{
  forRows<Owner>([&](const auto& row) {
    using Value = typename std::decay_t<decltype(row)>::Value;
    if (!row.key[0] || !row.is_read_by_rows)
      return;
    if constexpr (std::is_enum_v<Value>)
      get(node, row.key, row.names, row.name_count, owner.*row.member);
    else if constexpr (std::is_same_v<Value, double>)
    {
      double stated = owner.*row.member / row.factor;
      get(node, row.key, stated);
      owner.*row.member = stated * row.factor;
    }
    else if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, Vec3d> ||
      std::is_same_v<Value, std::array<int, 3>> || std::is_same_v<Value, std::vector<double>>)
      get(node, row.key, owner.*row.member);
  });
}

} // namespace detail
} // namespace dem
