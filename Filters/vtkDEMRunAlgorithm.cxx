#include "vtkDEMRunAlgorithm.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMFrameHandle.h"
#include "Bridge/vtkDEMFrameOutput.h"
#include "Core/Error.h"
#include "Particles/Columns.h"
#include "Scene/SceneBytes.h"
#include "Scene/detail/FluidFromScene.h"
#include "Solver/PartLimits.h"
#include "detail/vtkDEMRun.h"

#include "vtkImageData.h"
#include "vtkDataArraySelection.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkTable.h"

#include <algorithm>
#include <string>
#include <vector>

namespace
{

//------------------------------------------------------------------------------
// Copies `image` of rank 0 to all ranks. Images are requested in pieces, so every rank needs one.
// Collective.
void ShareImage(vtkMultiProcessController* controller, vtkImageData* image)
{
  double place[6];
  image->GetOrigin(place);
  image->GetSpacing(place + 3);
  controller->Broadcast(place, 6, 0);
  vtkNew<vtkImageData> whole;
  if (controller->GetLocalProcessId() == 0)
  {
    whole->ShallowCopy(image);
  }
  controller->Broadcast(whole, 0);
  image->ShallowCopy(whole);
  image->SetOrigin(place);
  image->SetSpacing(place + 3);
}

//------------------------------------------------------------------------------
// Declares the extent of an image with these cells, or of an empty one if the first is 0.
void SetWholeExtent(vtkInformation* info, const int (&cells)[3])
{
  const bool any = cells[0] > 0;
  const int extent[6] = { 0, any ? cells[0] : -1, 0, any ? cells[1] : -1, 0, any ? cells[2] : -1 };
  info->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), extent, 6);
}

} // namespace

//------------------------------------------------------------------------------
class vtkDEMRunAlgorithm::vtkInternals
{
public:
  vtkDEMRun Run;
  vtkDEMFrameOutput Output;
  vtkNew<vtkDataArraySelection> ParticleArrays;
  vtkNew<vtkDataArraySelection> ContactArrays;
  dem::Scene Read; // by ReadInputs
  int AveragesCells[3] = { 0, 0, 0 };
  int FluidCells[3] = { 0, 0, 0 }; // zeros without a computed flow
  std::string SearchInUse;

  // `heat`: the run has heat transfer, which always shows the temperatures.
  dem::FrameSelection Selection(bool heat) const
  {
    vtkDataArraySelection* arrays = this->ParticleArrays;
    dem::FrameSelection s;
    s.velocity = arrays->ArrayIsEnabled("Velocity");
    s.angular_velocity = arrays->ArrayIsEnabled("AngularVelocity");
    s.orientation = arrays->ArrayIsEnabled("Orientation");
    s.force = arrays->ArrayIsEnabled("Force");
    s.torque = arrays->ArrayIsEnabled("Torque");
    s.mass = arrays->ArrayIsEnabled("Mass");
    s.material = arrays->ArrayIsEnabled("Material");
    s.shape = arrays->ArrayIsEnabled("Shape");
    s.coordination_number = arrays->ArrayIsEnabled("CoordinationNumber");
    s.stress = arrays->ArrayIsEnabled("Stress");
    for (std::size_t k = 0; k < dem::kPassiveCount; ++k)
    {
      s.passive[k] =
        dem::kPassiveColumns[k].is_shown && arrays->ArrayIsEnabled(dem::kPassiveColumns[k].name);
    }
    s.passive[dem::kTemperature] = s.passive[dem::kTemperature] || heat;
    s.contacts = this->ContactArrays->GetNumberOfArraysEnabled() > 0;
    s.walls = true;
    return s;
  }
  bool RunHasHeat() const { return this->Run.HasScene() && this->Run.GetScene().heat.on(); }
};

//------------------------------------------------------------------------------
vtkDEMRunAlgorithm::vtkDEMRunAlgorithm()
  : Internals(new vtkInternals)
{
  this->SetNumberOfOutputPorts(NUMBER_OF_OUTPUT_PORTS);
  for (const char* name : { "Velocity", "AngularVelocity", "Orientation", "Force", "Torque", "Mass",
         "Material", "Shape", "CoordinationNumber", "Stress" })
  {
    this->Internals->ParticleArrays->AddArray(name);
  }
  for (const auto& column : dem::kPassiveColumns)
  {
    if (column.is_shown)
    {
      this->Internals->ParticleArrays->AddArray(column.name, false);
    }
  }
  for (const char* name : { "NormalForce", "TangentialForce", "Overlap", "Sliding", "Age",
         "SlipDistance", "DissipatedEnergy", "CohesiveForce" })
  {
    this->Internals->ContactArrays->AddArray(name);
  }
}

