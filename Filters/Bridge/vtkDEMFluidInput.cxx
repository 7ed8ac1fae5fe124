#include "vtkDEMFluidInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMInputTimes.h"
#include "Core/Error.h"

#include "vtkCellData.h"
#include "vtkCellDataToPointData.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataObject.h"
#include "vtkDataSet.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkResampleToImage.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>

namespace
{

constexpr double LargestMemory = 16.0 * 1073741824.0; // bytes of the nodes of all times

//------------------------------------------------------------------------------
bool HasVelocity(vtkDataSetAttributes* data) { return data && data->GetArray("Velocity"); }

//------------------------------------------------------------------------------
// Whether the velocity is one of the cells and not of the points.
bool IsOfCells(vtkDataObject* data)
{
  if (auto* set = vtkDataSet::SafeDownCast(data))
  {
    return HasVelocity(set->GetCellData()) && !HasVelocity(set->GetPointData());
  }
  bool ofCells = false;
  if (auto* blocks = vtkCompositeDataSet::SafeDownCast(data))
  {
    for (vtkDataSet* block : vtkCompositeDataSet::GetDataSets<vtkDataSet>(blocks))
    {
      ofCells = ofCells || IsOfCells(block);
    }
  }
  return ofCells;
}

//------------------------------------------------------------------------------
// The fluid as an image with values at its points. Data that are no image are sampled.
vtkSmartPointer<vtkImageData> AsImage(
  vtkDataObject* data, int resolution, std::vector<std::string>& warnings)
{
  vtkSmartPointer<vtkDataObject> atPoints = data;
  if (IsOfCells(data))
  {
    vtkNew<vtkCellDataToPointData> convert;
    convert->SetInputDataObject(data);
    convert->Update();
    atPoints = convert->GetOutputDataObject(0);
    warnings.emplace_back(
      "Fluid: Velocity is an array of the cells. It is averaged to the points.");
  }
  if (auto* image = vtkImageData::SafeDownCast(atPoints))
  {
    return image;
  }
  double bounds[6] = { 0, -1, 0, -1, 0, -1 };
  vtkNew<vtkResampleToImage> sample;
  sample->SetInputDataObject(atPoints);
  if (auto* set = vtkDataSet::SafeDownCast(atPoints))
  {
    set->GetBounds(bounds);
  }
  else if (auto* blocks = vtkCompositeDataSet::SafeDownCast(atPoints))
  {
    blocks->GetBounds(bounds);
  }
  const double longest =
    std::max({ bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4] });
  if (!(longest > 0))
  {
    throw dem::Error("Fluid: it has no extent. Choose data with cells, such as a CFD result.");
  }
  int nodes[3];
  for (int k = 0; k < 3; ++k)
  {
    const double edge = bounds[2 * k + 1] - bounds[2 * k];
    nodes[k] = 1 + std::max(1, static_cast<int>(std::lround(resolution * edge / longest)));
  }
  sample->UseInputBoundsOn();
  sample->SetSamplingDimensions(nodes);
  sample->Update();
  return sample->GetOutput();
}

//------------------------------------------------------------------------------
dem::FluidNodes NodesOf(vtkImageData* image)
{
  int extent[6];
  double origin[3];
  double spacing[3];
  image->GetExtent(extent);
  image->GetOrigin(origin);
  image->GetSpacing(spacing);
  dem::FluidNodes nodes;
  for (int k = 0; k < 3; ++k)
  {
    nodes.count[k] = extent[2 * k + 1] - extent[2 * k] + 1;
    nodes.spacing[k] = spacing[k];
    nodes.origin[k] = origin[k] + extent[2 * k] * spacing[k];
  }
  return nodes;
}

//------------------------------------------------------------------------------
std::vector<double> Copy(vtkPointData* data, const char* name, int components)
{
  vtkDataArray* array = data->GetArray(name);
  std::vector<double> values;
  if (!array)
  {
    return values;
  }
  if (array->GetNumberOfComponents() != components)
  {
    throw dem::Error("Fluid: the array \"" + std::string(name) + "\" has " +
      std::to_string(array->GetNumberOfComponents()) + " components, but needs " +
      std::to_string(components) + ".");
  }
  const vtkIdType n = array->GetNumberOfTuples();
  values.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(components));
  for (vtkIdType i = 0; i < n; ++i)
  {
    array->GetTuple(i, &values[static_cast<std::size_t>(i) * static_cast<std::size_t>(components)]);
  }
  return values;
}

//------------------------------------------------------------------------------
std::string NamesOf(vtkPointData* data)
{
  std::string names;
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
  {
    names += (names.empty() ? "" : ", ") +
      std::string(data->GetArrayName(i) ? data->GetArrayName(i) : "(no name)");
  }
  return names.empty() ? "none" : names;
}

