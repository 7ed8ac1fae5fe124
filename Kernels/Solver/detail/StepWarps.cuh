// A step on CUDA, in one launch: the forces at the present positions and the drift to the next. A warp takes the rows of up to 32 particles
// that lie together. It finds what touches among their candidates, 32 at a time, evaluates that 32 at a time, so that no lane idles, and then
// each particle adds up its own. Both sides of a contact evaluate it, to the same bits: no warp waits for another. Only nvcc reads this file.
#pragma once

#include "Core/Warp.cuh"
#include "Solver/detail/Step.cuh"
#include "Solver/detail/WallsOfWarp.cuh"

namespace dem
{

/// Where the load goes that a step's forces put on particle i: into the state.
template <class Real>
struct KeepLoads
{
  StateView<Real> state;

  __device__ void expect(std::uint32_t) const {}
  __device__ void move(std::uint32_t i, const Vec4<double>& x, const Vec4<Real>&, const Vec4<Real>&, const Load<Real>& load) const
  {
    if (isGone(x.x))
      return;
    state.force[i] = vec4(load.force, Real(0));
    state.torque[i] = vec4(load.torque, Real(0));
  }
};

/// Or it moves the particle at once.
template <class Real, class Integrator>
struct DriftAtOnce
{
  Drift<Real, Integrator> drift;

  /// What move(i) will read and nobody else has read before.
  __device__ void expect(std::uint32_t i) const
  {
    fetch(&drift.state.velocity_rest[i]);
    fetch(&drift.state.spin_rest[i]);
    fetch(&drift.state.orientation[i]);
    fetch(&drift.state.listed[i]);
  }
  __device__ void move(std::uint32_t i, const Vec4<double>& x, const Vec4<Real>& v, const Vec4<Real>& w, const Load<Real>& load) const
  {
    drift.move(i, x, v, w, load);
  }

private:
  __device__ static void fetch(const void* address) { asm volatile("prefetch.global.L2 [%0];" ::"l"(address)); }
};

/// The forces of a step and what they do: `Move` keeps the loads or drifts. With `kPlain` the options of the law are known to the compiler.
/// With `kFew` particles the device is not filled, and a step takes what its longest chain of dependent work takes: warps take fewer
/// particles, and walls are met a candidate a lane.
template <class Real, bool kPlain, bool kFew, class Move>
struct StepWarps
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kWarps = kThreads / 32;
  static constexpr int kResidentBlocks = sizeof(Real) == 4 ? (kFew ? 4 : 8) : 4;
  static constexpr std::uint32_t kPlaces = 184; // contacts that a warp evaluates before it adds them up: 160 touch 32 grains in a bed

  struct OfWarp
  {
    // A contact as it is found: what lies between its particles, reach^2 - distance^2; both radii, its entry, what else is known. Then what it
    // does to the particle of its row: force, dissipated; torque, stiffness work.
    Vec4<Real> first[kPlaces], second[kPlaces];
    Vec4<Real> velocity[32], spin[32];
    Vec4<double> position[kFew ? 32 : 1]; // for walls
    std::uint8_t near_wall[kFew ? 32 : 1];
  };
  struct Shared
  {
    OfWarp of[kWarps];
  };

  StateView<Real> state;
  StepControl* control;
  LawView<Real> law;
  ListView list;
  ContactSlots<Real> slots;
  WallForces<Real> walls;
  const std::uint32_t* wall_row_of;
  Load<Real>* wall_loads; // of each row
  Move mover;
  bool periodic; // some axis
  std::uint32_t n;
  unsigned shift; // a warp takes 2^shift particles, 32 at most
  Real dt;
  unsigned batch_step; // of the forces

  __host__ std::size_t blocks() const { return (n + (kWarps << shift) - 1) / (kWarps << shift); }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const std::uint32_t group = (block * kWarps + threadIdx.x / 32) << shift;
    if (group >= n || control->forceHalted(batch_step))
      return; // nothing changes that in this launch: all lanes agree
    Work work(*this, shared.of[threadIdx.x / 32], group);
    work.meetWalls();
    Sums sums;
    work.meetNeighbors(sums);
    work.move(sums);
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu;                 // warp
  static constexpr std::uint32_t kRounds = 32;                    // of 32 candidates, between two sums
  static constexpr std::uint32_t kSumPlaces = 64;                 // that unfinished sums take
  static constexpr std::uint32_t kLower = ListView::kLowerId;     // the other particle has the lower Id

