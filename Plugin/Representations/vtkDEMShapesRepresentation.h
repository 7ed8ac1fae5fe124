/**
 * @class   vtkDEMShapesRepresentation
 * @brief   shows surfaces of grains, and each grain of which something is selected as a whole
 *
 * For surfaces with the cell array Id, as vtkDEMShapes makes them: a pick selects one facet, which
 * is hardly seen. All facets with the Id of a selected one are drawn once more in the colour of the
 * selection, 1.02 times as far from the middle of their grain.
 */

#ifndef vtkDEMShapesRepresentation_h
#define vtkDEMShapesRepresentation_h

#include "vtkGeometryRepresentationWithFaces.h"
#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSmartPointer.h"                   // for vtkSmartPointer

class vtkActor;
class vtkDataObject;
class vtkPolyDataMapper;

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMShapesRepresentation
  : public vtkGeometryRepresentationWithFaces
{
public:
  static vtkDEMShapesRepresentation* New();
  vtkTypeMacro(vtkDEMShapesRepresentation, vtkGeometryRepresentationWithFaces);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  int ProcessViewRequest(
    vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo) override;

  void SetVisibility(bool visible) override;

protected:
  vtkDEMShapesRepresentation();
  ~vtkDEMShapesRepresentation() override;

  bool AddToView(vtkView* view) override;
  bool RemoveFromView(vtkView* view) override;

private:
  vtkDEMShapesRepresentation(const vtkDEMShapesRepresentation&) = delete;
  void operator=(const vtkDEMShapesRepresentation&) = delete;

  void ShowGrains(vtkInformation* inInfo);

  vtkSmartPointer<vtkPolyDataMapper> ShellMapper;
  vtkSmartPointer<vtkActor> Shells;
  // What the shells were made of: the selection and the surfaces, and when that was.
  vtkSmartPointer<vtkDataObject> Selected;
  vtkSmartPointer<vtkDataObject> Surfaces;
  vtkMTimeType MadeTime = 0;
};

#endif
