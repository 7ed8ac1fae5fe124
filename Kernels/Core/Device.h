// Choice of the processor that runs a simulation.
#pragma once

#include <string>
#include <vector>

namespace dem
{

enum class DeviceKind
{
  Auto, ///< a working CUDA device if there is one, else the CPU
  CPU,
  CUDA
};

/// The chosen device; `kind` is never Auto.
struct Device
{
  DeviceKind kind = DeviceKind::CPU;
  int ordinal = 0;  ///< CUDA device number
  std::string name; ///< shown to the user: "CPU (2 threads, x86-64-v3)", "CUDA: NVIDIA H200"
  int threads = 0;  ///< CPU threads
};

/// Source of device memory of a CUDA execution policy.
enum class DeviceMemory
{
  Plain, ///< individual allocations, for long-lived data
  /// a pool of the process that keeps up to 2 GiB free; allocating and freeing does not wait
  Pooled
};

/// Resolves a request. `threads`: CPU threads, 0 for all that the process may use. Throws
/// dem::Error with the reason if CUDA is requested and not usable, or if `threads` is negative.
Device chooseDevice(DeviceKind kind, int threads = 0);

/// Parses "Auto", "CPU" or "CUDA"; throws dem::Error that lists these names.
DeviceKind deviceKindFromName(const std::string& name);

/// Empty if a CUDA device can be used, else the reason (built without CUDA, no driver, no device).
std::string cudaUnavailableReason();

} // namespace dem
