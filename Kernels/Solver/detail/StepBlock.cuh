// A step on CUDA, in one launch: the forces at the present positions and the drift to the next. A block of threads takes a group of
// particles and shares out what is to do evenly: first the contacts that may be, then those that are, then the particles. A contact within
// the group is evaluated once; one with another group by both, so that no group waits for another. Only nvcc reads this file.
#pragma once

#include "Solver/detail/Step.cuh"

namespace dem
{

/// What a group's contacts need beyond the shared memory of a block, in pieces for as many blocks as there are locks.
struct SpillPool
{
  unsigned* locks; // zeros
  char* memory;
  std::uint32_t pieces;
  std::uint32_t contacts; // of a piece: no group has more
};

/// Where the load goes that a step's forces put on particle i: into the state.
template <class Real>
struct KeepLoads
{
  StateView<Real> state;

  DEM_HD void move(std::uint32_t i, const Vec4<double>& x, const Vec4<Real>&, const Vec4<Real>&, const Load<Real>& load) const
  {
    if (isGone(x.x))
      return;
    state.force[i] = vec4(load.force, Real(0));
    state.torque[i] = vec4(load.torque, Real(0));
  }
};

/// The forces of a step and what they do: `Move` keeps them, or drifts. With `kPlain` the options of the law are known to the compiler.
template <class Real, bool kPlain, class Move>
struct StepBlock
{
  using Spill = SpillPool;
  static constexpr unsigned kThreads = 128; // and the most particles of a group
  static constexpr int kResidentBlocks = sizeof(Real) == 4 ? 5 : 2;
  static constexpr unsigned kPlaces = sizeof(Real) == 4 ? 608 : 288; // contacts whose loads fit into shared memory
  static constexpr unsigned kWords = 64;                             // of 32 votes
  static constexpr int kValues = 11; // force, torque on the particle whose row it is; torque on the other; dissipated, stiffness work

  struct Shared
  {
    Vec4<double> position[kThreads];
    Vec4<Real> velocity[kThreads], spin[kThreads];
    std::uint32_t votes[kWords];  // bits of the contacts that touch
    std::uint32_t before[kWords]; // how many touch before each word
    std::uint32_t touching[kPlaces];
    Real load[kValues][kPlaces];
    Vec4<Real> wall_force[kThreads], wall_torque[kThreads];
    std::uint8_t near_wall[kThreads]; // in any order
    std::uint32_t contacts, piece, near_walls;
  };

  StateView<Real> state;
  StepControl* control;
  LawView<Real> law;
  ListView list;
  ContactSides sides;
  ContactSlots<Real> slots;
  WallForces<Real> walls;
  const std::uint32_t* wall_row_of;
  SpillPool spill;
  Move move;
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
    work.findContacts();
    work.evaluateContacts();
    work.moveParticles();
    work.release();
  }

private:
  static constexpr std::uint32_t kNoPiece = ~0u;
  static constexpr std::uint32_t kLower = ListView::kLowerId; // in `touching`: the other particle has the lower Id

  struct Work
  {
    const StepBlock& step;
    Shared& shared;
    std::uint32_t group, size; // the first particle, and how many
    std::uint32_t begin, end;  // contacts

    __device__ Work(const StepBlock& s, Shared& sh, unsigned block)
      : step(s)
      , shared(sh)
      , group(block << s.list.group_shift)
    {
      const std::uint32_t most = 1u << s.list.group_shift;
      size = s.n - group < most ? s.n - group : most;
      begin = s.list.first_owned[group];
      end = s.list.first_owned[group + size];
    }

    __device__ void load()
    {
      const std::uint32_t t = threadIdx.x;
      if (t < size)
      {
        shared.position[t] = step.state.position[group + t];
        shared.velocity[t] = step.state.velocity[group + t];
        shared.spin[t] = step.state.spin[group + t];
      }
      if (t == 0)
      {
        shared.piece = kNoPiece;
        shared.near_walls = 0;
      }
      __syncthreads();
      if (t < size && step.wall_row_of[group + t] != kNoRow && !isGone(shared.position[t].x))
        shared.near_wall[atomicAdd(&shared.near_walls, 1u)] = static_cast<std::uint8_t>(t);
      if (end - begin > 32 * kWords)
        acquire();
    }

