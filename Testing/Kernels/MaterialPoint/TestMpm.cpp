// The Material Point Method: conserved quantities, bits, states, agreement with plain loops, failed
// steps.
#include "MpmSupport.h"

#include <Eigen/Dense>

#include <map>

namespace
{

using namespace test;
using mpm::Scene;

class Mpm : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(Mpm);

// A block of jittered points with random velocities in the middle of the box.
Scene randomBlock(double speed = 0.1)
{
  Scene s = softScene();
  s.points = mpm::fillBox({ 0.3, 0.3, 0.3 }, { 0.7, 0.7, 0.7 }, s.grid_spacing, 2, 1, 7);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-speed, speed);
  setVelocity(s, [&](const Vec3d&) { return Vec3d{ u(random), u(random), u(random) }; });
  return s;
}

void everyScheme(Scene s, const std::function<void(const Scene&, const std::string&)>& visit)
{
  for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
    for (mpm::Transfer transfer : { mpm::Transfer::APIC, mpm::Transfer::PIC, mpm::Transfer::FLIP })
    {
      s.spline = spline;
      s.transfer = transfer;
      SCOPED_TRACE(std::string(name(spline)) + " " + name(transfer));
      visit(s, std::string(name(spline)) + " " + name(transfer));
    }
}

TEST_P(Mpm, MassAndMomentumAreKept)
{
  everyScheme(randomBlock(), [&](const Scene& s, const std::string&) {
    auto run = simulate(s);
    const mpm::Statistics before = run.statistics();
    run.advanceTo(20);
    const mpm::Statistics after = run.statistics();
    const double scale = before.mass * 0.1;
    EXPECT_EQ(after.mass, before.mass);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(after.momentum[k], before.momentum[k], (mixed() ? 2e-7 : 1e-15) * scale) << k;
    if (s.transfer == mpm::Transfer::APIC)
    {
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(
          after.angular_momentum[k], before.angular_momentum[k], (mixed() ? 2e-7 : 1e-15) * scale)
          << k;
    }
  });
}

// A uniform velocity moves everything and strains nothing.
TEST_P(Mpm, TranslationGivesNoStress)
{
  everyScheme(softScene(), [&](Scene s, const std::string&) {
    s.points = mpm::fillBox({ 0.2, 0.3, 0.3 }, { 0.5, 0.6, 0.6 }, s.grid_spacing, 2, 0.7, 5);
    setVelocity(s, [](const Vec3d&) { return Vec3d{ 1, 0.5, -0.25 }; });
    auto run = simulate(s);
    const std::vector<Vec3d> start = s.points.position;
    run.advanceTo(10 * run.plan().steps_per_output);
    const mpm::Frame f = run.frame();
    ASSERT_EQ(f.size, start.size());
    const double small = mixed() ? 3e-5 : 1e-12;
    for (std::size_t i = 0; i < f.size; ++i)
    {
      const Vec3d x = at3(f.position, i) - start[i];
      ASSERT_NEAR(x.x, 0.1, small);
      ASSERT_NEAR(x.y, 0.05, small);
      ASSERT_NEAR(x.z, -0.025, small);
      for (int k = 0; k < 6; ++k)
        ASSERT_NEAR(f.stress[6 * i + k], 0, 1e5 * small) << i;
    }
  });
}

