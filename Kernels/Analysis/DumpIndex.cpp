#include "Analysis/DumpIndex.h"

#include "Analysis/detail/DumpText.h"
#include "Core/Error.h"

#include <string_view>
#include <utility>

namespace dem
{
namespace
{

using detail::failAtLine;
using detail::LineReader;
using detail::nextWord;
using detail::requireNumber;
using detail::shownWord;
using detail::startsWith;

/// Thrown inside the indexer only: the file ends within a frame.
struct CutOff
{
};

/// Reads a dump from its beginning, frame by frame.
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
    try
    {
      while (readFrame())
      {
      }
    }
    catch (const CutOff&)
    {
      index_.incomplete = label_ + ": the last frame, from line " + std::to_string(frame_line_) +
        " on, is cut off at line " + std::to_string(lines_.number()) + ": " +
        (missing_.empty() ? "its rows are missing" : missing_) +
        ". It was left out; read the file again when it is complete.";
    }
    return std::move(index_);
  }

private:
  /// A frame while its header is read.
  struct Header
  {
    DumpFrame frame;
    bool has_step = false, has_size = false, has_box = false;
  };

  /// The next line of a frame; throws CutOff at the end of the file. `missing`: text of the message
  /// in that case. With `last_row`, the columns of the last row of a frame, the line may lack its
  /// end.
  std::string_view line(
    const std::string& missing, const std::vector<std::string>* last_row = nullptr)
  {
    missing_ = missing;
    std::string_view text;
    const LineReader::Result result = lines_.next(text);
    requireTextLine(result);
    if (result == LineReader::Result::Line ||
      (result == LineReader::Result::Unterminated && last_row && isWhole(text, *last_row)))
    {
      return text;
    }
    throw CutOff{};
  }

  void requireTextLine(LineReader::Result result) const
  {
    if (result == LineReader::Result::TooLong)
    {
      fail("is longer than 1 MiB: this is not a text dump.");
    }
  }

  /// True if a row has a value in every column.
  static bool isWhole(std::string_view row, const std::vector<std::string>& columns)
  {
    for (const std::string& column : columns)
    {
      const std::string_view word = nextWord(row);
      double value;
      if (word.empty() ||
        (!detail::isTextColumn(column) &&
          detail::parseNumber(word, value) == detail::NumberKind::None))
      {
        return false;
      }
    }
    return true;
  }

  /// Reads one frame; false at the end of the file.
  bool readFrame()
  {
    std::string_view text;
    if (!findFrame(text))
    {
      return false;
    }
    Header header;
    for (;; text = line("its header is missing"))
    {
      if (!startsWith(text, "ITEM:"))
      {
        notAnItem(text);
      }
      std::string_view words = text.substr(5);
      if (nextWord(words) == "ATOMS")
      {
        readColumns(header, words);
        skipRows(header.frame);
        header.frame.units = units_;
        index_.frames.push_back(std::move(header.frame));
        return true;
      }
      readItem(header, text.substr(5));
    }
  }

  /// Moves to the first line of the next frame, over blank lines; false at the end of the file.
  bool findFrame(std::string_view& text)
  {
    do
    {
      const LineReader::Result result = lines_.next(text);
      if (result == LineReader::Result::End)
      {
        return false;
      }
      requireTextLine(result);
      frame_line_ = lines_.number();
      if (result == LineReader::Result::Unterminated)
      {
        if (index_.frames.empty() && !startsWith(text, "ITEM:"))
        {
          notADump(text);
        }
        missing_ = "its header is missing";
        throw CutOff{};
      }
    }
    while (isBlank(text));
    return true;
  }

  /// Reads an item of the header other than ATOMS. `rest`: the line behind "ITEM:".
  void readItem(Header& header, std::string_view rest)
  {
    DumpFrame& frame = header.frame;
    std::string_view words = rest;
    const std::string_view item = nextWord(words);
    if (item == "UNITS")
    {
      std::string_view value = line("its units are missing");
      units_ = shownWord(nextWord(value));
    }
    else if (item == "TIME")
    {
      std::string_view value = line("its time is missing");
      frame.time = numberOf<double>(value, "the time");
      frame.has_time = true;
    }
    else if (item == "TIMESTEP")
    {
      std::string_view value = line("its step is missing");
      frame.step = numberOf<std::int64_t>(value, "the step");
      requireLineEnd(value);
      header.has_step = true;
    }
    else if (item == "NUMBER")
    {
      nextWord(words); // OF
      const std::string_view what = nextWord(words);
      if (what != "ATOMS")
      {
        fail("this is a dump of '" + shownWord(what) +
          "' (dump local), not of grains: it has no positions. Choose the file of a dump atom or "
          "custom.");
      }
      std::string_view value = line("the number of its rows is missing");
      frame.size = numberOf<std::uint64_t>(value, "the number of rows");
      requireLineEnd(value);
      header.has_size = true;
    }
    else if (item == "BOX")
    {
      nextWord(words); // BOUNDS
      readBounds(frame, readBoundaries(frame, words));
      header.has_box = true;
    }
    else
    {
      fail("unknown 'ITEM:" + shownWord(rest) +
        "'. Known are UNITS, TIME, TIMESTEP, NUMBER OF ATOMS, BOX BOUNDS and ATOMS.");
    }
  }

