// Host arrays and statistics of one instant of a run, in ascending particle Id. Simulation::frame()
// makes them; the filters read them.
#pragma once

#include "Analysis/DeviceFrame.h"
#include "Core/HostArray.h"
#include "Measure/FluidImage.h"
#include "Particles/Columns.h"
#include "Walls/WallFrame.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dem
{

/// Arrays that a frame has. Position, id and radius are always present.
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
  bool coating = true;                       ///< in scenes with nozzles
  bool fluid_force = true;                   ///< in scenes with a fluid
  bool fluid_image = true;                   ///< in scenes with a computed flow
  std::array<bool, kPassiveCount> passive{}; ///< by row of kPassiveColumns

  bool operator==(const FrameSelection& o) const
  {
    return velocity == o.velocity && angular_velocity == o.angular_velocity &&
      orientation == o.orientation && force == o.force && torque == o.torque && mass == o.mass &&
      material == o.material && shape == o.shape && coordination_number == o.coordination_number &&
      stress == o.stress && contacts == o.contacts && walls == o.walls && coating == o.coating &&
      fluid_force == o.fluid_force && fluid_image == o.fluid_image && passive == o.passive;
  }
};

/// Energies (J) and counts of one instant, and totals since the start of the run.
struct Statistics
{
  double time = 0;
  std::uint64_t step = 0;
  double time_step = 0;
  double kinetic_energy = 0;    ///< translation and rotation
  double potential_energy = 0;  ///< gravity (zero at the origin) and elastic energy of the contacts
  double dissipated_energy = 0; ///< since the start: by damping, sliding and rolling
  double stiffness_work =
    0;                  ///< since the start: lost when the tangential stiffness changed under load
  double wall_work = 0; ///< since the start: done on the particles by moving walls
  double removed_energy =
    0; ///< since the start: kinetic energy and gravity potential of grains that left the domain
  bool has_fluid = false;          ///< the scene has a fluid
  double fluid_work = 0;           ///< since the start: done on the grains by the fluid
  std::uint64_t outside_fluid = 0; ///< grains at which there is no fluid
  bool has_flow = false;           ///< the scene has a computed flow; else the next values are 0
  Vec3d fluid_momentum{};          ///< kg m/s, of the fluid
  Vec3d fluid_impulse{};           ///< N s, since the start: drag and pressure on all grains
  double fluid_pressure_drop = 0;  ///< Pa, from the inlets to the outlets
  double fluid_step = 0;           ///< s, the present step of the flow
  unsigned fluid_rounds = 0;       ///< of the last solve for the pressure
  double fluid_residual = 0;       ///< volume error of a cell in the last step (rms)
  /// kinetic + potential + dissipated + stiffness_work + removed - wall_work - fluid_work, minus
  /// its value at the start. Jumps caused by steering of gravity or materials are excluded. The
  /// remainder is the error of the time integration, and the elastic energy of the contacts of
  /// grains that left. After the restore of a state of a format before 7 it counts from the
  /// restore.
  double energy_error = 0;
  bool has_heat = false;            ///< the scene has heat transfer; else the next values are 0
  double thermal_energy = 0;        ///< m c T of all grains
  double heat_from_walls = 0;       ///< since the start: by conduction, < 0 if walls cool
  double dissipation_in_walls = 0;  ///< since the start: half of that of contacts with walls
  double heat_from_dissipation = 0; ///< since the start: dissipated energy that grains received
  std::uint64_t devices = 1;        ///< that share the run
  double imbalance = 1;             ///< grains on the device that has most, over the mean
  std::uint64_t particles = 0;
  std::uint64_t lost = 0; ///< grains removed at the domain's borders since the start
  std::uint64_t contacts = 0;
  double largest_overlap = 0;      ///< maximum of overlap / smaller radius at this instant
  bool has_spray = false;          ///< the scene has nozzles
  std::uint64_t spray_emitted = 0; ///< rays since the start: on_grains + on_walls + missed
  std::uint64_t spray_on_grains = 0, spray_on_walls = 0, spray_missed = 0;
  double sprayed_mass = 0; ///< kg since the start; of it on grains, also on those that left, and
                           ///< on walls and borders
  double sprayed_on_grains = 0, sprayed_on_walls = 0;
  double coating_variation = 0; ///< standard deviation over mean of the coating mass of the grains
  bool has_patches = false;     ///< the grains have patches
  double patch_variation = 0;   ///< mean of CoatingArrays::patch_variation of the coated grains
  std::uint64_t rebuilds = 0;   ///< list rebuilds since the start (or the last restore)
  double steps_per_second =
    0; ///< wall clock, during the last advance; the only value that is not reproducible
};

