// The implicit midpoint rule against walls and borders, which hold nodes inside the solve: rest,
// sliding, impact and books against closed forms.
#include "MpmSupport.h"

namespace
{

using namespace test;
using mpm::Scene;

class MpmHeld : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(MpmHeld);

// A column without lateral strain that has settled under its weight: P = E (F - 1) = -rho g (H - Z)
// with Poisson's ratio 0, so it stays at rest whatever the floor is but for what eight points a
// cell leave of the integrals; had it just been put down it would swing with g H / c. Steps are
// four times the explicit bound.
TEST_P(MpmHeld, ASettledColumnStaysAtRest)
{
  const double height = 0.25, g = 10, young = 1e5, density = 1000, h = 1. / 32,
               sound = std::sqrt(young / density);
  for (int floor = 0; floor < 5; ++floor)
  {
    SCOPED_TRACE(floor);
    Scene s = softScene(h);
    s.materials[0].poissons_ratio = 0;
    s.gravity = { 0, 0, -g };
    s.integration = mpm::TimeIntegration::ImplicitMidpoint;
    s.implicit.newton_tolerance = mixed() ? 1e-5 : 1e-9;
    const double z = 4 * h;
    s.domain.upper = { 4 * h, 4 * h, 16 * h };
    if (floor == 0)
    {
      s.domain.lower.z = z;
      s.domain.border[4] = mpm::Border::Separate;
    }
    else if (floor == 4)
    {
      s.walls = { sheetWall(-1, 2, -1, 2, z) };
      s.wall_contacts = { { mpm::Contact::Separate, 0.5 } };
    }
    else
    {
      s.walls = { planeWall({ 0, 0, z }, { 0, 0, 1 }) };
      s.wall_contacts = { { floor == 1 ? mpm::Contact::Stick
                                       : (floor == 2 ? mpm::Contact::Slip : mpm::Contact::Separate),
        0 } };
    }
    s.points = mpm::fillBox({ 0, 0, z }, { 4 * h, 4 * h, z + height }, h, 2, 0, 1);
    for (Vec3d& x : s.points.position)
    {
      const double up = x.z - z, pressed = density * g / young;
      mpm::Matrix3d f{ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 - pressed * (height - up) } } };
      s.points.deformation.push_back(f);
      x.z -= pressed * (height * up - up * up / 2);
    }
    s.time_step = s.output_interval = 4 * h / sound;
    s.end_time = 10;
    auto run = simulate(s);
    const mpm::Frame begin = run.frame();
    double fastest = 0, load = 0;
    constexpr int kSteps = 60; // 7.5 periods of 4 H / c
    for (int k = 1; k <= kSteps; ++k)
    {
      run.advanceTo(k);
      fastest = std::max(fastest, run.statistics().largest_speed);
      if (floor > 0)
        load -= run.frame().walls.at(0).total_force[2] / kSteps;
    }
    const mpm::Frame end = run.frame();
    EXPECT_LT(fastest, 0.15 * g * height / sound);
    if (floor > 0)
    {
      EXPECT_NEAR(load, end.statistics.mass * g, 2e-3 * end.statistics.mass * g);
    }
    double drift = 0;
    for (std::size_t i = 0; i < end.size; ++i)
      for (int k = 0; k < 3; ++k)
        drift = std::max(drift, std::fabs(end.position[3 * i + k] - begin.position[3 * i + k]));
    EXPECT_LT(drift, 0.02 * h);
  }
}

struct Slope
{
  static constexpr double kAngle = 0.35, kGravity = 10, kRamp = 0.4; // rad, m/s^2, s
  bool implicit;
  mpm::Contact contact;
  double friction;
  bool border; // the floor is a border of the domain and gravity is tilted; otherwise it is a plane
               // whose normal is not along an axis

  Vec3d normal() const
  {
    return border ? Vec3d{ 0, 0, 1 } : Vec3d{ std::sin(kAngle), 0, std::cos(kAngle) };
  }
  Vec3d down() const
  {
    return border ? Vec3d{ 1, 0, 0 } : Vec3d{ std::cos(kAngle), 0, -std::sin(kAngle) };
  }
};

