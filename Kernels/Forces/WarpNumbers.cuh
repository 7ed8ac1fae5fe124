// How a warp of a CUDA step changes signs, rounds, and stores integers in floating-point fields.
// Used by WarpOfStep.cuh.
#pragma once

#include "Core/Ptx.cuh"
#include "Core/Vec.h"

#include <cstdint>

namespace dem
{

template <class Real>
struct WarpNumbers
{
  /// Changes the sign of x if the highest bit of `sign` is set.
  __device__ static Real turned(Real x, std::uint32_t sign)
  {
    if constexpr (sizeof(Real) == 4)
      return __uint_as_float(__float_as_uint(x) ^ sign);
    else
      return __longlong_as_double(__double_as_longlong(x) ^
        static_cast<long long>(static_cast<unsigned long long>(sign) << 32));
  }

  __device__ static Vec3<Real> turned(const Vec3<Real>& v, std::uint32_t sign)
  {
    return { turned(v.x, sign), turned(v.y, sign), turned(v.z, sign) };
  }
  /// Rounds to nearest. Subnormal results may become zero, which does not matter for overlaps and
  /// normals.
  __device__ static Real rounded(double x)
  {
    if constexpr (sizeof(Real) == 4)
      return ptx::nearestFloat(x);
    else
      return x;
  }

  /// Integers stored in floating-point fields of shared memory.
  __device__ static Real asReal(std::uint32_t bits)
  {
    if constexpr (sizeof(Real) == 4)
      return __uint_as_float(bits);
    else
      return __longlong_as_double(bits);
  }

  __device__ static std::uint32_t asBits(Real x)
  {
    if constexpr (sizeof(Real) == 4)
      return __float_as_uint(x);
    else
      return static_cast<std::uint32_t>(__double_as_longlong(x));
  }
  /// Marker stored as the stiffness work of a contact whose energy the other particle books. It is
  /// a NaN that no law returns.
  __device__ static Real ofLower()
  {
    if constexpr (sizeof(Real) == 4)
      return __uint_as_float(~0u);
    else
      return __longlong_as_double(-1);
  }

  __device__ static bool isOfLower(Real x)
  {
    if constexpr (sizeof(Real) == 4)
      return __float_as_uint(x) == ~0u;
    else
      return __double_as_longlong(x) == -1;
  }
};

} // namespace dem
