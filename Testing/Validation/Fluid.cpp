// The computed flow alone (lid-driven cavity), and with grains: fluidisation and settling.
#include "Beds.h"

#include "Physics/Drag/DragLaws.cuh"
#include "Random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace validation
{
namespace
{

std::size_t cellOf(const dem::FluidImage& image, int i, int j, int k)
{
  return static_cast<std::size_t>(i) +
    static_cast<std::size_t>(image.cells[0]) *
    (static_cast<std::size_t>(j) +
      static_cast<std::size_t>(image.cells[1]) * static_cast<std::size_t>(k));
}

void advanceBy(dem::Simulation& sim, double time)
{
  sim.advanceTo(sim.step() + static_cast<std::uint64_t>(std::llround(time / sim.plan().time_step)));
}

// Velocity u along the lid on the vertical line through the middle, Ghia, Ghia, Shin, J. Comput.
// Phys. 48 (1982) 387, table I: height, Re 100, Re 400.
constexpr double kGhia[][3] = { { 0.0547, -0.03717, -0.08186 }, { 0.0625, -0.04192, -0.09266 },
  { 0.0703, -0.04775, -0.10338 }, { 0.1016, -0.06434, -0.14612 }, { 0.1719, -0.10150, -0.24299 },
  { 0.2813, -0.15662, -0.32726 }, { 0.4531, -0.21090, -0.17119 }, { 0.5, -0.20581, -0.11477 },
  { 0.6172, -0.13641, 0.02135 }, { 0.7344, 0.00332, 0.16256 }, { 0.8516, 0.23151, 0.29093 },
  { 0.9531, 0.68717, 0.55892 }, { 0.9609, 0.73722, 0.61756 }, { 0.9688, 0.78871, 0.68439 } };

// Means over the layers of cells in the middle of a bed, away from its floor and its surface, where
// cells are cut.
struct Bed
{
  double void_fraction = 1;
  double slope = 0; // Pa/m: fall of the pressure along z
};

Bed measureBed(const dem::FluidImage& image)
{
  const double area = image.cells[0] * image.cells[1];
  const auto layer = [&](const dem::HostArray<double>& values, int k) {
    double sum = 0;
    for (int j = 0; j < image.cells[1]; ++j)
      for (int i = 0; i < image.cells[0]; ++i)
        sum += values[cellOf(image, i, j, k)] / area;
    return sum;
  };
  constexpr int kFirst = 2;
  int last = kFirst;
  while (layer(image.void_fraction, last + 3) < 0.5)
    ++last;
  Bed bed;
  bed.void_fraction = 0;
  for (int k = kFirst; k <= last; ++k)
    bed.void_fraction += layer(image.void_fraction, k) / (last - kFirst + 1);
  bed.slope = (layer(image.pressure, kFirst - 1) - layer(image.pressure, last + 1)) /
    ((last + 2 - kFirst) * image.spacing.z);
  return bed;
}

// Force (N) that borders carry along z.
double loadOnFloor(dem::Simulation& sim)
{
  dem::FrameSelection wanted = selection(false);
  wanted.contacts = true;
  const dem::Frame f = sim.frame(wanted);
  const dem::ContactArrays& contacts = f.contacts;
  double sum = 0;
  for (std::size_t c = 0; c < contacts.size; ++c)
    if (contacts.ids[2 * c + 1] < 0)
      sum += contacts.normal_force[3 * c + 2];
  return sum;
}

} // namespace

void runCavity(Report& report, const dem::RunOptions& options)
{
  report.setup("square cavity of 1 m, 80 x 80 cells, the lid moves with 1 m/s, Re 100 and 400");
  Table table{ "cavity", { "height", "Re 100: Ghia", "here", "Re 400: Ghia", "here" }, {}, true };
  std::array<double, 2> worst{};
  for (const auto& row : kGhia)
    table.rows.push_back({ row[0], row[1], 0, row[2], 0 });
  for (int c = 0; c < 2; ++c)
  {
    constexpr int kCells = 80;
    dem::Scene s;
    s.gravity = {};
    s.domain.lower = {};
    s.domain.upper = { 1, 1. / kCells, 1 };
    s.domain.exit[1] = dem::Exit::Periodic;
    s.fluid.model = dem::FluidModel::VolumeAveraged;
    s.fluid.density = 1;
    s.fluid.viscosity = c == 0 ? 0.01 : 0.0025;
    s.fluid.border.fill(dem::FluidBorder::Wall);
    s.fluid.boundary_velocity[5] = { 1, 0, 0 };
    s.fluid.cell_size = 1. / kCells;
    s.fluid.tolerance = 1e-7;
    s.time_step = 1e-3;
    s.output_interval = s.end_time = 60;
    dem::Simulation sim(s, options);
    advanceBy(sim, c == 0 ? 25 : 50);
    const dem::FluidImage image = sim.frame(selection(false)).fluid;
    for (std::size_t r = 0; r < table.rows.size(); ++r)
    {
      const double place = table.rows[r][0] * kCells - 0.5;
      const int k = static_cast<int>(std::floor(place));
      const auto middle = [&](int j) {
        return 0.5 *
          (image.velocity[3 * cellOf(image, kCells / 2 - 1, 0, j)] +
            image.velocity[3 * cellOf(image, kCells / 2, 0, j)]);
      };
      const double here = (1 - (place - k)) * middle(k) + (place - k) * middle(k + 1);
      table.rows[r][static_cast<std::size_t>(2 + 2 * c)] = here;
      worst[static_cast<std::size_t>(c)] = std::max(worst[static_cast<std::size_t>(c)],
        std::fabs(here - table.rows[r][static_cast<std::size_t>(1 + 2 * c)]));
    }
  }
  report.table(std::move(table));
  report.below("Re 100: largest difference / lid speed", worst[0], 0.01, "Ghia et al. 1982");
  report.below("Re 400: largest difference / lid speed", worst[1], 0.02, "Ghia et al. 1982");
}

// The inlet opens until the bed bubbles and closes again; the pressure drop is taken at each step.
void runFluidisedBed(Report& report, const dem::RunOptions& options)
{
  constexpr double kSize = 0.002, kBox = 0.02, kRho = 1.2, kMu = 1.8e-5, kHold = 0.2;
  constexpr double kFull = 2.0; // m/s, superficial
  report.setup("4,050 spheres of 2 mm and 2,500 kg/m^3 in a column of 20 x 20 mm, periodic to the "
               "sides; air; cells of 5 mm; drag of Gidaspow; the inlet opens to 1.6 m/s and closes "
               "again in steps of 0.1 m/s and 0.2 s, and stays at 1.4 m/s for 3 s");
  dem::Scene s;
  s.materials[0] = { "Glass", 5e6, 0.25, 2500, 0.9, 0.3, 0 };
  s.domain.lower = {};
  s.domain.upper = { kBox, kBox, 0.24 };
  s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Wall };
  test::Uniform uniform(3);
  for (int k = 0; k < 50; ++k)
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 9; ++i)
      {
        const double h = kBox / 9;
        s.particles.position.push_back({ (i + 0.5) * h + uniform(-0.05, 0.05) * kSize,
          (j + 0.5) * h + uniform(-0.05, 0.05) * kSize,
          (k + 0.5) * h + uniform(-0.05, 0.05) * kSize });
        s.particles.radius.push_back(0.5 * kSize);
      }
  const double n = static_cast<double>(s.particles.radius.size());
  s.fluid.model = dem::FluidModel::VolumeAveraged;
  s.fluid.drag = dem::DragLaw::Gidaspow;
  s.fluid.density = kRho;
  s.fluid.viscosity = kMu;
  s.fluid.cell_size = 0.005;
  s.fluid.inlet_velocity = kFull;
  s.fluid.inlet_factor = 0.02;
  constexpr int kOpen = 16, kLong = 14; // steps of 0.1 m/s
  std::vector<int> speeds;
  for (int k = 1; k <= kOpen; ++k)
    speeds.push_back(k);
  for (int k = kOpen - 1; k >= 1; --k)
    speeds.push_back(k);
  const auto hold = [&](std::size_t k) { return speeds[k] == kLong && k < kOpen ? 3. : kHold; };
  double time = 0.5;
  for (std::size_t k = 0; k < speeds.size(); time += hold(k), ++k)
    s.events.push_back({ time, "InletFactor", { 0.1 * speeds[k] / kFull } });
  s.output_interval = 0.01;
  s.end_time = time + 0.1;
  dem::Simulation sim(s, options);
  advanceBy(sim, 0.5);
  const double weight = n * sphereMass(0.5 * kSize) * (1 - kRho / 2500) * kGravity / (kBox * kBox);
  const auto weightByVolume = [&](double e) { return (2500 - kRho) * (1 - e) * kGravity; };
  const Bed before = measureBed(sim.frame(selection(false)).fluid);
  Table table{ "fluidisation curve",
    { "superficial velocity m/s", "pressure drop / weight: opening", "closing" }, {}, true };
  std::map<int, std::array<double, 2>> curve;
  std::vector<std::array<double, 3>> fixed; // closing: speed, slope, void fraction
  double bubbling = 0, floor = 0;           // of the long step, over the weight
  for (std::size_t k = 0; k < speeds.size(); ++k)
  {
    advanceBy(sim, 0.25 * hold(k));
    const bool is_long = k < kOpen && speeds[k] == kLong;
    double sum = 0;
    const int samples = static_cast<int>(150 * hold(k));
    for (int i = 0; i < samples; ++i)
    {
      advanceBy(sim, 0.75 * hold(k) / samples);
      sum += sim.statistics().fluid_pressure_drop / samples;
      if (is_long)
        floor += loadOnFloor(sim) / (kBox * kBox * weight * samples);
    }
    curve[speeds[k]][k < kOpen ? 0 : 1] = sum / weight;
    if (is_long)
      bubbling = sum / weight;
    const Bed bed = measureBed(sim.frame(selection(false)).fluid);
    if (k > kOpen && speeds[k] <= 8)
      fixed.push_back({ 0.1 * speeds[k], bed.slope, bed.void_fraction });
  }
  curve[kOpen][1] = curve[kOpen][0];
  for (const auto& [tenths, drop] : curve)
    table.rows.push_back({ 0.1 * tenths, drop[0], drop[1] });
  report.table(std::move(table));
  report.value("void fraction of the poured bed", before.void_fraction, "");
  report.value("void fraction of the bed at the end", fixed.back()[2], "");
  // slope = a u + b u^2 in the middle of the bed at rest; where it meets the weight
  double uu = 0, uuu = 0, uuuu = 0, pu = 0, puu = 0, e = 0;
  for (const auto& point : fixed)
  {
    const double u = point[0], p = point[1];
    uu += u * u;
    uuu += u * u * u;
    uuuu += u * u * u * u;
    pu += p * u;
    puu += p * u * u;
    e += point[2] / static_cast<double>(fixed.size());
  }
  const double det = uu * uuuu - uuu * uuu, a = (pu * uuuu - puu * uuu) / det,
               b = (puu * uu - pu * uuu) / det;
  const double measured = (-a + std::sqrt(a * a + 4 * b * weightByVolume(e))) / (2 * b);
  // the law at the void fraction there
  double low = 0, high = 10;
  for (int k = 0; k < 60; ++k)
  {
    const double u = 0.5 * (low + high);
    const double slope = 150 * (1 - e) * (1 - e) * kMu * u / (e * e * e * kSize * kSize) +
      1.75 * (1 - e) * kRho * u * u / (e * e * e * kSize);
    (slope < weightByVolume(e) ? low : high) = u;
  }
  report.value("minimum fluidisation velocity", measured, "m/s");
  report.between("pressure drop of the fluidised bed / weight", bubbling, 0.97, 1.01,
    "balance of forces; the lowest grains stand on the floor");
  report.near(
    "the same with the load on the floor", bubbling + floor, 1, 0.01, "balance of forces");
  report.near("minimum fluidisation velocity / Ergun's", measured / low, 1, 0.03,
    "Ergun 1952, at the void fraction of the bed");
  report.atLeast("difference of opening and closing at 0.8 m/s",
    std::fabs(curve[8][1] / curve[8][0] - 1), 0.02,
    "hysteresis: the bed that was fluidised is packed otherwise");
}

