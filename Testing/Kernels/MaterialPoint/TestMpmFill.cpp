// Bodies filled with points.
#include "MpmSupport.h"

namespace
{

using namespace test;

// The inside of closed surfaces, against the solid angle that they fill (Van Oosterom and Strackee
// 1983), point by point of the lattice.
TEST(MpmFill, FillsWhatASurfaceEncloses)
{
  std::vector<Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  const auto torus = [&](int n, int m, double large, double small, double tilt, const Vec3d& at) {
    const int base = static_cast<int>(points.size());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j)
      {
        const double u = 2 * M_PI * i / n, v = 2 * M_PI * j / m,
                     x = (large + small * std::cos(v)) * std::cos(u),
                     y = (large + small * std::cos(v)) * std::sin(u), z = small * std::sin(v);
        points.push_back(at +
          Vec3d{
            x, y * std::cos(tilt) - z * std::sin(tilt), y * std::sin(tilt) + z * std::cos(tilt) });
        const auto id = [&](int a, int b) { return base + a % n * m + b % m; };
        triangles.push_back({ id(i, j), id(i + 1, j), id(i + 1, j + 1) });
        triangles.push_back({ id(i, j), id(i + 1, j + 1), id(i, j + 1) });
      }
  };
  torus(16, 8, 1, 0.4, 0.3, {});
  torus(9, 6, 0.4, 0.2, 1.2, { 0.1, 2, 0.3 });
  const auto enclosed = [&](const Vec3d& x) {
    double angle = 0;
    for (const auto& t : triangles)
    {
      const Vec3d a = points[t[0]] - x, b = points[t[1]] - x, c = points[t[2]] - x;
      const double la = length(a), lb = length(b), lc = length(c);
      angle += 2 *
        std::atan2(
          dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return std::fabs(angle) > 2 * M_PI;
  };
  for (double jitter : { 0., 1. })
  {
    const mpm::PointInput filled = mpm::fillSurface(points, triangles, 0.2, 2, jitter, 3);
    for (const Vec3d& x : filled.position)
      ASSERT_TRUE(enclosed(x)) << x.x << ", " << x.y << ", " << x.z;
    std::size_t expected = 0;
    for (int i = -20; i < 20; ++i)
      for (int j = -20; j < 40; ++j)
        for (int k = -12; k < 12; ++k)
          expected += enclosed(0.1 * Vec3d{ i + 0.5, j + 0.5, k + 0.5 });
    if (jitter == 0)
      EXPECT_EQ(filled.size(), expected);
    else
      EXPECT_NEAR(double(filled.size()), double(expected), 0.03 * double(expected));
  }
}

} // namespace
