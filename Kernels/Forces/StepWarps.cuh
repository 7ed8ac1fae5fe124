// A step on CUDA, in one launch: the forces at the present positions and the drift to the next. A
// warp takes the rows of up to 32 particles that lie together. It finds what touches among their
// candidates, 32 at a time, evaluates that 32 at a time, so that no lane idles, and then each
// particle adds up its own. Few particles do not fill a device: there what a candidate may need is
// read a round ahead, and it is evaluated as it is found. Both sides of a contact evaluate it, to
// the same bits, so no warp waits for another but for walls: they are met by warps of their own, in
// the first blocks, which a device starts first (CUB's scans rely on that too). Where contacts are
// grouped, those of a warp's own particles are evaluated once.
#pragma once

#include "Core/CudaExec.cuh"
#include "Core/DeviceHints.cuh"
#include "Core/Warp.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"
#include "Forces/WallsOfWarp.cuh"
#include "Forces/WarpOfStep.cuh"
#include "Solver/Integrators/Drift.cuh"

namespace dem
{

/// Where the load goes that a step's forces put on particle i: into the state.
template <class Real>
struct KeepLoads
{
  StateView<Real> state;

  __device__ void expect(std::uint32_t) const {}
  __device__ void move(std::uint32_t i, const Vec4<double>& x, const Vec4<Real>&, const Vec4<Real>&,
    const Load<Real>& load) const
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
    expectRead(&drift.state.velocity_rest[i]);
    expectRead(&drift.state.spin_rest[i]);
    expectRead(&drift.state.traveled[i]);
  }
  __device__ void move(std::uint32_t i, const Vec4<double>& x, const Vec4<Real>& v,
    const Vec4<Real>& w, const Load<Real>& load) const
  {
    drift.move(i, x, v, w, load);
  }
};

/// The forces of a step and what they do: `Move` keeps the loads or drifts. With `kPlain` the
/// options of the law are known to the compiler. With `kFew` particles the device is not filled,
/// and a step takes what its longest chain of dependent work takes: warps take fewer particles, and
/// walls are met a candidate a lane; what rebuilds alone write, the rows and who is in them, is
/// read before the step before has ended. A rebuild is further back, but for the first step of a
/// batch. With `kGrouped` the list's contacts are grouped, by the 32 particles of a warp: it
/// evaluates all of them, those that do not touch too, and each particle goes through its row, in
/// which are the numbers of its contacts.
template <class Real, bool kPlain, bool kFew, bool kGrouped, class Move>
struct StepWarps
{
  static constexpr bool kAwaitsItself = kFew;
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kWarps = kThreads / 32;
  static constexpr int kResidentBlocks = sizeof(Real) == 4 ? (kFew ? 4 : 6) : 4;
  // Contacts that a warp evaluates before it adds them up: 160 touch 32 grains in a bed.
  static constexpr std::uint32_t kPlaces = kGrouped ? GroupedContacts::kContacts : 176;
  static constexpr std::uint32_t kRounds = 16; // of 32 candidates, before that

  /// What touched among 32 candidates, and how many did before.
  struct alignas(8) Round
  {
    unsigned votes;
    std::uint32_t before;
  };
  struct OfWarp
  {
    // A contact as it is found: what lies between its particles, reach^2 - distance^2; both radii,
    // its entry, what else is known. Then what it does to the particle of its row: force,
    // dissipated; torque, stiffness work.
    Vec4<Real> first[kPlaces], second[kPlaces];
    Vec4<Real> velocity[32], spin[32];
    union
    {
      Round round[kRounds];
      Real overlap[kGrouped ? kPlaces : 1]; // of grouped contacts, of which `second` has the lever
                                            // in place of a torque
    };
    Vec4<double> position[32];
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
  bool walls_are_met; // by a launch before this one, MeetSeams
  const std::uint32_t* wall_row_of;
  Load<Real>* wall_loads;              // of each row
  const unsigned long long* wall_rows; // those that there are << 32, where the host knows no more
                                       // than how many there may be; or null
  unsigned* walls_met;                 // how many warps have met walls, of all launches
  unsigned walls_due;                  // as many when those of this launch have
  Move mover;
  bool periodic; // some axis
  std::uint32_t n;
  unsigned shift;               // a warp takes 2^shift particles, 32 at most,
  unsigned wall_shift;          // or 2^wall_shift of those near walls
  const std::uint32_t* crowded; // groups of so many whose particles have a warp each: FindCrowded
  std::uint32_t crowded_groups;
  Real dt;
  unsigned batch_step; // of the forces
  Real* history[3];    // the first columns of it

