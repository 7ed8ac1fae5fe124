// LAMMPS and LIGGGHTS text dumps (`dump atom`, `dump custom`): where the frames of a file lie, and
// the rows of one of them. Format: LAMMPS documentation, commands `dump` and `dump_modify`;
// LIGGGHTS(R)-PUBLIC documentation, command `dump`.
#pragma once

#include "Core/Vec.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace dem
{

/// What stands in front of the rows of a frame.
struct DumpFrame
{
  std::int64_t step = 0;
  bool has_time = false;
  double time = 0;    ///< of ITEM: TIME, in the file's units
  std::string units;  ///< of ITEM: UNITS of this frame or one before it; empty: not given
  Vec3d lower, upper; ///< bounds of the box, in the file's units
  Vec3d tilt{};       ///< xy, xz, yz of a sheared (restricted triclinic) box; 0: along x, y and z
  std::string boundary[3]; ///< two letters an axis (p periodic, f fixed, s shrink-wrapped, m with a
                           ///< minimum); empty: not given
  std::vector<std::string> columns;
  std::uint64_t size = 0;        ///< rows
  std::uint64_t rows_offset = 0; ///< bytes from the start of the file to the first row
  std::uint64_t rows_bytes = 0;
  std::uint64_t rows_line = 0; ///< line number of the first row, from 1

  bool isSheared() const { return tilt.x != 0 || tilt.y != 0 || tilt.z != 0; }
  /// Along an axis of space: a sheared box repeats along none that a simulation here could.
  bool periodic(int axis) const { return boundary[axis] == "pp" && !isSheared(); }
};

struct DumpIndex
{
  std::vector<DumpFrame> frames; ///< in the order of the file
  std::string incomplete;        ///< why a last frame that is cut off was left out; empty: none was
};

/// Reads the headers and finds the rows of all frames, without holding them. `label` begins each
/// message. Throws dem::Error, which names the line, for what is no such dump; a last frame that is
/// still being written, or was cut off, is left out.
DumpIndex indexDump(std::istream& in, const std::string& label);

/// A column of a frame: numbers, or the words of the columns `element` and `typelabel`.
struct DumpColumn
{
  std::string name;
  bool whole = true; ///< all numbers are integers of magnitude below 2^53
  std::vector<double> numbers;
  std::vector<std::string> words;

  bool isText() const;
};

/// The rows of a frame of the same file. Columns that repeat a name are given once. Throws
/// dem::Error, which names the line and column, for rows of another length and for what is no
/// number. nan and inf are read as they are.
std::vector<DumpColumn> readDumpRows(
  std::istream& in, const DumpFrame& frame, const std::string& label);

/// Grains in the terms of this project, from the columns' usual names.
struct DumpGrains
{
  using Values = std::optional<std::vector<double>>; ///< nothing where a column is missing

  std::size_t size = 0;
  bool has_id = false;
  std::vector<std::int64_t> id; ///< of `id`; without it the row from 1
  std::vector<double> position; ///< 3, from x y z, else xu yu zu, else through the box, sheared or
                                ///< not, xs ys zs or xsu ysu zsu
  Values radius;                ///< of `radius`, else half of `diameter`
  Values mass;                  ///< of `mass`, else of `density` and the radius
  Values velocity;              ///< 3, of vx vy vz
  Values angular_velocity;      ///< 3, of omegax omegay omegaz
  Values force;                 ///< 3, of fx fy fz
  Values torque;                ///< 3, of tqx tqy tqz
  Values orientation;           ///< 4 (w x y z), of quatw quati quatj quatk or quat1 to quat4
  std::optional<std::vector<std::int32_t>>
    material;                     ///< of `type`, less 1: types are counted from 1, materials from 0
  std::vector<DumpColumn> others; ///< all that is not told above; `type` too
};

/// `constant_radius` (0: none) is taken where the frame has no radius. Sorted by Id. Throws
/// dem::Error for an Id that comes twice, a radius or type that cannot be, a frame without
/// positions, and for nan and inf in all but `others`.
DumpGrains readDumpGrains(
  std::istream& in, const DumpFrame& frame, const std::string& label, double constant_radius);

} // namespace dem
