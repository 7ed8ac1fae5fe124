// Mass properties of shapes, spheres and tablets.
#include "Shapes/Shape.h"

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

MassProperties principalProperties(const Moments& m)
{
  MassProperties out;
  out.volume = m.volume;
  out.center = (1 / m.volume) * m.first;
  const Vec3d& c = out.center;
  // second moments about the centre
  double s[3][3] = { { m.xx - m.volume * c.x * c.x, m.xy - m.volume * c.x * c.y,
                       m.zx - m.volume * c.z * c.x },
    { 0, m.yy - m.volume * c.y * c.y, m.yz - m.volume * c.y * c.z },
    { 0, 0, m.zz - m.volume * c.z * c.z } };
  s[1][0] = s[0][1];
  s[2][0] = s[0][2];
  s[2][1] = s[1][2];
  const double size = s[0][0] + s[1][1] + s[2][2];
  // Jacobi rotations; principal axes remain unchanged
  Quaternion<double> turn;
  for (int sweep = 0; sweep < 60; ++sweep)
  {
    int p = 0, q = 1;
    for (int i = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j)
        if (std::fabs(s[i][j]) > std::fabs(s[p][q]))
          p = i, q = j;
    if (std::fabs(s[p][q]) <= (sweep == 0 ? 1e-11 : 1e-16) * size)
      break;
    const double theta = (s[q][q] - s[p][p]) / (2 * s[p][q]);
    const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
    const double cosine = 1 / std::sqrt(t * t + 1), sine = t * cosine;
    for (int k = 0; k < 3; ++k)
    {
      const double a = s[k][p], b = s[k][q];
      s[k][p] = cosine * a - sine * b;
      s[k][q] = sine * a + cosine * b;
    }
    for (int k = 0; k < 3; ++k)
    {
      const double a = s[p][k], b = s[q][k];
      s[p][k] = cosine * a - sine * b;
      s[q][k] = sine * a + cosine * b;
    }
    // the new axes in terms of the old ones: e_p' = c e_p - s e_q, a rotation about the third axis
    Vec3d angle;
    const int axis = 3 - p - q;
    angle[axis] = (p + 1) % 3 == q ? -std::atan(t) : std::atan(t);
    turn = normalized(turn * rotationVectorToQuaternion(angle));
  }
  out.axes = turn;
  out.moments = { s[1][1] + s[2][2], s[2][2] + s[0][0], s[0][0] + s[1][1] };
  return out;
}

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

Shape finished(Shape shape)
{
  // volumes and moments of inertia beyond this size overflow
  double reach = std::max(shape.diameter, shape.cup_radius);
  for (const std::vector<Vec3d>* points : { &shape.centers, &shape.vertices })
    for (const Vec3d& p : *points)
      reach = std::max({ reach, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z) });
  for (const double r : shape.radii)
    reach = std::max(reach, r);
  if (!(reach < 1e50))
    fail(shape.name,
      "it reaches to " + text(reach) +
        " m, it must stay below 1e50 m. "
        "Scale it to the size of a grain.");
  shape.mass = massProperties(shape);
  const MassProperties& m = shape.mass;
  if (!(m.volume > 0))
    fail(shape.name, "its volume is " + text(m.volume) + ", it must be above 0.");
  const Quaternion<double> back = conjugate(m.axes);
  for (Vec3d& c : shape.centers)
    c = rotate(back, c - m.center);
  for (Vec3d& v : shape.vertices)
    v = rotate(back, v - m.center);
  return shape;
}

} // namespace detail

const char* shapeKindName(ShapeKind kind)
{
  switch (kind)
  {
    case ShapeKind::Sphere:
      return "Sphere";
    case ShapeKind::MultiSphere:
      return "Multi-Sphere";
    case ShapeKind::BiConvexTablet:
      return "Bi-Convex Tablet";
    default:
      return "Convex Polyhedron";
  }
}

MassProperties massProperties(const Shape& shape)
{
  MassProperties out;
  if (shape.kind == ShapeKind::Sphere)
  {
    out.volume = 4. / 3 * pi;
    const double i = 0.4 * out.volume;
    out.moments = { i, i, i };
    out.bounding_radius = 1;
  }
  else if (shape.kind == ShapeKind::BiConvexTablet)
  {
    const TabletNumbers<double> t = detail::tabletNumbers(shape);
    out = detail::principalProperties(tabletMoments(t));
    // the farthest point of the profile: on the cap's edge or the rounding of the rim
    double far = detail::tabletHalfThickness(t);
    constexpr int kSamples = 20000;
    const double joint = std::asin(std::min(t.cap_cosine, 1.0));
    for (int i = 0; i <= kSamples; ++i)
    {
      const ProfilePoint p = profile(t, joint * i / kSamples, t.cap_cosine <= 0);
      far = std::max(far, std::sqrt(p.r * p.r + p.z * p.z));
    }
    // between samples the distance changes by the square of their spacing, far below this margin
    out.bounding_radius = far * (t.cap_cosine > 0 ? 1 + 1e-9 : 1);
  }
  else if (shape.kind == ShapeKind::MultiSphere)
  {
    double error = 0;
    out =
      detail::principalProperties(detail::multiSphereMoments(shape.centers, shape.radii, error));
    out.error = error;
    for (std::size_t i = 0; i < shape.centers.size(); ++i)
      out.bounding_radius =
        std::max(out.bounding_radius, length(shape.centers[i] - out.center) + shape.radii[i]);
  }
  else
  {
    out = detail::principalProperties(detail::polyhedronMoments(shape));
    for (const Vec3d& v : shape.vertices)
      out.bounding_radius = std::max(out.bounding_radius, length(v - out.center));
  }
  return out;
}

Shape makeSphere(const std::string& name)
{
  Shape shape;
  shape.name = name;
  return detail::finished(shape);
}

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
