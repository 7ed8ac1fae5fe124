// A step on CUDA, in one launch: the forces at the present positions and the drift to the next. A block of threads takes a group of
// particles. Its warps take the contacts that may be, keep those that are and evaluate them 32 at a time, so that no lane idles; then each
// particle adds up its own. A contact within the group is evaluated once; one with another group by both, so that no group waits for
// another. Only nvcc reads this file.
#pragma once

#include "Solver/detail/Step.cuh"
#include "Solver/detail/WallsOfWarp.cuh"

namespace dem
{

/// What a group's contacts need beyond the shared memory of a block, in pieces that a block takes while it needs one.
struct SpillPool
{
  unsigned* locks; // zeros, one a piece
  char* memory;
  std::uint32_t pieces;
  std::uint32_t contacts; // of a piece: no group has more

  static constexpr std::uint32_t kMostContacts = 1u << 22;
};

/// Where the load goes that a step's forces put on particle i: into the state.
template <class Real>
struct KeepLoads
{
  StateView<Real> state;

  DEM_HD void expect(std::uint32_t) const {}
  DEM_HD void move(std::uint32_t i, const Vec4<double>& x, const Vec4<Real>&, const Vec4<Real>&, const Load<Real>& load) const
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
/// With `kFew` particles the device is not filled, and a step takes what its longest chain of dependent work takes: walls are met a
/// candidate a lane. Else a particle a thread, which is fewer instructions.
template <class Real, bool kPlain, bool kFew, class Move>
struct StepBlock
{
  using Spill = SpillPool;
  static constexpr unsigned kThreads = 128; // and the most particles of a group
  static constexpr int kResidentBlocks = sizeof(Real) == 4 ? (kFew ? 4 : 6) : 2;
  static constexpr unsigned kPlaces = (sizeof(Real) == 4 ? 512 : 352) - (kPlain ? 0 : 128); // contacts whose loads fit into shared memory
  static constexpr unsigned kContacts = 1152; // contacts, and slots, that have a place there
  static constexpr unsigned kRounds = 2;      // a warp reads so many times 32 contacts at once
  static constexpr unsigned kQueue = 32 * (kRounds + 1);
  static constexpr int kLoads = kPlain ? 2 : 3; // force; normal x tangential force, overlap; rolling torque: on the particle whose row it is

  struct Touching
  {
    std::uint32_t what;     // bits 0-21: contact of the group, 22-28: particle of the group whose row it is, 29-30: flags it had
    std::uint32_t neighbor; // its entry
    std::uint32_t place;    // of its load
  };

  struct Shared
  {
    Vec4<double> position[kThreads];
    Vec4<Real> velocity[kThreads], spin[kThreads];
    Touching touching[kThreads / 32][kQueue]; // that a warp has found and not yet evaluated
    std::uint16_t place[kContacts]; // of each contact's load, kLowerPlace added where that is so, or kNowhere
    std::uint16_t slot[kContacts];  // contact of each slot
    Vec4<Real> load[kLoads][kPlaces]; // w of the force: dissipated
    Real stiffness_work[kPlaces];
    std::uint8_t near_wall[kThreads]; // in any order
    std::uint32_t contacts, near_walls, next;
    std::uint32_t piece; // of the pool
  };

  StateView<Real> state;
  StepControl* control;
  LawView<Real> law;
  ListView list;
  ContactSides sides;
  ContactSlots<Real> slots;
  WallForces<Real> walls;
  const std::uint32_t* wall_row_of;
  Load<Real>* wall_loads; // of each row
  SpillPool spill;
  Move mover;
  bool periodic; // some axis
  std::uint32_t n;
  Real dt;
  unsigned batch_step; // of the forces

  __host__ unsigned blocks() const { return (n + (1u << list.group_shift) - 1) >> list.group_shift; }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    if (control->forceHalted(batch_step))
      return; // nothing changes that in this launch: all threads agree
    Work work(*this, shared, block);
    work.load();
    work.meetWalls();
    work.meetNeighbors();
    __syncthreads();
    work.moveParticles();
    work.release();
  }

