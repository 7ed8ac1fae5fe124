// Names, meshes and messages for the readers of a .dem document.
#include "Scene/File/ReaderContext.h"

#include "Core/Error.h"
#include "Scene/File/JsonText.h"
#include "Scene/File/Stl.h"

#include <algorithm>
#include <filesystem>

namespace dem
{
namespace detail
{

using nlohmann::json;

void ReaderContext::fail(const std::string& pointer, const std::string& what) const
{
  failAt(label, pointer, what);
}

int ReaderContext::material(const json& node, const std::string& pointer) const
{
  const auto found = materials.find(node.get_ref<const std::string&>());
  if (found == materials.end())
  {
    std::vector<std::string> known;
    for (const Material& m : scene.materials)
    {
      known.push_back(m.name);
    }
    fail(pointer, "unknown material " + shown(node) + ". Known: " + listed(known) + ".");
  }
  return found->second;
}

void ReaderContext::getMaterial(
  const json& node, const char* key, const std::string& pointer, int& out) const
{
  const auto found = node.find(key);
  out = found == node.end() ? out : material(*found, pointer + "/" + key);
}

int ReaderContext::shape(const json& node, const std::string& pointer) const
{
  const auto found = shapes.find(node.get_ref<const std::string&>());
  if (found == shapes.end())
  {
    std::vector<std::string> known;
    for (const Shape& s : scene.shapes)
    {
      known.push_back(s.name);
    }
    fail(pointer, "unknown shape " + shown(node) + ". Known: " + listed(known) + ".");
  }
  return found->second;
}

std::string ReaderContext::pathOf(const json& name, const std::string& pointer) const
{
  const std::string& file = name.get_ref<const std::string&>();
  if (file.find('\0') != std::string::npos)
  {
    fail(pointer, "a file name cannot hold the character 0.");
  }
  return (std::filesystem::u8path(directory) / std::filesystem::u8path(file)).string();
}

int ReaderContext::wall(const json& node, const std::string& pointer) const
{
  const auto found = walls.find(node.get_ref<const std::string&>());
  if (found == walls.end())
  {
    std::vector<std::string> known;
    for (const Wall& wall : scene.walls)
    {
      known.push_back(wall.name);
    }
    fail(pointer, "unknown wall " + shown(node) + ". Known: " + listed(known) + ".");
  }
  return found->second;
}

void ReaderContext::readMesh(
  const json& node, const std::string& pointer, std::vector<Vec3d>& points, Triangles& triangles)
{
  const std::string path = pathOf(node["file"], pointer + "/file");
  auto found = meshes_.find(path);
  if (found == meshes_.end())
  {
    Mesh mesh;
    try
    {
      readStl(path, mesh.points, mesh.triangles);
    }
    catch (const Error& error)
    {
      fail(pointer + "/file", error.what());
    }
    found = meshes_.emplace(path, std::move(mesh)).first;
  }
  double scale = 1;
  Vec3d offset{};
  get(node, "scale", scale);
  get(node, "offset", offset);
  points = found->second.points;
  for (Vec3d& p : points)
  {
    p = scale * p + offset;
  }
  triangles = found->second.triangles;
}

void ReaderContext::readAnyMesh(const json& node, const std::string& pointer, const char* what,
  std::vector<Vec3d>& points, Triangles& triangles)
{
  const bool listed_mesh = node.contains("points") && node.contains("triangles");
  if (node.contains("file") == listed_mesh || node.contains("points") != node.contains("triangles"))
  {
    fail(pointer,
      std::string(what) +
        " of kind \"Mesh\" needs either a \"file\" or both \"points\" and \"triangles\".");
  }
  if (node.contains("file"))
  {
    readMesh(node, pointer, points, triangles);
    return;
  }
  for (const char* key : { "scale", "offset" })
  {
    if (node.contains(key))
    {
      fail(pointer + "/" + key, "this key belongs to a mesh from a \"file\".");
    }
  }
  for (const json& p : node["points"])
  {
    points.push_back(vectorOf(p));
  }
  for (std::size_t t = 0; t < node["triangles"].size(); ++t)
  {
    std::array<std::int32_t, 3> corners{};
    for (int k = 0; k < 3; ++k)
    {
      const std::string where =
        pointer + "/triangles/" + std::to_string(t) + "/" + std::to_string(k);
      const std::int64_t index = node["triangles"][t][k].get<std::int64_t>();
      if (index >= static_cast<std::int64_t>(points.size()))
      {
        fail(where,
          "there is no point " + std::to_string(index) + "; the mesh has " +
            std::to_string(points.size()) + ", counted from 0.");
      }
      corners[k] = static_cast<std::int32_t>(index);
    }
    triangles.push_back(corners);
  }
}

void ReaderContext::checkKeys(const json& node, const std::string& pointer, const char* what,
  const std::string& kind, const std::vector<std::string>& used) const
{
  for (const auto& item : node.items())
  {
    if (std::find(used.begin(), used.end(), item.key()) == used.end())
    {
      fail(pointer + "/" + item.key(),
        std::string(what) + " of kind \"" + kind +
          "\" has no use for this key. It knows: " + listed(used) + ".");
    }
  }
}

} // namespace detail
} // namespace dem
