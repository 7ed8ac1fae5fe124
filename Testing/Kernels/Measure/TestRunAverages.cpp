// Averages that the run itself accumulates (port 4): against frames of a run without them that are
// averaged here, in plain loops; equal bits however the run is cut, rewound and restored; what is
// refused.
#include "AveragedFields.h"
#include "BusyScene.h"
#include "HostView.h"

#include "Scene/File/SceneFile.h"
#include "Solver/Timeline.h"

#include <algorithm>
#include <map>

using namespace test;

namespace
{

class RunAverages : public BackendTest
{
protected:
  dem::Scene scene(bool averages = true) const
  {
    dem::Scene s = busyScene();
    s.precision = GetParam().precision;
    s.output_interval = 0.004;
    s.end_time = 0.04;
    s.averages.enabled = averages;
    s.averages.cells = { 5, 3, 6 };
    s.averages.from = 0.0051;
    s.averages.interval =
      0.00137; // neither a multiple of the step nor a part of the output interval
    return s;
  }

  dem::TimelineOptions settings(std::size_t snapshots = 1u << 28, int threads = 0) const
  {
    dem::TimelineOptions o;
    o.run = options(threads);
    o.frame_memory = 1;
    o.snapshot_memory = snapshots;
    return o;
  }

  static std::vector<std::uint64_t> sampleSteps(const dem::Scene& s, double dt, double end)
  {
    std::vector<std::uint64_t> steps;
    const auto first = std::llround(s.averages.from / dt);
    for (int k = 0;; ++k)
    {
      const auto step = first + std::llround(k * s.averages.interval / dt);
      if (step * dt > end * (1 + 1e-12))
      {
        return steps;
      }
      steps.push_back(step);
    }
  }
};

// The fields of one frame. DEM Cell Average itself is tested against other sources in
// TestCellAverage.
std::vector<std::vector<double>> fieldsOf(
  const dem::Frame& f, const dem::CellGrid& grid, int species, const dem::Device& device)
{
  const HostView view(f);
  dem::CellAverageOptions options;
  options.species = species;
  dem::CellAverage engine(device);
  return cellAverages(engine, view.grains(), view.contacts(), grid, options).values;
}

} // namespace

// The sampled run moves as the other one does, and its means and errors are those of the frames of
// the other one.
TEST_P(RunAverages, MeansOfTheFramesOfARunWithout)
{
  const dem::Scene s = scene();
  dem::Simulation run = simulate(s), plain = simulate(scene(false));
  const double dt = plain.plan().time_step;
  const std::vector<std::uint64_t> steps = sampleSteps(s, dt, 0.02);
  ASSERT_GT(steps.size(), 8u);
  const double lower[3] = { s.domain.lower.x, s.domain.lower.y, s.domain.lower.z },
               upper[3] = { s.domain.upper.x, s.domain.upper.y, s.domain.upper.z };
  dem::CellGrid grid = dem::uniformGrid(lower, upper, s.averages.cells.data());
  grid.periodic = { false, true, false };
  std::vector<std::vector<std::vector<double>>> samples;
  for (const std::uint64_t step : steps)
  {
    plain.advanceTo(step);
    samples.push_back(fieldsOf(plain.frame(), grid, 2, plain.device()));
  }
  const auto end = static_cast<std::uint64_t>(std::llround(0.02 / dt));
  plain.advanceTo(end);
  run.advanceTo(end);
  const dem::Frame shown = run.frame();
  dem::Frame without = run.frame();
  without.averages = {};
  EXPECT_SAME_BITS(plain.frame(), without);
  ASSERT_EQ(shown.averages.samples, steps.size());

  const auto fields = dem::cellAverageFields(2);
  ASSERT_EQ(shown.averages.mean.size(), fields.size());
  std::size_t known = 0, unknown = 0;
  for (std::size_t f = 0; f < fields.size(); ++f)
  {
    double scale = 0;
    for (const auto& sample : samples)
    {
      for (double x : sample[f])
      {
        scale = std::max(scale, std::fabs(x));
      }
    }
    EXPECT_GT(scale, 0) << fields[f].name;
    const int components = fields[f].components;
    for (std::size_t i = 0; i < grid.cells() * components; ++i)
    {
      const auto weight = [&](std::size_t k) {
        return fields[f].weight < 0 ? 1 : samples[k][fields[f].weight][i / components];
      };
      double sum = 0, weights = 0, square = 0;
      int n = 0;
      for (std::size_t k = 0; k < samples.size(); ++k)
      {
        sum += weight(k) * samples[k][f][i];
        weights += weight(k);
        n += weight(k) > 0;
      }
      const double mean = n ? sum / weights : 0;
      for (std::size_t k = 0; k < samples.size(); ++k)
      {
        square += std::pow(weight(k) * (samples[k][f][i] - mean), 2);
      }
      ASSERT_NEAR(shown.averages.mean[f][i], mean, 1e-12 * scale) << fields[f].name << " " << i;
      if (n > 1)
      {
        ASSERT_NEAR(
          shown.averages.error[f][i], std::sqrt(square * n / (n - 1)) / weights, 1e-7 * scale)
          << fields[f].name << " " << i;
        ++known;
      }
      else
      {
        ASSERT_TRUE(std::isnan(shown.averages.error[f][i])) << fields[f].name << " " << i;
        ++unknown;
      }
      if (f == 3) // weighed by mass
      {
        ASSERT_EQ(shown.averages.count[i / 3], n);
      }
    }
  }
  EXPECT_GT(known, 500u);
  EXPECT_GT(unknown, 10u);
}

