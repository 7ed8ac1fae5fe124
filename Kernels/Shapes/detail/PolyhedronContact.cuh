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

#include "Core/DeviceHints.cuh"
#include "Shapes/detail/ContactTypes.cuh"

#include <cstdint>

namespace dem
{
namespace detail
{

constexpr int kMaxPolygon = 128; // two faces of a 64-vertex polyhedron: corners and cuts

/// Clips a convex polygon to normal . x <= w. With `open`, points in the plane are outside, and so
/// is a polygon that is nearer to it than `noise` everywhere; without, both are inside. The
/// remaining corners are a contiguous run: keep() is called for it and add() for the two points of
/// the cut. If rounding makes several runs, all within rounding error of the plane, one is kept.
template <class Real, class Corners>
DEM_HD void clipPolygon(
  Corners& polygon, const Vec3<Real>& normal, Real w, bool open, Real noise = 0)
{
  const int size = polygon.size;
  if (size == 0)
    return;
  const auto height = [&](const Vec3<Real>& p) { return dot(normal, p) - w; };
  const auto inside = [&](Real h) { return open ? h < Real(0) : h <= Real(0); };
  // A corner behind a cut, with its height and that of the corner before.
  struct Cut
  {
    int at = -1;
    Real from = 0, to = 0;
  } enter, leave; // first corner inside; first corner outside, after `enter` if possible
  Real last = height(polygon[size - 1]);
  bool before = inside(last), flat = true, behind = false;
  DEM_ROLLED
  for (int k = 0; k < size; ++k)
  {
    const Real h = height(polygon[k]);
    const bool now = inside(h);
    flat = flat && h < noise && h > -noise;
    if (now && !before && enter.at < 0)
      enter = { k, last, h };
    if (!now && before && (leave.at < 0 || (enter.at >= 0 && !behind)))
    {
      leave = { k, last, h };
      behind = enter.at >= 0;
    }
    before = now;
    last = h;
  }
  if (flat)
  {
    if (open)
      polygon.clear();
    return;
  }
  if (enter.at < 0) // all corners are on one side
  {
    if (!before)
      polygon.clear();
    return;
  }
  const int count = leave.at > enter.at ? leave.at - enter.at : leave.at - enter.at + size;
  const auto point = [&](const Cut& cut) {
    const Vec3<Real> p = polygon[cut.at > 0 ? cut.at - 1 : size - 1], q = polygon[cut.at];
    return p + (cut.from / (cut.from - cut.to)) * (q - p);
  };
  const Vec3<Real> out = point(leave), in = point(enter);
  polygon.keep(enter.at, count);
  polygon.add(out);
  polygon.add(in);
}

/// The point of height 0 between two points of which one has a height below 0. Independent of their
/// order.
template <class Real>
DEM_HD Vec3<Real> crossing(const Vec4<Real>& a, const Vec4<Real>& b)
{
  const Vec4<Real> from = a.w < Real(0) ? a : b, to = a.w < Real(0) ? b : a;
  return multiplyAdd(from.w / (from.w - to.w), to.xyz() - from.xyz(), from.xyz());
}

/// Adds the part of a face below height 0 to a polygon. corner(k): position and height of corner k.
template <class Real, class Corners, class Corner>
DEM_HD void addBelow(Corners& polygon, int corners, const Corner& corner)
{
  Vec4<Real> before = corner(corners - 1);
  DEM_ROLLED
  for (int k = 0; k < corners; ++k)
  {
    const Vec4<Real> now = corner(k);
    const bool in = now.w < Real(0);
    if (in != (before.w < Real(0)))
      polygon.add(crossing(before, now));
    if (in)
      polygon.add(now.xyz());
    before = now;
  }
}

/// Points without initial values: clearing many takes longer than using a few.
template <class Real, int kSize>
struct RawPoints
{
  Real of[kSize][3];

  DEM_HD Vec3<Real> operator[](int k) const { return { of[k][0], of[k][1], of[k][2] }; }
  DEM_HD void set(int k, const Vec3<Real>& p)
  {
    of[k][0] = p.x;
    of[k][1] = p.y;
    of[k][2] = p.z;
  }
};

/// A convex polygon in local memory.
template <class Real>
struct Polygon
{
  RawPoints<Real, kMaxPolygon> corner[2];
  int size, side;

