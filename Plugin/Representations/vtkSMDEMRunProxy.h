/**
 * @class   vtkSMDEMRunProxy
 * @brief   proxy of a run that writes one of its properties itself
 *
 * `SteeringEvents` is set from outside, by a state file or a script, and grows when the user steers
 * the run. The server knows what it is; this proxy takes it over from the information property
 * `SteeringEventsInUse` after every update, and after a command such as Reset, so that any kind of
 * state that is saved then has it. Information properties are asked for after every update, so that
 * the panel follows the run, with or without `SteeringEvents`. In XML: `<DEMRunProxy>` in place of
 * `<SourceProxy>`.
 */

#ifndef vtkSMDEMRunProxy_h
#define vtkSMDEMRunProxy_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSMSourceProxy.h"

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

  void PostUpdateData(bool usingCache) override;

private:
  vtkSMDEMRunProxy(const vtkSMDEMRunProxy&) = delete;
  void operator=(const vtkSMDEMRunProxy&) = delete;

  void TakeSteeringEvents();
};

#endif