// A block on a slope. Gravity grows first across the slope, then along it.
Scene slopeScene(const Slope& c, double tolerance)
{
  const double g = Slope::kGravity, sine = std::sin(Slope::kAngle),
               cosine = std::cos(Slope::kAngle), ramp = Slope::kRamp;
  Scene s = softScene(1. / 8);
  s.materials[0].youngs_modulus = 1e6;
  s.materials[0].poissons_ratio = 0.2;
  s.integration =
    c.implicit ? mpm::TimeIntegration::ImplicitMidpoint : mpm::TimeIntegration::Explicit;
  s.implicit.newton_tolerance = tolerance;
  s.domain.lower = { -1, 0, c.border ? 0. : -1 };
  s.domain.upper = { 2, 1, 1 };
  const Vec3d normal = c.normal(), down = c.down();
  if (c.border)
  {
    s.domain.border[4] = mpm::Border::Separate;
    s.domain.friction = c.friction;
  }
  else
  {
    s.walls = { planeWall({ 0, 0, 0 }, normal) };
    s.wall_contacts = { { c.contact, c.friction } };
  }
  constexpr int kParts = 40;
  for (int k = 1; k <= 2 * kParts; ++k)
  {
    const Vec3d now = (-g * cosine * std::min(1., k / double(kParts))) * normal +
      (g * sine * std::max(0., k / double(kParts) - 1)) * down;
    s.events.push_back({ ramp * (k - 1) / (2 * kParts), "Gravity", { now.x, now.y, now.z } });
  }
  const mpm::PointInput flat =
    mpm::fillBox({ 0, 0.25, 0 }, { 0.5, 0.75, 0.25 }, s.grid_spacing, 2, 0, 1);
  s.points = flat;
  for (std::size_t i = 0; i < flat.size(); ++i)
    s.points.position[i] =
      flat.position[i].x * down + Vec3d{ 0, flat.position[i].y, 0 } + flat.position[i].z * normal;
  const double sound = std::sqrt(1e6 / 1000 / 0.9); // (1 - nu) / ((1 + nu) (1 - 2 nu)) = 1 / 0.9
  s.output_interval = 4 * s.grid_spacing / sound;
  s.time_step = c.implicit ? s.output_interval : 0;
  return s;
}

// Takes steps, with `end` the frame before and afterwards; the largest difference between the
// momentum gained in a step and the impulses of gravity and wall.
double worstBooks(mpm::Simulation& run, const Slope& c, int steps, mpm::Frame& end)
{
  const double g = Slope::kGravity, sine = std::sin(Slope::kAngle),
               cosine = std::cos(Slope::kAngle);
  const Vec3d gravity = -g * cosine * c.normal() + g * sine * c.down();
  const bool single = run.scene().precision == mpm::Precision::Single;
  double books = 0;
  mpm::Frame before = end;
  for (int k = 0; k < steps; ++k)
  {
    run.advanceTo(run.step() + 1);
    end = run.frame();
    // no part of the residual across a face that is no axis stays with the solver
    if (c.implicit && !single && c.contact == mpm::Contact::Slip)
    {
      EXPECT_LT(run.newtonResiduals().back(), 1e-9 * run.newtonResiduals().front());
    }
    if (!c.border)
      for (int a = 0; a < 3; ++a)
      {
        const double gained = end.statistics.momentum[a] - before.statistics.momentum[a];
        const double given = run.plan().time_step *
          (end.statistics.mass * gravity[a] - end.walls.at(0).total_force[a]);
        books = std::max(
          books, std::fabs(gained - given) / (end.statistics.mass * g * run.plan().time_step));
      }
    before = end;
  }
  return books;
}

