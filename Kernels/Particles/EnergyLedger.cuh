// Owner of the energy totals of a run in device memory (EnergyBooks.cuh), and of the initial value
// of the energy balance. Member of ParticleStore.
#pragma once

#include "Core/Array.h"
#include "Particles/EnergyTotals.cuh"

namespace dem
{

template <class Exec>
class EnergyLedger
{
public:
  explicit EnergyLedger(Exec& exec)
    : exec_(exec)
  {
  }

  /// Sets all totals to zero. Single terms must not exceed `scale` (J) by much.
  void open(double scale) { set(EnergyTotals(EnergyTotals::unitFor(scale))); }
  /// Replaces the totals and their unit, for a restored state.
  void set(const EnergyTotals& totals)
  {
    unit_ = totals.unit();
    stripes_.assign(totals.stripes());
  }

  /// The unit is 2^unit() J.
  int unit() const { return unit_; }
  EnergyTotals totals() const { return { unit_, stripes_.host() }; }
  EnergyBooks books() { return { stripes_.data(), EnergyTotals(unit_).perJoule() }; }

  /// Energy balance at the start of the run, J (see Statistics::energy_error). A change of gravity
  /// or of a material shifts it by the jump of the balance, since such a jump is not an error.
  double at_start = 0;

private:
  Exec& exec_;
  int unit_ = 0;
  Array<unsigned long long, Exec> stripes_{ exec_ };
};

} // namespace dem
