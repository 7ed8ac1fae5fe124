// Heat transfer against closed forms and exact balances. Conductance of a contact: Batchelor and
// O'Brien, Proc. R. Soc. A 355 (1977) 313.
#include "BusyScene.h"
#include "HeatSupport.h"

#include "Analysis/CellAverage.h"
#include "Analysis/CoarseGraining.h"
#include "Physics/Heat/Conduction.cuh"
#include "Scene/detail/HeatFromScene.h"
#include "Shapes/Clump.h"
#include "Shapes/Polyhedron.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace
{

using namespace test;
using dem::ContactAreaModel;
using dem::ThermalCondition;

class Heat : public BackendTest
{
protected:
  static constexpr double kRadius = 1e-3;

  // So heavy that overlaps do not change; the heat capacity of a grain is that of water.
  static dem::Scene frozen()
  {
    dem::Scene s = emptyScene();
    s.materials[0].density = 1e26;
    s.materials[0].heat_capacity = 4e-20;
    s.materials[0].thermal_conductivity = 2;
    s.heat.model = dem::HeatModel::Conduction;
    s.initial_overlap_tolerance = 0.2;
    return s;
  }
  static double capacity(const dem::Scene& s, double radius, int material = 0)
  {
    return sphereMass(radius, s.materials[material].density) * s.materials[material].heat_capacity;
  }
  // Steps of `dt`, each with a step of the temperatures.
  static void setHeatSteps(dem::Scene& s, double dt, std::uint64_t steps)
  {
    setSteps(s, dt, steps);
    s.heat.interval = dt;
  }
};

} // namespace

TEST(HeatLaw, LensIsWiderThanTheContact)
{
  for (const double rb : { 1e-3, 3e-3 })
  {
    const double d = 1e-9, lens = dem::Conduction::ofSpheres(ContactAreaModel::Lens, 1e-3, rb, d),
                 a = dem::Conduction::ofSpheres(ContactAreaModel::ContactRadius, 1e-3, rb, d);
    EXPECT_NEAR(a / std::sqrt(1e-3 * rb / (1e-3 + rb) * d), 1, 1e-12);
    EXPECT_NEAR(lens / a, std::sqrt(2 * M_PI), 1e-5); // 2.51
  }
  // The lens of two unit spheres at distance 1 has the radius sqrt(3) / 2.
  EXPECT_NEAR(
    dem::Conduction::ofSpheres(ContactAreaModel::Lens, 1, 1, 1) / std::sqrt(M_PI * 0.75), 1, 1e-12);
  // Its root of the area is sqrt(pi) times its own radius.
  EXPECT_NEAR(
    dem::Conduction::ofSphereAndWall(ContactAreaModel::Lens, 1, 0.5) / std::sqrt(1 - 0.5 * 0.5),
    std::sqrt(M_PI), 1e-12);
}

// Grains that are too soft have contacts of the size that the true modulus gives at equal force.
TEST(HeatLaw, TrueModulusCorrectsTheRadius)
{
  dem::Scene s;
  s.materials[0] = { "soft", 5e6, 0.3, 2500, 0.5, 0.5, 0, 0, 800, 1, 7e10 };
  const double reduced = 5e6 / (2 * (1 - 0.09)), real = 7e10 / (2 * (1 - 0.09)), force = 0.3,
               radius = 2e-3;
  const auto overlapOf = [&](double e) {
    return std::pow(0.75 * force / (e * std::sqrt(radius)), 2. / 3);
  };
  const dem::HeatCoefficients pair = dem::heatCoefficients(s).front();
  EXPECT_NEAR(pair.overlap * overlapOf(reduced) / overlapOf(real), 1, 1e-12);
  s.heat.correction = dem::ModulusCorrection::EqualImpact;
  // Largest overlap of an impact: E* sqrt(R) d^(5/2) is constant.
  EXPECT_NEAR(dem::heatCoefficients(s).front().overlap, std::pow(reduced / real, 0.4), 1e-12);
}

