// Queue of the events that change a scene during a run. Used by SimulationOn.cuh.
#pragma once

#include "Scene/Scene.h"
#include "Scene/StepPlan.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Works on Scene::events of the run's scene, which ascend in time. Keeps the index of the next
/// event.
class EventQueue
{
public:
  EventQueue(Scene& scene, const StepPlan& plan)
    : scene_(scene)
    , plan_(plan)
  {
  }

  /// First step at which an event applies.
  std::uint64_t stepOf(const Event& event) const;
  /// Step of the next event, or `until` if that is earlier.
  std::uint64_t nextStep(std::uint64_t until) const;

  /// Adds an event at its time, or at `now` (s) if that is later. Throws dem::Error if the event
  /// cannot be applied.
  void add(const Event& event, double now);

  /// True if events are due at `step`. takeDue() applies them to the scene.
  bool anyDue(std::uint64_t step) const;
  /// True if an event due at `step` changes gravity or materials, not only the motion of a wall.
  bool lawChanges(std::uint64_t step) const;
  void takeDue(std::uint64_t step, double now);

  /// Number of events up to `step`, included. An event at `step` itself is part of a saved state,
  /// although it is applied when the next step begins.
  std::size_t pastAt(std::uint64_t step) const;

  /// Returns `base` after the `past` events of a saved state that are before `step`. Its events are
  /// `past`, followed by the events of the present scene from `step` on, so that a replay repeats
  /// every change. `first` receives the number of events before `step`.
  Scene replayed(
    const Scene& base, std::vector<Event> past, std::uint64_t step, std::size_t& first) const;
  /// Makes the event with index `first` the next.
  void restart(std::size_t first) { next_ = first; }

private:
  std::size_t dueEnd(std::uint64_t step) const;

  Scene& scene_;
  const StepPlan& plan_;
  std::size_t next_ = 0;
};

} // namespace dem
