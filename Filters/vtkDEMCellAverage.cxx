#include "vtkDEMCellAverage.h"

#include "Analysis/CellAverage.h"
#include "Analysis/SphereBounds.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMGrainNames.h"
#include "Core/Error.h"
#include "detail/vtkDEMAveraging.h"

#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkExecutive.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMatrix3x3.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace
{

constexpr const char* AxisNames[] = { "X", "Y", "Z" };
constexpr int MostDefaultCells = 20;     // on an axis
constexpr double LeastDefaultCell = 2.5; // mean diameters; smaller cells show single grains

//------------------------------------------------------------------------------
// Error bars for each slab and field, two standard errors to either side of the mean: the corners
// of a line with caps. A chart interrupts the line at NaN.
void FillErrorBars(vtkTable* profile, vtkTable* bars)
{
  constexpr int corners = 7;
  constexpr double side[corners] = { -1, 1, 0, 0, -1, 1, 0 };
  constexpr double end[corners] = { -1, -1, -1, 1, 1, 1, 0 };
  constexpr double cap = 0.15; // length of a cap over the height of the slab
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  const auto add =
    [&](vtkDataArray* like, const std::string& name, vtkDataArray* error, vtkDataArray* width)
  {
    vtkNew<vtkDoubleArray> column;
    column->SetName(name.c_str());
    column->SetNumberOfComponents(like->GetNumberOfComponents());
    for (int k = 0; like->HasAComponentName() && k < like->GetNumberOfComponents(); ++k)
    {
      column->SetComponentName(k, like->GetComponentName(k));
    }
    column->SetNumberOfTuples(corners * like->GetNumberOfTuples());
    for (vtkIdType i = 0; i < like->GetNumberOfTuples(); ++i)
    {
      for (int c = 0; c < corners; ++c)
      {
        for (int k = 0; k < like->GetNumberOfComponents(); ++k)
        {
          const double shift = error ? 2 * end[c] * error->GetComponent(i, k)
                                     : cap * side[c] * width->GetComponent(i, 0);
          column->SetComponent(
            corners * i + c, k, c + 1 < corners ? like->GetComponent(i, k) + shift : gap);
        }
      }
    }
    bars->AddColumn(column);
  };
  vtkDataSetAttributes* rows = profile->GetRowData();
  vtkDataArray* height = rows->GetArray("Height");
  vtkNew<vtkDoubleArray> width;
  for (vtkIdType i = 0; i < height->GetNumberOfTuples(); ++i)
  {
    width->InsertNextValue(
      rows->GetArray("Upper")->GetComponent(i, 0) - rows->GetArray("Lower")->GetComponent(i, 0));
  }
  add(height, "Height", nullptr, width);
  for (int i = 0; i < rows->GetNumberOfArrays(); ++i)
  {
    const std::string name = rows->GetArrayName(i);
    if (vtkDataArray* error = rows->GetArray((name + "StandardError").c_str()))
    {
      add(rows->GetArray(i), name + "Bar", error, nullptr);
    }
  }
}

} // namespace

//------------------------------------------------------------------------------
// The averager keeps its memory between requests.
class vtkDEMCellAverage::Engine
{
public:
  explicit Engine(const dem::Device& device)
    : Average(device)
  {
  }
  dem::CellAverage Average;
};

//------------------------------------------------------------------------------
class vtkDEMCellAverage::Averaging : public vtkDEMAveraging
{
public:
  explicit Averaging(vtkDEMCellAverage* filter)
    : Filter(filter)
  {
  }