/// Touching contacts, in ascending (first Id, second Id); for each particle walls come last.
/// Lengths are given per contact.
struct ContactArrays
{
  HostArray<std::int64_t>
    ids; ///< 2: Ids; a wall is -1 - its index, domain borders come after the scene's walls
  HostArray<double> ends; ///< 6, m: both centres, the second as the periodic image next to the
                          ///< first; for a wall the contact point
  HostArray<double>
    point; ///< 3, m: contact point; bodies only, between spheres it is the middle of the overlap
  bool of_bodies = false;             ///< contacts are between bodies, not single spheres
  HostArray<float> normal_force;      ///< 3, on the first particle, N
  HostArray<float> tangential_force;  ///< 3, on the first particle, N
  HostArray<float> overlap;           ///< m
  HostArray<std::uint8_t> sliding;    ///< 1 if at the friction limit, else 0
  HostArray<float> age;               ///< s   (ContactStatistics)
  HostArray<float> slip_distance;     ///< m   (ContactStatistics)
  HostArray<float> dissipated_energy; ///< J  (ContactStatistics)
  bool of_cohesion = false;           ///< the scene has a cohesion model
  HostArray<float> cohesive_force; ///< 3, on the first particle, N: part of normal_force (cohesion)
  HostArray<std::int32_t>
    wall_element; ///< triangle of the wall's mesh, -1 for pairs and analytic walls
  std::size_t size = 0;
};

/// Means over the samples that a run has taken up to this instant (Scene::averages). One array per
/// field of cellAverageFields(); cells in the order x fastest.
struct AverageArrays
{
  std::uint64_t samples = 0;
  std::vector<HostArray<double>> mean,
    error;                       ///< standard error of the mean, NaN for fewer than two samples
  HostArray<std::int32_t> count; ///< 1 per cell: number of samples with grains in the cell
};

/// What the spray has left on each grain since the start (Scene::nozzles).
struct CoatingArrays
{
  HostArray<double> mass;            ///< kg
  HostArray<std::int64_t> hits;      ///< rays
  HostArray<double> time;            ///< s in the spray
  HostArray<double> patch_mass;      ///< `patches` per grain, kg
  HostArray<double> patch_variation; ///< standard deviation over mean of the patches of a grain
  int patches = 0;
};

/// One instant of a run. Lengths are given per particle. If ranks share the run, each has a frame
/// with its own particles and their contacts; a contact between two ranks belongs to that of the
/// lower Id. The frame of rank 0 also has the walls and the exits of the whole run.
struct Frame
{
  double time = 0;
  std::uint64_t step = 0;
  std::size_t size = 0; ///< number of particles, or of bodies where grains are bodies
  FrameSelection selection;

  HostArray<double> position; ///< 3, m
  HostArray<std::int64_t> id;
  HostArray<float> radius;           ///< m
  HostArray<float> velocity;         ///< 3, m/s
  HostArray<float> angular_velocity; ///< 3, rad/s
  HostArray<float> orientation;      ///< 4, quaternion w x y z
  HostArray<float> force;            ///< 3, N: contacts, fluid and gravity
  HostArray<float> fluid_force;      ///< 3, N, in scenes with a fluid
  HostArray<float> torque;           ///< 3, N m
  HostArray<float> mass;             ///< kg
  HostArray<std::int32_t> material;
  HostArray<std::int32_t> shape; ///< 0 = sphere
  HostArray<std::int32_t> coordination_number;
  HostArray<float>
    stress; ///< 6, Pa: Love-Weber stress of the particle, xx yy zz xy yz xz, tension positive
  std::array<HostArray<double>, kPassiveCount> passive; ///< by row of kPassiveColumns

  ContactArrays contacts;
  std::vector<WallFrame> walls;
  /// Grains that left through removing borders since the start, in ascending Id, and the position
  /// where each left.
  HostArray<std::int64_t> exited_id;
  HostArray<double> exited_position; ///< 3, m: first position beyond the border

  FluidImage fluid;       ///< in scenes with a computed flow
  CoatingArrays coating;  ///< empty if the scene has no nozzles
  AverageArrays averages; ///< empty if the scene has no averages
  Statistics statistics;
  std::string device;
  std::string broad_phase;    ///< name of the search in use
  std::uint64_t run = 0;      ///< number of the run, unique in this process
  int rank = 0;               ///< that it belongs to, if ranks share the run
  std::size_t most_bytes = 0; ///< of the frame of any rank, if ranks share the run; else 0
  /// The same instant on the run's device. Only the newest frame of a run has it, and only if the
  /// memory limit allows it (Simulation::keepOnDevice).
  std::weak_ptr<const DeviceFrame> on_device;

  /// Host memory held; if ranks share the run that of the largest frame, since they must take the
  /// same decisions about the frames to keep.
  std::size_t bytes() const;
};

} // namespace dem
