// The part of a CUDA step that one warp executes: it evaluates the pairs of up to 32 particles and
// moves the particles. Used by StepWarps.cuh.
#pragma once

#include "Core/CudaExec.cuh"
#include "Core/DeviceHints.cuh"
#include "Core/Warp.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WarpNumbers.cuh"
#include "NeighborList/BuildList.cuh"

namespace dem
{

/// Finds the touching candidates of up to 32 particles, evaluates their contacts, and sums the
/// loads of each particle. `Step` is the StepWarps that launched it. All lanes of a warp must call
/// the public member functions together. Sums follow the order of the rows, so the result is
/// deterministic.
template <class Step, class Real, bool kPlain, bool kFew, bool kGrouped, bool kHeld>
struct WarpOfStep
{
  using OfWarp = typename Step::OfWarp;
  using Round = typename Step::Round;
  using Sums = typename Step::Sums;
  using Numbers = WarpNumbers<Real>;
  static constexpr std::uint32_t kPlaces = Step::kPlaces, kRounds = Step::kRounds;
  static constexpr unsigned kWhole = 0xffffffffu;             // all lanes of a warp
  static constexpr std::uint32_t kSumPlaces = 64;             // places that store unfinished sums
  static constexpr std::uint32_t kLower = ListView::kLowerId; // the other particle has the lower Id

  static constexpr unsigned kAtOnce = 2; // rounds of candidates that are read at the same time
  struct Candidates
  {
    std::uint32_t entry[kAtOnce], flags[kAtOnce];
    Vec4<double> place[kAtOnce];
  };
  /// A candidate with all data that the plain law needs to evaluate it.
  struct Candidate
  {
    std::uint32_t entry, flags;
    Vec4<double> place;
    Vec4<Real> velocity, spin;
    Vec3<Real> xi;
  };
  /// Number of rounds of 32 candidates that were tested, and number of touching candidates.
  struct Found
  {
    std::uint32_t rounds = 0, count = 0;
  };
  struct Particle
  {
    Vec4<double> x;
    Vec4<Real> v, w;
  };

  const Step& step;
  OfWarp& shared;
  std::uint32_t group, lane;
  std::uint32_t begin = 0, end = 0; // slots of this lane's row
  std::uint32_t wall_row = kNoRow;
  bool own, gone = false; // this lane has a particle; the particle has left
  // This lane's first candidate, and the entry of its second one. With kFew they are read before it
  // is decided whether the step runs. With kGrouped only entry and flags of the first are read.
  Candidate ahead;
  std::uint32_t entry_after;
  std::uint32_t counts = GroupedContacts::kAsTheyAre; // GroupedContacts::counts of the group

  // The warp takes at most `most` particles, from index `g` on. With kFew the constructor reads
  // only data that rebuilds write, because the previous step may still be running.
  __device__ WarpOfStep(const Step& s, OfWarp& sh, std::uint32_t g, std::uint32_t most)
    : step(s)
    , shared(sh)
    , group(g)
    , lane(threadIdx.x % 32)
  {
    const std::uint32_t i = group + lane;
    own = lane < most && i < step.n;
    const bool fit = !kFew || step.listsFit();
    if constexpr (kGrouped)
    {
      // The first contacts are read before the number of contacts is available, to hide the
      // latency.
      const std::uint32_t contact = GroupedContacts::firstOf(group) + lane;
      counts = most == 32 ? step.list.groups.counts[group / 32] : GroupedContacts::kAsTheyAre;
      ahead.entry = loadOfRun(step.list.entries + contact);
      ahead.flags = step.slots.flags[contact];
    }
    if (own)
    {
      end = Step::ofRebuild(step.list.count + i);
      wall_row = Step::ofRebuild(step.wall_row_of + i);
      if constexpr (!kGrouped)
        begin = Step::ofRebuild(step.list.row_start + i);
      else
        expectRead(step.list.groups.rows + i);
      if constexpr (!kFew)
        keep(readParticle());
      if (counts & GroupedContacts::kAsTheyAre)
      {
        if constexpr (kGrouped)
          begin = step.list.row_start[i];
        end += begin;
      }
    }
    if constexpr (kFew)
    {
      if (!fit) // the same for all lanes
        begin = end = 0;
      const std::uint32_t slot = firstCandidate() + lane, last = lastCandidate();
      ahead.entry = readEntry(slot, last);
      entry_after = readEntry(slot + 32, last);
    }
  }

