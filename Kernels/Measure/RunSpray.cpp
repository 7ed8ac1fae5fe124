// Times of the samples, the rays of a sample, and reading and writing coating in saved states.
#include "Measure/RunSpray.h"

#include "Core/Bytes.h"
#include "Core/RowHash.h"
#include "Core/Text.h"
#include "Scene/SceneWalls.h"
#include "Spray/NozzleRows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace dem
{
namespace
{

// Identifies nozzles, patches and walls. A saved state stores it, so that coating is not continued
// with others.
std::uint64_t fingerprintOf(const Scene& scene, std::size_t wall_elements)
{
  RowHash hash;
  for (const Nozzle& n : scene.nozzles)
  {
    for (const Vec3d& v : { n.position, n.axis, n.up })
      hash.add(v);
    for (const double v :
      { n.full_angle, n.across_angle, n.mass_rate, n.interval, n.start, n.stop })
      hash.add(v);
    for (const int v : { static_cast<int>(n.profile), n.rays, n.seed })
      hash.add(v);
    for (const char c : n.moves_with)
      hash.bytes(c);
  }
  hash.add(scene.spray.patches);
  hash.add(static_cast<int>(wall_elements));
  return hash.value();
}

RayBox periodicBox(const Domain& domain)
{
  RayBox box;
  for (int k = 0; k < 3; ++k)
    if (domain.limited && domain.exit[k] == Exit::Periodic)
    {
      box.lower[k] = domain.lower[k];
      box.period[k] = domain.upper[k] - domain.lower[k];
    }
  return box;
}

} // namespace

RunSpray::RunSpray(const Scene& scene, const StepPlan& plan, const Device& device)
  : time_step_(plan.time_step)
  , nozzles_(scene.nozzles)
  , options_(scene.spray)
  , box_(periodicBox(scene.domain))
  , walls_(sceneWalls(scene))
  , caster_(device)
  , ledger_(walls_.elements.size(), scene.spray.patches)
  , samples_(scene.nozzles.size())
{
  fingerprint_ = fingerprintOf(scene, walls_.elements.size());
  caster_.setShapes(scene.shapes, options_.patches);
  for (std::size_t k = 0; k < nozzles_.size(); ++k)
  {
    const Nozzle& nozzle = nozzles_[k];
    require(nozzle.interval >= time_step_ * (1 - 1e-9),
      "Nozzle " + std::to_string(k) + " ('" + nozzle.name + "'): SampleInterval is " +
        number(nozzle.interval) + " s, less than the time step, " + number(time_step_) +
        " s. Set it to several time steps, such as " + number(100 * time_step_, 2) + " s.");
    int carrier = -1;
    for (std::size_t w = 0; w < scene.walls.size() && !nozzle.moves_with.empty(); ++w)
      if (carrier < 0 && scene.walls[w].name == nozzle.moves_with)
        carrier = static_cast<int>(w);
    carrier_.push_back(carrier);
  }
}

std::uint64_t RunSpray::stepOf(std::size_t nozzle, std::uint64_t sample) const
{
  const Nozzle& n = nozzles_[nozzle];
  const double time = n.start + static_cast<double>(sample) * n.interval;
  if (!(time < n.stop - 1e-6 * n.interval) || !(time / time_step_ < 1e18) ||
    sample > std::numeric_limits<std::uint32_t>::max())
    return kNever;
  return static_cast<std::uint64_t>(std::floor(time / time_step_ + 0.5));
}

std::uint64_t RunSpray::samplesBefore(std::size_t nozzle, std::uint64_t step, bool and_at) const
{
  const auto due = [&](std::uint64_t sample) {
    const std::uint64_t at = stepOf(nozzle, sample);
    return at != kNever && (and_at ? at <= step : at < step);
  };
  std::uint64_t low = 0, high = 1; // samples below `low` are due, `high` is not
  while (due(high))
    high *= 2;
  while (low < high)
  {
    const std::uint64_t middle = low + (high - low) / 2;
    if (due(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::uint64_t RunSpray::nextStep() const
{
  std::uint64_t next = kNever;
  for (std::size_t k = 0; k < nozzles_.size(); ++k)
    next = std::min(next, stepOf(k, samples_[k]));
  return next;
}

void RunSpray::moveWalls(const std::vector<Wall>& walls, double time)
{
  if (walls_set_ && !walls_.any_motion)
    return;
  for (std::size_t w = 0; w < walls_.scene_walls; ++w)
  {
    const Vec3d axis = walls_.motions[w].axis; // of length 1
    walls_.motions[w] = walls[w].motion;
    walls_.motions[w].axis = axis;
  }
  caster_.setWalls(wallsInSpace(walls_, time));
  walls_set_ = true;
}

void RunSpray::sample(
  const RayGrains& grains, const std::vector<std::int64_t>& ids, const std::vector<Wall>& walls)
{
  const std::uint64_t step = nextStep();
  const double time = static_cast<double>(step) * time_step_;
  moveWalls(walls, time);
  caster_.setGrains(grains, box_, options_.search);
  for (std::size_t k = 0; k < nozzles_.size(); ++k)
  {
    if (stepOf(k, samples_[k]) != step)
      continue;
    const Nozzle& given = nozzles_[k];
    const Nozzle nozzle =
      carrier_[k] < 0 ? given : carriedNozzle(given, walls[carrier_[k]].motion, time);
    caster_.cast(
      nozzle, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(samples_[k]), hits_);
    ledger_.add(
      hits_, ids.data(), ids.size(), given.mass_rate * given.interval / given.rays, given.interval);
    ++samples_[k];
  }
}

void RunSpray::write(Frame& frame) const
{
  CoatingArrays& c = frame.coating;
  const std::size_t n = frame.size;
  c.patches = ledger_.patches();
  if (frame.selection.coating)
  {
    c.mass = HostArray<double>(n);
    c.hits = HostArray<std::int64_t>(n);
    c.time = HostArray<double>(n);
    c.patch_mass = HostArray<double>(n * c.patches);
    ledger_.write(frame.id.data(), n,
      { c.mass.data(), c.hits.data(), c.time.data(), c.patches ? c.patch_mass.data() : nullptr });
  }
  for (std::size_t w = 0; w < frame.walls.size(); ++w)
  {
    WallFrame& wall = frame.walls[w];
    wall.coating_mass = HostArray<double>(walls_.triangles[w]);
    std::fill_n(wall.coating_mass.data(), wall.coating_mass.size(), 0.);
    wall.total_coating = 0;
    for (std::size_t e = walls_.first[w]; e < walls_.first[w + 1]; ++e)
    {
      wall.total_coating += ledger_.wallMass(e);
      if (walls_.isMesh(w))
        wall.coating_mass[walls_.triangleOf(e)] += ledger_.wallMass(e);
    }
  }
}

void RunSpray::complete(Statistics& statistics, const std::function<bool(std::int64_t)>& left) const
{
  const SprayTotals& t = ledger_.totals();
  statistics.has_spray = true;
  statistics.spray_emitted = t.emitted;
  statistics.spray_on_grains = t.on_grains;
  statistics.spray_on_walls = t.on_walls;
  statistics.spray_missed = t.missed;
  statistics.coating_variation = ledger_.variation(statistics.particles, left);
}

std::vector<std::uint8_t> RunSpray::save() const
{
  if (std::all_of(samples_.begin(), samples_.end(), [](std::uint64_t s) { return s == 0; }))
    return {};
  SnapshotWriter out;
  out.value(fingerprint_);
  out.array(samples_);
  ledger_.save(out);
  return std::move(out.bytes);
}

RunSpray::Saved RunSpray::read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) const
{
  Saved saved{ std::vector<std::uint64_t>(nozzles_.size()),
    SprayLedger(walls_.elements.size(), options_.patches) };
  SnapshotReader in(bytes);
  if (bytes.empty() || in.value<std::uint64_t>() != fingerprint_)
  {
    for (std::size_t k = 0; k < nozzles_.size(); ++k)
      if (const std::uint64_t missed = samplesBefore(k, step, false))
        throw Error("The saved state " +
          std::string(
            bytes.empty() ? "holds no coating" : "holds the coating of other nozzles or walls") +
          ", and nozzle " + std::to_string(k) + " ('" + nozzles_[k].name + "') was due " +
          std::to_string(missed) + " times before its time, " +
          number(static_cast<double>(step) * time_step_) +
          " s. Let StartTime be at that time or later, or start the run anew.");
    return saved;
  }
  saved.samples = in.array<std::uint64_t>(nozzles_.size(), "samples of the nozzles");
  for (std::size_t k = 0; k < nozzles_.size(); ++k)
    if (saved.samples[k] != samplesBefore(k, step, true))
      in.fail("it holds " + std::to_string(saved.samples[k]) + " samples of nozzle " +
        std::to_string(k) + ", " + std::to_string(samplesBefore(k, step, true)) + " were due");
  saved.ledger.read(in);
  if (!in.atEnd())
    in.fail("there is more behind the coating");
  return saved;
}

void RunSpray::use(Saved&& saved)
{
  samples_ = std::move(saved.samples);
  ledger_ = std::move(saved.ledger);
}

} // namespace dem