// The difference of the temperatures decays with the rate H (1 / C1 + 1 / C2).
TEST_P(Heat, TwoSpheres)
{
  for (const double other : { kRadius, 2 * kRadius })
    for (const double conductivity : { 2., 0.5 })
    {
      dem::Scene s = frozen();
      s.materials.push_back(s.materials[0]);
      s.materials[1].thermal_conductivity = conductivity;
      const double d = 0.02 * kRadius;
      addSphere(s, { 0, 0, 0 }, kRadius);
      addSphere(s, { kRadius + other - d, 0, 0 }, other, {}, {}, 1);
      s.particles.temperature = { 400, 300 };
      const double h = 4 * 2 * conductivity / (2 + conductivity) *
        std::sqrt(kRadius * other / (kRadius + other) * d);
      const double c1 = capacity(s, kRadius), c2 = capacity(s, other, 1);
      const double rate = h * (1 / c1 + 1 / c2), dt = 1e-5 / rate;
      setHeatSteps(s, dt, 10000);
      dem::Simulation sim = simulate(s);
      sim.advanceTo(10000);
      const dem::Frame f = sim.frame(withTemperature());
      const auto& t = f.passive[dem::kTemperature];
      EXPECT_NEAR((t[0] - t[1]) / (100 * std::exp(-0.1)), 1, mixed() ? 2e-6 : 1e-6);
      const double rounding = mixed() ? 1e-7 : 1e-14; // of the masses
      EXPECT_NEAR((c1 * t[0] + c2 * t[1]) / (c1 * 400 + c2 * 300), 1, rounding);
      EXPECT_NEAR(f.passive[dem::kHeatFlow][1] / (h * (t[0] - t[1])), 1, 2e-5);
      EXPECT_EQ(f.passive[dem::kHeatFlow][0], -f.passive[dem::kHeatFlow][1]);
      EXPECT_NEAR(f.statistics.thermal_energy / (c1 * 400 + c2 * 300), 1, rounding);
    }
}

// A rod of spheres in a simple cubic lattice between two walls of given temperature: the steady
// flux is that of k_eff = 2 k a / d, and the way there is Fourier's series.
TEST_P(Heat, Rod)
{
  const int n = 30;
  dem::Scene s = frozen();
  const double d = 0.01 * kRadius, spacing = 2 * kRadius - d;
  for (int i = 0; i < n; ++i)
    addSphere(s, { i * spacing, 0, 0 }, kRadius);
  // Contacts with the walls have the radius of the others.
  s.walls.push_back(heated(planeWall({ -kRadius + 0.5 * d, 0, 0 }, { 1, 0, 0 }), 400));
  s.walls.push_back(
    heated(planeWall({ (n - 1) * spacing + kRadius - 0.5 * d, 0, 0 }, { -1, 0, 0 }), 300));
  s.initial_temperature = 300;
  const double h = 2 * 2 * std::sqrt(0.5 * kRadius * d), c = capacity(s, kRadius);
  // Cells of a chain: from wall to wall n + 1 resistances; the ends see half cells of no capacity.
  const double length = n + 1, diffusivity = h / c;
  setHeatSteps(s, 0.1 / diffusivity, 100000);
  dem::Simulation sim = simulate(s);
  const auto series = [&](double x, double time) {
    double sum = 1 - x / length;
    for (int k = 1; k < 200; ++k)
      sum -= 2 / (k * M_PI) * std::sin(k * M_PI * x / length) *
        std::exp(-diffusivity * time * std::pow(k * M_PI / length, 2));
    return 300 + 100 * sum;
  };
  for (const std::uint64_t step : { 400u, 1000u, 3000u })
  {
    sim.advanceTo(step);
    const dem::Frame f = sim.frame(withTemperature());
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(f.passive[dem::kTemperature][i], series(i + 1, f.time), 1) << step << " " << i;
  }
  sim.advanceTo(30000);
  const dem::Frame f = sim.frame(withTemperature());
  const double flux = h * 100 / (n + 1);
  EXPECT_NEAR(f.walls[0].total_heat_flow / flux, 1, 1e-5);
  EXPECT_NEAR(f.walls[1].total_heat_flow / -flux, 1, 1e-5);
  const double rod = (n + 1) * spacing, section = spacing * spacing;
  EXPECT_NEAR(
    flux * rod / section / 100 / (2 * 2 * std::sqrt(0.5 * kRadius * d) / spacing), 1, 1e-12);
}

