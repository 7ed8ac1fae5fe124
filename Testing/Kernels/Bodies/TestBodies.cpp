// Rigid bodies that are not one sphere each: how they turn freely, collide and rest, against closed
// forms and integrations of their own; and the promises that hold for spheres (equal bits,
// momentum, energies). Shapes that are no clumps: TestBodiesShapes.cpp.
#include "BodySupport.h"

#include <array>
#include <functional>

using namespace test;

namespace
{

using Quat = dem::Quaternion<double>;

class Bodies : public BackendTest
{
};

// Six spheres along the axes, apart from each other: three different moments.
dem::Shape jack()
{
  const double a = 0.012, b = 0.008, c = 0.004;
  return dem::makeMultiSphere("jack",
    { { a, 0, 0 }, { -a, 0, 0 }, { 0, b, 0 }, { 0, -b, 0 }, { 0, 0, c }, { 0, 0, -c } },
    { 0.003, 0.003, 0.003, 0.003, 0.0025, 0.0025 });
}

// The angle between two orientations, rad.
double angleBetween(const Quat& a, const Quat& b)
{
  const Quat d = dem::conjugate(a) * b;
  return 2 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::fabs(d.w));
}

// Euler's equations in the frame of the body and its orientation, by Runge-Kutta of fourth order.
struct FreeTop
{
  Vec3d moments, spin; // in the frame of the body
  Quat q;

  using State = std::array<double, 7>;
  State rate(const State& s) const
  {
    const Vec3d w{ s[0], s[1], s[2] };
    const Quat dq = Quat{ s[3], s[4], s[5], s[6] } * Quat{ 0, w.x, w.y, w.z };
    return { (moments.y - moments.z) / moments.x * w.y * w.z,
      (moments.z - moments.x) / moments.y * w.z * w.x,
      (moments.x - moments.y) / moments.z * w.x * w.y, 0.5 * dq.w, 0.5 * dq.x, 0.5 * dq.y,
      0.5 * dq.z };
  }
  void step(double h)
  {
    const State s{ spin.x, spin.y, spin.z, q.w, q.x, q.y, q.z };
    const auto plus = [&s](double f, const State& d) {
      State r = s;
      for (int k = 0; k < 7; ++k)
        r[k] += f * d[k];
      return r;
    };
    const State a = rate(s), b = rate(plus(h / 2, a)), c = rate(plus(h / 2, b)),
                d = rate(plus(h, c));
    State r = s;
    for (int k = 0; k < 7; ++k)
      r[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    spin = { r[0], r[1], r[2] };
    q = dem::normalized(Quat{ r[3], r[4], r[5], r[6] });
  }
};

// Moments of a clump of spheres that do not overlap, on its own axes, over the density.
Vec3d momentsOf(const dem::Shape& s)
{
  Vec3d m{};
  for (std::size_t k = 0; k < s.centers.size(); ++k)
  {
    const double r = s.radii[k], v = 4. / 3 * M_PI * r * r * r;
    const Vec3d c = s.centers[k];
    m += v *
      Vec3d{ 0.4 * r * r + c.y * c.y + c.z * c.z, 0.4 * r * r + c.x * c.x + c.z * c.z,
        0.4 * r * r + c.x * c.x + c.y * c.y };
  }
  return m;
}

} // namespace

// A body with two equal moments spins about an axis that is none of its own: the spin turns about
// the angular momentum at L / I, the body about its own axis besides. Exact for the scheme.
TEST_P(Bodies, FreePrecession)
{
  dem::Scene s = emptyScene();
  s.shapes.push_back(dumbbell(0.008, 0.004));
  const Vec3d moments = 2500. * momentsOf(s.shapes[1]);
  const Vec3d w0{ 30, 0, 80 };
  addBody(s, 1, {}, {}, w0);
  setSteps(s, 1e-5, 20000);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(20000);
  const dem::Frame f = sim.frame();
  const Vec3d l{ moments.x * w0.x, 0, moments.z * w0.z };
  const double t = sim.time(), rate = dem::length(l) / moments.x;
  const Quat about_l = dem::rotationVectorToQuaternion((t * rate / dem::length(l)) * l);
  const Quat about_axis =
    dem::rotationVectorToQuaternion({ 0, 0, t * w0.z * (1 - moments.z / moments.x) });
  EXPECT_LT(angleBetween(orientationOf(f, 0), about_l * about_axis), 1e-5);
  const Vec3d w = dem::rotate(about_l, w0), d = spinOf(f, 0) - w;
  EXPECT_LT(dem::length(d), 1e-5 * dem::length(w0));
}

