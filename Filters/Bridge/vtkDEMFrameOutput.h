/**
 * One instant of a run as the five outputs. Particle and contact arrays refer to the frame's
 * memory.
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
   * Fills the outputs. Without a frame they get the same structure with nothing in it, as ranks
   * that do not compute need it. `selection` and `contactArrays` say which arrays there are;
   * `statistics` adds age, slip and dissipation of contacts. `averagesCells` are those that the
   * pipeline was told of, zeros without averages. `gravity` is that of the frame's time.
   */
  void Fill(const dem::Frame* frame, const dem::Scene* scene, const dem::Vec3d& gravity,
    const dem::FrameSelection& selection, vtkDataArraySelection* contactArrays, bool statistics,
    vtkPolyData* particles, vtkPolyData* contacts, vtkPolyData* walls, vtkTable* table,
    const int averagesCells[3], vtkImageData* averages);

  /**
   * Walls where their motion has brought them, with cell array Wall and, if there are `loads`,
   * Pressure, ShearStress and Force. Planes are cut to the size of `domain`.
   */
  static void FillWalls(const std::vector<dem::Wall>& walls,
    const std::vector<dem::WallFrame>* loads, const dem::Domain& domain, double time,
    vtkPolyData* output);

  /**
   * `count` vertices (size 1) or lines (size 2) whose points lie one behind the other.
   */
  vtkSmartPointer<vtkCellArray> Cells(std::size_t count, int size);

private:
  // 0, 1, 2 ... and 0, 2, 4 ...: what cells consist of, shared by all frames.
  dem::HostArray<std::int64_t> Numbers;
  dem::HostArray<std::int64_t> EvenNumbers;
};

#endif
