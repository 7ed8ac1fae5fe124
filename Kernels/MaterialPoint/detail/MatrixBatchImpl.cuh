// The body of MatrixBatch.h for any execution policy.
#pragma once

#include "Core/Array.h"
#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/MatrixBatch.h"
#include "MaterialPoint/SmallMatrix.cuh"

#include <cstdint>

namespace mpm
{

template <class Real>
struct DecomposeMatrices
{
  const Real* in;
  static constexpr std::size_t kNumbers = 60;
  Real* out; // 9 u, 3 s, 9 v, 9 r, 9 s, 9 left, 3 left singular values, 9 near

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Real* a = in + std::size_t(9) * i;
    const Matrix3<Real> m{ { { a[0], a[3], a[6] }, { a[1], a[4], a[7] }, { a[2], a[5], a[8] } } };
    Real* to = out + kNumbers * i;
    const auto put = [&to](const Matrix3<Real>& x) {
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          *to++ = x(r, c);
    };
    const auto putVector = [&to](const Vec3<Real>& x) {
      *to++ = x.x;
      *to++ = x.y;
      *to++ = x.z;
    };
    const Svd3<Real> d = svd(m);
    put(d.u);
    putVector(d.s);
    put(d.v);
    const Polar3<Real> p = polar(m);
    put(p.r);
    put(p.s);
    const Svd3<Real> l = leftDecomposition(m);
    put(l.u);
    putVector(l.s);
    Matrix3<Real> near;
    put(detail::nearRotation(m, determinant(m), near) ? near : Matrix3<Real>{});
  }
};

template <class Real, class Exec>
MatrixBatch<Real> decomposeMatricesOn(Exec& exec, const std::vector<Real>& matrices)
{
  const std::size_t n = matrices.size() / 9;
  MatrixBatch<Real> b;
  exec.inArena([&] {
    dem::Array<Real, Exec> in(exec), out(exec);
    in.assign(matrices);
    constexpr std::size_t kNumbers = DecomposeMatrices<Real>::kNumbers;
    out.resize(kNumbers * n);
    exec.forEach(n, DecomposeMatrices<Real>{ in.data(), out.data() });
    const std::vector<Real> all = out.host();
    const auto take = [&](std::vector<Real>& to, std::size_t first, std::size_t count) {
      to.resize(count * n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < count; ++k)
          to[count * i + k] = all[kNumbers * i + first + k];
    };
    take(b.u, 0, 9);
    take(b.singular, 9, 3);
    take(b.v, 12, 9);
    take(b.r, 21, 9);
    take(b.s, 30, 9);
    take(b.left, 39, 9);
    take(b.left_singular, 48, 3);
    take(b.near, 51, 9);
  });
  return b;
}

} // namespace mpm
