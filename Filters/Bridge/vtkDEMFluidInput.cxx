#include "vtkDEMFluidInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMInputTimes.h"
#include "Core/Error.h"

#include "vtkAppendFilter.h"
#include "vtkCellData.h"
#include "vtkCellDataToPointData.h"
#include "vtkCommunicator.h"
#include "vtkCompositeDataProbeFilter.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataObject.h"
#include "vtkDataSet.h"
#include "vtkImageAppend.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMatrix3x3.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkPointData.h"
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
  double spacing[3];
  vtkNew<vtkImageData> grid;
  for (int k = 0; k < 3; ++k)
  {
    const double edge = bounds[2 * k + 1] - bounds[2 * k];
    nodes[k] = 1 + std::max(1, static_cast<int>(std::lround(resolution * edge / longest)));
    spacing[k] = edge > 0 ? edge / (nodes[k] - 1) : 1;
  }
  if (1.0 * sizeof(dem::FluidNode) * nodes[0] * nodes[1] * nodes[2] > LargestMemory)
  {
    throw dem::Error("Fluid: FluidResolution " + std::to_string(resolution) +
      " gives a grid of more than 16 GiB. Lower it.");
  }
  grid->SetDimensions(nodes);
  grid->SetOrigin(bounds[0], bounds[2], bounds[4]);
  grid->SetSpacing(spacing);
  // not vtkResampleToImage, which waits for the other ranks in a parallel ParaView
  vtkNew<vtkCompositeDataProbeFilter> sample;
  sample->SetInputData(grid);
  sample->SetSourceData(atPoints);
  sample->PassPartialArraysOn();
  sample->Update();
  return vtkImageData::SafeDownCast(sample->GetOutputDataObject(0));
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

//------------------------------------------------------------------------------
bool IsEmpty(vtkDataObject* data) { return data->GetNumberOfElements(vtkDataObject::POINT) == 0; }

//------------------------------------------------------------------------------
bool HasSeveralRanks(vtkMultiProcessController* controller)
{
  return controller && controller->GetNumberOfProcesses() > 1;
}

//------------------------------------------------------------------------------
using Pieces = std::vector<vtkSmartPointer<vtkDataObject>>;

//------------------------------------------------------------------------------
// The pieces of all ranks on rank 0, in their order; without several ranks only `piece`.
// Collective.
Pieces Gathered(vtkDataObject* piece, vtkMultiProcessController* controller)
{
  if (!HasSeveralRanks(controller))
  {
    return { piece };
  }
  // Gather() keeps six digits of the geometry of an image, and not its direction.
  constexpr std::size_t Numbers = 15;
  std::vector<double> geometry(Numbers, 0.);
  if (auto* image = vtkImageData::SafeDownCast(piece))
  {
    image->GetOrigin(&geometry[0]);
    image->GetSpacing(&geometry[3]);
    std::copy_n(image->GetDirectionMatrix()->GetData(), 9, &geometry[6]);
  }
  vtkDEMArrays::Gather(controller, geometry);
  Pieces all;
  vtkNew<vtkMultiBlockDataSet> nothing;
  controller->Gather(piece ? piece : nothing, all, 0);
  for (std::size_t rank = 0; rank < all.size() && geometry.size() >= Numbers * all.size(); ++rank)
  {
    if (auto* image = vtkImageData::SafeDownCast(all[rank]))
    {
      const double* of = &geometry[Numbers * rank];
      image->SetOrigin(of[0], of[1], of[2]);
      image->SetSpacing(of[3], of[4], of[5]);
      image->SetDirectionMatrix(of[6], of[7], of[8], of[9], of[10], of[11], of[12], of[13], of[14]);
    }
  }
  return all;
}

//------------------------------------------------------------------------------
bool IsUprightImage(vtkDataObject* data)
{
  auto* image = vtkImageData::SafeDownCast(data);
  return image && image->GetDirectionMatrix()->IsIdentity();
}

