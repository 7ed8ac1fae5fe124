// The computed flow: the solver without grains against solutions of others, the exchange with
// grains, beds, equal bits, and what is refused.
#include "BusyScene.h"

#include "Fluid/FluidField.h"
#include "Physics/Drag/DragLaws.cuh"
#include "Scene/SceneWarnings.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace
{

using namespace test;

class Flow : public BackendTest
{
protected:
  // A box of fluid without grains, periodic on the given axes.
  static dem::Scene box(const Vec3d& size, bool x, bool y, bool z)
  {
    dem::Scene s = emptyScene();
    s.domain.lower = {};
    s.domain.upper = size;
    const auto exit = [](
                        bool periodic) { return periodic ? dem::Exit::Periodic : dem::Exit::Wall; };
    s.domain.exit = { exit(x), exit(y), exit(z) };
    s.gravity = {};
    s.fluid.model = dem::FluidModel::VolumeAveraged;
    s.fluid.density = 1;
    s.fluid.border.fill(dem::FluidBorder::Wall);
    return s;
  }
  // The same between walls, with an inlet below and an outlet above.
  static dem::Scene channel(const Vec3d& size, double cell_size = 0)
  {
    dem::Scene s = box(size, false, false, false);
    s.fluid.border[4] = dem::FluidBorder::Inlet;
    s.fluid.border[5] = dem::FluidBorder::Outlet;
    s.fluid.cell_size = cell_size;
    return s;
  }
  // Grains of three sizes in a periodic box of fluid, without gravity. Both phases move.
  static dem::Scene periodicSuspension()
  {
    dem::Scene s = box({ 0.06, 0.06, 0.06 }, true, true, true);
    s.precision = GetParam().precision;
    s.fluid.density = 400;
    s.fluid.viscosity = 1e-3;
    s.fluid.velocity = { 0.3, -0.1, 0.2 };
    for (int i = 0; i < 250; ++i)
      addSphere(s,
        { 0.06 * std::fmod(0.7548776662 * i, 1.), 0.06 * std::fmod(0.5698402910 * i, 1.),
          0.06 * std::fmod(0.4301597090 * i, 1.) },
        0.001 + 0.0005 * (i % 3), { 0.1 * std::sin(i), 0.2, -0.1 * std::cos(i) });
    s.relax_initial_overlaps = true;
    setSteps(s, 2e-6, 4000);
    return s;
  }
  static double at(const dem::FluidImage& image, int i, int j, int k, int axis)
  {
    return image.velocity[3 *
        (static_cast<std::size_t>(i) +
          static_cast<std::size_t>(image.cells[0]) *
            (static_cast<std::size_t>(j) +
              static_cast<std::size_t>(image.cells[1]) * static_cast<std::size_t>(k))) +
      static_cast<std::size_t>(axis)];
  }
};

} // namespace

PARAGRAIN_ON_ALL_BACKENDS(Flow);

// Slow flow between two plates, driven by a force: a parabola.
TEST_P(Flow, Poiseuille)
{
  dem::Scene s = box({ 0.25, 0.25, 1 }, true, true, false);
  s.fluid.viscosity = 0.1;
  s.fluid.driving_force = { 0.8, 0, 0 }; // the peak is G h^2 / (8 mu) = 1
  s.fluid.cell_size = 1. / 16;
  setSteps(s, 2e-3, 2500);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(2500);
  const dem::FluidImage image = sim.frame().fluid;
  ASSERT_EQ(image.cells[2], 16);
  for (int k = 0; k < 16; ++k)
  {
    const double z = (k + 0.5) / 16;
    EXPECT_NEAR(at(image, 3, 3, k, 0), 4 * z * (1 - z), 6e-3) << k;
    EXPECT_NEAR(at(image, 3, 3, k, 2), 0, 1e-12);
  }
}

