#include "vtkDEMRun.h"

//------------------------------------------------------------------------------
vtkDEMRun::BytesT vtkDEMRun::ReadState(const std::string& fileName)
{
  return dem::readSnapshotFile(fileName);
}

//------------------------------------------------------------------------------
void vtkDEMRun::WriteState(const std::string& fileName, const BytesT& bytes)
{
  dem::writeSnapshotFile(fileName, bytes);
}
