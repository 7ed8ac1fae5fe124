// Contact laws: restitution, peak overlap and duration together (each sees a fault the others
// miss), friction in all its options, coefficients of pairs. Numbers come from Reference.h and from
// closed forms.
#include "Reference.h"
#include "TestSupport.h"

#include "Physics/ContactLaw.cuh"
#include "Scene/TimeStepAdvice.h"

#include "Solver/Simulation.h"

using namespace test;

namespace
{

class Contact : public BackendTest
{
};

const Vec3d direction{ 1.0 / 3, 2.0 / 3,
  2.0 / 3 }; // oblique to all axes: a swapped component would show
const Vec3d middle{ 0.1, 0.2, 0.3 };

struct Body
{
  double radius, density, young, poisson;
};

reference::Solid solid(const Body& b) { return { b.young, b.poisson }; }

dem::Material material(const Body& b, double e, double mu = 0)
{
  dem::Material m;
  m.youngs_modulus = b.young;
  m.poissons_ratio = b.poisson;
  m.density = b.density;
  m.restitution = e;
  m.friction = mu;
  return m;
}

struct Pair
{
  const char* name;
  Body a, b;
  bool wall; // b is a plane
};

const Pair pairs[] = {
  { "equal", { 0.005, 2500, 1e7, 0.3 }, { 0.005, 2500, 1e7, 0.3 }, false },
  { "unequal radii", { 0.002, 2500, 1e7, 0.3 }, { 0.008, 2500, 1e7, 0.3 }, false },
  { "unequal in all", { 0.003, 7800, 5e7, 0.2 }, { 0.006, 1000, 1e7, 0.45 }, false },
  { "wall", { 0.004, 2500, 1e7, 0.3 }, { 0, 0, 3e7, 0.25 }, true },
};

// Overlap, step by step, of one head-on impact.
reference::HeadOn measure(dem::Simulation& sim, const Pair& pair, double speed)
{
  const double dt = sim.plan().time_step;
  double before = 0, peak = 0, begin = -1, end = -1;
  for (long i = 0; end < 0 && i < 2000000; ++i)
  {
    advance(sim, 1);
    const dem::Frame f = sim.frame(motionOnly());
    const double overlap = pair.wall
      ? pair.a.radius - dot(positionOf(f, 0) - middle, direction)
      : pair.a.radius + pair.b.radius - length(positionOf(f, 0) - positionOf(f, 1));
    const double t = f.time;
    if (i > 0 && before <= 0 && overlap > 0)
    {
      begin = t - dt * overlap / (overlap - before);
    }
    if (begin >= 0 && overlap <= 0)
    {
      end = t - dt * overlap / (overlap - before);
    }
    peak = std::max(peak, overlap);
    before = overlap;
  }
  advance(sim, 2);
  const dem::Frame f = sim.frame(motionOnly());
  const Vec3d relative = pair.wall ? velocityOf(f, 0) : velocityOf(f, 0) - velocityOf(f, 1);
  return { dot(relative, direction) / speed, peak, end - begin };
}

void expectAsFor(const reference::HeadOn& seen, const reference::HeadOn& expected, double part)
{
  EXPECT_NEAR(seen.restitution / expected.restitution, 1, part);
  EXPECT_NEAR(seen.peak / expected.peak, 1, part);
  EXPECT_NEAR(seen.duration / expected.duration, 1, part);
}

dem::Scene headOnScene(const Pair& pair, double e, double speed, double gap)
{
  dem::Scene s = emptyScene();
  s.materials = { material(pair.a, e), material(pair.b, e) };
  s.pairs = { { 0, 1, e, 0.0, 0.0 } };
  const double m1 = sphereMass(pair.a.radius, pair.a.density),
               m2 = sphereMass(pair.b.radius, pair.b.density);
  if (pair.wall)
  {
    s.materials[1].density = 1000;
    addSphere(s, middle + (pair.a.radius + gap) * direction, pair.a.radius, -speed * direction);
    s.walls.push_back(planeWall(middle, direction, 1));
  }
  else
  {
    // the centre of mass drifts, so that an error in the relative velocity shows
    const Vec3d drift{ 0.01, -0.02, 0.03 };
    addSphere(s, middle, pair.a.radius, drift - (speed * m2 / (m1 + m2)) * direction);
    addSphere(s, middle - (pair.a.radius + pair.b.radius + gap) * direction, pair.b.radius,
      drift + (speed * m1 / (m1 + m2)) * direction, {}, 1);
  }
  return s;
}

double effectiveRadius(const Pair& p)
{
  return p.wall ? p.a.radius : p.a.radius * p.b.radius / (p.a.radius + p.b.radius);
}

double effectiveMass(const Pair& p)
{
  const double m1 = sphereMass(p.a.radius, p.a.density), m2 = sphereMass(p.b.radius, p.b.density);
  return p.wall ? m1 : m1 * m2 / (m1 + m2);
}

} // namespace

