// CUDA runtime calls needed by host sources. Defined in DeviceCuda.cu, in builds with CUDA only.
#pragma once

#include <cstddef>
#include <string>

namespace dem
{
namespace detail
{
/// Empty if a CUDA device can be used, else the reason.
std::string cudaUnavailableReason();
std::string cudaDeviceName(int ordinal);
int cudaDeviceCount();                       // 0 if they cannot be used
void* cudaAllocatePinned(std::size_t bytes); // null if not available
void cudaFreePinned(void* p);
} // namespace detail
} // namespace dem
