#include "Shapes/ClumpFit.h"

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
using detail::text;

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

/// A grid over the box of the triangles, with `resolution` cells along its longest edge.
Cells gridOver(
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
  return cells;
}

/// Heights at which columns of cells along z intersect the surface, ascending. Columns are offset
/// from the cell centres by an odd fraction of a cell, so that they meet no edge.
std::vector<std::vector<double>> columnCrossings(
  const Cells& cells, const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles)
{
  const Vec3d& low = cells.low;
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
  for (std::vector<double>& z : crossings)
    std::sort(z.begin(), z.end());
  return crossings;
}

/// Distance of points to a surface, with bounds that skip far triangles.
class SurfaceDistance
{
public:
  SurfaceDistance(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles)
    : points_(points)
    , triangles_(triangles)
    , middle_(triangles.size())
    , reach_(triangles.size())
  {
    for (std::size_t t = 0; t < triangles.size(); ++t)
    {
      const Vec3d a = points[triangles[t][0]], b = points[triangles[t][1]],
                  c = points[triangles[t][2]];
      middle_[t] = (1. / 3) * (a + b + c);
      reach_[t] =
        std::max({ length(a - middle_[t]), length(b - middle_[t]), length(c - middle_[t]) });
    }
  }

  /// The distance of p, or `bound` if that is less.
  double within(const Vec3d& p, double bound) const
  {
    double best = bound;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
    {
      const Vec3d d = p - middle_[t];
      const double far = best + reach_[t];
      if (dot(d, d) < far * far)
        best = std::min(best,
          length(p -
            nearestPoint(
              points_[triangles_[t][0]], points_[triangles_[t][1]], points_[triangles_[t][2]], p)));
    }
    return best;
  }

private:
  const std::vector<Vec3d>& points_;
  const std::vector<Triangle>& triangles_;
  std::vector<Vec3d> middle_;
  std::vector<double> reach_; // of each triangle's corners from its middle
};

