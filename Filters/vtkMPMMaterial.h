/**
 * @class   vtkMPMMaterial
 * @brief   material of an MPM simulation
 *
 * A constitutive law and its parameters. Each parameter names the laws that use it. Angles are in
 * degrees.
 */

#ifndef vtkMPMMaterial_h
#define vtkMPMMaterial_h

#include "vtkObject.h"
#include "vtkParaGrainFiltersModule.h" // for export macro

namespace mpm
{
struct Material;
}

class VTKPARAGRAINFILTERS_EXPORT vtkMPMMaterial : public vtkObject
{
public:
  static vtkMPMMaterial* New();
  vtkTypeMacro(vtkMPMMaterial, vtkObject);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Constitutive law: 0 = Corotated, 1 = Fixed Corotated (default), 2 = Neo-Hookean, 3 =
   * Drucker-Prager, 4 = Von Mises, 5 = Fluid, 6 = Linear Elastic, 7 = St. Venant-Kirchhoff.
   */
  vtkSetMacro(Law, int);
  vtkGetMacro(Law, int);
  ///@}

  ///@{
  /**
   * Density at rest in kg/m^3; default 1000, > 0. All laws.
   */
  vtkSetMacro(Density, double);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * Young's modulus in Pa; default 1e5, > 0. All laws but Fluid.
   */
  vtkSetMacro(YoungsModulus, double);
  vtkGetMacro(YoungsModulus, double);
  ///@}

  ///@{
  /**
   * Poisson's ratio, without unit; default 0.3, in [0, 0.4999]. All laws but Fluid.
   */
  vtkSetMacro(PoissonsRatio, double);
  vtkGetMacro(PoissonsRatio, double);
  ///@}

  ///@{
  /**
   * Internal friction angle in degrees; default 30, in [0, 90). Drucker-Prager.
   */
  vtkSetMacro(FrictionAngle, double);
  vtkGetMacro(FrictionAngle, double);
  ///@}

  ///@{
  /**
   * Yield surface of sand: 0 = Mohr-Coulomb (default), 1 = Plane Strain Cone, 2 = Compression Cone
   * (mpm::SandYield). Drucker-Prager.
   */
  vtkSetMacro(YieldSurface, int);
  vtkGetMacro(YieldSurface, int);
  ///@}

  ///@{
  /**
   * Yield shear stress at zero pressure in Pa; default 0, >= 0. Drucker-Prager.
   */
  vtkSetMacro(Cohesion, double);
  vtkGetMacro(Cohesion, double);
  ///@}

  ///@{
  /**
   * Grain diameter in m, for friction that increases with the shear rate; default 0 = friction
   * independent of the rate, >= 0. Drucker-Prager.
   */
  vtkSetMacro(GrainDiameter, double);
  vtkGetMacro(GrainDiameter, double);
  ///@}

  ///@{
  /**
   * Friction angle in the limit of fast flow in degrees; default 45, in [FrictionAngle, 90).
   * Drucker-Prager with GrainDiameter > 0.
   */
  vtkSetMacro(FastFrictionAngle, double);
  vtkGetMacro(FastFrictionAngle, double);
  ///@}

  ///@{
  /**
   * Inertial number at which friction has increased halfway, without unit; default 0.279, > 0.
   * Drucker-Prager with GrainDiameter > 0.
   */
  vtkSetMacro(InertialNumber, double);
  vtkGetMacro(InertialNumber, double);
  ///@}

  ///@{
  /**
   * Uniaxial yield stress in Pa; default 1e4, > 0. Von Mises.
   */
  vtkSetMacro(YieldStress, double);
  vtkGetMacro(YieldStress, double);
  ///@}

  ///@{
  /**
   * Increase of the yield stress per plastic strain in Pa; default 0, >= 0. Von Mises.
   */
  vtkSetMacro(HardeningModulus, double);
  vtkGetMacro(HardeningModulus, double);
  ///@}

  ///@{
  /**
   * Bulk modulus in Pa; default 1e5, > 0. Fluid.
   */
  vtkSetMacro(BulkModulus, double);
  vtkGetMacro(BulkModulus, double);
  ///@}

  ///@{
  /**
   * Exponent of the equation of state, without unit; default 7, >= 1. Fluid.
   */
  vtkSetMacro(Gamma, double);
  vtkGetMacro(Gamma, double);
  ///@}

  ///@{
  /**
   * Dynamic viscosity in Pa s; default 0, >= 0. Fluid.
   */
  vtkSetMacro(Viscosity, double);
  vtkGetMacro(Viscosity, double);
  ///@}

  /**
   * Writes the law and its parameters. Throws dem::Error for an unknown law.
   */
  void Fill(mpm::Material& material) const;

protected:
  vtkMPMMaterial();
  ~vtkMPMMaterial() override;

  int Law = 1;
  double Density = 1000;
  double YoungsModulus = 1e5;
  double PoissonsRatio = 0.3;
  double FrictionAngle = 30;
  int YieldSurface = 0;
  double Cohesion = 0;
  double GrainDiameter = 0;
  double FastFrictionAngle = 45;
  double InertialNumber = 0.279;
  double YieldStress = 1e4;
  double HardeningModulus = 0;
  double BulkModulus = 1e5;
  double Gamma = 7;
  double Viscosity = 0;

private:
  vtkMPMMaterial(const vtkMPMMaterial&) = delete;
  void operator=(const vtkMPMMaterial&) = delete;
};

#endif