// The flips of a body that spins about its middle axis, started tilted by 1e-2: five of them,
// against an integration of Euler's equations.
TEST_P(Bodies, TennisRacket)
{
  dem::Scene s = emptyScene();
  s.shapes.push_back(jack());
  const Vec3d moments = momentsOf(s.shapes[1]);
  ASSERT_LT(moments.x, moments.y);
  ASSERT_LT(moments.y, moments.z);
  const Vec3d w0 = 100. * Vec3d{ std::sin(1e-2), std::cos(1e-2), 0 };
  addBody(s, 1, {}, {}, w0);
  const double dt = 1e-5;
  const std::uint64_t steps = 200000;
  setSteps(s, dt, steps);
  dem::Simulation sim = simulate(s);
  FreeTop top{ moments, w0, {} };
  const double energy = sim.statistics().kinetic_energy;
  int flips = 0;
  double side = 1, worst = 0;
  while (flips < 5 && sim.step() < steps)
  {
    advance(sim, 200);
    for (int k = 0; k < 400; ++k)
      top.step(0.5 * dt);
    const dem::Frame f = sim.frame();
    const double along = dem::rotate(orientationOf(f, 0), Vec3d{ 0, 1, 0 }).y;
    if (along * side < -0.9)
    {
      ++flips;
      side = -side;
    }
    worst = std::max(worst, angleBetween(orientationOf(f, 0), top.q));
    EXPECT_NEAR(f.statistics.kinetic_energy / energy, 1, 1e-5);
  }
  EXPECT_EQ(flips, 5);
  EXPECT_LT(worst, 2e-3); // rad, after all the turns of five flips
}

// Energy and angular momentum over 1e5 steps.
TEST_P(Bodies, NothingDrifts)
{
  dem::Scene s = emptyScene();
  s.shapes.push_back(jack());
  addBody(s, 1, {}, { 0.1, 0, 0 }, { 60, 90, 40 }, dem::normalized(Quat{ 0.3, 0.5, -0.2, 0.7 }));
  setSteps(s, 1e-5, 100000);
  dem::Simulation sim = simulate(s);
  const dem::Frame before = sim.frame();
  Vec3d p0, l0, p1, l1;
  totalMomentum(sim.scene(), before, p0, l0);
  l0 -= dem::cross(positionOf(before, 0), p0);
  sim.advanceTo(100000);
  const dem::Frame after = sim.frame();
  totalMomentum(sim.scene(), after, p1, l1);
  l1 -= dem::cross(positionOf(after, 0), p1);
  EXPECT_LT(dem::length(l1 - l0), 1e-6 * dem::length(l0)); // of floats in a frame
  EXPECT_NEAR(after.statistics.kinetic_energy / before.statistics.kinetic_energy, 1, 1e-5);
  EXPECT_NEAR(positionOf(after, 0).x, 0.1, 1e-12 * 1e5);
}

// Two clumps of different shapes that meet off centre: momentum and angular momentum stay, energy
// goes where it is booked.
TEST_P(Bodies, ImpactKeepsMomentum)
{
  dem::Scene s = emptyScene();
  s.materials[0].restitution = 0.6;
  s.materials[0].friction = 0.4;
  s.shapes.push_back(jack());
  s.shapes.push_back(dumbbell(0.006, 0.005));
  addBody(s, 1, { -0.02, 0.001, 0.002 }, { 1.5, 0.1, 0 }, { 10, -20, 30 });
  addBody(s, 2, { 0.02, -0.002, 0 }, { -1, 0, 0.1 }, { 0, 15, 5 },
    dem::normalized(Quat{ 0.9, 0.2, 0.4, 0.1 }));
  setSteps(s, 2e-6, 20000);
  dem::Simulation sim = simulate(s);
  expectImpactKeepsMomentum(sim, { 20000, 50, 2e-6, 0.02, 1e-3, 2e-3 });
}