  /// What was done to a particle: by neighbours with lower Ids, by those with higher.
  struct Sums
  {
    Load<Real> lower, higher;
    Real dissipated{}, stiffness_work{}; // of the contacts with higher
  };

  struct Work
  {
    const StepWarps& step;
    OfWarp& shared;
    std::uint32_t group, lane;
    std::uint32_t begin = 0, end = 0; // of this lane's row
    bool own;                         // this lane has a particle

    __device__ Work(const StepWarps& s, OfWarp& sh, std::uint32_t g)
      : step(s)
      , shared(sh)
      , group(g)
      , lane(threadIdx.x % 32)
    {
      const std::uint32_t i = group + lane;
      own = lane < 1u << step.shift && i < step.n;
      if (!own)
        return;
      begin = step.list.row_start[i];
      end = begin + step.list.count[i];
      shared.velocity[i % 32] = step.state.velocity[i];
      shared.spin[i % 32] = step.state.spin[i];
      step.mover.expect(i);
    }

    __device__ void meetWalls()
    {
      const std::uint32_t i = group + lane;
      const std::uint32_t row = own ? step.wall_row_of[i] : kNoRow;
      const bool near = row != kNoRow && !isGone(step.state.position[i].x);
      __syncwarp();
      const unsigned nears = __ballot_sync(kWhole, near);
      if (!nears)
        return;
      WallForces<Real> known = step.walls;
      if constexpr (kPlain)
        known.law.law.knowPlain();
      EnergySums booked;
      if constexpr (kFew)
      {
        if (near)
        {
          shared.position[i % 32] = step.state.position[i];
          shared.near_wall[__popc(nears & ((1u << lane) - 1))] = static_cast<std::uint8_t>(i % 32);
        }
        __syncwarp();
        const WallsOfWarp<Real> met{ known, group & ~31u, shared.position, shared.velocity, shared.spin, step.wall_row_of, step.wall_loads };
        met(shared.near_wall, __popc(nears), booked);
      }
      else if (near)
        step.wall_loads[row] = known(row, i, step.state.position[i], shared.velocity[i % 32], shared.spin[i % 32], booked);
      __syncwarp();
      step.state.books.book(blockIdx.x, booked);
    }

    __device__ void meetNeighbors(Sums& sums)
    {
      LawView<Real> view = step.law;
      if constexpr (kPlain)
        view.law.knowPlain();
      const unsigned owners = __ballot_sync(kWhole, own);
      std::uint32_t next = __shfl_sync(kWhole, begin, 0);
      const std::uint32_t last = __shfl_sync(kWhole, end, 31 - __clz(owners));
      for (bool again = false;; again = true)
      {
        const Found found = find(next, last, again ? kPlaces - kSumPlaces : kPlaces);
        __syncwarp();
        for (std::uint32_t k = lane; k < found.count; k += 32)
          evaluate(view, next, k);
        __syncwarp();
        if (again)
          resume(sums);
        add(found, next, sums);
        next += 32 * found.rounds;
        if (next >= last)
          return;
        __syncwarp();
        interrupt(sums);
        __syncwarp();
      }
    }

    __device__ void move(const Sums& sums)
    {
      const std::uint32_t i = group + lane;
      if (own)
      {
        const Vec4<double> x = step.state.position[i];
        Load<Real> load{ sums.lower.force + sums.higher.force, sums.lower.torque + sums.higher.torque };
        const std::uint32_t row = step.wall_row_of[i];
        if (row != kNoRow && !isGone(x.x))
        {
          load.force += step.wall_loads[row].force;
          load.torque += step.wall_loads[row].torque;
        }
        step.mover.move(i, x, shared.velocity[i % 32], shared.spin[i % 32], load);
      }
      __syncwarp();
      const EnergyBooks& books = step.state.books;
      EnergySum sum;
      sum.add(sums.dissipated * books.per_joule);
      books.book(blockIdx.x, BookedEnergy::Dissipated, sum);
      sum = {};
      sum.add(sums.stiffness_work * books.per_joule);
      books.book(blockIdx.x, BookedEnergy::StiffnessWork, sum);
    }

