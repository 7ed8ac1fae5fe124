// References to the classes that own the arrays of a run, for classes that work on several of them.
#pragma once

#include "Bodies/Bodies.cuh"
#include "Forces/ForceStage.cuh"
#include "Forces/LawStore.cuh"
#include "Measure/ExitList.h"
#include "Measure/ExitedGrains.cuh"
#include "NeighborList/PairLists.cuh"
#include "NeighborList/WallLists.cuh"
#include "Particles/ParticleStore.cuh"
#include "Walls/WallStore.cuh"

namespace dem
{

/// The owners that rebuilds change and measurements read.
template <class Exec, class Real>
struct RunOwners
{
  ParticleStore<Exec, Real>& particles;
  Bodies<Exec, Real>& bodies;
  WallStore<Exec>& walls;
  LawStore<Exec, Real>& law;
  ForceStage<Exec, Real>& forces;
  PairLists<Exec, Real>& pairs;
  WallLists<Exec, Real>& wall_lists;
  ExitList<Exec, ExitedGrain>& exited;
};

} // namespace dem