// A wall with a flux gives flux times area to the grains that touch it, in proportion to their
// conductances.
TEST_P(Heat, WallsOfGivenFlux)
{
  dem::Scene s = frozen();
  const double d = 0.01 * kRadius;
  addSphere(s, { 0.005, 0.004, kRadius - d }, kRadius);
  addSphere(s, { 0.012, 0.009, kRadius - 4 * d }, kRadius);
  addSphere(s, { 0.015, 0.015, 0.5 }, kRadius);
  s.walls.push_back(withFlux(sheetWall(0, 0.02, 0, 0.01, 0), 50));
  s.walls.push_back(withFlux(pipeWall({ 0, 0.015, 0.502 }, { 0.03, 0.015, 0.502 }, kRadius), -3));
  s.walls.back().radius = kRadius * (1 - 1e-6);
  setHeatSteps(s, 1e-3, 1000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(10);
  const dem::Frame f = sim.frame(withTemperature());
  const double power = 50 * 0.02 * 0.01;
  EXPECT_NEAR(f.passive[dem::kHeatFlow][0] / (power / 3), 1, 1e-6);
  EXPECT_NEAR(f.passive[dem::kHeatFlow][1] / (power * 2 / 3), 1, 1e-6);
  EXPECT_NEAR(f.walls[0].total_heat / (power * f.time), 1, 1e-12);
  EXPECT_NEAR((f.passive[dem::kTemperature][0] - dem::kInitialTemperature) /
      (power / 3 * f.time / capacity(s, kRadius)),
    1, 1e-6);
  EXPECT_NEAR(f.statistics.heat_from_walls / (power * f.time), 1, 1e-12);
  // Each triangle has its own heat.
  ASSERT_EQ(f.walls[0].heat.size(), 2u);
  EXPECT_NEAR((f.walls[0].heat[0] + f.walls[0].heat[1]) / f.walls[0].total_heat, 1, 1e-12);
  EXPECT_EQ(f.walls[1].total_heat, 0); // the third sphere does not reach the pipe
}

// Two cubes on each other exchange heat through a section of their edge squared.
TEST_P(Heat, CubesAndClumps)
{
  dem::Scene s = frozen();
  s.shapes.push_back(dem::makeNamedPolyhedron("cube", "Cube"));
  const double edge = 2 * kRadius, volume = edge * edge * edge, r = std::cbrt(volume * 0.75 / M_PI);
  addSphere(s, { 0, 0, 0 }, r);
  addSphere(s, { 0, 0, edge - 0.01 * kRadius }, r);
  s.particles.shape = { 1, 1 };
  s.particles.temperature = { 400, 300 };
  setHeatSteps(s, 1e-6, 100);
  dem::Simulation sim = simulate(s);
  const dem::Frame f = sim.frame(withTemperature());
  EXPECT_NEAR(
    f.passive[dem::kHeatFlow][1] / (2 * 2 * std::sqrt(edge * edge / M_PI) * 100), 1, 1e-3);

  // A clump whose two spheres touch a grain each.
  dem::Scene clumps = frozen();
  clumps.shapes.push_back(dem::makeMultiSphere(
    "pair", { { -1.5 * kRadius, 0, 0 }, { 1.5 * kRadius, 0, 0 } }, { kRadius, kRadius }));
  const double d = 0.01 * kRadius;
  addSphere(clumps, { 0, 0, 0 }, std::cbrt(2.) * kRadius);
  addSphere(clumps, { -1.5 * kRadius, 0, 2 * kRadius - d }, kRadius);
  addSphere(clumps, { 1.5 * kRadius, 0, 2 * kRadius - 4 * d }, kRadius);
  clumps.particles.shape = { 1, 0, 0 };
  clumps.particles.temperature = { 400, 300, 350 };
  setHeatSteps(clumps, 1e-6, 100);
  dem::Simulation first = simulate(clumps);
  const dem::Frame joined = first.frame(withTemperature());
  const double h = 2 * 2 * std::sqrt(0.5 * kRadius * d);
  const auto& flow = joined.passive[dem::kHeatFlow];
  ASSERT_EQ(flow.size(), 3u);
  EXPECT_NEAR(flow[1] / (h * 100), 1, 1e-5);
  EXPECT_NEAR(flow[2] / (2 * h * 50), 1, 1e-5);
  EXPECT_NEAR(flow[0] / -(h * 200), 1, 1e-5);
}

// A brick that rests on a plane conducts the same through any number of its triangles.
TEST_P(Heat, FaceOnTriangles)
{
  const double edge = 4e-3, height = 1e-3, d = 1e-5;
  const auto flowOn = [&](const dem::Wall& wall) {
    dem::Scene s = frozen();
    s.shapes.push_back(dem::makeNamedPolyhedron("slab", "Brick", { 4, 4, 1 }));
    addSphere(s, { 0, 0, 0.5 * height - d }, std::cbrt(edge * edge * height * 0.75 / M_PI));
    s.particles.shape = { 1 };
    s.particles.temperature = { 300 };
    s.walls.push_back(heated(wall, 400));
    setHeatSteps(s, 1e-6, 100);
    dem::Simulation sim = simulate(s);
    return sim.frame(withTemperature()).passive[dem::kHeatFlow][0];
  };
  const double whole = flowOn(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
  EXPECT_NEAR(whole / (2 * 2 * edge / std::sqrt(M_PI) * 100), 1, 1e-2);
  EXPECT_NEAR(flowOn(sheetWall(-0.01, 0.01, -0.01, 0.01, 0)) / whole, 1, 1e-3);
  std::vector<dem::Vec3d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  const int n = 5;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      points.push_back({ -5.1e-3 + 2e-3 * i, -5.3e-3 + 2e-3 * j, 0 });
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
    {
      const int a = j * (n + 1) + i, b = a + n + 1;
      triangles.push_back({ a, a + 1, b + 1 });
      triangles.push_back({ a, b + 1, b });
    }
  EXPECT_NEAR(flowOn(meshWall(points, triangles)) / whole, 1, 1e-3);
}

// A collision so slow that each step dissipates less than 2^-60 of the scale of the energies.
TEST_P(Heat, SmallDissipation)
{
  dem::Scene s = emptyScene();
  s.materials[0].restitution = 0.5;
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  const double speed = 1e-6;
  addSphere(s, { 0, 0, 0 }, kRadius, { speed, 0, 0 });
  addSphere(s, { 2 * kRadius + 1e-13, 0, 0 }, kRadius, { -speed, 0, 0 });
  s.end_time = 1;
  dem::Simulation sim = simulate(s);
  sim.advanceTo(5000 * dem::kMostStepsOfHeat);
  const dem::Statistics now = sim.statistics();
  const double energy = sphereMass(kRadius, s.materials[0].density) * speed * speed;
  ASSERT_GT(now.dissipated_energy, 0.1 * energy);
  EXPECT_NEAR(now.heat_from_dissipation / now.dissipated_energy, 1, 1e-6);
}

// An event inside an interval: the old coefficients hold until then, the new ones from then on.
TEST_P(Heat, EventInsideAnInterval)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, 0 }, kRadius);
  addSphere(s, { 1.98 * kRadius, 0, 0 }, kRadius);
  s.particles.temperature = { 400, 300 };
  const double rate = 2 * 2 * 2 * std::sqrt(0.5 * kRadius * 0.02 * kRadius) / capacity(s, kRadius);
  const double dt = 0.01 / rate;
  setSteps(s, dt, 20);
  s.heat.interval = 10 * dt;
  s.events.push_back({ 15 * dt, "ThermalConductivity", { 4 } });
  dem::Simulation sim = simulate(s);
  const auto difference = [&] {
    const dem::Frame f = sim.frame(withTemperature());
    return f.passive[dem::kTemperature][0] - f.passive[dem::kTemperature][1];
  };
  sim.advanceTo(17);
  const dem::SnapshotBytes saved = sim.save();
  sim.advanceTo(20);
  EXPECT_NEAR(difference() / (100 * 0.9 * 0.95 * 0.9), 1, 1e-5);
  sim.restore(saved);
  sim.advanceTo(20);
  EXPECT_NEAR(difference() / (100 * 0.9 * 0.95 * 0.9), 1, 1e-5);
}

