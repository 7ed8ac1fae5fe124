#include "vtkSMDEMRunProxy.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"
#include "vtkPVProgressHandler.h"
#include "vtkPVXMLElement.h"
#include "vtkSMDomainIterator.h"
#include "vtkSMFileListDomain.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMPropertyIterator.h"
#include "vtkSMSession.h"
#include "vtkSMSessionProxyManager.h"

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

} // namespace

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
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::CreateVTKObjects()
{
  this->Superclass::CreateVTKObjects();
  this->GuardScene();
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::GuardScene()
{
  vtkSMSession* session = this->GetSession();
  // The window is what shows progress; a script has no clicks, and may want the events of a tick.
  if (this->Scene || !session || !session->GetProgressHandler() ||
    !session->GetProgressHandler()->HasObserver(vtkCommand::ProgressEvent))
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
  this->TakeSteeringEvents();
  this->NameMaterials();
}

//------------------------------------------------------------------------------
void vtkSMDEMRunProxy::NameMaterials()
{
  const std::string inUse = vtkSMPropertyHelper(this, "MaterialsInUse", /*quiet=*/true).GetAsString();
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
