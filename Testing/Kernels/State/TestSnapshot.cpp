// Checkpoints: files and bytes that are cut off, altered, of another version or of another scene
// are refused with a clear error. Sampled densely at the head, then every few bytes.
#include "BusyScene.h"
#include "OldSnapshot.h"
#include "Texts.h"

#include "Solver/Timeline.h"

#include <malloc.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>

using namespace test;

namespace
{
std::atomic<long> allocations_left{ -1 }; // until one fails; below 0 none does
}

// What the solver's arrays on the CPU come from.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept
{
  if (allocations_left.load() >= 0 && allocations_left.fetch_sub(1) == 0)
    return nullptr;
  return memalign(alignment, bytes);
}

namespace
{

class Snapshot : public BackendTest
{
protected:
  void SetUp() override
  {
    BackendTest::SetUp();
    path_ = testing::TempDir() + "paragrain-" + backendName(GetParam()) + "-" +
      testing::UnitTest::GetInstance()->current_test_info()->name() + ".demck";
    for (char& c : path_)
    {
      c = c == '/' && &c > path_.data() + testing::TempDir().size() ? '_' : c;
    }
  }
  void TearDown() override { std::remove(path_.c_str()); }

  dem::Scene smallScene() const
  {
    dem::Scene s = busyScene();
    s.particles = {};
    addCloud(s, { -0.02, 0, 0.005 }, 3, 3, 2, 0.0016, 0.0049, 0.6, 21, 0.01, 20);
    s.precision = GetParam().precision;
    return s;
  }

  // Reads and restores; the message of what was thrown, or "".
  std::string refusal(dem::Simulation& sim) const
  {
    try
    {
      sim.restore(dem::readSnapshotFile(path_));
      return "";
    }
    catch (const dem::Error& e)
    {
      return e.what();
    }
  }

  std::string path_;
};

} // namespace

TEST_P(Snapshot, FileRoundTrip)
{
  dem::Simulation sim = simulate(smallScene());
  sim.advanceTo(700);
  const dem::SnapshotBytes bytes = sim.save();
  dem::writeSnapshotFile(path_, bytes);
  EXPECT_EQ(dem::readSnapshotFile(path_), bytes);
  dem::Simulation other = simulate(smallScene());
  other.restore(dem::readSnapshotFile(path_));
  EXPECT_SAME_BITS(sim.frame(), other.frame());
  advance(sim, 300);
  advance(other, 300);
  EXPECT_SAME_BITS(sim.frame(), other.frame());
  EXPECT_EQ(sim.save(), other.save());
}

TEST_P(Snapshot, CutOffFilesAreRefused)
{
  dem::Simulation sim = simulate(smallScene());
  sim.advanceTo(300);
  dem::writeSnapshotFile(path_, sim.save());
  const std::string whole = contentsOf(path_);
  const dem::Frame before = sim.frame();
  ASSERT_GT(whole.size(), 500u);
  for (std::size_t n = 0; n < whole.size(); n += n < 200 ? 1 : 37)
  {
    writeFile(path_, whole.substr(0, n));
    const std::string message = refusal(sim);
    ASSERT_NE(message, "") << "accepted " << n << " of " << whole.size() << " bytes";
    ASSERT_TRUE(mentions(message, "it ends") || mentions(message, "cut off") ||
      mentions(message, "not a") || mentions(message, "empty") || mentions(message, "truncated"))
      << "at " << n << ": " << message;
  }
  writeFile(path_, whole + "x");
  EXPECT_NE(refusal(sim), "") << "accepted a byte too many";
  EXPECT_SAME_BITS(before, sim.frame()); // a refused file changes nothing
}

TEST_P(Snapshot, AlteredFilesAreRefused)
{
  dem::Simulation sim = simulate(smallScene());
  sim.advanceTo(300);
  dem::writeSnapshotFile(path_, sim.save());
  const std::string whole = contentsOf(path_);
  const dem::Frame before = sim.frame();
  for (std::size_t n = 0; n < whole.size(); n += n < 200 ? 1 : 41)
  {
    for (unsigned char flip : { 0x01, 0x80, 0xff })
    {
      std::string changed = whole;
      changed[n] = static_cast<char>(static_cast<unsigned char>(changed[n]) ^ flip);
      writeFile(path_, changed);
      ASSERT_NE(refusal(sim), "") << "accepted with byte " << n << " altered by " << int(flip);
    }
  }
  EXPECT_SAME_BITS(before, sim.frame());
  writeFile(path_, whole);
  EXPECT_EQ(refusal(sim), "");
}

