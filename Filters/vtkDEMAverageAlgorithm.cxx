#include "vtkDEMAverageAlgorithm.h"

#include "Analysis/ContactSearch.h"
#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Core/Error.h"
#include "detail/vtkDEMAveraging.h"

#include "vtkCommunicator.h"
#include "vtkDataObject.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <vector>

namespace
{

using SDDP = vtkStreamingDemandDrivenPipeline;

//------------------------------------------------------------------------------
std::string Number(double value)
{
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

//------------------------------------------------------------------------------
// As the input's field data names its materials, else by number.
std::vector<std::string> SpeciesNames(vtkPointSet* particles, const dem::Grains& grains)
{
  std::vector<std::string> names;
  auto* given = particles
    ? vtkStringArray::SafeDownCast(particles->GetFieldData()->GetAbstractArray("MaterialNames"))
    : nullptr;
  for (vtkIdType i = 0; given && i < given->GetNumberOfValues(); ++i)
  {
    names.push_back(given->GetValue(i));
  }
  int largest = 0;
  for (std::size_t i = 0; grains.material && i < grains.size; ++i)
  {
    largest = std::max(largest, static_cast<int>(grains.material[i]));
  }
  constexpr int most = 255;
  if (largest > most)
  {
    throw dem::Error("A grain has material " + std::to_string(largest) + "; no more than " +
      std::to_string(most) + " can be told apart.");
  }
  while (static_cast<int>(names.size()) <= largest)
  {
    names.push_back(std::to_string(names.size()));
  }
  return names;
}

} // namespace

//------------------------------------------------------------------------------
class vtkDEMAverageAlgorithm::Internals
{
public:
  // The outputs to read: first that of the time shown, from which the places are chosen, then all
  // of the window in ascending order, so that the input ends at the time shown.
  std::vector<double> Times;
  std::size_t Next = 0;
  bool Continues = false;
  std::string Error;
  std::unique_ptr<vtkDEMAveraging> Averaging;
};

//------------------------------------------------------------------------------
vtkDEMAverageAlgorithm::vtkDEMAverageAlgorithm()
  : Self(std::make_unique<Internals>())
{
}

//------------------------------------------------------------------------------
vtkDEMAverageAlgorithm::~vtkDEMAverageAlgorithm() = default;

//------------------------------------------------------------------------------
void vtkDEMAverageAlgorithm::SetContactConnection(vtkAlgorithmOutput* contacts)
{
  this->SetInputConnection(1, contacts);
}

//------------------------------------------------------------------------------
int vtkDEMAverageAlgorithm::FillInputPortInformation(int port, vtkInformation* info)
{
  if (port == 0)
  {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPointSet");
    return 1;
  }
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), port == 1 ? "vtkPolyData" : "vtkDataSet");
  info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMAverageAlgorithm::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  for (int port = 0; port < outputVector->GetNumberOfInformationObjects(); ++port)
  {
    outputVector->GetInformationObject(port)->Set(CAN_HANDLE_PIECE_REQUEST(), 1);
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMAverageAlgorithm::RequestUpdateExtent(vtkInformation* request,
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  Internals& self = *this->Self;
  vtkInformation* particles = inputVector[0]->GetInformationObject(0);
  if (!self.Continues)
  {
    self.Times.clear();
    self.Next = 0;
    self.Error.clear();
    const int port = std::max(0, request->Get(vtkExecutive::FROM_OUTPUT_PORT()));
    vtkInformation* out = outputVector->GetInformationObject(port);
    if (this->TimeWindow != 0 && particles)
    {
      try
      {
        const int count = particles->Length(SDDP::TIME_STEPS());
        const double* steps = particles->Get(SDDP::TIME_STEPS());
        if (!(this->TimeWindow > 0 && std::isfinite(this->TimeWindow)))
        {
          throw dem::Error("TimeWindow is " + Number(this->TimeWindow) + " s; it must be 0 or more.");
        }
        if (count == 0)
        {
          throw dem::Error("TimeWindow is " + Number(this->TimeWindow) +
            " s, but the particles have no time steps. Use 0, or an input that changes in time.");
        }
        const double run = steps[count - 1] - steps[0];
        const double slack = 1e-9 * std::max(std::abs(steps[0]), std::abs(steps[count - 1]));
        if (this->TimeWindow > run + slack)
        {
          throw dem::Error("TimeWindow is " + Number(this->TimeWindow) +
            " s, longer than the run, whose outputs go from " + Number(steps[0]) + " s to " +
            Number(steps[count - 1]) + " s. Use " + Number(run) + " s or less.");
        }
        const double asked =
          out->Has(SDDP::UPDATE_TIME_STEP()) ? out->Get(SDDP::UPDATE_TIME_STEP()) : steps[0];
        double shown = steps[0];
        for (int i = 0; i < count && steps[i] <= asked + slack; ++i)
        {
          shown = steps[i];
        }
        self.Times.push_back(shown);
        for (int i = 0; i < count; ++i)
        {
          if (steps[i] >= shown - this->TimeWindow - slack && steps[i] <= shown)
          {
            self.Times.push_back(steps[i]);
          }
        }
        if (self.Times.size() == 2)
        {
          self.Times.pop_back(); // the same twice
        }
      }
      catch (const std::exception& e)
      {
        self.Error = e.what();
      }
    }
  }
  if (self.Next < self.Times.size())
  {
    for (int port = 0; port < 2; ++port)
    {
      if (vtkInformation* input = inputVector[port]->GetInformationObject(0))
      {
        input->Set(SDDP::UPDATE_TIME_STEP(), self.Times[self.Next]);
      }
    }
  }
  // Of what says where to average, all is needed whatever part of the output is asked for.
  for (int port = 2; port < this->GetNumberOfInputPorts(); ++port)
  {
    vtkInformation* input = inputVector[port]->GetInformationObject(0);
    if (input && input->Has(SDDP::WHOLE_EXTENT()))
    {
      input->Set(SDDP::UPDATE_EXTENT(), input->Get(SDDP::WHOLE_EXTENT()), 6);
    }
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMAverageAlgorithm::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  Internals& self = *this->Self;
  bool more = false;
  try
  {
    if (!self.Error.empty())
    {
      throw dem::Error(self.Error);
    }
    this->Take(inputVector, outputVector);
    more = ++self.Next < self.Times.size();
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< e.what());
    self.Averaging.reset();
  }
  const bool failed = !self.Averaging;
  self.Continues = more;
  if (more)
  {
    this->UpdateProgress(static_cast<double>(self.Next) / static_cast<double>(self.Times.size()));
    request->Set(SDDP::CONTINUE_EXECUTING(), 1);
  }
  else
  {
    request->Remove(SDDP::CONTINUE_EXECUTING());
    self.Averaging.reset();
    self.Times.clear();
    self.Next = 0;
  }
  return failed ? 0 : 1;
}

//------------------------------------------------------------------------------
void vtkDEMAverageAlgorithm::Take(
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  Internals& self = *this->Self;
  auto* particles = vtkPointSet::GetData(inputVector[0], 0);
  const bool first = self.Next == 0;
  const bool single = self.Times.size() < 2;

  // A run is on one rank; grains spread over several would need sums across them.
  vtkMultiProcessController* controller = vtkDEMArrays::GetParallelController();
  const int mine = particles && particles->GetNumberOfPoints() > 0 ? 1 : 0;
  int ranks = mine;
  if (controller)
  {
    controller->AllReduce(&mine, &ranks, 1, vtkCommunicator::SUM_OP);
  }
  if (ranks > 1)
  {
    throw dem::Error("The particles are spread over " + std::to_string(ranks) +
      " processes; averages are computed where all of them are. Read them on one process.");
  }

  vtkDEMGrainInput::GrainOptions options;
  options.Motion = true;
  options.Density = this->Density;
  if (!(this->Density > 0))
  {
    throw dem::Error("Density is " + Number(this->Density) + " kg/m^3; it must be above 0.");
  }
  const vtkDEMGrainInput::GrainArrays grains = vtkDEMGrainInput::ReadGrains(particles, options);

  if (first)
  {
    constexpr dem::DeviceKind kinds[] = { dem::DeviceKind::Auto, dem::DeviceKind::CPU,
      dem::DeviceKind::CUDA };
    self.Averaging = this->NewAveraging();
    vtkDEMAveraging& averaging = *self.Averaging;
    averaging.Device = dem::chooseDevice(kinds[this->Device]);
    averaging.Density = this->Density;
    averaging.MemoryLimit = this->MemoryLimit * 1048576.0;
    averaging.InTime = this->TimeWindow > 0;
    averaging.Species = SpeciesNames(particles, grains.View);
    averaging.Idle = controller && controller->GetLocalProcessId() > 0 && !mine;
    averaging.Start(inputVector, grains.View);
    if (!single)
    {
      return;
    }
  }

  auto* given = vtkPolyData::GetData(inputVector[1], 0);
  vtkPolyData* contacts = given ? given : vtkDEMGrainInput::FindContacts(this, 0, particles);
  vtkDEMGrainInput::ContactArrays read;
  dem::FoundContacts found;
  dem::GrainContacts view;
  if (contacts)
  {
    read = vtkDEMGrainInput::ReadContacts(contacts, particles, grains);
    view = read.View;
  }
  else if (grains.View.size > 0)
  {
    found = dem::findContacts(grains.View, {}, self.Averaging->Device);
    view = found.view();
  }
  self.Averaging->Compute(grains.View, view.size > 0 ? &view : nullptr);
  if (self.Next + 1 >= self.Times.size())
  {
    self.Averaging->Finish(outputVector);
    for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
    {
      vtkDataObject* output = vtkDataObject::GetData(outputVector, port);
      vtkDEMArrays::AddText(output->GetFieldData(), "Device", self.Averaging->Device.name);
      if (this->TimeWindow > 0)
      {
        vtkDEMArrays::AddInteger(output->GetFieldData(), "OutputCount",
          static_cast<std::int64_t>(single ? 1 : self.Times.size() - 1));
      }
    }
  }
}

//------------------------------------------------------------------------------
void vtkDEMAverageAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Device: " << this->Device << endl;
  os << indent << "TimeWindow: " << this->TimeWindow << endl;
  os << indent << "Density: " << this->Density << endl;
  os << indent << "MemoryLimit: " << this->MemoryLimit << endl;
}
