// Check for grains that overlap too much at the start. Used by Engine::start().
#pragma once

#include "Core/Error.h"
#include "Solver/Rebuild.cuh"
#include "Scene/InitialOverlaps.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace dem
{

/// run() throws dem::Error with the deepest pair if any pair of grains overlaps by more than the
/// scene accepts. Requires built lists.
template <class Exec, class Real>
class InitialOverlapCheck
{
public:
  InitialOverlapCheck(const Scene& scene, ParticleStore<Exec, Real>& particles,
    Bodies<Exec, Real>& bodies, ForceStage<Exec, Real>& forces, Rebuild<Exec, Real>& rebuild,
    const Periodic& box, Subdomain<Exec, Real>* domain)
    : scene_(scene)
    , particles_(particles)
    , bodies_(bodies)
    , forces_(forces)
    , rebuild_(rebuild)
    , box_(box)
    , domain_(domain)
  {
  }

  void run()
  {
    Found found = particles_.size() ? find() : Found{};
    if (domain_)
    {
      std::size_t pairs = 0;
      for (const Found& part : domain_->gather(found))
      {
        pairs += part.overlaps.pairs;
        found = part.overlaps.worst > found.overlaps.worst ? part : found;
      }
      found.overlaps.pairs = pairs;
    }
    if (found.overlaps.pairs)
      fail(found.overlaps, found.first, found.second, found.near);
  }

private:
  // Overlaps of the particles of a part, and its deepest pair.
  struct Found
  {
    InitialOverlaps overlaps;
    std::int64_t first = 0, second = 0;
    Vec3d near{};
  };

  Found find()
  {
    std::uint32_t first = 0, second = 0;
    // shapes: by the narrow phase, which the first forces need anyway
    const InitialOverlaps found = bodies_.shapes().shaped
      ? forces_.shapes.overlaps(
          particles_.view(), box_, particles_.ghosts(), acceptedOverlap(scene_), first, second)
      : spheres(first, second);
    if (!found.pairs)
      return {};
    const auto ids = particles_.hostIds();
    return { found, ids[first], ids[second], particles_.hostPositions()[first].xyz() };
  }

  InitialOverlaps spheres(std::uint32_t& first, std::uint32_t& second)
  {
    const auto position = particles_.hostPositions();
    const double accepted = acceptedOverlap(scene_);
    InitialOverlaps found;
    rebuild_.visitCandidates([&](std::uint32_t i, std::uint32_t j) {
      const double distance = length(box_.image(position[j].xyz() - position[i].xyz()));
      const double overlap =
        (position[i].w + position[j].w - distance) / std::min(position[i].w, position[j].w);
      if (!(overlap > accepted))
        return;
      ++found.pairs;
      if (overlap > found.worst)
      {
        found.worst = overlap;
        first = i;
        second = j;
      }
    });
    return found;
  }

  [[noreturn]] void fail(
    const InitialOverlaps& found, std::int64_t first, std::int64_t second, const Vec3d& near) const
  {
    char text[500];
    std::snprintf(text, sizeof text,
      "%zu %s at the start by more than %.3g %% of the smaller radius; the deepest is %.3g %%, of "
      "grains %lld and %lld near (%.4g, %.4g, "
      "%.4g). %s, or set Relax Initial Overlaps.",
      found.pairs, found.pairs == 1 ? "pair of grains overlaps" : "pairs of grains overlap",
      100 * scene_.initial_overlap_tolerance, 100 * found.worst,
      static_cast<long long>(bodies_.userId(first)), static_cast<long long>(bodies_.userId(second)),
      near.x, near.y, near.z,
      found.worst > 1
        ? "Grains lie inside of each other, as where two packings have one place: move one of them"
        : "Move them apart, raise Initial Overlap Tolerance");
    throw Error(text);
  }

  const Scene& scene_;
  ParticleStore<Exec, Real>& particles_;
  Bodies<Exec, Real>& bodies_;
  ForceStage<Exec, Real>& forces_;
  Rebuild<Exec, Real>& rebuild_;
  const Periodic box_;
  Subdomain<Exec, Real>* domain_; // null in a run with one part
};

} // namespace dem
