// Heat: a packed bed of steel spheres that is heated from above, against the experiment of Beaulieu
// 2020, and a drum with a hot shell at several rates.
#include "Beds.h"

#include "Scene/StepPlan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace validation
{

namespace
{

using dem::Vec3d;

dem::Wall plane(const char* name, const Vec3d& origin, const Vec3d& normal)
{
  dem::Wall w;
  w.name = name;
  w.kind = dem::WallKind::Plane;
  w.origin = origin;
  w.normal = normal;
  w.material = 1;
  return w;
}

void addLattice(dem::Scene& s, std::size_t count, double radius, const Vec3d& lower,
  const Vec3d& upper, unsigned seed)
{
  unsigned state = seed;
  const auto uniform = [&] {
    state = 1664525u * state + 1013904223u;
    return state / 4294967296.0;
  };
  const double h = 2.15 * radius;
  for (double z = lower.z + radius; z < upper.z - radius; z += h)
    for (double y = lower.y + radius; y < upper.y - radius; y += h)
      for (double x = upper.x - radius; x > lower.x + radius; x -= h)
        s.particles.position.push_back({ x + 0.1 * radius * (uniform() - 0.5),
          y + 0.1 * radius * (uniform() - 0.5), z + 0.1 * radius * (uniform() - 0.5) });
  // those nearest to the end of the fall come first
  std::sort(s.particles.position.begin(), s.particles.position.end(),
    [](const Vec3d& a, const Vec3d& b) { return a.x > b.x; });
  s.particles.position.resize(std::min(count, s.particles.position.size()));
  s.particles.radius.assign(s.particles.position.size(), radius);
}

// Measured temperatures (degrees C) and the range of the measurement, read from the digitised
// figures of the thesis that the Lethe project publishes with its example of this bed.
struct Measured
{
  double depth, time, value, lower, upper; // m below the hot wall, s
};
constexpr Measured kMeasured[] = { { 0.040, 1000, 22.5, 20.55, 24.7 },
  { 0.040, 2000, 27.2, 25.05, 28.9 }, { 0.040, 3000, 30.9, 29.0, 32.75 },
  { 0.040, 4000, 33.2, 31.25, 34.5 }, { 0.060, 1000, 20.3, 19.1, 22.1 },
  { 0.060, 2000, 22.0, 19.9, 23.95 }, { 0.060, 3000, 24.2, 22.25, 26.25 },
  { 0.060, 4000, 26.3, 24.5, 28.2 }, { 0.073, 1000, 20.3, 19.1, 22.25 },
  { 0.073, 2000, 21.1, 19.3, 23.0 }, { 0.073, 3000, 22.4, 20.6, 24.1 },
  { 0.073, 4000, 23.85, 21.45, 25.7 } };

// Mean temperature (degrees C) of the spheres around the axis of the bed at this depth.
double around(const dem::Frame& f, double depth)
{
  constexpr double r = 0.0032;
  double sum = 0;
  int n = 0;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    const double* x = &f.position[3 * i];
    if (std::fabs(x[0] - 0.05) < 4 * r && std::fabs(x[1] - 0.05) < 4 * r &&
      std::fabs(x[2] - (0.2 - depth)) < r)
    {
      sum += f.passive[dem::kTemperature][i] - 273.15;
      ++n;
    }
  }
  return n ? sum / n : NAN;
}

} // namespace

