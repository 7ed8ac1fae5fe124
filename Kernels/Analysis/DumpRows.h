// The rows of one frame of a LAMMPS or LIGGGHTS text dump, as columns.
#pragma once

#include "Analysis/DumpIndex.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace dem
{

/// A column of a frame: numbers, or the words of the columns `element` and `typelabel`.
struct DumpColumn
{
  std::string name;
  bool whole = true; ///< all numbers are integers of magnitude below 2^53
  std::vector<double> numbers;
  std::vector<std::string> words;

  bool isText() const;
};

/// Reads the rows of a frame that indexDump() found in the same file. If a name repeats, only its
/// first column is returned. nan and inf are returned as they are. Throws dem::Error, which names
/// the line and column, for rows of another length and for values that are not numbers.
std::vector<DumpColumn> readDumpRows(
  std::istream& in, const DumpFrame& frame, const std::string& label);

} // namespace dem