    // Lists what touches, in the order of the contacts.
    __device__ void findContacts()
    {
      const std::uint32_t t = threadIdx.x, lane = t % 32;
      constexpr unsigned kRounds = 2;
      for (std::uint32_t base = begin; base < end; base += kRounds * kThreads)
      {
        std::uint32_t neighbor[kRounds], own[kRounds];
        std::uint8_t flags[kRounds];
        for (unsigned r = 0; r < kRounds; ++r)
        {
          const std::uint32_t contact = base + r * kThreads + t;
          neighbor[r] = contact < end ? step.sides.neighbor[contact] : 0;
          own[r] = contact < end ? step.sides.owner[contact] : 0;
          flags[r] = contact < end ? step.slots.flags[contact] : 0;
        }
        for (unsigned r = 0; r < kRounds; ++r)
        {
          const std::uint32_t contact = base + r * kThreads + t;
          bool touching = false;
          if (contact < end)
          {
            const Vec4<double> x = shared.position[inGroup(own[r])];
            touching = !isGone(x.x) && pairGeometry<Real>(step.law.box, x, position(neighbor[r] & ListView::kIndex)).touching();
            if (!touching && flags[r])
              step.slots.flags[contact] = 0;
          }
          const std::uint32_t vote = __ballot_sync(0xffffffffu, touching);
          if (lane == 0 && contact < end)
            votes((contact - begin) / 32) = vote;
        }
      }
      __syncthreads();
      const std::uint32_t words = (end - begin + 31) / 32;
      if (t < 32) // a warp adds up
      {
        std::uint32_t total = 0;
        for (std::uint32_t first = 0; first < words; first += 32)
        {
          const std::uint32_t word = first + t;
          const std::uint32_t count = word < words ? __popc(votes(word)) : 0;
          std::uint32_t sum = count;
          for (int d = 1; d < 32; d *= 2)
          {
            const std::uint32_t other = __shfl_up_sync(0xffffffffu, sum, d);
            sum += lane >= d ? other : 0;
          }
          if (word < words)
            before(word) = total + sum - count;
          total += __shfl_sync(0xffffffffu, sum, 31);
        }
        if (t == 0)
          shared.contacts = total;
      }
      __syncthreads();
      if (shared.contacts > kPlaces && shared.piece == kNoPiece)
        acquire();
      for (std::uint32_t k = t; k < end - begin; k += kThreads)
      {
        const std::uint32_t vote = votes(k / 32);
        if (vote >> lane & 1)
          touching(before(k / 32) + __popc(vote & ((1u << lane) - 1))) = k | (step.sides.neighbor[begin + k] & kLower);
      }
      __syncthreads();
    }

