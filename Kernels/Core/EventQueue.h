// Queue of the events that change a scene during a run. Used by RunFrame.h.
#pragma once

#include "Core/Event.h"
#include "Core/StepPlan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dem
{

/// Works on Scene::events of the run's scene, which ascend in time. Keeps the index of the next
/// event. The namespace of the scene has applyToScene(Scene&, const Event&).
template <class Scene>
class EventQueue
{
public:
  EventQueue(Scene& scene, const StepPlan& plan)
    : scene_(scene)
    , plan_(plan)
  {
  }

  /// First step at which an event applies.
  std::uint64_t stepOf(const Event& event) const
  {
    return firstStepAt(event.time, plan_.time_step);
  }

  /// Step of the next event, or `until` if that is earlier.
  std::uint64_t nextStep(std::uint64_t until) const
  {
    return next_ < scene_.events.size() ? std::min(until, stepOf(scene_.events[next_])) : until;
  }

  /// Adds an event at its time, or at `now` (s) if that is later. Throws dem::Error if the event
  /// cannot be applied. check(scene), called with the scene as the event makes it, may throw, too.
  template <class Check>
  void add(const Event& event, double now, const Check& check)
  {
    Event due = event;
    due.time = std::max(due.time, now);
    Scene changed = scene_;
    for (auto before = at(next_); before != scene_.events.cend() && before->time <= due.time;
         ++before)
      applyToScene(changed, *before);
    applyToScene(changed, due); // an invalid event throws here, not later in the run
    check(changed);
    std::vector<Event>& events = scene_.events;
    const auto later = [](const Event& a, const Event& b) { return a.time < b.time; };
    events.insert(std::upper_bound(at(next_), events.cend(), due, later), due);
  }

  /// True if events are due at `step`. takeDue() applies them to the scene.
  bool anyDue(std::uint64_t step) const { return dueEnd(step) > next_; }

  /// True if `is(event)` holds for all events that are due at `step`.
  template <class Is>
  bool allDue(std::uint64_t step, const Is& is) const
  {
    return std::all_of(at(next_), at(dueEnd(step)), is);
  }

  void takeDue(std::uint64_t step, double now)
  {
    for (const std::size_t end = dueEnd(step); next_ < end; ++next_)
    {
      Event event = scene_.events[next_];
      event.time = now;
      applyToScene(scene_, event);
    }
  }

  /// Events up to `step`, included, for a saved state. An event at `step` itself is part of it,
  /// although it is applied when the next step begins.
  std::vector<Event> pastAt(std::uint64_t step) const { return { at(0), at(dueEnd(step)) }; }

  /// Returns `base` after the `past` events of a saved state that are before `step`. Its events are
  /// `past`, followed by the events of the present scene from `step` on, so that a replay repeats
  /// every change. `first` receives the number of events before `step`.
  Scene replayed(
    const Scene& base, std::vector<Event> past, std::uint64_t step, std::size_t& first) const
  {
    Scene scene = base;
    first = 0;
    for (const Event& e : past)
    {
      if (stepOf(e) >= step)
        break;
      ++first;
      Event then = e;
      then.time = static_cast<double>(stepOf(e)) * plan_.time_step;
      applyToScene(scene, then);
    }
    for (const Event& e : scene_.events)
      if (stepOf(e) >= step && std::find(past.begin(), past.end(), e) == past.end())
        past.push_back(e);
    scene.events = std::move(past);
    return scene;
  }

  /// Makes the event with index `first` the next.
  void restart(std::size_t first) { next_ = first; }

private:
  std::vector<Event>::const_iterator at(std::size_t index) const
  {
    return scene_.events.cbegin() + static_cast<std::ptrdiff_t>(index);
  }

  std::size_t dueEnd(std::uint64_t step) const
  {
    std::size_t end = next_;
    while (end < scene_.events.size() && stepOf(scene_.events[end]) <= step)
      ++end;
    return end;
  }

  Scene& scene_;
  const StepPlan& plan_;
  std::size_t next_ = 0;
};

} // namespace dem
