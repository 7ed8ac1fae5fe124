// Sums over points for the statistics: energies, momenta, extremes.
#pragma once

#include "Core/FixedSum.cuh"
#include "MaterialPoint/Constitutive.cuh"
#include "MaterialPoint/ExitedPoints.cuh"

namespace mpm
{

/// Sums over points, and extremes.
struct PointSums
{
  double kinetic = 0, affine = 0, potential = 0, elastic = 0, mass = 0;
  double momentum[3] = { 0, 0, 0 }, angular[3] = { 0, 0, 0 };
  double largest_speed = 0, smallest_j = 1e300, largest_j = -1e300;
  unsigned long long points = 0;

  DEM_HD PointSums& operator+=(const PointSums& o)
  {
    kinetic += o.kinetic;
    affine += o.affine;
    potential += o.potential;
    elastic += o.elastic;
    mass += o.mass;
    for (int k = 0; k < 3; ++k)
    {
      momentum[k] += o.momentum[k];
      angular[k] += o.angular[k];
    }
    largest_speed = o.largest_speed > largest_speed ? o.largest_speed : largest_speed;
    smallest_j = o.smallest_j < smallest_j ? o.smallest_j : smallest_j;
    largest_j = o.largest_j > largest_j ? o.largest_j : largest_j;
    points += o.points;
    return *this;
  }
};

template <class Real>
struct MeasurePoints
{
  PointsView<Real> points;
  const MaterialParameters<Real>* materials;
  std::size_t n;
  PlaceToWorld world;
  Vec3d gravity;
  double d;              // D_p, m^2
  PointSums* block_sums; // one a block of kSumBlock points

  DEM_HD void operator()(unsigned block) const
  {
    PointSums sum;
    const std::size_t begin = block * dem::kSumBlock,
                      end = begin + dem::kSumBlock < n ? begin + dem::kSumBlock : n;
    for (std::size_t i = begin; i < end; ++i)
      add(static_cast<std::uint32_t>(i), sum);
    block_sums[block] = sum;
  }

private:
  DEM_HD void add(std::uint32_t i, PointSums& sum) const
  {
    using std::sqrt;
    const BinKey key = points.key[i];
    if (key == kGone)
      return;
    const Vec4<Real> a = points.column[0][i];
    const double m = static_cast<double>(a.w);
    const Vec3d x = world(key, a.xyz()), v = points.column[1][i].xyz().template as<double>();
    const Matrix3<double> c = points.affine(i).template as<double>();
    const Matrix3<Real> f = points.deformation(i);
    const double v2 = dot(v, v);
    PointSums one;
    one.kinetic = 0.5 * m * v2;
    one.affine = 0.5 * m * d * inner(c, c);
    one.potential = -m * dot(gravity, x);
    one.elastic =
      static_cast<double>(points.volume[i]) * energyDensity(materials[points.material[i]], f);
    one.mass = m;
    // m x cross v, and the axis of B = C D (Jiang et al. 2015, 5.3)
    const Vec3d l =
      cross(x, v) + d * Vec3d{ c(2, 1) - c(1, 2), c(0, 2) - c(2, 0), c(1, 0) - c(0, 1) };
    for (int k = 0; k < 3; ++k)
    {
      one.momentum[k] = m * v[k];
      one.angular[k] = m * l[k];
    }
    one.largest_speed = sqrt(v2);
    one.smallest_j = one.largest_j = static_cast<double>(determinant(f));
    one.points = 1;
    sum += one;
  }
};

} // namespace mpm
