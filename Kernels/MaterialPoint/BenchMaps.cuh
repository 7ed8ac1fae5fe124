// Maps, reductions and scans of many points, to compare the layouts of their memory.
#pragma once

#include "Core/Algorithms.h"
#include "Core/FixedSum.cuh"
#include "MaterialPoint/BenchPointSet.cuh"
#include "MaterialPoint/BenchScans.cuh"
#include "MaterialPoint/detail/Team.cuh"

#include <type_traits>
#include <vector>

namespace mpm
{

namespace detail
{

/// kEach points a thread, all read before the first is written. Neighbouring threads process
/// neighbouring points.
template <class Real, int kEach>
struct MapLengths
{
  const Vec4<Real>* place;
  const Vec4<Real>* velocity;
  int stride, used;
  std::uint32_t n, share; // number of points; number of threads
  Real *out, *out2;

  DEM_HD void operator()(std::uint32_t t) const
  {
    Vec4<Real> v[kEach], p[kEach];
    MPM_UNROLL
    for (int k = 0; k < kEach; ++k)
    {
      const std::uint32_t i = t + k * share;
      v[k] = p[k] = {};
      if (i >= n)
        continue;
      v[k] = velocity[std::size_t(stride) * i];
      if (used > 1)
        p[k] = place[std::size_t(stride) * i];
    }
    MPM_UNROLL
    for (int k = 0; k < kEach; ++k)
    {
      const std::uint32_t i = t + k * share;
      if (i >= n)
        continue;
      out[i] = length(v[k].xyz());
      if (used > 1)
        out2[i] = length(p[k].xyz());
    }
  }
};

template <class Real>
struct LengthOf
{
  DEM_HD Real operator()(const Vec4<Real>& v) const { return length(v.xyz()); }
};
/// *sum = the sum of the lengths by the library of the device, in an order that the library
/// chooses. Defined in TransfersCpu.cpp and TransfersCuda.cu.
template <class Real>
void reduceLengths(dem::CpuExec& exec, const Vec4<Real>* vectors, std::size_t n, Real* sum);
template <class Real>
void reduceLengths(dem::CudaExec& exec, const Vec4<Real>* vectors, std::size_t n, Real* sum);

template <class Exec, class Real>
class BenchMaps
{
public:
  BenchMaps(Exec& exec, BenchPointSet<Exec, Real>& points)
    : exec_(exec)
    , points_(points)
  {
  }

  /// Lengths of velocities (`used` 1), and of places (2). `together`: from an array of pairs of
  /// place and velocity, otherwise from two columns. `each`: points a thread, 1 or 4.
  void map(bool together, int used, int each)
  {
    const std::size_t n = points_.size();
    out_.resize(n);
    out2_.resize(n);
    const Vec4<Real>*place = points_.view().column[0], *velocity = points_.view().column[1];
    if (together)
    {
      makePairs();
      place = pairs_.data();
      velocity = pairs_.data() + 1;
    }
    const auto map = [&](auto count, std::size_t threads) {
      exec_.forEach(threads,
        MapLengths<Real, decltype(count)::value>{ place, velocity, together ? 2 : 1, used,
          static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(threads), out_.data(),
          out2_.data() });
    };
    if (each == 4)
      map(std::integral_constant<int, 4>{}, (n + 3) / 4);
    else
      map(std::integral_constant<int, 1>{}, n);
  }
  /// Sum of the lengths of velocities in an order that is always the same.
  void reduceInOrder(int each)
  {
    map(false, 1, each);
    partial_.resize(dem::sumBlocks(points_.size()));
    exec_.forEach(
      partial_.size(), dem::SumBlocks<Real>{ out_.data(), points_.size(), partial_.data() });
    by_library_ = by_hand_ = false;
    reduced_ = 0;
    for (Real x : partial_.host())
      reduced_ += static_cast<double>(x);
  }
  void reduceByLibrary()
  {
    by_library_ = true;
    by_hand_ = false;
    sum_.resize(1);
    reduceLengths(
      exec_, static_cast<const Vec4<Real>*>(points_.view().column[1]), points_.size(), sum_.data());
  }
  /// The same by hand, one dispatch: a sum of 1024 `each` lengths a block, which reduced() adds.
  /// `each`: 1, 2 or 128.
  void reduceByHand(bool interleaved, int each)
  {
    if (interleaved)
      reduceBlocks<true, 1>();
    else if (each == 1)
      reduceBlocks<false, 1>();
    else if (each == 2)
      reduceBlocks<false, 2>();
    else
      reduceBlocks<false, 128>();
  }
  /// Prefix sums within segments of 1024 `each` integers, one dispatch. `each`: 1, 2 or 4.
  void scanByHand(bool padded, int each)
  {
    makeIntegers();
    if (!padded)
      scanSegments<false, 1>();
    else if (each == 1)
      scanSegments<true, 1>();
    else if (each == 2)
      scanSegments<true, 2>();
    else
      scanSegments<true, 4>();
  }
  void scanIntegers()
  {
    makeIntegers();
    dem::queueScan(exec_, integers_.data(), sums_.data(), integers_.size());
  }
  void copyIntegers()
  {
    makeIntegers();
    exec_.copy(sums_.data(), integers_.data(), integers_.size() * sizeof(std::uint32_t));
  }