// Item 1. Source: Runge-Kutta integration of the same law (Reference.h). Tolerances: 1e-3 at 1/1000
// of the contact time.
TEST_P(Contact, HeadOnAtFineStep)
{
  const double speed = 1;
  for (const Pair& pair : pairs)
  {
    for (double e : { 0.3, 0.7, 0.95, 1.0 })
    {
      SCOPED_TRACE(std::string(pair.name) + ", e = " + std::to_string(e));
      const reference::Law law = reference::hertzMindlin(solid(pair.a), solid(pair.b), e, 0);
      const reference::HeadOn expected =
        reference::headOn(law, effectiveRadius(pair), effectiveMass(pair), speed);
      const double dt = expected.duration / 1000;
      dem::Scene s = headOnScene(pair, e, speed, 3.5 * dt * speed);
      setSteps(s, dt, 5000);
      dem::Simulation sim = simulate(s);
      const reference::HeadOn seen = measure(sim, pair, speed);
      expectAsFor(seen, expected, 1e-3);
      if (e == 1)
      {
        const reference::HeadOn closed =
          reference::hertzClosedForm(law, effectiveRadius(pair), effectiveMass(pair), speed);
        EXPECT_NEAR(seen.peak / closed.peak, 1, 1e-3);
        EXPECT_NEAR(seen.duration / closed.duration, 1, 1e-3);
      }
    }
  }
}

// Item 1 at the automatic step: 2e-2. Several phases of the step against first touch, since 1/40 of
// a contact is coarse.
TEST_P(Contact, HeadOnAtAutomaticStep)
{
  const double speed = 1;
  for (const Pair& pair : pairs)
  {
    for (double e : { 0.3, 0.7, 0.95, 1.0 })
    {
      const reference::Law law = reference::hertzMindlin(solid(pair.a), solid(pair.b), e, 0);
      const reference::HeadOn expected =
        reference::headOn(law, effectiveRadius(pair), effectiveMass(pair), speed);
      for (double phase : { 2.05, 2.35, 2.65, 2.95 })
      {
        SCOPED_TRACE(std::string(pair.name) + ", e = " + std::to_string(e) + ", phase " +
          std::to_string(phase));
        dem::Scene s = headOnScene(pair, e, speed, 0.0);
        s.time_step = 0;
        s.end_time = s.output_interval = 20 * expected.duration;
        s = headOnScene(pair, e, speed, phase * dem::adviseTimeStep(s).recommended * speed);
        s.time_step = 0;
        s.end_time = s.output_interval = 20 * expected.duration;
        dem::Simulation sim = simulate(s);
        const reference::HeadOn seen = measure(sim, pair, speed);
        expectAsFor(seen, expected, 2e-2);
      }
    }
  }
}

// Source: Runge-Kutta with the pull cut off; 1e-3.
TEST_P(Contact, ClampedNormalForce)
{
  const Pair& pair = pairs[0];
  reference::Law law = reference::hertzMindlin(solid(pair.a), solid(pair.b), 0.5, 0);
  law.clamp = true;
  const reference::HeadOn expected =
    reference::headOn(law, effectiveRadius(pair), effectiveMass(pair), 1);
  const double dt = expected.duration / 1000;
  dem::Scene s = headOnScene(pair, 0.5, 1, 3.5 * dt);
  s.contact.clamp_normal_force = true;
  setSteps(s, dt, 5000);
  dem::Simulation sim = simulate(s);
  const reference::HeadOn seen = measure(sim, pair, 1);
  EXPECT_NEAR(seen.restitution / expected.restitution, 1, 1e-3);
  EXPECT_NEAR(seen.peak / expected.peak, 1, 1e-3);
  // after the pull is cut the pair creeps apart almost without force: the end is a glancing
  // crossing
  EXPECT_NEAR(seen.duration / expected.duration, 1, 2e-3);
}

