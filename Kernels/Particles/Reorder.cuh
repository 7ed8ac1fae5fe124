// Reorders the particles of a ParticleStore in memory. Used by Solver/Rebuild.cuh.
#pragma once

#include "Particles/GatherState.cuh"
#include "Particles/ParticleStore.cuh"
#ifdef __CUDACC__
#include "Particles/GatherBlocks.cuh"
#endif

namespace dem
{

// Defined in GatherBlocks.cuh, for CUDA.
template <class Real>
struct GatherMany;
template <class Real>
struct GatherCells;

/// Parameters of a rebuild that determine how the particles are reordered.
struct ReorderPlan
{
  const std::uint32_t* index; // old place of the particle at each new place
  std::uint32_t n;            // particles that stay; those behind them in `index` have left
  LongestPath paths;          // output: longest path since the last rebuild
  bool forces_due;            // forces will be computed next, so their memory is free
  bool keeps_old_ids;         // the list kind carries history over by the old order of Ids
  bool has_bodies;            // the particles are parts of bodies
  bool has_shapes;            // some parts are not spheres
  bool has_single_parts;      // some bodies have a single part
  bool copies_listed_later;   // `listed` is written by otherColumns(), not by searchedColumns()
};

/// Reorders in two steps: searchedColumns(), then one of the otherColumns functions. Arrays are
/// written to scratch memory that is then swapped with them.
template <class Exec, class Real>
class Reorder
{
public:
  template <class T>
  using Buffer = Array<T, Exec>;

  Reorder(Exec& exec, ParticleStore<Exec, Real>& store, const ReorderPlan& plan)
    : exec_(exec)
    , store_(store)
    , plan_(plan)
  {
  }

  /// Reorders positions, velocities, spins, Ids, passive columns and the vectors of the integrator;
  /// without `forces_due` also forces, torques and rests. `cells`: last step of the sort, if
  /// CandidateSearch::order left it to this call. `bounds` receives the bounds of the positions.
  void searchedColumns(const CellPlaces& cells, const WideBounds& bounds)
  {
    store_.n_ = plan_.n;
    Gathered most(*this);
    most.addPositions(store_.columns_.position);
    if (plan_.forces_due)
    {
      most.addMotion(store_.columns_.velocity, store_.columns_.force);
      most.addMotion(store_.columns_.spin, store_.columns_.torque);
    }
    most.addIds();
    store_.listed_.resize(plan_.n);
    most.findBounds(bounds);
    if (!plan_.copies_listed_later)
      most.copyPositions(store_.listed_.data());
    most.run(cells);
    Buffer<Vec4<Real>> more(exec_);
    Buffer<Vec4<Real>>& other = plan_.forces_due ? store_.columns_.force : more;
    if (!plan_.forces_due)
      for (Buffer<Vec4<Real>>* array :
        { &store_.columns_.velocity, &store_.columns_.spin, &store_.columns_.velocity_rest,
          &store_.columns_.spin_rest, &store_.columns_.force, &store_.columns_.torque })
        reorderAlone(*array, other);
    for (Buffer<Vec4<Real>>& rate : store_.columns_.rates)
      reorderAlone(rate, other);
    for (std::optional<Buffer<double>>& column : store_.columns_.passive)
      if (column)
        reorderPassive(*column);
  }

