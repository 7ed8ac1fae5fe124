/**
 * @class   vtkSMDEMFieldsInitializationHelper
 * @brief   shows averaged fields as coloured slices instead of the outline of their grid
 *
 * ParaView shows an image as its outline. Where the source has the hint
 * `<DEMFields port="0" array="SolidFraction" attribute="cell"/>` for the port that is shown, a new
 * representation of an image starts as `DEM Slices`, coloured by that array. Representations of other images stay as they are.
 */

#ifndef vtkSMDEMFieldsInitializationHelper_h
#define vtkSMDEMFieldsInitializationHelper_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSMProxyInitializationHelper.h"

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMFieldsInitializationHelper
  : public vtkSMProxyInitializationHelper
{
public:
  static vtkSMDEMFieldsInitializationHelper* New();
  vtkTypeMacro(vtkSMDEMFieldsInitializationHelper, vtkSMProxyInitializationHelper);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void PostInitializeProxy(
    vtkSMProxy* proxy, vtkPVXMLElement* xml, vtkMTimeType initializationTimeStamp) override;

protected:
  vtkSMDEMFieldsInitializationHelper();
  ~vtkSMDEMFieldsInitializationHelper() override;

private:
  vtkSMDEMFieldsInitializationHelper(const vtkSMDEMFieldsInitializationHelper&) = delete;
  void operator=(const vtkSMDEMFieldsInitializationHelper&) = delete;
};

#endif
