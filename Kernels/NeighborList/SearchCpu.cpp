// CandidateSearch on the CPU.
#include "Core/CpuExec.h"
#include "NeighborList/detail/CandidateSearchImpl.cuh"

namespace dem
{

template class CandidateSearch<CpuExec>;

} // namespace dem
