#include "vtkDEMShellsRepresentation.h"

#include "vtkDEMSprites.h"

#include "vtkActor.h"
#include "vtkInformation.h"
#include "vtkMapper.h"
#include "vtkPVLODActor.h"
#include "vtkPVRenderView.h"
#include "vtkPVView.h"
#include "vtkPolyData.h"
#include "vtkProperty.h"
#include "vtkRenderer.h"

#include <algorithm>
#include <utility>

//------------------------------------------------------------------------------
vtkDEMShellsRepresentation::vtkDEMShellsRepresentation(vtkSmartPointer<vtkActor> shells)
  : Shells(std::move(shells))
{
  this->Shells->GetMapper()->SetScalarVisibility(false);
  this->Shells->SetPickable(false);
  this->Shells->SetVisibility(false);
}

//------------------------------------------------------------------------------
vtkDEMShellsRepresentation::~vtkDEMShellsRepresentation() = default;

//------------------------------------------------------------------------------
bool vtkDEMShellsRepresentation::AddToView(vtkView* view)
{
  if (auto* renderView = vtkPVRenderView::SafeDownCast(view))
  {
    renderView->GetRenderer()->AddActor(this->Shells);
  }
  return this->Superclass::AddToView(view);
}

//------------------------------------------------------------------------------
bool vtkDEMShellsRepresentation::RemoveFromView(vtkView* view)
{
  if (auto* renderView = vtkPVRenderView::SafeDownCast(view))
  {
    renderView->GetRenderer()->RemoveActor(this->Shells);
  }
  return this->Superclass::RemoveFromView(view);
}

//------------------------------------------------------------------------------
void vtkDEMShellsRepresentation::SetVisibility(bool visible)
{
  this->Superclass::SetVisibility(visible);
  if (!visible)
  {
    this->Shells->SetVisibility(false);
  }
}

//------------------------------------------------------------------------------
int vtkDEMShellsRepresentation::ProcessViewRequest(
  vtkInformationRequestKey* request, vtkInformation* inInfo, vtkInformation* outInfo)
{
  if (!this->Superclass::ProcessViewRequest(request, inInfo, outInfo))
  {
    return 0;
  }
  if (request == vtkPVView::REQUEST_RENDER())
  {
    this->ShowShells(inInfo);
  }
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMShellsRepresentation::ShowShells(vtkInformation* inInfo)
{
  vtkGeometryRepresentation* marks = vtkDEMSprites::FindMarks(this->GetView(), this);
  vtkDataObject* selected = marks ? vtkPVView::GetDeliveredPiece(inInfo, marks) : nullptr;
  if (!selected)
  {
    this->Shells->SetVisibility(false);
    return;
  }
  vtkDataObject* shown = vtkPVView::GetDeliveredPiece(inInfo, this);
  const vtkMTimeType time = std::max(selected->GetMTime(), shown ? shown->GetMTime() : 0);
  if (selected != this->Selected || shown != this->Shown || time > this->MadeTime)
  {
    this->Selected = selected;
    this->Shown = shown;
    this->MadeTime = time;
    this->MakeShells(selected, shown);
  }
  auto* shells = vtkPolyData::SafeDownCast(this->Shells->GetMapper()->GetInputDataObject(0, 0));
  this->Shells->SetVisibility(this->GetVisibility() && shells && shells->GetNumberOfCells() > 0);
  vtkActor* actor = this->GetActor();
  this->Shells->SetScale(actor->GetScale());
  this->Shells->SetPosition(actor->GetPosition());
  this->Shells->SetOrigin(actor->GetOrigin());
  this->Shells->SetOrientation(actor->GetOrientation());
  vtkProperty* property = marks->GetActor()->GetProperty();
  this->Shells->GetProperty()->SetColor(property->GetDiffuseColor());
  this->Shells->GetProperty()->SetOpacity(property->GetOpacity());
}

//------------------------------------------------------------------------------
void vtkDEMShellsRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
