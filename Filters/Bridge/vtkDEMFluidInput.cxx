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
#include "vtkMatrix3x3.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkResampleToImage.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace
{

constexpr double LargestMemory = 16.0 * 1073741824.0; // bytes of the nodes of all times

constexpr const char* Arrays[] = { "Velocity", "Pressure", "PressureGradient", "VoidFraction",
  "Density", "Viscosity" };

//------------------------------------------------------------------------------
// Name of an array of the fluid that cells have and points do not; empty if there is none.
std::string ArrayOfCells(vtkDataObject* data)
{
  if (auto* set = vtkDataSet::SafeDownCast(data))
  {
    for (const char* name : Arrays)
    {
      if (set->GetCellData()->GetArray(name) && !set->GetPointData()->GetArray(name))
      {
        return name;
      }
    }
  }
  else if (auto* blocks = vtkCompositeDataSet::SafeDownCast(data))
  {
    for (vtkDataSet* block : vtkCompositeDataSet::GetDataSets<vtkDataSet>(blocks))
    {
      const std::string name = ArrayOfCells(block);
      if (!name.empty())
      {
        return name;
      }
    }
  }
  return {};
}

//------------------------------------------------------------------------------
// The fluid as an image with values at its points. Data that are no image are sampled.
vtkSmartPointer<vtkImageData> AsImage(
  vtkDataObject* data, int resolution, std::vector<std::string>& warnings)
{
  vtkSmartPointer<vtkDataObject> atPoints = data;
  if (const std::string name = ArrayOfCells(data); !name.empty())
  {
    vtkNew<vtkCellDataToPointData> convert;
    convert->SetInputDataObject(data);
    convert->Update();
    atPoints = convert->GetOutputDataObject(0);
    warnings.emplace_back(
      "Fluid: " + name + " is an array of the cells. It is averaged to the points.");
  }
  auto* image = vtkImageData::SafeDownCast(atPoints);
  if (image && image->GetDirectionMatrix()->IsIdentity()) // others are sampled
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
  if (1.0 * sizeof(dem::FluidNode) * nodes[0] * nodes[1] * nodes[2] > LargestMemory)
  {
    throw dem::Error("Fluid: FluidResolution " + std::to_string(resolution) +
      " gives a grid of more than 16 GiB. Lower it.");
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
  if (!data->GetArray("Velocity"))
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
// By bytes, so that NaN at nodes without fluid is equal to NaN.
bool IsSame(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() &&
    (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

//------------------------------------------------------------------------------
bool IsSame(const dem::FluidValues& a, const dem::FluidValues& b)
{
  return a.inside == b.inside && IsSame(a.velocity, b.velocity) && IsSame(a.pressure, b.pressure) &&
    IsSame(a.pressure_gradient, b.pressure_gradient) && IsSame(a.void_fraction, b.void_fraction) &&
    IsSame(a.density, b.density) && IsSame(a.viscosity, b.viscosity);
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
      static_cast<double>(nodes.size()) * static_cast<double>(times) * sizeof(dem::FluidNode);
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
  const std::shared_ptr<const dem::FluidField>& before, std::pair<vtkMTimeType, int>& seen,
  std::vector<std::string>& warnings, vtkMultiProcessController* controller)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  if (!inputs || inputs->GetNumberOfInformationObjects() == 0)
  {
    return nullptr;
  }
  if (resolution < 1)
  {
    warnings.emplace_back(
      "A Fluid is chosen, but FluidCoupling is None, so it has no effect. Choose Given Field.");
    return nullptr;
  }
  if (controller && controller->GetNumberOfProcesses() > 1)
  {
    throw dem::Error("Fluid: an input does not go with several processes. Use one.");
  }
  if (resolution > 1000)
  {
    throw dem::Error(
      "FluidResolution is " + std::to_string(resolution) + "; it must lie in [1, 1000].");
  }
  vtkInformation* info = inputs->GetInformationObject(0);
  const auto data = [info] { return info->Get(vtkDataObject::DATA_OBJECT()); };
  if (before && data() && seen == std::make_pair(data()->GetMTime(), resolution))
  {
    return before;
  }
  bool continuous = false;
  const std::vector<double> times = vtkDEMInputTimes::Read(info, controller, continuous);
  if (continuous)
  {
    throw dem::Error("Fluid: it changes with time, but lists no times between which it could be "
                     "interpolated. Save it as a series of files and use those.");
  }
  auto field = std::make_shared<dem::FluidField>();
  std::vector<std::string> said;
  if (!info->Has(SDDP::TIME_STEPS()) || info->Length(SDDP::TIME_STEPS()) < 2)
  {
    AddTime(data(), times.empty() ? 0 : times.front(), 1, resolution, *field, said);
  }
  else
  {
    const double present =
      info->Has(SDDP::UPDATE_TIME_STEP()) ? info->Get(SDDP::UPDATE_TIME_STEP()) : times.front();
    for (const double time : times)
    {
      vtkDEMInputTimes::Update(filter, port, 0, time);
      AddTime(data(), time, times.size(), resolution, *field, said);
    }
    vtkDEMInputTimes::Update(filter, port, 0, present);
  }
  seen = { data()->GetMTime(), resolution };
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
