// The rows of Scene/Describe.h and what follows from them: comparison of scenes, fingerprints of
// saved states, steering. Schema and panels: Testing/Properties.
#include "Scene/Compare.h"
#include "Scene/Describe.h"
#include "Scene/Steering.h"
#include "Scene/Validate.h"
#include "Core/RowRange.h"
#include "State/SceneFingerprints.h"
#include "RowSupport.h"
#include "TestSupport.h"

#include <algorithm>

using namespace test;

namespace
{

// A scene that has one of everything, and no value that is the default.
dem::Scene everything()
{
  dem::Scene s;
  s.materials[0].youngs_modulus = 2.5e6;
  s.materials[0].poissons_ratio = 0.21;
  s.materials[0].density = 1234.5;
  s.materials[0].restitution = 0.7;
  s.materials[0].friction = 0.33;
  s.materials[0].rolling_friction = 0.011;
  dem::Material wall;
  wall.name = "Wall";
  wall.youngs_modulus = 1e9;
  wall.restitution = 0.9;
  s.materials.push_back(wall);
  dem::MaterialPair pair;
  pair.second = 1;
  pair.friction = 0.125;
  s.pairs.push_back(pair);
  s.contact.tangential_history = false;
  s.contact.friction_limit = dem::FrictionLimit::Elastic;
  s.contact.tangential_damping = dem::TangentialDamping::EqualToNormal;
  s.contact.clamp_normal_force = true;
  s.contact.rolling = dem::RollingModel::EPSD;
  s.contact.rolling_damping = 0.4;
  dem::Wall mesh;
  mesh.points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0.5 } };
  mesh.triangles = { { 0, 1, 2 } };
  mesh.material = 1;
  mesh.motion.kind = dem::MotionKind::Oscillation;
  mesh.motion.axis = { 1, 0, 0 };
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
  cone.motion.shift_before = { 1, 1, 1 };
  s.walls.push_back(cone);
  s.domain.lower = { -2, -3, -4 };
  s.domain.upper = { 5, 6, 7 };
  s.domain.exit = { dem::Exit::Periodic, dem::Exit::Remove, dem::Exit::Wall };
  s.domain.wall_material = 1;
  // these are in no fingerprint
  s.shapes[0].name = "Ball";
  s.particles.position = { { 1, 2, 3 } };
  s.particles.radius = { 0.1 };
  s.particles.velocity = { { 1, 0, 0 } };
  s.particles.angular_velocity = { { 0, 1, 0 } };
  s.particles.orientation = { {} };
  s.particles.id = { 5 };
  s.particles.material = { 1 };
  s.particles.shape = { 0 };
  s.particles.temperature = { 300 };
  s.events = { { 0.5, "Gravity", { 0, 0, -1 } } };
  s.nozzles.emplace_back();
  return s;
}

using Parts = std::array<std::uint64_t, 5>;

// Materials, contact model, walls, domain, domain with borders.
Parts fingerprints(const dem::Scene& s)
{
  const auto parts = dem::SceneFingerprints::of(s);
  return { parts[1], parts[2], parts[3], parts[4],
    dem::SceneFingerprints::ofDomain(s.domain, true) };
}

template <class Visit>
void forAllMembers(const Visit& visit)
{
  using dem::Scene;
  forMembers<dem::Material>(
    everything, [](Scene & s) -> auto& { return s.materials[0]; }, visit);
  forMembers<dem::MaterialPair>(
    everything, [](Scene & s) -> auto& { return s.pairs[0]; }, visit);
  forMembers<dem::ContactModel>(
    everything, [](Scene & s) -> auto& { return s.contact; }, visit);
  forMembers<dem::BroadPhaseOptions>(
    everything, [](Scene & s) -> auto& { return s.broad_phase; }, visit);
  forMembers<dem::NeighborListOptions>(
    everything, [](Scene & s) -> auto& { return s.neighbor_list; }, visit);
  forMembers<dem::AveragesOptions>(
    everything, [](Scene & s) -> auto& { return s.averages; }, visit);
  forMembers<dem::Domain>(
    everything, [](Scene & s) -> auto& { return s.domain; }, visit);
  forMembers<dem::Motion>(
    everything, [](Scene & s) -> auto& { return s.walls[1].motion; }, visit);
  forMembers<dem::Wall>(
    everything, [](Scene & s) -> auto& { return s.walls[0]; }, visit);
  forMembers<dem::Nozzle>(
    everything, [](Scene & s) -> auto& { return s.nozzles[0]; }, visit);
  forMembers<dem::SprayOptions>(
    everything, [](Scene & s) -> auto& { return s.spray; }, visit);
  forMembers<dem::ParticleInput>(
    everything, [](Scene & s) -> auto& { return s.particles; }, visit);
}

} // namespace

