// The arguments of one force evaluation, for all strategies. Used by ForceStage.cuh,
// SpheresOnCpu.cuh and SpheresOnCuda.cuh.
#pragma once

#include "Forces/HeldForces.cuh"
#include "Forces/PairContact.cuh"
#include "Forces/WallForces.cuh"
#include "NeighborList/ContactLists.cuh"
#include "NeighborList/DeviceFill.h"

#include <cstdint>

namespace dem
{

/// State, law, lists and walls of one force evaluation. Pointers are owned by the caller.
template <class Exec, class Real>
struct ForceRequest
{
  StateView<Real> state;
  StepControl* control;
  LawView<Real> law;
  Real dt;             // s; 0 evaluates the forces without a step
  unsigned batch_step; // of the forces, counted from the start of the batch
  std::uint32_t n;
  PairList<Exec, Real>* pairs;
  WallList<Exec, Real>* wall_list;
  WallView walls;
  bool has_seams;
  GhostBits ghosts;
  HeldForces held; // only SpheresOnCuda::queueWithDrift adds them

  // CUDA only
  DeviceFill fill;
  const std::uint32_t* crowded; // see PairLists::crowded()
  std::uint32_t crowded_groups;
  // Number of wall rows << 32, in device memory, if the host has not read it; else null.
  const unsigned long long* wall_rows;

  WallForces<Real> wallForces() const
  {
    return { control, law, walls, wall_list->view(), wall_list->slots(), dt, batch_step, state.id,
      state.books.per_joule, state.heat };
  }

  /// Calls use(kernel) with the kernel that adds the wall forces of a row.
  template <class Use>
  void withWallForces(const Use& use) const
  {
    if (has_seams)
      use(AddWallForces<Real, true>{ state, withSeams(wallForces()) });
    else
      use(AddWallForces<Real, false>{ state, wallForces() });
  }
};

} // namespace dem
