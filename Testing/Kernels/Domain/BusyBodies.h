// Scenes of clumps, tablets and polyhedra with much that happens, for the tests of Kernels/Domain.
#pragma once

#include "BodySupport.h"
#include "BusyScene.h"
#include "PartsSupport.h"

#include <random>

namespace test
{

enum Bodies
{
  kClumps,    // of two and three spheres, and single spheres
  kDumbbells, // clumps alone
  kTablets,   // of one size and shape
  kCubes,     // of few faces
  kMixed      // all kinds
};

/// Shape of grain i.
inline int shapeOf(Bodies bodies, std::size_t i)
{
  const int clumps[] = { 1, 0, 2 }, mixed[] = { 3, 4, 1, 5, 0, 2, 3 };
  if (bodies == kClumps)
    return clumps[i % 3];
  if (bodies == kDumbbells)
    return 1;
  return bodies == kTablets ? 3 : (bodies == kCubes ? 4 : mixed[i % 7]);
}

/// Gives the grains shapes that fit in their spheres, and turns them.
inline void takeShapes(dem::Scene& s, Bodies bodies, unsigned seed)
{
  s.shapes = { dem::makeSphere(), dumbbell(0.6, 0.4),
    dem::makeMultiSphere(
      "triple", { { 0, 0, 0 }, { 0.9, 0, 0 }, { 0, 0.9, 0 } }, { 0.5, 0.4, 0.3 }),
    dem::makeTablet("pill", 0.8, 0.7, 0.2), dem::makeNamedPolyhedron("cube", "Cube"),
    dem::makeNamedPolyhedron("dice", "Dodecahedron") };
  if (bodies == kClumps || bodies == kDumbbells)
    s.shapes.resize(3); // the others do not go with cohesion
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    const int shape = shapeOf(bodies, i);
    const dem::Shape& of = s.shapes[shape];
    s.particles.shape.push_back(shape);
    s.particles.orientation.push_back(randomTurn(random));
    s.particles.id.push_back(static_cast<std::int64_t>(2000 - 3 * i));
    if (shape > 0)
      s.particles.radius[i] *= equalRadius(of) / of.mass.bounding_radius;
  }
}

/// Bodies that fly through each other's parts, in a box with two periodic axes.
inline dem::Scene gasOf(Bodies bodies, unsigned seed)
{
  dem::Scene s = gasBox();
  s.materials[0] = { "grain", 5e7, 0.3, 2500, 0.8, 0.4, 0.02 };
  addCloud(s, { 0.003, 0.003, 0.003 }, 8, 6, 4, 0.0015, 0.0026, 3, seed, 0, 300);
  takeShapes(s, bodies, seed);
  s.time_step = 3e-6;
  return s;
}

/// Bodies that fall on a floor, a blade that turns and a shaker, with an axis that removes and a
/// periodic one.
inline dem::Scene heapOf(Bodies bodies)
{
  dem::Scene s = busyBox(2e7, 0.06, 0.02);
  s.walls[1] = bladeWall(0.2, 0.02, 8); // its edges are outside: cubes would be cut by them
  s.materials.push_back({ "steel", 2e7, 0.28, 7800, 0.7, 0.3, 0.01 });
  s.contact.rolling = dem::RollingModel::EPSD;
  addCloud(s, { -0.05, 0, 0.024 }, 8, 4, 5, 0.005, 0.006, 0.6, 21, 0.0125, 20);
  takeShapes(s, bodies, 3);
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    s.particles.material[i] = i % 5 == 0;
    s.particles.velocity[i].z -= 1;
    if (s.particles.position[i].x > 0.035)
      s.particles.velocity[i].x += 1; // leaves
  }
  s.walls.push_back(shakerWall());
  s.walls.push_back(pipeWall({ 0.056, -0.1, 0.015 }, { 0.056, 0.2, 0.015 }, 0.004));
  s.time_step = 8e-6;
  return s;
}

inline const char* name(Bodies bodies)
{
  const char* names[] = { "clumps", "dumbbells", "tablets", "cubes", "mixed" };
  return names[bodies];
}
constexpr Bodies kEachBodies[] = { kClumps, kDumbbells, kTablets, kCubes, kMixed };

} // namespace test
