#include "vtkDEMGrainInput.h"

#include "Analysis/GrainIndex.h"
#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMFrameHandle.h"
#include "Bridge/vtkDEMGrainNames.h"
#include "Bridge/vtkDEMParallel.h"
#include "Core/Error.h"
#include "Core/Vec.h"
#include "vtkDEMRunAlgorithm.h"

#include "vtkAlgorithmOutput.h"
#include "vtkAppendFilter.h"
#include "vtkAppendPolyData.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArrayRange.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkFloatArray.h"
#include "vtkIdList.h"
#include "vtkIdTypeArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"
#include "vtkStringArray.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <sstream>

namespace
{

using vtkDEMGrainNames::Find;
using vtkDEMGrainNames::Listed;
using vtkDEMGrainNames::Names;

//------------------------------------------------------------------------------
std::string Number(double value)
{
  std::ostringstream text;
  text.precision(9);
  text << value;
  return text.str();
}

//------------------------------------------------------------------------------
template <class ValueT>
void CopyRange(vtkDataArray* array, double scale, ValueT* to)
{
  const vtkIdType size = array->GetNumberOfValues();
  if (auto* floats = vtkFloatArray::FastDownCast(array))
  {
    const float* from = floats->GetPointer(0);
    vtkDEMParallel::For(size,
      [=](vtkIdType begin, vtkIdType end)
      {
        for (vtkIdType i = begin; i < end; ++i)
        {
          to[i] = static_cast<ValueT>(scale * from[i]);
        }
      });
    return;
  }
  if (array->GetDataType() == VTK_ID_TYPE || array->GetDataType() == VTK_LONG_LONG ||
    array->GetDataType() == VTK_LONG)
  {
    // By way of double, which the general path takes, wide Ids would lose digits.
    if (scale == 1 && sizeof(ValueT) == sizeof(std::int64_t) &&
      !std::is_floating_point<ValueT>::value)
    {
      const void* from = array->GetVoidPointer(0);
      std::memcpy(to, from, static_cast<std::size_t>(size) * sizeof(ValueT));
      return;
    }
  }
  vtkIdType i = 0;
  for (const auto value : vtk::DataArrayValueRange(array))
  {
    to[i++] = static_cast<ValueT>(scale * static_cast<double>(value));
  }
}

//------------------------------------------------------------------------------
template <class ValueT>
dem::HostArray<ValueT> Copied(vtkDataArray* array, double scale = 1)
{
  dem::HostArray<ValueT> values(static_cast<std::size_t>(array->GetNumberOfValues()));
  CopyRange(array, scale, values.data());
  return values;
}

//------------------------------------------------------------------------------
// The array's own memory where it is double, else a copy in `copy`.
const double* Doubles(vtkDataArray* array, dem::HostArray<double>& copy,
  std::vector<vtkSmartPointer<vtkDataArray>>& kept, double scale = 1)
{
  auto* own = vtkDoubleArray::FastDownCast(array);
  if (own && scale == 1)
  {
    kept.emplace_back(array);
    return own->GetPointer(0);
  }
  copy = Copied<double>(array, scale);
  return copy.data();
}

//------------------------------------------------------------------------------
// The first of `size` for which `bad` holds, or `size`.
template <class BadT>
vtkIdType FirstBad(vtkIdType size, const BadT& bad)
{
  std::atomic<vtkIdType> first(size);
  vtkDEMParallel::For(size,
    [&](vtkIdType begin, vtkIdType end)
    {
      for (vtkIdType i = begin; i < end && i < first.load(std::memory_order_relaxed); ++i)
      {
        if (bad(i))
        {
          vtkIdType seen = first.load();
          while (i < seen && !first.compare_exchange_weak(seen, i))
          {
          }
          return;
        }
      }
    });
  return first;
}

//------------------------------------------------------------------------------
bool IsFinite(const double* x)
{
  return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]);
}

