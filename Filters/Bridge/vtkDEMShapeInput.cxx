#include "vtkDEMShapeInput.h"

#include "Core/Error.h"
#include "Scene/ShapeText.h"

#include "vtkFieldData.h"
#include "vtkNew.h"
#include "vtkStringArray.h"

namespace
{
const char* const ArrayName = "ShapeDefinitions";
}

namespace vtkDEMShapeInput
{

//------------------------------------------------------------------------------
std::vector<dem::Shape> Read(vtkFieldData* data, const std::string& what)
{
  std::vector<dem::Shape> shapes;
  auto* texts = data ? vtkStringArray::SafeDownCast(data->GetAbstractArray(ArrayName)) : nullptr;
  for (vtkIdType i = 0; texts && i < texts->GetNumberOfValues(); ++i)
  {
    try
    {
      shapes.push_back(dem::parseShape(texts->GetValue(i), ""));
    }
    catch (const dem::Error& e)
    {
      throw dem::Error(
        what + ": field data " + ArrayName + ", entry " + std::to_string(i) + ": " + e.what());
    }
  }
  if (shapes.empty())
  {
    shapes.push_back(dem::makeSphere());
  }
  return shapes;
}

//------------------------------------------------------------------------------
std::vector<std::string> ReadTexts(vtkFieldData* data)
{
  std::vector<std::string> out;
  auto* texts = data ? vtkStringArray::SafeDownCast(data->GetAbstractArray(ArrayName)) : nullptr;
  for (vtkIdType i = 0; texts && i < texts->GetNumberOfValues(); ++i)
  {
    out.push_back(texts->GetValue(i));
  }
  if (out.empty())
  {
    out.push_back(dem::shapeText(dem::makeSphere()));
  }
  return out;
}

//------------------------------------------------------------------------------
void Write(const std::vector<dem::Shape>& shapes, vtkFieldData* data)
{
  if (shapes.size() < 2)
  {
    return;
  }
  vtkNew<vtkStringArray> texts;
  texts->SetName(ArrayName);
  for (const dem::Shape& shape : shapes)
  {
    texts->InsertNextValue(dem::shapeText(shape));
  }
  data->AddArray(texts);
}

} // namespace vtkDEMShapeInput
