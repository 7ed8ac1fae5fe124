#include "Scene/Packing/Packing.h"

#include "Core/Error.h"
#include "Scene/Packing/PackingLimits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <sstream>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace dem
{
namespace
{

constexpr double sphere_factor = 4.18879020478639098; // 4 pi / 3
constexpr double random_fill = 0.30;
constexpr double tolerance = 1e-9; // of a length, so that exactly touching counts as free

std::string text(double value)
{
  std::ostringstream out;
  out.precision(6);
  out << value;
  return out.str();
}

std::string text(const Vec3d& v)
{
  return "(" + text(v.x) + ", " + text(v.y) + ", " + text(v.z) + ")";
}

[[noreturn]] void fail(const std::string& what) { throw Error("Packing: " + what); }

bool finite(const Vec3d& v)
{
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// --- numbers that are the same on every machine: integer hashing, + - * / and sqrt, no library
// transcendentals ---

std::uint64_t mix(std::uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// Counter-based: the number depends on (seed, stream, index, draw) alone.
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

/// Uniform over all orientations: a point of the ball in four dimensions, brought to its surface.
Quaternion<double> randomOrientation(const RandomStream& random, std::uint64_t index)
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

double reproducibleLog(double x)
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

double reproducibleExp(double x)
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

// --- radii ---

class Radii
{
public:
  explicit Radii(const PackingSpec& spec)
    : spec_(spec)
    , random_(spec.seed, 0)
  {
    const auto positive = [](double r, const char* what) {
      if (!(r > 0) || !std::isfinite(r))
      {
        fail(std::string(what) + " is " + text(r) + " m; it must be a finite number above 0.");
      }
    };
    switch (spec.radius_kind)
    {
      case RadiusKind::Single:
        positive(spec.radius, "the radius");
        smallest_ = largest_ = spec.radius;
        break;
      case RadiusKind::Uniform:
      case RadiusKind::Normal:
      case RadiusKind::LogNormal:
        positive(spec.radius_min, "the smallest radius");
        positive(spec.radius_max, "the largest radius");
        if (spec.radius_min > spec.radius_max)
        {
          fail("the smallest radius (" + text(spec.radius_min) + " m) is above the largest (" +
            text(spec.radius_max) + " m); swap them.");
        }
        if (spec.radius_kind != RadiusKind::Uniform)
        {
          positive(spec.radius,
            spec.radius_kind == RadiusKind::Normal ? "the mean radius" : "the median radius");
          if (!(spec.radius_deviation >= 0) || !std::isfinite(spec.radius_deviation))
          {
            fail("the deviation of the radius is " + text(spec.radius_deviation) +
              "; it must be a finite number, 0 or above.");
          }
        }
        smallest_ = spec.radius_min;
        largest_ = spec.radius_max;
        break;
      case RadiusKind::Tabulated:
        readTable(positive);
        break;
      default:
        fail("unknown radius distribution " + std::to_string(static_cast<int>(spec.radius_kind)) +
          ".");
    }
  }

  double largest() const { return largest_; }
  double smallest() const { return smallest_; }

  double operator()(std::uint64_t index) const
  {
    switch (spec_.radius_kind)
    {
      case RadiusKind::Uniform:
        return std::min(largest_, smallest_ + (largest_ - smallest_) * random_(index, 0));
      case RadiusKind::Normal:
      case RadiusKind::LogNormal:
        return cut(index);
      case RadiusKind::Tabulated:
      {
        const double u = random_(index, 0) * cumulative_.back();
        const std::size_t i =
          std::upper_bound(cumulative_.begin(), cumulative_.end(), u) - cumulative_.begin();
        return spec_.table_radius[std::min(i, cumulative_.size() - 1)];
      }
      default:
        return spec_.radius;
    }
  }

private:
  template <class Check>
  void readTable(const Check& positive)
  {
    const auto& radius = spec_.table_radius;
    const auto& fraction = spec_.table_fraction;
    if (radius.empty() || radius.size() != fraction.size())
    {
      fail("the radius table has " + std::to_string(radius.size()) + " radii and " +
        std::to_string(fraction.size()) +
        " number fractions; it needs one fraction for each radius and at least one of them.");
    }
    double sum = 0;
    for (std::size_t i = 0; i < radius.size(); ++i)
    {
      const std::string which = "entry " + std::to_string(i) + " of the radius table";
      positive(radius[i], which.c_str());
      if (!(fraction[i] >= 0) || !std::isfinite(fraction[i]))
      {
        fail("the number fraction in " + which + " is " + text(fraction[i]) +
          "; it must be a finite number, 0 or above.");
      }
      sum += fraction[i];
      cumulative_.push_back(sum);
      if (fraction[i] > 0)
      {
        smallest_ = largest_ > 0 ? std::min(smallest_, radius[i]) : radius[i];
        largest_ = std::max(largest_, radius[i]);
      }
    }
    if (!(sum > 0) || !std::isfinite(sum))
    {
      fail("the number fractions of the radius table add up to " + text(sum) +
        "; at least one must be above 0.");
    }
  }

  // Marsaglia's polar method, repeated until the radius lies within the cut.
  double cut(std::uint64_t index) const
  {
    constexpr int tries = 4000;
    for (int i = 0; i < tries; ++i)
    {
      const double u = 2 * random_(index, 2 * i) - 1, v = 2 * random_(index, 2 * i + 1) - 1;
      const double s = u * u + v * v;
      if (s >= 1 || s == 0)
      {
        continue;
      }
      const double z = u * std::sqrt(-2 * reproducibleLog(s) / s);
      const double r = spec_.radius_kind == RadiusKind::Normal
        ? spec_.radius + spec_.radius_deviation * z
        : spec_.radius * reproducibleExp(spec_.radius_deviation * z);
      if (r >= smallest_ && r <= largest_)
      {
        return r;
      }
    }
    fail("hardly any radius of the " +
      std::string(spec_.radius_kind == RadiusKind::Normal ? "normal distribution around "
                                                          : "log-normal distribution around ") +
      text(spec_.radius) + " m with deviation " + text(spec_.radius_deviation) + " lies between " +
      text(smallest_) + " and " + text(largest_) + " m; widen these bounds or move them to the " +
      (spec_.radius_kind == RadiusKind::Normal ? "mean." : "median."));
  }

  const PackingSpec& spec_;
  RandomStream random_;
  double smallest_ = 0, largest_ = 0;
  std::vector<double> cumulative_;
};

// --- the closed surface ---

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

/// Inside test by the parity of crossings of a ray along +z. Crossings are decided in integers on x
/// and y snapped to 2^-30 of the surface's width, with ties broken as if the ray stood at (x + e, y
/// + e^2): each edge is decided alike for both of its triangles, so a closed surface never gives a
/// wrong parity. Heights are compared in floating point, which is safe because a point nearer to
/// the surface than its radius has been refused before.
class Region
{
public:
  Region(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles)
  {
    if (triangles.empty())
    {
      fail("the region has points but no triangles; give it a closed surface of triangles "
           "(ParaView: Triangulate).");
    }
    mergePoints(points, triangles);
    checkClosed();
    snap();
    bin();
  }

  const Vec3d& lower() const { return lower_; }
  const Vec3d& upper() const { return upper_; }

  bool contains(const Vec3d& p, double radius) const
  {
    for (int k = 0; k < 3; ++k)
    {
      if (!(p[k] - lower_[k] >= radius * (1 - tolerance)) ||
        !(upper_[k] - p[k] >= radius * (1 - tolerance)))
      {
        return false;
      }
    }
    return isClear(p, radius * (1 - tolerance)) && isInside(p);
  }

private:
  struct Cell
  {
    std::int64_t x, y;
  };

  void mergePoints(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles)
  {
    const auto less = [&](std::int32_t a, std::int32_t b) {
      const Vec3d &p = points[a], &q = points[b];
      return p.x != q.x ? p.x < q.x : (p.y != q.y ? p.y < q.y : p.z < q.z);
    };
    for (std::size_t i = 0; i < points.size(); ++i)
    {
      if (!finite(points[i]))
      {
        fail("point " + std::to_string(i) + " of the region is not finite; repair the surface.");
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
          fail("triangle " + std::to_string(t) + " of the region names point " + std::to_string(i) +
            ", but there are " + std::to_string(points.size()) + " points.");
        }
        corner[k] = merged[i];
      }
      // A triangle with two equal corners is a line: it neither closes nor opens anything.
      if (corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0])
      {
        triangles_.push_back(corner);
      }
    }
    if (triangles_.empty())
    {
      fail("all triangles of the region are degenerate; give it a closed surface.");
    }
  }

  void checkClosed() const
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
        fail("the region is not a closed surface: the edge from " + text(points_[edges[i].first]) +
          " to " + text(points_[edges[i].second]) + " belongs to " + std::to_string(j - i) +
          (j - i == 1 ? " triangle" : " triangles") +
          ", and each edge must join exactly two. Fill the hole, or take a surface that encloses a "
          "volume.");
      }
      i = j;
    }
  }

  void snap()
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
    if (!finite(size) || !(size.x > 0) || !(size.y > 0) || !(size.z > 0))
    {
      fail("the region encloses no volume: its size is " + text(size) + " m.");
    }
    scale_ = { snap_range / size.x, snap_range / size.y, 0 };
    if (!std::isfinite(scale_.x) || !std::isfinite(scale_.y))
    {
      fail("the region is too small to be used: its size is " + text(size) + " m.");
    }
    snapped_.reserve(points_.size());
    for (const Vec3d& p : points_)
    {
      snapped_.push_back(snapped(p));
    }
  }

  Cell snapped(const Vec3d& p) const
  {
    return { static_cast<std::int64_t>(std::floor((p.x - lower_.x) * scale_.x + 0.5)),
      static_cast<std::int64_t>(std::floor((p.y - lower_.y) * scale_.y + 0.5)) };
  }

  std::int64_t binOf(std::int64_t coordinate) const
  {
    return std::min<std::int64_t>(bins_ - 1, std::max<std::int64_t>(0, coordinate) >> shift_);
  }

  template <class Visit>
  void forBins(const std::array<std::int32_t, 3>& t, const Visit& visit) const
  {
    const Cell &a = snapped_[t[0]], &b = snapped_[t[1]], &c = snapped_[t[2]];
    const std::int64_t x0 = binOf(std::min({ a.x, b.x, c.x })),
                       x1 = binOf(std::max({ a.x, b.x, c.x }));
    const std::int64_t y0 = binOf(std::min({ a.y, b.y, c.y })),
                       y1 = binOf(std::max({ a.y, b.y, c.y }));
    visit(x0, x1, y0, y1);
  }

  // A square grid over x and y, as fine as keeps the lists short even for slivers that span the
  // whole surface.
  void bin()
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

  bool isClear(const Vec3d& p, double radius) const
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
            p.z - std::max({ u.z, v.z, w.z }) < radius &&
            distanceSquaredToTriangle(p, u, v, w) < r2)
          {
            return false;
          }
        }
      }
    }
    return true;
  }

  static std::int64_t area(const Cell& a, const Cell& b, const Cell& p)
  {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
  }

  static int side(const Cell& a, const Cell& b, std::int64_t doubled_area)
  {
    if (doubled_area == 0)
    {
      doubled_area = a.y != b.y ? a.y - b.y : b.x - a.x;
    }
    return doubled_area > 0 ? 1 : (doubled_area < 0 ? -1 : 0);
  }

  bool isInside(const Vec3d& p) const
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
      double z = (static_cast<double>(wa) * za + static_cast<double>(wb) * zb +
                   static_cast<double>(wc) * zc) /
        total;
      z = std::min(std::max({ za, zb, zc }), std::max(std::min({ za, zb, zc }), z));
      inside ^= z > p.z;
    }
    return inside;
  }

  static constexpr int snap_bits = 30;
  static constexpr double snap_range = 1 << snap_bits;

  std::vector<Vec3d> points_;
  std::vector<Cell> snapped_;
  std::vector<std::array<std::int32_t, 3>> triangles_;
  Vec3d lower_{}, upper_{}, scale_{};
  std::int64_t bins_ = 1;
  int shift_ = snap_bits;
  std::vector<std::size_t> start_;
  std::vector<std::int32_t> entries_;
};

