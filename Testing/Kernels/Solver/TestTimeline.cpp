// design.md, section 4, "the slider is the solver": any output, in any order, under any memory
// budget, shows the same data.
#include "BusyScene.h"

#include "Solver/Timeline.h"

#include <limits>
#include <map>

using namespace test;

namespace
{

class Timeline : public BackendTest
{
protected:
  static constexpr std::uint64_t last = 12;

  dem::Scene scene() const
  {
    dem::Scene s = busyScene();
    s.precision = GetParam().precision;
    s.output_interval = 0.004;
    s.end_time = 0.048;
    return s;
  }

  dem::TimelineOptions settings(
    std::size_t frames = 1u << 28, std::size_t snapshots = 1u << 28) const
  {
    dem::TimelineOptions o;
    o.run = options();
    o.frame_memory = frames;
    o.snapshot_memory = snapshots;
    return o;
  }

  // Frames of a straight run by the bare solver.
  std::vector<dem::Frame> straight() const
  {
    dem::Simulation sim = simulate(scene());
    std::vector<dem::Frame> frames;
    for (std::uint64_t k = 0; k <= last; ++k)
    {
      sim.advanceTo(k * sim.plan().steps_per_output);
      frames.push_back(sim.frame());
    }
    return frames;
  }
};

} // namespace

TEST_P(Timeline, OutputsAndTimes)
{
  dem::Timeline t(scene(), settings());
  ASSERT_EQ(t.outputs(), last + 1);
  for (std::uint64_t k = 0; k <= last; ++k)
  {
    EXPECT_NEAR(t.outputTime(k), 0.004 * k, 1e-15);
    EXPECT_EQ(t.outputAt(0.004 * k), k);
    EXPECT_EQ(t.outputAt(0.004 * k + 1e-12), k);
    EXPECT_EQ(t.outputAt(0.004 * k - 1e-12), k); // a time within 1e-9 counts as the output
    EXPECT_EQ(t.outputAt(0.004 * k + 0.0039), k);
  }
  EXPECT_EQ(t.outputAt(-5), 0u);
  for (double late : { 1e9, 1e18, 1e30, 1e300, std::numeric_limits<double>::infinity() })
    EXPECT_EQ(t.outputAt(late), last) << late;
  EXPECT_EQ(t.outputAt(-1e300), 0u);
}

TEST_P(Timeline, AnyOrderShowsTheStraightRun)
{
  const std::vector<dem::Frame> expected = straight();
  dem::Timeline t(scene(), settings());
  for (std::uint64_t k : { 0, 1, 2, 12, 11, 10, 3, 0, 7, 7, 5, 12, 1, 9, 4, 6, 8 })
  {
    const dem::Timeline::Result r = t.at(k);
    EXPECT_TRUE(r.reached);
    ASSERT_TRUE(r.frame);
    EXPECT_SAME_BITS(expected[k], *r.frame) << "output " << k;
  }
}

// With next to no memory everything is replayed, and still the same.
TEST_P(Timeline, TinyMemory)
{
  const std::vector<dem::Frame> expected = straight();
  const std::size_t one_frame = expected[6].bytes();
  for (std::size_t frames : { std::size_t(0), one_frame, 4 * one_frame })
  {
    for (std::size_t snapshots : { std::size_t(0), std::size_t(300000), std::size_t(1) << 28 })
    {
      dem::Timeline t(scene(), settings(frames, snapshots));
      for (std::uint64_t k : { 3, 12, 2, 7, 0, 8 })
      {
        ASSERT_SAME_BITS(expected[k], *t.at(k).frame)
          << "output " << k << ", frame memory " << frames << ", snapshot memory " << snapshots;
      }
    }
  }
}

// The budgets hold.
TEST_P(Timeline, MemoryIsBounded)
{
  const std::size_t one_frame = straight()[6].bytes();
  dem::Timeline t(scene(), settings(5 * one_frame, 1u << 28));
  for (std::uint64_t k = 0; k <= last; ++k)
  {
    t.at(k);
    EXPECT_LE(t.framesKept(), 6u);
  }
  EXPECT_GE(t.framesKept(), 2u);
  const std::size_t all = t.snapshotsKept();
  EXPECT_GE(all, 3u);
  const std::size_t one = t.save().size();
  t.setMemory(2 * one_frame, 3 * one);
  EXPECT_LE(t.framesKept(), 3u);
  EXPECT_LE(t.snapshotsKept(), 4u);
  const std::vector<dem::Frame> expected = straight();
  for (std::uint64_t k : { 4, 12, 1 })
  {
    EXPECT_SAME_BITS(expected[k], *t.at(k).frame);
  }
}

