#include "vtkDEMSpheresRepresentation.h"

#include "vtkDEMShapes.h"

#include "vtkActor.h"
#include "vtkBoundingBox.h"
#include "vtkCellArray.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkGlyph3DMapper.h"
#include "vtkIdList.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMatrix4x4.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkOpenGLActor.h"
#include "vtkPVRenderView.h"
#include "vtkPVView.h"
#include "vtkPointData.h"
#include "vtkPointGaussianMapper.h"
#include "vtkPolyData.h"
#include "vtkProperty.h"
#include "vtkRenderer.h"
#include "vtkShaderProperty.h"

#include <algorithm>

namespace
{

constexpr const char* RadiusArray = "Radius";

// A sphere under a headlight: the height of the surface over the sprite is the cosine between
// normal and view. Its depth is that of the sphere's surface, so that spheres meet each other, walls
// and lines as bodies do.
constexpr const char* SphereShader = "//VTK::Color::Impl\n"
                                     "ambientColor *= 0.3 + 0.7 * demHeight;\n"
                                     "diffuseColor *= 0.3 + 0.7 * demHeight;\n";
// Here and not with the colour: what is translucent is peeled by this depth, before there is one.
constexpr const char* SphereDepth =
  "//VTK::Depth::Impl\n"
  "float demR2 = dot(offsetVCVSOutput.xy, offsetVCVSOutput.xy);\n"
  "if (demR2 > 1.0) { discard; }\n"
  "float demHeight = sqrt(1.0 - demR2);\n"
  "vec4 demSurface = VCDCMatrix * vec4(demSpriteVSOutput + demHeight * demUpVSOutput, 1.0);\n"
  "gl_FragDepth = 0.5 * demSurface.z / demSurface.w + 0.5;\n";

// What the geometry shader of ParaView's sprites tells of each corner, in view coordinates: where
// it is, and the vector from the sphere's centre towards the eye, as long as the radius.
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

struct Extent
{
  vtkBoundingBox Bounds; // of the points
  double Radius = 0;     // the largest
  bool HasRadius = false;
  bool HasPoints = false;
};

//------------------------------------------------------------------------------
void Include(vtkDataSet* data, Extent& extent)
{
  if (!data || data->GetNumberOfPoints() == 0)
  {
    return;
  }
  double bounds[6];
  data->GetBounds(bounds);
  extent.Bounds.AddBounds(bounds);
  extent.HasPoints = true;
  if (vtkDataArray* radius = data->GetPointData()->GetArray(RadiusArray))
  {
    double range[2];
    radius->GetRange(range, 0);
    extent.Radius = std::max(extent.Radius, range[1]);
    extent.HasRadius = true;
  }
}

//------------------------------------------------------------------------------
Extent GetExtent(vtkDataObject* data)
{
  Extent extent;
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(data))
  {
    auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem())
    {
      Include(vtkDataSet::SafeDownCast(iterator->GetCurrentDataObject()), extent);
    }
  }
  else
  {
    Include(vtkDataSet::SafeDownCast(data), extent);
  }
  if (!extent.HasRadius && extent.HasPoints)
  {
    extent.Radius = 0.005 * extent.Bounds.GetDiagonalLength();
  }
  return extent;
}

//------------------------------------------------------------------------------
// Some of the points, with their arrays.
vtkSmartPointer<vtkPolyData> PointsOf(vtkDataSet* data, vtkIdList* ids)
{
  auto out = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> points;
  points->SetNumberOfPoints(ids->GetNumberOfIds());
  vtkNew<vtkCellArray> vertices;
  vtkPointData* from = data->GetPointData();
  vtkPointData* to = out->GetPointData();
  to->CopyAllOn();
  to->CopyAllocate(from, ids->GetNumberOfIds());
  for (vtkIdType i = 0; i < ids->GetNumberOfIds(); ++i)
  {
    points->SetPoint(i, data->GetPoint(ids->GetId(i)));
    to->CopyData(from, ids->GetId(i), i);
    vertices->InsertNextCell(1, &i);
  }
  out->SetPoints(points);
  out->SetVerts(vertices);
  return out;
}

} // namespace

//------------------------------------------------------------------------------
// Its bounds reach to the spheres' surfaces: compositors cut images at the bounds of actors.
class vtkDEMSpheresActor : public vtkOpenGLActor
{
public:
  static vtkDEMSpheresActor* New();
  vtkTypeMacro(vtkDEMSpheresActor, vtkOpenGLActor);

  double* GetBounds() override
  {
    const double* bounds = this->Superclass::GetBounds();
    if (!bounds || bounds[0] > bounds[1])
    {
      return const_cast<double*>(bounds);
    }
    const double* scale = this->GetScale();
    const double margin = this->Margin * std::max({ scale[0], scale[1], scale[2] });
    for (int i = 0; i < 3; ++i)
    {
      this->Inflated[2 * i] = bounds[2 * i] - margin;
      this->Inflated[2 * i + 1] = bounds[2 * i + 1] + margin;
    }
    return this->Inflated;
  }

