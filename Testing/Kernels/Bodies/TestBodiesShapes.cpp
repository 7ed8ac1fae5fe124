// Tablets and polyhedra in the solver: impacts, rest, sliding and toppling against closed forms,
// equal bits. The geometry of their contacts has tests of its own (TestShapes*.cpp).
#include "Scene/Names.h"
#include "BodySupport.h"

#include <array>
#include <functional>

using namespace test;

namespace
{

class BodiesShapes : public BackendTest
{
};

std::vector<dem::Shape> someShapes()
{
  return { dem::makeSphere(), dem::makeTablet("pill", 0.008, 0.007, 0.002),
    dem::makeNamedPolyhedron("box", "Brick", { 0.01, 0.007, 0.005 }),
    dem::makeMultiSphere("pair", { { 0, 0, 0.003 }, { 0, 0, -0.003 } }, { 0.003, 0.003 }) };
}

} // namespace

// Every pair of kinds meets off centre: momentum and angular momentum stay, energy goes where it is
// booked.
TEST_P(BodiesShapes, ImpactsKeepMomentum)
{
  for (int first = 0; first < 4; ++first)
    for (int second = first; second < 4; ++second)
    {
      SCOPED_TRACE(std::to_string(first) + " meets " + std::to_string(second));
      dem::Scene s = emptyScene();
      s.materials[0].restitution = 0.6;
      s.materials[0].friction = 0.4;
      s.shapes = someShapes();
      const auto sized = [&](int shape) {
        return shape == 0 ? 0.004 / equalRadius(s.shapes[0]) : 1.;
      };
      addBody(s, first, { -0.01, 0.001, 0.0005 }, { 0.8, 0.1, 0 }, { 10, -20, 30 },
        dem::normalized(Quat{ 0.8, 0.1, -0.5, 0.3 }), sized(first));
      addBody(s, second, { 0.01, -0.001, 0 }, { -0.7, 0, 0.1 }, { 0, 15, 5 },
        dem::normalized(Quat{ 0.9, 0.2, 0.4, 0.1 }), sized(second));
      if (first == 0 && second == 0)
        continue; // plain spheres
      setSteps(s, 2e-6, 20000);
      dem::Simulation sim = simulate(s);
      // overlap volumes have no potential
      expectImpactKeepsMomentum(
        sim, { 12000, 100, 3e-6, 0.01, 5e-3, first == 2 && second == 2 ? 0.04 : 0.01 });
    }
}

// A tablet whose cups are one ball, without a belt, is that sphere: one oblique impact.
TEST_P(BodiesShapes, RoundTabletIsASphere)
{
  const double r = 0.005;
  dem::Frame end[2];
  for (int tablet = 0; tablet < 2; ++tablet)
  {
    dem::Scene s = emptyScene();
    s.materials[0].restitution = 0.8;
    s.materials[0].friction = 0.3;
    s.shapes.push_back(dem::makeTablet("ball", 2 * r, r, 0));
    addSphere(s, { 0, 0, 0.0051 }, r, { 0.5, 0, -1 }, { 0, 20, 5 });
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
    s.particles.shape.assign(1, tablet);
    EXPECT_NEAR(equalRadius(s.shapes[1]), r, 1e-6 * r);
    setSteps(s, 1e-6, 2000);
    dem::Simulation sim = simulate(s);
    sim.advanceTo(2000);
    end[tablet] = sim.frame();
    ASSERT_EQ(end[tablet].contacts.size, 0u);
  }
  EXPECT_GT(velocityOf(end[0], 0).z, 0.3);
  EXPECT_LT(dem::length(velocityOf(end[1], 0) - velocityOf(end[0], 0)), 1e-5);
  EXPECT_LT(dem::length(spinOf(end[1], 0) - spinOf(end[0], 0)), 1e-5 * 200);
  EXPECT_LT(dem::length(positionOf(end[1], 0) - positionOf(end[0], 0)), 1e-5 * r);
}

