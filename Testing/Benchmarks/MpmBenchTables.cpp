#include "MpmBenchTables.h"

#include "Core/Error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace bench
{

namespace
{

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

// Microseconds of a stage.
double timed(const Run& run, TransferBench& bench, TransferStage stage, const std::string& method)
{
  const ProfiledAs range(method);
  return 1e6 * bench.run(stage, run.repeat(100, 3));
}

// `us` and `theirs` as in tableRow; `against`: the time in microseconds of the row to compare with,
// 0 for none.
void addRow(Run& run, const std::string& table, const std::string& method, double us, double theirs,
  double against = 0)
{
  json r{ { "case", table }, { "method", method }, { "us", us }, { "meyer_gtx970_us", theirs } };
  if (against > 0)
    r["speedup"] = against / us;
  run.row(r,
    format("%-8s %-36s %12.1f us  %7s  Meyer, GTX 970: %9.0f us", table.c_str(), method.c_str(), us,
      against > 0 ? format("%.2fx", against / us).c_str() : "", theirs));
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
  const double us = timed(run, bench, stage, method);
  addRow(run, table, method, us, theirs, against);
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

} // namespace

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

// His reductions and scans, written by hand, one dispatch each; and those of the library, complete,
// beside his fastest.
void table7(Run& run)
{
  TransferBench bench(run.device, million(run, TransferPoints::Random));
  const TransferOptions o = with(SortMethod::None);
  tableRow(run, "table7", bench, "map alone", o, TransferStage::MapSoA1, 120);
  const double first =
    tableRow(run, "table7", bench, "interleaved", o, TransferStage::ReduceInterleaved, 305);
  tableRow(run, "table7", bench, "sequential", o, TransferStage::ReduceSequential, 141, first);
  tableRow(
    run, "table7", bench, "sequential (2x)", o, TransferStage::ReduceSequential2, 100, first);
  tableRow(
    run, "table7", bench, "sequential (128x)", o, TransferStage::ReduceSequential128, 98, first);
  tableRow(run, "table7", bench, "fixed order, added up on the host", o,
    TransferStage::ReduceLength, 0, first);
  tableRow(run, "table7", bench, "library", o, TransferStage::ReduceLibrary, 98, first);
}

// Padding is that of his eq. 141, which leaves some conflicts; loops over own elements are
// unrolled.
void table8(Run& run)
{
  TransferBench bench(run.device, million(run, TransferPoints::Random));
  const TransferOptions o = with(SortMethod::None);
  tableRow(run, "table8", bench, "copy alone", o, TransferStage::CopyIntegers, 0);
  const double first =
    tableRow(run, "table8", bench, "conflicts", o, TransferStage::ScanConflicts, 748);
  tableRow(run, "table8", bench, "part. conflicts", o, TransferStage::ScanPadded, 546, first);
  tableRow(
    run, "table8", bench, "sequential (2x), unrolled", o, TransferStage::ScanPadded2, 258, first);
  tableRow(
    run, "table8", bench, "sequential (4x), unrolled", o, TransferStage::ScanPadded4, 297, first);
  tableRow(run, "table8", bench, "library", o, TransferStage::ScanIntegers, 258, first);
}

namespace
{

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

} // namespace

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
      const std::string method = std::string(best ? "best: " : "worst: ") +
        (sort == SortMethod::Index ? "index" : "full (8 vec4)");
      const double theirs =
        sort == SortMethod::Index ? 1516 : (best ? 1731 : 5.68 * 1731); // the last from his speedup
      addRow(run, "table10", method, timed(run, bench, TransferStage::Reorder, method), theirs);
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
  row("warp sums", ToGridMethod::WarpSums, 1, 0);
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

} // namespace bench
