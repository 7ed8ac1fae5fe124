/**
 * Contacts of the pipeline, of a simulation or of any code's files, as the plain arrays that
 * Kernels/Analysis reads.
 */

#ifndef vtkDEMContactInput_h
#define vtkDEMContactInput_h

#include "Analysis/Grains.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Core/HostArray.h"

#include <cstdint>

class vtkAlgorithm;
class vtkPointSet;
class vtkPolyData;

namespace vtkDEMContactInput
{

/**
 * Owns what View points to. Contacts are in the order of the input's cells.
 */
struct ContactArrays
{
  dem::GrainContacts View;
  dem::HostArray<std::int64_t> Ids;           // 2 a contact, as ParticleIds
  dem::HostArray<std::int64_t> First, Second; // indices of the grains
  dem::HostArray<double> FirstPlace, SecondPlace, Point, NormalForce, TangentialForce;
  dem::HostArray<double> Overlap; // m: the input's, else from centres and radii
};

/**
 * Reads port `Contacts` of a simulation, the output of DEM Contact Network, or lines of another
 * code with the same cell arrays: ParticleIds (2 Ids; a wall is -1 - its number, and second) and,
 * if present, NormalForce, TangentialForce (N, vectors on the first grain), Overlap (m),
 * ContactPoint (m). `particles` are the points that `grains` were read from. No contacts, or null,
 * give an empty result. Throws dem::Error if Ids do not match, the two are of different times, or a
 * force is not finite.
 */
ContactArrays Read(
  vtkPolyData* contacts, vtkPointSet* particles, const vtkDEMGrainInput::GrainArrays& grains);

/**
 * Whether contacts with the array of points `contactPoints` (or null) are those of grains of other
 * shapes than spheres.
 */
bool AreShaped(vtkPointSet* particles, const void* contactPoints);

/**
 * Contacts of the simulation whose port `Particles` is directly at input `port` of `algorithm`, so
 * that a filter needs no second input there. Null if there is no simulation or it shows another
 * instant. The data are complete when `particles` are.
 */
vtkPolyData* Find(vtkAlgorithm* algorithm, int port, vtkPointSet* particles);

} // namespace vtkDEMContactInput

#endif
