/**
 * @class   vtkDEMSlicesRepresentation
 * @brief   shows an image as slices across x, y and z, visible from all directions
 *
 * Each slice is a layer of cells, or for point arrays a layer of points. Its position is a fraction
 * of the grid: 0 is the lower end, 1 the upper. There is no slice across an axis with a position
 * below 0. Colours are those of the data, without interpolation between layers.
 */

#ifndef vtkDEMSlicesRepresentation_h
#define vtkDEMSlicesRepresentation_h

#include "vtkGeometryRepresentationWithFaces.h"
#include "vtkParaGrainRepresentationsModule.h" // for export macro

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMSlicesRepresentation
  : public vtkGeometryRepresentationWithFaces
{
public:
  static vtkDEMSlicesRepresentation* New();
  vtkTypeMacro(vtkDEMSlicesRepresentation, vtkGeometryRepresentationWithFaces);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Positions of the slices across x, y and z, as a fraction of the grid, without unit; default 0.5
   * each, in [0, 1]; below 0 = no slice.
   */
  void SetSlicePositions(double x, double y, double z);
  vtkGetVector3Macro(SlicePositions, double);
  ///@}

protected:
  vtkDEMSlicesRepresentation();
  ~vtkDEMSlicesRepresentation() override;

  bool NeedsOrderedCompositing() override;
  void UpdateColoringParameters() override;

private:
  vtkDEMSlicesRepresentation(const vtkDEMSlicesRepresentation&) = delete;
  void operator=(const vtkDEMSlicesRepresentation&) = delete;

  double SlicePositions[3] = { 0.5, 0.5, 0.5 };
};

#endif