// --- placing ---

/// How many particles this machine can hold at all: a packing asks for about this many bytes each.
std::int64_t memoryLimit()
{
  constexpr double bytes_each = 160;
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const double bytes =
    static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes > 0)
  {
    return static_cast<std::int64_t>(bytes / bytes_each);
  }
#endif
  return std::numeric_limits<std::int32_t>::max();
}

class Packer
{
public:
  Packer(const PackingSpec& spec, const PackingLimits& limits)
    : spec_(spec)
    , limits_(limits)
    , radii_(spec)
    , most_(std::min(limits.particles, memoryLimit()))
  {
    if (!spec.region_points.empty() || !spec.region_triangles.empty())
    {
      region_.emplace(spec.region_points, spec.region_triangles);
    }
    for (int k = 0; k < 3; ++k)
    {
      const double size = spec.upper[k] - spec.lower[k];
      const std::string axis(1, "xyz"[k]);
      if (!std::isfinite(size) || !(size > 0))
      {
        fail("the box reaches from " + text(spec.lower[k]) + " to " + text(spec.upper[k]) +
          " m along " + axis + "; the upper end must be above the lower one, both finite.");
      }
      if (size < 2 * radii_.largest() * (1 - tolerance))
      {
        fail("nothing fits: the box is " + text(size) + " m wide along " + axis +
          " and the largest grain has a diameter of " + text(2 * radii_.largest()) +
          " m. Enlarge the box or take smaller grains.");
      }
      if (size > 1e12 * radii_.smallest())
      {
        fail("the box is " + text(size) + " m wide along " + axis +
          " and the smallest grain has a radius of " + text(radii_.smallest()) +
          " m; their ratio is limited to 1e12. Take a smaller box or larger grains.");
      }
    }
    const double r_min = radii_.smallest(), r_max = radii_.largest();
    if (!(r_min * r_min * r_min > 0) || !std::isfinite(1e3 * r_max * r_max * r_max))
    {
      fail("grains with radii from " + text(r_min) + " to " + text(r_max) +
        " m have no volume that a number can hold.");
    }
    if (spec.count < 0)
    {
      fail(
        "the count is " + std::to_string(spec.count) + "; it must be 0 (as many as fit) or above.");
    }
    if (spec.count > most_)
    {
      tooMany(static_cast<double>(spec.count));
    }
    if (!(spec.spacing >= 0) || !std::isfinite(spec.spacing))
    {
      fail("the spacing is " + text(spec.spacing) +
        " m; it must be 0 (automatic) or a finite number above 0.");
    }
    if (!(spec.jitter >= 0 && spec.jitter <= 1))
    {
      fail("the jitter is " + text(spec.jitter) + "; it must lie between 0 and 1.");
    }
    if (!finite(spec.velocity) || !finite(spec.angular_velocity))
    {
      fail("the initial velocity or angular velocity is not finite.");
    }
    if (spec.material < 0)
    {
      fail("the material index is " + std::to_string(spec.material) + "; it must be 0 or above.");
    }
  }

