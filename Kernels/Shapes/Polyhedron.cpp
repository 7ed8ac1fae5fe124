#include "Shapes/Polyhedron.h"

#include "Shapes/detail/ShapeTools.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dem
{
namespace
{

using detail::fail;
using detail::text;
using Face = std::vector<std::int32_t>;
using Edge = std::pair<std::int32_t, std::int32_t>;

constexpr double kSamePlane = 1e-6; // of the size: largest distance of points in one plane

std::string edgeText(const Edge& e)
{
  return "between vertices " + std::to_string(e.first) + " and " + std::to_string(e.second);
}

Vec3d areaVector(const std::vector<Vec3d>& v, const Face& f)
{
  Vec3d sum{};
  for (std::size_t k = 1; k + 1 < f.size(); ++k)
    sum += 0.5 * cross(v[f[k]] - v[f[0]], v[f[k + 1]] - v[f[0]]);
  return sum;
}

/// Checks that each directed edge occurs once, and its reverse once.
void checkClosed(const std::string& name, const std::vector<Face>& faces)
{
  std::map<Edge, std::size_t> owner;
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t k = 0; k < faces[f].size(); ++k)
    {
      const Edge e{ faces[f][k], faces[f][(k + 1) % faces[f].size()] };
      const auto entry = owner.emplace(e, f);
      if (!entry.second)
        fail(name,
          "faces " + std::to_string(entry.first->second) + " and " + std::to_string(f) +
            " run the same way along the edge " + edgeText(e) +
            ": one of them is inverted. Orient all faces counter-clockwise as seen from outside.");
    }
  for (const auto& e : owner)
    if (!owner.count({ e.first.second, e.first.first }))
      fail(name,
        "the surface is open: the edge " + edgeText(e.first) + " belongs to face " +
          std::to_string(e.second) + " alone. Close the surface.");
}

/// Joins coplanar faces and drops vertices that are no longer corners.
void joinFaces(const std::string& name, Shape& shape, const std::vector<Vec3d>& normal, double size)
{
  const std::size_t n = shape.faces.size();
  std::vector<std::size_t> group(n, n);
  std::vector<Face> joined;
  for (std::size_t f = 0; f < n; ++f)
  {
    if (group[f] != n)
      continue;
    // edges of all faces in this plane, except those shared by two of them
    std::map<std::int32_t, std::int32_t> next;
    std::map<Edge, bool> edges;
    const double offset = dot(normal[f], shape.vertices[shape.faces[f][0]]);
    for (std::size_t g = f; g < n; ++g)
    {
      if (group[g] != n || dot(normal[f], normal[g]) < 0.999)
        continue;
      bool same = true;
      for (const std::int32_t c : shape.faces[g])
        same = same && std::fabs(dot(normal[f], shape.vertices[c]) - offset) < kSamePlane * size;
      if (!same)
        continue;
      group[g] = f;
      for (std::size_t k = 0; k < shape.faces[g].size(); ++k)
        edges[{ shape.faces[g][k], shape.faces[g][(k + 1) % shape.faces[g].size()] }] = true;
    }
    for (const auto& e : edges)
      if (!edges.count({ e.first.second, e.first.first }))
        next[e.first.first] = e.first.second;
    Face face;
    const std::int32_t first = next.begin()->first;
    std::int32_t at = first;
    do
    {
      face.push_back(at);
      const auto step = next.find(at);
      if (step == next.end() || face.size() > next.size())
        fail(
          name, "the faces in the plane of face " + std::to_string(f) + " make no single polygon.");
      at = step->second;
    }
    while (at != first);
    if (face.size() != next.size())
      fail(
        name, "the faces in the plane of face " + std::to_string(f) + " make no single polygon.");
    joined.push_back(face);
  }
  // a corner belongs to three planes; other vertices are within an edge
  std::vector<int> count(shape.vertices.size(), 0);
  for (const Face& f : joined)
    for (const std::int32_t c : f)
      ++count[c];
  std::vector<std::int32_t> number(shape.vertices.size(), -1);
  std::vector<Vec3d> kept;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    if (count[v] >= 3)
    {
      number[v] = static_cast<std::int32_t>(kept.size());
      kept.push_back(shape.vertices[v]);
    }
  shape.faces.clear();
  for (const Face& f : joined)
  {
    Face face;
    for (const std::int32_t c : f)
      if (number[c] >= 0)
        face.push_back(number[c]);
    shape.faces.push_back(face);
  }
  shape.vertices = kept;
}

} // namespace

