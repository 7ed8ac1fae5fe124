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
 * the user changes in the map stays.
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

#include <string> // for std::string

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMRunProxy : public vtkSMSourceProxy
{
public:
  static vtkSMDEMRunProxy* New();
  vtkTypeMacro(vtkSMDEMRunProxy, vtkSMSourceProxy);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void MarkModified(vtkSMProxy* modifiedProxy) override;

  ///@{
  /**
   * Names of files that are empty are left out: for each that is there, ParaView asks for data files when it loads the state.
   */
  vtkPVXMLElement* SaveXMLState(vtkPVXMLElement* root) override;
  vtkPVXMLElement* SaveXMLState(vtkPVXMLElement* root, vtkSMPropertyIterator* iter) override;
  ///@}

protected:
  vtkSMDEMRunProxy();
  ~vtkSMDEMRunProxy() override;

  void CreateVTKObjects() override;
  void PostUpdateData(bool usingCache) override;

private:
  vtkSMDEMRunProxy(const vtkSMDEMRunProxy&) = delete;
  void operator=(const vtkSMDEMRunProxy&) = delete;

  void TakeSteeringEvents();
  void NameMaterials();
  std::string NamedMaterials;

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
