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
protected:
  BytesT ReadState(const std::string& fileName) override;
  void WriteState(const std::string& fileName, const BytesT& bytes) override;
};

#endif