namespace detail
{

Moments polyhedronMoments(const Shape& shape)
{
  // tetrahedra from the first vertex to the triangles of faces
  Moments m;
  const Vec3d o = shape.vertices[0];
  for (const Face& f : shape.faces)
    for (std::size_t k = 1; k + 1 < f.size(); ++k)
    {
      const Vec3d a = shape.vertices[f[0]] - o, b = shape.vertices[f[k]] - o,
                  c = shape.vertices[f[k + 1]] - o;
      const double v = dot(a, cross(b, c)) / 6;
      const Vec3d s = a + b + c;
      m.volume += v;
      m.first += (v / 4) * s;
      const auto second = [&](int i, int j) {
        return v / 20 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
      };
      m.xx += second(0, 0);
      m.yy += second(1, 1);
      m.zz += second(2, 2);
      m.xy += second(0, 1);
      m.yz += second(1, 2);
      m.zx += second(2, 0);
    }
  // from the first vertex to the origin of the frame
  const auto shift = [&](int i, int j) {
    return o[i] * m.first[j] + o[j] * m.first[i] + m.volume * o[i] * o[j];
  };
  m.xx += shift(0, 0);
  m.yy += shift(1, 1);
  m.zz += shift(2, 2);
  m.xy += shift(0, 1);
  m.yz += shift(1, 2);
  m.zx += shift(2, 0);
  m.first += m.volume * o;
  return m;
}

} // namespace detail

Shape makePolyhedron(const std::string& name, const std::vector<Vec3d>& vertices,
  const std::vector<std::vector<std::int32_t>>& faces)
{
  Shape shape;
  shape.name = name;
  shape.kind = ShapeKind::ConvexPolyhedron;
  if (faces.empty() || vertices.empty())
    fail(name,
      "a polyhedron needs at least 4 vertices and 4 faces; there are " +
        std::to_string(vertices.size()) + " and " + std::to_string(faces.size()) + ".");
  Vec3d low = vertices[0], high = vertices[0];
  for (std::size_t i = 0; i < vertices.size(); ++i)
  {
    const Vec3d& v = vertices[i];
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
      fail(name, "vertex " + std::to_string(i) + " is at " + text(v) + ", it must be finite.");
    low = { std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z) };
    high = { std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z) };
  }
  const double size = length(high - low);
  // drops unused points and merges equal ones
  std::vector<std::int32_t> number(vertices.size(), -1);
  for (std::size_t f = 0; f < faces.size(); ++f)
  {
    Face face;
    for (const std::int32_t c : faces[f])
    {
      if (c < 0 || c >= static_cast<std::int32_t>(vertices.size()))
        fail(name,
          "face " + std::to_string(f) + " has vertex " + std::to_string(c) + "; there are " +
            std::to_string(vertices.size()) + " vertices.");
      if (number[c] < 0)
      {
        for (std::size_t k = 0; k < shape.vertices.size() && number[c] < 0; ++k)
          if (length(shape.vertices[k] - vertices[c]) <= 1e-9 * size)
            number[c] = static_cast<std::int32_t>(k);
        if (number[c] < 0)
        {
          number[c] = static_cast<std::int32_t>(shape.vertices.size());
          shape.vertices.push_back(vertices[c]);
        }
      }
      face.push_back(number[c]);
    }
    if (face.size() < 3 || length(areaVector(shape.vertices, face)) <= 1e-12 * size * size)
      fail(name, "face " + std::to_string(f) + " has no area.");
    shape.faces.push_back(face);
  }
  checkClosed(name, shape.faces);
  const double volume = detail::polyhedronMoments(shape).volume;
  if (std::fabs(volume) <= 1e-9 * size * size * size)
    fail(name,
      "its volume is " + text(volume) + ", nothing beside its size, " + text(size) +
        ": the points lie in one plane or line. Make it thicker.");
  if (volume < 0)
    fail(name,
      "its volume is " + text(volume) +
        ": all faces are inverted. Orient them counter-clockwise as seen from outside.");
  std::vector<Vec3d> normal;
  for (std::size_t f = 0; f < shape.faces.size(); ++f)
  {
    normal.push_back(normalized(areaVector(shape.vertices, shape.faces[f])));
    for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    {
      const double out = dot(normal[f], shape.vertices[v] - shape.vertices[shape.faces[f][0]]);
      if (out > kSamePlane * size)
        fail(name,
          "it is not convex: vertex " + std::to_string(v) + " at " + text(shape.vertices[v]) +
            " lies " + text(out) + " outside of the plane of face " + std::to_string(f) +
            ". Use its convex hull, or a Multi-Sphere.");
    }
  }
  joinFaces(name, shape, normal, size);
  if (shape.vertices.size() > kMaxShapeVertices)
    fail(name,
      "it has " + std::to_string(shape.vertices.size()) + " vertices, at most " +
        std::to_string(kMaxShapeVertices) + " are supported. Give a coarser surface.");
  return detail::finished(shape);
}

