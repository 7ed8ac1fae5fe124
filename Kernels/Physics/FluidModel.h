// Options of a fluid around the grains in a scene. Plain data in SI units; the kernels of Fluid/
// use them.
#pragma once

#include "Core/Vec.h"

namespace dem
{

/// Fluid around the grains (Fluid/).
enum class FluidModel
{
  None,
  GivenField ///< the flow is given and does not feel the grains
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
  double interval = 0;         ///< s between two void fractions, >= 0; 0 = 64 time steps

  bool on() const { return model != FluidModel::None; }
};

} // namespace dem
