// What one instant shows: arrays in ascending particle Id, ready to be handed to a viewer.
#pragma once

#include "Analysis/DeviceFrame.h"
#include "Core/HostArray.h"
#include "Walls/Wall.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dem
{

/// Which arrays a frame carries. Position, id and radius are always there.
struct FrameSelection
{
  bool velocity = true;
  bool angular_velocity = true;
  bool orientation = true;
  bool force = true;
  bool torque = true;
  bool mass = true;
  bool material = true;
  bool shape = true;
  bool coordination_number = true;
  bool stress = true;
  bool contacts = true;
  bool walls = true;

  bool operator==(const FrameSelection& o) const
  {
    return velocity == o.velocity && angular_velocity == o.angular_velocity &&
      orientation == o.orientation && force == o.force && torque == o.torque && mass == o.mass &&
      material == o.material && shape == o.shape && coordination_number == o.coordination_number &&
      stress == o.stress && contacts == o.contacts && walls == o.walls;
  }
};

/// One row: the whole run so far and this instant. Energies in J.
struct Statistics
{
  double time = 0;
  std::uint64_t step = 0;
  double time_step = 0;
  double kinetic_energy = 0;    ///< translation and rotation
  double potential_energy = 0;  ///< gravity (zero at the origin) and elastic energy of the contacts
  double dissipated_energy = 0; ///< since the start: damping, sliding, rolling
  double stiffness_work =
    0;                  ///< since the start: lost where the tangential stiffness changed under load
  double wall_work = 0; ///< since the start: done on the particles by walls that move
  double removed_energy =
    0; ///< since the start: kinetic and of gravity, taken along by grains that left the domain
  /// kinetic + potential + dissipated + stiffness_work + removed - wall_work, less its value at the
  /// start; steps of it by steering of gravity or materials are taken out. What remains is the
  /// error of the time integration and the elastic energy of contacts that grains had when they
  /// left. Counts from the restore of a state that was saved before format 7.
  double energy_error = 0;
  std::uint64_t particles = 0;
  std::uint64_t lost = 0; ///< removed at the domain's borders since the start
  std::uint64_t contacts = 0;
  double largest_overlap = 0; ///< largest overlap over the smaller radius at this instant
  std::uint64_t rebuilds = 0; ///< list rebuilds since the start (or the last restore)
  double steps_per_second =
    0; ///< of the last advance, wall clock; the one value that is not reproducible
};

/// Touching pairs, in ascending (first Id, second Id); walls last for each particle. n contacts.
struct ContactArrays
{
  HostArray<std::int64_t>
    ids; ///< 2 a contact; a wall is -1 - its index, domain borders come after the scene's walls
  HostArray<double> ends; ///< 6: both centres, the second next to the first where periodic; of a
                          ///< wall the contact point
  HostArray<double>
    point; ///< 3, m: contact point; only of bodies, between spheres it lies in mid overlap
  bool of_bodies = false;             ///< of grains that are not one sphere each
  HostArray<float> normal_force;      ///< 3, on the first particle, N
  HostArray<float> tangential_force;  ///< 3, on the first particle, N
  HostArray<float> overlap;           ///< m
  HostArray<std::uint8_t> sliding;    ///< 1 at the friction limit
  HostArray<float> age;               ///< s   (ContactStatistics)
  HostArray<float> slip_distance;     ///< m   (ContactStatistics)
  HostArray<float> dissipated_energy; ///< J  (ContactStatistics)
  HostArray<std::int32_t>
    wall_element; ///< triangle of the wall's mesh, -1 for pairs and analytic walls
  std::size_t size = 0;
};

/// One wall of the scene at this instant.
struct WallFrame
{
  Motion motion;                 ///< as it is at this instant: with what steering has changed
  HostArray<double> points;      ///< 3 a point of the input, moved (Mesh only)
  HostArray<float> pressure;     ///< 1 a triangle, Pa: normal force over area, positive = pressed
  HostArray<float> shear_stress; ///< 1 a triangle, Pa: size of the tangential force over area
  HostArray<float> force;        ///< 3 a triangle, N: what the grains do to the wall
  double total_force[3] = { 0, 0, 0 };
  double total_torque[3] = { 0, 0, 0 }; ///< about the motion's origin, N m
};

/// Means over the samples that a run has taken up to this instant (Scene::averages), field by field
/// as in cellAverageFields(), x fastest.
struct AverageArrays
{
  std::uint64_t samples = 0;
  std::vector<HostArray<double>> mean,
    error;                       ///< error: standard error of the mean, NaN below two samples
  HostArray<std::int32_t> count; ///< a cell: samples that had grains there
};

struct Frame
{
  double time = 0;
  std::uint64_t step = 0;
  std::size_t size = 0; ///< particles
  FrameSelection selection;

  HostArray<double> position; ///< 3, m
  HostArray<std::int64_t> id;
  HostArray<float> radius;           ///< m
  HostArray<float> velocity;         ///< 3, m/s
  HostArray<float> angular_velocity; ///< 3, rad/s
  HostArray<float> orientation;      ///< 4, w x y z
  HostArray<float> force;            ///< 3, N: contacts and gravity
  HostArray<float> torque;           ///< 3, N m
  HostArray<float> mass;             ///< kg
  HostArray<std::int32_t> material;
  HostArray<std::int32_t> shape; ///< 0 = sphere
  HostArray<std::int32_t> coordination_number;
  HostArray<float>
    stress; ///< 6, Pa: Love-Weber over the particle's volume, xx yy zz xy yz xz, tension positive

  ContactArrays contacts;
  std::vector<WallFrame> walls;
  /// Grains that left through removing borders since the start, in ascending Id, and where each
  /// left.
  HostArray<std::int64_t> exited_id;
  HostArray<double> exited_position; ///< 3, m: the first place beyond the border

  AverageArrays averages; ///< empty where the scene has none
  Statistics statistics;
  std::string device;
  std::string broad_phase; ///< the search in use
  std::uint64_t run = 0;   ///< tells the runs of this process apart
  /// The same instant on the run's device. Only the newest frame of a run has it, and only where
  /// there was memory for it.
  std::weak_ptr<const DeviceFrame> on_device;

  std::size_t bytes() const; ///< host memory held
};

} // namespace dem
