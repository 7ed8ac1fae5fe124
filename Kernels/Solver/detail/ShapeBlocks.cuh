// How a device finds and evaluates contacts of shapes (ShapeForces.cuh) so that neighbouring threads do the same. Blocks of threads look
// through the candidates, drop what a cheap test parts, and append the others to a list for each kind of narrow phase; a kernel for each
// kind takes its list. The order of a list is that in which blocks came by, which no bit depends on: each contact leaves a record of its
// own. Only nvcc reads this file.
#pragma once

#include "Core/Warp.cuh"
#include "Solver/detail/ShapeForces.cuh"

namespace dem
{

/// Appends the candidates that may touch to the list of their kind. With `kSolids` there may be pairs of polyhedra.
template <class Real, bool kSolids>
struct FindShapeBlock
{
  static constexpr unsigned kThreads = 256;
  static constexpr unsigned kResidentBlocks = kSolids ? 3 : 6;
  using Contacts = EvaluateShapeContact<Real>;

  struct Shared
  {
    std::uint32_t count[kShapeKinds], first[kShapeKinds];
  };

  Contacts contacts;
  ShapeItems items;
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    if (contacts.step.control->forceHalted(contacts.step.batch_step))
      return; // all threads agree
    constexpr unsigned kWhole = 0xffffffffu;
    const std::uint32_t contact = block * kThreads + threadIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x < kShapeKinds)
      shared.count[threadIdx.x] = 0;
    __syncthreads();
    std::uint8_t front = 0;
    const unsigned kind = contact < n ? contacts.template kindAfterCheapTests<kSolids>(contact, front) : kShapesApart;
    const unsigned same = __match_any_sync(kWhole, kind), leader = __ffs(same) - 1;
    std::uint32_t at = 0;
    if (kind != kShapesApart && lane == leader)
      at = atomicAdd(&shared.count[kind], static_cast<std::uint32_t>(__popc(same)));
    at = __shfl_sync(kWhole, at, leader) + __popc(same & ((1u << lane) - 1));
    __syncthreads();
    if (threadIdx.x < kShapeKinds && shared.count[threadIdx.x] > 0)
      shared.first[threadIdx.x] = atomicAdd(&items.count[threadIdx.x], shared.count[threadIdx.x]);
    __syncthreads();
    if (kind != kShapesApart)
      items.put(kind, shared.first[kind] + at, contact);
    if (kSolids && kind == kFewFaced)
      items.front[contact] = front;
  }
};

/// A thread a contact; of new ones, which may be more than `threads`, several.
template <class Real, unsigned kKind>
struct EvaluateShapeItems
{
  static constexpr unsigned kResidentBlocks = sizeof(Real) == 4 ? (kKind == kRoundKnown ? 6 : 4) : 1;

  EvaluateShapeContact<Real> contacts;
  ShapeItems items;
  std::uint32_t threads;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t count = items.count[kKind];
    if (kKind == kRoundNew)
      for (; k < count; k += threads)
        contacts.template evaluate<kKind>(items.at(kKind, k));
    else if (k < count)
      contacts.template evaluate<kKind>(items.at(kKind, k));
  }
};

