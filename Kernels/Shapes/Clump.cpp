// Multi-spheres from a table or from a surface; volume, centre and inertia of their union.
#include "Shapes/detail/ShapeTools.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>

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

using Triangle = std::array<std::int32_t, 3>;

Vec3d nearestPoint(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p)
{
  const Vec3d ab = b - a, ac = c - a, n = cross(ab, ac), ap = p - a;
  const double n2 = dot(n, n);
  const double w1 = dot(cross(ap, ac), n) / n2, w2 = dot(cross(ab, ap), n) / n2;
  if (w1 >= 0 && w2 >= 0 && w1 + w2 <= 1)
    return a + w1 * ab + w2 * ac;
  Vec3d best = a;
  double best2 = std::numeric_limits<double>::infinity();
  const Vec3d corner[3] = { a, b, c };
  for (int k = 0; k < 3; ++k)
  {
    const Vec3d u = corner[k], e = corner[(k + 1) % 3] - u;
    const double t = std::min(1.0, std::max(0.0, dot(p - u, e) / dot(e, e)));
    const Vec3d q = u + t * e, d = p - q;
    if (dot(d, d) < best2)
    {
      best2 = dot(d, d);
      best = q;
    }
  }
  return best;
}

/// The cells of a uniform grid whose centres are inside a closed surface.
struct Cells
{
  Vec3d low;
  double h;
  int n[3];
  std::vector<char> inside;
  std::vector<double> distance; // of cell centres to the surface

  std::size_t at(int i, int j, int k) const
  {
    return (static_cast<std::size_t>(k) * n[1] + j) * n[0] + i;
  }
  Vec3d center(int i, int j, int k) const { return low + h * Vec3d{ i + 0.5, j + 0.5, k + 0.5 }; }
};

double distanceTo(
  const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles, const Vec3d& p)
{
  double best2 = std::numeric_limits<double>::infinity();
  for (const Triangle& t : triangles)
  {
    const Vec3d d = p - nearestPoint(points[t[0]], points[t[1]], points[t[2]], p);
    best2 = std::min(best2, dot(d, d));
  }
  return std::sqrt(best2);
}

/// Moves the centre of a sphere within its cell of size h to enlarge the sphere, towards the medial
/// axis.
void centreInCell(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles,
  double h, Vec3d& center, double& radius)
{
  const Vec3d start = center;
  for (double step = std::min(0.25 * h, 0.5 * radius); step > 1e-3 * h;)
  {
    bool better = false;
    // all 26 directions: if several walls are equally near, only some lead away from all of them
    for (int k = 0; k < 27; ++k)
    {
      const Vec3d p = center + step * Vec3d{ k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0 };
      const Vec3d moved = p - start;
      if (std::max({ std::fabs(moved.x), std::fabs(moved.y), std::fabs(moved.z) }) >
        0.5 * h * (1 + 1e-9))
        continue;
      const double r = distanceTo(points, triangles, p);
      if (r > radius)
      {
        center = p;
        radius = r;
        better = true;
      }
    }
    if (!better)
      step *= 0.5;
  }
}

