#include "Analysis/DumpFile.h"

#include "Core/Error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <istream>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

namespace dem
{
namespace
{

constexpr std::size_t longest_line = std::size_t(1) << 20;
constexpr double pi = 3.14159265358979323846;

[[noreturn]] void fail(const std::string& label, std::uint64_t line, const std::string& what)
{
  throw Error(label + ": line " + std::to_string(line) + ": " + what);
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// A word for a message: bounded, printable.
std::string shown(std::string_view word)
{
  std::string out;
  for (const char c : word.substr(0, 40))
  {
    out += c >= ' ' && c < 127 ? c : '?';
  }
  return word.size() > 40 ? out + "..." : out;
}

/// The next word of a line, which is cut off from it; empty at its end.
std::string_view nextWord(std::string_view& line)
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

enum class Number
{
  Fine,
  None,
  OutOfRange,
  NotFinite
};

template <class T>
Number parse(std::string_view word, T& value)
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
    return Number::None;
  }
  if (result.ec == std::errc::result_out_of_range)
  {
    // a denormal result of another code's arithmetic is as good as zero
    if constexpr (std::is_floating_point_v<T>)
    {
      const std::size_t e = word.find_first_of("eE");
      if (e != std::string_view::npos && e + 1 < word.size() && word[e + 1] == '-')
      {
        value = 0;
        return Number::Fine;
      }
    }
    return Number::OutOfRange;
  }
  if constexpr (std::is_floating_point_v<T>)
  {
    return std::isfinite(value) ? Number::Fine : Number::NotFinite;
  }
  return Number::Fine;
}

template <class T>
T number(
  std::string_view word, const std::string& what, const std::string& label, std::uint64_t line)
{
  T value{};
  switch (parse(word, value))
  {
    case Number::Fine:
      break;
    case Number::None:
      fail(label, line,
        word.empty() ? "the line ends where " + what + " should stand."
                     : "found '" + shown(word) + "' where " + what + " should stand.");
    case Number::OutOfRange:
      fail(label, line, what + " is outside the range of numbers: '" + shown(word) + "'.");
    case Number::NotFinite:
      fail(label, line,
        what + " is not finite: '" + shown(word) +
          "'. Leave out the frames from where the run had failed.");
  }
  return value;
}

/// Lines of a stream by large blocks.
class Lines
{
public:
  explicit Lines(std::istream& in)
    : in_(in)
    , buffer_(std::size_t(1) << 18)
  {
  }

  enum class Got
  {
    Line,
    Cut, ///< the file ends without a line end
    End,
    TooLong
  };

  /// The next line without its end.
  Got next(std::string_view& line)
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
        return Got::Line;
      }
      if (end_ - begin_ > longest_line)
      {
        ++number_;
        return Got::TooLong;
      }
      scanned = end_;
      if (!fill(scanned))
      {
        line = { buffer_.data() + begin_, end_ - begin_ };
        offset_ += end_ - begin_;
        begin_ = end_;
        if (line.empty())
        {
          return Got::End;
        }
        ++number_;
        return Got::Cut;
      }
    }
  }

  std::uint64_t number() const { return number_; } ///< of the line that was given last, from 1
  std::uint64_t offset() const { return offset_; } ///< bytes of all lines given

private:
  bool fill(std::size_t& scanned)
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

  std::istream& in_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t number_ = 0, offset_ = 0;
};

bool startsWith(std::string_view text, std::string_view with)
{
  return text.substr(0, with.size()) == with;
}

bool isTextColumn(const std::string& name) { return name == "element" || name == "typelabel"; }

/// Thrown inside the index only: the file ends within a frame.
struct CutOff
{
};

class Indexer
{
public:
  Indexer(std::istream& in, const std::string& label)
    : lines_(in)
    , label_(label)
  {
  }

