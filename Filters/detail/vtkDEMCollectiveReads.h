/**
 * Reads several inputs on all ranks of a parallel run. Each read is collective, so a read must run
 * even if an earlier one failed on this rank.
 */

#ifndef vtkDEMCollectiveReads_h
#define vtkDEMCollectiveReads_h

#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"

#include <string>

class vtkDEMCollectiveReads
{
public:
  /**
   * Calls `read()` and keeps the first error of all reads.
   */
  template <class ReadT>
  void Try(const ReadT& read)
  {
    try
    {
      read();
    }
    catch (const dem::Error& e)
    {
      this->Error = this->Error.empty() ? e.what() : this->Error;
    }
  }

  /**
   * To be called after the last read. Throws the first error as dem::Error; if an input of `filter`
   * has failed and reported that itself, throws vtkDEMArrays::InputFailed, which is not shown.
   */
  void ThrowError(vtkAlgorithm* filter) const
  {
    if (!this->Error.empty())
    {
      throw dem::Error(
        vtkDEMArrays::HasFailedInput(filter) ? vtkDEMArrays::InputFailed : this->Error);
    }
  }

private:
  std::string Error;
};

#endif
