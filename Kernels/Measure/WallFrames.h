// The loads on walls in a frame, summed on the host from its contacts.
#pragma once

#include "Measure/Frame.h"
#include "Walls/WallMesh.h"

#include <vector>

namespace dem
{

/// Fills frame.walls from frame.contacts, in the order of the contacts. Contacts name walls by
/// element here, see numberTriangles(). `walls` are those of the scene that `set` was made of;
/// `time` in s.
void makeWallFrames(Frame& frame, const WallSet& set, const std::vector<Wall>& walls, double time);

/// Turns the element numbers of contacts into the triangle numbers of their wall; -1 for analytic
/// walls. Drops the contacts if the frame does not show them.
void numberTriangles(Frame& frame, const WallSet& set);

} // namespace dem
