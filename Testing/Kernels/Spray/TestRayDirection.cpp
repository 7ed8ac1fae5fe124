// Directions of the rays of a nozzle: the generator against published numbers, the distributions
// against closed forms.
#include "Spray/RayCaster.h"
#include "Spray/RayDirection.cuh"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

using dem::Nozzle;
using dem::Vec3d;

namespace
{

constexpr double kDegree = M_PI / 180;

std::array<std::uint32_t, 4> mixed(
  std::array<std::uint32_t, 4> counter, std::uint32_t key0, std::uint32_t key1)
{
  const dem::ray::RandomWords r =
    dem::ray::philox({ { counter[0], counter[1], counter[2], counter[3] } }, key0, key1);
  return { r.word[0], r.word[1], r.word[2], r.word[3] };
}

std::vector<Vec3d> directions(const Nozzle& nozzle, std::uint32_t rays, std::uint32_t sample = 0)
{
  std::vector<Vec3d> out;
  for (std::uint32_t r = 0; r < rays; ++r)
    out.push_back(dem::rayDirection(nozzle, 0, sample, r));
  return out;
}

} // namespace

// Known answers of the authors' library Random123, kat_vectors, philox4x32 with 10 rounds.
TEST(RayDirection, PhiloxHasThePublishedNumbers)
{
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(
    mixed({ 0, 0, 0, 0 }, 0, 0), (Words{ 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u }));
  EXPECT_EQ(mixed({ ~0u, ~0u, ~0u, ~0u }, ~0u, ~0u),
    (Words{ 0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu }));
  EXPECT_EQ(mixed({ 0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u }, 0xa4093822u, 0x299f31d0u),
    (Words{ 0xd16cfe09u, 0x94fdcceBu, 0x5001e420u, 0x24126ea1u }));
}

TEST(RayDirection, LogarithmIsExactToRounding)
{
  for (double x = 0.13; x <= 1; x += 0.00137)
    EXPECT_NEAR(dem::ray::logarithm(x), std::log(x), 9e-16) << x;
  EXPECT_EQ(dem::ray::logarithm(1), 0);
}

TEST(RayDirection, RaysAreUnitVectorsAndDifferInEachNumber)
{
  Nozzle nozzle;
  nozzle.axis = { 1, 2, -3 };
  for (const Vec3d& d : directions(nozzle, 1000))
    EXPECT_NEAR(dem::length(d), 1, 1e-15);
  const Vec3d first = dem::rayDirection(nozzle, 0, 0, 0);
  EXPECT_EQ(first, dem::rayDirection(nozzle, 0, 0, 0));
  EXPECT_FALSE(first == dem::rayDirection(nozzle, 1, 0, 0));
  EXPECT_FALSE(first == dem::rayDirection(nozzle, 0, 1, 0));
  EXPECT_FALSE(first == dem::rayDirection(nozzle, 0, 0, 1));
  nozzle.seed = 1;
  EXPECT_FALSE(first == dem::rayDirection(nozzle, 0, 0, 0));
}

// Uniform in solid angle: the cosine is uniform, so the share within an angle a is
// (1 - cos a) / (1 - cos half), and all azimuths are equal.
TEST(RayDirection, UniformConesAreUniformInSolidAngle)
{
  for (const double full : { 2., 60., 120., 180. })
  {
    Nozzle nozzle;
    nozzle.full_angle = full * kDegree;
    const double half = 0.5 * nozzle.full_angle;
    const std::uint32_t n = 200000;
    std::array<int, 10> ring{}, sector{};
    for (const Vec3d& d : directions(nozzle, n))
    {
      const double part = (1 + d.z) / (1 - std::cos(half)); // the axis is -z
      ASSERT_LE(part, 1 + 1e-9);
      ++ring[std::min(9, static_cast<int>(10 * part))];
      ++sector[static_cast<int>((std::atan2(d.y, d.x) + M_PI) / (2 * M_PI) * 10) % 10];
    }
    for (int k = 0; k < 10; ++k) // 4 standard deviations of a count
    {
      EXPECT_NEAR(ring[k], n / 10, 4 * std::sqrt(0.09 * n)) << full << " ring " << k;
      EXPECT_NEAR(sector[k], n / 10, 4 * std::sqrt(0.09 * n)) << full << " sector " << k;
    }
  }
}

