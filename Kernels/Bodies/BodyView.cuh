// Rigid bodies as kernels see them, and their motion at an instant.
#pragma once

#include "Core/Vec.h"
#include "Particles/State.cuh"
#include "Solver/Integrators/BodyMotion.cuh"

#include <cmath>
#include <cstdint>

namespace dem
{

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

} // namespace dem
