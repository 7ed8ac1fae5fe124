#include "vtkDEMAverageAlgorithm.h"

#include "Analysis/ContactSearch.h"
#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMContactInput.h"
#include "Bridge/vtkDEMFrameInput.h"
#include "Bridge/vtkDEMGrainInput.h"
#include "Bridge/vtkDEMGrainParts.h"
#include "Bridge/vtkDEMRankInput.h"
#include "Core/Error.h"
#include "detail/vtkDEMAveraging.h"
#include "detail/vtkDEMLabels.h"

#include "vtkDataObject.h"
#include "vtkCommunicator.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkPointSet.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace
{

using SDDP = vtkStreamingDemandDrivenPipeline;

//------------------------------------------------------------------------------
// Names of the materials: those in the field data of the input, else numbers. Throws dem::Error for
// more than 256 materials.
std::vector<std::string> SpeciesNames(vtkPointSet* particles, const dem::Grains& grains)
{
  std::vector<std::string> names;
  vtkStringArray* given =
    particles ? vtkDEMArrays::FindMaterials(particles->GetFieldData()) : nullptr;
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
    throw dem::Error("A grain has material " + std::to_string(largest) +
      "; the largest number is " + std::to_string(most) + ".");
  }
  while (static_cast<int>(names.size()) <= largest)
  {
    names.push_back(std::to_string(names.size()));
  }
  return names;
}

//------------------------------------------------------------------------------
// Copies grains and contacts from rank 0 to all ranks. Each rank then averages over
// its own part of the output.
class SharedInput
{
public:
  dem::Grains Grains;
  dem::GrainContacts Contacts;
  std::vector<std::string> Species;

  explicit SharedInput(vtkMultiProcessController* controller)
    : Controller(controller)
  {
  }

  /**
   * Returns the error of rank 0, empty if it has none. Collective.
   */
  std::string Error(const std::string& mine)
  {
    std::vector<char> text(mine.begin(), mine.end());
    this->Send(text);
    return { text.begin(), text.end() };
  }

  void Send()
  {
    std::string joined;
    for (const auto& name : this->Species)
    {
      joined += name + '\n';
    }
    std::vector<char> text(joined.begin(), joined.end());
    this->Send(text);
    if (this->Controller->GetLocalProcessId() != 0)
    {
      this->Species.clear();
      std::string name;
      for (const char c : text)
      {
        if (c == '\n')
        {
          this->Species.push_back(name);
          name.clear();
        }
        else
        {
          name += c;
        }
      }
    }
    dem::Grains& g = this->Grains;
    this->SendSize(g.size);
    this->Send(g.position, 3 * g.size);
    this->Send(g.radius, g.size);
    this->Send(g.id, g.size);
    this->Send(g.mass, g.size);
    this->Send(g.velocity, 3 * g.size);
    this->Send(g.angular_velocity, 3 * g.size);
    this->Send(g.material, g.size);
    this->Send(g.temperature, g.size);
    dem::GrainContacts& c = this->Contacts;
    this->SendSize(c.size);
    this->Send(c.first, c.size);
    this->Send(c.second, c.size);
    this->Send(c.first_place, 3 * c.size);
    this->Send(c.second_place, 3 * c.size);
    this->Send(c.point, 3 * c.size);
    this->Send(c.normal_force, 3 * c.size);
    this->Send(c.tangential_force, 3 * c.size);
  }

private:
  void SendSize(std::size_t& size)
  {
    auto bytes = static_cast<vtkTypeInt64>(size);
    this->Controller->Broadcast(&bytes, 1, 0);
    size = static_cast<std::size_t>(bytes);
  }

  void Send(std::vector<char>& values)
  {
    std::size_t size = values.size();
    this->SendSize(size);
    values.resize(size);
    this->Controller->Broadcast(values.data(), static_cast<vtkIdType>(size), 0);
  }

