// One MPM scene on one device. A sub-step (subStep) orders the points by bin, adds them to the
// nodes, lets forces, borders and walls act on the nodes, and moves the points with these.
#pragma once

#include "Core/Error.h"
#include "Core/RunFrame.h"
#include "MaterialPoint/DerivativeCheck.cuh"
#include "MaterialPoint/FrameWriter.cuh"
#include "MaterialPoint/GridReader.cuh"
#include "MaterialPoint/Measurement.cuh"
#include "MaterialPoint/MidpointSolver.cuh"
#include "MaterialPoint/MpmEngine.h"
#include "MaterialPoint/MpmSteering.h"
#include "MaterialPoint/PointMotion.cuh"
#include "MaterialPoint/RunTotals.h"
#include "MaterialPoint/SavedState.cuh"
#include "MaterialPoint/StartPoints.cuh"
#include "MaterialPoint/SubSteps.h"

#include <algorithm>
#include <string>
#include <utility>

namespace mpm
{

template <class Exec, class Real>
class EngineImpl final : public dem::RunFrame<Engine>
{
public:
  template <class... ExecArguments>
  EngineImpl(const Scene& scene, const dem::Device& device, ExecArguments... arguments)
    : RunFrame(scene, device)
    , exec_(arguments...)
    , geometry_(scene_)
  {
    exec_.inArena([&] { setUp(); });
  }

  std::uint64_t step() const override { return step_; }

  bool advanceTo(std::uint64_t target, const dem::RunObserver& observer) override
  {
    return exec_.inArena([&] { return advance(target, observer); });
  }
  Frame frame(const FrameSelection& selection) override
  {
    failure_.throwIfHalfDone();
    return exec_.inArena([&] { return makeFrame(selection); });
  }
  Statistics statistics() override
  {
    failure_.throwIfHalfDone();
    return exec_.inArena([&] { return measure(); });
  }
  DerivativeErrors derivativeErrors(double time_step, double speed) override
  {
    return exec_.inArena([&] {
      DerivativeErrors errors;
      points_.makeOrder(scene_.equal_bits);
      withSpline(scene_.spline, [&](auto spline) {
        errors = this->template checkDerivatives<decltype(spline)::value>(time_step, speed);
      });
      return errors;
    });
  }
  SnapshotBytes save() override
  {
    failure_.throwIfHalfDone();
    return exec_.inArena([&] { return makeState(); });
  }
  void restore(const SnapshotBytes& bytes) override
  {
    exec_.inArena([&] { readState(bytes); });
  }
  std::size_t deviceBytes() const override { return exec_.allocatedBytes() + frames_.bytes(); }
  void keepOnDevice(std::size_t bytes) override { frames_.keepOnDevice(bytes); }
  const std::vector<double>& newtonResiduals() const override
  {
    return midpoint_.newton().residuals();
  }

private:
  void setUp()
  {
    const double table = 12. * static_cast<double>(geometry_.total_blocks);
    requireWithinLimit(scene_, table);
    const std::array<int, 3>& cells = geometry_.cells;
    requireMemory<Exec>(table,
      "A grid of " + std::to_string(cells[0]) + " x " + std::to_string(cells[1]) + " x " +
        std::to_string(cells[2]) + " cells");
    order_.setUp(geometry_.blocks);
    report_.setUp();
    materials_.upload(scene_.materials);
    has_linear_ = std::any_of(scene_.materials.begin(), scene_.materials.end(),
      [](const Material& m) { return m.kind == MaterialKind::LinearElastic; });
    walls_.setUp();
    points_.upload(scene_, geometry_);
    respond([&](const StartPoints<Real>& start) { exec_.forEach(points_.entries(), start); });
    fingerprint_ = fingerprint(scene_, points_.capacity());
    scene_.points = {}; // frees the host copy; the points are on the device
    keepBaseScene();
  }

  // ---- steps  ----

