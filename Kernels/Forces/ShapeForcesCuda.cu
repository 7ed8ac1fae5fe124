// Instantiates the forces of tablets and polyhedra for CUDA, in both precisions, apart from the
// engine.
#include "Core/CudaExec.cuh"
#include "Forces/ShapeBlocks.cuh"
#include "Forces/detail/ShapeForcesImpl.cuh"

namespace dem
{

template class ShapeForces<CudaExec, double>;
template class ShapeForces<CudaExec, float>;

} // namespace dem
