#include "vtkDEMGrainInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMGrainNames.h"
#include "Bridge/vtkDEMValues.h"
#include "Core/Error.h"

#include "vtkAppendFilter.h"
#include "vtkAppendPolyData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkFieldData.h"
#include "vtkIdTypeArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"
#include "vtkStringArray.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <cmath>

namespace
{

using vtkDEMGrainNames::Find;
using vtkDEMGrainNames::Listed;
using vtkDEMValues::Copied;
using vtkDEMValues::Doubles;
using vtkDEMValues::FirstBad;
using vtkDEMValues::IsFinite;
using vtkDEMValues::Number;
using vtkDEMValues::Text;

//------------------------------------------------------------------------------
// The blocks of a composite data set as one data set. A single block with points is used in place;
// several are appended by a filter AppendT.
template <class DataT, class MergedT, class AppendT>
vtkSmartPointer<DataT> Merged(vtkInformationVector* input)
{
  vtkDataObject* data = vtkDataObject::GetData(input, 0);
  auto* blocks = vtkCompositeDataSet::SafeDownCast(data);
  if (!blocks)
  {
    return DataT::SafeDownCast(data);
  }
  vtkSmartPointer<DataT> only;
  vtkNew<AppendT> append;
  int parts = 0;
  vtkSmartPointer<vtkCompositeDataIterator> block;
  block.TakeReference(blocks->NewIterator());
  for (block->InitTraversal(); !block->IsDoneWithTraversal(); block->GoToNextItem())
  {
    auto* part = DataT::SafeDownCast(block->GetCurrentDataObject());
    if (part && (!only || only->GetNumberOfPoints() == 0))
    {
      only = part;
    }
    if (part && part->GetNumberOfPoints() > 0)
    {
      append->AddInputData(part);
      ++parts;
    }
  }
  vtkSmartPointer<DataT> merged;
  if (parts > 1)
  {
    append->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
    append->Update();
    merged = append->GetOutput();
    merged->GetFieldData()->PassData(only->GetFieldData());
  }
  else
  {
    merged.TakeReference(only ? only->NewInstance() : MergedT::New());
    if (only)
    {
      merged->ShallowCopy(only);
    }
  }
  if (data->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP()))
  {
    merged->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(),
      data->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()));
  }
  return merged;
}

//------------------------------------------------------------------------------
// Throws if a radius is not positive or a position not finite.
void CheckGrains(const vtkDEMGrainInput::GrainArrays& grains)
{
  const auto size = static_cast<vtkIdType>(grains.View.size);
  const double* x = grains.View.position;
  const double* r = grains.View.radius;
  const vtkIdType bad = FirstBad(
    size, [=](vtkIdType i) { return !(r[i] > 0) || !std::isfinite(r[i]) || !IsFinite(x + 3 * i); });
  if (bad < size && IsFinite(x + 3 * bad))
  {
    throw dem::Error("Point " + std::to_string(bad) + " has the radius " + Number(r[bad]) +
      " m by the array \"" + grains.RadiusArray +
      "\"; it must be above 0 and finite. Choose another Radius Array or remove such points with "
      "Threshold.");
  }
  if (bad < size)
  {
    throw dem::Error("Point " + std::to_string(bad) + " lies at " + Text(x + 3 * bad) +
      ": not a finite place. Remove such points with Threshold.");
  }
}

//------------------------------------------------------------------------------
void ReadIds(vtkPointData* data, vtkDEMGrainInput::GrainArrays& grains)
{
  vtkDataArray* id = Find(data, vtkDEMGrainNames::Id, 1);
  if (!id && data->GetGlobalIds() && data->GetGlobalIds()->GetNumberOfComponents() == 1)
  {
    id = data->GetGlobalIds();
  }
  if (id)
  {
    grains.IdArray = id->GetName() ? id->GetName() : "GlobalIds";
    auto* own = vtkIdTypeArray::FastDownCast(id);
    if (own)
    {
      static_assert(sizeof(vtkIdType) == sizeof(std::int64_t), "Ids are read where they lie");
      grains.Kept.emplace_back(id);
      grains.View.id = reinterpret_cast<const std::int64_t*>(own->GetPointer(0));
    }
    else
    {
      grains.Id = Copied<std::int64_t>(id);
      grains.View.id = grains.Id.data();
    }
  }
}

