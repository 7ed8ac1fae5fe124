#include "vtkDEMSprayCoating.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMNozzleInput.h"
#include "Bridge/vtkDEMRankInput.h"
#include "Bridge/vtkDEMShapeInput.h"
#include "Bridge/vtkDEMSurfaceInput.h"
#include "Core/Error.h"
#include "Spray/NozzleRows.h"
#include "Spray/SprayLedger.h"
#include "detail/vtkDEMChoice.h"
#include "detail/vtkDEMLabels.h"

#include "vtkCellArray.h"
#include "vtkCommunicator.h"
#include "vtkDataArray.h"
#include "vtkDemandDrivenPipeline.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkIdTypeArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace
{

using SDDP = vtkStreamingDemandDrivenPipeline;

//------------------------------------------------------------------------------
// The triangles of all surfaces as wall elements. Throws dem::Error.
std::vector<dem::WallElement> ReadSurfaces(vtkInformationVector* inputs)
{
  std::vector<dem::Wall> walls;
  for (int i = 0; i < inputs->GetNumberOfInformationObjects(); ++i)
  {
    vtkPolyData* surface = vtkPolyData::GetData(inputs, i);
    if (!surface || surface->GetNumberOfPolys() + surface->GetNumberOfStrips() == 0)
    {
      continue;
    }
    vtkDEMSurfaceInput::TriangleMesh mesh =
      vtkDEMSurfaceInput::ReadTriangles(surface, "Surface " + std::to_string(i));
    dem::Wall wall;
    wall.points = std::move(mesh.Points);
    wall.triangles = std::move(mesh.Triangles);
    walls.push_back(std::move(wall));
  }
  return dem::makeWallSet(walls, {}).elements;
}

//------------------------------------------------------------------------------
void CopyGrains(vtkPointSet* input, vtkPolyData* output)
{
  if (auto* same = vtkPolyData::SafeDownCast(input))
  {
    output->ShallowCopy(same);
    return;
  }
  output->SetPoints(input->GetPoints());
  vtkNew<vtkCellArray> vertices;
  for (vtkIdType i = 0; i < input->GetNumberOfPoints(); ++i)
  {
    vertices->InsertNextCell(1, &i);
  }
  output->SetVerts(vertices);
  output->GetPointData()->PassData(input->GetPointData());
  output->GetFieldData()->PassData(input->GetFieldData());
}

//------------------------------------------------------------------------------
template <class ArrayT>
auto* AddArray(vtkPolyData* output, const char* name, int components)
{
  vtkNew<ArrayT> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(output->GetNumberOfPoints());
  output->GetPointData()->AddArray(array);
  return array->GetPointer(0);
}

//------------------------------------------------------------------------------
// Throws dem::Error if an Id repeats: the coating of one grain would be that of two.
void RequireDifferentIds(std::vector<std::int64_t> ids)
{
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end())
  {
    throw dem::Error("The Ids of the grains must differ, but Id " + std::to_string(*twice) +
      " appears twice. Coating is added up by Id: when inputs were appended, give their grains "
      "different Ids.");
  }
}

//------------------------------------------------------------------------------
// The nozzles of the input. Throws dem::Error for those that cannot spray here. Collective.
std::vector<dem::Nozzle> ReadNozzles(
  vtkInformationVector* inputs, vtkMultiProcessController* controller)
{
  std::vector<std::string> names;
  for (int i = 0; i < inputs->GetNumberOfInformationObjects(); ++i)
  {
    names.push_back("Nozzles (input " + std::to_string(i) + ")");
  }
  const std::vector<dem::Nozzle> nozzles = vtkDEMNozzleInput::Read(inputs, names, controller);
  for (std::size_t k = 0; k < nozzles.size(); ++k)
  {
    dem::Nozzle resting = nozzles[k];
    resting.moves_with.clear();
    dem::validateNozzle(resting, k, {});
    if (!nozzles[k].moves_with.empty())
    {
      throw dem::Error("Nozzle " + std::to_string(k) + " ('" + nozzles[k].name +
        "') moves with the wall '" + nozzles[k].moves_with +
        "', whose motion DEM Spray Coating does not know. Clear MovesWith, or use the nozzle in "
        "DEM Simulation.");
    }
  }
  return nozzles;
}

} // namespace

