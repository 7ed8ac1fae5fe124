// A step of spheres on CUDA, in one launch: forces at the present positions, then the drift to the
// next ones. Used by SpheresOnCuda.cuh.
//
// - A warp takes the rows of up to 32 neighbouring particles. It tests their candidates 32 at a
//   time and evaluates the touching ones 32 at a time, so that no lane idles. Then each lane sums
//   the row of its particle.
// - Few particles do not fill a device. Then the data of candidates are read one round ahead, and
//   each candidate is evaluated as it is found.
// - Both sides of a contact evaluate it, with the same bits, so warps do not wait for each other.
//   If contacts are grouped, those between particles of the same warp are evaluated once.
// - Walls are the exception: warps in the first blocks evaluate them, and warps with particles near
//   walls wait for the loads. Devices start blocks in order, which CUB's scans also rely on.
#pragma once

#include "Core/CudaExec.cuh"
#include "Core/DeviceHints.cuh"
#include "Core/Warp.cuh"
#include "Forces/HeldForces.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"
#include "Forces/WallsOfWarp.cuh"
#include "Forces/WarpOfStep.cuh"
#include "Solver/Integrators/Drift.cuh"

namespace dem
{

/// Kernel functor of a step: forces and drift, or forces alone (`keeps`).
///
/// - `kPlain`: the options of the law are compile-time constants (LawParameters::isPlain).
/// - `kFew`: the particles do not fill the device, so the longest chain of dependent work limits
///   the step. Warps take fewer particles, and a lane takes one wall candidate. Data that only
///   rebuilds write, such as rows and their particles, are read before the previous step has ended.
///   The kernel before the first step of a batch may belong to a rebuild, so that step waits first.
/// - `kHeld`: there may be held forces.
/// - `kGrouped`: the contacts are grouped by the 32 particles of a warp (GroupedContacts). The warp
///   evaluates all contacts of its group, also those that do not touch. Each lane then reads the
///   contact numbers in its row and sums their loads.
template <class Real, bool kPlain, bool kFew, bool kGrouped, bool kHeld>
struct StepWarps
{
  static constexpr bool kAwaitsItself = kFew;
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kWarps = kThreads / 32;
  static constexpr int kResidentBlocks = sizeof(Real) == 4 ? (kFew ? 4 : 6) : 4;
  // Most contacts that a warp evaluates before it sums them. In a bed 32 grains have 160 contacts.
  static constexpr std::uint32_t kPlaces = kGrouped ? GroupedContacts::kContacts : 176;
  static constexpr std::uint32_t kRounds = 16; // most rounds of 32 candidates before that

  /// Touching candidates of a round of 32, as bits, and number of touching candidates before it.
  struct alignas(8) Round
  {
    unsigned votes;
    std::uint32_t before;
  };
  struct OfWarp
  {
    // Before evaluation, `first` is the vector between the particles and reach^2 - distance^2.
    // `second` is both radii, the entry, and the flags with the candidate's index. After
    // evaluation, `first` is the force on the particle of the row and the dissipated energy.
    // `second` is the torque and the stiffness work.
    Vec4<Real> first[kPlaces], second[kPlaces];
    Vec4<Real> velocity[32], spin[32];
    union
    {
      Round round[kRounds];
      // Overlaps of grouped contacts, m. Their `second` holds PairContact::lever, not a torque.
      Real overlap[kGrouped ? kPlaces : 1];
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
  bool walls_are_met; // an earlier launch, MeetSeams, has evaluated the walls
  const std::uint32_t* wall_row_of;
  Load<Real>* wall_loads; // of each wall row
  // Number of wall rows << 32, if the host has only read an upper bound of it; else null.
  const unsigned long long* wall_rows;
  unsigned* walls_met; // number of warps that have evaluated walls, in all launches
  unsigned walls_due;  // that number once this launch's wall warps are done
  Drift<Real, VelocityVerlet<Real>> drift;
  HeldForces held; // none without kHeld
  bool keeps;    // store the loads of the contacts in the state, and move nothing; never with kFew
  bool periodic; // some axis is periodic
  std::uint32_t n;
  unsigned shift;      // a warp takes 2^shift particles, at most 32
  unsigned wall_shift; // a wall warp takes 2^wall_shift wall rows
  // Groups of 2^shift particles that have a warp for each particle: output of FindCrowded.
  const std::uint32_t* crowded;
  std::uint32_t crowded_groups;
  Real dt;             // s
  unsigned batch_step; // of the forces, counted from the start of the batch
  Real* history[3];    // its first three columns

  /// Number of blocks of the launch.
  __host__ std::size_t blocks() const
  {
    return wallBlocks() + blocksFor(crowded_groups << shift) + blocksFor(groupsOf(n, shift));
  }
  /// Number of warps of this launch that evaluate walls.
  __host__ unsigned wallWarps() const { return wallBlocks() * kWarps; }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    if (kFew && batch_step == 0)
      detail::awaitEarlier();
    // Blocks that take longest come first: walls, then crowded groups, then all others.
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
    WarpOfStep<StepWarps, Real, kPlain, kFew, kGrouped, kHeld> work(
      *this, shared.of[threadIdx.x / 32], first, block < alone ? 1 : 1u << shift);
    if (!work.begins() || (crowded_groups && block >= alone && work.isCrowded()))
      return; // the same for all lanes
    Sums sums;
    work.meetNeighbors(sums);
    work.move(sums);
  }

private:
  template <class, class, bool, bool, bool, bool>
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

  static constexpr unsigned kWhole = 0xffffffffu; // all lanes of a warp

  // Reads data that a rebuild wrote. With kFew it is read before awaitEarlier(), so the read
  // bypasses the first-level cache, which may hold older values.
  template <class T>
  __device__ static T ofRebuild(const T* address)
  {
    if constexpr (kFew)
      return __ldcg(address);
    return *address;
  }

  // Returns false if the last rebuild ran out of list capacity. Kernels queued before the host
  // notices then return without reading the lists. Other kernels write this value, so the read
  // bypasses the first-level cache.
  __device__ bool listsFit() const { return counted(&control->stop_step) != 0; }

  // Number of wall rows, limited to the capacity of the wall list.
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

  // Evaluates the walls for 2^wall_shift rows, one lane a row, and stores their loads. Not inlined:
  // it would cost the pair loop registers.
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

  // As meetWalls(), with one wall candidate a lane.
  __device__ void meetWallsTogether(std::uint32_t warp, OfWarp& shared) const
  {
    const std::uint32_t lane = threadIdx.x % 32, first = warp << wall_shift, row = first + lane;
    // The list is read before the number of rows, so the index is limited to its capacity.
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
      announce(walls_met); // before the energies are booked, because other warps wait for it
    __syncwarp();
    state.books.book(blockIdx.x, booked);
  }

  /// Loads on a particle from neighbours with lower and with higher Ids.
  struct Sums
  {
    Load<Real> lower, higher;
    Real dissipated{}, stiffness_work{}; // J, of the contacts with higher Ids
  };
};

} // namespace dem
