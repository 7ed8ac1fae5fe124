// The few calls of the CUDA runtime that host sources need; defined in DeviceCuda.cu, in builds
// with CUDA only.
#pragma once

#include <cstddef>
#include <string>

namespace dem
{
namespace detail
{
std::string cudaUnavailableReason();
std::string cudaDeviceName(int ordinal);
void* cudaAllocatePinned(std::size_t bytes); // nullptr when it cannot be had
void cudaFreePinned(void* p);
} // namespace detail
} // namespace dem
