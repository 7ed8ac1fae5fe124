// Rebuilds the lists: sorts the particles in memory, searches for candidates, and carries contacts
// over from the previous lists. Used by Engine.cuh. ARCHITECTURE.md shows the order of its
// launches.
#pragma once

#include "Core/Error.h"
#include "Core/RunFailure.h"
#include "Domain/Subdomain.cuh"
#include "Measure/RunOwners.cuh"
#include "NeighborList/CandidateSearch.cuh"
#include "NeighborList/RebuildSchedule.h"
#include "Particles/Reorder.cuh"
#include "Solver/BatchReports.cuh"
#include "Solver/Simulation.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>

namespace dem
{

/// Present step of a run.
struct RunMoment
{
  std::uint64_t step;
  double time_step; // s

  double time() const { return static_cast<double>(step) * time_step; }
};

/// Controls the rebuilds of a run.
template <class Exec, class Real>
class Rebuild : private RunOwners<Exec, Real>
{
public:
  using Owners = RunOwners<Exec, Real>;
  template <class T>
  using Buffer = Array<T, Exec>;

  Rebuild(Exec& exec, const Owners& owners, BatchReports<Exec>& reports, RunFailure& failure)
    : Owners(owners)
    , reports_(reports)
    , failure_(failure)
    , exec_(exec)
  {
  }

  /// The part of the run that this device computes; null if it computes all.
  void setDomain(Subdomain<Exec, Real>* domain) { domain_ = domain; }

  /// Must be called once the particles of a scene are uploaded.
  void begin(const Scene& scene)
  {
    schedule.begin(scene.broad_phase, scene.skin, particles.meanDiameter());
  }
  /// Chooses the search for the particles of a scene or saved state; `radii` in m.
  void chooseSearch(const Scene& scene, const std::vector<double>& radii)
  {
    BroadPhaseOptions options = scene.broad_phase;
    if (forces.kinds.everyStep() && options.kind == BroadPhaseKind::Automatic)
      options.kind = BroadPhaseKind::SortedGrid; // the choice for a search in every step
    search.choose(options, radii);
  }
  /// Must be called after the particles were replaced at `step`; drops the lists.
  void restart(std::uint64_t step)
  {
    schedule.restart(step);
    have_list_ = false;
    removed = 0;
    reports_.settling = false;
  }

  /// Builds the first lists after a start. Builds them twice if their sizes allow grouped contacts,
  /// since the lists may last for long.
  void first(const RunMoment& now, bool forces_due)
  {
    run(now, forces_due, false);
    if (anyPart(mayGroup()))
      run(now, forces_due, false);
  }

  /// Rebuilds the lists at the present positions. With `settle_later`, where CUDA allows it, the
  /// sizes are read together with the next batch. After an exception, particles and lists may have
  /// different orders (RunFailure::isHalfDone()); only a saved state can continue the run.
  void run(const RunMoment& now, bool forces_due, bool settle_later)
  {
    settle();
    failure_.setHalfDone(true);
    rebuild(now, forces_due, settle_later);
    failure_.setHalfDone(false);
  }

  /// Reads the sizes of the last rebuild if they were not read yet, and completes its lists.
  void settle()
  {
    if (reports_.settling)
      takeSizes([&] { return sizesIn(reports_.readFound()); });
  }
  /// As settle(), with sizes that came with the report of a batch.
  void settleFromReport()
  {
    takeSizes([&] { return sizesIn(reports_.hostFound()); });
  }