  /// Of a piece for so many contacts.
  __host__ __device__ static std::size_t pieceBytes(std::uint32_t contacts)
  {
    const std::size_t bytes = contacts * (sizeof(std::uint32_t) + kLoads * sizeof(Vec4<Real>) + sizeof(Real));
    return (bytes + 15) / 16 * 16;
  }
  /// Whether a group of so many contacts may need a piece.
  static bool maySpill(std::uint32_t contacts) { return contacts > kPlaces; }

private:
  static constexpr std::uint32_t kNowhere = 0xffff, kLowerPlace = 0x8000;
  static constexpr std::uint32_t kLower = ListView::kLowerId; // the other particle has the lower Id
  static constexpr unsigned kWhole = 0xffffffffu;             // warp

  struct Work
  {
    const StepBlock& step;
    Shared& shared;
    std::uint32_t group, size;        // the first particle, and how many
    std::uint32_t begin, end;         // contacts
    std::uint32_t first_slot, n_slots;
    bool many;                        // more than shared memory has places for
    std::uint32_t piece = kNoPiece;   // of the pool, once this thread needs to know

    __device__ Work(const StepBlock& s, Shared& sh, unsigned block)
      : step(s)
      , shared(sh)
      , group(block << s.list.group_shift)
    {
      const std::uint32_t most = 1u << s.list.group_shift;
      size = s.n - group < most ? s.n - group : most;
      begin = s.list.first_owned[group];
      end = s.list.first_owned[group + size];
      first_slot = s.list.row_start[group];
      n_slots = s.list.row_start[group + size] - first_slot;
      many = n_slots > kContacts;
    }

    __device__ void load()
    {
      const std::uint32_t t = threadIdx.x;
      if (t == 0)
      {
        shared.contacts = shared.near_walls = shared.next = 0;
        shared.piece = kNoPiece;
      }
      bool near_wall = false;
      if (t < size)
      {
        shared.position[t] = step.state.position[group + t];
        shared.velocity[t] = step.state.velocity[group + t];
        shared.spin[t] = step.state.spin[group + t];
        near_wall = step.wall_row_of[group + t] != kNoRow && !isGone(shared.position[t].x);
        step.mover.expect(group + t);
      }
      if (!many)
        for (std::uint32_t s = t; s < n_slots; s += kThreads)
          shared.slot[s] = static_cast<std::uint16_t>(step.list.shared_contact[first_slot + s] - begin);
      __syncthreads();
      if (near_wall)
        shared.near_wall[atomicAdd(&shared.near_walls, 1u)] = static_cast<std::uint8_t>(t);
      if (many && t % 32 == 0)
        needPiece();
      __syncthreads();
      if (many)
        piece = shared.piece;
    }

    // Finds what touches and evaluates it.
    __device__ void meetNeighbors()
    {
      LawView<Real> view = step.law;
      if constexpr (kPlain)
        view.law.knowPlain();
      const std::uint32_t lane = threadIdx.x % 32;
      Touching* queue = shared.touching[threadIdx.x / 32];
      std::uint32_t queued = 0;
      for (bool more = true; more || queued > 0;)
      {
        if (more)
        {
          std::uint32_t next = lane == 0 ? atomicAdd(&shared.next, 32 * kRounds) : 0; // some warps are late from the walls
          next = begin + __shfl_sync(kWhole, next, 0);
          more = next < end;
          if (more)
            queued = find(next, queue, queued);
        }
        while (queued >= 32 || (queued > 0 && !more))
        {
          const std::uint32_t take = queued < 32 ? queued : 32;
          queued -= take;
          if (lane < take)
            evaluate(view, queue[queued + lane]);
          __syncwarp();
        }
      }
    }

    // The last warps do.
    __device__ void meetWalls()
    {
      if constexpr (kFew)
        meetWallsByWarp();
      else
        meetWallsByThread();
    }

