// Beds and slopes of grains that are not spheres: how densely they lie, poured and shaken, and how
// steep they stand.
#include "Beds.h"

#include "SolidFraction.h"
#include "Fits.h"

#include "Shapes/Shape.h"
#include "Scene/Packing/Packing.h"
#include "Scene/ShapeText.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace validation
{
namespace
{

constexpr double kR = 0.004;        // m, of the sphere of equal volume
constexpr double kShapeYoung = 5e6; // Pa
constexpr double kShapeDensity = 1200;

dem::Shape shapeNamed(const std::string& name)
{
  if (name == "sphere")
    return dem::makeMultiSphere(name, { { 0, 0, 0 } }, { 1 });
  if (name == "peanut") // two spheres, 1.5 times as long as thick
    return dem::makeMultiSphere(name, { { 0, 0, 0.5 }, { 0, 0, -0.5 } }, { 1, 1 });
  if (name == "tablet") // half as thick as wide, with a belt
    return dem::makeTablet(name, 1, 0.85, 0.18);
  return dem::makeNamedPolyhedron(name,
    name == "cube"             ? "Cube"
      : name == "octahedron"   ? "Octahedron"
      : name == "dodecahedron" ? "Dodecahedron"
                               : "Tetrahedron");
}

/// Grains of one shape on a lattice in a box that is periodic in y, and in x if wanted.
dem::Scene lattice(const std::string& shape, double width, double depth, std::size_t count,
  double friction, bool periodic_x)
{
  dem::Scene s;
  s.gravity = { 0, 0, -kGravity };
  s.materials[0] = { "grain", kShapeYoung, 0.3, kShapeDensity, 0.4, friction, 0 };
  s.materials.push_back({ "smooth", kShapeYoung, 0.3, kShapeDensity, 0.4, 0, 0 });
  s.shapes.push_back(shapeNamed(shape));
  dem::PackingSpec spec;
  spec.kind = dem::PackingKind::JitteredLattice;
  spec.lower = { 0, 0, 0 };
  spec.upper = { width, depth, 3 };
  spec.count = count;
  spec.radius = kR;
  spec.shape = 1;
  spec.reach = s.shapes[1].mass.bounding_radius / dem::equalRadius(s.shapes[1]);
  spec.seed = 3;
  s.particles = dem::makePacking(spec);
  s.domain.lower = { periodic_x ? 0. : -1., 0, -0.5 };
  s.domain.upper = { periodic_x ? width : 1., depth, 3 };
  s.domain.exit = { periodic_x ? dem::Exit::Periodic : dem::Exit::Remove, dem::Exit::Periodic,
    dem::Exit::Remove };
  return s;
}

/// Of the middle of a bed over `floor`.
double solidFraction(const dem::Frame& f, double area, double floor)
{
  std::vector<double> heights;
  for (std::size_t i = 0; i < f.size; ++i)
    heights.push_back(f.position[3 * i + 2]);
  std::sort(heights.begin(), heights.end());
  const double low = floor + 3 * kR, high = heights[f.size * 94 / 100] - 2 * kR;
  return test::solidFraction(f, area, low, high);
}

struct Bed
{
  double poured = 0, shaken = 0, at_rest = 0;
};

Bed pourAndShake(const std::string& shape, std::size_t count, const dem::RunOptions& options)
{
  const double width = 15 * kR;
  dem::Scene s = lattice(shape, width, width, count, 0.35, true);
  dem::Wall floor = floorPlane(0);
  floor.motion.kind = dem::MotionKind::Oscillation;
  floor.motion.axis = { 0, 0, 1 };
  floor.motion.amplitude = 1e-3;
  floor.motion.frequency = 30;
  floor.motion.start = 0.7;
  floor.motion.stop = floor.motion.start + 60 / floor.motion.frequency; // whole periods
  s.walls.push_back(floor);
  s.output_interval = 0.1;
  s.end_time = 3.1;
  s.time_step = 5e-5;
  dem::Simulation sim(s, options);
  const std::uint64_t per = sim.plan().steps_per_output;
  Bed bed;
  sim.advanceTo(7 * per);
  bed.poured = solidFraction(sim.frame(selection(false)), width * width, 0);
  sim.advanceTo(31 * per);
  const dem::Frame end = sim.frame(selection(false));
  bed.shaken = solidFraction(end, width * width, 0);
  bed.at_rest =
    end.statistics.kinetic_energy / (totalMass(end) / kDensity * kShapeDensity * kGravity * kR);
  return bed;
}

/// Degrees. A bed between a smooth wall and a smooth gate, which is lifted off a lip one diameter
/// high: what passes the lip is gone; the slope that stays.
double slopeLeft(const std::string& shape, const dem::RunOptions& options)
{
  const double d = 2 * kR, length = 15 * d, depth = 5 * d;
  dem::Scene s = lattice(shape, length, depth, 1000, 0.5, false);
  s.domain.upper.x = length + 0.75 * d;
  dem::Wall side;
  side.name = "Side";
  side.kind = dem::WallKind::Plane;
  side.normal = { 1, 0, 0 };
  side.material = 1;
  dem::Wall lip;
  lip.name = "Lip";
  lip.kind = dem::WallKind::Box;
  lip.origin = { length, -depth, -2 * d };
  lip.end = { length + 2 * d, 2 * depth, d };
  dem::Wall gate;
  gate.name = "Gate";
  gate.kind = dem::WallKind::Rectangle;
  gate.origin = { length, -depth, d };
  gate.edge_u = { 0, 3 * depth, 0 };
  gate.edge_v = { 0, 0, 0.6 };
  gate.material = 1;
  gate.motion.kind = dem::MotionKind::Translation;
  gate.motion.start = 0.5;
  gate.motion.velocity = { 0, 0, 0.3 };
  s.walls = { floorPlane(0), side, lip, gate };
  s.output_interval = 0.1;
  s.end_time = 2.1;
  s.time_step = 5e-5;
  dem::Simulation sim(s, options);
  const std::uint64_t per = sim.plan().steps_per_output;
  sim.advanceTo(21 * per);
  const dem::Frame f = sim.frame(selection(false));
  // the highest grain of each slice of one diameter, between the wall and the lip
  std::map<int, double> top;
  for (std::size_t i = 0; i < f.size; ++i)
  {
    double& h = top[static_cast<int>(std::floor(f.position[3 * i] / d))];
    h = std::max(h, double(f.position[3 * i + 2]));
  }
  std::vector<double> x, z;
  for (const auto& [slice, h] : top)
    if (slice >= 2 && slice < 14)
    {
      x.push_back((slice + 0.5) * d);
      z.push_back(h);
    }
  return x.size() < 8 ? std::nan("") : std::atan(-fitLine(x, z).slope) * 180 / M_PI;
}

} // namespace

void runShapesPacking(Report& report, const dem::RunOptions& options)
{
  constexpr std::size_t count = 700;
  report.setup("700 grains of one shape, as large as spheres of 8 mm, friction 0.35, e = 0.4, E = "
               "5 MPa, 1,200 kg/m^3, in a column of 60 mm x 60 mm that is periodic sideways");
  report.setup(
    "poured: all dropped at once from a loose lattice of random orientations; 0.7 s to settle");
  report.setup(
    "shaken: then the floor oscillates for 2 s, 1 mm at 30 Hz (3.6 g), and 0.4 s of rest");
  report.setup("solid fraction from 12 mm over the floor to 8 mm below the top; a grain's volume "
               "is spread as that of its sphere");
  const std::string dice = "Baker and Kudrolli 2010, Phys. Rev. E 82, 061304: plastic dice";
  const std::string smooth =
    "Jiao and Torquato 2011, Phys. Rev. E 84, 041309: maximally random jammed, without friction";
  std::map<std::string, Bed> beds;
  Table table{ "shapes-packing", { "shape in this order", "poured", "shaken" }, {}, true };
  int number = 0;
  for (const char* shape :
    { "sphere", "peanut", "tablet", "tetrahedron", "cube", "octahedron", "dodecahedron" })
  {
    const Bed bed = beds[shape] = pourAndShake(shape, count, options);
    table.rows.push_back({ double(++number), bed.poured, bed.shaken });
    report.below(std::string(shape) + ": kinetic energy / (weight x r) at the end", bed.at_rest,
      1e-3, "the bed is at rest");
  }
  report.table(table);
  // stable random loose and densest packings of dice, each +- 0.01; jammed without friction (none
  // for cubes, which order: they fill space)
  const struct
  {
    const char* shape;
    double loose, dense, jammed;
  } solids[] = { { "tetrahedron", 0.51, 0.64, 0.763 }, { "cube", 0.54, 0.67, 0.70 },
    { "octahedron", 0.52, 0.64, 0.697 }, { "dodecahedron", 0.51, 0.63, 0.716 } };
  for (const auto& s : solids)
  {
    report.between(std::string(s.shape) + ", poured", beds[s.shape].poured, s.loose - 0.01,
      s.dense + 0.01, dice + ", from the loosest to the densest");
    report.between(std::string(s.shape) + ", shaken", beds[s.shape].shaken, s.dense - 0.03,
      s.jammed,
      dice + ", densest - 0.03" + (s.shape == std::string("cube") ? " and + 0.03" : "; " + smooth));
    report.value(std::string(s.shape) + ", shaken, over the densest of dice",
      beds[s.shape].shaken - s.dense, "");
  }
  for (const char* other : { "tetrahedron", "octahedron", "dodecahedron" })
    report.atLeast(std::string("cube - ") + other + ", shaken",
      beds["cube"].shaken - beds[other].shaken, 0, dice + "; solid fractions peak at the cube");
  // +0.01 of dice, -0.019 without friction; here the shaking goes far, and dodecahedra come out on
  // top
  report.value("octahedron - dodecahedron, shaken",
    beds["octahedron"].shaken - beds["dodecahedron"].shaken, "");
  for (const auto& s : solids)
    report.atLeast(std::string("sphere - ") + s.shape + ", poured",
      beds["sphere"].poured - beds[s.shape].poured, 0, dice + "; looser than spheres when loose");
  report.between("sphere, poured", beds["sphere"].poured, 0.55, 0.64,
    "random loose to random close packing; Onoda and Liniger 1990, Phys. Rev. Lett. 64, 2727; "
    "Scott and Kilgour 1969, J. Phys. D 2, 863");
  report.between(
    "sphere, shaken", beds["sphere"].shaken, beds["sphere"].poured, 0.65, "Scott and Kilgour 1969");
  report.between("tablet, shaken", beds["tablet"].shaken, 0.64, 0.74,
    "Donev et al. 2004, Science 303, 990: M&M's, as oblate, 0.685 +- 0.01; Baule et al. 2013, Nat. "
    "Commun. 4, 2194: lenses at most 0.736");
  report.between("peanut, shaken", beds["peanut"].shaken, 0.60, 0.707,
    "Baule et al. 2013: dimers at most 0.707, over spheres");
  report.atLeast("tablet - sphere, shaken", beds["tablet"].shaken - beds["sphere"].shaken, 0,
    "Donev et al. 2004: 0.685 and 0.64");
  report.atLeast("peanut - sphere, shaken", beds["peanut"].shaken - beds["sphere"].shaken, 0,
    "Baule et al. 2013");
}

void runShapesRepose(Report& report, const dem::RunOptions& options)
{
  report.setup(
    "1,000 grains of one shape, as large as spheres of d = 8 mm, friction 0.5 (floor too), no "
    "rolling friction, e = 0.4, E = 5 MPa, in a box of 15 d x 5 d that is periodic across");
  report.setup("one side smooth; the other a smooth gate, lifted by 0.3 m/s from 0.5 s on off a "
               "lip of 1 d; what passes the lip is gone; at 2.1 s the slope is fitted to the "
               "highest grain of each diameter of length, but for the two at the wall");
  const std::string cho = "Cho, Dodds and Santamarina 2006, J. Geotech. Geoenviron. Eng. 132, 591: "
                          "heaps of sands, 42 - 17 x roundness, in degrees";
  const struct
  {
    const char* shape;
    double lower, upper;
    std::string source;
  } expected[] = {
    { "sphere", 19, 31, cho + "; 25 of round grains" },
    { "peanut", 19, 36, cho + "; 25 of round grains, but not as spherical" },
    { "tablet", 19, 36, cho + "; 25 of round grains, but not as spherical" },
    { "cube", 31, 48, cho + "; 42 of angular grains" },
    { "tetrahedron", 31, 48, cho + "; 42 of angular grains" },
    { "dodecahedron", 25, 42, cho + "; between" },
  };
  std::map<std::string, double> angle;
  Table table{ "shapes-repose", { "shape in this order", "degrees" }, {}, true };
  int number = 0;
  for (const auto& e : expected)
  {
    angle[e.shape] = slopeLeft(e.shape, options);
    table.rows.push_back({ double(++number), angle[e.shape] });
  }
  report.table(table);
  for (const auto& e : expected)
    report.between(std::string(e.shape) + ", degrees", angle[e.shape], e.lower, e.upper, e.source);
  for (const char* angular : { "cube", "tetrahedron", "dodecahedron" })
    report.atLeast(
      std::string(angular) + " - sphere, degrees", angle[angular] - angle["sphere"], 3, cho);
  report.atLeast(
    "cube - dodecahedron, degrees", angle["cube"] - angle["dodecahedron"], 0, cho + ": less round");
}

} // namespace validation
