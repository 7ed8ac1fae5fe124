// Check of a .dem document against its schema (Data/dem.schema.json). Used by SceneFile.cpp.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace dem
{
namespace detail
{

/// Throws dem::Error for the first value that does not follow the schema, with its JSON pointer,
/// the value and what is expected.
void checkAgainstSchema(const nlohmann::json& document, const std::string& label);

} // namespace detail
} // namespace dem
