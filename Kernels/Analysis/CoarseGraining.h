// Coarse graining after Goldhirsch, Granular Matter 12 (2010) 239, with the boundary term of
// Weinhart, Thornton, Luding, Bokhove, Granular Matter 14 (2012) 289: smooth fields at any points,
// which keep the balances of mass and momentum. Sums have a fixed order, so the same input gives
// the same bits on one device, whatever the number of threads.
#pragma once

#include "Analysis/Averages.h"
#include "Analysis/Grains.h"
#include "Core/Device.h"

#include <array>
#include <memory>
#include <vector>

namespace dem
{

/// phi(r), whose integral over space is 1, zero beyond its reach c.
enum class SmoothingKernel
{
  Heaviside, ///< constant; c = width
  Gauss, ///< exp(-r^2 / 2 w^2), cut at c = 3 widths and normalised with the cut (Weinhart et al.
         ///< 2013, eq. 21)
  Lucy   ///< 105 / (16 pi c^3) (-3 (r/c)^4 + 8 (r/c)^3 - 6 (r/c)^2 + 1); c = width (Lucy 1977)
};

struct CoarseGrainingOptions
{
  SmoothingKernel kernel = SmoothingKernel::Lucy;
  double width = 0;          ///< m, > 0
  double density = 2500;     ///< kg/m^3, of grains without a mass
  double memory_limit = 4e9; ///< bytes on the device, results included
};

/// Distance beyond which a grain does not count, m.
double smoothingReach(SmoothingKernel kernel, double width);

/// Where the fields go: `components` numbers a point; null where a field is not wanted. phi_i =
/// phi(x - x_i), u the velocity at the point.
struct CoarseGrainedFields
{
  MemoryPlace memory = kHostMemory;       ///< of all of them: the host's or that of the device
  double* mass_density = nullptr;         ///< rho = sum of m phi_i, kg/m^3
  double* momentum_density = nullptr;     ///< 3, sum of m v phi_i, kg/(m^2 s)
  double* velocity = nullptr;             ///< 3, u = momentum density over rho, m/s
  double* solid_fraction = nullptr;       ///< sum of 4/3 pi r^3 phi_i
  double* granular_temperature = nullptr; ///< sum of m |v - u|^2 phi_i over 3 rho, m^2/s^2
  double* kinetic_stress = nullptr;       ///< 6, - sum of m (v - u)(v - u) phi_i, Pa
  double* contact_stress =
    nullptr; ///< 6, sum of f l times the integral of phi along the branch, Pa; see below
  double* wall_force_density =
    nullptr; ///< 3, sum of f phi(x - contact point) over the contacts with walls, N/m^3
};
// Contact stress: f acts on the first grain, l leads from its centre x_1 to the other's centre, or
// to the contact point of a wall; the integral is that of phi(x - x_1 - s l) for s from 0 to 1, in
// closed form for each kernel. The symmetric part is taken. With walls the balance is rho Du/Dt =
// div(stress) + wall force density + rho g (Weinhart et al. 2012, eq. 15 to 20).

/// In the order of CoarseGrainedFields.
std::vector<AveragedField> coarseGrainedFields();
std::array<double**, 8> pointersOf(CoarseGrainedFields& fields);

class CoarseGrainingEngine;

class CoarseGraining
{
public:
  explicit CoarseGraining(const Device& device);
  ~CoarseGraining();
  CoarseGraining(CoarseGraining&&) noexcept;
  CoarseGraining& operator=(CoarseGraining&&) noexcept;

  /// What points and results take on the device, in bytes.
  static double bytes(double points);
  /// Throws dem::Error when that passes the limit.
  static void require(double points, const CoarseGrainingOptions& options);

  /// `points`: 3 numbers each. `contacts` may be null: contact stress and wall force are zeros.
  /// Throws dem::Error for a width that is not above 0, for points that are not finite, and for
  /// what CellAverage refuses in grains and contacts.
  void compute(const Grains& grains, const GrainContacts* contacts, const double* points,
    std::size_t number_of_points, const CoarseGrainingOptions& options,
    const CoarseGrainedFields& fields);

  const Device& device() const { return device_; }

private:
  Device device_;
  std::unique_ptr<CoarseGrainingEngine> engine_;
};

} // namespace dem
