#include "Solver/Timeline.h"

#include "Core/Error.h"

#include <algorithm>
#include <cmath>

namespace dem
{

Timeline::Timeline(const Scene& scene, const TimelineOptions& options)
  : options_(options)
  , simulation_(std::make_unique<Simulation>(scene, options.run))
{
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
    {
      const std::uint64_t passed = simulation_->step() / per_output;
      if (partial || simulation_->step() == passed * per_output)
        return { std::make_shared<Frame>(simulation_->frame(options_.selection)), false };
      const auto last = frames_.upper_bound(passed);
      return { last == frames_.begin() ? nullptr : std::prev(last)->second, false };
    }
    keepSnapshot(next);
    if (next < output)
      continue;
  }
  auto frame = std::make_shared<const Frame>(simulation_->frame(options_.selection));
  keepFrame(output, frame);
  return { frame, true };
}

void Timeline::restoreNearest(std::uint64_t output)
{
  auto after = snapshots_.upper_bound(output);
  simulation_->restore(std::prev(after)->second); // output 0 is always kept
}

void Timeline::keepFrame(std::uint64_t output, std::shared_ptr<const Frame> frame)
{
  frames_[output] = std::move(frame);
  std::size_t total = 0;
  for (const auto& [k, f] : frames_)
    total += f->bytes();
  while (total > options_.frame_memory && frames_.size() > 1)
  {
    // drop the frame whose neighbours are closest together, never the newest: what is left stays evenly spread
    auto victim = frames_.end();
    std::uint64_t gap = ~std::uint64_t(0);
    for (auto it = frames_.begin(); it != frames_.end(); ++it)
    {
      if (it->first == output)
        continue;
      const std::uint64_t before = it == frames_.begin() ? 0 : std::prev(it)->first;
      const std::uint64_t next = std::next(it) == frames_.end() ? it->first : std::next(it)->first;
      if (next - before < gap)
      {
        gap = next - before;
        victim = it;
      }
    }
    total -= victim->second->bytes();
    frames_.erase(victim);
  }
}

void Timeline::keepSnapshot(std::uint64_t output)
{
  if (snapshots_.count(output))
    return;
  const std::size_t size = snapshots_.rbegin()->second.size();
  std::size_t total = 0;
  for (const auto& [k, s] : snapshots_)
    total += s.size();
  // A snapshot that would be dropped at once is not taken: keep the spacing that the budget allows.
  const std::size_t room = std::max<std::size_t>(2, options_.snapshot_memory / std::max<std::size_t>(size, 1));
  const std::uint64_t spacing = std::max<std::uint64_t>(1, (outputs() + room - 2) / (room - 1));
  std::uint64_t rounded = 1;
  while (rounded < spacing)
    rounded *= 2;
  if (output % rounded)
    return;
  snapshots_[output] = simulation_->save();
  total += snapshots_[output].size();
  while (total > options_.snapshot_memory && snapshots_.size() > 1)
  {
    auto victim = snapshots_.end();
    std::uint64_t gap = ~std::uint64_t(0);
    for (auto it = std::next(snapshots_.begin()); it != snapshots_.end(); ++it)
    {
      const std::uint64_t next = std::next(it) == snapshots_.end() ? it->first : std::next(it)->first;
      if (next - std::prev(it)->first < gap)
      {
        gap = next - std::prev(it)->first;
        victim = it;
      }
    }
    total -= victim->second.size();
    snapshots_.erase(victim);
  }
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
}

void Timeline::steer(std::uint64_t output, const std::string& property, const std::vector<double>& value)
{
  const std::uint64_t per_output = simulation_->plan().steps_per_output;
  if (simulation_->step() != output * per_output)
    at(output);
  if (simulation_->step() != output * per_output)
  {
    restoreNearest(output);
    simulation_->advanceTo(output * per_output);
  }
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

} // namespace dem
