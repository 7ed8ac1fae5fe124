// Reads the parts of a .dem document in the order of their dependencies.
#include "Scene/File/SceneFile.h"

#include "Core/Error.h"
#include "Scene/AutomaticDomain.h"
#include "Scene/File/EventReader.h"
#include "Scene/File/JsonText.h"
#include "Scene/File/ParticleReader.h"
#include "Scene/File/ReadFile.h"
#include "Scene/File/ReaderContext.h"
#include "Scene/File/SceneDocument.h"
#include "Scene/File/SceneSchema.h"
#include "Scene/File/SchemaCheck.h"
#include "Scene/File/WallReader.h"
#include "Scene/ShapeText.h"
#include "Scene/Steering.h"
#include "Scene/Validate.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <new>
#include <set>

namespace dem
{
namespace
{

using namespace detail;
using nlohmann::json;

constexpr int file_version = 1;

void checkVersion(const json& document, const std::string& label)
{
  if (!document.is_object())
  {
    failAt(label, "", "a .dem file holds one JSON object { ... }, found " + shown(document) + ".");
  }
  if (!document.contains("version"))
  {
    failAt(label, "",
      "the key \"version\" is missing. Write \"version\": " + std::to_string(file_version) + ".");
  }
  const json& version = document["version"];
  if (version != json(file_version))
  {
    failAt(label, "/version",
      "the file has version " + shown(version) + ", and this program reads version " +
        std::to_string(file_version) + ". Update the program, or bring the file to that version.");
  }
}

Method methodOf(const json& document, const std::string& label)
{
  if (!document.contains("method") || document["method"] == json("DEM"))
  {
    return Method::DEM;
  }
  if (document["method"] != json("MPM"))
  {
    failAt(label, "/method",
      "found " + shown(document["method"]) + ", expected the method: one of \"DEM\", \"MPM\".");
  }
  return Method::MPM;
}

void readMaterials(ReaderContext& in)
{
  if (in.document.contains("materials"))
  {
    in.scene.materials.clear();
    for (const json& node : in.document["materials"])
    {
      Material m;
      m.name = node["name"].get<std::string>();
      readRows(node, m);
      in.scene.materials.push_back(m);
    }
  }
  for (std::size_t i = 0; i < in.scene.materials.size(); ++i)
  {
    if (!in.materials.emplace(in.scene.materials[i].name, static_cast<int>(i)).second)
    {
      in.fail("/materials/" + std::to_string(i) + "/name",
        "the name \"" + in.scene.materials[i].name +
          "\" is taken by another material. Names must differ.");
    }
  }
}

void readShapes(ReaderContext& in)
{
  in.shapes.emplace(in.scene.shapes[0].name, 0);
  for (std::size_t i = 0; in.document.contains("shapes") && i < in.document["shapes"].size(); ++i)
  {
    const json& node = in.document["shapes"][i];
    const std::string pointer = "/shapes/" + std::to_string(i);
    if (!in.shapes
           .emplace(node["name"].get<std::string>(), static_cast<int>(in.scene.shapes.size()))
           .second)
    {
      in.fail(pointer + "/name",
        "the name " + shown(node["name"]) +
          " is taken by another shape. Names must differ; \"Sphere\" is always there.");
    }
    try
    {
      in.scene.shapes.push_back(parseShape(node.dump(), in.directory));
    }
    catch (const Error& error)
    {
      in.fail(pointer, error.what());
    }
  }
}

void readPairs(ReaderContext& in)
{
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; in.document.contains("pairs") && i < in.document["pairs"].size(); ++i)
  {
    const json& node = in.document["pairs"][i];
    const std::string pointer = "/pairs/" + std::to_string(i);
    MaterialPair pair;
    pair.first = in.material(node["between"][0], pointer + "/between/0");
    pair.second = in.material(node["between"][1], pointer + "/between/1");
    if (pair.first == pair.second)
    {
      in.fail(pointer + "/between",
        "a pair joins two different materials. The coefficients of a material with itself stand "
        "in the material.");
    }
    if (!seen.insert(std::minmax(pair.first, pair.second)).second)
    {
      in.fail(pointer + "/between", "this pair of materials is given twice. Remove one of them.");
    }
    forRows<Material>([&](const auto& row) {
      if (row.pair && node.contains(row.key))
      {
        pair.*row.pair = node[row.key].template get<double>();
      }
    });
    in.scene.pairs.push_back(pair);
  }
}

void readNozzles(ReaderContext& in)
{
  for (std::size_t i = 0; in.document.contains("nozzles") && i < in.document["nozzles"].size(); ++i)
  {
    const json& node = in.document["nozzles"][i];
    Nozzle nozzle;
    nozzle.name =
      node.contains("name") ? node["name"].get<std::string>() : "Nozzle " + std::to_string(i + 1);
    readRows(node, nozzle);
    get(node, "moves_with", nozzle.moves_with);
    in.scene.nozzles.push_back(std::move(nozzle));
  }
}

// Reads the borders and inlets of a computed flow.
void readBorders(const json& node, FluidOptions& fluid)
{
  for (std::size_t b = 0; b < std::size(kBorderKeys); ++b)
  {
    if (node.contains("boundaries"))
    {
      get(node["boundaries"], kBorderKeys[b], kFluidBorderNames, std::size(kFluidBorderNames),
        fluid.border[b]);
    }
    if (node.contains("boundary_velocity"))
    {
      get(node["boundary_velocity"], kBorderKeys[b], fluid.boundary_velocity[b]);
    }
  }
  for (std::size_t i = 0; node.contains("inlets") && i < node["inlets"].size(); ++i)
  {
    const json& inlet = node["inlets"][i];
    const auto key = std::find(
      std::begin(kBorderKeys), std::end(kBorderKeys), inlet["boundary"].get<std::string>());
    fluid.inlets.push_back(static_cast<double>(key - std::begin(kBorderKeys)));
    for (const char* corner : { "lower", "upper" })
    {
      for (const json& x : inlet[corner])
      {
        fluid.inlets.push_back(x.get<double>());
      }
    }
    fluid.inlets.push_back(inlet["velocity"].get<double>());
  }
}

// Reads the properties of the run. Properties of a group are in a JSON object of their own.
void readRun(ReaderContext& in)
{
  const auto group = [&](const char* key, auto& owner) {
    if (in.document.contains(key))
    {
      readRows(in.document[key], owner);
    }
  };
  readRows(in.document, in.scene);
  readRows(in.document, in.scene.broad_phase);
  group("broad_phase_options", in.scene.broad_phase);
  readRows(in.document, in.scene.neighbor_list);
  readRows(in.document, in.scene.spray);
  readRows(in.document, in.scene.store);
  if (in.document.contains("restart"))
  {
    in.scene.store.restart = in.pathOf(in.document["restart"], "/restart");
  }
  group("neighbor_list_options", in.scene.neighbor_list);
  group("contact_model", in.scene.contact);
  group("heat_transfer", in.scene.heat);
  group("fluid", in.scene.fluid);
  if (in.document.contains("fluid"))
  {
    readBorders(in.document["fluid"], in.scene.fluid);
  }
  group("averages", in.scene.averages);
  in.scene.averages.enabled = in.document.contains("averages");
  in.scene.averages.whole_domain =
    !in.scene.averages.enabled || !in.document["averages"].contains("lower");
}

void readDomain(ReaderContext& in)
{
  const json empty = json::object();
  const json& node = in.document.contains("domain") ? in.document["domain"] : empty;
  Domain& d = in.scene.domain;
  readRows(node, d);
  in.getMaterial(node, "wall_material", "/domain", d.wall_material);
  for (std::size_t k = 0; node.contains("exit") && k < 3; ++k)
  {
    const std::string axis(1, "xyz"[k]);
    get(node["exit"], axis.c_str(), kExitNames, std::size(kExitNames), d.exit[k]);
  }
  if (!node.contains("lower"))
  {
    setAutomaticDomain(in.scene);
  }
}

std::size_t nozzleOf(const ReaderContext& in, const json& node, const std::string& pointer)
{
  const std::vector<Nozzle>& nozzles = in.scene.nozzles;
  const auto found = std::find_if(nozzles.begin(), nozzles.end(),
    [&](const Nozzle& n) { return n.name == node.get_ref<const std::string&>(); });
  const auto same = std::count_if(nozzles.begin(), nozzles.end(),
    [&](const Nozzle& n) { return n.name == node.get_ref<const std::string&>(); });
  if (same > 1)
  {
    in.fail(
      pointer, "several nozzles have the name " + shown(node) + ". Give them different names.");
  }
  if (found == nozzles.end())
  {
    std::vector<std::string> known;
    for (const Nozzle& nozzle : nozzles)
    {
      known.push_back(nozzle.name);
    }
    in.fail(pointer, "unknown nozzle " + shown(node) + ". Known: " + listed(known) + ".");
  }
  return static_cast<std::size_t>(found - nozzles.begin());
}

void readEvents(ReaderContext& in)
{
  EventKinds kinds;
  kinds.of_wall = isOfWall;
  kinds.of_nozzle = isOfNozzle;
  kinds.size = steeredSize;
  kinds.wall_properties = "WallRate, WallVelocity, WallTemperature and WallHeatFlux";
  kinds.nozzle = [&in](const json& node, const std::string& pointer) {
    return static_cast<double>(nozzleOf(in, node, pointer));
  };
  in.scene.events = readEvents(in, kinds);
}

Scene readScene(ReaderContext in)
{
  readMaterials(in);
  readPairs(in);
  readRun(in);
  readShapes(in);
  readParticles(in);
  readPackings(in);
  readWalls(in, { "material", "thermal", "permeable" });
  readNozzles(in);
  readEvents(in);
  readDomain(in); // last: an automatic domain depends on walls and events
  return std::move(in.scene);
}

} // namespace

