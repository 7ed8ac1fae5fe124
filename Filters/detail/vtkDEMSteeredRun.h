/**
 * A run that can be steered: keeps the run as long as the scene is the same by value, and otherwise
 * steers or restarts it. All methods throw dem::Error.
 */

#ifndef vtkDEMSteeredRun_h
#define vtkDEMSteeredRun_h

#include "Core/Error.h"
#include "Walls/WallMesh.h"
#include "detail/vtkDEMSceneChanges.h"
#include "detail/vtkDEMSteering.h"
#include "detail/vtkDEMTimelineRun.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

template <class TimelineT>
class vtkDEMSteeredRun : public vtkDEMTimelineRun<TimelineT>
{
public:
  using SceneT = typename TimelineT::Scene;

  struct Options : vtkDEMAnyRun::Options
  {
    typename TimelineT::FrameSelection Selection;
  };

  /**
   * Updates the run with a newly read scene.
   */
  void SetScene(SceneT&& scene, const Options& options)
  {
    vtkDEMSceneChanges changes;
    if (this->SceneIsSet)
    {
      changes = vtkDEMSceneChanges::Between(
        this->Scene, scene, !this->Steering.Start.empty() || !this->Steering.Events.empty());
    }
    this->MovedWall = this->Timeline ? changes.MovedWall : std::string();
    if (changes.Restart || (!changes.Steerable.empty() && !options.Steer))
    {
      this->Forget();
    }
    else if (!changes.Steerable.empty() && !this->Timeline)
    {
      this->Forget(); // no time has been reached yet at which to steer
    }
    else if (!changes.Steerable.empty())
    {
      // The change takes effect at the time shown.
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
        // A change is applied completely or not at all: the run without it starts again from 0.
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
    if (this->Timeline)
    {
      vtkDEMSceneChanges::KeepAutomaticDomain(this->Scene, scene);
    }
    this->Scene = std::move(scene);
    this->SceneIsSet = true;
    this->SetOptions(options);
  }

  /**
   * Updates the run with options while the scene is unchanged.
   */
  void SetOptions(const Options& options)
  {
    this->TakeOptions(options);
    if (this->Timeline && !(options.Selection == this->Selection))
    {
      this->Timeline->select(options.Selection);
    }
    this->Selection = options.Selection;
  }

  std::string GetSteeringText() const override { return this->Steering.ToText(); }

  void SetSteeringText(const std::string& text) override
  {
    const vtkDEMSteering steering = vtkDEMSteering::FromText(text, this->Scene);
    if (!(steering == this->Steering))
    {
      this->Forget();
      this->Steering = steering;
    }
  }

  std::string GetMovedWall() const override { return this->MovedWall; }

  std::vector<std::string> GetWarnings() const override
  {
    return dem::wallWarnings(this->Scene.walls);
  }

  bool HasScene() const { return this->SceneIsSet; }
  const SceneT& GetScene() const { return this->Scene; }

  /**
   * Gravity (m/s^2) in the steps that end at `time` (s). The scene has the gravity of the last
   * event.
   */
  dem::Vec3d GetGravity(double time) const
  {
    std::vector<dem::Event> events = this->Scene.events;
    events.insert(events.end(), this->Steering.Events.begin(), this->Steering.Events.end());
    std::stable_sort(events.begin(), events.end(),
      [](const dem::Event& a, const dem::Event& b) { return a.time < b.time; });
    events.insert(events.begin(), this->Steering.Start.begin(), this->Steering.Start.end());
    dem::Vec3d gravity = this->Scene.gravity;
    for (std::size_t i = 0; i < events.size(); ++i)
    {
      const bool start = i < this->Steering.Start.size();
      const dem::Event& event = events[i];
      if (event.property == "Gravity" && event.value.size() == 3 &&
        (start || event.time < time * (1 - 1e-9)))
      {
        gravity = { event.value[0], event.value[1], event.value[2] };
      }
    }
    return gravity;
  }

protected:
  std::unique_ptr<TimelineT> MakeTimeline(const std::vector<std::uint8_t>& state) override
  {
    typename TimelineT::Options options;
    this->FillOptions(options);
    options.selection = this->Selection;
    // Plan the run with the values at the start, as that of the run in which the events were made.
    SceneT scene = this->Scene;
    this->Steering.ApplyStart(scene);
    if (!this->Steering.Start.empty())
    {
      vtkDEMSceneChanges::RenewAutomaticDomain(scene);
    }
    vtkDEMSceneChanges::TakeBorders(state, scene);
    vtkDEMSceneChanges::KeepAutomaticDomain(scene, this->Scene);
    auto timeline = std::make_unique<TimelineT>(scene, options);
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

  void StateWasLoaded() override { this->ReadSteering(); }

  /**
   * Discards the run and its events.
   */
  void Forget() override
  {
    this->vtkDEMTimelineRun<TimelineT>::Forget();
    this->Steering = vtkDEMSteering();
  }

private:
  // Ask the run itself, since a loaded checkpoint has its own events.
  void ReadSteering()
  {
    std::vector<dem::Event> own = this->SceneEvents;
    this->Steering.Events.clear();
    const TimelineT& timeline = *this->Timeline;
    const double rounding = 1e-7 * timeline.simulation().plan().time_step;
    for (dem::Event event : timeline.simulation().scene().events)
    {
      const auto found = std::find(own.begin(), own.end(), event);
      if (found != own.end())
      {
        own.erase(found);
        continue;
      }
      // The time of a step differs from that of the output by rounding. Users know the latter.
      const double output = timeline.outputTime(timeline.outputAt(event.time));
      event.time = std::fabs(event.time - output) <= rounding ? output : event.time;
      this->Steering.Begin(this->Scene, event);
      this->Steering.Add(event);
    }
  }

  bool SceneIsSet = false;
  SceneT Scene;                        // as read last; a steered run began with another
  std::vector<dem::Event> SceneEvents; // of the scene that the run began with
  vtkDEMSteering Steering;
  std::string MovedWall;
  typename TimelineT::FrameSelection Selection;
};

#endif