// Lid-driven cavity at Re 100 against table I of Ghia, Ghia, Shin, J. Comput. Phys. 48 (1982) 387:
// velocity along the lid on the vertical line through the middle.
TEST_P(Flow, LidDrivenCavity)
{
  dem::Scene s = box({ 1, 1. / 40, 1 }, false, true, false);
  s.fluid.viscosity = 0.01;
  s.fluid.boundary_velocity[5] = { 1, 0, 0 };
  s.fluid.cell_size = 1. / 40;
  s.fluid.tolerance = 1e-7;
  setSteps(s, 2e-3, 10000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(10000);
  const dem::FluidImage image = sim.frame().fluid;
  const double ghia[][2] = { { 0.0547, -0.03717 }, { 0.1016, -0.06434 }, { 0.1719, -0.10150 },
    { 0.2813, -0.15662 }, { 0.4531, -0.21090 }, { 0.5, -0.20581 }, { 0.6172, -0.13641 },
    { 0.7344, 0.00332 }, { 0.8516, 0.23151 }, { 0.9531, 0.68717 } };
  const int n = image.cells[2];
  ASSERT_EQ(n, 40);
  for (const auto& value : ghia)
  {
    const double place = value[0] * n - 0.5;
    const int k = static_cast<int>(std::floor(place));
    const double part = place - k;
    const auto middle = [&](int j) {
      return 0.5 * (at(image, n / 2 - 1, 0, j, 0) + at(image, n / 2, 0, j, 0));
    };
    EXPECT_NEAR((1 - part) * middle(k) + part * middle(k + 1), value[1], 0.015) << value[0];
  }
}

// Decaying vortices in a periodic box, which solve the equations (Taylor 1923): the error falls
// with the square of the cells.
TEST_P(Flow, TaylorGreen)
{
  constexpr double kLength = 1, kWave = 2 * M_PI / kLength, kViscosity = 0.01, kTime = 0.2;
  double error[2];
  for (int level = 0; level < 2; ++level)
  {
    const int n = level ? 64 : 32;
    dem::Scene s = box({ kLength, kLength, kLength / n }, true, true, true);
    s.fluid.viscosity = kViscosity;
    s.fluid.cell_size = kLength / n;
    const auto exact = [&](const Vec3d& x, double t) {
      const double decay = std::exp(-2 * kViscosity * kWave * kWave * t);
      return Vec3d{ decay * std::sin(kWave * x.x) * std::cos(kWave * x.y),
        -decay * std::cos(kWave * x.x) * std::sin(kWave * x.y), 0 };
    };
    auto field = std::make_shared<dem::FluidField>();
    field->nodes.origin = {};
    field->nodes.spacing = { 0.5 * kLength / n, 0.5 * kLength / n, kLength };
    field->nodes.count = { 2 * n + 1, 2 * n + 1, 2 };
    field->times = { 0 };
    dem::FluidValues values;
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j <= 2 * n; ++j)
        for (int i = 0; i <= 2 * n; ++i)
        {
          const Vec3d u = exact({ i * 0.5 * kLength / n, j * 0.5 * kLength / n, 0 }, 0);
          values.velocity.insert(values.velocity.end(), { u.x, u.y, u.z });
        }
    field->values = { values };
    s.fluid_field = field;
    const int steps = 8 * n;
    setSteps(s, kTime / steps, steps);
    s.fluid.interval = kTime / steps;
    dem::Simulation sim = simulate(s);
    sim.advanceTo(static_cast<std::uint64_t>(steps));
    const dem::FluidImage image = sim.frame().fluid;
    double sum = 0;
    // the flow is that at the end of its step, which began with this time step
    const double time = kTime + sim.statistics().fluid_step;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
      {
        const double h = kLength / n;
        const double expected = 0.5 *
          (exact({ i * h, (j + 0.5) * h, 0 }, time).x +
            exact({ (i + 1) * h, (j + 0.5) * h, 0 }, time).x);
        sum += std::pow(at(image, i, j, 0, 0) - expected, 2);
      }
    error[level] = std::sqrt(sum / (n * n));
  }
  EXPECT_LT(error[1], 1e-3);
  EXPECT_GT(std::log2(error[0] / error[1]), 1.8) << error[0] << " " << error[1];
}

