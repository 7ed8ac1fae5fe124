// Grains and contacts for the tests of Kernels/Analysis, and the devices of the tests.
#pragma once

#include "TestSupport.h"

#include "Analysis/Grains.h"

#include <algorithm>
#include <numeric>

namespace test
{

/// Owns the arrays of dem::Grains and dem::GrainContacts.
struct Sample
{
  std::vector<double> position, radius, mass, velocity, angular_velocity;
  std::vector<std::int64_t> id;
  std::vector<std::int32_t> material;
  std::vector<std::int64_t> first, second;
  std::vector<double> first_place, second_place, point, normal_force, tangential_force;
  std::vector<std::uint8_t> sliding;

  /// Adds a grain, whose Id is its index, and returns the index.
  std::int64_t add(const Vec3d& x, double r, double m = 1, const Vec3d& v = {}, const Vec3d& w = {},
    int species = 0)
  {
    push(position, x);
    radius.push_back(r);
    mass.push_back(m);
    push(velocity, v);
    push(angular_velocity, w);
    id.push_back(static_cast<std::int64_t>(id.size()));
    material.push_back(species);
    return id.back();
  }
  static Vec3d at(const std::vector<double>& values, std::size_t i)
  {
    return { values[3 * i], values[3 * i + 1], values[3 * i + 2] };
  }
  /// Centre of a grain.
  Vec3d at(std::size_t i) const { return at(position, i); }

  /// Adds a contact of grain a with grain b, or with a wall if b < 0. `place`: centre of b, or
  /// contact point of the wall. Forces act on grain a.
  void contact(std::int64_t a, std::int64_t b, const Vec3d& place, const Vec3d& contact_point,
    const Vec3d& normal, const Vec3d& tangential = {}, bool slides = false)
  {
    first.push_back(a);
    second.push_back(b);
    push(first_place, at(static_cast<std::size_t>(a)));
    push(second_place, place);
    push(point, contact_point);
    push(normal_force, normal);
    push(tangential_force, tangential);
    sliding.push_back(slides);
  }
  /// Adds a contact of two grains, halfway between their centres.
  void touch(std::int64_t a, std::int64_t b, const Vec3d& force, const Vec3d& tangential = {})
  {
    const Vec3d x = at(position, a), y = at(position, b);
    contact(a, b, y, 0.5 * (x + y), force, tangential);
  }
  void touchWall(std::int64_t a, int wall, const Vec3d& place, const Vec3d& force)
  {
    contact(a, dem::GrainContacts::kWall - wall, place, place, force);
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
};

/// n grains of random size and motion in [0, 1]^3. Contacts with random forces join grains of
/// neighbouring index; every fifth grain touches a wall at z = 0.
inline Sample randomSample(int n, double r_min, double r_max, std::uint32_t seed)
{
  Uniform uniform(seed);
  const auto vector = [&](double size) { return uniform.vector(-size, size); };
  Sample s;
  for (int i = 0; i < n; ++i)
  {
    const double r = uniform(r_min, r_max);
    const Vec3d x{ uniform(0, 1), uniform(0, 1), uniform(0, 1) };
    s.add(x, r, uniform(0.5, 2), vector(3) + Vec3d{ 5, 0, 1 }, vector(10),
      static_cast<int>(uniform.below(3)));
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

/// A simple cubic lattice of nx * nx * nz spheres with spacing 2 r on a floor at z = 0, at rest
/// under gravity g. Each contact carries the weight of the grains above it.
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
        const double weight = (nz - k) * m * g; // of grain k and those above it
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

/// Volume of a sphere about the origin in a box, by quadrature over a raster of n x n points in x
/// and y.
inline double overlapByRaster(double r, const Vec3d& lower, const Vec3d& upper, int n)
{
  const double x0 = std::max(lower.x, -r), x1 = std::min(upper.x, r), y0 = std::max(lower.y, -r),
               y1 = std::min(upper.y, r);
  if (x0 >= x1 || y0 >= y1)
  {
    return 0;
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
  {
    for (int j = 0; j < n; ++j)
    {
      const double x = x0 + (x1 - x0) * (i + 0.5) / n, y = y0 + (y1 - y0) * (j + 0.5) / n;
      const double h = std::sqrt(std::max(0., r * r - x * x - y * y));
      sum += std::max(0., std::min(h, upper.z) - std::max(-h, lower.z));
    }
  }
  return sum * (x1 - x0) * (y1 - y0) / n / n;
}

/// A test that runs on every device.
class DeviceTest : public testing::TestWithParam<dem::DeviceKind>
{
protected:
  void SetUp() override { skipWithout(GetParam()); }
  dem::Device device(int threads = 0) const { return dem::chooseDevice(GetParam(), threads); }
};

/// A test that runs on every backend of the solver, so that the lists of tests of the emulated
/// device include it.
class AnalysisTest : public BackendTest
{
protected:
  dem::Device device(int threads = 0) const
  {
    return dem::chooseDevice(GetParam().device, threads);
  }
};

#define PARAGRAIN_ON_ALL_DEVICES(suite)                                                            \
  INSTANTIATE_TEST_SUITE_P(All, suite,                                                             \
    testing::Values(dem::DeviceKind::CPU, dem::DeviceKind::CUDA),                                  \
    [](const testing::TestParamInfo<dem::DeviceKind>& info) {                                      \
      return std::string(info.param == dem::DeviceKind::CUDA ? "CUDA" : "CPU");                    \
    })

} // namespace test