Cells cellsInside(
  const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles, int resolution)
{
  Vec3d low = points[triangles[0][0]], high = low;
  for (const Triangle& t : triangles)
    for (const std::int32_t v : t)
      for (int k = 0; k < 3; ++k)
      {
        low[k] = std::min(low[k], points[v][k]);
        high[k] = std::max(high[k], points[v][k]);
      }
  Cells cells;
  const Vec3d size = high - low;
  cells.h = std::max({ size.x, size.y, size.z }) / resolution;
  cells.low = low;
  for (int k = 0; k < 3; ++k)
    cells.n[k] = std::max(1, static_cast<int>(std::ceil(size[k] / cells.h * (1 - 1e-12))));
  const std::size_t count = static_cast<std::size_t>(cells.n[0]) * cells.n[1] * cells.n[2];
  cells.inside.assign(count, 0);
  cells.distance.assign(count, 0);

  // Intersections of columns along z with the surface. Columns are offset from the cell centres by
  // an odd fraction of a cell, so that they meet no edge.
  std::vector<std::vector<double>> crossings(static_cast<std::size_t>(cells.n[0]) * cells.n[1]);
  const double ox = 1.2345e-5 * cells.h, oy = 2.3456e-5 * cells.h;
  for (const Triangle& t : triangles)
  {
    const Vec3d a = points[t[0]], b = points[t[1]], c = points[t[2]];
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area == 0)
      continue;
    const auto index = [&](double v, double from) { return (v - from) / cells.h - 0.5; };
    const int i0 = std::max(
                0, static_cast<int>(std::floor(index(std::min({ a.x, b.x, c.x }), low.x)))),
              i1 = std::min(cells.n[0] - 1,
                static_cast<int>(std::ceil(index(std::max({ a.x, b.x, c.x }), low.x)))),
              j0 = std::max(
                0, static_cast<int>(std::floor(index(std::min({ a.y, b.y, c.y }), low.y)))),
              j1 = std::min(cells.n[1] - 1,
                static_cast<int>(std::ceil(index(std::max({ a.y, b.y, c.y }), low.y))));
    for (int j = j0; j <= j1; ++j)
      for (int i = i0; i <= i1; ++i)
      {
        const double x = low.x + (i + 0.5) * cells.h + ox, y = low.y + (j + 0.5) * cells.h + oy;
        const double w1 = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
        const double w2 = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area;
        if (w1 >= 0 && w2 >= 0 && w1 + w2 <= 1)
          crossings[static_cast<std::size_t>(j) * cells.n[0] + i].push_back(
            a.z + w1 * (b.z - a.z) + w2 * (c.z - a.z));
      }
  }
  std::vector<Vec3d> middle(triangles.size());
  std::vector<double> reach(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
  {
    const Vec3d a = points[triangles[t][0]], b = points[triangles[t][1]],
                c = points[triangles[t][2]];
    middle[t] = (1. / 3) * (a + b + c);
    reach[t] = std::max({ length(a - middle[t]), length(b - middle[t]), length(c - middle[t]) });
  }
  for (int j = 0; j < cells.n[1]; ++j)
    for (int i = 0; i < cells.n[0]; ++i)
    {
      std::vector<double>& z = crossings[static_cast<std::size_t>(j) * cells.n[0] + i];
      std::sort(z.begin(), z.end());
      double bound = std::numeric_limits<double>::infinity();
      for (int k = 0; k < cells.n[2]; ++k)
      {
        const Vec3d p = cells.center(i, j, k);
        const auto below = std::lower_bound(z.begin(), z.end(), p.z) - z.begin();
        if (below % 2 == 0)
        {
          bound += cells.h;
          continue;
        }
        cells.inside[cells.at(i, j, k)] = 1;
        double best = bound + cells.h; // bound from the cell below
        for (std::size_t t = 0; t < triangles.size(); ++t)
        {
          const Vec3d d = p - middle[t];
          const double far = best + reach[t];
          if (dot(d, d) < far * far)
            best = std::min(best,
              length(p -
                nearestPoint(
                  points[triangles[t][0]], points[triangles[t][1]], points[triangles[t][2]], p)));
        }
        bound = best;
        cells.distance[cells.at(i, j, k)] = best;
      }
    }
  return cells;
}