  void Start(vtkInformationVector** inputVector, const dem::Grains& grains) override
  {
    std::unique_ptr<Engine>& engine = this->Filter->Kept;
    if (!engine || engine->Average.device().name != this->Device.name)
    {
      engine = std::make_unique<Engine>(this->Device);
    }
    this->Options.share = this->Filter->GrainShare == EXACT_OVERLAP ? dem::GrainShare::Overlap
                                                                    : dem::GrainShare::Centre;
    this->Options.species = static_cast<int>(this->Species.size());
    this->Options.density = this->Density;
    this->Options.memory_limit = this->MemoryLimit;

    const auto fields =
      dem::cellAverageFields(this->Options.species, grains.temperature != nullptr);
    this->Empty = !this->ChooseGrid(inputVector, grains);
    if (!this->Empty)
    {
      const double cells = this->Size[0] * this->Size[1] * this->Size[2];
      dem::CellAverage::require(this->Size, this->Options);
      if (this->InTime)
      {
        dem::requireMemory("Averaging in time over " + vtkDEMNumber(cells) + " cells",
          dem::CellAverage::bytes(cells, this->Options.species) +
            dem::TimeAverage::bytes(fields, cells),
          this->MemoryLimit, "Use larger cells, or raise MemoryLimit.");
      }
      const int size[3] = { static_cast<int>(this->Size[0]), static_cast<int>(this->Size[1]),
        static_cast<int>(this->Size[2]) };
      this->Grid = dem::uniformGrid(this->Lower, this->Upper, size);
      for (int k = 0; k < 3; ++k)
      {
        this->Grid.periodic[k] = this->Filter->Periodic[k] != 0;
      }
      this->ChooseSlabs();
    }
    this->InCells.Allocate(
      fields, this->Empty ? 0 : this->Grid.cells(), this->InTime, this->Device);
    this->NoSlabs = this->Empty || this->TableIsElsewhere;
    this->InSlabs.Allocate(
      fields, this->NoSlabs ? 0 : this->Slabs.cells(), this->InTime, this->Device);
  }

  void Compute(const dem::Grains& grains, const dem::GrainContacts* contacts) override
  {
    if (this->Empty)
    {
      return;
    }
    const auto compute = [&](const dem::CellGrid& grid, vtkDEMAveragedArrays& arrays)
    {
      dem::CellAverageFields fields;
      fields.memory = arrays.GetMemory();
      const auto pointers = dem::pointersOf(fields);
      for (std::size_t f = 0; f < arrays.GetNumberOfFields(); ++f)
      {
        *pointers[f] = arrays.GetPointer(f);
      }
      this->Filter->Kept->Average.compute(grains, contacts, grid, this->Options, fields);
      arrays.AddOutput(grains, contacts, this->Continuum);
    };
    compute(this->Grid, this->InCells);
    if (!this->NoSlabs)
    {
      compute(this->Slabs, this->InSlabs);
    }
  }

  void Finish(vtkInformationVector* outputVector) override
  {
    vtkImageData* image = vtkImageData::GetData(outputVector, 0);
    int extent[6] = { 0, -1, 0, -1, 0, -1 };
    double spacing[3] = { 1, 1, 1 };
    for (int k = 0; k < 3 && !this->Empty; ++k)
    {
      extent[2 * k] = this->First[k];
      extent[2 * k + 1] = this->First[k] + static_cast<int>(this->Size[k]);
      spacing[k] = (this->Upper[k] - this->Lower[k]) / this->Size[k];
    }
    if (this->GridGiven)
    {
      image->SetOrigin(this->Origin);
      image->SetSpacing(this->Spacing);
    }
    else
    {
      image->SetOrigin(this->Empty ? spacing : this->Lower);
      image->SetSpacing(spacing);
    }
    image->SetExtent(extent);
    this->InCells.Finish(image->GetCellData(), this->Species);
    image->GetCellData()->SetActiveScalars("SolidFraction");
    vtkTable* table = vtkTable::GetData(outputVector, 1);
    const auto& planes = this->Slabs.edges[this->Filter->ProfileAxis];
    const auto slabs = static_cast<vtkIdType>(this->InSlabs.GetNumberOfPlaces());
    const char* names[3] = { "Height", "Lower", "Upper" };
    for (int column = 0; column < 3; ++column)
    {
      vtkNew<vtkDoubleArray> array;
      array->SetName(names[column]);
      for (vtkIdType i = 0; i < slabs; ++i)
      {
        const double values[3] = { 0.5 * (planes[i] + planes[i + 1]), planes[i], planes[i + 1] };
        array->InsertNextValue(values[column]);
      }
      table->GetRowData()->AddArray(array);
    }
    this->InSlabs.Finish(table->GetRowData(), this->Species);
    FillErrorBars(table, vtkTable::GetData(outputVector, 2));
  }

private:
  // The number of cells is fixed before the grains are known, but their size is not. The grains are
  // covered by the largest number of cells of at least `least`; the other cells lie empty on both
  // sides of these.
  void EnlargeCells(int k, double least)
  {
    const double length = this->Upper[k] - this->Lower[k];
    const double used = std::clamp(std::floor(length / least), 1., this->Size[k]);
    const double rounding = 1 + 1e-9; // so that rounding moves no grain into an outer cell
    const double cell = rounding * std::max(length / used, least);
    const double center = 0.5 * (this->Lower[k] + this->Upper[k]);
    if (used < this->Size[k] || least > length)
    {
      this->SlabCells[k] = used;
      this->SlabLower[k] = center - 0.5 * used * cell;
      this->SlabUpper[k] = center + 0.5 * used * cell;
      const double before = std::floor(0.5 * (this->Size[k] - used));
      this->Lower[k] = this->SlabLower[k] - before * cell;
      this->Upper[k] = this->Lower[k] + this->Size[k] * cell;
    }
  }