// Changes of one time act together, and a later one is checked with those queued before it.
TEST_P(Heat, SteeredModuli)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, 0 }, kRadius);
  addSphere(s, { 1.98 * kRadius, 0, 0 }, kRadius);
  s.walls.push_back(heated(planeWall({ 0, 0, -1 }, { 0, 0, 1 }, 1), 300));
  s.materials.push_back(s.materials[0]);
  setSteps(s, 1e-3, 100);
  s.events = { { 0.01, "TrueYoungsModulus", { 2e11 } }, { 0.01, "WallTrueYoungsModulus", { 2e11 } },
    { 0.02, "YoungsModulus", { 1e9 } } };
  dem::Simulation sim = simulate(s);
  sim.advanceTo(50);
  s.events.clear();
  dem::Simulation live = simulate(s);
  live.advanceTo(10);
  live.apply({ 0.01, "YoungsModulus", { 1e9 } });
  live.apply({ 0.02, "TrueYoungsModulus", { 2e11 } });
  live.apply({ 0.02, "WallTrueYoungsModulus", { 2e11 } });
  live.advanceTo(50);
}

// A run that failed has no state; an earlier one continues it as if it had not failed.
TEST_P(Heat, RestoreAfterAFailure)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, 0 }, kRadius);
  addSphere(s, { 1.98 * kRadius, 0, 0 }, kRadius);
  s.particles.temperature = { 300, 400 };
  const double h = 2 * 2 * std::sqrt(0.5 * kRadius * 0.02 * kRadius),
               most = capacity(s, kRadius) / h;
  setHeatSteps(s, 0.3 * most, 20);
  dem::Simulation good = simulate(s), bad = simulate(s);
  good.advanceTo(20);
  bad.advanceTo(5);
  const dem::SnapshotBytes saved = bad.save();
  bad.apply({ bad.time(), "ThermalConductivity", { 200 } });
  EXPECT_HOLDS(errorOf([&] { bad.advanceTo(6); }), "swing");
  EXPECT_HOLDS(errorOf([&] { bad.save(); }), "failed");
  bad.restore(saved); // the change is repeated from there on, so it must be taken back
  bad.apply({ bad.time(), "ThermalConductivity", { 2 } });
  bad.advanceTo(20);
  const auto temperatures = [](dem::Simulation& sim) {
    const dem::Frame f = sim.frame(withTemperature());
    return std::vector<double>{ f.passive[dem::kTemperature][0], f.passive[dem::kTemperature][1] };
  };
  EXPECT_EQ(temperatures(good), temperatures(bad));
}

