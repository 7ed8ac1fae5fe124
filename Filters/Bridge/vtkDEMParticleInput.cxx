#include "vtkDEMParticleInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMGrainNames.h"
#include "Bridge/vtkDEMShapeInput.h"
#include "Core/Error.h"
#include "Scene/ShapeText.h"

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
using vtkDEMArrays::Number;

// One row a particle: position 3, radius, velocity 3, angular velocity 3, orientation 4, id,
// material, what was given, shape.
constexpr std::size_t RowSize = 18;
enum Given
{
  VELOCITY = 1,
  ANGULAR_VELOCITY = 2,
  ORIENTATION = 4,
  ID = 8,
  MATERIAL = 16,
  SHAPE = 32
};

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
// Local material number -> index into `materials`.
std::vector<int> MaterialMap(
  vtkPointSet* input, const std::vector<std::string>& materials, const std::string& what)
{
  std::vector<int> map;
  vtkStringArray* names = vtkDEMArrays::FindMaterials(input->GetFieldData());
  for (vtkIdType i = 0; names && i < names->GetNumberOfValues(); ++i)
  {
    const std::string name = names->GetValue(i);
    const auto found = std::find(materials.begin(), materials.end(), name);
    if (found == materials.end())
    {
      throw dem::Error(what + ": material \"" + name +
        "\" is unknown. Known are: " + Listed(materials) +
        ". Add a material of that name: by + beside Materials in the panel, or as a row of "
        "TableOfMaterials.");
    }
    map.push_back(static_cast<int>(found - materials.begin()));
  }
  return map;
}

//------------------------------------------------------------------------------
// Shapes of an input -> index into `shapes`, where those that are new join.
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
        "\" is not the one that another input calls so. Give them different names.");
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
  // A reader counts Material from types; one that says something else is what the user chose.
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
// Masses that the input states are compared with those that the materials give.
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
      " grains have another mass than their material gives them: point " + std::to_string(worst) +
      " " + Number(worstStated) + " kg, here " + Number(worstHere) +
      " kg. Set Density, or state the densities in Materials or TableOfMaterials.");
  }
}

