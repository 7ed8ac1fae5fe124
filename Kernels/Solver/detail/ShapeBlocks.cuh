// How a device finds and evaluates contacts of shapes (ShapeForces.cuh) so that neighbouring threads do the same. Blocks of threads look
// through the candidates, drop what a cheap test parts, and append the others to a list for each kind of narrow phase; a kernel for each
// kind takes its list. The order of a list is that in which blocks came by, which no bit depends on: each contact leaves a record of its
// own. Only nvcc reads this file.
#pragma once

#include "Core/Warp.cuh"
#include "Shapes/detail/PolyhedraBlock.cuh"
#include "Solver/detail/ShapeForces.cuh"

namespace dem
{

/// Appends the candidates that may touch to the list of their kind. With `kSolids` there may be pairs of polyhedra.
template <class Real, bool kSolids>
struct FindShapeBlock
{
  static constexpr unsigned kThreads = 256;
  static constexpr unsigned kResidentBlocks = kSolids ? 4 : 6;
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
    if (kSolids && (kind == kFewFaced || kind == kFewFacedCorner))
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

/// The pairs of few-faced polyhedra of a step, for PolyhedraBlock.
template <class Real>
struct FewFacedPairs
{
  using Number = Real;

  EvaluateShapeContact<Real> contacts;
  ShapeItems items;

  /// Those by a vertex, then the others, each from a new warp on.
  __device__ std::uint32_t corners() const { return (items.count[kFewFacedCorner] + 31) / 32 * 32; }
  __device__ std::uint32_t size() const { return corners() + items.count[kFewFaced]; }
  __device__ bool has(std::uint32_t k) const { return k < corners() ? k < items.count[kFewFacedCorner] : k < size(); }
  __device__ const ShapeView<Real>& shapes() const { return contacts.step.shapes.shapes; }
  /// A pair from the side of the body that has the front face.
  __device__ std::uint32_t read(std::uint32_t k, detail::PolyhedraToCut<Real>& pair) const
  {
    const std::uint32_t contact = k < corners() ? items.at(kFewFacedCorner, k) : items.at(kFewFaced, k - corners());
    const std::uint8_t front = items.front[contact];
    contacts.expect(contact);
    pair.front = SolidFront::face(front);
    pair.swapped = SolidFront::ofB(front);
    const typename EvaluateShapeContact<Real>::Poses p = contacts.poses(contact, pair.apart, pair.swapped);
    pair.shape_a = p.shape_a;
    pair.shape_b = p.shape_b;
    pair.a = p.a;
    pair.b = p.b;
    return contact;
  }
  __device__ void conclude(std::uint32_t contact, const ContactGeometry<Real>& g, const Vec3<Real>& apart) const
  {
    contacts.conclude(contact, g, apart);
  }
  __device__ void forget(std::uint32_t contact) const { contacts.forget(contact); }
};

} // namespace dem
