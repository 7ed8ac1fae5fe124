#include "Solver/Timeline.h"

#include "Core/Error.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dem
{

Timeline::Timeline(const Scene& scene, const TimelineOptions& options)
  : options_(options)
  , simulation_(std::make_unique<Simulation>(scene, options.run))
{
  simulation_->keepOnDevice(options.device_frame_memory);
  snapshots_[0] = simulation_->save();
}

Timeline::~Timeline() = default;

std::uint64_t Timeline::outputs() const
{
  return simulation_->plan().outputs;
}

double Timeline::outputTime(std::uint64_t output) const
{
  return static_cast<double>(output) * simulation_->scene().output_interval;
}

std::uint64_t Timeline::outputAt(double time) const
{
  const double k = std::floor(time / simulation_->scene().output_interval + 1e-9 * (1 + std::fabs(time)));
  return k > 0 ? std::min(static_cast<std::uint64_t>(k), outputs() - 1) : 0;
}

Timeline::Result Timeline::at(std::uint64_t output, const Simulation::Observer& observer, bool partial)
{
  output = std::min(output, outputs() - 1);
  const auto kept = frames_.find(output);
  if (kept != frames_.end())
    return { kept->second, true };

  const std::uint64_t per_output = simulation_->plan().steps_per_output;
  if (simulation_->step() > output * per_output)
    restoreNearest(output);
  else
  {
    // a kept snapshot ahead of the present state saves the steps up to it
    const auto next = snapshots_.upper_bound(output);
    if (next != snapshots_.begin() && std::prev(next)->first * per_output > simulation_->step())
      simulation_->restore(std::prev(next)->second);
  }
  while (simulation_->step() < output * per_output)
  {
    const std::uint64_t next = simulation_->step() / per_output + 1;
    if (!simulation_->advanceTo(next * per_output, observer))
      return { interrupted(partial), false };
    keepSnapshot(next);
  }
  auto frame = std::make_shared<const Frame>(simulation_->frame(options_.selection));
  keepFrame(output, frame);
  return { frame, true };
}

std::shared_ptr<const Frame> Timeline::interrupted(bool partial)
{
  const std::uint64_t per_output = simulation_->plan().steps_per_output;
  const std::uint64_t passed = simulation_->step() / per_output;
  if (partial || simulation_->step() == passed * per_output)
    return std::make_shared<Frame>(simulation_->frame(options_.selection));
  const auto kept = frames_.find(passed);
  if (kept != frames_.end())
    return kept->second;
  const SnapshotBytes present = simulation_->save();
  restoreNearest(passed);
  simulation_->advanceTo(passed * per_output);
  auto frame = std::make_shared<Frame>(simulation_->frame(options_.selection));
  simulation_->restore(present);
  return frame;
}

void Timeline::restoreNearest(std::uint64_t output)
{
  const auto after = snapshots_.upper_bound(output);
  simulation_->restore(std::prev(after)->second); // output 0 is always kept
}

namespace
{

// Drops entries until they fit, each time the one whose neighbours are closest together, so that what is left stays evenly spread. `spared`
// stays whatever it takes.
template <class Map, class Size>
void thin(Map& map, std::size_t budget, std::uint64_t spared, const Size& size)
{
  std::size_t total = 0;
  for (const auto& entry : map)
    total += size(entry.second);
  while (total > budget && map.size() > 1)
  {
    auto victim = map.end();
    std::uint64_t narrowest = ~std::uint64_t(0);
    for (auto it = map.begin(); it != map.end(); ++it)
    {
      if (it->first == spared)
        continue;
      const std::uint64_t before = it == map.begin() ? 0 : std::prev(it)->first;
      const std::uint64_t next = std::next(it) == map.end() ? it->first : std::next(it)->first;
      if (next - before < narrowest)
      {
        narrowest = next - before;
        victim = it;
      }
    }
    total -= size(victim->second);
    map.erase(victim);
  }
}

} // namespace

void Timeline::keepFrame(std::uint64_t output, std::shared_ptr<const Frame> frame)
{
  frames_[output] = std::move(frame);
  newest_frame_ = output;
  thinFrames();
}

void Timeline::thinFrames()
{
  thin(frames_, options_.frame_memory, newest_frame_, [](const std::shared_ptr<const Frame>& f) { return f->bytes(); });
}

void Timeline::keepSnapshot(std::uint64_t output)
{
  if (snapshots_.count(output))
    return;
  // A snapshot that would be dropped at once is not taken: the budget gives the spacing, a power of two of outputs.
  const std::size_t size = std::max<std::size_t>(1, snapshots_.rbegin()->second.size());
  const std::size_t room = std::max<std::size_t>(2, options_.snapshot_memory / size);
  // Taking one costs as much as two or three steps, so there are some steps between them.
  constexpr std::uint64_t kStepsApart = 200;
  std::uint64_t spacing = 1;
  while (spacing * (room - 1) < outputs() - 1 || spacing * simulation_->plan().steps_per_output < kStepsApart)
    spacing *= 2;
  if (output % spacing)
    return;
  snapshots_[output] = simulation_->save();
  thinSnapshots();
}

void Timeline::thinSnapshots()
{
  thin(snapshots_, options_.snapshot_memory, 0, [](const SnapshotBytes& s) { return s.size(); });
}

void Timeline::select(const FrameSelection& selection)
{
  if (selection == options_.selection)
    return;
  options_.selection = selection;
  frames_.clear();
}

void Timeline::setMemory(std::size_t frame_memory, std::size_t snapshot_memory)
{
  options_.frame_memory = frame_memory;
  options_.snapshot_memory = snapshot_memory;
  thinFrames();
  thinSnapshots();
}

// Not only its frame: the solver itself.
void Timeline::standAt(std::uint64_t output)
{
  const std::uint64_t step = output * simulation_->plan().steps_per_output;
  if (simulation_->step() != step)
    at(output);
  if (simulation_->step() != step)
  {
    restoreNearest(output);
    simulation_->advanceTo(step);
  }
}

void Timeline::steer(std::uint64_t output, const std::string& property, const std::vector<double>& value)
{
  standAt(output);
  simulation_->apply({ outputTime(output), property, value });
  frames_.erase(frames_.upper_bound(output), frames_.end());
  snapshots_.erase(snapshots_.upper_bound(output), snapshots_.end());
}

void Timeline::load(const SnapshotBytes& bytes)
{
  simulation_->restore(bytes);
  frames_.clear();
  snapshots_.erase(std::next(snapshots_.begin()), snapshots_.end());
  const std::uint64_t per_output = simulation_->plan().steps_per_output;
  if (simulation_->step() % per_output == 0)
    snapshots_[simulation_->step() / per_output] = bytes;
}

SnapshotBytes Timeline::save()
{
  return simulation_->save();
}

SnapshotBytes Timeline::save(std::uint64_t output)
{
  standAt(output);
  return simulation_->save();
}

} // namespace dem
