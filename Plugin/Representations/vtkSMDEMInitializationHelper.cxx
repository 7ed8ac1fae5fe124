#include "vtkSMDEMInitializationHelper.h"

#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVXMLElement.h"
#include "vtkSMDEMFirstLook.h"
#include "vtkSMDEMLegends.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMTransferFunctionManager.h"

#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace
{

//------------------------------------------------------------------------------
std::set<std::string> Words(const char* text)
{
  std::istringstream words(text);
  return { std::istream_iterator<std::string>(words), std::istream_iterator<std::string>() };
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
  auto* source = vtkSMSourceProxy::SafeDownCast(proxy);
  if (!manager || !source)
  {
    return;
  }
  vtkSMDEMLegends::WatchSession(manager);
  const auto growing = Words(xml->GetAttributeOrEmpty("arrays"));
  const auto sizes = Words(xml->GetAttributeOrEmpty("sizes"));
  auto names = growing;
  names.insert(sizes.begin(), sizes.end());
  vtkNew<vtkSMTransferFunctionManager> transferFunctions;
  for (const std::string& name : names)
  {
    // A map that is there already belongs to the user.
    if (manager->GetProxy("lookup_tables", (name + ".PVLookupTable").c_str()))
    {
      continue;
    }
    vtkSMProxy* map = transferFunctions->GetColorTransferFunction(name.c_str(), manager);
    if (map && sizes.count(name))
    {
      vtkSMDEMFirstLook::SetSequentialColors(map);
    }
    if (map && growing.count(name))
    {
      vtkSMPropertyHelper(map, "AutomaticRescaleRangeMode")
        .Set(vtkSMTransferFunctionManager::GROW_ON_APPLY_AND_TIMESTEP);
      map->UpdateVTKObjects();
      vtkSMDEMFirstLook::WatchColors(map, source, name);
    }
  }
  if (std::string(xml->GetAttributeOrEmpty("camera")) == "side")
  {
    vtkSMDEMFirstLook::WatchCamera(source);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMInitializationHelper::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