void checkSurface(
  const std::string& name, const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles)
{
  if (points.empty() || triangles.empty())
    fail(name, "the surface has no triangles.");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y) || !std::isfinite(points[i].z))
      fail(name,
        "point " + std::to_string(i) + " of the surface is at " + text(points[i]) +
          ", it must be finite.");
  Vec3d low = points.front(), high = low;
  for (const Vec3d& p : points)
    for (int k = 0; k < 3; ++k)
    {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  const Vec3d size = high - low;
  // volumes and moments of inertia outside this range overflow or underflow
  const double longest = std::max({ size.x, size.y, size.z });
  if (!(longest > 1e-50 && longest < 1e50))
    fail(name,
      "the surface is " + text(longest) +
        " m long; it must be longer than 1e-50 m and shorter than 1e50 m. "
        "Scale it to the size of a grain.");
  std::map<std::pair<std::int32_t, std::int32_t>, int> edges;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
    {
      const std::int32_t u = triangles[t][k], v = triangles[t][(k + 1) % 3];
      if (u < 0 || u >= static_cast<std::int32_t>(points.size()))
        fail(name,
          "triangle " + std::to_string(t) + " has point " + std::to_string(u) + "; there are " +
            std::to_string(points.size()) + ".");
      ++edges[{ std::min(u, v), std::max(u, v) }];
    }
  for (const auto& e : edges)
    if (e.second % 2 != 0)
      fail(name,
        "the surface is open: the edge between points " + std::to_string(e.first.first) + " and " +
          std::to_string(e.first.second) + " belongs to " + std::to_string(e.second) +
          " triangles. Close the surface.");
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

Shape makeMultiSphere(const std::string& name, const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, const ClumpFit& fit,
  ClumpQuality* quality)
{
  if (fit.spheres < 1 || fit.spheres > kMaxShapeSpheres)
    fail(name,
      "Spheres is " + std::to_string(fit.spheres) + ", it must be from 1 to " +
        std::to_string(kMaxShapeSpheres) + ".");
  if (fit.cells < 8 || fit.cells > 256)
    fail(name, "Cells is " + std::to_string(fit.cells) + ", it must be from 8 to 256.");
  if (!(fit.accuracy >= 0) || fit.accuracy >= 1)
    fail(name, "Accuracy is " + text(fit.accuracy) + ", it must be from 0 to below 1.");
  checkSurface(name, points, triangles);
  const Cells cells = cellsInside(points, triangles, fit.cells);
  const std::size_t total =
    static_cast<std::size_t>(std::count(cells.inside.begin(), cells.inside.end(), 1));
  if (total == 0)
    fail(name,
      "no cell of size " + text(cells.h) + " has its centre inside of the surface. Raise Cells, " +
        std::to_string(fit.cells) + ".");

  // The gain of a sphere only shrinks as others are added, so an earlier value is an upper bound.
  // Most candidates need not be counted again.
  std::vector<char> covered(cells.inside.size(), 0);
  struct Candidate
  {
    double gain;
    int i, j, k;
    bool operator<(const Candidate& o) const
    {
      return gain != o.gain ? gain < o.gain
                            : std::array<int, 3>{ i, j, k } > std::array<int, 3>{ o.i, o.j, o.k };
    }
  };
  std::priority_queue<Candidate> queue;
  const auto visit = [&](const Vec3d& center, double radius, const auto& call) {
    const Vec3d at = (1 / cells.h) * (center - cells.low) - Vec3d{ 0.5, 0.5, 0.5 };
    const double r = radius / cells.h;
    const auto from = [&](int axis) {
      return std::max(0, static_cast<int>(std::ceil(at[axis] - r)));
    };
    const auto to = [&](int axis) {
      return std::min(cells.n[axis] - 1, static_cast<int>(std::floor(at[axis] + r)));
    };
    for (int c = from(2); c <= to(2); ++c)
      for (int b = from(1); b <= to(1); ++b)
        for (int a = from(0); a <= to(0); ++a)
        {
          const Vec3d d = Vec3d{ double(a), double(b), double(c) } - at;
          if (dot(d, d) <= r * r && cells.inside[cells.at(a, b, c)])
            call(cells.at(a, b, c));
        }
  };
  for (int k = 0; k < cells.n[2]; ++k)
    for (int j = 0; j < cells.n[1]; ++j)
      for (int i = 0; i < cells.n[0]; ++i)
        if (cells.inside[cells.at(i, j, k)])
        {
          const double r = cells.distance[cells.at(i, j, k)] / cells.h;
          queue.push({ std::pow(2 * r + 2, 3), i, j, k });
        }
  std::vector<Vec3d> centers;
  std::vector<double> radii;
  std::size_t left = total;
  const double enough = fit.accuracy * static_cast<double>(total);
  while (static_cast<int>(centers.size()) < fit.spheres && !queue.empty() &&
    static_cast<double>(left) > enough)
  {
    Candidate best = queue.top();
    queue.pop();
    std::size_t gain = 0;
    Vec3d center = cells.center(best.i, best.j, best.k);
    double r = cells.distance[cells.at(best.i, best.j, best.k)];
    visit(center, r, [&](std::size_t cell) { gain += covered[cell] == 0; });
    if (gain == 0)
      continue;
    best.gain = static_cast<double>(gain);
    if (!queue.empty() && best < queue.top())
    {
      queue.push(best);
      continue;
    }
    if (!(r > 0))
      continue;
    centreInCell(points, triangles, cells.h, center, r);
    visit(center, r, [&](std::size_t cell) {
      left -= covered[cell] == 0;
      covered[cell] = 1;
    });
    bool within = false;
    for (std::size_t s = 0; s < centers.size(); ++s)
      within = within || length(center - centers[s]) + r <= radii[s];
    if (!within)
    {
      centers.push_back(center);
      radii.push_back(r);
    }
  }
  if (centers.empty())
    fail(name, "no sphere fits into the surface. Raise Cells, " + std::to_string(fit.cells) + ".");
  Shape shape = makeMultiSphere(name, centers, radii);
  double solid = 0;
  for (const auto& t : triangles)
    solid += dot(points[t[0]], cross(points[t[1]], points[t[2]])) / 6;
  solid = std::fabs(solid);
  shape.lost_volume = 1 - shape.mass.volume / solid; // the spheres are inside the solid
  if (quality)
  {
    quality->volume = solid;
    quality->missing = shape.lost_volume;
  }
  return shape;
}

} // namespace dem
