/**
 * @class   vtkDEMSpheresRepresentation
 * @brief   shows points as shaded spheres of their true radius
 *
 * Every point is drawn as a sprite that is shaded like a sphere, scaled by the point array `Radius`
 * (m). Data without that array gets spheres of 0.5 % of the diagonal of its bounds. Bounds include
 * the radii, so that nothing is cut off at the borders of the view or of a rank's image; opaque
 * spheres need no ordered compositing, so data stays where it is under MPI.
 */

#ifndef vtkDEMSpheresRepresentation_h
#define vtkDEMSpheresRepresentation_h

#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkPointGaussianRepresentation.h"

class vtkDEMSpheresActor;

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

protected:
  vtkDEMSpheresRepresentation();
  ~vtkDEMSpheresRepresentation() override;

private:
  vtkDEMSpheresRepresentation(const vtkDEMSpheresRepresentation&) = delete;
  void operator=(const vtkDEMSpheresRepresentation&) = delete;

  double RadiusFactor = 1;
  vtkSmartPointer<vtkDEMSpheresActor> SpheresActor;
};

#endif
