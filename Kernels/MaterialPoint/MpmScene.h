// What a Material Point Method (MPM) run simulates: points, materials, walls, grid, times. Plain
// data in SI units and radians. MpmDescribe.h describes each property.
#pragma once

#include "Core/Event.h"
#include "Core/Text.h"
#include "Core/Vec.h"
#include "Walls/Wall.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mpm
{

using dem::Vec3d;

/// m[row][column].
using Matrix3d = std::array<std::array<double, 3>, 3>;

enum class MaterialKind
{
  Corotated,      ///< elastic: mu |S - I|^2 + lambda/2 tr(S - I)^2 (Meyer 2019, eq. 41)
  FixedCorotated, ///< elastic: mu |S - I|^2 + lambda/2 (J - 1)^2 (Stomakhin et al. 2012; Meyer
                  ///< 2019, eq. 43)
  NeoHookean,     ///< elastic: mu/2 (tr F^T F - 3) - mu ln J + lambda/2 (ln J)^2
  DruckerPrager,  ///< sand: Hencky strain, friction angle and cohesion, no dilatancy (Klar et al.
                  ///< 2016)
  VonMises, ///< metal, clay: Hencky strain, a yield stress with linear hardening, radial return
            ///< (Simo 1992)
  Fluid,    ///< weakly compressible: p = K / gamma (J^-gamma - 1), Newtonian viscosity
  LinearElastic,    ///< elastic: mu |e|^2 + lambda/2 tr(e)^2 with the small strain e = sym(F) - I
                    ///< (Meyer 2019, eq. 37-38). Not objective: a rotation strains it
  StVenantKirchhoff ///< elastic: mu |E|^2 + lambda/2 tr(E)^2 with Green's strain E = (F^T F - I) /
                    ///< 2. Objective; softens below a stretch of 0.58 and then collapses
};

inline constexpr const char* kMaterialKindNames[] = { "Corotated", "Fixed Corotated", "Neo-Hookean",
  "Drucker-Prager", "Von Mises", "Fluid", "Linear Elastic", "St. Venant-Kirchhoff" };

/// The yield surface of sand. The friction angle phi is that of Mohr and Coulomb. A cone meets
/// their pyramid on the meridian for which it is matched, and is stronger or weaker elsewhere: a
/// cone for triaxial compression at 31 degrees has 46 degrees in shear.
enum class SandYield
{
  MohrCoulomb,     ///< the pyramid itself
  PlaneStrainCone, ///< Drucker-Prager matched in plane strain (shear at constant volume): |s| =
                   ///< sqrt(2) sin(phi) p
  CompressionCone  ///< Drucker-Prager matched in triaxial compression, as Klar et al. 2016: |s| =
                   ///< sqrt(2/3) 6 sin(phi) / (3 - sin(phi)) p
};

inline constexpr const char* kSandYieldNames[] = { "Mohr-Coulomb", "Plane Strain Cone",
  "Compression Cone" };

struct Material
{
  MaterialKind kind = MaterialKind::FixedCorotated;
  double density = 1000; ///< kg/m^3 at rest; gives the mass of points with a volume only, and the
                         ///< volume of points with a mass only
  double youngs_modulus = 1e6;    ///< Pa; all kinds but Fluid
  double poissons_ratio = 0.3;    ///< in [0, 0.5); all kinds but Fluid
  double friction_angle = 0.5236; ///< rad, DruckerPrager: internal friction, in [0, pi/2)
  SandYield sand_yield = SandYield::MohrCoulomb; ///< DruckerPrager
  double cohesion = 0; ///< Pa, DruckerPrager: the yield shear stress at zero pressure, >= 0
  /// DruckerPrager: friction grows with the rate by mu(I) (Jop, Forterre and Pouliquen 2006, Nature
  /// 441, 727), here for the sine in shear at constant volume: sin(phi) + (sin(fast) - sin(phi)) /
  /// (I_0 / I + 1), I = shear rate x diameter x sqrt(density of a grain / pressure). The density of
  /// a grain is that of the bulk / 0.6. 0 = the friction angle at every rate.
  double grain_diameter = 0; ///< m, >= 0
  double fast_friction_angle =
    0.7854;                       ///< rad, in [friction_angle, pi/2); used if grain_diameter > 0
  double inertial_number = 0.279; ///< I_0, > 0; used if grain_diameter > 0: friction is halfway
                                  ///< there; the default is that of glass beads
  double yield_stress = 1e4;      ///< Pa, VonMises: uniaxial, > 0
  double hardening_modulus = 0;   ///< Pa, VonMises: d(yield stress) / d(plastic strain), >= 0
  double bulk_modulus = 1e5;      ///< Pa, Fluid, > 0
  double gamma = 7;               ///< Fluid: exponent of the equation of state, >= 1
  double viscosity = 0;           ///< Pa s, Fluid, >= 0
};

/// One entry a point; optional vectors are empty or have the length of `position`. Give `mass` and
/// `volume`, or one of them; the density of the material gives the other.
struct PointInput
{
  std::vector<Vec3d> position;        ///< m
  std::vector<Vec3d> velocity;        ///< m/s, optional (0)
  std::vector<double> mass;           ///< kg, > 0, optional
  std::vector<double> volume;         ///< m^3 at rest, > 0, optional
  std::vector<std::int32_t> material; ///< index into Scene::materials, optional (0)
  std::vector<std::int64_t> id;       ///< optional (0 .. n-1), unique, >= 0
  std::vector<Matrix3d> deformation;  ///< F at the start, det > 0, optional (identity)
  std::vector<Matrix3d>
    velocity_gradient; ///< 1/s, for APIC: the affine field about the point (C), optional (0)

  std::size_t size() const { return position.size(); }
};

/// How a wall or border acts on the material at it.
enum class Contact
{
  Stick,   ///< the material has the wall's velocity
  Slip,    ///< free along the wall; never through the wall or away from it
  Separate ///< free to leave; slides with Coulomb friction where it is pressed against the wall
};

inline constexpr const char* kContactNames[] = { "Stick", "Slip", "Separate" };

enum class Border
{
  Stick,
  Slip,
  Separate, ///< with Domain::friction
  Remove    ///< points that pass it leave the run
};

inline constexpr const char* kBorderNames[] = { "Stick", "Slip", "Separate", "Remove" };

struct Domain
{
  Vec3d lower{ -1, -1, -1 }, upper{ 1, 1, 1 }; ///< m; enlarged upwards to whole cells
  /// lower x, upper x, lower y, upper y, lower z, upper z
  std::array<Border, 6> border{ Border::Slip, Border::Slip, Border::Slip, Border::Slip,
    Border::Slip, Border::Slip };
  double friction = 0; ///< of borders that are Separate
};

struct WallContact
{
  Contact kind = Contact::Separate;
  double friction = 0; ///< Coulomb coefficient, >= 0; Separate only
};

enum class Transfer
{
  APIC, ///< affine: conserves linear and angular momentum (Jiang et al. 2015; Meyer 2019, 4.5.3)
  PIC,  ///< smooths velocities, loses angular momentum
  FLIP  ///< flip_fraction of FLIP, the rest PIC (Meyer 2019, eq. 79, with the sign of eq. 81
        ///< corrected)
};

inline constexpr const char* kTransferNames[] = { "APIC", "PIC", "FLIP" };

enum class Spline
{
  Quadratic, ///< 27 nodes a point
  Cubic      ///< 64 nodes a point
};

inline constexpr const char* kSplineNames[] = { "Quadratic", "Cubic" };

/// How points add to the nodes in an explicit run (Meyer 2019, 5.4.2). All agree to rounding.
enum class GridTransfer
{
  Tiles,        ///< blocks in shared memory and registers (Tiles.cuh); the fastest
  Sync,         ///< a bin a thread, one node of the support after the other between barriers
  SharedAtomic, ///< a bin a thread, atomic additions in shared memory; gives up equal bits
  Pull,         ///< a node a thread, which reads the points of its bins from global memory, without
                ///< Meyer's staging in shared memory
  Global,       ///< a point a thread, atomic additions in global memory; gives up equal bits
  GlobalSupport, ///< a point and a node a thread, as Global; gives up equal bits
  WarpSums ///< as Global, after the points of a bin are added up in their warp (Gao et al. 2018);
           ///< gives up equal bits
};

inline constexpr const char* kGridTransferNames[] = { "Tiles", "Sync", "Shared Atomic", "Pull",
  "Global", "Global Support", "Warp Sums" };

/// Whether sums are added in the order of arrival.
inline bool addsInAnyOrder(GridTransfer transfer)
{
  return transfer == GridTransfer::SharedAtomic || transfer == GridTransfer::Global ||
    transfer == GridTransfer::GlobalSupport || transfer == GridTransfer::WarpSums;
}

/// How points read from the nodes in an explicit run. Both give the same bits. FLIP needs Shared.
enum class PointTransfer
{
  Shared, ///< from a tile in shared memory
  Global  ///< from the nodes in global memory
};

inline constexpr const char* kPointTransferNames[] = { "Shared", "Global" };

/// How points are sorted (Meyer 2019, 5.3).
enum class PointSorting
{
  Deep, ///< all columns are moved into the order of the bins
  Index ///< points keep their order in memory; an index holds that of the bins
};

inline constexpr const char* kPointSortingNames[] = { "Deep", "Index" };

enum class Precision
{
  Single, ///< float; places are stored relative to a cell, so a large domain costs no digits
  Double
};

inline constexpr const char* kPrecisionNames[] = { "Single", "Double" };

enum class TimeIntegration
{
  Explicit,         ///< symplectic Euler
  ImplicitMidpoint, ///< Newton with conjugate gradients (Meyer 2019, 4.6.5 - 4.6.6); elastic kinds
                    ///< and Fluid without viscosity
  BackwardEuler     ///< the same solver with lambda = 1 of Meyer 2019, eq. 95: vibrations decay
};

inline constexpr const char* kTimeIntegrationNames[] = { "Explicit", "Implicit Midpoint",
  "Backward Euler" };

/// lambda of Meyer 2019, eq. 95, for the implicit integrators: forces act at t + lambda dt.
inline double implicitTime(TimeIntegration integration)
{
  return integration == TimeIntegration::BackwardEuler ? 1 : 0.5;
}

struct ImplicitOptions
{
  double newton_tolerance =
    1e-6;                     ///< mass-weighted norm of the residual over that of the first guess
  int newton_most = 20;       ///< largest number of iterations; more is an error ("no convergence")
  double cg_tolerance = 1e-4; ///< linear residual over its start
  int cg_most = 200; ///< largest number of products in a Newton iteration; the step then uses the
                     ///< solution reached
  /// For tests of the integrator: points keep their places, and nodes keep their velocities from
  /// step to step.
  bool hold_points = false;
};

struct Scene
{
  std::vector<Material> materials = std::vector<Material>(1);
  PointInput points;
  std::vector<dem::Wall> walls;           ///< Wall::material is ignored
  std::vector<WallContact> wall_contacts; ///< one a wall, or empty: all Separate without friction
  Domain domain;
  double grid_spacing = 0.05; ///< m, > 0
  Spline spline = Spline::Quadratic;
  Transfer transfer = Transfer::APIC;
  double flip_fraction = 0.95; ///< in [0, 1]
  GridTransfer grid_transfer = GridTransfer::Tiles;
  int batching = 1; ///< points that a thread adds at once, 1 or 4; Sync and SharedAtomic
  PointTransfer point_transfer = PointTransfer::Shared;
  PointSorting point_order = PointSorting::Deep;
  Precision precision = Precision::Single;
  TimeIntegration integration = TimeIntegration::Explicit;
  ImplicitOptions implicit;
  /// The same bits in every run, on any number of threads. If false, the points of a cell are added
  /// in their order of arrival: this saves the time to sort them, and runs differ by rounding.
  bool equal_bits = true;
  Vec3d gravity{ 0, 0, -9.81 }; ///< m/s^2
  /// s. 0 = automatic: by the elastic CFL bound of the scene at the start; steps are divided into
  /// sub-steps if velocities or stiffening require it. A value above 0 is kept, and a step beyond
  /// the bound is an error.
  double time_step = 0;
  double cfl = 0.4;              ///< fraction of the CFL bound that automatic steps use, in (0, 1]
  double end_time = 1;           ///< s, >= 0
  double output_interval = 0.01; ///< s
  /// Changes under way, ascending in time: Gravity (3 numbers); of material 0 YoungsModulus,
  /// PoissonsRatio, FrictionAngle, Cohesion, YieldStress, HardeningModulus, BulkModulus, Gamma,
  /// Viscosity (1 number); BorderFriction (1 number); WallContactFriction (wall index,
  /// coefficient); WallRate (wall index, rad/s); WallVelocity (wall index, 3 numbers).
  std::vector<dem::Event> events;
  double memory_limit =
    0; ///< bytes, largest size of the grid (table, tiles and nodes); 0 = no limit
};

/// Whole cells of the domain along each axis. Throws dem::Error if the grid is too large for the
/// numbers of its bins.
std::array<int, 3> gridCells(const Scene& scene);

inline const char* name(MaterialKind kind) { return dem::nameOf(kMaterialKindNames, kind); }
inline const char* name(SandYield yield) { return dem::nameOf(kSandYieldNames, yield); }
inline const char* name(Contact contact) { return dem::nameOf(kContactNames, contact); }
inline const char* name(Border border) { return dem::nameOf(kBorderNames, border); }
inline const char* name(Transfer transfer) { return dem::nameOf(kTransferNames, transfer); }
inline const char* name(Spline spline) { return dem::nameOf(kSplineNames, spline); }
inline const char* name(GridTransfer transfer) { return dem::nameOf(kGridTransferNames, transfer); }
inline const char* name(PointTransfer transfer)
{
  return dem::nameOf(kPointTransferNames, transfer);
}
inline const char* name(PointSorting sorting) { return dem::nameOf(kPointSortingNames, sorting); }
inline const char* name(TimeIntegration integration)
{
  return dem::nameOf(kTimeIntegrationNames, integration);
}

} // namespace mpm
