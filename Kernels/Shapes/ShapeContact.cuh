// The narrow phase: where and how deep a grain of any shape overlaps another grain or a piece of a
// wall. One contact point a convex pair.
//
// All functions are pure: the same arguments give the same bits. Coordinates are relative to an
// origin that the caller chooses near the contact (the centre of body a), computed in double and
// then rounded to Real, so nothing is lost far from the scene's origin.
//
// *Round pairs* (a sphere or a tablet with anything). The signed distance along the best direction,
//     sd = max over unit n of s(n),   s(n) = n . (b - a) - h_A(n) - h_B(-n),
// with the support functions h of the two bodies about their centres a and b; overlap = -sd, normal
// = the best n. Disjoint bodies: their distance. Overlapping ones: the least shift that parts them.
// A sphere is a ball about a point, a tablet is a ball (the rounding of its edge) about a strictly
// convex core, a polyhedron or triangle is taken as it is; while the cores are apart, that is for
// overlaps below the sum of the roundings, s has a single maximum and the normal is a continuous
// function of the pose (the nearest point of a convex set is; Gilbert, Johnson, Keerthi, IEEE J.
// Robotics and Automation 4 (1988) 193, for the search where a core has corners). Caps and belts
// keep that property far beyond. The contact point is halfway between the two surfaces. Equivalent
// radius: r_a r_b / (r_a + r_b) with r of the sphere of equal volume, at a wall r_a (for spheres:
// their own); it is the same all over a tablet, because a jump of the surface's curvature must not
// make the force jump.
//
// *Polyhedron with polyhedron, plane, triangle, cylinder.* From the overlap volume V, its centroid
// c and the area vector S of either surface inside the other, S = -dV/d(position of b): normal S /
// |S|, point c, overlap 2 V / |S|, and an equivalent radius |S|^2 / (4 pi V), so that the contact
// radius is sqrt(R overlap) = sqrt(|S| / (2 pi)). Two spheres measured that way (V = pi R d^2, |S|
// = 2 pi R d where d is small) give Hertz's law with their own R and overlap d; a flat face gives a
// linear spring, 0.94 of the rigid punch of equal area; a corner a force that grows with depth
// squared, as the elastic cone does. V and S change continuously with the pose through face, edge
// and corner contacts and both vanish as bodies part, so force and torque are continuous; a box at
// rest is carried over its whole face, and leaning moves c towards the lower edge, which rights it.
// (Only where two sides of equal facing come into one plane does the direction of S have a kink, of
// the size overlap / edge.) Overlap volumes as contact measure: Feng, Han, Owen, Comput. Methods
// Appl. Mech. Eng. 205-208 (2012) 169; flat punch and cone: Sneddon, Int. J. Eng. Sci. 3 (1965) 47.
//
// A triangle stands for the solid behind it, between planes that bisect the angle to its
// neighbours. A contact then covers a share of the whole section of the grain with the triangle's
// plane, and overlap, radius and share are such that the forces of the triangles of a flat floor
// add up to that of the plane: seams are not felt.
//
// What the law takes (Physics/ContactLaw.cuh): ContactMotion::overlap = overlap, radius = radius,
// mass = share * m* (m* of the whole bodies), rolling_radius for the rolling resistance (a flat
// contact's `radius` grows without bound as the overlap vanishes).
//
// One point resists neither rocking nor twisting about its normal, a patch does: polyhedra need
// rockingDamping (without it a box settles over seconds) and a friction torque of at most 2/3 mu Fn
// sqrt(R overlap) against twisting. For a triangle with a `share` of the patch rockingDamping is to
// be divided by it: its R overlap is share^2 of the whole's, its area only share.
//
// Inside of a cylinder or cone a tablet touches at its deepest place; a long belt along a narrow
// drum's wall, which touches at both ends, changes ends as it rocks.
//
// Accuracy in float: overlap and point to about 1e-6 of the larger bounding radius, the normal to
// that over the rounding or the contact's width.
#pragma once

#include "Shapes/detail/ContactTypes.cuh"
#include "Shapes/detail/PolyhedronCone.cuh"
#include "Shapes/detail/PolyhedronContact.cuh"
#include "Shapes/detail/RoundContact.cuh"

namespace dem
{

/// Two grains. Call with the grain of lower Id as a: then both sides of a pair that compute it get
/// the same bits. `before`, a normal that they had in nearly the same poses, or zero, shortens the
/// search of round pairs.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> grainContact(const ShapeView<Real>& shapes, int shape_a,
  const ShapePose<Real>& a, int shape_b, const ShapePose<Real>& b, const Vec3<Real>& before = {})
{
  const bool solid_a = detail::isPolyhedron(shapes, shape_a),
             solid_b = detail::isPolyhedron(shapes, shape_b);
  if (solid_a && solid_b)
    return detail::polyhedronPair(shapes, shape_a, a, shape_b, b);
  if (solid_a)
    return detail::mirrored(detail::roundPolyhedron(shapes, shape_b, b, shape_a, a));
  if (solid_b)
    return detail::roundPolyhedron(shapes, shape_a, a, shape_b, b);
  return detail::roundPair(shapes, shape_a, a, shape_b, b, before);
}

/// A grain and the half space behind a plane with the unit `normal` through `origin`.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> planeContact(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const Vec3<Real>& origin, const Vec3<Real>& normal)
{
  if (detail::isPolyhedron(shapes, shape))
    return detail::polyhedronPlane(shapes, shape, pose, origin, normal);
  return detail::roundPlane(shapes, shape, pose, origin, normal);
}

template <class Real>
DEM_HD_CALL ContactGeometry<Real> triangleContact(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactTriangle<Real>& triangle)
{
  if (detail::isPolyhedron(shapes, shape))
    return detail::polyhedronTriangle(shapes, shape, pose, triangle);
  return detail::roundTriangle(shapes, shape, pose, triangle);
}

template <class Real>
DEM_HD_CALL ContactGeometry<Real> coneContact(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactCone<Real>& cone)
{
  if (detail::isPolyhedron(shapes, shape))
    return detail::polyhedronCone(shapes, shape, pose, cone);
  return detail::roundCone(shapes, shape, pose, cone);
}

} // namespace dem
