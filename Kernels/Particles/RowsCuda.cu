// The rows of lists, made by those who bring the rest of the state into the new order: apart, since
// it takes a compiler long.
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
