// paragrain-bench-mpm: times the Material Point Method. See `paragrain-bench-mpm --help`.
#include "Core/Error.h"
#include "MaterialPoint/MpmSimulation.h"
#include "MaterialPoint/MpmTransfers.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace
{

using namespace mpm;
using nlohmann::json;

constexpr const char* kHelp =
  "paragrain-bench-mpm: times the Material Point Method of ParaGrain\n"
  "  --list              the cases\n"
  "  --case NAME         run this case (may be given several times; default: explicit)\n"
  "  --particles N       points (default 1000000; explicit on CUDA 10000000)\n"
  "  --cells N           tables: cells along each axis (default 128)\n"
  "  --device auto|cpu|cuda (default auto)    --threads T (CPU, default all)\n"
  "  --spline quadratic|cubic (explicit, implicit: default quadratic; tables: cubic)\n"
  "  --precision single|double   --transfer apic|pic|flip   --material fixed-corotated|corotated|neo-hookean|drucker-prager|von-mises|fluid\n"
  "  --any-order         explicit: without the sort by Id (equal bits off)\n"
  "  --jitter J          explicit, implicit: 0 = a lattice, 1 = anywhere in its share of the cell (default 0.5)\n"
  "  --repeat K          tables: runs of each kernel (default 100 on CUDA, 3 on the CPU); explicit: steps (default 200, 10)\n"
  "  --json FILE         the results as JSON\n";

struct Options
{
  std::vector<std::string> cases;
  std::size_t particles = 0;
  int cells = 128, repeat = 0, threads = 0;
  dem::DeviceKind device = dem::DeviceKind::Auto;
  std::string spline, precision = "single", transfer = "apic", material = "fixed-corotated", json_file;
  bool any_order = false;
  double jitter = 0.5;
};

struct Run
{
  Options options;
  dem::Device device;
  json results = json::array();

  bool cuda() const { return device.kind == dem::DeviceKind::CUDA; }
  int repeat(int on_cuda, int on_cpu) const { return options.repeat > 0 ? options.repeat : (cuda() ? on_cuda : on_cpu); }
  void row(json r, const std::string& text)
  {
    results.push_back(std::move(r));
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
  }
};

std::string format(const char* f, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* f, ...)
{
  char text[400];
  va_list arguments;
  va_start(arguments, f);
  std::vsnprintf(text, sizeof text, f, arguments);
  va_end(arguments);
  return text;
}

// ------------------------------------------------------------------------------------------------------------ Meyer's tables

TransferCase tableCase(const Run& run, TransferPoints arrangement, double per_cell = 4)
{
  TransferCase c;
  c.points = run.options.particles ? run.options.particles : 1000000;
  c.cells = run.options.cells;
  c.arrangement = arrangement;
  c.per_cell = per_cell;
  c.spline = run.options.spline == "quadratic" ? Spline::Quadratic : Spline::Cubic;
  c.precision = run.options.precision == "double" ? Precision::Double : Precision::Single;
  return c;
}

// One row: `stage` with these options; `theirs` is Meyer's time on a GTX 970 in microseconds, 0 where he gives none.
double tableRow(Run& run, const std::string& table, TransferBench& bench, const std::string& method, const TransferOptions& o, TransferStage stage,
  double theirs, double against = 0)
{
  bench.choose(o);
  bench.prepare();
  if (stage == TransferStage::ToPoints)
    bench.run(TransferStage::ToGrid);
  bench.run(stage, 2);
  const double us = 1e6 * bench.run(stage, run.repeat(100, 3));
  json r{ { "case", table }, { "method", method }, { "us", us }, { "meyer_gtx970_us", theirs } };
  if (against > 0)
    r["speedup"] = against / us;
  run.row(r, format("%-8s %-34s %12.1f us  %7s  Meyer, GTX 970: %9.0f us", table.c_str(), method.c_str(), us,
               against > 0 ? format("%.2fx", against / us).c_str() : "", theirs));
  return us;
}

void layouts(Run& run, const std::string& table, TransferStage aos, TransferStage soa, double theirs_aos, double theirs_soa)
{
  TransferCase c = tableCase(run, TransferPoints::Random);
  if (!run.options.particles)
    c.points = 1024 * 1024;
  TransferBench bench(run.device, c);
  TransferOptions o;
  o.sort = SortMethod::None;
  o.to_grid = ToGridMethod::Global;
  const double first = tableRow(run, table, bench, "AoS", o, aos, theirs_aos);
  tableRow(run, table, bench, "SoA", o, soa, theirs_soa, first);
}

TransferOptions with(SortMethod sort, ToGridMethod grid = ToGridMethod::Global, ToPointsMethod points = ToPointsMethod::Global, int batching = 1,
  bool active = true, bool wide = true, bool affine = false)
{
  return { sort, grid, points, batching, active, wide, affine };
}

void table9(Run& run)
{
  double random = 0;
  for (bool sorted : { false, true })
  {
    TransferBench bench(run.device, tableCase(run, TransferPoints::Random));
    const double us = tableRow(run, "table9", bench, sorted ? "binning, deep sorted" : "binning, random", with(sorted ? SortMethod::Deep : SortMethod::None),
      TransferStage::Bin, sorted ? 218 : 1516, random);
    random = sorted ? random : us;
  }
}

void table10(Run& run)
{
  // worst: the points lie at random; best: they are sorted already
  for (bool best : { true, false })
    for (SortMethod sort : { SortMethod::Index, SortMethod::Deep })
    {
      TransferBench bench(run.device, tableCase(run, TransferPoints::Random));
      bench.choose(with(SortMethod::Deep));
      if (best)
        bench.prepare();
      else
      {
        bench.run(TransferStage::Bin);
        bench.run(TransferStage::Scan);
      }
      TransferOptions o = with(sort);
      bench.choose(o);
      bench.run(TransferStage::Bin);
      bench.run(TransferStage::Scan);
      bench.run(TransferStage::Reorder, 2);
      const double us = 1e6 * bench.run(TransferStage::Reorder, run.repeat(100, 3));
      const std::string method = std::string(best ? "best: " : "worst: ") + (sort == SortMethod::Index ? "index" : "full (8 vec4)");
      const double theirs = sort == SortMethod::Index ? 1516 : (best ? 1731 : 0);
      run.row({ { "case", "table10" }, { "method", method }, { "us", us }, { "meyer_gtx970_us", theirs } },
        format("%-8s %-34s %12.1f us           Meyer, GTX 970: %9.0f us", "table10", method.c_str(), us, theirs));
    }
}

void gatherTable(Run& run, const std::string& table, TransferPoints arrangement, double global, double sorted, double shared)
{
  TransferBench unsorted(run.device, tableCase(run, arrangement));
  const double first = tableRow(run, table, unsorted, "G2P-global", with(SortMethod::None), TransferStage::ToPoints, global);
  TransferBench bench(run.device, tableCase(run, arrangement));
  tableRow(run, table, bench, "G2P-global sorted", with(SortMethod::Deep), TransferStage::ToPoints, sorted, first);
  tableRow(run, table, bench, "G2P-global index", with(SortMethod::Index), TransferStage::ToPoints, 0, first);
  tableRow(run, table, bench, "G2P-shared", with(SortMethod::Deep, ToGridMethod::Global, ToPointsMethod::Shared), TransferStage::ToPoints, shared, first);
}

void scatterTable(Run& run, const std::string& table, TransferPoints arrangement, const std::vector<double>& theirs)
{
  TransferBench unsorted(run.device, tableCase(run, arrangement));
  const double first = tableRow(run, table, unsorted, "global", with(SortMethod::None), TransferStage::ToGrid, theirs[0]);
  tableRow(run, table, unsorted, "[Mey15]", with(SortMethod::None, ToGridMethod::GlobalSupport), TransferStage::ToGrid, theirs[1], first);
  TransferBench bench(run.device, tableCase(run, arrangement));
  tableRow(run, table, bench, "[Mey15] sorted", with(SortMethod::Deep, ToGridMethod::GlobalSupport), TransferStage::ToGrid, theirs[2], first);
  tableRow(run, table, bench, "global sorted", with(SortMethod::Deep), TransferStage::ToGrid, theirs[3], first);
  tableRow(run, table, bench, "P2G-pull", with(SortMethod::Deep, ToGridMethod::Pull), TransferStage::ToGrid, theirs[4], first);
  tableRow(run, table, bench, "P2G-atomic, batching 4", with(SortMethod::Deep, ToGridMethod::SharedAtomic, ToPointsMethod::Global, 4), TransferStage::ToGrid,
    theirs[5], first);
  tableRow(run, table, bench, "P2G-sync, batching 4", with(SortMethod::Deep, ToGridMethod::Sync, ToPointsMethod::Global, 4), TransferStage::ToGrid, theirs[6],
    first);
}

void table15(Run& run)
{
  TransferBench bench(run.device, tableCase(run, TransferPoints::Cube));
  const auto o = [](ToGridMethod m, int batching, bool active) { return with(SortMethod::Deep, m, ToPointsMethod::Global, batching, active); };
  const double a = tableRow(run, "table15", bench, "P2G-atomic", o(ToGridMethod::SharedAtomic, 1, false), TransferStage::ToGrid, 6933);
  tableRow(run, "table15", bench, "P2G-atomic indirect", o(ToGridMethod::SharedAtomic, 1, true), TransferStage::ToGrid, 6276, a);
  tableRow(run, "table15", bench, "P2G-atomic batching 4", o(ToGridMethod::SharedAtomic, 4, false), TransferStage::ToGrid, 4929, a);
  tableRow(run, "table15", bench, "P2G-atomic both", o(ToGridMethod::SharedAtomic, 4, true), TransferStage::ToGrid, 3148, a);
  const double s = tableRow(run, "table15", bench, "P2G-sync", o(ToGridMethod::Sync, 1, true), TransferStage::ToGrid, 3161);
  tableRow(run, "table15", bench, "P2G-sync batching 4", o(ToGridMethod::Sync, 4, true), TransferStage::ToGrid, 2595, s);
}

void table16(Run& run)
{
  const double theirs[3][3] = { { 3375, 0, 0 }, { 3266, 2942, 0 }, { 3129, 2745, 2622 } };
  for (int d = 0; d < 3; ++d)
  {
    TransferCase points = tableCase(run, TransferPoints::Cube, 1 << d);
    if (d == 0)
      points.cells += points.cells / 8; // a turned cube of a point a cell has its corners outside of 128
    TransferBench bench(run.device, points);
    for (int b = 0; b < 3; ++b)
      tableRow(run, "table16", bench, format("P2G-sync, %d a cell, batching %d", 1 << d, 1 << b),
        with(SortMethod::Deep, ToGridMethod::Sync, ToPointsMethod::Global, 1 << b, true, false), TransferStage::ToGrid, theirs[d][b]);
  }
}

void table17(Run& run)
{
  TransferBench bench(run.device, tableCase(run, TransferPoints::Cube));
  const auto o = [](ToPointsMethod points, int batching) {
    return with(SortMethod::Deep, ToGridMethod::Sync, points, batching, true, true, true);
  };
  tableRow(run, "table17", bench, "G2P sorted, APIC", o(ToPointsMethod::Global, 1), TransferStage::ToPoints, 3647);
  tableRow(run, "table17", bench, "G2P-shared, APIC", o(ToPointsMethod::Shared, 1), TransferStage::ToPoints, 3384);
  tableRow(run, "table17", bench, "P2G-sync, APIC", o(ToPointsMethod::Global, 1), TransferStage::ToGrid, 3843);
  tableRow(run, "table17", bench, "P2G-sync batching 2, APIC", o(ToPointsMethod::Global, 2), TransferStage::ToGrid, 3634);
}

void table3(Run& run)
{
  TransferCase c = tableCase(run, TransferPoints::Random);
  if (!run.options.particles)
    c.points = 1024 * 1024;
  TransferBench bench(run.device, c);
  const std::vector<double> v = bench.velocities();
  long double exact = 0;
  for (std::size_t i = 0; i < v.size(); i += 3)
    exact += std::sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]);
  bench.run(TransferStage::ReduceLength);
  const double error = static_cast<double>(std::fabs(bench.reduced() / exact - 1));
  const double theirs = c.precision == Precision::Double ? 2.02e-11 : 2.71e-4;
  run.row({ { "case", "table3" }, { "method", "MapReduce length" }, { "relative_error", error }, { "meyer", theirs } },
    format("table3   MapReduce length, %zu vectors: relative error %.3g (Meyer: %.3g)", c.points, error, theirs));
}

