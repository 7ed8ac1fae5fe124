// Rows and columns of packs: transposing, and storing some lanes. Used by the CPU kernels beside
// Core/Pack.h, with instructions of AVX-512 and AVX2 where they exist.
#pragma once

#include "Core/Pack.h"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace dem
{

#if DEM_PACK_AVX2 && !DEM_PACK_AVX512
namespace detail
{

/// Numbers of the lanes of four whose bits are set, first; one entry for each set of bits.
struct FirstLanes
{
  alignas(32) std::int32_t of_four[16][4] = {};  // lanes of 4 bytes
  alignas(32) std::int32_t of_pairs[16][8] = {}; // lanes of 8 bytes, as halves
  constexpr FirstLanes()
  {
    for (int ones = 0; ones < 16; ++ones)
    {
      int to = 0;
      for (int lane = 0; lane < 4; ++lane)
        if (ones >> lane & 1)
        {
          of_four[ones][to] = lane;
          of_pairs[ones][2 * to] = 2 * lane;
          of_pairs[ones][2 * to + 1] = 2 * lane + 1;
          ++to;
        }
    }
  }
};
inline constexpr FirstLanes kFirstLanes;

inline __m128i laneOrder(unsigned ones)
{
  return _mm_load_si128(reinterpret_cast<const __m128i*>(kFirstLanes.of_four[ones]));
}
inline __m256i pairOrder(unsigned ones)
{
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(kFirstLanes.of_pairs[ones]));
}

} // namespace detail
#endif

/// Stores the lanes whose bit in `ones` is set, contiguously. Up to N values at `to` may be
/// overwritten.
template <class T, int N>
DEM_HD void storeSome(const Pack<T, N>& a, unsigned ones, T* to)
{
#if DEM_PACK_AVX512
  if constexpr (N * sizeof(T) == 64 && sizeof(T) == 8)
    return _mm512_storeu_pd(
      to, _mm512_maskz_compress_pd(static_cast<__mmask8>(ones), (__m512d)a.values()));
  else if constexpr (N * sizeof(T) == 32 && sizeof(T) == 4)
    return _mm256_storeu_ps(
      to, _mm256_maskz_compress_ps(static_cast<__mmask8>(ones), (__m256)a.values()));
#elif DEM_PACK_AVX2
  if constexpr (N == 4 && sizeof(T) == 4)
    return _mm_storeu_ps(to, _mm_permutevar_ps((__m128)a.values(), detail::laneOrder(ones)));
  else if constexpr (N == 4)
    return _mm256_storeu_pd(
      to, _mm256_castps_pd(_mm256_permutevar8x32_ps((__m256)a.values(), detail::pairOrder(ones))));
#endif
  for (int k = 0; k < N; ++k)
  {
    *to = a.values()[k];
    to += ones >> k & 1;
  }
}

