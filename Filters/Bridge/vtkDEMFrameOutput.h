/**
 * One instant of a run as the four outputs. Particle and contact arrays refer to the frame's
 * memory.
 */

#ifndef vtkDEMFrameOutput_h
#define vtkDEMFrameOutput_h

#include "Solver/Frame.h"
#include "Solver/Scene.h"

#include "vtkSmartPointer.h"

#include <memory>

class vtkCellArray;
class vtkDataArraySelection;
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
   * `statistics` adds age, slip and dissipation of contacts.
   */
  void Fill(const dem::Frame* frame, const dem::Scene* scene, const dem::FrameSelection& selection,
    vtkDataArraySelection* contactArrays, bool statistics, vtkPolyData* particles,
    vtkPolyData* contacts, vtkPolyData* walls, vtkTable* table);

private:
  vtkSmartPointer<vtkCellArray> Cells(
    std::size_t count, int size, vtkSmartPointer<vtkCellArray>& kept);

  // Cells depend on the number only, so that frames share them.
  vtkSmartPointer<vtkCellArray> Vertices;
  vtkSmartPointer<vtkCellArray> Lines;
};

#endif
