#include "NeighborList/RebuildSchedule.h"

#include <algorithm>
#include <cmath>

namespace dem
{

void RebuildSchedule::begin(const BroadPhaseOptions& options, double skin, double mean_diameter)
{
  constexpr double kFirstSkin = 0.03; // of the mean diameter
  options_ = options;
  automatic_ = !(skin > 0);
  mean_diameter_ = mean_diameter;
  skin_ = automatic_ ? kFirstSkin * mean_diameter : skin;
}

void RebuildSchedule::tuneSkin(std::uint64_t step, bool grouped, double wall_travel)
{
  if (!automatic_ || !(fastest_ >= 0) || step == list_step_)
    return;
  constexpr double kChange = 2;             // the most at once
  const double balance = grouped ? 1.2 : 7; // 2 R / a
  const double wall_speed = wall_travel / static_cast<double>(step - list_step_);
  const double d = mean_diameter_, u = std::max(fastest_, wall_speed);
  double best = std::sqrt(balance * u * d);
  if (every_ > 0) // a thicker skin, but for a tenth, would not be used
    best = std::min(best, 2.2 * u * every_);
  skin_ = std::clamp(std::clamp(best, 0.002 * d, 0.5 * d), skin_ / kChange, skin_ * kChange);
}

bool RebuildSchedule::sortDue(std::uint64_t step, double time_step) const
{
  if (options_.sort == SortKind::Never)
    return false;
  const double since = static_cast<double>(step - sort_step_);
  return !is_sorted_ || options_.sort == SortKind::EveryRebuild ||
    (options_.sort == SortKind::EverySteps && since >= options_.sort_steps) ||
    (options_.sort == SortKind::EveryTime && since * time_step >= options_.sort_time * (1 - 1e-12));
}

void RebuildSchedule::sorted(std::uint64_t step)
{
  ++sorts_;
  is_sorted_ = true;
  sort_step_ = step;
}

void RebuildSchedule::restart(std::uint64_t step)
{
  is_sorted_ = false;
  fastest_ = -1;
  list_step_ = step;
}

void RebuildSchedule::built(std::uint64_t step)
{
  last_interval_ = step - list_step_;
  list_step_ = step;
  ++rebuilds_;
}

void RebuildSchedule::beginPath(std::uint64_t step, bool have_list)
{
  path_steps_ = have_list ? step - list_step_ : 0;
}

void RebuildSchedule::setLongestPath(double path)
{
  if (path_steps_ > 0)
    fastest_ = path / static_cast<double>(path_steps_);
}

unsigned long long RebuildSchedule::stopAsAsked(std::uint64_t step) const
{
  if (every_ == 0)
    return ~0ull;
  const std::uint64_t due = list_step_ + every_;
  return due > step ? due - step : 1;
}

} // namespace dem
