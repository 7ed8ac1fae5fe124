// What a rebuild of the lists leaves on the device for the host, which may read it with the batch that follows.
#pragma once

#include "Core/Vec.h"
#include "Solver/State.cuh"

#include <cstdint>

namespace dem
{

/// What a rebuild tells the host.
struct RebuildFound
{
  unsigned long long entries, wall_rows; // see NewRows and NewWallRows
  std::uint32_t crowded_groups;
  std::uint32_t wide_bounds[6]; // or these: WideBounds
  Vec3d bounds[2];
};

/// What there was room for.
struct ListRoom
{
  std::uint64_t entries, wall_rows, wall_entries;

  DEM_HD bool holds(const RebuildFound& found) const
  {
    return found.entries <= entries && found.wall_rows >> 32 <= wall_rows && (found.wall_rows & 0xffffffffu) <= wall_entries;
  }
};

/// What the host reads behind a batch.
struct BatchReport
{
  StepControl control;
  RebuildFound found;
};

/// Nothing is computed with a list that did not fit.
struct BeginBatch
{
  StepControl* control;
  StepControl value;
  const RebuildFound* found; // by the rebuild just before; null: the host knows that it fits
  ListRoom room;

  DEM_HD void operator()(std::uint32_t) const
  {
    *control = value;
    if (found && !room.holds(*found))
      control->stop_step = 0;
  }
};

} // namespace dem
