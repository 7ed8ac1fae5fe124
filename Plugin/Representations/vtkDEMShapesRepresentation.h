/**
 * @class   vtkDEMShapesRepresentation
 * @brief   shows surfaces of grains, and marks selected grains as a whole
 *
 * For surfaces with the cell array Id, as of vtkDEMShapes. A pick selects one facet, which is
 * hardly visible. Therefore all facets with the Id of a selected one are drawn again in the colour
 * of the selection, 1.02 times as far from the middle of their grain.
 */

#ifndef vtkDEMShapesRepresentation_h
#define vtkDEMShapesRepresentation_h

#include "vtkDEMShellsRepresentation.h"
#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSmartPointer.h"                   // for vtkSmartPointer

class vtkPolyDataMapper;

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMShapesRepresentation
  : public vtkDEMShellsRepresentation
{
public:
  static vtkDEMShapesRepresentation* New();
  vtkTypeMacro(vtkDEMShapesRepresentation, vtkDEMShellsRepresentation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkDEMShapesRepresentation();
  ~vtkDEMShapesRepresentation() override;

  void MakeShells(vtkDataObject* selected, vtkDataObject* shown) override;

private:
  vtkDEMShapesRepresentation(const vtkDEMShapesRepresentation&) = delete;
  void operator=(const vtkDEMShapesRepresentation&) = delete;

  // Mapper of the actor of the base class.
  explicit vtkDEMShapesRepresentation(vtkSmartPointer<vtkPolyDataMapper> mapper);

  vtkSmartPointer<vtkPolyDataMapper> Mapper;
};

#endif
