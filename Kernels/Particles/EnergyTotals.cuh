// Energy totals on the host: sums of the stripes of EnergyBooks, conversion to J, and values for
// saved states.
#pragma once

#include "Particles/EnergyBooks.cuh"

#include <array>
#include <cmath>
#include <vector>

namespace dem
{

/// One 128-bit integer per BookedEnergy, in units of 2^unit J. Additions are exact in this unit.
class EnergyTotals
{
public:
  EnergyTotals() = default;
  /// Zero totals with a unit of 2^unit J.
  explicit EnergyTotals(int unit)
    : unit_(unit)
  {
  }
  /// Sums the stripes of EnergyBooks.
  EnergyTotals(int unit, const std::vector<unsigned long long>& stripes)
    : unit_(unit)
  {
    for (std::size_t s = 0; s < EnergyBooks::kStripes; ++s)
      for (unsigned e = 0; e < kBookedEnergies; ++e)
        addUnits(e, stripes[s * EnergyBooks::kWords + 2 * e],
          stripes[s * EnergyBooks::kWords + 2 * e + 1]);
  }

  /// Unit for a scene whose single terms do not exceed `scale` J by much.
  static int unitFor(double scale)
  {
    return (scale > 0 && scale < 1e300 ? std::ilogb(scale) + 1 : 0) - EnergyBooks::kUnitBits;
  }

  int unit() const { return unit_; }
  /// High units of EnergySum per joule.
  double perJoule() const { return std::ldexp(1., -(unit_ + EnergySum::kLowBits)); }

  /// True if add() can represent this energy (J); false for infinity and NaN.
  bool holds(double joule) const { return std::fabs(std::ldexp(joule, -unit_)) < 0x1p120; }
  /// Adds an energy in J, rounded to the unit. Requires holds(joule).
  void add(BookedEnergy e, double joule)
  {
    const auto units = static_cast<__int128>(std::nearbyint(std::ldexp(joule, -unit_)));
    const auto high = static_cast<std::uint64_t>(units >> 64);
    addUnits(static_cast<unsigned>(e), static_cast<std::uint64_t>(units), high);
  }
  /// Adds high * 2^64 + low units, two's complement.
  void addUnits(unsigned e, std::uint64_t low, std::uint64_t high)
  {
    sum_[e] = static_cast<__int128>(
      static_cast<unsigned __int128>(sum_[e]) + (static_cast<unsigned __int128>(high) << 64 | low));
  }

  /// Adds totals with the same unit.
  EnergyTotals& operator+=(const EnergyTotals& o)
  {
    for (unsigned e = 0; e < kBookedEnergies; ++e)
      addUnits(e, o.low(e), o.high(e));
    return *this;
  }

  /// Value of a total in J, and its low and high words.
  double joule(BookedEnergy e) const
  {
    return std::ldexp(static_cast<double>(sum_[static_cast<unsigned>(e)]), unit_);
  }
  std::uint64_t low(unsigned e) const
  {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(sum_[e]));
  }
  std::uint64_t high(unsigned e) const
  {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(sum_[e]) >> 64);
  }

  /// Stripes for EnergyBooks with these totals: all of it in the first stripe.
  std::vector<unsigned long long> stripes() const
  {
    std::vector<unsigned long long> words(EnergyBooks::kStripes * EnergyBooks::kWords, 0);
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      words[2 * e] = low(e);
      words[2 * e + 1] = high(e);
    }
    return words;
  }

private:
  int unit_ = -EnergyBooks::kUnitBits;
  std::array<__int128, kBookedEnergies> sum_{};
};

} // namespace dem
