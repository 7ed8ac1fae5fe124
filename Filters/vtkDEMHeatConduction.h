/**
 * @class   vtkDEMHeatConduction
 * @brief   conduction through contacts
 *
 * Two grains that touch exchange Q = 4 k1 k2 / (k1 + k2) a (T2 - T1), where k is
 * ThermalConductivity and a the radius of the contact (Batchelor and O'Brien 1977); so do a grain
 * and a wall of given temperature. With GasConductivity heat also flows through the gas around a
 * contact. m c dT/dt is the sum of these flows, where c is HeatCapacity.
 */

#ifndef vtkDEMHeatConduction_h
#define vtkDEMHeatConduction_h

#include "vtkDEMHeatModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMHeatConduction : public vtkDEMHeatModel
{
public:
  static vtkDEMHeatConduction* New();
  vtkTypeMacro(vtkDEMHeatConduction, vtkDEMHeatModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Size of a contact: 0 = Contact Radius (default), 1 = Lens, the root of the area of the
   * overlap's lens, which is sqrt(2 pi) times as much.
   */
  vtkSetMacro(AreaModel, int);
  vtkGetMacro(AreaModel, int);
  ///@}

  ///@{
  /**
   * Correction of the contact radius where TrueYoungsModulus differs from YoungsModulus: 0 = Equal
   * Force (default), (E* / E*true)^(1/3); 1 = Equal Impact, (E* / E*true)^(1/5).
   */
  vtkSetMacro(ModulusCorrection, int);
  vtkGetMacro(ModulusCorrection, int);
  ///@}

  ///@{
  /**
   * The energy that a contact dissipates heats its grains, half to each side; default off. The half
   * of a wall leaves the grains.
   */
  vtkSetMacro(DissipationHeating, bool);
  vtkGetMacro(DissipationHeating, bool);
  ///@}

  ///@{
  /**
   * Time between two steps of the temperatures in s; default 0 = automatic, >= 0.
   */
  vtkSetMacro(ThermalInterval, double);
  vtkGetMacro(ThermalInterval, double);
  ///@}

  ///@{
  /**
   * Thermal conductivity of the gas between the grains in W/m/K; default 0 = no gas, >= 0. Heat
   * then also flows through the gas around each contact. Spheres and clumps only.
   */
  vtkSetMacro(GasConductivity, double);
  vtkGetMacro(GasConductivity, double);
  ///@}

  ///@{
  /**
   * Length that is added to each gap, in m, because the temperature of the gas jumps at both
   * surfaces; default 3.7e-7 (air of 1 bar at surfaces of accommodation 0.7), > 0. It has an effect
   * only if GasConductivity is above 0.
   */
  vtkSetMacro(TemperatureJump, double);
  vtkGetMacro(TemperatureJump, double);
  ///@}

  ///@{
  /**
   * Root mean square of the roughness of both surfaces of a contact, sqrt(s1^2 + s2^2), in m;
   * default 0 = smooth, >= 0. Hertz-Mindlin without cohesion only.
   */
  vtkSetMacro(SurfaceRoughness, double);
  vtkGetMacro(SurfaceRoughness, double);
  ///@}

  ///@{
  /**
   * Mean slope of the roughness of both surfaces, sqrt(m1^2 + m2^2); default 0.1, > 0. It has an
   * effect only if SurfaceRoughness is above 0.
   */
  vtkSetMacro(SurfaceSlope, double);
  vtkGetMacro(SurfaceSlope, double);
  ///@}

  ///@{
  /**
   * Microhardness of the softer surface in Pa; default 3e9, > 0. It has an effect only if
   * SurfaceRoughness is above 0.
   */
  vtkSetMacro(Microhardness, double);
  vtkGetMacro(Microhardness, double);
  ///@}

  void Fill(dem::HeatOptions& options) override;

protected:
  vtkDEMHeatConduction();
  ~vtkDEMHeatConduction() override;

  int AreaModel = 0;
  int ModulusCorrection = 0;
  bool DissipationHeating = false;
  double ThermalInterval = 0;
  double GasConductivity = 0;
  double TemperatureJump = 3.7e-7;
  double SurfaceRoughness = 0;
  double SurfaceSlope = 0.1;
  double Microhardness = 3e9;

private:
  vtkDEMHeatConduction(const vtkDEMHeatConduction&) = delete;
  void operator=(const vtkDEMHeatConduction&) = delete;
};

#endif
