/**
 * @class   vtkDEMWallsRepresentation
 * @brief   shows walls as translucent surfaces, so that the grains behind them are visible
 *
 * A surface representation whose opacity is multiplied by `WallOpacity`. The walls of a run are on
 * one rank, so they need no ordered compositing and are not redistributed under MPI.
 *
 * From the field data `Box`, `Gravity` and `ClosedBorders` of a run, also draws the outline of its
 * domain and, if grains cannot fall out of it, its floor. Both are part of the bounds of the view,
 * but not of the data, and cannot be selected.
 */

#ifndef vtkDEMWallsRepresentation_h
#define vtkDEMWallsRepresentation_h

#include "vtkGeometryRepresentationWithFaces.h"
#include "vtkParaGrainRepresentationsModule.h" // for export macro
#include "vtkSmartPointer.h"                   // for actors

class vtkActor;
class vtkPolyData;

class VTKPARAGRAINREPRESENTATIONS_EXPORT vtkDEMWallsRepresentation
  : public vtkGeometryRepresentationWithFaces
{
public:
  static vtkDEMWallsRepresentation* New();
  vtkTypeMacro(vtkDEMWallsRepresentation, vtkGeometryRepresentationWithFaces);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Factor of the opacity, without unit; default 0.2, 0 to 1.
   */
  void SetWallOpacity(double factor);
  vtkGetMacro(WallOpacity, double);
  ///@}

  ///@{
  /**
   * Draw the outline and the floor of the domain; default on.
   */
  void SetDomainOutline(bool shown);
  vtkGetMacro(DomainOutline, bool);
  ///@}

  void SetOpacity(double opacity) override;
  void SetVisibility(bool visible) override;
  void SetOrientation(double x, double y, double z) override;
  void SetOrigin(double x, double y, double z) override;
  void SetPosition(double x, double y, double z) override;
  void SetScale(double x, double y, double z) override;
  int ProcessViewRequest(
    vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo) override;

protected:
  vtkDEMWallsRepresentation();
  ~vtkDEMWallsRepresentation() override;

  bool NeedsOrderedCompositing() override;
  int RequestData(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;
  bool AddToView(vtkView* view) override;
  bool RemoveFromView(vtkView* view) override;

private:
  vtkDEMWallsRepresentation(const vtkDEMWallsRepresentation&) = delete;
  void operator=(const vtkDEMWallsRepresentation&) = delete;

  void ShowDomain();

  double WallOpacity = 0.2;
  double DisplayOpacity = 1;
  bool DomainOutline = true;
  vtkSmartPointer<vtkPolyData> Domain; ///< outline as lines, floor as a polygon; may be empty
  vtkSmartPointer<vtkActor> Outline;
  vtkSmartPointer<vtkActor> Floor;
};

#endif