// A state continues only with the heat transfer that it was saved with.
TEST_P(Heat, StateOfOtherHeatTransfer)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, 0 }, kRadius);
  setHeatSteps(s, 1e-6, 20);
  dem::Simulation sim = simulate(s);
  const dem::SnapshotBytes saved = sim.save();
  s.heat.area = ContactAreaModel::Lens;
  dem::Simulation lens = simulate(s);
  EXPECT_HOLDS(errorOf([&] { lens.restore(saved); }), "heat transfer");
  s.heat = {};
  dem::Simulation none = simulate(s);
  EXPECT_HOLDS(errorOf([&] { none.restore(saved); }), "heat transfer");
}

// What a wall, friction and damping give is what the grains gain, to rounding.
TEST_P(Heat, BooksBalance)
{
  dem::Scene s = busyScene();
  for (auto& exit : s.domain.exit)
    exit = exit == dem::Exit::Remove ? dem::Exit::Wall : exit;
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  for (dem::Material& m : s.materials)
    m.heat_capacity = 0.01; // temperatures change by some K
  s.walls[0] = heated(s.walls[0], 350);
  s.walls[1] = withFlux(s.walls[1], 2);
  dem::Simulation sim = simulate(s);
  const double before = sim.statistics().thermal_energy;
  sim.advanceTo(6000);
  const dem::Statistics now = sim.statistics();
  const double gain = now.thermal_energy - before;
  EXPECT_GT(now.heat_from_dissipation, 1e-5);
  EXPECT_GT(std::fabs(now.heat_from_walls), 1e-7);
  EXPECT_NEAR(gain / (now.heat_from_walls + now.heat_from_dissipation), 1, 1e-9);
  EXPECT_LT(now.heat_from_dissipation, now.dissipated_energy);
}

