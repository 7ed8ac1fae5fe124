// Bad input: each item is refused with a message that says what is wrong and where. Automatic step,
// plan of the steps.
#include "Scene/StepPlan.h"
#include "Scene/TimeStepAdvice.h"
#include "Scene/Validate.h"
#include "Reference.h"
#include "TestSupport.h"

#include <functional>
#include <limits>

using namespace test;

namespace
{

const double nan_ = std::numeric_limits<double>::quiet_NaN();
const double inf_ = std::numeric_limits<double>::infinity();

dem::Scene goodScene()
{
  dem::Scene s = emptyScene();
  s.materials.push_back({ "Wall", 1e8, 0.2, 7800, 0.6, 0.4, 0.0 });
  for (int i = 0; i < 5; ++i)
  {
    addSphere(s, { 0.05 * i, 0, 0 }, 0.01);
  }
  dem::Wall mesh;
  mesh.name = "funnel";
  mesh.points = { { -0.5, -0.5, -0.1 }, { 0.5, -0.5, -0.1 }, { 0.5, 0.5, -0.1 },
    { -0.5, 0.5, -0.1 } };
  mesh.triangles = { { 0, 1, 2 }, { 0, 2, 3 } };
  mesh.material = 1;
  s.walls.push_back(mesh);
  return s;
}

dem::Wall wallOf(dem::WallKind kind)
{
  dem::Wall w;
  w.name = "part";
  w.kind = kind;
  w.origin = { 0, 0, -0.5 };
  w.end = { 0.1, 0.1, -0.4 };
  w.edge_u = { 0.1, 0, 0 };
  w.edge_v = { 0, 0.1, 0 };
  w.radius = 0.05;
  w.end_radius = 0.02;
  return w;
}

struct Case
{
  const char* name;
  std::function<void(dem::Scene&)> spoil;
  std::vector<std::string> words; // all must be in the message
};

void expectRefused(const std::vector<Case>& cases)
{
  for (const Case& c : cases)
  {
    SCOPED_TRACE(c.name);
    dem::Scene s = goodScene();
    c.spoil(s);
    const std::string message = errorOf([&] { dem::validate(s); });
    for (const std::string& word : c.words)
    {
      EXPECT_MENTIONS(message, word);
    }
    // the solver refuses it as well
    EXPECT_NE(errorOf([&] { dem::Simulation sim(s, { dem::DeviceKind::CPU, 1 }); }), "");
  }
}

} // namespace

TEST(Validate, GoodScenesPass)
{
  EXPECT_NO_THROW(dem::validate(goodScene()));
  dem::Scene s = goodScene();
  for (dem::WallKind k : { dem::WallKind::Plane, dem::WallKind::Rectangle, dem::WallKind::Line,
         dem::WallKind::Box, dem::WallKind::Cylinder, dem::WallKind::Cone })
  {
    s.walls.push_back(wallOf(k));
  }
  s.materials[0].poissons_ratio = 0.5; // the ends that are allowed
  s.materials[0].restitution = 1;
  s.materials[0].friction = 0;
  EXPECT_NO_THROW(dem::validate(s));
  EXPECT_NO_THROW(dem::validate(dem::Scene(s)));
}

