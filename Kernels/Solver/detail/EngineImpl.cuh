// One scene on one device. The walk through a step is in runBatch: [rebuild], pair forces, wall
// forces, drift.
#pragma once

#include "Analysis/detail/DeviceFrameOn.cuh"
#include "Measure/ExitList.h"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Error.h"
#include "Core/FixedSum.cuh"
#include "Core/HostArray.h"
#include "NeighborList/BuildList.cuh"
#include "NeighborList/CandidateSearch.cuh"
#include "Particles/Bodies.cuh"
#include "Particles/EnergyTotals.cuh"
#include "Solver/detail/Engine.h"
#include "Measure/ExitedGrains.cuh"
#include "Particles/GatherState.cuh"
#include "Forces/KindLists.cuh"
#include "Scene/AveragesGrid.h"
#include "Scene/Names.h"
#include "Scene/TimeStepAdvice.h"
#include "Scene/detail/LawFromScene.h"
#include "Measure/Measure.cuh"
#include "Measure/MeasureBodies.cuh"
#include "Particles/RebuildFound.cuh"
#include "Measure/RunAverages.h"
#include "State/SceneFingerprints.h"
#include "State/SnapshotFormat.h"
#include "State/SnapshotKernels.cuh"
#include "Forces/Step.cuh"
#include "Walls/WallMesh.h"
#include "Walls/WallSearch.cuh"
#include "Walls/WallSeams.h"
#include "Walls/WallTrees.cuh"
#ifdef __CUDACC__
#include "NeighborList/BuildWallRows.cuh"
#include "Particles/BodyBlocks.cuh"
#include "Particles/GatherBlocks.cuh"
#include "Forces/ShapeBlocks.cuh"
#include "Forces/StepWarps.cuh"
#else
#include "Solver/Integrators/DriftPacks.cuh"
#include "Forces/PairsOnce.cuh"
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>
#include <type_traits>

namespace dem
{

// One device's own kernels are known by name where the other is compiled.
template <class Exec>
struct ListEnds;
template <class Real>
struct OwnedPairs;
template <class Real>
struct EvaluatePairs;
template <class Real>
struct MeasurePairs;
template <class Real>
struct AddRecords;
template <class Real, class Integrator>
struct DriftPacks;
template <class Real>
struct KeepLoads;
template <class Real, class Integrator>
struct DriftAtOnce;
template <class Search, class Real>
struct BuildWallRows;
template <class Real>
struct GatherMany;
template <class Real>
struct GatherCells;
struct NewWallRows;
template <class Real, bool kPlain, bool kFew, bool kGrouped, class Move>
struct StepWarps;
template <class Real>
struct MeetSeams;

template <class Exec, class Real>
class EngineImpl final : public Engine
{
public:
  template <class... ExecArguments>
  EngineImpl(const Scene& scene, const Device& device, ExecArguments... arguments)
    : Engine(scene, device)
    , exec_(arguments...)
  {
    exec_.inArena([&] { setUp(); });
  }

  bool advanceTo(std::uint64_t target, const Simulation::Observer& observer) override
  {
    bool reached = true;
    exec_.inArena([&] { reached = advance(target, observer); });
    return reached;
  }

  Frame frame(const FrameSelection& selection) override
  {
    Frame f;
    exec_.inArena([&] {
      beWhole();
      f = makeFrame(selection);
    });
    if (averages_)
      f.averages = averages_->result();
    return f;
  }

  Statistics statistics() override
  {
    Statistics s;
    exec_.inArena([&] {
      beWhole();
      prepareMeasure();
      s = measure(nullptr, nullptr, nullptr);
    });
    return s;
  }

  SnapshotBytes save() override
  {
    SnapshotBytes bytes;
    exec_.inArena([&] {
      if (!failure_.empty())
        throw Error("A run that failed has no state to save: " + failure_);
      beWhole();
      bytes = makeSnapshot();
    });
    return bytes;
  }

  void restore(const SnapshotBytes& bytes) override
  {
    exec_.inArena([&] { readSnapshot(bytes); });
  }
  bool needsRestore() const override { return half_rebuilt_; }

  void apply(const Event& event) override
  {
    Event due = event;
    due.time = std::max(due.time, time());
    Scene changed = scene_;
    applyToScene(changed, due); // refuses what it does not know now, not when its time comes
    std::vector<Event>& events = scene_.events;
    const auto later = [](const Event& a, const Event& b) { return a.time < b.time; };
    events.insert(std::upper_bound(events.begin() + next_event_, events.end(), due, later), due);
  }

  std::size_t deviceBytes() const override
  {
    return exec_.allocatedBytes() + (newest_ ? newest_->bytes() : 0) +
      (sample_ ? sample_->bytes() : 0);
  }

  void keepOnDevice(std::size_t bytes) override
  {
    device_frame_memory_ = bytes;
    if (!bytes)
      newest_.reset();
  }

  void setEnd(double end_time) override
  {
    Scene changed = scene_;
    changed.end_time = end_time;
    checkAverages(changed);
    plan_.outputs = countOutputs(changed);
    scene_.end_time = base_scene_.end_time = end_time;
  }