// A velocity field that is affine is kept by APIC, value and gradient; one step strains every point
// by exactly 1 + dt C.
TEST_P(Mpm, AffineFieldsAreKeptByApic)
{
  const mpm::Matrix3d c{ { { 0.5, -1, 0.5 }, { 0.25, 0.75, 0 }, { -0.75, 0.5, -1.25 } } };
  double c2 = 0;
  for (const auto& row : c)
    for (double x : row)
      c2 += x * x;
  for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
    for (double dt : { 0.005, 1e-11 })
    {
      Scene s = softScene();
      s.spline = spline;
      s.materials[0].youngs_modulus = 1e-6; // as good as none
      s.materials[0].poissons_ratio = 0;
      s.output_interval = dt;
      s.time_step = dt;
      s.end_time = 100 * dt;
      s.points = mpm::fillBox({ 0.25, 0.25, 0.25 }, { 0.75, 0.75, 0.75 }, s.grid_spacing, 2, 1, 11);
      const Vec3d middle{ 0.5, 0.5, 0.5 };
      const auto field = [&](const Vec3d& x) {
        const Vec3d d = x - middle;
        return Vec3d{ c[0][0] * d.x + c[0][1] * d.y + c[0][2] * d.z,
          c[1][0] * d.x + c[1][1] * d.y + c[1][2] * d.z,
          c[2][0] * d.x + c[2][1] * d.y + c[2][2] * d.z };
      };
      setVelocity(s, field);
      s.points.velocity_gradient.assign(s.points.size(), c);
      auto run = simulate(s);
      run.advanceTo(dt > 1e-3 ? 1 : 50);
      const mpm::Frame f = run.frame();
      const double small = mixed()
        ? 3e-6
        : 2e-7; // a frame shows floats; the least double precision sees stands in the energy
      for (std::size_t i = 0; i < f.size; ++i)
      {
        const Vec3d v = field(s.points.position[i]), x = s.points.position[i] + run.time() * v;
        ASSERT_LT(length(at3(f.velocity, i) - v), dt > 1e-3 ? small : 50 * small) << i;
        ASSERT_LT(length(at3(f.position, i) - x), mixed() ? 1e-6 : 1e-12) << i;
        for (int r = 0; r < 3; ++r)
          for (int q = 0; q < 3; ++q)
            ASSERT_NEAR(f.deformation[9 * i + 3 * r + q], (r == q) + run.time() * c[r][q], small)
              << i;
      }
      const double d =
        (spline == mpm::Spline::Quadratic ? 1. / 4 : 1. / 3) * s.grid_spacing * s.grid_spacing;
      EXPECT_NEAR(f.statistics.affine_energy, 0.5 * f.statistics.mass * d * c2,
        (mixed() ? 1e-4 : 1e-8) * f.statistics.affine_energy);
    }
}

// One step of a rigid rotation strains by sqrt(1 + (w dt)^2) - 1, so a turn of 2 pi / (w dt) steps
// by pi w dt: first order.
TEST_P(Mpm, RotationStrainsInTheFirstOrder)
{
  const double w = 3;
  std::vector<double> a_turn;
  for (double dt : { 2e-3, 1e-3 })
  {
    Scene s = softScene();
    s.time_step = s.output_interval = dt;
    s.points = mpm::fillBox({ 0.35, 0.35, 0.35 }, { 0.65, 0.65, 0.65 }, s.grid_spacing, 2, 1, 11);
    setVelocity(s, [&](const Vec3d& x) { return Vec3d{ -w * (x.y - 0.5), w * (x.x - 0.5), 0 }; });
    s.points.velocity_gradient.assign(
      s.points.size(), { { { 0, -w, 0 }, { w, 0, 0 }, { 0, 0, 0 } } });
    auto run = simulate(s);
    run.advanceTo(1);
    const mpm::Frame f = run.frame();
    double most = 0;
    for (std::size_t i = 0; i < f.size; ++i)
      for (int col = 0; col < 2; ++col)
      {
        const Vec3d e{ f.deformation[9 * i + col], f.deformation[9 * i + 3 + col],
          f.deformation[9 * i + 6 + col] };
        most = std::max(most, length(e) - 1);
      }
    a_turn.push_back(most * 2 * M_PI / (w * dt));
    EXPECT_LT(a_turn.back(), 1.1 * M_PI * w * dt);
    EXPECT_GT(a_turn.back(), 0.9 * M_PI * w * dt);
  }
  EXPECT_NEAR(a_turn[0] / a_turn[1], 2, 0.1);
  // a body that holds together: after a turn no more strain than that and its centrifugal one
  Scene s = softScene();
  s.materials[0].youngs_modulus = 1e6; // sound 36.7 m/s, surface speed below 0.8 m/s
  s.points = mpm::fillBox({ 0.35, 0.35, 0.35 }, { 0.65, 0.65, 0.65 }, s.grid_spacing, 2, 0, 11);
  setVelocity(s, [&](const Vec3d& x) { return Vec3d{ -w * (x.y - 0.5), w * (x.x - 0.5), 0 }; });
  s.points.velocity_gradient.assign(
    s.points.size(), { { { 0, -w, 0 }, { w, 0, 0 }, { 0, 0, 0 } } });
  auto run = simulate(s);
  const auto steps = static_cast<std::uint64_t>(2 * M_PI / w / run.plan().time_step);
  run.advanceTo(steps);
  const mpm::Frame f = run.frame();
  double mean = 0;
  for (std::size_t i = 0; i < f.size; ++i)
    mean += std::fabs(std::cbrt(double(f.jacobian[i])) - 1) / static_cast<double>(f.size);
  EXPECT_LT(mean, 1.1 * M_PI * w * run.plan().time_step + 1000 * w * w * 0.21 * 0.21 / 1e6);
}

