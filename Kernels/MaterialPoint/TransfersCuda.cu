#include "Core/CudaExec.cuh"
#include "MaterialPoint/detail/TransferBenchImpl.cuh"

namespace mpm
{

std::unique_ptr<TransferBench::Body> makeCudaTransferBody(const TransferCase& what, int ordinal)
{
  return detail::makeTransferBody<dem::CudaExec>(what, ordinal);
}

} // namespace mpm
