// Correct 6, quick part: a plane column of sand collapses on a floor of the same sand
// (paragrain-validate does round ones, aspect ratios and cells).
#include "MpmSupport.h"

namespace
{

using namespace test;

class MpmColumn : public MpmTest
{
protected:
  // Run-out over the first width, to where the deposit is thinner than a grain of 1/80 of that.
  double runOut(double grain)
  {
    const double width = 0.08, h = width / 12, g = 9.81, angle = 31 * M_PI / 180;
    mpm::Scene s;
    s.gravity = { 0, 0, -g };
    s.grid_spacing = h;
    s.cfl = 0.6;
    s.materials[0].kind = mpm::MaterialKind::DruckerPrager;
    s.materials[0].density = 1600;
    s.materials[0].youngs_modulus = 1e5;
    s.materials[0].poissons_ratio = 0.2;
    s.materials[0].friction_angle = angle;
    s.materials[0].grain_diameter = grain;
    s.materials[0].fast_friction_angle = std::asin(std::sin(angle) + 0.26);
    s.domain.lower = { 0, 0, 0 };
    s.domain.upper = { 4 * width, 2 * h, width + 4 * h };
    s.domain.border[4] = mpm::Border::Separate;
    s.domain.friction = std::tan(angle); // a floor of the same sand
    s.points = mpm::fillBox({ 0, 0, 0 }, { width, 2 * h, width }, h, 2, 0.3, 1);
    s.output_interval = 0.5 * std::sqrt(width / g);
    s.end_time = 4 * std::sqrt(width / g) + 1e-9;
    auto run = simulate(s);
    run.advanceTo(8 * run.plan().steps_per_output);
    const mpm::Frame f = run.frame();
    const double slice = 0.08 * width;
    std::vector<double> thickness(60, 0.);
    for (std::size_t i = 0; i < f.size; ++i)
      thickness.at(static_cast<std::size_t>(f.position[3 * i] / slice)) +=
        h * h * h / 8 / (slice * 2 * h);
    std::size_t k = 0;
    while (thickness[k] > width / 80)
      ++k;
    EXPECT_LT(f.statistics.kinetic_energy, 1e-3 * f.statistics.mass * g * width);
    return static_cast<double>(k) * slice / width - 1;
  }
};
PARAGRAIN_IN_MIXED_PRECISION(MpmColumn); // one is enough, it takes long

TEST_P(MpmColumn, RunsOutAsInExperiments)
{
  const double slow = runOut(0), fast = runOut(1e-3);
  // 1.2 a in channels, whose side walls brake (Lajeunesse et al. 2005, Phys. Fluids 17,
  // 103302); 1.67 a by DEM of disks without them (K. Kumar 2015, thesis, Cambridge, chapter 4)
  EXPECT_GT(fast, 1.2);
  EXPECT_LT(fast, 1.62); // 35 % over the first of them
  EXPECT_GE(slow, fast);
}

} // namespace
