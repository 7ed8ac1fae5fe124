// What a frame tells of the contacts of clumps, against the spheres that they are made of: contact
// points, and the normals of a network.
#include "TestSupport.h"

#include "Analysis/ContactNetwork.h"
#include "Analysis/ForceChains.h"

using namespace test;

namespace
{

class BodyContacts : public BackendTest
{
};

constexpr double kHalf = 0.003, kRadius = 0.002; // m: of a dumbbell along z

} // namespace

TEST_P(BodyContacts, PointsAndNormalsAreThoseOfTheParts)
{
  dem::Scene s = emptyScene();
  s.gravity = { 0, 0, -9.81 };
  s.domain.lower = { -0.019, -0.019, 0 };
  s.domain.upper = { 0.019, 0.019, 0.2 };
  s.domain.exit = { dem::Exit::Wall, dem::Exit::Wall, dem::Exit::Wall };
  s.materials[0] = { "grain", 5e6, 0.3, 2500, 0.3, 0.5, 0.05 };
  s.shapes.push_back(
    dem::makeMultiSphere("dumbbell", { { 0, 0, kHalf }, { 0, 0, -kHalf } }, { kRadius, kRadius }));
  const std::size_t dumbbell = s.shapes.size() - 1;
  const double equal = std::cbrt(0.75 / M_PI * s.shapes[dumbbell].mass.volume);
  Uniform uniform(3);
  for (int k = 0; k < 8; ++k)
    for (int j = -1; j < 2; ++j)
      for (int i = -1; i < 2; ++i)
      {
        const Vec3d place{ 0.0125 * i, 0.0125 * j, 0.008 + 0.0125 * k };
        const Vec3d velocity{ uniform(-0.2, 0.2), uniform(-0.2, 0.2), uniform(-0.2, 0.2) };
        const Vec3d spin{ uniform(-30, 30), uniform(-30, 30), uniform(-30, 30) };
        addSphere(s, place, static_cast<float>(uniform(0.9, 1.1) * equal), velocity, spin);
        s.particles.shape.push_back(static_cast<int>(dumbbell));
      }
  dem::Simulation sim = simulate(s);
  sim.keepOnDevice(std::size_t(1) << 28);
  sim.advanceTo(static_cast<std::uint64_t>(0.3 / sim.plan().time_step));
  const dem::Frame f = sim.frame();
  ASSERT_TRUE(f.contacts.of_bodies);
  ASSERT_EQ(f.contacts.point.size(), 3 * f.contacts.size);
  const auto on_device = f.on_device.lock();
  ASSERT_TRUE(on_device);
  const dem::GrainContacts contacts = on_device->contacts();
  EXPECT_TRUE(contacts.shaped);
  const dem::ContactNetwork network =
    dem::describeNetwork(on_device->grains(), contacts, {}, sim.device());

  const auto at = [](const double* values, std::size_t i) {
    return Vec3d{ values[3 * i], values[3 * i + 1], values[3 * i + 2] };
  };
  const auto part = [&](std::int64_t id, int which) {
    std::size_t i = 0;
    while (f.id[i] != id)
      ++i;
    const double scale = f.radius[i] / equal;
    const Vec3d axis = dem::rotate(orientationOf(f, i), Vec3d{ 0, 0, 1 });
    return dem::vec4(
      at(f.position.data(), i) + (which ? -1 : 1) * kHalf * scale * axis, kRadius * scale);
  };
  int pairs = 0, walls = 0, aslant = 0;
  for (std::size_t c = 0; c < f.contacts.size; ++c)
  {
    const std::int64_t a = f.contacts.ids[2 * c], b = f.contacts.ids[2 * c + 1];
    const Vec3d point = at(f.contacts.point.data(), c), shown = at(network.point.data(), c);
    EXPECT_EQ(length(point - shown), 0);
    if (b < 0)
    {
      EXPECT_EQ(length(point - at(f.contacts.ends.data(), 2 * c + 1)), 0);
      ++walls;
      continue;
    }
    double nearest = 1e9, off_normal = 0;
    for (int k = 0; k < 4; ++k)
    {
      const dem::Vec4<double> p = part(a, k / 2), q = part(b, k % 2);
      const Vec3d d = q.xyz() - p.xyz();
      const double overlap = p.w + q.w - length(d);
      const Vec3d n = (1 / length(d)) * d;
      const double miss = length(point - (p.xyz() + (p.w - 0.5 * overlap) * n)) +
        std::fabs(overlap - f.contacts.overlap[c]);
      if (miss < nearest)
      {
        nearest = miss;
        const Vec3d own{ network.normal[3 * c], network.normal[3 * c + 1],
          network.normal[3 * c + 2] };
        off_normal = length(own - n);
        const Vec3d branch =
          at(f.contacts.ends.data(), 2 * c + 1) - at(f.contacts.ends.data(), 2 * c);
        aslant += dot(branch, n) < 0.9 * length(branch) ? 1 : 0;
      }
    }
    EXPECT_LT(nearest, 1e-8) << "contact " << c; // orientations are floats
    if (network.normal_magnitude[c] > 0)
    {
      EXPECT_LT(std::min(off_normal, 2 - off_normal), 1e-4)
        << "contact " << c; // a force that damps may pull
    }
    ++pairs;
  }
  EXPECT_GT(pairs, 20);
  EXPECT_GT(walls, 5);
  EXPECT_GT(aslant, 5) << "normals along the branches would be wrong";

  // The stress of a grain in DEM Force Chains is what the solver itself says.
  const dem::ForceChains chains =
    dem::findForceChains(on_device->grains(), contacts, {}, sim.device());
  double largest = 0, miss = 0;
  for (std::size_t i = 0; i < 6 * f.size; ++i)
  {
    largest = std::max(largest, std::fabs(double(f.stress[i])));
    miss = std::max(miss, std::fabs(f.stress[i] - chains.stress[i]));
  }
  EXPECT_GT(largest, 10);
  EXPECT_LT(miss, 1e-5 * largest);
}

PARAGRAIN_ON_ALL_BACKENDS(BodyContacts);