  std::vector<CandidatePair> candidatePairs() override
  {
    std::vector<CandidatePair> pairs;
    exec_.inArena([&] {
      settle();
      const auto ids = id_.host();
      forCandidates([&](std::uint32_t i, std::uint32_t j) { pairs.push_back({ ids[i], ids[j] }); });
    });
    std::sort(pairs.begin(), pairs.end(), [](const CandidatePair& a, const CandidatePair& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return pairs;
  }

  void forceRebuild() override { rebuild_wanted_ = true; }
  void rebuildEvery(unsigned steps) override { rebuild_every_ = steps; }
  void stepAsMany() override
  {
    exec_.inArena([&] {
      finishStep();
      many_ = many_beside_ = 0;
      rebuild();
    });
  }

  SearchCounts searchCounts() override
  {
    SearchCounts c;
    exec_.inArena([&] {
      settle();
      c.rebuild_seconds = rebuild_time_.seconds();
      if (n_ == 0 || half_rebuilt_ || (!have_list_ && !kinds_.inUse()))
        return;
      c.list_entries =
        scanCounts(exec_, kinds_.inUse() ? kinds_.rowCounts() : lists_[current_].count.data(),
          scratch<std::uint32_t>(), n_);
    });
    c.particles = n_;
    c.rebuilds = rebuilds_;
    c.list_capacity = kinds_.inUse() ? kinds_.capacity() : lists_[current_].entries.size();
    c.static_size = kinds_.staticSize();
    c.list_pairs = kinds_.pairs();
    c.lists_redone = kinds_.redone();
    c.triangle_cells = grid_start_.size() - std::min(grid_start_.size(), triangle_grids_.size());
    c.triangle_places = grid_item_.size();
    c.triangle_seconds = triangle_seconds_;
    c.grouped = !kinds_.inUse() && lists_[current_].grouped;
    c.wall_entries = wall_entries_;
    c.skin = skin_;
    c.sorts = sorts_;
    c.search = search_.choice();
    c.device_bytes = exec_.allocatedBytes();
    return c;
  }

private:
  template <class T>
  using Buffer = Array<T, Exec>;

  struct PairList
  {
    explicit PairList(Exec& e)
      : entries(e)
      , row_start(e)
      , count(e)
      , shared_contact(e)
      , first_owned(e)
      , group_counts(e)
      , group_rows(e)
      , flags(e)
      , history(e)
    {
    }
    Buffer<std::uint32_t> entries, row_start, count, shared_contact, first_owned, group_counts;
    Buffer<std::uint64_t> group_rows;
    Buffer<std::uint8_t> flags;
    Buffer<Real> history;
    bool shared = true; // a pair's contact, by its two slots
    bool grouped = false;

    ListView view()
    {
      return { entries.data(), row_start.data(), count.data(),
        shared ? shared_contact.data() : nullptr, first_owned.data(), groups() };
    }
    GroupedContacts groups()
    {
      if (!grouped)
        return {};
      return { group_counts.data(), group_rows.data(),
        static_cast<std::uint32_t>(group_rows.size() / 2), flags.data() };
    }
    ContactSlots<Real> slots() { return { flags.data(), { history.data(), flags.size() } }; }
  };

  struct WallList
  {
    explicit WallList(Exec& e)
      : entries(e)
      , start(e)
      , particle(e)
      , row_of(e)
      , flags(e)
      , history(e)
    {
    }
    Buffer<std::uint32_t> entries, start, particle, row_of;
    Buffer<std::uint8_t> flags;
    Buffer<Real> history;
    std::uint32_t rows = 0;

    WallListView view() { return { entries.data(), start.data(), particle.data(), rows }; }
    ContactSlots<Real> slots() { return { flags.data(), { history.data(), flags.size() } }; }
  };

  // ---- setting up  ----

  void setUp()
  {
    fingerprints_ = SceneFingerprints::of(scene_);
    const BodySet set = makeBodySet(scene_); // empty in a scene of spheres
    const ParticleInput& parts = set.arrays.id.empty() ? scene_.particles : set.parts;
    radius_max_ =
      parts.radius.empty() ? 0 : *std::max_element(parts.radius.begin(), parts.radius.end());
    setUpWalls();
    uploadLaw();
    uploadParticles(parts, set.part_mass);
    if (set.shapes.shaped)
      shape_forces_.use(scene_.shapes, wall_set_);
    rigid_.useShapes(set.shapes);
    rigid_.use(set.arrays);
    shape_forces_.useBodies(scene_.shapes, set.arrays.shape);
    openBooks();
    scene_.particle_materials.assign(scene_.materials.size(), false);
    if (scene_.particles.material.empty())
      scene_.particle_materials[0] = true;
    for (int m : scene_.particles.material)
      scene_.particle_materials[m] = true;
    scene_.particles = {}; // they live on the device now
    base_scene_ = scene_;
    report_.resize(1);
    forces_due_ = true;
    rebuildFirst();
    checkInitialOverlaps();
    evaluateForces(Real(0));
    energy_at_start_ = energyInBooks();
    if (scene_.averages.enabled)
      averages_ = std::make_unique<RunAverages>(scene_, plan_, device_);
    takeSamples();
  }

  void setUpWalls()
  {
    wall_set_ = sceneWalls(scene_);
    elements_.assign(wall_set_.elements);
    ring_start_.assign(wall_set_.ring_start);
    ring_.assign(wall_set_.ring);
    wall_first_.assign(wall_set_.first);
    const WallSeams seams = findWallSeams(wall_set_);
    has_seams_ = seams.any;
    seam_start_.assign(seams.start);
    seam_.assign(seams.other);
    seam_tolerance_.assign(seams.tolerance);
    bodies_.resize(wall_set_.walls());
    exec_.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    if (scene_.broad_phase.triangles == TriangleSearchKind::UniformGrid)
      buildTriangleGrids();
    else
      trees_.build(wall_set_, elements_.data());
    exec_.synchronize();
    triangle_seconds_ =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  // One grid a mesh wall, with cells as large as the largest grain or larger; their contents lie in
  // shared arrays.
  void buildTriangleGrids()
  {
    const double diameter = 2 * radius_max_;
    const std::size_t walls = wall_set_.walls();
    std::vector<TriangleGrid> grids(walls);
    std::vector<std::size_t> starts(walls), items(walls);
    for (int fill = 0; fill < 2; ++fill) // sizes first, then contents
    {
      std::size_t cells = 0, places = 0;
      Buffer<std::uint32_t> count(exec_), offset(exec_), key(exec_), key_other(exec_), item(exec_),
        item_other(exec_);
      for (std::size_t w = 0; w < walls; ++w)
      {
        if (!wall_set_.isMesh(w))
          continue;
        const std::uint32_t first = wall_set_.first[w], n = wall_set_.first[w + 1] - first;
        TriangleGrid& g = grids[w];
        if (!fill)
        {
          const WallElement* triangles = wall_set_.elements.data() + first;
          const BvhBox box = trianglesBox(triangles, n);
          g = { chooseTriangleGrid(triangles, n, box, diameter), box, elements_.data(), nullptr,
            nullptr, n };
        }
        count.resize(n);
        offset.resize(n + 1);
        exec_.forEach(n, CountTriangleCells{ g.grid, elements_.data() + first, count.data() });
        const auto m =
          static_cast<std::uint32_t>(scanCounts(exec_, count.data(), offset.data(), n));
        if (fill)
        {
          key.resize(m);
          key_other.resize(m);
          item.resize(m);
          item_other.resize(m);
          exec_.forEach(n,
            FillTriangleCells{
              g.grid, elements_.data() + first, first, offset.data(), key.data(), item.data() });
          sortPairs(exec_, key.data(), key_other.data(), item.data(), item_other.data(), m, 32);
          exec_.forEach(m + 1,
            FindCellStarts{ key.data(), m, g.grid.cells(), ~0u, grid_start_.data() + cells });
          exec_.copy(grid_item_.data() + places, item.data(), m * sizeof(std::uint32_t));
          g.start = grid_start_.data() + cells;
          g.item = grid_item_.data() + places;
        }
        cells += g.grid.cells() + 1;
        places += m;
        exec_.synchronize();
      }
      if (!fill)
      {
        grid_start_.resize(cells);
        grid_item_.resize(places);
      }
    }
    triangle_grids_.assign(grids);
    exec_.synchronize();
  }

  void uploadLaw()
  {
    law_ = lawParameters<Real>(scene_);
    const std::vector<PairCoefficients<Real>> coefficients = pairCoefficients<Real>(scene_);
    pair_coefficients_.assign(coefficients);
    first_coefficients_ = coefficients.front();
    // motions may have been changed by an event; elements and trees stand in the walls' own frames
    // and stay
    for (std::size_t w = 0; w < wall_set_.scene_walls; ++w)
    {
      const Vec3d axis = wall_set_.motions[w].axis;
      wall_set_.motions[w] = scene_.walls[w].motion;
      wall_set_.motions[w].axis = axis;
    }
    motions_.assign(wall_set_.motions);
    wall_materials_.assign(wall_set_.materials);
    gravity_ = scene_.gravity.as<Real>();
    updateBodies(step_);
  }

  // `mass`: of each, or none where all are spheres.
  void uploadParticles(const ParticleInput& p, const std::vector<double>& mass)
  {
    n_ = static_cast<std::uint32_t>(p.size());
    std::vector<Vec4<double>> position(n_), orientation(n_);
    std::vector<Vec4<Real>> velocity(n_), spin(n_), velocity_rest(n_), spin_rest(n_);
    std::vector<std::int64_t> id(n_);
    radius_max_ = 0;
    double radius_sum = 0;
    const auto split = [](const Vec3d& v, Vec4<Real>& high, Vec4<Real>& rest) {
      for (int k = 0; k < 3; ++k)
      {
        Real& h = k == 0 ? high.x : (k == 1 ? high.y : high.z);
        Real& r = k == 0 ? rest.x : (k == 1 ? rest.y : rest.z);
        h = static_cast<Real>(v[k]);
        r = static_cast<Real>(v[k] - static_cast<double>(h));
      }
    };
    for (std::uint32_t i = 0; i < n_; ++i)
    {
      const double r = p.radius[i];
      const int material = p.material.empty() ? 0 : p.material[i];
      position[i] = vec4(p.position[i], r);
      for (int k = 0; k < 3; ++k)
        if (periodicAxis(k))
        {
          double& x = k == 0 ? position[i].x : (k == 1 ? position[i].y : position[i].z);
          const double lower = scene_.domain.lower[k], period = scene_.domain.upper[k] - lower;
          x -= period * std::floor((x - lower) / period);
        }
      split(p.velocity.empty() ? Vec3d{} : p.velocity[i], velocity[i], velocity_rest[i]);
      split(p.angular_velocity.empty() ? Vec3d{} : p.angular_velocity[i], spin[i], spin_rest[i]);
      if (!mass.empty()) // bodies have no rests
      {
        velocity_rest[i] = { Real(0), Real(0), Real(0), static_cast<Real>(p.shape[i]) };
        spin_rest[i] = {};
      }
      velocity[i].w = static_cast<Real>(mass.empty()
          ? 4. / 3 * 3.14159265358979323846 * r * r * r * scene_.materials[material].density
          : mass[i]);
      spin[i].w = static_cast<Real>(material);
      Quaternion<double> q = p.orientation.empty() ? Quaternion<double>{} : p.orientation[i];
      if (mass.empty())
        q = normalized(q); // that of a part is its body's, to the last bit
      orientation[i] = { q.w, q.x, q.y, q.z };
      id[i] = p.id.empty() ? i : p.id[i];
      radius_max_ = std::max(radius_max_, r);
      radius_sum += r;
    }
    position_.assign(position);
    orientation_.assign(orientation);
    velocity_.assign(velocity);
    velocity_rest_.assign(velocity_rest);
    spin_.assign(spin);
    spin_rest_.assign(spin_rest);
    id_.assign(id);
    force_.resize(n_);
    torque_.resize(n_);
    listed_.resize(n_);
    traveled_.resize(n_);
    force_.zero();
    torque_.zero();
    traveled_.zero();
    const int kept = scene_.integrator == IntegratorKind::GearPredictorCorrector
      ? GearPredictorCorrector<Real>::kRates
      : 0;
    for (int k = 0; k < kept; ++k)
    {
      rates_.emplace_back(exec_);
      rates_.back().resize(n_);
      rates_.back().zero();
    }
    kinds_.choose(scene_.neighbor_list);
    search_.choose(searchOptions(), p.radius);
    mean_diameter_ = n_ ? 2 * radius_sum / n_ : 1;
    if (skin_ == 0)
      skin_ = scene_.skin > 0 ? scene_.skin : kAutomaticSkin * mean_diameter_;
    order_known_ = false;
    have_list_ = false;
  }

  // Calls visit(i, j) for every candidate pair, i the lower Id; on the host.
  template <class Visit>
  void forCandidates(const Visit& visit)
  {
    if (kinds_.inUse() && !kinds_.everyStep())
      return kinds_.candidates(visit);
    PairList& list = lists_[kinds_.inUse() ? 1 - current_ : current_];
    if (kinds_.inUse()) // nobody keeps what the search finds: it is asked now
    {
      countPairs({}, false);
      list.entries.resize(list.row_start.host()[n_], 1.1);
      search_.fill(list.view(), id_.data());
    }
    auto counts = list.count.host(), starts = list.row_start.host(), entries = list.entries.host(),
         group_counts = list.group_counts.host();
    auto group_rows = list.group_rows.host();
    const auto flags = list.flags.host();
    ListView rows{ entries.data(), starts.data(), counts.data(), nullptr, nullptr };
    if (list.grouped)
      rows.groups = { group_counts.data(), group_rows.data(), list.groups().stride, flags.data() };
    for (std::uint32_t i = 0; i < n_; ++i)
      for (std::uint32_t s = 0; s < counts[i]; ++s)
      {
        const std::uint32_t entry = rows.at(i, starts[i] + s).entry;
        if (!(entry & ListView::kLowerId))
          visit(i, entry);
      }
  }

  // No grain has more energy than one that crosses its radius in a step, or in the longest step
  // that the law bears: much shorter ones are taken for slow motion.
  void openBooks()
  {
    double scale = 0;
    if (n_)
    {
      const double dt = std::max(plan_.time_step, 1e-3 * adviseTimeStep(scene_).largest_allowed);
      double mass = 0;
      for (const Vec4<Real>& v : velocity_.host())
        mass = std::max(mass, static_cast<double>(v.w));
      scale = mass * radius_max_ * radius_max_ / (dt * dt);
    }
    setTotals(EnergyTotals(EnergyTotals::unitFor(scale)));
  }

  void setTotals(const EnergyTotals& totals)
  {
    energy_unit_ = totals.unit();
    energies_.assign(totals.stripes());
  }
  EnergyTotals totals() const { return { energy_unit_, energies_.host() }; }

  // Overlaps at the start are found with the list at hand; said with the worst pair.
  void checkInitialOverlaps()
  {
    if (n_ == 0)
      return;
    if (rigid_.shapes().shaped)
      return checkInitialOverlapsOfShapes();
    const auto position = position_.host();
    const auto ids = id_.host();
    const Periodic box = periodic();
    InitialOverlaps found;
    const double accepted = acceptedOverlap(scene_);
    std::uint32_t first = 0, second = 0;
    forCandidates([&](std::uint32_t i, std::uint32_t j) {
      const double distance = length(box.image(position[j].xyz() - position[i].xyz()));
      const double overlap =
        (position[i].w + position[j].w - distance) / std::min(position[i].w, position[j].w);
      if (!(overlap > accepted))
        return;
      ++found.pairs;
      if (overlap > found.worst)
      {
        found.worst = overlap;
        first = i;
        second = j;
      }
    });
    if (found.pairs)
      failOfOverlaps(found, ids[first], ids[second], position[first].xyz());
  }

  // The same by the narrow phase, once for the first forces.
  void checkInitialOverlapsOfShapes()
  {
    std::uint32_t first = 0, second = 0;
    const InitialOverlaps found =
      shape_forces_.overlaps(stateView(), periodic(), acceptedOverlap(scene_), first, second);
    if (!found.pairs)
      return;
    const auto ids = id_.host();
    failOfOverlaps(found, ids[first], ids[second], position_.host()[first].xyz());
  }

  [[noreturn]] void failOfOverlaps(
    const InitialOverlaps& found, std::int64_t first, std::int64_t second, const Vec3d& near) const
  {
    char text[500];
    std::snprintf(text, sizeof text,
      "%zu %s at the start by more than %.3g %% of the smaller radius; the deepest is %.3g %%, of "
      "grains %lld and %lld near (%.4g, %.4g, "
      "%.4g). %s, or set Relax Initial Overlaps.",
      found.pairs, found.pairs == 1 ? "pair of grains overlaps" : "pairs of grains overlap",
      100 * scene_.initial_overlap_tolerance, 100 * found.worst,
      static_cast<long long>(rigid_.userId(first)), static_cast<long long>(rigid_.userId(second)),
      near.x, near.y, near.z,
      found.worst > 1
        ? "Grains lie inside of each other, as where two packings have one place: move one of them"
        : "Move them apart, raise Initial Overlap Tolerance");
    throw Error(text);
  }

  // ---- views  ----

  // A loop that asks the search in every step knows two of them.
  BroadPhaseOptions searchOptions() const
  {
    BroadPhaseOptions options = scene_.broad_phase;
    if (kinds_.everyStep() && options.kind == BroadPhaseKind::Automatic)
      options.kind = BroadPhaseKind::SortedGrid;
    return options;
  }

  // The pairs as frames and saved states read them.
  PairList& pairs() { return kinds_.inUse() ? shown_ : lists_[current_]; }

  bool periodicAxis(int axis) const
  {
    return scene_.domain.limited && scene_.domain.exit[axis] == Exit::Periodic;
  }

  Periodic periodic() const
  {
    Periodic box{};
    box.lower = scene_.domain.lower;
    for (int k = 0; k < 3; ++k)
      box.period[k] = periodicAxis(k) ? scene_.domain.upper[k] - scene_.domain.lower[k] : 0;
    return box;
  }

  StateView<Real> stateView()
  {
    return { position_.data(), velocity_.data(), spin_.data(), velocity_rest_.data(),
      spin_rest_.data(), orientation_.data(), rigid_.inUse() ? nullptr : traveled_.data(),
      force_.data(), torque_.data(), { energies_.data(), EnergyTotals(energy_unit_).perJoule() },
      listed_.data(), id_.data() };
  }
  LawView<Real> lawView()
  {
    return { law_, pair_coefficients_.data(), static_cast<int>(scene_.materials.size()), periodic(),
      first_coefficients_ };
  }
  WallView wallView()
  {
    WallView view{ elements_.data(), bodies_.data(), ring_start_.data(), ring_.data(), nullptr,
      nullptr, nullptr };
    if (has_seams_)
    {
      view.seam_start = seam_start_.data();
      view.seam = seam_.data();
      view.tolerance = seam_tolerance_.data();
    }
    return view;
  }
  Real timeStep() const { return static_cast<Real>(plan_.time_step); }

  // ---- the step  ----

  bool advance(std::uint64_t target, const Simulation::Observer& observer)
  {
    if (!failure_.empty())
      throw Error(failure_);
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t first = step_;
    bool reached = true;
    while (step_ < target)
    {
      if (observer && !observer(step_, time()))
      {
        reached = false;
        break;
      }
      takeSamples(); // before a change at this step, as an output shows it
      applyDueEvents();
      std::uint64_t until = target;
      if (next_event_ < scene_.events.size())
        until = std::min(until, eventStep(scene_.events[next_event_]));
      if (averages_)
        until = std::min(until, averages_->nextStep());
      runBatch(static_cast<unsigned>(std::min<std::uint64_t>(until - step_, batchSize())));
    }
    finishStep();
    takeSamples();
    exec_.synchronize();
    const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (step_ > first && seconds > 0)
      steps_per_second_ = static_cast<double>(step_ - first) / seconds;
    return reached;
  }

  void takeSamples()
  {
    while (averages_ && averages_->nextStep() == step_)
    {
      finishStep();
      addSample();
    }
  }

  std::uint64_t eventStep(const Event& event) const
  {
    return firstStepAt(event.time, plan_.time_step);
  }

  void applyDueEvents()
  {
    const std::size_t first = next_event_;
    while (next_event_ < scene_.events.size() && eventStep(scene_.events[next_event_]) <= step_)
      ++next_event_;
    if (next_event_ == first)
      return;
    finishStep(); // by the law that was
    // What a change of gravity or materials does to the energy is no error of the books.
    const auto of_walls = [](const Event& e) {
      return e.property == "WallRate" || e.property == "WallVelocity";
    };
    const bool law_changes =
      !std::all_of(scene_.events.begin() + first, scene_.events.begin() + next_event_, of_walls);
    const double energy_before = law_changes ? energyInBooks() : 0;
    for (std::size_t k = first; k < next_event_; ++k)
    {
      Event now = scene_.events[k];
      now.time = time();
      applyToScene(scene_, now);
    }
    for (std::size_t w = 0; w < wall_set_.walls(); ++w)
      wall_came_[w] = wallTravel(w, step_);
    came_step_ = step_;
    uploadLaw();
    if (law_changes)
      energy_at_start_ += energyInBooks() - energy_before;
  }

  // Steps queued before the host looks: a guess of how long the list still holds, short enough to
  // be interrupted.
  unsigned batchSize() const
  {
    if (!Exec::kDevice)
      return 1;
    const std::uint64_t since = step_ - list_step_;
    const std::uint64_t expected = last_interval_ > since ? last_interval_ - since : 1;
    const std::uint64_t most =
      std::max<std::uint64_t>(1, std::min<std::uint64_t>(64, 50000000 / (n_ + 1)));
    return static_cast<unsigned>(std::min(std::max<std::uint64_t>(expected, 2), most));
  }

  // `steps` steps: the forces of one, unless they are known, and the drift to the next, whose
  // forces are left to be computed.
  void runBatch(unsigned steps)
  {
    const bool settling = settling_, wanted = rebuild_wanted_;
    StepControl control{ rebuild_wanted_ ? 1 : std::min(stopForWalls(steps), stopAsAsked()),
      StepControl::kNone, removed_ };
    rebuild_wanted_ = false;
    writeControl(control);
    try
    {
      queueSteps(steps);
      control = readControl();
    }
    catch (const std::exception& e)
    {
      failure_ = e.what(); // some of the steps may be computed: only a saved state goes on
      throw;
    }
    if (settling && !settleBatch(steps))
    {
      rebuild_wanted_ = wanted;
      return;
    }
    removed_ = control.removed;
    kinds_.settle(control.stop_step);
    if (control.error != StepControl::kNone)
      fail(control.error, step_);
    if (control.stop_step > steps)
    {
      step_ += steps;
      return;
    }
    step_ += control.stop_step;
    if (moved_beside_ && (steps - control.stop_step) % 2)
      swapMoved(); // launches that returned at once moved nothing
    rebuild(true);
  }

  void queueSteps(unsigned steps)
  {
    moved_beside_ = false;
    const Periodic box = periodic();
    constexpr double kNowhere =
      std::numeric_limits<double>::infinity(); // who is there has failed, not left
    Vec3d remove_lower{ -kNowhere, -kNowhere, -kNowhere },
      remove_upper{ kNowhere, kNowhere, kNowhere };
    for (int k = 0; k < 3; ++k)
      if (scene_.domain.limited && scene_.domain.exit[k] == Exit::Remove)
      {
        remove_lower[k] = scene_.domain.lower[k];
        remove_upper[k] = scene_.domain.upper[k];
      }
    for (unsigned b = 1; b <= steps; ++b)
    {
      withIntegrator(step_ + b - 1, [&](const auto& integrator) {
        using Integrator = std::decay_t<decltype(integrator)>;
        const StateView<Real> state = stateView();
        const Drift<Real, Integrator> drift{ state, { state.position, state.velocity, state.spin },
          controlData(), gravity_, timeStep(), b, integrator, box, remove_lower, remove_upper,
          0.25 * skin_ * skin_, static_cast<Real>(0.49999 * skin_),
          (step_ + b) % Drift<Real, Integrator>::kTurnSteps == 0 };
        if constexpr (Exec::kDevice && std::is_same_v<Integrator, VelocityVerlet<Real>>)
          if (forces_due_ && !kinds_.inUse() && !rigid_.inUse())
            return queueStep(drift, b - 1, step_ + b - 1);
        if (forces_due_)
          queueForces(timeStep(), b - 1, step_ + b - 1);
        queueDrift(drift);
      });
      forces_due_ = true;
      if (!Exec::kDevice && controlNow().stop_step <= b)
        break; // on the CPU the host sees at once that the rest would be empty
    }
  }

  // With the report of a batch that began with a list whose sizes were not known. Says no if it did
  // not fit: then no step was computed.
  bool settleBatch(unsigned steps)
  {
    const bool fits = room_.holds(foundHost());
    if (!fits)
    {
      if (moved_beside_ && steps % 2)
        swapMoved();
      if (wall_set_.any_motion)
        updateBodies(step_);
    }
    takeFound([&] { return sizesFound(); });
    return fits;
  }

  // Calls use(integrator) with the scene's scheme for the drift that closes `step`.
  template <class Use>
  void withIntegrator(std::uint64_t step, const Use& use)
  {
    switch (scene_.integrator)
    {
      case IntegratorKind::VelocityVerlet:
        return use(VelocityVerlet<Real>(step));
      case IntegratorKind::SemiImplicitEuler:
        return use(SemiImplicitEuler<Real>(step));
      case IntegratorKind::GearPredictorCorrector:
      {
        GearPredictorCorrector<Real> gear(step);
        for (int k = 0; k < gear.kRates; ++k)
          gear.rate.at[k] = rates_[k].data();
        return use(gear);
      }
    }
  }

  template <class Integrator>
  void queueDrift(const Drift<Real, Integrator>& drift)
  {
    if constexpr (!std::is_same_v<Integrator,
                    GearPredictorCorrector<Real>>) // which validate() refuses
      if (rigid_.inUse())
        return rigid_.queueDrift(drift, shape_forces_.paths());
    if constexpr (Exec::kDevice)
      exec_.forEach(n_, drift);
    else
      exec_.forEachRange(n_, DriftPacks<Real, Integrator>{ drift });
  }

  // Everything up to the present step is computed.
  void finishStep()
  {
    settle();
    if (forces_due_)
      evaluateForces(timeStep());
  }

  // What a frame or a saved state reads is there: not in the midst of a batch that failed.
  void beWhole()
  {
    if (forces_due_ && !failure_.empty())
      throw Error(failure_);
    finishStep();
  }

  void queueForces(Real dt, unsigned batch_step, std::uint64_t step)
  {
    if (wall_set_.any_motion)
      updateBodies(step);
    if (rigid_.shapes().shaped)
      return queueShapeForces(dt, batch_step);
    if (kinds_.inUse())
    {
      kinds_.queue(search_, { stateView(), controlData(), lawView(), dt, batch_step });
      return withWallForces(
        dt, batch_step, [&](auto walls) { exec_.forEach(wall_lists_[current_].rows, walls); });
    }
    if constexpr (Exec::kDevice)
      queueWarps(KeepLoads<Real>{ stateView() }, dt, batch_step);
    else
    {
      PairList& list = lists_[current_];
      exec_.forEachRange(
        n_, EvaluatePairs<Real>{ ownedPairs(), controlData(), records_.data(), dt, batch_step });
      exec_.forEachRange(n_,
        AddRecords<Real>{ stateView(), controlData(), list.view(), list.flags.data(),
          records_.data(), batch_step });
      withWallForces(
        dt, batch_step, [&](auto walls) { exec_.forEachRange(wall_lists_[current_].rows, walls); });
    }
  }

  void queueShapeForces(Real dt, unsigned batch_step)
  {
    PairList& list = lists_[current_];
    shape_forces_.queue(
      { stateView(), controlData(), lawView(), shape_forces_.law(), dt, batch_step }, list.view(),
      list.slots(), n_, wallForces(dt, batch_step), wall_lists_[current_].row_of.data());
  }

  template <class Use>
  void withWallForces(Real dt, unsigned batch_step, const Use& use)
  {
    if (has_seams_)
      use(AddWallForces<Real, true>{ stateView(), withSeams(wallForces(dt, batch_step)) });
    else
      use(AddWallForces<Real, false>{ stateView(), wallForces(dt, batch_step) });
  }

  WallForces<Real> wallForces(Real dt, unsigned batch_step)
  {
    WallList& list = wall_lists_[current_];
    return { controlData(), lawView(), wallView(), list.view(), list.slots(), dt, batch_step,
      id_.data(), stateView().books.per_joule };
  }

  // Forces and drift in one launch: it reads the state that others read too, and writes it beside.
  template <class AnyDrift>
  void queueStep(AnyDrift drift, unsigned batch_step, std::uint64_t step)
  {
    if constexpr (Exec::kDevice)
    {
      if (wall_set_.any_motion)
        updateBodies(step);
      position_beside_.resize(n_);
      drift.to = { position_beside_.data(), force_.data(),
        torque_.data() }; // which nobody has computed yet
      queueWarps(withDrift(drift), drift.dt, batch_step);
      swapMoved();
      moved_beside_ = true;
    }
  }

  template <class Integrator>
  static DriftAtOnce<Real, Integrator> withDrift(const Drift<Real, Integrator>& drift)
  {
    return { drift };
  }

  void swapMoved()
  {
    std::swap(position_, position_beside_);
    std::swap(velocity_, force_);
    std::swap(spin_, torque_);
  }

  template <class Move>
  void queueWarps(const Move& move, Real dt, unsigned batch_step)
  {
    if (law_.isPlain())
      queueWarps<true>(move, dt, batch_step);
    else
      queueWarps<false>(move, dt, batch_step);
  }

  // A warp takes 2^so many particles: few of them have a device for themselves.
  unsigned warpShift() const
  {
    return n_ >= many_ ? 5
      : n_ < 17000     ? 3
      : n_ < 34000     ? 4
                       : 5; // 2,112 warps fit an H200 with all the registers that they want
  }

  // Where walls are met a candidate a lane: as many as have, as a rule, no more candidates than
  // there are lanes.
  template <bool kFew>
  unsigned wallShift() const
  {
    return kFew ? std::min(warpShift(), 4u) : warpShift();
  }

  std::uint32_t warpGroups() const { return (n_ + (1u << warpShift()) - 1) >> warpShift(); }

  void findCrowded(const PairList& list)
  {
    crowded_.resize(warpGroups());
    exec_.forEach(warpGroups(),
      FindCrowded{
        list.count.data(), n_, warpShift(), crowded_.data(), &foundData()->crowded_groups });
  }

  template <bool kPlain, class Move>
  void queueWarps(const Move& move, Real dt, unsigned batch_step)
  {
    if constexpr (kPlain && !std::is_same_v<Move, KeepLoads<Real>>)
      if (n_ < many_)
        return queueWarps<kPlain, true>(move, dt, batch_step);
    queueWarps<kPlain, false>(move, dt, batch_step);
  }

  template <bool kPlain, bool kFew, class Move>
  void queueWarps(const Move& move, Real dt, unsigned batch_step)
  {
    if constexpr (kPlain && !kFew && std::is_same_v<Real, float>)
      if (lists_[current_].grouped)
        return queueWarps<kPlain, kFew, true>(move, dt, batch_step);
    queueWarps<kPlain, kFew, false>(move, dt, batch_step);
  }

  template <bool kPlain, bool kFew, bool kGrouped, class Move>
  void queueWarps(const Move& move, Real dt, unsigned batch_step)
  {
    using Step = StepWarps<Real, kPlain, kFew, kGrouped, Move>;
    PairList& list = lists_[current_];
    wall_loads_.resize(wall_lists_[current_].rows, 1.2);
    if (!walls_met_.size())
    {
      walls_met_.resize(1);
      walls_met_.zero();
    }
    const unsigned long long* wall_rows = settling_ ? &foundData()->wall_rows : nullptr;
    if (has_seams_)
    {
      const MeetSeams<Real> seams{ stateView(), withSeams(wallForces(dt, batch_step)), wall_rows,
        wall_loads_.data(), wallShift<true>() };
      exec_.forEachBlock(seams.blocks(), seams);
    }
    Step warps{ stateView(), controlData(), lawView(), list.view(), list.slots(),
      wallForces(dt, batch_step), has_seams_, wall_lists_[current_].row_of.data(),
      wall_loads_.data(), wall_rows, walls_met_.data(), 0, move, periodic().any(), n_, warpShift(),
      wallShift<kFew>(), crowded_.data(), crowded_groups_, dt, batch_step, {} };
    for (int c = 0; c < 3; ++c)
      warps.history[c] = warps.slots.history.data + c * warps.slots.history.capacity;
    warps.walls_due = walls_due_ + warps.wallWarps();
    exec_.forEachBlock(warps.blocks(), warps);
    walls_due_ =
      warps
        .walls_due; // only if it was launched: who waits for walls that nobody meets waits for ever
  }

  OwnedPairs<Real> ownedPairs()
  {
    PairList& list = pairs();
    return { stateView(), lawView(), { contact_a_.data(), contact_b_.data() },
      list.first_owned.data(), list.slots() };
  }

  // Forces at the present positions and step, outside of a batch.
  void evaluateForces(Real dt)
  {
    StepControl control;
    for (;; kinds_.growTouching()) // and again, where more touch than there were slots for
    {
      writeControl({ StepControl::kNone, StepControl::kNone, removed_ });
      queueForces(dt, 0, step_);
      control = readControl();
      kinds_.settle(control.stop_step);
      if (control.stop_step != 0)
        break;
    }
    forces_due_ = false;
    if (control.error != StepControl::kNone)
      fail(control.error, step_);
  }

  void updateBodies(std::uint64_t step)
  {
    const double t = static_cast<double>(step) * plan_.time_step;
    exec_.forEach(wall_set_.walls(),
      UpdateWallBodies{ motions_.data(), wall_materials_.data(), t, bodies_.data() });
  }

  // The first batch step after which a moving wall has used up its half of the skin.
  unsigned long long stopForWalls(unsigned steps) const
  {
    if (!wall_set_.any_motion)
      return StepControl::kNone;
    for (unsigned b = 0; b < steps; ++b)
      for (std::size_t w = 0; w < wall_set_.walls(); ++w)
        if (wallTravel(w, step_ + b + 1) > 0.5 * skin_)
          return b + 1;
    return StepControl::kNone;
  }

  // How far a wall may have come from where it was listed: up to the last event by the motions that
  // were, then by its own.
  double wallTravel(std::size_t wall, std::uint64_t step) const
  {
    return wall_came_[wall] +
      wall_set_.travelBound(wall, static_cast<double>(came_step_) * plan_.time_step,
        static_cast<double>(step) * plan_.time_step);
  }

  unsigned long long stopAsAsked() const
  {
    if (rebuild_every_ == 0)
      return StepControl::kNone;
    const std::uint64_t due = list_step_ + rebuild_every_;
    return due > step_ ? due - step_ : 1;
  }

  void writeControl(const StepControl& control)
  {
    if constexpr (Exec::kDevice)
    {
      next_clear_ = false;
      exec_.forEach(1,
        BeginBatch{ controlData(), control, settling_ ? foundData() : nullptr, room_,
          &report_.data()->found[1 - found_] });
      next_clear_ = true;
    }
    else
      *controlData() = control;
  }
  // With what the last rebuild found, if that was not read yet.
  StepControl readControl()
  {
    exec_.toHost(
      report_host_.data(), report_.data(), settling_ ? sizeof(BatchReport) : sizeof(StepControl));
    exec_.synchronize();
    return report_host_[0].control;
  }
  StepControl* controlData() { return &report_.data()->control; }
  RebuildFound* foundData() { return &report_.data()->found[found_]; }
  const RebuildFound& foundHost() const { return report_host_[0].found[found_]; }
  LongestPath longestPath() { return LongestPath{ &foundData()->longest_path }; }
  StepControl controlNow() { return Exec::kDevice ? readControl() : *controlData(); }

  [[noreturn]] void fail(unsigned long long packed, std::uint64_t first_step)
  {
    const std::uint64_t at = first_step + (packed >> 44);
    const auto kind = static_cast<FailureKind>((packed >> 42) & 3);
    const auto id =
      static_cast<long long>(rigid_.userId(static_cast<std::int64_t>(packed & ((1ull << 42) - 1))));
    char text[500];
    const double t = static_cast<double>(at) * plan_.time_step;
    if (kind == FailureKind::NotFinite)
      std::snprintf(text, sizeof text,
        "Particle %lld is no longer at a finite place at t = %.6g s (step %llu). The time step "
        "%.3g s is too large for the stiffness or the "
        "speeds: set TimeStep to 0 (automatic) or lower it, and look for overlapping particles at "
        "the start.",
        id, t, static_cast<unsigned long long>(at), plan_.time_step);
    else if (at == 0)
      std::snprintf(text, sizeof text,
        "Particle %lld overlaps a neighbour or wall by more than half the smaller radius at the "
        "start. Move particles that stand inside of each "
        "other, a wall or a border of Domain, or enlarge Domain.",
        id);
    else
      std::snprintf(text, sizeof text,
        "Particle %lld overlaps a neighbour or wall by more than half the smaller radius at t = "
        "%.6g s (step %llu). Contacts this deep "
        "are not physical: raise YoungsModulus, lower TimeStep (now %.3g s), or look for particles "
        "that start inside a wall or are squeezed "
        "by one.",
        id, t, static_cast<unsigned long long>(at), plan_.time_step);
    failure_ = text;
    throw Error(failure_);
  }

  // ---- the lists  ----

  // What fails in between leaves state and lists of different orders: nothing goes on from there
  // but a restored state.
  void rebuild(bool settle_later = false)
  {
    settle();
    half_rebuilt_ = true;
    try
    {
      rebuildNow(settle_later);
    }
    catch (const std::exception& e)
    {
      failure_ = e.what();
      throw;
    }
    half_rebuilt_ = false;
  }

  // The first list, made once more where it turns out that its contacts may be grouped: it may
  // last.
  void rebuildFirst()
  {
    rebuild();
    if (mayGroup())
      rebuild();
  }

  void listExited()
  {
    exited_.append(removed_, [&](ExitedGrain* list, unsigned* count) {
      if (rigid_.inUse())
        exec_.forEach(rigid_.size(),
          ListExitedBodies<Real>{ rigid_.view(), gravity_, timeStep(), list, count });
      else
        exec_.forEach(n_, ListExited<Real>{ stateView(), gravity_, timeStep(), list, count });
    });
  }

  void rebuildNow(bool settle_later)
  {
    rebuild_time_.start();
    if (removed_)
      listExited();
    tuneSkin();
    const std::uint32_t old_n = n_;
    index_.resize(old_n);
    index_other_.resize(old_n);
    const bool sort = sortDue();
    const bool reordered = sort || removed_;
    const SearchedCloud all{ position_.data(), old_n, periodic(), skin_, radius_max_ };
    found_ = 1 - found_;
    if (!next_clear_)
      exec_.zero(foundData(), sizeof(RebuildFound));
    next_clear_ = false;
    path_steps_ = have_list_ ? step_ - list_step_ : 0;
    CellPlaces places{};
    if (old_n && sort)
      search_.order(all, index_.data(), index_other_.data(), places);
    else if (removed_)
      search_.dropGone(all, index_.data(), index_other_.data());
    else
      exec_.forEach(old_n, CountUp{ index_.data() });
    n_ = old_n - removed_;
    lost_ += removed_;
    bounded_ = false;
    if (reordered)
      reorder(places);
    else
    {
      if (kinds_.inUse())
      {
        old_id_.resize(n_);
        exec_.copy(old_id_.data(), id_.data(), n_ * sizeof(std::int64_t));
      }
      exec_.forEach(
        n_, BeginPaths<Real>{ position_.data(), listed_.data(), traveled_.data(), longestPath() });
    }
    if (reordered || !have_list_)
      rigid_.findParts(id_.data(), n_);
    rigid_.beginPaths(longestPath());
    if (sort)
    {
      ++sorts_;
      sorted_ = true;
      sort_step_ = step_;
    }
    removed_ = 0;
    if (wall_set_.any_motion)
      updateBodies(step_);
    const SearchedCloud cloud{ kinds_.searched(position_.data(), n_), n_, periodic(), skin_,
      radius_max_ };
    search_.build(cloud, sort);
    if (!bounded_)
      search_.queueBounds(cloud, foundData()->bounds);
    if (rest_waits_ && manyBeside())
    {
      queueWallRows(kBlocksBeside, false);
      GatherState<Real> rest{};
      reorderRest([&](const Gathered& arrays) { rest = arrays.kernel(); });
      countPairs(rest, true);
    }
    else
    {
      if (!kinds_.inUse())
        countPairs({}, false);
      countWalls();
      if (rest_waits_)
        reorderRest([&](Gathered& rest) { rest.run(mayBeBeside()); });
    }
    rebuild_time_.addEarlier();
    settling_ = settle_later && maySettleLater();
    if (!settling_)
    {
      const ListSizes sizes = readSizes(); // the one time that a rebuild waits for the device
      if (kinds_.inUse())
        kinds_.list(search_,
          { n_, old_n, id_.data(), old_id_.data(), index_.data(), reordered, have_list_ },
          law_.columns());
      else
        listPairs(sizes.pair_slots);
      listWalls(sizes.wall_rows, sizes.wall_entries);
      wall_entries_ = sizes.wall_entries;
    }
    else
      wall_lists_[1 - current_].rows = static_cast<std::uint32_t>(room_.wall_rows); // at most
    current_ = 1 - current_;
    order_known_ = false;
    have_list_ = true;
    last_interval_ = step_ - list_step_;
    list_step_ = came_step_ = step_;
    wall_came_.assign(wall_set_.walls(), 0);
    ++rebuilds_;
    rebuild_time_.stop();
  }

  // Whether this rebuild also sorts the particles' data. Their order does not show in the bits.
  bool sortDue() const
  {
    const BroadPhaseOptions& o = scene_.broad_phase;
    if (o.sort == SortKind::Never)
      return false;
    const double since = static_cast<double>(step_ - sort_step_);
    return !sorted_ || o.sort == SortKind::EveryRebuild ||
      (o.sort == SortKind::EverySteps && since >= o.sort_steps) ||
      (o.sort == SortKind::EveryTime && since * plan_.time_step >= o.sort_time * (1 - 1e-12));
  }

  // A list holds for s / 2 u steps with a skin s, where the fastest grain or wall comes u far in
  // one. A rebuild takes R steps, and what the skin adds to the rows a s / d of one (d: diameter):
  // together least at s^2 = 2 (R / a) u d. R is 2 to 4, a 0.75, but 4.5 where contacts are grouped,
  // as there what does not touch costs as much as what does (BENCHMARKS.md). No thicker than lists
  // of rebuildEvery() steps need. The bits do not depend on it.
  void tuneSkin()
  {
    if (scene_.skin > 0 || !(fastest_ >= 0) || step_ == list_step_)
      return;
    constexpr double kChange = 2;                              // the most at once
    const double balance = lists_[current_].grouped ? 1.2 : 7; // 2 R / a
    const double d = mean_diameter_, u = std::max(fastest_, wallSpeed());
    double best = std::sqrt(balance * u * d);
    if (rebuild_every_ > 0) // what is thicker, and a tenth, is of no use
      best = std::min(best, 2.2 * u * rebuild_every_);
    skin_ = std::clamp(std::clamp(best, 0.002 * d, 0.5 * d), skin_ / kChange, skin_ * kChange);
  }

  // How far the fastest wall came in a step, in the mean since the list was made, m.
  double wallSpeed() const
  {
    double most = 0;
    for (std::size_t w = 0; wall_set_.any_motion && w < wall_set_.walls(); ++w)
      most = std::max(most, wallTravel(w, step_));
    return most / static_cast<double>(step_ - list_step_);
  }

  // Arrays of particles that one kernel brings into the new order, each through scratch memory that
  // it is then swapped with.
  class Gathered
  {
  public:
    explicit Gathered(EngineImpl& engine)
      : engine_(engine)
      , kernel_{ engine.index_.data(), engine.n_ }
    {
    }
    void addPlaces(Buffer<Vec4<double>>& array, Buffer<Vec4<double>>& scratch)
    {
      plan(array, scratch, kernel_.wide);
    }
    void addMotion(Buffer<Vec4<Real>>& array, Buffer<Vec4<Real>>& scratch)
    {
      plan(array, scratch, kernel_.narrow[narrow_++]);
    }
    void addIds(Buffer<std::int64_t>& array, Buffer<std::int64_t>& scratch)
    {
      plan(array, scratch, kernel_.id);
    }
    void findBounds(const WideBounds& bounds) { kernel_.bounds = bounds; }
    void copyPlaces(Vec3d* to) { kernel_.places = to; }
    void addTraveled(Buffer<Traveled<Real>>& array, Buffer<Traveled<Real>>& scratch)
    {
      plan(array, scratch, kernel_.traveled);
      kernel_.paths = engine_.longestPath();
    }
    void copyTraveled(const Traveled<Real>* from, Traveled<Real>* to)
    {
      kernel_.traveled = { from, nullptr, to };
      kernel_.paths = engine_.longestPath();
    }
    void copyListed(const Vec4<double>* from, Vec3d* to)
    {
      kernel_.placed = from;
      kernel_.listed = to;
    }
    void run() { engine_.exec_.forEach(engine_.n_, kernel_); }
    const GatherState<Real>& kernel() const { return kernel_; }
    // `beside`: it may run beside the kernel queued last.
    void run(bool beside)
    {
      if constexpr (Exec::kDevice)
      {
        using Gather = GatherMany<Real>;
        engine_.exec_.forEachBlockBeside(
          (engine_.n_ + Gather::kTile - 1) / Gather::kTile, Gather{ kernel_ }, beside);
      }
      else
        run();
    }
    void run(const CellPlaces& cells)
    {
      if constexpr (Exec::kDevice)
        if (cells.place)
        {
          using Gather = GatherCells<Real>;
          return engine_.exec_.forEachBlock(
            (cells.n + Gather::kThreads - 1) / Gather::kThreads, Gather{ kernel_, cells });
        }
      run();
    }

  private:
    template <class T>
    void plan(Buffer<T>& array, Buffer<T>& scratch, GatherArray<T>& part)
    {
      scratch.resize(array.size());
      part = { array.data(), nullptr, scratch.data() };
      std::swap(array, scratch);
      array.resize(engine_.n_);
    }

    EngineImpl& engine_;
    GatherState<Real> kernel_;
    int narrow_ = 0;
  };

  // In a run the forces are about to be computed: their memory is free. The first kernel finds what
  // is left of `places`.
  void reorder(const CellPlaces& places)
  {
    Gathered most(*this);
    most.addPlaces(position_, position_beside_);
    if (forces_due_)
    {
      most.addMotion(velocity_, force_);
      most.addMotion(spin_, torque_);
    }
    most.addIds(id_, old_id_); // lists of other kinds carry history over by the old order
    listed_.resize(n_);
    // the known bounds follow a cloud that shrinks slowly: exact ones now and then, and when
    // particles left
    bounded_ = Exec::kDevice && !kinds_.inUse() && !removed_ && sorts_ % 32 != 31;
    wide_bounds_ = WideBounds::within(
      search_.lower(), search_.upper(), bounded_ ? foundData()->wide_bounds : nullptr);
    most.findBounds(wide_bounds_);
    rest_waits_ = Exec::kDevice; // searches need not wait for it
    if (!manyBeside())
      most.copyPlaces(listed_.data());
    most.run(places);
    Buffer<Vec4<Real>> more(exec_);
    Buffer<Vec4<Real>>& other = forces_due_ ? force_ : more;
    if (!forces_due_)
      for (Buffer<Vec4<Real>>* array :
        { &velocity_, &spin_, &velocity_rest_, &spin_rest_, &force_, &torque_ })
        gatherAlone(*array, other);
    for (Buffer<Vec4<Real>>& rate : rates_)
      gatherAlone(rate, other);
    if (!rest_waits_)
      reorderRest([](Gathered& rest) { rest.run(); });
  }

  // run(Gathered) has it done; later only where mayBeBeside(), as all of it is one kernel then.
  template <class Run>
  void reorderRest(const Run& run)
  {
    rest_waits_ = false;
    Gathered rest(*this);
    const bool spheres = !rigid_.inUse(); // of bodies these are all the same, but for shapes
    if (forces_due_ && (spheres || rigid_.shapes().shaped))
      rest.addMotion(velocity_rest_, force_);
    if (forces_due_ && spheres)
      rest.addMotion(spin_rest_, torque_);
    if (spheres || rigid_.anyAlone())
      rest.addPlaces(orientation_, position_beside_);
    if (manyBeside())
      rest.copyListed(position_.data(), listed_.data());
    if (!spheres)
    {
      run(rest);
      traveled_.resize(n_);
      orientation_.resize(n_);
      velocity_rest_.resize(n_);
      spin_rest_.resize(n_);
      force_.resize(n_);
      torque_.resize(n_);
      return;
    }
    const bool lent = !kinds_.inUse() && old_id_.lendTo(traveled_beside_);
    if (lent)
      rest.addTraveled(traveled_, traveled_beside_);
    run(rest);
    if (lent)
      traveled_beside_.lendTo(old_id_);
    else
    {
      Gathered paths(*this);
      Traveled<Real>* const traveled = scratch<Traveled<Real>>();
      paths.copyTraveled(traveled_.data(), traveled);
      paths.run();
      traveled_.resize(n_);
      exec_.copy(traveled_.data(), traveled, n_ * sizeof(Traveled<Real>));
    }
    force_.resize(n_);
    torque_.resize(n_);
  }

  void gatherAlone(Buffer<Vec4<Real>>& array, Buffer<Vec4<Real>>& other)
  {
    Gathered one(*this);
    one.addMotion(array, other);
    one.run();
  }

  // Memory for as many T as particles, which nobody else uses between two steps.
  template <class T>
  T* scratch()
  {
    static_assert(sizeof(T) <= sizeof(Vec4<double>), "a place's memory is what there is");
    position_beside_.resize(n_);
    return reinterpret_cast<T*>(position_beside_.data());
  }

  struct ListSizes
  {
    std::uint64_t pair_slots, wall_rows, wall_entries;
  };

  // `rest`: of the state, to be brought into the new order on the way; or nothing. `beside`: it may
  // run beside the kernel queued last.
  void countPairs(const GatherState<Real>& rest, bool beside)
  {
    PairList& list = lists_[1 - current_];
    list.count.resize(n_);
    list.row_start.resize(n_ + 1);
    list.shared = !Exec::kDevice || rigid_.shapes().shaped;
    list.grouped = mayGroup();
    if (list.grouped)
    {
      list.group_counts.resize((n_ + GroupedContacts::kGroup - 1) / GroupedContacts::kGroup);
      list.group_rows.resize(2 * std::size_t(n_));
      const std::size_t least = rowsFrom(list) + n_ / 16;
      if (std::min(list.entries.size(), list.flags.size()) < least)
      {
        list.entries.resize(least);
        list.flags.resize(least);
      }
    }
    rows_made_ = !kinds_.inUse() && queueRows(list, rest, beside);
    if (!rows_made_)
    {
      list.grouped = false;
      if (rest.n)
        exec_.forEach(n_, rest);
      search_.count(list.count.data());
      queueScan(exec_, list.count.data(), list.row_start.data(), n_);
    }
  }

  // Whether contacts are grouped, for the step of many spheres by the plain law: where most groups
  // fit, by the lists before.
  bool mayGroup() const
  {
    return Exec::kDevice && std::is_same_v<Real, float> && n_ >= many_ && have_list_ &&
      !kinds_.inUse() && !rigid_.inUse() && !rigid_.shapes().shaped && law_.isPlain() &&
      scene_.broad_phase.sort == SortKind::EveryRebuild && search_.mayGroup() &&
      entries_found_ <= most_grouped_;
  }

  // Where the rows begin that are not grouped.
  std::uint32_t rowsFrom(const PairList& list) const
  {
    return list.grouped ? GroupedContacts::roomOf(n_) : 0;
  }

  // All rows of a list, if there is room for them, in one launch on CUDA; where slots are contacts,
  // with flags and history.
  bool queueRows(PairList& list, const GatherState<Real>& rest, bool beside)
  {
    if constexpr (Exec::kDevice)
    {
      PairList& old = lists_[current_];
      const std::size_t room = std::min<std::size_t>({ list.entries.size(),
        list.shared ? list.entries.size() : list.flags.size(), 0xffffefffu });
      room_.entries = room - std::min<std::size_t>(room, rowsFrom(list));
      SlotCopier<Real> copy = copier(old, list);
      if (list.shared)
        copy.flags = nullptr; // its contacts are numbered later
      else
      {
        list.history.resize(list.flags.size() * law_.columns());
        copy = copier(old, list);
        crowded_.resize(warpGroups());
      }
      return search_.queueRows(
        NewRows{ list.entries.data(), list.row_start.data(), list.count.data(),
          &foundData()->entries, static_cast<std::uint32_t>(room), id_.data(),
          list.shared ? nullptr : crowded_.data(), &foundData()->crowded_groups, warpShift(),
          rigid_.ownIds(), list.groups(), rowsFrom(list), &foundData()->candidates },
        OldRows<Real>{ old.view(), have_list_ && !list.shared ? index_.data() : nullptr, copy },
        rest, beside);
    }
    return false;
  }

  // The same once more, where there was not.
  void growRows(PairList& list, std::uint64_t slots)
  {
    const std::size_t room =
      slots + (slots - rowsFrom(list)) / 20 + 32; // memory is what bounds a scene's size
    list.entries.resize(room);
    if (!list.shared)
      list.flags.resize(room);
    exec_.zero(foundData(), offsetof(RebuildFound, longest_path));
    queueRows(list, {}, false);
  }

  // Calls use(search) with the scene's way to find triangles.
  template <class Use>
  void withWallSearch(const Use& use)
  {
    const auto walls = static_cast<std::uint32_t>(wall_set_.walls());
    if (scene_.broad_phase.triangles == TriangleSearchKind::UniformGrid)
      use(WallSearch<TriangleGrid>{ wallView(), triangle_grids_.data(), wall_first_.data(), walls,
        skin_, periodic(), position_.data() });
    else
      use(WallSearch<BvhView>{ wallView(), trees_.view(), wall_first_.data(), walls, skin_,
        periodic(), position_.data() });
  }

  // Whether what searches do not read may be brought into the new order while they run: in one
  // launch, for spheres alone.
  bool mayBeBeside() const
  {
    return Exec::kDevice && n_ > 0 && sizeof(Traveled<Real>) == sizeof(std::int64_t) &&
      !kinds_.inUse() && !rigid_.inUse() && !rigid_.shapes().shaped;
  }
  // Many particles: walls' rows in few blocks, which begin before those of the rows and go on
  // beside them; that is done by the rows' threads, while memory waits for them.
  bool manyBeside() const { return n_ >= many_beside_ && mayBeBeside(); }

  // All of the wall list, if there is room for it, in one launch on CUDA, by so many blocks at
  // most. `beside`: it may run beside the kernel queued last.
  void queueWallRows(std::size_t most, bool beside)
  {
    if constexpr (Exec::kDevice)
    {
      WallList &list = wall_lists_[1 - current_], &old = wall_lists_[current_];
      list.row_of.resize(n_);
      const auto room = static_cast<std::uint32_t>(std::min(
        list.particle.size(), list.start.size() - std::min<std::size_t>(list.start.size(), 1)));
      const auto entry_room =
        static_cast<std::uint32_t>(std::min(list.entries.size(), list.flags.size()));
      room_.wall_rows = room;
      room_.wall_entries = entry_room;
      list.history.resize(list.flags.size() * law_.columns());
      withWallSearch([&](const auto& search) {
        using Build = BuildWallRows<std::decay_t<decltype(search)>, Real>;
        const std::size_t blocks = std::min<std::size_t>(
          { (n_ + Build::kThreads - 1) / Build::kThreads, Build::kMostBlocks, most });
        const Build build{ search,
          { list.entries.data(), list.start.data(), list.particle.data(), list.row_of.data(),
            &foundData()->wall_rows, room, entry_room },
          old.view(), have_list_ ? old.row_of.data() : nullptr, index_.data(), copier(old, list),
          n_ };
        exec_.forEachBlockBeside(blocks, build, beside);
      });
    }
  }

  // The same once more, where there was not.
  void growWallRows(WallList& list, std::uint64_t rows, std::uint64_t entries)
  {
    const std::size_t room = rows + rows / 5 + 32, entry_room = entries + entries / 5 + 32;
    list.particle.resize(room);
    list.start.resize(room + 1);
    list.entries.resize(entry_room);
    list.flags.resize(entry_room);
    exec_.zero(foundData(), offsetof(RebuildFound, longest_path));
    queueWallRows(n_, false);
  }

  void countWalls()
  {
    if (Exec::kDevice)
      return queueWallRows(n_, rows_made_ && n_ > 0);
    counts_.resize(n_);
    has_row_.resize(n_);
    rows_.resize(n_ + 1);
    wall_offset_.resize(n_ + 1);
    withWallSearch([&](const auto& search) {
      exec_.forEach(n_, CountCandidates<std::decay_t<decltype(search)>>{ search, counts_.data() });
    });
    exec_.forEach(n_, MarkWallRows{ counts_.data(), has_row_.data() });
    queueScan(exec_, has_row_.data(), rows_.data(), n_);
    queueScan(exec_, counts_.data(), wall_offset_.data(), n_);
  }

  ListSizes readSizes()
  {
    std::uint32_t last[3] = {};
    if (!rows_made_ && !kinds_.inUse())
      exec_.toHost(&last[0], lists_[1 - current_].row_start.data() + n_, sizeof last[0]);
    if (!Exec::kDevice)
    {
      exec_.toHost(&last[1], rows_.data() + n_, sizeof last[1]);
      exec_.toHost(&last[2], wall_offset_.data() + n_, sizeof last[2]);
    }
    exec_.toHost(&report_host_[0].found[found_], foundData(), sizeof(RebuildFound));
    exec_.synchronize();
    ListSizes sizes = sizesFound();
    if (!rows_made_)
      sizes.pair_slots = checkedTotal(last[0]);
    if (!Exec::kDevice)
      sizes = { sizes.pair_slots, last[1], checkedTotal(last[2]) };
    return sizes;
  }

  // From what was read.
  ListSizes sizesFound()
  {
    RebuildFound& found = report_host_[0].found[found_];
    if (bounded_)
      wide_bounds_.decode(found.wide_bounds, found.bounds);
    search_.takeBounds(found.bounds);
    entries_found_ =
      static_cast<double>(std::max(found.entries, found.candidates)) / std::max(n_, 1u);
    if (found.candidates / 2 < found.entries &&
      found.candidates) // most groups kept their rows as they are
      most_grouped_ = std::min(most_grouped_, 0.95 * entries_found_);
    crowded_groups_ = found.crowded_groups;
    if (path_steps_ > 0)
      fastest_ = LongestPath::decode(found.longest_path) / static_cast<double>(path_steps_);
    return { checkedTotal(
               static_cast<std::uint32_t>(std::min<unsigned long long>(found.entries, ~0u))),
      found.wall_rows >> 32, checkedTotal(static_cast<std::uint32_t>(found.wall_rows)) };
  }

  // Whether what a rebuild finds may be read with the next batch, which computes nothing if it did
  // not fit.
  bool maySettleLater() const
  {
    return Exec::kDevice && rows_made_ && have_list_ && crowded_groups_ == 0 && !rigid_.inUse() &&
      n_ > 0;
  }

  // The list is as the rebuild left it, and the host knows its sizes.
  void settle()
  {
    if (settling_)
      takeFound([&] { return readSizesAgain(); });
  }

  ListSizes readSizesAgain()
  {
    exec_.toHost(&report_host_[0].found[found_], foundData(), sizeof(RebuildFound));
    exec_.synchronize();
    return sizesFound();
  }

  // Of the present list, which is made again where it did not fit.
  template <class Read>
  void takeFound(const Read& read)
  {
    settling_ = false;
    half_rebuilt_ = true;
    try
    {
      const ListSizes sizes = read();
      current_ = 1 - current_;
      listPairs(sizes.pair_slots);
      listWalls(sizes.wall_rows, sizes.wall_entries);
      wall_entries_ = sizes.wall_entries;
      current_ = 1 - current_;
    }
    catch (const std::exception& e)
    {
      failure_ = e.what();
      throw;
    }
    half_rebuilt_ = false;
  }

  void listPairs(std::uint64_t slots)
  {
    PairList& list = lists_[1 - current_];
    PairList& old = lists_[current_];
    if (rows_made_)
    {
      slots = checkedTotal(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(slots + rowsFrom(list), ~0u)));
      if (slots > list.entries.size() || (!list.shared && slots > list.flags.size()))
        growRows(list, slots);
      if (!list.shared)
        return;
    }
    else
    {
      resizeSlots(list, slots);
      search_.fill(list.view(), id_.data());
      slots = rigid_.dropOwn(
        list.entries, list.row_start, list.count, list.view(), id_.data(), n_, slots);
    }
    if (list.shared)
      shareContacts(list, slots);
    else
    {
      resizeContacts(list, slots);
      findCrowded(list);
      exec_.toHost(&crowded_groups_, &foundData()->crowded_groups, sizeof crowded_groups_);
      exec_.synchronize();
    }
    if constexpr (Exec::kDevice)
    {
      const CarryRowHistory<Real> carry{ list.view(), old.view(),
        have_list_ ? index_.data() : nullptr, copier(old, list), n_ };
      exec_.forEachBlock((n_ + carry.kRows - 1) / carry.kRows, carry);
    }
    else if (have_list_)
      exec_.forEach(
        n_, CarryPairHistory<Real>{ list.view(), old.view(), index_.data(), copier(old, list) });
  }

  void resizeSlots(PairList& list, std::uint64_t slots)
  {
    list.entries.resize(slots + ListView::kAhead, 1.1);
    exec_.zero(list.entries.data() + slots, ListView::kAhead * sizeof(std::uint32_t));
  }

  // Numbers the contacts of a list, each shared by the two slots of its pair.
  void shareContacts(PairList& list, std::uint64_t slots)
  {
    list.shared_contact.resize(slots + ListView::kAhead, 1.1);
    exec_.zero(list.shared_contact.data() + slots, ListView::kAhead * sizeof(std::uint32_t));
    list.first_owned.resize(n_ + 1);
    counts_.resize(n_);
    exec_.forEach(n_, CountOwned{ list.view(), counts_.data() });
    queueScan(exec_, counts_.data(), list.first_owned.data(), n_);
    exec_.forEach(n_, shape_forces_.listPairs(list.view(), n_, slots / 2, radius_max_));
    resizeContacts(list, slots / 2);
    if (!rigid_.shapes().shaped) // which have records of their own
      listEnds(list, slots / 2);
    list.history.zero();
  }

  void listEnds(PairList& list, std::size_t contacts)
  {
    if constexpr (!Exec::kDevice)
    {
      records_.resize(contacts, 1.1);
      for (Buffer<std::uint32_t>* ends : { &contact_a_, &contact_b_ })
      {
        ends->resize(contacts + ListView::kAhead, 1.1);
        exec_.zero(ends->data() + contacts, ListView::kAhead * sizeof(std::uint32_t));
      }
      exec_.forEach(n_, ListEnds<Exec>{ list.view(), { contact_a_.data(), contact_b_.data() } });
    }
  }

  template <class List>
  void resizeContacts(List& list, std::size_t contacts)
  {
    list.flags.resize(contacts, 1.1);
    list.history.resize(contacts * law_.columns(), 1.1);
    list.flags.zero(); // without a flag the history is not read, or is zero
  }

  template <class List>
  SlotCopier<Real> copier(List& from, List& to)
  {
    const ContactSlots<Real> a = from.slots(), b = to.slots();
    return { a.flags, a.history, b.flags, b.history, law_.columns() };
  }

  void listWalls(std::uint64_t rows, std::uint64_t entries)
  {
    WallList& list = wall_lists_[1 - current_];
    WallList& old = wall_lists_[current_];
    list.rows = static_cast<std::uint32_t>(rows);
    if (Exec::kDevice)
    {
      if (rows > list.particle.size() || rows >= list.start.size() ||
        entries > std::min(list.entries.size(), list.flags.size()))
        growWallRows(list, rows, entries);
      return shape_forces_.listWalls(list.view(), entries);
    }
    list.row_of.resize(n_);
    list.particle.resize(rows, 1.2);
    list.start.resize(rows + 1, 1.2);
    exec_.forEach(n_,
      MakeWallRows{ rows_.data(), wall_offset_.data(), n_, list.row_of.data(), list.particle.data(),
        list.start.data() });
    list.entries.resize(entries, 1.1);
    resizeContacts(list, entries);
    list.history.zero();
    withWallSearch([&](const auto& search) {
      exec_.forEach(list.rows,
        FillWallRows<std::decay_t<decltype(search)>, Real>{ search, list.view(), old.view(),
          have_list_ ? old.row_of.data() : nullptr, index_.data(), copier(old, list) });
    });
    shape_forces_.listWalls(list.view(), entries);
  }

  // ---- measuring  ----

  void prepareMeasure()
  {
    if (half_rebuilt_)
      throw Error(failure_);
    if (removed_)
      rebuild();
    updateBodies(step_);
    findOrder();
    if (rigid_.inUse())
    {
      rigid_.settle(stateView());
      rigid_.findShown();
    }
    if (kinds_.inUse())
    {
      makeRows(n_, kinds_.touching());
      kinds_.show(shown_.view(), shown_.slots());
    }
  }

  // Rows of the pairs that pairs(k, visit) names for k < n, and their contacts, whose histories are
  // still empty.
  template <class Pairs>
  void makeRows(std::uint32_t n, const Pairs& pairs)
  {
    PairList& list = shown_;
    list.count.resize(n_);
    list.count.zero();
    list.row_start.resize(n_ + 1);
    exec_.forEach(n, CountPairs<Pairs>{ pairs, list.count.data() });
    const std::uint64_t slots = scanCounts(exec_, list.count.data(), list.row_start.data(), n_);
    resizeSlots(list, slots);
    counts_.resize(n_);
    counts_.zero();
    exec_.forEach(n, EnterPairs<Pairs>{ pairs, list.view(), counts_.data() });
    exec_.forEach(n_, SortRows{ list.view(), id_.data() });
    shareContacts(list, slots);
  }

  void findOrder()
  {
    if (order_known_)
      return;
    order_.resize(n_);
    struct Keyed
    {
      std::uint64_t key, key_other;
      std::uint32_t other;
    };
    auto* keys = reinterpret_cast<std::uint64_t*>(scratch<Keyed>());
    std::uint64_t* keys_other = keys + n_;
    exec_.forEach(n_, IdKeys{ id_.data(), keys, order_.data() });
    sortPairs(exec_, keys, keys_other, order_.data(),
      reinterpret_cast<std::uint32_t*>(keys_other + n_), n_, 63);
    rank_.resize(n_);
    exec_.forEach(n_, Ranks{ order_.data(), rank_.data() });
    exec_.synchronize();
    order_known_ = true;
  }

  MeasureView<Real> measureView()
  {
    PairList& list = pairs();
    WallList& walls = wall_lists_[current_];
    MeasureView<Real> view{ stateView(), lawView(), list.view(), list.slots(),
      Exec::kDevice ? nullptr : measured_.data(), wallView(), walls.view(), walls.row_of.data(),
      walls.slots(), order_.data(), rank_.data(), gravity_, step_ > 0 ? timeStep() : Real(0),
      Real(0), nullptr, nullptr };
    withIntegrator(step_, [&](const auto& integrator) {
      view.closing = integrator.closing(step_);
      view.velocity_rate = integrator.rate[0];
      view.spin_rate = integrator.rate[integrator.kRates / 2];
    });
    return view;
  }

  BodyMeasureView<Real> bodyMeasureView()
  {
    return { measureView(), rigid_.view(), shape_forces_.law(), rigid_.shownBodies() };
  }

  // What a user counts: particles, or the bodies whose parts they are.
  std::uint32_t grains() const { return rigid_.inUse() ? rigid_.shown() : n_; }

  // What frames show of pairs, for all of them at once on the CPU.
  void evaluateMeasured()
  {
    if constexpr (!Exec::kDevice)
      if (n_ && !rigid_.inUse())
      {
        measured_.resize(pairs().flags.size(), 1.1);
        exec_.forEachRange(
          n_, MeasurePairs<Real>{ ownedPairs(), measured_.data(), measureView().dt });
      }
  }

  Statistics measure(std::int32_t* coordination, float* stress, std::uint32_t* owned)
  {
    Tally total;
    evaluateMeasured();
    const std::uint32_t grains = this->grains();
    if (grains)
    {
      Tally* tally = scratch<Tally>();
      tally_partial_.resize(sumBlocks(grains));
      if (rigid_.inUse())
        exec_.forEach(
          grains, MeasureBodies<Real>{ bodyMeasureView(), tally, coordination, stress, owned });
      else
        exec_.forEach(
          grains, MeasureParticles<Real>{ measureView(), tally, coordination, stress, owned });
      exec_.forEach(sumBlocks(grains), SumBlocks<Tally>{ tally, grains, tally_partial_.data() });
      for (const Tally& t : tally_partial_.host())
        total += t;
    }
    Statistics s;
    s.time = time();
    s.step = step_;
    s.time_step = plan_.time_step;
    s.kinetic_energy = total.kinetic;
    s.potential_energy = total.potential;
    const EnergyTotals booked = totals();
    s.dissipated_energy = booked.joule(BookedEnergy::Dissipated);
    s.stiffness_work = booked.joule(BookedEnergy::StiffnessWork);
    s.wall_work = booked.joule(BookedEnergy::WallWork);
    for (const ExitedGrain& grain : exited_.all())
      s.removed_energy += grain.energy;
    s.energy_error = energyInBooks(s) - energy_at_start_;
    s.particles = grains;
    s.lost = rigid_.inUse() ? rigid_.size() - grains : lost_;
    s.contacts = static_cast<std::uint64_t>(total.contacts);
    s.largest_overlap = total.overlap;
    s.rebuilds = rebuilds_;
    s.steps_per_second = steps_per_second_;
    return s;
  }

  // Constant in exact motion, but for the elastic energy of contacts that grains have when they
  // leave.
  static double energyInBooks(const Statistics& s)
  {
    return s.kinetic_energy + s.potential_energy + s.dissipated_energy + s.stiffness_work +
      s.removed_energy - s.wall_work;
  }
  double energyInBooks()
  {
    prepareMeasure();
    return energyInBooks(measure(nullptr, nullptr, nullptr));
  }

  // Output arrays are written where the host can use them: in place on the CPU, through device
  // memory and one copy elsewhere.
  class Stage
  {
  public:
    explicit Stage(EngineImpl& engine, bool shown = true)
      : engine_(engine)
      , shown_(shown)
    {
    }
    template <class T>
    T* array(HostArray<T>& host, std::size_t n)
    {
      if (shown_ || !Exec::kDevice)
        host = HostArray<T>(n, Exec::kDevice);
      if (!Exec::kDevice || n == 0)
        return host.data();
      if (used_ == engine_.stages_.size())
        engine_.stages_.emplace_back(engine_.exec_);
      Buffer<std::uint8_t>& buffer = engine_.stages_[used_++];
      buffer.resize(n * sizeof(T));
      if (shown_)
        copies_.push_back({ host.data(), buffer.data(), n * sizeof(T) });
      return reinterpret_cast<T*>(buffer.data());
    }
    template <class T>
    T* arrayIf(bool wanted, HostArray<T>& host, std::size_t n)
    {
      return wanted ? array(host, n) : nullptr;
    }
    void finish()
    {
      for (const Copy& c : copies_)
        engine_.exec_.toHost(c.host, c.device, c.bytes);
      engine_.exec_.synchronize();
    }

  private:
    struct Copy
    {
      void* host;
      const void* device;
      std::size_t bytes;
    };
    EngineImpl& engine_;
    bool shown_; // else the arrays stay on the device
    std::size_t used_ = 0;
    std::vector<Copy> copies_;
  };

  Frame makeFrame(const FrameSelection& want)
  {
    prepareMeasure();
    Frame f;
    f.time = time();
    f.step = step_;
    f.size = grains();
    f.selection = want;
    f.device = device_.name;
    f.broad_phase = name(search_.choice().kind);

    f.run = run_;
    Stage stage(*this);
    const detail::FrameArrays arrays = stageFrame(f, want, stage, true);
    newest_.reset();
    if (device_frame_memory_ > 0)
      keepFrame(f, arrays);
    stage.finish();
    if (want.walls)
      makeWallFrames(f);
    finishContacts(f);
    exited_.write(f.exited_id, f.exited_position);
    return f;
  }

  // Queues what a frame shows; what of it the analysis reads. Without `all` no statistics, and of
  // contacts only what averages need.
  detail::FrameArrays stageFrame(Frame& f, const FrameSelection& want, Stage& stage, bool all)
  {
    const std::uint32_t n = grains();
    WriteParticles<Real> write{ measureView(), stage.array(f.position, 3 * std::size_t(n)),
      stage.array(f.id, n), stage.array(f.radius, n),
      stage.arrayIf(want.velocity, f.velocity, 3 * std::size_t(n)),
      stage.arrayIf(want.angular_velocity, f.angular_velocity, 3 * std::size_t(n)),
      stage.arrayIf(want.orientation, f.orientation, 4 * std::size_t(n)),
      stage.arrayIf(want.force, f.force, 3 * std::size_t(n)),
      stage.arrayIf(want.torque, f.torque, 3 * std::size_t(n)), stage.arrayIf(want.mass, f.mass, n),
      stage.arrayIf(want.material, f.material, n), stage.arrayIf(want.shape, f.shape, n) };
    std::int32_t* coordination = stage.arrayIf(want.coordination_number, f.coordination_number, n);
    float* stress = stage.arrayIf(want.stress, f.stress, 6 * std::size_t(n));
    if (rigid_.inUse())
      exec_.forEach(n, WriteBodies<Real>{ bodyMeasureView(), write, rigid_.frames() });
    else
      exec_.forEach(n, write);
    detail::FrameArrays arrays;
    arrays.grains = n;
    arrays.position = write.position;
    arrays.id = write.id;
    arrays.radius = write.radius;
    arrays.mass = write.mass;
    arrays.velocity = write.velocity;
    arrays.spin = write.spin;
    arrays.material = write.material;

    counts_.resize(n);
    if (all)
      f.statistics = measure(coordination, stress, counts_.data());
    else if (rigid_.inUse())
      exec_.forEach(n, CountBodyContacts<Real>{ bodyMeasureView(), counts_.data() });
    else
    {
      evaluateMeasured();
      exec_.forEach(n_, CountContacts<Real>{ measureView(), counts_.data() });
    }
    if (want.contacts || want.walls)
    {
      rows_.resize(n + 1);
      const std::size_t m = scanCounts(exec_, counts_.data(), rows_.data(), n);
      ContactArrays& c = f.contacts;
      c.size = m;
      const bool more = all && law_.statistics;
      const ContactOutput out{ stage.array(c.ids, 2 * m), stage.array(c.ends, 6 * m),
        stage.array(c.normal_force, 3 * m), stage.array(c.tangential_force, 3 * m),
        stage.arrayIf(all, c.overlap, m), stage.arrayIf(all, c.sliding, m),
        stage.arrayIf(more, c.age, m), stage.arrayIf(more, c.slip_distance, m),
        stage.arrayIf(more, c.dissipated_energy, m), stage.arrayIf(all, c.wall_element, m),
        stage.arrayIf(all && rigid_.inUse(), c.point, 3 * m) };
      c.of_bodies = rigid_.inUse();
      const WriteContacts<Real> write_contacts{ measureView(), rows_.data(), out };
      if (rigid_.inUse())
        exec_.forEach(
          n, WriteBodyContacts<Real>{ bodyMeasureView(), rows_.data(), write_contacts });
      else
        exec_.forEach(n, write_contacts);
      if (want.contacts)
      {
        arrays.contacts = m;
        arrays.ids = out.ids;
        arrays.ends = out.ends;
        arrays.point = out.point;
        arrays.normal_force = out.normal_force;
        arrays.tangential_force = out.tangential_force;
        arrays.overlap = out.overlap;
        arrays.sliding = out.sliding;
      }
    }
    return arrays;
  }

  std::shared_ptr<detail::DeviceFrameOn<Exec>> newDeviceFrame()
  {
    std::shared_ptr<detail::DeviceFrameOn<Exec>> frame;
    if constexpr (Exec::kDevice)
      frame = std::make_shared<detail::DeviceFrameOn<Exec>>(
        device_, device_.ordinal, DeviceMemory::Pooled);
    else
      frame = std::make_shared<detail::DeviceFrameOn<Exec>>(device_, device_.threads);
    frame->run = run_;
    frame->step = step_;
    frame->time = time();
    return frame;
  }

  // Memory that there is not is no reason to fail: what would read it takes the frame's host
  // arrays.
  void keepFrame(Frame& f, const detail::FrameArrays& arrays)
  {
    if (detail::DeviceFrameOn<Exec>::bytesFor(arrays.grains, arrays.contacts) >
      static_cast<double>(device_frame_memory_))
      return;
    try
    {
      auto frame = newDeviceFrame();
      if constexpr (Exec::kDevice)
        frame->take(exec_, arrays);
      else
        frame->takeLater(arrays,
          { f.position.block(), f.id.block(), f.radius.block(), f.mass.block(), f.velocity.block(),
            f.angular_velocity.block(), f.material.block(), f.contacts.ids.block(),
            f.contacts.ends.block(), f.contacts.point.block(), f.contacts.normal_force.block(),
            f.contacts.tangential_force.block(), f.contacts.overlap.block(),
            f.contacts.sliding.block() });
      newest_ = std::move(frame);
      f.on_device = newest_;
    }
    catch (const Error&)
    {
      exec_.synchronize(); // what was queued before the memory ended
    }
  }

  void addSample()
  {
    prepareMeasure();
    Frame f; // its arrays, on the CPU
    Stage stage(*this, false);
    const detail::FrameArrays arrays = stageFrame(f, RunAverages::selection(), stage, false);
    if (!sample_)
      sample_ = newDeviceFrame();
    sample_->take(exec_, arrays);
    exec_.synchronize();
    averages_->add(*sample_);
  }

  // Loads on the walls, added in the order of the contacts.
  void makeWallFrames(Frame& f)
  {
    f.walls.resize(wall_set_.scene_walls);
    std::vector<std::vector<Vec3d>> force(wall_set_.scene_walls), shear(wall_set_.scene_walls);
    std::vector<std::vector<double>> normal(wall_set_.scene_walls);
    const double t = time();
    for (std::size_t w = 0; w < wall_set_.scene_walls; ++w)
    {
      const std::size_t triangles = wall_set_.triangles[w];
      force[w].resize(triangles);
      shear[w].resize(triangles);
      normal[w].resize(triangles);
    }
    for (std::size_t k = 0; k < f.contacts.size; ++k)
    {
      const std::int32_t e = f.contacts.wall_element[k];
      if (e < 0 || static_cast<std::size_t>(wall_set_.elements[e].wall) >= wall_set_.scene_walls)
        continue;
      const std::size_t w = wall_set_.elements[e].wall;
      const Vec3d fn{ f.contacts.normal_force[3 * k], f.contacts.normal_force[3 * k + 1],
        f.contacts.normal_force[3 * k + 2] };
      const Vec3d ft{ f.contacts.tangential_force[3 * k], f.contacts.tangential_force[3 * k + 1],
        f.contacts.tangential_force[3 * k + 2] };
      const double* ends = f.contacts.ends.data() + 6 * k;
      const Vec3d centre{ ends[0], ends[1], ends[2] }, point{ ends[3], ends[4], ends[5] };
      const Vec3d on_wall = -(fn + ft);
      WallFrame& wall = f.walls[w];
      const WallBody body = wallBody(wall_set_.motions[w], 0, t);
      const Vec3d torque = cross(point - body.origin - body.shift, on_wall);
      for (int c = 0; c < 3; ++c)
      {
        wall.total_force[c] += on_wall[c];
        wall.total_torque[c] += torque[c];
      }
      if (wall_set_.isMesh(w))
      {
        const std::size_t triangle = wall_set_.triangleOf(e);
        force[w][triangle] += on_wall;
        shear[w][triangle] -= ft;
        normal[w][triangle] += dot(fn, centre - point) > 0 ? length(fn) : -length(fn);
      }
    }
    for (std::size_t w = 0; w < wall_set_.scene_walls; ++w)
    {
      WallFrame& wall = f.walls[w];
      const std::size_t triangles = force[w].size();
      wall.pressure = HostArray<float>(triangles);
      wall.shear_stress = HostArray<float>(triangles);
      wall.force = HostArray<float>(3 * triangles);
      // facets that were skipped bear nothing
      std::fill_n(wall.pressure.data(), triangles, 0.0f);
      std::fill_n(wall.shear_stress.data(), triangles, 0.0f);
      std::fill_n(wall.force.data(), 3 * triangles, 0.0f);
      for (std::size_t at = wall_set_.first[w]; triangles > 0 && at < wall_set_.first[w + 1]; ++at)
      {
        const WallElement& e = wall_set_.elements[at];
        const std::size_t k = wall_set_.triangleOf(at);
        const double area = 0.5 * length(cross(e.b - e.a, e.c - e.a));
        wall.pressure[k] = static_cast<float>(normal[w][k] / area);
        wall.shear_stress[k] = static_cast<float>(length(shear[w][k]) / area);
        for (int c = 0; c < 3; ++c)
          wall.force[3 * k + c] = static_cast<float>(force[w][k][c]);
      }
      wall.motion = wall_set_.motions[w];
      const WallBody body = wallBody(wall.motion, 0, t);
      const std::vector<Vec3d>& points = scene_.walls[w].points;
      wall.points = HostArray<double>(3 * points.size());
      for (std::size_t p = 0; p < points.size(); ++p)
      {
        const Vec3d x = body.toWorld(points[p]);
        for (int c = 0; c < 3; ++c)
          wall.points[3 * p + c] = x[c];
      }
    }
  }

  // Element numbers become triangle numbers of their wall.
  void finishContacts(Frame& f)
  {
    if (!f.selection.contacts)
    {
      f.contacts = ContactArrays{};
      return;
    }
    for (std::size_t k = 0; k < f.contacts.size; ++k)
    {
      std::int32_t& e = f.contacts.wall_element[k];
      if (e < 0)
        continue;
      const WallElement& element = wall_set_.elements[e];
      e = element.kind == ElementKind::Triangle ? static_cast<std::int32_t>(wall_set_.triangleOf(e))
                                                : -1;
    }
  }

  // ---- snapshots  ----

  template <class T>
  void saveInOrder(SnapshotWriter& out, const Buffer<T>& array)
  {
    std::uint8_t* to = out.room<T>(n_);
    if constexpr (Exec::kDevice)
    {
      Buffer<T> sorted(exec_);
      sorted.resize(n_);
      exec_.forEach(n_, GatherArray<T>{ array.data(), order_.data(), sorted.data() });
      exec_.toHost(to, sorted.data(), n_ * sizeof(T));
      exec_.synchronize();
    }
    else
      exec_.forEach(n_, GatherBytes<T>{ array.data(), order_.data(), to });
  }

  template <class T>
  void save(SnapshotWriter& out, const Buffer<T>& array)
  {
    exec_.toHost(out.room<T>(array.size()), array.data(), array.size() * sizeof(T));
    exec_.synchronize();
  }

  SnapshotBytes makeSnapshot()
  {
    prepareMeasure();
    SnapshotWriter out;
    out.bytes.reserve(snapshot_bytes_ + snapshot_bytes_ / 64);
    out.value(kSnapshotMagic);
    out.value(kSnapshotVersion);
    out.value<std::uint32_t>(sizeof(Real));
    out.value<std::uint32_t>(law_.columns());
    out.value<std::uint32_t>(static_cast<std::uint32_t>(scene_.integrator));
    out.value<std::uint64_t>(n_);
    out.value<std::uint64_t>(step_);
    out.value<double>(plan_.time_step);
    for (std::uint64_t h : fingerprints_)
      out.value(h);
    for (const Vec3d& v : { scene_.domain.lower, scene_.domain.upper, scene_.gravity })
      out.value(v);
    out.value<std::uint64_t>(lost_);
    out.value(energy_at_start_);
    out.array(exited_.all());
    const EnergyTotals booked = totals();
    out.value<std::int32_t>(booked.unit());
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      out.value(booked.low(e));
      out.value(booked.high(e));
    }
    // a change that is due but waits for the next step is part of the state
    std::size_t past = next_event_;
    while (past < scene_.events.size() && eventStep(scene_.events[past]) <= step_)
      ++past;
    out.value<std::uint64_t>(past);
    for (std::size_t k = 0; k < past; ++k)
    {
      const Event& e = scene_.events[k];
      out.value(e.time);
      out.array(e.property.data(), e.property.size());
      out.array(e.value);
    }
    saveInOrder(out, position_);
    saveInOrder(out, velocity_);
    saveInOrder(out, spin_);
    saveInOrder(out, velocity_rest_);
    saveInOrder(out, spin_rest_);
    saveInOrder(out, orientation_);
    Buffer<Real> turned_z(exec_);
    turned_z.resize(n_);
    exec_.forEach(n_, TurnedZ<Real>{ traveled_.data(), turned_z.data() });
    saveInOrder(out, turned_z);
    saveInOrder(out, force_);
    saveInOrder(out, torque_);
    for (const Buffer<Vec4<Real>>& rate : rates_)
      saveInOrder(out, rate);
    saveInOrder(out, id_);

    PairList& list = pairs();
    WallList& walls = wall_lists_[current_];
    Buffer<std::uint32_t> pair_count(exec_), wall_count(exec_), pair_start(exec_),
      wall_start(exec_), wall_element(exec_);
    Buffer<std::int64_t> pair_id(exec_);
    Buffer<std::uint8_t> pair_flags(exec_), wall_flags(exec_);
    Buffer<Real> pair_history(exec_), wall_history(exec_);
    pair_count.resize(n_);
    wall_count.resize(n_);
    pair_start.resize(n_ + 1);
    wall_start.resize(n_ + 1);
    SaveContacts<Real> saver{ list.view(), list.slots(), walls.view(), walls.row_of.data(),
      walls.slots(), id_.data(), rank_.data(), law_.columns(), pair_count.data(), wall_count.data(),
      nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, { nullptr, 0 }, { nullptr, 0 } };
    exec_.forEach(n_, saver);
    const std::size_t pairs = scanCounts(exec_, pair_count.data(), pair_start.data(), n_);
    const std::size_t touching_walls = scanCounts(exec_, wall_count.data(), wall_start.data(), n_);
    pair_id.resize(pairs);
    pair_flags.resize(pairs);
    pair_history.resize(pairs * law_.columns());
    wall_element.resize(touching_walls);
    wall_flags.resize(touching_walls);
    wall_history.resize(touching_walls * law_.columns());
    saver.pair_start = pair_start.data();
    saver.wall_start = wall_start.data();
    saver.pair_id = pair_id.data();
    saver.wall_element = wall_element.data();
    saver.pair_flags = pair_flags.data();
    saver.wall_flags = wall_flags.data();
    saver.pair_history = { pair_history.data(), pairs };
    saver.wall_history = { wall_history.data(), touching_walls };
    exec_.forEach(n_, saver);
    save(out, pair_start);
    save(out, pair_id);
    save(out, pair_flags);
    save(out, pair_history);
    save(out, wall_start);
    save(out, wall_element);
    save(out, wall_flags);
    save(out, wall_history);
    out.array(averages_ ? averages_->save() : std::vector<std::uint8_t>{});
    rigid_.settle(stateView());
    const BodyArrays bodies = rigid_.arrays();
    out.array(bodies.id);
    out.array(bodies.shape);
    for (const std::vector<Vec4<double>>* of_bodies :
      { &bodies.centre, &bodies.orientation, &bodies.velocity, &bodies.momentum, &bodies.inertia })
      out.array(*of_bodies);
    snapshot_bytes_ = out.bytes.size();
    return std::move(out.bytes);
  }

  // Everything is read and checked before anything of the present state is touched.
  void readSnapshot(const SnapshotBytes& bytes)
  {
    SnapshotReader in(bytes);
    if (in.value<std::uint32_t>() != kSnapshotMagic)
      in.fail("this is not a saved state of a simulation");
    const auto version = in.value<std::uint32_t>();
    if (version < kSnapshotVersionVerletOnly || version > kSnapshotVersion)
      in.fail("format version " + std::to_string(version) +
        " is not known, this program reads versions " + std::to_string(kSnapshotVersionVerletOnly) +
        " to " + std::to_string(kSnapshotVersion));
    const auto disagree = [](const std::string& what, const std::string& saved,
                            const std::string& here) {
      throw Error("The saved state does not fit this scene: " + what + " is " + saved +
        " in the state and " + here +
        " here. Load it into the scene that made it, or start that scene anew.");
    };
    const auto real_bytes = in.value<std::uint32_t>();
    if (real_bytes != sizeof(Real))
      disagree(
        "Precision", real_bytes == 4 ? "Mixed" : "Double", sizeof(Real) == 4 ? "Mixed" : "Double");
    const auto columns = in.value<std::uint32_t>();
    if (columns != static_cast<std::uint32_t>(law_.columns()))
      disagree(
        "the number of history columns (shapes, contact model, rolling model, ContactStatistics)",
        std::to_string(columns), std::to_string(law_.columns()));
    const auto integrator = version == kSnapshotVersionVerletOnly ? 0 : in.value<std::uint32_t>();
    if (integrator >= std::size(kIntegratorNames))
      in.fail("integrator number " + std::to_string(integrator) + " is not known");
    if (integrator != static_cast<std::uint32_t>(scene_.integrator))
      disagree("Integrator", kIntegratorNames[integrator],
        kIntegratorNames[static_cast<int>(scene_.integrator)]);
    const auto n = in.value<std::uint64_t>();
    const auto step = in.value<std::uint64_t>();
    const auto dt = in.value<double>();
    if (dt != plan_.time_step)
    {
      char a[32], b[32];
      std::snprintf(a, sizeof a, "%.9g s", dt);
      std::snprintf(b, sizeof b, "%.9g s", plan_.time_step);
      disagree("the time step (TimeStep, OutputInterval; sizes, shapes and materials where it is "
               "automatic)",
        a, b);
    }
    const bool spheres_only = version <= kSnapshotVersionSpheres;
    const bool holds_borders = version > kSnapshotVersionNoExits;
    for (std::size_t k = 0; k < fingerprints_.size(); ++k)
    {
      const auto saved = spheres_only && k == SceneFingerprints::kShapes
        ? SceneFingerprints::spheres()
        : in.value<std::uint64_t>();
      const bool with_borders = k == SceneFingerprints::kDomain && !holds_borders;
      if (saved !=
        (with_borders ? SceneFingerprints::ofDomain(scene_.domain, true) : fingerprints_[k]))
        throw Error(std::string("The saved state belongs to another scene: it differs in ") +
          SceneFingerprints::name(k) +
          (with_borders && scene_.domain.automatic
              ? ". Switch Automatic Domain off and set Domain to the borders that it had then"
              : ". Load it into the scene that made it, or start that scene anew") +
          ".");
    }
    Vec3d gravity = scene_.gravity;
    if (holds_borders)
    {
      const auto lower = in.value<Vec3d>(), upper = in.value<Vec3d>();
      gravity = in.value<Vec3d>();
      if (scene_.domain.limited && !(lower == scene_.domain.lower && upper == scene_.domain.upper))
      {
        char text[500];
        std::snprintf(text, sizeof text,
          "The saved state belongs to a domain x %.17g to %.17g, y %.17g to %.17g, z %.17g to "
          "%.17g m. "
          "Give it as RestartFile to a run with AutomaticDomain, which takes these borders, or set "
          "Domain to them.",
          lower.x, upper.x, lower.y, upper.y, lower.z, upper.z);
        throw Error(text);
      }
    }
    if (n > 0x7fffffffu)
      in.fail("the particle count is not possible");
    const auto lost = in.value<std::uint64_t>();
    const auto energy_at_start = holds_borders ? in.value<double>() : 0.;
    std::vector<ExitedGrain> exited =
      holds_borders ? in.array<ExitedGrain>() : std::vector<ExitedGrain>{};
    for (std::size_t k = 0; k < exited.size(); ++k)
      if (!std::isfinite(exited[k].energy) || (k && exited[k].id <= exited[k - 1].id) ||
        exited.size() > lost)
        in.fail("the grains that left are not possible");
    const bool accounts = version <= kSnapshotVersionAccounts;
    const int unit = accounts ? -80 : in.value<std::int32_t>();
    if (unit < -900 || unit > 900)
      in.fail("energies with a unit of 2^" + std::to_string(unit) + " J are not possible");
    EnergyTotals totals(unit);
    for (unsigned e = 0; e < kBookedEnergies; ++e)
    {
      const auto low = in.value<std::uint64_t>();
      totals.addUnits(e, low, in.value<std::uint64_t>());
    }
    std::vector<Event> events;
    const auto event_count = in.value<std::uint64_t>();
    for (std::uint64_t k = 0; k < event_count; ++k)
    {
      Event e;
      e.time = in.value<double>();
      const auto name = in.array<char>();
      e.property.assign(name.begin(), name.end());
      e.value = in.array<double>();
      events.push_back(std::move(e));
    }
    const auto position = in.array<Vec4<double>>(n, "position");
    const auto velocity = in.array<Vec4<Real>>(n, "velocity");
    const auto spin = in.array<Vec4<Real>>(n, "spin");
    const auto velocity_rest = in.array<Vec4<Real>>(n, "velocity rest");
    const auto spin_rest = in.array<Vec4<Real>>(n, "spin rest");
    const auto orientation = in.array<Vec4<double>>(n, "orientation");
    const auto turned_z = version <= kSnapshotVersionWholeTurns ? std::vector<Real>(n, Real(0))
                                                                : in.array<Real>(n, "turns");
    std::vector<Traveled<Real>> traveled(n);
    std::transform(turned_z.begin(), turned_z.end(), traveled.begin(), [](Real z) {
      return Traveled<Real>{ z, Real(0) };
    });
    const auto force = in.array<Vec4<Real>>(n, "force");
    const auto torque = in.array<Vec4<Real>>(n, "torque");
    std::vector<std::vector<Vec4<Real>>> rates;
    for (std::size_t k = 0; k < rates_.size(); ++k)
      rates.push_back(in.array<Vec4<Real>>(n, "integrator's rate"));
    if (accounts)
    {
      const EnergyTotals lost_energy = totals;
      totals = EnergyTotals(energy_unit_);
      const auto account = in.array<std::array<double, kBookedEnergies>>(n, "energy");
      for (unsigned e = 0; e < kBookedEnergies; ++e)
      {
        const auto kind = static_cast<BookedEnergy>(e);
        const auto book = [&](double joule) {
          if (!totals.holds(joule))
            in.fail("an energy is not finite or too large");
          totals.add(kind, joule);
        };
        book(lost_energy.joule(kind));
        for (const auto& booked : account)
          book(booked[e]);
      }
    }
    const auto id = in.array<std::int64_t>(n, "id");
    const auto pair_start = in.array<std::uint32_t>(n + 1, "pair rows");
    const std::size_t pairs = pair_start.back();
    const auto pair_id = in.array<std::int64_t>(pairs, "pair ids");
    const auto pair_flags = in.array<std::uint8_t>(pairs, "pair flags");
    const auto pair_history = in.array<Real>(pairs * columns, "pair history");
    const auto wall_start = in.array<std::uint32_t>(n + 1, "wall rows");
    const std::size_t walls = wall_start.back();
    const auto wall_element = in.array<std::uint32_t>(walls, "wall elements");
    const auto wall_flags = in.array<std::uint8_t>(walls, "wall flags");
    const auto wall_history = in.array<Real>(walls * columns, "wall history");
    const auto sampled = version <= kSnapshotVersionNoAverages ? std::vector<std::uint8_t>{}
                                                               : in.array<std::uint8_t>();
    BodyArrays bodies;
    if (!spheres_only)
    {
      bodies.id = in.array<std::int64_t>();
      const std::size_t n_bodies = bodies.id.size();
      bodies.shape = in.array<std::int32_t>(n_bodies, "bodies' shapes");
      for (std::vector<Vec4<double>>* of_bodies : { &bodies.centre, &bodies.orientation,
             &bodies.velocity, &bodies.momentum, &bodies.inertia })
        *of_bodies = in.array<Vec4<double>>(n_bodies, "bodies");
      rigid_.check(bodies, id, in);
      for (std::int32_t shape : bodies.shape)
        if (!rigid_.shapes().shaped && isShaped(scene_.shapes[shape].kind))
          throw Error("The saved state belongs to another scene: grains of it have the shape \"" +
            scene_.shapes[shape].name + "\", here all are spheres or clumps of them.");
    }
    if (!in.atEnd())
      in.fail("there is more behind its end");
    auto averages =
      averages_ ? std::make_unique<RunAverages::Saved>(averages_->read(sampled, step)) : nullptr;
    double radius_max = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
      if (i && id[i] <= id[i - 1])
        in.fail("the Ids do not ascend");
      if (pair_start[i] > pair_start[i + 1] || wall_start[i] > wall_start[i + 1])
        in.fail("the rows of contacts do not ascend");
      const Vec3<Real> turned{ velocity_rest[i].w, spin_rest[i].w, turned_z[i] };
      if (bodies.id.empty() && !(dot(turned, turned) < Real(0.5)))
        in.fail("particle " + std::to_string(id[i]) + " has an impossible orientation");
      if (!(position[i].w > 0) || !(dot(position[i].xyz(), position[i].xyz()) < 1e300) ||
        !(velocity[i].w > 0) || !(spin[i].w >= 0) ||
        !(spin[i].w < static_cast<Real>(scene_.materials.size())))
        in.fail("particle " + std::to_string(id[i]) + " has impossible values");
      radius_max = std::max(radius_max, position[i].w);
    }

    // The state's own past, and what is known here of its future: so a replay meets every change
    // again. One that is due at this very step waits for the next, as it does in the run that was
    // saved.
    Scene scene = base_scene_;
    std::size_t past = 0;
    for (const Event& e : events)
    {
      if (eventStep(e) >= step)
        break;
      ++past;
      Event then = e;
      then.time = static_cast<double>(eventStep(e)) * plan_.time_step;
      applyToScene(scene, then);
    }
    for (const Event& e : scene_.events)
      if (eventStep(e) >= step && std::find(events.begin(), events.end(), e) == events.end())
        events.push_back(e);
    scene.events = std::move(events);

    try
    {
      std::swap(scene_, scene);
      next_event_ = past;
      settling_ = false; // of a list that goes
      n_ = static_cast<std::uint32_t>(n);
      step_ = step;
      if (averages_)
        averages_->use(std::move(*averages));
      lost_ = lost;
      exited_.use(std::move(exited));
      energy_at_start_ = energy_at_start;
      setTotals(totals);
      radius_max_ = radius_max;
      removed_ = 0;
      failure_.clear();
      position_.assign(position);
      velocity_.assign(velocity);
      spin_.assign(spin);
      velocity_rest_.assign(velocity_rest);
      spin_rest_.assign(spin_rest);
      orientation_.assign(orientation);
      traveled_.assign(traveled);
      force_.assign(force);
      torque_.assign(torque);
      for (std::size_t k = 0; k < rates_.size(); ++k)
        rates_[k].assign(rates[k]);
      id_.assign(id);
      rigid_.use(bodies);
      shape_forces_.useBodies(scene_.shapes, bodies.shape);
      listed_.resize(n_);
      std::vector<double> radii(n_);
      std::transform(
        position.begin(), position.end(), radii.begin(), [](const Vec4<double>& x) { return x.w; });
      search_.choose(searchOptions(), radii);
      sorted_ = false;
      order_known_ = false;
      have_list_ = false;
      forces_due_ = false;
      fastest_ = -1;
      list_step_ = step_;
      uploadLaw();
      rebuildFirst();

      Buffer<std::int64_t> d_id(exec_), d_pair_id(exec_);
      Buffer<std::uint32_t> d_pair_start(exec_), d_wall_start(exec_), d_wall_element(exec_);
      Buffer<std::uint8_t> d_pair_flags(exec_), d_wall_flags(exec_);
      Buffer<Real> d_pair_history(exec_), d_wall_history(exec_);
      d_id.assign(id);
      d_pair_id.assign(pair_id);
      d_pair_start.assign(pair_start);
      d_wall_start.assign(wall_start);
      d_wall_element.assign(wall_element);
      d_pair_flags.assign(pair_flags);
      d_wall_flags.assign(wall_flags);
      d_pair_history.assign(pair_history);
      d_wall_history.assign(wall_history);
      if (kinds_.inUse())
      {
        findOrder();
        makeRows(
          n_, SavedPairs{ order_.data(), d_id.data(), n_, d_pair_start.data(), d_pair_id.data() });
      }
      PairList& list = this->pairs();
      WallList& wall_list = wall_lists_[current_];
      exec_.forEach(n_,
        RestoreContacts<Real>{ list.view(), list.slots(), wall_list.view(), wall_list.row_of.data(),
          wall_list.slots(), id_.data(), law_.columns(), n_, d_id.data(), d_pair_start.data(),
          d_wall_start.data(), d_pair_id.data(), d_wall_element.data(), d_pair_flags.data(),
          d_wall_flags.data(), { d_pair_history.data(), pairs },
          { d_wall_history.data(), walls } });
      if (kinds_.inUse())
        kinds_.take(list.view(), list.slots(), id_.data());
      exec_.synchronize();
      half_rebuilt_ = false;
      if (!holds_borders)
        energy_at_start_ = energyInBooks();
      else if (!(gravity == scene_.gravity)) // of another run than the one that was saved
      {
        const double energy = energyInBooks();
        gravity_ = gravity.as<Real>();
        energy_at_start_ += energy - energyInBooks();
        gravity_ = scene_.gravity.as<Real>();
      }
      takeSamples();
    }
    catch (const std::exception& e)
    {
      std::swap(scene_, scene); // whose later events the next restore keeps
      half_rebuilt_ = true;     // as in rebuild()
      failure_ = e.what();
      throw;
    }
  }