TEST(Validate, Particles)
{
  expectRefused({
    { "none", [](auto& s) { s.particles = {}; }, { "particle" } },
    { "missing radii", [](auto& s) { s.particles.radius.clear(); }, { "particles" } },
    { "fewer radii", [](auto& s) { s.particles.radius.pop_back(); }, { "4", "5" } },
    { "zero radius", [](auto& s) { s.particles.radius[3] = 0; }, { "radius", "3" } },
    { "negative radius", [](auto& s) { s.particles.radius[3] = -0.01; }, { "radius", "3" } },
    { "NaN radius", [](auto& s) { s.particles.radius[2] = nan_; }, { "radius", "2" } },
    { "infinite radius", [](auto& s) { s.particles.radius[2] = inf_; }, { "radius", "2" } },
    { "NaN position", [](auto& s) { s.particles.position[4].y = nan_; }, { "position", "4" } },
    { "infinite position", [](auto& s) { s.particles.position[4].y = inf_; }, { "position", "4" } },
    { "NaN velocity", [](auto& s) { s.particles.velocity[1].z = nan_; }, { "velocity", "1" } },
    { "NaN spin", [](auto& s) { s.particles.angular_velocity[1].z = nan_; }, { "velocity", "1" } },
    { "velocities too few", [](auto& s) { s.particles.velocity.pop_back(); },
      { "velocit", "4", "5" } },
    { "spins too many", [](auto& s) { s.particles.angular_velocity.push_back({}); }, { "6", "5" } },
    { "orientations too few", [](auto& s) { s.particles.orientation.resize(2); },
      { "orientation", "2", "5" } },
    { "orientation zero",
      [](auto& s) {
        s.particles.orientation.resize(5);
        s.particles.orientation[3] = { 0, 0, 0, 0 };
      },
      { "orientation", "3" } },
    { "materials too few", [](auto& s) { s.particles.material.pop_back(); }, { "material" } },
    { "material unknown", [](auto& s) { s.particles.material[2] = 7; }, { "material", "7", "2" } },
    { "material negative", [](auto& s) { s.particles.material[2] = -1; },
      { "material", "-1", "2" } },
    { "ids too few",
      [](auto& s) {
        s.particles.id = { 1, 2 };
      },
      { "id", "2", "5" } },
    { "id negative",
      [](auto& s) {
        s.particles.id = { 1, 2, -3, 4, 5 };
      },
      { "id", "-3" } },
    { "id twice",
      [](auto& s) {
        s.particles.id = { 1, 2, 77, 4, 77 };
      },
      { "id", "77" } },
  });
}

TEST(Validate, Materials)
{
  expectRefused({
    { "none", [](auto& s) { s.materials.clear(); }, { "material" } },
    { "negative modulus", [](auto& s) { s.materials[1].youngs_modulus = -1e7; },
      { "YoungsModulus", "Wall" } },
    { "zero modulus", [](auto& s) { s.materials[0].youngs_modulus = 0; }, { "YoungsModulus" } },
    { "NaN modulus", [](auto& s) { s.materials[0].youngs_modulus = nan_; }, { "YoungsModulus" } },
    { "Poisson -1", [](auto& s) { s.materials[0].poissons_ratio = -1; },
      { "PoissonsRatio", "0.5" } },
    { "Poisson 0.51", [](auto& s) { s.materials[0].poissons_ratio = 0.51; },
      { "PoissonsRatio", "0.51" } },
    { "Poisson NaN", [](auto& s) { s.materials[0].poissons_ratio = nan_; }, { "PoissonsRatio" } },
    { "no density", [](auto& s) { s.materials[0].density = 0; }, { "Density" } },
    { "restitution 0", [](auto& s) { s.materials[0].restitution = 0; }, { "Restitution" } },
    { "restitution 1.1", [](auto& s) { s.materials[0].restitution = 1.1; },
      { "Restitution", "1.1" } },
    { "negative friction", [](auto& s) { s.materials[0].friction = -0.1; },
      { "Friction", "-0.1" } },
    { "negative rolling friction", [](auto& s) { s.materials[0].rolling_friction = -0.1; },
      { "RollingFriction" } },
    { "pair of unknown",
      [](auto& s) {
        s.pairs.push_back({ 0, 5, 0.5, {}, {} });
      },
      { "pair", "5" } },
    { "pair with restitution 2",
      [](auto& s) {
        s.pairs.push_back({ 0, 1, 2.0, {}, {} });
      },
      { "restitution" } },
    { "pair with negative friction",
      [](auto& s) {
        s.pairs.push_back({ 0, 1, {}, -1.0, {} });
      },
      { "friction" } },
    { "pair with NaN",
      [](auto& s) {
        s.pairs.push_back({ 0, 1, {}, {}, nan_ });
      },
      { "friction" } },
  });
}

