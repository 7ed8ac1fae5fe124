#include "vtkSMDEMRunProxy.h"

#include "vtkSMDEMColoring.h"
#include "vtkSMDEMFirstLook.h"
#include "vtkSMDEMMaterials.h"
#include "vtkSMDEMPipelineNames.h"
#include "vtkSMDEMSceneGuard.h"
#include "vtkSMDEMTimeWatch.h"
#include "vtkSMDEMWallList.h"
#include "vtkSMDEMWallListDomain.h"

#include "vtkClientServerStream.h"
#include "vtkObjectFactory.h"
#include "vtkPVXMLElement.h"
#include "vtkSMFileListDomain.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMPropertyIterator.h"
#include "vtkSMSessionProxyManager.h"

#include <string>

//------------------------------------------------------------------------------
class vtkSMDEMRunProxy::vtkInternals
{
public:
  explicit vtkInternals(vtkSMDEMRunProxy* run)
    : Materials(run)
    , Walls(run)
    , Time(run)
    , Guard(run, [this] { this->Time.SetScenePlays(this->Guard.ScenePlays()); })
  {
  }

  vtkSMDEMPipelineNames::InputNames InputNames;
  vtkSMDEMMaterials Materials;
  vtkSMDEMWallList Walls;
  vtkSMDEMTimeWatch Time;
  vtkSMDEMSceneGuard Guard;
  bool FollowsData = false; // while properties are set to what the data that are shown have used
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkSMDEMRunProxy);

//------------------------------------------------------------------------------
vtkSMDEMRunProxy::vtkSMDEMRunProxy()
  : Internals(new vtkInternals(this))
{
}

//------------------------------------------------------------------------------
vtkSMDEMRunProxy::~vtkSMDEMRunProxy() = default;

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::CreateVTKObjects()
{
  this->Superclass::CreateVTKObjects();
  this->Internals->Guard.Start();
  this->Internals->Time.Start();
  this->Internals->Walls.WatchSources();
  if (this->GetSessionProxyManager())
  {
    // Here too, since proxies of a loaded state are not initialised.
    vtkSMDEMColoring::WatchSession(this->GetSessionProxyManager());
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::SetPropertyModifiedFlag(const char* name, int flag)
{
  this->Superclass::SetPropertyModifiedFlag(name, flag);
  if (flag)
  {
    this->Internals->Walls.PropertyModified(name);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::UpdateVTKObjects()
{
  this->Internals->Walls.Apply();
  this->Superclass::UpdateVTKObjects();
  this->SendInputNames();
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
  vtkClientServerStream stream;
  if (this->ObjectsCreated && this->Internals->InputNames.AppendChanges(this, stream))
  {
    this->ExecuteStream(stream);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::MarkModified(vtkSMProxy* modifiedProxy)
{
  if (this->Internals->FollowsData)
  {
    // The data are as before. Marking representations now would make the view drop their data
    // without a new update, since a view updates them and calls PostUpdateData before it draws.
    return;
  }
  this->Superclass::MarkModified(modifiedProxy);
  // Commands such as Reset can only remove events. Without events there is nothing to ask for.
  if (this->ObjectsCreated && this->GetProperty("SteeringEvents") &&
    vtkSMPropertyHelper(this, "SteeringEvents").GetAsString()[0])
  {
    this->TakeSteeringEvents();
  }
}

//------------------------------------------------------------------------------
vtkPVXMLElement* vtkSMDEMRunProxy::SaveXMLState(vtkPVXMLElement* root)
{
  return this->Superclass::SaveXMLState(root); // calls the overload below
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
  this->Internals->FollowsData = true;
  this->Internals->Walls.RunHasUpdated();
  this->Internals->Guard.Start(); // the scene may be newer than the run
  this->Internals->Time.Start();
  this->TakeSteeringEvents();
  this->Internals->Materials.NameInColorMap();
  if (vtkSMDEMFirstLook::HasWindow(this))
  {
    this->Internals->Materials.FillLists();
  }
  this->Internals->FollowsData = false;
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::TakeSteeringEvents()
{
  // Update all information properties: otherwise State of the Run in the panel would not change
  // after Apply.
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
