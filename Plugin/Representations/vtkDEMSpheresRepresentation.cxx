#include "vtkDEMSpheresRepresentation.h"

#include "vtkDEMShapes.h"
#include "vtkDEMSprites.h"

#include "vtkActor.h"
#include "vtkBoundingBox.h"
#include "vtkCellArray.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkGeometryRepresentation.h"
#include "vtkGlyph3DMapper.h"
#include "vtkIdList.h"
#include "vtkIdTypeArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMatrix4x4.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVLODActor.h"
#include "vtkPVRenderView.h"
#include "vtkPVView.h"
#include "vtkPointData.h"
#include "vtkPointGaussianMapper.h"
#include "vtkPolyData.h"
#include "vtkProperty.h"
#include "vtkRenderer.h"

#include <algorithm>

namespace
{

constexpr const char* RadiusArray = "Radius";
constexpr const char* NumberArray =
  "NumberOfPoint"; // index of a point in the data, which a pick returns

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
// The points `ids` of `data`, with their arrays and their indices in `data`.
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
  vtkNew<vtkIdTypeArray> numbers;
  numbers->SetName(NumberArray);
  numbers->SetNumberOfTuples(ids->GetNumberOfIds());
  std::copy_n(ids->GetPointer(0), ids->GetNumberOfIds(), numbers->GetPointer(0));
  to->AddArray(numbers);
  return out;
}

// All points, with radius 0 for those that are no spheres, so that a pick returns the right index.
vtkSmartPointer<vtkDataSet> SpheresOf(vtkDataSet* data, vtkDataArray* radius, vtkIdList* others)
{
  auto out = vtkSmartPointer<vtkDataSet>::Take(data->NewInstance());
  out->ShallowCopy(data);
  auto shown = vtkSmartPointer<vtkDataArray>::Take(radius->NewInstance());
  shown->DeepCopy(radius);
  for (vtkIdType i = 0; i < others->GetNumberOfIds(); ++i)
  {
    shown->SetComponent(others->GetId(i), 0, 0);
  }
  out->GetPointData()->AddArray(shown);
  return out;
}

//------------------------------------------------------------------------------
// The data set of `object`; of a composite the only one with points, null if several have some.
vtkDataSet* OnlyPiece(vtkDataObject* object)
{
  auto* composite = vtkCompositeDataSet::SafeDownCast(object);
  if (!composite)
  {
    return vtkDataSet::SafeDownCast(object);
  }
  vtkDataSet* only = nullptr;
  int leaves = 0;
  auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem())
  {
    auto* leaf = vtkDataSet::SafeDownCast(iterator->GetCurrentDataObject());
    if (leaf && leaf->GetNumberOfPoints() > 0)
    {
      only = ++leaves == 1 ? leaf : nullptr;
    }
  }
  return only;
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMSpheresRepresentation);

//------------------------------------------------------------------------------
vtkDEMSpheresRepresentation::vtkDEMSpheresRepresentation()
{
  this->All.Mapper = this->Mapper;
  SetUp(this->All);
  this->Actor = this->All.Actor;
  this->SetUseScaleFunction(false);
  this->Selected.Mapper = vtkSmartPointer<vtkPointGaussianMapper>::New();
  SetUp(this->Selected);
  this->Selected.Mapper->SetScalarVisibility(false);
  this->Selected.Actor->SetPickable(false);
  this->Selected.Actor->SetVisibility(false);
  this->Selected.GlyphActor->SetPickable(false);
}

