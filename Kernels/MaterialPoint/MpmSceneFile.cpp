// Reads the parts of a .dem document with the method MPM.
#include "MaterialPoint/MpmSceneFile.h"

#include "Core/Error.h"
#include "MaterialPoint/MpmBodies.h"
#include "MaterialPoint/MpmDescribe.h"
#include "MaterialPoint/MpmSteering.h"
#include "MaterialPoint/MpmValidation.h"
#include "Scene/File/EventReader.h"
#include "Scene/File/JsonText.h"
#include "Scene/File/ReaderContext.h"
#include "Scene/File/SceneDocument.h"
#include "Scene/File/SchemaCheck.h"
#include "Scene/File/WallReader.h"
#include "Scene/Names.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <utility>

namespace mpm
{
namespace
{

using dem::Error;
using dem::detail::get;
using dem::detail::ReaderContext;
using dem::detail::readRows;
using dem::detail::vectorOf;
using nlohmann::json;

void readMaterials(ReaderContext& in, FileScene& out)
{
  in.scene.materials.clear(); // their names, by which ReaderContext finds them
  out.scene.materials.clear();
  for (std::size_t i = 0; in.document.contains("materials") && i < in.document["materials"].size();
       ++i)
  {
    const json& node = in.document["materials"][i];
    Material material;
    readRows(node, material);
    dem::Material named;
    named.name = node["name"].get<std::string>();
    if (!in.materials.emplace(named.name, static_cast<int>(i)).second)
      in.fail("/materials/" + std::to_string(i) + "/name",
        "the name \"" + named.name + "\" is taken by another material. Names must differ.");
    out.scene.materials.push_back(material);
    out.materials.push_back(named.name);
    in.scene.materials.push_back(std::move(named));
  }
  if (!out.scene.materials.empty())
    return;
  out.scene.materials.emplace_back();
  out.materials.emplace_back("Material");
  in.scene.materials.emplace_back();
  in.scene.materials.back().name = out.materials.back();
  in.materials.emplace(out.materials.back(), 0);
}

/// Eight corners and twelve triangles with normals that point outwards.
void addBox(const Vec3d& a, const Vec3d& b, Body& body)
{
  for (int k = 0; k < 8; ++k)
    body.corner.push_back({ k & 1 ? b.x : a.x, k & 2 ? b.y : a.y, k & 4 ? b.z : a.z });
  constexpr int kFaces[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 },
    { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
  for (const auto& f : kFaces)
  {
    body.triangle.push_back({ f[0], f[1], f[2] });
    body.triangle.push_back({ f[0], f[2], f[3] });
  }
}

/// One value serves all points, or there is one a point.
const json& valueAt(const json& values, std::size_t i, bool one_each)
{
  return one_each ? values[i] : values;
}

void readPoints(const ReaderContext& in, const json& node, const std::string& pointer, Body& body)
{
  if (node.contains("density") && node.contains("mass") && node.contains("volume"))
    in.fail(pointer + "/density",
      "has no effect on points that have \"mass\" and \"volume\". Leave out one of the three.");
  const std::size_t n = node["position"].size();
  const auto check = [&](const char* key, bool is_list) {
    if (is_list && node[key].size() != n)
      in.fail(pointer + "/" + key,
        "has " + std::to_string(node[key].size()) + " entries, and there are " + std::to_string(n) +
          " positions. Each point needs one.");
  };
  body.point.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    body.point[i].position = vectorOf(node["position"][i]);
  if (node.contains("velocity"))
  {
    const bool each = node["velocity"].empty() || node["velocity"][0].is_array();
    check("velocity", each);
    for (std::size_t i = 0; i < n; ++i)
    {
      body.point[i].velocity = vectorOf(valueAt(node["velocity"], i, each));
      body.point[i].given |= BodyPoint::kVelocity;
    }
  }
  struct Number
  {
    const char* key;
    double BodyPoint::*member;
    unsigned flag;
  };
  for (const Number& number : { Number{ "mass", &BodyPoint::mass, BodyPoint::kMass },
         Number{ "volume", &BodyPoint::volume, BodyPoint::kVolume },
         Number{ "density", &BodyPoint::density, BodyPoint::kDensity },
         Number{ "radius", &BodyPoint::radius, BodyPoint::kRadius } })
    if (node.contains(number.key))
    {
      const json& values = node[number.key];
      check(number.key, values.is_array());
      for (std::size_t i = 0; i < n; ++i)
      {
        body.point[i].*number.member = valueAt(values, i, values.is_array()).get<double>();
        body.point[i].given |= number.flag;
      }
    }
  if (node.contains("material"))
  {
    const json& names = node["material"];
    check("material", names.is_array());
    for (std::size_t i = 0; i < n; ++i)
      body.point[i].material = in.material(valueAt(names, i, names.is_array()),
        pointer + "/material" + (names.is_array() ? "/" + std::to_string(i) : ""));
  }
}

Body readBody(ReaderContext& in, const json& node, const std::string& pointer, std::size_t index)
{
  static const std::map<std::string, std::vector<std::string>> kinds{ { "Box",
                                                                        { "lower", "upper" } },
    { "Mesh", { "file", "scale", "offset", "points", "triangles" } },
    { "Points", { "position", "mass", "volume", "radius" } } };
  const std::string kind = node["kind"].get<std::string>();
  std::vector<std::string> keys{ "name", "description", "kind", "material", "velocity", "density" };
  keys.insert(keys.end(), kinds.at(kind).begin(), kinds.at(kind).end());
  in.checkKeys(node, pointer, "a body", kind, keys);
  Body body;
  body.name = node.contains("name") ? "Body '" + node["name"].get<std::string>() + "'"
                                    : "Body " + std::to_string(index + 1);
  if (kind == "Points")
  {
    readPoints(in, node, pointer, body);
    return body;
  }
  BodyPoint inside;
  if (node.contains("velocity"))
  {
    if (node["velocity"].size() != 3 || !node["velocity"][0].is_number())
      in.fail(
        pointer + "/velocity", "a body of kind \"" + kind + "\" has one velocity [x, y, z], m/s.");
    inside.velocity = vectorOf(node["velocity"]);
    inside.given |= BodyPoint::kVelocity;
  }
  if (node.contains("density"))
  {
    if (!node["density"].is_number())
      in.fail(pointer + "/density", "a body of kind \"" + kind + "\" has one density, kg/m^3.");
    inside.density = node["density"].get<double>();
    inside.given |= BodyPoint::kDensity;
  }
  if (node.contains("material"))
  {
    if (!node["material"].is_string())
      in.fail(pointer + "/material", "a body of kind \"" + kind + "\" has one material.");
    in.getMaterial(node, "material", pointer, inside.material);
  }
  body.point.push_back(inside);
  if (kind == "Mesh")
  {
    in.readAnyMesh(node, pointer, "a body", body.corner, body.triangle);
    if (body.triangle.empty())
      in.fail(pointer, "the mesh has no triangles. A body needs a closed surface.");
    return body;
  }
  const Vec3d lower = vectorOf(node["lower"]), upper = vectorOf(node["upper"]);
  if (!(lower.x < upper.x && lower.y < upper.y && lower.z < upper.z))
    in.fail(pointer + "/upper", "each number must be above that of \"lower\".");
  addBox(lower, upper, body);
  return body;
}

void failForFriction(
  const ReaderContext& in, const std::string& pointer, const std::string& what, const char* cure)
{
  in.fail(pointer, "has no effect, since " + what + ". Leave it out, or " + cure + ".");
}

void readWallContacts(const ReaderContext& in, Scene& scene)
{
  const char* cure = "set \"wall_contact\" to \"Separate\"";
  WallContact standard;
  readRows(in.document, standard);
  bool is_used = standard.kind == Contact::Separate; // the friction of all walls
  for (std::size_t i = 0; i < scene.walls.size(); ++i)
  {
    const json& node = in.document["walls"][i];
    WallContact contact = standard;
    readRows(node, contact);
    const bool slides = contact.kind == Contact::Separate, own = node.contains("wall_friction");
    if (own && !slides)
      failForFriction(in, "/walls/" + std::to_string(i) + "/wall_friction",
        std::string("the wall has the contact \"") + name(contact.kind) + "\"", cure);
    is_used = is_used || (slides && !own);
    scene.wall_contacts.push_back(contact);
  }
  if (in.document.contains("wall_friction") && !is_used)
    failForFriction(in, "/wall_friction",
      std::string("walls have the contact \"") + name(standard.kind) + "\" or their own friction",
      cure);
}

/// Events of a file have the units of the keys of a material, a scene has SI units.
void toSiUnits(std::vector<dem::Event>& events)
{
  dem::forRows<Material>([&](const auto& row) {
    for (dem::Event& event : events)
      if (row.is_steered && event.property == row.property)
        for (double& value : event.value)
          value *= row.factor;
  });
}

void readDomain(const ReaderContext& in, const std::vector<Body>& bodies, Scene& scene)
{
  const json empty = json::object();
  const json& node = in.document.contains("domain") ? in.document["domain"] : empty;
  readRows(node, scene.domain);
  for (std::size_t b = 0; node.contains("border") && b < std::size(dem::kBorderKeys); ++b)
    get(node["border"], dem::kBorderKeys[b], kBorderNames, std::size(kBorderNames),
      scene.domain.border[b]);
  if (node.contains("border_friction") &&
    std::find(scene.domain.border.begin(), scene.domain.border.end(), Border::Separate) ==
      scene.domain.border.end())
    failForFriction(in, "/domain/border_friction", "no border is \"Separate\"",
      "set a \"border\" to \"Separate\"");
  if (!node.contains("lower"))
    setAutomaticDomain(bodies, scene);
}

/// Upper bound of the points inside the bounds of all surfaces.
double pointsInside(const std::vector<Body>& bodies, double spacing, int per_axis)
{
  double sum = 0;
  for (const Body& body : bodies)
  {
    Vec3d lower, upper;
    if (!body.isSurface() || !boundsOf({ body }, lower, upper))
      continue;
    double count = 1;
    for (int k = 0; k < 3; ++k)
      count *= (upper[k] - lower[k]) / spacing * per_axis + 2;
    sum += count;
  }
  return sum;
}

FileScene sceneOf(const dem::detail::SceneDocument& document, const FileLimits& limits)
{
  const std::string& label = document.label;
  if (document.method != dem::detail::Method::MPM)
    dem::detail::failAt(label, "",
      "this is a scene of grains (DEM). A scene of the Material Point Method has \"method\": "
      "\"MPM\"; in C++ use dem::readSceneFile.");
  dem::detail::checkAgainstSchema(document.json, label, document.method);
  ReaderContext in(document.json, document.directory, label, dem::PackingLimits{});
  FileScene out;
  Scene& scene = out.scene;
  readRows(in.document, scene);
  if (in.document.contains("implicit"))
    readRows(in.document["implicit"], scene.implicit);
  readMaterials(in, out);
  std::vector<Body> bodies;
  for (std::size_t i = 0; i < in.document["bodies"].size(); ++i)
    bodies.push_back(readBody(in, in.document["bodies"][i], "/bodies/" + std::to_string(i), i));
  readWalls(in, { "wall_contact", "wall_friction" });
  scene.walls = in.scene.walls;
  readWallContacts(in, scene);
  dem::detail::EventKinds kinds;
  kinds.of_wall = isOfWall;
  kinds.size = steeredSize;
  kinds.wall_properties = "WallRate, WallVelocity and WallContactFriction";
  scene.events = readEvents(in, kinds);
  toSiUnits(scene.events);
  FillOptions fill;
  get(in.document, "points_per_axis", fill.points_per_axis);
  get(in.document, "jitter", fill.jitter);
  get(in.document, "seed", fill.seed);
  try
  {
    const bool automatic = !in.document.contains("grid_spacing");
    const double spacing = automatic ? adviseSpacing(bodies, scene.materials) : scene.grid_spacing;
    if (spacing > 0 &&
      pointsInside(bodies, spacing, fill.points_per_axis) > static_cast<double>(limits.points))
      throw Error("the bodies would be filled with more than " + std::to_string(limits.points) +
        " points. Make grid_spacing larger, or points_per_axis smaller.");
    fillScene(bodies, automatic ? 0 : spacing, fill, scene);
    out.warnings.push_back(spacingWarning(bodies, scene.grid_spacing, automatic));
    if (out.warnings.back().empty())
      out.warnings.pop_back();
    readDomain(in, bodies, scene);
    validate(scene);
  }
  catch (const Error& error)
  {
    throw Error(label + ": " + error.what());
  }
  return out;
}

FileScene sceneWithinMemory(const dem::detail::SceneDocument& document, const FileLimits& limits)
{
  try
  {
    return sceneOf(document, limits);
  }
  catch (const std::bad_alloc&)
  {
    throw Error(document.label + ": not enough memory to read this scene.");
  }
}

} // namespace

FileScene parseScene(const std::string& text, const std::string& directory,
  const std::string& label, const FileLimits& limits)
{
  return sceneWithinMemory(dem::detail::parseDocument(text, directory, label), limits);
}

FileScene readSceneFile(const std::string& path)
{
  return sceneWithinMemory(dem::detail::readDocument(path), FileLimits{});
}

std::variant<dem::Scene, FileScene> readAnySceneFile(const std::string& path)
{
  const dem::detail::SceneDocument document = dem::detail::readDocument(path);
  if (document.method == dem::detail::Method::MPM)
    return sceneWithinMemory(document, FileLimits{});
  return dem::detail::sceneOf(document, dem::PackingLimits{});
}

} // namespace mpm
