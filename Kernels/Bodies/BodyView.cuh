// Rigid bodies as passed to kernels, their loads, and their motion at an instant. Used by the
// kernels of Bodies/, by shape forces and by measurements.
#pragma once

#include "Core/Vec.h"
#include "Particles/State.cuh"
#include "Solver/Integrators/BodyMotion.cuh"

#include <cmath>
#include <cstdint>

namespace dem
{

/// View of all bodies, indexed by body.
///
/// Between steps, velocity and momentum belong to different times. With Velocity Verlet they are
/// those of t - dt/2 (of t before the first step), as is `velocity + velocity_rest` of a particle.
/// With Semi-Implicit Euler they are those of t. Forces read the velocities of the parts: the
/// prediction for t with Velocity Verlet, else the same. Position and orientation of a body of one
/// part are stored with its part; centre and orientation here are valid only after
/// Bodies::settle().
///
/// A part of a run has a row for each body of the run. The rows of bodies that other parts own are
/// out of date and marked by setElsewhere(); inertia, Id and shape do not change.
struct BodyView
{
  Vec4<double>* centre;        // centre of mass, m; w = radius of the sphere of equal volume
  Vec4<double>* orientation;   // of the principal axes; x y z w = the quaternion's w x y z
  Vec4<double>* velocity;      // m/s; w = mass, kg
  Vec4<double>* momentum;      // angular momentum about the centre, in space; w = material
  const Vec4<double>* inertia; // principal moments, kg m^2; w = scale of the shape
  const std::int64_t* id;
  const std::int32_t* shape;
  const std::uint32_t* first_part;   // Id of each body's first part, with one value more
  const std::uint32_t* body;         // by part Id
  std::uint32_t* place;              // particle index by part Id; kNowhere if the part has left
  const std::uint32_t* first_offset; // first entry of `offset`, by shape
  const Vec4<double>* offset;        // centres of parts at scale 1, in principal axes; w = radius
  const double* farthest;            // largest length of a shape's offsets, by shape
  // Largest distance that a part can have moved since the list was built, m, in the order of
  // OrderedBodies.
  float* path;
  bool clumps; // some body has several parts; else part and body have the same number

  static constexpr std::uint32_t kNowhere = 0xffffffffu;

  /// Marks a body that another part of the run owns. A body that left has kGone in all components.
  DEM_HD void setElsewhere(std::uint32_t b) const
  {
    centre[b].x = kGone;
    centre[b].y = centre[b].z = 0;
  }
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
  /// Offset of the first part of a shape; those of the other parts follow.
  DEM_HD const Vec4<double>* offsets(std::int32_t shape_of_body) const
  {
    return offset + first_offset[shape_of_body];
  }
  /// Vector from the centre of the body to that of its part k, in space, m.
  DEM_HD Vec3d arm(
    std::uint32_t b, std::uint32_t k, const Quaternion<double>& q, double scale) const
  {
    return rotate(q, scale * offsets(shape[b])[k].xyz());
  }
  /// The body of particle i.
  template <class Real>
  DEM_HD std::uint32_t bodyOf(const StateView<Real>& state, std::uint32_t i) const
  {
    return body[state.id[i]];
  }

  /// Particle indices of several parts, read together.
  template <unsigned kAtOnce>
  struct Places
  {
    std::uint32_t at[kAtOnce];

    /// Reads those of the parts from k on; n: number of parts.
    DEM_HD void read(const std::uint32_t* places, std::uint32_t k, std::uint32_t n)
    {
      for (unsigned r = 0; r < kAtOnce; ++r)
        at[r] = places[k + r < n ? k + r : 0];
    }
  };

  /// Force and torque about the centre of a body of one part, which is particle i.
  template <class Real>
  DEM_HD static Load<double> loadOfPart(const StateView<Real>& state, std::uint32_t i)
  {
    const Vec4<Real> f = state.force[i], t = state.torque[i];
    Load<double> sum;
    sum.force += f.xyz().template as<double>();
    sum.torque += t.xyz().template as<double>();
    return sum;
  }
  /// Force and torque about the centre of a body of n parts, summed in the order of the parts.
  /// `places`: particle indices of the parts, of which `some` holds the first. `q`: orientation.
  /// `offsets`: those of the shape, multiplied by `scale`. `kAtOnce` loads are read together.
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
  /// Force and torque about the centre of body b.
  template <class Real>
  DEM_HD Load<double> load(const StateView<Real>& state, std::uint32_t b) const
  {
    const std::uint32_t first = firstPart(b), n = parts(b);
    return n == 1 ? loadOfPart(state, place[first])
                  : loadOfParts<1>(state, place + first, { { place[first] } }, n, orientationOf(b),
                      inertia[b].w, offsets(shape[b]));
  }
};

/// Data of a body that a drift reads first.
struct alignas(16) OrderedBody
{
  std::uint32_t body, first; // index of the body; first entry in OrderedBodies::place
  std::int32_t shape;
  std::uint32_t parts;
};

/// The order in which bodies are moved. On a device, clumps are moved in the order of their first
/// parts in memory, so that a warp moves neighbouring bodies. The data that a drift reads first are
/// then stored contiguously; otherwise they are read from the arrays of the bodies.
struct OrderedBodies
{
  const OrderedBody* body; // null: ascending Id
  std::uint32_t* place;    // particle indices of the parts, in this order

  DEM_HD OrderedBody of(const BodyView& bodies, std::uint32_t k) const
  {
    if (body)
      return body[k];
    return { k, bodies.firstPart(k), bodies.shape[k], bodies.parts(k) };
  }
};

/// Upper bounds of the distance that any point within `reach` of a part's centre has moved since
/// the list was made. Infinite for a part that has left.
struct SurfacePaths
{
  // In units of the largest bounding radius: all points of bodies that a body may touch lie within
  // this distance of its centre.
  static constexpr double kReach = 3;

  float* path; // by particle index, m; null: not needed
  float reach; // m

  /// The new path, from the path before the centre moved by `way` (m) and the body turned by
  /// `angle` (rad). Rounded up.
  DEM_HD float after(float before, double way, double angle) const
  {
    return (before + static_cast<float>(way + reach * angle) * (1 + 1e-6f)) * (1 + 2e-7f);
  }
};

/// Velocity (m/s), angular momentum (kg m^2/s) and spin (rad/s) of a body at time t.
struct BodyMotion
{
  Vec3d velocity, momentum, spin;
};

/// Motion of body b at time t, from its state before the closing kick. `load`: N and N m about its
/// centre. `closing_time`: duration of the closing kick, s.
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
