#include "vtkDEMCaseReader.h"

#include "Core/Error.h"
#include "Scene/File/SceneFile.h"

#include "vtkObjectFactory.h"

#include <vtksys/SystemTools.hxx>

#include <string>

//------------------------------------------------------------------------------
class vtkDEMCaseReader::vtkInternals
{
public:
  std::string FileName;
  dem::Scene Scene;
  bool IsRead = false;

  // After an error the file stays unread, so that each request reports the error again.
  void Read()
  {
    if (this->IsRead)
    {
      return;
    }
    if (this->FileName.empty())
    {
      throw dem::Error("FileName is empty: name a .dem file.");
    }
    this->Scene = dem::readSceneFile(this->FileName);
    this->IsRead = true;
  }
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMCaseReader);

//------------------------------------------------------------------------------
vtkDEMCaseReader::vtkDEMCaseReader()
  : Internals(new vtkInternals)
{
  this->SetNumberOfInputPorts(0);
}

//------------------------------------------------------------------------------
vtkDEMCaseReader::~vtkDEMCaseReader() = default;

//------------------------------------------------------------------------------
void vtkDEMCaseReader::SetFileName(const char* fileName)
{
  const std::string wanted = fileName ? fileName : "";
  if (this->Internals->FileName != wanted)
  {
    this->Internals->FileName = wanted;
    this->Refresh();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMCaseReader::GetFileName() const { return this->Internals->FileName.c_str(); }

//------------------------------------------------------------------------------
int vtkDEMCaseReader::CanReadFile(const char* fileName)
{
  return fileName && vtksys::SystemTools::GetFilenameLastExtension(fileName) == ".dem" &&
    vtksys::SystemTools::TestFileAccess(fileName, vtksys::TEST_FILE_READ);
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::Refresh()
{
  this->Internals->IsRead = false;
  this->SceneModified();
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::ReadTimes(double& endTime, double& outputInterval)
{
  if (this->Internals->FileName.empty())
  {
    // A new reader without a file name is not an error.
    endTime = 0;
    outputInterval = 1;
    return;
  }
  this->Internals->Read();
  endTime = this->Internals->Scene.end_time;
  outputInterval = this->Internals->Scene.output_interval;
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::ReadAverages(dem::AveragesOptions& averages)
{
  if (!this->Internals->FileName.empty())
  {
    this->Internals->Read();
    averages = this->Internals->Scene.averages;
  }
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::ReadScene(vtkInformationVector** vtkNotUsed(inputVector), dem::Scene& scene)
{
  this->Internals->Read();
  scene = this->Internals->Scene;
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::ReadFlowScene(vtkInformationVector** inputVector, dem::Scene& scene)
{
  if (!this->Internals->FileName.empty())
  {
    this->ReadScene(inputVector, scene);
  }
}

//------------------------------------------------------------------------------
bool vtkDEMCaseReader::HasContactStatistics()
{
  return this->Internals->IsRead && this->Internals->Scene.contact_statistics;
}

//------------------------------------------------------------------------------
int vtkDEMCaseReader::GetCoatingPatchesInUse()
{
  const dem::Scene& scene = this->Internals->Scene;
  return this->Internals->IsRead && !scene.nozzles.empty()
    ? 6 * scene.spray.patches * scene.spray.patches
    : -1;
}

//------------------------------------------------------------------------------
// Without Modified(): the values come from the file and do not change the output.
void vtkDEMCaseReader::SceneIsInUse(const dem::Scene& scene)
{
  this->TimeStep = scene.time_step;
  this->EndTime = scene.end_time;
  this->OutputInterval = scene.output_interval;
  this->AutomaticDomain = scene.domain.automatic;
  for (int axis = 0; axis < 3; ++axis)
  {
    this->Gravity[axis] = scene.gravity[axis];
    this->Domain[2 * axis] = scene.domain.lower[axis];
    this->Domain[2 * axis + 1] = scene.domain.upper[axis];
  }
  const dem::Vec3d none;
  this->SetDomainInUse(scene.domain.limited ? scene.domain.lower : none,
    scene.domain.limited ? scene.domain.upper : none);
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << this->Internals->FileName << endl;
}
