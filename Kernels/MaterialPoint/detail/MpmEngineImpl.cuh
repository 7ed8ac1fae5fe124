// One MPM scene on one device. A sub-step is in subStep: bins, points to tiles, nodes, walls, nodes
// to points.
#pragma once

#include "Analysis/DeviceFrameOn.cuh"
#include "Measure/ExitList.h"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Core/Error.h"
#include "MaterialPoint/detail/Implicit.cuh"
#include "MaterialPoint/detail/Measure.cuh"
#include "MaterialPoint/detail/MpmEngine.h"
#include "MaterialPoint/detail/MpmState.h"
#include "MaterialPoint/detail/NodeWalls.cuh"
#include "MaterialPoint/detail/PointWalls.cuh"
#include "Walls/WallMesh.h"
#include "Walls/WallTrees.cuh"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <thread>
#include <type_traits>

namespace mpm
{

template <class Exec, class Real>
class EngineImpl final : public Engine
{
public:
  template <class... ExecArguments>
  EngineImpl(const Scene& scene, const dem::Device& device, ExecArguments... arguments)
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
      requireWhole();
      f = makeFrame(selection);
    });
    return f;
  }
  Statistics statistics() override
  {
    Statistics s;
    exec_.inArena([&] {
      requireWhole();
      s = measure();
    });
    return s;
  }
  DerivativeErrors derivativeErrors(double time_step, double speed) override
  {
    DerivativeErrors found;
    exec_.inArena([&] {
      makeBins(marked_);
      marked_ = false;
      withSpline([&](auto spline) {
        found = this->template derivativeErrors<decltype(spline)::value>(time_step, speed);
      });
    });
    return found;
  }
  SnapshotBytes save() override
  {
    SnapshotBytes bytes;
    exec_.inArena([&] {
      requireWhole();
      bytes = makeState();
    });
    return bytes;
  }
  void restore(const SnapshotBytes& bytes) override
  {
    exec_.inArena([&] { readState(bytes); });
  }
  bool needsRestore() const override { return half_restored_; }
  std::size_t deviceBytes() const override
  {
    return exec_.allocatedBytes() + (newest_ ? newest_->bytes() : 0);
  }
  void keepOnDevice(std::size_t bytes) override
  {
    device_frame_memory_ = bytes;
    if (!bytes)
      newest_.reset();
  }