  private:
    /// Rounds of 32 candidates that were gone through, and what touched in round r: `votes` of lane r, behind `before` of the rounds before.
    struct Found
    {
      std::uint32_t rounds = 0, count = 0;
      unsigned votes = 0;
      std::uint32_t before = 0;
    };

    // Finds what touches from candidate `next` on, as many as have places.
    __device__ Found find(std::uint32_t next, std::uint32_t last, std::uint32_t places)
    {
      constexpr unsigned kAtOnce = 2; // rounds whose reads are on their way together
      Found found;
      for (std::uint32_t slot = next + lane; found.rounds < kRounds && next + 32 * found.rounds < last; slot += 32 * kAtOnce)
      {
        std::uint32_t entry[kAtOnce], flags[kAtOnce];
        for (unsigned r = 0; r < kAtOnce; ++r)
        {
          const bool there = slot + 32 * r < last;
          entry[r] = there ? step.list.entries[slot + 32 * r] : group;
          flags[r] = there ? step.slots.flags[slot + 32 * r] : 0;
        }
        for (unsigned r = 0; r < kAtOnce; ++r)
        {
          const Vec4<double> x = step.state.position[ofOwner(flags[r])], y = step.state.position[entry[r] & ListView::kIndex];
          const PairGeometry<Real> g = pairGeometry<Real>(step.law.box, x, y, step.periodic);
          const bool touches = slot + 32 * r < last && !isGone(x.x) && g.touching();
          const unsigned vote = __ballot_sync(kWhole, touches);
          if (found.count + __popc(vote) > places)
            return found;
          if (touches)
          {
            const std::uint32_t k = found.count + __popc(vote & ((1u << lane) - 1));
            shared.first[k] = vec4(g.apart.template as<Real>(), static_cast<Real>(g.reach * g.reach - g.distance2));
            shared.second[k] = { static_cast<Real>(x.w), static_cast<Real>(y.w), asReal(entry[r]),
              asReal(flags[r] | (slot + 32 * r - next) << 8) };
          }
          else if (flags[r] & kTouching)
            step.slots.flags[slot + 32 * r] = static_cast<std::uint8_t>(flags[r] & ~std::uint32_t(kTouching | kSliding));
          if (lane == found.rounds)
          {
            found.votes = vote;
            found.before = found.count;
          }
          found.count += __popc(vote);
          ++found.rounds;
        }
      }
      return found;
    }

    __device__ void evaluate(const LawView<Real>& view, std::uint32_t next, std::uint32_t k)
    {
      const StateView<Real>& state = step.state;
      const Vec4<Real> between = shared.first[k], of_pair = shared.second[k];
      const std::uint32_t entry = asBits(of_pair.z), j = entry & ListView::kIndex;
      const std::uint32_t flags = asBits(of_pair.w) & 0xffu, slot = next + (asBits(of_pair.w) >> 8), i = ListView::ownerOf(flags);
      ContactHistory<Real> history;
      if (flags & kTouching)
        history = loadHistory(view.law, step.slots.history, slot);
      const Vec4<Real> vj = state.velocity[j], wj = state.spin[j], vi = shared.velocity[i], wi = shared.spin[i];
      // Seen from this side: the law is odd in all that changes sign with the sides, so its bits are those of the lower Id's view, in
      // which springs are kept.
      const Real sign(entry & kLower ? -1 : 1);
      turnSprings(history, sign);
      PairSides<Real> sides{ {}, {}, of_pair.x, of_pair.y, vi.w, vj.w, vi.xyz(), vj.xyz(), wi.xyz(), wj.xyz() };
      touch(sides, between.xyz(), between.w, sign);
      const PairContact<Real> p = pairContact<true>(view.law, view.pair(wi.w, wj.w), sides, step.dt, !(flags & kTouching), history);
      turnSprings(history, sign);
      storeHistory(view.law, step.slots.history, slot, history);
      const std::uint32_t now = (flags & ~std::uint32_t(kTouching | kSliding)) | kTouching | (history.sliding ? kSliding : 0);
      if (flags != now)
        step.slots.flags[slot] = static_cast<std::uint8_t>(now);
      shared.first[k] = vec4(p.on_a, p.force.dissipated);
      shared.second[k] = vec4(p.torque_a, entry & kLower ? ofLower() : p.force.stiffness_work);
      const Real smaller = sides.radius_a < sides.radius_b ? sides.radius_a : sides.radius_b;
      if (!(p.overlap < Real(0.5) * smaller))
        atomicLower(&step.control->error, packError(step.batch_step, FailureKind::Overlap, state.id[entry & kLower ? j : ofOwner(flags)]));
    }

