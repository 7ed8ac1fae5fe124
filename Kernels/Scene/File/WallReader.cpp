// Reads the walls of a .dem document, with meshes from STL files.
#include "Scene/File/WallReader.h"

#include "Scene/File/JsonText.h"

namespace dem
{
namespace detail
{

using nlohmann::json;

namespace
{

constexpr double kPi = 3.14159265358979323846;

Motion readMotion(const ReaderContext& in, const json& node, const std::string& pointer)
{
  struct Entry
  {
    MotionKind kind;
    std::vector<std::string> keys;
  };
  static const std::map<std::string, Entry> kinds{ { "Fixed", { MotionKind::Fixed, { "kind" } } },
    { "Rotation",
      { MotionKind::Rotation, { "kind", "origin", "axis", "rate", "rpm", "start", "stop" } } },
    { "Translation", { MotionKind::Translation, { "kind", "velocity", "start", "stop" } } },
    { "Oscillation",
      { MotionKind::Oscillation,
        { "kind", "axis", "amplitude", "frequency", "phase", "start", "stop" } } } };
  const std::string kind = node["kind"].get<std::string>();
  const Entry& entry = kinds.at(kind);
  in.checkKeys(node, pointer, "a motion", kind, entry.keys);
  Motion m;
  m.kind = entry.kind;
  if (m.kind == MotionKind::Rotation && node.contains("rate") == node.contains("rpm"))
  {
    in.fail(pointer, "a rotation needs either \"rate\" (rad/s) or \"rpm\" (turns a minute).");
  }
  double rpm = 0;
  get(node, "rpm", rpm);
  m.rate = rpm * kPi / 30;
  double degrees = 0;
  get(node, "phase", degrees);
  m.phase = degrees * kPi / 180;
  readRows(node, m);
  if (node.contains("axis") && m.axis == Vec3d{})
  {
    in.fail(pointer + "/axis", "the axis has no length. Give it a direction.");
  }
  if (m.stop < m.start)
  {
    in.fail(
      pointer + "/stop", "the motion stops at " + node["stop"].dump() + " s, before it starts.");
  }
  return m;
}

void readMotions(const ReaderContext& in, const json& node, const std::string& pointer, Wall& wall)
{
  if (node.contains("motion") && node.contains("motions"))
  {
    in.fail(pointer + "/motions",
      "the wall has a \"motion\" already. Put all its motions into the list \"motions\".");
  }
  if (node.contains("motion"))
  {
    wall.motion = readMotion(in, node["motion"], pointer + "/motion");
  }
  for (std::size_t k = 0; node.contains("motions") && k < node["motions"].size(); ++k)
  {
    const Motion motion =
      readMotion(in, node["motions"][k], pointer + "/motions/" + std::to_string(k));
    if (k == 0)
    {
      wall.motion = motion;
    }
    else
    {
      wall.further_motions.push_back(motion);
    }
  }
}

WallHeat readHeat(const ReaderContext& in, const json& node, const std::string& pointer)
{
  WallHeat heat;
  readRows(node, heat);
  if (heat.condition == ThermalCondition::Adiabatic && node.contains("value"))
    in.fail(pointer + "/value",
      "an adiabatic wall has no value. Remove it, or choose Temperature or Heat Flux as "
      "condition.");
  double value = heat.condition == ThermalCondition::HeatFlux ? heat.heat_flux : heat.temperature;
  get(node, "value", value);
  (heat.condition == ThermalCondition::HeatFlux ? heat.heat_flux : heat.temperature) = value;
  return heat;
}

} // namespace

void readWalls(ReaderContext& in, const std::vector<std::string>& of_method)
{
  struct Entry
  {
    WallKind kind;
    std::vector<std::string> keys;
  };
  static const std::map<std::string, Entry> kinds{
    { "Mesh", { WallKind::Mesh, { "file", "scale", "offset", "points", "triangles" } } },
    { "Plane", { WallKind::Plane, { "origin", "normal" } } },
    { "Rectangle", { WallKind::Rectangle, { "origin", "edge_u", "edge_v" } } },
    { "Line", { WallKind::Line, { "origin", "end" } } },
    { "Box", { WallKind::Box, { "origin", "end" } } },
    { "Cylinder", { WallKind::Cylinder, { "origin", "end", "radius" } } },
    { "Cone", { WallKind::Cone, { "origin", "end", "radius", "end_radius" } } }
  };
  for (std::size_t i = 0; in.document.contains("walls") && i < in.document["walls"].size(); ++i)
  {
    const json& node = in.document["walls"][i];
    const std::string pointer = "/walls/" + std::to_string(i);
    const std::string kind = node["kind"].get<std::string>();
    const Entry& entry = kinds.at(kind);
    std::vector<std::string> keys{ "name", "description", "kind", "motion", "motions" };
    keys.insert(keys.end(), of_method.begin(), of_method.end());
    keys.insert(keys.end(), entry.keys.begin(), entry.keys.end());
    in.checkKeys(node, pointer, "a wall", kind, keys);
    Wall wall;
    wall.name = node["name"].get<std::string>();
    wall.kind = entry.kind;
    if (!in.walls.emplace(wall.name, static_cast<int>(i)).second)
    {
      in.fail(pointer + "/name",
        "the name \"" + wall.name + "\" is taken by another wall. Names must differ.");
    }
    if (wall.kind == WallKind::Mesh)
    {
      in.readAnyMesh(node, pointer, "a wall", wall.points, wall.triangles);
    }
    readRows(node, wall);
    in.getMaterial(node, "material", pointer, wall.material);
    readMotions(in, node, pointer, wall);
    if (node.contains("thermal"))
    {
      wall.heat = readHeat(in, node["thermal"], pointer + "/thermal");
    }
    in.scene.walls.push_back(std::move(wall));
  }
}

} // namespace detail
} // namespace dem
