// From the nodes back to the points: velocities that points see, and their motion.
#pragma once

#include "MaterialPoint/GridNodes.cuh"
#include "MaterialPoint/MaterialTable.cuh"
#include "MaterialPoint/MovePoints.cuh"

namespace mpm
{

template <class Exec, class Real>
class PointMotion
{
public:
  PointMotion(Exec& exec, const Scene& scene, const GridGeometry<Real>& geometry,
    MaterialTable<Exec, Real>& materials, PointSet<Exec, Real>& points, PointOrder<Exec>& order,
    StepReport<Exec>& report)
    : exec_(exec)
    , scene_(scene)
    , geometry_(geometry)
    , materials_(materials)
    , points_(points)
    , order_(order)
    , report_(report)
  {
  }

  bool isFlip() const { return scene_.transfer == Transfer::FLIP && scene_.flip_fraction > 0; }
  bool isAffine() const { return scene_.transfer == Transfer::APIC; }

  /// FLIP, before the forces act: keeps the part of each point's velocity that `node` lost.
  template <Spline spline>
  void keepLost(const Vec4<Real>* node, double dt)
  {
    see<spline>(node, nullptr, dt, true, {});
  }
  /// Velocities of the points: what they see of `node`, and with FLIP what was kept.
  template <Spline spline>
  void seeVelocities(const Vec4<Real>* node, double dt)
  {
    see<spline>(node, nullptr, dt, false, {});
  }
  /// The same, and the affine field of each point for nodes that moved with velocity `mid`.
  template <Spline spline>
  void seeAffine(
    const Vec4<Real>* node, const Vec4<Real>* mid, double dt, const MatrixField<Real>& affine)
  {
    see<spline>(node, mid, dt, false, affine);
  }

  /// How move() takes velocities and affine fields.
  struct Sources
  {
    bool affine = false;              ///< the affine field from the nodes
    bool hold = false;                ///< points stay where they are
    bool given_velocity = false;      ///< velocities by seeVelocities or seeAffine
    MatrixField<Real> given_affine{}; ///< affine fields, or none
  };
  /// Moves and deforms the points with the velocities `node`.
  template <Spline spline>
  void move(const Vec4<Real>* node, const PointsView<Real>& to, bool in_place, double dt,
    const Sources& sources)
  {
    order_.clearMarks();
    points_.queueCount();
    if (scene_.point_transfer == PointTransfer::Shared)
      queueMove<spline, true>(node, to, in_place, dt, sources);
    else
      queueMove<spline, false>(node, to, in_place, dt, sources);
  }

private:
  template <Spline spline, bool kTile>
  void queueMove(const Vec4<Real>* node, const PointsView<Real>& to, bool in_place, double dt,
    const Sources& sources)
  {
    exec_.forEachBlock(order_.blocks(),
      NodesToPoints<spline, Real, kTile>{ order_.grid(), node, points_.view(), to, order_.start(),
        order_.order(), materials_.data(), static_cast<Real>(dt),
        static_cast<Real>(scene_.grid_spacing), sources.affine, sources.hold, in_place,
        sources.given_velocity ? given_.data() : nullptr, sources.given_affine,
        geometry_.bin_borders, report_.data(), order_.mark() });
  }
  template <Spline spline>
  void see(const Vec4<Real>* node, const Vec4<Real>* mid, double dt, bool before,
    const MatrixField<Real>& affine)
  {
    given_.resize(points_.entries());
    exec_.forEachBlock(order_.blocks(),
      SeeNodes<spline, Real>{ order_.grid(), node, mid, points_.view(), order_.start(),
        order_.order(), static_cast<Real>(dt), static_cast<Real>(scene_.grid_spacing),
        static_cast<Real>(scene_.transfer == Transfer::FLIP ? scene_.flip_fraction : 0), before,
        given_.data(), affine });
  }

  Exec& exec_;
  const Scene& scene_;
  const GridGeometry<Real>& geometry_;
  MaterialTable<Exec, Real>& materials_;
  PointSet<Exec, Real>& points_;
  PointOrder<Exec>& order_;
  StepReport<Exec>& report_;
  dem::Array<Vec4<Real>, Exec> given_{ exec_ }; // velocities, in the order of the bins
};

} // namespace mpm
