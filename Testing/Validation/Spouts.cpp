// Spouted beds in the computed flow: one to three spouts, and a bed against an experiment.
#include "Beds.h"

#include "Analysis/CellAverage.h"
#include "Random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace validation
{
namespace
{

// Adds spheres of one size in a loose lattice above z = 0.
void fill(dem::Scene& s, int count, double radius)
{
  const double h = 2.08 * radius;
  const Vec3d &lower = s.domain.lower, &upper = s.domain.upper;
  const int nx = static_cast<int>((upper.x - lower.x) / h),
            ny = static_cast<int>((upper.y - lower.y) / h);
  test::Uniform uniform(5);
  const auto place = [&](int index, double from, double to, int n) {
    const double pitch = (to - from) / n, gap = 0.45 * (pitch - 2 * radius);
    return from + (index + 0.5) * pitch + uniform(-gap, gap);
  };
  for (int i = 0; i < count; ++i)
  {
    const double x = place(i % nx, lower.x, upper.x, nx),
                 y = place(i / nx % ny, lower.y, upper.y, ny);
    s.particles.position.push_back({ x, y, (i / nx / ny + 0.5) * h });
    s.particles.radius.push_back(radius);
  }
}

void advanceTo(dem::Simulation& sim, double time)
{
  sim.advanceTo(static_cast<std::uint64_t>(std::llround(time / sim.plan().time_step)));
}

// The run averages the fields in cells of this box over the last `seconds`, which begin at `from`.
void averageOver(dem::Scene& s, const Vec3d& lower, const Vec3d& upper,
  const std::array<int, 3>& cells, double from, double seconds, double interval)
{
  s.averages.enabled = true;
  s.averages.whole_domain = false;
  s.averages.lower = lower;
  s.averages.upper = upper;
  s.averages.cells = cells;
  s.averages.from = from;
  s.averages.to = s.end_time = from + seconds;
  s.averages.interval = interval;
  s.output_interval = 0.1;
}

std::size_t fieldOf(const char* name)
{
  const auto fields = dem::cellAverageFields(1, false);
  return static_cast<std::size_t>(std::find_if(fields.begin(), fields.end(),
                                    [name](const auto& field) { return field.name == name; }) -
    fields.begin());
}

// Mean speed (m/s) of the grains of Yue et al. 2020 across the bed (mm), at 0.15, 0.3, 0.45 and 0.6
// of the height of the bed.
constexpr double kYueX[] = { -136.3, -129.2, -122.3, -115.3, -108.3, -101.5, -94.4, -87.5, -80.3,
  -73.3, -66.4, -59.5, -52.5, -45.3, -38.5, -31.6, -24.5, -17.6, -10.6, -3.6, 3.3, 10.4, 17.4, 24.4,
  31.3, 38.5, 45.3, 52.4, 59.4, 66.8, 73.5, 80.2, 87.4, 94.4, 101.3, 108.4, 115.2, 122.3, 129.3,
  136.2 };
constexpr double kYueHeights[] = { 0.15, 0.30, 0.45, 0.60 };
constexpr double kYue[4][40] = {
  { 0.01468, 0.00917, 0.00826, 0.01101, 0.00917, 0.01101, 0.01193, 0.00642, 0.00551, 0.00642,
    0.00917, 0.01193, 0.01101, 0.00459, 0.02294, 0.03211, 0.08807, 0.11835, 0.19174, 0.4367,
    0.42936, 0.17064, 0.00734, 0.06514, 0.01376, 0.01468, 0.00459, 0.00184, 0.00551, 0.00551,
    0.00551, 0.00734, 0.00642, 0.01193, 0.01009, 0.00551, 0.00917, 0.04587, 0.07064, 0.05046 },
  { 0.01284, 0.00917, 0.00734, 0.00642, 0.00826, 0.0156, 0.01284, 0.00734, 0.00367, 0.00826,
    0.00917, 0.00459, 0.01376, 0.02752, 0.04679, 0.07339, 0.11835, 0.05688, 0.26697, 0.58073,
    0.52569, 0.45688, 0.1156, 0.08349, 0.07248, 0.02385, 0.01193, 0.00184, 0.00275, 0.00551,
    0.00367, 0.00459, 0.01009, 0.01376, 0.00917, 0.00092, 0.01009, 0.03853, 0.05321, 0.03119 },
  { 0.00734, 0.00184, 0.00092, 0.00092, 0.00367, 0.00459, 0.00275, 0.00275, 0.00734, 0.00917,
    0.03119, 0.04495, 0.05872, 0.0633, 0.05688, 0.06147, 0.1, 0.07982, 0.17064, 0.53303, 0.73303,
    0.58165, 0.25321, 0.03945, 0.07431, 0.0633, 0.05688, 0.03303, 0.01009, 0.00459, 0.01101,
    0.01193, 0.00275, 0.00551, 0.00642, 0.00826, 0.00642, 0.03028, 0.04312, 0.03945 },
  { 0.00709, 0.00177, 0.00355, 0.00532, 0.00798, 0.01329, 0.01329, 0.00975, 0.00443, 0.03368,
    0.06292, 0.08154, 0.09129, 0.1099, 0.12851, 0.15421, 0.16041, 0.07267, 0.1613, 0.48124, 0.7223,
    0.70547, 0.36425, 0.04963, 0.06292, 0.02482, 0.02127, 0.01507, 0.00798, 0.00266, 0.00798,
    0.01329, 0.01152, 0.00709, 0.00532, 0.00709, 0.00798, 0.01684, 0.03456, 0.05229 }
};

} // namespace

// Beds of 12,000 spheres of 3 mm, the standard case of Kureck 2016 (section 6.1). Sizes of bed and
// spheres as in van Buijtenen et al., Chem. Eng. Sci. 66 (2011) 2368. The widths of the slots and
// the velocities are chosen here, since neither paper was at hand with them.
void runSpouts(Report& report, const dem::RunOptions& options)
{
  constexpr std::size_t kColumns = 29;
  constexpr double kWidth = 0.145, kDepth = 0.02, kSlot = 0.01, kSettle = 0.4, kStart = 2,
                   kSeconds = 10;
  constexpr double kSpeed[] = { 43.5, 26, 20 }; // m/s, of the air in each slot
  report.setup(
    "12,000 spheres of 3 mm and 2,505 kg/m^3 (E = 10 MPa, e = 0.97, friction 0.1) in a bed "
    "of 145 x 20 x 1000 mm; air enters with 1.2 m/s through the floor and with 43.5, 26 or 20 "
    "m/s through one, two or three slots of 10 mm; cells of 9 mm; drag of Koch and Hill");
  report.setup(
    "means of the vertical speed over 10 s after 1.6 s of spouting, by the averages of the "
    "run, a sample every 50 ms; errors are the standard errors of these samples");
  for (int spouts = 1; spouts <= 3; ++spouts)
  {
    dem::Scene s;
    s.materials[0] = { "Glass", 1e7, 0.25, 2505, 0.97, 0.1, 0 };
    s.domain.lower = { -0.5 * kWidth, 0, 0 };
    s.domain.upper = { 0.5 * kWidth, kDepth, 1 };
    fill(s, 12000, 0.0015);
    s.fluid.model = dem::FluidModel::VolumeAveraged;
    s.fluid.density = 1.2;
    s.fluid.viscosity = 1.8e-5;
    s.fluid.border = { dem::FluidBorder::Slip, dem::FluidBorder::Slip, dem::FluidBorder::Slip,
      dem::FluidBorder::Slip, dem::FluidBorder::Inlet, dem::FluidBorder::Outlet };
    s.fluid.inlet_velocity = 1.2;
    for (int k = 0; k < spouts; ++k)
    {
      const double x = ((k + 0.5) / spouts - 0.5) * kWidth;
      const double inlet[] = { 4, x - 0.5 * kSlot, 0, x + 0.5 * kSlot, kDepth, kSpeed[spouts - 1] };
      s.fluid.inlets.insert(s.fluid.inlets.end(), std::begin(inlet), std::end(inlet));
    }
    s.fluid.inlet_factor = 0;
    for (int k = 1; k <= 10; ++k)
      s.events.push_back({ kSettle + 0.01 * k, "InletFactor", { 0.1 * k } });
    averageOver(s, { -0.5 * kWidth, 0, 0.015 }, { 0.5 * kWidth, kDepth, 0.105 }, { kColumns, 1, 9 },
      kStart, kSeconds, 0.05);
    s.time_step = 1e-5;
    dem::Simulation sim(s, options);
    advanceTo(sim, s.end_time);
    const dem::Frame end = sim.frame(selection(false));
    const std::size_t velocity = fieldOf("Velocity"), solid = fieldOf("SolidFraction");
    const std::string name = std::to_string(spouts) + (spouts > 1 ? " spouts" : " spout");
    Table table{ name, { "x (mm)" }, std::vector<std::vector<double>>(kColumns), true };
    for (std::size_t i = 0; i < kColumns; ++i)
      table.rows[i] = { (static_cast<double>(i) - 0.5 * (kColumns - 1)) * 1e3 * kWidth / kColumns };
    for (const std::size_t slab : { 0, 3, 8 })
    {
      const std::string height = std::to_string(20 + 10 * slab) + " mm",
                        at = name + " at " + height;
      table.columns.push_back("vertical speed at " + height + " (m/s)");
      table.columns.push_back("standard error");
      double flux = 0, both = 0, most = 0, squares = 0, errors = 0;
      int above_half = 0;
      std::array<double, kColumns> speed{};
      for (std::size_t i = 0; i < kColumns; ++i)
      {
        const std::size_t cell = i + kColumns * slab;
        const double part = end.averages.mean[solid][cell];
        speed[i] = part > 0 ? end.averages.mean[velocity][3 * cell + 2] : 0;
        const double error = part > 0 ? end.averages.error[velocity][3 * cell + 2] : 0;
        table.rows[i].insert(table.rows[i].end(), { speed[i], error });
        flux += part * speed[i];
        both += part * std::fabs(speed[i]);
        most = std::max(most, speed[i]);
        errors += error * error / kColumns;
      }
      bool was_above = false;
      for (std::size_t i = 0; i < kColumns; ++i)
      {
        squares += std::pow(speed[i] - speed[kColumns - 1 - i], 2) / kColumns;
        const bool above = speed[i] > 0.5 * most;
        above_half += above && !was_above;
        was_above = above;
      }
      report.value(at + ": peak", most, "m/s");
      report.below(at + ": net flux / flux up and down", std::fabs(flux) / both, 0.05,
        "grains neither gather nor leave");
      report.below(at + ": rms difference of the halves / that of their errors",
        std::sqrt(0.5 * squares / errors), 3, "the bed is symmetric");
      if (slab == 0)
        report.between(
          at + ": columns above half of the peak", above_half, spouts, spouts, "slots");
    }
    report.table(std::move(table));
    report.value(name + ": pressure drop", end.statistics.fluid_pressure_drop, "Pa");
    report.value(name + ": grains that left", static_cast<double>(end.statistics.lost), "");
  }
}

// Rectangular spouted bed, experiment of Yue, Wang, Bahl, de Silva, Shen, Ind. Eng. Chem. Res. 59
// (2020) 13810 (values as digitised by the authors of Lethe).
void runSpoutedBed(Report& report, const dem::RunOptions& options)
{
  constexpr double kSize = 0.0025, kWidth = 0.28, kDepth = 0.04, kTop = 0.9, kHeight = 0.2,
                   kChannel = 0.04, kHalfSlot = 0.012;
  constexpr double kSeconds = 10, kSettle = 0.6, kSpout = 0.5;
  report.setup(
    "175,800 spheres of 2.5 mm and 2,500 kg/m^3 (E = 10 MPa, e = 0.9, friction 0.3) in a "
    "bed of 280 x 40 mm; air enters with 20.8 m/s through a channel of 24 x 40 mm, 40 mm long, "
    "below the middle of the floor, with a screen on top; the air sticks to all sides; eddy "
    "viscosity with the constant 0.15; cells of 8 mm; drag of Di Felice");
  report.setup(
    "means of the vertical speed over 10 s after 0.5 s of spouting, by the averages of the "
    "run, in slabs of 10 mm");
  dem::Scene s;
  s.materials[0] = { "Glass", 1e7, 0.25, 2500, 0.9, 0.3, 0 };
  s.domain.lower = { -0.5 * kWidth, 0, -kChannel };
  s.domain.upper = { 0.5 * kWidth, kDepth, kTop };
  for (const double side : { -1., 1. }) // of the channel below the bed
  {
    dem::Wall block;
    block.name = side < 0 ? "Left Floor" : "Right Floor";
    block.kind = dem::WallKind::Box;
    block.origin = { side < 0 ? -kWidth : kHalfSlot, -kDepth, -2 * kChannel };
    block.end = { side < 0 ? -kHalfSlot : kWidth, 2 * kDepth, 0 };
    s.walls.push_back(block);
  }
  dem::Wall screen;
  screen.name = "Screen";
  screen.kind = dem::WallKind::Rectangle;
  screen.origin = { -kHalfSlot, 0, 0 };
  screen.edge_u = { 2 * kHalfSlot, 0, 0 };
  screen.edge_v = { 0, kDepth, 0 };
  screen.permeable = true;
  s.walls.push_back(screen);
  fill(s, 175800, 0.5 * kSize);
  s.fluid.model = dem::FluidModel::VolumeAveraged;
  s.fluid.drag = dem::DragLaw::DiFelice;
  s.fluid.density = 1.2;
  s.fluid.viscosity = 1.81e-5;
  s.fluid.border.fill(dem::FluidBorder::Wall);
  s.fluid.border[5] = dem::FluidBorder::Outlet;
  s.fluid.cell_size = 0.008; // the slot is three cells wide
  s.fluid.inlets = { 4, -kHalfSlot, 0, kHalfSlot, kDepth, 20.8 };
  s.fluid.smagorinsky = 0.15; // the jet has a Reynolds number of 33,000
  s.fluid.inlet_factor = 0;
  for (int k = 1; k <= 10; ++k)
    s.events.push_back({ kSettle + 0.005 * k, "InletFactor", { 0.1 * k } });
  averageOver(s, { -0.5 * kWidth, 0, 0.005 }, { 0.5 * kWidth, kDepth, 0.145 }, { 40, 8, 14 },
    kSettle + kSpout, kSeconds, 0.01);
  s.time_step = 1.25e-5;
  dem::Simulation sim(s, options);
  advanceTo(sim, kSettle);
  const dem::Frame start = sim.frame(selection(false));
  double top = 0;
  for (std::size_t i = 0; i < start.size; ++i)
    top = std::max(top, start.position[3 * i + 2]);
  report.value("height of the bed at rest", top, "m");
  advanceTo(sim, s.end_time);
  const dem::Frame end = sim.frame(selection(false));
  report.value("pressure drop", end.statistics.fluid_pressure_drop, "Pa");
  report.value("grains that left", static_cast<double>(end.statistics.lost), "");
  const std::size_t velocity = fieldOf("Velocity"), solid = fieldOf("SolidFraction");
  // Mean vertical speed of the grains in column i and slab k, over the depth of the bed or at
  // its two large walls, where a camera sees them.
  const auto speedAt = [&](int i, int k, bool at_wall) {
    double momentum = 0, mass = 0;
    for (int j = 0; j < 8; ++j)
    {
      if (at_wall && j > 0 && j < 7)
        continue;
      const auto cell = static_cast<std::size_t>(i + 40 * (j + 8 * k));
      const double part = end.averages.mean[solid][cell];
      if (part > 0)
        momentum += part * end.averages.mean[velocity][3 * cell + 2];
      mass += part;
    }
    return mass > 0 ? momentum / mass : 0;
  };
  std::array<double, 4> peak{}, inside{}, peak_measured{};
  Table profiles{ "profiles", { "x (mm)" }, std::vector<std::vector<double>>(40), true };
  for (std::size_t i = 0; i < 40; ++i)
    profiles.rows[i] = { kYueX[i] };
  for (std::size_t l = 0; l < 4; ++l)
  {
    const std::string height = std::to_string(static_cast<int>(100 * kYueHeights[l])) + " %";
    profiles.columns.push_back("measured at " + height + " (m/s)");
    profiles.columns.push_back("here at the walls, vertical");
    const int k = static_cast<int>((kYueHeights[l] * kHeight - 0.005) / 0.01);
    double squares = 0;
    for (int i = 0; i < 40; ++i)
    {
      const double here = speedAt(i, k, true);
      auto& row = profiles.rows[static_cast<std::size_t>(i)];
      row.insert(row.end(), { kYue[l][i], here });
      squares += std::pow(std::fabs(here) - kYue[l][i], 2) / 40;
      peak[l] = std::max(peak[l], here);
      inside[l] = std::max(inside[l], speedAt(i, k, false));
      peak_measured[l] = std::max(peak_measured[l], kYue[l][i]);
    }
    report.near("height " + height + ": peak (m/s)", peak[l], peak_measured[l],
      0.3 * peak_measured[l], "Yue et al. 2020");
    report.below("height " + height + ": rms difference over the width (m/s)", std::sqrt(squares),
      0.1, "Yue et al. 2020");
  }
  Table peaks{ "spout",
    { "height / that of the bed", "measured peak (m/s)", "here at the walls", "mean of the depth" },
    {}, true };
  for (std::size_t l = 0; l < 4; ++l)
    peaks.rows.push_back({ kYueHeights[l], peak_measured[l], peak[l], inside[l] });
  report.table(std::move(peaks));
  report.table(std::move(profiles));
}

} // namespace validation