/// The load of its pairs and walls on each part, as SumShapeRows adds them up: the block's threads fetch what stands in its rows, side by side, then each
/// adds up its own. The rows of each 32 parts lie one behind the other, and are counted here as if all of the block's did.
template <class Real>
struct SumShapeBlock
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kWarps = kThreads / 32;
  static constexpr unsigned kSlots = 512; // fetched at once

  struct Shared
  {
    Vec4<Real> force[kSlots], torque[kSlots];
    std::uint32_t touching[kSlots / 32], lower[kSlots / 32];
    std::uint32_t begin[kWarps], size[kWarps]; // of each warp's rows
  };

  SumShapeRows<Real> rows;
  const std::uint32_t* wall_row; // of each part
  const Load<Real>* wall_loads;  // of each row
  std::uint32_t* item_count; // by kind: the step is done with them
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const ShapeStep<Real>& step = rows.step;
    if (step.control->forceHalted(step.batch_step))
      return; // all threads agree
    const ListView& list = rows.list;
    const std::uint32_t i = block * kThreads + threadIdx.x, warp = threadIdx.x / 32;
    if (i < kShapeKinds)
      item_count[i] = 0;
    const bool own = i < n && !isGone(step.state.position[i].x);
    const std::uint32_t start = i < n ? list.start(i) : 0, count = i < n ? list.count[i] : 0;
    const std::uint32_t first = __shfl_sync(kWhole, start, 0), last = maxOfWarp(start + count);
    if (threadIdx.x % 32 == 0)
    {
      shared.begin[warp] = first;
      shared.size[warp] = i < n ? last - first : 0;
    }
    __syncthreads();
    std::uint32_t before[kWarps], total = 0; // slots of the warps before
    for (unsigned w = 0; w < kWarps; ++w)
    {
      before[w] = total;
      total += shared.size[w];
    }
    std::uint32_t begin = start - first;
    for (unsigned w = 1; w < kWarps; ++w)
      begin += w == warp ? before[w] : 0;
    const std::uint32_t end = own ? begin + count : begin;
    RowSum<Real> sum;
    RowEnergy<Real> booked;
    for (std::uint32_t base = 0; base < total; base += kSlots)
    {
      std::uint32_t contact[kSlots / kThreads];
      bool lower[kSlots / kThreads], touching[kSlots / kThreads];
#pragma unroll
      for (unsigned r = 0; r < kSlots / kThreads; ++r)
      {
        const std::uint32_t at = base + r * kThreads + threadIdx.x;
        std::uint32_t slot = shared.begin[0] + at;
        for (unsigned w = 1; w < kWarps; ++w)
          slot = at >= before[w] ? shared.begin[w] + (at - before[w]) : slot;
        contact[r] = at < total ? list.contact(slot) : 0;
        lower[r] = at < total && (list.entries[slot] & ListView::kLowerId);
      }
#pragma unroll
      for (unsigned r = 0; r < kSlots / kThreads; ++r)
        touching[r] = base + r * kThreads + threadIdx.x < total && (rows.flags[contact[r]] & kTouching);
#pragma unroll
      for (unsigned r = 0; r < kSlots / kThreads; ++r)
      {
        const unsigned s = r * kThreads + threadIdx.x;
        if (touching[r])
        {
          const ShapeRecord<Real>& record = rows.records[contact[r]];
          shared.force[s] = record.on_a;
          shared.torque[s] = lower[r] ? record.torque_b : record.torque_a;
        }
        const std::uint32_t t = __ballot_sync(kWhole, touching[r]), l = __ballot_sync(kWhole, lower[r]);
        if (threadIdx.x % 32 == 0)
        {
          shared.touching[s / 32] = t;
          shared.lower[s / 32] = l;
        }
      }
      __syncthreads();
      const std::uint32_t to = end < base + kSlots ? end : base + kSlots;
      for (std::uint32_t at = begin > base ? begin : base; at < to; ++at)
      {
        const std::uint32_t s = at - base;
        if (shared.touching[s / 32] >> s % 32 & 1u)
          rows.add(shared.lower[s / 32] >> s % 32 & 1u, shared.force[s], shared.torque[s], sum, booked);
      }
      __syncthreads();
    }
    if (own)
    {
      booked.close(step.state.books, i);
      Load<Real> load{ sum.lower.force + sum.higher.force, sum.lower.torque + sum.higher.torque };
      const std::uint32_t row = wall_row[i];
      if (row != kNoRow)
      {
        load.force += wall_loads[row].force;
        load.torque += wall_loads[row].torque;
      }
      step.state.force[i] = vec4(load.force, Real(0));
      step.state.torque[i] = vec4(load.torque, Real(0));
    }
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu;
};

/// Polyhedra of few faces. A warp takes 32 pairs. First a thread a pair finds what of the one body lies below the other's front face, and which
/// planes may cut it; then a thread a face cuts it, in shared memory, 32 faces at a time whichever pairs they belong to; then a thread a pair
/// adds up its faces in their order and applies the law. The formulas are those of overlapBehind. A pair is seen from the side of the body
/// that has the front face: `a` of its SolidPair.
template <class Real>
struct PolyhedraBlock
{
  static constexpr unsigned kThreads = 64;
  static constexpr unsigned kResidentBlocks = sizeof(Real) == 4 ? 8 : 2;
  static constexpr unsigned kWhole = 0xffffffffu;
  static constexpr int kFaces = detail::kFewFaces, kVertices = detail::kFewVertices;
  static constexpr int kCorners = detail::kFewCorners + kFaces + 2; // of a face that every plane cut, and two more while it is cut
  static constexpr int kSums = 13;

  struct Warp
  {
    Vec4<Real> vertex[32][kVertices | 1]; // of each pair's b, with its height above the front; an odd number goes to all banks
    union
    {
      Real corner[kCorners][3][32]; // of the polygon of each thread
      Real sums[kSums][32];         // of its face
    };
    Real origin[3][32];                  // of each pair's sums
    std::uint16_t item[2 * kFaces * 32]; // pair, face << 5; faces of b, then, from kFaces on, those of a
  };
  struct Shared
  {
    Warp warp[kThreads / 32];
  };

