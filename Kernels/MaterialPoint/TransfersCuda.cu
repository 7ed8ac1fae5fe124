#include "Core/CudaExec.cuh"
#include "MaterialPoint/TransferBenchImpl.cuh"

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/transform_iterator.h>

namespace mpm
{

namespace detail
{
template <class Real>
void reduceLengths(dem::CudaExec& exec, const Vec4<Real>* vectors, std::size_t n, Real* sum)
{
  const auto lengths = thrust::make_transform_iterator(vectors, LengthOf<Real>{});
  std::size_t bytes = 0;
  dem::checkCuda(
    cub::DeviceReduce::Sum(nullptr, bytes, lengths, sum, n, exec.stream()), "reducing");
  void* workspace = exec.workspace(bytes + 256);
  dem::checkCuda(
    cub::DeviceReduce::Sum(workspace, bytes, lengths, sum, n, exec.stream()), "reducing");
}
template void reduceLengths(dem::CudaExec&, const Vec4<float>*, std::size_t, float*);
template void reduceLengths(dem::CudaExec&, const Vec4<double>*, std::size_t, double*);
} // namespace detail

std::unique_ptr<TransferBench::Body> makeCudaTransferBody(const TransferCase& what, int ordinal)
{
  return detail::makeTransferBody<dem::CudaExec>(what, ordinal);
}

} // namespace mpm