// Round trips of fixed points: what is kept.
void table4(Run& run)
{
  for (bool affine : { false, true })
  {
    TransferBench bench(run.device, tableCase(run, TransferPoints::Cube));
    bench.choose(with(SortMethod::Deep, ToGridMethod::Sync, ToPointsMethod::Global, 4, true, false, affine));
    bench.prepare();
    const TransferTotals before = bench.ofPoints();
    const int trips = run.repeat(1000, 20);
    for (int k = 0; k < trips; ++k)
    {
      bench.run(TransferStage::ToGrid);
      bench.run(TransferStage::ToPoints);
    }
    const TransferTotals after = bench.ofGrid();
    const double mass = std::fabs(after.mass / before.mass - 1), p = length(after.momentum - before.momentum) / length(before.momentum),
                 l = length(after.angular - before.angular) / length(before.angular);
    run.row({ { "case", "table4" }, { "method", affine ? "APIC" : "PIC" }, { "trips", trips }, { "mass", mass }, { "momentum", p }, { "angular_momentum", l } },
      format("table4   %-4s %d round trips: relative errors of mass %.3g, momentum %.3g, angular momentum %.3g (Meyer, 1000: %s)", affine ? "APIC" : "PIC",
        trips, mass, p, l, affine ? "7.2e-6, 2e-4, 1.5e-4" : "6.4e-6, 1.7e-4, 0.27"));
  }
}