TEST_P(Mpm, SameBitsOnAnyThreads)
{
  everyScheme(randomBlock(1), [&](Scene s, const std::string&) {
    s.materials.push_back({ mpm::MaterialKind::DruckerPrager });
    s.points.material.resize(s.points.size());
    for (std::size_t i = 0; i < s.points.size(); ++i)
      s.points.material[i] = s.points.position[i].z > 0.5;
    auto one = simulate(s, 1), more = simulate(s, 3), again = simulate(s, 2);
    one.advanceTo(25);
    more.advanceTo(25);
    again.advanceTo(10);
    again.frame(); // looking changes nothing
    again.advanceTo(25);
    EXPECT_EQ(firstDifference(one.frame(), more.frame()), "");
    EXPECT_EQ(firstDifference(one.frame(), again.frame()), "");
  });
}

// A step of many sub-steps moves points in place and sorts them now and then: as as many steps of
// their own, which write beside what they read. A point of next to no mass, stretched so far that
// its wave is fast, asks for them.
TEST_P(Mpm, SubStepsDoAsStepsDo)
{
  Scene s = randomBlock(1);
  for (Vec3d& v : s.points.velocity)
    v += Vec3d{ 10, 5, 2 };
  s.materials[0].kind = mpm::MaterialKind::Corotated;
  s.points.mass.clear();
  for (std::size_t i = 0; i < s.points.size(); ++i)
    s.points.mass.push_back(1000 * s.points.volume[i]);
  s.points.deformation.assign(s.points.size(), {});
  for (auto& f : s.points.deformation)
    for (int k = 0; k < 3; ++k)
      f[k][k] = 1;
  const std::size_t light = s.points.size() / 2;
  s.points.volume[light] *= 1e-9;
  s.points.mass[light] *= 1e-9;
  s.points.deformation[light][0][0] = 150;
  s.output_interval = mpm::planSteps(s).time_step;
  auto parts = simulate(s);
  parts.advanceTo(2);
  const auto sub_steps = parts.statistics().sub_steps;
  ASSERT_GT(sub_steps, 2 * 40u);
  ASSERT_EQ(sub_steps % 2, 0u);
  s.output_interval /= static_cast<double>(sub_steps / 2);
  s.time_step = s.output_interval;
  auto steps = simulate(s);
  steps.advanceTo(sub_steps);
  ASSERT_EQ(steps.statistics().sub_steps, sub_steps);
  const mpm::Frame a = parts.frame(), b = steps.frame();
  double moved = 0;
  for (std::size_t i = 0; i < a.size; ++i)
    if (i != light)
    {
      moved = std::max(moved, length(at3(a.position, i) - s.points.position[i]));
      ASSERT_LT(
        length(at3(a.position, i) - at3(b.position, i)), (mixed() ? 1e-5 : 1e-10) * s.grid_spacing);
      ASSERT_LT(length(at3(a.velocity, i) - at3(b.velocity, i)), mixed() ? 1e-4 : 1e-9);
    }
  EXPECT_GT(moved, 0.2 * s.grid_spacing);
}

