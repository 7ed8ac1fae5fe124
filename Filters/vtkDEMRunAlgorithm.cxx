#include "vtkDEMRunAlgorithm.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMFrameHandle.h"
#include "Bridge/vtkDEMFrameOutput.h"
#include "Core/Error.h"
#include "detail/vtkDEMRun.h"

#include "vtkCommunicator.h"
#include "vtkImageData.h"
#include "vtkDataArraySelection.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkTable.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace
{

constexpr double LargestNumberOfOutputs = 1e7;

//------------------------------------------------------------------------------
bool AssignText(std::string& text, const char* value)
{
  const std::string wanted = value ? value : "";
  if (text == wanted)
  {
    return false;
  }
  text = wanted;
  return true;
}

} // namespace

//------------------------------------------------------------------------------
class vtkDEMRunAlgorithm::vtkInternals
{
public:
  vtkDEMRun Run;
  vtkDEMFrameOutput Output;
  vtkNew<vtkDataArraySelection> ParticleArrays;
  vtkNew<vtkDataArraySelection> ContactArrays;
  std::string RestartFile;
  std::string CheckpointFile;
  std::string DeviceInUse;
  std::string SteeringEvents;
  bool SteeringIsNew = false; // a text from outside that the run has not taken yet

  vtkTimeStamp SceneStamp;
  vtkMTimeType SceneReadAt = 0; // GetSceneMTime of the scene that the run has
  bool SceneIsRead = false;
  vtkTimeStamp Unfinished; // counts as this object's MTime while an interrupted request waits
  bool Interrupted = false;
  bool NeedsUpdate = false;

  std::vector<double> Times;
  int AveragesCells[3] = { 0, 0, 0 };

  dem::FrameSelection Selection() const
  {
    vtkDataArraySelection* arrays = this->ParticleArrays;
    dem::FrameSelection s;
    s.velocity = arrays->ArrayIsEnabled("Velocity");
    s.angular_velocity = arrays->ArrayIsEnabled("AngularVelocity");
    s.orientation = arrays->ArrayIsEnabled("Orientation");
    s.force = arrays->ArrayIsEnabled("Force");
    s.torque = arrays->ArrayIsEnabled("Torque");
    s.mass = arrays->ArrayIsEnabled("Mass");
    s.material = arrays->ArrayIsEnabled("Material");
    s.shape = arrays->ArrayIsEnabled("Shape");
    s.coordination_number = arrays->ArrayIsEnabled("CoordinationNumber");
    s.stress = arrays->ArrayIsEnabled("Stress");
    s.contacts = this->ContactArrays->GetNumberOfArraysEnabled() > 0;
    s.walls = true;
    return s;
  }

  /// The last output at or before `time`.
  double Snapped(double time) const
  {
    if (this->Times.empty())
    {
      return 0;
    }
    const double interval = this->Times.size() > 1 ? this->Times[1] : 1.0;
    const auto above =
      std::upper_bound(this->Times.begin(), this->Times.end(), time + 1e-9 * interval);
    return above == this->Times.begin() ? this->Times.front() : *(above - 1);
  }
};

//------------------------------------------------------------------------------
vtkDEMRunAlgorithm::vtkDEMRunAlgorithm()
  : Internals(new vtkInternals)
{
  this->SetNumberOfOutputPorts(NUMBER_OF_OUTPUT_PORTS);
  for (const char* name : { "Velocity", "AngularVelocity", "Orientation", "Force", "Torque", "Mass",
         "Material", "Shape", "CoordinationNumber", "Stress" })
  {
    this->Internals->ParticleArrays->AddArray(name);
  }
  for (const char* name : { "NormalForce", "TangentialForce", "Overlap", "Sliding", "Age",
         "SlipDistance", "DissipatedEnergy" })
  {
    this->Internals->ContactArrays->AddArray(name);
  }
  this->Internals->SceneStamp.Modified();
}

