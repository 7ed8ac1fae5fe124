// Public interface of the DEM solver: runs one scene on one device (Core/RunSimulation.h). Used by
// Timeline.h, the filters, tests and benchmarks.
#pragma once

#include "Core/RunSimulation.h"
#include "Measure/Frame.h"
#include "Scene/Scene.h"
#include "State/Snapshot.h"

#include <cstdint>
#include <vector>

namespace dem
{

class SimulationBackend;

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
  double triangle_seconds = 0; ///< wall clock to build the triangle grid or trees, once per run
  double skin = 0;             ///< m
  double rebuild_seconds = 0;  ///< wall clock spent in rebuilds
  /// Of the stages of a step after timeStages(), s: order of the particles and structure of the
  /// search; lists of pairs and of walls; forces of pairs (with the search, where each step
  /// searches) and of walls. 0 for what one launch does together.
  double build_seconds = 0, pair_list_seconds = 0, wall_list_seconds = 0, pair_force_seconds = 0,
         wall_force_seconds = 0;
  std::uint64_t sorts = 0;        ///< rebuilds that sorted the particles in memory
  SearchChoice search;            ///< search that the broad phase chose at the last rebuild
  std::uint64_t device_bytes = 0; ///< device memory in use (host memory on the CPU)
};

/// Candidate pair (first Id < second Id), for tests of the search.
struct CandidatePair
{
  std::int64_t first, second;
};

/// Types of the DEM solver for the frame of a run.
struct RunTypes
{
  using Scene = dem::Scene;
  using Frame = dem::Frame;
  using FrameSelection = dem::FrameSelection;
  using Statistics = dem::Statistics;
};

/// One run. A step fails if a position is not finite or an overlap is too large. After a failure
/// save() throws until restore() succeeds; frame() throws, too, if the failed step was computed in
/// part.
class Simulation : public RunSimulation<RunTypes>
{
public:
  /// Least number of steps between two snapshots of a timeline: one costs the time of two or three.
  static constexpr std::uint64_t kStepsApart = 200;
  /// Whether the last whole step can be shown and saved after a failure.
  static constexpr bool kWholeAfterFailure = false;

  /// Validates the scene and uploads it to the device. Throws dem::Error if the scene is invalid or
  /// the device is not available.
  explicit Simulation(const Scene& scene, const RunOptions& options = {});

  SearchCounts searchCounts();

  /// For tests: candidate pairs of the present lists, in ascending Ids.
  std::vector<CandidatePair> candidatePairs();
  /// For tests: the next step rebuilds the lists.
  void forceRebuild();
  /// For benchmarks: rebuilds the lists after at most `steps` steps, and adapts an automatic skin
  /// to this; 0 rebuilds only when needed.
  void rebuildEvery(unsigned steps);
  /// For benchmarks: times the stages of each step from now on (SearchCounts), which makes steps
  /// slower.
  void timeStages();
  /// For tests: uses the CUDA kernels for many particles from now on, whatever their number.
  void stepAsMany();

private:
  SimulationBackend& backend();
};

} // namespace dem
