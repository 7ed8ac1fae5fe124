/**
 * Where solver memory and VTK arrays meet. Arrays of a frame are handed over without a copy: the
 * VTK array points into the frame's block and keeps it alive; wide input arrays are read here and
 * nowhere else.
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
 * Registers `array` as one more owner of `block`; the block is let go when the array frees its
 * memory.
 */
void HoldBlock(vtkAbstractArray* array, std::shared_ptr<void> block, void* address);

/**
 * The free function that goes with HoldBlock.
 */
void ReleaseBlock(void* address);

/**
 * Blocks that VTK arrays hold at present.
 */
std::size_t GetNumberOfHeldBlocks();

/**
 * A VTK array over `values`, `components` a tuple. ArrayT may differ from T in name, not in layout
 * (std::int64_t and vtkIdType).
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
 * Reads a three-component array of any value type.
 */
void Read(vtkDataArray* array, std::vector<dem::Vec3d>& values);

/**
 * Adds a one-tuple array to field data.
 */
void AddNumber(vtkFieldData* fieldData, const char* name, double value);
void AddInteger(vtkFieldData* fieldData, const char* name, std::int64_t value);
void AddText(vtkFieldData* fieldData, const char* name, const std::string& value);

/**
 * A number as messages say it, to six digits.
 */
std::string Number(double value);

/**
 * A number of at least 0 that stands for a text: the values of the point arrays MaterialKey (of the
 * material's name) and ShapeKey (of the shape's definition). Filters that append data sets keep
 * point arrays, but the field data of their first input only.
 */
std::int32_t NameKey(const std::string& text);

/**
 * Finds the material of points by their array MaterialKey, where they have one. Throws dem::Error,
 * beginning with `what`.
 */
class MaterialKeys
{
public:
  /**
   * Without `input` all points keep the material that is given.
   */
  MaterialKeys(
    vtkPointSet* input, const std::vector<std::string>& materials, const std::string& what);

  /**
   * The number in `materials` of a point, of which the field data say `material`.
   */
  std::size_t Follow(vtkIdType point, std::size_t material) const;

private:
  vtkDataArray* Array;
  std::vector<std::string> Materials;
  std::vector<double> Keys;
  std::string What;
};

/**
 * Field data `Materials`: the names that the point array `Material` counts. (VTK's writer of .obj
 * files takes "MaterialNames" for its own and ends the program without a cell array MaterialIds.)
 * FindMaterials also knows that name, which files of earlier versions have; null if there is none.
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
 * Adds `Box` (x from, to, y from, to, z from, to; m) and `Periodic` (3 numbers, 1 = periodic),
 * which vtkDEMGrainInput::GetPeriodicAxes reads.
 */
void AddBox(vtkFieldData* fieldData, const dem::Vec3d& lower, const dem::Vec3d& upper,
  const bool periodic[3]);

/**
 * Field data `ExitId` and `ExitPosition` (m): all grains that left through removing borders so far,
 * and the first place beyond the border of each. ReadExits finds none where these arrays are
 * missing or do not fit each other.
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
 * Adds `ClosedBorders`: a number for each side of `Box`, in the order of its numbers, 1 = nothing
 * passes it. DEM Walls draws the closed side that gravity points to.
 */
void AddClosedBorders(vtkFieldData* fieldData, const bool closed[6]);

/**
 * Adds `Gravity` (3 numbers, m/s^2), which says where the floor and the top of a picture are.
 */
void AddGravity(vtkFieldData* fieldData, const dem::Vec3d& gravity);

/**
 * Throws dem::Error if an array of the points or cells has another number of values than there are
 * points or cells: readers and scripts can make such data, and VTK reads beyond their end.
 */
void RequireWholeArrays(vtkDataSet* data, const std::string& what);

/**
 * An input port that takes `type` or blocks of it. (Else the pipeline would run the filter block by
 * block: grains of one would not meet those of another.)
 */
void RequireBlocksOf(vtkInformation* port, const char* type);

/**
 * Whether a filter or reader upstream of `filter` ended with an error, which it has told itself.
 */
bool HasFailedInput(vtkAlgorithm* filter);

/**
 * The text of the dem::Error of a filter that has nothing to add to the error of its input: it is
 * not shown.
 */
constexpr const char* InputFailed = "An input has failed.";

/**
 * A connection's data, one entry, or those of the blocks of a composite one, null where there are
 * none; the partitions of one data set are one. `what` of a block is "<what>, block <its name or
 * number>". On all ranks as many. Collective.
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
 * The point array `name`, null if there is none. Throws dem::Error, beginning with `what`, when it
 * holds text or has not `components` of them.
 */
vtkDataArray* FindPointArray(
  vtkPointSet* input, const char* name, int components, const std::string& what);

/**
 * Of an image that every rank has as a whole, keeps that of the first piece and empties the others:
 * integrals, writers and renderers then meet each cell once, and Fetch gets the whole. Pieces of a
 * given image stay as they are.
 */
void KeepOnFirst(vtkInformation* info);

/**
 * Appends the values of all ranks on rank 0, in order of rank; on the other ranks `values` becomes
 * empty. Does nothing in one process (null controller). Collective.
 */
void Gather(vtkMultiProcessController* controller, std::vector<double>& values);

/**
 * The process group of the session, or null when there is one process only.
 */
vtkMultiProcessController* GetParallelController();

/**
 * The process that has the points, 0 if none has. Throws dem::Error on all processes when more than
 * one has: `what` ("the contact network") would miss what touches across them. Collective.
 */
int RequireOneProcess(vtkDataSet* points, const std::string& what);

} // namespace vtkDEMArrays

#endif
