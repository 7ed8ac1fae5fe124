/**
 * @class   vtkSMDEMFieldsInitializationHelper
 * @brief   initial look of averaged fields as coloured slices, and of tables as chosen lines of a
 * chart
 *
 * ParaView shows an image as its outline. If the source has the hint `<DEMFields port="0"
 * array="SolidFraction" attribute="cell"/>` for the port that is shown, a new representation of an
 * image starts as `DEM Slices`, coloured by that array. In a chart it shows all columns. With
 * `<DEMSeries port="3" x="Time" series="KineticEnergy RotationalEnergy" unit="J"/>` it starts with
 * these columns over x, and their names in the legend end in the unit. Other sources are not
 * affected.
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
