/**
 * Conversions between memory of the solver and VTK arrays, blocks and field data. Arrays of a frame
 * become VTK arrays without a copy: the VTK array points into the frame's block and keeps it alive.
 */

#ifndef vtkDEMArrays_h
#define vtkDEMArrays_h

#include "Core/HostArray.h"
#include "Core/Vec.h"

#include "vtkAbstractArray.h"
#include "vtkNew.h"
#include "vtkSmartPointer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

class vtkAlgorithm;
class vtkDataArray;
class vtkDataObject;
class vtkFieldData;
class vtkInformation;
class vtkInformationVector;
class vtkDataSet;
class vtkMultiProcessController;
class vtkPointSet;
class vtkPolyData;
class vtkStringArray;
class vtkTable;

namespace vtkDEMArrays
{

/**
 * Makes `array`, whose values start at `address`, an owner of `block`. The block is released when
 * the array frees its memory.
 */
void HoldBlock(vtkAbstractArray* array, std::shared_ptr<void> block, void* address);

/**
 * The free function of arrays that hold a block.
 */
void ReleaseBlock(void* address);

/**
 * Number of blocks that VTK arrays hold.
 */
std::size_t GetNumberOfHeldBlocks();

/**
 * A VTK array that uses the memory of `values`, with `components` values in a tuple. Its value type
 * may differ from T if the layout is the same (std::int64_t and vtkIdType).
 */
template <class ArrayT, class T>
vtkSmartPointer<ArrayT> Share(const dem::HostArray<T>& values, const char* name, int components)
{
  using ValueType = typename ArrayT::ValueType;
  static_assert(sizeof(ValueType) == sizeof(T), "layouts differ");
  auto array = vtkSmartPointer<ArrayT>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  if (!values.empty())
  {
    auto* address = reinterpret_cast<ValueType*>(const_cast<T*>(values.data()));
    array->SetArray(address, static_cast<vtkIdType>(values.size()), 0,
      vtkAbstractArray::VTK_DATA_ARRAY_USER_DEFINED);
    HoldBlock(array, values.block(), address);
  }
  return array;
}

/**
 * Copies a three-component array of any value type.
 */
void Read(vtkDataArray* array, std::vector<dem::Vec3d>& values);

/**
 * Adds a one-tuple array to field data.
 */
void AddNumber(vtkFieldData* fieldData, const char* name, double value);
void AddInteger(vtkFieldData* fieldData, const char* name, std::int64_t value);
void AddText(vtkFieldData* fieldData, const char* name, const std::string& value);

/**
 * A number as text for messages, to six digits.
 */
std::string Number(double value);

/**
 * A hash of a text, >= 0: the value of the point arrays MaterialKey (hash of the material's name)
 * and ShapeKey (hash of the shape's definition). Filters that append data sets keep these arrays,
 * but only the field data of their first input, which has the texts.
 */
std::int32_t NameKey(const std::string& text);

/**
 * Finds the material of points by their array MaterialKey, if they have it. Methods throw
 * dem::Error, beginning with `what`.
 */
class MaterialKeys
{
public:
  /**
   * With a null `input` all points keep the given material.
   */
  MaterialKeys(
    vtkPointSet* input, const std::vector<std::string>& materials, const std::string& what);