//------------------------------------------------------------------------------
// The grains of one time, and the arrays that RayGrains points to.
struct vtkDEMSprayCoating::SprayInput
{
  vtkDEMGrainInput::GrainArrays Grains;
  std::vector<double> Orientation;
  std::vector<std::int32_t> Shape;
  std::vector<dem::Shape> Shapes;
  std::vector<std::int64_t> Ids;
  dem::RayBox Box;

  // Throws dem::Error.
  SprayInput(vtkPointSet* points, const std::string& radiusArray)
  {
    vtkDEMGrainInput::GrainOptions options;
    options.RadiusArray = radiusArray;
    this->Grains = vtkDEMGrainInput::ReadGrains(points, options);
    this->Shapes = vtkDEMShapeInput::Read(points->GetFieldData(), "The grains");
    const std::size_t n = this->Grains.View.size;
    vtkDataArray* shape = points->GetPointData()->GetArray("Shape");
    vtkDataArray* turn = points->GetPointData()->GetArray("Orientation");
    for (std::size_t i = 0; i < n; ++i)
    {
      const auto k = static_cast<vtkIdType>(i);
      this->Ids.push_back(
        this->Grains.View.id ? this->Grains.View.id[i] : static_cast<std::int64_t>(i));
      for (int c = 0; turn && turn->GetNumberOfComponents() == 4 && c < 4; ++c)
      {
        this->Orientation.push_back(turn->GetComponent(k, c));
      }
      if (shape && shape->GetNumberOfComponents() == 1)
      {
        this->Shape.push_back(static_cast<std::int32_t>(shape->GetComponent(k, 0)));
      }
    }
    RequireDifferentIds(this->Ids);
    const int axes[3] = { 0, 0, 0 };
    const double box[6] = { 0, 1, 0, 1, 0, 1 };
    const auto periodic = vtkDEMGrainInput::GetPeriodicAxes(points, axes, box, true);
    this->Box = { periodic.Lower, periodic.Period };
  }

  dem::RayGrains View() const
  {
    dem::RayGrains view;
    view.size = this->Grains.View.size;
    view.position = this->Grains.View.position;
    view.radius = this->Grains.View.radius;
    view.id = this->Ids.data();
    view.orientation = this->Orientation.empty() ? nullptr : this->Orientation.data();
    view.shape = this->Shape.empty() ? nullptr : this->Shape.data();
    return view;
  }
};

//------------------------------------------------------------------------------
class vtkDEMSprayCoating::vtkInternals
{
public:
  std::vector<double> Times; // of the input in s; empty: it does not change
  int Next = 0;              // time step that is requested now
  int Goal = 0;              // time step that is to be shown
  int Counted = -1;          // last time step in the ledger
  bool Continuing = false;   // in the middle of a request
  std::string Settings;      // that the ledger depends on
  dem::SprayLedger Ledger;
  bool Begun = false;       // the ledger has its surfaces and patches
  std::size_t Elements = 0; // wall elements of the ledger
  std::unique_ptr<dem::RayCaster> Caster;
  int ChosenDevice = 0; // the property when the caster was made
  std::string Device;   // of the caster

  void Forget()
  {
    this->Counted = -1;
    this->Ledger = dem::SprayLedger();
    this->Begun = false;
    this->Caster.reset();
  }

  // Makes the caster for the value of the property Device; the ledger stays, as all devices find
  // the same hits. Throws dem::Error.
  void UseDevice(int chosen)
  {
    if (this->Caster && this->ChosenDevice == chosen)
    {
      return;
    }
    const dem::Device device = dem::chooseDevice(static_cast<dem::DeviceKind>(chosen));
    this->Caster = std::make_unique<dem::RayCaster>(device);
    this->ChosenDevice = chosen;
    this->Device = device.name;
  }

