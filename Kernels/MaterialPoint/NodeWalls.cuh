// Walls on nodes. A node that lies on or behind a wall, as seen from the centre of its mass, moves
// as the wall allows. So a sheet without thickness holds material on the side where it is. Material
// on both sides of the sheet at one node cannot be told apart (a wall thinner than a cell).
#pragma once

#include "MaterialPoint/NodeUpdate.cuh"
#include "Walls/WallSearch.cuh"

namespace mpm
{

struct WallsOnDevice
{
  const dem::WallElement* elements;
  const dem::WallBody* bodies;
  const dem::BvhView* trees;
  const std::uint32_t* first; // element of each wall
  const WallContact* contacts;
  std::uint32_t count;

  /// Calls visit(element, closest) for each element of a wall within `reach` of a place in the
  /// wall's frame.
  template <class Visit>
  DEM_HD void near(std::uint32_t wall, const Vec3d& local, double reach, const Visit& visit) const
  {
    const auto test = [&](std::uint32_t e) {
      const dem::ClosestPoint c = dem::closestOnElement(elements[e], local);
      if (dem::signedDistance(elements[e], local, c) <= reach)
        visit(e, c);
    };
    if (trees[wall].n == 0)
      test(first[wall]);
    else
      trees[wall].search(local, reach, test);
  }
};

constexpr std::uint32_t kWallAtNodes = 1, kWallAtPoints = 2;

/// Flags the touched blocks that have nodes within reach of a wall, and those with points that such
/// nodes see.
struct FindWallBlocks
{
  BlockGrid grid;
  WallsOnDevice walls;
  Vec3d origin; // of node 0
  double spacing, reach;
  std::uint32_t* flag;

  DEM_HD void operator()(std::uint32_t t) const
  {
    int x, y, z;
    grid.split(grid.list[t], x, y, z);
    const Vec3d center{ origin.x + (4 * x + 1.5) * spacing, origin.y + (4 * y + 1.5) * spacing,
      origin.z + (4 * z + 1.5) * spacing };
    const double diagonal = 1.7320508075688773 * spacing;
    // nodes lie within 1.5 diagonals of the centre; points add to nodes up to 4 cells further
    const double at_nodes = reach + 1.5 * diagonal, at_points = reach + 5.5 * diagonal;
    std::uint32_t found = 0;
    for (std::uint32_t w = 0; w < walls.count && !(found & kWallAtNodes); ++w)
    {
      const Vec3d local = walls.bodies[w].toLocal(center);
      walls.near(w, local, at_points, [&](std::uint32_t e, const dem::ClosestPoint& c) {
        found |= kWallAtPoints;
        if (dem::signedDistance(walls.elements[e], local, c) <= at_nodes)
          found |= kWallAtNodes;
      });
    }
    flag[t] = found;
  }
};

/// Momentum of a node on faces of walls in a sub-step, N s. If a node touches more than kMost
/// faces, the last entry takes the rest.
struct WallPush
{
  static constexpr std::uint32_t kMost = 3, kNone = 0xffffffffu;
  std::uint32_t element[kMost];
  Vec3d momentum[kMost];

  DEM_HD void clear()
  {
    for (std::uint32_t k = 0; k < kMost; ++k)
      element[k] = kNone;
  }
  DEM_HD void add(std::uint32_t one, std::uint32_t other, const Vec3d& p)
  {
    if (one == other)
    {
      add(one, p);
      return;
    }
    add(one, 0.5 * p);
    add(other, 0.5 * p);
  }
  DEM_HD void add(std::uint32_t e, const Vec3d& p)
  {
    for (std::uint32_t k = 0; k < kMost; ++k)
    {
      if (element[k] == kNone)
      {
        element[k] = e;
        momentum[k] = p;
        return;
      }
      if (element[k] == e || k == kMost - 1)
      {
        momentum[k] += p;
        return;
      }
    }
  }
};

/// Compacts the entries of nodes that touched a wall: count, scan, copy.
struct CountPushes
{
  const WallPush* push;
  std::uint32_t* count;
  DEM_HD void operator()(std::uint32_t i) const
  {
    count[i] = push[i].element[0] != WallPush::kNone;
  }
};
struct CopyPushes
{
  const WallPush* push;
  const std::uint32_t* place;
  WallPush* out;
  DEM_HD void operator()(std::uint32_t i) const
  {
    if (push[i].element[0] != WallPush::kNone)
      out[place[i]] = push[i];
  }
};

template <class Real>
struct WallNodes
{
  BlockGrid grid;
  WallsOnDevice walls;
  const std::uint32_t* flag;
  const Vec4<Real>* centroid; // sum w m (node - point) in cells, mass
  Vec3d origin;
  double spacing, reach;
  Real least_mass;
  Vec4<Real>* node;
  WallPush* push;

  DEM_HD void operator()(std::uint32_t i) const
  {
    push[i].clear();
    const Vec4<Real> own = node[i];
    Vec3d place, mass_at;
    if (!(own.w > least_mass) || !find(i, place, mass_at))
      return;
    Vec3d v = own.xyz().template as<double>();
    bool changed = false;
    for (std::uint32_t w = 0; w < walls.count; ++w)
      obey(w, place, mass_at, static_cast<double>(own.w), v, changed, push[i]);
    if (changed)
      node[i] = vec4(v.template as<Real>(), own.w);
  }

  /// The faces of a wall that bound the material at a node.
  struct Faces
  {
    static constexpr int kMost = 4; // more than three planes leave no free direction
    Vec3d normal[kMost];            // away from the wall, in space
    std::uint32_t at[kMost],
      beside[kMost]; // the element, and on a seam the next element of the same plane, which shares
                     // the load
    Vec3d velocity;  // of the wall
    int count = 0;
  };

