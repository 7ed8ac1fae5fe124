/**
 * @class   vtkDEMDumpReader
 * @brief   reads LAMMPS and LIGGGHTS text dumps as grains that change with time
 *
 * Reads `dump atom` and `dump custom` files: one file with many frames, a series of files, or a
 * wildcard. All headers are read first, and all times declared. The rows of a frame are read when
 * its time is requested (snapped down). Of frames with equal times the last is used, so that files
 * of a continued run can be read together. Triclinic boxes are an error.
 *
 * The output is one vertex a grain, sorted by Id, with the array names of vtkDEMSimulation: `Id`
 * (from `id`, else the row, counted from 1), `Radius` (`radius`, `diameter` or ConstantRadius),
 * `Velocity` (vx vy vz), `AngularVelocity` (omegax ...), `Force` (fx ...), `Torque` (tqx ...),
 * `Mass` (`mass`, or from `density`), `Orientation` (quatw ... or quat1 ...) and `Material` (`type`
 * less 1: LAMMPS counts types from 1). Other columns, and `type`, keep their names. Numbers keep
 * the units of the file. Field data: `Step`, `Units`, `Box` (lower and upper border of each axis)
 * and `Periodic` (1 or 0 for each axis).
 */

#ifndef vtkDEMDumpReader_h
#define vtkDEMDumpReader_h

#include "vtkParaGrainFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <memory> // for std::unique_ptr

class VTKPARAGRAINFILTERS_EXPORT vtkDEMDumpReader : public vtkPolyDataAlgorithm
{
public:
  static vtkDEMDumpReader* New();
  vtkTypeMacro(vtkDEMDumpReader, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Names of the files, in any order. A name with * or ? that is not a file stands for all files
   * that match it.
   */
  void AddFileName(const char* fileName);
  void ClearFileNames();
  int GetNumberOfFileNames();
  const char* GetFileName(int index);
  ///@}

  ///@{
  /**
   * Time of a step in s; default 1, > 0. The time of a frame without ITEM: TIME is its step times
   * this.
   */
  vtkSetMacro(TimeStep, double);
  vtkGetMacro(TimeStep, double);
  ///@}

  ///@{
  /**
   * Use the times of ITEM: TIME for frames that have one; default on.
   */
  vtkSetMacro(UseTimesOfFile, bool);
  vtkGetMacro(UseTimesOfFile, bool);
  vtkBooleanMacro(UseTimesOfFile, bool);
  ///@}

  ///@{
  /**
   * Radius of all grains of frames with neither `radius` nor `diameter`, in the file's unit of
   * length; default 0 = such frames have no array `Radius`, >= 0.
   */
  vtkSetMacro(ConstantRadius, double);
  vtkGetMacro(ConstantRadius, double);
  ///@}

  /**
   * Returns 1 if the file begins like a text dump of grains, else 0.
   */
  int CanReadFile(const char* fileName);

  /**
   * Reads the files again at the next request.
   */
  void Refresh();

protected:
  vtkDEMDumpReader();
  ~vtkDEMDumpReader() override;

  int RequestInformation(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;
  int RequestData(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override;

private:
  vtkDEMDumpReader(const vtkDEMDumpReader&) = delete;
  void operator=(const vtkDEMDumpReader&) = delete;

  double TimeStep = 1;
  bool UseTimesOfFile = true;
  double ConstantRadius = 0;

  class vtkInternals;
  std::unique_ptr<vtkInternals> Internals;
};

#endif
