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

#include "vtkDEMShellsRepresentation.h"
#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSmartPointer.h"                   // for vtkSmartPointer

class vtkDEMSpheresActor;
class vtkPointGaussianMapper;

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMLinesRepresentation
  : public vtkDEMShellsRepresentation
{
public:
  static vtkDEMLinesRepresentation* New();
  vtkTypeMacro(vtkDEMLinesRepresentation, vtkDEMShellsRepresentation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkDEMLinesRepresentation();
  ~vtkDEMLinesRepresentation() override;

  void MakeShells(vtkDataObject* selected, vtkDataObject* shown) override;

private:
  vtkDEMLinesRepresentation(const vtkDEMLinesRepresentation&) = delete;
  void operator=(const vtkDEMLinesRepresentation&) = delete;

  // Of the actor that the base class shows.
  explicit vtkDEMLinesRepresentation(vtkSmartPointer<vtkPointGaussianMapper> mapper);
  vtkDEMLinesRepresentation(vtkSmartPointer<vtkPointGaussianMapper> mapper,
    const vtkSmartPointer<vtkDEMSpheresActor>& grains);

  vtkSmartPointer<vtkPointGaussianMapper> Mapper;
  vtkSmartPointer<vtkDEMSpheresActor> Grains;
};

#endif
