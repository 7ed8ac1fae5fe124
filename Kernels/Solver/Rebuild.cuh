// Rebuilds the lists: sorts the particles in memory, searches for candidates, and carries contacts
// over from the lists before. ARCHITECTURE.md shows the order of its launches.
#pragma once

#include "Core/Error.h"
#include "Forces/ForceStage.cuh"
#include "Forces/LawStore.cuh"
#include "Measure/ExitList.h"
#include "Measure/ExitedGrains.cuh"
#include "NeighborList/CandidateSearch.cuh"
#include "NeighborList/PairLists.cuh"
#include "NeighborList/RebuildSchedule.h"
#include "NeighborList/WallLists.cuh"
#include "Bodies/Bodies.cuh"
#include "Particles/Reorder.cuh"
#include "Solver/BatchReports.cuh"
#include "Solver/Simulation.h"
#include "Walls/WallStore.cuh"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>

namespace dem
{

/// Owners that a rebuild changes.
template <class Exec, class Real>
struct RebuildOwners
{
  ParticleStore<Exec, Real>& particles;
  Bodies<Exec, Real>& bodies;
  WallStore<Exec>& walls;
  LawStore<Exec, Real>& law;
  ForceStage<Exec, Real>& forces;
  PairLists<Exec, Real>& pairs;
  WallLists<Exec, Real>& wall_lists;
  BatchReports<Exec>& reports;
  ExitList<Exec, ExitedGrain>& exited;
};

/// The present moment of a run.
struct RunMoment
{
  std::uint64_t step;
  double time_step; // s

  double time() const { return static_cast<double>(step) * time_step; }
};

template <class Exec, class Real>
class Rebuild : private RebuildOwners<Exec, Real>
{
public:
  using Owners = RebuildOwners<Exec, Real>;
  template <class T>
  using Buffer = Array<T, Exec>;

  Rebuild(Exec& exec, const Owners& owners)
    : Owners(owners)
    , exec_(exec)
  {
  }

  /// For a scene whose particles were just set.
  void begin(const Scene& scene)
  {
    sort_ = scene.broad_phase.sort;
    schedule.begin(scene.broad_phase, scene.skin, particles.meanDiameter());
  }
  /// `radii` of the particles of a scene or saved state.
  void chooseSearch(const Scene& scene, const std::vector<double>& radii)
  {
    BroadPhaseOptions options = scene.broad_phase;
    if (forces.kinds.everyStep() && options.kind == BroadPhaseKind::Automatic)
      options.kind = BroadPhaseKind::SortedGrid; // a search in every step is one of two
    search.choose(options, radii);
  }
  /// The particles were replaced at `step`.
  void restart(std::uint64_t step)
  {
    schedule.restart(step);
    have_list_ = false;
    removed = 0;
    reports.settling = false;
  }

  /// The first lists after a start. Made twice if contacts turn out to be fit for groups, as the
  /// lists may last.
  void first(const RunMoment& now, bool forces_due)
  {
    run(now, forces_due, false);
    if (mayGroup())
      run(now, forces_due, false);
  }

  /// Rebuilds at the present positions. With `settle_later` on CUDA, where that is possible, the
  /// sizes are read with the next batch. If it throws, particles and lists may be of different
  /// orders: only a saved state continues from there (isHalfDone()).
  void run(const RunMoment& now, bool forces_due, bool settle_later)
  {
    settle();
    half_done_ = true;
    rebuild(now, forces_due, settle_later);
    half_done_ = false;
  }

  /// Whether the last rebuild failed half way.
  bool isHalfDone() const { return half_done_; }
  void setHalfDone(bool half_done) { half_done_ = half_done; }
  bool haveList() const { return have_list_; }

  /// Reads the sizes of the last rebuild if they have not been read, and completes its lists.
  void settle()
  {
    if (reports.settling)
      takeSizes([&] { return sizesIn(reports.readFound()); });
  }
  /// The same with sizes that came with the report of a batch.
  void settleFromReport()
  {
    takeSizes([&] { return sizesIn(reports.hostFound()); });
  }