// A flat spray: the share within a cell of its elliptic cone is the cell's share of the solid
// angle, by quadrature of 1 / (1 + x^2 + y^2)^(3/2) on the plane at distance 1.
TEST(RayDirection, FlatSpraysAreUniformInSolidAngle)
{
  for (const double across : { 15., 50., 130. })
  {
    Nozzle nozzle;
    nozzle.up = { 0, 1, 0 };
    nozzle.full_angle = 110 * kDegree;
    nozzle.across_angle = across * kDegree;
    const double a = std::tan(0.5 * nozzle.full_angle), b = std::tan(0.5 * nozzle.across_angle);
    const int n = 100000;
    std::array<int, 16> found{};
    const auto cellOf = [](double x, double y) { // x, y in units of the ellipse
      const int ring = std::min(3, static_cast<int>(4 * std::hypot(x, y)));
      return 4 * ring + (x < 0 ? 1 : 0) + (y < 0 ? 2 : 0);
    };
    for (const Vec3d& d : directions(nozzle, n))
    {
      const double x = d.y / -d.z / a, y = d.x / -d.z / b;
      ASSERT_LE(std::hypot(x, y), 1 + 1e-9);
      ++found[cellOf(x, y)];
    }
    std::array<double, 16> angle{};
    double whole = 0;
    const int fine = 800;
    for (int i = 0; i < fine; ++i)
      for (int j = 0; j < fine; ++j)
      {
        const double x = (2 * i + 1.) / fine - 1, y = (2 * j + 1.) / fine - 1;
        if (std::hypot(x, y) > 1)
          continue;
        const double w = std::pow(1 + a * a * x * x + b * b * y * y, -1.5);
        angle[cellOf(x, y)] += w;
        whole += w;
      }
    for (int c = 0; c < 16; ++c)
    {
      const double p = angle[c] / whole;
      EXPECT_NEAR(found[c], p * n, 4 * std::sqrt(p * n) + 0.003 * p * n) << across << " cell " << c;
    }
  }
}

// On a plane across the axis the share within the part r of the cone's radius is
// (1 - exp(-2 r^2)) / (1 - exp(-2)).
TEST(RayDirection, GaussianProfileIsThatOfItsPlane)
{
  for (const double across : { 0., 20. })
  {
    Nozzle nozzle;
    nozzle.profile = dem::SprayProfile::Gaussian;
    nozzle.full_angle = 80 * kDegree;
    nozzle.across_angle = across * kDegree;
    const double a = std::tan(0.5 * nozzle.full_angle),
                 b = across > 0 ? std::tan(0.5 * nozzle.across_angle) : a;
    const int n = 200000;
    std::array<int, 10> ring{}, sector{};
    for (const Vec3d& d : directions(nozzle, n))
    {
      const double x = d.x / -d.z / a, y = d.y / -d.z / b, r = std::hypot(x, y);
      ASSERT_LE(r, 1 + 1e-9);
      ++ring[std::min(9, static_cast<int>(10 * (1 - std::exp(-2 * r * r)) / (1 - std::exp(-2.))))];
      ++sector[static_cast<int>((std::atan2(y, x) + M_PI) / (2 * M_PI) * 10) % 10];
    }
    for (int k = 0; k < 10; ++k)
    {
      EXPECT_NEAR(ring[k], n / 10, 4 * std::sqrt(0.09 * n)) << across << " ring " << k;
      EXPECT_NEAR(sector[k], n / 10, 4 * std::sqrt(0.09 * n)) << across << " sector " << k;
    }
  }
}

// All 6 n^2 patches have the same solid angle, and each is connected to a side of the cube.
TEST(RayDirection, PatchesHaveEqualAreas)
{
  Nozzle nozzle; // two half spheres
  nozzle.full_angle = M_PI;
  for (const int n : { 1, 2, 3, 5 })
  {
    std::vector<int> found(6 * n * n);
    const int rays = 20000 * n * n;
    for (const double side : { 1., -1. })
      for (int r = 0; r < rays; ++r)
        ++found[dem::coatingPatch(n, side * dem::rayDirection(nozzle, 0, side > 0, r))];
    const double mean = 2. * rays / found.size();
    for (std::size_t p = 0; p < found.size(); ++p)
      EXPECT_NEAR(found[p], mean, 4.5 * std::sqrt(mean)) << n << " patch " << p;
  }
  EXPECT_EQ(dem::coatingPatch(1, { 1, 0, 0 }), 0u);
  EXPECT_EQ(dem::coatingPatch(1, { -1, 0, 0 }), 1u);
  EXPECT_EQ(dem::coatingPatch(1, { 0, 1, 0 }), 2u);
  EXPECT_EQ(dem::coatingPatch(1, { 0, -1, 0 }), 3u);
  EXPECT_EQ(dem::coatingPatch(1, { 0, 0, 1 }), 4u);
  EXPECT_EQ(dem::coatingPatch(1, { 0, 0, -1 }), 5u);
}
