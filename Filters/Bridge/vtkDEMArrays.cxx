#include "vtkDEMArrays.h"

#include "Bridge/vtkDEMGrainNames.h"
#include "Core/Error.h"
#include "Walls/WallMesh.h"

#include "vtkAlgorithm.h"
#include "vtkAppendDataSets.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCommunicator.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArrayRange.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkErrorCode.h"
#include "vtkFieldData.h"
#include "vtkIdList.h"
#include "vtkIdTypeArray.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkIntArray.h"
#include "vtkMetaReader.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkPartitionedDataSet.h"
#include "vtkPartitionedDataSetCollection.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"
#include "vtkPolygon.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"
#include "vtkTable.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <unordered_map>

namespace
{

struct Registry
{
  std::mutex Mutex;
  std::unordered_multimap<void*, std::shared_ptr<void>> Blocks;
};

// The registry is never freed: arrays may outlive all static objects of this library, since Python
// holds them until the interpreter ends.
Registry& GetRegistry()
{
  static Registry* registry = new Registry;
  return *registry;
}

//------------------------------------------------------------------------------
// Joins the pieces of one data set, of which a rank may hold none or several.
vtkSmartPointer<vtkDataObject> Joined(vtkPartitionedDataSet* pieces)
{
  vtkDataSet* any = nullptr;
  std::vector<vtkDataSet*> filled;
  for (unsigned int i = 0; pieces && i < pieces->GetNumberOfPartitions(); ++i)
  {
    vtkDataSet* piece = pieces->GetPartition(i);
    any = any ? any : piece;
    if (piece && piece->GetNumberOfPoints() > 0)
    {
      filled.push_back(piece);
    }
  }
  if (filled.size() < 2)
  {
    return filled.empty() ? any : filled.front();
  }
  vtkNew<vtkAppendDataSets> append;
  append->SetOutputDataSetType(
    vtkPolyData::SafeDownCast(filled.front()) ? VTK_POLY_DATA : VTK_UNSTRUCTURED_GRID);
  for (vtkDataSet* piece : filled)
  {
    append->AddInputData(piece);
  }
  append->Update();
  vtkSmartPointer<vtkDataObject> all = append->GetOutputDataObject(0);
  all->GetFieldData()->ShallowCopy(filled.front()->GetFieldData());
  return all;
}

} // namespace

namespace vtkDEMArrays
{

//------------------------------------------------------------------------------
void HoldBlock(vtkAbstractArray* array, std::shared_ptr<void> block, void* address)
{
  Registry& registry = GetRegistry();
  {
    std::lock_guard<std::mutex> lock(registry.Mutex);
    registry.Blocks.emplace(address, std::move(block));
  }
  array->SetArrayFreeFunction(&ReleaseBlock);
}

//------------------------------------------------------------------------------
void ReleaseBlock(void* address)
{
  Registry& registry = GetRegistry();
  std::shared_ptr<void> block;
  std::lock_guard<std::mutex> lock(registry.Mutex);
  auto found = registry.Blocks.find(address);
  if (found != registry.Blocks.end())
  {
    block = std::move(found->second);
    registry.Blocks.erase(found);
  }
}

//------------------------------------------------------------------------------
std::size_t GetNumberOfHeldBlocks()
{
  Registry& registry = GetRegistry();
  std::lock_guard<std::mutex> lock(registry.Mutex);
  return registry.Blocks.size();
}

//------------------------------------------------------------------------------
void Read(vtkDataArray* array, std::vector<dem::Vec3d>& values)
{
  const auto tuples = vtk::DataArrayTupleRange<3>(array);
  values.clear();
  values.reserve(static_cast<std::size_t>(tuples.size()));
  for (const auto tuple : tuples)
  {
    values.push_back({ static_cast<double>(tuple[0]), static_cast<double>(tuple[1]),
      static_cast<double>(tuple[2]) });
  }
}

//------------------------------------------------------------------------------
void AddNumber(vtkFieldData* fieldData, const char* name, double value)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->InsertNextValue(value);
  fieldData->AddArray(array);
}

//------------------------------------------------------------------------------
void AddInteger(vtkFieldData* fieldData, const char* name, std::int64_t value)
{
  vtkNew<vtkIdTypeArray> array;
  array->SetName(name);
  array->InsertNextValue(static_cast<vtkIdType>(value));
  fieldData->AddArray(array);
}

