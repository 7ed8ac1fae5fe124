// The product of d2e/dx2 with a field of nodes (Meyer 2019, eq. 135): points see the field, their
// stresses change, and they exert forces on the nodes.
//
// On a device a team takes a block of bins. The data of the points are copied to shared memory
// while the field is read; along x the field is stored as powers, one row of nodes a bin. Each
// thread replaces points by their forces in shared memory. Then each thread takes a bin and a
// component, and adds its points in powers of their place. Finally neighbours in x add by shuffles,
// and nodes add the sums in shared memory. All sums ascend in bin and place in memory.
#pragma once

#include "MaterialPoint/SplinePowers.cuh"
#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/NodeUpdate.cuh"
#include "MaterialPoint/SeenField.cuh"

#if defined(__CUDACC__)
#include <cuda_pipeline.h>
#endif

namespace mpm
{

/// What Hessian products read of the points, in the order of the bins; 20 numbers a point: place,
/// bin in the block (0 .. 63), and the decomposition of F = U diag(s) V^T that turns a gradient G
/// of the nodes' field (per cell) into (V0 / h^2) U X(U^T G M) M^T, M = F_n V, X by
/// principalTangent(s).
template <class Real>
struct BentPoints
{
  static constexpr int kColumns = 5; // of four numbers
  Vec4<Real>* column;
  std::size_t n;

  /// `m` contains the root of V0 / h^2, because it stands on both sides of the product.
  DEM_HD void put(std::uint32_t k, const Vec3<Real>& place, BinKey key, std::uint8_t material,
    const Vec3<Real>& s, const Matrix3<Real>& u, const Matrix3<Real>& m) const
  {
    const Vec3<Real> p = rotationParameters(u);
    Vec4<Real>* c = column + k;
    c[0] = vec4(place, Real(key % kBlockBins));
    c[n] = vec4(s, Real(material));
    c[2 * n] = vec4(m.c[0], p.x);
    c[3 * n] = vec4(m.c[1], p.y);
    c[4 * n] = vec4(m.c[2], p.z);
  }
  /// A point without forces.
  DEM_HD void putNothing(
    std::uint32_t k, const Vec3<Real>& place, BinKey key, std::uint8_t material) const
  {
    put(k, place, key, material, { 1, 1, 1 }, Matrix3<Real>::identity(), {});
  }

