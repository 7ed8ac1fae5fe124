// Bodies for tests: clumps, tablets and polyhedra, and what must hold of all of them.
#pragma once

#include "TestSupport.h"

#include "Shapes/Shape.h"

#include <cmath>

namespace test
{

using Quat = dem::Quaternion<double>;

/// Radius of the sphere of equal volume.
inline double equalRadius(const dem::Shape& s) { return std::cbrt(0.75 / M_PI * s.mass.volume); }

/// `scale`: of the shape as it is defined.
inline void addBody(dem::Scene& s, int shape, const Vec3d& x, const Vec3d& v = {},
  const Vec3d& w = {}, const Quat& q = {}, double scale = 1)
{
  dem::ParticleInput& p = s.particles;
  p.position.push_back(x);
  p.radius.push_back(scale * equalRadius(s.shapes[shape]));
  p.velocity.push_back(v);
  p.angular_velocity.push_back(w);
  p.orientation.push_back(q);
  p.shape.push_back(shape);
}

inline dem::Shape dumbbell(double half_length, double radius)
{
  return dem::makeMultiSphere(
    "dumbbell", { { 0, 0, half_length }, { 0, 0, -half_length } }, { radius, radius });
}

inline Quat randomTurn(std::mt19937& random)
{
  const auto u = [&] { return uniform(random, -1, 1); };
  return dem::normalized(Quat{ u(), u(), u(), u() + 0.01 });
}

/// Total momentum and angular momentum about the origin, of a frame of bodies.
inline void totalMomentum(const dem::Scene& scene, const dem::Frame& f, Vec3d& p, Vec3d& l)
{
  p = l = {};
  for (std::size_t i = 0; i < f.size; ++i)
  {
    const dem::Shape& shape = scene.shapes[f.shape[i]];
    const double m = f.mass[i], scale = f.radius[i] / equalRadius(shape),
                 density = m / (shape.mass.volume * scale * scale * scale);
    const Quat q = orientationOf(f, i) * shape.mass.axes;
    const Vec3d w = dem::rotate(dem::conjugate(q), spinOf(f, i)),
                moments = density * std::pow(scale, 5) * shape.mass.moments;
    p += m * velocityOf(f, i);
    l += m * dem::cross(positionOf(f, i), velocityOf(f, i)) +
      dem::rotate(q, Vec3d{ moments.x * w.x, moments.y * w.y, moments.z * w.z });
  }
}

/// An impact of two bodies without gravity, and its limits: momentum as a velocity, angular
/// momentum by an arm, energies as parts of the kinetic energy at the start.
struct Impact
{
  std::uint64_t steps, every;
  double velocity, arm, least_lost, balance;
};

inline void expectImpactKeepsMomentum(dem::Simulation& sim, const Impact& impact)
{
  const dem::Frame before = sim.frame();
  Vec3d p0, l0, p1, l1;
  totalMomentum(sim.scene(), before, p0, l0);
  bool touched = false;
  while (sim.step() < impact.steps)
  {
    advance(sim, impact.every);
    touched = touched || sim.statistics().contacts > 0;
  }
  ASSERT_TRUE(touched);
  const dem::Frame after = sim.frame();
  EXPECT_EQ(after.contacts.size, 0u);
  totalMomentum(sim.scene(), after, p1, l1);
  const double m = before.mass[0], energy = before.statistics.kinetic_energy;
  EXPECT_LT(dem::length(p1 - p0), impact.velocity * m);
  EXPECT_LT(dem::length(l1 - l0), impact.velocity * m * impact.arm);
  EXPECT_LT(after.statistics.kinetic_energy, (1 - impact.least_lost) * energy);
  EXPECT_NEAR(balance(after.statistics), energy, impact.balance * energy);
}

/// A box for bodies that fall: an axis that removes, a periodic one, a floor, a blade that turns at
/// height z.
inline dem::Scene busyBox(double young, double depth, double z)
{
  dem::Scene s = emptyScene();
  s.gravity = { 1, 0, -9.81 };
  s.materials[0] = { "grain", young, 0.3, 2500, 0.5, 0.5, 0.05 };
  s.domain.lower = { -0.06, 0, -0.02 };
  s.domain.upper = { 0.06, depth, 0.3 };
  s.domain.exit = { dem::Exit::Remove, dem::Exit::Periodic, dem::Exit::Wall };
  s.walls = { planeWall({ 0, 0, 0 }, { 0, 0, 1 }), bladeWall(0.03, z, 8) };
  s.end_time = 0.2;
  s.output_interval = 0.01;
  return s;
}

} // namespace test
