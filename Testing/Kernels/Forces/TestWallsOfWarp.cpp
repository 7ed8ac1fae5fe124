// Walls that a warp meets together, against one particle after another: the same bits of loads,
// history, flags and energies.
#include "Threads.h"

#include "NeighborList/BuildList.cuh"
#include "Forces/WallsOfWarp.cuh"
#include "Walls/WallSeams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace dem;

namespace
{

using Real = float;
constexpr int kParticles = 20, kSide = 7, kSteps = 15;
constexpr std::uint32_t kFirst = 3; // rows

struct Case
{
  double roughness; // of the mesh, in units of its cells: 0 is flat, small gives smooth seams,
                    // large sharp ones
  double reach;     // of candidates beyond a sphere
};

/// A mesh of triangles with random heights between two planes.
WallSet groundBetweenPlanes(double roughness, std::mt19937& random)
{
  std::uniform_real_distribution<double> unit(0, 1);
  Wall mesh;
  mesh.kind = WallKind::Mesh;
  mesh.name = "Ground";
  for (int y = 0; y <= kSide; ++y)
    for (int x = 0; x <= kSide; ++x)
      mesh.points.push_back({ double(x), double(y), roughness * unit(random) });
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x)
    {
      const int a = y * (kSide + 1) + x;
      mesh.triangles.push_back({ a, a + 1, a + kSide + 2 });
      mesh.triangles.push_back({ a, a + kSide + 2, a + kSide + 1 });
    }
  return makeWallSet(
    { mesh }, { { { 0, 0, 0 }, { 1, 0, 0 }, 0 }, { { 0, 0, 0 }, { 0, 1, 0 }, 0 } });
}

/// What contacts remember, of one way to meet walls.
struct Memory
{
  explicit Memory(std::size_t slots)
    : flags(slots, 0)
    , history(slots * 3, 0)
  {
  }
  ContactSlots<Real> view() { return { flags.data(), { history.data(), flags.size() } }; }
  std::vector<std::uint8_t> flags;
  std::vector<Real> history;
};

struct Met
{
  long several = 0;   // rows with more than one contact
  long handed_on = 0; // where one begins as another ends
  long long_rows = 0; // of more candidates than a warp has lanes
};

