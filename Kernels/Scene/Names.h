// Names of the enumerations of a scene in files, panels and messages, in the order of the
// enumerations. Names of the broad phase, the neighbour list, the integrator and walls are defined
// next to their enumerations.
#pragma once

#include "Scene/Scene.h"

namespace dem
{

inline constexpr const char* kNormalLawNames[] = { "Hertz-Mindlin", "Linear Spring-Dashpot" };
inline constexpr const char* kFrictionLimitNames[] = { "Total", "Elastic" };
inline constexpr const char* kTangentialDampingNames[] = { "Mindlin", "Equal To Normal", "None" };
inline constexpr const char* kRollingModelNames[] = { "None", "CDT", "EPSD" };
inline constexpr const char* kCohesionModelNames[] = { "None", "JKR" };
inline constexpr const char* kHeatModelNames[] = { "None", "Conduction" };
inline constexpr const char* kContactAreaModelNames[] = { "Contact Radius", "Lens" };
inline constexpr const char* kFluidModelNames[] = { "None", "Given Field", "Volume-Averaged Flow" };
inline constexpr const char* kFluidBorderNames[] = { "Wall", "Slip", "Inlet", "Outlet" };
/// Keys of the six borders of a computed flow in a .dem file, in their order.
inline constexpr const char* kBorderKeys[] = { "x_min", "x_max", "y_min", "y_max", "z_min",
  "z_max" };
inline constexpr const char* kInletProfileNames[] = { "Uniform", "Parabolic" };
inline constexpr const char* kFluidEquationsNames[] = { "Model A", "Model B" };
inline constexpr const char* kDragLawNames[] = { "Koch-Hill", "Di Felice", "Gidaspow", "Beetstra",
  "Schiller-Naumann", "Stokes" };
inline constexpr const char* kModulusCorrectionNames[] = { "Equal Force", "Equal Impact" };
inline constexpr const char* kExitNames[] = { "Wall", "Remove", "Periodic" };
inline constexpr const char* kPrecisionNames[] = { "Mixed", "Double" };

inline const char* name(NormalLaw law) { return kNormalLawNames[static_cast<int>(law)]; }
inline const char* name(RollingModel model) { return kRollingModelNames[static_cast<int>(model)]; }
inline const char* name(CohesionModel model)
{
  return kCohesionModelNames[static_cast<int>(model)];
}
inline const char* name(Exit exit) { return kExitNames[static_cast<int>(exit)]; }
inline const char* name(BroadPhaseKind kind) { return kBroadPhaseNames[static_cast<int>(kind)]; }
inline const char* name(NeighborListKind kind)
{
  return kNeighborListNames[static_cast<int>(kind)];
}

} // namespace dem
