// Gas and roughness of contacts against values of other programs: SciPy's inverse of the error
// function, and its integrals over the gap around a contact and over the pressure of Hertz.
#include "BusyScene.h"

#include "Physics/Heat/GasGap.cuh"
#include "Scene/detail/HeatFromScene.h"
#include "Shapes/Tablet.h"

#include <cmath>

namespace
{

using namespace test;

class GasGapRun : public BackendTest
{
protected:
  static constexpr double kRadius = 1e-3, kOverlap = 0.02 * kRadius;

  // So heavy that overlaps do not change; the heat capacity of a grain is that of water.
  static dem::Scene frozen()
  {
    dem::Scene s = emptyScene();
    s.materials[0].density = 1e26;
    s.materials[0].heat_capacity = 4e-20;
    s.materials[0].thermal_conductivity = 2;
    s.heat.model = dem::HeatModel::Conduction;
    s.initial_overlap_tolerance = 0.2;
    s.heat.gas_conductivity = 0.1;
    setSteps(s, 1e-6, 10);
    s.heat.interval = 1e-6;
    return s;
  }
  // Conductance of contact a, b of the scene with this radius of the contact.
  static double expected(const dem::Scene& s, double ra, double rb, double contact_radius)
  {
    const dem::HeatCoefficients c = dem::heatCoefficients(s)[0];
    const double reduced = rb > 0 ? ra * rb / (ra + rb) : ra;
    return dem::gasGap(s.heat).conductance({ ra, rb, 2, 2, contact_radius,
      2 * c.modulus * contact_radius / (M_PI * reduced), c.conductance * contact_radius });
  }
  double flow(const dem::Scene& s, int grain)
  {
    dem::FrameSelection wanted;
    wanted.passive[dem::kHeatFlow] = true;
    dem::Simulation sim = simulate(s);
    return sim.frame(wanted).passive[dem::kHeatFlow][grain];
  }
};

} // namespace

TEST(GasGap, InverseErfc)
{
  const double known[][2] = { { 1.9, -1.16308715367667 }, { 1.3, -0.272462714726754 },
    { 0.7, 0.272462714726754 }, { 0.1, 1.16308715367667 }, { 1e-3, 2.32675376551352 },
    { 1e-8, 4.05223724387139 }, { 1e-100, 15.0655747025926 } };
  for (const auto& [y, x] : known)
    EXPECT_NEAR(dem::inverseErfc(y) / x, 1, y > 1e-12 ? 1e-13 : 1e-7) << y;
  EXPECT_NEAR(dem::inverseErfc(1), 0, 1e-15);
}

TEST(GasGap, Conductance)
{
  struct
  {
    double ra, rb, ka, kb, contact_radius, roughness, value;
  } const known[] = { { 3.2e-3, 3.2e-3, 42, 42, 8e-6, 27e-9, 0.00289465705132 },
    { 1e-3, 3e-3, 42, 10, 5e-6, 27e-9, 0.00105066255705 },
    { 3.2e-3, 0, 42, 250, 8e-6, 19e-9, 0.0052015877518 },
    { 3.2e-3, 3.2e-3, 1, 1, 8e-6, 0.5e-6, 0.00173775334071 } };
  for (const auto& k : known)
  {
    const double reduced = k.rb > 0 ? k.ra * k.rb / (k.ra + k.rb) : k.ra;
    const dem::GasGap gap{ 0.027, 3.7e-7, k.roughness, 0.08, 3e9 };
    const double pressure = 2 * 110e9 * k.contact_radius / (M_PI * reduced);
    const double constriction = 4 * k.ka * k.kb / (k.ka + k.kb) * k.contact_radius;
    EXPECT_NEAR(
      gap.conductance({ k.ra, k.rb, k.ka, k.kb, k.contact_radius, pressure, constriction }) /
        k.value,
      1, 1e-8);
  }
}

