// Strict parsing of JSON, and text of values and pointers for messages. Used by the reader of .dem
// files and Scene/ShapeText.cpp.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace dem
{
namespace detail
{

/// Parses a JSON document. Throws dem::Error for text that is not JSON, duplicate keys, and more
/// than 64 levels of nesting. The message begins with `label` and contains line, column and byte.
nlohmann::json parseJson(const std::string& text, const std::string& label);

/// Throws dem::Error with the message "label: pointer: what".
[[noreturn]] void failAt(
  const std::string& label, const std::string& pointer, const std::string& what);

/// Returns a value as a short text of printable characters.
std::string shown(const nlohmann::json& value);

/// Escapes a key for a JSON pointer.
std::string escaped(const std::string& token);

/// Returns quoted names separated by commas, or "none".
template <class Range>
std::string listed(const Range& names)
{
  std::string out;
  for (const auto& name : names)
  {
    out += (out.empty() ? "" : ", ") + std::string("\"") + name + '"';
  }
  return out.empty() ? "none" : out;
}

} // namespace detail
} // namespace dem
