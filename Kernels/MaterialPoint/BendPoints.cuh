// The potential energy of the points for displaced nodes, and the forces that it exerts on the
// nodes. Used by the implicit integrators (MidpointEnergy.cuh).
#pragma once

#include "MaterialPoint/HessianProduct.cuh"

namespace mpm
{

/// Deforms the points by displacements of the nodes. Writes de/dx to the tiles, the energy of each
/// block, and what Hessian products read (`bent`).
template <Spline spline, class Real>
struct BendPoints
{
  using Sums = TileSums<spline, Real, false, 9>;
  static constexpr unsigned kThreads = Sums::kThreads,
                            kResidentBlocks = sizeof(Real) == 4 ? (Sums::N == 3 ? 3 : 2) : 1;
  struct Shared
  {
    NodeTile<spline, Real> tile;
    typename Sums::Shared sums;
    double scratch[32];
  };
  BlockGrid grid;
  const Vec4<Real>* way; // of nodes, m
  PointsView<Real> points;
  const std::uint32_t *start, *order;
  const MaterialParameters<Real>* materials;
  Real spacing;
  BentPoints<Real> bent;
  Real* tiles;
  double* energy; // of blocks

  DEM_HD void operator()(std::uint32_t block, Shared& shared) const
  {
    const std::uint32_t* first = start + std::size_t(block) * kBlockBins;
    double sum = 0;
    if (first[0] != first[kBlockBins])
    {
      shared.tile.load(grid, block, way);
      Sums::add(
        first, shared.sums,
        [&](std::uint32_t k, Vec3<Real>& place) { return bend(k, place, shared, sum); },
        tiles + std::size_t(block) * 4 * Sums::kTile);
    }
    sum = teamSum(sum, shared.scratch);
    if (teamFirst())
      energy[block] = sum;
  }

private:
  DEM_HD PointLoad<Real> bend(
    std::uint32_t k, Vec3<Real>& place, const Shared& shared, double& sum) const
  {
    using std::sqrt;
    const std::uint32_t i = order[k];
    const BinKey key = points.key[i];
    place = points.column[0][i].xyz();
    const Matrix3<Real> before = points.deformation(i);
    const Real volume = points.volume[i], rate = 1 / spacing;
    const std::uint8_t material = points.material[i];
    const MaterialParameters<Real>& m = materials[material];
    const Matrix3<Real> gradient = seeField<spline>(shared.tile.node, key, place).gradient;
    const Matrix3<Real> f = before + (rate * gradient) * before;
    PointLoad<Real> p{};
    if (m.kind == MaterialKind::LinearElastic)
    {
      // its energy depends on F itself: the tangent is the same in all axes, here those of space
      const Real q = volume * rate;
      p.t = q * timesTransposed(linearStress(m, f), before);
      bent.put(
        k, place, key, material, { 1, 1, 1 }, Matrix3<Real>::identity(), sqrt(q * rate) * before);
      sum += static_cast<double>(volume) * linearEnergy(m, f);
      return p;
    }
    const Svd3<Real> d = svd(f);
    if (d.s.z > 0 || !needsPositive(m.kind))
    {
      const Vec3<Real> first = principalTangent(m, d.s).first;
      const Matrix3<Real> side = before * d.v;
      const Real q = volume * rate;
      const Matrix3<Real> u{ { (q * first.x) * d.u.c[0], (q * first.y) * d.u.c[1],
        (q * first.z) * d.u.c[2] } };
      p.t = timesTransposed(u, side);
      bent.put(k, place, key, material, d.s, d.u, sqrt(q * rate) * side);
      double e;
      if (m.kind == MaterialKind::Fluid)
        e = energyDensity(m, Matrix3<Real>::diagonal(determinant(f), 1, 1));
      else
        e = m.kind == MaterialKind::NeoHookean ? energyDensity(m, f) : stretchEnergy(m, d.s);
      sum += static_cast<double>(volume) * e;
    }
    else
    {
      // the trial inverts the point: an energy of 1e300 makes the line search reject it
      bent.putNothing(k, place, key, material);
      sum += 1e300;
    }
    return p;
  }
};

} // namespace mpm