  /// Calls visit(i, j) for every candidate pair, i the lower Id; on the host. The pairs of a part
  /// are those whose lower Id it owns.
  template <class Visit>
  void visitCandidates(const Visit& visit)
  {
    KindLists<Exec, Real>& kinds = forces.kinds;
    if (kinds.inUse() && !kinds.everyStep())
      return kinds.candidates(visit);
    if (kinds.inUse()) // this kind stores no list, so search now
    {
      PairList<Exec, Real>& list = pairs.next();
      pairs.countCandidates(list, particles.size(), search);
      list.shared = false;
      list.grouped = false;
      list.entries.resize(list.row_start.host()[particles.size()], 1.1);
      search.fill(list.view(), particles.id());
      return pairs.visitCandidates(list, particles.size(), visit);
    }
    const std::vector<std::uint32_t> ghosts = particles.hostGhosts();
    pairs.visitCandidates(pairs.list(), particles.size(), [&](std::uint32_t i, std::uint32_t j) {
      if (!GhostBits{ ghosts.empty() ? nullptr : ghosts.data() }.has(i))
        visit(i, j);
    });
  }

  /// Fills the counts of lists and search. Entries are not counted if a rebuild failed.
  void count(SearchCounts& c)
  {
    KindLists<Exec, Real>& kinds = forces.kinds;
    c.rebuild_seconds = stopwatch.seconds();
    c.build_seconds = forces.times.seconds(Stage::Build);
    c.pair_list_seconds = forces.times.seconds(Stage::ListPairs);
    c.wall_list_seconds = forces.times.seconds(Stage::ListWalls);
    c.pair_force_seconds = forces.times.seconds(Stage::PairForces);
    c.wall_force_seconds = forces.times.seconds(Stage::WallForces);
    if (particles.size() && !failure_.isHalfDone() && (have_list_ || kinds.inUse()))
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
    schedule.tuneSkin(now.step, anyPart(pairs.list().grouped), walls.mostTravel(now.time()));
    listed_reach_ = law.reach(particles.radiusMax());
    const bool sort = schedule.sortDue(now.step, now.time_step);
    gone_ = removed;
    reordered_ = sort || removed;
    if (domain_)
      exchange(sort);
    old_n_ = particles.size();
    forces_due_ = forces_due;
    reports_.beginRebuild();
    schedule.beginPath(now.step, have_list_);
    CellPlaces places{};
    forces.times.time(Stage::Build, [&] { places = findOrder(sort); });
    Reorder<Exec, Real> reorder(exec_, particles, reorderPlan(forces_due));
    forces.times.time(Stage::Build, [&] {
      if (reordered_)
        reorderSearched(reorder, places);
      else
        keepOrder();
    });
    if (domain_)
      domain_->exchanged(reordered_ ? index_.data() : nullptr, old_n_);
    if (reordered_ || !have_list_ || domain_)
      bodies.findParts(particles.id(), particles.size(), particles.ghosts());
    bodies.beginPaths(reports_.longestPath());
    if (sort)
      schedule.sorted(now.step);
    lost += removed;
    removed = 0;
    if (walls.anyMotion())
      walls.moveTo(now.time());
    forces.times.time(Stage::Build, [&] { buildSearch(sort); });
    queueLists(reorder);
    stopwatch.addEarlier();
    reports_.settling = settle_later && maySettleLater();
    reports_.room = { pairs.room(), wall_lists.roomForRows(), wall_lists.roomForEntries() };
    if (reports_.settling)
      wall_lists.assumeFull();
    else
      finishLists(readSizes());
    swapLists();
    if (domain_)
      domain_->unpackContacts(pairs.list(), wall_lists.list());
    particles.forgetIdOrder();
    have_list_ = true;
    schedule.built(now.step);
    walls.beginTravel(now.time());
    stopwatch.stop();
  }

  bool anyPart(bool here) { return domain_ ? domain_->any(here) : here; }

  // Exchanges particles and ghosts with the other parts. `removed` also counted ghosts.
  void exchange(bool sort)
  {
    const typename Subdomain<Exec, Real>::Exchanged done = domain_->exchange(margin(), have_list_);
    gone_ = done.gone;
    removed = done.left;
    reordered_ = sort || done.changed;
  }

  // Gap up to which pairs and walls are listed, m: contacts may act at the reach of cohesion, and
  // particles move by half the skin before the next rebuild. If the law changes, the reach may
  // grow before that: contacts that touched are already listed, and others cannot be stretched.
  double margin() const { return schedule.skin() + listed_reach_; }

