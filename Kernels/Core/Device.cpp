#include "Core/Device.h"

#include "Core/CpuLevel.h"
#include "Core/Error.h"
#include "Core/detail/CudaRuntime.h"

#include <tbb/info.h>

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

} // namespace dem
