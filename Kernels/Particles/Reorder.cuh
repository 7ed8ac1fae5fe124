// Brings the particles of a ParticleStore into a new order in memory when the lists are rebuilt.
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

/// What a rebuild knows when it reorders the particles.
struct ReorderPlan
{
  const std::uint32_t* index; // the present place of the particle that comes to each place
  std::uint32_t n;            // particles that stay; those behind them in `index` left
  LongestPath paths;          // takes how far the particles came since the last list
  bool forces_due;            // forces are about to be computed: their memory is free
  bool keeps_old_ids;         // a list kind that carries history over by the old order of Ids
  bool has_bodies;            // the particles are parts of bodies,
  bool has_shapes;            // of which some are no spheres,
  bool has_single_parts;      // or some body has one part only
  bool copies_listed_later;   // `listed` is copied with the rest, not with the positions
};

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

  /// Reorders what a search reads: positions, velocities, Ids. `cells` holds the last step of the
  /// sort where it is still to be done (CandidateSearch::order). The particles' bounds go to
  /// `bounds`.
  void searchedColumns(const CellPlaces& cells, const WideBounds& bounds)
  {
    store_.n_ = plan_.n;
    Gathered most(*this);
    most.addPositions(store_.position_);
    if (plan_.forces_due)
    {
      most.addMotion(store_.velocity_, store_.force_);
      most.addMotion(store_.spin_, store_.torque_);
    }
    most.addIds();
    store_.listed_.resize(plan_.n);
    most.findBounds(bounds);
    if (!plan_.copies_listed_later)
      most.copyPositions(store_.listed_.data());
    most.run(cells);
    Buffer<Vec4<Real>> more(exec_);
    Buffer<Vec4<Real>>& other = plan_.forces_due ? store_.force_ : more;
    if (!plan_.forces_due)
      for (Buffer<Vec4<Real>>* array : { &store_.velocity_, &store_.spin_, &store_.velocity_rest_,
             &store_.spin_rest_, &store_.force_, &store_.torque_ })
        reorderAlone(*array, other);
    for (Buffer<Vec4<Real>>& rate : store_.rates_)
      reorderAlone(rate, other);
  }

  /// Reorders the other columns on the CPU, or on CUDA in one kernel.
  void otherColumns()
  {
    otherColumns([&](Gathered& rest) { rest.run(); });
  }
  /// The same on CUDA; `beside` allows the kernel to run beside the one queued last.
  void otherColumnsBeside(bool beside)
  {
    otherColumns([&](Gathered& rest) { rest.runMany(beside); });
  }
  /// The kernel that does it, for another kernel to do on its way. Only for spheres, see
  /// Rebuild::mayRunBeside().
  GatherState<Real> otherColumnsKernel()
  {
    GatherState<Real> kernel{};
    otherColumns([&](Gathered& rest) { kernel = rest.kernel(); });
    return kernel;
  }

private:
  // Columns that one kernel reorders, each through scratch memory that it is then swapped with.
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
    void addIds() { add(reorder_.store_.id_, reorder_.store_.old_id_, kernel_.id); }
    void findBounds(const WideBounds& bounds) { kernel_.bounds = bounds; }
    void copyPositions(Vec3d* to) { kernel_.places = to; }
    void addTraveled()
    {
      add(reorder_.store_.traveled_, reorder_.store_.traveled_beside_, kernel_.traveled);
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
      rest.addMotion(store_.velocity_rest_, store_.force_);
    if (plan_.forces_due && spheres)
      rest.addMotion(store_.spin_rest_, store_.torque_);
    if (spheres || plan_.has_single_parts)
      rest.addPositions(store_.orientation_);
    if (plan_.copies_listed_later)
      rest.copyListed(store_.position_.data(), store_.listed_.data());
    if (spheres)
      reorderPaths(rest, run);
    else
    {
      run(rest);
      for (auto* array : { &store_.velocity_rest_, &store_.spin_rest_ })
        array->resize(plan_.n);
      store_.traveled_.resize(plan_.n);
      store_.orientation_.resize(plan_.n);
    }
    store_.force_.resize(plan_.n);
    store_.torque_.resize(plan_.n);
  }

  // Runs `rest` with the paths, for which the old Ids' memory serves where nothing needs it.
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
    paths.copyTraveled(store_.traveled_.data(), traveled);
    paths.run();
    store_.traveled_.resize(plan_.n);
    exec_.copy(store_.traveled_.data(), traveled, plan_.n * sizeof(Traveled<Real>));
  }

  void reorderAlone(Buffer<Vec4<Real>>& array, Buffer<Vec4<Real>>& other)
  {
    Gathered one(*this);
    one.addMotion(array, other);
    one.run();
  }

  Exec& exec_;
  ParticleStore<Exec, Real>& store_;
  ReorderPlan plan_;
};

} // namespace dem
