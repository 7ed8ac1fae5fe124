// Options of heat transfer in a scene. Plain data in SI units; the kernels of Heat/ use them.
#pragma once

namespace dem
{

/// Model of the heat that flows through contacts (Physics/Heat/).
enum class HeatModel
{
  None,
  Conduction ///< Batchelor and O'Brien, Proc. R. Soc. A 355 (1977) 313
};

/// Length that stands for the size of a contact in the conductance 4 k1 k2 / (k1 + k2) * length.
enum class ContactAreaModel
{
  ContactRadius, ///< radius a of the contact, sqrt(R* d) for spheres (Batchelor and O'Brien)
  Lens           ///< root of the area of the overlap's lens: sqrt(2 pi) a for small overlaps
};

/// Correction of contacts that are too large because YoungsModulus is smaller than
/// TrueYoungsModulus.
enum class ModulusCorrection
{
  EqualForce, ///< a (E*/E*true)^(1/3): contacts that bear the same force, as in a bed at rest
  EqualImpact ///< a (E*/E*true)^(1/5): impacts of the same speed; Zhou, Yu, Zulli 2010
};

/// Options of heat transfer, the same for all materials.
struct HeatOptions
{
  HeatModel model = HeatModel::None;
  ContactAreaModel area = ContactAreaModel::ContactRadius;
  ModulusCorrection correction = ModulusCorrection::EqualForce;
  bool dissipation = false; ///< energy dissipated by a contact heats its grains, half to each side
  double interval = 0;      ///< s between two steps of the temperatures, >= 0; 0 = automatic
  double gas_conductivity = 0;      ///< W/m/K of the gas between the grains, >= 0; 0 = no gas
  double temperature_jump = 3.7e-7; ///< m, > 0: M, added to each gap of the gas
  double surface_roughness = 0;     ///< m, root mean square of both surfaces, >= 0; 0 = smooth
  double surface_slope = 0.1;       ///< mean slope of the roughness of both surfaces, > 0
  double microhardness = 3e9;       ///< Pa, of the softer surface, > 0

  bool on() const { return model != HeatModel::None; }
  /// Contacts conduct through more than the disk in which smooth surfaces touch.
  bool hasGaps() const { return on() && (gas_conductivity > 0 || surface_roughness > 0); }
};

} // namespace dem
