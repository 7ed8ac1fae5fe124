// The walls of a few particles, met by a warp together: one candidate a lane, since a thread that took a particle's candidates one after
// another would be the last of its block to come to its end. The bits are those of WallForces. Only nvcc reads this file.
#pragma once

#include "Core/Warp.cuh"
#include "Solver/detail/Step.cuh"

namespace dem
{

template <class Real>
struct WallsOfWarp
{
  WallForces<Real> walls;
  std::uint32_t first_row;
  const Vec4<double>* position; // of the particle of each row, from the first on
  const Vec4<Real>*velocity, *spin;
  Load<Real>* loads; // of each row

  /// From the first on as many as `rows`, 32 at most. All lanes of a warp come here; `there`: the particle of this lane's row has not left,
  /// those that have are not met.
  __device__ void operator()(std::uint32_t rows, bool there, EnergySums& booked) const
  {
    const std::uint32_t lane = threadIdx.x % 32;
    Row row{};
    const unsigned stay = __ballot_sync(kWhole, there && lane < rows);
    for (std::uint32_t own = 0, before = 0; own < rows; ++own)
      if (stay >> own & 1u && before++ == lane)
        row.own = own;
    rows = __popc(stay);
    if (lane < rows)
    {
      row.number = first_row + row.own;
      row.begin = walls.list.start[row.number];
      row.count = walls.list.start[row.number + 1] - row.begin;
    }
    // In turns: as many rows as have together no more candidates than there are lanes.
    for (std::uint32_t next = 0; next < rows;)
    {
      std::uint32_t end = lane >= next && lane < rows ? row.count : 0; // of a row's candidates, among those of this turn
      for (std::uint32_t d = 1; d < 32; d *= 2)
      {
        const std::uint32_t before = __shfl_up_sync(kWhole, end, d);
        end += lane >= d ? before : 0;
      }
      const std::uint32_t taken = __popc(__ballot_sync(kWhole, lane >= next && lane < rows && end <= 32));
      if (taken)
        meet(row, next, taken, end - row.count, booked);
      else if (lane == next) // it alone has more
        loads[row.number] = walls(row.number, walls.list.particle[row.number], position[row.own], velocity[row.own], spin[row.own], booked);
      next += taken ? taken : 1;
    }
    __syncwarp();
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu; // warp

  struct Row
  {
    std::uint32_t own; // its place among them
    std::uint32_t number, begin, count;
  };

  // The rows of lanes [next, next + taken); each row's candidates are at lanes from `at` on.
  __device__ void meet(const Row& row, std::uint32_t next, std::uint32_t taken, std::uint32_t at, EnergySums& booked) const
  {
    const std::uint32_t lane = threadIdx.x % 32;
    const bool leads = lane >= next && lane < next + taken;
    const unsigned heads = orOfWarp(leads ? 1u << at : 0u);
    const std::uint32_t total = __shfl_sync(kWhole, at + row.count, next + taken - 1);
    const bool mine = lane < total;
    const std::uint32_t lead = mine ? next + __popc(heads & ((2u << lane) - 1)) - 1 : next;
    const std::uint32_t own = __shfl_sync(kWhole, row.own, lead), first = __shfl_sync(kWhole, at, lead);
    const std::uint32_t count = __shfl_sync(kWhole, row.count, lead);
    const std::uint32_t begin = __shfl_sync(kWhole, row.begin, lead), slot = begin + lane - first;
    const unsigned of_row = (count < 32 ? (1u << count) - 1 : kWhole) << first; // lanes

    std::uint8_t flags = 0;
    bool active = false, triangle = false;
    ClosestPoint closest{};
    if (mine)
    {
      const std::uint32_t element = walls.list.entries[slot];
      flags = walls.slots.flags[slot];
      triangle = walls.walls.elements[element].kind == ElementKind::Triangle;
      active = walls.touches(element, position[own], closest);
    }
    settleNeighbors(mine, lane == first, triangle, begin, count, slot, of_row, position[own], flags, active);

    typename WallForces<Real>::OfSlot done;
    if (active)
      done = walls.evaluate(slot, flags, walls.list.particle[first_row + own], position[own], velocity[own], spin[own], closest);
    else if (flags)
      walls.forget(slot);
    addUp(row, leads, at, __ballot_sync(kWhole, active), done, booked);
  }

  // Where triangles of a row may share a seam or a history, the first lane of the row does as WallForces does.
  __device__ void settleNeighbors(bool mine, bool first, bool triangle, std::uint32_t begin,
    std::uint32_t count, std::uint32_t slot, unsigned of_row, const Vec4<double>& x, std::uint8_t& flags, bool& active) const
  {
    const unsigned actives = __ballot_sync(kWhole, active && triangle) & of_row;
    const bool begins = __ballot_sync(kWhole, active && triangle && !(flags & kTouching)) & of_row;
    const bool ends = __ballot_sync(kWhole, mine && triangle && !active && flags & kTouching) & of_row;
    const bool due = mine && (__popc(actives) > 1 || (begins && ends));
    if (!__any_sync(kWhole, due))
      return;
    if (due && active)
      walls.slots.flags[slot] = static_cast<std::uint8_t>(flags | kActiveNow);
    __syncwarp();
    if (due && first)
    {
      walls.joinSmoothSeams(begin, begin + count, x);
      walls.handOn(begin, begin + count);
    }
    __syncwarp();
    if (due)
    {
      flags = walls.slots.flags[slot];
      active = flags & kActiveNow;
    }
    __syncwarp();
  }

  // Each row's lane takes what its candidates have done, in their order.
  __device__ void addUp(const Row& row, bool leads, std::uint32_t at, unsigned actives,
    const typename WallForces<Real>::OfSlot& done, EnergySums& booked) const
  {
    Load<Real> sum;
    double dissipated = 0, stiffness_work = 0, wall_work = 0;
    const std::uint32_t most = maxOfWarp(leads ? row.count : 0u);
    for (std::uint32_t s = 0; s < most; ++s)
    {
      const std::uint32_t from = (at + s) % 32;
      const Load<Real> load{ shuffled(done.load.force, from), shuffled(done.load.torque, from) };
      const Real lost = __shfl_sync(kWhole, done.dissipated, from), worked = __shfl_sync(kWhole, done.stiffness_work, from);
      const double by_wall = __shfl_sync(kWhole, done.wall_work, from);
      if (!leads || s >= row.count || !(actives >> from & 1u))
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
    loads[row.number] = sum;
  }

  __device__ static Vec3<Real> shuffled(const Vec3<Real>& v, std::uint32_t from)
  {
    return { __shfl_sync(kWhole, v.x, from), __shfl_sync(kWhole, v.y, from), __shfl_sync(kWhole, v.z, from) };
  }
};

} // namespace dem