  // Appends particles that left to the list of exits, before their memory is reused.
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
        exec_.forEach(particles.size(),
          ListExited<Real>{ particles.view(), particles.ghosts(), law.gravity(), dt, list, count });
    });
  }

  // Fills index_ with the new order; particles that left come last.
  CellPlaces findOrder(bool sort)
  {
    index_.resize(old_n_);
    index_other_.resize(old_n_);
    const SearchedCloud all{ particles.position(), old_n_, law.box(), margin(),
      particles.radiusMax() };
    CellPlaces places{};
    if (old_n_ && sort)
      search.order(all, index_.data(), index_other_.data(), places);
    else if (gone_)
      search.dropGone(all, index_.data(), index_other_.data());
    else
      exec_.forEach(old_n_, CountUp{ index_.data() });
    return places;
  }

  ReorderPlan reorderPlan(bool forces_due)
  {
    ReorderPlan plan{};
    plan.index = index_.data();
    plan.n = old_n_ - gone_;
    plan.paths = reports_.longestPath();
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
    // WideBounds shrink slowly. So exact bounds are found at every 32nd sort, and when particles
    // left.
    bounded_ = Exec::kDevice && !forces.kinds.inUse() && !gone_ && schedule.sorts() % 32 != 31;
    wide_bounds_ = WideBounds::within(
      search.lower(), search.upper(), bounded_ ? reports_.found()->wide_bounds : nullptr);
    reorder.searchedColumns(places, wide_bounds_);
    rest_waits_ = Exec::kDevice; // searches do not wait for the other columns
    if (!rest_waits_)
      reorder.otherColumns();
  }

  void keepOrder()
  {
    bounded_ = false;
    rest_waits_ = false;
    particles.keepOrder(forces.kinds.inUse(), reports_.longestPath());
  }

  void buildSearch(bool sorted)
  {
    const SearchedCloud cloud{ forces.kinds.searched(particles.position(), particles.size()),
      particles.size(), law.box(), margin(), particles.radiusMax(), particles.ghosts() };
    search.build(cloud, sorted);
    if (!bounded_)
      search.queueBounds(cloud, reports_.found()->bounds);
  }

  // Queues the searches for pairs and walls, and the remaining reordering beside them.
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
      forces.times.time(
        Stage::ListPairs, [&] { pairs.begin(pairRequest(), search, nothing, false); });
    else
      pairs.noRows();
    forces.times.time(Stage::ListWalls,
      [&] { wall_lists.begin(wallRequest(), pairs.wroteRows() && particles.size() > 0); });
    if (rest_waits_)
      reorder.otherColumnsBeside(mayRunBeside(particles.size()));
  }

  PairListRequest pairRequest()
  {
    const bool shaped = bodies.shapes().shaped;
    return { particles.size(), particles.id(), index_.data(), have_list_, law.columns(),
      !Exec::kDevice || shaped, mayGroup(), fill.warpShift(particles.size()), bodies.ownIds(),
      reports_.found(), Exec::kDevice && shaped ? GhostBits{} : particles.ghosts() };
  }
  WallListRequest<Exec> wallRequest()
  {
    return { &walls, margin(), law.box(), particles.position(), particles.size(), index_.data(),
      have_list_, law.columns(), reports_.found(), particles.ghosts() };
  }

  // Reads the sizes. A rebuild of a run with one part waits for the device only here.
  ListSizes readSizes()
  {
    ListSizes sizes = sizesIn(reports_.readFound());
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
      most_grouped_ =
        std::min(most_grouped_, 0.95 * entries_found_); // most groups had too many contacts
    pairs.setCrowdedGroups(found.crowded_groups);
    const double path = LongestPath::decode(found.longest_path);
    schedule.setLongestPath(domain_ ? domain_->most(path) : path);
    return { checkedTotal(
               static_cast<std::uint32_t>(std::min<unsigned long long>(found.entries, ~0u))),
      found.wall_rows >> 32, checkedTotal(static_cast<std::uint32_t>(found.wall_rows)) };
  }

  template <class Read>
  void takeSizes(const Read& read)
  {
    reports_.settling = false;
    failure_.setHalfDone(true);
    const ListSizes sizes = read();
    swapLists();
    finishLists(sizes);
    swapLists();
    failure_.setHalfDone(false);
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
    {
      // Without history, flags are only shown: the next forces set them.
      const bool remembers = law.columns() > 0 || law.parameters().cohesion != CohesionModel::None;
      forces.times.time(Stage::ListPairs, [&] {
        forces.kinds.list(search,
          { n, old_n_, particles.id(), particles.oldIds(), index_.data(), reordered_,
            have_list_ && (remembers || !forces_due_ || forces.kinds.everyStep()), remembers },
          law.columns());
      });
    }
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
    forces.times.time(Stage::ListWalls, [&] {
      WallList<Exec, Real>& list =
        wall_lists.finish(wallRequest(), sizes.wall_rows, sizes.wall_entries);
      forces.shapes.listWalls(list.view(), sizes.wall_entries);
    });
  }

  // True if contacts are to be grouped: for many spheres with the plain law on CUDA, if the sizes
  // of the previous lists show that most groups fit.
  bool mayGroup() const
  {
    return Exec::kDevice && std::is_same_v<Real, float> && particles.size() >= fill.many &&
      have_list_ && !forces.kinds.inUse() && !bodies.inUse() && !bodies.shapes().shaped &&
      law.parameters().isPlain() && schedule.sortsEveryRebuild() && search.mayGroup() &&
      entries_found_ <= most_grouped_;
  }
  // True if the columns that searches do not read can be reordered while the searches run: in one
  // launch, for single spheres.
  bool mayRunBeside(std::uint32_t n) const
  {
    return Exec::kDevice && n > 0 && sizeof(Traveled<Real>) == sizeof(std::int64_t) &&
      !forces.kinds.inUse() && !bodies.inUse() && !bodies.shapes().shaped;
  }
  // With many particles, the wall search takes few blocks and runs beside the pair search. The
  // threads of the pair search also reorder the other columns, while they wait for memory.
  bool manyBeside(std::uint32_t n) const { return n >= fill.many_beside && mayRunBeside(n); }

  // True if the sizes can be read with the next batch, which computes nothing if the lists had too
  // little room.
  bool maySettleLater() const
  {
    return Exec::kDevice && !domain_ && pairs.wroteRows() && have_list_ &&
      pairs.crowdedGroups() == 0 && !bodies.inUse() && particles.size() > 0;
  }

  BatchReports<Exec>& reports_;
  RunFailure& failure_; // half done while a rebuild changes the lists
  Exec& exec_;

public:
  CandidateSearch<Exec> search{ exec_ };
  RebuildSchedule schedule;
  DeviceFill fill;
  // Particles that left since the lists were built. In a part ghosts are counted, too.
  unsigned removed = 0;
  std::uint64_t lost = 0; // particles that left earlier
  typename Exec::Stopwatch stopwatch{ exec_ };

private:
  Buffer<std::uint32_t> index_{ exec_ }, index_other_{ exec_ };
  Subdomain<Exec, Real>* domain_ = nullptr;
  bool have_list_ = false;
  double listed_reach_ = 0; // m: LawStore::reach when the lists were built
  // state of the present rebuild
  std::uint32_t old_n_ = 0, gone_ = 0; // particles in memory, and of them those to be dropped
  bool reordered_ = false;
  bool bounded_ = false;    // the bounds for the next grid come with the reordered positions
  bool forces_due_ = false; // forces will be computed next
  bool rest_waits_ = false; // the other columns are not reordered yet
  WideBounds wide_bounds_{};
  double entries_found_ = 0;  // per particle, in the last list whose sizes were read
  double most_grouped_ = 6.6; // contacts are grouped up to this number of entries per particle
};

} // namespace dem
