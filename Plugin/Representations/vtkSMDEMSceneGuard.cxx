#include "vtkSMDEMSceneGuard.h"

#include "vtkSMDEMFirstLook.h"

#include "vtkAnimationCue.h"
#include "vtkCommand.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"

#include <utility>

//------------------------------------------------------------------------------
vtkSMDEMSceneGuard::vtkSMDEMSceneGuard(vtkSMSourceProxy* run, std::function<void()> playChanged)
  : Run(run)
  , PlayChanged(std::move(playChanged))
{
}

//------------------------------------------------------------------------------
vtkSMDEMSceneGuard::~vtkSMDEMSceneGuard()
{
  if (this->Scene)
  {
    for (unsigned long observer : this->Observers)
    {
      this->Scene->RemoveObserver(observer);
    }
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMSceneGuard::Start()
{
  // Scripts have no clicks, and may observe ticks.
  if (this->Scene || !vtkSMDEMFirstLook::HasWindow(this->Run))
  {
    return;
  }
  vtkSMProxy* proxy =
    this->Run->GetSessionProxyManager()->FindProxy("animation", "animation", "AnimationScene");
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
    this->Observers[i] =
      scene->AddObserver(events[i], this, &vtkSMDEMSceneGuard::OnSceneEvent, before_window);
  }
}

//------------------------------------------------------------------------------
bool vtkSMDEMSceneGuard::OnSceneEvent(vtkObject* scene, unsigned long event, void* data)
{
  if (event == vtkCommand::AnimationCueTickEvent)
  {
    if (this->Plays)
    {
      return false;
    }
    // Do what the window does at this event, except handling clicks: set the scene's property to
    // the time of the tick, which the time field shows. The scene does not tick again meanwhile.
    vtkSMProxy* proxy =
      this->Run->GetSessionProxyManager()->FindProxy("animation", "animation", "AnimationScene");
    const auto* tick = static_cast<vtkAnimationCue::AnimationCueInfo*>(data);
    if (proxy && tick && proxy->GetClientSideObject() == scene)
    {
      vtkSMPropertyHelper(proxy, "AnimationTime").Set(tick->AnimationTime);
      proxy->UpdateProperty("AnimationTime");
    }
    return true; // stops the event
  }
  this->Plays = event == vtkCommand::StartEvent;
  this->PlayChanged();
  return false;
}
