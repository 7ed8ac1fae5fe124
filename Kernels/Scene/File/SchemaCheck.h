// Check of a .dem document against the schema of its method (Data/dem.schema.json,
// Data/mpm.schema.json).
#pragma once

#include "Scene/File/SceneDocument.h"

#include <nlohmann/json.hpp>

#include <string>

namespace dem
{
namespace detail
{

/// Throws dem::Error for the first value that does not follow the schema, with its JSON pointer,
/// the value and what is expected.
void checkAgainstSchema(const nlohmann::json& document, const std::string& label, Method method);

} // namespace detail
} // namespace dem
