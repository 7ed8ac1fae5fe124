/**
 * @class   vtkDEMCaseReader
 * @brief   reads a `.dem` file, a whole scene, and runs it
 *
 * A `.dem` file is JSON with a published schema; STL files that it names are found relative to it.
 * See vtkDEMRunAlgorithm for the outputs and the properties of the run.
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
   * The `.dem` file; default none.
   */
  void SetFileName(const char* fileName);
  const char* GetFileName() const;
  ///@}

  /**
   * Whether a file can be tried: it can be opened and its name ends in `.dem`.
   */
  int CanReadFile(const char* fileName);

  /**
   * Reads the file again at the next request.
   */
  void Refresh();

protected:
  vtkDEMCaseReader();
  ~vtkDEMCaseReader() override;

  void ReadTimes(double& endTime, double& outputInterval) override;
  void ReadAverages(dem::AveragesOptions& averages) override;
  void ReadScene(vtkInformationVector** inputVector, dem::Scene& scene) override;
  bool HasContactStatistics() override;

private:
  vtkDEMCaseReader(const vtkDEMCaseReader&) = delete;
  void operator=(const vtkDEMCaseReader&) = delete;

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
