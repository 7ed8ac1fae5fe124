// Grains in a given flow: terminal velocities, buoyancy, lift, pressure, the void fraction of the
// grains, fields in space and time, equal bits, and what is refused.
#include "BusyScene.h"

#include "Fluid/FluidField.h"
#include "Physics/Drag/DragLaws.cuh"
#include "Scene/detail/FluidFromScene.h"
#include "Shapes/Tablet.h"

#include <cmath>
#include <memory>

namespace
{

using namespace test;

constexpr double kWater = 1000, kWaterViscosity = 1e-3;

class Fluid : public BackendTest
{
protected:
  // A glass sphere far from all walls.
  static dem::Scene single(double diameter, dem::DragLaw law = dem::DragLaw::Stokes)
  {
    dem::Scene s = emptyScene();
    s.fluid.model = dem::FluidModel::GivenField;
    s.fluid.drag = law;
    s.fluid.density = kWater;
    s.fluid.viscosity = kWaterViscosity;
    s.gravity = { 0, 0, -9.81 };
    s.materials[0].density = 2500;
    s.materials[0].youngs_modulus = 1; // it touches nothing, so steps may be long
    addSphere(s, { 0, 0, 0 }, 0.5 * diameter);
    return s;
  }
  static double velocityAfter(dem::Simulation& sim, std::uint64_t step, int axis = 2)
  {
    sim.advanceTo(step);
    return sim.frame().velocity[axis];
  }

  // A grid of nodes over [-1, 1]^3 with the given values.
  template <class Velocity>
  static dem::FluidValues values(const dem::FluidNodes& nodes, const Velocity& velocity)
  {
    dem::FluidValues v;
    for (int k = 0; k < nodes.count[2]; ++k)
      for (int j = 0; j < nodes.count[1]; ++j)
        for (int i = 0; i < nodes.count[0]; ++i)
        {
          const Vec3d u = velocity(Vec3d{ nodes.origin.x + i * nodes.spacing.x,
            nodes.origin.y + j * nodes.spacing.y, nodes.origin.z + k * nodes.spacing.z });
          v.velocity.insert(v.velocity.end(), { u.x, u.y, u.z });
        }
    return v;
  }
  static dem::FluidNodes grid(int cells)
  {
    dem::FluidNodes nodes;
    nodes.origin = { -1, -1, -1 };
    nodes.spacing = { 2. / cells, 2. / cells, 2. / cells };
    nodes.count = { cells + 1, cells + 1, cells + 1 };
    return nodes;
  }
  template <class Velocity>
  static std::shared_ptr<dem::FluidField> field(int cells, const Velocity& velocity)
  {
    auto f = std::make_shared<dem::FluidField>();
    f->nodes = grid(cells);
    f->times = { 0 };
    f->values = { values(f->nodes, velocity) };
    return f;
  }
  static Vec3d forceOn(dem::Simulation& sim, int grain = 0)
  {
    const dem::Frame f = sim.frame();
    return { f.fluid_force[3 * grain], f.fluid_force[3 * grain + 1], f.fluid_force[3 * grain + 2] };
  }
};

} // namespace

PARAGRAIN_ON_ALL_BACKENDS(Fluid);

TEST_P(Fluid, StokesTerminalVelocity)
{
  const double d = 2e-5;
  dem::Scene s = single(d);
  setSteps(s, 1e-6, 1000);
  dem::Simulation sim = simulate(s);
  const double expected = -(2500 - kWater) * 9.81 * d * d / (18 * kWaterViscosity);
  EXPECT_NEAR(velocityAfter(sim, 1000) / expected, 1, 2e-5);
  // and the way there, with the rate B / m
  dem::Simulation again = simulate(s);
  const double rate = 18 * kWaterViscosity / (2500 * d * d);
  EXPECT_NEAR(velocityAfter(again, 40) / (expected * (1 - std::exp(-rate * 40e-6))), 1, 0.02);
}

TEST_P(Fluid, SchillerNaumannTerminalVelocity)
{
  dem::Scene s = single(1e-3, dem::DragLaw::SchillerNaumann);
  setSteps(s, 1e-4, 10000);
  dem::Simulation sim = simulate(s);
  EXPECT_NEAR(velocityAfter(sim, 10000) / -0.14594554921597352, 1, 1e-4); // solved elsewhere
}

