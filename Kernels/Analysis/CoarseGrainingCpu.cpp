#include "Analysis/CoarseGrainingOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{

std::unique_ptr<CoarseGrainingEngine> makeCpuCoarseGraining(const Device& device)
{
  return std::make_unique<CoarseGrainingOn<CpuExec>>(device.threads);
}

} // namespace dem
