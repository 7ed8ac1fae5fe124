#include "Analysis/detail/DumpText.h"

#include "Core/Error.h"

#include <cstring>
#include <istream>

namespace dem
{
namespace detail
{

void failAtLine(const std::string& label, std::uint64_t line, const std::string& what)
{
  throw Error(label + ": line " + std::to_string(line) + ": " + what);
}

std::string shownWord(std::string_view word)
{
  std::string out;
  for (const char c : word.substr(0, 40))
  {
    out += c >= ' ' && c < 127 ? c : '?';
  }
  return word.size() > 40 ? out + "..." : out;
}

bool startsWith(std::string_view text, std::string_view with)
{
  return text.substr(0, with.size()) == with;
}

bool isTextColumn(const std::string& name) { return name == "element" || name == "typelabel"; }

template <class T>
T requireNumber(
  std::string_view word, const std::string& what, const std::string& label, std::uint64_t line)
{
  T value{};
  switch (parseNumber(word, value))
  {
    case NumberKind::Finite:
      break;
    case NumberKind::None:
      failAtLine(label, line,
        word.empty() ? "the line ends where " + what + " should stand."
                     : "found '" + shownWord(word) + "' where " + what + " should stand.");
    case NumberKind::OutOfRange:
      failAtLine(
        label, line, what + " is outside the range of numbers: '" + shownWord(word) + "'.");
    case NumberKind::NotFinite:
      failAtLine(label, line,
        what + " is not finite: '" + shownWord(word) +
          "'. Leave out the frames from where the run had failed.");
  }
  return value;
}

template double requireNumber(
  std::string_view, const std::string&, const std::string&, std::uint64_t);
template std::int64_t requireNumber(
  std::string_view, const std::string&, const std::string&, std::uint64_t);
template std::uint64_t requireNumber(
  std::string_view, const std::string&, const std::string&, std::uint64_t);

LineReader::LineReader(std::istream& in)
  : in_(in)
  , buffer_(std::size_t(1) << 18)
{
}

LineReader::Result LineReader::next(std::string_view& line)
{
  std::size_t scanned = begin_;
  for (;;)
  {
    const void* found =
      scanned < end_ ? std::memchr(buffer_.data() + scanned, '\n', end_ - scanned) : nullptr;
    if (found)
    {
      const std::size_t at =
        static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
      line = { buffer_.data() + begin_, at - begin_ };
      offset_ += at + 1 - begin_;
      begin_ = at + 1;
      ++number_;
      return Result::Line;
    }
    if (end_ - begin_ > kLongestLine)
    {
      ++number_;
      return Result::TooLong;
    }
    scanned = end_;
    if (!fill(scanned))
    {
      line = { buffer_.data() + begin_, end_ - begin_ };
      offset_ += end_ - begin_;
      begin_ = end_;
      if (line.empty())
      {
        return Result::End;
      }
      ++number_;
      return Result::Unterminated;
    }
  }
}

// Reads more bytes behind the unread ones; false at the end of the stream. `scanned`: the place in
// the buffer up to which no line end was found; moves with the bytes.
bool LineReader::fill(std::size_t& scanned)
{
  if (begin_ > 0)
  {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    scanned -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size())
  {
    buffer_.resize(2 * buffer_.size());
  }
  in_.read(buffer_.data() + end_, static_cast<std::streamsize>(buffer_.size() - end_));
  const auto got = static_cast<std::size_t>(in_.gcount());
  end_ += got;
  return got > 0;
}

} // namespace detail
} // namespace dem