// A brick on an incline, of a plane and of two triangles: it slides with g (sin a - mu cos a) above
// the angle of friction, and stays below.
TEST_P(BodiesShapes, BrickOnAnIncline)
{
  const double mu = 0.4, g = 9.81;
  for (const bool triangles : { false, true })
    for (const double degrees : { 30., 15. })
    {
      SCOPED_TRACE(std::string(triangles ? "triangles " : "plane ") + std::to_string(degrees));
      const double a = degrees * M_PI / 180;
      dem::Scene s = emptyScene();
      s.materials[0].restitution = 0.3;
      s.materials[0].friction = mu;
      s.materials[0].youngs_modulus = 5e6;
      s.time_step = 2e-5;
      s.gravity = { g * std::sin(a), 0, -g * std::cos(a) };
      s.shapes.push_back(dem::makeNamedPolyhedron("brick", "Brick", { 0.012, 0.008, 0.004 }));
      addBody(s, 1, { 0, 0.0013, 0.002 });
      if (triangles)
      {
        dem::Wall floor = sheetWall(-0.3, 0.5, -0.2, 0.3, 0);
        s.walls.push_back(floor);
      }
      else
        s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
      s.output_interval = 0.014;
      s.end_time = 0.21;
      dem::Simulation sim = simulate(s);
      const std::uint64_t per = sim.plan().steps_per_output;
      sim.advanceTo(5 * per);
      const dem::Frame first = sim.frame();
      sim.advanceTo(15 * per);
      const dem::Frame last = sim.frame();
      const double rate =
        (velocityOf(last, 0).x - velocityOf(first, 0).x) / (last.time - first.time);
      if (std::tan(a) > mu)
        EXPECT_NEAR(rate, g * (std::sin(a) - mu * std::cos(a)), 0.005 * g);
      else
      {
        EXPECT_NEAR(velocityOf(last, 0).x, 0, 1e-5);
        EXPECT_LT(std::fabs(positionOf(last, 0).x - positionOf(first, 0).x), 1e-6 * 0.012);
      }
      EXPECT_NEAR(positionOf(last, 0).y, 0.0013, 2e-5);
      EXPECT_LT(dem::length(spinOf(last, 0)), 0.05);
    }
}

// A brick with a square foot topples where the plumb line through its centre leaves the foot: tan a
// = width / height.
TEST_P(BodiesShapes, BrickTopples)
{
  const double width = 0.006, height = 0.012, g = 9.81;
  for (const double over : { 0.97, 1.03 })
  {
    const double a = over * std::atan(width / height);
    dem::Scene s = emptyScene();
    s.materials[0].restitution = 0.3;
    s.materials[0].friction = 2;
    s.materials[0].youngs_modulus = 1e8; // softer, its edge gives way before it topples
    s.time_step = 6e-6;                  // 0.12 of the contact's 1 / omega
    s.gravity = { g * std::sin(a), 0, -g * std::cos(a) };
    s.shapes.push_back(dem::makeNamedPolyhedron("brick", "Brick", { width, width, height }));
    addBody(s, 1, { 0, 0, height / 2 });
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
    s.output_interval = 0.1;
    s.end_time = 0.6;
    dem::Simulation sim = simulate(s);
    sim.advanceTo(6 * sim.plan().steps_per_output);
    const double up = dem::rotate(orientationOf(sim.frame(), 0), Vec3d{ 0, 0, 1 }).z;
    if (over > 1)
      EXPECT_LT(up, 0.5);
    else
      EXPECT_GT(up, 0.9999);
  }
}

namespace
{

// A floor whose seam runs through (0.0017, -0.0001).
dem::Wall twoTriangles()
{
  return meshWall({ { -0.3, -0.2, 0 }, { 0.5, -0.2, 0 }, { 0.5, 0.33, 0 }, { -0.3, 0.3, 0 } },
    { { 0, 1, 2 }, { 0, 2, 3 } });
}

void addFloor(dem::Scene& s, bool triangles)
{
  if (!triangles)
    return s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
  s.walls.push_back(twoTriangles());
}

} // namespace

