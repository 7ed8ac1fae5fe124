/**
 * @class   vtkSMDEMInitializationHelper
 * @brief   how the results of a proxy look before its user has chosen anything
 *
 * The attributes of the XML hint, all optional (colour maps that are there already belong to the
 * user):
 * - `arrays="Velocity"`: the colour ranges of these grow with every time step, since at the start
 * all grains are at rest; see vtkSMDEMFirstLook::WatchColors.
 * - `sizes="Velocity"`: these start with a sequential colour map, for quantities with 0 as their
 * least value.
 * - `categories="Material"`: these get a categorical map; vtkSMDEMRunProxy names its values.
 * - `camera="side"` and `replaces="DEMCellAverage"`: see vtkSMDEMFirstLook::WatchFirstPicture.
 * - `suggests="Dimensions"`: in the window, a property that is still at its default takes the
 * values of the information property SuggestedDimensions, unless one of these is 0.
 * - `units="SI"` or `"unknown"`: see vtkSMDEMColoring.
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
