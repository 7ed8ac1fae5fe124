// Contacts of polyhedra with few faces on a device: the formulas of overlapBehind
// (PolyhedronContact.cuh), distributed over the threads of a warp so that neighbouring threads do
// the same work.
#pragma once

#include "Core/Warp.cuh"
#include "Shapes/PolyhedronContact.cuh"

namespace dem
{
namespace detail
{

/// A pair, with the body of the front face as `a`. Poses are relative to its centre.
template <class Real>
struct PolyhedraToCut
{
  int shape_a, shape_b, front;
  bool swapped;     // a is the second body of the contact
  Vec3<Real> apart; // vector from a to b
  ShapePose<Real> a, b;
};

/// Kernel functor: a warp processes 32 pairs. First each thread handles a pair: it finds the part
/// of b below the front, and the planes of a beyond which it extends. If there are none and the
/// part is a corner of three edges, the overlap is a tetrahedron and the pair is finished. For all
/// other pairs each thread clips one face in shared memory, 32 faces at a time from any pairs. Then
/// each thread adds the faces of its pair in their order. The warps of a block are independent, but
/// are synchronized at intervals: warps at the same place share the fetched instructions.
///
/// `Pairs` has size() places; it provides has(k), read(k, pair), conclude(...) and forget(...).
template <class Pairs>
struct PolyhedraBlock
{
  using Real = typename Pairs::Number;
  static constexpr unsigned kThreads = sizeof(Real) == 4 ? 128 : 64; // 34 KB of shared memory
  static constexpr unsigned kResidentBlocks = sizeof(Real) == 4 ? 5 : 4;
  static constexpr unsigned kWhole = 0xffffffffu;
  static constexpr int kFaces = kFewFaces;
  // Corners of a face that every plane has cut, and two more during a cut.
  static constexpr int kCorners = kFewCorners + kFaces + 2;
  static constexpr int kSums = 13;
  static constexpr int kPose = 14;

  struct Warp
  {
    union
    {
      // vertices of b of each pair, with their height above the front
      Real vertex[kFewVertices][4][32];
      Real corner[kCorners][3][32]; // corners of each thread's polygon
      Real sums[kSums][32];         // sums of each thread's face
    };
    Real pose[kPose][32]; // of each pair: axes and scale of a, position and scale of b
    Real origin[3][32];   // origin of each pair's sums
    // pair | face << 5; faces of b, then from kFaces on those of a.
    std::uint16_t item[2 * kFaces * 32];
  };
  struct Shared
  {
    Warp warp[kThreads / 32];
  };
  static_assert(
    sizeof(Shared) <= 65536, "devices of compute capability 7.5 have no more for a block");

  Pairs pairs;

  /// Blocks for up to `most` pairs; some threads of two warps may have no pair.
  static std::size_t blocks(std::size_t most) { return (most + 64 + kThreads - 1) / kThreads; }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const std::uint32_t lane = threadIdx.x % 32, k = block * kThreads + threadIdx.x,
                        count = pairs.size();
    if (k - lane >= count)
      return; // applies to the whole warp
    Warp& warp = shared.warp[threadIdx.x / 32];
    std::uint32_t contact = 0;
    PairData seen{};
    OverlapSums<Real> sums;
    const bool mine = pairs.has(k);
    if (mine)
    {
      PolyhedraToCut<Real> pair;
      contact = pairs.read(k, pair);
      storePose(warp, lane, pair);
      prepare(warp, lane, pair, seen, sums);
    }

    __syncthreads();
    // collect the faces of all pairs, pair by pair
    const std::uint32_t own = __popc(seen.faces);
    const std::uint32_t end = sumUpToLane(own), total = __shfl_sync(kWhole, end, 31);
    std::uint32_t at = end - own;
    for (std::uint32_t left = seen.faces; left; left &= left - 1)
      warp.item[at++] = static_cast<std::uint16_t>(lane | (__ffs(left) - 1) << 5);
    __syncwarp();

