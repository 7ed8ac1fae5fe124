// A .dem document against its schema (Data/dem.schema.json).
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace dem
{
namespace detail
{

/// Throws dem::Error with the JSON pointer of the first value that does not follow the schema: what
/// was found and what is expected.
void checkAgainstSchema(const nlohmann::json& document, const std::string& label);

} // namespace detail
} // namespace dem
