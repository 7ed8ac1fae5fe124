// Instantiates the solver for CUDA, in both precisions.
#include "Core/CudaExec.cuh"
#include "Solver/SimulationOn.cuh"

namespace dem
{

std::unique_ptr<SimulationBackend> makeCudaBackend(const Scene& scene, const Device& device)
{
  if (scene.precision == Precision::Double)
    return std::make_unique<SimulationOn<CudaExec, double>>(scene, device, device.ordinal);
  return std::make_unique<SimulationOn<CudaExec, float>>(scene, device, device.ordinal);
}

} // namespace dem