// Random suspensions in a periodic box: the velocity between grains and fluid against Richardson
// and Zaki, Trans. Inst. Chem. Eng. 32 (1954) 35.
void runSettling(Report& report, const dem::RunOptions& options)
{
  constexpr double kSize = 0.001, kRho = 1000, kMu = 1e-3, kBox = 0.03;
  report.setup("spheres of 1 mm and 2,500 kg/m^3 in water, periodic cube of 30 mm, cells of 5 mm; "
               "drag of Di Felice; a pressure gradient carries the weight");
  const dem::DragLaw law = dem::DragLaw::DiFelice;
  const double volume = M_PI / 6 * kSize * kSize * kSize;
  double single = 0, high = 1;
  for (int k = 0; k < 60; ++k)
  {
    const double u = 0.5 * (single + high);
    (dem::dragCoefficient(law, { kSize, 1, kRho, kMu, u }) * u < volume * (2500 - kRho) * kGravity
        ? single
        : high) = u;
  }
  const double re = kRho * single * kSize / kMu;
  const double exponent = 4.45 * std::pow(re, -0.1); // 1 < Re < 500
  report.value("terminal velocity of one grain", single, "m/s");
  report.value("Reynolds number", re, "");
  report.value("exponent n", exponent, "");
  Table table{ "settling", { "volume fraction", "slip / terminal", "Richardson-Zaki" }, {}, true };
  double worst = 0;
  for (const double fraction : { 0.05, 0.1, 0.2, 0.3, 0.4 })
  {
    dem::Scene s;
    s.materials[0] = { "Glass", 1e6, 0.25, 2500, 0.9, 0.3, 0 };
    s.domain.lower = {};
    s.domain.upper = { kBox, kBox, kBox };
    s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Periodic };
    const int a = static_cast<int>(std::round(kBox / kSize * std::cbrt(fraction / (M_PI / 6))));
    const double h = kBox / a, solid = M_PI / 6 * std::pow(kSize / h, 3);
    test::Uniform uniform(11);
    for (int k = 0; k < a; ++k)
      for (int j = 0; j < a; ++j)
        for (int i = 0; i < a; ++i)
        {
          const double gap = 0.45 * (h - kSize);
          const double x = (i + 0.5) * h + uniform(-gap, gap),
                       y = (j + 0.5) * h + uniform(-gap, gap);
          s.particles.position.push_back({ x, y, (k + 0.5) * h + uniform(-gap, gap) });
          s.particles.radius.push_back(0.5 * kSize);
        }
    s.fluid.model = dem::FluidModel::VolumeAveraged;
    s.fluid.drag = law;
    s.fluid.density = kRho;
    s.fluid.viscosity = kMu;
    s.fluid.cell_size = 0.005;
    s.fluid.driving_force = { 0, 0, solid * (2500 - kRho) * kGravity };
    s.output_interval = s.end_time = 0.1;
    dem::Simulation sim(s, options);
    dem::FrameSelection wanted = selection(false);
    wanted.velocity = true;
    double slip = 0;
    constexpr int kSamples = 10;
    advanceBy(sim, 0.04);
    for (int k = 0; k < kSamples; ++k)
    {
      advanceBy(sim, 0.003);
      const dem::Frame f = sim.frame(wanted);
      double grains = 0;
      for (std::size_t i = 0; i < f.size; ++i)
        grains += f.velocity[3 * i + 2] / static_cast<double>(f.size);
      const double fluid = f.statistics.fluid_momentum.z / (kRho * (1 - solid) * std::pow(kBox, 3));
      slip += (fluid - grains) / kSamples;
    }
    // Richardson-Zaki: superficial slip = terminal velocity * e^n
    const double expected = std::pow(1 - solid, exponent - 1);
    table.rows.push_back({ solid, slip / single, expected });
    worst = std::max(worst, std::fabs(slip / single / expected - 1));
  }
  report.table(std::move(table));
  report.below("largest difference from Richardson-Zaki", worst, 0.15,
    "Richardson and Zaki 1954; Di Felice gives his law 10 % to their form");
}

} // namespace validation