  /// Reorders the other columns, in one kernel on CUDA.
  void otherColumns()
  {
    otherColumns([&](Gathered& rest) { rest.run(); });
  }
  /// As otherColumns() on CUDA. With `beside` the kernel may run beside the kernel queued last.
  void otherColumnsBeside(bool beside)
  {
    otherColumns([&](Gathered& rest) { rest.runMany(beside); });
  }
  /// Returns the work of otherColumns(), for another kernel to run. Only for spheres, see
  /// Rebuild::mayRunBeside().
  GatherState<Real> otherColumnsKernel()
  {
    GatherState<Real> kernel{};
    otherColumns([&](Gathered& rest) { kernel = rest.kernel(); });
    return kernel;
  }

private:
  // Columns that one kernel reorders. Each is written to scratch memory and swapped with it.
  class Gathered
  {
  public:
    explicit Gathered(Reorder& reorder)
      : reorder_(reorder)
      , kernel_{ reorder.plan_.index, reorder.plan_.n }
    {
    }
    void addPositions(Buffer<Vec4<double>>& array)
    {
      add(array, reorder_.store_.position_beside_, kernel_.wide);
    }
    void addMotion(Buffer<Vec4<Real>>& array, Buffer<Vec4<Real>>& scratch)
    {
      add(array, scratch, kernel_.narrow[narrow_++]);
    }
    void addIds() { add(reorder_.store_.columns_.id, reorder_.store_.old_id_, kernel_.id); }
    void findBounds(const WideBounds& bounds) { kernel_.bounds = bounds; }
    void copyPositions(Vec3d* to) { kernel_.places = to; }
    void addTraveled()
    {
      add(reorder_.store_.columns_.traveled, reorder_.store_.traveled_beside_, kernel_.traveled);
      kernel_.paths = reorder_.plan_.paths;
    }
    void copyTraveled(const Traveled<Real>* from, Traveled<Real>* to)
    {
      kernel_.traveled = { from, nullptr, to };
      kernel_.paths = reorder_.plan_.paths;
    }
    void copyListed(const Vec4<double>* from, Vec3d* to)
    {
      kernel_.placed = from;
      kernel_.listed = to;
    }
    const GatherState<Real>& kernel() const { return kernel_; }
    void run() { reorder_.exec_.forEach(reorder_.plan_.n, kernel_); }
    void runMany(bool beside)
    {
      if constexpr (Exec::kDevice)
      {
        using Gather = GatherMany<Real>;
        reorder_.exec_.forEachBlockBeside(
          (reorder_.plan_.n + Gather::kTile - 1) / Gather::kTile, Gather{ kernel_ }, beside);
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
          return reorder_.exec_.forEachBlock(
            (cells.n + Gather::kThreads - 1) / Gather::kThreads, Gather{ kernel_, cells });
        }
      run();
    }

  private:
    template <class T>
    void add(Buffer<T>& array, Buffer<T>& scratch, GatherArray<T>& part)
    {
      scratch.resize(array.size());
      part = { array.data(), nullptr, scratch.data() };
      std::swap(array, scratch);
      array.resize(reorder_.plan_.n);
    }

    Reorder& reorder_;
    GatherState<Real> kernel_;
    int narrow_ = 0;
  };

  template <class Run>
  void otherColumns(const Run& run)
  {
    const bool spheres = !plan_.has_bodies;
    Gathered rest(*this);
    if (plan_.forces_due && (spheres || plan_.has_shapes))
      rest.addMotion(store_.columns_.velocity_rest, store_.columns_.force);
    if (plan_.forces_due && spheres)
      rest.addMotion(store_.columns_.spin_rest, store_.columns_.torque);
    if (spheres || plan_.has_single_parts)
      rest.addPositions(store_.columns_.orientation);
    if (plan_.copies_listed_later)
      rest.copyListed(store_.columns_.position.data(), store_.listed_.data());
    if (spheres)
      reorderPaths(rest, run);
    else
    {
      run(rest);
      for (auto* array : { &store_.columns_.velocity_rest, &store_.columns_.spin_rest })
        array->resize(plan_.n);
      store_.columns_.traveled.resize(plan_.n);
      store_.columns_.orientation.resize(plan_.n);
    }
    store_.columns_.force.resize(plan_.n);
    store_.columns_.torque.resize(plan_.n);
  }

  // Runs `rest` together with the paths if the memory of the old Ids is free and large enough for
  // them; otherwise reorders the paths in a second pass through scratch memory.
  template <class Run>
  void reorderPaths(Gathered& rest, const Run& run)
  {
    const bool lent = !plan_.keeps_old_ids && store_.old_id_.lendTo(store_.traveled_beside_);
    if (lent)
      rest.addTraveled();
    run(rest);
    if (lent)
    {
      store_.traveled_beside_.lendTo(store_.old_id_);
      return;
    }
    Gathered paths(*this);
    Traveled<Real>* const traveled = store_.template scratch<Traveled<Real>>();
    paths.copyTraveled(store_.columns_.traveled.data(), traveled);
    paths.run();
    store_.columns_.traveled.resize(plan_.n);
    exec_.copy(store_.columns_.traveled.data(), traveled, plan_.n * sizeof(Traveled<Real>));
  }

  void reorderAlone(Buffer<Vec4<Real>>& array, Buffer<Vec4<Real>>& other)
  {
    Gathered one(*this);
    one.addMotion(array, other);
    one.run();
  }

  void reorderPassive(Buffer<double>& column)
  {
    Buffer<double>& other = store_.passive_beside_;
    other.resize(plan_.n);
    exec_.forEach(plan_.n, GatherArray<double>{ column.data(), plan_.index, other.data() });
    std::swap(column, other);
  }

  Exec& exec_;
  ParticleStore<Exec, Real>& store_;
  ReorderPlan plan_;
};

} // namespace dem
