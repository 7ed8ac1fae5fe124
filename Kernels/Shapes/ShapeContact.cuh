// The narrow phase: position and depth of the overlap of a grain of any shape with another grain or
// a wall element. Each convex pair has one contact point.
//
// All functions are pure: the same arguments give the same bits. Coordinates are relative to an
// origin that the caller chooses near the contact (the centre of body a). They are computed in
// double and then rounded to Real, so no precision is lost far from the scene's origin.
//
// *Round pairs* (a sphere or a tablet with anything). The signed distance along the best direction
// is
//     sd = max over unit n of s(n),   s(n) = n . (b - a) - h_A(n) - h_B(-n),
// with the support functions h of the two bodies about their centres a and b. The overlap is -sd,
// the normal the best n. For disjoint bodies sd is their distance, for overlapping bodies the least
// shift that separates them.
//
// A sphere is a ball about a point, a tablet is a ball (the rounding of its edge) about a strictly
// convex core, a polyhedron or triangle has no rounding. As long as the cores are apart, that is
// for overlaps below the sum of the roundings, s has a single maximum, and the normal is a
// continuous function of the pose, as is the nearest point of a convex set. Gilbert, Johnson,
// Keerthi, IEEE J. Robotics and Automation 4 (1988) 193, is the search if a core has corners. Caps
// and belts keep this property for much larger overlaps. Where cores overlap and one has corners,
// HullDepth.cuh searches among several maxima. The contact point is halfway between the two
// surfaces.
//
// The equivalent radius is r_a r_b / (r_a + r_b) with r of the sphere of equal volume, at a wall
// r_a (for spheres: their own). It is constant over a tablet, because a jump of the surface's
// curvature must not cause a jump of the force.
//
// *Polyhedron with polyhedron, plane, triangle, cylinder.* The contact follows from the overlap
// volume V, its centroid c and the area vector S of either surface inside the other, S =
// -dV/d(position of b). Normal: S / |S|. Point: c. Overlap: 2 V / |S|. Equivalent radius: |S|^2 /
// (4 pi V), so that the contact radius is sqrt(R overlap) = sqrt(|S| / (2 pi)).
//
// Two spheres measured in this way (V = pi R d^2, |S| = 2 pi R d for small d) give Hertz's law with
// their own R and overlap d. A flat face gives a linear spring, 0.94 of the rigid punch of equal
// area. A corner gives a force that grows with the square of the depth, as the elastic cone does. V
// and S change continuously with the pose through face, edge and corner contacts, and both vanish
// as bodies separate, so force and torque are continuous. A box at rest is supported over its whole
// face; tilting moves c towards the lower edge, which rights the box. The direction of S has a
// kink, of size overlap / edge, only where two faces of equal normal become coplanar. Overlap
// volumes as contact measure: Feng, Han, Owen, Comput. Methods Appl. Mech. Eng. 205-208 (2012) 169.
// Flat punch and cone: Sneddon, Int. J. Eng. Sci. 3 (1965) 47.
//
// A triangle represents the solid behind it, between planes that bisect the angles to its
// neighbours. A contact covers a share of the whole section of the grain with the triangle's plane.
// Overlap, radius and share are such that the forces of the triangles of a flat floor add up to
// that of the plane, so seams have no effect.
//
// Input of the law (Physics/ContactLaw.cuh): ContactMotion::overlap = overlap, radius = radius,
// mass = share * m* (m* of the whole bodies), rolling_radius for the rolling resistance (a flat
// contact's `radius` grows without bound as the overlap vanishes).
//
// One point resists neither rocking nor twisting about its normal, but a patch does. Polyhedra need
// rockingDamping (without it a box takes seconds to settle) and a friction torque of at most 2/3 mu
// Fn sqrt(R overlap) against twisting. For a triangle with a `share` of the patch, divide
// rockingDamping by the share: its R overlap is share^2 of the whole, but its area only share.
//
// Inside a cylinder or cone a tablet has its contact at the deepest point. A long belt along the
// wall of a narrow drum, which touches at both ends, changes ends as it rocks.
//
// Accuracy in float: overlap and point to about 1e-6 of the larger bounding radius. The normal: to
// that over the rounding or the contact's width.
#pragma once

#include "Shapes/ContactTypes.cuh"
#include "Shapes/PolyhedronCone.cuh"
#include "Shapes/PolyhedronContact.cuh"
#include "Shapes/PolyhedronWall.cuh"
#include "Shapes/RoundCone.cuh"
#include "Shapes/RoundContact.cuh"
#include "Shapes/RoundHull.cuh"

namespace dem
{

/// Contact of two grains. Pass the grain of lower Id as a, so that both sides of a pair compute the
/// same bits. `before`: the normal of the pair in a similar pose, or zero; it shortens the search
/// of round pairs.
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

/// Contact of a grain with the half space behind a plane through `origin` with the unit normal
/// `normal`.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> planeContact(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const Vec3<Real>& origin, const Vec3<Real>& normal)
{
  if (detail::isPolyhedron(shapes, shape))
    return detail::polyhedronPlane(shapes, shape, pose, origin, normal);
  return detail::roundPlane(shapes, shape, pose, origin, normal);
}

/// Contact of a grain with a triangle of a wall.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> triangleContact(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactTriangle<Real>& triangle)
{
  if (detail::isPolyhedron(shapes, shape))
    return detail::polyhedronTriangle(shapes, shape, pose, triangle);
  return detail::roundTriangle(shapes, shape, pose, triangle);
}

/// Contact of a grain with a cylinder or cone.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> coneContact(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactCone<Real>& cone)
{
  if (detail::isPolyhedron(shapes, shape))
    return detail::polyhedronCone(shapes, shape, pose, cone);
  return detail::roundCone(shapes, shape, pose, cone);
}

} // namespace dem
