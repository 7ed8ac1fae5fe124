#include "vtkDEMStatistics.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMFrameHandle.h"
#include "Bridge/vtkDEMFrameInput.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMGrainParts.h"
#include "Bridge/vtkDEMRankInput.h"
#include "Bridge/vtkDEMSurfaceInput.h"
#include "Core/Device.h"
#include "Core/Error.h"
#include "detail/vtkDEMFlowSchedule.h"
#include "detail/vtkDEMLabels.h"
#include "detail/vtkDEMStatisticsTables.h"

#include "vtkDataArray.h"
#include "vtkDemandDrivenPipeline.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using SDDP = vtkStreamingDemandDrivenPipeline;

//------------------------------------------------------------------------------
// The run of the simulation that the points come from; 0 = none.
std::uint64_t RunOf(vtkPointSet* points)
{
  vtkDEMFrameHandle* handle = vtkDEMFrameHandle::Of(vtkPolyData::SafeDownCast(points));
  return handle ? handle->GetRun() : 0;
}

//------------------------------------------------------------------------------
std::vector<std::int32_t> ReadSpecies(vtkPointSet* input, const std::string& name)
{
  vtkDataArray* array = input->GetPointData()->GetArray(name.c_str());
  if (!array || array->GetNumberOfComponents() != 1)
  {
    throw dem::Error("There is no point array \"" + name +
      "\" of one component for the species. Choose another as Species Array, or none for "
      "Material.");
  }
  std::vector<std::int32_t> species(static_cast<std::size_t>(array->GetNumberOfTuples()));
  for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i)
  {
    const double value = array->GetTuple1(i);
    if (value != std::floor(value) || !(std::fabs(value) < 2147483648.0))
    {
      std::ostringstream text;
      text << "Point " << i << " has " << value << " in the Species Array \"" << name
           << "\", but species are whole numbers below 2^31. Choose another array.";
      throw dem::Error(text.str());
    }
    species[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(value);
  }
  return species;
}

} // namespace

//------------------------------------------------------------------------------
// Grains of the input, with what owns their memory.
struct vtkDEMStatistics::Input
{
  vtkSmartPointer<vtkPointSet> Points;
  dem::Device Device;
  vtkDEMFrameInput::FrameInput Frame;   // or none; then Arrays
  vtkDEMGrainInput::GrainArrays Arrays; // on the host
  std::vector<std::int32_t> Species;
  dem::Grains Grains; // on the host, if Arrays were read
  dem::PairBox Box;
  bool IsShaped = false; // other shapes than spheres
};

//------------------------------------------------------------------------------
class vtkDEMStatistics::vtkInternals
{
public:
  vtkDEMFlowSchedule Schedule;
  vtkDEMStatisticsTables::History Rows;
  double Shown = 0; // time of the outputs, s
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMStatistics);

//------------------------------------------------------------------------------
vtkDEMStatistics::vtkDEMStatistics()
  : Internals(new vtkInternals)
{
  this->SetNumberOfInputPorts(2);
  this->SetNumberOfOutputPorts(NUMBER_OF_PORTS);
}

//------------------------------------------------------------------------------
vtkDEMStatistics::~vtkDEMStatistics() = default;

