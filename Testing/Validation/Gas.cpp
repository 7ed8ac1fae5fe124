// Energy of an elastic gas over many collisions.
#include "Beds.h"

#include "Collisions.h"
#include "Random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace validation
{

void runGas(Report& report, const dem::RunOptions& options)
{
  const double h = 2.4e-3, step = 1.9e-6;
  const std::uint64_t steps = 80000, stride = 20;
  report.setup("1,000 frictionless spheres, e = 1, radii 0.9 to 1.1 mm, E = 10 MPa, 2,500 kg/m^3, "
               "in a periodic cube of 24 mm; speeds up to 1 m/s along each axis");
  report.setup("80,000 steps of 1.9 us: 1/100 of the Hertz contact time 2.868 (m*^2 / (R* E*^2 "
               "v))^(1/5) of two mean grains at 1.4 m/s");
  report.setup("a collision is a pair that touches and did not 20 steps before; energy is kinetic "
               "+ elastic, looked at every 20 steps");
  dem::Scene s;
  s.gravity = { 0, 0, 0 };
  s.materials[0].restitution = 1;
  s.materials[0].friction = 0;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { 10 * h, 10 * h, 10 * h };
  s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Periodic };
  test::Uniform uniform(7);
  for (int n = 0; n < 1000; ++n)
  {
    const double r = static_cast<float>(uniform(0.9e-3, 1.1e-3)), gap = 0.45 * (h - 2 * r);
    const double x = (n % 10 + 0.5) * h + uniform(-gap, gap),
                 y = (n / 10 % 10 + 0.5) * h + uniform(-gap, gap);
    s.particles.position.push_back({ x, y, (n / 100 + 0.5) * h + uniform(-gap, gap) });
    s.particles.radius.push_back(r);
    const double vx = uniform(-1, 1), vy = uniform(-1, 1);
    s.particles.velocity.push_back({ vx, vy, uniform(-1, 1) });
  }
  s.time_step = step;
  s.output_interval = step * static_cast<double>(steps);
  s.end_time = s.output_interval;
  dem::Simulation sim(s, options);
  const auto energy = [](const dem::Statistics& t) {
    return t.kinetic_energy + t.potential_energy + t.dissipated_energy + t.stiffness_work;
  };
  const double before = energy(sim.statistics());
  dem::FrameSelection wanted = selection(false);
  wanted.contacts = true;
  test::Collisions seen;
  double collisions = 0, worst = 0, drift = 0, dissipated = 0;
  Table table{ "gas", { "time s", "collisions", "energy / start - 1" }, {}, false };
  while (sim.step() < steps)
  {
    sim.advanceTo(sim.step() + stride);
    const dem::Frame f = sim.frame(wanted);
    seen.look(f);
    collisions = static_cast<double>(seen.count());
    drift = energy(f.statistics) / before - 1;
    worst = std::max(worst, std::abs(drift));
    dissipated = f.statistics.dissipated_energy;
    if (f.step % 2000 == 0)
      table.rows.push_back({ f.time, collisions, drift });
  }
  report.below("largest |energy / start - 1|", worst, 1e-4, "conservation of energy");
  report.atLeast("collisions", collisions, 80000, "20 times the quick test");
  report.below("dissipated energy / start", std::abs(dissipated) / before, 0, "e = 1, no friction");
  report.value("energy / start - 1 at the end", drift, "");
  report.table(table);
}

} // namespace validation
