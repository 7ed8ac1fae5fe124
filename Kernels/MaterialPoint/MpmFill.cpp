#include "MaterialPoint/MpmFill.h"

#include "Core/Text.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace mpm
{

using dem::isFinite;
using dem::number;
using dem::require;
namespace
{

// The lattice cells of a box. Each cell has a random generator of its own, so that its point does
// not depend on the order of visits. fill() calls body.layer(z), then body.row(y), then
// body.inside(x, point), with cells counted from `first`.
struct Lattice
{
  double edge;
  std::array<std::int64_t, 3> first, count;
};
template <class Body>
PointInput fill(const Vec3d& lower, const Vec3d& upper, double spacing, int per_axis, double jitter,
  std::uint64_t seed, Body&& body)
{
  require(std::isfinite(spacing) && spacing > 0,
    "The spacing of the cells to fill must be above 0, it is " + number(spacing) + " m.");
  require(per_axis >= 1 && per_axis <= 16,
    "Points per axis of a cell must lie in [1, 16], they are " + std::to_string(per_axis) + ".");
  require(jitter >= 0 && jitter <= 1, "Jitter must lie in [0, 1], it is " + number(jitter) + ".");
  const double a = spacing / per_axis;
  std::array<std::int64_t, 3> first{}, count{};
  double total = 1;
  for (int k = 0; k < 3; ++k)
  {
    require(upper[k] > lower[k],
      "There is nothing to fill between " + number(lower) + " and " + number(upper) + ".");
    // the lattice is fixed in space, so that bodies that are filled separately fit together
    first[k] = static_cast<std::int64_t>(std::floor(lower[k] / a + 1e-9));
    count[k] = static_cast<std::int64_t>(std::ceil(upper[k] / a - 1e-9)) - first[k];
    total *= static_cast<double>(count[k]);
  }
  require(
    total < 4.2e9, "Filling would make up to " + number(total) + " points. Use a larger spacing.");
  PointInput out;
  body.begin(Lattice{ a, first, count });
  for (std::int64_t z = 0; z < count[2]; ++z)
  {
    body.layer(z);
    for (std::int64_t y = 0; y < count[1]; ++y)
    {
      if (!body.row(y))
        continue;
      for (std::int64_t x = 0; x < count[0]; ++x)
      {
        std::uint64_t h = seed * 0x9e3779b97f4a7c15ull +
          static_cast<std::uint64_t>((z * count[1] + y) * count[0] + x);
        const auto next = [&h] { // splitmix64 (Steele et al. 2014)
          h += 0x9e3779b97f4a7c15ull;
          std::uint64_t v = h;
          v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9ull;
          v = (v ^ v >> 27) * 0x94d049bb133111ebull;
          return static_cast<double>((v ^ v >> 31) >> 11) * 0x1p-53;
        };
        const std::int64_t c[3] = { x, y, z };
        Vec3d p;
        for (int k = 0; k < 3; ++k)
          p[k] = (static_cast<double>(first[k] + c[k]) + 0.5 + jitter * (next() - 0.5)) * a;
        if (body.inside(x, p))
          out.position.push_back(p);
      }
    }
  }
  out.volume.assign(out.position.size(), a * a * a);
  return out;
}

struct InBox
{
  Vec3d lower, upper;
  void begin(const Lattice&) {}
  void layer(std::int64_t) {}
  bool row(std::int64_t) { return true; }
  bool inside(std::int64_t, const Vec3d& p) const
  {
    return p.x >= lower.x && p.x <= upper.x && p.y >= lower.y && p.y <= upper.y && p.z >= lower.z &&
      p.z <= upper.z;
  }
};

// The inside of a closed surface: a ray along x meets the surface an odd number of times. Rays are
// shifted by 1e-7 of a lattice step, so that they avoid the edges of meshes that are lattices
// themselves. An edge counts for one of its triangles, because both compute the same side of it. In
// a run of cells without triangles nearby one test holds for all cells, so the number of tests
// grows with the surface and not with the volume.
class InSurface
{
public:
  InSurface(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles)
  {
    for (const auto& t : triangles)
    {
      Triangle r{ points[t[0]], points[t[1]], points[t[2]], {}, {} };
      for (int k = 0; k < 3; ++k)
      {
        r.low[k] = std::min({ r.a[k], r.b[k], r.c[k] });
        r.high[k] = std::max({ r.a[k], r.b[k], r.c[k] });
      }
      all_.push_back(r);
    }
  }

  void begin(const Lattice& l)
  {
    lattice_ = l;
    cell_.resize(static_cast<std::size_t>(l.count[0]));
    rows_.resize(static_cast<std::size_t>(l.count[1]));
    by_low_.resize(all_.size());
    std::iota(by_low_.begin(), by_low_.end(), 0u);
    std::sort(by_low_.begin(), by_low_.end(),
      [&](std::uint32_t u, std::uint32_t v) { return all_[u].low.z < all_[v].low.z; });
  }

  void layer(std::int64_t z)
  {
    const double margin = 1e-6 * lattice_.edge;
    low_z_ = static_cast<double>(lattice_.first[2] + z) * lattice_.edge - margin;
    high_z_ = low_z_ + lattice_.edge + 2 * margin;
    active_.erase(std::remove_if(active_.begin(), active_.end(),
                    [&](std::uint32_t t) { return all_[t].high.z < low_z_; }),
      active_.end());
    for (; next_ < by_low_.size() && all_[by_low_[next_]].low.z <= high_z_; ++next_)
      if (all_[by_low_[next_]].high.z >= low_z_)
        active_.push_back(by_low_[next_]);
    for (auto& r : rows_)
      r.clear();
    for (std::uint32_t t : active_)
      for (std::int64_t y = cellOf(all_[t].low.y - margin, 1);
           y <= cellOf(all_[t].high.y + margin, 1); ++y)
        rows_[static_cast<std::size_t>(y)].push_back(t);
  }

  bool row(std::int64_t y)
  {
    row_ = &rows_[static_cast<std::size_t>(y)];
    if (row_->empty())
      return false;
    std::fill(cell_.begin(), cell_.end(), kFar);
    const double margin = 1e-6 * lattice_.edge,
                 low_y = static_cast<double>(lattice_.first[1] + y) * lattice_.edge - margin,
                 high_y = low_y + lattice_.edge + 2 * margin;
    for (std::uint32_t t : *row_)
    {
      const Triangle& r = all_[t];
      double low = r.low.x, high = r.high.x;
      const Vec3d n = cross(r.b - r.a, r.c - r.a);
      if (std::fabs(n.x) >
        1e-3 * length(n)) // within this row its plane spans less than the triangle
      {
        double from = 1e300, to = -1e300;
        for (double py : { std::max(low_y, r.low.y), std::min(high_y, r.high.y) })
          for (double pz : { std::max(low_z_, r.low.z), std::min(high_z_, r.high.z) })
          {
            const double x = r.a.x - (n.y * (py - r.a.y) + n.z * (pz - r.a.z)) / n.x;
            from = std::min(from, x);
            to = std::max(to, x);
          }
        low = std::max(low, from);
        high = std::min(high, to);
      }
      for (std::int64_t x = cellOf(low - margin - 1e-9 * std::fabs(low), 0);
           x <= cellOf(high + margin + 1e-9 * std::fabs(high), 0); ++x)
        cell_[static_cast<std::size_t>(x)] = kNear;
    }
    known_ = false;
    return true;
  }

  bool inside(std::int64_t x, const Vec3d& q)
  {
    if (cell_[static_cast<std::size_t>(x)] == kNear)
    {
      known_ = false;
      return test(q);
    }
    if (!known_)
      answer_ = test(q);
    known_ = true;
    return answer_;
  }

private:
  struct Triangle
  {
    Vec3d a, b, c, low, high;
  };
  static constexpr char kFar = 0, kNear = 1;

  std::int64_t cellOf(double x, int axis) const
  {
    const double c = std::floor(x / lattice_.edge) - static_cast<double>(lattice_.first[axis]);
    return static_cast<std::int64_t>(
      std::clamp(c, 0., static_cast<double>(lattice_.count[axis] - 1)));
  }

  bool test(const Vec3d& q) const
  {
    const double py = q.y + 1.2345e-7 * lattice_.edge, pz = q.z + 2.3456e-7 * lattice_.edge;
    bool in = false;
    for (std::uint32_t t : *row_)
    {
      const Triangle& r = all_[t];
      if (py < r.low.y || py > r.high.y || pz < r.low.z || pz > r.high.z || q.x > r.high.x)
        continue;
      const auto side =
        [&](const Vec3d& u,
          const Vec3d& v) { // the neighbour computes the same number with the opposite sign
          return u.y < v.y || (u.y == v.y && u.z < v.z)
            ? (v.y - u.y) * (pz - u.z) - (v.z - u.z) * (py - u.y)
            : -((u.y - v.y) * (pz - v.z) - (u.z - v.z) * (py - v.y));
        };
      const double sa = side(r.b, r.c), sb = side(r.c, r.a), sc = side(r.a, r.b);
      if (!((sa > 0 && sb > 0 && sc > 0) || (sa < 0 && sb < 0 && sc < 0)))
        continue;
      const double x = (sa * r.a.x + sb * r.b.x + sc * r.c.x) / (sa + sb + sc);
      in = in != (x > q.x);
    }
    return in;
  }

  std::vector<Triangle> all_;
  Lattice lattice_{};
  std::vector<std::uint32_t> by_low_,
    active_; // all triangles in ascending lower z; those of the present layer
  std::size_t next_ = 0;
  double low_z_ = 0, high_z_ = 0;
  std::vector<std::vector<std::uint32_t>> rows_; // of the present layer
  const std::vector<std::uint32_t>* row_ = nullptr;
  std::vector<char> cell_; // of the present row
  bool known_ = false, answer_ = false;
};

/// Throws dem::Error if all facets of a part of the surface occur an even number of times: by the
/// number of crossings, such a part has no inside. `number`: of each point, equal for equal places.
/// Two parts may share a facet, because their other facets occur once.
void requireSingleFacets(const std::vector<std::uint32_t>& number,
  const std::vector<std::array<std::int32_t, 3>>& triangles)
{
  std::vector<std::array<std::uint32_t, 3>> facets;
  std::vector<std::uint32_t> root(number.size());
  for (std::uint32_t i = 0; i < root.size(); ++i)
    root[i] = i;
  const auto rootOf = [&](std::uint32_t i) {
    while (root[i] != i)
      i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& t : triangles)
  {
    std::array<std::uint32_t, 3> f{ number[t[0]], number[t[1]], number[t[2]] };
    root[rootOf(f[1])] = rootOf(f[0]);
    root[rootOf(f[2])] = rootOf(f[0]);
    std::sort(f.begin(), f.end());
    if (f[0] != f[1] && f[1] != f[2])
      facets.push_back(f);
  }
  std::sort(facets.begin(), facets.end());
  std::vector<std::uint32_t> twice(root.size(), 0), other(root.size(), 0);
  for (std::size_t k = 0, end; k < facets.size(); k = end)
  {
    for (end = k + 1; end < facets.size() && facets[end] == facets[k];)
      ++end;
    ++((end - k) % 2 == 0 ? twice : other)[rootOf(facets[k][0])];
  }
  for (std::size_t i = 0; i < root.size(); ++i)
    require(twice[i] == 0 || other[i] > 0,
      "The surface to fill has no inside: " + std::to_string(twice[i]) +
        " facets of a part of it occur twice. Connect that part once, or remove the copies.");
}

} // namespace

PointInput fillBox(const Vec3d& lower, const Vec3d& upper, double spacing, int per_axis,
  double jitter, std::uint64_t seed)
{
  return fill(lower, upper, spacing, per_axis, jitter, seed, InBox{ lower, upper });
}

PointInput fillSurface(const std::vector<Vec3d>& points,
  const std::vector<std::array<std::int32_t, 3>>& triangles, double spacing, int per_axis,
  double jitter, std::uint64_t seed)
{
  require(!triangles.empty(), "The surface to fill has no triangles.");
  // points at the same place are one point
  std::vector<std::uint32_t> order(points.size()), number(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i)
  {
    require(isFinite(points[i]),
      "A point of the surface to fill is not finite: " + dem::number(points[i]) + ".");
    order[i] = i;
  }
  const auto place = [&](std::uint32_t i) {
    return std::array<double, 3>{ points[i].x, points[i].y, points[i].z };
  };
  std::sort(order.begin(), order.end(),
    [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  for (std::size_t k = 0; k < order.size(); ++k)
    number[order[k]] =
      k > 0 && place(order[k]) == place(order[k - 1]) ? number[order[k - 1]] : order[k];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  Vec3d lower{ 1e300, 1e300, 1e300 }, upper{ -1e300, -1e300, -1e300 };
  for (const auto& t : triangles)
  {
    for (int k = 0; k < 3; ++k)
      require(t[k] >= 0 && static_cast<std::size_t>(t[k]) < points.size(),
        "The surface to fill refers to point " + std::to_string(t[k]) + ", which is not there.");
    for (int k = 0; k < 3; ++k)
    {
      const std::uint32_t a = number[t[k]], b = number[t[(k + 1) % 3]];
      if (a != b)
        edges.push_back({ std::min(a, b), std::max(a, b) });
      for (int q = 0; q < 3; ++q)
      {
        lower[q] = std::min(lower[q], points[t[k]][q]);
        upper[q] = std::max(upper[q], points[t[k]][q]);
      }
    }
  }
  requireSingleFacets(number, triangles);
  std::sort(edges.begin(), edges.end());
  for (std::size_t k = 0; k < edges.size();)
  {
    std::size_t end = k + 1;
    while (end < edges.size() && edges[end] == edges[k])
      ++end;
    require((end - k) % 2 == 0,
      "The surface to fill is an open surface, it is not closed: the edge at " +
        dem::number(points[edges[k].first]) + " has " + std::to_string(end - k) +
        (end - k == 1 ? " triangle" : " triangles") +
        ". Use Clean and Fill Holes, or a closed surface.");
    k = end;
  }
  return fill(lower, upper, spacing, per_axis, jitter, seed, InSurface(points, triangles));
}

} // namespace mpm
