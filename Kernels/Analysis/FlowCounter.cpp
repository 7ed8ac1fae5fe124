#include "Analysis/FlowCounter.h"

#include "Analysis/GrainIndex.h"
#include "Analysis/detail/FlowHash.h"
#include "BroadPhase/Grid.cuh"
#include "Core/Error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace dem
{
namespace
{

using detail::mixed;

/// Passages of a grain that moved from one place to another, by the shorter way on periodic axes.
FlowSurface::Passages passagesIn(
  const Periodic& box, const FlowSurface& surface, const double* from, const double* to)
{
  const Vec3d a{ from[0], from[1], from[2] }, b{ to[0], to[1], to[2] };
  const Vec3d way = box.any() ? box.image(b - a) : b - a;
  if (way == b - a)
    return surface.passages(a, b);
  // the path crosses a periodic border: the surface may lie on either side of it
  const FlowSurface::Passages out = surface.passages(a, a + way), in = surface.passages(b - way, b);
  return { out.forward + in.forward, out.backward + in.backward };
}

/// Adds passages to the totals of a species.
void count(
  FlowRecord& record, const FlowSurface::Passages& found, std::int32_t species, double mass)
{
  if (found.forward == 0 && found.backward == 0)
    return;
  for (FlowTotals* totals : { &record.total[species], &record.last[species] })
  {
    totals->forward += static_cast<std::uint64_t>(found.forward);
    totals->backward += static_cast<std::uint64_t>(found.backward);
    totals->mass_forward += found.forward * mass;
    totals->mass_backward += found.backward * mass;
  }
}

} // namespace

void FlowCounter::reset()
{
  records_.clear();
  id_.clear();
  position_.clear();
  mass_.clear();
  species_.clear();
}

std::uint64_t FlowCounter::fingerprint(
  const Grains& grains, const FlowSurface& surface, const GrainExits& exits)
{
  std::uint64_t hash = mixed(surface.fingerprint(), grains.size);
  hash = mixed(hash, grains.id, grains.size);
  hash = mixed(hash, grains.position, 3 * grains.size);
  hash = mixed(hash, grains.mass, grains.size);
  hash = mixed(hash, grains.material, grains.size);
  hash = mixed(hash, exits.id, exits.size);
  return mixed(hash, exits.position, 3 * exits.size);
}

void FlowCounter::add(double time, const Grains& grains, const FlowSurface& surface,
  const Vec3d& period, const GrainExits& exits)
{
  if (!records_.empty() && !(time > records_.back().time))
  {
    throw Error("The flow was counted up to " + std::to_string(records_.back().time) +
      " s, and the next output is of " + std::to_string(time) + " s; times must ascend.");
  }
  if (grains.size > 0 && !grains.mass)
  {
    throw Error("The grains have no masses: give a Density above 0.");
  }
  FlowRecord record;
  record.time = time;
  record.fingerprint = fingerprint(grains, surface, exits);
  const auto id_of = [&](std::size_t i) {
    return grains.id ? grains.id[i] : static_cast<std::int64_t>(i);
  };
  const auto species_of = [&](std::size_t i) { return grains.material ? grains.material[i] : 0; };
  if (!records_.empty())
  {
    record.interval = time - records_.back().time;
    record.total = records_.back().total;
    Grains past;
    past.size = id_.size();
    past.id = id_.data();
    const GrainIndex index(past);
    const Periodic box{ {}, period };
    for (std::size_t i = 0; i < grains.size; ++i)
    {
      // mostly the grains keep their index
      const std::int64_t at =
        i < id_.size() && id_[i] == id_of(i) ? static_cast<std::int64_t>(i) : index.find(id_of(i));
      if (at != GrainIndex::kNone)
        count(record, passagesIn(box, surface, &position_[3 * at], grains.position + 3 * i),
          species_of(i), grains.mass[i]);
    }
    for (std::size_t k = 0; k < exits.size; ++k)
    {
      const std::int64_t at =
        index.find(exits.id[k]); // grains that left earlier are not in the last output
      if (at != GrainIndex::kNone)
        count(record, passagesIn(box, surface, &position_[3 * at], exits.position + 3 * k),
          species_[at], mass_[at]);
    }
  }
  records_.push_back(std::move(record));
  id_.resize(grains.size);
  species_.resize(grains.size);
  for (std::size_t i = 0; i < grains.size; ++i)
  {
    id_[i] = id_of(i);
    species_[i] = species_of(i);
  }
  position_.assign(grains.position, grains.position + 3 * grains.size);
  mass_.assign(grains.mass, grains.mass + grains.size);
}

const FlowRecord* FlowCounter::find(double time) const
{
  const auto after = std::upper_bound(records_.begin(), records_.end(), time,
    [](double t, const FlowRecord& record) { return t < record.time; });
  return after == records_.begin() ? nullptr : &*(after - 1);
}

} // namespace dem