    std::uint32_t placed = 0; // pairs whose sums have an origin
    at = end - own;
    for (std::uint32_t base = 0; base < total; base += 32)
    {
      const bool works = base + lane < total;
      const std::uint32_t item = works ? warp.item[base + lane] : 0;
      const int face = static_cast<int>(item >> 5);
      const PairData its = seen.ofLane(item & 31u);
      Ring polygon{ warp.corner, lane };
      if (works)
        cut(its, face, polygon);
      // Heights and moments of a pair are relative to the first corner of its first remaining face,
      // which avoids cancellation.
      const std::uint32_t of = item & 31u;
      const bool is = polygon.size > 0, known = placed >> of & 1u;
      const std::uint32_t mates =
        __match_any_sync(kWhole, works ? of : 32u + lane) & __ballot_sync(kWhole, is);
      const std::uint32_t leader = mates ? __ffs(mates) - 1 : lane;
      Vec3<Real> origin = is ? polygon[0] : Vec3<Real>{};
      const Vec3<Real> of_leader{ __shfl_sync(kWhole, origin.x, leader),
        __shfl_sync(kWhole, origin.y, leader), __shfl_sync(kWhole, origin.z, leader) };
      if (is)
        origin = known ? Vec3<Real>{ warp.origin[0][of], warp.origin[1][of], warp.origin[2][of] }
                       : of_leader;
      __syncwarp();
      if (is && leader == lane && !known)
      {
        warp.origin[0][of] = origin.x;
        warp.origin[1][of] = origin.y;
        warp.origin[2][of] = origin.z;
      }
      placed |= orOfWarp(is ? 1u << of : 0u);
      const FaceSums<Real> s = faceSums(polygon, planeOf(its).xyz(), origin);
      const Real values[kSums] = { s.volume, s.height, s.moment.x, s.moment.y, s.moment.z, s.area.x,
        s.area.y, s.area.z, s.flow, s.spread.x, s.spread.y, s.spread.z, s.top };
      __syncwarp();
      for (int c = 0; c < kSums; ++c)
        warp.sums[c][lane] = values[c];
      __syncwarp();
      for (; at < end && at < base + 32; ++at)
      {
        const std::uint32_t t = at - base;
        const auto sum = [&](int c) { return warp.sums[c][t]; };
        FaceSums<Real> of_face;
        of_face.volume = sum(0);
        of_face.height = sum(1);
        of_face.moment = { sum(2), sum(3), sum(4) };
        if ((warp.item[at] >> 5) < kFaces) // faces of b only
          of_face.area = { sum(5), sum(6), sum(7) };
        of_face.flow = sum(8);
        of_face.spread = { sum(9), sum(10), sum(11) };
        of_face.top = sum(12);
        sums.add(of_face);
      }
      __syncwarp();
    }
    __syncthreads();
    if (!mine)
      return;
    if (own > 0 ? !(placed >> lane & 1u) : !(sums.volume > Real(0)))
      return pairs.forget(contact);
    const Vec4<Real> plane = planeOf(seen);
    sums.m = plane.xyz();
    PolyhedraToCut<Real> pair;
    readPose(warp, lane, pair);
    if (own > 0)
    {
      sums.origin = { warp.origin[0][lane], warp.origin[1][lane], warp.origin[2][lane] };
      sums.close(plane.w, Corners(pairs.shapes(), seen).pair.noise());
    }
    ContactGeometry<Real> g =
      solidContact(pairs.shapes(), seen.shape_a, pair.a, seen.shape_b, pair.b, sums);
    if (seen.swapped)
    {
      pair.apart = -pair.apart;
      g.normal = -g.normal;
      g.point += pair.apart;
    }
    pairs.conclude(contact, g, pair.apart);
  }

private:
  /// Data of a pair that the threads of its faces need.
  struct PairData
  {
    int shape_a, shape_b, front;
    Real scale;
    Vec3<Real> d, bx, by, bz; // as in SolidPair
    // A byte for each face of b: planes of a, except the front, that cut its part below the front.
    std::uint32_t reached[2];
    std::uint32_t faces; // faces that bound the overlap, numbered as in `item`
    bool swapped;

    __device__ std::uint32_t reachedBy(int face) const
    {
      return (face < 4 ? reached[0] : reached[1]) >> 8 * (face % 4) & 0xffu;
    }
    __device__ PairData ofLane(std::uint32_t lane) const
    {
      const auto one = [&](auto x) { return __shfl_sync(kWhole, x, lane); };
      const auto three = [&](const Vec3<Real>& x) {
        return Vec3<Real>{ one(x.x), one(x.y), one(x.z) };
      };
      return { one(shape_a), one(shape_b), one(front), one(scale), three(d), three(bx), three(by),
        three(bz), { one(reached[0]), one(reached[1]) }, 0, false };
    }
  };

  /// b's vertices with their heights above the front; all threads get the same values.
  struct Corners
  {
    SolidPair<Real> pair;
    Vec3<Real> up; // normal of the front in b's frame, times its scale
    Real above;    // height of b's centre

