/**
 * Initial points of an MPM simulation: conversion of point sets and closed surfaces to
 * mpm::PointInput.
 */

#ifndef vtkMPMBodyInput_h
#define vtkMPMBodyInput_h

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMSurfaceInput.h"
#include "MaterialPoint/MpmScene.h"

#include <string>
#include <vector>

class vtkInformationVector;
class vtkMultiProcessController;

namespace vtkMPMBodyInput
{

/**
 * One input: points, or a closed surface to fill.
 */
struct Body
{
  std::string Name; // for messages
  bool IsSurface = false;
  vtkDEMSurfaceInput::TriangleMesh Surface;
  std::vector<double>
    Rows; // one row per point, see the source; of a surface one row for its inside
};

struct FillOptions
{
  int PointsPerAxis = 2; // of a cell
  double Jitter = 0;
  std::uint64_t Seed = 0;
};

/**
 * Reads all connections of `inputs`, of all ranks; `inputNames` are the inputs in messages. Inputs
 * with polygons are surfaces if `fill`, else their points are read. `materials` are the names of
 * the materials. The point array `Material` counts the field data `Materials` of the input if
 * `named`, else it is an index into `materials`. Collective; only rank 0 gets bodies. Throws
 * dem::Error after the last communication.
 */
std::vector<Body> Read(vtkInformationVector* inputs, const std::vector<std::string>& inputNames,
  bool fill, const std::vector<std::string>& materials, bool named,
  vtkMultiProcessController* controller);

/**
 * Sets `lower` and `upper` to the bounds of all bodies in m. Returns false without any point.
 */
bool Bounds(const std::vector<Body>& bodies, dem::Vec3d& lower, dem::Vec3d& upper);

/**
 * A grid spacing in m that resolves the bodies: about 4096 cells inside the smallest surface, 8
 * points per cell of the densest points. 0 without any point.
 */
double AdviseSpacing(const std::vector<Body>& bodies, const std::vector<mpm::Material>& materials);

/**
 * A warning about bodies that are smaller than a cell of `spacing` m: surfaces along one axis,
 * eight points or more along all axes. Empty without such bodies. It names the first one, its size,
 * the spacing and the cure. An `automatic` spacing fits points.
 */
std::string SpacingWarning(const std::vector<Body>& bodies, double spacing, bool automatic);

/**
 * The points of all bodies, with filled surfaces, each with a volume and a mass. The volume is that
 * of the array `Volume`, else of `Mass` and density, else of a sphere of `Radius`, else a share of
 * a cell. Throws dem::Error.
 */
mpm::PointInput MakePoints(const std::vector<Body>& bodies,
  const std::vector<mpm::Material>& materials, double spacing, const FillOptions& options);

} // namespace vtkMPMBodyInput

#endif
