// What the solver's tests share: the devices at hand, small scenes, ways to step and to compare.
#pragma once

#include "Core/Device.h"
#include "Core/Error.h"
#include "Scene/Scene.h"
#include "Solver/Simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
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

/// A test that runs on every backend; without a usable GPU its CUDA instances are skipped and say
/// why.
class BackendTest : public testing::TestWithParam<Backend>
{
protected:
  void SetUp() override
  {
    if (GetParam().device == dem::DeviceKind::CUDA)
    {
      static const std::string reason = dem::cudaUnavailableReason();
      if (!reason.empty())
      {
        GTEST_SKIP() << "no CUDA device: " << reason;
      }
    }
  }

  bool mixed() const { return GetParam().precision == dem::Precision::Mixed; }

  dem::RunOptions options(int threads = 0) const { return { GetParam().device, threads }; }

  dem::Simulation simulate(dem::Scene scene, int threads = 0) const
  {
    scene.precision = GetParam().precision;
    return dem::Simulation(scene, options(threads));
  }
};

#define PARAGRAIN_ON_ALL_BACKENDS(suite)                                                           \
  INSTANTIATE_TEST_SUITE_P(All, suite, testing::ValuesIn(test::allBackends()),                     \
    [](const testing::TestParamInfo<test::Backend>& info) {                                        \
      return test::backendName(info.param);                                                        \
    })

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

/// Spheres on a jittered lattice with random radii and velocities; no two overlap. The same for the
/// same arguments.
inline void addCloud(dem::Scene& s, const Vec3d& lower, int nx, int ny, int nz, double r_min,
  double r_max, double speed, std::uint32_t seed, double spacing = 0, double spin = 0)
{
  std::mt19937 random(seed);
  // No std distribution: their sequences differ between libraries.
  const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.0); };
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

// ----
// equal bits

/// Empty when both frames hold the same bits (in what is reproducible: not the speed, not the
/// rebuild count), else the name of the first array that differs and where.
inline std::string firstDifference(const dem::Frame& a, const dem::Frame& b)
{
  std::string what;
  const auto array = [&](const char* name, const auto& x, const auto& y) {
    if (!what.empty())
    {
      return;
    }
    if (x.size() != y.size())
    {
      what = std::string(name) + ": " + std::to_string(x.size()) + " values against " +
        std::to_string(y.size());
      return;
    }
    for (std::size_t i = 0; i < x.size(); ++i)
    {
      if (std::memcmp(&x[i], &y[i], sizeof(x[i])) != 0)
      {
        what = std::string(name) + "[" + std::to_string(i) + "]: " + std::to_string(x[i]) +
          " against " + std::to_string(y[i]) + " (difference " +
          std::to_string(1e9 * (double(x[i]) - double(y[i]))) + "e-9)";
        return;
      }
    }
  };
  const auto value = [&](const char* name, auto x, auto y) {
    if (what.empty() && std::memcmp(&x, &y, sizeof(x)) != 0)
    {
      what = std::string(name) + ": " + std::to_string(x) + " against " + std::to_string(y);
    }
  };
  value("time", a.time, b.time);
  value("step", a.step, b.step);
  array("id", a.id, b.id);
  array("position", a.position, b.position);
  array("radius", a.radius, b.radius);
  array("velocity", a.velocity, b.velocity);
  array("angular_velocity", a.angular_velocity, b.angular_velocity);
  array("orientation", a.orientation, b.orientation);
  array("force", a.force, b.force);
  array("torque", a.torque, b.torque);
  array("mass", a.mass, b.mass);
  array("material", a.material, b.material);
  array("shape", a.shape, b.shape);
  array("coordination_number", a.coordination_number, b.coordination_number);
  array("stress", a.stress, b.stress);
  for (std::size_t k = 0; k < dem::kPassiveCount; ++k)
  {
    array(dem::kPassiveColumns[k].name, a.passive[k], b.passive[k]);
  }
  array("exited_id", a.exited_id, b.exited_id);
  array("exited_position", a.exited_position, b.exited_position);
  const dem::ContactArrays &c = a.contacts, &d = b.contacts;
  value("contacts.size", c.size, d.size);
  array("contacts.ids", c.ids, d.ids);
  array("contacts.ends", c.ends, d.ends);
  array("contacts.normal_force", c.normal_force, d.normal_force);
  array("contacts.tangential_force", c.tangential_force, d.tangential_force);
  array("contacts.overlap", c.overlap, d.overlap);
  array("contacts.sliding", c.sliding, d.sliding);
  value("averages.samples", a.averages.samples, b.averages.samples);
  value("averages.fields", a.averages.mean.size(), b.averages.mean.size());
  for (std::size_t f = 0; f < a.averages.mean.size() && what.empty(); ++f)
  {
    array(("averages.mean." + std::to_string(f)).c_str(), a.averages.mean[f], b.averages.mean[f]);
    array(
      ("averages.error." + std::to_string(f)).c_str(), a.averages.error[f], b.averages.error[f]);
  }
  array("averages.count", a.averages.count, b.averages.count);
  if (c.age.size() == d.age.size()) // kept on one side only when ContactStatistics differ
  {
    array("contacts.age", c.age, d.age);
    array("contacts.slip_distance", c.slip_distance, d.slip_distance);
    array("contacts.dissipated_energy", c.dissipated_energy, d.dissipated_energy);
  }
  array("contacts.wall_element", c.wall_element, d.wall_element);
  value("walls", a.walls.size(), b.walls.size());
  for (std::size_t w = 0; what.empty() && w < a.walls.size(); ++w)
  {
    array("wall.points", a.walls[w].points, b.walls[w].points);
    array("wall.pressure", a.walls[w].pressure, b.walls[w].pressure);
    array("wall.shear_stress", a.walls[w].shear_stress, b.walls[w].shear_stress);
    array("wall.force", a.walls[w].force, b.walls[w].force);
    for (int k = 0; k < 3; ++k)
    {
      value("wall.total_force", a.walls[w].total_force[k], b.walls[w].total_force[k]);
      value("wall.total_torque", a.walls[w].total_torque[k], b.walls[w].total_torque[k]);
    }
  }
  const dem::Statistics &s = a.statistics, &t = b.statistics;
  value("statistics.time", s.time, t.time);
  value("statistics.time_step", s.time_step, t.time_step);
  value("statistics.kinetic_energy", s.kinetic_energy, t.kinetic_energy);
  value("statistics.potential_energy", s.potential_energy, t.potential_energy);
  value("statistics.dissipated_energy", s.dissipated_energy, t.dissipated_energy);
  value("statistics.stiffness_work", s.stiffness_work, t.stiffness_work);
  value("statistics.wall_work", s.wall_work, t.wall_work);
  value("statistics.removed_energy", s.removed_energy, t.removed_energy);
  value("statistics.energy_error", s.energy_error, t.energy_error);
  value("statistics.particles", s.particles, t.particles);
  value("statistics.lost", s.lost, t.lost);
  value("statistics.contacts", s.contacts, t.contacts);
  value("statistics.largest_overlap", s.largest_overlap, t.largest_overlap);
  return what;
}

