// The body of runSoftSpheres for both devices. Each step fills the grid anew, and one loop visits
// what the search finds and adds its impulses, as the paper's does; there are no guards, no history
// and no list, and spheres may interpenetrate.
#pragma once

#include "Core/Algorithms.h"
#include "NeighborList/detail/CandidateSearchImpl.cuh"
#include "SoftSpheres.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace bench
{

/// Of Green's particles (NVIDIA 2008, whose law Barbieri et al. take): a box from -1 to 1, mass 1,
/// an impulse a step.
constexpr double kSoftRadius = 1. / 64, kSoftTimeStep = 0.5, kSoftGravity = 3e-4;
constexpr float kSpring = 0.5f, kDamping = 0.02f, kShear = 0.1f;
constexpr double kBounce = -0.5;
/// A sphere's damping is stable for about twenty neighbours, which these many spheres have where
/// they lie. With more of them in the same cells, as the paper has, the impulse of a pair is taken
/// the smaller in the same ratio: they would be thrown into the corners.
constexpr double kMostOfFullImpulse = 1 << 18;

template <class Search>
struct SoftImpulse
{
  Search search;
  const dem::Vec4<double>* position;
  const dem::Vec3<float>* velocity;
  dem::Vec3<float>* next;
  float part; // of the impulse of a pair

  DEM_HD void operator()(unsigned i) const
  {
    using dem::Vec3;
    const dem::Vec4<double> p = position[i];
    const Vec3<float> v = velocity[i];
    Vec3<float> sum{}; // in the order of candidates: with Sorted Grid on CUDA its last bits differ
                       // from run to run
    search.candidates(i, [&](std::uint32_t j) {
      const dem::Vec3d d = position[j].xyz() - p.xyz();
      const double distance = dem::length(d);
      if (!(distance > 0))
        return;
      const float inverse = static_cast<float>(1 / distance);
      const Vec3<float> normal{ static_cast<float>(d.x) * inverse,
        static_cast<float>(d.y) * inverse, static_cast<float>(d.z) * inverse };
      const Vec3<float> relative = velocity[j] - v;
      sum += (-kSpring * static_cast<float>(2 * kSoftRadius - distance)) * normal +
        kDamping * relative + kShear * (relative - dem::dot(relative, normal) * normal);
    });
    next[i] = v + part * sum;
  }
};

struct SoftMove
{
  dem::Vec4<double>* position;
  dem::Vec3<float>* velocity;

  DEM_HD void operator()(unsigned i) const
  {
    dem::Vec4<double> p = position[i];
    dem::Vec3<float> v = velocity[i];
    v.z -= static_cast<float>(kSoftGravity * kSoftTimeStep);
    const double wall = 1 - kSoftRadius;
    const auto axis = [&](double& x, float& u) {
      x += kSoftTimeStep * static_cast<double>(u);
      if (x > wall || x < -wall)
      {
        x = x > 0 ? wall : -wall;
        u *= static_cast<float>(kBounce);
      }
    };
    axis(p.x, v.x);
    axis(p.y, v.y);
    axis(p.z, v.z);
    position[i] = p;
    velocity[i] = v;
  }
};

struct SoftReorder
{
  const std::uint32_t* index;
  const dem::Vec4<double>* position;
  const dem::Vec3<float>* velocity;
  dem::Vec4<double>* position_out;
  dem::Vec3<float>* velocity_out;

  DEM_HD void operator()(unsigned i) const
  {
    position_out[i] = position[index[i]];
    velocity_out[i] = velocity[index[i]];
  }
};

/// Spheres at even distances in the half x < 0 of the box, with a little offset at random.
inline std::vector<dem::Vec4<double>> softStart(std::int64_t n)
{
  const double pitch = std::cbrt(4. / static_cast<double>(n));
  const auto along = static_cast<std::int64_t>(std::ceil(2 / pitch));
  const auto across = (n + along * along - 1) / (along * along);
  std::uint64_t seed = 1;
  const auto offset = [&] {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return 0.02 * kSoftRadius * (static_cast<double>(seed >> 11) / 9007199254740992.0 - 0.5);
  };
  std::vector<dem::Vec4<double>> out;
  out.reserve(static_cast<std::size_t>(n));
  const auto place = [&](std::int64_t k, std::int64_t count, double lower, double upper) {
    return lower + kSoftRadius +
      (upper - lower - 2 * kSoftRadius) * (static_cast<double>(k) + 0.5) /
      static_cast<double>(count) +
      offset();
  };
  for (std::int64_t k = 0; k < n; ++k)
    out.push_back({ place(k % across, across, -1, 0), place(k / across % along, along, -1, 1),
      place(k / across / along, along, -1, 1), kSoftRadius });
  return out;
}

template <class Exec>
SoftSpheresResult runSoftSpheresOn(Exec& exec, const SoftState& start,
  const dem::BroadPhaseOptions& options, std::int64_t most_steps, double most_seconds,
  SoftState* end)
{
  using Clock = std::chrono::steady_clock;
  const auto since = [&](Clock::time_point begin) {
    exec.synchronize();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const auto n = static_cast<std::uint32_t>(start.position.size());
  SoftSpheresResult result;
  exec.inArena([&] {
    dem::Array<dem::Vec4<double>, Exec> position(exec), position_other(exec);
    dem::Array<dem::Vec3<float>, Exec> velocity(exec), velocity_other(exec);
    dem::Array<std::uint32_t, Exec> index(exec), index_other(exec), counts(exec), row_start(exec);
    position.assign(start.position);
    position_other.resize(n);
    velocity.assign(start.velocity);
    velocity_other.resize(n);
    for (auto* each : { &index, &index_other, &counts })
      each->resize(n);
    row_start.resize(std::size_t(n) + 1);

    dem::CandidateSearch<Exec> search(exec);
    search.choose(options,
      std::vector<double>(
        options.kind == dem::BroadPhaseKind::HierarchicalGrid ? n : 0, kSoftRadius));
    // the grid covers the box from the start: 64 cells an axis
    search.takeBounds({ { -1, -1, -1 }, { 1 - 1e-9, 1 - 1e-9, 1 - 1e-9 } });

    const auto part = static_cast<float>(std::min(1., kMostOfFullImpulse / n));
    const auto step = [&] {
      const Clock::time_point begin = Clock::now();
      if (options.kind == dem::BroadPhaseKind::SortedGrid) // Green sorts the particles' data too
      {
        search.order({ position.data(), n, {}, 0, kSoftRadius }, index.data(), index_other.data());
        exec.forEach(n,
          SoftReorder{ index.data(), position.data(), velocity.data(), position_other.data(),
            velocity_other.data() });
        std::swap(position, position_other);
        std::swap(velocity, velocity_other);
        search.build({ position.data(), n, {}, 0, kSoftRadius }, true);
      }
      else
        search.build({ position.data(), n, {}, 0, kSoftRadius }, false);
      const double insert = since(begin);
      search.withSearch([&](const auto& found) {
        exec.forEach(n,
          SoftImpulse<std::decay_t<decltype(found)>>{
            found, position.data(), velocity.data(), velocity_other.data(), part });
      });
      std::swap(velocity, velocity_other);
      exec.forEach(n, SoftMove{ position.data(), velocity.data() });
      return insert;
    };
    for (int warm = 0; !end && warm < 3; ++warm) // allocates
      step();
    const Clock::time_point begin = Clock::now();
    while (result.steps < most_steps && (result.steps == 0 || since(begin) < most_seconds))
    {
      const double insert = step();
      result.insert_seconds += insert;
      result.slowest_insert = std::max(result.slowest_insert, insert);
      ++result.steps;
    }
    result.seconds = since(begin);
    search.build({ position.data(), n, {}, 0, kSoftRadius }, false);
    search.count(counts.data());
    result.entries =
      static_cast<double>(dem::scanCounts(exec, counts.data(), row_start.data(), n)) / n;
    result.search = search.choice();
    double height = 0;
    const std::vector<dem::Vec4<double>> positions = position.host();
    for (const dem::Vec4<double>& p : positions)
    {
      result.outside += !(std::abs(p.x) <= 1 && std::abs(p.y) <= 1 && std::abs(p.z) <= 1);
      height += 0.5 * (p.z + 1);
    }
    result.mean_height = height / n;
    if (end)
      *end = { positions, velocity.host() };
  });
  return result;
}

SoftSpheresResult runSoftSpheresOnCuda(const SoftState& start,
  const dem::BroadPhaseOptions& options, const dem::Device& device, std::int64_t most_steps,
  double seconds, SoftState* end);

} // namespace bench