// A ball strikes each of a clump's parts, off the axis: what the part bears, and turns it by, is
// the clump's, however many it has.
TEST_P(Bodies, EveryPartBears)
{
  dem::Scene s = emptyScene();
  s.shapes.push_back(jack());
  const Vec3d reach{ 0.015, 0.011, 0.0065 };
  const double radius = 0.001, speed = 0.5, beside = 0.0005;
  Vec3d along[6];
  for (int k = 0; k < 6; ++k)
  {
    along[k][k / 2] = k % 2 ? -1 : 1;
    const Vec3d centre{ 0.1 * k, 0, 0 };
    Vec3d off{};
    off[(k / 2 + 1) % 3] = beside;
    addBody(s, 1, centre);
    addBody(s, 0, centre + (reach[k / 2] + radius + 1e-4) * along[k] + off, -speed * along[k]);
    s.particles.radius.back() = radius;
  }
  setSteps(s, 2e-6, 400);
  dem::Simulation sim = simulate(s);
  Vec3d p, turning, p_after, turning_after;
  totalMomentum(sim.scene(), sim.frame(), p, turning);
  sim.advanceTo(400);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.size, 12u);
  totalMomentum(sim.scene(), f, p_after, turning_after);
  EXPECT_LT(dem::length(turning_after - turning), 2e-3 * f.mass[1] * speed * beside);
  for (int k = 0; k < 6; ++k)
  {
    const double clump = f.mass[2 * k], ball = f.mass[2 * k + 1];
    const Vec3d v = velocityOf(f, 2 * k + 1);
    EXPECT_GT(dem::dot(v, along[k]), -0.9 * speed) << k; // it met it
    EXPECT_LT(dem::length(clump * velocityOf(f, 2 * k) + ball * v + (ball * speed) * along[k]),
      1e-6 * ball * speed)
      << k;
  }
}

// A dumbbell falls on its lower end, without friction: one linear spring and dashpot under a rigid
// rod, integrated here in the plane.
TEST_P(Bodies, ImpactOfADumbbell)
{
  const double half = 0.008, r = 0.004, tilt = 0.5, v = 0.8;
  dem::Scene s = emptyScene();
  s.materials[0].restitution = 0.7;
  s.contact.law = dem::NormalLaw::LinearSpringDashpot;
  s.contact.normal_stiffness = 2e4;
  s.contact.stiffness_ratio = 0;
  s.shapes.push_back(dumbbell(half, r));
  const double mass = 2500 * 2 * 4. / 3 * M_PI * r * r * r,
               inertia = 2 * (0.5 * mass) * (0.4 * r * r + half * half);
  const double height = half * std::cos(tilt) + r + 1e-5;
  addBody(
    s, 1, { 0, 0, height }, { 0, 0, -v }, {}, dem::rotationVectorToQuaternion({ 0, tilt, 0 }));
  s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
  const double dt = 2e-6;
  setSteps(s, dt, 500);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(500);

  const double l = std::log(0.7), kn = s.contact.normal_stiffness,
               damping = -2 * l / std::sqrt(M_PI * M_PI + l * l) * std::sqrt(kn * mass);
  double z = height, a = tilt, vz = -v, w = 0;
  const int parts = 200;
  const double h = dt / parts;
  for (int k = 0; k < 500 * parts; ++k) // symplectic Euler with a step far below the solver's
  {
    double force = 0, torque = 0;
    for (const double side : { 1., -1. })
    {
      const double overlap = r - (z + side * half * std::cos(a)),
                   rate = -(vz - side * half * std::sin(a) * w);
      if (overlap <= 0)
        continue;
      const double f = kn * overlap + damping * rate;
      force += f;
      torque -= f * side * half * std::sin(a);
    }
    vz += h * force / mass;
    w += h * torque / inertia;
    z += h * vz;
    a += h * w;
  }
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.contacts.size, 0u);
  ASSERT_GT(w * w, 1);
  EXPECT_NEAR(velocityOf(f, 0).z, vz, 2e-3 * v);
  EXPECT_NEAR(spinOf(f, 0).y, w, 2e-3 * std::fabs(w));
  EXPECT_NEAR(positionOf(f, 0).z, z, 1e-6);
  EXPECT_LT(
    std::fabs(spinOf(f, 0).x) + std::fabs(spinOf(f, 0).z) + std::fabs(velocityOf(f, 0).x), 1e-4);
}