TEST(Validate, Walls)
{
  using K = dem::WallKind;
  const auto with = [](K kind, std::function<void(dem::Wall&)> change) {
    return [=](dem::Scene& s) {
      s.walls.push_back(wallOf(kind));
      change(s.walls.back());
    };
  };
  expectRefused({
    { "mesh without triangles", [](auto& s) { s.walls[0].triangles.clear(); },
      { "funnel", "triangle" } },
    { "mesh without points", [](auto& s) { s.walls[0].points.clear(); }, { "funnel" } },
    { "index too large", [](auto& s) { s.walls[0].triangles[1][2] = 4; }, { "funnel", "1", "4" } },
    { "index negative", [](auto& s) { s.walls[0].triangles[1][0] = -1; }, { "funnel", "1" } },
    { "NaN point", [](auto& s) { s.walls[0].points[2].x = nan_; }, { "funnel", "2" } },
    { "no triangle with an area",
      [](auto& s) {
        s.walls[0].points.push_back({ 0, -0.5, -0.1 });
        s.walls[0].triangles = { { 0, 2, 2 }, { 0, 4, 1 } };
      },
      { "Wall 0", "funnel", "none of its 2 triangles has an area" } },
    { "its only triangle on a line",
      [](auto& s) {
        s.walls[0].triangles = { { 0, 2, 2 } };
      },
      { "funnel", "only triangle" } },
    { "wall of unknown material", [](auto& s) { s.walls[0].material = 2; },
      { "funnel", "material", "2" } },
    { "plane without normal", with(K::Plane, [](auto& w) { w.normal = {}; }),
      { "part", "normal" } },
    { "plane NaN", with(K::Plane, [](auto& w) { w.origin.x = nan_; }), { "part" } },
    { "rectangle of parallel edges", with(K::Rectangle, [](auto& w) { w.edge_v = 2.0 * w.edge_u; }),
      { "part", "edge" } },
    { "rectangle without an edge", with(K::Rectangle, [](auto& w) { w.edge_u = {}; }),
      { "part", "edge" } },
    { "line of no length", with(K::Line, [](auto& w) { w.end = w.origin; }), { "part" } },
    { "flat box", with(K::Box, [](auto& w) { w.end.y = w.origin.y; }), { "part" } },
    { "cylinder of no radius", with(K::Cylinder, [](auto& w) { w.radius = 0; }),
      { "part", "radius" } },
    { "cylinder of no length", with(K::Cylinder, [](auto& w) { w.end = w.origin; }), { "part" } },
    { "cone of negative radius", with(K::Cone, [](auto& w) { w.end_radius = -1; }),
      { "part", "radii" } },
    { "cone of no radius", with(K::Cone, [](auto& w) { w.radius = w.end_radius = 0; }),
      { "part", "radii" } },
    { "rotation without axis",
      with(K::Plane,
        [](auto& w) {
          w.motion.kind = dem::MotionKind::Rotation;
          w.motion.axis = {};
        }),
      { "part", "axis" } },
    { "rotation NaN",
      with(K::Plane,
        [](auto& w) {
          w.motion.kind = dem::MotionKind::Rotation;
          w.motion.rate = nan_;
        }),
      { "part" } },
    { "translation infinite",
      with(K::Plane,
        [](auto& w) {
          w.motion.kind = dem::MotionKind::Translation;
          w.motion.velocity.x = inf_;
        }),
      { "part" } },
    { "oscillation without axis",
      with(K::Plane,
        [](auto& w) {
          w.motion.kind = dem::MotionKind::Oscillation;
          w.motion.axis = {};
          w.motion.amplitude = 1;
        }),
      { "part", "axis" } },
    { "stops before it starts",
      with(K::Plane,
        [](auto& w) {
          w.motion.kind = dem::MotionKind::Rotation;
          w.motion.start = 2;
          w.motion.stop = 1;
        }),
      { "part", "stop" } },
  });
}

