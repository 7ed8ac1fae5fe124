// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix in closed form, for host and device.
//
// The eigenvalue farthest from the other two comes from the trigonometric solution of the cubic
// (Smith 1961, Comm. ACM 4, 168), its vector from a cross product of rows. The other two come from
// the 2 x 2 matrix in the plane perpendicular to that vector (after Eberly, A Robust Eigensolver
// for 3 x 3 Symmetric Matrices, 2014). The cubic alone would lose half of the digits if two
// eigenvalues are nearly equal.
#pragma once

#include "Core/Vec.h"

#include <cmath>

namespace dem
{

/// A symmetric matrix, in the order of the arrays of a frame: xx yy zz xy yz xz.
struct Symmetric3
{
  double xx{}, yy{}, zz{}, xy{}, yz{}, xz{};

  DEM_HD Vec3d operator*(const Vec3d& v) const
  {
    return { xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
      xz * v.x + yz * v.y + zz * v.z };
  }
};

/// Eigenvalues in ascending order; the vectors are orthonormal.
struct Eigen3
{
  double value[3];
  Vec3d vector[3];
};

namespace detail
{

/// A unit vector perpendicular to the unit vector w.
DEM_HD Vec3d anyAcross(const Vec3d& w)
{
  const Vec3d across =
    std::fabs(w.x) > std::fabs(w.y) ? Vec3d{ -w.z, 0, w.x } : Vec3d{ 0, w.z, -w.y };
  return (1 / std::sqrt(dot(across, across))) * across;
}

} // namespace detail

/// Eigenvalues and eigenvectors. A zero matrix has zeros and the unit vectors of the axes.
DEM_HD Eigen3 symmetricEigen(const Symmetric3& given)
{
  Eigen3 e{ { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  double scale = std::fabs(given.xx);
  for (double entry : { given.yy, given.zz, given.xy, given.yz, given.xz })
    scale = std::fabs(entry) > scale ? std::fabs(entry) : scale;
  if (!(scale > 0))
    return e;
  const double s = 1 / scale;
  const double mean = (s * given.xx + s * given.yy + s * given.zz) / 3;
  // The deviator: its eigenvalues are those of the matrix minus their mean.
  const Symmetric3 b{ s * given.xx - mean, s * given.yy - mean, s * given.zz - mean, s * given.xy,
    s * given.yz, s * given.xz };
  const double p2 =
    (b.xx * b.xx + b.yy * b.yy + b.zz * b.zz + 2 * (b.xy * b.xy + b.yz * b.yz + b.xz * b.xz)) / 6;
  const double p = std::sqrt(p2);
  if (p < 1e-16)
  {
    for (double& value : e.value)
      value = scale * mean;
    return e;
  }
  const double q = 1 / p;
  const double half = 0.5 * q * q * q *
    (b.xx * (b.yy * b.zz - b.yz * b.yz) - b.xy * (b.xy * b.zz - b.yz * b.xz) +
      b.xz * (b.xy * b.yz - b.yy * b.xz));
  const double clamped = half < -1 ? -1 : (half > 1 ? 1 : half);
  const bool top = clamped >= 0; // the largest is farthest from the others, else the smallest
  const double apart = (top ? 2 : -2) * p * std::cos(std::acos(std::fabs(clamped)) / 3);

  // Two rows of B - apart 1 span the plane perpendicular to its vector. Of the three cross products
  // of rows the longest has the most exact direction.
  const Vec3d row[3] = { { b.xx - apart, b.xy, b.xz }, { b.xy, b.yy - apart, b.yz },
    { b.xz, b.yz, b.zz - apart } };
  Vec3d w{};
  double longest = 0;
  for (int k = 0; k < 3; ++k)
  {
    const Vec3d c = cross(row[k], row[k == 2 ? 0 : k + 1]);
    const double c2 = dot(c, c);
    if (c2 > longest)
    {
      longest = c2;
      w = c;
    }
  }
  w = longest > 0 ? (1 / std::sqrt(longest)) * w : Vec3d{ 1, 0, 0 };
  const Vec3d u = detail::anyAcross(w), v = cross(w, u);
  const Vec3d bu = b * u, bv = b * v;
  const double uu = dot(u, bu), vv = dot(v, bv), uv = dot(u, bv);
  // Rotation by t = tan(angle) that makes uv zero, the smaller one (Golub and Van Loan, Matrix
  // Computations, 8.4).
  double t = 0;
  if (uv != 0)
  {
    const double theta = (vv - uu) / (2 * uv);
    t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(1 + theta * theta));
  }
  const double c = 1 / std::sqrt(1 + t * t);
  const Vec3d first = c * u - (c * t) * v, second = (c * t) * u + c * v;
  const double a = uu - t * uv, d = vv + t * uv;
  const double third = dot(w, b * w); // more exact than `apart`: its error is of second order in w
  const bool swap = a > d;
  const double low = swap ? d : a, high = swap ? a : d;
  const Vec3d low_vector = swap ? second : first, high_vector = swap ? first : second;
  const double values[3] = { top ? low : third, top ? high : low, top ? third : high };
  for (int k = 0; k < 3; ++k)
    e.value[k] = scale * (values[k] + mean);
  e.vector[0] = top ? low_vector : w;
  e.vector[1] = top ? high_vector : low_vector;
  e.vector[2] = top ? w : high_vector;
  return e;
}

} // namespace dem
