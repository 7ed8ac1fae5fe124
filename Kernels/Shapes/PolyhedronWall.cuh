// Contacts of polyhedra with planes and triangles of walls: sums over the part of a body behind a
// plane (ShapeContact.cuh).
#pragma once

#include "Shapes/PolyhedronContact.cuh"

namespace dem
{
namespace detail
{

/// A face of a body as a polygon that is clipped once. Its corners are not copied.
template <class Real>
class FaceCutOnce
{
public:
  int size;

  DEM_HD FaceCutOnce(const SolidView<Real>& solid, int face)
    : size(solid.begin[face + 1] - solid.begin[face])
    , vertex_(solid.vertex)
    , corner_(solid.corner + solid.begin[face])
    , corners_(size)
    , kept_(size)
  {
  }
  DEM_HD Vec3<Real> operator[](int k) const
  {
    if (k >= kept_)
    {
      // A choice between references would place both in memory on a device.
      const bool first = k == kept_;
      return { first ? new_[0].x : new_[1].x, first ? new_[0].y : new_[1].y,
        first ? new_[0].z : new_[1].z };
    }
    const int at = from_ + k;
    return vertex_[corner_[at < corners_ ? at : at - corners_]];
  }
  DEM_HD void clear() { size = kept_ = 0; }
  DEM_HD void keep(int first, int count)
  {
    from_ = first;
    size = kept_ = count;
  }
  DEM_HD void add(const Vec3<Real>& p)
  {
    if (size++ == kept_)
      new_[0] = p;
    else
      new_[1] = p;
  }

private:
  const Vec3<Real>* vertex_;
  const std::int32_t* corner_;
  int corners_, kept_, from_ = 0;
  Vec3<Real> new_[2] = {};
};

/// The part of a body behind one plane and between some other planes.
template <class Real>
struct SectionSums
{
  OverlapSums<Real> part;
  Real section = 0; // area of the section of the whole body with the plane
  Real share = 0;   // area of the part's section
};

/// Sums for the part behind plane . x = w and inside the planes `sides`, in the body's frame and
/// unit. Cuts by `sides` are not closed. Returns false if the part is empty.
template <class Real>
DEM_HD_CALL bool sectionSums(const SolidView<Real>& a, const Vec4<Real>& plane,
  const Vec4<Real>* sides, int side_count, Polygon<Real>& polygon, SectionSums<Real>& out)
{
  const Real zero(0);
  std::uint64_t code[kMaxShapeVertices];
  bool any_below = false;
  std::uint64_t every = ~std::uint64_t(0);
  for (int v = 0; v < a.vertices; ++v)
  {
    const bool above = dot(plane.xyz(), a.vertex[v]) - plane.w > zero;
    any_below = any_below || !above;
    std::uint64_t c = above ? 1u : 0u;
    for (int s = 0; s < side_count; ++s)
      if (dot(sides[s].xyz(), a.vertex[v]) - sides[s].w > zero)
        c |= planeBit(s + 1);
    code[v] = c;
    every &= c;
  }
  if (!any_below || every != 0)
    return false;
  out.part.m = -plane.xyz();
  Vec3<Real> whole{};
  bool placed = false;
  for (int f = 0; f < a.faces; ++f)
  {
    std::uint64_t some = 0, all = ~std::uint64_t(0);
    for (int k = a.begin[f]; k < a.begin[f + 1]; ++k)
    {
      some |= code[a.corner[k]];
      all &= code[a.corner[k]];
    }
    if (all & 1u)
      continue;
    polygon.clear();
    for (int k = a.begin[f]; k < a.begin[f + 1]; ++k)
      polygon.add(a.vertex[a.corner[k]]);
    if (some & 1u)
      polygon.clip(plane.xyz(), plane.w, false);
    for (int k = 2; k < polygon.size; ++k)
      whole += Real(0.5) * cross(polygon[k - 1] - polygon[0], polygon[k] - polygon[0]);
    if (all != 0)
      continue;
    if (!placed && polygon.size > 0) // a point of the plane, where heights begin
    {
      out.part.origin = polygon[0] - (dot(plane.xyz(), polygon[0]) - plane.w) * plane.xyz();
      placed = true;
    }
    for (int s = 0; s < side_count && polygon.size > 0; ++s)
      if (some & planeBit(s + 1))
        polygon.clip(sides[s].xyz(), sides[s].w, false);
    out.part.add(polygon);
  }
  out.section = -dot(plane.xyz(), whole);
  out.share = -dot(plane.xyz(), out.part.area);
  return true;
}

/// Sums for the part behind one plane: as sectionSums() without sides.
template <class Real>
DEM_HD bool planeSums(const SolidView<Real>& a, const Vec4<Real>& plane, SectionSums<Real>& out)
{
  const auto height = [&](const Vec3<Real>& x) { return dot(plane.xyz(), x) - plane.w; };
  std::uint64_t above = 0;
  static_assert(kMaxShapeVertices <= 64, "a bit each");
  for (int v = 0; v < a.vertices; ++v)
    above |= height(a.vertex[v]) > Real(0) ? std::uint64_t(1) << v : 0;
  out.part.m = -plane.xyz();
  Vec3<Real> whole{};
  bool placed = false;
  for (int f = 0; f < a.faces; ++f)
  {
    bool some = false, all = true;
    for (int k = a.begin[f]; k < a.begin[f + 1]; ++k)
    {
      const bool is = above >> a.corner[k] & 1u;
      some = some || is;
      all = all && is;
    }
    if (all)
      continue;
    FaceCutOnce<Real> polygon(a, f);
    if (some)
      clipPolygon(polygon, plane.xyz(), plane.w, false, Real(0));
    for (int k = 2; k < polygon.size; ++k)
      whole += Real(0.5) * cross(polygon[k - 1] - polygon[0], polygon[k] - polygon[0]);
    if (!placed && polygon.size > 0) // a point of the plane, where heights begin
    {
      out.part.origin = polygon[0] - height(polygon[0]) * plane.xyz();
      placed = true;
    }
    out.part.add(faceSums(polygon, out.part.m, out.part.origin));
  }
  out.section = -dot(plane.xyz(), whole);
  return placed;
}

/// Contact of a polyhedron with a half space.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> polyhedronPlane(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const Vec3<Real>& origin, const Vec3<Real>& normal)
{
  ContactGeometry<Real> out;
  const Real height = dot(normal, pose.center - origin);
  if (height >= pose.scale)
    return out;
  const SolidView<Real> a(shapes, shape);
  SectionSums<Real> sums;
  const Vec4<Real> plane = vec4(pose.toBody(normal), -height / pose.scale);
  if (!planeSums(a, plane, sums) || !(sums.part.volume > Real(kNoVolume)))
    return out;
  const Real volume = sums.part.volume, closed = areaAbout(volume),
             area = sums.section > closed ? sums.section : closed;
  out.overlap = pose.scale * Real(2) * volume / area;
  out.radius = pose.scale * area * area / (Real(2 * kTwoPi) * volume);
  out.rolling_radius = equivalentRadius(shapes, shape, pose);
  out.normal = -normal;
  out.point = pose.center + insideBall(pose.scale * pose.toSpace(sums.part.centroid()), pose.scale);
  return out;
}

/// The solid behind a triangle, between planes that bisect the angles to its neighbours, relative
/// to a grain's centre and in its unit.
template <class Real>
struct TriangleSolid
{
  Vec3<Real> p[3]; // corners
  Vec3<Real> n;    // unit normal, out of the solid
  Real depth;      // of the plane: n . x = depth
  // Per edge: the bounding plane in the body's frame; a vector along it into the solid; whether it
  // is not parallel to the normal.
  Vec4<Real> sides[3];
  Vec3<Real> into[3];
  bool tilted[3];