  /// The forces of a point for the gradient that it sees, from its columns 1 to 4.
  DEM_HD static Matrix3<Real> push(const MaterialParameters<Real>* materials, const Vec4<Real>& s,
    const Vec4<Real>& m0, const Vec4<Real>& m1, const Vec4<Real>& m2, const Matrix3<Real>& gradient)
  {
    const Matrix3<Real> m{ { m0.xyz(), m1.xyz(), m2.xyz() } },
      u = rotationMatrix(Vec3<Real>{ m0.w, m1.w, m2.w });
    const PrincipalTangent<Real> t =
      principalTangent(materials[static_cast<unsigned>(s.w)], s.xyz());
    return timesTransposed(u * change(t, transposedTimes(u, gradient * m)), m);
  }
};

/// The state of a solve by conjugate gradients.
struct Solve
{
  double rz, enough, alpha, beta;
  unsigned products;
  bool first, last, done;
};

/// The product as tiles, laid out as by PointsToTiles.
template <Spline spline, class Real>
struct BendChange
{
  using Powers = SplinePowers<spline>;
  static constexpr int N = SplineTraits<spline>::kNodes, kEdge = SplineTraits<spline>::kTile,
                       kTile = kEdge * kEdge * kEdge;
  static constexpr unsigned kThreads = 3 * kBlockBins,
                            kResidentBlocks = sizeof(Real) == 4 ? (N == 3 ? 4 : 2) : 1;
  static constexpr std::uint32_t kStage =
    sizeof(Real) == 4 ? (N == 3 ? 576 : 640) : 320; // points in shared memory
  static constexpr int kLine =
    kBlockBins / kBlockEdge * kEdge; // nodes of the lines of bins along x
  struct Shared
  {
#if defined(__CUDACC__)
    union
    {
      Vec4<Real> point[BentPoints<Real>::kColumns][kStage];
      Real line[3][N * N]
               [kLine]; // component, node in y and z, place: sums of the bins of a line along x
    };
    Vec4<Real> power[kEdge * kEdge * kBlockEdge][3]; // 3 N numbers
    std::uint32_t block[8];
#else
    NodeTile<spline, Real> nodes;
    Real tile[3][kTile];
#endif
  };
  BlockGrid grid;
  const Vec4<Real>* field;
  const std::uint32_t* start;
  BentPoints<Real> bent;
  const MaterialParameters<Real>* materials;
  Real* tiles;
  const Solve* solve;

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t* first = start + std::size_t(block) * kBlockBins;
    if (solve->done || first[0] == first[kBlockBins])
      return;
    Real* tile = tiles + std::size_t(block) * 4 * kTile;
#if defined(__CUDA_ARCH__)
    byTeam(block, first, shared, tile);
#elif !defined(__CUDACC__)
    byOne(block, first, shared, tile);
#endif
  }

private:
  /// The gradient that a point sees. power(row, p) sets p to the powers along x of row y + kEdge z
  /// of its bin.
  template <class Power>
  DEM_HD static Matrix3<Real> gradient(const Vec3<Real>& f, const Power& power)
  {
    const SplineWeights<spline, Real> y(f.y), z(f.z);
    Matrix3<Real> g{};
    MPM_UNROLL
    for (int k = 0; k < N; ++k)
    {
      Vec3<Real> v{}, gx{}, gy{};
      MPM_UNROLL
      for (int j = 0; j < N; ++j)
      {
        Vec3<Real> p[N], slope;
        power(k * kEdge + j, p);
        const Vec3<Real> value = Powers::at(p, f.x, slope);
        v = multiplyAdd(y.w[j], value, v);
        gx = multiplyAdd(y.w[j], slope, gx);
        gy = multiplyAdd(y.g[j], value, gy);
      }
      g.c[0] = multiplyAdd(z.w[k], gx, g.c[0]);
      g.c[1] = multiplyAdd(z.w[k], gy, g.c[1]);
      g.c[2] = multiplyAdd(z.g[k], v, g.c[2]);
    }
    return g;
  }

  /// Adds one component of the force of a point at f, with gradient t along x, y and z, to the sums
  /// of powers a + N b + N^2 c of x, y and z.
  DEM_HD static void addPowers(const Vec3<Real>& f, const Vec3<Real>& t, Real (&sum)[N * N * N])
  {
    Real x[N], y[N], z[N], dx[N], dy[N],
      dz[N]; // from index 1 on; the derivative of the first power is 1 and not stored
    powers(f.x, x, dx);
    powers(f.y, y, dy);
    powers(f.z, z, dz);
    MPM_UNROLL
    for (int c = 0; c < N; ++c)
    {
      const Real tx = c == 0 ? t.x : z[c] * t.x, ty = c == 0 ? t.y : z[c] * t.y,
                 tz = c < 2 ? t.z : dz[c] * t.z;
      MPM_UNROLL
      for (int b = 0; b < N; ++b)
      {
        const Real along = b == 0 ? tx : y[b] * tx, turn = b < 2 ? ty : dy[b] * ty;
        const Real row = c == 0 ? turn : (b == 0 ? tz : multiplyAdd(y[b], tz, turn));
        const bool any = b > 0 || c > 0; // row is not zero
        Real* s = sum + N * (b + N * c);
        s[0] = any ? s[0] + row : s[0];
        s[1] = (any ? multiplyAdd(x[1], row, s[1]) : s[1]) + along;
        MPM_UNROLL
        for (int a = 2; a < N; ++a)
          s[a] = multiplyAdd(dx[a], along, any ? multiplyAdd(x[a], row, s[a]) : s[a]);
      }
    }
  }
  DEM_HD static void powers(Real f, Real (&x)[N], Real (&d)[N])
  {
    x[0] = x[1] = f;
    d[0] = d[1] = 1;
    MPM_UNROLL
    for (int a = 2; a < N; ++a)
    {
      d[a] = Real(a) * x[a - 1];
      x[a] = f * x[a - 1];
    }
  }