    // Adds up what was done to each particle: neighbours with lower Ids, those with higher, walls.
    __device__ void moveParticles()
    {
      const std::uint32_t t = threadIdx.x, i = group + t;
      Real dissipated(0), stiffness_work(0); // of the contacts with higher Ids
      piece = shared.piece;
      if (t < size)
      {
        const Vec4<double> x = shared.position[t];
        Load<Real> load;
        if (!isGone(x.x))
        {
          load = loadOfPairs(i, static_cast<Real>(x.w), dissipated, stiffness_work);
          const std::uint32_t row = step.wall_row_of[i];
          if (row != kNoRow)
          {
            load.force += step.wall_loads[row].force;
            load.torque += step.wall_loads[row].torque;
          }
        }
        step.mover.move(i, x, shared.velocity[t], shared.spin[t], load);
      }
      __syncwarp();
      const EnergyBooks& books = step.state.books;
      EnergySum sum;
      sum.add(dissipated * books.per_joule);
      books.book(blockIdx.x, BookedEnergy::Dissipated, sum);
      sum = {};
      sum.add(stiffness_work * books.per_joule);
      books.book(blockIdx.x, BookedEnergy::StiffnessWork, sum);
    }

    __device__ void release()
    {
      __syncthreads();
      if (threadIdx.x == 0 && piece != kNoPiece)
      {
        __threadfence();
        atomicExch(&step.spill.locks[piece], 0u);
      }
    }

  private:
    __device__ void meetWallsByThread()
    {
      const std::uint32_t t = kThreads - 1 - threadIdx.x;
      if (t / 32 * 32 >= shared.near_walls)
        return; // with its whole warp
      EnergySums booked;
      if (t < shared.near_walls)
      {
        WallForces<Real> walls = step.walls;
        if constexpr (kPlain)
          walls.law.law.knowPlain();
        const std::uint32_t own = shared.near_wall[t], i = group + own;
        const std::uint32_t row = step.wall_row_of[i];
        step.wall_loads[row] = walls(row, i, shared.position[own], shared.velocity[own], shared.spin[own], booked);
      }
      __syncwarp();
      step.state.books.book(blockIdx.x, booked);
    }

    __device__ void meetWallsByWarp()
    {
      constexpr std::uint32_t kMost = 20, kStride = kThreads / 32 * kMost; // particles: most have one candidate
      const std::uint32_t first = (kThreads - 1 - threadIdx.x) / 32 * kMost;
      if (first >= shared.near_walls)
        return;
      WallForces<Real> known = step.walls;
      if constexpr (kPlain)
        known.law.law.knowPlain();
      EnergySums booked;
      for (std::uint32_t k = first; k < shared.near_walls; k += kStride)
      {
        const std::uint32_t left = shared.near_walls - k;
        const WallsOfWarp<Real> walls{ known, group, shared.position, shared.velocity, shared.spin, step.wall_row_of, step.wall_loads };
        walls(shared.near_wall + k, left < kMost ? left : kMost, booked);
      }
      step.state.books.book(blockIdx.x, booked);
    }

    static constexpr std::uint32_t kNoPiece = ~0u, kTakingPiece = ~0u - 1;

