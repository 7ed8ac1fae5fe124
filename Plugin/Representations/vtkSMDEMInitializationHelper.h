/**
 * @class   vtkSMDEMInitializationHelper
 * @brief   initial look of the results of a proxy
 *
 * Attributes of the XML hint, all optional. Existing colour maps belong to the user and are not
 * changed:
 * - `arrays="Velocity"`: the colour ranges of these arrays grow with every time step, since all
 * grains are at rest at the start; see vtkSMDEMFirstLook::WatchColors.
 * - `sizes="Velocity"`: these arrays start with a sequential colour map, for quantities with 0 as
 * their least value.
 * - `categories="Material"`: these arrays get a categorical colour map; vtkSMDEMMaterials names its
 * values.
 * - `camera="side"` and `replaces="DEMCellAverage"`: see vtkSMDEMFirstLook::WatchFirstPicture.
 * - `suggests="Dimensions"`: in a window, a property that still has its default gets the values of
 * the information property SuggestedDimensions, unless one of these is 0.
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
