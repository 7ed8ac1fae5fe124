// A .dem file as a JSON document, before the reader of its method takes it.
#pragma once

#include "Scene/Packing/PackingLimits.h"
#include "Scene/Scene.h"

#include <nlohmann/json.hpp>

#include <string>

namespace dem
{
namespace detail
{

/// The method that a .dem file runs.
enum class Method
{
  DEM,
  MPM
};

struct SceneDocument
{
  nlohmann::json json;
  std::string directory; ///< base of the paths of STL files
  std::string label;     ///< first part of all messages
  std::string file;      ///< path of the file; empty for a text
  Method method = Method::DEM;
};

/// Parses text, and checks its version and method. Throws dem::Error.
SceneDocument parseDocument(
  const std::string& text, const std::string& directory, const std::string& label);

/// The document of a file. Throws dem::Error.
SceneDocument readDocument(const std::string& path);

/// The scene of a document with the method DEM. Throws dem::Error for another method.
Scene sceneOf(const SceneDocument& document, const PackingLimits& limits);

} // namespace detail
} // namespace dem