//------------------------------------------------------------------------------
void AddBox(
  vtkFieldData* fieldData, const dem::Vec3d& lower, const dem::Vec3d& upper, const bool periodic[3])
{
  vtkNew<vtkDoubleArray> box;
  box->SetName("Box");
  box->SetNumberOfComponents(6);
  box->InsertNextTuple6(lower.x, upper.x, lower.y, upper.y, lower.z, upper.z);
  fieldData->AddArray(box);
  vtkNew<vtkIntArray> axes;
  axes->SetName("Periodic");
  axes->SetNumberOfComponents(3);
  axes->InsertNextTuple3(periodic[0], periodic[1], periodic[2]);
  fieldData->AddArray(axes);
}

//------------------------------------------------------------------------------
void AddExits(vtkFieldData* fieldData, const dem::HostArray<std::int64_t>& ids,
  const dem::HostArray<double>& positions)
{
  fieldData->AddArray(Share<vtkIdTypeArray>(ids, "ExitId", 1));
  fieldData->AddArray(Share<vtkDoubleArray>(positions, "ExitPosition", 3));
}

//------------------------------------------------------------------------------
Exits ReadExits(vtkFieldData* fieldData)
{
  vtkDataArray* ids = fieldData->GetArray("ExitId");
  vtkDataArray* positions = fieldData->GetArray("ExitPosition");
  Exits exits;
  if (!ids || !positions || ids->GetNumberOfComponents() != 1 ||
    positions->GetNumberOfComponents() != 3 ||
    ids->GetNumberOfTuples() != positions->GetNumberOfTuples())
  {
    return exits;
  }
  for (vtkIdType i = 0; i < ids->GetNumberOfTuples(); ++i)
  {
    const double* place = positions->GetTuple3(i);
    exits.Ids.push_back(static_cast<std::int64_t>(ids->GetTuple1(i)));
    exits.Positions.insert(exits.Positions.end(), place, place + 3);
  }
  return exits;
}

//------------------------------------------------------------------------------
void AddClosedBorders(vtkFieldData* fieldData, const bool closed[6])
{
  vtkNew<vtkIntArray> borders;
  borders->SetName("ClosedBorders");
  borders->SetNumberOfComponents(6);
  borders->InsertNextTuple6(closed[0], closed[1], closed[2], closed[3], closed[4], closed[5]);
  fieldData->AddArray(borders);
}

//------------------------------------------------------------------------------
void AddGravity(vtkFieldData* fieldData, const dem::Vec3d& gravity)
{
  vtkNew<vtkDoubleArray> vector;
  vector->SetName("Gravity");
  vector->SetNumberOfComponents(3);
  vector->InsertNextTuple3(gravity.x, gravity.y, gravity.z);
  fieldData->AddArray(vector);
}

//------------------------------------------------------------------------------
void RequireWholeArrays(vtkDataSet* data, const std::string& what)
{
  for (const int association : { vtkDataObject::POINT, vtkDataObject::CELL })
  {
    const vtkIdType size = data->GetNumberOfElements(association);
    vtkDataSetAttributes* attributes = data->GetAttributes(association);
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i)
    {
      vtkAbstractArray* array = attributes->GetAbstractArray(i);
      if (array->GetNumberOfTuples() != size)
      {
        const bool points = association == vtkDataObject::POINT;
        throw dem::Error(what + ": the " + (points ? "point" : "cell") + " array \"" +
          (array->GetName() ? array->GetName() : "") + "\" has " +
          std::to_string(array->GetNumberOfTuples()) + " values for " + std::to_string(size) +
          (points ? " points" : " cells") +
          ". Leave it out with Pass Arrays, or read the data again.");
      }
    }
  }
}

//------------------------------------------------------------------------------
void AddText(vtkFieldData* fieldData, const char* name, const std::string& value)
{
  vtkNew<vtkStringArray> array;
  array->SetName(name);
  array->InsertNextValue(value);
  fieldData->AddArray(array);
}