// A flat floor bears a body once, whatever its mesh: facets listed twice, corners that are not
// merged, a mesh that lies on a plane. Each body comes to rest where it does on the same two
// triangles with merged corners.
TEST_P(BodiesShapes, FloorsBearOnce)
{
  const double e = 1e-16;
  const dem::Wall merged = twoTriangles();
  dem::Wall unmerged, twice;
  unmerged.points = { { -0.3, -0.2, 0 }, { 0.5, -0.2, 0 }, { 0.5, 0.33, 0 }, { -0.3 - e, -0.2, 0 },
    { 0.5 + 2 * e, 0.33, 0 }, { -0.3, 0.3, 0 } };
  unmerged.triangles = { { 0, 1, 2 }, { 3, 4, 5 } };
  twice = merged;
  twice.triangles.insert(twice.triangles.end(), { { 2, 1, 0 }, { 3, 2, 0 } });
  const std::pair<const char*, std::vector<dem::Wall>> floors[] = { { "merged", { merged } },
    { "unmerged", { unmerged } }, { "twice", { twice } },
    { "two walls on each other", { merged, merged } },
    { "on a plane", { merged, planeWall({ 0, 0, 0 }, { 0, 0, 1 }) } } };
  const dem::Shape shapes[] = { dem::makeNamedPolyhedron("cube", "Brick", { 0.01, 0.01, 0.01 }),
    dem::makeTablet("tablet", 0.01, 0.008, 0.002),
    dem::makeMultiSphere("capsule", { { -0.003, 0, 0 }, { 0.003, 0, 0 } }, { 0.004, 0.004 }) };
  const double heights[] = { 0.005, 0.001 + 0.008 - std::sqrt(0.008 * 0.008 - 0.005 * 0.005),
    0.004 };
  for (int k = 0; k < 3; ++k)
  {
    double first = 0;
    for (const auto& [name, walls] : floors)
    {
      SCOPED_TRACE(shapes[k].name + std::string(" on ") + name);
      dem::Scene s = emptyScene();
      s.materials[0].youngs_modulus = 2e5;
      s.materials[0].restitution = 0.2;
      s.materials[0].friction = 0.4;
      s.gravity = { 0, 0, -9.81 };
      s.shapes.push_back(shapes[k]);
      addBody(s, 1, { 0.0017, 0.0001, heights[k] });
      s.walls = walls;
      s.time_step = 1e-4;
      s.output_interval = s.end_time = 0.5;
      dem::Simulation sim = simulate(s);
      sim.advanceTo(sim.plan().steps_per_output);
      const double z = positionOf(sim.frame(), 0).z;
      if (walls.size() == 1 && std::string(name) == "merged")
        first = z;
      EXPECT_GT(heights[k] - first, 1e-6);
      EXPECT_NEAR(z, first, 1e-3 * (heights[k] - first));
    }
  }
}

// Rolling friction adds mu_r R Fn to what rights a tilted brick, R of the sphere of equal volume:
// it topples where tan a = (width / 2 + mu_r R) / (height / 2).
TEST_P(BodiesShapes, RollingFrictionHoldsABrick)
{
  const double width = 0.006, height = 0.012, g = 9.81, mu_r = 0.1,
               r = std::cbrt(0.75 / M_PI * width * width * height);
  const double critical = std::atan((width / 2 + mu_r * r) / (height / 2));
  ASSERT_GT(0.95 * critical, 1.03 * std::atan(width / height))
    << "without rolling friction it would topple";
  for (const bool triangles : { false, true })
    for (const dem::RollingModel model :
      { dem::RollingModel::CDT, dem::RollingModel::EPSD, dem::RollingModel::None })
      for (const double over : { 0.95, 1.05 })
      {
        SCOPED_TRACE(std::string(dem::name(model)) + " " + std::to_string(over) +
          (triangles ? " on triangles" : " on a plane"));
        dem::Scene s = emptyScene();
        s.materials[0] = { "brick", 4e7, 0.3, 2500, 0.3, 2, mu_r };
        s.time_step = 1e-5;
        s.contact.rolling = model;
        s.contact.rolling_damping = 0.3;
        s.gravity = { g * std::sin(over * critical), 0, -g * std::cos(over * critical) };
        s.shapes.push_back(dem::makeNamedPolyhedron("brick", "Brick", { width, width, height }));
        addBody(s, 1, { 0, 0, height / 2 });
        addFloor(s, triangles);
        s.output_interval = 0.1;
        s.end_time = 0.4;
        dem::Simulation sim = simulate(s);
        double up = 1;
        for (int k = 1; k <= 4; ++k)
        {
          sim.advanceTo(k * sim.plan().steps_per_output);
          up = std::min(up, dem::rotate(orientationOf(sim.frame(), 0), Vec3d{ 0, 0, 1 }).z);
        }
        if (over > 1 || model == dem::RollingModel::None)
          EXPECT_LT(up, 0.5);
        else
          EXPECT_GT(up, 0.9998);
      }
}

