/**
 * Parallel loops over many values on all cores. vtkSMPTools runs on one core in Debian's ParaView,
 * whose default backend is sequential.
 */

#ifndef vtkDEMParallel_h
#define vtkDEMParallel_h

#include "vtkType.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace vtkDEMParallel
{

/**
 * Calls `work(begin, end)` for disjoint ranges that cover [0, size), in any order, on several
 * threads.
 */
template <class WorkT>
void For(vtkIdType size, const WorkT& work)
{
  using Range = tbb::blocked_range<vtkIdType>;
  tbb::parallel_for(
    Range(0, size, 8192), [&](const Range& range) { work(range.begin(), range.end()); });
}

} // namespace vtkDEMParallel

#endif
