// Averages of grains and contacts over the cells of a rectilinear grid. Sums have a fixed order
// (grains by Id, contacts as given): on one device equal input gives equal bits, for any number of
// threads.
#pragma once

#include "Analysis/Averages.h"
#include "Analysis/Grains.h"
#include "Core/Device.h"

#include <array>
#include <memory>
#include <vector>

namespace dem
{

/// Cells between planes: cell i of an axis lies between edges[i] and edges[i + 1], m. A cell
/// includes its lower planes; the last cell also includes the last plane.
struct CellGrid
{
  std::array<std::vector<double>, 3> edges;
  /// The grid spans one period of the axis: parts of grains beyond an end enter at the other end.
  std::array<bool, 3> periodic{ false, false, false };

  std::size_t cells() const;
};

/// `size` equal cells from `lower` to `upper` (m) on each axis.
CellGrid uniformGrid(const double lower[3], const double upper[3], const int size[3]);

/// How a grain is distributed to the cells that it touches.
enum class GrainShare
{
  Overlap, ///< by the part of its volume inside the cell, exact
  Centre   ///< whole, to the cell of its centre
};

struct CellAverageOptions
{
  GrainShare share = GrainShare::Overlap;
  int species = 1;           ///< number of materials, counted from 0; >= 1
  double density = 2500;     ///< kg/m^3, > 0, for grains without a mass
  double memory_limit = 4e9; ///< bytes on the device, results included
};

/// Destinations of the fields: `components` numbers per cell, x fastest; null: not computed.
/// s is the share of a grain in the cell, m its mass, V the volume of the cell.
struct CellAverageFields
{
  MemoryPlace memory = kHostMemory;       ///< of all fields: the host's or that of the device
  double* mass_density = nullptr;         ///< sum of s m / V, kg/m^3
  double* number_density = nullptr;       ///< sum of s / V, 1/m^3
  double* solid_fraction = nullptr;       ///< sum of s 4/3 pi r^3 / V
  double* velocity = nullptr;             ///< 3, u = sum of s m v over sum of s m, m/s
  double* granular_temperature = nullptr; ///< sum of s m |v - u|^2 over 3 sum of s m, m^2/s^2
  double* angular_velocity = nullptr;     ///< 3, mean over mass, rad/s
  double* kinetic_stress = nullptr;       ///< 6, - sum of s m (v - u)(v - u) / V, Pa
  /// 6, Love-Weber: sum of f l t / V over the contacts, Pa. f acts on the first grain, l is the
  /// branch from its centre to the other centre (or to the contact point of a wall), t the fraction
  /// of the branch inside the cell. Only the symmetric part is kept. After Love 1927 and Weber
  /// 1966, distributed along the branch as in Goldhirsch 2010: the stresses of all cells add up to
  /// the sum of f l over their volume.
  double* contact_stress = nullptr;
  /// Contacts of a grain, with grains and walls; mean weighed by s.
  double* coordination_number = nullptr;
  double* species_fraction = nullptr; ///< `species` numbers: fractions of the solid volume
  double* temperature = nullptr;      ///< mean over mass, K; 0 if the grains have none
};

/// Descriptions of the fields, in the order of CellAverageFields: MassDensity, NumberDensity, ...
/// `heat`: the grains have temperatures; otherwise the last field is left out.
std::vector<AveragedField> cellAverageFields(int species, bool heat = false);
/// Address of the pointer of each field, in the same order.
std::array<double**, 11> pointersOf(CellAverageFields& fields);

class CellAverageEngine;

/// Computes the averages on one device. Keeps its memory from call to call.
class CellAverage
{
public:
  explicit CellAverage(const Device& device);
  ~CellAverage();
  CellAverage(CellAverage&&) noexcept;
  CellAverage& operator=(CellAverage&&) noexcept;

  /// Device memory of the results and the grid, in bytes. The lists of grains and contacts by cell,
  /// whose size compute() finds, are not included.
  static double bytes(double cells, int species);
  /// Throws dem::Error if bytes() exceed the limit of the options. `size`: cells along each axis.
  static void require(const double size[3], const CellAverageOptions& options);

  /// `contacts` may be null: then contact stress and coordination number are zeros. Throws
  /// dem::Error for a grid without volume, a radius that is not positive, numbers that are not
  /// finite, contacts with missing grains, and a grid too fine for the memory limit.
  void compute(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid,
    const CellAverageOptions& options, const CellAverageFields& fields);

  const Device& device() const { return device_; }

private:
  Device device_;
  std::unique_ptr<CellAverageEngine> engine_;
};

} // namespace dem