// A frame in a user's hands stays as it is, whatever the timeline does afterwards.
TEST_P(Timeline, FramesInUseAreNotRewritten)
{
  const std::vector<dem::Frame> expected = straight();
  dem::Timeline t(scene(), settings(0, 0));
  std::map<std::uint64_t, std::shared_ptr<const dem::Frame>> held;
  for (std::uint64_t k : { 5, 12, 2, 9, 0 })
  {
    held[k] = t.at(k).frame;
  }
  for (const auto& [k, frame] : held)
  {
    EXPECT_SAME_BITS(expected[k], *frame) << "output " << k;
  }
}

// The observer stops a long advance: the instant that was reached is shown, no step is computed for
// it, and the next request goes on from there and arrives at the same data.
TEST_P(Timeline, InterruptedAndContinued)
{
  const std::vector<dem::Frame> expected = straight();
  for (std::size_t memory : { std::size_t(1) << 28, std::size_t(0) })
  {
    dem::Timeline t(scene(), settings(memory, memory));
    dem::Simulation sim = simulate(scene());
    int interruptions = 0;
    dem::Timeline::Result r;
    std::uint64_t reached_step = 0;
    for (int i = 0; i < 100; ++i)
    {
      std::uint64_t stopped_at = 0;
      r = t.at(last, [&](std::uint64_t step, double) {
        stopped_at = step;
        return step < reached_step + 700;
      });
      ASSERT_TRUE(r.frame);
      if (r.reached)
      {
        break;
      }
      ++interruptions;
      EXPECT_EQ(t.simulation().step(), stopped_at);
      EXPECT_GE(stopped_at, reached_step + 700);
      reached_step = stopped_at;
      sim.advanceTo(stopped_at);
      EXPECT_SAME_BITS(sim.frame(), *r.frame);
    }
    EXPECT_TRUE(r.reached);
    EXPECT_GT(interruptions, 3);
    EXPECT_SAME_BITS(expected[last], *r.frame);
    EXPECT_SAME_BITS(expected[3], *t.at(3).frame);
  }
}

TEST_P(Timeline, OtherArrays)
{
  const std::vector<dem::Frame> expected = straight();
  dem::TimelineOptions o = settings();
  o.selection = motionOnly();
  dem::Timeline t(scene(), o);
  EXPECT_TRUE(t.at(8).frame->stress.empty());
  EXPECT_TRUE(t.at(4).frame->contacts.ids.empty());
  t.select({});
  for (std::uint64_t k : { 4, 8, 2, 12 })
  {
    EXPECT_SAME_BITS(expected[k], *t.at(k).frame) << "output " << k;
  }
}

// A change at an output stays a part of the run: before it nothing differs, after it everything is
// as if it had been in the scene from the start.
TEST_P(Timeline, SteeredRunsAreReplayed)
{
  const std::vector<dem::Frame> plain = straight();
  dem::Timeline t(scene(), settings());
  t.at(9);
  t.steer(4, "Gravity", { 0, 0, -3 });
  t.at(8);
  t.steer(8, "Friction", { 0.05 });
  const dem::Frame end = *t.at(last).frame;
  for (std::uint64_t k : { 4, 2, 0, 3 })
  {
    EXPECT_SAME_BITS(plain[k], *t.at(k).frame) << "before the change, output " << k;
  }
  EXPECT_NE(firstDifference(plain[6], *t.at(6).frame), "");
  EXPECT_SAME_BITS(end, *t.at(last).frame);

  dem::Scene s = scene();
  s.events = t.simulation().scene().events;
  ASSERT_EQ(s.events.size(), 2u);
  dem::Simulation sim = simulate(s);
  sim.advanceTo(last * sim.plan().steps_per_output);
  EXPECT_SAME_BITS(end, sim.frame());

  dem::TimelineOptions tiny = settings(0, 0);
  dem::Timeline other(s, tiny);
  EXPECT_SAME_BITS(*t.at(7).frame, *other.at(7).frame);
  EXPECT_SAME_BITS(end, *other.at(last).frame);
  EXPECT_SAME_BITS(plain[3], *other.at(3).frame);
}

