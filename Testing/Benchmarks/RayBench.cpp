// paragrain-bench-rays: times the rays of a spray nozzle by both searches, without ParaView, and
// the build of each search apart.
//   paragrain-bench-rays [--device auto|cpu|cuda] [--threads T] [--particles N] [--rays R ...]
//                        [--case NAME ...] [--repeat K] [--json FILE]
// Cases: spheres (as dense as a settled bed), tablets, sizes (1:10, half of the volume each), empty
// (a thousandth of the volume is solid), outlier (spheres, and one more a hundred widths away). The
// nozzle is above the middle of the top, as high as the bed is wide, and its cone of 60 degrees
// covers the top; in the case `empty` it covers the domain.
// Times are wall clock, the least of the repeats; `build` is from positions on the device to the
// finished search, `rays` from the launch to the hits on the device. Both searches must find the
// same hits, else the exit status is 1.
#include "Core/Device.h"
#include "Core/Error.h"
#include "Spray/RayCaster.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace
{

using dem::Vec3d;

struct Options
{
  dem::DeviceKind device = dem::DeviceKind::Auto;
  int threads = 0, repeat = 5;
  std::size_t particles = 1000000;
  std::vector<int> rays{ 100000, 1000000 };
  std::vector<std::string> cases{ "spheres", "tablets", "sizes", "empty", "outlier" };
  std::string json;
};

struct Bed
{
  std::vector<double> position, radius, orientation;
  std::vector<std::int32_t> shape;
  std::vector<dem::Shape> shapes{ dem::makeSphere() };
  double width = 0, top = 0; // m

  void add(const Vec3d& x, double r)
  {
    position.insert(position.end(), { x.x, x.y, x.z });
    radius.push_back(r);
  }
};

class Random
{
public:
  double operator()(double a, double b) { return a + (b - a) * (random_() / 4294967296.0); }

private:
  std::mt19937 random_{ 1 };
};

// Grains on a jittered lattice that fill the fraction `solid` of a cube; shuffled as settled grains
// are in memory.
Bed lattice(std::size_t n, double reach, double solid_of_reach)
{
  Bed bed;
  Random uniform;
  const double h = reach * std::cbrt(4. / 3 * M_PI / solid_of_reach);
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n))));
  std::vector<std::size_t> order(n);
  for (std::size_t k = 0; k < n; ++k)
    order[k] = k;
  std::mt19937 random(2);
  for (std::size_t k = n; k > 1; --k)
    std::swap(order[k - 1], order[random() % k]);
  for (const std::size_t k : order)
  {
    const double gap = std::max(0., 0.5 * h - reach);
    bed.add(
      { (k % side + 0.5) * h + uniform(-gap, gap), (k / side % side + 0.5) * h + uniform(-gap, gap),
        (k / side / side + 0.5) * h + uniform(-gap, gap) },
      reach);
  }
  bed.width = side * h;
  bed.top = bed.width;
  return bed;
}

Bed makeBed(const std::string& name, std::size_t n)
{
  if (name == "spheres")
    return lattice(n, 0.001, 0.5236); // they touch
  if (name == "outlier")
  {
    Bed bed = lattice(n, 0.001, 0.5236);
    bed.add({ 100 * bed.width, 100 * bed.width, -100 * bed.width }, 0.001);
    return bed;
  }
  if (name == "empty")
    return lattice(n, 0.001, 0.001);
  if (name == "tablets")
  {
    const dem::Shape tablet = dem::makeTablet("tablet", 0.009, 0.008, 0.003);
    Bed bed = lattice(n, tablet.mass.bounding_radius, 0.5236);
    bed.shapes.push_back(tablet);
    Random uniform;
    const double r = std::cbrt(0.75 / M_PI * tablet.mass.volume);
    std::fill(bed.radius.begin(), bed.radius.end(), r);
    for (std::size_t i = 0; i < n; ++i)
    {
      const dem::Quaternion<double> q = dem::normalized(
        dem::Quaternion<double>{ uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) });
      bed.orientation.insert(bed.orientation.end(), { q.w, q.x, q.y, q.z });
      bed.shape.push_back(1);
    }
    return bed;
  }
  if (name != "sizes")
    throw dem::Error(
      "There is no case '" + name + "'. Known: spheres, tablets, sizes, empty, outlier.");
  // cubes of edge 20 r hold one grain of radius 10 r or 1000 of radius r, like a chess board
  Bed bed;
  const double r = 0.001, edge = 20 * r;
  const auto cubes = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n) / 500)));
  for (std::size_t c = 0; c < cubes * cubes * cubes; ++c)
  {
    const std::size_t x = c % cubes, y = c / cubes % cubes, z = c / cubes / cubes;
    const Vec3d corner{ x * edge, y * edge, z * edge };
    if ((x + y + z) % 2 == 0)
      bed.add(corner + Vec3d{ 10 * r, 10 * r, 10 * r }, 10 * r);
    else
      for (int k = 0; k < 1000; ++k)
        bed.add(corner +
            Vec3d{ (2 * (k % 10) + 1) * r, (2 * (k / 10 % 10) + 1) * r, (2 * (k / 100) + 1) * r },
          r);
  }
  bed.width = bed.top = cubes * edge;
  return bed;
}