TEST(Validate, DomainLawAndTimes)
{
  expectRefused({
    { "domain inside out", [](auto& s) { s.domain.lower.y = 2; }, { "domain", "y" } },
    { "domain NaN", [](auto& s) { s.domain.lower.z = nan_; }, { "domain" } },
    { "domain leaves particles out", [](auto& s) { s.domain.upper.x = 0.12; },
      { "domain", "2", "particle" } },
    { "domain's wall material", [](auto& s) { s.domain.wall_material = 9; },
      { "domain", "material", "9" } },
    { "periodic box narrower than its particles reach",
      [](auto& s) {
        s.domain.lower.y = -0.012;
        s.domain.upper.y = 0.012;
        s.domain.exit[1] = dem::Exit::Periodic;
      },
      { "period", "y" } },
    { "gravity NaN", [](auto& s) { s.gravity.z = nan_; }, { "gravity" } },
    { "collision time",
      [](auto& s) {
        s.contact.law = dem::NormalLaw::LinearSpringDashpot;
        s.contact.collision_time = 0;
      },
      { "CollisionTime" } },
    { "normal stiffness",
      [](auto& s) {
        s.contact.law = dem::NormalLaw::LinearSpringDashpot;
        s.contact.normal_stiffness = -5;
      },
      { "NormalStiffness" } },
    { "stiffness ratio",
      [](auto& s) {
        s.contact.law = dem::NormalLaw::LinearSpringDashpot;
        s.contact.stiffness_ratio = -0.1;
      },
      { "StiffnessRatio" } },
    { "rolling damping", [](auto& s) { s.contact.rolling_damping = -1; }, { "rolling" } },
    { "negative step", [](auto& s) { s.time_step = -1e-5; }, { "TimeStep" } },
    { "NaN step", [](auto& s) { s.time_step = nan_; }, { "TimeStep" } },
    { "end before start", [](auto& s) { s.end_time = -1; }, { "EndTime" } },
    { "end NaN", [](auto& s) { s.end_time = nan_; }, { "EndTime" } },
    { "no output interval", [](auto& s) { s.output_interval = 0; }, { "OutputInterval" } },
    { "negative skin", [](auto& s) { s.skin = -0.001; }, { "Skin" } },
    { "overlap tolerance", [](auto& s) { s.initial_overlap_tolerance = -1; }, { "overlap" } },
    { "event of unknown property",
      [](auto& s) {
        s.events.push_back({ 0.1, "Colour", { 1 } });
      },
      { "Colour", "Gravity" } },
    { "event with too few numbers",
      [](auto& s) {
        s.events.push_back({ 0.1, "Gravity", { 1 } });
      },
      { "Gravity", "3" } },
    { "event with a bad value",
      [](auto& s) {
        s.events.push_back({ 0.1, "Restitution", { 3 } });
      },
      { "Restitution" } },
    { "event of an unknown wall",
      [](auto& s) {
        s.events.push_back({ 0.1, "WallRate", { 9, 1 } });
      },
      { "wall", "9" } },
    { "event of the rate of a wall at rest",
      [](auto& s) {
        s.events.push_back({ 0.1, "WallRate", { 0, 1 } });
      },
      { "WallRate", "wall 0", "funnel", "Fixed", "Rotation" } },
    { "event of the velocity of a wall at rest",
      [](auto& s) {
        s.events.push_back({ 0.1, "WallVelocity", { 0, 0, 0, 1 } });
      },
      { "WallVelocity", "wall 0", "funnel", "Fixed", "Translation" } },
    { "event of the rate of a wall that translates",
      [](auto& s) {
        s.walls[0].motion.kind = dem::MotionKind::Translation;
        s.events.push_back({ 0.1, "WallRate", { 0, 1 } });
      },
      { "WallRate", "funnel", "Translation" } },
    { "event of the velocity of a wall that oscillates",
      [](auto& s) {
        s.walls[0].motion.kind = dem::MotionKind::Oscillation;
        s.events.push_back({ 0.1, "WallVelocity", { 0, 0, 0, 1 } });
      },
      { "WallVelocity", "funnel", "Oscillation" } },
    { "events not in order",
      [](auto& s) {
        s.events = { { 0.2, "Friction", { 0.1 } }, { 0.1, "Friction", { 0.2 } } };
      },
      { "event" } },
  });
}

// A step that is too large is refused, with what would do; just below the limit it runs.
TEST(Validate, StepTooLarge)
{
  dem::Scene s = goodScene();
  const dem::TimeStepAdvice advice = dem::adviseTimeStep(s);
  ASSERT_GT(advice.largest_allowed, advice.recommended);
  s.time_step = 1.5 * advice.largest_allowed;
  s.output_interval = 100 * s.time_step;
  s.end_time = s.output_interval;
  const std::string message = errorOf([&] { dem::Simulation sim(s, { dem::DeviceKind::CPU, 1 }); });
  EXPECT_MENTIONS(message, "TimeStep");
  EXPECT_MENTIONS(message, "Rayleigh");
  EXPECT_MENTIONS(message, "automatic");
  s.time_step = 0.99 * advice.largest_allowed;
  s.output_interval = s.end_time = 100 * s.time_step;
  EXPECT_NO_THROW(dem::Simulation(s, { dem::DeviceKind::CPU, 1 }).advanceTo(100));
}