  ParticleInput run()
  {
    switch (spec_.kind)
    {
      case PackingKind::Lattice:
      case PackingKind::JitteredLattice:
        lattice();
        break;
      case PackingKind::Random:
        random();
        break;
      default:
        fail("unknown kind of packing " + std::to_string(static_cast<int>(spec_.kind)) + ".");
    }
    const std::size_t n = out_.size();
    if (n == 0)
    {
      fail(std::string("nothing fits: no grain of radius ") + text(radii_.largest()) +
        " m lies wholly inside the " + (region_ ? "region and the box" : "box") +
        ". Enlarge it or take smaller grains.");
    }
    out_.material.assign(n, spec_.material);
    if (!(spec_.velocity == Vec3d{}))
    {
      out_.velocity.assign(n, spec_.velocity);
    }
    if (!(spec_.angular_velocity == Vec3d{}))
    {
      out_.angular_velocity.assign(n, spec_.angular_velocity);
    }
    return std::move(out_);
  }

private:
  [[noreturn]] void tooMany(double wanted) const
  {
    fail("it would hold " + text(wanted) + " grains, and at most " + std::to_string(most_) +
      " can be held in this machine's memory. Set a smaller count, take larger grains or a smaller "
      "box.");
  }

  [[noreturn]] void tooFew(const std::string& how) const
  {
    fail("only " + std::to_string(placed_) + " of " + std::to_string(spec_.count) +
      " grains could be placed" + how +
      ". Lower the count, enlarge the box or the region, or take smaller grains.");
  }

