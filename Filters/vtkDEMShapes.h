/**
 * @class   vtkDEMShapes
 * @brief   the true surfaces of grains
 *
 * Input: grains, any point set with the point array Radius (m). The point arrays Shape and
 * Orientation (w x y z) and the field data ShapeDefinitions define their shapes, as of DEM Packing,
 * DEM Simulation and DEM Case Reader. Without these, grains are spheres.
 *
 * Output: vtkPolyData, the triangles of all grains with point normals, ready for export and ray
 * tracing; cell arrays: all point arrays of the grains. Tablets and spheres have Resolution points
 * around; clumps show their spheres.
 */

#ifndef vtkDEMShapes_h
#define vtkDEMShapes_h

#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkPolyData.h"               // for MakeGlyphs
#include "vtkPolyDataAlgorithm.h"
#include "vtkSmartPointer.h" // for MakeGlyphs

#include <vector> // for MakeGlyphs

class vtkFieldData;

class VTKPARAGRAINFILTERS_EXPORT vtkDEMShapes : public vtkPolyDataAlgorithm
{
public:
  static vtkDEMShapes* New();
  vtkTypeMacro(vtkDEMShapes, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Points around the circumference of a round grain; default 24, 3 to 512.
   */
  vtkSetClampMacro(Resolution, int, 3, 512);
  vtkGetMacro(Resolution, int);
  ///@}

  /**
   * Surfaces of the shapes that the field data ShapeDefinitions define, each in the size of its
   * definition, as sources of glyphs with `resolution` points around. Empty if there are no shapes
   * but the sphere, or a definition is invalid.
   */
  static std::vector<vtkSmartPointer<vtkPolyData>> MakeGlyphs(vtkFieldData* data, int resolution);

protected:
  vtkDEMShapes();
  ~vtkDEMShapes() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  int Resolution = 24;

private:
  vtkDEMShapes(const vtkDEMShapes&) = delete;
  void operator=(const vtkDEMShapes&) = delete;
};

#endif
