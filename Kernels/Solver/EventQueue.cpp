// Finds due events by their step and applies them to the scene.
#include "Solver/EventQueue.h"

#include "Scene/Steering.h"

#include <algorithm>
#include <utility>

namespace dem
{

std::uint64_t EventQueue::stepOf(const Event& event) const
{
  return firstStepAt(event.time, plan_.time_step);
}

std::uint64_t EventQueue::nextStep(std::uint64_t until) const
{
  return next_ < scene_.events.size() ? std::min(until, stepOf(scene_.events[next_])) : until;
}

void EventQueue::add(const Event& event, double now)
{
  Event due = event;
  due.time = std::max(due.time, now);
  Scene changed = scene_;
  applyToScene(changed, due); // an invalid event throws here, not later in the run
  std::vector<Event>& events = scene_.events;
  const auto later = [](const Event& a, const Event& b) { return a.time < b.time; };
  events.insert(std::upper_bound(events.begin() + next_, events.end(), due, later), due);
}

std::size_t EventQueue::dueEnd(std::uint64_t step) const
{
  std::size_t end = next_;
  while (end < scene_.events.size() && stepOf(scene_.events[end]) <= step)
    ++end;
  return end;
}

bool EventQueue::anyDue(std::uint64_t step) const { return dueEnd(step) > next_; }

bool EventQueue::lawChanges(std::uint64_t step) const
{
  const auto movesWalls = [](const Event& e) {
    return e.property == "WallRate" || e.property == "WallVelocity";
  };
  return !std::all_of(
    scene_.events.begin() + next_, scene_.events.begin() + dueEnd(step), movesWalls);
}

void EventQueue::takeDue(std::uint64_t step, double now)
{
  for (const std::size_t end = dueEnd(step); next_ < end; ++next_)
  {
    Event event = scene_.events[next_];
    event.time = now;
    applyToScene(scene_, event);
  }
}

std::size_t EventQueue::pastAt(std::uint64_t step) const { return dueEnd(step); }

Scene EventQueue::replayed(
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

} // namespace dem