  static constexpr double kAutomaticSkin = 0.03; // of the mean diameter, at first
  std::uint32_t many_ = 300000;                  // particles; fewer leave a device room
  std::uint32_t many_beside_ = 400000;           // so many that rows take a device more than once
  static constexpr std::size_t kBlocksBeside = 528; // four a multiprocessor of an H200

  Exec exec_;
  Scene base_scene_; // before any event
  std::array<std::uint64_t, SceneFingerprints::kParts> fingerprints_{};
  LawParameters<Real> law_{};
  Vec3<Real> gravity_{};
  std::uint32_t n_ = 0;
  double radius_max_ = 0, mean_diameter_ = 0, skin_ = 0;

  Buffer<Vec4<double>> position_{ exec_ }, position_beside_{ exec_ }, orientation_{ exec_ };
  Buffer<Vec4<Real>> velocity_{ exec_ }, spin_{ exec_ }, velocity_rest_{ exec_ },
    spin_rest_{ exec_ }, force_{ exec_ }, torque_{ exec_ };
  // Where others still read, a step writes places to the one beside, velocities and spins to where
  // the next forces will be. Else that is scratch memory.
  std::vector<Buffer<Vec4<Real>>> rates_;        // what the integrator keeps
  Buffer<unsigned long long> energies_{ exec_ }; // the stripes of EnergyBooks
  int energy_unit_ = 0;
  Buffer<Vec3d> listed_{ exec_ };
  Buffer<Traveled<Real>> traveled_{ exec_ }, traveled_beside_{ exec_ };
  Buffer<std::int64_t> id_{ exec_ }, old_id_{ exec_ };