// Smooth surfaces without gas conduct as the constriction alone; so do nearly smooth ones.
TEST(GasGap, Limits)
{
  const dem::HeatedContact c{ 1e-3, 1e-3, 2, 2, 1e-5, 1e8, 4e-5 };
  EXPECT_EQ((dem::GasGap{ 0, 4e-7, 0, 0.1, 3e9 }).conductance(c), 4e-5);
  EXPECT_NEAR((dem::GasGap{ 0, 4e-7, 1e-13, 0.1, 3e9 }).conductance(c) / 4e-5, 1, 1e-5);
  // A contact without area conducts through the gas alone.
  const dem::HeatedContact point{ 1e-3, 1e-3, 2, 2, 0, 0, 0 };
  const dem::GasGap air{ 0.026, 4e-7, 1e-7, 0.1, 3e9 };
  EXPECT_GT(air.conductance(point), 0);
  EXPECT_LT(air.conductance(point), air.around(point));
  // The conductance grows with the load, also beyond the hardness.
  double before = 0;
  for (double pressure = 1e6; pressure < 1e11; pressure *= 1.5)
  {
    const double now = air.conductance({ 1e-3, 1e-3, 2, 2, 1e-5, pressure, 4e-5 });
    EXPECT_GT(now, before * (1 - 1e-12)) << pressure;
    before = now;
  }
}

TEST_P(GasGapRun, Spheres)
{
  for (const double roughness : { 0., 1e-6 })
    for (const double other : { kRadius, 2 * kRadius })
    {
      dem::Scene s = frozen();
      s.heat.surface_roughness = roughness;
      addSphere(s, { 0, 0, 0 }, kRadius);
      addSphere(s, { kRadius + other - kOverlap, 0, 0 }, other);
      s.particles.temperature = { 400, 300 };
      const double a = std::sqrt(kRadius * other / (kRadius + other) * kOverlap);
      EXPECT_NEAR(flow(s, 1) / (100 * expected(s, kRadius, other, a)), 1, 2e-5);
    }
}

// Materials with true moduli, in both orders: contact radius, pressure and conductivities are those
// of the pair. The overlap is that of the soft moduli.
TEST_P(GasGapRun, Materials)
{
  for (const bool swapped : { false, true })
    for (const dem::ContactAreaModel area :
      { dem::ContactAreaModel::ContactRadius, dem::ContactAreaModel::Lens })
    {
      dem::Scene s = frozen();
      s.materials[0].youngs_modulus = 1e7;
      s.materials[0].poissons_ratio = 0.3;
      s.materials[0].true_youngs_modulus = 2e9;
      s.materials.push_back(s.materials[0]);
      s.materials[1].thermal_conductivity = 20;
      s.materials[1].poissons_ratio = 0.2;
      s.materials[1].youngs_modulus = 5e6;
      s.materials[1].true_youngs_modulus = 3e9;
      s.heat.surface_roughness = 1e-7;
      s.heat.area = area;
      const double ra = kRadius, rb = 1.5 * kRadius, overlap = 1e-6;
      addSphere(s, { 0, 0, 0 }, ra, {}, {}, 0);
      addSphere(s, { ra + rb - overlap, 0, 0 }, rb, {}, {}, 1);
      s.particles.temperature = { 400, 300 };
      if (swapped)
        s.particles.id = { 5, 2 };
      const double soft = 1 / (0.91 / 1e7 + 0.96 / 5e6), hard = 1 / (0.91 / 2e9 + 0.96 / 3e9);
      const double reduced = ra * rb / (ra + rb);
      const double a = std::sqrt(reduced * overlap) * std::cbrt(soft / hard);
      const double length = area == dem::ContactAreaModel::Lens ? std::sqrt(2 * M_PI) * a : a;
      const dem::GasGap gap{ 0.1, 3.7e-7, 1e-7, 0.1, 3e9 };
      const double wanted = gap.conductance(
        { ra, rb, 2, 20, a, 2 * hard * a / (M_PI * reduced), 4 * 2. * 20 / 22 * length });
      const double got = flow(s, swapped ? 0 : 1); // by ascending Id: the second sphere
      EXPECT_NEAR(got / (100 * wanted), 1, mixed() ? 2e-3 : 1e-3) << swapped; // finite overlap
    }
}

