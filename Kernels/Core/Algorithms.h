// Library algorithms with the same interface and result on every device. Integers and exact minima
// only: libraries do not fix the order of floating-point sums (see Core/FixedSum.cuh).
#pragma once

#include "Core/Array.h"
#include "Core/Vec.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

class CpuExec;
class CudaExec;

/// x coordinate of a particle that left the simulation, until the next rebuild removes it; see
/// isGone.
constexpr double kGone = 1e150;

DEM_HD bool isGone(double x) { return x >= kGone; }

#define DEM_DECLARE_ALGORITHMS(Exec)                                                               \
  /** Stable sort of (key, value) pairs by keys of `bits` bits. `*_other` is scratch memory of the \
   * same size, used by a device. */                                                               \
  void sortPairs(Exec& exec, std::uint32_t* keys, std::uint32_t* keys_other,                       \
    std::uint32_t* values, std::uint32_t* values_other, std::size_t n, int bits);                  \
  void sortPairs(Exec& exec, std::uint64_t* keys, std::uint64_t* keys_other,                       \
    std::uint32_t* values, std::uint32_t* values_other, std::size_t n, int bits);                  \
  /** offsets[i] = counts[0] + .. + counts[i-1] for i in [0, n]; sums above 2^32 - 1 are stored as \
   * 2^32 - 1. Does not wait. */                                                                   \
  void queueScan(Exec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n);  \
  /** The same; waits for the total and returns it. Throws if it is too large (checkedTotal). */   \
  std::uint64_t scanCounts(                                                                        \
    Exec& exec, const std::uint32_t* counts, std::uint32_t* offsets, std::size_t n);               \
  /** box[0], box[1]: exact corners of n points, without removed ones (no points: lower > upper).  \
   * Does not wait. */                                                                             \
  void queueBounds(Exec& exec, const Vec4<double>* points, std::size_t n, Vec3d* box);

DEM_DECLARE_ALGORITHMS(CpuExec)
DEM_DECLARE_ALGORITHMS(CudaExec)
#undef DEM_DECLARE_ALGORITHMS

/// The corners of n points; waits for the result.
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

/// Returns the total of a scan; throws if it exceeds 2^32 - 4097.
std::uint64_t checkedTotal(std::uint32_t total);

} // namespace dem