  /// Turns sums of powers into sums of the nodes x + N y + N^2 z.
  DEM_HD static void toNodes(Real (&sum)[N * N * N])
  {
    MPM_UNROLL
    for (int axis = 0; axis < 3; ++axis)
    {
      constexpr int kStep[3] = { 1, N, N * N };
      MPM_UNROLL
      for (int l = 0; l < N * N; ++l)
      {
        const int first = axis == 0 ? N * l : (axis == 1 ? l % N + N * N * (l / N) : l);
        Real m[N], n[N];
        MPM_UNROLL
        for (int a = 0; a < N; ++a)
          m[a] = sum[first + a * kStep[axis]];
        Powers::template toNodes<Real>(m, n);
        MPM_UNROLL
        for (int a = 0; a < N; ++a)
          sum[first + a * kStep[axis]] = n[a];
      }
    }
  }

#if defined(__CUDA_ARCH__)
  /// Place of a slot in shared memory, permuted so that threads that read the first of eight points
  /// of neighbouring bins use different banks.
  __device__ static std::uint32_t placeOf(std::uint32_t slot) { return slot ^ (slot >> 3 & 7); }

  /// Starts the copy of points to shared memory; each thread copies the points that it will
  /// process.
  __device__ void fetch(std::uint32_t from, std::uint32_t count, Shared& shared) const
  {
    for (std::uint32_t slot = threadIdx.x; slot < count; slot += kThreads)
      MPM_UNROLL
    for (int c = 0; c < BentPoints<Real>::kColumns; ++c)
    {
      const auto* source = reinterpret_cast<const char*>(bent.column + c * bent.n + from + slot);
      auto* to = reinterpret_cast<char*>(&shared.point[c][placeOf(slot)]);
      MPM_UNROLL
      for (unsigned byte = 0; byte < sizeof(Vec4<Real>); byte += 16)
        __pipeline_memcpy_async(to + byte, source + byte, 16);
    }
    __pipeline_commit();
  }

  /// Loads the field along x as powers. The caller has to synchronise the team afterwards.
  __device__ void loadPowers(std::uint32_t block, Shared& shared) const
  {
    if (threadIdx.x < 8)
    {
      int x, y, z;
      grid.split(grid.list[block], x, y, z);
      shared.block[threadIdx.x] =
        grid.find(x + (threadIdx.x & 1), y + (threadIdx.x >> 1 & 1), z + (threadIdx.x >> 2));
    }
    __syncthreads();
    for (int line = threadIdx.x; line < kEdge * kEdge * kBlockEdge; line += kThreads)
    {
      const int bin = line % kBlockEdge, row = line / kBlockEdge, j = row % kEdge, k = row / kEdge;
      Vec3<Real> n[N], p[N];
      MPM_UNROLL
      for (int a = 0; a < N; ++a)
      {
        const int i = bin + a;
        const std::uint32_t b = shared.block[(i >> 2) | (j >> 2) << 1 | (k >> 2) << 2];
        n[a] = b == BlockGrid::kNone
          ? Vec3<Real>{}
          : field[std::size_t(b) * kBlockBins + ((i & 3) | (j & 3) << 2 | (k & 3) << 4)].xyz();
      }
      Powers::template fromNodes<Real>(n, p);
      Vec4<Real>* to = shared.power[line];
      to[0] = { p[0].x, p[0].y, p[0].z, p[1].x };
      to[1] = { p[1].y, p[1].z, p[2].x, p[2].y };
      if constexpr (N == 3)
        to[2].x = p[2].z;
      else
        to[2] = { p[2].z, p[3].x, p[3].y, p[3].z };
    }
  }