  void prepareStep() override
  {
    if (events_.anyDue(step_))
      takeEvents();
  }
  void finishSteps() override { exec_.synchronize(); }

  /// A step that fails leaves the state of the step before: its first sub-step writes other columns
  /// of the points than it reads, and later ones work in these.
  void takeSteps(std::uint64_t) override
  {
    const double step = plan_.time_step;
    const typename PointSet<Exec, Real>::Start start = points_.start();
    const RunTotals before = totals_;
    const double wall_speed = walls_.fastest(time(), time() + step);
    walls_.impulses().begin(!walls_.none());
    try
    {
      totals_.largest_cfl = 0;
      if (scene_.point_order == PointSorting::Index)
        points_.copyAside();
      double done = 0;
      for (int k = 0; done < step; ++k)
      {
        const SubStep next = nextSubStep(scene_, step, done, k, time(),
          { totals_.speed, totals_.point_speed, wall_speed, points_.entries() > 0 });
        subStep(next.length, points_.isCopied(start), time() + next.end);
        totals_.largest_cfl = std::max(totals_.largest_cfl, next.cfl);
        done = next.end;
      }
    }
    catch (...)
    {
      points_.rollBack(start, step_);
      walls_.impulses().rollBack();
      totals_ = before;
      throw;
    }
    ++step_;
  }

  void subStep(double dt, bool in_place, double time_after)
  {
    ++totals_.sub_steps;
    if (points_.entries() == 0)
      return;
    points_.makeOrder(scene_.equal_bits);
    const bool sorted = scene_.point_order == PointSorting::Deep && points_.sortIfDue(in_place);
    withSpline(scene_.spline, [&](auto spline) {
      if (scene_.integration == TimeIntegration::Explicit)
        this->template moveExplicit<decltype(spline)::value>(dt, in_place, time_after);
      else
        this->template moveImplicit<decltype(spline)::value>(dt, in_place, time_after);
    });
    readReport();
    points_.takeTarget(in_place, sorted);
    points_.listExits(report_.gone(), in_place, step_, geometry_);
    totals_.lost += report_.gone();
    takeSpeeds();
  }

  /// Symplectic Euler (Meyer 2019, 4.5).
  template <Spline spline>
  void moveExplicit(double dt, bool in_place, double time_after)
  {
    const PointsView<Real> to = points_.target(in_place);
    nodes_.template resize<spline>();
    walls_.template prepare<spline>(time_after, dt);
    const bool flip = motion_.isFlip();
    if (nodes_.usesTiles())
      addInTiles<spline>(dt);
    else
      addByChoice<spline>(dt);
    walls_.applyToNodes();
    if (flip)
      motion_.template seeVelocities<spline>(nodes_.velocity().data(), dt);
    report_.clear();
    motion_.template move<spline>(
      nodes_.velocity().data(), to, in_place, dt, { motion_.isAffine(), false, flip, {} });
    walls_.keepSides(to, in_place, dt, plan_.time_step, materials_.data(), report_.data());
  }

  /// Velocities of the nodes after forces and borders; FLIP also keeps what the nodes lost.
  template <Spline spline>
  void addInTiles(double dt)
  {
    const auto h = static_cast<Real>(scene_.grid_spacing), step = static_cast<Real>(dt);
    const PointsView<Real> points = points_.view();
    if (motion_.isFlip())
    {
      nodes_.template addToTiles<spline>(PlainLoad<Real>{ points, h });
      nodes_.template gather<spline>(true, nodes_.velocity());
      motion_.template keepLost<spline>(nodes_.velocity().data(), dt);
    }
    if (has_linear_)
      nodes_.template addToTiles<spline>(
        AnyMomentumLoad<Real>{ points, materials_.data(), h, step / h });
    else
      nodes_.template addToTiles<spline>(MomentumLoad<Real>{ points, h, step / h });
    nodes_.template update<spline>(dt, geometry_.node_borders);
  }
  /// The same by another transfer (Scene::grid_transfer).
  template <Spline spline>
  void addByChoice(double dt)
  {
    const auto h = static_cast<Real>(scene_.grid_spacing), step = static_cast<Real>(dt);
    const PointsView<Real> points = points_.view();
    if (motion_.isFlip())
    {
      nodes_.template addByChoice<spline>(
        AnyMomentumLoad<Real>{ points, materials_.data(), h, Real(0) });
      nodes_.template gatherByChoice<spline>(nodes_.velocity());
      motion_.template keepLost<spline>(nodes_.velocity().data(), dt);
    }
    nodes_.template addByChoice<spline>(
      AnyMomentumLoad<Real>{ points, materials_.data(), h, step / h });
    nodes_.template updateByChoice<spline>(dt, geometry_.node_borders);
  }

