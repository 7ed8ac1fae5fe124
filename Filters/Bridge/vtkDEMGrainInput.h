/**
 * Grains of the pipeline, of a simulation or of any code's files, as the plain arrays
 * that Kernels/Analysis reads. Arrays of the right type are used where they lie; others are copied.
 */

#ifndef vtkDEMGrainInput_h
#define vtkDEMGrainInput_h

#include "Analysis/Continuum.h"
#include "Analysis/Grains.h"
#include "Core/HostArray.h"
#include "Core/Vec.h"

#include "vtkSmartPointer.h"

#include <memory>
#include <string>
#include <vector>

class vtkDataArray;
class vtkInformation;
class vtkInformationVector;
class vtkPointData;
class vtkPointSet;
class vtkPolyData;

namespace vtkDEMGrainInput
{

/**
 * A name as a property of arrays holds it: null and the panel's `Automatic` mean none.
 */
std::string GetChosenArray(const char* name);

/**
 * What the input ports of an analysis take: points, or lines, also as the blocks of a composite
 * data set, which are all read together.
 */
void SetPointsRequired(vtkInformation* port);
void SetContactsRequired(vtkInformation* port);

/**
 * The points at an input; of a composite data set those of all blocks, with the arrays that all of
 * them have. Null without an input.
 */
vtkSmartPointer<vtkPointSet> GetPoints(vtkInformationVector* input);

/**
 * The same of lines.
 */
vtkSmartPointer<vtkPolyData> GetLines(vtkInformationVector* input);

struct GrainOptions
{
  /**
   * Point array of the radii (m); empty = the first that is there of Radius, radii, r and the like,
   * or of Diameter, d and the like, which are halved.
   */
  std::string RadiusArray;
  /**
   * Also masses (Mass, m; else those of spheres of Density), velocities (Velocity, v ...), angular
   * velocities (AngularVelocity, omega ...) and materials (Material, type ...).
   */
  bool Motion = false;
  /**
   * In kg/m^3, for grains without an array of masses; 0 = masses stay unknown.
   */
  double Density = 0;
  /**
   * vtkDEMFrameInput::Find: also the stress of a continuum's points as contacts, as ReadStress.
   */
  bool Continuum = false;
};

/**
 * Owns what View points to, together with the input's arrays.
 */
struct GrainArrays
{
  dem::Grains View;
  std::string RadiusArray; // the array that was taken
  std::string IdArray;     // empty: Ids are the indices

  dem::HostArray<double> Position, Radius, Mass, Velocity, AngularVelocity;
  dem::HostArray<std::int64_t> Id;
  dem::HostArray<std::int32_t> Material;
  std::vector<vtkSmartPointer<vtkDataArray>> Kept;
};

/**
 * The array of the radii: `wanted`, or, if that is empty, the first that is named like a radius.
 * `scale` becomes 0.5 for diameters, else 1. Throws dem::Error if there is none.
 */
vtkDataArray* FindRadius(vtkPointData* data, const std::string& wanted, double& scale);

/**
 * Reads the points of `input`; null or without points: no grains, whatever arrays there are. Throws
 * dem::Error without radii, for radii that are not positive, positions that are not finite, and
 * equal Ids (the latter when contacts are read).
 */
GrainArrays ReadGrains(vtkPointSet* input, const GrainOptions& options);

/**
 * Are the points those of a continuum (field data `Method` is MPM), which touch nothing?
 */
bool IsContinuum(vtkPointSet* points);

/**
 * The stress of a continuum's points (array `Stress`, xx yy zz xy yz xz) as what averages add up
 * over contacts. Without the array the forces are not known.
 */
dem::StressAsContacts ReadStress(vtkPointSet* points, const GrainArrays& grains);

/**
 * Where space repeats: period 0 for axes that end, m.
 */
struct PeriodicAxes
{
  dem::Vec3d Lower, Period;
};

/**
 * As the user gives it: axes (not 0 = periodic) and the box x from, to, y from, to, z from, to in
 * m. Where no axis is given and `ofData`, from the field data `Periodic` (3 numbers) and `Box` (6)
 * of the grains, if there. Throws dem::Error for a box that ends before it begins.
 */
PeriodicAxes GetPeriodicAxes(
  vtkPointSet* grains, const int axes[3], const double box[6], bool ofData);

/**
 * The time of a data set in s, by its field data `Time` or the pipeline; false: it has none.
 */
bool GetTime(vtkPointSet* data, double& time);

} // namespace vtkDEMGrainInput

#endif