  void lattice()
  {
    const double r_max = radii_.largest();
    const double spacing = spec_.spacing > 0 ? spec_.spacing : 2.02 * r_max;
    if (spacing < 2 * r_max * (1 - tolerance))
    {
      fail("the spacing is " + text(spacing) + " m, less than the largest diameter (" +
        text(2 * r_max) +
        " m), so that grains would overlap. Use at least the diameter, or 0 for 2.02 radii.");
    }
    std::array<double, 3> sites{};
    Vec3d first{};
    std::array<std::int64_t, 3> begin{}, end{};
    double total = 1, seen = 1;
    for (int k = 0; k < 3; ++k)
    {
      const double room = std::max(0.0, spec_.upper[k] - spec_.lower[k] - 2 * r_max);
      sites[k] = std::floor(room / spacing + tolerance) + 1;
      total *= sites[k];
      const double rest = std::max(0.0, room - (sites[k] - 1) * spacing);
      // Centred in x and y; in z it stands on the floor, with the gap that it has between its
      // layers.
      first[k] = spec_.lower[k] + r_max +
        (k == 2 ? std::min(rest / 2, (spacing - 2 * r_max) / 2) : rest / 2);
      double low = 0, high = sites[k];
      if (region_)
      {
        low = std::max(low, std::floor((region_->lower()[k] - first[k]) / spacing));
        high = std::min(high, std::ceil((region_->upper()[k] - first[k]) / spacing) + 1);
      }
      seen *= std::max(0.0, high - low);
      if (high > 4e18)
      {
        tooMany(total);
      }
      begin[k] = static_cast<std::int64_t>(std::min(low, high));
      end[k] = static_cast<std::int64_t>(high);
    }
    const double wanted = spec_.count > 0 ? static_cast<double>(spec_.count) : seen;
    if (!region_)
    {
      if (spec_.count > 0 && total < wanted)
      {
        placed_ = static_cast<std::int64_t>(total);
        tooFew(" on a lattice of " + text(spacing) + " m spacing");
      }
      if (wanted > static_cast<double>(most_))
      {
        tooMany(wanted);
      }
      out_.position.reserve(static_cast<std::size_t>(wanted));
      out_.radius.reserve(static_cast<std::size_t>(wanted));
    }
    else if (seen > static_cast<double>(limits_.sites))
    {
      fail("the lattice has " + text(seen) +
        " sites within the bounds of the region, more than the " + std::to_string(limits_.sites) +
        " that are looked at. Take a larger spacing or larger grains.");
    }
    const RandomStream shift(spec_.seed, 1);
    const bool jittered = spec_.kind == PackingKind::JitteredLattice && spec_.jitter > 0;
    for (std::int64_t z = begin[2]; z < end[2]; ++z)
    {
      for (std::int64_t y = begin[1]; y < end[1]; ++y)
      {
        for (std::int64_t x = begin[0]; x < end[0]; ++x)
        {
          const std::uint64_t index =
            (static_cast<std::uint64_t>(z) * static_cast<std::uint64_t>(sites[1]) + y) *
              static_cast<std::uint64_t>(sites[0]) +
            x;
          const double r = radii_(index);
          const std::array<std::int64_t, 3> at{ x, y, z };
          Vec3d p;
          for (int k = 0; k < 3; ++k)
          {
            p[k] = first[k] + static_cast<double>(at[k]) * spacing;
            if (jittered)
            {
              p[k] += spec_.jitter * (spacing / 2 - r) * (2 * shift(index, k) - 1);
            }
            p[k] = std::max(spec_.lower[k] + r, std::min(spec_.upper[k] - r, p[k]));
          }
          if (region_ && !region_->contains(p, r))
          {
            continue;
          }
          if (placed_ == most_)
          {
            tooMany(static_cast<double>(placed_) + 1);
          }
          out_.position.push_back(p);
          out_.radius.push_back(r);
          if (++placed_ == spec_.count)
          {
            return;
          }
        }
      }
    }
    if (spec_.count > 0)
    {
      tooFew(" on a lattice of " + text(spacing) + " m spacing");
    }
  }

