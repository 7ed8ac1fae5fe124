// Rigid bodies: clumps of spheres and other shapes. Owned by the solver's engine.
//
// Lists, searches and forces see the parts of bodies. The particle arrays hold the spheres of
// clumps and the bounding spheres of other shapes; their Ids count from 0 in the order of the
// bodies. A body sums the loads of its parts in their order, moves, and updates the positions of
// its parts. Bodies are stored in ascending Id and are never reordered.
#pragma once

#include "Bodies/BodyOrder.cuh"
#include "Bodies/DriftBodies.cuh"
#include "Core/Algorithms.h"
#include "Core/Array.h"
#include "Scene/detail/BodySet.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace dem
{

// Defined in BodyBlocks.cuh, for devices.
template <class Real, class Integrator, bool kClumps>
struct DriftBodiesBlock;

/// The bodies of a scene on a device. Empty in a scene of spheres.
template <class Exec, class Real>
class Bodies
{
public:
  explicit Bodies(Exec& exec)
    : exec_(exec)
  {
  }

  bool inUse() const { return n_ > 0; }
  std::uint32_t size() const { return n_; }
  const BodyShapes& shapes() const { return shapes_; }
  /// Whether some body has one part. The orientation of such a body is stored with its part.
  bool anyAlone() const { return alone_; }

  /// Copies the shapes to the device. They do not change during a run.
  void useShapes(BodyShapes shapes)
  {
    shapes_ = std::move(shapes);
    first_offset_.assign(shapes_.first_offset);
    std::vector<Vec4<double>> offset;
    for (std::size_t k = 0; k < shapes_.offset.size(); ++k)
      offset.push_back(vec4(shapes_.offset[k], shapes_.radius[k]));
    offset_.assign(offset);
    std::vector<double> farthest(shapes_.first_offset.size(), 0);
    for (std::size_t s = 0; s + 1 < shapes_.first_offset.size(); ++s)
      for (std::uint32_t k = shapes_.first_offset[s]; k < shapes_.first_offset[s + 1]; ++k)
        farthest[s] = std::max(farthest[s], length(shapes_.offset[k]));
    farthest_.assign(farthest);
    frame_.assign(shapes_.frame);
  }
  const Vec4<double>* frames() const { return frame_.data(); }

  /// Replaces all bodies by those of `a`.
  void use(const BodyArrays& a)
  {
    n_ = static_cast<std::uint32_t>(a.id.size());
    settled_ = true;
    centre_.assign(a.centre);
    orientation_.assign(a.orientation);
    velocity_.assign(a.velocity);
    momentum_.assign(a.momentum);
    inertia_.assign(a.inertia);
    id_.assign(a.id);
    shape_.assign(a.shape);
    std::vector<std::uint32_t> first{ 0 }, body;
    for (std::uint32_t b = 0; b < n_; ++b)
    {
      const std::uint32_t parts = shapes_.parts(a.shape[b]);
      body.insert(body.end(), parts, b);
      first.push_back(first.back() + parts);
    }
    first_part_.assign(first);
    body_.assign(body);
    place_.assign(std::vector<std::uint32_t>(body.size(), BodyView::kNowhere));
    path_.resize(n_);
    path_.zero();
    // A saved state may use other shapes of the scene than its start.
    shapes_.clumps = body.size() > n_;
    alone_ = std::any_of(a.shape.begin(), a.shape.end(),
      [this](std::int32_t shape) { return shapes_.parts(shape) == 1; });
    if (Exec::kDevice && shapes_.clumps)
      order_.resize(n_);
    host_id_ = a.id;
    host_body_ = std::move(body);
  }

  /// Updates the arrays of the bodies from their parts. Required before they are measured or saved.
  void settle(const StateView<Real>& state)
  {
    if (inUse() && !settled_)
      exec_.forEach(n_, AskParts{ view(), state.position, state.orientation });
    settled_ = true;
  }

  /// Copies the arrays to the host, for a saved state. Call settle() first.
  BodyArrays arrays() const
  {
    return { centre_.host(), orientation_.host(), velocity_.host(), momentum_.host(),
      inertia_.host(), id_.host(), shape_.host() };
  }

  /// The Id shown to users for a part: that of its body, or its own Id if there are no bodies.
  std::int64_t userId(std::int64_t part) const
  {
    return inUse() && part >= 0 && part < static_cast<std::int64_t>(host_body_.size())
      ? host_id_[host_body_[part]]
      : part;
  }

  BodyView view()
  {
    return { centre_.data(), orientation_.data(), velocity_.data(), momentum_.data(),
      inertia_.data(), id_.data(), shape_.data(), first_part_.data(), body_.data(), place_.data(),
      first_offset_.data(), offset_.data(), farthest_.data(), path_.data(), shapes_.clumps };
  }

  /// Updates the indices of the parts after the n particles were reordered.
  void findParts(const std::int64_t* part_id, std::uint32_t n)
  {
    if (!inUse())
      return;
    exec_.forEach(n, FindParts{ part_id, place_.data() });
    if (Exec::kDevice && shapes_.clumps)
      orderBodies(part_id, n);
  }

  /// Resets the paths for a new list. `before` is updated by the largest previous path.
  void beginPaths(LongestPath before)
  {
    if (inUse())
      exec_.forEach(n_, BeginBodyPaths{ path_.data(), before });
  }

  /// Queues kick and drift of all bodies (DriftBodies).
  template <class Integrator>
  void queueDrift(const Drift<Real, Integrator>& drift, const SurfacePaths& surface)
  {
    settled_ = false;
    const bool ordered = Exec::kDevice && shapes_.clumps;
    const OrderedBodies order = ordered ? OrderedBodies{ order_.data(), ordered_place_.data() }
                                        : OrderedBodies{ nullptr, place_.data() };
    DriftBodies<Real, Integrator> all{ drift, view(), order, drift.remove_lower, drift.remove_upper,
      bodyKicks(drift.integrator), surface };
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    all.drift.remove_lower = { -kNowhere, -kNowhere, -kNowhere };
    all.drift.remove_upper = { kNowhere, kNowhere, kNowhere };
    if constexpr (Exec::kDevice)
    {
      exec_.setApart();
      const auto queue = [&](const auto& blocks) {
        exec_.forEachBlock((n_ + blocks.kThreads - 1) / blocks.kThreads, blocks);
      };
      if (shapes_.clumps)
        queue(DriftBodiesBlock<Real, Integrator, true>{ all, present_.data(), n_ });
      else
        queue(DriftBodiesBlock<Real, Integrator, false>{ all, nullptr, n_ });
    }
    else
      exec_.forEach(n_, all);
  }

  /// Ids to exclude from the candidates of a part: those of its own body.
  BodyIds ownIds() const
  {
    if (!inUse() || !shapes_.clumps)
      return { nullptr, nullptr };
    return { body_.data(), first_part_.data() };
  }
  /// Removes candidates whose particles are parts of one body. Returns the remaining number of
  /// `slots`.
  std::uint64_t dropOwn(Array<std::uint32_t, Exec>& entries, Array<std::uint32_t, Exec>& row_start,
    Array<std::uint32_t, Exec>& count, const ListView& list, const std::int64_t* id,
    std::uint32_t n, std::uint64_t slots)
  {
    if (!inUse() || !shapes_.clumps)
      return slots;
    count_.resize(n);
    start_.resize(n + 1);
    entries_.resize(entries.size());
    exec_.forEach(n, CountStrangers{ list, id, body_.data(), count_.data() });
    const std::uint64_t left = scanCounts(exec_, count_.data(), start_.data(), n);
    exec_.zero(entries_.data() + left, ListView::kAhead * sizeof(std::uint32_t));
    exec_.forEach(n, KeepStrangers{ list, id, body_.data(), start_.data(), entries_.data() });
    std::swap(entries, entries_);
    std::swap(row_start, start_);
    std::swap(count, count_);
    return left;
  }

  /// Lists the bodies that have not left, and returns their number.
  std::uint32_t findShown()
  {
    flag_.resize(n_);
    rank_.resize(n_ + 1);
    exec_.forEach(n_, MarkShown{ centre_.data(), flag_.data() });
    shown_n_ = static_cast<std::uint32_t>(scanCounts(exec_, flag_.data(), rank_.data(), n_));
    shown_.resize(shown_n_);
    exec_.forEach(n_, ListShown{ flag_.data(), rank_.data(), shown_.data() });
    return shown_n_;
  }
  std::uint32_t shown() const { return shown_n_; }
  const std::uint32_t* shownBodies() const { return shown_.data(); }

private:
  template <class T>
  using Buffer = Array<T, Exec>;

  void orderBodies(const std::int64_t* part_id, std::uint32_t n)
  {
    for (Buffer<std::uint32_t>* each : { &flag_, &ordered_place_ })
      each->resize(n);
    rank_.resize(n + 1);
    count_.resize(n_);
    count_.zero();
    start_.resize(n_ + 1);
    present_.resize(1);
    exec_.forEach(n, MarkFirstParts{ part_id, view(), flag_.data() });
    queueScan(exec_, flag_.data(), rank_.data(), n);
    exec_.copy(present_.data(), rank_.data() + n, sizeof(std::uint32_t));
    exec_.forEach(
      n, OrderBodies{ part_id, view(), flag_.data(), rank_.data(), order_.data(), count_.data() });
    queueScan(exec_, count_.data(), start_.data(), n_);
    exec_.forEach(n_,
      PlaceParts{ view(), order_.data(), start_.data(), present_.data(), ordered_place_.data() });
  }

  Exec& exec_;
  std::uint32_t n_ = 0, shown_n_ = 0;
  bool settled_ = true; // settle() was called since the last drift
  bool alone_ = false;
  BodyShapes shapes_;
  std::vector<std::int64_t> host_id_;
  std::vector<std::uint32_t> host_body_;
  Buffer<Vec4<double>> centre_{ exec_ }, orientation_{ exec_ }, velocity_{ exec_ },
    momentum_{ exec_ }, inertia_{ exec_ };
  Buffer<std::int64_t> id_{ exec_ };
  Buffer<std::int32_t> shape_{ exec_ };
  Buffer<std::uint32_t> first_part_{ exec_ }, body_{ exec_ }, place_{ exec_ },
    first_offset_{ exec_ };
  Buffer<Vec4<double>> offset_{ exec_ }, frame_{ exec_ };
  Buffer<double> farthest_{ exec_ };
  Buffer<float> path_{ exec_ };
  Buffer<std::uint32_t> count_{ exec_ }, start_{ exec_ }, entries_{ exec_ }, flag_{ exec_ },
    rank_{ exec_ }, shown_{ exec_ };
  // On a device, for clumps: arrays of OrderedBodies, and number of bodies that have parts.
  Buffer<OrderedBody> order_{ exec_ };
  Buffer<std::uint32_t> ordered_place_{ exec_ }, present_{ exec_ };
};

} // namespace dem
