// Kernels that find and evaluate contacts of shapes on a device. Used by ShapeForces.cuh.
// FindShapeBlock drops candidates that a cheap test separates, and appends the others to one list
// per kind of narrow phase. One kernel per kind then evaluates its list, so neighbouring threads
// run the same code. The order within a list varies from run to run, but no result depends on it:
// each contact writes its own record.
#pragma once

#include "Core/Warp.cuh"
#include "Shapes/PolyhedraBlock.cuh"
#include "Forces/ShapeForces.cuh"

namespace dem
{

/// Appends the candidates that may touch to the list of their kind of narrow phase. `kSolids`:
/// there may be pairs of polyhedra.
///
/// For most candidates a result of an earlier step still holds (ShapesKnown), and no data of the
/// bodies are read. The others are collected in shared memory, so that all lanes of a warp have
/// work in each of the following tests:
/// - the bounding spheres,
/// - the direction or face that separated the bodies last,
/// - for polyhedra, all faces.
///
/// A block takes a short run of candidates, so entries that are adjacent in a list are near in
/// space and share caches.
template <class Real, bool kSolids>
struct FindShapeBlock
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kResidentBlocks = 8;
  static constexpr unsigned kAtOnce = 4; // candidates per thread
  static constexpr unsigned kRun = kAtOnce * kThreads;
  static constexpr unsigned kWhole = 0xffffffffu;
  static constexpr std::uint32_t kNone = 0xffffffffu;
  using Contacts = EvaluateShapeContact<Real>;

  /// Candidates of a block that need a further test, by their index in the run.
  struct Waiting
  {
    std::uint32_t count;
    std::uint16_t place[kRun];
  };
  struct Shared
  {
    Waiting fresh, parted, solids;
    std::uint32_t known, first_known; // kRoundKnown pairs: number, and first index in their list
    std::uint32_t count[kShapeKinds], first[kShapeKinds];
    std::uint8_t kind[kRun];
  };

  Contacts contacts;
  ShapeItems items;
  std::uint32_t n;

  __host__ std::size_t blocks() const { return (std::size_t(n) + kRun - 1) / kRun; }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    if (contacts.step.control->forceHalted(contacts.step.batch_step))
      return; // the same for all threads
    const std::uint32_t first = block * kRun;
    if (threadIdx.x < kShapeKinds)
      shared.count[threadIdx.x] = 0;
    if (threadIdx.x == 0)
      shared.fresh.count = shared.parted.count = shared.solids.count = shared.known = 0;
    __syncthreads();
    std::uint32_t known[kAtOnce];
    recall(first, shared, known);
    __syncthreads();
    // Reserved before the next test, because the list should roughly keep the order of the
    // candidates. Blocks reserve in any order, and a test before it would mix them more.
    if (threadIdx.x == 0 && shared.known > 0)
      shared.first_known = atomicAdd(&items.count[kRoundKnown], shared.known);
    for (std::uint32_t k = threadIdx.x; k < rounded(shared.fresh.count); k += kThreads)
      lookAtFresh(first, shared, k);
    __syncthreads();
#pragma unroll
    for (unsigned r = 0; r < kAtOnce; ++r)
      if (known[r] != kNone)
        items.put(kRoundKnown, shared.first_known + known[r], first + r * kThreads + threadIdx.x);
    for (std::uint32_t k = threadIdx.x; k < rounded(shared.parted.count); k += kThreads)
      lookAgain(first, shared, k);
    __syncthreads();
    if constexpr (kSolids)
    {
      for (std::uint32_t k = threadIdx.x; k < shared.solids.count; k += kThreads)
        lookAtSolids(first, shared, shared.solids.place[k]);
      __syncthreads();
    }
    append(first, shared);
  }

