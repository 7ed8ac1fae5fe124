// Totals of dissipated energy, stiffness work and wall work of the whole system, summed on the
// device by the force kernels. EnergyTotals.cuh reads them on the host.
//
// The sums are integers. Their bits do not depend on the order of the terms (threads, blocks,
// packs, order in memory, skin). A small term is never lost in a large total.
//
// A total has 128 bits. Its unit is 2^-88 of the scene's energy scale, m (r / dt)^2, which belongs
// to a grain that crosses its own radius in one step. Single terms do not exceed this scale by
// much. The smallest term that counts is 1e-26 of the scale; the largest total is 5e11 scales.
#pragma once

#include "Core/HostDevice.h"
#if defined(__CUDACC__)
#include "Core/Ptx.cuh"
#endif

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Energies that have a total. The values are indices, also in saved states.
enum class BookedEnergy : unsigned
{
  Dissipated = 0,
  StiffnessWork = 1,
  WallWork = 2
};
constexpr unsigned kBookedEnergies = 3;

/// Sum of at most kTerms terms, high * 2^48 + low units. It must then be booked, before `low` can
/// overflow.
struct EnergySum
{
  long long high = 0, low = 0;

  static constexpr int kLowBits = 48;
  static constexpr unsigned kTerms = 1u << 14;
  static constexpr double kLargest =
    281474976710656.; // 2^48 high units = 2^8 scales; larger terms and NaN are clamped, since
                      // other checks report the failed particle

  /// Adds a term of `x` high units, rounded to one unit and clamped to +-kLargest.
  DEM_HD void add(double x)
  {
    x = x < kLargest ? (x > -kLargest ? x : -kLargest) : kLargest;
    const long long whole = static_cast<long long>(x);
    high += whole;
    low += static_cast<long long>((x - static_cast<double>(whole)) * 281474976710656.);
  }
  DEM_HD EnergySum& operator+=(const EnergySum& o)
  {
    high += o.high;
    low += o.low;
    return *this;
  }
  DEM_HD bool isZero() const { return high == 0 && low == 0; }
};

/// One sum for each BookedEnergy, of one particle or several, in one step.
struct EnergySums
{
  EnergySum of[kBookedEnergies];

  DEM_HD EnergySum& operator[](BookedEnergy e) { return of[static_cast<unsigned>(e)]; }
  DEM_HD EnergySums& operator+=(const EnergySums& o)
  {
    for (unsigned e = 0; e < kBookedEnergies; ++e)
      of[e] += o.of[e];
    return *this;
  }
};

/// Totals in device memory. A total is the sum of kStripes stripes; different blocks write to
/// different stripes, which reduces contention of the atomic additions.
struct EnergyBooks
{
  static constexpr unsigned kStripes = 64; // a power of two
  static constexpr std::size_t kWords =
    8; // of a stripe: (low, high) of each total, padded to a cache line of 64 bytes

  unsigned long long* stripes;
  double per_joule; // high units per joule

  static constexpr int kUnitBits = 88; // unit = 2^-kUnitBits scales

