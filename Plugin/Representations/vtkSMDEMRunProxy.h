/**
 * @class   vtkSMDEMRunProxy
 * @brief   proxy of a run that writes one of its properties itself
 *
 * In XML: `<DEMRunProxy>` instead of `<SourceProxy>`. It adds to a source proxy:
 *
 * - Steering events. A state file or a script sets `SteeringEvents`; the run appends to it when the
 * user steers. After every update, and after a command such as Reset, this proxy copies the
 * information property `SteeringEventsInUse` into `SteeringEvents`, so that saved states have it.
 * - Information properties are updated after every update, so that the panel follows the run.
 * - The materials in the colour map and the panel (vtkSMDEMMaterials).
 * - The list of walls (vtkSMDEMWallList).
 * - The names of inputs in messages (vtkSMDEMPipelineNames): only the client knows these names, and
 * this proxy sends them when they change.
 * - The time that the scene shows (vtkSMDEMTimeWatch).
 * - Protection of the scene against clicks during a tick (vtkSMDEMSceneGuard).
 */

#ifndef vtkSMDEMRunProxy_h
#define vtkSMDEMRunProxy_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSMSourceProxy.h"

#include <memory> // for std::unique_ptr

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMRunProxy : public vtkSMSourceProxy
{
public:
  static vtkSMDEMRunProxy* New();
  vtkTypeMacro(vtkSMDEMRunProxy, vtkSMSourceProxy);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void MarkModified(vtkSMProxy* modifiedProxy) override;

  ///@{
  /**
   * Also send the names of the inputs to the run.
   */
  void UpdateVTKObjects() override;
  void UpdatePipeline() override;
  void UpdatePipeline(double time) override;
  ///@}

  ///@{
  /**
   * States omit empty file names, since ParaView opens its dialog for data files for each of them
   * when it loads the state. They also omit the list of walls, which repeats the input `Walls`.
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
  void SendInputNames();

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