//------------------------------------------------------------------------------
std::string Text(const double* x)
{
  return "(" + Number(x[0]) + ", " + Number(x[1]) + ", " + Number(x[2]) + ")";
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
std::string Pair(const std::int64_t* ids)
{
  return ids[1] < 0 ? "grain " + std::to_string(ids[0]) + " and wall " + std::to_string(-1 - ids[1])
                    : "grains " + std::to_string(ids[0]) + " and " + std::to_string(ids[1]);
}

//------------------------------------------------------------------------------
dem::HostArray<std::int64_t> ReadIds(vtkCellData* data, vtkIdType size)
{
  if (vtkDataArray* pairs = Find(data, { "ParticleIds" }, 2))
  {
    return Copied<std::int64_t>(pairs);
  }
  vtkDataArray* first = Find(data, { "id1", "Id1", "i" }, 1);
  vtkDataArray* second = Find(data, { "id2", "Id2", "j" }, 1);
  if (!first || !second)
  {
    throw dem::Error("The contacts do not tell which grains touch: they have no cell array "
                     "ParticleIds with two Ids, nor id1 and id2. Their cell arrays are: " +
      Listed(data) +
      ". Connect the port Contacts of DEM Simulation or the output of DEM Contact Network, or "
      "leave the contacts out: they are then found from centres and radii.");
  }
  const dem::HostArray<std::int64_t> a = Copied<std::int64_t>(first);
  const dem::HostArray<std::int64_t> b = Copied<std::int64_t>(second);
  dem::HostArray<std::int64_t> ids(2 * static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    ids[2 * i] = a[i];
    ids[2 * i + 1] = b[i];
  }
  return ids;
}

//------------------------------------------------------------------------------
// A three-component cell array as doubles, every number finite.
dem::HostArray<double> ReadVectors(
  vtkCellData* data, const Names& names, const dem::HostArray<std::int64_t>& ids)
{
  vtkDataArray* array = Find(data, names, 3);
  if (!array)
  {
    return {};
  }
  dem::HostArray<double> values = Copied<double>(array);
  const vtkIdType size = array->GetNumberOfTuples();
  const vtkIdType bad =
    FirstBad(size, [&](vtkIdType i) { return !IsFinite(values.data() + 3 * i); });
  if (bad < size)
  {
    throw dem::Error("The " + std::string(array->GetName()) + " of contact " + std::to_string(bad) +
      ", of " + Pair(ids.data() + 2 * bad) + ", is " + Text(values.data() + 3 * bad) +
      ": not a finite number. Remove such contacts (Threshold) or write the file again.");
  }
  return values;
}

//------------------------------------------------------------------------------
// Grains of other shapes than spheres, whose contacts tell their points?
bool IsShaped(vtkPointSet* particles, const void* contactPoints)
{
  return contactPoints && particles &&
    particles->GetFieldData()->GetAbstractArray("ShapeDefinitions");
}

//------------------------------------------------------------------------------
// The blocks of a composite data set as one: the only one that has points as it is, several
// appended by `append`.
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
  if (!options.Motion)
  {
    return grains;
  }
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
  else if (options.Density > 0)
  {
    grains.Mass = dem::HostArray<double>(grains.View.size);
    for (vtkIdType i = 0; i < size; ++i)
    {
      grains.Mass[static_cast<std::size_t>(i)] =
        4.0 / 3.0 * 3.14159265358979323846 * r[i] * r[i] * r[i] * options.Density;
    }
    grains.View.mass = grains.Mass.data();
  }
  const auto vectors = [&](const vtkSmartPointer<vtkDataArray>& array,
                         dem::HostArray<double>& copy) -> const double*
  {
    if (!array)
    {
      return nullptr;
    }
    const double* values = Doubles(array, copy, grains.Kept);
    const vtkIdType wrong = FirstBad(size, [=](vtkIdType i) { return !IsFinite(values + 3 * i); });
    if (wrong < size)
    {
      throw dem::Error("Point " + std::to_string(wrong) + " has the " + array->GetName() + " " +
        Text(values + 3 * wrong) + ": not a finite number. Remove such points with Threshold.");
    }
    return values;
  };
  grains.View.velocity = vectors(vtkDEMGrainNames::FindVelocity(data), grains.Velocity);
  grains.View.angular_velocity =
    vectors(vtkDEMGrainNames::FindAngularVelocity(data), grains.AngularVelocity);
  if (vtkDataArray* material = Find(data, vtkDEMGrainNames::Material, 1))
  {
    grains.Material = Copied<std::int32_t>(material);
    grains.View.material = grains.Material.data();
  }
  return grains;
}

