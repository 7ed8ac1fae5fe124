#include "vtkSMDEMFieldsInitializationHelper.h"

#include "vtkDataObject.h"
#include "vtkObjectFactory.h"
#include "vtkPVDataInformation.h"
#include "vtkPVXMLElement.h"
#include "vtkSMPVRepresentationProxy.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"

#include <string>

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkSMDEMFieldsInitializationHelper);

//------------------------------------------------------------------------------
vtkSMDEMFieldsInitializationHelper::vtkSMDEMFieldsInitializationHelper() = default;

//------------------------------------------------------------------------------
vtkSMDEMFieldsInitializationHelper::~vtkSMDEMFieldsInitializationHelper() = default;

//------------------------------------------------------------------------------
void vtkSMDEMFieldsInitializationHelper::PostInitializeProxy(vtkSMProxy* proxy,
  vtkPVXMLElement* vtkNotUsed(xml), vtkMTimeType vtkNotUsed(initializationTimeStamp))
{
  vtkSMPropertyHelper input(proxy, "Input", /*quiet=*/true);
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  vtkPVXMLElement* hints = source ? source->GetHints() : nullptr;
  if (!hints)
  {
    return;
  }
  const int port = static_cast<int>(input.GetOutputPort());
  for (unsigned int i = 0; i < hints->GetNumberOfNestedElements(); ++i)
  {
    vtkPVXMLElement* hint = hints->GetNestedElement(i);
    const std::string name = hint->GetName();
    int ofPort = 0;
    if (!hint->GetScalarAttribute("port", &ofPort) || ofPort != port)
    {
      continue;
    }
    if (name != "DEMFields" ||
      !source->GetDataInformation(static_cast<unsigned int>(port))->DataSetTypeIsA("vtkImageData"))
    {
      continue;
    }
    const char* array = hint->GetAttributeOrEmpty("array");
    const std::string attribute = hint->GetAttributeOrDefault("attribute", "cell");
    vtkSMPVRepresentationProxy::SetScalarColoring(
      proxy, array, attribute == "point" ? vtkDataObject::POINT : vtkDataObject::CELL);
    vtkSMPropertyHelper(proxy, "Representation").Set("DEM Slices");
    proxy->UpdateVTKObjects();
    return;
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMFieldsInitializationHelper::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