  DEM_HD Polygon()
    : size(0)
    , side(0)
  {
  }
  DEM_HD void clear() { size = 0; }
  DEM_HD void add(const Vec3<Real>& p)
  {
    if (size < kMaxPolygon)
      corner[side].set(size++, p);
  }
  DEM_HD Vec3<Real> operator[](int k) const { return corner[side][k]; }
  /// Keeps `count` corners from `first` on, cyclically.
  DEM_HD void keep(int first, int count)
  {
    for (int k = 0; k < count; ++k)
      corner[1 - side].set(k, corner[side][first + k < size ? first + k : first + k - size]);
    side = 1 - side;
    size = count;
  }
  DEM_HD_CALL void clip(const Vec3<Real>& normal, Real w, bool open, Real noise = 0)
  {
    clipPolygon(*this, normal, w, open, noise);
  }
};

/// The point of a ball about the origin that is nearest to x.
template <class Real>
DEM_HD Vec3<Real> insideBall(const Vec3<Real>& x, Real radius)
{
  using std::sqrt;
  const Real d2 = dot(x, x);
  return d2 > radius * radius ? (radius / sqrt(d2)) * x : x;
}

/// Overlaps below this volume, in units of the radius cubed, are rounding errors in any precision.
/// Their quotients would exceed the range of single precision.
inline constexpr double kNoVolume = 1e-30;

/// A lower bound, up to a factor, of the surface area of a body with this volume.
template <class Real>
DEM_HD Real areaAbout(Real volume)
{
  using std::cbrt;
  const Real edge = cbrt(volume); // not the root of the square, which underflows
  return edge * edge;
}

/// Contribution of one polygon to OverlapSums.
template <class Real>
struct FaceSums
{
  Real volume = 0, height = 0, flow = 0;
  Vec3<Real> moment{}, spread{}, area{};
  Real deepest = 0, top = -Real(1e30);
};

/// Integrates over polygon p, with heights along m from `origin`.
template <class Real, class Corners>
DEM_HD FaceSums<Real> faceSums(const Corners& p, const Vec3<Real>& m, const Vec3<Real>& origin)
{
  FaceSums<Real> out;
  if (p.size < 3)
    return out;
  const auto note = [&](Real h) {
    const Real size = h < Real(0) ? -h : h;
    out.deepest = size > out.deepest ? size : out.deepest;
    out.top = h > out.top ? h : out.top;
  };
  const Vec3<Real> a = p[0] - origin;
  const Real ha = dot(m, a);
  note(ha);
  Vec3<Real> b = p[1] - origin;
  Real hb = dot(m, b);
  note(hb);
  DEM_ROLLED
  for (int k = 2; k < p.size; ++k)
  {
    const Vec3<Real> c = p[k] - origin;
    const Real hc = dot(m, c);
    note(hc);
    const Vec3<Real> s = Real(0.5) * cross(b - a, c - a);
    out.area += s;
    const Real flow = dot(m, s) * Real(1. / 3);
    // the mean of a quadratic function over a triangle is that of its values at the edge midpoints
    const Real h1 = Real(0.5) * (ha + hb), h2 = Real(0.5) * (hb + hc), h3 = Real(0.5) * (hc + ha);
    out.volume += flow * (h1 + h2 + h3);
    out.height += Real(0.5) * flow * (h1 * h1 + h2 * h2 + h3 * h3);
    out.moment += (Real(0.5) * flow) * (h1 * (a + b) + h2 * (b + c) + h3 * (c + a));
    out.flow += Real(3) * flow;
    out.spread += flow * (a + b + c);
    b = c;
    hb = hc;
  }
  return out;
}

/// Sums over faces, with heights along m from the plane through `origin`.
template <class Real>
struct OverlapSums
{
  Vec3<Real> m;                // unit
  Vec3<Real> origin{};         // near the overlap, which limits cancellation
  Real volume = 0, height = 0; // V, and the integral of h over it
  Vec3<Real> moment{}; // its component perpendicular to m is the integral of x - origin over V
  Vec3<Real> area{};   // of the faces added since it was last cleared
  Real deepest = 0;    // largest |h| of a corner
  Real flow = 0;       // integral of m . dS; spread: integral of (x - origin) m . dS
  Vec3<Real> spread{};
  Real top = -Real(1e30); // largest h of a corner

