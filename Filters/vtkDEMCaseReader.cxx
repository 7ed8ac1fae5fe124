#include "vtkDEMCaseReader.h"

#include "Bridge/vtkMPMFrameOutput.h"
#include "Core/Error.h"
#include "MaterialPoint/MpmSceneFile.h"
#include "detail/vtkMPMRun.h"

#include "vtkDataArraySelection.h"
#include "vtkImageData.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkTable.h"

#include <vtksys/SystemTools.hxx>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

//------------------------------------------------------------------------------
class vtkDEMCaseReader::vtkInternals
{
public:
  std::string FileName;
  std::variant<dem::Scene, mpm::FileScene> File;
  bool IsRead = false;
  vtkMPMRun MpmRun; // if the method of the file is MPM
  vtkMPMFrameOutput MpmOutput;

  // After an error the file stays unread, so that each request reports the error again. Returns
  // true if the method is another than before.
  bool Read()
  {
    if (this->IsRead)
    {
      return false;
    }
    if (this->FileName.empty())
    {
      throw dem::Error("FileName is empty: name a .dem file.");
    }
    const std::size_t before = this->File.index();
    this->File = mpm::readAnySceneFile(this->FileName);
    this->IsRead = true;
    return this->File.index() != before;
  }

  bool IsMpm() const { return std::holds_alternative<mpm::FileScene>(this->File); }
  const dem::Scene& Dem() const { return std::get<dem::Scene>(this->File); }
  const mpm::FileScene& Mpm() const { return std::get<mpm::FileScene>(this->File); }
};

