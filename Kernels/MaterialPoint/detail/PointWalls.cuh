// Walls on points: nodes hold what lies on them back, but a point between nodes still comes as near to a wall as its share of the free ones
// lets it, and past it where the wall is a sheet. Then its mass would be seen on the other side. So a point that has crossed a triangle within a
// step is put back on its side, and does not move towards the wall (as the bodies of Stomakhin et al. 2013, section 7, act on particles).
#pragma once

#include "MaterialPoint/detail/Measure.cuh"
#include "MaterialPoint/detail/NodeWalls.cuh"

namespace mpm
{

template <class Real>
struct KeepSides
{
  PlaceToWorld world; // with the grid
  WallsOnDevice walls;
  const dem::WallBody* before; // at the start of the step
  const std::uint32_t* flag;   // of touched blocks
  PointsView<Real> from, to;
  const std::uint32_t *order, *alive;
  bool in_place; // `to` is in the order of `from`
  BinBorders<Real> borders;
  std::uint32_t* mark;
  long long* given;  // 3 an element: what points gave to it in this step, in whole quanta, which can be added in any order
  double per_quantum; // 1 / (N s)

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k >= *alive)
      return;
    const std::uint32_t i = order[k], out = in_place ? i : k;
    if (to.key[out] == kGone)
      return;
    if (!flag[world.grid.table[from.key[i] / kBlockBins]])
      return;
    const Vec3d old = world(from.key[i], from.column[0][i].xyz());
    Vec3d now = world(to.key[out], to.column[0][out].xyz());
    Vec3d v = to.column[1][out].xyz().template as<double>();
    bool changed = false;
    for (int pass = 0; pass < 2; ++pass) // the second for a wall at which the first has put it
      for (std::uint32_t w = 0; w < walls.count; ++w)
        keep(w, old, now, static_cast<double>(to.column[0][out].w), v, changed);
    if (changed)
      put(out, now, v);
  }

private:
  DEM_HD void keep(std::uint32_t w, const Vec3d& old, Vec3d& now, double mass, Vec3d& v, bool& changed) const
  {
    if (walls.trees[w].n == 0)
      return; // analytic walls have an inside of their own
    constexpr int kMost = 4;
    const double margin = 1e-3 * world.spacing;
    const dem::WallBody& body = walls.bodies[w];
    const Vec3d a = before[w].toLocal(old);
    Vec3d b = body.toLocal(now);
    for (int attempt = 0; attempt <= kMost; ++attempt)
    {
      double first = 2;
      std::uint32_t hit = 0xffffffffu;
      Vec3d normal{};
      double depth = 0;
      walls.near(w, a, length(b - a) + 2 * margin, [&](std::uint32_t e, const dem::ClosestPoint&) {
        const dem::WallElement& t = walls.elements[e];
        Vec3d n = normalized(cross(t.b - t.a, t.c - t.a));
        double da = dot(n, a - t.a), db = dot(n, b - t.a);
        if (da < 0)
        {
          n = -n;
          da = -da;
          db = -db;
        }
        if (db >= margin || db >= da)
          return; // far enough, or on its way off
        const double s = db < 0 ? da / (da - db) : 1;
        const Vec3d p = a + s * (b - a);
        if (dem::closestOnElement(t, p).distance2 > 4 * margin * margin)
          return;
        if (s < first || (s == first && e < hit))
        {
          first = s;
          hit = e;
          normal = n;
          depth = margin - db;
        }
      });
      if (hit == 0xffffffffu)
        break;
      changed = true;
      b = attempt < kMost ? b + depth * normal : a; // in a notch from which no face lets it go it stays where it was
      now = body.toWorld(b);
      const Vec3d n = body.directionToWorld(normal), wall = body.velocityAt(now);
      const double off = dot(n, v - wall);
      if (!(off < 0))
        continue;
      v = v - off * n;
      for (int k = 0; k < 3; ++k)
        dem::atomicSum(&given[3 * std::size_t(hit) + k], static_cast<long long>(off * n[k] * mass * per_quantum));
    }
  }

  DEM_HD void put(std::uint32_t k, const Vec3d& place, const Vec3d& v) const
  {
    int bin[3];
    Vec3<Real> at;
    for (int axis = 0; axis < 3; ++axis)
    {
      const double u = (place[axis] - world.start[axis]) / world.spacing;
      double whole = floorOf(u);
      Real x = static_cast<Real>(u - whole);
      if (x >= 1)
      {
        whole += 1;
        x = 0;
      }
      Real border = static_cast<Real>(whole) + x;
      border = border < borders.lower ? borders.lower : (border > borders.upper[axis] ? borders.upper[axis] : border);
      if (border != static_cast<Real>(whole) + x)
      {
        whole = floorOf(border);
        x = border - static_cast<Real>(whole);
      }
      bin[axis] = static_cast<int>(whole);
      at[axis] = x;
    }
    const BinKey key = world.grid.key(bin[0], bin[1], bin[2]);
    to.column[0][k] = vec4(at, to.column[0][k].w);
    to.column[1][k] = vec4(v.template as<Real>(), to.column[1][k].w);
    to.key[k] = key;
    dem::atomicPut(&mark[key / kBlockBins], 1u);
  }

  DEM_HD static double floorOf(double x) { return std::floor(x); }
};

} // namespace mpm