  // Returns false without grains if nothing else defines the grid.
  bool ChooseGrid(vtkInformationVector** inputVector, const dem::Grains& grains)
  {
    vtkDataSet* given = vtkDataSet::GetData(inputVector[2], 0);
    if (given)
    {
      this->TakeGrid(given);
      return true;
    }
    const bool automatic = this->Filter->AutomaticBounds;
    const dem::SphereBounds box =
      automatic ? dem::sphereBounds(grains, this->Device) : dem::SphereBounds{};
    double bounds[6];
    for (int k = 0; k < 3; ++k)
    {
      if (automatic && this->Filter->Periodic[k])
      {
        throw dem::Error("The grid is periodic along " + std::string(AxisNames[k]) +
          ", but its bounds follow the grains. Switch AutomaticBounds off and set Bounds to the "
          "period.");
      }
    }
    if (automatic && grains.size == 0)
    {
      return false;
    }
    for (int k = 0; k < 3; ++k)
    {
      bounds[2 * k] = automatic ? box.lower[k] : this->Filter->Bounds[2 * k];
      bounds[2 * k + 1] = automatic ? box.upper[k] : this->Filter->Bounds[2 * k + 1];
    }
    this->Filter->GetCells(this->Size);
    for (int k = 0; k < 3; ++k)
    {
      this->Lower[k] = this->SlabLower[k] = bounds[2 * k];
      this->Upper[k] = this->SlabUpper[k] = bounds[2 * k + 1];
      this->SlabCells[k] = this->Size[k];
      if (automatic && this->Filter->Dimensions[k] == 0)
      {
        this->EnlargeCells(k, 2 * LeastDefaultCell * box.mean_radius);
      }
    }
    return true;
  }

  void TakeGrid(vtkDataSet* given)
  {
    auto* image = vtkImageData::SafeDownCast(given);
    if (!image)
    {
      throw dem::Error("The grid is a " + std::string(given->GetClassName()) +
        "; it must be a vtkImageData. Use Resample To Image, or the filter's own Bounds.");
    }
    if (!image->GetDirectionMatrix()->IsIdentity())
    {
      throw dem::Error(
        "The grid's axes are turned by its direction matrix; cells must lie along x, y and z.");
    }
    int extent[6];
    image->GetExtent(extent);
    image->GetOrigin(this->Origin);
    image->GetSpacing(this->Spacing);
    for (int k = 0; k < 3; ++k)
    {
      if (extent[2 * k + 1] <= extent[2 * k])
      {
        int points[3];
        image->GetDimensions(points);
        throw dem::Error("The grid has " + std::to_string(points[0]) + " x " +
          std::to_string(points[1]) + " x " + std::to_string(points[2]) + " points: along " +
          AxisNames[k] +
          " it is a plane, whose cells have no volume. Give it two points or more on each axis.");
      }
      if (!(this->Spacing[k] > 0))
      {
        throw dem::Error("The grid's spacing is " + vtkDEMNumber(this->Spacing[k]) + " m along " +
          AxisNames[k] + "; it must be above 0.");
      }
      this->First[k] = extent[2 * k];
      this->Size[k] = extent[2 * k + 1] - extent[2 * k];
      this->Lower[k] = this->Origin[k] + extent[2 * k] * this->Spacing[k];
      this->Upper[k] = this->Origin[k] + extent[2 * k + 1] * this->Spacing[k];
      this->SlabLower[k] = this->Lower[k];
      this->SlabUpper[k] = this->Upper[k];
      this->SlabCells[k] = this->Size[k];
    }
    this->GridGiven = true;
  }