// The moment of a change shows what was, whether the solver came to it by stepping or by a snapshot
// of that very moment.
TEST_P(Timeline, TheMomentOfAChangeIsBeforeIt)
{
  const std::vector<dem::Frame> plain = straight();
  dem::Timeline t(scene(), settings());
  t.at(8);
  t.steer(8, "YoungsModulus", { 0.7 * scene().materials[0].youngs_modulus });
  const dem::Frame end = *t.at(last).frame;
  dem::Scene s = scene();
  s.events = t.simulation().scene().events;
  dem::Timeline other(s, settings());
  EXPECT_SAME_BITS(end, *other.at(last).frame);
  EXPECT_SAME_BITS(plain[8], *other.at(8).frame);
  EXPECT_SAME_BITS(end, *other.at(last).frame);
  EXPECT_NE(firstDifference(plain[9], *other.at(9).frame), "");
}

TEST_P(Timeline, SavedAtAnEarlierOutput)
{
  const std::vector<dem::Frame> expected = straight();
  dem::SnapshotBytes bytes;
  {
    dem::Timeline t(scene(), settings());
    t.at(9);
    bytes = t.save(4);
    EXPECT_SAME_BITS(expected[11], *t.at(11).frame);
  }
  dem::Timeline t(scene(), settings());
  t.load(bytes);
  EXPECT_EQ(t.simulation().step(), 4 * t.simulation().plan().steps_per_output);
  EXPECT_SAME_BITS(expected[4], *t.at(4).frame);
  EXPECT_SAME_BITS(expected[last], *t.at(last).frame);
}

TEST_P(Timeline, AnotherEnd)
{
  const std::vector<dem::Frame> expected = straight();
  dem::Scene shorter = scene();
  shorter.end_time = 5 * shorter.output_interval;
  dem::Timeline t(shorter, settings());
  EXPECT_SAME_BITS(expected[5], *t.at(99).frame);
  const std::uint64_t reached = t.simulation().step();
  t.setEnd(scene().end_time);
  EXPECT_EQ(t.simulation().step(), reached);
  EXPECT_EQ(t.outputs(), last + 1);
  EXPECT_SAME_BITS(expected[last], *t.at(99).frame);
  EXPECT_SAME_BITS(expected[3], *t.at(3).frame);
  t.setEnd(shorter.end_time);
  EXPECT_SAME_BITS(expected[5], *t.at(99).frame);
  EXPECT_THROW(t.setEnd(-1), dem::Error);
  EXPECT_EQ(t.outputs(), 6u);
}

TEST_P(Timeline, LoadedCheckpoint)
{
  const std::vector<dem::Frame> expected = straight();
  dem::SnapshotBytes bytes;
  {
    dem::Timeline t(scene(), settings());
    t.at(7);
    bytes = t.save();
  }
  dem::Timeline t(scene(), settings());
  t.load(bytes);
  const std::uint64_t per = t.simulation().plan().steps_per_output;
  EXPECT_EQ(t.simulation().step(), 7 * per);
  EXPECT_SAME_BITS(expected[9], *t.at(9).frame);
  EXPECT_SAME_BITS(expected[7], *t.at(7).frame);
  EXPECT_SAME_BITS(expected[2], *t.at(2).frame); // before the checkpoint: replayed from the start
  EXPECT_SAME_BITS(expected[12], *t.at(12).frame);
}

// States at an interval that is no multiple of the outputs: each once and at its step, whatever is
// requested, and a run that continues from one has the bits of a straight one.
TEST_P(Timeline, StoresAtAnInterval)
{
  const std::vector<dem::Frame> expected = straight();
  dem::Timeline t(scene(), settings());
  const double interval = 0.0075, dt = t.simulation().plan().time_step;
  std::map<std::uint64_t, dem::SnapshotBytes> stored;
  std::vector<std::uint64_t> steps;
  t.storeEvery(interval, [&](const dem::SnapshotBytes& state, std::uint64_t number) {
    EXPECT_TRUE(stored.emplace(number, state).second) << "stored twice: " << number;
    steps.push_back(t.simulation().step());
  });
  for (std::uint64_t k : { 0, 1, 5, 2, 5, 3, 12, 4, 12 })
    EXPECT_SAME_BITS(expected[k], *t.at(k).frame) << "output " << k;
  ASSERT_EQ(stored.size(), 6u);
  for (std::uint64_t n = 1; n <= 6; ++n)
  {
    EXPECT_EQ(steps[n - 1], std::llround(n * interval / dt)) << n;
    dem::Timeline other(scene(), settings());
    std::size_t more = 0;
    other.storeEvery(interval, [&](const dem::SnapshotBytes&, std::uint64_t number) {
      EXPECT_EQ(number, n + ++more); // goes on with the next one
    });
    other.load(stored.at(n));
    EXPECT_SAME_BITS(expected[12], *other.at(12).frame) << "from state " << n;
    EXPECT_EQ(more, 6 - n);
  }
  t.storeEvery(0, {});
  EXPECT_SAME_BITS(expected[12], *t.at(12).frame);
  EXPECT_EQ(stored.size(), 6u);
}

