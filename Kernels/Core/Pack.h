// SIMD packs of numbers for host code. Formulas written for one number, such as the contact law,
// also run for a pack. Each lane has the same bits as the scalar computation, except for the sign
// of zero. Needs the vector extension of GCC and Clang.
#pragma once

#include "Core/Vec.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
#include <immintrin.h>
#define DEM_PACK_AVX512 1
#else
#define DEM_PACK_AVX512 0
#endif

namespace dem
{

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

/// N numbers of type T. Operators work on each lane.
template <class T, int N = kVectorBytes / sizeof(T)>
class Pack
{
public:
  static constexpr int kLanes = N;
  using Lane = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef T Values __attribute__((vector_size(N * sizeof(T))));
  typedef Lane Bits __attribute__((vector_size(N * sizeof(T))));

  /// One truth value a lane.
  class Mask
  {
  public:
    Mask() = default;
    Mask(bool b)
      : bits_(Bits{} - Lane(b))
    {
    }
    explicit Mask(Bits bits)
      : bits_(bits)
    {
    }
    /// A lane is true if its number is not zero.
    static Mask load(const Lane* from)
    {
      Bits b;
      std::memcpy(&b, from, sizeof b);
      return Mask(b != 0);
    }
    void store(Lane* to) const { std::memcpy(to, &bits_, sizeof bits_); }
    Bits bits() const { return bits_; }
    friend Mask operator&&(Mask a, Mask b) { return Mask(a.bits_ & b.bits_); }
    friend Mask operator||(Mask a, Mask b) { return Mask(a.bits_ | b.bits_); }
    friend Mask operator!(Mask a) { return Mask(~a.bits_); }
    // See the scalar versions in Core/Vec.h.
    friend bool worthwhile(Mask) { return true; }
    friend bool any(Mask a) { return a.ones() != 0; }
    /// Bit k is the truth of lane k.
    unsigned ones() const
    {
#if DEM_PACK_AVX512
      if constexpr (sizeof(Bits) == 64 && sizeof(Lane) == 4)
        return _mm512_movepi32_mask((__m512i)bits_);
      else if constexpr (sizeof(Bits) == 64)
        return _mm512_movepi64_mask((__m512i)bits_);
      else if constexpr (sizeof(Bits) == 32 && sizeof(Lane) == 4)
        return _mm256_movepi32_mask((__m256i)bits_);
#endif
      unsigned all = 0;
      for (int k = 0; k < N; ++k)
        all |= static_cast<unsigned>(bits_[k] & 1) << k;
      return all;
    }

  private:
    Bits bits_{};
  };

  Pack() = default;
  template <class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>
  Pack(U x)
    : values_(static_cast<T>(x) - Values{})
  {
  }
  explicit Pack(Values values)
    : values_(values)
  {
  }
  template <class U>
  explicit Pack(const Pack<U, N>& other)
    : values_(__builtin_convertvector(other.values(), Values))
  {
  }
  Values values() const { return values_; }

  static Pack load(const T* from)
  {
    Pack p;
    std::memcpy(&p.values_, from, sizeof p.values_);
    return p;
  }
  void store(T* to) const { std::memcpy(to, &values_, sizeof values_); }

  friend Pack operator+(Pack a, Pack b) { return Pack(a.values_ + b.values_); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.values_ - b.values_); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.values_ * b.values_); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.values_ / b.values_); }
  friend Pack operator-(Pack a) { return Pack(-a.values_); }
  friend Pack& operator+=(Pack& a, Pack b) { return a = a + b; }
  friend Pack& operator-=(Pack& a, Pack b) { return a = a - b; }
  friend Mask operator<(Pack a, Pack b) { return Mask(a.values_ < b.values_); }
  friend Mask operator>(Pack a, Pack b) { return Mask(a.values_ > b.values_); }
  friend Mask operator>=(Pack a, Pack b) { return Mask(a.values_ >= b.values_); }
  /// Lane by lane: m ? a : b.
  friend Pack select(Mask m, Pack a, Pack b) { return Pack(m.bits() ? a.values_ : b.values_); }
  friend Pack magnitude(Pack a) { return select(a < Pack(T(0)), -a, a); }
  /// function(x) in lanes where `where` is true, else `otherwise`.
  template <class Function>
  friend Pack mapWhere(Mask where, Pack x, Pack otherwise, const Function& function)
  {
    for (int k = 0; k < kLanes; ++k)
      if (where.bits()[k])
        otherwise.values_[k] = function(x.values_[k]);
    return otherwise;
  }
  friend Pack sqrt(Pack a)
  {
    Pack r;
    for (int k = 0; k < kLanes; ++k)
      r.values_[k] = std::sqrt(a.values_[k]);
    return r;
  }
  friend Pack cbrt(Pack a)
  {
    Pack r;
    for (int k = 0; k < kLanes; ++k)
      r.values_[k] = std::cbrt(a.values_[k]);
    return r;
  }
  friend Pack rint(Pack a)
  {
    Pack r;
    for (int k = 0; k < kLanes; ++k)
      r.values_[k] = std::rint(a.values_[k]);
    return r;
  }

private:
  Values values_{};
};

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
  else if constexpr (N == 8 && sizeof(T) == 4)
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
#endif
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
    else if constexpr (kPieces == 4)
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
    else if constexpr (kPieces == 2)
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
    for (int k = 0; k < N; ++k)
      at_[place(k)] = { c.x.values()[k], c.y.values()[k], c.z.values()[k], c.w.values()[k] };
  }

  const Vec4<T>& operator[](int k) const { return at_[place(k)]; }

private:
  // Order of the rows after transposing: kPieces runs of every kPieces-th row.
  static constexpr int kPieces = !DEM_PACK_AVX512 ? 1
    : sizeof(T) == 4 && (N == 16 || N == 8)       ? 4
    : sizeof(T) == 8 && N == 8                    ? 2
                                                  : 1;
  static constexpr int place(int k) { return k % kPieces * (N / kPieces) + k / kPieces; }
  Vec4<T> at_[N];
};

template <class T, int N>
struct TruthOf<Pack<T, N>>
{
  using Type = typename Pack<T, N>::Mask;
};

} // namespace dem
