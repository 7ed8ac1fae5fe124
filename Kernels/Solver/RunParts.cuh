// The parts of a run, each on its own device or threads, and what they give together. The parts are
// in this process, or in several, one each. A run on one device has one part. Used by
// SimulationOn.cuh.
#pragma once

#include "Domain/PartThreads.h"
#include "Domain/RankLink.h"
#include "Heat/HeatStage.cuh"
#include "Measure/FrameMaker.cuh"
#include "Measure/Measurement.cuh"
#include "Measure/MergeFrames.h"
#include "Solver/Engine.cuh"
#include "Solver/SimulationBackend.h"
#include "State/StateWriter.cuh"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
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
    if (engine.domain)
      engine.domain->prepareFrame();
    measurement.prepare(engine.presentRequest(), engine.closingRates());
  }

  Exec exec;
  RunFailure& failure;
  Engine<Exec, Real> engine;
  Measurement<Exec, Real> measurement{ exec, engine.owners };
  FrameMaker<Exec, Real> frames;
  StateWriter<Exec, Real> states{ exec, engine.owners, measurement };
  std::unique_ptr<HeatStage<Exec, Real>> heat; // of RunHeat
};

template <class Exec, class Real>
class RunParts
{
public:
  using Part = RunPart<Exec, Real>;
  /// Values of several parts.
  template <class T>
  using Many = std::vector<std::vector<T>>;

  /// `arguments`: of the execution policy of each part. The run owns scene, plan and failure.
  RunParts(const Scene& scene, const StepPlan& plan, RunFailure& failure, const Device& device,
    std::uint64_t run, const std::vector<int>& arguments)
    : failure_(failure)
    , failures_(arguments.size())
    , threads_(static_cast<int>(arguments.size()))
  {
    if (device.ranks)
      ranks_ = std::make_unique<RankLink>(*device.ranks);
    const bool several = arguments.size() > 1;
    together([&] {
      for (std::size_t p = 0; p < arguments.size(); ++p)
      {
        PartOfRun part;
        if (ranks_)
          part = { ranks_.get(), ranks_->own(), false };
        else if (several)
          part = { &threads_.link(), static_cast<int>(p), device.peer_access };
        parts_.push_back(std::make_unique<Part>(
          scene, plan, several ? failures_[p] : failure, device, run, arguments[p], part));
      }
    });
  }

  /// Number of parts in this process, and in all.
  std::size_t size() const { return parts_.size(); }
  std::size_t inAll() const { return ranks_ ? ranks_->parts() : size(); }
  /// Particles of the largest part over the mean.
  double imbalance() const { return several() ? parts_[0]->engine.domain->imbalance() : 1; }
  bool several() const { return inAll() > 1; }
  /// The only part, or the one that holds what belongs to the whole run: the value of the energy
  /// balance at the start, and the totals of a restored state.
  Part& first() { return *parts_[0]; }
  const Part& first() const { return *parts_[0]; }
  const std::vector<std::unique_ptr<Part>>& all() const { return parts_; }

  /// Calls act(part) for all parts of this process at the same time, each in its thread with its
  /// device current. All processes must call it together.
  template <class Act>
  void each(const Act& act)
  {
    if (size() == 1)
      return together([&] { first().exec.inArena([&] { act(first()); }); }, true);
    for (RunFailure& failure : failures_)
      failure.clear();
    try
    {
      threads_.run([&](int p) { parts_[p]->exec.inArena([&] { act(*parts_[p]); }); });
    }
    catch (const std::exception& e)
    {
      finishAll();
      failure_.set(e.what());
      failure_.setHalfDone(true); // the parts may be at different steps
      throw;
    }
  }

