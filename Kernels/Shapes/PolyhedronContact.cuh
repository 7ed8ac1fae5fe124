// Contacts of polyhedra: the overlap's volume V, its centroid and its area vector
// (ShapeContact.cuh).
//
// The overlap is not constructed as a body. With a fixed unit vector m and the height h(x) = m . x
// - w, Gauss's theorem gives
//     V = sum over the overlap's faces of the integral of h (m . dS),
// and similar formulas for the moments. So faces are processed one by one in any order. Each is
// clipped by the planes of the other body, one after the other (as Sutherland, Hodgman, Comm. ACM
// 17 (1974) 32).
//
// m and w belong to the *front*: the face that the other body enters least. Heights then have the
// size of the overlap rather than of the bodies, which keeps precision in float. The front adds
// nothing above itself, and faces perpendicular to it add nothing at all. The remaining faces are
// those of the other body below the front, clipped by the planes beyond which its part below the
// front extends, and the faces in such planes that are not perpendicular to the front.
#pragma once

#include "Shapes/SolidPair.cuh"
#include "Shapes/detail/ClippedPolygon.cuh"
#include "Shapes/detail/OverlapSums.cuh"

#include <cstdint>

namespace dem
{
namespace detail
{

/// The contact that follows from the sums over a pair's faces. `sums.area`: of the faces of b.
template <class Real>
DEM_HD ContactGeometry<Real> solidContact(const ShapeView<Real>& shapes, int shape_a,
  const ShapePose<Real>& pose_a, int shape_b, const ShapePose<Real>& pose_b,
  const OverlapSums<Real>& sums)
{
  using std::sqrt;
  const Real zero(0);
  ContactGeometry<Real> out;
  if (!(sums.volume > Real(kNoVolume)))
    return out;
  const Vec3<Real> between = pose_b.center - pose_a.center;
  const Real d2 = dot(between, between);
  const Real open = sqrt(dot(sums.area, sums.area));
  // If one body contains nearly all of the other, the surfaces cancel; the area then follows from
  // the volume.
  const Real closed = areaAbout(sums.volume), area = open > closed ? open : closed;
  Vec3<Real> n;
  if (open > Real(1e-3) * closed)
    n = pose_a.toSpace((Real(-1) / open) * sums.area);
  else
    n = d2 > zero ? (Real(1) / sqrt(d2)) * between : Vec3<Real>{ zero, zero, Real(1) };
  const Real unit = pose_a.scale;
  const Real ra = equivalentRadius(shapes, shape_a, pose_a),
             rb = equivalentRadius(shapes, shape_b, pose_b);
  out.overlap = unit * Real(2) * sums.volume / area;
  out.radius = unit * area * area / (Real(2 * kTwoPi) * sums.volume);
  out.rolling_radius = ra * rb / (ra + rb);
  out.normal = n;
  // Limited to both bounding spheres, because the quotient of two rounding errors could be any
  // point.
  const Vec3<Real> point =
    pose_a.center + insideBall(unit * pose_a.toSpace(sums.centroid()), pose_a.scale);
  out.point = pose_b.center + insideBall(point - pose_b.center, pose_b.scale);
  return out;
}

/// The planes of a body beyond which the part of another body below one of its faces extends; other
/// planes cut nothing. add() is called for the corners of that part.
template <class Real, class Bits>
struct PlanesReached
{
  SolidView<Real> body;
  int face;
  Bits some = 0, every = ~Bits(0); // planes with some corner beyond; with all corners beyond

  DEM_HD void add(const Vec3<Real>& x)
  {
    Bits outside = 0;
    for (int p = 0; p < body.faces; ++p)
    {
      const Vec4<Real> plane = body.plane[p];
      if (p != face && dot(plane.xyz(), x) > plane.w)
        outside |= bit(p);
    }
    some |= outside;
    every &= outside;
  }
  DEM_HD static Bits bit(int p)
  {
    return sizeof(Bits) == 8 ? static_cast<Bits>(planeBit(p)) : Bits(1) << p;
  }
};

/// The same if both bodies have few faces, also for each face of the other body: a byte for each
/// face, a bit for each plane (kByteFaces). Points nearer to a plane than `noise` are not beyond
/// it.
template <class Real>
struct PlanesReachedByFace
{
  static_assert(kFewFaces <= kByteFaces, "bytes of a number");

  SolidView<Real> body;
  int face;
  Real noise;
  std::uint32_t some = 0, every = ~0u; // planes with some corner beyond; with all corners beyond
  // planes with some corner of the face beyond; with some corner of it inside
  std::uint64_t of_faces = 0, corner_inside = 0;

