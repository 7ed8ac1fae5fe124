// The first point at which a ray meets a grain of any shape, and the patch of the grain at that
// point. All searches call these functions with the same arguments, so they find the same hits to
// the bit; they use no fused operations, so CPU and CUDA agree, too.
#pragma once

#include "Shapes/ShapeTable.cuh"
#include "Spray/RayDirection.cuh"

#include <cmath>
#include <cstdint>

namespace dem
{
namespace ray
{

/// Distance along a ray that meets nothing.
constexpr double kNever = 1e300;

DEM_HD Vec3d rotate(const Quaternion<double>& q, const Vec3d& v)
{
  const Vec3d u{ q.x, q.y, q.z };
  const Vec3d t = 2. * ray::cross(u, v);
  return v + q.w * t + ray::cross(u, t);
}

/// A line x + s d with a unit vector d.
struct Line
{
  Vec3d x, d;
};

/// Line parameter at which a line enters a sphere; kNever if it misses.
DEM_HD double enterSphere(const Line& line, const Vec3d& center, double radius)
{
  const Vec3d to = center - line.x;
  const double along = ray::dot(to, line.d);
  const Vec3d off = to - along * line.d; // stays accurate for distant origins
  const double chord2 = radius * radius - ray::dot(off, off);
  return chord2 > 0 ? along - std::sqrt(chord2) : kNever;
}

/// The belt of a tablet between its caps: at a normal with the cosine u to the axis, the profile
/// has the height z and the distance rho from the axis.
struct Belt
{
  TabletNumbers<double> tablet;

  DEM_HD double rim(double u) const
  {
    const double r = std::sqrt((1 - u) * (1 + u)), e2 = tablet.crown * tablet.crown,
                 q = std::sqrt(u * u + e2 * r * r);
    return tablet.rim + (q > 0 ? tablet.height * e2 * r / q : 0) + tablet.edge * r;
  }
  DEM_HD double height(double u, double& slope) const
  {
    const double e2 = tablet.crown * tablet.crown, q2 = u * u + e2 * (1 - u) * (1 + u),
                 q = std::sqrt(q2);
    slope = tablet.edge + (q > 0 ? tablet.height * e2 / (q2 * q) : 0);
    return tablet.edge * u + (q > 0 ? tablet.height * u / q : 0);
  }
  /// The u at which the profile has the height z >= 0, by Newton's method kept inside a bracket.
  DEM_HD double cosineAt(double z) const
  {
    double low = 0, high = tablet.cap_cosine, u = 0;
    double slope = 0;
    u = z / (tablet.edge + tablet.height / (tablet.crown > 0 ? tablet.crown : 1)); // tangent at 0
    u = u < high ? u : high;
    for (int round = 0; round < 60; ++round)
    {
      const double excess = height(u, slope) - z;
      if (excess > 0)
        high = u;
      else
        low = u;
      double next = u - excess / slope;
      if (!(next > low && next < high))
        next = 0.5 * (low + high);
      if (std::fabs(next - u) <= 1e-16 || high - low <= 1e-16)
        return next;
      u = next;
    }
    return u;
  }
};

/// Line parameter at which a line enters a tablet in its principal frame, axis z.
struct TabletRay
{
  Belt belt;
  Line line;

  DEM_HD double enter() const
  {
    const double top = enterCap(1), bottom = enterCap(-1), cap = top < bottom ? top : bottom;
    const double side = enterBelt();
    return side < cap ? side : cap;
  }

private:
  static constexpr double kJoin = 1e-12; // tolerance, so that no ray slips through a joint

  DEM_HD double enterCap(double side) const
  {
    const TabletNumbers<double>& t = belt.tablet;
    const double radius = t.cap + t.edge;
    const Vec3d center{ 0, 0, side * t.cap_center };
    const double s = enterSphere(line, center, radius);
    if (s == kNever)
      return kNever;
    const double cosine = side * (line.x.z + s * line.d.z - center.z) / radius;
    return cosine >= t.cap_cosine - kJoin ? s : kNever;
  }

