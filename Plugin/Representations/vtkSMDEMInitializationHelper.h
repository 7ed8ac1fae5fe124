/**
 * @class   vtkSMDEMInitializationHelper
 * @brief   makes the colours of a simulation follow its time
 *
 * At the start all grains are at rest, and a colour map that is fitted to that shows one colour
 * ever after. Where the session has no colour map for an array yet, its range is made to grow with
 * every time step, from 0.001 of the array's unit on where all is at rest. The XML hint lists the arrays:
 * `<InitializationHelper class="vtkSMDEMInitializationHelper" arrays="Velocity NormalForce"/>`.
 * The arrays listed as `categories` get a categorical map; vtkSMDEMRunProxy names its values.
 */

#ifndef vtkSMDEMInitializationHelper_h
#define vtkSMDEMInitializationHelper_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSMProxyInitializationHelper.h"

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMInitializationHelper
  : public vtkSMProxyInitializationHelper
{
public:
  static vtkSMDEMInitializationHelper* New();
  vtkTypeMacro(vtkSMDEMInitializationHelper, vtkSMProxyInitializationHelper);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void PostInitializeProxy(
    vtkSMProxy* proxy, vtkPVXMLElement* xml, vtkMTimeType initializationTimeStamp) override;

protected:
  vtkSMDEMInitializationHelper();
  ~vtkSMDEMInitializationHelper() override;

private:
  vtkSMDEMInitializationHelper(const vtkSMDEMInitializationHelper&) = delete;
  void operator=(const vtkSMDEMInitializationHelper&) = delete;
};

#endif
