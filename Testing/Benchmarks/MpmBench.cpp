// paragrain-bench-mpm: times the Material Point Method. See `paragrain-bench-mpm --help`.
#include "Core/Error.h"
#include "MaterialPoint/MpmFill.h"
#include "MaterialPoint/MpmSimulation.h"
#include "MaterialPoint/MpmTransfers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
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
  "  --particles N       points (default 1000000; explicit on CUDA 10000000, memory 400000000)\n"
  "  --cells N           tables, transfer: cells along each axis (default 128)\n"
  "  --device auto|cpu|cuda (default auto)    --threads T (CPU, default all)\n"
  "  --spline quadratic|cubic (explicit, implicit, memory: default quadratic; tables, transfer: "
  "cubic)\n"
  "  --precision single|double   --transfer apic|pic|flip (default apic; flip: not in the case "
  "transfer)\n"
  "  --material fixed-corotated|corotated|neo-hookean|drucker-prager|von-mises|fluid   explicit, "
  "implicit, memory\n"
  "  --any-order         explicit, implicit, memory: without the sort by Id (equal bits off)\n"
  "  --jitter J          explicit, implicit, memory: 0 = a lattice, 1 = anywhere in its share of "
  "the cell (default 0.5)\n"
  "  --repeat K          tables, transfer: runs of each kernel (default 100 on CUDA, 3 on the "
  "CPU); explicit: steps (default 200, 10)\n"
  "  --json FILE         the results as JSON\n"
  "\n"
  "The case transfer times the stages of one combination of methods (Meyer 2019, chapter 5):\n"
  "  --points random|cube      anywhere in the grid, or a turned cube in random order (default "
  "cube)\n"
  "  --per-cell P              cube: points a cell (default 4)\n"
  "  --sort none|index|deep    where points stay, an index in the order of bins, or all data moved "
  "(default deep)\n"
  "  --to-grid METHOD          global: atomic additions, a point a thread; global-support: the "
  "same, a point and a node a thread ([Mey15] there);\n"
  "                            pull: a node a thread; shared-atomic: a bin a thread into a tile; "
  "sync: the same between barriers (default sync)\n"
  "  --to-points global|shared (default global)\n"
  "  --batching 1|2|4          points that a thread takes at once: shared-atomic, sync (default "
  "1)\n"
  "  --active-blocks on|off    methods of blocks (pull, shared-atomic, sync, shared): only blocks "
  "with points (default on)\n"
  "  --block 8x4x4|4x4x4       bins of a block (default 8x4x4)\n"
  "The stages of a deep sort are timed with points as the sort before left them, of an index with "
  "points in the order of the start.\n"
  "What does not go together is refused by name, as a method of blocks without a sort, or batching "
  "where a thread takes one point.\n";

struct Options
{
  std::vector<std::string> cases;
  std::size_t particles = 0;
  int cells = 128, repeat = 0, threads = 0;
  dem::DeviceKind device = dem::DeviceKind::Auto;
  std::string spline, precision = "single", transfer = "apic", material = "fixed-corotated",
                      json_file;
  bool any_order = false;
  double jitter = 0.5, per_cell = 4;
  TransferOptions methods; // of the case transfer
  TransferPoints arrangement = TransferPoints::Cube;
  std::vector<std::string> given; // the options that were named
  bool has(const std::string& option) const
  {
    return std::find(given.begin(), given.end(), option) != given.end();
  }
};

struct Run
{
  Options options;
  dem::Device device;
  json results = json::array();