// A grain that settles in slow flow, and one at larger Reynolds numbers; a light one rises. The
// cells are much larger than the grain, which would else feel the flow that it makes.
TEST_P(Flow, TerminalVelocity)
{
  struct Case
  {
    dem::DragLaw law;
    double diameter, density, expected, tolerance;
  };
  const double d = 2e-5, stokes = d * d * 9.81 / (18 * 1e-3);
  const Case cases[] = { { dem::DragLaw::Stokes, d, 2500, -1500 * stokes, 2e-3 },
    { dem::DragLaw::SchillerNaumann, 1e-3, 2500, -0.14594554921597352, 1e-2 }, // solved elsewhere
    { dem::DragLaw::Stokes, d, 700, 300 * stokes, 2e-3 } };
  for (const Case& c : cases)
  {
    const double size = 500 * c.diameter;
    dem::Scene s = box({ size, size, size }, false, false, false);
    s.gravity = { 0, 0, -9.81 };
    s.fluid.density = 1000;
    s.fluid.viscosity = 1e-3;
    s.fluid.drag = c.law;
    s.fluid.cell_size = size / 5;
    s.materials[0].density = c.density;
    s.materials[0].youngs_modulus = 1; // it touches nothing, so steps may be long
    addSphere(s, { 0.5 * size, 0.5 * size, 0.7 * size }, 0.5 * c.diameter);
    const double dt = c.diameter < 1e-4 ? 1e-6 : 1e-4;
    setSteps(s, dt, 4000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(c.diameter < 1e-4 ? 1500 : 3500);
    EXPECT_NEAR(sim.frame().velocity[2] / c.expected, 1, c.tolerance) << c.density;
  }
}

// In a periodic box without gravity, fluid and grains only exchange momentum.
TEST_P(Flow, MomentumOfBothPhases)
{
  dem::Scene s = periodicSuspension();
  for (const dem::FluidEquations equations :
    { dem::FluidEquations::ModelA, dem::FluidEquations::ModelB })
  {
    s.fluid.equations = equations;
    dem::Simulation sim = simulate(s);
    // at the first exchange the flow is already that of the next one
    const Vec3d start{ sim.statistics().fluid_momentum + sim.statistics().fluid_impulse };
    sim.advanceTo(1500);
    const dem::Statistics end = sim.statistics();
    const Vec3d sum = end.fluid_momentum + end.fluid_impulse;
    EXPECT_GT(length(end.fluid_impulse), 1e-4);
    EXPECT_LT(length(sum - start), 1e-12 * length(end.fluid_impulse)) << length(sum - start);
  }
}

// Between two exchanges the grains get what the fluid lost in the step of the flow before: their
// momentum at an exchange is the impulse of all steps but the last two.
TEST_P(Flow, GrainsGetWhatTheFluidLost)
{
  dem::Scene s = periodicSuspension();
  dem::Simulation sim = simulate(s);
  const auto momentum = [](const dem::Frame& f) {
    Vec3d sum{};
    for (std::size_t i = 0; i < f.size; ++i)
      for (int k = 0; k < 3; ++k)
        sum[k] += double(f.mass[i]) * f.velocity[3 * i + k];
    return sum;
  };
  const Vec3d start = momentum(sim.frame());
  std::vector<Vec3d> impulses{ {}, sim.statistics().fluid_impulse }; // after each exchange
  std::vector<double> steps;                                         // between two exchanges
  for (std::uint64_t step = 1; step <= 700; ++step)
  {
    sim.advanceTo(step);
    const dem::Frame f = sim.frame();
    if (f.statistics.fluid_impulse == impulses.back())
      continue;
    Vec3d half{}; // the last kick is half done
    for (std::size_t i = 0; i < f.size; ++i)
      for (int k = 0; k < 3; ++k)
        half[k] += 0.5 * s.time_step * f.fluid_force[3 * i + k];
    const Vec3d got = momentum(f) - start - half, lost = impulses[impulses.size() - 2];
    EXPECT_LT(length(got - lost), 1e-6 * length(start) + 1e-4 * length(lost)) << step;
    impulses.push_back(f.statistics.fluid_impulse);
    steps.push_back(f.statistics.fluid_step / s.time_step);
  }
  ASSERT_GT(steps.size(), 5u);
  for (std::size_t k = 1; k < steps.size(); ++k)
    EXPECT_LT(steps[k], 2.001 * steps[k - 1]);
  EXPECT_GT(steps.back(), 4 * steps.front()); // so impulses are given in other times than lost
  EXPECT_GT(length(impulses.back()), 1e-3 * length(start));
}

// A dense bed of fine grains in gas, whose drag limits the step of the flow: grains that move
// against each other press the gas through the bed, and come to rest.
TEST_P(Flow, DenseBedOfFineGrains)
{
  constexpr double kRadius = 5e-5, kHalf = 1.525 * kRadius; // half the edge of an fcc cell
  constexpr int kAcross = 8, kAlong = 32;
  dem::Scene s = box({ kAcross * kHalf, kAcross * kHalf, kAlong * kHalf }, true, true, false);
  s.domain.exit[2] = dem::Exit::Remove; // no contacts with the ends
  s.fluid.border.fill(dem::FluidBorder::Slip);
  s.fluid.cell_size = 4 * kHalf;
  s.fluid.density = 1.2;
  s.fluid.viscosity = 1.8e-5;
  s.materials.front().density = 100;
  double before = 0;
  for (int k = 0; k < kAlong; ++k)
    for (int j = 0; j < kAcross; ++j)
      for (int i = (j + k) % 2; i < kAcross; i += 2)
      {
        const double v = 5e-3 * std::sin(2 * std::acos(-1.) * (k + 0.5) / kAlong);
        addSphere(
          s, { (i + 0.5) * kHalf, (j + 0.5) * kHalf, (k + 0.5) * kHalf }, kRadius, { 0, 0, v });
        before += v * v;
      }
  setSteps(s, 5e-7, 12000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(12000);
  const dem::Frame f = sim.frame();
  EXPECT_LT(f.statistics.fluid_step, 250 * s.time_step); // not the limit of steps
  double voids = 0, after = 0;
  for (const double e : f.fluid.void_fraction)
    voids += e / static_cast<double>(f.fluid.void_fraction.size());
  EXPECT_LT(voids, 0.42);
  for (std::size_t i = 0; i < f.size; ++i)
    for (int k = 0; k < 3; ++k)
      after += f.velocity[3 * i + k] * f.velocity[3 * i + k];
  EXPECT_LT(after, 1e-4 * before) << voids << " " << f.statistics.fluid_step / s.time_step;
}

// A suspension that moves as a whole keeps its velocity, to the accuracy of the cells: grains cross
// several of them.
TEST_P(Flow, MovingSuspension)
{
  dem::Scene s = box({ 0.06, 0.06, 0.06 }, true, true, true);
  s.fluid.density = 100;
  s.fluid.viscosity = 1e-3;
  s.fluid.velocity = { 0.3, 0.2, 0.1 };
  for (int i = 0; i < 200; ++i)
    addSphere(s,
      { 0.06 * std::fmod(0.7548776662 * i, 1.), 0.06 * std::fmod(0.5698402910 * i, 1.),
        0.06 * std::fmod(0.4301597090 * i, 1.) },
      0.001, s.fluid.velocity);
  s.relax_initial_overlaps = true;
  s.fluid.cell_size = 0.006;
  setSteps(s, 1e-5, 10000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(10000); // 0.1 s: 30 mm
  const dem::Frame f = sim.frame();
  double worst = 0;
  for (std::size_t i = 0; i < f.size; ++i)
    worst = std::max(worst,
      length(Vec3d{ f.velocity[3 * i], f.velocity[3 * i + 1], f.velocity[3 * i + 2] } -
        s.fluid.velocity));
  EXPECT_LT(worst, 0.01 * length(s.fluid.velocity)) << worst;
}

// A bed at rest: the pressure drop is that of the law, over three decades of Reynolds number.
TEST_P(Flow, PressureDropOfABed)
{
  const double d = 0.003, e = 1 - M_PI / 6, rho = 1.2, mu = 1.8e-5;
  dem::Scene s = box({ 6 * d, 6 * d, 12 * d }, true, true, false);
  s.fluid.density = rho;
  s.fluid.viscosity = mu;
  s.fluid.border[4] = dem::FluidBorder::Inlet;
  s.fluid.border[5] = dem::FluidBorder::Outlet;
  s.materials[0].density = 1e9; // they stay where they are
  s.materials[0].youngs_modulus = 1e13;
  for (int k = 0; k < 12; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        addSphere(s, { (i + 0.5) * d, (j + 0.5) * d, (k + 0.5) * d }, 0.5 * d * (1 - 1e-9));
  s.fluid.cell_size = 2 * d;
  for (int law = 0; law < 6; ++law)
    for (const double superficial : { 0.002, 0.02, 0.2, 2. })
    {
      s.fluid.drag = static_cast<dem::DragLaw>(law);
      s.fluid.inlet_velocity = superficial;
      setSteps(s, 1e-5 * std::min(1., 0.1 / superficial), 2000);
      dem::Simulation sim = simulate(s);
      sim.advanceTo(2000);
      const double u = superficial / e;
      const double drag = dem::dragCoefficient(s.fluid.drag, { d, e, rho, mu, u }) * u;
      const double expected = drag / e / (d * d * d) * 12 * d;
      EXPECT_NEAR(sim.statistics().fluid_pressure_drop / expected, 1, 1e-2)
        << law << " " << superficial;
      if (s.fluid.drag != dem::DragLaw::Gidaspow)
        continue;
      const double ergun = 12 * d *
        (150 * (1 - e) * (1 - e) * mu * superficial / (e * e * e * d * d) +
          1.75 * (1 - e) * rho * superficial * superficial / (e * e * e * d));
      EXPECT_NEAR(sim.statistics().fluid_pressure_drop / ergun, 1, 1e-2) << superficial;
    }
}

// A fluid at rest with grains at rest stays at rest.
TEST_P(Flow, Rest)
{
  dem::Scene s = box({ 0.04, 0.04, 0.04 }, false, true, false);
  s.fluid.border[5] = dem::FluidBorder::Outlet;
  s.materials[0].density = 1e9;
  for (int i = 0; i < 40; ++i)
    addSphere(s,
      { 0.002 + 0.036 * std::fmod(0.7548776662 * i, 1.), 0.04 * std::fmod(0.5698402910 * i, 1.),
        0.002 + 0.9e-3 * i },
      0.001);
  setSteps(s, 1e-5, 300);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(300);
  const dem::Frame f = sim.frame();
  for (std::size_t i = 0; i < f.fluid.velocity.size(); ++i)
    EXPECT_EQ(f.fluid.velocity[i], 0);
  EXPECT_EQ(f.statistics.fluid_pressure_drop, 0);
}

TEST_P(Flow, SameBits)
{
  dem::Scene s = busyScene();
  for (dem::Wall& wall : s.walls)
    wall.motion = {};
  s.fluid.model = dem::FluidModel::VolumeAveraged;
  s.fluid.density = 50;
  s.fluid.viscosity = 1e-3;
  s.fluid.border[4] = dem::FluidBorder::Slip;
  s.fluid.border[5] = dem::FluidBorder::Outlet;
  s.fluid.inlets = { 1, 0.01, 0.02, 0.05, 0.06, 0.4 }; // above the floor
  s.fluid.inlet_ramp = 0.004;
  s.fluid.driving_force = { 300, 0, 200 };
  const dem::Frame f = sameBitsHowever(s, 3e-3, 3250); // cuts between two exchanges
  EXPECT_NE(f.statistics.fluid_work, 0);
  EXPECT_GT(f.statistics.fluid_rounds, 0u);
}

// Walls close faces: a plate with a hole, as triangles, lets the flow through the hole only.
TEST_P(Flow, WallsWithAHole)
{
  dem::Scene s = channel({ 0.4, 0.4, 0.8 });
  s.fluid.viscosity = 0.05;
  s.fluid.cell_size = 0.05;
  dem::Wall plate;
  plate.name = "Plate";
  plate.kind = dem::WallKind::Mesh;
  const auto quad = [&](double x0, double y0, double x1, double y1) {
    const auto first = static_cast<std::uint32_t>(plate.points.size());
    for (const Vec3d& x : { Vec3d{ x0, y0, 0.42 }, Vec3d{ x1, y0, 0.42 }, Vec3d{ x1, y1, 0.42 },
           Vec3d{ x0, y1, 0.42 } })
      plate.points.push_back(x);
    plate.triangles.push_back({ first, first + 1, first + 2 });
    plate.triangles.push_back({ first, first + 2, first + 3 });
  };
  quad(0, 0, 0.4, 0.1);
  quad(0, 0.3, 0.4, 0.4);
  quad(0, 0.1, 0.1, 0.3);
  quad(0.3, 0.1, 0.4, 0.3);
  s.walls.push_back(plate);
  setSteps(s, 1e-3, 1500);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(1500);
  const dem::FluidImage image = sim.frame().fluid;
  ASSERT_EQ(image.cells[2], 16);
  double through = 0;
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 8; ++i)
    {
      const double u = at(image, i, j, 8, 2); // its lower face is in the plate
      const bool hole = i >= 2 && i < 6 && j >= 2 && j < 6;
      if (hole)
        EXPECT_GT(u, 1.5) << i << " " << j;
      else
        EXPECT_LT(std::fabs(u), 1.5);
      through += at(image, i, j, 15, 2) / 64;
    }
  EXPECT_NEAR(through, 1, 1e-6); // what enters leaves
}

// A permeable plate, which may move, has no effect on the flow and carries a grain; a solid one
// closes the channel.
TEST_P(Flow, PermeableWalls)
{
  dem::Scene s = channel({ 0.04, 0.04, 0.08 }, 0.01);
  s.gravity = { 0, 0, -9.81 };
  s.fluid.inlet_velocity = 0.1;
  setSteps(s, 1e-5, 2000);
  const auto run = [this](const dem::Scene& scene) {
    dem::Simulation sim = simulate(scene);
    sim.advanceTo(2000);
    return sim.frame();
  };
  const dem::Frame free = run(s);
  dem::Wall plate;
  plate.name = "Screen";
  plate.kind = dem::WallKind::Rectangle;
  plate.origin = { 0, 0, 0.03 };
  plate.edge_u = { 0.04, 0, 0 };
  plate.edge_v = { 0, 0.04, 0 };
  plate.permeable = true;
  s.walls.push_back(plate);
  const dem::Frame screened = run(s);
  s.walls[0].motion.kind = dem::MotionKind::Translation;
  s.walls[0].motion.velocity = { 0, 0, 0.1 };
  const dem::Frame moving = run(s);
  for (const dem::Frame* f : { &screened, &moving })
    for (std::size_t i = 0; i < free.fluid.velocity.size(); ++i)
      ASSERT_EQ(f->fluid.velocity[i], free.fluid.velocity[i]) << i;
  addSphere(s, { 0.02, 0.02, 0.0311 }, 0.001);
  EXPECT_NEAR(run(s).position[2], 0.031 + 0.1 * 0.02, 5e-4); // it bounces
  s.walls[0].motion = {};
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.walls[0].permeable = false; }), "cannot leave");
}

