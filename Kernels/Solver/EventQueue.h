// The changes of a scene under way: which are due, and how many are past.
#pragma once

#include "Scene/Scene.h"
#include "Scene/StepPlan.h"

#include <cstddef>
#include <cstdint>

namespace dem
{

/// Works on the events of a scene that a run owns, which ascend in time.
class EventQueue
{
public:
  EventQueue(Scene& scene, const StepPlan& plan)
    : scene_(scene)
    , plan_(plan)
  {
  }

  /// The first step at which an event holds.
  std::uint64_t stepOf(const Event& event) const;
  /// The step of the next event, or `until` if that is earlier.
  std::uint64_t nextStep(std::uint64_t until) const;

  /// Adds an event, not before time `now` (s). Throws dem::Error for what cannot be applied.
  void add(const Event& event, double now);

  /// Whether events are due at `step`; takeDue() then applies them to the scene.
  bool anyDue(std::uint64_t step) const;
  /// Whether those that are due change gravity or materials, not only motions of walls.
  bool lawChanges(std::uint64_t step) const;
  void takeDue(std::uint64_t step, double now);

  /// How many events are past at `step`. One that is due at this very step is part of a saved
  /// state, although it waits for the next step.
  std::size_t pastAt(std::uint64_t step) const;

  /// The scene as it was at `step` of a run that began as `base` and met `past` events, to which
  /// the later ones that are known here are added: so a replay meets every change again. `first`
  /// receives the number of events before `step`.
  Scene replayed(
    const Scene& base, std::vector<Event> past, std::uint64_t step, std::size_t& first) const;
  /// Continues with the events from number `first` on.
  void restart(std::size_t first) { next_ = first; }

private:
  std::size_t dueEnd(std::uint64_t step) const;

  Scene& scene_;
  const StepPlan& plan_;
  std::size_t next_ = 0;
};

} // namespace dem
