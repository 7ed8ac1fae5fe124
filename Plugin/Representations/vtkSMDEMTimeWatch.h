/**
 * In a window, tells a run the time that the scene shows (property `WatchedTime`), for Monitor In
 * Window.
 */

#ifndef vtkSMDEMTimeWatch_h
#define vtkSMDEMTimeWatch_h

#include "vtkObject.h"
#include "vtkWeakPointer.h"

class vtkSMSourceProxy;

class vtkSMDEMTimeWatch
{
public:
  /**
   * `run` owns this object.
   */
  explicit vtkSMDEMTimeWatch(vtkSMSourceProxy* run);
  ~vtkSMDEMTimeWatch();
  vtkSMDEMTimeWatch(const vtkSMDEMTimeWatch&) = delete;
  void operator=(const vtkSMDEMTimeWatch&) = delete;

  /**
   * Starts to watch the time keeper of the session, if there is a window and the run has the
   * property `WatchedTime`. May be called again.
   */
  void Start();

  /**
   * Sets WatchedTime to the time of the scene, or to -1 (no time) while the scene `plays`.
   */
  void SetScenePlays(bool plays);

private:
  void OnTimeKeeperEvent(vtkObject* timeKeeper, unsigned long event, void* property);

  vtkSMSourceProxy* Run;
  vtkWeakPointer<vtkObject> TimeKeeper;
  unsigned long Observer = 0;
  bool ScenePlays = false;
};

#endif
