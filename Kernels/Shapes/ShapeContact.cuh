// The narrow phase: where and how deep a grain of any shape overlaps another grain or a piece of a wall. One contact point a convex pair.
//
// All functions are pure: the same poses give the same bits, with no memory of earlier steps. Coordinates are relative to an origin that the
// caller chooses near the contact (the centre of body a), computed in double and then rounded to Real, so nothing is lost far from the
// scene's origin.
//
// *Round pairs* (a sphere or a tablet with anything). The signed distance along the best direction,
//     sd = max over unit n of s(n),   s(n) = n . (b - a) - h_A(n) - h_B(-n),
// with the support functions h of the two bodies about their centres a and b; overlap = -sd, normal = the best n. Disjoint bodies: their distance. Overlapping
// ones: the least shift that parts them. A sphere is a ball about a point, a tablet is a ball (the rounding of its edge) about a strictly
// convex core, a polyhedron or triangle is taken as it is; while the cores are apart, that is for overlaps below the sum of the roundings, s
// has a single maximum and the normal is a continuous function of the pose (the nearest point of a convex set is; Gilbert, Johnson, Keerthi,
// IEEE J. Robotics and Automation 4 (1988) 193, for the search where a core has corners). Caps and belts keep that property far beyond. The contact
// point is halfway between the two surfaces. Equivalent radius: r_a r_b / (r_a + r_b) with r of the sphere of equal volume, at a wall r_a
// (for spheres: their own); it is the same all over a tablet, because a jump of the surface's curvature must not make the force jump.
//
// *Polyhedron with polyhedron, plane, triangle, cylinder.* From the overlap volume V, its centroid c and the area vector S of either surface inside the
// other, S = -dV/d(position of b): normal S / |S|, point c, overlap 2 V / |S|, and an equivalent radius |S|^2 / (4 pi V), so that the contact radius is
// sqrt(R overlap) = sqrt(|S| / (2 pi)). Two spheres measured that way (V = pi R d^2, |S| = 2 pi R d where d is small) give Hertz's law with their own R and
// overlap d; a flat face gives a linear spring, 0.94 of the rigid punch of equal area; a corner a force that grows with depth squared, as the
// elastic cone does. V and S change continuously with the pose through face, edge and corner contacts and both vanish as bodies part, so force and
// torque are continuous; a box at rest is carried over its whole face, and leaning moves c towards the lower edge, which rights it. (Only where two
// sides of equal facing come into one plane does the direction of S have a kink, of the size overlap / edge.) Overlap volumes as contact measure: Feng, Han, Owen,
// Comput. Methods Appl. Mech. Eng. 205-208 (2012) 169; flat punch and cone: Sneddon, Int. J. Eng. Sci. 3 (1965) 47.
//
// A triangle stands for the solid behind it, between planes that bisect the angle to its neighbours. A contact then covers a share of the whole section
// of the grain with the triangle's plane, and overlap, radius and share are such that the forces of the triangles of a flat floor add up to that of
// the plane: seams are not felt.
//
// What the law takes (Contact/ContactLaw.cuh): ContactMotion::overlap = overlap, radius = radius, mass = share * m* (m* of the whole bodies), rolling_radius for
// the rolling resistance (a flat contact's `radius` grows without bound as the overlap vanishes).
//
// Accuracy in float: overlap and point to about 1e-6 of the larger bounding radius, the normal to that over the rounding or the contact's width.
#pragma once

#include "Shapes/ShapeTable.cuh"

namespace dem
{

template <class Real>
struct ContactGeometry
{
  Real overlap = -1;       // m, > 0 where they touch; else without meaning beyond its sign
  Vec3<Real> normal{};     // from a to b, or from the grain to the wall
  Vec3<Real> point{};      // relative to the poses' common origin
  Real radius = 0;         // m, the law's R*
  Real rolling_radius = 0; // m, bounded: of the spheres of equal volume
  Real share = 1;          // of the mass m* that the law takes
  unsigned feature = 7;    // triangle: corners that the point leans on (bits), 7 = inside the face

  DEM_HD bool touches() const { return overlap > Real(0); }
};

/// A grain: where its centre of mass is and how it is turned.
template <class Real>
struct ShapePose
{
  Vec3<Real> center;     // relative to the common origin
  Vec3<Real> ex, ey, ez; // the body's axes in space
  Real scale;            // Radius, m

  DEM_HD Vec3<Real> toSpace(const Vec3<Real>& d) const { return d.x * ex + d.y * ey + d.z * ez; }
  DEM_HD Vec3<Real> toBody(const Vec3<Real>& d) const { return { dot(d, ex), dot(d, ey), dot(d, ez) }; }
};

template <class Real>
DEM_HD ShapePose<Real> shapePose(const Vec3<Real>& center, const Quaternion<double>& q, Real scale)
{
  return { center, rotate(q, Vec3d{ 1, 0, 0 }).template as<Real>(), rotate(q, Vec3d{ 0, 1, 0 }).template as<Real>(),
    rotate(q, Vec3d{ 0, 0, 1 }).template as<Real>(), scale };
}

/// A wall's triangle. `neighbor[k]` is the unit normal of the triangle beyond edge k (from corner k to k + 1), as it is seen when the surface is
/// walked over without a flip; zero where there is none. Needed by polyhedra alone.
template <class Real>
struct ContactTriangle
{
  Vec3<Real> a, b, c;
  Vec3<Real> neighbor[3]{};
};

/// A cylinder or cone as walls have them: a surface about the axis from `a` to `b`, met from inside or outside, whichever side the grain's
/// centre is on. Lines are cylinders of radius 0.
template <class Real>
struct ContactCone
{
  Vec3<Real> a, b;
  Real radius_a, radius_b;
};

/// The shape number of a sphere, for any `shapes`.
constexpr int kSphereShape = -1;

// Kinds: Sphere, BiConvexTablet, ConvexPolyhedron. The spheres of a MultiSphere are met one by one: spherePart(k) with shape kSphereShape,
// k from 0 to below sphereParts.

template <class Real>
DEM_HD int sphereParts(const ShapeView<Real>& shapes, int shape)
{
  return shapes.shapes[shape].spheres_end - shapes.shapes[shape].spheres_begin;
}

template <class Real>
DEM_HD ShapePose<Real> spherePart(const ShapeView<Real>& shapes, int shape, const ShapePose<Real>& pose, int k)
{
  const Vec4<Real> s = shapes.spheres[shapes.shapes[shape].spheres_begin + k];
  ShapePose<Real> part = pose;
  part.center = pose.center + pose.scale * pose.toSpace(s.xyz());
  part.scale = pose.scale * s.w;
  return part;
}

/// Two grains. Call with the grain of lower Id as a: then both sides of a pair that compute it get the same bits.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> grainContact(
  const ShapeView<Real>& shapes, int shape_a, const ShapePose<Real>& a, int shape_b, const ShapePose<Real>& b);

/// A grain and the half space behind a plane with the unit `normal` through `origin`.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> planeContact(
  const ShapeView<Real>& shapes, int shape, const ShapePose<Real>& pose, const Vec3<Real>& origin, const Vec3<Real>& normal);

template <class Real>
DEM_HD_CALL ContactGeometry<Real> triangleContact(
  const ShapeView<Real>& shapes, int shape, const ShapePose<Real>& pose, const ContactTriangle<Real>& triangle);

template <class Real>
DEM_HD_CALL ContactGeometry<Real> coneContact(
  const ShapeView<Real>& shapes, int shape, const ShapePose<Real>& pose, const ContactCone<Real>& cone);

} // namespace dem