//------------------------------------------------------------------------------
// The pieces as one. Images stay an image.
vtkSmartPointer<vtkDataObject> Joined(const Pieces& all)
{
  std::vector<vtkDataObject*> pieces;
  for (vtkDataObject* data : all)
  {
    if (!data && all.size() > 1)
    {
      throw dem::Error("Fluid: its pieces could not be gathered; they may be larger than 2 GB in "
                       "all. Use fewer points, or one rank.");
    }
    if (data && !IsEmpty(data))
    {
      pieces.push_back(data);
    }
  }
  if (pieces.size() < 2)
  {
    return pieces.empty() ? nullptr : pieces.front();
  }
  const auto appended = [&pieces](vtkAlgorithm* append)
  {
    for (vtkDataObject* data : pieces)
    {
      append->AddInputDataObject(0, data);
    }
    append->Update();
    return vtkSmartPointer<vtkDataObject>(append->GetOutputDataObject(0));
  };
  if (std::all_of(pieces.begin(), pieces.end(), IsUprightImage))
  {
    vtkNew<vtkImageAppend> images;
    images->PreserveExtentsOn();
    return appended(images);
  }
  if (std::all_of(
        pieces.begin(), pieces.end(), [](vtkDataObject* data) { return data->IsA("vtkDataSet"); }))
  {
    vtkNew<vtkAppendFilter> cells;
    cells->MergePointsOn();
    return appended(cells);
  }
  vtkNew<vtkMultiBlockDataSet> blocks;
  for (vtkDataObject* data : pieces)
  {
    blocks->SetBlock(blocks->GetNumberOfBlocks(), data);
  }
  return blocks;
}

//------------------------------------------------------------------------------
// Calls take(time, data) on rank 0 for each time of the connection; on all ranks the input is
// updated to it. Collective.
template <class TakeT>
void ForTimes(vtkAlgorithm* filter, int port, vtkInformation* info,
  const std::vector<double>& times, vtkMultiProcessController* controller, const TakeT& take)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  const auto gathered = [info, controller]
  { return Gathered(info->Get(vtkDataObject::DATA_OBJECT()), controller); };
  int changes = info->Has(SDDP::TIME_STEPS()) && info->Length(SDDP::TIME_STEPS()) > 1;
  if (controller)
  {
    controller->Broadcast(&changes, 1, 0);
  }
  if (!changes)
  {
    take(times.empty() ? 0 : times.front(), gathered());
    return;
  }
  const double present =
    info->Has(SDDP::UPDATE_TIME_STEP()) ? info->Get(SDDP::UPDATE_TIME_STEP()) : times.front();
  for (const double time : times)
  {
    vtkDEMInputTimes::Update(filter, port, 0, time);
    take(time, gathered());
  }
  vtkDEMInputTimes::Update(filter, port, 0, present);
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
  if (resolution > 1000)
  {
    throw dem::Error(
      "FluidResolution is " + std::to_string(resolution) + "; it must lie in [1, 1000].");
  }
  vtkInformation* info = inputs->GetInformationObject(0);
  const auto data = [info] { return info->Get(vtkDataObject::DATA_OBJECT()); };
  const bool reads = !controller || controller->GetLocalProcessId() == 0;
  int same = (before || !reads) && data() && seen == std::make_pair(data()->GetMTime(), resolution);
  if (controller)
  {
    int everywhere = 0;
    controller->AllReduce(&same, &everywhere, 1, vtkCommunicator::MIN_OP);
    same = everywhere;
  }
  if (same)
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
  std::string error; // of rank 0, which must take part in what is collective before it throws
  ForTimes(filter, port, info, times, controller,
    [&](double time, const Pieces& pieces)
    {
      try
      {
        if (reads && error.empty())
        {
          AddTime(Joined(pieces), time, times.size(), resolution, *field, said);
        }
      }
      catch (const std::exception& e)
      {
        error = e.what();
      }
    });
  seen = {};
  if (!error.empty())
  {
    throw dem::Error(error);
  }
  if (!said.empty())
  {
    warnings.push_back(said.front());
  }
  if (reads)
  {
    dem::validateFluidField(*field);
  }
  seen = { data() ? data()->GetMTime() : 0, resolution };
  if (!reads)
  {
    return nullptr;
  }
  return before && IsSame(*before, *field) ? before : field;
}

} // namespace vtkDEMFluidInput
