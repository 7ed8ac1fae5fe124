// Refusals of grids and points for which memory does not suffice.
#pragma once

#include "Core/Error.h"
#include "MaterialPoint/MpmScene.h"

#include <cstdint>
#include <string>

namespace mpm
{

inline std::string mebibytes(double bytes)
{
  return std::to_string(static_cast<std::uint64_t>(bytes / 1048576)) + " MiB";
}

/// Throws if a grid of `bytes` exceeds Scene::memory_limit.
inline void requireWithinLimit(const Scene& scene, double bytes)
{
  if (scene.memory_limit > 0 && bytes > scene.memory_limit)
    throw dem::Error("GridSpacing " + std::to_string(scene.grid_spacing) +
      " m makes a grid that is too large for the device: it takes " + mebibytes(bytes + 1048575) +
      ", MemoryLimit is " + mebibytes(scene.memory_limit) +
      ". Use a larger spacing or a smaller domain.");
}

/// Throws if the device has less than `bytes` of free memory. `what` names the arrays. Does nothing
/// on the CPU.
template <class Exec>
void requireMemory(double bytes, const std::string& what)
{
#if defined(__CUDACC__)
  if constexpr (Exec::kDevice)
  {
    std::size_t free = 0, all = 0;
    if (cudaMemGetInfo(&free, &all) == cudaSuccess && bytes > static_cast<double>(free))
      throw dem::Error(what + " would take " + mebibytes(bytes + 1048575) +
        " more of the device, " + mebibytes(static_cast<double>(free)) + " of " +
        mebibytes(static_cast<double>(all)) +
        " are free. Use a larger GridSpacing, fewer points, Precision Single, or Device = CPU.");
  }
#else
  (void)bytes, (void)what;
#endif
}

} // namespace mpm
