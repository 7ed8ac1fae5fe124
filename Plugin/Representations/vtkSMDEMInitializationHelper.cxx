#include "vtkSMDEMInitializationHelper.h"

#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVXMLElement.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMTransferFunctionManager.h"

#include <sstream>
#include <string>

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkSMDEMInitializationHelper);

//------------------------------------------------------------------------------
vtkSMDEMInitializationHelper::vtkSMDEMInitializationHelper() = default;

//------------------------------------------------------------------------------
vtkSMDEMInitializationHelper::~vtkSMDEMInitializationHelper() = default;

//------------------------------------------------------------------------------
void vtkSMDEMInitializationHelper::PostInitializeProxy(
  vtkSMProxy* proxy, vtkPVXMLElement* xml, vtkMTimeType vtkNotUsed(initializationTimeStamp))
{
  vtkSMSessionProxyManager* manager = proxy->GetSessionProxyManager();
  const char* arrays = xml->GetAttribute("arrays");
  if (!manager || !arrays)
  {
    return;
  }
  std::istringstream names(arrays);
  std::string name;
  while (names >> name)
  {
    // A map that is there already belongs to the user.
    if (manager->GetProxy("lookup_tables", (name + ".PVLookupTable").c_str()))
    {
      continue;
    }
    vtkNew<vtkSMTransferFunctionManager> transferFunctions;
    if (vtkSMProxy* map = transferFunctions->GetColorTransferFunction(name.c_str(), manager))
    {
      vtkSMPropertyHelper(map, "AutomaticRescaleRangeMode")
        .Set(vtkSMTransferFunctionManager::GROW_ON_APPLY_AND_TIMESTEP);
      map->UpdateVTKObjects();
    }
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMInitializationHelper::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
