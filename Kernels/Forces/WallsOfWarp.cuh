// Wall forces on a few particles, evaluated by a warp with one wall candidate a lane. Used by
// StepWarps.cuh and by MeetSeams, below. A thread that evaluated all candidates of its particle
// would take longest of its block. Results have the same bits as those of WallForces.
#pragma once

#include "Core/Warp.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"

namespace dem
{

/// Evaluates the walls of up to 32 consecutive rows of the wall list. Lane k holds the k-th row.
template <class Real, bool kSeams = false>
struct WallsOfWarp
{
  WallForces<Real, kSeams> walls;
  std::uint32_t first_row;      // row of lane 0
  std::uint32_t begin, count;   // first slot and number of candidates of this lane's row, 0 if none
  const Vec4<double>* position; // by row, from first_row on; as velocity and spin
  const Vec4<Real>*velocity, *spin;
  Load<Real>* loads; // result, by row of the wall list

  /// Consecutive rows that are evaluated together; they have at most 32 candidates in total.
  struct Turn
  {
    std::uint32_t first, rows;  // rows is 0 if row `first` alone has more than 32 candidates
    std::uint32_t at;           // lane of the first candidate of this lane's row
    std::uint32_t own, from;    // row of this lane's candidate, and lane of that row's first one
    std::uint32_t begin, count; // first slot and number of candidates of row `own`
    std::uint32_t element;
    bool mine;  // this lane has a candidate
    bool joins; // its element may share a contact with another element
  };

  /// Returns the turn that begins with row `next` of `rows`, at most 32. All lanes of the warp must
  /// call it. It reads only the wall list.
  __device__ Turn turn(std::uint32_t next, std::uint32_t rows) const
  {
    const std::uint32_t lane = threadIdx.x % 32;
    Turn t{};
    t.first = next;
    const bool waits = lane >= next && lane < rows;
    // end of this row's candidates, counted from the first of the turn
    const std::uint32_t end = sumUpToLane(waits ? count : 0);
    t.rows = __popc(__ballot_sync(kWhole, waits && end <= 32));
    if (!t.rows)
      return t;
    t.at = end - count;
    const unsigned heads = orOfWarp(lane >= next && lane < next + t.rows ? 1u << t.at : 0u);
    t.mine = lane < __shfl_sync(kWhole, end, next + t.rows - 1);
    t.own = t.mine ? next + __popc(heads & ((2u << lane) - 1)) - 1 : next;
    t.from = __shfl_sync(kWhole, t.at, t.own);
    t.begin = __shfl_sync(kWhole, begin, t.own);
    t.count = __shfl_sync(kWhole, count, t.own);
    if (t.mine)
    {
      // bypasses the first-level cache: the kernel that wrote the list may not have been awaited
      t.element = __ldcg(walls.list.entries + t.begin + lane - t.from);
      t.joins = kSeams || walls.walls.elements[t.element].kind == ElementKind::Triangle;
    }
    return t;
  }