  // Number of the sample of a nozzle at the time step; -1 if it does not spray then.
  int SampleOf(const dem::Nozzle& nozzle, int step) const
  {
    if (this->Times.empty())
    {
      return 0;
    }
    const auto sprays = [&](int k)
    {
      return this->Times[static_cast<std::size_t>(k)] >= nozzle.start - 1e-9 &&
        this->DurationOf(nozzle, k) > 0;
    };
    int sample = -1;
    for (int k = 0; k <= step; ++k)
    {
      sample += sprays(k) ? 1 : 0;
    }
    return sprays(step) ? sample : -1;
  }

  // Time that the step stands for, s: up to the next step or to the end of the spray.
  double DurationOf(const dem::Nozzle& nozzle, int step) const
  {
    const int last = static_cast<int>(this->Times.size()) - 1;
    if (last < 0)
    {
      return nozzle.interval;
    }
    const auto from = static_cast<std::size_t>(step < last ? step : std::max(0, step - 1));
    const double interval = last == 0 ? nozzle.interval : this->Times[from + 1] - this->Times[from];
    return dem::sampleDuration(nozzle, this->Times[static_cast<std::size_t>(step)], interval);
  }
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMSprayCoating);

//------------------------------------------------------------------------------
vtkDEMSprayCoating::vtkDEMSprayCoating()
  : Internals(new vtkInternals)
{
  this->SetNumberOfInputPorts(NUMBER_OF_INPUT_PORTS);
}

//------------------------------------------------------------------------------
vtkDEMSprayCoating::~vtkDEMSprayCoating() = default;