  /// Returns act(), which all processes call together: if it throws in one, it throws in all. With
  /// `steps`, the parts may then be at different steps.
  template <class Act>
  auto together(const Act& act, bool steps = false) -> decltype(act())
  {
    if (!ranks_)
      return act();
    std::string failure;
    try
    {
      if constexpr (std::is_void_v<decltype(act())>)
      {
        act();
        return ranks_->await(ranks_->own()); // the others have done it, too
      }
      else
      {
        auto result = act();
        ranks_->await(ranks_->own());
        return result;
      }
    }
    catch (const OtherPartFailed& e)
    {
      failure = e.what();
    }
    catch (const std::exception& e)
    {
      failure = ranks_->fail(e.what());
    }
    if (steps)
    {
      failure_.set(failure);
      failure_.setHalfDone(true);
    }
    throw OtherPartFailed(failure); // all know it, also where calls are nested
  }
  /// Whether `here` returns true in any process.
  bool any(const std::function<bool()>& here)
  {
    return ranks_ ? together([&] { return ranks_->any(ranks_->own(), here()); }, true) : here();
  }

  /// The frame of the parts here. Requires Measurement::prepare() of all parts, like all functions
  /// below.
  Frame frame(const FrameSelection& selection, std::uint64_t step, double time,
    const std::vector<Wall>& walls)
  {
    Frame f = grainsHere(selection, step, time);
    f.statistics = measured();
    if (ranks_)
      addWholeRun(f, walls);
    else
      first().frames.addWalls(f, walls);
    first().frames.completeContacts(f);
    return f;
  }
  /// Makes the ranks that share the run agree about the size of a frame that is complete.
  void agreeOnSize(Frame& f)
  {
    if (ranks_)
      f.most_bytes = ranks_->most(ranks_->own(), f.bytes());
  }
  /// The present instant as a sample for the averages of the run, valid until the next call.
  const DeviceFrame& sample(std::uint64_t step, double time)
  {
    if (!several())
      return first().frames.sample(step, time);
    const bool heat = first().engine.particles.hasHeat();
    return first().frames.sample(grains(RunAverages::selection(heat), step, time));
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
    header.particles = sumOver([](Part& part) { return part.engine.particles.owned(); });
    header.exited = &exits();
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
    const BodyArrays bodies = first().engine.bodies.arrays(
      ofAllParts([](Part& part) { return part.engine.bodies.rows(); }));
    return first().states.write(
      header, particleOrder(), columnsOfAll(columns), contactsOfAll(contacts), bodies);
  }

  /// of(part), a vector, of all parts.
  template <class Of>
  auto ofAllParts(const Of& of) -> std::vector<decltype(of(first()))>
  {
    std::vector<decltype(of(first()))> here(size());
    each([&](Part& part) { here[indexOf(part)] = of(part); });
    return ofAll(std::move(here));
  }
  /// Sum over all grains in ascending Id, in the blocks of FixedSum.cuh, as a run with one part
  /// adds them. of(part): values of its grains in ascending Id.
  template <class Of>
  auto sumInIds(const Of& of) -> typename decltype(of(first()))::value_type
  {
    using Value = typename decltype(of(first()))::value_type;
    const IdMerge ids = grainOrder();
    const Many<Value> of_parts = ofAllParts(of);
    std::vector<Value> every(ids.size()), partial(sumBlocks(ids.size()));
    for (std::size_t p = 0; p < of_parts.size(); ++p)
      for (std::size_t k = 0; k < of_parts[p].size(); ++k)
        every[ids.ranks(p)[k]] = of_parts[p][k];
    Value total{};
    const SumBlocks<Value> sum{ every.data(), every.size(), partial.data() };
    for (unsigned b = 0; b < partial.size(); ++b)
    {
      sum(b);
      total += partial[b];
    }
    return total;
  }

