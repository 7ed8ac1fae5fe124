#include "vtkDEMShapesRepresentation.h"

#include "vtkDEMSprites.h"

#include "vtkActor.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkIdList.h"
#include "vtkInformation.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVLODActor.h"
#include "vtkPVRenderView.h"
#include "vtkPVView.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkPolyDataMapper.h"
#include "vtkProperty.h"
#include "vtkRenderer.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace
{

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

//------------------------------------------------------------------------------
std::set<vtkIdType> IdsOf(vtkDataObject* selection)
{
  std::set<vtkIdType> ids;
  for (vtkDataSet* leaf : Leaves(selection))
  {
    vtkDataArray* array = leaf->GetCellData()->GetArray("Id");
    for (vtkIdType i = 0; array && i < array->GetNumberOfTuples(); ++i)
    {
      ids.insert(static_cast<vtkIdType>(array->GetComponent(i, 0)));
    }
  }
  return ids;
}

//------------------------------------------------------------------------------
// The grains of these Ids, grown from their middles.
vtkSmartPointer<vtkPolyData> ShellsOf(vtkDataObject* surfaces, const std::set<vtkIdType>& ids)
{
  struct Facet
  {
    vtkDataSet* Surface;
    vtkIdType Cell;
  };
  struct Grain
  {
    double Sum[3] = { 0, 0, 0 }; // of its facets' corners
    double Corners = 0;
    std::vector<Facet> Facets;
  };
  std::map<vtkIdType, Grain> grains;
  vtkNew<vtkIdList> corners;
  for (vtkDataSet* surface : Leaves(surfaces))
  {
    vtkDataArray* array = surface->GetCellData()->GetArray("Id");
    for (vtkIdType i = 0; array && i < surface->GetNumberOfCells(); ++i)
    {
      const auto id = static_cast<vtkIdType>(array->GetComponent(i, 0));
      if (ids.count(id) == 0)
      {
        continue;
      }
      Grain& grain = grains[id];
      grain.Facets.push_back({ surface, i });
      surface->GetCellPoints(i, corners);
      for (vtkIdType k = 0; k < corners->GetNumberOfIds(); ++k)
      {
        double point[3];
        surface->GetPoint(corners->GetId(k), point);
        vtkMath::Add(grain.Sum, point, grain.Sum);
        grain.Corners += 1;
      }
    }
  }
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> facets;
  for (const auto& entry : grains)
  {
    const Grain& grain = entry.second;
    for (const Facet& facet : grain.Facets)
    {
      facet.Surface->GetCellPoints(facet.Cell, corners);
      facets->InsertNextCell(static_cast<int>(corners->GetNumberOfIds()));
      for (vtkIdType k = 0; k < corners->GetNumberOfIds(); ++k)
      {
        double point[3];
        facet.Surface->GetPoint(corners->GetId(k), point);
        for (int axis = 0; axis < 3; ++axis)
        {
          const double middle = grain.Sum[axis] / grain.Corners;
          point[axis] = middle + vtkDEMSprites::ShellFactor * (point[axis] - middle);
        }
        facets->InsertCellPoint(points->InsertNextPoint(point));
      }
    }
  }
  auto shells = vtkSmartPointer<vtkPolyData>::New();
  shells->SetPoints(points);
  shells->SetPolys(facets);
  return shells;
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMShapesRepresentation);

//------------------------------------------------------------------------------
vtkDEMShapesRepresentation::vtkDEMShapesRepresentation()
  : ShellMapper(vtkSmartPointer<vtkPolyDataMapper>::New())
  , Shells(vtkSmartPointer<vtkActor>::New())
{
  this->ShellMapper->SetScalarVisibility(false);
  this->Shells->SetMapper(this->ShellMapper);
  this->Shells->SetPickable(false);
  this->Shells->SetVisibility(false);
}

//------------------------------------------------------------------------------
vtkDEMShapesRepresentation::~vtkDEMShapesRepresentation() = default;

//------------------------------------------------------------------------------
bool vtkDEMShapesRepresentation::AddToView(vtkView* view)
{
  if (auto* renderView = vtkPVRenderView::SafeDownCast(view))
  {
    renderView->GetRenderer()->AddActor(this->Shells);
  }
  return this->Superclass::AddToView(view);
}

//------------------------------------------------------------------------------
bool vtkDEMShapesRepresentation::RemoveFromView(vtkView* view)
{
  if (auto* renderView = vtkPVRenderView::SafeDownCast(view))
  {
    renderView->GetRenderer()->RemoveActor(this->Shells);
  }
  return this->Superclass::RemoveFromView(view);
}

//------------------------------------------------------------------------------
void vtkDEMShapesRepresentation::SetVisibility(bool visible)
{
  this->Superclass::SetVisibility(visible);
  if (!visible)
  {
    this->Shells->SetVisibility(false);
  }
}

//------------------------------------------------------------------------------
int vtkDEMShapesRepresentation::ProcessViewRequest(
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
void vtkDEMShapesRepresentation::ShowGrains(vtkInformation* inInfo)
{
  vtkGeometryRepresentation* marks = vtkDEMSprites::FindMarks(this->GetView(), this);
  vtkDataObject* data = marks ? vtkPVView::GetDeliveredPiece(inInfo, marks) : nullptr;
  if (!data)
  {
    this->Shells->SetVisibility(false);
    return;
  }
  vtkDataObject* surfaces = vtkPVView::GetDeliveredPiece(inInfo, this);
  const vtkMTimeType time = std::max(data->GetMTime(), surfaces ? surfaces->GetMTime() : 0);
  if (data != this->Selected || surfaces != this->Surfaces || time > this->MadeTime)
  {
    this->Selected = data;
    this->Surfaces = surfaces;
    this->MadeTime = time;
    this->ShellMapper->SetInputDataObject(ShellsOf(surfaces, IdsOf(data)));
  }
  vtkPolyData* shells = this->ShellMapper->GetInput();
  this->Shells->SetVisibility(
    this->GetVisibility() && shells && shells->GetNumberOfPolys() > 0);
  vtkActor* grains = this->GetActor();
  this->Shells->SetScale(grains->GetScale());
  this->Shells->SetPosition(grains->GetPosition());
  this->Shells->SetOrigin(grains->GetOrigin());
  this->Shells->SetOrientation(grains->GetOrientation());
  vtkProperty* property = marks->GetActor()->GetProperty();
  this->Shells->GetProperty()->SetColor(property->GetDiffuseColor());
  this->Shells->GetProperty()->SetOpacity(property->GetOpacity());
}

//------------------------------------------------------------------------------
void vtkDEMShapesRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
