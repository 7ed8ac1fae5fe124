/**
 * The list of walls in the panel of a run (property `WallInputs`): a check box for each surface of
 * the pipeline, by name. ParaView 5.11 has no widget for an input with several connections.
 *
 * The list and the input `Walls` follow each other. `Walls` is what counts and what states keep. In
 * a window, walls that are chosen after the first Apply are hidden, as ParaView hides the inputs of
 * a new filter. A run without the property `WallInputs` has no list; all functions then do nothing.
 */

#ifndef vtkSMDEMWallList_h
#define vtkSMDEMWallList_h

#include "vtkObject.h"
#include "vtkSMProxy.h"
#include "vtkWeakPointer.h"

#include <string>
#include <utility>
#include <vector>

class vtkSMSourceProxy;

class vtkSMDEMWallList
{
public:
  /**
   * `run` owns this object.
   */
  explicit vtkSMDEMWallList(vtkSMSourceProxy* run);
  ~vtkSMDEMWallList();
  vtkSMDEMWallList(const vtkSMDEMWallList&) = delete;
  void operator=(const vtkSMDEMWallList&) = delete;

  /**
   * To be called when a property of the run has changed.
   */
  void PropertyModified(const std::string& name);

  /**
   * To be called before the run sends its properties to the server: connects the walls that a new
   * list chooses and hides them.
   */
  void Apply();

  /**
   * In a window, keeps the names to choose from up to date with the sources of the pipeline.
   */
  void WatchSources();

  /**
   * To be called after an update of the run.
   */
  void RunHasUpdated() { this->HasUpdated = true; }

private:
  void Connect();
  void List(std::vector<std::string> choices);
  void List();
  void OnRegistration(vtkObject*, unsigned long, void* data);
  void Offer();
  void HideNew();

  vtkSMSourceProxy* Run;
  bool Changing = false; // the properties, by this object
  bool IsNew = false;    // the list, since the last Apply()
  bool HasUpdated = false;
  std::vector<vtkWeakPointer<vtkSMProxy>> Known; // walls at the last Apply()
  std::vector<std::pair<vtkWeakPointer<vtkObject>, unsigned long>> Observers;
};

#endif
