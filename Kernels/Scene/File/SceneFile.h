// `.dem` files: a whole scene as JSON with a published schema (Data/dem.schema.json), and the STL
// files it names.
#pragma once

#include "Scene/Scene.h"

#include <string>

namespace dem
{

/// Reads a `.dem` file. Paths of STL files are relative to it. Throws dem::Error with file, and
/// line or JSON pointer.
Scene readSceneFile(const std::string& path);

/// The same from text; `directory` is where STL paths start, `label` names the source in messages.
Scene parseScene(const std::string& text, const std::string& directory, const std::string& label);

/// The schema the reader checks against (JSON text), also installed as Data/dem.schema.json.
const char* sceneSchema();

/// Reads an STL file, ASCII or binary. Throws dem::Error with file and line (ASCII) or offset
/// (binary).
void readStl(const std::string& path, std::vector<Vec3d>& points,
  std::vector<std::array<std::int32_t, 3>>& triangles);
void parseStl(const std::string& bytes, const std::string& label, std::vector<Vec3d>& points,
  std::vector<std::array<std::int32_t, 3>>& triangles);

} // namespace dem