// Flow in a tube whose wall is stairs of cells: as in a round tube of nearly the same size.
TEST_P(Flow, TubeOfStairs)
{
  constexpr double kRadius = 0.4, kMu = 0.1, kForce = 1;
  dem::Scene s = box({ 1, 1, 0.2 }, false, false, true);
  s.fluid.viscosity = kMu;
  s.fluid.driving_force = { 0, 0, kForce };
  s.fluid.cell_size = 0.05; // 16 cells across
  dem::Wall tube;
  tube.name = "Tube";
  tube.kind = dem::WallKind::Cylinder;
  tube.origin = { 0.5, 0.5, -0.1 };
  tube.end = { 0.5, 0.5, 0.3 };
  tube.radius = kRadius;
  s.walls.push_back(tube);
  setSteps(s, 2e-3, 1000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(1000);
  const dem::FluidImage image = sim.frame().fluid;
  double flow = 0;
  for (int j = 0; j < 20; ++j)
    for (int i = 0; i < 20; ++i)
    {
      const double x = (i + 0.5) / 20 - 0.5, y = (j + 0.5) / 20 - 0.5;
      if (x * x + y * y < kRadius * kRadius)
        flow += at(image, i, j, 1, 2) / 400;
    }
  const double exact = M_PI * std::pow(kRadius, 4) * kForce / (8 * kMu);
  EXPECT_NEAR(flow / exact, 1.06, 0.03) << "what the stairs cost";
}

// A wall at 45 degrees through the middles of cells is closed: the corner behind it, without inlet
// and outlet, has no fluid.
TEST_P(Flow, InclinedWall)
{
  dem::Scene s = box({ 0.4, 0.05, 0.4 }, false, true, false);
  s.fluid.border[4] = dem::FluidBorder::Inlet;
  s.fluid.border[1] = dem::FluidBorder::Outlet;
  s.fluid.cell_size = 0.05;
  s.fluid.viscosity = 0.05;
  s.fluid.velocity = { 0.1, 0, 0.2 };
  const double part = std::sqrt(0.5);
  s.walls.push_back(planeWall({ 0, 0, 0 }, { part, 0, -part })); // z = x
  setSteps(s, 1e-3, 300);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(300);
  const dem::FluidImage image = sim.frame().fluid;
  int without = 0;
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < 8; ++i)
    {
      const bool has = image.void_fraction[static_cast<std::size_t>(i + 8 * k)] > 0;
      without += !has;
      if (k != i)
        EXPECT_EQ(has, k < i) << i << " " << k;
      if (!has)
        for (int c = 0; c < 3; ++c)
          EXPECT_EQ(at(image, i, 0, k, c), 0);
    }
  EXPECT_GE(without, 28);
}

