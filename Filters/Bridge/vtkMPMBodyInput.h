/**
 * What an MPM simulation begins with: point sets and closed surfaces of the pipeline to
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
 * One input: points as they are, or a closed surface.
 */
struct Body
{
  std::string Name; // for messages
  bool IsSurface = false;
  vtkDEMSurfaceInput::TriangleMesh Surface;
  std::vector<double> Rows; // points: see the source; a surface: one row that holds for all of it
};

struct FillOptions
{
  int PointsPerAxis = 2; // of a cell
  double Jitter = 0;
  std::uint64_t Seed = 0;
};

/**
 * Reads all connections of `inputs`, called by `inputNames` in messages, from all ranks; surfaces
 * only if `fill`, else their points. `materials` are the known names: field data `Materials` of an
 * input mean these where `named`, else the point array `Material` is an index. Every rank must call
 * it; only rank 0 gets bodies. Throws dem::Error, after the ranks have met.
 */
std::vector<Body> Read(vtkInformationVector* inputs, const std::vector<std::string>& inputNames,
  bool fill, const std::vector<std::string>& materials, bool named,
  vtkMultiProcessController* controller);

/**
 * The box around all bodies. False without any point.
 */
bool Bounds(const std::vector<Body>& bodies, dem::Vec3d& lower, dem::Vec3d& upper);

/**
 * A spacing that resolves the bodies: about 4096 cells inside the smallest surface, 8 points a cell
 * of the densest points. 0 without any point.
 */
double AdviseSpacing(const std::vector<Body>& bodies, const std::vector<mpm::Material>& materials);

/**
 * The points of all bodies: surfaces filled, and each point with volume and mass. A point without
 * the array `Volume` has that of its `Mass` and density, else of a sphere of its `Radius`, else its
 * share of a cell. Throws dem::Error.
 */
mpm::PointInput MakePoints(const std::vector<Body>& bodies,
  const std::vector<mpm::Material>& materials, double spacing, const FillOptions& options);

} // namespace vtkMPMBodyInput

#endif