// The tip of a bar that spins in its place meets what lies on its circle in time: the bar's centre
// goes nowhere, nor does its last part.
TEST_P(Bodies, SpinningPartsAreMetInTime)
{
  const double arm = 0.02, r = 0.003, rate = 50, dt = 5e-6;
  dem::Scene s = emptyScene();
  s.skin = 5e-4;
  s.shapes.push_back(
    dem::makeMultiSphere("bar", { { arm, 0, 0 }, { -arm, 0, 0 }, { 0, 0, 0 } }, { r, r, r }));
  addBody(s, 1, {}, {}, { 0, 0, rate });
  addBody(s, 0, { 0, arm, 0 });
  s.particles.radius.back() = r;
  setSteps(s, dt, 6000);
  dem::Simulation sim = simulate(s);
  const auto met = static_cast<std::uint64_t>(
    std::ceil((M_PI / 2 - 2 * std::asin(r / arm)) / rate / dt)); // chord 2 r
  sim.advanceTo(met - 1);
  EXPECT_EQ(sim.statistics().contacts, 0u);
  sim.advanceTo(met + 1);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.contacts.size, 1u);
  EXPECT_LT(f.contacts.overlap[0], 2 * rate * arm * dt);
}

// Semi-Implicit Euler throws a clump as it should: x = x0 + v0 t + g t (t + dt) / 2, v = v0 + g t;
// it tumbles as with Velocity Verlet.
TEST_P(Bodies, SemiImplicitEulerThrowsAClump)
{
  dem::Frame end[2];
  const double dt = 5e-5;
  constexpr std::uint64_t steps = 2000;
  for (const dem::IntegratorKind kind :
    { dem::IntegratorKind::VelocityVerlet, dem::IntegratorKind::SemiImplicitEuler })
  {
    dem::Scene s = emptyScene();
    s.integrator = kind;
    s.gravity = { 0, 1, -9.81 };
    s.shapes.push_back(jack());
    addBody(s, 1, {}, { 0.3, 0, 0.5 }, { 20, 30, 5 });
    setSteps(s, dt, steps);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(steps);
    const dem::Frame f = sim.frame();
    const double t = dt * steps, late = kind == dem::IntegratorKind::SemiImplicitEuler ? dt : 0;
    EXPECT_LT(dem::length(positionOf(f, 0) -
                (t * Vec3d{ 0.3, 0, 0.5 } + (0.5 * t * (t + late)) * Vec3d{ 0, 1, -9.81 })),
      1e-8);
    EXPECT_LT(
      dem::length(velocityOf(f, 0) - (Vec3d{ 0.3, 0, 0.5 } + t * Vec3d{ 0, 1, -9.81 })), 1e-6);
    end[late > 0] = f;
  }
  EXPECT_LT(angleBetween(orientationOf(end[0], 0), orientationOf(end[1], 0)), 1e-6);
}

// A clump of one sphere is that sphere: one oblique impact on a wall and on a sphere.
TEST_P(Bodies, ClumpOfOneIsASphere)
{
  int runs = 0;
  for (const bool on_wall : { true, false, true, false })
  {
    const dem::IntegratorKind integrator =
      ++runs > 2 ? dem::IntegratorKind::SemiImplicitEuler : dem::IntegratorKind::VelocityVerlet;
    dem::Frame end[2];
    for (int clump = 0; clump < 2; ++clump)
    {
      dem::Scene s = emptyScene();
      s.materials[0].restitution = 0.8;
      s.materials[0].friction = 0.3;
      s.shapes.push_back(dem::makeMultiSphere("ball", { { 0, 0, 0 } }, { 0.005 }));
      addSphere(s, { 0, 0, 0.0051 }, 0.005, { 0.5, 0, -1 }, { 0, 20, 5 });
      if (on_wall)
        s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
      else
        addSphere(s, { 0.001, 0, -0.005 }, 0.005);
      s.particles.shape.assign(s.particles.size(), clump);
      s.integrator = integrator;
      setSteps(s, 1e-6, 2000);
      dem::Simulation sim = simulate(s);
      sim.advanceTo(2000);
      end[clump] = sim.frame();
      ASSERT_EQ(end[clump].contacts.size, 0u);
    }
    for (std::size_t i = 0; i < end[0].size; ++i)
    {
      EXPECT_LT(dem::length(velocityOf(end[1], i) - velocityOf(end[0], i)), 1e-5);
      EXPECT_LT(dem::length(spinOf(end[1], i) - spinOf(end[0], i)), 1e-5 * 200);
      EXPECT_LT(dem::length(positionOf(end[1], i) - positionOf(end[0], i)), 1e-5 * 0.005);
    }
    EXPECT_GT(velocityOf(end[0], 0).z, on_wall ? 0.3 : -0.5);
    EXPECT_EQ(end[1].shape[0], 1);
    EXPECT_EQ(end[1].mass[0], end[0].mass[0]);
  }
}