  __host__ std::size_t blocks() const
  {
    return wallBlocks() + blocksFor(crowded_groups << shift) + blocksFor(groupsOf(n, shift));
  }
  /// Warps of this launch that meet walls.
  __host__ unsigned wallWarps() const { return wallBlocks() * kWarps; }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    if (kFew && batch_step == 0)
      detail::awaitEarlier();
    // those that take longest first
    if (block < wallBlocks())
    {
      if constexpr (kFew)
        return meetWallsTogether(block * kWarps + threadIdx.x / 32, shared.of[threadIdx.x / 32]);
      else
        return meetWalls(block * kWarps + threadIdx.x / 32);
    }
    block -= wallBlocks();
    const unsigned alone = blocksFor(crowded_groups << shift);
    const std::uint32_t warp = (block < alone ? block : block - alone) * kWarps + threadIdx.x / 32;
    std::uint32_t first = warp << shift;
    if (block < alone)
      first = warp >> shift < crowded_groups
        ? (ofRebuild(crowded + (warp >> shift)) << shift) + (warp & ((1u << shift) - 1))
        : n;
    if (first >= n)
      return;
    WarpOfStep<StepWarps, Real, kPlain, kFew, kGrouped> work(
      *this, shared.of[threadIdx.x / 32], first, block < alone ? 1 : 1u << shift);
    if (!work.begins() || (crowded_groups && block >= alone && work.isCrowded()))
      return; // all lanes agree
    Sums sums;
    work.meetNeighbors(sums);
    work.move(sums);
  }

private:
  template <class, class, bool, bool, bool>
  friend struct WarpOfStep;

  __host__ __device__ static unsigned blocksFor(std::uint32_t warps)
  {
    return (warps + kWarps - 1) / kWarps;
  }
  __host__ __device__ static unsigned groupsOf(std::uint32_t count, unsigned of)
  {
    return (count + (1u << of) - 1) >> of;
  }
  __host__ __device__ unsigned wallBlocks() const
  {
    return blocksFor(groupsOf(walls_are_met ? 0 : walls.list.rows, wall_shift));
  }

  static constexpr unsigned kWhole = 0xffffffffu; // warp

  // What a rebuild wrote: few read it before they have awaited anything, so past the first cache.
  template <class T>
  __device__ static T ofRebuild(const T* address)
  {
    if constexpr (kFew)
      return __ldcg(address);
    return *address;
  }

  // Whether there was room for the lists. A batch that begins with one that did not fit computes
  // nothing; who does not know that yet reads nothing by what it says. Others write there, so the
  // look leaves the first cache as it is.
  __device__ bool listsFit() const { return counted(&control->stop_step) != 0; }

  // The rows of particles near walls: no more than there is room for.
  __device__ std::uint32_t wallRows() const
  {
    if (!wall_rows)
      return walls.list.rows;
    const auto there_are =
      static_cast<std::uint32_t>((kFew ? counted(wall_rows) : *wall_rows) >> 32);
    return there_are < walls.list.rows ? there_are : walls.list.rows;
  }

  __device__ WallForces<Real> knownWalls() const
  {
    WallForces<Real> known = walls;
    if constexpr (kPlain)
      known.law.law.knowPlain();
    return known;
  }

  // The walls' load on 2^wall_shift particles near them. Inlined, it would take registers from
  // those who meet neighbours.
  __device__ DEM_NOINLINE void meetWalls(std::uint32_t warp) const
  {
    const std::uint32_t lane = threadIdx.x % 32, first = warp << wall_shift, row = first + lane,
                        rows = wallRows();
    if (!control->forceHalted(batch_step) && first < rows)
    {
      EnergySums booked;
      const bool own = lane >> wall_shift == 0 && row < rows;
      const std::uint32_t i = walls.list.particle[own ? row : first];
      const Vec4<double> x = state.position[i];
      const Vec4<Real> v = state.velocity[i], w = state.spin[i];
      if (own && !isGone(x.x))
        wall_loads[row] = knownWalls()(row, i, x, v, w, booked);
      __syncwarp();
      state.books.book(blockIdx.x, booked);
    }
    __syncwarp();
    if (lane == 0)
      announce(walls_met);
  }

  // The same a candidate a lane.
  __device__ void meetWallsTogether(std::uint32_t warp, OfWarp& shared) const
  {
    const std::uint32_t lane = threadIdx.x % 32, first = warp << wall_shift, row = first + lane;
    // what is asked before it is known how many rows there are
    const std::uint32_t asked = row < walls.list.rows ? row : walls.list.rows - 1;
    const std::uint32_t i = ofRebuild(walls.list.particle + asked),
                        begin = ofRebuild(walls.list.start + asked),
                        end = ofRebuild(walls.list.start + asked + 1);
    const bool fit = listsFit();
    const bool own = lane >> wall_shift == 0 && row < wallRows() && fit;
    const std::uint32_t rows = __popc(__ballot_sync(kWhole, own));
    const WallsOfWarp<Real> together{ knownWalls(), first, begin, own ? end - begin : 0,
      shared.position, shared.velocity, shared.spin, wall_loads };
    const typename WallsOfWarp<Real>::Turn turn = together.turn(0, rows);
    detail::awaitEarlier();
    EnergySums booked;
    if (rows && !control->forceHalted(batch_step))
    {
      bool there = false;
      if (own)
      {
        const Vec4<double> x = state.position[i];
        const Vec4<Real> v = state.velocity[i], w = state.spin[i];
        there = !isGone(x.x);
        shared.position[lane] = x;
        shared.velocity[lane] = v;
        shared.spin[lane] = w;
      }
      __syncwarp();
      together(rows, turn, there, booked);
    }
    __syncwarp();
    if (lane == 0)
      announce(walls_met); // first: others wait
    __syncwarp();
    state.books.book(blockIdx.x, booked);
  }

  /// What was done to a particle: by neighbours with lower Ids, by those with higher.
  struct Sums
  {
    Load<Real> lower, higher;
    Real dissipated{}, stiffness_work{}; // of the contacts with higher
  };
};

} // namespace dem