  /// Sets all members. Returns false if there is no contact, because the triangle is too far from
  /// the grain or hidden by a neighbour.
  DEM_HD bool set(const ShapePose<Real>& pose, const ContactTriangle<Real>& triangle)
  {
    using std::sqrt;
    const Real zero(0), one(1);
    const Real unit = one / pose.scale;
    p[0] = unit * (triangle.a - pose.center);
    p[1] = unit * (triangle.b - pose.center);
    p[2] = unit * (triangle.c - pose.center);
    n = normalized(cross(p[1] - p[0], p[2] - p[0]));
    // the side of the grain's centre is the free one
    const bool back = dot(n, p[0]) > zero;
    if (back)
      n = -n;
    depth = dot(n, p[0]);
    if (depth <= -one)
      return false;
    for (int k = 0; k < 3; ++k)
    {
      const Vec3<Real>&u = p[k], &v = p[(k + 1) % 3];
      const Vec3<Real> along = back ? u - v : v - u;
      const Vec3<Real> beyond = back ? -triangle.neighbor[k] : triangle.neighbor[k];
      const Vec3<Real> outward = cross(along, n);
      if (dot(outward, u) < -sqrt(dot(outward, outward))) // farther than the bounding sphere
        return false;
      const Vec3<Real> middle = n + beyond;
      const Real turn = dot(outward, beyond), length2 = dot(along, along);
      // for a fold by 180 degrees there is no plane between the triangles
      const bool folded = dot(middle, middle) < Real(1e-6);
      tilted[k] = !folded && turn * turn > Real(1e-10) * length2;
      // a neighbour between this triangle and the centre hides it
      if (tilted[k] && turn < zero && dot(beyond, u) > zero)
        return false;
      into[k] = -(folded ? n : middle);
      const Vec3<Real> side = tilted[k] ? normalized(cross(along, middle)) : normalized(outward);
      sides[k] = vec4(pose.toBody(side), dot(side, u));
    }
    return true;
  }

