/**
 * Grains of the pipeline, of a simulation or of files of any code, as the plain arrays that
 * Kernels/Analysis reads. Arrays of the right type are used in place; others are copied.
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
 * The name of an array that a property chooses: null and `Automatic` of the panel give an empty
 * one.
 */
std::string GetChosenArray(const char* name);

/**
 * Make an input port of an analysis accept points, or lines, and composite data sets, whose blocks
 * are read together.
 */
void SetPointsRequired(vtkInformation* port);
void SetContactsRequired(vtkInformation* port);

/**
 * The points of an input; for a composite data set those of all blocks, with the arrays that all
 * blocks have. Null without an input.
 */
vtkSmartPointer<vtkPointSet> GetPoints(vtkInformationVector* input);

/**
 * The same for lines.
 */
vtkSmartPointer<vtkPolyData> GetLines(vtkInformationVector* input);

struct GrainOptions
{
  /**
   * Point array of the radii (m); empty = the first of Radius, radii, r and similar names, or of
   * Diameter, d and similar names, whose values are halved.
   */
  std::string RadiusArray;
  /**
   * Read also masses (Mass, m; else of spheres of Density), velocities (Velocity, v ...), angular
   * velocities (AngularVelocity, omega ...) and materials (Material, type ...).
   */
  bool Motion = false;
  /**
   * Density in kg/m^3 of grains without an array of masses; 0 = their masses stay unknown.
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

  dem::HostArray<double> Position, Radius, Mass, Velocity, AngularVelocity, Temperature;
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
 * Reads the points of `input`; none if it is null or has no points, whatever its arrays. Throws
 * dem::Error if there are no radii, a radius is not positive, a position is not finite or, when
 * contacts are read, Ids are equal.
 */
GrainArrays ReadGrains(vtkPointSet* input, const GrainOptions& options);

/**
 * Whether the points are those of a continuum (field data `Method` is MPM), which have no contacts.
 */
bool IsContinuum(vtkPointSet* points);

/**
 * The stress of the points of a continuum (array `Stress`, Pa, xx yy zz xy yz xz) as contacts,
 * which averages sum over. Without the array the forces are unknown.
 */
dem::StressAsContacts ReadStress(vtkPointSet* points, const GrainArrays& grains);

/**
 * Periodic axes: lower border and period in m; period 0 for other axes.
 */
struct PeriodicAxes
{
  dem::Vec3d Lower, Period;
};

/**
 * The periodic axes that the user gives: `axes` (not 0 = periodic) and `box` x min, x max, y min, y
 * max, z min, z max in m. If no axis is given and `ofData`, those of the field data `Periodic` (3
 * numbers) and `Box` (6) of the grains, if present. Throws dem::Error if an upper border is not
 * above the lower one.
 */
PeriodicAxes GetPeriodicAxes(
  vtkPointSet* grains, const int axes[3], const double box[6], bool ofData);

/**
 * Sets `time` to that of a data set in s, from its field data `Time` or the pipeline. Returns false
 * if it has none.
 */
bool GetTime(vtkPointSet* data, double& time);

} // namespace vtkDEMGrainInput

#endif
