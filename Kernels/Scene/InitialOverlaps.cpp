// Finds overlaps of grains with walls, and moves overlapping grains apart, on the host.
#include "Scene/InitialOverlaps.h"

#include "Core/CpuExec.h"
#include "Core/Error.h"
#include "Shapes/ShapeContact.cuh"
#include "Scene/SceneWalls.h"
#include "Scene/ShapeText.h"
#include "Scene/detail/BodySet.h"
#include "Walls/WallTrees.cuh"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

namespace dem
{
namespace
{

struct CellHash
{
  std::size_t operator()(const std::array<std::int64_t, 3>& c) const
  {
    return static_cast<std::size_t>(c[0] * 73856093 ^ c[1] * 19349663 ^ c[2] * 83492791);
  }
};

// Walls at the start of the run, and the search for their elements near a point.
class WallsAtStart
{
public:
  explicit WallsAtStart(const Scene& scene)
    : set(sceneWalls(scene))
    , exec_(0)
    , trees_(exec_)
  {
    trees_.build(set, set.elements.data());
    for (std::size_t w = 0; w < set.walls(); ++w)
      bodies.push_back(wallBody(set.motions[w], 0, 0));
  }

  /// Calls visit(e, local) for at least all elements whose box is within `reach` (m) of `x`. `e`:
  /// element index, `local`: x in the frame of its wall.
  template <class Visit>
  void near(const Vec3d& x, double reach, const Visit& visit) const
  {
    for (std::size_t w = 0; w < set.walls(); ++w)
    {
      const Vec3d local = bodies[w].toLocal(x);
      if (set.isMesh(w))
        trees_.view()[w].search(local, reach, [&](std::uint32_t e) { visit(e, local); });
      else
        for (std::uint32_t e = set.first[w]; e < set.first[w + 1]; ++e)
          visit(e, local);
    }
  }

  CpuExec& exec() { return exec_; }

  const WallSet set;
  std::vector<WallBody> bodies;

private:
  CpuExec exec_;
  WallTrees<CpuExec> trees_;
};

// Convex part of a grain: the sphere, a sphere of a clump, the tablet or the polyhedron.
struct Part
{
  std::size_t body;
  Vec3d arm;                   // m, relative to the body's centre
  double radius, depth_radius; // m: bounding radius; reference radius of overlaps (ShapeLaw)
  int shape;                   // index of the shape, or kSphereShape
};

// Parts of all grains of a scene.
struct Parts
{
  std::vector<Part> all;
  std::vector<Quaternion<double>>
    turned; // orientation of the principal axes of each body; empty if all grains are spheres
  ShapeTable<double> table;

  explicit Parts(const Scene& scene)
    : table(scene.shapes)
  {
    const ParticleInput& p = scene.particles;
    if (!usesBodies(scene))
    {
      for (std::size_t i = 0; i < p.size(); ++i)
        all.push_back({ i, {}, p.radius[i], p.radius[i], kSphereShape });
      return;
    }
    const BodyShapes shapes = bodyShapes(scene);
    for (std::size_t i = 0; i < p.size(); ++i)
    {
      const std::int32_t s = p.shape[i];
      const Vec4<double> f = shapes.frame[s];
      const Quaternion<double> defined =
        p.orientation.empty() ? Quaternion<double>{} : normalized(p.orientation[i]);
      turned.push_back(normalized(defined * Quaternion<double>{ f.x, f.y, f.z, f.w }));
      const ShapeKind kind = scene.shapes[s].kind;
      const double scale = p.radius[i] / equalRadius(scene.shapes[s]);
      for (std::uint32_t k = shapes.first_offset[s]; k < shapes.first_offset[s + 1]; ++k)
      {
        const double radius = scale * shapes.radius[k];
        const double depth = kind == ShapeKind::ConvexPolyhedron ? p.radius[i]
          : kind == ShapeKind::BiConvexTablet ? radius * table.shapes[s].inner_radius
                                              : radius;
        all.push_back({ i, rotate(turned[i], scale * shapes.offset[k]), radius, depth,
          kind == ShapeKind::BiConvexTablet || kind == ShapeKind::ConvexPolyhedron
            ? s
            : kSphereShape });
      }
    }
  }