//------------------------------------------------------------------------------
std::string Number(double value)
{
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

//------------------------------------------------------------------------------
void AddMaterials(vtkFieldData* fieldData, const std::vector<std::string>& names)
{
  vtkNew<vtkStringArray> array;
  array->SetName("Materials");
  for (const std::string& name : names)
  {
    array->InsertNextValue(name);
  }
  fieldData->AddArray(array);
}

//------------------------------------------------------------------------------
std::int32_t NameKey(const std::string& text)
{
  std::uint32_t hash = 2166136261u; // FNV-1a
  for (const char c : text)
  {
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  return static_cast<std::int32_t>(hash & 0x7fffffffu);
}

//------------------------------------------------------------------------------
MaterialKeys::MaterialKeys(
  vtkPointSet* input, const std::vector<std::string>& materials, const std::string& what)
  : Array(input ? FindPointArray(input, "MaterialKey", 1, what) : nullptr)
  , Materials(materials)
  , What(what)
{
  for (const std::string& name : materials)
  {
    this->Keys.push_back(NameKey(name));
  }
}

//------------------------------------------------------------------------------
std::size_t MaterialKeys::Follow(vtkIdType point, std::size_t material) const
{
  const double key = this->Array ? this->Array->GetComponent(point, 0) : 0;
  if (!this->Array || key == this->Keys[material])
  {
    return material;
  }
  const auto found = std::find(this->Keys.begin(), this->Keys.end(), key);
  if (found == this->Keys.end())
  {
    std::string known;
    for (const std::string& name : this->Materials)
    {
      known += (known.empty() ? "" : ", ") + name;
    }
    throw dem::Error(this->What + ": point " + std::to_string(point) +
      " has a material that is not among the materials: " + known +
      ". Add the Material of each packing to Materials or TableOfMaterials.");
  }
  return static_cast<std::size_t>(found - this->Keys.begin());
}

//------------------------------------------------------------------------------
vtkStringArray* FindMaterials(vtkFieldData* fieldData)
{
  auto* names = vtkStringArray::SafeDownCast(fieldData->GetAbstractArray("Materials"));
  return names ? names : vtkStringArray::SafeDownCast(fieldData->GetAbstractArray("MaterialNames"));
}

//------------------------------------------------------------------------------
std::vector<int> MaterialMap(vtkPointSet* input, const std::vector<std::string>& materials,
  const std::string& what, const std::string& cure)
{
  std::vector<int> map;
  vtkStringArray* names = FindMaterials(input->GetFieldData());
  for (vtkIdType i = 0; names && i < names->GetNumberOfValues(); ++i)
  {
    const std::string name = names->GetValue(i);
    const auto found = std::find(materials.begin(), materials.end(), name);
    if (found == materials.end())
    {
      throw dem::Error(what + ": material \"" + name +
        "\" is unknown. Known are: " + Listed(materials) + ". " + cure);
    }
    map.push_back(static_cast<int>(found - materials.begin()));
  }
  return map;
}

//------------------------------------------------------------------------------
std::string Listed(const std::vector<std::string>& names)
{
  std::string text;
  for (const auto& name : names)
  {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "none" : text;
}

//------------------------------------------------------------------------------
void AddColumns(vtkFieldData* row, bool filled, vtkTable* table)
{
  for (int i = 0; i < row->GetNumberOfArrays(); ++i)
  {
    vtkAbstractArray* column = row->GetAbstractArray(i);
    if (!filled)
    {
      column->SetNumberOfTuples(0);
    }
    table->AddColumn(column);
  }
}

//------------------------------------------------------------------------------
void RequireBlocksOf(vtkInformation* port, const char* type)
{
  port->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), type);
  port->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
}

//------------------------------------------------------------------------------
bool HasFailedInput(vtkAlgorithm* filter)
{
  for (int port = 0; port < filter->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < filter->GetNumberOfInputConnections(port); ++i)
    {
      vtkAlgorithm* input = filter->GetInputAlgorithm(port, i);
      if (auto* files = vtkMetaReader::SafeDownCast(input))
      {
        input = files->GetReader(); // the reader of one file of a series, which has the error code
      }
      if (input && (input->GetErrorCode() != vtkErrorCode::NoError || HasFailedInput(input)))
      {
        return true;
      }
    }
  }
  return false;
}

//------------------------------------------------------------------------------
std::vector<Block> ReadBlocks(vtkInformationVector* inputs, int connection, const std::string& what,
  vtkMultiProcessController* controller)
{
  std::vector<Block> blocks;
  int part = 0;
  // Blocks are called by their name, else by their number.
  const auto add = [&blocks](vtkSmartPointer<vtkDataObject> block, vtkInformation* about = nullptr)
  {
    const char* name = about ? about->Get(vtkCompositeDataSet::NAME()) : nullptr;
    blocks.push_back({ std::move(block), name ? name : "", false });
  };
  vtkDataObject* data = vtkDataObject::GetData(inputs, connection);
  if (auto* pieces = vtkPartitionedDataSet::SafeDownCast(data))
  {
    add(Joined(pieces));
  }
  else if (auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(data))
  {
    part = 1;
    for (unsigned int i = 0; i < collection->GetNumberOfPartitionedDataSets(); ++i)
    {
      add(Joined(collection->GetPartitionedDataSet(i)),
        collection->HasMetaData(i) ? collection->GetMetaData(i) : nullptr);
    }
  }
  else if (auto* composite = vtkCompositeDataSet::SafeDownCast(data))
  {
    part = 1;
    vtkSmartPointer<vtkCompositeDataIterator> leaf;
    leaf.TakeReference(composite->NewIterator());
    leaf->SkipEmptyNodesOff();
    for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
    {
      add(leaf->GetCurrentDataObject(),
        leaf->HasCurrentMetaData() ? leaf->GetCurrentMetaData() : nullptr);
    }
  }
  else
  {
    add(data);
  }
  auto count = static_cast<int>(blocks.size());
  if (controller)
  {
    const int own[2] = { count, part };
    int most[2];
    controller->AllReduce(own, most, 2, vtkCommunicator::MAX_OP);
    count = most[0];
    part = most[1];
  }
  blocks.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < blocks.size(); ++i)
  {
    blocks[i].IsPart = part != 0;
    const std::string name = blocks[i].What;
    blocks[i].What =
      what + (part ? ", block " + (name.empty() ? std::to_string(i) : "\"" + name + "\"") : "");
  }
  return blocks;
}

