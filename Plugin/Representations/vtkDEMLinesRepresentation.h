/**
 * @class   vtkDEMLinesRepresentation
 * @brief   shows contacts as lines, and the grains of selected contacts
 *
 * For a selected line with the cell arrays ContactPoint (m) and Overlap (m), as of
 * vtkDEMContactNetwork, also shows its two grains, as spheres of 1.02 times their size in the
 * colour of the selection. Their radii follow from the contact point, which is in the middle of the
 * overlap. For a contact with a wall (cell array WallContact) the one grain is shown.
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

  // Mapper of the actor of the base class.
  explicit vtkDEMLinesRepresentation(vtkSmartPointer<vtkPointGaussianMapper> mapper);
  vtkDEMLinesRepresentation(vtkSmartPointer<vtkPointGaussianMapper> mapper,
    const vtkSmartPointer<vtkDEMSpheresActor>& grains);

  vtkSmartPointer<vtkPointGaussianMapper> Mapper;
  vtkSmartPointer<vtkDEMSpheresActor> Grains;
};

#endif
