#include "vtkDEMCoarseGraining.h"

#include "Analysis/CoarseGraining.h"
#include "Analysis/SphereBounds.h"
#include "Core/Error.h"
#include "detail/vtkDEMAveraging.h"

#include "vtkDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPointSet.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

//------------------------------------------------------------------------------
// The averager keeps its memory between requests.
class vtkDEMCoarseGraining::Engine
{
public:
  explicit Engine(const dem::Device& device)
    : Average(device)
  {
  }
  dem::CoarseGraining Average;
};

//------------------------------------------------------------------------------
class vtkDEMCoarseGraining::Averaging : public vtkDEMAveraging
{
public:
  explicit Averaging(vtkDEMCoarseGraining* filter)
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
    constexpr dem::SmoothingKernel kernels[] = { dem::SmoothingKernel::Heaviside,
      dem::SmoothingKernel::Gauss, dem::SmoothingKernel::Lucy };
    this->Options.kernel = kernels[this->Filter->Kernel];
    this->Options.density = this->Density;
    this->Options.memory_limit = this->MemoryLimit;

    const dem::SphereBounds box = dem::sphereBounds(grains, this->Device);
    const bool any = grains.size > 0;
    const double radius = box.mean_radius;
    const double width = this->Filter->Width;
    if (!(width >= 0 && std::isfinite(width)))
    {
      throw dem::Error(
        "Width is " + vtkDEMNumber(width) + " m; it must be above 0, or 0 = automatic.");
    }
    const double automatic = this->Filter->Kernel == GAUSS ? radius : 3 * radius;
    this->Options.width = width > 0 ? width : (any ? automatic : 1);

    vtkDataSet* given = vtkDataSet::GetData(inputVector[2], 0);
    if (given)
    {
      this->Take(given);
    }
    else
    {
      const double reach = dem::smoothingReach(this->Options.kernel, this->Options.width);
      double bounds[6];
      for (int k = 0; k < 3; ++k)
      {
        bounds[2 * k] = box.lower[k] - reach;
        bounds[2 * k + 1] = box.upper[k] + reach;
        if (this->Filter->Dimensions[k] < 2)
        {
          throw dem::Error("Dimensions are " + std::to_string(this->Filter->Dimensions[k]) +
            " along an axis; there must be 2 points or more on each. For a plane or a line connect "
            "one "
            "to SamplingPoints.");
        }
      }
      this->SetImage(bounds, any);
    }
    const auto fields = dem::coarseGrainedFields(grains.temperature != nullptr);
    const auto places = static_cast<std::size_t>(this->Data->GetNumberOfPoints());
    if (this->InTime)
    {
      this->RequireInTime(static_cast<double>(places));
    }
    this->Arrays.Allocate(fields, places, this->InTime, this->Device);
  }

  void Compute(const dem::Grains& grains, const dem::GrainContacts* contacts) override
  {
    dem::CoarseGrainedFields fields;
    fields.memory = this->Arrays.GetMemory();
    const auto pointers = dem::pointersOf(fields);
    for (std::size_t f = 0; f < this->Arrays.GetNumberOfFields(); ++f)
    {
      *pointers[f] = this->Arrays.GetPointer(f);
    }
    this->Filter->Kept->Average.compute(
      grains, contacts, this->Points, this->Arrays.GetNumberOfPlaces(), this->Options, fields);
    this->Arrays.AddOutput(grains, contacts, this->Continuum);
  }

  void Finish(vtkInformationVector* outputVector) override
  {
    vtkInformation* info = outputVector->GetInformationObject(0);
    vtkDataSet* output = vtkDataSet::GetData(info);
    output->CopyStructure(this->Data);
    this->Arrays.Finish(output->GetPointData(), {});
    output->GetPointData()->SetActiveScalars("SolidFraction");
  }