// A light grain rises, a grain of the fluid's density hangs, and a fluid at rest does nothing to
// it.
TEST_P(Fluid, Buoyancy)
{
  dem::Scene s = single(1e-4);
  setSteps(s, 1e-5, 100);
  s.materials[0].density = 500;
  dem::Simulation light = simulate(s);
  EXPECT_GT(velocityAfter(light, 100), 0);
  s.materials[0].density = kWater;
  dem::Simulation even = simulate(s);
  EXPECT_NEAR(velocityAfter(even, 100), 0, 1e-9);
  s.fluid.buoyancy = false;
  s.gravity = {};
  dem::Simulation rest = simulate(s);
  EXPECT_EQ(velocityAfter(rest, 100), 0);
}

// The work of the fluid closes the balance of the energies.
TEST_P(Fluid, WorkOfTheFluid)
{
  dem::Scene s = single(1e-3, dem::DragLaw::SchillerNaumann);
  s.fluid.velocity = { 0.3, 0, 0 };
  setSteps(s, 2e-5, 5000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(5000);
  const dem::Statistics t = sim.statistics();
  EXPECT_TRUE(t.has_fluid);
  EXPECT_NE(t.fluid_work, 0);
  EXPECT_LT(std::fabs(t.energy_error), 1e-3 * std::fabs(t.potential_energy));
}

// Pressure pushes the volume of a grain along its slope; a linear flow is interpolated exactly;
// lift has the direction and size of its law.
TEST_P(Fluid, FieldsInSpace)
{
  dem::Scene s = single(0.01, dem::DragLaw::Stokes);
  s.gravity = {};
  s.particles.position[0] = { 0.3, -0.2, 0.15 };
  setSteps(s, 1e-6, 10);
  const auto flow = [](const Vec3d& x) { return Vec3d{ 1 + 2 * x.y, 0.5 * x.z, -x.x }; };
  auto f = field(8, flow);
  for (int k = 0; k < 9; ++k)
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 9; ++i)
        f->values[0].pressure.push_back(100 * (i / 4. - 1) - 40 * (k / 4. - 1));
  s.fluid_field = f;
  dem::Simulation sim = simulate(s);
  const double stokes = 3 * M_PI * kWaterViscosity * 0.01, volume = M_PI / 6 * 1e-6;
  const Vec3d u = flow(s.particles.position[0]), got = forceOn(sim);
  EXPECT_NEAR(got.x, stokes * u.x - volume * 100, 1e-6 * stokes);
  EXPECT_NEAR(got.y, stokes * u.y, 1e-6 * stokes);
  EXPECT_NEAR(got.z, stokes * u.z + volume * 40, 1e-6 * stokes);

  f->values[0].pressure.clear();
  s.fluid.magnus_lift = s.fluid.saffman_lift = true;
  s.particles.angular_velocity = { { 0, 0, 50 } };
  dem::Simulation lifted = simulate(s);
  const Vec3d vorticity{ -0.5, 1, -2 };
  const double w = length(vorticity);
  const Vec3d turn = Vec3d{ 0, 0, 50 } - 0.5 * vorticity;
  const Vec3d expected = stokes * u + (M_PI / 8 * 1e-6 * kWater) * cross(u, turn) +
    (1.615 * 1e-4 * std::sqrt(kWater * kWaterViscosity / w)) * cross(u, vorticity);
  const Vec3d lift = forceOn(lifted);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(lift[k], expected[k], 1e-5 * length(expected)) << k;
}

// Viscous stress: mu times the Laplacian of a parabolic flow.
TEST_P(Fluid, ViscousStress)
{
  dem::Scene s = single(0.01);
  s.gravity = {};
  s.fluid.viscous_stress = true;
  s.particles.velocity = { { 0, 0, 0 } };
  setSteps(s, 1e-6, 10);
  s.fluid_field = field(8, [](const Vec3d& x) { return Vec3d{ 4 * x.z * x.z, 0, 0 }; });
  dem::Simulation sim = simulate(s);
  EXPECT_NEAR(forceOn(sim).x / (kWaterViscosity * 8 * M_PI / 6 * 1e-6), 1, 1e-5);
}