  void ChooseSlabs()
  {
    const int axis = this->Filter->ProfileAxis;
    this->Slabs = this->Grid;
    for (int k = 0; k < 3; ++k)
    {
      if (k != axis)
      {
        this->Slabs.edges[k] = { this->SlabLower[k], this->SlabUpper[k] };
      }
      else if (this->SlabCells[k] < this->Size[k])
      {
        this->Slabs.edges[k].clear();
        for (int i = 0; i <= static_cast<int>(this->SlabCells[k]); ++i)
        {
          const double part = i / this->SlabCells[k];
          this->Slabs.edges[k].push_back(
            (1 - part) * this->SlabLower[k] + part * this->SlabUpper[k]);
        }
      }
    }
    const std::vector<double>& heights = this->Filter->ProfileHeights;
    if (heights.empty())
    {
      return;
    }
    if (heights.size() < 2)
    {
      throw dem::Error("ProfileHeights holds one height, " + vtkDEMNumber(heights[0]) +
        " m; a slab lies between two. Give two or more, or none for the grid's own planes.");
    }
    for (std::size_t i = 1; i < heights.size(); ++i)
    {
      if (!(heights[i - 1] < heights[i]))
      {
        throw dem::Error("ProfileHeights must ascend, but " + vtkDEMNumber(heights[i - 1]) +
          " m is followed by " + vtkDEMNumber(heights[i]) + " m.");
      }
    }
    this->Slabs.edges[axis] = heights;
    this->Slabs.periodic[axis] = false;
  }

  vtkDEMCellAverage* Filter;
  dem::CellAverageOptions Options;
  bool Empty = false;
  bool NoSlabs = false;
  bool GridGiven = false;
  double Origin[3] = { 0, 0, 0 };
  double Spacing[3] = { 1, 1, 1 };
  int First[3] = { 0, 0, 0 };
  double Lower[3] = { 0, 0, 0 };
  double Upper[3] = { 0, 0, 0 };
  double Size[3] = { 0, 0, 0 };
  // The range of cells with grains, which the slabs of the profile cover; all cells unless the grid
  // was enlarged.
  double SlabLower[3] = { 0, 0, 0 };
  double SlabUpper[3] = { 0, 0, 0 };
  double SlabCells[3] = { 0, 0, 0 };
  dem::CellGrid Grid, Slabs;
  vtkDEMAveragedArrays InCells, InSlabs;
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMCellAverage);

//------------------------------------------------------------------------------
vtkDEMCellAverage::vtkDEMCellAverage()
{
  this->SetNumberOfInputPorts(3);
  this->SetNumberOfOutputPorts(3);
}

//------------------------------------------------------------------------------
vtkDEMCellAverage::~vtkDEMCellAverage() = default;

