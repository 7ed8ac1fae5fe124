#include "vtkDEMSprites.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSet.h"
#include "vtkGeometryRepresentation.h"
#include "vtkObjectFactory.h"
#include "vtkPVCompositeRepresentation.h"
#include "vtkPointGaussianMapper.h"
#include "vtkSelectionRepresentation.h"
#include "vtkShaderProperty.h"
#include "vtkView.h"

namespace
{

// Shades a sphere under a headlight: the height of the surface over the sprite is the cosine
// between normal and view. The depth is that of the sphere's surface, so that spheres intersect
// each other, walls and lines correctly.
constexpr const char* SphereShader = "//VTK::Color::Impl\n"
                                     "ambientColor *= 0.3 + 0.7 * demHeight;\n"
                                     "diffuseColor *= 0.3 + 0.7 * demHeight;\n";
// The depth is set here, before the colour: depth peeling of translucent fragments uses it first.
constexpr const char* SphereDepth =
  "//VTK::Depth::Impl\n"
  "float demR2 = dot(offsetVCVSOutput.xy, offsetVCVSOutput.xy);\n"
  "if (demR2 > 1.0) { discard; }\n"
  "float demHeight = sqrt(1.0 - demR2);\n"
  "vec4 demSurface = VCDCMatrix * vec4(demSpriteVSOutput + demHeight * demUpVSOutput, 1.0);\n"
  "gl_FragDepth = 0.5 * demSurface.z / demSurface.w + 0.5;\n";

// Output of the geometry shader of ParaView's sprites for each corner, in view coordinates: the
// position, and the vector from the sphere's centre to the eye with the length of the radius.
constexpr const char* CornerDeclarations = "//VTK::Picking::Dec\n"
                                           "out vec3 demSpriteGSOutput;\n"
                                           "out vec3 demUpGSOutput;\n";
constexpr const char* CornerValues =
  "demSpriteGSOutput = (gl_in[0].gl_Position + offset.x * base1 + offset.y * base2).xyz;\n"
  "  demUpGSOutput = radius *\n"
  "    (cameraParallel == 0 ? normalize(-gl_in[0].gl_Position.xyz) : vec3(0.0, 0.0, 1.0));\n"
  "  EmitVertex();";
constexpr const char* FragmentDeclarations = "//VTK::Color::Dec\n"
                                             "in vec3 demSpriteVSOutput;\n"
                                             "in vec3 demUpVSOutput;\n"
                                             "uniform mat4 VCDCMatrix;\n";

// Gives access to a protected member of ParaView's class. There are no objects of this class.
struct CompositeMembers : public vtkPVCompositeRepresentation
{
  static constexpr auto Selection = &CompositeMembers::SelectionRepresentation;
};
struct SelectionMembers : public vtkSelectionRepresentation
{
  static constexpr auto Geometry = &SelectionMembers::GeometryRepresentation;
};

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMSpheresActor);

namespace vtkDEMSprites
{

//------------------------------------------------------------------------------
vtkSmartPointer<vtkDEMSpheresActor> MakeActor(vtkPointGaussianMapper* mapper)
{
  auto actor = vtkSmartPointer<vtkDEMSpheresActor>::New();
  actor->SetMapper(mapper);
  mapper->SetScaleFunction(nullptr);
  mapper->SetEmissive(0);
  mapper->SetSplatShaderCode(SphereShader);
  mapper->SetTriangleScale(1.0);
  mapper->SetScaleFactor(1.0);
  vtkShaderProperty* shaders = actor->GetShaderProperty();
  shaders->AddGeometryShaderReplacement("//VTK::Picking::Dec", true, CornerDeclarations, true);
  shaders->AddGeometryShaderReplacement("EmitVertex();", true, CornerValues, true);
  shaders->AddFragmentShaderReplacement("//VTK::Color::Dec", true, FragmentDeclarations, true);
  shaders->AddFragmentShaderReplacement("//VTK::Depth::Impl", true, SphereDepth, true);
  return actor;
}

//------------------------------------------------------------------------------
vtkGeometryRepresentation* FindMarks(vtkView* view, vtkDataRepresentation* shown)
{
  for (int i = 0; view && i < view->GetNumberOfRepresentations(); ++i)
  {
    auto* composite = vtkPVCompositeRepresentation::SafeDownCast(view->GetRepresentation(i));
    if (composite && composite->GetActiveRepresentation() == shown)
    {
      vtkSelectionRepresentation* selection = composite->*CompositeMembers::Selection;
      vtkGeometryRepresentation* marks =
        selection ? selection->*SelectionMembers::Geometry : nullptr;
      return marks && marks->GetVisibility() ? marks : nullptr;
    }
  }
  return nullptr;
}

//------------------------------------------------------------------------------
std::vector<vtkDataSet*> Leaves(vtkDataObject* object)
{
  std::vector<vtkDataSet*> leaves;
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(object))
  {
    auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem())
    {
      if (auto* leaf = vtkDataSet::SafeDownCast(iterator->GetCurrentDataObject()))
      {
        leaves.push_back(leaf);
      }
    }
  }
  else if (auto* leaf = vtkDataSet::SafeDownCast(object))
  {
    leaves.push_back(leaf);
  }
  return leaves;
}

} // namespace vtkDEMSprites
