#include "vtkDEMContactInput.h"

#include "Analysis/GrainIndex.h"
#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMGrainNames.h"
#include "Bridge/vtkDEMParallel.h"
#include "Bridge/vtkDEMValues.h"
#include "Bridge/vtkDEMVersion.h"
#include "Core/Error.h"
#include "Core/Vec.h"
#include "vtkDEMRunAlgorithm.h"

#include "vtkAlgorithmOutput.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkFieldData.h"
#include "vtkIdList.h"
#include "vtkNew.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"

#include <algorithm>
#include <cmath>

namespace
{

using vtkDEMContactInput::ContactArrays;
using vtkDEMGrainInput::GrainArrays;
using vtkDEMGrainNames::Find;
using vtkDEMGrainNames::Listed;
using vtkDEMGrainNames::Names;
using vtkDEMValues::Copied;
using vtkDEMValues::FirstBad;
using vtkDEMValues::IsFinite;
using vtkDEMValues::Text;

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
    throw dem::Error("The contacts have no Ids of their grains: neither the cell array ParticleIds "
                     "of two components nor id1 and id2. Their cell arrays are: " +
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
// Throws if grains and contacts are of different times, or the contacts are not all lines.
void CheckInput(vtkPolyData* contacts, vtkPointSet* particles, const GrainArrays& grains)
{
  const vtkIdType size = contacts->GetNumberOfCells();
  vtkDEMArrays::RequireWholeArrays(contacts, "The contacts");
  if (grains.View.size == 0)
  {
    throw dem::Error("There are " + std::to_string(size) +
      " contacts, but no grains: the particle input has no points. Connect the particles that "
      "belong to the contacts.");
  }
  double grainTime = 0;
  double contactTime = 0;
  if (vtkDEMGrainInput::GetTime(particles, grainTime) &&
    vtkDEMGrainInput::GetTime(contacts, contactTime) &&
    std::abs(grainTime - contactTime) > 1e-9 * std::max(std::abs(grainTime), std::abs(contactTime)))
  {
    throw dem::Error("The contacts are of another time, " + vtkDEMValues::Number(contactTime) +
      " s, than the particles, " + vtkDEMValues::Number(grainTime) +
      " s. Connect both ports of one simulation, or files of the same times.");
  }
  vtkCellArray* lines = contacts->GetLines();
  if (!lines || lines->GetNumberOfCells() != size)
  {
    throw dem::Error("The contacts are " + std::to_string(size) + " cells, of which " +
      std::to_string(lines ? lines->GetNumberOfCells() : 0) +
      " are lines; every contact is one line from centre to centre.");
  }
}

//------------------------------------------------------------------------------
// The contact `bad` names grains that do not exist.
[[noreturn]] void ThrowUnknownIds(const dem::HostArray<std::int64_t>& ids, std::size_t bad,
  const dem::GrainIndex& index, const GrainArrays& grains)
{
  const std::int64_t* pair = ids.data() + 2 * bad;
  if (pair[0] < 0)
  {
    throw dem::Error("Contact " + std::to_string(bad) + " has the Ids " + std::to_string(pair[0]) +
      " and " + std::to_string(pair[1]) +
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

//------------------------------------------------------------------------------
// Ids of the grains of each contact, and their indices.
void FillGrains(vtkCellData* data, vtkIdType size, const GrainArrays& grains, ContactArrays& out)
{
  const auto n = static_cast<std::size_t>(size);
  out.Ids = ReadIds(data, size);
  const dem::HostArray<std::int64_t>& ids = out.Ids;
  out.First = dem::HostArray<std::int64_t>(n);
  out.Second = dem::HostArray<std::int64_t>(n);
  const dem::GrainIndex index(grains.View);
  const std::size_t bad = index.contacts(ids.data(), n, out.First.data(), out.Second.data());
  if (bad < n)
  {
    ThrowUnknownIds(ids, bad, index, grains);
  }
}

//------------------------------------------------------------------------------
// Where the two ends of each line are.
void FillEnds(vtkPolyData* contacts, ContactArrays& out)
{
  const vtkIdType size = contacts->GetNumberOfCells();
  const auto n = static_cast<std::size_t>(size);
  vtkCellArray* lines = contacts->GetLines();
  const dem::HostArray<std::int64_t>& ids = out.Ids;
  out.FirstPlace = dem::HostArray<double>(3 * n);
  out.SecondPlace = dem::HostArray<double>(3 * n);
  dem::HostArray<double> coordinatesCopy;
  std::vector<vtkSmartPointer<vtkDataArray>> kept;
  const double* coordinates =
    vtkDEMValues::Doubles(contacts->GetPoints()->GetData(), coordinatesCopy, kept);
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
  const vtkTypeInt64* offsets = vtkDEMVersion::Offsets64(lines);
  const vtkTypeInt64* connectivity = vtkDEMVersion::Connectivity64(lines);
  if (offsets && connectivity)
  {
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
}

//------------------------------------------------------------------------------
// The overlap of spheres by their centres and radii.
void FindOverlaps(const GrainArrays& grains, ContactArrays& out)
{
  const auto size = static_cast<vtkIdType>(out.First.size());
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

} // namespace

namespace vtkDEMContactInput
{

//------------------------------------------------------------------------------
ContactArrays Read(vtkPolyData* contacts, vtkPointSet* particles, const GrainArrays& grains)
{
  ContactArrays out;
  const vtkIdType size = contacts ? contacts->GetNumberOfCells() : 0;
  if (size == 0)
  {
    return out;
  }
  CheckInput(contacts, particles, grains);
  vtkCellData* data = contacts->GetCellData();
  FillGrains(data, size, grains, out);
  FillEnds(contacts, out);
  const dem::HostArray<std::int64_t>& ids = out.Ids;
  const auto n = static_cast<std::size_t>(size);
  out.NormalForce = ReadVectors(data, { "NormalForce", "force_normal" }, ids);
  out.TangentialForce = ReadVectors(data, { "TangentialForce", "force_tangential" }, ids);
  out.Point = ReadVectors(data, { "ContactPoint", "contact_point" }, ids);
  vtkDataArray* overlap = vtkDEMGrainNames::Find(data, { "Overlap", "delta" }, 1);
  out.Overlap = overlap ? Copied<double>(overlap) : dem::HostArray<double>(n);
  if (!overlap)
  {
    FindOverlaps(grains, out);
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
  out.View.shaped = AreShaped(particles, out.View.point);
  return out;
}

//------------------------------------------------------------------------------
bool AreShaped(vtkPointSet* particles, const void* contactPoints)
{
  return contactPoints && particles &&
    particles->GetFieldData()->GetAbstractArray("ShapeDefinitions");
}

//------------------------------------------------------------------------------
vtkPolyData* Find(vtkAlgorithm* algorithm, int port, vtkPointSet* particles)
{
  if (algorithm->GetNumberOfInputConnections(port) != 1)
  {
    return nullptr;
  }
  vtkAlgorithmOutput* connection = algorithm->GetInputConnection(port, 0);
  // ParaView may insert its own filter, which passes data through, behind each source.
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
  if (!contacts || !vtkDEMGrainInput::GetTime(particles, grainTime) ||
    !vtkDEMGrainInput::GetTime(contacts, contactTime) || grainTime != contactTime)
  {
    return nullptr;
  }
  return contacts;
}

} // namespace vtkDEMContactInput
