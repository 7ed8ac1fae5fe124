#include "vtkSMDEMRunProxy.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"
#include "vtkPVProgressHandler.h"
#include "vtkPVXMLElement.h"
#include "vtkSMDEMColoring.h"
#include "vtkSMDEMFirstLook.h"
#include "vtkSMDomainIterator.h"
#include "vtkSMFileListDomain.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMPropertyIterator.h"
#include "vtkSMSession.h"
#include "vtkSMSessionProxyManager.h"

#include <string>

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkSMDEMRunProxy);

//------------------------------------------------------------------------------
vtkSMDEMRunProxy::vtkSMDEMRunProxy() = default;

//------------------------------------------------------------------------------
vtkSMDEMRunProxy::~vtkSMDEMRunProxy()
{
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
  if (this->GetSessionProxyManager())
  {
    vtkSMDEMColoring::WatchSession(
      this->GetSessionProxyManager()); // also for states, which initialise nothing
  }
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
bool vtkSMDEMRunProxy::OnSceneEvent(vtkObject*, unsigned long event, void*)
{
  if (event == vtkCommand::AnimationCueTickEvent)
  {
    return !this->ScenePlays; // true ends the event
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
    if (property && property->FindDomain<vtkSMFileListDomain>() &&
      vtkSMPropertyHelper(property).GetNumberOfElements() == 1 && !vtkSMPropertyHelper(property).GetAsString()[0])
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
  this->GuardScene(); // a scene that came after the run
  this->WatchTime();
  this->TakeSteeringEvents();
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
