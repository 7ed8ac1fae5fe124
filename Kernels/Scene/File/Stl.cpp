// Parses ASCII and binary STL, and merges equal points.
#include "Core/Error.h"
#include "Scene/File/Stl.h"
#include "Scene/File/ReadFile.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace dem
{
namespace
{

using Triangle = std::array<std::int32_t, 3>;

constexpr std::size_t header_bytes = 80, preamble_bytes = 84, record_bytes = 50;

/// Collects triangles. Equal points get one index, in the order of their first appearance.
class Collector
{
public:
  Collector(std::vector<Vec3d>& points, std::vector<Triangle>& triangles)
    : points_(points)
    , triangles_(triangles)
  {
    points_.clear();
    triangles_.clear();
  }

  void add(const std::array<Vec3d, 3>& corners)
  {
    Triangle t;
    for (int k = 0; k < 3; ++k)
    {
      // -0 becomes 0, so that both are equal points
      const Vec3d p{ corners[k].x + 0.0, corners[k].y + 0.0, corners[k].z + 0.0 };
      const auto found = index_.emplace(p, static_cast<std::int32_t>(points_.size()));
      if (found.second)
      {
        points_.push_back(p);
      }
      t[k] = found.first->second;
    }
    triangles_.push_back(t);
  }

private:
  struct Hash
  {
    std::size_t operator()(const Vec3d& p) const
    {
      std::uint64_t h = 0;
      for (int k = 0; k < 3; ++k)
      {
        std::uint64_t bits;
        const double value = p[k];
        std::memcpy(&bits, &value, sizeof bits);
        h = (h ^ bits) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
      }
      return static_cast<std::size_t>(h);
    }
  };

  std::vector<Vec3d>& points_;
  std::vector<Triangle>& triangles_;
  std::unordered_map<Vec3d, std::int32_t, Hash> index_;
};

[[noreturn]] void tooMany(const std::string& label)
{
  throw Error(label +
    ": the STL file has more than 715,000,000 triangles, which is more than can be indexed. Split "
    "it.");
}

constexpr std::size_t most_triangles =
  715000000; // three corners per triangle must fit into 32-bit indices

double littleEndianFloat(const unsigned char* b)
{
  const std::uint32_t bits = static_cast<std::uint32_t>(b[0]) |
    static_cast<std::uint32_t>(b[1]) << 8 | static_cast<std::uint32_t>(b[2]) << 16 |
    static_cast<std::uint32_t>(b[3]) << 24;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t declaredTriangles(const std::string& bytes)
{
  const auto* b = reinterpret_cast<const unsigned char*>(bytes.data()) + header_bytes;
  return static_cast<std::uint32_t>(b[0]) | static_cast<std::uint32_t>(b[1]) << 8 |
    static_cast<std::uint32_t>(b[2]) << 16 | static_cast<std::uint32_t>(b[3]) << 24;
}

void parseBinary(const std::string& bytes, const std::string& label, Collector& out)
{
  const std::size_t declared = declaredTriangles(bytes);
  const std::size_t present = (bytes.size() - preamble_bytes) / record_bytes;
  const std::size_t expected = preamble_bytes + record_bytes * declared;
  if (expected > bytes.size())
  {
    throw Error(label + ": the binary STL file is cut off at offset " +
      std::to_string(bytes.size()) + ": it declares " + std::to_string(declared) + " triangles (" +
      std::to_string(expected) + " bytes) and holds " + std::to_string(present) +
      ". Export or copy it again.");
  }
  if (expected < bytes.size())
  {
    throw Error(label + ": the binary STL file has " + std::to_string(bytes.size() - expected) +
      " bytes too many from offset " + std::to_string(expected) + " on, after the " +
      std::to_string(declared) +
      " triangles that it declares. It is damaged or no STL file; export it again.");
  }
  if (declared > most_triangles)
  {
    tooMany(label);
  }
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  for (std::size_t t = 0; t < declared; ++t)
  {
    std::array<Vec3d, 3> corners;
    for (int c = 0; c < 3; ++c)
    {
      for (int k = 0; k < 3; ++k)
      {
        const std::size_t at = preamble_bytes + record_bytes * t + 12 + 12 * c + 4 * k;
        const double value = littleEndianFloat(data + at);
        if (!std::isfinite(value))
        {
          throw Error(label +
            ": the binary STL file has a coordinate that is not finite at offset " +
            std::to_string(at) + " (triangle " + std::to_string(t) +
            "). Repair the mesh and export it again.");
        }
        corners[c][k] = value;
      }
    }
    out.add(corners);
  }
}

bool isSpace(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool sameWord(std::string_view a, std::string_view b)
{
  if (a.size() != b.size())
  {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    if (lowered(a[i]) != b[i])
    {
      return false;
    }
  }
  return true;
}

// Offset of the text behind a UTF-8 byte order mark, which some editors write.
std::size_t textStart(const std::string& bytes)
{
  return bytes.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;
}

class AsciiParser
{
public:
  AsciiParser(const std::string& bytes, const std::string& label, Collector& out)
    : at_(bytes.data() + textStart(bytes))
    , end_(bytes.data() + bytes.size())
    , label_(label)
    , out_(out)
  {
  }

  void parse()
  {
    expect("solid", "at the start");
    skipLine();
    std::size_t count = 0;
    while (true)
    {
      const std::string_view word = next();
      const bool two_words = sameWord(word, "end");
      if (two_words)
      {
        expect("solid", "after 'end'");
      }
      if (sameWord(word, "facet"))
      {
        if (++count > most_triangles)
        {
          tooMany(label_);
        }
        facet();
      }
      else if (two_words || sameWord(word, "endsolid"))
      {
        skipLine();
        const std::string_view after = next();
        if (after.empty())
        {
          return;
        }
        if (!sameWord(after, "solid"))
        {
          unexpected(after, "'solid' or the end of the file after 'endsolid'");
        }
        skipLine();
      }
      else
      {
        unexpected(word, "'facet' or 'endsolid'");
      }
    }
  }

private:
  void facet()
  {
    expect("normal", "after 'facet'");
    skipLine(); // ignored: it follows from the corners, and exporters write nan for slivers
    expect("outer", "after the normal");
    expect("loop", "after 'outer'");
    std::array<Vec3d, 3> corners;
    for (Vec3d& corner : corners)
    {
      expect("vertex", "for one of the three corners");
      for (int k = 0; k < 3; ++k)
      {
        corner[k] = number();
      }
    }
    const std::string_view word = next();
    if (sameWord(word, "vertex"))
    {
      fail("a facet has more than three corners. Triangulate the mesh before the export.");
    }
    if (sameWord(word, "end"))
    {
      expect("loop", "after 'end'"); // some exporters write two words
    }
    else if (!sameWord(word, "endloop"))
    {
      unexpected(word, "'endloop'");
    }
    const std::string_view last = next();
    if (sameWord(last, "end"))
    {
      expect("facet", "after 'end'");
    }
    else if (!sameWord(last, "endfacet"))
    {
      unexpected(last, "'endfacet' after 'endloop'");
    }
    out_.add(corners);
  }

  std::string_view next()
  {
    while (at_ != end_ && isSpace(*at_))
    {
      line_ += *at_ == '\n' ? 1 : 0;
      ++at_;
    }
    const char* start = at_;
    while (at_ != end_ && !isSpace(*at_))
    {
      ++at_;
    }
    return { start, static_cast<std::size_t>(at_ - start) };
  }

  void skipLine()
  {
    while (at_ != end_ && *at_ != '\n')
    {
      ++at_;
    }
  }

  void expect(const char* keyword, const char* where)
  {
    const std::string_view word = next();
    if (!sameWord(word, keyword))
    {
      unexpected(word, "'" + std::string(keyword) + "' " + where);
    }
  }

  double number()
  {
    const std::string_view word = next();
    const char* first = word.data();
    const char* last = word.data() + word.size();
    if (word.size() > 1 && *first == '+' && first[1] != '-')
    {
      ++first;
    }
    double value = 0;
    const auto result = std::from_chars(first, last, value);
    if (word.empty() || result.ec == std::errc::invalid_argument || result.ptr != last)
    {
      unexpected(word, "a number");
    }
    if (result.ec == std::errc::result_out_of_range)
    {
      fail("the coordinate '" + shown(word) + "' is outside the range of a number.");
    }
    if (!std::isfinite(value))
    {
      fail(
        "the coordinate '" + shown(word) + "' is not finite. Repair the mesh and export it again.");
    }
    return value;
  }

  static std::string shown(std::string_view word)
  {
    std::string out;
    for (const char c : word.substr(0, 32))
    {
      out += c > ' ' && c < 127 ? c : '?';
    }
    return word.size() > 32 ? out + "..." : out;
  }

  [[noreturn]] void unexpected(std::string_view word, const std::string& wanted) const
  {
    fail(word.empty()
        ? "the ASCII STL file is cut off: expected " + wanted + ". Export or copy it again."
        : "found '" + shown(word) + "', expected " + wanted + ".");
  }

  [[noreturn]] void fail(const std::string& what) const
  {
    throw Error(label_ + ": line " + std::to_string(line_) + ": " + what);
  }

  const char* at_;
  const char* end_;
  const std::string& label_;
  Collector& out_;
  std::size_t line_ = 1;
};

enum class Format
{
  Ascii,
  Binary
};

// A binary file may begin with the word "solid", so the size of the file decides. If the size does
// not decide, the bytes do.
Format detectFormat(const std::string& bytes, const std::string& label)
{
  if (bytes.size() >= preamble_bytes &&
    bytes.size() == preamble_bytes + record_bytes * std::size_t(declaredTriangles(bytes)))
  {
    return Format::Binary;
  }
  std::size_t start = textStart(bytes);
  while (start < bytes.size() && isSpace(bytes[start]))
  {
    ++start;
  }
  if (bytes.size() - start >= 5 && sameWord(std::string_view(bytes).substr(start, 5), "solid"))
  {
    bool text = true;
    for (std::size_t i = 0; i < bytes.size() && i < 1024; ++i)
    {
      const auto c = static_cast<unsigned char>(bytes[i]);
      // Names may contain any UTF-8, so only control characters indicate a binary file.
      text = text && (c >= 32 || isSpace(static_cast<char>(c)));
    }
    if (text)
    {
      return Format::Ascii;
    }
  }
  if (bytes.size() < preamble_bytes)
  {
    throw Error(label +
      ": this is no STL file: it neither begins with 'solid' (ASCII) nor has the " +
      std::to_string(preamble_bytes) + " bytes of a binary file's head (it ends at offset " +
      std::to_string(bytes.size()) + ").");
  }
  return Format::Binary;
}

} // namespace

void parseStl(const std::string& bytes, const std::string& label, std::vector<Vec3d>& points,
  std::vector<Triangle>& triangles)
{
  Collector out(points, triangles);
  if (bytes.empty())
  {
    throw Error(label + ": the STL file is empty.");
  }
  if (detectFormat(bytes, label) == Format::Binary)
  {
    parseBinary(bytes, label, out);
  }
  else
  {
    AsciiParser(bytes, label, out).parse();
  }
  if (triangles.empty())
  {
    throw Error(label + ": the STL file holds no triangle. Export the mesh again.");
  }
}

void readStl(const std::string& path, std::vector<Vec3d>& points, std::vector<Triangle>& triangles)
{
  parseStl(detail::readFile(path, "STL file"), path, points, triangles);
}

} // namespace dem