//------------------------------------------------------------------------------
vtkDEMRunAlgorithm::~vtkDEMRunAlgorithm() = default;

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::GetNumberOfParticleArrays()
{
  return this->Internals->ParticleArrays->GetNumberOfArrays();
}

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetParticleArrayName(int index)
{
  return this->Internals->ParticleArrays->GetArrayName(index);
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::GetParticleArrayStatus(const char* name)
{
  return this->Internals->ParticleArrays->ArrayIsEnabled(name);
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetParticleArrayStatus(const char* name, int status)
{
  this->EnableArray(this->Internals->ParticleArrays, name, status);
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::GetNumberOfContactArrays()
{
  return this->Internals->ContactArrays->GetNumberOfArrays();
}

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetContactArrayName(int index)
{
  return this->Internals->ContactArrays->GetArrayName(index);
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::GetContactArrayStatus(const char* name)
{
  return this->Internals->ContactArrays->ArrayIsEnabled(name);
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetContactArrayStatus(const char* name, int status)
{
  this->EnableArray(this->Internals->ContactArrays, name, status);
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(),
    port == STATISTICS                    ? "vtkTable"
      : port == AVERAGES || port == FLUID ? "vtkImageData"
                                          : "vtkPolyData");
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  std::fill_n(this->Internals->AveragesCells, 3, 0);
  this->Superclass::RequestInformation(request, inputVector, outputVector);
  SetWholeExtent(outputVector->GetInformationObject(AVERAGES), this->Internals->AveragesCells);
  this->FindFluidCells(inputVector);
  SetWholeExtent(outputVector->GetInformationObject(FLUID), this->Internals->FluidCells);
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::FindFluidCells(vtkInformationVector** inputVector)
{
  int(&cells)[3] = this->Internals->FluidCells;
  std::fill_n(cells, 3, 0);
  try
  {
    dem::Scene scene;
    this->ReadFlowScene(inputVector, scene);
    if (dem::hasFlow(scene) && scene.domain.limited)
    {
      std::copy_n(dem::fluidCellGrid(scene).count, 3, cells);
    }
  }
  catch (const dem::Error&)
  {
    // RequestData reports it.
  }
  if (vtkMultiProcessController* controller = vtkDEMArrays::GetParallelController())
  {
    controller->Broadcast(cells, 3, 0); // only the first rank has the whole scene
  }
}

//------------------------------------------------------------------------------
vtkDEMAnyRun& vtkDEMRunAlgorithm::GetRun() { return this->Internals->Run; }

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetSearchInUse()
{
  this->Internals->SearchInUse = this->Internals->Run.GetSearchText();
  return this->Internals->SearchInUse.c_str();
}

//------------------------------------------------------------------------------
double vtkDEMRunAlgorithm::GetCellSizeInUse()
{
  return this->Internals->Run.GetSearchCounts().search.cell_size;
}

//------------------------------------------------------------------------------
double vtkDEMRunAlgorithm::GetSkinInUse() { return this->Internals->Run.GetSearchCounts().skin; }

//------------------------------------------------------------------------------
double vtkDEMRunAlgorithm::GetListEntriesInUse()
{
  const dem::SearchCounts counts = this->Internals->Run.GetSearchCounts();
  return counts.particles > 0
    ? static_cast<double>(counts.list_entries) / static_cast<double>(counts.particles)
    : 0;
}

//------------------------------------------------------------------------------
std::string vtkDEMRunAlgorithm::GetProgressName() { return "DEM"; }

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::ReadInformation()
{
  dem::AveragesOptions averages;
  this->ReadAverages(averages);
  const auto& wanted = averages.cells;
  if (averages.enabled && *std::min_element(wanted.begin(), wanted.end()) > 0)
  {
    // other numbers of cells are an error of RequestData
    std::copy_n(wanted.begin(), 3, this->Internals->AveragesCells);
  }
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::ReadInputs(vtkInformationVector** inputVector)
{
  this->Internals->Read = dem::Scene();
  this->ReadScene(inputVector, this->Internals->Read);
}

//------------------------------------------------------------------------------
bool vtkDEMRunAlgorithm::RanksPay(const dem::Scene& scene, int ranks)
{
  try
  {
    const auto kind = static_cast<dem::DeviceKind>(this->GetDevice());
    return dem::ranksPay(scene, ranks, dem::chooseDevice(kind).kind);
  }
  catch (const dem::Error&)
  {
    return false; // the run reports it
  }
}

//------------------------------------------------------------------------------
bool vtkDEMRunAlgorithm::ShareScene(vtkMultiProcessController* controller)
{
  dem::Scene& scene = this->Internals->Read;
  const bool root = controller->GetLocalProcessId() == 0;
  vtkIdType size = 0; // of the scene as bytes; 0: the run stays on rank 0
  std::vector<std::uint8_t> bytes;
  if (root && this->RanksPay(scene, controller->GetNumberOfProcesses()))
  {
    const std::string one = dem::needsOnePart(scene);
    if (one.empty())
    {
      bytes = dem::sceneBytes(scene);
      size = static_cast<vtkIdType>(bytes.size());
    }
    else
    {
      this->AddWarning("The run stays on rank 0: " + one + " in one process only.");
    }
  }
  controller->Broadcast(&size, 1, 0);
  if (size == 0)
  {
    return false;
  }
  bytes.resize(static_cast<std::size_t>(size));
  constexpr vtkIdType most = vtkIdType(1) << 30; // MPI counts with 31 bits
  for (vtkIdType begin = 0; begin < size; begin += most)
  {
    if (!controller->Broadcast(
          reinterpret_cast<char*>(bytes.data() + begin), std::min(most, size - begin), 0))
    {
      throw dem::Error("The scene cannot be sent to all ranks.");
    }
  }
  if (!root)
  {
    scene = dem::sceneFromBytes(bytes);
  }
  return true;
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::PrepareRun(bool read)
{
  vtkInternals& internals = *this->Internals;
  const bool heat = read ? internals.Read.heat.on() : internals.RunHasHeat();
  if (read)
  {
    const dem::StoreOptions& store = internals.Read.store;
    this->SceneCheckpoints = { store.interval, store.kept, store.file, store.restart };
  }
  this->PrepareRunOf(internals.Run, internals.Read, internals.Selection(heat), read);
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::FillOutputs(
  bool shows, vtkMultiProcessController* controller, vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  const std::shared_ptr<const dem::Frame> frame = shows ? internals.Run.GetLastFrame() : nullptr;
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  // a rank that once shared a run may still have its scene
  const bool hasScene = internals.Run.HasScene() && (root || frame);
  if (internals.Run.HasScene())
  {
    this->SceneIsInUse(internals.Run.GetScene()); // a steered run keeps the borders it began with
  }
  std::vector<std::string> materials;
  if (frame && hasScene)
  {
    for (const dem::Material& material : internals.Run.GetScene().materials)
    {
      materials.push_back(material.name);
    }
  }
  this->SetMaterialsInUse(materials);
  vtkPolyData* outputs[3];
  for (int i = 0; i < 3; ++i)
  {
    outputs[i] = vtkPolyData::GetData(outputVector, i);
  }
  vtkTable* table = vtkTable::GetData(outputVector, STATISTICS);
  vtkImageData* image = vtkImageData::GetData(outputVector, AVERAGES);
  vtkImageData* fluid = vtkImageData::GetData(outputVector, FLUID);
  internals.Output.Fill(frame.get(), hasScene ? &internals.Run.GetScene() : nullptr,
    internals.Run.GetGravity(frame ? frame->time : 0), internals.Selection(internals.RunHasHeat()),
    internals.ContactArrays, this->HasContactStatistics(), this->GetCoatingPatchesInUse(),
    outputs[PARTICLES], outputs[CONTACTS], outputs[WALLS], table, internals.AveragesCells, image,
    fluid);
  if (frame)
  {
    vtkDEMFrameHandle::Mark(frame, outputs[PARTICLES], outputs[CONTACTS]);
  }
  if (controller && internals.AveragesCells[0] > 0)
  {
    ShareImage(controller, image);
    vtkDEMArrays::KeepOnFirst(outputVector->GetInformationObject(AVERAGES));
  }
  if (controller)
  {
    int hasFlow = hasScene && dem::hasFlow(internals.Run.GetScene());
    controller->Broadcast(&hasFlow, 1, 0); // only the first rank has the run
    if (hasFlow)
    {
      ShareImage(controller, fluid);
      vtkDEMArrays::KeepOnFirst(outputVector->GetInformationObject(FLUID));
    }
  }
  // A steered run keeps the borders it began with.
  fluid->GetDimensions(internals.FluidCells);
  for (int& cells : internals.FluidCells)
  {
    cells = std::max(0, cells - 1);
  }
  SetWholeExtent(outputVector->GetInformationObject(FLUID), internals.FluidCells);
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