// A block on a slope of 0.35 rad: below the friction angle it stays where it is, above it falls
// with g (sin - mu cos). Gravity grows slowly, first across the slope, then along it, since a block
// that is just put down bounces and creeps whenever nothing presses it. What walls tell is what its
// momentum lost, step by step.
TEST_P(MpmHeld, ABlockOnASlopeSticksOrSlides)
{
  const double g = Slope::kGravity, sine = std::sin(Slope::kAngle),
               cosine = std::cos(Slope::kAngle), ramp = Slope::kRamp;
  for (bool implicit : { false, true })
    for (const Slope& c : { Slope{ implicit, mpm::Contact::Slip, 0, false },
           Slope{ implicit, mpm::Contact::Separate, 0.2, false },
           Slope{ implicit, mpm::Contact::Separate, 0.6, false },
           Slope{ implicit, mpm::Contact::Stick, 0, false },
           Slope{ implicit, mpm::Contact::Separate, 0.2, true },
           Slope{ implicit, mpm::Contact::Separate, 0.6, true } })
    {
      SCOPED_TRACE(std::string(implicit ? "implicit " : "explicit ") + mpm::name(c.contact) + " " +
        std::to_string(c.friction) + (c.border ? " border" : " plane"));
      const Scene s = slopeScene(c, mixed() ? 1e-5 : 1e-9);
      const Vec3d normal = c.normal(), down = c.down();
      auto run = simulate(s);
      const auto way = [&](const mpm::Frame& f) {
        Vec3d sum{};
        for (std::size_t i = 0; i < f.size; ++i)
          sum += (1. / static_cast<double>(f.size)) * (at3(f.position, i) - s.points.position[i]);
        return sum;
      };
      const auto later = [&](int outputs) {
        run.advanceTo(
          run.step() + static_cast<std::uint64_t>(outputs) * run.plan().steps_per_output);
      };
      later(static_cast<int>(std::ceil(1.2 * ramp / s.output_interval)));
      const mpm::Frame begin = run.frame();
      mpm::Frame end = begin;
      const double books = worstBooks(run, c, 20, end);
      EXPECT_LT(books, mixed() ? 2e-3 : (c.implicit ? 1e-6 : 1e-10));
      later(c.implicit ? 1 : 21 - 20 / static_cast<int>(run.plan().steps_per_output));
      end = run.frame();
      const double t = end.time - begin.time, free = g * sine * t * t / 2;
      const auto speed = [&](const mpm::Frame& f) {
        return (f.statistics.momentum[0] * down.x + f.statistics.momentum[2] * down.z) /
          f.statistics.mass;
      };
      EXPECT_NEAR(dot(way(end), normal), 0, 0.05 * s.grid_spacing);
      if (c.contact == mpm::Contact::Stick || c.friction * cosine > sine)
      {
        EXPECT_NEAR(dot(way(end) - way(begin), down), 0, 2e-3 * free);
      }
      else
      {
        const double expected = g * (sine - c.friction * cosine);
        EXPECT_NEAR((speed(end) - speed(begin)) / t, expected, 0.01 * expected);
      }
    }
}

// A bar that flies against a rigid wall which can only press leaves it after 2 L / c, as fast as it
// came (St. Venant); a wall that slips keeps it.
TEST_P(MpmHeld, ABarLeavesAWallThatCannotPull)
{
  const double length = 1, speed = 0.01, young = 1e6, density = 1000,
               c = std::sqrt(young / density);
  for (mpm::Contact contact : { mpm::Contact::Separate, mpm::Contact::Slip })
  {
    SCOPED_TRACE(mpm::name(contact));
    Scene s = softScene(1. / 32);
    const double h = s.grid_spacing;
    s.materials[0].youngs_modulus = young;
    s.materials[0].poissons_ratio = 0;
    s.integration = mpm::TimeIntegration::ImplicitMidpoint;
    s.implicit.newton_tolerance = mixed() ? 1e-5 : 1e-8;
    s.domain.upper = { length + 16 * h, 4 * h, 4 * h };
    const double x = 4 * h;
    s.walls = { planeWall({ x, 0, 0 }, { 1, 0, 0 }) };
    s.wall_contacts = { { contact, 0 } };
    s.points = mpm::fillBox({ x, 0, 0 }, { x + length, 4 * h, 4 * h }, h, 2, 0, 1);
    setVelocity(s, [&](const Vec3d&) { return Vec3d{ -speed, 0, 0 }; });
    s.time_step = s.output_interval = 2 * h / c;
    auto run = simulate(s);
    const double mass = run.statistics().mass;
    double impulse = 0, pulled = 0, last = 0;
    const int steps = static_cast<int>(4 * length / c / s.time_step);
    for (int k = 1; k <= steps; ++k)
    {
      run.advanceTo(k);
      const double force = -run.frame().walls.at(0).total_force[0]; // on the bar
      impulse += force * s.time_step;
      pulled = std::min(pulled, force);
      if (force > 0.1 * density * c * speed * 16 * h * h)
        last = run.time();
    }
    const double v = run.statistics().momentum[0] / mass;
    EXPECT_NEAR(impulse / mass, v + speed, 1e-3 * speed);
    if (contact == mpm::Contact::Separate)
    {
      EXPECT_NEAR(last, 2 * length / c, 0.05 * 2 * length / c); // a step is 0.03 of it
      EXPECT_GT(pulled, -1e-3 * density * c * speed * 16 * h * h);
      EXPECT_NEAR(v, speed, 0.07 * speed); // the front of the wave has lost its edge to the cells
    }
    else
      EXPECT_LT(v, 0.2 * speed);
  }
}