  /// Implicit midpoint rule (Meyer 2019, 4.6.5-4.6.6): points move with v^(n + 1/2) and take the
  /// velocities v^(n + 1). Backward Euler: they move with v^(n + 1) too.
  template <Spline spline>
  void moveImplicit(double dt, bool in_place, double time_after)
  {
    report_.clear();
    midpoint_.template begin<spline>(totals_.sub_steps > 1);
    const PointsView<Real> to = points_.target(in_place);
    walls_.template prepare<spline>(time_after, dt);
    midpoint_.template solve<spline>(dt, static_cast<double>(totals_.speed), time());
    walls_.applyToNodes();
    midpoint_.finish();
    const Vec4<Real>* velocity = nodes_.velocity().data();
    if (motion_.isFlip())
      motion_.template keepLost<spline>(midpoint_.start(), dt);
    MatrixField<Real> affine{};
    if (motion_.isAffine())
    {
      affine = midpoint_.affineFields();
      motion_.template seeAffine<spline>(velocity, midpoint_.midpoint(), dt, affine);
    }
    else
      motion_.template seeVelocities<spline>(velocity, dt);
    const bool hold = scene_.implicit.hold_points;
    motion_.template move<spline>(
      midpoint_.midpoint(), to, in_place, dt, { false, hold, true, affine });
    if (!hold)
      walls_.keepSides(to, in_place, dt, plan_.time_step, materials_.data(), report_.data());
  }

  /// Waits for the sub-step. Throws if a point failed.
  void readReport()
  {
    report_.read();
    if (report_.failed())
      throw dem::Error(faultText(
        report_.fault(), points_.idOf(report_.faultyPoint()), scene_.grid_spacing, time()));
  }
  void takeSpeeds()
  {
    totals_.speed = report_.speed();
    totals_.point_speed = report_.pointSpeed();
  }

  // ---- events  ----

  void takeEvents()
  {
    walls_.impulses().forces(plan_.time_step); // before the motions of walls change
    const Material before = scene_.materials.front();
    events_.takeDue(step_, time());
    useScene();
    const Material& m = scene_.materials.front();
    if (points_.entries() && !sameResponse(before, m))
      respond([&](const StartPoints<Real>& start) {
        exec_.forEach(points_.entries(),
          ChangePoints<Real>{ start,
            before.viscosity > 0 ? static_cast<Real>(m.viscosity / before.viscosity) : Real(0) });
      });
  }
  void useScene()
  {
    materials_.upload(scene_.materials);
    geometry_.useFriction(scene_);
    walls_.useScene();
  }
  /// Gives the points stresses by a kernel that queue(kernel) launches, and takes their speeds.
  template <class Queue>
  void respond(const Queue& queue)
  {
    report_.clear();
    queue(StartPoints<Real>{ points_.view(), materials_.data(), report_.data() });
    readReport();
    takeSpeeds();
  }

  // ---- frames  ----

