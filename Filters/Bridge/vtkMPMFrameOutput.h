/**
 * One instant of an MPM run as the four outputs. Arrays of points refer to the frame's memory.
 */

#ifndef vtkMPMFrameOutput_h
#define vtkMPMFrameOutput_h

#include "Bridge/vtkDEMFrameOutput.h"
#include "MaterialPoint/MpmFrame.h"
#include "MaterialPoint/MpmScene.h"

#include <memory>
#include <string>
#include <vector>

class vtkDataArraySelection;
class vtkMultiBlockDataSet;
class vtkPolyData;
class vtkTable;

class vtkMPMFrameOutput
{
public:
  /**
   * Fills the outputs. Without a frame they get the same structure with nothing in it, as ranks
   * that do not compute need it. `pointArrays` and `gridArrays` say which arrays there are;
   * `materials` are the names of the scene's; `gravity` is that of the frame's time.
   */
  void Fill(const std::shared_ptr<const mpm::Frame>& frame, const mpm::Scene* scene,
    const dem::Vec3d& gravity, const std::vector<std::string>& materials,
    vtkDataArraySelection* pointArrays, vtkDataArraySelection* gridArrays, vtkPolyData* points,
    vtkMultiBlockDataSet* grid, vtkPolyData* walls, vtkTable* table);

private:
  vtkDEMFrameOutput Shared;
  std::shared_ptr<const dem::Frame>
    AsGrains; // what was filled last, for filters that read it on the device
};

#endif
