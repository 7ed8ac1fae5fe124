// Rigid bodies that are more than one sphere each. What lists, searches and forces see are their
// parts: the particle arrays hold the spheres of clumps and the bounding spheres of other shapes,
// whose Ids count from 0 in the order of the bodies. A body sums what its parts bear, in their
// order, moves, and puts them to their new places. Bodies stand in ascending Id and stay there.
#pragma once

#include "Core/Array.h"
#include "Core/Atomic.cuh"
#include "Solver/Integrators/BodyMotion.cuh"
#include "Scene/detail/BodySet.h"
#include "NeighborList/RebuildFound.cuh"
#include "Core/Bytes.h"
#include "Solver/Integrators/Drift.cuh"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace dem
{

// Of BodyBlocks.cuh, for devices.
template <class Real, class Integrator, bool kClumps>
struct DriftBodiesBlock;

/// The bodies as kernels see them. Between steps velocity and momentum are, with Velocity Verlet,
/// those of t - dt/2 (of t before the first step), as `velocity + velocity_rest` of a particle is;
/// with Semi-Implicit Euler those of t. What forces see stands in the parts: the prediction for t,
/// or the same. Where a body of one part is, and how it is turned, its part knows, and its own
/// arrays only after Bodies::settle().
struct BodyView
{
  Vec4<double>* centre;        // of mass, m; w = radius of the sphere of equal volume
  Vec4<double>* orientation;   // x y z w = the quaternion's w x y z: of the principal axes
  Vec4<double>* velocity;      // w = mass
  Vec4<double>* momentum;      // angular, about the centre, in space; w = material
  const Vec4<double>* inertia; // principal moments; w = scale of the shape
  const std::int64_t* id;
  const std::int32_t* shape;
  const std::uint32_t* first_part; // Id of each body's first part, bodies + 1
  const std::uint32_t* body;       // of each part Id
  std::uint32_t* place;            // of each part Id among the particles, kNowhere of one that left
  const std::uint32_t* first_offset; // by shape
  const Vec4<double>* offset; // of the parts of shapes of scale 1, in principal axes; w = radius
  const double* farthest;     // by shape: of its offsets
  float* path; // how far a part has come at most since the list was built, m; in the order of
               // OrderedBodies
  bool clumps; // some body has several parts: else its part has the body's number

  static constexpr std::uint32_t kNowhere = 0xffffffffu;

  DEM_HD Quaternion<double> orientationOf(std::uint32_t b) const
  {
    const Vec4<double> q = orientation[b];
    return { q.x, q.y, q.z, q.w };
  }
  DEM_HD std::uint32_t firstPart(std::uint32_t b) const { return clumps ? first_part[b] : b; }
  DEM_HD std::uint32_t parts(std::uint32_t b) const
  {
    return clumps ? first_part[b + 1] - first_part[b] : 1;
  }
  /// Of the body's first part; the others follow.
  DEM_HD const Vec4<double>* offsets(std::int32_t shape_of_body) const
  {
    return offset + first_offset[shape_of_body];
  }
  /// From the centre of the body to that of its part k, in space.
  DEM_HD Vec3d arm(
    std::uint32_t b, std::uint32_t k, const Quaternion<double>& q, double scale) const
  {
    return rotate(q, scale * offsets(shape[b])[k].xyz());
  }
  /// The body of the particle at place i.
  template <class Real>
  DEM_HD std::uint32_t bodyOf(const StateView<Real>& state, std::uint32_t i) const
  {
    return body[state.id[i]];
  }

  /// Where some parts are, read together.
  template <unsigned kAtOnce>
  struct Places
  {
    std::uint32_t at[kAtOnce];

    /// From part k of n on.
    DEM_HD void read(const std::uint32_t* places, std::uint32_t k, std::uint32_t n)
    {
      for (unsigned r = 0; r < kAtOnce; ++r)
        at[r] = places[k + r < n ? k + r : 0];
    }
  };

  /// Force and torque about the centre of a body of one part, at place i,
  template <class Real>
  DEM_HD static Load<double> loadOfPart(const StateView<Real>& state, std::uint32_t i)
  {
    const Vec4<Real> f = state.force[i], t = state.torque[i];
    Load<double> sum;
    sum.force += f.xyz().template as<double>();
    sum.torque += t.xyz().template as<double>();
    return sum;
  }
  /// and of one of n parts at `places`, of which the first have been read, part after part,
  /// `kAtOnce` read together; turned by q, its offsets scaled.
  template <unsigned kAtOnce, class Real>
  DEM_HD static Load<double> loadOfParts(const StateView<Real>& state, const std::uint32_t* places,
    Places<kAtOnce> some, std::uint32_t n, const Quaternion<double>& q, double scale,
    const Vec4<double>* offsets)
  {
    Load<double> sum;
    for (std::uint32_t k = 0; k < n; k += kAtOnce)
    {
      Vec4<Real> f[kAtOnce], t[kAtOnce];
      if (k > 0)
        some.read(places, k, n);
      for (unsigned r = 0; r < kAtOnce; ++r)
      {
        f[r] = state.force[some.at[r]];
        t[r] = state.torque[some.at[r]];
      }
      for (unsigned r = 0; r < kAtOnce && k + r < n; ++r)
      {
        const Vec3d force = f[r].xyz().template as<double>();
        sum.force += force;
        sum.torque += t[r].xyz().template as<double>();
        sum.torque += cross(rotate(q, scale * offsets[k + r].xyz()), force);
      }
    }
    return sum;
  }
  template <class Real>
  DEM_HD Load<double> load(const StateView<Real>& state, std::uint32_t b) const
  {
    const std::uint32_t first = firstPart(b), n = parts(b);
    return n == 1 ? loadOfPart(state, place[first])
                  : loadOfParts<1>(state, place + first, { { place[first] } }, n, orientationOf(b),
                      inertia[b].w, offsets(shape[b]));
  }
};

/// A body that has parts, as a drift takes it.
struct alignas(16) OrderedBody
{
  std::uint32_t body, first; // among OrderedBodies::place
  std::int32_t shape;
  std::uint32_t parts;
};

/// On a device clumps are moved in the order in which their first parts lie in memory, so that a
/// warp moves what is near. What it asks first stands side by side; else the bodies' own arrays
/// tell.
struct OrderedBodies
{
  const OrderedBody* body; // null: in ascending Id
  std::uint32_t* place;    // of their parts, as BodyView::place tells by Id

  DEM_HD OrderedBody of(const BodyView& bodies, std::uint32_t k) const
  {
    if (body)
      return body[k];
    return { k, bodies.firstPart(k), bodies.shape[k], bodies.parts(k) };
  }
};

/// How far each part has come at most since the list was made, with all points within `reach` of
/// its centre; one that left has come without end.
struct SurfacePaths
{
  static constexpr double kReach =
    3; // largest bounding radii: from a body's centre to all that it may meet

  float* path; // by place; null: nobody asks
  float reach; // m

  /// What was `path` before its centre went so far and it turned by an angle.
  DEM_HD float after(float before, double way, double angle) const
  {
    return (before + static_cast<float>(way + reach * angle) * (1 + 1e-6f)) * (1 + 2e-7f);
  }
};

/// A body's motion at time t, from its state before the closing half kick.
struct BodyMotion
{
  Vec3d velocity, momentum, spin;
};

template <class Real>
DEM_HD BodyMotion motionAt(const BodyView& bodies, std::uint32_t b, const Load<double>& load,
  const Vec3<Real>& gravity, double closing_time)
{
  BodyMotion m;
  const Vec4<double> v = bodies.velocity[b];
  m.velocity = v.xyz() + closing_time * ((1 / v.w) * load.force + gravity.template as<double>());
  m.momentum = bodies.momentum[b].xyz() + closing_time * load.torque;
  m.spin = spinOf(bodies.orientationOf(b), m.momentum, bodies.inertia[b].xyz());
  return m;
}

/// The part of a step by which a drift kicks the bodies, and by which their velocities are
/// predicted after it.
struct BodyKicks
{
  double kick, ahead;
};
template <class Real>
BodyKicks bodyKicks(const VelocityVerlet<Real>& verlet)
{
  return { verlet.close_last ? 1 : 0.5, 0.5 };
}
template <class Real>
BodyKicks bodyKicks(const SemiImplicitEuler<Real>&)
{
  return { 1, 0 };
}

/// How a thread that works alone stores; on a device a warp does it together (StoreInPairs).
struct StoreAlone
{
  DEM_HD static unsigned most(unsigned x) { return x; }
  DEM_HD static void put(Vec4<double>* to, unsigned at, const Vec4<double>& value, bool does)
  {
    if (does)
      to[at] = value;
  }
};

/// Kick and drift of every body (Velocity Verlet: the closing half kick of the last step and the
/// opening one of this), and the places and velocities of its parts.
template <class Real, class Integrator>
struct DriftBodies
{
  Drift<Real, Integrator> drift; // of the parts, which do not leave by themselves
  BodyView bodies;
  OrderedBodies order;
  Vec3d remove_lower, remove_upper; // a centre outside leaves the simulation
  BodyKicks kicks;
  SurfacePaths surface;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (bodies.clumps)
      move<StoreAlone, true, 1>(k, order.of(bodies, k), true);
    else
      move<StoreAlone, false, 1>(k, order.of(bodies, k), true);
  }

  /// Moves body k in the order if `does`; it is there in any case. `kClumps`: see BodyView. What
  /// waits for nothing is read before the first of it is needed, then the loads of `kAtOnce` parts
  /// together.
  template <class Store, bool kClumps, unsigned kAtOnce>
  DEM_HD void move(std::uint32_t k, const OrderedBody& one, bool does) const
  {
    const std::uint32_t b = one.body, n = kClumps ? one.parts : 1;
    std::uint32_t* const places = order.place + one.first;
    const Vec4<double> v = bodies.velocity[b], l = bodies.momentum[b], inertia = bodies.inertia[b];
    const float came = bodies.path[k];
    Vec4<double> x{}, turned{};
    if (kClumps)
    {
      x = bodies.centre[b];
      turned = bodies.orientation[b];
    }
    const bool halted = drift.control->driftHalted(drift.batch_step);
    BodyView::Places<kAtOnce> some;
    some.read(places, 0, n);
    const std::uint32_t at_first = some.at[0];
    if (halted)
      return;
    does = does && at_first != BodyView::kNowhere;
    const Vec4<double>* const offset = bodies.offsets(one.shape);
    const double farthest = bodies.farthest[one.shape];
    if (does && n == 1) // its part knows
    {
      x = drift.state.position[at_first];
      turned = drift.state.orientation[at_first];
    }
    const float surface_came = surface.path && does ? surface.path[at_first] : 0.f;
    Quaternion<double> q{ turned.x, turned.y, turned.z, turned.w };
    Load<double> load;
    if (does) // else its parts are nowhere
      load = n == 1 ? bodies.loadOfPart(drift.state, at_first)
                    : bodies.loadOfParts(drift.state, places, some, n, q, inertia.w, offset);
    const double dt = drift.dt, kick = kicks.kick * dt, ahead = kicks.ahead * dt;
    const Vec3d acceleration = (1 / v.w) * load.force + drift.gravity.template as<double>();
    const Vec3d velocity = v.xyz() + kick * acceleration;
    const Vec3d momentum = l.xyz() + kick * load.torque;
    Vec3d centre = x.xyz() + dt * velocity;
    const Vec3d way = centre - x.xyz(); // with what the place rounds off, which may repeat
    wrap(centre);
    if (does &&
      (centre.x < remove_lower.x || centre.x > remove_upper.x || centre.y < remove_lower.y ||
        centre.y > remove_upper.y || centre.z < remove_lower.z || centre.z > remove_upper.z))
    {
      bodies.velocity[b] = vec4(velocity, v.w);
      bodies.momentum[b] = vec4(momentum, l.w);
      bodies.orientation[b] = turned;
      remove(b, places, n, centre);
      does = false;
    }
    turnFreely(q, momentum, inertia.xyz(), dt);
    if (kClumps && Store::most(does && n > 1))
    {
      Store::put(bodies.centre, b, vec4(centre, x.w), does && n > 1);
      Store::put(bodies.orientation, b, { q.w, q.x, q.y, q.z }, does && n > 1);
    }
    Store::put(bodies.velocity, b, vec4(velocity, v.w), does);
    Store::put(bodies.momentum, b, vec4(momentum, l.w), does);

    const Vec3d predicted = velocity + ahead * acceleration;
    const Vec3d spin = spinOf(q, momentum + ahead * load.torque, inertia.xyz());
    const Vec3<Real> turning = spin.template as<Real>();
    const double spin2 = dot(spin, spin);
    // A part goes no farther than the centre's way and its own about it. As long as that is less
    // than half the skin nobody needs to look from where.
    const double turn = dt * length(momentum) * mostTurn(inertia.xyz()),
                 own = turn * inertia.w * farthest;
    const double farther = std::fabs(way.x) + std::fabs(way.y) + std::fabs(way.z) + own;
    float path = static_cast<float>((came + farther) * kUpwards);
    const bool near = path < static_cast<float>(drift.slack);
    double farthest2 = 0;
    const std::uint32_t most = kClumps ? Store::most(does ? n : 0) : 1;
    std::uint32_t next = at_first; // read ahead
    for (std::uint32_t p = 0; p < most; ++p)
    {
      const bool here = does && p < n;
      const std::uint32_t i = next;
      if (p + 1 < n)
        next = places[p + 1];
      const Vec4<double> part = here ? offset[p] : Vec4<double>{};
      const Vec3d arm = n > 1 ? rotate(q, inertia.w * part.xyz()) : Vec3d{};
      Vec3d at = centre + arm;
      wrap(at);
      Store::put(drift.to.position, i, vec4(at, inertia.w * part.w), here);
      Store::put(
        drift.state.orientation, i, { q.w, q.x, q.y, q.z }, here && n == 1); // several are spheres
      if (!here)
        continue;
      if (!near)
      {
        const double moved2 = drift.follow(i, at, spin2);
        farthest2 = moved2 < farthest2 ? farthest2 : moved2;
      }
      // mass and material of a part are the body's
      drift.state.velocity[i] =
        vec4((predicted + cross(spin, arm)).template as<Real>(), static_cast<Real>(v.w));
      drift.state.spin[i] = vec4(turning, static_cast<Real>(l.w));
      if (surface.path)
        surface.path[i] =
          surface.after(p == 0 ? surface_came : surface.path[i], length(way) + own, turn);
    }
    if (does)
      bodies.path[k] = near ? path : static_cast<float>(std::sqrt(farthest2) * kUpwards);
  }

private:
  static constexpr double kUpwards =
    1 + 1. / (1 << 20); // more than what a few operations in single precision round off

  DEM_HD void wrap(Vec3d& x) const
  {
    drift.wrap(x.x, drift.box.lower.x, drift.box.period.x);
    drift.wrap(x.y, drift.box.lower.y, drift.box.period.y);
    drift.wrap(x.z, drift.box.lower.z, drift.box.period.z);
  }
  // The body stays where it left until the next rebuild lists it.
  DEM_HD void remove(
    std::uint32_t b, std::uint32_t* places, std::uint32_t n, const Vec3d& centre) const
  {
    bodies.centre[b] = vec4(centre, bodies.centre[b].w);
    const std::uint32_t first = bodies.firstPart(b);
    for (std::uint32_t p = 0; p < n; ++p)
    {
      Vec4<double>& x = drift.state.position[places[p]];
      x.x = x.y = x.z = kGone;
      if (surface.path)
        surface.path[places[p]] = INFINITY;
      places[p] = bodies.place[first + p] = BodyView::kNowhere;
      atomicNext(&drift.control->removed);
    }
  }
};

