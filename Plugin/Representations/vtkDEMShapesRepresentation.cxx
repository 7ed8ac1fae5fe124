#include "vtkDEMShapesRepresentation.h"

#include "vtkDEMSprites.h"

#include "vtkActor.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkIdList.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkPolyDataMapper.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace
{

//------------------------------------------------------------------------------
std::set<vtkIdType> IdsOf(vtkDataObject* selection)
{
  std::set<vtkIdType> ids;
  for (vtkDataSet* leaf : vtkDEMSprites::Leaves(selection))
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
// The facets of the grains with these Ids, scaled about the middle of each grain.
vtkSmartPointer<vtkPolyData> ShellsOf(vtkDataObject* surfaces, const std::set<vtkIdType>& ids)
{
  struct Facet
  {
    vtkDataSet* Surface;
    vtkIdType Cell;
  };
  struct Grain
  {
    double Sum[3] = { 0, 0, 0 }; // of the corners of its facets
    double Corners = 0;
    std::vector<Facet> Facets;
  };
  std::map<vtkIdType, Grain> grains;
  vtkNew<vtkIdList> corners;
  for (vtkDataSet* surface : vtkDEMSprites::Leaves(surfaces))
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

//------------------------------------------------------------------------------
vtkSmartPointer<vtkActor> ActorOf(vtkMapper* mapper)
{
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  return actor;
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMShapesRepresentation);

//------------------------------------------------------------------------------
vtkDEMShapesRepresentation::vtkDEMShapesRepresentation()
  : vtkDEMShapesRepresentation(vtkSmartPointer<vtkPolyDataMapper>::New())
{
}

//------------------------------------------------------------------------------
vtkDEMShapesRepresentation::vtkDEMShapesRepresentation(vtkSmartPointer<vtkPolyDataMapper> mapper)
  : Superclass(ActorOf(mapper))
  , Mapper(std::move(mapper))
{
}

//------------------------------------------------------------------------------
vtkDEMShapesRepresentation::~vtkDEMShapesRepresentation() = default;

//------------------------------------------------------------------------------
void vtkDEMShapesRepresentation::MakeShells(vtkDataObject* selected, vtkDataObject* shown)
{
  this->Mapper->SetInputDataObject(ShellsOf(shown, IdsOf(selected)));
}

//------------------------------------------------------------------------------
void vtkDEMShapesRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
}
