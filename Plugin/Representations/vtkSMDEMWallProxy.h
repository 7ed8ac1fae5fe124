/**
 * @class   vtkSMDEMWallProxy
 * @brief   proxy of DEM Wall, whose kinds other than Mesh have no input
 *
 * In XML: `<DEMWallProxy>` instead of `<SourceProxy>`. Scripts and the menu Filters give a new
 * filter the active source as its input. This proxy removes it when the kind changes from Mesh to
 * another one. Otherwise an analytic wall that a script makes after its simulation would depend on
 * the simulation, which could then not take the wall: the pipeline would be a loop.
 */

#ifndef vtkSMDEMWallProxy_h
#define vtkSMDEMWallProxy_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSMSourceProxy.h"

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkSMDEMWallProxy : public vtkSMSourceProxy
{
public:
  static vtkSMDEMWallProxy* New();
  vtkTypeMacro(vtkSMDEMWallProxy, vtkSMSourceProxy);

  void UpdateVTKObjects() override;

protected:
  vtkSMDEMWallProxy();
  ~vtkSMDEMWallProxy() override;

private:
  vtkSMDEMWallProxy(const vtkSMDEMWallProxy&) = delete;
  void operator=(const vtkSMDEMWallProxy&) = delete;

  bool HadInput = true; // at the last update, by Kind and AddMotion
};

#endif
