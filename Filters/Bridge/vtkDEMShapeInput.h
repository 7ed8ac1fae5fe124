/**
 * Shapes of grains as field data: ShapeDefinitions holds one text for each shape, as the entries of
 * "shapes" in a .dem file; the point array Shape counts them from 0.
 */

#ifndef vtkDEMShapeInput_h
#define vtkDEMShapeInput_h

#include "Shapes/Shape.h"

#include <string>
#include <vector>

class vtkFieldData;

namespace vtkDEMShapeInput
{

/**
 * The shapes that the field data define; the sphere alone if they define none. Throws dem::Error,
 * beginning with `what`.
 */
std::vector<dem::Shape> Read(vtkFieldData* data, const std::string& what);

/**
 * The texts that Read() parses, in the order of its result.
 */
std::vector<std::string> ReadTexts(vtkFieldData* data);

/**
 * Writes the definitions of `shapes`, unless these are the sphere alone.
 */
void Write(const std::vector<dem::Shape>& shapes, vtkFieldData* data);

} // namespace vtkDEMShapeInput

#endif
