#include "vtkDEMShapes.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMShapeInput.h"
#include "Core/Error.h"
#include "Scene/ShapeText.h"
#include "detail/vtkDEMLabels.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkFieldData.h"
#include "vtkFloatArray.h"
#include "vtkIdList.h"
#include "vtkIdTypeArray.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkSMPTools.h"
#include "vtkSmartPointer.h"

#include <cmath>
#include <string>
#include <vector>

namespace
{

using vtkDEMArrays::Number;

//------------------------------------------------------------------------------
dem::Quaternion<double> Turn(vtkDataArray* orientation, vtkIdType i)
{
  if (!orientation)
  {
    return {};
  }
  return { orientation->GetComponent(i, 0), orientation->GetComponent(i, 1),
    orientation->GetComponent(i, 2), orientation->GetComponent(i, 3) };
}

//------------------------------------------------------------------------------
// The surface of each shape that the input defines.
struct Templates
{
  std::vector<dem::ShapeSurface> Surfaces;
  std::vector<double> Radii; // of the spheres of equal volume, m

  Templates(vtkPointSet* input, int resolution)
  {
    for (const dem::Shape& shape :
      vtkDEMShapeInput::Read(input ? input->GetFieldData() : nullptr, "The grains"))
    {
      this->Surfaces.push_back(dem::shapeSurface(shape, resolution));
      this->Radii.push_back(dem::equalRadius(shape));
    }
  }
};

//------------------------------------------------------------------------------
// The grains of the input, all valid, and where the surface of each goes in the output.
struct Grains
{
  vtkPointSet* Input;
  vtkIdType Size;
  vtkDataArray* Radius;
  vtkDataArray* Orientation; // or null
  std::vector<int> Shapes;
  std::vector<vtkIdType> FirstPoint, FirstCell; // one more than grains

  // Throws dem::Error.
  Grains(vtkPointSet* input, const Templates& templates)
    : Input(input)
    , Size(input ? input->GetNumberOfPoints() : 0)
    , Radius(this->FindArray("Radius", 1, true))
    , Orientation(this->FindArray("Orientation", 4, false))
    , Shapes(static_cast<std::size_t>(this->Size))
    , FirstPoint(static_cast<std::size_t>(this->Size) + 1)
    , FirstCell(static_cast<std::size_t>(this->Size) + 1)
  {
    vtkDataArray* shape = this->FindArray("Shape", 1, false);
    for (vtkIdType i = 0; i < this->Size; ++i)
    {
      const auto k = static_cast<std::size_t>(i);
      const double number = shape ? shape->GetComponent(i, 0) : 0;
      if (!(number >= 0 && number < static_cast<double>(templates.Surfaces.size()) &&
            number == std::floor(number)))
      {
        throw dem::Error("Point " + std::to_string(i) + " has Shape " + Number(number) + ", but " +
          std::to_string(templates.Surfaces.size()) +
          " are defined, counted from 0 (field data ShapeDefinitions; 0 = sphere).");
      }
      this->CheckGrain(i);
      this->Shapes[k] = static_cast<int>(number);
      const dem::ShapeSurface& s = templates.Surfaces[static_cast<std::size_t>(this->Shapes[k])];
      this->FirstPoint[k + 1] = this->FirstPoint[k] + static_cast<vtkIdType>(s.points.size());
      this->FirstCell[k + 1] = this->FirstCell[k] + static_cast<vtkIdType>(s.triangles.size());
    }
  }

private:
  vtkDataArray* FindArray(const char* name, int components, bool needed) const
  {
    vtkDataArray* array = this->Input ? this->Input->GetPointData()->GetArray(name) : nullptr;
    if (this->Size > 0 &&
      ((needed && !array) || (array && array->GetNumberOfComponents() != components)))
    {
      throw dem::Error("The grains need a point array \"" + std::string(name) + "\" with " +
        std::to_string(components) + (components == 1 ? " component." : " components."));
    }
    return array;
  }

  void CheckGrain(vtkIdType i) const
  {
    const double r = this->Radius->GetComponent(i, 0);
    if (!(r > 0) || !std::isfinite(r))
    {
      throw dem::Error(
        "Point " + std::to_string(i) + " has Radius " + Number(r) + ", it must be above 0.");
    }
    const dem::Quaternion<double> q = Turn(this->Orientation, i);
    const double length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(length2 > 1e-12) || !std::isfinite(length2))
    {
      throw dem::Error(
        "Point " + std::to_string(i) + " has an Orientation that is no quaternion (w x y z).");
    }
  }
};

