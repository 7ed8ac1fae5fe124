// Checks a closed surface, and tests whether spheres are inside.
#include "Scene/Packing/Region.h"

#include "Scene/Packing/Text.h"

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace dem
{
namespace detail
{
namespace
{

double distanceSquaredToSegment(const Vec3d& p, const Vec3d& a, const Vec3d& b)
{
  const Vec3d ab = b - a, ap = p - a;
  const double l2 = dot(ab, ab);
  const double t = l2 > 0 ? std::min(1.0, std::max(0.0, dot(ap, ab) / l2)) : 0.0;
  const Vec3d d = ap - t * ab;
  return dot(d, d);
}

double distanceSquaredToTriangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
  const Vec3d n = cross(b - a, c - a);
  const double n2 = dot(n, n);
  if (n2 > 0 && dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 &&
    dot(cross(a - c, p - c), n) >= 0)
  {
    const double h = dot(p - a, n);
    return h * h / n2;
  }
  return std::min({ distanceSquaredToSegment(p, a, b), distanceSquaredToSegment(p, b, c),
    distanceSquaredToSegment(p, c, a) });
}

} // namespace

Region::Region(
  const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles)
{
  if (triangles.empty())
  {
    failPacking("the region has points but no triangles; give it a closed surface of triangles "
                "(ParaView: Triangulate).");
  }
  mergePoints(points, triangles);
  checkClosed();
  snap();
  bin();
}

bool Region::contains(const Vec3d& p, double radius) const
{
  for (int k = 0; k < 3; ++k)
  {
    if (!(p[k] - lower_[k] >= radius * (1 - kTolerance)) ||
      !(upper_[k] - p[k] >= radius * (1 - kTolerance)))
    {
      return false;
    }
  }
  return isClear(p, radius * (1 - kTolerance)) && isInside(p);
}

void Region::mergePoints(
  const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles)
{
  const auto less = [&](std::int32_t a, std::int32_t b) {
    const Vec3d &p = points[a], &q = points[b];
    return p.x != q.x ? p.x < q.x : (p.y != q.y ? p.y < q.y : p.z < q.z);
  };
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    if (!isFinite(points[i]))
    {
      failPacking(
        "point " + std::to_string(i) + " of the region is not finite; repair the surface.");
    }
  }
  std::vector<std::int32_t> order(points.size()), merged(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), less);
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    if (i == 0 || less(order[i - 1], order[i]))
    {
      points_.push_back(points[order[i]]);
    }
    merged[order[i]] = static_cast<std::int32_t>(points_.size()) - 1;
  }
  for (std::size_t t = 0; t < triangles.size(); ++t)
  {
    std::array<std::int32_t, 3> corner{};
    for (int k = 0; k < 3; ++k)
    {
      const std::int32_t i = triangles[t][k];
      if (i < 0 || static_cast<std::size_t>(i) >= points.size())
      {
        failPacking("triangle " + std::to_string(t) + " of the region names point " +
          std::to_string(i) + ", but there are " + std::to_string(points.size()) + " points.");
      }
      corner[k] = merged[i];
    }
    // Skip triangles with two equal corners: they are lines and do not bound a volume.
    if (corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0])
    {
      triangles_.push_back(corner);
    }
  }
  if (triangles_.empty())
  {
    failPacking("all triangles of the region are degenerate; give it a closed surface.");
  }
}

void Region::checkClosed() const
{
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  edges.reserve(3 * triangles_.size());
  for (const auto& t : triangles_)
  {
    for (int k = 0; k < 3; ++k)
    {
      edges.push_back(std::minmax(t[k], t[(k + 1) % 3]));
    }
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i < edges.size();)
  {
    std::size_t j = i;
    while (j < edges.size() && edges[j] == edges[i])
    {
      ++j;
    }
    if (j - i != 2)
    {
      failPacking("the region is not a closed surface: the edge from " +
        number(points_[edges[i].first]) + " to " + number(points_[edges[i].second]) +
        " belongs to " + std::to_string(j - i) + (j - i == 1 ? " triangle" : " triangles") +
        ", and each edge must join exactly two. Fill the hole, or take a surface that encloses a "
        "volume.");
    }
    i = j;
  }
}

void Region::snap()
{
  lower_ = upper_ = points_[triangles_[0][0]];
  for (const auto& t : triangles_)
  {
    for (const std::int32_t i : t)
    {
      for (int k = 0; k < 3; ++k)
      {
        lower_[k] = std::min(lower_[k], points_[i][k]);
        upper_[k] = std::max(upper_[k], points_[i][k]);
      }
    }
  }
  const Vec3d size = upper_ - lower_;
  if (!isFinite(size) || !(size.x > 0) || !(size.y > 0) || !(size.z > 0))
  {
    failPacking("the region encloses no volume: its size is " + number(size) + " m.");
  }
  scale_ = { snap_range / size.x, snap_range / size.y, 0 };
  if (!std::isfinite(scale_.x) || !std::isfinite(scale_.y))
  {
    failPacking("the region is too small to be used: its size is " + number(size) + " m.");
  }
  snapped_.reserve(points_.size());
  for (const Vec3d& p : points_)
  {
    snapped_.push_back(snapped(p));
  }
}