// ------------------------------------------------------------------------------------------------------------------ the solver

MaterialKind materialOf(const std::string& name)
{
  for (const auto& [key, kind] : { std::pair<const char*, MaterialKind>{ "fixed-corotated", MaterialKind::FixedCorotated },
         { "corotated", MaterialKind::Corotated }, { "neo-hookean", MaterialKind::NeoHookean }, { "drucker-prager", MaterialKind::DruckerPrager },
         { "von-mises", MaterialKind::VonMises }, { "fluid", MaterialKind::Fluid } })
    if (name == key)
      return kind;
  throw dem::Error("There is no material '" + name + "'. See --help.");
}

// A cube with 8 points a cell that falls and turns.
Scene blockScene(const Run& run, std::size_t points)
{
  Scene s;
  const double edge = std::cbrt(static_cast<double>(points) / 8), h = 0.01;
  const double size = std::max(1., std::round(edge)) * h, margin = 8 * h;
  s.grid_spacing = h;
  s.domain.lower = { 0, 0, 0 };
  s.domain.upper = { size + 2 * margin, size + 2 * margin, size + 2 * margin };
  const Vec3d low{ margin, margin, margin };
  s.points = fillBox(low, low + Vec3d{ size, size, size }, h, 2, run.options.jitter, 1);
  s.materials[0].kind = materialOf(run.options.material);
  s.materials[0].youngs_modulus = 1e6;
  s.materials[0].poissons_ratio = 0.3;
  s.materials[0].yield_stress = 1e3;
  s.materials[0].bulk_modulus = 1e6;
  s.spline = run.options.spline == "cubic" ? Spline::Cubic : Spline::Quadratic;
  s.precision = run.options.precision == "double" ? Precision::Double : Precision::Single;
  s.transfer = run.options.transfer == "pic" ? Transfer::PIC : (run.options.transfer == "flip" ? Transfer::FLIP : Transfer::APIC);
  s.equal_bits = !run.options.any_order;
  // strains that keep every model at work, and a turn through the bins
  const Vec3d middle = low + 0.5 * Vec3d{ size, size, size };
  const double w = 0.5 / size;
  s.points.velocity.reserve(s.points.size());
  for (const Vec3d& x : s.points.position)
  {
    const Vec3d d = x - middle;
    s.points.velocity.push_back({ -w * d.y - 0.2 * w * d.x, w * d.x, 0.1 * w * d.z });
  }
  s.output_interval = 1;
  s.end_time = 1000;
  return s;
}

