// 3 x 3 matrices on host and device: products, determinant, singular value and polar decomposition.
#pragma once

#include "Core/Vec.h"

#include <cmath>

namespace mpm
{

using dem::multiplyAdd;
using dem::Vec3;
using dem::Vec3d;
using dem::Vec4;

/// By columns: c[k] is column k.
template <class T>
struct Matrix3
{
  Vec3<T> c[3];

  DEM_HD T& operator()(int row, int column) { return c[column][row]; }
  DEM_HD const T& operator()(int row, int column) const { return c[column][row]; }

  DEM_HD static Matrix3 diagonal(T x, T y, T z)
  {
    return { { { x, 0, 0 }, { 0, y, 0 }, { 0, 0, z } } };
  }
  DEM_HD static Matrix3 identity() { return diagonal(1, 1, 1); }

  template <class U>
  DEM_HD Matrix3<U> as() const
  {
    return { { c[0].template as<U>(), c[1].template as<U>(), c[2].template as<U>() } };
  }
};

template <class T>
DEM_HD Vec3<T> operator*(const Matrix3<T>& a, const Vec3<T>& v)
{
  return multiplyAdd(v.z, a.c[2], multiplyAdd(v.y, a.c[1], v.x * a.c[0]));
}
template <class T>
DEM_HD Matrix3<T> operator*(const Matrix3<T>& a, const Matrix3<T>& b)
{
  return { { a * b.c[0], a * b.c[1], a * b.c[2] } };
}
template <class T>
DEM_HD Matrix3<T> operator*(T s, const Matrix3<T>& a)
{
  return { { s * a.c[0], s * a.c[1], s * a.c[2] } };
}
template <class T>
DEM_HD Matrix3<T> operator+(const Matrix3<T>& a, const Matrix3<T>& b)
{
  return { { a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2] } };
}
template <class T>
DEM_HD Matrix3<T> operator-(const Matrix3<T>& a, const Matrix3<T>& b)
{
  return { { a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2] } };
}
template <class T>
DEM_HD Matrix3<T> transpose(const Matrix3<T>& a)
{
  return { { { a.c[0].x, a.c[1].x, a.c[2].x }, { a.c[0].y, a.c[1].y, a.c[2].y },
    { a.c[0].z, a.c[1].z, a.c[2].z } } };
}
/// a b^T
template <class T>
DEM_HD Matrix3<T> timesTransposed(const Matrix3<T>& a, const Matrix3<T>& b)
{
  return a * transpose(b);
}
/// a^T b
template <class T>
DEM_HD Matrix3<T> transposedTimes(const Matrix3<T>& a, const Matrix3<T>& b)
{
  Matrix3<T> r;
  for (int k = 0; k < 3; ++k)
    r.c[k] = { dot(a.c[0], b.c[k]), dot(a.c[1], b.c[k]), dot(a.c[2], b.c[k]) };
  return r;
}
template <class T>
DEM_HD T trace(const Matrix3<T>& a)
{
  return a.c[0].x + a.c[1].y + a.c[2].z;
}
template <class T>
DEM_HD T determinant(const Matrix3<T>& a)
{
  return dot(a.c[0], cross(a.c[1], a.c[2]));
}
/// det(a) a^-T, the derivative of the determinant. Also valid for singular matrices.
template <class T>
DEM_HD Matrix3<T> cofactor(const Matrix3<T>& a)
{
  return { { cross(a.c[1], a.c[2]), cross(a.c[2], a.c[0]), cross(a.c[0], a.c[1]) } };
}
/// sum of a_ij b_ij
template <class T>
DEM_HD T inner(const Matrix3<T>& a, const Matrix3<T>& b)
{
  return dot(a.c[0], b.c[0]) + dot(a.c[1], b.c[1]) + dot(a.c[2], b.c[2]);
}

/// A = u diag(s) v^T with rotations u and v (determinant 1); s.x >= s.y >= |s.z|, and s.z has the
/// sign of det(A): the convention of McAdams et al. 2011 (Computing the Singular Value
/// Decomposition of 3x3 matrices with minimal branching, TR1690; Meyer 2019, 4.2).
template <class T>
struct Svd3
{
  Matrix3<T> u;
  Vec3<T> s;
  Matrix3<T> v; ///< not set by leftDecomposition
};

