#include "MaterialPoint/MpmEngine.h"

#include "Core/Error.h"
#include "MaterialPoint/MpmSteering.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <utility>

namespace mpm
{
namespace
{

std::uint64_t nextRun()
{
  static std::atomic<std::uint64_t> last{ 0 };
  return ++last;
}

} // namespace

Engine::Engine(const Scene& scene, const dem::Device& device)
  : scene_(scene)
  , device_(device)
  , plan_(planSteps(scene))
  , run_(nextRun())
{
}

void Engine::apply(const dem::Event& event)
{
  dem::Event due = event;
  due.time = std::max(due.time, time());
  Scene changed = scene_;
  applyToScene(changed, due); // refuses an invalid change now, not when its time comes
  std::vector<dem::Event>& events = scene_.events;
  const auto later = [](const dem::Event& a, const dem::Event& b) { return a.time < b.time; };
  events.insert(std::upper_bound(events.begin() + static_cast<std::ptrdiff_t>(next_event_),
                  events.end(), due, later),
    due);
}

void Engine::setEnd(double end_time)
{
  Scene changed = scene_;
  changed.end_time = end_time;
  plan_.outputs = countOutputs(changed);
  scene_.end_time = end_time;
}

bool Engine::stepTo(std::uint64_t target, const Simulation::Observer& observer)
{
  if (!failure_.empty())
    throw dem::Error(failure_);
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  auto asked = begin - std::chrono::seconds(1);
  const std::uint64_t first = step_;
  bool reached = true;
  while (step_ < target)
  {
    const auto now = Clock::now();
    if (observer && std::chrono::duration<double>(now - asked).count() > 0.05)
    {
      asked = now;
      if (!observer(step_, time()))
      {
        reached = false;
        break;
      }
    }
    takeChanges();
    wholeStep();
  }
  synchronize();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (step_ > first && seconds > 0)
    steps_per_second_ = static_cast<double>(step_ - first) / seconds;
  return reached;
}

void Engine::requireWhole() const
{
  if (half_restored_)
    throw dem::Error(failure_);
}

Statistics Engine::runStatistics() const
{
  Statistics s;
  s.time = time();
  s.step = step_;
  s.time_step = plan_.time_step;
  s.sub_steps = totals_.sub_steps;
  s.lost = totals_.lost;
  s.largest_cfl = totals_.largest_cfl;
  s.steps_per_second = steps_per_second_;
  return s;
}

void Engine::keepBaseScene()
{
  scene_.points = {};
  base_scene_ = scene_;
}

std::uint64_t Engine::eventStep(const dem::Event& event) const
{
  return dem::firstStepAt(event.time, plan_.time_step);
}

bool Engine::eventDue() const
{
  return next_event_ < scene_.events.size() && eventStep(scene_.events[next_event_]) <= step_;
}

void Engine::applyDueEvents()
{
  for (; eventDue(); ++next_event_)
  {
    dem::Event now = scene_.events[next_event_];
    now.time = time();
    applyToScene(scene_, now);
  }
}

std::size_t Engine::pastEvents() const
{
  std::size_t past = next_event_;
  while (past < scene_.events.size() && eventStep(scene_.events[past]) <= step_)
    ++past;
  return past;
}

Scene Engine::sceneAt(std::uint64_t step, std::vector<dem::Event> past, std::size_t& next) const
{
  // The past of the state, and the future that is known here, so that a replay meets every change
  // again. A change that is due at this very step waits for the next one, as in the run that was
  // saved.
  Scene scene = base_scene_;
  next = 0;
  for (const dem::Event& e : past)
  {
    if (eventStep(e) >= step)
      break;
    ++next;
    dem::Event then = e;
    then.time = static_cast<double>(eventStep(e)) * plan_.time_step;
    applyToScene(scene, then);
  }
  for (const dem::Event& e : scene_.events)
    if (eventStep(e) >= step && std::find(past.begin(), past.end(), e) == past.end())
      past.push_back(e);
  scene.events = std::move(past);
  scene.end_time = scene_.end_time;
  return scene;
}

} // namespace mpm
