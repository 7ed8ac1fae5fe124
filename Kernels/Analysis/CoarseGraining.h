// Coarse graining: smooth fields of grains and contacts at any points, which satisfy the balances
// of mass and momentum. After Goldhirsch, Granular Matter 12 (2010) 239, with the boundary term of
// Weinhart, Thornton, Luding, Bokhove, Granular Matter 14 (2012) 289. Sums have a fixed order: on
// one device equal input gives equal bits, for any number of threads.
#pragma once

#include "Analysis/Averages.h"
#include "Analysis/Grains.h"
#include "Core/Device.h"

#include <array>
#include <memory>
#include <vector>

namespace dem
{

/// The smoothing kernel phi(r). Its integral over space is 1; it is 0 beyond its reach c.
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

/// The reach c of a kernel, m.
double smoothingReach(SmoothingKernel kernel, double width);

/// Destinations of the fields: `components` numbers per point; null: not computed. phi_i is
/// phi(x - x_i), u the velocity at the point x.
struct CoarseGrainedFields
{
  MemoryPlace memory = kHostMemory;       ///< of all fields: the host's or that of the device
  double* mass_density = nullptr;         ///< rho = sum of m phi_i, kg/m^3
  double* momentum_density = nullptr;     ///< 3, sum of m v phi_i, kg/(m^2 s)
  double* velocity = nullptr;             ///< 3, u = momentum density over rho, m/s
  double* solid_fraction = nullptr;       ///< sum of 4/3 pi r^3 phi_i
  double* granular_temperature = nullptr; ///< sum of m |v - u|^2 phi_i over 3 rho, m^2/s^2
  double* kinetic_stress = nullptr;       ///< 6, - sum of m (v - u)(v - u) phi_i, Pa
  /// 6, sum of f l times the integral of phi along the branch, Pa. f acts on the first grain, l is
  /// the branch from its centre x_1 to the other centre, or to the contact point of a wall. The
  /// integral is that of phi(x - x_1 - s l) for s from 0 to 1, in closed form for each kernel. Only
  /// the symmetric part is kept. With walls the balance is rho Du/Dt = div(stress) + wall force
  /// density + rho g (Weinhart et al. 2012, eq. 15 to 20).
  double* contact_stress = nullptr;
  /// 3, sum of f phi(x - contact point) over the contacts with walls, N/m^3.
  double* wall_force_density = nullptr;
  double* temperature = nullptr; ///< sum of m T phi_i over rho, K; 0 if the grains have none
};

/// Descriptions of the fields, in the order of CoarseGrainedFields. `heat`: the grains have
/// temperatures; otherwise the last field is left out.
std::vector<AveragedField> coarseGrainedFields(bool heat = false);
/// Address of the pointer of each field, in the same order.
std::array<double**, 9> pointersOf(CoarseGrainedFields& fields);

class CoarseGrainingEngine;

/// Computes the fields on one device. Keeps its memory from call to call.
class CoarseGraining
{
public:
  explicit CoarseGraining(const Device& device);
  ~CoarseGraining();
  CoarseGraining(CoarseGraining&&) noexcept;
  CoarseGraining& operator=(CoarseGraining&&) noexcept;

  /// Device memory of the points and results, in bytes.
  static double bytes(double points);
  /// Throws dem::Error if bytes() exceed the limit of the options.
  static void require(double points, const CoarseGrainingOptions& options);

  /// `points`: 3 coordinates each, m. `contacts` may be null: then contact stress and wall force
  /// density are zeros. Throws dem::Error for a width <= 0, for points that are not finite, and for
  /// grains and contacts that CellAverage refuses.
  void compute(const Grains& grains, const GrainContacts* contacts, const double* points,
    std::size_t number_of_points, const CoarseGrainingOptions& options,
    const CoarseGrainedFields& fields);

  const Device& device() const { return device_; }

private:
  Device device_;
  std::unique_ptr<CoarseGrainingEngine> engine_;
};

} // namespace dem
