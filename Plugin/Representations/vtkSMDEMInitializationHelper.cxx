#include "vtkSMDEMInitializationHelper.h"

#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVXMLElement.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMTransferFunctionManager.h"
#include "vtkSMTransferFunctionProxy.h"

#include <cmath>
#include <sstream>
#include <string>

namespace
{

//------------------------------------------------------------------------------
// What falls freely is this fast at the first output, in m/s: a range to begin with. Fitted to
// grains at rest, the map would end at the smallest number there is.
double FirstSpeed(vtkSMProxy* run)
{
  constexpr double fallback = 0.1; // without gravity, or where a file says it
  if (!run->GetProperty("Gravity") || !run->GetProperty("OutputInterval"))
  {
    return fallback;
  }
  double square = 0;
  for (const double g : vtkSMPropertyHelper(run, "Gravity").GetDoubleArray())
  {
    square += g * g;
  }
  const double speed = std::sqrt(square) * vtkSMPropertyHelper(run, "OutputInterval").GetAsDouble();
  return speed > 0 && std::isfinite(speed) ? speed : fallback;
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
      if (name == "Velocity")
      {
        vtkSMTransferFunctionProxy::RescaleTransferFunction(map, 0, FirstSpeed(proxy));
      }
    }
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMInitializationHelper::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
