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
   * What the search for contacts has chosen, in words; empty without a run.
   */
  std::string GetSearchText();

protected:
  BytesT ReadState(const std::string& fileName) override;
  void WriteState(const std::string& fileName, const BytesT& bytes) override;
};

#endif