private:
  void RequireInTime(double points)
  {
    dem::requireMemory("Averaging in time at " + vtkDEMNumber(points) + " points",
      dem::CoarseGraining::bytes(points) +
        dem::TimeAverage::bytes(dem::coarseGrainedFields(true), points),
      this->MemoryLimit, "Use fewer points, or raise MemoryLimit.");
  }

  void Take(vtkDataSet* given)
  {
    this->Data = vtkSmartPointer<vtkDataSet>::Take(given->NewInstance());
    this->Data->CopyStructure(given);
    auto* set = vtkPointSet::SafeDownCast(given);
    auto* points =
      set && set->GetPoints() ? vtkDoubleArray::SafeDownCast(set->GetPoints()->GetData()) : nullptr;
    if (points)
    {
      this->Coordinates = points;
    }
    else
    {
      this->FillCoordinates();
    }
    this->Points = this->Coordinates->GetPointer(0);
  }

  void SetImage(const double bounds[6], bool any)
  {
    const int* size = this->Filter->Dimensions;
    vtkNew<vtkImageData> image;
    image->SetExtent(0, -1, 0, -1, 0, -1);
    if (any)
    {
      dem::CoarseGraining::require(1.0 * size[0] * size[1] * size[2], this->Options);
      image->SetDimensions(size);
      image->SetOrigin(bounds[0], bounds[2], bounds[4]);
      image->SetSpacing((bounds[1] - bounds[0]) / (size[0] - 1),
        (bounds[3] - bounds[2]) / (size[1] - 1), (bounds[5] - bounds[4]) / (size[2] - 1));
    }
    this->Data = image;
    this->FillCoordinates();
  }

  void FillCoordinates()
  {
    const vtkIdType count = this->Data->GetNumberOfPoints();
    dem::CoarseGraining::require(static_cast<double>(count), this->Options);
    this->Coordinates = vtkSmartPointer<vtkDoubleArray>::New();
    this->Coordinates->SetNumberOfComponents(3);
    this->Coordinates->SetNumberOfTuples(count);
    for (vtkIdType i = 0; i < count; ++i)
    {
      this->Data->GetPoint(i, this->Coordinates->GetPointer(3 * i));
    }
    this->Points = this->Coordinates->GetPointer(0);
  }

  vtkDEMCoarseGraining* Filter;
  dem::CoarseGrainingOptions Options;
  vtkSmartPointer<vtkDataSet> Data; // structure only
  vtkSmartPointer<vtkDoubleArray> Coordinates;
  const double* Points = nullptr;
  vtkDEMAveragedArrays Arrays;
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMCoarseGraining);

//------------------------------------------------------------------------------
vtkDEMCoarseGraining::vtkDEMCoarseGraining()
{
  this->SetNumberOfInputPorts(3);
  this->SetNumberOfOutputPorts(1);
}

//------------------------------------------------------------------------------
vtkDEMCoarseGraining::~vtkDEMCoarseGraining() = default;

//------------------------------------------------------------------------------
int vtkDEMCoarseGraining::FillOutputPortInformation(int vtkNotUsed(port), vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataSet");
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMCoarseGraining::RequestDataObject(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkDataSet* given = vtkDataSet::GetData(inputVector[2], 0);
  vtkInformation* info = outputVector->GetInformationObject(0);
  vtkDataSet* output = vtkDataSet::GetData(info);
  const char* wanted = given ? given->GetClassName() : "vtkImageData";
  if (!output || std::string(output->GetClassName()) != wanted)
  {
    auto made = given ? vtkSmartPointer<vtkDataSet>::Take(given->NewInstance())
                      : vtkSmartPointer<vtkDataSet>(vtkSmartPointer<vtkImageData>::New());
    info->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMCoarseGraining::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  vtkInformation* info = outputVector->GetInformationObject(0);
  vtkInformation* given = inputVector[2]->GetInformationObject(0);
  if (given && given->Has(SDDP::WHOLE_EXTENT()))
  {
    info->CopyEntry(given, SDDP::WHOLE_EXTENT());
    info->CopyEntry(given, vtkDataObject::ORIGIN());
    info->CopyEntry(given, vtkDataObject::SPACING());
  }
  else if (!given)
  {
    const int extent[6] = { 0, this->Dimensions[0] - 1, 0, this->Dimensions[1] - 1, 0,
      this->Dimensions[2] - 1 };
    info->Set(SDDP::WHOLE_EXTENT(), extent, 6);
  }
  return this->Superclass::RequestInformation(request, inputVector, outputVector);
}

//------------------------------------------------------------------------------
std::unique_ptr<vtkDEMAveraging> vtkDEMCoarseGraining::NewAveraging()
{
  return std::make_unique<Averaging>(this);
}

//------------------------------------------------------------------------------
void vtkDEMCoarseGraining::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Kernel: " << this->Kernel << endl;
  os << indent << "Width: " << this->Width << endl;
  os << indent << "Dimensions: " << this->Dimensions[0] << " " << this->Dimensions[1] << " "
     << this->Dimensions[2] << endl;
}