namespace
{

// Clumps of three shapes and spheres between them, with all that moves and removes.
dem::Scene busyClumps()
{
  dem::Scene s = busyBox(5e6, 0.08, 0.02);
  s.shapes.push_back(dumbbell(0.003, 0.002));
  s.shapes.push_back(dem::makeMultiSphere(
    "triple", { { 0, 0, 0 }, { 0.0045, 0, 0 }, { 0, 0.0045, 0 } }, { 0.0025, 0.002, 0.0015 }));
  addCloud(s, { -0.05, 0, 0.02 }, 8, 6, 6, 0.005, 0.006, 0.6, 7, 0.013, 20);
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    s.particles.shape.push_back(static_cast<int>(i % 3));
    double& r = s.particles.radius[i]; // a sphere of 3 mm, clumps of 0.83 to 1 times their size
    r = i % 3 ? r / 0.006 * equalRadius(s.shapes[i % 3]) : 0.003;
    s.particles.id.push_back(static_cast<std::int64_t>(1000 - 3 * i));
    s.particles.velocity[i].z -= 1;
  }
  s.time_step = 1e-5;
  return s;
}

} // namespace

TEST_P(Bodies, SameBits)
{
  const dem::Frame f = sameBitsHowever(busyClumps(), 0.0004, 5000);
  EXPECT_GT(f.contacts.size, 30u);
  EXPECT_GT(f.statistics.lost, 0u);
  EXPECT_EQ(f.statistics.lost + f.size, 288u);
}

// The same with Semi-Implicit Euler, whose state is another.
TEST_P(Bodies, SameBitsOfSemiImplicitEuler)
{
  const auto scene = [] {
    dem::Scene s = busyClumps();
    s.integrator = dem::IntegratorKind::SemiImplicitEuler;
    return s;
  };
  dem::Simulation straight = simulate(scene());
  straight.advanceTo(2000);
  const dem::SnapshotBytes saved = straight.save();
  straight.frame();
  straight.advanceTo(4000);
  dem::Simulation restored = simulate(scene(), 1);
  restored.restore(saved);
  restored.advanceTo(4000);
  EXPECT_SAME_BITS(straight.frame(), restored.frame());
  EXPECT_GT(restored.frame().contacts.size, 30u);
}

TEST_P(Bodies, StateOfOtherShapesIsRefused)
{
  dem::Simulation sim = simulate(busyClumps());
  sim.advanceTo(10);
  const dem::SnapshotBytes saved = sim.save();
  dem::Scene other = busyClumps();
  other.shapes[1] = dumbbell(0.0031, 0.002);
  dem::Simulation into = simulate(other);
  EXPECT_MENTIONS(errorOf([&] { into.restore(saved); }), "its shapes");
  dem::Scene spheres = busyClumps();
  spheres.particles.shape.clear();
  dem::Simulation plain = simulate(spheres);
  EXPECT_MENTIONS(errorOf([&] { plain.restore(saved); }), "differs in");
}

