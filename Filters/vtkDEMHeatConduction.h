/**
 * @class   vtkDEMHeatConduction
 * @brief   conduction through contacts
 *
 * Two grains that touch exchange Q = 4 k1 k2 / (k1 + k2) a (T2 - T1), where k is
 * ThermalConductivity and a the radius of the contact (Batchelor and O'Brien 1977); so do a grain
 * and a wall of given temperature. m c dT/dt is the sum of these flows, where c is HeatCapacity.
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

  void Fill(dem::HeatOptions& options) override;

protected:
  vtkDEMHeatConduction();
  ~vtkDEMHeatConduction() override;

  int AreaModel = 0;
  int ModulusCorrection = 0;
  bool DissipationHeating = false;
  double ThermalInterval = 0;

private:
  vtkDEMHeatConduction(const vtkDEMHeatConduction&) = delete;
  void operator=(const vtkDEMHeatConduction&) = delete;
};

#endif
