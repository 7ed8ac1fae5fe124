// CoarseGraining on the CPU: instantiates CoarseGrainingOn.cuh.
#include "Analysis/CoarseGrainingOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{

std::unique_ptr<CoarseGrainingEngine> makeCpuCoarseGraining(const Device& device)
{
  return std::make_unique<CoarseGrainingOn<CpuExec>>(device.threads);
}

} // namespace dem
