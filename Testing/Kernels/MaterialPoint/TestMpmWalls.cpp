// Walls of the Material Point Method: sheets between the nodes, normals of analytic walls,
// rotating walls, both devices.
#include "MpmSupport.h"

#include "MaterialPoint/MpmWalls.h"

#include <chrono>
#include <cstdio>

namespace
{

using namespace test;
using mpm::Scene;

class MpmWalls : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(MpmWalls);

dem::Wall sheet(double z) { return sheetWall(-5, 9, -5, 5, z); }

// A slice four cells thick between smooth borders, on a sheet that lies `part` of a cell above a
// layer of nodes.
Scene slice(double spacing, double part, double z, const mpm::WallContact& contact)
{
  Scene s = softScene(spacing);
  s.domain.upper.y = 4 * spacing;
  s.walls = { sheet(z + part * spacing) };
  s.wall_contacts = { contact };
  return s;
}

void fillAbove(Scene& s, const Vec3d& lower, const Vec3d& upper, double up, double jitter = 0)
{
  s.points = mpm::fillBox(lower, upper, s.grid_spacing, 2, jitter, 1);
  for (Vec3d& p : s.points.position)
    p.z += up;
}

// Sinking and sliding of a block, and how sand runs out, do not depend on where a sheet lies
// between two layers of nodes. Nodes below the sheet are held, so what lies in the rest of the cell
// bears up to 0.75 / (0.75 - N(part)) times the pressure (N the quadratic spline of the node above:
// 12 times at 0.75). The lowest points stand a quarter of a cell above the sheet, and where they
// stand too high to press against held nodes, they sink until they do.
TEST_P(MpmWalls, FloorsBetweenNodesHoldAsThoseOnThem)
{
  const double h = 1. / 16;
  for (bool sand : { false, true })
  {
    double on_nodes = 0;
    for (double part : { 0., 0.25, 0.5, 0.75 })
    {
      SCOPED_TRACE((sand ? "sand at rest, " : "block at rest, ") + std::to_string(part));
      Scene s = slice(h, part, 4 * h, {});
      s.gravity = { 0, 0, -10 };
      s.transfer = mpm::Transfer::PIC; // comes to rest
      s.domain.upper.x = sand ? 4 * h : 1;
      if (sand)
      {
        s.materials[0].kind = mpm::MaterialKind::DruckerPrager;
        s.materials[0].friction_angle = 0.54;
      }
      fillAbove(
        s, { sand ? 0 : 4 * h, 0, 4 * h }, { sand ? 4 * h : 12 * h, 4 * h, 8 * h }, part * h);
      auto run = simulate(s);
      run.advanceTo(60 * run.plan().steps_per_output);
      const mpm::Frame f = run.frame();
      ASSERT_EQ(f.size, s.points.size());
      double sunk = 0, low = 9;
      for (std::size_t i = 0; i < f.size; ++i)
      {
        sunk += (s.points.position[i].z - f.position[3 * i + 2]) / static_cast<double>(f.size);
        low = std::min(low, f.position[3 * i + 2] - 4 * h - part * h);
      }
      const double pressure = 1000 * 10 * 4 * h, stiffness = 1e5 * 0.7 / (1.3 * 0.4),
                   n = part < 0.5 ? 0.5 * (part + 0.5) * (part + 0.5)
                                  : 0.75 - (1 - part) * (1 - part);
      if (part == 0)
        on_nodes = sunk;
      EXPECT_LT(sunk - on_nodes, 0.125 * h); // half of their way
      EXPECT_GT(sunk - on_nodes, -0.02 * h);
      EXPECT_GT(low, 0);
      EXPECT_GT(f.statistics.smallest_jacobian, 1 - 0.75 / (0.75 - n) * pressure / stiffness);
    }
  }
}

TEST_P(MpmWalls, FloorsBetweenNodesSlideAsPlanes)
{
  const double h = 1. / 16;
  for (double mu : { 0., 0.3, 0.6 })
    for (double part : { 0.25, 0.5, 0.75 })
    {
      SCOPED_TRACE("sliding against " + std::to_string(mu) + ", " + std::to_string(part));
      const double angle = 0.35, g = 10;
      const auto slides = [&](bool plane) {
        Scene s = slice(h, part, 4 * h, { mpm::Contact::Separate, mu });
        if (plane)
        {
          s.walls[0] = planeWall({ 0, 0, (4 + part) * h }, { 0, 0, 1 });
        }
        s.materials[0].youngs_modulus = 1e6;
        s.domain.upper.x = 3;
        s.gravity = { g * std::sin(angle), 0, -g * std::cos(angle) };
        fillAbove(s, { 4 * h, 0, 4 * h }, { 12 * h, 4 * h, 8 * h }, part * h);
        auto run = simulate(s);
        run.advanceTo(40 * run.plan().steps_per_output);
        const mpm::Statistics st = run.statistics();
        return st.momentum[0] / st.mass;
      };
      const double fast = g * std::sin(angle) * 0.4, on_sheet = slides(false);
      EXPECT_NEAR(on_sheet, std::max(0., g * (std::sin(angle) - mu * std::cos(angle)) * 0.4),
        (mu > 0 ? 0.05 : 1e-3) * fast);
      EXPECT_NEAR(on_sheet, slides(true), (mixed() ? 2e-3 : 1e-3) * fast);
    }
}

// A column of sand as high as wide: its run-out and the height of its centre.
TEST_P(MpmWalls, ColumnsRunOutOnFloorsBetweenNodes)
{
  double runout_on_nodes = 0, height_on_nodes = 0;
  for (double part : { 0., 0.25, 0.5, 0.75, 0.9 })
  {
    SCOPED_TRACE("column, " + std::to_string(part));
    const double wide = 0.08, cell = wide / 10, angle = 0.54, g = 9.81;
    Scene s = slice(cell, part, 0, { mpm::Contact::Separate, std::tan(angle) });
    s.gravity = { 0, 0, -g };
    s.cfl = 0.6;
    mpm::Material& m = s.materials[0];
    m.kind = mpm::MaterialKind::DruckerPrager;
    m.density = 1600;
    m.friction_angle = angle;
    m.poissons_ratio = 0.2;
    m.grain_diameter = 1e-3;
    s.domain.lower = { 0, 0, -2 * cell };
    s.domain.upper = { 5 * wide, 2 * cell, wide + 4 * cell };
    fillAbove(s, { 0, 0, 0 }, { wide, 2 * cell, wide }, part * cell, 0.3);
    s.output_interval = 0.05 * std::sqrt(wide / g);
    auto run = simulate(s);
    run.advanceTo(90 * run.plan().steps_per_output);
    const mpm::Frame f = run.frame();
    ASSERT_EQ(f.size, s.points.size());
    std::vector<double> far;
    double height = 0;
    for (std::size_t i = 0; i < f.size; ++i)
    {
      far.push_back(f.position[3 * i]);
      height += (f.position[3 * i + 2] - part * cell) / static_cast<double>(f.size);
      ASSERT_GT(f.position[3 * i + 2], part * cell);
    }
    std::sort(far.begin(), far.end());
    const double edge = far[far.size() * 98 / 100]; // where 2 % of the sand lie beyond
    if (part == 0)
    {
      runout_on_nodes = edge;
      height_on_nodes = height;
    }
    // the effective floor is somewhere in the cell
    EXPECT_NEAR(edge, runout_on_nodes, cell);
    EXPECT_NEAR(height, height_on_nodes, 0.5 * cell);
    RecordProperty("Column" + std::to_string(static_cast<int>(100 * part)),
      std::to_string(edge / wide) + " " + std::to_string(height / cell));
  }
}

// A block that is thrown at a sheet is put back by it point for point, and springs back with no
// more energy than it came with.
TEST_P(MpmWalls, BlocksGainNoEnergyOnASheet)
{
  const double h = 1. / 16;
  for (const bool implicit : { false, true })
    for (const mpm::Transfer transfer : { mpm::Transfer::APIC, mpm::Transfer::FLIP })
      for (double part : { 0.75, 0.85, 0.95, 0.98 })
      {
        SCOPED_TRACE(std::string(mpm::name(transfer)) +
          (implicit ? ", implicit, " : ", explicit, ") + std::to_string(part));
        Scene s = slice(h, part, 4 * h, {});
        s.transfer = transfer;
        s.output_interval = 0.005;
        if (implicit)
        {
          s.integration = mpm::TimeIntegration::ImplicitMidpoint;
          s.time_step = 0.005; // 0.93 of the explicit limit
        }
        fillAbove(s, { 6 * h, 0, 5 * h }, { 10 * h, 4 * h, 9 * h }, part * h);
        setVelocity(s, [](const Vec3d&) { return Vec3d{ 0, 0, -1 }; });
        auto run = simulate(s);
        const auto energy = [&] {
          return run.statistics().kinetic_energy + run.statistics().affine_energy +
            run.statistics().elastic_energy;
        };
        const double start = energy();
        double most = 0;
        for (int k = 0; k < 50; ++k)
        {
          run.advanceTo(run.step() + run.plan().steps_per_output);
          most = std::max(most, energy());
        }
        EXPECT_LT(most, start * 1.002);
        EXPECT_GT(run.statistics().momentum[2], 0.3 * run.statistics().mass); // it has come back
      }
}

// A rough sheet that moves takes what lies on it along, a smooth one does not; and step by step the
// sheet's load is what the points lost. A layer of half a cell, of sand thrown at it, whose points
// the sheet meets itself.
TEST_P(MpmWalls, PointsOnASheetGoAlong)
{
  const double h = 1. / 16, g = 10, belt = 0.5;
  struct Case
  {
    mpm::Contact kind;
    double friction;
  };
  for (const Case& c : { Case{ mpm::Contact::Separate, 0.4 }, Case{ mpm::Contact::Separate, 0 },
         Case{ mpm::Contact::Slip, 0 }, Case{ mpm::Contact::Stick, 0 } })
    for (double part : { 0.5, 0.75, 0.9 })
    {
      SCOPED_TRACE(std::string(mpm::name(c.kind)) + " " + std::to_string(c.friction) + ", " +
        std::to_string(part));
      Scene s = slice(h, part, 4 * h, { c.kind, c.friction });
      s.gravity = { 0, 0, -g };
      s.domain.upper.x = 3;
      s.walls[0].motion.kind = dem::MotionKind::Translation;
      s.walls[0].motion.velocity = { belt, 0, 0 };
      s.materials[0].kind = mpm::MaterialKind::DruckerPrager;
      s.materials[0].friction_angle = 0.7; // it does not shear above the sheet
      fillAbove(s, { 4 * h, 0, 4 * h }, { 12 * h, 4 * h, 4.5 * h }, (part + 1e-3) * h);
      setVelocity(s, [](const Vec3d&) { return Vec3d{ 0, 0, -0.5 }; });
      auto run = simulate(s);
      double books[3] = {}, most = 0, pulled = 0, pressed = 0;
      mpm::Frame f = run.frame();
      while (run.time() < 0.3 - 1e-9)
      {
        const mpm::Statistics before = f.statistics;
        run.advanceTo(run.step() + 1);
        f = run.frame();
        const double dt = run.plan().time_step, weight[3] = { 0, 0, -before.mass * g };
        for (int k = 0; k < 3; ++k)
        {
          const double force = f.walls.at(0).total_force[k];
          most = std::max(most, std::fabs(force));
          if (k != 1) // the borders push along y
            books[k] = std::max(books[k],
              std::fabs(f.statistics.momentum[k] - before.momentum[k] - dt * (weight[k] - force)) /
                dt);
        }
        if (f.statistics.momentum[0] < 0.6 * belt * f.statistics.mass) // it slides
        {
          pulled -= f.walls[0].total_force[0];
          pressed -= f.walls[0].total_force[2];
        }
      }
      ASSERT_EQ(f.size, s.points.size());
      for (int k = 0; k < 3; ++k)
        EXPECT_LT(books[k], (mixed() ? 1e-3 : 1e-10) * most);
      const double speed = f.statistics.momentum[0] / f.statistics.mass;
      if (c.kind == mpm::Contact::Separate)
      {
        std::printf("[ measured ] %.2f: %.5f of what presses rubs\n", part, pulled / pressed);
        EXPECT_LE(pulled,
          (c.friction + 1e-4) *
            pressed); // Coulomb's limit, and less where something sticks already
        EXPECT_GE(pulled, (0.8 * c.friction - 1e-4) * pressed);
      }
      const bool rough =
        c.kind == mpm::Contact::Stick || c.friction > 0; // mu g t is twice the belt's speed
      EXPECT_NEAR(speed, rough ? belt : 0, (rough ? 0.05 : 1e-4) * belt);
      for (std::size_t i = 0; i < f.size; ++i)
        ASSERT_GT(f.position[3 * i + 2], (4 + part) * h);
    }
}

// Frictionless blocks slide down a slope of 45 degrees inside a wide cylinder along its axis, and
// on and in a cone along its surface, as on a plane. The slope passes through nodes, which know the
// surface but no direction to it.
TEST_P(MpmWalls, BlocksSlideOnCylindersAndCones)
{
  const double h = 1. / 16, g = 10, slope = std::sqrt(0.5);
  for (int kind = 0; kind < 3; ++kind)
  {
    SCOPED_TRACE(kind);
    Scene s = softScene(h);
    s.materials[0].youngs_modulus = 1e6;
    s.gravity = { 0, 0, -g };
    s.domain.lower = { 0, -2 * h, 0 };
    s.domain.upper = { 4, 2 * h, 4 };
    // the slope x = z: material above it
    const Vec3d down{ -slope, 0, -slope }, up{ -slope, 0, slope };
    // the cone is upright, around an axis 40 m off the slope on the side of the material: a funnel
    // whose wall is the slope
    const dem::Wall walls[] = { planeWall({}, up),
      pipeWall(40. * up + 3. * down, 40. * up - 9. * down, 40),
      pipeWall({ -40, 0, -2 }, { -40, 0, 6 }, 38, 46) };
    s.walls = { walls[kind] };
    for (double a = 0.25 * h; a < 8 * h; a += 0.5 * h)
      for (double b = 0.25 * h; b < 4 * h; b += 0.5 * h)
        for (double y = -1.75 * h; y < 2 * h; y += 0.5 * h)
          s.points.position.push_back(Vec3d{ 3, y, 3 } + a * down + b * up);
    s.points.volume.assign(s.points.position.size(), h * h * h / 8);
    auto run = simulate(s);
    run.advanceTo(40 * run.plan().steps_per_output);
    const mpm::Statistics st = run.statistics();
    const double along =
      dot(Vec3d{ st.momentum[0], st.momentum[1], st.momentum[2] }, down) / st.mass;
    EXPECT_NEAR(along, g * slope * run.time(), 0.01 * g * slope * run.time());
  }
}

// Sub-steps move points in place, steps of their own write beside what they read: on a sheet
// between nodes, with friction of sand that knows its rate, they do the same. A fast wall far off
// asks for the sub-steps.
TEST_P(MpmWalls, SubStepsOnASheetDoAsStepsDo)
{
  const double h = 1. / 16;
  Scene s = slice(h, 0.75, 2 * h, { mpm::Contact::Separate, 0.3 });
  s.gravity = { 3, 0, -10 };
  s.domain.upper = { 4, 4 * h, 1 };
  s.materials[0].kind = mpm::MaterialKind::DruckerPrager;
  s.materials[0].grain_diameter = 1e-3;
  dem::Wall blade = rectangleWall({ 3.5, 0, 0.8 }, { 0.1, 0, 0 }, { 0, 0.1, 0 });
  rotate(blade, { 3.5, 0, 0.8 }, { 0, 0, 1 }, 0);
  s.walls.push_back(blade);
  s.wall_contacts.push_back({});
  s.events = { { 0, "WallRate", { 1, 1000 } } };
  fillAbove(s, { 2 * h, 0, 2 * h }, { 8 * h, 4 * h, 6 * h }, 0.75 * h, 0.5);
  s.output_interval = mpm::planSteps(s).time_step;
  auto parts = simulate(s);
  parts.advanceTo(40);
  const auto sub_steps = parts.statistics().sub_steps;
  ASSERT_GT(sub_steps, 400u);
  ASSERT_EQ(sub_steps % 40, 0u);
  s.time_step = s.output_interval = s.output_interval / static_cast<double>(sub_steps / 40);
  auto steps = simulate(s);
  steps.advanceTo(sub_steps);
  const mpm::Frame a = parts.frame(), b = steps.frame();
  const auto [place, speed] = apart(a, b);
  std::printf("[ measured ] %llu sub-steps: places %.1e cells, velocities %.1e m/s\n",
    static_cast<unsigned long long>(sub_steps), place / h, speed);
  EXPECT_LT(place, (mixed() ? 1e-4 : 1e-9) * h);
  EXPECT_LT(speed, mixed() ? 1e-3 : 1e-7);
}

// Where the same scene goes on both devices: walls that move, rub, are sheets between nodes and
// analytic.
TEST_P(MpmWalls, AgreeWithTheCpu)
{
  const double h = 1. / 16;
  for (mpm::MaterialKind kind : { mpm::MaterialKind::FixedCorotated,
         mpm::MaterialKind::DruckerPrager, mpm::MaterialKind::VonMises, mpm::MaterialKind::Fluid })
    for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
    {
      SCOPED_TRACE(std::string(mpm::name(kind)) + " " + mpm::name(spline));
      Scene s = softScene(h);
      s.precision = precision();
      s.spline = spline;
      s.gravity = { 0, 0, -10 };
      s.materials[0].kind = kind;
      s.materials[0].grain_diameter = 1e-3;
      s.materials[0].viscosity = 1;
      const dem::Wall cylinder = pipeWall({ 0.5, -1, 0.3 }, { 0.5, 2, 0.3 }, 0.15),
                      cone = pipeWall({ 0.9, 0.5, 0 }, { 0.9, 0.5, 1 }, 0.3, 0.1);
      dem::Wall floor = sheet(4.6 * h), turning = sheet(0);
      floor.motion.kind = dem::MotionKind::Translation;
      floor.motion.velocity = { 0.5, 0.1, 0 };
      turning.points = { { 0.1, -1, 0.2 }, { 0.1, 2, 0.2 }, { 0.17, 2, 1 }, { 0.17, -1, 1 } };
      rotate(turning, { 0.1, 0, 0.2 }, { 0, 1, 0 }, 1);
      s.walls = { floor, cylinder, cone, turning };
      s.wall_contacts = { { mpm::Contact::Separate, 0.5 }, { mpm::Contact::Separate, 0.2 },
        { mpm::Contact::Slip, 0 }, { mpm::Contact::Separate, 0.3 } };
      s.points = mpm::fillBox({ 0.2, 0.3, 0.3 }, { 0.8, 0.7, 0.6 }, h, 2, 0.5, 1);
      s.points.position.erase(std::remove_if(s.points.position.begin(), s.points.position.end(),
                                [](const Vec3d& p) {
                                  return std::hypot(p.x - 0.5, p.z - 0.3) < 0.16 ||
                                    std::hypot(p.x - 0.9, p.y - 0.5) < 0.31 - 0.2 * p.z;
                                }),
        s.points.position.end());
      s.points.volume.resize(s.points.position.size());
      setVelocity(s, [](const Vec3d&) { return Vec3d{ 0, 0, -0.5 }; });
      auto own = simulate(s);
      mpm::Simulation cpu(s, { dem::DeviceKind::CPU, 1 });
      own.advanceTo(3 * own.plan().steps_per_output);
      cpu.advanceTo(3 * cpu.plan().steps_per_output);
      const mpm::Frame a = own.frame(), b = cpu.frame();
      ASSERT_EQ(a.size, b.size);
      double place = 0, speed = 0, load = 0, most = 0;
      for (std::size_t i = 0; i < 3 * a.size; ++i)
      {
        place = std::max(place, std::fabs(a.position[i] - b.position[i]));
        speed = std::max(speed, double(std::fabs(a.velocity[i] - b.velocity[i])));
      }
      for (std::size_t w = 0; w < s.walls.size(); ++w)
        for (int k = 0; k < 3; ++k)
        {
          load = std::max(load, std::fabs(a.walls[w].total_force[k] - b.walls[w].total_force[k]));
          most = std::max(most, std::fabs(b.walls[w].total_force[k]));
        }
      std::printf(
        "[ measured ] %s %s: places %.1e m, velocities %.1e m/s, loads %.1e of the largest\n",
        mpm::name(kind), mpm::name(spline), place, speed, load / most);
      EXPECT_LT(place, mixed() ? 2e-4 * h : 1e-9 * h);
      EXPECT_LT(speed, mixed() ? 5e-3 : 1e-6);
      EXPECT_LT(load, (mixed() ? 1e-2 : 1e-6) * most);
      EXPECT_GT(most, 0);
    }
}

// A wall that turns is as fast as its farthest place in the domain: it shortens the automatic step,
// and a given one beyond it is refused.
TEST_P(MpmWalls, TurningWallsBoundTheStep)
{
  Scene s = softScene();
  s.points = mpm::fillBox({ 0.4, 0.4, 0.4 }, { 0.6, 0.6, 0.6 }, s.grid_spacing, 2, 0, 1);
  dem::Wall blade = rectangleWall({ 0.5, 0.1, 0.2 }, { 0.3, 0, 0 }, { 0, 0, 0.1 });
  rotate(blade, { 0.5, 0.5, 0 }, { 0, 0, 2 }, -100);
  s.walls = { blade };
  EXPECT_NEAR(mpm::fastestWall(s), 100 * 0.5, 1e-12); // (0.3, -0.4) from the axis
  EXPECT_NEAR(mpm::adviseTimeStep(s).fastest, 50, 1e-12);
  s.walls[0].edge_u = { 10, 0, 0 }; // leaves the domain
  EXPECT_NEAR(mpm::fastestWall(s), 100 * std::sqrt(0.5), 1e-12);
  s.walls[0] = blade;
  const double sound = mpm::adviseTimeStep(s).sound_speed, bound = s.grid_spacing / (sound + 50);
  s.time_step = s.output_interval = 1.1 * bound;
  EXPECT_MENTIONS(errorOf([&] { simulate(s); }), "CFL");
  s.time_step = s.output_interval = 0.9 * bound;
  simulate(s).advanceTo(2);
  s.time_step = 0;
  s.output_interval = 0.01;
  auto run = simulate(s);
  EXPECT_LE(run.plan().time_step, s.cfl * bound);
  // steered faster under way: sub-steps follow, a given step is refused at its time
  s.walls[0].motion.rate = -1;
  s.events = { { 0.01, "WallRate", { 0, -100 } } };
  auto steered = simulate(s);
  const std::uint64_t steps = steered.plan().steps_per_output;
  steered.advanceTo(steps);
  const auto before = steered.statistics().sub_steps;
  steered.advanceTo(2 * steps);
  EXPECT_GE(static_cast<double>(steered.statistics().sub_steps - before), 0.01 / (s.cfl * bound));
  s.time_step = 0.01 / static_cast<double>(steps);
  auto given = simulate(s);
  given.advanceTo(steps);
  EXPECT_MENTIONS(errorOf([&] { given.advanceTo(steps + 1); }), "beyond the CFL bound");
  EXPECT_EQ(given.step(), steps);
}

// As in DEM: a run that ends at 0 shows its start.
TEST_P(MpmWalls, ARunThatEndsAtZeroShowsItsStart)
{
  Scene s = softScene();
  s.points = mpm::fillBox({ 0.4, 0.4, 0.4 }, { 0.6, 0.6, 0.6 }, s.grid_spacing, 2, 0, 1);
  s.end_time = 0;
  auto run = simulate(s);
  EXPECT_EQ(run.plan().outputs, 1u);
  EXPECT_EQ(run.frame().size, s.points.size());
  s.end_time = -1;
  EXPECT_MENTIONS(errorOf([&] { simulate(s); }), "EndTime is -1 s; it must be at least 0");
}

// A grid that grows beyond what it may take: the amounts are told, and the last whole step is still
// there.
TEST_P(MpmWalls, AGridThatGrowsTooLargeKeepsTheState)
{
  Scene s = softScene();
  s.domain.upper = { 4, 4, 1 };
  s.materials[0].youngs_modulus = 1; // flies apart
  s.points = mpm::fillBox({ 1.9, 1.9, 0.4 }, { 2.1, 2.1, 0.6 }, s.grid_spacing, 2, 0, 1);
  setVelocity(s, [](const Vec3d& x) { return 20. * (x - Vec3d{ 2, 2, 0.5 }); });
  const std::array<int, 3> cells = mpm::gridCells(s);
  const double table =
    12. * ((cells[0] + 3) / 4 + 1) * ((cells[1] + 3) / 4 + 1) * ((cells[2] + 3) / 4 + 1);
  const double block = 64. * (mixed() ? 24 : 40) + (mixed() ? 4. : 8.) * 4 * 216;
  s.memory_limit = table + 40 * block;
  auto run = simulate(s);
  std::string e;
  mpm::SnapshotBytes state;
  while (e.empty() && run.step() < 100000)
  {
    state = run.save();
    try
    {
      run.advanceTo(run.step() + 1);
    }
    catch (const dem::Error& error)
    {
      e = error.what();
    }
  }
  EXPECT_MENTIONS(e, "too large for the device");
  EXPECT_MENTIONS(
    e, "MemoryLimit is " + std::to_string(static_cast<int>(s.memory_limit / 1048576)) + " MiB");
  EXPECT_MENTIONS(e, "Use a larger spacing");
  EXPECT_TRUE(run.save() == state);
}

} // namespace
