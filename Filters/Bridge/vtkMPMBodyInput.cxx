#include "vtkMPMBodyInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Core/Error.h"
#include "Core/Text.h"
#include "MaterialPoint/MpmFill.h"

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

using vtkDEMArrays::FindPointArray;
using vtkDEMArrays::Listed;
using vtkDEMArrays::Number;
using vtkMPMBodyInput::Body;

// A row of a point: position 3, velocity 3, mass, volume, density, radius, material, flags of what
// is given.
constexpr std::size_t RowSize = 12;
enum Given
{
  VELOCITY = 1,
  MASS = 2,
  VOLUME = 4,
  DENSITY = 8,
  RADIUS = 16
};

constexpr double Pi = 3.14159265358979323846;
constexpr double LargestNumberOfPoints = 5e8;

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
  const int given = (velocity ? VELOCITY : 0) + (mass ? MASS : 0) + (volume ? VOLUME : 0) +
    (density ? DENSITY : 0) + (radius ? RADIUS : 0);

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
void RequireUniform(Body& body)
{
  constexpr const char* names[] = { "Velocity", "Velocity", "Velocity", "Mass", "Volume", "Density",
    "Radius", "Material" };
  for (std::size_t row = RowSize; row < body.Rows.size(); row += RowSize)
  {
    for (const std::size_t column : { 3, 4, 5, 8, 10 })
    {
      if (body.Rows[row + column] != body.Rows[column])
      {
        throw dem::Error(body.Name + " is a surface to fill whose point array \"" +
          names[column - 3] + "\" is " + Number(body.Rows[column]) + " at point 0, but " +
          Number(body.Rows[row + column]) + " at point " + std::to_string(row / RowSize) +
          ". The inside of a surface has a single value. Switch Fill Surfaces off and give "
          "points with such an array.");
      }
    }
  }
  body.Rows.resize(std::min(body.Rows.size(), RowSize));
}

//------------------------------------------------------------------------------
// The volume inside a closed mesh in m^3, by the divergence theorem.
double EnclosedVolume(const vtkDEMSurfaceInput::TriangleMesh& mesh)
{
  double volume = 0;
  const dem::Vec3d origin = mesh.Points.empty() ? dem::Vec3d{} : mesh.Points.front();
  for (const auto& t : mesh.Triangles)
  {
    const dem::Vec3d a = mesh.Points[t[0]] - origin;
    const dem::Vec3d b = mesh.Points[t[1]] - origin;
    const dem::Vec3d c = mesh.Points[t[2]] - origin;
    volume += dem::dot(a, dem::cross(b, c)) / 6;
  }
  return std::abs(volume);
}

//------------------------------------------------------------------------------
double DensityOf(const double* row, const std::vector<mpm::Material>& materials)
{
  return static_cast<int>(row[11]) & DENSITY ? row[8]
                                             : materials[static_cast<std::size_t>(row[10])].density;
}

//------------------------------------------------------------------------------
// The volume of a point in m^3; `share` if its row does not define one.
double VolumeOf(const double* row, const std::vector<mpm::Material>& materials, double share)
{
  const int given = static_cast<int>(row[11]);
  if (given & VOLUME)
  {
    return row[7];
  }
  if (given & MASS)
  {
    return row[6] / DensityOf(row, materials);
  }
  return given & RADIUS ? 4.0 / 3.0 * Pi * row[9] * row[9] * row[9] : share;
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
    body.Name = block.What;
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
        vtkDEMArrays::RequireWholeArrays(input, body.Name);
        AppendRows(input, materials, named, body.Name, body.Rows);
      }
      if (surface && fill && (surface->GetNumberOfPolys() > 0 || surface->GetNumberOfStrips() > 0))
      {
        body.Surface = vtkDEMSurfaceInput::ReadTriangles(surface, body.Name);
      }
    }
    catch (const dem::Error& e)
    {
      error = error.empty() ? e.what() : error;
      body.Rows.clear();
    }
    vtkDEMSurfaceInput::Gather(controller, body.Surface);
    vtkDEMArrays::Gather(controller, body.Rows);
    body.IsSurface = !body.Surface.Triangles.empty();
    try
    {
      if (body.IsSurface)
      {
        RequireUniform(body);
      }
    }
    catch (const dem::Error& e)
    {
      error = error.empty() ? e.what() : error;
    }
    bodies.push_back(std::move(body));
  }
  if (!error.empty())
  {
    throw dem::Error(error);
  }
  const bool any =
    std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return !body.Rows.empty(); });
  if (root && !any)
  {
    throw dem::Error("The Particles input is empty: " + Listed(inputNames) +
      (connections == 1 ? " has" : " have") +
      " no points. Connect points, or a closed surface such as Box, Sphere or an STL file.");
  }
  return bodies;
}

//------------------------------------------------------------------------------
bool Bounds(const std::vector<Body>& bodies, dem::Vec3d& lower, dem::Vec3d& upper)
{
  constexpr double huge = std::numeric_limits<double>::max();
  lower = { huge, huge, huge };
  upper = { -huge, -huge, -huge };
  bool any = false;
  const auto include = [&](const dem::Vec3d& p)
  {
    lower = { std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z) };
    upper = { std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z) };
    any = true;
  };
  for (const Body& body : bodies)
  {
    for (const auto& point : body.Surface.Points)
    {
      include(point);
    }
    for (std::size_t row = 0; !body.IsSurface && row < body.Rows.size(); row += RowSize)
    {
      include({ body.Rows[row], body.Rows[row + 1], body.Rows[row + 2] });
    }
  }
  return any;
}