/// The cells inside a closed surface, and the distances of their centres to it.
Cells cellsInside(
  const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles, int resolution)
{
  Cells cells = gridOver(points, triangles, resolution);
  const std::vector<std::vector<double>> crossings = columnCrossings(cells, points, triangles);
  const SurfaceDistance surface(points, triangles);
  for (int j = 0; j < cells.n[1]; ++j)
    for (int i = 0; i < cells.n[0]; ++i)
    {
      const std::vector<double>& z = crossings[static_cast<std::size_t>(j) * cells.n[0] + i];
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
        bound = surface.within(p, bound + cells.h); // bound from the cell below
        cells.distance[cells.at(i, j, k)] = bound;
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

/// Greedy choice of spheres about cell centres, by the number of uncovered cells that they cover.
class SphereCover
{
public:
  SphereCover(
    const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles, const Cells& cells)
    : points_(points)
    , triangles_(triangles)
    , cells_(cells)
    , covered_(cells.inside.size(), 0)
  {
    for (int k = 0; k < cells.n[2]; ++k)
      for (int j = 0; j < cells.n[1]; ++j)
        for (int i = 0; i < cells.n[0]; ++i)
          if (cells.inside[cells.at(i, j, k)])
          {
            ++left_;
            const double r = cells.distance[cells.at(i, j, k)] / cells.h;
            queue_.push({ std::pow(2 * r + 2, 3), i, j, k });
          }
  }

  /// Number of cells that no sphere covers.
  std::size_t left() const { return left_; }
  bool hasCandidates() const { return !queue_.empty(); }
  const std::vector<Vec3d>& centers() const { return centers_; }
  const std::vector<double>& radii() const { return radii_; }

  /// Takes the first candidate: adds its sphere if it is the best, else returns it to the queue
  /// with its present gain, or drops it.
  void tryNext()
  {
    Candidate best = queue_.top();
    queue_.pop();
    std::size_t gain = 0;
    Vec3d center = cells_.center(best.i, best.j, best.k);
    double r = cells_.distance[cells_.at(best.i, best.j, best.k)];
    visitCells(center, r, [&](std::size_t cell) { gain += covered_[cell] == 0; });
    if (gain == 0)
      return;
    best.gain = static_cast<double>(gain);
    if (!queue_.empty() && best < queue_.top())
    {
      queue_.push(best);
      return;
    }
    if (!(r > 0))
      return;
    centreInCell(points_, triangles_, cells_.h, center, r);
    visitCells(center, r, [&](std::size_t cell) {
      left_ -= covered_[cell] == 0;
      covered_[cell] = 1;
    });
    for (std::size_t s = 0; s < centers_.size(); ++s)
      if (length(center - centers_[s]) + r <= radii_[s])
        return;
    centers_.push_back(center);
    radii_.push_back(r);
  }

private:
  // The gain of a sphere only shrinks as others are added, so an earlier value is an upper bound.
  // Most candidates need not be counted again.
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

  /// Calls call(cell) for each cell of the solid whose centre is in the sphere.
  template <class Call>
  void visitCells(const Vec3d& center, double radius, const Call& call) const
  {
    const Vec3d at = (1 / cells_.h) * (center - cells_.low) - Vec3d{ 0.5, 0.5, 0.5 };
    const double r = radius / cells_.h;
    const auto from = [&](int axis) {
      return std::max(0, static_cast<int>(std::ceil(at[axis] - r)));
    };
    const auto to = [&](int axis) {
      return std::min(cells_.n[axis] - 1, static_cast<int>(std::floor(at[axis] + r)));
    };
    for (int c = from(2); c <= to(2); ++c)
      for (int b = from(1); b <= to(1); ++b)
        for (int a = from(0); a <= to(0); ++a)
        {
          const Vec3d d = Vec3d{ double(a), double(b), double(c) } - at;
          if (dot(d, d) <= r * r && cells_.inside[cells_.at(a, b, c)])
            call(cells_.at(a, b, c));
        }
  }

  const std::vector<Vec3d>& points_;
  const std::vector<Triangle>& triangles_;
  const Cells& cells_;
  std::vector<char> covered_;
  std::priority_queue<Candidate> queue_;
  std::size_t left_ = 0;
  std::vector<Vec3d> centers_;
  std::vector<double> radii_;
};

void checkFit(const std::string& name, const ClumpFit& fit)
{
  if (fit.spheres < 1 || fit.spheres > kMaxShapeSpheres)
    fail(name,
      "Spheres is " + std::to_string(fit.spheres) + ", it must be from 1 to " +
        std::to_string(kMaxShapeSpheres) + ".");
  if (fit.cells < 8 || fit.cells > 256)
    fail(name, "Cells is " + std::to_string(fit.cells) + ", it must be from 8 to 256.");
  if (!(fit.accuracy >= 0) || fit.accuracy >= 1)
    fail(name, "Accuracy is " + text(fit.accuracy) + ", it must be from 0 to below 1.");
}

} // namespace

Shape makeMultiSphere(const std::string& name, const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, const ClumpFit& fit,
  ClumpQuality* quality)
{
  checkFit(name, fit);
  checkSurface(name, points, triangles);
  const Cells cells = cellsInside(points, triangles, fit.cells);
  SphereCover cover(points, triangles, cells);
  const std::size_t total = cover.left();
  if (total == 0)
    fail(name,
      "no cell of size " + text(cells.h) + " has its centre inside of the surface. Raise Cells, " +
        std::to_string(fit.cells) + ".");
  const double enough = fit.accuracy * static_cast<double>(total);
  while (static_cast<int>(cover.centers().size()) < fit.spheres && cover.hasCandidates() &&
    static_cast<double>(cover.left()) > enough)
    cover.tryNext();
  if (cover.centers().empty())
    fail(name, "no sphere fits into the surface. Raise Cells, " + std::to_string(fit.cells) + ".");
  Shape shape = makeMultiSphere(name, cover.centers(), cover.radii());
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
