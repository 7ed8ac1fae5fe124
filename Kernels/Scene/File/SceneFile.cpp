#include "Scene/File/SceneFile.h"

#include "Core/Error.h"
#include "Scene/AutomaticDomain.h"
#include "Scene/File/SceneSchema.h"
#include "Scene/ShapeText.h"
#include "Scene/File/ReadFile.h"
#include "Scene/File/SceneLimits.h"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <set>

namespace dem
{
namespace
{

using nlohmann::json;
using Triangles = std::vector<std::array<std::int32_t, 3>>;

constexpr int file_version = 1;
constexpr std::size_t deepest_nesting = 64;
constexpr double pi = 3.14159265358979323846;

// --- text of messages ---

std::string printable(const std::string& bytes)
{
  std::string out;
  for (const char c : bytes)
  {
    out += c >= 32 && c < 127 ? c : '?';
  }
  return out;
}

std::string shown(const json& value)
{
  switch (value.type())
  {
    case json::value_t::object:
      return "an object with " + std::to_string(value.size()) +
        (value.size() == 1 ? " key" : " keys");
    case json::value_t::array:
      return "an array of " + std::to_string(value.size());
    case json::value_t::string:
    {
      const std::string& s = value.get_ref<const std::string&>();
      return '"' + printable(s.substr(0, 40)) + (s.size() > 40 ? "...\"" : "\"");
    }
    default:
      return value.dump();
  }
}

std::string escaped(const std::string& token)
{
  std::string out;
  for (const char c : token)
  {
    if (c == '~')
    {
      out += "~0";
    }
    else if (c == '/')
    {
      out += "~1";
    }
    else
    {
      out += static_cast<unsigned char>(c) < 32 ? '?' : c;
    }
  }
  return out;
}

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

[[noreturn]] void failAt(
  const std::string& label, const std::string& pointer, const std::string& what)
{
  throw Error(label + ": " + (pointer.empty() ? "/" : pointer) + ": " + what);
}

// --- text to JSON ---

/// Builds the document, and refuses what the library would let pass: a key given twice, and nesting
/// without end.
class DocumentBuilder : public nlohmann::json_sax<json>
{
public:
  DocumentBuilder(const std::string& text, const std::string& label)
    : text_(text)
    , label_(label)
  {
  }

  json& document() { return document_; }

  bool null() override { return value(nullptr); }
  bool boolean(bool v) override { return value(v); }
  bool number_integer(number_integer_t v) override { return value(v); }
  bool number_unsigned(number_unsigned_t v) override { return value(v); }
  bool number_float(number_float_t v, const string_t&) override { return value(v); }
  bool string(string_t& v) override { return value(std::move(v)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override
  {
    if (open_.back().node->contains(name))
    {
      failAt(label_, pointer(),
        "the key \"" + printable(name) + "\" is given twice. Remove one of them.");
    }
    open_.back().key = std::move(name);
    return true;
  }

  bool parse_error(
    std::size_t position, const std::string&, const nlohmann::detail::exception& error) override
  {
    const std::size_t at = std::min(position > 0 ? position - 1 : 0, text_.size());
    const std::size_t line =
      1 + static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + at, '\n'));
    const std::size_t break_at = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const std::size_t column = break_at == std::string::npos ? at + 1 : at - break_at;
    std::string what = error.what();
    const std::size_t position_text = what.find(", column ");
    const std::size_t cut =
      position_text == std::string::npos ? what.find("] ") : what.find(": ", position_text);
    what = cut == std::string::npos ? what : what.substr(cut + 2);
    throw Error(label_ + ": line " + std::to_string(line) + ", column " + std::to_string(column) +
      " (byte " + std::to_string(at) +
      "): this is no valid JSON: " + printable(what.substr(0, 300)) + ".");
  }

private:
  struct Level
  {
    json* node;
    std::string key;
  };

  std::string pointer() const
  {
    std::string out;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i)
    {
      const Level& level = open_[i];
      out += "/" +
        (level.node->is_array() ? std::to_string(level.node->size() - 1) : escaped(level.key));
    }
    return out;
  }

  json* place(json&& v)
  {
    if (open_.empty())
    {
      document_ = std::move(v);
      return &document_;
    }
    Level& level = open_.back();
    if (level.node->is_array())
    {
      level.node->push_back(std::move(v));
      return &level.node->back();
    }
    return &((*level.node)[level.key] = std::move(v));
  }

  template <class V>
  bool value(V&& v)
  {
    place(json(std::forward<V>(v)));
    return true;
  }