/// Where the parts stand after the particles were brought into a new order.
struct FindParts
{
  const std::int64_t* id;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t i) const { place[id[i]] = i; }
};

/// For OrderedBodies: which of the parts are first ones, the body of each of these, and where its
/// parts are.
struct MarkFirstParts
{
  const std::int64_t* id;
  BodyView bodies;
  std::uint32_t* flag;

  DEM_HD void operator()(std::uint32_t i) const
  {
    flag[i] = bodies.first_part[bodies.body[id[i]]] == id[i] ? 1u : 0u;
  }
};

struct OrderBodies
{
  const std::int64_t* id;
  BodyView bodies;
  const std::uint32_t *flag, *rank;
  OrderedBody* order;
  std::uint32_t* parts;

  DEM_HD void operator()(std::uint32_t i) const
  {
    if (!flag[i])
      return;
    const std::uint32_t b = bodies.body[id[i]], k = rank[i];
    order[k] = { b, 0, bodies.shape[b], bodies.parts(b) };
    parts[k] = bodies.parts(b);
  }
};

struct PlaceParts
{
  BodyView bodies;
  OrderedBody* order;
  const std::uint32_t *first, *present;
  std::uint32_t* place;

  DEM_HD void operator()(std::uint32_t k) const
  {
    if (k >= *present)
      return;
    OrderedBody& one = order[k];
    one.first = first[k];
    for (std::uint32_t p = 0; p < one.parts; ++p)
      place[one.first + p] = bodies.place[bodies.first_part[one.body] + p];
  }
};