// The version stands after the magic: one of the bytes 4 to 15 makes the message speak of the
// version.
TEST_P(Snapshot, OtherVersionsAreRefusedByName)
{
  dem::Simulation sim = simulate(smallScene());
  dem::writeSnapshotFile(path_, sim.save());
  const std::string whole = contentsOf(path_);
  bool seen = false;
  for (std::size_t n = 4; n < 16; ++n)
  {
    std::string changed = whole;
    changed[n] = static_cast<char>(changed[n] + 1);
    writeFile(path_, changed);
    seen = seen || mentions(refusal(sim), "version");
  }
  EXPECT_TRUE(seen);
}

// Bytes that did not come through a file: cut off or garbled they are refused as well, and never
// crash.
TEST_P(Snapshot, BadBytesAreRefused)
{
  dem::Simulation sim = simulate(smallScene());
  sim.advanceTo(200);
  const dem::SnapshotBytes whole = sim.save();
  const dem::Frame before = sim.frame();
  for (std::size_t n = 0; n < whole.size(); n += n < 200 ? 1 : 53)
  {
    EXPECT_NE(
      errorOf([&] { sim.restore(dem::SnapshotBytes(whole.begin(), whole.begin() + n)); }), "")
      << n;
  }
  EXPECT_SAME_BITS(before, sim.frame());
}

TEST_P(Snapshot, NoSuchFileAndNoSuchPlace)
{
  EXPECT_MENTIONS(
    errorOf([&] { dem::readSnapshotFile("/no/such/file.demck"); }), "/no/such/file.demck");
  EXPECT_MENTIONS(errorOf([&] {
    dem::writeSnapshotFile("/no/such/folder/file.demck", { 1, 2, 3 });
  }),
    "/no/such/folder");
  writeFile(path_, "solid this is an STL file\n");
  EXPECT_MENTIONS(errorOf([&] { dem::readSnapshotFile(path_); }), "not a ParaGrain checkpoint");
}

// States of the format that kept energies for each particle are still read: the run goes on with
// the same bits and the same totals.
TEST_P(Snapshot, Version3IsRead)
{
  dem::Scene scene = busyScene();
  scene.precision = GetParam().precision;
  dem::Simulation sim = simulate(scene);
  advance(sim, 6000);
  const dem::Statistics then = sim.statistics();
  ASSERT_GT(then.dissipated_energy, 0);
  ASSERT_NE(then.stiffness_work, 0);
  ASSERT_NE(then.wall_work, 0);
  dem::Simulation other = simulate(scene);
  other.restore(inVersion3(sim));
  advance(sim, 300);
  advance(other, 300);
  dem::Frame expected = sim.frame(), got = other.frame();
  const dem::Statistics a = expected.statistics, b = got.statistics;
  EXPECT_NEAR(b.dissipated_energy, a.dissipated_energy, 1e-14 * a.dissipated_energy);
  EXPECT_NEAR(b.stiffness_work, a.stiffness_work,
    1e-14 * (std::abs(a.stiffness_work) + std::abs(then.stiffness_work)));
  EXPECT_NEAR(b.wall_work, a.wall_work, 1e-14 * (std::abs(a.wall_work) + std::abs(then.wall_work)));
  got.statistics.dissipated_energy = a.dissipated_energy;
  got.statistics.stiffness_work = a.stiffness_work;
  got.statistics.wall_work = a.wall_work;
  // The energy at the start and the grains that left are not in the state: both count from the
  // restore.
  EXPECT_NEAR(b.energy_error, a.energy_error - then.energy_error, 1e-9 * then.kinetic_energy);
  EXPECT_NEAR(
    b.removed_energy, a.removed_energy - then.removed_energy, 1e-9 * std::abs(then.removed_energy));
  EXPECT_EQ(got.exited_id.size(), expected.exited_id.size() - then.lost);
  got.statistics.energy_error = a.energy_error;
  got.statistics.removed_energy = a.removed_energy;
  got.exited_id = expected.exited_id;
  got.exited_position = expected.exited_position;
  EXPECT_SAME_BITS(expected, got);
}