double milliseconds(const std::chrono::steady_clock::time_point& begin)
{
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
    .count();
}

template <class Work>
double least(int repeats, const Work& work)
{
  double ms = 1e300;
  for (int k = 0; k <= repeats; ++k) // the first one allocates
  {
    const auto begin = std::chrono::steady_clock::now();
    work();
    if (k > 0)
      ms = std::min(ms, milliseconds(begin));
  }
  return ms;
}

// Returns false if both searches do not find the same hits.
bool run(const std::string& name, const Options& options, const dem::Device& device,
  nlohmann::ordered_json& out)
{
  const Bed bed = makeBed(name, options.particles);
  dem::RayGrains grains;
  grains.size = bed.radius.size();
  grains.position = bed.position.data();
  grains.radius = bed.radius.data();
  grains.orientation = bed.orientation.empty() ? nullptr : bed.orientation.data();
  grains.shape = bed.shape.empty() ? nullptr : bed.shape.data();
  dem::Nozzle nozzle;
  nozzle.position = { 0.5 * bed.width, 0.5 * bed.width, bed.top + bed.width };
  nozzle.full_angle = M_PI / 3;
  std::vector<dem::RayHit> hits[2];
  for (const dem::RaySearch search : { dem::RaySearch::UniformGrid, dem::RaySearch::BVH })
  {
    dem::RayCaster caster(device);
    caster.setShapes(bed.shapes, 0);
    caster.setWalls({});
    const char* shown = dem::kRaySearchNames[static_cast<int>(search)];
    caster.setGrains(grains, {}, search);
    const double build = least(options.repeat, [&] { caster.rebuild(); });
    for (const int rays : options.rays)
    {
      nozzle.rays = rays;
      const double ms = least(options.repeat, [&] { caster.castOnly(nozzle, 0, 0); });
      caster.cast(nozzle, 0, 0, hits[search == dem::RaySearch::BVH]);
      std::size_t met = 0;
      for (const dem::RayHit& h : hits[search == dem::RaySearch::BVH])
        met += h.surface != dem::RayHit::kNothing;
      std::printf("%-8s %10zu grains  %-12s build %9.3f ms  %9d rays %9.3f ms  %5.1f %% meet one\n",
        name.c_str(), grains.size, shown, build, rays, ms, 100. * met / rays);
      std::fflush(stdout);
      out.push_back(
        { { "case", name }, { "grains", grains.size }, { "search", shown }, { "build_ms", build },
          { "rays", rays }, { "rays_ms", ms }, { "met", static_cast<double>(met) / rays } });
    }
  }
  bool same = hits[0].size() == hits[1].size();
  for (std::size_t r = 0; same && r < hits[0].size(); ++r)
    same = hits[0][r].surface == hits[1][r].surface && hits[0][r].distance == hits[1][r].distance;
  if (!same)
    std::fprintf(stderr, "%s: the searches do not find the same hits.\n", name.c_str());
  return same;
}

Options parse(int argc, char** argv)
{
  Options o;
  bool rays = false, cases = false;
  for (int i = 1; i < argc; ++i)
  {
    const std::string a = argv[i];
    if (i + 1 >= argc)
      throw dem::Error("'" + a + "' is not known or needs a value.");
    const std::string v = argv[++i];
    if (a == "--device")
      o.device = v == "cpu" ? dem::DeviceKind::CPU
                            : (v == "cuda" ? dem::DeviceKind::CUDA : dem::DeviceKind::Auto);
    else if (a == "--threads")
      o.threads = std::atoi(v.c_str());
    else if (a == "--particles")
      o.particles = static_cast<std::size_t>(std::atof(v.c_str()));
    else if (a == "--repeat")
      o.repeat = std::max(1, std::atoi(v.c_str()));
    else if (a == "--json")
      o.json = v;
    else if (a == "--rays")
    {
      if (!rays)
        o.rays.clear();
      rays = true;
      o.rays.push_back(static_cast<int>(std::atof(v.c_str())));
    }
    else if (a == "--case")
    {
      if (!cases)
        o.cases.clear();
      cases = true;
      o.cases.push_back(v);
    }
    else
      throw dem::Error("'" + a + "' is not known.");
  }
  return o;
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    const Options options = parse(argc, argv);
    const dem::Device device = dem::chooseDevice(options.device, options.threads);
    std::printf("%s\n", device.name.c_str());
    nlohmann::ordered_json out;
    out["device"] = device.name;
    out["results"] = nlohmann::ordered_json::array();
    bool same = true;
    for (const std::string& name : options.cases)
      same = run(name, options, device, out["results"]) && same;
    if (!options.json.empty())
      std::ofstream(options.json) << out.dump(1) << "\n";
    return same ? 0 : 1;
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "paragrain-bench-rays: %s\n", e.what());
    return 1;
  }
}
