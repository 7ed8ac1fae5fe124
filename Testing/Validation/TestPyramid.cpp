// Item 4: three spheres on the floor carry a fourth (Kureck 2016, section 6.2.2: r = 10 mm, centres
// on the corners of a regular tetrahedron). Closed form: the contact between top and bottom is
// inclined by 35.26 degrees, its friction must carry tan(35.26 / 2) = 0.318 of its normal force
// (torque and force balance of a bottom sphere), so that mu = 0.36 stands and mu = 0.28 falls.
#include "TestSupport.h"

using namespace test;

namespace
{

const double r = 0.01;

class Pyramid : public BackendTest
{
protected:
  static dem::Scene scene(double mu)
  {
    dem::Scene s = emptyScene();
    s.gravity = { 0, -9.81, 0 };
    s.materials[0] = { "glass", 1e9, 0.25, 2500, 0.5, mu, 0 };
    addSphere(s, { 0, r, 0 }, r);
    addSphere(s, { 2 * r, r, 0 }, r);
    addSphere(s, { r, r, std::sqrt(3.0) * r }, r);
    addSphere(s, { r, r + 2.0 / 3 * std::sqrt(6.0) * r, std::sqrt(3.0) / 3 * r }, r);
    s.walls.push_back(planeWall({ 0, 0, 0 }, { 0, 1, 0 }));
    s.end_time = 2;
    s.output_interval = 0.1;
    return s;
  }

  // Height of the top sphere's centre after `seconds`, in radii.
  double height(const dem::Scene& s, double seconds, double* moved = nullptr)
  {
    dem::Simulation sim = simulate(s);
    sim.advanceTo(static_cast<std::uint64_t>(seconds / sim.plan().time_step));
    const dem::Frame f = sim.frame();
    if (moved)
    {
      *moved = 0;
      for (std::size_t i = 0; i < 4; ++i)
      {
        *moved = std::max(*moved, length(positionOf(f, i) - s.particles.position[i]) / r);
      }
      EXPECT_EQ(f.statistics.contacts >= 6, true) << "three on the floor, three above";
    }
    return f.position[10] / r;
  }
};

} // namespace

TEST_P(Pyramid, StandsWithEnoughFriction)
{
  double moved = 1;
  height(scene(0.36), 2, &moved);
  EXPECT_LT(moved, 0.01); // radii, over 2 s
}

TEST_P(Pyramid, FallsWithTooLittle)
{
  EXPECT_LT(height(scene(0.28), 1), 1.1); // down on the floor
}

TEST_P(Pyramid, FallsWithoutHistory)
{
  dem::Scene s = scene(0.36);
  s.contact.tangential_history = false;
  EXPECT_LT(height(s, 2), 2.0);
}

PARAGRAIN_ON_ALL_BACKENDS(Pyramid);
