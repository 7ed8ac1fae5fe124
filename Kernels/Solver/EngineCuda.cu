// Instantiates the solver for CUDA, in both precisions.
#include "Core/CudaExec.cuh"
#include "Solver/SimulationOn.cuh"

namespace dem
{

// Instantiated in sources of their own: Fluid/FlowSolverCuda.cu, Forces/KindListsCuda.cu,
// Forces/ShapeForcesCuda.cu.
extern template class FlowSolver<CudaExec>;
extern template class KindLists<CudaExec, double>;
extern template class KindLists<CudaExec, float>;
extern template class ShapeForces<CudaExec, double>;
extern template class ShapeForces<CudaExec, float>;

std::unique_ptr<SimulationBackend> SimulationBackend::makeCuda(
  const Scene& scene, const Device& device)
{
  return makeInPrecision<SimulationBackend, CudaExec, SimulationOn>(scene, device, device.ordinals);
}

} // namespace dem
