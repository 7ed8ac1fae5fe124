#include "vtkDEMSurfaceInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMVersion.h"
#include "Core/Error.h"
#include "Walls/WallMesh.h"

#include "vtkCellArray.h"
#include "vtkIdList.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkPolyData.h"

#include <algorithm>
#include <map>

namespace
{

using vtkDEMSurfaceInput::TriangleMesh;

//------------------------------------------------------------------------------
// Whether all corners of a polygon lie on a line.
bool HasNoArea(const std::vector<dem::Vec3d>& points, const vtkIdType* ids, vtkIdType size)
{
  for (vtkIdType k = 2; k < size; ++k)
  {
    if (dem::hasArea(points[ids[0]], points[ids[k - 1]], points[ids[k]]))
    {
      return false;
    }
  }
  return size > 0;
}

//------------------------------------------------------------------------------
void AddTriangle(vtkIdType a, vtkIdType b, vtkIdType c, TriangleMesh& mesh)
{
  mesh.Triangles.push_back(
    { static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), static_cast<std::int32_t>(c) });
}

//------------------------------------------------------------------------------
// Cuts the polygons of `surface` into triangles. Throws dem::Error, beginning with `what`, for a
// polygon that crosses itself: without it the wall would have a hole.
void AddPolygons(vtkPolyData* surface, const std::string& what, TriangleMesh& mesh)
{
  vtkCellArray* polys = surface->GetPolys();
  mesh.Triangles.reserve(static_cast<std::size_t>(polys->GetNumberOfCells()));
  vtkIdType size = 0;
  const vtkIdType* ids = nullptr;
  vtkNew<vtkIdList> scratch;
  vtkNew<vtkIdList> corners;
  vtkNew<vtkPolygon> polygon;
  for (vtkIdType cell = 0; cell < polys->GetNumberOfCells(); ++cell)
  {
    polys->GetCellAtId(cell, size, ids, scratch);
    if (size == 3)
    {
      AddTriangle(ids[0], ids[1], ids[2], mesh);
      continue;
    }
    bool cut = false;
    if (size > 3)
    {
      polygon->Initialize(static_cast<int>(size), ids, surface->GetPoints());
      cut = vtkDEMVersion::Triangulate(polygon, corners) && corners->GetNumberOfIds() > 0;
    }
    // A polygon without area leaves no hole. It becomes triangles without area, which the solver
    // skips and counts.
    const bool flat = !cut && HasNoArea(mesh.Points, ids, size);
    for (vtkIdType k = 1; flat && (k + 1 < size || k == 1); ++k)
    {
      AddTriangle(ids[0], ids[std::min(k, size - 1)], ids[std::min(k + 1, size - 1)], mesh);
    }
    if (flat)
    {
      continue;
    }
    if (!cut)
    {
      throw dem::Error(what + ": polygon " + std::to_string(cell) + " with " +
        std::to_string(size) +
        " corners cannot be cut into triangles: it crosses itself. Repair it, or apply Triangulate "
        "first.");
    }
    for (vtkIdType k = 0; k + 2 < corners->GetNumberOfIds(); k += 3)
    {
      AddTriangle(
        ids[corners->GetId(k)], ids[corners->GetId(k + 1)], ids[corners->GetId(k + 2)], mesh);
    }
  }
}

//------------------------------------------------------------------------------
void AddStrips(vtkCellArray* strips, TriangleMesh& mesh)
{
  vtkIdType size = 0;
  const vtkIdType* ids = nullptr;
  vtkNew<vtkIdList> scratch;
  for (vtkIdType cell = 0; cell < strips->GetNumberOfCells(); ++cell)
  {
    strips->GetCellAtId(cell, size, ids, scratch);
    for (vtkIdType k = 0; k + 2 < size; ++k)
    {
      AddTriangle(ids[k], ids[k + 1 + k % 2], ids[k + 2 - k % 2], mesh);
    }
  }
}

} // namespace