namespace detail
{

template <class T>
struct JacobiLimit;
template <>
struct JacobiLimit<float>
{
  static constexpr float kCosine2 =
    1e-14f; // columns whose cosine is below 1e-7 count as orthogonal
};
template <>
struct JacobiLimit<double>
{
  static constexpr double kCosine2 = 1e-31;
};

/// Rotates columns p and q of b (and of v) so that those of b are orthogonal. Returns false if they
/// are already.
template <bool kVectors, int p, int q, class T>
DEM_HD bool turnColumns(Matrix3<T>& b, Matrix3<T>& v)
{
  using std::fabs;
  using std::sqrt;
  const T pp = dot(b.c[p], b.c[p]), qq = dot(b.c[q], b.c[q]), pq = dot(b.c[p], b.c[q]);
  if (pq * pq <= JacobiLimit<T>::kCosine2 * pp * qq)
    return false;
  // the smaller root of t^2 + 2 zeta t - 1 = 0 (Golub and Van Loan, Matrix Computations, 8.4)
  const T zeta = (qq - pp) / (2 * pq);
  const T t = (zeta >= 0 ? T(1) : T(-1)) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  const T c = 1 / sqrt(1 + t * t), s = c * t;
  const Vec3<T> x = b.c[p], y = b.c[q];
  b.c[p] = c * x - s * y;
  b.c[q] = s * x + c * y;
  if constexpr (kVectors)
  {
    const Vec3<T> vx = v.c[p], vy = v.c[q];
    v.c[p] = c * vx - s * vy;
    v.c[q] = s * vx + c * vy;
  }
  return true;
}

/// Puts the longer of two columns first. A swap negates one of them, so that rotations stay
/// rotations.
template <bool kVectors, class T>
DEM_HD void orderColumns(Matrix3<T>& b, Matrix3<T>& v, T* n, int p, int q)
{
  if (!(n[p] < n[q]))
    return;
  const T m = n[p];
  n[p] = n[q];
  n[q] = m;
  const Vec3<T> x = b.c[p];
  b.c[p] = b.c[q];
  b.c[q] = -x;
  if constexpr (kVectors)
  {
    const Vec3<T> y = v.c[p];
    v.c[p] = v.c[q];
    v.c[q] = -y;
  }
}

template <class T>
DEM_HD Vec3<T> unitAcross(const Vec3<T>& a)
{
  using std::fabs;
  const T x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
  const Vec3<T> e =
    x <= y && x <= z ? Vec3<T>{ 1, 0, 0 } : (y <= z ? Vec3<T>{ 0, 1, 0 } : Vec3<T>{ 0, 0, 1 });
  return normalized(cross(a, e));
}

/// One-sided Jacobi (Hestenes 1958): columns of A V are made orthogonal. It works on A itself, not
/// on A^T A, so that small singular values keep their digits (Demmel and Veselic 1992).
template <bool kVectors, class T>
DEM_HD Svd3<T> decompose(const Matrix3<T>& a)
{
  using std::fabs;
  using std::sqrt;
  Svd3<T> r;
  r.v = Matrix3<T>::identity();
  T scale = 0;
  for (int k = 0; k < 3; ++k)
  {
    scale = fabs(a.c[k].x) > scale ? fabs(a.c[k].x) : scale;
    scale = fabs(a.c[k].y) > scale ? fabs(a.c[k].y) : scale;
    scale = fabs(a.c[k].z) > scale ? fabs(a.c[k].z) : scale;
  }
  if (!(scale > 0))
  {
    r.u = Matrix3<T>::identity();
    return r;
  }
  Matrix3<T> b = (1 / scale) * a;
  for (int sweep = 0; sweep < 12; ++sweep)
  {
    const bool x = turnColumns<kVectors, 0, 1>(b, r.v);
    const bool y = turnColumns<kVectors, 0, 2>(b, r.v);
    const bool z = turnColumns<kVectors, 1, 2>(b, r.v);
    if (!(x || y || z))
      break;
  }
  T n[3] = { dot(b.c[0], b.c[0]), dot(b.c[1], b.c[1]), dot(b.c[2], b.c[2]) };
  orderColumns<kVectors>(b, r.v, n, 0, 1);
  orderColumns<kVectors>(b, r.v, n, 1, 2);
  orderColumns<kVectors>(b, r.v, n, 0, 1);
  // the columns are s_k u_k; columns of length 0 are replaced by orthogonal ones
  const T first = sqrt(n[0]);
  r.u.c[0] = (1 / first) * b.c[0];
  const Vec3<T> rest = b.c[1] - dot(r.u.c[0], b.c[1]) * r.u.c[0];
  const T second = length(rest);
  r.u.c[1] = second > T(1e-18) ? (1 / second) * rest : unitAcross(r.u.c[0]);
  // orthogonalised a second time: a short second column has few digits
  r.u.c[1] = normalized(r.u.c[1] - dot(r.u.c[0], r.u.c[1]) * r.u.c[0]);
  r.u.c[2] = cross(r.u.c[0], r.u.c[1]);
  r.s = { scale * first, scale * dot(r.u.c[1], b.c[1]), scale * dot(r.u.c[2], b.c[2]) };
  return r;
}

} // namespace detail

template <class T>
DEM_HD Svd3<T> svd(const Matrix3<T>& a)
{
  return detail::decompose<true>(a);
}

