// Matrices of MPM as those of Eigen, and back.
#pragma once

#include "MaterialPoint/SmallMatrix.cuh"

#include <Eigen/Core>

namespace test
{

inline mpm::Matrix3<double> toMatrix(const Eigen::Matrix3d& m)
{
  return { { { m(0, 0), m(1, 0), m(2, 0) }, { m(0, 1), m(1, 1), m(2, 1) },
    { m(0, 2), m(1, 2), m(2, 2) } } };
}
inline Eigen::Matrix3d toEigen(const mpm::Matrix3<double>& m)
{
  Eigen::Matrix3d e;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      e(r, c) = m(r, c);
  return e;
}

} // namespace test
