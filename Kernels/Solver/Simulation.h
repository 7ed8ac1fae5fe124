// Public interface of the DEM solver: runs one scene on one device. Used by Timeline.h, the
// filters, tests and benchmarks.
#pragma once

#include "Core/Device.h"
#include "Measure/Frame.h"
#include "Scene/Scene.h"
#include "Scene/StepPlan.h"
#include "State/Snapshot.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dem
{

class SimulationBackend;

/// Device of a run.
struct RunOptions
{
  DeviceKind device = DeviceKind::Auto;
  int threads = 0; ///< number of CPU threads, 0 = all
};

/// Counts and times of the contact search, for benchmarks and tests.
struct SearchCounts
{
  std::uint64_t rebuilds = 0;
  std::uint64_t particles = 0;     ///< particles in the lists
  std::uint64_t list_entries = 0;  ///< candidate slots in use, two per pair
  std::uint64_t list_capacity = 0; ///< slots allocated; in a grouped list, contacts
  std::uint64_t static_size =
    0;                          ///< NeighborList Static, Hybrid, None, Split Loop: slots / particle
  std::uint64_t list_pairs = 0; ///< Dynamic, Hybrid: pairs outside the slots
  std::uint64_t lists_redone =
    0; ///< number of times that a list of these kinds overflowed, grew and was filled again
  bool grouped = false; ///< contacts inside a group of neighbouring particles are stored once,
                        ///< if they fit (CUDA, many particles)
  std::uint64_t wall_entries = 0; ///< candidate slots of wall elements
  std::uint64_t triangle_cells = 0,
                triangle_places =
                  0; ///< Uniform Grid of triangles: number of cells, and of entries in them
  double triangle_seconds = 0;    ///< wall clock to build the triangle grid or trees, once per run
  double skin = 0;                ///< m
  double rebuild_seconds = 0;     ///< wall clock spent in rebuilds
  std::uint64_t sorts = 0;        ///< rebuilds that sorted the particles in memory
  SearchChoice search;            ///< search that the broad phase chose at the last rebuild
  std::uint64_t device_bytes = 0; ///< device memory in use (host memory on the CPU)
};

/// Candidate pair (first Id < second Id), for tests of the search.
struct CandidatePair
{
  std::int64_t first, second;
};

/// One run. The state at a step does not depend on how the step was reached. Not thread-safe.
class Simulation
{
public:
  /// Validates the scene and uploads it to the device. Throws dem::Error if the scene is invalid or
  /// the device is not available.
  explicit Simulation(const Scene& scene, const RunOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Called between steps at least five times per second, or once per step if steps take longer.
  /// Returning false stops the run at this step.
  using Observer = std::function<bool(std::uint64_t step, double time)>;

  /// Steps until `step() == target`. Returns false if the observer stopped it; the state is then
  /// complete and can be continued. Throws dem::Error with particle, time and cure if a position is
  /// not finite or an overlap is too large. After such a failure advanceTo() and save() throw until
  /// restore() succeeds; frame() throws, too, if the failed step was computed in part.
  bool advanceTo(std::uint64_t target, const Observer& observer = {});

  std::uint64_t step() const;
  double time() const;
  const StepPlan& plan() const;
  const Device& device() const;
  /// Present scene, including past events; `particles` is empty, since they are on the device.
  const Scene& scene() const;
  SearchCounts searchCounts();
  std::size_t deviceBytes() const; ///< device memory in use by the solver

  /// Limits the device memory, in bytes, that keeps the newest frame for analysis on the device
  /// (Frame::on_device). With 0, the default, no frame is kept.
  void keepOnDevice(std::size_t bytes);

  /// Returns arrays and statistics of the present instant. Does not change the state.
  Frame frame(const FrameSelection& selection = {});
  Statistics statistics();

  /// Saves and restores the state of the run. A restored simulation of the same scene continues
  /// with the same bits. restore() throws dem::Error if the bytes are broken or belong to another
  /// scene; the state is then unchanged unless needsRestore() returns true.
  SnapshotBytes save();
  void restore(const SnapshotBytes& bytes);
  /// True if an exception interrupted a restore or a rebuild, for example for lack of memory. Only
  /// restore() can then continue the run.
  bool needsRestore() const;

  /// Schedules a change at event.time, or now if that time has passed. The event is added to
  /// scene().events, so replays repeat it. Throws dem::Error if it cannot be applied.
  void apply(const Event& event);

  /// Changes the end time of the run, s. The state does not change.
  void setEnd(double end_time);

  /// For tests: candidate pairs of the present lists, in ascending Ids.
  std::vector<CandidatePair> candidatePairs();
  /// For tests: the next step rebuilds the lists.
  void forceRebuild();
  /// For benchmarks: rebuilds the lists after at most `steps` steps, and adapts an automatic skin
  /// to this; 0 rebuilds only when needed.
  void rebuildEvery(unsigned steps);
  /// For tests: uses the CUDA kernels for many particles from now on, whatever their number.
  void stepAsMany();

private:
  std::unique_ptr<SimulationBackend> backend_;
};

} // namespace dem
