// What the material gave to the walls in a step, and the forces that follow from it.
#pragma once

#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "MaterialPoint/NodeWalls.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpm
{

/// Nodes write one entry each in a sub-step. The entries are compacted in the order of the nodes
/// and kept until the step ends or memory is short; the host adds them in the order of sub-steps
/// and nodes. Points add whole quanta, which can be added in any order. The sums of the step before
/// are kept until this step has succeeded.
template <class Exec>
class WallImpulses
{
public:
  explicit WallImpulses(Exec& exec)
    : exec_(exec)
  {
  }

  /// A step begins. `walls`: the scene has walls.
  void begin(bool walls)
  {
    now_ = 1 - now_;
    steps_[now_].clear();
    steps_[now_].pending = walls;
  }
  /// The step failed: the sums are those of the step before.
  void rollBack() { now_ = 1 - now_; }

  /// Keeps what nodes gave in the last sub-step and makes room for the next one.
  void beginSubStep(std::size_t nodes)
  {
    keepNodes();
    Step& s = steps_[now_];
    s.of_nodes.resize(nodes, 1.2);
    s.nodes = nodes;
  }
  WallPush* ofNodes() { return steps_[now_].of_nodes.data(); }

  /// Numbers to which points add, 3 an element, in quanta of `quantum` N s.
  long long* ofPoints(double quantum)
  {
    Step& s = steps_[now_];
    if (!s.points)
    {
      s.of_points.resize(3 * elements_);
      s.of_points.zero();
      s.quantum = quantum;
      s.points = true;
    }
    return s.of_points.data();
  }
  double perQuantum() const { return 1 / steps_[now_].quantum; }

  /// N, one an element: means over the last step, which took `time_step`.
  const std::vector<Vec3d>& forces(double time_step)
  {
    Step& s = steps_[now_];
    if (s.pending)
    {
      keepNodes();
      addKept();
      force_ = s.impulse;
      if (s.points)
      {
        const std::vector<long long> of_points = s.of_points.host();
        for (std::size_t e = 0; e < force_.size(); ++e)
          for (int k = 0; k < 3; ++k)
            force_[e][k] += s.quantum * static_cast<double>(of_points[3 * e + k]);
      }
      for (Vec3d& f : force_)
        f = (1 / time_step) * f;
      s.pending = false;
    }
    force_.resize(elements_);
    return force_;
  }
  /// Takes the forces of a saved state.
  void restore(const std::vector<Vec3d>& forces)
  {
    force_ = forces;
    steps_[now_].clear();
  }

  /// Number of elements of all walls.
  void setUp(std::size_t elements) { elements_ = elements; }

private:
  struct Step
  {
    explicit Step(Exec& e)
      : of_nodes(e)
      , earlier(e)
      , of_points(e)
    {
    }
    void clear()
    {
      nodes = kept = 0;
      pending = points = false;
      impulse.clear();
    }
    dem::Array<WallPush, Exec> of_nodes; // in the last sub-step
    std::size_t nodes = 0;               // 0: they are kept already
    dem::Array<WallPush, Exec> earlier;  // what is kept
    std::size_t kept = 0;
    std::vector<Vec3d> impulse; // what is added already, N s
    dem::Array<long long, Exec> of_points;
    bool points = false;
    double quantum = 0;   // N s
    bool pending = false; // the sums are not in force_ yet
  };

  void keepNodes()
  {
    constexpr std::size_t kMany = std::size_t(1) << 20;
    Step& s = steps_[now_];
    if (!s.nodes)
      return;
    count_.resize(s.nodes, 1.2);
    place_.resize(s.nodes + 1, 1.2);
    exec_.forEach(s.nodes, CountPushes{ s.of_nodes.data(), count_.data() });
    const std::size_t n = dem::scanCounts(exec_, count_.data(), place_.data(), s.nodes);
    if (s.kept + n > s.earlier.size())
    {
      addKept();
      s.earlier.resize(std::max(n, std::min(4 * n, kMany)));
    }
    exec_.forEach(
      s.nodes, CopyPushes{ s.of_nodes.data(), place_.data(), s.earlier.data() + s.kept });
    s.kept += n;
    s.nodes = 0;
  }

  void addKept()
  {
    Step& s = steps_[now_];
    s.impulse.resize(elements_);
    if (!s.kept)
      return;
    std::vector<WallPush> kept(s.kept);
    exec_.toHost(kept.data(), s.earlier.data(), s.kept * sizeof(WallPush));
    exec_.synchronize();
    for (const WallPush& push : kept)
      for (std::uint32_t k = 0; k < WallPush::kMost && push.element[k] != WallPush::kNone; ++k)
        s.impulse[push.element[k]] += push.momentum[k];
    s.kept = 0;
  }

  Exec& exec_;
  Step steps_[2] = { Step(exec_), Step(exec_) }; // this step and the one before
  int now_ = 0;
  std::size_t elements_ = 0;
  dem::Array<std::uint32_t, Exec> count_{ exec_ }, place_{ exec_ };
  std::vector<Vec3d> force_; // N, of the last step for which forces() was called
};

} // namespace mpm