// Between two times the flow is linear in time; before and after it stays.
TEST_P(Fluid, FieldsInTime)
{
  dem::Scene s = single(1e-3);
  s.gravity = {};
  s.materials[0].density = 1e12; // it stays where it is
  const double dt = 1e-3;
  setSteps(s, dt, 1000);
  auto f = field(2, [](const Vec3d&) { return Vec3d{ 1, 0, 0 }; });
  f->times = { 0.1, 0.2, 0.6005 };
  f->values.push_back(values(f->nodes, [](const Vec3d&) { return Vec3d{ 3, 0, 0 }; }));
  f->values.push_back(values(f->nodes, [](const Vec3d&) { return Vec3d{ 0, 2, 0 }; }));
  s.fluid_field = f;
  dem::Simulation sim = simulate(s);
  const double stokes = 3 * M_PI * kWaterViscosity * 1e-3;
  const auto expect = [&](std::uint64_t step, double x, double y) {
    sim.advanceTo(step);
    const Vec3d force = forceOn(sim);
    EXPECT_NEAR(force.x / stokes, x, 1e-4) << step;
    EXPECT_NEAR(force.y / stokes, y, 1e-4) << step;
  };
  expect(0, 1, 0);
  expect(100, 1, 0);
  expect(150, 2, 0);
  expect(200, 3, 0);
  const double part = 200 / 400.5;
  expect(400, 3 * (1 - part), 2 * part);
  const dem::SnapshotBytes saved = sim.save();
  expect(601, 0, 2);
  expect(1000, 0, 2);
  sim.restore(saved);
  expect(400, 3 * (1 - part), 2 * part);
  expect(900, 0, 2);
}

// Outside of the grid, and between nodes that all have no fluid, there is no force; such grains are
// counted.
TEST_P(Fluid, OutsideOfTheFluid)
{
  dem::Scene s = single(1e-3);
  s.gravity = { 0, 0, -1 };
  s.domain.lower = { -10, -10, -10 };
  s.domain.upper = { 10, 10, 10 };
  addSphere(s, { 5, 0, 0 }, 5e-4);
  addSphere(s, { -0.9, -0.9, -0.9 }, 5e-4);
  setSteps(s, 1e-5, 10);
  auto f = field(4, [](const Vec3d&) { return Vec3d{ 1, 0, 0 }; });
  f->values[0].inside.assign(f->nodes.size(), 1);
  for (const int node : { 0, 1, 5, 6, 25, 26, 30, 31 })
  {
    f->values[0].inside[node] = 0;
    for (int c = 0; c < 3; ++c)
      f->values[0].velocity[3 * node + c] = NAN; // never read
  }
  s.fluid_field = f;
  dem::Simulation sim = simulate(s);
  EXPECT_EQ(sim.statistics().outside_fluid, 2u);
  EXPECT_GT(forceOn(sim, 0).x, 0);
  EXPECT_EQ(length(forceOn(sim, 1)), 0);
  EXPECT_EQ(length(forceOn(sim, 2)), 0);
}

// Void fraction of a simple cubic lattice, 1 - pi / 6: the drag of a grain in it is that of the
// law. On periodic axes the last cell is beside the first.
TEST_P(Fluid, VoidFractionOfTheGrains)
{
  dem::Scene s = emptyScene();
  s.fluid.model = dem::FluidModel::GivenField;
  s.fluid.velocity = { 0, 0, 0.5 };
  s.gravity = {};
  const double d = 0.01;
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        addSphere(s, { (i + 0.5) * d, (j + 0.5) * d, (k + 0.5) * d }, 0.5 * d * (1 - 1e-9));
  s.domain.limited = true;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 6 * d, 6 * d, 6 * d };
  s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Periodic };
  setSteps(s, 1e-6, 10);
  for (const double cell : { 2 * d, 1.5 * d, 0. })
    for (int law = 0; law < 4; ++law)
    {
      s.fluid.drag = static_cast<dem::DragLaw>(law);
      s.fluid.cell_size = cell;
      s.fluid.buoyancy = false;
      dem::Simulation sim = simulate(s);
      const double e = 1 - M_PI / 6;
      const double expected = 0.5 *
        dem::dragCoefficient(s.fluid.drag, { d, e, s.fluid.density, s.fluid.viscosity, 0.5 }) / e;
      if (cell == 1.5 * d)
        continue; // each cell has another fraction; it must only run
      for (const int grain : { 0, 43, 215 })
        EXPECT_NEAR(forceOn(sim, grain).z / expected, 1, 1e-5) << law << " " << grain;
    }
}

