// Reads and writes shapes as JSON, and triangulates their surfaces.
#include "Scene/ShapeText.h"

#include "Core/Error.h"
#include "Shapes/detail/ShapeTools.h"
#include "Scene/File/Stl.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace dem
{
namespace
{

using nlohmann::json;

constexpr double kPi = 3.14159265358979323846;

[[noreturn]] void fail(const std::string& name, const std::string& what)
{
  throw Error("Shape '" + name + "': " + what);
}

double number(const json& node, const char* key, const std::string& name)
{
  if (!node.contains(key))
    fail(name, std::string("\"") + key + "\" is missing.");
  if (!node[key].is_number())
    fail(name, std::string("\"") + key + "\" is " + node[key].dump() + "; it must be a number.");
  return node[key].get<double>();
}

Vec3d vector(const json& node, const char* what, const std::string& name)
{
  if (!node.is_array() || node.size() < 3 || !node[0].is_number() || !node[1].is_number() ||
    !node[2].is_number())
    fail(name,
      std::string("an entry of \"") + what + "\" is " + node.dump() +
        "; it must hold three numbers.");
  return { node[0].get<double>(), node[1].get<double>(), node[2].get<double>() };
}

int wholeNumber(const json& value, const char* what, const std::string& name)
{
  const double number = value.is_number() ? value.get<double>() : 0.5;
  if (!(std::fabs(number) < 1e9) || number != std::trunc(number))
    fail(name,
      std::string("a number of \"") + what + "\" is " + value.dump() +
        "; it must be a whole number.");
  return static_cast<int>(number);
}

int wholeNumber(const json& node, const char* key, int otherwise, const std::string& name)
{
  return node.contains(key) ? wholeNumber(node[key], key, name) : otherwise;
}

// Throws dem::Error for a key that the kind does not use, since it would have no effect.
void checkKeys(const json& node, const std::string& name, const std::string& kind,
  const std::vector<std::string>& used)
{
  for (const auto& item : node.items())
    if (item.key() != "name" && item.key() != "kind" && item.key() != "description" &&
      std::find(used.begin(), used.end(), item.key()) == used.end())
    {
      std::string known;
      for (const std::string& u : used)
        known += (known.empty() ? "" : ", ") + u;
      fail(name,
        "a shape of kind \"" + kind + "\" has no use for \"" + item.key() +
          "\". It knows: name, kind, description" + (known.empty() ? "" : ", ") + known + ".");
    }
}

void readMesh(const json& node, const std::string& directory, std::vector<Vec3d>& points,
  std::vector<std::array<std::int32_t, 3>>& triangles)
{
  const std::string name = node["name"].get<std::string>();
  const double scale = node.contains("scale") ? number(node, "scale", name) : 1.;
  if (!(scale > 0))
    fail(name, "\"scale\" is " + node["scale"].dump() + "; it must be above 0.");
  readStl(
    (std::filesystem::u8path(directory) / std::filesystem::u8path(node["file"].get<std::string>()))
      .string(),
    points, triangles);
  for (Vec3d& p : points)
    p = scale * p;
}

Shape parsedClump(const json& node, const std::string& name, const std::string& directory)
{
  checkKeys(node, name, "Multi-Sphere",
    { "spheres", "file", "scale", "most_spheres", "cells", "accuracy" });
  if (node.contains("spheres") == node.contains("file"))
    fail(name,
      "a shape of kind \"Multi-Sphere\" needs either \"spheres\" ([x, y, z, radius] each) or an "
      "STL \"file\".");
  if (node.contains("spheres"))
  {
    std::vector<Vec3d> centers;
    std::vector<double> radii;
    for (const json& sphere : node["spheres"])
    {
      centers.push_back(vector(sphere, "spheres", name));
      if (sphere.size() != 4 || !sphere[3].is_number())
        fail(
          name, "an entry of \"spheres\" is " + sphere.dump() + "; it must be [x, y, z, radius].");
      radii.push_back(sphere[3].get<double>());
    }
    return makeMultiSphere(name, centers, radii);
  }
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  readMesh(node, directory, points, triangles);
  ClumpFit fit;
  fit.spheres = wholeNumber(node, "most_spheres", fit.spheres, name);
  fit.cells = wholeNumber(node, "cells", fit.cells, name);
  fit.accuracy = node.value("accuracy", fit.accuracy);
  return makeMultiSphere(name, points, triangles, fit);
}

Shape parsedPolyhedron(const json& node, const std::string& name, const std::string& directory)
{
  checkKeys(
    node, name, "Convex Polyhedron", { "solid", "edges", "file", "scale", "points", "faces" });
  if (int(node.contains("solid")) + int(node.contains("file")) + int(node.contains("points")) != 1)
    fail(name,
      "a shape of kind \"Convex Polyhedron\" needs one of \"solid\" (its name), \"file\" (STL) "
      "and \"points\" with \"faces\".");
  if (node.contains("solid"))
  {
    const Vec3d edges =
      node.contains("edges") ? vector(node["edges"], "edges", name) : Vec3d{ 1, 1, 1 };
    return makeNamedPolyhedron(name, node["solid"].get<std::string>(), edges);
  }
  std::vector<Vec3d> points;
  if (node.contains("file"))
  {
    std::vector<std::array<std::int32_t, 3>> triangles;
    readMesh(node, directory, points, triangles);
    return makePolyhedron(name, points, triangles);
  }
  for (const json& p : node["points"])
    points.push_back(vector(p, "points", name));
  if (!node.contains("faces"))
    fail(name,
      "\"faces\" is missing: the corners of each face, counted from 0, counter-clockwise as seen "
      "from outside.");
  std::vector<std::vector<std::int32_t>> faces;
  for (const json& face : node["faces"])
  {
    faces.emplace_back();
    for (const json& corner : face)
      faces.back().push_back(wholeNumber(corner, "faces", name));
  }
  return makePolyhedron(name, points, faces);
}

Shape parsed(const json& node, const std::string& directory)
{
  if (!node.is_object() || !node.contains("name") || !node["name"].is_string())
    throw Error("A shape needs a \"name\"; found " + node.dump().substr(0, 80) + ".");
  const std::string name = node["name"].get<std::string>();
  const std::string kind = node.value("kind", std::string());
  if (kind == "Sphere")
  {
    checkKeys(node, name, kind, {});
    return makeSphere(name);
  }
  if (kind == "Bi-Convex Tablet")
  {
    checkKeys(node, name, kind, { "diameter", "cup_radius", "belt_height", "edge_radius" });
    return makeTablet(name, number(node, "diameter", name), number(node, "cup_radius", name),
      node.contains("belt_height") ? number(node, "belt_height", name) : 0.,
      node.contains("edge_radius") ? number(node, "edge_radius", name) : 0.);
  }
  if (kind == "Multi-Sphere")
    return parsedClump(node, name, directory);
  if (kind == "Convex Polyhedron")
    return parsedPolyhedron(node, name, directory);
  fail(name,
    "unknown kind " + (kind.empty() ? "\"\"" : "\"" + kind + "\"") +
      ". Known: Sphere, Multi-Sphere, Bi-Convex Tablet, Convex Polyhedron.");
}

// Adds a surface of revolution: one ring of points for each profile point, closed at the two poles.
void addRound(ShapeSurface& out, const std::vector<Vec3d>& profile,
  const std::vector<Vec3d>& normals, const Vec3d& centre, int resolution)
{
  // profile points (r, 0, z), from the upper pole to the lower
  const auto base = static_cast<std::int32_t>(out.points.size());
  const auto rings = static_cast<std::int32_t>(profile.size());
  for (std::int32_t k = 0; k < rings; ++k)
    for (int m = 0; m < resolution; ++m)
    {
      const double c = std::cos(2 * kPi * m / resolution), s = std::sin(2 * kPi * m / resolution);
      const auto turned = [&](const Vec3d& p) { return Vec3d{ c * p.x, s * p.x, p.z }; };
      out.points.push_back(centre + turned(profile[k]));
      out.normals.push_back(turned(normals[k]));
      if (k == 0 || k + 1 == rings)
        break; // each pole is a single point
    }
  const auto at = [&](std::int32_t ring, int m) {
    if (ring == 0)
      return base;
    const std::int32_t first = base + 1 + (ring - 1) * resolution;
    return ring + 1 == rings ? first : first + m % resolution;
  };
  for (std::int32_t k = 0; k + 1 < rings; ++k)
    for (int m = 0; m < resolution; ++m)
    {
      if (k + 2 < rings)
        out.triangles.push_back({ at(k, m), at(k + 1, m), at(k + 1, m + 1) });
      if (k > 0)
        out.triangles.push_back({ at(k, m), at(k + 1, m + 1), at(k, m + 1) });
    }
}

void addSphere(ShapeSurface& out, const Vec3d& centre, double radius, int resolution)
{
  std::vector<Vec3d> profile, normals;
  const int rings = std::max(2, resolution / 2);
  for (int k = 0; k <= rings; ++k)
  {
    const double a = kPi * k / rings;
    normals.push_back(
      { k % rings ? std::sin(a) : 0, 0, k == 0 ? 1 : (k == rings ? -1 : std::cos(a)) });
    profile.push_back(radius * normals.back());
  }
  addRound(out, profile, normals, centre, resolution);
}

// Adds the surface of a tablet. Points are chosen by the angle of their normal, with the highest
// density on the rounded edge.
void addTablet(ShapeSurface& out, const Shape& shape, int resolution)
{
  const TabletNumbers<double> t = detail::tabletNumbers(shape);
  const double joint = std::acos(std::min(1., t.cap_cosine));
  const int on_cap = std::max(2, resolution / 6), on_rim = std::max(4, resolution / 4);
  std::vector<double> angles; // between normal and z axis
  for (int k = 0; k < on_cap; ++k)
    angles.push_back(joint * k / on_cap);
  for (int k = 0; k <= on_rim; ++k)
    angles.push_back(joint + (0.5 * kPi - joint) * k / on_rim);
  std::vector<Vec3d> profile, normals;
  const auto point = [&](double a, double side) {
    const double nr = std::sin(a), nz = std::cos(a);
    Vec3d p;
    if (nz >= t.cap_cosine)
      p = { t.cap * nr, 0, t.cap_center + t.cap * nz };
    else
    {
      const double q = std::sqrt(nz * nz + t.crown * t.crown * nr * nr);
      p = q > 0 ? Vec3d{ t.rim + t.height * t.crown * t.crown * nr / q, 0, t.height * nz / q }
                : Vec3d{ t.rim, 0, 0 };
    }
    p += t.edge * Vec3d{ nr, 0, nz };
    profile.push_back({ p.x, 0, side * p.z });
    normals.push_back({ nr, 0, side * nz });
  };
  // at the joint of cap and rim only the rounding of the edge bends the surface
  for (const double a : angles)
    point(a, 1);
  for (std::size_t k = angles.size() - 1; k-- > 0;)
    point(angles[k], -1);
  profile.front().x = profile.back().x = 0;
  addRound(out, profile, normals, {}, resolution);
}

} // namespace

Shape parseShape(const std::string& text, const std::string& directory)
{
  json node;
  try
  {
    node = json::parse(text);
    return parsed(node, directory);
  }
  catch (const json::exception& error)
  {
    throw Error(std::string("This is no shape: ") + error.what());
  }
}

std::string shapeText(const Shape& shape)
{
  json out;
  out["name"] = shape.name;
  out["kind"] = shapeKindName(shape.kind);
  const auto given = [&](const Vec3d& p) {
    const Vec3d q = rotate(shape.mass.axes, p);
    return json::array({ q.x, q.y, q.z });
  };
  if (shape.kind == ShapeKind::BiConvexTablet)
  {
    out["diameter"] = shape.diameter;
    out["cup_radius"] = shape.cup_radius;
    out["belt_height"] = shape.belt_height;
    out["edge_radius"] = shape.edge_radius;
  }
  else if (shape.kind == ShapeKind::MultiSphere)
  {
    out["spheres"] = json::array();
    for (std::size_t k = 0; k < shape.centers.size(); ++k)
    {
      out["spheres"].push_back(given(shape.centers[k]));
      out["spheres"].back().push_back(shape.radii[k]);
    }
  }
  else if (shape.kind == ShapeKind::ConvexPolyhedron)
  {
    out["points"] = json::array();
    for (const Vec3d& v : shape.vertices)
      out["points"].push_back(given(v));
    out["faces"] = shape.faces;
  }
  return out.dump();
}

double equalRadius(const Shape& shape) { return std::cbrt(0.75 / kPi * shape.mass.volume); }

ShapeSurface shapeSurface(const Shape& shape, int resolution)
{
  resolution = std::max(3, resolution);
  ShapeSurface out;
  if (shape.kind == ShapeKind::Sphere)
    addSphere(out, {}, equalRadius(shape), resolution);
  else if (shape.kind == ShapeKind::MultiSphere)
    for (std::size_t k = 0; k < shape.centers.size(); ++k)
      addSphere(out, shape.centers[k], shape.radii[k], resolution);
  else if (shape.kind == ShapeKind::BiConvexTablet)
    addTablet(out, shape, resolution);
  else
    for (const std::vector<std::int32_t>& face : shape.faces)
    {
      const auto first = static_cast<std::int32_t>(out.points.size());
      Vec3d area{};
      for (std::size_t k = 0; k < face.size(); ++k)
        area += cross(shape.vertices[face[k]] - shape.vertices[face[0]],
          shape.vertices[face[(k + 1) % face.size()]] - shape.vertices[face[0]]);
      for (const std::int32_t corner : face)
      {
        out.points.push_back(shape.vertices[corner]);
        out.normals.push_back(normalized(area));
      }
      for (std::int32_t k = 1; k + 1 < static_cast<std::int32_t>(face.size()); ++k)
        out.triangles.push_back({ first, first + k, first + k + 1 });
    }
  for (std::vector<Vec3d>* vectors : { &out.points, &out.normals })
    for (Vec3d& v : *vectors)
      v = rotate(shape.mass.axes, v);
  return out;
}

} // namespace dem