namespace vtkDEMSurfaceInput
{

//------------------------------------------------------------------------------
TriangleMesh ReadTriangles(vtkPolyData* surface, const std::string& what)
{
  TriangleMesh mesh;
  if (surface->GetNumberOfPoints() == 0)
  {
    throw dem::Error(what + " is empty: it has no points.");
  }
  if (surface->GetNumberOfPolys() == 0 && surface->GetNumberOfStrips() == 0)
  {
    throw dem::Error(what + " is no surface: it has " +
      std::to_string(surface->GetNumberOfPoints()) + " points, " +
      std::to_string(surface->GetNumberOfVerts()) + " vertices and " +
      std::to_string(surface->GetNumberOfLines()) +
      " lines, but no polygons. Apply Extract Surface or Delaunay 2D first.");
  }

  vtkDEMArrays::Read(surface->GetPoints()->GetData(), mesh.Points);
  AddPolygons(surface, what, mesh);
  AddStrips(surface->GetStrips(), mesh);
  if (mesh.Triangles.empty())
  {
    throw dem::Error(what + " is no surface: none of its polygons has three corners.");
  }
  return mesh;
}

//------------------------------------------------------------------------------
void Gather(vtkMultiProcessController* controller, TriangleMesh& mesh)
{
  if (!controller)
  {
    return;
  }
  // Send coordinates of corners instead of indices, which would need renumbering. The solver merges
  // equal points anyway.
  std::vector<double> corners;
  corners.reserve(mesh.Triangles.size() * 9);
  for (const auto& triangle : mesh.Triangles)
  {
    for (std::int32_t corner : triangle)
    {
      const dem::Vec3d& p = mesh.Points[static_cast<std::size_t>(corner)];
      corners.insert(corners.end(), { p.x, p.y, p.z });
    }
  }
  const std::size_t own = corners.size();
  vtkDEMArrays::Gather(controller, corners);
  if (controller->GetLocalProcessId() != 0)
  {
    mesh = TriangleMesh{};
  }
  else if (corners.size() != own)
  {
    mesh = TriangleMesh{};
    for (std::size_t i = 0; i < corners.size(); i += 9)
    {
      const auto first = static_cast<std::int32_t>(mesh.Points.size());
      mesh.Triangles.push_back({ first, first + 1, first + 2 });
      for (std::size_t k = i; k < i + 9; k += 3)
      {
        mesh.Points.push_back({ corners[k], corners[k + 1], corners[k + 2] });
      }
    }
  }
}

//------------------------------------------------------------------------------
TriangleMesh ReadGathered(
  vtkPolyData* surface, const std::string& what, vtkMultiProcessController* controller)
{
  TriangleMesh mesh;
  std::string error;
  try
  {
    if (!controller || surface->GetNumberOfPoints() > 0)
    {
      mesh = ReadTriangles(surface, what);
    }
  }
  catch (const dem::Error& e)
  {
    error = e.what();
  }
  Gather(controller, mesh);
  if (!error.empty())
  {
    throw dem::Error(error);
  }
  return mesh;
}

//------------------------------------------------------------------------------
void MergePoints(TriangleMesh& mesh)
{
  std::map<std::array<double, 3>, std::int32_t> known;
  std::vector<dem::Vec3d> points;
  std::vector<std::int32_t> index;
  for (const dem::Vec3d& p : mesh.Points)
  {
    const auto [place, isNew] = known.insert(
      { { p.x + 0.0, p.y + 0.0, p.z + 0.0 }, static_cast<std::int32_t>(points.size()) });
    if (isNew)
    {
      points.push_back(p);
    }
    index.push_back(place->second);
  }
  for (auto& triangle : mesh.Triangles)
  {
    for (std::int32_t& corner : triangle)
    {
      corner = index[static_cast<std::size_t>(corner)];
    }
  }
  mesh.Points = std::move(points);
}

} // namespace vtkDEMSurfaceInput
