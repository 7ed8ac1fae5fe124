#include "MaterialPoint/WallThickness.h"

#include "Core/CpuExec.h"
#include "Walls/WallTrees.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpm
{
namespace
{

using dem::Vec3d;
using Triangle = std::array<std::int32_t, 3>;

/// For each point the number of the first point at the same place.
std::vector<std::int32_t> merged(const std::vector<Vec3d>& points)
{
  std::vector<std::int32_t> order(points.size()), number(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](std::int32_t i) {
    return std::array<double, 3>{ points[i].x, points[i].y, points[i].z };
  };
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return place(a) != place(b) ? place(a) < place(b) : a < b;
  });
  for (std::size_t k = 0; k < order.size(); ++k)
    number[order[k]] =
      k > 0 && place(order[k]) == place(order[k - 1]) ? number[order[k - 1]] : order[k];
  return number;
}

/// The neighbours of each triangle across its edges.
struct Neighbours
{
  struct Link
  {
    std::uint32_t to;
    bool turns; // both triangles run along the edge in the same direction
  };
  std::vector<std::array<Link, 3>> links;
  std::vector<int> count;
  std::vector<char> open; // has an edge without neighbour, or with several
};

Neighbours findNeighbours(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles)
{
  struct Edge
  {
    std::int32_t low, high;
    std::uint32_t triangle;
    bool forth; // from low to high
  };
  const std::vector<std::int32_t> number = merged(points);
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
    {
      const std::int32_t a = number[triangles[t][k]], b = number[triangles[t][(k + 1) % 3]];
      edges.push_back({ std::min(a, b), std::max(a, b), t, a < b });
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low
                          : (a.high != b.high ? a.high < b.high : a.triangle < b.triangle);
  });
  Neighbours n;
  n.links.resize(triangles.size());
  n.count.assign(triangles.size(), 0);
  n.open.assign(triangles.size(), 0);
  for (std::size_t k = 0; k < edges.size();)
  {
    std::size_t end = k + 1;
    while (end < edges.size() && edges[end].low == edges[k].low && edges[end].high == edges[k].high)
      ++end;
    const bool pair = end - k == 2 && edges[k].triangle != edges[k + 1].triangle;
    for (std::size_t e = k; e < end; ++e)
      if (pair)
      {
        const Edge& other = edges[e == k ? k + 1 : k];
        n.links[edges[e].triangle][n.count[edges[e].triangle]++] = { other.triangle,
          other.forth == edges[e].forth };
      }
      else
        n.open[edges[e].triangle] = 1;
    k = end;
  }
  return n;
}

/// The connected parts of a surface that are closed, and which triangles have to be reversed for
/// their normals to point outwards.
struct Parts
{
  std::vector<std::vector<std::uint32_t>> closed;
  std::vector<char> turned;
};

/// The triangles connected to `start`, and whether they bound a volume. Marks them as seen and
/// turns them the way `start` is turned.
std::vector<std::uint32_t> connected(
  std::uint32_t start, const Neighbours& n, std::vector<char>& seen, Parts& parts, bool& closed)
{
  seen[start] = 1;
  std::vector<std::uint32_t> part{ start };
  closed = true;
  for (std::size_t k = 0; k < part.size(); ++k)
  {
    const std::uint32_t t = part[k];
    closed = closed && !n.open[t];
    for (int e = 0; e < n.count[t]; ++e)
      if (!seen[n.links[t][e].to])
      {
        seen[n.links[t][e].to] = 1;
        parts.turned[n.links[t][e].to] = parts.turned[t] ^ static_cast<char>(n.links[t][e].turns);
        part.push_back(n.links[t][e].to);
      }
  }
  return part;
}

Parts findParts(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles)
{
  const Neighbours neighbours = findNeighbours(points, triangles);
  Parts parts;
  parts.turned.assign(triangles.size(), 0);
  std::vector<char> seen(triangles.size(), 0);
  for (std::uint32_t start = 0; start < triangles.size(); ++start)
  {
    if (seen[start])
      continue;
    bool closed = true;
    std::vector<std::uint32_t> part = connected(start, neighbours, seen, parts, closed);
    if (!closed)
      continue;
    const Vec3d base = points[triangles[start][0]];
    double volume = 0;
    for (std::uint32_t t : part)
    {
      const Vec3d a = points[triangles[t][0]] - base, b = points[triangles[t][1]] - base,
                  c = points[triangles[t][2]] - base;
      volume += (parts.turned[t] ? -1 : 1) * dot(a, cross(b, c));
    }
    if (volume < 0)
      for (std::uint32_t t : part)
        parts.turned[t] ^= 1;
    parts.closed.push_back(std::move(part));
  }
  return parts;
}

/// The s at which the ray p + s d meets the triangle, or -1.
double meets(const dem::WallElement& t, const Vec3d& p, const Vec3d& d)
{
  const Vec3d n = cross(t.b - t.a, t.c - t.a);
  const double slope = dot(n, d);
  if (slope == 0)
    return -1;
  const double s = dot(n, t.a - p) / slope;
  const Vec3d q = p + s * d;
  const double least = -1e-9 * dot(n, n); // an edge belongs to both triangles
  const bool inside = dot(cross(t.b - t.a, q - t.a), n) >= least &&
    dot(cross(t.c - t.b, q - t.b), n) >= least && dot(cross(t.a - t.c, q - t.c), n) >= least;
  return inside ? s : -1;
}

/// The search for the thinnest place of the closed parts of a surface.
class ThinnestPlace
{
public:
  ThinnestPlace(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
    const Parts& parts, double limit)
    : points_(points)
    , triangles_(triangles)
    , parts_(parts)
    , limit_(limit)
    , thin_{ limit, {} }
    , body_(triangles.size(), 0)
  {
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
      inward_.push_back(inner(t));
    std::uint32_t bodies = 0;
    for (const auto& part : parts.closed)
    {
      ++bodies;
      for (std::uint32_t t : part)
        body_[t] = bodies;
    }
  }

