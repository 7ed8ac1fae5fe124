// The parts of a run in one process, each on its own device or threads, and what they give together.
// A run on one device has one part. Used by SimulationOn.cuh.
#pragma once

#include "Domain/PartThreads.h"
#include "Measure/FrameMaker.cuh"
#include "Measure/Measurement.cuh"
#include "Measure/MergeFrames.h"
#include "Solver/Engine.cuh"
#include "Solver/SimulationBackend.h"
#include "State/StateWriter.cuh"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace dem
{

/// The engine of one part, and what measures and saves its state.
template <class Exec, class Real>
struct RunPart
{
  RunPart(const Scene& scene, const StepPlan& plan, RunFailure& failed, const Device& device,
    std::uint64_t run, int argument, const PartOfRun& part)
    : exec(argument)
    , failure(failed)
    , engine(exec, scene, plan, failure, part)
    , frames(exec, engine.owners, measurement, device, run)
  {
  }

  void prepareMeasurement()
  {
    engine.prepareMeasurement();
    measurement.prepare(engine.presentRequest(), engine.closingRates());
  }

  Exec exec;
  RunFailure& failure;
  Engine<Exec, Real> engine;
  Measurement<Exec, Real> measurement{ exec, engine.owners };
  FrameMaker<Exec, Real> frames;
  StateWriter<Exec, Real> states{ exec, engine.owners, measurement };
};

template <class Exec, class Real>
class RunParts
{
public:
  using Part = RunPart<Exec, Real>;

  /// `arguments`: of the execution policy of each part. The run owns scene, plan and failure.
  RunParts(const Scene& scene, const StepPlan& plan, RunFailure& failure, const Device& device,
    std::uint64_t run, const std::vector<int>& arguments)
    : failure_(failure)
    , failures_(arguments.size())
    , threads_(static_cast<int>(arguments.size()))
  {
    const bool several = arguments.size() > 1;
    for (std::size_t p = 0; p < arguments.size(); ++p)
      parts_.push_back(std::make_unique<Part>(scene, plan, several ? failures_[p] : failure, device,
        run, arguments[p],
        several ? PartOfRun{ &threads_.meeting(), static_cast<int>(p), device.peer_access }
                : PartOfRun{}));
  }

  std::size_t size() const { return parts_.size(); }
  /// Particles of the largest part over the mean.
  double imbalance() const { return several() ? parts_[0]->engine.domain->imbalance() : 1; }
  bool several() const { return parts_.size() > 1; }
  /// The only part, or the one that holds what belongs to the whole run: the value of the energy
  /// balance at the start, and the totals of a restored state.
  Part& first() { return *parts_[0]; }
  const Part& first() const { return *parts_[0]; }
  const std::vector<std::unique_ptr<Part>>& all() const { return parts_; }

  /// Calls act(part) for all parts at the same time, each in its thread with its device current.
  template <class Act>
  void each(const Act& act)
  {
    if (!several())
      return first().exec.inArena([&] { act(first()); });
    for (RunFailure& failure : failures_)
      failure.clear();
    try
    {
      threads_.run([&](int p) { parts_[p]->exec.inArena([&] { act(*parts_[p]); }); });
    }
    catch (const std::exception& e)
    {
      for (const RunFailure& failure : failures_)
        if (failure.isHalfDone() || failure.happened())
          failure_.setHalfDone(true); // the parts may be at different steps
      throw;
    }
  }

  /// Requires Measurement::prepare() of all parts, like all functions below.
  Frame frame(const FrameSelection& selection, std::uint64_t step, double time,
    const std::vector<Wall>& walls)
  {
    Frame f = grains(selection, step, time);
    f.statistics = measured();
    first().frames.addWalls(f, walls);
    return f;
  }
  /// The present instant as a sample for the averages of the run, valid until the next call.
  const DeviceFrame& sample(std::uint64_t step, double time)
  {
    if (!several())
      return first().frames.sample(step, time);
    return first().frames.sample(grains(RunAverages::selection(false), step, time));
  }
  /// The grains for the rays of a spray, valid until the next call; see FrameMaker::rayGrains().
  RayGrains rayGrains(std::vector<std::int64_t>& ids, bool turned, std::uint64_t step, double time)
  {
    if (!several())
      return first().frames.rayGrains(ids, turned);
    return first().frames.rayGrains(grains(first().frames.raySelection(turned), step, time), ids);
  }

  /// Measures the energies and contacts of all parts.
  Statistics statistics()
  {
    each([](Part& part) { part.measurement.measure(nullptr, nullptr, nullptr); });
    return measured();
  }

  std::vector<std::uint8_t> save(StateHeader header)
  {
    header.particles = 0;
    for (const auto& part : parts_)
      header.particles += part->engine.particles.owned();
    header.exited = exits();
    header.booked = booked();
    header.lost = lost();
    if (!several())
      return first().states.write(header);
    std::vector<typename StateWriter<Exec, Real>::PartColumns> columns(size());
    std::vector<typename StateWriter<Exec, Real>::PartContacts> contacts(size());
    each([&](Part& part) {
      columns[indexOf(part)] = part.states.columns();
      contacts[indexOf(part)] = part.states.contacts();
    });
    return first().states.write(header, order(), columns, contacts);
  }

  /// Grains that left, in ascending Id.
  std::vector<ExitedGrain> exits()
  {
    std::vector<ExitedGrain> all;
    for (const auto& part : parts_)
    {
      const std::vector<ExitedGrain>& some = part->engine.exited.all();
      all.insert(all.end(), some.begin(), some.end());
    }
    if (several())
      std::sort(all.begin(), all.end(),
        [](const ExitedGrain& a, const ExitedGrain& b) { return a.id < b.id; });
    return all;
  }
  std::uint64_t lost() const
  {
    std::uint64_t sum = 0;
    for (const auto& part : parts_)
      sum += part->engine.rebuild.lost;
    return sum;
  }
  std::size_t deviceBytes() const
  {
    std::size_t sum = 0;
    for (const auto& part : parts_)
      sum += part->exec.allocatedBytes() + part->frames.deviceBytes();
    return sum;
  }

  /// Candidate pairs of all parts, in ascending Ids.
  std::vector<CandidatePair> candidatePairs()
  {
    std::vector<CandidatePair> pairs;
    each([](Part& part) { part.engine.settle(); });
    for (const auto& part : parts_)
      part->exec.inArena([&] {
        const auto ids = part->engine.particles.hostIds();
        part->engine.rebuild.visitCandidates([&](std::uint32_t i, std::uint32_t j) {
          pairs.push_back({ ids[i], ids[j] });
        });
      });
    std::sort(pairs.begin(), pairs.end(), [](const CandidatePair& a, const CandidatePair& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return pairs;
  }

  /// Counts of the first part, and sums of its particles and entries over all parts.
  SearchCounts searchCounts()
  {
    SearchCounts all;
    for (const auto& part : parts_)
      part->exec.inArena([&] {
        SearchCounts c;
        part->engine.settle();
        part->engine.rebuild.count(c);
        if (part == parts_[0])
          all = c;
        else
        {
          all.particles += c.particles;
          all.list_entries += c.list_entries;
          all.wall_entries += c.wall_entries;
          all.device_bytes += c.device_bytes;
        }
      });
    return all;
  }

private:
  // Grains, contacts and exits of all parts.
  Frame grains(const FrameSelection& selection, std::uint64_t step, double time)
  {
    std::vector<Frame> frames(size());
    each([&](Part& part) { frames[indexOf(part)] = part.frames.make(selection, step, time); });
    return several() ? mergeFrames(frames) : std::move(frames[0]);
  }

  std::size_t indexOf(const Part& part) const
  {
    std::size_t p = 0;
    while (parts_[p].get() != &part)
      ++p;
    return p;
  }

  EnergyTotals booked() const
  {
    EnergyTotals sum = parts_[0]->engine.particles.energies.totals();
    for (std::size_t p = 1; p < size(); ++p)
      sum += parts_[p]->engine.particles.energies.totals();
    return sum;
  }

  // Order of the grains of all parts in ascending Id.
  IdMerge order()
  {
    std::vector<std::vector<std::int64_t>> ids(size());
    each([&](Part& part) { ids[indexOf(part)] = part.engine.particles.ownedIds(); });
    return IdMerge(std::move(ids));
  }

  // Sum over all grains in ascending Id, in the blocks of FixedSum.cuh, as a run with one part adds
  // them.
  Tally sumOfParts()
  {
    const IdMerge ids = order();
    std::vector<Tally> each(ids.size()), partial(sumBlocks(ids.size()));
    for (std::size_t p = 0; p < size(); ++p)
      for (std::size_t k = 0; k < ids.ranks(p).size(); ++k)
        each[ids.ranks(p)[k]] = parts_[p]->measurement.tallies()[k];
    Tally total;
    const SumBlocks<Tally> sum{ each.data(), each.size(), partial.data() };
    for (unsigned b = 0; b < partial.size(); ++b)
    {
      sum(b);
      total += partial[b];
    }
    return total;
  }

  Statistics measured()
  {
    std::uint64_t grains = 0;
    for (const auto& part : parts_)
      grains += part->measurement.grains();
    return Measurement<Exec, Real>::statistics(several() ? sumOfParts() : first().measurement.tally(),
      booked(), exits(), first().engine.particles.energies.at_start, grains);
  }

  RunFailure& failure_;
  std::vector<RunFailure> failures_; // of several parts
  PartThreads threads_;
  std::vector<std::unique_ptr<Part>> parts_;
};

} // namespace dem
