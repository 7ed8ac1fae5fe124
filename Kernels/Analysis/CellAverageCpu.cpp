#include "Analysis/detail/CellAverageImpl.cuh"
#include "Core/CpuExec.h"

namespace dem
{

std::unique_ptr<CellAverageEngine> makeCpuCellAverage(const Device& device)
{
  return std::make_unique<CellAverageImpl<CpuExec>>(device.threads);
}

} // namespace dem
