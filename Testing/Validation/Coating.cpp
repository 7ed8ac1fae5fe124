// Spray coating in a turning drum: the variation from grain to grain against the law of Mann.
#include "Beds.h"
#include "Fits.h"

#include "Random.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace validation
{

// Mann, "Coating and particle mixing", Powder Technology 35 (1983): passes of a grain through the
// spray are a renewal process, so once the bed is mixed the standard deviation of the coating over
// its mean falls as the number of passes to the power -1/2, which is proportional to the time.
void runCoating(Report& report, const dem::RunOptions& options)
{
  const double radius = 0.05, length = 0.03, turn = 0.75; // m, m, s
  const double first = 8, last = 40;                      // s
  report.setup("500 grains of 4 mm, friction 0.5, e = 0.5, E = 1 MPa, 2,500 kg/m^3, in a drum of "
               "100 mm and 80 turns a minute, friction 0.8, periodic along its axis over 30 mm; "
               "step 0.1 ms");
  report.setup(
    "a flat spray on the axis, 100 degrees along it and 40 across, 5,000 rays each 10 ms, "
    "from the time on at which the bed flows");
  report.setup("variation: standard deviation over mean of the coating mass of the grains; its "
               "slope in logarithms from 8 s (10 turns) to 40 s of spray");
  dem::Scene s;
  s.materials[0] = { "grain", 1e6, 0.3, kDensity, 0.5, 0.5, 0 };
  s.materials.push_back({ "wall", 1e6, 0.3, kDensity, 0.5, 0.8, 0 });
  test::Uniform uniform(5);
  const double h = 1.15 * kDiameter;
  for (int z = 0; s.particles.size() < 500; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = -8; x < 8; ++x)
      {
        const Vec3d p{ (x + 0.5) * h + uniform(-1e-4, 1e-4), (y + 0.5) * length / 5,
          -0.02 + z * h + uniform(-1e-4, 1e-4) };
        if (std::hypot(p.x, p.z) > radius - 0.6 * kDiameter || s.particles.size() == 500)
          continue;
        s.particles.position.push_back(p);
        s.particles.radius.push_back(0.5 * kDiameter);
      }
  dem::Wall drum;
  drum.name = "drum";
  drum.kind = dem::WallKind::Cylinder;
  drum.origin = { 0, -length, 0 };
  drum.end = { 0, 2 * length, 0 };
  drum.radius = radius;
  drum.material = 1;
  drum.motion.kind = dem::MotionKind::Rotation;
  drum.motion.axis = { 0, 1, 0 };
  drum.motion.rate = 2 * M_PI / turn;
  s.walls.push_back(drum);
  s.domain.lower = { -0.06, 0, -0.06 };
  s.domain.upper = { 0.06, length, 0.06 };
  s.domain.exit = { dem::Exit::Wall, dem::Exit::Periodic, dem::Exit::Wall };
  dem::Nozzle nozzle;
  nozzle.position = { 0, 0.5 * length, 0.02 };
  nozzle.axis = { -0.5, 0, -1 };
  nozzle.up = { 0, 1, 0 };
  nozzle.full_angle = 100 * M_PI / 180;
  nozzle.across_angle = 40 * M_PI / 180;
  nozzle.rays = 5000;
  nozzle.start = 1; // the bed flows then
  s.nozzles.push_back(nozzle);
  s.time_step = 1e-4;
  s.output_interval = 0.5;
  s.end_time = nozzle.start + last;
  dem::Simulation sim(s, options);
  Table table{ "coating", { "time s", "variation" }, {}, true };
  std::vector<double> x, y;
  double bare = 0, variation = 0;
  for (double t = 0.5; t <= last + 1e-9; t += t < first ? 0.5 : 1)
  {
    sim.advanceTo(static_cast<std::uint64_t>(std::llround((nozzle.start + t) / s.time_step)));
    const dem::Frame f = sim.frame(selection(false));
    variation = f.statistics.coating_variation;
    if (std::abs(std::log2(t) - std::round(std::log2(t))) < 1e-9 || t >= last - 1e-9)
      table.rows.push_back({ t, variation });
    bare = 0;
    for (const std::int64_t hits : f.coating.hits)
      bare += hits == 0;
    if (t < first)
      continue;
    x.push_back(std::log(t));
    y.push_back(std::log(variation));
  }
  const dem::Statistics books = sim.statistics();
  report.near("slope of log variation over log time", fitLine(x, y).slope, -0.5, 0.05,
    "Mann 1983: renewal of passes through the spray");
  report.near("rays on grains, walls and missed / emitted",
    static_cast<double>(books.spray_on_grains + books.spray_on_walls + books.spray_missed) /
      static_cast<double>(books.spray_emitted),
    1, 0, "whole numbers of rays");
  report.below("grains without coating at the end", bare, 0, "all pass the spray");
  report.value("variation at the end", variation, "");
  report.table(table);
}

} // namespace validation
