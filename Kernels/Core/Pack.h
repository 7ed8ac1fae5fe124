// Several numbers that host code computes with at once: the contact law, written for one number, also runs for a pack of them. Each
// lane has the bits that the scalar computation has, but for the sign of a zero. Needs the vector extension of GCC and Clang.
#pragma once

#include "Core/Vec.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace dem
{

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class T, int N = kVectorBytes / sizeof(T)>
class Pack
{
public:
  static constexpr int kLanes = N;
  using Lane = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef T Values __attribute__((vector_size(N * sizeof(T))));
  typedef Lane Bits __attribute__((vector_size(N * sizeof(T))));

  /// One truth a lane.
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
    /// A lane holds where its number is not zero.
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
    friend bool worthwhile(Mask) { return true; }
    friend bool any(Mask a)
    {
      Lane all = 0;
      for (int k = 0; k < N; ++k)
        all |= a.bits_[k];
      return all != 0;
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
  friend Pack select(Mask m, Pack a, Pack b) { return Pack(m.bits() ? a.values_ : b.values_); }
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

private:
  Values values_{};
};

template <class T, int N>
struct TruthOf<Pack<T, N>>
{
  using Type = typename Pack<T, N>::Mask;
};

} // namespace dem