double secondsOf(const std::function<void()>& work)
{
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void timeSteps(Run& run, bool implicit)
{
  const std::size_t wanted = run.options.particles ? run.options.particles : (run.cuda() ? 10000000 : (implicit ? 50000 : 1000000));
  Scene s = blockScene(run, wanted);
  if (implicit)
  {
    s.integration = TimeIntegration::ImplicitMidpoint;
    const double sound = std::sqrt(1e6 * 0.7 / (1.3 * 0.4) / 1000);
    s.time_step = s.output_interval = 4 * s.grid_spacing / sound; // four times the explicit limit
    s.implicit.newton_tolerance = 1e-3;
  }
  const std::size_t n = s.points.size();
  Simulation simulation(s, { run.device.kind, run.options.threads });
  s.points = {};
  const int warm = implicit ? 1 : (run.cuda() ? 20 : 2), steps = run.repeat(implicit ? 5 : 200, implicit ? 2 : 10);
  simulation.advanceTo(warm);
  const Statistics before = simulation.statistics();
  const double seconds = secondsOf([&] { simulation.advanceTo(warm + steps); });
  const Statistics after = simulation.statistics();
  const double sub_steps = static_cast<double>(after.sub_steps - before.sub_steps), rate = static_cast<double>(n) * sub_steps / seconds;
  json r{ { "case", implicit ? "implicit" : "explicit" }, { "points", n }, { "spline", name(s.spline) }, { "transfer", name(s.transfer) },
    { "precision", run.options.precision }, { "material", run.options.material }, { "equal_bits", s.equal_bits }, { "sub_steps", sub_steps },
    { "seconds", seconds }, { "point_steps_per_second", rate }, { "bytes_per_point", static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n) },
    { "device", run.device.name } };
  std::string text = format("%-8s %zu points, %s %s %s %s%s: %.4g point-steps/s (%.3f ms a step, %.0f steps), %.0f bytes a point", implicit ? "implicit" : "explicit", n,
    name(s.spline), name(s.transfer), run.options.precision.c_str(), run.options.material.c_str(), s.equal_bits ? "" : ", any order", rate,
    1e3 * seconds / sub_steps, sub_steps, static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n));
  if (implicit)
  {
    const double products = static_cast<double>(after.hessian_products - before.hessian_products);
    r["hessian_products"] = products;
    r["newton_iterations"] = after.newton_iterations - before.newton_iterations;
    r["point_products_per_second"] = products * static_cast<double>(n) / seconds;
    text += format(", %.4g point-products/s in all (%.0f products, %.0f Newton iterations)", products * static_cast<double>(n) / seconds, products,
      static_cast<double>(after.newton_iterations - before.newton_iterations));
  }
  run.row(r, text);
}

