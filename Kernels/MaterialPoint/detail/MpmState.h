// The layout of a saved MPM state, format version 4. Little endian; every array is preceded by its
// element count (u64).
//
//   u32 'PGMP', u32 version, u32 bytes per Real (4 or 8), u32 spline, u64 fingerprint of the scene
//   (what a state cannot do without), u64 step, f64 time step, u64 sub-steps, u64 lost points,
//   points that left (each i64 rank of the Id, i64 step, 3 f64 place), u64 Newton iterations, u64
//   Hessian products, f32 speed, f32 speed of points, f64 largest CFL number, u64 changes under way
//   so far, each f64 time, its property and numbers, u64 points of the start, u64 points here, then
//   in the order of the device's memory (on which sums depend): 8 columns of 4 Real, volume (Real),
//   bin (u32), rank of the Id (u32), material (u8): see Points.cuh. With walls: the load on each
//   element of theirs, 3 f64.
#pragma once

#include "Core/Bytes.h"
#include "MaterialPoint/MpmScene.h"

namespace mpm
{

constexpr std::uint32_t kStateMagic = 0x504d4750; // "PGMP"
constexpr std::uint32_t kStateVersion = 4; ///< still read: 3, without exits; 2, without changes too

/// FNV-1a over what the meaning of a state depends on. Gravity, times and transfers may change.
inline std::uint64_t fingerprint(const Scene& s, std::size_t points)
{
  std::uint64_t value = 1469598103934665603ull;
  const auto add = [&value](double v) {
    v = v == 0 ? 0.0 : v;
    unsigned char b[sizeof v];
    std::memcpy(b, &v, sizeof v);
    for (unsigned char c : b)
      value = (value ^ c) * 1099511628211ull;
  };
  add(static_cast<double>(points));
  for (const Material& m : s.materials)
    for (double v : { double(static_cast<int>(m.kind)), m.density, m.youngs_modulus,
           m.poissons_ratio, m.friction_angle, double(static_cast<int>(m.sand_yield)), m.cohesion,
           m.grain_diameter, m.fast_friction_angle, m.inertial_number, m.yield_stress,
           m.hardening_modulus, m.bulk_modulus, m.gamma, m.viscosity })
      add(v);
  for (int k = 0; k < 3; ++k)
  {
    add(s.domain.lower[k]);
    add(s.domain.upper[k]);
  }
  for (Border b : s.domain.border)
    add(static_cast<int>(b));
  add(s.grid_spacing);
  for (const dem::Wall& w : s.walls)
  {
    add(static_cast<int>(w.kind));
    for (const Vec3d& p : { w.origin, w.normal, w.edge_u, w.edge_v, w.end, w.motion.origin,
           w.motion.axis, w.motion.velocity })
      for (int k = 0; k < 3; ++k)
        add(p[k]);
    for (double v :
      { w.radius, w.end_radius, double(static_cast<int>(w.motion.kind)), w.motion.rate,
        w.motion.amplitude, w.motion.frequency, w.motion.phase, w.motion.start, w.motion.stop })
      add(v);
    for (const Vec3d& p : w.points)
      for (int k = 0; k < 3; ++k)
        add(p[k]);
    for (const auto& t : w.triangles)
      for (int k : t)
        add(k);
  }
  return value;
}

} // namespace mpm