    __device__ void evaluateContacts()
    {
      LawView<Real> view = step.law;
      if constexpr (kPlain)
        view.law.knowPlain();
      const StateView<Real>& state = step.state;
      for (std::uint32_t c = threadIdx.x; c < shared.contacts; c += kThreads)
      {
        const std::uint32_t contact = begin + (touching(c) & ~kLower);
        const std::uint32_t entry = step.sides.neighbor[contact], j = entry & ListView::kIndex, other = j - group;
        const bool lower = entry & kLower;
        const std::uint32_t own = inGroup(step.sides.owner[contact]);
        const std::uint8_t flags = step.slots.flags[contact];
        const Vec4<double> xi = shared.position[own], xj = position(j);
        const Vec4<Real> vi = shared.velocity[own], vj = other < size ? shared.velocity[other] : state.velocity[j];
        const Vec4<Real> wi = shared.spin[own], wj = other < size ? shared.spin[other] : state.spin[j];
        // Seen from this side: the law is odd in all that changes sign with the sides, so its bits are those of the lower Id's view, in
        // which springs are kept.
        const Real sign(lower ? -1 : 1);
        ContactHistory<Real> history;
        if (flags & kTouching)
          history = loadHistory(view.law, step.slots.history, contact);
        turnSprings(history, sign);
        const PairGeometry<Real> g = pairGeometry<Real>(view.box, xi, xj);
        PairSides<Real> sides{ {}, {}, static_cast<Real>(xi.w), static_cast<Real>(xj.w), vi.w, vj.w, vi.xyz(), vj.xyz(), wi.xyz(), wj.xyz() };
        touch(sides, g.apart.template as<Real>(), static_cast<Real>(g.reach * g.reach - g.distance2), sign);
        const PairContact<Real> p =
          pairContact<true>(view.law, view.pair(wi.w, wj.w), sides, step.dt, !(flags & kTouching), history);
        turnSprings(history, sign);
        storeHistory(view.law, step.slots.history, contact, history);
        const auto now = static_cast<std::uint8_t>(kTouching | (history.sliding ? kSliding : 0));
        if (flags != now)
          step.slots.flags[contact] = now;
        const Real values[kValues] = { p.on_a.x, p.on_a.y, p.on_a.z, p.torque_a.x, p.torque_a.y, p.torque_a.z, p.torque_b.x, p.torque_b.y,
          p.torque_b.z, lower ? Real(0) : p.force.dissipated, lower ? Real(0) : p.force.stiffness_work };
        if (c < kPlaces)
          for (int k = 0; k < kValues; ++k)
            shared.load[k][c] = values[k];
        else
          for (int k = 0; k < kValues; ++k)
            spilled(k, c) = values[k];
        const double smaller = xi.w < xj.w ? xi.w : xj.w;
        if (!(p.overlap < 0.5 * smaller))
          atomicLower(&step.control->error, packError(step.batch_step, FailureKind::Overlap, state.id[lower ? j : group + own]));
      }
      for (std::uint32_t k = threadIdx.x; k < shared.near_walls; k += kThreads)
      {
        const std::uint32_t own = shared.near_wall[k], i = group + own;
        const WallLoad<Real> wall = nearWalls(step.wall_row_of[i], i, shared.position[own], shared.velocity[own], shared.spin[own]);
        shared.wall_force[own] = vec4(wall.load.force, Real(0));
        shared.wall_torque[own] = vec4(wall.load.torque, Real(0));
        state.energy[i] += wall.booked;
      }
      __syncthreads();
    }

    // Adds up what was done to each particle: neighbours with lower Ids, those with higher, walls.
    __device__ void moveParticles()
    {
      const std::uint32_t t = threadIdx.x, i = group + t;
      if (t >= size)
        return;
      const Vec4<double> x = shared.position[t];
      const Vec4<Real> v = shared.velocity[t], w = shared.spin[t];
      Load<Real> load;
      if (!isGone(x.x))
      {
        Load<Real> of_lower, of_higher;
        Real dissipated(0), stiffness_work(0);
        const std::uint32_t own_begin = step.list.first_owned[i], own_end = step.list.first_owned[i + 1];
        const std::uint32_t first = step.list.start(i), last = first + step.list.count[i];
        for (std::uint32_t slot = first; slot < last; ++slot)
        {
          const std::uint32_t contact = step.list.shared_contact[slot], k = contact - begin;
          const std::uint32_t vote = votes(k / 32);
          if (!(vote >> k % 32 & 1))
            continue;
          const std::uint32_t c = before(k / 32) + __popc(vote & ((1u << k % 32) - 1));
          const bool own = contact >= own_begin && contact < own_end; // else in the row of a lower Id
          const int torque = own ? 3 : 6;
          Real value[6], booked[2];
          if (c < kPlaces)
          {
            for (int k = 0; k < 3; ++k)
            {
              value[k] = shared.load[k][c];
              value[3 + k] = shared.load[torque + k][c];
            }
            booked[0] = shared.load[9][c];
            booked[1] = shared.load[10][c];
          }
          else
          {
            for (int k = 0; k < 3; ++k)
            {
              value[k] = spilled(k, c);
              value[3 + k] = spilled(torque + k, c);
            }
            booked[0] = spilled(9, c);
            booked[1] = spilled(10, c);
          }
          const Vec3<Real> f{ value[0], value[1], value[2] }, q{ value[3], value[4], value[5] };
          if (own && !(touching(c) & kLower))
          {
            of_higher.force += f;
            of_higher.torque += q;
          }
          else
          {
            of_lower.force += own ? f : -f;
            of_lower.torque += q;
          }
          if (own)
          {
            dissipated += booked[0];
            stiffness_work += booked[1];
          }
        }
        load.force = of_lower.force + of_higher.force;
        load.torque = of_lower.torque + of_higher.torque;
        if (step.wall_row_of[i] != kNoRow)
        {
          load.force += shared.wall_force[t].xyz();
          load.torque += shared.wall_torque[t].xyz();
        }
        if (dissipated != Real(0) || stiffness_work != Real(0))
        {
          step.state.energy[i].dissipated += dissipated;
          step.state.energy[i].stiffness_work += stiffness_work;
        }
      }
      step.move.move(i, x, v, w, load);
    }

