// Pair forces on CUDA: a block of threads takes a group of particles and shares out what is to do evenly, first their candidates, then
// those that touch, then the particles. Both sides of a pair evaluate it: cheaper than to pass its force through memory. Only nvcc
// reads this file.
#pragma once

#include "Solver/detail/Step.cuh"

namespace dem
{

/// The load on each particle: its pair contacts in ascending neighbour Id, then what the walls left. With `kPlain` the options of the law
/// are known to the compiler. kGroup particles a block.
template <class Real, bool kPlain, unsigned kGroup>
struct PairForces
{
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kChunk = (sizeof(Real) == 4 ? 4 : 2) * kThreads; // candidates at a time
  static constexpr int kResidentBlocks = sizeof(Real) == 4 ? 6 : 2;

  struct Shared
  {
    Vec4<double> position[kGroup];
    Vec4<Real> velocity[kGroup], spin[kGroup];
    Real load[8][kChunk]; // force, torque, dissipated, stiffness work of each contact
    std::uint32_t entry[kChunk];
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
  const std::uint8_t* owner; // of each slot: its particle, modulo 128
  ContactSlots<Real> slots;
  const std::uint32_t* wall_row_of;
  std::uint32_t n;
  Real dt;
  unsigned batch_step;

  __device__ void operator()(unsigned block, Shared& shared) const
  {
    if (control->forceHalted(batch_step))
      return;
    const std::uint32_t group = block * kGroup, t = threadIdx.x;
    const std::uint32_t size = n - group < kGroup ? n - group : kGroup;
    const std::uint32_t i = group + t;
    const bool mine = t < size;
    if (mine)
    {
      shared.position[t] = state.position[i];
      shared.velocity[t] = state.velocity[i];
      shared.spin[t] = state.spin[i];
    }
    const std::uint32_t row_begin = mine ? list.start(i) : 0u, row_end = mine ? row_begin + list.count[i] : 0u;
    const std::uint32_t slot_begin = list.start(group), slot_end = list.start(group + size - 1) + list.count[group + size - 1];

    Real sum[8] = {};
    for (std::uint32_t base = slot_begin; base < slot_end; base += kChunk)
    {
      __syncthreads(); // the state is there; the last chunk's loads are added
      findContacts(shared, base, slot_end);
      for (std::uint32_t c = t; c < shared.contacts; c += kThreads)
        evaluate(shared, group, base, c);
      __syncthreads();
      if (mine)
      {
        const std::uint32_t end = shared.before[place(row_end, base)];
        for (std::uint32_t c = shared.before[place(row_begin, base)]; c < end; ++c)
          for (int k = 0; k < 8; ++k)
            sum[k] += shared.load[k][c];
      }
    }
    if (!mine || isGone(state.position[i].x))
      return;
    if (sum[6] != Real(0) || sum[7] != Real(0))
    {
      EnergyAccount& account = state.energy[i];
      account.dissipated += sum[6];
      account.stiffness_work += sum[7];
    }
    Vec3<Real> force{ sum[0], sum[1], sum[2] }, torque{ sum[3], sum[4], sum[5] };
    if (wall_row_of[i] != kNoRow)
    {
      force += state.force[i].xyz();
      torque += state.torque[i].xyz();
    }
    state.force[i] = vec4(force, Real(0));
    state.torque[i] = vec4(torque, Real(0));
  }

private:
  __device__ static std::uint32_t place(std::uint32_t slot, std::uint32_t base)
  {
    return slot < base ? 0u : (slot - base < kChunk ? slot - base : kChunk);
  }

  // Lists what touches among the chunk's candidates, in their order.
  __device__ void findContacts(Shared& shared, std::uint32_t base, std::uint32_t slot_end) const
  {
    constexpr unsigned kRounds = kChunk / kThreads;
    const std::uint32_t t = threadIdx.x, lane = t % 32, warp = t / 32;
    std::uint32_t votes[kRounds];
    for (unsigned r = 0; r < kRounds; ++r)
    {
      const std::uint32_t k = r * kThreads + t, slot = base + k;
      bool touching = false;
      if (slot < slot_end)
      {
        const std::uint32_t entry = list.entries[slot], own = owner[slot] % kGroup;
        const std::uint8_t flags = slots.flags[slot];
        const Vec4<double> x = shared.position[own];
        touching = !isGone(x.x) &&
          pairGeometry<Real>(law.box, x, state.position[entry & ListView::kIndex]).touching();
        if (!touching && flags)
          slots.flags[slot] = 0;
        shared.entry[k] = entry;
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
    const std::uint32_t k = shared.contact[c], slot = base + k;
    const std::uint32_t entry = shared.entry[k], own = shared.owner[k];
    const std::uint32_t j = entry & ListView::kIndex;
    const bool lower = entry & ListView::kLowerId; // the neighbour is a
    const std::uint8_t flags = shared.flags[k];
    const Vec4<double> xj = state.position[j];
    const Vec4<Real> vj = state.velocity[j], wj = state.spin[j];
    ContactHistory<Real> history;
    if (flags & kTouching)
      history = loadHistory(view.law, slots.history, slot);
    const Vec4<double> xi = shared.position[own];
    const Vec4<Real> vi = shared.velocity[own], wi = shared.spin[own];
    const Vec4<double> xa = pick(lower, xj, xi), xb = pick(lower, xi, xj);
    const PairContact<Real> p = pairContact<true>(view, pairGeometry<Real>(view.box, xa, xb), xa, xb, pick(lower, vj, vi),
      pick(lower, vi, vj), pick(lower, wj, wi), pick(lower, wi, wj), dt, !(flags & kTouching), history);
    storeHistory(view.law, slots.history, slot, history);
    const auto now = static_cast<std::uint8_t>(kTouching | (history.sliding ? kSliding : 0));
    if (flags != now)
      slots.flags[slot] = now;
    const Vec3<Real> force = lower ? -p.on_a : p.on_a, torque = lower ? p.torque_b : p.torque_a;
    shared.load[0][c] = force.x;
    shared.load[1][c] = force.y;
    shared.load[2][c] = force.z;
    shared.load[3][c] = torque.x;
    shared.load[4][c] = torque.y;
    shared.load[5][c] = torque.z;
    shared.load[6][c] = lower ? Real(0) : p.force.dissipated;
    shared.load[7][c] = lower ? Real(0) : p.force.stiffness_work;
    const double smaller = xi.w < xj.w ? xi.w : xj.w;
    if (!(p.overlap < 0.5 * smaller))
      atomicLower(&control->error, packError(batch_step, FailureKind::Overlap, state.id[group + own]));
  }
};

} // namespace dem
