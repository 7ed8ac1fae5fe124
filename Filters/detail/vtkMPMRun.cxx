#include "vtkMPMRun.h"

#include "Solver/Simulation.h"

//------------------------------------------------------------------------------
vtkMPMRun::BytesT vtkMPMRun::ReadState(const std::string& fileName)
{
  return dem::readSnapshotFile(fileName);
}

//------------------------------------------------------------------------------
void vtkMPMRun::WriteState(const std::string& fileName, const BytesT& bytes)
{
  dem::writeSnapshotFile(fileName, bytes);
}