// How much a point takes, and that so many fit.
void memory(Run& run)
{
  const std::size_t wanted = run.options.particles ? run.options.particles : (run.cuda() ? 400000000 : 1000000);
  Scene s = blockScene(run, wanted);
  s.points.velocity = {};
  const std::size_t n = s.points.size();
  Simulation simulation(s, { run.device.kind, run.options.threads });
  s.points = {};
  const double seconds = secondsOf([&] { simulation.advanceTo(3); });
  const double bytes = static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n);
  run.row({ { "case", "memory" }, { "points", n }, { "bytes_per_point", bytes }, { "seconds_of_3_steps", seconds } },
    format("memory   %zu points: %.1f bytes a point on the device, %.2f GiB; 3 steps took %.2f s", n, bytes, bytes * static_cast<double>(n) / (1 << 30), seconds));
}

struct Case
{
  const char *name, *what;
  void (*run)(Run&);
};

const Case kCases[] = {
  { "explicit", "explicit steps of a block, 8 points a cell: point-steps a second", [](Run& r) { timeSteps(r, false); } },
  { "implicit", "implicit midpoint steps at four times the explicit limit: point-products a second", [](Run& r) { timeSteps(r, true); } },
  { "memory", "bytes a point", memory },
  { "table3", "Meyer 2019: error of a reduction", table3 },
  { "table4", "errors of 1000 PIC and APIC round trips", table4 },
  { "table5", "AoS against SoA, one attribute",
    [](Run& r) { layouts(r, "table5", TransferStage::MapAoS1, TransferStage::MapSoA1, 243, 120); } },
  { "table6", "AoS against SoA, both attributes",
    [](Run& r) { layouts(r, "table6", TransferStage::MapAoS2, TransferStage::MapSoA2, 275, 240); } },
  { "table9", "binning of random and of sorted points", table9 },
  { "table10", "reordering: index and deep, best and worst", table10 },
  { "table11", "grid to points, random", [](Run& r) { gatherTable(r, "table11", TransferPoints::Random, 38318, 2991, 9665); } },
  { "table12", "grid to points, uniform cube", [](Run& r) { gatherTable(r, "table12", TransferPoints::Cube, 10316, 2629, 2232); } },
  { "table13", "points to grid, random",
    [](Run& r) { scatterTable(r, "table13", TransferPoints::Random, { 254410, 217997, 30477, 21413, 26822, 15552, 12801 }); } },
  { "table14", "points to grid, uniform cube",
    [](Run& r) { scatterTable(r, "table14", TransferPoints::Cube, { 44442, 45342, 23007, 20484, 4747, 3148, 2595 }); } },
  { "table15", "batching and active blocks", table15 },
  { "table16", "P2G-sync: points a cell and batching", table16 },
  { "table17", "APIC transfers", table17 },
};

