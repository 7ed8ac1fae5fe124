// The energies that a run books: totals on the device (EnergyBooks.cuh) and what the balance held
// at the start.
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

  /// Opens empty books in which single terms do not exceed `scale` J by much.
  void open(double scale) { set(EnergyTotals(EnergyTotals::unitFor(scale))); }
  void set(const EnergyTotals& totals)
  {
    unit_ = totals.unit();
    stripes_.assign(totals.stripes());
  }

  int unit() const { return unit_; }
  EnergyTotals totals() const { return { unit_, stripes_.host() }; }
  EnergyBooks books() { return { stripes_.data(), EnergyTotals(unit_).perJoule() }; }

  /// J, the balance (Statistics) when the run began, moved by each change of the law: a change of
  /// gravity or of a material is no error of the balance.
  double at_start = 0;

private:
  Exec& exec_;
  int unit_ = 0;
  Array<unsigned long long, Exec> stripes_{ exec_ };
};

} // namespace dem
