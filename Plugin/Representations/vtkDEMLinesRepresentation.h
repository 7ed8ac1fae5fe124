/**
 * @class   vtkDEMLinesRepresentation
 * @brief   shows contacts as lines, and the grains of those that are selected
 *
 * A selected line that has the cell arrays ContactPoint (m) and Overlap (m), as those of
 * vtkDEMContactNetwork have, also shows its two grains as spheres in the colour of the
 * selection, 1.02 of their size. Their radii follow from the contact point, which lies in the
 * middle of the overlap. Of a contact with a wall (cell array WallContact) the grain is shown.
 */

#ifndef vtkDEMLinesRepresentation_h
#define vtkDEMLinesRepresentation_h

#include "vtkGeometryRepresentationWithFaces.h"
#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSmartPointer.h"                   // for vtkSmartPointer

class vtkDataObject;
class vtkDEMSpheresActor;
class vtkPointGaussianMapper;

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMLinesRepresentation
  : public vtkGeometryRepresentationWithFaces
{
public:
  static vtkDEMLinesRepresentation* New();
  vtkTypeMacro(vtkDEMLinesRepresentation, vtkGeometryRepresentationWithFaces);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  int ProcessViewRequest(
    vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo) override;

  void SetVisibility(bool visible) override;

protected:
  vtkDEMLinesRepresentation();
  ~vtkDEMLinesRepresentation() override;

  bool AddToView(vtkView* view) override;
  bool RemoveFromView(vtkView* view) override;

private:
  vtkDEMLinesRepresentation(const vtkDEMLinesRepresentation&) = delete;
  void operator=(const vtkDEMLinesRepresentation&) = delete;

  void ShowGrains(vtkInformation* inInfo);

  vtkSmartPointer<vtkPointGaussianMapper> Mapper;
  vtkSmartPointer<vtkDEMSpheresActor> Grains;
  vtkSmartPointer<vtkDataObject> Shown; // that the grains were made of
  vtkMTimeType ShownTime = 0;
};

#endif
