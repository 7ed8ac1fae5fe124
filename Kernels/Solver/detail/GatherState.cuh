// Bringing the particles' data into a new order, several arrays in one pass.
#pragma once

#include "BroadPhase/SortedGrid.cuh"
#include "NeighborList/BuildList.cuh"
#include "Solver/State.cuh"

#include <cstring>

namespace dem
{

/// Around particles, taken by many threads of a device: distances from `origin` along each axis, rounded outwards to single precision, as
/// numbers that ascend as they do and start at 0. The lower ones count down.
struct WideBounds
{
  Vec3d origin;
  std::uint32_t* most; // lower, then upper; null: nobody asks

  static void decode(const Vec3d& origin, const std::uint32_t (&most)[6], Vec3d (&corners)[2])
  {
    for (int k = 0; k < 6; ++k)
    {
      const std::uint32_t ordered = k < 3 ? ~most[k] : most[k], bits = ordered >> 31 ? ordered & 0x7fffffffu : ~ordered;
      float distance;
      std::memcpy(&distance, &bits, sizeof distance);
      corners[k / 3][k % 3] = most[k] ? origin[k % 3] + static_cast<double>(distance) : (k < 3 ? 1e300 : -1e300);
    }
  }

#if defined(__CUDACC__)
  __device__ void include(const Vec3d& x) const
  {
    const Vec3d d = x - origin;
    std::uint32_t own[6];
    for (int k = 0; k < 3; ++k)
    {
      own[k] = ~ordered(__double2float_rd(d[k]));
      own[3 + k] = ordered(__double2float_ru(d[k]));
    }
#if __CUDA_ARCH__ >= 800
    const unsigned here = __activemask();
    for (int k = 0; k < 6; ++k)
      own[k] = __reduce_max_sync(here, own[k]);
    if (threadIdx.x % 32 != static_cast<unsigned>(__ffs(here) - 1))
      return;
#endif
    const volatile std::uint32_t* const known = most;
    std::uint32_t before[6];
    for (int k = 0; k < 6; ++k)
      before[k] = known[k];
    for (int k = 0; k < 6; ++k)
      if (own[k] > before[k])
        atomicMax(&most[k], own[k]);
  }

private:
  __device__ static std::uint32_t ordered(float x)
  {
    const std::uint32_t bits = __float_as_uint(x);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
  }
#endif
};

/// The arrays that have somewhere to go.
template <class Real>
struct GatherState
{
  const std::uint32_t* index; // of the particle that comes to each place
  std::uint32_t n;            // places; what comes behind is left out
  CellRanks ranks{};          // or where each goes, which makes the index
  GatherArray<Vec4<double>> wide{};
  GatherArray<Vec4<Real>> narrow[4]{};
  GatherArray<std::int64_t> id{};
  Vec3d* places = nullptr; // a copy of `wide`'s
  WideBounds bounds{};     // around them
  GatherArray<Traveled<Real>> traveled{}; // whose paths begin anew

  DEM_HD void operator()(std::uint32_t i) const
  {
    std::uint32_t from, to = i;
    if (ranks.item)
    {
      to = ranks.rank(i, from);
      if (to >= n)
        return;
    }
    else
      from = index[i];
    gather(wide, to, from);
    for (int k = 0; k < 4; ++k)
      gather(narrow[k], to, from);
    gather(id, to, from);
    if (places)
    {
      const Vec3d place = wide.to[to].xyz();
      places[to] = place;
#if defined(__CUDA_ARCH__)
      if (bounds.most)
        bounds.include(place);
#endif
    }
    if (traveled.to)
      traveled.to[to] = { traveled.from[from].turned_z, Real(0) };
  }

private:
  template <class T>
  DEM_HD static void gather(const GatherArray<T>& array, std::uint32_t to, std::uint32_t from)
  {
    if (array.to)
      array.to[to] = array.from[from];
  }
};

/// Lists are made of the places where particles are: their paths begin there.
template <class Real>
struct BeginPaths
{
  const Vec4<double>* position;
  Vec3d* listed;
  Traveled<Real>* traveled;

  DEM_HD void operator()(std::uint32_t i) const
  {
    listed[i] = position[i].xyz();
    traveled[i].path = Real(0);
  }
};

} // namespace dem
