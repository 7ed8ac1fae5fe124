// Times of the samples, their sums, and reading and writing them in saved states.
#include "Measure/RunAverages.h"

#include "Core/Error.h"
#include "Core/Bytes.h"
#include "Core/CountLeading.h"
#include "Scene/AveragesGrid.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

namespace dem
{
namespace
{

CellGrid gridOf(const Scene& scene)
{
  const AveragesGrid g = averagesGrid(scene);
  const double lower[3] = { g.lower.x, g.lower.y, g.lower.z },
               upper[3] = { g.upper.x, g.upper.y, g.upper.z };
  CellGrid grid = uniformGrid(lower, upper, g.cells.data());
  grid.periodic = g.periodic;
  return grid;
}

// FNV-1a hash of the cells, species and times of the averages. A saved state stores it, so that
// sums are not continued with other settings.
std::uint64_t fingerprintOf(
  const CellGrid& grid, int species, std::uint64_t first, std::uint64_t last, double interval)
{
  std::uint64_t value = 1469598103934665603ull;
  const auto add = [&](const auto& v) {
    unsigned char bytes[sizeof v];
    std::memcpy(bytes, &v, sizeof v);
    for (unsigned char b : bytes)
      value = (value ^ b) * 1099511628211ull;
  };
  for (int k = 0; k < 3; ++k)
  {
    add(static_cast<std::uint64_t>(grid.edges[k].size()));
    for (double e : grid.edges[k])
      add(e == 0 ? 0.0 : e);
    add(grid.periodic[k]);
  }
  add(species);
  add(first);
  add(last);
  add(interval);
  return value;
}

std::uint64_t nearestStep(double time, double time_step)
{
  return static_cast<std::uint64_t>(std::floor(time / time_step + 0.5));
}

} // namespace

RunAverages::RunAverages(const Scene& scene, const StepPlan& plan, const Device& device)
  : time_step_(plan.time_step)
  , interval_(
      std::max(scene.averages.interval > 0 ? scene.averages.interval : scene.output_interval,
        plan.time_step))
  , first_step_(nearestStep(scene.averages.from, plan.time_step))
  // the last step at or before `to`; the tolerance absorbs rounding
  , last_step_(scene.averages.to > 0
        ? static_cast<std::uint64_t>(scene.averages.to / plan.time_step * (1 + 1e-12) + 1e-6)
        : kNever)
  , grid_(gridOf(scene))
  , fields_(cellAverageFields(static_cast<int>(scene.materials.size()), scene.heat.on()))
  , average_(device)
  , sums_(fields_, grid_.cells(), device)
{
  options_.species = static_cast<int>(scene.materials.size());
  options_.memory_limit = scene.averages.memory_limit;
  fingerprint_ = fingerprintOf(grid_, options_.species, first_step_, last_step_, interval_);
}

std::uint64_t RunAverages::stepOf(std::uint64_t sample) const
{
  const double steps = static_cast<double>(sample) * (interval_ / time_step_);
  if (!(steps < 1e18))
    return kNever;
  const std::uint64_t step = first_step_ + static_cast<std::uint64_t>(std::floor(steps + 0.5));
  return step <= last_step_ ? step : kNever;
}

std::uint64_t RunAverages::samplesBefore(std::uint64_t step, bool and_at) const
{
  return countLeading([&](std::uint64_t sample) {
    const std::uint64_t at = stepOf(sample);
    return at != kNever && (and_at ? at <= step : at < step);
  });
}

FrameSelection RunAverages::selection(bool heat)
{
  FrameSelection s;
  s.orientation = s.force = s.torque = s.shape = s.coordination_number = s.stress = s.walls = false;
  s.passive[kTemperature] = heat;
  return s;
}

void RunAverages::add(const DeviceFrame& frame)
{
  const Grains grains = frame.grains();
  const GrainContacts contacts = frame.contacts();
  CellAverageFields out;
  out.memory = sums_.memory();
  const auto pointers = pointersOf(out);
  for (std::size_t k = 0; k < fields_.size(); ++k)
    *pointers[k] = sums_.next(k);
  average_.compute(grains, contacts.size ? &contacts : nullptr, grid_, options_, out);
  sums_.add();
  ++samples_;
}

AverageArrays RunAverages::result() const
{
  AverageArrays a;
  a.samples = samples_;
  const std::size_t cells = grid_.cells();
  for (std::size_t f = 0; f < fields_.size(); ++f)
  {
    a.mean.emplace_back(cells * fields_[f].components);
    a.error.emplace_back(cells * fields_[f].components);
    sums_.finish(f, a.mean.back().data(), a.error.back().data());
  }
  hideMissingTemperatures(fields_, a.mean);
  a.count = HostArray<std::int32_t>(cells);
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (fields_[f].weight >= 0)
    {
      sums_.counts(f, a.count.data());
      break;
    }
  return a;
}

std::vector<std::uint8_t> RunAverages::save() const
{
  SnapshotWriter out;
  out.value(fingerprint_);
  out.value(samples_);
  for (TimeAverage::Sums& sums : sums_.sums())
    sums.eachArray([&](const auto& values) { out.array(values); });
  return std::move(out.bytes);
}

RunAverages::Saved RunAverages::read(
  const std::vector<std::uint8_t>& bytes, std::uint64_t step) const
{
  Saved saved{ 0, TimeAverage::noSums(fields_, grid_.cells()) };
  SnapshotReader in(bytes);
  if (bytes.empty() || in.value<std::uint64_t>() != fingerprint_)
  {
    const std::uint64_t missed = samplesBefore(step, false);
    if (missed)
    {
      char text[320];
      std::snprintf(text, sizeof text,
        "The saved state %s, and %llu sample%s of those asked for here lie%s before its time, %.6g "
        "s. Let the averages begin at that time or "
        "later, or start the run anew.",
        bytes.empty() ? "holds no averages" : "holds averages of another grid or other times",
        static_cast<unsigned long long>(missed), missed == 1 ? "" : "s", missed == 1 ? "s" : "",
        static_cast<double>(step) * time_step_);
      throw Error(text);
    }
    return saved;
  }
  saved.samples = in.value<std::uint64_t>();
  if (saved.samples != samplesBefore(step, true))
    in.fail("it holds " + std::to_string(saved.samples) + " samples of the averages, " +
      std::to_string(samplesBefore(step, true)) + " were due");
  for (TimeAverage::Sums& sums : saved.sums)
    sums.eachArray([&](auto& values) {
      using T = typename std::decay_t<decltype(values)>::value_type;
      values = in.array<T>(values.size(), "a sum of the averages");
    });
  if (!in.atEnd())
    in.fail("there is more behind the averages");
  return saved;
}

void RunAverages::use(Saved&& saved)
{
  samples_ = saved.samples;
  sums_.use(saved.sums, saved.samples);
}

} // namespace dem
