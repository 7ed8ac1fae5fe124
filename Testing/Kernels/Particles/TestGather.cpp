// Particles counted in their cells and brought into the cells' order by blocks (CountKeys.cuh,
// GatherBlocks.cuh), on the host: against plain loops.
#include "Threads.h"

#include "BroadPhase/CountKeys.cuh"
#include "Particles/GatherBlocks.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

using namespace dem;

namespace
{

template <class Kernel>
void run(std::uint32_t blocks, const Kernel& kernel)
{
  typename Kernel::Shared shared;
  emulated::run(blocks, Kernel::kThreads, [&] {
    emulated::undefined(shared);
    kernel(blockIdx.x, shared);
  });
}

template <class Real>
void check(std::uint32_t n, std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Vec4<double>> position(n), orientation(n);
  std::vector<Vec4<Real>> velocity(n), spin(n);
  std::vector<std::int64_t> id(n);
  std::vector<Traveled<Real>> traveled(n);
  std::uint32_t gone = 0;
  const auto any = [&] { return static_cast<Real>(unit(random)); };
  for (std::uint32_t i = 0; i < n; ++i)
  {
    position[i] = { 8 * unit(random), 8 * unit(random), 8 * unit(random), 0.5 };
    if (i % 13 == 5)
    {
      position[i].x = kGone;
      ++gone;
    }
    orientation[i] = { unit(random), unit(random), unit(random), unit(random) };
    velocity[i] = { any(), any(), any(), any() };
    spin[i] = { any(), any(), any(), any() };
    id[i] = 1000 + i;
    traveled[i] = { any(), any() };
  }
  const Grid grid = chooseGrid({ 0, 0, 0 }, { 8, 8, 8 }, Periodic{}, 1, 1e6, false, 2);
  for (const Grid& any : { grid, chooseGrid({ 0, 0, 0 }, { 8, 9, 8 }, Periodic{}, 1, 1e6, false) })
    ASSERT_EQ(any.key(3, 5, 6), any.key(3, 5, 0) + 6 * any.layer());
  const std::uint32_t cells = grid.cells(), kept = n - gone;

  std::vector<std::uint32_t> keys(n), index(n), count(cells + 1), place(n), start(cells + 2);
  using Count = CountKeys<ComputeCellKeys>;
  run((n + Count::kTile - 1) / Count::kTile,
    Count{ { grid, position.data(), keys.data(), index.data() }, count.data(), place.data(), n });
  for (std::uint32_t c = 0; c <= cells; ++c)
  {
    start[c + 1] = start[c] + count[c];
    std::vector<bool> taken(count[c]);
    for (std::uint32_t i = 0; i < n; ++i)
      if (keys[i] == c)
      {
        ASSERT_LT(place[i], count[c]);
        ASSERT_FALSE(taken[place[i]]);
        taken[place[i]] = true;
      }
  }
  for (std::uint32_t i = 0; i < n; ++i)
    ASSERT_EQ(keys[i], isGone(position[i].x) ? cells : grid.keyOf(position[i]));
  ASSERT_EQ(count[cells], gone);

  std::vector<Vec4<double>> position_to(kept), orientation_to(kept);
  std::vector<Vec4<Real>> velocity_to(kept), spin_to(kept);
  std::vector<std::int64_t> id_to(kept);
  std::vector<Vec3d> places(kept), listed(kept);
  std::vector<Traveled<Real>> traveled_to(kept);
  GatherState<Real> most{ nullptr, kept };
  most.wide = { position.data(), nullptr, position_to.data() };
  most.narrow[0] = { velocity.data(), nullptr, velocity_to.data() };
  most.id = { id.data(), nullptr, id_to.data() };
  most.places = places.data();
  using Cells = GatherCells<Real>;
  run((n + Cells::kThreads - 1) / Cells::kThreads,
    Cells{
      most, { keys.data(), start.data(), place.data(), cells, index.data(), count.data(), n } });
  EXPECT_EQ(std::count(count.begin(), count.end(), 0u), cells + 1);

  unsigned longest = 0;
  GatherState<Real> rest{ index.data(), kept };
  rest.wide = { orientation.data(), nullptr, orientation_to.data() };
  rest.narrow[1] = { spin.data(), nullptr, spin_to.data() };
  rest.traveled = { traveled.data(), nullptr, traveled_to.data() };
  rest.paths = LongestPath{ &longest };
  rest.placed = position_to.data();
  rest.listed = listed.data();
  using Many = GatherMany<Real>;
  run((kept + Many::kTile - 1) / Many::kTile, Many{ rest });

  float furthest = 0;
  std::vector<bool> met(n);
  for (std::uint32_t k = 0; k < kept; ++k)
  {
    const std::uint32_t i = index[k];
    ASSERT_LT(i, n);
    ASSERT_FALSE(met[i] || isGone(position[i].x));
    met[i] = true;
    ASSERT_TRUE(k >= start[keys[i]] && k < start[keys[i] + 1]);
    ASSERT_EQ(id_to[k], id[i]);
    for (int c = 0; c < 3; ++c)
    {
      ASSERT_EQ(position_to[k].xyz()[c], position[i].xyz()[c]);
      ASSERT_EQ(places[k][c], position[i].xyz()[c]);
      ASSERT_EQ(listed[k][c], position[i].xyz()[c]);
      ASSERT_EQ(orientation_to[k].xyz()[c], orientation[i].xyz()[c]);
      ASSERT_EQ(velocity_to[k].xyz()[c], velocity[i].xyz()[c]);
      ASSERT_EQ(spin_to[k].xyz()[c], spin[i].xyz()[c]);
    }
    ASSERT_EQ(position_to[k].w, position[i].w);
    ASSERT_EQ(orientation_to[k].w, orientation[i].w);
    ASSERT_EQ(velocity_to[k].w, velocity[i].w);
    ASSERT_EQ(spin_to[k].w, spin[i].w);
    ASSERT_EQ(traveled_to[k].turned_z, traveled[i].turned_z);
    ASSERT_EQ(traveled_to[k].path, Real(0));
    furthest = std::max(furthest, static_cast<float>(traveled[i].path));
  }
  EXPECT_EQ(LongestPath::decode(longest), furthest);
}

} // namespace

TEST(Gather, ParticlesComeToTheirCells)
{
  check<float>(2000, 1);
  check<double>(1500, 2);
}

TEST(Gather, FewParticles)
{
  check<float>(1, 3);
  check<float>(33, 4);
}