    __device__ Corners(const ShapeView<Real>& shapes, const PairData& seen)
      : pair(shapes, seen.shape_a, seen.shape_b)
    {
      pair.scale = seen.scale;
      pair.d = seen.d;
      pair.bx = seen.bx;
      pair.by = seen.by;
      pair.bz = seen.bz;
      const Vec4<Real> plane = pair.a.plane[seen.front];
      const Vec3<Real> m = plane.xyz();
      up = seen.scale * Vec3<Real>{ dot(m, pair.bx), dot(m, pair.by), dot(m, pair.bz) };
      above = dot(m, pair.d) - plane.w;
    }
    __device__ Real height(int v) const
    {
      const Vec3<Real> x = pair.b.vertex[v];
      return multiplyAdd(up.z, x.z, multiplyAdd(up.y, x.y, multiplyAdd(up.x, x.x, above)));
    }
    __device__ Vec4<Real> operator[](int v) const { return vec4(pair.vertexOfB(v), height(v)); }
  };

  /// A polygon in shared memory that is clipped in place.
  struct Ring
  {
    Real (*corner)[3][32];
    std::uint32_t lane;
    int begin = 0, size = 0;

    __device__ static int wrapped(int k) { return k < kCorners ? k : k - kCorners; }
    __device__ Vec3<Real> operator[](int k) const
    {
      const int at = wrapped(begin + k);
      return { corner[at][0][lane], corner[at][1][lane], corner[at][2][lane] };
    }
    __device__ void clear() { size = 0; }
    __device__ void add(const Vec3<Real>& p)
    {
      if (size < kCorners)
        set(wrapped(begin + size++), p);
    }
    // As Polygon::keep(). Corners before the run in memory are moved behind it.
    __device__ void keep(int first, int count)
    {
      const int around = first + count - size;
      DEM_ROLLED
      for (int k = 0; k < around; ++k)
        set(wrapped(wrapped(begin + size) + k), (*this)[k]);
      begin = wrapped(begin + first);
      size = count;
    }

  private:
    __device__ void set(int at, const Vec3<Real>& p)
    {
      corner[at][0][lane] = p.x;
      corner[at][1][lane] = p.y;
      corner[at][2][lane] = p.z;
    }
  };

  __device__ Vec4<Real> planeOf(const PairData& seen) const
  {
    return SolidView<Real>(pairs.shapes(), seen.shape_a).plane[seen.front];
  }

  __device__ static void storePose(Warp& warp, std::uint32_t lane, const PolyhedraToCut<Real>& pair)
  {
    const Real values[kPose] = { pair.a.ex.x, pair.a.ex.y, pair.a.ex.z, pair.a.ey.x, pair.a.ey.y,
      pair.a.ey.z, pair.a.ez.x, pair.a.ez.y, pair.a.ez.z, pair.a.scale, pair.apart.x, pair.apart.y,
      pair.apart.z, pair.b.scale };
    for (int c = 0; c < kPose; ++c)
      warp.pose[c][lane] = values[c];
  }
  // The values that solidContact() needs.
  __device__ static void readPose(const Warp& warp, std::uint32_t lane, PolyhedraToCut<Real>& pair)
  {
    const auto value = [&](int c) { return warp.pose[c][lane]; };
    pair.apart = { value(10), value(11), value(12) };
    pair.a = { {}, { value(0), value(1), value(2) }, { value(3), value(4), value(5) },
      { value(6), value(7), value(8) }, value(9) };
    pair.b = { pair.apart, {}, {}, {}, value(13) };
  }

