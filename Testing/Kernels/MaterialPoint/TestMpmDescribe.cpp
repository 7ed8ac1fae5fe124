// The rows of MaterialPoint/MpmDescribe.h and what follows from them: comparison of scenes,
// fingerprints of saved states, steering, messages. Panels: Testing/Properties.
#include "MaterialPoint/MpmCompare.h"
#include "MaterialPoint/MpmDescribe.h"
#include "MaterialPoint/MpmState.h"
#include "MaterialPoint/MpmSteering.h"
#include "MaterialPoint/MpmValidation.h"
#include "RowSupport.h"
#include "TestSupport.h"

#include <limits>
#include <string>
#include <vector>

using namespace test;

namespace
{

// A scene that has one of everything.
mpm::Scene everything()
{
  mpm::Scene s;
  s.materials.resize(3);
  s.materials[1].kind = mpm::MaterialKind::Fluid;
  s.materials[1].viscosity = 0.25;
  s.materials[2].kind = mpm::MaterialKind::DruckerPrager;
  s.materials[2].sand_yield = mpm::SandYield::CompressionCone;
  s.materials[2].grain_diameter = 0.001;
  s.domain.lower = { -2, -3, -0.0 };
  s.domain.upper = { 5, 6, 7 };
  s.domain.border = { mpm::Border::Stick, mpm::Border::Slip, mpm::Border::Separate,
    mpm::Border::Remove, mpm::Border::Stick, mpm::Border::Remove };
  s.domain.friction = 0.4;
  s.grid_spacing = 0.0125;
  dem::Wall mesh;
  mesh.points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0.5 } };
  mesh.triangles = { { 0, 1, 2 } };
  mesh.material = 1;
  mesh.motion.kind = dem::MotionKind::Oscillation;
  mesh.motion.amplitude = 0.01;
  mesh.motion.frequency = 50;
  mesh.motion.phase = 0.5;
  mesh.motion.start = 0.1;
  mesh.motion.stop = 2;
  s.walls.push_back(mesh);
  dem::Wall cone;
  cone.kind = dem::WallKind::Cone;
  cone.origin = { 0, 0, 1 };
  cone.end = { 0, 0, 2 };
  cone.normal = { 0, 1, 0 };
  cone.edge_u = { 1, 2, 3 };
  cone.edge_v = { 4, 5, 6 };
  cone.radius = 0.5;
  cone.end_radius = 0.25;
  cone.motion.kind = dem::MotionKind::Rotation;
  cone.motion.origin = { 0.5, 0, 0 };
  cone.motion.rate = 3;
  cone.motion.velocity = { 1, 2, 3 };
  cone.motion.angle_before = 7;
  s.walls.push_back(cone);
  s.wall_contacts = { { mpm::Contact::Separate, 0.5 }, { mpm::Contact::Slip, 0 } };
  s.points.position = { { 1, 2, 3 } };
  s.points.velocity = { { 1, 0, 0 } };
  s.points.mass = { 2 };
  s.points.volume = { 0.002 };
  s.points.material = { 1 };
  s.points.id = { 7 };
  s.points.deformation.resize(1);
  s.points.velocity_gradient.resize(1);
  s.events = { { 0.5, "Gravity", { 0, 0, -1 } } };
  return s;
}

template <class Visit>
void forAllMembers(const Visit& visit)
{
  using mpm::Scene;
  forMembers<mpm::Material>(
    everything, [](Scene & s) -> auto& { return s.materials[0]; }, visit);
  forMembers<mpm::PointInput>(
    everything, [](Scene & s) -> auto& { return s.points; }, visit);
  forMembers<mpm::Domain>(
    everything, [](Scene & s) -> auto& { return s.domain; }, visit);
  forMembers<mpm::WallContact>(
    everything, [](Scene & s) -> auto& { return s.wall_contacts[0]; }, visit);
  forMembers<mpm::ImplicitOptions>(
    everything, [](Scene & s) -> auto& { return s.implicit; }, visit);
  forMembers<dem::Motion>(
    everything, [](Scene & s) -> auto& { return s.walls[1].motion; }, visit);
  forMembers<dem::Wall>(
    everything, [](Scene & s) -> auto& { return s.walls[0]; }, visit);
  forMembers<mpm::Scene>(
    everything, [](Scene & s) -> auto& { return s; }, visit);
}

std::uint64_t fingerprintOf(const mpm::Scene& s) { return mpm::fingerprint(s, 1234); }

} // namespace

TEST(MpmDescribe, FingerprintsAreThoseOfSavedStates)
{
  // made by the code of 2026-11, before fingerprints followed from rows
  EXPECT_EQ(mpm::fingerprint(mpm::Scene(), 0), 0xaa176e9e1cb9090eull);
  EXPECT_EQ(fingerprintOf(everything()), 0xf2608cfda017924bull);
}

TEST(MpmDescribe, FingerprintsNoticeTheirRows)
{
  const std::uint64_t before = fingerprintOf(everything());
  forAllMembers([&](const auto& row, mpm::Scene& s) {
    if (std::string(row.key) == "material") // materials of walls are not used
      return;
    EXPECT_EQ(fingerprintOf(s) != before, row.in_fingerprint);
  });
}

