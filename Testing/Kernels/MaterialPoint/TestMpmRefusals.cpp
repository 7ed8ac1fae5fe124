// Refusals of scenes of the Material Point Method: each names the property and the value.
#include "MpmSupport.h"

namespace
{

using namespace test;
using mpm::Scene;

TEST(MpmRefusals, NameTheValue)
{
  const auto refuse = [](const std::function<void(Scene&)>& change, const std::string& word,
                        const std::string& other = "") {
    Scene s = softScene();
    s.points = mpm::fillBox({ 0.4, 0.4, 0.4 }, { 0.6, 0.6, 0.6 }, s.grid_spacing, 2, 0, 1);
    change(s);
    const std::string e = errorOf([&] { mpm::Simulation run(s, { dem::DeviceKind::CPU, 1 }); });
    EXPECT_MENTIONS(e, word);
    EXPECT_MENTIONS(e, other);
  };
  refuse([](Scene& s) { s.points.position[7].x = 1.5; }, "Point 7", "outside of the domain");
  refuse([](Scene& s) { s.points.position[7].x = NAN; }, "Point 7", "not finite");
  refuse(
    [](Scene& s) {
      s.points.deformation.assign(s.points.size(), { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } });
      s.points.deformation[4][1][1] = -1;
    },
    "Point 4", "inverted");
  refuse([](Scene& s) { s.time_step = 0.1; }, "CFL", "0.1 s");
  refuse([](Scene& s) { s.points.mass.assign(s.points.size(), 1), s.points.mass[3] = 0; },
    "Point 3", "mass");
  refuse([](Scene& s) { s.points.volume[2] = -1; }, "Point 2", "volume");
  refuse([](Scene& s) { s.points.volume.clear(); }, "neither mass nor volume");
  refuse([](Scene& s) { s.materials[0].poissons_ratio = 0.5; }, "PoissonsRatio", "0.5");
  refuse([](Scene& s) { s.materials[0].poissons_ratio = -0.1; }, "PoissonsRatio", "-0.1");
  refuse([](Scene& s) { s.grid_spacing = 1e-5; }, "too large for the device", "100000 x 100000");
  refuse([](Scene& s) { s.memory_limit = 1000; }, "too large for the device", "MemoryLimit");
  refuse([](Scene& s) { s.points.material.assign(s.points.size(), 3); }, "Point 0", "material 3");
  refuse([](Scene& s) { s.points.id.assign(s.points.size(), 3); }, "Id 3", "two points");
  refuse([](Scene& s) { s.flip_fraction = 2; }, "FlipFraction", "2");
  refuse(
    [](Scene& s) {
      dem::Wall w;
      w.name = "blade";
      w.kind = dem::WallKind::Box;
      w.origin = { 0.1, 0.1, 0.1 };
      w.end = { 0.9, 0.9, 0.11 };
      s.walls = { w };
    },
    "blade", "thinner than a cell");
  refuse(
    [](Scene& s) { // a closed mesh, 4 mm thick, tilted by 0.5 rad
      dem::Wall w;
      w.name = "plate";
      for (int k = 0; k < 8; ++k)
      {
        const double x = k & 1 ? 0.3 : -0.3, y = k & 2 ? 0.3 : -0.3, z = k & 4 ? 0.002 : -0.002;
        w.points.push_back({ 0.5 + x * std::cos(0.5) - z * std::sin(0.5), 0.5 + y,
          0.2 + x * std::sin(0.5) + z * std::cos(0.5) });
      }
      for (const auto& q : { std::array<std::int32_t, 4>{ 0, 2, 3, 1 }, { 4, 5, 7, 6 },
             { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } })
      {
        w.triangles.push_back({ q[0], q[1], q[2] });
        w.triangles.push_back({ q[0], q[2], q[3] });
      }
      s.walls = { w };
    },
    "plate", "0.004");
  refuse(
    [](Scene& s) {
      s.integration = mpm::TimeIntegration::ImplicitMidpoint;
      s.materials[0].kind = mpm::MaterialKind::VonMises;
    },
    "Implicit Midpoint", "Von Mises");
  refuse(
    [](Scene& s) {
      s.integration = mpm::TimeIntegration::BackwardEuler;
      s.materials[0].kind = mpm::MaterialKind::DruckerPrager;
    },
    "Backward Euler", "Drucker-Prager");
  refuse(
    [](Scene& s) {
      s.integration = mpm::TimeIntegration::BackwardEuler;
      s.implicit.newton_tolerance = 0;
    },
    "NewtonTolerance", "0");
}

} // namespace