TEST_P(RunAverages, SameBitsHoweverTheRunIsCut)
{
  dem::Simulation straight = simulate(scene());
  std::vector<dem::Frame> expected;
  for (std::uint64_t k = 0; k <= 10; ++k)
  {
    straight.advanceTo(k * straight.plan().steps_per_output);
    expected.push_back(straight.frame());
  }
  ASSERT_EQ(expected[1].averages.samples, 0u);
  ASSERT_GT(expected[10].averages.samples, 20u);

  // rewound, from snapshots and from the start; with one thread
  for (const std::size_t memory : { std::size_t(1) << 28, std::size_t(1) })
  {
    dem::Timeline t(scene(), settings(memory, memory == 1 ? 1 : 0));
    for (std::uint64_t k : { 3, 10, 7, 2, 9, 0, 10 })
    {
      ASSERT_SAME_BITS(expected[k], *t.at(k).frame) << "output " << k;
    }
  }
  // in pieces of 7 steps, stopped by the observer, and with rebuilds of its own
  dem::Simulation pieces = simulate(scene());
  const std::uint64_t end = 10 * pieces.plan().steps_per_output;
  for (int k = 0; pieces.step() < end; ++k)
  {
    int calls = 0;
    pieces.advanceTo(
      std::min(end, pieces.step() + 7), [&](std::uint64_t, double) { return ++calls < 5; });
    if (k % 50 == 0)
    {
      pieces.forceRebuild();
      pieces.frame();
    }
  }
  EXPECT_SAME_BITS(expected[10], pieces.frame());
  // saved between two samples, and at one
  dem::Simulation saved = simulate(scene());
  const std::vector<std::uint64_t> steps = sampleSteps(scene(), saved.plan().time_step, 0.04);
  for (const std::uint64_t step : { steps[0] - 1, steps[0], steps[4] + 3, steps[7] })
  {
    saved.advanceTo(step);
    const dem::SnapshotBytes bytes = saved.save();
    dem::Simulation other = simulate(scene(), 1);
    other.restore(bytes);
    EXPECT_EQ(other.save(), bytes);
    EXPECT_SAME_BITS(saved.frame(), other.frame());
    other.advanceTo(end);
    EXPECT_SAME_BITS(expected[10], other.frame()) << "saved at step " << step;
  }
}