  bool cuda() const { return device.kind == dem::DeviceKind::CUDA; }
  int repeat(int on_cuda, int on_cpu) const
  {
    return options.repeat > 0 ? options.repeat : (cuda() ? on_cuda : on_cpu);
  }
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

// ------------------------------------------------------------------------------------------------------------
// Meyer's tables

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

// One row: `stage` with these options; `theirs` is Meyer's time on a GTX 970 in microseconds, 0
// where he gives none.
double tableRow(Run& run, const std::string& table, TransferBench& bench, const std::string& method,
  const TransferOptions& o, TransferStage stage, double theirs, double against = 0)
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
  run.row(r,
    format("%-8s %-36s %12.1f us  %7s  Meyer, GTX 970: %9.0f us", table.c_str(), method.c_str(), us,
      against > 0 ? format("%.2fx", against / us).c_str() : "", theirs));
  return us;
}

TransferOptions with(SortMethod sort, ToGridMethod grid = ToGridMethod::Global,
  ToPointsMethod points = ToPointsMethod::Global, int batching = 1, bool active = true,
  bool wide = true, bool affine = false)
{
  return { sort, grid, points, batching, active, wide, affine };
}

// Random points in the order of the start, 1024 x 1024 as in the tables that know no grid.
TransferCase million(const Run& run, TransferPoints arrangement)
{
  TransferCase c = tableCase(run, arrangement);
  if (!run.options.particles)
    c.points = 1024 * 1024;
  return c;
}

void layouts(Run& run, const std::string& table, TransferStage aos, TransferStage soa,
  double theirs_aos, double theirs_soa)
{
  TransferBench bench(run.device, million(run, TransferPoints::Random));
  TransferOptions o = with(SortMethod::None);
  const double first = tableRow(run, table, bench, "AoS", o, aos, theirs_aos);
  tableRow(run, table, bench, "SoA", o, soa, theirs_soa, first);
  o.map_points = 4;
  tableRow(run, table, bench, "AoS, 4 points a thread", o, aos, 0, first);
  tableRow(run, table, bench, "SoA, 4 points a thread", o, soa, 0, first);
}

// His reductions and scans are written by hand; here they are the library's, beside his slowest and
// his fastest.
void table7(Run& run)
{
  TransferBench bench(run.device, million(run, TransferPoints::Random));
  const TransferOptions o = with(SortMethod::None);
  tableRow(run, "table7", bench, "map alone", o, TransferStage::MapSoA1, 120);
  const double first = tableRow(
    run, "table7", bench, "fixed order, added up on the host", o, TransferStage::ReduceLength, 305);
  tableRow(run, "table7", bench, "library", o, TransferStage::ReduceLibrary, 98, first);
}

void table8(Run& run)
{
  TransferBench bench(run.device, million(run, TransferPoints::Random));
  const TransferOptions o = with(SortMethod::None);
  tableRow(run, "table8", bench, "copy alone", o, TransferStage::CopyIntegers, 0);
  tableRow(run, "table8", bench, "library", o, TransferStage::ScanIntegers, 258);
}

// Benches by their sort: what a deep sort did to the points must not show in the rows of an index.
struct SortedBenches
{
  TransferBench deep, index;
  SortedBenches(const Run& run, const TransferCase& c)
    : deep(run.device, c)
    , index(run.device, c)
  {
  }
};

// The row with a deep sort and the same with an index, of points in the order of the start.
double bothSorts(Run& run, const std::string& table, SortedBenches& benches,
  const std::string& method, TransferOptions o, TransferStage stage, double theirs,
  double against = 0)
{
  o.sort = SortMethod::Deep;
  if (o.to_grid == ToGridMethod::Pull && run.options.precision == "double")
    o.wide_blocks = false;
  const double us = tableRow(run, table, benches.deep, method, o, stage, theirs, against);
  o.sort = SortMethod::Index;
  tableRow(run, table, benches.index, method + ", index", o, stage, 0, against);
  return us;
}

void table9(Run& run)
{
  double random = 0;
  for (SortMethod sort : { SortMethod::None, SortMethod::Index, SortMethod::Deep })
  {
    TransferBench bench(run.device, million(run, TransferPoints::Random));
    const double us = tableRow(run, "table9", bench,
      sort == SortMethod::None ? "binning, random"
                               : std::string("binning, ") + name(sort) + " sorted",
      with(sort), TransferStage::Bin,
      sort == SortMethod::Deep ? 218 : (sort == SortMethod::None ? 1516 : 0), random);
    random = sort == SortMethod::None ? us : random;
  }
}