  EvaluateShapeContact<Real> contacts;
  ShapeItems items;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const std::uint32_t lane = threadIdx.x % 32, k = block * kThreads + threadIdx.x, count = items.count[kFewFaced];
    if (k - lane >= count)
      return; // the whole warp
    Warp& warp = shared.warp[threadIdx.x / 32];
    const std::uint32_t contact = k < count ? items.at(kFewFaced, k) : 0;
    Seen pair{};
    detail::OverlapSums<Real> sums;
    const std::uint32_t faces = k < count ? prepare(warp.vertex[lane], contact, pair, sums) : 0;

    // The faces of all pairs, one behind the other: those that few planes cut first, so that neighbouring threads have as much to do. In
    // three parts of a number: how many faces of each sort.
    const auto sortOf = [&](std::uint32_t face) {
      const std::uint32_t planes = face < kFaces ? __popc(pair.reachedBy(face)) : kSorts;
      return planes < kSorts ? planes : kSorts - 1;
    };
    std::uint32_t own = 0;
    for (std::uint32_t left = faces; left; left &= left - 1)
      own += 1u << 10 * sortOf(__ffs(left) - 1);
    std::uint32_t before = own;
    for (int step = 1; step < 32; step *= 2)
    {
      const std::uint32_t other = __shfl_up_sync(kWhole, before, step);
      if (lane >= static_cast<std::uint32_t>(step))
        before += other;
    }
    const std::uint32_t all = __shfl_sync(kWhole, before, 31), few = all & 0x3ff, more = all >> 10 & 0x3ff;
    const std::uint32_t total = few + more + (all >> 20);
    std::uint32_t end[kSorts]; // of this pair's faces of each sort
    for (std::uint32_t s = 0, others = 0; s < kSorts; others += all >> 10 * s & 0x3ff, ++s)
      end[s] = others + (before >> 10 * s & 0x3ff) - (own >> 10 * s & 0x3ff);
    for (std::uint32_t left = faces; left; left &= left - 1)
    {
      const std::uint32_t face = __ffs(left) - 1, sort = sortOf(face);
      warp.item[sort == 0 ? end[0] : (sort == 1 ? end[1] : end[2])] = static_cast<std::uint16_t>(lane | face << 5);
      end[0] += sort == 0 ? 1 : 0;
      end[1] += sort == 1 ? 1 : 0;
      end[2] += sort == 2 ? 1 : 0;
    }
    __syncwarp();

    std::uint32_t placed = 0; // pairs whose sums have an origin
    for (std::uint32_t base = 0; base < total; base += 32)
    {
      const bool works = base + lane < total;
      const std::uint32_t item = works ? warp.item[base + lane] : 0, of = item & 31u, face = item >> 5;
      const Seen its = pair.ofLane(of);
      const Vec3<Real> m = ofLane(sums.m, of);
      Ring polygon{ warp.corner, lane };
      if (works && face < kFaces)
        cutFaceOfB(warp.vertex[of], its, face, polygon);
      if (__any_sync(kWhole, face >= kFaces))
      {
        const Placed b = pair.placed.ofLane(of);
        if (face >= kFaces)
          cutFaceOfA(its, b, face - kFaces, polygon);
      }
      // heights and moments of a pair begin where the first face that is left does
      const bool is = polygon.size > 0, known = placed >> of & 1u;
      const std::uint32_t mates = __match_any_sync(kWhole, works ? of : 32u + lane) & __ballot_sync(kWhole, is);
      const std::uint32_t leader = mates ? __ffs(mates) - 1 : lane;
      Vec3<Real> origin = is ? polygon[0] : Vec3<Real>{};
      const Vec3<Real> of_leader = ofLane(origin, leader);
      if (is)
        origin = known ? Vec3<Real>{ warp.origin[0][of], warp.origin[1][of], warp.origin[2][of] } : of_leader;
      __syncwarp();
      if (is && leader == lane && !known)
        for (int c = 0; c < 3; ++c)
          warp.origin[c][of] = origin[c];
      placed |= orOfWarp(is ? 1u << of : 0u);
      const detail::FaceSums<Real> s = detail::faceSums(polygon, m, origin);
      const Real values[kSums] = { s.volume, s.height, s.moment.x, s.moment.y, s.moment.z, s.area.x, s.area.y, s.area.z, s.flow, s.spread.x,
        s.spread.y, s.spread.z, s.top };
      __syncwarp();
      for (int c = 0; c < kSums; ++c)
        warp.sums[c][lane] = values[c];
      __syncwarp();
      // all pairs add up one face after the other, in its order: what they have of one sort, then of the next
      std::uint32_t mine = 0;
      for (std::uint32_t s = 0; s < kSorts; ++s)
        mine |= bitsBetween(end[s] - (own >> 10 * s & 0x3ff), end[s], base);
      for (; mine; mine &= mine - 1)
      {
        const std::uint32_t t = __ffs(mine) - 1;
        const auto sum = [&](int c) { return warp.sums[c][t]; };
        detail::FaceSums<Real> of_face;
        of_face.volume = sum(0);
        of_face.height = sum(1);
        of_face.moment = { sum(2), sum(3), sum(4) };
        if ((warp.item[base + t] >> 5) < kFaces) // of b
          of_face.area = { sum(5), sum(6), sum(7) };
        of_face.flow = sum(8);
        of_face.spread = { sum(9), sum(10), sum(11) };
        of_face.top = sum(12);
        sums.add(of_face);
      }
      __syncwarp();
    }
    if (k >= count)
      return;
    if (!(placed >> lane & 1u))
      return contacts.forget(contact);
    sums.origin = { warp.origin[0][lane], warp.origin[1][lane], warp.origin[2][lane] };
    sums.close(pair.w, pair.noise);
    Vec3<Real> apart;
    const typename EvaluateShapeContact<Real>::Poses p = contacts.poses(contact, apart, pair.of_b);
    ContactGeometry<Real> g = detail::solidContact(contacts.step.shapes.shapes, p.shape_a, p.a, p.shape_b, p.b, sums);
    if (pair.of_b)
    {
      apart = -apart;
      g.normal = -g.normal;
      g.point += apart;
    }
    contacts.conclude(contact, g, apart);
  }

