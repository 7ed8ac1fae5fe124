#include "vtkDEMRun.h"

#include "Core/Error.h"
#include "detail/vtkDEMSceneChanges.h"

#include <algorithm>
#include <cmath>

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
  this->TakeOptions(options);
  if (this->Timeline)
  {
    if (!(options.Selection == this->Current.Selection))
    {
      this->Timeline->select(options.Selection);
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
void vtkDEMRun::Forget()
{
  this->vtkDEMTimelineRun::Forget();
  this->Steering = vtkDEMSteering();
}

//------------------------------------------------------------------------------
std::unique_ptr<dem::Timeline> vtkDEMRun::MakeTimeline()
{
  dem::TimelineOptions options;
  this->FillOptions(options);
  options.selection = this->Current.Selection;
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
  this->SceneEvents = this->Scene.events;
  return timeline;
}

//------------------------------------------------------------------------------
void vtkDEMRun::StateWasLoaded()
{
  this->ReadSteering();
}

//------------------------------------------------------------------------------
vtkDEMRun::BytesT vtkDEMRun::ReadState(const std::string& fileName)
{
  return dem::readSnapshotFile(fileName);
}

//------------------------------------------------------------------------------
void vtkDEMRun::WriteState(const std::string& fileName, const BytesT& bytes)
{
  dem::writeSnapshotFile(fileName, bytes);
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