  Bodies<Exec, Real> rigid_{ exec_ };
  ShapeForces<Exec, Real> shape_forces_{ exec_ };

  CandidateSearch<Exec> search_{ exec_ };
  Buffer<std::uint32_t> index_{ exec_ }, index_other_{ exec_ };
  Buffer<std::uint32_t> counts_{ exec_ }, has_row_{ exec_ }, rows_{ exec_ }, wall_offset_{ exec_ },
    order_{ exec_ }, rank_{ exec_ };
  PairList lists_[2]{ PairList(exec_), PairList(exec_) };
  WallList wall_lists_[2]{ WallList(exec_), WallList(exec_) };
  Buffer<std::uint32_t> contact_a_{ exec_ },
    contact_b_{ exec_ };                 // the particles of the contacts, on the CPU
  KindLists<Exec, Real> kinds_{ exec_ }; // the pairs of every kind but the default
  PairList shown_{ exec_ };              // what touches among them, for frames and saved states
  Buffer<PairRecord<Real>> records_{ exec_ };    // of the contacts, on the CPU
  Buffer<MeasuredPair<Real>> measured_{ exec_ }; // of the contacts, on the CPU
  Buffer<Load<Real>> wall_loads_{ exec_ };       // of the rows of the wall list, on CUDA
  Buffer<unsigned> walls_met_{ exec_ };          // see StepWarps
  unsigned walls_due_ = 0;
  std::size_t snapshot_bytes_ = 0; // of the last one
  int current_ = 0;
  bool have_list_ = false, order_known_ = false;
  bool forces_due_ = false;   // those of the present step
  bool moved_beside_ = false; // a step leaves its places and velocities beside those it read
  bool rebuild_wanted_ = false;
  unsigned rebuild_every_ = 0; // steps; 0: as needed
  std::uint64_t wall_entries_ = 0;
  Buffer<std::uint32_t> crowded_{ exec_ };
  std::uint32_t crowded_groups_ = 0; // of particles, whose rows are long: FindCrowded
  bool rows_made_ = false;           // of the list being built, in one launch
  ListRoom room_{};                  // that it has
  bool bounded_ = false;             // bounds for the next grid come with the sorted data
  WideBounds wide_bounds_{};
  bool rest_waits_ = false; // what searches do not read, to be brought into the new order

