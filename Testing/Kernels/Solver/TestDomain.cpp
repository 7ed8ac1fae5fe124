// Borders of the domain, and section 4's "nothing lost": removal is counted, a failing run stops
// with an error that names particle, time and cure. Periodic: across faces and corners, in a moving
// frame, in a shifted box.
#include "TestSupport.h"

#include <algorithm>
#include <set>

using namespace test;
using dem::Exit;

namespace
{

class Domain : public BackendTest
{
};

dem::Scene smallBox(Exit x, Exit y, Exit z)
{
  dem::Scene s = emptyScene();
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 0.1, 0.1, 0.1 };
  s.domain.exit = { x, y, z };
  return s;
}

// Shortest image of a - b.
Vec3d shortest(Vec3d line, const dem::Domain& d)
{
  for (int k = 0; k < 3; ++k)
  {
    if (d.exit[k] == Exit::Periodic)
    {
      const double width = d.upper[k] - d.lower[k];
      line[k] -= width * std::round(line[k] / width);
    }
  }
  return line;
}

} // namespace

// Elastic spheres bounce between the six borders as mirror images; none is lost, none gets out by
// more than its overlap.
TEST_P(Domain, BordersAreWalls)
{
  dem::Scene s = smallBox(Exit::Wall, Exit::Wall, Exit::Wall);
  addSphere(s, { 0.05, 0.03, 0.07 }, 0.005, { 1.0, 0, 0 });
  addSphere(s, { 0.03, 0.05, 0.03 }, 0.005, { 0, -1.0, 0 });
  addSphere(s, { 0.07, 0.07, 0.05 }, 0.005, { 0, 0, 1.0 });
  setSteps(s, 1e-5, 40000);
  dem::Simulation sim = simulate(s);
  for (int k = 0; k < 40; ++k)
  {
    advance(sim, 1000);
    const dem::Frame f = sim.frame();
    ASSERT_EQ(f.size, 3u);
    for (std::size_t i = 0; i < 9; ++i)
    {
      EXPECT_GT(f.position[i], 0.005 - 1e-3);
      EXPECT_LT(f.position[i], 0.095 + 1e-3);
    }
  }
  const dem::Frame f = sim.frame();
  EXPECT_NEAR(f.statistics.kinetic_energy + f.statistics.potential_energy,
    1.5 * sphereMass(0.005, 2500), 1e-6);
  EXPECT_EQ(f.statistics.lost, 0u);
  // a contact with a border is reported with an index after the scene's walls
  sim = simulate(s);
  while (sim.frame(motionAndContacts()).contacts.size == 0 && sim.step() < 10000)
  {
    advance(sim, 5);
  }
  const dem::Frame touching = sim.frame();
  ASSERT_GT(touching.contacts.size, 0u);
  EXPECT_LT(touching.contacts.ids[1], 0);
  EXPECT_GE(touching.contacts.ids[1], -6);
}