  // Finds the data for the threads of faces, or the sums of a pair that needs no faces.
  __device__ __forceinline__ void prepare(Warp& warp, std::uint32_t lane,
    const PolyhedraToCut<Real>& pair, PairData& seen, OverlapSums<Real>& sums) const
  {
    const SolidPair<Real> placed(pairs.shapes(), pair.shape_a, pair.a, pair.shape_b, pair.b);
    seen.shape_a = pair.shape_a;
    seen.shape_b = pair.shape_b;
    seen.front = pair.front;
    seen.swapped = pair.swapped;
    seen.scale = placed.scale;
    seen.d = placed.d;
    seen.bx = placed.bx;
    seen.by = placed.by;
    seen.bz = placed.bz;
    const SolidView<Real>&a = placed.a, &b = placed.b;
    const Corners corners(pairs.shapes(), seen);
    const Vec3<Real> m = a.plane[pair.front].xyz();
    std::uint32_t below = 0, crossed = 0; // vertices below the front; edges with one end below
    std::uint64_t lowered = 0;            // faces with a vertex below
    DEM_ROLLED
    for (int v = 0; v < b.vertices; ++v)
    {
      const Vec4<Real> x = corners[v];
      const Real values[4] = { x.x, x.y, x.z, x.w };
      for (int c = 0; c < 4; ++c)
        warp.vertex[v][c][lane] = values[c];
      if (x.w < Real(0))
      {
        below |= 1u << v;
        crossed ^= b.vertex_edges[v];
        lowered |= b.vertex_faces[v];
      }
    }
    const auto corner = [&](int v) {
      return Vec4<Real>{ warp.vertex[v][0][lane], warp.vertex[v][1][lane], warp.vertex[v][2][lane],
        warp.vertex[v][3][lane] };
    };
    // Visit the corners of the part below the front: vertices, then crossings. For three crossings:
    // their centroid, and twice the area between them.
    PlanesReachedByFace<Real> reached{ a, pair.front, placed.noise() };
    Vec4<Real> bottom{};
    Vec3<Real> first{}, second{}, middle{};
    Real across(0);
    const int crossings = __popc(crossed);
    for (std::uint32_t vertices = below, edges = crossed; vertices | edges;)
    {
      ShapeEdge edge{};
      std::uint64_t faces;
      const bool vertex = vertices != 0;
      if (vertex)
      {
        edge.a = edge.b = __ffs(vertices) - 1;
        faces = b.vertex_faces[edge.a];
        vertices &= vertices - 1;
      }
      else
      {
        edge = b.edge[__ffs(edges) - 1];
        faces = faceByte(edge.left) | faceByte(edge.right);
        edges &= edges - 1;
      }
      const Vec4<Real> u = corner(edge.a), v = corner(edge.b);
      const Vec3<Real> x = vertex ? u.xyz() : crossing(u, v);
      reached.add(x, faces);
      bottom = vertex ? u : bottom;
      const Vec3<Real> from_bottom = x - bottom.xyz();
      middle += from_bottom;
      across = dot(m, cross(second - first, from_bottom - first));
      first = second;
      second = from_bottom;
    }
    if (reached.every != 0 || below == 0)
      return;
    if (reached.some == 0 && crossings == 3 && (below & (below - 1)) == 0)
    {
      const Real area = Real(0.5) * (across < Real(0) ? -across : across);
      sums.volume = Real(-1. / 3) * bottom.w * area;
      sums.area = -area * m;
      sums.origin = bottom.xyz() + Real(0.25) * middle;
      return;
    }
    seen.reached[0] = static_cast<std::uint32_t>(reached.of_faces);
    seen.reached[1] = static_cast<std::uint32_t>(reached.of_faces >> 32);
    DEM_ROLLED
    for (int f = 0; f < b.faces; ++f)
      seen.faces |= (lowered >> 8 * f & 1u) && !reached.isCutOff(f) ? 1u << f : 0u;
    for (std::uint32_t left = reached.some; left; left &= left - 1)
    {
      const int f = __ffs(left) - 1;
      if (weighs(dot(a.plane[f].xyz(), m)))
        seen.faces |= 1u << (kFaces + f);
    }
  }

  // Clips one face. Code common to faces of a and b appears once, here and above, because
  // instruction fetches limit the kernel.
  __device__ __forceinline__ void cut(const PairData& seen, int item, Ring& polygon) const
  {
    const Corners corners(pairs.shapes(), seen);
    const SolidView<Real>&a = corners.pair.a, &b = corners.pair.b;
    const bool of_a = item >= kFaces;
    const int face = of_a ? item - kFaces : item;
    std::uint32_t planes;
    if (of_a)
    {
      DEM_ROLLED
      for (int k = a.begin[face]; k < a.begin[face + 1]; ++k)
        polygon.add(a.vertex[a.corner[k]]);
      planes = (1u << b.faces) - 1;
    }
    else
    {
      const std::int32_t* const corner = b.corner + b.begin[face];
      addBelow<Real>(
        polygon, b.begin[face + 1] - b.begin[face], [&](int k) { return corners[corner[k]]; });
      planes = seen.reachedBy(face);
    }
    const Real noise = corners.pair.noise();
    for (; planes && polygon.size > 0; planes &= planes - 1)
    {
      const int p = __ffs(planes) - 1;
      const Vec4<Real> plane = of_a ? corners.pair.planeOfB(p) : a.plane[p];
      clipPolygon(polygon, plane.xyz(), plane.w, of_a, noise);
    }
  }
};

} // namespace detail
} // namespace dem