    // Adds what was found from candidate `next` on to the sum of this lane's row, in its order.
    __device__ void add(const Found& found, std::uint32_t next, Sums& sums)
    {
      const std::uint32_t from = rank(found, begin < next ? 0 : begin - next), to = rank(found, end < next ? 0 : end - next);
      for (std::uint32_t k = from; k < to; ++k)
      {
        const Vec4<Real> force = shared.first[k], torque = shared.second[k];
        if (isOfLower(torque.w))
        {
          sums.lower.force += force.xyz();
          sums.lower.torque += torque.xyz();
        }
        else
        {
          sums.higher.force += force.xyz();
          sums.higher.torque += torque.xyz();
          sums.dissipated += force.w;
          sums.stiffness_work += torque.w;
        }
      }
    }

    // Sums wait in the last places while more contacts are found than there are places for.
    __device__ void interrupt(const Sums& sums)
    {
      Vec4<Real>*first = shared.first + kPlaces - kSumPlaces, *second = shared.second + kPlaces - kSumPlaces;
      first[lane] = vec4(sums.lower.force, sums.dissipated);
      first[32 + lane] = vec4(sums.lower.torque, sums.stiffness_work);
      second[lane] = vec4(sums.higher.force, Real(0));
      second[32 + lane] = vec4(sums.higher.torque, Real(0));
    }
    __device__ void resume(Sums& sums) const
    {
      const Vec4<Real>*first = shared.first + kPlaces - kSumPlaces, *second = shared.second + kPlaces - kSumPlaces;
      sums.lower = { first[lane].xyz(), first[32 + lane].xyz() };
      sums.higher = { second[lane].xyz(), second[32 + lane].xyz() };
      sums.dissipated = first[lane].w;
      sums.stiffness_work = first[32 + lane].w;
    }

    // How many touch before candidate `at` of those that were gone through. All lanes come here.
    __device__ std::uint32_t rank(const Found& found, std::uint32_t at) const
    {
      const unsigned votes = __shfl_sync(kWhole, found.votes, at / 32);
      const std::uint32_t before = __shfl_sync(kWhole, found.before, at / 32);
      return at < 32 * found.rounds ? before + __popc(votes & ((1u << at % 32) - 1)) : found.count;
    }

    __device__ std::uint32_t ofOwner(std::uint32_t flags) const { return (group & ~31u) + ListView::ownerOf(flags); }

    __device__ static void turnSprings(ContactHistory<Real>& history, Real sign)
    {
      history.xi = sign * history.xi;
      history.roll = sign * history.roll;
    }

    // Whole numbers in places of numbers.
    __device__ static Real asReal(std::uint32_t bits)
    {
      if constexpr (sizeof(Real) == 4)
        return __uint_as_float(bits);
      else
        return __longlong_as_double(bits);
    }
    __device__ static std::uint32_t asBits(Real x)
    {
      if constexpr (sizeof(Real) == 4)
        return __float_as_uint(x);
      else
        return static_cast<std::uint32_t>(__double_as_longlong(x));
    }
    // What stands for the stiffness work of a contact that the other particle books: nothing that a law gives.
    __device__ static Real ofLower()
    {
      if constexpr (sizeof(Real) == 4)
        return __uint_as_float(~0u);
      else
        return __longlong_as_double(-1);
    }
    __device__ static bool isOfLower(Real x)
    {
      if constexpr (sizeof(Real) == 4)
        return __float_as_uint(x) == ~0u;
      else
        return __double_as_longlong(x) == -1;
    }
  };
};

} // namespace dem