  DEM_HD void add(const FaceSums<Real>& face)
  {
    volume += face.volume;
    height += face.height;
    moment += face.moment;
    area += face.area;
    deepest = face.deepest > deepest ? face.deepest : deepest;
    flow += face.flow;
    spread += face.spread;
    top = face.top > top ? face.top : top;
  }
  /// Accounts for the face in the plane m . x = w with the normal m, which was not added and closes
  /// the surface. If no added face reaches that plane, nothing is missing, except if the whole face
  /// is.
  DEM_HD void close(Real w, Real noise)
  {
    constexpr Real kClosed = Real(1e-5); // the area of a whole face is larger
    const Real level = w - dot(m, origin);
    if (top < level - noise && flow < kClosed && flow > -kClosed)
      return;
    // Heights are measured from the closing plane, where its face adds nothing.
    height += level * (Real(0.5) * level * flow - volume);
    moment -= level * spread;
    volume -= level * flow;
    origin += level * m;
  }
  DEM_HD_CALL void add(const Polygon<Real>& p) { add(faceSums(p, m, origin)); }
  DEM_HD Vec3<Real> centroid() const
  {
    const Vec3<Real> x = (Real(1) / volume) * moment;
    return origin + (x - dot(x, m) * m + (height / volume) * m);
  }
};

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

/// Contact of a polyhedron with a triangle of a wall.
template <class Real>
DEM_HD_CALL ContactGeometry<Real> polyhedronTriangle(const ShapeView<Real>& shapes, int shape,
  const ShapePose<Real>& pose, const ContactTriangle<Real>& triangle)
{
  using std::sqrt;
  const Real zero(0), one(1);
  ContactGeometry<Real> out;
  const Real unit = one / pose.scale;
  Vec3<Real> p[3] = { unit * (triangle.a - pose.center), unit * (triangle.b - pose.center),
    unit * (triangle.c - pose.center) };
  const Vec3<Real> across = cross(p[1] - p[0], p[2] - p[0]);
  Vec3<Real> n = normalized(across);
  // the side of the grain's centre is the free one
  const bool back = dot(n, p[0]) > zero;
  if (back)
    n = -n;
  const Real depth = dot(n, p[0]);
  if (depth <= -one)
    return out;
  Vec4<Real> sides[3];
  Vec3<Real> into[3];
  bool tilted[3];
  for (int k = 0; k < 3; ++k)
  {
    const Vec3<Real>&u = p[k], &v = p[(k + 1) % 3];
    const Vec3<Real> along = back ? u - v : v - u;
    const Vec3<Real> beyond = back ? -triangle.neighbor[k] : triangle.neighbor[k];
    const Vec3<Real> outward = cross(along, n);
    if (dot(outward, u) < -sqrt(dot(outward, outward))) // farther than the bounding sphere
      return out;
    const Vec3<Real> middle = n + beyond;
    const Real turn = dot(outward, beyond), length2 = dot(along, along);
    // for a fold by 180 degrees there is no plane between the triangles
    const bool folded = dot(middle, middle) < Real(1e-6);
    tilted[k] = !folded && turn * turn > Real(1e-10) * length2;
    // a neighbour between this triangle and the centre hides it
    if (tilted[k] && turn < zero && dot(beyond, u) > zero)
      return out;
    into[k] = -(folded ? n : middle);
    const Vec3<Real> side = tilted[k] ? normalized(cross(along, middle)) : normalized(outward);
    sides[k] = vec4(pose.toBody(side), dot(side, u));
  }
  const SolidView<Real> a(shapes, shape);
  Polygon<Real> polygon;
  SectionSums<Real> sums;
  const Vec4<Real> plane = vec4(pose.toBody(n), depth);
  if (!sectionSums(a, plane, sides, 3, polygon, sums))
    return out;
  // Boundaries between this triangle's solid and its neighbours' contribute if they are not
  // parallel to the normal.
  for (int k = 0; k < 3; ++k)
    if (tilted[k])
    {
      const Vec3<Real> u = pose.toBody(p[k]), v = pose.toBody(p[(k + 1) % 3]);
      const Vec3<Real> e = Real(3) * normalized(v - u),
                       down = (Real(3) / sqrt(dot(into[k], into[k]))) * pose.toBody(into[k]);
      // the part of the edge near the body, so that large triangles lose no precision
      const Vec3<Real> foot = u - (dot(u, e) / dot(e, e)) * e;
      polygon.clear();
      const Vec3<Real> square[4] = { foot - e, foot + e, foot + e + down, foot - e + down };
      const bool flip =
        dot(cross(square[1] - square[0], square[2] - square[0]), sides[k].xyz()) < zero;
      for (int c = 0; c < 4; ++c)
        polygon.add(square[flip ? 3 - c : c]);
      for (int s = 0; s < 3; ++s)
        if (s != k)
          polygon.clip(sides[s].xyz(), sides[s].w, true);
      for (int f = 0; f < a.faces && polygon.size > 0; ++f)
        polygon.clip(a.plane[f].xyz(), a.plane[f].w, true);
      sums.part.add(polygon);
    }
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
  out.normal = -n;
  out.point = pose.center + insideBall(pose.scale * pose.toSpace(sums.part.centroid()), pose.scale);
  return out;
}

} // namespace detail
} // namespace dem