  /// The part of the box that is also in the region, m^3, and the box around that part.
  double freeVolume(Vec3d& lower, Vec3d& upper) const
  {
    lower = spec_.lower;
    upper = spec_.upper;
    for (int k = 0; region_ && k < 3; ++k)
    {
      lower[k] = std::max(lower[k], region_->lower()[k]);
      upper[k] = std::min(upper[k], region_->upper()[k]);
      if (upper[k] - lower[k] < 2 * radii_.largest() * (1 - tolerance))
      {
        fail("nothing fits: the region and the box share " +
          text(std::max(0.0, upper[k] - lower[k])) + " m along " + std::string(1, "xyz"[k]) +
          " and the largest grain has a diameter of " + text(2 * radii_.largest()) + " m.");
      }
    }
    const Vec3d size = upper - lower;
    const double volume = size.x * size.y * size.z;
    if (!region_)
    {
      return volume;
    }
    constexpr int samples = 16384;
    const RandomStream random(spec_.seed, 3);
    int hits = 0;
    for (int i = 0; i < samples; ++i)
    {
      const Vec3d p{ lower.x + size.x * random(i, 0), lower.y + size.y * random(i, 1),
        lower.z + size.z * random(i, 2) };
      hits += region_->contains(p, 0) ? 1 : 0;
    }
    return volume * std::max(hits, 1) / samples;
  }

