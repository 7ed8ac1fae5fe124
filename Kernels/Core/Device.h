// Which processor a simulation runs on.
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

/// The device that was chosen: never `Auto`.
struct Device
{
  DeviceKind kind = DeviceKind::CPU;
  int ordinal = 0;  ///< CUDA device number
  std::string name; ///< for people: "CPU (2 threads)", "CUDA: NVIDIA H200"
  int threads = 0;  ///< CPU threads
};

/// Where an execution policy of CUDA has its memory from.
enum class DeviceMemory
{
  Plain, ///< allocations of its own: for what lives long
  Pooled ///< a pool of the process, which keeps up to 2 GiB that nobody uses: allocating and
         ///< freeing do not wait for the device
};

/// Resolves a request. `threads` = 0 takes all that the process may use.
/// Throws dem::Error when CUDA is asked for and cannot be had, with the reason.
Device chooseDevice(DeviceKind kind, int threads = 0);

/// "Auto", "CPU", "CUDA"; throws dem::Error that lists the known names.
DeviceKind deviceKindFromName(const std::string& name);

/// Empty when a CUDA device can be used, else why not (built without CUDA, no driver, no device).
std::string cudaUnavailableReason();

} // namespace dem
