#include "Spray/SprayLedger.h"

#include "Analysis/Averages.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace dem
{

void requirePatchMemory(std::size_t grains, int patches)
{
  if (grains == 0)
    return;
  const double of_one_patch = 6. * sizeof(double) * static_cast<double>(grains);
  const double most = std::floor(std::sqrt(kPatchMemory / of_one_patch));
  requireMemory(
    "CoatingPatches = " + std::to_string(patches) + " for " + std::to_string(grains) + " grains",
    of_one_patch * patches * patches, kPatchMemory,
    "Set CoatingPatches to " + std::to_string(static_cast<int>(most)) + " or less.");
}

SprayLedger::SprayLedger(std::size_t wall_elements, int patches)
  : n_(patches)
  , wall_mass_(wall_elements)
{
}

// Place of a grain that was hit; the number of such grains if it was not.
std::size_t SprayLedger::slotOf(std::int64_t id) const
{
  const auto found = std::lower_bound(id_.begin(), id_.end(), id);
  return found != id_.end() && *found == id ? static_cast<std::size_t>(found - id_.begin())
                                            : id_.size();
}

// Adds places for grains that were not hit before. `ids` ascend.
void SprayLedger::open(const std::vector<std::int64_t>& ids)
{
  std::vector<std::int64_t> fresh, all;
  std::set_difference(ids.begin(), ids.end(), id_.begin(), id_.end(), std::back_inserter(fresh));
  if (fresh.empty())
    return;
  std::merge(id_.begin(), id_.end(), fresh.begin(), fresh.end(), std::back_inserter(all));
  const std::size_t of_grain = patches();
  std::vector<std::int64_t> hits(all.size());
  std::vector<double> mass(all.size()), time(all.size()), patch_mass(all.size() * of_grain),
    patch_variation(all.size());
  for (std::size_t from = 0, to = 0; from < id_.size(); ++to)
  {
    if (all[to] != id_[from])
      continue;
    hits[to] = hits_[from];
    mass[to] = mass_[from];
    time[to] = time_[from];
    patch_variation[to] = patch_variation_[from];
    std::copy_n(&patch_mass_[from * of_grain], of_grain, &patch_mass[to * of_grain]);
    ++from;
  }
  id_.swap(all);
  hits_.swap(hits);
  mass_.swap(mass);
  time_.swap(time);
  patch_mass_.swap(patch_mass);
  patch_variation_.swap(patch_variation);
}

void SprayLedger::add(const std::vector<RayHit>& hits, const std::int64_t* ids, std::size_t grains,
  double mass, double interval)
{
  count_.assign(grains + wall_mass_.size(), 0);
  touched_.clear();
  std::uint64_t missed = 0, on_grains = 0, on_walls = 0;
  for (const RayHit& hit : hits)
    if (hit.surface == RayHit::kNothing)
      ++missed;
    else if (count_[hit.surface]++ == 0)
      touched_.push_back(hit.surface);
  std::sort(touched_.begin(), touched_.end()); // sums do not depend on the order of the rays
  std::vector<std::int64_t> hit_ids;
  for (const std::uint32_t surface : touched_)
    if (surface < grains)
      hit_ids.push_back(ids[surface]);
  std::sort(hit_ids.begin(), hit_ids.end());
  open(hit_ids);
  for (const std::uint32_t surface : touched_)
  {
    const std::uint32_t count = count_[surface];
    if (surface >= grains)
    {
      on_walls += count;
      wall_mass_[surface - grains] += count * mass;
      continue;
    }
    const std::size_t slot = slotOf(ids[surface]);
    on_grains += count;
    hits_[slot] += count;
    mass_[slot] += count * mass;
    time_[slot] += interval;
  }
  const std::size_t of_grain = patches();
  for (const RayHit& hit : hits)
    if (of_grain && hit.surface < grains)
      patch_mass_[slotOf(ids[hit.surface]) * of_grain + hit.patch] += mass;
  for (const std::uint32_t surface : touched_)
    if (surface < grains)
      findPatchVariation(slotOf(ids[surface]));
  totals_.emitted += hits.size();
  totals_.on_grains += on_grains;
  totals_.on_walls += on_walls;
  totals_.missed += missed;
  totals_.mass += static_cast<double>(hits.size()) * mass;
}

void SprayLedger::write(const std::int64_t* ids, std::size_t grains, const CoatingOutput& out) const
{
  const std::size_t of_grain = patches();
  std::size_t next = 0; // place of the next grain if Ids ascend
  for (std::size_t i = 0; i < grains; ++i)
  {
    while (next < id_.size() && id_[next] < ids[i])
      ++next;
    std::size_t slot = next;
    if (slot == id_.size() || id_[slot] != ids[i])
      slot = slotOf(ids[i]);
    const bool hit = slot < id_.size();
    if (out.mass)
      out.mass[i] = hit ? mass_[slot] : 0;
    if (out.hits)
      out.hits[i] = hit ? hits_[slot] : 0;
    if (out.time)
      out.time[i] = hit ? time_[slot] : 0;
    for (std::size_t p = 0; out.patches && p < of_grain; ++p)
      out.patches[i * of_grain + p] = hit ? patch_mass_[slot * of_grain + p] : 0;
    if (out.patch_variation)
      out.patch_variation[i] = hit ? patch_variation_[slot] : 0;
  }
}

double SprayLedger::variation(const std::int64_t* ids, std::size_t grains) const
{
  std::vector<double> mass(grains);
  CoatingOutput out;
  out.mass = mass.data();
  write(ids, grains, out);
  double sum = 0, square = 0;
  for (const double m : mass)
    sum += m;
  if (!(sum > 0))
    return 0;
  const double n = static_cast<double>(grains), mean = sum / n;
  for (const double m : mass)
    square += (m - mean) * (m - mean);
  return std::sqrt(square / n) / mean;
}

double SprayLedger::variation(
  std::size_t grains, const std::function<bool(std::int64_t)>& left) const
{
  double sum = 0;
  std::size_t coated = 0;
  const auto counts = [&](std::size_t slot) { return !left(id_[slot]); };
  for (std::size_t slot = 0; slot < id_.size(); ++slot)
    if (counts(slot))
    {
      sum += mass_[slot];
      ++coated;
    }
  if (!(sum > 0) || grains == 0)
    return 0;
  const double n = static_cast<double>(grains), mean = sum / n;
  double square = (n - static_cast<double>(coated)) * mean * mean;
  for (std::size_t slot = 0; slot < id_.size(); ++slot)
    if (counts(slot))
      square += (mass_[slot] - mean) * (mass_[slot] - mean);
  return std::sqrt(square / n) / mean;
}

void SprayLedger::findPatchVariation(std::size_t slot)
{
  const std::size_t n = patches();
  patch_variation_[slot] = 0;
  if (n == 0 || !(mass_[slot] > 0))
    return;
  const double mean = mass_[slot] / static_cast<double>(n);
  double square = 0;
  for (std::size_t p = 0; p < n; ++p)
  {
    const double off = patch_mass_[slot * n + p] - mean;
    square += off * off;
  }
  patch_variation_[slot] = std::sqrt(square / static_cast<double>(n)) / mean;
}

double SprayLedger::patchVariation(const std::function<bool(std::int64_t)>& left) const
{
  double sum = 0;
  std::size_t coated = 0;
  for (std::size_t slot = 0; patches() > 0 && slot < id_.size(); ++slot)
    if (mass_[slot] > 0 && !left(id_[slot]))
    {
      sum += patch_variation_[slot];
      ++coated;
    }
  return coated ? sum / static_cast<double>(coated) : 0;
}

void SprayLedger::save(SnapshotWriter& out) const
{
  out.value(totals_);
  out.array(id_);
  out.array(hits_);
  out.array(mass_);
  out.array(time_);
  out.array(patch_mass_);
  out.array(wall_mass_);
}

void SprayLedger::read(SnapshotReader& in)
{
  totals_ = in.value<SprayTotals>();
  id_ = in.array<std::int64_t>();
  const std::size_t n = id_.size();
  hits_ = in.array<std::int64_t>(n, "hits of the spray");
  mass_ = in.array<double>(n, "coating of the grains");
  time_ = in.array<double>(n, "time in the spray");
  patch_mass_ = in.array<double>(n * patches(), "coating of the patches");
  wall_mass_ = in.array<double>(wall_mass_.size(), "coating of the walls");
  const auto wrong = [](double m) { return !(m >= 0 && m < 1e300); };
  bool good = totals_.emitted == totals_.on_grains + totals_.on_walls + totals_.missed;
  std::uint64_t hits = 0;
  for (std::size_t k = 0; k < n; ++k)
  {
    good = good && (k == 0 || id_[k] > id_[k - 1]) && hits_[k] > 0;
    hits += static_cast<std::uint64_t>(hits_[k]);
  }
  for (const std::vector<double>* values : { &mass_, &time_, &patch_mass_, &wall_mass_ })
    good = good && std::none_of(values->begin(), values->end(), wrong);
  if (!good || hits != totals_.on_grains || wrong(totals_.mass))
    in.fail("the coating of the spray is not possible");
  patch_variation_.resize(n);
  for (std::size_t slot = 0; slot < n; ++slot)
    findPatchVariation(slot);
}

} // namespace dem