  /**
   * The index in `materials` of the material of `point`, which is `material` according to the field
   * data.
   */
  std::size_t Follow(vtkIdType point, std::size_t material) const;

private:
  vtkDataArray* Array;
  std::vector<std::string> Materials;
  std::vector<double> Keys;
  std::string What;
};

/**
 * Field data `Materials`: the names that the point array `Material` counts. FindMaterials returns
 * null if there are none. It also finds the array MaterialNames of files of earlier versions. That
 * name is not written any more: VTK's writer of .obj files uses it, and aborts without a cell array
 * MaterialIds.
 */
void AddMaterials(vtkFieldData* fieldData, const std::vector<std::string>& names);
vtkStringArray* FindMaterials(vtkFieldData* fieldData);

/**
 * For each name in the field data `Materials` of `input`, its index in `materials`; empty without
 * such names. Throws dem::Error, beginning with `what` and ending with `cure`, for an unknown name.
 */
std::vector<int> MaterialMap(vtkPointSet* input, const std::vector<std::string>& materials,
  const std::string& what, const std::string& cure);

/**
 * The names separated by commas; "none" if there are none.
 */
std::string Listed(const std::vector<std::string>& names);

/**
 * Makes the arrays of `row` columns of `table`; without rows unless `filled`.
 */
void AddColumns(vtkFieldData* row, bool filled, vtkTable* table);

/**
 * Adds the field data `Box` (x min, x max, y min, y max, z min, z max; m) and `Periodic` (3
 * numbers, 1 = periodic), which vtkDEMGrainInput::GetPeriodicAxes reads.
 */
void AddBox(vtkFieldData* fieldData, const dem::Vec3d& lower, const dem::Vec3d& upper,
  const bool periodic[3]);

/**
 * Field data `ExitId` and `ExitPosition` (m): Ids of all grains that have left through removing
 * borders, and the first position of each beyond the border. ReadExits returns none if these arrays
 * are missing or of different lengths.
 */
void AddExits(vtkFieldData* fieldData, const dem::HostArray<std::int64_t>& ids,
  const dem::HostArray<double>& positions);
struct Exits
{
  std::vector<std::int64_t> Ids;
  std::vector<double> Positions; // 3 a grain
};
Exits ReadExits(vtkFieldData* fieldData);

/**
 * Adds the field data `ClosedBorders`: a number for each side of `Box`, in the order of its
 * numbers, 1 = impermeable. DEM Walls draws the closed side in the direction of gravity.
 */
void AddClosedBorders(vtkFieldData* fieldData, const bool closed[6]);

/**
 * Adds the field data `Gravity` (3 numbers, m/s^2), by which representations orient the view.
 */
void AddGravity(vtkFieldData* fieldData, const dem::Vec3d& gravity);

/**
 * Throws dem::Error, beginning with `what`, if an array has fewer or more tuples than there are
 * points or cells. Readers and scripts can make such data, and VTK would read beyond their end.
 */
void RequireWholeArrays(vtkDataSet* data, const std::string& what);

/**
 * Makes an input port accept `type` and composite data sets of it. Otherwise the pipeline would run
 * the filter block by block, without contacts between blocks.
 */
void RequireBlocksOf(vtkInformation* port, const char* type);

/**
 * Whether a filter or reader upstream of `filter` has failed, and thus reported an error itself.
 */
bool HasFailedInput(vtkAlgorithm* filter);

/**
 * Text of a dem::Error that is not shown, since an input has already reported its own error.
 */
constexpr const char* InputFailed = "An input has failed.";

/**
 * The data of a connection: one entry or, for a composite data set, one for each block, null for
 * empty blocks. The partitions of one data set become one entry. `What` of a block is "<what>,
 * block <its name or number>". The number of entries is the same on all ranks. Collective.
 */
struct Block
{
  vtkSmartPointer<vtkDataObject> Data;
  std::string What;
  bool IsPart = false; // of a composite
};
std::vector<Block> ReadBlocks(vtkInformationVector* inputs, int connection, const std::string& what,
  vtkMultiProcessController* controller);

/**
 * The point array `name`, null if there is none. Throws dem::Error, beginning with `what`, if it
 * holds text or does not have `components` components.
 */
vtkDataArray* FindPointArray(
  vtkPointSet* input, const char* name, int components, const std::string& what);

/**
 * For an image that every rank has completely: keeps that of the first piece and empties the
 * others. Integrals, writers and renderers then process each cell once, and Fetch gets the whole.
 * Pieces of an image stay unchanged.
 */
void KeepOnFirst(vtkInformation* info);

/**
 * Appends the values of all ranks on rank 0, in order of rank; on the other ranks `values` becomes
 * empty. Does nothing in one process (null controller). Collective.
 */
void Gather(vtkMultiProcessController* controller, std::vector<double>& values);

/**
 * The process group of the session, or null in a single process.
 */
vtkMultiProcessController* GetParallelController();

/**
 * Requests the piece of this rank in the information of an input, without ghost cells.
 */
void RequestOwnPiece(vtkInformation* info);

} // namespace vtkDEMArrays

#endif