// The order of the input is not seen where Ids tell the points.
TEST_P(Mpm, SameBitsInAnyOrderOfInput)
{
  Scene s = randomBlock(1);
  const std::size_t n = s.points.size();
  s.points.id.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    s.points.id[i] = 5 + 3 * static_cast<std::int64_t>(i);
  Scene t = s;
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i)
    order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(9));
  for (std::size_t i = 0; i < n; ++i)
  {
    t.points.position[i] = s.points.position[order[i]];
    t.points.velocity[i] = s.points.velocity[order[i]];
    t.points.volume[i] = s.points.volume[order[i]];
    t.points.id[i] = s.points.id[order[i]];
  }
  auto a = simulate(s), b = simulate(t);
  a.advanceTo(20);
  b.advanceTo(20);
  const mpm::Frame f = a.frame(), g = b.frame();
  for (std::size_t i = 0; i < n; ++i)
  {
    ASSERT_EQ(f.id[i], 5 + 3 * static_cast<std::int64_t>(i));
    ASSERT_EQ(f.position[3 * i], g.position[3 * i]);
    ASSERT_EQ(f.velocity[3 * i + 1], g.velocity[3 * i + 1]);
  }
}

TEST_P(Mpm, RestoredRunsGoOnWithTheSameBits)
{
  everyScheme(randomBlock(1), [&](Scene s, const std::string&) {
    s.gravity = { 0, 0, -9.81 };
    s.domain.border[4] = mpm::Border::Separate;
    s.domain.friction = 0.3;
    auto whole = simulate(s), first = simulate(s), second = simulate(s);
    whole.advanceTo(30);
    first.advanceTo(13);
    const mpm::SnapshotBytes state = first.save();
    first.advanceTo(17);
    second.restore(state);
    EXPECT_EQ(second.step(), 13u);
    second.advanceTo(30);
    EXPECT_EQ(firstDifference(whole.frame(), second.frame()), "");
    first.restore(state); // rewind
    first.advanceTo(30);
    EXPECT_EQ(firstDifference(whole.frame(), first.frame()), "");
    mpm::SnapshotBytes cut = state;
    cut.resize(cut.size() / 2);
    EXPECT_MENTIONS(errorOf([&] { first.restore(cut); }), "offset");
    Scene other = s;
    other.materials[0].youngs_modulus *= 2;
    auto stranger = simulate(other);
    EXPECT_MENTIONS(errorOf([&] { stranger.restore(state); }), "another scene");
  });
}

using Matrix = Eigen::Matrix3d;
using Vector = Eigen::Vector3d;

// The transfers by plain loops over points and a map of nodes, for fixed corotated material.
struct PlainLoops
{
  explicit PlainLoops(const Scene& s)
    : scene(s)
    , cubic(s.spline == mpm::Spline::Cubic)
    , h(s.grid_spacing)
    , volume(s.points.volume[0])
    , mass(1000 * volume)
  {
  }

  void add(const Vector& place, const Vector& velocity, const Matrix& own, const Matrix& field)
  {
    x.push_back(place);
    v.push_back(velocity);
    f.push_back(own);
    c.push_back(field);
  }

  void step(double dt)
  {
    std::map<std::array<int, 3>, Node> grid;
    give(grid);
    for (auto& [at, node] : grid)
    {
      node.before = node.p / node.m;
      node.after = node.before + dt * (node.force / node.m + Vector(0.5, 0, -3));
    }
    take(grid, dt);
  }

  std::vector<Vector> x, v;
  std::vector<Matrix> f, c;

private:
  struct Node
  {
    double m = 0;
    Vector p = Vector::Zero(), force = Vector::Zero(), before, after;
  };

  double weight(double d) const
  {
    d = std::fabs(d);
    if (cubic)
      return d < 1 ? d * d * d / 2 - d * d + 2. / 3 : (d < 2 ? std::pow(2 - d, 3) / 6 : 0.);
    return d < 0.5 ? 0.75 - d * d : (d < 1.5 ? std::pow(1.5 - d, 2) / 2 : 0.);
  }
  double slope(double d) const
  {
    const double a = std::fabs(d), sign = d < 0 ? -1 : 1;
    if (cubic)
      return sign * (a < 1 ? 1.5 * a * a - 2 * a : (a < 2 ? -std::pow(2 - a, 2) / 2 : 0.));
    return a < 0.5 ? -2 * d : (a < 1.5 ? -sign * (1.5 - a) : 0.);
  }