//------------------------------------------------------------------------------
void AppendRows(vtkPointSet* input, const vtkDEMParticleInput::Materials& available,
  std::vector<dem::Shape>& shapes, const std::string& what, std::vector<double>& rows,
  std::vector<std::string>& warnings)
{
  const std::vector<std::string>& materials = available.Names;
  vtkDEMArrays::RequireWholeArrays(input, what);
  const std::vector<int> shapeMap = ShapeMap(input, shapes, what);
  const vtkIdType size = input->GetNumberOfPoints();
  if (size == 0)
  {
    return;
  }
  vtkPointData* data = input->GetPointData();
  double scale = 1;
  FindPointArray(input, "Radius", 1, what); // refuses one of text or vectors
  vtkDataArray* radius = vtkDEMGrainNames::FindRadius(data, scale);
  if (!radius)
  {
    throw dem::Error(what +
      " has no point array \"Radius\" (m), which every particle needs (radius, r, diameter and d "
      "will do). Its point arrays are: " +
      ListedArrays(input->GetPointData()) + ". Add one with the Calculator filter.");
  }
  FindPointArray(input, "Velocity", 3, what);
  FindPointArray(input, "AngularVelocity", 3, what);
  const vtkSmartPointer<vtkDataArray> velocity = vtkDEMGrainNames::FindVelocity(data);
  const vtkSmartPointer<vtkDataArray> angularVelocity = vtkDEMGrainNames::FindAngularVelocity(data);
  vtkDataArray* orientation = FindPointArray(input, "Orientation", 4, what);
  FindPointArray(input, "Id", 1, what);
  vtkDataArray* id = vtkDEMGrainNames::Find(data, vtkDEMGrainNames::Id, 1);
  vtkDataArray* material = FindPointArray(input, "Material", 1, what);
  vtkDataArray* shape = FindPointArray(input, "Shape", 1, what);
  vtkDataArray* shapeKey = FindPointArray(input, "ShapeKey", 1, what);
  const vtkDEMArrays::MaterialKeys keys(input, materials, what);
  std::vector<double> shapeKeys;
  // Of the texts as they are: a shape that was read from one may write other digits.
  for (const std::string& text : vtkDEMShapeInput::ReadTexts(input->GetFieldData()))
  {
    shapeKeys.push_back(vtkDEMArrays::NameKey(text));
  }
  const std::vector<int> map = MaterialMap(input, materials, what);
  const std::vector<int> ofTypes = MaterialsOfTypes(input, available, what, warnings);
  const double given = (velocity ? VELOCITY : 0) + (angularVelocity ? ANGULAR_VELOCITY : 0) +
    (orientation ? ORIENTATION : 0) + (id ? ID : 0) +
    (material || !map.empty() || !ofTypes.empty() ? MATERIAL : 0) +
    (shape && shapeMap.size() > 1 ? SHAPE : 0);

  const std::size_t first = rows.size();
  rows.resize(first + RowSize * static_cast<std::size_t>(size), 0.0);
  double* row = rows.data() + first;
  for (vtkIdType i = 0; i < size; ++i, row += RowSize)
  {
    input->GetPoint(i, row);
    row[3] = scale * radius->GetComponent(i, 0);
    if (!(row[3] > 0 && std::isfinite(row[3])))
    {
      throw dem::Error(what + ": point " + std::to_string(i) + " has the " + radius->GetName() +
        " " + Number(radius->GetComponent(i, 0)) +
        " m; a grain needs a finite radius above 0. Remove such points with Threshold.");
    }
    if (velocity)
    {
      velocity->GetTuple(i, row + 4);
    }
    if (angularVelocity)
    {
      angularVelocity->GetTuple(i, row + 7);
    }
    row[10] = 1;
    if (orientation)
    {
      orientation->GetTuple(i, row + 10);
    }
    row[14] = id ? id->GetComponent(i, 0) : 0;
    const double localShape = shape ? shape->GetComponent(i, 0) : 0;
    if (!(localShape >= 0 && localShape < static_cast<double>(shapeMap.size()) &&
          localShape == std::floor(localShape)))
    {
      std::string known;
      for (std::size_t k = 0; k < shapeMap.size(); ++k)
      {
        known += (k ? ", " : "") + std::to_string(k) + " (" +
          shapes[static_cast<std::size_t>(shapeMap[k])].name + ")";
      }
      throw dem::Error(what + ": point " + std::to_string(i) + " has Shape " + Number(localShape) +
        ". Known are: " + known +
        ". The field data ShapeDefinitions states others, as DEM Packing does. Append Datasets and "
        "Merge Blocks keep that of their first input only: give the packings as a list of "
        "Particles, "
        "or join them with Group Datasets.");
    }
    row[17] = shapeMap[static_cast<std::size_t>(localShape)];
    if (shapeKey && shapeKey->GetComponent(i, 0) != shapeKeys[static_cast<std::size_t>(localShape)])
    {
      throw dem::Error(what + ": point " + std::to_string(i) + " has another shape than \"" +
        shapes[static_cast<std::size_t>(row[17])].name +
        "\", which the field data ShapeDefinitions states: Append Datasets and Merge Blocks keep "
        "the shapes of their first input only. Give the packings as a list of Particles, or join "
        "them with Group Datasets.");
    }
    if (shapeKey && row[17] > 0 && !orientation)
    {
      throw dem::Error(what + ": point " + std::to_string(i) + " is a " +
        shapes[static_cast<std::size_t>(row[17])].name +
        ", but the point array \"Orientation\" is missing: Append Datasets and Merge Blocks drop "
        "arrays that packings of spheres do not have. Give the packings as a list of Particles, or "
        "join them with Group Datasets.");
    }
    const double local = material && ofTypes.empty() ? material->GetComponent(i, 0) : 0;
    const auto known = static_cast<double>(map.empty() ? materials.size() : map.size());
    if (!(local >= 0 && local < known && local == std::floor(local)))
    {
      throw dem::Error(what + ": point " + std::to_string(i) + " has Material " + Number(local) +
        ", but there are " + std::to_string(static_cast<int>(known)) +
        " materials, counted from 0: " + Listed(materials) +
        ". Give each material a row of TableOfMaterials.");
    }
    row[15] = map.empty() ? local : map[static_cast<std::size_t>(local)];
    if (!ofTypes.empty())
    {
      row[15] = ofTypes[static_cast<std::size_t>(i)];
    }
    row[15] = keys.Follow(i, static_cast<std::size_t>(row[15]));
    row[16] = given;
  }
  CompareMasses(input, available, what, rows.data() + first, warnings);
}