  double reduced()
  {
    if (by_hand_)
    {
      double sum = 0;
      for (Real x : partial_.host())
        sum += static_cast<double>(x);
      return sum;
    }
    return by_library_ ? static_cast<double>(sum_.host()[0]) : reduced_;
  }
  std::vector<Real> mapped(int which) { return (which == 0 ? out_ : out2_).host(); }
  std::vector<std::uint32_t> scanned() { return sums_.host(); }

private:
  template <class T>
  using Buffer = dem::Array<T, Exec>;

  template <bool kInterleaved, int kEach>
  void reduceBlocks()
  {
    by_hand_ = true;
    using Reduce = ReduceBlocks<Real, kInterleaved, kEach>;
    const auto n = static_cast<std::uint32_t>(points_.size());
    constexpr std::uint32_t kShare = Reduce::kThreads * kEach;
    partial_.resize((n + kShare - 1) / kShare);
    exec_.forEachBlock(partial_.size(), Reduce{ points_.view().column[1], n, partial_.data() });
  }
  template <bool kPadded, int kEach>
  void scanSegments()
  {
    using Scan = ScanSegments<kPadded, kEach>;
    const auto n = static_cast<std::uint32_t>(integers_.size());
    exec_.forEachBlock(
      (n + Scan::kSegment - 1) / Scan::kSegment, Scan{ integers_.data(), n, sums_.data() });
  }

  void makePairs()
  {
    const std::size_t n = points_.size();
    if (pairs_.size() == 2 * n)
      return;
    const auto a = points_.read(0), b = points_.read(1);
    std::vector<Vec4<Real>> both(2 * n);
    for (std::size_t i = 0; i < n; ++i)
    {
      both[2 * i] = a[i];
      both[2 * i + 1] = b[i];
    }
    pairs_.assign(both);
  }
  void makeIntegers()
  {
    const std::size_t n = 4 * points_.size();
    if (integers_.size() == n)
      return;
    std::vector<std::uint32_t> all(n);
    for (std::size_t i = 0; i < n; ++i)
      all[i] = static_cast<std::uint32_t>(i % 3);
    integers_.assign(all);
    sums_.resize(n + 1);
  }

  Exec& exec_;
  BenchPointSet<Exec, Real>& points_;
  Buffer<Vec4<Real>> pairs_{ exec_ };
  Buffer<Real> out_{ exec_ }, out2_{ exec_ }, partial_{ exec_ }, sum_{ exec_ };
  Buffer<std::uint32_t> integers_{ exec_ }, sums_{ exec_ };
  double reduced_ = 0;
  bool by_library_ = false, by_hand_ = false;
};

} // namespace detail
} // namespace mpm
