#include "vtkDEMSlicesRepresentation.h"

#include "vtkDEMViewVersion.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkIdList.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkProperty.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>

namespace
{

//------------------------------------------------------------------------------
// The layer of cells or points at a fraction of the whole grid, counted from `first`.
int Layer(double part, int first, int count)
{
  return first + std::clamp(static_cast<int>(std::floor(part * count)), 0, count - 1);
}

//------------------------------------------------------------------------------
// Appends the slice across `axis` to `slices`. `whole` is the extent of the grid. `image` may be a
// piece of it without the slice.
void AddSlice(vtkImageData* image, const int whole[6], int axis, double part, vtkPolyData* slices,
  vtkIdList* points, vtkIdList* cells)
{
  int extent[6];
  image->GetExtent(extent);
  const int low = whole[2 * axis];
  const int high = whole[2 * axis + 1];
  const bool flat = high == low;
  const int cell = flat ? low : Layer(part, low, high - low);
  const int point = Layer(part, low, high - low + 1);
  const bool inside = flat || (cell >= extent[2 * axis] && cell < extent[2 * axis + 1]);
  if (!inside || point < extent[2 * axis] || point > extent[2 * axis + 1])
  {
    return;
  }
  const int u = (axis + 1) % 3;
  const int v = (axis + 2) % 3;
  const vtkIdType width = extent[2 * u + 1] - extent[2 * u] + 1;
  const vtkIdType height = extent[2 * v + 1] - extent[2 * v] + 1;
  if (width < 2 || height < 2)
  {
    return;
  }
  // A slice of cells lies in the middle of their layer, one of points in their plane.
  const bool ofCells = image->GetCellData()->GetNumberOfArrays() > 0;
  const double shift = ofCells && !flat ? (cell + 0.5 - point) * image->GetSpacing()[axis] : 0;
  const vtkIdType first = slices->GetPoints()->GetNumberOfPoints();
  int at[3];
  for (vtkIdType j = 0; j < height; ++j)
  {
    for (vtkIdType i = 0; i < width; ++i)
    {
      at[axis] = point;
      at[u] = extent[2 * u] + static_cast<int>(i);
      at[v] = extent[2 * v] + static_cast<int>(j);
      const vtkIdType id = image->ComputePointId(at);
      double x[3];
      image->GetPoint(id, x);
      x[axis] += shift;
      slices->GetPoints()->InsertNextPoint(x);
      points->InsertNextId(id);
    }
  }
  for (vtkIdType j = 0; j + 1 < height; ++j)
  {
    for (vtkIdType i = 0; i + 1 < width; ++i)
    {
      at[axis] = flat ? extent[2 * axis] : cell;
      at[u] = extent[2 * u] + static_cast<int>(i);
      at[v] = extent[2 * v] + static_cast<int>(j);
      cells->InsertNextId(image->ComputeCellId(at));
      const vtkIdType corner = first + j * width + i;
      const vtkIdType quad[4] = { corner, corner + 1, corner + width + 1, corner + width };
      slices->GetPolys()->InsertNextCell(4, quad);
    }
  }
}

//------------------------------------------------------------------------------
// Converts an image to slices for the superclass, which would show its outline or faces.
class SlicesFilter : public vtkDEMGeometryFilter
{
public:
  static SlicesFilter* New();
  vtkTypeMacro(SlicesFilter, vtkDEMGeometryFilter);

  double Positions[3] = { 0.5, 0.5, 0.5 };

protected:
  SlicesFilter() { this->SetUseOutline(0); }
  ~SlicesFilter() override = default;

  int RequestData(vtkInformation* request, vtkInformationVector** inputVector,
    vtkInformationVector* outputVector) override
  {
    vtkInformation* given = inputVector[0]->GetInformationObject(0);
    auto* image = vtkImageData::GetData(given);
    if (!image)
    {
      return this->Superclass::RequestData(request, inputVector, outputVector);
    }
    vtkNew<vtkPolyData> slices;
    vtkNew<vtkPoints> places;
    places->SetDataTypeToDouble();
    slices->SetPoints(places);
    vtkNew<vtkCellArray> quads;
    slices->SetPolys(quads);
    vtkNew<vtkIdList> points, cells;
    if (image->GetNumberOfPoints() > 0)
    {
      int whole[6], extent[6];
      image->GetExtent(extent);
      std::copy_n(extent, 6, whole);
      using SDDP = vtkStreamingDemandDrivenPipeline;
      if (given->Has(SDDP::WHOLE_EXTENT()))
      {
        given->Get(SDDP::WHOLE_EXTENT(), whole);
        for (int k = 0; k < 3; ++k)
        {
          if (whole[2 * k] > extent[2 * k] || whole[2 * k + 1] < extent[2 * k + 1])
          {
            std::copy_n(extent, 6, whole);
            break;
          }
        }
      }
      for (int axis = 0; axis < 3; ++axis)
      {
        if (this->Positions[axis] >= 0)
        {
          AddSlice(image, whole, axis, this->Positions[axis], slices, points, cells);
        }
      }
    }
    slices->GetPointData()->CopyAllocate(image->GetPointData(), points->GetNumberOfIds());
    slices->GetPointData()->CopyData(image->GetPointData(), points);
    slices->GetCellData()->CopyAllocate(image->GetCellData(), cells->GetNumberOfIds());
    slices->GetCellData()->CopyData(image->GetCellData(), cells);
    slices->GetFieldData()->PassData(image->GetFieldData());

    vtkNew<vtkInformation> information;
    information->Set(vtkDataObject::DATA_OBJECT(), slices);
    vtkNew<vtkInformationVector> replaced;
    replaced->Append(information);
    vtkInformationVector* inputs[1] = { replaced };
    return this->Superclass::RequestData(request, inputs, outputVector);
  }

private:
  SlicesFilter(const SlicesFilter&) = delete;
  void operator=(const SlicesFilter&) = delete;
};

vtkStandardNewMacro(SlicesFilter);

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMSlicesRepresentation);

//------------------------------------------------------------------------------
vtkDEMSlicesRepresentation::vtkDEMSlicesRepresentation()
{
  this->GeometryFilter->Delete();
  this->GeometryFilter = SlicesFilter::New();
  this->SetupDefaults();
}

//------------------------------------------------------------------------------
vtkDEMSlicesRepresentation::~vtkDEMSlicesRepresentation() = default;

//------------------------------------------------------------------------------
void vtkDEMSlicesRepresentation::SetSlicePositions(double x, double y, double z)
{
  const double wanted[3] = { x, y, z };
  if (!std::equal(wanted, wanted + 3, this->SlicePositions))
  {
    std::copy_n(wanted, 3, this->SlicePositions);
    std::copy_n(wanted, 3, static_cast<SlicesFilter*>(this->GeometryFilter)->Positions);
    this->GeometryFilter->Modified();
    this->MarkModified();
  }
}

//------------------------------------------------------------------------------
bool vtkDEMSlicesRepresentation::NeedsOrderedCompositing() { return false; }

//------------------------------------------------------------------------------
void vtkDEMSlicesRepresentation::UpdateColoringParameters()
{
  this->Superclass::UpdateColoringParameters();
  // No shading, which could be mistaken for values.
  this->Property->LightingOff();
  this->BackfaceProperty->LightingOff();
}

//------------------------------------------------------------------------------
void vtkDEMSlicesRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SlicePositions: " << this->SlicePositions[0] << " " << this->SlicePositions[1]
     << " " << this->SlicePositions[2] << endl;
}
