// The points in the memory of a device: columns of four numbers, so that a thread reads 16 bytes at
// once (32 in double precision).
#pragma once

#include "MaterialPoint/SmallMatrix.cuh"

#include <cstddef>
#include <cstdint>

namespace mpm
{

/// Number of a bin: 64 * block + x + 4 y + 16 z, in blocks of 4 x 4 x 4 bins.
using BinKey = std::uint32_t;
constexpr BinKey kGone = 0xffffffffu; ///< the point left the run
constexpr int kBlockEdge = 4, kBlockBins = 64;

/// Memory of a point: 33 numbers, bin, Id and material; 141 bytes in single precision, 273 in
/// double.
template <class Real>
struct PointsView
{
  static constexpr int kColumns = 8;
  Vec4<Real>* column[kColumns]; // place in the bin, mass | velocity, plastic strain | C, tau and F
                                // in sequence, C and F by columns
  Real* volume;                 // m^3 at rest
  BinKey* key;
  std::uint32_t* id; // rank among the Ids of the start
  std::uint8_t* material;

  DEM_HD Matrix3<Real> affine(std::uint32_t i) const
  {
    const Vec4<Real> a = column[2][i], b = column[3][i];
    return { { { a.x, a.y, a.z }, { a.w, b.x, b.y }, { b.z, b.w, column[4][i].x } } };
  }
  DEM_HD Symmetric3<Real> stress(std::uint32_t i) const
  {
    const Vec4<Real> a = column[4][i], b = column[5][i];
    return { a.y, a.z, a.w, b.x, b.y, b.z };
  }
  DEM_HD Matrix3<Real> deformation(std::uint32_t i) const
  {
    const Vec4<Real> a = column[5][i], b = column[6][i], c = column[7][i];
    return { { { a.w, b.x, b.y }, { b.z, b.w, c.x }, { c.y, c.z, c.w } } };
  }
  /// Stores C except its last number, which is returned for putStress().
  DEM_HD Real putAffine(std::uint32_t i, const Matrix3<Real>& c) const
  {
    column[2][i] = { c.c[0].x, c.c[0].y, c.c[0].z, c.c[1].x };
    column[3][i] = { c.c[1].y, c.c[1].z, c.c[2].x, c.c[2].y };
    return c.c[2].z;
  }
  DEM_HD void putStress(
    std::uint32_t i, Real affine_zz, const Symmetric3<Real>& t, const Matrix3<Real>& f) const
  {
    column[4][i] = { affine_zz, t.xx, t.yy, t.zz };
    column[5][i] = { t.xy, t.yz, t.xz, f.c[0].x };
    column[6][i] = { f.c[0].y, f.c[0].z, f.c[1].x, f.c[1].y };
    column[7][i] = { f.c[1].z, f.c[2].x, f.c[2].y, f.c[2].z };
  }
};

/// One matrix a point, as nine arrays of numbers, so that neighbouring threads read neighbouring
/// numbers.
template <class Real>
struct MatrixField
{
  Real* data; // or null
  std::size_t stride;

  DEM_HD Matrix3<Real> operator[](std::uint32_t i) const
  {
    const Real* p = data + i;
    return { { { p[0], p[stride], p[2 * stride] }, { p[3 * stride], p[4 * stride], p[5 * stride] },
      { p[6 * stride], p[7 * stride], p[8 * stride] } } };
  }
  DEM_HD void put(std::uint32_t i, const Matrix3<Real>& m) const
  {
    Real* p = data + i;
    for (int c = 0; c < 3; ++c)
    {
      p[(3 * c) * stride] = m.c[c].x;
      p[(3 * c + 1) * stride] = m.c[c].y;
      p[(3 * c + 2) * stride] = m.c[c].z;
    }
  }
};

} // namespace mpm
