/**
 * The times of the outputs of a run.
 */

#ifndef vtkDEMOutputTimes_h
#define vtkDEMOutputTimes_h

#include <vector>

namespace vtkDEMOutputTimes
{

/**
 * Times from 0 to `end` (s), `interval` (s) apart. Throws dem::Error if they are not possible.
 */
std::vector<double> Make(double end, double interval);

/**
 * The last of `times` at or before `time`, or the first one; 0 without times.
 */
double AtOrBefore(const std::vector<double>& times, double time);

} // namespace vtkDEMOutputTimes

#endif