namespace
{

//------------------------------------------------------------------------------
// Arrays of material points. Those that particles have too follow the choice of ParticleArrays.
void FillPointArrays(vtkDEMCaseReader* reader, vtkDataArraySelection* arrays)
{
  for (const char* name : { "Velocity", "Mass", "Stress", "Material" })
  {
    arrays->AddArray(name, reader->GetParticleArrayStatus(name) != 0);
  }
  for (const char* name : { "Volume", "J", "DeformationGradient", "VonMises", "PlasticStrain" })
  {
    arrays->AddArray(name);
  }
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMCaseReader);

//------------------------------------------------------------------------------
vtkDEMCaseReader::vtkDEMCaseReader()
  : Internals(new vtkInternals)
{
  this->SetNumberOfInputPorts(0);
  this->CheckpointInterval = -1;
  this->CheckpointsKept = -1;
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
// Reads the file if it was not read, and discards the run of another method.
void vtkDEMCaseReader::ReadFile()
{
  if (this->Internals->Read())
  {
    this->Internals->MpmRun.Reset();
    this->Superclass::GetRun().Reset();
  }
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
  this->ReadFile();
  std::visit(
    [&](const auto& file)
    {
      if constexpr (std::is_same_v<std::decay_t<decltype(file)>, mpm::FileScene>)
      {
        endTime = file.scene.end_time;
        outputInterval = file.scene.output_interval;
      }
      else
      {
        endTime = file.end_time;
        outputInterval = file.output_interval;
      }
    },
    this->Internals->File);
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::ReadAverages(dem::AveragesOptions& averages)
{
  if (!this->Internals->FileName.empty())
  {
    this->ReadFile();
    if (!this->Internals->IsMpm())
    {
      averages = this->Internals->Dem().averages;
    }
  }
}

//------------------------------------------------------------------------------
vtkDEMAnyRun& vtkDEMCaseReader::GetRun()
{
  return this->Internals->IsMpm() ? this->Internals->MpmRun : this->Superclass::GetRun();
}

//------------------------------------------------------------------------------
std::string vtkDEMCaseReader::GetProgressName()
{
  return this->Internals->IsMpm() ? "MPM" : this->Superclass::GetProgressName();
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::ReadInputs(vtkInformationVector** inputVector)
{
  this->ReadFile();
  if (!this->Internals->IsMpm())
  {
    this->Superclass::ReadInputs(inputVector);
    return;
  }
  for (const std::string& warning : this->Internals->Mpm().warnings)
  {
    this->AddWarning(warning);
  }
}

//------------------------------------------------------------------------------
// A run of the Material Point Method stays on rank 0.
bool vtkDEMCaseReader::ShareScene(vtkMultiProcessController* controller)
{
  return !this->Internals->IsMpm() && this->Superclass::ShareScene(controller);
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::PrepareRun(bool read)
{
  vtkInternals& internals = *this->Internals;
  if (!internals.IsMpm())
  {
    this->Superclass::PrepareRun(read);
    return;
  }
  this->SceneCheckpoints = {}; // those of a file read before are not of this one
  mpm::FrameSelection selection;
  selection.velocity = this->GetParticleArrayStatus("Velocity") != 0;
  selection.mass = this->GetParticleArrayStatus("Mass") != 0;
  selection.stress = this->GetParticleArrayStatus("Stress") != 0;
  selection.material = this->GetParticleArrayStatus("Material") != 0;
  selection.grid = false;
  mpm::Scene scene = read ? internals.Mpm().scene : mpm::Scene();
  this->PrepareRunOf(internals.MpmRun, scene, selection, read);
}

//------------------------------------------------------------------------------
// Without Modified(): the values come from the file and do not change the output.
template <class SceneT>
void vtkDEMCaseReader::TakeValues(const SceneT& scene)
{
  this->TimeStep = scene.time_step;
  this->EndTime = scene.end_time;
  this->OutputInterval = scene.output_interval;
  for (int axis = 0; axis < 3; ++axis)
  {
    this->Gravity[axis] = scene.gravity[axis];
    this->Domain[2 * axis] = scene.domain.lower[axis];
    this->Domain[2 * axis + 1] = scene.domain.upper[axis];
  }
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::FillOutputs(
  bool shows, vtkMultiProcessController* controller, vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  if (!internals.IsMpm())
  {
    this->Superclass::FillOutputs(shows, controller, outputVector);
    return;
  }
  const vtkMPMRun& run = internals.MpmRun;
  const std::shared_ptr<const mpm::Frame> frame = shows ? run.GetLastFrame() : nullptr;
  const std::vector<std::string>& materials = internals.Mpm().materials;
  if (run.HasScene())
  {
    const mpm::Scene& scene = run.GetScene();
    this->TakeValues(scene);
    this->SetDomainInUse(scene.domain.lower, scene.domain.upper);
  }
  this->SetMaterialsInUse(frame ? materials : std::vector<std::string>{});
  vtkNew<vtkDataArraySelection> pointArrays;
  vtkNew<vtkDataArraySelection> gridArrays;
  FillPointArrays(this, pointArrays);
  vtkNew<vtkMultiBlockDataSet> grid; // not shown: MPM Simulation has a port for it
  internals.MpmOutput.Fill(frame, run.HasScene() ? &run.GetScene() : nullptr,
    run.GetGravity(frame ? frame->time : 0), materials, pointArrays, gridArrays,
    vtkPolyData::GetData(outputVector, PARTICLES), grid, vtkPolyData::GetData(outputVector, WALLS),
    vtkTable::GetData(outputVector, STATISTICS));
  vtkPolyData::GetData(outputVector, CONTACTS)->Initialize();
  vtkImageData::GetData(outputVector, AVERAGES)->Initialize();
  vtkImageData::GetData(outputVector, FLUID)->Initialize();
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::ReadScene(vtkInformationVector** vtkNotUsed(inputVector), dem::Scene& scene)
{
  this->ReadFile();
  scene = this->Internals->Dem();
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::ReadFlowScene(vtkInformationVector** inputVector, dem::Scene& scene)
{
  if (this->Internals->FileName.empty())
  {
    return;
  }
  this->ReadFile();
  if (!this->Internals->IsMpm())
  {
    this->ReadScene(inputVector, scene);
  }
}

//------------------------------------------------------------------------------
bool vtkDEMCaseReader::HasContactStatistics()
{
  const vtkInternals& internals = *this->Internals;
  return internals.IsRead && !internals.IsMpm() && internals.Dem().contact_statistics;
}

//------------------------------------------------------------------------------
int vtkDEMCaseReader::GetCoatingPatchesInUse()
{
  const vtkInternals& internals = *this->Internals;
  if (!internals.IsRead || internals.IsMpm() || internals.Dem().nozzles.empty())
  {
    return -1;
  }
  const int patches = internals.Dem().spray.patches;
  return 6 * patches * patches;
}

//------------------------------------------------------------------------------
void vtkDEMCaseReader::SceneIsInUse(const dem::Scene& scene)
{
  this->TakeValues(scene);
  this->AutomaticDomain = scene.domain.automatic;
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
