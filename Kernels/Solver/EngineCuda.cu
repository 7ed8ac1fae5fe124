// Instantiates the solver for CUDA, in both precisions.
#include "Core/CudaExec.cuh"
#include "Solver/SimulationOn.cuh"

namespace dem
{

extern template class FlowSolver<CudaExec>; // Fluid/FlowSolverCuda.cu

std::unique_ptr<SimulationBackend> SimulationBackend::makeCuda(
  const Scene& scene, const Device& device)
{
  return makeInPrecision<SimulationBackend, CudaExec, SimulationOn>(scene, device, device.ordinals);
}

} // namespace dem