void table10(Run& run)
{
  // worst: the points lie at random; best: they are sorted already
  for (bool best : { true, false })
    for (SortMethod sort : { SortMethod::Index, SortMethod::Deep })
    {
      TransferBench bench(run.device, million(run, TransferPoints::Random));
      bench.choose(with(SortMethod::Deep));
      if (best)
        bench.prepare();
      bench.choose(with(sort));
      bench.run(TransferStage::Bin);
      bench.run(TransferStage::Scan);
      bench.run(TransferStage::Reorder, 2);
      const double us = 1e6 * bench.run(TransferStage::Reorder, run.repeat(100, 3));
      const std::string method = std::string(best ? "best: " : "worst: ") +
        (sort == SortMethod::Index ? "index" : "full (8 vec4)");
      const double theirs =
        sort == SortMethod::Index ? 1516 : (best ? 1731 : 5.68 * 1731); // the last from his speedup
      run.row({ { "case", "table10" }, { "method", method }, { "us", us },
                { "meyer_gtx970_us", theirs } },
        format("%-8s %-36s %12.1f us           Meyer, GTX 970: %9.0f us", "table10", method.c_str(),
          us, theirs));
    }
}

void gatherTable(Run& run, const std::string& table, TransferPoints arrangement, double global,
  double sorted, double shared)
{
  SortedBenches benches(run, tableCase(run, arrangement));
  const double first = tableRow(run, table, benches.index, "G2P-global", with(SortMethod::None),
    TransferStage::ToPoints, global);
  bothSorts(run, table, benches, "G2P-global sorted", with(SortMethod::Deep),
    TransferStage::ToPoints, sorted, first);
  bothSorts(run, table, benches, "G2P-shared",
    with(SortMethod::Deep, ToGridMethod::Global, ToPointsMethod::Shared), TransferStage::ToPoints,
    shared, first);
}

void scatterTable(
  Run& run, const std::string& table, TransferPoints arrangement, const std::vector<double>& theirs)
{
  SortedBenches benches(run, tableCase(run, arrangement));
  const double first = tableRow(
    run, table, benches.index, "global", with(SortMethod::None), TransferStage::ToGrid, theirs[0]);
  tableRow(run, table, benches.index, "[Mey15]",
    with(SortMethod::None, ToGridMethod::GlobalSupport), TransferStage::ToGrid, theirs[1], first);
  const auto row = [&](const char* method, ToGridMethod m, int batching, double meyer) {
    bothSorts(run, table, benches, method,
      with(SortMethod::Deep, m, ToPointsMethod::Global, batching), TransferStage::ToGrid, meyer,
      first);
  };
  row("[Mey15] sorted", ToGridMethod::GlobalSupport, 1, theirs[2]);
  row("global sorted", ToGridMethod::Global, 1, theirs[3]);
  row("P2G-pull", ToGridMethod::Pull, 1, theirs[4]);
  row("P2G-atomic, batching 4", ToGridMethod::SharedAtomic, 4, theirs[5]);
  row("P2G-sync, batching 4", ToGridMethod::Sync, 4, theirs[6]);
}

