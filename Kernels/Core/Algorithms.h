// Library algorithms behind one function each, with the same meaning on every device. Integers and
// exact minima only: floating-point sums never go through a library, whose order is not fixed (see
// Core/FixedSum.cuh).
#pragma once

#include "Core/Array.h"
#include "Core/Vec.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

class CpuExec;
class CudaExec;

/// A particle that left the simulation waits at this x until the next rebuild drops it; see isGone.
constexpr double kGone = 1e150;

DEM_HD bool isGone(double x) { return x >= kGone; }

#define DEM_DECLARE_ALGORITHMS(Exec)                                                               \
  /** Stable sort of (key, value) pairs by keys of `bits` bits; `*_other` is scratch of the same   \
   * size, which a device uses. */                                                                 \
  void sortPairs(Exec& exec, std::uint32_t* keys, std::uint32_t* keys_other,                       \
    std::uint32_t* values, std::uint32_t* values_other, std::size_t n, int bits);                  \
  void sortPairs(Exec& exec, std::uint64_t* keys, std::uint64_t* keys_other,                       \
    std::uint32_t* values, std::uint32_t* values_other, std::size_t n, int bits);                  \
  /** offsets[i] = counts[0] + .. + counts[i-1] for i in [0, n], 2^32 - 1 from where a sum passes  \
   * it. Does not wait. */                                                                         \
  void queueScan(Exec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n);  \
  /** The same; waits for the total and gives it back. */                                          \
  std::uint64_t scanCounts(                                                                        \
    Exec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n);               \
  /** box[0], box[1]: the corners of n points, exact; gone ones do not count (none left: lower >   \
   * upper). Does not wait. */                                                                     \
  void queueBounds(Exec& exec, const Vec4<double>* points, std::size_t n, Vec3d* box);

DEM_DECLARE_ALGORITHMS(CpuExec)
DEM_DECLARE_ALGORITHMS(CudaExec)
#undef DEM_DECLARE_ALGORITHMS

/// The same box, waited for.
template <class Exec>
void boundingBox(Exec& exec, const Vec4<double>* points, std::size_t n, Vec3d& lower, Vec3d& upper)
{
  Array<Vec3d, Exec> box(exec);
  box.resize(2);
  queueBounds(exec, points, n, box.data());
  const std::vector<Vec3d> corners = box.host();
  lower = corners[0];
  upper = corners[1];
}

/// The total of a scan as it was read back; throws when it passes 2^32 - 4097.
std::uint64_t checkedTotal(std::uint32_t total);

} // namespace dem
