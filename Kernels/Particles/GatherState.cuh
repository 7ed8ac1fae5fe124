// Kernels that copy the particles' arrays into a new order, several arrays in one pass, and bounds
// of the positions found on the way. Used by Reorder.cuh and by the kernels that build rows.
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "NeighborList/BuildList.cuh"
#include "NeighborList/RebuildFound.cuh"
#include "Particles/State.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dem
{

/// Bounding box of particles, found by many threads on the device. A bound is the distance from
/// `origin` along an axis, rounded outwards to single precision. It is stored as an unsigned number
/// in the same order, complemented for lower bounds, so that every bound is a maximum from 0.
///
/// Only particles outside the previous bounds update them: all updates go to the same address, so
/// they are expensive. The previous bounds are first moved inwards by 1/1024 of the extent, so that
/// the box can shrink with the cloud of particles.
struct WideBounds
{
  Vec3d origin;
  std::uint32_t previous[6], *most; // lower x y z, upper x y z. `previous`: bounds before, `most`:
                                    // output in device memory, null if no bounds are wanted

  /// Previous bounds `lower` to `upper` (m), moved inwards. `most` must be zero before the kernel.
  static WideBounds within(const Vec3d& lower, const Vec3d& upper, std::uint32_t* most)
  {
    constexpr double kInwards = 1. / 1024; // of the extent
    WideBounds bounds{ lower, {}, most };
    for (int k = 0; k < 3; ++k)
    {
      const double extent = upper[k] - lower[k];
      bounds.previous[k] = ~ordered(static_cast<float>(kInwards * extent));
      bounds.previous[3 + k] = ordered(static_cast<float>((1 - kInwards) * extent));
    }
    return bounds;
  }

  /// Converts the output of the kernel to corners (m). Bounds that are not finite become
  /// +-kFar.
  void decode(const std::uint32_t (&reported)[6], Vec3d (&corners)[2]) const
  {
    for (int k = 0; k < 6; ++k)
    {
      const std::uint32_t furthest = std::max(reported[k], previous[k]),
                          number = k < 3 ? ~furthest : furthest;
      const std::uint32_t bits = number >> 31 ? number & 0x7fffffffu : ~number;
      float distance;
      std::memcpy(&distance, &bits, sizeof distance);
      if (!(std::fabs(distance) <= kFar))
        distance = k < 3 ? -kFar : kFar;
      corners[k / 3][k % 3] = origin[k % 3] + static_cast<double>(distance);
    }
  }

#if defined(__CUDACC__)
  /// Extends the bounds to a position. Any subset of a warp may call it.
  __device__ void include(const Vec3d& x) const
  {
    const Vec3d d = x - origin;
    std::uint32_t own[6];
    bool outside = false;
    for (int k = 0; k < 3; ++k)
    {
      own[k] = ~ordered(__double2float_rd(d[k]));
      own[3 + k] = ordered(__double2float_ru(d[k]));
      outside = outside || own[k] > previous[k] || own[3 + k] > previous[3 + k];
    }
    if (!outside)
      return;
#if __CUDA_ARCH__ >= 800
    const unsigned here = __activemask();
    for (int k = 0; k < 6; ++k)
      own[k] = __reduce_max_sync(here, own[k]);
    if (threadIdx.x % 32 != static_cast<unsigned>(__ffs(here) - 1))
      return;
#endif
    const volatile std::uint32_t* const reported = most;
    for (int k = 0; k < 6; ++k)
      if (own[k] > previous[k] && own[k] > reported[k])
        atomicMax(&most[k], own[k]);
  }
#endif

private:
  static constexpr float kFar = 3e38f;

  // Unsigned numbers in the order of the floats.
  DEM_HD static std::uint32_t ordered(float x)
  {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
  }
};

/// Copies the arrays of particles into a new order; arrays with a null target are skipped. All
/// values of a particle are read before the first is written, so that its reads overlap.
template <class Real>
struct GatherState
{
  const std::uint32_t* index; // old place of the particle at each new place
  std::uint32_t n;            // number of new places; particles sorted behind them are dropped
  GatherArray<Vec4<double>> wide{};
  GatherArray<Vec4<Real>> narrow[2]{};
  GatherArray<std::int64_t> id{};
  Vec3d* places = nullptr;                // output: x, y, z of `wide`
  WideBounds bounds{};                    // of the positions in `wide`
  GatherArray<Traveled<Real>> traveled{}; // paths are reset to 0
  LongestPath paths{};                    // output: maximum of the paths before the reset
  const Vec4<double>* placed = nullptr;   // positions that are in the new order already
  Vec3d* listed = nullptr;                // output: x, y, z of `placed`

  /// Values of one particle.
  struct Data
  {
    Vec4<double> wide;
    Vec4<Real> narrow[2];
    std::int64_t id;
    Traveled<Real> traveled;
  };

  DEM_HD void operator()(std::uint32_t i) const
  {
    Data data{};
    read(index[i], data);
    writeWide(i, data);
    write(i, data);
  }

  DEM_HD void read(std::uint32_t from, Data& data) const
  {
    if (wide.to)
      data.wide = wide.from[from];
    for (int k = 0; k < 2; ++k)
      if (narrow[k].to)
        data.narrow[k] = narrow[k].from[from];
    if (id.to)
      data.id = id.from[from];
    if (traveled.to)
      data.traveled = traveled.from[from];
  }
  DEM_HD void writeWide(std::uint32_t to, const Data& data) const
  {
    if (wide.to)
      wide.to[to] = data.wide;
  }
  /// Writes everything but `wide`.
  DEM_HD void write(std::uint32_t to, const Data& data) const
  {
    for (int k = 0; k < 2; ++k)
      if (narrow[k].to)
        narrow[k].to[to] = data.narrow[k];
    if (id.to)
      id.to[to] = data.id;
    if (places)
      places[to] = data.wide.xyz();
#if defined(__CUDA_ARCH__)
    if (bounds.most)
      bounds.include(data.wide.xyz());
#endif
    if (traveled.to)
    {
      traveled.to[to] = { data.traveled.turned_z, Real(0) };
      paths.include(data.traveled.path);
    }
    if (listed)
      listed[to] = placed[to].xyz();
  }
};

/// Starts new paths where the particles are now, when lists are built without reordering.
template <class Real>
struct BeginPaths
{
  const Vec4<double>* position;
  Vec3d* listed;
  Traveled<Real>* traveled;
  LongestPath paths; // output: maximum of the paths before the reset

  DEM_HD void operator()(std::uint32_t i) const
  {
    listed[i] = position[i].xyz();
    paths.include(traveled[i].path);
    traveled[i].path = Real(0);
  }
};

} // namespace dem