void table15(Run& run)
{
  SortedBenches benches(run, tableCase(run, TransferPoints::Cube));
  const auto row = [&](const char* method, ToGridMethod m, int batching, bool active, double theirs,
                     double against = 0) {
    return bothSorts(run, "table15", benches, method,
      with(SortMethod::Deep, m, ToPointsMethod::Global, batching, active), TransferStage::ToGrid,
      theirs, against);
  };
  const double a = row("P2G-atomic", ToGridMethod::SharedAtomic, 1, false, 6933);
  row("P2G-atomic indirect", ToGridMethod::SharedAtomic, 1, true, 6276, a);
  row("P2G-atomic batching 4", ToGridMethod::SharedAtomic, 4, false, 4929, a);
  row("P2G-atomic both", ToGridMethod::SharedAtomic, 4, true, 3148, a);
  const double s = row("P2G-sync", ToGridMethod::Sync, 1, true, 3161);
  row("P2G-sync batching 4", ToGridMethod::Sync, 4, true, 2595, s);
  row("P2G-sync, all blocks", ToGridMethod::Sync, 1, false, 0, s);
}

void table16(Run& run)
{
  const double theirs[3][3] = { { 3375, 0, 0 }, { 3266, 2942, 0 }, { 3129, 2745, 2622 } };
  for (int d = 0; d < 3; ++d)
  {
    TransferCase points = tableCase(run, TransferPoints::Cube, 1 << d);
    if (d == 0)
      points.cells +=
        points.cells / 8; // a turned cube of a point a cell has its corners outside of 128
    SortedBenches benches(run, points);
    for (int b = 0; b < 3; ++b)
      bothSorts(run, "table16", benches, format("P2G-sync, %d a cell, batching %d", 1 << d, 1 << b),
        with(SortMethod::Deep, ToGridMethod::Sync, ToPointsMethod::Global, 1 << b, true, false),
        TransferStage::ToGrid, theirs[d][b]);
  }
}

void table17(Run& run)
{
  SortedBenches benches(run, tableCase(run, TransferPoints::Cube));
  const auto row = [&](const char* method, ToPointsMethod points, int batching, TransferStage stage,
                     double theirs) {
    bothSorts(run, "table17", benches, method,
      with(SortMethod::Deep, ToGridMethod::Sync, points, batching, true, true, true), stage,
      theirs);
  };
  row("G2P sorted, APIC", ToPointsMethod::Global, 1, TransferStage::ToPoints, 3647);
  row("G2P-shared, APIC", ToPointsMethod::Shared, 1, TransferStage::ToPoints, 3384);
  row("P2G-sync, APIC", ToPointsMethod::Global, 1, TransferStage::ToGrid, 3843);
  row("P2G-sync batching 2, APIC", ToPointsMethod::Global, 2, TransferStage::ToGrid, 3634);
}

void table3(Run& run)
{
  for (Precision precision : { Precision::Single, Precision::Double })
  {
    const bool single = precision == Precision::Single;
    TransferCase c = million(run, TransferPoints::Random);
    c.precision = precision;
    TransferBench bench(run.device, c);
    const std::vector<double> v = bench.velocities();
    std::vector<long double> lengths;
    long double exact = 0, off = 0;
    for (std::size_t i = 0; i < v.size(); i += 3)
    {
      const long double x = v[i], y = v[i + 1], z = v[i + 2];
      lengths.push_back(std::sqrt(x * x + y * y + z * z));
      exact += lengths.back();
    }
    const auto row = [&](const char* what, double error, double theirs) {
      const std::string method = std::string(what) + (single ? ", single" : ", double");
      run.row({ { "case", "table3" }, { "method", method }, { "relative_error", error },
                { "meyer", theirs } },
        format("table3   %-50s %zu: relative error %.3g (Meyer: %.3g)", method.c_str(), c.points,
          error, theirs));
    };
    bench.choose(with(SortMethod::None));
    bench.run(TransferStage::MapSoA1);
    const std::vector<double> mapped = bench.mapped(0);
    long double scalars = 0;
    for (std::size_t i = 0; i < mapped.size(); ++i)
    {
      off += std::fabs(mapped[i] - lengths[i]);
      scalars += mapped[i];
    }
    row("Map length of vectors", static_cast<double>(off / exact), 7.94e-8);
    for (TransferStage stage : { TransferStage::ReduceLength, TransferStage::ReduceLibrary })
    {
      bench.run(stage);
      if (stage ==
        TransferStage::ReduceLength) // against the sum of what was mapped: of the summation alone
        row("MapReduce of scalars, fixed order",
          static_cast<double>(std::fabs(bench.reduced() / scalars - 1)),
          single ? 3.51e-8 : 3.42e-14);
      row(stage == TransferStage::ReduceLength ? "MapReduce length of vectors, fixed order"
                                               : "MapReduce length of vectors, library",
        static_cast<double>(std::fabs(bench.reduced() / exact - 1)), single ? 2.71e-4 : 2.02e-11);
    }
  }
}

