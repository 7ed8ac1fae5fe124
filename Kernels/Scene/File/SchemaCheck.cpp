// Validates a .dem document, and writes a readable message for the first fault.
#include "Scene/File/SchemaCheck.h"

#include "Scene/File/JsonText.h"
#include "Scene/File/SceneSchema.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace dem
{
namespace detail
{

using nlohmann::json;

namespace
{

const json& schemaDocument()
{
  static const json document = json::parse(scene_schema_text);
  return document;
}

const valijson::Schema& compiledSchema()
{
  static const std::unique_ptr<const valijson::Schema> schema = [] {
    auto result = std::make_unique<valijson::Schema>();
    valijson::SchemaParser().populateSchema(
      valijson::adapters::NlohmannJsonAdapter(schemaDocument()), *result);
    return result;
  }();
  return *schema;
}

const json* resolved(const json* node)
{
  for (int i = 0; node && node->contains("$ref") && i < 8; ++i)
  {
    const std::string name =
      (*node)["$ref"].get<std::string>().substr(std::string("#/definitions/").size());
    node = &schemaDocument()["definitions"][name];
  }
  return node;
}

// Returns the part of the schema for the value at a pointer, or null. `description` receives
// the description at the use of the value, or that of the definition to which the use refers.
const json* schemaAt(const std::vector<std::string>& tokens, std::string& description)
{
  const json* node = &schemaDocument();
  for (const std::string& token : tokens)
  {
    const char* into = node->contains("properties") ? "properties" : "items";
    if (!node->contains(into))
    {
      return nullptr;
    }
    node = &(*node)[into];
    if (std::string(into) == "properties")
    {
      if (!node->contains(token))
      {
        return nullptr;
      }
      node = &(*node)[token];
    }
    const json* target = resolved(node);
    description = node->value("description", target->value("description", std::string()));
    node = target;
  }
  return node;
}

// Returns the document with all arrays cut to at most `longest` elements.
json truncated(const json& value, std::size_t longest)
{
  json out = value.is_array() ? json::array() : json::object();
  if (value.is_array())
  {
    for (std::size_t i = 0; i < std::min(value.size(), longest); ++i)
    {
      out.push_back(value[i].is_structured() ? truncated(value[i], longest) : value[i]);
    }
    return out;
  }
  for (const auto& item : value.items())
  {
    out[item.key()] =
      item.value().is_structured() ? truncated(item.value(), longest) : item.value();
  }
  return out;
}

std::size_t longestArray(const json& value)
{
  std::size_t longest = value.is_array() ? value.size() : 0;
  if (value.is_structured())
  {
    for (const json& child : value)
    {
      longest = child.is_structured() ? std::max(longest, longestArray(child)) : longest;
    }
  }
  return longest;
}

bool isValid(const json& document, valijson::ValidationResults* results)
{
  valijson::Validator validator;
  return validator.validate(
    compiledSchema(), valijson::adapters::NlohmannJsonAdapter(document), results);
}

// The key or index of a step of the validator's path: [key], or ["key"] in its newer versions.
std::string stepOf(const std::string& step)
{
  const std::size_t edge = step.rfind("[\"", 0) == 0 ? 2 : 1;
  return step.substr(edge, step.size() - 2 * edge);
}

std::string explained(const std::string& problem, const json& value,
  const std::vector<std::string>& tokens, std::string& pointer)
{
  std::string description;
  const json* schema = schemaAt(tokens, description);
  const auto quoted = [&] {
    const std::size_t a =
      problem.find('\'', problem.rfind(": '") == std::string::npos ? 0 : problem.rfind(": '"));
    const std::size_t b = problem.rfind('\'');
    return a == std::string::npos || b <= a ? std::string() : problem.substr(a + 1, b - a - 1);
  };
  if (problem.rfind("Missing", 0) == 0)
  {
    const std::string key = quoted();
    std::vector<std::string> path = tokens;
    path.push_back(key);
    std::string wanted;
    schemaAt(path, wanted);
    return "the key \"" + key + "\" is missing" + (wanted.empty() ? "." : " (" + wanted + ").");
  }
  if (problem.find("could not be validated using 'properties'") != std::string::npos)
  {
    std::vector<std::string> known;
    if (schema && schema->contains("properties"))
    {
      for (const auto& item : (*schema)["properties"].items())
      {
        known.push_back(item.key());
      }
    }
    std::string key;
    for (const auto& item : value.items())
    {
      if (std::find(known.begin(), known.end(), item.key()) == known.end())
      {
        key = item.key();
        break;
      }
    }
    pointer += "/" + escaped(key.substr(0, 80));
    return "unknown key. Known here: " + listed(known) + ".";
  }
  std::string out = "found " + shown(value) + ", expected " +
    (description.empty() ? "something else" : description);
  if (schema && schema->contains("enum"))
  {
    std::string known;
    for (const json& one : (*schema)["enum"])
    {
      known += (known.empty() ? "" : ", ") + one.dump();
    }
    out += ": one of " + known;
  }
  return out + ".";
}

} // namespace

void checkAgainstSchema(const json& document, const std::string& label)
{
  if (isValid(document, nullptr))
  {
    return;
  }
  // The validator reports every wrong element. So long arrays are cut after the first wrong one.
  std::size_t low = 16, high = std::max<std::size_t>(low, longestArray(document));
  while (low < high)
  {
    const std::size_t middle = low + (high - low) / 2;
    if (isValid(truncated(document, middle), nullptr))
    {
      low = middle + 1;
    }
    else
    {
      high = middle;
    }
  }
  valijson::ValidationResults results;
  const json cut = truncated(document, low);
  isValid(cut, &results);
  const valijson::ValidationResults::Error* best = nullptr;
  const auto isSummary = [](const valijson::ValidationResults::Error& e) {
    return e.description.rfind("Failed to validate", 0) == 0;
  };
  for (const auto& error : results)
  {
    if (!best || error.context.size() > best->context.size() ||
      (error.context.size() == best->context.size() && isSummary(*best) && !isSummary(error)))
    {
      best = &error;
    }
  }
  if (!best)
  {
    failAt(label, "", "the file does not follow the schema.");
  }
  std::vector<std::string> tokens;
  std::string pointer;
  const json* value = &cut;
  for (std::size_t i = 1; i < best->context.size(); ++i)
  {
    const std::string token = stepOf(best->context[i]);
    if (value->is_array())
    {
      value = &(*value)[std::stoul(token)];
    }
    else if (value->is_object() && value->contains(token))
    {
      value = &(*value)[token];
    }
    else
    {
      break;
    }
    tokens.push_back(token);
    pointer += "/" + escaped(token);
  }
  const std::string what = explained(best->description, *value, tokens, pointer);
  failAt(label, pointer, what);
}

} // namespace detail
} // namespace dem