  ShapePose<double> pose(const Part& part, const Vec3d& centre) const
  {
    if (part.shape == kSphereShape)
      return { centre, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, part.radius };
    return shapePose<double>(centre, turned[part.body], part.radius);
  }
};

struct Overlap
{
  double depth = 0; // m, <= 0: none
  Vec3d normal;     // from the first to the second
};

// Overlap of two parts; `apart` (m): from the centre of a to that of b.
Overlap overlapOf(const Parts& parts, const Part& a, const Part& b, const Vec3d& apart)
{
  const double distance = length(apart), depth = a.radius + b.radius - distance;
  if (depth <= 0)
    return {};
  if (a.shape != kSphereShape || b.shape != kSphereShape)
  {
    const ContactGeometry<double> g =
      grainContact(parts.table.view(), a.shape, parts.pose(a, {}), b.shape, parts.pose(b, apart));
    return { g.overlap, g.normal };
  }
  // Coincident centres get a fixed normal, with opposite signs for the two grains.
  return { depth,
    distance > 0 ? (1 / distance) * apart
                 : (a.body < b.body ? Vec3d{ 0.6, 0, 0.8 } : Vec3d{ -0.6, 0, -0.8 }) };
}

// Overlap of a part with a wall element; `local`: centre of the part in the frame of the wall.
Overlap overlapOf(const Parts& parts, const Part& part, const WallElement& e, const WallBody& body,
  const Vec3d& local)
{
  const ClosestPoint closest = closestOnElement(e, local);
  const double distance = signedDistance(e, local, closest), depth = part.radius - distance;
  if (depth <= 0)
    return {};
  if (part.shape == kSphereShape)
  {
    if (distance < 1e-9 * part.radius &&
      e.kind != ElementKind::Plane) // centre on the element: choose a side
      return { depth,
        e.kind == ElementKind::Triangle ? normalized(cross(e.b - e.a, e.c - e.a))
                                        : anyPerpendicular(normalized(e.b - e.a)) };
    return { depth,
      e.kind == ElementKind::Plane ? -e.b : (1 / distance) * (closest.point - local) };
  }
  ShapePose<double> pose = parts.pose(part, {});
  if (body.moving)
    pose = shapePose<double>({}, conjugate(body.rotation) * parts.turned[part.body], part.radius);
  const ShapeView<double> shapes = parts.table.view();
  ContactGeometry<double> g;
  if (e.kind == ElementKind::Triangle)
    g = triangleContact(
      shapes, part.shape, pose, ContactTriangle<double>{ e.a - local, e.b - local, e.c - local });
  else if (e.kind == ElementKind::Plane)
    g = planeContact(shapes, part.shape, pose, dot(e.b, e.a - local) * e.b, e.b);
  else
    g = coneContact(shapes, part.shape, pose,
      ContactCone<double>{ e.a - local, e.b - local, e.kind == ElementKind::Line ? 0. : e.radius_a,
        e.kind == ElementKind::Line
          ? 0.
          : (e.kind == ElementKind::Cylinder ? e.radius_a : e.radius_b) });
  return { g.overlap, g.normal };
}

// Hashed grid of parts. Cells are as wide as the largest part, or slightly wider on a periodic
// axis.
class PartGrid
{
public:
  PartGrid(const Parts& parts, const Domain& domain)
    : domain_(domain)
  {
    double largest = 0;
    for (const Part& part : parts.all)
      largest = std::max(largest, part.radius);
    const double cell = 2 * largest;
    width_ = { cell, cell, cell };
    for (int k = 0; k < 3; ++k)
      if (period(k) > 0)
      {
        count_[k] = std::max<std::int64_t>(1, static_cast<std::int64_t>(period(k) / cell));
        width_[k] = period(k) / static_cast<double>(count_[k]);
      }
  }

