#include "MaterialPoint/MatrixBatch.h"

#include "Core/CpuExec.h"
#include "MaterialPoint/detail/CudaFace.h"
#include "MaterialPoint/detail/MatrixBatchImpl.cuh"

namespace mpm
{

template <class Real>
MatrixBatch<Real> decomposeMatrices(const dem::Device& device, const std::vector<Real>& matrices)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == dem::DeviceKind::CUDA)
    return decomposeMatricesCuda(device, matrices);
#endif
  dem::CpuExec exec(device.threads);
  return decomposeMatricesOn(exec, matrices);
}
template MatrixBatch<float> decomposeMatrices(const dem::Device&, const std::vector<float>&);
template MatrixBatch<double> decomposeMatrices(const dem::Device&, const std::vector<double>&);

} // namespace mpm
