// Forces of spheres on CUDA, a strategy of ForceStage.cuh. One launch evaluates pairs and walls,
// and can move the particles (StepWarps.cuh).
#pragma once

#include "Core/Array.h"
#include "Forces/ForceRequest.cuh"
#include "Forces/MeasuredPair.cuh"
#include "Forces/StepWarps.cuh"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace dem
{

/// Forces of spheres with the default list on CUDA. Owns the wall loads and their counter.
template <class Exec, class Real>
class SpheresOnCuda
{
public:
  explicit SpheresOnCuda(Exec& exec)
    : exec_(exec)
  {
  }

  /// Does nothing: on CUDA each slot of a list is a contact of its own.
  void number(PairList<Exec, Real>&, std::uint32_t, std::size_t) {}

  /// Queues the forces and torques of all pairs and walls. They replace those in the state.
  void queue(const ForceRequest<Exec, Real>& r)
  {
    launch(r, { r.state, {}, r.control, {}, r.dt, r.batch_step, VelocityVerlet<Real>(0) }, true);
  }

  /// Queues forces, held ones too, and drift in one launch. The drift writes to other memory than
  /// the state that other warps still read (ParticleStore::movedBeside).
  void queueWithDrift(
    const ForceRequest<Exec, Real>& r, const Drift<Real, VelocityVerlet<Real>>& drift)
  {
    launch(r, drift, false);
  }

  /// Returns null: on CUDA frames evaluate each pair where they need it.
  const MeasuredPair<Real>* measure(const ForceRequest<Exec, Real>&) { return nullptr; }

private:
  // Variants of the step that are compiled separately.
  enum class Variant
  {
    General,     // any law
    Plain,       // the law that most scenes use (LawParameters::isPlain)
    PlainFew,    // the same for few particles, which do not fill the device
    PlainGrouped // the same for grouped contacts
  };

  static Variant variantFor(const ForceRequest<Exec, Real>& r, bool keeps)
  {
    if (!r.law.law.isPlain())
      return Variant::General;
    if (!keeps && r.n < r.fill.many)
      return Variant::PlainFew;
    return r.pairs->grouped ? Variant::PlainGrouped : Variant::Plain;
  }

  using PlainDrift = Drift<Real, VelocityVerlet<Real>>;

  void launch(const ForceRequest<Exec, Real>& r, const PlainDrift& drift, bool keeps)
  {
    switch (variantFor(r, keeps))
    {
      case Variant::General:
        return launchVariant<false, false, false, true>(r, drift, keeps);
      case Variant::PlainFew:
        // code for held forces would cost 2 % of the speed of those without
        return r.held ? launchVariant<true, true, false, true>(r, drift, keeps)
                      : launchVariant<true, true, false, false>(r, drift, keeps);
      case Variant::PlainGrouped: // only single precision groups contacts
        return launchVariant<true, false, std::is_same_v<Real, float>, true>(r, drift, keeps);
      case Variant::Plain:
        return launchVariant<true, false, false, true>(r, drift, keeps);
    }
  }

  template <bool kPlain, bool kFew, bool kGrouped, bool kHeld>
  void launchVariant(const ForceRequest<Exec, Real>& r, const PlainDrift& drift, bool keeps)
  {
    using Step = StepWarps<Real, kPlain, kFew, kGrouped, kHeld>;
    wall_loads_.resize(r.wall_list->rows, 1.2);
    if (!walls_met_.size())
    {
      walls_met_.resize(1);
      walls_met_.zero();
    }
    if (r.has_seams)
    {
      const MeetSeams<Real> seams{ r.state, withSeams(r.wallForces()), r.wall_rows,
        wall_loads_.data(), r.fill.wallShift(r.n, true) };
      exec_.forEachBlock(seams.blocks(), seams);
    }
    Step warps{ r.state, r.control, r.law, r.pairs->view(), r.pairs->slots(), r.wallForces(),
      r.has_seams, r.wall_list->row_of.data(), wall_loads_.data(), r.wall_rows, walls_met_.data(),
      0, drift, keeps ? HeldForces{} : r.held, keeps, r.law.box.any(), r.n, r.fill.warpShift(r.n),
      r.fill.wallShift(r.n, kFew), r.crowded, r.crowded_groups, r.dt, r.batch_step, {} };
    for (int c = 0; c < 3; ++c)
      warps.history[c] = warps.slots.history.data + c * warps.slots.history.capacity;
    warps.walls_due = walls_due_ + warps.wallWarps();
    exec_.forEachBlock(warps.blocks(), warps);
    // Set only after a successful launch; otherwise warps that wait for the wall counter would
    // never be released.
    walls_due_ = warps.walls_due;
  }

  Exec& exec_;
  Array<Load<Real>, Exec> wall_loads_{ exec_ }; // of the rows of the wall list
  Array<unsigned, Exec> walls_met_{ exec_ };    // number of warps that have evaluated walls
  unsigned walls_due_ = 0;                      // that number once all queued launches are done
};

} // namespace dem