private:
  __device__ static std::uint32_t rounded(std::uint32_t count)
  {
    return (count + 31) / 32 * 32; // up to whole warps
  }

  /// Reserves a number from `count` for each lane with `does`, and returns it. All lanes of the
  /// warp must call it.
  __device__ static std::uint32_t taken(std::uint32_t& count, bool does)
  {
    const std::uint32_t who = __ballot_sync(kWhole, does), lane = threadIdx.x % 32;
    std::uint32_t at = 0;
    if (who && lane == 0)
      at = atomicAdd(&count, static_cast<std::uint32_t>(__popc(who)));
    return __shfl_sync(kWhole, at, 0) + __popc(who & ((1u << lane) - 1));
  }
  __device__ static void push(Waiting& waiting, bool does, std::uint32_t place)
  {
    const std::uint32_t at = taken(waiting.count, does);
    if (does)
      waiting.place[at] = static_cast<std::uint16_t>(place);
  }

  /// Sorts the candidates into those whose stored result still holds and those that need a test
  /// (`shared.fresh`). `place_known`: index of a kRoundKnown pair among those of the block, or
  /// kNone.
  __device__ void recall(
    std::uint32_t first, Shared& shared, std::uint32_t (&place_known)[kAtOnce]) const
  {
    std::uint32_t a[kAtOnce], b[kAtOnce], known[kAtOnce];
    float path[kAtOnce];
#pragma unroll
    for (unsigned r = 0; r < kAtOnce; ++r)
    {
      const std::uint32_t contact = first + r * kThreads + threadIdx.x,
                          at = contact < n ? contact : n - 1;
      a[r] = contacts.a[at];
      b[r] = contacts.b[at];
      known[r] = items.known[at];
    }
#pragma unroll
    for (unsigned r = 0; r < kAtOnce; ++r)
      path[r] =
        staysKnown(detail::ShapesKnown::kind(known[r])) ? 0.f : items.path[a[r]] + items.path[b[r]];
#pragma unroll
    for (unsigned r = 0; r < kAtOnce; ++r)
    {
      const std::uint32_t place = r * kThreads + threadIdx.x;
      const bool is = first + place < n,
                 holds = is && detail::ShapesKnown::holds(known[r], path[r]);
      const unsigned kind = holds ? detail::ShapesKnown::kind(known[r]) : unsigned(kShapesApart);
      const bool stays = kind == kRoundKnown;
      const std::uint32_t at = taken(shared.known, stays);
      place_known[r] = stays ? at : kNone;
      shared.kind[place] =
        static_cast<std::uint8_t>(stays ? unsigned(kShapesApart) : kind); // append() skips it
      push(shared.fresh, is && !holds, place);
    }
  }

  __device__ void know(std::uint32_t contact, unsigned kind, Real room) const
  {
    const float path = items.path[contacts.a[contact]] + items.path[contacts.b[contact]];
    items.known[contact] = detail::ShapesKnown::of(kind, static_cast<float>(room), path);
  }

  __device__ void lookAtFresh(std::uint32_t first, Shared& shared, std::uint32_t k) const
  {
    unsigned kind = kShapesApart;
    std::uint32_t place = 0;
    if (k < shared.fresh.count)
    {
      place = shared.fresh.place[k];
      const std::uint32_t contact = first + place, a = contacts.a[contact], b = contacts.b[contact];
      const std::uint8_t flags = contacts.slots.flags[contact];
      kind = contacts.template firstLook<kSolids>(a, b, flags);
      if (kind == kShapesApart)
      {
        contacts.forget(contact);
        know(contact, kShapesApart, contacts.spheresPartedBy(a, b));
      }
      else if (staysKnown(kind))
        items.known[contact] = detail::ShapesKnown::always(kind);
      else
      {
        expectRead(&contacts.step.state.orientation[a]);
        expectRead(&contacts.step.state.orientation[b]);
      }
      shared.kind[place] = static_cast<std::uint8_t>(kind);
    }
    push(shared.parted, kind == kRoundApartBefore || kind == kSolidsApartBefore, place);
    push(shared.solids, kind == kSolidsMeet, place);
  }

  __device__ void lookAgain(std::uint32_t first, Shared& shared, std::uint32_t k) const
  {
    bool meets = false;
    std::uint32_t place = 0;
    if (k < shared.parted.count)
    {
      place = shared.parted.place[k];
      const std::uint32_t contact = first + place;
      const bool solids = kSolids && shared.kind[place] == kSolidsApartBefore;
      const Real room =
        solids ? contacts.partedBy(contact, items.front[contact]) : contacts.roundPartedBy(contact);
      const bool apart = room > Real(0);
      if (apart)
        know(contact, kShapesApart, room);
      meets = solids && !apart;
      shared.kind[place] =
        static_cast<std::uint8_t>(apart ? kShapesApart : (solids ? kSolidsMeet : kRoundNew));
    }
    if constexpr (kSolids)
      push(shared.solids, meets, place);
  }

  __device__ void lookAtSolids(std::uint32_t first, Shared& shared, std::uint32_t place) const
  {
    std::uint8_t front;
    Real room;
    const unsigned kind = contacts.kindOfSolids(first + place, front, room);
    items.front[first + place] = front;
    know(first + place, kind, room);
    if (kind == kShapesApart)
      contacts.forget(first + place);
    shared.kind[place] = static_cast<std::uint8_t>(kind);
  }

  __device__ void append(std::uint32_t first, Shared& shared) const
  {
    unsigned kind[kAtOnce];
    std::uint32_t at[kAtOnce];
#pragma unroll
    for (unsigned r = 0; r < kAtOnce; ++r)
    {
      kind[r] = shared.kind[r * kThreads + threadIdx.x];
      const std::uint32_t same = __match_any_sync(kWhole, kind[r]), leader = __ffs(same) - 1,
                          lane = threadIdx.x % 32;
      at[r] = 0;
      if (kind[r] != kShapesApart && lane == leader)
        at[r] = atomicAdd(&shared.count[kind[r]], static_cast<std::uint32_t>(__popc(same)));
      at[r] = __shfl_sync(kWhole, at[r], leader) + __popc(same & ((1u << lane) - 1));
    }
    __syncthreads();
    if (threadIdx.x < kShapeKinds && shared.count[threadIdx.x] > 0)
      shared.first[threadIdx.x] = atomicAdd(&items.count[threadIdx.x], shared.count[threadIdx.x]);
    __syncthreads();
#pragma unroll
    for (unsigned r = 0; r < kAtOnce; ++r)
      if (kind[r] != kShapesApart)
        items.put(kind[r], shared.first[kind[r]] + at[r], first + r * kThreads + threadIdx.x);
  }
};