  WallSet wall_set_;
  std::vector<double> wall_came_; // one a wall: m, from the last rebuild to came_step_
  std::uint64_t came_step_ = 0;   // of the last rebuild or event
  Buffer<WallElement> elements_{ exec_ };
  Buffer<std::uint32_t> ring_start_{ exec_ }, ring_{ exec_ }, wall_first_{ exec_ };
  bool has_seams_ = false;
  Buffer<std::uint32_t> seam_start_{ exec_ }, seam_{ exec_ };
  Buffer<double> seam_tolerance_{ exec_ };
  Buffer<Motion> motions_{ exec_ };
  Buffer<std::int32_t> wall_materials_{ exec_ };
  Buffer<WallBody> bodies_{ exec_ };
  WallTrees<Exec> trees_{ exec_ };
  Buffer<std::uint32_t> grid_start_{ exec_ }, grid_item_{ exec_ };
  Buffer<TriangleGrid> triangle_grids_{ exec_ };
  Buffer<PairCoefficients<Real>> pair_coefficients_{ exec_ };
  PairCoefficients<Real> first_coefficients_{};

  Buffer<BatchReport> report_{ exec_ };
  HostArray<BatchReport> report_host_{ 1, Exec::kDevice };
  double entries_found_ = 0;  // of a particle, in the last list of which the host knows
  double most_grouped_ = 6.6; // so many, for contacts to be grouped
  unsigned found_ = 0;        // of the report's two, which rebuilds take in turn
  bool next_clear_ = false;   // the other one is zeros, or will be by what is queued
  bool settling_ = false;     // what the last rebuild found was not read yet
  Buffer<Tally> tally_partial_{ exec_ };
  std::vector<Buffer<std::uint8_t>> stages_;

  std::size_t next_event_ = 0;
  unsigned removed_ = 0;
  std::uint64_t lost_ = 0;
  ExitList<Exec, ExitedGrain> exited_{ exec_ };
  double energy_at_start_ = 0; // energyInBooks() then, moved by changes of the law
  std::uint64_t rebuilds_ = 0, sorts_ = 0, list_step_ = 0, sort_step_ = 0, last_interval_ = 16,
                path_steps_ = 0;
  double fastest_ = -1; // how far a particle came in a step at most, in the mean over the list
                        // before this one (path_steps_), m; below 0: not known
  bool sorted_ = false; // the data were sorted since they came
  double steps_per_second_ = 0;
  typename Exec::Stopwatch rebuild_time_{ exec_ };
  double triangle_seconds_ = 0;
  std::string failure_;
  bool half_rebuilt_ = false;
  std::unique_ptr<RunAverages> averages_; // null where the scene has none

  std::size_t device_frame_memory_ = 0;
  std::shared_ptr<const DeviceFrame> newest_;           // of the newest frame, if it is kept
  std::shared_ptr<detail::DeviceFrameOn<Exec>> sample_; // of the last sample: its memory
};

} // namespace dem
