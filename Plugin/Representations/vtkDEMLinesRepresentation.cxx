#include "vtkDEMLinesRepresentation.h"

#include "vtkDEMSprites.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkIdList.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPointGaussianMapper.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace
{

constexpr const char* RadiusArray = "Radius";

//------------------------------------------------------------------------------
// Adds the grains of the contacts in `data` as points with radii.
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
  for (vtkDataSet* leaf : vtkDEMSprites::Leaves(object))
  {
    AddGrains(leaf, centers, radii);
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
  : vtkDEMLinesRepresentation(vtkSmartPointer<vtkPointGaussianMapper>::New())
{
}

//------------------------------------------------------------------------------
vtkDEMLinesRepresentation::vtkDEMLinesRepresentation(vtkSmartPointer<vtkPointGaussianMapper> mapper)
  : vtkDEMLinesRepresentation(mapper, vtkDEMSprites::MakeActor(mapper))
{
}

//------------------------------------------------------------------------------
vtkDEMLinesRepresentation::vtkDEMLinesRepresentation(
  vtkSmartPointer<vtkPointGaussianMapper> mapper, const vtkSmartPointer<vtkDEMSpheresActor>& grains)
  : Superclass(vtkSmartPointer<vtkActor>(grains))
  , Mapper(std::move(mapper))
  , Grains(grains)
{
  this->Mapper->SetScaleArray(RadiusArray);
  this->Mapper->SetScaleFactor(vtkDEMSprites::ShellFactor);
}

//------------------------------------------------------------------------------
vtkDEMLinesRepresentation::~vtkDEMLinesRepresentation() = default;

//------------------------------------------------------------------------------
void vtkDEMLinesRepresentation::MakeShells(vtkDataObject* selected, vtkDataObject*)
{
  const vtkSmartPointer<vtkPolyData> grains = GrainsOf(selected);
  vtkDataArray* radii = grains->GetPointData()->GetArray(RadiusArray);
  this->Grains->Margin = vtkDEMSprites::ShellFactor * std::max(0.0, radii->GetRange()[1]);
  this->Mapper->SetInputDataObject(grains);
}

//------------------------------------------------------------------------------
void vtkDEMLinesRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
