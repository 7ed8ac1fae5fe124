#include "vtkSMDEMRunProxy.h"

#include "vtkSMDEMWallListDomain.h"

#include "vtkAnimationCue.h"
#include "vtkClientServerStream.h"
#include "vtkCommand.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVXMLElement.h"
#include "vtkSMDEMColoring.h"
#include "vtkSMDEMFirstLook.h"
#include "vtkSMDataTypeDomain.h"
#include "vtkSMDomainIterator.h"
#include "vtkSMFileListDomain.h"
#include "vtkSMInputProperty.h"
#include "vtkSMParaViewPipelineControllerWithRendering.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMPropertyIterator.h"
#include "vtkSMProxyIterator.h"
#include "vtkSMProxyManager.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMStringVectorProperty.h"
#include "vtkSMViewProxy.h"
#include "vtkSmartPointer.h"
#include "vtkStringList.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace
{

// Of M. Okabe and K. Ito: also told apart by the colour-blind.
constexpr double MaterialColors[][3] = { { 0.90, 0.62, 0.00 }, { 0.34, 0.71, 0.91 },
  { 0.00, 0.62, 0.45 }, { 0.94, 0.89, 0.26 }, { 0.00, 0.45, 0.70 }, { 0.84, 0.37, 0.00 },
  { 0.80, 0.47, 0.65 }, { 0.55, 0.55, 0.55 } };

//------------------------------------------------------------------------------
// All sources and filters that the pipeline browser shows.
std::vector<vtkSMSourceProxy*> Sources(vtkSMProxy* proxy)
{
  std::vector<vtkSMSourceProxy*> sources;
  vtkNew<vtkSMProxyIterator> iterator;
  iterator->SetSession(proxy->GetSession());
  iterator->SetModeToOneGroup();
  for (iterator->Begin("sources"); !iterator->IsAtEnd(); iterator->Next())
  {
    if (auto* source = vtkSMSourceProxy::SafeDownCast(iterator->GetProxy()))
    {
      sources.push_back(source);
    }
  }
  return sources;
}

//------------------------------------------------------------------------------
// How the pipeline browser calls an output, with a number behind a name that several sources have;
// empty if it does not show it.
std::string OutputName(vtkSMProxy* proxy, unsigned int port)
{
  auto* source = vtkSMSourceProxy::SafeDownCast(proxy);
  const char* registered =
    source ? source->GetSessionProxyManager()->GetProxyName("sources", source) : nullptr;
  if (!registered)
  {
    return {};
  }
  std::string name = registered;
  int number = 1; // of this source among those of its name
  for (vtkSMSourceProxy* other : Sources(source))
  {
    if (other == source)
    {
      break;
    }
    const char* taken = source->GetSessionProxyManager()->GetProxyName("sources", other);
    number += taken && name == taken;
  }
  if (number > 1)
  {
    name += " (" + std::to_string(number) + ")";
  }
  const char* output =
    source->GetNumberOfOutputPorts() > 1 ? source->GetOutputPortName(port) : nullptr;
  return output ? name + ":" + output : name;
}

//------------------------------------------------------------------------------
// Whether a DEM Wall gives this surface on: both would be the same wall twice.
bool IsInputOfWall(vtkSMSourceProxy* source)
{
  const std::vector<vtkSMSourceProxy*> all = Sources(source);
  return std::any_of(all.begin(), all.end(),
    [source](vtkSMSourceProxy* wall)
    {
      return std::string(wall->GetXMLName()) == "DEMWall" &&
        vtkSMPropertyHelper(wall, "Input").GetAsProxy() == source;
    });
}

//------------------------------------------------------------------------------
bool DependsOn(vtkSMProxy* proxy, vtkSMProxy* producer)
{
  for (unsigned int i = 0; proxy && i < proxy->GetNumberOfProducers(); ++i)
  {
    if (proxy->GetProducerProxy(i) == producer || DependsOn(proxy->GetProducerProxy(i), producer))
    {
      return true;
    }
  }
  return proxy == producer;
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkSMDEMRunProxy);

//------------------------------------------------------------------------------
vtkSMDEMRunProxy::vtkSMDEMRunProxy() = default;

//------------------------------------------------------------------------------
vtkSMDEMRunProxy::~vtkSMDEMRunProxy()
{
  for (const auto& observer : this->SourceObservers)
  {
    if (observer.first)
    {
      observer.first->RemoveObserver(observer.second);
    }
  }
  if (this->Scene)
  {
    for (unsigned long observer : this->SceneObservers)
    {
      this->Scene->RemoveObserver(observer);
    }
  }
  if (this->TimeKeeper)
  {
    this->TimeKeeper->RemoveObserver(this->TimeKeeperObserver);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::CreateVTKObjects()
{
  this->Superclass::CreateVTKObjects();
  this->GuardScene();
  this->WatchTime();
  this->WatchSources();
  if (this->GetSessionProxyManager())
  {
    vtkSMDEMColoring::WatchSession(
      this->GetSessionProxyManager()); // also for states, which initialise nothing
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::SetPropertyModifiedFlag(const char* name, int flag)
{
  this->Superclass::SetPropertyModifiedFlag(name, flag);
  if (!flag || this->ChangesWalls || !this->GetProperty("WallInputs"))
  {
    return;
  }
  if (std::string(name) == "WallInputs")
  {
    this->HasNewList = true; // maybe not whole yet
  }
  if (std::string(name) == "Walls")
  {
    this->HasNewList = false;
    this->ChangesWalls = true;
    this->ListWalls();
    this->ChangesWalls = false;
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::UpdateVTKObjects()
{
  if (this->GetProperty("WallInputs") && !this->ChangesWalls)
  {
    this->ChangesWalls = true;
    if (this->HasNewList)
    {
      this->HasNewList = false;
      this->ConnectWalls();
      this->ListWalls();
    }
    this->HideWalls();
    this->ChangesWalls = false;
  }
  this->Superclass::UpdateVTKObjects();
  this->SendInputNames();
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::ConnectWalls()
{
  vtkSMPropertyHelper list(this, "WallInputs");
  std::vector<std::string> wanted;
  for (unsigned int i = 0; i + 1 < list.GetNumberOfElements(); i += 2)
  {
    if (std::string(list.GetAsString(i + 1)) != "0")
    {
      wanted.emplace_back(list.GetAsString(i));
    }
  }
  const auto take = [&wanted](const std::string& name)
  {
    const auto found = std::find(wanted.begin(), wanted.end(), name);
    const bool any = found != wanted.end();
    if (any)
    {
      wanted.erase(found);
    }
    return any;
  };
  // Walls that stay keep their order, and those without a name in the browser stay.
  vtkSMPropertyHelper walls(this, "Walls");
  std::vector<vtkSMProxy*> proxies;
  std::vector<unsigned int> ports;
  const unsigned int before = walls.GetNumberOfElements();
  for (unsigned int i = 0; i < before; ++i)
  {
    const std::string name = OutputName(walls.GetAsProxy(i), walls.GetOutputPort(i));
    if (name.empty() || take(name))
    {
      proxies.push_back(walls.GetAsProxy(i));
      ports.push_back(walls.GetOutputPort(i));
    }
  }
  bool changed = proxies.size() != before;
  for (vtkSMSourceProxy* source : Sources(this))
  {
    for (unsigned int port = 0; !wanted.empty() && port < source->GetNumberOfOutputPorts(); ++port)
    {
      if (!DependsOn(source, this) && take(OutputName(source, port)))
      {
        proxies.push_back(source);
        ports.push_back(port);
        changed = true;
      }
    }
  }
  if (changed)
  {
    walls.Set(proxies.data(), static_cast<unsigned int>(proxies.size()), ports.data());
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::ListWalls(std::vector<std::string> choices)
{
  vtkSMPropertyHelper walls(this, "Walls");
  vtkNew<vtkStringList> list; // names and states by turns
  const auto add = [&list](const std::string& name, const char* state)
  {
    list->AddString(name.c_str());
    list->AddString(state);
  };
  for (unsigned int i = 0; i < walls.GetNumberOfElements(); ++i)
  {
    const std::string name = OutputName(walls.GetAsProxy(i), walls.GetOutputPort(i));
    if (!name.empty())
    {
      add(name, "1");
      choices.erase(std::remove(choices.begin(), choices.end(), name), choices.end());
    }
  }
  for (const std::string& name : choices)
  {
    add(name, "0");
  }
  vtkSMStringVectorProperty::SafeDownCast(this->GetProperty("WallInputs"))->SetElements(list);
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::ListWalls()
{
  auto* offered = this->GetProperty("WallInputs")->FindDomain<vtkSMDEMWallListDomain>();
  std::vector<std::string> choices;
  for (unsigned int i = 0; offered && i < offered->GetNumberOfStrings(); ++i)
  {
    choices.emplace_back(offered->GetString(i));
  }
  this->ListWalls(choices);
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::WatchSources()
{
  if (!this->GetProperty("WallInputs") || !vtkSMDEMFirstLook::HasWindow(this))
  {
    return;
  }
  if (this->SourceObservers.empty())
  {
    vtkObject* manager = this->GetSessionProxyManager();
    for (unsigned long event : { vtkCommand::RegisterEvent, vtkCommand::UnRegisterEvent })
    {
      this->SourceObservers.emplace_back(
        manager, manager->AddObserver(event, this, &vtkSMDEMRunProxy::OnRegistration));
    }
  }
  for (vtkSMSourceProxy* source : Sources(this))
  {
    const bool known = std::any_of(this->SourceObservers.begin(), this->SourceObservers.end(),
      [source](const auto& observer) { return observer.first == source; });
    if (!known && source != this)
    {
      this->SourceObservers.emplace_back(source,
        source->AddObserver(vtkCommand::UpdateDataEvent, this, &vtkSMDEMRunProxy::OfferWalls));
    }
  }
  this->OfferWalls();
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::OnRegistration(vtkObject*, unsigned long, void* data)
{
  auto* info = static_cast<vtkSMProxyManager::RegisteredProxyInformation*>(data);
  if (info && info->GroupName && std::string(info->GroupName) == "sources")
  {
    this->WatchSources();
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::OfferWalls()
{
  vtkSMProperty* property = this->GetProperty("WallInputs");
  auto* choices = property->FindDomain<vtkSMDEMWallListDomain>();
  auto* types = this->GetProperty("Walls")->FindDomain<vtkSMDataTypeDomain>();
  if (this->ChangesWalls || !choices || !types)
  {
    return;
  }
  this->ChangesWalls = true;
  std::vector<std::string> names;
  vtkSMPropertyHelper walls(this, "Walls");
  for (unsigned int i = 0; i < walls.GetNumberOfElements(); ++i)
  {
    const std::string name = OutputName(walls.GetAsProxy(i), walls.GetOutputPort(i));
    if (!name.empty())
    {
      names.push_back(name);
    }
  }
  vtkSMPropertyHelper grains(this, "Particles");
  for (vtkSMSourceProxy* source : Sources(this))
  {
    bool offers = !vtkSMDEMRunProxy::SafeDownCast(source) && !DependsOn(source, this) &&
      std::string(source->GetXMLName()) != "DEMPacking" && !IsInputOfWall(source);
    for (unsigned int i = 0; i < grains.GetNumberOfElements(); ++i)
    {
      offers = offers && grains.GetAsProxy(i) != source;
    }
    for (unsigned int port = 0; offers && port < source->GetNumberOfOutputPorts(); ++port)
    {
      const std::string name = OutputName(source, port);
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end() &&
        types->IsInDomain(source, static_cast<int>(port)))
      {
        names.push_back(name);
      }
    }
  }
  // The list must know every name that the domain has, or the widget warns.
  std::vector<std::string> all = names;
  for (unsigned int i = 0; i < choices->GetNumberOfStrings(); ++i)
  {
    if (std::find(names.begin(), names.end(), choices->GetString(i)) == names.end())
    {
      all.emplace_back(choices->GetString(i));
    }
  }
  this->ListWalls(all);
  choices->SetChoices(names);
  this->ListWalls(names);
  this->ChangesWalls = false;
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::HideWalls()
{
  vtkSMPropertyHelper walls(this, "Walls");
  std::vector<vtkWeakPointer<vtkSMProxy>> known;
  vtkNew<vtkSMParaViewPipelineControllerWithRendering> controller;
  for (unsigned int i = 0; i < walls.GetNumberOfElements(); ++i)
  {
    auto* wall = vtkSMSourceProxy::SafeDownCast(walls.GetAsProxy(i));
    known.emplace_back(wall);
    const bool isNew = std::none_of(this->KnownWalls.begin(), this->KnownWalls.end(),
      [wall](const vtkWeakPointer<vtkSMProxy>& other) { return other.Get() == wall; });
    if (!wall || !isNew || !this->HasUpdated || !vtkSMDEMFirstLook::HasWindow(this))
    {
      continue; // the first Apply hides them itself
    }
    vtkNew<vtkSMProxyIterator> iterator;
    iterator->SetSession(this->GetSession());
    iterator->SetModeToOneGroup();
    const int port = static_cast<int>(walls.GetOutputPort(i));
    for (iterator->Begin("views"); !iterator->IsAtEnd(); iterator->Next())
    {
      auto* view = vtkSMViewProxy::SafeDownCast(iterator->GetProxy());
      if (view && controller->GetVisibility(wall, port, view))
      {
        controller->Hide(wall, port, view);
      }
    }
  }
  this->KnownWalls = std::move(known);
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::WatchTime()
{
  if (this->TimeKeeper || !this->GetProperty("WatchedTime") || !vtkSMDEMFirstLook::HasWindow(this))
  {
    return;
  }
  if (vtkSMProxy* keeper =
        this->GetSessionProxyManager()->FindProxy("timekeeper", "misc", "TimeKeeper"))
  {
    this->TimeKeeper = keeper;
    this->TimeKeeperObserver = keeper->AddObserver(
      vtkCommand::PropertyModifiedEvent, this, &vtkSMDEMRunProxy::OnTimeKeeperEvent);
    this->OnTimeKeeperEvent(keeper, vtkCommand::PropertyModifiedEvent, nullptr);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::OnTimeKeeperEvent(vtkObject* timeKeeper, unsigned long, void* property)
{
  const char* name = static_cast<const char*>(property);
  if (!name || std::string(name) == "Time")
  {
    const double no_time = -1;
    vtkSMPropertyHelper(this, "WatchedTime")
      .Set(this->ScenePlays
          ? no_time
          : vtkSMPropertyHelper(vtkSMProxy::SafeDownCast(timeKeeper), "Time").GetAsDouble());
    this->UpdateProperty("WatchedTime");
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::UpdatePipeline()
{
  this->SendInputNames();
  this->Superclass::UpdatePipeline();
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::UpdatePipeline(double time)
{
  this->SendInputNames();
  this->Superclass::UpdatePipeline(time);
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::SendInputNames()
{
  vtkSMSessionProxyManager* manager =
    this->ObjectsCreated ? this->GetSessionProxyManager() : nullptr;
  if (!manager)
  {
    return;
  }
  vtkSmartPointer<vtkSMPropertyIterator> properties;
  properties.TakeReference(this->NewPropertyIterator());
  for (properties->Begin(); !properties->IsAtEnd(); properties->Next())
  {
    auto* input = vtkSMInputProperty::SafeDownCast(properties->GetProperty());
    for (unsigned int i = 0; input && i < input->GetNumberOfProxies(); ++i)
    {
      const char* known = manager->GetProxyName("sources", input->GetProxy(i));
      const std::string name = known ? known : "";
      std::string& sent = this->InputNames[{ input->GetPortIndex(), static_cast<int>(i) }];
      if (sent != name)
      {
        sent = name;
        vtkClientServerStream stream;
        stream << vtkClientServerStream::Invoke << VTKOBJECT(this) << "SetInputName"
               << input->GetPortIndex() << static_cast<int>(i) << name.c_str()
               << vtkClientServerStream::End;
        this->ExecuteStream(stream);
      }
    }
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::GuardScene()
{
  // A script has no clicks, and may want the events of a tick.
  if (this->Scene || !vtkSMDEMFirstLook::HasWindow(this))
  {
    return;
  }
  vtkSMProxy* proxy =
    this->GetSessionProxyManager()->FindProxy("animation", "animation", "AnimationScene");
  vtkObject* scene = proxy ? vtkObject::SafeDownCast(proxy->GetClientSideObject()) : nullptr;
  if (!scene)
  {
    return;
  }
  this->Scene = scene;
  const unsigned long events[] = { vtkCommand::StartEvent, vtkCommand::EndEvent,
    vtkCommand::AnimationCueTickEvent };
  const float before_window = 1;
  for (int i = 0; i < 3; ++i)
  {
    this->SceneObservers[i] =
      scene->AddObserver(events[i], this, &vtkSMDEMRunProxy::OnSceneEvent, before_window);
  }
}

//------------------------------------------------------------------------------
bool vtkSMDEMRunProxy::OnSceneEvent(vtkObject* scene, unsigned long event, void* data)
{
  if (event == vtkCommand::AnimationCueTickEvent)
  {
    if (this->ScenePlays)
    {
      return false;
    }
    // What the window does at such an event, but for handling clicks: the scene's property gets the
    // time of the tick, which the time field shows. The scene does not tick again meanwhile.
    vtkSMProxy* proxy =
      this->GetSessionProxyManager()->FindProxy("animation", "animation", "AnimationScene");
    const auto* tick = static_cast<vtkAnimationCue::AnimationCueInfo*>(data);
    if (proxy && tick && proxy->GetClientSideObject() == scene)
    {
      vtkSMPropertyHelper(proxy, "AnimationTime").Set(tick->AnimationTime);
      proxy->UpdateProperty("AnimationTime");
    }
    return true; // ends the event
  }
  this->ScenePlays = event == vtkCommand::StartEvent;
  if (this->TimeKeeper)
  {
    this->OnTimeKeeperEvent(this->TimeKeeper, event, nullptr);
  }
  return false;
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::MarkModified(vtkSMProxy* modifiedProxy)
{
  this->Superclass::MarkModified(modifiedProxy);
  // Commands only take events away, and cost a question to the server where there are some.
  if (this->ObjectsCreated && this->GetProperty("SteeringEvents") &&
    vtkSMPropertyHelper(this, "SteeringEvents").GetAsString()[0])
  {
    this->TakeSteeringEvents();
  }
}

//------------------------------------------------------------------------------
vtkPVXMLElement* vtkSMDEMRunProxy::SaveXMLState(vtkPVXMLElement* root)
{
  return this->Superclass::SaveXMLState(root); // by the one below
}

//------------------------------------------------------------------------------
vtkPVXMLElement* vtkSMDEMRunProxy::SaveXMLState(vtkPVXMLElement* root, vtkSMPropertyIterator* iter)
{
  vtkPVXMLElement* state = this->Superclass::SaveXMLState(root, iter);
  for (unsigned int i = state ? state->GetNumberOfNestedElements() : 0; i-- > 0;)
  {
    vtkPVXMLElement* element = state->GetNestedElement(i);
    const char* name = element->GetAttribute("name");
    vtkSMProperty* property = name ? this->GetProperty(name) : nullptr;
    const bool isEmptyFile = property && property->FindDomain<vtkSMFileListDomain>() &&
      vtkSMPropertyHelper(property).GetNumberOfElements() == 1 &&
      !vtkSMPropertyHelper(property).GetAsString()[0];
    if (isEmptyFile || (property && property->FindDomain<vtkSMDEMWallListDomain>()))
    {
      state->RemoveNestedElement(element);
    }
  }
  return state;
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::PostUpdateData(bool usingCache)
{
  this->Superclass::PostUpdateData(usingCache);
  this->HasUpdated = true;
  this->GuardScene(); // a scene that came after the run
  this->WatchTime();
  this->TakeSteeringEvents();
  this->NameMaterials();
  if (vtkSMDEMFirstLook::HasWindow(this))
  {
    this->FillMaterials();
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::FillMaterials()
{
  const unsigned int size = this->GetProperty("MaterialName")
    ? vtkSMPropertyHelper(this, "MaterialName").GetNumberOfElements()
    : 0;
  bool changed = false;
  for (const char* name :
    { "YoungsModulus", "PoissonsRatio", "Density", "Restitution", "Friction", "RollingFriction" })
  {
    const std::string list = std::string("Material") + name;
    if (size > 0 && vtkSMPropertyHelper(this, list.c_str()).GetNumberOfElements() == 0)
    {
      const std::vector<double> values(size, vtkSMPropertyHelper(this, name).GetAsDouble());
      vtkSMPropertyHelper(this, list.c_str()).Set(values.data(), size);
      changed = true;
    }
  }
  if (changed)
  {
    this->UpdateVTKObjects();
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::NameMaterials()
{
  const std::string inUse =
    vtkSMPropertyHelper(this, "MaterialsInUse", /*quiet=*/true).GetAsString();
  vtkSMProxy* map =
    this->GetSessionProxyManager()->GetProxy("lookup_tables", "Material.PVLookupTable");
  if (inUse.empty() || inUse == this->NamedMaterials || !map)
  {
    return;
  }
  this->NamedMaterials = inUse;
  // Values and texts by turns. Another simulation may have named more of them.
  vtkSMPropertyHelper annotations(map, "Annotations");
  std::vector<std::string> texts;
  for (unsigned int i = 0; i < annotations.GetNumberOfElements(); ++i)
  {
    texts.emplace_back(annotations.GetAsString(i));
  }
  std::istringstream lines(inUse);
  std::string name;
  for (int material = 0; std::getline(lines, name); ++material)
  {
    const std::string value = std::to_string(material);
    std::size_t i = 0;
    while (i + 1 < texts.size() && texts[i] != value)
    {
      i += 2;
    }
    texts.resize(std::max(texts.size(), i + 2));
    texts[i] = value;
    texts[i + 1] = name;
  }
  for (unsigned int i = 0; i < texts.size(); ++i)
  {
    annotations.Set(i, texts[i].c_str());
  }
  vtkSMPropertyHelper colors(map, "IndexedColors");
  for (unsigned int i = colors.GetNumberOfElements(); i < texts.size() / 2 * 3; ++i)
  {
    colors.Set(i, MaterialColors[i / 3 % std::size(MaterialColors)][i % 3]);
  }
  map->UpdateVTKObjects();
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::TakeSteeringEvents()
{
  // All at once: the panel's State of the Run would stay at what it was after Apply.
  this->UpdatePropertyInformation();
  if (!this->GetProperty("SteeringEvents"))
  {
    return; // a simulation that is not steered
  }
  const std::string inUse = vtkSMPropertyHelper(this, "SteeringEventsInUse").GetAsString();
  vtkSMPropertyHelper events(this, "SteeringEvents");
  if (inUse != events.GetAsString())
  {
    events.Set(inUse.c_str());
    this->UpdateVTKObjects();
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