  /// Calls visit(i, j) for every candidate pair, i the lower Id; on the host.
  template <class Visit>
  void visitCandidates(const Visit& visit)
  {
    KindLists<Exec, Real>& kinds = forces.kinds;
    if (kinds.inUse() && !kinds.everyStep())
      return kinds.candidates(visit);
    if (kinds.inUse()) // no list is kept: search once for it
    {
      PairList<Exec, Real>& list = pairs.next();
      pairs.countCandidates(list, particles.size(), search);
      list.shared = false;
      list.grouped = false;
      list.entries.resize(list.row_start.host()[particles.size()], 1.1);
      search.fill(list.view(), particles.id());
      return pairs.visitCandidates(list, particles.size(), visit);
    }
    pairs.visitCandidates(pairs.list(), particles.size(), visit);
  }

  /// Counts of the lists and the search; does nothing half way through a rebuild.
  void count(SearchCounts& c)
  {
    KindLists<Exec, Real>& kinds = forces.kinds;
    c.rebuild_seconds = stopwatch.seconds();
    if (particles.size() && !half_done_ && (have_list_ || kinds.inUse()))
      c.list_entries =
        scanCounts(exec_, kinds.inUse() ? kinds.rowCounts() : pairs.list().count.data(),
          particles.template scratch<std::uint32_t>(), particles.size());
    c.particles = particles.size();
    c.rebuilds = schedule.rebuilds();
    c.list_capacity = kinds.inUse() ? kinds.capacity() : pairs.list().entries.size();
    c.static_size = kinds.staticSize();
    c.list_pairs = kinds.pairs();
    c.lists_redone = kinds.redone();
    c.triangle_cells = walls.grids().cells();
    c.triangle_places = walls.grids().places();
    c.triangle_seconds = walls.indexSeconds();
    c.grouped = !kinds.inUse() && pairs.list().grouped;
    c.wall_entries = wall_lists.entries();
    c.skin = schedule.skin();
    c.sorts = schedule.sorts();
    c.search = search.choice();
    c.device_bytes = exec_.allocatedBytes();
  }

private:
  using Owners::bodies;
  using Owners::exited;
  using Owners::forces;
  using Owners::law;
  using Owners::pairs;
  using Owners::particles;
  using Owners::reports;
  using Owners::wall_lists;
  using Owners::walls;

  struct ListSizes
  {
    std::uint64_t pair_slots, wall_rows, wall_entries;
  };

  void rebuild(const RunMoment& now, bool forces_due, bool settle_later)
  {
    stopwatch.start();
    listExited(now);
    schedule.tuneSkin(now.step, pairs.list().grouped, walls.mostTravel(now.time()));
    old_n_ = particles.size();
    const bool sort = schedule.sortDue(now.step, now.time_step);
    reordered_ = sort || removed;
    reports.beginRebuild();
    schedule.beginPath(now.step, have_list_);
    const CellPlaces places = findOrder(sort);
    Reorder<Exec, Real> reorder(exec_, particles, reorderPlan(forces_due));
    if (reordered_)
      reorderSearched(reorder, places);
    else
      keepOrder();
    if (reordered_ || !have_list_)
      bodies.findParts(particles.id(), particles.size());
    bodies.beginPaths(reports.longestPath());
    if (sort)
      schedule.sorted(now.step);
    lost += removed;
    removed = 0;
    if (walls.anyMotion())
      walls.moveTo(now.time());
    buildSearch(sort);
    queueLists(reorder);
    stopwatch.addEarlier();
    reports.settling = settle_later && maySettleLater();
    reports.room = { pairs.room(), wall_lists.roomForRows(), wall_lists.roomForEntries() };
    if (reports.settling)
      wall_lists.assumeFull();
    else
      finishLists(readSizes());
    swapLists();
    particles.forgetIdOrder();
    have_list_ = true;
    schedule.built(now.step);
    walls.beginTravel(now.time());
    stopwatch.stop();
  }

  // Particles that left go to the list of exits before their memory is reused.
  void listExited(const RunMoment& now)
  {
    if (!removed)
      return;
    const auto dt = static_cast<Real>(now.time_step);
    exited.append(removed, [&](ExitedGrain* list, unsigned* count) {
      if (bodies.inUse())
        exec_.forEach(
          bodies.size(), ListExitedBodies<Real>{ bodies.view(), law.gravity(), dt, list, count });
      else
        exec_.forEach(
          particles.size(), ListExited<Real>{ particles.view(), law.gravity(), dt, list, count });
    });
  }

