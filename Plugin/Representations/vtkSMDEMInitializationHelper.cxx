#include "vtkSMDEMInitializationHelper.h"

#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVXMLElement.h"
#include "vtkSMDEMColoring.h"
#include "vtkSMDEMFirstLook.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMTransferFunctionManager.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace
{

//------------------------------------------------------------------------------
std::set<std::string> Words(const char* text)
{
  std::istringstream words(text);
  return { std::istream_iterator<std::string>(words), std::istream_iterator<std::string>() };
}

//------------------------------------------------------------------------------
// Sets an integer property to the values that the server suggests for the input. Keeps values that
// were set after `initializationTime`.
void Suggest(vtkSMSourceProxy* source, const std::string& name, vtkMTimeType initializationTime)
{
  vtkSMProperty* property = source->GetProperty(name.c_str());
  vtkSMProperty* suggested = source->GetProperty(("Suggested" + name).c_str());
  if (!property || !suggested || property->GetMTime() > initializationTime ||
    !property->IsValueDefault())
  {
    return;
  }
  source->UpdatePropertyInformation(suggested);
  const std::vector<int> values = vtkSMPropertyHelper(suggested).GetIntArray();
  if (std::all_of(values.begin(), values.end(), [](int value) { return value > 0; }))
  {
    vtkSMPropertyHelper(property).Set(values.data(), static_cast<unsigned int>(values.size()));
    source->UpdateVTKObjects();
  }
}

//------------------------------------------------------------------------------
// Gives the map a colour for each value, unless the user has already set colours for values.
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
  vtkSMProxy* proxy, vtkPVXMLElement* xml, vtkMTimeType initializationTimeStamp)
{
  vtkSMSessionProxyManager* manager = proxy->GetSessionProxyManager();
  auto* source = vtkSMSourceProxy::SafeDownCast(proxy);
  if (!manager || !source)
  {
    return;
  }
  vtkSMDEMColoring::WatchSession(manager);
  const auto growing = Words(xml->GetAttributeOrEmpty("arrays"));
  const auto sizes = Words(xml->GetAttributeOrEmpty("sizes"));
  auto names = growing;
  names.insert(sizes.begin(), sizes.end());
  vtkNew<vtkSMTransferFunctionManager> transferFunctions;
  for (const std::string& name : Words(xml->GetAttributeOrEmpty("categories")))
  {
    if (vtkSMProxy* map = transferFunctions->GetColorTransferFunction(name.c_str(), manager))
    {
      MakeCategorical(map);
    }
  }
  for (const std::string& name : names)
  {
    // An existing map belongs to the user.
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
  if (vtkSMDEMFirstLook::HasWindow(
        source)) // results of scripts must not depend on what they have shown
  {
    for (const std::string& wanted : Words(xml->GetAttributeOrEmpty("suggests")))
    {
      Suggest(source, wanted, initializationTimeStamp);
    }
  }
  vtkSMDEMFirstLook::WatchFirstPicture(source,
    std::string(xml->GetAttributeOrEmpty("camera")) == "side",
    Words(xml->GetAttributeOrEmpty("replaces")));
}

//------------------------------------------------------------------------------
void vtkSMDEMInitializationHelper::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
