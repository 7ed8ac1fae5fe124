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

  // Its input is that of the actor which the base class shows.
  explicit vtkDEMShapesRepresentation(vtkSmartPointer<vtkPolyDataMapper> mapper);

  vtkSmartPointer<vtkPolyDataMapper> Mapper;
};

#endif
