#include "vtkDEMStatistics.h"

#include "Analysis/FlowCounter.h"
#include "Analysis/PairStatistics.h"
#include "Analysis/Statistics.h"
#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMFrameHandle.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMGrainParts.h"
#include "Core/Device.h"
#include "Core/Error.h"
#include "detail/vtkDEMLabels.h"

#include "vtkDataArray.h"
#include "vtkDemandDrivenPipeline.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkIdTypeArray.h"
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
#include <limits>
#include <map>
#include <sstream>
#include <vector>

namespace
{

using SDDP = vtkStreamingDemandDrivenPipeline;

const double NotANumber = std::numeric_limits<double>::quiet_NaN();

//------------------------------------------------------------------------------
void AddColumn(vtkTable* table, const char* name, const std::vector<double>& values)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfValues(static_cast<vtkIdType>(values.size()));
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  table->AddColumn(array);
}

//------------------------------------------------------------------------------
void AddColumn(vtkTable* table, const char* name, const std::vector<vtkIdType>& values)
{
  vtkNew<vtkIdTypeArray> array;
  array->SetName(name);
  array->SetNumberOfValues(static_cast<vtkIdType>(values.size()));
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  table->AddColumn(array);
}

//------------------------------------------------------------------------------
// The one-row table; without rows where there is nothing to tell.
class Row
{
public:
  Row(vtkTable* table, bool filled)
    : Table(table)
    , Filled(filled)
  {
  }
  void Number(const char* name, double value)
  {
    AddColumn(this->Table, name, std::vector<double>(this->Filled ? 1 : 0, value));
  }
  void Integer(const char* name, std::int64_t value)
  {
    AddColumn(this->Table, name,
      std::vector<vtkIdType>(this->Filled ? 1 : 0, static_cast<vtkIdType>(value)));
  }
  void Vector(const char* name, const dem::Vec3d& value)
  {
    vtkNew<vtkDoubleArray> array;
    array->SetName(name);
    array->SetNumberOfComponents(3);
    for (int i = 0; i < 3; ++i)
    {
      array->SetComponentName(i, std::string(1, "XYZ"[i]).c_str());
    }
    if (this->Filled)
    {
      array->InsertNextTuple3(value.x, value.y, value.z);
    }
    this->Table->AddColumn(array);
  }

private:
  vtkTable* Table;
  bool Filled;
};

//------------------------------------------------------------------------------
// The simulation's run that the points are of; 0 = none.
std::uint64_t RunOf(vtkPointSet* points)
{
  vtkDEMFrameHandle* handle = vtkDEMFrameHandle::Of(vtkPolyData::SafeDownCast(points));
  return handle ? handle->GetRun() : 0;
}

//------------------------------------------------------------------------------
// All rows below each other, in the columns of `like`; a single one twice, since a chart complains
// of a line through one point.
void FillOverTime(
  vtkTable* like, const std::map<double, vtkSmartPointer<vtkTable>>& rows, vtkTable* table)
{
  for (vtkIdType c = 0; c < like->GetNumberOfColumns(); ++c)
  {
    vtkAbstractArray* from = like->GetColumn(c);
    auto column = vtkSmartPointer<vtkAbstractArray>::Take(from->NewInstance());
    column->SetName(from->GetName());
    column->SetNumberOfComponents(from->GetNumberOfComponents());
    column->CopyComponentNames(from);
    for (std::size_t times = rows.size() == 1 ? 2 : 1; times > 0; --times)
    {
      for (const auto& row : rows)
      {
        column->InsertNextTuple(0, row.second->GetColumnByName(from->GetName()));
      }
    }
    table->AddColumn(column);
  }
}