  /// Adds a sum to a total, atomically. On CUDA, if all 32 lanes of a warp call it together, they
  /// are summed first and one lane adds.
  DEM_HD void book(unsigned stripe, BookedEnergy energy, EnergySum sum) const
  {
#if defined(__CUDA_ARCH__)
    if (__activemask() == 0xffffffffu)
    {
      if (__all_sync(0xffffffffu, sum.isZero()))
        return;
      sum = { sumOfWarp(sum.high), sumOfWarp(sum.low) };
      if (ptx::laneOfWarp() != 0)
        return;
    }
#endif
    add(stripe, static_cast<unsigned>(energy), sum);
  }
  DEM_HD void book(unsigned stripe, const EnergySums& sums) const
  {
    for (unsigned e = 0; e < kBookedEnergies; ++e)
      book(stripe, static_cast<BookedEnergy>(e), sums.of[e]);
  }
  /// Unfinished addition: the low word is added, the high word and the carry are not. `before` is
  /// the low word before the addition.
  struct Entry
  {
    unsigned long long *total, low, before, high; // total null: nothing to finish
  };
#if defined(__CUDA_ARCH__)
  /// Starts to book one term (J) per lane for each of two energies; lanes 0 and 1 add the sums of
  /// the warp. All 32 lanes must call it, and finish() the returned entry. Work done between the
  /// two calls hides the latency of the atomic addition.
  __device__ Entry beginOfWarp(unsigned stripe, double dissipated, double stiffness_work) const
  {
    EnergySum a, b;
    a.add(dissipated * per_joule);
    b.add(stiffness_work * per_joule);
    a = { termsOfWarp(a.high), termsOfWarp(a.low) };
    b = { termsOfWarp(b.high), termsOfWarp(b.low) };
    const unsigned lane = ptx::laneOfWarp();
    if (lane < 2)
      return begin(stripe,
        static_cast<unsigned>(lane == 0 ? BookedEnergy::Dissipated : BookedEnergy::StiffnessWork),
        lane == 0 ? a : b);
    return {};
  }
#endif
  /// Starts to add a sum to a total of two words.
  DEM_HD static Entry begin(unsigned long long* total, EnergySum sum)
  {
    if (sum.isZero())
      return {};
    unsigned long long high;
    const unsigned long long low = words(sum, high);
    return { total, low, low ? add(total, low) : 0, high };
  }
  /// Adds a sum to a total whose two words lie apart, atomically.
  DEM_HD static void addApart(
    unsigned long long* low_word, unsigned long long* high_word, EnergySum sum)
  {
    if (sum.isZero())
      return;
    unsigned long long high;
    const unsigned long long low = words(sum, high);
    const unsigned long long before = low ? add(low_word, low) : 0;
    high += before + low < before ? 1u : 0u;
    if (high)
      add(high_word, high);
  }
  /// Adds the high word and the carry of a started addition.
  DEM_HD static void finish(const Entry& e)
  {
    if (!e.total)
      return;
    const unsigned long long high = e.high + (e.before + e.low < e.before ? 1u : 0u);
    if (high)
      add(e.total + 1, high);
  }

private:
  // Low word of high * 2^48 + low; sets the high word. The carry of the total follows from its
  // previous low word.
  DEM_HD static unsigned long long words(EnergySum sum, unsigned long long& high)
  {
    constexpr int kLow = EnergySum::kLowBits;
    const unsigned long long shifted = static_cast<unsigned long long>(sum.high) << kLow;
    const unsigned long long low = shifted + static_cast<unsigned long long>(sum.low);
    high = static_cast<unsigned long long>(sum.high >> (64 - kLow)) + (low < shifted ? 1u : 0u);
    if (sum.low < 0)
      --high;
    return low;
  }
  DEM_HD void add(unsigned stripe, unsigned energy, EnergySum sum) const
  {
    finish(begin(stripe, energy, sum));
  }
  DEM_HD Entry begin(unsigned stripe, unsigned energy, EnergySum sum) const
  {
    return begin(stripes + (stripe & (kStripes - 1)) * kWords + 2 * energy, sum);
  }
#if defined(__CUDA_ARCH__)
  // Sum over a warp of single terms, which have 49 bits, in two pieces.
  __device__ static long long termsOfWarp(long long x)
  {
#if __CUDA_ARCH__ >= 800
    constexpr int kBits = 26;
    const unsigned low =
      __reduce_add_sync(0xffffffffu, static_cast<unsigned>(x) & ((1u << kBits) - 1));
    const int high = __reduce_add_sync(0xffffffffu, static_cast<int>(x >> kBits));
    return (static_cast<long long>(high) << kBits) + low;
#else
    return sumOfWarp(x);
#endif
  }

  // Sum over a warp of arbitrary sums.
  __device__ static long long sumOfWarp(long long x)
  {
#if __CUDA_ARCH__ >= 800
    // pieces of 26 bits, whose sums over 32 lanes have 31 bits
    constexpr int kBits = 26;
    constexpr unsigned kPiece = (1u << kBits) - 1;
    const unsigned low = __reduce_add_sync(0xffffffffu, static_cast<unsigned>(x) & kPiece);
    const unsigned middle =
      __reduce_add_sync(0xffffffffu, static_cast<unsigned>(x >> kBits) & kPiece);
    const int high = __reduce_add_sync(0xffffffffu, static_cast<int>(x >> 2 * kBits));
    return (static_cast<long long>(high) << 2 * kBits) + (static_cast<long long>(middle) << kBits) +
      low;
#else
    for (int step = 16; step > 0; step /= 2)
      x += __shfl_xor_sync(0xffffffffu, x, step); // every lane receives the sum
    return x;
#endif
  }
#endif

  DEM_HD static unsigned long long add(unsigned long long* address, unsigned long long value)
  {
#if defined(__CUDA_ARCH__)
    return atomicAdd(address, value);
#else
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
  }
};

} // namespace dem