//------------------------------------------------------------------------------
vtkDataArray* FindPointArray(
  vtkPointSet* input, const char* name, int components, const std::string& what)
{
  vtkDataArray* array = vtkDEMGrainNames::Find(input->GetPointData(), { name }, components);
  array = array ? array : input->GetPointData()->GetArray(name);
  if (!array && input->GetPointData()->HasArray(name))
  {
    throw dem::Error(what + ": the point array \"" + name +
      "\" holds text, but needs numbers (Material and Shape count from 0).");
  }
  if (array && array->GetNumberOfComponents() != components)
  {
    throw dem::Error(what + ": the point array \"" + name + "\" has " +
      std::to_string(array->GetNumberOfComponents()) +
      (array->GetNumberOfComponents() == 1 ? " component" : " components") + ", but needs " +
      std::to_string(components) + ". Make it with the Calculator filter, or rename the array.");
  }
  return array;
}

//------------------------------------------------------------------------------
void KeepOnFirst(vtkInformation* info)
{
  auto* image = vtkImageData::GetData(info);
  using SDDP = vtkStreamingDemandDrivenPipeline;
  if (!image || !info->Has(SDDP::UPDATE_PIECE_NUMBER()) ||
    info->Get(SDDP::UPDATE_PIECE_NUMBER()) == 0)
  {
    return;
  }
  const int* whole = info->Get(SDDP::WHOLE_EXTENT());
  if (!whole || !std::equal(whole, whole + 6, image->GetExtent()))
  {
    return; // a piece of an image of the user
  }
  // Keep arrays without values: filters that sum over ranks use arrays that all ranks have.
  vtkNew<vtkImageData> none;
  none->SetExtent(0, -1, 0, -1, 0, -1);
  none->SetFieldData(image->GetFieldData());
  none->GetPointData()->CopyAllocate(image->GetPointData(), 0);
  none->GetCellData()->CopyAllocate(image->GetCellData(), 0);
  image->ShallowCopy(none);
}

//------------------------------------------------------------------------------
vtkMultiProcessController* GetParallelController()
{
  auto* controller = vtkMultiProcessController::GetGlobalController();
  return controller && controller->GetNumberOfProcesses() > 1 ? controller : nullptr;
}

//------------------------------------------------------------------------------
void RequestOwnPiece(vtkInformation* info)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  auto* controller = GetParallelController();
  info->Set(SDDP::UPDATE_PIECE_NUMBER(), controller ? controller->GetLocalProcessId() : 0);
  info->Set(SDDP::UPDATE_NUMBER_OF_PIECES(), controller ? controller->GetNumberOfProcesses() : 1);
  info->Set(SDDP::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
}

//------------------------------------------------------------------------------
void Gather(vtkMultiProcessController* controller, std::vector<double>& values)
{
  if (!controller)
  {
    return;
  }
  const auto ranks = static_cast<std::size_t>(controller->GetNumberOfProcesses());
  std::vector<vtkIdType> lengths(ranks), offsets(ranks);
  const auto length = static_cast<vtkIdType>(values.size());
  controller->AllGather(&length, lengths.data(), 1);
  vtkIdType total = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank)
  {
    offsets[rank] = total;
    total += lengths[rank];
  }
  std::vector<double> all(static_cast<std::size_t>(total));
  controller->GatherV(values.data(), all.data(), length, lengths.data(), offsets.data(), 0);
  if (controller->GetLocalProcessId() == 0)
  {
    values.swap(all);
  }
  else
  {
    values.clear();
  }
}

} // namespace vtkDEMArrays
