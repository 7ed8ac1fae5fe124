#include "vtkSMDEMColoring.h"

#include "vtkSMDEMMaterials.h"

#include "vtkCommand.h"
#include "vtkNew.h"
#include "vtkPVXMLElement.h"
#include "vtkSMArrayListDomain.h"
#include "vtkSMInputArrayDomain.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxy.h"
#include "vtkSMProxyManager.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSmartPointer.h"
#include "vtkWeakPointer.h"

#include <cstring>
#include <map>
#include <set>
#include <string>

namespace
{

//------------------------------------------------------------------------------
const char* UnitOf(const std::string& array)
{
  static const std::map<std::string, const char*> units = {
    { "Age", "s" },
    { "AngularVelocity", "rad/s" },
    { "CoatingMass", "kg" },
    { "CoatingPatchMass", "kg" },
    { "CohesiveForce", "N" },
    { "ContactPoint", "m" },
    { "ContactStress", "Pa" },
    { "DissipatedEnergy", "J" },
    { "FluidForce", "N" },
    { "Force", "N" },
    { "GranularTemperature", "m²/s²" },
    { "Heat", "J" },
    { "HeatFlow", "W" },
    { "HeatFlux", "W/m²" },
    { "KineticStress", "Pa" },
    { "Load", "Pa" },
    { "Mass", "kg" },
    { "MassDensity", "kg/m³" },
    { "MeanForce", "N" },
    { "MomentumDensity", "kg/(m² s)" },
    { "NormalForce", "N" },
    { "NormalForceMagnitude", "N" },
    { "NumberDensity", "1/m³" },
    { "Overlap", "m" },
    { "Pressure", "Pa" },
    { "Radius", "m" },
    { "ShearStress", "Pa" },
    { "SlipDistance", "m" },
    { "SprayTime", "s" },
    { "Stress", "Pa" },
    { "TangentialForce", "N" },
    { "TangentialForceMagnitude", "N" },
    { "Temperature", "K" },
    { "Torque", "N m" },
    { "Velocity", "m/s" },
    { "Volume", "m³" },
    { "VonMises", "Pa" },
    { "WallForceDensity", "N/m³" },
  };
  const auto found = units.find(array);
  return found == units.end() ? nullptr : found->second;
}

//------------------------------------------------------------------------------
// Units according to the hints of the proxy and of all proxies upstream.
void AddUnits(vtkSMProxy* proxy, std::set<vtkSMProxy*>& seen, std::set<std::string>& units)
{
  if (!proxy || !seen.insert(proxy).second)
  {
    return;
  }
  vtkPVXMLElement* hints = proxy->GetHints();
  for (unsigned int i = 0; hints && i < hints->GetNumberOfNestedElements(); ++i)
  {
    vtkPVXMLElement* hint = hints->GetNestedElement(i);
    if (!std::strcmp(hint->GetName(), "InitializationHelper") && hint->GetAttribute("units"))
    {
      units.insert(hint->GetAttribute("units"));
    }
  }
  for (unsigned int i = 0; i < proxy->GetNumberOfProducers(); ++i)
  {
    AddUnits(proxy->GetProducerProxy(i), seen, units);
  }
}

//------------------------------------------------------------------------------
std::set<std::string> UnitsOfInput(vtkSMProxy* representation)
{
  std::set<std::string> units;
  std::set<vtkSMProxy*> seen;
  if (representation && representation->GetProperty("Input"))
  {
    AddUnits(vtkSMPropertyHelper(representation, "Input").GetAsProxy(), seen, units);
  }
  return units;
}

//------------------------------------------------------------------------------
bool InUnitsOfOurs(vtkSMProxy* map)
{
  std::set<std::string> units;
  for (unsigned int i = 0; map && i < map->GetNumberOfConsumers(); ++i)
  {
    vtkSMProxy* consumer = map->GetConsumerProxy(i);
    consumer = consumer ? consumer->GetTrueParentProxy() : nullptr;
    units.merge(UnitsOfInput(consumer));
  }
  return units.count("SI") && !units.count("unknown");
}

//------------------------------------------------------------------------------
// Adds the unit to the title that ParaView gives a legend when it shows it.
class TitleCommand : public vtkCommand
{
public:
  static TitleCommand* New() { return new TitleCommand; }