  Statistics measure()
  {
    Statistics s;
    completeStatistics(s);
    s.sub_steps = totals_.sub_steps;
    s.lost = totals_.lost;
    s.largest_cfl = totals_.largest_cfl;
    s.newton_iterations = midpoint_.newton().iterations();
    s.hessian_products = midpoint_.newton().products();
    measurement_.measure(s);
    if (points_.entries() && scene_.implicit.hold_points && totals_.sub_steps)
      s.kinetic_energy = midpoint_.heldKinetic();
    return s;
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
    f.size = f.statistics.points;
    frames_.write(f);
    f.walls = walls_.loads(time(), plan_.time_step);
    if (selection.grid)
    {
      withSpline(scene_.spline,
        [&](auto spline) { grid_reader_.template read<decltype(spline)::value>(f.grid); });
      f.statistics.active_nodes = f.grid.size;
    }
    return f;
  }

  template <Spline spline>
  DerivativeErrors checkDerivatives(double dt, double speed)
  {
    midpoint_.template begin<spline>(totals_.sub_steps > 0);
    NodeHolds<Exec, Real>& holds = midpoint_.holds();
    MidpointEnergy<Exec, Real>& energy = midpoint_.energy();
    holds.guess({ energy.before().data(), energy.slope().data(), dt }, false);
    DerivativeCheck<Exec, Real> check(exec_, materials_, order_, nodes_, holds, energy);
    return check.template run<spline>(dt, speed);
  }

  // ---- saved states  ----

  StateOwner stateOwner() const
  {
    return { scene_.spline, fingerprint_, plan_.time_step, points_.capacity(),
      order_.grid().total(), points_.mass(), scene_.materials.size(), !walls_.none(),
      walls_.elements() };
  }

  SnapshotBytes makeState()
  {
    dem::SnapshotWriter w;
    writeHead(w, sizeof(Real), stateOwner(), step_, totals_);
    w.array(points_.exits().all());
    writeCounts(w, midpoint_.newton().iterations(), midpoint_.newton().products(), totals_);
    dem::writeEvents(w, events_.pastAt(step_));
    w.value(static_cast<std::uint64_t>(points_.capacity()));
    w.value(static_cast<std::uint64_t>(points_.entries()));
    points_.save([&w](const auto& column) { w.array(column); });
    if (!walls_.none())
      w.array(walls_.impulses().forces(plan_.time_step));
    return std::move(w.bytes);
  }

  void readState(const SnapshotBytes& bytes)
  {
    SavedState<Real> saved = SavedState<Real>::read(bytes, stateOwner());
    useState(saved, [&] {
      useScene();
      points_.restore(saved);
      walls_.impulses().restore(saved.wall_forces);
      step_ = saved.step;
      totals_ = saved.totals;
      midpoint_.newton().restore(saved.newton_iterations, saved.hessian_products);
    });
  }

  Exec exec_;
  GridGeometry<Real> geometry_;
  StepReport<Exec> report_{ exec_ };
  MaterialTable<Exec, Real> materials_{ exec_ };
  PointOrder<Exec> order_{ exec_ };
  PointSet<Exec, Real> points_{ exec_, order_ };
  GridNodes<Exec, Real> nodes_{ exec_, scene_, points_, order_ };
  GridWalls<Exec, Real> walls_{ exec_, scene_, geometry_, points_, order_, nodes_ };
  PointMotion<Exec, Real> motion_{ exec_, scene_, geometry_, materials_, points_, order_, report_ };
  MidpointSolver<Exec, Real> midpoint_{ exec_, scene_, geometry_, materials_, points_, order_,
    nodes_, walls_ };
  Measurement<Exec, Real> measurement_{ exec_, scene_, geometry_, materials_, points_, order_ };
  FrameWriter<Exec, Real> frames_{ exec_, device_, run_, geometry_, materials_, points_, order_ };
  GridReader<Exec, Real> grid_reader_{ scene_, geometry_, points_, order_, nodes_ };
  std::uint64_t step_ = 0;
  RunTotals totals_;
  std::uint64_t fingerprint_ = 0;
  bool has_linear_ = false; // a material is LinearElastic, whose P F^T is not symmetric
};

} // namespace mpm
