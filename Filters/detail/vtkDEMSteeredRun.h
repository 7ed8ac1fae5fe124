/**
 * Owns the timeline of a run for an algorithm: keeps the run while the scene stays the same by
 * value, steers it or starts a new one when it does not. Throws dem::Error. Only the rank that
 * computes has one.
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
   * Brings the run in line with a scene that was built anew.
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
    if (this->Timeline)
    {
      vtkDEMSceneChanges::KeepAutomaticDomain(this->Scene, scene);
    }
    this->Scene = std::move(scene);
    this->SceneIsSet = true;
    this->SetOptions(options);
  }

  /**
   * Brings the run in line with options that may have changed while the scene did not.
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
   * Gravity (m/s^2) in the steps that lead to a time. The scene has that of the newest change.
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
    // Planned for the values at the start, as the run was that the changes come from.
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
   * The run and its changes.
   */
  void Forget() override
  {
    this->vtkDEMTimelineRun<TimelineT>::Forget();
    this->Steering = vtkDEMSteering();
  }

private:
  // From the run itself, since a checkpoint brings changes of its own.
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
      // The time of a step is that of the output but for its rounding: as the user knows it.
      const double output = timeline.outputTime(timeline.outputAt(event.time));
      event.time = std::fabs(event.time - output) <= rounding ? output : event.time;
      this->Steering.Begin(this->Scene, event);
      this->Steering.Add(event);
    }
  }

  bool SceneIsSet = false;
  SceneT Scene;                        // as it was built last; a steered run began with another
  std::vector<dem::Event> SceneEvents; // of the scene that the run began with
  vtkDEMSteering Steering;
  std::string MovedWall;
  typename TimelineT::FrameSelection Selection;
};

#endif