Options parse(int argc, char** argv)
{
  Options o;
  for (int i = 1; i < argc; ++i)
  {
    const std::string a = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc)
        throw dem::Error(a + " needs a value. See --help.");
      return argv[++i];
    };
    if (a == "--help")
    {
      std::fputs(kHelp, stdout);
      std::exit(0);
    }
    else if (a == "--list")
    {
      for (const Case& c : kCases)
        std::printf("%-10s %s\n", c.name, c.what);
      std::exit(0);
    }
    else if (a == "--case")
      o.cases.push_back(value());
    else if (a == "--particles")
      o.particles = static_cast<std::size_t>(std::stod(value()));
    else if (a == "--cells")
      o.cells = std::stoi(value());
    else if (a == "--device")
    {
      const std::string d = value();
      o.device = d == "cpu" ? dem::DeviceKind::CPU : (d == "cuda" ? dem::DeviceKind::CUDA : dem::deviceKindFromName(d == "auto" ? "Auto" : d));
    }
    else if (a == "--threads")
      o.threads = std::stoi(value());
    else if (a == "--spline")
      o.spline = value();
    else if (a == "--precision")
      o.precision = value();
    else if (a == "--transfer")
      o.transfer = value();
    else if (a == "--material")
      o.material = value();
    else if (a == "--any-order")
      o.any_order = true;
    else if (a == "--jitter")
      o.jitter = std::stod(value());
    else if (a == "--repeat")
      o.repeat = std::stoi(value());
    else if (a == "--json")
      o.json_file = value();
    else
      throw dem::Error("Unknown option '" + a + "'. See --help.");
  }
  const auto known = [](const std::string& x, std::initializer_list<const char*> names, const char* what) {
    for (const char* n : names)
      if (x == n)
        return;
    throw dem::Error(std::string("There is no ") + what + " '" + x + "'. See --help.");
  };
  known(o.spline, { "", "quadratic", "cubic" }, "spline");
  known(o.precision, { "single", "double" }, "precision");
  known(o.transfer, { "apic", "pic", "flip" }, "transfer");
  materialOf(o.material);
  if (o.cases.empty())
    o.cases = { "explicit" };
  return o;
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    Run run;
    run.options = parse(argc, argv);
    run.device = dem::chooseDevice(run.options.device, run.options.threads);
    std::printf("%s\n", run.device.name.c_str());
    for (const std::string& name : run.options.cases)
    {
      const Case* found = nullptr;
      for (const Case& c : kCases)
        if (name == c.name)
          found = &c;
      if (!found)
        throw dem::Error("There is no case '" + name + "'. See --list.");
      found->run(run);
    }
    if (!run.options.json_file.empty())
      std::ofstream(run.options.json_file) << run.results.dump(1) << "\n";
    return 0;
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "paragrain-bench-mpm: %s\n", e.what());
    return 1;
  }
}