// A scene may define shapes that its own grains have not: a state that has them goes on as it would
// have where it was saved.
TEST_P(Bodies, StateBringsShapesOfTheScene)
{
  const auto scene = [](int shape) {
    dem::Scene s = emptyScene();
    s.gravity = { 0, 0, -9.81 };
    s.shapes.push_back(dem::makeTablet("pill", 0.008, 0.007, 0.002));
    s.shapes.push_back(dumbbell(0.006, 0.005));
    s.shapes.push_back(dem::makeMultiSphere("ball", { { 0, 0, 0 } }, { 0.005 }));
    for (int k = 0; k < 4; ++k)
      addBody(s, shape, { 0.03 * k, 0, 0.012 }, {}, { 3, 0, 1 });
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
    s.time_step = 1e-5;
    return s;
  };
  for (const int from : { 1, 2, 3 })
  {
    dem::Simulation sim = simulate(scene(from));
    sim.advanceTo(100);
    const dem::SnapshotBytes saved = sim.save();
    sim.advanceTo(3000);
    for (const int to : { 1, 2, 3 })
    {
      dem::Simulation other = simulate(scene(to));
      if (from == 1 && to != 1)
        EXPECT_MENTIONS(errorOf([&] { other.restore(saved); }), "\"pill\"");
      else
      {
        other.restore(saved);
        other.advanceTo(3000);
        EXPECT_SAME_BITS(sim.frame(), other.frame()) << from << " into " << to;
      }
    }
  }
}

// The energies of bodies that settle add up, and each contact counts once.
TEST_P(Bodies, EnergyBalance)
{
  dem::Scene s = busyClumps();
  s.domain.exit[0] = dem::Exit::Wall;
  s.walls.pop_back(); // the paddle
  dem::Simulation sim = simulate(s);
  const dem::Statistics a = sim.statistics();
  sim.advanceTo(4000);
  const dem::Frame f = sim.frame();
  const dem::Statistics& b = f.statistics;
  EXPECT_GT(b.dissipated_energy, 0.2 * a.kinetic_energy);
  EXPECT_NEAR(balance(b), balance(a), 2e-3 * a.kinetic_energy);
  // what the contacts say of the sum of forces on each body is what the body says
  std::vector<Vec3d> sum(f.size);
  std::vector<std::int64_t> ids(f.id.begin(), f.id.end());
  const auto at = [&](std::int64_t id) {
    return std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
  };
  for (std::size_t k = 0; k < f.contacts.size; ++k)
  {
    const Vec3d force = at3(f.contacts.normal_force, k) + at3(f.contacts.tangential_force, k);
    sum[at(f.contacts.ids[2 * k])] += force;
    if (f.contacts.ids[2 * k + 1] >= 0)
    {
      EXPECT_NE(f.contacts.ids[2 * k], f.contacts.ids[2 * k + 1]);
      sum[at(f.contacts.ids[2 * k + 1])] -= force;
    }
  }
  for (std::size_t i = 0; i < f.size; ++i)
  {
    const double weight = f.mass[i] * 10;
    EXPECT_LT(dem::length(sum[i] + double(f.mass[i]) * s.gravity - at3(f.force, i)),
      1e-4 * (weight + dem::length(at3(f.force, i))));
  }
}

TEST_P(Bodies, WhatDoesNotGoTogether)
{
  const auto refused = [&](const auto& change) { return refusalOf(busyClumps(), change); };
  const std::string gear =
    refused([](dem::Scene& s) { s.integrator = dem::IntegratorKind::GearPredictorCorrector; });
  EXPECT_MENTIONS(gear, "Gear Predictor-Corrector");
  EXPECT_MENTIONS(gear, "dumbbell");
  const std::string list =
    refused([](dem::Scene& s) { s.neighbor_list.kind = dem::NeighborListKind::Static; });
  EXPECT_MENTIONS(list, "Static");
  EXPECT_MENTIONS(list, "dumbbell");
  EXPECT_MENTIONS(refused([](dem::Scene& s) { s.particles.shape[4] = 7; }), "Shape is 7");
  EXPECT_MENTIONS(refused([](dem::Scene& s) { s.particles.shape.pop_back(); }), "shapes");
  EXPECT_MENTIONS(refused([](dem::Scene& s) { s.particles.position[1] = s.particles.position[0]; }),
    "grains 997 and 1000");
}

PARAGRAIN_ON_ALL_BACKENDS(Bodies);
