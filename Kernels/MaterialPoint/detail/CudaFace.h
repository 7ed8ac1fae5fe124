// Functions of MpmCuda.cu that host sources call, in builds with CUDA only.
#pragma once

#include "MaterialPoint/MatrixBatch.h"

namespace mpm
{

MatrixBatch<float> decomposeMatricesCuda(
  const dem::Device& device, const std::vector<float>& matrices);
MatrixBatch<double> decomposeMatricesCuda(
  const dem::Device& device, const std::vector<double>& matrices);

} // namespace mpm
