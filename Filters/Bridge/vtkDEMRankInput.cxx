#include "Bridge/vtkDEMRankInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMFrameHandle.h"
#include "Bridge/vtkDEMGrainNames.h"
#include "Core/Error.h"

#include "vtkAppendPolyData.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCommunicator.h"
#include "vtkDataArray.h"
#include "vtkFieldData.h"
#include "vtkIdList.h"
#include "vtkInformation.h"
#include "vtkInformationObjectBaseKey.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace
{

constexpr int Tag = 53171; // of the pieces of other ranks

//------------------------------------------------------------------------------
// The same points and arrays without cells other than lines.
vtkSmartPointer<vtkPolyData> Piece(vtkPointSet* data)
{
  auto piece = vtkSmartPointer<vtkPolyData>::New();
  piece->SetPoints(data->GetPoints());
  piece->GetPointData()->ShallowCopy(data->GetPointData());
  piece->GetFieldData()->ShallowCopy(data->GetFieldData());
  auto* lines = vtkPolyData::SafeDownCast(data);
  if (lines && lines->GetNumberOfLines() == lines->GetNumberOfCells())
  {
    piece->SetLines(lines->GetLines());
    piece->GetCellData()->ShallowCopy(lines->GetCellData());
  }
  return piece;
}

//------------------------------------------------------------------------------
// Data without points and cells, but with the arrays of `data`, which may be null.
vtkSmartPointer<vtkPolyData> WithoutPoints(vtkPointSet* data)
{
  auto empty = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> points;
  empty->SetPoints(points);
  if (data)
  {
    empty->GetPointData()->CopyAllOn();
    empty->GetPointData()->CopyAllocate(data->GetPointData(), 0);
    empty->GetCellData()->CopyAllocate(data->GetCellData(), 0);
    empty->GetFieldData()->ShallowCopy(data->GetFieldData());
  }
  return empty;
}

//------------------------------------------------------------------------------
// The pieces of all ranks as one, on rank 0; without points on the other ranks. Collective.
vtkSmartPointer<vtkPolyData> Joined(vtkPointSet* data, vtkMultiProcessController* controller)
{
  const int own = controller->GetLocalProcessId();
  const vtkIdType mine = data ? data->GetNumberOfPoints() : 0;
  std::vector<vtkIdType> points(static_cast<std::size_t>(controller->GetNumberOfProcesses()));
  controller->AllGather(&mine, points.data(), 1);
  if (own > 0)
  {
    if (mine > 0 && !controller->Send(Piece(data), 0, Tag))
    {
      throw dem::Error("The grains of this rank cannot be sent to rank 0.");
    }
    return WithoutPoints(data);
  }
  vtkNew<vtkAppendPolyData> append;
  append->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  vtkSmartPointer<vtkPolyData> first;
  for (std::size_t rank = 0; rank < points.size(); ++rank)
  {
    if (points[rank] == 0)
    {
      continue;
    }
    auto piece = vtkSmartPointer<vtkPolyData>::New();
    if (rank == 0)
    {
      piece = Piece(data);
    }
    else if (!controller->Receive(piece, static_cast<int>(rank), Tag))
    {
      throw dem::Error("The grains of rank " + std::to_string(rank) + " do not come to rank 0.");
    }
    first = first ? first : piece;
    append->AddInputData(piece);
  }
  if (!first)
  {
    return WithoutPoints(data);
  }
  append->Update();
  const vtkSmartPointer<vtkPolyData> joined = append->GetOutput();
  const bool knows = data && data->GetFieldData()->GetNumberOfArrays() > 0; // exits of the run
  joined->GetFieldData()->ShallowCopy((knows ? data : first.Get())->GetFieldData());
  return joined;
}

//------------------------------------------------------------------------------
// Indices in ascending order of the first component of `keys`; as they are without keys.
vtkSmartPointer<vtkIdList> OrderOf(vtkDataArray* keys, vtkIdType size)
{
  auto order = vtkSmartPointer<vtkIdList>::New();
  order->SetNumberOfIds(size);
  std::iota(order->begin(), order->end(), vtkIdType(0));
  if (keys)
  {
    std::vector<vtkIdType> ids(static_cast<std::size_t>(size));
    for (vtkIdType i = 0; i < size; ++i)
    {
      ids[static_cast<std::size_t>(i)] = static_cast<vtkIdType>(keys->GetComponent(i, 0));
    }
    std::stable_sort(order->begin(), order->end(),
      [&ids](vtkIdType a, vtkIdType b)
      { return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)]; });
  }
  return order;
}

//------------------------------------------------------------------------------
// Copies the entries `order` of `from`.
template <class AttributesT>
void CopyInOrder(AttributesT* from, vtkIdList* order, AttributesT* to)
{
  to->CopyAllOn();
  to->CopyAllocate(from, order->GetNumberOfIds());
  to->CopyData(from, order, vtkIdType(0));
}