//------------------------------------------------------------------------------
vtkDEMRunAlgorithm::~vtkDEMRunAlgorithm() = default;

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetDevice(int device)
{
  device = std::max<int>(AUTO, std::min<int>(CUDA, device));
  if (this->Device != device)
  {
    this->Device = device;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetThreads(int threads)
{
  threads = std::max(0, threads);
  if (this->Threads != threads)
  {
    this->Threads = threads;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetWhenChanged(int mode)
{
  mode = mode == STEER ? STEER : RESTART;
  if (this->WhenChanged != mode)
  {
    this->WhenChanged = mode;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetSteeringEvents(const char* events)
{
  if (AssignText(this->Internals->SteeringEvents, events))
  {
    this->Internals->SteeringIsNew = true;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetSteeringEvents() const
{
  return this->Internals->SteeringEvents.c_str();
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetRestartFile(const char* fileName)
{
  if (AssignText(this->Internals->RestartFile, fileName))
  {
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetRestartFile() const
{
  return this->Internals->RestartFile.c_str();
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetCheckpointFile(const char* fileName)
{
  // No Modified(): the file matters to the commands only.
  AssignText(this->Internals->CheckpointFile, fileName);
}

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetCheckpointFile() const
{
  return this->Internals->CheckpointFile.c_str();
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::Reset()
{
  this->Internals->Run.Reset();
  this->Internals->SteeringEvents.clear();
  this->Internals->SteeringIsNew = false;
  this->Modified();
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SaveCheckpoint()
{
  auto* controller = vtkDEMArrays::GetParallelController();
  if (controller && controller->GetLocalProcessId() != 0)
  {
    return;
  }
  try
  {
    this->Internals->Run.Save(this->Internals->CheckpointFile);
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< "The checkpoint was not saved. " << e.what());
  }
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::LoadCheckpoint()
{
  auto* controller = vtkDEMArrays::GetParallelController();
  if (!controller || controller->GetLocalProcessId() == 0)
  {
    try
    {
      this->Internals->Run.Load(this->Internals->CheckpointFile);
    }
    catch (const std::exception& e)
    {
      vtkErrorMacro(<< "The checkpoint was not loaded; the run is as it was. " << e.what());
    }
  }
  this->Modified();
}

//------------------------------------------------------------------------------
bool vtkDEMRunAlgorithm::GetNeedsUpdate()
{
  if (this->Monitor && this->Internals->NeedsUpdate)
  {
    this->Modified();
    return true;
  }
  return false;
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::GetNumberOfParticleArrays()
{
  return this->Internals->ParticleArrays->GetNumberOfArrays();
}

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetParticleArrayName(int index)
{
  return this->Internals->ParticleArrays->GetArrayName(index);
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::GetParticleArrayStatus(const char* name)
{
  return this->Internals->ParticleArrays->ArrayIsEnabled(name);
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetParticleArrayStatus(const char* name, int status)
{
  vtkDataArraySelection* arrays = this->Internals->ParticleArrays;
  if (arrays->ArrayExists(name) && arrays->ArrayIsEnabled(name) != (status != 0))
  {
    arrays->SetArraySetting(name, status);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::GetNumberOfContactArrays()
{
  return this->Internals->ContactArrays->GetNumberOfArrays();
}

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetContactArrayName(int index)
{
  return this->Internals->ContactArrays->GetArrayName(index);
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::GetContactArrayStatus(const char* name)
{
  return this->Internals->ContactArrays->ArrayIsEnabled(name);
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SetContactArrayStatus(const char* name, int status)
{
  vtkDataArraySelection* arrays = this->Internals->ContactArrays;
  if (arrays->ArrayExists(name) && arrays->ArrayIsEnabled(name) != (status != 0))
  {
    arrays->SetArraySetting(name, status);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMRunAlgorithm::GetDeviceInUse()
{
  dem::Simulation* simulation = this->Internals->Run.GetSimulation();
  this->Internals->DeviceInUse = simulation ? simulation->device().name : "";
  return this->Internals->DeviceInUse.c_str();
}

//------------------------------------------------------------------------------
double vtkDEMRunAlgorithm::GetTimeStepInUse()
{
  dem::Simulation* simulation = this->Internals->Run.GetSimulation();
  return simulation ? simulation->plan().time_step : 0;
}

//------------------------------------------------------------------------------
double vtkDEMRunAlgorithm::GetTimeReached()
{
  return this->Internals->Run.GetReachedTime();
}

//------------------------------------------------------------------------------
double vtkDEMRunAlgorithm::GetDeviceMemoryInUse()
{
  const dem::Simulation* simulation = this->Internals->Run.GetSimulation();
  return simulation ? static_cast<double>(simulation->deviceBytes()) : 0;
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::SceneModified()
{
  this->Internals->SceneStamp.Modified();
  this->Modified();
}

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMRunAlgorithm::GetSceneMTime(vtkInformationVector** vtkNotUsed(inputVector))
{
  return this->Internals->SceneStamp.GetMTime();
}

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMRunAlgorithm::GetMTime()
{
  if (this->Internals->Interrupted)
  {
    // The data that was shown is not what was asked for: whoever asks again gets more.
    this->Internals->Unfinished.Modified();
  }
  // Never back to an older time: filters on the other ports have yet to see what the first of them
  // has set going.
  return std::max(this->Superclass::GetMTime(), this->Internals->Unfinished.GetMTime());
}

//------------------------------------------------------------------------------
vtkTypeBool vtkDEMRunAlgorithm::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  if (request->Has(vtkDemandDrivenPipeline::REQUEST_INFORMATION()))
  {
    return this->RequestInformation(request, inputVector, outputVector);
  }
  if (request->Has(vtkStreamingDemandDrivenPipeline::REQUEST_UPDATE_EXTENT()))
  {
    return this->RequestUpdateExtent(request, inputVector, outputVector);
  }
  if (request->Has(vtkDemandDrivenPipeline::REQUEST_DATA()))
  {
    return this->RequestData(request, inputVector, outputVector);
  }
  return this->Superclass::ProcessRequest(request, inputVector, outputVector);
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(),
    port == STATISTICS     ? "vtkTable"
      : port == AVERAGES ? "vtkImageData"
                         : "vtkPolyData");
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  std::vector<double>& times = this->Internals->Times;
  times.assign(1, 0.0);
  int(&cells)[3] = this->Internals->AveragesCells;
  std::fill_n(cells, 3, 0);
  try
  {
    double end = 0, interval = 1;
    this->ReadTimes(end, interval);
    if (!(interval > 0) || !std::isfinite(interval))
    {
      throw dem::Error("OutputInterval must be > 0 s, but is " + std::to_string(interval) + ".");
    }
    if (!(end >= 0) || !std::isfinite(end))
    {
      throw dem::Error("EndTime must be >= 0 s, but is " + std::to_string(end) + ".");
    }
    if (end / interval > LargestNumberOfOutputs)
    {
      throw dem::Error("EndTime over OutputInterval makes " + std::to_string(end / interval) +
        " outputs; 10 million are the limit. Make OutputInterval larger.");
    }
    const auto last = static_cast<std::size_t>(end / interval + 1e-9);
    times.resize(last + 1);
    for (std::size_t i = 0; i <= last; ++i)
    {
      times[i] = static_cast<double>(i) * interval;
    }
    dem::AveragesOptions averages;
    this->ReadAverages(averages);
    const auto& wanted = averages.cells;
    if (averages.enabled && *std::min_element(wanted.begin(), wanted.end()) > 0)
    {
      std::copy_n(wanted.begin(), 3, cells); // others are refused when data are asked for
    }
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< e.what());
  }

  const double range[2] = { times.front(), times.back() };
  for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
  {
    vtkInformation* info = outputVector->GetInformationObject(port);
    info->Set(
      vtkStreamingDemandDrivenPipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
    info->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range, 2);
    info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  }
  const bool any = cells[0] > 0;
  const int extent[6] = { 0, any ? cells[0] : -1, 0, any ? cells[1] : -1, 0, any ? cells[2] : -1 };
  outputVector->GetInformationObject(AVERAGES)->Set(
    vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), extent, 6);
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::RequestUpdateExtent(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* vtkNotUsed(outputVector))
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  auto* controller = vtkDEMArrays::GetParallelController();
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < inputVector[port]->GetNumberOfInformationObjects(); ++i)
    {
      vtkInformation* info = inputVector[port]->GetInformationObject(i);
      info->Set(SDDP::UPDATE_PIECE_NUMBER(), controller ? controller->GetLocalProcessId() : 0);
      info->Set(
        SDDP::UPDATE_NUMBER_OF_PIECES(), controller ? controller->GetNumberOfProcesses() : 1);
      info->Set(SDDP::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
      // Inputs are the state at the start: they do not follow the slider.
      if (info->Has(SDDP::TIME_STEPS()) && info->Length(SDDP::TIME_STEPS()) > 0)
      {
        info->Set(SDDP::UPDATE_TIME_STEP(), info->Get(SDDP::TIME_STEPS(), 0));
      }
      else if (info->Has(SDDP::TIME_RANGE()))
      {
        info->Set(SDDP::UPDATE_TIME_STEP(), info->Get(SDDP::TIME_RANGE(), 0));
      }
      else
      {
        info->Remove(SDDP::UPDATE_TIME_STEP());
      }
    }
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMRunAlgorithm::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  using Clock = std::chrono::steady_clock;
  vtkInternals& internals = *this->Internals;
  auto* controller = vtkDEMArrays::GetParallelController();
  const bool root = !controller || controller->GetLocalProcessId() == 0;

  // The flag stays set after an interruption. Not through its setter, which would mark this object
  // as modified.
  this->AbortExecute = 0;
  internals.Interrupted = false;
  internals.NeedsUpdate = false;

  // Other ports carry the time and piece of earlier requests.
  int port = request->Has(vtkExecutive::FROM_OUTPUT_PORT())
    ? request->Get(vtkExecutive::FROM_OUTPUT_PORT())
    : 0;
  port = std::max(0, std::min(port, this->GetNumberOfOutputPorts() - 1));
  vtkInformation* asked = outputVector->GetInformationObject(port);
  const double time = asked->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
    ? asked->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
    : internals.Times.front();

  const dem::FrameSelection selection = internals.Selection();
  const bool statistics = this->HasContactStatistics();
  std::shared_ptr<const dem::Frame> frame;
  double shown = internals.Snapped(time);
  bool interrupted = false;
  bool needsUpdate = false;
  try
  {
    vtkDEMRun::Options options;
    options.Device = static_cast<dem::DeviceKind>(this->Device);
    options.Threads = this->Threads;
    options.FrameMemory = static_cast<std::size_t>(this->FrameMemory) << 20;
    options.SnapshotMemory = static_cast<std::size_t>(this->SnapshotMemory) << 20;
    options.DeviceFrameMemory = static_cast<std::size_t>(this->DeviceFrameMemory) << 20;
    options.RestartFile = internals.RestartFile;
    options.Steer = this->WhenChanged == STEER;
    options.Selection = selection;

    const vtkMTimeType sceneMTime = this->GetSceneMTime(inputVector);
    int stale = !internals.SceneIsRead || sceneMTime != internals.SceneReadAt;
    if (controller)
    {
      int any = 0;
      controller->AllReduce(&stale, &any, 1, vtkCommunicator::MAX_OP);
      stale = any;
    }
    if (stale)
    {
      internals.SceneIsRead = false;
      dem::Scene scene;
      std::string error;
      try
      {
        this->ReadScene(inputVector, scene);
      }
      catch (const std::exception& e)
      {
        error = e.what();
      }
      // A rank whose input is bad must stop the run of all.
      int failed = error.empty() ? 0 : 1;
      if (controller)
      {
        int any = 0;
        controller->AllReduce(&failed, &any, 1, vtkCommunicator::MAX_OP);
        failed = any;
      }
      if (failed)
      {
        throw dem::Error(
          error.empty() ? "The input of another rank is not usable; see its message." : error);
      }
      if (root)
      {
        internals.Run.SetScene(std::move(scene), options);
      }
      internals.SceneReadAt = sceneMTime;
      internals.SceneIsRead = true;
    }
    else if (root)
    {
      internals.Run.SetOptions(options);
    }

    if (root)
    {
      if (internals.SteeringIsNew)
      {
        internals.Run.SetSteering(vtkDEMSteering::FromText(internals.SteeringEvents));
        internals.SteeringIsNew = false;
      }
      const double from = internals.Run.GetReachedTime();
      const auto began = Clock::now();
      const double target = shown;
      const dem::Simulation::Observer observer = [&](std::uint64_t, double now)
      {
        char text[64];
        std::snprintf(text, sizeof(text), "DEM t=%.6g s", now);
        this->SetProgressText(text);
        const double begin = std::min(from, now);
        this->UpdateProgress(
          target > begin ? std::min(1.0, (now - begin) / (target - begin)) : 0.0);
        if (this->GetAbortExecute())
        {
          interrupted = true;
          return false;
        }
        if (this->Monitor &&
          std::chrono::duration<double>(Clock::now() - began).count() >= this->MonitorInterval)
        {
          needsUpdate = true;
          return false;
        }
        return true;
      };
      const auto result = internals.Run.Advance(shown, observer, true);
      frame = result.frame;
      shown = result.reached || !frame ? shown : frame->time;
      needsUpdate = needsUpdate && !result.reached;
      interrupted = interrupted && !result.reached;
    }
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< e.what());
    needsUpdate = false;
    // A run that failed on the way still shows how far it came.
    frame = internals.SceneIsRead ? internals.Run.GetLastFrame() : nullptr;
    shown = frame ? frame->time : shown;
  }

  if (root && !internals.SteeringIsNew)
  {
    internals.SteeringEvents = internals.Run.GetSteering().ToText();
  }
  if (controller)
  {
    double state[4] = { shown, interrupted ? 1.0 : 0.0, needsUpdate ? 1.0 : 0.0,
      static_cast<double>(internals.SteeringEvents.size()) };
    controller->Broadcast(state, 4, 0);
    shown = state[0];
    interrupted = state[1] != 0;
    needsUpdate = state[2] != 0;
    // The text is set from outside on all ranks: what is new to one must be new to all.
    std::string& text = internals.SteeringEvents;
    text.resize(static_cast<std::size_t>(state[3]));
    if (!text.empty())
    {
      controller->Broadcast(&text[0], static_cast<vtkIdType>(text.size()), 0);
    }
    internals.SteeringIsNew = root && internals.SteeringIsNew;
  }
  internals.NeedsUpdate = needsUpdate;

  vtkPolyData* outputs[3];
  for (int i = 0; i < 3; ++i)
  {
    outputs[i] = vtkPolyData::GetData(outputVector, i);
  }
  vtkTable* table = vtkTable::GetData(outputVector, STATISTICS);
  vtkImageData* image = vtkImageData::GetData(outputVector, AVERAGES);
  internals.Output.Fill(frame.get(), internals.Run.HasScene() ? &internals.Run.GetScene() : nullptr,
    selection, internals.ContactArrays, statistics, outputs[PARTICLES], outputs[CONTACTS],
    outputs[WALLS], table, internals.AveragesCells, image);
  if (frame)
  {
    vtkDEMFrameHandle::Mark(frame, outputs[PARTICLES], outputs[CONTACTS]);
  }
  if (controller && internals.AveragesCells[0] > 0)
  {
    // An image is asked for in pieces: each rank has the whole, or one would ask again on its own.
    double place[6];
    image->GetOrigin(place);
    image->GetSpacing(place + 3);
    controller->Broadcast(place, 6, 0);
    vtkNew<vtkImageData> whole;
    if (root)
    {
      whole->ShallowCopy(image);
    }
    controller->Broadcast(whole, 0);
    image->ShallowCopy(whole);
    image->SetOrigin(place);
    image->SetSpacing(place + 3);
  }
  for (vtkPolyData* output : outputs)
  {
    output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), shown);
  }
  table->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), shown);
  image->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), shown);

  internals.Interrupted = interrupted;
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMRunAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Device: " << this->Device << endl;
  os << indent << "Threads: " << this->Threads << endl;
  os << indent << "FrameMemory: " << this->FrameMemory << endl;
  os << indent << "SnapshotMemory: " << this->SnapshotMemory << endl;
  os << indent << "DeviceFrameMemory: " << this->DeviceFrameMemory << endl;
  os << indent << "WhenChanged: " << this->WhenChanged << endl;
  os << indent << "SteeringEvents: " << this->Internals->SteeringEvents << endl;
  os << indent << "Monitor: " << this->Monitor << endl;
  os << indent << "MonitorInterval: " << this->MonitorInterval << endl;
  os << indent << "RestartFile: " << this->Internals->RestartFile << endl;
  os << indent << "CheckpointFile: " << this->Internals->CheckpointFile << endl;
}
