/**
 * @class   vtkDEMSpheresRepresentation
 * @brief   shows points as shaded spheres of their true radius
 *
 * Draws every point as a sprite that is shaded like a sphere, scaled by the point array `Radius`
 * (m). Without that array, radii are 0.5 % of the diagonal of the bounds. Bounds include the radii,
 * so that no sphere is cut off at the borders of the view or of the image of a rank. Opaque spheres
 * need no ordered compositing, so data are not redistributed under MPI.
 *
 * Grains of other shapes (point arrays Shape, Orientation and Scale, field data ShapeDefinitions)
 * are drawn by glyphs of their shape, which are coarser for many grains.
 *
 * Selected grains are covered by shells of 1.02 times their size in the colour of the selection.
 * ParaView's own mark of a selected point is inside the grain.
 */

#ifndef vtkDEMSpheresRepresentation_h
#define vtkDEMSpheresRepresentation_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkPointGaussianRepresentation.h"

class vtkActor;
class vtkDEMSpheresActor;
class vtkDataArray;
class vtkDataObject;
class vtkDataSet;
class vtkFieldData;
class vtkGlyph3DMapper;
class vtkPointGaussianMapper;

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMSpheresRepresentation
  : public vtkPointGaussianRepresentation
{
public:
  static vtkDEMSpheresRepresentation* New();
  vtkTypeMacro(vtkDEMSpheresRepresentation, vtkPointGaussianRepresentation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Radius shown over true radius, without unit; default 1, > 0.
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

  // Pipeline of drawn grains: spheres as sprites, other shapes as glyphs.
  struct Grains
  {
    vtkSmartPointer<vtkPointGaussianMapper> Mapper;
    vtkSmartPointer<vtkDEMSpheresActor> Actor;
    vtkSmartPointer<vtkGlyph3DMapper> GlyphMapper;
    vtkSmartPointer<vtkActor> GlyphActor;
    vtkSmartPointer<vtkDataObject> Shown;   // data that the glyphs were made of
    vtkSmartPointer<vtkDataObject> Sprites; // the spheres of Shown
    vtkMTimeType ShownTime = 0;
    bool HasGlyphs = false;
  };

  static void SetUp(Grains& grains);
  void Show(Grains& grains, vtkDataObject* data, double factor, double radius);
  void ShowShapes(Grains& grains, vtkDataObject* object, double factor);
  void MakeGlyphs(Grains& grains, vtkDataSet* data, vtkFieldData* field, vtkDataArray* shape);
  void ShowSelection(vtkInformation* inInfo, double radius);

  double RadiusFactor = 1;
  Grains All;
  Grains Selected;
};

#endif
