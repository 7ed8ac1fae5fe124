// Bringing the particles' data into a new order, several arrays in one pass.
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

/// Around particles, taken by many threads of a device: distances from `origin` along each axis,
/// rounded outwards to single precision, as numbers that ascend as they do and start at 0. The
/// lower ones count down. Only who stands outside of what is known tells, for all that tell meet at
/// one place in memory: the known ones are the last time's, a little inwards, so that they follow a
/// cloud that shrinks.
struct WideBounds
{
  Vec3d origin;
  std::uint32_t known[6], *most; // lower, then upper; null: nobody asks

  static WideBounds within(const Vec3d& lower, const Vec3d& upper, std::uint32_t* most)
  {
    constexpr double kInwards = 1. / 1024; // of the extent
    WideBounds bounds{ lower, {}, most };
    for (int k = 0; k < 3; ++k)
    {
      const double extent = upper[k] - lower[k];
      bounds.known[k] = ~ordered(static_cast<float>(kInwards * extent));
      bounds.known[3 + k] = ordered(static_cast<float>((1 - kInwards) * extent));
    }
    return bounds;
  }

  /// From what was told.
  void decode(const std::uint32_t (&told)[6], Vec3d (&corners)[2]) const
  {
    for (int k = 0; k < 6; ++k)
    {
      const std::uint32_t furthest = std::max(told[k], known[k]),
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
  __device__ void include(const Vec3d& x) const
  {
    const Vec3d d = x - origin;
    std::uint32_t own[6];
    bool outside = false;
    for (int k = 0; k < 3; ++k)
    {
      own[k] = ~ordered(__double2float_rd(d[k]));
      own[3 + k] = ordered(__double2float_ru(d[k]));
      outside = outside || own[k] > known[k] || own[3 + k] > known[3 + k];
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
    const volatile std::uint32_t* const told = most;
    for (int k = 0; k < 6; ++k)
      if (own[k] > known[k] && own[k] > told[k])
        atomicMax(&most[k], own[k]);
  }
#endif

private:
  static constexpr float kFar = 3e38f;

  DEM_HD static std::uint32_t ordered(float x)
  {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
  }
};

/// The arrays that have somewhere to go. Of a particle all is read before anything is written: its
/// reads wait for memory together.
template <class Real>
struct GatherState
{
  const std::uint32_t* index; // of the particle that comes to each place
  std::uint32_t n;            // places; what comes behind is left out
  GatherArray<Vec4<double>> wide{};
  GatherArray<Vec4<Real>> narrow[2]{};
  GatherArray<std::int64_t> id{};
  Vec3d* places = nullptr;                // a copy of `wide`'s
  WideBounds bounds{};                    // around them
  GatherArray<Traveled<Real>> traveled{}; // whose paths begin anew
  LongestPath paths{};                    // as they were
  const Vec4<double>* placed = nullptr;   // in the new order already
  Vec3d* listed = nullptr;                // becomes a copy of their places

  /// Of one particle.
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
  /// All else.
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

/// Lists are made of the places where particles are: their paths begin there.
template <class Real>
struct BeginPaths
{
  const Vec4<double>* position;
  Vec3d* listed;
  Traveled<Real>* traveled;
  LongestPath paths; // as they were

  DEM_HD void operator()(std::uint32_t i) const
  {
    listed[i] = position[i].xyz();
    paths.include(traveled[i].path);
    traveled[i].path = Real(0);
  }
};

} // namespace dem