//------------------------------------------------------------------------------
dem::FluidValues ValuesOf(vtkImageData* image)
{
  vtkPointData* data = image->GetPointData();
  if (!HasVelocity(data))
  {
    throw dem::Error("Fluid: it has no array \"Velocity\". Its arrays: " + NamesOf(data) +
      ". Give it that name, for instance by a Calculator.");
  }
  dem::FluidValues values;
  values.velocity = Copy(data, "Velocity", 3);
  values.pressure = Copy(data, "Pressure", 1);
  values.pressure_gradient = Copy(data, "PressureGradient", 3);
  values.void_fraction = Copy(data, "VoidFraction", 1);
  values.density = Copy(data, "Density", 1);
  values.viscosity = Copy(data, "Viscosity", 1);
  if (vtkDataArray* mask = data->GetArray("vtkValidPointMask"))
  {
    values.inside.resize(static_cast<std::size_t>(mask->GetNumberOfTuples()));
    for (vtkIdType i = 0; i < mask->GetNumberOfTuples(); ++i)
    {
      values.inside[static_cast<std::size_t>(i)] = mask->GetComponent(i, 0) != 0 ? 1 : 0;
    }
  }
  return values;
}

//------------------------------------------------------------------------------
bool IsSame(const dem::FluidValues& a, const dem::FluidValues& b)
{
  return a.inside == b.inside && a.velocity == b.velocity && a.pressure == b.pressure &&
    a.pressure_gradient == b.pressure_gradient && a.void_fraction == b.void_fraction &&
    a.density == b.density && a.viscosity == b.viscosity;
}

//------------------------------------------------------------------------------
bool IsSame(const dem::FluidField& a, const dem::FluidField& b)
{
  return a.nodes == b.nodes && a.times == b.times && a.values.size() == b.values.size() &&
    std::equal(a.values.begin(), a.values.end(), b.values.begin(),
      [](const dem::FluidValues& x, const dem::FluidValues& y) { return IsSame(x, y); });
}

//------------------------------------------------------------------------------
void AddTime(vtkDataObject* data, double time, std::size_t times, int resolution,
  dem::FluidField& field, std::vector<std::string>& warnings)
{
  if (!data)
  {
    throw dem::Error("Fluid: there are no data.");
  }
  const vtkSmartPointer<vtkImageData> image = AsImage(data, resolution, warnings);
  const dem::FluidNodes nodes = NodesOf(image);
  if (field.times.empty())
  {
    field.nodes = nodes;
    const double bytes =
      static_cast<double>(nodes.size()) * static_cast<double>(times) * 8.0 * sizeof(double);
    if (bytes > LargestMemory)
    {
      throw dem::Error("Fluid: its " + std::to_string(times) + " times with " +
        std::to_string(nodes.size()) + " nodes each would take " +
        vtkDEMArrays::Number(bytes / 1073741824.0) +
        " GiB of memory; the limit is 16 GiB. Keep fewer times with Extract Time Steps, or lower "
        "FluidResolution.");
    }
  }
  else if (!(nodes == field.nodes))
  {
    throw dem::Error("Fluid: its grid at t = " + vtkDEMArrays::Number(time) +
      " s is another than at its first time. Resample it to one grid with Resample To Image.");
  }
  field.times.push_back(time);
  field.values.push_back(ValuesOf(image));
}

} // namespace

namespace vtkDEMFluidInput
{

//------------------------------------------------------------------------------
std::shared_ptr<const dem::FluidField> Read(vtkAlgorithm* filter, int port,
  vtkInformationVector* inputs, int resolution,
  const std::shared_ptr<const dem::FluidField>& before, std::vector<std::string>& warnings,
  vtkMultiProcessController* controller)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  if (!inputs || inputs->GetNumberOfInformationObjects() == 0)
  {
    return nullptr;
  }
  if (controller && controller->GetNumberOfProcesses() > 1)
  {
    throw dem::Error("Fluid: an input does not go with several processes. Use one.");
  }
  const int cells = resolution > 0 ? resolution : 64;
  if (cells > 1000)
  {
    throw dem::Error("FluidResolution is " + std::to_string(cells) + "; it must lie in [1, 1000].");
  }
  vtkInformation* info = inputs->GetInformationObject(0);
  bool continuous = false;
  std::vector<double> times = vtkDEMInputTimes::Read(info, controller, continuous);
  auto field = std::make_shared<dem::FluidField>();
  std::vector<std::string> said;
  if (times.size() < 2)
  {
    AddTime(info->Get(vtkDataObject::DATA_OBJECT()), times.empty() ? 0 : times.front(), 1, cells,
      *field, said);
  }
  else
  {
    if (continuous)
    {
      throw dem::Error("Fluid: it changes with time, but lists no times between which it could be "
                       "interpolated. Save it as a series of files and use those.");
    }
    const double present =
      info->Has(SDDP::UPDATE_TIME_STEP()) ? info->Get(SDDP::UPDATE_TIME_STEP()) : times.front();
    for (const double time : times)
    {
      vtkDEMInputTimes::Update(filter, port, 0, time);
      AddTime(info->Get(vtkDataObject::DATA_OBJECT()), time, times.size(), cells, *field, said);
    }
    vtkDEMInputTimes::Update(filter, port, 0, present);
  }
  if (!said.empty())
  {
    warnings.push_back(said.front());
  }
  dem::validateFluidField(*field);
  if (before && IsSame(*before, *field))
  {
    return before;
  }
  return field;
}

} // namespace vtkDEMFluidInput