TEST(Describe, FingerprintsAreThoseOfSavedStates)
{
  // made by the code of 2026-11, before fingerprints followed from rows
  const Parts constructed{ 0xaad31320c60cd4caull, 0x897ed29cc42a4e46ull, 0x14650fb0739d0383ull,
    0x175af34c0dc2cd22ull, 0xb7f59caa041e1262ull };
  const Parts changed{ 0x9d5424529a36efa3ull, 0xc7aeda1348b9abfdull, 0x30ffcad6c46ff571ull,
    0x5cd73aca604c29e0ull, 0x794f1fb661ebb3a8ull };
  const Parts linear{ 0x9d5424529a36efa3ull, 0x244cc4beac56f651ull, 0x30ffcad6c46ff571ull,
    0x5cd73aca604c29e0ull, 0x794f1fb661ebb3a8ull };
  const Parts unlimited{ 0xaad31320c60cd4caull, 0x897ed29cc42a4e46ull, 0x14650fb0739d0383ull,
    0x315446a086a23133ull, 0x315446a086a23133ull };
  const Parts zeros{ 0x1049203d554954c3ull, 0x897ed29cc42a4e46ull, 0x14650fb0739d0383ull,
    0x175af34c0dc2cd22ull, 0xa2770e5888bab3dbull };
  EXPECT_EQ(fingerprints(dem::Scene()), constructed);
  EXPECT_EQ(fingerprints(everything()), changed);
  dem::Scene s = everything();
  s.contact.law = dem::NormalLaw::LinearSpringDashpot;
  s.contact.collision_time = 2e-3;
  s.contact.normal_stiffness = 5e3;
  s.contact.stiffness_ratio = 0.3;
  EXPECT_EQ(fingerprints(s), linear);
  s = {};
  s.domain.limited = false;
  EXPECT_EQ(fingerprints(s), unlimited);
  s = {};
  s.materials[0].friction = -0.0;
  s.domain.lower.x = -0.0;
  EXPECT_EQ(fingerprints(s), zeros);
}

TEST(Describe, FingerprintsNoticeTheirRows)
{
  forAllMembers([](const auto& row, dem::Scene& s) {
    dem::Scene before = everything();
    // the stiffness counts with the linear law only
    if (std::string(row.property) != "ContactModel")
      before.contact.law = s.contact.law = dem::NormalLaw::LinearSpringDashpot;
    EXPECT_EQ(fingerprints(s) != fingerprints(before), row.in_fingerprint);
  });
}

TEST(Describe, ScenesDifferInEachRow)
{
  const auto differs = [](const auto& row, const dem::Scene& s) {
    const dem::Scene before = everything();
    if (!row.is_compared)
    {
      EXPECT_FALSE(dem::needsNewRun(before, s));
      EXPECT_TRUE(dem::steeredDifferences(before, s).empty());
      return;
    }
    EXPECT_EQ(dem::needsNewRun(before, s), !row.is_steered);
    if (row.is_steered)
    {
      const std::vector<dem::Event> events = dem::steeredDifferences(before, s);
      ASSERT_EQ(events.size(), 1u);
      const std::string& property = events[0].property;
      EXPECT_TRUE(property == row.property || property == std::string("Nozzle") + row.property)
        << property;
      dem::Scene steered = before;
      dem::applyToScene(steered, events[0]);
      EXPECT_TRUE(dem::steeredDifferences(steered, s).empty());
    }
  };
  EXPECT_FALSE(dem::needsNewRun(everything(), everything()));
  EXPECT_TRUE(dem::steeredDifferences(everything(), everything()).empty());
  forAllMembers([&](const auto& row, dem::Scene& s) {
    // a rotation has a rate, and no velocity
    if (std::string(row.property) != "WallVelocity")
      differs(row, s);
  });
  forMembers<dem::Scene>(
    everything, [](dem::Scene & s) -> auto& { return s; }, differs);
}