  /// Replaces points by their forces: three components in the columns after the place.
  __device__ void turnPoints(std::uint32_t count, Shared& shared) const
  {
    for (std::uint32_t slot = threadIdx.x; slot < count; slot += kThreads)
    {
      const std::uint32_t at = placeOf(slot);
      const Vec4<Real> place = shared.point[0][at];
      const auto bin = static_cast<unsigned>(place.w);
      const auto* own =
        shared.power + ((bin >> 4) * kEdge + (bin >> 2 & 3)) * kBlockEdge + (bin & 3);
      const Matrix3<Real> g = gradient(place.xyz(), [own](int row, Vec3<Real>(&p)[N]) {
        const Vec4<Real>* from = own[row * kBlockEdge];
        const Vec4<Real> a = from[0], b = from[1];
        p[0] = a.xyz();
        p[1] = { a.w, b.x, b.y };
        if constexpr (N == 3)
          p[2] = { b.z, b.w, from[2].x };
        else
        {
          const Vec4<Real> c = from[2];
          p[2] = { b.z, b.w, c.x };
          p[3] = { c.y, c.z, c.w };
        }
      });
      const Matrix3<Real> t = BentPoints<Real>::push(materials, shared.point[1][at],
        shared.point[2][at], shared.point[3][at], shared.point[4][at], g);
      shared.point[1][at] = { t.c[0].x, t.c[1].x, t.c[2].x, 0 };
      shared.point[2][at] = { t.c[0].y, t.c[1].y, t.c[2].y, 0 };
      shared.point[3][at] = { t.c[0].z, t.c[1].z, t.c[2].z, 0 };
    }
  }

  /// Adds one component of the forces of the slots [from, to) of the thread's bin to the lines of
  /// bins along x.
  __device__ void addBin(
    std::uint32_t from, std::uint32_t to, unsigned bin, unsigned component, Shared& shared) const
  {
    Real sum[N * N * N] = {};
    for (std::uint32_t slot = from; slot < to; ++slot)
    {
      const std::uint32_t at = placeOf(slot);
      addPowers(shared.point[0][at].xyz(), shared.point[1 + component][at].xyz(), sum);
    }
    toNodes(sum);
    __syncthreads();
    // lane x holds node x; the two or three nodes behind the line wrap around
    const unsigned lane = threadIdx.x % 32, x = bin % kBlockEdge;
    Real in[N]; // 1 if the value from i lanes before is of the same line, else 0
    MPM_UNROLL
    for (unsigned i = 1; i < N; ++i)
      in[i] = x >= i ? Real(1) : Real(0);
    Real* line = &shared.line[component][0][0] + bin / kBlockEdge * kEdge + x;
    MPM_UNROLL
    for (int row = 0; row < N * N; ++row)
    {
      Real low = 0, high = 0;
      MPM_UNROLL
      for (unsigned i = N - 1; i > 0; --i)
      {
        const Real beside =
          __shfl_sync(0xffffffffu, sum[i + N * row], (lane & ~3u) | ((lane - i) & 3u));
        low = multiplyAdd(in[i], beside, low);
        high = multiplyAdd(1 - in[i], beside, high);
      }
      line[row * kLine] = low + sum[N * row];
      if (x < N - 1)
        line[row * kLine + kBlockEdge] = high;
    }
  }