  void random()
  {
    Vec3d lower, upper;
    const double volume = freeVolume(lower, upper);
    const Vec3d size = upper - lower;
    const double share = volume / (size.x * size.y * size.z);
    const double attempts = static_cast<double>(limits_.attempts) / std::max(share, 0.01);
    std::int64_t n = spec_.count;
    std::vector<double> radius;
    if (n > 0)
    {
      radius.reserve(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i)
      {
        radius.push_back(radii_(i));
      }
    }
    else
    {
      const double r = radii_.largest(), target = random_fill * volume;
      if (target / (sphere_factor * r * r * r) > static_cast<double>(most_))
      {
        tooMany(target / (sphere_factor * r * r * r));
      }
      double filled = 0;
      while (true)
      {
        const double next = radii_(radius.size());
        filled += sphere_factor * next * next * next;
        if (filled > target * (1 + tolerance) && !radius.empty())
        {
          break;
        }
        radius.push_back(next);
        if (static_cast<std::int64_t>(radius.size()) > most_)
        {
          tooMany(static_cast<double>(radius.size()));
        }
      }
      n = static_cast<std::int64_t>(radius.size());
    }
    // With no count to keep, a box that is too narrow for the usual fill gets fewer grains; the
    // first n radii drawn are an unbiased sample, the largest n that fit would not be.
    while (!place(radius, lower, upper, attempts))
    {
      if (spec_.count > 0)
      {
        tooFew(
          " at random without overlap (solid fraction reached: " + text(solid_ / volume) + ")");
      }
      n = std::min<std::int64_t>(n - 1, n * 9 / 10);
      if (n <= 0)
      {
        out_ = {};
        return;
      }
      radius.resize(static_cast<std::size_t>(n));
    }
  }