  // Null pointers of rank 0 stay null.
  template <class T>
  void Send(const T*& values, std::size_t count)
  {
    std::vector<char> bytes;
    if (this->Controller->GetLocalProcessId() == 0 && values)
    {
      bytes.assign(
        reinterpret_cast<const char*>(values), reinterpret_cast<const char*>(values + count));
    }
    this->Send(bytes);
    if (this->Controller->GetLocalProcessId() != 0)
    {
      this->Blocks.push_back(std::make_unique<std::vector<T>>(count));
      auto& block = *std::get<std::unique_ptr<std::vector<T>>>(this->Blocks.back());
      if (!bytes.empty())
      {
        std::memcpy(block.data(), bytes.data(), bytes.size());
      }
      values = bytes.empty() ? nullptr : block.data();
    }
  }

  vtkMultiProcessController* Controller;
  std::vector<std::variant<std::unique_ptr<std::vector<double>>,
    std::unique_ptr<std::vector<std::int64_t>>, std::unique_ptr<std::vector<std::int32_t>>>>
    Blocks;
};

} // namespace

//------------------------------------------------------------------------------
class vtkDEMAverageAlgorithm::Internals
{
public:
  // Times of the outputs to read. First the time shown, whose grains define the places; then all of
  // the window in ascending order, so that the input is left at the time shown.
  std::vector<double> Times;
  std::size_t Next = 0;
  bool Continues = false;
  std::string Error;
  std::unique_ptr<vtkDEMAveraging> Averaging;
};

//------------------------------------------------------------------------------
// Grains and contacts of one output, with what owns their memory.
struct vtkDEMAverageAlgorithm::Input
{
  SharedInput Shared;
  dem::Device Device;
  bool IsContinuum = false; // material points, whose stress is read as contacts
  vtkDEMFrameInput::FrameInput Frame;
  vtkDEMGrainInput::GrainArrays Grains;
  vtkDEMContactInput::ContactArrays Contacts;
  dem::StressAsContacts Stress;
  dem::FoundContacts Found;