// A change at the time of a sample: the sample shows what was before it, as an output does, in the
// run and in its replay.
TEST_P(RunAverages, AChangeAtASample)
{
  dem::Scene s = scene();
  s.averages.from = 0;
  s.averages.interval = 0; // at the outputs
  dem::Timeline t(s, settings());
  t.at(3);
  t.steer(3, "Gravity", { 0, 0, 20 });
  const auto first = t.at(8).frame;
  EXPECT_EQ(first->averages.samples, 9u);
  t.at(1);
  EXPECT_SAME_BITS(*first, *t.at(8).frame);
  const dem::SnapshotBytes bytes = t.save(3);
  t.load(bytes);
  EXPECT_SAME_BITS(*first, *t.at(8).frame);
}

TEST_P(RunAverages, StatesOfOtherAverages)
{
  dem::Simulation with = simulate(scene()), without = simulate(scene(false));
  const std::uint64_t first = sampleSteps(scene(), with.plan().time_step, 0.04)[0];
  const std::uint64_t end = 10 * with.plan().steps_per_output;
  without.advanceTo(first);
  const dem::SnapshotBytes early = without.save();
  without.advanceTo(first + 1);
  const dem::SnapshotBytes late = without.save();
  with.advanceTo(end);
  const dem::Frame expected = with.frame();

  // before the first sample nothing is missing
  dem::Simulation begun = simulate(scene());
  begun.restore(early);
  begun.advanceTo(end);
  EXPECT_SAME_BITS(expected, begun.frame());
  EXPECT_MENTIONS(errorOf([&] { begun.restore(late); }),
    "holds no averages, and 1 sample of those asked for here lies before");
  EXPECT_SAME_BITS(expected, begun.frame()); // a refused state changes nothing
  dem::Scene finer = scene();
  finer.averages.cells[0] = 6;
  dem::Simulation other = simulate(finer);
  EXPECT_MENTIONS(errorOf([&] { other.restore(with.save()); }), "averages of another grid");
  // and a run without averages has no use for them
  without.restore(with.save());
  EXPECT_EQ(without.frame().averages.samples, 0u);
  dem::Frame plain = with.frame();
  plain.averages = {};
  EXPECT_SAME_BITS(plain, without.frame());

  dem::SnapshotBytes whole = begun.save();
  for (std::size_t cut = 1; cut < 40000; cut = cut * 3 + 1)
  {
    EXPECT_NE(
      errorOf([&] { begun.restore(dem::SnapshotBytes(whole.begin(), whole.end() - cut)); }), "")
      << cut;
  }
}

TEST_P(RunAverages, WhatIsRefused)
{
  const auto refusal = [&](const auto& change) {
    dem::Scene s = scene();
    change(s);
    return errorOf([&] { dem::Simulation sim = simulate(s); });
  };
  EXPECT_MENTIONS(refusal([](dem::Scene& s) {
    s.averages.cells = { 500, 500, 500 };
  }),
    "500 x 500 x 500 cells would take");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) {
    s.averages.cells = { 500, 500, 500 };
  }),
    "GiB of memory; the limit is 4.0 GiB");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.averages.cells[1] = 0; }), "0 cells along y");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.averages.to = 0.1; }),
    "last until 0.1 s, but the run ends at 0.04 s");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.averages.from = 0.05; }),
    "begin at 0.05 s, but the run ends at 0.04 s");
  EXPECT_MENTIONS(
    refusal([](dem::Scene& s) { s.averages.to = 0.001; }), "end at 0.001 s, before they begin");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.averages.from = NAN; }), "begin at nan");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.averages.interval = -1; }), "-1 s");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) { s.domain.limited = false; }), "no bounds");
  EXPECT_MENTIONS(refusal([](dem::Scene& s) {
    s.averages.whole_domain = false;
    s.averages.lower = s.averages.upper = { 0, 0, 0 };
  }),
    "along x");
  dem::Simulation sim = simulate(scene());
  EXPECT_MENTIONS(errorOf([&] { sim.setEnd(0.004); }), "but the run ends at 0.004 s");
}

