// Measures contacts, bodies and energies of the present state of a run without changing it. Used
// for frames, statistics and saved states.
#pragma once

#include "Core/FixedSum.cuh"
#include "Measure/Frame.h"
#include "Measure/Measure.cuh"
#include "Measure/MeasureBodies.cuh"
#include "Measure/RunOwners.cuh"

#include <cstdint>

namespace dem
{

/// Kick that the integrator has not yet applied to the velocities, see MeasureView.
template <class Real>
struct ClosingRates
{
  Real dt = 0, closing = 0;
  const Vec4<Real>*velocity = nullptr, *spin = nullptr;
};

template <class Exec, class Real>
class Measurement : private RunOwners<Exec, Real>
{
public:
  using Owners = RunOwners<Exec, Real>;

  Measurement(Exec& exec, const Owners& owners)
    : Owners(owners)
    , exec_(exec)
  {
  }

  /// Prepares the measurement of a new instant. Must be called before the other functions.
  /// `request`: the evaluation of the present forces.
  void prepare(const ForceRequest<Exec, Real>& request, const ClosingRates<Real>& closing)
  {
    request_ = request;
    closing_ = closing;
    particles.findIdOrder();
    if (bodies.inUse())
    {
      bodies.settle(particles.view());
      bodies.findShown();
    }
    if (forces.kinds.inUse())
    {
      makeShownRows(particles.size(), forces.kinds.touching());
      forces.kinds.show(pairs.shown().view(), pairs.shown().slots());
    }
  }

  /// List with the touching pairs, for frames and saved states.
  PairList<Exec, Real>& touching() { return forces.kinds.inUse() ? pairs.shown() : pairs.list(); }
  /// Builds pairs.shown() from the pairs that of(k, visit) visits for k = 0 to n - 1.
  template <class Pairs>
  void makeShownRows(std::uint32_t n, const Pairs& of)
  {
    pairs.makeRows(pairs.shown(), particles.size(), particles.id(), n, of, law.columns(),
      [&](PairList<Exec, Real>& list, std::size_t contacts) {
        forces.number(list, particles.size(), contacts, particles.radiusMax());
      });
  }

  /// Number of grains: of bodies if the particles are their parts, else of particles.
  std::uint32_t grains() const { return bodies.inUse() ? bodies.shown() : particles.size(); }

  MeasureView<Real> view()
  {
    PairList<Exec, Real>& list = touching();
    WallList<Exec, Real>& near_walls = wall_lists.list();
    return { particles.view(), law.view(), list.view(), list.slots(), measured_, walls.view(),
      near_walls.view(), near_walls.row_of.data(), near_walls.slots(), particles.idOrder(),
      particles.idRank(), law.gravity(), closing_.dt, closing_.closing, closing_.velocity,
      closing_.spin };
  }
  BodyMeasureView<Real> bodyView()
  {
    return { view(), bodies.view(), forces.shapes.law(), bodies.shownBodies() };
  }

  /// On the CPU evaluates all pairs of spheres in one pass, for MeasureView::measured.
  void evaluatePairs()
  {
    if (bodies.inUse())
      return;
    ForceRequest<Exec, Real> request = request_;
    request.pairs = &touching();
    request.dt = closing_.dt;
    measured_ = forces.spheres().measure(request);
  }

  /// Returns energies, contacts and overlaps of this instant. Writes for each grain its
  /// coordination number, stress (6 components, Pa) and number of owned contacts to the device
  /// arrays that are not null.
  Statistics statistics(std::int32_t* coordination, float* stress, std::uint32_t* owned)
  {
    evaluatePairs();
    const Tally total = tally(coordination, stress, owned);
    Statistics s;
    s.kinetic_energy = total.kinetic;
    s.potential_energy = total.potential;
    const EnergyTotals booked = particles.energies.totals();
    s.dissipated_energy = booked.joule(BookedEnergy::Dissipated);
    s.stiffness_work = booked.joule(BookedEnergy::StiffnessWork);
    s.wall_work = booked.joule(BookedEnergy::WallWork);
    for (const ExitedGrain& grain : exited.all())
      s.removed_energy += grain.energy;
    s.energy_error = balance(s) - particles.energies.at_start;
    s.particles = grains();
    s.contacts = static_cast<std::uint64_t>(total.contacts);
    s.largest_overlap = total.overlap;
    return s;
  }

  /// Energy balance, J. Constant in exact motion, except for the elastic energy of the contacts of
  /// grains that leave.
  static double balance(const Statistics& s)
  {
    return s.kinetic_energy + s.potential_energy + s.dissipated_energy + s.stiffness_work +
      s.removed_energy - s.wall_work - s.fluid_work;
  }

private:
  using Owners::bodies;
  using Owners::exited;
  using Owners::forces;
  using Owners::law;
  using Owners::pairs;
  using Owners::particles;
  using Owners::wall_lists;
  using Owners::walls;

  Tally tally(std::int32_t* coordination, float* stress, std::uint32_t* owned)
  {
    Tally total;
    const std::uint32_t n = grains();
    if (!n)
      return total;
    Tally* each = particles.template scratch<Tally>();
    partial_.resize(sumBlocks(n));
    if (bodies.inUse())
      exec_.forEach(n, MeasureBodies<Real>{ bodyView(), each, coordination, stress, owned });
    else
      exec_.forEach(n, MeasureParticles<Real>{ view(), each, coordination, stress, owned });
    exec_.forEach(sumBlocks(n), SumBlocks<Tally>{ each, n, partial_.data() });
    for (const Tally& t : partial_.host())
      total += t;
    return total;
  }

  Exec& exec_;
  ForceRequest<Exec, Real> request_{};
  ClosingRates<Real> closing_{};
  const MeasuredPair<Real>* measured_ = nullptr; // by contact, CPU only
  Array<Tally, Exec> partial_{ exec_ };
};

} // namespace dem
