// Options of a fluid around the grains in a scene. Plain data in SI units; the kernels of Fluid/
// use them.
#pragma once

#include "Core/Vec.h"

#include <array>
#include <vector>

namespace dem
{

/// Fluid around the grains (Fluid/).
enum class FluidModel
{
  None,
  GivenField,    ///< the flow is given and does not feel the grains
  VolumeAveraged ///< the flow is computed with the grains
};

/// Law of the drag of a grain (Physics/Drag/).
enum class DragLaw
{
  KochHill,        ///< Koch and Hill, Annu. Rev. Fluid Mech. 33 (2001) 619
  DiFelice,        ///< Di Felice, Int. J. Multiphase Flow 20 (1994) 153
  Gidaspow,        ///< Ergun 1952 below a void fraction of 0.8, Wen and Yu 1966 above
  Beetstra,        ///< Beetstra, van der Hoef, Kuipers, AIChE J. 53 (2007) 489
  SchillerNaumann, ///< single grains; Schiller and Naumann 1935
  Stokes           ///< single grains, slow flow
};

/// Whether the law depends on the void fraction around the grain.
inline bool needsVoidFraction(DragLaw law)
{
  return law != DragLaw::SchillerNaumann && law != DragLaw::Stokes;
}

/// Border of the computed flow on a side of the domain. On periodic axes the flow is periodic.
enum class FluidBorder
{
  Wall,   ///< the fluid sticks to it
  Slip,   ///< the fluid slides along it
  Inlet,  ///< the fluid enters with a given velocity
  Outlet, ///< the fluid leaves, at the pressure 0
};

/// Velocity across an inlet.
enum class InletProfile
{
  Uniform,
  Parabolic ///< 0 at the edges, as in slow flow between plates or in a duct
};

/// How pressure acts in the equations of the computed flow.
enum class FluidEquations
{
  ModelA, ///< on fluid and grains, by their volumes
  ModelB  ///< on the fluid alone; the drag is larger instead
};

/// Options of the fluid.
struct FluidOptions
{
  FluidModel model = FluidModel::None;
  DragLaw drag = DragLaw::KochHill;
  Vec3d velocity{};            ///< m/s, where no field gives it
  double density = 1.2;        ///< kg/m^3, > 0, where no field gives it
  double viscosity = 1.8e-5;   ///< Pa s, > 0, where no field gives it
  bool buoyancy = true;        ///< weight of the displaced fluid; off if the pressure contains it
  bool viscous_stress = false; ///< divergence of the viscous stress times the volume of the grain
  bool magnus_lift = false;    ///< Rubinow and Keller, J. Fluid Mech. 11 (1961) 447
  bool saffman_lift = false;   ///< Saffman, J. Fluid Mech. 22 (1965) 385
  double cell_size = 0;        ///< m, of the void fraction, >= 0; 0 = three largest diameters
  /// s between two void fractions, >= 0; 0 = 64 time steps, or the longest stable step of a
  /// computed flow
  double interval = 0;

  // --- of a computed flow ---
  FluidEquations equations = FluidEquations::ModelA;
  std::array<FluidBorder, 6> border{ FluidBorder::Wall, FluidBorder::Wall, FluidBorder::Wall,
    FluidBorder::Wall, FluidBorder::Inlet,
    FluidBorder::Outlet };                  ///< lower x, upper x, lower y, ...
  std::array<Vec3d, 6> boundary_velocity{}; ///< m/s, of borders that are walls, along them
  double inlet_velocity = 1;                ///< m/s, into the domain, of borders that are inlets
  InletProfile inlet_profile = InletProfile::Uniform;
  double inlet_ramp = 0;   ///< s from rest to full flow, >= 0
  double inlet_factor = 1; ///< of all inlets
  /// Rectangles on borders, 6 numbers each: border 0 to 5, lower and upper corner on its two axes
  /// in ascending order (4 numbers, m), velocity into the domain (m/s).
  std::vector<double> inlets;
  Vec3d driving_force{};        ///< N/m^3 = Pa/m: mean fall of the pressure along the axes
  double smagorinsky = 0;       ///< constant of the eddy viscosity, in [0, 1]; 0 = laminar
  double exchange_diameter = 0; ///< m, over which a grain acts; 0 = automatic
  double tolerance = 1e-8;      ///< largest rms volume error of a cell in a step, in (0, 0.01]

  bool on() const { return model != FluidModel::None; }
};

} // namespace dem