/// The same for N integers in memory.
template <int N>
DEM_HD void storeSome(const std::uint32_t* from, unsigned ones, std::uint32_t* to)
{
#if DEM_PACK_AVX512
  if constexpr (N == 8)
    return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
      _mm256_maskz_compress_epi32(
        static_cast<__mmask8>(ones), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif DEM_PACK_AVX2
  if constexpr (N == 4)
    return _mm_storeu_ps(reinterpret_cast<float*>(to),
      _mm_permutevar_ps(
        _mm_loadu_ps(reinterpret_cast<const float*>(from)), detail::laneOrder(ones)));
#endif
  for (int k = 0; k < N; ++k)
  {
    *to = from[k];
    to += ones >> k & 1;
  }
}

/// Bit k is set if byte k of N bytes is not zero.
template <int N>
unsigned nonZero(const std::uint8_t* from)
{
  using Numbers = Pack<float, N>;
  typedef std::uint8_t Bytes __attribute__((vector_size(N)));
  Bytes bytes;
  std::memcpy(&bytes, from, N);
  return typename Numbers::Mask(__builtin_convertvector(bytes, typename Numbers::Bits) != 0).ones();
}

/// The four columns of N rows of type Vec4.
template <class T, int N>
struct Columns
{
  Pack<T, N> x, y, z, w;
};

namespace detail
{

template <int N, class Row>
DEM_HD auto loadOneByOne(const Row& row)
{
  using T = std::decay_t<decltype(row(0).x)>;
  using P = Pack<T, N>;
  alignas(64) T at[4][N];
  for (int k = 0; k < N; ++k)
  {
    const auto& r = row(k);
    at[0][k] = r.x;
    at[1][k] = r.y;
    at[2][k] = r.z;
    at[3][k] = r.w;
  }
  return Columns<T, N>{ P::load(at[0]), P::load(at[1]), P::load(at[2]), P::load(at[3]) };
}

} // namespace detail

/// Transposes N rows into columns; row(k) returns row k.
template <int N, class Row>
DEM_HD auto loadRows(const Row& row)
{
  using T = std::decay_t<decltype(row(0).x)>;
  using P = Pack<T, N>;
  using V [[maybe_unused]] = typename P::Values;
#if DEM_PACK_AVX512
  if constexpr (N == 8 && sizeof(T) == 8)
  {
    const auto pair = [&](int low, int high) {
      return _mm512_insertf64x4(
        _mm512_castpd256_pd512(_mm256_loadu_pd(&row(low).x)), _mm256_loadu_pd(&row(high).x), 1);
    };
    const __m512d r02 = pair(0, 2), r13 = pair(1, 3), r46 = pair(4, 6), r57 = pair(5, 7);
    const __m512d xz0 = _mm512_unpacklo_pd(r02, r13), yw0 = _mm512_unpackhi_pd(r02, r13);
    const __m512d xz1 = _mm512_unpacklo_pd(r46, r57), yw1 = _mm512_unpackhi_pd(r46, r57);
    return Columns<T, N>{ P((V)_mm512_shuffle_f64x2(xz0, xz1, 0x88)),
      P((V)_mm512_shuffle_f64x2(yw0, yw1, 0x88)), P((V)_mm512_shuffle_f64x2(xz0, xz1, 0xdd)),
      P((V)_mm512_shuffle_f64x2(yw0, yw1, 0xdd)) };
  }
  else if constexpr (N == 16 && sizeof(T) == 4)
  {
    const auto four = [&](int k) {
      __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(&row(k).x));
      v = _mm512_insertf32x4(v, _mm_loadu_ps(&row(k + 4).x), 1);
      v = _mm512_insertf32x4(v, _mm_loadu_ps(&row(k + 8).x), 2);
      return _mm512_castps_pd(_mm512_insertf32x4(v, _mm_loadu_ps(&row(k + 12).x), 3));
    };
    const __m512 r0 = _mm512_castpd_ps(four(0)), r1 = _mm512_castpd_ps(four(1)),
                 r2 = _mm512_castpd_ps(four(2)), r3 = _mm512_castpd_ps(four(3));
    const __m512d xy0 = _mm512_castps_pd(_mm512_unpacklo_ps(r0, r1)),
                  zw0 = _mm512_castps_pd(_mm512_unpackhi_ps(r0, r1));
    const __m512d xy1 = _mm512_castps_pd(_mm512_unpacklo_ps(r2, r3)),
                  zw1 = _mm512_castps_pd(_mm512_unpackhi_ps(r2, r3));
    return Columns<T, N>{ P((V)_mm512_unpacklo_pd(xy0, xy1)), P((V)_mm512_unpackhi_pd(xy0, xy1)),
      P((V)_mm512_unpacklo_pd(zw0, zw1)), P((V)_mm512_unpackhi_pd(zw0, zw1)) };
  }
#endif
#if DEM_PACK_AVX2
  if constexpr (N == 8 && sizeof(T) == 4)
  {
    const auto two = [&](int k) {
      return _mm256_insertf128_ps(
        _mm256_castps128_ps256(_mm_loadu_ps(&row(k).x)), _mm_loadu_ps(&row(k + 4).x), 1);
    };
    const __m256 r0 = two(0), r1 = two(1), r2 = two(2), r3 = two(3);
    const __m256d xy0 = _mm256_castps_pd(_mm256_unpacklo_ps(r0, r1)),
                  zw0 = _mm256_castps_pd(_mm256_unpackhi_ps(r0, r1));
    const __m256d xy1 = _mm256_castps_pd(_mm256_unpacklo_ps(r2, r3)),
                  zw1 = _mm256_castps_pd(_mm256_unpackhi_ps(r2, r3));
    return Columns<T, N>{ P((V)_mm256_unpacklo_pd(xy0, xy1)), P((V)_mm256_unpackhi_pd(xy0, xy1)),
      P((V)_mm256_unpacklo_pd(zw0, zw1)), P((V)_mm256_unpackhi_pd(zw0, zw1)) };
  }
  else if constexpr (N == 4 && sizeof(T) == 4)
  {
    __m128 x = _mm_loadu_ps(&row(0).x), y = _mm_loadu_ps(&row(1).x), z = _mm_loadu_ps(&row(2).x),
           w = _mm_loadu_ps(&row(3).x);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    return Columns<T, N>{ P((V)x), P((V)y), P((V)z), P((V)w) };
  }
  else if constexpr (N == 4)
  {
    const auto half = [&](int k, int from) {
      return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(&row(k).x + from)),
        _mm_loadu_pd(&row(k + 2).x + from), 1);
    };
    const __m256d xy0 = half(0, 0), xy1 = half(1, 0), zw0 = half(0, 2), zw1 = half(1, 2);
    return Columns<T, N>{ P((V)_mm256_unpacklo_pd(xy0, xy1)), P((V)_mm256_unpackhi_pd(xy0, xy1)),
      P((V)_mm256_unpacklo_pd(zw0, zw1)), P((V)_mm256_unpackhi_pd(zw0, zw1)) };
  }
