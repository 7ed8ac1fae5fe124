// The overlap of a sphere and boxes against quadrature and closed forms.
#include "AnalysisSupport.h"

#include "Analysis/SphereBoxOverlap.cuh"

#include <array>
#include <numeric>

using namespace test;

namespace
{

/// Volumes of the unit sphere in the cells of a grid, x fastest.
std::vector<double> inCells(const std::array<std::vector<double>, 3>& planes)
{
  int n[3];
  for (int k = 0; k < 3; ++k)
  {
    n[k] = static_cast<int>(planes[k].size()) - 1;
  }
  std::vector<double> volumes(std::size_t(n[0]) * n[1] * n[2]);
  dem::unitSphereInCells(
    n, [&](int k, int i) { return planes[k][i]; },
    [&](const int(&cell)[3], double volume) {
      volumes[(std::size_t(cell[2]) * n[1] + cell[1]) * n[0] + cell[0]] += volume;
    });
  return volumes;
}

/// Volume of the unit sphere in a box.
double inBox(const Vec3d& lower, const Vec3d& upper)
{
  return inCells(
    { std::vector<double>{ lower.x, upper.x }, { lower.y, upper.y }, { lower.z, upper.z } })[0];
}

} // namespace

TEST(SphereBoxOverlap, AgreesWithARaster)
{
  Uniform uniform(3);
  for (int t = 0; t < 200; ++t)
  {
    Vec3d lower, upper;
    for (int k = 0; k < 3; ++k)
    {
      const double a = uniform(-1.2, 1.2), b = uniform(-1.2, 1.2);
      lower[k] = std::min(a, b);
      upper[k] = std::max(a, b);
    }
    EXPECT_NEAR(inBox(lower, upper), overlapByRaster(1, lower, upper, 400), 1e-4) << t;
  }
}

TEST(SphereBoxOverlap, HasItsClosedForms)
{
  const double v = 4. / 3 * M_PI, far = 9;
  EXPECT_NEAR(inBox({ -far, -far, -far }, { far, far, far }), v, 1e-14);
  EXPECT_NEAR(inBox({ 0, 0, 0 }, { far, far, far }), v / 8, 1e-14);
  EXPECT_NEAR(inBox({ 0, -far, 0 }, { far, far, far }), v / 4, 1e-14);
  for (double a : { -0.99, -0.5, 0.0, 0.3, 0.999999 }) // a cap of height 1 - a
  {
    const double h = 1 - a;
    EXPECT_NEAR(inBox({ a, -far, -far }, { far, far, far }), M_PI * h * h * (3 - h) / 3, 1e-14);
  }
  EXPECT_NEAR(
    inBox({ -0.1, -0.2, 0.1 }, { 0.3, 0.1, 0.4 }), 0.4 * 0.3 * 0.3, 1e-15); // the box is inside
  EXPECT_EQ(inBox({ 0.6, 0.6, 0.6 }, { 2, 2, 2 }), 0);                      // beyond the corner
  EXPECT_EQ(inBox({ 1, -far, -far }, { 2, far, far }), 0);
  EXPECT_GT(inBox({ 0.57, 0.57, 0.57 }, { 2, 2, 2 }), 0);
}

TEST(SphereBoxOverlap, PartsOfASphereAddUpToIt)
{
  Uniform uniform(4);
  for (int t = 0; t < 300; ++t)
  {
    std::array<std::vector<double>, 3> planes;
    for (auto& p : planes)
    {
      const double h = uniform(0.15, 2.5);
      for (double x = -1 - uniform(0, h); p.empty() || p.back() < 1; x += h * uniform(0.5, 1))
      {
        p.push_back(t % 10 == 0 && std::abs(x) < 0.1 ? 0 : x); // some planes through the centre
      }
    }
    const std::vector<double> cells = inCells(planes);
    EXPECT_NEAR(std::accumulate(cells.begin(), cells.end(), 0.), 4. / 3 * M_PI, 1e-13);
    // a cell of the grid has the volume of the box alone
    const std::size_t nx = planes[0].size() - 1, ny = planes[1].size() - 1;
    for (std::size_t c = 0; c < cells.size(); ++c)
    {
      const std::size_t i = c % nx, j = c / nx % ny, k = c / nx / ny;
      EXPECT_NEAR(cells[c],
        inBox({ planes[0][i], planes[1][j], planes[2][k] },
          { planes[0][i + 1], planes[1][j + 1], planes[2][k + 1] }),
        1e-13);
    }
  }
}