// Round trips of fixed points: what is kept.
void table4(Run& run)
{
  for (bool affine : { false, true })
  {
    TransferBench bench(run.device, tableCase(run, TransferPoints::Cube));
    bench.choose(
      with(SortMethod::Deep, ToGridMethod::Sync, ToPointsMethod::Global, 4, true, false, affine));
    bench.prepare();
    const TransferTotals before = bench.ofPoints();
    const int trips = run.repeat(1000, 20);
    for (int k = 0; k < trips; ++k)
    {
      bench.run(TransferStage::ToGrid);
      bench.run(TransferStage::ToPoints);
    }
    const TransferTotals after = bench.ofGrid();
    const double mass = std::fabs(after.mass / before.mass - 1),
                 p = length(after.momentum - before.momentum) / length(before.momentum),
                 l = length(after.angular - before.angular) / length(before.angular);
    run.row({ { "case", "table4" }, { "method", affine ? "APIC" : "PIC" }, { "trips", trips },
              { "mass", mass }, { "momentum", p }, { "angular_momentum", l } },
      format("table4   %-4s %d round trips: relative errors of mass %.3g, momentum %.3g, angular "
             "momentum %.3g (Meyer, 1000: %s)",
        affine ? "APIC" : "PIC", trips, mass, p, l,
        affine ? "7.2e-6, 2e-4, 1.5e-4" : "6.4e-6, 1.7e-4, 0.27"));
  }
}

// One combination of methods, as the options choose it: each of its stages.
void transfer(Run& run)
{
  const Options& o = run.options;
  TransferCase c = tableCase(run, o.arrangement, o.per_cell);
  TransferBench bench(run.device, c);
  bench.choose(o.methods);
  bench.prepare();
  bench.run(TransferStage::ToGrid);
  std::string what = format("%s%s %s, %s, sort %s, to grid %s, to points %s", name(c.spline),
    o.methods.affine ? " APIC" : " PIC", o.precision.c_str(),
    c.arrangement == TransferPoints::Random ? "random"
                                            : format("cube of %g a cell", c.per_cell).c_str(),
    name(o.methods.sort), name(o.methods.to_grid), name(o.methods.to_points));
  if (o.methods.sort != SortMethod::None)
    what += format(", batching %d, %s blocks of %s", o.methods.batching,
      o.methods.active_blocks ? "active" : "all", o.methods.wide_blocks ? "8x4x4" : "4x4x4");
  std::printf("transfer %zu points, %d^3 cells: %s\n", c.points, c.cells, what.c_str());
  const std::pair<TransferStage, const char*> stages[] = { { TransferStage::Bin, "bin" },
    { TransferStage::Scan, "scan" }, { TransferStage::Reorder, "reorder" },
    { TransferStage::Filter, "filter" }, { TransferStage::ToGrid, "to grid" },
    { TransferStage::ToPoints, "to points" } };
  for (const auto& [stage, text] : stages)
  {
    if (o.methods.sort == SortMethod::None && stage < TransferStage::ToGrid)
      continue;
    bench.prepare(); // the stage before may have counted again
    bench.run(stage);
    const double us = 1e6 * bench.run(stage, run.repeat(100, 3));
    run.row({ { "case", "transfer" }, { "points", c.points }, { "cells", c.cells },
              { "methods", what }, { "stage", text }, { "us", us },
              { "points_per_second", 1e6 * static_cast<double>(c.points) / us } },
      format("         %-10s %12.1f us  %10.4g points/s", text, us,
        1e6 * static_cast<double>(c.points) / us));
  }
}

