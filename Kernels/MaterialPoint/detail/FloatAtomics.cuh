// Atomic additions of floating-point numbers. Their order, and so the rounding of the sum, varies
// between runs: the default path of the solver does not use them.
#pragma once

#include "MaterialPoint/SmallMatrix.cuh"

#include <cstring>

namespace mpm
{

namespace detail
{

/// *to += x, in the order of arrival.
DEM_HD void atomicSum(float* to, float x)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(to, x);
#else
  unsigned seen, next;
  __atomic_load(reinterpret_cast<unsigned*>(to), &seen, __ATOMIC_RELAXED);
  do
  {
    float sum;
    std::memcpy(&sum, &seen, sizeof sum);
    sum += x;
    std::memcpy(&next, &sum, sizeof sum);
  }
  while (!__atomic_compare_exchange(
    reinterpret_cast<unsigned*>(to), &seen, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#endif
}
DEM_HD void atomicSum(double* to, double x)
{
#if defined(__CUDA_ARCH__)
  atomicAdd(to, x);
#else
  unsigned long long seen, next;
  __atomic_load(reinterpret_cast<unsigned long long*>(to), &seen, __ATOMIC_RELAXED);
  do
  {
    double sum;
    std::memcpy(&sum, &seen, sizeof sum);
    sum += x;
    std::memcpy(&next, &sum, sizeof sum);
  }
  while (!__atomic_compare_exchange(reinterpret_cast<unsigned long long*>(to), &seen, &next, true,
    __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#endif
}
template <class Real>
DEM_HD void atomicSum(Vec4<Real>* to, const Vec4<Real>& x)
{
  atomicSum(&to->x, x.x);
  atomicSum(&to->y, x.y);
  atomicSum(&to->z, x.z);
  atomicSum(&to->w, x.w);
}

} // namespace detail
} // namespace mpm
