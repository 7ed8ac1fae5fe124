#include "Core/CudaExec.cuh"
#include "MaterialPoint/detail/CudaFace.h"
#include "MaterialPoint/detail/MatrixBatchImpl.cuh"
#include "MaterialPoint/MpmEngineImpl.cuh"

namespace mpm
{

std::unique_ptr<Engine> makeCudaEngine(const Scene& scene, const dem::Device& device)
{
  if (scene.precision == Precision::Double)
    return std::make_unique<EngineImpl<dem::CudaExec, double>>(scene, device, device.ordinal);
  return std::make_unique<EngineImpl<dem::CudaExec, float>>(scene, device, device.ordinal);
}

MatrixBatch<float> decomposeMatricesCuda(
  const dem::Device& device, const std::vector<float>& matrices)
{
  dem::CudaExec exec(device.ordinal);
  return decomposeMatricesOn(exec, matrices);
}
MatrixBatch<double> decomposeMatricesCuda(
  const dem::Device& device, const std::vector<double>& matrices)
{
  dem::CudaExec exec(device.ordinal);
  return decomposeMatricesOn(exec, matrices);
}

} // namespace mpm
