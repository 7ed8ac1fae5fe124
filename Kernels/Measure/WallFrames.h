// Loads on walls in a frame, summed on the host from its contacts. Used by FrameMaker.cuh.
#pragma once

#include "Measure/Frame.h"
#include "Walls/WallMesh.h"

#include <vector>

namespace dem
{

/// Fills frame.walls from frame.contacts. Sums run in the order of the contacts, so they are
/// reproducible. contacts.wall_element must still hold element numbers, see numberTriangles().
/// `walls` are the walls of the scene that `set` was made of; `time` in s.
void makeWallFrames(Frame& frame, const WallSet& set, const std::vector<Wall>& walls, double time);

/// Replaces the element numbers in contacts.wall_element by triangle numbers of the wall, or -1 for
/// analytic walls. Clears the contacts if the frame's selection has none.
void numberTriangles(Frame& frame, const WallSet& set);

} // namespace dem
