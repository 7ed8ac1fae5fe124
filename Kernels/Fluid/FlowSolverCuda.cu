// Instantiates the flow solver for CUDA, apart from the solver of the grains, whose compilation is
// long enough without it.
#include "Core/CudaExec.cuh"
#include "Fluid/FlowSolver.cuh"

namespace dem
{

template class FlowSolver<CudaExec>;

} // namespace dem