  template <class Body>
  void visit(std::map<std::array<int, 3>, Node>& grid, std::size_t i, const Body& body) const
  {
    int low[3];
    for (int k = 0; k < 3; ++k)
      low[k] = static_cast<int>(std::floor(x[i][k] / h)) - 2;
    for (int a = low[0]; a < low[0] + 6; ++a)
      for (int b = low[1]; b < low[1] + 6; ++b)
        for (int e = low[2]; e < low[2] + 6; ++e)
        {
          const Vector d(x[i][0] / h - a, x[i][1] / h - b, x[i][2] / h - e);
          const double wx = weight(d[0]), wy = weight(d[1]), wz = weight(d[2]);
          if (wx * wy * wz > 0)
            body(grid[{ a, b, e }], wx * wy * wz,
              Vector(
                Vector(slope(d[0]) * wy * wz, wx * slope(d[1]) * wz, wx * wy * slope(d[2])) / h),
              Vector(-h * d));
        }
  }

  void give(std::map<std::array<int, 3>, Node>& grid) const
  {
    const double mu = 1e5 / 2.6, lambda = 1e5 * 0.3 / (1.3 * 0.4);
    for (std::size_t i = 0; i < x.size(); ++i)
    {
      const Eigen::JacobiSVD<Matrix> svd(f[i], Eigen::ComputeFullU | Eigen::ComputeFullV);
      const Matrix r = svd.matrixU() * svd.matrixV().transpose();
      const double j = f[i].determinant();
      const Matrix p = 2 * mu * (f[i] - r) + lambda * (j - 1) * j * f[i].inverse().transpose();
      visit(grid, i, [&](Node& node, double w, const Vector& g, const Vector& d) {
        node.m += w * mass;
        node.p += w * mass * (v[i] + c[i] * d);
        node.force -= volume * p * f[i].transpose() * g;
      });
    }
  }

  void take(std::map<std::array<int, 3>, Node>& grid, double dt)
  {
    const mpm::Scene& s = scene;
    const double d_p = (cubic ? 1. / 3 : 1. / 4) * h * h;
    for (std::size_t i = 0; i < x.size(); ++i)
    {
      Vector pic = Vector::Zero(), change = Vector::Zero();
      Matrix gradient = Matrix::Zero(), b = Matrix::Zero();
      visit(grid, i, [&](Node& node, double w, const Vector& g, const Vector& d) {
        pic += w * node.after;
        change += w * (node.after - node.before);
        gradient += node.after * g.transpose();
        b += w * node.after * d.transpose();
      });
      x[i] += dt * pic;
      f[i] = (Matrix::Identity() + dt * gradient) * f[i];
      v[i] = s.transfer == mpm::Transfer::FLIP ? Vector(0.3 * pic + 0.7 * (v[i] + change)) : pic;
      c[i] = s.transfer == mpm::Transfer::APIC ? Matrix(b / d_p) : Matrix::Zero();
    }
  }

  const Scene& scene;
  bool cubic;
  double h, volume, mass;
};

