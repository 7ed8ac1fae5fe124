/**
 * @class   vtkDEMRollingEPSD
 * @brief   elastic-plastic spring-dashpot
 *
 * A rolling spring with the limit mu_r R* |Fn| and viscous damping below the limit (Ai, Chen,
 * Rotter, Ooi 2011, model C). Grains can come to rest.
 */

#ifndef vtkDEMRollingEPSD_h
#define vtkDEMRollingEPSD_h

#include "vtkDEMRollingModel.h"

class VTKPARAGRAINFILTERS_EXPORT vtkDEMRollingEPSD : public vtkDEMRollingModel
{
public:
  static vtkDEMRollingEPSD* New();
  vtkTypeMacro(vtkDEMRollingEPSD, vtkDEMRollingModel);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Fraction of the critical rolling damping, without unit; default 0.3, >= 0.
   */
  vtkSetMacro(RollingDamping, double);
  vtkGetMacro(RollingDamping, double);
  ///@}

  void Fill(dem::ContactModel& model) override;

protected:
  vtkDEMRollingEPSD();
  ~vtkDEMRollingEPSD() override;

  double RollingDamping = 0.3;

private:
  vtkDEMRollingEPSD(const vtkDEMRollingEPSD&) = delete;
  void operator=(const vtkDEMRollingEPSD&) = delete;
};

#endif
