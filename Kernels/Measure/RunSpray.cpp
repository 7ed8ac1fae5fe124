// Times of the samples, the rays of a sample, and reading and writing coating in saved states.
#include "Measure/RunSpray.h"

#include "Core/Bytes.h"
#include "Core/CountLeading.h"
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

// Identifies a nozzle. A saved state stores it, so that coating is not continued with another. The
// end of the spray is not part of it, so that a run can be extended.
std::uint64_t fingerprintOf(const Nozzle& n)
{
  RowHash hash;
  for (const Vec3d& v : { n.position, n.axis, n.up })
    hash.add(v);
  for (const double v : { n.full_angle, n.across_angle, n.mass_rate, n.interval, n.start })
    hash.add(v);
  for (const int v : { static_cast<int>(n.profile), n.rays, n.seed })
    hash.add(v);
  for (const char c : n.moves_with)
    hash.bytes(c);
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
  caster_.setShapes(scene.shapes, options_.patches);
  for (std::size_t k = 0; k < nozzles_.size(); ++k)
  {
    const Nozzle& nozzle = nozzles_[k];
    fingerprints_.push_back(fingerprintOf(nozzle));
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

double RunSpray::timeOf(std::size_t nozzle, std::uint64_t sample) const
{
  return nozzles_[nozzle].start + static_cast<double>(sample) * nozzles_[nozzle].interval;
}

std::string RunSpray::nameOf(std::size_t nozzle) const
{
  return "nozzle " + std::to_string(nozzle) + " ('" + nozzles_[nozzle].name + "')";
}

std::uint64_t RunSpray::stepOf(std::size_t nozzle, std::uint64_t sample) const
{
  const Nozzle& n = nozzles_[nozzle];
  const double time = timeOf(nozzle, sample);
  if (sampleDuration(n, time, n.interval) == 0 || !(time / time_step_ < 1e18) ||
    sample > std::numeric_limits<std::uint32_t>::max())
    return kNever;
  return static_cast<std::uint64_t>(std::floor(time / time_step_ + 0.5));
}

std::uint64_t RunSpray::samplesBefore(std::size_t nozzle, std::uint64_t step, bool and_at) const
{
  return countLeading([&](std::uint64_t sample) {
    const std::uint64_t at = stepOf(nozzle, sample);
    return at != kNever && (and_at ? at <= step : at < step);
  });
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
    walls_.motions[w] = wallMotion(walls[w]);
  caster_.setWalls(wallsInSpace(walls_, time));
  walls_set_ = true;
}

void RunSpray::sample(const RayGrains& grains, const std::vector<std::int64_t>& ids,
  const std::vector<Wall>& walls, const std::vector<Nozzle>& nozzles)
{
  const std::uint64_t step = nextStep();
  const double time = static_cast<double>(step) * time_step_;
  requirePatchMemory(grains.size, options_.patches);
  moveWalls(walls, time);
  caster_.setGrains(grains, box_, options_.search);
  for (std::size_t k = 0; k < nozzles_.size(); ++k)
  {
    if (stepOf(k, samples_[k]) != step)
      continue;
    const Nozzle& given = nozzles[k];
    if (given.mass_rate == 0)
    {
      ++samples_[k];
      continue;
    }
    const Nozzle nozzle =
      carrier_[k] < 0 ? given : carriedNozzle(given, wallMotion(walls[carrier_[k]]), time);
    caster_.cast(
      nozzle, static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(samples_[k]), hits_);
    const double duration = sampleDuration(given, timeOf(k, samples_[k]), given.interval);
    ledger_.add(hits_, ids.data(), ids.size(), given.mass_rate * duration / given.rays, duration);
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
    requirePatchMemory(n, options_.patches); // outputs precede the first sample
    c.mass = HostArray<double>(n);
    c.hits = HostArray<std::int64_t>(n);
    c.time = HostArray<double>(n);
    c.patch_mass = HostArray<double>(n * c.patches);
    c.patch_variation = HostArray<double>(c.patches ? n : 0);
    ledger_.write(frame.id.data(), n,
      { c.mass.data(), c.hits.data(), c.time.data(), c.patches ? c.patch_mass.data() : nullptr,
        c.patches ? c.patch_variation.data() : nullptr });
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
  statistics.sprayed_mass = t.mass;
  statistics.sprayed_on_grains = ledger_.massOnGrains();
  statistics.sprayed_on_walls = ledger_.massOnWalls();
  statistics.coating_variation = ledger_.variation(statistics.particles, left);
  statistics.has_patches = options_.patches > 0;
  statistics.patch_variation = ledger_.patchVariation(left);
}

std::vector<std::uint8_t> RunSpray::save() const
{
  if (std::all_of(samples_.begin(), samples_.end(), [](std::uint64_t s) { return s == 0; }))
    return {};
  SnapshotWriter out;
  out.array(fingerprints_);
  out.value<std::int32_t>(options_.patches);
  out.value<std::uint64_t>(walls_.elements.size());
  out.array(samples_);
  std::vector<double> stops;
  for (const Nozzle& nozzle : nozzles_)
    stops.push_back(nozzle.stop);
  out.array(stops);
  ledger_.save(out);
  return std::move(out.bytes);
}

void RunSpray::requireSameSpray(
  const std::vector<std::uint64_t>& fingerprints, int patches, std::uint64_t wall_elements) const
{
  std::string difference;
  const auto compare = [&](const std::string& what, std::uint64_t there, std::uint64_t here) {
    if (difference.empty() && there != here)
      difference =
        what + " is " + std::to_string(there) + " there and " + std::to_string(here) + " here";
  };
  compare("the number of nozzles", fingerprints.size(), fingerprints_.size());
  for (std::size_t k = 0; k < fingerprints_.size() && difference.empty(); ++k)
    if (fingerprints[k] != fingerprints_[k])
      difference = "a property of " + nameOf(k) +
        " other than StopTime has changed; values that were steered count as at the start of the "
        "run";
  compare("CoatingPatches", static_cast<std::uint64_t>(patches),
    static_cast<std::uint64_t>(options_.patches));
  compare("the number of wall elements", wall_elements, walls_.elements.size());
  require(difference.empty(),
    "The saved state holds the coating of other nozzles or walls: " + difference +
      ". Undo the change, or start the run from the beginning.");
}

void RunSpray::requireSameSamples(
  std::size_t k, double stop, std::uint64_t taken, std::uint64_t step) const
{
  Nozzle saved = nozzles_[k];
  saved.stop = stop;
  bool same = taken == samplesBefore(k, step, true);
  if (taken > 0)
  {
    const double last = timeOf(k, taken - 1);
    same = same &&
      sampleDuration(saved, last, saved.interval) ==
        sampleDuration(nozzles_[k], last, saved.interval);
  }
  require(same,
    "StopTime of " + nameOf(k) + " is " + number(nozzles_[k].stop) + " s here and " + number(stop) +
      " s in the saved state, whose samples up to its time, " +
      number(static_cast<double>(step) * time_step_) +
      " s, depend on it. Set StopTime to that of the state, or start the run from the beginning.");
}

RunSpray::Saved RunSpray::read(const std::vector<std::uint8_t>& bytes, std::uint64_t step) const
{
  Saved saved{ std::vector<std::uint64_t>(nozzles_.size()),
    SprayLedger(walls_.elements.size(), options_.patches) };
  if (bytes.empty())
  {
    for (std::size_t k = 0; k < nozzles_.size(); ++k)
      if (const std::uint64_t missed = samplesBefore(k, step, false))
        throw Error("The saved state holds no coating, and " + nameOf(k) + " was due " +
          std::to_string(missed) + " times before its time, " +
          number(static_cast<double>(step) * time_step_) +
          " s. Let StartTime be at that time or later, or start the run from the beginning.");
    return saved;
  }
  SnapshotReader in(bytes);
  const auto fingerprints = in.array<std::uint64_t>();
  const auto patches = in.value<std::int32_t>();
  requireSameSpray(fingerprints, patches, in.value<std::uint64_t>());
  saved.samples = in.array<std::uint64_t>(nozzles_.size(), "samples of the nozzles");
  const std::vector<double> stops = in.array<double>(nozzles_.size(), "ends of the nozzles");
  for (std::size_t k = 0; k < nozzles_.size(); ++k)
  {
    if (stops[k] != nozzles_[k].stop)
      requireSameSamples(k, stops[k], saved.samples[k], step);
    if (saved.samples[k] != samplesBefore(k, step, true))
      in.fail("it holds " + std::to_string(saved.samples[k]) + " samples of nozzle " +
        std::to_string(k) + ", " + std::to_string(samplesBefore(k, step, true)) + " were due");
  }
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
