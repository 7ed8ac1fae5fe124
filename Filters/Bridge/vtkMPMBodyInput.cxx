#include "vtkMPMBodyInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"
#include "Bridge/vtkDEMSurfaceInput.h"

#include "vtkCellArray.h"
#include "vtkDataArray.h"
#include "vtkFieldData.h"
#include "vtkInformationVector.h"
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

using mpm::Body;
using mpm::BodyPoint;
using vtkDEMArrays::FindPointArray;
using vtkDEMArrays::Listed;
using vtkDEMArrays::Number;

// A row of a point: position 3, velocity 3, mass, volume, density, radius, material, flags of what
// is given.
constexpr std::size_t RowSize = 12;

//------------------------------------------------------------------------------
void AppendRows(vtkPointSet* input, const std::vector<std::string>& materials, bool named,
  const std::string& what, std::vector<double>& rows)
{
  const vtkIdType size = input->GetNumberOfPoints();
  vtkDataArray* velocity = FindPointArray(input, "Velocity", 3, what);
  vtkDataArray* mass = FindPointArray(input, "Mass", 1, what);
  vtkDataArray* volume = FindPointArray(input, "Volume", 1, what);
  vtkDataArray* density = FindPointArray(input, "Density", 1, what);
  vtkDataArray* radius = FindPointArray(input, "Radius", 1, what);
  vtkDataArray* material = FindPointArray(input, "Material", 1, what);
  const vtkDEMArrays::MaterialKeys keys(named ? input : nullptr, materials, what);
  const std::vector<int> map = named && size > 0
    ? vtkDEMArrays::MaterialMap(
        input, materials, what, "Add a row of that name to TableOfMaterials, or use another.")
    : std::vector<int>();
  const int given = (velocity ? BodyPoint::kVelocity : 0) + (mass ? BodyPoint::kMass : 0) +
    (volume ? BodyPoint::kVolume : 0) + (density ? BodyPoint::kDensity : 0) +
    (radius ? BodyPoint::kRadius : 0);

  const std::size_t first = rows.size();
  rows.resize(first + RowSize * static_cast<std::size_t>(size), 0.0);
  double* row = rows.data() + first;
  for (vtkIdType i = 0; i < size; ++i, row += RowSize)
  {
    input->GetPoint(i, row);
    if (velocity)
    {
      velocity->GetTuple(i, row + 3);
    }
    row[6] = mass ? mass->GetComponent(i, 0) : 0;
    row[7] = volume ? volume->GetComponent(i, 0) : 0;
    row[8] = density ? density->GetComponent(i, 0) : 0;
    row[9] = radius ? radius->GetComponent(i, 0) : 0;
    const double local = material ? material->GetComponent(i, 0) : 0;
    const auto known = static_cast<double>(map.empty() ? materials.size() : map.size());
    if (!(local >= 0 && local < known && local == std::floor(local)))
    {
      throw dem::Error(what + ": point " + std::to_string(i) + " has Material " + Number(local) +
        ", but there " + (known > 1 ? "are " : "is ") + std::to_string(static_cast<int>(known)) +
        (known > 1 ? " materials" : " material") + ", counted from 0: " + Listed(materials) +
        ". Give each material a row of TableOfMaterials.");
    }
    row[10] = map.empty() ? local : map[static_cast<std::size_t>(local)];
    row[10] = keys.Follow(i, static_cast<std::size_t>(row[10]));
    row[11] = given;
  }
}

//------------------------------------------------------------------------------
// Throws if an array of a surface has different values at its points, since the inside needs a
// single value. Keeps one row.
void RequireUniform(const std::string& what, std::vector<double>& rows)
{
  constexpr const char* names[] = { "Velocity", "Velocity", "Velocity", "Mass", "Volume", "Density",
    "Radius", "Material" };
  for (std::size_t row = RowSize; row < rows.size(); row += RowSize)
  {
    for (const std::size_t column : { 3, 4, 5, 8, 10 })
    {
      if (rows[row + column] != rows[column])
      {
        throw dem::Error(what + " is a surface to fill whose point array \"" + names[column - 3] +
          "\" is " + Number(rows[column]) + " at point 0, but " + Number(rows[row + column]) +
          " at point " + std::to_string(row / RowSize) +
          ". The inside of a surface has a single value. Switch Fill Surfaces off and give "
          "points with such an array.");
      }
    }
  }
  rows.resize(std::min(rows.size(), RowSize));
}

