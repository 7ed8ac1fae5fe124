// Averages of grains and contacts over the cells of a grid. Sums have a fixed order (grains by Id,
// contacts as given), so the same input gives the same bits on one device, whatever the number of
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

/// Cells between planes: cell i of an axis lies between edges[i] and edges[i + 1], m. A cell owns
/// its lower planes; the last plane belongs to the last cell.
struct CellGrid
{
  std::array<std::vector<double>, 3> edges;
  std::array<bool, 3> periodic{ false, false,
    false }; ///< the grid is one period: what leaves it comes back in

  std::size_t cells() const;
};

/// `size` equal cells from `lower` to `upper` on each axis.
CellGrid uniformGrid(const double lower[3], const double upper[3], const int size[3]);

/// How a grain counts in the cells that it touches.
enum class GrainShare
{
  Overlap, ///< by the part of its volume that lies in the cell, exact
  Centre   ///< whole, in the cell of its centre
};

struct CellAverageOptions
{
  GrainShare share = GrainShare::Overlap;
  int species = 1;           ///< numbers of materials, counted from 0
  double density = 2500;     ///< kg/m^3, of grains without a mass
  double memory_limit = 4e9; ///< bytes on the device, results included
};

/// Where the fields go: `components` numbers a cell, x fastest; null where a field is not wanted. s
/// is the share of a grain in the cell, m its mass, V the cell's volume.
struct CellAverageFields
{
  MemoryPlace memory = kHostMemory;       ///< of all of them: the host's or that of the device
  double* mass_density = nullptr;         ///< sum of s m / V, kg/m^3
  double* number_density = nullptr;       ///< sum of s / V, 1/m^3
  double* solid_fraction = nullptr;       ///< sum of s 4/3 pi r^3 / V
  double* velocity = nullptr;             ///< 3, u = sum of s m v over sum of s m, m/s
  double* granular_temperature = nullptr; ///< sum of s m |v - u|^2 over 3 sum of s m, m^2/s^2
  double* angular_velocity = nullptr;     ///< 3, weighed by mass, rad/s
  double* kinetic_stress = nullptr;       ///< 6, - sum of s m (v - u)(v - u) / V, Pa
  double* contact_stress =
    nullptr; ///< 6, Love-Weber: sum of f l t / V over the contacts, Pa; see below
  double* coordination_number =
    nullptr; ///< contacts of a grain, with grains and walls, mean weighed by s
  double* species_fraction = nullptr; ///< `species`, of the solid volume
};
// Contact stress: f acts on the first grain, l is the branch from its centre to the other's centre
// (to the contact point of a wall), t the part of it inside the cell; the symmetric part is taken.
// Love 1927, Weber 1966; shared out along the branch as in Goldhirsch 2010, so that the stresses of
// all cells add up to the sum of f l over their volume.

/// In the order of CellAverageFields: MassDensity, NumberDensity, ...
std::vector<AveragedField> cellAverageFields(int species);
/// The pointer of each field, in the same order.
std::array<double**, 10> pointersOf(CellAverageFields& fields);

class CellAverageEngine;

class CellAverage
{
public:
  explicit CellAverage(const Device& device);
  ~CellAverage();
  CellAverage(CellAverage&&) noexcept;
  CellAverage& operator=(CellAverage&&) noexcept;

  /// What the results and the grid itself take on the device, in bytes; the lists of grains and
  /// contacts by cell are asked for by compute().
  static double bytes(double cells, int species);
  /// Throws dem::Error when that passes the limit.
  static void require(const double size[3], const CellAverageOptions& options);

  /// `contacts` may be null: contact stress and coordination number are zeros. Throws dem::Error
  /// for a grid without volume, a grain without a radius, numbers that are not finite, contacts of
  /// grains that there are not, and a grid too fine for the memory.
  void compute(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid,
    const CellAverageOptions& options, const CellAverageFields& fields);

  const Device& device() const { return device_; }

private:
  Device device_;
  std::unique_ptr<CellAverageEngine> engine_;
};

} // namespace dem
