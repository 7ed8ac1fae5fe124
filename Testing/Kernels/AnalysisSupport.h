// Grains and contacts for the tests of Kernels/Analysis, and the devices that they run on.
#pragma once

#include "TestSupport.h"

#include "Analysis/Grains.h"

#include <algorithm>
#include <numeric>

namespace test
{

/// Owns what dem::Grains and dem::GrainContacts point to.
struct Sample
{
  std::vector<double> position, radius, mass, velocity, angular_velocity;
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> material;
  std::vector<std::int64_t> first, second;
  std::vector<double> first_place, second_place, point, normal_force, tangential_force;

  void add(
    const Vec3d& x, double r, double m, const Vec3d& v = {}, const Vec3d& w = {}, int species = 0)
  {
    push(position, x);
    radius.push_back(r);
    mass.push_back(m);
    push(velocity, v);
    push(angular_velocity, w);
    id.push_back(static_cast<std::int64_t>(id.size()));
    material.push_back(species);
  }
  Vec3d at(const std::vector<double>& values, std::size_t i) const
  {
    return { values[3 * i], values[3 * i + 1], values[3 * i + 2] };
  }
  /// Between two grains; `force` acts on the first.
  void touch(std::int64_t a, std::int64_t b, const Vec3d& force, const Vec3d& tangential = {})
  {
    const Vec3d x = at(position, a), y = at(position, b);
    enter(a, b, x, y, 0.5 * (x + y), force, tangential);
  }
  void touchWall(std::int64_t a, int wall, const Vec3d& place, const Vec3d& force)
  {
    enter(a, dem::GrainContacts::kWall - wall, at(position, a), place, place, force, {});
  }
  std::size_t size() const { return radius.size(); }

  dem::Grains grains() const
  {
    dem::Grains g;
    g.size = size();
    g.position = position.data();
    g.radius = radius.data();
    g.id = id.data();
    g.mass = mass.data();
    g.velocity = velocity.data();
    g.angular_velocity = angular_velocity.data();
    g.material = material.data();
    return g;
  }
  dem::GrainContacts contacts() const
  {
    dem::GrainContacts c;
    c.size = first.size();
    c.first = first.data();
    c.second = second.data();
    c.first_place = first_place.data();
    c.second_place = second_place.data();
    c.point = point.data();
    c.normal_force = normal_force.data();
    c.tangential_force = tangential_force.data();
    return c;
  }

private:
  static void push(std::vector<double>& values, const Vec3d& v)
  {
    values.insert(values.end(), { v.x, v.y, v.z });
  }
  void enter(std::int64_t a, std::int64_t b, const Vec3d& x, const Vec3d& y, const Vec3d& c,
    const Vec3d& force, const Vec3d& tangential)
  {
    first.push_back(a);
    second.push_back(b);
    push(first_place, x);
    push(second_place, y);
    push(point, c);
    push(normal_force, force);
    push(tangential_force, tangential);
  }
};

/// Grains of random size and motion in [0, 1]^3, with contacts of random forces between some that
/// are near, and with a floor.
inline Sample randomSample(int n, double r_min, double r_max, std::uint32_t seed)
{
  std::mt19937 random(seed);
  const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.0); };
  const auto vector = [&](double s) {
    return Vec3d{ uniform(-s, s), uniform(-s, s), uniform(-s, s) };
  };
  Sample s;
  for (int i = 0; i < n; ++i)
  {
    const double r = uniform(r_min, r_max);
    const Vec3d x{ uniform(0, 1), uniform(0, 1), uniform(0, 1) };
    s.add(x, r, uniform(0.5, 2), vector(3) + Vec3d{ 5, 0, 1 }, vector(10),
      static_cast<int>(random() % 3));
  }
  for (int i = 0; i < n; ++i)
  {
    for (int j = i + 1; j < n && j < i + 3; ++j)
    {
      s.touch(i, j, vector(4), vector(1));
    }
    if (i % 5 == 0)
    {
      const Vec3d x = s.at(s.position, i);
      s.touchWall(i, i % 2, { x.x, x.y, 0 }, vector(2));
    }
  }
  return s;
}

/// Spheres one above the other in columns (a simple cubic lattice of nx * nx * nz, spacing 2 r) on
/// a floor at z = 0, at rest under gravity g: a contact carries the weight of the grains above it.
inline Sample latticeUnderGravity(int nx, int nz, double r, double m, double g)
{
  Sample s;
  const auto index = [&](int i, int j, int k) { return (k * nx + j) * nx + i; };
  for (int k = 0; k < nz; ++k)
  {
    for (int j = 0; j < nx; ++j)
    {
      for (int i = 0; i < nx; ++i)
      {
        s.add({ (2 * i + 1) * r, (2 * j + 1) * r, (2 * k + 1) * r }, r, m);
      }
    }
  }
  for (int k = 0; k < nz; ++k)
  {
    for (int j = 0; j < nx; ++j)
    {
      for (int i = 0; i < nx; ++i)
      {
        const double weight = (nz - k) * m * g; // from here on up
        if (k == 0)
        {
          s.touchWall(index(i, j, 0), 0, { (2 * i + 1) * r, (2 * j + 1) * r, 0 }, { 0, 0, weight });
        }
        else
        {
          s.touch(index(i, j, k - 1), index(i, j, k), { 0, 0, -weight });
        }
      }
    }
  }
  return s;
}

/// A test that runs on every device; without a usable GPU its CUDA instances are skipped and say
/// why.
class DeviceTest : public testing::TestWithParam<dem::DeviceKind>
{
protected:
  void SetUp() override
  {
    if (GetParam() == dem::DeviceKind::CUDA)
    {
      static const std::string reason = dem::cudaUnavailableReason();
      if (!reason.empty())
      {
        GTEST_SKIP() << "no CUDA device: " << reason;
      }
    }
  }
  dem::Device device(int threads = 0) const { return dem::chooseDevice(GetParam(), threads); }
};

#define PARAGRAIN_ON_ALL_DEVICES(suite)                                                            \
  INSTANTIATE_TEST_SUITE_P(All, suite,                                                             \
    testing::Values(dem::DeviceKind::CPU, dem::DeviceKind::CUDA),                                  \
    [](const testing::TestParamInfo<dem::DeviceKind>& info) {                                      \
      return std::string(info.param == dem::DeviceKind::CUDA ? "CUDA" : "CPU");                    \
    })

} // namespace test
