// Runs that several processes share, here threads that exchange bytes only: the same bits on all of
// them as in one, and failures that end all.
#include "BusyBodies.h"
#include "BusyScene.h"
#include "Core/RankChannel.h"
#include "HeatSupport.h"
#include "Measure/MergeFrames.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

using namespace test;

namespace
{

/// The memory that the ranks of a test share.
class Post
{
public:
  explicit Post(int ranks)
    : bytes(ranks)
    , messages(ranks)
    , ranks_(ranks)
  {
  }

  void await()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    const unsigned long round = round_;
    if (++came_ == ranks_)
    {
      came_ = 0;
      ++round_;
      all_.notify_all();
    }
    else
      ASSERT_TRUE(all_.wait_for(lock, std::chrono::seconds(60), [&] { return round_ != round; }))
        << "a rank waits for ever";
  }

  std::vector<dem::RankChannel::Bytes> bytes;
  std::vector<std::vector<dem::RankChannel::Bytes>> messages;

private:
  const int ranks_;
  std::mutex mutex_;
  std::condition_variable all_;
  int came_ = 0;
  unsigned long round_ = 0;
};

class ThreadChannel final : public dem::RankChannel
{
public:
  ThreadChannel(Post& post, int ranks, int rank)
    : post_(post)
    , ranks_(ranks)
    , rank_(rank)
  {
  }
  int ranks() const override { return ranks_; }
  int rank() const override { return rank_; }
  void allGather(const void* mine, std::size_t size, void* all) override
  {
    const auto* begin = static_cast<const std::uint8_t*>(mine);
    post_.bytes[rank_].assign(begin, begin + size);
    post_.await();
    for (int r = 0; r < ranks_; ++r)
    {
      ASSERT_EQ(post_.bytes[r].size(), size) << "ranks gather different things";
      std::memcpy(static_cast<std::uint8_t*>(all) + r * size, post_.bytes[r].data(), size);
    }
    post_.await();
  }
  std::vector<Bytes> exchange(const std::vector<Bytes>& out) override
  {
    post_.messages[rank_] = out;
    post_.await();
    std::vector<Bytes> in;
    for (int r = 0; r < ranks_; ++r)
      in.push_back(post_.messages[r][rank_]);
    post_.await();
    return in;
  }

private:
  Post& post_;
  const int ranks_, rank_;
};

class Ranks : public BackendTest
{
protected:
  /// Calls act(rank, options) on each rank.
  void onRanks(int ranks, const std::function<void(int, const dem::RunOptions&)>& act)
  {
    Post post(ranks);
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; ++r)
      threads.emplace_back([&, r] {
        ThreadChannel channel(post, ranks, r);
        dem::RunOptions options = this->options(1);
        options.ranks = &channel;
        act(r, options);
      });
    for (std::thread& thread : threads)
      thread.join();
  }

  dem::Scene scene() const
  {
    dem::Scene s = busyScene();
    s.precision = GetParam().precision;
    return s;
  }
};

/// The frames of all ranks as one.
dem::Frame joined(const std::vector<dem::Frame>& frames)
{
  dem::Frame whole = dem::mergeFrames(frames);
  whole.walls = frames[0].walls;
  whole.averages = frames[0].averages;
  whole.statistics = frames[0].statistics;
  for (std::size_t r = 0; r < frames.size(); ++r)
  {
    EXPECT_EQ(frames[r].rank, static_cast<int>(r));
    EXPECT_EQ(frames[r].bytes(), frames[0].bytes());
    EXPECT_TRUE(frames.size() == 1 || frames[r].size < whole.size) << "rank " << r;
    EXPECT_TRUE(r == 0 || (frames[r].walls.empty() && frames[r].exited_id.empty()));
    EXPECT_EQ(frames[r].statistics.contacts, whole.contacts.size);
    EXPECT_EQ(frames[r].statistics.kinetic_energy, whole.statistics.kinetic_energy);
  }
  return whole;
}

} // namespace

TEST_P(Ranks, SameBitsForAnyNumber)
{
  dem::Scene s = scene();
  s.averages.enabled = true;
  s.averages.cells = { 5, 3, 6 };
  s.averages.interval = 0.0013;
  s.end_time = 0.04;
  dem::Simulation one = simulate(s);
  const dem::Frame whole = busyFrame(one, 6000);
  const auto state = one.save();
  for (int ranks : { 1, 2, 3, 5 })
  {
    std::vector<dem::Frame> frames(ranks);
    onRanks(ranks, [&](int rank, const dem::RunOptions& options) {
      dem::Simulation sim(s, options);
      sim.advanceTo(6000);
      frames[rank] = sim.frame();
      EXPECT_EQ(frames[rank].statistics.devices, static_cast<unsigned>(ranks));
      EXPECT_TRUE(sim.save() == state);
      EXPECT_EQ(frames[rank].averages.samples, whole.averages.samples);
    });
    EXPECT_SAME_BITS(whole, joined(frames)) << ranks << " ranks";
  }
}