// The border's own material counts: e = 0.5 there, 1 elsewhere.
TEST_P(Domain, BordersHaveAMaterial)
{
  dem::Scene s = smallBox(Exit::Wall, Exit::Wall, Exit::Wall);
  s.materials.push_back(s.materials[0]);
  s.pairs = { { 0, 1, 0.5, {}, {} } };
  s.domain.wall_material = 1;
  addSphere(s, { 0.05, 0.05, 0.0052 }, 0.005, { 0, 0, -1 });
  setSteps(s, 1e-6, 4000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(4000);
  EXPECT_NEAR(velocityOf(sim.frame(), 0).z, 0.5, 1e-3);
}

// Every particle that goes is counted, the rest keep their Ids and their way.
TEST_P(Domain, RemovedParticlesAreCounted)
{
  dem::Scene s = smallBox(Exit::Remove, Exit::Remove, Exit::Remove);
  s.gravity = { 3, 0, -9.81 }; // no one can stay
  s.materials[0].restitution = 0.8;
  addCloud(s, { 0.01, 0.01, 0.01 }, 8, 8, 8, 0.002, 0.0045, 1.0, 5, 0.01);
  s.materials[0].youngs_modulus = 5e7;
  setSteps(s, 8e-6, 40000);
  const std::size_t n = s.particles.size();
  dem::Simulation sim = simulate(s);
  std::set<std::int64_t> before;
  std::uint64_t lost = 0;
  for (int k = 0; k < 40; ++k)
  {
    const dem::Frame f = sim.frame();
    const std::set<std::int64_t> now(f.id.begin(), f.id.end());
    ASSERT_EQ(now.size(), f.size);
    ASSERT_TRUE(std::is_sorted(f.id.begin(), f.id.end()));
    EXPECT_EQ(f.size + f.statistics.lost, n);
    EXPECT_EQ(f.statistics.particles, f.size);
    EXPECT_GE(f.statistics.lost, lost);
    if (k > 0)
    {
      EXPECT_TRUE(
        std::includes(before.begin(), before.end(), now.begin(), now.end())); // no one comes back
    }
    for (std::size_t i = 0; i < f.size; ++i)
    {
      const Vec3d x = positionOf(f, i);
      for (int c = 0; c < 3; ++c)
      {
        EXPECT_GT(x[c], -0.01);
        EXPECT_LT(x[c], 0.11);
      }
    }
    before = now;
    lost = f.statistics.lost;
    advance(sim, 1000);
  }
  EXPECT_EQ(lost, n) << "everything flies out in the end";
  // an empty domain goes on quietly
  advance(sim, 10);
  EXPECT_EQ(sim.frame().size, 0u);
}

// Neighbours that leave in the same step are not a collision with each other wherever they wait to
// be dropped.
TEST_P(Domain, NeighboursMayLeaveTogether)
{
  dem::Scene s = smallBox(Exit::Wall, Exit::Wall, Exit::Remove);
  for (int i = 0; i < 4; ++i)
  {
    addSphere(s, { 0.03 + 0.0101 * i, 0.05, 0.02 }, 0.005, { 0, 0, -2 });
  }
  addSphere(s, { 0.05, 0.05, 0.08 }, 0.005);
  setSteps(s, 1e-5, 3000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(3000);
  EXPECT_EQ(sim.frame().size, 1u);
  EXPECT_EQ(sim.statistics().lost, 4u);
}

// Only the axes that remove do so.
TEST_P(Domain, RemoveOnOneAxis)
{
  dem::Scene s = smallBox(Exit::Wall, Exit::Wall, Exit::Remove);
  addSphere(s, { 0.05, 0.05, 0.05 }, 0.005, { 3, 0, 0 });
  addSphere(s, { 0.05, 0.05, 0.03 }, 0.005, { 0, 0, -3 });
  addSphere(s, { 0.05, 0.05, 0.07 }, 0.005, { 0, 0, 3 });
  setSteps(s, 1e-5, 20000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(20000);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.size, 1u);
  EXPECT_EQ(f.id[0], 0);
  EXPECT_EQ(f.statistics.lost, 2u);
}

// What leaves beside a wall is out of the wall's reach at once, on whichever side of its plane it
// is put.
TEST_P(Domain, LeavesBesideWalls)
{
  dem::Scene s = smallBox(Exit::Wall, Exit::Wall, Exit::Remove);
  const double r = 0.005;
  for (double x : { r, 0.1 - r })
    for (double y : { r, 0.1 - r })
      addSphere(s, { x, y, 0.02 }, r, { 0, 0, -3 });
  addSphere(s, { 0.05, 0.05, 0.05 }, r);
  setSteps(s, 1e-5, 2000);
  dem::Simulation sim = simulate(s);
  ASSERT_NO_THROW(sim.advanceTo(2000));
  EXPECT_EQ(sim.frame().statistics.lost, 4u);
}

// Grains slide over a rough floor and leave. What they have dissipated is booked once, wherever an
// advance ends: by then a particle may have left whose list still stands.
TEST_P(Domain, LeavingBooksEnergiesOnce)
{
  dem::Scene s = smallBox(Exit::Remove, Exit::Wall, Exit::Wall);
  s.gravity = { 0, 0, -9.81 };
  s.materials[0].restitution = 0.5;
  s.materials[0].friction = 0.5;
  s.skin = 0.002;
  for (int i = 0; i < 8; ++i)
    addSphere(s, { 0.085 - 0.001 * i, 0.006 + 0.011 * i, 0.005 - 1e-6 }, 0.005, { 1.5, 0, 0 });
  setSteps(s, 1e-5, 4000);
  dem::Simulation whole = simulate(s), stepped = simulate(s);
  whole.advanceTo(4000);
  for (int k = 1; k <= 4000; ++k)
    stepped.advanceTo(k);
  const dem::Statistics a = whole.statistics(), b = stepped.statistics();
  EXPECT_EQ(a.lost, 8u);
  EXPECT_EQ(b.lost, 8u);
  EXPECT_GT(a.dissipated_energy, 0);
  EXPECT_EQ(a.dissipated_energy, b.dissipated_energy);
  EXPECT_EQ(a.stiffness_work, b.stiffness_work);
  EXPECT_EQ(a.wall_work, b.wall_work);
}

// Ids given by the user are kept.
TEST_P(Domain, IdsAreKept)
{
  dem::Scene s = smallBox(Exit::Wall, Exit::Wall, Exit::Wall);
  addCloud(s, { 0, 0, 0 }, 5, 5, 5, 0.003, 0.009, 1, 6, 0.02);
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    s.particles.id.push_back(1000000007LL * ((i * 37) % 125) + 3);
  }
  setSteps(s, 1e-5, 1000);
  dem::Simulation sim = simulate(s);
  const dem::Frame f = sim.frame();
  ASSERT_TRUE(std::is_sorted(f.id.begin(), f.id.end()));
  for (std::size_t i = 0; i < f.size; ++i)
  {
    const std::size_t k =
      std::find(s.particles.id.begin(), s.particles.id.end(), f.id[i]) - s.particles.id.begin();
    ASSERT_LT(k, f.size);
    EXPECT_LT(length(positionOf(f, i) - s.particles.position[k]), 1e-12);
    EXPECT_NEAR(f.radius[i], s.particles.radius[k], 1e-9);
  }
}

// An unlimited domain lets go without removing anything.
TEST_P(Domain, Unlimited)
{
  dem::Scene s = emptyScene();
  s.domain.limited = false;
  addSphere(s, { 0, 0, 0 }, 0.005, { 30, 0, 0 });
  addSphere(s, { 0, 0.1, 0 }, 0.005, { -30, 0, 3 });
  setSteps(s, 2e-5, 10000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(10000);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.size, 2u);
  EXPECT_NEAR(positionOf(f, 0).x, 6, 1e-5);
  EXPECT_NEAR(positionOf(f, 1).x, -6, 1e-5);
}

// ----
// periodic

// A collision across faces, edges and corners is the collision in the middle of the box. Tolerance:
// rounding (positions near another origin: 1e-9 relative, Mixed keeps velocities to 6e-8).
TEST_P(Domain, CollisionAcrossPeriodicBorders)
{
  const Vec3d half{ 0.05, 0.05, 0.05 };
  std::vector<dem::Frame> frames;
  for (int corner = 0; corner < 8; ++corner)
  {
    dem::Scene s = smallBox(Exit::Periodic, Exit::Periodic, Exit::Periodic);
    s.materials[0].restitution = 0.7;
    s.materials[0].friction = 0.4;
    const Vec3d shift{ corner & 1 ? 0.05 : 0, corner & 2 ? 0.05 : 0, corner & 4 ? 0.05 : 0 };
    const Vec3d line{ 0.0045, 0.0030, 0.0060 };
    for (double sign : { 1.0, -1.0 })
    {
      Vec3d x = half + sign * line + shift;
      for (int k = 0; k < 3; ++k)
      {
        x[k] -= x[k] >= 0.1 ? 0.1 : 0;
      }
      addSphere(s, x, 0.008, sign * Vec3d{ -1, -0.3, -0.8 }, sign * Vec3d{ 20, 50, -30 });
    }
    setSteps(s, 2e-6, 3000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(200);
    EXPECT_EQ(sim.frame().contacts.size, 1u) << "corner " << corner;
    sim.advanceTo(3000);
    frames.push_back(sim.frame());
    const dem::Frame &a = frames[0], &b = frames.back();
    for (std::size_t i = 0; i < 2; ++i)
    {
      EXPECT_LT(length(velocityOf(b, i) - velocityOf(a, i)), 1e-5) << "corner " << corner;
      EXPECT_LT(length(spinOf(b, i) - spinOf(a, i)), 2e-3) << "corner " << corner;
      EXPECT_LT(length(shortest(positionOf(b, i) - positionOf(a, i) - shift, s.domain)), 1e-8)
        << "corner " << corner;
      for (int k = 0; k < 3; ++k) // wrapped
      {
        EXPECT_GE(b.position[3 * i + k], 0);
        EXPECT_LE(b.position[3 * i + k], 0.1);
      }
    }
    EXPECT_NE(length(spinOf(b, 0) - Vec3d{ 20, 50, -30 }), 0);
  }
}

// A contact drawn across a border has both ends next to each other.
TEST_P(Domain, ContactsAcrossBordersAreDrawnShort)
{
  dem::Scene s = smallBox(Exit::Periodic, Exit::Wall, Exit::Periodic);
  addSphere(s, { 0.004, 0.05, 0.05 }, 0.005);
  addSphere(s, { 0.0942, 0.05, 0.05 }, 0.005);
  setSteps(s, 1e-6, 10);
  dem::Simulation sim = simulate(s);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.contacts.size, 1u);
  const Vec3d a = at3(f.contacts.ends, 0), b = at3(f.contacts.ends, 1);
  EXPECT_LT(length(a - positionOf(f, 0)), 1e-12);
  EXPECT_NEAR(length(a - b), 0.0098, 1e-9);
  EXPECT_NEAR(b.x, -0.0058, 1e-9); // not where the other grain is, but where its image is
}

// Galilei: the same cloud in a periodic box seen from a moving frame, and from a shifted box. Over
// the time of a few collisions each (before chaos makes rounding visible): 1e-6 of the box, 2e-4 of
// the speed.
TEST_P(Domain, MovingFrameAndShiftedBox)
{
  const auto scene = [&](const Vec3d& shift, const Vec3d& drift) {
    dem::Scene s = smallBox(Exit::Periodic, Exit::Periodic, Exit::Periodic);
    s.materials[0].restitution = 0.8;
    s.materials[0].friction = 0.3;
    addCloud(s, { 0, 0, 0 }, 7, 7, 7, 0.004, 0.0069, 0.4, 12, 0.1 / 7, 20);
    for (std::size_t i = 0; i < s.particles.size(); ++i)
    {
      s.particles.position[i] += shift;
      s.particles.velocity[i] += drift;
    }
    s.domain.lower += shift;
    s.domain.upper += shift;
    setSteps(s, 5e-6, 4000);
    return s;
  };
  const auto run = [&](const dem::Scene& s) {
    dem::Simulation sim = simulate(s);
    sim.advanceTo(4000);
    EXPECT_GT(sim.statistics().dissipated_energy, 0);
    return sim.frame();
  };
  const dem::Scene rest = scene({}, {});
  const dem::Frame a = run(rest);
  struct Other
  {
    Vec3d shift, drift;
  };
  for (const Other o : { Other{ {}, { 3, -5, 4 } }, Other{ { -7.3, 0.04, 2.1 }, {} } })
  {
    const dem::Frame b = run(scene(o.shift, o.drift));
    ASSERT_EQ(a.size, b.size);
    double position = 0, velocity = 0;
    for (std::size_t i = 0; i < a.size; ++i)
    {
      const Vec3d moved = positionOf(a, i) + o.shift + a.time * o.drift;
      position = std::max(position, length(shortest(positionOf(b, i) - moved, rest.domain)));
      velocity = std::max(velocity, length(velocityOf(b, i) - o.drift - velocityOf(a, i)));
    }
    EXPECT_LT(position, 1e-6 * 0.1 * (mixed() ? 30 : 1));
    EXPECT_LT(velocity, (mixed() ? 2e-3 : 2e-4) * 0.4);
  }
}

// Momentum is kept across periodic borders, however often they are crossed.
TEST_P(Domain, PeriodicKeepsMomentum)
{
  dem::Scene s = smallBox(Exit::Periodic, Exit::Periodic, Exit::Periodic);
  s.materials[0].restitution = 0.9;
  s.materials[0].friction = 0.3;
  addCloud(s, { 0, 0, 0 }, 6, 6, 6, 0.004, 0.008, 2, 13, 0.1 / 6, 20);
  setSteps(s, 5e-6, 10000);
  dem::Simulation sim = simulate(s);
  const auto momentum = [&](const dem::Frame& f, double& scale) {
    Vec3d p{};
    scale = 0;
    for (std::size_t i = 0; i < f.size; ++i)
    {
      const double m = sphereMass(f.radius[i], 2500);
      p += m * velocityOf(f, i);
      scale += m * length(velocityOf(f, i));
    }
    return p;
  };
  double scale = 0, other = 0;
  const Vec3d a = momentum(sim.frame(), scale);
  sim.advanceTo(10000);
  const Vec3d b = momentum(sim.frame(), other);
  EXPECT_LT(length(b - a), (mixed() ? 1e-5 : 1e-6) * scale);
}

// ----
// failing runs

// Section 4: an exploding overlap stops the run, and says which particle, when, and what to do. The
// state is not stepped further until it is restored.
TEST_P(Domain, ExplodingOverlapStopsTheRun)
{
  dem::Scene s = emptyScene();
  s.materials[0].youngs_modulus = 1e4;
  s.materials[0].density = 8000;
  addSphere(s, { -0.2, 0, 0 }, 0.02, { 60, 0, 0 });
  addSphere(s, { 0.2, 0, 0 }, 0.02, { -60, 0, 0 });
  s.particles.id = { 17, 42 };
  setSteps(s, 1e-5, 2000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(10);
  const dem::SnapshotBytes whole = sim.save();
  const std::string message = errorOf([&] { sim.advanceTo(2000); });
  EXPECT_TRUE(mentions(message, "17") || mentions(message, "42")) << message;
  EXPECT_MENTIONS(message, "overlap");
  EXPECT_MENTIONS(message, "0.00"); // meets at 3 ms
  EXPECT_TRUE(mentions(message, "TimeStep") || mentions(message, "time step") ||
    mentions(message, "YoungsModulus") || mentions(message, "Young"))
    << message;
  EXPECT_NE(errorOf([&] { sim.advanceTo(2000); }), "") << "a broken run must not go on";
  EXPECT_EQ(errorOf([&] { sim.frame(); }), message) << "some of the failed step is computed";
  EXPECT_EQ(errorOf([&] { sim.statistics(); }), message);
  EXPECT_MENTIONS(errorOf([&] { sim.save(); }), message);
  sim.restore(whole);
  EXPECT_EQ(sim.step(), 10u);
  sim.advanceTo(20);
  EXPECT_EQ(sim.step(), 20u);
}

// Who is infinitely far away has not left by a border.
TEST_P(Domain, InfinitePlacesStopTheRun)
{
  for (double pull : { -1e300, 1e300 })
    for (Exit y : { Exit::Wall, Exit::Remove })
    {
      dem::Scene s = smallBox(Exit::Wall, y, Exit::Wall);
      addSphere(s, { 0.05, 0.05, 0.05 }, 0.004);
      setSteps(s, 1e-5, 2000);
      dem::Simulation sim = simulate(s);
      sim.advanceTo(10);
      sim.apply({ 0, "Gravity", { pull, 0, pull } });
      EXPECT_MENTIONS(errorOf([&] { sim.advanceTo(20); }),
        "Particle 0 is no longer at a finite place at t = 0.00011 s (step 11)");
    }
}

TEST_P(Domain, BorderThroughAGrain)
{
  dem::Scene s = smallBox(Exit::Wall, Exit::Wall, Exit::Wall);
  addSphere(s, { 0.05, 0.05, 0.002 }, 0.005);
  const std::string message = errorOf([&] { simulate(s).advanceTo(5); });
  EXPECT_MENTIONS(message, "grain 0, 60 % of its radius in the domain's lower border in z");
  EXPECT_MENTIONS(message, "enlarge Domain");
}

// A wall that crushes a particle against another one is the same failure.
TEST_P(Domain, CrushingWallStopsTheRun)
{
  dem::Scene s = emptyScene();
  s.materials[0].youngs_modulus = 1e6;
  addSphere(s, { 0, 0, 0.01 }, 0.01);
  s.walls = { planeWall({ 0, 0, 0 }, { 0, 0, 1 }), planeWall({ 0, 0, 0.0201 }, { 0, 0, -1 }) };
  s.walls[1].motion.kind = dem::MotionKind::Translation;
  s.walls[1].motion.velocity = { 0, 0, -0.1 };
  setSteps(s, 1e-5, 40000);
  dem::Simulation sim = simulate(s);
  const std::string message = errorOf([&] { sim.advanceTo(40000); });
  EXPECT_MENTIONS(message, "0");
  EXPECT_MENTIONS(message, "overlap");
}

// The observer stops a run at a whole step, and the run goes on from there with the same bits.
TEST_P(Domain, ObserverStopsAtAWholeStep)
{
  dem::Scene s = smallBox(Exit::Wall, Exit::Wall, Exit::Wall);
  s.materials[0].restitution = 0.7;
  s.materials[0].friction = 0.4;
  addCloud(s, { 0, 0, 0 }, 6, 6, 6, 0.004, 0.008, 1, 14, 0.1 / 6, 20);
  setSteps(s, 5e-6, 20000);
  dem::Simulation a = simulate(s), b = simulate(s);
  std::uint64_t calls = 0, last = 0;
  const bool reached = a.advanceTo(20000, [&](std::uint64_t step, double time) {
    EXPECT_GE(step, last);
    EXPECT_NEAR(time, step * 5e-6, 1e-9);
    last = step;
    return ++calls < 2;
  });
  if (!reached)
  {
    EXPECT_EQ(a.step(), last);
    EXPECT_LT(a.step(), 20000u);
    const std::uint64_t target = a.step() + 1000;
    EXPECT_TRUE(a.advanceTo(target));
    b.advanceTo(target);
    EXPECT_SAME_BITS(a.frame(), b.frame());
  }
  EXPECT_GE(calls, 1u);
}

// Grains, and clumps, may be given anywhere along a periodic axis: some periods off they are the
// same.
TEST_P(Domain, InputBesideAPeriodicBox)
{
  for (const bool clump : { false, true })
  {
    dem::Frame end[2];
    for (int beside = 0; beside < 2; ++beside)
    {
      dem::Scene s = emptyScene();
      s.materials[0].restitution = 0.7;
      s.materials[0].friction = 0.4;
      const double period = 0.125; // positions stay exact
      s.domain.lower = { 0, -1, 0 };
      s.domain.upper = { period, 1, period };
      s.domain.exit = { Exit::Periodic, Exit::Wall, Exit::Periodic };
      s.shapes.push_back(dem::makeMultiSphere(
        "pair", { { 0, 0, 0.005 }, { 0, 0, -0.005 } }, { 0.0078125, 0.0078125 }));
      addSphere(s, { 0.0625 + beside * 3 * period, 0, 0.0625 - beside * period }, 0.0078125,
        { 0.5, 0.1, 0 }, { 0, 30, 0 });
      addSphere(s, { 0.1015625 - beside * period, 0, 0.0625 + beside * 2 * period }, 0.0078125,
        { -0.5, 0, 0 }, { 10, 0, 5 });
      s.particles.shape.assign(2, clump ? 1 : 0);
      setSteps(s, 1e-5, 5000);
      dem::Simulation sim = simulate(s);
      for (int k = 1; k <= 50 && end[beside].contacts.size == 0; ++k)
      {
        sim.advanceTo(100 * k);
        end[beside] = sim.frame();
      }
    }
    EXPECT_GT(end[0].contacts.size, 0u);
    EXPECT_SAME_BITS(end[0], end[1]) << (clump ? "clumps" : "spheres");
  }
}

// One that flies several periods in a step is where it should be.
TEST_P(Domain, FliesFurtherThanTheBoxIsLong)
{
  dem::Scene s = emptyScene();
  s.materials[0].youngs_modulus = 1e3; // soft: such steps are allowed
  s.domain.lower = { -0.01, -1, -1 };
  s.domain.upper = { 0.04, 1, 1 };
  s.domain.exit = { Exit::Periodic, Exit::Wall, Exit::Wall };
  const double v = -37, dt = 4e-3;
  addSphere(s, { 0.013, 0, 0 }, 0.01, { v, 0, 0 });
  setSteps(s, dt, 40);
  dem::Simulation sim = simulate(s);
  for (int k = 1; k <= 40; ++k)
  {
    advance(sim, 1);
    const double x = positionOf(sim.frame(), 0).x, turns = (x - (0.013 + k * dt * v)) / 0.05;
    EXPECT_GE(x, -0.01 - 1e-12);
    EXPECT_LE(x, 0.04 + 1e-12);
    EXPECT_NEAR(turns, std::round(turns), 1e-5);
  }
}

PARAGRAIN_ON_ALL_BACKENDS(Domain);
