#include "vtkDEMParticleInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMGrainNames.h"
#include "Bridge/vtkDEMShapeInput.h"
#include "Core/Error.h"
#include "Particles/Columns.h"
#include "Scene/Describe.h"
#include "Scene/ShapeText.h"
#include "Core/RowRange.h"

#include "vtkCellArray.h"
#include "vtkDataArrayRange.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkIdTypeArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkIntArray.h"
#include "vtkMultiProcessController.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"
#include "vtkStringArray.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace
{

using vtkDEMArrays::FindPointArray;
using vtkDEMArrays::Listed;
using vtkDEMArrays::Number;

// A row of a particle: position 3, radius, velocity 3, angular velocity 3, orientation 4, id,
// material, flags of what is given, shape, passive columns (Particles/Columns.h).
constexpr std::size_t FirstPassive = 18;
constexpr std::size_t RowSize = FirstPassive + dem::kPassiveCount;
enum Given
{
  VELOCITY = 1,
  ANGULAR_VELOCITY = 2,
  ORIENTATION = 4,
  ID = 8,
  MATERIAL = 16,
  SHAPE = 32,
  PASSIVE = 64 // of the first passive column; the others have the flags that follow
};

//------------------------------------------------------------------------------
std::string ListedArrays(vtkPointData* pointData)
{
  std::vector<std::string> names;
  for (int i = 0; i < pointData->GetNumberOfArrays(); ++i)
  {
    const char* name = pointData->GetArrayName(i);
    names.emplace_back(name ? name : "(unnamed)");
  }
  return Listed(names);
}

//------------------------------------------------------------------------------
// For each shape of an input its index in `shapes`, to which new ones are appended.
std::vector<int> ShapeMap(
  vtkPointSet* input, std::vector<dem::Shape>& shapes, const std::string& what)
{
  std::vector<int> map;
  for (const dem::Shape& shape : vtkDEMShapeInput::Read(input->GetFieldData(), what))
  {
    const auto found = std::find_if(shapes.begin(), shapes.end(),
      [&](const dem::Shape& known) { return known.name == shape.name; });
    if (found != shapes.end() && dem::shapeText(*found) != dem::shapeText(shape))
    {
      throw dem::Error(what + ": shape \"" + shape.name +
        "\" differs from the shape of that name in another input. Give them different names.");
    }
    map.push_back(static_cast<int>(found - shapes.begin()));
    if (found == shapes.end())
    {
      shapes.push_back(shape);
    }
  }
  return map;
}

//------------------------------------------------------------------------------
// The material of each grain of an input with types, which count from 1: type k takes row k of
// Table Of Materials. Without a table all grains take the grain material. Empty if the input has no
// types.
std::vector<int> MaterialsOfTypes(vtkPointSet* input,
  const vtkDEMParticleInput::Materials& materials, const std::string& what,
  std::vector<std::string>& warnings)
{
  vtkDataArray* type = vtkDEMGrainNames::Find(input->GetPointData(), { "type" }, 1);
  if (!type || vtkDEMArrays::FindMaterials(input->GetFieldData()))
  {
    return {};
  }
  // Readers derive Material from type. Another Material is a choice of the user, and is used.
  vtkDataArray* material = FindPointArray(input, "Material", 1, what);
  for (vtkIdType i = 0; material && i < input->GetNumberOfPoints(); ++i)
  {
    if (material->GetComponent(i, 0) != type->GetComponent(i, 0) - 1)
    {
      return {};
    }
  }
  std::vector<int> out(static_cast<std::size_t>(input->GetNumberOfPoints()));
  double highest = 1;
  for (vtkIdType i = 0; i < input->GetNumberOfPoints(); ++i)
  {
    const double t = type->GetComponent(i, 0);
    if (!(t >= 1 && t <= 1e9 && t == std::floor(t)))
    {
      throw dem::Error(what + ": point " + std::to_string(i) + " has the " + type->GetName() + " " +
        Number(t) +
        "; types are integers, counted from 1. Correct the file, or add 1 with the Calculator "
        "filter where it counts from 0.");
    }
    if (materials.TableRows > 0 && t > materials.TableRows)
    {
      throw dem::Error(what + ": point " + std::to_string(i) + " has the " + type->GetName() + " " +
        Number(t) + ", but " + materials.Table + " has " + std::to_string(materials.TableRows) +
        (materials.TableRows == 1 ? " row" : " rows") +
        ". Type k takes its k-th row: add the missing ones.");
    }
    highest = std::max(highest, t);
    out[static_cast<std::size_t>(i)] =
      materials.TableRows > 0 ? static_cast<int>(t) - 1 : materials.Grain;
  }
  if (materials.TableRows == 0 && highest > 1)
  {
    warnings.push_back(what + " has grains of " + Number(highest) +
      " types, but there are no Materials and no TableOfMaterials: all are of the material "
      "Grain. Add a material for each type.");
  }
  return out;
}

//------------------------------------------------------------------------------
// Adds a warning if masses or densities of the input differ from those of the materials.
void CompareMasses(vtkPointSet* input, const vtkDEMParticleInput::Materials& materials,
  const std::string& what, const double* rows, std::vector<std::string>& warnings)
{
  vtkPointData* data = input->GetPointData();
  vtkDataArray* mass = vtkDEMGrainNames::Find(data, vtkDEMGrainNames::Mass, 1);
  vtkDataArray* density =
    mass ? nullptr : vtkDEMGrainNames::Find(data, vtkDEMGrainNames::Density, 1);
  if (!mass && !density)
  {
    return;
  }
  constexpr double Pi = 3.14159265358979323846;
  vtkIdType others = 0, worst = 0;
  double largest = 0, worstStated = 0, worstHere = 0;
  for (vtkIdType i = 0; i < input->GetNumberOfPoints(); ++i)
  {
    const double* row = rows + static_cast<std::size_t>(i) * RowSize;
    const double volume = 4.0 / 3.0 * Pi * row[3] * row[3] * row[3];
    const double stated = mass ? mass->GetComponent(i, 0) : density->GetComponent(i, 0) * volume;
    const double here = materials.Densities[static_cast<std::size_t>(row[15])] * volume;
    const double off = std::fabs(stated - here) / here;
    others += off > 1e-3;
    if (off > largest)
    {
      largest = off;
      worst = i;
      worstStated = stated;
      worstHere = here;
    }
  }
  if (others > 0)
  {
    const std::string name = (mass ? mass : density)->GetName();
    warnings.push_back(what + ": by the point array \"" + name + "\" " + std::to_string(others) +
      " of " + std::to_string(input->GetNumberOfPoints()) +
      " grains have another mass than by their material: point " + std::to_string(worst) + " " +
      Number(worstStated) + " kg, here " + Number(worstHere) +
      " kg. Set Density, or state the densities in Materials or TableOfMaterials.");
  }
}

//------------------------------------------------------------------------------
// The point arrays of an input, and the rows of its points. Throws dem::Error, beginning with
// `what`.
class RowReader
{
public:
  // `shapes` and `shapeMap` are those of ShapeMap().
  RowReader(vtkPointSet* input, const vtkDEMParticleInput::Materials& available,
    const std::vector<dem::Shape>& shapes, const std::vector<int>& shapeMap,
    const std::string& what, std::vector<std::string>& warnings);

  // Writes the row of point `i`.
  void Read(vtkIdType i, double* row) const;

private:
  int ReadShape(vtkIdType i) const;
  std::size_t ReadMaterial(vtkIdType i) const;
  double ReadPassive(vtkIdType i, std::size_t column) const;
  std::string PointText(vtkIdType i) const { return this->What + ": point " + std::to_string(i); }

  vtkPointSet* Input;
  const std::string& What;
  const std::vector<std::string>& Materials;
  const std::vector<dem::Shape>& Shapes;
  const std::vector<int>& ShapeMap;
  double RadiusScale = 1; // 0.5 for diameters
  vtkDataArray* Radius;
  vtkSmartPointer<vtkDataArray> Velocity, AngularVelocity;
  vtkDataArray *Orientation, *Id, *Material, *Shape, *ShapeKey; // null: not given
  vtkDataArray* Passive[dem::kPassiveCount] = {};               // null: not given
  vtkDEMArrays::MaterialKeys MaterialKeys;
  std::vector<double> ShapeKeys;
  std::vector<int> MaterialMap, MaterialsOfTypes; // or empty
  double Given = 0;
};

//------------------------------------------------------------------------------
RowReader::RowReader(vtkPointSet* input, const vtkDEMParticleInput::Materials& available,
  const std::vector<dem::Shape>& shapes, const std::vector<int>& shapeMap, const std::string& what,
  std::vector<std::string>& warnings)
  : Input(input)
  , What(what)
  , Materials(available.Names)
  , Shapes(shapes)
  , ShapeMap(shapeMap)
  , MaterialKeys(input, available.Names, what)
{
  vtkPointData* data = input->GetPointData();
  FindPointArray(input, "Radius", 1, what); // throws for texts and vectors
  this->Radius = vtkDEMGrainNames::FindRadius(data, this->RadiusScale);
  if (!this->Radius)
  {
    throw dem::Error(what +
      " has no point array \"Radius\" (m), which every particle needs (radius, r, diameter and "
      "d are accepted too). Its point arrays are: " +
      ListedArrays(data) + ". Add one with the Calculator filter.");
  }
  FindPointArray(input, "Velocity", 3, what);
  FindPointArray(input, "AngularVelocity", 3, what);
  this->Velocity = vtkDEMGrainNames::FindVelocity(data);
  this->AngularVelocity = vtkDEMGrainNames::FindAngularVelocity(data);
  this->Orientation = FindPointArray(input, "Orientation", 4, what);
  FindPointArray(input, "Id", 1, what);
  this->Id = vtkDEMGrainNames::Find(data, vtkDEMGrainNames::Id, 1);
  this->Material = FindPointArray(input, "Material", 1, what);
  this->Shape = FindPointArray(input, "Shape", 1, what);
  this->ShapeKey = FindPointArray(input, "ShapeKey", 1, what);
  // Keys of the texts as given: a shape that was parsed may be written with other digits.
  for (const std::string& text : vtkDEMShapeInput::ReadTexts(input->GetFieldData()))
  {
    this->ShapeKeys.push_back(vtkDEMArrays::NameKey(text));
  }
  this->MaterialMap = vtkDEMArrays::MaterialMap(input, available.Names, what,
    "Add a material of that name: by + beside Materials in the panel, or as a row of "
    "TableOfMaterials.");
  this->MaterialsOfTypes = ::MaterialsOfTypes(input, available, what, warnings);
  this->Given = (this->Velocity ? VELOCITY : 0) + (this->AngularVelocity ? ANGULAR_VELOCITY : 0) +
    (this->Orientation ? ORIENTATION : 0) + (this->Id ? ID : 0) +
    (this->Material || !this->MaterialMap.empty() || !this->MaterialsOfTypes.empty() ? MATERIAL
                                                                                     : 0) +
    (this->Shape && shapeMap.size() > 1 ? SHAPE : 0);
  for (std::size_t k = 0; k < dem::kPassiveCount; ++k)
  {
    const auto& column = dem::kPassiveColumns[k];
    this->Passive[k] = column.input ? FindPointArray(input, column.name, 1, what) : nullptr;
    this->Given += this->Passive[k] ? PASSIVE << k : 0;
  }
}

//------------------------------------------------------------------------------
void RowReader::Read(vtkIdType i, double* row) const
{
  this->Input->GetPoint(i, row);
  row[3] = this->RadiusScale * this->Radius->GetComponent(i, 0);
  if (!(row[3] > 0 && std::isfinite(row[3])))
  {
    throw dem::Error(this->PointText(i) + " has the " + this->Radius->GetName() + " " +
      Number(this->Radius->GetComponent(i, 0)) +
      " m; a grain needs a finite radius above 0. Remove such points with Threshold.");
  }
  if (this->Velocity)
  {
    this->Velocity->GetTuple(i, row + 4);
  }
  if (this->AngularVelocity)
  {
    this->AngularVelocity->GetTuple(i, row + 7);
  }
  row[10] = 1;
  if (this->Orientation)
  {
    this->Orientation->GetTuple(i, row + 10);
  }
  row[14] = this->Id ? this->Id->GetComponent(i, 0) : 0;
  row[17] = this->ReadShape(i);
  row[15] = static_cast<double>(this->ReadMaterial(i));
  row[16] = this->Given;
  for (std::size_t k = 0; k < dem::kPassiveCount; ++k)
  {
    row[FirstPassive + k] = this->Passive[k] ? this->ReadPassive(i, k) : 0;
  }
}

//------------------------------------------------------------------------------
double RowReader::ReadPassive(vtkIdType i, std::size_t column) const
{
  const double value = this->Passive[column]->GetComponent(i, 0);
  const auto row = dem::rowOf(dem::kPassiveColumns[column].input);
  if (!dem::isInRange(row, value) || !std::isfinite(value))
  {
    throw dem::Error(this->PointText(i) + " has the " + row.property + " " + Number(value) + " " +
      row.unit + "; it must " + dem::rangeText(row, true) +
      " and finite. Correct the array, for example with the Calculator filter, or remove it: "
      "grains without "
      "it have " +
      dem::rowOf(row.otherwise).property + ".");
  }
  return value;
}

//------------------------------------------------------------------------------
// The shape of a point, an index into Shapes.
int RowReader::ReadShape(vtkIdType i) const
{
  const double local = this->Shape ? this->Shape->GetComponent(i, 0) : 0;
  if (!(local >= 0 && local < static_cast<double>(this->ShapeMap.size()) &&
        local == std::floor(local)))
  {
    std::string known;
    for (std::size_t k = 0; k < this->ShapeMap.size(); ++k)
    {
      known += (k ? ", " : "") + std::to_string(k) + " (" +
        this->Shapes[static_cast<std::size_t>(this->ShapeMap[k])].name + ")";
    }
    throw dem::Error(this->PointText(i) + " has Shape " + Number(local) + ". Known are: " + known +
      ". The field data ShapeDefinitions states others, as DEM Packing does. Append Datasets and "
      "Merge Blocks keep that of their first input only: give the packings as a list of "
      "Particles, "
      "or join them with Group Datasets.");
  }
  const int shape = this->ShapeMap[static_cast<std::size_t>(local)];
  const std::string& name = this->Shapes[static_cast<std::size_t>(shape)].name;
  if (this->ShapeKey &&
    this->ShapeKey->GetComponent(i, 0) != this->ShapeKeys[static_cast<std::size_t>(local)])
  {
    throw dem::Error(this->PointText(i) + " has another shape than \"" + name +
      "\", which the field data ShapeDefinitions states: Append Datasets and Merge Blocks keep "
      "the shapes of their first input only. Give the packings as a list of Particles, or join "
      "them with Group Datasets.");
  }
  if (this->ShapeKey && shape > 0 && !this->Orientation)
  {
    throw dem::Error(this->PointText(i) + " is a " + name +
      ", but the point array \"Orientation\" is missing: Append Datasets and Merge Blocks drop "
      "arrays that packings of spheres do not have. Give the packings as a list of Particles, or "
      "join them with Group Datasets.");
  }
  return shape;
}

//------------------------------------------------------------------------------
// The material of a point, an index into Materials.
std::size_t RowReader::ReadMaterial(vtkIdType i) const
{
  const double local =
    this->Material && this->MaterialsOfTypes.empty() ? this->Material->GetComponent(i, 0) : 0;
  const auto known = static_cast<double>(
    this->MaterialMap.empty() ? this->Materials.size() : this->MaterialMap.size());
  if (!(local >= 0 && local < known && local == std::floor(local)))
  {
    throw dem::Error(this->PointText(i) + " has Material " + Number(local) + ", but there are " +
      std::to_string(static_cast<int>(known)) + " materials, counted from 0: " +
      Listed(this->Materials) + ". Give each material a row of TableOfMaterials.");
  }
  auto material = static_cast<std::size_t>(local);
  if (!this->MaterialsOfTypes.empty())
  {
    material = static_cast<std::size_t>(this->MaterialsOfTypes[static_cast<std::size_t>(i)]);
  }
  else if (!this->MaterialMap.empty())
  {
    material = static_cast<std::size_t>(this->MaterialMap[material]);
  }
  return this->MaterialKeys.Follow(i, material);
}

//------------------------------------------------------------------------------
// Appends a row for each point of `input`. New shapes are appended to `shapes`.
void AppendRows(vtkPointSet* input, const vtkDEMParticleInput::Materials& available,
  std::vector<dem::Shape>& shapes, const std::string& what, std::vector<double>& rows,
  std::vector<std::string>& warnings)
{
  vtkDEMArrays::RequireWholeArrays(input, what);
  const std::vector<int> shapeMap = ShapeMap(input, shapes, what);
  const vtkIdType size = input->GetNumberOfPoints();
  if (size == 0)
  {
    return;
  }
  const RowReader reader(input, available, shapes, shapeMap, what, warnings);
  const std::size_t first = rows.size();
  rows.resize(first + RowSize * static_cast<std::size_t>(size), 0.0);
  double* row = rows.data() + first;
  for (vtkIdType i = 0; i < size; ++i, row += RowSize)
  {
    reader.Read(i, row);
  }
  CompareMasses(input, available, what, rows.data() + first, warnings);
}

//------------------------------------------------------------------------------
// The passive columns of grains whose input does not give them have the property of `scene`.
dem::ParticleInput FromRows(const std::vector<double>& rows, const dem::Scene& scene)
{
  const std::size_t size = rows.size() / RowSize;
  int given = 0;
  int always = VELOCITY | ANGULAR_VELOCITY | ORIENTATION | ID | MATERIAL;
  for (std::size_t i = 0; i < size; ++i)
  {
    given |= static_cast<int>(rows[i * RowSize + 16]);
    always &= static_cast<int>(rows[i * RowSize + 16]);
  }

  dem::ParticleInput particles;
  particles.position.resize(size);
  particles.radius.resize(size);
  particles.velocity.resize(given & VELOCITY ? size : 0);
  particles.angular_velocity.resize(given & ANGULAR_VELOCITY ? size : 0);
  particles.orientation.resize(given & ORIENTATION ? size : 0);
  // Ids are kept if every input has them and they are unique. Several packings all count from 0.
  bool keepIds = size > 0 && (always & ID);
  if (keepIds)
  {
    std::vector<double> ids(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      ids[i] = rows[i * RowSize + 14];
      keepIds = keepIds && ids[i] >= 0;
    }
    std::sort(ids.begin(), ids.end());
    keepIds = keepIds && std::adjacent_find(ids.begin(), ids.end()) == ids.end();
  }
  particles.id.resize(keepIds ? size : 0);
  particles.material.resize(given & MATERIAL ? size : 0);
  particles.shape.resize(given & SHAPE ? size : 0);
  for (std::size_t i = 0; i < size; ++i)
  {
    const double* row = rows.data() + i * RowSize;
    particles.position[i] = { row[0], row[1], row[2] };
    particles.radius[i] = row[3];
    if (given & VELOCITY)
    {
      particles.velocity[i] = { row[4], row[5], row[6] };
    }
    if (given & ANGULAR_VELOCITY)
    {
      particles.angular_velocity[i] = { row[7], row[8], row[9] };
    }
    if (given & ORIENTATION)
    {
      particles.orientation[i] = { row[10], row[11], row[12], row[13] };
    }
    if (keepIds)
    {
      particles.id[i] = static_cast<std::int64_t>(row[14]);
    }
    if (given & MATERIAL)
    {
      particles.material[i] = static_cast<std::int32_t>(row[15]);
    }
    if (given & SHAPE)
    {
      particles.shape[i] = static_cast<std::int32_t>(row[17]);
    }
  }
  for (std::size_t k = 0; k < dem::kPassiveCount; ++k)
  {
    const auto& column = dem::kPassiveColumns[k];
    for (std::size_t i = 0; (given & (PASSIVE << k)) && i < size; ++i)
    {
      const double* row = rows.data() + i * RowSize;
      const bool own = static_cast<int>(row[16]) & (PASSIVE << k);
      (particles.*column.input)
        .push_back(own ? row[FirstPassive + k] : dem::initialValue(column, scene));
    }
  }
  return particles;
}

//------------------------------------------------------------------------------
template <class ArrayT>
vtkSmartPointer<ArrayT> MakeArray(const char* name, vtkIdType size, int components = 1)
{
  auto array = vtkSmartPointer<ArrayT>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(size);
  return array;
}

//------------------------------------------------------------------------------
// `size` vectors, zeros if `values` is empty.
vtkSmartPointer<vtkDoubleArray> MakeVectors(
  const char* name, const std::vector<dem::Vec3d>& values, vtkIdType size)
{
  auto array = MakeArray<vtkDoubleArray>(name, size, 3);
  for (vtkIdType i = 0; i < size; ++i)
  {
    const dem::Vec3d value = values.empty() ? dem::Vec3d{} : values[static_cast<std::size_t>(i)];
    array->SetTuple3(i, value.x, value.y, value.z);
  }
  return array;
}

//------------------------------------------------------------------------------
// One vertex a point.
vtkSmartPointer<vtkCellArray> MakeVertices(vtkIdType size)
{
  vtkNew<vtkIdTypeArray> offsets;
  offsets->SetNumberOfValues(size + 1);
  vtkNew<vtkIdTypeArray> connectivity;
  connectivity->SetNumberOfValues(size);
  for (vtkIdType i = 0; i < size; ++i)
  {
    offsets->SetValue(i, i);
    connectivity->SetValue(i, i);
  }
  offsets->SetValue(size, size);
  auto vertices = vtkSmartPointer<vtkCellArray>::New();
  vertices->SetData(offsets, connectivity);
  return vertices;
}

//------------------------------------------------------------------------------
// Orientation (quaternion w x y z) and Scale, the size of a grain over that of its shape.
void AddOrientations(
  const dem::ParticleInput& particles, const std::vector<dem::Shape>& shapes, vtkPointData* data)
{
  const auto size = static_cast<vtkIdType>(particles.size());
  auto orientation = MakeArray<vtkDoubleArray>("Orientation", size, 4);
  auto scale = MakeArray<vtkDoubleArray>("Scale", size);
  for (vtkIdType i = 0; i < size; ++i)
  {
    const auto k = static_cast<std::size_t>(i);
    const dem::Quaternion<double> q =
      particles.orientation.empty() ? dem::Quaternion<double>{} : particles.orientation[k];
    orientation->SetTuple4(i, q.w, q.x, q.y, q.z);
    const int s = particles.shape.empty() ? 0 : particles.shape[k];
    scale->SetValue(i, particles.radius[k] / dem::equalRadius(shapes[static_cast<std::size_t>(s)]));
  }
  data->AddArray(orientation);
  data->AddArray(scale);
}

} // namespace

