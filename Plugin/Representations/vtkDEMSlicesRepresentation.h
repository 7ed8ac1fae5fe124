/**
 * @class   vtkDEMSlicesRepresentation
 * @brief   shows an image as slices across x, y and z, which are seen from wherever one looks
 *
 * Each slice lies in the layer of cells, or for arrays at points in the layer of points, that
 * `Position` chooses as a part of the grid: 0 its lower, 1 its upper end. Below 0 there is no slice
 * across that axis. Colours are those of the data, without interpolation between layers.
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
   * Where the slices across x, y and z lie, as a part of the grid, without unit; default 0.5 each;
   * up to 1, below 0 for none.
   */
  void SetSlicePositions(double x, double y, double z);
  vtkGetVector3Macro(SlicePositions, double);
  ///@}

protected:
  vtkDEMSlicesRepresentation();
  ~vtkDEMSlicesRepresentation() override;

  bool NeedsOrderedCompositing() override;

private:
  vtkDEMSlicesRepresentation(const vtkDEMSlicesRepresentation&) = delete;
  void operator=(const vtkDEMSlicesRepresentation&) = delete;

  double SlicePositions[3] = { 0.5, 0.5, 0.5 };
};

#endif
