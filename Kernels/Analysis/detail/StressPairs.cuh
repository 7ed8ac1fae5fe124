// The stress of material points as pairs of forces, so that averages over contacts apply to them.
// Used by Continuum.cpp on the host and by DeviceFrameOn.cuh.
#pragma once

#include "Core/HostDevice.h"

#include <cstddef>
#include <cstdint>

namespace dem
{
namespace detail
{

/// Writes three pairs of forces per point, one per axis k: the force V sigma e_k / l acts over a
/// branch of length l along the axis, centred at the point. The three pairs add up to V sigma. V is
/// the volume of the point's sphere, l the edge of a cube of volume V. Only products and quotients
/// occur, so the bits are the same on every device.
template <class Stress>
struct StressPairs
{
  const double *position, *radius;
  const Stress* stress; // 6 per point, xx yy zz xy yz xz, Pa; null: forces are unknown
  std::int64_t *first, *second;
  double *first_place, *second_place, *force;

  DEM_HD void operator()(std::uint32_t i) const
  {
    constexpr int entry[3][3] = { { 0, 3, 5 }, { 3, 1, 4 }, { 5, 4, 2 } };
    const double r = radius[i], volume = 4.0 / 3.0 * 3.14159265358979323846 * r * r * r,
                 width = 1.6119919540164696 * r; // (4 pi / 3)^(1/3)
    for (int axis = 0; axis < 3; ++axis)
    {
      const std::size_t pair = 3 * static_cast<std::size_t>(i) + axis;
      first[pair] = second[pair] = i;
      for (int k = 0; k < 3; ++k)
      {
        const double arm = k == axis ? 0.5 * width : 0;
        first_place[3 * pair + k] = position[3 * static_cast<std::size_t>(i) + k] - arm;
        second_place[3 * pair + k] = position[3 * static_cast<std::size_t>(i) + k] + arm;
        if (stress)
          force[3 * pair + k] = volume *
            static_cast<double>(stress[6 * static_cast<std::size_t>(i) + entry[k][axis]]) / width;
      }
    }
  }
};

} // namespace detail
} // namespace dem