  double Margin = 0;

protected:
  vtkDEMSpheresActor() = default;
  ~vtkDEMSpheresActor() override = default;

private:
  vtkDEMSpheresActor(const vtkDEMSpheresActor&) = delete;
  void operator=(const vtkDEMSpheresActor&) = delete;

  double Inflated[6] = { 0, 0, 0, 0, 0, 0 };
};

vtkStandardNewMacro(vtkDEMSpheresActor);

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMSpheresRepresentation);

//------------------------------------------------------------------------------
vtkDEMSpheresRepresentation::vtkDEMSpheresRepresentation()
  : SpheresActor(vtkSmartPointer<vtkDEMSpheresActor>::New())
{
  this->SpheresActor->SetMapper(this->Mapper);
  this->Actor = this->SpheresActor;
  this->SetUseScaleFunction(false);
  this->Mapper->SetScaleFunction(nullptr);
  this->Mapper->SetEmissive(0);
  this->Mapper->SetSplatShaderCode(SphereShader);
  vtkShaderProperty* shaders = this->SpheresActor->GetShaderProperty();
  shaders->AddGeometryShaderReplacement("//VTK::Picking::Dec", true, CornerDeclarations, true);
  shaders->AddGeometryShaderReplacement("EmitVertex();", true, CornerValues, true);
  shaders->AddFragmentShaderReplacement("//VTK::Color::Dec", true, FragmentDeclarations, true);
  shaders->AddFragmentShaderReplacement("//VTK::Depth::Impl", true, SphereDepth, true);
  this->GlyphMapper = vtkSmartPointer<vtkGlyph3DMapper>::New();
  this->GlyphMapper->SetSourceIndexing(true);
  this->GlyphMapper->SetSourceIndexArray("Shape");
  this->GlyphMapper->SetOrientationModeToQuaternion();
  this->GlyphMapper->SetOrientationArray("Orientation");
  this->GlyphMapper->SetScaleModeToScaleByMagnitude();
  this->GlyphMapper->SetScaleArray("Scale");
  this->GlyphActor = vtkSmartPointer<vtkActor>::New();
  this->GlyphActor->SetMapper(this->GlyphMapper);
  this->GlyphActor->SetProperty(this->SpheresActor->GetProperty());
  this->GlyphActor->SetVisibility(0);
  this->Mapper->SetTriangleScale(1.0);
  this->Mapper->SetScaleFactor(1.0);
}

//------------------------------------------------------------------------------
vtkDEMSpheresRepresentation::~vtkDEMSpheresRepresentation() = default;

//------------------------------------------------------------------------------
void vtkDEMSpheresRepresentation::SetRadiusFactor(double factor)
{
  if (factor > 0 && this->RadiusFactor != factor)
  {
    this->RadiusFactor = factor;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
// What is delivered to where it is drawn also says what shapes there are.
int vtkDEMSpheresRepresentation::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  const int done = this->Superclass::RequestData(request, inputVector, outputVector);
  vtkDataObject* input = inputVector[0]->GetNumberOfInformationObjects() == 1
    ? vtkDataObject::GetData(inputVector[0], 0)
    : nullptr;
  const auto shapesOf = [](vtkDataObject* object)
  { return object ? object->GetFieldData()->GetAbstractArray("ShapeDefinitions") : nullptr; };
  vtkAbstractArray* shapes = shapesOf(input);
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(input))
  {
    auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (iterator->InitTraversal(); !shapes && !iterator->IsDoneWithTraversal();
         iterator->GoToNextItem())
    {
      shapes = shapesOf(iterator->GetCurrentDataObject());
    }
  }
  if (done && shapes && this->ProcessedData && !shapesOf(this->ProcessedData))
  {
    this->ProcessedData->GetFieldData()->AddArray(shapes);
  }
  return done;
}

//------------------------------------------------------------------------------
bool vtkDEMSpheresRepresentation::AddToView(vtkView* view)
{
  auto* renderView = vtkPVRenderView::SafeDownCast(view);
  if (renderView)
  {
    renderView->GetRenderer()->AddActor(this->GlyphActor);
  }
  return this->Superclass::AddToView(view);
}

//------------------------------------------------------------------------------
bool vtkDEMSpheresRepresentation::RemoveFromView(vtkView* view)
{
  auto* renderView = vtkPVRenderView::SafeDownCast(view);
  if (renderView)
  {
    renderView->GetRenderer()->RemoveActor(this->GlyphActor);
  }
  return this->Superclass::RemoveFromView(view);
}

//------------------------------------------------------------------------------
void vtkDEMSpheresRepresentation::SetVisibility(bool visible)
{
  this->Superclass::SetVisibility(visible);
  this->GlyphActor->SetVisibility(visible && this->HasGlyphs);
}