// Overlapping particles: the worst pair is named; a tolerance lets them pass; relaxing pushes them
// apart.
TEST(Validate, InitialOverlaps)
{
  dem::Scene s = goodScene();
  s.particles.position[3] = s.particles.position[2] + Vec3d{ 0.016, 0, 0 }; // 40 % of the radius
  s.particles.id = { 10, 11, 12, 13, 14 };
  const std::string message = errorOf([&] { dem::Simulation sim(s, { dem::DeviceKind::CPU, 1 }); });
  EXPECT_MENTIONS(message, "12");
  EXPECT_MENTIONS(message, "13");
  EXPECT_MENTIONS(message, "overlap");
  EXPECT_MENTIONS(message, "40 %");
  EXPECT_MENTIONS(message, "Relax");
  dem::Scene tolerant = s;
  tolerant.initial_overlap_tolerance = 0.5;
  EXPECT_NO_THROW(dem::Simulation(tolerant, { dem::DeviceKind::CPU, 1 }));
  dem::Scene relaxed = s;
  relaxed.relax_initial_overlaps = true;
  // a crowd, one centre on another, and some in the wall
  addCloud(relaxed, { -0.2, 0.2, 0.2 }, 5, 5, 5, 0.008, 0.01, 0, 3, 0.019);
  addSphere(relaxed, { 0.1, 0, 0 }, 0.01);
  relaxed.particles.id.clear();
  dem::Simulation sim(relaxed, { dem::DeviceKind::CPU, 1 });
  const dem::Frame f = sim.frame();
  EXPECT_LE(f.statistics.largest_overlap, relaxed.initial_overlap_tolerance * 1.001);
  for (std::size_t i = 0; i < f.size; ++i)
  {
    EXPECT_LT(length(positionOf(f, i) - relaxed.particles.position[i]), 0.03)
      << "moved no further than needed";
  }
  sim.advanceTo(100);
}

// A period is measured by how far a grain reaches, not by the sphere of its volume.
TEST(Validate, PeriodsOfLongGrains)
{
  dem::Scene s = emptyScene();
  s.shapes.push_back(
    dem::makeMultiSphere("bar", { { 0.02, 0, 0 }, { -0.02, 0, 0 } }, { 0.005, 0.005 }));
  addSphere(s, { 0, 0, 0 }, std::cbrt(0.75 / M_PI * s.shapes[1].mass.volume));
  s.particles.shape = { 1 };
  s.domain.exit[1] = dem::Exit::Periodic;
  for (const double period : { 4.39, 4.41 })
  {
    s.domain.lower.y = -0.5 * period * 0.025;
    s.domain.upper.y = -s.domain.lower.y;
    if (period > 4.4)
      EXPECT_NO_THROW(dem::validate(s));
    else
      EXPECT_MENTIONS(errorOf([&] { dem::validate(s); }), "too short for grains of radius 0.025 m");
  }
}

// Overlaps are measured by the smaller radius: 3 % of the larger are 30 % of one a tenth as large.
TEST(Validate, OverlapsOfUnequalSpheres)
{
  dem::Scene s = goodScene();
  addSphere(s, { 0, 0, 0.01 + 0.001 - 0.0003 }, 0.001);
  EXPECT_MENTIONS(errorOf([&] {
    dem::Simulation sim(s, { dem::DeviceKind::CPU, 1 });
  }),
    "the deepest is 30 %, of grains 0 and 5 near");
}

// Exactly at the tolerance counts as accepted.
TEST(Validate, SmallOverlapsPass)
{
  dem::Scene s = goodScene();
  s.particles.position[3] = s.particles.position[2] + Vec3d{ 0.0196, 0, 0 };
  EXPECT_NO_THROW(dem::Simulation(s, { dem::DeviceKind::CPU, 1 }).advanceTo(10));
}

// ----
// time step