//------------------------------------------------------------------------------
dem::ParticleInput FromRows(const std::vector<double>& rows)
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
  // Ids are kept where every input has them and they are different; several packings all count from
  // 0.
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
  return particles;
}

} // namespace

namespace vtkDEMParticleInput
{

//------------------------------------------------------------------------------
dem::ParticleInput Read(vtkInformationVector* inputs, const std::vector<std::string>& names,
  const Materials& materials, std::vector<dem::Shape>& shapes,
  vtkMultiProcessController* controller, std::vector<std::string>& warnings, PeriodicBox& periodic)
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
          AppendRows(input, materials, shapes, block.What, rows, warnings);
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
  return FromRows(rows);
}

//------------------------------------------------------------------------------
void Write(const dem::ParticleInput& particles, const std::string& material,
  const std::vector<dem::Shape>& shapes, vtkPolyData* output)
{
  const auto size = static_cast<vtkIdType>(particles.size());

  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(size);
  const auto addVectors = [&](const char* name, const std::vector<dem::Vec3d>& values)
  {
    vtkNew<vtkDoubleArray> array;
    array->SetName(name);
    array->SetNumberOfComponents(3);
    array->SetNumberOfTuples(size);
    for (vtkIdType i = 0; i < size; ++i)
    {
      const dem::Vec3d value = values.empty() ? dem::Vec3d{} : values[static_cast<std::size_t>(i)];
      array->SetTuple3(i, value.x, value.y, value.z);
    }
    output->GetPointData()->AddArray(array);
  };

  vtkNew<vtkDoubleArray> radius;
  radius->SetName("Radius");
  radius->SetNumberOfTuples(size);
  vtkNew<vtkIdTypeArray> id;
  id->SetName("Id");
  id->SetNumberOfTuples(size);
  vtkNew<vtkIntArray> materialIndex;
  materialIndex->SetName("Material");
  materialIndex->SetNumberOfTuples(size);
  materialIndex->FillValue(0);
  vtkNew<vtkIntArray> materialKey;
  materialKey->SetName("MaterialKey");
  materialKey->SetNumberOfTuples(size);
  materialKey->FillValue(vtkDEMArrays::NameKey(material));
  vtkNew<vtkIntArray> shape;
  shape->SetName("Shape");
  shape->SetNumberOfTuples(size);
  shape->FillValue(0);
  vtkNew<vtkIntArray> shapeKey;
  shapeKey->SetName("ShapeKey");
  shapeKey->SetNumberOfTuples(size);
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
  vtkNew<vtkCellArray> vertices;
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
  vertices->SetData(offsets, connectivity);
  output->SetVerts(vertices);

  output->GetPointData()->AddArray(radius);
  addVectors("Velocity", particles.velocity);
  addVectors("AngularVelocity", particles.angular_velocity);
  output->GetPointData()->AddArray(id);
  output->GetPointData()->AddArray(materialIndex);
  output->GetPointData()->AddArray(shape);
  output->GetPointData()->AddArray(materialKey);
  output->GetPointData()->AddArray(shapeKey);
  if (shapes.size() > 1)
  {
    vtkNew<vtkDoubleArray> orientation;
    orientation->SetName("Orientation");
    orientation->SetNumberOfComponents(4);
    orientation->SetNumberOfTuples(size);
    vtkNew<vtkDoubleArray> scale;
    scale->SetName("Scale");
    scale->SetNumberOfTuples(size);
    for (vtkIdType i = 0; i < size; ++i)
    {
      const auto k = static_cast<std::size_t>(i);
      const dem::Quaternion<double> q =
        particles.orientation.empty() ? dem::Quaternion<double>{} : particles.orientation[k];
      orientation->SetTuple4(i, q.w, q.x, q.y, q.z);
      const int s = particles.shape.empty() ? 0 : particles.shape[k];
      scale->SetValue(
        i, particles.radius[k] / dem::equalRadius(shapes[static_cast<std::size_t>(s)]));
    }
    output->GetPointData()->AddArray(orientation);
    output->GetPointData()->AddArray(scale);
    vtkDEMShapeInput::Write(shapes, output->GetFieldData());
  }
  output->GetPointData()->SetActiveScalars("Radius");
  vtkDEMArrays::AddMaterials(output->GetFieldData(), { material });
}

} // namespace vtkDEMParticleInput
