// Random numbers of the tests. They are the same on every platform; those of the distributions of
// std are not.
#pragma once

#include "Core/Vec.h"

#include <cstdint>
#include <random>

namespace test
{

/// Uniform in [a, b).
inline double uniform(std::mt19937& random, double a, double b)
{
  return a + (b - a) * (random() / 4294967296.0);
}

/// The same with a generator of its own.
class Uniform
{
public:
  explicit Uniform(std::uint32_t seed)
    : random_(seed)
  {
  }
  /// In [a, b).
  double operator()(double a, double b) { return uniform(random_, a, b); }
  /// Each component in [a, b).
  dem::Vec3d vector(double a, double b)
  {
    const double x = (*this)(a, b), y = (*this)(a, b), z = (*this)(a, b);
    return { x, y, z };
  }
  /// An integer in [0, n).
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

private:
  std::mt19937 random_;
};

} // namespace test