// The bed is filled from the side, as in the example of the Lethe project, so that it touches the
// hot wall at its top. Only the ratio of time and heat capacity matters in a bed at rest: the heat
// capacity is divided by 1000, so that 4 s show 4000 s.
void runHeatedBed(Report& report, const dem::RunOptions& options)
{
  constexpr double kFaster = 1000, kFill = 2.0, kClose = 1.0, kTurn = 1.0;
  dem::Scene s;
  s.materials[0] = { "Steel", 50e6, 0.29, 7747, 0.8, 0.7, 0.02, 0, 464 / kFaster, 42, 200e9 };
  s.materials.push_back({ "Wall", 50e6, 0.33, 2700, 0.8, 0.7, 0.02, 0, 900, 250, 100e9 });
  s.contact.rolling = dem::RollingModel::EPSD;
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.gas_conductivity = 0.027;
  s.heat.temperature_jump = 3.67e-7;
  s.heat.surface_roughness = std::sqrt(2.) * 19e-9;
  s.heat.surface_slope = std::sqrt(2.) * 0.056;
  s.heat.microhardness = 3e9;
  s.initial_temperature = 293.15;
  s.gravity = { 9.81, 0, 0 };
  addLattice(s, 8849, 0.0032, { -0.32, 0, 0 }, { 0.1, 0.1, 0.2 }, 17);
  s.walls = { plane("Top", { 0, 0, 0.2 }, { 0, 0, -1 }), plane("Bottom", {}, { 0, 0, 1 }),
    plane("End", { 0.1, 0, 0 }, { -1, 0, 0 }), plane("Front", {}, { 0, 1, 0 }),
    plane("Back", { 0, 0.1, 0 }, { 0, -1, 0 }), plane("Side", { -0.33, 0, 0 }, { 1, 0, 0 }) };
  s.walls[0].heat = { dem::ThermalCondition::Temperature, 293.15, 0 };
  dem::Motion& closing = s.walls[5].motion;
  closing.kind = dem::MotionKind::Translation;
  closing.velocity = { 0.325 / kClose, 0, 0 };
  closing.start = kFill;
  closing.stop = kFill + kClose;
  const double heated = kFill + kClose + kTurn;
  s.events = { { kFill + kClose, "Gravity", { 0, 0, -9.81 } },
    { heated, "WallTemperature", { 0, 326.15 } } };
  s.domain.lower = { -0.4, -0.05, -0.05 };
  s.domain.upper = { 0.15, 0.15, 0.25 };
  s.time_step = 2.5e-5;
  s.output_interval = 0.5;
  s.end_time = heated + 4000 / kFaster;
  report.setup(std::to_string(s.particles.radius.size()) +
    " steel spheres of 6.4 mm in a box of 105 x 100 x 200 mm, filled from one side, which then "
    "closes; the top has 53 degrees C, all else is adiabatic. E = 50 MPa, corrected for 200 GPa; "
    "air of 0.027 W/m/K in the gaps; surfaces of 19 nm roughness, slope 0.056 and hardness 3 GPa. "
    "The heat capacity is divided by 1000 and times multiplied by it");
  dem::Simulation sim(s, options);
  dem::FrameSelection wanted = selection(false);
  wanted.passive[dem::kTemperature] = true;
  wanted.velocity = wanted.mass = true;
  Table table{ "temperatures", { "depth (m)", "time (s)", "measured", "here" }, {}, true };
  double rise = 0, measured_rise = 0;
  int within = 0;
  for (const double time : { 1000., 2000., 3000., 4000. })
  {
    sim.advanceTo(
      static_cast<std::uint64_t>(std::llround((heated + time / kFaster) / sim.plan().time_step)));
    const dem::Frame f = sim.frame(wanted);
    for (const Measured& m : kMeasured)
      if (m.time == time)
      {
        const double here = around(f, m.depth);
        table.rows.push_back({ m.depth, time, m.value, here });
        within += here >= m.lower && here <= m.upper;
        if (time == 4000)
        {
          rise += here - 20;
          measured_rise += m.value - 20;
        }
      }
  }
  report.table(std::move(table));
  const dem::Statistics end = sim.statistics();
  report.value("rise at 4000 s over the measured one", rise / measured_rise, "");
  report.value("heat from the hot wall, as of steel", end.heat_from_walls * kFaster, "J");
  report.value("kinetic energy", end.kinetic_energy, "J");
  const dem::Frame last = sim.frame(wanted);
  int moving = 0;
  double translation = 0;
  for (std::size_t i = 0; i < last.size; ++i)
  {
    const float* v = &last.velocity[3 * i];
    const double v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    moving += v2 > 1e-6;
    translation += 0.5 * last.mass[i] * v2;
  }
  report.below("kinetic energy of translation / J", translation, 1e-6,
    "the bed is at rest; a loaded grain may spin about the vertical without friction");
  report.below("grains faster than 1 mm/s", moving, 3, "the bed is at rest");
  report.near("heat of the walls is that of the grains",
    (end.thermal_energy - end.heat_from_walls) /
      (s.particles.radius.size() * 4. / 3 * M_PI * std::pow(0.0032, 3) * 7747 * 464 / kFaster *
        293.15),
    1, 1e-6, "the first law of thermodynamics");
  report.near("points within the range of the measurement", within, 12, 0,
    "Beaulieu, thesis, Polytechnique Montreal 2020: experiment at three depths and four times");
}

