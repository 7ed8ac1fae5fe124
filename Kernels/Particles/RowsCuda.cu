// Instantiates the CUDA kernels that build rows of candidates and reorder columns (GatherState) on
// the way. A file of its own, since they take long to compile.
#include "Core/CudaExec.cuh"
#include "NeighborList/detail/CandidateSearchImpl.cuh"
#include "Particles/GatherState.cuh"

namespace dem
{

template bool CandidateSearch<CudaExec>::queueRows(
  const NewRows&, const OldRows<float>&, const GatherState<float>&, bool);
template bool CandidateSearch<CudaExec>::queueRows(
  const NewRows&, const OldRows<double>&, const GatherState<double>&, bool);

} // namespace dem
