// Two polyhedra seen from the first: the face that the other enters least, and for how long it
// stays the same.
#pragma once

#include "Shapes/ContactTypes.cuh"

#include <cstdint>

namespace dem
{
namespace detail
{

/// Bit for a plane in the set of planes beyond which a vertex is; planes from 63 on share the last
/// bit.
constexpr int kLastPlane = 63;
DEM_HD std::uint64_t planeBit(int plane)
{
  return std::uint64_t(1) << (plane < kLastPlane ? plane : kLastPlane);
}

/// Index of the lowest set bit; bits != 0.
DEM_HD int lowestBit(std::uint32_t bits)
{
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

// Polyhedra with at most these numbers of faces, vertices, and corners of a face have a faster path
// on devices (PolyhedraBlock.cuh).
constexpr int kFewFaces = 8, kFewVertices = 10, kFewCorners = 4;

template <class Real>
DEM_HD bool isFewFaced(const ShapeNumbers<Real>& n)
{
  return n.faces_end - n.faces_begin <= kFewFaces &&
    n.vertices_end - n.vertices_begin <= kFewVertices && n.most_corners <= kFewCorners;
}

/// The arrays of one polyhedron.
template <class Real>
struct SolidView
{
  const Vec3<Real>* vertex;
  const std::uint64_t* vertex_faces; // see faceByte
  const std::uint32_t* vertex_edges;
  const Vec4<Real>* plane;
  const std::int32_t* begin; // corners of face f: corner[begin[f] .. begin[f + 1])
  const std::int32_t* corner;
  const ShapeEdge* edge;
  int vertices, faces, edges;

  DEM_HD SolidView(const ShapeView<Real>& shapes, int shape)
    : vertex(shapes.vertices + shapes.shapes[shape].vertices_begin)
    , vertex_faces(shapes.vertex_faces + shapes.shapes[shape].vertices_begin)
    , vertex_edges(shapes.vertex_edges + shapes.shapes[shape].vertices_begin)
    , plane(shapes.planes + shapes.shapes[shape].faces_begin)
    , begin(shapes.corners_begin + shapes.shapes[shape].faces_begin)
    , corner(shapes.corners)
    , edge(shapes.edges + shapes.shapes[shape].edges_begin)
    , vertices(shapes.shapes[shape].vertices_end - shapes.shapes[shape].vertices_begin)
    , faces(shapes.shapes[shape].faces_end - shapes.shapes[shape].faces_begin)
    , edges(shapes.shapes[shape].edges_end - shapes.shapes[shape].edges_begin)
  {
  }
};

template <class Real>
DEM_HD Real equivalentRadius(const ShapeView<Real>& shapes, int shape, const ShapePose<Real>& pose)
{
  return shape < 0 ? pose.scale : pose.scale * shapes.shapes[shape].equivalent_radius;
}

constexpr double kTwoPi = 6.28318530717958648;

/// A face of a pair of polyhedra: its index, whether it belongs to the second body, and whether the
/// other body enters it.
struct FaceOfPair
{
  int face;
  bool of_b, entered;
};

/// Two polyhedra in the frame and unit of the first, relative to its centre.
template <class Real>
struct SolidPair
{
  SolidView<Real> a, b;
  Real scale;               // of b
  Vec3<Real> d, bx, by, bz; // b's centre and axes

  DEM_HD SolidPair(const ShapeView<Real>& shapes, int shape_a, int shape_b)
    : a(shapes, shape_a)
    , b(shapes, shape_b)
  {
  }
  DEM_HD SolidPair(const ShapeView<Real>& shapes, int shape_a, const ShapePose<Real>& pose_a,
    int shape_b, const ShapePose<Real>& pose_b)
    : SolidPair(shapes, shape_a, shape_b)
  {
    scale = pose_b.scale / pose_a.scale;
    d = (Real(1) / pose_a.scale) * pose_a.toBody(pose_b.center - pose_a.center);
    bx = pose_a.toBody(pose_b.ex);
    by = pose_a.toBody(pose_b.ey);
    bz = pose_a.toBody(pose_b.ez);
  }

  DEM_HD Vec3<Real> turned(const Vec3<Real>& v) const
  {
    return multiplyAdd(v.z, bz, multiplyAdd(v.y, by, v.x * bx));
  }
  DEM_HD Vec4<Real> planeOfA(int f) const { return a.plane[f]; }
  DEM_HD Vec4<Real> planeOfB(int f) const
  {
    const Vec3<Real> n = turned(b.plane[f].xyz());
    return vec4(n, scale * b.plane[f].w + dot(n, d));
  }
  DEM_HD Vec3<Real> vertexOfB(int v) const { return multiplyAdd(scale, turned(b.vertex[v]), d); }

  /// The face that the other body enters least, or a face that it does not enter. Faces whose
  /// normal points away from the other's centre are skipped: they are entered by more than the
  /// radius of the inner sphere.
  DEM_HD FaceOfPair leastEntered() const
  {
    Real least, next;
    return leastEntered<false>(least, next);
  }
  /// The same. least: height of the other body above that face, negative if it enters, in units of
  /// a's scale. next, with `kNext`: the same for the face that is second.
  template <bool kNext>
  DEM_HD FaceOfPair leastEntered(Real& least, Real& next) const
  {
    FaceOfPair out{ 0, false, true };
    least = next = -Real(1e30);
    const Vec3<Real> seen{ dot(d, bx), dot(d, by), dot(d, bz) }; // the vector to b, in b's frame
    const auto enters = [&](int f, bool second, Real low) {      // whether the face is entered
      if (low > least)
      {
        if constexpr (kNext)
          next = least;
        least = low;
        out = { f, second, low < Real(0) };
      }
      // some faces are tested twice
      else if (kNext && low > next && (f != out.face || second != out.of_b))
        next = low;
      return low < Real(0);
    };
    const auto inB = [&](int f) {
      const Vec3<Real> n = a.plane[f].xyz();
      return Vec3<Real>{ dot(n, bx), dot(n, by), dot(n, bz) };
    };
    const auto ofA = [&](int f, Real low) {
      return enters(f, false, dot(a.plane[f].xyz(), d) + scale * low - a.plane[f].w);
    };
    const auto inA = [&](int f) { return turned(b.plane[f].xyz()); };
    const auto ofB = [&](int f, Real low) { return enters(f, true, low - planeOfB(f).w); };
    if (!allFacing(a, d, b, inB, ofA) || !allFacing(b, -seen, a, inA, ofB))
      out.entered = false; // or a value is not a number
    return out;
  }

  /// Number of vertices of the other body below a face.
  DEM_HD int verticesBelow(const FaceOfPair& of) const
  {
    const Vec4<Real> plane = of.of_b ? planeOfB(of.face) : a.plane[of.face];
    const Vec3<Real> n = plane.xyz();
    const Vec3<Real> up = of.of_b ? n : scale * Vec3<Real>{ dot(n, bx), dot(n, by), dot(n, bz) };
    const Real level = of.of_b ? plane.w : plane.w - dot(n, d);
    const Vec3<Real>* const vertex = of.of_b ? a.vertex : b.vertex;
    const int vertices = of.of_b ? a.vertices : b.vertices;
    int below = 0;
    for (int v = 0; v < vertices; ++v)
      below += dot(up, vertex[v]) < level ? 1 : 0;
    return below;
  }

  /// Distances below which a vertex counts as being in a plane.
  DEM_HD Real noise() const
  {
    return (sizeof(Real) == 4 ? Real(1e-6) : Real(1e-14)) * (Real(1) + scale);
  }

private:
  // Returns whether holds(face, low) is true for each face whose normal does not point away from
  // `to`. low: height of the lowest vertex of `other` along normal(face), in that body's frame.
  // Faces are collected first and several share a loop over the vertices. So neighbouring threads
  // are busy at the same time, and read little.
  template <class Normal, class Holds>
  DEM_HD static bool allFacing(const SolidView<Real>& solid, const Vec3<Real>& to,
    const SolidView<Real>& other, const Normal& normal, const Holds& holds)
  {
#if defined(__CUDA_ARCH__)
    constexpr int kAtOnce = 3; // mostly all faces of a cube
#else
    constexpr int kAtOnce = 1; // no face is tested needlessly
#endif
    for (int base = 0; base < solid.faces; base += 32)
    {
      std::uint32_t faces = 0;
      for (int k = 0; k < 32 && base + k < solid.faces; ++k)
        if (dot(solid.plane[base + k].xyz(), to) >= Real(0))
          faces |= 1u << k;
      while (faces != 0)
      {
        int face[kAtOnce];
        Vec3<Real> n[kAtOnce];
        Real low[kAtOnce];
        for (int k = 0; k < kAtOnce; ++k)
        {
          // Unused places repeat the last face.
          face[k] = faces != 0 ? base + lowestBit(faces) : (k > 0 ? face[k - 1] : base);
          faces &= faces - 1;
          n[k] = normal(face[k]);
          low[k] = Real(1e30);
        }
        for (int v = 0; v < other.vertices; ++v)
        {
          const Vec3<Real> x = other.vertex[v];
          for (int k = 0; k < kAtOnce; ++k)
          {
            const Real h = dot(n[k], x);
            low[k] = h < low[k] ? h : low[k];
          }
        }
        for (int k = 0; k < kAtOnce; ++k)
          if (!holds(face[k], low[k]))
            return false;
      }
    }
    return true;
  }
};

/// Distance (see roomBetween) by which a face of the first polyhedron separates two, whose bounding
/// spheres meet. If it is positive, leastEntered() finds them separate, too.
template <class Real>
DEM_HD Real partedBy(const ShapeView<Real>& shapes, int shape_a, const ShapePose<Real>& pose_a,
  int shape_b, const ShapePose<Real>& pose_b, int face)
{
  const SolidView<Real> a(shapes, shape_a), b(shapes, shape_b);
  const Vec4<Real> plane = a.plane[face];
  const Vec3<Real> n = pose_a.toSpace(plane.xyz()), down = pose_b.toBody(n);
  Real low(1e30);
  for (int v = 0; v < b.vertices; ++v)
  {
    const Real h = dot(down, b.vertex[v]);
    low = h < low ? h : low;
  }
  return roomBetween(pose_a, pose_b,
    dot(n, pose_b.center - pose_a.center) + pose_b.scale * low - pose_a.scale * plane.w);
}

/// Distance (m) that two polyhedra can move, both together, before leastEntered() may give another
/// result: another front, or the change between separate and overlapping. Zero or less if it may
/// change at once. The path of a body bounds the motion of all its points, and of the planes of its
/// faces within the other body. `least` and `next` are results of leastEntered(). Bodies with
/// separate bounding spheres do not touch, so the spheres are included.
template <class Real>
DEM_HD Real roomOfFront(const ShapeView<Real>& shapes, int shape_a, const ShapePose<Real>& pose_a,
  int shape_b, const ShapePose<Real>& pose_b, const FaceOfPair& front, Real least, Real next)
{
  using std::sqrt;
  if (!front.entered)
    return roomBetween(pose_a, pose_b, pose_a.scale * least);
  // faces pointing away are entered by the inner spheres
  const Real hidden = -(pose_a.scale * shapes.shapes[shape_a].inner_radius +
    pose_b.scale * shapes.shapes[shape_b].inner_radius);
  const Real depth = -pose_a.scale * least,
             second = pose_a.scale * next > hidden ? pose_a.scale * next : hidden;
  const Real lead = Real(0.5) * (-depth - second); // each may approach the other
  const Vec3<Real> between = pose_b.center - pose_a.center;
  const Real reach = pose_a.scale + pose_b.scale, spheres = reach - sqrt(dot(between, between));
  const Real room = lead < depth ? lead : depth;
  return (room < spheres ? room : spheres) - Real(1e-5) * reach;
}

} // namespace detail
} // namespace dem
