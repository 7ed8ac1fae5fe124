#include "Core/Device.h"

#include "Core/CpuLevel.h"
#include "Core/Error.h"
#include "Core/RankChannel.h"
#include "Core/detail/CudaRuntime.h"

#include <tbb/info.h>

#include <algorithm>
#include <thread>

namespace dem
{

DeviceKind deviceKindFromName(const std::string& name)
{
  if (name == "Auto")
    return DeviceKind::Auto;
  if (name == "CPU")
    return DeviceKind::CPU;
  if (name == "CUDA")
    return DeviceKind::CUDA;
  throw Error("Device '" + name + "' is not known. Known devices: Auto, CPU, CUDA.");
}

std::string cudaUnavailableReason()
{
#if defined(PARAGRAIN_HAVE_CUDA)
  return detail::cudaUnavailableReason();
#else
  return "this build has no CUDA backend (configure with -DPARAGRAIN_CUDA=ON)";
#endif
}

Device chooseDevice(DeviceKind kind, int threads)
{
  if (threads < 0)
    throw Error(
      "The number of threads is " + std::to_string(threads) + "; it must be 0 (all) or more.");
  const std::string reason = kind == DeviceKind::CPU ? std::string("-") : cudaUnavailableReason();
  if (kind == DeviceKind::CUDA && !reason.empty())
    throw Error("Device is CUDA, but no CUDA device can be used: " + reason +
      ". Set Device to Auto or CPU to run on the CPU.");
  Device device;
  device.threads = threads > 0 ? threads : tbb::info::default_concurrency();
  if (kind != DeviceKind::CPU && reason.empty())
  {
    device.kind = DeviceKind::CUDA;
#if defined(PARAGRAIN_HAVE_CUDA)
    device.name = "CUDA: " + detail::cudaDeviceName(device.ordinal);
#endif
  }
  else
  {
    device.kind = DeviceKind::CPU;
    const std::string level = cpuLevelName();
    device.name = "CPU (" + std::to_string(device.threads) +
      (device.threads == 1 ? " thread" : " threads") + (level.empty() ? "" : ", " + level) + ")";
  }
  return device;
}

Device chooseDevice(const RunOptions& options, std::size_t particles)
{
  Device device = chooseDevice(options.device, options.threads);
  device.peer_access = options.peer_access;
  if (options.ranks && options.ranks->ranks() > 1)
  {
    device.ranks = options.ranks;
    if (options.devices > 1)
      throw Error("Devices is " + std::to_string(options.devices) + ", but " +
        std::to_string(options.ranks->ranks()) +
        " processes share the run, with one device each. Set Devices to 1.");
  }
  if (options.devices < 0)
    throw Error(
      "Devices is " + std::to_string(options.devices) + "; it must be 0 (automatic), 1 or more.");
  if (options.parts_on_one)
  {
    device.parts = options.devices;
    if (device.kind == DeviceKind::CUDA)
      device.ordinals.assign(device.parts, device.ordinal);
    return device;
  }
  if (device.kind == DeviceKind::CPU)
  {
    // processes of one host share its processors, unless each is bound to its own
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    if (device.ranks && options.threads == 0 && device.threads >= processors)
    {
      device = chooseDevice(DeviceKind::CPU, std::max(1, processors / device.ranks->ranks()));
      device.ranks = options.ranks;
    }
    if (options.devices > 1)
      throw Error("Devices is " + std::to_string(options.devices) +
        ", but the run is on the CPU: several devices are CUDA devices. Set Devices to 1; the "
        "CPU's threads share a run by themselves.");
    return device;
  }
#if defined(PARAGRAIN_HAVE_CUDA)
  constexpr std::size_t kPays = 500000; // particles a device, from which a further one pays
  const int count = detail::cudaDeviceCount();
  if (options.device_number < 0 || options.device_number >= count)
    throw Error("Device Number is " + std::to_string(options.device_number) +
      ", but the CUDA devices of this machine have the numbers 0 to " + std::to_string(count - 1) +
      ".");
  if (device.ranks)
  {
    // ranks of one host share its devices
    device.ordinal = (options.device_number + device.ranks->rank()) % count;
    device.name = "CUDA: " + detail::cudaDeviceName(device.ordinal);
    device.ordinals.assign(1, device.ordinal);
    return device;
  }
  const int there = count - options.device_number;
  if (options.devices > there)
    throw Error("Devices is " + std::to_string(options.devices) + ", but there " +
      (there == 1 ? "is 1 CUDA device" : "are " + std::to_string(there) + " CUDA devices") +
      (options.device_number
          ? " from Device Number " + std::to_string(options.device_number) + " on"
          : std::string()) +
      ". Set Devices to at most " + std::to_string(there) + ", or to 0 (automatic).");
  device.ordinal = options.device_number;
  device.parts = options.devices > 0
    ? options.devices
    : static_cast<int>(std::min<std::size_t>(there, std::max<std::size_t>(1, particles / kPays)));
  device.name = "CUDA: " + detail::cudaDeviceName(device.ordinal);
  if (device.parts > 1)
    device.name = std::to_string(device.parts) + " x " + device.name;
  for (int p = 0; p < device.parts; ++p)
    device.ordinals.push_back(device.ordinal + p);
#else
  static_cast<void>(particles);
#endif
  return device;
}

} // namespace dem