// An open sheet has no thickness at all: what is thrown at it, a third of a cell off the nodes,
// stays on its side, and rests there with its weight.
TEST_P(MpmHeld, ASheetHoldsOnItsSide)
{
  for (bool implicit : { false, true })
    for (double side : { 1., -1. })
    {
      SCOPED_TRACE((implicit ? "implicit " : "explicit ") + std::to_string(side));
      Scene s = softScene(1. / 8);
      const double z = 0.5 + s.grid_spacing / 3, g = 10;
      s.materials[0].kind = mpm::MaterialKind::NeoHookean;
      s.integration =
        implicit ? mpm::TimeIntegration::ImplicitMidpoint : mpm::TimeIntegration::Explicit;
      s.implicit.newton_tolerance = mixed() ? 1e-5 : 1e-8;
      s.transfer = mpm::Transfer::PIC; // comes to rest soon
      s.gravity = { 0, 0, -side * g };
      s.walls = { sheetWall(-1, 2, -1, 2, z) };
      s.wall_contacts = { { mpm::Contact::Separate, 0.3 } };
      const double low = side > 0 ? z + 0.02 : z - 0.27;
      s.points =
        mpm::fillBox({ 0.25, 0.25, low }, { 0.75, 0.75, low + 0.25 }, s.grid_spacing, 2, 0, 1);
      setVelocity(s, [&](const Vec3d&) { return Vec3d{ 0, 0, -2 * side }; });
      s.output_interval = 0.02;
      auto run = simulate(s);
      // It may still bounce a little: the mean of half a second after one to settle. What is put
      // back on its side in long steps pushes the sheet as nodes do: step by step the load is what
      // the momentum tells.
      const std::uint64_t steps = 25 * run.plan().steps_per_output;
      run.advanceTo(2 * steps);
      double load = 0, books = 0;
      mpm::Frame f = run.frame();
      while (run.step() < 3 * steps)
      {
        const double before = f.statistics.momentum[2], weight = -side * f.statistics.mass * g,
                     dt = run.plan().time_step;
        run.advanceTo(run.step() + 1);
        f = run.frame();
        const double force = f.walls.at(0).total_force[2];
        load += force / static_cast<double>(steps);
        books = std::max(books,
          std::fabs(f.statistics.momentum[2] - before - dt * (weight - force)) /
            (f.statistics.mass * g * dt));
      }
      ASSERT_EQ(f.size, s.points.size());
      for (std::size_t i = 0; i < f.size; ++i)
        ASSERT_GT(side * (f.position[3 * i + 2] - z), 0) << f.id[i];
      EXPECT_NEAR(load, -side * f.statistics.mass * g, 0.03 * f.statistics.mass * g);
      EXPECT_LT(books, mixed() ? 5e-3 : (implicit ? 1e-6 : 1e-10));
    }
}