private:
  template <class T>
  using Buffer = dem::Array<T, Exec>;

  struct Points
  {
    explicit Points(Exec& e)
      : volume(e)
      , key(e)
      , id(e)
      , material(e)
    {
      for (int k = 0; k < PointsView<Real>::kColumns; ++k)
        column.emplace_back(e);
    }
    void resize(std::size_t n)
    {
      for (auto& c : column)
        c.resize(n);
      volume.resize(n);
      key.resize(n);
      id.resize(n);
      material.resize(n);
    }
    PointsView<Real> view()
    {
      PointsView<Real> v;
      for (int k = 0; k < PointsView<Real>::kColumns; ++k)
        v.column[k] = column[k].data();
      v.volume = volume.data();
      v.key = key.data();
      v.id = id.data();
      v.material = material.data();
      return v;
    }
    std::vector<Buffer<Vec4<Real>>> column;
    Buffer<Real> volume;
    Buffer<BinKey> key;
    Buffer<std::uint32_t> id;
    Buffer<std::uint8_t> material;
  };

  template <class Body>
  void withSpline(const Body& body)
  {
    if (scene_.spline == Spline::Quadratic)
      body(std::integral_constant<Spline, Spline::Quadratic>{});
    else
      body(std::integral_constant<Spline, Spline::Cubic>{});
  }

  // ---- setting up  ----

  void setUp()
  {
    const std::array<int, 3> cells = gridCells(scene_);
    below_ = scene_.spline == Spline::Quadratic ? 0.5 : 1;
    std::uint64_t total = 1;
    for (int k = 0; k < 3; ++k)
    {
      // bins up to cells[k], nodes up to three more
      grid_.blocks[k] = (cells[k] + 3) / kBlockEdge + 1;
      total *= static_cast<std::uint64_t>(grid_.blocks[k]);
      bin_borders_.upper[k] = static_cast<Real>(cells[k] + 1 - below_);
      node_borders_.upper[k] = cells[k] + 1;
    }
    // node 1 lies on the lower border
    node_borders_.lower = 1;
    bin_borders_.lower = static_cast<Real>(1 - below_);
    for (int k = 0; k < 6; ++k)
    {
      node_borders_.kind[k] = scene_.domain.border[k];
      bin_borders_.remove[k] = scene_.domain.border[k] == Border::Remove;
    }
    node_borders_.friction = static_cast<Real>(scene_.domain.friction);
    const double h = scene_.grid_spacing;
    for (int k = 0; k < 3; ++k)
    {
      node_origin_[k] = scene_.domain.lower[k] - h;
      bin_start_world_[k] = node_origin_[k] + below_ * h;
    }
    if (scene_.memory_limit > 0 && 12. * static_cast<double>(total) > scene_.memory_limit)
      tooLarge(12. * static_cast<double>(total));
    requireMemory(12. * static_cast<double>(total),
      "A grid of " + std::to_string(cells[0]) + " x " + std::to_string(cells[1]) + " x " +
        std::to_string(cells[2]) + " cells");
    mark_.resize(total);
    touched_.resize(total);
    table_.resize(total + 1);
    control_.resize(1);

    uploadMaterials();
    setUpWalls();
    upload();
    fingerprint_ = fingerprint(scene_, n_start_);
    scene_.points = {};
    base_scene_ = scene_;
  }

  void uploadMaterials()
  {
    std::vector<MaterialParameters<Real>> materials;
    for (const Material& m : scene_.materials)
      materials.push_back(materialParameters<Real>(m));
    materials_.assign(materials);
  }

  static std::string mebibytes(double bytes)
  {
    return std::to_string(static_cast<std::uint64_t>(bytes / 1048576)) + " MiB";
  }
  [[noreturn]] void tooLarge(double bytes) const
  {
    throw dem::Error("GridSpacing " + std::to_string(scene_.grid_spacing) +
      " m makes a grid that is too large for the device: it takes " + mebibytes(bytes + 1048575) +
      ", MemoryLimit is " + mebibytes(scene_.memory_limit) +
      ". Use a larger spacing or a smaller domain.");
  }
  /// Throws where the device has not `bytes` more for `what`.
  void requireMemory(double bytes, const std::string& what) const
  {
#if defined(__CUDACC__)
    if constexpr (Exec::kDevice)
    {
      std::size_t free = 0, all = 0;
      if (cudaMemGetInfo(&free, &all) == cudaSuccess && bytes > static_cast<double>(free))
        throw dem::Error(what + " would take " + mebibytes(bytes + 1048575) +
          " more of the device, " + mebibytes(static_cast<double>(free)) + " of " +
          mebibytes(static_cast<double>(all)) +
          " are free. Use a larger GridSpacing, fewer points, Precision Single, or Device = CPU.");
    }
#else
    (void)bytes, (void)what;
#endif
  }

  void setUpWalls()
  {
    if (scene_.walls.empty())
      return;
    wall_set_ = wallsWithin(scene_);
    elements_.assign(wall_set_.elements);
    wall_first_.assign(wall_set_.first);
    trees_.build(wall_set_, elements_.data());
    contacts_.assign(scene_.wall_contacts.empty() ? std::vector<WallContact>(scene_.walls.size())
                                                  : scene_.wall_contacts);
    bodies_.resize(wall_set_.walls());
  }

  WallsOnDevice walls()
  {
    return { elements_.data(), bodies_.data(), trees_.view(), wall_first_.data(), contacts_.data(),
      static_cast<std::uint32_t>(wall_set_.walls()) };
  }

  /// body(i) for i in [0, n) on the host's threads.
  template <class Body>
  static void shareOut(std::size_t n, const Body& body)
  {
    constexpr std::size_t kFew = 1 << 18;
    const std::size_t threads =
      std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), n / kFew + 1);
    std::vector<std::thread> others;
    const auto part = [&](std::size_t t) {
      for (std::size_t i = n * t / threads; i < n * (t + 1) / threads; ++i)
        body(i);
    };
    for (std::size_t t = 1; t < threads; ++t)
      others.emplace_back(part, t);
    part(0);
    for (std::thread& t : others)
      t.join();
  }

  void upload()
  {
    const PointInput& p = scene_.points;
    const std::size_t n = p.size();
    n_start_ = n_ = static_cast<std::uint32_t>(n);
    // in ascending Id
    std::vector<std::uint32_t> by_id(n);
    std::iota(by_id.begin(), by_id.end(), 0u);
    if (!p.id.empty())
    {
      std::sort(by_id.begin(), by_id.end(),
        [&](std::uint32_t a, std::uint32_t b) { return p.id[a] < p.id[b]; });
      ids_.resize(n);
      for (std::size_t i = 0; i < n; ++i)
        ids_[i] = p.id[by_id[i]];
    }
    Points& to = *points_[0];
    constexpr double kBytes =
      2. * (PointsView<Real>::kColumns * sizeof(Vec4<Real>) + sizeof(Real) + 9);
    requireMemory(kBytes * static_cast<double>(n), std::to_string(n) + " points");
    to.resize(n);
    points_[1]->resize(n);
    std::vector<Vec4<Real>> column(n);
    const auto put = [&](int k, const auto& value) {
      shareOut(n, [&](std::size_t i) { column[i] = value(by_id[i]); });
      to.column[k].assign(column);
    };
    const auto materialOf = [&](std::uint32_t i) { return p.material.empty() ? 0 : p.material[i]; };
    const auto densityOf = [&](std::uint32_t i) { return scene_.materials[materialOf(i)].density; };
    const auto massOf = [&](std::uint32_t i) {
      return p.mass.empty() ? p.volume[i] * densityOf(i) : p.mass[i];
    };
    const auto volumeOf = [&](std::uint32_t i) {
      return p.volume.empty() ? p.mass[i] / densityOf(i) : p.volume[i];
    };
    const auto deformationOf = [&](std::uint32_t i, int row, int col) -> Real {
      if (p.deformation.empty())
        return row == col ? Real(1) : Real(0);
      const Matrix3d& m = p.deformation[i];
      if (scene_.materials[materialOf(i)].kind != MaterialKind::Fluid)
        return static_cast<Real>(m[row][col]);
      if (row || col)
        return row == col ? Real(1) : Real(0);
      return static_cast<Real>(m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
        m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
        m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]));
    };
    std::vector<BinKey> key(n);
    put(0, [&](std::uint32_t i) {
      Vec3<Real> f;
      int bin[3];
      for (int k = 0; k < 3; ++k)
      {
        double u = (p.position[i][k] - bin_start_world_[k]) / scene_.grid_spacing;
        u = std::min(std::max(u, static_cast<double>(bin_borders_.lower)),
          static_cast<double>(bin_borders_.upper[k]));
        double whole = std::floor(u);
        Real rest = static_cast<Real>(u - whole);
        if (rest >= 1)
        {
          whole += 1;
          rest = 0;
        }
        bin[k] = static_cast<int>(whole);
        f[k] = rest;
      }
      key[i] = grid_.key(bin[0], bin[1], bin[2]);
      return vec4(f, static_cast<Real>(massOf(i)));
    });
    put(1, [&](std::uint32_t i) {
      return vec4((p.velocity.empty() ? Vec3d{} : p.velocity[i]).as<Real>(), Real(0));
    });
    const auto affineOf = [&](std::uint32_t i, int row, int col) -> Real {
      return p.velocity_gradient.empty() || scene_.transfer != Transfer::APIC
        ? Real(0)
        : static_cast<Real>(p.velocity_gradient[i][row][col]);
    };
    put(2, [&](std::uint32_t i) {
      return Vec4<Real>{ affineOf(i, 0, 0), affineOf(i, 1, 0), affineOf(i, 2, 0),
        affineOf(i, 0, 1) };
    });
    put(3, [&](std::uint32_t i) {
      return Vec4<Real>{ affineOf(i, 1, 1), affineOf(i, 2, 1), affineOf(i, 0, 2),
        affineOf(i, 1, 2) };
    });
    put(4, [&](std::uint32_t i) { return Vec4<Real>{ affineOf(i, 2, 2), 0, 0, 0 }; });
    put(5, [&](std::uint32_t i) { return Vec4<Real>{ 0, 0, 0, deformationOf(i, 0, 0) }; });
    put(6, [&](std::uint32_t i) {
      return Vec4<Real>{ deformationOf(i, 1, 0), deformationOf(i, 2, 0), deformationOf(i, 0, 1),
        deformationOf(i, 1, 1) };
    });
    put(7, [&](std::uint32_t i) {
      return Vec4<Real>{ deformationOf(i, 2, 1), deformationOf(i, 0, 2), deformationOf(i, 1, 2),
        deformationOf(i, 2, 2) };
    });
    for (std::uint32_t i = 0; i < n_; ++i)
      mass_ += massOf(i);
    std::vector<BinKey> keys(n);
    std::vector<Real> volume(n);
    std::vector<std::uint8_t> material(n);
    std::vector<std::uint32_t> rank(n);
    shareOut(n, [&](std::size_t i) {
      keys[i] = key[by_id[i]];
      volume[i] = static_cast<Real>(volumeOf(by_id[i]));
      material[i] = static_cast<std::uint8_t>(materialOf(by_id[i]));
      rank[i] = static_cast<std::uint32_t>(i);
    });
    to.key.assign(keys);
    to.volume.assign(volume);
    to.material.assign(material);
    to.id.assign(rank);
    clearControl();
    exec_.forEach(n, StartPoints<Real>{ to.view(), materials_.data(), control_.data() });
    readControl();
    throwFault();
    speed_ = control_host_.speed;
    point_speed_ = control_host_.point_speed;
  }

  // ---- control  ----

  struct ControlValues
  {
    unsigned long long fault = ~0ull;
    float speed = 0, point_speed = 0;
    unsigned gone = 0;
  };

  void clearControl() { exec_.forEach(1, ClearControl{ control_.data() }); }
  void readControl()
  {
    const Control c = control_.host()[0];
    control_host_.fault = c.fault;
    std::memcpy(&control_host_.speed, &c.speed, sizeof(float));
    std::memcpy(&control_host_.point_speed, &c.point_speed, sizeof(float));
    control_host_.gone = c.gone;
  }
  std::int64_t idOf(std::uint64_t rank) const
  {
    return ids_.empty() ? static_cast<std::int64_t>(rank) : ids_[rank];
  }

  std::string faultText() const
  {
    const auto kind = static_cast<FaultKind>(control_host_.fault & 255);
    char text[300];
    std::snprintf(text, sizeof text,
      kind == FaultKind::TooFast
        ? "Point %lld moves more than a cell (%.4g m) in one step after t = %.6g s: it was thrown "
          "off. Use a smaller TimeStep or CourantNumber."
        : "Point %lld is inverted or not finite, in cells of %.4g m after t = %.6g s: it was "
          "deformed beyond what its material allows in one step. Use a "
          "smaller TimeStep or CourantNumber, a stiffer material, or more points per cell.",
      static_cast<long long>(idOf(control_host_.fault >> 8)), scene_.grid_spacing, time());
    return text;
  }
  void throwFault()
  {
    if (control_host_.fault != ~0ull)
      throw dem::Error(faultText());
  }

  // ---- bins  ----

  /// Orders the points of points_[current_] by bin and place in memory. mark_ holds their blocks if
  /// `marked`.
  void makeBins(bool marked)
  {
    if (binned_)
      return;
    Points& p = *points_[current_];
    const std::uint32_t total = grid_.total();
    if (!marked)
    {
      mark_.zero();
      exec_.forEach(n_, MarkBlocks{ p.key.data(), mark_.data() });
    }
    exec_.forEach(total, TouchBlocks{ grid_, mark_.data(), touched_.data() });
    blocks_ =
      static_cast<std::uint32_t>(dem::scanCounts(exec_, touched_.data(), table_.data(), total));
    list_.resize(blocks_, 1.2);
    grid_.table = table_.data();
    grid_.list = list_.data();
    exec_.forEach(total, ListBlocks{ table_.data(), list_.data() });
    const std::size_t bins = std::size_t(blocks_) * kBlockBins;
    if (bins >= 0xfffff000u)
      throw dem::Error("The points touch " + std::to_string(blocks_) +
        " blocks of cells, too many for the device. Use a larger GridSpacing.");
    count_.resize(bins, 1.2);
    start_.resize(bins + 1, 1.2);
    rank_.resize(n_start_);
    order_.resize(n_start_);
    count_.zero();
    exec_.forEach(n_, CountPoints{ p.key.data(), table_.data(), count_.data(), rank_.data() });
    dem::queueScan(exec_, count_.data(), start_.data(), bins);
    exec_.forEach(
      n_, PlacePoints{ p.key.data(), table_.data(), start_.data(), rank_.data(), order_.data() });
    if (scene_.equal_bits)
      exec_.forEachBlock(blocks_, SortBins{ start_.data(), order_.data() });
    binned_ = true;
  }

  std::size_t nodes() const { return std::size_t(blocks_) * kBlockBins; }

  template <Spline spline>
  void resizeTiles()
  {
    const std::size_t tile = std::size_t(blocks_) * 4 * SplineTraits<spline>::kTile *
      SplineTraits<spline>::kTile * SplineTraits<spline>::kTile;
    const double bytes =
      static_cast<double>(tile * sizeof(Real) + nodes() * (sizeof(Vec4<Real>) + 8)) +
      12. * grid_.total();
    if (scene_.memory_limit > 0 && bytes > scene_.memory_limit)
      tooLarge(bytes);
    if (tile > tile_.capacity() || nodes() > node_.capacity())
      requireMemory(1.2 *
            (static_cast<double>(tile) * sizeof(Real) +
              static_cast<double>(nodes()) * sizeof(Vec4<Real>)) -
          static_cast<double>(
            tile_.capacity() * sizeof(Real) + node_.capacity() * sizeof(Vec4<Real>)),
        "A grid of " + std::to_string(blocks_) + " blocks of 4 x 4 x 4 cells of " +
          std::to_string(scene_.grid_spacing) + " m");
    tile_.resize(tile, 1.2);
    node_.resize(nodes(), 1.2);
  }

  template <Spline spline, class Load>
  void toTiles(const Load& load)
  {
    exec_.forEachBlock(blocks_,
      PointsToTiles<spline, Real, Load>{
        load, points_[current_]->column[0].data(), start_.data(), order_.data(), tile_.data() });
  }
  template <Spline spline, int kComponents = 4>
  TileSum<spline, Real, kComponents> tileSum()
  {
    return { grid_, start_.data(), tile_.data() };
  }

  // ---- points in memory  ----

  /// Where a sub-step writes: the other points, in the order of the bins, or `in_place`, with a
  /// column 0 and keys beside those that are read.
  PointsView<Real> target(bool in_place)
  {
    Points& to = *points_[in_place ? current_ : 1 - current_];
    PointsView<Real> v = to.view();
    if (in_place)
    {
      spare_.resize(n_start_);
      v.column[0] = spare_.data();
      v.key = rank_.data();
    }
    return v;
  }
  void takeTarget(bool in_place)
  {
    if (!in_place)
    {
      current_ = 1 - current_;
      return;
    }
    std::swap(points_[current_]->column[0], spare_);
    std::swap(points_[current_]->key, rank_);
  }

  /// Brings points_[current_] into the order of the bins, one column after the other through one
  /// more.
  void sortInPlace()
  {
    Points& p = *points_[current_];
    spare_.resize(n_start_);
    const std::uint32_t* alive = start_.data() + nodes();
    for (auto& column : p.column)
    {
      exec_.forEach(n_, InOrder<Vec4<Real>>{ order_.data(), alive, column.data(), spare_.data() });
      std::swap(column, spare_);
    }
    const auto thin = [&](auto& array) {
      using T = std::decay_t<decltype(*array.data())>;
      T* to = reinterpret_cast<T*>(spare_.data());
      exec_.forEach(n_, InOrder<T>{ order_.data(), alive, array.data(), to });
      exec_.copy(array.data(), to, n_ * sizeof(T));
    };
    thin(p.volume);
    thin(p.key);
    thin(p.id);
    thin(p.material);
    exec_.forEach(n_, CountUp{ order_.data() });
  }

  // ---- a step  ----

  void requireWhole() const
  {
    if (half_restored_)
      throw dem::Error(failure_);
  }

  bool advance(std::uint64_t target, const Simulation::Observer& observer)
  {
    if (!failure_.empty())
      throw dem::Error(failure_);
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    auto asked = begin - std::chrono::seconds(1);
    const std::uint64_t first = step_;
    bool reached = true;
    while (step_ < target)
    {
      const auto now = Clock::now();
      if (observer && std::chrono::duration<double>(now - asked).count() > 0.05)
      {
        asked = now;
        if (!observer(step_, time()))
        {
          reached = false;
          break;
        }
      }
      applyDueEvents();
      wholeStep();
    }
    exec_.synchronize();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (step_ > first && seconds > 0)
      steps_per_second_ = static_cast<double>(step_ - first) / seconds;
    return reached;
  }

  // ---- changes under way  ----

  /// What the scene says from now on.
  void useScene()
  {
    uploadMaterials();
    node_borders_.friction = static_cast<Real>(scene_.domain.friction);
    for (std::size_t w = 0; w < scene_.walls.size(); ++w)
    {
      const Vec3d axis = wall_set_.motions[w].axis; // of length 1
      wall_set_.motions[w] = scene_.walls[w].motion;
      wall_set_.motions[w].axis = axis;
    }
    if (!scene_.walls.empty())
      contacts_.assign(scene_.wall_contacts.empty() ? std::vector<WallContact>(scene_.walls.size())
                                                    : scene_.wall_contacts);
  }

  void applyDueEvents()
  {
    if (next_event_ == scene_.events.size() || eventStep(scene_.events[next_event_]) > step_)
      return;
    elementForces(); // of the motions that were
    const Material before = scene_.materials.front();
    try
    {
      for (; next_event_ < scene_.events.size() && eventStep(scene_.events[next_event_]) <= step_;
           ++next_event_)
      {
        dem::Event now = scene_.events[next_event_];
        now.time = time();
        applyToScene(scene_, now);
      }
      useScene();
      if (n_ && !same(before, scene_.materials.front()))
      {
        const Material& m = scene_.materials.front();
        clearControl();
        exec_.forEach(n_,
          ChangePoints<Real>{ { points_[current_]->view(), materials_.data(), control_.data() },
            before.viscosity > 0 ? static_cast<Real>(m.viscosity / before.viscosity) : Real(0) });
        readControl();
        throwFault();
        speed_ = control_host_.speed;
        point_speed_ = control_host_.point_speed;
      }
    }
    catch (const dem::Error& e)
    {
      failure_ = e.what();
      throw;
    }
  }
  static bool same(const Material& a, const Material& b)
  {
    return a.youngs_modulus == b.youngs_modulus && a.poissons_ratio == b.poissons_ratio &&
      a.friction_angle == b.friction_angle && a.cohesion == b.cohesion &&
      a.yield_stress == b.yield_stress && a.hardening_modulus == b.hardening_modulus &&
      a.bulk_modulus == b.bulk_modulus && a.gamma == b.gamma && a.viscosity == b.viscosity;
  }

  /// The longest sub-step from here.
  double bound() const
  {
    const double wall = std::max(
      0., wall_speed_ - static_cast<double>(point_speed_)); // by so much faster than all points
    const double speed =
      wall + (scene_.integration == TimeIntegration::Explicit ? speed_ : point_speed_);
    return speed > 0 ? scene_.grid_spacing / speed : std::numeric_limits<double>::max();
  }

  // A step is whole or it is not there: its first sub-step leaves the points where they are and
  // writes the others' place, later ones work in that.
  void wholeStep()
  {
    constexpr int kMost = 10000;
    const double step = plan_.time_step;
    const int kept = current_;
    const std::uint32_t entries = n_;
    const std::uint64_t kept_lost = lost_, kept_sub_steps = sub_steps_;
    const float kept_speed = speed_, kept_point_speed = point_speed_;
    const double kept_cfl = largest_cfl_;
    wall_speed_ = 0;
    for (std::size_t w = 0; w < scene_.walls.size(); ++w)
      wall_speed_ = std::max(wall_speed_, wall_set_.speedBound(w, time(), time() + step));
    push_set_ = 1 - push_set_;
    pushes_[push_set_].begin();
    pushes_[push_set_].pending = !scene_.walls.empty();
    try
    {
      largest_cfl_ = 0;
      double done = 0;
      for (int k = 0; done < step; ++k)
      {
        const double limit = bound();
        const double rest = step - done;
        double parts = 1;
        if (scene_.time_step > 0)
        {
          if (n_ && rest > limit * (1 + 1e-9))
          {
            char text[300];
            std::snprintf(text, sizeof text,
              "TimeStep %.4g s is beyond the CFL bound at t = %.6g s: the fastest wave and point "
              "or wall pass a cell of %.4g m in %.4g s. Use a smaller "
              "TimeStep, or 0 for the automatic one.",
              rest, time(), scene_.grid_spacing, limit);
            throw dem::Error(text);
          }
        }
        else
          parts = std::max(1., std::ceil(rest / (scene_.cfl * limit) * (1 - 1e-6)));
        if (!(parts + k <= kMost))
        {
          char text[300];
          std::snprintf(text, sizeof text,
            "A step of %.4g s would need more than %d sub-steps at t = %.6g s: something moves at "
            "%.4g m/s. The material is too soft for its load, "
            "or the run is not stable.",
            step, kMost, time(), std::max(wall_speed_, static_cast<double>(point_speed_)));
          throw dem::Error(text);
        }
        const double part = rest / parts;
        subStep(part, current_ != kept, time() + (parts == 1 ? step : done + part));
        largest_cfl_ = std::max(largest_cfl_, limit < 1e300 ? part / limit : 0.);
        done = parts == 1 ? step : done + part;
      }
    }
    catch (const dem::Error& e)
    {
      current_ = kept;
      n_ = entries;
      lost_ = kept_lost;
      exited_.drop(
        [this](const ExitedPoint& e) { return e.step >= static_cast<std::int64_t>(step_); });
      sub_steps_ = kept_sub_steps;
      speed_ = kept_speed;
      point_speed_ = kept_point_speed;
      largest_cfl_ = kept_cfl;
      push_set_ = 1 - push_set_;
      binned_ = false;
      marked_ = false;
      failure_ = e.what();
      throw;
    }
    ++step_;
  }

  void subStep(double dt, bool in_place, double time_after)
  {
    if (n_ == 0)
    {
      ++sub_steps_;
      return;
    }
    makeBins(marked_);
    marked_ = false;
    since_sorted_ = in_place ? since_sorted_ + 1 : 0;
    const bool sort = since_sorted_ == kSortAfter;
    if (sort)
    {
      sortInPlace();
      since_sorted_ = 0;
    }
    withSpline([&](auto spline) {
      if (scene_.integration == TimeIntegration::Explicit)
        this->template move<decltype(spline)::value>(dt, in_place, time_after);
      else
        this->template moveImplicit<decltype(spline)::value>(dt, in_place, time_after);
    });
    readControl();
    throwFault();
    takeTarget(in_place);
    binned_ = false;
    marked_ = true;
    if (!in_place || sort)
      n_ = alive_;
    if (control_host_.gone)
      exited_.append(control_host_.gone, [&](ExitedPoint* list, unsigned* count) {
        exec_.forEach(n_,
          ListExits<Real>{ points_[current_]->view(), bin_start_world_, scene_.grid_spacing,
            static_cast<std::int64_t>(step_), list, count });
      });
    lost_ += control_host_.gone;
    speed_ = control_host_.speed;
    point_speed_ = control_host_.point_speed;
    ++sub_steps_;
  }

  template <Spline spline>
  void move(double dt, bool in_place, double time_after)
  {
    resizeTiles<spline>();
    const auto h = static_cast<Real>(scene_.grid_spacing), step = static_cast<Real>(dt);
    const PointsView<Real> from = points_[current_]->view(), to = target(in_place);
    const bool flip = scene_.transfer == Transfer::FLIP && scene_.flip_fraction > 0;
    prepareWalls<spline>(time_after, dt);
    const Vec4<Real>* given_velocity = nullptr;
    if (flip)
    {
      // what the points lost on their way to the nodes
      toTiles<spline>(PlainLoad<Real>{ from, h });
      exec_.forEach(
        nodes(), GatherNodes<spline, Real>{ tileSum<spline>(), true, kLeastMass, node_.data() });
      given_.resize(n_);
      seeNodes<spline>(node_.data(), nullptr, step, true, {});
    }
    toTiles<spline>(MomentumLoad<Real>{ from, h, step / h });
    exec_.forEach(nodes(),
      UpdateNodes<spline, Real>{ tileSum<spline>(), node_borders_,
        (dt * scene_.gravity).template as<Real>(), kLeastMass, node_.data() });
    applyWalls<spline>();
    if (flip)
    {
      seeNodes<spline>(node_.data(), nullptr, step, false, {});
      given_velocity = given_.data();
    }
    clearControl();
    mark_.zero();
    exec_.toHost(&alive_, start_.data() + nodes(), sizeof alive_);
    exec_.forEachBlock(blocks_,
      NodesToPoints<spline, Real>{ grid_, node_.data(), from, to, start_.data(), order_.data(),
        materials_.data(), step, h, scene_.transfer == Transfer::APIC, false, in_place,
        given_velocity, {}, bin_borders_, control_.data(), mark_.data() });
    keepSides(to, in_place, dt);
  }

  template <Spline spline>
  void seeNodes(const Vec4<Real>* node, const Vec4<Real>* mid, Real dt, bool before,
    const MatrixField<Real>& affine)
  {
    exec_.forEachBlock(blocks_,
      SeeNodes<spline, Real>{ grid_, node, mid, points_[current_]->view(), start_.data(),
        order_.data(), dt, static_cast<Real>(scene_.grid_spacing),
        static_cast<Real>(scene_.transfer == Transfer::FLIP ? scene_.flip_fraction : 0), before,
        given_.data(), affine });
  }

  // ---- implicit midpoint  ----

  HeldNodes<Real> held() { return { held_.data(), held_axis_.data() }; }
  Rubbing<Real> rubbing()
  {
    return mayRub() ? Rubbing<Real>{ rub_limit_.data(), rub_drag_.data() }
                    : Rubbing<Real>{ nullptr, nullptr };
  }
  BentPoints<Real> bent() { return { bent_.data(), n_ }; }
  /// Lies in the memory of bent_, which is not read any more by then.
  MatrixField<Real> givenAffine() { return { reinterpret_cast<Real*>(bent_.data()), n_ }; }

  /// each(i) of all nodes, to `then`.
  template <class Each, class Then>
  void sumNodes(const Each& each, const Solve* solve, const Then& then)
  {
    const std::size_t teams = nodeTeams(nodes());
    partial_.resize(teams);
    exec_.forEachBlock(
      teams, NodeSums<Each>{ each, static_cast<std::uint32_t>(nodes()), partial_.data(), solve });
    exec_.forEachBlock(
      1, SumParts<Then>{ partial_.data(), static_cast<std::uint32_t>(teams), then });
  }
  double readSum()
  {
    double value = 0;
    exec_.toHost(&value, sum_.data(), sizeof value);
    exec_.synchronize();
    return value;
  }
  double dots(const Buffer<Vec4<Real>>& a, const Buffer<Vec4<Real>>& b, int mass_power)
  {
    sumNodes(NodeDot<Real>{ a.data(), b.data(), mass_power }, nullptr, KeepSum{ sum_.data() });
    return readSum();
  }
  void combine(double a, const Buffer<Vec4<Real>>& x, double b, const Buffer<Vec4<Real>>& y,
    const Vec3<Real>& more, const HeldNodes<Real>& held, Buffer<Vec4<Real>>& out)
  {
    exec_.forEach(nodes(),
      CombineNodes<Real>{ static_cast<Real>(a), static_cast<Real>(b), x.data(), y.data(),
        before_.data(), held, more, out.data() });
  }

  /// Points bend with the nodes' velocities v: bent_, and push_node_ = de/dx. The potential energy.
  template <Spline spline>
  double bend(const Buffer<Vec4<Real>>& v, double dt)
  {
    combine(dt / 4, v, dt / 4, before_, {}, {}, field_);
    energy_.resize(blocks_, 1.2);
    exec_.forEachBlock(blocks_,
      BendPoints<spline, Real>{ grid_, field_.data(), points_[current_]->view(), start_.data(),
        order_.data(), materials_.data(), static_cast<Real>(scene_.grid_spacing), bent(),
        tile_.data(), energy_.data() });
    exec_.forEach(nodes(),
      GatherNodes<spline, Real, 3>{ tileSum<spline, 3>(), false, kLeastMass, push_node_.data() });
    exec_.forEachBlock(1, SumParts<KeepSum>{ energy_.data(), blocks_, { sum_.data() } });
    return readSum();
  }

  /// E(v) = sum m/2 |v - v*|^2 + 4 e: four times that of Meyer 2019, eq. 126, with gravity.
  template <Spline spline>
  double objective(const Buffer<Vec4<Real>>& v, const Vec3<Real>& kick, double dt)
  {
    const double potential = bend<spline>(v, dt);
    combine(1, v, -1, before_, -kick, {}, field_);
    double energy = 0.5 * dots(field_, field_, 1) + 4 * potential;
    if (mayRub())
    {
      sumNodes(RubbingEnergy<Real>{ rubbing(), held(), v.data() }, nullptr, KeepSum{ sum_.data() });
      energy += readSum();
    }
    return energy;
  }

  double residual(const Buffer<Vec4<Real>>& v, const Vec3<Real>& kick, double dt)
  {
    exec_.forEach(nodes(),
      Residual<Real>{ before_.data(), v.data(), push_node_.data(), held(), rubbing(), kick,
        static_cast<Real>(dt), residual_.data() });
    return std::sqrt(residualNorm2());
  }
  double residualNorm2()
  {
    sumNodes(ResidualNorm<Real>{ residual_.data(), rubbing().drag, nullptr }, nullptr,
      KeepSum{ sum_.data() });
    return readSum();
  }
  /// The residual in the norm of the state from which a step is tried.
  double residualBefore()
  {
    sumNodes(ResidualNorm<Real>{ residual_.data(), drag_before_.data(), before_.data() }, nullptr,
      KeepSum{ sum_.data() });
    return std::sqrt(readSum());
  }

  /// Solves (m + dt^2/4 d2e/dx2) change = residual_ to `tolerance` of it; change_ is what was
  /// reached.
  template <Spline spline>
  void conjugateGradients(double dt, double tolerance)
  {
    combine(0, before_, 0, before_, {}, {}, change_);
    exec_.forEach(
      nodes(), Precondition<Real>{ residual_.data(), rubbing().drag, direction_.data() });
    const double rz = residualNorm2();
    solve_.resize(1);
    Solve* solve = solve_.data();
    exec_.forEach(1, BeginSolve{ rz, tolerance, solve });
    Solve at{};
    for (int k = 0; k < scene_.implicit.cg_most && !at.done;)
    {
      // a round that finds the solution done does nothing
      for (int queued = 0; queued < kRounds && k < scene_.implicit.cg_most; ++queued, ++k)
      {
        exec_.forEachBlock(blocks_,
          BendChange<spline, Real>{ grid_, direction_.data(), start_.data(), bent(),
            materials_.data(), tile_.data(), solve });
        sumNodes(Product<spline, Real>{ tileSum<spline, 3>(), direction_.data(), held(),
                   rubbing().drag, static_cast<Real>(dt * dt / 4), product_.data() },
          solve, TakeCurvature{ solve });
        sumNodes(TakeStep<Real>{ solve, direction_.data(), product_.data(), rubbing().drag,
                   change_.data(), residual_.data() },
          solve, TakeResidual{ solve });
        exec_.forEach(nodes(),
          NextDirection<Real>{ solve, residual_.data(), rubbing().drag, direction_.data() });
      }
      exec_.toHost(&at, solve, sizeof at);
      exec_.synchronize();
    }
    hessian_products_ += at.products;
  }

  /// Fields for an implicit step, and v^n.
  template <Spline spline>
  void beginImplicit()
  {
    resizeTiles<spline>();
    for (Buffer<Vec4<Real>>* b : { &before_, &field_, &push_node_, &residual_, &change_,
           &direction_, &product_, &trial_, &downhill_ })
      b->resize(nodes(), 1.2);
    held_.resize(nodes(), 1.2);
    faces_on_.resize(nodes(), 1.2);
    faces_off_.resize(nodes(), 1.2);
    if (!scene_.walls.empty())
      held_axis_.resize(nodes(), 1.2);
    if (mayRub())
    {
      rub_limit_.resize(nodes(), 1.2);
      rub_drag_.resize(nodes(), 1.2);
      drag_before_.resize(nodes(), 1.2);
    }
    changed_.resize(1);
    bent_.resize(BentPoints<Real>::kColumns * std::size_t(n_));
    sum_.resize(1);
    given_.resize(n_);
    clearControl();

    // v^n; points that are held leave the nodes their velocities
    toTiles<spline>(
      PlainLoad<Real>{ points_[current_]->view(), static_cast<Real>(scene_.grid_spacing) });
    exec_.forEach(
      nodes(), GatherNodes<spline, Real>{ tileSum<spline>(), true, kLeastMass, before_.data() });
    if (scene_.implicit.hold_points && kept_.size() == nodes() && sub_steps_ > 0)
      exec_.copy(before_.data(), kept_.data(), nodes() * sizeof(Vec4<Real>));
  }

  /// What borders and walls hold, and the velocities of node_ with it. `review`: by the impulses of
  /// the solution in node_; whether that changes it. Limits of friction go `share` of the way to
  /// what they should be.
  bool holdNodes(double dt, bool with_walls, bool review, double target, double share = 1)
  {
    const Vec3<Real> kick = (dt * scene_.gravity).template as<Real>();
    changed_.zero();
    exec_.forEach(nodes(),
      HoldNodes<Real>{ grid_, node_borders_, with_walls ? wallNodes() : WallNodes<Real>{},
        with_walls, review, before_.data(), push_node_.data(), kick, static_cast<Real>(dt), target,
        node_.data(), held_.data(), held_axis_.data(), mayRub() ? rub_limit_.data() : nullptr,
        static_cast<Real>(share), faces_on_.data(), faces_off_.data(), changed_.data() });
    return review && changed_.host()[0] != 0;
  }
  /// Whether anything may let go of a node.
  bool mayPart() const
  {
    const auto contact = [](const WallContact& c) { return c.kind == Contact::Separate; };
    return std::count(scene_.domain.border.begin(), scene_.domain.border.end(), Border::Separate) ||
      (!scene_.walls.empty() &&
        (scene_.wall_contacts.empty() ||
          std::any_of(scene_.wall_contacts.begin(), scene_.wall_contacts.end(), contact)));
  }

  /// Whether anything rubs.
  bool mayRub() const
  {
    const auto rough = [](const WallContact& c) {
      return c.kind == Contact::Separate && c.friction > 0;
    };
    return (scene_.domain.friction > 0 &&
             std::count(
               scene_.domain.border.begin(), scene_.domain.border.end(), Border::Separate)) ||
      (!scene_.walls.empty() &&
        std::any_of(scene_.wall_contacts.begin(), scene_.wall_contacts.end(), rough));
  }

  template <Spline spline>
  DerivativeErrors derivativeErrors(double dt, double speed)
  {
    beginImplicit<spline>();
    holdNodes(dt, false, false, 0);
    Buffer<Vec4<Real>> at(exec_), way(exec_), other(exec_);
    for (Buffer<Vec4<Real>>* b : { &at, &way, &other })
      b->resize(nodes());
    const auto noise = [&](unsigned seed, Buffer<Vec4<Real>>& out) {
      exec_.forEach(nodes(),
        NodeNoise<Real>{ before_.data(), held(), seed, static_cast<Real>(speed), out.data() });
    };
    const auto product = [&](const Buffer<Vec4<Real>>& p) {
      exec_.forEachBlock(blocks_,
        BendChange<spline, Real>{
          grid_, p.data(), start_.data(), bent(), materials_.data(), tile_.data(), solve_.data() });
      exec_.forEach(nodes(),
        GatherNodes<spline, Real, 3>{ tileSum<spline, 3>(), false, kLeastMass, push_node_.data() });
      combine(1, push_node_, 0, push_node_, {}, held(), product_);
    };
    solve_.resize(1);
    exec_.forEach(1, BeginSolve{ 1., 0.5, solve_.data() });
    noise(1, way);
    combine(1, before_, 1, way, {}, held(), at);
    noise(2, way);
    noise(3, other);
    const double e = sizeof(Real) == 8 ? 1e-5 : 1e-2;
    combine(1, at, e, way, {}, held(), trial_);
    const double high = bend<spline>(trial_, dt);
    combine(1, push_node_, 0, push_node_, {}, held(), residual_);
    combine(1, at, -e, way, {}, held(), trial_);
    const double low = bend<spline>(trial_, dt);
    combine(1, push_node_, 0, push_node_, {}, held(), change_);
    combine(0.5 / e, residual_, -0.5 / e, change_, {}, {}, change_); // dt/4 H way, by differences
    bend<spline>(at, dt);
    DerivativeErrors found;
    const double slope = dt / 4 * dots(way, push_node_, 0), by_difference = (high - low) / (2 * e);
    found.gradient = std::fabs(by_difference / slope - 1);
    product(way);
    const double one = dots(product_, other, 0);
    combine(dt / 4, product_, -1, change_, {}, {}, residual_);
    const double defect = dots(residual_, residual_, 0), whole = dots(change_, change_, 0);
    found.product = std::sqrt(defect / whole);
    product(other);
    found.symmetry = std::fabs(dots(product_, way, 0) / one - 1);
    return found;
  }

  /// Newton's method from node_ on, whose energy and residual are given, to a residual of
  /// newton_tolerance times `first`, or of rounding.
  template <Spline spline>
  void newton(
    const Vec3<Real>& kick, double dt, double& energy, double& norm, double first, double floor)
  {
    const ImplicitOptions& o = scene_.implicit;
    // below this a line search that finds nothing better has met rounding; in double the
    // decompositions of F stop well above an epsilon
    const double noise = (sizeof(Real) == 8 ? 1e5 : 1e3) * floor;
    newton_residuals_.assign(1, norm);
    for (int k = 0; norm > std::max(o.newton_tolerance * first, floor); ++k)
    {
      if (k == o.newton_most)
        noConvergence(k, norm, first);
      combine(1, residual_, 0, residual_, {}, {}, downhill_);
      // the nearer, the sharper: so that the last iterations are Newton's (Dembo, Eisenstat and
      // Steihaug 1982)
      conjugateGradients<spline>(dt, std::min(o.cg_tolerance, 0.1 * norm / first));
      const double slope = dots(downhill_, change_, 0);
      double alpha = 1;
      bool better = false;
      // What friction resists belongs to a state, and so does the norm with it. Tried residuals are
      // seen in that of the state they start from: in one norm a short enough step along Newton's
      // direction always makes them less.
      if (mayRub())
        std::swap(rub_drag_, drag_before_);
      for (int half = 0; half < (norm > noise ? 12 : 3) && !better; ++half, alpha *= 0.5)
      {
        if (mayRub())
          exec_.forEach(nodes(),
            TryStep<Real>{ rubbing(), held(), node_.data(), change_.data(),
              static_cast<Real>(alpha), trial_.data() });
        else
          combine(1, node_, alpha, change_, {}, {}, trial_);
        const double trial_energy = objective<spline>(trial_, kick, dt);
        const double trial_norm = residual(trial_, kick, dt);
        better = trial_energy <= energy - 1e-4 * alpha * slope ||
          ((mayRub() ? residualBefore() : trial_norm) < (1 - 1e-4 * alpha) * norm &&
            trial_energy < 1e299);
        if (better)
        {
          std::swap(node_, trial_);
          energy = trial_energy;
          norm = trial_norm;
        }
      }
      ++newton_iterations_;
      newton_residuals_.push_back(norm);
      if (!better)
      {
        // what rounding leaves cannot be made less
        if (norm > noise)
          noConvergence(k + 1, norm, first);
        bend<spline>(node_, dt);
        break;
      }
    }
  }

  template <Spline spline>
  void moveImplicit(double dt, bool in_place, double time_after)
  {
    beginImplicit<spline>();
    const auto h = static_cast<Real>(scene_.grid_spacing), step = static_cast<Real>(dt);
    const PointsView<Real> from = points_[current_]->view(), to = target(in_place);
    const Vec3<Real> kick = (dt * scene_.gravity).template as<Real>();
    const ImplicitOptions& o = scene_.implicit;
    prepareWalls<spline>(time_after, dt);
    holdNodes(dt, !scene_.walls.empty(), false, 0);

    double energy = objective<spline>(node_, kick, dt);
    double norm = residual(node_, kick, dt);
    double first = norm;
    // what rounding leaves of the residual: of momenta and forces, and of strains, which are
    // differences of F and 1: eps E over the nodes
    const double sound = static_cast<double>(speed_);
    const double floor = std::numeric_limits<Real>::epsilon() *
      (20 * (std::sqrt(dots(node_, node_, 1)) + dt * std::sqrt(pushNorm2())) +
        2 * std::sqrt(mass_) * sound * sound * dt / scene_.grid_spacing);
    constexpr int kMostRounds = 20;
    for (int round = 0;; ++round)
    {
      newton<spline>(kick, dt, energy, norm, first, floor);
      if (round == kMostRounds || !mayPart() ||
        !holdNodes(dt, !scene_.walls.empty(), true, std::max(o.newton_tolerance * first, floor),
          round < 4 ? 1. : 0.5))
        break;
      energy = objective<spline>(node_, kick, dt);
      norm = residual(node_, kick, dt);
      first = std::max(first, norm);
    }
    exec_.forEach(nodes(),
      LetGo<Real>{ before_.data(), push_node_.data(), held_.data(), kick, step, node_.data() });
    exec_.forEach(nodes(), ObeyBorders<Real>{ grid_, node_borders_, node_.data() });
    applyWalls<spline>();
    combine(0.5, node_, 0.5, before_, {}, {}, trial_); // v^(n + 1/2)
    if (o.hold_points)
    {
      kept_.resize(nodes());
      exec_.copy(kept_.data(), node_.data(), nodes() * sizeof(Vec4<Real>));
      held_kinetic_ = 0.5 * dots(node_, node_, 1);
    }
    if (scene_.transfer == Transfer::FLIP && scene_.flip_fraction > 0)
      seeNodes<spline>(before_.data(), nullptr, step, true, {});
    const bool affine = scene_.transfer == Transfer::APIC;
    seeNodes<spline>(node_.data(), affine ? trial_.data() : nullptr, step, false,
      affine ? givenAffine() : MatrixField<Real>{});
    mark_.zero();
    exec_.toHost(&alive_, start_.data() + nodes(), sizeof alive_);
    exec_.forEachBlock(blocks_,
      NodesToPoints<spline, Real>{ grid_, trial_.data(), from, to, start_.data(), order_.data(),
        materials_.data(), step, h, false, o.hold_points, in_place, given_.data(),
        affine ? givenAffine() : MatrixField<Real>{}, bin_borders_, control_.data(),
        mark_.data() });
    if (!o.hold_points)
      keepSides(to, in_place, dt);
  }

  /// sum |de/dx|^2 / m
  double pushNorm2()
  {
    combine(1, push_node_, 0, push_node_, {}, {}, field_);
    return dots(field_, field_, -1);
  }
  [[noreturn]] void noConvergence(int iterations, double norm, double first) const
  {
    char text[400];
    std::snprintf(text, sizeof text,
      "Newton's method does not converge at t = %.6g s: after %d iterations the residual is %.3g "
      "of the first (NewtonTolerance %.3g). Use a smaller "
      "TimeStep or CourantNumber, more iterations, or the integration Explicit.",
      time(), iterations, first > 0 ? norm / first : 0., scene_.implicit.newton_tolerance);
    throw dem::Error(text);
  }

  // ---- walls  ----

  double wallReach() const
  {
    return 1.7320508075688773 * (scene_.spline == Spline::Quadratic ? 1.5 : 2.) *
      scene_.grid_spacing;
  }

  /// Finds the blocks near walls, and where the mass of their nodes lies.
  template <Spline spline>
  void prepareWalls(double t, double dt)
  {
    if (scene_.walls.empty())
      return;
    std::vector<dem::WallBody> bodies, before;
    for (std::size_t w = 0; w < wall_set_.walls(); ++w)
    {
      bodies.push_back(dem::wallBody(wall_set_.motions[w], 0, t));
      before.push_back(dem::wallBody(wall_set_.motions[w], 0, t - dt));
    }
    bodies_.assign(bodies);
    bodies_before_.assign(before);
    wall_flag_.resize(blocks_, 1.2);
    exec_.forEach(blocks_,
      FindWallBlocks{
        grid_, walls(), node_origin_, scene_.grid_spacing, wallReach(), wall_flag_.data() });
    Pushes& push = pushes_[push_set_];
    keepPushes();
    push.of.resize(nodes(), 1.2);
    push.nodes = nodes();
    centroid_.resize(nodes(), 1.2);
    toTiles<spline>(CentroidLoad<Real>{ points_[current_]->view() });
    exec_.forEach(
      nodes(), GatherNodes<spline, Real>{ tileSum<spline>(), false, kLeastMass, centroid_.data() });
  }
  template <Spline spline>
  void applyWalls()
  {
    if (!scene_.walls.empty())
      exec_.forEach(nodes(), wallNodes());
  }
  WallNodes<Real> wallNodes()
  {
    return { grid_, walls(), wall_flag_.data(), centroid_.data(), node_origin_, scene_.grid_spacing,
      wallReach(), kLeastMass, node_.data(), pushes_[push_set_].of.data() };
  }

  /// No point passes a wall.
  void keepSides(const PointsView<Real>& to, bool in_place, double dt)
  {
    if (scene_.walls.empty())
      return;
    Pushes& push = pushes_[push_set_];
    if (!push.points)
    {
      push.of_points.resize(3 * wall_set_.elements.size());
      push.of_points.zero();
      push.quantum = std::ldexp(mass_ * scene_.grid_spacing / plan_.time_step, -50);
      push.points = true;
    }
    exec_.forEach(n_,
      KeepSides<Real>{ world(), walls(), bodies_before_.data(), wall_flag_.data(),
        points_[current_]->view(), to, order_.data(), start_.data() + nodes(), in_place,
        bin_borders_, mark_.data(), push.of_points.data(), 1 / push.quantum, materials_.data(), dt,
        control_.data() });
  }

  /// What nodes gave in the last sub-step, one behind the other in the order of nodes, beside what
  /// they gave in those before it.
  void keepPushes()
  {
    constexpr std::size_t kMany = std::size_t(1) << 20;
    Pushes& p = pushes_[push_set_];
    if (!p.nodes)
      return;
    push_count_.resize(p.nodes, 1.2);
    push_place_.resize(p.nodes + 1, 1.2);
    exec_.forEach(p.nodes, CountPushes{ p.of.data(), push_count_.data() });
    const std::size_t n = dem::scanCounts(exec_, push_count_.data(), push_place_.data(), p.nodes);
    if (p.kept + n > p.earlier.size())
    {
      addPushes();
      p.earlier.resize(std::max(n, std::min(4 * n, kMany)));
    }
    exec_.forEach(
      p.nodes, CopyPushes{ p.of.data(), push_place_.data(), p.earlier.data() + p.kept });
    p.kept += n;
    p.nodes = 0;
  }
  /// Adds up what is kept, in the order of sub-steps and nodes.
  void addPushes()
  {
    Pushes& p = pushes_[push_set_];
    p.impulse.resize(wall_set_.elements.size());
    if (!p.kept)
      return;
    std::vector<WallPush> kept(p.kept);
    exec_.toHost(kept.data(), p.earlier.data(), p.kept * sizeof(WallPush));
    exec_.synchronize();
    for (const WallPush& push : kept)
      for (std::uint32_t k = 0; k < WallPush::kMost && push.element[k] != WallPush::kNone; ++k)
        p.impulse[push.element[k]] += push.momentum[k];
    p.kept = 0;
  }

  /// Loads on the elements of walls, N: means over the last step.
  const std::vector<Vec3d>& elementForces()
  {
    Pushes& p = pushes_[push_set_];
    if (p.pending)
    {
      keepPushes();
      addPushes();
      element_force_ = p.impulse;
      if (p.points)
      {
        const std::vector<long long> of_points = p.of_points.host();
        for (std::size_t e = 0; e < element_force_.size(); ++e)
          for (int k = 0; k < 3; ++k)
            element_force_[e][k] += p.quantum * static_cast<double>(of_points[3 * e + k]);
      }
      for (Vec3d& f : element_force_)
        f = (1 / plan_.time_step) * f;
      p.pending = false;
    }
    element_force_.resize(wall_set_.elements.size());
    return element_force_;
  }

  std::vector<WallLoads> wallLoads()
  {
    std::vector<WallLoads> loads(scene_.walls.size());
    const std::vector<Vec3d>& of = loads.empty() ? element_force_ : elementForces();
    for (std::size_t w = 0; w < loads.size(); ++w)
    {
      WallLoads& load = loads[w];
      const std::uint32_t first = wall_set_.first[w], size = wall_set_.triangles[w];
      for (std::uint32_t e = first; e < wall_set_.first[w + 1] && !of.empty(); ++e)
        for (int k = 0; k < 3; ++k)
          load.total_force[k] += of[e][k];
      load.motion = wall_set_.motions[w];
      const dem::WallBody body = dem::wallBody(load.motion, 0, time());
      const std::vector<Vec3d>& points = scene_.walls[w].points;
      load.points = dem::HostArray<double>(3 * points.size());
      for (std::size_t p = 0; p < points.size(); ++p)
        for (int k = 0; k < 3; ++k)
          load.points[3 * p + k] = body.toWorld(points[p])[k];
      load.pressure = dem::HostArray<float>(size);
      load.shear_stress = dem::HostArray<float>(size);
      load.force = dem::HostArray<float>(3 * size);
      // facets that were skipped bear nothing
      std::fill_n(load.pressure.data(), size, 0.0f);
      std::fill_n(load.shear_stress.data(), size, 0.0f);
      std::fill_n(load.force.data(), 3 * size, 0.0f);
      for (std::uint32_t at = first; size > 0 && at < wall_set_.first[w + 1]; ++at)
      {
        const dem::WallElement& t = wall_set_.elements[at];
        const std::uint32_t e = wall_set_.triangleOf(at);
        const Vec3d across = cross(t.b - t.a, t.c - t.a),
                    n = body.directionToWorld(normalized(across)),
                    f = of.empty() ? Vec3d{} : of[at];
        const double area = 0.5 * length(across), normal = dot(f, n);
        // a wall has no outside: what presses does so from the side it comes from
        load.pressure[e] = static_cast<float>(std::fabs(normal) / area);
        load.shear_stress[e] = static_cast<float>(length(f - normal * n) / area);
        for (int k = 0; k < 3; ++k)
          load.force[3 * e + k] = static_cast<float>(f[k]);
      }
    }
    return loads;
  }

  // ---- what is read out  ----

  PlaceToWorld world() const { return { grid_, bin_start_world_, scene_.grid_spacing }; }

  Statistics measure()
  {
    Statistics s;
    s.time = time();
    s.step = step_;
    s.time_step = plan_.time_step;
    s.sub_steps = sub_steps_;
    s.lost = lost_;
    s.largest_cfl = largest_cfl_;
    s.newton_iterations = newton_iterations_;
    s.hessian_products = hessian_products_;
    s.steps_per_second = steps_per_second_;
    if (n_)
    {
      const std::size_t blocks = dem::sumBlocks(n_);
      sums_.resize(blocks);
      const double h = scene_.grid_spacing;
      exec_.forEach(blocks,
        MeasurePoints<Real>{ points_[current_]->view(), materials_.data(), n_, world(),
          scene_.gravity,
          h * h *
            (scene_.spline == Spline::Quadratic ? SplineTraits<Spline::Quadratic>::kD
                                                : SplineTraits<Spline::Cubic>::kD),
          sums_.data() });
      PointSums all;
      for (const PointSums& b : sums_.host())
        all += b;
      s.kinetic_energy = scene_.implicit.hold_points && sub_steps_ ? held_kinetic_ : all.kinetic;
      s.affine_energy = all.affine;
      s.potential_energy = all.potential;
      s.elastic_energy = all.elastic;
      s.mass = all.mass;
      for (int k = 0; k < 3; ++k)
      {
        s.momentum[k] = all.momentum[k];
        s.angular_momentum[k] = all.angular[k];
      }
      s.points = all.points;
      s.largest_speed = all.largest_speed;
      if (all.points)
      {
        s.smallest_jacobian = all.smallest_j;
        s.largest_jacobian = all.largest_j;
      }
      makeBins(marked_);
      marked_ = false;
      std::vector<std::uint32_t> mark = mark_.host();
      s.active_blocks = static_cast<std::uint64_t>(
        std::count_if(mark.begin(), mark.end(), [](std::uint32_t m) { return m != 0; }));
    }
    s.device_bytes = exec_.allocatedBytes();
    return s;
  }

  /// `where`: if not null, where the values stay on the device, until kept_fields_ is cleared.
  template <class T, class Value>
  dem::HostArray<T> readField(int components, std::size_t left, const std::uint32_t* position,
    const Value& value, const T** where = nullptr)
  {
    dem::HostArray<T> host(left * components, Exec::kDevice);
    auto out = std::make_shared<Buffer<T>>(exec_);
    out->resize(left * components);
    exec_.forEach(n_,
      WriteById<Real, T, Value>{
        points_[current_]->view(), position, components, value, out->data() });
    exec_.toHost(host.data(), out->data(), host.size() * sizeof(T));
    exec_.synchronize();
    if (where)
      *where = Exec::kDevice ? out->data() : host.data();
    if (where && Exec::kDevice)
      kept_fields_.push_back(std::move(out));
    return host;
  }

  // Memory that there is not is no reason to fail: what would read it takes the frame's host
  // arrays.
  void keepFrame(Frame& f, dem::detail::FrameArrays& arrays)
  {
    using OnDevice = dem::detail::DeviceFrameOn<Exec>;
    try
    {
      std::shared_ptr<OnDevice> frame;
      if constexpr (Exec::kDevice)
      {
        Buffer<std::int64_t> ids(exec_);
        if (!ids_.empty())
        {
          ids.resize(f.size);
          exec_.toDevice(ids.data(), f.id.data(), f.size * sizeof(std::int64_t));
          arrays.id = ids.data();
        }
        frame = std::make_shared<OnDevice>(device_, device_.ordinal, dem::DeviceMemory::Pooled);
        frame->take(exec_, arrays);
        exec_.synchronize();
      }
      else
      {
        frame = std::make_shared<OnDevice>(device_, device_.threads);
        frame->takeLater(arrays,
          { f.position.block(), f.id.block(), f.radius.block(), f.mass.block(), f.velocity.block(),
            f.material.block(), f.stress.block() });
      }
      frame->run = run_;
      frame->step = step_;
      frame->time = f.time;
      newest_ = std::move(frame);
      f.on_device = newest_;
    }
    catch (const dem::Error&)
    {
      exec_.synchronize(); // what was queued before the memory ended
    }
  }

  Frame makeFrame(const FrameSelection& selection)
  {
    Frame f;
    f.statistics = measure();
    f.time = f.statistics.time;
    f.step = step_;
    f.selection = selection;
    f.device = device_.name;
    f.run = run_;
    const std::size_t left = f.size = f.statistics.points;
    const std::uint32_t* position = nullptr;
    Buffer<std::uint32_t> alive(exec_), places(exec_);
    if (left != n_start_)
    {
      alive.resize(n_start_);
      alive.zero();
      places.resize(std::size_t(n_start_) + 1);
      exec_.forEach(
        n_, MarkAlive{ points_[current_]->key.data(), points_[current_]->id.data(), alive.data() });
      dem::queueScan(exec_, alive.data(), places.data(), n_start_);
      position = places.data();
    }
    newest_.reset();
    dem::detail::FrameArrays arrays;
    arrays.grains = left;
    arrays.continuum = true;
    const bool keep = device_frame_memory_ > 0 &&
      dem::detail::DeviceFrameOn<Exec>::bytesFor(arrays) <=
        static_cast<double>(device_frame_memory_);
    const auto where = [keep](auto*& place) { return keep ? &place : nullptr; };
    f.position = readField<double>(3, left, position, PlaceOf{ world() }, where(arrays.position));
    f.id = readField<std::int64_t>(1, left, position, IdOf{}, where(arrays.id));
    if (!ids_.empty())
      for (std::size_t i = 0; i < left; ++i)
        f.id[i] = ids_[static_cast<std::size_t>(f.id[i])];
    exited_.write(f.exited_id, f.exited_position);
    for (std::size_t i = 0; i < f.exited_id.size(); ++i)
      f.exited_id[i] = idOf(static_cast<std::uint64_t>(f.exited_id[i]));
    const auto field = [&](bool wanted, int components, PointField which,
                         const float** place = nullptr) {
      return wanted ? readField<float>(components, left, position,
                        FieldOf<Real>{ which, materials_.data() }, place)
                    : dem::HostArray<float>{};
    };
    f.radius = field(true, 1, PointField::Radius, where(arrays.radius));
    f.velocity = field(selection.velocity, 3, PointField::Velocity, where(arrays.velocity));
    f.mass = field(selection.mass, 1, PointField::Mass, where(arrays.mass));
    f.volume = field(selection.volume, 1, PointField::Volume);
    f.jacobian = field(selection.jacobian, 1, PointField::Jacobian);
    f.deformation = field(selection.deformation, 9, PointField::Deformation);
    f.stress = field(selection.stress, 6, PointField::Stress, where(arrays.stress));
    f.von_mises = field(selection.von_mises, 1, PointField::VonMises);
    f.plastic_strain = field(selection.plastic_strain, 1, PointField::PlasticStrain);
    if (selection.material)
      f.material = readField<std::int32_t>(1, left, position, MaterialOf{}, where(arrays.material));
    if (keep)
      keepFrame(f, arrays);
    kept_fields_.clear();
    f.walls = wallLoads();
    if (selection.grid)
    {
      withSpline([&](auto spline) { this->template readGrid<decltype(spline)::value>(f.grid); });
      f.statistics.active_nodes = f.grid.size;
    }
    return f;
  }

  template <Spline spline>
  void readGrid(GridArrays& g)
  {
    const double h = scene_.grid_spacing;
    g.spacing = h;
    g.origin = { node_origin_.x, node_origin_.y, node_origin_.z };
    if (n_ == 0)
      return;
    makeBins(marked_);
    marked_ = false;
    resizeTiles<spline>();
    const PointsView<Real> p = points_[current_]->view();
    std::vector<Vec4<Real>> motion, pressure;
    const auto gather = [&] {
      exec_.forEach(
        nodes(), GatherNodes<spline, Real>{ tileSum<spline>(), true, kLeastMass, node_.data() });
      return node_.host();
    };
    toTiles<spline>(PlainLoad<Real>{ p, static_cast<Real>(h) });
    motion = gather();
    toTiles<spline>(PressureLoad<Real>{ p });
    pressure = gather();
    const std::vector<std::uint32_t> list = list_.host();
    struct Found
    {
      int x, y, z;
      std::uint32_t node;
    };
    std::vector<Found> found;
    int low[3] = { 1 << 30, 1 << 30, 1 << 30 }, high[3] = { -1, -1, -1 };
    for (std::uint32_t i = 0; i < nodes(); ++i)
      if (motion[i].w > 0)
      {
        Found n{ 0, 0, 0, i };
        grid_.bin(list[i / kBlockBins] * kBlockBins + i % kBlockBins, n.x, n.y, n.z);
        const int at[3] = { n.x, n.y, n.z };
        for (int k = 0; k < 3; ++k)
        {
          low[k] = std::min(low[k], at[k]);
          high[k] = std::max(high[k], at[k]);
        }
        found.push_back(n);
      }
    if (found.empty())
      return;
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return a.z != b.z ? a.z < b.z : (a.y != b.y ? a.y < b.y : a.x < b.x);
    });
    for (int k = 0; k < 3; ++k)
    {
      g.origin[k] = node_origin_[k] + low[k] * h;
      g.nodes[k] = high[k] - low[k] + 1;
    }
    g.size = found.size();
    g.index = dem::HostArray<std::int64_t>(g.size);
    g.mass = dem::HostArray<float>(g.size);
    g.velocity = dem::HostArray<float>(3 * g.size);
    g.pressure = dem::HostArray<float>(g.size);
    for (std::size_t k = 0; k < g.size; ++k)
    {
      const Found& n = found[k];
      g.index[k] = (n.x - low[0]) +
        static_cast<std::int64_t>(g.nodes[0]) *
          ((n.y - low[1]) + static_cast<std::int64_t>(g.nodes[1]) * (n.z - low[2]));
      g.mass[k] = static_cast<float>(motion[n.node].w);
      for (int a = 0; a < 3; ++a)
        g.velocity[3 * k + a] = static_cast<float>(motion[n.node].xyz()[a]);
      g.pressure[k] = static_cast<float>(pressure[n.node].x);
    }
  }

  // ---- saved states  ----

  SnapshotBytes makeState()
  {
    dem::SnapshotWriter w;
    w.value(kStateMagic);
    w.value(kStateVersion);
    w.value(static_cast<std::uint32_t>(sizeof(Real)));
    w.value(static_cast<std::uint32_t>(scene_.spline));
    w.value(fingerprint_);
    w.value(step_);
    w.value(plan_.time_step);
    w.value(sub_steps_);
    w.value(lost_);
    w.array(exited_.all());
    w.value(newton_iterations_);
    w.value(hessian_products_);
    w.value(speed_);
    w.value(point_speed_);
    w.value(largest_cfl_);
    // a change that is due but waits for the next step is part of the state
    std::size_t past = next_event_;
    while (past < scene_.events.size() && eventStep(scene_.events[past]) <= step_)
      ++past;
    w.value<std::uint64_t>(past);
    for (std::size_t k = 0; k < past; ++k)
    {
      const dem::Event& e = scene_.events[k];
      w.value(e.time);
      w.array(e.property.data(), e.property.size());
      w.array(e.value);
    }
    w.value(static_cast<std::uint64_t>(n_start_));
    w.value(static_cast<std::uint64_t>(n_));
    Points& p = *points_[current_];
    const auto write = [&](const auto& buffer) {
      using T = std::decay_t<decltype(*buffer.data())>;
      std::vector<T> host(n_);
      exec_.toHost(host.data(), buffer.data(), n_ * sizeof(T));
      exec_.synchronize();
      w.array(host);
    };
    for (auto& c : p.column)
      write(c);
    write(p.volume);
    write(p.key);
    write(p.id);
    write(p.material);
    if (!scene_.walls.empty())
      w.array(elementForces());
    return std::move(w.bytes);
  }

  void readState(const SnapshotBytes& bytes)
  {
    dem::SnapshotReader r(bytes);
    const auto require = [](bool good, const std::string& what) {
      if (!good)
        throw dem::Error("The saved state cannot be used: " + what);
    };
    require(
      r.value<std::uint32_t>() == kStateMagic, "it is not a state of a Material Point Method run.");
    const auto version = r.value<std::uint32_t>();
    require(version >= 2 && version <= kStateVersion,
      "its format version is " + std::to_string(version) + ", this program reads " +
        std::to_string(kStateVersion) + ".");
    const auto real = r.value<std::uint32_t>();
    require(real == sizeof(Real),
      std::string("it was made with Precision ") + (real == 4 ? "Single" : "Double") + ".");
    const auto spline = r.value<std::uint32_t>();
    require(spline == static_cast<std::uint32_t>(scene_.spline),
      std::string("it was made with the spline ") + name(static_cast<Spline>(spline)) + ".");
    require(r.value<std::uint64_t>() == fingerprint_,
      "it belongs to another scene: points, materials, walls, domain or grid spacing differ.");
    const auto step = r.value<std::uint64_t>();
    const auto time_step = r.value<double>();
    require(time_step == plan_.time_step,
      "its time step is " + std::to_string(time_step) + " s, this run's is " +
        std::to_string(plan_.time_step) + " s.");
    const auto sub_steps = r.value<std::uint64_t>(), lost = r.value<std::uint64_t>();
    std::vector<ExitedPoint> exited =
      version < 4 ? std::vector<ExitedPoint>{} : r.template array<ExitedPoint>();
    for (std::size_t k = 0; k < exited.size(); ++k)
      if (exited.size() > lost || exited[k].id < 0 ||
        exited[k].id >= static_cast<std::int64_t>(n_start_) ||
        (k && exited[k].id <= exited[k - 1].id))
        r.fail("the points that left are not possible");
    const auto newton = r.value<std::uint64_t>(), products = r.value<std::uint64_t>();
    const auto speed = r.value<float>(), point_speed = r.value<float>();
    const auto cfl = r.value<double>();
    std::vector<dem::Event> events;
    for (auto left = version == 2 ? 0 : r.value<std::uint64_t>(); left > 0; --left)
    {
      dem::Event e;
      e.time = r.value<double>();
      const auto property = r.template array<char>();
      e.property.assign(property.begin(), property.end());
      e.value = r.template array<double>();
      events.push_back(std::move(e));
    }
    require(r.value<std::uint64_t>() == n_start_, "it has another number of points.");
    const auto n = r.value<std::uint64_t>();
    require(n <= n_start_, "it has more points than the scene.");
    std::vector<std::vector<Vec4<Real>>> columns;
    for (int k = 0; k < PointsView<Real>::kColumns; ++k)
      columns.push_back(r.template array<Vec4<Real>>(n, "a column of the points"));
    const auto volume = r.template array<Real>(n, "the volume");
    const auto key = r.template array<BinKey>(n, "the bins");
    const auto id = r.template array<std::uint32_t>(n, "the Ids");
    const auto material = r.template array<std::uint8_t>(n, "the materials");
    std::vector<Vec3d> forces;
    if (!scene_.walls.empty())
      forces = r.template array<Vec3d>(wall_set_.elements.size(), "the loads on walls");
    if (!r.atEnd())
      r.fail("there is more than a state");
    std::vector<bool> seen(n_start_, false);
    for (std::size_t i = 0; i < n; ++i)
    {
      if (key[i] != kGone && key[i] / kBlockBins >= grid_.total())
        r.fail("point " + std::to_string(i) + " lies outside of the grid");
      const Vec4<Real>& place = columns[0][i]; // within the bin, and the mass
      for (int k = 0; k < 3; ++k)
        if (key[i] != kGone && !(place.xyz()[k] >= 0 && place.xyz()[k] <= 1))
          r.fail("point " + std::to_string(i) + " lies outside of its cell");
      // no point has more mass than all points at the start; their sum scales the loads on walls
      const bool mass = place.w > 0 && place.w <= (1 + 1e-5) * mass_;
      if (!(mass && volume[i] > 0 && std::isfinite(volume[i])))
        r.fail("point " + std::to_string(i) + " has an impossible mass or volume");
      if (id[i] >= n_start_ || seen[id[i]])
        r.fail("an Id is there twice or unknown");
      seen[id[i]] = true;
      if (material[i] >= scene_.materials.size())
        r.fail("a material is unknown");
    }
    // The state's own past, and what is known here of its future: so a replay meets every change
    // again. One that is due at this very step waits for the next, as it does in the run that was
    // saved.
    Scene scene = base_scene_;
    std::size_t next = 0;
    for (const dem::Event& e : events)
    {
      if (eventStep(e) >= step)
        break;
      ++next;
      dem::Event then = e;
      then.time = static_cast<double>(eventStep(e)) * plan_.time_step;
      applyToScene(scene, then);
    }
    for (const dem::Event& e : scene_.events)
      if (eventStep(e) >= step && std::find(events.begin(), events.end(), e) == events.end())
        events.push_back(e);
    scene.events = std::move(events);
    scene.end_time = scene_.end_time;
    half_restored_ = true;
    try
    {
      std::swap(scene_, scene);
      next_event_ = next;
      useScene();

      Points& p = *points_[0];
      const auto put = [&](auto& buffer, const auto& from) {
        exec_.toDevice(buffer.data(), from.data(), from.size() * sizeof(from[0]));
        exec_.synchronize();
      };
      for (std::size_t k = 0; k < columns.size(); ++k)
        put(p.column[k], columns[k]);
      put(p.volume, volume);
      put(p.key, key);
      put(p.id, id);
      put(p.material, material);
      current_ = 0;
      n_ = static_cast<std::uint32_t>(n);
      step_ = step;
      sub_steps_ = sub_steps;
      lost_ = lost;
      exited_.use(std::move(exited));
      newton_iterations_ = newton;
      hessian_products_ = products;
      speed_ = speed;
      point_speed_ = point_speed;
      largest_cfl_ = cfl;
      element_force_ = forces;
      pushes_[push_set_].begin();
      binned_ = marked_ = false;
    }
    catch (const std::exception& e)
    {
      std::swap(scene_, scene); // whose later events the next restore keeps
      failure_ = e.what();
      throw;
    }
    half_restored_ = false;
    failure_.clear();
  }

  static constexpr int kSortAfter =
    32; // sub-steps: by then a tenth of the points or more may lie among points of other bins
  static constexpr int kRounds = 4; // of conjugate gradients between two looks at them
  static constexpr Real kLeastMass =
    sizeof(Real) == 4 ? Real(1e-36) : Real(1e-290); // lighter nodes have lost their digits

  Exec exec_;
  std::unique_ptr<Points> points_[2] = { std::make_unique<Points>(exec_),
    std::make_unique<Points>(exec_) };
  int current_ = 0;
  Buffer<Vec4<Real>> spare_{ exec_ };
  int since_sorted_ = 0;      // sub-steps in place
  std::uint32_t n_ = 0;       // entries, those that went in the last sub-step among them
  std::uint32_t n_start_ = 0; // of the scene
  std::uint32_t alive_ = 0;
  dem::ExitList<Exec, ExitedPoint> exited_{ exec_ };
  std::vector<std::int64_t> ids_; // of ranks; empty: themselves

  Scene base_scene_; // before all changes
  std::size_t device_frame_memory_ = 0;
  std::shared_ptr<const dem::DeviceFrame> newest_; // of the newest frame, if it is kept
  std::vector<std::shared_ptr<void>> kept_fields_; // while it is made

  BlockGrid grid_{};
  double below_ = 0;
  Vec3d node_origin_, bin_start_world_;
  BinBorders<Real> bin_borders_{};
  NodeBorders<Real> node_borders_{};
  std::uint32_t blocks_ = 0; // touched
  bool binned_ = false, marked_ = false;
  Buffer<std::uint32_t> mark_{ exec_ }, touched_{ exec_ }, table_{ exec_ }, list_{ exec_ },
    count_{ exec_ }, start_{ exec_ }, rank_{ exec_ }, order_{ exec_ };
  Buffer<Real> tile_{ exec_ };
  Buffer<Vec4<Real>> node_{ exec_ }, given_{ exec_ }, centroid_{ exec_ };
  Buffer<MaterialParameters<Real>> materials_{ exec_ };
  Buffer<Control> control_{ exec_ };
  ControlValues control_host_;
  Buffer<PointSums> sums_{ exec_ };

  // implicit: fields of nodes and of points, made by the first step
  Buffer<Vec4<Real>> before_{ exec_ }, field_{ exec_ }, push_node_{ exec_ }, residual_{ exec_ },
    change_{ exec_ }, direction_{ exec_ }, product_{ exec_ }, trial_{ exec_ }, downhill_{ exec_ },
    kept_{ exec_ };
  Buffer<std::uint8_t> held_{ exec_ };
  Buffer<Vec4<Real>> held_axis_{ exec_ }, rub_limit_{ exec_ }, rub_drag_{ exec_ },
    drag_before_{ exec_ };
  Buffer<std::uint16_t> faces_on_{ exec_ }, faces_off_{ exec_ };
  Buffer<std::uint32_t> changed_{ exec_ };
  Buffer<Vec4<Real>> bent_{ exec_ };
  Buffer<double> energy_{ exec_ }, partial_{ exec_ }, sum_{ exec_ };
  Buffer<Solve> solve_{ exec_ };
  double held_kinetic_ = 0; // of the nodes

  dem::WallSet wall_set_;
  Buffer<dem::WallElement> elements_{ exec_ };
  Buffer<std::uint32_t> wall_first_{ exec_ }, wall_flag_{ exec_ };
  Buffer<dem::WallBody> bodies_{ exec_ }, bodies_before_{ exec_ };
  Buffer<WallContact> contacts_{ exec_ };
  struct Pushes
  {
    explicit Pushes(Exec& e)
      : of(e)
      , earlier(e)
      , of_points(e)
    {
    }
    void begin()
    {
      nodes = kept = 0;
      pending = points = false;
      impulse.clear();
    }
    Buffer<WallPush> of;      // of the nodes in the last sub-step
    std::size_t nodes = 0;    // 0: they are kept already
    Buffer<WallPush> earlier; // what is kept
    std::size_t kept = 0;
    std::vector<Vec3d> impulse;  // what is added up already, N s
    Buffer<long long> of_points; // of points that were put back, 3 an element, in quanta
    bool points = false;
    double quantum = 0;   // N s
    bool pending = false; // what the step gave is not in element_force_ yet
  };
  Pushes pushes_[2] = { Pushes(exec_),
    Pushes(exec_) }; // of this step and of the one before, should this one fail
  int push_set_ = 0;
  Buffer<std::uint32_t> push_count_{ exec_ }, push_place_{ exec_ };
  std::vector<Vec3d> element_force_; // N, of the last step that was asked for
  dem::WallTrees<Exec> trees_{ exec_ };

  double mass_ = 0;                   // kg, of the scene's points
  float speed_ = 0, point_speed_ = 0; // m/s: what bounds the next sub-step
  double wall_speed_ = 0;             // m/s, in this step
  double largest_cfl_ = 0;
  std::uint64_t sub_steps_ = 0, lost_ = 0, newton_iterations_ = 0, hessian_products_ = 0;
  std::uint64_t fingerprint_ = 0;
  double steps_per_second_ = 0;
  std::string failure_;
  bool half_restored_ = false; // by a restore for which memory did not suffice
};

} // namespace mpm
