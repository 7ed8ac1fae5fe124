#include "vtkDEMSprites.h"

#include "vtkDEMViewVersion.h"

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

// Each point is a quad that covers the silhouette of its sphere. The fragment shader intersects the
// view ray with the sphere, so silhouette and depth are exact in perspective and parallel
// projection, and spheres intersect each other, walls and lines correctly. All coordinates are view
// coordinates; radii are scaled with the actor.

// Vertex shader: the centre and the radius.
constexpr const char* VertexDeclarations = "//VTK::Picking::Dec\n"
                                           "out vec3 demCentreVSOutput;\n"
                                           "out float demRadiusVSOutput;\n";
constexpr const char* VertexValues =
  "demCentreVSOutput = (MCVCMatrix * vertexMC).xyz;\n"
  "  demRadiusVSOutput = length(MCVCMatrix[0].xyz) * " DEM_SPRITE_RADIUS ";\n"
  "  //VTK::Picking::Impl";

// Geometry shader, for all versions of ParaView. It stands before ParaView's own, whose text is
// disabled from `#if 0` on. ParaView's last brace ends this main function. Spheres around the eye
// are not drawn.
constexpr const char* GeometryShader =
  R"(//VTK::System::Dec
//VTK::PrimID::Dec
//VTK::Color::Dec
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
uniform mat4 VCDCMatrix;
uniform int cameraParallel;
in vec3 demCentreVSOutput[];
in float demRadiusVSOutput[];
out vec2 offsetVCGSOutput;
out vec3 demCornerGSOutput; // from the centre
out vec3 demCentreGSOutput;
out float demRadiusGSOutput;
//VTK::Clip::Dec
//VTK::Picking::Dec
void main()
{
  const int i = 0; // used by the code that replaces the tags
  vec3 centre = demCentreVSOutput[0];
  float radius = demRadiusVSOutput[0];
  float size = radius; // of the silhouette, in the plane through the centre
  vec3 base1 = vec3(1.0, 0.0, 0.0);
  vec3 base2 = vec3(0.0, 1.0, 0.0);
  if (cameraParallel == 0)
  {
    float square = dot(centre, centre);
    if (square <= radius * radius)
    {
      return;
    }
    size = radius / sqrt(1.0 - radius * radius / square);
    vec3 eye = -centre / sqrt(square);
    base1 = normalize(abs(eye.x) < 0.8 ? vec3(0.0, eye.z, -eye.y) : vec3(-eye.z, 0.0, eye.x));
    base2 = cross(eye, base1);
  }
  for (int demCorner = 0; demCorner < 4; ++demCorner)
  {
    vec2 side = vec2(float(demCorner % 2), float(demCorner / 2)) * 2.0 - 1.0;
    //VTK::PrimID::Impl
    //VTK::Clip::Impl
    //VTK::Color::Impl
    //VTK::Picking::Impl
    offsetVCGSOutput = side;
    demCornerGSOutput = size * (side.x * base1 + side.y * base2);
    demCentreGSOutput = centre;
    demRadiusGSOutput = radius;
    gl_Position = VCDCMatrix * vec4(centre + demCornerGSOutput, 1.0);
    EmitVertex ();
  }
  EndPrimitive ();
#if 0
)";
constexpr const char* GeometryShaderEnd = "\n#endif\n";

constexpr const char* FragmentDeclarations = "//VTK::Color::Dec\n"
                                             "in vec3 demCornerVSOutput;\n"
                                             "in vec3 demCentreVSOutput;\n"
                                             "in float demRadiusVSOutput;\n"
                                             "uniform mat4 VCDCMatrix;\n";
// The depth is set here, before the colour: depth peeling of translucent fragments uses it first.
constexpr const char* SphereDepth =
  R"(//VTK::Depth::Impl
  vec3 demRay = cameraParallel == 0 ? normalize(demCentreVSOutput + demCornerVSOutput)
                                    : vec3(0.0, 0.0, -1.0);
  float demAlong = dot(demCornerVSOutput, demRay);
  float demInside = demAlong * demAlong - dot(demCornerVSOutput, demCornerVSOutput) +
    demRadiusVSOutput * demRadiusVSOutput;
  if (demInside < 0.0) { discard; }
  vec3 demSurface = demCornerVSOutput - (demAlong + sqrt(demInside)) * demRay;
  vec4 demPosition = VCDCMatrix * vec4(demCentreVSOutput + demSurface, 1.0);
  gl_FragDepth = 0.5 * demPosition.z / demPosition.w + 0.5;
)";
// Shades the sphere under a headlight, by the cosine between normal and view ray.
constexpr const char* SphereShader =
  "//VTK::Color::Impl\n"
  "float demLight = 0.3 - 0.7 * dot(demSurface, demRay) / demRadiusVSOutput;\n"
  "ambientColor *= demLight;\n"
  "diffuseColor *= demLight;\n";

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
  vtkDEMViewVersion::SetSpriteBound(mapper, 1.0);
  mapper->SetScaleFactor(1.0);
  vtkShaderProperty* shaders = actor->GetShaderProperty();
  shaders->AddVertexShaderReplacement("//VTK::Picking::Dec", true, VertexDeclarations, true);
  shaders->AddVertexShaderReplacement("//VTK::Picking::Impl", true, VertexValues, true);
  shaders->AddGeometryShaderReplacement("//VTK::System::Dec", true, GeometryShader, true);
  shaders->AddGeometryShaderReplacement("EndPrimitive();", true, GeometryShaderEnd, true);
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