// A wall that moves takes what sticks to it along at its own velocity, and a piston pushes:
// momentum = the wall's.
TEST_P(MpmHeld, MovingWallsCarry)
{
  for (mpm::Contact contact : { mpm::Contact::Stick, mpm::Contact::Slip })
  {
    SCOPED_TRACE(mpm::name(contact));
    Scene s = softScene();
    s.materials[0].youngs_modulus = 1e5;
    s.materials[0].poissons_ratio = 0;
    s.integration = mpm::TimeIntegration::ImplicitMidpoint;
    const double h = s.grid_spacing, c = 10;
    dem::Wall w = planeWall({ 4 * h, 0, 0 }, { 1, 0, 0 });
    w.motion.kind = dem::MotionKind::Translation;
    w.motion.velocity = { 0.2, 0, contact == mpm::Contact::Stick ? 0.1 : 0 };
    s.walls = { w };
    s.wall_contacts = { { contact, 0 } };
    s.points = mpm::fillBox({ 4 * h, 4 * h, 4 * h }, { 8 * h, 8 * h, 8 * h }, h, 2, 0, 1);
    setVelocity(s, [&](const Vec3d&) { return w.motion.velocity; });
    s.time_step = s.output_interval = 2 * h / c;
    auto run = simulate(s);
    run.advanceTo(40);
    const mpm::Statistics t = run.statistics();
    // it moves with the wall from the start: nothing shears or presses
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(t.momentum[k] / t.mass, w.motion.velocity[k], 1e-3);
    EXPECT_LT(t.elastic_energy, 1e-4 * t.kinetic_energy);
  }
}

// A block on a rough belt: it gains mu g until it has the belt's speed, and then keeps it. Beside a
// rough wall at rest that it leans on, mu' g' less.
TEST_P(MpmHeld, RoughMovingWallsDrag)
{
  const double g = 10, across = 5, mu = 0.5, beside = 0.4, ramp = 0.4;
  for (bool implicit : { false, true })
    for (bool leans : { false, true })
    {
      SCOPED_TRACE(std::string(implicit ? "implicit" : "explicit") + (leans ? ", leaning" : ""));
      Scene s = softScene(1. / 8);
      s.materials[0].youngs_modulus = 1e6;
      s.materials[0].poissons_ratio = 0.2;
      s.integration =
        implicit ? mpm::TimeIntegration::ImplicitMidpoint : mpm::TimeIntegration::Explicit;
      s.implicit.newton_tolerance = mixed() ? 1e-5 : 1e-9;
      s.domain.lower = { -0.5, -0.5, -0.5 };
      s.domain.upper = { 3, 1, 1 };
      dem::Wall belt = planeWall({ 0, 0, 0 }, { 0, 0, 1 });
      belt.motion.kind = dem::MotionKind::Translation;
      belt.motion.velocity = { 1, 0, 0 };
      belt.motion.start = 1.2 * ramp;
      s.walls = { belt, planeWall({ 0, 0.5, 0 }, { 0, -1, 0 }) };
      s.wall_contacts = { { mpm::Contact::Separate, mu },
        { mpm::Contact::Separate, leans ? beside : 0 } };
      constexpr int kParts = 40;
      for (int k = 1; k <= kParts; ++k)
        s.events.push_back({ ramp * (k - 1) / kParts, "Gravity",
          { 0, leans ? across * k / kParts : 0, -g * k / kParts } });
      s.points = mpm::fillBox({ 0, 0, 0 }, { 0.5, 0.5, 0.25 }, s.grid_spacing, 2, 0, 1);
      const double sound = std::sqrt(1e6 / 1000 / 0.9);
      s.output_interval = 4 * s.grid_spacing / sound;
      s.time_step = implicit ? s.output_interval : 0;
      auto run = simulate(s);
      const auto until = [&](double t) {
        run.advanceTo(static_cast<std::uint64_t>(std::ceil(t / run.plan().time_step)));
        return run.frame();
      };
      const auto speed = [](const mpm::Frame& f) {
        return f.statistics.momentum[0] / f.statistics.mass;
      };
      const double gain = mu * g - (leans ? beside * across : 0);
      const mpm::Frame rest = until(belt.motion.start),
                       first = until(belt.motion.start + 0.2 / gain);
      EXPECT_NEAR(speed(rest), 0, 2e-3);
      double pulled = 0, held = 0;
      int steps = 0;
      mpm::Frame second = first;
      for (; second.time < belt.motion.start + 0.7 / gain; ++steps)
      {
        run.advanceTo(run.step() + 1);
        second = run.frame();
        pulled -= second.walls[0].total_force[0];
        held += second.walls[1].total_force[0];
      }
      const double weight = g * second.statistics.mass;
      EXPECT_NEAR((speed(second) - speed(first)) / (second.time - first.time), gain,
        (leans ? 0.03 : 0.01) * gain);
      // The belt pulls with its friction; what leans is held by its own. A node at both slides,
      // inside the solve, against the one that rubs more (a known debt).
      const double edge = implicit && leans ? 0.05 : 0.02;
      EXPECT_NEAR(pulled / steps, mu * weight, edge * mu * weight);
      EXPECT_NEAR(held / steps, leans ? beside * across / g * weight : 0, edge * mu * weight);
      const mpm::Frame end = until(belt.motion.start + 2 / gain);
      EXPECT_NEAR(speed(end), 1, 0.02); // it still rings
    }
}