/// What the part of a body of one knows of it.
struct AskParts
{
  BodyView bodies;
  const Vec4<double>*position, *orientation; // of the parts

  DEM_HD void operator()(std::uint32_t b) const
  {
    const std::uint32_t i = bodies.place[bodies.firstPart(b)];
    if (bodies.parts(b) > 1 || i == BodyView::kNowhere)
      return;
    bodies.centre[b] = vec4(position[i].xyz(), bodies.centre[b].w);
    bodies.orientation[b] = orientation[i];
  }
};

/// Lists are made of the places where the parts are.
struct BeginBodyPaths
{
  float* path;
  LongestPath paths; // as they were

  DEM_HD void operator()(std::uint32_t b) const
  {
    paths.include(path[b]);
    path[b] = 0;
  }
};

/// Rows without the parts of one's own body: their lengths, then their entries.
struct CountStrangers
{
  ListView list;
  const std::int64_t* id;
  const std::uint32_t* body;
  std::uint32_t* count;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t own = body[id[i]];
    std::uint32_t c = 0;
    const std::uint32_t begin = list.start(i);
    for (std::uint32_t s = begin; s < begin + list.count[i]; ++s)
      c += body[id[list.entries[s] & ListView::kIndex]] != own ? 1u : 0u;
    count[i] = c;
  }
};