// Three steps against plain loops: dense weights from the splines' own formulas, fixed corotated
// stress by Eigen's decomposition, FLIP by its definition. Nothing of the solver is used.
TEST_P(Mpm, AgreesWithPlainLoops)
{
  everyScheme(softScene(), [&](Scene s, const std::string&) {
    const double h = s.grid_spacing, dt = 2e-3;
    s.flip_fraction = 0.7;
    s.gravity = { 0.5, 0, -3 };
    s.time_step = s.output_interval = dt;
    s.points = mpm::fillBox({ 0.4, 0.4, 0.4 }, { 0.6, 0.6, 0.6 }, h, 2, 1, 21);
    const std::size_t n = s.points.size();
    std::mt19937 random(8);
    std::uniform_real_distribution<double> u(-1, 1);
    setVelocity(s, [&](const Vec3d&) { return Vec3d{ u(random), u(random), u(random) }; });
    PlainLoops plain(s);
    for (std::size_t i = 0; i < n; ++i)
    {
      Matrix own = Matrix::Identity(), field = Matrix::Zero();
      for (int k = 0; k < 9; ++k)
      {
        own(k / 3, k % 3) += 0.05 * u(random);
        field(k / 3, k % 3) = s.transfer == mpm::Transfer::APIC ? u(random) : 0;
      }
      const auto array = [](const Matrix& m) {
        mpm::Matrix3d a;
        for (int k = 0; k < 9; ++k)
          a[k / 3][k % 3] = m(k / 3, k % 3);
        return a;
      };
      s.points.deformation.push_back(array(own));
      s.points.velocity_gradient.push_back(array(field));
      plain.add({ s.points.position[i].x, s.points.position[i].y, s.points.position[i].z },
        { s.points.velocity[i].x, s.points.velocity[i].y, s.points.velocity[i].z }, own, field);
    }
    auto run = simulate(s);
    for (int step = 1; step <= 3; ++step)
    {
      plain.step(dt);
      run.advanceTo(static_cast<std::uint64_t>(step));
      const mpm::Frame frame = run.frame();
      const double small = mixed()
        ? 2e-4
        : 2e-6; // of frames, which show floats; strains of 0.05 at 1e5 Pa make 100 m/s^2
      for (std::size_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k)
        {
          ASSERT_NEAR(frame.position[3 * i + k], plain.x[i][k], mixed() ? 2e-7 : 1e-13) << i;
          ASSERT_NEAR(frame.velocity[3 * i + k], plain.v[i][k], small * 0.1) << i;
          for (int q = 0; q < 3; ++q)
            ASSERT_NEAR(frame.deformation[9 * i + 3 * k + q], plain.f[i](k, q), small * 0.1) << i;
        }
    }
  });
}

// The same scene on the CPU: to rounding.
TEST_P(Mpm, AgreesWithTheCpu)
{
  everyScheme(randomBlock(0.5), [&](Scene s, const std::string&) {
    s.gravity = { 0, 0, -9.81 };
    s.precision = precision();
    for (mpm::MaterialKind kind : { mpm::MaterialKind::Corotated, mpm::MaterialKind::FixedCorotated,
           mpm::MaterialKind::NeoHookean, mpm::MaterialKind::DruckerPrager,
           mpm::MaterialKind::VonMises, mpm::MaterialKind::Fluid })
    {
      s.materials[0].kind = kind;
      auto own = simulate(s);
      mpm::Simulation cpu(s, { dem::DeviceKind::CPU, 1 });
      own.advanceTo(15);
      cpu.advanceTo(15);
      const mpm::Frame a = own.frame(), b = cpu.frame();
      ASSERT_EQ(a.size, b.size);
      const auto [place, speed] = apart(a, b);
      EXPECT_LT(place, mixed() ? 1e-6 : 1e-14) << mpm::name(kind);
      EXPECT_LT(speed, mixed() ? 1e-4 : 1e-7) << mpm::name(kind); // of frames, which show floats
      // In sand at yield the strains are some 1e-5, of which a deformation gradient of floats knows
      // two digits.
      const double known =
        !mixed() ? 1e-9 : (kind == mpm::MaterialKind::DruckerPrager ? 3e-2 : 5e-4);
      EXPECT_NEAR(a.statistics.elastic_energy, b.statistics.elastic_energy,
        known * b.statistics.elastic_energy)
        << mpm::name(kind);
    }
  });
}