  /// Evaluates `rows` rows, at most 32, and stores their loads. `now` is the result of turn(0,
  /// rows). `there`: the particle of this lane's row has not left; rows of particles that have left
  /// are skipped. Energies are added to `booked`. All lanes of the warp must call it.
  __device__ void operator()(std::uint32_t rows, Turn now, bool there, EnergySums& booked) const
  {
    const std::uint32_t lane = threadIdx.x % 32;
    const unsigned stay = __ballot_sync(kWhole, there);
    for (;;)
    {
      if (now.rows)
        meet(now, stay, booked);
      else if (lane == now.first && there)
        loads[first_row + lane] = walls(first_row + lane, walls.list.particle[first_row + lane],
          position[lane], velocity[lane], spin[lane], booked);
      const std::uint32_t next = now.first + (now.rows ? now.rows : 1);
      if (next >= rows)
        break;
      now = turn(next, rows);
    }
    __syncwarp();
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu; // all lanes of a warp

  // Evaluates the candidates of a turn. `stay`: bits of the rows whose particles have not left.
  __device__ void meet(const Turn& now, unsigned stay, EnergySums& booked) const
  {
    const std::uint32_t lane = threadIdx.x % 32, own = now.own, slot = now.begin + lane - now.from;
    const bool mine = now.mine && stay >> own & 1u;
    const unsigned of_row = (now.count < 32 ? (1u << now.count) - 1 : kWhole)
      << now.from; // its lanes

    std::uint8_t flags = 0;
    bool active = false;
    ClosestPoint closest{};
    if (mine)
    {
      flags = walls.slots.flags[slot];
      active = walls.touches(
        now.element, position[own], walls.reachOf(now.element, position[own], spin[own]), closest);
    }
    settleNeighbors(mine, lane == now.from, now.joins, now.begin, now.count, slot, of_row,
      position[own], flags, active);

    active = active && walls.acts(slot, flags, position[own]);
    typename WallForces<Real, kSeams>::OfSlot done;
    if (active)
      done = walls.evaluate(slot, flags, walls.list.particle[first_row + own], position[own],
        velocity[own], spin[own], closest);
    else if (flags)
      walls.forget(slot);
    addUp(now, __ballot_sync(kWhole, active), done, booked);
  }

  // If elements of a row may share a seam or a history, the first lane of the row resolves it as
  // WallForces does. Updates `flags` and `active` of this lane's candidate.
  __device__ void settleNeighbors(bool mine, bool first, bool joins, std::uint32_t begin,
    std::uint32_t count, std::uint32_t slot, unsigned of_row, const Vec4<double>& x,
    std::uint8_t& flags, bool& active) const
  {
    const unsigned actives = __ballot_sync(kWhole, active && joins) & of_row;
    const bool begins = __ballot_sync(kWhole, active && joins && !(flags & kTouching)) & of_row;
    const bool ends = __ballot_sync(kWhole, mine && joins && !active && flags & kTouching) & of_row;
    const bool due = mine && (__popc(actives) > 1 || (begins && ends));
    if (!__any_sync(kWhole, due))
      return;
    if (due && active)
      walls.slots.flags[slot] = static_cast<std::uint8_t>(flags | kActiveNow);
    __syncwarp();
    if (due && first)
    {
      walls.joinSmoothSeams(begin, begin + count, x);
      walls.handOn(begin, begin + count, x);
    }
    __syncwarp();
    if (due)
    {
      flags = walls.slots.flags[slot];
      active = flags & kActiveNow;
    }
    __syncwarp();
  }

  // The lane of each row sums the results of its candidates, in their order, and stores the load.
  __device__ void addUp(const Turn& now, unsigned actives,
    const typename WallForces<Real, kSeams>::OfSlot& done, EnergySums& booked) const
  {
    const std::uint32_t lane = threadIdx.x % 32;
    const bool leads = lane >= now.first && lane < now.first + now.rows;
    Load<Real> sum;
    double dissipated = 0, stiffness_work = 0, wall_work = 0;
    const std::uint32_t most = maxOfWarp(leads ? count : 0u);
    for (std::uint32_t s = 0; s < most; ++s)
    {
      const std::uint32_t from = (now.at + s) % 32;
      const Load<Real> load{ shuffled(done.load.force, from), shuffled(done.load.torque, from) };
      const Real lost = __shfl_sync(kWhole, done.dissipated, from),
                 worked = __shfl_sync(kWhole, done.stiffness_work, from);
      const double by_wall = __shfl_sync(kWhole, done.wall_work, from);
      if (!leads || s >= count || !(actives >> from & 1u))
        continue;
      sum.force += load.force;
      sum.torque += load.torque;
      dissipated += lost;
      stiffness_work += worked;
      wall_work += by_wall;
    }
    if (!leads)
      return;
    walls.book(booked, dissipated, stiffness_work, wall_work);
    loads[first_row + lane] = sum;
  }

  __device__ static Vec3<Real> shuffled(const Vec3<Real>& v, std::uint32_t from)
  {
    return { __shfl_sync(kWhole, v.x, from), __shfl_sync(kWhole, v.y, from),
      __shfl_sync(kWhole, v.z, from) };
  }
};

/// Kernel functor that evaluates walls with seams and stores the loads of their rows. The next
/// StepWarps adds these. A warp takes 2^shift rows.
template <class Real>
struct MeetSeams
{
  static constexpr unsigned kWarps = 4, kThreads = 32 * kWarps;
  struct Rows
  {
    Vec4<double> position[32];
    Vec4<Real> velocity[32], spin[32];
  };
  struct Shared
  {
    Rows of[kWarps];
  };

  StateView<Real> state;
  WallForces<Real, true> walls;
  const unsigned long long* wall_rows; // as in StepWarps
  Load<Real>* loads;                   // result, by row
  unsigned shift;

  __host__ std::size_t blocks() const
  {
    return (walls.list.rows + (kWarps << shift) - 1) / (kWarps << shift);
  }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    Rows& rows_of = shared.of[threadIdx.x / 32];
    const std::uint32_t lane = threadIdx.x % 32,
                        first = (block * kWarps + threadIdx.x / 32) << shift, row = first + lane;
    const std::uint32_t all =
      wall_rows ? static_cast<std::uint32_t>(*wall_rows >> 32) : walls.list.rows;
    const std::uint32_t end = all < walls.list.rows ? all : walls.list.rows;
    if (first >= end || walls.control->forceHalted(walls.batch_step))
      return; // the same for all lanes
    const bool own = lane >> shift == 0 && row < end;
    bool there = false;
    if (own)
    {
      const std::uint32_t i = walls.list.particle[row];
      rows_of.position[lane] = state.position[i];
      rows_of.velocity[lane] = state.velocity[i];
      rows_of.spin[lane] = state.spin[i];
      there = !isGone(rows_of.position[lane].x);
    }
    __syncwarp();
    const std::uint32_t rows = end - first < 1u << shift ? end - first : 1u << shift;
    const std::uint32_t begin = own ? walls.list.start[row] : 0;
    const WallsOfWarp<Real, true> together{ walls, first, begin,
      own ? walls.list.start[row + 1] - begin : 0, rows_of.position, rows_of.velocity, rows_of.spin,
      loads };
    EnergySums booked;
    together(rows, together.turn(0, rows), there, booked);
    state.books.book(block, booked);
  }
};

} // namespace dem
