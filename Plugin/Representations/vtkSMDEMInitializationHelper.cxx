#include "vtkSMDEMInitializationHelper.h"

#include "vtkCallbackCommand.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVXMLElement.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMTransferFunctionManager.h"
#include "vtkSMTransferFunctionProxy.h"

#include <sstream>
#include <string>

namespace
{

// A range that ParaView fitted to nothing but zeros ends at the least number above 0, which makes an odd legend.
constexpr double LeastRange = 1e-3;

//------------------------------------------------------------------------------
void WidenRange(vtkObject* changed, unsigned long, void*, void* what)
{
  auto* map = vtkSMProxy::SafeDownCast(changed);
  const char* name = static_cast<const char*>(what);
  double range[2];
  if (map && name && std::string(name) == "RGBPoints" &&
    vtkSMTransferFunctionProxy::GetRange(map, range) && range[0] == 0 && range[1] > 0 && range[1] < 1e-30)
  {
    vtkSMTransferFunctionProxy::RescaleTransferFunction(map, 0, LeastRange);
  }
}

//------------------------------------------------------------------------------
// A colour for each value, unless the user has given the map colours for values already.
void MakeCategorical(vtkSMProxy* map)
{
  if (vtkSMPropertyHelper(map, "Annotations").GetNumberOfElements() == 0)
  {
    vtkSMPropertyHelper(map, "IndexedLookup").Set(1);
    vtkSMPropertyHelper(map, "AnnotationsInitialized").Set(1);
    map->UpdateVTKObjects();
  }
}

} // namespace

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
  if (!manager)
  {
    return;
  }
  std::string name;
  std::istringstream categories(xml->GetAttributeOrEmpty("categories"));
  while (categories >> name)
  {
    vtkNew<vtkSMTransferFunctionManager> transferFunctions;
    if (vtkSMProxy* map = transferFunctions->GetColorTransferFunction(name.c_str(), manager))
    {
      MakeCategorical(map);
    }
  }
  std::istringstream names(xml->GetAttributeOrEmpty("arrays"));
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
      vtkNew<vtkCallbackCommand> widen;
      widen->SetCallback(WidenRange);
      map->AddObserver(vtkCommand::PropertyModifiedEvent, widen);
    }
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMInitializationHelper::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