struct KeepStrangers
{
  ListView list;
  const std::int64_t* id;
  const std::uint32_t* body;
  const std::uint32_t* start;
  std::uint32_t* entries;

  DEM_HD void operator()(std::uint32_t i) const
  {
    const std::uint32_t own = body[id[i]];
    std::uint32_t to = start[i];
    const std::uint32_t begin = list.start(i);
    for (std::uint32_t s = begin; s < begin + list.count[i]; ++s)
      if (body[id[list.entries[s] & ListView::kIndex]] != own)
        entries[to++] = list.entries[s];
  }
};

/// Which bodies are still there: flags, then those that are, in order.
struct MarkShown
{
  const Vec4<double>* centre;
  std::uint32_t* flag;

  DEM_HD void operator()(std::uint32_t b) const { flag[b] = isGone(centre[b].x) ? 0u : 1u; }
};

struct ListShown
{
  const std::uint32_t *flag, *rank;
  std::uint32_t* shown;

  DEM_HD void operator()(std::uint32_t b) const
  {
    if (flag[b])
      shown[rank[b]] = b;
  }
};

/// The bodies of a scene on a device; none in a scene of spheres.
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
  /// Whether some body is of one part, which knows how it is turned.
  bool anyAlone() const { return alone_; }

  /// What does not change during a run.
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

  /// Whether bodies that were read fit the scene's shapes, and the Ids of parts them; `in` says
  /// where not.
  void check(
    const BodyArrays& a, const std::vector<std::int64_t>& part_id, const SnapshotReader& in) const
  {
    std::int64_t parts = 0, there = 0;
    for (std::size_t b = 0; b < a.id.size(); ++b)
    {
      if (a.shape[b] < 0 || a.shape[b] + std::size_t(1) >= shapes_.first_offset.size() ||
        (b && a.id[b] <= a.id[b - 1]) || !(a.velocity[b].w > 0) ||
        !(dot(a.inertia[b].xyz(), a.inertia[b].xyz()) > 0))
        in.fail("body " + std::to_string(a.id[b]) + " has impossible values");
      parts += shapes_.parts(a.shape[b]);
      there += isGone(a.centre[b].x) ? 0 : shapes_.parts(a.shape[b]);
    }
    if (!a.id.empty() &&
      (there != static_cast<std::int64_t>(part_id.size()) ||
        (!part_id.empty() && (part_id.front() < 0 || part_id.back() >= parts))))
      in.fail("the parts of its bodies do not fit them");
  }

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
    shapes_.clumps =
      body.size() > n_; // a state may hold others of the scene's shapes than its start
    alone_ = std::any_of(a.shape.begin(), a.shape.end(),
      [this](std::int32_t shape) { return shapes_.parts(shape) == 1; });
    if (Exec::kDevice && shapes_.clumps)
      order_.resize(n_);
    host_id_ = a.id;
    host_body_ = std::move(body);
  }

  /// Brings the arrays up to date for who measures or saves.
  void settle(const StateView<Real>& state)
  {
    if (inUse() && !settled_)
      exec_.forEach(n_, AskParts{ view(), state.position, state.orientation });
    settled_ = true;
  }

  /// As they stand, for a saved state.
  BodyArrays arrays() const
  {
    return { centre_.host(), orientation_.host(), velocity_.host(), momentum_.host(),
      inertia_.host(), id_.host(), shape_.host() };
  }

  /// The Id that a user knows of a part, or of a particle where there are no bodies.
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

  void findParts(const std::int64_t* part_id, std::uint32_t n)
  {
    if (!inUse())
      return;
    exec_.forEach(n, FindParts{ part_id, place_.data() });
    if (Exec::kDevice && shapes_.clumps)
      orderBodies(part_id, n);
  }

  void beginPaths(LongestPath before)
  {
    if (inUse())
      exec_.forEach(n_, BeginBodyPaths{ path_.data(), before });
  }

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

  /// For lists that are made without parts of the own body.
  OwnIds ownIds() const
  {
    if (!inUse() || !shapes_.clumps)
      return { nullptr, nullptr };
    return { body_.data(), first_part_.data() };
  }
  /// Candidates that are parts of one body are none. Gives back how many of `slots` stay.
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

  /// Finds out which bodies are still there, and how many.
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
  bool settled_ = true; // since the last drift
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
  Buffer<OrderedBody> order_{ exec_ }; // on a device, of clumps: OrderedBodies,
  Buffer<std::uint32_t> ordered_place_{ exec_ }, present_{ exec_ }; // and how many have parts
};

} // namespace dem