  void add(std::size_t part, const Vec3d& place) { cells_[cellOf(place)].push_back(part); }

  /// Calls visit(part) once for each part in the 27 cells around a point.
  template <class Visit>
  void forNear(const Vec3d& place, const Visit& visit) const
  {
    const Cell c = cellOf(place);
    std::vector<Cell> around;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
        {
          const Cell d = wrapped({ c[0] + dx, c[1] + dy, c[2] + dz });
          if (std::find(around.begin(), around.end(), d) == around.end())
            around.push_back(d);
        }
    for (const Cell& d : around)
      if (const auto found = cells_.find(d); found != cells_.end())
        for (std::size_t part : found->second)
          visit(part);
  }

  /// Shortest periodic image of a difference of positions.
  Vec3d shortest(Vec3d apart) const
  {
    for (int k = 0; k < 3; ++k)
      if (period(k) > 0)
        apart[k] -= period(k) * std::rint(apart[k] / period(k));
    return apart;
  }

private:
  using Cell = std::array<std::int64_t, 3>;

  double period(int k) const
  {
    return domain_.limited && domain_.exit[k] == Exit::Periodic
      ? domain_.upper[k] - domain_.lower[k]
      : 0.;
  }

  Cell cellOf(const Vec3d& x) const
  {
    Cell c;
    for (int k = 0; k < 3; ++k)
      c[k] = static_cast<std::int64_t>(std::floor((x[k] - domain_.lower[k]) / width_[k]));
    return wrapped(c);
  }

  Cell wrapped(Cell c) const
  {
    for (int k = 0; k < 3; ++k)
      if (count_[k])
        c[k] = ((c[k] % count_[k]) + count_[k]) % count_[k];
    return c;
  }

