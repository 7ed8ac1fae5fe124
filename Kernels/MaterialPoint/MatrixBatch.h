// Decompositions of many 3 x 3 matrices on a device: what the solver does point by point, for tests
// and timings.
#pragma once

#include "Core/Device.h"

#include <cstddef>
#include <vector>

namespace mpm
{

/// Row after row, nine numbers a matrix; three singular values. See SmallMatrix.cuh for the
/// convention.
template <class Real>
struct MatrixBatch
{
  std::vector<Real> u, v; ///< of the singular value decomposition
  std::vector<Real> singular;
  std::vector<Real> r, s;                ///< of the polar decomposition
  std::vector<Real> left, left_singular; ///< of the decomposition that leaves v out
  std::vector<Real>
    near; ///< the rotation of Constitutive.cuh's nearRotation, of zeros where it finds none
};

/// Real is float or double.
template <class Real>
MatrixBatch<Real> decomposeMatrices(const dem::Device& device, const std::vector<Real>& matrices);

} // namespace mpm
