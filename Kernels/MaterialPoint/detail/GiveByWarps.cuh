// Points that add to nodes through sums in the warp (Gao et al. 2018, ACM Trans. Graph. 37, 254;
// named as later work by Meyer 2019, 7).
#pragma once

#include "MaterialPoint/SmallMatrix.cuh"
#include "MaterialPoint/detail/Team.cuh"

#if defined(__CUDA_ARCH__)
#include "Core/Warp.cuh"
#endif

#include <cstddef>
#include <cstdint>

namespace mpm
{

namespace detail
{

/// The key of a point that adds nothing.
inline constexpr std::uint32_t kNoNodes = 0xffffffffu;

#if defined(__CUDA_ARCH__)
/// Neighbouring lanes of a warp with the same key. All lanes of the warp must construct it, and
/// call sum(), together.
struct LanesOfKey
{
  unsigned after;   ///< lanes with the same key that follow this one
  unsigned longest; ///< the largest `after` of the warp
  bool first;       ///< whether the lane before has another key

  __device__ explicit LanesOfKey(std::uint32_t key)
  {
    lane_ = dem::ptx::laneOfWarp();
    const std::uint32_t before = __shfl_up_sync(kWhole, key, 1);
    first = lane_ == 0 || before != key;
    const unsigned heads = __ballot_sync(kWhole, first), later = heads >> lane_ >> 1;
    after = later ? __ffs(later) - 1 : 31 - lane_;
    longest = dem::maxOfWarp(after);
  }
  /// The sum of `value` of this lane and those after it with the same key.
  template <class Real>
  __device__ Real sum(Real value) const
  {
    for (unsigned step = 1; step <= longest; step *= 2)
    {
      const Real more = __shfl_sync(kWhole, value, (lane_ + step) & 31);
      value += step <= after ? more : Real(0);
    }
    return value;
  }
  template <class Real>
  __device__ Vec4<Real> sum(const Vec4<Real>& v) const
  {
    return { sum(v.x), sum(v.y), sum(v.z), sum(v.w) };
  }

private:
  static constexpr unsigned kWhole = 0xffffffffu;
  unsigned lane_;
};
#endif

/// A point a thread. Neighbouring points with the same nodes are added up in the warp, for one node
/// of their support after the other, and the first adds the sum to the node. `Source` has
/// - kNodes: nodes of the support along each axis
/// - count(): number of points
/// - key(k): equal for points with the same nodes, or kNoNodes
/// - share(k): what point k adds; its at(x, y, z) is momentum and mass for one node
/// - nodes(k): the nodes of point k; its add(x, y, z, value) adds to one, atomically
template <class Source, class Real>
struct GiveByWarps
{
  static constexpr unsigned kThreads = 128;
  static constexpr int N = Source::kNodes;
  struct Shared
  {
  };
  Source source;

  static std::size_t blocks(std::size_t points) { return (points + kThreads - 1) / kThreads; }

  DEM_HD void operator()(std::uint32_t block, Shared&) const
  {
#if defined(__CUDA_ARCH__)
    const std::uint32_t k = block * kThreads + threadIdx.x,
                        key = k < source.count() ? source.key(k) : kNoNodes;
    const LanesOfKey lanes(key);
    using Share = decltype(source.share(k));
    using Nodes = decltype(source.nodes(k));
    const bool there = key != kNoNodes;
    const Share share = there ? source.share(k) : Share();
    const Nodes nodes = there ? source.nodes(k) : Nodes();
    for (int z = 0; z < N; ++z)
      for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
        {
          const Vec4<Real> sum = lanes.sum(share.at(x, y, z));
          if (lanes.first && there)
            nodes.add(x, y, z, sum);
        }
#elif !defined(__CUDACC__)
    const std::uint32_t begin = block * kThreads,
                        end = source.count() < begin + kThreads ? source.count() : begin + kThreads;
    for (std::uint32_t k = begin, next; k < end; k = next)
    {
      const std::uint32_t key = source.key(k), warp = (k / 32 + 1) * 32;
      for (next = k + 1; next < end && next < warp && source.key(next) == key;)
        ++next;
      if (key != kNoNodes)
        addSum(k, next);
    }
#endif
  }

private:
#if !defined(__CUDACC__)
  /// The points begin <= k < end, which have the same nodes.
  void addSum(std::uint32_t begin, std::uint32_t end) const
  {
    Vec4<Real> sum[N * N * N] = {};
    for (std::uint32_t k = begin; k < end; ++k)
    {
      const auto share = source.share(k);
      for (int n = 0; n < N * N * N; ++n)
        sum[n] = sum[n] + share.at(n % N, n / N % N, n / (N * N));
    }
    const auto nodes = source.nodes(begin);
    for (int n = 0; n < N * N * N; ++n)
      nodes.add(n % N, n / N % N, n / (N * N), sum[n]);
  }
#endif
};

} // namespace detail
} // namespace mpm