#define EXPECT_SAME_BITS(a, b) EXPECT_EQ(test::firstDifference(a, b), "")
#define ASSERT_SAME_BITS(a, b) ASSERT_EQ(test::firstDifference(a, b), "")

/// The scene's frame at step `end`, `straight` from its start. The same bits come with one thread,
/// with a tree and a skin of its own, with looks and new lists in between, and from the state that
/// was saved then.
template <class Simulate>
void expectSameBitsHowever(const Simulate& simulate, const dem::Scene& scene, double skin,
  std::uint64_t end, const dem::Frame& straight)
{
  {
    dem::Simulation one = simulate(scene, 1);
    one.advanceTo(end);
    EXPECT_SAME_BITS(straight, one.frame()) << "one thread";
  }
  {
    dem::Scene other = scene;
    other.skin = skin;
    other.broad_phase.kind = dem::BroadPhaseKind::Bvh;
    dem::Simulation sim = simulate(other, 0);
    sim.advanceTo(end);
    EXPECT_SAME_BITS(straight, sim.frame()) << "another search and skin";
  }
  dem::SnapshotBytes saved;
  {
    dem::Simulation sim = simulate(scene, 0);
    for (int k = 1; k <= 3; ++k)
    {
      sim.advanceTo(k * end / 4);
      sim.forceRebuild();
      sim.frame();
    }
    saved = sim.save();
    sim.advanceTo(end);
    EXPECT_SAME_BITS(straight, sim.frame()) << "looked at in between";
  }
  dem::Simulation restored = simulate(scene, 0);
  restored.restore(saved);
  EXPECT_EQ(restored.save(), saved);
  restored.advanceTo(end);
  EXPECT_SAME_BITS(straight, restored.frame()) << "from a saved state";
}

// ----
// errors

/// The message of the dem::Error that `call` throws; fails the test when it throws nothing or
/// something else.
template <class Call>
std::string errorOf(Call&& call)
{
  try
  {
    call();
  }
  catch (const dem::Error& e)
  {
    return e.what();
  }
  catch (const std::exception& e)
  {
    ADD_FAILURE() << "threw another type: " << e.what();
    return {};
  }
  ADD_FAILURE() << "threw nothing";
  return {};
}

/// Case does not count: messages may begin a sentence with the word.
inline bool mentions(std::string text, std::string word)
{
  for (std::string* s : { &text, &word })
  {
    for (char& c : *s)
    {
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return text.find(word) != std::string::npos;
}

#define EXPECT_MENTIONS(text, word)                                                                \
  EXPECT_TRUE(test::mentions(text, word)) << "message: " << (text) << "\nlacks: " << (word)

} // namespace test
