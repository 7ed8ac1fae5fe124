#include "Analysis/DumpRows.h"

#include "Analysis/detail/DumpText.h"
#include "Core/Error.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <string_view>

namespace dem
{
namespace
{

using detail::failAtLine;
using detail::nextWord;
using detail::NumberKind;

/// Sorts the words of rows into columns.
class RowParser
{
public:
  RowParser(const DumpFrame& frame, const std::string& label)
    : frame_(frame)
    , label_(label)
    , target_(frame.columns.size(), kRepeated)
  {
    for (std::size_t c = 0; c < frame.columns.size(); ++c)
    {
      const auto same = [&](const DumpColumn& other) { return other.name == frame.columns[c]; };
      if (std::any_of(columns_.begin(), columns_.end(), same))
      {
        continue;
      }
      target_[c] = columns_.size();
      columns_.emplace_back();
      DumpColumn& column = columns_.back();
      column.name = frame.columns[c];
      column.whole = !column.isText();
      if (column.isText())
      {
        column.words.reserve(frame.size);
      }
      else
      {
        column.numbers.reserve(frame.size);
      }
    }
  }

  void add(std::string_view line, std::uint64_t line_number)
  {
    for (std::size_t c = 0; c < frame_.columns.size(); ++c)
    {
      const std::string_view word = nextWord(line);
      if (word.empty())
      {
        failAtLine(label_, line_number,
          "the row has " + std::to_string(c) + " values, but ITEM: ATOMS names " +
            std::to_string(frame_.columns.size()) + " columns.");
      }
      const bool text = detail::isTextColumn(frame_.columns[c]);
      const double value = text ? 0 : numberOf(word, c, line_number);
      if (target_[c] == kRepeated)
      {
        continue;
      }
      DumpColumn& column = columns_[target_[c]];
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
      failAtLine(label_, line_number,
        "the row has more values than the " + std::to_string(frame_.columns.size()) +
          " columns that ITEM: ATOMS names.");
    }
  }

  std::vector<DumpColumn> columns() && { return std::move(columns_); }

private:
  static constexpr std::size_t kRepeated = static_cast<std::size_t>(-1);

  /// nan and inf are accepted: only the columns that a grain needs are checked, when they are used.
  double numberOf(std::string_view word, std::size_t column, std::uint64_t line_number) const
  {
    double value = 0;
    const NumberKind kind = detail::parseNumber(word, value);
    if (kind != NumberKind::Finite && kind != NumberKind::NotFinite)
    {
      detail::requireNumber<double>(word,
        "the value of column '" + detail::shownWord(frame_.columns[column]) + "'", label_,
        line_number);
    }
    return value;
  }

  const DumpFrame& frame_;
  const std::string& label_;
  std::vector<std::size_t> target_; // place in columns_ of each column of the file, or kRepeated
  std::vector<DumpColumn> columns_;
};

} // namespace

bool DumpColumn::isText() const { return detail::isTextColumn(name); }

std::vector<DumpColumn> readDumpRows(
  std::istream& in, const DumpFrame& frame, const std::string& label)
{
  RowParser rows(frame, label);
  in.clear();
  in.seekg(static_cast<std::streamoff>(frame.rows_offset));
  std::string bytes(frame.rows_bytes, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::uint64_t>(in.gcount()) != frame.rows_bytes)
  {
    throw Error(
      label + ": the file has become shorter since it was first read. Read it again (Refresh).");
  }
  std::string_view rest = bytes;
  for (std::uint64_t row = 0; row < frame.size; ++row)
  {
    const std::size_t found = rest.find('\n');
    if (found == std::string_view::npos && row + 1 < frame.size)
    {
      throw Error(
        label + ": the file has changed since it was first read. Read it again (Refresh).");
    }
    const std::size_t end = std::min(found, rest.size());
    rows.add(rest.substr(0, end), frame.rows_line + row);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::move(rows).columns();
}

} // namespace dem
