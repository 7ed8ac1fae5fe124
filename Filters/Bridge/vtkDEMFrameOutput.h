/**
 * Fills the five outputs of a DEM run from a frame. Particle and contact arrays use the memory of
 * the frame.
 */

#ifndef vtkDEMFrameOutput_h
#define vtkDEMFrameOutput_h

#include "Measure/Frame.h"
#include "Scene/Scene.h"

#include "vtkSmartPointer.h"

#include <memory>
#include <vector>

class vtkCellArray;
class vtkDataArraySelection;
class vtkImageData;
class vtkPolyData;
class vtkTable;

class vtkDEMFrameOutput
{
public:
  vtkDEMFrameOutput();
  ~vtkDEMFrameOutput();

  /**
   * Fills the outputs. Without a frame they get the same structure without data, as ranks other
   * than 0 need. `selection` and `contactArrays` choose the arrays; `statistics` adds age, slip and
   * dissipation of contacts. `coatingPatches`: number of patches of the coating of a grain, -1 to
   * leave out all coating. `averagesCells` are the numbers of cells that RequestInformation has
   * declared, zeros without averages. `gravity` (m/s^2) is that at the time of the frame.
   */
  void Fill(const dem::Frame* frame, const dem::Scene* scene, const dem::Vec3d& gravity,
    const dem::FrameSelection& selection, vtkDataArraySelection* contactArrays, bool statistics,
    int coatingPatches, vtkPolyData* particles, vtkPolyData* contacts, vtkPolyData* walls,
    vtkTable* table, const int averagesCells[3], vtkImageData* averages, vtkImageData* fluid);

  /**
   * Fills the walls as moved at `time` (s), with cell array Wall and, if there are `loads`,
   * Pressure, ShearStress and Force; `coated` adds CoatingMass. Planes are cut to the size of
   * `domain`.
   */
  static void FillWalls(const std::vector<dem::Wall>& walls,
    const std::vector<dem::WallFrame>* loads, const dem::Domain& domain, double time,
    vtkPolyData* output, bool coated = false);

  /**
   * `count` vertices (size 1) or lines (size 2) of consecutive points.
   */
  vtkSmartPointer<vtkCellArray> Cells(std::size_t count, int size);

private:
  // 0, 1, 2 ... and 0, 2, 4 ...: connectivity and offsets of cells, shared by all frames.
  dem::HostArray<std::int64_t> Numbers;
  dem::HostArray<std::int64_t> EvenNumbers;
};

#endif