  // Random sequential addition, largest first, with a hashed grid for each factor of two in size.
  bool place(
    const std::vector<double>& radius, const Vec3d& lower, const Vec3d& upper, double attempts)
  {
    const std::size_t n = radius.size();
    std::vector<std::int32_t> order(n), next(n, -1);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
      [&](std::int32_t a, std::int32_t b) { return radius[a] > radius[b]; });
    std::size_t buckets = 16;
    while (buckets < 2 * n)
    {
      buckets *= 2;
    }
    std::vector<std::int32_t> head(buckets, -1);
    out_.radius = radius;
    out_.position.assign(n, Vec3d{});
    placed_ = 0;
    solid_ = 0;
    const RandomStream place(spec_.seed, 2);
    const double r_max = radius[order[0]];
    const auto bucket = [&](int level, std::int64_t x, std::int64_t y, std::int64_t z) {
      const std::uint64_t key = (static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15ull) ^
        (static_cast<std::uint64_t>(y) * 0xc2b2ae3d27d4eb4full) ^
        (static_cast<std::uint64_t>(z) * 0x165667b19e3779f9ull);
      return static_cast<std::size_t>(mix(key + static_cast<std::uint64_t>(level)) & (buckets - 1));
    };
    const auto cell = [](double x, double width) {
      return static_cast<std::int64_t>(std::floor(x / width));
    };
    int level = 0;
    double level_radius =
      r_max; // grains of a level have at most this radius and more than half of it
    for (const std::int32_t i : order)
    {
      const double r = radius[i];
      while (r <= level_radius / 2)
      {
        level_radius /= 2;
        ++level;
      }
      bool found = false;
      for (double attempt = 0; attempt < attempts && !found; ++attempt)
      {
        Vec3d p;
        for (int k = 0; k < 3; ++k)
        {
          const double room = std::max(0.0, upper[k] - lower[k] - 2 * r);
          p[k] = lower[k] + r +
            room *
              place(static_cast<std::uint64_t>(i), 3 * static_cast<std::uint64_t>(attempt) + k);
          p[k] = std::max(spec_.lower[k] + r, std::min(spec_.upper[k] - r, p[k]));
        }
        double big = r_max;
        bool free = true;
        for (int l = 0; l <= level && free; ++l, big /= 2)
        {
          const double width = 2 * big, reach = r + big;
          const Vec3d q = p - lower;
          const std::int64_t x0 = cell(q.x - reach, width), x1 = cell(q.x + reach, width);
          const std::int64_t y0 = cell(q.y - reach, width), y1 = cell(q.y + reach, width);
          const std::int64_t z0 = cell(q.z - reach, width), z1 = cell(q.z + reach, width);
          for (std::int64_t z = z0; z <= z1 && free; ++z)
          {
            for (std::int64_t y = y0; y <= y1 && free; ++y)
            {
              for (std::int64_t x = x0; x <= x1 && free; ++x)
              {
                for (std::int32_t j = head[bucket(l, x, y, z)]; j >= 0 && free; j = next[j])
                {
                  const Vec3d d = p - out_.position[j];
                  const double sum = r + radius[j];
                  free = dot(d, d) >= sum * sum;
                }
              }
            }
          }
        }
        if (free && (!region_ || region_->contains(p, r)))
        {
          const Vec3d q = p - lower;
          const double width = 2 * level_radius;
          const std::size_t b = bucket(level, cell(q.x, width), cell(q.y, width), cell(q.z, width));
          out_.position[i] = p;
          next[i] = head[b];
          head[b] = i;
          found = true;
        }
      }
      if (!found)
      {
        return false;
      }
      ++placed_;
      solid_ += sphere_factor * r * r * r;
    }
    return true;
  }

  const PackingSpec& spec_;
  PackingLimits limits_;
  Radii radii_;
  std::int64_t most_;
  std::optional<Region> region_;
  ParticleInput out_;
  std::int64_t placed_ = 0;
  double solid_ = 0;
};

} // namespace

ParticleInput makePacking(const PackingSpec& spec, const PackingLimits& limits)
{
  try
  {
    if (spec.shape == 0)
    {
      return Packer(spec, limits).run();
    }
    // spheres around the grains are packed; their radii are those of the spheres of equal volume
    PackingSpec around = spec;
    for (double* r : { &around.radius, &around.radius_min, &around.radius_max })
    {
      *r *= spec.reach;
    }
    around.spacing *= spec.reach;
    around.radius_deviation *= spec.radius_kind == RadiusKind::LogNormal ? 1 : spec.reach;
    for (double& r : around.table_radius)
    {
      r *= spec.reach;
    }
    ParticleInput out = Packer(around, limits).run();
    for (double& r : out.radius)
    {
      r /= spec.reach;
    }
    out.shape.assign(out.size(), spec.shape);
    const RandomStream random(spec.seed, 4);
    for (std::size_t i = 0; spec.turned && i < out.size(); ++i)
    {
      out.orientation.push_back(randomOrientation(random, i));
    }
    return out;
  }
  catch (const std::bad_alloc&)
  {
    fail("not enough memory for its grains. Set a smaller count, take larger grains or a smaller "
         "box.");
  }
}

ParticleInput makePacking(const PackingSpec& spec) { return makePacking(spec, PackingLimits{}); }

} // namespace dem
