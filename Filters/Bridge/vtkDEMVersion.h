/**
 * What differs between the versions of VTK and ParaView in data and pipelines. Other files of
 * Filters do not ask for the version.
 */

#ifndef vtkDEMVersion_h
#define vtkDEMVersion_h

#include "vtkCellArray.h"
#include "vtkIdList.h"
#include "vtkPolygon.h"
#include "vtkVersionMacros.h"

namespace vtkDEMVersion
{

/**
 * Cuts `polygon` into triangles. `corners` gets three corners of the polygon for each, by their
 * places in the polygon. Returns false if it cannot be cut. VTK 9.3 renamed the function.
 */
inline bool Triangulate(vtkPolygon* polygon, vtkIdList* corners)
{
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 3, 0)
  return polygon->TriangulateLocalIds(0, corners) != 0;
#else
  return polygon->Triangulate(corners) != 0;
#endif
}

/**
 * The arrays of cells that are stored as 64-bit numbers in memory; null if they are stored
 * otherwise. VTK 9.6 has more kinds of storage and other names of these functions.
 */
inline const vtkTypeInt64* Offsets64(vtkCellArray* cells)
{
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 5, 20251205)
  auto* array = cells->IsStorage64Bit() ? cells->GetOffsetsAOSArray64() : nullptr;
#else
  auto* array = cells->IsStorage64Bit() ? cells->GetOffsetsArray64() : nullptr;
#endif
  return array ? array->GetPointer(0) : nullptr;
}
inline const vtkTypeInt64* Connectivity64(vtkCellArray* cells)
{
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 5, 20251205)
  auto* array = cells->IsStorage64Bit() ? cells->GetConnectivityAOSArray64() : nullptr;
#else
  auto* array = cells->IsStorage64Bit() ? cells->GetConnectivityArray64() : nullptr;
#endif
  return array ? array->GetPointer(0) : nullptr;
}

} // namespace vtkDEMVersion

#endif