// A cube at rest neither creeps nor rocks: 1e-6 of its size over 5 s, from half a second after it
// was put down leaning.
TEST_P(BodiesShapes, CubeRests)
{
  for (const bool triangles : { false, true })
  {
    SCOPED_TRACE(triangles ? "triangles" : "plane");
    dem::Scene s = emptyScene();
    s.materials[0].youngs_modulus = 2e5; // soft: some thousand steps a second will do
    s.materials[0].restitution = 0.3;
    s.materials[0].friction = 0.4;
    s.gravity = { 0, 0, -9.81 };
    s.domain.upper.z = 0.05;
    s.domain.lower.z = -0.05;
    const double edge = 0.01;
    s.shapes.push_back(dem::makeNamedPolyhedron("cube", "Brick", { edge, edge, edge }));
    addBody(s, 1, { 0.0017, 0.0004, edge / 2 + 1e-6 }, {}, {},
      dem::rotationVectorToQuaternion({ 0.0005, -0.001, 0.3 }));
    addFloor(s, triangles);
    s.time_step = 2e-4;
    s.output_interval = 0.5;
    s.end_time = 5.5;
    dem::Simulation sim = simulate(s);
    const std::uint64_t per = sim.plan().steps_per_output;
    sim.advanceTo(per);
    const dem::Frame first = sim.frame();
    for (std::uint64_t k = 2; k <= 11; ++k)
    {
      sim.advanceTo(k * per);
      const dem::Frame f = sim.frame();
      EXPECT_LT(dem::length(positionOf(f, 0) - positionOf(first, 0)), 1e-6 * edge)
        << f.time << " s";
      const Quat d = dem::conjugate(orientationOf(first, 0)) * orientationOf(f, 0);
      EXPECT_LT(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), 1e-6) << f.time << " s";
      EXPECT_LT(f.statistics.kinetic_energy, 1e-12 * f.mass[0]) << f.time << " s";
    }
  }
}

// A box that rocks on its face without friction: its foot is a bed of springs and dashpots, whose
// density is that of the contact over the area S = L^2. With Fn = 4/3 E* a d, a = sqrt(S / 2 pi)
// and d twice the mean depth a tilt is righted by k = 8/3 E* a L^2 / 12 - m g L / 2 (the centre is
// above the foot), and dies by c_n S / 4 pi (ContactTypes.cuh): tilt = t0 exp(-g t) cos(w t + p), g
// = c_n S / 8 pi I, w^2 = k / I - g^2, I = m L^2 / 6. Without that damping a cube goes on rocking
// on a plane for ever.
TEST_P(BodiesShapes, RockingDies)
{
  for (const bool triangles : { false, true })
  {
    SCOPED_TRACE(triangles ? "triangles" : "plane");
    const double edge = 0.01, tilt = 2e-4;
    dem::Scene s = emptyScene();
    s.materials[0] = { "soft", 1e5, 0.3, 2500, 0.7, 0, 0 };
    s.gravity = { 0, 0, -9.81 };
    s.domain.upper.z = 0.05;
    s.domain.lower.z = -0.05;
    s.shapes.push_back(dem::makeNamedPolyhedron("cube", "Brick", { edge, edge, edge }));
    const double m = 2500 * edge * edge * edge, area = edge * edge,
                 a = std::sqrt(area / (2 * M_PI)), young = 1e5 / (2 * (1 - 0.09));
    const double sunk = m * 9.81 / (8. / 3 * young * a), inertia = m * area / 6;
    const double b = -std::log(0.7) / std::hypot(std::log(0.7), M_PI),
                 damping = 2 * std::sqrt(5. / 6) * b * std::sqrt(2 * young * a * m);
    const double k = 8. / 3 * young * a * area / 12 - m * 9.81 * edge / 2;
    const double g = damping * area / (8 * M_PI * inertia), w = std::sqrt(k / inertia - g * g);
    ASSERT_GT(sunk, 3 * tilt * edge) << "all of the foot stays down";
    addBody(s, 1, { 0.0017, 0.0004, edge / 2 - sunk }, {}, {},
      dem::rotationVectorToQuaternion({ tilt, 0, 0 }));
    addFloor(s, triangles);
    constexpr std::uint64_t steps = 6000;
    const double dt = 4 * 2 * M_PI / w / steps; // four periods
    setSteps(s, dt, steps);
    dem::Simulation sim = simulate(s);
    double worst = 0;
    for (std::uint64_t at = 100; at <= steps; at += 100)
    {
      sim.advanceTo(at);
      const dem::Frame f = sim.frame();
      const double t = at * dt, angle = 2 * orientationOf(f, 0).x;
      const double expected = tilt * std::exp(-g * t) * (std::cos(w * t) + g / w * std::sin(w * t));
      worst = std::max(worst, std::fabs(angle - expected));
    }
    EXPECT_LT(worst, (triangles ? 0.03 : 0.002) * tilt);
  }
}