// A checkpoint belongs to its scene: other particles, walls or law are named.
TEST_P(Snapshot, AnotherScenesCheckpoint)
{
  dem::Simulation sim = simulate(smallScene());
  const dem::SnapshotBytes bytes = sim.save();
  dem::Scene more = smallScene();
  addSphere(more, { 0.04, 0.03, 0.1 }, 0.003);
  dem::Scene law = smallScene();
  law.contact.rolling = dem::RollingModel::None;
  for (const dem::Scene& s : { more, law })
  {
    dem::Simulation other = simulate(s);
    EXPECT_NE(errorOf([&] { other.restore(bytes); }), "");
    other.advanceTo(10); // and it still runs
  }
}

// Whichever allocation of a restore fails: the run says so until a state is restored, and is never
// one without its springs. A state that came from another scene is refused before anything is
// touched.
TEST(SnapshotMemory, ARestoreThatFailsHalfWay)
{
  dem::Scene s = busyScene();
  s.output_interval = 0.001;
  dem::Simulation sim(s, { dem::DeviceKind::CPU, 1 });
  sim.advanceTo(2400);
  const dem::SnapshotBytes early = sim.save();
  sim.advanceTo(2600);
  const dem::Frame expected = sim.frame();
  ASSERT_GT(expected.contacts.size, 50u);

  int failed = 0;
  for (bool done = false; !done;)
  {
    dem::Simulation other(s, { dem::DeviceKind::CPU, 1 });
    allocations_left = failed;
    try
    {
      other.restore(early);
      done = allocations_left >= 0;
    }
    catch (const dem::Error& e)
    {
      EXPECT_MENTIONS(e.what(), "Out of memory");
    }
    const bool restored = allocations_left >= 0;
    allocations_left = -1;
    if (!restored)
    {
      EXPECT_MENTIONS(errorOf([&] { other.advanceTo(2600); }), "Out of memory")
        << "allocation " << failed;
      EXPECT_MENTIONS(errorOf([&] { other.frame(); }), "Out of memory") << "allocation " << failed;
      EXPECT_MENTIONS(errorOf([&] { other.save(); }), "Out of memory") << "allocation " << failed;
      ++failed;
      other.restore(early); // and there is memory again
    }
    other.advanceTo(2600);
    EXPECT_SAME_BITS(expected, other.frame());
  }
  EXPECT_GT(failed, 8);
}

// The same of a checkpoint that a timeline loads: its own outputs come back, without the changes of
// the checkpoint.
TEST(SnapshotMemory, ALoadThatFailsHalfWay)
{
  dem::Scene s = busyScene();
  s.output_interval = 0.001;
  s.end_time = 0.004;
  dem::TimelineOptions options;
  options.run = { dem::DeviceKind::CPU, 1 };
  dem::FrameSelection other_arrays = options.selection;
  other_arrays.walls = !other_arrays.walls;
  dem::Timeline plain(s, options), changed(s, options);
  const auto third = plain.at(3).frame, last = plain.at(4).frame;
  changed.steer(2, "Gravity", { 5, 0, 0 });
  const std::vector<std::uint8_t> checkpoint = changed.save(3);

  int failed = 0;
  for (bool done = false; !done; failed += done ? 0 : 3)
  {
    dem::Timeline t(s, options);
    t.at(3); // where the checkpoint is
    allocations_left = failed;
    try
    {
      t.load(checkpoint);
      done = true;
    }
    catch (const dem::Error& e)
    {
      EXPECT_MENTIONS(e.what(), "Out of memory");
    }
    allocations_left = -1;
    if (done)
    {
      EXPECT_NE(firstDifference(*last, *t.at(4).frame), "");
      continue;
    }
    t.select(other_arrays); // drops what was kept
    t.select(options.selection);
    EXPECT_SAME_BITS(*third, *t.at(3).frame);
    EXPECT_SAME_BITS(*plain.at(1).frame, *t.at(1).frame);
    EXPECT_SAME_BITS(*last, *t.at(4).frame);
  }
  EXPECT_GT(failed, 8);
}

PARAGRAIN_ON_ALL_BACKENDS(Snapshot);