  DumpIndex run()
  {
    DumpIndex index;
    std::string units;
    try
    {
      while (readFrame(index, units))
      {
      }
    }
    catch (const CutOff&)
    {
      index.incomplete = label_ + ": the last frame, from line " + std::to_string(frame_line_) +
        " on, is cut off at line " + std::to_string(lines_.number()) + ": " +
        (wanted_.empty() ? "its rows are missing" : wanted_) +
        ". It was left out; read the file again when it is complete.";
    }
    return index;
  }

private:
  /// The next line. With `last_row`, the columns of the last row of a frame, the file may end
  /// behind it without a line end.
  std::string_view line(
    const std::string& wanted, const std::vector<std::string>* last_row = nullptr)
  {
    wanted_ = wanted;
    std::string_view text;
    const Lines::Got got = lines_.next(text);
    if (got == Lines::Got::TooLong)
    {
      fail(label_, lines_.number(), "is longer than 1 MiB: this is no text dump.");
    }
    if (got == Lines::Got::Line || (got == Lines::Got::Cut && last_row && isWhole(text, *last_row)))
    {
      return text;
    }
    throw CutOff{};
  }

  /// Whether a row has a value in every column.
  static bool isWhole(std::string_view row, const std::vector<std::string>& columns)
  {
    for (const std::string& column : columns)
    {
      const std::string_view word = nextWord(row);
      double value;
      if (word.empty() || (!isTextColumn(column) && parse(word, value) == Number::None))
      {
        return false;
      }
    }
    return true;
  }

  bool readFrame(DumpIndex& index, std::string& units)
  {
    std::string_view text;
    do
    {
      const Lines::Got got = lines_.next(text);
      if (got == Lines::Got::End)
      {
        return false;
      }
      if (got == Lines::Got::TooLong)
      {
        fail(label_, lines_.number(), "is longer than 1 MiB: this is no text dump.");
      }
      frame_line_ = lines_.number();
      if (got == Lines::Got::Cut && index.frames.empty() && !startsWith(text, "ITEM:"))
      {
        notADump(text);
      }
      if (got == Lines::Got::Cut)
      {
        wanted_ = "its header is missing";
        throw CutOff{};
      }
    }
    while (blank(text));

    DumpFrame frame;
    bool has_step = false, has_size = false, has_box = false;
    for (;; text = line("its header is missing"))
    {
      const std::uint64_t at = lines_.number();
      if (!startsWith(text, "ITEM:"))
      {
        if (index.frames.empty() && at == frame_line_)
        {
          notADump(text);
        }
        fail(label_, at,
          "found '" + shown(text) + "' where a line with ITEM: should stand" +
            (index.frames.empty() || at != frame_line_
                ? "."
                : ", behind the " + std::to_string(index.frames.back().size) +
                  " rows that the frame before declares."));
      }
      std::string_view rest = text.substr(5);
      std::string_view words = rest;
      const std::string_view item = nextWord(words);
      if (item == "UNITS")
      {
        std::string_view value = line("its units are missing");
        units = shown(nextWord(value));
      }
      else if (item == "TIME")
      {
        std::string_view value = line("its time is missing");
        frame.time = number<double>(nextWord(value), "the time", label_, lines_.number());
        frame.has_time = true;
      }
      else if (item == "TIMESTEP")
      {
        std::string_view value = line("its step is missing");
        frame.step = number<std::int64_t>(nextWord(value), "the step", label_, lines_.number());
        endOfLine(value);
        has_step = true;
      }
      else if (item == "NUMBER")
      {
        nextWord(words); // OF
        const std::string_view what = nextWord(words);
        if (what != "ATOMS")
        {
          fail(label_, at,
            "this is a dump of '" + shown(what) +
              "' (dump local), not of grains: it has no positions. Choose the file of a dump atom "
              "or custom.");
        }
        std::string_view value = line("the number of its rows is missing");
        frame.size =
          number<std::uint64_t>(nextWord(value), "the number of rows", label_, lines_.number());
        endOfLine(value);
        has_size = true;
      }
      else if (item == "BOX")
      {
        readBox(frame, words, at);
        has_box = true;
      }
      else if (item == "ATOMS")
      {
        for (std::string_view word = nextWord(words); !word.empty(); word = nextWord(words))
        {
          frame.columns.emplace_back(word);
        }
        if (!has_step || !has_size || !has_box)
        {
          fail(label_, at,
            std::string("the frame has rows, but no ITEM: ") +
              (!has_step      ? "TIMESTEP"
                  : !has_size ? "NUMBER OF ATOMS"
                              : "BOX BOUNDS") +
              " before them.");
        }
        if (frame.columns.empty())
        {
          fail(label_, at,
            "ITEM: ATOMS names no columns. Dumps from before 2009 are not read; write them again.");
        }
        skipRows(frame);
        frame.units = units;
        index.frames.push_back(std::move(frame));
        return true;
      }
      else
      {
        fail(label_, at,
          "unknown 'ITEM:" + shown(rest) +
            "'. Known are UNITS, TIME, TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS and ATOMS.");
      }
    }
  }

