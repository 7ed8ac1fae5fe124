// The inverse of the coarsest level of the multigrid, by what defines it: A G A = A.
#include "Fluid/PoissonLevels.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace dem
{
namespace
{

/// A level of at most kDirectCells with its own memory.
struct OwnLevel
{
  std::vector<double> memory;
  PoissonLevel level{};

  OwnLevel(int x, int y, int z, bool periodic_x)
  {
    level.count[0] = x;
    level.count[1] = y;
    level.count[2] = z;
    level.periodic[0] = periodic_x;
    level.cells = static_cast<std::uint32_t>(x * y * z);
    memory.assign(9 * std::size_t(level.cells), 0.);
    double* next = memory.data();
    for (double** array : { &level.lower[0], &level.lower[1], &level.lower[2], &level.border,
           &level.diagonal, &level.damping, &level.right, &level.x, &level.other })
    {
      *array = next;
      next += level.cells;
    }
    for (std::uint32_t c = 0; c < level.cells; ++c)
    {
      int at[3];
      level.place(c, at);
      for (int k = 0; k < 3; ++k)
        if (at[k] > 0 || (level.periodic[k] && level.count[k] > 1))
          level.lower[k][c] = 0.3 + 0.1 * ((7 * c + 3 * static_cast<std::uint32_t>(k)) % 11);
    }
  }

  /// Closes all faces of a cell.
  void close(std::uint32_t c)
  {
    int at[3];
    level.place(c, at);
    std::uint32_t stride = 1;
    for (int k = 0; k < 3; ++k)
    {
      level.lower[k][c] = 0;
      if (at[k] + 1 < level.count[k])
        level.lower[k][c + stride] = 0;
      stride *= static_cast<std::uint32_t>(level.count[k]);
    }
  }

  std::vector<double> matrix()
  {
    const std::uint32_t n = level.cells;
    std::vector<double> a(n * n, 0.);
    for (std::uint32_t c = 0; c < n; ++c)
    {
      PoissonDiagonal{ level }(c);
      a[c * n + c] += level.diagonal[c];
      int at[3];
      level.place(c, at);
      level.forNeighbors(
        c, at, [&](std::uint32_t other, const int(&)[3], double w) { a[c * n + other] -= w; });
    }
    return a;
  }

  void expectInverse()
  {
    const std::vector<double> a = matrix();
    const std::uint32_t n = level.cells;
    std::vector<double> inverse(kInverseNumbers);
    invertCoarsest(level, inverse.data());
    double most = 0;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j)
      {
        double sum = 0;
        for (std::uint32_t k = 0; k < n; ++k)
          for (std::uint32_t l = 0; l < n; ++l)
            sum += a[i * n + k] * inverse[k * kDirectCells + l] * a[l * n + j];
        most = std::max(most, std::fabs(sum - a[i * n + j]));
        EXPECT_NEAR(inverse[i * kDirectCells + j], inverse[j * kDirectCells + i],
          1e-9 * std::fabs(inverse[i * kDirectCells + i]) + 1e-12);
      }
    EXPECT_LT(most, 1e-11);
  }
};

TEST(Poisson, InverseWithAnOutlet)
{
  OwnLevel own(4, 2, 4, false);
  for (std::uint32_t c = 24; c < 32; ++c)
    own.level.border[c] = 0.8;
  own.expectInverse();
  // With an outlet the matrix has full rank: G A = 1.
  const std::vector<double> a = own.matrix();
  std::vector<double> inverse(kInverseNumbers);
  invertCoarsest(own.level, inverse.data());
  for (std::uint32_t i = 0; i < 32; ++i)
    for (std::uint32_t j = 0; j < 32; ++j)
    {
      double sum = 0;
      for (std::uint32_t k = 0; k < 32; ++k)
        sum += inverse[i * kDirectCells + k] * a[k * 32 + j];
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12);
    }
}

TEST(Poisson, InverseOfAClosedSpace)
{
  OwnLevel(3, 3, 3, false).expectInverse();
  OwnLevel(4, 1, 7, true).expectInverse();
  OwnLevel(1, 1, 1, false).expectInverse();
  OwnLevel(2, 1, 1, true).expectInverse();
}

TEST(Poisson, InverseWithClosedCells)
{
  OwnLevel own(5, 1, 5, false);
  for (const std::uint32_t c : { 2u, 7u, 12u, 17u, 22u, 5u }) // two spaces, and a closed cell
    own.close(c);
  own.expectInverse();
}

} // namespace
} // namespace dem