namespace vtkDEMParticleInput
{

//------------------------------------------------------------------------------
dem::ParticleInput Read(vtkInformationVector* inputs, const std::vector<std::string>& names,
  const Materials& materials, dem::Scene& scene, vtkMultiProcessController* controller,
  std::vector<std::string>& warnings, PeriodicBox& periodic)
{
  periodic = {};
  std::vector<double> rows;
  std::string error;
  const int connections = inputs ? inputs->GetNumberOfInformationObjects() : 0;
  std::vector<std::vector<vtkDEMArrays::Block>> blocks;
  for (int connection = 0; connection < connections; ++connection)
  {
    blocks.push_back(vtkDEMArrays::ReadBlocks(
      inputs, connection, names[static_cast<std::size_t>(connection)], controller));
  }
  try
  {
    for (int connection = 0; connection < connections; ++connection)
    {
      for (const vtkDEMArrays::Block& block : blocks[static_cast<std::size_t>(connection)])
      {
        if (auto* input = vtkPointSet::SafeDownCast(block.Data))
        {
          AppendRows(input, materials, scene.shapes, block.What, rows, warnings);
          const int noAxes[3] = { 0, 0, 0 };
          const double noBox[6] = { 0, 0, 0, 0, 0, 0 };
          const vtkDEMGrainInput::PeriodicAxes box =
            vtkDEMGrainInput::GetPeriodicAxes(input, noAxes, noBox, /*ofData=*/true);
          if (periodic.Input.empty() && !(box.Period == dem::Vec3d{}))
          {
            periodic = { block.What, box.Lower, box.Period };
          }
        }
        else if (block.Data)
        {
          throw dem::Error(block.What + " is a " + block.Data->GetClassName() +
            ", not points. Leave it out with Extract Block.");
        }
      }
    }
  }
  catch (const dem::Error& e)
  {
    error = e.what();
    rows.clear();
  }
  vtkDEMArrays::Gather(controller, rows);
  if (!error.empty())
  {
    throw dem::Error(error);
  }
  if (rows.empty() && (!controller || controller->GetLocalProcessId() == 0))
  {
    throw dem::Error("The Particles input is empty: " + Listed(names) +
      (connections == 1 ? " has" : " have") +
      " no points. Connect a source of points with an array \"Radius\", such as "
      "DEM Packing.");
  }
  return FromRows(rows, scene);
}

//------------------------------------------------------------------------------
void Write(const dem::ParticleInput& particles, const std::string& material,
  const std::vector<dem::Shape>& shapes, vtkPolyData* output)
{
  const auto size = static_cast<vtkIdType>(particles.size());
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(size);
  auto radius = MakeArray<vtkDoubleArray>("Radius", size);
  auto id = MakeArray<vtkIdTypeArray>("Id", size);
  auto materialIndex = MakeArray<vtkIntArray>("Material", size);
  materialIndex->FillValue(0);
  auto materialKey = MakeArray<vtkIntArray>("MaterialKey", size);
  materialKey->FillValue(vtkDEMArrays::NameKey(material));
  auto shape = MakeArray<vtkIntArray>("Shape", size);
  shape->FillValue(0);
  auto shapeKey = MakeArray<vtkIntArray>("ShapeKey", size);
  std::vector<int> shapeKeys;
  for (const dem::Shape& known : shapes)
  {
    shapeKeys.push_back(vtkDEMArrays::NameKey(dem::shapeText(known)));
  }
  for (vtkIdType i = 0; i < size; ++i)
  {
    const auto k = static_cast<std::size_t>(i);
    points->SetPoint(i, particles.position[k].x, particles.position[k].y, particles.position[k].z);
    radius->SetValue(i, particles.radius[k]);
    id->SetValue(i, particles.id.empty() ? i : static_cast<vtkIdType>(particles.id[k]));
    if (!particles.shape.empty())
    {
      shape->SetValue(i, particles.shape[k]);
    }
    shapeKey->SetValue(i, shapeKeys[static_cast<std::size_t>(shape->GetValue(i))]);
  }

  output->SetPoints(points);
  output->SetVerts(MakeVertices(size));
  vtkPointData* data = output->GetPointData();
  data->AddArray(radius);
  data->AddArray(MakeVectors("Velocity", particles.velocity, size));
  data->AddArray(MakeVectors("AngularVelocity", particles.angular_velocity, size));
  data->AddArray(id);
  data->AddArray(materialIndex);
  data->AddArray(shape);
  data->AddArray(materialKey);
  data->AddArray(shapeKey);
  if (shapes.size() > 1)
  {
    AddOrientations(particles, shapes, data);
    vtkDEMShapeInput::Write(shapes, output->GetFieldData());
  }
  data->SetActiveScalars("Radius");
  vtkDEMArrays::AddMaterials(output->GetFieldData(), { material });
}

} // namespace vtkDEMParticleInput