//------------------------------------------------------------------------------
// Parts the grains into spheres, for the sprites, and others, for the glyphs.
void vtkDEMSpheresRepresentation::ShowShapes(vtkDataObject* object)
{
  auto* data = vtkDataSet::SafeDownCast(object);
  vtkFieldData* field = object ? object->GetFieldData() : nullptr;
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(object))
  {
    // one run is one piece; where there are several they stay spheres
    auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    int leaves = 0;
    for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem())
    {
      auto* leaf = vtkDataSet::SafeDownCast(iterator->GetCurrentDataObject());
      if (leaf && leaf->GetNumberOfPoints() > 0)
      {
        data = ++leaves == 1 ? leaf : nullptr;
      }
    }
  }
  if (data && data->GetFieldData()->GetAbstractArray("ShapeDefinitions"))
  {
    field = data->GetFieldData();
  }
  vtkPointData* arrays = data ? data->GetPointData() : nullptr;
  vtkDataArray* shape = arrays ? arrays->GetArray("Shape") : nullptr;
  if (object != this->Shown || (object && object->GetMTime() > this->ShownTime))
  {
    this->Shown = object;
    this->ShownTime = object ? object->GetMTime() : 0;
    this->HasGlyphs = false;
    if (shape && arrays->GetArray("Orientation") && arrays->GetArray("Scale"))
    {
      vtkNew<vtkIdList> spheres;
      vtkNew<vtkIdList> others;
      for (vtkIdType i = 0; i < shape->GetNumberOfTuples(); ++i)
      {
        (shape->GetComponent(i, 0) > 0 ? others : spheres)->InsertNextId(i);
      }
      const vtkIdType many = others->GetNumberOfIds();
      const auto glyphs = many > 0
        ? vtkDEMShapes::MakeGlyphs(field, many > 100000 ? 8 : (many > 10000 ? 12 : 20))
        : std::vector<vtkSmartPointer<vtkPolyData>>{};
      if (!glyphs.empty())
      {
        for (std::size_t k = 0; k < glyphs.size(); ++k)
        {
          this->GlyphMapper->SetSourceData(static_cast<int>(k), glyphs[k]);
        }
        this->GlyphMapper->SetInputDataObject(PointsOf(data, others));
        this->Sprites = PointsOf(data, spheres);
        this->HasGlyphs = true;
      }
    }
  }
  if (this->HasGlyphs)
  {
    this->Mapper->SetInputDataObject(this->Sprites);
    this->GlyphMapper->SetScaleFactor(this->RadiusFactor);
    this->GlyphMapper->SetScalarVisibility(this->Mapper->GetScalarVisibility());
    this->GlyphMapper->SetScalarMode(VTK_SCALAR_MODE_USE_POINT_FIELD_DATA);
    this->GlyphMapper->SelectColorArray(this->Mapper->GetArrayName());
    this->GlyphMapper->SetLookupTable(this->Mapper->GetLookupTable());
    this->GlyphMapper->SetUseLookupTableScalarRange(1);
    this->GlyphMapper->SetColorMode(this->Mapper->GetColorMode());
    this->GlyphActor->SetScale(this->Actor->GetScale());
    this->GlyphActor->SetPosition(this->Actor->GetPosition());
    this->GlyphActor->SetOrigin(this->Actor->GetOrigin());
    this->GlyphActor->SetOrientation(this->Actor->GetOrientation());
  }
  this->GlyphActor->SetVisibility(this->HasGlyphs && this->GetVisibility());
}

//------------------------------------------------------------------------------
int vtkDEMSpheresRepresentation::ProcessViewRequest(
  vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo)
{
  if (!this->Superclass::ProcessViewRequest(request, inInfo, outInfo))
  {
    return 0;
  }

  if (request == vtkPVView::REQUEST_UPDATE())
  {
    // The superclass asks for ordered compositing, which redistributes points; opaque sprites do
    // not need it.
    outInfo->Remove(vtkPVRenderView::NEED_ORDERED_COMPOSITING());
    vtkPVRenderView::SetOrderedCompositingConfiguration(inInfo, this, 0);
    const Extent extent = GetExtent(this->ProcessedData);
    if (extent.HasPoints)
    {
      double bounds[6];
      vtkBoundingBox box = extent.Bounds;
      box.Inflate(this->RadiusFactor * extent.Radius);
      box.GetBounds(bounds);
      vtkNew<vtkMatrix4x4> matrix;
      this->Actor->GetMatrix(matrix);
      vtkPVRenderView::SetGeometryBounds(inInfo, this, bounds, matrix);
    }
  }
  else if (request == vtkPVView::REQUEST_RENDER())
  {
    const Extent extent = GetExtent(vtkPVView::GetDeliveredPiece(inInfo, this));
    this->SpheresActor->Margin = this->RadiusFactor * extent.Radius;
    this->Mapper->SetScaleArray(extent.HasRadius ? RadiusArray : nullptr);
    this->ShowShapes(vtkPVView::GetDeliveredPiece(inInfo, this));
    this->Mapper->SetScaleFactor(
      extent.HasRadius ? this->RadiusFactor : this->RadiusFactor * extent.Radius);
  }
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMSpheresRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "RadiusFactor: " << this->RadiusFactor << endl;
}
