// Walls on points. Nodes hold material back, but a point between nodes can still approach a wall
// with its share of the free nodes, and pass a sheet. Nodes would then see its mass on the other
// side. Therefore a point that crossed a triangle in a step is put back on its side and does not
// move towards the wall (as the bodies of Stomakhin et al. 2013, section 7, act on particles); it
// has the same friction there as a node. The displacement back is a strain that the nodes did not
// see. Without it material would vanish into a sheet that lies between layers of nodes.
#pragma once

#include "MaterialPoint/ExitedPoints.cuh"
#include "MaterialPoint/MovePoints.cuh"
#include "MaterialPoint/NodeWalls.cuh"

namespace mpm
{

template <class Real>
struct KeepSides
{
  PlaceToWorld world; // contains the grid
  WallsOnDevice walls;
  const dem::WallBody* before; // at the start of the step
  const std::uint32_t* flag;   // of touched blocks
  PointsView<Real> from, to;
  const std::uint32_t *order, *alive;
  bool in_place; // `to` is in the order of `from`
  BinBorders<Real> borders;
  std::uint32_t* mark;
  long long* given;   // 3 numbers an element: momentum from points in this step, in whole quanta,
                      // which can be added in any order
  double per_quantum; // 1 / (N s)
  const MaterialParameters<Real>* materials;
  double dt;
  Control* control;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k >= *alive)
      return;
    const std::uint32_t i = order[k], out = in_place ? i : k;
    if (to.key[out] == kGone)
      return;
    if (!flag[world.grid.table[from.key[i] / kBlockBins]])
      return;
    const Vec3d old = world(from.key[i], from.column[0][i].xyz()),
                free = world(to.key[out], to.column[0][out].xyz());
    Vec3d now = free;
    Vec3d v = to.column[1][out].xyz().template as<double>();
    bool changed = false;
    double taken = 0; // energy
    for (int pass = 0; pass < 2;
         ++pass) // a second pass for walls that the first one has moved the point to
      for (std::uint32_t w = 0; w < walls.count; ++w)
        keep(w, old, now, static_cast<double>(to.column[0][out].w), v, changed, taken);
    if (!changed)
      return;
    put(out, now, v);
    press(out, now - free, taken);
    dem::atomicRaise(&control->point_speed, bitsOf(static_cast<float>(length(v))));
  }

private:
  static constexpr double kMostPressed = 0.5;

  DEM_HD void keep(std::uint32_t w, const Vec3d& old, Vec3d& now, double mass, Vec3d& v,
    bool& changed, double& taken) const
  {
    if (walls.trees[w].n == 0)
      return; // analytic walls have an inside and hold points by their nodes
    constexpr int kMost = 4;
    const double margin = 1e-3 * world.spacing;
    const dem::WallBody& body = walls.bodies[w];
    const WallContact contact = walls.contacts[w];
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
        if (db >= (1 - 1e-6) * margin || db >= da)
          return; // far enough except for rounding, or moving away
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
      b = attempt < kMost
        ? b + depth * normal
        : a; // in a notch whose faces keep pushing it back the point stays where it was
      now = body.toWorld(b);
      const Vec3d n = body.directionToWorld(normal), wall = body.velocityAt(now);
      const double off = dot(n, v - wall);
      if (!(off < 0))
        continue;
      Vec3d u{};
      if (contact.kind != Contact::Stick)
      {
        u = v - wall - off * n;
        if (contact.kind == Contact::Separate && contact.friction > 0)
        {
          const double speed = length(u), left = speed + contact.friction * off;
          u = left > 0 ? (left / speed) * u : Vec3d{};
        }
      }
      const Vec3d lost = v - wall - u;
      v = wall + u;
      taken += 0.5 * mass * (dot(lost + u, lost + u) - dot(u, u));
      for (int k = 0; k < 3; ++k)
        dem::atomicSum(
          &given[3 * std::size_t(hit) + k], static_cast<long long>(lost[k] * mass * per_quantum));
    }
  }

  /// Compresses a point that was put back by `back`: by that displacement over a cell, or over the
  /// distance that sound travels in a longer step. The strain rate remains that of the nodes.
  /// Materials that return the energy of this strain take at most what the wall has `taken` from
  /// the motion of the point.
  DEM_HD void press(std::uint32_t k, const Vec3d& back, double taken) const
  {
    const double way = length(back);
    const Real volume = to.volume[k], mass = to.column[0][k].w;
    const MaterialParameters<Real>& m = materials[to.material[k]];
    const bool fluid = m.kind == MaterialKind::Fluid;
    const Vec4<Real> motion = to.column[1][k];
    const Matrix3<Real> apart = to.deformation(k), still{};
    Matrix3<Real> f = apart;
    Real plastic = motion.w;
    const PointStress<Real> was = respond(m, still, f, plastic);
    const double speed = length(motion.xyz().template as<double>());
    dem::atomicRaise(&control->speed,
      bitsOf(static_cast<float>(
        speed + (was.good ? std::sqrt(static_cast<double>(was.stiffness * volume / mass)) : 0))));
    if (!(way > 0) || !was.good)
      return;
    f = apart;
    plastic = motion.w;
    const double reach = dt * std::sqrt(static_cast<double>(was.stiffness * volume / mass));
    const Vec3<Real> n = ((1 / way) * back).template as<Real>();
    double pressed = way / (reach > world.spacing ? reach : world.spacing);
    pressed = pressed < kMostPressed ? pressed : kMostPressed;
    if (!fluid && m.kind != MaterialKind::DruckerPrager)
    {
      const double p = -static_cast<double>(dot(n, was.tau.full() * n)), bears = p > 0 ? p : 0,
                   stiff = static_cast<double>(was.stiffness);
      const double most =
        (std::sqrt(bears * bears + 2 * stiff * taken / static_cast<double>(volume)) - bears) /
        stiff; // energy per volume: bears x + stiff x^2 / 2
      pressed = pressed < most ? pressed : most;
    }
    const Real strain = static_cast<Real>(-pressed);
    if (fluid)
      f.c[0].x = f.c[0].x * (1 + strain);
    else
    {
      for (int c = 0; c < 3; ++c)
        f.c[c] = f.c[c] + (strain * dot(n, f.c[c])) * n;
    }
    const bool rates = m.kind == MaterialKind::DruckerPrager && m.rate > 0;
    const Real flowed = rates
      ? detail::flowOfSand(m, static_cast<Real>(dt), detail::mapLog(leftDecomposition(apart).s))
      : Real(0);
    PointStress<Real> is = respond(m, still, f, plastic, static_cast<Real>(dt), flowed);
    if (!is.good)
      return;
    if (fluid) // the viscous part
    {
      const Symmetric3<Real> t = to.stress(k);
      is.tau = { is.tau.xx + (t.xx - was.tau.xx), is.tau.yy + (t.yy - was.tau.yy),
        is.tau.zz + (t.zz - was.tau.zz), t.xy, t.yz, t.xz };
    }
    to.putStress(k, to.column[4][k].x, is.tau, f);
    to.column[1][k].w = plastic;
    const double sound = std::sqrt(static_cast<double>(is.stiffness * volume / mass));
    dem::atomicRaise(&control->speed, bitsOf(static_cast<float>(speed + sound)));
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
      border = border < borders.lower
        ? borders.lower
        : (border > borders.upper[axis] ? borders.upper[axis] : border);
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