// Source: damped linear oscillator in closed form; 1e-3. By collision time and by stiffness.
TEST_P(Contact, LinearLaw)
{
  const double speed = 0.5;
  for (const Pair& pair : pairs)
  {
    for (double e : { 0.3, 0.95, 1.0 })
    {
      for (bool by_stiffness : { false, true })
      {
        SCOPED_TRACE(std::string(pair.name) + ", e = " + std::to_string(e) +
          (by_stiffness ? ", by stiffness" : ""));
        const double m = effectiveMass(pair), l = std::log(e);
        const double stiffness = 2000;
        const double tc = by_stiffness ? std::sqrt(m * (M_PI * M_PI + l * l) / stiffness) : 5e-4;
        const reference::HeadOn expected = reference::linearClosedForm(tc, e, speed);
        const double dt = tc / 1000;
        dem::Scene s = headOnScene(pair, e, speed, 3.5 * dt * speed);
        s.contact.law = dem::NormalLaw::LinearSpringDashpot;
        s.contact.collision_time = tc;
        s.contact.normal_stiffness = by_stiffness ? stiffness : 0;
        setSteps(s, dt, 5000);
        dem::Simulation sim = simulate(s);
        const reference::HeadOn seen = measure(sim, pair, speed);
        expectAsFor(seen, expected, 1e-3);
      }
    }
  }
}

// Coefficients of unlike materials: geometric means, or what the pair table says (Scene.h). Checked
// through the outcome.
TEST_P(Contact, PairsOfMaterials)
{
  const Pair& pair = pairs[0];
  for (int given : { 0, 1 })
  {
    const double e = given ? 0.8 : std::sqrt(0.4 * 0.9);
    dem::Scene s = headOnScene(pair, 1, 1, 1e-6);
    s.materials[0].restitution = 0.4;
    s.materials[1].restitution = 0.9;
    s.pairs.clear();
    if (given)
    {
      s.pairs.push_back({ 1, 0, 0.8, {}, {} }); // order of the two names does not count
    }
    setSteps(s, 5e-7, 20000);
    dem::Simulation sim = simulate(s);
    EXPECT_NEAR(measure(sim, pair, 1).restitution, e, 2e-3);
  }
}