  bool open(json&& container)
  {
    if (open_.size() == deepest_nesting)
    {
      failAt(label_, "",
        "the file is nested more than " + std::to_string(deepest_nesting) +
          " levels deep. This is no scene.");
    }
    json* node = place(std::move(container));
    open_.push_back({ node, {} });
    return true;
  }

  bool close()
  {
    open_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::string& label_;
  json document_;
  std::vector<Level> open_;
};

// --- JSON against the schema ---

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

/// The part of the schema that a value answers to, null when there is none, and the description
/// nearest to its use.
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

/// The document with every array longer than `longest` cut to that length.
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

void checkAgainstSchema(const json& document, const std::string& label)
{
  if (isValid(document, nullptr))
  {
    return;
  }
  // Asked for reasons, the validator gives one for every wrong element. Long arrays are cut behind
  // the first one.
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
    const std::string& bracketed = best->context[i];
    const std::string token = bracketed.substr(1, bracketed.size() - 2);
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

// --- JSON to a scene ---

template <class T>
struct Name
{
  const char* label;
  T value;
};

class SceneReader
{
public:
  SceneReader(const json& document, const std::string& directory, const std::string& label,
    const PackingLimits& limits)
    : document_(document)
    , directory_(directory)
    , label_(label)
    , limits_(limits)
  {
  }

  Scene read()
  {
    readMaterials();
    readPairs();
    readRun();
    readContactModel();
    readShapes();
    readParticles();
    readPackings();
    readWalls();
    readEvents();
    readDomain(); // which may follow walls that events move
    return std::move(scene_);
  }

private:
  [[noreturn]] void fail(const std::string& pointer, const std::string& what) const
  {
    failAt(label_, pointer, what);
  }

  static void get(const json& node, const char* key, double& out)
  {
    const auto found = node.find(key);
    out = found == node.end() ? out : found->get<double>();
  }

  static void get(const json& node, const char* key, int& out)
  {
    const auto found = node.find(key);
    out = found == node.end() ? out : found->get<int>();
  }

  static void get(const json& node, const char* key, bool& out)
  {
    const auto found = node.find(key);
    out = found == node.end() ? out : found->get<bool>();
  }

  static Vec3d vector(const json& node)
  {
    return { node[0].get<double>(), node[1].get<double>(), node[2].get<double>() };
  }

  static void get(const json& node, const char* key, Vec3d& out)
  {
    const auto found = node.find(key);
    out = found == node.end() ? out : vector(*found);
  }

  // The schema has checked that the name is known.
  template <class T, std::size_t N>
  static void get(const json& node, const char* key, const Name<T> (&names)[N], T& out)
  {
    const auto found = node.find(key);
    for (const auto& name : names)
    {
      if (found != node.end() && *found == name.label)
      {
        out = name.value;
      }
    }
  }

  template <class T, std::size_t N>
  static void get(const json& node, const char* key, const char* const (&names)[N], T& out)
  {
    const auto found = node.find(key);
    for (std::size_t k = 0; k < N; ++k)
    {
      if (found != node.end() && *found == names[k])
      {
        out = static_cast<T>(k);
      }
    }
  }

  int material(const json& node, const std::string& pointer) const
  {
    const auto found = materials_.find(node.get_ref<const std::string&>());
    if (found == materials_.end())
    {
      std::vector<std::string> known;
      for (const Material& m : scene_.materials)
      {
        known.push_back(m.name);
      }
      fail(pointer, "unknown material " + shown(node) + ". Known: " + listed(known) + ".");
    }
    return found->second;
  }

  void getMaterial(const json& node, const char* key, const std::string& pointer, int& out) const
  {
    const auto found = node.find(key);
    out = found == node.end() ? out : material(*found, pointer + "/" + key);
  }

  void readMaterials()
  {
    if (document_.contains("materials"))
    {
      scene_.materials.clear();
      for (const json& node : document_["materials"])
      {
        Material m;
        m.name = node["name"].get<std::string>();
        get(node, "youngs_modulus", m.youngs_modulus);
        get(node, "poissons_ratio", m.poissons_ratio);
        get(node, "density", m.density);
        get(node, "restitution", m.restitution);
        get(node, "friction", m.friction);
        get(node, "rolling_friction", m.rolling_friction);
        scene_.materials.push_back(m);
      }
    }
    for (std::size_t i = 0; i < scene_.materials.size(); ++i)
    {
      if (!materials_.emplace(scene_.materials[i].name, static_cast<int>(i)).second)
      {
        fail("/materials/" + std::to_string(i) + "/name",
          "the name \"" + scene_.materials[i].name +
            "\" is taken by another material. Names must differ.");
      }
    }
  }

  void readShapes()
  {
    shapes_.emplace(scene_.shapes[0].name, 0);
    for (std::size_t i = 0; document_.contains("shapes") && i < document_["shapes"].size(); ++i)
    {
      const json& node = document_["shapes"][i];
      const std::string pointer = "/shapes/" + std::to_string(i);
      if (!shapes_.emplace(node["name"].get<std::string>(), static_cast<int>(scene_.shapes.size()))
             .second)
      {
        fail(pointer + "/name",
          "the name " + shown(node["name"]) +
            " is taken by another shape. Names must differ; \"Sphere\" is always there.");
      }
      try
      {
        scene_.shapes.push_back(parseShape(node.dump(), directory_));
      }
      catch (const Error& error)
      {
        fail(pointer, error.what());
      }
    }
  }

  int shape(const json& node, const std::string& pointer) const
  {
    const auto found = shapes_.find(node.get_ref<const std::string&>());
    if (found == shapes_.end())
    {
      std::vector<std::string> known;
      for (const Shape& s : scene_.shapes)
      {
        known.push_back(s.name);
      }
      fail(pointer, "unknown shape " + shown(node) + ". Known: " + listed(known) + ".");
    }
    return found->second;
  }

  void readPairs()
  {
    std::set<std::pair<int, int>> seen;
    for (std::size_t i = 0; document_.contains("pairs") && i < document_["pairs"].size(); ++i)
    {
      const json& node = document_["pairs"][i];
      const std::string pointer = "/pairs/" + std::to_string(i);
      MaterialPair pair;
      pair.first = material(node["between"][0], pointer + "/between/0");
      pair.second = material(node["between"][1], pointer + "/between/1");
      if (pair.first == pair.second)
      {
        fail(pointer + "/between",
          "a pair joins two different materials. The coefficients of a material with itself stand "
          "in the material.");
      }
      if (!seen.insert(std::minmax(pair.first, pair.second)).second)
      {
        fail(pointer + "/between", "this pair of materials is given twice. Remove one of them.");
      }
      const auto optional = [&](const char* key, std::optional<double>& out) {
        if (node.contains(key))
        {
          out = node[key].get<double>();
        }
      };
      optional("restitution", pair.restitution);
      optional("friction", pair.friction);
      optional("rolling_friction", pair.rolling_friction);
      scene_.pairs.push_back(pair);
    }
  }

  void readRun()
  {
    static const Name<Precision> precisions[] = { { "Mixed", Precision::Mixed },
      { "Double", Precision::Double } };
    get(document_, "gravity", scene_.gravity);
    get(document_, "time_step", scene_.time_step);
    get(document_, "end_time", scene_.end_time);
    get(document_, "output_interval", scene_.output_interval);
    get(document_, "precision", precisions, scene_.precision);
    get(document_, "integrator", kIntegratorNames, scene_.integrator);
    readBroadPhase();
    readAverages();
    readNeighborList();
    get(document_, "skin", scene_.skin);
    get(document_, "contact_statistics", scene_.contact_statistics);
    get(document_, "initial_overlap_tolerance", scene_.initial_overlap_tolerance);
    get(document_, "relax_initial_overlaps", scene_.relax_initial_overlaps);
  }

  void readAverages()
  {
    if (!document_.contains("averages"))
    {
      return;
    }
    const json& node = document_["averages"];
    AveragesOptions& a = scene_.averages;
    a.enabled = true;
    a.whole_domain = !node.contains("lower");
    get(node, "lower", a.lower);
    get(node, "upper", a.upper);
    for (int k = 0; node.contains("cells") && k < 3; ++k)
    {
      a.cells[k] = node["cells"][k].get<int>();
    }
    get(node, "from", a.from);
    get(node, "to", a.to);
    get(node, "interval", a.interval);
    double mebibytes = a.memory_limit / 1048576;
    get(node, "memory_limit", mebibytes);
    a.memory_limit = mebibytes * 1048576;
  }

  void readNeighborList()
  {
    NeighborListOptions& o = scene_.neighbor_list;
    get(document_, "neighbor_list", kNeighborListNames, o.kind);
    if (!document_.contains("neighbor_list_options"))
    {
      return;
    }
    const json& node = document_["neighbor_list_options"];
    get(node, "static_size", o.static_size);
    get(node, "symmetric", o.symmetric);
    get(node, "thread_per", kThreadPerNames, o.thread_per);
  }

  void readBroadPhase()
  {
    BroadPhaseOptions& o = scene_.broad_phase;
    get(document_, "broad_phase", kBroadPhaseNames, o.kind);
    if (document_.contains("broad_phase_options"))
    {
      const json& node = document_["broad_phase_options"];
      get(node, "cell_order", kCellOrderNames, o.cell_order);
      get(node, "linked_cells", kLinkedCellsNames, o.linked_cells);
      get(node, "fixed_cells", kFixedCellsNames, o.fixed_cells);
      get(node, "cell_capacity", o.cell_capacity);
      get(node, "hash_function", kHashFunctionNames, o.hash);
      get(node, "hash_table_factor", o.hash_table_factor);
      get(node, "bvh_key_bits", o.bvh_key_bits);
      get(node, "half_search", o.half_search);
      get(node, "triangle_search", kTriangleSearchNames, o.triangles);
    }
    get(document_, "sort_particles", kSortNames, o.sort);
    get(document_, "sort_steps", o.sort_steps);
    get(document_, "sort_time", o.sort_time);
  }

  void readContactModel()
  {
    static const Name<NormalLaw> laws[] = { { "Hertz-Mindlin", NormalLaw::HertzMindlin },
      { "Linear Spring-Dashpot", NormalLaw::LinearSpringDashpot } };
    static const Name<FrictionLimit> limits[] = { { "Total", FrictionLimit::Total },
      { "Elastic", FrictionLimit::Elastic } };
    static const Name<TangentialDamping> dampings[] = { { "Mindlin", TangentialDamping::Mindlin },
      { "Equal To Normal", TangentialDamping::EqualToNormal },
      { "None", TangentialDamping::None } };
    static const Name<RollingModel> rollings[] = { { "None", RollingModel::None },
      { "CDT", RollingModel::CDT }, { "EPSD", RollingModel::EPSD } };
    if (!document_.contains("contact_model"))
    {
      return;
    }
    const json& node = document_["contact_model"];
    ContactModel& c = scene_.contact;
    get(node, "law", laws, c.law);
    get(node, "tangential_history", c.tangential_history);
    get(node, "friction_limit", limits, c.friction_limit);
    get(node, "tangential_damping", dampings, c.tangential_damping);
    get(node, "clamp_normal_force", c.clamp_normal_force);
    get(node, "rolling_model", rollings, c.rolling);
    get(node, "rolling_damping", c.rolling_damping);
    get(node, "collision_time", c.collision_time);
    get(node, "normal_stiffness", c.normal_stiffness);
    get(node, "stiffness_ratio", c.stiffness_ratio);
  }

  void readParticles()
  {
    if (!document_.contains("particles"))
    {
      return;
    }
    const json& node = document_["particles"];
    ParticleInput& p = scene_.particles;
    const std::size_t n = node["position"].size();
    const auto checkLength = [&](const char* key) {
      if (node.contains(key) && node[key].is_array() && node[key].size() != n)
      {
        fail(std::string("/particles/") + key,
          "has " + std::to_string(node[key].size()) + " entries, and there are " +
            std::to_string(n) + " positions. Each particle needs one.");
      }
    };
    for (const char* key :
      { "radius", "velocity", "angular_velocity", "orientation", "id", "material", "shape" })
    {
      checkLength(key);
    }
    const auto vectors = [&](const char* key, std::vector<Vec3d>& out) {
      if (node.contains(key))
      {
        out.reserve(n);
        for (const json& v : node[key])
        {
          out.push_back(vector(v));
        }
      }
    };
    vectors("position", p.position);
    vectors("velocity", p.velocity);
    vectors("angular_velocity", p.angular_velocity);
    if (node.contains("shape"))
    {
      const json& named = node["shape"];
      for (std::size_t i = 0; i < n; ++i)
      {
        p.shape.push_back(named.is_array()
            ? shape(named[i], "/particles/shape/" + std::to_string(i))
            : shape(named, "/particles/shape"));
      }
    }
    if (!node.contains("radius"))
    {
      for (std::size_t i = 0; i < n; ++i)
      {
        if (p.shape.empty() || scene_.shapes[p.shape[i]].kind == ShapeKind::Sphere)
        {
          fail("/particles",
            "the key \"radius\" is missing (radii, m, above 0; one number serves all particles). "
            "Only grains of a shape that has a size of its own can do without; particle " +
              std::to_string(i) + " is a sphere.");
        }
        p.radius.push_back(equalRadius(scene_.shapes[p.shape[i]]));
      }
    }
    else if (node["radius"].is_array())
    {
      p.radius = node["radius"].get<std::vector<double>>();
    }
    else
    {
      p.radius.assign(n, node["radius"].get<double>());
    }
    for (std::size_t i = 0; node.contains("orientation") && i < n; ++i)
    {
      const json& q = node["orientation"][i];
      const Quaternion<double> raw{ q[0].get<double>(), q[1].get<double>(), q[2].get<double>(),
        q[3].get<double>() };
      const double largest =
        std::max({ std::abs(raw.w), std::abs(raw.x), std::abs(raw.y), std::abs(raw.z) });
      if (!(largest > 0) || !std::isfinite(1 / largest))
      {
        fail("/particles/orientation/" + std::to_string(i),
          "the quaternion is zero. Write [1, 0, 0, 0] for no rotation.");
      }
      p.orientation.push_back(
        normalized({ raw.w / largest, raw.x / largest, raw.y / largest, raw.z / largest }));
    }
    for (std::size_t i = 0; node.contains("id") && i < n; ++i)
    {
      p.id.push_back(node["id"][i].get<std::int64_t>());
    }
    if (node.contains("material"))
    {
      const json& m = node["material"];
      if (m.is_array())
      {
        for (std::size_t i = 0; i < n; ++i)
        {
          p.material.push_back(material(m[i], "/particles/material/" + std::to_string(i)));
        }
      }
      else
      {
        p.material.assign(n, material(m, "/particles/material"));
      }
    }
  }

  struct Mesh
  {
    std::vector<Vec3d> points;
    Triangles triangles;
  };

  void readMesh(
    const json& node, const std::string& pointer, std::vector<Vec3d>& points, Triangles& triangles)
  {
    const std::string& file = node["file"].get_ref<const std::string&>();
    if (file.find('\0') != std::string::npos)
    {
      fail(pointer + "/file", "a file name cannot hold the character 0.");
    }
    const std::string path =
      (std::filesystem::u8path(directory_) / std::filesystem::u8path(file)).string();
    auto found = meshes_.find(path);
    if (found == meshes_.end())
    {
      Mesh mesh;
      try
      {
        readStl(path, mesh.points, mesh.triangles);
      }
      catch (const Error& error)
      {
        fail(pointer + "/file", error.what());
      }
      found = meshes_.emplace(path, std::move(mesh)).first;
    }
    double scale = 1;
    Vec3d offset{};
    get(node, "scale", scale);
    get(node, "offset", offset);
    points = found->second.points;
    for (Vec3d& p : points)
    {
      p = scale * p + offset;
    }
    triangles = found->second.triangles;
  }

  void readPackings()
  {
    static const Name<PackingKind> kinds[] = { { "Lattice", PackingKind::Lattice },
      { "Jittered Lattice", PackingKind::JitteredLattice }, { "Random", PackingKind::Random } };
    static const Name<RadiusKind> radius_kinds[] = { { "Single", RadiusKind::Single },
      { "Uniform", RadiusKind::Uniform }, { "Normal", RadiusKind::Normal },
      { "Log-Normal", RadiusKind::LogNormal }, { "Tabulated", RadiusKind::Tabulated } };
    for (std::size_t i = 0; document_.contains("packings") && i < document_["packings"].size(); ++i)
    {
      const json& node = document_["packings"][i];
      const std::string pointer = "/packings/" + std::to_string(i);
      PackingSpec spec;
      get(node, "kind", kinds, spec.kind);
      if (node.contains("region"))
      {
        readMesh(node["region"], pointer + "/region", spec.region_points, spec.region_triangles);
        spec.lower = spec.upper = spec.region_points.front();
        for (const Vec3d& p : spec.region_points)
        {
          for (int k = 0; k < 3; ++k)
          {
            spec.lower[k] = std::min(spec.lower[k], p[k]);
            spec.upper[k] = std::max(spec.upper[k], p[k]);
          }
        }
      }
      else if (!node.contains("lower") || !node.contains("upper"))
      {
        fail(pointer, "a packing needs a box (\"lower\" and \"upper\") or a \"region\".");
      }
      get(node, "lower", spec.lower);
      get(node, "upper", spec.upper);
      spec.count = node.contains("count") ? node["count"].get<std::int64_t>() : spec.count;
      get(node, "spacing", spec.spacing);
      get(node, "jitter", spec.jitter);
      get(node, "radius_distribution", radius_kinds, spec.radius_kind);
      get(node, "radius", spec.radius);
      get(node, "radius_min", spec.radius_min);
      get(node, "radius_max", spec.radius_max);
      get(node, "radius_deviation", spec.radius_deviation);
      if (node.contains("table_radius"))
      {
        spec.table_radius = node["table_radius"].get<std::vector<double>>();
      }
      if (node.contains("table_fraction"))
      {
        spec.table_fraction = node["table_fraction"].get<std::vector<double>>();
      }
      getMaterial(node, "material", pointer, spec.material);
      if (node.contains("shape"))
      {
        spec.shape = shape(node["shape"], pointer + "/shape");
        const Shape& of = scene_.shapes[spec.shape];
        spec.reach = of.mass.bounding_radius / equalRadius(of);
        if (of.kind != ShapeKind::Sphere && !node.contains("radius") &&
          spec.radius_kind == RadiusKind::Single)
        {
          spec.radius = equalRadius(of);
        }
      }
      get(node, "turned", spec.turned);
      get(node, "velocity", spec.velocity);
      get(node, "angular_velocity", spec.angular_velocity);
      spec.seed = node.contains("seed") ? node["seed"].get<std::uint64_t>() : spec.seed;
      try
      {
        PackingLimits left = limits_;
        left.particles -= static_cast<std::int64_t>(scene_.particles.size());
        append(makePacking(spec, left));
      }
      catch (const Error& error)
      {
        fail(pointer, error.what());
      }
    }
  }

  // Optional arrays are either absent or complete.
  void append(const ParticleInput& more)
  {
    ParticleInput& p = scene_.particles;
    const std::size_t before = p.size(), after = before + more.size();
    const auto join = [&](auto& into, const auto& from, const auto& neutral) {
      if (into.empty() && from.empty())
      {
        return;
      }
      into.resize(before, neutral);
      into.insert(into.end(), from.begin(), from.end());
      into.resize(after, neutral);
    };
    join(p.velocity, more.velocity, Vec3d{});
    join(p.angular_velocity, more.angular_velocity, Vec3d{});
    join(p.orientation, more.orientation, Quaternion<double>{});
    join(p.material, more.material, 0);
    join(p.shape, more.shape, 0);
    if (!p.id.empty())
    {
      std::int64_t next = *std::max_element(p.id.begin(), p.id.end());
      while (p.id.size() < after)
      {
        p.id.push_back(++next);
      }
    }
    p.position.insert(p.position.end(), more.position.begin(), more.position.end());
    p.radius.insert(p.radius.end(), more.radius.begin(), more.radius.end());
  }

  /// A key that this kind does not use is an error: it would be silently without effect.
  void checkKeys(const json& node, const std::string& pointer, const char* what,
    const std::string& kind, const std::vector<std::string>& used) const
  {
    for (const auto& item : node.items())
    {
      if (std::find(used.begin(), used.end(), item.key()) == used.end())
      {
        fail(pointer + "/" + item.key(),
          std::string(what) + " of kind \"" + kind +
            "\" has no use for this key. It knows: " + listed(used) + ".");
      }
    }
  }

  void readWalls()
  {
    struct Entry
    {
      WallKind kind;
      std::vector<std::string> keys;
    };
    static const std::map<std::string, Entry> kinds{
      { "Mesh", { WallKind::Mesh, { "file", "scale", "offset", "points", "triangles" } } },
      { "Plane", { WallKind::Plane, { "origin", "normal" } } },
      { "Rectangle", { WallKind::Rectangle, { "origin", "edge_u", "edge_v" } } },
      { "Line", { WallKind::Line, { "origin", "end" } } },
      { "Box", { WallKind::Box, { "origin", "end" } } },
      { "Cylinder", { WallKind::Cylinder, { "origin", "end", "radius" } } },
      { "Cone", { WallKind::Cone, { "origin", "end", "radius", "end_radius" } } }
    };
    for (std::size_t i = 0; document_.contains("walls") && i < document_["walls"].size(); ++i)
    {
      const json& node = document_["walls"][i];
      const std::string pointer = "/walls/" + std::to_string(i);
      const std::string kind = node["kind"].get<std::string>();
      const Entry& entry = kinds.at(kind);
      std::vector<std::string> keys{ "name", "description", "kind", "material", "motion" };
      keys.insert(keys.end(), entry.keys.begin(), entry.keys.end());
      checkKeys(node, pointer, "a wall", kind, keys);
      Wall wall;
      wall.name = node["name"].get<std::string>();
      wall.kind = entry.kind;
      if (!walls_.emplace(wall.name, static_cast<int>(i)).second)
      {
        fail(pointer + "/name",
          "the name \"" + wall.name + "\" is taken by another wall. Names must differ.");
      }
      if (wall.kind == WallKind::Mesh)
      {
        readMeshWall(node, pointer, wall);
      }
      get(node, "origin", wall.origin);
      get(node, "normal", wall.normal);
      get(node, "edge_u", wall.edge_u);
      get(node, "edge_v", wall.edge_v);
      get(node, "end", wall.end);
      get(node, "radius", wall.radius);
      get(node, "end_radius", wall.end_radius);
      getMaterial(node, "material", pointer, wall.material);
      if (node.contains("motion"))
      {
        wall.motion = readMotion(node["motion"], pointer + "/motion");
      }
      scene_.walls.push_back(std::move(wall));
    }
  }

  void readMeshWall(const json& node, const std::string& pointer, Wall& wall)
  {
    const bool listed_mesh = node.contains("points") && node.contains("triangles");
    if (node.contains("file") == listed_mesh ||
      node.contains("points") != node.contains("triangles"))
    {
      fail(pointer,
        "a wall of kind \"Mesh\" needs either a \"file\" or both \"points\" and \"triangles\".");
    }
    if (node.contains("file"))
    {
      readMesh(node, pointer, wall.points, wall.triangles);
      return;
    }
    for (const char* key : { "scale", "offset" })
    {
      if (node.contains(key))
      {
        fail(pointer + "/" + key, "this key belongs to a mesh from a \"file\".");
      }
    }
    for (const json& p : node["points"])
    {
      wall.points.push_back(vector(p));
    }
    for (std::size_t t = 0; t < node["triangles"].size(); ++t)
    {
      std::array<std::int32_t, 3> corners{};
      for (int k = 0; k < 3; ++k)
      {
        const std::string where =
          pointer + "/triangles/" + std::to_string(t) + "/" + std::to_string(k);
        const std::int64_t index = node["triangles"][t][k].get<std::int64_t>();
        if (index >= static_cast<std::int64_t>(wall.points.size()))
        {
          fail(where,
            "there is no point " + std::to_string(index) + "; the mesh has " +
              std::to_string(wall.points.size()) + ", counted from 0.");
        }
        corners[k] = static_cast<std::int32_t>(index);
      }
      wall.triangles.push_back(corners);
    }
  }

  Motion readMotion(const json& node, const std::string& pointer) const
  {
    struct Entry
    {
      MotionKind kind;
      std::vector<std::string> keys;
    };
    static const std::map<std::string, Entry> kinds{ { "Fixed", { MotionKind::Fixed, { "kind" } } },
      { "Rotation",
        { MotionKind::Rotation, { "kind", "origin", "axis", "rate", "rpm", "start", "stop" } } },
      { "Translation", { MotionKind::Translation, { "kind", "velocity", "start", "stop" } } },
      { "Oscillation",
        { MotionKind::Oscillation,
          { "kind", "axis", "amplitude", "frequency", "phase", "start", "stop" } } } };
    const std::string kind = node["kind"].get<std::string>();
    const Entry& entry = kinds.at(kind);
    checkKeys(node, pointer, "a motion", kind, entry.keys);
    Motion m;
    m.kind = entry.kind;
    if (m.kind == MotionKind::Rotation && node.contains("rate") == node.contains("rpm"))
    {
      fail(pointer, "a rotation needs either \"rate\" (rad/s) or \"rpm\" (turns a minute).");
    }
    double rpm = 0;
    get(node, "rpm", rpm);
    m.rate = rpm * pi / 30;
    double degrees = 0;
    get(node, "phase", degrees);
    m.phase = degrees * pi / 180;
    get(node, "rate", m.rate);
    get(node, "origin", m.origin);
    get(node, "axis", m.axis);
    get(node, "velocity", m.velocity);
    get(node, "amplitude", m.amplitude);
    get(node, "frequency", m.frequency);
    get(node, "start", m.start);
    get(node, "stop", m.stop);
    if (node.contains("axis") && m.axis == Vec3d{})
    {
      fail(pointer + "/axis", "the axis has no length. Give it a direction.");
    }
    if (m.stop < m.start)
    {
      fail(
        pointer + "/stop", "the motion stops at " + node["stop"].dump() + " s, before it starts.");
    }
    return m;
  }

  void readDomain()
  {
    static const Name<Exit> exits[] = { { "Wall", Exit::Wall }, { "Remove", Exit::Remove },
      { "Periodic", Exit::Periodic } };
    const json empty = json::object();
    const json& node = document_.contains("domain") ? document_["domain"] : empty;
    Domain& d = scene_.domain;
    get(node, "limited", d.limited);
    getMaterial(node, "wall_material", "/domain", d.wall_material);
    if (node.contains("exit"))
    {
      get(node["exit"], "x", exits, d.exit[0]);
      get(node["exit"], "y", exits, d.exit[1]);
      get(node["exit"], "z", exits, d.exit[2]);
    }
    if (node.contains("lower"))
    {
      get(node, "lower", d.lower);
      get(node, "upper", d.upper);
      return;
    }
    setAutomaticDomain(scene_);
  }

  void readEvents()
  {
    for (std::size_t i = 0; document_.contains("events") && i < document_["events"].size(); ++i)
    {
      const json& node = document_["events"][i];
      const std::string pointer = "/events/" + std::to_string(i);
      Event event;
      event.time = node["time"].get<double>();
      event.property = node["property"].get<std::string>();
      const bool of_wall = event.property == "WallRate" || event.property == "WallVelocity";
      if (of_wall != node.contains("wall"))
      {
        fail(pointer,
          of_wall
            ? event.property + " needs the key \"wall\", the name of the wall that it changes."
            : "the key \"wall\" goes with WallRate and WallVelocity only.");
      }
      if (of_wall)
      {
        const auto found = walls_.find(node["wall"].get_ref<const std::string&>());
        if (found == walls_.end())
        {
          std::vector<std::string> known;
          for (const Wall& wall : scene_.walls)
          {
            known.push_back(wall.name);
          }
          fail(pointer + "/wall",
            "unknown wall " + shown(node["wall"]) + ". Known: " + listed(known) + ".");
        }
        event.value.push_back(found->second);
      }
      const json& value = node["value"];
      const std::size_t wanted =
        event.property == "Gravity" || event.property == "WallVelocity" ? 3 : 1;
      const std::size_t given = value.is_array() ? value.size() : 1;
      if (given != wanted)
      {
        fail(pointer + "/value",
          event.property + " takes " + std::to_string(wanted) +
            (wanted == 1 ? " number" : " numbers") + ", found " + std::to_string(given) + ".");
      }
      for (std::size_t k = 0; k < given; ++k)
      {
        event.value.push_back(value.is_array() ? value[k].get<double>() : value.get<double>());
      }
      if (!scene_.events.empty() && event.time < scene_.events.back().time)
      {
        fail(pointer + "/time",
          "the event is earlier than the one before it. Sort the events by time.");
      }
      scene_.events.push_back(std::move(event));
    }
  }

  const json& document_;
  const std::string& directory_;
  const std::string& label_;
  PackingLimits limits_;
  Scene scene_;
  std::map<std::string, int> materials_, walls_, shapes_;
  std::map<std::string, Mesh> meshes_;
};

void checkVersion(const json& document, const std::string& label)
{
  if (!document.is_object())
  {
    failAt(label, "", "a .dem file holds one JSON object { ... }, found " + shown(document) + ".");
  }
  if (!document.contains("version"))
  {
    failAt(label, "",
      "the key \"version\" is missing. Write \"version\": " + std::to_string(file_version) + ".");
  }
  const json& version = document["version"];
  if (version != json(file_version))
  {
    failAt(label, "/version",
      "the file has version " + shown(version) + ", and this program reads version " +
        std::to_string(file_version) + ". Update the program, or bring the file to that version.");
  }
}

} // namespace

Scene parseScene(const std::string& text, const std::string& directory, const std::string& label,
  const PackingLimits& limits)
{
  try
  {
    DocumentBuilder builder(text, label);
    json::sax_parse(text, &builder);
    const json& document = builder.document();
    checkVersion(document, label);
    checkAgainstSchema(document, label);
    Scene scene = SceneReader(document, directory, label, limits).read();
    try
    {
      validate(scene);
    }
    catch (const Error& error)
    {
      throw Error(label + ": " + error.what());
    }
    return scene;
  }
  catch (const std::bad_alloc&)
  {
    throw Error(label + ": not enough memory to read this scene.");
  }
}

Scene parseScene(const std::string& text, const std::string& directory, const std::string& label)
{
  return parseScene(text, directory, label, PackingLimits{});
}

Scene readSceneFile(const std::string& path)
{
  const std::string text = detail::readFile(path, "scene file (.dem)");
  return parseScene(text, std::filesystem::path(path).parent_path().string(), path);
}

const char* sceneSchema() { return scene_schema_text; }

} // namespace dem