  const Domain& domain_;
  std::array<std::int64_t, 3> count_{}; // number of cells per period, 0 if not periodic
  Vec3d width_;
  std::unordered_map<Cell, std::vector<std::size_t>, CellHash> cells_;
};

} // namespace

void checkWallOverlaps(const Scene& scene)
{
  const Parts parts(scene);
  const std::size_t n = parts.all.size();
  WallsAtStart walls(scene);
  if (n == 0 || walls.set.elements.empty())
    return;
  struct Deepest
  {
    double share = 0; // overlap / reference radius
    std::uint32_t element = 0;
  };
  std::vector<Deepest> deepest(n);
  const auto placeOf = [&](std::size_t i) {
    return scene.particles.position[parts.all[i].body] + parts.all[i].arm;
  };
  walls.exec().forEach(n, [&](std::size_t i) {
    const Part& part = parts.all[i];
    walls.near(placeOf(i), part.radius, [&](std::uint32_t index, const Vec3d& local) {
      const WallElement& e = walls.set.elements[index];
      const double share =
        overlapOf(parts, part, e, walls.bodies[e.wall], local).depth / part.depth_radius;
      if (share > deepest[i].share || (share == deepest[i].share && index < deepest[i].element))
        deepest[i] = { share, index };
    });
  });
  const double accepted = acceptedOverlap(scene);
  std::size_t worst = 0;
  std::vector<bool> in_wall(scene.particles.size());
  for (std::size_t i = 0; i < n; ++i)
  {
    if (deepest[i].share > deepest[worst].share)
      worst = i;
    if (deepest[i].share > accepted)
      in_wall[parts.all[i].body] = true;
  }
  if (!(deepest[worst].share > accepted))
    return;
  const auto wall = static_cast<std::size_t>(walls.set.elements[deepest[worst].element].wall);
  std::string what, cure = "Move the grains or the wall";
  if (wall < walls.set.scene_walls)
    what = "wall '" + scene.walls[wall].name + "'";
  else
  {
    const WallElement& border = walls.set.elements[deepest[worst].element];
    const int axis = border.b.x != 0 ? 0 : (border.b.y != 0 ? 1 : 2);
    cure = scene.domain.automatic ? "Move the grains, switch Automatic Domain off and set Domain"
                                  : "Move the grains, enlarge Domain";
    what = std::string(scene.domain.automatic ? "the automatic domain's " : "the domain's ") +
      (border.b[axis] > 0 ? "lower" : "upper") + " border in " + "xyz"[axis];
  }
  const ParticleInput& p = scene.particles;
  const std::size_t grain = parts.all[worst].body;
  const Vec3d at = p.position[grain];
  const auto count = static_cast<std::size_t>(std::count(in_wall.begin(), in_wall.end(), true));
  char text[600];
  std::snprintf(text, sizeof text,
    "%zu %s in walls or borders by more than %.3g %% of the radius; the deepest is grain %lld, "
    "%.3g %% of its radius in %s, near "
    "(%.4g, %.4g, %.4g). %s, raise Initial Overlap Tolerance, or set Relax Initial Overlaps.",
    count, count == 1 ? "grain begins" : "grains begin", 100 * scene.initial_overlap_tolerance,
    static_cast<long long>(p.id.empty() ? static_cast<std::int64_t>(grain) : p.id[grain]),
    100 * deepest[worst].share, what.c_str(), at.x, at.y, at.z, cure.c_str());
  throw Error(text);
}

void relaxOverlaps(Scene& scene)
{
  ParticleInput& p = scene.particles;
  const Parts parts(scene);
  const std::size_t n = parts.all.size();
  std::vector<Vec3d> place(n);
  const WallsAtStart walls(scene);
  constexpr int kRounds = 2000;
  // Half of the tolerance remains: grains that rest on each other overlap slightly.
  const double accepted = 0.5 * scene.initial_overlap_tolerance;
  double worst = 0;
  for (int round = 0; round < kRounds; ++round)
  {
    PartGrid grid(parts, scene.domain);
    for (std::size_t i = 0; i < n; ++i)
    {
      place[i] = p.position[parts.all[i].body] + parts.all[i].arm;
      grid.add(i, place[i]);
    }
    worst = 0;
    std::vector<Vec3d> move(p.size());
    for (std::size_t i = 0; i < n; ++i)
    {
      const Part& part = parts.all[i];
      grid.forNear(place[i], [&](std::size_t j) {
        const Part& other = parts.all[j];
        if (other.body == part.body)
          return;
        const Overlap overlap = overlapOf(parts, part, other, grid.shortest(place[j] - place[i]));
        if (overlap.depth <= 0)
          return;
        worst = std::max(worst, overlap.depth / std::min(part.depth_radius, other.depth_radius));
        const double mine = p.radius[part.body], theirs = p.radius[other.body];
        move[part.body] -= (0.5 * overlap.depth * theirs / (mine + theirs) * 1.2) * overlap.normal;
      });
      walls.near(place[i], part.radius, [&](std::uint32_t index, const Vec3d& local) {
        const WallElement& e = walls.set.elements[index];
        const WallBody& body = walls.bodies[e.wall];
        const Overlap overlap = overlapOf(parts, part, e, body, local);
        if (overlap.depth <= 0)
          return;
        worst = std::max(worst, overlap.depth / part.depth_radius);
        move[part.body] -= (0.5 * overlap.depth) * body.directionToWorld(overlap.normal);
      });
    }
    if (worst <= accepted)
      return;
    for (std::size_t i = 0; i < p.size(); ++i)
      p.position[i] += move[i];
  }
  throw Error("Relax Initial Overlaps could not part the particles: after " +
    std::to_string(kRounds) + " rounds the largest overlap is still " + std::to_string(worst) +
    " of the smaller radius. There is too little room: use fewer or smaller particles, or a larger "
    "domain.");
}

} // namespace dem
