// Instantiates the list kinds of the papers for CUDA, in both precisions, apart from the engine.
#include "Core/CudaExec.cuh"
#include "Forces/detail/KindListsImpl.cuh"

namespace dem
{

template class KindLists<CudaExec, double>;
template class KindLists<CudaExec, float>;

} // namespace dem
