/**
 * Surfaces of the pipeline (polygons and strips) as triangles of the solver.
 */

#ifndef vtkDEMSurfaceInput_h
#define vtkDEMSurfaceInput_h

#include "Core/Vec.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

class vtkMultiProcessController;
class vtkPolyData;

namespace vtkDEMSurfaceInput
{

struct TriangleMesh
{
  std::vector<dem::Vec3d> Points; // m
  std::vector<std::array<std::int32_t, 3>> Triangles;
};

/**
 * Triangulates the polygons and strips of `surface`. Throws dem::Error, beginning with `what`, if
 * there is no polygon, or one that crosses itself.
 */
TriangleMesh ReadTriangles(vtkPolyData* surface, const std::string& what);

/**
 * Appends the meshes of all ranks on rank 0, in order of rank; on the other ranks `mesh` becomes
 * empty. Does nothing in one process (null controller). Collective.
 */
void Gather(vtkMultiProcessController* controller, TriangleMesh& mesh);

/**
 * ReadTriangles of the pieces of all ranks, gathered on rank 0. A rank may have no points. Throws
 * dem::Error after the ranks have met. Collective.
 */
TriangleMesh ReadGathered(
  vtkPolyData* surface, const std::string& what, vtkMultiProcessController* controller);

/**
 * Joins points at the same place. Sources such as Box give each face corners of its own, but a
 * closed surface has each corner once.
 */
void MergePoints(TriangleMesh& mesh);

} // namespace vtkDEMSurfaceInput

#endif
