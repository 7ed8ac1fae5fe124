/**
 * @class   vtkDEMShellsRepresentation
 * @brief   base of representations that show shells around selected grains
 *
 * Abstract. Shows surfaces or lines. ParaView marks selected cells itself; this representation also
 * shows shells of whole grains in the colour of the selection. Subclasses make the shells from the
 * selected cells.
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
   * `shells` is an actor with a mapper, whose input MakeShells sets.
   */
  explicit vtkDEMShellsRepresentation(vtkSmartPointer<vtkActor> shells);
  ~vtkDEMShellsRepresentation() override;

  bool AddToView(vtkView* view) override;
  bool RemoveFromView(vtkView* view) override;

  /**
   * Makes the shells of the selected cells `selected` of the data `shown`, which may be null.
   * Called when one of them has changed.
   */
  virtual void MakeShells(vtkDataObject* selected, vtkDataObject* shown) = 0;

private:
  vtkDEMShellsRepresentation(const vtkDEMShellsRepresentation&) = delete;
  void operator=(const vtkDEMShellsRepresentation&) = delete;

  void ShowShells(vtkInformation* inInfo);

  vtkSmartPointer<vtkActor> Shells;
  // The data that the shells were made of, and the time of that.
  vtkSmartPointer<vtkDataObject> Selected;
  vtkSmartPointer<vtkDataObject> Shown;
  vtkMTimeType MadeTime = 0;
};

#endif