//------------------------------------------------------------------------------
void vtkDEMSpheresRepresentation::SetUp(Grains& grains)
{
  grains.Actor = vtkDEMSprites::MakeActor(grains.Mapper);
  grains.GlyphMapper = vtkSmartPointer<vtkGlyph3DMapper>::New();
  grains.GlyphMapper->SetSourceIndexing(true);
  grains.GlyphMapper->SetSourceIndexArray("Shape");
  grains.GlyphMapper->SetOrientationModeToQuaternion();
  grains.GlyphMapper->SetOrientationArray("Orientation");
  grains.GlyphMapper->SetScaleModeToScaleByMagnitude();
  grains.GlyphMapper->SetScaleArray("Scale");
  grains.GlyphMapper->SetUseSelectionIds(true);
  grains.GlyphMapper->SetSelectionIdArray(NumberArray);
  grains.GlyphActor = vtkSmartPointer<vtkActor>::New();
  grains.GlyphActor->SetMapper(grains.GlyphMapper);
  grains.GlyphActor->SetProperty(grains.Actor->GetProperty());
  grains.GlyphActor->SetVisibility(0);
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
// The data delivered to the rendering process must also define the shapes.
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
    renderView->GetRenderer()->AddActor(this->All.GlyphActor);
    renderView->RegisterPropForHardwareSelection(this, this->All.GlyphActor);
    renderView->GetRenderer()->AddActor(this->Selected.Actor);
    renderView->GetRenderer()->AddActor(this->Selected.GlyphActor);
  }
  return this->Superclass::AddToView(view);
}

//------------------------------------------------------------------------------
bool vtkDEMSpheresRepresentation::RemoveFromView(vtkView* view)
{
  auto* renderView = vtkPVRenderView::SafeDownCast(view);
  if (renderView)
  {
    renderView->GetRenderer()->RemoveActor(this->All.GlyphActor);
    renderView->GetRenderer()->RemoveActor(this->Selected.Actor);
    renderView->GetRenderer()->RemoveActor(this->Selected.GlyphActor);
  }
  return this->Superclass::RemoveFromView(view);
}

//------------------------------------------------------------------------------
void vtkDEMSpheresRepresentation::SetVisibility(bool visible)
{
  this->Superclass::SetVisibility(visible);
  this->All.GlyphActor->SetVisibility(visible && this->All.HasGlyphs);
  if (!visible)
  {
    this->Selected.Actor->SetVisibility(false);
    this->Selected.GlyphActor->SetVisibility(false);
  }
}

//------------------------------------------------------------------------------
// Shows grains of other shapes than spheres as glyphs, and the others as sprites. `shape` is the
// array Shape of `data`, and `field` defines the shapes.
void vtkDEMSpheresRepresentation::MakeGlyphs(
  Grains& grains, vtkDataSet* data, vtkFieldData* field, vtkDataArray* shape)
{
  vtkPointData* arrays = data->GetPointData();
  vtkNew<vtkIdList> spheres;
  vtkNew<vtkIdList> others;
  for (vtkIdType i = 0; i < shape->GetNumberOfTuples(); ++i)
  {
    (shape->GetComponent(i, 0) > 0 ? others : spheres)->InsertNextId(i);
  }
  const vtkIdType many = others->GetNumberOfIds();
  std::vector<vtkSmartPointer<vtkPolyData>> glyphs;
  if (many > 0 && &grains == &this->All)
  {
    glyphs = vtkDEMShapes::MakeGlyphs(field, many > 100000 ? 8 : (many > 10000 ? 12 : 20));
  }
  else if (many > 0 && this->All.HasGlyphs) // the field data of a selection define no shapes
  {
    for (int k = 0; k < this->All.GlyphMapper->GetNumberOfInputConnections(1); ++k)
    {
      glyphs.emplace_back(this->All.GlyphMapper->GetSource(k));
    }
  }
  if (glyphs.empty())
  {
    return;
  }
  for (std::size_t k = 0; k < glyphs.size(); ++k)
  {
    grains.GlyphMapper->SetSourceData(static_cast<int>(k), glyphs[k]);
  }
  grains.GlyphMapper->SetInputDataObject(PointsOf(data, others));
  vtkDataArray* radius = arrays->GetArray(RadiusArray);
  grains.Sprites = PointsOf(data, spheres);
  if (radius && spheres->GetNumberOfIds() > 0)
  {
    grains.Sprites = SpheresOf(data, radius, others);
  }
  grains.HasGlyphs = true;
}

