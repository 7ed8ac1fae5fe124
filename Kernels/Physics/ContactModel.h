// Materials and options of the contact law in a scene. Plain data in SI units; Scene holds them,
// and LawFromScene.h converts them for kernels.
#pragma once

#include <optional>
#include <string>

namespace dem
{

/// A bulk material with the coefficients of a contact with itself.
struct Material
{
  std::string name = "Grain";
  double youngs_modulus = 1e7;   ///< Pa, > 0
  double poissons_ratio = 0.3;   ///< -, in (-1, 0.5]
  double density = 2500;         ///< kg/m^3, > 0
  double restitution = 0.5;      ///< -, in (0, 1]
  double friction = 0.5;         ///< -, >= 0
  double rolling_friction = 0.0; ///< -, >= 0; used by a rolling model only
  /// J/m^2, >= 0; used by a cohesion model only. Two spheres of this material separate at the force
  /// 3 pi gamma R*; 2 gamma is the work of adhesion. Below 1e-20 m E* it acts as 0.
  double surface_energy = 0.0;
  double heat_capacity = 800;      ///< J/kg/K, > 0; used by heat transfer only
  double thermal_conductivity = 1; ///< W/m/K, > 0; used by heat transfer only
  /// Pa, > 0, or 0 for `youngs_modulus`. Heat transfer corrects the size of contacts with it, if
  /// `youngs_modulus` is smaller than that of the material.
  double true_youngs_modulus = 0;
};

/// Coefficients of a contact between two different materials. A missing value is combined from both
/// materials. If one of them belongs to walls only, its restitution and friction are used, since
/// they describe the contact of a grain with that wall. Otherwise it is the geometric mean; that of
/// the surface energy always is.
struct MaterialPair
{
  int first = 0, second = 0; ///< indices into Scene::materials
  std::optional<double> restitution{}, friction{}, rolling_friction{}, surface_energy{};
};

/// Model of the normal force (Physics/Normal/).
enum class NormalLaw
{
  HertzMindlin,
  LinearSpringDashpot
};
/// The Coulomb limit of the tangential force.
enum class FrictionLimit
{
  Total,  ///< mu |Fn|
  Elastic ///< mu times the elastic part of Fn
};
/// Tangential dashpot relative to the normal one: sqrt(kt / kn), 1 or 0.
enum class TangentialDamping
{
  Mindlin,
  EqualToNormal,
  None
};
/// Model of the rolling resistance (Physics/Rolling/).
enum class RollingModel
{
  None,
  /// constant directional torque, Ai et al. 2011 model A; on a slope grains creep at up to about
  /// 5/2 mu_r g dt
  CDT,
  EPSD ///< elastic-plastic spring-dashpot, Ai et al. 2011 model C
};

/// Model of the force that pulls grains together (Physics/Cohesion/).
enum class CohesionModel
{
  None,
  JKR ///< elastic spheres with surface energy, Johnson, Kendall, Roberts 1971; Hertz-Mindlin only
};

/// Options of the contact law, the same for all materials.
struct ContactModel
{
  NormalLaw law = NormalLaw::HertzMindlin;
  bool tangential_history = true;
  FrictionLimit friction_limit = FrictionLimit::Total;
  TangentialDamping tangential_damping = TangentialDamping::Mindlin;
  bool clamp_normal_force = false;
  RollingModel rolling = RollingModel::None;
  double rolling_damping = 0.3; ///< EPSD: fraction of the critical damping, >= 0
  CohesionModel cohesion = CohesionModel::None;
  // Linear spring-dashpot only: a collision time, or a stiffness when `normal_stiffness` > 0.
  double collision_time = 1e-3;    ///< s, > 0, the same for all pairs
  double normal_stiffness = 0;     ///< N/m
  double stiffness_ratio = 2. / 7; ///< kt / kn, >= 0
};

} // namespace dem