//------------------------------------------------------------------------------
double AdviseSpacing(const std::vector<Body>& bodies, const std::vector<mpm::Material>& materials)
{
  double spacing = 0;
  for (const Body& body : bodies)
  {
    double cell = 0; // m^3
    dem::Vec3d lower, upper;
    if (!Bounds({ body }, lower, upper))
    {
      continue;
    }
    const dem::Vec3d size = upper - lower;
    const double box = size.x * size.y * size.z;
    if (body.IsSurface)
    {
      const double inside = EnclosedVolume(body.Surface);
      cell = (inside > 0 ? inside : box) / 4096;
    }
    else
    {
      const std::size_t points = body.Rows.size() / RowSize;
      double sum = 0;
      for (std::size_t row = 0; row < body.Rows.size(); row += RowSize)
      {
        const double share = box / static_cast<double>(points);
        sum += std::max(0.0, VolumeOf(body.Rows.data() + row, materials, share));
      }
      cell = 8 * sum / static_cast<double>(points);
    }
    // A flat surface has no volume; the error comes when it is filled.
    const double own = body.IsSurface && !(cell > 0) ? dem::length(size) / 16 : std::cbrt(cell);
    spacing = std::isfinite(own) && own > 0 && (spacing == 0 || own < spacing) ? own : spacing;
  }
  return spacing;
}

//------------------------------------------------------------------------------
std::string SpacingWarning(const std::vector<Body>& bodies, double spacing, bool automatic)
{
  std::string first;
  int more = 0;
  for (const Body& body : bodies)
  {
    dem::Vec3d lower, upper;
    const auto points = static_cast<double>(body.Rows.size() / RowSize);
    // The automatic spacing follows the distances of points.
    if (!Bounds({ body }, lower, upper) || (!body.IsSurface && (automatic || points < 8)))
    {
      continue;
    }
    const dem::Vec3d size = upper - lower;
    const double least = std::min({ size.x, size.y, size.z });
    const double most = std::max({ size.x, size.y, size.z });
    // Points may lie in one layer, and each has an extent of its own.
    const double extent = body.IsSurface ? least : most / (1 - 1 / std::cbrt(points));
    if (!(extent > 0) || extent >= spacing * (1 - 1e-6))
    {
      continue;
    }
    if (!first.empty())
    {
      ++more;
      continue;
    }
    const bool byAutomatic = !automatic && (!body.IsSurface || least > 0.5 * most);
    // Four cells across can bend and squeeze.
    const std::string fine = dem::number(extent / 4, 2) + " m or less";
    first = body.Name + " measures " + dem::number(size.x, 3) + " x " + dem::number(size.y, 3) +
      " x " + dem::number(size.z, 3) + " m, and a cell " + dem::number(spacing, 3) +
      " m: a body thinner than a cell cannot deform as it should. " +
      (body.IsSurface
          ? "Set GridSpacing to " + fine + (byAutomatic ? ", or to 0 for automatic." : ".")
          : "Set GridSpacing to 0 for automatic, which fits the points.");
  }
  return first + (more > 0 ? " Other bodies that are as small: " + std::to_string(more) + "." : "");
}

//------------------------------------------------------------------------------
mpm::PointInput MakePoints(const std::vector<Body>& bodies,
  const std::vector<mpm::Material>& materials, double spacing, const FillOptions& options)
{
  mpm::PointInput all;
  const double share = std::pow(spacing / options.PointsPerAxis, 3);
  const auto append = [&](const dem::Vec3d& position, double volume, const double* row)
  {
    all.position.push_back(position);
    all.velocity.push_back({ row[3], row[4], row[5] });
    all.volume.push_back(volume);
    all.material.push_back(static_cast<std::int32_t>(row[10]));
  };
  for (const Body& body : bodies)
  {
    if (body.IsSurface)
    {
      const double count = EnclosedVolume(body.Surface) / share;
      if (!(count <= LargestNumberOfPoints))
      {
        throw dem::Error(body.Name + " would be filled with " + Number(count) +
          " points, more than the limit of " + Number(LargestNumberOfPoints) + ": GridSpacing is " +
          Number(spacing) + " m. Make it larger, or PointsPerAxis smaller.");
      }
      mpm::PointInput inside;
      try
      {
        inside = mpm::fillSurface(body.Surface.Points, body.Surface.Triangles, spacing,
          options.PointsPerAxis, options.Jitter, options.Seed);
      }
      catch (const dem::Error& e)
      {
        throw dem::Error(body.Name + ": " + e.what());
      }
      if (inside.size() == 0)
      {
        throw dem::Error(body.Name + " is too small to hold a point: cells are " + Number(spacing) +
          " m wide. Make GridSpacing smaller.");
      }
      const double* row = body.Rows.data();
      for (std::size_t i = 0; i < inside.size(); ++i)
      {
        append(inside.position[i], inside.volume[i], row);
        all.mass.push_back(inside.volume[i] * DensityOf(row, materials));
      }
      continue;
    }
    for (std::size_t at = 0; at < body.Rows.size(); at += RowSize)
    {
      const double* row = body.Rows.data() + at;
      const double volume = VolumeOf(row, materials, share);
      append({ row[0], row[1], row[2] }, volume, row);
      all.mass.push_back(
        static_cast<int>(row[11]) & MASS ? row[6] : volume * DensityOf(row, materials));
    }
  }
  return all;
}

} // namespace vtkMPMBodyInput
