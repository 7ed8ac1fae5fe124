// Steering of wall motions: changes of a wall's speed by an event. Used by the steering of all
// methods.
#pragma once

#include "Core/Error.h"
#include "Core/Event.h"
#include "Core/Text.h"
#include "Walls/Wall.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dem
{

/// Name of the motion, as in scene files.
inline const char* name(MotionKind kind) { return kMotionKindNames[static_cast<int>(kind)]; }

/// Whether the motion has this speed: WallRate belongs to rotations, WallVelocity to translations.
inline bool hasSpeed(MotionKind kind, const std::string& property)
{
  return kind == (property == "WallRate" ? MotionKind::Rotation : MotionKind::Translation);
}

/// Index of the wall that an event changes, its first value. Throws dem::Error if there is no such
/// wall.
inline std::size_t wallOf(const Event& event, const std::vector<Wall>& walls)
{
  const double index = event.value.empty() ? -1 : event.value[0];
  require(index >= 0 && index < static_cast<double>(walls.size()),
    "Event '" + event.property + "': wall " + number(index) +
      " is not in the scene; the number of walls is " + std::to_string(walls.size()) + ".");
  return static_cast<std::size_t>(index);
}

/// Prepares the motion of wall `index` for a new speed from `time` (s) on. Throws dem::Error if the
/// motion does not have this speed.
inline void settleForSpeed(Wall& wall, std::size_t index, const std::string& property, double time)
{
  if (!hasSpeed(wall.motion.kind, property))
    throw Error("Event '" + property + "' is of wall " + std::to_string(index) + " ('" + wall.name +
      "'), whose motion is " + name(wall.motion.kind) + ": " +
      (property == "WallRate" ? "only a Rotation has a rate"
                              : "only a Translation has a velocity") +
      (wall.motion.kind == MotionKind::Fixed
          ? ". Give it that motion from the start, with a speed of 0 while it rests."
          : "."));
  wall.motion.settle(time);
}

} // namespace dem
