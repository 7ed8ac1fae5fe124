// paragrain-validate: the long physics. See `paragrain-validate --help`.
#include "Beds.h"
#include "Fits.h"
#include "Report.h"

#include "Core/Error.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace
{

using namespace validation;

constexpr const char* kHelp =
  "paragrain-validate: holds the solver against known physics. Exit status 1 when a check fails.\n"
  "  --list                 the cases\n"
  "  --case NAME            run this case (may be given several times; default: all)\n"
  "  --device auto|cpu|cuda (default auto)    --threads T (CPU, default all)\n"
  "  --json FILE            all results as JSON\n"
  "  --csv DIR              the measured curves as CSV files\n"
  "  --write                write the section of each case that ran to "
  "Testing/Validation/RESULTS.md; the others stay\n"
  "  --self-test            check the checks and the fits themselves\n";

constexpr Case kCases[] = {
  { "column",
    "A settled column in analytic walls: floor and side carry the weight. The short one that ctest "
    "runs.",
    runColumn },
  { "column-mesh", "The same, deeper and in triangle meshes.", runColumnMesh },
  { "gas", "Energy of an elastic gas over many collisions.", runGas },
  { "janssen", "The load on the floor of columns of growing height saturates.", runJanssen },
  { "beverloo", "Discharge of a flat-bottomed cylinder through four orifices.", runBeverloo },
  { "shapes-packing", "How densely grains of other shapes lie, poured and shaken.",
    runShapesPacking },
  { "shapes-repose", "How steep grains of other shapes stand.", runShapesRepose },
  { "coating", "Coating of grains in a turning drum: its variation falls as the root of the time.",
    runCoating },
  { "mpm-column", "Material Point Method: sand columns collapse; run-out against aspect ratio.",
    runMpmColumn },
  { "heated-drum", "A drum with a hot shell at three rates and two conductivities.",
    runHeatedDrum },
  { "heated-bed", "A bed of steel spheres heated from above, against an experiment.",
    runHeatedBed },
  { "cavity", "Lid-driven cavity: the flow solver without grains.", runCavity },
  { "fluidised-bed", "Fluidisation of a bed: pressure drop, velocity, hysteresis.",
    runFluidisedBed },
  { "settling", "Homogeneous settling of suspensions.", runSettling },
  { "spouts", "Beds of 12,000 spheres with one, two and three spouts.", runSpouts },
  { "spouted-bed", "Rectangular spouted bed against an experiment.", runSpoutedBed },
};

struct Options
{
  std::vector<std::string> names;
  std::string json, csv, command = "paragrain-validate";
  bool write = false, self_test = false;
  dem::RunOptions run;
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
        std::printf("%-14s %s\n", c.name, c.what);
      std::exit(0);
    }
    else if (a == "--case")
    {
      o.names.push_back(value());
      o.command += " --case " + o.names.back();
      bool known = false;
      for (const Case& c : kCases)
        known = known || o.names.back() == c.name;
      if (!known)
        throw dem::Error("There is no case '" + o.names.back() + "'. See --list.");
    }
    else if (a == "--device")
    {
      const std::string d = value();
      o.run.device = dem::deviceKindFromName(d == "cpu" ? "CPU"
          : d == "cuda"                                 ? "CUDA"
          : d == "auto"                                 ? "Auto"
                                                        : d);
      o.command += " --device " + d;
    }
    else if (a == "--threads")
    {
      const std::string text = value();
      char* end = nullptr;
      const long threads = std::strtol(text.c_str(), &end, 10);
      if (text.empty() || *end || threads < 0 || threads > 4096)
        throw dem::Error("--threads: '" + text + "' is no number of threads.");
      o.run.threads = static_cast<int>(threads);
      o.command += " --threads " + text;
    }
    else if (a == "--json")
      o.json = value();
    else if (a == "--csv")
      o.csv = value();
    else if (a == "--write")
      o.write = true;
    else if (a == "--self-test")
      o.self_test = true;
    else
      throw dem::Error("'" + a + "' is not known. See --help.");
  }
  if (o.write)
    o.command += " --write";
  return o;
}

