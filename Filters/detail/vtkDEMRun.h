/**
 * The run of a DEM simulation.
 */

#ifndef vtkDEMRun_h
#define vtkDEMRun_h

#include "Solver/Timeline.h"
#include "detail/vtkDEMSteeredRun.h"

#include <string>

class vtkDEMRun : public vtkDEMSteeredRun<dem::Timeline>
{
public:
  /**
   * What the search for contacts has chosen, and in words. Zeros and empty without a run, or where it
   * cannot be asked, which the next request tells.
   */
  dem::SearchCounts GetSearchCounts();
  std::string GetSearchText();

protected:
  BytesT ReadState(const std::string& fileName) override;
  void WriteState(const std::string& fileName, const BytesT& bytes) override;
};

#endif
