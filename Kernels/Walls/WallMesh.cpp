// Building and validation of wall elements.
#include "Walls/WallMesh.h"

#include "Core/Error.h"
#include "Core/RowRange.h"
#include "Walls/WallRows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace dem
{
namespace
{

bool finite(const Vec3d& v)
{
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

std::string text(const Vec3d& v)
{
  char buffer[128];
  std::snprintf(buffer, sizeof buffer, "(%g, %g, %g)", v.x, v.y, v.z);
  return buffer;
}

struct PointHash
{
  std::size_t operator()(const Vec3d& p) const
  {
    std::uint64_t h = 1469598103934665603ull;
    for (double c : { p.x, p.y, p.z })
    {
      c = c == 0 ? 0.0 : c; // -0 and 0 are the same position
      std::uint64_t bits;
      std::memcpy(&bits, &c, sizeof bits);
      h = (h ^ bits) * 1099511628211ull;
      h ^= h >> 29;
    }
    return h;
  }
};

/// Numbers the corner of each point from `next` on and advances `next`. Points nearer than 1e-9 of
/// the mesh's size are one corner, which removes rounding errors.
std::vector<std::uint32_t> numberCorners(const std::vector<Vec3d>& points, std::uint32_t& next)
{
  Vec3d lower{ 1e300, 1e300, 1e300 }, upper{ -1e300, -1e300, -1e300 };
  for (const Vec3d& p : points)
    for (int k = 0; k < 3; ++k)
    {
      lower[k] = std::min(lower[k], p[k]);
      upper[k] = std::max(upper[k], p[k]);
    }
  const double near = 1e-9 * length(upper - lower), cell = 4 * near;
  // First points of corners, by cells of a grid.
  std::unordered_map<Vec3d, std::vector<std::uint32_t>, PointHash> first_in;
  std::vector<std::uint32_t> number(points.size());
  for (std::size_t p = 0; p < points.size(); ++p)
  {
    const Vec3d& x = points[p];
    const auto cellOf = [&](int side) { // cells of the corners of a box around x
      Vec3d c;
      for (int k = 0; k < 3; ++k)
        c[k] = cell > 0 ? std::floor((x[k] - lower[k] + (side >> k & 1 ? near : -near)) / cell) : 0;
      return c;
    };
    const std::uint32_t* corner = nullptr;
    const Vec3d one = cellOf(0), other_end = cellOf(7);
    const int sides = one.x == other_end.x && one.y == other_end.y && one.z == other_end.z ? 1 : 8;
    for (int side = 0; side < sides && !corner; ++side)
      if (const auto found = first_in.find(cellOf(side)); found != first_in.end())
        for (const std::uint32_t other : found->second)
          if (!corner && length(points[other] - x) <= near)
            corner = &number[other];
    if (corner)
    {
      number[p] = *corner;
      continue;
    }
    number[p] = next++;
    Vec3d own;
    for (int k = 0; k < 3; ++k)
      own[k] = cell > 0 ? std::floor((x[k] - lower[k]) / cell) : 0;
    first_in[own].push_back(static_cast<std::uint32_t>(p));
  }
  return number;
}

} // namespace

void wallTriangles(
  const Wall& wall, std::vector<Vec3d>& points, std::vector<std::array<std::int32_t, 3>>& triangles)
{
  if (wall.kind == WallKind::Mesh)
  {
    points = wall.points;
    triangles = wall.triangles;
  }
  else if (wall.kind == WallKind::Rectangle)
  {
    const Vec3d &o = wall.origin, &u = wall.edge_u, &v = wall.edge_v;
    points = { o, o + u, o + u + v, o + v };
    triangles = { { 0, 1, 2 }, { 0, 2, 3 } };
  }
  else if (wall.kind == WallKind::Box)
  {
    const Vec3d &a = wall.origin, &b = wall.end;
    points.clear();
    for (int k = 0; k < 8; ++k)
      points.push_back({ k & 1 ? b.x : a.x, k & 2 ? b.y : a.y, k & 4 ? b.z : a.z });
    triangles = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 },
      { 2, 6, 7 }, { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
  }
}

bool hasArea(const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
  const Vec3d ab = b - a, ac = c - a, bc = ac - ab;
  const double longest2 = std::max({ dot(ab, ab), dot(ac, ac), dot(bc, bc) });
  const Vec3d n = cross(ab, ac);
  // single-precision files cannot represent smaller heights
  return longest2 > 0 && dot(n, n) > 1e-14 * longest2 * longest2;
}

std::vector<std::string> wallWarnings(const std::vector<Wall>& walls)
{
  std::vector<std::string> out;
  for (std::size_t w = 0; w < walls.size(); ++w)
  {
    const Wall& wall = walls[w];
    if (wall.kind != WallKind::Mesh)
      continue;
    const auto there = [&](int v) {
      return v >= 0 && static_cast<std::size_t>(v) < wall.points.size() && finite(wall.points[v]);
    };
    std::size_t skipped = 0, first = 0;
    for (std::size_t t = 0; t < wall.triangles.size(); ++t)
    {
      const auto& tri = wall.triangles[t];
      if (!there(tri[0]) || !there(tri[1]) || !there(tri[2]) ||
        hasArea(wall.points[tri[0]], wall.points[tri[1]], wall.points[tri[2]]))
        continue;
      first = skipped++ == 0 ? t : first;
    }
    if (skipped == 0 || skipped == wall.triangles.size())
      continue;
    out.push_back("Wall " + std::to_string(w) + " ('" + wall.name + "'): " +
      std::to_string(skipped) + " of its " + std::to_string(wall.triangles.size()) + " triangles " +
      (skipped == 1 ? "has" : "have") + " no area and " + (skipped == 1 ? "is" : "are") +
      " skipped; the first is triangle " + std::to_string(first) + " near " +
      text(wall.points[wall.triangles[first][0]]) + ". Repair the mesh if grains pass there.");
  }
  return out;
}

/// Names further motion `k` of a wall in messages.
static std::string motionOf(const Wall& wall, std::size_t k)
{
  return "motion " + std::to_string(k + 2) + " of " +
    std::to_string(wall.further_motions.size() + 1);
}

static void validateRows(const Wall& wall, const std::string& subject)
{
  checkRows(wall, subject + ": ");
  checkRows(wall.motion, subject + ": ");
  for (std::size_t k = 0; k < wall.further_motions.size(); ++k)
    checkRows(wall.further_motions[k], subject + ", " + motionOf(wall, k) + ": ");
  checkRows(wall.heat, subject + ": ");
  const bool has_area = wall.kind != WallKind::Plane && wall.kind != WallKind::Line;
  if (wall.heat.condition == ThermalCondition::HeatFlux && !has_area)
    throw Error(subject + ": a " + kWallKindNames[static_cast<int>(wall.kind)] +
      " has no area to which its Heat Flux applies. Give it a Temperature, or make it a Rectangle, "
      "Cylinder or Mesh.");
}

static void validateMotion(const Wall& wall, const Motion& m, const std::string& subject)
{
  const auto require = [&](bool good, const char* what) {
    if (!good)
      throw Error(subject + " " + what);
  };
  require(finite(m.origin) && finite(m.axis) && finite(m.velocity) && std::isfinite(m.rate) &&
      std::isfinite(m.amplitude) && std::isfinite(m.frequency) && std::isfinite(m.phase) &&
      !std::isnan(m.start) && !std::isnan(m.stop),
    "has a value that is not finite.");
  if (m.kind == MotionKind::Rotation || m.kind == MotionKind::Oscillation)
    require(length(m.axis) > 0, "needs an axis that is not zero.");
  require(m.stop >= m.start, "stops before it starts.");
  require(wall.kind != WallKind::Plane || m.kind != MotionKind::Rotation,
    "is a rotation, but an endless plane cannot rotate. Use a rectangle.");
}

void validateWall(const Wall& wall, std::size_t index)
{
  const std::string subject = "Wall " + std::to_string(index) + " ('" + wall.name + "')";
  const auto require = [&](bool good, const std::string& what) {
    if (!good)
      throw Error(subject + ": " + what);
  };
  validateRows(wall, subject);
  switch (wall.kind)
  {
    case WallKind::Mesh:
    {
      require(!wall.triangles.empty(),
        "the mesh has no triangles. A wall is a surface: use Extract Surface on a volume, and "
        "check the file.");
      for (std::size_t p = 0; p < wall.points.size(); ++p)
        require(finite(wall.points[p]),
          "point " + std::to_string(p) + " is not finite: " + text(wall.points[p]) + ".");
      bool any = false;
      for (std::size_t t = 0; t < wall.triangles.size(); ++t)
      {
        const auto& tri = wall.triangles[t];
        for (int v : tri)
          require(v >= 0 && static_cast<std::size_t>(v) < wall.points.size(),
            "triangle " + std::to_string(t) + " refers to point " + std::to_string(v) +
              ", which is not there.");
        any = any || hasArea(wall.points[tri[0]], wall.points[tri[1]], wall.points[tri[2]]);
      }
      const std::size_t n = wall.triangles.size();
      require(any,
        (n == 1 ? "its only triangle has no area"
                : "none of its " + std::to_string(n) + " triangles has an area") +
          std::string(": the corners of each lie on a line. Export the mesh again."));
      break;
    }
    case WallKind::Plane:
      require(finite(wall.origin) && finite(wall.normal) && length(wall.normal) > 0,
        "a plane needs a finite origin and a normal that is not zero.");
      break;
    case WallKind::Rectangle:
      require(finite(wall.origin) && finite(wall.edge_u) && finite(wall.edge_v) &&
          length(cross(wall.edge_u, wall.edge_v)) > 1e-7 * dot(wall.edge_u, wall.edge_u),
        "a rectangle needs two finite edges that are not parallel.");
      require(std::fabs(dot(wall.edge_u, wall.edge_v)) <=
          1e-9 * length(wall.edge_u) * length(wall.edge_v),
        "the edges of a rectangle must be at right angles.");
      break;
    case WallKind::Line:
      require(finite(wall.origin) && finite(wall.end) && length(wall.end - wall.origin) > 0,
        "a line needs two different ends.");
      break;
    case WallKind::Box:
      require(finite(wall.origin) && finite(wall.end) && wall.end.x > wall.origin.x &&
          wall.end.y > wall.origin.y && wall.end.z > wall.origin.z,
        "a box needs an upper corner above its lower corner on every axis.");
      break;
    case WallKind::Cylinder:
      require(finite(wall.origin) && finite(wall.end) && length(wall.end - wall.origin) > 0 &&
          wall.radius > 0 && std::isfinite(wall.radius),
        "a cylinder needs two different ends and a radius above 0.");
      break;
    case WallKind::Cone:
      require(finite(wall.origin) && finite(wall.end) && length(wall.end - wall.origin) > 0 &&
          wall.radius >= 0 && wall.end_radius >= 0 && wall.radius + wall.end_radius > 0 &&
          std::isfinite(wall.radius + wall.end_radius),
        "a cone needs two different ends and radii of at least 0, one of them above 0.");
      break;
  }
  validateMotion(wall, wall.motion, subject + ": its motion");
  require(wall.further_motions.size() < kMostMotions,
    "it has " + std::to_string(wall.further_motions.size() + 1) + " motions; a wall may have " +
      std::to_string(kMostMotions) + ". Join motions that act one after the other.");
  for (std::size_t k = 0; k < wall.further_motions.size(); ++k)
    validateMotion(wall, wall.further_motions[k], subject + ": " + motionOf(wall, k));
}

namespace
{

/// Builds the elements of a WallSet wall by wall.
class WallSetBuilder
{
public:
  void add(const Wall& wall)
  {
    begin(wallMotion(wall), wall.material);
    switch (wall.kind)
    {
      case WallKind::Mesh:
      case WallKind::Rectangle:
      case WallKind::Box:
        addTriangles(wall);
        break;
      case WallKind::Plane:
        addAnalytic(ElementKind::Plane, wall.origin, normalized(wall.normal), 0, 0);
        break;
      case WallKind::Line:
        addAnalytic(ElementKind::Line, wall.origin, wall.end, 0, 0);
        break;
      case WallKind::Cylinder:
        addAnalytic(ElementKind::Cylinder, wall.origin, wall.end, wall.radius, wall.radius);
        break;
      case WallKind::Cone:
        addAnalytic(ElementKind::Cone, wall.origin, wall.end, wall.radius, wall.end_radius);
        break;
    }
    ++set_.scene_walls;
  }

  void add(const BorderPlane& border)
  {
    begin(WallMotion{}, border.material);
    addAnalytic(ElementKind::Plane, border.origin, border.normal, 0, 0);
  }

  /// The set with all that depends on the walls together; the builder is empty then.
  WallSet finish()
  {
    set_.first.push_back(static_cast<std::uint32_t>(set_.elements.size()));
    if (skipped_)
      set_.triangle.resize(set_.elements.size());
    else
      set_.triangle = {};
    findRings();
    findReach();
    return std::move(set_);
  }

private:
  void begin(const WallMotion& motion, int material)
  {
    set_.triangles.push_back(0);
    set_.first.push_back(static_cast<std::uint32_t>(set_.elements.size()));
    set_.motions.push_back(motion);
    set_.materials.push_back(material);
    for (std::int32_t k = 0; k < motion.count; ++k)
      set_.any_motion = set_.any_motion || motion.part[k].kind != MotionKind::Fixed;
  }

  std::int32_t presentWall() const { return static_cast<std::int32_t>(set_.motions.size()) - 1; }

  void addAnalytic(ElementKind kind, const Vec3d& a, const Vec3d& b, double ra, double rb)
  {
    WallElement e{};
    e.kind = kind;
    e.wall = presentWall();
    e.a = a;
    e.b = b;
    e.radius_a = ra;
    e.radius_b = rb;
    set_.elements.push_back(e);
  }

  void addTriangles(const Wall& wall)
  {
    std::vector<Vec3d> points;
    std::vector<std::array<std::int32_t, 3>> triangles;
    wallTriangles(wall, points, triangles);
    const std::vector<std::uint32_t> number = numberCorners(points, vertices_);
    set_.triangles.back() = static_cast<std::uint32_t>(triangles.size());
    for (std::uint32_t k = 0; k < triangles.size(); ++k)
    {
      const auto& t = triangles[k];
      if (wall.kind == WallKind::Mesh && !hasArea(points[t[0]], points[t[1]], points[t[2]]))
      {
        skipped_ = true;
        continue;
      }
      set_.triangle.resize(set_.elements.size());
      set_.triangle.push_back(k);
      WallElement e{};
      e.kind = ElementKind::Triangle;
      e.wall = presentWall();
      e.a = points[t[0]];
      e.b = points[t[1]];
      e.c = points[t[2]];
      for (int corner = 0; corner < 3; ++corner)
        e.vertex[corner] = number[t[corner]];
      set_.elements.push_back(e);
    }
  }

  // The triangles around each corner.
  void findRings()
  {
    set_.ring_start.assign(vertices_ + 1, 0);
    for (const WallElement& e : set_.elements)
      if (e.kind == ElementKind::Triangle)
        for (std::uint32_t v : e.vertex)
          ++set_.ring_start[v + 1];
    std::partial_sum(set_.ring_start.begin(), set_.ring_start.end(), set_.ring_start.begin());
    set_.ring.resize(set_.ring_start.back());
    std::vector<std::uint32_t> next(set_.ring_start.begin(), set_.ring_start.end() - 1);
    for (std::uint32_t i = 0; i < set_.elements.size(); ++i)
      if (set_.elements[i].kind == ElementKind::Triangle)
        for (std::uint32_t v : set_.elements[i].vertex)
          set_.ring[next[v]++] = i;
  }

  // The reach of each rotation of a wall.
  void findReach()
  {
    set_.reach.assign(set_.walls(), {});
    for (const WallElement& e : set_.elements)
      for (std::int32_t k = 0; k < set_.motions[e.wall].count; ++k)
        includeInReach(e, set_.motions[e.wall].part[k], set_.reach[e.wall][k].at_start);
  }

  static void includeInReach(const WallElement& e, const Motion& m, double& reach)
  {
    if (m.kind != MotionKind::Rotation)
      return;
    const auto include = [&](const Vec3d& p, double extra) {
      const Vec3d r = p - m.origin;
      const Vec3d off = r - dot(r, m.axis) * m.axis;
      reach = std::max(reach, length(off) + extra);
    };
    if (e.kind == ElementKind::Plane)
      reach = 1e300; // infinite, see travelBound
    else
    {
      include(e.a, e.radius_a);
      include(e.b, e.radius_b);
      if (e.kind == ElementKind::Triangle)
        include(e.c, 0);
    }
  }

  WallSet set_;
  std::uint32_t vertices_ = 0;
  bool skipped_ = false;
};

} // namespace

WallSet makeWallSet(const std::vector<Wall>& walls, const std::vector<BorderPlane>& borders)
{
  WallSetBuilder builder;
  for (const Wall& wall : walls)
    builder.add(wall);
  for (const BorderPlane& border : borders)
    builder.add(border);
  return builder.finish();
}

namespace
{

double speedBoundOf(const Motion& m, double reach, double t0, double t1)
{
  if (std::min(t1, m.stop) <= std::max(t0, m.start))
    return 0;
  switch (m.kind)
  {
    case MotionKind::Fixed:
      return 0;
    case MotionKind::Rotation:
      return m.rate == 0 ? 0 : std::fabs(m.rate) * reach;
    case MotionKind::Translation:
      return length(m.velocity);
    case MotionKind::Oscillation:
      return 2 * 3.14159265358979323846 * std::fabs(m.frequency * m.amplitude);
  }
  return 0;
}

double travelBoundOf(const Motion& m, double reach, double t0, double t1)
{
  const double a = std::max(t0, m.start), b = std::min(t1, m.stop);
  if (b <= a)
    return 0;
  switch (m.kind)
  {
    case MotionKind::Fixed:
      return 0;
    case MotionKind::Rotation:
      return std::fabs(m.rate) * (b - a) * reach;
    case MotionKind::Translation:
      return length(m.velocity) * (b - a);
    case MotionKind::Oscillation:
    {
      const double omega = 2 * 3.14159265358979323846 * std::fabs(m.frequency);
      return std::fabs(m.amplitude) * std::min(2.0, omega * (b - a));
    }
  }
  return 0;
}

/// Bound of the distance (m) of a point from where it began, up to time t1.
double displacementBound(const Motion& m, double reach, double t1)
{
  switch (m.kind)
  {
    case MotionKind::Fixed:
      return 0;
    case MotionKind::Rotation:
      return m.rate == 0 && m.angle_before == 0 ? 0 : 2 * reach;
    case MotionKind::Translation:
      return length(m.shift_before) +
        length(m.velocity) * std::max(0., std::min(t1, m.stop) - m.start);
    case MotionKind::Oscillation:
      return 2 * std::fabs(m.amplitude);
  }
  return 0;
}

// The sum of a bound of each motion.
double sumOfMotions(const WallMotion& motion, const std::array<double, kMostMotions>& reaches,
  double t0, double t1, double (*bound)(const Motion&, double, double, double))
{
  double sum = 0;
  for (std::int32_t k = 0; k < motion.count; ++k)
    sum += bound(motion.part[k], reaches[k], t0, t1);
  return sum;
}

} // namespace

std::array<double, kMostMotions> WallSet::reachesOf(std::size_t wall, double t1) const
{
  std::array<double, kMostMotions> reaches{};
  double carried = 0;
  for (std::int32_t k = 0; k < motions[wall].count; ++k)
  {
    const Reach& r = reach[wall][k];
    reaches[k] = std::min(r.at_start + carried, r.limit);
    carried += displacementBound(motions[wall].part[k], reaches[k], t1);
  }
  return reaches;
}

double WallSet::speedBound(std::size_t wall, double t0, double t1) const
{
  return sumOfMotions(motions[wall], reachesOf(wall, t1), t0, t1, speedBoundOf);
}

double WallSet::travelBound(std::size_t wall, double t0, double t1) const
{
  return sumOfMotions(motions[wall], reachesOf(wall, t1), t0, t1, travelBoundOf);
}

WallMotion wallMotion(const Wall& wall)
{
  if (wall.further_motions.size() >= kMostMotions)
    throw Error(
      "Wall '" + wall.name + "' has more than " + std::to_string(kMostMotions) + " motions.");
  WallMotion all;
  const auto set = [](Motion& part, const Motion& motion) {
    part = motion;
    if (part.kind == MotionKind::Rotation || part.kind == MotionKind::Oscillation)
      part.axis = normalized(part.axis);
  };
  set(all.part[0], wall.motion);
  for (const Motion& motion : wall.further_motions)
    set(all.part[all.count++], motion);
  return all;
}

bool isMoving(const Wall& wall)
{
  const auto moves = [](const Motion& m) { return m.kind != MotionKind::Fixed; };
  return moves(wall.motion) ||
    std::any_of(wall.further_motions.begin(), wall.further_motions.end(), moves);
}

} // namespace dem
