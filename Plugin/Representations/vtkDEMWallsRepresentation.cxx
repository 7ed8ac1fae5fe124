#include "vtkDEMWallsRepresentation.h"

#include "vtkActor.h"
#include "vtkBoundingBox.h"
#include "vtkCellArray.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMatrix4x4.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVLODActor.h"
#include "vtkPVRenderView.h"
#include "vtkPVView.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkPolyDataMapper.h"
#include "vtkProperty.h"
#include "vtkRenderer.h"

#include <algorithm>
#include <cmath>

namespace
{

// A grey that is visible on white and on ParaView's dark grey background.
constexpr double DomainColor[3] = { 0.6, 0.6, 0.62 };
constexpr int DomainPort = 1; // port of the pieces that the view delivers; the walls are port 0

//------------------------------------------------------------------------------
// The field data of a run, of `object` or one of its blocks.
vtkFieldData* FieldsOfRun(vtkDataObject* object)
{
  const auto fieldsOf = [](vtkDataObject* data) -> vtkFieldData*
  {
    vtkDataArray* box = data ? data->GetFieldData()->GetArray("Box") : nullptr;
    return box && box->GetNumberOfValues() == 6 ? data->GetFieldData() : nullptr;
  };
  vtkFieldData* fields = fieldsOf(object);
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(object))
  {
    auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (iterator->InitTraversal(); !fields && !iterator->IsDoneWithTraversal();
         iterator->GoToNextItem())
    {
      fields = fieldsOf(iterator->GetCurrentDataObject());
    }
  }
  return fields;
}

//------------------------------------------------------------------------------
// The side of the box in the direction of gravity, numbered as the six numbers of Box; -1 without
// gravity.
int SideBelow(vtkFieldData* fields)
{
  vtkDataArray* gravity = fields->GetArray("Gravity");
  if (!gravity || gravity->GetNumberOfValues() != 3)
  {
    return -1;
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k)
  {
    if (std::abs(gravity->GetComponent(0, k)) > std::abs(gravity->GetComponent(0, axis)))
    {
      axis = k;
    }
  }
  const double down = gravity->GetComponent(0, axis);
  return down == 0 ? -1 : 2 * axis + (down > 0 ? 1 : 0);
}

//------------------------------------------------------------------------------
// The twelve edges of the domain as lines and its floor, if closed, as a polygon.
void MakeDomain(vtkFieldData* fields, vtkPolyData* domain)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> lines;
  vtkNew<vtkCellArray> polys;
  domain->SetPoints(points);
  domain->SetLines(lines);
  domain->SetPolys(polys);
  double box[6];
  for (int i = 0; fields && i < 6; ++i)
  {
    box[i] = fields->GetArray("Box")->GetComponent(0, i);
  }
  if (!fields || !vtkBoundingBox::IsValid(box))
  {
    return;
  }
  for (int corner = 0; corner < 8; ++corner) // bit k: at the upper end along axis k
  {
    points->InsertNextPoint(
      box[corner & 1], box[2 + (corner >> 1 & 1)], box[4 + (corner >> 2 & 1)]);
  }
  for (vtkIdType corner = 0; corner < 8; ++corner)
  {
    for (int k = 0; k < 3; ++k)
    {
      if (!(corner >> k & 1))
      {
        const vtkIdType ends[2] = { corner, corner | vtkIdType(1) << k };
        lines->InsertNextCell(2, ends);
      }
    }
  }
  const int side = SideBelow(fields);
  vtkDataArray* closed = fields->GetArray("ClosedBorders");
  if (side >= 0 && closed && closed->GetNumberOfValues() == 6 && closed->GetComponent(0, side) != 0)
  {
    const vtkIdType u = vtkIdType(1) << (side / 2 + 1) % 3;
    const vtkIdType v = vtkIdType(1) << (side / 2 + 2) % 3;
    const vtkIdType first = side % 2 ? vtkIdType(1) << side / 2 : 0;
    const vtkIdType floor[4] = { first, first | u, first | u | v, first | v };
    polys->InsertNextCell(4, floor);
  }
}

//------------------------------------------------------------------------------
vtkSmartPointer<vtkActor> MakeActor()
{
  auto actor = vtkSmartPointer<vtkActor>::New();
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetScalarVisibility(false);
  actor->SetMapper(mapper);
  actor->SetPickable(false);
  actor->SetVisibility(false);
  actor->GetProperty()->SetColor(DomainColor[0], DomainColor[1], DomainColor[2]);
  actor->GetProperty()->LightingOff();
  return actor;
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMWallsRepresentation);

//------------------------------------------------------------------------------
vtkDEMWallsRepresentation::vtkDEMWallsRepresentation()
  : Domain(vtkSmartPointer<vtkPolyData>::New())
  , Outline(MakeActor())
  , Floor(MakeActor())
{
  this->SetOpacity(this->DisplayOpacity);
}