/// Evaluates the contacts of one kind, one thread a contact. For kRoundNew there may be more
/// contacts than `threads`; then each thread takes several. With `kPlain` the options of the law
/// are compile-time constants.
template <class Real, unsigned kKind, bool kPlain>
struct EvaluateShapeItems
{
  static constexpr unsigned kResidentBlocks =
    sizeof(Real) == 4 ? (kKind == kRoundKnown ? 6 : 4) : 1;

  EvaluateShapeContact<Real> contacts;
  ShapeItems items;
  std::uint32_t threads;

  DEM_HD void operator()(std::uint32_t k) const
  {
    const std::uint32_t count = items.count[kKind];
    EvaluateShapeContact<Real> known = contacts;
    if constexpr (kPlain)
      known.step.law.law.knowPlainForShapes();
    const auto evaluate = [&](std::uint32_t contact) {
      if (!known.template evaluate<kKind>(contact) && staysKnown(kKind))
        items.known[contact] = 0;
    };
    if (kKind == kRoundNew)
      for (; k < count; k += threads)
        evaluate(items.at(kKind, k));
    else if (k < count)
      evaluate(items.at(kKind, k));
  }
};

/// Evaluates a short list, as a block kernel that runs alongside the kernel launched before it.
template <class Items>
struct FewShapeItems
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kResidentBlocks = Items::kResidentBlocks;
  struct Shared
  {
  };

  Items items;

  __host__ std::size_t blocks() const { return (items.threads + kThreads - 1) / kThreads; }
  __device__ void operator()(unsigned block, Shared&) const
  {
    const std::uint32_t k = block * kThreads + threadIdx.x;
    if (k < items.threads)
      items(k);
  }
};