  /// The extent of each body across its largest faces.
  void acrossBodies()
  {
    for (const auto& part : parts_.closed)
      acrossBody(part);
  }
  /// The ways from each face to the opposite face of the same body.
  void acrossFaces()
  {
    dem::Wall wall;
    wall.points = points_;
    wall.triangles = triangles_;
    const dem::WallSet set = dem::makeWallSet({ wall }, {});
    dem::CpuExec exec(1);
    dem::WallTrees<dem::CpuExec> trees(exec);
    trees.build(set, set.elements.data());
    const dem::BvhView tree = trees.view()[0];
    constexpr double kPlaces[7][3] = { { 1. / 3, 1. / 3, 1. / 3 }, { 0.8, 0.1, 0.1 },
      { 0.1, 0.8, 0.1 }, { 0.1, 0.1, 0.8 }, { 0.45, 0.45, 0.1 }, { 0.1, 0.45, 0.45 },
      { 0.45, 0.1, 0.45 } };
    for (std::size_t at = 0; at < set.elements.size(); ++at)
    {
      const dem::WallElement& own = set.elements[at];
      const std::uint32_t t = set.triangleOf(at);
      if (body_[t])
        for (const auto& w : kPlaces)
          follow(set, tree, t, w[0] * own.a + w[1] * own.b + w[2] * own.c);
    }
  }

  std::optional<ThinPlace> found() const
  {
    return found_ ? std::optional<ThinPlace>(thin_) : std::nullopt;
  }

private:
  Vec3d across(std::uint32_t t) const
  {
    const Triangle& v = triangles_[t];
    return cross(points_[v[1]] - points_[v[0]], points_[v[2]] - points_[v[0]]);
  }
  Vec3d inner(std::uint32_t t) const
  {
    return (parts_.turned[t] ? 1. : -1.) * normalized(across(t));
  }
  void take(double thickness, const Vec3d& place)
  {
    thin_ = { thickness, place };
    found_ = true;
  }

  void acrossBody(const std::vector<std::uint32_t>& part)
  {
    std::vector<std::uint32_t> faces = part;
    const std::size_t some = std::min<std::size_t>(faces.size(), 64);
    const auto size = [&](std::uint32_t t) { return length(across(t)); };
    std::partial_sort(faces.begin(), faces.begin() + static_cast<std::ptrdiff_t>(some), faces.end(),
      [&](std::uint32_t a, std::uint32_t b) {
        const double sa = size(a), sb = size(b);
        return sa != sb ? sa > sb : a < b;
      });
    Vec3d middle{};
    for (std::uint32_t t : part)
      for (std::int32_t v : triangles_[t])
        middle += (1. / (3. * static_cast<double>(part.size()))) * points_[v];
    for (std::size_t k = 0; k < some; ++k)
    {
      const Triangle& face = triangles_[faces[k]];
      if (!dem::hasArea(points_[face[0]], points_[face[1]], points_[face[2]]))
        continue;
      const Vec3d n = inward_[faces[k]];
      double low = 1e300, high = -1e300;
      for (std::uint32_t t : part)
        for (std::int32_t v : triangles_[t])
        {
          low = std::min(low, dot(n, points_[v]));
          high = std::max(high, dot(n, points_[v]));
        }
      if (high - low < thin_.thickness * (1 - 1e-9))
        take(high - low, middle);
    }
  }

  /// Follows the inner normal of triangle t from p to the next opposite face.
  void follow(const dem::WallSet& set, const dem::BvhView& tree, std::uint32_t t, const Vec3d& p)
  {
    constexpr double kOpposite = 0.9986; // cosine of 3 degrees
    const double margin = 1e-9 * limit_;
    const Vec3d d = inward_[t];
    // whether the way from p over the thickness found so far meets the box of a node
    const auto passes = [&](std::uint32_t node) {
      double from = 0, to = thin_.thickness;
      for (int k = 0; k < 3; ++k)
      {
        const double one = (tree.box[node].lower[k] - margin - p[k]) / d[k],
                     other = (tree.box[node].upper[k] + margin - p[k]) / d[k];
        if (d[k] != 0)
        {
          from = std::max(from, std::min(one, other));
          to = std::min(to, std::max(one, other));
        }
        else if (tree.box[node].lower[k] - margin > p[k] || tree.box[node].upper[k] + margin < p[k])
          return false;
      }
      return from <= to;
    };
    tree.walk(passes, [&](std::uint32_t leaf) {
      const std::uint32_t element = tree.leaf_item[leaf], e = set.triangleOf(element);
      if (e == t || body_[e] != body_[t] || !(dot(inward_[e], d) < -kOpposite))
        return;
      const double s = meets(set.elements[element], p, d);
      if (s > 0 && s < thin_.thickness * (1 - 1e-9))
        take(s, p + 0.5 * s * d);
    });
  }

  const std::vector<Vec3d>& points_;
  const std::vector<Triangle>& triangles_;
  const Parts& parts_;
  const double limit_; // m
  ThinPlace thin_;     // the thinnest so far
  bool found_ = false;
  std::vector<std::uint32_t> body_; // of each triangle; 0: of a sheet
  std::vector<Vec3d> inward_;       // normals
};

} // namespace

std::optional<ThinPlace> findThinPlace(
  const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles, double limit)
{
  const Parts parts = findParts(points, triangles);
  if (parts.closed.empty())
    return {};
  ThinnestPlace search(points, triangles, parts, limit);
  search.acrossBodies();
  search.acrossFaces();
  return search.found();
}

} // namespace mpm
