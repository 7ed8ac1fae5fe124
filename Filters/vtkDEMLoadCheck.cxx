#include "vtkDEMLoadCheck.h"

#include "Core/CpuLevel.h"
#include "Core/Error.h"

#include "vtkVersion.h"
#include "vtkVersionMacros.h"

namespace vtkDEMLoadCheck
{

namespace
{

// Releases of VTK with the same two numbers fit each other. A version between releases, whose third
// number is a date, fits only itself.
bool Fits()
{
  return vtkVersion::GetVTKMajorVersion() == VTK_MAJOR_VERSION &&
    vtkVersion::GetVTKMinorVersion() == VTK_MINOR_VERSION &&
    (vtkVersion::GetVTKBuildVersion() == VTK_BUILD_VERSION ||
      (VTK_BUILD_VERSION < 1000 && vtkVersion::GetVTKBuildVersion() < 1000));
}

} // namespace

//------------------------------------------------------------------------------
std::string WhyNot()
{
  if (!Fits())
  {
    return "ParaGrain was built for another ParaView: with VTK " VTK_VERSION ", and this one has " +
      std::string(vtkVersion::GetVTKVersion()) +
      ". Install the package of ParaGrain for this ParaView, or build it against this one.";
  }
  try
  {
    dem::cpuLevel();
  }
  catch (const dem::Error& error)
  {
    return std::string("ParaGrain cannot work here: ") + error.what();
  }
  return {};
}

} // namespace vtkDEMLoadCheck
