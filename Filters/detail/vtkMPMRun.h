/**
 * The run of vtkMPMSimulation.
 */

#ifndef vtkMPMRun_h
#define vtkMPMRun_h

#include "MaterialPoint/MpmTimeline.h"
#include "detail/vtkDEMSteeredRun.h"

#include <string>

class vtkMPMRun : public vtkDEMSteeredRun<mpm::Timeline>
{
protected:
  bool IsWholeAfterFailure() const override { return true; }
  BytesT ReadState(const std::string& fileName) override;
  void WriteState(const std::string& fileName, const BytesT& bytes) override;
};

#endif