  // Newton's method on the distance from the axis minus the profile's, which is a convex function
  // of the line parameter: from the outside it approaches the first root from one side.
  DEM_HD double enterBelt() const
  {
    const TabletNumbers<double>& t = belt.tablet;
    double slope = 0;
    const double top = belt.height(t.cap_cosine, slope) * (1 + kJoin), widest = belt.rim(0);
    const Vec3d &x = line.x, &d = line.d;
    const double d2 = d.x * d.x + d.y * d.y, b = x.x * d.x + x.y * d.y,
                 c = x.x * x.x + x.y * x.y - widest * widest;
    if (!(d2 > 1e-30))
      return kNever; // along the axis: such a line meets a cap
    const double root2 = b * b - d2 * c;
    if (!(root2 >= 0))
      return kNever;
    const double root = std::sqrt(root2);
    double s = (-b - root) / d2, last = (-b + root) / d2;
    if (std::fabs(d.z) > 1e-30)
    {
      const double sa = (-top - x.z) / d.z, sb = (top - x.z) / d.z, enter = sa < sb ? sa : sb,
                   leave = sa < sb ? sb : sa;
      s = enter > s ? enter : s;
      last = leave < last ? leave : last;
    }
    else if (std::fabs(x.z) > top)
      return kNever;
    for (int round = 0; round < 100 && s <= last; ++round)
    {
      const Vec3d p = x + s * d;
      const double rho = std::sqrt(p.x * p.x + p.y * p.y), z = std::fabs(p.z), u = belt.cosineAt(z);
      const double outside = rho - belt.rim(u);
      if (outside <= 4e-16)
        return round > 0 || outside > -1e-12 ? s : kNever; // inside at once: entered by a cap
      const double up = p.z < 0 ? -d.z : d.z, r = std::sqrt((1 - u) * (1 + u));
      const double approach = (p.x * d.x + p.y * d.y) / rho + up * u / r;
      if (!(approach < 0))
        return kNever;
      const double step = -outside / approach;
      if (s + step == s)
        return s;
      s += step;
    }
    return kNever;
  }
};

} // namespace ray

/// A grain as a ray sees it.
struct RayGrain
{
  Vec3d center;            // m
  double radius;           // m, of the bounding sphere about the centre of mass
  Quaternion<double> turn; // of the principal axes
  std::int32_t shape;      // index of the shape; 0 = sphere
};

/// The shapes of the grains for rays. `spheres`: parts of clumps for a bounding radius of 1, in the
/// principal frame, w = radius; those of shape s are sphere_begin[s] .. sphere_begin[s + 1].
struct RayShapes
{
  ShapeView<double> table;
  const Vec4<double>* spheres;
  const std::int32_t* sphere_begin;

  /// Distance (m) along the ray at which it enters the grain; kNever if it misses, or if the grain
  /// holds the origin. `kShaped`: some grains are no spheres; a kernel for spheres alone needs
  /// fewer registers.
  template <bool kShaped>
  DEM_HD double distance(const Vec3d& origin, const Vec3d& d, const RayGrain& grain) const
  {
    const Vec3d to = grain.center - origin;
    const double along = ray::dot(to, d);
    const Vec3d off = to - along * d;
    const double room = grain.radius * grain.radius - ray::dot(off, off);
    if (!(room > 0) || along + grain.radius <= 0)
      return ray::kNever;
    if constexpr (!kShaped)
      return ahead(along - std::sqrt(room));
    else
      return shapedDistance(d, grain, along, off, room);
  }

  /// Unit vector from the centre of mass to a point of the grain's surface, in the axes of the
  /// definition of its shape.
  DEM_HD static Vec3d bodyDirection(
    const Vec3d& point, const RayGrain& grain, const Quaternion<double>& axes)
  {
    const Quaternion<double> back{ grain.turn.w, -grain.turn.x, -grain.turn.y, -grain.turn.z };
    const Vec3d p = ray::rotate(axes, ray::rotate(back, point - grain.center));
    return (1 / std::sqrt(ray::dot(p, p))) * p;
  }

private:
  DEM_HD static double ahead(double s) { return s > 0 ? s : ray::kNever; }