// Friction in the solve, on walls that move and on borders: the same bits on any number of threads,
// and from a saved state on. Plates that rub to and fro turn slips round in each step, which
// Newton's method takes in few iterations.
TEST_P(MpmHeld, FrictionKeepsBitsAndStates)
{
  Scene s = softScene(1. / 12);
  const double h = s.grid_spacing;
  s.integration = mpm::TimeIntegration::ImplicitMidpoint;
  s.implicit.newton_tolerance = mixed() ? 1e-4 : 1e-8;
  s.gravity = { 0, 0, -10 };
  s.domain.friction = 0.4;
  s.domain.border[0] = s.domain.border[1] = mpm::Border::Separate;
  dem::Wall floor = sheetWall(-1, 2, -1, 2, 3.3 * h),
            lid = planeWall({ 0, 0, 8.1 * h }, { 0, 0, -1 });
  rotate(floor, { 0.5, 0.5, 0 }, { 0, 0, 1 }, 4);
  lid.motion.kind = dem::MotionKind::Translation;
  lid.motion.velocity = { -0.5, 0.3, -0.2 };
  s.walls = { floor, lid };
  s.wall_contacts = { { mpm::Contact::Separate, 0.6 }, { mpm::Contact::Separate, 0.3 } };
  s.points = mpm::fillBox({ 0, 0.3, 3.3 * h }, { 0.6, 0.7, 8 * h }, h, 2, 0.5, 3);
  setVelocity(s, [](const Vec3d& x) {
    return Vec3d{ 0.3 * std::sin(20 * x.y), 0.3 * std::cos(15 * x.z), -0.1 };
  });
  s.time_step = s.output_interval = 0.01; // 1.4 times the explicit bound
  auto one = simulate(s, 1), more = simulate(s, 3), rest = simulate(s, 2);
  one.advanceTo(16);
  more.advanceTo(7);
  rest.restore(more.save());
  more.advanceTo(16);
  rest.advanceTo(16);
  const mpm::Frame a = one.frame(), b = more.frame(), c = rest.frame();
  EXPECT_EQ(firstDifference(a, b), "");
  EXPECT_EQ(firstDifference(a, c), "");
  for (std::size_t w = 0; w < 2; ++w)
    for (int k = 0; k < 3; ++k)
    {
      EXPECT_EQ(a.walls[w].total_force[k], b.walls[w].total_force[k]);
      EXPECT_EQ(a.walls[w].total_force[k], c.walls[w].total_force[k]);
    }
  EXPECT_GT(length(Vec3d{ a.walls[0].total_force[0], a.walls[0].total_force[1], 0 }),
    0.01 * std::fabs(a.walls[0].total_force[2]));
  EXPECT_LT(a.statistics.newton_iterations, 30 * a.statistics.sub_steps);
  RecordProperty("NewtonIterations", std::to_string(a.statistics.newton_iterations));
}

} // namespace