// A state that cannot be stored stops the run there, with the error; the next request tries again.
TEST_P(Timeline, AStoreMayFail)
{
  const std::vector<dem::Frame> expected = straight();
  dem::Timeline t(scene(), settings());
  bool full = true;
  std::vector<std::uint64_t> stored;
  t.storeEvery(0.01, [&](const dem::SnapshotBytes&, std::uint64_t number) {
    if (full)
      throw dem::Error("no room");
    stored.push_back(number);
  });
  EXPECT_SAME_BITS(expected[2], *t.at(2).frame);
  for (int k = 0; k < 2; ++k)
  {
    EXPECT_THROW(t.at(12), dem::Error);
    EXPECT_NEAR(t.simulation().time(), 0.01, 1e-9);
  }
  full = false;
  EXPECT_SAME_BITS(expected[12], *t.at(12).frame);
  EXPECT_EQ(stored, (std::vector<std::uint64_t>{ 1, 2, 3, 4 }));
}

// A change where a state is due that cannot be stored: the run goes on with the change, and stores
// that state once there is room.
TEST_P(Timeline, AChangeNeedsNoRoom)
{
  dem::Timeline plain(scene(), settings());
  plain.at(2);
  plain.steer(2, "Gravity", { 0, 0, -1 });
  const dem::Frame expected = *plain.at(12).frame;
  dem::Timeline t(scene(), settings());
  bool full = true;
  std::map<std::uint64_t, dem::SnapshotBytes> stored;
  t.storeEvery(t.outputTime(2), [&](const dem::SnapshotBytes& state, std::uint64_t number) {
    if (full)
      throw dem::Error("no room");
    EXPECT_TRUE(stored.emplace(number, state).second) << "stored twice: " << number;
  });
  EXPECT_THROW(t.at(12), dem::Error);
  EXPECT_NEAR(t.simulation().time(), t.outputTime(2), 1e-9);
  EXPECT_NO_THROW(t.steer(2, "Gravity", { 0, 0, -1 }));
  EXPECT_THROW(t.at(12), dem::Error); // the state is still due
  full = false;
  EXPECT_SAME_BITS(expected, *t.at(12).frame);
  ASSERT_EQ(stored.size(), 6u);
  dem::Timeline other(scene(), settings());
  other.load(stored.at(1)); // brings the change
  EXPECT_SAME_BITS(expected, *other.at(12).frame);
}

// An interval shorter than a step is refused and changes nothing.
TEST_P(Timeline, AStoreIntervalIsAtLeastAStep)
{
  dem::Timeline t(scene(), settings());
  std::vector<std::uint64_t> stored;
  const auto store = [&](const dem::SnapshotBytes&, std::uint64_t n) { stored.push_back(n); };
  t.storeEvery(0.01, store);
  const double step = t.simulation().plan().time_step;
  for (double interval : { 1e-300, 1e-9, 0.5 * step, 0.999 * step })
  {
    const std::string error = errorOf([&] { t.storeEvery(interval, store); });
    EXPECT_MENTIONS(error, "CheckpointInterval");
    EXPECT_MENTIONS(error, "shorter than the time step");
  }
  t.at(12);
  EXPECT_EQ(stored, (std::vector<std::uint64_t>{ 1, 2, 3, 4 }));
  stored.clear();
  dem::Timeline each(scene(), settings());
  each.storeEvery(step, store);
  each.at(1);
  EXPECT_EQ(stored.size(), each.simulation().plan().steps_per_output);
}

// What a change during the run makes obsolete is stored again.
TEST_P(Timeline, ChangedRunsAreStoredAgain)
{
  dem::Timeline t(scene(), settings());
  std::vector<std::uint64_t> stored;
  t.storeEvery(
    0.01, [&](const dem::SnapshotBytes&, std::uint64_t number) { stored.push_back(number); });
  t.at(12);
  t.steer(5, "Gravity", { 0, 0, -1 });
  t.at(12);
  EXPECT_EQ(stored, (std::vector<std::uint64_t>{ 1, 2, 3, 4, 3, 4 }));
}

