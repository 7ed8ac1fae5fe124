// Steering of wall motions: changes of a wall's speed by an event.
#pragma once

#include "Core/Error.h"
#include "Walls/Wall.h"

#include <string>

namespace dem
{

/// Name of the motion, as in scene files.
inline const char* name(MotionKind kind)
{
  static constexpr const char* names[] = { "Fixed", "Rotation", "Translation", "Oscillation" };
  return names[static_cast<int>(kind)];
}

/// Whether the motion has this speed: WallRate belongs to rotations, WallVelocity to translations.
inline bool hasSpeed(MotionKind kind, const std::string& property)
{
  return kind == (property == "WallRate" ? MotionKind::Rotation : MotionKind::Translation);
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