namespace detail
{

SceneDocument parseDocument(
  const std::string& text, const std::string& directory, const std::string& label)
{
  SceneDocument document;
  document.directory = directory;
  document.label = label;
  try
  {
    document.json = parseJson(text, label);
  }
  catch (const std::bad_alloc&)
  {
    throw Error(label + ": not enough memory to read this scene.");
  }
  checkVersion(document.json, label);
  document.method = methodOf(document.json, label);
  return document;
}

SceneDocument readDocument(const std::string& path)
{
  SceneDocument document = parseDocument(
    readFile(path, "scene file (.dem)"), std::filesystem::path(path).parent_path().string(), path);
  document.file = path;
  return document;
}

Scene sceneOf(const SceneDocument& document, const PackingLimits& limits)
{
  const std::string& label = document.label;
  try
  {
    if (document.method != Method::DEM)
    {
      failAt(label, "/method",
        "this is a scene of the Material Point Method (MPM), and grains were expected. DEM Case "
        "Reader runs both; in C++ use mpm::readSceneFile.");
    }
    checkAgainstSchema(document.json, label, Method::DEM);
    Scene scene = readScene(ReaderContext(document.json, document.directory, label, limits));
    if (!document.file.empty())
    {
      scene.store.file =
        std::filesystem::path(document.file).replace_extension(".dem-checkpoint").string();
    }
    try
    {
      validate(scene);
    }
    catch (const Error& error)
    {
      throw Error(label + ": " + error.what());
    }
    return scene;
  }
  catch (const std::bad_alloc&)
  {
    throw Error(label + ": not enough memory to read this scene.");
  }
}

} // namespace detail

Scene parseScene(const std::string& text, const std::string& directory, const std::string& label,
  const PackingLimits& limits)
{
  return sceneOf(parseDocument(text, directory, label), limits);
}

Scene parseScene(const std::string& text, const std::string& directory, const std::string& label)
{
  return parseScene(text, directory, label, PackingLimits{});
}

Scene readSceneFile(const std::string& path)
{
  return sceneOf(readDocument(path), PackingLimits{});
}

const char* sceneSchema() { return scene_schema_text; }

const char* mpmSceneSchema() { return mpm_schema_text; }

} // namespace dem
