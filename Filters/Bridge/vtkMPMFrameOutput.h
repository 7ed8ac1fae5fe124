/**
 * Fills the four outputs of an MPM run from a frame. Arrays of points use the memory of the frame.
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
   * Fills the outputs. Without a frame they get the same structure without data, as ranks other
   * than 0 need. `pointArrays` and `gridArrays` choose the arrays. `materials` are the names of the
   * materials of the scene. `gravity` (m/s^2) is that at the time of the frame.
   */
  void Fill(const std::shared_ptr<const mpm::Frame>& frame, const mpm::Scene* scene,
    const dem::Vec3d& gravity, const std::vector<std::string>& materials,
    vtkDataArraySelection* pointArrays, vtkDataArraySelection* gridArrays, vtkPolyData* points,
    vtkMultiBlockDataSet* grid, vtkPolyData* walls, vtkTable* table);

private:
  vtkDEMFrameOutput Shared;
  std::shared_ptr<const dem::Frame>
    AsGrains; // the last frame, for filters that read it on the device
};

#endif
