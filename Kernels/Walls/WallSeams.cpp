// Finds the seams of walls: pairs of elements that are near each other without common corners.
#include "Walls/WallSeams.h"

#include "Core/CpuExec.h"
#include "Walls/WallTrees.cuh"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace dem
{
namespace
{

/// Squared distance of two segments. C. Ericson, Real-Time Collision Detection (2005), 5.1.9.
double segmentDistance2(const Vec3d& p1, const Vec3d& q1, const Vec3d& p2, const Vec3d& q2)
{
  const auto unit = [](double v) { return std::clamp(v, 0., 1.); };
  const Vec3d d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r), c = dot(d1, r), b = dot(d1, d2);
  const double denominator = a * e - b * b;
  double s = denominator > 1e-12 * a * e ? unit((b * f - c * e) / denominator) : 0;
  double t = (b * s + f) / e;
  if (t < 0 || t > 1)
  {
    t = unit(t);
    s = unit((b * t - c) / a);
  }
  const Vec3d apart = (p1 + s * d1) - (p2 + t * d2);
  return dot(apart, apart);
}

std::array<Vec3d, 3> corners(const WallElement& t) { return { t.a, t.b, t.c }; }

double longestEdge(const WallElement& t)
{
  return std::max({ length(t.b - t.a), length(t.c - t.b), length(t.a - t.c) });
}

/// Whether two triangles are nearer than `gap` anywhere except at their common corner or edge.
bool meetUnmerged(const WallElement& e, const WallElement& o, double gap)
{
  bool common_e[3] = {}, common_o[3] = {};
  int common = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (e.wall == o.wall && e.vertex[i] == o.vertex[j])
      {
        common_e[i] = common_o[j] = true;
        ++common;
      }
  if (common == 3)
    return true;
  const auto a = corners(e), b = corners(o);
  for (int k = 0; k < 3; ++k)
    if ((!common_o[k] && closestOnTriangle(e, b[k]).distance2 <= gap * gap) ||
      (!common_e[k] && closestOnTriangle(o, a[k]).distance2 <= gap * gap))
      return true;
  if (common)
    return false; // edges that cross at an angle start no seam
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (segmentDistance2(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]) <= gap * gap)
        return true;
  return false;
}

/// Sample points of an analytic surface where another element may join it.
std::vector<Vec3d> rims(const WallElement& e)
{
  std::vector<Vec3d> out{ e.a };
  if (e.kind == ElementKind::Plane)
    return out;
  out.push_back(e.b);
  if (e.kind == ElementKind::Line)
    return out;
  out.clear();
  const Vec3d axis = normalized(e.b - e.a), u = anyPerpendicular(axis), v = cross(axis, u);
  constexpr int kPlaces = 8;
  for (int k = 0; k < kPlaces; ++k)
  {
    const double at = 2 * 3.14159265358979323846 * k / kPlaces;
    const Vec3d out_there = std::cos(at) * u + std::sin(at) * v;
    out.push_back(e.a + e.radius_a * out_there);
    out.push_back(e.b + e.radius_b * out_there);
  }
  return out;
}

bool onElement(const WallElement& e, const Vec3d& p, double gap)
{
  return closestOnElement(e, p).distance2 <= gap * gap;
}

/// Whether a triangle meets an analytic surface at a corner at less than 15 degrees. Sharper seams,
/// such as a drum's mantle on its end planes, keep a contact on each side.
bool meetsSmoothly(const WallElement& triangle, const WallElement& surface, double gap)
{
  const Vec3d own = normalized(cross(triangle.b - triangle.a, triangle.c - triangle.a));
  for (const Vec3d& p : corners(triangle))
  {
    if (!onElement(surface, p, gap))
      continue;
    if (surface.kind == ElementKind::Line)
      return true;
    Vec3d normal = surface.b;
    if (surface.kind != ElementKind::Plane)
    {
      const Vec3d along = surface.b - surface.a, axis = normalized(along),
                  from_axis = (p - surface.a) - dot(p - surface.a, axis) * axis;
      if (length(from_axis) <= gap)
        return true; // the tip of a cone has no normal
      normal = normalized(
        length(along) * normalized(from_axis) - (surface.radius_b - surface.radius_a) * axis);
    }
    if (std::fabs(dot(own, normal)) > kSmoothSeamCosine)
      return true;
  }
  return false;
}

bool meetAnalytic(const WallElement& e, const WallElement& o, double gap)
{
  if (e.kind == ElementKind::Plane && o.kind == ElementKind::Plane)
    return onElement(o, e.a, gap) && dot(e.b, o.b) > 1 - 1e-12;
  const auto meets = [gap](const WallElement& one, const WallElement& other) {
    const std::vector<Vec3d> places = rims(one);
    return std::any_of(
      places.begin(), places.end(), [&](const Vec3d& p) { return onElement(other, p, gap); });
  };
  return (e.kind != ElementKind::Plane && meets(e, o)) ||
    (o.kind != ElementKind::Plane && meets(o, e));
}

