/**
 * @class   vtkDEMCaseReader
 * @brief   reads a scene from a `.dem` file and runs it
 *
 * A `.dem` file is JSON with a published schema, of grains (DEM) or, with the key `method`, of the
 * Material Point Method (MPM). Paths of STL files in it are relative to the file.
 * The file defines the scene, also the properties that vtkDEMSceneAlgorithm has: their setters have
 * no effect here, and their getters return the values of the file once it has run. See
 * vtkDEMRunAlgorithm for the outputs and the properties of the run. With MPM the port Particles has
 * the material points with the arrays of vtkMPMSimulation, Walls and Statistics are those of
 * vtkMPMSimulation, and the other ports are empty.
 *
 * CheckpointInterval and CheckpointsKept have the default -1: the values `store_interval` and
 * `stores_kept` of the file. An empty RestartFile means `restart` of the file, if it has one; an
 * empty CheckpointFile, for the files of CheckpointInterval, the name of the file.
 */

#ifndef vtkDEMCaseReader_h
#define vtkDEMCaseReader_h

#include "vtkDEMRunAlgorithm.h"

#include <memory> // for std::unique_ptr

class VTKPARAGRAINFILTERS_EXPORT vtkDEMCaseReader : public vtkDEMRunAlgorithm
{
public:
  static vtkDEMCaseReader* New();
  vtkTypeMacro(vtkDEMCaseReader, vtkDEMRunAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Name of the `.dem` file; default none. A file that cannot be read is an error of every request.
   */
  void SetFileName(const char* fileName);
  const char* GetFileName() const;
  ///@}

  /**
   * Returns 1 if the file can be opened and its name ends in `.dem`, else 0.
   */
  int CanReadFile(const char* fileName);

  /**
   * Reads the file again at the next request.
   */
  void Refresh();

protected:
  vtkDEMCaseReader();
  ~vtkDEMCaseReader() override;

  vtkDEMAnyRun& GetRun() override;
  std::string GetProgressName() override;
  void ReadTimes(double& endTime, double& outputInterval) override;
  void ReadInputs(vtkInformationVector** inputVector) override;
  bool ShareScene(vtkMultiProcessController* controller) override;
  void PrepareRun(bool read) override;
  void FillOutputs(
    bool shows, vtkMultiProcessController* controller, vtkInformationVector* outputVector) override;
  void ReadAverages(dem::AveragesOptions& averages) override;
  void ReadScene(vtkInformationVector** inputVector, dem::Scene& scene) override;
  void ReadFlowScene(vtkInformationVector** inputVector, dem::Scene& scene) override;
  bool HasContactStatistics() override;
  int GetCoatingPatchesInUse() override;
  void SceneIsInUse(const dem::Scene& scene) override;

private:
  vtkDEMCaseReader(const vtkDEMCaseReader&) = delete;
  void operator=(const vtkDEMCaseReader&) = delete;

  void ReadFile();
  template <class SceneT>
  void TakeValues(const SceneT& scene);

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