//------------------------------------------------------------------------------
std::vector<BodyPoint> BodyPoints(const std::vector<double>& rows)
{
  std::vector<BodyPoint> points;
  points.reserve(rows.size() / RowSize);
  for (std::size_t at = 0; at < rows.size(); at += RowSize)
  {
    const double* row = rows.data() + at;
    BodyPoint p;
    p.position = { row[0], row[1], row[2] };
    p.velocity = { row[3], row[4], row[5] };
    p.mass = row[6];
    p.volume = row[7];
    p.density = row[8];
    p.radius = row[9];
    p.material = static_cast<int>(row[10]);
    p.given = static_cast<unsigned>(row[11]);
    points.push_back(p);
  }
  return points;
}

} // namespace

namespace vtkMPMBodyInput
{

//------------------------------------------------------------------------------
std::vector<Body> Read(vtkInformationVector* inputs, const std::vector<std::string>& inputNames,
  bool fill, const std::vector<std::string>& materials, bool named,
  vtkMultiProcessController* controller)
{
  std::vector<Body> bodies;
  std::string error;
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  const int connections = inputs ? inputs->GetNumberOfInformationObjects() : 0;
  std::vector<vtkDEMArrays::Block> blocks;
  for (int connection = 0; connection < connections; ++connection)
  {
    const auto more = vtkDEMArrays::ReadBlocks(
      inputs, connection, inputNames[static_cast<std::size_t>(connection)], controller);
    blocks.insert(blocks.end(), more.begin(), more.end());
  }
  for (const vtkDEMArrays::Block& block : blocks)
  {
    Body body;
    vtkDEMSurfaceInput::TriangleMesh surfaceMesh;
    std::vector<double> rows;
    body.name = block.What;
    try
    {
      auto* input = vtkPointSet::SafeDownCast(block.Data);
      if (block.Data && !input)
      {
        throw dem::Error(block.What + " is a " + block.Data->GetClassName() +
          ", neither points nor a surface. Leave it out with Extract Block.");
      }
      auto* surface = vtkPolyData::SafeDownCast(input);
      if (input && input->GetNumberOfPoints() > 0)
      {
        vtkDEMArrays::RequireWholeArrays(input, body.name);
        AppendRows(input, materials, named, body.name, rows);
      }
      if (surface && fill && (surface->GetNumberOfPolys() > 0 || surface->GetNumberOfStrips() > 0))
      {
        surfaceMesh = vtkDEMSurfaceInput::ReadTriangles(surface, body.name);
      }
    }
    catch (const dem::Error& e)
    {
      error = error.empty() ? e.what() : error;
      rows.clear();
    }
    vtkDEMSurfaceInput::Gather(controller, surfaceMesh);
    vtkDEMArrays::Gather(controller, rows);
    try
    {
      if (!surfaceMesh.Triangles.empty())
      {
        RequireUniform(body.name, rows);
      }
    }
    catch (const dem::Error& e)
    {
      error = error.empty() ? e.what() : error;
    }
    body.corner = std::move(surfaceMesh.Points);
    body.triangle = std::move(surfaceMesh.Triangles);
    body.point = BodyPoints(rows);
    bodies.push_back(std::move(body));
  }
  if (!error.empty())
  {
    throw dem::Error(error);
  }
  const bool any =
    std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return !body.point.empty(); });
  if (root && !any)
  {
    throw dem::Error("The Particles input is empty: " + Listed(inputNames) +
      (connections == 1 ? " has" : " have") +
      " no points. Connect points, or a closed surface such as Box, Sphere or an STL file.");
  }
  return bodies;
}

} // namespace vtkMPMBodyInput