// A cube that spins on its face is braked by the friction of a disk of the contact radius a = L /
// sqrt(2 pi) under an even pressure, 2/3 mu Fn a: at 4 mu g / (sqrt(2 pi) L), I = m L^2 / 6, till
// it stands.
TEST_P(BodiesShapes, TwistingIsBraked)
{
  const double edge = 0.01, mu = 0.3, g = 9.81, w = 4, young = 1e6 / (2 * (1 - 0.09)),
               a = edge / std::sqrt(2 * M_PI);
  dem::Scene s = emptyScene();
  s.materials[0] = { "cube", 1e6, 0.3, 2500, 0.3, mu, 0 };
  s.gravity = { 0, 0, -g };
  s.shapes.push_back(dem::makeNamedPolyhedron("cube", "Brick", { edge, edge, edge }));
  const double sunk = 2500 * edge * edge * edge * g / (8. / 3 * young * a);
  addBody(s, 1, { 0, 0, edge / 2 - sunk }, {}, { 0, 0, w });
  s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
  const double rate = 4 * mu * g / (std::sqrt(2 * M_PI) * edge), dt = 1e-5;
  const auto half = static_cast<std::uint64_t>(0.5 * w / rate / dt);
  setSteps(s, dt, 3 * half);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(half);
  dem::Frame f = sim.frame();
  EXPECT_NEAR((w - spinOf(f, 0).z) / (rate * f.time), 1, 2e-3);
  sim.advanceTo(3 * half);
  f = sim.frame();
  EXPECT_LT(std::fabs(spinOf(f, 0).z), 1e-3 * w);
  const double turned = 2 * std::atan2(orientationOf(f, 0).z, orientationOf(f, 0).w),
               expected = 0.5 * w * w / rate;
  EXPECT_NEAR(turned / expected, 1, 2e-3);
}
// Kureck 6.2.2: a tablet leans on a wall: 8 mm wide, cups of 7 mm, a belt of 2 mm, its disk 30
// degrees from the vertical. It touches the floor (A) with the edge of its belt and the wall (B)
// with its cup, under its weight at C. With the friction mu used up at both the moments about A are
// W (xA - xC) = N_B (zB + mu xA), N_B = mu W / (1 + mu^2), which gives the least friction that
// statics needs: 0.166. With 1.5 of it and history the tablet stays for 5 s; with 0.7 of it, or
// without history, it slips down.
TEST_P(BodiesShapes, TabletLeansOnAWall)
{
  const double d = 0.008, cup = 0.007, belt = 0.002, tilt = M_PI / 6;
  const Vec3d axis{ std::cos(tilt), 0, std::sin(tilt) }, down{ std::sin(tilt), 0, -std::cos(tilt) };
  const double apex = belt / 2 + cup - std::sqrt(cup * cup - d * d / 4);
  const Vec3d edge = (d / 2) * down - (belt / 2) * axis,
              side = (cup - apex) * axis - Vec3d{ cup, 0, 0 }; // A and B from C
  const double xc = -side.x, zc = -edge.z, xa = xc + edge.x, zb = zc + side.z;
  // xc mu^2 + zb mu - (xa - xc) = 0
  const double needed = (-zb + std::sqrt(zb * zb + 4 * xc * (xa - xc))) / (2 * xc);
  EXPECT_NEAR(needed, 0.166, 0.001);
  const struct
  {
    double friction;
    bool history, stays;
  } cases[] = { { 1.5 * needed, true, true }, { 0.7 * needed, true, false },
    { 1.5 * needed, false, false } };
  for (const auto& c : cases)
  {
    SCOPED_TRACE(std::to_string(c.friction) + (c.history ? " with history" : " without"));
    dem::Scene s = emptyScene();
    s.materials[0].restitution = 0.3;
    s.materials[0].friction = c.friction;
    s.materials[0].youngs_modulus = 1e6;
    s.contact.tangential_history = c.history;
    s.gravity = { 0, 0, -9.81 };
    s.shapes.push_back(dem::makeTablet("pill", d, cup, belt));
    addBody(
      s, 1, { xc, 0, zc }, {}, {}, dem::rotationVectorToQuaternion({ 0, M_PI / 2 - tilt, 0 }));
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 1, 0, 0 }));
    s.output_interval = 0.1;
    s.end_time = 5.5;
    dem::Simulation sim = simulate(s);
    const std::uint64_t per = sim.plan().steps_per_output;
    sim.advanceTo(5 * per);
    const dem::Frame first = sim.frame();
    sim.advanceTo(c.stays ? 55 * per : 20 * per);
    const dem::Frame last = sim.frame();
    const double up = dem::rotate(orientationOf(last, 0), Vec3d{ 0, 0, 1 }).z;
    if (c.stays)
    {
      EXPECT_EQ(last.contacts.size, 2u);
      EXPECT_LT(dem::length(positionOf(last, 0) - positionOf(first, 0)), 1e-5 * d);
      EXPECT_NEAR(up, std::sin(tilt), 0.02) << "as it was put";
    }
    else
      EXPECT_GT(std::fabs(up), 0.6) << "it has not slipped down";
  }
}

