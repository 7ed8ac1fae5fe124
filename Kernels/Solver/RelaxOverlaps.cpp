// Pushes overlapping initial particles apart, geometrically: no forces, no time.
#include "Core/Error.h"
#include "Solver/detail/Engine.h"
#include "Walls/WallMesh.h"

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

// Bounds of a wall, endless for planes.
struct WallBounds
{
  Vec3d lower{ 1e300, 1e300, 1e300 }, upper{ -1e300, -1e300, -1e300 };

  void include(const WallElement& e)
  {
    const double grow = e.kind == ElementKind::Plane ? 1e300 : std::max(e.radius_a, e.radius_b);
    for (const Vec3d& x : { e.a, e.b, e.kind == ElementKind::Triangle ? e.c : e.a })
      for (int k = 0; k < 3; ++k)
      {
        lower[k] = std::min(lower[k], x[k] - grow);
        upper[k] = std::max(upper[k], x[k] + grow);
      }
  }
  bool near(const Vec3d& x, double r) const
  {
    for (int k = 0; k < 3; ++k)
      if (x[k] + r < lower[k] || x[k] - r > upper[k])
        return false;
    return true;
  }
};

} // namespace

void relaxOverlaps(Scene& scene)
{
  ParticleInput& p = scene.particles;
  const std::size_t n = p.size();
  const WallSet walls = sceneWalls(scene);
  const double largest = *std::max_element(p.radius.begin(), p.radius.end());
  const double cell = 2 * largest;
  const Domain& domain = scene.domain;
  const auto period = [&](int k) { return domain.limited && domain.exit[k] == Exit::Periodic ? domain.upper[k] - domain.lower[k] : 0.; };

  std::vector<WallBounds> boxes(walls.walls());
  for (const WallElement& e : walls.elements)
    boxes[e.wall].include(e);

  constexpr int kRounds = 2000;
  // Half a tolerance is left on purpose: touching grains that rest on each other are no fault.
  const double accepted = 0.5 * scene.initial_overlap_tolerance;
  double worst = 0;
  for (int round = 0; round < kRounds; ++round)
  {
    std::unordered_map<std::array<std::int64_t, 3>, std::vector<std::size_t>, CellHash> grid;
    std::array<std::int64_t, 3> count{};
    Vec3d width{ cell, cell, cell };
    for (int k = 0; k < 3; ++k)
      if (period(k) > 0)
      {
        count[k] = std::max<std::int64_t>(1, static_cast<std::int64_t>(period(k) / cell));
        width[k] = period(k) / static_cast<double>(count[k]);
      }
    const auto cellOf = [&](const Vec3d& x) {
      std::array<std::int64_t, 3> c;
      for (int k = 0; k < 3; ++k)
      {
        c[k] = static_cast<std::int64_t>(std::floor((x[k] - domain.lower[k]) / width[k]));
        if (count[k])
          c[k] = ((c[k] % count[k]) + count[k]) % count[k];
      }
      return c;
    };
    for (std::size_t i = 0; i < n; ++i)
      grid[cellOf(p.position[i])].push_back(i);

    worst = 0;
    std::vector<Vec3d> move(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      const auto c = cellOf(p.position[i]);
      std::vector<std::array<std::int64_t, 3>> around;
      for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
          {
            std::array<std::int64_t, 3> d{ c[0] + dx, c[1] + dy, c[2] + dz };
            for (int k = 0; k < 3; ++k)
              if (count[k])
                d[k] = ((d[k] % count[k]) + count[k]) % count[k];
            if (std::find(around.begin(), around.end(), d) == around.end())
              around.push_back(d);
          }
      for (const auto& d : around)
      {
        const auto found = grid.find(d);
        if (found == grid.end())
          continue;
        for (std::size_t j : found->second)
        {
          if (j == i)
            continue;
          Vec3d apart = p.position[j] - p.position[i];
          for (int k = 0; k < 3; ++k)
            if (period(k) > 0)
              apart[k] -= period(k) * std::rint(apart[k] / period(k));
          const double distance = length(apart), overlap = p.radius[i] + p.radius[j] - distance;
          if (overlap <= 0)
            continue;
          worst = std::max(worst, overlap / std::min(p.radius[i], p.radius[j]));
          // coincident centres part along a direction that both agree on
          const Vec3d n_ij = distance > 0 ? (1 / distance) * apart : (i < j ? Vec3d{ 0.6, 0, 0.8 } : Vec3d{ -0.6, 0, -0.8 });
          move[i] -= (0.5 * overlap * p.radius[j] / (p.radius[i] + p.radius[j]) * 1.2) * n_ij;
        }
      }
      for (const WallElement& e : walls.elements)
      {
        if (!boxes[e.wall].near(wallBody(walls.motions[e.wall], 0, 0).toLocal(p.position[i]), p.radius[i]))
          continue;
        const WallBody body = wallBody(walls.motions[e.wall], 0, 0);
        const Vec3d local = body.toLocal(p.position[i]);
        const ClosestPoint closest = closestOnElement(e, local);
        const double distance = signedDistance(e, local, closest), overlap = p.radius[i] - distance;
        if (overlap <= 0 || distance == 0)
          continue;
        worst = std::max(worst, overlap / p.radius[i]);
        const Vec3d away = e.kind == ElementKind::Plane ? e.b : (1 / distance) * (local - closest.point);
        move[i] += (0.5 * overlap) * body.directionToWorld(away);
      }
    }
    if (worst <= accepted)
      return;
    for (std::size_t i = 0; i < n; ++i)
      p.position[i] += move[i];
  }
  throw Error("RelaxInitialOverlaps could not part the particles: after " + std::to_string(kRounds) + " rounds the largest overlap is still " +
    std::to_string(worst) + " of the smaller radius. There is too little room: use fewer or smaller particles, or a larger domain.");
}

} // namespace dem
