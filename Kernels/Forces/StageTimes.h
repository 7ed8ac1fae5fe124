// Times of the stages of a step, for benchmarks. Used by ForceStage.cuh and Solver/Rebuild.cuh.
#pragma once

#include <memory>
#include <vector>

namespace dem
{

/// Stages that are timed. What one launch does together, as the default's forces and motion on
/// CUDA, belongs to no stage.
enum class Stage
{
  Build,      // order of the particles and structure of the search
  ListPairs,  // candidate pairs, and their history
  ListWalls,  // candidates of walls, and their history
  PairForces, // with the search, where each step searches; with walls, where there are shapes
  WallForces  // of spheres
};

/// Times the stages after start(). The host then waits for the device in each stage, so steps take
/// longer.
template <class Exec>
class StageTimes
{
public:
  explicit StageTimes(Exec& exec)
    : exec_(exec)
  {
  }

  void start()
  {
    if (watches_.empty())
      for (int k = 0; k < kStages; ++k)
        watches_.push_back(std::make_unique<Stopwatch>(exec_));
  }
  /// Calls call(), whose launches belong to the stage.
  template <class Call>
  void time(Stage stage, const Call& call)
  {
    if (watches_.empty())
      return call();
    Stopwatch& watch = *watches_[static_cast<int>(stage)];
    watch.start();
    call();
    watch.stop();
  }
  /// Seconds since start(); 0 before it.
  double seconds(Stage stage)
  {
    return watches_.empty() ? 0 : watches_[static_cast<int>(stage)]->seconds();
  }

private:
  using Stopwatch = typename Exec::Stopwatch;
  static constexpr int kStages = 5;

  Exec& exec_;
  std::vector<std::unique_ptr<Stopwatch>> watches_; // empty: nothing is timed
};

} // namespace dem
