// Memory size of a frame.
#include "Measure/Frame.h"

namespace dem
{
namespace
{
template <class... Arrays>
std::size_t total(const Arrays&... arrays)
{
  return (std::size_t(0) + ... + (arrays.size() * sizeof(*arrays.data())));
}
} // namespace

std::size_t Frame::bytes() const
{
  if (most_bytes > 0)
    return most_bytes;
  std::size_t sum = total(position, id, radius, velocity, angular_velocity, orientation, force,
    fluid_force, torque, mass, material, shape, coordination_number, stress, contacts.ids,
    contacts.ends, contacts.point, contacts.normal_force, contacts.tangential_force,
    contacts.overlap, contacts.sliding, contacts.age, contacts.slip_distance,
    contacts.dissipated_energy, contacts.cohesive_force, contacts.wall_element, exited_id,
    exited_position, coating.mass, coating.hits, coating.time, coating.patch_mass,
    coating.patch_variation, fluid.velocity, fluid.pressure, fluid.void_fraction, fluid.drag_force);
  for (const HostArray<double>& column : passive)
    sum += total(column);
  for (const WallFrame& wall : walls)
    sum += wall.bytes();
  sum += total(averages.count);
  for (const HostArray<double>& values : averages.mean)
    sum += 2 * total(values); // the errors have the same size
  return sum;
}

} // namespace dem