// Without walls all dissipated energy becomes heat of the grains.
TEST_P(Heat, EnergyIsKept)
{
  dem::Scene s = emptyScene();
  s.materials[0].restitution = 0.7;
  s.materials[0].friction = 0.4;
  s.materials[0].heat_capacity = 1e-3;
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 0.02, 0.02, 0.02 };
  s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Periodic };
  addCloud(s, { 0, 0, 0 }, 6, 6, 6, 0.0011, 0.0015, 1.0, 5, 0.02 / 6, 100);
  s.end_time = 1;
  dem::Simulation sim = simulate(s);
  const dem::Statistics start = sim.statistics();
  const std::uint64_t steps = mixed() ? 100000 : 10000;
  sim.advanceTo(steps - steps % dem::kMostStepsOfHeat);
  const dem::Statistics now = sim.statistics();
  EXPECT_GT(now.dissipated_energy, 0.3 * start.kinetic_energy);
  EXPECT_NEAR(now.heat_from_dissipation / now.dissipated_energy, 1, 1e-6);
  EXPECT_LT(std::fabs(now.dissipation_in_walls), 1e-9 * now.dissipated_energy);
  EXPECT_NEAR((now.thermal_energy - start.thermal_energy) / now.heat_from_dissipation, 1, 1e-7);
  const double total = now.kinetic_energy + now.potential_energy + now.stiffness_work +
    (now.thermal_energy - start.thermal_energy) - now.energy_error;
  EXPECT_NEAR(total / (start.kinetic_energy + start.potential_energy), 1, 1e-6);
}

// A cube that slides on a plane loses mu m g per length; half of it heats the cube.
TEST_P(Heat, SlidingBlock)
{
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -9.81 };
  s.materials[0].restitution = 0.2;
  s.materials[0].friction = 0.3;
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  s.shapes.push_back(dem::makeNamedPolyhedron("slab", "Brick", { 4, 4, 1 }));
  const double edge = 4e-3, height = 1e-3, volume = edge * edge * height,
               r = std::cbrt(volume * 0.75 / M_PI);
  const double mass = volume * s.materials[0].density;
  addSphere(s, { 0, 0, 0.5 * height - 1e-8 }, r, { 3, 0, 0 });
  s.particles.shape = { 1 };
  s.domain.lower = { -5, -5, -5 };
  s.domain.upper = { 5, 5, 5 };
  s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
  s.end_time = 1;
  s.output_interval = 0.1;
  s.time_step = 1e-6; // the energy balance of sliding is exact to the second order of the step
  dem::Simulation sim = simulate(s);
  const auto every = sim.plan().steps_per_output;
  sim.advanceTo(every); // it has settled
  const dem::Statistics a = sim.statistics();
  const double va = velocityOf(sim.frame(), 0).x;
  sim.advanceTo(2 * every);
  const dem::Statistics b = sim.statistics();
  const double vb = velocityOf(sim.frame(), 0).x;
  const double work = 0.3 * mass * 9.81 * 0.5 * (va + vb) * (b.time - a.time);
  EXPECT_NEAR((vb - va) / (-0.3 * 9.81 * (b.time - a.time)), 1, 1e-3);
  EXPECT_NEAR((b.heat_from_dissipation - a.heat_from_dissipation) / (0.5 * work), 1, 1e-3);
  EXPECT_NEAR((b.dissipation_in_walls - a.dissipation_in_walls) / (0.5 * work), 1, 1e-3);
  EXPECT_NEAR((b.thermal_energy - a.thermal_energy) / (0.5 * work), 1, 1e-3);
}

