// Small vectors and quaternions for host and device code. Quaternions are (w, x, y, z).
#pragma once

#include "Core/HostDevice.h"

#include <cmath>

namespace dem
{

template <class T>
struct Vec3
{
  T x{}, y{}, z{};

  DEM_HD T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  DEM_HD const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }

  template <class U>
  DEM_HD Vec3<U> as() const
  {
    return { static_cast<U>(x), static_cast<U>(y), static_cast<U>(z) };
  }
};

using Vec3d = Vec3<double>;

/// a * b + c. A device rounds once, with one instruction; the host rounds twice. Automatic
/// contraction is off in all compilers, so a formula has the same bits in every kernel.
template <class T>
DEM_HD T multiplyAdd(const T& a, const T& b, const T& c)
{
#if defined(__CUDA_ARCH__)
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

// Four values that one aligned memory transaction reads or writes.
template <class T>
struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) Vec4
{
  T x{}, y{}, z{}, w{};

  DEM_HD Vec3<T> xyz() const { return { x, y, z }; }
};

template <class T>
DEM_HD Vec4<T> vec4(const Vec3<T>& a, T w)
{
  return { a.x, a.y, a.z, w };
}

template <class T>
DEM_HD Vec4<T> operator+(const Vec4<T>& a, const Vec4<T>& b)
{
  return { a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w };
}
template <class T>
DEM_HD Vec4<T> operator-(const Vec4<T>& a, const Vec4<T>& b)
{
  return { a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w };
}

template <class T>
DEM_HD Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b)
{
  return { a.x + b.x, a.y + b.y, a.z + b.z };
}
template <class T>
DEM_HD Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b)
{
  return { a.x - b.x, a.y - b.y, a.z - b.z };
}
template <class T>
DEM_HD Vec3<T> operator-(const Vec3<T>& a)
{
  return { -a.x, -a.y, -a.z };
}
template <class T>
DEM_HD Vec3<T> operator*(T s, const Vec3<T>& a)
{
  return { s * a.x, s * a.y, s * a.z };
}
template <class T>
DEM_HD Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b)
{
  a = a + b;
  return a;
}
template <class T>
DEM_HD Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b)
{
  a = a - b;
  return a;
}
template <class T>
DEM_HD bool operator==(const Vec3<T>& a, const Vec3<T>& b)
{
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class T>
DEM_HD T dot(const Vec3<T>& a, const Vec3<T>& b)
{
  return multiplyAdd(a.z, b.z, multiplyAdd(a.y, b.y, a.x * b.x));
}
/// a / b. On a device by the reciprocal, with an error of up to two units in the last place.
template <class T>
DEM_HD T quotient(const T& a, const T& b)
{
#if defined(__CUDA_ARCH__)
  return a * (T(1) / b);
#else
  return a / b;
#endif
}

template <class T>
DEM_HD Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b)
{
  return { multiplyAdd(a.y, b.z, -(a.z * b.y)), multiplyAdd(a.z, b.x, -(a.x * b.z)),
    multiplyAdd(a.x, b.y, -(a.y * b.x)) };
}
template <class T>
DEM_HD Vec3<T> multiplyAdd(const T& s, const Vec3<T>& a, const Vec3<T>& b)
{
  return { multiplyAdd(s, a.x, b.x), multiplyAdd(s, a.y, b.y), multiplyAdd(s, a.z, b.z) };
}
template <class T>
DEM_HD T length(const Vec3<T>& a)
{
  using std::sqrt;
  return sqrt(dot(a, a));
}

// Operations for formulas that are compiled for single numbers and for packs of numbers
// (Core/Pack.h). The result of a comparison is a Truth: a bool, or a mask with a value for each
// lane.
template <class T>
struct TruthOf
{
  using Type = bool;
};
template <class T>
using Truth = typename TruthOf<T>::Type;

DEM_HD float select(bool first, float a, float b) { return first ? a : b; }
DEM_HD double select(bool first, double a, double b) { return first ? a : b; }
DEM_HD float magnitude(float a) { return std::fabs(a); }
DEM_HD double magnitude(double a) { return std::fabs(a); }
template <class T, class M>
DEM_HD Vec3<T> select(const M& first, const Vec3<T>& a, const Vec3<T>& b)
{
  return { select(first, a.x, b.x), select(first, a.y, b.y), select(first, a.z, b.z) };
}
/// Condition of a branch that only saves time. For a number it is the condition itself. For a pack
/// it is true, and `select` chooses lane by lane.
DEM_HD bool worthwhile(bool b) { return b; }
/// Whether the condition is true in some lane.
DEM_HD bool any(bool b) { return b; }
/// function(x) where the condition is true, else `otherwise`.
template <class Function>
DEM_HD double mapWhere(bool where, double x, double otherwise, const Function& function)
{
  return where ? function(x) : otherwise;
}

template <class T>
DEM_HD Vec3<T> normalized(const Vec3<T>& a)
{
  return (T(1) / length(a)) * a;
}

template <class T>
struct Quaternion
{
  T w{ 1 }, x{}, y{}, z{};
};

template <class T>
DEM_HD Quaternion<T> operator*(const Quaternion<T>& a, const Quaternion<T>& b)
{
  const Vec3<T> u{ a.x, a.y, a.z }, v{ b.x, b.y, b.z };
  const Vec3<T> w = multiplyAdd(a.w, v, multiplyAdd(b.w, u, cross(u, v)));
  return { multiplyAdd(a.w, b.w, -dot(u, v)), w.x, w.y, w.z };
}

// Rotation by the vector `angle` (axis times angle, radians), exact for any angle.
DEM_HD Quaternion<double> rotationVectorToQuaternion(const Vec3d& angle)
{
  const double a2 = dot(angle, angle);
  const double half = 0.5 * std::sqrt(a2);
  // sin(h)/h by its series where the quotient loses digits
  const double s = half < 1e-3 ? 0.5 * (1.0 - half * half / 6.0) : 0.5 * std::sin(half) / half;
  return { std::cos(half), s * angle.x, s * angle.y, s * angle.z };
}

DEM_HD Quaternion<double> normalized(const Quaternion<double>& q)
{
  const double s = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return { s * q.w, s * q.x, s * q.y, s * q.z };
}

DEM_HD Vec3d rotate(const Quaternion<double>& q, const Vec3d& v)
{
  const Vec3d u{ q.x, q.y, q.z };
  const Vec3d t = 2.0 * cross(u, v);
  return v + q.w * t + cross(u, t);
}

DEM_HD Quaternion<double> conjugate(const Quaternion<double>& q)
{
  return { q.w, -q.x, -q.y, -q.z };
}

/// A symmetric tensor: xx yy zz xy yz xz.
struct TensorSum
{
  double value[6] = { 0, 0, 0, 0, 0, 0 };

  DEM_HD TensorSum& operator+=(const TensorSum& o)
  {
    for (int k = 0; k < 6; ++k)
      value[k] += o.value[k];
    return *this;
  }
  /// Adds the symmetric part of the dyadic product of a and b.
  DEM_HD void add(const Vec3d& a, const Vec3d& b)
  {
    value[0] += a.x * b.x;
    value[1] += a.y * b.y;
    value[2] += a.z * b.z;
    value[3] += 0.5 * (a.x * b.y + a.y * b.x);
    value[4] += 0.5 * (a.y * b.z + a.z * b.y);
    value[5] += 0.5 * (a.x * b.z + a.z * b.x);
  }
};

} // namespace dem
