// A bed that stands in a cylinder: who carries its weight, and how much of it reaches the floor.
#include "Beds.h"
#include "Fits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace validation
{

namespace
{

constexpr double kD = 10 * kDiameter;

std::size_t
grainsPerDiameter() // that fill the cylinder to the height of one diameter at 58 % solid
{
  return static_cast<std::size_t>(
    0.58 * 0.25 * M_PI * kD * kD * kD / (sphereMass(0.5 * kDiameter) / kDensity));
}

double weightOf(const dem::Scene& s)
{
  double m = 0;
  for (double r : s.particles.radius)
    m += sphereMass(r);
  return m * kGravity;
}

struct Loads
{
  double floor = 0, side = 0; ///< N, means: down on the floor, down on the side
  double overlap = 0;         ///< largest, over the smaller radius
};

// Walls 0 = floor, 1 = side; means over `seconds` from now, sampled every millisecond.
Loads measureLoads(dem::Simulation& sim, double seconds)
{
  const auto stride = static_cast<std::uint64_t>(std::llround(1e-3 / sim.plan().time_step));
  const int samples = static_cast<int>(std::llround(seconds / 1e-3));
  Loads l;
  for (int k = 0; k < samples; ++k)
  {
    sim.advanceTo(sim.step() + stride);
    dem::FrameSelection wanted = selection(true);
    const dem::Frame f = sim.frame(wanted);
    l.floor -= f.walls[0].total_force[2] / samples;
    l.side -= f.walls[1].total_force[2] / samples;
    l.overlap = std::max(l.overlap, f.statistics.largest_overlap);
  }
  return l;
}

void settledColumn(Report& report, const dem::RunOptions& options, std::size_t count, bool mesh)
{
  dem::Scene s = grainScene(0.5);
  const double top = fillCylinder(s, kD, count, 11);
  const double settle = mesh ? 0.7 : 0.5;
  settleGently(s, mesh ? 0.3 : 0.2);
  if (mesh)
  {
    s.walls.push_back(ringMesh(0, 0.7 * kD, 48, 1));
    s.walls.push_back(cylinderMesh(kD, -0.005, top + 0.02, 48, 8, 1));
  }
  else
  {
    s.walls.push_back(floorPlane(1));
    s.walls.push_back(cylinderWall(kD, -0.005, top + 0.02, 1));
  }
  s.domain.lower = { -0.8 * kD, -0.8 * kD, -0.01 };
  s.domain.upper = { 0.8 * kD, 0.8 * kD, top + 0.03 };
  s.output_interval = 0.1;
  s.end_time = settle + 0.1;
  report.setup(std::to_string(count) +
    " grains of 4 mm +- 10 %, friction 0.5, e = 0.5, E = 15 MPa, dropped from a loose lattice into "
    "a cylinder of 10 grain diameters; floor and cylinder are " +
    (mesh ? "triangle meshes" : "analytic") + "; " + (mesh ? "0.7" : "0.5") +
    " s to settle, the first " + (mesh ? "0.3" : "0.2") +
    " s at a quarter of gravity, then means over 0.1 s (a sample every 1 ms), step 25 us");
  const double weight = weightOf(s);
  dem::Simulation sim(s, options);
  sim.advanceTo(static_cast<std::uint64_t>(std::llround(settle / sim.plan().time_step)));
  const Loads l = measureLoads(sim, 0.1);
  const dem::Statistics end = sim.statistics();
  report.near("(floor + side) / weight", (l.floor + l.side) / weight, 1, 1e-3,
    "Newton's second law for the whole bed");
  report.below("kinetic energy / (weight x d)", end.kinetic_energy / (weight * kDiameter), 1e-4,
    "the bed is at rest");
  report.below("grains lost", static_cast<double>(end.lost), 0, "no grain passes a wall");
  report.below(
    "largest overlap / radius", l.overlap, 0.03, "stiff enough that the stiffness does not matter");
  report.value("floor / weight", l.floor / weight, "");
}

} // namespace

void runColumn(Report& report, const dem::RunOptions& options)
{
  settledColumn(report, options, 500, false);
}

void runColumnMesh(Report& report, const dem::RunOptions& options)
{
  settledColumn(report, options, 2000, true);
}

// Janssen's assumption that friction at the wall is at its limit holds only once the wall has slid.
// Here it is drawn up slowly, as Bertho, Giorgiutti-Dauphine and Hulin, Phys. Rev. Lett. 90 (2003)
// 144301 do.
void runJanssen(Report& report, const dem::RunOptions& options)
{
  const double wall_friction = 0.3, settle = 0.55, slide = 0.3, average = 0.2, speed = 0.01;
  const double area = 0.25 * M_PI * kD * kD;
  report.setup("cylinder of 10 grain diameters (D = 40 mm), grains of 4 mm +- 10 % with friction "
               "0.5, e = 0.5, E = 15 MPa; friction at the walls 0.3; step 25 us");
  report.setup("filled by dropping all grains at once from a loose lattice (31 % solid) that fills "
               "the cylinder, at a quarter of gravity for 0.4 s, at the whole from 0.45 s on");
  report.setup(
    "from 0.55 s the cylinder is drawn up at 10 mm/s against the resting floor (Bertho et al. "
    "2003), so that the whole wall slides; floor load is the mean over the last 0.2 s of 0.3 s");
  report.setup(
    "H is twice the height of the centre of mass, loads are given as mass (force over g)");
  Table table{ "janssen",
    { "H/D", "grains", "mass kg", "floor load kg", "fit kg", "(floor + wall) / weight",
      "wall friction used" },
    {} };
  std::vector<double> heights, loads, densities;
  double overlap = 0, balance = 0, lost = 0;
  for (double ratio : { 0.5, 1., 1.5, 2., 3., 4., 5. })
  {
    dem::Scene s = grainScene(wall_friction);
    const double top = fillCylinder(s, kD, static_cast<std::size_t>(ratio * grainsPerDiameter()),
      31 + static_cast<std::uint32_t>(10 * ratio));
    settleGently(s, 0.4);
    s.walls.push_back(floorPlane(1));
    s.walls.push_back(cylinderWall(kD, -0.01, top + 0.02, 1));
    s.walls[1].motion.kind = dem::MotionKind::Translation;
    s.walls[1].motion.velocity = { 0, 0, speed };
    s.walls[1].motion.start = settle;
    s.domain.lower = { -0.6 * kD, -0.6 * kD, -0.02 };
    s.domain.upper = { 0.6 * kD, 0.6 * kD, top + 0.04 };
    s.output_interval = 0.1;
    s.end_time = settle + slide;
    const double mass = weightOf(s) / kGravity;
    dem::Simulation sim(s, options);
    const double dt = sim.plan().time_step;
    sim.advanceTo(static_cast<std::uint64_t>(std::llround((settle + slide - average) / dt)));
    const double height = bedHeight(sim.frame(selection(false)));
    const Loads l = measureLoads(sim, average);
    lost += static_cast<double>(sim.statistics().lost);
    overlap = std::max(overlap, l.overlap);
    balance = std::max(balance, std::abs((l.floor + l.side) / (mass * kGravity) - 1));
    std::fprintf(stderr, "      janssen: H/D = %.2f, floor load %.4f kg of %.4f kg\n", height / kD,
      l.floor / kGravity, mass);
    heights.push_back(height);
    loads.push_back(l.floor / kGravity);
    densities.push_back(mass / (area * height));
    // how much of the friction that the wall has to give is used: ask the contacts once, at the end
    dem::FrameSelection contacts = selection(false);
    contacts.contacts = true;
    const dem::Frame f = sim.frame(contacts);
    double normal = 0, up = 0;
    for (std::size_t c = 0; c < f.contacts.size; ++c)
      if (f.contacts.ids[2 * c + 1] == -2)
      {
        normal += std::hypot(f.contacts.normal_force[3 * c], f.contacts.normal_force[3 * c + 1]);
        up += f.contacts.tangential_force[3 * c + 2];
      }
    table.rows.push_back(
      { height / kD, static_cast<double>(s.particles.size()), mass, l.floor / kGravity, 0,
        (l.floor + l.side) / (mass * kGravity), up / (wall_friction * normal) });
  }
  const JanssenFit fit = fitJanssen(heights, loads);
  for (std::size_t k = 0; k < heights.size(); ++k)
    table.rows[k][4] = fit.m_sat * (1 - std::exp(-heights[k] / fit.lambda));
  const double K = kD / (4 * wall_friction * fit.lambda);
  const double density = densities[densities.size() / 2];
  const std::size_t n = loads.size();
  report.below("rms residual of the fit / m_sat", fit.residual, 0.05,
    "Janssen 1895: m = m_sat (1 - exp(-H / lambda))");
  report.near("load at the last two H / m_sat", 0.5 * (loads[n - 1] + loads[n - 2]) / fit.m_sat, 1,
    0.05, "Janssen 1895: saturation");
  report.near("last load / last but one", loads[n - 1] / loads[n - 2], 1, 0.1,
    "saturation, seen without the fit");
  report.near("m_sat / (rho_b A lambda)", fit.m_sat / (density * area * fit.lambda), 1, 0.1,
    "Janssen 1895: a shallow bed rests wholly on its floor; both are fitted freely");
  report.between("K = D / (4 mu_w lambda)", K, 0.42, 1,
    "Rankine's active state at the 24 degrees of friction of spheres with mu = 0.5 (Nedderman "
    "1992, Statics and Kinematics of Granular Materials, ch. 3; Thornton 2000, Geotechnique 50, "
    "43) to an isotropic state");
  report.below("largest |(floor + wall) / weight - 1|", balance, 1e-2,
    "Newton's second law; the same load measured a second way, from the wall");
  report.below("grains lost", lost, 0, "no grain passes a wall");
  report.below(
    "largest overlap / radius", overlap, 0.03, "stiff enough that the stiffness does not matter");
  double used = 0;
  for (const auto& row : table.rows)
    used += row[6] / static_cast<double>(table.rows.size());
  report.value("share of the wall's friction in use, mean of the columns at the end (grains roll "
               "along the wall)",
    used, "");
  report.value("K, if only that share is counted", K / used, "");
  report.value("m_sat", fit.m_sat, "kg");
  report.value("lambda / D", fit.lambda / kD, "");
  report.value("bulk density", density, "kg/m^3");
  report.table(table);
}

} // namespace validation
