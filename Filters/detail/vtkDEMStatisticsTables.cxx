#include "vtkDEMStatisticsTables.h"

#include "Core/Vec.h"

#include "vtkDoubleArray.h"
#include "vtkIdTypeArray.h"
#include "vtkNew.h"
#include "vtkTable.h"

#include <algorithm>
#include <vector>

namespace
{

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
// Writes a table of one row, or of none if it is not `filled`.
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
dem::FlowTotals Sum(const std::map<std::int32_t, dem::FlowTotals>& bySpecies)
{
  dem::FlowTotals sum;
  for (const auto& species : bySpecies)
  {
    sum.forward += species.second.forward;
    sum.backward += species.second.backward;
    sum.mass_forward += species.second.mass_forward;
    sum.mass_backward += species.second.mass_backward;
  }
  return sum;
}

//------------------------------------------------------------------------------
// The factor from the amount in the last interval to a rate, 1/s.
double PerSecond(const dem::FlowRecord& flow) { return flow.interval > 0 ? 1 / flow.interval : 0; }

} // namespace

namespace vtkDEMStatisticsTables
{

//------------------------------------------------------------------------------
void FillRow(const Result& result, double time, bool mixing, bool flow, vtkTable* table)
{
  Row row(table, result.Filled);
  row.Number("Time", time);
  row.Integer("ParticleCount", static_cast<std::int64_t>(result.Bulk.size));
  row.Number("Mass", result.Bulk.mass);
  row.Vector("CenterOfMass", result.Bulk.center);
  row.Number("CenterHeight", result.Bulk.center_height);
  row.Number("BedHeight", result.Bulk.bed_height);
  row.Vector("MeanVelocity",
    result.HasVelocity || result.Bulk.size == 0 ? result.Bulk.mean_velocity
                                                : dem::Vec3d{ NotANumber, NotANumber, NotANumber });
  row.Number(
    "MeanSpeed", result.HasVelocity || result.Bulk.size == 0 ? result.Bulk.mean_speed : NotANumber);
  row.Number("KineticEnergy",
    result.HasVelocity || result.Bulk.size == 0 ? result.Bulk.kinetic_energy : NotANumber);
  row.Number("RotationalEnergy",
    result.HasSpin || result.Bulk.size == 0 ? result.Bulk.rotational_energy : NotANumber);
  row.Number("MeanRadius", result.Bulk.mean_radius);
  const bool isWarm = result.HasTemperature || result.Bulk.size == 0;
  row.Number("MeanTemperature", isWarm ? result.Bulk.mean_temperature : NotANumber);
  row.Number("TemperatureDeviation", isWarm ? result.Bulk.temperature_deviation : NotANumber);
  if (mixing)
  {
    row.Number("LaceyIndex", result.Lacey);
    row.Number("NeighborMixing", result.Mixing.index);
    row.Number("NeighborDistance", result.Mixing.mean_distance);
  }
  if (flow)
  {
    const dem::FlowTotals total = Sum(result.Flow.total);
    const dem::FlowTotals last = Sum(result.Flow.last);
    const double perSecond = PerSecond(result.Flow);
    row.Integer("FlowForward", static_cast<std::int64_t>(total.forward));
    row.Integer("FlowBackward", static_cast<std::int64_t>(total.backward));
    row.Integer("FlowCount", total.count());
    row.Number("FlowMass", total.mass());
    row.Number("FlowRate", last.mass() * perSecond);
    row.Number("FlowCountRate", static_cast<double>(last.count()) * perSecond);
  }
}

//------------------------------------------------------------------------------
void FillRadialDistribution(const dem::RadialDistribution& pairs, vtkTable* table)
{
  std::vector<double> distances;
  std::vector<vtkIdType> counts;
  for (std::size_t i = 0; i < pairs.pairs.size(); ++i)
  {
    distances.push_back((static_cast<double>(i) + 0.5) * pairs.largest_distance /
      static_cast<double>(pairs.pairs.size()));
    counts.push_back(static_cast<vtkIdType>(pairs.pairs[i]));
  }
  AddColumn(table, "Distance", distances);
  AddColumn(table, "RadialDistribution", pairs.g);
  AddColumn(table, "Neighbors", pairs.neighbors);
  AddColumn(table, "PairCount", counts);
}

//------------------------------------------------------------------------------
void FillFlowBySpecies(const dem::FlowRecord& flow, vtkTable* table)
{
  const double perSecond = PerSecond(flow);
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
  AddColumn(table, "Species", labels);
  AddColumn(table, "FlowForward", forward);
  AddColumn(table, "FlowBackward", backward);
  AddColumn(table, "FlowCount", net);
  AddColumn(table, "FlowMass", mass);
  AddColumn(table, "FlowRate", rate);
}

//------------------------------------------------------------------------------
void History::Check(vtkMTimeType settings, vtkMTimeType input, std::uint64_t run, double shown)
{
  if (settings != this->Settings || run != this->Run || (run == 0 && input != this->Input))
  {
    this->Rows.clear();
  }
  else if (input != this->Input)
  {
    this->Rows.erase(
      this->Rows.upper_bound(shown), this->Rows.end()); // the run was steered at this time
  }
  this->Settings = settings;
  this->Input = input;
  this->Run = run;
}

//------------------------------------------------------------------------------
void History::Add(double time, vtkTable* row)
{
  auto kept = vtkSmartPointer<vtkTable>::New();
  kept->DeepCopy(row);
  this->Rows[time] = kept;
}

//------------------------------------------------------------------------------
void History::Fill(vtkTable* like, vtkTable* table) const
{
  for (vtkIdType c = 0; c < like->GetNumberOfColumns(); ++c)
  {
    vtkAbstractArray* from = like->GetColumn(c);
    auto column = vtkSmartPointer<vtkAbstractArray>::Take(from->NewInstance());
    column->SetName(from->GetName());
    column->SetNumberOfComponents(from->GetNumberOfComponents());
    column->CopyComponentNames(from);
    for (std::size_t times = this->Rows.size() == 1 ? 2 : 1; times > 0; --times)
    {
      for (const auto& row : this->Rows)
      {
        column->InsertNextTuple(0, row.second->GetColumnByName(from->GetName()));
      }
    }
    table->AddColumn(column);
  }
}

} // namespace vtkDEMStatisticsTables