// A drum with a hot shell. Rotation brings cold grains to the shell, so that the bed warms faster
// the faster the drum turns (Vargas and McCarthy, AIChE J. 47 (2001) 1052: mixing raises the heat
// flow).
void runHeatedDrum(Report& report, const dem::RunOptions& options)
{
  constexpr double kRadius = 0.003, kDrum = 0.06, kSettle = 0.3, kSeconds = 4;
  report.setup(
    "about 1000 grains of 6 mm in a drum of 120 mm diameter and 30 mm length, half full, "
    "with a shell of 400 K from 0.3 s on; grains begin with 300 K; E = 5 MPa");
  Table table{ "heated drum",
    { "conductivity (W/m/K)", "turns a minute", "mean rise after 4 s / K" }, {}, true };
  double rise[2][3];
  const double rates[3] = { 0, 10, 30 }, conductivity[2] = { 5, 50 };
  for (int c = 0; c < 2; ++c)
    for (int r = 0; r < 3; ++r)
    {
      dem::Scene s;
      s.materials[0] = { "Grain", 5e6, 0.3, 2500, 0.5, 0.5, 0, 0, 20, conductivity[c] };
      s.heat.model = dem::HeatModel::Conduction;
      s.initial_temperature = 300;
      addLattice(s, 1000, kRadius, { -0.04, 0, -0.042 }, { 0.04, 0.03, 0.042 }, 3);
      dem::Wall shell;
      shell.name = "Shell";
      shell.kind = dem::WallKind::Cylinder;
      shell.origin = { 0, -0.01, 0 };
      shell.end = { 0, 0.04, 0 };
      shell.radius = kDrum;
      shell.motion.kind = dem::MotionKind::Rotation;
      shell.motion.axis = { 0, 1, 0 };
      shell.motion.rate = rates[r] * 2 * M_PI / 60;
      shell.motion.start = kSettle;
      shell.heat = { dem::ThermalCondition::Temperature, 300, 0 };
      s.walls = { shell };
      s.events = { { kSettle, "WallTemperature", { 0, 400 } } };
      s.domain.lower = { -0.07, 0, -0.07 };
      s.domain.upper = { 0.07, 0.03, 0.07 };
      s.output_interval = 0.05;
      s.end_time = kSettle + kSeconds;
      dem::Simulation sim(s, options);
      const double before = sim.statistics().thermal_energy;
      sim.advanceTo(static_cast<std::uint64_t>(std::llround(s.end_time / sim.plan().time_step)));
      rise[c][r] = 300 * (sim.statistics().thermal_energy / before - 1);
      table.rows.push_back({ conductivity[c], rates[r], rise[c][r] });
    }
  report.table(std::move(table));
  for (int c = 0; c < 2; ++c)
    for (int r = 1; r < 3; ++r)
      report.between("conductivity " + std::to_string(static_cast<int>(conductivity[c])) +
          ": rise at " + std::to_string(static_cast<int>(rates[r])) +
          " turns a minute over that at " + std::to_string(static_cast<int>(rates[r - 1])),
        rise[c][r] / rise[c][r - 1], 1.02, 10,
        "Vargas and McCarthy 2001: mixing raises the heat flow");
}

} // namespace validation