//------------------------------------------------------------------------------
vtkDEMWallsRepresentation::~vtkDEMWallsRepresentation() = default;

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetWallOpacity(double factor)
{
  factor = std::clamp(factor, 0.0, 1.0);
  if (this->WallOpacity != factor)
  {
    this->WallOpacity = factor;
    this->SetOpacity(this->DisplayOpacity);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetDomainOutline(bool shown)
{
  if (this->DomainOutline != shown)
  {
    this->DomainOutline = shown;
    this->MarkModified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetOpacity(double opacity)
{
  this->DisplayOpacity = opacity;
  this->Superclass::SetOpacity(this->WallOpacity * opacity);
  this->Outline->GetProperty()->SetOpacity(opacity);
  this->Floor->GetProperty()->SetOpacity(this->WallOpacity * opacity);
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetVisibility(bool visible)
{
  this->Superclass::SetVisibility(visible);
  this->ShowDomain();
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetOrientation(double x, double y, double z)
{
  this->Superclass::SetOrientation(x, y, z);
  this->Outline->SetOrientation(x, y, z);
  this->Floor->SetOrientation(x, y, z);
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetOrigin(double x, double y, double z)
{
  this->Superclass::SetOrigin(x, y, z);
  this->Outline->SetOrigin(x, y, z);
  this->Floor->SetOrigin(x, y, z);
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetPosition(double x, double y, double z)
{
  this->Superclass::SetPosition(x, y, z);
  this->Outline->SetPosition(x, y, z);
  this->Floor->SetPosition(x, y, z);
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::SetScale(double x, double y, double z)
{
  this->Superclass::SetScale(x, y, z);
  this->Outline->SetScale(x, y, z);
  this->Floor->SetScale(x, y, z);
}

//------------------------------------------------------------------------------
bool vtkDEMWallsRepresentation::NeedsOrderedCompositing() { return false; }

//------------------------------------------------------------------------------
int vtkDEMWallsRepresentation::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkDataObject* input = inputVector[0]->GetNumberOfInformationObjects() == 1
    ? vtkDataObject::GetData(inputVector[0], 0)
    : nullptr;
  this->Domain = vtkSmartPointer<vtkPolyData>::New();
  MakeDomain(input && this->DomainOutline ? FieldsOfRun(input) : nullptr, this->Domain);
  return this->Superclass::RequestData(request, inputVector, outputVector);
}

//------------------------------------------------------------------------------
bool vtkDEMWallsRepresentation::AddToView(vtkView* view)
{
  if (auto* renderView = vtkPVRenderView::SafeDownCast(view))
  {
    renderView->GetRenderer()->AddActor(this->Outline);
    renderView->GetRenderer()->AddActor(this->Floor);
  }
  return this->Superclass::AddToView(view);
}

//------------------------------------------------------------------------------
bool vtkDEMWallsRepresentation::RemoveFromView(vtkView* view)
{
  if (auto* renderView = vtkPVRenderView::SafeDownCast(view))
  {
    renderView->GetRenderer()->RemoveActor(this->Outline);
    renderView->GetRenderer()->RemoveActor(this->Floor);
  }
  return this->Superclass::RemoveFromView(view);
}

//------------------------------------------------------------------------------
// An actor without cells stays hidden, so that no renderer uses its empty bounds.
void vtkDEMWallsRepresentation::ShowDomain()
{
  for (vtkActor* actor : { this->Outline.Get(), this->Floor.Get() })
  {
    vtkPolyData* data = vtkPolyDataMapper::SafeDownCast(actor->GetMapper())->GetInput();
    actor->SetVisibility(this->GetVisibility() && data && data->GetNumberOfCells() > 0);
  }
}

//------------------------------------------------------------------------------
int vtkDEMWallsRepresentation::ProcessViewRequest(
  vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo)
{
  if (!this->Superclass::ProcessViewRequest(request, inInfo, outInfo))
  {
    return 0;
  }
  if (request == vtkPVView::REQUEST_UPDATE())
  {
    vtkPVView::SetPiece(inInfo, this, this->Domain, 0, DomainPort);
    vtkPVRenderView::SetOrderedCompositingConfiguration(inInfo, this, 0, nullptr, DomainPort);
    double bounds[6];
    vtkNew<vtkMatrix4x4> matrix;
    this->Actor->GetMatrix(matrix);
    this->Domain->GetBounds(bounds);
    vtkPVRenderView::SetGeometryBounds(inInfo, this, bounds, matrix, DomainPort);
  }
  else if (request == vtkPVView::REQUEST_RENDER())
  {
    auto* delivered =
      vtkPolyData::SafeDownCast(vtkPVView::GetDeliveredPiece(inInfo, this, DomainPort));
    vtkNew<vtkPolyData> outline;
    vtkNew<vtkPolyData> floor;
    if (delivered)
    {
      outline->SetPoints(delivered->GetPoints());
      outline->SetLines(delivered->GetLines());
      floor->SetPoints(delivered->GetPoints());
      floor->SetPolys(delivered->GetPolys());
    }
    vtkPolyDataMapper::SafeDownCast(this->Outline->GetMapper())->SetInputData(outline);
    vtkPolyDataMapper::SafeDownCast(this->Floor->GetMapper())->SetInputData(floor);
    this->ShowDomain();
  }
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMWallsRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "WallOpacity: " << this->WallOpacity << endl;
  os << indent << "DomainOutline: " << this->DomainOutline << endl;
}