// The checks must refuse what is wrong, and the fits must give back what made the numbers.
int selfTest()
{
  int wrong = 0;
  const auto expect = [&](bool held, const char* what) {
    std::printf("%s  self-test: %s\n", held ? "pass" : "FAIL", what);
    wrong += !held;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinite = std::numeric_limits<double>::infinity();
  const auto passes = [](auto fill) {
    Report r("self-test", "");
    fill(r);
    return r.passed();
  };
  expect(!passes([](Report&) {}), "a report without checks has not passed");
  expect(passes([](Report& r) { r.near("", 1.0009, 1, 1e-3, ""); }), "near takes what is near");
  expect(!passes([](Report& r) { r.near("", 1.0011, 1, 1e-3, ""); }), "near refuses what is not");
  expect(
    !passes([](Report& r) { r.near("", 0.9989, 1, 1e-3, ""); }), "near refuses what is not, below");
  expect(!passes([&](Report& r) { r.near("", nan, 1, 1e-3, ""); }), "near refuses NaN");
  expect(!passes([](Report& r) { r.below("", 0.031, 0.03, ""); }), "below refuses what is above");
  expect(!passes([&](Report& r) { r.below("", -infinite, 0.03, ""); }), "below refuses -infinity");
  expect(
    !passes([&](Report& r) { r.atLeast("", infinite, 0.03, ""); }), "at least refuses infinity");
  expect(!passes([](Report& r) { r.between("", 1.81, 1.2, 1.8, ""); }),
    "between refuses what is outside");
  expect(!passes([](Report& r) {
    r.near("", 1, 1, 1e-3, "");
    r.below("", 2, 1, "");
  }),
    "one failure of two fails the case");

  std::vector<double> D, W, H, m;
  for (double x : { 6., 7.2, 8.4, 9.6 })
  {
    D.push_back(0.004 * x);
    W.push_back(0.58 * 1450 * std::sqrt(9.81) * std::pow(0.004 * (x - 1.4), 2.5));
  }
  BeverlooFit b = fitBeverloo(D, W, 0.004, 1450, 9.81);
  expect(std::abs(b.C - 0.58) < 1e-9 && std::abs(b.k - 1.4) < 1e-9 && b.residual < 1e-9,
    "the Beverloo fit gives C = 0.58 and k = 1.4 back");
  for (std::size_t i = 0; i < D.size(); ++i)
    W[i] = std::pow(D[i], 2.5);
  b = fitBeverloo(D, W, 0.004, 1450, 9.81);
  expect(b.k < 1.2, "the Beverloo fit of another law (W ~ D^2.5, k = 0) leaves the range of k");
  for (double x : { 0.5, 1., 1.5, 2., 3., 4., 5. })
  {
    H.push_back(0.04 * x);
    m.push_back(0.07 * (1 - std::exp(-0.04 * x / 0.05)));
  }
  JanssenFit j = fitJanssen(H, m);
  expect(std::abs(j.m_sat / 0.07 - 1) < 1e-6 && std::abs(j.lambda / 0.05 - 1) < 1e-6 &&
      j.residual < 1e-6,
    "the Janssen fit gives m_sat and lambda back");
  for (std::size_t i = 0; i < H.size(); ++i)
    m[i] = H[i];
  j = fitJanssen(H, m);
  expect(
    std::abs(m.back() / j.m_sat - 1) > 0.05, "a hydrostatic column does not pass as saturated");
  return wrong ? 1 : 0;
}

void writeFile(const std::string& path, const std::string& text)
{
  std::ofstream out(path);
  if (!(out << text).flush())
    throw dem::Error("'" + path + "' cannot be written.");
}

// Puts the section of one case into RESULTS.md, in the order of the cases; what other runs wrote of
// other cases stays.
void writeSection(const std::string& name, const std::string& section)
{
  const std::string path = std::string(PARAGRAIN_SOURCE_DIR) + "/Testing/Validation/RESULTS.md";
  std::map<std::string, std::string> sections;
  std::string line, current;
  for (std::ifstream in(path); std::getline(in, line);)
  {
    if (line.rfind("## ", 0) == 0)
      current = line.substr(3, line.find(':') - 3);
    if (!current.empty())
      sections[current] += line + "\n";
  }
  sections[name] = section;
  std::string text = "# Results of the long physics\n\nWritten by `./dev validate`, a section each "
                     "case with the command that made it. Do not edit.\n\n";
  for (const Case& c : kCases)
    text += sections[c.name];
  writeFile(path, text);
}

int runCases(const Options& options)
{
  const auto clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
  };
  const dem::Device device = dem::chooseDevice(options.run.device, options.run.threads);
  std::printf("paragrain-validate on %s\n", device.name.c_str());
  const double begin = clock();
  std::string json;
  int checks = 0, failed = 0;
  for (const Case& c : kCases)
  {
    bool wanted = options.names.empty();
    for (const std::string& name : options.names)
      wanted = wanted || name == c.name;
    if (!wanted)
      continue;
    const double start = clock();
    Report report(c.name, c.what);
    try
    {
      c.run(report, options.run);
    }
    catch (const std::exception& e)
    {
      report.setup(std::string("stopped: ") + e.what());
      report.near("runs to its end", 0, 1, 0, e.what());
    }
    std::printf("%s      %s: %.0f s\n", report.text().c_str(), c.name, clock() - start);
    std::fflush(stdout);
    for (const Check& check : report.checks())
    {
      ++checks;
      failed += !check.passed();
    }
    json += (json.empty() ? "" : ",\n") + report.json();
    if (options.write)
    {
      char how[512];
      std::snprintf(how, sizeof how, "`%s` on %s, %.1f minutes.", options.command.c_str(),
        device.name.c_str(), (clock() - start) / 60);
      writeSection(c.name, report.markdown(how));
    }
    if (!options.csv.empty())
      report.writeCsv(options.csv);
  }
  const double minutes = (clock() - begin) / 60;
  std::printf("%d of %d checks passed in %.1f min\n", checks - failed, checks, minutes);
  if (!options.json.empty())
    writeFile(options.json, "[\n" + json + "\n]\n");
  return failed ? 1 : 0;
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    const Options options = parse(argc, argv);
    return options.self_test ? selfTest() : runCases(options);
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "paragrain-validate: %s\n", e.what());
    return 1;
  }
}
