#include "MaterialPoint/MpmFrame.h"

namespace mpm
{

std::size_t Frame::bytes() const
{
  const auto of = [](const auto&... arrays) { return ((arrays.size() * sizeof(arrays[0])) + ...); };
  std::size_t walls_bytes = 0;
  for (const dem::WallFrame& w : walls)
    walls_bytes += w.bytes();
  return walls_bytes +
    of(position, id, radius, velocity, mass, volume, jacobian, deformation, stress, von_mises,
      plastic_strain, material, exited_id, exited_position, grid.index, grid.mass, grid.velocity,
      grid.pressure);
}

} // namespace mpm