// A point of mass in free fall.
TEST_P(Mpm, FreeFall)
{
  Scene s = softScene();
  s.domain.upper = { 1, 1, 4 };
  s.gravity = { 0, 0, -10 };
  s.points = mpm::fillBox({ 0.4, 0.4, 3 }, { 0.6, 0.6, 3.2 }, s.grid_spacing, 2, 0, 1);
  auto run = simulate(s);
  const Vec3d start = s.points.position[0];
  run.advanceTo(40 * run.plan().steps_per_output);
  const double t = run.time(), dt = run.plan().time_step;
  EXPECT_NEAR(t, 0.4, 1e-12);
  const mpm::Frame f = run.frame();
  for (std::size_t i = 0; i < f.size; ++i)
    ASSERT_NEAR(f.velocity[3 * i + 2], -10 * t, 1e-4);
  // symplectic Euler with the parts that steps had at that speed: between g t^2 / 2 and g t (t +
  // dt) / 2
  const double fallen = start.z - f.position[2];
  EXPECT_GT(fallen, 5 * t * t * (1 - 1e-5));
  EXPECT_LT(fallen, 5 * t * (t + dt) * (1 + 1e-5));
}

TEST_P(Mpm, EmptyScenesRun)
{
  Scene s = softScene();
  auto run = simulate(s);
  run.advanceTo(5);
  const mpm::Frame f = run.frame();
  EXPECT_EQ(f.size, 0u);
  EXPECT_EQ(f.position.size(), 0u);
  EXPECT_EQ(f.grid.size, 0u);
  auto other = simulate(s);
  other.restore(run.save());
  EXPECT_EQ(other.step(), 5u);
}

// Sums over the grid that a frame shows: mass and momentum of the points.
TEST_P(Mpm, TheGridOfAFrame)
{
  everyScheme(randomBlock(), [&](const Scene& s, const std::string&) {
    auto run = simulate(s);
    run.advanceTo(3);
    const mpm::Frame f = run.frame();
    ASSERT_GT(f.grid.size, 0u);
    double mass = 0;
    Vec3d momentum{};
    std::int64_t last = -1;
    const auto& n = f.grid.nodes;
    for (std::size_t k = 0; k < f.grid.size; ++k)
    {
      EXPECT_GT(f.grid.index[k], last);
      last = f.grid.index[k];
      mass += f.grid.mass[k];
      momentum += double(f.grid.mass[k]) * at3(f.grid.velocity, k);
    }
    EXPECT_LT(last, std::int64_t(n[0]) * n[1] * n[2]);
    EXPECT_NEAR(mass, f.statistics.mass, 1e-5 * mass);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(momentum[k], f.statistics.momentum[k], 1e-6 * mass);
    EXPECT_EQ(f.statistics.active_nodes, f.grid.size);
  });
}

// What fails on the way keeps the state of the last whole step, and refuses to go on until it is
// restored.
TEST_P(Mpm, AFailedStepLeavesTheStateBefore)
{
  // two blocks that meet at a speed far beyond that of sound invert neo-Hookean points
  Scene s = softScene();
  s.materials[0].kind = mpm::MaterialKind::NeoHookean;
  s.materials[0].youngs_modulus = 1e3;
  s.cfl = 1;
  s.points = mpm::fillBox({ 0.2, 0.4, 0.4 }, { 0.8, 0.6, 0.6 }, s.grid_spacing, 2, 0, 1);
  setVelocity(s, [](const Vec3d& x) { return Vec3d{ x.x < 0.5 ? 60. : -60., 0, 0 }; });
  auto run = simulate(s), before = simulate(s);
  std::string e;
  std::uint64_t good = 0;
  mpm::SnapshotBytes state = before.save();
  for (int k = 0; k < 2000 && e.empty(); ++k)
  {
    try
    {
      run.advanceTo(run.step() + 1);
      state = run.save();
      good = run.step();
    }
    catch (const dem::Error& error)
    {
      e = error.what();
    }
  }
  EXPECT_MENTIONS(e, "Point ");
  EXPECT_EQ(run.step(), good);
  before.restore(state);
  EXPECT_EQ(firstDifference(run.frame(), before.frame()), "");
  EXPECT_EQ(errorOf([&] { run.advanceTo(run.step() + 1); }), e);
  run.restore(state);
  EXPECT_EQ(firstDifference(run.frame(), before.frame()), "");
}

} // namespace