TEST_P(Ranks, HeatTransfer)
{
  dem::Scene s = scene();
  s.heat.model = dem::HeatModel::Conduction;
  s.heat.dissipation = true;
  s.walls[0] = heated(s.walls[0], 400);
  dem::Simulation one = simulate(s);
  one.advanceTo(3000);
  const auto state = one.save();
  std::vector<dem::Frame> frames(3);
  onRanks(3, [&](int rank, const dem::RunOptions& options) {
    dem::Simulation sim(s, options);
    sim.advanceTo(3000);
    frames[rank] = sim.frame(withTemperature());
    EXPECT_TRUE(sim.save() == state);
  });
  EXPECT_SAME_BITS(one.frame(withTemperature()), joined(frames));
}

// Clumps, tablets and polyhedra; and a state that goes on with another number of ranks.
TEST_P(Ranks, Bodies)
{
  for (const Bodies bodies : { kClumps, kMixed })
  {
    SCOPED_TRACE(name(bodies));
    dem::Scene s = heapOf(bodies);
    s.precision = GetParam().precision;
    dem::Simulation one = simulate(s);
    one.advanceTo(1500);
    const auto early = one.save();
    one.advanceTo(3500);
    const dem::Frame whole = one.frame();
    const auto state = one.save();
    for (int ranks : { 2, 3 })
    {
      std::vector<dem::Frame> frames(ranks);
      onRanks(ranks, [&](int rank, const dem::RunOptions& options) {
        dem::Simulation sim(s, options);
        sim.advanceTo(1500);
        EXPECT_TRUE(sim.save() == early);
        sim.advanceTo(3500);
        frames[rank] = sim.frame();
        EXPECT_TRUE(sim.save() == state);
        sim.restore(early);
        sim.advanceTo(3500);
        EXPECT_TRUE(sim.save() == state);
      });
      EXPECT_SAME_BITS(whole, joined(frames)) << ranks << " ranks";
    }
  }
}

// The observer of any rank stops all of them, at the same step.
TEST_P(Ranks, OneStopsAll)
{
  std::uint64_t steps[3] = {};
  onRanks(3, [&](int rank, const dem::RunOptions& options) {
    dem::Simulation sim(scene(), options);
    EXPECT_FALSE(
      sim.advanceTo(4000, [&](std::uint64_t step, double) { return rank != 1 || step < 100; }));
    steps[rank] = sim.step();
    EXPECT_TRUE(sim.advanceTo(steps[rank] + 50));
  });
  EXPECT_GE(steps[0], 100u);
  EXPECT_LT(steps[0], 200u);
  EXPECT_EQ(steps[0], steps[1]);
  EXPECT_EQ(steps[0], steps[2]);
}

// A state goes on with another number of ranks.
TEST_P(Ranks, StatesOfOtherNumbers)
{
  dem::Simulation one = simulate(scene());
  one.advanceTo(1500);
  const auto state = one.save();
  one.advanceTo(2500);
  std::vector<dem::Frame> frames(3);
  onRanks(3, [&](int rank, const dem::RunOptions& options) {
    dem::Simulation sim(scene(), options);
    sim.advanceTo(300);
    sim.restore(state);
    sim.advanceTo(2500);
    frames[rank] = sim.frame();
  });
  EXPECT_SAME_BITS(one.frame(), joined(frames));
}

// A failure of one rank alone ends the step on all, with its message; a state continues.
TEST_P(Ranks, OneFails)
{
  dem::Scene s = scene();
  const dem::Scene good = s;
  onRanks(3, [&](int rank, const dem::RunOptions& options) {
    dem::Simulation sim(good, options);
    const auto state = sim.save();
    const std::string message = errorOf([&] {
      sim.advanceTo(4000, [&](std::uint64_t step, double) {
        if (rank == 2 && step > 50)
          throw dem::Error("rank 2 has lost its memory");
        return true;
      });
    });
    EXPECT_MENTIONS(message, "rank 2 has lost its memory") << "on rank " << rank;
    sim.restore(state);
    EXPECT_TRUE(sim.advanceTo(100));
  });
}

// A rank whose state or device is broken tells the others.
TEST_P(Ranks, OneHasABrokenState)
{
  dem::Simulation one = simulate(scene());
  const auto state = one.save();
  one.advanceTo(200);
  std::vector<dem::Frame> frames(3);
  onRanks(3, [&](int rank, const dem::RunOptions& options) {
    dem::Simulation sim(scene(), options);
    auto broken = state;
    if (rank == 1)
      broken.resize(broken.size() / 2);
    EXPECT_MENTIONS(errorOf([&] { sim.restore(broken); }), "saved state") << "on rank " << rank;
    sim.restore(state);
    sim.advanceTo(200);
    frames[rank] = sim.frame();
    dem::RunOptions wrong = options;
    wrong.threads = rank == 2 ? -1 : 1;
    EXPECT_MENTIONS(errorOf([&] { dem::Simulation(scene(), wrong); }), "-1") << "on rank " << rank;
  });
  EXPECT_SAME_BITS(one.frame(), joined(frames));
}

TEST_P(Ranks, RefusedByName)
{
  onRanks(2, [&](int, const dem::RunOptions& options) {
    dem::Scene s = scene();
    s.fluid.model = dem::FluidModel::GivenField;
    EXPECT_MENTIONS(errorOf([&] { dem::Simulation(s, options); }), "2 processes");
    dem::RunOptions more = options;
    more.devices = 2;
    EXPECT_MENTIONS(errorOf([&] { dem::Simulation(scene(), more); }), "one device each");
  });
}

PARAGRAIN_ON_ALL_BACKENDS(Ranks);