//------------------------------------------------------------------------------
// Masses of the input, else of spheres of `density`, unless that is 0.
void ReadMasses(vtkPointData* data, double density, vtkDEMGrainInput::GrainArrays& grains)
{
  const auto size = static_cast<vtkIdType>(grains.View.size);
  if (vtkDataArray* mass = Find(data, vtkDEMGrainNames::Mass, 1))
  {
    grains.View.mass = Doubles(mass, grains.Mass, grains.Kept);
    const double* m = grains.View.mass;
    const vtkIdType wrong =
      FirstBad(size, [=](vtkIdType i) { return !(m[i] > 0) || !std::isfinite(m[i]); });
    if (wrong < size)
    {
      throw dem::Error("Point " + std::to_string(wrong) + " has the mass " + Number(m[wrong]) +
        " kg by the array \"" + mass->GetName() + "\"; it must be above 0 and finite.");
    }
  }
  else if (density > 0)
  {
    const double* r = grains.View.radius;
    grains.Mass = dem::HostArray<double>(grains.View.size);
    for (vtkIdType i = 0; i < size; ++i)
    {
      grains.Mass[static_cast<std::size_t>(i)] =
        4.0 / 3.0 * 3.14159265358979323846 * r[i] * r[i] * r[i] * density;
    }
    grains.View.mass = grains.Mass.data();
  }
}

//------------------------------------------------------------------------------
// Vectors of the points, all finite; null without the array. `copy` and grains.Kept own them.
const double* ReadVectors(const vtkSmartPointer<vtkDataArray>& array, dem::HostArray<double>& copy,
  vtkDEMGrainInput::GrainArrays& grains)
{
  if (!array)
  {
    return nullptr;
  }
  const double* values = Doubles(array, copy, grains.Kept);
  const vtkIdType wrong = FirstBad(static_cast<vtkIdType>(grains.View.size),
    [=](vtkIdType i) { return !IsFinite(values + 3 * i); });
  if (wrong < static_cast<vtkIdType>(grains.View.size))
  {
    throw dem::Error("Point " + std::to_string(wrong) + " has the " + array->GetName() + " " +
      Text(values + 3 * wrong) + ": not a finite number. Remove such points with Threshold.");
  }
  return values;
}

} // namespace

