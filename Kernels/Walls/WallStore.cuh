// The walls of a run on one device: elements, seams, poses at the present time, the index in which
// triangles are found, and how far each wall came since it was listed.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Walls/TriangleGrids.cuh"
#include "Walls/WallMesh.h"
#include "Walls/WallSearch.cuh"
#include "Walls/WallSeams.h"
#include "Walls/WallTrees.cuh"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace dem
{

/// Sets the pose of each wall (position, turn and velocity of its own frame) at time t.
struct UpdateWallPoses
{
  const WallMotion* motions;
  const std::int32_t* materials;
  double t;
  WallBody* poses;

  DEM_HD void operator()(std::uint32_t w) const
  {
    poses[w] = wallBody(motions[w], materials[w], t);
  }
};

template <class Exec>
class WallStore
{
public:
  template <class T>
  using Buffer = Array<T, Exec>;

  explicit WallStore(Exec& exec)
    : exec_(exec)
  {
  }

  /// Takes over the walls. `largest_radius` (m) of the particles sizes the cells of a uniform grid
  /// of triangles.
  void set(WallSet walls, TriangleSearchKind triangles, double largest_radius)
  {
    set_ = std::move(walls);
    elements_.assign(set_.elements);
    ring_start_.assign(set_.ring_start);
    ring_.assign(set_.ring);
    first_.assign(set_.first);
    materials_.assign(set_.materials);
    const WallSeams seams = findWallSeams(set_);
    has_seams_ = seams.any;
    seam_start_.assign(seams.start);
    seam_.assign(seams.other);
    seam_tolerance_.assign(seams.tolerance);
    poses_.resize(set_.walls());
    came_.assign(set_.walls(), 0);
    exec_.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    in_grids_ = triangles == TriangleSearchKind::UniformGrid;
    if (in_grids_)
      grids_.build(set_, elements_.data(), 2 * largest_radius);
    else
      trees_.build(set_, elements_.data());
    exec_.synchronize();
    index_seconds_ =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Takes over the motions of the scene's walls, which an event may have changed. Elements and
  /// their index are in the walls' own frames and stay.
  void setMotions(const std::vector<Wall>& walls)
  {
    for (std::size_t w = 0; w < set_.scene_walls; ++w)
      set_.motions[w] = wallMotion(walls[w]);
    motions_.assign(set_.motions);
  }

  /// Moves the walls to where they are at time t, s.
  void moveTo(double t)
  {
    exec_.forEach(
      set_.walls(), UpdateWallPoses{ motions_.data(), materials_.data(), t, poses_.data() });
  }

  const WallSet& set() const { return set_; }
  bool anyMotion() const { return set_.any_motion; }
  bool hasSeams() const { return has_seams_; }
  double indexSeconds() const { return index_seconds_; }
  const TriangleGrids<Exec>& grids() const { return grids_; }

  WallView view()
  {
    WallView view{ elements_.data(), poses_.data(), ring_start_.data(), ring_.data(), nullptr,
      nullptr, nullptr };
    if (has_seams_)
    {
      view.seam_start = seam_start_.data();
      view.seam = seam_.data();
      view.tolerance = seam_tolerance_.data();
    }
    return view;
  }

  /// Calls use(search) with the search for wall elements near particles.
  template <class Use>
  void withSearch(double skin, const Periodic& box, const Vec4<double>* position, const Use& use)
  {
    const auto walls = static_cast<std::uint32_t>(set_.walls());
    if (in_grids_)
      use(WallSearch<TriangleGrid>{
        view(), grids_.view(), first_.data(), walls, skin, box, position });
    else
      use(WallSearch<BvhView>{ view(), trees_.view(), first_.data(), walls, skin, box, position });
  }

  // ---- travel: how far walls came since the lists were built ----

  /// The lists are built at time t.
  void beginTravel(double t)
  {
    came_.assign(set_.walls(), 0);
    came_time_ = t;
  }
  /// The motions are about to change at time t.
  void keepTravel(double t)
  {
    for (std::size_t w = 0; w < set_.walls(); ++w)
      came_[w] = travel(w, t);
    came_time_ = t;
  }
  /// m, an upper bound for wall w at time t: up to the last change by the motions that were, then
  /// by the present ones.
  double travel(std::size_t w, double t) const
  {
    return came_[w] + set_.travelBound(w, came_time_, t);
  }
  /// Of all walls.
  double mostTravel(double t) const
  {
    double most = 0;
    for (std::size_t w = 0; set_.any_motion && w < set_.walls(); ++w)
      most = std::max(most, travel(w, t));
    return most;
  }

private:
  Exec& exec_;
  WallSet set_;
  Buffer<WallElement> elements_{ exec_ };
  Buffer<std::uint32_t> ring_start_{ exec_ }, ring_{ exec_ }, first_{ exec_ };
  bool has_seams_ = false;
  Buffer<std::uint32_t> seam_start_{ exec_ }, seam_{ exec_ };
  Buffer<double> seam_tolerance_{ exec_ };
  Buffer<WallMotion> motions_{ exec_ };
  Buffer<std::int32_t> materials_{ exec_ };
  Buffer<WallBody> poses_{ exec_ };
  WallTrees<Exec> trees_{ exec_ };
  TriangleGrids<Exec> grids_{ exec_ };
  bool in_grids_ = false;
  double index_seconds_ = 0;
  std::vector<double> came_; // m, one a wall: from the last list to came_time_
  double came_time_ = 0;     // s, of the last list or change of motions
};

} // namespace dem