  // `along`, `off`: of the centre along the ray, and of the ray's nearest point to the centre.
  // `room`: radius^2 - off^2.
  DEM_HD double shapedDistance(
    const Vec3d& d, const RayGrain& grain, double along, const Vec3d& off, double room) const
  {
    const ShapeKind kind = table.shapes[grain.shape].kind;
    if (kind == ShapeKind::Sphere)
      return ahead(along - std::sqrt(room));
    // the body's frame, in units of the bounding radius, from the point nearest to the centre
    const Quaternion<double> back{ grain.turn.w, -grain.turn.x, -grain.turn.y, -grain.turn.z };
    const ray::Line line{ ray::rotate(back, (-1 / grain.radius) * off), ray::rotate(back, d) };
    const ShapeNumbers<double>& numbers = table.shapes[grain.shape];
    double s = ray::kNever;
    if (kind == ShapeKind::MultiSphere)
      return clump(line, grain, along);
    if (kind == ShapeKind::BiConvexTablet)
      s = ray::TabletRay{ { numbers.tablet }, line }.enter();
    else
      s = polyhedron(line, numbers);
    return s == ray::kNever ? ray::kNever : ahead(along + grain.radius * s);
  }

  DEM_HD double clump(const ray::Line& line, const RayGrain& grain, double along) const
  {
    double first = ray::kNever;
    for (std::int32_t k = sphere_begin[grain.shape]; k < sphere_begin[grain.shape + 1]; ++k)
    {
      const double s = ray::enterSphere(line, spheres[k].xyz(), spheres[k].w);
      if (s == ray::kNever)
        continue;
      const double t = ahead(along + grain.radius * s);
      first = t < first ? t : first;
    }
    return first;
  }

  DEM_HD double polyhedron(const ray::Line& line, const ShapeNumbers<double>& numbers) const
  {
    double enter = -ray::kNever, leave = ray::kNever;
    for (std::int32_t f = numbers.faces_begin; f < numbers.faces_end; ++f)
    {
      const Vec4<double> plane = table.planes[f];
      const double speed = ray::dot(plane.xyz(), line.d),
                   inside = plane.w - ray::dot(plane.xyz(), line.x);
      if (speed == 0)
      {
        if (inside < 0)
          return ray::kNever;
        continue;
      }
      const double s = inside / speed;
      if (speed < 0)
        enter = s > enter ? s : enter;
      else
        leave = s < leave ? s : leave;
    }
    return enter <= leave ? enter : ray::kNever;
  }
};

/// Number of the patch in which a direction of the body lies: 6 n^2 cells of equal solid angle. On
/// the face of the cube that the direction meets, y / x is the azimuth about the face's second
/// axis, and the elevation z is taken as a fraction of its range at this azimuth. `edges`: sines of
/// the n - 1 azimuths between columns.
struct CoatingPatch
{
  int n;
  const double* edges;

  DEM_HD std::uint32_t operator()(const Vec3d& d) const
  {
    const double ax = std::fabs(d.x), ay = std::fabs(d.y), az = std::fabs(d.z);
    int face;
    double x, y, z;
    if (ax >= ay && ax >= az)
    {
      face = d.x < 0 ? 1 : 0;
      x = ax, y = d.y, z = d.z;
    }
    else if (ay >= az)
    {
      face = d.y < 0 ? 3 : 2;
      x = ay, y = d.z, z = d.x;
    }
    else
    {
      face = d.z < 0 ? 5 : 4;
      x = az, y = d.x, z = d.y;
    }
    const double sine = y / std::sqrt(x * x + y * y);
    int column = 0;
    while (column < n - 1 && sine >= edges[column])
      ++column;
    // the elevation's sine z / |d| has the range x / sqrt(2 x^2 + y^2) on either side
    const double part = z * std::sqrt(2 * x * x + y * y) / (x * std::sqrt(x * x + y * y + z * z));
    int row = static_cast<int>(0.5 * (part + 1) * n);
    row = row < 0 ? 0 : (row > n - 1 ? n - 1 : row);
    return static_cast<std::uint32_t>((face * n + row) * n + column);
  }
};

} // namespace dem