/// u and s alone, which suffice for isotropic stresses.
template <class T>
DEM_HD Svd3<T> leftDecomposition(const Matrix3<T>& a)
{
  return detail::decompose<false>(a);
}

/// A = r s: r a rotation (determinant 1), s symmetric (Meyer 2019, eq. 30).
template <class T>
struct Polar3
{
  Matrix3<T> r, s;
};

template <class T>
DEM_HD Polar3<T> polar(const Matrix3<T>& a)
{
  const Svd3<T> d = svd(a);
  const Matrix3<T> scaled{ { d.s.x * d.v.c[0], d.s.y * d.v.c[1], d.s.z * d.v.c[2] } };
  return { timesTransposed(d.u, d.v), timesTransposed(scaled, d.v) };
}

/// A symmetric matrix: xx yy zz xy yz xz, as the arrays of a frame.
template <class T>
struct Symmetric3
{
  T xx{}, yy{}, zz{}, xy{}, yz{}, xz{};

  DEM_HD Matrix3<T> full() const { return { { { xx, xy, xz }, { xy, yy, yz }, { xz, yz, zz } } }; }
};

/// u diag(d) u^T
template <class T>
DEM_HD Symmetric3<T> turned(const Matrix3<T>& u, const Vec3<T>& d)
{
  const Vec3<T>&a = u.c[0], &b = u.c[1], &c = u.c[2];
  return { d.x * a.x * a.x + d.y * b.x * b.x + d.z * c.x * c.x,
    d.x * a.y * a.y + d.y * b.y * b.y + d.z * c.y * c.y,
    d.x * a.z * a.z + d.y * b.z * b.z + d.z * c.z * c.z,
    d.x * a.x * a.y + d.y * b.x * b.y + d.z * c.x * c.y,
    d.x * a.y * a.z + d.y * b.y * b.z + d.z * c.y * c.z,
    d.x * a.x * a.z + d.y * b.x * b.z + d.z * c.x * c.z };
}

/// A rotation in three numbers: tan(angle / 4) times its axis, at most 1 long (modified Rodrigues
/// parameters).
template <class T>
DEM_HD Vec3<T> rotationParameters(const Matrix3<T>& r)
{
  using std::sqrt;
  // from the largest component of the quaternion, so that no digits are lost (Shepperd 1978, J.
  // Guidance Control 1, 223)
  const T xx = r(0, 0), yy = r(1, 1), zz = r(2, 2), t = xx + yy + zz;
  T w;
  Vec3<T> v;
  if (t >= xx && t >= yy && t >= zz)
  {
    const T q = sqrt(1 + t), k = T(0.5) / q;
    w = T(0.5) * q;
    v = { k * (r(2, 1) - r(1, 2)), k * (r(0, 2) - r(2, 0)), k * (r(1, 0) - r(0, 1)) };
  }
  else if (xx >= yy && xx >= zz)
  {
    const T q = sqrt(1 + xx - yy - zz), k = T(0.5) / q;
    w = k * (r(2, 1) - r(1, 2));
    v = { T(0.5) * q, k * (r(0, 1) + r(1, 0)), k * (r(0, 2) + r(2, 0)) };
  }
  else if (yy >= zz)
  {
    const T q = sqrt(1 - xx + yy - zz), k = T(0.5) / q;
    w = k * (r(0, 2) - r(2, 0));
    v = { k * (r(0, 1) + r(1, 0)), T(0.5) * q, k * (r(1, 2) + r(2, 1)) };
  }
  else
  {
    const T q = sqrt(1 - xx - yy + zz), k = T(0.5) / q;
    w = k * (r(1, 0) - r(0, 1));
    v = { k * (r(0, 2) + r(2, 0)), k * (r(1, 2) + r(2, 1)), T(0.5) * q };
  }
  return (w < 0 ? -1 / (1 - w) : 1 / (1 + w)) * v;
}
template <class T>
DEM_HD Matrix3<T> rotationMatrix(const Vec3<T>& p)
{
  const T p2 = dot(p, p), q = 1 / (1 + p2), a = 4 * q * q * (1 - p2), b = 8 * q * q,
          one = 1 - b * p2;
  const T xy = b * p.x * p.y, yz = b * p.y * p.z, xz = b * p.x * p.z;
  return { { { multiplyAdd(b * p.x, p.x, one), multiplyAdd(a, p.z, xy), multiplyAdd(-a, p.y, xz) },
    { multiplyAdd(-a, p.z, xy), multiplyAdd(b * p.y, p.y, one), multiplyAdd(a, p.x, yz) },
    { multiplyAdd(a, p.y, xz), multiplyAdd(-a, p.x, yz), multiplyAdd(b * p.z, p.z, one) } } };
}

} // namespace mpm
