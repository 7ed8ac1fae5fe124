/**
 * @class   vtkDEMSpheresRepresentation
 * @brief   shows points as shaded spheres of their true radius
 *
 * Every point is drawn as a sprite that is shaded like a sphere, scaled by the point array `Radius`
 * (m). Data without that array gets spheres of 0.5 % of the diagonal of its bounds. Bounds include
 * the radii, so that nothing is cut off at the borders of the view or of a rank's image; opaque
 * spheres need no ordered compositing, so data stays where it is under MPI.
 *
 * Grains of other shapes (point arrays Shape, Orientation and Scale, field data ShapeDefinitions)
 * are drawn as what they are, by glyphs; the more there are, the coarser.
 */

#ifndef vtkDEMSpheresRepresentation_h
#define vtkDEMSpheresRepresentation_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkPointGaussianRepresentation.h"

class vtkActor;
class vtkDEMSpheresActor;
class vtkDataObject;
class vtkGlyph3DMapper;

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMSpheresRepresentation
  : public vtkPointGaussianRepresentation
{
public:
  static vtkDEMSpheresRepresentation* New();
  vtkTypeMacro(vtkDEMSpheresRepresentation, vtkPointGaussianRepresentation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Shown radius over true radius, without unit; default 1, > 0.
   */
  void SetRadiusFactor(double factor);
  vtkGetMacro(RadiusFactor, double);
  ///@}

  int ProcessViewRequest(
    vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo) override;

  void SetVisibility(bool val) override;

protected:
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool AddToView(vtkView* view) override;
  bool RemoveFromView(vtkView* view) override;
  vtkDEMSpheresRepresentation();
  ~vtkDEMSpheresRepresentation() override;

private:
  vtkDEMSpheresRepresentation(const vtkDEMSpheresRepresentation&) = delete;
  void operator=(const vtkDEMSpheresRepresentation&) = delete;

  void ShowShapes(vtkDataObject* data);

  double RadiusFactor = 1;
  vtkSmartPointer<vtkDEMSpheresActor> SpheresActor;
  vtkSmartPointer<vtkGlyph3DMapper> GlyphMapper;
  vtkSmartPointer<vtkActor> GlyphActor;
  vtkSmartPointer<vtkDataObject> Shown; // that the glyphs were made of
  vtkSmartPointer<vtkDataObject> Sprites; // what of it is spheres
  vtkMTimeType ShownTime = 0;
  bool HasGlyphs = false;
};

#endif
