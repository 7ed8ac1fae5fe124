// CellAverage on the CPU: instantiates CellAverageOn.cuh.
#include "Analysis/CellAverageOn.cuh"
#include "Core/CpuExec.h"

namespace dem
{

std::unique_ptr<CellAverageEngine> makeCpuCellAverage(const Device& device)
{
  return std::make_unique<CellAverageOn<CpuExec>>(device.threads);
}

} // namespace dem