private:
  static constexpr std::uint32_t kSorts = 3;

  /// Of the 32 numbers from `base` on, those from `begin` to before `end`.
  __device__ static std::uint32_t bitsBetween(std::uint32_t begin, std::uint32_t end, std::uint32_t base)
  {
    const std::uint32_t from = begin > base ? begin - base : 0, to = end > base ? end - base : 0;
    return (to < 32 ? (1u << to) - 1 : kWhole) & (from < 32 ? kWhole << from : 0u);
  }

  __device__ static Vec3<Real> ofLane(const Vec3<Real>& x, std::uint32_t lane)
  {
    return { __shfl_sync(kWhole, x.x, lane), __shfl_sync(kWhole, x.y, lane), __shfl_sync(kWhole, x.z, lane) };
  }

  /// Where b of a SolidPair is.
  struct Placed
  {
    Vec3<Real> d, bx, by, bz;
    Real scale;

    __device__ Placed ofLane(std::uint32_t lane) const
    {
      return { PolyhedraBlock::ofLane(d, lane), PolyhedraBlock::ofLane(bx, lane), PolyhedraBlock::ofLane(by, lane),
        PolyhedraBlock::ofLane(bz, lane), __shfl_sync(kWhole, scale, lane) };
    }
  };
  /// What the threads of a pair's faces have to know of it.
  struct Seen
  {
    int shape_a, shape_b;
    Real noise; // of the pair
    Real w;     // of the front's plane
    std::uint32_t reached[2]; // by face of b, a byte each: planes of a, but the front, that cut what of it is below the front
    bool of_b;             // the front is of the contact's b, which is a here
    Placed placed;

    __device__ std::uint32_t reachedBy(std::uint32_t face) const { return (face < 4 ? reached[0] : reached[1]) >> 8 * (face % 4) & 0xffu; }
    // What all its faces need.
    __device__ Seen ofLane(std::uint32_t lane) const
    {
      return { __shfl_sync(kWhole, shape_a, lane), __shfl_sync(kWhole, shape_b, lane), __shfl_sync(kWhole, noise, lane),
        Real(0), { __shfl_sync(kWhole, reached[0], lane), __shfl_sync(kWhole, reached[1], lane) }, false, {} };
    }
  };

  /// A polygon in shared memory, cut in place.
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
    // As of Polygon. What stands in front of the run in memory goes behind it.
    __device__ void keep(int first, int count)
    {
      const int around = first + count - size;
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

  // The faces that bound the overlap, as items have them; none where there is no overlap.
  __device__ __forceinline__ std::uint32_t prepare(
    Vec4<Real>* vertex, std::uint32_t contact, Seen& seen, detail::OverlapSums<Real>& sums) const
  {
    const std::uint8_t front_byte = items.front[contact];
    const int front = SolidFront::face(front_byte);
    seen.of_b = SolidFront::ofB(front_byte);
    Vec3<Real> apart;
    const typename EvaluateShapeContact<Real>::Poses p = contacts.poses(contact, apart, seen.of_b);
    const detail::SolidPair<Real> pair(contacts.step.shapes.shapes, p.shape_a, p.a, p.shape_b, p.b);
    seen.shape_a = p.shape_a;
    seen.shape_b = p.shape_b;
    seen.noise = pair.noise();
    seen.placed = { pair.d, pair.bx, pair.by, pair.bz, pair.scale };
    const detail::SolidView<Real>&a = pair.a, &b = pair.b;
    const Vec4<Real> plane = a.plane[front];
    sums.m = plane.xyz();
    seen.w = plane.w;
    std::uint32_t below = 0; // vertices
    for (int v = 0; v < b.vertices; ++v)
    {
      const Vec3<Real> x = pair.vertexOfB(v);
      const Real height = dot(plane.xyz(), x) - plane.w;
      vertex[v] = vec4(x, height);
      below |= height < Real(0) ? 1u << v : 0u;
    }
    std::uint32_t crossed = 0; // edges
    for (int e = 0; e < b.edges; ++e)
      crossed |= ((below >> b.edge[e].a ^ below >> b.edge[e].b) & 1u) << e;
    detail::PlanesReachedByFace<Real> reached{ a, front, seen.noise };
    std::uint64_t lowered = 0; // faces with a vertex below
    for (std::uint32_t left = below; left; left &= left - 1)
    {
      const int v = __ffs(left) - 1;
      lowered |= b.vertex_faces[v];
      reached.add(vertex[v].xyz(), b.vertex_faces[v]);
    }
    for (std::uint32_t left = crossed; left; left &= left - 1)
    {
      const ShapeEdge edge = b.edge[__ffs(left) - 1];
      reached.add(detail::crossing(vertex[edge.a], vertex[edge.b]), faceByte(edge.left) | faceByte(edge.right));
    }
    if (reached.every != 0)
      return 0;
    seen.reached[0] = static_cast<std::uint32_t>(reached.of_faces);
    seen.reached[1] = static_cast<std::uint32_t>(reached.of_faces >> 32);
    std::uint32_t faces = 0;
    for (int f = 0; f < b.faces; ++f)
      faces |= (lowered >> 8 * f & 1u) && !reached.isCutOff(f) ? 1u << f : 0u;
    for (std::uint32_t left = reached.some; left; left &= left - 1)
    {
      const int f = __ffs(left) - 1;
      if (detail::weighs(dot(a.plane[f].xyz(), sums.m)))
        faces |= 1u << (kFaces + f);
    }
    return faces;
  }

  __device__ __forceinline__ void cutFaceOfB(const Vec4<Real>* vertex, const Seen& seen, std::uint32_t face, Ring& polygon) const
  {
    const detail::SolidView<Real> a(contacts.step.shapes.shapes, seen.shape_a), b(contacts.step.shapes.shapes, seen.shape_b);
    const std::int32_t* const corner = b.corner + b.begin[face];
    detail::addBelow<Real>(polygon, b.begin[face + 1] - b.begin[face], [&](int k) { return vertex[corner[k]]; });
    for (std::uint32_t left = seen.reachedBy(face); left && polygon.size > 0; left &= left - 1)
    {
      const Vec4<Real> plane = a.plane[__ffs(left) - 1];
      detail::clipPolygon(polygon, plane.xyz(), plane.w, false, seen.noise);
    }
  }

  __device__ __forceinline__ void cutFaceOfA(const Seen& seen, const Placed& placed, std::uint32_t face, Ring& polygon) const
  {
    detail::SolidPair<Real> pair(contacts.step.shapes.shapes, seen.shape_a, seen.shape_b);
    pair.d = placed.d;
    pair.bx = placed.bx;
    pair.by = placed.by;
    pair.bz = placed.bz;
    pair.scale = placed.scale;
    for (int k = pair.a.begin[face]; k < pair.a.begin[face + 1]; ++k)
      polygon.add(pair.a.vertex[pair.a.corner[k]]);
    for (int p = 0; p < pair.b.faces && polygon.size > 0; ++p)
    {
      const Vec4<Real> plane = pair.planeOfB(p);
      detail::clipPolygon(polygon, plane.xyz(), plane.w, true, seen.noise);
    }
  }
};

} // namespace dem