  // Fills index_ with the new order; gone particles come last.
  CellPlaces findOrder(bool sort)
  {
    index_.resize(old_n_);
    index_other_.resize(old_n_);
    const SearchedCloud all{ particles.position(), old_n_, law.box(), schedule.skin(),
      particles.radiusMax() };
    CellPlaces places{};
    if (old_n_ && sort)
      search.order(all, index_.data(), index_other_.data(), places);
    else if (removed)
      search.dropGone(all, index_.data(), index_other_.data());
    else
      exec_.forEach(old_n_, CountUp{ index_.data() });
    return places;
  }

  ReorderPlan reorderPlan(bool forces_due)
  {
    ReorderPlan plan{};
    plan.index = index_.data();
    plan.n = old_n_ - removed;
    plan.paths = reports.longestPath();
    plan.forces_due = forces_due;
    plan.keeps_old_ids = forces.kinds.inUse();
    plan.has_bodies = bodies.inUse();
    plan.has_shapes = bodies.shapes().shaped;
    plan.has_single_parts = bodies.anyAlone();
    plan.copies_listed_later = manyBeside(plan.n);
    return plan;
  }

  void reorderSearched(Reorder<Exec, Real>& reorder, const CellPlaces& places)
  {
    // The known bounds follow a cloud that shrinks slowly: exact ones now and then, and when
    // particles left.
    bounded_ = Exec::kDevice && !forces.kinds.inUse() && !removed && schedule.sorts() % 32 != 31;
    wide_bounds_ = WideBounds::within(
      search.lower(), search.upper(), bounded_ ? reports.found()->wide_bounds : nullptr);
    reorder.searchedColumns(places, wide_bounds_);
    rest_waits_ = Exec::kDevice; // searches need not wait for the other columns
    if (!rest_waits_)
      reorder.otherColumns();
  }

  void keepOrder()
  {
    bounded_ = false;
    rest_waits_ = false;
    particles.keepOrder(forces.kinds.inUse(), reports.longestPath());
  }

  void buildSearch(bool sorted)
  {
    const SearchedCloud cloud{ forces.kinds.searched(particles.position(), particles.size()),
      particles.size(), law.box(), schedule.skin(), particles.radiusMax() };
    search.build(cloud, sorted);
    if (!bounded_)
      search.queueBounds(cloud, reports.found()->bounds);
  }

  // Queues the search for pairs and walls, and what is left of reordering beside it.
  void queueLists(Reorder<Exec, Real>& reorder)
  {
    const GatherState<Real> nothing{};
    if (rest_waits_ && manyBeside(particles.size()))
    {
      wall_lists.queueRows(wallRequest(), DeviceFill::kBlocksBeside, false);
      pairs.begin(pairRequest(), search, reorder.otherColumnsKernel(), true);
      return;
    }
    if (!forces.kinds.inUse())
      pairs.begin(pairRequest(), search, nothing, false);
    else
      pairs.noRows();
    wall_lists.begin(wallRequest(), pairs.wroteRows() && particles.size() > 0);
    if (rest_waits_)
      reorder.otherColumnsBeside(mayRunBeside(particles.size()));
  }

  PairListRequest pairRequest()
  {
    return { particles.size(), particles.id(), index_.data(), have_list_, law.columns(),
      !Exec::kDevice || bodies.shapes().shaped, mayGroup(), fill.warpShift(particles.size()),
      bodies.ownIds(), reports.found() };
  }
  WallListRequest<Exec> wallRequest()
  {
    return { &walls, schedule.skin(), law.box(), particles.position(), particles.size(),
      index_.data(), have_list_, law.columns(), reports.found() };
  }

  // The one time that a rebuild waits for the device.
  ListSizes readSizes()
  {
    ListSizes sizes = sizesIn(reports.readFound());
    if (!pairs.wroteRows())
      sizes.pair_slots = forces.kinds.inUse() ? 0 : pairs.readSlots(particles.size());
    if (!Exec::kDevice)
      wall_lists.readSizes(particles.size(), sizes.wall_rows, sizes.wall_entries);
    return sizes;
  }

