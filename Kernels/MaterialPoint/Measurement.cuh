// The statistics of a run that are sums over its points.
#pragma once

#include "MaterialPoint/GridGeometry.cuh"
#include "MaterialPoint/MaterialTable.cuh"
#include "MaterialPoint/MpmFrame.h"
#include "MaterialPoint/PointSet.cuh"
#include "MaterialPoint/PointSums.cuh"

namespace mpm
{

template <class Exec, class Real>
class Measurement
{
public:
  Measurement(Exec& exec, const Scene& scene, const GridGeometry<Real>& geometry,
    MaterialTable<Exec, Real>& materials, PointSet<Exec, Real>& points, PointOrder<Exec>& order)
    : exec_(exec)
    , scene_(scene)
    , geometry_(geometry)
    , materials_(materials)
    , points_(points)
    , order_(order)
  {
  }

  /// Energies, momenta, extremes, counts and memory of the present points.
  void measure(Statistics& s)
  {
    if (points_.entries())
    {
      put(sums(), s);
      points_.makeOrder(scene_.equal_bits);
      s.active_blocks = order_.activeBlocks();
    }
    s.device_bytes = exec_.allocatedBytes();
  }

private:
  PointSums sums()
  {
    const std::uint32_t n = points_.entries();
    const std::size_t blocks = dem::sumBlocks(n);
    block_sums_.resize(blocks);
    const double h = scene_.grid_spacing;
    exec_.forEach(blocks,
      MeasurePoints<Real>{ points_.view(), materials_.data(), n,
        { order_.grid(), geometry_.bin_origin, h }, scene_.gravity,
        h * h *
          (scene_.spline == Spline::Quadratic ? SplineTraits<Spline::Quadratic>::kD
                                              : SplineTraits<Spline::Cubic>::kD),
        block_sums_.data() });
    PointSums all;
    for (const PointSums& b : block_sums_.host())
      all += b;
    return all;
  }

  static void put(const PointSums& all, Statistics& s)
  {
    s.kinetic_energy = all.kinetic;
    s.affine_energy = all.affine;
    s.potential_energy = all.potential;
    s.elastic_energy = all.elastic;
    s.mass = all.mass;
    for (int k = 0; k < 3; ++k)
    {
      s.momentum[k] = all.momentum[k];
      s.angular_momentum[k] = all.angular[k];
    }
    s.points = all.points;
    s.largest_speed = all.largest_speed;
    if (all.points)
    {
      s.smallest_jacobian = all.smallest_j;
      s.largest_jacobian = all.largest_j;
    }
  }

  Exec& exec_;
  const Scene& scene_;
  const GridGeometry<Real>& geometry_;
  MaterialTable<Exec, Real>& materials_;
  PointSet<Exec, Real>& points_;
  PointOrder<Exec>& order_;
  dem::Array<PointSums, Exec> block_sums_{ exec_ };
};

} // namespace mpm
