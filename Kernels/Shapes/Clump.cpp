#include "Shapes/Clump.h"

#include "Shapes/detail/ShapeTools.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dem
{
namespace
{

using detail::fail;
using detail::Moments;
using detail::text;

constexpr double pi = 3.14159265358979323846;

Moments sphereMoments(const Vec3d& c, double r)
{
  Moments m;
  m.volume = 4. / 3 * pi * r * r * r;
  m.first = m.volume * c;
  const double own = m.volume * r * r / 5;
  m.xx = own + m.volume * c.x * c.x;
  m.yy = own + m.volume * c.y * c.y;
  m.zz = own + m.volume * c.z * c.z;
  m.xy = m.volume * c.x * c.y;
  m.yz = m.volume * c.y * c.z;
  m.zx = m.volume * c.z * c.x;
  return m;
}

/// The part of a sphere beyond the plane at distance h from its centre along the unit vector e.
Moments capMoments(const Vec3d& c, double r, const Vec3d& e, double h)
{
  // integrals of powers of s over disks of radius^2 r^2 - s^2, s from h to r
  const auto between = [&](int power) {
    return (std::pow(r, power + 1) - std::pow(h, power + 1)) / (power + 1);
  };
  const double v = pi * (r * r * between(0) - between(2));
  const double first = pi * (r * r * between(1) - between(3));
  const double along = pi * (r * r * between(2) - between(4)); // s^2
  const double across = pi / 4 *
    (r * r * r * r * between(0) - 2 * r * r * between(2) + between(4)); // one direction in the disk
  Moments m;
  m.volume = v;
  m.first = v * c + first * e;
  const auto second = [&](int i, int j) {
    const double unit = i == j ? 1 : 0;
    return v * c[i] * c[j] + first * (c[i] * e[j] + e[i] * c[j]) + along * e[i] * e[j] +
      across * (unit - e[i] * e[j]);
  };
  m.xx = second(0, 0);
  m.yy = second(1, 1);
  m.zz = second(2, 2);
  m.xy = second(0, 1);
  m.yz = second(1, 2);
  m.zx = second(2, 0);
  return m;
}

/// The intersection of two spheres.
Moments lensMoments(const Vec3d& a, double ra, const Vec3d& b, double rb)
{
  const double d = length(b - a);
  if (d <= std::fabs(ra - rb))
    return ra < rb ? sphereMoments(a, ra) : sphereMoments(b, rb);
  const Vec3d e = (1 / d) * (b - a);
  const double h = (d * d + ra * ra - rb * rb) / (2 * d);
  Moments m = capMoments(a, ra, e, h);
  m.add(capMoments(b, rb, -e, d - h));
  return m;
}

/// Integrates over columns along z through the union, exactly along each column.
Moments columnMoments(
  const std::vector<Vec3d>& centers, const std::vector<double>& radii, int columns)
{
  Vec3d low = centers[0], high = centers[0];
  for (std::size_t i = 0; i < centers.size(); ++i)
    for (int k = 0; k < 3; ++k)
    {
      low[k] = std::min(low[k], centers[i][k] - radii[i]);
      high[k] = std::max(high[k], centers[i][k] + radii[i]);
    }
  const double hx = (high.x - low.x) / columns, hy = (high.y - low.y) / columns;
  Moments m;
  std::vector<std::pair<double, double>> spans;
  std::vector<std::size_t> near;
  for (int j = 0; j < columns; ++j)
  {
    const double y = low.y + (j + 0.5) * hy;
    near.clear();
    for (std::size_t s = 0; s < centers.size(); ++s)
      if (std::fabs(centers[s].y - y) < radii[s])
        near.push_back(s);
    for (int i = 0; i < columns; ++i)
    {
      const double x = low.x + (i + 0.5) * hx;
      spans.clear();
      for (const std::size_t s : near)
      {
        const double dx = x - centers[s].x, dy = y - centers[s].y,
                     left = radii[s] * radii[s] - dx * dx - dy * dy;
        if (left > 0)
        {
          const double half = std::sqrt(left);
          spans.emplace_back(centers[s].z - half, centers[s].z + half);
        }
      }
      std::sort(spans.begin(), spans.end());
      double top = -std::numeric_limits<double>::infinity();
      for (const auto& span : spans)
      {
        const double from = std::max(span.first, top), to = span.second;
        if (to <= from)
          continue;
        top = to;
        const double l = hx * hy * (to - from), z1 = 0.5 * (from + to),
                     z2 = (from * from + from * to + to * to) / 3;
        m.volume += l;
        m.first += l * Vec3d{ x, y, z1 };
        m.xx += l * x * x;
        m.yy += l * y * y;
        m.zz += l * z2;
        m.xy += l * x * y;
        m.yz += l * y * z1;
        m.zx += l * z1 * x;
      }
    }
  }
  return m;
}

} // namespace

namespace detail
{

Moments multiSphereMoments(
  const std::vector<Vec3d>& centers, const std::vector<double>& radii, double& error)
{
  const std::size_t n = centers.size();
  const auto meet = [&](std::size_t i, std::size_t j) {
    return length(centers[i] - centers[j]) < radii[i] + radii[j];
  };
  bool three = false;
  for (std::size_t i = 0; i < n && !three; ++i)
    for (std::size_t j = i + 1; j < n && !three; ++j)
      if (meet(i, j))
        for (std::size_t k = j + 1; k < n && !three; ++k)
          three = meet(i, k) && meet(j, k);
  error = 0;
  if (!three)
  {
    Moments m;
    for (std::size_t i = 0; i < n; ++i)
    {
      m.add(sphereMoments(centers[i], radii[i]));
      for (std::size_t j = 0; j < i; ++j)
        if (meet(i, j))
          m.add(lensMoments(centers[i], radii[i], centers[j], radii[j]), -1);
    }
    return m;
  }
  const Moments coarse = columnMoments(centers, radii, 400),
                m = columnMoments(centers, radii, 1200);
  // errors of columns shrink at least in proportion to their width
  error = std::max(std::fabs(m.volume - coarse.volume) / m.volume, 1e-6);
  return m;
}

} // namespace detail

Shape makeMultiSphere(
  const std::string& name, const std::vector<Vec3d>& centers, const std::vector<double>& radii)
{
  if (centers.size() != radii.size())
    fail(name,
      "there are " + std::to_string(centers.size()) + " centres and " +
        std::to_string(radii.size()) + " radii.");
  if (centers.empty() || centers.size() > kMaxShapeSpheres)
    fail(name,
      "a Multi-Sphere of " + std::to_string(centers.size()) + " spheres; it must have 1 to " +
        std::to_string(kMaxShapeSpheres) + ".");
  for (std::size_t i = 0; i < centers.size(); ++i)
  {
    if (!(radii[i] > 0) || !std::isfinite(radii[i]))
      fail(name,
        "the radius of sphere " + std::to_string(i) + " is " + text(radii[i]) +
          ", it must be above 0.");
    if (!std::isfinite(centers[i].x) || !std::isfinite(centers[i].y) ||
      !std::isfinite(centers[i].z))
      fail(name,
        "the centre of sphere " + std::to_string(i) + " is " + text(centers[i]) +
          ", it must be finite.");
    for (std::size_t j = 0; j < centers.size(); ++j)
      if (i != j && length(centers[i] - centers[j]) + radii[i] <= radii[j] &&
        (radii[i] < radii[j] || i > j))
        fail(name,
          "sphere " + std::to_string(i) + " lies within sphere " + std::to_string(j) +
            ": leave it out.");
  }
  Shape shape;
  shape.name = name;
  shape.kind = ShapeKind::MultiSphere;
  shape.centers = centers;
  shape.radii = radii;
  return detail::finished(shape);
}

} // namespace dem
