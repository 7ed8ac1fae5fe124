// The grains of one frame of a LAMMPS or LIGGGHTS text dump, taken from columns with the usual
// names. Used by DEM Dump Reader.
#pragma once

#include "Analysis/DumpRows.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace dem
{

/// Grains in ascending Id, in the file's units.
struct DumpGrains
{
  using Values = std::optional<std::vector<double>>; ///< empty if a column is missing

  std::size_t size = 0;
  bool has_id = false;
  std::vector<std::int64_t> id; ///< of `id`; without it the row number from 1
  /// 3, from x y z, else xu yu zu, else xs ys zs or xsu ysu zsu, which are scaled by the box
  /// (sheared or not).
  std::vector<double> position;
  Values radius;           ///< of `radius`, else half of `diameter`
  Values mass;             ///< of `mass`, else of `density` and the radius
  Values velocity;         ///< 3, of vx vy vz
  Values angular_velocity; ///< 3, of omegax omegay omegaz
  Values force;            ///< 3, of fx fy fz
  Values torque;           ///< 3, of tqx tqy tqz
  Values orientation;      ///< 4 (w x y z), of quatw quati quatj quatk or quat1 to quat4
  /// `type` - 1: types count from 1, materials from 0.
  std::optional<std::vector<std::int32_t>> material;
  std::vector<DumpColumn> others; ///< all other columns, and `type`
};

/// Reads the grains of a frame that indexDump() found in the same file. `constant_radius` is used
/// if the frame has no radius; 0: then the radius stays empty. Throws dem::Error, which names the
/// line, for a repeated Id, an invalid radius or type, missing positions, and nan or inf outside of
/// `others`.
DumpGrains readDumpGrains(
  std::istream& in, const DumpFrame& frame, const std::string& label, double constant_radius);

} // namespace dem