//------------------------------------------------------------------------------
void vtkDEMCellAverage::SetNumberOfProfileHeights(int number)
{
  const auto wanted = static_cast<std::size_t>(std::max(0, number));
  if (this->ProfileHeights.size() != wanted)
  {
    this->ProfileHeights.resize(wanted, 0);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMCellAverage::SetProfileHeight(int index, double height)
{
  if (index < 0)
  {
    return;
  }
  const auto i = static_cast<std::size_t>(index);
  if (i >= this->ProfileHeights.size())
  {
    this->ProfileHeights.resize(i + 1, 0);
    this->Modified();
  }
  if (this->ProfileHeights[i] != height)
  {
    this->ProfileHeights[i] = height;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMCellAverage::GetCells(double size[3])
{
  const double h = this->CellSize;
  if (!(h >= 0 && std::isfinite(h)))
  {
    throw dem::Error(
      "CellSize is " + vtkDEMNumber(h) + " m; it must be above 0, or 0 for Dimensions.");
  }
  if (h > 0 && this->AutomaticBounds)
  {
    throw dem::Error("CellSize is " + vtkDEMNumber(h) +
      " m, but AutomaticBounds is on: the number of cells would change with the grains. Switch it "
      "off "
      "and set Bounds, or set CellSize to 0 and use Dimensions.");
  }
  for (int k = 0; k < 3; ++k)
  {
    const double lower = this->Bounds[2 * k];
    const double upper = this->Bounds[2 * k + 1];
    if (!this->AutomaticBounds && !(lower < upper && std::isfinite(lower) && std::isfinite(upper)))
    {
      throw dem::Error("Bounds go from " + vtkDEMNumber(lower) + " m to " + vtkDEMNumber(upper) +
        " m along " + AxisNames[k] +
        ": that is no volume. The upper one must lie above the lower one.");
    }
    if (this->Dimensions[k] < 0)
    {
      throw dem::Error("Dimensions are " + std::to_string(this->Dimensions[k]) + " along " +
        AxisNames[k] + "; there must be 1 cell or more on each axis, or 0 for " +
        std::to_string(MostDefaultCells) + ".");
    }
    const int cells = this->Dimensions[k] > 0 ? this->Dimensions[k] : MostDefaultCells;
    size[k] = h > 0 ? std::max(1., std::round((upper - lower) / h)) : cells;
  }
}

//------------------------------------------------------------------------------
int* vtkDEMCellAverage::GetSuggestedDimensions()
{
  std::fill_n(this->SuggestedDimensions, 3, 0);
  const auto points = this->GetNumberOfInputConnections(0) > 0
    ? vtkDEMGrainInput::GetPoints(this->GetExecutive()->GetInputInformation(0))
    : nullptr;
  const vtkIdType count = points ? points->GetNumberOfPoints() : 0;
  if (count == 0)
  {
    return this->SuggestedDimensions;
  }
  double scale = 1;
  vtkDataArray* radius = vtkDEMGrainNames::FindRadius(points->GetPointData(), scale);
  if (!radius || radius->GetNumberOfTuples() != count)
  {
    return this->SuggestedDimensions;
  }
  double mean = 0;
  for (vtkIdType i = 0; i < count; ++i)
  {
    mean += scale * radius->GetComponent(i, 0) / count;
  }
  double bounds[6];
  points->GetBounds(bounds);
  for (int k = 0; k < 3; ++k)
  {
    const double length = this->AutomaticBounds ? bounds[2 * k + 1] - bounds[2 * k] + 2 * mean
                                                : this->Bounds[2 * k + 1] - this->Bounds[2 * k];
    const double cells = std::floor(length / (2 * LeastDefaultCell * mean));
    if (mean > 0 && std::isfinite(cells))
    {
      this->SuggestedDimensions[k] =
        static_cast<int>(std::clamp(cells, 1., static_cast<double>(MostDefaultCells)));
    }
  }
  return this->SuggestedDimensions;
}

//------------------------------------------------------------------------------
int vtkDEMCellAverage::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == 0 ? "vtkImageData" : "vtkTable");
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMCellAverage::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  vtkInformation* info = outputVector->GetInformationObject(0);
  vtkInformation* grid = inputVector[2]->GetInformationObject(0);
  int extent[6] = { 0, -1, 0, -1, 0, -1 };
  if (grid && grid->Has(SDDP::WHOLE_EXTENT()))
  {
    grid->Get(SDDP::WHOLE_EXTENT(), extent);
  }
  else
  {
    double size[3] = { 0, 0, 0 };
    try
    {
      this->GetCells(size);
    }
    catch (const dem::Error&)
    {
      // RequestData reports the error
    }
    for (int k = 0; k < 3; ++k)
    {
      extent[2 * k + 1] = static_cast<int>(std::min(size[k], 2e9));
    }
  }
  info->Set(SDDP::WHOLE_EXTENT(), extent, 6);
  return this->Superclass::RequestInformation(request, inputVector, outputVector);
}

//------------------------------------------------------------------------------
std::unique_ptr<vtkDEMAveraging> vtkDEMCellAverage::NewAveraging()
{
  return std::make_unique<Averaging>(this);
}

//------------------------------------------------------------------------------
void vtkDEMCellAverage::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "AutomaticBounds: " << this->AutomaticBounds << endl;
  os << indent << "Bounds: " << this->Bounds[0] << " " << this->Bounds[1] << " " << this->Bounds[2]
     << " " << this->Bounds[3] << " " << this->Bounds[4] << " " << this->Bounds[5] << endl;
  os << indent << "CellSize: " << this->CellSize << endl;
  os << indent << "Dimensions: " << this->Dimensions[0] << " " << this->Dimensions[1] << " "
     << this->Dimensions[2] << endl;
  os << indent << "GrainShare: " << this->GrainShare << endl;
  os << indent << "Periodic: " << this->Periodic[0] << " " << this->Periodic[1] << " "
     << this->Periodic[2] << endl;
  os << indent << "ProfileAxis: " << this->ProfileAxis << endl;
  os << indent << "ProfileHeights: " << this->ProfileHeights.size() << endl;
}