//------------------------------------------------------------------------------
void vtkDEMSpheresRepresentation::ShowShapes(Grains& grains, vtkDataObject* object, double factor)
{
  vtkDataSet* data = OnlyPiece(object);
  vtkFieldData* field = object ? object->GetFieldData() : nullptr;
  if (data && data->GetFieldData()->GetAbstractArray("ShapeDefinitions"))
  {
    field = data->GetFieldData();
  }
  vtkPointData* arrays = data ? data->GetPointData() : nullptr;
  vtkDataArray* shape = arrays ? arrays->GetArray("Shape") : nullptr;
  if (object != grains.Shown || (object && object->GetMTime() > grains.ShownTime))
  {
    grains.Shown = object;
    grains.ShownTime = object ? object->GetMTime() : 0;
    grains.HasGlyphs = false;
    if (shape && arrays->GetArray("Orientation") && arrays->GetArray("Scale"))
    {
      this->MakeGlyphs(grains, data, field, shape);
    }
  }
  if (grains.HasGlyphs)
  {
    grains.Mapper->SetInputDataObject(grains.Sprites);
    grains.GlyphMapper->SetScaleFactor(factor);
    grains.GlyphMapper->SetScalarVisibility(grains.Mapper->GetScalarVisibility());
    grains.GlyphMapper->SetScalarMode(VTK_SCALAR_MODE_USE_POINT_FIELD_DATA);
    grains.GlyphMapper->SelectColorArray(grains.Mapper->GetArrayName());
    grains.GlyphMapper->SetLookupTable(grains.Mapper->GetLookupTable());
    grains.GlyphMapper->SetUseLookupTableScalarRange(1);
    grains.GlyphMapper->SetColorMode(grains.Mapper->GetColorMode());
    grains.GlyphActor->SetScale(grains.Actor->GetScale());
    grains.GlyphActor->SetPosition(grains.Actor->GetPosition());
    grains.GlyphActor->SetOrigin(grains.Actor->GetOrigin());
    grains.GlyphActor->SetOrientation(grains.Actor->GetOrientation());
  }
  grains.GlyphActor->SetVisibility(grains.HasGlyphs && this->GetVisibility());
}

//------------------------------------------------------------------------------
// `radius` (m) is for grains without a radius of their own.
void vtkDEMSpheresRepresentation::Show(
  Grains& grains, vtkDataObject* data, double factor, double radius)
{
  const Extent extent = GetExtent(data);
  const double largest = extent.HasRadius ? extent.Radius : radius;
  grains.Actor->Margin = factor * largest;
  grains.Mapper->SetScaleArray(extent.HasRadius ? RadiusArray : nullptr);
  this->ShowShapes(grains, data, factor);
  grains.Mapper->SetScaleFactor(extent.HasRadius ? factor : factor * radius);
}

//------------------------------------------------------------------------------
void vtkDEMSpheresRepresentation::ShowSelection(vtkInformation* inInfo, double radius)
{
  vtkGeometryRepresentation* marks = vtkDEMSprites::FindMarks(this->GetView(), this);
  vtkDataObject* data = marks ? vtkPVView::GetDeliveredPiece(inInfo, marks) : nullptr;
  const bool any = this->GetVisibility() && GetExtent(data).HasPoints;
  Grains& shells = this->Selected;
  shells.Actor->SetVisibility(any);
  if (!any)
  {
    shells.GlyphActor->SetVisibility(false);
    return;
  }
  shells.Mapper->SetInputDataObject(data);
  shells.Actor->SetScale(this->Actor->GetScale());
  shells.Actor->SetPosition(this->Actor->GetPosition());
  shells.Actor->SetOrigin(this->Actor->GetOrigin());
  shells.Actor->SetOrientation(this->Actor->GetOrientation());
  vtkProperty* property = marks->GetActor()->GetProperty();
  shells.Actor->GetProperty()->SetColor(property->GetDiffuseColor());
  shells.Actor->GetProperty()->SetOpacity(property->GetOpacity());
  this->Show(shells, data, vtkDEMSprites::ShellFactor * this->RadiusFactor, radius);
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
    // The superclass requests ordered compositing, which redistributes points. Opaque sprites do
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
    vtkDataObject* data = vtkPVView::GetDeliveredPiece(inInfo, this);
    const double radius = GetExtent(data).Radius;
    this->Show(this->All, data, this->RadiusFactor, radius);
    this->ShowSelection(inInfo, radius);
  }
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMSpheresRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "RadiusFactor: " << this->RadiusFactor << endl;
}