  void readBox(DumpFrame& frame, std::string_view words, std::uint64_t at)
  {
    nextWord(words); // BOUNDS
    std::vector<std::string_view> flags;
    for (std::string_view word = nextWord(words); !word.empty(); word = nextWord(words))
    {
      flags.push_back(word);
    }
    if (!flags.empty() && flags[0] == "abc")
    {
      fail(label_, at,
        "the box is a general triclinic one ('abc'), which is not read. Write the dump with "
        "dump_modify triclinic/general no.");
    }
    const bool sheared =
      flags.size() >= 3 && flags[0] == "xy" && flags[1] == "xz" && flags[2] == "yz";
    if (sheared)
    {
      flags.erase(flags.begin(), flags.begin() + 3);
    }
    if (!flags.empty() && flags.size() != 3)
    {
      fail(label_, at,
        "BOX BOUNDS has " + std::to_string(flags.size()) +
          " boundary flags, but needs none or 3 (such as pp pp ff).");
    }
    for (std::size_t k = 0; k < flags.size(); ++k)
    {
      if (flags[k].size() != 2 || flags[k].find_first_not_of("pfsm") != std::string_view::npos)
      {
        fail(label_, at,
          "unknown boundary '" + shown(flags[k]) + "'. Known are two letters of p, f, s and m.");
      }
      frame.boundary[k] = flags[k];
    }
    for (int k = 0; k < 3; ++k)
    {
      std::string_view value = line("its box is missing");
      frame.lower[k] =
        number<double>(nextWord(value), "the lower border of the box", label_, lines_.number());
      frame.upper[k] =
        number<double>(nextWord(value), "the upper border of the box", label_, lines_.number());
      if (sheared)
      {
        frame.tilt[k] = number<double>(nextWord(value),
          std::string("the tilt factor ") +
            (k == 0      ? "xy"
                : k == 1 ? "xz"
                         : "yz"),
          label_, lines_.number());
      }
      if (!nextWord(value).empty())
      {
        fail(label_, lines_.number(),
          sheared
            ? "a fourth number for the box, which has three a line."
            : "a third number for the box, which only those with 'xy xz yz' in their header have.");
      }
      if (frame.lower[k] > frame.upper[k])
      {
        fail(label_, lines_.number(),
          "the lower border of the box, " + std::to_string(frame.lower[k]) +
            ", is above the upper, " + std::to_string(frame.upper[k]) + ".");
      }
    }
  }

  void skipRows(DumpFrame& frame)
  {
    frame.rows_offset = lines_.offset();
    frame.rows_line = lines_.number() + 1;
    for (std::uint64_t k = 0; k < frame.size; ++k)
    {
      const std::string_view row = line(
        "only " + std::to_string(k) + " of its " + std::to_string(frame.size) + " rows are there",
        k + 1 == frame.size ? &frame.columns : nullptr);
      if (startsWith(row, "ITEM:"))
      {
        fail(label_, lines_.number(),
          "the frame of step " + std::to_string(frame.step) + " declares " +
            std::to_string(frame.size) + " rows, but has only " + std::to_string(k) + ".");
      }
    }
    frame.rows_bytes = lines_.offset() - frame.rows_offset;
  }

  void endOfLine(std::string_view rest)
  {
    const std::string_view more = nextWord(rest);
    if (!more.empty())
    {
      fail(label_, lines_.number(), "found '" + shown(more) + "' where the line should end.");
    }
  }

  static bool blank(std::string_view text) { return nextWord(text).empty(); }

  [[noreturn]] void notADump(std::string_view text) const
  {
    if (startsWith(text, "\x1f\x8b"))
    {
      throw Error(label_ + ": this stream is compressed (gzip). Unpack it first.");
    }
    fail(label_, frame_line_,
      "this is no LAMMPS or LIGGGHTS text dump: it begins with '" + shown(text) +
        "', not with ITEM: TIMESTEP.");
  }

  Lines lines_;
  const std::string& label_;
  std::uint64_t frame_line_ = 1;
  std::string wanted_;
};

} // namespace

bool DumpColumn::isText() const { return isTextColumn(name); }