  /// Adds the part of the bounding plane at edge k that is in the body and in the solid. It
  /// contributes only if the plane is not parallel to the normal.
  DEM_HD void addBoundary(int k, const ShapePose<Real>& pose, const SolidView<Real>& a,
    Polygon<Real>& polygon, OverlapSums<Real>& sums) const
  {
    using std::sqrt;
    const Vec3<Real> u = pose.toBody(p[k]), v = pose.toBody(p[(k + 1) % 3]);
    const Vec3<Real> e = Real(3) * normalized(v - u),
                     down = (Real(3) / sqrt(dot(into[k], into[k]))) * pose.toBody(into[k]);
    // the part of the edge near the body, so that large triangles lose no precision
    const Vec3<Real> foot = u - (dot(u, e) / dot(e, e)) * e;
    polygon.clear();
    const Vec3<Real> square[4] = { foot - e, foot + e, foot + e + down, foot - e + down };
    const bool flip =
      dot(cross(square[1] - square[0], square[2] - square[0]), sides[k].xyz()) < Real(0);
    for (int c = 0; c < 4; ++c)
      polygon.add(square[flip ? 3 - c : c]);
    for (int s = 0; s < 3; ++s)
      if (s != k)
        polygon.clip(sides[s].xyz(), sides[s].w, true);
    for (int f = 0; f < a.faces && polygon.size > 0; ++f)
      polygon.clip(a.plane[f].xyz(), a.plane[f].w, true);
    sums.add(polygon);
  }
};

/// Contact of a polyhedron with a triangle of a wall.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> polyhedronTriangle(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactTriangle<Real>& triangle)
{
  using std::sqrt;
  const Real zero(0), one(1);
  ContactGeometry<Real> out;
  TriangleSolid<Real> behind;
  if (!behind.set(pose, triangle))
    return out;
  const SolidView<Real> a(shapes, shape);
  Polygon<Real> polygon;
  SectionSums<Real> sums;
  const Vec4<Real> plane = vec4(pose.toBody(behind.n), behind.depth);
  if (!sectionSums(a, plane, behind.sides, 3, polygon, sums))
    return out;
  for (int k = 0; k < 3; ++k)
    if (behind.tilted[k])
      behind.addBoundary(k, pose, a, polygon, sums.part);
  sums.share = -dot(plane.xyz(), sums.part.area);
  const Real volume = sums.part.volume;
  if (!(volume > Real(kNoVolume)) || !(sums.section > zero))
    return out;
  // overlap = 2 V / S of this part, limited to the value of a thin layer; the contact radius is
  // such that the forces of parts add up to that of the whole
  const Real most = Real(2) * sums.part.deepest;
  const Real overlap = sums.share * most > Real(2) * volume ? Real(2) * volume / sums.share : most;
  if (!(overlap > zero))
    return out;
  const Real contact = Real(2) * volume / (sqrt(Real(kTwoPi) * sums.section) * overlap);
  out.overlap = pose.scale * overlap;
  out.radius = pose.scale * contact * contact / overlap;
  out.rolling_radius = equivalentRadius(shapes, shape, pose);
  const Real share = sums.share / sums.section;
  out.share = share > one ? one : (share > Real(1e-6) ? share : Real(1e-6));
  out.normal = -behind.n;
  out.point = pose.center + insideBall(pose.scale * pose.toSpace(sums.part.centroid()), pose.scale);
  return out;
}

} // namespace detail
} // namespace dem