  __device__ void byTeam(
    std::uint32_t block, const std::uint32_t* first, Shared& shared, Real* tile) const
  {
    const std::uint32_t begin = first[0], end = first[kBlockBins];
    const unsigned bin = threadIdx.x % kBlockBins,
                   component =
                     threadIdx.x / kBlockBins; // all threads of a warp have the same component
    for (std::uint32_t stage = begin; stage < end; stage += kStage)
    {
      const std::uint32_t count = end - stage < kStage ? end - stage : kStage;
      fetch(stage, count, shared);
      if (stage == begin)
        loadPowers(block, shared);
      const std::uint32_t own = first[bin], own_end = first[bin + 1];
      __pipeline_wait_prior(0);
      __syncthreads();
      turnPoints(count, shared);
      __syncthreads();
      const auto slotOf = [stage, count](std::uint32_t k) {
        return k < stage ? 0 : (k - stage < count ? k - stage : count);
      };
      addBin(slotOf(own), slotOf(own_end), bin, component, shared);
      __syncthreads();
      for (int i = threadIdx.x; i < 3 * kTile; i += kThreads)
      {
        const int node = i % kTile, nz = node / (kEdge * kEdge), ny = node / kEdge % kEdge;
        const Real* from =
          &shared.line[i / kTile][0][0] + (nz * kBlockEdge + ny) * kEdge + node % kEdge;
        Real total = stage == begin ? Real(0) : tile[i];
        MPM_UNROLL
        for (int k = N - 1; k >= 0; --k)
          MPM_UNROLL
        for (int j = N - 1; j >= 0; --j)
          if (nz >= k && nz - k < kBlockEdge && ny >= j && ny - j < kBlockEdge)
            total += from[(k * N + j) * kLine - (k * kBlockEdge + j) * kEdge];
        tile[i] = total;
      }
      if (stage + count < end)
        __syncthreads();
    }
  }
#elif !defined(__CUDACC__)
  void byOne(std::uint32_t block, const std::uint32_t* first, Shared& shared, Real* tile) const
  {
    shared.nodes.load(grid, block, field);
    std::memset(&shared.tile, 0, sizeof shared.tile);
    for (int bin = 0; bin < kBlockBins; ++bin)
    {
      if (first[bin] == first[bin + 1])
        continue;
      const Vec4<Real>* own =
        shared.nodes.node + ((bin >> 4) * kEdge + (bin >> 2 & 3)) * kEdge + (bin & 3);
      Vec3<Real> power[N * N][N];
      for (int row = 0; row < N * N; ++row)
      {
        Vec3<Real> n[N];
        for (int a = 0; a < N; ++a)
          n[a] = own[(row / N * kEdge + row % N) * kEdge + a].xyz();
        Powers::template fromNodes<Real>(n, power[row]);
      }
      Real sum[3][N * N * N] = {};
      for (std::uint32_t k = first[bin]; k < first[bin + 1]; ++k)
      {
        const Vec4<Real>* c = bent.column + k;
        const std::size_t n = bent.n;
        const Vec3<Real> place = c[0].xyz();
        const Matrix3<Real> g = gradient(place, [&power](int row, Vec3<Real>(&p)[N]) {
          for (int a = 0; a < N; ++a)
            p[a] = power[row / kEdge * N + row % kEdge][a];
        });
        const Matrix3<Real> t =
          BentPoints<Real>::push(materials, c[n], c[2 * n], c[3 * n], c[4 * n], g);
        for (int component = 0; component < 3; ++component)
          addPowers(
            place, { t.c[0][component], t.c[1][component], t.c[2][component] }, sum[component]);
      }
      for (int component = 0; component < 3; ++component)
      {
        toNodes(sum[component]);
        for (int k = 0; k < N; ++k)
          for (int j = 0; j < N; ++j)
            for (int i = 0; i < N; ++i)
              shared.tile[component][(((bin >> 4) + k) * kEdge + (bin >> 2 & 3) + j) * kEdge +
                (bin & 3) + i] += sum[component][(k * N + j) * N + i];
      }
    }
    std::memcpy(tile, &shared.tile, sizeof shared.tile);
  }
#endif
};

} // namespace mpm