//------------------------------------------------------------------------------
void vtkDEMStatistics::SetRadiusArray(const char* name)
{
  const std::string wanted = vtkDEMGrainInput::GetChosenArray(name);
  if (this->RadiusArray != wanted)
  {
    this->RadiusArray = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMStatistics::GetRadiusArray() const { return this->RadiusArray.c_str(); }

//------------------------------------------------------------------------------
void vtkDEMStatistics::SetSpeciesArray(const char* name)
{
  const std::string wanted = vtkDEMGrainInput::GetChosenArray(name);
  if (this->SpeciesArray != wanted)
  {
    this->SpeciesArray = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMStatistics::GetSpeciesArray() const { return this->SpeciesArray.c_str(); }

//------------------------------------------------------------------------------
void vtkDEMStatistics::ResetFlow() { this->SetFlowStartTime(this->Internals->Shown); }

//------------------------------------------------------------------------------
int vtkDEMStatistics::FillInputPortInformation(int port, vtkInformation* info)
{
  if (port == 0)
  {
    vtkDEMGrainInput::SetPointsRequired(info);
  }
  else
  {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPolyData");
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMStatistics::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInformation* input = inputVector[0]->GetInformationObject(0);
  std::vector<double>& times = this->Internals->Schedule.Times;
  times.clear();
  if (input->Has(SDDP::TIME_STEPS()))
  {
    const double* values = input->Get(SDDP::TIME_STEPS());
    times.assign(values, values + input->Length(SDDP::TIME_STEPS()));
  }
  for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
  {
    vtkInformation* info = outputVector->GetInformationObject(port);
    if (times.empty())
    {
      info->Remove(SDDP::TIME_STEPS());
      info->Remove(SDDP::TIME_RANGE());
    }
    else
    {
      const double range[2] = { times.front(), times.back() };
      info->Set(SDDP::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
      info->Set(SDDP::TIME_RANGE(), range, 2);
    }
    info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  }
  return 1;
}

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMStatistics::GetInputTime()
{
  vtkMTimeType changedAt = 0;
  for (int input = 0; input < this->GetNumberOfInputPorts(); ++input)
  {
    if (this->GetNumberOfInputConnections(input) > 0)
    {
      if (auto* executive =
            vtkDemandDrivenPipeline::SafeDownCast(this->GetInputExecutive(input, 0)))
      {
        changedAt = std::max(changedAt, executive->GetPipelineMTime());
      }
    }
  }
  return changedAt;
}

//------------------------------------------------------------------------------
// All that the counts of flow depend on, besides the data.
std::string vtkDEMStatistics::GetFlowSettings() const
{
  std::ostringstream settings;
  settings.precision(17);
  settings << this->FlowThrough << " " << this->FlowStartTime << " " << this->Density << " "
           << this->PeriodicOfData << " " << this->RadiusArray << " " << this->SpeciesArray;
  for (int i = 0; i < 3; ++i)
  {
    settings << " " << this->Origin[i] << " " << this->Normal[i] << " " << this->Periodic[i];
  }
  for (double x : this->PeriodicBox)
  {
    settings << " " << x;
  }
  return settings.str();
}

//------------------------------------------------------------------------------
int vtkDEMStatistics::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkDEMFlowSchedule& schedule = this->Internals->Schedule;
  int port = request->Has(vtkExecutive::FROM_OUTPUT_PORT())
    ? request->Get(vtkExecutive::FROM_OUTPUT_PORT())
    : 0;
  port = std::max(0, std::min(port, this->GetNumberOfOutputPorts() - 1));
  vtkInformation* asked = outputVector->GetInformationObject(port);
  if (schedule.Times.empty())
  {
    schedule.Plan = vtkDEMFlowSchedule::Step{};
    return 1;
  }
  if (!schedule.Plan.Continuing)
  {
    schedule.Begin(asked->Has(SDDP::UPDATE_TIME_STEP()) ? asked->Get(SDDP::UPDATE_TIME_STEP())
                                                        : schedule.Times.front());
    if (this->FlowThrough != NO_FLOW)
    {
      schedule.BeginFlow(this->FlowStartTime, this->GetFlowSettings(), this->GetInputTime());
    }
    schedule.Share();
  }
  for (int input = 0; input < 2; ++input)
  {
    for (int i = 0; i < inputVector[input]->GetNumberOfInformationObjects(); ++i)
    {
      inputVector[input]->GetInformationObject(i)->Set(
        SDDP::UPDATE_TIME_STEP(), schedule.Times[static_cast<std::size_t>(schedule.Plan.Next)]);
    }
  }
  return 1;
}

//------------------------------------------------------------------------------
// Reads what the statistics need of input.Points. Throws dem::Error.
void vtkDEMStatistics::ReadInput(Input& input)
{
  if (!(this->Density > 0) || !std::isfinite(this->Density))
  {
    throw dem::Error(
      "Density must be > 0 kg/m^3, but is " + vtkDEMArrays::Number(this->Density) + ".");
  }
  vtkDEMGrainInput::GrainOptions options;
  options.Motion = true;
  options.RadiusArray = this->RadiusArray;
  options.Density = this->Density;
  input.Device = dem::chooseDevice(static_cast<dem::DeviceKind>(this->Device));
  if (this->SpeciesArray.empty())
  {
    input.Frame = vtkDEMFrameInput::Find(input.Points, nullptr, options, input.Device);
  }
  // Flow and shapes need the grains on the host.
  input.IsShaped = vtkDEMGrainParts::Any(input.Points);
  if (!input.Frame || this->CountsFlow() || input.IsShaped)
  {
    input.Arrays = vtkDEMGrainInput::ReadGrains(input.Points, options);
  }
  input.Grains = input.Arrays.View;
  if (!this->SpeciesArray.empty() && input.Grains.size > 0)
  {
    input.Species = ReadSpecies(input.Points, this->SpeciesArray);
    input.Grains.material = input.Species.data();
  }

  const vtkDEMGrainInput::PeriodicAxes periodic = vtkDEMGrainInput::GetPeriodicAxes(
    input.Points, this->Periodic, this->PeriodicBox, this->PeriodicOfData);
  input.Box.periodic_lower = periodic.Lower;
  input.Box.period = periodic.Period;
  for (int i = 0; i < 3; ++i)
  {
    input.Box.lower[i] = this->Region[2 * i];
    input.Box.upper[i] = this->Region[2 * i + 1];
  }
  input.Box.limited = this->LimitRegion;
}

//------------------------------------------------------------------------------
bool vtkDEMStatistics::CountsFlow() const
{
  return this->FlowThrough != NO_FLOW && this->Internals->Schedule.Counts();
}

//------------------------------------------------------------------------------
// Counts the flow of this output. Returns true if another output is needed before.
bool vtkDEMStatistics::CountFlow(const Input& input, vtkPolyData* polygons, double shown)
{
  dem::FlowSurface surface =
    dem::FlowSurface::plane({ this->Origin[0], this->Origin[1], this->Origin[2] },
      { this->Normal[0], this->Normal[1], this->Normal[2] });
  if (this->FlowThrough == SURFACE)
  {
    if (!polygons)
    {
      throw dem::Error("Flow Through is Surface, but no Surface is connected. Choose one, or "
                       "count through a plane.");
    }
    const vtkDEMSurfaceInput::TriangleMesh mesh =
      vtkDEMSurfaceInput::ReadTriangles(polygons, "Surface");
    surface = dem::FlowSurface::triangles(mesh.Points, mesh.Triangles);
  }
  const vtkDEMArrays::Exits left = vtkDEMArrays::ReadExits(input.Points->GetFieldData());
  const dem::GrainExits exits{ left.Ids.size(), left.Ids.data(), left.Positions.data() };
  vtkDEMFlowSchedule& schedule = this->Internals->Schedule;
  const bool more = schedule.Count(
    shown, input.Grains, surface, input.Box.period, exits, this->GetAbortExecute() != 0);
  if (more)
  {
    this->SetProgressText("DEM flow");
    this->UpdateProgress(schedule.Progress());
  }
  return more;
}

//------------------------------------------------------------------------------
// All statistics but flow. Throws dem::Error.
void vtkDEMStatistics::Compute(const Input& input, vtkDEMStatisticsTables::Result& result)
{
  const dem::Grains& grains = input.Frame ? input.Frame.Grains : input.Grains;
  result.Filled = true;
  result.HasVelocity = grains.velocity != nullptr;
  result.HasSpin = grains.angular_velocity != nullptr;
  result.HasTemperature = grains.temperature != nullptr;
  result.Bulk = dem::bulkStatistics(
    grains, { this->Up[0], this->Up[1], this->Up[2] }, this->HeightPercentile, input.Device);
  if (input.IsShaped && result.HasSpin)
  {
    result.Bulk.rotational_energy =
      vtkDEMGrainParts::RotationalEnergy(input.Points, input.Arrays.View);
  }
  if (this->MixingIndices)
  {
    if (!(this->LaceyCellSize >= 0))
    {
      throw dem::Error("LaceyCellSize must be 0 (automatic) or more, but is " +
        vtkDEMArrays::Number(this->LaceyCellSize) + " m.");
    }
    if (grains.size > 0)
    {
      result.Lacey = dem::laceyIndex(grains,
        this->LaceyCellSize > 0 ? this->LaceyCellSize : 8 * result.Bulk.mean_radius, input.Device);
    }
    result.Mixing = dem::neighborMixing(grains, this->MixingNeighbors, input.Box, input.Device);
  }
  if (this->RadialDistribution)
  {
    dem::RadialDistributionOptions distribution;
    distribution.box = input.Box;
    distribution.largest_distance = this->LargestDistance;
    distribution.bins = this->NumberOfBins;
    result.Pairs = dem::radialDistribution(grains, distribution, input.Device);
  }
}

//------------------------------------------------------------------------------
int vtkDEMStatistics::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  vtkDEMFlowSchedule& schedule = internals.Schedule;
  Input input;
  input.Points = vtkDEMGrainInput::GetPoints(inputVector[0]);
  auto* controller = vtkDEMArrays::GetParallelController();
  const bool root = !controller || controller->GetLocalProcessId() == 0;

  double shown = schedule.Times.empty()
    ? 0
    : schedule.Times[static_cast<std::size_t>(std::max(0, schedule.Plan.Next))];
  if (input.Points && input.Points->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP()))
  {
    shown = input.Points->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP());
  }

  bool more = false;
  vtkDEMStatisticsTables::Result result;
  try
  {
    vtkDEMRankInput::Gather(input.Points);
    if (root && input.Points)
    {
      this->ReadInput(input);
      if (this->CountsFlow()) // first, since it may need another output
      {
        more = this->CountFlow(input, vtkPolyData::GetData(inputVector[1], 0), shown);
        result.Flow = schedule.Find(shown);
      }
      if (!more)
      {
        this->Compute(input, result);
      }
    }
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    more = false;
    result.Filled = false;
    result.Pairs = dem::RadialDistribution{};
    result.Flow = dem::FlowRecord{};
  }
  schedule.Plan.Continuing = more ? 1 : 0;
  schedule.Share();
  if (schedule.Plan.Continuing)
  {
    request->Set(SDDP::CONTINUE_EXECUTING(), 1);
    return 1;
  }
  request->Remove(SDDP::CONTINUE_EXECUTING());
  result.Device = input.Device.name;
  result.FromFrame = static_cast<bool>(input.Frame);
  this->FillTables(result, shown, RunOf(input.Points), outputVector);
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMStatistics::FillTables(const vtkDEMStatisticsTables::Result& result, double shown,
  std::uint64_t run, vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  internals.Shown = shown;
  vtkTable* tables[NUMBER_OF_PORTS];
  for (int port = 0; port < NUMBER_OF_PORTS; ++port)
  {
    tables[port] = vtkTable::GetData(outputVector, port);
    tables[port]->Initialize();
    tables[port]->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), shown);
  }
  vtkTable* row = tables[STATISTICS];
  vtkDEMStatisticsTables::FillRow(
    result, shown, this->MixingIndices, this->FlowThrough != NO_FLOW, row);
  internals.Rows.Check(this->GetMTime(), this->GetInputTime(), run, shown);
  if (result.Filled)
  {
    internals.Rows.Add(shown, row);
  }
  internals.Rows.Fill(row, tables[OVER_TIME]);
  if (result.Filled)
  {
    vtkDEMArrays::AddText(row->GetFieldData(), "Device", result.Device);
    vtkDEMFrameInput::AddSource(row->GetFieldData(), result.FromFrame);
  }
  vtkDEMStatisticsTables::FillRadialDistribution(result.Pairs, tables[RADIAL_DISTRIBUTION]);
  vtkDEMStatisticsTables::FillFlowBySpecies(result.Flow, tables[FLOW_BY_SPECIES]);
}

//------------------------------------------------------------------------------
void vtkDEMStatistics::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Density: " << this->Density << endl;
  os << indent << "RadiusArray: " << this->RadiusArray << endl;
  os << indent << "SpeciesArray: " << this->SpeciesArray << endl;
  os << indent << "HeightPercentile: " << this->HeightPercentile << endl;
  os << indent << "MixingIndices: " << this->MixingIndices << endl;
  os << indent << "LaceyCellSize: " << this->LaceyCellSize << endl;
  os << indent << "MixingNeighbors: " << this->MixingNeighbors << endl;
  os << indent << "RadialDistribution: " << this->RadialDistribution << endl;
  os << indent << "LargestDistance: " << this->LargestDistance << endl;
  os << indent << "NumberOfBins: " << this->NumberOfBins << endl;
  os << indent << "LimitRegion: " << this->LimitRegion << endl;
  os << indent << "Periodic: " << this->Periodic[0] << " " << this->Periodic[1] << " "
     << this->Periodic[2] << endl;
  os << indent << "PeriodicOfData: " << this->PeriodicOfData << endl;
  os << indent << "FlowThrough: " << this->FlowThrough << endl;
  os << indent << "FlowStartTime: " << this->FlowStartTime << endl;
  os << indent << "Device: " << this->Device << endl;
}