// ------------------------------------------------------------------------------------------------------------------
// the solver

MaterialKind materialOf(const std::string& name)
{
  for (const auto& [key, kind] :
    { std::pair<const char*, MaterialKind>{ "fixed-corotated", MaterialKind::FixedCorotated },
      { "corotated", MaterialKind::Corotated }, { "neo-hookean", MaterialKind::NeoHookean },
      { "drucker-prager", MaterialKind::DruckerPrager }, { "von-mises", MaterialKind::VonMises },
      { "fluid", MaterialKind::Fluid } })
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
  s.transfer = run.options.transfer == "pic"
    ? Transfer::PIC
    : (run.options.transfer == "flip" ? Transfer::FLIP : Transfer::APIC);
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
  const std::size_t wanted = run.options.particles
    ? run.options.particles
    : (run.cuda() ? 10000000 : (implicit ? 50000 : 1000000));
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
  const int warm = implicit ? 1 : (run.cuda() ? 20 : 2),
            steps = run.repeat(implicit ? 5 : 200, implicit ? 2 : 10);
  simulation.advanceTo(warm);
  const Statistics before = simulation.statistics();
  const double seconds = secondsOf([&] { simulation.advanceTo(warm + steps); });
  const Statistics after = simulation.statistics();
  const double sub_steps = static_cast<double>(after.sub_steps - before.sub_steps),
               rate = static_cast<double>(n) * sub_steps / seconds;
  json r{ { "case", implicit ? "implicit" : "explicit" }, { "points", n },
    { "spline", name(s.spline) }, { "transfer", name(s.transfer) },
    { "precision", run.options.precision }, { "material", run.options.material },
    { "equal_bits", s.equal_bits }, { "sub_steps", sub_steps }, { "seconds", seconds },
    { "point_steps_per_second", rate },
    { "bytes_per_point", static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n) },
    { "device", run.device.name } };
  std::string text = format("%-8s %zu points, %s %s %s %s%s: %.4g point-steps/s (%.3f ms a step, "
                            "%.0f steps), %.0f bytes a point",
    implicit ? "implicit" : "explicit", n, name(s.spline), name(s.transfer),
    run.options.precision.c_str(), run.options.material.c_str(), s.equal_bits ? "" : ", any order",
    rate, 1e3 * seconds / sub_steps, sub_steps,
    static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n));
  if (implicit)
  {
    const double products = static_cast<double>(after.hessian_products - before.hessian_products);
    r["hessian_products"] = products;
    r["newton_iterations"] = after.newton_iterations - before.newton_iterations;
    r["point_products_per_second"] = products * static_cast<double>(n) / seconds;
    text += format(", %.4g point-products/s in all (%.0f products, %.0f Newton iterations)",
      products * static_cast<double>(n) / seconds, products,
      static_cast<double>(after.newton_iterations - before.newton_iterations));
  }
  run.row(r, text);
}

// How much a point takes, and that so many fit.
void memory(Run& run)
{
  const std::size_t wanted =
    run.options.particles ? run.options.particles : (run.cuda() ? 400000000 : 1000000);
  Scene s = blockScene(run, wanted);
  s.points.velocity = {};
  const std::size_t n = s.points.size();
  Simulation simulation(s, { run.device.kind, run.options.threads });
  s.points = {};
  const double seconds = secondsOf([&] { simulation.advanceTo(3); });
  const double bytes = static_cast<double>(simulation.deviceBytes()) / static_cast<double>(n);
  run.row({ { "case", "memory" }, { "points", n }, { "bytes_per_point", bytes },
            { "seconds_of_3_steps", seconds } },
    format("memory   %zu points: %.1f bytes a point on the device, %.2f GiB; 3 steps took %.2f s",
      n, bytes, bytes * static_cast<double>(n) / (1 << 30), seconds));
}

