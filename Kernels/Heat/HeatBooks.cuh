// Heat totals of a run in device memory: integers, so that their bits do not depend on the order of
// the terms (as EnergyBooks.cuh). Used by HeatStage.cuh.
#pragma once

#include "Core/Array.h"
#include "Particles/EnergyBooks.cuh"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem
{

/// Totals in units of 2^unit J, two words each (low, high): the dissipated energy that grains
/// received; of each wall element, the heat that it gave to grains; the same in the last step of
/// the temperatures.
struct HeatTotals
{
  unsigned long long* words;
  double per_joule;     // high units of EnergySum per joule
  std::size_t elements; // of walls

  static constexpr std::size_t kDissipated = 0;
  DEM_HD static std::size_t ofElement(std::size_t element) { return 1 + element; }
  DEM_HD std::size_t ofLastStep(std::size_t element) const { return 1 + elements + element; }

  /// Adds a heat (J) to total k, atomically.
  DEM_HD void add(std::size_t k, double joule) const
  {
    EnergySum sum;
    sum.add(joule * per_joule);
    EnergyBooks::finish(EnergyBooks::begin(words + 2 * k, sum));
  }
};

/// Owner of the totals.
template <class Exec>
class HeatBooks
{
public:
  explicit HeatBooks(Exec& exec)
    : exec_(exec)
  {
  }

  /// Sets all totals to zero. Single terms must not exceed `scale` (J) by much.
  void open(double scale, std::size_t elements)
  {
    unit_ = (scale > 0 && scale < 1e300 ? std::ilogb(scale) + 1 : 0) - EnergyBooks::kUnitBits;
    elements_ = elements;
    words_.assign(std::vector<unsigned long long>(2 * (1 + 2 * elements), 0));
  }
  /// Sets the totals of the last step to zero.
  void beginStep()
  {
    exec_.zero(words_.data() + 2 * (1 + elements_), 2 * elements_ * sizeof(unsigned long long));
  }

  HeatTotals view()
  {
    return { words_.data(), std::ldexp(1., -(unit_ + EnergySum::kLowBits)), elements_ };
  }

  /// Unit and words, for saved states.
  int unit() const { return unit_; }
  std::vector<unsigned long long> words() const { return words_.host(); }
  std::size_t size() const { return words_.size(); }
  void set(int unit, const std::vector<unsigned long long>& words)
  {
    unit_ = unit;
    words_.assign(words);
  }

  /// Adds the words of another part of the run.
  static void add(
    std::vector<unsigned long long>& words, const std::vector<unsigned long long>& of_part)
  {
    for (std::size_t k = 0; k < words.size(); k += 2)
    {
      words[k] += of_part[k];
      words[k + 1] += of_part[k + 1] + (words[k] < of_part[k] ? 1 : 0);
    }
  }

  /// Sum of `count` totals from total k on (J) in `words`; exact, so that their order has no
  /// effect.
  double joule(
    const std::vector<unsigned long long>& words, std::size_t k, std::size_t count = 1) const
  {
    unsigned __int128 sum = 0;
    for (std::size_t of = k; of < k + count; ++of)
      sum += static_cast<unsigned __int128>(words[2 * of + 1]) << 64 | words[2 * of];
    return std::ldexp(static_cast<double>(static_cast<__int128>(sum)), unit_);
  }

private:
  Exec& exec_;
  int unit_ = 0;
  std::size_t elements_ = 0;
  Array<unsigned long long, Exec> words_{ exec_ };
};

} // namespace dem
