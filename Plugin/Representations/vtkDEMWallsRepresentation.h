/**
 * @class   vtkDEMWallsRepresentation
 * @brief   shows walls as translucent surfaces, so that the grains behind them are seen
 *
 * A surface as any other, whose opacity is multiplied by `WallOpacity`. The walls of a run lie on
 * one rank, so they need no ordered compositing and stay where they are under MPI.
 */

#ifndef vtkDEMWallsRepresentation_h
#define vtkDEMWallsRepresentation_h

#include "vtkGeometryRepresentationWithFaces.h"
#include "vtkParaGrainRepresentationsModule.h" // for export macro

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMWallsRepresentation
  : public vtkGeometryRepresentationWithFaces
{
public:
  static vtkDEMWallsRepresentation* New();
  vtkTypeMacro(vtkDEMWallsRepresentation, vtkGeometryRepresentationWithFaces);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Times the opacity of every display; default 0.2, 0 to 1.
   */
  void SetWallOpacity(double factor);
  vtkGetMacro(WallOpacity, double);
  ///@}

  void SetOpacity(double opacity) override;

protected:
  vtkDEMWallsRepresentation();
  ~vtkDEMWallsRepresentation() override;

  bool NeedsOrderedCompositing() override;

private:
  vtkDEMWallsRepresentation(const vtkDEMWallsRepresentation&) = delete;
  void operator=(const vtkDEMWallsRepresentation&) = delete;

  double WallOpacity = 0.2;
  double DisplayOpacity = 1;
};

#endif
