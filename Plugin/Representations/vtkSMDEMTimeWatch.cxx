#include "vtkSMDEMTimeWatch.h"

#include "vtkSMDEMFirstLook.h"

#include "vtkCommand.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"

#include <string>

//------------------------------------------------------------------------------
vtkSMDEMTimeWatch::vtkSMDEMTimeWatch(vtkSMSourceProxy* run)
  : Run(run)
{
}

//------------------------------------------------------------------------------
vtkSMDEMTimeWatch::~vtkSMDEMTimeWatch()
{
  if (this->TimeKeeper)
  {
    this->TimeKeeper->RemoveObserver(this->Observer);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMTimeWatch::Start()
{
  if (this->TimeKeeper || !this->Run->GetProperty("WatchedTime") ||
    !vtkSMDEMFirstLook::HasWindow(this->Run))
  {
    return;
  }
  if (vtkSMProxy* keeper =
        this->Run->GetSessionProxyManager()->FindProxy("timekeeper", "misc", "TimeKeeper"))
  {
    this->TimeKeeper = keeper;
    this->Observer = keeper->AddObserver(
      vtkCommand::PropertyModifiedEvent, this, &vtkSMDEMTimeWatch::OnTimeKeeperEvent);
    this->OnTimeKeeperEvent(keeper, vtkCommand::PropertyModifiedEvent, nullptr);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMTimeWatch::SetScenePlays(bool plays)
{
  this->ScenePlays = plays;
  if (this->TimeKeeper)
  {
    this->OnTimeKeeperEvent(this->TimeKeeper, vtkCommand::PropertyModifiedEvent, nullptr);
  }
}

//------------------------------------------------------------------------------
void vtkSMDEMTimeWatch::OnTimeKeeperEvent(vtkObject* timeKeeper, unsigned long, void* property)
{
  const char* name = static_cast<const char*>(property);
  if (!name || std::string(name) == "Time")
  {
    const double noTime = -1;
    vtkSMPropertyHelper(this->Run, "WatchedTime")
      .Set(this->ScenePlays
          ? noTime
          : vtkSMPropertyHelper(vtkSMProxy::SafeDownCast(timeKeeper), "Time").GetAsDouble());
    this->Run->UpdateProperty("WatchedTime");
  }
}
