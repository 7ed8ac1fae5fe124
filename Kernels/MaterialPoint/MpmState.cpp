#include "MaterialPoint/MpmState.h"

#include "Core/RowHash.h"
#include "MaterialPoint/MpmDescribe.h"

namespace mpm
{

namespace
{

// Format 2 has fixed this order, which is not that of the rows.
void addWall(dem::RowHash& hash, const dem::Wall& w)
{
  const dem::Motion& m = w.motion;
  hash.add(w.kind);
  for (const Vec3d& v :
    { w.origin, w.normal, w.edge_u, w.edge_v, w.end, m.origin, m.axis, m.velocity })
    hash.add(v);
  hash.add(w.radius);
  hash.add(w.end_radius);
  hash.add(m.kind);
  for (double v : { m.rate, m.amplitude, m.frequency, m.phase, m.start, m.stop })
    hash.add(v);
  hash.add(w.points);
  hash.add(w.triangles);
  hash.addLaterRows(w);
  hash.addLaterRows(m);
}

} // namespace

std::uint64_t fingerprint(const Scene& s, std::size_t points)
{
  dem::RowHash hash({ true, true });
  hash.add(static_cast<double>(points));
  hash.add(s.materials);
  for (int k = 0; k < 3; ++k)
  {
    hash.add(s.domain.lower[k]);
    hash.add(s.domain.upper[k]);
  }
  hash.add(s.domain.border);
  hash.addLaterRows(s.domain);
  hash.add(s.grid_spacing);
  hash.addLaterRows(s);
  for (const dem::Wall& w : s.walls)
    addWall(hash, w);
  return hash.value();
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

} // namespace mpm
