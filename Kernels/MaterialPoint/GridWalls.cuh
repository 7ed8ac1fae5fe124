// The walls of a scene on the device: which nodes and points they act on, and what they take.
#pragma once

#include "MaterialPoint/GridNodes.cuh"
#include "MaterialPoint/MaterialTable.cuh"
#include "MaterialPoint/MpmFrame.h"
#include "MaterialPoint/MpmWalls.h"
#include "MaterialPoint/PointWalls.cuh"
#include "MaterialPoint/WallImpulses.cuh"
#include "Walls/WallMesh.h"
#include "Walls/WallTrees.cuh"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpm
{

template <class Exec, class Real>
class GridWalls
{
public:
  GridWalls(Exec& exec, const Scene& scene, const GridGeometry<Real>& geometry,
    PointSet<Exec, Real>& points, PointOrder<Exec>& order, GridNodes<Exec, Real>& nodes)
    : exec_(exec)
    , scene_(scene)
    , geometry_(geometry)
    , points_(points)
    , order_(order)
    , nodes_(nodes)
  {
  }

  void setUp()
  {
    if (none())
      return;
    set_ = wallsWithin(scene_);
    elements_.assign(set_.elements);
    first_.assign(set_.first);
    trees_.build(set_, elements_.data());
    contacts_.assign(contactsOfScene());
    bodies_.resize(set_.walls());
    impulses_.setUp(elements());
  }
  /// Takes motions and contacts from the scene after a change.
  void useScene()
  {
    for (std::size_t w = 0; w < scene_.walls.size(); ++w)
      set_.motions[w] = dem::wallMotion(scene_.walls[w]);
    if (!none())
      contacts_.assign(contactsOfScene());
  }

  bool none() const { return scene_.walls.empty(); }
  std::size_t elements() const { return set_.elements.size(); }
  WallImpulses<Exec>& impulses() { return impulses_; }

  /// m/s: no surface of a wall is faster between the times `from` and `to`.
  double fastest(double from, double to) const
  {
    double speed = 0;
    for (std::size_t w = 0; w < scene_.walls.size(); ++w)
      speed = std::max(speed, set_.speedBound(w, from, to));
    return speed;
  }

  // ---- a sub-step  ----

  /// Places the walls as at time t (and dt before), finds the blocks near them and the centres of
  /// mass of the nodes.
  template <Spline spline>
  void prepare(double t, double dt)
  {
    if (none())
      return;
    std::vector<dem::WallBody> bodies, before;
    for (std::size_t w = 0; w < set_.walls(); ++w)
    {
      bodies.push_back(dem::wallBody(set_.motions[w], 0, t));
      before.push_back(dem::wallBody(set_.motions[w], 0, t - dt));
    }
    bodies_.assign(bodies);
    bodies_before_.assign(before);
    flag_.resize(order_.blocks(), 1.2);
    exec_.forEach(order_.blocks(),
      FindWallBlocks{ order_.grid(), onDevice(), geometry_.node_origin, scene_.grid_spacing,
        reach(), flag_.data() });
    impulses_.beginSubStep(nodes_.size());
    centroid_.resize(nodes_.size(), 1.2);
    nodes_.template addToTiles<spline>(CentroidLoad<Real>{ points_.view() });
    nodes_.template gather<spline>(false, centroid_);
  }
  /// Walls act on the velocities of the nodes.
  void applyToNodes()
  {
    if (!none())
      exec_.forEach(nodes_.size(), onNodes());
  }
  /// The kernel of applyToNodes, of which the implicit solver takes the faces of walls at a node.
  WallNodes<Real> onNodes()
  {
    if (none())
      return {};
    return { order_.grid(), onDevice(), flag_.data(), centroid_.data(), geometry_.node_origin,
      scene_.grid_spacing, reach(), GridNodes<Exec, Real>::kLeastMass, nodes_.velocity().data(),
      impulses_.ofNodes() };
  }
  /// Puts points that crossed a wall back on their side. `to`: the columns that the sub-step wrote.
  void keepSides(const PointsView<Real>& to, bool in_place, double dt, double time_step,
    const MaterialParameters<Real>* materials, Control* control)
  {
    if (none())
      return;
    long long* const given =
      impulses_.ofPoints(std::ldexp(points_.mass() * scene_.grid_spacing / time_step, -50));
    exec_.forEach(points_.entries(),
      KeepSides<Real>{ { order_.grid(), geometry_.bin_origin, scene_.grid_spacing }, onDevice(),
        bodies_before_.data(), flag_.data(), points_.view(), to, order_.order(), order_.alive(),
        in_place, geometry_.bin_borders, order_.mark(), given, impulses_.perQuantum(), materials,
        dt, control });
  }

  // ---- what a frame shows  ----

  /// Loads and places of all walls. Forces are means over the last step.
  std::vector<dem::WallFrame> loads(double time, double time_step)
  {
    std::vector<dem::WallFrame> loads(scene_.walls.size());
    const std::vector<Vec3d> none{};
    const std::vector<Vec3d>& forces = loads.empty() ? none : impulses_.forces(time_step);
    for (std::size_t w = 0; w < loads.size(); ++w)
      fill(loads[w], w, time, forces);
    return loads;
  }

private:
  template <class T>
  using Buffer = dem::Array<T, Exec>;

  std::vector<WallContact> contactsOfScene() const
  {
    return scene_.wall_contacts.empty() ? std::vector<WallContact>(scene_.walls.size())
                                        : scene_.wall_contacts;
  }
  /// m: nodes farther from a wall cannot touch it with their mass.
  double reach() const
  {
    return 1.7320508075688773 * (scene_.spline == Spline::Quadratic ? 1.5 : 2.) *
      scene_.grid_spacing;
  }
  WallsOnDevice onDevice()
  {
    return { elements_.data(), bodies_.data(), trees_.view(), first_.data(), contacts_.data(),
      static_cast<std::uint32_t>(set_.walls()) };
  }

  void fill(
    dem::WallFrame& load, std::size_t w, double time, const std::vector<Vec3d>& forces) const
  {
    const std::uint32_t first = set_.first[w], size = set_.triangles[w];
    for (std::uint32_t e = first; e < set_.first[w + 1] && !forces.empty(); ++e)
      for (int k = 0; k < 3; ++k)
        load.total_force[k] += forces[e][k];
    load.place(set_.motions[w], scene_.walls[w].points, time);
    load.clearTriangles(size); // facets without area are no elements and bear nothing
    const dem::WallBody body = dem::wallBody(load.motion, 0, time);
    for (std::uint32_t at = first; size > 0 && at < set_.first[w + 1]; ++at)
    {
      const dem::WallElement& t = set_.elements[at];
      const std::uint32_t e = set_.triangleOf(at);
      const Vec3d across = cross(t.b - t.a, t.c - t.a),
                  n = body.directionToWorld(normalized(across)),
                  f = forces.empty() ? Vec3d{} : forces[at];
      const double area = 0.5 * length(across), normal = dot(f, n);
      // a wall has no outside: the material presses from the side on which it is
      load.pressure[e] = static_cast<float>(std::fabs(normal) / area);
      load.shear_stress[e] = static_cast<float>(length(f - normal * n) / area);
      for (int k = 0; k < 3; ++k)
        load.force[3 * e + k] = static_cast<float>(f[k]);
    }
  }

  Exec& exec_;
  const Scene& scene_;
  const GridGeometry<Real>& geometry_;
  PointSet<Exec, Real>& points_;
  PointOrder<Exec>& order_;
  GridNodes<Exec, Real>& nodes_;
  dem::WallSet set_;
  Buffer<dem::WallElement> elements_{ exec_ };
  Buffer<std::uint32_t> first_{ exec_ }; // element of each wall
  Buffer<std::uint32_t> flag_{ exec_ };  // of touched blocks (kWallAtNodes, kWallAtPoints)
  Buffer<dem::WallBody> bodies_{ exec_ }, bodies_before_{ exec_ };
  Buffer<WallContact> contacts_{ exec_ };
  Buffer<Vec4<Real>> centroid_{ exec_ };
  dem::WallTrees<Exec> trees_{ exec_ };
  WallImpulses<Exec> impulses_{ exec_ };
};

} // namespace mpm