TEST(MpmDescribe, ScenesDifferInEachRow)
{
  EXPECT_FALSE(mpm::needsNewRun(everything(), everything()));
  EXPECT_TRUE(mpm::steeredDifferences(everything(), everything()).empty());
  forAllMembers([](const auto& row, const mpm::Scene& s) {
    const mpm::Scene before = everything();
    EXPECT_EQ(mpm::needsNewRun(before, s), row.is_compared && !row.is_steered);
    if (!row.is_compared || std::string(row.property) == "WallVelocity") // a rotation has a rate
      EXPECT_TRUE(mpm::steeredDifferences(before, s).empty());
    else if (row.is_steered)
    {
      const std::vector<dem::Event> events = mpm::steeredDifferences(before, s);
      ASSERT_EQ(events.size(), 1u);
      EXPECT_EQ(events[0].property, row.property);
      EXPECT_EQ(events[0].value.size(), mpm::steeredSize(row.property));
      mpm::Scene steered = before;
      mpm::applyToScene(steered, events[0]);
      EXPECT_TRUE(mpm::steeredDifferences(steered, s).empty());
    }
  });
}

TEST(MpmDescribe, OnlyTheFirstMaterialIsSteered)
{
  mpm::Scene before = everything(), after = before;
  after.materials[0].youngs_modulus = 2e5;
  EXPECT_FALSE(mpm::needsNewRun(before, after));
  EXPECT_EQ(mpm::steeredDifferences(before, after)[0], (dem::Event{ 0, "YoungsModulus", { 2e5 } }));
  after.materials[1].viscosity = 0.5;
  EXPECT_TRUE(mpm::needsNewRun(before, after));
}

TEST(MpmDescribe, BadInputThatRanAgainIsTheSame)
{
  mpm::Scene before = everything();
  before.points.position[0].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(mpm::needsNewRun(before, before));
}

TEST(MpmDescribe, SteeredProperties)
{
  EXPECT_EQ(mpm::steeredProperties(),
    "Gravity, YoungsModulus, PoissonsRatio, FrictionAngle, Cohesion, YieldStress, "
    "HardeningModulus, BulkModulus, Gamma, Viscosity, BorderFriction, WallContactFriction, "
    "WallRate, WallVelocity");
  EXPECT_EQ(mpm::steeredSize("WallContactFriction"), 2u);
  EXPECT_EQ(mpm::steeredSize("WallVelocity"), 4u);
  EXPECT_EQ(mpm::steeredSize("Density"), 0u);
}

TEST(MpmDescribe, MessagesOfValidate)
{
  const auto message = [](auto&& spoil) {
    mpm::Scene s;
    spoil(s);
    return errorOf([&] { mpm::validate(s); });
  };
  EXPECT_NO_THROW(mpm::validate(mpm::Scene()));
  EXPECT_EQ(message([](auto& s) { s.materials[0].density = 0; }),
    "Material 0 (Fixed Corotated): Density is 0 kg/m^3; it must be above 0.");
  EXPECT_EQ(message([](auto& s) { s.materials[0].poissons_ratio = 0.5; }),
    "Material 0 (Fixed Corotated): PoissonsRatio is 0.5; it must lie in [0, 0.4999]. Towards 0.5 "
    "the speed of sound grows without limit: use 0.49, or the kind Fluid.");
  EXPECT_EQ(message([](auto& s) {
    s.materials[0].kind = mpm::MaterialKind::DruckerPrager;
    s.materials[0].friction_angle = 2;
  }),
    "Material 0 (Drucker-Prager): FrictionAngle is 114.592 degrees; it must lie in [0, 90).");
  EXPECT_EQ(message([](auto& s) {
    s.materials[0].kind = mpm::MaterialKind::DruckerPrager;
    s.materials[0].grain_diameter = 0.001;
    s.materials[0].fast_friction_angle = 0.1;
  }),
    "Material 0 (Drucker-Prager): FastFrictionAngle must be at least FrictionAngle, but they are "
    "5.72958 and 30.0001 degrees.");
  EXPECT_EQ(message([](auto& s) {
    s.materials[0].kind = mpm::MaterialKind::Fluid;
    s.materials[0].gamma = 0.5;
    s.materials[0].youngs_modulus = -1; // a fluid has none
  }),
    "Material 0 (Fluid): Gamma is 0.5; it must be at least 1.");
  EXPECT_EQ(message([](auto& s) { s.cfl = 1.5; }), "CourantNumber is 1.5; it must lie in (0, 1].");
  EXPECT_EQ(message([](auto& s) { s.memory_limit = -1048576; }),
    "MemoryLimit is -1 MiB; it must be at least 0.");
  EXPECT_EQ(message([](auto& s) { s.domain.friction = -1; }),
    "BorderFriction is -1; it must be at least 0.");
  EXPECT_EQ(message([](auto& s) {
    s.integration = mpm::TimeIntegration::ImplicitMidpoint;
    s.implicit.newton_tolerance = 1;
  }),
    "NewtonTolerance is 1; it must lie in (0, 1).");
}