TEST(Describe, OnlyTheFirstTwoMaterialsAreSteered)
{
  dem::Scene before = everything();
  before.materials.resize(3, before.materials[0]);
  dem::Scene after = before;
  after.materials[1].friction = 0.1;
  EXPECT_FALSE(dem::needsNewRun(before, after));
  ASSERT_EQ(dem::steeredDifferences(before, after).size(), 1u);
  EXPECT_EQ(dem::steeredDifferences(before, after)[0].property, "WallFriction");
  after.materials[2].friction = 0.1;
  EXPECT_TRUE(dem::needsNewRun(before, after));
}

TEST(Describe, BordersOfAnAutomaticDomainAreNotCompared)
{
  dem::Scene before = everything(), after = before;
  before.domain.automatic = after.domain.automatic = true;
  before.domain.given = after.domain.given = { false, true, false };
  after.domain.upper.x += 1;
  EXPECT_FALSE(dem::needsNewRun(before, after));
  after.domain.upper.y += 1; // given
  EXPECT_TRUE(dem::needsNewRun(before, after));
}

TEST(Describe, RangesAsText)
{
  const auto text = [](const auto& row, bool unit = false) { return dem::rangeText(row, unit); };
  EXPECT_EQ(text(dem::rowOf(&dem::Material::density), true), "be above 0 kg/m^3");
  EXPECT_EQ(text(dem::rowOf(&dem::Material::friction), true), "be at least 0");
  EXPECT_EQ(text(dem::rowOf(&dem::Material::restitution)), "lie in (0, 1]");
  EXPECT_EQ(text(dem::rowOf(&dem::Scene::initial_overlap_tolerance)), "lie in [0, 0.5]");
  EXPECT_EQ(text(dem::rowOf(&dem::Scene::time_step)), "be above 0, or 0 for the automatic step");
  EXPECT_EQ(text(dem::rowOf(&dem::BroadPhaseOptions::bvh_key_bits)), "be 30 or 63");
  EXPECT_EQ(text(dem::rowOf(&dem::NeighborListOptions::static_size)),
    "lie in [1, 65535], or be 0 (tuned from counts)");
  EXPECT_FALSE(dem::isInRange(dem::rowOf(&dem::Material::friction), std::nan("")));
  EXPECT_FALSE(dem::isInRange(dem::rowOf(&dem::Material::restitution), 0));
  EXPECT_TRUE(dem::isInRange(dem::rowOf(&dem::Material::restitution), 1));
}

TEST(Describe, MessagesOfValidate)
{
  const auto message = [](auto&& spoil) {
    dem::Scene s = emptyScene();
    addSphere(s, {}, 0.01);
    spoil(s);
    return errorOf([&] { dem::validate(s); });
  };
  EXPECT_EQ(message([](auto& s) { s.materials[0].poissons_ratio = 0.51; }),
    "Material 0 ('Grain'): PoissonsRatio is 0.51; it must lie in (-1, 0.5].");
  EXPECT_EQ(message([](auto& s) { s.materials[0].youngs_modulus = 0; }),
    "Material 0 ('Grain'): YoungsModulus is 0 Pa; it must be above 0.");
  EXPECT_EQ(message([](auto& s) { s.time_step = -1; }),
    "TimeStep is -1 s; it must be above 0, or 0 for the automatic step.");
  EXPECT_EQ(message([](auto& s) { s.broad_phase.cell_capacity = 65536; }),
    "CellCapacity is 65536; it must lie in [1, 65535].");
  EXPECT_EQ(message([](auto& s) { s.broad_phase.sort_steps = 0; }),
    "SortSteps is 0; it must be at least 1.");
  EXPECT_EQ(message([](auto& s) { s.broad_phase.bvh_key_bits = 31; }),
    "BVHKeyBits is 31; it must be 30 or 63.");
}
