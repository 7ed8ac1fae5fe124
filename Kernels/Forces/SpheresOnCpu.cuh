// Forces of spheres on the CPU, a strategy of ForceStage.cuh. Packs of contacts are evaluated once,
// then each particle sums its own (PairsOnce.cuh).
#pragma once

#include "Core/Array.h"
#include "Forces/ForceRequest.cuh"
#include "Forces/PairsOnce.cuh"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Forces of spheres with the default list on the CPU. Owns the records of contacts.
template <class Exec, class Real>
class SpheresOnCpu
{
public:
  explicit SpheresOnCpu(Exec& exec)
    : exec_(exec)
  {
  }

  /// Stores both particles of each contact of a list; `contacts`: number of contacts.
  void number(PairList<Exec, Real>& list, std::uint32_t n, std::size_t contacts)
  {
    records_.resize(contacts, 1.1);
    for (Array<std::uint32_t, Exec>* ends : { &a_, &b_ })
    {
      ends->resize(contacts + ListView::kAhead, 1.1);
      exec_.zero(ends->data() + contacts, ListView::kAhead * sizeof(std::uint32_t));
    }
    exec_.forEach(n, ListEnds<Exec>{ list.view(), { a_.data(), b_.data() } });
  }

  /// Computes the forces and torques of all pairs and walls. They replace those in the state.
  void queue(const ForceRequest<Exec, Real>& r)
  {
    exec_.forEachRange(r.n,
      EvaluatePairs<Real>{ pairs(r), r.control, records_.data(), r.dt, r.batch_step, r.ghosts });
    exec_.forEachRange(r.n,
      AddRecords<Real>{ r.state, r.control, r.pairs->view(), r.pairs->flags.data(), records_.data(),
        r.batch_step });
    r.withWallForces([&](auto walls) { exec_.forEachRange(r.wall_list->rows, walls); });
  }

  /// Returns the data that a frame shows of all pairs, by contact of the list numbered last. Null
  /// if there are no particles.
  const MeasuredPair<Real>* measure(const ForceRequest<Exec, Real>& r)
  {
    if (!r.n)
      return nullptr;
    measured_.resize(r.pairs->flags.size(), 1.1);
    exec_.forEachRange(r.n, MeasurePairs<Real>{ pairs(r), measured_.data(), r.dt });
    return measured_.data();
  }

private:
  OwnedPairs<Real> pairs(const ForceRequest<Exec, Real>& r)
  {
    return { r.state, r.law, { a_.data(), b_.data() }, r.pairs->first_owned.data(),
      r.pairs->slots() };
  }

  Exec& exec_;
  Array<std::uint32_t, Exec> a_{ exec_ }, b_{ exec_ }; // the particles of each contact
  Array<PairRecord<Real>, Exec> records_{ exec_ };
  Array<MeasuredPair<Real>, Exec> measured_{ exec_ };
};

} // namespace dem