  /// Sets the place of a node and its centre of mass. Returns false if no wall is near.
  DEM_HD bool find(std::uint32_t i, Vec3d& place, Vec3d& mass_at) const
  {
    if (!(flag[i / kBlockBins] & kWallAtNodes))
      return false;
    int x, y, z;
    grid.bin(grid.list[i / kBlockBins] * kBlockBins + i % kBlockBins, x, y, z);
    place = { origin.x + x * spacing, origin.y + y * spacing, origin.z + z * spacing };
    const Vec4<Real> c = centroid[i];
    const double to_cells = c.w > 0 ? spacing / static_cast<double>(c.w) : 0;
    mass_at = place - to_cells * c.xyz().template as<double>();
    return true;
  }

  DEM_HD void faces(std::uint32_t w, const Vec3d& place, const Vec3d& mass_at, Faces& f) const
  {
    f.count = 0;
    const dem::WallBody& body = walls.bodies[w];
    const Vec3d local = body.toLocal(place), mass_local = body.toLocal(mass_at);
    double nearest2 = 1e300;
    walls.near(w, local, reach, [&](std::uint32_t, const dem::ClosestPoint& c) {
      nearest2 = c.distance2 < nearest2 ? c.distance2 : nearest2;
    });
    if (nearest2 == 1e300)
      return;
    // all faces at the same distance: at an edge or a corner each of them bounds
    const double slack = 1e-6 * spacing, equal = sqrtOf(nearest2) + slack;
    Vec3d touch{};
    walls.near(w, local, equal, [&](std::uint32_t e, const dem::ClosestPoint& c) {
      const dem::WallElement& element = walls.elements[e];
      Vec3d n;
      if (element.kind == dem::ElementKind::Plane)
        n = element.b;
      else
      {
        if (element.kind == dem::ElementKind::Triangle)
          n = normalized(cross(element.b - element.a, element.c - element.a));
        else if (!acrossAnalytic(element, local, c.point, mass_local, slack, n))
          return;
        if (dot(n, mass_local - c.point) < 0)
          n = -n;
      }
      if (dot(n, local - c.point) > slack) // the node is on the side of its mass
        return;
      for (int k = 0; k < f.count; ++k)
        if (dot(n, f.normal[k]) > 0.9999)
        {
          if (f.beside[k] == f.at[k])
            f.beside[k] = e;
          return;
        }
      if (f.count < Faces::kMost)
      {
        f.at[f.count] = f.beside[f.count] = e;
        f.normal[f.count++] = n;
      }
      touch = c.point;
    });
    if (f.count == 0)
      return;
    f.velocity = body.velocityAt(body.toWorld(touch));
    for (int k = 0; k < f.count; ++k)
      f.normal[k] = body.directionToWorld(f.normal[k]);
  }

private:
  /// The normal of a line, cylinder or cone at the closest point to a node: that of the surface,
  /// because a node on the surface gives no direction; at rims and lines the direction from the
  /// point to the node. Returns false if there is none.
  DEM_HD static bool acrossAnalytic(const dem::WallElement& e, const Vec3d& local,
    const Vec3d& point, const Vec3d& mass_local, double slack, Vec3d& n)
  {
    const Vec3d way = local - point, along = normalized(e.b - e.a);
    const double off = length(way);
    if (e.kind == dem::ElementKind::Line)
    {
      const Vec3d to_mass = mass_local - point - dot(mass_local - point, along) * along;
      n = off > slack ? way : to_mass;
      if (!(length(n) > slack))
        return false;
      n = normalized(n);
      return true;
    }
    const Vec3d from_axis = point - e.a - dot(point - e.a, along) * along;
    const double rho = length(from_axis);
    const Vec3d to_mass = mass_local - e.a - dot(mass_local - e.a, along) * along;
    if (!(rho > slack) && !(length(to_mass) > slack))
      return false;
    const Vec3d outward =
      normalized(rho > slack ? from_axis : to_mass); // at a tip: towards the mass
    n = normalized(length(e.b - e.a) * outward - (e.radius_b - e.radius_a) * along);
    if (off > slack && std::fabs(dot(way, n)) < (1 - 1e-9) * off)
      n = (1 / off) * way;
    return true;
  }

  DEM_HD void obey(std::uint32_t w, const Vec3d& place, const Vec3d& mass_at, double mass, Vec3d& v,
    bool& changed, WallPush& given) const
  {
    Faces f;
    faces(w, place, mass_at, f);
    if (f.count == 0)
      return;
    changed = true;
    const WallContact contact = walls.contacts[w];
    if (contact.kind == Contact::Stick)
    {
      given.add(f.at[0], f.beside[0], mass * (v - f.velocity));
      v = f.velocity;
      return;
    }
    Vec3d u = v - f.velocity;
    for (int pass = 0; pass < (f.count > 1 ? 4 : 1); ++pass)
      for (int k = 0; k < f.count; ++k)
      {
        const Vec3d n = f.normal[k];
        const double off = dot(n, u);
        if (contact.kind == Contact::Separate && off >= 0)
          continue;
        const Vec3d before = u;
        u = u - off * n;
        if (contact.kind == Contact::Separate && contact.friction > 0)
        {
          const double speed = length(u), left = speed + contact.friction * off;
          u = left > 0 ? (left / speed) * u : Vec3d{};
        }
        given.add(f.at[k], f.beside[k], mass * (before - u));
      }
    v = f.velocity + u;
  }

  DEM_HD static double sqrtOf(double x) { return std::sqrt(x); }
};

} // namespace mpm
