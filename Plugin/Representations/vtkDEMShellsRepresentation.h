/**
 * @class   vtkDEMShellsRepresentation
 * @brief   shows surfaces or lines, and shells around the grains that belong to what is selected
 *
 * ParaView marks a selected cell itself. This representation also shows whole grains, in the colour
 * of the selection. Subclasses make them of what is selected.
 */

#ifndef vtkDEMShellsRepresentation_h
#define vtkDEMShellsRepresentation_h

#include "vtkGeometryRepresentationWithFaces.h"
#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSmartPointer.h"                   // for vtkSmartPointer

class vtkActor;
class vtkDataObject;
class vtkMapper;

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMShellsRepresentation
  : public vtkGeometryRepresentationWithFaces
{
public:
  vtkAbstractTypeMacro(vtkDEMShellsRepresentation, vtkGeometryRepresentationWithFaces);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  int ProcessViewRequest(
    vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo) override;

  void SetVisibility(bool visible) override;

protected:
  /**
   * The actor has a mapper for the shells, which MakeShells gives its input.
   */
  explicit vtkDEMShellsRepresentation(vtkSmartPointer<vtkActor> shells);
  ~vtkDEMShellsRepresentation() override;

  bool AddToView(vtkView* view) override;
  bool RemoveFromView(vtkView* view) override;

  /**
   * Called when `selected` or `shown` has changed; `shown` may be null.
   */
  virtual void MakeShells(vtkDataObject* selected, vtkDataObject* shown) = 0;

private:
  vtkDEMShellsRepresentation(const vtkDEMShellsRepresentation&) = delete;
  void operator=(const vtkDEMShellsRepresentation&) = delete;

  void ShowShells(vtkInformation* inInfo);

  vtkSmartPointer<vtkActor> Shells;
  // What the shells were made of, and when that was.
  vtkSmartPointer<vtkDataObject> Selected;
  vtkSmartPointer<vtkDataObject> Shown;
  vtkMTimeType MadeTime = 0;
};

#endif