Region::Cell Region::snapped(const Vec3d& p) const
{
  return { static_cast<std::int64_t>(std::floor((p.x - lower_.x) * scale_.x + 0.5)),
    static_cast<std::int64_t>(std::floor((p.y - lower_.y) * scale_.y + 0.5)) };
}

std::int64_t Region::binOf(std::int64_t coordinate) const
{
  return std::min<std::int64_t>(bins_ - 1, std::max<std::int64_t>(0, coordinate) >> shift_);
}

void Region::bin()
{
  const std::uint64_t most = 24 * triangles_.size() + 1024;
  for (int bits = 10; bits >= 0; --bits)
  {
    bins_ = std::int64_t(1) << bits;
    shift_ = snap_bits - bits;
    if (bits > 0 && static_cast<std::size_t>(bins_ * bins_) > 4 * triangles_.size() + 16)
    {
      continue;
    }
    std::uint64_t entries = 0;
    for (const auto& t : triangles_)
    {
      forBins(t, [&](std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1) {
        entries += static_cast<std::uint64_t>((x1 - x0 + 1) * (y1 - y0 + 1));
      });
    }
    if (entries <= most || bits == 0)
    {
      break;
    }
  }
  start_.assign(bins_ * bins_ + 1, 0);
  const auto each = [&](const auto& use) {
    for (std::size_t i = 0; i < triangles_.size(); ++i)
    {
      forBins(
        triangles_[i], [&](std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1) {
          for (std::int64_t y = y0; y <= y1; ++y)
          {
            for (std::int64_t x = x0; x <= x1; ++x)
            {
              use(static_cast<std::size_t>(y * bins_ + x), static_cast<std::int32_t>(i));
            }
          }
        });
    }
  };
  each([&](std::size_t cell, std::int32_t) { ++start_[cell + 1]; });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  entries_.resize(start_.back());
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  each([&](std::size_t cell, std::int32_t i) { entries_[next[cell]++] = i; });
}

bool Region::isClear(const Vec3d& p, double radius) const
{
  const Vec3d reach{ radius, radius, radius };
  const Cell a = snapped(p - reach), b = snapped(p + reach);
  const double r2 = radius * radius;
  const std::int64_t x0 = binOf(a.x - 1), x1 = binOf(b.x + 1), y0 = binOf(a.y - 1),
                     y1 = binOf(b.y + 1);
  for (std::int64_t y = y0; y <= y1; ++y)
  {
    for (std::int64_t x = x0; x <= x1; ++x)
    {
      const std::size_t cell = static_cast<std::size_t>(y * bins_ + x);
      for (std::size_t e = start_[cell]; e < start_[cell + 1]; ++e)
      {
        const auto& t = triangles_[entries_[e]];
        const Vec3d &u = points_[t[0]], &v = points_[t[1]], &w = points_[t[2]];
        if (std::min({ u.z, v.z, w.z }) - p.z < radius &&
          p.z - std::max({ u.z, v.z, w.z }) < radius && distanceSquaredToTriangle(p, u, v, w) < r2)
        {
          return false;
        }
      }
    }
  }
  return true;
}

std::int64_t Region::area(const Cell& a, const Cell& b, const Cell& p)
{
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

int Region::side(const Cell& a, const Cell& b, std::int64_t doubled_area)
{
  if (doubled_area == 0)
  {
    doubled_area = a.y != b.y ? a.y - b.y : b.x - a.x;
  }
  return doubled_area > 0 ? 1 : (doubled_area < 0 ? -1 : 0);
}

bool Region::isInside(const Vec3d& p) const
{
  const Cell q = snapped(p);
  const std::size_t cell = static_cast<std::size_t>(binOf(q.y) * bins_ + binOf(q.x));
  bool inside = false;
  for (std::size_t e = start_[cell]; e < start_[cell + 1]; ++e)
  {
    const auto& t = triangles_[entries_[e]];
    const Cell &a = snapped_[t[0]], &b = snapped_[t[1]], &c = snapped_[t[2]];
    const std::int64_t wa = area(b, c, q), wb = area(c, a, q), wc = area(a, b, q);
    const int s = side(b, c, wa);
    if (s == 0 || side(c, a, wb) != s || side(a, b, wc) != s)
    {
      continue;
    }
    const double za = points_[t[0]].z, zb = points_[t[1]].z, zc = points_[t[2]].z;
    const double total = static_cast<double>(wa + wb + wc);
    double z =
      (static_cast<double>(wa) * za + static_cast<double>(wb) * zb + static_cast<double>(wc) * zc) /
      total;
    z = std::min(std::max({ za, zb, zc }), std::max(std::min({ za, zb, zc }), z));
    inside ^= z > p.z;
  }
  return inside;
}

} // namespace detail
} // namespace dem
