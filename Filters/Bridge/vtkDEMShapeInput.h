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
 * The shapes that are stated there; the sphere alone where none are. Throws dem::Error.
 */
std::vector<dem::Shape> Read(vtkFieldData* data, const std::string& what);

/**
 * The texts that Read parses, in its order.
 */
std::vector<std::string> ReadTexts(vtkFieldData* data);

/**
 * States them, unless the sphere is alone.
 */
void Write(const std::vector<dem::Shape>& shapes, vtkFieldData* data);

} // namespace vtkDEMShapeInput

#endif
