#include "Core/CudaExec.cuh"
#include "NeighborList/detail/CandidateSearchImpl.cuh"

namespace dem
{

template class CandidateSearch<CudaExec>;
template bool CandidateSearch<CudaExec>::queueRows(const NewRows&, const OldRows<float>&, bool);
template bool CandidateSearch<CudaExec>::queueRows(const NewRows&, const OldRows<double>&, bool);

} // namespace dem
