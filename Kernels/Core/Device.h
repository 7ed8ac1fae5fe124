// Choice of the processor that runs a simulation.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

class RankChannel; // Core/RankChannel.h

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
  int parts = 1;    ///< a run is divided among so many devices
  /// CUDA device of each part, the first one being `ordinal`; empty on the CPU.
  std::vector<int> ordinals;
  bool peer_access = true;      ///< the devices may read each other's memory where they can
  RankChannel* ranks = nullptr; ///< processes that share a run, one part each; null: only this one
};

/// Devices of a run.
struct RunOptions
{
  DeviceKind device = DeviceKind::Auto;
  int threads = 0;       ///< number of CPU threads, 0 = all
  int device_number = 0; ///< the CUDA device, or the first one of several
  int devices = 1;       ///< CUDA devices that share the run; 0: one for each 500,000 particles
  /// For tests: the parts share one device, or the CPU.
  bool parts_on_one = false;
  /// For tests: false copies between devices that could read each other's memory.
  bool peer_access = true;
  /// The processes that share the run, each with its own device or threads; null: only this one.
  /// All of them make the same run and call its functions together. It must outlive the run.
  RankChannel* ranks = nullptr;
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
/// The same for a run of `particles`. Throws dem::Error if there are fewer devices.
Device chooseDevice(const RunOptions& options, std::size_t particles);

/// Parses "Auto", "CPU" or "CUDA"; throws dem::Error that lists these names.
DeviceKind deviceKindFromName(const std::string& name);

/// Empty if a CUDA device can be used, else the reason (built without CUDA, no driver, no device).
std::string cudaUnavailableReason();

} // namespace dem
