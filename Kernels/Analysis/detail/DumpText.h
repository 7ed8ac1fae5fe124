// Words, numbers and lines of a text dump, and the errors that name the line. Used by
// DumpIndex.cpp, DumpRows.cpp and DumpGrains.cpp.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace dem
{
namespace detail
{

/// Throws dem::Error "`label`: line `line`: `what`".
[[noreturn]] void failAtLine(const std::string& label, std::uint64_t line, const std::string& what);

/// A word for a message: at most 40 characters, unprintable ones replaced by '?'.
std::string shownWord(std::string_view word);

inline bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// Cuts the next word off the front of `line` and returns it; empty at the end of the line.
inline std::string_view nextWord(std::string_view& line)
{
  std::size_t begin = 0;
  while (begin < line.size() && isSpace(line[begin]))
  {
    ++begin;
  }
  std::size_t end = begin;
  while (end < line.size() && !isSpace(line[end]))
  {
    ++end;
  }
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

bool startsWith(std::string_view text, std::string_view with);

/// True for the columns `element` and `typelabel`, whose values are words.
bool isTextColumn(const std::string& name);

enum class NumberKind
{
  Finite,
  None, ///< the word is not a number
  OutOfRange,
  NotFinite ///< nan or inf; the value is set
};

/// Reads a whole word as a number. T: double, std::int64_t or std::uint64_t. Numbers too small for
/// a double are read as 0.
template <class T>
NumberKind parseNumber(std::string_view word, T& value)
{
  const char* first = word.data();
  const char* last = first + word.size();
  if (word.size() > 1 && *first == '+' && first[1] != '-')
  {
    ++first;
  }
  const auto result = std::from_chars(first, last, value);
  if (word.empty() || result.ec == std::errc::invalid_argument || result.ptr != last)
  {
    return NumberKind::None;
  }
  if (result.ec == std::errc::result_out_of_range)
  {
    // results too small for a normal double, written by other codes, count as zero
    if constexpr (std::is_floating_point_v<T>)
    {
      const std::size_t e = word.find_first_of("eE");
      if (e != std::string_view::npos && e + 1 < word.size() && word[e + 1] == '-')
      {
        value = 0;
        return NumberKind::Finite;
      }
    }
    return NumberKind::OutOfRange;
  }
  if constexpr (std::is_floating_point_v<T>)
  {
    return std::isfinite(value) ? NumberKind::Finite : NumberKind::NotFinite;
  }
  return NumberKind::Finite;
}

/// The same, but throws dem::Error, which names the line, for anything but a finite number. `what`
/// names the quantity in the message.
template <class T>
T requireNumber(
  std::string_view word, const std::string& what, const std::string& label, std::uint64_t line);

/// Lines of a stream, which is read in large blocks.
class LineReader
{
public:
  static constexpr std::size_t kLongestLine = std::size_t(1) << 20; ///< bytes

  explicit LineReader(std::istream& in);

  enum class Result
  {
    Line,
    Unterminated, ///< the last line, without a line end
    End,
    TooLong
  };

  /// Sets `line` to the next line without its end. It is valid until the next call.
  Result next(std::string_view& line);

  std::uint64_t number() const { return number_; } ///< of the last line read, from 1
  std::uint64_t offset() const { return offset_; } ///< bytes of all lines read

private:
  bool fill(std::size_t& scanned);

  std::istream& in_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0; // unread bytes in the buffer
  std::uint64_t number_ = 0, offset_ = 0;
};

} // namespace detail
} // namespace dem
