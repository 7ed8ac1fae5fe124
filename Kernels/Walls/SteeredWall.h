// Walls whose speed an event changes.
#pragma once

#include "Core/Error.h"
#include "Walls/Wall.h"

#include <string>

namespace dem
{

/// The motion's name, as in scene files.
inline const char* name(MotionKind kind)
{
  static constexpr const char* names[] = { "Fixed", "Rotation", "Translation", "Oscillation" };
  return names[static_cast<int>(kind)];
}

/// Whether a wall has that speed: WallRate is of a rotation, WallVelocity of a translation.
inline bool hasSpeed(MotionKind kind, const std::string& property)
{
  return kind == (property == "WallRate" ? MotionKind::Rotation : MotionKind::Translation);
}

/// Readies the motion of wall `index` for another speed from `time` on. Throws where it has no such
/// speed.
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
