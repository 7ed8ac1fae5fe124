// Measures contacts, bodies and energies of the present state of a run without changing it. Used
// for frames, statistics and saved states.
#pragma once

#include "Core/FixedSum.cuh"
#include "Measure/Frame.h"
#include "Measure/Measure.cuh"
#include "Measure/MeasureBodies.cuh"
#include "Measure/RunOwners.cuh"

#include <cstdint>
#include <vector>

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

  /// Number of grains: of bodies if the particles are their parts, else of particles. Of a part of
  /// a run, those that it owns.
  std::uint32_t grains() const { return bodies.inUse() ? bodies.shown() : particles.owned(); }
  /// Number of bodies, or of particles in memory: kernels that skip ghosts by themselves run over
  /// them.
  std::uint32_t places() const { return bodies.inUse() ? bodies.shown() : particles.size(); }

  MeasureView<Real> view()
  {
    PairList<Exec, Real>& list = touching();
    WallList<Exec, Real>& near_walls = wall_lists.list();
    return { particles.view(), law.view(), list.view(), list.slots(), measured_, walls.view(),
      near_walls.view(), near_walls.row_of.data(), near_walls.slots(), particles.idOrder(),
      particles.idRank(), particles.owned(), law.gravity(), closing_.dt, closing_.closing,
      closing_.velocity, closing_.spin };
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

  /// Measures energies, contacts and overlaps of this instant. Writes for each grain its
  /// coordination number, stress (6 components, Pa) and number of owned contacts to the device
  /// arrays that are not null.
  void measure(std::int32_t* coordination, float* stress, std::uint32_t* owned)
  {
    evaluatePairs();
    const std::uint32_t n = grains();
    partial_.resize(sumBlocks(n));
    Tally* each = particles.template scratch<Tally>();
    if (bodies.inUse())
      exec_.forEach(n, MeasureBodies<Real>{ bodyView(), each, coordination, stress, owned });
    else
      exec_.forEach(places(), MeasureParticles<Real>{ view(), each, coordination, stress, owned });
    if (particles.ghosts()) // the sum runs over the grains of all parts
    {
      tallies_.resize(n);
      exec_.toHost(tallies_.data(), each, n * sizeof(Tally));
      exec_.synchronize();
    }
    else
      exec_.forEach(sumBlocks(n), SumBlocks<Tally>{ each, n, partial_.data() });
  }
  /// Sum of what measure() found, in a run with one part.
  Tally tally() const
  {
    Tally total;
    for (const Tally& t : partial_.host())
      total += t;
    return total;
  }
  /// What measure() found for each grain of a part, in ascending Id.
  const std::vector<Tally>& tallies() const { return tallies_; }

  /// Statistics of what measure() found in the whole run. `tally`: sums over all grains. `booked`
  /// and `exited`: of all parts, `exited` in ascending Id.
  static Statistics statistics(const Tally& tally, const EnergyTotals& booked,
    const std::vector<ExitedGrain>& exited, double at_start, std::uint64_t grains)
  {
    Statistics s;
    s.kinetic_energy = tally.kinetic;
    s.potential_energy = tally.potential;
    s.dissipated_energy = booked.joule(BookedEnergy::Dissipated);
    s.stiffness_work = booked.joule(BookedEnergy::StiffnessWork);
    s.wall_work = booked.joule(BookedEnergy::WallWork);
    for (const ExitedGrain& grain : exited)
      s.removed_energy += grain.energy;
    s.energy_error = balance(s) - at_start;
    s.particles = grains;
    s.contacts = static_cast<std::uint64_t>(tally.contacts);
    s.largest_overlap = tally.overlap;
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

  Exec& exec_;
  ForceRequest<Exec, Real> request_{};
  ClosingRates<Real> closing_{};
  const MeasuredPair<Real>* measured_ = nullptr; // by contact, CPU only
  Array<Tally, Exec> partial_{ exec_ };          // sums of the blocks of FixedSum.cuh
  std::vector<Tally> tallies_;
};

} // namespace dem
