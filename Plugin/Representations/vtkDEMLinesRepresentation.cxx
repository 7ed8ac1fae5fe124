#include "vtkDEMLinesRepresentation.h"

#include "vtkDEMSprites.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkIdList.h"
#include "vtkInformation.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVLODActor.h"
#include "vtkPVRenderView.h"
#include "vtkPVView.h"
#include "vtkPointData.h"
#include "vtkPointGaussianMapper.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkProperty.h"
#include "vtkRenderer.h"

#include <algorithm>
#include <cmath>

namespace
{

constexpr const char* RadiusArray = "Radius";

//------------------------------------------------------------------------------
// Adds the grains of the contacts in `data`.
void AddGrains(vtkDataSet* data, vtkPoints* centers, vtkDoubleArray* radii)
{
  vtkCellData* arrays = data ? data->GetCellData() : nullptr;
  vtkDataArray* point = arrays ? arrays->GetArray("ContactPoint") : nullptr;
  vtkDataArray* overlap = arrays ? arrays->GetArray("Overlap") : nullptr;
  vtkDataArray* wall = arrays ? arrays->GetArray("WallContact") : nullptr;
  if (!point || !overlap || point->GetNumberOfComponents() != 3)
  {
    return;
  }
  vtkNew<vtkIdList> ends;
  for (vtkIdType i = 0; i < data->GetNumberOfCells(); ++i)
  {
    data->GetCellPoints(i, ends);
    const bool isWall = wall && wall->GetComponent(i, 0) != 0;
    for (vtkIdType k = 0; ends->GetNumberOfIds() == 2 && k < (isWall ? 1 : 2); ++k)
    {
      double center[3], contact[3];
      data->GetPoint(ends->GetId(k), center);
      point->GetTuple(i, contact);
      centers->InsertNextPoint(center);
      radii->InsertNextValue(std::sqrt(vtkMath::Distance2BetweenPoints(center, contact)) +
        0.5 * overlap->GetComponent(i, 0));
    }
  }
}

//------------------------------------------------------------------------------
vtkSmartPointer<vtkPolyData> GrainsOf(vtkDataObject* object)
{
  vtkNew<vtkPoints> centers;
  vtkNew<vtkDoubleArray> radii;
  radii->SetName(RadiusArray);
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(object))
  {
    auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem())
    {
      AddGrains(vtkDataSet::SafeDownCast(iterator->GetCurrentDataObject()), centers, radii);
    }
  }
  else
  {
    AddGrains(vtkDataSet::SafeDownCast(object), centers, radii);
  }
  auto grains = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkCellArray> vertices;
  for (vtkIdType i = 0; i < centers->GetNumberOfPoints(); ++i)
  {
    vertices->InsertNextCell(1, &i);
  }
  grains->SetPoints(centers);
  grains->SetVerts(vertices);
  grains->GetPointData()->AddArray(radii);
  return grains;
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMLinesRepresentation);

//------------------------------------------------------------------------------
vtkDEMLinesRepresentation::vtkDEMLinesRepresentation()
  : Mapper(vtkSmartPointer<vtkPointGaussianMapper>::New())
  , Grains(vtkDEMSprites::MakeActor(this->Mapper))
{
  this->Mapper->SetScalarVisibility(false);
  this->Mapper->SetScaleArray(RadiusArray);
  this->Mapper->SetScaleFactor(vtkDEMSprites::ShellFactor);
  this->Grains->SetPickable(false);
  this->Grains->SetVisibility(false);
}

//------------------------------------------------------------------------------
vtkDEMLinesRepresentation::~vtkDEMLinesRepresentation() = default;

//------------------------------------------------------------------------------
bool vtkDEMLinesRepresentation::AddToView(vtkView* view)
{
  if (auto* renderView = vtkPVRenderView::SafeDownCast(view))
  {
    renderView->GetRenderer()->AddActor(this->Grains);
  }
  return this->Superclass::AddToView(view);
}

//------------------------------------------------------------------------------
bool vtkDEMLinesRepresentation::RemoveFromView(vtkView* view)
{
  if (auto* renderView = vtkPVRenderView::SafeDownCast(view))
  {
    renderView->GetRenderer()->RemoveActor(this->Grains);
  }
  return this->Superclass::RemoveFromView(view);
}

//------------------------------------------------------------------------------
void vtkDEMLinesRepresentation::SetVisibility(bool visible)
{
  this->Superclass::SetVisibility(visible);
  if (!visible)
  {
    this->Grains->SetVisibility(false);
  }
}

//------------------------------------------------------------------------------
int vtkDEMLinesRepresentation::ProcessViewRequest(
  vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo)
{
  if (!this->Superclass::ProcessViewRequest(request, inInfo, outInfo))
  {
    return 0;
  }
  if (request == vtkPVView::REQUEST_RENDER())
  {
    this->ShowGrains(inInfo);
  }
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMLinesRepresentation::ShowGrains(vtkInformation* inInfo)
{
  vtkGeometryRepresentation* marks = vtkDEMSprites::FindMarks(this->GetView(), this);
  vtkDataObject* data = marks ? vtkPVView::GetDeliveredPiece(inInfo, marks) : nullptr;
  if (!data)
  {
    this->Grains->SetVisibility(false);
    return;
  }
  if (data != this->Shown || data->GetMTime() > this->ShownTime)
  {
    this->Shown = data;
    this->ShownTime = data->GetMTime();
    const vtkSmartPointer<vtkPolyData> grains = GrainsOf(data);
    vtkDataArray* radii = grains->GetPointData()->GetArray(RadiusArray);
    this->Grains->Margin = vtkDEMSprites::ShellFactor * std::max(0.0, radii->GetRange()[1]);
    this->Mapper->SetInputDataObject(grains);
  }
  auto* grains = vtkPolyData::SafeDownCast(this->Mapper->GetInputDataObject(0, 0));
  this->Grains->SetVisibility(
    this->GetVisibility() && grains && grains->GetNumberOfPoints() > 0);
  vtkActor* lines = this->GetActor();
  this->Grains->SetScale(lines->GetScale());
  this->Grains->SetPosition(lines->GetPosition());
  this->Grains->SetOrigin(lines->GetOrigin());
  this->Grains->SetOrientation(lines->GetOrientation());
  vtkProperty* property = marks->GetActor()->GetProperty();
  this->Grains->GetProperty()->SetColor(property->GetDiffuseColor());
  this->Grains->GetProperty()->SetOpacity(property->GetOpacity());
}

//------------------------------------------------------------------------------
void vtkDEMLinesRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