// A stretched contact with surface energy conducts through the radius of its neck.
TEST_P(Heat, StickingContacts)
{
  dem::Scene s = frozen();
  s.contact.cohesion = dem::CohesionModel::JKR;
  s.materials[0].surface_energy = 0.1;
  s.materials[0].youngs_modulus = 1e7;
  addSphere(s, { 0, 0, 0 }, kRadius);
  addSphere(s, { 2 * kRadius - 1e-15, 0, 0 }, kRadius);
  s.particles.temperature = { 400, 300 };
  setHeatSteps(s, 1e-6, 10);
  dem::Simulation sim = simulate(s);
  const dem::Frame f = sim.frame(withTemperature());
  // At zero overlap a^3 = 4 pi gamma R*^2 / E* (Johnson et al. 1971).
  const double youngs = 1e7 / (2 * (1 - 0.09)), reduced = 0.5 * kRadius;
  const double a = std::cbrt(4 * M_PI * 0.1 * reduced * reduced / youngs);
  EXPECT_NEAR(f.passive[dem::kHeatFlow][1] / (2 * 2 * a * 100), 1, 1e-4);
}

TEST_P(Heat, SameBits)
{
  dem::Scene s = busyScene();
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  s.walls[0] = heated(s.walls[0], 400);
  s.walls[1] = withFlux(s.walls[1], 20);
  s.walls[3] = heated(s.walls[3], 250);
  s.events.push_back({ 0.01, "WallTemperature", { 0, 380 } });
  s.events.push_back({ 0.012, "WallHeatFlux", { 1, 30 } });
  const dem::Frame f = sameBitsHowever(s, 3e-3, 3200);
  EXPECT_GT(f.statistics.heat_from_dissipation, 0);
  EXPECT_NE(f.statistics.heat_from_walls, 0);
}

// Averages of the run and of a frame's grains weigh temperatures by mass.
TEST_P(Heat, Averages)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, 0 }, kRadius);
  addSphere(s, { 0.1, 0, 0 }, 2 * kRadius);
  s.particles.temperature = { 310, 400 };
  s.averages.enabled = true;
  s.averages.whole_domain = true;
  s.averages.cells = { 1, 1, 1 };
  setHeatSteps(s, 1e-3, 10);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(10);
  const dem::Frame f = sim.frame();
  const auto fields = dem::cellAverageFields(1, true);
  ASSERT_EQ(fields.size(), f.averages.mean.size());
  ASSERT_EQ(fields.back().name, "Temperature");
  const double expected = (310 + 8 * 400) / 9.;
  EXPECT_NEAR(f.averages.mean.back()[0] / expected, 1, 1e-6);

  const double position[] = { 0, 0, 0, 0.1, 0, 0 }, radius[] = { kRadius, 2 * kRadius },
               temperature[] = { 310, 400 };
  dem::Grains grains;
  grains.size = 2;
  grains.position = position;
  grains.radius = radius;
  grains.temperature = temperature;
  dem::CoarseGraining smooth(sim.device());
  dem::CoarseGrainingOptions options;
  options.kernel = dem::SmoothingKernel::Heaviside;
  options.width = 0.2;
  double value = 0;
  dem::CoarseGrainedFields out;
  out.temperature = &value;
  const double point[] = { 0.05, 0, 0 };
  smooth.compute(grains, nullptr, point, 1, options, out);
  EXPECT_NEAR(value / expected, 1, 1e-12);
}

// A scene without heat has the bits that it has with heat: heat acts on nothing else.
TEST_P(Heat, ChangesNoMotion)
{
  dem::Scene s = busyScene();
  dem::Simulation without = simulate(s);
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  dem::Simulation with = simulate(s);
  without.advanceTo(3000);
  with.advanceTo(3000);
  dem::Frame a = without.frame(), b = with.frame();
  b.statistics.thermal_energy = b.statistics.heat_from_dissipation = 0;
  b.statistics.heat_from_walls = b.statistics.dissipation_in_walls = 0;
  for (dem::WallFrame& wall : b.walls)
  {
    wall.heat = {};
    wall.heat_flux = {};
  }
  EXPECT_SAME_BITS(a, b);
}