// Every shape is thrown at every kind of wall, and comes back along the wall's normal; what a pair
// cannot do is refused by name.
TEST_P(BodiesShapes, EveryShapeMeetsEveryWall)
{
  const auto along = [](dem::WallKind kind, double z, double radius, double end_radius) {
    dem::Wall w = pipeWall({ 0, -0.05, z }, { 0, 0.05, z }, radius, end_radius);
    w.kind = kind;
    return w;
  };
  const auto box = [](double bottom, double top) {
    dem::Wall w;
    w.kind = dem::WallKind::Box;
    w.origin = { -0.05, -0.05, bottom };
    w.end = { 0.05, 0.05, top };
    return w;
  };
  const dem::Wall mesh =
    meshWall({ { -0.05, -0.05, 0 }, { 0.05, -0.05, 0 }, { 0.05, 0.06, 0 }, { -0.05, 0.05, 0 } },
      { { 0, 1, 2 }, { 0, 2, 3 } });
  // walls whose surface at x = y = 0 is z = 0, and the slope of its normal towards y there
  const struct
  {
    const char* what;
    dem::Wall wall;
    double slope;
  } walls[] = {
    { "Mesh", mesh, 0 },
    { "Plane", planeWall({ 0, 0, 0 }, { 0, 0, 1 }), 0 },
    { "Rectangle", rectangleWall({ -0.05, -0.05, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }), 0 },
    { "Line", along(dem::WallKind::Line, 0, 0, 0), 0 },
    { "Box from outside", box(-0.02, 0), 0 },
    { "Box from inside", box(0, 0.06), 0 },
    { "Cylinder from outside", along(dem::WallKind::Cylinder, -0.03, 0.03, 0), 0 },
    { "Cylinder from inside", along(dem::WallKind::Cylinder, 0.03, 0.03, 0), 0 },
    { "Cone from outside", along(dem::WallKind::Cone, -0.03, 0.035, 0.025), 0.1 },
    { "Cone from inside", along(dem::WallKind::Cone, 0.03, 0.035, 0.025), -0.1 },
  };
  int refusals = 0;
  for (int shape = 0; shape < 4; ++shape)
    for (const auto& w : walls)
    {
      dem::Scene s = emptyScene();
      s.shapes = someShapes();
      SCOPED_TRACE(s.shapes[shape].name + ", " + w.what);
      addBody(s, shape, { 0, 0, 0.007 }, { 0, 0, -0.5 }, {},
        dem::normalized(Quat{ 0.8, 0.1, -0.5, 0.3 }),
        shape == 0 ? 0.004 / equalRadius(s.shapes[0]) : 1.);
      addBody(s, 3, { 0, 0.02, 0.05 }); // so that spheres, too, are bodies
      s.walls.push_back(w.wall);
      s.walls.back().name = "Thing";
      s.materials[0].youngs_modulus = 1e6;
      setSteps(s, 1.2e-5, 2000);
      if (shape == 2 && w.wall.kind == dem::WallKind::Line)
      {
        const std::string message = errorOf([&] { simulate(s); });
        EXPECT_MENTIONS(message, "Thing");
        EXPECT_MENTIONS(message, "Line");
        EXPECT_MENTIONS(message, "box");
        ++refusals;
        continue;
      }
      dem::Simulation sim = simulate(s);
      const dem::Frame start = sim.frame();
      Vec3d push{};
      for (std::uint64_t at = 20; at <= 2000; at += 20)
      {
        sim.advanceTo(at);
        const dem::Frame f = sim.frame();
        for (std::size_t k = 0; k < f.contacts.size; ++k)
          push += at3(f.contacts.normal_force, k);
      }
      const dem::Frame end = sim.frame();
      EXPECT_EQ(end.contacts.size, 0u);
      EXPECT_GT(positionOf(end, 0).z, 0);
      // elastic and frictionless: energy stays (overlap volumes have no potential), and only a
      // wall's normal force has changed the momentum
      EXPECT_NEAR(end.statistics.kinetic_energy, start.statistics.kinetic_energy,
        (shape == 2 ? 0.2 : 0.02) * start.statistics.kinetic_energy);
      ASSERT_GT(dem::length(push), 0);
      EXPECT_GT(push.z,
        (w.wall.kind == dem::WallKind::Line ? 0.9 : 0.99) *
          dem::length(push)); // a slanting side lies on a line
      EXPECT_NEAR(push.y / push.z, w.slope, 0.02);
      const Vec3d change = velocityOf(end, 0) - velocityOf(start, 0);
      EXPECT_LT(
        dem::length(dem::cross(change, push)), 0.02 * dem::length(change) * dem::length(push));
    }
  EXPECT_EQ(refusals, 1);
}