template <bool kSeams>
void compare(const Case& of, unsigned seed, Met& met)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  WallSet set = groundBetweenPlanes(of.roughness, random);
  if (kSeams) // each triangle gets corners of its own
  {
    std::uint32_t own = 0;
    for (WallElement& e : set.elements)
      if (e.kind == ElementKind::Triangle)
        for (std::uint32_t& v : e.vertex)
          v = own++;
    set.ring_start.assign(own + 1, 0);
    std::iota(set.ring_start.begin(), set.ring_start.end(), 0u);
    set.ring.resize(own);
    for (std::uint32_t k = 0; k < own; ++k)
      set.ring[k] = k / 3;
  }
  const WallSeams seams = kSeams ? findWallSeams(set) : WallSeams{};
  std::vector<WallBody> bodies;
  for (std::size_t w = 0; w < set.walls(); ++w)
    bodies.push_back(wallBody(set.motions[w], set.materials[w], 0));

  std::vector<Vec4<double>> x(kParticles);
  std::vector<Vec4<Real>> v(kParticles), w(kParticles);
  std::vector<std::int64_t> id(kParticles);
  std::vector<std::uint32_t> entries, start, particle;
  for (int i = 0; i < kParticles; ++i)
  {
    x[i] = { unit(random) * kSide, unit(random) * kSide, 0.3 + 0.6 * unit(random),
      0.5 + 0.3 * unit(random) };
    id[i] = i;
    const std::size_t first = entries.size();
    for (std::uint32_t e = 0; e < set.elements.size(); ++e)
      if (signedDistance(set.elements[e], x[i].xyz(),
            closestOnElement(set.elements[e], x[i].xyz())) < x[i].w + of.reach)
        entries.push_back(e);
    if (entries.size() == first)
      continue;
    met.long_rows += entries.size() - first > 32;
    start.push_back(static_cast<std::uint32_t>(first));
    particle.push_back(i);
  }
  const auto rows = static_cast<std::uint32_t>(start.size());
  start.push_back(static_cast<std::uint32_t>(entries.size()));

  LawParameters<Real> law{};
  law.history = law.clamp = true;
  PairCoefficients<Real> pair{};
  pair.normal = 2e6f;
  pair.tangential = 32e5f;
  pair.damping = 0.4f;
  pair.friction = 0.4f;
  pair.tangential_damping = 0.5f;
  StepControl control{ StepControl::kNone, StepControl::kNone, 0 };
  Memory alone(entries.size()), together(entries.size());
  const auto walls = [&](Memory& memory) {
    WallView view{ set.elements.data(), bodies.data(), set.ring_start.data(), set.ring.data(),
      nullptr, nullptr, nullptr };
    if (seams.any)
    {
      view.seam_start = seams.start.data();
      view.seam = seams.other.data();
      view.tolerance = seams.tolerance.data();
    }
    return WallForces<Real, kSeams>{ &control, { law, &pair, 1, {} }, view,
      { entries.data(), start.data(), particle.data(), rows }, memory.view(), 1e-4f, 0, id.data(),
      1e6, {} };
  };
  const WallForces<Real, kSeams> by_thread = walls(alone), by_warp = walls(together);

  for (int step = 0; step < kSteps; ++step)
  {
    for (int i = 0; i < kParticles; ++i)
    {
      const Vec3d d{ 0.12 * (unit(random) - 0.5), 0.12 * (unit(random) - 0.5),
        0.08 * (unit(random) - 0.5) };
      x[i] = vec4(x[i].xyz() + d, x[i].w);
      v[i] = { Real(100 * d.x), Real(d.y), Real(d.z), 1.5f };
      w[i] = { Real(unit(random)), Real(unit(random)), Real(unit(random)), 0.f };
    }
    const std::vector<std::uint8_t> before = alone.flags;
    EnergySums booked;
    std::vector<Load<Real>> load(rows), load_of_warp(rows);
    const auto left = [](std::uint32_t r) {
      return r == 1 || r == kFirst + 1;
    }; // particles that are not there any more
    for (std::uint32_t r = 0; r < rows; ++r)
      if (!left(r))
        load[r] = by_thread(r, particle[r], x[particle[r]], v[particle[r]], w[particle[r]], booked);

    std::vector<EnergySums> booked_by(32);
    std::vector<Vec4<double>> x_of;
    std::vector<Vec4<Real>> v_of, w_of;
    for (const std::uint32_t i : particle)
    {
      x_of.push_back(x[i]);
      v_of.push_back(v[i]);
      w_of.push_back(w[i]);
    }
    emulated::run(1, 32, [&] {
      // a few rows first, then the others
      const auto meet = [&](std::uint32_t first, std::uint32_t count) {
        const std::uint32_t row = first + threadIdx.x;
        const bool own = threadIdx.x < count;
        const WallsOfWarp<Real, kSeams> together{ by_warp, first, own ? start[row] : 0,
          own ? start[row + 1] - start[row] : 0, x_of.data() + first, v_of.data() + first,
          w_of.data() + first, load_of_warp.data() };
        together(count, together.turn(0, count), own && !left(row), booked_by[threadIdx.x]);
      };
      meet(0, kFirst);
      meet(kFirst, rows - kFirst);
    });
    EnergySums booked_of_warp;
    for (const EnergySums& b : booked_by)
      booked_of_warp += b;

    for (std::uint32_t r = 0; r < rows; ++r)
    {
      ASSERT_EQ(std::memcmp(&load[r], &load_of_warp[r], sizeof load[r]), 0)
        << "row " << r << ", step " << step;
      int contacts = 0;
      bool begins = false, ends = false;
      for (std::uint32_t s = start[r]; s < start[r + 1]; ++s)
      {
        const bool now = alone.flags[s] & kTouching, then = before[s] & kTouching;
        contacts += now;
        begins = begins || (now && !then);
        ends = ends || (then && !now);
      }
      met.several += contacts > 1;
      met.handed_on += begins && ends;
    }
    ASSERT_EQ(alone.flags, together.flags);
    ASSERT_EQ(std::memcmp(
                alone.history.data(), together.history.data(), alone.history.size() * sizeof(Real)),
      0);
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      ASSERT_EQ(booked.of[e].high, booked_of_warp.of[e].high);
      ASSERT_EQ(booked.of[e].low, booked_of_warp.of[e].low);
    }
  }
}

} // namespace

TEST(WallsOfWarp, SameBitsAsOneByOne)
{
  Met met;
  unsigned seed = 0;
  for (const double roughness : { 0., 0.05, 0.6 })
    for (const double reach : { 0.2, 0.8, 5. })
    {
      compare<false>({ roughness, reach }, ++seed, met);
      compare<true>({ roughness, reach }, ++seed, met);
    }
  EXPECT_GT(met.several, 200);
  EXPECT_GT(met.handed_on, 50);
  EXPECT_GT(met.long_rows, 20);
}