// Options that a case takes beside --device, --threads, --particles, --precision and --json.
constexpr const char* kOfSolver = " --spline --transfer --material --any-order --jitter --repeat ";
constexpr const char* kOfTables = " --spline --cells --repeat ";
constexpr const char* kOfTransfer =
  " --spline --transfer --cells --repeat --points --per-cell --sort --to-grid --to-points "
  "--batching --active-blocks --block ";

struct Case
{
  const char *name, *takes, *what;
  void (*run)(Run&);
};

const Case kCases[] = {
  { "explicit", kOfSolver, "explicit steps of a block, 8 points a cell: point-steps a second",
    [](Run& r) { timeSteps(r, false); } },
  { "implicit", kOfSolver,
    "implicit midpoint steps at four times the explicit limit: point-products a second",
    [](Run& r) { timeSteps(r, true); } },
  { "memory", kOfSolver, "bytes a point", memory },
  { "transfer", kOfTransfer, "one combination of transfer methods, stage by stage", transfer },
  { "table3", kOfTables, "Meyer 2019: errors of maps and reductions", table3 },
  { "table4", kOfTables, "errors of 1000 PIC and APIC round trips", table4 },
  { "table5", kOfTables, "AoS against SoA, one attribute",
    [](
      Run& r) { layouts(r, "table5", TransferStage::MapAoS1, TransferStage::MapSoA1, 243, 120); } },
  { "table6", kOfTables, "AoS against SoA, both attributes",
    [](
      Run& r) { layouts(r, "table6", TransferStage::MapAoS2, TransferStage::MapSoA2, 275, 240); } },
  { "table7", kOfTables, "a reduction by the library", table7 },
  { "table8", kOfTables, "a scan by the library", table8 },
  { "table9", kOfTables, "binning of random and of sorted points", table9 },
  { "table10", kOfTables, "reordering: index and deep, best and worst", table10 },
  { "table11", kOfTables, "grid to points, random",
    [](Run& r) { gatherTable(r, "table11", TransferPoints::Random, 38318, 2991, 9665); } },
  { "table12", kOfTables, "grid to points, uniform cube",
    [](Run& r) { gatherTable(r, "table12", TransferPoints::Cube, 10316, 2629, 2232); } },
  { "table13", kOfTables, "points to grid, random",
    [](Run& r) {
      scatterTable(r, "table13", TransferPoints::Random,
        { 254410, 217997, 30477, 21413, 26822, 15552, 12801 });
    } },
  { "table14", kOfTables, "points to grid, uniform cube",
    [](Run& r) {
      scatterTable(
        r, "table14", TransferPoints::Cube, { 44442, 45342, 23007, 20484, 4747, 3148, 2595 });
    } },
  { "table15", kOfTables, "batching and active blocks", table15 },
  { "table16", kOfTables, "P2G-sync: points a cell and batching", table16 },
  { "table17", kOfTables, "APIC transfers", table17 },
};

template <class T>
T oneOf(const std::string& option, const std::string& value,
  std::initializer_list<std::pair<const char*, T>> names)
{
  std::string known;
  for (const auto& [key, meaning] : names)
  {
    if (value == key)
      return meaning;
    known += (known.empty() ? "" : ", ") + std::string(key);
  }
  throw dem::Error("There is no " + option + " '" + value + "'; known: " + known + ".");
}

