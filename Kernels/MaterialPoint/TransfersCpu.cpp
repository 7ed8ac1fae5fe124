#include "Core/CpuExec.h"
#include "MaterialPoint/TransferBenchImpl.cuh"

// The CPU's backend of Thrust in every build, as in Core/AlgorithmsCpu.cpp.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB

#include <thrust/system/tbb/execution_policy.h>
#include <thrust/transform_reduce.h>

#include <functional>

namespace mpm
{

namespace detail
{
template <class Real>
void reduceLengths(dem::CpuExec& exec, const Vec4<Real>* vectors, std::size_t n, Real* sum)
{
  exec.inArena([&] {
    *sum = thrust::transform_reduce(
      thrust::tbb::par, vectors, vectors + n, LengthOf<Real>{}, Real(0), std::plus<Real>());
  });
}
template void reduceLengths(dem::CpuExec&, const Vec4<float>*, std::size_t, float*);
template void reduceLengths(dem::CpuExec&, const Vec4<double>*, std::size_t, double*);
} // namespace detail

std::unique_ptr<TransferBench::Body> makeCpuTransferBody(const TransferCase& what, int threads)
{
  return detail::makeTransferBody<dem::CpuExec>(what, threads);
}

} // namespace mpm
