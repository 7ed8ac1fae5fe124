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
#define DEM_PACK_AVX512 1
#else
#define DEM_PACK_AVX512 0
#endif
#if defined(__AVX2__)
#include <immintrin.h>
#define DEM_PACK_AVX2 1
#else
#define DEM_PACK_AVX2 0
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
#if DEM_PACK_AVX2
      if constexpr (sizeof(Bits) == 32 && sizeof(Lane) == 4)
        return static_cast<unsigned>(_mm256_movemask_ps((__m256)bits_));
      else if constexpr (sizeof(Bits) == 32)
        return static_cast<unsigned>(_mm256_movemask_pd((__m256d)bits_));
      else if constexpr (sizeof(Bits) == 16 && sizeof(Lane) == 4)
        return static_cast<unsigned>(_mm_movemask_ps((__m128)bits_));
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

template <class T, int N>
struct TruthOf<Pack<T, N>>
{
  using Type = typename Pack<T, N>::Mask;
};

} // namespace dem