DumpIndex indexDump(std::istream& in, const std::string& label)
{
  DumpIndex index = Indexer(in, label).run();
  if (index.frames.empty())
  {
    throw Error(index.incomplete.empty() ? label + ": the file is empty." : index.incomplete);
  }
  return index;
}

std::vector<DumpColumn> readDumpRows(
  std::istream& in, const DumpFrame& frame, const std::string& label)
{
  std::vector<DumpColumn> columns;
  std::vector<std::size_t> target(
    frame.columns.size()); // of each column of the file; the end: a name that came before
  for (std::size_t c = 0; c < frame.columns.size(); ++c)
  {
    const auto same = [&](const DumpColumn& other) { return other.name == frame.columns[c]; };
    const bool again = std::any_of(columns.begin(), columns.end(), same);
    target[c] = again ? frame.columns.size() : columns.size();
    if (!again)
    {
      columns.emplace_back();
      columns.back().name = frame.columns[c];
      if (columns.back().isText())
      {
        columns.back().whole = false;
        columns.back().words.reserve(frame.size);
      }
      else
      {
        columns.back().numbers.reserve(frame.size);
      }
    }
  }

  in.clear();
  in.seekg(static_cast<std::streamoff>(frame.rows_offset));
  std::string bytes(frame.rows_bytes, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::uint64_t>(in.gcount()) != frame.rows_bytes)
  {
    throw Error(
      label + ": the file has become shorter since it was read first. Read it again (Refresh).");
  }
  std::string_view rest = bytes;
  for (std::uint64_t row = 0; row < frame.size; ++row)
  {
    const std::uint64_t line_number = frame.rows_line + row;
    const std::size_t found = rest.find('\n');
    if (found == std::string_view::npos && row + 1 < frame.size)
    {
      throw Error(
        label + ": the file has changed since it was read first. Read it again (Refresh).");
    }
    const std::size_t end = std::min(found, rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    for (std::size_t c = 0; c < frame.columns.size(); ++c)
    {
      const std::string_view word = nextWord(line);
      const bool text = isTextColumn(frame.columns[c]);
      if (word.empty())
      {
        fail(label, line_number,
          "the row has " + std::to_string(c) + " values, but ITEM: ATOMS names " +
            std::to_string(frame.columns.size()) + " columns.");
      }
      double value = 0;
      if (!text)
      {
        const Number read = parse(word, value);
        if (read != Number::Fine &&
          read != Number::NotFinite) // what a grain needs is asked to be finite where it is taken
        {
          number<double>(
            word, "the value of column '" + shown(frame.columns[c]) + "'", label, line_number);
        }
      }
      if (target[c] == frame.columns.size())
      {
        continue;
      }
      DumpColumn& column = columns[target[c]];
      if (text)
      {
        column.words.emplace_back(word);
        continue;
      }
      column.whole =
        column.whole && std::fabs(value) < 9007199254740992.0 && value == std::floor(value);
      column.numbers.push_back(value);
    }
    if (!nextWord(line).empty())
    {
      fail(label, line_number,
        "the row has more values than the " + std::to_string(frame.columns.size()) +
          " columns that ITEM: ATOMS names.");
    }
  }
  return columns;
}

namespace
{

/// Takes columns out of a frame by name.
class Taker
{
public:
  Taker(std::vector<DumpColumn>& columns, const DumpFrame& frame, const std::string& label)
    : columns_(columns)
    , frame_(frame)
    , label_(label)
    , taken_(columns.size(), false)
  {
  }

  const DumpColumn* find(const std::string& name) const
  {
    for (const DumpColumn& column : columns_)
    {
      if (column.name == name && !column.isText())
      {
        return &column;
      }
    }
    return nullptr;
  }

  /// Its values are finite, or dem::Error names the row.
  const DumpColumn* take(const std::string& name)
  {
    const DumpColumn* column = find(name);
    if (column)
    {
      requireFinite(*column);
      taken_[static_cast<std::size_t>(column - columns_.data())] = true;
    }
    return column;
  }

  /// All of the names, joined tuple by tuple; nothing where one is missing.
  std::optional<std::vector<double>> takeTuples(
    const std::vector<std::string>& names, std::size_t size)
  {
    for (const std::string& name : names)
    {
      if (!find(name))
      {
        return std::nullopt;
      }
    }
    std::vector<double> out(names.size() * size);
    for (std::size_t k = 0; k < names.size(); ++k)
    {
      const DumpColumn* column = take(names[k]);
      for (std::size_t i = 0; i < size; ++i)
      {
        out[names.size() * i + k] = column->numbers[i];
      }
    }
    return out;
  }

  void requireFinite(const DumpColumn& column) const
  {
    for (std::size_t i = 0; i < column.numbers.size(); ++i)
    {
      if (!std::isfinite(column.numbers[i]))
      {
        fail(label_, frame_.rows_line + i,
          "the value of column '" + shown(column.name) + "' is not finite: '" +
            (std::isnan(column.numbers[i]) ? "nan" : "inf") +
            "'. Leave out the frames from where the run had failed.");
      }
    }
  }

  std::vector<DumpColumn> rest()
  {
    std::vector<DumpColumn> out;
    for (std::size_t c = 0; c < columns_.size(); ++c)
    {
      if (!taken_[c])
      {
        out.push_back(std::move(columns_[c]));
      }
    }
    return out;
  }

private:
  std::vector<DumpColumn>& columns_;
  const DumpFrame& frame_;
  const std::string& label_;
  std::vector<bool> taken_;
};

template <class T>
void reorder(std::vector<T>& values, const std::vector<std::size_t>& order)
{
  if (values.empty())
  {
    return;
  }
  const std::size_t width = values.size() / order.size();
  std::vector<T> sorted(values.size());
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    for (std::size_t k = 0; k < width; ++k)
    {
      sorted[width * i + k] = std::move(values[width * order[i] + k]);
    }
  }
  values.swap(sorted);
}

} // namespace

