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
 *
 * Selected grains are covered by shells of 1.02 of their size, in the colour of the selection.
 * ParaView's own mark of a selected point is drawn at its centre, inside the grain.
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

  // Grains as they are drawn: spheres by sprites, other shapes by glyphs.
  struct Grains
  {
    vtkSmartPointer<vtkPointGaussianMapper> Mapper;
    vtkSmartPointer<vtkDEMSpheresActor> Actor;
    vtkSmartPointer<vtkGlyph3DMapper> GlyphMapper;
    vtkSmartPointer<vtkActor> GlyphActor;
    vtkSmartPointer<vtkDataObject> Shown;   // that the glyphs were made of
    vtkSmartPointer<vtkDataObject> Sprites; // what of it is spheres
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
