// `.dem` files: a whole scene as JSON with a published schema (Data/dem.schema.json).
#pragma once

#include "Scene/Packing/PackingLimits.h"
#include "Scene/Scene.h"

#include <string>

namespace dem
{

/// Reads a `.dem` file. Paths of STL files are relative to it. Throws dem::Error with file, and
/// line or JSON pointer.
Scene readSceneFile(const std::string& path);

/// The same from text; `directory` is where STL paths start, `label` names the source in messages.
Scene parseScene(const std::string& text, const std::string& directory, const std::string& label);

/// The same where all packings together may cost no more than `limits`.
Scene parseScene(const std::string& text, const std::string& directory, const std::string& label,
  const PackingLimits& limits);

/// The schema the reader checks against (JSON text), also installed as Data/dem.schema.json.
const char* sceneSchema();

} // namespace dem
