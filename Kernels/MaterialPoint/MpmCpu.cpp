#include "Core/CpuExec.h"
#include "MaterialPoint/detail/CudaFace.h"
#include "MaterialPoint/detail/MatrixBatchImpl.cuh"
#include "MaterialPoint/MpmEngineImpl.cuh"

namespace mpm
{

std::unique_ptr<Engine> makeCpuEngine(const Scene& scene, const dem::Device& device)
{
  if (scene.precision == Precision::Double)
    return std::make_unique<EngineImpl<dem::CpuExec, double>>(scene, device, device.threads);
  return std::make_unique<EngineImpl<dem::CpuExec, float>>(scene, device, device.threads);
}

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