//------------------------------------------------------------------------------
// Writes the surfaces of all grains, each in its place. `grainOfCell` becomes the grain of each
// cell.
void FillSurfaces(
  const Grains& grains, const Templates& templates, vtkPolyData* output, vtkIdList* grainOfCell)
{
  const vtkIdType points = grains.FirstPoint.back();
  const vtkIdType cells = grains.FirstCell.back();
  vtkNew<vtkFloatArray> places;
  places->SetNumberOfComponents(3);
  places->SetNumberOfTuples(points);
  vtkNew<vtkFloatArray> normals;
  normals->SetName("Normals");
  normals->SetNumberOfComponents(3);
  normals->SetNumberOfTuples(points);
  vtkNew<vtkIdTypeArray> offsets;
  offsets->SetNumberOfValues(cells + 1);
  vtkNew<vtkIdTypeArray> corners;
  corners->SetNumberOfValues(3 * cells);
  grainOfCell->SetNumberOfIds(cells);
  offsets->SetValue(cells, 3 * cells);
  vtkSMPTools::For(0, grains.Size,
    [&](vtkIdType begin, vtkIdType end)
    {
      for (vtkIdType i = begin; i < end; ++i)
      {
        const auto k = static_cast<std::size_t>(i);
        const auto which = static_cast<std::size_t>(grains.Shapes[k]);
        const dem::ShapeSurface& s = templates.Surfaces[which];
        double x[3];
        grains.Input->GetPoint(i, x);
        const dem::Quaternion<double> q = dem::normalized(Turn(grains.Orientation, i));
        const double scale = grains.Radius->GetComponent(i, 0) / templates.Radii[which];
        float* place = places->GetPointer(3 * grains.FirstPoint[k]);
        float* normal = normals->GetPointer(3 * grains.FirstPoint[k]);
        for (std::size_t p = 0; p < s.points.size(); ++p)
        {
          const dem::Vec3d a = dem::rotate(q, s.points[p]);
          const dem::Vec3d n = dem::rotate(q, s.normals[p]);
          for (int c = 0; c < 3; ++c)
          {
            *place++ = static_cast<float>(x[c] + scale * a[c]);
            *normal++ = static_cast<float>(n[c]);
          }
        }
        for (std::size_t t = 0; t < s.triangles.size(); ++t)
        {
          const vtkIdType cell = grains.FirstCell[k] + static_cast<vtkIdType>(t);
          offsets->SetValue(cell, 3 * cell);
          grainOfCell->SetId(cell, i);
          for (int c = 0; c < 3; ++c)
          {
            corners->SetValue(
              3 * cell + c, grains.FirstPoint[k] + s.triangles[t][static_cast<std::size_t>(c)]);
          }
        }
      }
    });

  vtkNew<vtkPoints> outputPoints;
  outputPoints->SetData(places);
  output->SetPoints(outputPoints);
  vtkNew<vtkCellArray> triangles;
  triangles->SetData(offsets, corners);
  output->SetPolys(triangles);
  output->GetPointData()->SetNormals(normals);
}

//------------------------------------------------------------------------------
// The point arrays of the grains as cell arrays of their surfaces, and their field data.
void PassArrays(vtkPointSet* input, vtkIdList* grainOfCell, vtkPolyData* output)
{
  vtkPointData* of = input->GetPointData();
  for (int a = 0; a < of->GetNumberOfArrays(); ++a)
  {
    vtkAbstractArray* from = of->GetAbstractArray(a);
    auto to = vtkSmartPointer<vtkAbstractArray>::Take(from->NewInstance());
    to->SetName(from->GetName());
    to->SetNumberOfComponents(from->GetNumberOfComponents());
    for (int c = 0; from->HasAComponentName() && c < from->GetNumberOfComponents(); ++c)
    {
      to->SetComponentName(c, from->GetComponentName(c));
    }
    to->SetNumberOfTuples(grainOfCell->GetNumberOfIds());
    from->GetTuples(grainOfCell, to);
    output->GetCellData()->AddArray(to);
  }
  if (of->GetScalars() && of->GetScalars()->GetName())
  {
    output->GetCellData()->SetActiveScalars(of->GetScalars()->GetName());
  }
  output->GetFieldData()->PassData(input->GetFieldData());
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMShapes);

//------------------------------------------------------------------------------
vtkDEMShapes::vtkDEMShapes() = default;

//------------------------------------------------------------------------------
vtkDEMShapes::~vtkDEMShapes() = default;

//------------------------------------------------------------------------------
int vtkDEMShapes::FillInputPortInformation(int vtkNotUsed(port), vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPointSet");
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMShapes::RequestData(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkPointSet* input = vtkPointSet::GetData(inputVector[0], 0);
  vtkPolyData* output = vtkPolyData::GetData(outputVector, 0);
  try
  {
    if (input)
    {
      vtkDEMArrays::RequireWholeArrays(input, "The grains");
    }
    const Templates templates(input, this->Resolution);
    const Grains grains(input, templates);
    vtkNew<vtkIdList> grainOfCell;
    FillSurfaces(grains, templates, output, grainOfCell);
    if (input)
    {
      PassArrays(input, grainOfCell, output);
    }
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    output->Initialize();
  }
  return 1;
}

//------------------------------------------------------------------------------
std::vector<vtkSmartPointer<vtkPolyData>> vtkDEMShapes::MakeGlyphs(
  vtkFieldData* data, int resolution)
{
  std::vector<vtkSmartPointer<vtkPolyData>> glyphs;
  try
  {
    const std::vector<dem::Shape> shapes = vtkDEMShapeInput::Read(data, "The grains");
    if (shapes.size() < 2)
    {
      return glyphs;
    }
    for (const dem::Shape& shape : shapes)
    {
      const dem::ShapeSurface surface = dem::shapeSurface(shape, resolution);
      vtkNew<vtkPoints> points;
      vtkNew<vtkFloatArray> normals;
      normals->SetName("Normals");
      normals->SetNumberOfComponents(3);
      vtkNew<vtkCellArray> triangles;
      for (std::size_t p = 0; p < surface.points.size(); ++p)
      {
        const dem::Vec3d& x = surface.points[p];
        const dem::Vec3d& n = surface.normals[p];
        points->InsertNextPoint(x.x, x.y, x.z);
        normals->InsertNextTuple3(n.x, n.y, n.z);
      }
      for (const auto& t : surface.triangles)
      {
        const vtkIdType corners[3] = { t[0], t[1], t[2] };
        triangles->InsertNextCell(3, corners);
      }
      glyphs.push_back(vtkSmartPointer<vtkPolyData>::New());
      glyphs.back()->SetPoints(points);
      glyphs.back()->SetPolys(triangles);
      glyphs.back()->GetPointData()->SetNormals(normals);
    }
  }
  catch (const std::exception&)
  {
    glyphs.clear();
  }
  return glyphs;
}

//------------------------------------------------------------------------------
void vtkDEMShapes::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Resolution: " << this->Resolution << endl;
}