//------------------------------------------------------------------------------
std::vector<std::int32_t> ReadSpecies(vtkPointSet* input, const std::string& name)
{
  vtkDataArray* array = input->GetPointData()->GetArray(name.c_str());
  if (!array || array->GetNumberOfComponents() != 1)
  {
    throw dem::Error("There is no point array \"" + name +
      "\" of one component to tell species apart. Choose another as Species Array, or none for "
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
class vtkDEMStatistics::vtkInternals
{
public:
  // What is decided between the passes of one request.
  struct Step
  {
    int Next = 0;       // output that is asked for
    int Goal = 0;       // output that is wanted in the end
    int First = 0;      // output from which flow is counted
    int Verifying = 0;  // Next is asked for to see whether the counts still hold
    int Continuing = 0; // in the middle of a request
  };

  std::vector<double> Times;
  Step Plan;
  dem::FlowCounter Flow;
  std::string Counted;         // the settings that the counts are of
  vtkMTimeType VerifiedAt = 0; // of the input's pipeline when the counts held last
  double Shown = 0;

  double Slack() const
  {
    return this->Times.empty()
      ? 0
      : 1e-9 * std::max(std::fabs(this->Times.front()), std::fabs(this->Times.back()));
  }

  int Snapped(double time) const
  {
    const auto after =
      std::upper_bound(this->Times.begin(), this->Times.end(), time + this->Slack());
    return std::max(0, static_cast<int>(after - this->Times.begin()) - 1);
  }

  // The output after the last one counted.
  int Uncounted() const { return this->Plan.First + static_cast<int>(this->Flow.records().size()); }

  void PlanNext()
  {
    this->Plan.Verifying = 0;
    this->Plan.Next = std::min(this->Plan.Goal, this->Uncounted());
    if (this->Plan.Goal < this->Plan.First)
    {
      this->Plan.Next = this->Plan.Goal;
    }
  }

  bool TimesHold() const
  {
    const auto& records = this->Flow.records();
    for (std::size_t i = 0; i < records.size(); ++i)
    {
      const std::size_t at = static_cast<std::size_t>(this->Plan.First) + i;
      if (at >= this->Times.size() || this->Times[at] != records[i].time)
      {
        return false;
      }
    }
    return true;
  }

  // Rows of port 0 by time, of these settings, this input, and this run of it (0 = not of a
  // simulation).
  std::map<double, vtkSmartPointer<vtkTable>> Rows;
  vtkMTimeType RowsOfSettings = 0;
  vtkMTimeType RowsOfInput = 0;
  std::uint64_t RowsOfRun = 0;

  // Forgets rows that may be wrong by now.
  void CheckRows(vtkMTimeType settings, vtkMTimeType input, std::uint64_t run, double shown)
  {
    if (settings != this->RowsOfSettings || run != this->RowsOfRun ||
      (run == 0 && input != this->RowsOfInput))
    {
      this->Rows.clear();
    }
    else if (input != this->RowsOfInput)
    {
      this->Rows.erase(this->Rows.upper_bound(shown), this->Rows.end()); // steered from here on
    }
    this->RowsOfSettings = settings;
    this->RowsOfInput = input;
    this->RowsOfRun = run;
  }

  // Rank 0 has the grains and decides; the others follow, as requests are collective.
  void Share()
  {
    if (auto* controller = vtkDEMArrays::GetParallelController())
    {
      int values[5] = { this->Plan.Next, this->Plan.Goal, this->Plan.First, this->Plan.Verifying,
        this->Plan.Continuing };
      controller->Broadcast(values, 5, 0);
      this->Plan = { values[0], values[1], values[2], values[3], values[4] };
    }
  }
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
  std::vector<double>& times = this->Internals->Times;
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
int vtkDEMStatistics::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  int port = request->Has(vtkExecutive::FROM_OUTPUT_PORT())
    ? request->Get(vtkExecutive::FROM_OUTPUT_PORT())
    : 0;
  port = std::max(0, std::min(port, this->GetNumberOfOutputPorts() - 1));
  vtkInformation* asked = outputVector->GetInformationObject(port);
  if (internals.Times.empty())
  {
    internals.Plan = vtkInternals::Step{};
    return 1;
  }
  const double time = asked->Has(SDDP::UPDATE_TIME_STEP()) ? asked->Get(SDDP::UPDATE_TIME_STEP())
                                                           : internals.Times.front();
  vtkInternals::Step& plan = internals.Plan;
  if (!plan.Continuing)
  {
    plan = vtkInternals::Step{};
    plan.Goal = plan.Next = internals.Snapped(time);
    if (this->FlowThrough != NO_FLOW)
    {
      // What the counts depend on, besides the data.
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
      plan.First = static_cast<int>(std::lower_bound(internals.Times.begin(), internals.Times.end(),
                                      this->FlowStartTime - internals.Slack()) -
        internals.Times.begin());
      if (settings.str() != internals.Counted || !internals.TimesHold())
      {
        internals.Flow.reset();
        internals.Counted = settings.str();
      }
      const vtkMTimeType changedAt = this->GetInputTime();
      internals.PlanNext();
      if (changedAt != internals.VerifiedAt && !internals.Flow.records().empty() &&
        plan.Goal >= plan.First)
      {
        plan.Verifying = 1;
        plan.Next = internals.Uncounted() - 1;
      }
      internals.VerifiedAt = changedAt;
    }
    internals.Share();
  }
  for (int input = 0; input < 2; ++input)
  {
    for (int i = 0; i < inputVector[input]->GetNumberOfInformationObjects(); ++i)
    {
      inputVector[input]->GetInformationObject(i)->Set(
        SDDP::UPDATE_TIME_STEP(), internals.Times[static_cast<std::size_t>(plan.Next)]);
    }
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMStatistics::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  vtkInternals::Step& plan = internals.Plan;
  const vtkSmartPointer<vtkPointSet> input = vtkDEMGrainInput::GetPoints(inputVector[0]);
  auto* controller = vtkDEMArrays::GetParallelController();
  const bool root = !controller || controller->GetLocalProcessId() == 0;

  double shown =
    internals.Times.empty() ? 0 : internals.Times[static_cast<std::size_t>(std::max(0, plan.Next))];
  if (input && input->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP()))
  {
    shown = input->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP());
  }

  bool goOn = false;
  bool filled = false;
  dem::BulkStatistics bulk;
  dem::RadialDistribution pairs;
  dem::NeighborMixing mixing;
  double lacey = NotANumber;
  mixing.index = mixing.mean_distance = NotANumber;
  bool moves = false, spins = false;
  std::string device;
  dem::FlowRecord flow;
  vtkDEMGrainInput::FrameInput frame;
  try
  {
    const int owner = vtkDEMArrays::RequireOneProcess(input, "DEM Statistics");
    if (owner > 0)
    {
      throw dem::Error("The particles are on process " + std::to_string(owner) +
        "; DEM Statistics needs them on process 0. Read them there.");
    }
    if (root && input)
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
      const dem::Device chosen = dem::chooseDevice(static_cast<dem::DeviceKind>(this->Device));
      device = chosen.name;
      if (this->SpeciesArray.empty())
      {
        frame = vtkDEMGrainInput::FindFrame(input, nullptr, options, chosen);
      }
      // The flow is counted on the host, and shapes are known there.
      const bool shaped = vtkDEMGrainParts::Any(input);
      const bool counts = this->FlowThrough != NO_FLOW && plan.Goal >= plan.First;
      vtkDEMGrainInput::GrainArrays arrays;
      if (!frame || counts || shaped)
      {
        arrays = vtkDEMGrainInput::ReadGrains(input, options);
      }
      dem::Grains grains = arrays.View;
      std::vector<std::int32_t> species;
      if (!this->SpeciesArray.empty() && grains.size > 0)
      {
        species = ReadSpecies(input, this->SpeciesArray);
        grains.material = species.data();
      }

      // The borders
      dem::PairBox box;
      const vtkDEMGrainInput::PeriodicAxes periodic = vtkDEMGrainInput::GetPeriodicAxes(
        input, this->Periodic, this->PeriodicBox, this->PeriodicOfData);
      box.periodic_lower = periodic.Lower;
      box.period = periodic.Period;
      for (int i = 0; i < 3; ++i)
      {
        box.lower[i] = this->Region[2 * i];
        box.upper[i] = this->Region[2 * i + 1];
      }
      box.limited = this->LimitRegion;

      // Flow first: it may need another output.
      if (counts)
      {
        dem::FlowSurface surface =
          dem::FlowSurface::plane({ this->Origin[0], this->Origin[1], this->Origin[2] },
            { this->Normal[0], this->Normal[1], this->Normal[2] });
        if (this->FlowThrough == SURFACE)
        {
          vtkPolyData* polygons = vtkPolyData::GetData(inputVector[1], 0);
          if (!polygons)
          {
            throw dem::Error("Flow Through is Surface, but no Surface is connected. Choose one, or "
                             "count through a plane.");
          }
          const vtkDEMArrays::TriangleMesh mesh = vtkDEMArrays::ReadTriangles(polygons, "Surface");
          surface = dem::FlowSurface::triangles(mesh.Points, mesh.Triangles);
        }
        const vtkDEMArrays::Exits left = vtkDEMArrays::ReadExits(input->GetFieldData());
        const dem::GrainExits exits{ left.Ids.size(), left.Ids.data(), left.Positions.data() };
        const auto& records = internals.Flow.records();
        const double wanted =
          internals.Times.empty() ? shown : internals.Times[static_cast<std::size_t>(plan.Next)];
        const bool reached = shown >= wanted - internals.Slack();
        const bool known = plan.Next < internals.Uncounted();
        if (known && reached &&
          records[static_cast<std::size_t>(plan.Next - plan.First)].fingerprint !=
            dem::FlowCounter::fingerprint(grains, surface, exits))
        {
          // The input is another than what was counted.
          internals.Flow.reset();
          goOn = plan.Next != plan.First;
        }
        if (!goOn && reached && plan.Next == internals.Uncounted())
        {
          internals.Flow.add(wanted, grains, surface, box.period, exits);
        }
        goOn = goOn || (reached && plan.Next != plan.Goal);
        if (goOn && this->GetAbortExecute())
        {
          goOn = false;
        }
        if (const dem::FlowRecord* record = internals.Flow.find(shown + internals.Slack()))
        {
          flow = *record;
        }
        if (goOn)
        {
          internals.PlanNext();
          this->SetProgressText("DEM flow");
          this->UpdateProgress(
            (plan.Next - plan.First) / std::max(1.0, double(plan.Goal - plan.First)));
        }
      }

      if (!goOn)
      {
        filled = true;
        if (frame)
        {
          grains = frame.Grains;
        }
        moves = grains.velocity != nullptr;
        spins = grains.angular_velocity != nullptr;
        bulk = dem::bulkStatistics(
          grains, { this->Up[0], this->Up[1], this->Up[2] }, this->HeightPercentile, chosen);
        if (shaped && spins)
        {
          bulk.rotational_energy = vtkDEMGrainParts::RotationalEnergy(input, arrays.View);
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
            lacey = dem::laceyIndex(
              grains, this->LaceyCellSize > 0 ? this->LaceyCellSize : 8 * bulk.mean_radius, chosen);
          }
          mixing = dem::neighborMixing(grains, this->MixingNeighbors, box, chosen);
        }
        if (this->RadialDistribution)
        {
          dem::RadialDistributionOptions distribution;
          distribution.box = box;
          distribution.largest_distance = this->LargestDistance;
          distribution.bins = this->NumberOfBins;
          pairs = dem::radialDistribution(grains, distribution, chosen);
        }
      }
    }
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    goOn = filled = false;
    pairs = dem::RadialDistribution{};
    flow = dem::FlowRecord{};
  }
  plan.Continuing = goOn ? 1 : 0;
  internals.Share();
  if (plan.Continuing)
  {
    request->Set(SDDP::CONTINUE_EXECUTING(), 1);
    return 1;
  }
  request->Remove(SDDP::CONTINUE_EXECUTING());
  internals.Shown = shown;

  vtkTable* tables[NUMBER_OF_PORTS];
  for (int port = 0; port < NUMBER_OF_PORTS; ++port)
  {
    tables[port] = vtkTable::GetData(outputVector, port);
    tables[port]->Initialize();
    tables[port]->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), shown);
  }
  dem::FlowTotals total, last;
  const auto sum = [](dem::FlowTotals& to, const dem::FlowTotals& from)
  {
    to.forward += from.forward;
    to.backward += from.backward;
    to.mass_forward += from.mass_forward;
    to.mass_backward += from.mass_backward;
  };
  for (const auto& species : flow.total)
  {
    sum(total, species.second);
  }
  for (const auto& species : flow.last)
  {
    sum(last, species.second);
  }
  const double perSecond = flow.interval > 0 ? 1 / flow.interval : 0;

  Row row(tables[STATISTICS], filled);
  row.Number("Time", shown);
  row.Integer("ParticleCount", static_cast<std::int64_t>(bulk.size));
  row.Number("Mass", bulk.mass);
  row.Vector("CenterOfMass", bulk.center);
  row.Number("CenterHeight", bulk.center_height);
  row.Number("BedHeight", bulk.bed_height);
  row.Vector("MeanVelocity",
    moves || bulk.size == 0 ? bulk.mean_velocity
                            : dem::Vec3d{ NotANumber, NotANumber, NotANumber });
  row.Number("MeanSpeed", moves || bulk.size == 0 ? bulk.mean_speed : NotANumber);
  row.Number("KineticEnergy", moves || bulk.size == 0 ? bulk.kinetic_energy : NotANumber);
  row.Number("RotationalEnergy", spins || bulk.size == 0 ? bulk.rotational_energy : NotANumber);
  row.Number("MeanRadius", bulk.mean_radius);
  if (this->MixingIndices)
  {
    row.Number("LaceyIndex", lacey);
    row.Number("NeighborMixing", mixing.index);
    row.Number("NeighborDistance", mixing.mean_distance);
  }
  if (this->FlowThrough != NO_FLOW)
  {
    row.Integer("FlowForward", static_cast<std::int64_t>(total.forward));
    row.Integer("FlowBackward", static_cast<std::int64_t>(total.backward));
    row.Integer("FlowCount", total.count());
    row.Number("FlowMass", total.mass());
    row.Number("FlowRate", last.mass() * perSecond);
    row.Number("FlowCountRate", static_cast<double>(last.count()) * perSecond);
  }
  internals.CheckRows(this->GetMTime(), this->GetInputTime(), RunOf(input), shown);
  if (filled)
  {
    auto kept = vtkSmartPointer<vtkTable>::New();
    kept->DeepCopy(tables[STATISTICS]);
    internals.Rows[shown] = kept;
  }
  FillOverTime(tables[STATISTICS], internals.Rows, tables[OVER_TIME]);
  if (filled)
  {
    vtkDEMArrays::AddText(tables[STATISTICS]->GetFieldData(), "Device", device);
    vtkDEMGrainInput::AddSource(tables[STATISTICS]->GetFieldData(), static_cast<bool>(frame));
  }

  std::vector<double> distances;
  std::vector<vtkIdType> counts;
  for (std::size_t i = 0; i < pairs.pairs.size(); ++i)
  {
    distances.push_back((static_cast<double>(i) + 0.5) * pairs.largest_distance /
      static_cast<double>(pairs.pairs.size()));
    counts.push_back(static_cast<vtkIdType>(pairs.pairs[i]));
  }
  AddColumn(tables[RADIAL_DISTRIBUTION], "Distance", distances);
  AddColumn(tables[RADIAL_DISTRIBUTION], "RadialDistribution", pairs.g);
  AddColumn(tables[RADIAL_DISTRIBUTION], "Neighbors", pairs.neighbors);
  AddColumn(tables[RADIAL_DISTRIBUTION], "PairCount", counts);

  std::vector<vtkIdType> labels, forward, backward, net;
  std::vector<double> mass, rate;
  for (const auto& species : flow.total)
  {
    labels.push_back(species.first);
    forward.push_back(static_cast<vtkIdType>(species.second.forward));
    backward.push_back(static_cast<vtkIdType>(species.second.backward));
    net.push_back(species.second.count());
    mass.push_back(species.second.mass());
    const auto now = flow.last.find(species.first);
    rate.push_back(now == flow.last.end() ? 0 : now->second.mass() * perSecond);
  }
  AddColumn(tables[FLOW_BY_SPECIES], "Species", labels);
  AddColumn(tables[FLOW_BY_SPECIES], "FlowForward", forward);
  AddColumn(tables[FLOW_BY_SPECIES], "FlowBackward", backward);
  AddColumn(tables[FLOW_BY_SPECIES], "FlowCount", net);
  AddColumn(tables[FLOW_BY_SPECIES], "FlowMass", mass);
  AddColumn(tables[FLOW_BY_SPECIES], "FlowRate", rate);
  return 1;
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
