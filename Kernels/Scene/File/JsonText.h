// JSON as text: strict parsing, and how messages show values and places.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace dem
{
namespace detail
{

/// Parses a JSON document. Throws dem::Error that begins with `label`, with line, column and byte,
/// for text that is not JSON, a key given twice, and more than 64 levels of nesting.
nlohmann::json parseJson(const std::string& text, const std::string& label);

/// Throws dem::Error: "label: pointer: what".
[[noreturn]] void failAt(
  const std::string& label, const std::string& pointer, const std::string& what);

/// A value in a message: short, in printable characters.
std::string shown(const nlohmann::json& value);

/// A key as a part of a JSON pointer.
std::string escaped(const std::string& token);

/// Names in a message: "a", "b", or none.
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
