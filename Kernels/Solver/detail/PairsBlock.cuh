// The forces of a step on CUDA, in one launch. Some blocks take the particles near walls, one a thread. The others take a group of
// particles each and share out what is to do evenly, first the contacts that may be, then those that are, then the particles. Each pair is
// evaluated once, by the group of its lower Id; the other particle finds the record. Only nvcc reads this file.
#pragma once

#include "Solver/detail/Step.cuh"

namespace dem
{

/// What the contacts that a group's particles own do to them, in ascending neighbour Id, and the records for the others. With `kPlain` the
/// options of the law are known to the compiler. kGroup particles a block.
template <class Real, bool kPlain, unsigned kGroup>
struct PairForces
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kChunk = (sizeof(Real) == 4 ? 4 : 2) * kThreads; // contacts at a time

  struct Shared
  {
    Vec4<double> position[kGroup];
    Vec4<Real> velocity[kGroup], spin[kGroup];
    std::uint32_t slots_before[kGroup]; // from the number of a contact to its slot
    Real load[8][kChunk];               // force, torque, dissipated, stiffness work of each contact
    std::uint32_t partner[kChunk];
    std::uint16_t contact[kChunk];    // what touches: place in the chunk
    std::uint16_t before[kChunk + 1]; // contacts before each place
    std::uint8_t owner[kChunk], flags[kChunk];
    std::uint32_t warp_count[kChunk / 32];
    std::uint32_t contacts;
  };

  StateView<Real> state;
  StepControl* control;
  LawView<Real> law;
  ListView list;
  const std::uint8_t* owner; // of each contact: its particle, modulo 128
  ContactSlots<Real> slots;
  PairRecord<Real>* records;
  std::uint32_t n;
  Real dt;
  unsigned batch_step;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    const std::uint32_t group = block * kGroup, t = threadIdx.x;
    const std::uint32_t size = n - group < kGroup ? n - group : kGroup;
    const std::uint32_t i = group + t;
    const bool mine = t < size;
    std::uint32_t own_begin = 0, own_end = 0;
    if (mine)
    {
      own_begin = list.first_owned[i];
      own_end = list.first_owned[i + 1];
      shared.position[t] = state.position[i];
      shared.velocity[t] = state.velocity[i];
      shared.spin[t] = state.spin[i];
      shared.slots_before[t] = list.start(i) + list.count[i] - own_end;
    }
    const std::uint32_t begin = list.first_owned[group], end = list.first_owned[group + size];

    Real sum[8] = {};
    for (std::uint32_t base = begin; base < end; base += kChunk)
    {
      __syncthreads(); // the state is there; the last chunk's loads are added
      findContacts(shared, base, end);
      for (std::uint32_t c = t; c < shared.contacts; c += kThreads)
        evaluate(shared, group, base, c);
      __syncthreads();
      if (mine)
      {
        const std::uint32_t last = shared.before[place(own_end, base)];
        for (std::uint32_t c = shared.before[place(own_begin, base)]; c < last; ++c)
          for (int k = 0; k < 8; ++k)
            sum[k] += shared.load[k][c];
      }
    }
    EnergySum dissipated, stiffness_work; // none of who has left
    dissipated.add(sum[6] * state.books.per_joule);
    stiffness_work.add(sum[7] * state.books.per_joule);
    state.books.book(block, BookedEnergy::Dissipated, dissipated);
    state.books.book(block, BookedEnergy::StiffnessWork, stiffness_work);
    if (!mine || isGone(shared.position[t].x))
      return;
    state.force[i] = { sum[0], sum[1], sum[2], Real(0) };
    state.torque[i] = { sum[3], sum[4], sum[5], Real(0) };
  }