namespace vtkDEMGrainInput
{

//------------------------------------------------------------------------------
void SetPointsRequired(vtkInformation* port)
{
  port->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPointSet");
  port->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
}

//------------------------------------------------------------------------------
void SetContactsRequired(vtkInformation* port)
{
  port->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPolyData");
  port->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
}

//------------------------------------------------------------------------------
vtkSmartPointer<vtkPointSet> GetPoints(vtkInformationVector* input)
{
  return Merged<vtkPointSet, vtkUnstructuredGrid, vtkAppendFilter>(input);
}

//------------------------------------------------------------------------------
vtkSmartPointer<vtkPolyData> GetLines(vtkInformationVector* input)
{
  return Merged<vtkPolyData, vtkPolyData, vtkAppendPolyData>(input);
}

//------------------------------------------------------------------------------
std::string GetChosenArray(const char* name)
{
  const std::string chosen = name ? name : "";
  return chosen == "Automatic" ? "" : chosen;
}

//------------------------------------------------------------------------------
vtkDataArray* FindRadius(vtkPointData* data, const std::string& wanted, double& scale)
{
  scale = 1;
  if (!wanted.empty())
  {
    vtkDataArray* array = data->GetArray(wanted.c_str());
    if (!array || array->GetNumberOfComponents() != 1)
    {
      throw dem::Error(
        (array ? "The point array \"" + wanted + "\" has " +
              std::to_string(array->GetNumberOfComponents()) + " components; radii have one."
               : "There is no point array \"" + wanted + "\" of radii.") +
        " The point arrays are: " + Listed(data) +
        ". Choose another as Radius Array, or none to take the one that is named like a radius.");
    }
    scale = vtkDEMGrainNames::IsDiameter(wanted) ? 0.5 : 1;
    return array;
  }
  if (vtkDataArray* array = vtkDEMGrainNames::FindRadius(data, scale))
  {
    return array;
  }
  throw dem::Error("The grains have no radii: no point array is named Radius, radius, radii, r or "
                   "diameter. The point arrays are: " +
    Listed(data) + ". Choose one as Radius Array, or add one with the Calculator filter.");
}

//------------------------------------------------------------------------------
GrainArrays ReadGrains(vtkPointSet* input, const GrainOptions& options)
{
  GrainArrays grains;
  const vtkIdType size = input ? input->GetNumberOfPoints() : 0;
  if (size == 0)
  {
    return grains;
  }
  vtkDEMArrays::RequireWholeArrays(input, "The grains");
  vtkPointData* data = input->GetPointData();
  grains.View.size = static_cast<std::size_t>(size);
  grains.View.position = Doubles(input->GetPoints()->GetData(), grains.Position, grains.Kept);
  double scale = 1;
  vtkDataArray* radius = FindRadius(data, options.RadiusArray, scale);
  grains.RadiusArray = radius->GetName();
  grains.View.radius = Doubles(radius, grains.Radius, grains.Kept, scale);

  CheckGrains(grains);
  ReadIds(data, grains);
  if (!options.Motion)
  {
    return grains;
  }
  ReadMasses(data, options.Density, grains);
  grains.View.velocity = ReadVectors(vtkDEMGrainNames::FindVelocity(data), grains.Velocity, grains);
  grains.View.angular_velocity =
    ReadVectors(vtkDEMGrainNames::FindAngularVelocity(data), grains.AngularVelocity, grains);
  vtkDataArray* temperature = data->GetArray("Temperature");
  if (temperature && temperature->GetNumberOfComponents() == 1)
  {
    grains.View.temperature = Doubles(temperature, grains.Temperature, grains.Kept);
  }
  if (vtkDataArray* material = Find(data, vtkDEMGrainNames::Material, 1))
  {
    grains.Material = Copied<std::int32_t>(material);
    grains.View.material = grains.Material.data();
  }
  return grains;
}

//------------------------------------------------------------------------------
bool IsContinuum(vtkPointSet* points)
{
  auto* method = points
    ? vtkStringArray::SafeDownCast(points->GetFieldData()->GetAbstractArray("Method"))
    : nullptr;
  return method && method->GetNumberOfValues() > 0 && method->GetValue(0) == "MPM";
}

//------------------------------------------------------------------------------
dem::StressAsContacts ReadStress(vtkPointSet* points, const GrainArrays& grains)
{
  if (grains.View.size == 0)
  {
    return {};
  }
  vtkDataArray* array = Find(points->GetPointData(), { "Stress" }, 6);
  const dem::HostArray<double> stress = array ? Copied<double>(array) : dem::HostArray<double>();
  return dem::stressAsContacts(grains.View, array ? stress.data() : nullptr);
}

//------------------------------------------------------------------------------
PeriodicAxes GetPeriodicAxes(
  vtkPointSet* grains, const int axes[3], const double box[6], bool ofData)
{
  double periodic[3] = { double(axes[0]), double(axes[1]), double(axes[2]) };
  double borders[6];
  std::copy_n(box, 6, borders);
  if (grains && ofData && !axes[0] && !axes[1] && !axes[2])
  {
    vtkDataArray* boxOfData = grains->GetFieldData()->GetArray("Box");
    vtkDataArray* periodicOfData = grains->GetFieldData()->GetArray("Periodic");
    if (boxOfData && boxOfData->GetNumberOfValues() == 6 && periodicOfData &&
      periodicOfData->GetNumberOfValues() == 3)
    {
      vtkDEMValues::CopyRange(boxOfData, 1, borders);
      vtkDEMValues::CopyRange(periodicOfData, 1, periodic);
    }
  }
  PeriodicAxes out;
  for (int k = 0; k < 3; ++k)
  {
    if (periodic[k] == 0)
    {
      continue;
    }
    out.Lower[k] = borders[2 * k];
    out.Period[k] = borders[2 * k + 1] - borders[2 * k];
    if (!(out.Period[k] > 0) || !std::isfinite(out.Period[k]))
    {
      throw dem::Error(std::string("The periodic box ends in ") + "xyz"[k] + " at " +
        Number(borders[2 * k + 1]) + " m and begins at " + Number(borders[2 * k]) +
        " m. Its lower border comes first.");
    }
  }
  return out;
}

//------------------------------------------------------------------------------
bool GetTime(vtkPointSet* data, double& time)
{
  if (!data)
  {
    return false;
  }
  vtkDataArray* own = data->GetFieldData()->GetArray("Time");
  if (own && own->GetNumberOfValues() == 1)
  {
    time = own->GetComponent(0, 0);
    return true;
  }
  if (data->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP()))
  {
    time = data->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP());
    return true;
  }
  return false;
}

} // namespace vtkDEMGrainInput
