// What the solver's tests share: the devices at hand, small scenes, ways to step and to compare.
#pragma once

#include "Core/Device.h"
#include "Scene/Scene.h"
#include "Solver/Simulation.h"

#include "ErrorText.h"
#include "FirstDifference.h"
#include "Random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace test
{

using dem::Vec3d;

// ----
// backends

struct Backend
{
  dem::DeviceKind device = dem::DeviceKind::CPU;
  dem::Precision precision = dem::Precision::Mixed;
};

inline std::string backendName(const Backend& b)
{
  return std::string(b.device == dem::DeviceKind::CUDA ? "CUDA" : "CPU") +
    (b.precision == dem::Precision::Double ? "Double" : "Mixed");
}

inline std::ostream& operator<<(std::ostream& out, const Backend& b)
{
  return out << backendName(b);
}

inline std::vector<Backend> allBackends()
{
  using dem::DeviceKind;
  using dem::Precision;
  return { { DeviceKind::CPU, Precision::Mixed }, { DeviceKind::CPU, Precision::Double },
    { DeviceKind::CUDA, Precision::Mixed }, { DeviceKind::CUDA, Precision::Double } };
}

inline std::vector<Backend> backendsOf(dem::Precision precision)
{
  return { { dem::DeviceKind::CPU, precision }, { dem::DeviceKind::CUDA, precision } };
}

/// Skips a test on CUDA, and says why, if there is no usable GPU. The last call of a SetUp().
inline void skipWithout(dem::DeviceKind device)
{
  if (device == dem::DeviceKind::CUDA)
  {
    static const std::string reason = dem::cudaUnavailableReason();
    if (!reason.empty())
    {
      GTEST_SKIP() << "no CUDA device: " << reason;
    }
  }
}

/// A test that runs on every backend.
class BackendTest : public testing::TestWithParam<Backend>
{
protected:
  void SetUp() override { skipWithout(GetParam().device); }

  bool mixed() const { return GetParam().precision == dem::Precision::Mixed; }

  dem::RunOptions options(int threads = 0) const { return { GetParam().device, threads }; }

  dem::Simulation simulate(dem::Scene scene, int threads = 0) const
  {
    scene.precision = GetParam().precision;
    return dem::Simulation(scene, options(threads));
  }

  /// The message that refuses a scene after `change`.
  template <class Change>
  std::string refusalOf(dem::Scene scene, const Change& change) const
  {
    change(scene);
    return errorOf([&] { simulate(scene); });
  }

  /// The frame of a run to step `end`. The same bits must come with one thread, with a tree and
  /// another skin, with frames and new lists in between, and from the state that was saved then.
  dem::Frame sameBitsHowever(const dem::Scene& scene, double skin, std::uint64_t end) const;
};

#define PARAGRAIN_ON_BACKENDS(suite, backends)                                                     \
  INSTANTIATE_TEST_SUITE_P(All, suite, testing::ValuesIn(backends),                                \
    [](const testing::TestParamInfo<test::Backend>& info) {                                        \
      return test::backendName(info.param);                                                        \
    })
#define PARAGRAIN_ON_ALL_BACKENDS(suite) PARAGRAIN_ON_BACKENDS(suite, test::allBackends())
#define PARAGRAIN_IN_MIXED_PRECISION(suite)                                                        \
  PARAGRAIN_ON_BACKENDS(suite, test::backendsOf(dem::Precision::Mixed))

// ----
// scenes

inline double sphereMass(double radius, double density)
{
  return 4.0 / 3.0 * M_PI * radius * radius * radius * density;
}

/// No gravity, one material without losses, borders far away.
inline dem::Scene emptyScene()
{
  dem::Scene s;
  s.gravity = { 0, 0, 0 };
  s.materials[0].restitution = 1;
  s.materials[0].friction = 0;
  s.domain.lower = { -1, -1, -1 };
  s.domain.upper = { 1, 1, 1 };
  return s;
}

inline void addSphere(dem::Scene& s, const Vec3d& x, double r, const Vec3d& v = {},
  const Vec3d& w = {}, int material = 0)
{
  dem::ParticleInput& p = s.particles;
  p.position.push_back(x);
  p.radius.push_back(r);
  p.velocity.push_back(v);
  p.angular_velocity.push_back(w);
  p.material.push_back(material);
}

/// A fixed step, and an end of the run `steps` away.
inline void setSteps(dem::Scene& s, double dt, std::uint64_t steps)
{
  s.time_step = dt;
  s.output_interval = dt * static_cast<double>(steps);
  s.end_time = s.output_interval;
}

inline dem::Wall planeWall(const Vec3d& origin, const Vec3d& normal, int material = 0)
{
  dem::Wall w;
  w.kind = dem::WallKind::Plane;
  w.origin = origin;
  w.normal = normal;
  w.material = material;
  return w;
}

inline dem::Wall rectangleWall(
  const Vec3d& origin, const Vec3d& u, const Vec3d& v, int material = 0)
{
  dem::Wall w;
  w.kind = dem::WallKind::Rectangle;
  w.origin = origin;
  w.edge_u = u;
  w.edge_v = v;
  w.material = material;
  return w;
}

inline dem::Wall meshWall(
  std::vector<Vec3d> points, std::vector<std::array<std::int32_t, 3>> triangles)
{
  dem::Wall w;
  w.points = std::move(points);
  w.triangles = std::move(triangles);
  return w;
}

/// Two triangles at height z.
inline dem::Wall sheetWall(double x0, double x1, double y0, double y1, double z)
{
  return meshWall(
    { { x0, y0, z }, { x1, y0, z }, { x1, y1, z }, { x0, y1, z } }, { { 0, 1, 2 }, { 0, 2, 3 } });
}

/// A cylinder, or a cone if it has a radius at its end.
inline dem::Wall pipeWall(const Vec3d& from, const Vec3d& to, double radius, double end_radius = -1)
{
  dem::Wall w;
  w.kind = end_radius < 0 ? dem::WallKind::Cylinder : dem::WallKind::Cone;
  w.origin = from;
  w.end = to;
  w.radius = radius;
  if (end_radius >= 0)
  {
    w.end_radius = end_radius;
  }
  return w;
}

inline void rotate(dem::Wall& w, const Vec3d& origin, const Vec3d& axis, double rate)
{
  w.motion.kind = dem::MotionKind::Rotation;
  w.motion.origin = origin;
  w.motion.axis = axis;
  w.motion.rate = rate;
}

/// A flat blade of half width `half` that turns about the y axis at height z.
inline dem::Wall bladeWall(double half, double z, double rate)
{
  dem::Wall w = sheetWall(-half, half, -0.1, 0.2, z);
  w.name = "paddle";
  rotate(w, { 0, 0, z }, { 0, 1, 0 }, rate);
  return w;
}

/// Spheres on a jittered lattice with random radii and velocities; no two overlap. The same for the
/// same arguments.
inline void addCloud(dem::Scene& s, const Vec3d& lower, int nx, int ny, int nz, double r_min,
  double r_max, double speed, std::uint32_t seed, double spacing = 0, double spin = 0)
{
  Uniform uniform(seed);
  const double h = spacing > 0 ? spacing : 2.05 * r_max;
  for (int k = 0; k < nz; ++k)
  {
    for (int j = 0; j < ny; ++j)
    {
      for (int i = 0; i < nx; ++i)
      {
        const double r = static_cast<float>(uniform(r_min, r_max));
        const double gap = 0.45 * (h - 2 * r);
        const Vec3d c{ lower.x + (i + 0.5) * h + uniform(-gap, gap),
          lower.y + (j + 0.5) * h + uniform(-gap, gap),
          lower.z + (k + 0.5) * h + uniform(-gap, gap) };
        const Vec3d v{ uniform(-speed, speed), uniform(-speed, speed), uniform(-speed, speed) };
        const Vec3d w{ uniform(-spin, spin), uniform(-spin, spin), uniform(-spin, spin) };
        addSphere(s, c, r, v, w);
      }
    }
  }
}

// ----
// stepping

inline void advance(dem::Simulation& sim, std::uint64_t steps)
{
  sim.advanceTo(sim.step() + steps);
}

/// Only what a trajectory needs.
inline dem::FrameSelection motionOnly()
{
  dem::FrameSelection f;
  f.orientation = f.force = f.torque = f.mass = f.material = f.shape = f.coordination_number =
    f.stress = false;
  f.contacts = f.walls = false;
  return f;
}

inline dem::FrameSelection motionAndContacts()
{
  dem::FrameSelection f = motionOnly();
  f.contacts = true;
  return f;
}

template <class T>
Vec3d at3(const dem::HostArray<T>& a, std::size_t i)
{
  return { static_cast<double>(a[3 * i]), static_cast<double>(a[3 * i + 1]),
    static_cast<double>(a[3 * i + 2]) };
}

inline Vec3d positionOf(const dem::Frame& f, std::size_t i) { return at3(f.position, i); }
inline Vec3d velocityOf(const dem::Frame& f, std::size_t i) { return at3(f.velocity, i); }
inline Vec3d spinOf(const dem::Frame& f, std::size_t i) { return at3(f.angular_velocity, i); }
inline dem::Quaternion<double> orientationOf(const dem::Frame& f, std::size_t i)
{
  return { f.orientation[4 * i], f.orientation[4 * i + 1], f.orientation[4 * i + 2],
    f.orientation[4 * i + 3] };
}

/// What stays the same in a run: all energy, also that which was lost or left, without the work of
/// walls.
inline double balance(const dem::Statistics& s)
{
  return s.kinetic_energy + s.potential_energy + s.dissipated_energy + s.stiffness_work +
    s.removed_energy - s.wall_work;
}

// ----
// equal bits

/// Empty when both frames hold the same bits (in what is reproducible: not the speed, not the
/// rebuild count), else the name of the first array that differs and where.
inline std::string firstDifference(const dem::Frame& a, const dem::Frame& b)
{
  FirstDifference difference;
  difference.value("time", a.time, b.time);
  difference.value("step", a.step, b.step);
  difference.array("id", a.id, b.id);
  difference.array("position", a.position, b.position);
  difference.array("radius", a.radius, b.radius);
  difference.array("velocity", a.velocity, b.velocity);
  difference.array("angular_velocity", a.angular_velocity, b.angular_velocity);
  difference.array("orientation", a.orientation, b.orientation);
  difference.array("force", a.force, b.force);
  difference.array("torque", a.torque, b.torque);
  difference.array("mass", a.mass, b.mass);
  difference.array("material", a.material, b.material);
  difference.array("shape", a.shape, b.shape);
  difference.array("coordination_number", a.coordination_number, b.coordination_number);
  difference.array("stress", a.stress, b.stress);
  difference.array("exited_id", a.exited_id, b.exited_id);
  difference.array("exited_position", a.exited_position, b.exited_position);
  const dem::ContactArrays &c = a.contacts, &d = b.contacts;
  difference.value("contacts.size", c.size, d.size);
  difference.array("contacts.ids", c.ids, d.ids);
  difference.array("contacts.ends", c.ends, d.ends);
  difference.array("contacts.normal_force", c.normal_force, d.normal_force);
  difference.array("contacts.tangential_force", c.tangential_force, d.tangential_force);
  difference.array("contacts.overlap", c.overlap, d.overlap);
  difference.array("contacts.sliding", c.sliding, d.sliding);
  difference.value("averages.samples", a.averages.samples, b.averages.samples);
  difference.value("averages.fields", a.averages.mean.size(), b.averages.mean.size());
  for (std::size_t f = 0; f < a.averages.mean.size() && !difference.found(); ++f)
  {
    difference.array("averages.mean." + std::to_string(f), a.averages.mean[f], b.averages.mean[f]);
    difference.array(
      "averages.error." + std::to_string(f), a.averages.error[f], b.averages.error[f]);
  }
  difference.array("averages.count", a.averages.count, b.averages.count);
  difference.array("coating.mass", a.coating.mass, b.coating.mass);
  difference.array("coating.hits", a.coating.hits, b.coating.hits);
  difference.array("coating.time", a.coating.time, b.coating.time);
  difference.array("fluid_force", a.fluid_force, b.fluid_force);
  difference.array("fluid.velocity", a.fluid.velocity, b.fluid.velocity);
  difference.array("fluid.pressure", a.fluid.pressure, b.fluid.pressure);
  difference.array("fluid.void_fraction", a.fluid.void_fraction, b.fluid.void_fraction);
  difference.array("fluid.drag_force", a.fluid.drag_force, b.fluid.drag_force);
  difference.array("coating.patch_mass", a.coating.patch_mass, b.coating.patch_mass);
  difference.array("coating.patch_variation", a.coating.patch_variation, b.coating.patch_variation);
  if (c.age.size() == d.age.size()) // kept on one side only when ContactStatistics differ
  {
    difference.array("contacts.age", c.age, d.age);
    difference.array("contacts.slip_distance", c.slip_distance, d.slip_distance);
    difference.array("contacts.dissipated_energy", c.dissipated_energy, d.dissipated_energy);
  }
  for (std::size_t k = 0; k < dem::kPassiveCount; ++k)
    difference.array(dem::kPassiveColumns[k].name, a.passive[k], b.passive[k]);
  difference.array("contacts.cohesive_force", c.cohesive_force, d.cohesive_force);
  difference.array("contacts.wall_element", c.wall_element, d.wall_element);
  difference.value("walls", a.walls.size(), b.walls.size());
  for (std::size_t w = 0; !difference.found() && w < a.walls.size(); ++w)
  {
    difference.array("wall.points", a.walls[w].points, b.walls[w].points);
    difference.array("wall.pressure", a.walls[w].pressure, b.walls[w].pressure);
    difference.array("wall.shear_stress", a.walls[w].shear_stress, b.walls[w].shear_stress);
    difference.array("wall.force", a.walls[w].force, b.walls[w].force);
    difference.array("wall.heat", a.walls[w].heat, b.walls[w].heat);
    difference.array("wall.heat_flux", a.walls[w].heat_flux, b.walls[w].heat_flux);
    difference.array("wall.coating_mass", a.walls[w].coating_mass, b.walls[w].coating_mass);
    difference.value("wall.total_coating", a.walls[w].total_coating, b.walls[w].total_coating);
    for (int k = 0; k < 3; ++k)
    {
      difference.value("wall.total_force", a.walls[w].total_force[k], b.walls[w].total_force[k]);
      difference.value("wall.total_torque", a.walls[w].total_torque[k], b.walls[w].total_torque[k]);
    }
  }
  const dem::Statistics &s = a.statistics, &t = b.statistics;
  difference.value("statistics.time", s.time, t.time);
  difference.value("statistics.time_step", s.time_step, t.time_step);
  difference.value("statistics.kinetic_energy", s.kinetic_energy, t.kinetic_energy);
  difference.value("statistics.potential_energy", s.potential_energy, t.potential_energy);
  difference.value("statistics.dissipated_energy", s.dissipated_energy, t.dissipated_energy);
  difference.value("statistics.stiffness_work", s.stiffness_work, t.stiffness_work);
  difference.value("statistics.wall_work", s.wall_work, t.wall_work);
  difference.value("statistics.removed_energy", s.removed_energy, t.removed_energy);
  difference.value("statistics.thermal_energy", s.thermal_energy, t.thermal_energy);
  difference.value("statistics.heat_from_walls", s.heat_from_walls, t.heat_from_walls);
  difference.value(
    "statistics.heat_from_dissipation", s.heat_from_dissipation, t.heat_from_dissipation);
  difference.value(
    "statistics.dissipation_in_walls", s.dissipation_in_walls, t.dissipation_in_walls);
  difference.value("statistics.energy_error", s.energy_error, t.energy_error);
  difference.value("statistics.particles", s.particles, t.particles);
  difference.value("statistics.lost", s.lost, t.lost);
  difference.value("statistics.contacts", s.contacts, t.contacts);
  difference.value("statistics.largest_overlap", s.largest_overlap, t.largest_overlap);
  difference.value("statistics.spray_emitted", s.spray_emitted, t.spray_emitted);
  difference.value("statistics.spray_on_grains", s.spray_on_grains, t.spray_on_grains);
  difference.value("statistics.spray_on_walls", s.spray_on_walls, t.spray_on_walls);
  difference.value("statistics.spray_missed", s.spray_missed, t.spray_missed);
  difference.value("statistics.sprayed_mass", s.sprayed_mass, t.sprayed_mass);
  difference.value("statistics.sprayed_on_grains", s.sprayed_on_grains, t.sprayed_on_grains);
  difference.value("statistics.sprayed_on_walls", s.sprayed_on_walls, t.sprayed_on_walls);
  difference.value("statistics.fluid_work", s.fluid_work, t.fluid_work);
  difference.value("statistics.outside_fluid", s.outside_fluid, t.outside_fluid);
  for (int k = 0; k < 3; ++k)
  {
    difference.value("statistics.fluid_momentum", s.fluid_momentum[k], t.fluid_momentum[k]);
    difference.value("statistics.fluid_impulse", s.fluid_impulse[k], t.fluid_impulse[k]);
  }
  difference.value("statistics.fluid_pressure_drop", s.fluid_pressure_drop, t.fluid_pressure_drop);
  difference.value("statistics.fluid_step", s.fluid_step, t.fluid_step);
  difference.value("statistics.fluid_rounds", s.fluid_rounds, t.fluid_rounds);
  difference.value("statistics.fluid_residual", s.fluid_residual, t.fluid_residual);
  difference.value("statistics.coating_variation", s.coating_variation, t.coating_variation);
  difference.value("statistics.patch_variation", s.patch_variation, t.patch_variation);
  return difference.text();
}

#define EXPECT_SAME_BITS(a, b) EXPECT_EQ(test::firstDifference(a, b), "")
#define ASSERT_SAME_BITS(a, b) ASSERT_EQ(test::firstDifference(a, b), "")

inline dem::Frame BackendTest::sameBitsHowever(
  const dem::Scene& scene, double skin, std::uint64_t end) const
{
  dem::Simulation straight = simulate(scene);
  straight.advanceTo(end);
  const dem::Frame wanted = straight.frame();
  {
    dem::Simulation one = simulate(scene, 1);
    one.advanceTo(end);
    EXPECT_SAME_BITS(wanted, one.frame()) << "one thread";
  }
  {
    dem::Scene other = scene;
    other.skin = skin;
    other.broad_phase.kind = dem::BroadPhaseKind::Bvh;
    dem::Simulation sim = simulate(other);
    sim.advanceTo(end);
    EXPECT_SAME_BITS(wanted, sim.frame()) << "another search and skin";
  }
  dem::SnapshotBytes saved;
  {
    dem::Simulation sim = simulate(scene);
    for (int k = 1; k <= 3; ++k)
    {
      sim.advanceTo(k * end / 4);
      sim.forceRebuild();
      sim.frame();
    }
    saved = sim.save();
    sim.advanceTo(end);
    EXPECT_SAME_BITS(wanted, sim.frame()) << "looked at in between";
  }
  dem::Simulation restored = simulate(scene);
  restored.restore(saved);
  EXPECT_EQ(restored.save(), saved);
  restored.advanceTo(end);
  EXPECT_SAME_BITS(wanted, restored.frame()) << "from a saved state";
  return wanted;
}

} // namespace test
