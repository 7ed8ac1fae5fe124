#include "vtkDEMRun.h"

#include "Core/Error.h"
#include "detail/vtkDEMSceneChanges.h"

#include <algorithm>
#include <cmath>

namespace
{

//------------------------------------------------------------------------------
// What is wrong with the state inside a good file does not name the file by itself.
void LoadInto(dem::Timeline& timeline, const dem::SnapshotBytes& bytes, const std::string& fileName)
{
  try
  {
    timeline.load(bytes);
  }
  catch (const dem::Error& e)
  {
    throw dem::Error("Checkpoint " + fileName + ": " + e.what());
  }
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMRun::vtkDEMRun() = default;

//------------------------------------------------------------------------------
vtkDEMRun::~vtkDEMRun() = default;

//------------------------------------------------------------------------------
void vtkDEMRun::SetScene(dem::Scene&& scene, const Options& options)
{
  vtkDEMSceneChanges changes;
  if (this->SceneIsSet)
  {
    changes = vtkDEMSceneChanges::Between(this->Scene, scene);
  }
  if (changes.Restart || (!changes.Steerable.empty() && !options.Steer))
  {
    this->Forget();
  }
  else if (!changes.Steerable.empty() && !this->Timeline)
  {
    this->Forget(); // there is no time yet at which to change
  }
  else if (!changes.Steerable.empty())
  {
    // The change takes effect at the time the user looks at.
    const std::uint64_t output =
      this->LastFrame ? this->Timeline->outputAt(this->LastFrame->time) : 0;
    const vtkDEMSteering before = this->Steering;
    try
    {
      for (const auto& event : changes.Steerable)
      {
        this->Timeline->steer(output, event.property, event.value);
        this->Steering.Begin(this->Scene, event);
      }
      this->ReadSteering();
    }
    catch (...)
    {
      // All of a change or nothing: the run as it was comes again from its start.
      this->Timeline.reset();
      this->LastFrame.reset();
      this->Steering = before;
      throw;
    }
  }
  if (this->Timeline && scene.end_time != this->Scene.end_time)
  {
    this->Timeline->setEnd(scene.end_time);
  }
  this->Scene = std::move(scene);
  this->SceneIsSet = true;
  this->SetOptions(options);
}

//------------------------------------------------------------------------------
void vtkDEMRun::SetOptions(const Options& options)
{
  const bool restart = options.Device != this->Current.Device ||
    options.Threads != this->Current.Threads || options.RestartFile != this->Current.RestartFile;
  if (this->Timeline && restart)
  {
    this->Timeline.reset();
    this->LastFrame.reset();
  }
  else if (this->Timeline)
  {
    if (!(options.Selection == this->Current.Selection))
    {
      this->Timeline->select(options.Selection);
    }
    if (options.FrameMemory != this->Current.FrameMemory ||
      options.SnapshotMemory != this->Current.SnapshotMemory)
    {
      this->Timeline->setMemory(options.FrameMemory, options.SnapshotMemory);
    }
    if (options.DeviceFrameMemory != this->Current.DeviceFrameMemory)
    {
      this->Timeline->setDeviceFrameMemory(options.DeviceFrameMemory);
    }
  }
  this->Current = options;
}

//------------------------------------------------------------------------------
void vtkDEMRun::SetSteering(const vtkDEMSteering& steering)
{
  if (!(steering == this->Steering))
  {
    this->Forget();
    this->Steering = steering;
  }
}

//------------------------------------------------------------------------------
void vtkDEMRun::Reset()
{
  this->Forget();
  this->PendingLoad.clear();
}

//------------------------------------------------------------------------------
void vtkDEMRun::Forget()
{
  this->Timeline.reset();
  this->LastFrame.reset();
  this->Steering = vtkDEMSteering();
}

//------------------------------------------------------------------------------
void vtkDEMRun::Start()
{
  dem::TimelineOptions options;
  options.run.device = this->Current.Device;
  options.run.threads = this->Current.Threads;
  options.selection = this->Current.Selection;
  options.frame_memory = this->Current.FrameMemory;
  options.snapshot_memory = this->Current.SnapshotMemory;
  options.device_frame_memory = this->Current.DeviceFrameMemory;
  // Planned for the values at the start, as the run was that the changes come from.
  dem::Scene scene = this->Scene;
  this->Steering.ApplyStart(scene);
  auto timeline = std::make_unique<dem::Timeline>(scene, options);
  for (const dem::Event& event : this->Steering.Events)
  {
    try
    {
      timeline->simulation().apply(event);
    }
    catch (const dem::Error& e)
    {
      throw dem::Error(std::string("SteeringEvents: ") + e.what());
    }
  }
  const std::string file =
    this->PendingLoad.empty() ? this->Current.RestartFile : this->PendingLoad;
  if (!file.empty())
  {
    LoadInto(*timeline, dem::readSnapshotFile(file), file);
  }
  this->PendingLoad.clear();
  this->SceneEvents = this->Scene.events;
  this->Timeline = std::move(timeline);
  this->ReadSteering();
}

//------------------------------------------------------------------------------
// From the run itself, since a checkpoint brings changes of its own.
void vtkDEMRun::ReadSteering()
{
  std::vector<dem::Event> own = this->SceneEvents;
  this->Steering.Events.clear();
  const dem::Timeline& timeline = *this->Timeline;
  const double rounding = 1e-7 * timeline.simulation().plan().time_step;
  for (dem::Event event : timeline.simulation().scene().events)
  {
    const auto found = std::find(own.begin(), own.end(), event);
    if (found != own.end())
    {
      own.erase(found);
      continue;
    }
    // The time of a step is that of the output but for its rounding: as the user knows it.
    const double output = timeline.outputTime(timeline.outputAt(event.time));
    event.time = std::fabs(event.time - output) <= rounding ? output : event.time;
    this->Steering.Begin(this->Scene, event);
    this->Steering.Add(event);
  }
}

//------------------------------------------------------------------------------
dem::Timeline::Result vtkDEMRun::Advance(
  double time, const dem::Simulation::Observer& observer, bool partial)
{
  if (!this->Timeline)
  {
    this->Start();
  }
  auto result = this->Timeline->at(this->Timeline->outputAt(time), observer, partial);
  this->LastFrame = result.frame;
  return result;
}

//------------------------------------------------------------------------------
double vtkDEMRun::GetReachedTime() const
{
  return this->Timeline ? this->Timeline->simulation().time() : 0;
}

//------------------------------------------------------------------------------
dem::Simulation* vtkDEMRun::GetSimulation()
{
  return this->Timeline ? &this->Timeline->simulation() : nullptr;
}

//------------------------------------------------------------------------------
void vtkDEMRun::Save(const std::string& fileName)
{
  if (fileName.empty())
  {
    throw dem::Error("CheckpointFile is empty: name the file that the checkpoint goes to.");
  }
  if (!this->Timeline)
  {
    throw dem::Error("There is no run to save yet: Apply first.");
  }
  // An interrupted run shows the state that it is in; else an output is shown.
  const bool shown = !this->LastFrame || this->LastFrame->step == this->Timeline->simulation().step();
  dem::writeSnapshotFile(fileName,
    shown ? this->Timeline->save()
          : this->Timeline->save(this->Timeline->outputAt(this->LastFrame->time)));
}

//------------------------------------------------------------------------------
void vtkDEMRun::Load(const std::string& fileName)
{
  if (fileName.empty())
  {
    throw dem::Error("CheckpointFile is empty: name the file that the checkpoint comes from.");
  }
  const dem::SnapshotBytes bytes = dem::readSnapshotFile(fileName);
  if (this->Timeline)
  {
    LoadInto(*this->Timeline, bytes, fileName);
    this->LastFrame.reset();
    this->ReadSteering();
  }
  else
  {
    this->PendingLoad = fileName;
  }
}
