/**
 * Grains and contacts of all ranks on one rank, for analyses that need all of them together.
 */

#ifndef vtkDEMRankInput_h
#define vtkDEMRankInput_h

#include "vtkSmartPointer.h"

class vtkPointSet;
class vtkPolyData;

namespace vtkDEMRankInput
{

/**
 * Moves `grains` and `contacts`, each or both null, to rank 0 if another rank has some. They are
 * then in the order of a run in one process: grains by Id, contacts by the Id of their first grain;
 * without Ids in the order of the ranks. The other ranks get data without points. If only rank 0
 * has grains, nothing changes. Collective.
 */
void Gather(vtkSmartPointer<vtkPointSet>& grains, vtkSmartPointer<vtkPolyData>& contacts);
void Gather(vtkSmartPointer<vtkPointSet>& grains);

} // namespace vtkDEMRankInput

#endif
