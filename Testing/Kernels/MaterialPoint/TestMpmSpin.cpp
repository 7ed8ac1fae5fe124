// The bound of explicit steps for rotating blocks. Meyer 2019, eq. 93, bounds the speed of nodes by
// that of points and their affine fields, |v_p| + kappa / k h |B_p|; the step of a run is bounded
// by |v_p| and the speed of sound alone, since points move with what they see of the nodes. These
// tests decide that the affine term is not needed.
#include "MpmSupport.h"

namespace
{

using namespace test;
using mpm::Scene;

class MpmSpin : public MpmTest
{
};
PARAGRAIN_ON_ALL_BACKENDS(MpmSpin);

// A free block of `cells` along each axis that turns once in `end_time`. `turn`: angular velocity
// times cell over the speed of sound.
struct Spinning
{
  Scene scene;
  double omega = 0, sound = 0;
};
Spinning spinning(int cells, double turn, mpm::Spline spline)
{
  Spinning all;
  Scene& s = all.scene;
  s = softScene();
  s.spline = spline;
  s.materials[0].poissons_ratio = 0;
  const double h = s.grid_spacing, low = 0.5 - h * (cells / 2), mid = low + cells * h / 2;
  all.sound = std::sqrt(s.materials[0].youngs_modulus / s.materials[0].density);
  const double omega = all.omega = turn * all.sound / h;
  s.points = mpm::fillBox(
    { low, low, low }, { low + cells * h, low + cells * h, low + cells * h }, h, 2, 0, 1);
  setVelocity(s, [&](const Vec3d& x) {
    return Vec3d{ -omega * (x.y - mid), omega * (x.x - mid), 0 };
  });
  s.points.velocity_gradient.assign(
    s.points.size(), { { { 0, -omega, 0 }, { omega, 0, 0 }, { 0, 0, 0 } } });
  s.end_time = 2 * M_PI / omega;
  s.output_interval = s.end_time / 8;
  return all;
}

double largest(const float* v, std::size_t n)
{
  double most = 0;
  for (std::size_t i = 0; i < n; ++i)
    most = std::max(most,
      std::sqrt(double(v[3 * i]) * v[3 * i] + double(v[3 * i + 1]) * v[3 * i + 1] +
        double(v[3 * i + 2]) * v[3 * i + 2]));
  return most;
}

// Nodes do move faster than all points, within the bound of eq. 93; no point moves more than its
// own speed times the step.
TEST_P(MpmSpin, NodesAreFasterThanPointsWithinEquation93)
{
  for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
  {
    const Spinning a = spinning(2, 0.3, spline);
    auto run = simulate(a.scene);
    const mpm::Frame f = run.frame();
    const double points = largest(f.velocity.data(), f.size),
                 nodes = largest(f.grid.velocity.data(), f.grid.size);
    // kappa h |C|_F with kappa = 3/2 sqrt(3) (quadratic), 2 sqrt(3) (cubic), |C|_F = sqrt(2) omega
    const double kappa = (spline == mpm::Spline::Quadratic ? 1.5 : 2) * std::sqrt(3.);
    EXPECT_GT(nodes, 1.3 * points) << mpm::name(spline);
    EXPECT_LT(nodes, points + kappa * a.scene.grid_spacing * std::sqrt(2.) * a.omega)
      << mpm::name(spline);
  }
}

// Steps within the bound of eq. 93 change nothing but the error of the integration: blocks of one
// to four cells keep their angular momentum and turn alike, up to corners at 2.5 times the speed of
// sound. Where the affine term is not well above the speed of sound, whole steps may hide it.
TEST_P(MpmSpin, TheAffineTermIsNotNeeded)
{
  for (mpm::Spline spline : { mpm::Spline::Quadratic, mpm::Spline::Cubic })
    for (int cells : { 1, 2, 4 })
      for (double turn : { 0.3, 1. })
      {
        Spinning a = spinning(cells, turn, spline);
        Scene& s = a.scene;
        SCOPED_TRACE(std::string(mpm::name(spline)) + ", cells " + std::to_string(cells) +
          ", turn " + std::to_string(turn));
        const double h = s.grid_spacing, reach = h * (cells / 2. - 0.25) * std::sqrt(2.),
                     kappa = (spline == mpm::Spline::Quadratic ? 1.5 : 2) * std::sqrt(3.),
                     affine = kappa * h * std::sqrt(2.) * a.omega;
        if (affine <= 1.2 * a.sound)
          continue;
        auto plain = simulate(s);
        s.time_step = s.cfl * h / (a.omega * reach + affine);
        auto with_term = simulate(s);
        const mpm::Statistics begin = plain.statistics();
        const auto total = [](const mpm::Statistics& t) {
          return t.kinetic_energy + t.affine_energy + t.elastic_energy;
        };
        plain.advanceTo(8 * plain.plan().steps_per_output);
        with_term.advanceTo(8 * with_term.plan().steps_per_output);
        const mpm::Statistics one = plain.statistics(), two = with_term.statistics();
        EXPECT_LT(one.sub_steps, two.sub_steps);
        EXPECT_NEAR(one.angular_momentum[2] / begin.angular_momentum[2], 1, 1e-3);
        EXPECT_NEAR(total(one) / total(two), 1, 0.04);
        EXPECT_LT(total(one), 1.03 * total(begin));
      }
}

} // namespace
