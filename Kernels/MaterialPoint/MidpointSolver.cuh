// The solve of an implicit sub-step (midpoint rule or backward Euler): Newton's method for given
// holds of borders and walls, and the rounds in which these are reviewed.
#pragma once

#include "MaterialPoint/NewtonSolver.cuh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mpm
{

/// Applies the borders to the nodes released by LetGo: friction, and the motion that the solve
/// tolerated.
template <class Real>
struct ObeyBorders
{
  BlockGrid grid;
  NodeBorders<Real> borders;
  Vec4<Real>* node;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const Vec4<Real> n = node[i];
    if (!(n.w > 0))
      return;
    int place[3];
    grid.bin(grid.list[i / kBlockBins] * kBlockBins + i % kBlockBins, place[0], place[1], place[2]);
    Vec3<Real> v = n.xyz();
    borders.apply(place, v);
    node[i] = vec4(v, n.w);
  }
};

template <class Exec, class Real>
class MidpointSolver
{
public:
  using Field = dem::Array<Vec4<Real>, Exec>;

  MidpointSolver(Exec& exec, const Scene& scene, const GridGeometry<Real>& geometry,
    MaterialTable<Exec, Real>& materials, PointSet<Exec, Real>& points, PointOrder<Exec>& order,
    GridNodes<Exec, Real>& nodes, GridWalls<Exec, Real>& walls)
    : exec_(exec)
    , scene_(scene)
    , geometry_(geometry)
    , points_(points)
    , order_(order)
    , nodes_(nodes)
    , walls_(walls)
    , holds_(exec, scene, geometry, order, nodes, walls)
    , energy_(exec, scene, materials, points, order, nodes, holds_)
    , gradients_(exec, scene, materials, order, nodes, holds_, energy_)
    , newton_(exec, scene, nodes, holds_, energy_, gradients_)
  {
  }

  /// Makes room for the touched blocks and takes v^n from the points. `started`: there was a
  /// sub-step before; points that are held leave the nodes its velocities.
  template <Spline spline>
  void begin(bool started)
  {
    nodes_.template resize<spline>();
    holds_.resize();
    gradients_.resize();
    newton_.resize();
    energy_.template begin<spline>();
    if (scene_.implicit.hold_points && kept_.size() == nodes_.size() && started)
      exec_.copy(energy_.before().data(), kept_.data(), nodes_.size() * sizeof(Vec4<Real>));
  }

  /// Sets the velocities of the nodes to v^(n + 1), before walls and borders act. `sound`: m/s,
  /// speed of the fastest wave and point; `time`: s, for the message if Newton's method fails,
  /// which throws.
  template <Spline spline>
  void solve(double dt, double sound, double time)
  {
    const typename NodeHolds<Exec, Real>::Solution solution{ energy_.before().data(),
      energy_.slope().data(), dt };
    holds_.guess(solution, !walls_.none());
    NewtonState at;
    at.energy = energy_.template total<spline>(nodes_.velocity(), dt);
    at.norm = energy_.residualAt(nodes_.velocity(), dt);
    at.first = at.norm;
    at.floor = roundingOf(sound, dt);
    constexpr int kMostRounds = 20;
    for (int round = 0;; ++round)
    {
      newton_.template solve<spline>(at, dt, time);
      if (round == kMostRounds || !holds_.mayPart() ||
        !holds_.review(solution, newton_.target(at), round < 4 ? 1. : 0.5))
        break;
      at.energy = energy_.template total<spline>(nodes_.velocity(), dt);
      at.norm = energy_.residualAt(nodes_.velocity(), dt);
      at.first = std::max(at.first, at.norm);
    }
    exec_.forEach(nodes_.size(),
      LetGo<Real>{ energy_.before().data(), energy_.slope().data(), holds_.bits(), energy_.kick(dt),
        static_cast<Real>(dt), nodes_.velocity().data() });
    exec_.forEach(nodes_.size(),
      ObeyBorders<Real>{ order_.grid(), geometry_.node_borders, nodes_.velocity().data() });
  }

  /// Takes the final velocities of the nodes: computes v^(n + l).
  void finish()
  {
    const double l = energy_.lambda();
    energy_.combine(l, nodes_.velocity(), 1 - l, energy_.before(), {}, {}, newton_.trial());
    if (!scene_.implicit.hold_points)
      return;
    kept_.resize(nodes_.size());
    exec_.copy(kept_.data(), nodes_.velocity().data(), nodes_.size() * sizeof(Vec4<Real>));
    held_kinetic_ = 0.5 * energy_.dot(nodes_.velocity(), nodes_.velocity(), 1);
  }

  const Vec4<Real>* start() { return energy_.before().data(); } ///< v^n
  /// v^(n + l), with which nodes and points move: v^(n + 1/2), or v^(n + 1) for backward Euler.
  const Vec4<Real>* midpoint() { return newton_.trial().data(); }
  MatrixField<Real> affineFields() { return energy_.affineFields(); }
  double heldKinetic() const { return held_kinetic_; } ///< J, of the nodes (hold_points)
  NewtonSolver<Exec, Real>& newton() { return newton_; }
  const NewtonSolver<Exec, Real>& newton() const { return newton_; }
  NodeHolds<Exec, Real>& holds() { return holds_; }
  MidpointEnergy<Exec, Real>& energy() { return energy_; }

private:
  /// The residual that rounding leaves: of momenta and forces, and of strains, which are
  /// differences of F and 1, so eps E over the nodes.
  double roundingOf(double sound, double dt)
  {
    return std::numeric_limits<Real>::epsilon() *
      (20 *
          (std::sqrt(energy_.dot(nodes_.velocity(), nodes_.velocity(), 1)) +
            dt * std::sqrt(energy_.slopeNorm2())) +
        2 * std::sqrt(points_.mass()) * sound * sound * dt / scene_.grid_spacing);
  }

  Exec& exec_;
  const Scene& scene_;
  const GridGeometry<Real>& geometry_;
  PointSet<Exec, Real>& points_;
  PointOrder<Exec>& order_;
  GridNodes<Exec, Real>& nodes_;
  GridWalls<Exec, Real>& walls_;
  NodeHolds<Exec, Real> holds_;
  MidpointEnergy<Exec, Real> energy_;
  ConjugateGradients<Exec, Real> gradients_;
  NewtonSolver<Exec, Real> newton_;
  Field kept_{ exec_ };     // velocities of the nodes, if points are held
  double held_kinetic_ = 0; // J
};

} // namespace mpm