  ListSizes sizesIn(RebuildFound& found)
  {
    if (bounded_)
      wide_bounds_.decode(found.wide_bounds, found.bounds);
    search.takeBounds(found.bounds);
    entries_found_ = static_cast<double>(std::max(found.entries, found.candidates)) /
      std::max(particles.size(), 1u);
    if (found.candidates / 2 < found.entries && found.candidates)
      most_grouped_ = std::min(most_grouped_, 0.95 * entries_found_); // most groups did not fit
    pairs.setCrowdedGroups(found.crowded_groups);
    schedule.setLongestPath(LongestPath::decode(found.longest_path));
    return { checkedTotal(
               static_cast<std::uint32_t>(std::min<unsigned long long>(found.entries, ~0u))),
      found.wall_rows >> 32, checkedTotal(static_cast<std::uint32_t>(found.wall_rows)) };
  }

  template <class Read>
  void takeSizes(const Read& read)
  {
    reports.settling = false;
    half_done_ = true;
    const ListSizes sizes = read();
    swapLists();
    finishLists(sizes);
    swapLists();
    half_done_ = false;
  }

  void swapLists()
  {
    pairs.swap();
    wall_lists.swap();
  }

  void finishLists(const ListSizes& sizes)
  {
    const std::uint32_t n = particles.size();
    if (forces.kinds.inUse())
      forces.kinds.list(search,
        { n, old_n_, particles.id(), particles.oldIds(), index_.data(), reordered_, have_list_ },
        law.columns());
    else
      pairs.template finish<GatherState<Real>>(
        pairRequest(), search, sizes.pair_slots,
        [&](PairList<Exec, Real>& list, std::uint64_t slots) {
          return bodies.dropOwn(
            list.entries, list.row_start, list.count, list.view(), particles.id(), n, slots);
        },
        [&](PairList<Exec, Real>& list, std::size_t contacts) {
          forces.number(list, n, contacts, particles.radiusMax());
        });
    WallList<Exec, Real>& list =
      wall_lists.finish(wallRequest(), sizes.wall_rows, sizes.wall_entries);
    forces.shapes.listWalls(list.view(), sizes.wall_entries);
  }

  // Whether contacts are grouped: for the step of many spheres by the plain law, where most groups
  // fit by the lists before.
  bool mayGroup() const
  {
    return Exec::kDevice && std::is_same_v<Real, float> && particles.size() >= fill.many &&
      have_list_ && !forces.kinds.inUse() && !bodies.inUse() && !bodies.shapes().shaped &&
      law.parameters().isPlain() && sort_ == SortKind::EveryRebuild && search.mayGroup() &&
      entries_found_ <= most_grouped_;
  }
  // Whether columns that searches do not read may be reordered while they run: in one launch, for
  // single spheres.
  bool mayRunBeside(std::uint32_t n) const
  {
    return Exec::kDevice && n > 0 && sizeof(Traveled<Real>) == sizeof(std::int64_t) &&
      !forces.kinds.inUse() && !bodies.inUse() && !bodies.shapes().shaped;
  }
  // With many particles, wall rows take few blocks that run beside those of the rows, whose threads
  // reorder the other columns while they wait for memory.
  bool manyBeside(std::uint32_t n) const { return n >= fill.many_beside && mayRunBeside(n); }

  // Whether the sizes may be read with the next batch, which computes nothing if the lists did not
  // fit.
  bool maySettleLater() const
  {
    return Exec::kDevice && pairs.wroteRows() && have_list_ && pairs.crowdedGroups() == 0 &&
      !bodies.inUse() && particles.size() > 0;
  }

  Exec& exec_;

public:
  CandidateSearch<Exec> search{ exec_ };
  RebuildSchedule schedule;
  DeviceFill fill;
  unsigned removed = 0;   // particles that left since the lists were built
  std::uint64_t lost = 0; // particles that left before
  typename Exec::Stopwatch stopwatch{ exec_ };

private:
  Buffer<std::uint32_t> index_{ exec_ }, index_other_{ exec_ };
  SortKind sort_ = SortKind::EveryRebuild;
  bool have_list_ = false;
  bool half_done_ = false;
  // of the rebuild under way
  std::uint32_t old_n_ = 0;
  bool reordered_ = false;
  bool bounded_ = false;    // the bounds for the next grid come with the reordered positions
  bool rest_waits_ = false; // the other columns are still to be reordered
  WideBounds wide_bounds_{};
  double entries_found_ = 0;  // a particle, in the last list whose sizes were read
  double most_grouped_ = 6.6; // contacts are grouped up to so many entries a particle
};

} // namespace dem