//------------------------------------------------------------------------------
void CopyPoints(vtkPolyData* from, vtkIdList* order, vtkPolyData* to)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(order->GetNumberOfIds());
  from->GetPoints()->GetPoints(order, points);
  to->SetPoints(points);
  CopyInOrder(from->GetPointData(), order, to->GetPointData());
  to->GetFieldData()->ShallowCopy(from->GetFieldData());
}

//------------------------------------------------------------------------------
// Points in ascending Id, each with a vertex.
vtkSmartPointer<vtkPolyData> InOrderOfId(const vtkSmartPointer<vtkPolyData>& points)
{
  const vtkIdType size = points->GetNumberOfPoints();
  if (size == 0)
  {
    return points;
  }
  auto sorted = vtkSmartPointer<vtkPolyData>::New();
  vtkDataArray* id = vtkDEMGrainNames::Find(points->GetPointData(), vtkDEMGrainNames::Id, 1);
  const auto order = OrderOf(id ? id : points->GetPointData()->GetGlobalIds(), size);
  CopyPoints(points, order, sorted);
  vtkNew<vtkCellArray> vertices;
  for (vtkIdType i = 0; i < size; ++i)
  {
    vertices->InsertNextCell(1, &i);
  }
  sorted->SetVerts(vertices);
  return sorted;
}

//------------------------------------------------------------------------------
// Lines in ascending Id of their first grain, each with points of its own.
vtkSmartPointer<vtkPolyData> InOrderOfFirstId(const vtkSmartPointer<vtkPolyData>& lines)
{
  if (lines->GetNumberOfLines() == 0)
  {
    return lines;
  }
  vtkCellData* data = lines->GetCellData();
  vtkDataArray* id = vtkDEMGrainNames::Find(data, { "ParticleIds" }, 2);
  id = id ? id : vtkDEMGrainNames::Find(data, { "id1", "Id1", "i" }, 1);
  const auto order = OrderOf(id, lines->GetNumberOfLines());
  vtkNew<vtkIdList> corners;
  vtkNew<vtkIdList> of;
  vtkNew<vtkCellArray> cells;
  for (vtkIdType k = 0; k < order->GetNumberOfIds(); ++k)
  {
    lines->GetLines()->GetCellAtId(order->GetId(k), of);
    cells->InsertNextCell(static_cast<int>(of->GetNumberOfIds()));
    for (vtkIdType corner = 0; corner < of->GetNumberOfIds(); ++corner)
    {
      cells->InsertCellPoint(corners->GetNumberOfIds());
      corners->InsertNextId(of->GetId(corner));
    }
  }
  auto sorted = vtkSmartPointer<vtkPolyData>::New();
  CopyPoints(lines, corners, sorted);
  sorted->SetLines(cells);
  CopyInOrder(data, order, sorted->GetCellData());
  return sorted;
}

//------------------------------------------------------------------------------
// Gives `to` the time and the run of `from`.
void CopyOrigin(vtkDataObject* from, vtkPolyData* to)
{
  if (from && from->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP()))
  {
    to->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(),
      from->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()));
  }
  if (vtkDEMFrameHandle* handle = vtkDEMFrameHandle::Of(vtkPolyData::SafeDownCast(from)))
  {
    to->GetPoints()->GetData()->GetInformation()->Set(vtkDEMFrameHandle::FRAME(), handle);
  }
}

} // namespace

namespace vtkDEMRankInput
{

//------------------------------------------------------------------------------
void Gather(vtkSmartPointer<vtkPointSet>& grains, vtkSmartPointer<vtkPolyData>& contacts)
{
  vtkMultiProcessController* controller = vtkDEMArrays::GetParallelController();
  if (!controller)
  {
    return;
  }
  const int mine[2] = { controller->GetLocalProcessId() > 0 && grains &&
      grains->GetNumberOfPoints() > 0,
    contacts != nullptr };
  int any[2] = { 0, 0 };
  controller->AllReduce(mine, any, 2, vtkCommunicator::MAX_OP);
  if (!any[0])
  {
    return;
  }
  const vtkSmartPointer<vtkPolyData> all = InOrderOfId(Joined(grains, controller));
  CopyOrigin(grains, all);
  grains = all;
  if (any[1])
  {
    const vtkSmartPointer<vtkPolyData> lines = InOrderOfFirstId(Joined(contacts, controller));
    CopyOrigin(contacts, lines);
    contacts = lines;
  }
}

//------------------------------------------------------------------------------
void Gather(vtkSmartPointer<vtkPointSet>& grains)
{
  vtkSmartPointer<vtkPolyData> none;
  Gather(grains, none);
}

} // namespace vtkDEMRankInput
