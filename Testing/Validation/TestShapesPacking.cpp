// Poured beds of polyhedra: how densely they settle, against Baker and Kudrolli, Maximum and
// minimum stable random packings of Platonic solids, Phys. Rev. E 82 (2010) 061304, abstract:
// stable random loose packing 0.54, 0.52, 0.51 of cubes, octahedra, dodecahedra, densest by
// vibration 0.67, 0.64, 0.63, each +- 0.01 (plastic dice; friction not given). A bed that is poured
// once lies between.
#include "SolidFraction.h"
#include "TestSupport.h"

#include "Shapes/Shape.h"
#include "Scene/Packing/Packing.h"

#include <algorithm>

using namespace test;

namespace
{

class ShapesPacking : public BackendTest
{
};

} // namespace

TEST_P(ShapesPacking, PlatonicSolidsSettleAsDiceDo)
{
  const struct
  {
    const char* solid;
    double loose, dense;
  } cases[] = { { "Cube", 0.54, 0.67 }, { "Octahedron", 0.52, 0.64 },
    { "Dodecahedron", 0.51, 0.63 } };
  for (const auto& c : cases)
  {
    SCOPED_TRACE(c.solid);
    const double r = 0.005, width = 0.055;
    dem::Scene s;
    s.materials[0] = { "Die", 2e6, 0.3, 1200, 0.4, 0.35, 0 };
    s.shapes.push_back(dem::makeNamedPolyhedron(c.solid, c.solid));
    dem::PackingSpec spec;
    spec.kind = dem::PackingKind::JitteredLattice;
    spec.lower = { 0, 0, 0 };
    spec.upper = { width, width, 1 };
    spec.count = 200;
    spec.radius = r;
    spec.shape = 1;
    spec.reach =
      s.shapes[1].mass.bounding_radius / std::cbrt(0.75 / M_PI * s.shapes[1].mass.volume);
    s.particles = dem::makePacking(spec);
    s.domain.lower = { 0, 0, 0 };
    s.domain.upper = { width, width, 1 };
    s.domain.exit = { dem::Exit::Periodic, dem::Exit::Periodic, dem::Exit::Wall };
    s.time_step = 5e-5;
    s.output_interval = 0.05;
    s.end_time = 0.6;
    dem::Simulation sim = simulate(s);
    sim.advanceTo(12 * sim.plan().steps_per_output);
    const dem::Frame f = sim.frame();
    EXPECT_LT(f.statistics.kinetic_energy / f.size, 1e-3 * f.mass[0] * 9.81 * r)
      << "it has not settled";
    std::vector<double> heights;
    for (std::size_t i = 0; i < f.size; ++i)
      heights.push_back(positionOf(f, i).z);
    std::sort(heights.begin(), heights.end());
    const double top = heights[f.size * 95 / 100] - 1.5 * r;
    const double fraction = solidFraction(f, width * width, 2.5 * r, top);
    RecordProperty(c.solid, std::to_string(fraction));
    std::printf(
      "%s: solid fraction %.3f between %.3f m and %.3f m\n", c.solid, fraction, 2.5 * r, top);
    EXPECT_GT(fraction, c.loose - 0.02);
    EXPECT_LT(fraction, c.dense + 0.02);
  }
}

PARAGRAIN_IN_MIXED_PRECISION(ShapesPacking); // one is enough, it takes long
