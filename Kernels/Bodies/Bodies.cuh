// Rigid bodies: clumps of spheres and other shapes. Owned by the solver's engine.
//
// Lists, searches and forces see the parts of bodies. The particle arrays hold the spheres of
// clumps and the bounding spheres of other shapes; their Ids count from 0 in the order of the
// bodies. A body sums the loads of its parts in their order, moves, and updates the positions of
// its parts. Bodies are stored in ascending Id and are never reordered.
//
// A part of a run (Domain/Subdomain.cuh) has the arrays of all bodies, but moves only those that it
// owns. The state of a body moves to another part with its particles.
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

/// State of a body as parts of a run send it to be saved. Without padding.
struct BodyRow
{
  std::uint64_t body, unused[3];
  Vec4<double> centre, orientation, velocity, momentum;
};

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
  /// Must be called first if the particles are those of one part of a run that has several.
  void setOfPart() { of_part_ = true; }

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
    if (Exec::kDevice && (shapes_.clumps || of_part_))
      order_.resize(n_);
    spread_ = 0;
    for (std::uint32_t b = 0; b < n_; ++b)
      for (std::uint32_t k = 1; k < shapes_.parts(a.shape[b]); ++k)
      {
        const Vec3d* offset = shapes_.offset.data() + shapes_.first_offset[a.shape[b]];
        spread_ = std::max(spread_, a.inertia[b].w * length(offset[k] - offset[0]));
      }
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

  // ---- a part of a run ----

  /// Largest distance of a part from the first part of its body in the whole run, m.
  double spread() const { return spread_; }
  /// Whether two particles are parts of one body.
  bool areOfOne(std::int64_t part, std::int64_t other) const
  {
    return inUse() && host_body_[part] == host_body_[other];
  }
  /// Must be called when the particles of a part were uploaded: marks the bodies of other parts.
  void findOwned(const std::int64_t* part_id, std::uint32_t n)
  {
    findParts(part_id, n, {});
    exec_.forEach(n_, MarkElsewhere{ view() });
  }
  /// The bodies that this part owns, in ascending Id, after findShown().
  std::vector<std::int64_t> shownIds() const
  {
    std::vector<std::int64_t> ids;
    for (const std::uint32_t b : shown_.host())
      ids.push_back(host_id_[b]);
    return ids;
  }
  /// Copies the state of the bodies that this part owns, and of those that left the run here. Call
  /// settle() first.
  std::vector<BodyRow> rows() const
  {
    const BodyArrays a = arrays();
    std::vector<BodyRow> rows;
    for (std::uint32_t b = 0; b < n_; ++b)
      if (isGone(a.centre[b].x) == isGone(a.centre[b].y)) // else setElsewhere()
        rows.push_back({ b, {}, a.centre[b], a.orientation[b], a.velocity[b], a.momentum[b] });
    return rows;
  }
  /// arrays() with the rows() of all parts.
  BodyArrays arrays(const std::vector<std::vector<BodyRow>>& of_parts) const
  {
    BodyArrays a = arrays();
    for (const std::vector<BodyRow>& rows : of_parts)
      for (const BodyRow& row : rows)
      {
        a.centre[row.body] = row.centre;
        a.orientation[row.body] = row.orientation;
        a.velocity[row.body] = row.velocity;
        a.momentum[row.body] = row.momentum;
      }
    return a;
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

  /// Updates the indices of the parts after the n particles were reordered. `ghosts`: those whose
  /// bodies other parts of the run move.
  void findParts(const std::int64_t* part_id, std::uint32_t n, GhostBits ghosts)
  {
    if (!inUse())
      return;
    if (of_part_)
      exec_.forEach(place_.size(), ForgetParts{ place_.data() });
    exec_.forEach(n, FindParts{ part_id, ghosts, place_.data() });
    if (ordered())
      orderBodies(part_id, n, ghosts);
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
    const OrderedBodies order = ordered() ? OrderedBodies{ order_.data(), ordered_place_.data() }
                                          : OrderedBodies{ nullptr, place_.data() };
    DriftBodies<Real, Integrator> all{ drift, view(), order, drift.remove_lower, drift.remove_upper,
      bodyKicks(drift.integrator), surface };
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    all.drift.remove_lower = { -kNowhere, -kNowhere, -kNowhere };
    all.drift.remove_upper = { kNowhere, kNowhere, kNowhere };
    if constexpr (Exec::kDevice)
    {
      exec_.setApart();
      const std::uint32_t most = ordered() ? most_present_ : n_;
      const auto queue = [&](const auto& blocks) {
        exec_.forEachBlock((most + blocks.kThreads - 1) / blocks.kThreads, blocks);
      };
      if (shapes_.clumps)
        queue(DriftBodiesBlock<Real, Integrator, true>{ all, present_.data(), n_ });
      else
        queue(DriftBodiesBlock<Real, Integrator, false>{
          all, ordered() ? present_.data() : nullptr, n_ });
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

  // Whether bodies are moved in the order of their first parts in memory, see OrderedBodies.
  bool ordered() const { return Exec::kDevice && (shapes_.clumps || of_part_); }

  void orderBodies(const std::int64_t* part_id, std::uint32_t n, GhostBits ghosts)
  {
    most_present_ = std::min(n, n_);
    for (Buffer<std::uint32_t>* each : { &flag_, &ordered_place_ })
      each->resize(n);
    rank_.resize(n + 1);
    count_.resize(n_);
    count_.zero();
    start_.resize(n_ + 1);
    present_.resize(1);
    exec_.forEach(n, MarkFirstParts{ part_id, ghosts, view(), flag_.data() });
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
  std::uint32_t most_present_ = 0; // at least the number of bodies that have parts here
  bool settled_ = true;            // settle() was called since the last drift
  bool alone_ = false;
  bool of_part_ = false; // other parts of the run move some of the bodies
  double spread_ = 0;
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
  // If ordered(): arrays of OrderedBodies, and number of bodies that have parts.
  Buffer<OrderedBody> order_{ exec_ };
  Buffer<std::uint32_t> ordered_place_{ exec_ }, present_{ exec_ };
};

} // namespace dem
