/**
 * @class   vtkSMDEMRunProxy
 * @brief   proxy of a run that writes one of its properties itself
 *
 * `SteeringEvents` is set from outside, by a state file or a script, and grows when the user steers
 * the run. The server knows what it is; this proxy takes it over from the information property
 * `SteeringEventsInUse` after every update, and after a command such as Reset, so that any kind of
 * state that is saved then has it. Information properties are asked for after every update, so that
 * the panel follows the run, with or without `SteeringEvents`. In XML: `<DEMRunProxy>` instead of
 * `<SourceProxy>`.
 *
 * The names of the materials (`MaterialsInUse`) become the annotations of the colour map of
 * `Material`, if there is one. They are written when the materials of the run change, so that what
 * the user changes in the map stays. In the window, lists of materials that a script left empty get
 * the values of the grain material, which the run takes for them, so that the panel shows these.
 *
 * `WallInputs` is the input `Walls` as a list with a box for each surface of the pipeline, by name:
 * ParaView 5.11 has no widget for an input with several connections. Each of the two follows the
 * other; `Walls` is what counts and what states keep. In the window, walls that are chosen after
 * the first Apply are hidden, as ParaView hides the inputs of a new filter.
 *
 * Messages of a run name its inputs as the pipeline browser does. Only the client knows these
 * names; this proxy sends them when they change.
 *
 * In a window it tells the run the time that the scene shows (`WatchedTime`), and none while the
 * scene plays, for Monitor In Window.
 *
 * It also keeps the window of ParaView 5.11 alive. When the scene shows a single time (Next Frame,
 * the time field), the window handles the clicks that were made meanwhile before the scene has left
 * its tick. A click on Play then ticks the scene again, which its assertion forbids. Such events of
 * single ticks are stopped here, and the clicks are handled after the tick.
 */

#ifndef vtkSMDEMRunProxy_h
#define vtkSMDEMRunProxy_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSMSourceProxy.h"
#include "vtkWeakPointer.h" // for the animation scene

#include <map>     // for std::map
#include <string>  // for std::string
#include <utility> // for std::pair
#include <vector>  // for std::vector

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMRunProxy : public vtkSMSourceProxy
{
public:
  static vtkSMDEMRunProxy* New();
  vtkTypeMacro(vtkSMDEMRunProxy, vtkSMSourceProxy);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void MarkModified(vtkSMProxy* modifiedProxy) override;

  ///@{
  /**
   * Also tell the run the names of its inputs in the pipeline, for its messages.
   */
  void UpdateVTKObjects() override;
  void UpdatePipeline() override;
  void UpdatePipeline(double time) override;
  ///@}

  ///@{
  /**
   * Names of files that are empty are left out: for each that is there, ParaView asks for data
   * files when it loads the state. So is the list of walls, which the input `Walls` repeats.
   */
  vtkPVXMLElement* SaveXMLState(vtkPVXMLElement* root) override;
  vtkPVXMLElement* SaveXMLState(vtkPVXMLElement* root, vtkSMPropertyIterator* iter) override;
  ///@}

protected:
  vtkSMDEMRunProxy();
  ~vtkSMDEMRunProxy() override;

  void CreateVTKObjects() override;
  void SetPropertyModifiedFlag(const char* name, int flag) override;
  void PostUpdateData(bool usingCache) override;

private:
  vtkSMDEMRunProxy(const vtkSMDEMRunProxy&) = delete;
  void operator=(const vtkSMDEMRunProxy&) = delete;

  void TakeSteeringEvents();
  void NameMaterials();
  void FillMaterials();
  std::string NamedMaterials;

  ///@{
  /**
   * The list of walls: boxes to connections, connections to boxes, names to choose from, which
   * follow the sources of the pipeline where there is a window, and what was chosen to be hidden.
   */
  void ConnectWalls();
  void ListWalls(std::vector<std::string> choices);
  void ListWalls();
  void WatchSources();
  void OnRegistration(vtkObject*, unsigned long, void* data);
  void OfferWalls();
  void HideWalls();
  bool ChangesWalls = false; // by this proxy itself
  bool HasNewList = false;
  bool HasUpdated = false;
  std::vector<vtkWeakPointer<vtkSMProxy>> KnownWalls;
  std::vector<std::pair<vtkWeakPointer<vtkObject>, unsigned long>> SourceObservers;
  ///@}

  void SendInputNames();
  std::map<std::pair<int, int>, std::string> InputNames; // that were sent, by port and index
  void WatchTime();
  void OnTimeKeeperEvent(vtkObject* timeKeeper, unsigned long event, void* property);
  vtkWeakPointer<vtkObject> TimeKeeper;
  unsigned long TimeKeeperObserver = 0;

  ///@{
  /**
   * Stops the tick events of the animation scene that are not part of Play, if there is a window.
   */
  void GuardScene();
  bool OnSceneEvent(vtkObject* scene, unsigned long event, void* data);
  vtkWeakPointer<vtkObject> Scene;
  unsigned long SceneObservers[3] = { 0, 0, 0 };
  bool ScenePlays = false;
  ///@}
};

#endif