// In a closed box a driving force is balanced by the pressure, also beside the walls; grains at
// rest feel nothing.
TEST_P(Flow, DrivingForceInAClosedBox)
{
  dem::Scene s = box({ 0.04, 0.04, 0.08 }, false, true, false);
  s.fluid.driving_force = { 0, 0, 100 };
  s.materials[0].density = 1e9;
  for (int k = 0; k < 9; ++k)
    addSphere(s, { 0.02, 0.02, 0.004 + 0.009 * k }, 0.003);
  s.fluid.cell_size = 0.01;
  setSteps(s, 1e-4, 50);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(50);
  const dem::Frame f = sim.frame();
  const double volume = 4. / 3 * M_PI * std::pow(0.003, 3);
  for (std::size_t i = 0; i < f.size; ++i)
    EXPECT_LT(std::fabs(f.fluid_force[3 * i + 2]), 1e-3 * 100 * volume) << i;
}

// The mean of a parabolic inlet is its velocity, however few faces it has.
TEST_P(Flow, ParabolicInlets)
{
  for (const double width : { 0.05, 0.1, 0.13 })
  {
    dem::Scene s = box({ 0.4, 0.4, 0.4 }, false, false, false);
    s.fluid.border[5] = dem::FluidBorder::Outlet;
    s.fluid.inlet_profile = dem::InletProfile::Parabolic;
    s.fluid.inlets = { 4, 0.16, 0.2, 0.16 + width, 0.2 + width, 2 };
    s.fluid.cell_size = 0.05;
    s.fluid.viscosity = 0.05;
    setSteps(s, 1e-3, 100);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(100);
    const dem::FluidImage image = sim.frame().fluid;
    double out = 0;
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 8; ++i)
        out += at(image, i, j, 7, 2) * 0.05 * 0.05;
    EXPECT_NEAR(out / (2 * width * width), 1, 1e-3) << width;
  }
}

