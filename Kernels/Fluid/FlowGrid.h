// Staggered grid of the volume-averaged flow. Used by the flow solver, and by Scene/detail to mark
// its faces.
#pragma once

#include "Core/HostDevice.h"
#include "Core/Vec.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dem
{

/// Pressure and void fraction are in the middle of a cell; a component of the velocity is in the
/// middle of the faces normal to it. Arrays of cells and of faces have one more entry than cells on
/// each axis: face c of axis k is the lower face of cell c, the last one is the upper border. On
/// periodic axes the last one is not used.
struct FlowGrid
{
  Vec3d origin, size; // m: first corner, and size of a cell
  int count[3];       // cells
  bool periodic[3];

  DEM_HD std::uint32_t stride(int k) const
  {
    const auto x = static_cast<std::uint32_t>(count[0] + 1),
               y = static_cast<std::uint32_t>(count[1] + 1);
    return k == 0 ? 1 : k == 1 ? x : x * y;
  }
  DEM_HD std::uint32_t entries() const
  {
    return stride(2) * static_cast<std::uint32_t>(count[2] + 1);
  }
  DEM_HD std::uint32_t index(const int (&at)[3]) const
  {
    return static_cast<std::uint32_t>(at[0]) + stride(1) * static_cast<std::uint32_t>(at[1]) +
      stride(2) * static_cast<std::uint32_t>(at[2]);
  }
  DEM_HD void place(std::uint32_t entry, int (&at)[3]) const
  {
    at[0] = static_cast<int>(entry % stride(1));
    at[1] = static_cast<int>(entry / stride(1)) % (count[1] + 1);
    at[2] = static_cast<int>(entry / stride(2));
  }
  DEM_HD bool isCell(const int (&at)[3]) const
  {
    return at[0] < count[0] && at[1] < count[1] && at[2] < count[2];
  }
  DEM_HD std::uint32_t cells() const
  {
    return static_cast<std::uint32_t>(count[0] * count[1] * count[2]);
  }
  /// Entry of cell number c, x fastest.
  DEM_HD std::uint32_t entryOfCell(std::uint32_t c) const
  {
    const auto x = static_cast<std::uint32_t>(count[0]), y = static_cast<std::uint32_t>(count[1]);
    return c % x + stride(1) * (c / x % y) + stride(2) * (c / x / y);
  }
  DEM_HD double volume() const { return size.x * size.y * size.z; }
};

/// What a face is.
enum class FlowFace : std::uint8_t
{
  None,  ///< no face: an entry that is not used
  Open,  ///< between two cells with fluid
  Wall,  ///< closed, the fluid sticks to it
  Slip,  ///< closed, the fluid slides along it
  Inlet, ///< with a given flow
  Outlet ///< a border with the pressure 0
};

/// Faces of each axis, by entry of the grid.
struct FlowFaces
{
  std::array<std::vector<FlowFace>, 3> kind;
  std::array<std::vector<double>, 3> inflow; ///< m/s along the axis, superficial, of inlets
};

/// A cell beside an inlet.
struct InletCell
{
  std::uint32_t entry; // of the grid
  int axis;
  double inwards; // 1 if the flow enters along the axis, -1 against it
  double area;    // m^2 of the inlet
  double inflow;  // m/s into the domain, superficial
};

/// What the flow of a run starts with.
struct FlowSetup
{
  FlowGrid grid;
  FlowFaces faces;
  std::vector<std::uint8_t> has_fluid;      ///< by entry: cells with an open face, inlet or outlet
  std::array<std::vector<double>, 3> start; ///< m/s, velocities at the faces
  std::vector<InletCell> inlet_cells;
  double least_radius = 0; ///< m: smaller grains are spread over a sphere of this radius
};

} // namespace dem
