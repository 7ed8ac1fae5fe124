// Reader of `.dem` files: a complete scene as JSON with a published schema (Data/dem.schema.json).
#pragma once

#include "Scene/Packing/PackingLimits.h"
#include "Scene/Scene.h"

#include <string>

namespace dem
{

/// Reads a `.dem` file. Paths of STL files are relative to its folder. Throws dem::Error with the
/// file and the line or JSON pointer.
Scene readSceneFile(const std::string& path);

/// Reads a scene from text. Paths of STL files are relative to `directory`. `label`: name of the
/// source in messages.
Scene parseScene(const std::string& text, const std::string& directory, const std::string& label);

/// As above, with `limits` for all packings together.
Scene parseScene(const std::string& text, const std::string& directory, const std::string& label,
  const PackingLimits& limits);

/// Returns the schema that the reader checks against, as JSON. Also installed as
/// Data/dem.schema.json.
const char* sceneSchema();

/// The schema of scenes with the method MPM (Data/mpm.schema.json). It refers to definitions of
/// sceneSchema().
const char* mpmSceneSchema();

} // namespace dem