  explicit Input(vtkMultiProcessController* controller)
    : Shared(controller)
  {
  }
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
void vtkDEMAverageAlgorithm::SetRadiusArray(const char* name)
{
  const std::string wanted = vtkDEMGrainInput::GetChosenArray(name);
  if (this->RadiusArray != wanted)
  {
    this->RadiusArray = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMAverageAlgorithm::GetRadiusArray() const { return this->RadiusArray.c_str(); }

//------------------------------------------------------------------------------
int vtkDEMAverageAlgorithm::FillInputPortInformation(int port, vtkInformation* info)
{
  if (port == 0)
  {
    vtkDEMGrainInput::SetPointsRequired(info);
    return 1;
  }
  if (port == 1)
  {
    vtkDEMGrainInput::SetContactsRequired(info);
  }
  else
  {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  }
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
// Times of the outputs to read for the request `out` of a window (see Internals::Times). Throws
// dem::Error.
std::vector<double> vtkDEMAverageAlgorithm::GetWindow(
  vtkInformation* particles, vtkInformation* out)
{
  const int count = particles->Length(SDDP::TIME_STEPS());
  const double* steps = particles->Get(SDDP::TIME_STEPS());
  if (!(this->TimeWindow > 0 && std::isfinite(this->TimeWindow)))
  {
    throw dem::Error(
      "TimeWindow is " + vtkDEMNumber(this->TimeWindow) + " s; it must be 0 or more.");
  }
  if (count == 0)
  {
    throw dem::Error("TimeWindow is " + vtkDEMNumber(this->TimeWindow) +
      " s, but the particles have no time steps. Use 0, or an input that changes in time.");
  }
  const double run = steps[count - 1] - steps[0];
  const double slack = 1e-9 * std::max(std::abs(steps[0]), std::abs(steps[count - 1]));
  if (this->TimeWindow > run + slack)
  {
    throw dem::Error("TimeWindow is " + vtkDEMNumber(this->TimeWindow) +
      " s, longer than the run, whose outputs go from " + vtkDEMNumber(steps[0]) + " s to " +
      vtkDEMNumber(steps[count - 1]) + " s. Use " + vtkDEMNumber(run) + " s or less.");
  }
  const double asked =
    out->Has(SDDP::UPDATE_TIME_STEP()) ? out->Get(SDDP::UPDATE_TIME_STEP()) : steps[0];
  double shown = steps[0];
  for (int i = 0; i < count && steps[i] <= asked + slack; ++i)
  {
    shown = steps[i];
  }
  std::vector<double> times{ shown };
  for (int i = 0; i < count; ++i)
  {
    if (steps[i] >= shown - this->TimeWindow - slack && steps[i] <= shown)
    {
      times.push_back(steps[i]);
    }
  }
  if (times.size() == 2)
  {
    times.pop_back(); // the same output twice
  }
  return times;
}

//------------------------------------------------------------------------------
int vtkDEMAverageAlgorithm::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
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
        self.Times = this->GetWindow(particles, out);
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
  // The inputs that define where to average are needed as a whole, whatever piece is requested.
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
  int failed = 1;
  try
  {
    if (!self.Error.empty())
    {
      throw dem::Error(self.Error);
    }
    this->ReadOutput(inputVector, outputVector);
    more = ++self.Next < self.Times.size();
    failed = 0;
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what())); // the outputs stay empty
  }
  if (auto* controller = vtkDEMArrays::GetParallelController())
  {
    int any = 0;
    controller->AllReduce(&failed, &any, 1, vtkCommunicator::MAX_OP);
    more = more && !any; // an error of one rank ends the request of all
  }
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
  return 1;
}

//------------------------------------------------------------------------------
// Reads the grains and contacts of this rank. Throws dem::Error.
void vtkDEMAverageAlgorithm::ReadInput(
  const vtkSmartPointer<vtkPointSet>& particles, vtkPolyData* contacts, Input& input)
{
  if (!(this->Density > 0 && std::isfinite(this->Density)))
  {
    throw dem::Error("Density is " + vtkDEMNumber(this->Density) + " kg/m^3; it must be above 0.");
  }
  vtkDEMGrainInput::GrainOptions options;
  options.Motion = true;
  options.RadiusArray = this->RadiusArray;
  options.Density = this->Density;
  options.Continuum = input.IsContinuum;
  const bool isParallel = vtkDEMArrays::GetParallelController() != nullptr;
  const bool hasGrains = particles && particles->GetNumberOfPoints() > 0;
  if (!isParallel && (contacts || !vtkDEMGrainParts::Any(particles)))
  {
    input.Frame = vtkDEMFrameInput::Find(particles, contacts, options, input.Device);
  }
  SharedInput& shared = input.Shared;
  if (input.Frame)
  {
    shared.Grains = input.Frame.Grains;
    shared.Contacts = input.Frame.Contacts;
    dem::Grains shown;
    shown.size = input.Frame.Shown->size;
    shown.material = input.Frame.Grains.material ? input.Frame.Shown->material.data() : nullptr;
    shared.Species = SpeciesNames(particles, shown);
  }
  else
  {
    input.Grains = vtkDEMGrainInput::ReadGrains(particles, options);
    shared.Grains = input.Grains.View;
    shared.Species = SpeciesNames(particles, input.Grains.View);
  }
  if (!input.Frame && contacts && (hasGrains || !isParallel))
  {
    input.Contacts = vtkDEMContactInput::Read(contacts, particles, input.Grains);
    shared.Contacts = input.Contacts.View;
  }
  else if (!input.Frame && input.IsContinuum)
  {
    input.Stress = vtkDEMGrainInput::ReadStress(particles, input.Grains);
    shared.Contacts = input.Stress.view;
  }
  else if (!contacts && !input.IsContinuum && shared.Grains.size > 0)
  {
    const int noAxes[3] = { 0, 0, 0 };
    const double noBox[6] = { 0, 1, 0, 1, 0, 1 };
    const vtkDEMGrainInput::PeriodicAxes periodic =
      vtkDEMGrainInput::GetPeriodicAxes(particles, noAxes, noBox, true);
    dem::ContactSearchOptions search;
    search.lower = periodic.Lower;
    search.period = periodic.Period;
    input.Found = vtkDEMGrainParts::FindContacts(particles, shared.Grains, search, input.Device);
    shared.Contacts = isParallel ? input.Found.view() : input.Found.viewOn(input.Device);
  }
}

//------------------------------------------------------------------------------
// Adds one output of the input to the averages, and fills the outputs after the last. Throws
// dem::Error. Collective.
void vtkDEMAverageAlgorithm::ReadOutput(
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  Internals& self = *this->Self;
  vtkSmartPointer<vtkPointSet> particles = vtkDEMGrainInput::GetPoints(inputVector[0]);
  const vtkSmartPointer<vtkPolyData> given = vtkDEMGrainInput::GetLines(inputVector[1]);
  vtkSmartPointer<vtkPolyData> contacts =
    given ? given : vtkSmartPointer<vtkPolyData>(vtkDEMContactInput::Find(this, 0, particles));
  vtkDEMRankInput::Gather(particles, contacts);

  vtkMultiProcessController* controller = vtkDEMArrays::GetParallelController();
  Input input(controller);
  int continuum = particles && particles->GetNumberOfPoints() > 0 &&
    vtkDEMGrainInput::IsContinuum(particles) && !given;
  if (controller)
  {
    controller->Broadcast(&continuum, 1, 0);
  }
  input.IsContinuum = continuum != 0;
  std::string error;
  try
  {
    input.Device = dem::chooseDevice(static_cast<dem::DeviceKind>(this->Device));
    this->ReadInput(particles, contacts, input);
  }
  catch (const std::exception& e)
  {
    error = e.what();
  }
  if (controller)
  {
    const int mine = error.empty() ? 0 : 1;
    int any = 0;
    controller->AllReduce(&mine, &any, 1, vtkCommunicator::MAX_OP);
    const std::string of_first = input.Shared.Error(error);
    error = of_first.empty() ? error : of_first;
    error = any && error.empty() ? "Another rank has failed, see its message." : error;
  }
  if (!error.empty())
  {
    throw dem::Error(error);
  }
  if (controller)
  {
    input.Shared.Send();
  }

  if (self.Next == 0)
  {
    this->StartAveraging(inputVector, input);
    if (self.Times.size() > 1)
    {
      return; // this output is read again, in order of time
    }
  }
  const dem::GrainContacts& touching = input.Shared.Contacts;
  self.Averaging->Compute(input.Shared.Grains, touching.size > 0 ? &touching : nullptr);
  if (self.Next + 1 >= self.Times.size())
  {
    this->FillOutputs(static_cast<bool>(input.Frame), outputVector);
  }
}

//------------------------------------------------------------------------------
void vtkDEMAverageAlgorithm::StartAveraging(vtkInformationVector** inputVector, const Input& input)
{
  vtkMultiProcessController* controller = vtkDEMArrays::GetParallelController();
  this->Self->Averaging = this->NewAveraging();
  vtkDEMAveraging& averaging = *this->Self->Averaging;
  averaging.Device = input.Device;
  averaging.Density = this->Density;
  averaging.MemoryLimit = this->MemoryLimit * 1048576.0;
  averaging.InTime = this->TimeWindow > 0;
  averaging.Species = input.Shared.Species;
  averaging.TableIsElsewhere = controller && controller->GetLocalProcessId() > 0;
  averaging.Continuum = input.IsContinuum;
  averaging.Start(inputVector, input.Shared.Grains);
}

//------------------------------------------------------------------------------
void vtkDEMAverageAlgorithm::FillOutputs(bool fromFrame, vtkInformationVector* outputVector)
{
  Internals& self = *this->Self;
  self.Averaging->Finish(outputVector);
  for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
  {
    vtkFieldData* data = vtkDataObject::GetData(outputVector, port)->GetFieldData();
    vtkDEMArrays::AddText(data, "Device", self.Averaging->Device.name);
    vtkDEMFrameInput::AddSource(data, fromFrame);
    if (this->TimeWindow > 0)
    {
      vtkDEMArrays::AddInteger(data, "OutputCount",
        static_cast<std::int64_t>(self.Times.size() < 2 ? 1 : self.Times.size() - 1));
    }
  }
  if (vtkDEMArrays::GetParallelController())
  {
    vtkDEMArrays::KeepOnFirst(outputVector->GetInformationObject(0));
  }
}

//------------------------------------------------------------------------------
void vtkDEMAverageAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Device: " << this->Device << endl;
  os << indent << "TimeWindow: " << this->TimeWindow << endl;
  os << indent << "RadiusArray: " << this->RadiusArray << endl;
  os << indent << "Density: " << this->Density << endl;
  os << indent << "MemoryLimit: " << this->MemoryLimit << endl;
}