  /// Adds a corner of the faces whose bytes are set.
  DEM_HD void add(const Vec3<Real>& x, std::uint64_t faces)
  {
    constexpr int kAtOnce = 3; // planes loaded at the same time
    std::uint32_t outside = 0;
    DEM_ROLLED
    for (int p = 0; p < body.faces; p += kAtOnce)
    {
      Vec4<Real> plane[kAtOnce];
      for (int k = 0; k < kAtOnce; ++k)
        plane[k] = body.plane[p + k < body.faces ? p + k : p];
      for (int k = 0; k < kAtOnce; ++k)
        outside |= dot(plane[k].xyz(), x) - plane[k].w >= noise
          ? 1u << (p + k < body.faces ? p + k : p)
          : 0u;
    }
    outside &= ~(1u << face);
    some |= outside;
    every &= outside;
    of_faces |= faces * outside;
    corner_inside |= faces * (~outside & 0xffu);
  }
  /// Whether a face that has corners is entirely beyond some plane, so that nothing of it remains.
  DEM_HD bool isCutOff(int f) const { return ~corner_inside >> 8 * f & 0xffu; }
};

/// Whether a face with this cosine to the direction of heights contributes to a volume.
template <class Real>
DEM_HD bool weighs(Real cosine)
{
  const Real least = sizeof(Real) == 4 ? Real(1e-5) : Real(1e-13);
  return cosine > least || cosine < -least;
}

/// Contact of two polyhedra from the side of a, whose face `front` b enters least. Faces of b in
/// planes of a count; faces of a in planes of b do not.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> overlapBehind(const ShapeView<Real>& shapes, int shape_a,
  const ShapePose<Real>& pose_a, int shape_b, const ShapePose<Real>& pose_b, int front)
{
  const Real zero(0);
  const SolidPair<Real> pair(shapes, shape_a, pose_a, shape_b, pose_b);
  const SolidView<Real>&a = pair.a, &b = pair.b;
  const Vec4<Real> plane = a.plane[front];
  const Real noise = pair.noise();
  RawPoints<Real, kMaxShapeVertices> at;
  Real height[kMaxShapeVertices];
  PlanesReached<Real, std::uint64_t> reached{ a, front };
  OverlapSums<Real> sums;
  sums.m = plane.xyz();
  for (int v = 0; v < b.vertices; ++v)
  {
    const Vec3<Real> x = pair.vertexOfB(v);
    at.set(v, x);
    height[v] = dot(plane.xyz(), x) - plane.w;
    if (height[v] < zero)
      reached.add(x);
  }
  for (int e = 0; e < b.edges; ++e)
  {
    const int u = b.edge[e].a, v = b.edge[e].b;
    if ((height[u] < zero) != (height[v] < zero))
      reached.add(crossing(vec4(at[u], height[u]), vec4(at[v], height[v])));
  }
  if (reached.every != 0)
    return {};

  Polygon<Real> polygon;
  bool placed = false;
  const auto addFace = [&] {
    if (!placed && polygon.size > 0)
    {
      sums.origin = polygon[0];
      placed = true;
    }
    sums.add(polygon);
  };
  for (int f = 0; f < b.faces; ++f)
  {
    polygon.clear();
    addBelow<Real>(polygon, b.begin[f + 1] - b.begin[f], [&](int k) {
      const int v = b.corner[b.begin[f] + k];
      return vec4(at[v], height[v]);
    });
    for (int p = 0; p < a.faces && polygon.size > 0; ++p)
      if (p != front && (reached.some & planeBit(p)))
        polygon.clip(a.plane[p].xyz(), a.plane[p].w, false, noise);
    addFace();
  }
  const Vec3<Real> area = sums.area;
  for (int f = 0; f < a.faces; ++f)
  {
    if (f == front || !(reached.some & planeBit(f)) || !weighs(dot(a.plane[f].xyz(), sums.m)))
      continue;
    polygon.clear();
    for (int k = a.begin[f]; k < a.begin[f + 1]; ++k)
      polygon.add(a.vertex[a.corner[k]]);
    for (int p = 0; p < b.faces && polygon.size > 0; ++p)
    {
      const Vec4<Real> cut = pair.planeOfB(p);
      polygon.clip(cut.xyz(), cut.w, true, noise);
    }
    addFace();
  }
  sums.area = area;
  sums.close(plane.w, noise);
  return solidContact(shapes, shape_a, pose_a, shape_b, pose_b, sums);
}

/// Contact of two polyhedra.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> polyhedronPair(const ShapeView<Real>& shapes, int shape_a,
  const ShapePose<Real>& pose_a, int shape_b, const ShapePose<Real>& pose_b)
{
  const Vec3<Real> between = pose_b.center - pose_a.center;
  const Real reach = pose_a.scale + pose_b.scale;
  if (dot(between, between) >= reach * reach)
    return {};
  const FaceOfPair front = SolidPair<Real>(shapes, shape_a, pose_a, shape_b, pose_b).leastEntered();
  if (!front.entered)
    return {};
  return front.of_b ? mirrored(overlapBehind(shapes, shape_b, pose_b, shape_a, pose_a, front.face))
                    : overlapBehind(shapes, shape_a, pose_a, shape_b, pose_b, front.face);
}

} // namespace detail
} // namespace dem
