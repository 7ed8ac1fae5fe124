// CandidateSearch on CUDA.
#include "Core/CudaExec.cuh"
#include "NeighborList/detail/CandidateSearchImpl.cuh"

namespace dem
{

template class CandidateSearch<CudaExec>;

} // namespace dem
