#include "Core/CudaExec.cuh"
#include "MaterialPoint/detail/CudaFace.h"
#include "MaterialPoint/detail/MatrixBatchImpl.cuh"
#include "MaterialPoint/MpmEngineImpl.cuh"

namespace mpm
{

std::unique_ptr<Engine> Engine::makeCuda(const Scene& scene, const dem::Device& device)
{
  return dem::makeInPrecision<Engine, dem::CudaExec, EngineImpl>(scene, device, device.ordinal);
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