// Whatever fails, what came before it stays: outputs to the bit, checkpoints, and changes that cure
// it. What failed says so each time.
TEST_P(Timeline, AFailureKeepsWhatCameBefore)
{
  const std::vector<dem::Frame> expected = straight();
  const auto& gravity = scene().gravity;
  for (std::uint64_t k : { 4, 5 }) // the step after this output fails
  {
    dem::Timeline t(scene(), settings());
    const auto fails = [&](std::uint64_t output) { return errorOf([&] { t.at(output); }); };
    const auto standsAt = [&](std::uint64_t output) {
      return t.simulation().step() == output * t.simulation().plan().steps_per_output;
    };
    t.steer(k, "Gravity", { 0, 0, -1e300 });
    const std::string error = fails(k + 1);
    EXPECT_MENTIONS(error, "no longer at a finite place");
    ASSERT_TRUE(standsAt(k));
    EXPECT_EQ(fails(k + 1), error);
    EXPECT_EQ(fails(last), error);
    t.select(motionAndContacts());
    t.select({}); // forgets what was shown
    EXPECT_SAME_BITS(expected[k], *t.at(k).frame) << "output " << k;
    EXPECT_EQ(fails(k + 1), error);
    EXPECT_SAME_BITS(expected[2], *t.at(2).frame);
    EXPECT_EQ(fails(k + 2), error);
    EXPECT_SAME_BITS(expected[k], *t.at(k).frame) << "output " << k;

    ASSERT_TRUE(standsAt(k));
    for (const dem::SnapshotBytes& bytes : { t.save(), t.save(k) })
    {
      dem::Timeline other(scene(), settings());
      other.load(bytes);
      EXPECT_SAME_BITS(expected[k], *other.at(k).frame) << "output " << k;
      EXPECT_EQ(errorOf([&] { other.at(k + 1); }), error);
    }

    EXPECT_EQ(fails(k + 1), error);
    ASSERT_TRUE(standsAt(k));
    t.steer(k, "Gravity", { gravity.x, gravity.y, gravity.z });
    EXPECT_SAME_BITS(expected[last], *t.at(last).frame);
    EXPECT_SAME_BITS(expected[k + 1], *t.at(k + 1).frame);
  }
}

// An overlap that is found where the run should stop: no frame of it, however often it is asked
// for.
TEST_P(Timeline, AFailureAtAnOutput)
{
  dem::Scene s = emptyScene();
  s.precision = GetParam().precision;
  s.materials[0].youngs_modulus = 1e4;
  s.materials[0].density = 8000;
  addSphere(s, { -0.2, 0, 0 }, 0.02, { 60, 0, 0 });
  addSphere(s, { 0.2, 0, 0 }, 0.02, { -60, 0, 0 });
  setSteps(s, 1e-5, 2000);
  dem::Simulation sim = simulate(s);
  std::string error;
  while (error.empty() && sim.step() < 2000)
    try
    {
      advance(sim, 1);
    }
    catch (const dem::Error& e)
    {
      error = e.what();
    }
  EXPECT_MENTIONS(error, "overlap");
  EXPECT_EQ(sim.frame().step, sim.step()) << "forces and places of the same step can be shown";
  EXPECT_MENTIONS(errorOf([&] { sim.save(); }), error);

  setSteps(s, 1e-5, sim.step());
  s.end_time = 3 * s.output_interval;
  dem::Timeline t(s, settings());
  const auto start = t.at(0).frame;
  for (int i = 0; i < 3; ++i)
  {
    EXPECT_EQ(errorOf([&] { t.at(1); }), error);
    EXPECT_EQ(errorOf([&] { t.at(2); }), error);
    EXPECT_EQ(errorOf([&] { t.save(); }), error);
    EXPECT_EQ(errorOf([&] { t.steer(1, "Gravity", { 0, 0, 0 }); }), error);
  }
  EXPECT_EQ(t.framesKept(), 1u);
  EXPECT_TRUE(t.simulation().scene().events.empty());
  EXPECT_SAME_BITS(*start, *t.at(0).frame);
}

PARAGRAIN_ON_ALL_BACKENDS(Timeline);
