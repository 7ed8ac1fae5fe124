// What borders and walls hold at each node during an implicit sub-step, and the friction there.
#pragma once

#include "MaterialPoint/GridWalls.cuh"
#include "MaterialPoint/HeldNodes.cuh"

#include <algorithm>
#include <utility>

namespace mpm
{

template <class Exec, class Real>
class NodeHolds
{
public:
  using Field = dem::Array<Vec4<Real>, Exec>;

  NodeHolds(Exec& exec, const Scene& scene, const GridGeometry<Real>& geometry,
    PointOrder<Exec>& order, GridNodes<Exec, Real>& nodes, GridWalls<Exec, Real>& walls)
    : exec_(exec)
    , scene_(scene)
    , geometry_(geometry)
    , order_(order)
    , nodes_(nodes)
    , walls_(walls)
  {
  }

  /// Makes room for the touched blocks.
  void resize()
  {
    const std::size_t nodes = nodes_.size();
    bits_.resize(nodes, 1.2);
    faces_on_.resize(nodes, 1.2);
    faces_off_.resize(nodes, 1.2);
    if (!walls_.none())
      axis_.resize(nodes, 1.2);
    if (mayRub())
    {
      limit_.resize(nodes, 1.2);
      drag_.resize(nodes, 1.2);
      drag_before_.resize(nodes, 1.2);
    }
    changed_.resize(1);
  }

  /// The quantities of a solve that decide what holds a node.
  struct Solution
  {
    const Vec4<Real>* before;          ///< velocities at the start of the sub-step
    const Vec4<Real>* potential_slope; ///< de/dx
    double dt;
  };
  /// Decides what is held by where nodes would go by themselves, and sets their velocities.
  void guess(const Solution& s, bool with_walls) { hold(s, with_walls, false, 0, 1); }
  /// Decides again by the impulses of the solution in the nodes' velocities. `target`: residual at
  /// which the solve stops. Limits of friction move `share` of the way to their new values. Returns
  /// whether anything changed.
  bool review(const Solution& s, double target, double share)
  {
    hold(s, !walls_.none(), true, target, share);
    return changed_.host()[0] != 0;
  }

  /// Whether a border or wall may release a node.
  bool mayPart() const
  {
    const auto contact = [](const WallContact& c) { return c.kind == Contact::Separate; };
    return separateBorders() > 0 ||
      (!walls_.none() &&
        (scene_.wall_contacts.empty() ||
          std::any_of(scene_.wall_contacts.begin(), scene_.wall_contacts.end(), contact)));
  }
  /// Whether a border or wall has friction.
  bool mayRub() const
  {
    const auto rough = [](const WallContact& c) {
      return c.kind == Contact::Separate && c.friction > 0;
    };
    return (scene_.domain.friction > 0 && separateBorders() > 0) ||
      (!walls_.none() &&
        std::any_of(scene_.wall_contacts.begin(), scene_.wall_contacts.end(), rough));
  }

  HeldNodes<Real> held() { return { bits_.data(), axis_.data() }; }
  const std::uint8_t* bits() { return bits_.data(); }
  Rubbing<Real> rubbing()
  {
    return mayRub() ? Rubbing<Real>{ limit_.data(), drag_.data() }
                    : Rubbing<Real>{ nullptr, nullptr };
  }
  /// Keeps the drag of the present state, in whose norm the trials of a line search are measured.
  void keepDrag() { std::swap(drag_, drag_before_); }
  const Vec4<Real>* keptDrag() { return drag_before_.data(); }

private:
  template <class T>
  using Buffer = dem::Array<T, Exec>;

  std::ptrdiff_t separateBorders() const
  {
    return std::count(scene_.domain.border.begin(), scene_.domain.border.end(), Border::Separate);
  }

  void hold(const Solution& s, bool with_walls, bool review, double target, double share)
  {
    const Vec3<Real> kick = (s.dt * scene_.gravity).template as<Real>();
    changed_.zero();
    exec_.forEach(nodes_.size(),
      HoldNodes<Real>{ order_.grid(), geometry_.node_borders,
        with_walls ? walls_.onNodes() : WallNodes<Real>{}, with_walls, review, s.before,
        s.potential_slope, kick, static_cast<Real>(s.dt), target, nodes_.velocity().data(),
        bits_.data(), axis_.data(), mayRub() ? limit_.data() : nullptr, static_cast<Real>(share),
        faces_on_.data(), faces_off_.data(), changed_.data() });
  }

  Exec& exec_;
  const Scene& scene_;
  const GridGeometry<Real>& geometry_;
  PointOrder<Exec>& order_;
  GridNodes<Exec, Real>& nodes_;
  GridWalls<Exec, Real>& walls_;
  Buffer<std::uint8_t> bits_{ exec_ };
  Field axis_{ exec_ };
  Field limit_{ exec_ }; // of friction, and the velocity of what holds the node
  Field drag_{ exec_ }, drag_before_{ exec_ };
  Buffer<std::uint16_t> faces_on_{ exec_ }, faces_off_{ exec_ };
  Buffer<std::uint32_t> changed_{ exec_ };
};

} // namespace mpm
