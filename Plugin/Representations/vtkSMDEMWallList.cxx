#include "vtkSMDEMWallList.h"

#include "vtkSMDEMFirstLook.h"
#include "vtkSMDEMPipelineNames.h"
#include "vtkSMDEMRunProxy.h"
#include "vtkSMDEMWallListDomain.h"

#include "vtkCommand.h"
#include "vtkNew.h"
#include "vtkSMDataTypeDomain.h"
#include "vtkSMParaViewPipelineControllerWithRendering.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxyIterator.h"
#include "vtkSMProxyManager.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMStringVectorProperty.h"
#include "vtkSMViewProxy.h"
#include "vtkStringList.h"

#include <algorithm>

namespace
{

using vtkSMDEMPipelineNames::OutputName;
using vtkSMDEMPipelineNames::Sources;

//------------------------------------------------------------------------------
// Whether the surface is the input of a DEM Wall. It is then not offered, since the wall would
// exist twice.
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
vtkSMDEMWallList::vtkSMDEMWallList(vtkSMSourceProxy* run)
  : Run(run)
{
}

//------------------------------------------------------------------------------
vtkSMDEMWallList::~vtkSMDEMWallList()
{
  for (const auto& observer : this->Observers)
  {
    if (observer.first)
    {
      observer.first->RemoveObserver(observer.second);
    }
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMWallList::PropertyModified(const std::string& name)
{
  if (this->Changing || !this->Run->GetProperty("WallInputs"))
  {
    return;
  }
  if (name == "WallInputs")
  {
    this->IsNew = true; // maybe incomplete: rows are set one by one
  }
  if (name == "Walls")
  {
    this->IsNew = false;
    this->Changing = true;
    this->List();
    this->Changing = false;
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMWallList::Apply()
{
  if (!this->Run->GetProperty("WallInputs") || this->Changing)
  {
    return;
  }
  this->Changing = true;
  if (this->IsNew)
  {
    this->IsNew = false;
    this->Connect();
    this->List();
  }
  this->HideNew();
  this->Changing = false;
}

//------------------------------------------------------------------------------
void vtkSMDEMWallList::Connect()
{
  vtkSMPropertyHelper list(this->Run, "WallInputs");
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
  // Walls that stay keep their order. Walls without a name in the browser always stay.
  vtkSMPropertyHelper walls(this->Run, "Walls");
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
  for (vtkSMSourceProxy* source : Sources(this->Run))
  {
    for (unsigned int port = 0; !wanted.empty() && port < source->GetNumberOfOutputPorts(); ++port)
    {
      if (!DependsOn(source, this->Run) && take(OutputName(source, port)))
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
void vtkSMDEMWallList::List(std::vector<std::string> choices)
{
  vtkSMPropertyHelper walls(this->Run, "Walls");
  vtkNew<vtkStringList> list; // alternating names and states
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
  vtkSMStringVectorProperty::SafeDownCast(this->Run->GetProperty("WallInputs"))->SetElements(list);
}

//------------------------------------------------------------------------------
void vtkSMDEMWallList::List()
{
  auto* offered = this->Run->GetProperty("WallInputs")->FindDomain<vtkSMDEMWallListDomain>();
  std::vector<std::string> choices;
  for (unsigned int i = 0; offered && i < offered->GetNumberOfStrings(); ++i)
  {
    choices.emplace_back(offered->GetString(i));
  }
  this->List(choices);
}

//------------------------------------------------------------------------------
void vtkSMDEMWallList::WatchSources()
{
  if (!this->Run->GetProperty("WallInputs") || !vtkSMDEMFirstLook::HasWindow(this->Run))
  {
    return;
  }
  if (this->Observers.empty())
  {
    vtkObject* manager = this->Run->GetSessionProxyManager();
    for (unsigned long event : { vtkCommand::RegisterEvent, vtkCommand::UnRegisterEvent })
    {
      this->Observers.emplace_back(
        manager, manager->AddObserver(event, this, &vtkSMDEMWallList::OnRegistration));
    }
  }
  for (vtkSMSourceProxy* source : Sources(this->Run))
  {
    const bool known = std::any_of(this->Observers.begin(), this->Observers.end(),
      [source](const auto& observer) { return observer.first == source; });
    if (!known && source != this->Run)
    {
      this->Observers.emplace_back(
        source, source->AddObserver(vtkCommand::UpdateDataEvent, this, &vtkSMDEMWallList::Offer));
    }
  }
  this->Offer();
}

//------------------------------------------------------------------------------
void vtkSMDEMWallList::OnRegistration(vtkObject*, unsigned long, void* data)
{
  auto* info = static_cast<vtkSMProxyManager::RegisteredProxyInformation*>(data);
  if (info && info->GroupName && std::string(info->GroupName) == "sources")
  {
    this->WatchSources();
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMWallList::Offer()
{
  vtkSMProperty* property = this->Run->GetProperty("WallInputs");
  auto* choices = property->FindDomain<vtkSMDEMWallListDomain>();
  auto* types = this->Run->GetProperty("Walls")->FindDomain<vtkSMDataTypeDomain>();
  if (this->Changing || !choices || !types)
  {
    return;
  }
  this->Changing = true;
  std::vector<std::string> names;
  vtkSMPropertyHelper walls(this->Run, "Walls");
  for (unsigned int i = 0; i < walls.GetNumberOfElements(); ++i)
  {
    const std::string name = OutputName(walls.GetAsProxy(i), walls.GetOutputPort(i));
    if (!name.empty())
    {
      names.push_back(name);
    }
  }
  vtkSMPropertyHelper grains(this->Run, "Particles");
  for (vtkSMSourceProxy* source : Sources(this->Run))
  {
    bool offers = !vtkSMDEMRunProxy::SafeDownCast(source) && !DependsOn(source, this->Run) &&
      std::string(source->GetXMLName()) != "DEMPacking" &&
      std::string(source->GetXMLName()) != "DEMNozzle" && !IsInputOfWall(source);
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
  // The list must always have every name of the domain, otherwise the widget warns.
  std::vector<std::string> all = names;
  for (unsigned int i = 0; i < choices->GetNumberOfStrings(); ++i)
  {
    if (std::find(names.begin(), names.end(), choices->GetString(i)) == names.end())
    {
      all.emplace_back(choices->GetString(i));
    }
  }
  this->List(all);
  choices->SetChoices(names);
  this->List(names);
  this->Changing = false;
}

//------------------------------------------------------------------------------
void vtkSMDEMWallList::HideNew()
{
  vtkSMPropertyHelper walls(this->Run, "Walls");
  std::vector<vtkWeakPointer<vtkSMProxy>> known;
  vtkNew<vtkSMParaViewPipelineControllerWithRendering> controller;
  for (unsigned int i = 0; i < walls.GetNumberOfElements(); ++i)
  {
    auto* wall = vtkSMSourceProxy::SafeDownCast(walls.GetAsProxy(i));
    known.emplace_back(wall);
    const bool isNew = std::none_of(this->Known.begin(), this->Known.end(),
      [wall](const vtkWeakPointer<vtkSMProxy>& other) { return other.Get() == wall; });
    if (!wall || !isNew || !this->HasUpdated || !vtkSMDEMFirstLook::HasWindow(this->Run))
    {
      continue; // ParaView hides the inputs at the first Apply
    }
    vtkNew<vtkSMProxyIterator> iterator;
    iterator->SetSession(this->Run->GetSession());
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
  this->Known = std::move(known);
}
