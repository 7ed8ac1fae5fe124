// Reader of `.dem` files whose method is MPM: a complete scene as JSON with a published schema
// (Data/mpm.schema.json).
#pragma once

#include "MaterialPoint/MpmScene.h"
#include "Scene/Scene.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace mpm
{

/// A scene from a file, with what its runs do not need.
struct FileScene
{
  Scene scene;
  std::vector<std::string> materials; ///< their names
  std::vector<std::string> warnings;  ///< one sentence each
};

/// Limits of what a file may make, for tests of any input.
struct FileLimits
{
  std::int64_t points = std::int64_t(1) << 32; ///< inside all surfaces together
};

/// Reads a file. Paths of STL files are relative to its folder. Throws dem::Error with the file and
/// the line or JSON pointer.
FileScene readSceneFile(const std::string& path);

/// Reads a scene from text. Paths of STL files are relative to `directory`. `label`: name of the
/// source in messages.
FileScene parseScene(const std::string& text, const std::string& directory,
  const std::string& label, const FileLimits& limits = {});

/// Reads a file of either method.
std::variant<dem::Scene, FileScene> readAnySceneFile(const std::string& path);

} // namespace mpm