// Oblique impacts with spin of unequal spheres and against a wall, every option of the tangential
// law, in three dimensions. Source: Reference.h (World) at 1/50000 of a contact; tolerance 1e-3 of
// the impact speed, at 1/1000.
TEST_P(Contact, ObliqueImpactInAllOptions)
{
  struct Option
  {
    const char* name;
    bool history;
    dem::FrictionLimit limit;
    dem::TangentialDamping damping;
    double mu;
    bool linear;
  };
  using L = dem::FrictionLimit;
  using D = dem::TangentialDamping;
  const Option table[] = {
    { "default", true, L::Total, D::Mindlin, 0.3, false },
    { "sticking", true, L::Total, D::Mindlin, 2.0, false },
    { "elastic limit", true, L::Elastic, D::Mindlin, 0.3, false },
    { "damping as normal", true, L::Total, D::EqualToNormal, 0.6, false },
    { "no tangential damping", true, L::Total, D::None, 0.6, false },
    { "no history", false, L::Total, D::Mindlin, 0.3, false },
    { "no history, elastic limit", false, L::Elastic, D::Mindlin, 0.3, false },
    { "no history, damping as normal", false, L::Total, D::EqualToNormal, 0.3, false },
    { "linear", true, L::Total, D::None, 0.5, true },
    { "linear, damping as normal", true, L::Total, D::EqualToNormal, 0.5, true },
  };
  for (const Pair& pair : { pairs[1], pairs[2], pairs[3] })
  {
    for (const Option& option : table)
    {
      SCOPED_TRACE(std::string(pair.name) + ": " + option.name);
      const double e = 0.8, tc_linear = 4e-4, ratio = 2.0 / 7;
      dem::Scene s = headOnScene(pair, e, 1, 0);
      s.pairs[0].friction = option.mu;
      s.contact.tangential_history = option.history;
      s.contact.friction_limit = option.limit;
      s.contact.tangential_damping = option.damping;
      s.contact.law =
        option.linear ? dem::NormalLaw::LinearSpringDashpot : dem::NormalLaw::HertzMindlin;
      s.contact.collision_time = tc_linear;
      s.contact.stiffness_ratio = ratio;
      const Vec3d side = normalized(cross(direction, Vec3d{ 0, 0, 1 }));
      const Vec3d other = cross(direction, side);
      s.particles.velocity[0] += 0.8 * side;
      s.particles.angular_velocity[0] =
        (0.4 / pair.a.radius) * (side + 0.5 * other + 0.3 * direction);
      if (!pair.wall)
      {
        s.particles.angular_velocity[1] = (-0.5 / pair.b.radius) * other;
      }

      reference::World world;
      for (std::size_t i = 0; i < s.particles.size(); ++i)
      {
        const Body& b = i == 0 ? pair.a : pair.b;
        world.spheres.push_back({ b.radius, sphereMass(b.radius, b.density),
          s.particles.position[i], s.particles.velocity[i], s.particles.angular_velocity[i] });
      }
      if (pair.wall)
      {
        world.planes.push_back({ middle, direction });
      }
      reference::Law law = option.linear
        ? reference::linear(effectiveMass(pair), tc_linear, e, option.mu, ratio)
        : reference::hertzMindlin(solid(pair.a), solid(pair.b), e, option.mu);
      law.history = option.history;
      law.elastic_limit = option.limit == L::Elastic;
      law.damping = option.damping == D::Mindlin ? reference::Damping::Mindlin
        : option.damping == D::EqualToNormal     ? reference::Damping::Normal
                                                 : reference::Damping::None;
      world.law = [&](int, int) { return law; };
      const double duration = option.linear
        ? tc_linear
        : reference::headOn(law, effectiveRadius(pair), effectiveMass(pair), 1, 4000).duration;
      reference::collide(world, duration / 50000);

      setSteps(s, duration / 1000, 1300);
      dem::Simulation sim = simulate(s);
      sim.advanceTo(1300);
      const dem::Frame f = sim.frame();
      ASSERT_EQ(f.contacts.size, 0u);
      for (std::size_t i = 0; i < world.spheres.size(); ++i)
      {
        EXPECT_LT(length(velocityOf(f, i) - world.spheres[i].v), 1e-3) << "sphere " << i;
        EXPECT_LT(world.spheres[i].r * length(spinOf(f, i) - world.spheres[i].w), 2.5e-3)
          << "sphere " << i;
      }
    }
  }
}

// Forces on the two sides of a pair are opposite to the bit, and what a contact reports is what
// acts on the particles.
TEST_P(Contact, ForcesAreOppositeAndReported)
{
  dem::Scene s = headOnScene(pairs[2], 0.8, 1, 0);
  s.pairs[0].friction = 0.4;
  s.particles.angular_velocity[0] = { 50, -20, 90 };
  setSteps(s, 1e-7, 2000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(400);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.contacts.size, 1u);
  EXPECT_EQ(f.contacts.ids[0], 0);
  EXPECT_EQ(f.contacts.ids[1], 1);
  for (int k = 0; k < 3; ++k)
  {
    EXPECT_EQ(f.force[k], -f.force[3 + k]);
    EXPECT_NEAR(f.contacts.normal_force[k] + f.contacts.tangential_force[k], f.force[k],
      1e-6 * std::abs(f.force[k]) + 1e-7);
  }
  const Vec3d x0 = positionOf(f, 0), x1 = positionOf(f, 1);
  const double overlap = 0.003 + 0.006 - length(x0 - x1);
  EXPECT_NEAR(f.contacts.overlap[0], overlap, 1e-6 * overlap + 1e-12);
  EXPECT_GT(dot(at3(f.contacts.normal_force, 0), x0 - x1), 0); // pushes apart
  EXPECT_NEAR(dot(at3(f.contacts.tangential_force, 0), normalized(x0 - x1)), 0,
    1e-5 * length(at3(f.force, 0)));
  // in mid overlap
  const Vec3d point = x0 + (f.radius[0] - 0.5 * overlap) * normalized(x1 - x0);
  // torque: arms to the contact point
  const Vec3d torque = cross(point - x0, at3(f.contacts.tangential_force, 0));
  EXPECT_LT(length(at3(f.torque, 0) - torque), 1e-5 * length(torque));
  EXPECT_EQ(f.coordination_number[0], 1);
  EXPECT_NEAR(f.statistics.largest_overlap, overlap / 0.003, 1e-5);
}

