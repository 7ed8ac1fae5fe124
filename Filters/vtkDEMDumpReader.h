/**
 * @class   vtkDEMDumpReader
 * @brief   reads LAMMPS and LIGGGHTS text dumps as grains that change with time
 *
 * Reads `dump atom` and `dump custom` files: one file with many frames, a series of files, or a
 * wildcard. All headers are read first and times declared up front; a frame's rows are read when
 * its time is asked for (snapped down). Of frames with equal times the last counts, so that the
 * files of a continued run may be read together. Triclinic boxes are refused.
 *
 * The output is one vertex a grain, sorted by Id, with the array names of vtkDEMSimulation: `Id`
 * (of `id`; without it the row from 1), `Radius` (`radius`, `diameter` or ConstantRadius),
 * `Velocity` (vx vy vz), `AngularVelocity` (omegax ...), `Force` (fx ...), `Torque` (tqx ...),
 * `Mass` (`mass`, or from `density`), `Orientation` (quatw ... or quat1 ...) and `Material` (`type`
 * less 1: LAMMPS counts types from 1). Other columns, `type` too, keep their names. Numbers stay in
 * the file's units. Field data: `Step`, `Units`, `Box` (lower and upper border of each axis) and
 * `Periodic` (1 or 0 an axis).
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
   * The files, in any order; a name with * or ? that is no file stands for all files it fits.
   */
  void AddFileName(const char* fileName);
  void ClearFileNames();
  int GetNumberOfFileNames();
  const char* GetFileName(int index);
  ///@}

  ///@{
  /**
   * Seconds a step: the time of a frame that has no ITEM: TIME is its step times this. Default 1;
   * above 0.
   */
  vtkSetMacro(TimeStep, double);
  vtkGetMacro(TimeStep, double);
  ///@}

  ///@{
  /**
   * Take the times of ITEM: TIME where a frame has one. Default on.
   */
  vtkSetMacro(UseTimesOfFile, bool);
  vtkGetMacro(UseTimesOfFile, bool);
  vtkBooleanMacro(UseTimesOfFile, bool);
  ///@}

  ///@{
  /**
   * Radius, in the file's unit of length, of all grains of frames with neither `radius` nor
   * `diameter`; default 0 = such frames have no array `Radius`. >= 0.
   */
  vtkSetMacro(ConstantRadius, double);
  vtkGetMacro(ConstantRadius, double);
  ///@}

  /**
   * Whether a file begins like a text dump of grains.
   */
  int CanReadFile(const char* fileName);

  /**
   * Looks at the files again at the next request.
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