//------------------------------------------------------------------------------
void vtkDEMSprayCoating::SetRadiusArray(const char* name)
{
  const std::string wanted = vtkDEMGrainInput::GetChosenArray(name);
  if (this->RadiusArray != wanted)
  {
    this->RadiusArray = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMSprayCoating::GetRadiusArray() const { return this->RadiusArray.c_str(); }

//------------------------------------------------------------------------------
void vtkDEMSprayCoating::RemoveAllNozzleInputs() { this->RemoveAllInputConnections(INPUT_NOZZLES); }

//------------------------------------------------------------------------------
void vtkDEMSprayCoating::RemoveAllSurfaceInputs()
{
  this->RemoveAllInputConnections(INPUT_SURFACES);
}

//------------------------------------------------------------------------------
int vtkDEMSprayCoating::FillInputPortInformation(int port, vtkInformation* info)
{
  if (port == INPUT_GRAINS)
  {
    vtkDEMGrainInput::SetPointsRequired(info);
    return 1;
  }
  if (port == INPUT_NOZZLES)
  {
    vtkDEMArrays::RequireBlocksOf(info, "vtkPolyData");
  }
  else
  {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPolyData");
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMSprayCoating::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInformation* input = inputVector[INPUT_GRAINS]->GetInformationObject(0);
  std::vector<double>& times = this->Internals->Times;
  times.clear();
  if (input->Has(SDDP::TIME_STEPS()))
  {
    const double* values = input->Get(SDDP::TIME_STEPS());
    times.assign(values, values + input->Length(SDDP::TIME_STEPS()));
  }
  vtkInformation* info = outputVector->GetInformationObject(0);
  info->Remove(SDDP::TIME_STEPS());
  info->Remove(SDDP::TIME_RANGE());
  if (!times.empty())
  {
    const double range[2] = { times.front(), times.back() };
    info->Set(SDDP::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
    info->Set(SDDP::TIME_RANGE(), range, 2);
  }
  info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

//------------------------------------------------------------------------------
// All that the coating depends on, besides the time.
std::string vtkDEMSprayCoating::GetSettings()
{
  std::ostringstream settings;
  settings << this->RadiusArray << " " << this->CoatingPatches;
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < this->GetNumberOfInputConnections(port); ++i)
    {
      if (auto* executive = vtkDemandDrivenPipeline::SafeDownCast(this->GetInputExecutive(port, i)))
      {
        settings << " " << executive->GetPipelineMTime();
      }
    }
  }
  for (const double time : this->Internals->Times)
  {
    settings << " " << time;
  }
  return settings.str();
}

//------------------------------------------------------------------------------
int vtkDEMSprayCoating::RequestUpdateExtent(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  if (internals.Times.empty())
  {
    internals.Next = internals.Goal = 0;
    if (internals.Settings != this->GetSettings())
    {
      internals.Forget();
      internals.Settings = this->GetSettings();
    }
    return 1;
  }
  if (!internals.Continuing)
  {
    vtkInformation* asked = outputVector->GetInformationObject(0);
    const double time = asked->Has(SDDP::UPDATE_TIME_STEP()) ? asked->Get(SDDP::UPDATE_TIME_STEP())
                                                             : internals.Times.front();
    const auto after = std::upper_bound(
      internals.Times.begin(), internals.Times.end(), time + 1e-12 * std::fabs(time));
    internals.Goal = std::max(0, static_cast<int>(after - internals.Times.begin()) - 1);
    const std::string settings = this->GetSettings();
    if (settings != internals.Settings || internals.Counted > internals.Goal)
    {
      internals.Forget();
      internals.Settings = settings;
    }
    internals.Next = std::min(internals.Goal, internals.Counted + 1);
  }
  for (const int port : { INPUT_GRAINS, INPUT_SURFACES })
  {
    for (int i = 0; i < inputVector[port]->GetNumberOfInformationObjects(); ++i)
    {
      inputVector[port]->GetInformationObject(i)->Set(
        SDDP::UPDATE_TIME_STEP(), internals.Times[static_cast<std::size_t>(internals.Next)]);
    }
  }
  return 1;
}

//------------------------------------------------------------------------------
// Adds the rays of the present time step to the ledger. Throws dem::Error.
void vtkDEMSprayCoating::CountStep(const SprayInput& input, const std::vector<dem::Nozzle>& nozzles,
  const dem::SprayOptions& options, const std::vector<dem::WallElement>& walls)
{
  vtkInternals& internals = *this->Internals;
  if (!internals.Begun)
  {
    internals.Ledger = dem::SprayLedger(walls.size(), options.patches);
    internals.Elements = walls.size();
    internals.Begun = true;
  }
  if (walls.size() != internals.Elements)
  {
    throw dem::Error("The surfaces have " + std::to_string(walls.size()) +
      " triangles at this time and " + std::to_string(internals.Elements) +
      " before. Choose surfaces whose triangles stay the same.");
  }
  dem::RayCaster& caster = *internals.Caster;
  caster.setShapes(input.Shapes, options.patches);
  caster.setWalls(walls);
  caster.setGrains(input.View(), input.Box, options.search);
  std::vector<dem::RayHit> hits;
  for (std::size_t k = 0; k < nozzles.size(); ++k)
  {
    const dem::Nozzle& nozzle = nozzles[k];
    const int sample = internals.SampleOf(nozzle, internals.Next);
    if (sample < 0 || nozzle.mass_rate == 0)
    {
      continue;
    }
    const double duration = internals.DurationOf(nozzle, internals.Next);
    caster.cast(nozzle, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(sample), hits);
    internals.Ledger.add(hits, input.Ids.data(), input.Ids.size(),
      nozzle.mass_rate * duration / nozzle.rays, duration);
  }
}

//------------------------------------------------------------------------------
void vtkDEMSprayCoating::FillOutput(
  vtkPointSet* points, const SprayInput& input, vtkPolyData* output)
{
  const vtkInternals& internals = *this->Internals;
  CopyGrains(points, output);
  dem::CoatingOutput coating;
  coating.mass = AddArray<vtkDoubleArray>(output, "CoatingMass", 1);
  static_assert(sizeof(vtkIdType) == sizeof(std::int64_t), "requires 64-bit ids");
  coating.hits = reinterpret_cast<std::int64_t*>(AddArray<vtkIdTypeArray>(output, "SprayHits", 1));
  coating.time = AddArray<vtkDoubleArray>(output, "SprayTime", 1);
  if (internals.Ledger.patches() > 0)
  {
    coating.patches =
      AddArray<vtkDoubleArray>(output, "CoatingPatchMass", internals.Ledger.patches());
    coating.patch_variation = AddArray<vtkDoubleArray>(output, "PatchVariation", 1);
  }
  internals.Ledger.write(input.Ids.data(), input.Ids.size(), coating);
  output->GetPointData()->SetActiveScalars("CoatingMass");
  vtkFieldData* data = output->GetFieldData();
  const dem::SprayTotals& totals = internals.Ledger.totals();
  const auto add = [data](const char* name, std::uint64_t rays)
  { vtkDEMArrays::AddInteger(data, name, static_cast<std::int64_t>(rays)); };
  add("SprayEmitted", totals.emitted);
  add("SprayOnGrains", totals.on_grains);
  add("SprayOnWalls", totals.on_walls);
  add("SprayMissed", totals.missed);
  vtkDEMArrays::AddNumber(data, "SprayedMass", totals.mass);
  vtkDEMArrays::AddNumber(data, "SprayedOnGrains", internals.Ledger.massOnGrains());
  vtkDEMArrays::AddNumber(data, "SprayedOnWalls", internals.Ledger.massOnWalls());
  vtkDEMArrays::AddNumber(
    data, "CoatingVariation", internals.Ledger.variation(input.Ids.data(), input.Ids.size()));
  vtkDEMArrays::AddText(data, "Device", internals.Device);
}

//------------------------------------------------------------------------------
// Counts the present time step and fills the output if it is the goal. Returns true if another
// time step is needed. Throws dem::Error.
bool vtkDEMSprayCoating::Spray(vtkInformationVector** inputVector, vtkPolyData* output)
{
  vtkInternals& internals = *this->Internals;
  auto* controller = vtkDEMArrays::GetParallelController();
  vtkSmartPointer<vtkPointSet> points = vtkDEMGrainInput::GetPoints(inputVector[INPUT_GRAINS]);
  vtkDEMRankInput::Gather(points);
  // the last collective call before the one of RequestData
  const std::vector<dem::Nozzle> nozzles = ReadNozzles(inputVector[INPUT_NOZZLES], controller);
  dem::SprayOptions options;
  options.search =
    vtkDEMChoice::Choice<dem::RaySearch>("RaySearch", this->RaySearch, dem::kRaySearchNames);
  options.patches = this->CoatingPatches;
  dem::validateSpray(options);
  if (points && (!controller || controller->GetLocalProcessId() == 0))
  {
    const SprayInput input(points, this->RadiusArray);
    dem::requirePatchMemory(input.Ids.size(), options.patches);
    internals.UseDevice(this->Device);
    if (internals.Next > internals.Counted)
    {
      this->CountStep(input, nozzles, options, ReadSurfaces(inputVector[INPUT_SURFACES]));
    }
    if (internals.Next == internals.Goal)
    {
      this->FillOutput(points, input, output);
    }
  }
  internals.Counted = std::max(internals.Counted, internals.Next);
  return internals.Next < internals.Goal && !this->GetAbortExecute();
}

//------------------------------------------------------------------------------
int vtkDEMSprayCoating::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  vtkPolyData* output = vtkPolyData::GetData(outputVector, 0);
  internals.Continuing = false;
  int failed = 0;
  try
  {
    internals.Continuing = this->Spray(inputVector, output);
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    failed = 1;
  }
  if (auto* controller = vtkDEMArrays::GetParallelController())
  {
    // An error, or a stop, of one rank ends the request of all.
    const int mine[2] = { failed, internals.Continuing ? 0 : 1 };
    int any[2] = { 0, 0 };
    controller->AllReduce(mine, any, 2, vtkCommunicator::MAX_OP);
    failed = any[0];
    internals.Continuing = any[1] == 0;
  }
  if (failed)
  {
    internals.Continuing = false;
    internals.Forget();
    output->Initialize();
  }
  if (internals.Continuing)
  {
    ++internals.Next;
    this->SetProgressText("DEM spray coating");
    this->UpdateProgress(static_cast<double>(internals.Next) / std::max(1, internals.Goal));
    request->Set(SDDP::CONTINUE_EXECUTING(), 1);
    return 1;
  }
  request->Remove(SDDP::CONTINUE_EXECUTING());
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMSprayCoating::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "RadiusArray: " << this->RadiusArray << endl;
  os << indent << "RaySearch: " << this->RaySearch << endl;
  os << indent << "CoatingPatches: " << this->CoatingPatches << endl;
  os << indent << "Device: " << this->Device << endl;
}
