// Parses JSON strictly, and writes values for messages.
#include "Scene/File/JsonText.h"

#include "Core/Error.h"

#include <algorithm>
#include <vector>

namespace dem
{
namespace detail
{

using nlohmann::json;

namespace
{

constexpr std::size_t deepest_nesting = 64;

std::string printable(const std::string& bytes)
{
  std::string out;
  for (const char c : bytes)
  {
    out += c >= 32 && c < 127 ? c : '?';
  }
  return out;
}

// Builds the document. Unlike the library it rejects duplicate keys and unlimited nesting.
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

} // namespace

json parseJson(const std::string& text, const std::string& label)
{
  DocumentBuilder builder(text, label);
  json::sax_parse(text, &builder);
  return std::move(builder.document());
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

void failAt(const std::string& label, const std::string& pointer, const std::string& what)
{
  throw Error(label + ": " + (pointer.empty() ? "/" : pointer) + ": " + what);
}

} // namespace detail
} // namespace dem
