#include "vtkDEMTimelineAlgorithm.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMRankChannel.h"
#include "Core/Error.h"
#include "detail/vtkDEMAnyRun.h"
#include "detail/vtkDEMInterruption.h"
#include "detail/vtkDEMLabels.h"
#include "detail/vtkDEMOutputTimes.h"

#include "vtkCommunicator.h"
#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

//------------------------------------------------------------------------------
vtkDEMTimelineAlgorithm::vtkDEMTimelineAlgorithm()
  : Interruption(new vtkDEMInterruption)
{
  this->SceneStamp.Modified();
}

//------------------------------------------------------------------------------
vtkDEMTimelineAlgorithm::~vtkDEMTimelineAlgorithm() = default;

//------------------------------------------------------------------------------
bool vtkDEMTimelineAlgorithm::AssignText(std::string& text, const char* value)
{
  const std::string wanted = value ? value : "";
  if (text == wanted)
  {
    return false;
  }
  text = wanted;
  return true;
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetInputName(int port, int index, const char* name)
{
  this->InputNames[{ port, index }] = name ? name : "";
}

//------------------------------------------------------------------------------
std::vector<std::string> vtkDEMTimelineAlgorithm::GetInputNames(int port, const char* label)
{
  std::vector<std::string> names;
  for (int i = 0; i < this->GetNumberOfInputConnections(port); ++i)
  {
    const std::string& name = this->InputNames[{ port, i }];
    names.push_back(name.empty() ? "Input " + std::to_string(i + 1) + " of " + label : name);
  }
  return names;
}

//------------------------------------------------------------------------------
std::string vtkDEMTimelineAlgorithm::AsShown(const std::string& message) const
{
  return vtkDEMLabels::WithWallNames(vtkDEMLabels::InMessage(message), this->WallLabels);
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetDevice(int device)
{
  device = std::max<int>(AUTO, std::min<int>(CUDA, device));
  if (this->Device != device)
  {
    this->Device = device;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetThreads(int threads)
{
  threads = std::max(0, threads);
  if (this->Threads != threads)
  {
    this->Threads = threads;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetWhenChanged(int mode)
{
  mode = mode == STEER ? STEER : RESTART;
  if (this->WhenChanged != mode)
  {
    this->WhenChanged = mode;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetSteeringEvents(const char* events)
{
  if (AssignText(this->SteeringEvents, events))
  {
    this->SteeringIsNew = true;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetMaterialsInUse(const std::vector<std::string>& names)
{
  this->MaterialsInUse.clear();
  for (const std::string& name : names)
  {
    this->MaterialsInUse += name + "\n";
  }
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetRestartFile(const char* fileName)
{
  if (AssignText(this->RestartFile, fileName))
  {
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMTimelineAlgorithm::GetRestartFile() const { return this->RestartFile.c_str(); }

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetCheckpointFile(const char* fileName)
{
  if (AssignText(this->CheckpointFile, fileName) && this->CheckpointIntervalInUse() > 0)
  {
    this->Modified(); // else only the commands use the file
  }
}

//------------------------------------------------------------------------------
// The next request computes, also after StopHere() or an abort.
void vtkDEMTimelineAlgorithm::GoOn()
{
  this->IsStopped = false;
  this->Interruption->Set(false);
  this->Modified();
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::Reset()
{
  this->SteeringEvents.clear();
  this->SteeringIsNew = false;
  this->GetRun().Reset();
  this->GoOn();
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SaveCheckpoint()
{
  auto* controller = vtkDEMArrays::GetParallelController();
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  if (!root && !this->Ranks)
  {
    return;
  }
  try
  {
    this->GetRun().Save(this->CheckpointFile, root);
  }
  catch (const std::exception& e)
  {
    if (root)
    {
      vtkErrorMacro(<< this->AsShown(std::string("The checkpoint was not saved. ") + e.what()));
    }
  }
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::LoadCheckpoint()
{
  auto* controller = vtkDEMArrays::GetParallelController();
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  try
  {
    if (root || this->Ranks)
    {
      this->GetRun().Load(this->CheckpointFile);
    }
  }
  catch (const std::exception& e)
  {
    if (root)
    {
      const std::string why = "The checkpoint was not loaded; the run is as it was. ";
      vtkErrorMacro(<< this->AsShown(why + e.what()));
    }
  }
  this->GoOn();
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SetWatchedTime(double time)
{
  this->WatchedTime = time;
  this->OtherTimes = this->SliceIsShown = this->NeedsUpdate = this->IsStopped = false;
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::StopHere()
{
  this->NeedsUpdate = this->SliceIsShown = false;
  this->IsStopped = true;
}

//------------------------------------------------------------------------------
bool vtkDEMTimelineAlgorithm::GetNeedsUpdate()
{
  if (this->NeedsUpdate)
  {
    this->Modified();
    return true;
  }
  return false;
}

//------------------------------------------------------------------------------
const char* vtkDEMTimelineAlgorithm::GetDeviceInUse()
{
  this->DeviceInUse = this->GetRun().GetDeviceName();
  return this->DeviceInUse.c_str();
}

//------------------------------------------------------------------------------
double vtkDEMTimelineAlgorithm::GetTimeStepInUse() { return this->GetRun().GetTimeStep(); }

//------------------------------------------------------------------------------
double vtkDEMTimelineAlgorithm::GetTimeReached() { return this->GetRun().GetReachedTime(); }

//------------------------------------------------------------------------------
double vtkDEMTimelineAlgorithm::GetDeviceMemoryInUse()
{
  return static_cast<double>(this->GetRun().GetDeviceBytes());
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::SceneModified()
{
  this->SceneStamp.Modified();
  this->Modified();
}

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMTimelineAlgorithm::GetSceneMTime(vtkInformationVector** vtkNotUsed(inputVector))
{
  return this->SceneStamp.GetMTime();
}

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMTimelineAlgorithm::GetMTime()
{
  if (this->Interruption->IsOn())
  {
    // The outputs are not at the requested time. A new request must execute again.
    this->Unfinished.Modified();
  }
  // Never an older time than before: filters on other ports must see the update that a filter on
  // the first port has caused.
  return std::max(this->Superclass::GetMTime(), this->Unfinished.GetMTime());
}

//------------------------------------------------------------------------------
vtkTypeBool vtkDEMTimelineAlgorithm::ProcessRequest(
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
int vtkDEMTimelineAlgorithm::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  this->InformationFailed = false;
  this->Times.assign(1, 0.0);
  try
  {
    double end = 0, interval = 1;
    this->ReadTimes(end, interval);
    this->Times = vtkDEMOutputTimes::Make(end, interval);
    this->ReadInformation();
  }
  catch (const std::exception& e)
  {
    vtkErrorMacro(<< this->AsShown(e.what()));
    this->InformationFailed = true;
  }

  const std::vector<double>& times = this->Times;
  const double range[2] = { times.front(), times.back() };
  for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
  {
    vtkInformation* info = outputVector->GetInformationObject(port);
    info->Set(
      vtkStreamingDemandDrivenPipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
    info->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range, 2);
    info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMTimelineAlgorithm::RequestUpdateExtent(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* vtkNotUsed(outputVector))
{
  using SDDP = vtkStreamingDemandDrivenPipeline;
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < inputVector[port]->GetNumberOfInformationObjects(); ++i)
    {
      vtkInformation* info = inputVector[port]->GetInformationObject(i);
      vtkDEMArrays::RequestOwnPiece(info);
      // Inputs define the state at the start, so they are requested at their first time.
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
// Reads the scene if it may have changed on any rank, and returns whether it was read. Throws
// dem::Error. Collective.
bool vtkDEMTimelineAlgorithm::SceneIsStale(
  vtkInformationVector** inputVector, vtkMultiProcessController* controller)
{
  const vtkMTimeType sceneMTime = this->GetSceneMTime(inputVector);
  int stale = !this->SceneIsRead || sceneMTime != this->SceneReadAt;
  if (controller)
  {
    int any = 0;
    controller->AllReduce(&stale, &any, 1, vtkCommunicator::MAX_OP);
    stale = any;
  }
  if (!stale)
  {
    return false;
  }
  this->SceneIsRead = false;
  this->InputWarnings.clear();
  std::string error;
  try
  {
    this->ReadInputs(inputVector);
  }
  catch (const std::exception& e)
  {
    error = e.what();
  }
  // A rank with a bad input stops the run of all ranks.
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
  // After ReadInputs, since it executes moving wall inputs at each of their times.
  this->SceneReadAt = this->GetSceneMTime(inputVector);
  return true;
}

//------------------------------------------------------------------------------
// Updates SteeringEvents from the run, on all ranks. Collective.
void vtkDEMTimelineAlgorithm::ShareSteering(vtkMultiProcessController* controller)
{
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  std::string& text = this->SteeringEvents;
  if (root && !this->SteeringIsNew)
  {
    text = this->GetRun().GetSteeringText();
  }
  if (controller)
  {
    // SetSteeringEvents is called on all ranks, so rank 0 decides whether the text is new.
    auto size = static_cast<vtkIdType>(text.size());
    controller->Broadcast(&size, 1, 0);
    text.resize(static_cast<std::size_t>(size));
    if (!text.empty())
    {
      controller->Broadcast(&text[0], size, 0);
    }
    this->SteeringIsNew = root && this->SteeringIsNew;
  }
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::AddWarning(const std::string& warning)
{
  if (!warning.empty())
  {
    this->InputWarnings.push_back(warning);
  }
}

//------------------------------------------------------------------------------
// Shows the warnings about the scene that were not shown for the scene before. Ranks other than 0
// have warnings about their inputs only.
void vtkDEMTimelineAlgorithm::ShowWarnings(bool root)
{
  double end = 0, interval = 1;
  this->ReadTimes(end, interval);
  std::vector<std::string> warnings = this->InputWarnings;
  if (root)
  {
    const std::vector<std::string> ofRun = this->GetRun().GetWarnings();
    warnings.insert(warnings.end(), ofRun.begin(), ofRun.end());
  }
  if (root && this->Times.size() == 1 && end > 0 && interval > end)
  {
    warnings.push_back("OutputInterval, " + vtkDEMArrays::Number(interval) +
      " s, is longer than EndTime, " + vtkDEMArrays::Number(end) +
      " s: the start is the only output. Lower OutputInterval or raise EndTime.");
  }
  if (root && end == 0)
  {
    warnings.emplace_back("EndTime is 0 s: the start is shown and nothing is computed.");
  }
  for (const std::string& warning : warnings)
  {
    if (std::find(this->Warnings.begin(), this->Warnings.end(), warning) == this->Warnings.end())
    {
      vtkWarningMacro(<< this->AsShown(warning));
    }
  }
  this->Warnings = std::move(warnings);
}

//------------------------------------------------------------------------------
// Advances the run to reply.Shown (s) or, with `slices`, for one slice. Sets reply.Shown to the
// time reached. On rank 0, which alone decides when to stop, and on those that share the run.
// Throws dem::Error.
void vtkDEMTimelineAlgorithm::Advance(bool slices, bool root, Reply& reply)
{
  using Clock = std::chrono::steady_clock;
  vtkDEMAnyRun& run = this->GetRun();
  const double from = run.GetReachedTime();
  const auto began = Clock::now();
  const double target = reply.Shown;
  const bool beginsAgain = from == 0 && this->ShownTime > 0;
  const double slice = beginsAgain ? 0 : this->MonitorInterval;
  const std::string name = this->GetProgressName();
  const vtkDEMAnyRun::Observer observer = [&](std::uint64_t, double now)
  {
    char text[64];
    std::snprintf(text, sizeof(text), "%s t=%.6g s", name.c_str(), now);
    this->SetProgressText(text);
    const double begin = slices ? 0 : std::min(from, now);
    this->UpdateProgress(target > begin ? std::min(1.0, (now - begin) / (target - begin)) : 0.0);
    if (this->GetAbortExecute())
    {
      reply.Interrupted = true;
      return false;
    }
    if (slices && std::chrono::duration<double>(Clock::now() - began).count() >= slice)
    {
      reply.NeedsUpdate = true;
      return false;
    }
    return true;
  };
  const bool reached = run.Advance(target, root ? observer : vtkDEMAnyRun::Observer());
  double time = target;
  reply.HasFrame = run.GetLastTime(time);
  reply.Shown = reached ? target : time;
  reply.NeedsUpdate = reply.NeedsUpdate && !reached;
  reply.Interrupted = reply.Interrupted && !reached;
  this->ShownTime = reply.Shown;
}

//------------------------------------------------------------------------------
// Updates the run with the scene, if that was `read`, and with new steering events. `time` is the
// requested time in s. On rank 0, and on those that share the run.
void vtkDEMTimelineAlgorithm::UpdateRun(bool read, bool root, double time)
{
  this->PrepareRun(read);
  const std::string moved = read && root ? this->GetRun().GetMovedWall() : "";
  if (!moved.empty() && time != this->AskedTime)
  {
    vtkWarningMacro(<< this->AsShown("Wall \"" + moved + "\"")
                    << " was moved between two requests of different times. The run began "
                       "again from 0 s with the wall at rest at its present place. "
                       "If an animation moves it, as keyframes of a Transform do, remove "
                       "that and use the Motion of DEM Wall or a time series of files.");
  }
  if (this->SteeringIsNew)
  {
    this->GetRun().SetSteeringText(this->SteeringEvents);
    this->SteeringIsNew = false;
  }
}

//------------------------------------------------------------------------------
// Decides whether all ranks share the run of a scene that was read. Collective.
void vtkDEMTimelineAlgorithm::ShareRun(vtkMultiProcessController* controller)
{
  const bool shared = this->Ranks != nullptr, shares = controller && this->ShareScene(controller);
  if (shares && !shared)
  {
    this->Ranks = std::make_unique<vtkDEMRankChannel>(controller);
  }
  else if (shared && !shares)
  {
    this->Ranks.reset();
    this->GetRun().Reset(); // the run of one process begins anew
  }
}

//------------------------------------------------------------------------------
// Reads the scene if it is stale and advances the run to `time`. Errors are shown to the user; the
// reply then has the last frame of the run, if there is one. `rest`: see vtkDEMInterruption.
// Collective.
void vtkDEMTimelineAlgorithm::Answer(vtkInformationVector** inputVector,
  vtkMultiProcessController* controller, double time, bool slices, bool rest, Reply& reply)
{
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  try
  {
    const bool read = this->SceneIsStale(inputVector, controller);
    if (read)
    {
      this->ShareRun(controller);
    }
    const bool computes = root || this->Ranks;
    if (this->Ranks)
    {
      int isNew = this->SteeringIsNew; // rank 0 decides, see ShareSteering
      controller->Broadcast(&isNew, 1, 0);
      this->SteeringIsNew = isNew != 0;
    }
    if (computes)
    {
      this->UpdateRun(read, root, time);
    }
    this->SceneIsRead = true;
    if (read)
    {
      this->ShowWarnings(root);
    }
    this->IsStopped = this->IsStopped && slices && !read;
    const bool rests = this->IsStopped || (rest && !read); // ParaView asks again by itself
    int keeps = rests && this->GetRun().GetLastTime(reply.Shown);
    if (this->Ranks)
    {
      controller->Broadcast(&keeps, 1, 0);
    }
    if (computes && keeps)
    {
      reply.HasFrame = true;
      reply.Interrupted = rest;
    }
    else if (computes)
    {
      this->Advance(slices, root, reply);
      const std::vector<std::string> news = this->GetRun().GetNews(); // collective
      for (const std::string& sentence : root ? news : std::vector<std::string>())
      {
        vtkWarningMacro(<< this->AsShown(sentence));
      }
    }
  }
  catch (const std::exception& e)
  {
    // The input or RequestInformation has shown its own error. Ranks that share a run fail
    // together.
    const bool shows = root || !this->SceneIsRead || !this->Ranks;
    if (shows && !this->InformationFailed && e.what() != std::string(vtkDEMArrays::InputFailed))
    {
      vtkErrorMacro(<< this->AsShown(e.what()));
    }
    reply.NeedsUpdate = false;
    reply.HasFrame = this->SceneIsRead && this->GetRun().GetLastTime(reply.Shown);
  }
  reply.HasFrame = reply.HasFrame && (root || this->Ranks);

  this->ShareSteering(controller);
  if (controller)
  {
    double state[3] = { reply.Shown, reply.Interrupted ? 1.0 : 0.0, reply.NeedsUpdate ? 1.0 : 0.0 };
    controller->Broadcast(state, 3, 0);
    reply.Shown = state[0];
    reply.Interrupted = state[1] != 0;
    reply.NeedsUpdate = state[2] != 0;
  }
}

//------------------------------------------------------------------------------
int vtkDEMTimelineAlgorithm::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  auto* controller = vtkDEMArrays::GetParallelController();

  // The flag stays set after an interruption. Its setter would mark this object as modified.
  this->AbortExecute = 0;
  // Other ports carry the time and piece of earlier requests.
  int port = request->Has(vtkExecutive::FROM_OUTPUT_PORT())
    ? request->Get(vtkExecutive::FROM_OUTPUT_PORT())
    : 0;
  port = std::max(0, std::min(port, this->GetNumberOfOutputPorts() - 1));
  vtkInformation* asked = outputVector->GetInformationObject(port);
  const double time = asked->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
    ? asked->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
    : this->Times.front();

  // A filter over time requests other times first. It must get whole times, also of the watched
  // one.
  const bool watched = this->WatchedTime == time;
  this->OtherTimes = this->OtherTimes || !watched;
  const bool slices = this->Monitor || (this->MonitorInWindow && watched && !this->OtherTimes);

  Reply reply;
  reply.Shown = vtkDEMOutputTimes::AtOrBefore(this->Times, time);
  const bool rest = this->Interruption->IsRest(port, time);
  this->Answer(inputVector, controller, time, slices, rest, reply);
  this->Interruption->Set(reply.Interrupted);
  this->IsStopped = this->IsStopped || (reply.Interrupted && slices && watched); // as StopHere()
  // A view that shows a slice requests the rest, also if a filter over time has got the whole
  // since.
  if (this->Monitor || watched)
  {
    this->NeedsUpdate = reply.NeedsUpdate || (this->OtherTimes && this->SliceIsShown);
    this->SliceIsShown = reply.NeedsUpdate;
  }
  this->AskedTime = time;

  this->FillOutputs(reply.HasFrame, controller, outputVector);
  for (int i = 0; i < this->GetNumberOfOutputPorts(); ++i)
  {
    vtkDataObject::GetData(outputVector, i)
      ->GetInformation()
      ->Set(vtkDataObject::DATA_TIME_STEP(), reply.Shown);
  }

  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMTimelineAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Device: " << this->Device << endl;
  os << indent << "Threads: " << this->Threads << endl;
  os << indent << "DeviceNumber: " << this->DeviceNumber << endl;
  os << indent << "Devices: " << this->Devices << endl;
  os << indent << "FrameMemory: " << this->FrameMemory << endl;
  os << indent << "SnapshotMemory: " << this->SnapshotMemory << endl;
  os << indent << "DeviceFrameMemory: " << this->DeviceFrameMemory << endl;
  os << indent << "WhenChanged: " << this->WhenChanged << endl;
  os << indent << "SteeringEvents: " << this->SteeringEvents << endl;
  os << indent << "Monitor: " << this->Monitor << endl;
  os << indent << "MonitorInWindow: " << this->MonitorInWindow << endl;
  os << indent << "WatchedTime: " << this->WatchedTime << endl;
  os << indent << "MonitorInterval: " << this->MonitorInterval << endl;
  os << indent << "RestartFile: " << this->RestartFile << endl;
  os << indent << "CheckpointFile: " << this->CheckpointFile << endl;
  os << indent << "CheckpointInterval: " << this->CheckpointInterval << endl;
  os << indent << "CheckpointsKept: " << this->CheckpointsKept << endl;
}
