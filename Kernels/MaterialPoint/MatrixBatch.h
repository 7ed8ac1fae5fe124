// Decompositions of many 3 x 3 matrices on a device, as the solver computes them for each point.
// For tests and timings.
#pragma once

#include "Core/Device.h"

#include <cstddef>
#include <vector>

namespace mpm
{

/// Matrices by rows, nine numbers each; three singular values each. See SmallMatrix.cuh for the
/// convention.
template <class Real>
struct MatrixBatch
{
  std::vector<Real> u, v; ///< of the singular value decomposition
  std::vector<Real> singular;
  std::vector<Real> r, s;                ///< of the polar decomposition
  std::vector<Real> left, left_singular; ///< of the decomposition without v
  std::vector<Real>
    near; ///< the rotation by nearRotation (Constitutive.cuh), or zeros if it does not converge
};

/// Real is float or double.
template <class Real>
MatrixBatch<Real> decomposeMatrices(const dem::Device& device, const std::vector<Real>& matrices);

} // namespace mpm