// A bed whose weight the flow carries: the sum of the forces on all grains is the pressure drop of
// the law times the area, here of Ergun.
TEST_P(Fluid, PressureDropOfABed)
{
  dem::Scene s = emptyScene();
  s.fluid.model = dem::FluidModel::GivenField;
  s.fluid.drag = dem::DragLaw::Gidaspow;
  s.gravity = {};
  s.fluid.buoyancy = false;
  const double d = 0.003;
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        addSphere(s, { (i + 0.5) * d, (j + 0.5) * d, (k + 0.5) * d }, 0.5 * d * (1 - 1e-9));
  s.domain.limited = true;
  s.domain.upper = { 6 * d, 6 * d, 6 * d };
  s.domain.lower = { 0, 0, 0 };
  s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Periodic };
  setSteps(s, 1e-6, 10);
  const double e = 1 - M_PI / 6, p = 1 - e, rho = 1.2, mu = 1.8e-5;
  for (const double superficial : { 0.002, 0.02, 0.2, 2. })
  {
    s.fluid.velocity = { 0, 0, superficial / e };
    dem::Simulation sim = simulate(s);
    const dem::Frame f = sim.frame();
    double sum = 0;
    for (std::size_t i = 0; i < f.size; ++i)
      sum += f.fluid_force[3 * i + 2];
    // Without a pressure in the flow the drag includes the pressure drop that it causes.
    const double drop = 150 * p * p * mu * superficial / (e * e * e * d * d) +
      1.75 * p * rho * superficial * superficial / (e * e * e * d);
    EXPECT_NEAR(sum / std::pow(6 * d, 3) / drop, 1, 1e-5) << superficial;
  }
}

TEST_P(Fluid, SameBits)
{
  dem::Scene s = busyScene();
  for (const dem::Shape& shape : s.shapes)
    ASSERT_EQ(shape.kind, dem::ShapeKind::Sphere);
  s.fluid.model = dem::FluidModel::GivenField;
  s.fluid.density = 50;
  s.fluid.velocity = { 0.2, 0, 1 };
  s.fluid.magnus_lift = true;
  auto flow = field(6, [](const Vec3d& x) { return Vec3d{ 0.2 + x.z, 0.1 * x.x, 1 }; });
  flow->times = { 0.003, 0.011 };
  flow->values.push_back(values(flow->nodes, [](const Vec3d& x) { return Vec3d{ x.y, 0, 2 }; }));
  s.fluid_field = flow;
  const dem::Frame f = sameBitsHowever(s, 3e-3, 3250); // cuts between two void fractions
  EXPECT_NE(f.statistics.fluid_work, 0);
}

// Steps that fall on a time of the field but for rounding: the run goes on.
TEST_P(Fluid, TimesOfTheFieldOnSteps)
{
  dem::Scene s = single(1e-3);
  s.gravity = {};
  s.materials[0].density = 1e9;
  auto f = field(2, [](const Vec3d&) { return Vec3d{ 1, 0, 0 }; });
  for (const int steps : { 3, 7, 15, 49, 103 })
  {
    f->times.clear();
    f->values.resize(1);
    for (int k = 0; k <= 6; ++k)
    {
      f->times.push_back(0.01 * k);
      if (k > 0)
        f->values.push_back(f->values[0]);
    }
    s.fluid_field = std::make_shared<dem::FluidField>(*f);
    s.time_step = 0.01 / steps;
    s.output_interval = 0.01;
    s.end_time = 0.06;
    dem::Simulation sim = simulate(s);
    sim.advanceTo(6 * steps);
    EXPECT_EQ(sim.step(), 6u * steps);
  }
}