#endif
  return detail::loadOneByOne<N>(row);
}

/// N rows in memory, transposed from four columns.
template <class T, int N>
class alignas(64) Rows
{
public:
  DEM_HD explicit Rows(const Columns<T, N>& c)
  {
#if DEM_PACK_AVX512
    if constexpr (kPieces == 4 && N == 16)
    {
      const __m512 x = (__m512)c.x.values(), y = (__m512)c.y.values(), z = (__m512)c.z.values(),
                   w = (__m512)c.w.values();
      const __m512d xy0 = _mm512_castps_pd(_mm512_unpacklo_ps(x, y)),
                    xy1 = _mm512_castps_pd(_mm512_unpackhi_ps(x, y));
      const __m512d zw0 = _mm512_castps_pd(_mm512_unpacklo_ps(z, w)),
                    zw1 = _mm512_castps_pd(_mm512_unpackhi_ps(z, w));
      _mm512_store_pd(reinterpret_cast<double*>(at_), _mm512_unpacklo_pd(xy0, zw0));
      _mm512_store_pd(reinterpret_cast<double*>(at_ + 4), _mm512_unpackhi_pd(xy0, zw0));
      _mm512_store_pd(reinterpret_cast<double*>(at_ + 8), _mm512_unpacklo_pd(xy1, zw1));
      _mm512_store_pd(reinterpret_cast<double*>(at_ + 12), _mm512_unpackhi_pd(xy1, zw1));
      return;
    }
    else if constexpr (kPieces == 2 && N == 8)
    {
      const __m512d x = (__m512d)c.x.values(), y = (__m512d)c.y.values(), z = (__m512d)c.z.values(),
                    w = (__m512d)c.w.values();
      // Rows 0 2 4 6, and 1 3 5 7.
      const __m512d xy0 = _mm512_unpacklo_pd(x, y), xy1 = _mm512_unpackhi_pd(x, y);
      const __m512d zw0 = _mm512_unpacklo_pd(z, w), zw1 = _mm512_unpackhi_pd(z, w);
      const auto put = [this](int k, __m512d xy, __m512d zw) {
        const __m512d low = _mm512_shuffle_f64x2(xy, zw, 0x44),
                      high = _mm512_shuffle_f64x2(xy, zw, 0xee);
        _mm512_store_pd(reinterpret_cast<double*>(at_ + k), _mm512_shuffle_f64x2(low, low, 0xd8));
        _mm512_store_pd(
          reinterpret_cast<double*>(at_ + k + 2), _mm512_shuffle_f64x2(high, high, 0xd8));
      };
      put(0, xy0, zw0);
      put(4, xy1, zw1);
      return;
    }
#endif
#if DEM_PACK_AVX2
    if constexpr (kPieces == 4 && N == 8)
    {
      const __m256 x = (__m256)c.x.values(), y = (__m256)c.y.values(), z = (__m256)c.z.values(),
                   w = (__m256)c.w.values();
      const __m256d xy0 = _mm256_castps_pd(_mm256_unpacklo_ps(x, y)),
                    xy1 = _mm256_castps_pd(_mm256_unpackhi_ps(x, y));
      const __m256d zw0 = _mm256_castps_pd(_mm256_unpacklo_ps(z, w)),
                    zw1 = _mm256_castps_pd(_mm256_unpackhi_ps(z, w));
      _mm256_store_pd(reinterpret_cast<double*>(at_), _mm256_unpacklo_pd(xy0, zw0));
      _mm256_store_pd(reinterpret_cast<double*>(at_ + 2), _mm256_unpackhi_pd(xy0, zw0));
      _mm256_store_pd(reinterpret_cast<double*>(at_ + 4), _mm256_unpacklo_pd(xy1, zw1));
      _mm256_store_pd(reinterpret_cast<double*>(at_ + 6), _mm256_unpackhi_pd(xy1, zw1));
      return;
    }
    else if constexpr (kPieces == 1 && N == 4 && sizeof(T) == 4)
    {
      __m128 x = (__m128)c.x.values(), y = (__m128)c.y.values(), z = (__m128)c.z.values(),
             w = (__m128)c.w.values();
      _MM_TRANSPOSE4_PS(x, y, z, w);
      _mm_store_ps(&at_[0].x, x);
      _mm_store_ps(&at_[1].x, y);
      _mm_store_ps(&at_[2].x, z);
      _mm_store_ps(&at_[3].x, w);
      return;
    }
    else if constexpr (kPieces == 1 && N == 4)
    {
      const __m256d x = (__m256d)c.x.values(), y = (__m256d)c.y.values(), z = (__m256d)c.z.values(),
                    w = (__m256d)c.w.values();
      const __m256d xy0 = _mm256_unpacklo_pd(x, y), xy1 = _mm256_unpackhi_pd(x, y);
      const __m256d zw0 = _mm256_unpacklo_pd(z, w), zw1 = _mm256_unpackhi_pd(z, w);
      _mm256_store_pd(&at_[0].x, _mm256_permute2f128_pd(xy0, zw0, 0x20));
      _mm256_store_pd(&at_[1].x, _mm256_permute2f128_pd(xy1, zw1, 0x20));
      _mm256_store_pd(&at_[2].x, _mm256_permute2f128_pd(xy0, zw0, 0x31));
      _mm256_store_pd(&at_[3].x, _mm256_permute2f128_pd(xy1, zw1, 0x31));
      return;
    }
#endif
    for (int k = 0; k < N; ++k)
      at_[place(k)] = { c.x.values()[k], c.y.values()[k], c.z.values()[k], c.w.values()[k] };
  }

  const Vec4<T>& operator[](int k) const { return at_[place(k)]; }

private:
  // Order of the rows after transposing: kPieces runs of every kPieces-th row.
  static constexpr int kPieces = DEM_PACK_AVX2 && sizeof(T) == 4 && N == 8 ? 4
    : DEM_PACK_AVX512 && sizeof(T) == 4 && N == 16                         ? 4
    : DEM_PACK_AVX512 && sizeof(T) == 8 && N == 8                          ? 2
                                                                           : 1;
  static constexpr int place(int k) { return k % kPieces * (N / kPieces) + k / kPieces; }
  Vec4<T> at_[N];
};

} // namespace dem
