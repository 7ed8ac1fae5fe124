/**
 * Walls: what vtkDEMWall writes into field data, and polygonal meshes of the pipeline to dem::Wall.
 */

#ifndef vtkDEMWallInput_h
#define vtkDEMWallInput_h

#include "Scene/Scene.h"

#include <vector>

class vtkAlgorithm;
class vtkFieldData;
class vtkInformationVector;
class vtkMultiProcessController;

namespace vtkDEMWallInput
{

/**
 * Field data: `WallName` (text), `WallMaterial` (YoungsModulus, PoissonsRatio, Density,
 * Restitution, Friction, RollingFriction), `WallMotion` (kind, origin 3, axis 3, rate, velocity 3,
 * amplitude, frequency, phase, start, stop; radians).
 */
void WriteName(const std::string& name, vtkFieldData* fieldData);
void WriteMaterial(const dem::Material& material, vtkFieldData* fieldData);
void WriteMotion(const dem::Motion& motion, vtkFieldData* fieldData);

/**
 * Appends the wall materials that the inputs carry to `materials`; walls without one get the index
 * `wallMaterial`. Messages call the inputs by `names`; `labels` gets what
 * they call each wall (its input, and its own name if it has one). An input of `filter` at `port`
 * that has several time steps is read at each of them (see vtkDEMWallSeries): the wall gets a
 * motion, changes of its speed go to `events`, and the input returns to the time that it had. Every
 * rank must call it; only rank 0 gets whole meshes and events. Throws dem::Error, after the ranks
 * have met.
 */
std::vector<dem::Wall> Read(vtkAlgorithm* filter, int port, vtkInformationVector* inputs,
  const std::vector<std::string>& names, int wallMaterial, std::vector<dem::Material>& materials,
  std::vector<dem::Event>& events, std::vector<std::string>& labels,
  vtkMultiProcessController* controller);

/**
 * Where the prescribed motion has carried a point that was at `point` at the start.
 */
dem::Vec3d Moved(const dem::Motion& motion, double time, const dem::Vec3d& point);

/**
 * The surface of an analytic wall at its start, as polygons, for showing it. A plane is cut to a
 * square of `extent` m around the point of it that is nearest to `center`.
 */
void Tessellate(const dem::Wall& wall, const dem::Vec3d& center, double extent,
  std::vector<dem::Vec3d>& points, std::vector<std::vector<std::int32_t>>& polygons);

} // namespace vtkDEMWallInput

#endif