// Beside nodes without fluid, as at walls, the other nodes count; a void fraction of 1 is exact
// enough for every law.
TEST_P(Fluid, NodesWithoutFluid)
{
  dem::Scene s = single(1e-3, dem::DragLaw::Beetstra);
  s.gravity = {};
  setSteps(s, 1e-6, 10);
  auto f = field(4, [](const Vec3d&) { return Vec3d{ 1, 0, 0 }; });
  f->values[0].void_fraction.assign(f->nodes.size(), 1);
  f->values[0].inside.assign(f->nodes.size(), 1);
  for (int node = 0; node < 25; ++node) // the lowest layer
    f->values[0].inside[node] = 0;
  s.fluid_field = f;
  s.particles = {};
  for (int k = 0; k < 200; ++k)
    addSphere(s, { -0.9 + 0.009 * k, 0.37 * std::sin(1.7 * k), -0.99 + 0.0093 * k }, 5e-4);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(3);
  EXPECT_EQ(sim.statistics().outside_fluid, 0u);
  const double wanted =
    dem::dragCoefficient(dem::DragLaw::Beetstra, { 1e-3, 1, kWater, kWaterViscosity, 1 });
  for (int k = 0; k < 200; ++k)
    EXPECT_NEAR(forceOn(sim, k).x / wanted, 1, 1e-2) << k;
}

TEST_P(Fluid, BadInput)
{
  dem::Scene s = single(1e-3);
  setSteps(s, 1e-5, 10);
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.fluid.density = 0; }),
    "FluidDensity is 0 kg/m^3; it must be above 0");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.fluid.viscosity = -1; }), "FluidViscosity");
  EXPECT_HOLDS(
    refusalOf(
      s, [](dem::Scene& x) { x.shapes.push_back(dem::makeTablet("Pill", 0.02, 0.02, 0.005)); }),
    "the drag laws are those of spheres");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.drag = dem::DragLaw::KochHill;
                   x.domain.limited = false;
                 }),
    "needs the void fraction around the grains");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.drag = dem::DragLaw::KochHill;
                   x.domain.limited = true;
                   x.fluid.cell_size = 5e-4;
                 }),
    "smaller than the largest grain");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.drag = dem::DragLaw::KochHill;
                   x.domain.limited = true;
                   x.domain.lower = { -1e3, -1e3, -1e3 };
                   x.domain.upper = { 1e3, 1e3, 1e3 };
                 }),
    "Make Domain smaller");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.interval = 1e-7;
                   x.fluid.drag = dem::DragLaw::Gidaspow;
                   x.domain.limited = true;
                   x.fluid.cell_size = 0.1;
                 }),
    "FluidInterval");
  auto f = field(2, [](const Vec3d&) { return Vec3d{ 1, 0, 0 }; });
  const auto broken = [&](auto change) {
    auto copy = std::make_shared<dem::FluidField>(*f);
    change(*copy);
    return refusalOf(s, [&](dem::Scene& x) { x.fluid_field = copy; });
  };
  EXPECT_HOLDS(broken([](dem::FluidField& x) { x.values[0].velocity.clear(); }), "no Velocity");
  EXPECT_HOLDS(broken([](dem::FluidField& x) { x.values[0].velocity[4] = NAN; }), "not finite");
  EXPECT_HOLDS(
    broken([](dem::FluidField& x) { x.values[0].density.assign(27, 0); }), "above 0 kg/m^3");
  EXPECT_HOLDS(broken([](dem::FluidField& x) { x.values[0].viscosity.assign(3, 1); }), "27");
  EXPECT_HOLDS(
    broken([](dem::FluidField& x) { x.values[0].void_fraction.assign(27, 1.5); }), "at most 1");
  EXPECT_HOLDS(broken([](dem::FluidField& x) { x.times = { 1, 1 }; }), "Fluid: each time");
  EXPECT_HOLDS(broken([](dem::FluidField& x) { x.nodes.count[1] = 1; }), "it is flat along y");
  EXPECT_HOLDS(refusalOf(s,
                 [&](dem::Scene& x) {
                   x.fluid_field = f;
                   x.fluid.model = dem::FluidModel::None;
                 }),
    "FluidCoupling is None");
  // a step that is too long for the drag
  dem::Scene fast = single(1e-5);
  setSteps(fast, 2e-5, 10);
  dem::Simulation sim = simulate(fast);
  EXPECT_HOLDS(errorOf([&] { sim.advanceTo(5); }), "overshoot the velocity of the fluid");
}
