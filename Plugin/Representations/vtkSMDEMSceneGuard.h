/**
 * Keeps the window of ParaView 5.11 alive while a run computes.
 *
 * When the scene shows a single time (Next Frame, the time field), the window handles clicks that
 * were made meanwhile before the scene has left its tick. A click on Play then ticks the scene
 * again, which fails an assertion of the scene. This class stops the events of single ticks; the
 * window handles the clicks after the tick.
 */

#ifndef vtkSMDEMSceneGuard_h
#define vtkSMDEMSceneGuard_h

#include "vtkObject.h"
#include "vtkWeakPointer.h"

#include <functional>

class vtkSMSourceProxy;

class vtkSMDEMSceneGuard
{
public:
  /**
   * `run` owns this object. `playChanged` is called when the scene has begun or ended to play.
   */
  vtkSMDEMSceneGuard(vtkSMSourceProxy* run, std::function<void()> playChanged);
  ~vtkSMDEMSceneGuard();
  vtkSMDEMSceneGuard(const vtkSMDEMSceneGuard&) = delete;
  void operator=(const vtkSMDEMSceneGuard&) = delete;

  /**
   * Starts to watch the animation scene, if there is one and there is a window. May be called
   * again.
   */
  void Start();

  bool ScenePlays() const { return this->Plays; }

private:
  bool OnSceneEvent(vtkObject* scene, unsigned long event, void* data);

  vtkSMSourceProxy* Run;
  std::function<void()> PlayChanged;
  vtkWeakPointer<vtkObject> Scene;
  unsigned long Observers[3] = { 0, 0, 0 };
  bool Plays = false;
};

#endif