// Love-Weber stress of a sphere squeezed between two planes: sum of x_c f_c over the volume,
// tension positive. A large grain under 900 small ones: more contacts than the solver's working
// memory for a group of grains holds on a device.
TEST_P(Contact, GrainUnderManyOthers)
{
  dem::Scene s = emptyScene();
  const double big = 0.1, small = 0.005;
  const int n = 900;
  addSphere(s, { 0.3, -0.2, 0.1 }, big);
  const double young = reference::effectiveYoung({ 1e7, 0.3 }, { 1e7, 0.3 });
  Vec3d expected{};
  for (int k = 0; k < n; ++k)
  {
    // evenly over the sphere along a spiral of the golden angle, pressed deeper towards +z
    const double z = 1 - (2 * k + 1.) / n, across = std::sqrt(1 - z * z),
                 angle = k * M_PI * (3 - std::sqrt(5.));
    const Vec3d normal{ across * std::cos(angle), across * std::sin(angle), z };
    const double overlap = 1e-3 * small * (1 + 0.5 * z);
    addSphere(s, s.particles.position[0] + (big + small - overlap) * normal, small);
    const double reduced = big * small / (big + small);
    expected -= 4.0 / 3.0 * young * std::sqrt(reduced) * std::pow(overlap, 1.5) * normal;
  }
  setSteps(s, 1e-7, 40);
  dem::Simulation sim = simulate(s);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.coordination_number[0], n);
  const double size = dem::length(expected);
  EXPECT_NEAR(f.force[0] / size, expected.x / size, 2e-5);
  EXPECT_NEAR(f.force[1] / size, expected.y / size, 2e-5);
  EXPECT_NEAR(f.force[2] / expected.z, 1, 2e-5);

  // and the bits do not show how they were shared out
  sim.advanceTo(1);
  dem::Scene wider = s;
  wider.skin = 0.9 * small;
  wider.broad_phase.kind = dem::BroadPhaseKind::Bvh;
  dem::Simulation other = simulate(wider);
  other.advanceTo(1);
  const dem::Frame a = sim.frame(), b = other.frame();
  ASSERT_EQ(a.size, b.size);
  EXPECT_EQ(std::memcmp(a.position.data(), b.position.data(), 3 * a.size * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(a.force.data(), b.force.data(), 3 * a.size * sizeof(float)), 0);
}

TEST_P(Contact, StressOfASqueezedSphere)
{
  dem::Scene s = emptyScene();
  const double r = 0.01;
  addSphere(s, { 0, 0, 0 }, r);
  s.walls = { planeWall({ 0, 0, -0.9999 * r }, { 0, 0, 1 }),
    planeWall({ 0, 0, 0.9999 * r }, { 0, 0, -1 }) };
  setSteps(s, 1e-6, 10);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(1);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.contacts.size, 2u);
  const double young = reference::effectiveYoung({ 1e7, 0.3 }, { 1e7, 0.3 });
  const double force = 4.0 / 3.0 * young * std::sqrt(r) * std::pow(1e-4 * r, 1.5);
  const double arm = r - 0.5e-4 * r;
  const double expected = -2 * arm * force / (4.0 / 3.0 * M_PI * r * r * r);
  EXPECT_NEAR(f.stress[2] / expected, 1, 1e-4);
  for (int k : { 0, 1, 3, 4, 5 })
  {
    EXPECT_NEAR(f.stress[k], 0, 1e-6 * std::abs(expected));
  }
  // both walls are pressed apart by the same force
  ASSERT_EQ(f.walls.size(), 2u);
  EXPECT_NEAR(f.walls[0].total_force[2] / -force, 1, 1e-4);
  EXPECT_NEAR(f.walls[1].total_force[2] / force, 1, 1e-4);
  EXPECT_EQ(f.coordination_number[0], 2);
}

namespace
{

dem::LawParameters<double> lawWith(dem::RollingModel rolling)
{
  dem::LawParameters<double> law{};
  law.law = dem::NormalLaw::HertzMindlin;
  law.friction_limit = dem::FrictionLimit::Total;
  law.rolling = rolling;
  law.history = true;
  return law;
}

// Of E* = 5 MPa and G* = 1 MPa, without tangential damping.
dem::PairCoefficients<double> pairWith(double damping_ratio, double friction, double rolling)
{
  return { 2 * 5e6, 8 * 1e6, 2 * std::sqrt(5. / 6) * damping_ratio, friction, rolling, 0, 0 };
}

} // namespace