//------------------------------------------------------------------------------
ContactArrays ReadContacts(vtkPolyData* contacts, vtkPointSet* particles, const GrainArrays& grains)
{
  ContactArrays out;
  const vtkIdType size = contacts ? contacts->GetNumberOfCells() : 0;
  if (size == 0)
  {
    return out;
  }
  vtkDEMArrays::RequireWholeArrays(contacts, "The contacts");
  if (grains.View.size == 0)
  {
    throw dem::Error("There are " + std::to_string(size) +
      " contacts, but no grains: the particle input has no points. Connect the particles that "
      "belong to the contacts.");
  }
  double grainTime = 0;
  double contactTime = 0;
  if (GetTime(particles, grainTime) && GetTime(contacts, contactTime) &&
    std::abs(grainTime - contactTime) > 1e-9 * std::max(std::abs(grainTime), std::abs(contactTime)))
  {
    throw dem::Error("The contacts are of another time, " + Number(contactTime) +
      " s, than the particles, " + Number(grainTime) +
      " s. Connect both ports of one simulation, or files of the same times.");
  }
  vtkCellArray* lines = contacts->GetLines();
  if (!lines || lines->GetNumberOfCells() != size)
  {
    throw dem::Error("The contacts are " + std::to_string(size) + " cells, of which " +
      std::to_string(lines ? lines->GetNumberOfCells() : 0) +
      " are lines; every contact is one line from centre to centre.");
  }

  vtkCellData* data = contacts->GetCellData();
  out.Ids = ReadIds(data, size);
  const dem::HostArray<std::int64_t>& ids = out.Ids;
  const auto n = static_cast<std::size_t>(size);
  out.First = dem::HostArray<std::int64_t>(n);
  out.Second = dem::HostArray<std::int64_t>(n);
  const dem::GrainIndex index(grains.View);
  const std::size_t bad = index.contacts(ids.data(), n, out.First.data(), out.Second.data());
  if (bad < n)
  {
    const std::int64_t* pair = ids.data() + 2 * bad;
    if (pair[0] < 0)
    {
      throw dem::Error("Contact " + std::to_string(bad) + " has the Ids " +
        std::to_string(pair[0]) + " and " + std::to_string(pair[1]) +
        ": the first must be a grain; a wall (below 0) comes second.");
    }
    const std::int64_t missing = index.find(pair[0]) == dem::GrainIndex::kNone ? pair[0] : pair[1];
    throw dem::Error("Contact " + std::to_string(bad) + " is of " + Pair(pair) +
      ", but none of the " + std::to_string(grains.View.size) + " particles has " +
      (grains.IdArray.empty() ? "the index " : "the " + grains.IdArray + " ") +
      std::to_string(missing) +
      ": the Ids of contacts and particles do not match. Connect the particles that the contacts "
      "belong to, all of them, or leave the contacts out.");
  }

  out.FirstPlace = dem::HostArray<double>(3 * n);
  out.SecondPlace = dem::HostArray<double>(3 * n);
  dem::HostArray<double> coordinatesCopy;
  std::vector<vtkSmartPointer<vtkDataArray>> kept;
  const double* coordinates = Doubles(contacts->GetPoints()->GetData(), coordinatesCopy, kept);
  const auto copyEnds = [&](vtkIdType cell, vtkIdType first, vtkIdType second)
  {
    std::copy_n(coordinates + 3 * first, 3, out.FirstPlace.data() + 3 * cell);
    std::copy_n(coordinates + 3 * second, 3, out.SecondPlace.data() + 3 * cell);
  };
  const auto throwLength = [&](vtkIdType cell, vtkIdType corners)
  {
    throw dem::Error("Contact " + std::to_string(cell) + ", of " + Pair(ids.data() + 2 * cell) +
      ", is a line of " + std::to_string(corners) +
      " points; a contact is a line from centre to centre.");
  };
  if (lines->IsStorage64Bit())
  {
    const auto* offsets = lines->GetOffsetsArray64()->GetPointer(0);
    const auto* connectivity = lines->GetConnectivityArray64()->GetPointer(0);
    const vtkIdType odd =
      FirstBad(size, [=](vtkIdType c) { return offsets[c + 1] - offsets[c] != 2; });
    if (odd < size)
    {
      throwLength(odd, offsets[odd + 1] - offsets[odd]);
    }
    vtkDEMParallel::For(size,
      [&](vtkIdType begin, vtkIdType end)
      {
        for (vtkIdType c = begin; c < end; ++c)
        {
          copyEnds(c, connectivity[offsets[c]], connectivity[offsets[c] + 1]);
        }
      });
  }
  else
  {
    vtkNew<vtkIdList> scratch;
    for (vtkIdType cell = 0; cell < size; ++cell)
    {
      vtkIdType corners = 0;
      const vtkIdType* points = nullptr;
      lines->GetCellAtId(cell, corners, points, scratch);
      if (corners != 2)
      {
        throwLength(cell, corners);
      }
      copyEnds(cell, points[0], points[1]);
    }
  }

  out.NormalForce = ReadVectors(data, { "NormalForce", "force_normal" }, ids);
  out.TangentialForce = ReadVectors(data, { "TangentialForce", "force_tangential" }, ids);
  out.Point = ReadVectors(data, { "ContactPoint", "contact_point" }, ids);
  vtkDataArray* overlap = Find(data, { "Overlap", "delta" }, 1);
  out.Overlap = overlap ? Copied<double>(overlap) : dem::HostArray<double>(n);
  if (!overlap)
  {
    vtkDEMParallel::For(size,
      [&](vtkIdType begin, vtkIdType end)
      {
        for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c)
        {
          const double* p = out.FirstPlace.data() + 3 * c;
          const double* q = out.SecondPlace.data() + 3 * c;
          const double other = out.Second[c] < 0 ? 0 : grains.View.radius[out.Second[c]];
          out.Overlap[c] = grains.View.radius[out.First[c]] + other -
            dem::length(dem::Vec3d{ q[0] - p[0], q[1] - p[1], q[2] - p[2] });
        }
      });
  }

  out.View.size = n;
  out.View.first = out.First.data();
  out.View.second = out.Second.data();
  out.View.first_place = out.FirstPlace.data();
  out.View.second_place = out.SecondPlace.data();
  out.View.point = out.Point.data(); // else in mid overlap, as the solver has it
  out.View.overlap = out.Overlap.data();
  out.View.normal_force = out.NormalForce.data();
  out.View.tangential_force = out.TangentialForce.data();
  out.View.shaped = IsShaped(particles, out.View.point);
  return out;
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
FrameInput FindFrame(vtkPointSet* particles, vtkPolyData* contacts, const GrainOptions& options,
  const dem::Device& device)
{
  FrameInput found;
  auto* points = vtkPolyData::SafeDownCast(particles);
  vtkDEMFrameHandle* handle = vtkDEMFrameHandle::Of(points);
  const std::shared_ptr<const dem::Frame> frame = handle ? handle->GetFrame() : nullptr;
  const std::shared_ptr<const dem::DeviceFrame> kept = frame ? frame->on_device.lock() : nullptr;
  if (!kept || frame->size == 0 || !kept->reachableBy(device))
  {
    return found;
  }
  // The key may have been passed on to an array that was made after this one: its memory tells.
  const auto shows = [](vtkDataArray* array, const auto& values)
  {
    return array && !values.empty() && array->HasStandardMemoryLayout() &&
      static_cast<std::size_t>(array->GetNumberOfValues()) == values.size() &&
      array->GetVoidPointer(0) == values.data();
  };
  vtkPointData* data = points->GetPointData();
  double scale = 1;
  vtkDataArray* id = Find(data, vtkDEMGrainNames::Id, 1);
  id = id ? id : data->GetGlobalIds();
  if (!shows(points->GetPoints()->GetData(), frame->position) || !shows(id, frame->id) ||
    !shows(FindRadius(data, options.RadiusArray, scale), frame->radius) || scale != 1)
  {
    return found;
  }
  dem::Grains grains = kept->grains();
  if (!options.Motion)
  {
    grains.mass = grains.velocity = grains.angular_velocity = nullptr;
    grains.material = nullptr;
  }
  else
  {
    vtkDataArray* velocity = Find(data, vtkDEMGrainNames::Velocity, 3);
    vtkDataArray* spin = Find(data, vtkDEMGrainNames::AngularVelocity, 3);
    vtkDataArray* material = Find(data, vtkDEMGrainNames::Material, 1);
    if (!shows(Find(data, vtkDEMGrainNames::Mass, 1), frame->mass) ||
      (velocity && !shows(velocity, frame->velocity)) ||
      (spin && !shows(spin, frame->angular_velocity)) ||
      (material && !shows(material, frame->material)))
    {
      return found;
    }
    grains.velocity = velocity ? grains.velocity : nullptr;
    grains.angular_velocity = spin ? grains.angular_velocity : nullptr;
    grains.material = material ? grains.material : nullptr;
  }

  dem::GrainContacts touching;
  const std::size_t size =
    contacts ? static_cast<std::size_t>(contacts->GetNumberOfCells()) : std::size_t(0);
  if (size > 0)
  {
    vtkDEMFrameHandle* other = vtkDEMFrameHandle::Of(contacts);
    vtkCellData* cells = contacts->GetCellData();
    vtkDataArray* normal = Find(cells, { "NormalForce", "force_normal" }, 3);
    vtkDataArray* tangential = Find(cells, { "TangentialForce", "force_tangential" }, 3);
    vtkDataArray* point = Find(cells, { "ContactPoint", "contact_point" }, 3);
    if (!other || other->GetFrame() != frame || size != frame->contacts.size ||
      static_cast<std::size_t>(contacts->GetLines()->GetNumberOfCells()) != size ||
      !other->HasCorners(contacts->GetLines()->GetConnectivityArray()->GetVoidPointer(0)) ||
      !shows(contacts->GetPoints()->GetData(), frame->contacts.ends) ||
      !shows(Find(cells, { "ParticleIds" }, 2), frame->contacts.ids) ||
      !shows(Find(cells, { "Overlap", "delta" }, 1), frame->contacts.overlap) ||
      (point && !shows(point, frame->contacts.point)) ||
      (normal && !shows(normal, frame->contacts.normal_force)) ||
      (tangential && !shows(tangential, frame->contacts.tangential_force)))
    {
      return found;
    }
    touching = kept->contacts();
    touching.normal_force = normal ? touching.normal_force : nullptr;
    touching.tangential_force = tangential ? touching.tangential_force : nullptr;
    touching.point = point ? touching.point : nullptr;
    touching.shaped = IsShaped(particles, point);
    if (!shows(cells->GetArray("Sliding"), frame->contacts.sliding))
    {
      touching.sliding = nullptr;
    }
  }
  if (options.Continuum)
  {
    vtkDataArray* stress = Find(data, { "Stress" }, 6);
    if (stress && !shows(stress, frame->stress))
    {
      return found;
    }
    touching = kept->contacts();
    touching.normal_force = stress ? touching.normal_force : nullptr;
  }
  found.Grains = grains;
  found.Contacts = touching;
  found.Shown = frame;
  found.Kept = kept;
  return found;
}