  /// Reads the boundaries of the box, the words behind BOX BOUNDS; true if the box is sheared.
  bool readBoundaries(DumpFrame& frame, std::string_view words) const
  {
    std::vector<std::string_view> flags;
    for (std::string_view word = nextWord(words); !word.empty(); word = nextWord(words))
    {
      flags.push_back(word);
    }
    if (!flags.empty() && flags[0] == "abc")
    {
      fail(
        "the box is a general triclinic one ('abc'), which is not supported. Write the dump with "
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
      fail("BOX BOUNDS has " + std::to_string(flags.size()) +
        " boundary flags, but needs none or 3 (such as pp pp ff).");
    }
    for (std::size_t k = 0; k < flags.size(); ++k)
    {
      if (flags[k].size() != 2 || flags[k].find_first_not_of("pfsm") != std::string_view::npos)
      {
        fail("unknown boundary '" + shownWord(flags[k]) +
          "'. Known are two letters of p, f, s and m.");
      }
      frame.boundary[k] = flags[k];
    }
    return sheared;
  }

  /// Reads the three lines of the bounds of the box.
  void readBounds(DumpFrame& frame, bool sheared)
  {
    static constexpr const char* kTilts[] = { "xy", "xz", "yz" };
    for (int k = 0; k < 3; ++k)
    {
      std::string_view value = line("its box is missing");
      frame.lower[k] = numberOf<double>(value, "the lower border of the box");
      frame.upper[k] = numberOf<double>(value, "the upper border of the box");
      if (sheared)
      {
        frame.tilt[k] = numberOf<double>(value, std::string("the tilt factor ") + kTilts[k]);
      }
      if (!nextWord(value).empty())
      {
        fail(sheared
            ? "a fourth number for the box, which has three per line."
            : "a third number for the box, which only boxes with 'xy xz yz' in the header have.");
      }
      if (frame.lower[k] > frame.upper[k])
      {
        fail("the lower border of the box, " + std::to_string(frame.lower[k]) +
          ", is above the upper, " + std::to_string(frame.upper[k]) + ".");
      }
    }
  }

  /// Reads the names of the columns, the words behind ATOMS, and checks that the header is
  /// complete.
  void readColumns(Header& header, std::string_view words) const
  {
    for (std::string_view word = nextWord(words); !word.empty(); word = nextWord(words))
    {
      header.frame.columns.emplace_back(word);
    }
    if (!header.has_step || !header.has_size || !header.has_box)
    {
      fail(std::string("the frame has rows, but no ITEM: ") +
        (!header.has_step      ? "TIMESTEP"
            : !header.has_size ? "NUMBER OF ATOMS"
                               : "BOX BOUNDS") +
        " before them.");
    }
    if (header.frame.columns.empty())
    {
      fail("ITEM: ATOMS names no columns. Dumps from before 2009 are not supported; write them "
           "again.");
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
        fail("the frame of step " + std::to_string(frame.step) + " declares " +
          std::to_string(frame.size) + " rows, but has only " + std::to_string(k) + ".");
      }
    }
    frame.rows_bytes = lines_.offset() - frame.rows_offset;
  }

  /// The next word of the current line as a number.
  template <class T>
  T numberOf(std::string_view& text, const std::string& what) const
  {
    return requireNumber<T>(nextWord(text), what, label_, lines_.number());
  }

  void requireLineEnd(std::string_view rest) const
  {
    const std::string_view more = nextWord(rest);
    if (!more.empty())
    {
      fail("found '" + shownWord(more) + "' where the line should end.");
    }
  }

  static bool isBlank(std::string_view text) { return nextWord(text).empty(); }

  [[noreturn]] void fail(const std::string& what) const
  {
    failAtLine(label_, lines_.number(), what);
  }

  [[noreturn]] void notADump(std::string_view text) const
  {
    if (startsWith(text, "\x1f\x8b"))
    {
      throw Error(label_ + ": this stream is compressed (gzip). Unpack it first.");
    }
    failAtLine(label_, frame_line_,
      "this is no LAMMPS or LIGGGHTS text dump: it begins with '" + shownWord(text) +
        "', not with ITEM: TIMESTEP.");
  }

  [[noreturn]] void notAnItem(std::string_view text) const
  {
    const bool first_line = lines_.number() == frame_line_;
    if (index_.frames.empty() && first_line)
    {
      notADump(text);
    }
    fail("found '" + shownWord(text) + "' where a line with ITEM: should stand" +
      (index_.frames.empty() || !first_line ? "."
                                            : ", behind the " +
            std::to_string(index_.frames.back().size) + " rows that the previous frame declares."));
  }

  LineReader lines_;
  const std::string& label_;
  DumpIndex index_;
  std::string units_;            // of the last ITEM: UNITS
  std::uint64_t frame_line_ = 1; // first line of the current frame
  std::string missing_;          // what the file lacks if it ends here
};

} // namespace

DumpIndex indexDump(std::istream& in, const std::string& label)
{
  DumpIndex index = Indexer(in, label).run();
  if (index.frames.empty())
  {
    throw Error(index.incomplete.empty() ? label + ": the file is empty." : index.incomplete);
  }
  return index;
}

} // namespace dem