/// Sums the loads of pairs and walls on each part, in the order of SumShapeRows. The threads of a
/// block read the slots of all its rows together, with adjacent threads at adjacent slots. Then
/// each thread sums its own row. The rows of each 32 parts are contiguous. Here the slots of the
/// four warps of a block are numbered consecutively.
template <class Real>
struct SumShapeBlock
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kWarps = kThreads / 32;
  static constexpr unsigned kResidentBlocks = 9;
  static constexpr unsigned kSlots = 512; // slots that are read together

  struct Shared
  {
    Vec4<Real> force[kSlots], torque[kSlots];
    std::uint32_t touching[kSlots / 32], lower[kSlots / 32];
    std::uint32_t begin[kWarps], size[kWarps]; // first slot and number of slots of each warp's rows
  };

  SumShapeRows<Real> rows;
  const std::uint32_t* wall_row; // of each part
  const Load<Real>* wall_loads;  // of each wall row
  std::uint32_t* item_count;     // by kind; reset to 0 for the next step
  std::uint32_t n;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const ShapeStep<Real>& step = rows.step;
    if (step.control->forceHalted(step.batch_step))
      return; // the same for all threads
    const ListView& list = rows.list;
    const std::uint32_t i = block * kThreads + threadIdx.x, warp = threadIdx.x / 32;
    if (i < kShapeKinds)
      item_count[i] = 0;
    const bool own = i < n; // also for parts that have left; their loads are not used
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
        const std::uint32_t known = at < total ? list.shared_contact[slot] : 0;
        contact[r] = known & ListView::kIndex;
        lower[r] = known & ListView::kLowerId;
      }
#pragma unroll
      for (unsigned r = 0; r < kSlots / kThreads; ++r)
        touching[r] =
          base + r * kThreads + threadIdx.x < total && (rows.flags[contact[r]] & kTouching);
#pragma unroll
      for (unsigned r = 0; r < kSlots / kThreads; ++r)
      {
        const unsigned s = r * kThreads + threadIdx.x;
        if (touching[r])
        {
          const EntryLoad<Real>& load =
            (lower[r] ? rows.records.of_b : rows.records.of_a)[contact[r]];
          shared.force[s] = load.force;
          shared.torque[s] = load.torque;
        }
        const std::uint32_t t = __ballot_sync(kWhole, touching[r]),
                            l = __ballot_sync(kWhole, lower[r]);
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
          rows.add(
            shared.lower[s / 32] >> s % 32 & 1u, shared.force[s], shared.torque[s], sum, booked);
      }
      __syncthreads();
    }
    if (own && !rows.ghosts.has(i))
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

/// The pairs of few-faced polyhedra of a step: `Pairs` of PolyhedraBlock. With `kPlain` the options
/// of the law are compile-time constants.
template <class Real, bool kPlain>
struct FewFacedPairs
{
  using Number = Real;

  EvaluateShapeContact<Real> contacts;
  ShapeItems items;

  /// Places are ordered by the number of vertices below the front: one, two, more. Each kind begins
  /// at a new warp.
  __device__ std::uint32_t edges() const { return wholeWarps(kFewFacedCorner); }
  __device__ std::uint32_t others() const { return edges() + wholeWarps(kFewFacedEdge); }
  __device__ std::uint32_t size() const { return others() + items.count[kFewFaced]; }
  __device__ bool has(std::uint32_t k) const
  {
    return k < edges() ? k < items.count[kFewFacedCorner]
                       : (k < others() ? k - edges() < items.count[kFewFacedEdge] : k < size());
  }
  __device__ const ShapeView<Real>& shapes() const { return contacts.step.shapes.shapes; }
  /// Reads the pair at place k, with the body of the front face as `a`, and returns its contact.
  __device__ std::uint32_t read(std::uint32_t k, detail::PolyhedraToCut<Real>& pair) const
  {
    const std::uint32_t contact = k < edges()
      ? items.at(kFewFacedCorner, k)
      : (k < others() ? items.at(kFewFacedEdge, k - edges()) : items.at(kFewFaced, k - others()));
    const std::uint8_t front = items.front[contact];
    contacts.expect(contact);
    pair.front = SolidFront::face(front);
    pair.swapped = SolidFront::ofB(front);
    const typename EvaluateShapeContact<Real>::Poses p =
      contacts.poses(contact, pair.apart, pair.swapped);
    pair.shape_a = p.shape_a;
    pair.shape_b = p.shape_b;
    pair.a = p.a;
    pair.b = p.b;
    return contact;
  }
  __device__ void conclude(
    std::uint32_t contact, const ContactGeometry<Real>& g, const Vec3<Real>& apart) const
  {
    EvaluateShapeContact<Real> known = contacts;
    if constexpr (kPlain)
      known.step.law.law.knowPlainForShapes();
    known.conclude(contact, g, apart);
  }
  __device__ void forget(std::uint32_t contact) const { contacts.forget(contact); }

private:
  __device__ std::uint32_t wholeWarps(unsigned kind) const
  {
    return (items.count[kind] + 31) / 32 * 32;
  }
};

} // namespace dem