// No sample is later than `to`; an interval below the step is one step.
TEST_P(RunAverages, TheWindow)
{
  dem::Scene s = scene();
  s.averages.from = 0.004;
  s.averages.to = 0.008;
  s.averages.interval = 1e-12;
  dem::Simulation sim = simulate(s);
  const std::uint64_t per_output = sim.plan().steps_per_output;
  for (std::uint64_t k = 0; k <= 4; ++k)
  {
    sim.advanceTo(k * per_output);
    EXPECT_EQ(sim.frame().averages.samples, k < 1 ? 0 : k == 1 ? 1 : per_output + 1) << k;
  }
}

// The only grain leaves: samples of nothing count where every time counts alike, and nowhere else.
TEST_P(RunAverages, AnEmptyScene)
{
  dem::Scene s = emptyScene();
  s.domain.exit = { dem::Exit::Remove, dem::Exit::Remove, dem::Exit::Remove };
  addSphere(s, { 0.5, 0.5, 0.9985 }, 0.01, { 0, 0, 1 });
  s.averages.enabled = true;
  s.averages.whole_domain = false;
  s.averages.lower = { 0, 0, 0 };
  s.averages.upper = { 1, 1, 2 };
  s.averages.cells = { 1, 1, 2 };
  s.averages.interval = 1e-3;
  s.time_step = 1e-4;
  s.output_interval = s.end_time = 5e-3;
  dem::Simulation sim = simulate(s);
  sim.advanceTo(50);
  const dem::Frame f = sim.frame();
  EXPECT_EQ(f.size, 0u);
  EXPECT_EQ(f.averages.samples, 6u); // it is there in two of them
  const double density = sphereMass(0.01, s.materials[0].density);
  EXPECT_NEAR(f.averages.mean[0][0] + f.averages.mean[0][1], density * 2 / 6, 1e-6 * density);
  EXPECT_NEAR(f.averages.mean[3][2], 1, 1e-6); // velocity, of the samples that had a grain
  EXPECT_EQ(f.averages.count[0], 2);
  s.averages.from = 3e-3;
  dem::Simulation late = simulate(s);
  late.advanceTo(50);
  const dem::AverageArrays none = late.frame().averages;
  EXPECT_EQ(none.samples, 3u);
  for (const auto& mean : none.mean)
  {
    EXPECT_GE(mean.size(), 2u);
    EXPECT_TRUE(std::all_of(mean.begin(), mean.end(), [](double x) { return x == 0; }));
  }
  EXPECT_EQ(none.count[0] + none.count[1], 0);
}

TEST(RunAveragesFile, TheSceneFileDeclaresThem)
{
  const std::string head =
    R"({"version": 1, "particles": {"position": [[0, 0, 0]], "radius": 0.01}, "output_interval": 0.01, "end_time": 0.1)";
  EXPECT_FALSE(dem::parseScene(head + "}", "", "case").averages.enabled);
  const dem::AveragesOptions a = dem::parseScene(
    head + R"(, "averages": {"lower": [0, 1, 2], "upper": [3, 4, 5], "cells": [6, 7, 8],
    "from": 0.01, "to": 0.02, "interval": 0.001, "memory_limit": 2}})",
    "", "case")
                                   .averages;
  dem::AveragesOptions b;
  b.enabled = true;
  b.whole_domain = false;
  b.lower = { 0, 1, 2 };
  b.upper = { 3, 4, 5 };
  b.cells = { 6, 7, 8 };
  b.from = 0.01;
  b.to = 0.02;
  b.interval = 0.001;
  b.memory_limit = 2097152;
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(dem::parseScene(head + R"(, "averages": {}})", "", "case").averages.whole_domain);
  EXPECT_MENTIONS(
    errorOf([&] { dem::parseScene(head + R"(, "averages": {"cells": [0, 1, 1]}})", "", "case"); }),
    "/averages/cells/0");
  EXPECT_MENTIONS(
    errorOf([&] { dem::parseScene(head + R"(, "averages": {"lower": [0, 0, 0]}})", "", "case"); }),
    "upper");
  EXPECT_MENTIONS(
    errorOf([&] { dem::parseScene(head + R"(, "averages": {"to": 1}})", "", "case"); }),
    "the run ends at 0.1 s");
}

PARAGRAIN_ON_ALL_BACKENDS(RunAverages);
