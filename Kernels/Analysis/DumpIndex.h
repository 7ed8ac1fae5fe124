// The frames of a LAMMPS or LIGGGHTS text dump (`dump atom`, `dump custom`): their headers and
// where their rows lie in the file. Format: LAMMPS documentation, commands `dump` and
// `dump_modify`; LIGGGHTS(R)-PUBLIC documentation, command `dump`.
#pragma once

#include "Core/Vec.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace dem
{

/// The header of a frame and the place of its rows.
struct DumpFrame
{
  std::int64_t step = 0;
  bool has_time = false;
  double time = 0;    ///< of ITEM: TIME, in the file's units
  std::string units;  ///< of ITEM: UNITS of this frame or an earlier one; empty: not given
  Vec3d lower, upper; ///< bounds of the box, in the file's units
  Vec3d tilt{};       ///< xy, xz, yz of a sheared (restricted triclinic) box; 0: along x, y and z
  /// Two letters per axis (p periodic, f fixed, s shrink-wrapped, m with a minimum); empty: not
  /// given.
  std::string boundary[3];
  std::vector<std::string> columns;
  std::uint64_t size = 0;        ///< number of rows
  std::uint64_t rows_offset = 0; ///< bytes from the start of the file to the first row
  std::uint64_t rows_bytes = 0;
  std::uint64_t rows_line = 0; ///< line number of the first row, from 1

  bool isSheared() const { return tilt.x != 0 || tilt.y != 0 || tilt.z != 0; }
  /// True if the box repeats along this axis. False for all axes of a sheared box: its periods are
  /// not along x, y and z, which simulations of this project require.
  bool periodic(int axis) const { return boundary[axis] == "pp" && !isSheared(); }
};

struct DumpIndex
{
  std::vector<DumpFrame> frames; ///< in the order of the file
  std::string incomplete;        ///< why an incomplete last frame was left out; empty: none was
};

/// Reads the headers and finds the rows of all frames, without storing the rows. `label` begins
/// each message. A last frame that is cut off, or is still being written, is left out. Throws
/// dem::Error, which names the line, if the stream is not such a dump or holds no complete frame.
DumpIndex indexDump(std::istream& in, const std::string& label);

} // namespace dem
