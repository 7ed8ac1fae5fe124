// Random numbers with the same bits on every machine: they use integer hashing, + - * / and sqrt,
// but no transcendental library functions. Used by the packings.
#pragma once

#include "Core/Vec.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace dem
{
namespace detail
{

/// Hash of 64 bits; each bit of the result depends on all bits of z.
inline std::uint64_t mix(std::uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// Counter-based generator: a number depends only on (seed, stream, index, draw).
class RandomStream
{
public:
  RandomStream(std::uint64_t seed, std::uint64_t stream)
    : key_(mix(seed + 0x9e3779b97f4a7c15ull * (stream + 1)))
  {
  }

  /// Uniform in [0, 1).
  double operator()(std::uint64_t index, std::uint64_t draw) const
  {
    const std::uint64_t a = mix(key_ + 0x9e3779b97f4a7c15ull * (index + 1));
    const std::uint64_t b = mix(a + 0xd1342543de82ef95ull * (draw + 1));
    return static_cast<double>(b >> 11) * 0x1p-53;
  }

private:
  std::uint64_t key_;
};

/// Random orientation, uniform over all orientations: a random point in the 4-dimensional unit
/// ball, projected to its surface.
inline Quaternion<double> randomOrientation(const RandomStream& random, std::uint64_t index)
{
  for (std::uint64_t draw = 0;; draw += 4)
  {
    double q[4], size2 = 0;
    for (int k = 0; k < 4; ++k)
    {
      q[k] = 2 * random(index, draw + k) - 1;
      size2 += q[k] * q[k];
    }
    if (size2 > 1e-4 && size2 <= 1)
    {
      const double s = 1 / std::sqrt(size2);
      return { s * q[0], s * q[1], s * q[2], s * q[3] };
    }
  }
}

/// ln x for x > 0, with the same bits on every machine.
inline double reproducibleLog(double x)
{
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752)
  {
    m *= 2;
    --exponent;
  }
  const double z = (m - 1) / (m + 1), z2 = z * z;
  double sum = 0;
  for (int k = 25; k >= 1; k -= 2)
  {
    sum = sum * z2 + 1.0 / k;
  }
  return exponent * 0.69314718055994531 + 2 * z * sum;
}

/// e^x, with the same bits on every machine; infinite above 700, 0 below -700.
inline double reproducibleExp(double x)
{
  if (x > 700 || x < -700)
  {
    return x > 0 ? std::numeric_limits<double>::infinity() : 0;
  }
  const double k = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = x - k * 0.69314718055994531;
  double sum = 1;
  for (int n = 18; n >= 1; --n)
  {
    sum = 1 + sum * r / n;
  }
  return std::ldexp(sum, static_cast<int>(k));
}

} // namespace detail
} // namespace dem
