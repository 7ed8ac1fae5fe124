// The forces of a step, evaluated by a strategy that is chosen once for a run. Used by the solver's
// stages.
#pragma once

#include "Forces/ForceRequest.cuh"
#include "Forces/KindLists.cuh"
#include "Forces/StageTimes.h"
#include "Forces/ShapeForces.cuh"
#ifdef __CUDACC__
#include "Forces/SpheresOnCuda.cuh"
#else
#include "Forces/SpheresOnCpu.cuh"
#include "Forces/detail/KindListsImpl.cuh"
#include "Forces/detail/ShapeForcesImpl.cuh"
#endif

#include <cstdint>

namespace dem
{

#ifdef __CUDACC__
template <class Exec, class Real>
using SphereForces = SpheresOnCuda<Exec, Real>;
#else
template <class Exec, class Real>
using SphereForces = SpheresOnCpu<Exec, Real>;
#endif

/// Owns the strategies and runs the chosen one.
template <class Exec, class Real>
class ForceStage
{
public:
  explicit ForceStage(Exec& exec)
    : exec_(exec)
    , spheres_(exec)
    , shapes(exec)
    , kinds(exec)
    , times(exec)
  {
  }

  /// Chooses the strategy. `shaped`: some grain is neither a sphere nor a clump of spheres.
  void choose(const Scene& scene, bool shaped)
  {
    kinds.choose(scene.neighbor_list);
    strategy_ = shaped ? Strategy::Shapes : kinds.inUse() ? Strategy::ListKinds : Strategy::Spheres;
  }

  /// Queues the forces and torques of all contacts on all particles.
  void queue(const ForceRequest<Exec, Real>& r, CandidateSearch<Exec>& search)
  {
    switch (strategy_)
    {
      case Strategy::Spheres:
        return spheres_.queue(r);
      case Strategy::Shapes:
        return times.time(Stage::PairForces, [&] {
          shapes.queue({ r.state, r.control, r.law, shapes.law(), r.dt, r.batch_step },
            r.pairs->view(), r.pairs->slots(), r.n, r.wallForces(), r.wall_list->row_of.data(),
            r.ghosts);
        });
      case Strategy::ListKinds:
        times.time(Stage::PairForces, [&] {
          kinds.queue(search, { r.state, r.control, r.law, r.dt, r.batch_step });
        });
        return times.time(Stage::WallForces,
          [&] { r.withWallForces([&](auto walls) { exec_.forEach(r.wall_list->rows, walls); }); });
    }
  }

  /// Whether one launch may compute forces and move single spheres (SpheresOnCuda::queueWithDrift).
  bool movesAtOnce() const { return Exec::kDevice && strategy_ == Strategy::Spheres; }
  SphereForces<Exec, Real>& spheres() { return spheres_; }

  /// Numbers the contacts of a list, where two slots share one. `largest`: largest bounding radius
  /// of the particles, m.
  void number(PairList<Exec, Real>& list, std::uint32_t n, std::size_t contacts, double largest)
  {
    exec_.forEach(n, shapes.listPairs(list.view(), n, contacts, largest));
    if (strategy_ != Strategy::Shapes) // it has its own records
      spheres_.number(list, n, contacts);
  }

private:
  enum class Strategy
  {
    Spheres,  // spheres with the default list, on the CPU or on CUDA
    Shapes,   // tablets, polyhedra and spheres
    ListKinds // spheres with the list kinds of the papers (NeighborListOptions)
  };

  Exec& exec_;
  Strategy strategy_ = Strategy::Spheres;
  SphereForces<Exec, Real> spheres_;

public:
  ShapeForces<Exec, Real> shapes;
  KindLists<Exec, Real> kinds;
  StageTimes<Exec> times;
};

} // namespace dem