/// The diagonal of all elements, without the infinite extent of planes (m).
double diagonal(const std::vector<WallElement>& elements)
{
  BvhBox all{ { 1e300, 1e300, 1e300 }, { -1e300, -1e300, -1e300 } };
  const auto include = [&](const Vec3d& p, double reach) {
    for (int k = 0; k < 3; ++k)
    {
      all.lower[k] = std::min(all.lower[k], p[k] - reach);
      all.upper[k] = std::max(all.upper[k], p[k] + reach);
    }
  };
  for (const WallElement& w : elements)
    if (w.kind == ElementKind::Triangle)
      for (const Vec3d& p : corners(w))
        include(p, 0);
    else
    {
      include(w.a, w.radius_a);
      if (w.kind != ElementKind::Plane)
        include(w.b, w.radius_b);
    }
  return length(all.upper - all.lower);
}

bool overlap(const BvhBox& a, const BvhBox& b, double gap)
{
  for (int k = 0; k < 3; ++k)
    if (a.lower[k] > b.upper[k] + gap || a.upper[k] < b.lower[k] - gap)
      return false;
  return true;
}

/// Finds the elements that each element meets. Two meet if their distance is below the smaller of
/// their tolerances.
class SeamSearch
{
public:
  SeamSearch(const WallSet& walls, double size, const std::vector<double>& tolerance)
    : walls_(walls)
    , elements_(walls.elements)
    , size_(size)
    , tolerance_(tolerance)
  {
    for (std::uint32_t e = 0; e < elements_.size(); ++e)
      if (elements_[e].kind != ElementKind::Triangle)
        analytic_.push_back(e);
  }

  /// The triangles that triangle `index` meets, ascending.
  std::vector<std::uint32_t> trianglesAt(std::uint32_t index, const BvhView* trees) const
  {
    std::vector<std::uint32_t> found;
    const WallElement& e = elements_[index];
    const BvhBox own = triangleBox(e);
    for (std::size_t w = 0; w < walls_.walls(); ++w)
    {
      if (!walls_.isMesh(w))
        continue;
      const BvhView& tree = trees[w];
      tree.walk([&](std::uint32_t node) { return overlap(tree.box[node], own, size_); },
        [&](std::uint32_t leaf) {
          const std::uint32_t other = tree.leaf_item[leaf];
          if (other != index && meetUnmerged(e, elements_[other], gap(index, other)))
            found.push_back(other);
        });
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Whether triangle `index` meets an analytic surface smoothly.
  bool meetsAnalytic(std::uint32_t index) const
  {
    return std::any_of(analytic_.begin(), analytic_.end(), [&](std::uint32_t a) {
      return meetsSmoothly(elements_[index], elements_[a], gap(index, a));
    });
  }

  /// Whether any two analytic surfaces meet.
  bool analyticMeet() const
  {
    for (std::size_t a = 0; a < analytic_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (meetAnalytic(
              elements_[analytic_[a]], elements_[analytic_[b]], gap(analytic_[a], analytic_[b])))
          return true;
    return false;
  }

private:
  double gap(std::uint32_t a, std::uint32_t b) const
  {
    return std::min(tolerance_[a], tolerance_[b]);
  }

  const WallSet& walls_;
  const std::vector<WallElement>& elements_;
  double size_;
  const std::vector<double>& tolerance_;
  std::vector<std::uint32_t> analytic_;
};

} // namespace

WallSeams findWallSeams(const WallSet& walls)
{
  WallSeams seams;
  const std::vector<WallElement>& elements = walls.elements;
  const std::size_t n = elements.size();
  if (n < 2)
    return seams;
  const double size = 5e-6 * diagonal(elements);
  seams.tolerance.resize(n);
  for (std::size_t e = 0; e < n; ++e)
    seams.tolerance[e] = elements[e].kind == ElementKind::Triangle
      ? std::min(size, 0.02 * longestEdge(elements[e]))
      : size;

  CpuExec exec(0);
  WallTrees<CpuExec> trees(exec);
  trees.build(walls, elements.data());
  const SeamSearch search(walls, size, seams.tolerance);
  std::vector<std::vector<std::uint32_t>> found(n);
  std::atomic<bool> any{ false };
  exec.forEach(n, [&](std::size_t i) {
    const auto index = static_cast<std::uint32_t>(i);
    if (elements[index].kind != ElementKind::Triangle)
      return;
    found[index] = search.trianglesAt(index, trees.view());
    if (!found[index].empty() || search.meetsAnalytic(index))
      any = true;
  });
  seams.any = any || search.analyticMeet();
  if (!seams.any)
    return {};
  seams.start.assign(n + 1, 0);
  for (std::size_t e = 0; e < n; ++e)
  {
    seams.start[e + 1] = seams.start[e] + static_cast<std::uint32_t>(found[e].size());
    seams.other.insert(seams.other.end(), found[e].begin(), found[e].end());
  }
  return seams;
}

} // namespace dem
