#include "Core/CpuExec.h"
#include "MaterialPoint/MpmEngineImpl.cuh"

namespace mpm
{

std::unique_ptr<Engine> Engine::makeCpu(const Scene& scene, const dem::Device& device)
{
  return dem::makeInPrecision<Engine, dem::CpuExec, EngineImpl>(scene, device, device.threads);
}

} // namespace mpm