    // Appends what touches of the next contacts to a warp's queue; gives back how long it is.
    __device__ std::uint32_t find(std::uint32_t first, Touching* queue, std::uint32_t queued)
    {
      const std::uint32_t lane = threadIdx.x % 32;
      std::uint32_t neighbor[kRounds], own[kRounds];
      std::uint8_t flags[kRounds];
      for (unsigned r = 0; r < kRounds; ++r)
      {
        const std::uint32_t contact = first + 32 * r + lane;
        neighbor[r] = contact < end ? step.sides.neighbor[contact] : 0;
        own[r] = contact < end ? inGroup(step.sides.owner[contact]) : 0;
        flags[r] = contact < end ? step.slots.flags[contact] : 0;
      }
      for (unsigned r = 0; r < kRounds; ++r)
      {
        const std::uint32_t contact = first + 32 * r + lane, k = contact - begin;
        bool touches = false;
        if (contact < end)
        {
          const Vec4<double> x = shared.position[own[r]];
          const Vec4<double> y = *place(neighbor[r] & ListView::kIndex, shared.position, step.state.position);
          touches = !isGone(x.x) && pairGeometry<Real>(step.law.box, x, y, step.periodic).touching();
          if (!touches && flags[r])
            step.slots.flags[contact] = 0;
        }
        const std::uint32_t vote = __ballot_sync(kWhole, touches), count = __popc(vote);
        std::uint32_t at = 0;
        if (lane == 0 && vote)
        {
          at = atomicAdd(&shared.contacts, count);
          if (at + count > kPlaces)
            piece = needPiece();
        }
        const std::uint32_t before = __popc(vote & ((1u << lane) - 1));
        at = __shfl_sync(kWhole, at, 0);
        if (at + count > kPlaces)
          piece = __shfl_sync(kWhole, piece, 0);
        at += before;
        if (touches)
          queue[queued + before] = { k | own[r] << 22 | std::uint32_t(flags[r] & (kTouching | kSliding)) << 29, neighbor[r], at };
        queued += count;
        if (contact < end)
        {
          const std::uint32_t lower = neighbor[r] & kLower;
          if (many)
            manyPlaces()[k] = touches ? at | lower : ~0u;
          else
            shared.place[k] = static_cast<std::uint16_t>(touches ? at | lower >> 16 : kNowhere);
        }
      }
      __syncwarp();
      return queued;
    }

    __device__ void evaluate(const LawView<Real>& view, const Touching& pair)
    {
      const StateView<Real>& state = step.state;
      const std::uint32_t contact = begin + (pair.what & 0x3fffffu), own = pair.what >> 22 & 127u, flags = pair.what >> 29;
      const std::uint32_t j = pair.neighbor & ListView::kIndex, c = pair.place;
      const bool lower = pair.neighbor & kLower;
      ContactHistory<Real> history;
      if (flags & kTouching)
        history = loadHistory(view.law, step.slots.history, contact);
      const Vec4<double> xi = shared.position[own], xj = *place(j, shared.position, state.position);
      const Vec4<Real> vi = shared.velocity[own], vj = *place(j, shared.velocity, state.velocity);
      const Vec4<Real> wi = shared.spin[own], wj = *place(j, shared.spin, state.spin);
      // Seen from this side: the law is odd in all that changes sign with the sides, so its bits are those of the lower Id's view, in
      // which springs are kept.
      const Real sign(lower ? -1 : 1);
      turnSprings(history, sign);
      const PairGeometry<Real> g = pairGeometry<Real>(view.box, xi, xj, step.periodic);
      PairSides<Real> sides{ {}, {}, static_cast<Real>(xi.w), static_cast<Real>(xj.w), vi.w, vj.w, vi.xyz(), vj.xyz(), wi.xyz(), wj.xyz() };
      touch(sides, g.apart.template as<Real>(), static_cast<Real>(g.reach * g.reach - g.distance2), sign);
      const PairContact<Real> p = pairContact<true>(view.law, view.pair(wi.w, wj.w), sides, step.dt, !(flags & kTouching), history);
      turnSprings(history, sign);
      storeHistory(view.law, step.slots.history, contact, history);
      const std::uint32_t now = kTouching | (history.sliding ? kSliding : 0);
      if (flags != now)
        step.slots.flags[contact] = static_cast<std::uint8_t>(now);
      const Vec4<Real> force = vec4(p.on_a, p.force.dissipated), lever = vec4(cross(p.normal, p.force.tangential), p.overlap);
      if (c < kPlaces)
      {
        shared.load[0][c] = force;
        shared.load[1][c] = lever;
        if constexpr (!kPlain)
          shared.load[2][c] = vec4(p.force.rolling, Real(0));
        shared.stiffness_work[c] = p.force.stiffness_work;
      }
      else
      {
        spilled(0, c) = force;
        spilled(1, c) = lever;
        if constexpr (!kPlain)
          spilled(2, c) = vec4(p.force.rolling, Real(0));
        spilledWork(c) = p.force.stiffness_work;
      }
      const Real smaller = sides.radius_a < sides.radius_b ? sides.radius_a : sides.radius_b;
      if (!(p.overlap < Real(0.5) * smaller))
        atomicLower(&step.control->error, packError(step.batch_step, FailureKind::Overlap, state.id[lower ? j : group + own]));
    }

