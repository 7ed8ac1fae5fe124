// The public face of the DEM solver: one scene on one device, stepping forward.
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

struct RunOptions
{
  DeviceKind device = DeviceKind::Auto;
  int threads = 0; ///< CPU threads, 0 = all
};

/// Counts of the contact search.
struct SearchCounts
{
  std::uint64_t rebuilds = 0;
  std::uint64_t particles = 0;     ///< that have a row
  std::uint64_t list_entries = 0;  ///< candidate slots in use, both sides of a pair counted
  std::uint64_t list_capacity = 0; ///< slots allocated; of a grouped list contacts
  std::uint64_t static_size =
    0;                          ///< NeighborList Static, Hybrid, None, Split Loop: slots a particle
  std::uint64_t list_pairs = 0; ///< Dynamic, Hybrid: pairs beyond the slots
  std::uint64_t lists_redone =
    0;                  ///< times that a list of these kinds overflowed, grew and was filled again
  bool grouped = false; ///< contacts of particles that lie together are in the list once, where
                        ///< they fit (CUDA, many particles)
  std::uint64_t wall_entries = 0;
  std::uint64_t triangle_cells = 0,
                triangle_places =
                  0; ///< Uniform Grid of triangles: its cells, and places of triangles in them
  double triangle_seconds = 0;    ///< wall clock to make it, or the trees, once for a run
  double skin = 0;                ///< m
  double rebuild_seconds = 0;     ///< wall clock spent in rebuilds
  std::uint64_t sorts = 0;        ///< rebuilds that sorted the particles' data
  SearchChoice search;            ///< what the broad phase chose at the last rebuild
  std::uint64_t device_bytes = 0; ///< memory held on the device (host memory on the CPU)
};

/// Candidate pair (first Id < second Id), for tests of the search.
struct CandidatePair
{
  std::int64_t first, second;
};

class Simulation
{
public:
  /// Validates the scene and puts it on the device. Throws dem::Error.
  explicit Simulation(const Scene& scene, const RunOptions& options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Called between steps at least five times a second (or once a step if that is longer); return
  /// false to stop at this step.
  using Observer = std::function<bool(std::uint64_t step, double time)>;

  /// Steps until `step() == target`. Returns false when the observer stopped it: the state is whole
  /// and can go on. Throws dem::Error when the physics fails (NaN, exploding overlap), naming
  /// particle, time and cure; the simulation then refuses further steps and saved states until
  /// restored, and frames if some of a step is computed.
  bool advanceTo(std::uint64_t target, const Observer& observer = {});

  std::uint64_t step() const;
  double time() const;
  const StepPlan& plan() const;
  const Device& device() const;
  /// The scene as it stands now, without the particles (they live on the device).
  const Scene& scene() const;
  SearchCounts searchCounts();
  std::size_t deviceBytes() const; ///< memory that the solver holds on its device

  /// The newest frame may take so many bytes on the device for what reads it there
  /// (Frame::on_device); 0, the default: none is kept.
  void keepOnDevice(std::size_t bytes);

  /// The present instant.
  Frame frame(const FrameSelection& selection = {});
  Statistics statistics();

  /// The whole state. Restoring it into a simulation of the same scene continues with the same
  /// bits.
  SnapshotBytes save();
  void restore(const SnapshotBytes& bytes);
  /// Whether memory ended amid a restore or a new list: then only another restore helps.
  bool needsRestore() const;

  /// Schedules a change at event.time, or now if that is past; it joins scene().events and is met
  /// again on every replay.
  void apply(const Event& event);

  /// Another end of the run; what was computed stays.
  void setEnd(double end_time);

  /// For tests: what the broad phase and list hold now; forces a rebuild of the list before the
  /// next force evaluation.
  std::vector<CandidatePair> candidatePairs();
  void forceRebuild();
  /// For benchmarks: a list lasts so many steps at most, and an automatic skin is made for that; 0:
  /// as long as it holds.
  void rebuildEvery(unsigned steps);
  /// From now on in the way that a CUDA device takes with many particles, however few there are:
  /// for tests.
  void stepAsMany();

private:
  std::unique_ptr<SimulationBackend> backend_;
};

} // namespace dem