Shape makePolyhedron(const std::string& name, const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles)
{
  std::vector<Face> faces;
  for (const auto& t : triangles)
    faces.push_back({ t[0], t[1], t[2] });
  return makePolyhedron(name, points, faces);
}

const std::vector<std::string>& namedPolyhedra()
{
  static const std::vector<std::string> names{ "Cube", "Tetrahedron", "Octahedron", "Dodecahedron",
    "Brick" };
  return names;
}

Shape makeNamedPolyhedron(const std::string& name, const std::string& solid, const Vec3d& edges)
{
  std::vector<Vec3d> vertices, normals;
  const auto signs = [](std::vector<Vec3d>& to, const Vec3d& v) {
    for (int s = 0; s < 8; ++s)
    {
      const Vec3d p{ s & 1 ? -v.x : v.x, s & 2 ? -v.y : v.y, s & 4 ? -v.z : v.z };
      if ((s & 1 && v.x == 0) || (s & 2 && v.y == 0) || (s & 4 && v.z == 0))
        continue;
      to.push_back(p);
    }
  };
  const auto cyclic = [&](std::vector<Vec3d>& to, const Vec3d& v) {
    signs(to, v);
    signs(to, { v.z, v.x, v.y });
    signs(to, { v.y, v.z, v.x });
  };
  if (solid == "Cube" || solid == "Brick")
  {
    const Vec3d e = solid == "Cube" ? Vec3d{ 1, 1, 1 } : edges;
    for (int k = 0; k < 3; ++k)
      if (!(e[k] > 0) || !std::isfinite(e[k]))
        fail(name,
          "edge " + std::to_string(k) + " of the brick is " + text(e[k]) + ", it must be above 0.");
    signs(vertices, 0.5 * e);
    cyclic(normals, { 1, 0, 0 });
  }
  else if (solid == "Tetrahedron")
  {
    const double a = 0.35355339059327376; // edge 1
    vertices = { { a, a, a }, { a, -a, -a }, { -a, a, -a }, { -a, -a, a } };
    for (const Vec3d& v : vertices)
      normals.push_back(-v);
  }
  else if (solid == "Octahedron")
  {
    cyclic(vertices, { 0.7071067811865476, 0, 0 });
    signs(normals, { 1, 1, 1 });
  }
  else if (solid == "Dodecahedron")
  {
    const double golden = 1.618033988749895, h = 0.5 * golden; // edge 1
    signs(vertices, { h, h, h });
    cyclic(vertices, { 0, h / golden, h * golden });
    cyclic(normals, { 0, golden, 1 });
  }
  else
  {
    std::string known;
    for (const std::string& n : namedPolyhedra())
      known += (known.empty() ? "" : ", ") + n;
    fail(name, "there is no solid '" + solid + "'. Known: " + known + ".");
  }
  std::vector<Face> faces;
  for (const Vec3d& n : normals)
  {
    double top = 0;
    for (const Vec3d& v : vertices)
      top = std::max(top, dot(n, v));
    Face face;
    Vec3d middle{};
    for (std::size_t v = 0; v < vertices.size(); ++v)
      if (dot(n, vertices[v]) > top * (1 - 1e-9))
        face.push_back(static_cast<std::int32_t>(v));
    for (const std::int32_t c : face)
      middle += (1.0 / static_cast<double>(face.size())) * vertices[c];
    const Vec3d u = vertices[face[0]] - middle, w = cross(normalized(n), u);
    std::sort(face.begin(), face.end(), [&](std::int32_t a, std::int32_t b) {
      const Vec3d p = vertices[a] - middle, q = vertices[b] - middle;
      return std::atan2(dot(p, w), dot(p, u)) < std::atan2(dot(q, w), dot(q, u));
    });
    faces.push_back(face);
  }
  return makePolyhedron(name, vertices, faces);
}

} // namespace dem