TEST_P(GasGapRun, Wall)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, kRadius - kOverlap }, kRadius);
  s.particles.temperature = { 300 };
  s.walls = { planeWall({ 0, 0, 0 }, { 0, 0, 1 }) };
  s.walls[0].heat = { dem::ThermalCondition::Temperature, 400, 0 };
  const double a = std::sqrt(kRadius * kOverlap);
  EXPECT_NEAR(flow(s, 0) / (100 * expected(s, kRadius, 0, a)), 1, 2e-5);
}

TEST_P(GasGapRun, SameBits)
{
  dem::Scene s = busyScene();
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.gas_conductivity = 0.026;
  s.heat.surface_roughness = 1e-7;
  s.walls[0].heat = { dem::ThermalCondition::Temperature, 400, 0 };
  s.walls[1].heat = { dem::ThermalCondition::HeatFlux, 293.15, 20 };
  const dem::Frame f = sameBitsHowever(s, 3e-3, 3200);
  EXPECT_NE(f.statistics.heat_from_walls, 0);
}

// The automatic interval of the temperatures knows the gas: in light grains it is the whole limit.
TEST_P(GasGapRun, AutomaticInterval)
{
  dem::Scene s = emptyScene();
  s.materials[0].heat_capacity = 4;
  s.materials[0].thermal_conductivity = 1e-9;
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.gas_conductivity = 1;
  addSphere(s, { 0, 0, 0 }, kRadius);
  setSteps(s, 1e-6, 64);
  const dem::StepPlan plan = simulate(s).plan();
  const double capacity =
    sphereMass(kRadius, s.materials[0].density) * s.materials[0].heat_capacity;
  const double most = dem::mostOfGas(dem::gasGap(s.heat), kRadius);
  const unsigned steps = dem::stepsOfHeat(s, plan);
  EXPECT_LT(steps, 16u);
  EXPECT_LE(steps * 1e-6, 0.1 * capacity / (12 * most));
}

TEST_P(GasGapRun, BadInput)
{
  dem::Scene s = frozen();
  addSphere(s, { 0, 0, 0 }, kRadius);
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.heat.gas_conductivity = -1; }),
    "GasConductivity is -1 W/m/K; it must be above 0, or 0 for no gas");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.heat.temperature_jump = 0; }),
    "TemperatureJump is 0 m; it must be above 0");
  EXPECT_HOLDS(
    refusalOf(s, [](dem::Scene& x) { x.heat.surface_roughness = NAN; }), "SurfaceRoughness");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.heat.surface_slope = 0; }), "SurfaceSlope");
  EXPECT_HOLDS(refusalOf(s, [](dem::Scene& x) { x.heat.microhardness = 0; }), "Microhardness");
  EXPECT_HOLDS(
    refusalOf(s, [](dem::Scene& x) { x.shapes = { dem::makeTablet("Pill", 0.02, 0.02, 0.005) }; }),
    "the gaps are those of spheres");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.heat.surface_roughness = 1e-7;
                   x.contact.law = dem::NormalLaw::LinearSpringDashpot;
                   x.contact.collision_time = 1e-2;
                 }),
    "whose contacts have no pressure");
  EXPECT_HOLDS(refusalOf(s,
                 [](dem::Scene& x) {
                   x.heat.surface_roughness = 1e-7;
                   x.contact.cohesion = dem::CohesionModel::JKR;
                 }),
    "surfaces that stick are smooth");
}

PARAGRAIN_ON_ALL_BACKENDS(GasGapRun);
