/**
 * Tables of materials and of pairs of materials to dem::Material and dem::MaterialPair.
 */

#ifndef vtkDEMMaterialTable_h
#define vtkDEMMaterialTable_h

#include "Solver/Scene.h"

#include <vector>

class vtkTable;

namespace vtkDEMMaterialTable
{

/**
 * One material a row, by the columns Name (needed), YoungsModulus, PoissonsRatio, Density,
 * Restitution, Friction, RollingFriction; what is missing is taken from `fallback`. Throws
 * dem::Error.
 */
std::vector<dem::Material> ReadMaterials(vtkTable* table, const dem::Material& fallback);

/**
 * One pair a row, by the columns First and Second (names) and any of Restitution, Friction,
 * RollingFriction; NaN or an empty text means "combine". Throws dem::Error.
 */
std::vector<dem::MaterialPair> ReadPairs(
  vtkTable* table, const std::vector<dem::Material>& materials);

} // namespace vtkDEMMaterialTable

#endif