TEST_P(Heat, BadInput)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, 0 }, kRadius);
  addSphere(s, { 1.98 * kRadius, 0, 0 }, kRadius);
  setSteps(s, 1e-3, 10);
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.materials[0].heat_capacity = 0; }),
    "HeatCapacity is 0 J/kg/K; it must be above 0");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.materials[0].thermal_conductivity = -1; }),
    "ThermalConductivity is -1 W/m/K; it must be above 0");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.materials[0].true_youngs_modulus = -1; }),
    "TrueYoungsModulus");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.particles.temperature = { 300, -1 };
                 }),
    "Temperature");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.particles.temperature = { 300, NAN };
                 }),
    "Temperature");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.walls.push_back(heated(planeWall({ 0, 0, -1 }, { 0, 0, 1 }), -5));
                 }),
    "Temperature");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.walls.push_back(withFlux(planeWall({ 0, 0, -1 }, { 0, 0, 1 }), 5));
                 }),
    "has no area");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.walls.push_back(heated(planeWall({ 0, 0, -1 }, { 0, 0, 1 }), 300));
                   x.heat.model = dem::HeatModel::None;
                 }),
    "HeatTransfer is None");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.heat.interval = 1e-4; }), "ThermalInterval");
  EXPECT_HOLDS(
    refusalOf(s, [](dem::Scene& x) { x.heat.interval = 1; }), "longer than the run, whose EndTime");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.materials[0].true_youngs_modulus = 1; }),
    "below its YoungsModulus");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.materials[0].true_youngs_modulus = 1e11;
                   x.contact.law = dem::NormalLaw::LinearSpringDashpot;
                   x.contact.collision_time = 1e-2;
                 }),
    "does not go with Linear Spring-Dashpot");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.materials.push_back(x.materials[0]);
                   x.materials[0].true_youngs_modulus = 1e11;
                   x.walls.push_back(heated(planeWall({ 0, 0, -1 }, { 0, 0, 1 }, 1), 300));
                 }),
    "has a TrueYoungsModulus, but");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.materials.push_back(x.materials[0]);
                   x.walls.push_back(heated(planeWall({ 0, 0, -1 }, { 0, 0, 1 }, 1), 300));
                   x.events.push_back({ 0, "WallTrueYoungsModulus", { 1e11 } });
                 }),
    "has a TrueYoungsModulus, but");
  EXPECT_HOLDS(
    refusalOf(s, [](dem::Scene& x) { x.neighbor_list.kind = dem::NeighborListKind::Static; }),
    "does not go with HeatTransfer");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.events.push_back({ 0, "WallTemperature", { 0, 300 } });
                 }),
    "wall 0 is not in the scene");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.walls.push_back(planeWall({ 0, 0, -1 }, { 0, 0, 1 }));
                   x.events.push_back({ 0, "WallTemperature", { 0, 300 } });
                 }),
    "whose ThermalCondition is Adiabatic");
}

// A step that is too long is an error that names the grain; so is a grain below 0 K.
TEST_P(Heat, StepsThatAreTooLong)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, 0 }, kRadius);
  addSphere(s, { 1.98 * kRadius, 0, 0 }, kRadius);
  s.particles.id = { 17, 18 };
  s.particles.temperature = { 300, 400 };
  const double h = 2 * 2 * std::sqrt(0.5 * kRadius * 0.02 * kRadius),
               most = capacity(s, kRadius) / h;
  setHeatSteps(s, 0.9 * most, 100);
  {
    dem::Simulation sim = simulate(s);
    sim.advanceTo(50);
    EXPECT_NEAR(sim.frame(withTemperature()).passive[dem::kTemperature][0], 350, 1e-3);
  }
  setHeatSteps(s, 1.1 * most, 100);
  dem::Simulation sim = simulate(s);
  const std::string message = errorOf([&] { sim.advanceTo(1); });
  EXPECT_HOLDS(message, "Grain 17");
  EXPECT_HOLDS(message, "ThermalInterval");

  setHeatSteps(s, 0.5 * most, 100);
  s.walls.push_back(withFlux(sheetWall(-0.01, 0.01, -0.01, 0.01, -0.99 * kRadius), -1e9));
  dem::Simulation cold = simulate(s);
  EXPECT_HOLDS(errorOf([&] { cold.advanceTo(1); }), "below 0 K");
}

PARAGRAIN_ON_ALL_BACKENDS(Heat);