// Rayleigh time of a sphere, pi R sqrt(rho / G) / (0.1631 nu + 0.8766): Li, Xu, Thornton, Powder
// Technol. 160 (2005) 219, eq. 7; the least over the particles. The contact time is Hertz's at the
// fastest approach.
TEST(Validate, TimeStepAdvice)
{
  dem::Scene s = emptyScene();
  s.materials = { { "a", 1e8, 0.3, 2500, 0.9, 0.5, 0 }, { "b", 1e7, 0.2, 1000, 0.9, 0.5, 0 } };
  addSphere(s, { 0, 0, 0 }, 0.01, { 1, 0, 0 }, {}, 0);
  addSphere(s, { 0.1, 0, 0 }, 0.004, { -2, 0, 0 }, {}, 1);
  addSphere(s, { 0.2, 0, 0 }, 0.002, { 0, 0.5, 0 }, {}, 0);
  const dem::TimeStepAdvice advice = dem::adviseTimeStep(s);
  const auto rayleigh = [](double r, double young, double nu, double rho) {
    return M_PI * r * std::sqrt(rho * 2 * (1 + nu) / young) / (0.1631 * nu + 0.8766);
  };
  const double shortest = std::min({ rayleigh(0.01, 1e8, 0.3, 2500),
    rayleigh(0.004, 1e7, 0.2, 1000), rayleigh(0.002, 1e8, 0.3, 2500) });
  EXPECT_NEAR(advice.rayleigh_time / shortest, 1, 2e-3);
  EXPECT_GE(advice.fastest_approach, 3.0 * 0.999); // 1 and -2 head-on
  EXPECT_LE(advice.fastest_approach, 2 * 2.0 * 1.3);
  // the shortest contact: two of the smallest, hardest sphere at that speed
  const double m = 0.5 * sphereMass(0.002, 2500);
  const reference::Law law = reference::hertzMindlin({ 1e8, 0.3 }, { 1e8, 0.3 }, 1, 0);
  const double contact =
    reference::hertzClosedForm(law, 0.001, m, advice.fastest_approach).duration;
  EXPECT_NEAR(advice.contact_duration / contact, 1, 0.05);
  EXPECT_NEAR(
    advice.recommended / std::min(0.2 * advice.rayleigh_time, advice.contact_duration / 40), 1,
    1e-9);
  EXPECT_GT(advice.largest_allowed, advice.recommended);

  s.contact.law = dem::NormalLaw::LinearSpringDashpot;
  s.contact.collision_time = 1e-4;
  EXPECT_NEAR(dem::adviseTimeStep(s).contact_duration, 1e-4, 1e-10);
  EXPECT_LE(dem::adviseTimeStep(s).recommended, 1e-4 / 40 * 1.000001);
}

// A fall through the domain and a moving wall count as approach.
TEST(Validate, FastestApproach)
{
  dem::Scene s = emptyScene();
  addSphere(s, { 0, 0, 0.9 }, 0.01);
  s.gravity = { 0, 0, -9.81 };
  const double fall = std::sqrt(2 * 9.81 * 2.0);
  EXPECT_GE(dem::adviseTimeStep(s).fastest_approach, 0.9 * std::sqrt(2 * 9.81 * 1.9));
  EXPECT_LE(dem::adviseTimeStep(s).fastest_approach, 2.1 * fall);
  s.gravity = {};
  s.walls = { planeWall({ 0, 0, -0.5 }, { 0, 0, 1 }) };
  s.walls[0].motion.kind = dem::MotionKind::Translation;
  s.walls[0].motion.velocity = { 0, 0, 7 };
  EXPECT_GE(dem::adviseTimeStep(s).fastest_approach, 6.9);
  s.walls[0].motion.kind = dem::MotionKind::Oscillation;
  s.walls[0].motion.axis = { 0, 0, 1 };
  s.walls[0].motion.amplitude = 0.01;
  s.walls[0].motion.frequency = 100;
  EXPECT_GE(dem::adviseTimeStep(s).fastest_approach, 0.99 * 2 * M_PI);
}

// The step is lowered so that outputs fall on whole steps.
TEST(Validate, StepsDivideTheOutputInterval)
{
  dem::Scene s = goodScene();
  for (double interval : { 0.01, 0.033, 1e-4, 0.5 })
  {
    for (double step : { 0.0, 1e-6, 7.3e-6, 1.1e-5 })
    {
      s.output_interval = interval;
      s.end_time = 10 * interval;
      s.time_step = step;
      const double wanted = step > 0 ? step : dem::adviseTimeStep(s).recommended;
      const dem::StepPlan plan = dem::planSteps(s);
      EXPECT_LE(plan.time_step, wanted * (1 + 1e-9));
      EXPECT_NEAR(plan.time_step * static_cast<double>(plan.steps_per_output) / interval, 1, 1e-12);
      EXPECT_GT(plan.time_step,
        wanted * interval / (interval + wanted) * (1 - 1e-9)); // no smaller than it must be
      EXPECT_EQ(plan.outputs, 11u);
    }
  }
  s.output_interval = 0.3; // an end that is no multiple
  s.end_time = 1;
  EXPECT_EQ(dem::planSteps(s).outputs, 4u);
}