  /// Grains that left, in ascending Id.
  const std::vector<ExitedGrain>& exits()
  {
    if (!several())
      return first().engine.exited.all();
    exits_.clear();
    for (const std::vector<ExitedGrain>& some :
      ofAllParts([](Part& part) { return part.engine.exited.all(); }))
      exits_.insert(exits_.end(), some.begin(), some.end());
    std::sort(exits_.begin(), exits_.end(),
      [](const ExitedGrain& a, const ExitedGrain& b) { return a.id < b.id; });
    return exits_;
  }
  std::uint64_t lost()
  {
    return sumOver([](Part& part) { return part.engine.rebuild.lost; });
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
    std::vector<std::vector<CandidatePair>> of_parts(size());
    each([&](Part& part) {
      part.engine.settle();
      const auto ids = part.engine.particles.hostIds();
      part.engine.rebuild.visitCandidates([&](std::uint32_t i, std::uint32_t j) {
        of_parts[indexOf(part)].push_back({ ids[i], ids[j] });
      });
    });
    std::vector<CandidatePair> pairs;
    for (const std::vector<CandidatePair>& some : ofAll(std::move(of_parts)))
      pairs.insert(pairs.end(), some.begin(), some.end());
    std::sort(pairs.begin(), pairs.end(), [](const CandidatePair& a, const CandidatePair& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return pairs;
  }

  /// Counts of the first part here, and sums of its particles and entries over the parts here.
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
  // Waits for all devices, since one may still read the memory of another.
  void finishAll()
  {
    for (const auto& part : parts_)
      try
      {
        part->exec.inArena([&] { part->exec.synchronize(); });
      }
      catch (const std::exception&)
      {
        // the failure of the part is known
      }
  }

  // Grains, contacts and exits of the parts here.
  Frame grainsHere(const FrameSelection& selection, std::uint64_t step, double time)
  {
    std::vector<Frame> frames(size());
    each([&](Part& part) { frames[indexOf(part)] = part.frames.make(selection, step, time); });
    return size() > 1 ? mergeFrames(frames) : std::move(frames[0]);
  }
  // Grains, contacts and exits of all parts.
  Frame grains(const FrameSelection& selection, std::uint64_t step, double time)
  {
    Frame here = grainsHere(selection, step, time);
    return ranks_ ? mergeFrames(framesOf(here, inAll())) : std::move(here);
  }
  // The frames of all ranks on the first `receivers` ranks, none on the others.
  std::vector<Frame> framesOf(const Frame& here, std::size_t receivers)
  {
    std::vector<Frame> all;
    for (const PartLink::Bytes& bytes : exchanged(frameBytes(here), receivers))
      if (static_cast<std::size_t>(ranks_->own()) < receivers)
        all.push_back(frameFromBytes(bytes, here));
    return all;
  }
  // Adds to the frame of a rank what belongs to the whole run: walls and exits, on rank 0. Loads on
  // walls are sums over the contacts of all ranks.
  void addWholeRun(Frame& f, const std::vector<Wall>& walls)
  {
    f.rank = ranks_->own();
    const std::vector<Frame> touching = framesOf(contactsWithWalls(f), 1);
    const std::vector<ExitedGrain>& left = exits();
    writeExits(f.rank == 0 ? left : std::vector<ExitedGrain>{}, f.exited_id, f.exited_position);
    if (f.rank > 0)
      return;
    Frame whole = mergeFrames(touching);
    first().frames.addWalls(whole, walls);
    f.walls = std::move(whole.walls);
  }

  // What each rank sends, on the first `receivers` ranks; nothing on the others.
  std::vector<PartLink::Bytes> exchanged(const PartLink::Bytes& mine, std::size_t receivers)
  {
    std::vector<PartLink::Bytes> out(ranks_->parts());
    std::fill_n(out.begin(), receivers, mine);
    return together([&] { return ranks_->exchange(ranks_->own(), out); });
  }
  // Values of all parts, by part, from those of the parts here.
  template <class T>
  Many<T> ofAll(Many<T> here)
  {
    if (!ranks_)
      return here;
    PartLink::Bytes mine(here[0].size() * sizeof(T));
    if (!mine.empty())
      std::memcpy(mine.data(), here[0].data(), mine.size());
    std::vector<std::vector<T>> all;
    for (const PartLink::Bytes& bytes : exchanged(mine, inAll()))
    {
      all.emplace_back(bytes.size() / sizeof(T));
      if (!bytes.empty())
        std::memcpy(all.back().data(), bytes.data(), bytes.size());
    }
    return all;
  }
  // The same for one member of a struct.
  template <class Struct, class T>
  void ofAll(std::vector<Struct>& all, const Struct& here, std::vector<T> Struct::*member)
  {
    Many<T> values = ofAll(Many<T>{ here.*member });
    for (std::size_t p = 0; p < all.size(); ++p)
      all[p].*member = std::move(values[p]);
  }

  // Sum of an integer over all parts.
  template <class Of>
  std::uint64_t sumOver(const Of& of)
  {
    std::vector<std::vector<std::uint64_t>> here;
    for (const auto& part : parts_)
      here.push_back({ of(*part) });
    std::uint64_t sum = 0;
    for (const std::vector<std::uint64_t>& value : ofAll(std::move(here)))
      sum += value[0];
    return sum;
  }

  using Columns = typename StateWriter<Exec, Real>::PartColumns;
  using Contacts = typename StateWriter<Exec, Real>::PartContacts;

  std::vector<Columns> columnsOfAll(const std::vector<Columns>& here)
  {
    if (!ranks_)
      return here;
    std::vector<Columns> all(inAll());
    for (auto kind : { &Columns::all, &Columns::passive })
      for (std::size_t c = 0; c < (here[0].*kind).size(); ++c)
      {
        for (Columns& part : all)
          (part.*kind).push_back({ (here[0].*kind)[c].value, {} });
        Many<std::uint8_t> bytes = ofAll(Many<std::uint8_t>{ (here[0].*kind)[c].bytes });
        for (std::size_t p = 0; p < all.size(); ++p)
          (all[p].*kind)[c].bytes = std::move(bytes[p]);
      }
    return all;
  }
  std::vector<Contacts> contactsOfAll(const std::vector<Contacts>& here)
  {
    if (!ranks_)
      return here;
    std::vector<SavedContacts<Real, std::int64_t>> pairs(inAll());
    std::vector<SavedContacts<Real, std::uint32_t>> walls(inAll());
    contactsOfAll(pairs, here[0].pairs);
    contactsOfAll(walls, here[0].walls);
    std::vector<Contacts> all(inAll());
    for (std::size_t p = 0; p < all.size(); ++p)
      all[p] = { std::move(pairs[p]), std::move(walls[p]) };
    return all;
  }
  template <class Saved>
  void contactsOfAll(std::vector<Saved>& all, const Saved& here)
  {
    ofAll(all, here, &Saved::start);
    ofAll(all, here, &Saved::key);
    ofAll(all, here, &Saved::flags);
    ofAll(all, here, &Saved::history);
  }

  std::size_t indexOf(const Part& part) const
  {
    std::size_t p = 0;
    while (parts_[p].get() != &part)
      ++p;
    return p;
  }

  EnergyTotals booked()
  {
    std::vector<std::vector<EnergyTotals>> here;
    for (const auto& part : parts_)
      here.push_back({ part->engine.particles.energies.totals() });
    const std::vector<std::vector<EnergyTotals>> all = ofAll(std::move(here));
    EnergyTotals sum = all[0][0];
    for (std::size_t p = 1; p < all.size(); ++p)
      sum += all[p][0];
    return sum;
  }

  // Order of the particles, or of the grains, of all parts in ascending Id. They differ if the
  // particles are parts of bodies.
  IdMerge particleOrder()
  {
    return IdMerge(ofAllParts([](Part& part) { return part.engine.particles.ownedIds(); }));
  }
  IdMerge grainOrder()
  {
    if (!first().engine.bodies.inUse())
      return particleOrder();
    return IdMerge(ofAllParts([](Part& part) { return part.engine.bodies.shownIds(); }));
  }

  Statistics measured()
  {
    const std::uint64_t grains = sumOver([](Part& part) { return part.measurement.grains(); });
    return Measurement<Exec, Real>::statistics(several()
        ? sumInIds([](Part& part) { return part.measurement.tallies(); })
        : first().measurement.tally(),
      booked(), exits(), first().engine.particles.energies.at_start, grains);
  }

  RunFailure& failure_;
  std::vector<RunFailure> failures_; // of several parts
  PartThreads threads_;
  std::unique_ptr<RankLink> ranks_; // null if all parts are in this process
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<ExitedGrain> exits_; // of all parts, if there are several
};

} // namespace dem
