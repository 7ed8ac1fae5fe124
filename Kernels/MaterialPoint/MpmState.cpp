#include "MaterialPoint/MpmState.h"

#include <cstring>

namespace mpm
{

std::uint64_t fingerprint(const Scene& s, std::size_t points)
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

void writeHead(dem::SnapshotWriter& writer, std::uint32_t bytes_per_real, const StateOwner& owner,
  std::uint64_t step, const RunTotals& totals)
{
  writer.value(kStateMagic);
  writer.value(kStateVersion);
  writer.value(bytes_per_real);
  writer.value(static_cast<std::uint32_t>(owner.spline));
  writer.value(owner.fingerprint);
  writer.value(step);
  writer.value(owner.time_step);
  writer.value(totals.sub_steps);
  writer.value(totals.lost);
}

void writeCounts(dem::SnapshotWriter& writer, std::uint64_t newton_iterations,
  std::uint64_t hessian_products, const RunTotals& totals)
{
  writer.value(newton_iterations);
  writer.value(hessian_products);
  writer.value(totals.speed);
  writer.value(totals.point_speed);
  writer.value(totals.largest_cfl);
}

void writeEvents(dem::SnapshotWriter& writer, const std::vector<dem::Event>& events)
{
  writer.value<std::uint64_t>(events.size());
  for (const dem::Event& e : events)
  {
    writer.value(e.time);
    writer.array(e.property.data(), e.property.size());
    writer.array(e.value);
  }
}

} // namespace mpm