// A state whose impulses cannot be, or of a format without them, is refused and changes nothing.
TEST_P(Flow, BrokenStates)
{
  dem::Simulation sim = simulate(periodicSuspension());
  sim.advanceTo(150);
  const dem::SnapshotBytes saved = sim.save();
  const double force = sim.frame().fluid_force[0];
  dem::SnapshotBytes broken = saved;
  const double nan = std::nan("");
  std::memcpy(broken.data() + broken.size() - sizeof nan, &nan, sizeof nan); // the last impulse
  EXPECT_MENTIONS(errorOf([&] { sim.restore(broken); }), "an impulse of the fluid is not finite");
  broken = saved;
  broken[4] = 10; // the format
  EXPECT_MENTIONS(errorOf([&] { sim.restore(broken); }), "Start the run again");
  EXPECT_EQ(sim.frame().fluid_force[0], force);
  EXPECT_NE(force, 0);
  sim.restore(saved);
  EXPECT_EQ(sim.frame().fluid_force[0], force);
}

// What a frame shows just after a restore in the middle of a step of the flow.
TEST_P(Flow, FramesAfterARestore)
{
  dem::Scene s = channel({ 0.04, 0.04, 0.1 });
  s.fluid.inlet_ramp = 1;
  s.gravity = { 0, 0, -9.81 };
  for (int i = 0; i < 60; ++i)
    addSphere(
      s, { 0.005 + 0.01 * (i % 4), 0.005 + 0.01 * (i / 4 % 4), 0.005 + 0.01 * (i / 16) }, 0.004);
  s.events = { { 2e-3, "InletFactor", { 3 } } };
  setSteps(s, 1e-5, 1000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(150);
  const dem::Frame before = sim.frame();
  const dem::SnapshotBytes saved = sim.save();
  sim.advanceTo(800);
  EXPECT_NE(sim.frame().statistics.fluid_pressure_drop, before.statistics.fluid_pressure_drop);
  sim.restore(saved);
  EXPECT_SAME_BITS(before, sim.frame());
  dem::Simulation other = simulate(s);
  other.restore(saved);
  EXPECT_SAME_BITS(before, other.frame());
}

// A fluid given in time is the start of a computed flow only, which the user is told.
TEST_P(Flow, WarnsOfAFluidInTime)
{
  dem::Scene s = channel({ 1, 1, 1 }, 0.2);
  setSteps(s, 1e-3, 100);
  auto field = std::make_shared<dem::FluidField>();
  field->nodes.count = { 2, 2, 2 };
  field->times = { 0.5, 1 };
  field->values.resize(2);
  for (dem::FluidValues& values : field->values)
    values.velocity.assign(24, 0.);
  addSphere(s, { 0.5, 0.5, 0.5 }, 0.05);
  s.fluid_field = field;
  const auto count = [&] {
    const std::vector<std::string> all = dem::sceneWarnings(s);
    return std::count_if(all.begin(), all.end(), [](const std::string& text) {
      return text.find("starts with the velocities of the first, 0.5 s") != std::string::npos;
    });
  };
  EXPECT_EQ(count(), 1);
  field->times.resize(1);
  field->values.resize(1);
  EXPECT_EQ(count(), 0);
}

TEST_P(Flow, BadInput)
{
  dem::Scene s = channel({ 0.1, 0.1, 0.1 });
  addSphere(s, { 0.05, 0.05, 0.05 }, 0.004);
  setSteps(s, 1e-5, 1000);
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.domain.limited = false; }), "limited domain");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.particles = {}; }), "Give it in m");
  EXPECT_HOLDS(
    refusalOf(s, [](dem::Scene& x) { x.fluid.border[5] = dem::FluidBorder::Wall; }), "an Outlet");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.inlets = { 4, 0, 0, 1, 1 };
                 }),
    "each inlet");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.inlets = { 6, 0, 0, 1, 1, 1 };
                 }),
    "sides are 0 to 5");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.inlets = { 4, 0, 0, 0, 1, 1 };
                 }),
    "has no area");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.inlets = { 4, 1, 1, 2, 2, 1 };
                 }),
    "does not lie on");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.fluid.tolerance = 0; }), "FluidTolerance");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.fluid.cell_size = 0.004; }), "largest grain");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.fluid.magnus_lift = true; }), "Given Field");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.walls.push_back(planeWall({ 0, 0, 0.01 }, { 0, 0, 1 }));
                   x.walls[0].name = "Piston";
                   x.walls[0].motion.kind = dem::MotionKind::Translation;
                   x.walls[0].motion.velocity = { 0, 0, 0.1 };
                 }),
    "('Piston') moves");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) { // a plane between inlet and outlet
                   x.walls.push_back(planeWall({ 0, 0, 0.02 }, { 0, 0, 1 }));
                 }),
    "cannot leave");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) { // a plate over the inlet
                   x.walls.push_back(planeWall({ 0, 0, 0.004 }, { 0, 0, 1 }));
                   x.walls[0].name = "Plate";
                 }),
    "('Plate') lies less than half a cell from an inlet");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.fluid.viscosity = 10;
                   x.fluid.interval = 1e-4;
                 }),
    "too long for the viscosity");
  s.fluid.interval = 5e-3;
  s.fluid.inlet_velocity = 20;
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene&) {}), "cells in a step of the flow");
}
