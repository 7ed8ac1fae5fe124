// Validates a .dem document, and writes a readable message for the first fault.
#include "Scene/File/SchemaCheck.h"

#include "Scene/File/JsonText.h"
#include "Scene/File/SceneSchema.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace dem
{
namespace detail
{

using nlohmann::json;

namespace
{

// A schema as a document, and compiled for the validator.
struct CheckedSchema
{
  json document;
  valijson::Schema compiled;

  explicit CheckedSchema(json given)
    : document(std::move(given))
  {
    valijson::SchemaParser().populateSchema(
      valijson::adapters::NlohmannJsonAdapter(document), compiled);
  }
};

// The schema of the MPM refers to definitions of that of the DEM by the name of its file. They are
// copied here, because the validator reads no files.
json mpmSchemaDocument()
{
  std::string text = mpm_schema_text;
  const std::string file = "dem.schema.json#";
  for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file, at))
  {
    text.replace(at, file.size(), "#");
  }
  json document = json::parse(text);
  const json shared = json::parse(scene_schema_text);
  for (const auto& item : shared["definitions"].items())
  {
    if (!document["definitions"].contains(item.key()))
    {
      document["definitions"][item.key()] = item.value();
    }
  }
  return document;
}

const CheckedSchema& schemaOf(Method method)
{
  static const CheckedSchema dem_schema(json::parse(scene_schema_text));
  static const CheckedSchema mpm_schema(mpmSchemaDocument());
  return method == Method::MPM ? mpm_schema : dem_schema;
}

const json* resolved(const json& root, const json* node)
{
  for (int i = 0; node && node->contains("$ref") && i < 8; ++i)
  {
    const std::string name =
      (*node)["$ref"].get<std::string>().substr(std::string("#/definitions/").size());
    node = &root["definitions"][name];
  }
  return node;
}

// Returns the part of the schema for the value at a pointer, or null. `description` receives
// the description at the use of the value, or that of the definition to which the use refers.
const json* schemaAt(
  const json& root, const std::vector<std::string>& tokens, std::string& description)
{
  const json* node = &root;
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
    const json* target = resolved(root, node);
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

bool isValid(
  const CheckedSchema& schema, const json& document, valijson::ValidationResults* results)
{
  valijson::Validator validator;
  return validator.validate(
    schema.compiled, valijson::adapters::NlohmannJsonAdapter(document), results);
}

// The key or index of a step of the validator's path: [key], or ["key"] in its newer versions.
std::string stepOf(const std::string& step)
{
  const std::size_t edge = step.rfind("[\"", 0) == 0 ? 2 : 1;
  return step.substr(edge, step.size() - 2 * edge);
}

std::string explained(const json& root, const std::string& problem, const json& value,
  const std::vector<std::string>& tokens, std::string& pointer)
{
  std::string description;
  const json* schema = schemaAt(root, tokens, description);
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
    schemaAt(root, path, wanted);
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

void checkAgainstSchema(const json& document, const std::string& label, Method method)
{
  const CheckedSchema& schema = schemaOf(method);
  if (isValid(schema, document, nullptr))
  {
    return;
  }
  // The validator reports every wrong element. So long arrays are cut after the first wrong one.
  std::size_t low = 16, high = std::max<std::size_t>(low, longestArray(document));
  while (low < high)
  {
    const std::size_t middle = low + (high - low) / 2;
    if (isValid(schema, truncated(document, middle), nullptr))
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
  isValid(schema, cut, &results);
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
  const std::string what = explained(schema.document, best->description, *value, tokens, pointer);
  failAt(label, pointer, what);
}

} // namespace detail
} // namespace dem
