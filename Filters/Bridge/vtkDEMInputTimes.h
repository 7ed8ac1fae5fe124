/**
 * Inputs that change with time: their times, and their execution at another time than the requested
 * one.
 */

#ifndef vtkDEMInputTimes_h
#define vtkDEMInputTimes_h

#include <vector>

class vtkAlgorithm;
class vtkInformation;
class vtkMultiProcessController;

namespace vtkDEMInputTimes
{

/**
 * The times of the connection in s, ascending. Of the times up to 0, the start of the run, only the
 * last is kept. `continuous`: it has a range of times, of which three are returned. Collective.
 */
std::vector<double> Read(
  vtkInformation* info, vtkMultiProcessController* controller, bool& continuous);

/**
 * Executes an input of `filter` at `time` (s).
 */
void Update(vtkAlgorithm* filter, int port, int connection, double time);

} // namespace vtkDEMInputTimes

#endif