DumpGrains readDumpGrains(
  std::istream& in, const DumpFrame& frame, const std::string& label, double constant_radius)
{
  std::vector<DumpColumn> columns = readDumpRows(in, frame, label);
  Taker taker(columns, frame, label);
  DumpGrains grains;
  grains.size = static_cast<std::size_t>(frame.size);
  const std::size_t n = grains.size;
  const auto line = [&](std::size_t row) { return frame.rows_line + row; };

  grains.position.resize(3 * n);
  const Vec3d tilt = frame.tilt;
  // The box itself, of which the file gives the bounds (LAMMPS documentation, "Howto triclinic").
  const Vec3d lower{ frame.lower.x - std::min({ 0., tilt.x, tilt.y, tilt.x + tilt.y }),
    frame.lower.y - std::min(0., tilt.z), frame.lower.z };
  const Vec3d upper{ frame.upper.x - std::max({ 0., tilt.x, tilt.y, tilt.x + tilt.y }),
    frame.upper.y - std::max(0., tilt.z), frame.upper.z };
  bool is_scaled[3] = {};
  for (int axis = 0; axis < 3; ++axis)
  {
    const std::string letter(1, static_cast<char>('x' + axis));
    bool scaled = false;
    const DumpColumn* column = taker.take(letter);
    if (!column)
    {
      column = taker.take(letter + "u");
    }
    for (const char* scaled_name : { "s", "su" })
    {
      if (!column)
      {
        column = taker.take(letter + scaled_name);
        scaled = column != nullptr;
      }
    }
    if (!column)
    {
      std::string names;
      for (const std::string& name : frame.columns)
      {
        names += (names.empty() ? "" : " ") + shown(name);
      }
      fail(label, frame.rows_line - 1,
        "the frame has no column " + letter + ", " + letter + "u, " + letter + "s or " + letter +
          "su, so its grains have no position. Its columns are: " + names + ".");
    }
    is_scaled[axis] = scaled;
    const double from = scaled ? lower[axis] : 0, factor = scaled ? upper[axis] - lower[axis] : 1;
    for (std::size_t i = 0; i < n; ++i)
    {
      grains.position[3 * i + axis] = from + factor * column->numbers[i];
      if (!std::isfinite(grains.position[3 * i + axis]))
      {
        fail(label, line(i), "the position along " + letter + " is outside the range of numbers.");
      }
    }
  }

  if (frame.isSheared() && (is_scaled[0] || is_scaled[1] || is_scaled[2]))
  {
    if (!(is_scaled[0] && is_scaled[1] && is_scaled[2]))
    {
      fail(label, frame.rows_line - 1,
        "some coordinates are scaled and others are not, which cannot be told apart in a sheared "
        "box. Write x y z, or xs ys zs.");
    }
    for (std::size_t i = 0; i < n; ++i)
    {
      double* p = &grains.position[3 * i];
      const double ys = upper.y > lower.y ? (p[1] - lower.y) / (upper.y - lower.y) : 0,
                   zs = upper.z > lower.z ? (p[2] - lower.z) / (upper.z - lower.z) : 0;
      p[0] += ys * tilt.x + zs * tilt.y;
      p[1] += zs * tilt.z;
    }
  }

  const DumpColumn* id = taker.take("id");
  grains.has_id = id != nullptr;
  grains.id.resize(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    if (id && !id->whole &&
      (std::fabs(id->numbers[i]) >= 9007199254740992.0 ||
        id->numbers[i] != std::floor(id->numbers[i])))
    {
      fail(
        label, line(i), "the id " + std::to_string(id->numbers[i]) + " is no integer below 2^53.");
    }
    grains.id[i] =
      id ? static_cast<std::int64_t>(id->numbers[i]) : static_cast<std::int64_t>(i) + 1;
  }

  const bool has_radius = taker.find("radius") != nullptr;
  if (const DumpColumn* size = taker.take(has_radius ? "radius" : "diameter"))
  {
    std::vector<double>& radius = grains.radius.emplace(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      radius[i] = has_radius ? size->numbers[i] : 0.5 * size->numbers[i];
      if (!(radius[i] > 0))
      {
        fail(label, line(i),
          "the " + size->name + " is " + std::to_string(size->numbers[i]) + ", but must be > 0.");
      }
    }
  }
  else if (constant_radius > 0)
  {
    grains.radius.emplace(n, constant_radius);
  }
  if (const DumpColumn* mass = taker.take("mass"))
  {
    grains.mass = mass->numbers;
  }
  else if (const DumpColumn* density = taker.find("density"); density && grains.radius)
  {
    taker.requireFinite(*density);
    std::vector<double>& values = grains.mass.emplace(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      const double r = (*grains.radius)[i];
      values[i] = density->numbers[i] * 4 / 3. * pi * r * r * r;
    }
  }
  grains.velocity = taker.takeTuples({ "vx", "vy", "vz" }, n);
  grains.angular_velocity = taker.takeTuples({ "omegax", "omegay", "omegaz" }, n);
  grains.force = taker.takeTuples({ "fx", "fy", "fz" }, n);
  grains.torque = taker.takeTuples({ "tqx", "tqy", "tqz" }, n);
  grains.orientation = taker.takeTuples({ "quatw", "quati", "quatj", "quatk" }, n);
  if (!grains.orientation)
  {
    grains.orientation = taker.takeTuples({ "quat1", "quat2", "quat3", "quat4" }, n);
  }
  if (const DumpColumn* type = taker.find("type"))
  {
    taker.requireFinite(*type);
    std::vector<std::int32_t>& material = grains.material.emplace(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      const double t = type->numbers[i];
      if (!(t >= 1 && t <= std::numeric_limits<std::int32_t>::max() && t == std::floor(t)))
      {
        fail(label, line(i), "the type " + std::to_string(t) + " is no integer from 1 on.");
      }
      material[i] = static_cast<std::int32_t>(t) - 1;
    }
  }
  grains.others = taker.rest();

  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  if (!std::is_sorted(grains.id.begin(), grains.id.end()))
  {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return grains.id[a] != grains.id[b] ? grains.id[a] < grains.id[b] : a < b;
    });
  }
  for (std::size_t i = 1; i < n; ++i)
  {
    if (grains.id[order[i]] == grains.id[order[i - 1]])
    {
      fail(label, line(order[i]),
        "the id " + std::to_string(grains.id[order[i]]) + " stands also in line " +
          std::to_string(line(order[i - 1])) + ".");
    }
  }
  reorder(grains.id, order);
  reorder(grains.position, order);
  for (auto* values : { &grains.radius, &grains.mass, &grains.velocity, &grains.angular_velocity,
         &grains.force, &grains.torque, &grains.orientation })
  {
    if (*values)
    {
      reorder(**values, order);
    }
  }
  if (grains.material)
  {
    reorder(*grains.material, order);
  }
  for (DumpColumn& column : grains.others)
  {
    reorder(column.numbers, order);
    reorder(column.words, order);
  }
  return grains;
}

} // namespace dem
