#include "Shapes/Tablet.h"

#include "Shapes/detail/ShapeTools.h"

#include <algorithm>
#include <cmath>

namespace dem
{
namespace
{

using detail::fail;
using detail::text;

constexpr double pi = 3.14159265358979323846;

/// Nodes and weights of Gauss-Legendre quadrature on [-1, 1].
struct GaussLegendre
{
  static constexpr int kOrder = 20;
  double node[kOrder], weight[kOrder];

  GaussLegendre()
  {
    for (int i = 0; i < kOrder; ++i)
    {
      double x = std::cos(pi * (i + 0.75) / (kOrder + 0.5)), slope = 1;
      for (int round = 0; round < 50; ++round)
      {
        double p0 = 1, p1 = x;
        for (int k = 2; k <= kOrder; ++k)
        {
          const double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
          p0 = p1;
          p1 = p2;
        }
        slope = kOrder * (x * p1 - p0) / (x * x - 1);
        const double step = p1 / slope;
        x -= step;
        if (std::fabs(step) < 1e-16)
          break;
      }
      node[i] = x;
      weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
  }
};

/// A point of the upper half of a tablet's profile, as a function of the angle of its normal above
/// the equator, and dz / d angle.
struct ProfilePoint
{
  double r, z, slope;
};
ProfilePoint profile(const TabletNumbers<double>& t, double angle, bool cap)
{
  const double nz = std::sin(angle), nr = std::cos(angle);
  if (cap)
    return { (t.cap + t.edge) * nr, t.cap_center + (t.cap + t.edge) * nz, (t.cap + t.edge) * nr };
  const double e2 = t.crown * t.crown, q = std::sqrt(nz * nz + e2 * nr * nr);
  return { t.rim + t.height * e2 * nr / q + t.edge * nr, t.height * nz / q + t.edge * nz,
    t.height * e2 * nr / (q * q * q) + t.edge * nr };
}

detail::Moments tabletMoments(const TabletNumbers<double>& t)
{
  static const GaussLegendre rule;
  const double joint = std::asin(std::min(t.cap_cosine, 1.0));
  std::vector<double> ends{ 0 };
  // the belt's curvature varies over angles of the size of the crown
  for (double a = t.crown; a > 0 && a < joint; a *= 2)
    ends.push_back(a);
  ends.push_back(joint);
  double v = 0, axial = 0, polar = 0;
  const auto piece = [&](double from, double to, bool cap) {
    for (int i = 0; i < GaussLegendre::kOrder; ++i)
    {
      const ProfilePoint p = profile(t, 0.5 * (from + to) + 0.5 * (to - from) * rule.node[i], cap);
      const double w = 0.5 * (to - from) * rule.weight[i] * p.slope * 2 * pi * p.r * p.r;
      v += w;
      polar += w * p.r * p.r / 2;
      axial += w * p.z * p.z;
    }
  };
  for (std::size_t k = 0; k + 1 < ends.size(); ++k)
    piece(ends[k], ends[k + 1], false);
  piece(joint, 0.5 * pi, true);
  detail::Moments m;
  m.volume = v;
  m.zz = axial;
  m.xx = m.yy = polar / 2;
  return m;
}

} // namespace

namespace detail
{

TabletNumbers<double> tabletNumbers(const Shape& shape)
{
  TabletNumbers<double> t{};
  const double half = 0.5 * shape.diameter;
  t.edge = shape.edge_radius;
  t.crown = shape.crown;
  t.cap = shape.cup_radius - t.edge;
  t.cap_center = 0.5 * shape.belt_height -
    std::sqrt(std::max(0.0, shape.cup_radius * shape.cup_radius - half * half));
  // Cap and rim meet where their points and normals agree; the rim's largest radius is that of the
  // tablet. `cosine` is the z component of that normal.
  const auto rimAt = [&](double cosine, double& height) {
    const double nr = std::sqrt(1 - cosine * cosine),
                 q = std::sqrt(cosine * cosine + t.crown * t.crown * nr * nr);
    height = q * (t.cap_center + t.cap * cosine) / cosine;
    return t.cap * nr - height * t.crown * t.crown * nr / q;
  };
  const auto excess = [&](double cosine) {
    double height;
    const double rim = rimAt(cosine, height);
    return rim + t.crown * height + t.edge - half;
  };
  double low = std::max(1e-9, -t.cap_center / t.cap), high = 1;
  if (shape.belt_height > 0 && low < 1 && excess(low) > 0)
  {
    for (int round = 0; round < 200; ++round)
    {
      const double middle = 0.5 * (low + high);
      (excess(middle) > 0 ? low : high) = middle;
    }
    t.cap_cosine = low;
    t.rim = rimAt(low, t.height);
    return t;
  }
  // no room for a belt: the rounding joins both caps
  t.height = 0;
  t.rim = half - t.edge;
  t.cap_center = -std::sqrt(std::max(0.0, t.cap * t.cap - t.rim * t.rim));
  t.cap_cosine = -t.cap_center / t.cap;
  return t;
}

MassProperties tabletProperties(const Shape& shape)
{
  const TabletNumbers<double> t = tabletNumbers(shape);
  MassProperties out = principalProperties(tabletMoments(t));
  // the farthest point of the profile: on the cap's edge or the rounding of the rim
  double far = tabletHalfThickness(t);
  constexpr int kSamples = 20000;
  const double joint = std::asin(std::min(t.cap_cosine, 1.0));
  for (int i = 0; i <= kSamples; ++i)
  {
    const ProfilePoint p = profile(t, joint * i / kSamples, t.cap_cosine <= 0);
    far = std::max(far, std::sqrt(p.r * p.r + p.z * p.z));
  }
  // between samples the distance changes by the square of their spacing, far below this margin
  out.bounding_radius = far * (t.cap_cosine > 0 ? 1 + 1e-9 : 1);
  return out;
}

} // namespace detail

Shape makeTablet(const std::string& name, double diameter, double cup_radius, double belt_height,
  double edge_radius)
{
  const auto finite = [&](double v, const char* what) {
    if (!std::isfinite(v))
      fail(name, std::string(what) + " is " + text(v) + ", it must be a finite number.");
  };
  finite(diameter, "Diameter");
  finite(cup_radius, "Cup Radius");
  finite(belt_height, "Belt Height");
  finite(edge_radius, "Edge Radius");
  if (!(diameter > 0))
    fail(name, "Diameter is " + text(diameter) + ", it must be above 0.");
  if (cup_radius < 0.5 * diameter * (1 - 1e-12))
    fail(name,
      "Cup Radius is " + text(cup_radius) + ", below half the Diameter, " + text(0.5 * diameter) +
        ": a cap cannot be more than half a sphere. Give a larger Cup Radius.");
  if (cup_radius > 20 * diameter)
    fail(name,
      "Cup Radius is " + text(cup_radius) + ", more than 20 times the Diameter, " + text(diameter) +
        ": such a tablet is flat, and flat faces are for polyhedra. Give a smaller Cup Radius.");
  if (belt_height < 0 || belt_height > 10 * diameter)
    fail(name,
      "Belt Height is " + text(belt_height) + ", it must be from 0 to 10 times the Diameter, " +
        text(10 * diameter) + ".");
  if (edge_radius == 0)
    edge_radius = kDefaultEdgeRadius * diameter;
  if (edge_radius < 1e-3 * diameter || edge_radius > 0.25 * diameter)
    fail(name,
      "Edge Radius is " + text(edge_radius) + ", it must be from " + text(1e-3 * diameter) +
        " to " + text(0.25 * diameter) + " (0.001 to 0.25 Diameter).");
  Shape shape;
  shape.name = name;
  shape.kind = ShapeKind::BiConvexTablet;
  shape.diameter = diameter;
  shape.cup_radius = std::max(cup_radius, 0.5 * diameter);
  shape.belt_height = belt_height;
  shape.edge_radius = edge_radius;
  shape.crown = kDefaultCrown;
  return detail::finished(shape);
}

} // namespace dem
