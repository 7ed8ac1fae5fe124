// The CPU solver for the instruction sets of x86-64 that this processor has: the same bits.
#include "BusyScene.h"
#include "Core/CpuLevel.h"
#include "ErrorText.h"
#include "MpmSupport.h"
#include "Scene/File/SceneFile.h"

#include <cstdlib>
#include <functional>

namespace
{

class CpuLevel : public ::testing::Test
{
protected:
  void SetUp() override
  {
    ::unsetenv("PARAGRAIN_CPU_LEVEL");
    highest_ = dem::cpuLevel();
    if (highest_ == 0)
      GTEST_SKIP() << "this build holds the solver once (PARAGRAIN_NATIVE)";
  }
  void TearDown() override { ::unsetenv("PARAGRAIN_CPU_LEVEL"); }

  static void use(int level) { ::setenv("PARAGRAIN_CPU_LEVEL", std::to_string(level).c_str(), 1); }

  // Runs `save` at each level that the processor has.
  void expectSameBits(const std::function<dem::SnapshotBytes()>& save)
  {
    use(2);
    const dem::SnapshotBytes lowest = save();
    ASSERT_GT(lowest.size(), 1000u);
    for (int level = 3; level <= highest_; ++level)
    {
      use(level);
      EXPECT_EQ(dem::cpuLevel(), level);
      EXPECT_TRUE(save() == lowest) << "other bits at level " << level << " than at 2";
    }
  }

  void expectSameBits(const dem::Scene& scene, std::uint64_t steps)
  {
    expectSameBits([&] {
      dem::Simulation sim(scene, { dem::DeviceKind::CPU, 2 });
      sim.advanceTo(steps);
      return sim.save();
    });
  }

  int highest_ = 0;
};

} // namespace

TEST_F(CpuLevel, SameBitsOfSpheres)
{
  for (const dem::Precision precision : { dem::Precision::Mixed, dem::Precision::Double })
    for (const dem::RollingModel model : { dem::RollingModel::EPSD, dem::RollingModel::None })
    {
      dem::Scene scene = test::busyScene();
      scene.precision = precision;
      scene.contact.rolling = model;
      expectSameBits(scene, 1000);
    }
}

TEST_F(CpuLevel, SameBitsOfShapes)
{
  for (const char* name : { "brick_heap", "clump_hopper", "tablet_coater" })
  {
    SCOPED_TRACE(name);
    expectSameBits(
      dem::readSceneFile(std::string(PARAGRAIN_DATA_DIR) + "/Cases/" + name + ".dem"), 200);
  }
}

TEST_F(CpuLevel, SameBitsOfMaterialPoints)
{
  mpm::Scene solid = test::softScene();
  solid.points = mpm::fillBox({ 0.3, 0.3, 0.1 }, { 0.6, 0.6, 0.4 }, solid.grid_spacing, 2, 1, 7);
  solid.gravity = { 0, 0, -9.81 };
  expectSameBits([&] {
    mpm::Simulation sim(solid, { dem::DeviceKind::CPU, 2 });
    sim.advanceTo(300);
    return sim.save();
  });
}

// The name of the device, which users see, tells the level.
TEST_F(CpuLevel, IsInTheName)
{
  use(2);
  EXPECT_EQ(dem::chooseDevice(dem::DeviceKind::CPU, 2).name, "CPU (2 threads, x86-64-v2)");
  ::setenv("PARAGRAIN_CPU_LEVEL", "avx2", 1);
  EXPECT_EQ(test::errorOf([] { dem::chooseDevice(dem::DeviceKind::CPU, 2); }),
    "PARAGRAIN_CPU_LEVEL is 'avx2'; it must be 2, 3 or 4 (the x86-64 level).");
}