    __device__ void release()
    {
      __syncthreads();
      if (threadIdx.x == 0 && shared.piece != kNoPiece)
      {
        __threadfence();
        atomicExch(&step.spill.locks[shared.piece], 0u);
      }
    }

  private:
    __device__ std::uint32_t inGroup(std::uint32_t owner) const { return owner & ((1u << step.list.group_shift) - 1); }

    __device__ Vec4<double> position(std::uint32_t j) const
    {
      return j - group < size ? shared.position[j - group] : step.state.position[j];
    }

    __device__ WallLoad<Real> nearWalls(
      std::uint32_t row, std::uint32_t i, const Vec4<double>& x, const Vec4<Real>& v, const Vec4<Real>& w) const
    {
      WallForces<Real> walls = step.walls;
      if constexpr (kPlain)
        walls.law.law.knowPlain();
      return walls(row, i, x, v, w);
    }

    // A piece of the pool, as soon as one is free. Who holds one needs nothing else to come to its end.
    __device__ void acquire()
    {
      if (threadIdx.x == 0)
      {
        std::uint32_t p = blockIdx.x % step.spill.pieces;
        while (atomicCAS(&step.spill.locks[p], 0u, 1u) != 0u)
          p = p + 1 < step.spill.pieces ? p + 1 : 0;
        __threadfence();
        shared.piece = p;
      }
      __syncthreads();
    }

    // In shared memory as far as it goes, then in the piece: votes and counts of words, contacts that touch, loads.
    __device__ std::uint32_t* pieceWords() const
    {
      const std::size_t bytes = pieceBytes(step.spill.contacts);
      return reinterpret_cast<std::uint32_t*>(step.spill.memory + shared.piece * bytes);
    }
    __device__ std::uint32_t& votes(std::uint32_t word) const { return word < kWords ? shared.votes[word] : pieceWords()[word]; }
    __device__ std::uint32_t& before(std::uint32_t word) const
    {
      return word < kWords ? shared.before[word] : pieceWords()[step.spill.contacts / 32 + 1 + word];
    }
    __device__ std::uint32_t& touching(std::uint32_t c) const
    {
      return c < kPlaces ? shared.touching[c] : pieceWords()[2 * (step.spill.contacts / 32 + 1) + c];
    }
    __device__ Real& spilled(int k, std::uint32_t c) const
    {
      const std::size_t words = (2 * (step.spill.contacts / 32 + 1) + step.spill.contacts + 1) / 2 * 2;
      return reinterpret_cast<Real*>(pieceWords() + words)[std::size_t(k) * step.spill.contacts + c];
    }

    __device__ static void turnSprings(ContactHistory<Real>& history, Real sign)
    {
      history.xi = sign * history.xi;
      history.roll = sign * history.roll;
    }
  };

public:
  /// Of a piece for so many contacts.
  __host__ __device__ static std::size_t pieceBytes(std::uint32_t contacts)
  {
    const std::size_t words = (2 * (std::size_t(contacts) / 32 + 1) + contacts + 1) / 2 * 2;
    return (words * sizeof(std::uint32_t) + std::size_t(kValues) * contacts * sizeof(Real) + 15) / 16 * 16;
  }
  /// Whether a group of so many contacts may need a piece.
  static bool maySpill(std::uint32_t contacts) { return contacts > kPlaces; }
};

} // namespace dem
