// Pairs of near grains: a loop over all pairs, against which searches and lists are held, and boxes
// of random grains.
#pragma once

#include "TestSupport.h"

#include <algorithm>
#include <iterator>

namespace test
{

/// Ids of two grains each, the lower first, in ascending order.
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct Ball
{
  Vec3d place;
  double radius;
  std::int64_t id;
};

/// The grains of an input, in double.
inline std::vector<Ball> ballsOf(const dem::ParticleInput& p)
{
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    balls.push_back(
      { p.position[i], p.radius[i], p.id.empty() ? static_cast<std::int64_t>(i) : p.id[i] });
  }
  return balls;
}

/// The grains of a frame, whose radii are single.
inline std::vector<Ball> ballsOf(const dem::Frame& f)
{
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    balls.push_back({ positionOf(f, i), f.radius[i], f.id[i] });
  }
  return balls;
}

/// Distance of two points, over periodic borders.
inline double separation(const dem::Domain& domain, const Vec3d& a, const Vec3d& b)
{
  Vec3d line = a - b;
  for (int k = 0; k < 3; ++k)
  {
    if (domain.limited && domain.exit[k] == dem::Exit::Periodic)
    {
      const double width = domain.upper[k] - domain.lower[k];
      line[k] -= width * std::round(line[k] / width);
    }
  }
  return length(line);
}

/// All pairs whose surfaces are nearer than `reach`.
inline Pairs allPairs(const dem::Domain& domain, const std::vector<Ball>& balls, double reach)
{
  Pairs pairs;
  for (std::size_t i = 0; i < balls.size(); ++i)
  {
    for (std::size_t j = i + 1; j < balls.size(); ++j)
    {
      const Ball &a = balls[i], &b = balls[j];
      if (separation(domain, a.place, b.place) < a.radius + b.radius + reach)
      {
        pairs.emplace_back(std::min(a.id, b.id), std::max(a.id, b.id));
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// The pairs of a run's lists, each of which must be listed once.
inline Pairs candidates(dem::Simulation& sim)
{
  Pairs pairs;
  for (const dem::CandidatePair& c : sim.candidatePairs())
  {
    EXPECT_LT(c.first, c.second);
    pairs.emplace_back(c.first, c.second);
  }
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  EXPECT_TRUE(std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end())
    << "a pair is listed twice";
  return pairs;
}

/// The contacts of a frame in its order, those with walls too.
inline Pairs contactsOf(const dem::Frame& f)
{
  Pairs pairs;
  for (std::size_t c = 0; c < f.contacts.size; ++c)
  {
    pairs.emplace_back(f.contacts.ids[2 * c], f.contacts.ids[2 * c + 1]);
  }
  return pairs;
}

/// The contacts between grains.
inline Pairs touching(const dem::Frame& f)
{
  Pairs pairs = contactsOf(f);
  pairs.erase(
    std::remove_if(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.second < 0; }),
    pairs.end());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Empty when `seen` has all that is wanted.
inline std::string missing(const Pairs& wanted, const Pairs& seen)
{
  Pairs rest;
  std::set_difference(
    wanted.begin(), wanted.end(), seen.begin(), seen.end(), std::back_inserter(rest));
  return rest.empty() ? ""
                      : std::to_string(rest.size()) + " pairs, the first " +
      std::to_string(rest[0].first) + ", " + std::to_string(rest[0].second);
}

/// A box for grains that may overlap.
inline dem::Scene looseBox(double size, double tolerance = 0.5)
{
  dem::Scene s = emptyScene();
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { size, size, size };
  s.initial_overlap_tolerance = tolerance;
  setSteps(s, 1e-7, 1000);
  return s;
}

/// Random centres and radii, many small ones; overlaps up to what the box tolerates. Fewer than n
/// if they do not fit after `tries` for each.
inline void addRandom(
  dem::Scene& s, int n, double r_min, double r_max, Uniform& uniform, int tries = 20)
{
  for (int tried = 0, placed = 0; placed < n && tried < tries * n; ++tried)
  {
    const double r = r_min * std::pow(r_max / r_min, std::pow(uniform(0, 1), 3));
    Vec3d x;
    for (int k = 0; k < 3; ++k)
    {
      const double width = s.domain.upper[k] - s.domain.lower[k];
      const double inset = s.domain.exit[k] == dem::Exit::Periodic ? 0 : std::min(r, 0.49 * width);
      x[k] = uniform(s.domain.lower[k] + inset, s.domain.upper[k] - inset);
    }
    bool fits = true;
    for (std::size_t j = 0; fits && j < s.particles.size(); ++j)
    {
      const double other = s.particles.radius[j];
      fits =
        separation(s.domain, x, s.particles.position[j]) > r + other - 0.45 * std::min(r, other);
    }
    if (fits)
    {
      addSphere(s, x, r);
      ++placed;
    }
  }
}

/// Ids that neither begin at 0 nor ascend.
inline void descendingIds(dem::Scene& s)
{
  s.particles.id.resize(s.particles.size());
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    s.particles.id[i] = static_cast<std::int64_t>(7 * (s.particles.size() - i));
  }
}

} // namespace test
