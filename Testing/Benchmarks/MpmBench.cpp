// paragrain-bench-mpm: times the Material Point Method. See `paragrain-bench-mpm --help`.
#include "MpmBenchSolver.h"
#include "MpmBenchTables.h"

#include "Core/Error.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace bench;

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
  "                            warp-sums: a point a thread, points of a bin are added up in the "
  "warp first;\n"
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

// Options of the cases, in addition to --device, --threads, --particles, --precision and --json.
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

// Throws dem::Error if options do not go together, and names both. TransferBench refuses further
// combinations.
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
    bool known = false, taken = false; // by any case, by one of the chosen cases
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
  const bool blocks = m.to_points == ToPointsMethod::Shared || m.to_grid == ToGridMethod::Pull ||
    m.to_grid == ToGridMethod::SharedAtomic || m.to_grid == ToGridMethod::Sync;
  if (o.transfer == "flip")
    clash(
      "--transfer flip", "--case transfer", "its points would need the velocities before the step");
  if (o.has("--per-cell") && o.arrangement == TransferPoints::Random)
    clash(
      "--per-cell", "--points random", "there the density follows from --particles and --cells");
  if (o.has("--block") && m.sort == SortMethod::None)
    clash("--block", "--sort none", "no bins are made");
  if (o.has("--active-blocks") && !blocks)
    clash("--active-blocks",
      std::string("--to-grid ") + name(m.to_grid) + " and --to-points global",
      "neither works in blocks");
  o.methods.affine = o.transfer == "apic";
}

// Reads an option of the case `transfer`; false if `a` is none.
template <class Value>
bool parseMethod(Options& o, const std::string& a, const Value& value)
{
  if (a == "--points")
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
        { "warp-sums", ToGridMethod::WarpSums }, { "pull", ToGridMethod::Pull },
        { "shared-atomic", ToGridMethod::SharedAtomic }, { "sync", ToGridMethod::Sync } });
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
    return false;
  return true;
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
    else if (!parseMethod(o, a, value))
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
    for (const std::string& wanted : run.options.cases)
      for (const Case& c : kCases)
        if (wanted == c.name)
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