  void Execute(vtkObject* caller, unsigned long, void* data) override
  {
    auto* legend = vtkSMProxy::SafeDownCast(caller);
    const char* name = static_cast<const char*>(data);
    if (!legend || !name || std::strcmp(name, "Title") != 0)
    {
      return;
    }
    vtkSMPropertyHelper title(legend, "Title");
    const std::string array = title.GetAsString();
    if (array.empty())
    {
      return;
    }
    const vtkSmartPointer<TitleCommand> keep = this;
    legend->RemoveObserver(this);
    // Scripts set titles before or after a legend is shown, ParaView when it shows it.
    const bool shown = vtkSMPropertyHelper(legend, "Visibility").GetAsInt() != 0;
    const char* unit = UnitOf(array);
    if (shown && unit && InUnitsOfOurs(vtkSMPropertyHelper(legend, "LookupTable").GetAsProxy()))
    {
      title.Set((array + " (" + unit + ")").c_str());
    }
  }
};

//------------------------------------------------------------------------------
// There is no other way to set this attribute of a domain in ParaView's own XML.
class OpenInputArrayDomain : public vtkSMInputArrayDomain
{
public:
  static void SetAttributeTypeOf(vtkSMInputArrayDomain* domain, int type)
  {
    void (vtkSMInputArrayDomain::*set)(int) = &OpenInputArrayDomain::SetAttributeType;
    (domain->*set)(type);
  }
};

//------------------------------------------------------------------------------
void LeaveFieldDataOut(vtkSMProxy* representation)
{
  vtkSMProperty* color = representation->GetProperty("ColorArrayName");
  auto* menu = color ? color->FindDomain<vtkSMArrayListDomain>() : nullptr;
  // The property belongs to an inner proxy, which has its own input.
  vtkSMProxy* owner = menu ? color->GetParent() : nullptr;
  vtkSMProperty* input = owner ? owner->GetProperty("Input") : nullptr;
  auto* arrays =
    input ? vtkSMInputArrayDomain::SafeDownCast(input->GetDomain("input_array_any")) : nullptr;
  if (arrays && arrays->GetAttributeType() == vtkSMInputArrayDomain::ANY &&
    !UnitsOfInput(representation).empty())
  {
    OpenInputArrayDomain::SetAttributeTypeOf(arrays, vtkSMInputArrayDomain::ANY_EXCEPT_FIELD);
    menu->Update(nullptr);
  }
}

//------------------------------------------------------------------------------
// Names the materials when a representation is shown, hidden or given other colours.
class MaterialsCommand : public vtkCommand
{
public:
  static MaterialsCommand* New() { return new MaterialsCommand; }

  void Execute(vtkObject* caller, unsigned long, void* data) override
  {
    auto* representation = vtkSMProxy::SafeDownCast(caller);
    const char* name = static_cast<const char*>(data);
    if (representation && name &&
      (!std::strcmp(name, "Visibility") || !std::strcmp(name, "LookupTable")))
    {
      vtkSMDEMMaterials::NameShown(representation);
    }
  }
};

//------------------------------------------------------------------------------
class SessionCommand : public vtkCommand
{
public:
  static SessionCommand* New() { return new SessionCommand; }

  void Execute(vtkObject*, unsigned long, void* data) override
  {
    const auto* registered = static_cast<vtkSMProxyManager::RegisteredProxyInformation*>(data);
    if (!registered || !registered->Proxy || !registered->GroupName ||
      registered->Type != vtkSMProxyManager::RegisteredProxyInformation::PROXY)
    {
      return;
    }
    if (!std::strcmp(registered->GroupName, "scalar_bars"))
    {
      vtkNew<TitleCommand> command;
      registered->Proxy->AddObserver(vtkCommand::PropertyModifiedEvent, command);
    }
    else if (!std::strcmp(registered->GroupName, "representations"))
    {
      LeaveFieldDataOut(registered->Proxy);
      if (registered->Proxy->GetProperty("LookupTable") && registered->Proxy->GetProperty("Input"))
      {
        vtkNew<MaterialsCommand> command;
        registered->Proxy->AddObserver(vtkCommand::PropertyModifiedEvent, command);
      }
    }
  }
};

} // namespace

namespace vtkSMDEMColoring
{

//------------------------------------------------------------------------------
void WatchSession(vtkSMSessionProxyManager* manager)
{
  static const vtkSmartPointer<SessionCommand> command = vtkSmartPointer<SessionCommand>::New();
  if (!manager->HasObserver(vtkCommand::RegisterEvent, command))
  {
    manager->AddObserver(vtkCommand::RegisterEvent, command);
  }
}

} // namespace vtkSMDEMColoring