// The law by itself: a spring is turned into the plane of contact at its full length.
TEST(ContactLaw, SpringsKeepTheirLength)
{
  const Vec3d normal = normalized(Vec3d{ 1, -2, 3 }), spring = 1e-6 * Vec3d{ 2, 1, 0.7 };
  const dem::PlaneSpring<double> in_plane = dem::turnedIntoPlane(spring, normal);
  const Vec3d turned = in_plane.spring, flat = spring - dot(spring, normal) * normal;
  EXPECT_NEAR(length(turned) / length(spring), 1, 1e-14);
  EXPECT_NEAR(in_plane.length / length(spring), 1, 1e-14);
  EXPECT_NEAR(dot(turned, normal) / length(spring), 0, 1e-14);
  EXPECT_NEAR(dot(turned, flat) / (length(turned) * length(flat)), 1, 1e-14);
}

// A contact that began within the step has slipped, and rolled, since it touched: d / vn. Springs
// are kept half a step ahead.
TEST(ContactLaw, BeginsWhereItTouched)
{
  dem::ContactMotion<double> m{};
  m.normal = { 0, 0, 1 };
  m.overlap = 3e-8;
  m.velocity = { 0.2, -0.1, 0.1 };
  m.spin = { 4, -7, 2 };
  m.radius = 0.005;
  m.mass = 1e-3;
  m.rolling_inertia = 1e-8;
  const double dt = 1e-6;
  dem::ContactHistory<double> h;
  dem::contactForce<true>(
    lawWith(dem::RollingModel::EPSD), pairWith(0.1, 1e9, 0.01), m, dt, true, h);
  const double t = m.overlap / 0.1 + 0.5 * dt;
  EXPECT_LT(length(h.xi - t * Vec3d{ 0.2, -0.1, 0 }), 1e-12 * length(h.xi));
  EXPECT_LT(length(h.roll - t * Vec3d{ 4, -7, 0 }), 1e-12 * length(h.roll));
}

// CDT: mr R |Fn|, and no more than stops the rolling in the step.
TEST(ContactLaw, ConstantTorqueStopsAtRest)
{
  dem::ContactMotion<double> m{};
  m.normal = { 0, 0, 1 };
  m.overlap = 1e-5;
  m.radius = 0.005;
  m.mass = 1e-3;
  m.rolling_inertia = 3e-8;
  const double dt = 1e-6, mr = 0.02,
               limit =
                 mr * m.radius * 4. / 3 * 5e6 * std::sqrt(m.radius) * std::pow(m.overlap, 1.5);
  for (const double part : { 0.25, 4. })
  {
    m.spin = { 0, part * limit * dt / m.rolling_inertia, 5 };
    dem::ContactHistory<double> h;
    const auto force = dem::contactForce<true>(
      lawWith(dem::RollingModel::CDT), pairWith(0.1, 0.5, mr), m, dt, false, h);
    EXPECT_NEAR(force.rolling.y / limit, -std::min(part, 1.), 1e-12);
    EXPECT_EQ(force.rolling.x, 0);
    EXPECT_EQ(force.rolling.z, 0);
  }
}

// EPSD yields at mr R |Fn|, with what the dashpot adds to Fn.
TEST(ContactLaw, PlasticRollingIsLimitedByTheWholeForce)
{
  dem::ContactMotion<double> m{};
  m.normal = { 0, 0, 1 };
  m.overlap = 1e-5;
  m.velocity = { 0, 0, 0.3 };
  m.radius = 0.005;
  m.mass = 1e-3;
  m.rolling_inertia = 1e-8;
  const double mr = 0.05, b = 0.2, sn = 2 * 5e6 * std::sqrt(m.radius * m.overlap);
  const double elastic = 2. / 3 * sn * m.overlap,
               fn = elastic + 2 * std::sqrt(5. / 6) * b * std::sqrt(sn * m.mass) * 0.3;
  ASSERT_GT(fn, 1.1 * elastic);
  dem::ContactHistory<double> h;
  h.roll = { 0, 1, 0 };
  const auto force = dem::contactForce<true>(
    lawWith(dem::RollingModel::EPSD), pairWith(b, 0.5, mr), m, 1e-7, false, h);
  EXPECT_NEAR(force.rolling.y / (-mr * m.radius * fn), 1, 1e-12);
}

PARAGRAIN_ON_ALL_BACKENDS(Contact);
