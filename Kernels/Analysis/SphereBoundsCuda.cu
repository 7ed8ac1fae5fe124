// sphereBounds on a CUDA device.
#include "Core/CudaExec.cuh"

#include "Analysis/SphereBoundsOn.cuh"

namespace dem
{
namespace detail
{

SphereBounds sphereBoundsOnCuda(const Grains& grains, const Device& device)
{
  CudaExec exec(device.ordinal, DeviceMemory::Pooled);
  return sphereBoundsOn(exec, grains);
}

} // namespace detail
} // namespace dem