// Throws where options do not go together, naming both. What the methods themselves refuse,
// TransferBench says.
void checkTogether(Options& o)
{
  std::vector<const Case*> cases;
  for (const std::string& n : o.cases)
  {
    const Case* found = nullptr;
    for (const Case& c : kCases)
      if (n == c.name)
        found = &c;
    if (!found)
      throw dem::Error("There is no case '" + n + "'. See --list.");
    cases.push_back(found);
  }
  for (const std::string& option : o.given)
  {
    bool known = false, taken = false; // by any case at all, by one of those asked for
    for (const Case& c : kCases)
      known = known || std::string(c.takes).find(" " + option + " ") != std::string::npos;
    for (const Case* c : cases)
      taken = taken || std::string(c->takes).find(" " + option + " ") != std::string::npos;
    if (known && !taken)
      throw dem::Error(option + " does not go with --case " + o.cases.front() + ". See --help.");
  }
  const auto clash = [](const std::string& a, const std::string& b, const char* why) {
    throw dem::Error(a + " does not go with " + b + ": " + why + ".");
  };
  const bool transfers = std::find(o.cases.begin(), o.cases.end(), "transfer") != o.cases.end();
  if (!transfers)
    return;
  const TransferOptions& m = o.methods;
  const bool blocks = m.to_points == ToPointsMethod::Shared ||
    (m.to_grid != ToGridMethod::Global && m.to_grid != ToGridMethod::GlobalSupport);
  if (o.transfer == "flip")
    clash(
      "--transfer flip", "--case transfer", "its points would need the velocities before the step");
  if (o.has("--per-cell") && o.arrangement == TransferPoints::Random)
    clash("--per-cell", "--points random", "there --particles and --cells say how dense they lie");
  if (o.has("--block") && m.sort == SortMethod::None)
    clash("--block", "--sort none", "no bins are made");
  if (o.has("--active-blocks") && !blocks)
    clash("--active-blocks",
      std::string("--to-grid ") + name(m.to_grid) + " and --to-points global",
      "neither works in blocks");
  o.methods.affine = o.transfer == "apic";
}

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
    o.given.push_back(a);
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
      o.device = d == "cpu"
        ? dem::DeviceKind::CPU
        : (d == "cuda" ? dem::DeviceKind::CUDA : dem::deviceKindFromName(d == "auto" ? "Auto" : d));
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
    else if (a == "--points")
      o.arrangement = oneOf<TransferPoints>(
        a, value(), { { "random", TransferPoints::Random }, { "cube", TransferPoints::Cube } });
    else if (a == "--per-cell")
      o.per_cell = std::stod(value());
    else if (a == "--sort")
      o.methods.sort = oneOf<SortMethod>(a, value(),
        { { "none", SortMethod::None }, { "index", SortMethod::Index },
          { "deep", SortMethod::Deep } });
    else if (a == "--to-grid")
      o.methods.to_grid = oneOf<ToGridMethod>(a, value(),
        { { "global", ToGridMethod::Global }, { "global-support", ToGridMethod::GlobalSupport },
          { "pull", ToGridMethod::Pull }, { "shared-atomic", ToGridMethod::SharedAtomic },
          { "sync", ToGridMethod::Sync } });
    else if (a == "--to-points")
      o.methods.to_points = oneOf<ToPointsMethod>(
        a, value(), { { "global", ToPointsMethod::Global }, { "shared", ToPointsMethod::Shared } });
    else if (a == "--batching")
      o.methods.batching = std::stoi(value());
    else if (a == "--active-blocks")
      o.methods.active_blocks = oneOf<bool>(a, value(), { { "on", true }, { "off", false } });
    else if (a == "--block")
      o.methods.wide_blocks = oneOf<bool>(a, value(), { { "8x4x4", true }, { "4x4x4", false } });
    else
      throw dem::Error("Unknown option '" + a + "'. See --help.");
  }
  const auto known = [](const std::string& x, std::initializer_list<const char*> names,
                       const char* what) {
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
  checkTogether(o);
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
    for (const std::string& asked : run.options.cases)
      for (const Case& c : kCases)
        if (asked == c.name)
          c.run(run);
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