    __device__ std::uint32_t inGroup(std::uint32_t owner) const { return owner & ((1u << step.list.group_shift) - 1); }

    // Where to read about particle j: from shared memory if it is of the group.
    template <class T>
    __device__ const T* place(std::uint32_t j, const T* of_group, const T* of_all) const
    {
      return j - group < size ? of_group + (j - group) : of_all + j;
    }

    __device__ static void turnSprings(ContactHistory<Real>& history, Real sign)
    {
      history.xi = sign * history.xi;
      history.roll = sign * history.roll;
    }

    __device__ Load<Real> loadOfPairs(std::uint32_t i, Real radius, Real& dissipated, Real& stiffness_work) const
    {
      Load<Real> of_lower, of_higher;
      const std::uint32_t own_begin = step.list.first_owned[i] - begin, own_end = step.list.first_owned[i + 1] - begin;
      const std::uint32_t first = step.list.start(i), count = step.list.count[i];
      for (std::uint32_t s = 0; s < count; ++s)
      {
        std::uint32_t k, c;
        bool lower;
        if (many)
        {
          k = step.list.shared_contact[first + s] - begin;
          c = manyPlaces()[k];
          if (c == ~0u)
            continue;
          lower = c & kLower;
          c &= ~kLower;
        }
        else
        {
          k = shared.slot[first - first_slot + s];
          c = shared.place[k];
          if (c == kNowhere)
            continue;
          lower = c & kLowerPlace;
          c &= ~kLowerPlace;
        }
        const bool own = k >= own_begin && k < own_end; // else in the row of a lower Id
        const Vec4<Real> force = c < kPlaces ? shared.load[0][c] : spilled(0, c);
        const Vec4<Real> lever = c < kPlaces ? shared.load[1][c] : spilled(1, c);
        Vec3<Real> torque = (radius - Real(0.5) * lever.w) * lever.xyz(); // as pairContact has it
        if constexpr (!kPlain)
        {
          const Vec4<Real> rolling = c < kPlaces ? shared.load[2][c] : spilled(2, c);
          torque = own ? torque + rolling.xyz() : torque - rolling.xyz();
        }
        if (own && !lower)
        {
          of_higher.force += force.xyz();
          of_higher.torque += torque;
          dissipated += force.w;
          stiffness_work += c < kPlaces ? shared.stiffness_work[c] : spilledWork(c);
        }
        else
        {
          of_lower.force += own ? force.xyz() : -force.xyz();
          of_lower.torque += torque;
        }
      }
      return { of_lower.force + of_higher.force, of_lower.torque + of_higher.torque };
    }

    // The block's piece of the pool, taken by who asks first. Who holds one needs nothing else to come to its end.
    __device__ std::uint32_t needPiece()
    {
      std::uint32_t p = atomicCAS(&shared.piece, kNoPiece, kTakingPiece);
      if (p == kNoPiece)
      {
        p = blockIdx.x % step.spill.pieces;
        while (atomicCAS(&step.spill.locks[p], 0u, 1u) != 0u)
          p = p + 1 < step.spill.pieces ? p + 1 : 0;
        __threadfence();
        atomicExch(&shared.piece, p);
      }
      while (p == kTakingPiece)
        p = atomicAdd(&shared.piece, 0u);
      return p;
    }

    // A piece: loads, stiffness work, places of contacts.
    __device__ char* pieceMemory() const { return step.spill.memory + piece * pieceBytes(step.spill.contacts); }
    __device__ Vec4<Real>& spilled(int k, std::uint32_t c) const
    {
      return reinterpret_cast<Vec4<Real>*>(pieceMemory())[std::size_t(k) * step.spill.contacts + c];
    }
    __device__ Real& spilledWork(std::uint32_t c) const
    {
      return reinterpret_cast<Real*>(&spilled(kLoads, 0))[c];
    }
    __device__ std::uint32_t* manyPlaces() const { return reinterpret_cast<std::uint32_t*>(&spilledWork(step.spill.contacts)); }
  };
};

} // namespace dem