//------------------------------------------------------------------------------
void AddSource(vtkFieldData* data, bool frame)
{
  vtkDEMArrays::AddText(data, "ReadFrom", frame ? "Frame" : "Arrays");
}

//------------------------------------------------------------------------------
vtkPolyData* FindContacts(vtkAlgorithm* algorithm, int port, vtkPointSet* particles)
{
  if (algorithm->GetNumberOfInputConnections(port) != 1)
  {
    return nullptr;
  }
  vtkAlgorithmOutput* connection = algorithm->GetInputConnection(port, 0);
  // ParaView may put its own filter, which passes data on, behind each source.
  while (connection && connection->GetProducer()->IsA("vtkPVPostFilter"))
  {
    vtkAlgorithm* filter = connection->GetProducer();
    connection =
      filter->GetNumberOfInputConnections(0) == 1 ? filter->GetInputConnection(0, 0) : nullptr;
  }
  auto* run = vtkDEMRunAlgorithm::SafeDownCast(connection ? connection->GetProducer() : nullptr);
  if (!run || connection->GetIndex() != vtkDEMRunAlgorithm::PARTICLES)
  {
    return nullptr;
  }
  auto* contacts =
    vtkPolyData::SafeDownCast(run->GetOutputDataObject(vtkDEMRunAlgorithm::CONTACTS));
  double grainTime = 0;
  double contactTime = 0;
  if (!contacts || !GetTime(particles, grainTime) || !GetTime(contacts, contactTime) ||
    grainTime != contactTime)
  {
    return nullptr;
  }
  return contacts;
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
      CopyRange(boxOfData, 1, borders);
      CopyRange(periodicOfData, 1, periodic);
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
