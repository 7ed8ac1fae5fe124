// The output of an MPM run at one instant: points in ascending Id, and the nodes of the grid that
// carry mass.
#pragma once

#include "Analysis/DeviceFrame.h"
#include "Core/HostArray.h"
#include "Walls/WallFrame.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpm
{

using dem::HostArray;

/// Which arrays a frame contains. It always contains position, id and radius.
struct FrameSelection
{
  bool velocity = true;
  bool mass = true;
  bool volume = true;
  bool jacobian = true;
  bool deformation = true;
  bool stress = true;
  bool von_mises = true;
  bool plastic_strain = true;
  bool material = true;
  bool grid = true;

  bool operator==(const FrameSelection& o) const
  {
    return velocity == o.velocity && mass == o.mass && volume == o.volume &&
      jacobian == o.jacobian && deformation == o.deformation && stress == o.stress &&
      von_mises == o.von_mises && plastic_strain == o.plastic_strain && material == o.material &&
      grid == o.grid;
  }
};

/// Values of this instant and of the run so far. Energies are in J.
struct Statistics
{
  double time = 0;
  std::uint64_t step = 0;
  double time_step = 0;
  std::uint64_t sub_steps = 0; ///< since the start
  double kinetic_energy = 0;   ///< of the points' velocities
  double affine_energy =
    0; ///< APIC: kinetic energy of the velocity fields about the points, m/2 tr(C D C^T)
  double potential_energy = 0; ///< in gravity, zero at the origin
  double elastic_energy = 0;
  double mass = 0;                  ///< kg
  double momentum[3] = { 0, 0, 0 }; ///< kg m/s
  double angular_momentum[3] = { 0, 0,
    0 };                    ///< kg m^2/s about the origin, including that of the affine fields
  double largest_speed = 0; ///< m/s
  double largest_cfl = 0;   ///< of the last step: dt (c + |v|) / h of the fastest point; below 1
  double smallest_jacobian = 1, largest_jacobian = 1;
  std::uint64_t points = 0;
  std::uint64_t lost = 0; ///< points that left through borders of kind Remove, since the start
  std::uint64_t active_blocks = 0; ///< of 4 x 4 x 4 cells
  std::uint64_t active_nodes = 0;  ///< with mass; counted in frames with a grid
  std::uint64_t newton_iterations = 0, hessian_products = 0; ///< implicit: since the start
  std::uint64_t device_bytes = 0;
  double steps_per_second =
    0; ///< of the last advance, wall clock; the only value that is not reproducible
};

/// Nodes that carry mass, in ascending number.
struct GridArrays
{
  std::array<double, 3> origin{}; ///< m, of node 0
  double spacing = 0;             ///< m
  std::array<int, 3> nodes{};     ///< along each axis, of the box around the nodes with mass
  HostArray<std::int64_t> index;  ///< x + nodes[0] * (y + nodes[1] * z)
  HostArray<float> mass;          ///< kg
  HostArray<float> velocity;      ///< 3, m/s
  HostArray<float>
    pressure; ///< Pa: -tr(stress) / 3, mean over the volume of the points that the node sees
  std::size_t size = 0;
};

struct Frame
{
  double time = 0;
  std::uint64_t step = 0;
  std::size_t size = 0; ///< points
  FrameSelection selection;

  HostArray<double> position; ///< 3, m
  HostArray<std::int64_t> id;
  HostArray<float> radius;         ///< m: of the sphere with the present volume of the point
  HostArray<float> velocity;       ///< 3, m/s
  HostArray<float> mass;           ///< kg
  HostArray<float> volume;         ///< m^3, at this instant
  HostArray<float> jacobian;       ///< det F: present volume over volume at rest
  HostArray<float> deformation;    ///< 9, rows: elastic deformation gradient (of a fluid J^(1/3) I)
  HostArray<float> stress;         ///< 6, Pa: Cauchy, xx yy zz xy yz xz, tension positive
  HostArray<float> von_mises;      ///< Pa
  HostArray<float> plastic_strain; ///< equivalent, accumulated
  HostArray<std::int32_t> material;

  /// Points that left through removing borders since the start, in ascending Id, and the place
  /// where each left: a thousandth of a cell beyond the border.
  HostArray<std::int64_t> exited_id;
  HostArray<double> exited_position; ///< 3, m

  GridArrays grid;
  /// One a wall of the scene. Loads are means over the last step, including those of points that
  /// were put back on their side. Nodes within a cell of a wall obey it, so loads are spread over a
  /// cell.
  std::vector<dem::WallFrame> walls;
  Statistics statistics;
  std::string device;
  std::uint64_t run = 0; ///< number of the run in this process
  /// The same frame on the device of the run. Only the newest frame has it, and only if memory
  /// sufficed.
  std::weak_ptr<const dem::DeviceFrame> on_device;

  std::size_t bytes() const; ///< host memory held
};

} // namespace mpm