namespace
{

dem::Scene busyShapes(bool clumps = true)
{
  dem::Scene s = busyBox(2e7, 0.09, 0.012);
  s.shapes = someShapes();
  s.shapes.push_back(dem::makeNamedPolyhedron("dice", "Dodecahedron"));
  addCloud(s, { -0.05, 0, 0.012 }, 7, 6, 6, 0.0055, 0.0066, 0.6, 7, 0.014, 20);
  std::mt19937 random(5);
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    const int shape = static_cast<int>(!clumps && i % 5 == 3 ? 1 : i % 5);
    s.particles.shape.push_back(shape);
    double& r = s.particles.radius[i];
    const dem::Shape& of = s.shapes[shape];
    r = shape == 0 ? 0.0035 : 0.85 * r / of.mass.bounding_radius * equalRadius(of);
    s.particles.orientation.push_back(randomTurn(random));
    s.particles.id.push_back(static_cast<std::int64_t>(1000 - 3 * i));
    s.particles.velocity[i].z -= 0.5;
  }
  s.walls.push_back(pipeWall({ 0.04, -0.1, 0.005 }, { 0.04, 0.2, 0.005 }, 0.004));
  s.time_step = 5e-6;
  return s;
}

} // namespace

TEST_P(BodiesShapes, SameBits)
{
  for (const bool clumps :
    { true, false }) // without them each body is one part, which alone knows where it is
  {
    const dem::Frame f = sameBitsHowever(busyShapes(clumps), 0.0005, 6000);
    EXPECT_GT(f.contacts.size, 12u);
    EXPECT_GT(f.statistics.lost, 0u);
  }
}

namespace
{

// Polyhedra, tablets, spheres and pairs of them, or none of the first.
dem::Scene shapesThatFall(bool polyhedra)
{
  dem::Scene s = emptyScene();
  s.gravity = { 2, 0, -9.81 };
  s.materials[0] = { "grain", 2e7, 0.3, 2500, 0.5, 0.5, 0.05 };
  s.domain.lower = { -0.03, 0, -0.01 };
  s.domain.upper = { 0.03, 0.06, 0.2 };
  s.domain.exit = { dem::Exit::Wall, dem::Exit::Periodic, dem::Exit::Wall };
  s.shapes = { dem::makeNamedPolyhedron("Cube", "Cube"),
    dem::makeNamedPolyhedron("Brick", "Brick", { 3, 2, 1 }),
    dem::makeNamedPolyhedron("Dice", "Dodecahedron"), dem::makeTablet("Tablet", 1, 0.85, 0.3),
    dem::makeMultiSphere("Ball", { { 0, 0, 0 } }, { 1 }),
    dem::makeMultiSphere("Pair", { { 0, 0, 0.5 }, { 0, 0, -0.5 } }, { 1, 1 }) };
  addCloud(s, { -0.03, 0, 0.001 }, 6, 6, 5, 0.0045, 0.0048, 0.5, 11, 0.01, 60);
  std::mt19937 random(6);
  for (std::size_t i = 0; i < s.particles.size(); ++i)
  {
    const int some[] = { 0, 0, 5, 3, 1, 2, 4 },
              round[] = { 3, 3, 4, 3, 5 }; // of few and of many faces, and of none
    const int shape = polyhedra ? some[i % 7] : round[i % 5];
    s.particles.shape.push_back(shape);
    double& r = s.particles.radius[i];
    r *=
      (i % 4 == 1 ? 0.3 : 1) / s.shapes[shape].mass.bounding_radius * equalRadius(s.shapes[shape]);
    s.particles.orientation.push_back(i % 3 ? randomTurn(random) : Quat{});
    s.particles.velocity[i].z -= 1;
  }
  s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 0, 1 }));
  s.skin = 0.003;
  setSteps(s, 4e-6, 6000);
  return s;
}

} // namespace