  // Whether the rows are too long for one warp; then each particle has a warp of its own.
  __device__ bool isCrowded() const
  {
    return FindCrowded::isCrowded(lastCandidate() - firstCandidate(), step.shift);
  }

  // Returns whether the step runs. With kFew it waits for the previous step first, and then issues
  // all reads of that step's results together.
  __device__ bool begins()
  {
    if constexpr (!kFew)
      return !step.control->forceHalted(step.batch_step);
    detail::awaitEarlier();
    Particle self{};
    if (own)
      self = readParticle();
    readCandidate(firstCandidate() + lane, lastCandidate(), ahead);
    // A return here would be a predicated exit, and the compiler delays the reads past it.
    const bool runs = !step.control->forceHalted(step.batch_step);
    if (own && runs)
      keep(self);
    return runs;
  }

  // Evaluates all contacts of the warp's rows, and adds their loads to `sums` of this lane.
  __device__ void meetNeighbors(Sums& sums)
  {
    LawView<Real> view = step.law;
    if constexpr (kPlain)
      view.law.knowPlain();
    __syncwarp(); // all lanes read the stored positions of the group
    if constexpr (kGrouped)
      if (!(counts & GroupedContacts::kAsTheyAre))
      {
        if (view.materials == 1)
          evaluateGroup<true>(view);
        else
          evaluateGroup<false>(view);
        __syncwarp();
        return addGroup(sums);
      }
    std::uint32_t next = firstCandidate();
    const std::uint32_t last = lastCandidate();
    for (bool again = false;; again = true)
    {
      const std::uint32_t places = again ? kPlaces - kSumPlaces : kPlaces;
      const Found found = view.materials == 1
        ? findAndEvaluate<true>(view, next, last, places, again)
        : findAndEvaluate<false>(view, next, last, places, again);
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

  // Adds the wall loads, moves this lane's particle or stores its load, and books the energies.
  __device__ void move(const Sums& sums)
  {
    // With kFew the energies are booked before the drift, which hides the latency of the atomics.
    // Otherwise they are booked after it, which saves registers.
    EnergyBooks::Entry booked{};
    if (kFew)
      booked = book(sums);
    EnergySum held_work;
    const std::uint32_t i = group + lane;
    const bool near = wall_row != kNoRow && !gone;
    if (__any_sync(kWhole, near))
      awaitWalls();
    if (own)
    {
      Load<Real> load{ sums.lower.force + sums.higher.force,
        sums.lower.torque + sums.higher.torque };
      if (near)
      {
        const Real* of_walls = &step.wall_loads[wall_row].force.x;
        load.force += Vec3<Real>{ __ldcg(of_walls), __ldcg(of_walls + 1), __ldcg(of_walls + 2) };
        load.torque +=
          Vec3<Real>{ __ldcg(of_walls + 3), __ldcg(of_walls + 4), __ldcg(of_walls + 5) };
      }
      if (!kFew && step.keeps)
        keepLoad(i, load);
      else
      {
        const Vec4<Real>& v = shared.velocity[i % 32];
        if (kHeld && step.held && !gone)
          held_work = step.held.addTo(load.force, i, v.xyz(), static_cast<double>(step.dt));
        step.drift.move(i, shared.position[i % 32], v, shared.spin[i % 32], load);
      }
    }
    __syncwarp();
    if (kHeld && step.held)
      step.held.work.book(blockIdx.x, BookedEnergy::WallWork, held_work);
    if (!kFew)
      booked = book(sums);
    EnergyBooks::finish(booked);
  }

private:
  __device__ EnergyBooks::Entry book(const Sums& sums) const
  {
    return step.state.books.beginOfWarp(blockIdx.x, sums.dissipated, sums.stiffness_work);
  }

  // Reads the state of this lane's particle; keep() stores it in shared memory.
  __device__ Particle readParticle() const
  {
    const std::uint32_t i = group + lane;
    const Particle self{ placeAt(step.state.position + i), step.state.velocity[i],
      step.state.spin[i] };
    if (kFew || !step.keeps) // what the drift reads and the force loop does not
    {
      expectRead(&step.state.velocity_rest[i]);
      expectRead(&step.state.spin_rest[i]);
      expectRead(&step.state.traveled[i]);
    }
    return self;
  }
  __device__ void keepLoad(std::uint32_t i, const Load<Real>& load) const
  {
    if (gone)
      return;
    step.state.force[i] = vec4(load.force, Real(0));
    step.state.torque[i] = vec4(load.torque, Real(0));
  }
  __device__ void keep(const Particle& self)
  {
    const std::uint32_t at = (group + lane) % 32;
    gone = isGone(self.x.x);
    putPlace(shared.position + at, self.x);
    shared.velocity[at] = self.v;
    shared.spin[at] = self.w;
  }

  // Waits until all wall warps of this launch have stored their loads. The wait ends: wall warps
  // are in the first blocks, which the device starts before this one.
  __device__ void awaitWalls() const
  {
    if (lane == 0)
    {
      while (static_cast<int>(counted(step.walls_met) - step.walls_due) < 0)
        __nanosleep(100);
      announced(step.walls_met);
    }
    __syncwarp();
  }

  __device__ std::uint32_t firstCandidate() const { return __shfl_sync(kWhole, begin, 0); }
  __device__ std::uint32_t lastCandidate() const { return maxOfWarp(end); }

  // Reads 32 bytes in two halves. The first-level cache has eight banks of 16 bytes. If all lanes
  // began with the first half, four banks would idle, so every other four lanes begin with the
  // second.
  __device__ Vec4<double> placeAt(const Vec4<double>* from) const
  {
    const unsigned second = lane >> 2 & 1u;
    const double2 a = ptx::halfOf<double2>(from, second),
                  b = ptx::halfOf<double2>(from, second ^ 1u);
    return { second ? b.x : a.x, second ? b.y : a.y, second ? a.x : b.x, second ? a.y : b.y };
  }
  __device__ void putPlace(Vec4<double>* to, const Vec4<double>& x) const
  {
    double2* const half = reinterpret_cast<double2*>(to);
    const unsigned second = lane >> 2 & 1u;
    half[second] = second ? double2{ x.z, x.w } : double2{ x.x, x.y };
    half[second ^ 1u] = second ? double2{ x.x, x.y } : double2{ x.z, x.w };
  }

  // Tests candidates from `next` on until `places` contacts are stored, and evaluates those that
  // touch. `again`: it is not the first call for this warp. With `kOneMaterial` the coefficients
  // are not looked up by material.
  template <bool kOneMaterial>
  __device__ Found findAndEvaluate(const LawView<Real>& view, std::uint32_t next,
    std::uint32_t last, std::uint32_t places, bool again)
  {
    if constexpr (kFew)
    {
      if (again)
      {
        ahead.entry = readEntry(next + lane, last);
        entry_after = readEntry(next + lane + 32, last);
        readCandidate(next + lane, last, ahead);
      }
      return evaluateAsFound<kOneMaterial>(view, next, last, places);
    }
    else
    {
      const Found found = find(view, next, last, places);
      __syncwarp();
      for (std::uint32_t k = lane; k < found.count; k += 32)
        evaluateFound<kOneMaterial>(view, next, k);
      return found;
    }
  }

  // Finds the touching candidates and stores their geometry, radii, entry and flags in shared
  // memory.
  __device__ Found find(
    const LawView<Real>& view, std::uint32_t next, std::uint32_t last, std::uint32_t places)
  {
    Found found;
    std::uint32_t slot = next + lane;
    Candidates now;
    readEntries(slot, last, now);
    readFlags(slot, last, now);
    for (; found.rounds < kRounds && next + 32 * found.rounds < last; slot += 32 * kAtOnce)
    {
      readPlaces(now);
      const std::uint32_t(&entry)[kAtOnce] = now.entry, (&flags)[kAtOnce] = now.flags;
      const Vec4<double>(&y)[kAtOnce] = now.place;
      Candidates following;
      readEntries(slot + 32 * kAtOnce, last, following);
      readFlags(slot + 32 * kAtOnce, last, following);
      for (unsigned r = 0; r < kAtOnce; ++r)
      {
        const Vec4<double> x = shared.position[ListView::ownerOf(flags[r])];
        const PairGeometry<Real> g = pairGeometry<Real>(step.law.box, x, y[r], step.periodic);
        const std::uint32_t owner = ListView::ownerOf(flags[r]);
        const bool touches = (slot + 32 * r < last) & !isGone(x.x) &
          (overlapping(g) || isHeld(view, owner, entry[r], flags[r], g, x.w, y[r].w));
        const unsigned vote = __ballot_sync(kWhole, touches);
        const std::uint32_t count = found.count + __popc(vote);
        if (count > places)
          return found;
        if (touches)
        {
          const std::uint32_t k = found.count + __popc(vote & ((1u << lane) - 1));
          shared.first[k] = { Numbers::rounded(g.apart.x), Numbers::rounded(g.apart.y),
            Numbers::rounded(g.apart.z), Numbers::rounded(g.gap2()) };
          shared.second[k] = { Numbers::rounded(x.w), Numbers::rounded(y[r].w),
            Numbers::asReal(entry[r]), Numbers::asReal(flags[r] | (slot + 32 * r - next) << 8) };
        }
        else
          forget(slot + 32 * r, flags[r]);
        if (lane == 0)
          shared.round[found.rounds] = { vote, found.count };
        found.count = count;
        ++found.rounds;
      }
      for (unsigned r = 0; r < kAtOnce; ++r)
      {
        now.entry[r] = following.entry[r];
        now.flags[r] = following.flags[r];
      }
    }
    return found;
  }

  __device__ void readEntries(std::uint32_t slot, std::uint32_t last, Candidates& to) const
  {
    for (unsigned r = 0; r < kAtOnce; ++r)
      to.entry[r] = readEntry(slot + 32 * r, last);
  }
  __device__ void readFlags(std::uint32_t slot, std::uint32_t last, Candidates& to) const
  {
    for (unsigned r = 0; r < kAtOnce; ++r)
      to.flags[r] = readFlags(slot + 32 * r, last);
  }
  __device__ void readPlaces(Candidates& of) const
  {
    for (unsigned r = 0; r < kAtOnce; ++r)
      of.place[r] = placeAt(step.state.position + (of.entry[r] & ListView::kIndex));
  }

  __device__ std::uint32_t readEntry(std::uint32_t slot, std::uint32_t last) const
  {
    return slot < last
      ? (kFew ? Step::ofRebuild(step.list.entries + slot) : loadOfRun(step.list.entries + slot))
      : group;
  }
  __device__ std::uint32_t readFlags(std::uint32_t slot, std::uint32_t last) const
  {
    return slot < last ? step.slots.flags[slot] : 0;
  }

  // PairGeometry::overlapping(), from gap2(), which the contact needs anyway.
  __device__ static bool overlapping(const PairGeometry<Real>& g) { return !(g.gap2() <= 0); }

  // Whether a candidate that does not overlap its owner is held by cohesion. Only the variant for
  // any law needs this test.
  __device__ bool isHeld(const LawView<Real>& view, std::uint32_t owner, std::uint32_t entry,
    std::uint32_t flags, const PairGeometry<Real>& g, double radius_i, double radius_j) const
  {
    if constexpr (kPlain)
      return false;
    if (view.law.cohesion == CohesionModel::None || !(flags & kTouching))
      return false;
    return isStretched(view, step.state.spin, (group & ~31u) + owner, entry & ListView::kIndex, g,
      Numbers::rounded(radius_i), Numbers::rounded(radius_j));
  }

  // Reads the remaining data of a candidate, whose entry has been read. The history is read for all
  // candidates; if the contact did not touch before, it is not used.
  __device__ void readCandidate(std::uint32_t slot, std::uint32_t last, Candidate& of) const
  {
    const std::uint32_t j = of.entry & ListView::kIndex;
    of.flags = readFlags(slot, last);
    of.place = *ptx::elementAnywhere(step.state.position, j);
    of.velocity = *ptx::elementAnywhere(step.state.velocity, j);
    of.spin = *ptx::elementAnywhere(step.state.spin, j);
    of.xi = {};
    if (slot < last)
      of.xi = { loadOfRun(historyAt(0, slot)), loadOfRun(historyAt(1, slot)),
        loadOfRun(historyAt(2, slot)) };
  }

  // Finds the touching candidates and evaluates each at once, while the data of the next round are
  // being read. This takes more rounds than evaluating 32 touching contacts at a time, but waits
  // less.
  template <bool kOneMaterial>
  __device__ Found evaluateAsFound(
    const LawView<Real>& view, std::uint32_t next, std::uint32_t last, std::uint32_t places)
  {
    Found found;
    std::uint32_t slot = next + lane, coming = entry_after;
    Candidate now = ahead;
    for (; found.rounds < kRounds && next + 32 * found.rounds < last; slot += 32)
    {
      Candidate following;
      following.entry = coming;
      readCandidate(slot + 32, last, following);
      coming = readEntry(slot + 64, last);
      const Vec4<double> x = shared.position[ListView::ownerOf(now.flags)];
      const PairGeometry<Real> g = pairGeometry<Real>(step.law.box, x, now.place, step.periodic);
      const bool touches = (slot < last) & !isGone(x.x) & overlapping(g);
      const unsigned vote = __ballot_sync(kWhole, touches);
      const std::uint32_t count = found.count + __popc(vote);
      if (count > places)
        return found;
      if (touches)
      {
        ContactHistory<Real> history;
        if (now.flags & kTouching)
          history.xi = now.xi;
        evaluate<kOneMaterial>(view, found.count + __popc(vote & ((1u << lane) - 1)), slot,
          now.entry, now.flags,
          { Numbers::rounded(g.apart.x), Numbers::rounded(g.apart.y), Numbers::rounded(g.apart.z),
            Numbers::rounded(g.gap2()) },
          Numbers::rounded(x.w), Numbers::rounded(now.place.w), now.velocity, now.spin, history);
      }
      else
        forget(slot, now.flags);
      if (lane == 0)
        shared.round[found.rounds] = { vote, found.count };
      found.count = count;
      ++found.rounds;
      now = following;
    }
    return found;
  }

  // Evaluates all contacts of the group. Contacts that do not touch store zero loads.
  template <bool kOneMaterial>
  __device__ void evaluateGroup(const LawView<Real>& view)
  {
    const std::uint32_t first = GroupedContacts::firstOf(group),
                        last = first + GroupedContacts::contactsOf(counts);
    std::uint32_t slot = first + lane, entry = ahead.entry, flags = ahead.flags;
    DEM_ROLLED
    for (; slot < last; slot += 32)
    {
      const std::uint32_t j = entry & ListView::kIndex;
      const Vec4<double> place = placeAt(step.state.position + j);
      const Vec4<Real> vj = step.state.velocity[j], wj = step.state.spin[j];
      ContactHistory<Real> history;
      if (flags & kTouching)
        history = readHistory<Real>(view.law, [&](int c) { return loadOfRun(historyAt(c, slot)); });
      const std::uint32_t next_entry = readEntry(slot + 32, last);
      const std::uint32_t next_flags = readFlags(slot + 32, last);
      const Vec4<double> x = shared.position[ListView::ownerOf(flags)];
      const PairGeometry<Real> g = pairGeometry<Real>(step.law.box, x, place, step.periodic);
      const Real other_radius = Numbers::rounded(place.w);
      const std::uint32_t k = slot - first;
      if (!isGone(x.x) & overlapping(g))
        evaluate<kOneMaterial, true>(view, k, slot, entry, flags,
          { Numbers::rounded(g.apart.x), Numbers::rounded(g.apart.y), Numbers::rounded(g.apart.z),
            Numbers::rounded(g.gap2()) },
          Numbers::rounded(x.w), other_radius, vj, wj, history);
      else
      {
        forget(slot, flags);
        shared.first[k] = {};
        shared.second[k] = vec4(Vec3<Real>{}, entry & kLower ? Numbers::ofLower() : Real(0));
        shared.overlap[k] = {};
      }
      entry = next_entry;
      flags = next_flags;
    }
  }

  // Sums this lane's row in its order. Contacts that do not touch add zero.
  __device__ void addGroup(Sums& sums)
  {
    const Real radius = Numbers::rounded(shared.position[(group + lane) % 32].w);
    std::uint32_t left = end, of_word = 8;
    std::uint64_t word = left ? step.list.groups.codes(group + lane, 0) : 0;
    const auto next = [&] {
      word >>= 8;
      --left;
      if (--of_word == 0 && left)
        word = step.list.groups.codes(group + lane, 1);
    };
    DEM_ROLLED
    for (; left; next()) // contacts with lower Ids come first
    {
      const std::uint32_t code = word & 0xffu, k = GroupedContacts::contactOf(code);
      const bool by_other = GroupedContacts::isOfOther(code);
      const Vec4<Real> force = shared.first[k], lever = shared.second[k];
      if (!by_other && !Numbers::isOfLower(lever.w))
        break;
      const std::uint32_t sign = by_other ? kLower : 0;
      sums.lower.force += Numbers::turned(force.xyz(), sign);
      sums.lower.torque += multiplyAdd(Real(-0.5), shared.overlap[k], radius) * lever.xyz();
    }
    DEM_ROLLED
    for (; left; next())
    {
      const std::uint32_t k = word & 0xffu;
      const Vec4<Real> force = shared.first[k], lever = shared.second[k];
      sums.higher.force += force.xyz();
      sums.higher.torque += multiplyAdd(Real(-0.5), shared.overlap[k], radius) * lever.xyz();
      sums.dissipated += force.w;
      sums.stiffness_work += lever.w;
    }
  }

  // Clears the flags of a candidate that touched before and no longer does.
  __device__ void forget(std::uint32_t slot, std::uint32_t flags) const
  {
    if (flags & kTouching)
      step.slots.flags[slot] =
        static_cast<std::uint8_t>(flags & ~std::uint32_t(kTouching | kSliding));
  }

  __device__ Real* historyAt(int column, std::uint32_t slot) const
  {
    return column < 3 ? step.history[column] + slot : &step.slots.history.at(column, slot);
  }

  template <bool kOneMaterial>
  __device__ void evaluateFound(const LawView<Real>& view, std::uint32_t next, std::uint32_t k)
  {
    const Vec4<Real> between = shared.first[k], of_pair = shared.second[k];
    const std::uint32_t entry = Numbers::asBits(of_pair.z), j = entry & ListView::kIndex;
    const std::uint32_t flags = Numbers::asBits(of_pair.w) & 0xffu,
                        slot = next + (Numbers::asBits(of_pair.w) >> 8);
    ContactHistory<Real> history;
    if (flags & kTouching)
      history = readHistory<Real>(view.law, [&](int c) { return loadOfRun(historyAt(c, slot)); });
    evaluate<kOneMaterial>(view, k, slot, entry, flags, between, of_pair.x, of_pair.y,
      step.state.velocity[j], step.state.spin[j], history);
  }

  // Evaluates the contact of `slot` and stores its loads at place k of shared memory. `between`:
  // vector from the evaluating particle to the other one, m, and reach^2 - distance^2, m^2. `vj`,
  // `wj`: velocity and spin of the other particle. `history` is that of the lower Id's view.
  template <bool kOneMaterial, bool kOfGroup = false>
  __device__ void evaluate(const LawView<Real>& view, std::uint32_t k, std::uint32_t slot,
    std::uint32_t entry, std::uint32_t flags, const Vec4<Real>& between, Real radius_i,
    Real radius_j, const Vec4<Real>& vj, const Vec4<Real>& wj, ContactHistory<Real>& history)
  {
    const std::uint32_t i = ListView::ownerOf(flags);
    const Vec4<Real> vi = shared.velocity[i], wi = shared.spin[i];
    // Springs are stored as the lower Id sees them, and are turned to the view of this particle.
    // All quantities that change sign with the view enter the law oddly, so both sides get the same
    // bits.
    const std::uint32_t sign = entry & kLower;
    turnSprings(history, sign);
    PairSides<Real> sides{ {}, {}, radius_i, radius_j, vi.w, vj.w, vi.xyz(), vj.xyz(), wi.xyz(),
      wj.xyz() };
    touch(sides, between.xyz(), between.w, Numbers::turned(Real(1), sign));
    const PairContact<Real> p = pairContact<true>(view.law,
      coefficients<kOneMaterial>(view, wi.w, wj.w), sides, step.dt, !(flags & kTouching), history);
    turnSprings(history, sign);
    writeHistory<Real>(view.law, history, [&](int c, Real value) { *historyAt(c, slot) = value; });
    const std::uint32_t now =
      (flags & ~std::uint32_t(kTouching | kSliding)) | kTouching | (history.sliding ? kSliding : 0);
    if (flags != now)
      step.slots.flags[slot] = static_cast<std::uint8_t>(now);
    if constexpr (!kPlain)
      if (view.law.heats)
      {
        step.state.heat.give(ofOwner(flags), p.force.dissipated);
        const std::uint32_t other = entry & ListView::kIndex;
        if (kOfGroup && other / 32 == group / 32) // the group evaluates this contact once
          step.state.heat.give(other, p.force.dissipated);
      }
    shared.first[k] = vec4(p.on_a, p.force.dissipated);
    shared.second[k] = vec4(kOfGroup ? p.lever : p.torque_a,
      entry & kLower ? Numbers::ofLower() : p.force.stiffness_work);
    if (kOfGroup)
      shared.overlap[k] = p.overlap;
    const Real smaller = sides.radius_a < sides.radius_b ? sides.radius_a : sides.radius_b;
    if (!(p.overlap < Real(0.5) * smaller))
      atomicLower(&step.control->error,
        packError(step.batch_step, FailureKind::Overlap,
          step.state.id[entry & kLower ? entry & ListView::kIndex : ofOwner(flags)]));
  }

  // With one material the coefficients come from the kernel's parameters, which have a lower
  // latency than global memory.
  template <bool kOneMaterial>
  __device__ static PairCoefficients<Real> coefficients(const LawView<Real>& view, Real a, Real b)
  {
    if constexpr (kOneMaterial)
      return view.first;
    else
      return view.pair(a, b);
  }

  // Adds the contacts found from candidate `next` on to the sums of this lane's row, in its order.
  __device__ void add(const Found& found, std::uint32_t next, Sums& sums)
  {
    const std::uint32_t from = rank(found, begin < next ? 0 : begin - next),
                        to = rank(found, end < next ? 0 : end - next);
    std::uint32_t k = from;
    for (; k < to && Numbers::isOfLower(shared.second[k].w);
         ++k) // contacts with lower Ids come first
    {
      sums.lower.force += shared.first[k].xyz();
      sums.lower.torque += shared.second[k].xyz();
    }
    for (; k < to; ++k)
    {
      const Vec4<Real> force = shared.first[k], torque = shared.second[k];
      sums.higher.force += force.xyz();
      sums.higher.torque += torque.xyz();
      sums.dissipated += force.w;
      sums.stiffness_work += torque.w;
    }
  }

  // interrupt() stores the unfinished sums in the last places of shared memory, and resume() reads
  // them back. Used if a group has more touching contacts than places.
  __device__ void interrupt(const Sums& sums)
  {
    Vec4<Real>*first = shared.first + kPlaces - kSumPlaces,
    *second = shared.second + kPlaces - kSumPlaces;
    first[lane] = vec4(sums.lower.force, sums.dissipated);
    first[32 + lane] = vec4(sums.lower.torque, sums.stiffness_work);
    second[lane] = vec4(sums.higher.force, Real(0));
    second[32 + lane] = vec4(sums.higher.torque, Real(0));
  }
  __device__ void resume(Sums& sums) const
  {
    const Vec4<Real>*first = shared.first + kPlaces - kSumPlaces,
          *second = shared.second + kPlaces - kSumPlaces;
    sums.lower = { first[lane].xyz(), first[32 + lane].xyz() };
    sums.higher = { second[lane].xyz(), second[32 + lane].xyz() };
    sums.dissipated = first[lane].w;
    sums.stiffness_work = first[32 + lane].w;
  }

  // Number of touching candidates before candidate `at`, among those that were tested.
  __device__ std::uint32_t rank(const Found& found, std::uint32_t at) const
  {
    if (at >= 32 * found.rounds)
      return found.count;
    const Round round = shared.round[at / 32];
    return round.before + __popc(round.votes & ((1u << at % 32) - 1));
  }

  __device__ std::uint32_t ofOwner(std::uint32_t flags) const
  {
    return (group & ~31u) + ListView::ownerOf(flags);
  }

  __device__ static void turnSprings(ContactHistory<Real>& history, std::uint32_t sign)
  {
    turnHistory(history, [&](Real value) { return Numbers::turned(value, sign); });
  }
};

} // namespace dem
