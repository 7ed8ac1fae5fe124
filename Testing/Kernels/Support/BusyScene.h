// A small scene with everything in it: what must give equal bits must do so here.
#pragma once

#include "TestSupport.h"

namespace test
{

/// A side wall that oscillates.
inline dem::Wall shakerWall()
{
  dem::Wall shaker = rectangleWall({ -0.058, -0.1, -0.01 }, { 0, 0.3, 0 }, { 0, 0, 0.05 }, 1);
  shaker.motion.kind = dem::MotionKind::Oscillation;
  shaker.motion.axis = { 1, 0, 0 };
  shaker.motion.amplitude = 0.001;
  shaker.motion.frequency = 20;
  return shaker;
}

/// About 500 grains, sizes 1:3, two materials, a periodic axis, an axis that removes, a rotating
/// mesh, an oscillating plane, a cylinder, friction with history, rolling springs.
inline dem::Scene busyScene()
{
  dem::Scene s = emptyScene();
  s.gravity = { 1.0, 0, -9.81 };
  s.materials[0] = { "grain", 5e6, 0.3, 2500, 0.5, 0.5, 0.05 };
  s.materials.push_back({ "steel", 2e7, 0.28, 7800, 0.7, 0.3, 0.01 });
  s.pairs.push_back({ 0, 1, {}, 0.4, {} });
  s.contact.rolling = dem::RollingModel::EPSD;
  s.domain.lower = { -0.06, 0, -0.02 };
  s.domain.upper = { 0.06, 0.06, 0.3 };
  s.domain.exit = { dem::Exit::Remove, dem::Exit::Periodic, dem::Exit::Wall };
  addCloud(s, { -0.05, 0, 0.056 }, 10, 6, 8, 0.0016, 0.0049, 0.6, 21, 0.01, 20);
  for (Vec3d& v : s.particles.velocity)
  {
    v.z -= 1.5;
  }
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    s.particles.material[i] = i % 5 == 0;
  }
  s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }, 1));
  dem::Wall paddle = bladeWall(0.03, 0.03, 8);
  paddle.points.push_back({ 0, 0.03, 0.05 });
  paddle.triangles = { { 0, 1, 4 }, { 1, 2, 4 }, { 2, 3, 4 }, { 3, 0, 4 } };
  paddle.motion.start = 0.01;
  s.walls.push_back(paddle);
  s.walls.push_back(shakerWall());
  s.walls.push_back(pipeWall({ 0.02, -0.1, 0.012 }, { 0.02, 0.2, 0.012 }, 0.006));
  s.end_time = 0.2;
  s.output_interval = 0.01;
  return s;
}

/// The frame of a run of the busy scene at step `end`, late enough that there is something to
/// compare.
inline dem::Frame busyFrame(dem::Simulation& sim, std::uint64_t end)
{
  sim.advanceTo(end);
  dem::Frame f = sim.frame();
  EXPECT_GT(f.contacts.size, 50u);
  EXPECT_GT(f.statistics.lost, 0u);
  return f;
}

} // namespace test
