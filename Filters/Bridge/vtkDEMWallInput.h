/**
 * Walls: the field data that vtkDEMWall writes, and conversion of polygonal meshes to dem::Wall.
 */

#ifndef vtkDEMWallInput_h
#define vtkDEMWallInput_h

#include "Scene/Scene.h"

#include <vector>

class vtkAlgorithm;
class vtkFieldData;
class vtkInformationVector;
class vtkMultiProcessController;
class vtkPolyData;

namespace vtkDEMWallInput
{

/**
 * Field data: `WallName` (text), `WallMaterial` (YoungsModulus, PoissonsRatio, Density,
 * Restitution, Friction, RollingFriction, SurfaceEnergy, HeatCapacity, ThermalConductivity,
 * TrueYoungsModulus), `WallMotion` (kind, origin 3, axis 3, rate, velocity 3, amplitude, frequency,
 * phase, start, stop; radians; a tuple for each motion, in the order of dem::Wall), `WallHeat`
 * (condition, temperature in K, flux in W/m^2), `WallPermeable` (0 or 1). A wall that is no mesh
 * has `WallShape` (kind, origin 3, normal 3, edges 6, end 3, radii 2, and the bounds of the
 * polygons that show it).
 */
void WriteName(const std::string& name, vtkFieldData* fieldData);
void WriteMaterial(const dem::Material& material, vtkFieldData* fieldData);
void WriteMotion(const dem::Motion& motion, vtkFieldData* fieldData);
/**
 * Adds a motion after those of the field data. Returns false if these have none.
 */
bool AddMotion(const dem::Motion& motion, vtkFieldData* fieldData);
/**
 * Makes `output` the surface of a wall that is no mesh, with its `WallShape`. A plane is shown as a
 * square with edges of `extent` (m) around its origin. Without `filled` it gets no polygons.
 */
void WriteShape(const dem::Wall& wall, double extent, bool filled, vtkPolyData* output);
void RemoveShape(vtkFieldData* fieldData);
void WriteHeat(const dem::WallHeat& heat, vtkFieldData* fieldData);
void WritePermeable(bool permeable, vtkFieldData* fieldData);

/**
 * Reads all connections of `inputs`. Appends the materials of walls to `materials`; walls without
 * one get the index `wallMaterial`. `names` are the inputs in messages; `labels` becomes the walls
 * in messages (the input, and the name of the wall if it has one). Inputs of `filter` at `port`
 * with several time steps are read at each of them (see vtkDEMWallSeries): the wall gets a motion,
 * and changes of its speed are appended to `events`. The input is left at the time that it had.
 * Collective; only rank 0 gets whole meshes and events. Throws dem::Error after the last
 * communication.
 */
std::vector<dem::Wall> Read(vtkAlgorithm* filter, int port, vtkInformationVector* inputs,
  const std::vector<std::string>& names, int wallMaterial, std::vector<dem::Material>& materials,
  std::vector<dem::Event>& events, std::vector<std::string>& labels,
  vtkMultiProcessController* controller);

/**
 * The position at `time` (s), after the prescribed motion, of a point that is at `point` (m) at the
 * start.
 */
dem::Vec3d Moved(const dem::WallMotion& motion, double time, const dem::Vec3d& point);

/**
 * The surface of an analytic wall at the start, as polygons for display. A plane is cut to a square
 * with edges of `extent` (m) around its point nearest to `center`.
 */
void Tessellate(const dem::Wall& wall, const dem::Vec3d& center, double extent,
  std::vector<dem::Vec3d>& points, std::vector<std::vector<std::int32_t>>& polygons);

} // namespace vtkDEMWallInput

#endif
