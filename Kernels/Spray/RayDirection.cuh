// Directions of the rays of a nozzle, by a generator of random numbers without state: ray r of
// sample s has the same direction on every device. Used by RayCasterOn.cuh and the tests.
#pragma once

#include "Core/HostDevice.h"
#include "Core/Vec.h"

#include <cmath>
#include <cstdint>

namespace dem
{
namespace ray
{

/// Products without fused multiply-adds: dot() and cross() of Vec.h round differently on CPU and
/// CUDA.
DEM_HD double dot(const Vec3d& a, const Vec3d& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
DEM_HD Vec3d cross(const Vec3d& a, const Vec3d& b)
{
  return { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

struct RandomWords
{
  std::uint32_t word[4];
};

/// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011. Ten rounds of multiplication mix a counter of 128 bits under a key of 64 bits.
DEM_HD RandomWords philox(RandomWords counter, std::uint32_t key0, std::uint32_t key1)
{
  for (int round = 0; round < 10; ++round)
  {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * counter.word[0],
                        b = std::uint64_t(0xCD9E8D57u) * counter.word[2];
    const std::uint32_t w1 = counter.word[1], w3 = counter.word[3];
    counter.word[0] = static_cast<std::uint32_t>(b >> 32) ^ w1 ^ key0;
    counter.word[1] = static_cast<std::uint32_t>(b);
    counter.word[2] = static_cast<std::uint32_t>(a >> 32) ^ w3 ^ key1;
    counter.word[3] = static_cast<std::uint32_t>(a);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// In (-1, 1), symmetric about 0.
DEM_HD double signedUnit(std::uint32_t word)
{
  return (2. * static_cast<double>(word) + 1.) * (1. / 4294967296.) - 1.;
}
/// In (0, 1), from 52 bits.
DEM_HD double unit(std::uint32_t high, std::uint32_t low)
{
  const std::uint64_t bits = (std::uint64_t(high) << 32 | low) >> 12;
  return (static_cast<double>(bits) + 0.5) * (1. / 4503599627370496.);
}

/// Natural logarithm of x in (0, 1], to rounding, with the same bits on every device.
DEM_HD double logarithm(double x)
{
  int halvings = 0;
  for (; x < 0.70710678118654752; x *= 2)
    ++halvings;
  // ln x = 2 artanh z by its series; |z| <= 0.1716
  const double z = (x - 1) / (x + 1), z2 = z * z;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2)
    sum = sum * z2 + 1. / k;
  return 2 * z * sum - halvings * 0.69314718055994531;
}

} // namespace ray

/// A nozzle at one instant, in the form that kernels need. coneOf() of RayCaster.cpp makes it.
struct RayCone
{
  enum Kind
  {
    RoundUniform,
    FlatUniform,
    Gaussian
  };

  Vec3d origin;              // m
  Vec3d axis, first, across; // unit vectors at right angles; `first` in the plane of the full angle
  double tan_first, tan_across; // of half the angles
  double sagitta;               // RoundUniform: 1 - cos(half the angle)
  Kind kind;
  std::uint32_t seed, nozzle, sample;
};

/// Unit vector of a ray.
struct RayDirection
{
  RayCone cone;

  DEM_HD Vec3d operator()(std::uint32_t ray) const
  {
    using ray::signedUnit;
    double x = 1, y = 0, w = 0.5;
    // A point in the unit disc gives the azimuth without sine and cosine: Marsaglia 1972. The
    // number of attempts is limited; so many rejections do not happen.
    for (std::uint32_t attempt = 0; attempt < kMostAttempts; ++attempt)
    {
      const ray::RandomWords r = draw(ray, attempt);
      const double u = signedUnit(r.word[0]), v = signedUnit(r.word[1]), s = u * u + v * v;
      if (!(s < 1) || !(s > 0))
        continue;
      const double to_circle = 1 / std::sqrt(s);
      x = u * to_circle;
      y = v * to_circle;
      w = ray::unit(r.word[2], r.word[3]);
      if (cone.kind != RayCone::FlatUniform || accept(x, y, ray, attempt))
        break;
    }
    if (cone.kind == RayCone::Gaussian)
      return gaussian(x, y, w);
    if (cone.kind == RayCone::FlatUniform)
      return flat(x, y, w);
    return towards(x, y, w * cone.sagitta);
  }

private:
  static constexpr std::uint32_t kMostAttempts = 100000, kSecondDraw = 0x80000000u;

  DEM_HD ray::RandomWords draw(std::uint32_t ray, std::uint32_t attempt) const
  {
    return ray::philox({ { ray, attempt, cone.sample, 0 } }, cone.seed, cone.nozzle);
  }

  // The direction with the azimuth (x, y) and the angle from the axis with cosine 1 - `sagitta`.
  DEM_HD Vec3d towards(double x, double y, double sagitta) const
  {
    const double sine = std::sqrt(sagitta * (2 - sagitta));
    return (1 - sagitta) * cone.axis + (sine * x) * cone.first + (sine * y) * cone.across;
  }

  // A point (x, y) of the circle belongs to the point (X, Y) = (tan_first x, tan_across y) of the
  // cone's edge on the plane at distance 1, at the distance rho from the axis. The solid angle of
  // the sector is proportional to (1 - cos) / rho^2 = 1 / (q (q + 1)), q^2 = 1 + rho^2.
  DEM_HD static double sectorWeight(double rho2)
  {
    const double q = std::sqrt(1 + rho2);
    return 1 / (q * (q + 1));
  }
  DEM_HD bool accept(double x, double y, std::uint32_t ray, std::uint32_t attempt) const
  {
    const ray::RandomWords r = draw(ray, attempt | kSecondDraw);
    const double X = cone.tan_first * x, Y = cone.tan_across * y,
                 least = cone.tan_first < cone.tan_across ? cone.tan_first : cone.tan_across;
    return ray::unit(r.word[0], r.word[1]) * sectorWeight(least * least) <
      sectorWeight(X * X + Y * Y);
  }
  DEM_HD Vec3d flat(double x, double y, double w) const
  {
    const double X = cone.tan_first * x, Y = cone.tan_across * y, rho2 = X * X + Y * Y,
                 rho = std::sqrt(rho2);
    return towards(X / rho, Y / rho, w * rho2 * sectorWeight(rho2));
  }

  // On the plane at distance 1 the density falls as exp(-2 r^2), r = 1 at the edge of the cone.
  DEM_HD Vec3d gaussian(double x, double y, double w) const
  {
    const double r = std::sqrt(-0.5 * ray::logarithm(1 - w * kInsideEdge));
    const Vec3d d =
      cone.axis + (cone.tan_first * r * x) * cone.first + (cone.tan_across * r * y) * cone.across;
    return (1 / std::sqrt(ray::dot(d, d))) * d;
  }
  static constexpr double kInsideEdge = 0.86466471676338730; // 1 - exp(-2)
};

} // namespace dem