// What is known of two bodies from earlier steps is that which a look at them would find: a new
// list knows of nothing.
TEST_P(BodiesShapes, AreMetAlikeHoweverLongAListLasts)
{
  for (const bool polyhedra : { true, false })
  {
    const dem::Scene s = shapesThatFall(polyhedra);
    dem::Simulation rarely = simulate(s), always = simulate(s);
    always.rebuildEvery(1);
    for (std::uint64_t at = 1500; at <= 6000; at += 1500)
    {
      rarely.advanceTo(at);
      always.advanceTo(at);
      EXPECT_SAME_BITS(always.frame(), rarely.frame());
    }
    EXPECT_GT(rarely.frame().contacts.size, 60u);
    EXPECT_LT(rarely.searchCounts().rebuilds, 600u);
    EXPECT_GT(always.searchCounts().rebuilds, 5000u);
  }
}

TEST_P(BodiesShapes, EnergyBalance)
{
  dem::Scene s = busyShapes();
  s.domain.exit[0] = dem::Exit::Wall;
  s.time_step = 2e-6;
  dem::Simulation sim = simulate(s);
  const dem::Statistics a = sim.statistics();
  sim.advanceTo(10000);
  const dem::Statistics b = sim.statistics();
  EXPECT_GT(b.dissipated_energy, 0.05 * a.kinetic_energy);
  EXPECT_NEAR(balance(b), balance(a), 0.02 * a.kinetic_energy);
}

TEST_P(BodiesShapes, WhatDoesNotGoTogether)
{
  const auto refused = [&](const auto& change) { return refusalOf(busyShapes(), change); };
  const std::string gear =
    refused([](dem::Scene& s) { s.integrator = dem::IntegratorKind::GearPredictorCorrector; });
  EXPECT_MENTIONS(gear, "Gear Predictor-Corrector");
  EXPECT_MENTIONS(gear, "pill");
  using Kind = dem::NeighborListKind;
  for (const Kind kind : { Kind::Static, Kind::Dynamic, Kind::Hybrid, Kind::None, Kind::SplitLoop })
  {
    const std::string list = refused([&](dem::Scene& s) { s.neighbor_list.kind = kind; });
    EXPECT_MENTIONS(list, dem::name(kind));
    EXPECT_MENTIONS(list, "pill");
    EXPECT_MENTIONS(list, "Automatic");
  }
  EXPECT_MENTIONS(refused([](dem::Scene& s) { s.particles.position[1] = s.particles.position[2]; }),
    "grains 994 and 997");
}

// Grains packed too closely, into walls as well, are pushed apart: what is left is below the
// tolerance by the narrow phase of the run, and they move no farther than they must.
TEST_P(BodiesShapes, OverlapsAreRelaxed)
{
  dem::Scene s = busyShapes();
  std::mt19937 random(9);
  for (Vec3d& x : s.particles.position)
    for (int k = 0; k < 3; ++k)
      x[k] += 0.004 * uniform(random, -1, 1);
  dem::Scene without_walls = s;
  without_walls.walls.clear();
  const std::string message = errorOf([&] { simulate(without_walls); });
  EXPECT_MENTIONS(message, "grains overlap");
  EXPECT_MENTIONS(message, "Relax Initial Overlaps");
  s.walls.push_back(planeWall({ 0, 0, 0.0125 }, { 0, 0, 1 })); // through the lowest
  s.walls.back().name = "Sill";
  const std::string in_wall = errorOf([&] { simulate(s); });
  EXPECT_MENTIONS(in_wall, "begin in walls");
  EXPECT_MENTIONS(in_wall, "Relax Initial Overlaps");
  s.relax_initial_overlaps = true;
  dem::Simulation sim = simulate(s);
  const dem::Frame f = sim.frame();
  ASSERT_EQ(f.size, s.particles.size());
  EXPECT_LT(f.statistics.largest_overlap, s.initial_overlap_tolerance);
  double farthest = 0;
  for (std::size_t i = 0; i < f.size; ++i)
    for (std::size_t j = 0; j < f.size; ++j)
      if (s.particles.id[j] == f.id[i])
        farthest = std::max(farthest, dem::length(positionOf(f, i) - s.particles.position[j]));
  EXPECT_GT(farthest, 1e-4);
  EXPECT_LT(farthest, 0.01);
}

PARAGRAIN_ON_ALL_BACKENDS(BodiesShapes);