private:
  __device__ static std::uint32_t place(std::uint32_t contact, std::uint32_t base)
  {
    return contact < base ? 0u : (contact - base < kChunk ? contact - base : kChunk);
  }

  // Lists what touches among the chunk's contacts, in their order.
  __device__ void findContacts(Shared& shared, std::uint32_t base, std::uint32_t end) const
  {
    constexpr unsigned kRounds = kChunk / kThreads;
    const std::uint32_t t = threadIdx.x, lane = t % 32, warp = t / 32;
    std::uint32_t votes[kRounds];
    for (unsigned r = 0; r < kRounds; ++r)
    {
      const std::uint32_t k = r * kThreads + t, contact = base + k;
      bool touching = false;
      if (contact < end)
      {
        const std::uint32_t own = owner[contact] % kGroup;
        const std::uint32_t partner = list.entries[contact + shared.slots_before[own]];
        const std::uint8_t flags = slots.flags[contact];
        const Vec4<double> x = shared.position[own];
        touching = !isGone(x.x) && pairGeometry<Real>(law.box, x, state.position[partner]).touching();
        if (!touching && flags)
        {
          slots.flags[contact] = 0;
          records[contact] = {};
        }
        shared.partner[k] = partner;
        shared.owner[k] = static_cast<std::uint8_t>(own);
        shared.flags[k] = flags;
      }
      votes[r] = __ballot_sync(0xffffffffu, touching);
      if (lane == 0)
        shared.warp_count[r * (kThreads / 32) + warp] = __popc(votes[r]);
    }
    __syncthreads();
    if (t == 0)
    {
      std::uint32_t total = 0;
      for (unsigned w = 0; w < kChunk / 32; ++w)
      {
        const std::uint32_t count = shared.warp_count[w];
        shared.warp_count[w] = total;
        total += count;
      }
      shared.contacts = total;
      shared.before[kChunk] = static_cast<std::uint16_t>(total);
    }
    __syncthreads();
    for (unsigned r = 0; r < kRounds; ++r)
    {
      const std::uint32_t k = r * kThreads + t;
      const std::uint32_t c = shared.warp_count[r * (kThreads / 32) + warp] + __popc(votes[r] & ((1u << lane) - 1));
      shared.before[k] = static_cast<std::uint16_t>(c);
      if (votes[r] >> lane & 1)
        shared.contact[c] = static_cast<std::uint16_t>(k);
    }
    __syncthreads();
  }

  __device__ void evaluate(Shared& shared, std::uint32_t group, std::uint32_t base, std::uint32_t c) const
  {
    LawView<Real> view = law;
    if constexpr (kPlain)
      view.law.knowPlain();
    const std::uint32_t k = shared.contact[c], contact = base + k;
    const std::uint32_t own = shared.owner[k], j = shared.partner[k];
    const std::uint8_t flags = shared.flags[k];
    const Vec4<double> xj = state.position[j];
    const Vec4<Real> vj = state.velocity[j], wj = state.spin[j];
    ContactHistory<Real> history;
    if (flags & kTouching)
      history = loadHistory(view.law, slots.history, contact);
    const Vec4<double> xi = shared.position[own];
    const PairContact<Real> p = pairContact<true>(view, pairGeometry<Real>(view.box, xi, xj), xi, xj, shared.velocity[own], vj,
      shared.spin[own], wj, dt, !(flags & kTouching), history);
    storeHistory(view.law, slots.history, contact, history);
    const auto now = static_cast<std::uint8_t>(kTouching | (history.sliding ? kSliding : 0));
    if (flags != now)
      slots.flags[contact] = now;
    records[contact] = { vec4(p.on_a, Real(0)), vec4(p.torque_b, Real(0)) };
    const Real load[8] = { p.on_a.x, p.on_a.y, p.on_a.z, p.torque_a.x, p.torque_a.y, p.torque_a.z, p.force.dissipated,
      p.force.stiffness_work };
    for (int l = 0; l < 8; ++l)
      shared.load[l][c] = load[l];
    const double smaller = xi.w < xj.w ? xi.w : xj.w;
    if (!(p.overlap < 0.5 * smaller))
      atomicLower(&control->error, packError(batch_step, FailureKind::Overlap, state.id[group + own]));
  }
};

/// Walls and pairs side by side: neither waits for the other.
template <class Real, bool kPlain, unsigned kGroup>
struct StepForces
{
  using Pairs = PairForces<Real, kPlain, kGroup>;
  using Shared = typename Pairs::Shared;
  static constexpr unsigned kThreads = Pairs::kThreads;
  static constexpr int kResidentBlocks = sizeof(Real) == 4 ? 6 : 2;

  Pairs pairs;
  WallForces<Real> walls;

  __host__ unsigned blocks() const { return wallBlocks() + (pairs.n + kGroup - 1) / kGroup; }

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    if (pairs.control->forceHalted(pairs.batch_step))
      return;
    if (block >= wallBlocks())
      return pairs(block - wallBlocks(), shared);
    const std::uint32_t row = block * kThreads + threadIdx.x;
    WallForces<Real> near_walls = walls;
    if constexpr (kPlain)
      near_walls.law.law.knowPlain();
    if (row < near_walls.list.rows)
      near_walls(row);
  }

private:
  __host__ __device__ unsigned wallBlocks() const { return (walls.list.rows + kThreads - 1) / kThreads; }
};

} // namespace dem
