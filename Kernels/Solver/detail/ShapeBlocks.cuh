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
    const unsigned kind = contact < n ? contacts.template kindAfterCheapTests<kSolids>(contact) : kShapesApart;
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
  }
};

/// A thread a contact.
template <class Real, unsigned kKind>
struct EvaluateShapeItems
{
  static constexpr unsigned kResidentBlocks = sizeof(Real) == 4 ? (kKind == kRoundKnown ? 5 : 4) : 1;

  EvaluateShapeContact<Real> contacts;
  ShapeItems items;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k < items.count[kKind])
      contacts.template evaluate<kKind>(items.at(kKind, k));
  }
};

/// The load of its pairs and walls on each part, as SumShapeRows adds them up: the block's threads fetch what stands in its rows, side by side, then each
/// adds up its own.
template <class Real>
struct SumShapeBlock
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kSlots = 512; // fetched at once

  struct Shared
  {
    Vec4<Real> force[kSlots], torque[kSlots];
    std::uint32_t touching[kSlots / 32], lower[kSlots / 32];
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
    const std::uint32_t first = block * kThreads, i = first + threadIdx.x;
    if (i < kShapeKinds)
      item_count[i] = 0;
    const bool own = i < n && !isGone(step.state.position[i].x);
    const std::uint32_t begin = own ? list.start(i) : 0, end = own ? begin + list.count[i] : 0;
    const std::uint32_t last_row = first + kThreads < n ? first + kThreads : n;
    const std::uint32_t slots_end = list.row_start[last_row];
    RowSum<Real> sum;
    RowEnergy<Real> booked;
    for (std::uint32_t base = list.row_start[first]; base < slots_end; base += kSlots)
    {
      std::uint32_t contact[kSlots / kThreads];
      bool lower[kSlots / kThreads], touching[kSlots / kThreads];
#pragma unroll
      for (unsigned r = 0; r < kSlots / kThreads; ++r)
      {
        const std::uint32_t slot = base + r * kThreads + threadIdx.x;
        contact[r] = slot < slots_end ? list.contact(slot) : 0;
        lower[r] = slot < slots_end && (list.entries[slot] & ListView::kLowerId);
      }
#pragma unroll
      for (unsigned r = 0; r < kSlots / kThreads; ++r)
        touching[r] = base + r * kThreads + threadIdx.x < slots_end && (rows.flags[contact[r]] & kTouching);
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
        const std::uint32_t t = __ballot_sync(0xffffffffu, touching[r]), l = __ballot_sync(0xffffffffu, lower[r]);
        if (threadIdx.x % 32 == 0)
        {
          shared.touching[s / 32] = t;
          shared.lower[s / 32] = l;
        }
      }
      __syncthreads();
      const std::uint32_t to = end < base + kSlots ? end : base + kSlots;
      for (std::uint32_t slot = begin > base ? begin : base; slot < to; ++slot)
      {
        const std::uint32_t s = slot - base;
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
};

/// Polyhedra of few faces. A warp takes 32 pairs. First a thread a pair finds which faces take part; then a thread a face cuts it by the
/// planes of the other body, in shared memory, 32 faces at a time whichever pairs they belong to; then a thread a pair adds up its faces in
/// their order and applies the law. The numbers are those of polyhedronPair, to the bit.
template <class Real>
struct PolyhedraBlock
{
  static constexpr unsigned kThreads = 64;
  static constexpr unsigned kResidentBlocks = sizeof(Real) == 4 ? 8 : 2;
  static constexpr unsigned kWhole = 0xffffffffu;
  static constexpr int kFaces = detail::kFewFaces, kVertices = detail::kFewVertices;
  static constexpr int kCorners = detail::kFewCorners + kFaces + 2; // of a face that every plane cut, and two more while it is cut

  struct Warp
  {
    Real frame[13][32]; // of each pair: d, bx, by, bz, scale of SolidPair
    Real m[3][32], origin[3][32];
    std::int32_t shape[2][32];
    std::uint16_t first[32];              // of its items
    std::uint16_t cut[2 * kFaces][32];    // by which planes each face is
    std::uint16_t item[2 * kFaces * 32];  // pair, face << 5
    union
    {
      std::uint32_t code[2][kVertices][32]; // planes that a vertex lies outside of, << 16: in
      Real corner[kCorners][3][32];         // of the polygon of each thread
    };
    union
    {
      Real low[kFaces][32];
      Real sums[8][32]; // of each thread's face
    };
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
    detail::OverlapSums<Real> sums;
    const std::uint32_t faces = k < count ? prepare(warp, lane, contact, sums.m) : 0;

    // the faces of all pairs, one behind the other
    const std::uint32_t own = __popc(faces);
    std::uint32_t before = own;
    for (int step = 1; step < 32; step *= 2)
    {
      const std::uint32_t other = __shfl_up_sync(kWhole, before, step);
      if (lane >= static_cast<std::uint32_t>(step))
        before += other;
    }
    const std::uint32_t total = __shfl_sync(kWhole, before, 31);
    before -= own;
    warp.first[lane] = static_cast<std::uint16_t>(before);
    std::uint32_t at = before;
    for (std::uint32_t left = faces; left; left &= left - 1)
      warp.item[at++] = static_cast<std::uint16_t>(lane | (__ffs(left) - 1) << 5);
    __syncwarp();

    Vec3<Real> area_a{};
    std::uint32_t placed = 0; // pairs whose sums have an origin
    for (std::uint32_t base = 0; base < total; base += 32)
    {
      const bool works = base + lane < total;
      const std::uint32_t item = works ? warp.item[base + lane] : 0, pair = item & 31u, face = item >> 5;
      Ring polygon{ warp.corner, lane };
      if (works)
        cut(warp, pair, face, polygon);
      const bool is = polygon.size > 0;
      // where the first face of a pair that is left begins, heights and moments begin
      const std::uint32_t mates = __match_any_sync(kWhole, works ? pair : 32u + lane), left = __ballot_sync(kWhole, is);
      const std::uint32_t first = mates & left ? __ffs(mates & left) - 1 : lane;
      Vec3<Real> origin = is ? polygon[0] : Vec3<Real>{};
      const Vec3<Real> of_first{ __shfl_sync(kWhole, origin.x, first), __shfl_sync(kWhole, origin.y, first), __shfl_sync(kWhole, origin.z, first) };
      if (is)
      {
        const bool known = placed >> pair & 1u;
        origin = known ? Vec3<Real>{ warp.origin[0][pair], warp.origin[1][pair], warp.origin[2][pair] } : of_first;
      }
      __syncwarp();
      if (is && first == lane && !(placed >> pair & 1u))
        for (int c = 0; c < 3; ++c)
          warp.origin[c][pair] = origin[c];
      placed |= orOfWarp(is ? 1u << pair : 0u);
      const detail::FaceSums<Real> s = is
        ? detail::faceSums(polygon, Vec3<Real>{ warp.m[0][pair], warp.m[1][pair], warp.m[2][pair] }, origin)
        : detail::FaceSums<Real>{};
      const Real values[8] = { s.volume, s.height, s.moment.x, s.moment.y, s.moment.z, s.area.x, s.area.y, s.area.z };
      for (int c = 0; c < 8; ++c)
        warp.sums[c][lane] = values[c];
      __syncwarp();
      const std::uint32_t end = before + own < base + 32 ? before + own : base + 32;
      for (std::uint32_t t = before > base ? before : base; t < end; ++t)
      {
        const std::uint32_t from = t - base;
        detail::FaceSums<Real> face_sums;
        face_sums.volume = warp.sums[0][from];
        face_sums.height = warp.sums[1][from];
        face_sums.moment = { warp.sums[2][from], warp.sums[3][from], warp.sums[4][from] };
        const Vec3<Real> area{ warp.sums[5][from], warp.sums[6][from], warp.sums[7][from] };
        if ((warp.item[t] >> 5) < kFaces)
          area_a += area;
        else
          face_sums.area = area;
        sums.add(face_sums);
      }
      __syncwarp();
    }
    if (k >= count)
      return;
    if (own == 0)
      return contacts.forget(contact);
    sums.origin = { warp.origin[0][lane], warp.origin[1][lane], warp.origin[2][lane] };
    Vec3<Real> apart;
    const typename EvaluateShapeContact<Real>::Poses poses = contacts.poses(contact, apart);
    contacts.conclude(
      contact, detail::solidContact(contacts.step.shapes.shapes, poses.shape_a, poses.a, poses.shape_b, poses.b, sums, area_a), apart);
  }

private:
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

  // What the threads of a pair's faces need of it, the direction of its heights, and which faces may bound the overlap: bits, from kFaces on
  // those of the second body. None where a face of either parts them.
  __device__ __forceinline__ std::uint32_t prepare(Warp& warp, std::uint32_t lane, std::uint32_t contact, Vec3<Real>& m) const
  {
    Vec3<Real> apart;
    const typename EvaluateShapeContact<Real>::Poses poses = contacts.poses(contact, apart);
    const detail::SolidPair<Real> pair(contacts.step.shapes.shapes, poses.shape_a, poses.a, poses.shape_b, poses.b);
    const detail::SolidView<Real>&a = pair.a, &b = pair.b;
    const Real zero(0), noise = pair.noise();
    for (int v = 0; v < a.vertices; ++v)
      warp.code[0][v][lane] = 0;
    Real deepest = -Real(1e30);
    for (int f = 0; f < b.faces; ++f)
    {
      const Vec4<Real> plane = pair.planeOfB(f);
      Real low = Real(1e30);
      for (int v = 0; v < a.vertices; ++v)
      {
        const Real h = dot(plane.xyz(), a.vertex[v]) - plane.w;
        low = h < low ? h : low;
        const std::uint32_t bits = (h > zero ? 1u << f : 0u) | (h < noise && h > -noise ? 0x10000u << f : 0u);
        if (bits)
          warp.code[0][v][lane] |= bits;
      }
      if (low >= zero)
        return 0;
      if (low > deepest)
      {
        deepest = low;
        m = plane.xyz();
      }
    }
    for (int f = 0; f < a.faces; ++f)
      warp.low[f][lane] = Real(1e30);
    for (int v = 0; v < b.vertices; ++v)
    {
      const Vec3<Real> x = pair.vertexOfB(v);
      std::uint32_t code = 0;
      for (int f = 0; f < a.faces; ++f)
      {
        const Vec4<Real> plane = a.plane[f];
        const Real h = dot(plane.xyz(), x) - plane.w;
        if (h < warp.low[f][lane])
          warp.low[f][lane] = h;
        code |= (h >= zero ? 1u << f : 0u) | (h < noise && h > -noise ? 0x10000u << f : 0u);
      }
      warp.code[1][v][lane] = code;
    }
    for (int f = 0; f < a.faces; ++f)
    {
      const Real low = warp.low[f][lane];
      if (low >= zero)
        return 0;
      if (low > deepest)
      {
        deepest = low;
        m = a.plane[f].xyz();
      }
    }
    const std::uint32_t faces = facesOf(warp, lane, a, 0) | facesOf(warp, lane, b, 1) << kFaces;
    const Real frame[13] = { pair.d.x, pair.d.y, pair.d.z, pair.bx.x, pair.bx.y, pair.bx.z, pair.by.x, pair.by.y, pair.by.z, pair.bz.x,
      pair.bz.y, pair.bz.z, pair.scale };
    for (int c = 0; c < 13; ++c)
      warp.frame[c][lane] = frame[c];
    for (int c = 0; c < 3; ++c)
      warp.m[c][lane] = m[c];
    warp.shape[0][lane] = poses.shape_a;
    warp.shape[1][lane] = poses.shape_b;
    return faces;
  }

  // As SolidView::cutFace chooses.
  __device__ __forceinline__ static std::uint32_t facesOf(Warp& warp, std::uint32_t lane, const detail::SolidView<Real>& solid, int side)
  {
    std::uint32_t faces = 0;
    for (int f = 0; f < solid.faces; ++f)
    {
      std::uint32_t all = ~0u, some = 0;
      for (int k = solid.begin[f]; k < solid.begin[f + 1]; ++k)
      {
        const std::uint32_t c = warp.code[side][solid.corner[k]][lane];
        all &= c;
        some |= c;
      }
      const std::uint32_t within = all >> 16;
      if (within && side == 1)
        continue;
      if (all & ~within & 0xffffu)
        continue;
      faces |= 1u << f;
      warp.cut[side * kFaces + f][lane] = static_cast<std::uint16_t>(some & ~within);
    }
    return faces;
  }

  __device__ __forceinline__ void cut(const Warp& warp, std::uint32_t of, std::uint32_t face, Ring& polygon) const
  {
    detail::SolidPair<Real> pair(contacts.step.shapes.shapes, warp.shape[0][of], warp.shape[1][of]);
    pair.d = { warp.frame[0][of], warp.frame[1][of], warp.frame[2][of] };
    pair.bx = { warp.frame[3][of], warp.frame[4][of], warp.frame[5][of] };
    pair.by = { warp.frame[6][of], warp.frame[7][of], warp.frame[8][of] };
    pair.bz = { warp.frame[9][of], warp.frame[10][of], warp.frame[11][of] };
    pair.scale = warp.frame[12][of];
    const bool second = face >= kFaces;
    // a choice between references would put both in memory
    const std::int32_t *begin = second ? pair.b.begin : pair.a.begin, *corner = second ? pair.b.corner : pair.a.corner;
    const int f = second ? face - kFaces : face;
    for (int k = begin[f]; k < begin[f + 1]; ++k)
    {
      Vec3<Real> p;
      if (second)
        p = pair.vertexOfB(corner[k]);
      else
        p = pair.a.vertex[corner[k]];
      polygon.add(p);
    }
    for (std::uint32_t left = warp.cut[face][of]; left && polygon.size > 0; left &= left - 1)
    {
      const int p = __ffs(left) - 1;
      Vec4<Real> plane;
      if (second)
        plane = pair.planeOfA(p);
      else
        plane = pair.planeOfB(p);
      detail::clipPolygon(polygon, plane.xyz(), plane.w, second);
    }
  }
};

} // namespace dem
